"""A run: arrays in, individuals out. What the estimators stand on."""

from __future__ import annotations

import ctypes
import math
import operator
import os
import queue
import re
import sys
import threading
import time
from contextlib import contextmanager
from ctypes import byref, c_int, c_size_t, c_uint32, c_void_p
from numbers import Real
from typing import Callable, Dict, Iterable, List, Mapping, Optional, Sequence

import numpy as np

from grampus import _library as _l
from grampus._library import lib
from grampus.individual import Cases, Individual, Law, as_floats, as_numbers, check_columns, individual_of, law_of

_HISTORY = np.dtype(
    [(name, np.dtype(kind)) for name, kind in _l.Generation._fields_], align=True  # ctypes and numpy lay out alike
)
_POPULATION = np.dtype([(name, np.dtype(kind)) for name, kind in _l.IndividualNumbers._fields_], align=True)


def _number(value, what: str) -> int:
    """Of a run or an individual, from 0; ctypes would take -1 for the largest number."""
    try:
        number = operator.index(value)
    except TypeError:
        number = -1
    if not 0 <= number < 2**32:
        raise _l.BadInput("%s %.40r; expected a whole number from 0" % (what, value))
    return number


def _keys(settings: Dict) -> Dict:
    if not isinstance(settings, Mapping):
        raise _l.BadInput("settings %.80r; expected a dict of keys and values" % (settings,))
    return {str(key).replace("_", "-"): value for key, value in settings.items()}


def _items(values, what: str, of: str) -> list:
    """Of a sequence; a text is none of names, though Python goes over its letters."""
    try:
        items = iter(None if isinstance(values, (str, bytes)) else values)
    except TypeError:
        raise _l.BadInput("%s is %.80r; expected a sequence of %s" % (what, values, of)) from None
    return list(items)


def _places(places: Iterable[int]) -> np.ndarray:
    return np.array([_number(place, "place") for place in _items(places, "places", "whole numbers from 0")], np.uint32)


def grammar_text(grammar: Optional[str]) -> Optional[str]:
    """The text of a grammar that is given as text or as a path; None stays None."""
    if grammar is None or "::=" in str(grammar):
        return grammar
    try:
        with open(os.fspath(grammar), encoding="utf-8") as f:
            return f.read()
    except (OSError, TypeError, UnicodeDecodeError) as e:
        raise _l.BadInput("grammar: %.80r: %s; expected a path, or text with ::=" % (grammar, e)) from None


def _with_targets(settings: Dict, X, y, names, X_test, y_test):
    """Several targets are the last columns, of names that no input has."""
    inputs = ["x%d" % i for i in range(np.shape(X)[1])] if names is None else [str(name) for name in names]
    stem = "target"
    while any(re.sub(r"\W", "_", name).startswith(stem) for name in inputs):
        stem += "_"
    targets = ["%s%d" % (stem, k) for k in range(np.shape(y)[1])]
    if len(targets) < 2:
        raise _l.BadInput("y of two dimensions has one column; expected several, or y of one dimension")

    def beside(X, y):
        if len(X) != len(y):
            raise _l.BadInput("y has %d values; expected %d, as X" % (len(y), len(X)))
        return np.column_stack([as_floats(X, 2, "X"), as_floats(y, 2, "y")]), as_floats(y, 2, "y")[:, 0]

    X, y = beside(X, y)
    if X_test is not None:
        X_test, y_test = beside(X_test, y_test)
    return {**settings, "targets": ", ".join(targets)}, X, y, inputs + targets, X_test, y_test


class Run(_l.Handle):
    """One run of the library, or a batch (setting runs).

    Parameters
    ----------
    settings : dict
        Keys as in run files (`max-nodes`, `max_nodes` too), values as Python has them.
    X, y : arrays (cases, inputs) and (cases,), or (cases, targets), optional
        Of several targets an individual is `targets(...)` of an expression for each, and predicts (cases, targets).
        float32 and float64 of any strides are read where they stand, other types are copied. They are kept as float32, with
        the setting precision double as float64, over which individuals then predict. Without them the settings name the
        problem.
    weights : array (cases,), optional
        0 or more; a case of weight w counts w times in every mean and sum of the fitness, 0 leaves it out. With precision
        double 0 and 1 alone.
    X_test, y_test : arrays, optional
    names : sequence of str, optional
        Of the inputs; what expressions cannot have as a name is changed (`inputs`).
    grammar : str, optional
        A path, or the text.

    Raises BadInput, OutOfMemory or DeviceFailed. A run belongs to one thread at a time; :meth:`stop` to all.

    >>> with Run({"genotype": "tree", "generations": 5}, X, y) as run:
    ...     while run.advance():
    ...         print(run.generation, run.best().train)
    """

    def __init__(self, settings: Dict, X=None, y=None, *, weights=None, X_test=None, y_test=None,
                 names: Optional[Sequence[str]] = None, grammar: Optional[str] = None):  # fmt: skip
        self._error = _l.Error()
        self._handle = c_void_p()
        self._closing = threading.Lock()
        self._advancing = threading.Lock()
        self._callback = self._call = None
        self.raised: Optional[BaseException] = None
        self.finished = False
        names = None if names is None else [str(name) for name in _items(names, "names", "texts, one for a column of X")]
        self.labels = names
        for one, other, what in ((X, y, "X and y"), (X_test, y_test, "X_test and y_test")):
            if (one is None) != (other is None):
                raise _l.BadInput("one of %s alone; expected both" % what)
        for given, what in ((weights, "weights"), (names, "names")):
            if X is None and given is not None:
                raise _l.BadInput("%s without X and y; expected both" % what)
        check_columns(X_test, [str(name) for name in getattr(X, "columns", ())] if names is None else self.labels, "X_test")
        settings = settings if isinstance(settings, _l.Settings) else _keys(settings)
        if X is not None:
            X, y = as_numbers(X, "X"), as_numbers(y, "y")
        if X_test is not None:
            X_test, y_test = as_numbers(X_test, "X_test"), as_numbers(y_test, "y_test")
        if np.ndim(y) == 2:
            settings, X, y, names, X_test, y_test = _with_targets(settings, X, y, names, X_test, y_test)
        own = settings if isinstance(settings, _l.Settings) else _l.Settings(settings)
        train = Cases(X, y, weights, names) if X is not None else None
        test = Cases(X_test, y_test, None, names) if X_test is not None else None
        text = grammar_text(grammar)
        status = lib.run_open_on(
            own.handle,
            byref(train.view) if train else None,
            byref(test.view) if test else None,
            _l.as_bytes(text, "grammar") if text is not None else None,
            byref(self._handle),
            byref(self._error),
        )
        _l.check(status, self._error)
        self.inputs: List[str] = []
        while (name := lib.run_input(self._open, len(self.inputs))) is not None:
            self.inputs.append(name.decode())
        self.labels = self.inputs if self.labels is None else self.labels
        population, capacity = c_uint32(), c_uint32()
        lib.run_shape(self._open, byref(population), byref(capacity))
        self.population_size = population.value
        self.genome_capacity = capacity.value
        lib.run_keep_history(self._open)

    @classmethod
    def from_file(cls, path, *, grammar: Optional[str] = None, **settings) -> "Run":
        """A run of a run file, with the cases and the grammar that it names, as `grampus run` has it; keywords go over what
        it says, and grammar="" leaves its grammar out. Paths in the file are relative to its folder. No files are written,
        whatever it says of them.

        Raises BadInput with file, line and column of what is wrong.

        >>> with Run.from_file("problems/nguyen-1.yaml", generations=20) as run:
        ...     while run.advance():
        ...         pass
        ...     print(run.best(run.leader()), run.front(), run.history()["best"], run.info()["stop_reason"])
        """
        own = _l.Settings()
        own.load(path)
        if grammar is not None:
            settings["grammar"] = ""
        for key, value in _keys(settings).items():
            own[key] = value
        return cls(own, grammar=grammar or None)

    def advance(self) -> bool:
        """Evolves for one epoch; False when nothing is left to do. Raises what the callback of :meth:`watch` has raised, and
        Ctrl-C soon, in the main thread."""
        finished = c_int()
        with self._alone(), self._hearing_signals():
            _l.check(lib.run_advance(self._open, None, None, byref(finished), byref(self._error)), self._error)
        self.finished = bool(finished.value)
        if self.raised is not None:
            raise self.raised
        return not self.finished

    def stop(self) -> None:
        """Ends the run, from any thread: with the generation that is complete, or on a GPU the next one."""
        with self._closing:
            if self._handle:
                lib.run_stop(self._handle)

    def watch(self, callback: Optional[Callable], every: float = 1.0) -> None:
        """`callback(progress)` at the end of every epoch and, in longer ones, of a generation every so many seconds;
        progress has generation, generations, seconds, best_ever and epoch_finished. An exception of the callback stops the
        run."""
        if callback is not None and not callable(callback):
            raise _l.BadInput("callback is %.40r; expected what can be called, or None" % (callback,))
        if not isinstance(every, Real) or not every >= 0:
            raise _l.BadInput("every is %.40r; expected seconds, 0 or more" % (every,))

        def call(_, progress):
            try:
                callback(_l.Progress.from_buffer_copy(progress.contents))  # the library's own is gone after the call
            except BaseException as e:  # no way through the library: advance raises it
                self.raised = self.raised or e
                self.stop()

        self._call = call if callback else None
        self._callback = _l.ON_PROGRESS(call) if callback else _l.ON_PROGRESS()
        lib.run_watch(self._open, self._callback, None, every)

    def info(self) -> Dict:
        """device, why, memory, runs, generation, executed, seconds, stopped, stop_reason, ... as grampus.h has them."""
        info = _l.Info()
        lib.run_info(self._open, byref(info))
        return {
            name: value.decode() if isinstance(value, bytes) else value
            for name, value in ((name, getattr(info, name)) for name, _ in info._fields_)
        }

    @property
    def unused(self) -> str:
        """The settings that were named and that nothing of this run reads, and what they are for; "" without any."""
        return lib.run_unused(self._open).decode()

    @property
    def generation(self) -> int:
        return self.info()["generation"]

    def history(self) -> Dict[str, np.ndarray]:
        """A column for every number of a generation, (generations x runs,), in rising order of generation and run."""
        count = c_size_t()
        rows = lib.run_history(self._open, byref(count))
        if not count.value:
            return {name: np.empty(0, kind) for name, (kind, _) in _HISTORY.fields.items()}
        bytes_ = ctypes.string_at(rows, count.value * _HISTORY.itemsize)
        table = np.frombuffer(bytes_, _HISTORY)
        return {name: table[name].copy() for name in _HISTORY.names}

    def best(self, run: int = 0) -> Optional[Individual]:
        """The best of a run so far; None: no individual was valid."""
        best = _l.Best()
        _l.check(lib.run_best(self._open, _number(run, "run"), byref(best), byref(self._error)), self._error)
        try:
            return individual_of(best, self.inputs, self.labels)
        finally:
            lib.best_free(byref(best))

    def leader(self) -> int:
        """The run whose best `grampus run` tells of: its best is the best of all, as they are told, with validation_fraction
        on the cases set aside; of equals the first."""
        index = c_uint32()
        _l.check(lib.run_leader(self._open, byref(index), byref(self._error)), self._error)
        return index.value

    def front(self, run: int = 0) -> List[Individual]:
        """The Pareto front of fitness and size, by rising size, the best last; with objectives the front of these, by size."""
        front, count = ctypes.POINTER(_l.Best)(), c_uint32()
        _l.check(lib.run_front(self._open, _number(run, "run"), byref(front), byref(count), byref(self._error)), self._error)
        try:
            return [individual_of(front[i], self.inputs, self.labels) for i in range(count.value)]
        finally:
            lib.front_free(front, count.value)

    def law(self) -> Optional[Law]:
        """With find_law, of a run that has ended: the law, as `grampus run` tells of it; None: no program came near the
        target. BadInput: a run without find_law."""
        law = _l.Law()
        _l.check(lib.run_law(self._open, byref(law), byref(self._error)), self._error)
        return law_of(law, self.inputs, self.labels)

    def population(self, run: int = 0) -> np.ndarray:
        """The population as a structured array (population,): train, valid, nodes, depth, genome_length, used_codons.

        After any epoch: the generation that is selected from next or, of a run that is finished, the last."""
        numbers = np.empty(self.population_size, _POPULATION)
        status = lib.run_population(self._open, _number(run, "run"), numbers.ctypes.data, len(numbers), byref(self._error))
        _l.check(status, self._error)
        return numbers

    def genomes(self, run: int = 0) -> np.ndarray:
        """Genomes as uint32 (population, genome_capacity), zeros behind the end of each; BadInput: trees have none."""
        genomes = np.empty((self.population_size, self.genome_capacity), np.uint32)
        status = lib.run_genomes(self._open, _number(run, "run"), genomes.ctypes.data, genomes.shape[1], byref(self._error))
        _l.check(status, self._error)
        return genomes

    def individuals(self, places: Iterable[int], run: int = 0) -> List[Optional[Individual]]:
        """The individuals at these places of the population; None for those that are invalid."""
        wanted = _places(places)
        shown = (_l.Best * max(len(wanted), 1))()
        status = lib.run_individuals(self._open, _number(run, "run"), wanted.ctypes.data, len(wanted), shown, byref(self._error))
        _l.check(status, self._error)
        try:
            return [individual_of(shown[i], self.inputs, self.labels) for i in range(len(wanted))]
        finally:
            for i in range(len(wanted)):
                lib.best_free(byref(shown[i]))

    def phenotypes(self, places: Iterable[int], run: int = 0) -> List[Optional[str]]:
        """Those of the individuals at these places alone, in a fraction of the time; None where one is invalid. Of sentences
        of one line."""
        wanted, lines = _places(places), c_void_p()
        status = lib.run_phenotypes(
            self._open, _number(run, "run"), wanted.ctypes.data, len(wanted), byref(lines), byref(self._error)
        )
        _l.check(status, self._error)
        return [line or None for line in _l.take_text(lines).split("\n")[:-1]]

    @property
    def _open(self):
        if not self._handle:
            raise _l.GrampusError("the run is closed")
        return self._handle

    @contextmanager
    def _alone(self):
        """Neither in a callback of :meth:`advance` nor beside it in another thread."""
        if not self._advancing.acquire(blocking=False):
            raise _l.GrampusError("the run advances; expected stop(), and this when advance() has returned")
        try:
            yield
        finally:
            self._advancing.release()

    @contextmanager
    def _hearing_signals(self):
        """Ctrl-C comes when a callback begins, before the first line of it: ctypes drops it there, and tells this hook alone.
        Where nobody looks on there is a callback for that: without one an epoch, however long, would end first."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        if self._call is None:
            self.watch(lambda progress: None, 0.2)
        before = sys.unraisablehook

        def hook(dropped):
            if dropped.object is self._call or repr(self._call) in (dropped.err_msg or ""):
                self.raised = self.raised or dropped.exc_value
                self.stop()
            else:
                before(dropped)

        sys.unraisablehook = hook
        try:
            yield
        finally:
            sys.unraisablehook = before

    def close(self) -> None:
        with self._alone(), self._closing:
            if self._handle:
                lib.run_close(self._handle)
                self._handle = c_void_p()

    def __enter__(self) -> "Run":
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, "_closing", None):
            self.close()


class _Worker:
    """A thread that does one piece of work after another for the thread that it belongs to; a fresh thread for every run
    would cost as much as a small run itself."""

    def __init__(self):
        self.work = queue.SimpleQueue()
        self.idle = True
        self.process = os.getpid()
        threading.Thread(target=_serve, args=(self.work,), daemon=True, name="grampus").start()

    def __del__(self):
        self.work.put(None)


def _serve(work) -> None:
    while (task := work.get()) is not None:
        task()
        del task  # what it holds goes with it


_own = threading.local()


def _worker() -> _Worker:
    """This thread's, or a new one where that is still busy (with a run that was given up) or of another process."""
    worker = getattr(_own, "worker", None)
    if worker is None or not worker.idle or worker.process != os.getpid():
        worker = _own.worker = _Worker()
    return worker


class Evolution:
    """A whole run in another thread, so that signals reach whoever waits for it.

    `take(run)` is called in that thread when the run has ended, and what it returns is the result; also when the run was
    stopped, by :meth:`stop`, a deadline or an exception, of the callback or in the thread that waits."""

    def __init__(self, make: Callable[[], Run], take: Callable[[Run], object], callback: Optional[Callable] = None):
        self._make, self._take, self._callback = make, take, callback
        self._run: Optional[Run] = None
        self._begun = self._ended = self.stopped = False
        self._going = threading.Lock()
        self.result: object = None
        self.failure: Optional[BaseException] = None

    def _work(self, worker: _Worker) -> None:
        self._begun = True
        try:
            if self.stopped:
                return
            with self._make() as run:
                self._run = run
                if self._callback:
                    run.watch(self._callback)
                try:
                    while not self.stopped and run.advance():
                        pass
                except BaseException as e:
                    if e is not run.raised:
                        raise
                    self.failure = e  # and what was found is kept
                self.result = self._take(run)
        except BaseException as e:  # the waiting thread raises it
            self.failure = e
        finally:
            self._run = None
            worker.idle = self._ended = True
            self._going.release()

    def stop(self) -> None:
        self.stopped = True
        run = self._run
        if run is not None:
            run.stop()

    def _is_over(self, seconds: float = math.inf) -> bool:
        """Waits for the end, at most so many seconds; may be asked again. In pieces: a KeyboardInterrupt without a signal, as
        IDLE's by _thread.interrupt_main, is raised between two of them alone."""
        end = time.monotonic() + seconds
        while not self._ended and (left := end - time.monotonic()) > 0:
            self._going.acquire(timeout=min(left, 0.2))
        return self._ended

    def wait(self, deadline: Optional[float] = None) -> object:
        """The result. `deadline`: of time.monotonic(), when the run is stopped. An exception that comes meanwhile (Ctrl-C,
        a handler of SIGALRM) stops the run, waits for the result, and is raised; the result is kept."""
        worker = _worker()
        self._going.acquire()
        worker.idle = False
        try:
            worker.work.put(lambda: self._work(worker))
            over = self._is_over(math.inf if deadline is None else deadline - time.monotonic())
            while not over:  # a run that is only being opened cannot be stopped yet
                self.stop()
                over = self._is_over(0.02)
        except BaseException:
            begun = time.monotonic()
            self.stopped = True  # what has not begun never does
            while not self._is_over(0.02) and (self._begun or time.monotonic() - begun < 1):
                self.stop()
            raise
        if self.failure is not None:
            raise self.failure
        return self.result

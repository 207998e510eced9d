"""Individuals: an expression with what it takes to predict by it."""

from __future__ import annotations

import ctypes
from ctypes import byref
from typing import List, Mapping, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike

from grampus import _library as _l
from grampus._library import lib

_COLUMN = np.dtype({"names": ["values", "stride", "type"], "formats": ["u8", "i8", "i4"], "itemsize": 24})


def columns_of(X: np.ndarray) -> np.ndarray:
    """The columns of X (cases, inputs), float32 or float64 with any strides, as the library takes them: no copy."""
    columns = np.zeros(X.shape[1], _COLUMN)
    columns["values"] = X.ctypes.data + np.arange(X.shape[1], dtype=np.int64) * X.strides[1]
    columns["stride"] = X.strides[0]
    columns["type"] = _l.FLOAT if X.dtype == np.float32 else _l.DOUBLE
    return columns


def as_numbers(array, what: str) -> np.ndarray:
    """`array` as float32 or float64, of any dimensions; copied only where it is neither."""
    if hasattr(array, "toarray"):
        raise _l.BadInput("%s is sparse, a %s; expected a dense array, as its toarray() makes" % (what, type(array).__name__))
    try:
        array = np.asarray(array)
        is_real = array.dtype.kind != "c"
        if is_real and (array.dtype not in (np.float32, np.float64) or not array.dtype.isnative):
            array = array.astype(np.float64)
    except (TypeError, ValueError, OverflowError) as e:
        raise _l.BadInput("%s: %s; expected an array of numbers" % (what, e)) from None
    if not is_real:
        raise _l.BadInput("%s is of complex numbers; expected real ones" % what)
    return array


def as_floats(array, dimensions: int, what: str) -> np.ndarray:
    """The same of so many dimensions."""
    array = as_numbers(array, what)
    if array.ndim != dimensions:
        raise _l.BadInput("%s has %d dimensions; expected %d" % (what, array.ndim, dimensions))
    return array


def check_columns(table, names: Sequence[str], what: str = "X") -> None:
    """Columns are read by place: a table that has them in another order would be taken for another one. Names that nothing
    is called, as where a run was made of an array, say nothing."""
    columns = getattr(table, "columns", ())
    if not len(columns):
        return
    places = {name: at for at, name in reversed(list(enumerate(names)))}
    for at, (column, name) in enumerate(zip(columns, names)):
        if isinstance(column, str) and column != name and column in places:
            raise _l.BadInput("%s has column %.40r at %d; expected it at %d, as in training" % (what, column, at, places[column]))


class Cases:
    """The library's view of X, y and weights, which it keeps alive."""

    def __init__(self, X: np.ndarray, y: Optional[np.ndarray] = None, weights=None, names: Optional[Sequence[str]] = None):
        self.X = as_floats(X, 2, "X")
        self.columns = columns_of(self.X)
        self.view = view = _l.Cases()
        view.cases, view.inputs = self.X.shape
        view.columns = self.columns.ctypes.data
        if names is not None:
            if len(names) != view.inputs:
                raise _l.BadInput("X has %d columns; expected %d, as there are names" % (view.inputs, len(names)))
            self.names = (ctypes.c_char_p * len(names))(*[_l.as_bytes(str(name), "name") for name in names])
            view.names = self.names
        if y is not None:
            self.y = as_floats(y, 1, "y")
            if len(self.y) != len(self.X):
                raise _l.BadInput("y has %d values; expected %d, as X" % (len(self.y), len(self.X)))
            view.target.values = self.y.ctypes.data
            view.target.stride = self.y.strides[0]
            view.target.type = _l.FLOAT if self.y.dtype == np.float32 else _l.DOUBLE
        if weights is not None:
            self.weights = np.ascontiguousarray(as_floats(weights, 1, "weights"), np.float64)
            if self.weights.shape != (len(self.X),):
                raise _l.BadInput("weights have the shape %s; expected (%d,)" % (self.weights.shape, len(self.X)))
            view.weights = self.weights.ctypes.data


class Individual:
    """A program that was evolved; made by runs and estimators, and pickles.

    Attributes
    ----------
    expression : str
        Infix, in the names of `inputs`; see :meth:`sympy`.
    phenotype : str
        With a grammar the sentence, otherwise the expression.
    genome : numpy.ndarray of uint32 or None
        Codons; None for trees.
    train, test : float
        Fitness in the metric's own unit; test is NaN without test cases.
    nodes, depth : int
        Nodes of the expression; depth of the derivation, or of the tree.
    intercept, slope : float
        Of linear scaling; 0 and 1 without.
    precision : str
        "double" of a run with precision double, whose programs are evaluated over float64; otherwise "single".
    generation, seed, used_codons, solved
        As grampus.h has them.
    inputs : list of str
        Names of the inputs in `expression`; labels : what the user calls them.
    """

    __slots__ = (
        "expression phenotype genome train test nodes depth intercept slope generation seed used_codons solved "
        "rule class_min class_max thresholds inputs labels precision"
    ).split()

    expression: str
    phenotype: str
    genome: Optional[np.ndarray]
    train: float
    test: float
    nodes: int
    depth: int
    intercept: float
    slope: float
    generation: int
    seed: int
    used_codons: int
    solved: bool
    rule: int
    class_min: float
    class_max: float
    thresholds: List[float]
    inputs: List[str]
    labels: List[str]
    precision: str

    def __init__(self, **fields):
        self.__setstate__(fields)

    @classmethod
    def _fields(cls) -> List[str]:
        return [name for one in reversed(cls.__mro__) for name in getattr(one, "__slots__", ())]

    def __getstate__(self):
        return {name: getattr(self, name) for name in self._fields()}

    def __setstate__(self, state):
        for name in self._fields():
            setattr(self, name, state.get(name))
        self.precision = self.precision or "single"  # there was no other once

    def __repr__(self):
        return "Individual(%r, train=%.6g, nodes=%d)" % (self.expression, self.train, self.nodes)

    @property
    def outputs(self) -> List["Individual"]:
        """Of several targets an individual for each, itself otherwise."""
        return self._operands() if self.expression.startswith("targets(") else [self]

    def _operands(self) -> List["Individual"]:
        """Of the call that the expression is, as targets(...) and argmax(...)."""
        state = self.__getstate__()
        return [Individual(**{**state, "expression": one, "phenotype": one}) for one in operands(self.expression)]

    def ranked(self, X) -> Optional[np.ndarray]:
        """Of argmax(...) the outputs that the class is the largest of, (cases, classes); None of anything else."""
        if not self.expression.startswith("argmax("):
            return None
        return np.column_stack([one.output(X) for one in self._operands()])

    def _best(self) -> _l.Best:
        best = _l.Best(rule=self.rule, class_min=self.class_min, class_max=self.class_max)
        best.infix = _l.as_bytes(self.expression, "expression")
        best.intercept, best.slope = self.intercept, self.slope
        best.precision = _l.DOUBLE if self.precision == "double" else _l.FLOAT
        best.thresholds = len(self.thresholds)
        for k, threshold in enumerate(self.thresholds):
            best.threshold[k] = threshold
        return best

    def _apply(self, X, what: int, dtype) -> np.ndarray:
        """(cases,), or of several targets (cases, targets), whose outputs have no scaling; they have no classes."""
        check_columns(X, self.labels)
        cases = Cases(X, names=self.inputs)
        targets = 1 if what == _l.LABEL else len(self.outputs)
        output = np.empty((targets, len(cases.X)), dtype)
        if output.dtype not in (np.float32, np.float64):  # nor bytes in another order
            raise _l.BadInput("outputs of dtype %r; expected float32 or float64" % output.dtype.str)
        kind = _l.FLOAT if output.dtype == np.float32 else _l.DOUBLE
        error = _l.Error()
        best = self._best()
        call, which = (lib.predict, what) if targets == 1 else (lib.predict_targets, targets)
        _l.check(call(byref(best), byref(cases.view), which, kind, output.ctypes.data, byref(error)), error)
        return output[0] if targets == 1 else np.ascontiguousarray(output.T)

    def predict(self, X, dtype=np.float64) -> np.ndarray:
        """Outputs with linear scaling, (cases,) or of several targets (cases, targets), for X (cases, inputs); computed as
        float32, or with `precision` double as float64, on all threads it is worth.

        Raises BadInput where X is not finite as such, or a table that has the columns in another order."""
        return self._apply(X, _l.SCALED, dtype)

    def output(self, X, dtype=np.float64) -> np.ndarray:
        """Outputs of the expression alone."""
        return self._apply(X, _l.OUTPUT, dtype)

    def classes(self, X) -> np.ndarray:
        """Classes as the numbers of the run's target; NaN where the output is none."""
        return self._apply(X, _l.LABEL, np.float64)

    @property
    def used_inputs(self) -> List[int]:
        """Numbers of the inputs that stand in the expression."""
        names = {text for one in self.outputs for arity, text in postfix(one.expression, self.inputs) if arity == 0}
        return [i for i, name in enumerate(self.inputs) if name in names]

    def sympy(self, scaled: bool = True):
        """The expression as SymPy has it, in `labels`, of several targets a column of them; protected operations written
        out, scaling folded in. Where a column is called as a function is, sin, lambdify asks for dummify=True."""
        from grampus.formula import to_sympy

        return to_sympy(self, scaled)

    def latex(self, digits: int = 4) -> str:
        """LaTeX, numbers rounded to `digits`."""
        from grampus.formula import to_latex

        return to_latex(self, digits)

    def _repr_latex_(self):
        return "$" + self.latex() + "$"


class Law(Individual):
    """What find_law found: an individual whose constants were fitted in double and rounded; train and test are the roots of
    its mean squared errors, and it predicts over float32, as individuals do.

    Attributes, beside those of :class:`Individual`
    ----------
    exact : bool
        Right to within rounding, on training and test cases.
    rounded : bool
        All its constants are numbers that people write.
    largest_error : float
        On the training cases.
    """

    __slots__ = ("exact", "rounded", "largest_error")

    exact: bool
    rounded: bool
    largest_error: float

    def __repr__(self):
        return "Law(%r, exact=%r, train=%.6g, nodes=%d)" % (self.expression, self.exact, self.train, self.nodes)


def law_of(law: _l.Law, inputs: Sequence[str], labels: Sequence[str]) -> Optional[Law]:
    """A copy of what the library shows; None where no program came near the target."""
    if law.infix is None:
        return None
    state = constant(0.0, inputs, labels, law.rmse[0]).__getstate__()
    expression = law.infix.decode()
    state.update(
        expression=expression, phenotype=expression, test=law.rmse[1], nodes=law.nodes, depth=0, slope=1.0, solved=bool(law.exact),
        rule=_l.NO_CLASSES, exact=bool(law.exact), rounded=bool(law.rounded), largest_error=law.largest[0],
    )  # fmt: skip
    return Law(**state)


def individual_of(best: _l.Best, inputs: Sequence[str], labels: Sequence[str]) -> Optional[Individual]:
    """A copy of what the library shows; None where there was no valid individual."""
    if best.infix is None:
        return None
    genome = None
    if best.genome:
        genome = np.ctypeslib.as_array(best.genome, (best.genome_length,)).copy() if best.genome_length else \
            np.empty(0, np.uint32)
    expression = best.infix.decode()
    return Individual(
        expression=expression,
        phenotype=best.phenotype.decode() if best.phenotype else expression,
        genome=genome,
        train=best.train,
        test=best.test,
        nodes=best.nodes,
        depth=best.depth,
        precision="double" if best.precision == _l.DOUBLE else "single",
        intercept=best.intercept,
        slope=best.slope,
        generation=best.generation,
        seed=best.seed,
        used_codons=best.used_codons,
        solved=bool(best.solved),
        rule=best.rule,
        class_min=best.class_min,
        class_max=best.class_max,
        thresholds=list(best.threshold[: best.thresholds]),
        inputs=inputs,
        labels=labels,
    )


def constants(values, inputs: Sequence[str], labels: Sequence[str]) -> Individual:
    """The same of several targets."""
    one = constant(0.0, inputs, labels)
    one.expression = one.phenotype = "targets(%s)" % ", ".join(repr(float(np.float32(value))) for value in values)
    one.slope = 1.0
    return one


def constant(value: float, inputs: Sequence[str], labels: Sequence[str], train: float = float("nan"),
             precision: str = "single") -> Individual:  # fmt: skip
    """What there is before anything was evolved."""
    return Individual(
        expression="0", phenotype="0", genome=None, train=train, test=float("nan"), nodes=1, depth=1,
        intercept=float(value), slope=0.0, generation=0, seed=0, used_codons=0, solved=False, rule=_l.NEAREST,
        class_min=float(value), class_max=float(value), thresholds=[], inputs=inputs, labels=labels,
        precision=precision,
    )  # fmt: skip


def operands(call: str) -> List[str]:
    """Of the text of a call, whose names have no brackets and commas."""
    inner = call[call.index("(") + 1 : call.rindex(")")]
    found, depth = [""], 0
    for c in inner:
        depth += (c == "(") - (c == ")")
        if c == "," and not depth:
            found.append("")
        else:
            found[-1] += c
    return [one.strip() for one in found]


def _names(inputs: Sequence[str]):
    return (ctypes.c_char_p * max(len(inputs), 1))(*[_l.as_bytes(name, "name") for name in inputs])


def postfix(expression: str, inputs: Sequence[str]):
    """[(arity, text)] in postfix order: operations by name, inputs, constants."""
    error, text = _l.Error(), ctypes.c_void_p()
    _l.check(
        lib.expression_postfix(_l.as_bytes(expression, "expression"), _names(inputs), len(inputs), byref(text), byref(error)), error
    )
    pairs = (line.split(" ", 1) for line in _l.take_text(text).splitlines())
    return [(int(arity), word) for arity, word in pairs]


def evaluate(expression: str, columns: Union[Mapping[str, ArrayLike], ArrayLike], precision: str = "single") -> np.ndarray:
    """The expression on named columns, each (cases,), or on a matrix (cases, inputs) of x0, x1, ...: float64 (cases,), computed
    as float32, or with precision "double" as float64, with the bits of every device."""
    if precision not in ("single", "double"):
        raise _l.BadInput("precision is %.40r; expected 'single' or 'double'" % (precision,))
    if not hasattr(columns, "keys"):
        columns = np.asarray(columns)
        if columns.ndim != 2:
            raise _l.BadInput("columns of shape %s; expected (cases, inputs), or a dict of names" % (columns.shape,))
        columns = {"x%d" % k: columns[:, k] for k in range(columns.shape[1])}
    names = list(columns)
    values = [as_floats(columns[name], 1, name) for name in names]
    for name, one in zip(names, values):
        if len(one) != len(values[0]):
            raise _l.BadInput("%s has %d values; expected %d, as %s" % (name, len(one), len(values[0]), names[0]))
    X = np.column_stack(values) if names else np.empty((0, 0))
    one = constant(0.0, names, names, precision=precision)
    one.expression = _l.as_bytes(expression, "expression").decode()
    return one.output(X)

"""libgrampus by ctypes: structures and calls of host/library/grampus.h, and errors as exceptions.

ctypes gives up the interpreter's lock during every call."""

from __future__ import annotations

import ctypes
import os
from ctypes import POINTER, Structure, byref, c_char, c_char_p, c_double, c_float, c_int, c_size_t, c_ssize_t
from ctypes import c_uint32, c_uint64, c_void_p

MOST_THRESHOLDS = 32
ABOVE_0 = 2.0**-149  # the least float: as a threshold whatever is above 0 reaches it, of doubles too
FLOAT, DOUBLE = 0, 1
OUTPUT, SCALED, LABEL = 0, 1, 2
NO_CLASSES, NEAREST, SIGN, THRESHOLDS, POSITIVES = 0, 1, 2, 3, 4


class GrampusError(RuntimeError):
    """The run failed; the text is the library's line."""


class BadInput(GrampusError, ValueError):
    """A setting, a grammar or data that cannot be used; the text says where and what was expected."""


class OutOfMemory(GrampusError, MemoryError):
    """It does not fit; the text has the numbers."""


class DeviceFailed(GrampusError):
    """The device asked for is not there, or failed."""


_ERRORS = {2: BadInput, 4: OutOfMemory, 5: DeviceFailed}


class Error(Structure):
    _fields_ = [("status", c_int), ("text", c_char * 1024)]


class Column(Structure):
    _fields_ = [("values", c_void_p), ("stride", c_ssize_t), ("type", c_int)]


class Cases(Structure):
    _fields_ = [
        ("cases", c_uint64),
        ("inputs", c_uint32),
        ("names", POINTER(c_char_p)),
        ("columns", c_void_p),
        ("target", Column),
        ("weights", c_void_p),
    ]


class Generation(Structure):
    _fields_ = [
        ("run", c_uint32),
        ("generation", c_uint32),
        ("best", c_double),
        ("mean", c_double),
        ("best_ever", c_double),
        ("test", c_double),
        ("individuals", c_uint32),
        ("valid", c_uint32),
        ("mean_length", c_double),
        ("mean_nodes", c_double),
        ("mean_depth", c_double),
        ("best_nodes", c_uint32),
        ("best_depth", c_uint32),
        ("executed", c_double),
        ("seconds", c_double),
    ]


class Best(Structure):
    _fields_ = [
        ("run", c_uint32),
        ("generation", c_uint32),
        ("seed", c_uint64),
        ("train", c_double),
        ("test", c_double),
        ("solved", c_int),
        ("nodes", c_uint32),
        ("depth", c_uint32),
        ("precision", c_int),
        ("intercept", c_double),
        ("slope", c_double),
        ("infix", c_char_p),
        ("phenotype", c_char_p),
        ("genome", POINTER(c_uint32)),
        ("genome_length", c_uint32),
        ("used_codons", c_uint32),
        ("rule", c_int),
        ("class_min", c_float),
        ("class_max", c_float),
        ("thresholds", c_uint32),
        ("threshold", c_float * MOST_THRESHOLDS),
    ]


class IndividualNumbers(Structure):
    _fields_ = [
        ("train", c_double),
        ("valid", c_uint32),
        ("nodes", c_uint32),
        ("depth", c_uint32),
        ("genome_length", c_uint32),
        ("used_codons", c_uint32),
    ]


class Law(Structure):
    _fields_ = [
        ("infix", c_char_p),
        ("nodes", c_uint32),
        ("exact", c_int),
        ("rounded", c_int),
        ("rmse", c_double * 2),
        ("largest", c_double * 2),
    ]


class Info(Structure):
    _fields_ = [
        ("device", c_char * 128),
        ("why", c_char * 256),
        ("memory", c_char * 1024),
        ("memory_bytes", c_size_t),
        ("runs", c_uint32),
        ("generation", c_uint32),
        ("executed", c_double),
        ("seconds", c_double),
        ("uploaded", c_uint64),
        ("telemetry", c_uint64),
        ("downloaded", c_uint64),
        ("stopped", c_int),
        ("stop_reason", c_char * 32),
    ]


class Progress(Structure):
    _fields_ = [
        ("generation", c_uint32),
        ("generations", c_uint32),
        ("seconds", c_double),
        ("best_ever", c_double),
        ("epoch_finished", c_int),
    ]

    def __repr__(self):
        return "Progress(generation=%d, generations=%d, seconds=%.3g, best_ever=%.6g)" % (
            self.generation, self.generations, self.seconds, self.best_ever)  # fmt: skip


class Symbols(Structure):
    _fields_ = [("n_vars", c_uint32), ("n_is", c_uint32), ("n_os", c_uint32), ("codon_size", c_uint32)]


class Phenotype(Structure):
    _fields_ = [
        ("valid", c_int),
        ("used_codons", c_uint32),
        ("depth", c_uint32),
        ("nodes", c_uint32),
        ("text", c_char_p),
    ]


class Derivation(Structure):
    _fields_ = [
        ("found", c_int),
        ("reached", c_size_t),
        ("genome", POINTER(c_uint32)),
        ("length", c_uint32),
        ("depth", c_uint32),
        ("nodes", c_uint32),
    ]


class GrammarFacts(Structure):
    _fields_ = [
        (name, c_uint32)
        for name in (
            "rules",
            "productions",
            "terminals",
            "symbols",
            "recursive_rules",
            "unreached_rules",
            "repeated_productions",
            "most_productions",
            "least_depth",
        )
    ]


#: name in grampus.h -> the structure here; tests/test_library.py compares sizes and offsets with the compiler's
STRUCTURES = {
    "grampus_error": Error,
    "grampus_column": Column,
    "grampus_cases": Cases,
    "grampus_generation": Generation,
    "grampus_best": Best,
    "grampus_individual": IndividualNumbers,
    "grampus_law": Law,
    "grampus_info": Info,
    "grampus_progress": Progress,
    "grampus_symbols": Symbols,
    "grampus_phenotype": Phenotype,
    "grampus_derivation": Derivation,
    "grampus_grammar_facts": GrammarFacts,
}

ON_PROGRESS = ctypes.CFUNCTYPE(None, c_void_p, POINTER(Progress))

_E, _P, _U32 = POINTER(Error), c_void_p, c_uint32
_CALLS = {
    "version": (c_char_p, []),
    "settings_new": (c_int, [POINTER(_P), _E]),
    "settings_load": (c_int, [_P, c_char_p, _E]),
    "settings_set": (c_int, [_P, c_char_p, c_char_p, _E]),
    "settings_get": (c_int, [_P, c_char_p, c_char_p, c_size_t, _E]),
    "settings_free": (None, [_P]),
    "run_open_on": (c_int, [_P, POINTER(Cases), POINTER(Cases), c_char_p, POINTER(_P), _E]),
    "run_input": (c_char_p, [_P, _U32]),
    "run_unused": (c_char_p, [_P]),
    "run_watch": (None, [_P, ON_PROGRESS, _P, c_double]),
    "run_keep_history": (None, [_P]),
    "run_history": (POINTER(Generation), [_P, POINTER(c_size_t)]),
    "run_advance": (c_int, [_P, _P, _P, POINTER(c_int), _E]),
    "run_stop": (None, [_P]),
    "run_best": (c_int, [_P, _U32, POINTER(Best), _E]),
    "run_leader": (c_int, [_P, POINTER(_U32), _E]),
    "best_free": (None, [POINTER(Best)]),
    "run_shape": (None, [_P, POINTER(_U32), POINTER(_U32)]),
    "run_population": (c_int, [_P, _U32, _P, _U32, _E]),
    "run_individuals": (c_int, [_P, _U32, _P, _U32, POINTER(Best), _E]),
    "run_phenotypes": (c_int, [_P, _U32, _P, _U32, POINTER(_P), _E]),
    "run_genomes": (c_int, [_P, _U32, _P, _U32, _E]),
    "run_front": (c_int, [_P, _U32, POINTER(POINTER(Best)), POINTER(_U32), _E]),
    "run_law": (c_int, [_P, POINTER(Law), _E]),
    "front_free": (None, [POINTER(Best), _U32]),
    "run_info": (None, [_P, POINTER(Info)]),
    "run_close": (None, [_P]),
    "grammar_load": (c_int, [c_char_p, POINTER(Symbols), POINTER(_P), _E]),
    "grammar_parse": (c_int, [c_char_p, POINTER(Symbols), POINTER(_P), _E]),
    "grammar_free": (None, [_P]),
    "grammar_read_as": (c_int, [_P, _P, _E]),
    "grammar_map": (c_int, [_P, _P, _U32, POINTER(Phenotype), _E]),
    "phenotype_free": (None, [POINTER(Phenotype)]),
    "grammar_derive": (c_int, [_P, c_char_p, POINTER(Derivation), _E]),
    "derivation_free": (None, [POINTER(Derivation)]),
    "grammar_describe": (c_int, [_P, POINTER(GrammarFacts), _E]),
    "grammar_count": (c_int, [_P, _U32, _P, _E]),
    "grammar_text": (c_int, [_P, POINTER(_P), _E]),
    "text_free": (None, [_P]),
    "predict": (c_int, [POINTER(Best), POINTER(Cases), c_int, c_int, _P, _E]),
    "predict_targets": (c_int, [POINTER(Best), POINTER(Cases), _U32, c_int, _P, _E]),
    "expression_postfix": (c_int, [c_char_p, POINTER(c_char_p), _U32, POINTER(_P), _E]),
}


def _find() -> str:
    """$GRAMPUS_LIBRARY, the library in the package, or the one that `make` left in the repository's build folder."""
    own = os.environ.get("GRAMPUS_LIBRARY")
    if own:  # and no other: whoever names one means it
        if not os.path.isfile(own):
            raise ImportError("GRAMPUS_LIBRARY: no file %s; expected the path of libgrampus.so" % own)
        return os.path.abspath(own)  # of a name alone the loader would look elsewhere
    here = os.path.dirname(os.path.abspath(__file__))
    for place in os.path.join(here, "libgrampus.so"), os.path.join(here, "..", "..", "..", "build", "libgrampus.so"):
        if os.path.exists(place):
            return place
    raise ImportError("no libgrampus.so in %s; expected pip install, make, or GRAMPUS_LIBRARY=/path/to/it" % here)


class _Library:
    """The calls by name without grampus_; loaded at the first one."""

    def __getattr__(self, name: str):
        library = ctypes.CDLL(_find())
        for call, (result, arguments) in _CALLS.items():
            function = getattr(library, "grampus_" + call)
            function.restype, function.argtypes = result, arguments
            setattr(self, call, function)
        if name not in self.__dict__:
            raise AttributeError(name)
        return self.__dict__[name]


lib = _Library()


def check(status: int, error: Error) -> None:
    """Raises what a call that failed has to say."""
    if status:
        raise _ERRORS.get(status, GrampusError)(error.text.decode("utf-8", "replace"))


def version() -> str:
    """The version of the library."""
    return lib.version().decode()


def as_bytes(text: str, what: str) -> bytes:
    """Of a text for the library, which would read it up to the first zero."""
    try:
        if isinstance(text, str) and "\0" not in text:
            return text.encode()
    except UnicodeEncodeError:  # half a pair, as of a file that is no UTF-8
        pass
    raise BadInput("%s: %.80r; expected text without zeros and lone surrogates" % (what, text))


def take_text(pointer: c_void_p) -> str:
    """The text that a call allocated, freed."""
    text = ctypes.string_at(pointer.value).decode()
    lib.text_free(pointer)
    return text


class Handle:
    """What stands for memory of the library, and frees it: a copy would free it once more."""

    def __reduce_ex__(self, _):
        raise TypeError("a %s can be neither copied nor pickled" % type(self).__name__)


class Settings(Handle):
    """The settings of a run behind a handle; keys as in run files, values as Python has them."""

    def __init__(self, values=None):
        self._error = Error()
        self.handle = c_void_p()
        check(lib.settings_new(byref(self.handle), byref(self._error)), self._error)
        for key, value in (values or {}).items():
            self[key] = value

    def __setitem__(self, key: str, value) -> None:
        text = as_text(value)
        if key == "functions" and not text and not isinstance(value, str):  # which takes the setting back
            raise BadInput("functions is %.40r; expected operations, or \"auto\"" % (value,))
        check(lib.settings_set(self.handle, as_bytes(key, "setting"), as_bytes(text, key), byref(self._error)), self._error)

    def __getitem__(self, key: str) -> str:
        size = 256
        while True:
            room = ctypes.create_string_buffer(size)
            status = lib.settings_get(self.handle, key.encode(), room, size, byref(self._error))
            if status != 1 or size > 2**24:  # 1: it does not fit
                check(status, self._error)
                return room.value.decode()
            size *= 16

    def load(self, path) -> None:
        """A run file over what is set."""
        try:
            name = os.fsencode(path)
        except TypeError:
            name = b"\0"
        if b"\0" in name:
            raise BadInput("run file: %.80r; expected a path" % (path,))
        check(lib.settings_load(self.handle, name, byref(self._error)), self._error)

    def __del__(self):
        if getattr(self, "handle", None):
            lib.settings_free(self.handle)
            self.handle = None


def as_text(value) -> str:
    """A value as a run file has it: None is none, True true, 1e6 1000000 where it is whole; numpy's as Python's."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):  # units, types
        return "; ".join("%s = %s" % (as_text(k), as_text(v)) for k, v in value.items())
    if isinstance(value, (set, frozenset)):
        value = sorted(value, key=as_text)  # of an order of their own; runs hang on that of functions
    if isinstance(value, (list, tuple, range)):
        return ", ".join(as_text(v) for v in value)
    if isinstance(value, float):
        return repr(int(value)) if value.is_integer() and abs(value) < 2**63 else repr(value)
    return str(value)

"""Grammatical evolution as numpy arrays: genomes to sentences and back, statistics of grammars, populations.

    g = Grammar("<e> ::= (<e> + <e>) | x | y")
    g.map([0, 1, 2]).text               # '(x + y)'; None where the genome is invalid
    g.parse("(x + y)")                  # a genome that maps to it
    genomes = g.random(1000, 50, seed=1)
    g.map_all(genomes)["valid"].mean()
"""

from __future__ import annotations

import ctypes
import operator
from ctypes import byref, c_void_p
from dataclasses import dataclass
from typing import Dict, Iterator, List, Optional, Sequence, Tuple

import numpy as np

from grampus import _library as _l
from grampus._library import lib
from grampus.run import Run, grammar_text

__all__ = ["Grammar", "Phenotype", "Population", "evolve"]

_MOST = 2**32 - 1  # a codon


def _is_whole(value, most: int) -> bool:
    return isinstance(value, (int, float)) and 0 <= value <= most and value == int(value)


def _whole(value, what: str, most: int, least: int = 0) -> int:
    """ctypes would take what is too large, or below 0, for another number."""
    try:
        number = operator.index(value)
    except TypeError:
        number = -1
    if not least <= number <= most:
        raise _l.BadInput("%s is %.40r; expected a whole number from %d to %d" % (what, value, least, most))
    return number


def _codons(genome) -> np.ndarray:
    """(length,) uint32; numpy would cut fractions off, and take -1 for the largest number."""
    given = np.asarray(genome)
    if given.ndim != 1:
        raise _l.BadInput("a genome of shape %s; expected codons (length,)" % (given.shape,))
    if given.dtype != np.uint32:
        for at, value in enumerate(given.tolist()):
            if not _is_whole(value, _MOST):
                raise _l.BadInput("codon %d is %.40r; expected a whole number from 0 to %d" % (at, value, _MOST))
    return np.ascontiguousarray(given, np.uint32)


def _lengths(lengths: Optional[Sequence[int]], individuals: int, capacity: int) -> np.ndarray:
    """(individuals,) of genomes; None: all are whole."""
    given = np.full(individuals, capacity) if lengths is None else np.asarray(lengths)
    if given.shape != (individuals,):
        raise _l.BadInput("lengths of shape %s; expected (%d,)" % (given.shape, individuals))
    for at, value in enumerate(given.tolist()):
        if not _is_whole(value, capacity):
            raise _l.BadInput("length %d is %.40r; expected a whole number from 0 to %d" % (at, value, capacity))
    return given.astype(np.int64)


@dataclass(frozen=True)
class Phenotype:
    """What a genome maps to. text is None where it is invalid; depth and nodes are of the derivation tree."""

    text: Optional[str]
    used_codons: int
    depth: int
    nodes: int

    @property
    def valid(self) -> bool:
        return self.text is not None


class Grammar(_l.Handle):
    """A BNF grammar in PonyGE2's dialect.

    Parameters
    ----------
    grammar : str
        A path, or the text.
    n_vars, n_is, n_os : int
        What GE_RANGE:dataset_n_vars, _n_is and _n_os stand for.
    codon_size : int
        The largest codon.
    settings
        How genomes are read, as keywords of run files: mapping, codon_consumption, wrap_rule, genotype="structured",
        max_depth, max_wraps, max_genome_length.

    Raises BadInput with line and column of what is wrong.
    """

    def __init__(self, grammar: str, *, n_vars: int = 0, n_is: int = 0, n_os: int = 0, codon_size: int = 100000, **settings):
        self._handle = c_void_p()
        self._error = _l.Error()
        self.codon_size = _whole(codon_size, "codon_size", 2**31 - 1, 1)
        counts = ("n_vars", n_vars), ("n_is", n_is), ("n_os", n_os)
        symbols = _l.Symbols(*(_whole(value, what, _MOST) for what, value in counts), self.codon_size)
        text = _l.as_bytes(grammar_text(grammar), "grammar")
        _l.check(lib.grammar_parse(text, byref(symbols), byref(self._handle), byref(self._error)), self._error)
        if settings:
            own = _l.Settings({key.replace("_", "-"): value for key, value in settings.items()})
            _l.check(lib.grammar_read_as(self._handle, own.handle, byref(self._error)), self._error)

    def __del__(self):
        if getattr(self, "_handle", None):
            lib.grammar_free(self._handle)
            self._handle = None

    def map(self, genome: Sequence[int]) -> Phenotype:
        """The phenotype of a genome, codons (length,); BadInput: one is no whole number from 0 to 2^32 - 1, or
        a structured one has fewer than `parse` gives, the lists of all rules."""
        codons = _codons(genome)
        p = _l.Phenotype()
        _l.check(
            lib.grammar_map(self._handle, codons.ctypes.data, len(codons), byref(p), byref(self._error)), self._error
        )
        try:
            text = p.text.decode() if p.valid else None
            return Phenotype(text, p.used_codons, p.depth, p.nodes)
        finally:
            lib.phenotype_free(byref(p))

    def map_all(self, genomes: np.ndarray, lengths: Optional[Sequence[int]] = None) -> Dict[str, np.ndarray]:
        """Genomes (individuals, capacity) to arrays (individuals,): valid, text (None: invalid), used_codons, depth, nodes.

        lengths : (individuals,), optional
            Codons of each, whole numbers up to capacity (else BadInput); default: all."""
        genomes = np.asarray(genomes)
        if genomes.ndim != 2:
            raise _l.BadInput("genomes of shape %s; expected (individuals, capacity)" % (genomes.shape,))
        lengths = _lengths(lengths, *genomes.shape)
        all_ = [self.map(row[:length]) for row, length in zip(genomes, lengths)]
        return {
            "valid": np.array([p.valid for p in all_], bool),
            "text": np.array([p.text for p in all_], object),
            "used_codons": np.array([p.used_codons for p in all_], np.uint32),
            "depth": np.array([p.depth for p in all_], np.uint32),
            "nodes": np.array([p.nodes for p in all_], np.uint32),
        }

    def parse(self, text: str) -> np.ndarray:
        """A genome (length,) uint32 that maps to the text, with a derivation of least depth; BadInput: no sentence, or one
        that is deeper than max_depth (90)."""
        d = _l.Derivation()
        _l.check(lib.grammar_derive(self._handle, _l.as_bytes(text, "sentence"), byref(d), byref(self._error)), self._error)
        try:
            if not d.found:
                rest = text.encode()[d.reached :].decode(errors="replace")
                raise _l.BadInput("no sentence of the grammar from byte %d on: %r" % (d.reached, rest[:40]))
            return np.ctypeslib.as_array(d.genome, (d.length,)).copy() if d.length else np.empty(0, np.uint32)
        finally:
            lib.derivation_free(byref(d))

    def random(self, individuals: int, length: int, seed: int = 1) -> np.ndarray:
        """Uniform genomes (individuals, length) uint32, codons 0 to codon_size."""
        return np.random.default_rng(seed).integers(0, self.codon_size + 1, (individuals, length), np.uint32)

    def statistics(self) -> Dict[str, int]:
        """rules, productions, terminals, symbols, recursive_rules, unreached_rules, repeated_productions, most_productions
        (of a rule) and least_depth (of a derivation)."""
        facts = _l.GrammarFacts()
        _l.check(lib.grammar_describe(self._handle, byref(facts), byref(self._error)), self._error)
        return {name: getattr(facts, name) for name, _ in facts._fields_}

    def derivations(self, depth: int) -> np.ndarray:
        """log10 of how many derivations there are of at most each depth, to 1000, (depth + 1,) by depth from 0; -inf: none."""
        depth = _whole(depth, "depth", 1000)
        count = np.empty(depth + 1)
        _l.check(lib.grammar_count(self._handle, depth, count.ctypes.data, byref(self._error)), self._error)
        return count

    @property
    def text(self) -> str:
        """The rules as they were understood; reads back as the same grammar."""
        text = ctypes.c_void_p()
        _l.check(lib.grammar_text(self._handle, byref(text), byref(self._error)), self._error)
        return _l.take_text(text)


@dataclass(frozen=True)
class Population:
    """A population after an epoch; individuals by place.

    numbers : structured array (population,)
        train, valid, nodes, depth, genome_length, used_codons
    genomes : uint32 (population, capacity) or None (trees)
        Zeros behind the end of each.
    """

    generation: int
    numbers: np.ndarray
    genomes: Optional[np.ndarray]

    def genome(self, place: int) -> np.ndarray:
        if self.genomes is None:
            raise _l.BadInput("trees have no genomes; expected genotype grammar")
        return self.genomes[place, : self.numbers["genome_length"][place]]

    def diversity(self) -> float:
        """Share of different genomes."""
        return len({self.genome(i).tobytes() for i in range(len(self.numbers))}) / len(self.numbers)


def evolve(settings: Dict, X=None, y=None, *, grammar: Optional[str] = None, names: Optional[List[str]] = None,
           **options) -> Iterator[Tuple[Run, Population]]:  # fmt: skip
    """Runs as :class:`grampus.Run` does, and yields run and population after every epoch (setting epoch; every generation:
    epoch=1): the one that is selected from next, whose generation is one beyond run.generation, and when the run has ended
    the last one, once more; of generations=0 the first. After that the run still answers.

    >>> for run, population in evolve({"epoch": 1, "generations": 10}, X, y, grammar=text):
    ...     print(population.generation, population.diversity(), run.best().train)
    """
    run = Run(settings, X, y, grammar=grammar, names=names, **options)
    goes_on = True
    while goes_on:
        goes_on = run.advance()
        genomes = run.genomes() if run.genome_capacity else None
        yield run, Population(run.generation + goes_on, run.population(), genomes)

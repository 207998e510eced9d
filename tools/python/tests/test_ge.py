"""Grammars, genomes and populations."""
import re

import numpy as np
import pytest

from grampus import BadInput, GrampusError, Run
from grampus.ge import Grammar, Population, evolve

TEXT = "<e> ::= (<e> <o> <e>) | <v> | <v>\n<o> ::= + | - | *\n<v> ::= x0 | x1 | 0.5\n"


def test_grammar():
    g = Grammar(TEXT)
    assert g.statistics()["productions"] == 9
    assert np.allclose(g.derivations(4), [-np.inf, -np.inf, -np.inf, np.log10(6), np.log10(114)])
    genome = g.parse("(x0 + (x1 * 0.5))")
    phenotype = g.map(genome)
    assert phenotype.valid and phenotype.text == "(x0 + (x1 * 0.5))" and phenotype.used_codons == len(genome)
    assert Grammar(g.text).statistics() == g.statistics()
    with pytest.raises(BadInput, match="from byte 6 on"):
        g.parse("(x0 + y)")
    assert not g.map([0]).valid
    assert Grammar("<v> ::= GE_RANGE:dataset_n_os", n_os=4).statistics()["productions"] == 4


def test_where_a_sentence_ends():
    """In bytes: a character may have several."""
    with pytest.raises(BadInput, match="from byte 4 on: 'y \\+'"):
        Grammar("<e> ::= '\\u00e9'<e> | x").parse("ééy +")
    with pytest.raises(BadInput, match="from byte 1 on: 'é'"):
        Grammar("<e> ::= 'x'<e> | x").parse("xé")


@pytest.mark.parametrize("name, value, least, most", [
    ("codon_size", 0, 1, 2**31 - 1), ("codon_size", 2**40, 1, 2**31 - 1), ("codon_size", 2.5, 1, 2**31 - 1),
    ("n_vars", -1, 0, 2**32 - 1), ("n_is", 2**32 + 2, 0, 2**32 - 1), ("n_os", "2", 0, 2**32 - 1),
])  # fmt: skip
def test_no_symbols(name, value, least, most):
    """2^32 + 2 inputs had been two."""
    with pytest.raises(BadInput, match=re.escape("%s is %r; expected a whole number from %d to %d" % (name, value, least, most))):
        Grammar("<e> ::= GE_RANGE:dataset_" + (name if name != "codon_size" else "n_vars"), **{"n_vars": 2, name: value})


@pytest.mark.parametrize("depth", [-1, 1001, 2**33, 2.5, None])
def test_no_depths(depth):
    with pytest.raises(BadInput, match="depth is .*; expected a whole number from 0 to 1000"):
        Grammar(TEXT).derivations(depth)


def test_reading():
    text = "<e> ::= <v>\n<v> ::= a | b\n"
    assert Grammar(text).map([1, 0]).text == "a"
    assert Grammar(text, codon_consumption="lazy").map([1, 0]).text == "b"
    assert Grammar(text, max_wraps=1).map([1]).text == "b"


def test_too_deep():
    """A genome that does not map to the text is none that it asks for."""
    text = "a" * 89 + "b"
    assert Grammar("<e> ::= a<e> | b", max_depth=91).parse(text).tolist() == [0] * 89 + [1]
    with pytest.raises(BadInput, match="a derivation of depth 91; expected at most max-depth 90"):
        Grammar("<e> ::= a<e> | b").parse(text)


def test_structured():
    """The lists stand one after the other: of a shorter genome genes behind it were read, others every time."""
    grammar = Grammar(TEXT, genotype="structured", max_genome_length=40)
    genes = grammar.parse("(x0 + x1)")
    assert grammar.map(genes).text == "(x0 + x1)"
    with pytest.raises(BadInput, match="a genome of 2 genes; expected %d, the lists" % len(genes)):
        grammar.map(genes[:2])


@pytest.mark.parametrize("genome, said", [
    ([0.5, 1], "codon 0 is 0.5; expected a whole number from 0 to 4294967295"),
    ([1, -1], "codon 1 is -1;"),
    (np.array([1, -1]), "codon 1 is -1;"),
    (np.array([3, 2**32]), "codon 1 is 4294967296;"),
    ([2**70], "codon 0 is 1180591620717411303424;"),
    ([0, np.nan], "codon 1 is nan;"),
    ([np.inf, 0], "codon 0 is inf;"),
    (["0", "1"], "codon 0 is '0';"),
    ([None, 1], "codon 0 is None;"),
    ([[0, 1]], "a genome of shape (1, 2); expected codons (length,)"),
    (3, "a genome of shape (); expected codons"),
])
def test_no_codons(genome, said):
    """What is no codon is refused by its place, alone and among genomes; it had been cut to one."""
    g = Grammar("<e> ::= <v>\n<v> ::= a | b\n")
    with pytest.raises(BadInput, match=re.escape(said)):
        g.map(genome)
    if np.ndim(genome) == 1:
        with pytest.raises(ValueError, match=re.escape(said)):
            g.map_all(np.array([genome]))


@pytest.mark.parametrize("lengths, said", [
    ([2, -1], "length 1 is -1; expected a whole number from 0 to 3"), ([4, 3], "length 0 is 4;"),
    ([1.5, 2.0], "length 0 is 1.5;"), ([1, np.nan], "length 1 is nan;"), (["1", "2"], "length 0 is '1';"),
    ([None, 1], "length 0 is None;"), ([3], "lengths of shape (1,); expected (2,)"),
])  # fmt: skip
def test_no_lengths(lengths, said):
    """Those below 0 counted from the end, too few of them left genomes out, fractions were a TypeError of a slice."""
    g = Grammar(TEXT)
    with pytest.raises(BadInput, match=re.escape(said)):
        g.map_all(np.zeros((2, 3), int), lengths)
    with pytest.raises(BadInput, match=re.escape("genomes of shape (3,)")):
        g.map_all([1, 2, 3])
    assert g.map_all([[1, 0, 0]] * 2, [2.0, 0.0])["valid"].tolist() == [True, False]


def test_codons_of_other_types():
    g = Grammar("<e> ::= <v>\n<v> ::= a | b\n")
    for kind in (np.uint8, np.int64, np.float64, bool, object):
        assert g.map(np.array([0, 1], kind)).text == "b"
    assert g.map(np.array([0, 9, 1], np.uint32)[::2]).text == "b"
    assert g.map([0, 2**32 - 1]).text == "b" and not g.map([]).valid


def test_random_genomes():
    g = Grammar(TEXT)
    genomes = g.random(200, 30, seed=2)
    mapped = g.map_all(genomes)
    assert genomes.shape == (200, 30) and 0 < mapped["valid"].sum() < 200
    first = np.flatnonzero(mapped["valid"])[0]
    assert mapped["text"][first] == g.map(genomes[first]).text


def test_populations(cases):
    X, y = cases
    g = Grammar(TEXT)
    seen = []
    for run, population in evolve({"epoch": 1, "generations": 4, "population": 50}, X, y, grammar=TEXT):
        assert len(population.numbers) == 50 and 0 < population.diversity() <= 1
        for place, one in enumerate(run.individuals(range(5))):
            if one is not None:
                assert g.map(population.genome(place)).text == one.phenotype
        seen.append(population.generation)
        best = run.best().train
    assert seen == [1, 2, 3, 4, 4]
    assert population.numbers["train"].min() == best


def test_numbers_from_0(cases):
    """What is asked for by a number that is none, and a callback that cannot be called, are refused in a line."""
    with Run({"genotype": "tree", "population": 20, "generations": 1}, *cases) as run:
        run.advance()
        for ask in (run.best, run.front, run.population, run.genomes, lambda k: run.individuals([k]), lambda k: run.individuals([0], k)):
            for number in (-1, 2**32, 0.5):
                with pytest.raises(BadInput, match="expected a whole number from 0"):
                    ask(number)
        with pytest.raises(BadInput, match="callback is 'a'; expected what can be called, or None"):
            run.watch("a")


@pytest.mark.parametrize("what", ["close", "advance"])
def test_callbacks_that_reach_too_far(cases, what):
    """A run was freed, or begun again, under the call that was at it."""
    with Run({"genotype": "tree", "generations": 3, "population": 20, "epoch": 1}, *cases) as run:
        run.watch(lambda progress: getattr(run, what)())
        with pytest.raises(GrampusError, match=r"the run advances; expected stop\(\)"):
            run.advance()
        run.watch(None)
        assert run.best().train > 0


def test_trees_and_batches(cases):
    X, y = cases
    with Run({"genotype": "tree", "runs": 3, "generations": 2, "population": 20}, X, y) as run:
        while run.advance():
            pass
        assert len({run.best(r).seed for r in range(3)}) == 3
        assert len(run.history()["run"]) == 9
        with pytest.raises(BadInput, match="no genomes"):
            run.genomes()
        with pytest.raises(BadInput, match="no genomes"):
            Population(2, run.population(), None).diversity()
    made = {"genotype": "tree", "target_expression": "x * x", "variables": "x = uniform(-1, 1)", "train-cases": 20}
    with Run(made) as run:
        assert run.inputs == ["x"]
    with pytest.raises(GrampusError, match="closed"):
        run.advance()

"""The structures of grampus.h as ctypes has them, and the calls of both."""
import copy
import ctypes
import os
import pickle
import re
import shutil
import subprocess

import numpy as np
import pytest

import grampus
from grampus import _library, individual
from grampus.ge import Grammar

HEADER = os.path.join(os.path.dirname(__file__), "..", "..", "..", "host", "library", "grampus.h")


@pytest.mark.skipif(not shutil.which("cc"), reason="no compiler")
def test_structures(tmp_path):
    lines = ['#include "%s"' % os.path.abspath(HEADER), "#include <stdio.h>", "int main(void) {"]
    expected = []
    for name, structure in _library.STRUCTURES.items():
        lines.append('printf("%%zu\\n", sizeof(%s));' % name)
        expected.append(ctypes.sizeof(structure))
        for field, _ in structure._fields_:
            lines.append('printf("%%zu\\n", offsetof(%s, %s));' % (name, field))
            expected.append(getattr(structure, field).offset)
    (tmp_path / "sizes.c").write_text("\n".join(lines + ["return 0;}"]))
    subprocess.run(["cc", tmp_path / "sizes.c", "-o", tmp_path / "sizes"], check=True)
    told = subprocess.run([tmp_path / "sizes"], check=True, capture_output=True, text=True).stdout.split()
    assert [int(n) for n in told] == expected


def test_calls_are_declared():
    text = open(HEADER).read()
    declared = {
        name: arguments.count(",") + (arguments.strip() != "void")
        for name, arguments in re.findall(r"GRAMPUS_API[^;(]*?\bgrampus_(\w+)\(([^;]*)\);", text)
    }
    for name, (_, arguments) in _library._CALLS.items():
        assert len(arguments) == declared[name], name


def test_errors():
    with pytest.raises(_library.BadInput, match="unknown key 'nonsense'") as caught:
        _library.Settings({"nonsense": 1})
    assert isinstance(caught.value, ValueError)
    settings = _library.Settings({"population": 1e6, "linear-scaling": True, "time-limit": None, "inputs": ["a", "b"]})
    assert [settings[key] for key in ("population", "linear-scaling", "time-limit", "inputs")] == [
        "1000000",
        "true",
        "none",
        "a, b",
    ]
    settings["constants"] = np.array([1.0, 2.5])
    settings["unique"] = np.bool_(True)
    settings["crossover-probability"] = np.float32(0.5)
    assert [settings[key] for key in ("constants", "unique", "crossover-probability")] == ["1, 2.5", "true", "0.5"]
    for never in (float("inf"), float("nan")):
        with pytest.raises(_library.BadInput, match="time-limit is '%r'; expected a number" % never):
            settings["time-limit"] = never


def test_names_that_are_too_few():
    """As many names as columns, or the library would read behind the last."""
    with pytest.raises(_library.BadInput, match="X has 3 columns; expected 1, as there are names"):
        grampus.Run({"genotype": "tree"}, np.ones((4, 3)), np.arange(4.0), names=["a"])


@pytest.mark.parametrize("make", [
    lambda: grampus.Run({"genotype": "tree"}, np.ones((4, 3)), np.arange(4.0)),
    lambda: Grammar("<e> ::= x0"),
    _library.Settings,
])  # fmt: skip
def test_no_copies(make):
    """Two objects of one handle freed it twice."""
    one = make()
    for copied in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="a %s can be neither copied nor pickled" % type(one).__name__):
            copied(one)


@pytest.mark.parametrize("kind", ["int32", "float16", "int64", ">f8", "complex128", "U4"])
def test_outputs_of_other_types(kind):
    """Doubles were written into arrays with half the room, or that take their bytes for something else."""
    one = individual.constant(1.0, ["x0"], ["x0"])
    with pytest.raises(_library.BadInput, match="expected float32 or float64"):
        one.predict(np.ones((1000, 1)), dtype=kind)
    assert one.predict(np.ones((2, 1)), dtype="f4").dtype == np.float32


def test_texts():
    """Up to a zero they would be other texts."""
    for call in (
        lambda: individual.evaluate("x\0 + 5", {"x": [1.0]}),
        lambda: Grammar("<e> ::= x0\0 | x1"),
        lambda: Grammar("<e> ::= x0").parse("x0\0 + x1"),
        lambda: Grammar(b"<e> ::= x0"),
        lambda: Grammar(None),
        lambda: _library.Settings({"name": "a\0b"}),
        lambda: grampus.Run({"max_depth\0": 2}, np.ones((4, 1)), np.arange(4.0)),
        lambda: grampus.Run({"genotype": "tree"}, np.ones((4, 1)), np.arange(4.0), names=["a\0b"]),
        lambda: individual.evaluate("a", {"a\0b": [1.0], "a": [2.0]}),
        lambda: individual.evaluate("\ud800", {"a": [1.0]}),
        lambda: individual.evaluate("a", {"\ud800": [1.0], "a": [2.0]}),
        lambda: grampus.GrampusRegressor(functions="\ud800").fit(np.ones((4, 1)), np.arange(4.0)),
    ):
        with pytest.raises(_library.BadInput, match="expected text without zeros"):
            call()


def test_columns_of_other_lengths():
    with pytest.raises(_library.BadInput, match="^b has 1 values; expected 2, as a$"):
        individual.evaluate("a + b", {"a": [1.0, 2.0], "b": [1.0]})


def test_no_grammars(tmp_path):
    (tmp_path / "latin.bnf").write_bytes(b"<e> ::= x0 # caf\xe9\n")
    for what, said in ((str(tmp_path / "latin.bnf"), "latin.bnf'.*utf-8"), (3, "grammar: 3: "), (["<e>"], "grammar: \\['<e>'\\]: ")):
        with pytest.raises(_library.BadInput, match=said + ".*expected a path, or text with ::="):
            Grammar(what)


def test_cases_by_halves():
    """Without y the library read a target that was not there."""
    X, y = np.ones((4, 1)), np.arange(4.0)
    for given in ({"X": X}, {"y": y}, {"y": np.ones((4, 2))}):
        with pytest.raises(_library.BadInput, match="one of X and y alone; expected both"):
            grampus.Run({"genotype": "tree"}, **given)
    for more in ({"X_test": X}, {"y_test": y}):
        with pytest.raises(_library.BadInput, match="one of X_test and y_test alone; expected both"):
            grampus.Run({"genotype": "tree"}, X, y, **more)
    for more in ({"weights": y}, {"names": ["a"]}, {"X_test": X, "y_test": y}):  # were not looked at
        with pytest.raises(_library.BadInput, match="(without X and y; expected both|alone; expected training cases too)"):
            grampus.Run({"genotype": "tree", "boolean": "parity-3"}, **more)
    with pytest.raises(_library.BadInput, match="trees of cases without inputs"):  # the target was read for one
        grampus.Run({"genotype": "tree", "preset": "none"}, np.empty((4, 0)), y)
    for one, other, what in ((X + 1j, y, "X"), (X, y + 1j, "y")):
        with pytest.raises(_library.BadInput, match="%s is of complex numbers; expected real ones" % what):
            grampus.Run({"genotype": "tree"}, one, other)


def test_run_files(tmp_path, monkeypatch):
    """With the file's own data and grammar, from any folder; keywords go over what it says, and no file is written."""
    table = np.arange(120.0).reshape(40, 3)
    np.savetxt(tmp_path / "a.csv", table, delimiter=",", header="a,b,y", comments="")
    (tmp_path / "g.bnf").write_text("<e> ::= (<e> + <e>) | a | b\n")
    path = tmp_path / "run.yaml"
    path.write_text("data: a.csv\ngrammar: g.bnf\npopulation: 40\ngenerations: 50\noutput: out\ncheckpoint: 1\n")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")

    def best(run):
        with run:
            while run.advance():
                pass
            assert run.info()["stop_reason"] == "generations" and run.history()["generation"].tolist() == [0, 1, 2, 3]
            return run.best(run.leader())

    X, y, settings = table[:, :2], table[:, 2], {"population": 40, "generations": 3}
    other = "<e> ::= (<e> * <e>) | a | b\n"
    for grammar in (None, other):
        same = best(grampus.Run(settings, X, y, names=["a", "b"], grammar=grammar or str(tmp_path / "g.bnf")))
        assert best(grampus.Run.from_file(path, generations=3, grammar=grammar)).phenotype == same.phenotype
    assert best(grampus.Run.from_file(str(path), generations=3, grammar="", genotype="tree")).genome is None
    assert sorted(os.listdir(tmp_path)) == ["a.csv", "elsewhere", "g.bnf", "run.yaml"] and not os.listdir(".")
    for more, said in (
        ({"max_nodes": "x"}, "max-nodes is 'x'; expected"), ({"nonsense": 1}, "unknown key 'nonsense'"),
        ({"data": "a.csv"}, "a.csv: No such file"),  # of a keyword it is relative to where we are
    ):  # fmt: skip
        with pytest.raises(_library.BadInput, match=said):
            grampus.Run.from_file(path, **more)
    path.write_text("data: a.csv\nnonsense: 1\n")
    with pytest.raises(_library.BadInput, match="run.yaml:2:1: .*nonsense"):
        grampus.Run.from_file(path)
    for nothing in (None, "a\0b", 3.5):
        with pytest.raises(_library.BadInput, match="^run file: .*; expected a path"):
            grampus.Run.from_file(nothing)


def test_library_that_is_named(monkeypatch, tmp_path):
    """A path that was mistyped had the library of the package taken for it, without a word."""
    there = _library._find()
    monkeypatch.setattr(_library.os.path, "exists", lambda place: True)  # as in an installed package
    for wrong in tmp_path / "libgrampus.so", tmp_path:
        monkeypatch.setenv("GRAMPUS_LIBRARY", str(wrong))
        with pytest.raises(ImportError, match="^GRAMPUS_LIBRARY: no file %s; expected" % re.escape(str(wrong))):
            _library._find()
    shutil.copy(there, tmp_path / "libgrampus.so")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRAMPUS_LIBRARY", "libgrampus.so")
    assert _library._find() == str(tmp_path / "libgrampus.so")
    monkeypatch.setenv("GRAMPUS_LIBRARY", "")
    assert os.path.dirname(_library.__file__) in _library._find()

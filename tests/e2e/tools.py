#!/usr/bin/env python3
"""tools/torus, tools/cards, tools/compare-ponyge2 and tools/python/licenses from outside: their pictures and rows, what they say
of options that do not do, and the licences in a wheel.

    GRAMPUS=build/grampus tests/e2e/tools.py"""
import base64
import glob
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tests"))

from program import find_program

GRAMPUS = find_program()
passed = failed = 0
TORUS = """target-expression: x * x + y
variables: x, y = uniform(-1, 1)
train-cases: 30
genotype: tree
functions: +, *
topology: torus
deme-width: 6
deme-height: 5
generations: 4
dump-every: 2
quiet: true
"""


def expect(what, right):
    global passed, failed
    passed, failed = passed + bool(right), failed + (not right)
    if not right:
        print("FAILED:", what)


def run(*command):
    done = subprocess.run([sys.executable, *command] if command[0] != GRAMPUS else command, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def torus(folder, picture, *more):
    return run(os.path.join(ROOT, "tools", "torus"), folder, "--picture", picture, *more)


def test_torus():
    with open("torus.yaml", "w", encoding="utf-8") as file:
        file.write(TORUS)
    alike = ("--functions", "+", "--constants", "1", "--constant-probability", "1", "--max-nodes", "1", "--max-depth", "1",
             "--init-max-depth", "1", "--init-min-depth", "1", "--generations", "0")
    for output, more in (("drawn", ()), ("alike", alike)):
        code, out, error = run(GRAMPUS, "run", "torus.yaml", "--output", output, *more)
        expect(f"run {output}: {error}", code == 0)
    folder, same = glob.glob("drawn/torus/*")[0], glob.glob("alike/torus/*")[0]
    code, out, error = torus(folder, "no/where.png")
    expect(f"a folder that is not there: {error}", code == 1 and error.startswith("tools/torus: ") and error.count("\n") == 1)
    for arguments, said in (((folder, "x.pdf"), "expected a name that ends in"), ((folder, "x.png", "--generation", "3"), "there are 0, 2, 4"),
                            (("nowhere", "x.png"), "nowhere/run.yaml")):
        code, out, error = torus(*arguments)
        expect(f"torus {arguments}: {error}", code == 1 and said in error and error.count("\n") == 1)
    if not shutil.which("gnuplot"):
        print("ok - pictures # skipped: no gnuplot")
        return
    os.mkdir("it's here")
    for of, picture in ((folder, "plain.svg"), (folder, "plain.gif"), (folder, "it's here/a picture.svg"), (same, "one.svg")):
        code, out, error = torus(of, picture)
        expect(f"torus {picture}: {error}", code == 0 and "best of generation" in out and os.path.getsize(picture) > 2000)
        expect(f"torus {picture}: no warning: {error}", picture.endswith("gif") or not error)
    with open("plain.tsv", encoding="utf-8") as file:
        cells = [line for line in file.read().split("\n\n")[0].splitlines() if not line.startswith("#")]
    expect("torus: a row a cell", len(cells) == 30 and cells[7].startswith("1\t1\t"))


def test_cards():
    cards = [os.path.join(ROOT, "tools", "cards"), "--grampus", GRAMPUS, "--members", "--quick", "--row", "batch"]
    code, out, error = run(*cards, "--cards", "1,2", "--repeats", "1")
    expect(f"cards: {error}", code == 0 and [line.split()[:2] for line in out.splitlines()[1:]] == [["batch", "1"], ["batch", "2"]])
    for more in (("--cards", "1,x"), ("--cards", "0"), ("--cards", ""), ("--repeats", "0"), ("--repeats", "-1")):
        code, out, error = run(*cards, *more)
        expect(f"cards {more}: {error}", code == 2 and "expected" in error and "Traceback" not in error and not out)


def test_compare_ponyge2():
    tool = os.path.join(ROOT, "tools", "compare-ponyge2")
    shutil.copytree(os.path.join(ROOT, "problems", "ponyge2"), os.path.join("problems", "ponyge2"))
    code, out, error = run(tool, "--grampus", GRAMPUS, "--runs", "1")
    rows = [line.split("|")[1:-1] for line in out.splitlines()[2:]]
    expect(f"compare-ponyge2: {error}", code == 0 and [row[0].strip() for row in rows] == ["Vladislavleva-4", "Pagie-1", "Keijzer-6"])
    expect("compare-ponyge2: probabilities", all(float(row[3]) <= 1 and float(row[6]) <= 1 for row in rows))
    code, out, error = run(tool, "--grampus", GRAMPUS, "--runs", "x")
    expect(f"compare-ponyge2 --runs x: {error}", code == 2 and "Traceback" not in error)
    if shutil.which("gnuplot"):
        code, out, error = run(tool, "--grampus", GRAMPUS, "--runs", "1", "--picture", "no/where.svg")
        expect(f"compare-ponyge2 in no folder: {error}", code == 1 and "expected a folder that is there" in error and not out)
        code, out, error = run(tool, "--grampus", GRAMPUS, "--runs", "1", "--picture", "it's one.svg")
        expect(f"compare-ponyge2: a picture: {error}", code == 0 and os.path.getsize("it's one.svg") > 2000)


def test_licenses():
    """A wheel as auditwheel leaves it: every library in it has a licence, or the tool fails and leaves it as it was."""
    tool, info = os.path.join(ROOT, "tools", "python", "licenses"), "x-1.dist-info/"
    contents = {"x/libx.so": "", "x.libs/libyaml-0-8ec1a697.so.2.0.9": "", info + "licenses/LICENSE": "ours", info + "RECORD": "x/libx.so,,\n"}

    def wheel(name, more):
        with zipfile.ZipFile(name, "w") as file:
            for entry, text in {**contents, **more}.items():
                file.writestr(entry, text)

    wheel("x.whl", {})
    code, out, error = run(tool, "--check", "x.whl")
    expect(f"licenses: a library without: {error}", code == 1 and "2 without a licence: libyaml-0.so.2.0.9" in error and "random123" in error)
    wheel("unknown.whl", {"x.libs/libnobodys-01234567.so.3": ""})
    with open("unknown.whl", "rb") as file:
        before = file.read()
    code, out, error = run(tool, "unknown.whl")
    with open("unknown.whl", "rb") as file:
        expect(f"licenses: of no package: {error}", code == 1 and error.count("\n") == 1 and "no licence of lib" in error and before == file.read())
    code, out, error = run(tool, "no.whl")
    expect(f"licenses: no wheel: {error}", code == 1 and error.count("\n") == 1 and "no.whl" in error)
    owned = shutil.which("dpkg-query") and all(subprocess.run(["dpkg-query", "-S", path], capture_output=True).returncode == 0
                                               for path in ("*/libyaml-0.so.2.0.9", "/usr/include/Random123/philox.h"))
    if not owned:
        return
    for _ in range(2):  # the second time they are there
        code, out, error = run(tool, "x.whl")
        with zipfile.ZipFile("x.whl") as file:
            names, record = file.namelist(), file.read(info + "RECORD").decode().splitlines()
            text = file.read(info + "licenses/libyaml-0.txt")
        digest = base64.urlsafe_b64encode(hashlib.sha256(text).digest()).decode().rstrip("=")
        expect(f"licenses: {error}{names}", code == 0 and b"Permission is hereby granted" in text and len(names) == len(contents) + 2 == len(set(names)))
        expect(f"licenses: {record}", f"{info}licenses/libyaml-0.txt,sha256={digest},{len(text)}" in record and len(record) == 3)
    code, out, error = run(tool, "--check", "x.whl")
    expect(f"licenses: then all have one: {error}", code == 0 and not error)


with tempfile.TemporaryDirectory() as place:
    os.chdir(place)
    test_torus()
    test_cards()
    test_compare_ponyge2()
    test_licenses()
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)

"""Runs that choose one program of many, for e2e/front.py and e2e/choice.py: what they tell of, and the criteria again."""
import json
import math
import os
import re
import subprocess
import sys
import tempfile

from program import find_program

GRAMPUS = find_program()
SANITIZE = bool(os.environ.get("SANITIZE"))  # they look at code, which is the same for all seeds
PROBLEM = """target-expression: x * x * x + x * y - sin(x)
variables: x, y = uniform(-2, 2)
train-cases: 300
test-cases: 100
constant-probability: 0.3
generations: 25
population: 300
"""
TREE = PROBLEM + "genotype: tree\nfunctions: +, -, *, /, sin\n"
FAILED = []


def check(what, good, why=""):
    FAILED.extend([what] * (not good))
    print(("ok - " if good else "not ok - ") + what + ("" if good else f": {why}"))


def run(folder, text, *options):
    """The folder of the results."""
    with open(os.path.join(folder, "run.yaml"), "w") as out:
        out.write(text)
    output = tempfile.mkdtemp(dir=folder)
    done = subprocess.run([GRAMPUS, "run", "run.yaml", "--quiet", "--output", output, *options], cwd=folder,
                          capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode not in (0, 3):
        raise RuntimeError(done.stderr)
    return next(f for f, _, files in os.walk(output) if "best.json" in files)


def seeds(count):
    return range(1, 2 if SANITIZE else count + 1)


def read(home):
    with open(os.path.join(home, "front.tsv")) as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    with open(os.path.join(home, "best.json")) as file:
        return rows[0], [dict(zip(rows[0], row)) for row in rows[1:]], json.load(file)


def good_front(name, home, objectives, maximised=()):
    head, rows, best = read(home)
    check(f"{name}: columns", head[:len(objectives)] == objectives and head[-1] == "expression", head)
    values = [[-float(r[k]) if k in maximised else float(r[k]) for k in objectives] for r in rows]
    beaten = [i for i, v in enumerate(values) for w in values
              if v is not w and all(a <= b for a, b in zip(w, v))]
    check(f"{name}: {len(rows)} members, of which none covers another", rows and not beaten, beaten)
    sizes = [int(r["size"]) for r in rows]
    check(f"{name}: by rising size", sizes == sorted(sizes), sizes)
    listed = [(m["infix"], m["size"]) for m in best["front"]]
    check(f"{name}: the same in best.json", listed == [(r["expression"], int(r["size"])) for r in rows], listed)
    check(f"{name}: no error differs computed again", not any(m["recomputed_differs"] for m in best["front"]))
    chosen = [r for r in rows if r["chosen"] == "1"]
    check(f"{name}: one is chosen, and is the best", len(chosen) == 1 and chosen[0]["expression"] == best["infix"], chosen)
    return rows, best


def best_of(home):
    with open(os.path.join(home, "best.json")) as file:
        return json.load(file)


def told_of(home, name):
    """(error, expression) of the valid ones of run 0 in a dump."""
    with open(os.path.join(home, name)) as file:
        rows = [line.rstrip("\n").split("\t") for line in file][1:]
    return [(float(r[3]), r[7]) for r in rows if r[0] == "0" and r[4] == "valid" and math.isfinite(float(r[3]))]


def good_origin(name, home, how, seed):
    """Of a run that dumped every generation: "found in generation N" is the first that has the program; where one was chosen
    of the last generation, the report says so. Whether it was."""
    best, first = best_of(home), 0
    while best["infix"] not in [e for _, e in told_of(home, f"population_{first}.tsv")]:
        first += 1
    with open(os.path.join(home, "best.txt")) as file:
        line = next(line.rstrip("\n") for line in file if line.startswith("found "))
    chosen = line.startswith("found       chosen ")
    told = f"{how} of generation {best['generations']}" if chosen else f"in generation {first}"
    check(f"{name}, seed {seed}: found {told}", line.removesuffix("; chosen by bic") == f"found       {told} with seed {seed}" and
          best["generation"] == (best["generations"] if chosen else first), (line, best["generation"], first))
    return chosen


def nodes_of(expression):
    """Names, numbers and the operators between them, around which there are blanks."""
    return len(re.findall(r"[A-Za-z_]\w*|\d+\.?\d*(?:e[-+]?\d+)?", expression)) + len(re.findall(r" [-+*/] ", expression))


def schwarz(rmse, nodes, cases=300, tried=1):
    """`tried`: programs that were evaluated; from a million on they make a node cost more."""
    if nodes > cases:
        return math.inf
    parameters = max(0.7, 0.115 * math.log10(tried)) * nodes
    return cases * math.log(max(rmse * rmse, sys.float_info.min)) + parameters * math.log(cases)

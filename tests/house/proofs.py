#!/usr/bin/env python3
"""What tests/prove.py makes of what a test says: only what ended well and counted something is kept; and the tests that the
proofs name are there. Python's standard library only."""
import contextlib
import io
import os
import re
import sys
import tempfile
import types

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tests"))
import prove

WORDS = (r"^# (\d+) runs", "{} runs")
failed = 0


def check(what, good):
    global failed
    failed += not good
    print(f"{'ok' if good else 'not ok'} - {what}")


def proof(name, command, figure=WORDS):
    return prove.Proof(name, f"`{name}`", command, 10, figure)


def verdicts(build):
    cases = [("kept", "echo '# {n} runs'", "| 10 runs | yes |"),
             ("failed", "echo 'ok - a'; echo 'not ok - b: why'; echo '# {n} runs'; exit 1", "| 10 runs | **no** |"),
             ("silent", "echo nothing", "| no figure | **not run**, nothing was counted |"),
             ("none", "echo '# 0 runs'", "| 0 runs | **not run**, nothing was counted |"),
             ("no device", "echo 'ok - all # skipped: no GPU'", "| no figure | **not run**: all: no GPU |"),
             ("in part", "echo '# 3 runs'; echo 'ok - b # skipped: no disk'", "| 3 runs | yes, but 1 not run: b: no disk |")]
    proofs = [proof(name, command) for name, command, _ in cases]
    checks = proof("lines", "echo 'ok - a'; echo 'ok - b # skipped: no'; echo 'ok - c'", (r"^(?:(ok)|(not ok)) - ", "{} good, {} not"))
    options = types.SimpleNamespace(build=build, quick=False, scale=1.0, together=1, gpu=False)
    with contextlib.redirect_stdout(io.StringIO()) as shown:
        failures, missing = prove.run(proofs[:3], proofs + [checks], "page", options)
    check("what was wrong is shown behind its row", re.search(r"\*\*no\*\* \| \d+ s \|\nnot ok - b: why\n", shown.getvalue()) is not None)
    check("what failed and what did not run is counted", (failures, missing) == (1, 1))
    with open(os.path.join(build, "page.md")) as page:
        check("what was not run yet is said as such", "| no device | `no device` |  | **not run** |  |" in page.read())
    prove.run(proofs[3:] + [checks], proofs + [checks], "page", options)
    with open(os.path.join(build, "page.md")) as page:
        said = page.read()
    for name, _, row in cases:
        check(f"{name}: {row}", f"| {name} | `{name}` {row}" in said)
    check("lines of what was skipped count as nothing", "| 2 good, 0 not | yes, but 1 not run: b: no |" in said)


def dealt():
    """Four proofs over two GPUs, two of them wanting one for themselves."""
    cards = prove.Cards(["0", "1"], 2)
    check("what is shared goes to the first", [cards.take(False), cards.take(False)] == ["0", "0"])
    check("what wants one for itself gets the last", cards.take(True) == "1")
    check("which then nobody gets", cards.free(True) is None and cards.free(False) == "0")
    cards.give_back("1", True)
    check("but the next", cards.take(True) == "1")
    cards.give_back("1", True)
    check("when all of these are done, it is shared", cards.take(False) == "1")
    one = prove.Cards(["3"], 1)
    one.take(False)
    check("of one GPU nobody has it to himself while it is shared", one.free(True) is None)
    one.give_back("3", False)
    check("then one has it, and nobody else", one.take(True) == "3" and one.free(False) is None)


def files():
    for p in prove.PROOFS + prove.GPU_PROOFS:
        named = set(re.findall(r"(?:tests|tools)/[\w/]+\.(?:py|sh|c)\b", p.command + p.test))
        check(f"{p.test}: its files are there", named and all(os.path.exists(os.path.join(ROOT, name)) for name in named))


with tempfile.TemporaryDirectory() as folder:
    verdicts(folder)
dealt()
files()
sys.exit(failed > 0)

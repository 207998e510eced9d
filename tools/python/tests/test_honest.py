"""tools/honest-errors: agrees with runs that tell the truth, and names one that does not."""
import json
import os
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("pandas")
HERE = os.path.dirname(__file__)
TOOL = os.path.join(HERE, "..", "..", "honest-errors")
LIAR = """#!%s
import json, os, sys
folder = sys.argv[sys.argv.index("--output") + 1]
told = json.load(open("told.json"))
print("data: 2 inputs, 60 training and 20 test cases")
json.dump(told, open(os.path.join(folder, "best.json"), "w"))
"""


def honest(folder, *arguments):
    command = [sys.executable, TOOL, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


@pytest.fixture
def plane(tmp_path):
    X = np.random.RandomState(0).uniform(1, 2, (80, 2))
    table = np.column_stack([X, 3 * X[:, 0] - np.log(X[:, 1])])
    np.savetxt(tmp_path / "plane.csv", table, delimiter=",", header="a,b,y", comments="")
    return tmp_path


def test_runs_of_the_program_agree(plane):
    program = os.environ.get("GRAMPUS") or os.path.join(HERE, "..", "..", "..", os.environ.get("BUILD", "build"), "grampus")
    if not os.path.exists(program):
        pytest.skip("no %s" % program)
    settings = ["--preset", "regression", "--population", "100", "--generations", "5", "--device", "cpu"]
    done = honest(plane, "--grampus", program, "--seeds", "3", "--jobs", "2", "--json", "runs.json", "plane.csv", "--", *settings)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("3 of 3 runs agree\n") and "| plane | 3 | 3 | 0 |" in done.stdout
    runs = [json.loads(line) for line in open(plane / "runs.json")]
    assert [run["seed"] for run in runs] == [1, 2, 3] and all(run["evaluated"] > 0 for run in runs)


@pytest.mark.parametrize("by, part", [(0.0, None), (1e-5, None), (0.1, "train"), (0.1, "test"), (-1.0, "train")])
def test_a_lie_is_found(plane, by, part):
    """What a stand-in reports of the program 3 * x0, whose errors are known: the truth, rounding, and lies, 0 among them."""
    (plane / "liar").write_text(LIAR % sys.executable)
    (plane / "liar").chmod(0o755)
    table = np.loadtxt(plane / "plane.csv", delimiter=",", skiprows=1)[np.random.RandomState(1).permutation(80)]
    error = (3 * table[:, 0] - table[:, 2]) ** 2
    told = {"infix": "3.0 * x0", "executed_node_evaluations": 1}
    for name, at in (("train", slice(0, 60)), ("test", slice(60, None))):
        told["fitness" if name == "train" else "test_fitness"] = np.sqrt(error[at].mean()) * (1 + by * (part in (None, name)))
    (plane / "told.json").write_text(json.dumps(told))
    done = honest(plane, "--grampus", str(plane / "liar"), "--seeds", "1", "plane.csv")
    if part is None:
        assert done.returncode == 0, done.stdout + done.stderr
    else:
        assert done.returncode == 1 and "plane, seed 1: %s " % part in done.stdout and done.stdout.endswith("0 of 1 runs agree\n")


def test_what_rounding_decides_is_told_apart(plane):
    """sin(exp(40 * x0)): the last place of exp is whole turns. Its error is nobody's; but one far from all is wrong."""
    (plane / "liar").write_text(LIAR % sys.executable)
    (plane / "liar").chmod(0o755)
    table = np.loadtxt(plane / "plane.csv", delimiter=",", skiprows=1).astype(np.float32)[np.random.RandomState(1).permutation(80)]
    big = np.nextafter(np.exp(np.float32(40) * table[:, 0]), np.float32(np.inf))
    error = (np.sin(big.astype(float)) - table[:, 2]) ** 2
    for by, verdict in ((0.0, "of rounding"), (-1.5, "train ")):
        told = {"infix": "sin(exp(40.0 * x0))", "executed_node_evaluations": 1}
        told["fitness"], told["test_fitness"] = np.sqrt(error[:60].mean()) + by, np.sqrt(error[60:].mean())
        (plane / "told.json").write_text(json.dumps(told))
        done = honest(plane, "--grampus", str(plane / "liar"), "--seeds", "1", "plane.csv")
        assert done.returncode == (1 if by else 0), done.stdout + done.stderr
        assert "plane, seed 1: " in done.stdout and verdict in done.stdout and done.stdout.endswith("0 of 1 runs agree\n")


def test_refusals(plane):
    for arguments, said in ((["nowhere.csv"], "nowhere.csv"), (["--grampus", "nowhere/grampus", "plane.csv"], "nowhere/grampus: no program")):
        done = honest(plane, *arguments)
        assert done.returncode == 1 and done.stderr.startswith("honest-errors: ") and said in done.stderr and done.stderr.count("\n") == 1
    for option in ("--metric=mae", "--validation-fraction", "--weights", "--split", "--train-rows"):  # these are no lies
        done = honest(plane, "--grampus", sys.executable, "plane.csv", "--", option, "0")
        assert done.returncode == 2 and "changes which errors a run reports; expected" in done.stderr, done.stderr
    for option in ("--seeds", "--jobs"):
        done = honest(plane, option, "0", "plane.csv")
        assert done.returncode == 2 and "expected a whole number from 1 on" in done.stderr


def test_without_numpy(plane):
    (plane / "numpy.py").write_text("raise ImportError('none', name='numpy')\n")
    for arguments, code, said in ((["--help"], 0, ""), (["plane.csv"], 1, "honest-errors: no numpy here; expected it to be installed (pip install numpy pandas scikit-learn)\n")):
        done = subprocess.run([sys.executable, TOOL, *arguments], cwd=plane, env={**os.environ, "PYTHONPATH": str(plane)}, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (code, said), done.stdout + done.stderr

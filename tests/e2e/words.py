#!/usr/bin/env python3
"""Numbers that a program goes by and the training data give: of words, and of classes. best.json has the words and a checksum of
the file: predict goes by these words where the file is another one or gone, and refuses another one where classes come from it;
validation cases are no training cases to it."""
import glob
import json
import os
import subprocess
import sys
import tempfile
import zlib

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tests"))

from checking import FAILED, check
from program import find_program

GRAMPUS = find_program()
WORDS = "color,y\nred,1\nred,1\nred,1\nblue,5\nblue,5\ngreen,9\n"


def grampus(*arguments):
    return subprocess.run([GRAMPUS, *arguments], capture_output=True, text=True)


def write(name, text):
    with open(name, "w") as file:
        file.write(text)


def run(to, *arguments):
    """The results' folder and best.json."""
    done = grampus("run", *arguments, "--device", "cpu", "--quiet", "--output", to)
    if done.returncode:
        sys.exit(f"not ok - run {arguments}: {done.stderr}")
    home = glob.glob(os.path.join(to, "*", "*"))[0]
    with open(os.path.join(home, "best.json")) as file:
        return home, json.load(file)


def words_of_inputs():
    write("t.csv", WORDS)
    write("new.csv", "color\nred\nblue\ngreen\n")
    home, best = run("words", "--data", "t.csv", "--categories", "--genotype", "tree", "--generations", "20", "--population", "200",
                     "--linear-scaling")
    check("words of an input, by number", best["words"] == {"color": ["red", "blue", "green"]}, best.get("words"))
    check("the checksum of the file", best["data_crc32"] == f"{zlib.crc32(WORDS.encode()):08x}", best["data_crc32"])
    done = grampus("predict", home, "--data", "new.csv")
    check("words as in training", [round(float(x), 3) for x in done.stdout.split()] == [1, 5, 9], done.stdout + done.stderr)
    write("t.csv", WORDS + "green,9\n" * 4)
    write("newer.csv", "id,color\n7,green\n8,pink\n9,red\n")
    done = grampus("predict", home, "--data", "newer.csv")
    check("a file with more rows, in which green is the most frequent: words as they were",
          [round(float(x), 3) for x in done.stdout.split()][::2] == [9, 1], done.stdout + done.stderr)
    check("a new word is told of", done.returncode == 0
          and done.stderr == "newer.csv: words of column 2 that training has not, in 1 row, are -1\n", done.stderr)
    many = "word,y\n" + "".join(f"w{x},{x}\n" for x in range(1001))
    write("many.csv", many)
    other, best = run("many", "--data", "many.csv", "--categories", "--genotype", "tree", "--generations", "2", "--population", "50")
    check("too many words for best.json", best["words"] == {}, best["words"])
    write("many.csv", many + "w3,4\n")
    done = grampus("predict", other, "--data", "many.csv")
    check("then another file is refused", done.returncode == 2 and not done.stdout, done.stderr)
    done = grampus("report", home, "--output", "page")
    check("a report says so", done.returncode == 0 and done.stderr.startswith("the data of 1 of 1 folder are not what they were "),
          done.stderr)
    os.rename("t.csv", "elsewhere.csv")
    done = grampus("predict", home, "--data", "new.csv")
    check("a file that is gone: as they were", [round(float(x), 3) for x in done.stdout.split()] == [1, 5, 9] and not done.stderr,
          done.stdout + done.stderr)


def words_of_the_target():
    write("c.csv", "x,kind\n" + "-1,no\n-2,no\n-3,no\n1,yes\n2,yes\n")
    arguments = ("--data", "c.csv", "--categories", "--genotype", "tree", "--generations", "9", "--population", "100",
                 "--metric", "misclassified", "--preset", "none")
    home, best = run("labels", *arguments)
    check("words of the target, by number", best["words"] == {"kind": ["no", "yes"]} and best["fitness"] == 0, best.get("words"))
    write("n.csv", "x\n-5\n5\n")
    check("labels", grampus("predict", home, "--data", "n.csv").stdout == "no\nyes\n")
    write("c.csv", "x,kind\n" + "1,yes\n2,yes\n3,yes\n-1,no\n-2,no\n")
    done = grampus("predict", home, "--data", "n.csv")
    check("words that have changed places", done.returncode == 2 and not done.stdout, done.stdout)
    write("r.csv", "x,y\n1,2\n2,4\n3,6\n4,8\n")
    home, best = run("plain", "--data", "r.csv", "--genotype", "tree", "--generations", "5", "--population", "100")
    write("r.csv", "x,y\n1,2\n")
    check("a regression of numbers takes none", "data_crc32" not in best and grampus("predict", home, "--data", "r.csv").returncode == 0)


def validated():
    """The only case of the highest class is set aside: training has two classes, to predict as well."""
    rows = ["-1,0", "-1.1,0", "-0.9,0", "-1.2,0", "1,1", "1.1,1", "0.9,1", "1.2,1"]
    write("d.csv", "\n".join(["x,t", *rows, "3,2"]) + "\n")
    write("d8.csv", "\n".join(["x,t", *rows]) + "\n")
    home, best = run("validated", "--data", "d.csv", "--genotype", "tree", "--functions", "+, -", "--constant-probability", "0.3",
                     "--population", "20", "--generations", "5", "--metric", "misclassified", "--validation-fraction", "0.12",
                     "--data-seed", "24", "--class-rule", "nearest", "--max-nodes", "40")
    told = json.loads(grampus("predict", home, "--data", "d8.csv", "--json").stdout)
    check("classes without those of validation", best["fitness"] == 0 and told["predictions"] == [0] * 4 + [1] * 4
          and told["fitness"] == 0, (best["fitness"], told))


def no_way_to_search():
    """What no result depends on leaves the preset as it is."""
    write("p.csv", "x,y\n" + "".join(f"{x / 10},{x * x / 100 + 1}\n" for x in range(20)))
    arguments = ("--data", "p.csv", "--generations", "3", "--seed", "4")
    _, best = run("alone", *arguments)
    for more in (["--evaluate-once", "off"], ["--fitness-memory", "1000"], ["--find-law"], ["--tolerance", "0.1"]):
        _, other = run("with" + more[0], *arguments, *more)
        check(f"{more[0]}: the same program", all(other[of] == best[of] for of in ("infix", "fitness", "generation")),
              (other["infix"], best["infix"]))


with tempfile.TemporaryDirectory() as FOLDER:
    os.chdir(FOLDER)
    words_of_inputs()
    words_of_the_target()
    validated()
    no_way_to_search()
sys.exit(bool(FAILED))

#!/usr/bin/env python3
"""Diversity in statistics.tsv against a plain count over the dumped populations: genotypes, sentences, fitness values
and their entropy of every generation and run; children like a parent, where that is known. Python's standard library
only."""
import collections
import csv
import glob
import math
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tests"))

from program import find_program

GRAMPUS = find_program()
RUN = """target-expression: x*x*x + x
variables: x = uniform(-1, 1)
train-cases: 30
population: 40
generations: 5
metric: mae
"""
# Sentences that several derivations have, and numbers that are read off codons.
GRAMMARS = {
    "plain.bnf": "<e> ::= (<e> <o> <e>) | <v> | 1.0\n<o> ::= + | - | *\n<v> ::= x\n",
    "twice.bnf": "<e> ::= <e>+<e> | x+<e> | x | (<e>)*(<e>) | 1<d> | <d>\n<d> ::= 1 | 2 | 11 | <GECodonValue[0,12]> | "
                 "<GECodonValue[0.00,1.00]>\n",
}
KINDS = [
    ("genomes", ["--grammar", "plain.bnf"]),
    ("texts", ["--grammar", "twice.bnf", "--population", "150", "--initialisation", "uniform", "--genome-length", "9"]),
    ("wraps", ["--grammar", "twice.bnf", "--max-wraps", "2", "--codon-consumption", "lazy", "--threads", "2"]),
    ("runs", ["--grammar", "plain.bnf", "--runs", "3", "--target-fitness", "0.16"]),
    ("islands", ["--grammar", "plain.bnf", "--islands", "3", "--runs", "2", "--migration-every", "2"]),
    ("pi", ["--grammar", "twice.bnf", "--mapping", "pi"]),
    ("lists", ["--grammar", "twice.bnf", "--genotype", "structured", "--max-genome-length", "60"]),
    ("trees", ["--genotype", "tree", "--constant-probability", "0.3", "--constant-mutation", "0.3"]),
    ("steady", ["--grammar", "plain.bnf", "--replacement", "steady-state", "--children-per-step", "15"]),
    ("one", ["--grammar", "plain.bnf", "--population", "1"]),
    ("two", ["--genotype", "tree", "--population", "2", "--metric", "hits"]),
    ("copies", ["--grammar", "plain.bnf", "--crossover", "none", "--codon-mutation", "0"]),
]


def table(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def same(text, value):
    return text == "nan" if math.isnan(value) else abs(float(text) - value) < 1e-6


def counted(rows):
    """The columns, from the individuals."""
    valid = [row for row in rows if row["validity"] == "valid"]
    fitness = collections.Counter(float(row["fitness"]) + 0.0 for row in valid if math.isfinite(float(row["fitness"])))
    n = sum(fitness.values())
    return {"genotypes": len({row["genotype"] for row in rows}), "phenotypes": len({row["phenotype"] for row in valid}),
            "fitnesses": len(fitness),
            "fitness_entropy": -sum(c / n * math.log2(c / n) for c in fitness.values()) if n else math.nan}


def check(kind, folder):
    statistics, wrong, before = table(os.path.join(folder, "statistics.tsv")), [], {}
    ever = collections.defaultdict(set)
    checked = 0
    for generation in sorted({int(row["gen"]) for row in statistics}):
        people = collections.defaultdict(list)
        for row in table(os.path.join(folder, f"population_{generation}.tsv")):
            people[row["run"]].append(row)
        for row in statistics:
            if int(row["gen"]) != generation:
                continue
            own = people[row["run"]]
            ever[row["run"]] |= {one["phenotype"] for one in own if one["validity"] == "valid"}
            if kind != "steady" and float(row["phenotypes_ever"]) != len(ever[row["run"]]):
                wrong.append(f"run {row['run']}, generation {generation}: phenotypes_ever {row['phenotypes_ever']}, "
                             f"counted {len(ever[row['run']])}")
            for column, value in counted(own).items():
                if kind == "islands" and generation in (2, 4):  # written behind a migration, counted before
                    continue
                checked += 1
                if not same(row[column], value):
                    wrong.append(f"run {row['run']}, generation {generation}: {column} {row[column]}, counted {value}")
            known = before.get(row["run"], set())
            like = float(row["like_parent"])
            if generation and kind == "copies" and like != 1:
                wrong.append(f"generation {generation}: like_parent {like} of copies")
            # an individual more or less: the elite is none of the children
            most = (sum(one["genotype"] in known for one in own) + 1) / max(1, len(own) - 1)
            if generation and kind not in ("steady", "islands", "one", "two") and like > most:
                wrong.append(f"generation {generation}: like_parent {like}, at most {most}")
        before = {run: {one["genotype"] for one in own} for run, own in people.items()}
    return wrong, checked


def run(folder, *options):
    done = subprocess.run([GRAMPUS, "run", "run.yaml", "--quiet", "--output", folder, "--diversity", *options],
                          capture_output=True, text=True, check=False)
    return done.stderr if done.returncode else "", (glob.glob(f"{folder}/run/*") or [""])[0]


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        for name, text in {**GRAMMARS, "run.yaml": RUN}.items():
            with open(name, "w", encoding="utf-8") as file:
                file.write(text)
        for kind, options in KINDS:
            error, folder = run(kind, "--dump-every", "1", *options)
            if error:
                failed += 1
                print(f"not ok - diversity: {kind}: {error}")
                continue
            wrong, checked = check(kind, folder)
            # the same from a visit of the host to the next
            with open(os.path.join(folder, "statistics.tsv"), encoding="utf-8") as file:
                first = [line.rsplit("\t", 1)[0] for line in file]
            error, folder = run(f"{kind}-whole", *options)
            with open(os.path.join(folder, "statistics.tsv"), encoding="utf-8") as file:
                if first != [line.rsplit("\t", 1)[0] for line in file]:
                    wrong.append("other rows without dumps")
            wrong += [] if checked else ["nothing to compare"]
            failed += bool(wrong)
            print(f"{'not ok' if wrong else 'ok'} - diversity: {kind}, {checked} numbers" +
                  "".join(f"\n#   {line}" for line in wrong[:5]))
        _, folder = run("first", "--grammar", "plain.bnf", "--runs", "2", "--dump-every", "2", "--dump-first", "3")
        files = sorted(name for name in os.listdir(folder) if name.startswith("population"))
        rows = [(row["run"], row["place"]) for row in table(os.path.join(folder, "population_4.tsv"))]
        good = files == [f"population_{g}.tsv" for g in (0, 2, 4, 5)] and rows == [
            (run, place) for run in "01" for place in "012"]
        failed += not good
        print(f"{'ok' if good else 'not ok'} - dumps: the first of every run, every second generation and the last")
        # taken up again: the counts come from the checkpoint
        rows = []
        for parts in (["5"], ["2", "5"]):
            _, folder = run("".join(parts), "--grammar", "plain.bnf", "--checkpoint", "1e-9", "--generations", parts[0])
            for more in parts[1:]:
                subprocess.run([GRAMPUS, "resume", folder, "--generations", more, "--quiet"], check=True)
            with open(os.path.join(folder, "statistics.tsv"), encoding="utf-8") as file:
                rows.append([line.rsplit("\t", 1)[0] for line in file])
        same_rows = rows[0] == rows[1] and len(rows[0]) == 7
        failed += not same_rows
        print(f"{'ok' if same_rows else 'not ok'} - diversity: a resumed run")
    return failed != 0


sys.exit(main())

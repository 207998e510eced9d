#!/usr/bin/env python3
"""The laws of the Feynman Symbolic Regression Database, recovered or not: many short runs of grampus side by side, a table
and a picture.

    problems/laws/laws.py [--settings problems/laws/units.yml] [--seconds 10] [--seeds 1] [--noise 0] [--jobs 1]
                          [--laws I.6.2,II.3.24] [--only tune|rest] [--out results/laws] [--option key=value ...]
    problems/laws/laws.py --settings A.yml,B.yml ...  one after the other on a law, the seconds shared out, until one is exact
    problems/laws/laws.py --judge FOLDER      judges runs that were made elsewhere
    problems/laws/laws.py --prepare FOLDER    writes data and run files alone

A law counts as recovered where SymPy finds the reported law minus the known one, or their ratio, to be constant (as
SRBench counts); `numeric` where 30 digits at 12 points say so. The laws whose number is divisible by 3 are those that
settings were tuned on; the others are counted apart."""
import argparse
import csv
import json
import math
import multiprocessing
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHARED = os.environ.get("GRAMPUS_SHARED", os.path.join(ROOT, "..", "shared"))
BASES = ("m", "s", "kg", "T", "V")
TRAINING, FRESH = 1000, 500
# The one unit of the table under which a law (I.43.16) gives another dimension than its output's: a speed by a force.
MENDED = {"mu_drift": "s^1 kg^-1"}


class Law:
    def __init__(self, number, row, units):
        self.number, self.name, self.formula, self.output = number, row["Filename"], row["Formula"], row["Output"]
        self.inputs = []  # name, low, high
        for i in range(1, 11):
            if row[f"v{i}_name"]:
                self.inputs.append((row[f"v{i}_name"], float(row[f"v{i}_low"]), float(row[f"v{i}_high"])))
        self.units = "; ".join(f"{name} = {units[name]}" for name, _, _ in self.inputs) + f"; target = {units[self.output]}"

    def tunes(self):
        return self.number % 3 == 0


def read_laws(folder):
    units = {}
    with open(os.path.join(folder, "units.csv"), encoding="utf-8") as file:
        for row in csv.DictReader(file):
            units[row["Variable"]] = " ".join(f"{b}^{row[b]}" for b in BASES if int(row[b] or 0)) or "1"
    units.update(MENDED)
    laws = []
    for name in ("FeynmanEquations.csv", "BonusEquations.csv"):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            laws += [row for row in csv.DictReader(file) if row["Filename"]]
    return [Law(number + 1, row, units) for number, row in enumerate(laws)]


# ---- data ----

NUMPY = {"exp": np.exp, "sqrt": np.sqrt, "sin": np.sin, "cos": np.cos, "tanh": np.tanh, "ln": np.log, "log": np.log,
         "arcsin": np.arcsin, "arccos": np.arccos, "pi": np.pi}


def draw(law, rng, count, outside):
    """Rows of inputs, in float as grampus reads them, and the target; where the law gives a number."""
    rows = np.empty((0, len(law.inputs) + 1))
    for _ in range(200):
        columns = []
        for _, low, high in law.inputs:
            wide = 0.5 * (high - low)
            if outside:  # beyond the range, on the side where the sign stays
                below = rng.uniform(max(low - wide, 0.5 * low) if low > 0 else low - wide, low, count)
                columns.append(np.where(rng.random(count) < 0.5, rng.uniform(high, high + wide, count), below))
            else:
                columns.append(rng.uniform(low, high, count))
        columns = [column.astype(np.float32).astype(float) for column in columns]
        with np.errstate(all="ignore"):
            y = eval(law.formula, dict(NUMPY), {name: c for (name, _, _), c in zip(law.inputs, columns)}) + 0 * columns[0]
        table = np.column_stack([*columns, y])
        rows = np.vstack([rows, table[np.isfinite(y)]])
        if len(rows) >= count:
            break
    return rows[:count]


def write_table(path, law, rows):
    with open(path, "w", encoding="utf-8") as file:
        file.write(",".join([name for name, _, _ in law.inputs] + ["target"]) + "\n")
        for row in rows:
            file.write(",".join(f"{value:.9g}" for value in row) + "\n")


def prepare(law, seed, noise, folder, asked):
    """Data and run files of one law and seed, run.yaml, run2.yaml, ...; the same data whatever the settings."""
    rng = np.random.default_rng([law.number, seed])
    train = draw(law, rng, TRAINING, False)
    test = np.vstack([draw(law, rng, FRESH, False), draw(law, rng, FRESH, True)])
    deviation = float(train[:, -1].std())
    train[:, -1] += noise * deviation * rng.standard_normal(len(train))
    os.makedirs(folder, exist_ok=True)
    write_table(os.path.join(folder, "train.csv"), law, train)
    write_table(os.path.join(folder, "test.csv"), law, test)
    for place, settings in enumerate(asked.settings.split(",")):
        write_run(law, seed, deviation if not noise else 0, folder, place, settings, asked)
    with open(os.path.join(folder, "law.json"), "w", encoding="utf-8") as file:
        json.dump({"law": law.name, "seed": seed, "noise": noise}, file)


def write_run(law, seed, deviation, folder, place, settings, asked):
    with open(settings, encoding="utf-8") as file:
        text = file.read()
    more = {"name": f"{law.name}_{seed}", "data": "train.csv", "test-data": "test.csv", "target": "target", "seed": seed,
            "time-limit": asked.seconds / len(asked.settings.split(",")), "output": "results"}
    if deviation:
        more["target-fitness"] = f"{2e-6 * deviation:.6g}"
    if "genotype: tree" not in text or "typed: true" in text:
        more["units"] = law.units
    more.update(option.split("=", 1) for option in asked.option)
    kept = [line for line in text.splitlines() if line.split(":")[0] not in more]
    with open(run_file(folder, place), "w", encoding="utf-8") as file:
        file.write("\n".join(kept) + "\n" + "".join(f"{key}: \"{value}\"\n" for key, value in more.items()))


def run_file(folder, place):
    return os.path.join(folder, f"run{place + 1 if place else ''}.yaml")


def run_once(asked, folder, place):
    done = subprocess.run([asked.grampus, "run", os.path.basename(run_file(folder, place)), "--device", asked.device, "--threads",
                           str(asked.threads), "--json", "--progress", "0"], cwd=folder, capture_output=True, text=True, check=False)
    text = done.stdout
    if done.returncode or "{" not in text:
        return {"error": done.stderr.strip().split("\n")[-1] or "nothing was written"}
    return {"settings": place, **json.loads(text[text.index("{"):])}


def is_better(one, other):
    """What is said of a law: exact before not, then what errs less on the training cases; anything before an error."""
    rank = lambda b: (not (b.get("law") or {}).get("exact"), ((b.get("law") or {}).get("training") or {"rmse": math.inf})["rmse"])
    return other is None or rank(one) < rank(other)


def run(asked, folder):
    started, best = time.monotonic(), None
    for place in range(len(asked.settings.split(","))):
        result = run_once(asked, folder, place)
        best = result if is_better(result, best) else best
        if (best.get("law") or {}).get("exact"):
            break
    wall = time.monotonic() - started
    with open(os.path.join(folder, "best.json"), "w", encoding="utf-8") as file:
        json.dump({key: best[key] for key in ("settings", "law", "infix", "fitness", "seconds", "error") if key in best} |
                  {"wall": round(wall, 3)}, file)


# ---- judging ----

def symbols_of(law):
    import sympy
    return {name: sympy.Symbol(name, real=True, positive=low >= 0) for name, low, high in law.inputs}


def parse(text, symbols):
    import sympy
    words = {**symbols, "ln": sympy.log, "arcsin": sympy.asin, "arccos": sympy.acos, "pi": sympy.pi, "sqrt": sympy.sqrt,
             "square": lambda a: a ** 2, "cube": lambda a: a ** 3, "exp": sympy.exp, "log": sympy.log, "sin": sympy.sin,
             "cos": sympy.cos, "tanh": sympy.tanh, "inv": lambda a: 1 / a, "neg": lambda a: -a, "abs": sympy.Abs}
    text = sympy.sympify(text, locals=words, rational=True, evaluate=True)
    return text


def judge_symbols(text, law, queue):
    import sympy
    symbols = symbols_of(law)
    found, known = parse(text, symbols), parse(law.formula, symbols)
    for what in (found - known, found / known):
        what = sympy.simplify(what)
        if not what.free_symbols:
            queue.put(what != 0 and what.is_finite is not False or what == 0)
            return
    queue.put(False)


def same_by_sympy(text, law, seconds=20):
    queue = multiprocessing.Queue()
    process = multiprocessing.Process(target=judge_symbols, args=(text, law, queue))
    process.start()
    process.join(seconds)
    if process.is_alive():
        process.terminate()
        process.join()
    return bool(queue.get()) if not queue.empty() else False


def same_by_numbers(text, law):
    import mpmath
    mpmath.mp.dps = 30
    words = {"ln": mpmath.log, "arcsin": mpmath.asin, "arccos": mpmath.acos, "pi": mpmath.pi, "sqrt": mpmath.sqrt,
             "square": lambda a: a ** 2, "cube": lambda a: a ** 3, "exp": mpmath.exp, "log": mpmath.log, "sin": mpmath.sin,
             "cos": mpmath.cos, "tanh": mpmath.tanh, "inv": lambda a: 1 / a, "neg": lambda a: -a, "abs": abs}
    rng = np.random.default_rng(5)
    import re
    exactly = lambda t: re.sub(r"(?<![\w.])(\d+\.?\d*(?:[eE][-+]?\d+)?)", r"mpf('\1')", t)
    words["mpf"] = mpmath.mpf
    pairs = []
    for row in draw(law, rng, 12, False):
        at = {name: mpmath.mpf(float(value)) for (name, _, _), value in zip(law.inputs, row)}
        try:
            pairs.append([eval(exactly(t), dict(words), at) for t in (text, law.formula)])
        except (ValueError, ZeroDivisionError, OverflowError, TypeError):
            return False
    def constant(values):
        return all(abs(v - values[0]) <= mpmath.mpf(10) ** -20 * max(abs(values[0]), 1) for v in values)
    return constant([a - b for a, b in pairs]) or all(b for _, b in pairs) and constant([a / b for a, b in pairs])


def judge(law, folder):
    with open(os.path.join(folder, "law.json"), encoding="utf-8") as file:
        row = json.load(file)
    with open(os.path.join(folder, "best.json"), encoding="utf-8") as file:
        text = file.read().strip()
    best = json.loads(text[text.index("{"):]) if "{" in text else {"error": "nothing was written"}
    found = best.get("law") or {}
    row.update(number=law.number, tune=int(law.tunes()), exact=int(bool(found.get("exact"))), expression=found.get("expression", ""),
               size=found.get("size", ""), seconds=best.get("wall", best.get("seconds", "")), error=best.get("error", ""), r2="", numeric=0, sympy=0)
    row["settings"] = best.get("settings", "")
    if found:
        train = found["training"]
        row["r2"] = f"{1 - (train['rmse'] / train['deviation']) ** 2:.12g}"
        row["numeric"] = int(same_by_numbers(found["expression"], law))
        row["sympy"] = int(same_by_sympy(found["expression"], law)) if row["numeric"] or found["exact"] else 0
    return row


COLUMNS = ("number", "law", "tune", "seed", "noise", "sympy", "numeric", "exact", "seconds", "r2", "size", "expression", "error",
           "settings")


def report(rows, out):
    with open(os.path.join(out, "laws.tsv"), "w", encoding="utf-8") as file:
        file.write("\t".join(COLUMNS) + "\n")
        for row in rows:
            file.write("\t".join(str(row[c]) for c in COLUMNS) + "\n")
    for noise in sorted({row["noise"] for row in rows}):
        for tune, name in ((None, "all"), (1, "tuned on"), (0, "others")):
            some = [r for r in rows if r["noise"] == noise and tune in (None, r["tune"])]
            if some:
                print(f"noise {noise:g}, {name}: {len(some)} runs of {len({r['law'] for r in some})} laws; recovered "
                      f"{sum(r['sympy'] for r in some)} by SymPy, {sum(r['numeric'] for r in some)} by numbers; "
                      f"{sum(r['exact'] for r in some)} said to be exact, "
                      f"{sum(r['exact'] and not r['numeric'] for r in some)} of them wrongly")
    draw_picture(rows, os.path.join(out, "laws.svg"))


def draw_picture(rows, path):
    """Recovered runs over seconds, a line for every noise."""
    width, height, left, below = 640, 360, 50, 40
    most = max([float(r["seconds"] or 0) for r in rows] + [1e-3])
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
             f'<rect width="{width}" height="{height}" fill="white"/>']
    x = lambda s: left + (width - left - 20) * (math.log10(max(s, 0.01)) + 2) / (math.log10(max(most, 0.1)) + 2)
    y = lambda share: height - below - (height - below - 20) * share
    for share in (0, 0.25, 0.5, 0.75, 1):
        lines.append(f'<path d="M{left} {y(share):.1f}H{width - 20}" stroke="#ddd"/><text x="8" y="{y(share) + 4:.1f}">{share:.0%}</text>')
    for s in (0.01, 0.1, 1, 10, 100):
        if s <= most * 1.01:
            lines.append(f'<text x="{x(s):.1f}" y="{height - below + 18}" text-anchor="middle">{s:g} s</text>')
    for k, noise in enumerate(sorted({r["noise"] for r in rows})):
        some = [r for r in rows if r["noise"] == noise]
        times = sorted(float(r["seconds"]) for r in some if r["sympy"])
        path_text, colour = f"M{left} {y(0):.1f}", ("#0072b2", "#d55e00", "#009e73", "#cc79a7")[k % 4]
        for n, s in enumerate(times):
            path_text += f"H{x(s):.1f}V{y((n + 1) / len(some)):.1f}"
        lines.append(f'<path d="{path_text}H{width - 20}" fill="none" stroke="{colour}" stroke-width="2"/>'
                     f'<text x="{left + 10}" y="{20 + 16 * k}" fill="{colour}">noise {noise:g}: {len(times)} of {len(some)} runs</text>')
    lines.append(f'<text x="{width / 2}" y="{height - 6}" text-anchor="middle">seconds of a run until it ended, recovered laws</text></svg>')
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


# ---- all ----

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--settings", default=os.path.join(ROOT, "problems", "laws", "units.yml"),
                        help="a file, or several with commas between them, tried in turn")
    parser.add_argument("--grampus", default=os.path.join(ROOT, "build", "grampus"))
    parser.add_argument("--data", default=os.path.join(SHARED, "data", "feynman"))
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--noise", default="0", help="shares of the target's deviation, a list")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--laws", default="", help="names; default: all")
    parser.add_argument("--only", choices=("tune", "rest"))
    parser.add_argument("--out", default="results/laws")
    parser.add_argument("--option", action="append", default=[], help="a setting over those of the file, key=value")
    parser.add_argument("--judge", metavar="FOLDER")
    parser.add_argument("--prepare", metavar="FOLDER")
    parser.add_argument("--no-judge", action="store_true", help="only the runs; --judge counts them later, maybe elsewhere")
    asked = parser.parse_args()
    asked.grampus = os.path.abspath(asked.grampus)
    if not os.path.isdir(asked.data):
        print(f"{asked.data}: no such folder; the laws are not here")
        return 0
    laws = read_laws(asked.data)
    out = asked.judge or asked.prepare or asked.out
    names = set(asked.laws.split(",")) - {""}
    cells = [(law, seed, float(noise), os.path.join(out, f"{law.name}_{noise}_{seed}"))
             for noise in asked.noise.split(",") for seed in range(1, asked.seeds + 1) for law in laws
             if (not names or law.name in names) and asked.only in (None, "tune" if law.tunes() else "rest")]
    if not asked.judge:
        for law, seed, noise, folder in cells:
            prepare(law, seed, noise, folder, asked)
    if asked.prepare:
        return 0
    if not asked.judge:
        with ThreadPoolExecutor(asked.jobs) as pool:
            list(pool.map(lambda cell: run(asked, cell[3]), cells))
    if asked.no_judge:
        return 0
    report([judge(law, folder) for law, _, _, folder in cells if os.path.exists(os.path.join(folder, "best.json"))], out)
    return 0


if __name__ == "__main__":
    sys.exit(main())

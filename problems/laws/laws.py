#!/usr/bin/env python3
"""The laws of the Feynman Symbolic Regression Database, recovered or not: many short runs of grampus side by side, a table
and a picture.

    problems/laws/laws.py [--without-units] [--seconds 60] [--turns 1.4,7] [--seeds 1] [--noise 0] [--together 1]
                          [--device cpu] [--laws I.6.2,II.3.24] [--only tune|rest] [--out results/laws]
                          [--settings A.yml,B.yml] [--option key=value ...]
    problems/laws/laws.py --resume ...        only what has no result yet under --out
    problems/laws/laws.py --judge FOLDER      judges runs that were made elsewhere
    problems/laws/laws.py --prepare FOLDER    writes data and run files alone

Several settings take turns on a law, short ones first, until one says that it is exact or the seconds are over.
A law counts as recovered where SymPy finds the reported law minus the known one, or their ratio, to be constant (as
SRBench counts); `numeric` where 30 digits at 12 points say so. The laws whose number is divisible by 3 are those that
settings were tuned on; the others are counted apart."""
import argparse
import collections
import csv
import itertools
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
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tests"))

from program import find_program

SHARED = os.environ.get("GRAMPUS_SHARED", os.path.join(ROOT, "..", "shared"))
BASES = ("m", "s", "kg", "T", "V")
FRESH = 500
# The one unit of the table under which a law (I.43.16) gives another dimension than its output's: a speed by a force.
MENDED = {"mu_drift": "s^1 kg^-1"}


class Law:
    def __init__(self, number, row, units):
        self.number, self.name, self.formula, self.output = number, row["Filename"], row["Formula"], row["Output"]
        self.inputs = []  # name, low, high
        for i in range(1, 11):
            if row[f"v{i}_name"]:
                self.inputs.append((row[f"v{i}_name"], float(row[f"v{i}_low"]), float(row[f"v{i}_high"])))
        self.unit_of = {**{name: units[name] for name, _, _ in self.inputs}, "target": units[self.output]}

    def units(self, form):
        power = FORMS[form].power
        target = " ".join(f"{b.split('^')[0]}^{int(b.split('^')[1]) * power}" for b in self.unit_of["target"].split() if b != "1")
        return "; ".join(f"{name} = {target or '1' if name == 'target' else unit}" for name, unit in self.unit_of.items())

    def tunes(self):
        return self.number % 3 == 0


# Forms of the target that a law is looked for in: what stands on its left side, that of its unit's powers (None: it has to
# have none), and the law's right side, of the sign that the target has.
Form = collections.namedtuple("Form", "of power back")
FORMS = {
    "itself": Form(lambda y: y, 1, "{}"),
    "inverse": Form(lambda y: 1 / y, -1, "1 / ({})"),
    "square": Form(np.square, 2, "{sign}sqrt({})"),
    "inverse-square": Form(lambda y: 1 / np.square(y), -2, "{sign}1 / sqrt({})"),
    "log": Form(lambda y: np.log(np.abs(y)), 0, "{sign}exp({})"),
}


def has_form(form, y):
    """Squares and logarithms only of a target of one sign, that they can be undone; nothing infinite."""
    return form == "itself" or bool(np.all(y > 0) or np.all(y < 0))


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
    train = draw(law, rng, asked.training, False)
    test = np.vstack([draw(law, rng, FRESH, False), draw(law, rng, FRESH, True)])
    train[:, -1] += noise * float(train[:, -1].std()) * rng.standard_normal(len(train))
    os.makedirs(folder, exist_ok=True)
    if not noise:  # the search looks at some of the training cases, the test of laws at all
        test, train = np.vstack([train[asked.cases:], test]), train[:asked.cases]
    np.save(os.path.join(folder, "cases.npy"), np.vstack([train, test]))
    count = 0
    for settings, form in ways_of(asked, noise):
        if has_form(form, np.concatenate([train[:, -1], test[:, -1]])):
            write_run(law, seed, noise, (train, test), folder, count, settings, form, asked)
            count += 1
    with open(os.path.join(folder, "law.json"), "w", encoding="utf-8") as file:
        json.dump({"law": law.name, "seed": seed, "noise": noise, "ways": count}, file)


# What suits a device: islands that fill a part of a card; generations between tests of laws, which take a core some ms.
OF_DEVICE = {"cuda": {"islands": "32", "law-every": "100"}, "cpu": {"law-every": "10"}}


def ways_of(asked, noise):
    """Settings and forms of the target, those that find most first. With noise the target stays as it is."""
    files = asked.settings.split(",")
    with open(files[-1], encoding="utf-8") as file:
        last_has_units = has_units(file.read())
    ways = [(file, "itself") for file in files]
    if noise or not asked.forms:
        return ways
    for form in asked.forms.split(","):  # of a logarithm nothing is known but that it has no unit
        if form == "log" and not last_has_units:
            ways.append((files[-1], form))
        elif form != "log":
            ways.append((files[0], form))
    return ways


def has_units(text):
    return "genotype: tree" not in text or "typed: true" in text


def write_run(law, seed, noise, sets, folder, place, settings, form, asked):
    with open(settings, encoding="utf-8") as file:
        text = file.read()
    for name, rows in zip(("train", "test"), sets):
        path = os.path.join(folder, f"{name}-{form}.csv")
        if not os.path.exists(path):
            with np.errstate(all="ignore"):  # a form that the law does not have is not run
                write_table(path, law, np.column_stack([rows[:, :-1], FORMS[form].of(rows[:, -1])]))
    more = {"name": f"{law.name}_{seed}", "data": f"train-{form}.csv", "test-data": f"test-{form}.csv", "target": "target",
            "seed": seed, "output": "results", **OF_DEVICE[asked.device]}
    if noise:
        del more["law-every"]  # nothing is exact
    else:
        more["target-fitness"] = f"{2e-6 * float(FORMS[form].of(sets[0][:, -1]).std()):.6g}"
    if has_units(text):
        more["units"] = law.units(form)
    more.update(option.split("=", 1) for option in asked.option)
    kept = [line for line in text.splitlines() if line.split(":")[0] not in more]
    with open(run_file(folder, place), "w", encoding="utf-8") as file:
        file.write(f"# way: {os.path.basename(settings).split('.')[0]} {form}\n" + "\n".join(kept) + "\n"
                   + "".join(f"{key}: \"{value}\"\n" for key, value in more.items()))


def run_file(folder, place):
    return os.path.join(folder, f"run{place + 1 if place else ''}.yaml")


# Seeds of a law's later turns, far from those of others.
TURN_SEEDS = 1000


def run_once(asked, folder, place, turn, seed, seconds):
    done = subprocess.run([asked.grampus, "run", os.path.basename(run_file(folder, place)), "--device", asked.device, "--threads",
                           str(asked.threads), "--seed", str(seed + TURN_SEEDS * turn), "--time-limit", f"{seconds:.3f}", "--json",
                           "--progress", "0"], cwd=folder, capture_output=True, text=True, check=False)
    text = done.stdout
    if done.returncode or "{" not in text:
        return {"error": done.stderr.strip().split("\n")[-1] or "nothing was written"}
    with open(run_file(folder, place), encoding="utf-8") as file:
        way = file.readline().split()[2:]
    return undo(folder, way[1], {"settings": " ".join(way), **json.loads(text[text.index("{"):])})


def undo(folder, form, result):
    """The law of the target from that of a form of it, held to all cases in double once more."""
    found = result.get("law") or {}
    if form == "itself" or not found:
        return result
    cases = np.load(os.path.join(folder, "cases.npy"))
    found.pop("length", None)
    found["expression"] = FORMS[form].back.format(found["expression"], sign="-" if cases[0, -1] < 0 else "")
    with open(os.path.join(folder, "train-itself.csv"), encoding="utf-8") as file:
        names, trained = file.readline().strip().split(",")[:-1], sum(1 for _ in file)
    with np.errstate(all="ignore"):
        made = eval(found["expression"], dict(NUMPY, square=np.square), dict(zip(names, cases.T)))
        off, y = made - cases[:, -1], cases[:, -1]
    for name, rows in (("training", slice(0, trained)), ("test", slice(trained, None))):
        found[name] = {"cases": len(y[rows]), "rmse": float(np.sqrt(np.mean(off[rows] ** 2))), "deviation": float(y[rows].std()),
                       "largest_error": float(np.max(np.abs(off[rows])))}
        if not math.isfinite(found[name]["rmse"]):
            found[name]["rmse"] = math.inf
        found["exact"] = bool(found["exact"] and found[name]["rmse"] <= 1e-5 * found[name]["deviation"])
    return result


# Of errors that are within this of each other the smaller law counts, where laws of several forms of the target cannot be
# compared by the lengths that the test of laws has for them.
AS_GOOD = 1.05


def is_better(one, other):
    """What is said of a law: exact before not; then what describes the training cases more briefly (beside other forms of the
    target: errs less on them, or as much and is smaller); anything before an error."""
    if other is None or is_exact(one) != is_exact(other):
        return other is None or is_exact(one)
    said, before = one.get("law") or {}, other.get("law") or {}
    if not said or not before:
        return bool(said)
    if "length" in said and "length" in before and not is_exact(one):
        return float(said["length"]) < float(before["length"])
    errs, erred = (float(law["training"]["rmse"]) for law in (said, before))  # "inf" where it is
    if not (math.isfinite(errs) and math.isfinite(erred)):
        return errs < erred
    ratio = errs / max(erred, 1e-300)
    return said["size"] < before["size"] if 1 / AS_GOOD < ratio < AS_GOOD else ratio < 1


def turns_of(asked, ways):
    """Which way comes when and for how long, without end: (place, turn, seconds)."""
    lengths = [float(t) for t in asked.turns.split(",")] if asked.turns else [asked.seconds / ways]
    for turn in itertools.count():
        for place in range(ways):
            yield place, turn, lengths[min(turn, len(lengths) - 1)]


# A turn shorter than this is not begun.
SHORTEST = 0.5


def is_exact(result):
    return bool(result and (result.get("law") or {}).get("exact"))


def run(asked, seed, folder):
    """All turns of a law; best.json has what was found, and by which second."""
    started, best, tried, failed = time.monotonic(), None, [], set()
    with open(os.path.join(folder, "law.json"), encoding="utf-8") as file:
        ways = json.load(file)["ways"]
    for place, turn, seconds in turns_of(asked, ways):
        left = asked.seconds - (time.monotonic() - started)
        if left < SHORTEST or is_exact(best) or len(failed) == ways:
            break
        if place in failed:
            continue
        result = run_once(asked, folder, place, turn, seed, min(seconds, left))
        tried.append([place, round(time.monotonic() - started, 3), result.get("generations", 0), result.get("error", "")])
        if "error" in result:
            failed.add(place)
        best = result if is_better(result, best) else best
    wall = time.monotonic() - started
    if any(not error for *_, error in tried):
        best.pop("error", None)  # another way had a run
    best = {key: best[key] for key in ("settings", "law", "infix", "fitness", "seconds", "stop_reason", "error") if key in best}
    with open(os.path.join(folder, "best.json.new"), "w", encoding="utf-8") as file:
        json.dump(best | {"wall": round(wall, 3), "turns": tried}, file)
    os.replace(os.path.join(folder, "best.json.new"), os.path.join(folder, "best.json"))
    return best, wall


def tell(asked, law, seed, noise, best, wall, begun):
    """A line of found.tsv as a law ends: what there is if all is cut. Gives back why there was no run."""
    found = best.get("law") or {}
    with open(os.path.join(asked.out, "found.tsv"), "a", encoding="utf-8") as file:
        file.write(f"{law.number}\t{law.name}\t{int(law.tunes())}\t{seed}\t{noise:g}\t{int(is_exact(best))}\t{wall:.2f}\t"
                   f"{best.get('settings', '')}\t{found.get('expression', best.get('error', ''))}\t{time.monotonic() - begun:.1f}\n")
    return best.get("error")


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
    for what in (found - known, found / known, (found / known) ** 2):
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


def report(rows, out, within):
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
                      f"{sum(r['exact'] and not r['numeric'] for r in some)} of them wrongly; by numbers within "
                      + ", ".join(f"{w:g} s: {sum(r['numeric'] and float(r['seconds']) <= w for r in some)}" for w in within))
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

def seeds_of(text):
    first, _, last = text.rpartition("-")
    seeds = range(int(first or 1), int(last) + 1)
    if not seeds:
        raise argparse.ArgumentTypeError(f"{text!r} has no seed; expected how many, or from-to")
    return seeds


def at_least(low, kind=int):
    def read(text):
        try:
            if kind(text) >= low:
                return kind(text)
        except ValueError:
            pass
        raise argparse.ArgumentTypeError(f"{text!r}; expected a {'whole ' if kind is int else ''}number from {low} on")
    return read


def list_of(low, empty=False):
    """Numbers with commas between them, as text."""
    def read(text):
        for one in [] if empty and not text else text.split(","):
            at_least(low, float)(one)
        return text
    return read


def check(asked, laws, refuse):
    """What can be told of options before anything is drawn."""
    for form in asked.forms.split(",") if asked.forms else []:
        if form not in FORMS or form == "itself":
            refuse(f"--forms has {form!r}; expected some of {', '.join(name for name in FORMS if name != 'itself')}")
    for option in asked.option:
        if "=" not in option:
            refuse(f"--option {option}; expected key=value")
    for file in asked.settings.split(","):
        if not os.path.isfile(file):
            refuse(f"--settings {file}: no such file; expected run files with commas between them")
    unknown = set(asked.laws.split(",")) - {"", *(law.name for law in laws)}
    if unknown:
        refuse(f"--laws has {', '.join(sorted(unknown))}; expected names as in FeynmanEquations.csv and BonusEquations.csv")
    if asked.judge and not os.path.isdir(asked.judge):
        refuse(f"--judge {asked.judge}: no such folder; expected one with runs")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--settings", help="files with commas between them, tried in turn; default: units.yml,typed.yml,plain.yml")
    parser.add_argument("--without-units", action="store_true", help="default of --settings: plain.yml")
    parser.add_argument("--grampus")
    parser.add_argument("--data", default=os.path.join(SHARED, "data", "feynman"))
    parser.add_argument("--seconds", type=at_least(SHORTEST, float), default=60, help="of a law, by the clock")
    parser.add_argument("--turns", type=list_of(0.01, empty=True), default="1.4,7", help="seconds of each way at first, then, ...; '': a like part")
    parser.add_argument("--forms", default="inverse,square,inverse-square,log", help="of the target, that laws are looked for in "
                        "without noise, after the target itself")
    parser.add_argument("--training", type=at_least(2), default=1000, help="training cases of a law; SRBench's protocol has 10000")
    parser.add_argument("--cases", type=at_least(1), default=256,
                        help="without noise: training cases that the search looks at; the test of laws looks at all")
    parser.add_argument("--within", type=list_of(0), default="10,20,60", help="seconds of the report")
    parser.add_argument("--seeds", type=seeds_of, default=range(1, 2), help="how many, or from-to [1]")
    parser.add_argument("--noise", type=list_of(0), default="0", help="shares of the target's deviation, a list")
    parser.add_argument("--together", "--jobs", type=at_least(1), default=1, help="laws at a time")
    parser.add_argument("--threads", type=at_least(0), default=1)
    parser.add_argument("--device", default="cpu", choices=sorted(OF_DEVICE))
    parser.add_argument("--resume", action="store_true", help="leave out what has a result")
    parser.add_argument("--laws", default="", help="names; default: all")
    parser.add_argument("--only", choices=("tune", "rest"))
    parser.add_argument("--out", default="results/laws")
    parser.add_argument("--option", action="append", default=[], help="a setting over those of the file, key=value")
    parser.add_argument("--judge", metavar="FOLDER")
    parser.add_argument("--prepare", metavar="FOLDER")
    parser.add_argument("--no-judge", action="store_true", help="only the runs; --judge counts them later, maybe elsewhere")
    asked = parser.parse_args()
    asked.grampus = find_program(asked.grampus)
    if not asked.settings:
        files = ["plain.yml"] if asked.without_units else ["units.yml", "typed.yml", "plain.yml"]
        asked.settings = ",".join(os.path.join(ROOT, "problems", "laws", file) for file in files)
    if not os.path.isdir(asked.data):
        print(f"{asked.data}: no such folder; the laws are not here")
        return 0
    laws = read_laws(asked.data)
    check(asked, laws, parser.error)
    out = asked.judge or asked.prepare or asked.out
    names = set(asked.laws.split(",")) - {""}
    cells = [(law, seed, float(noise), os.path.join(out, f"{law.name}_{noise}_{seed}"))
             for noise in asked.noise.split(",") for seed in asked.seeds for law in laws
             if (not names or law.name in names) and asked.only in (None, "tune" if law.tunes() else "rest")]
    every = cells
    if asked.resume:
        cells = [cell for cell in cells if not os.path.exists(os.path.join(cell[3], "best.json"))]
    if not asked.judge:
        for law, seed, noise, folder in cells:
            prepare(law, seed, noise, folder, asked)
    if asked.prepare:
        return 0
    code = 0
    if not asked.judge:
        begun = time.monotonic()
        with ThreadPoolExecutor(asked.together) as pool:
            errors = list(pool.map(lambda cell: tell(asked, *cell[:3], *run(asked, cell[1], cell[3]), begun), cells))
        without = [(cell[0].name, error) for cell, error in zip(cells, errors) if error]
        if without:  # as a setting that there is not: these are no laws that were not found
            print(f"laws.py: {len(without)} of {len(cells)} have no run, {without[0][0]}: {without[0][1]}", file=sys.stderr)
        code = int(bool(without) and len(without) == len(cells))
    if not asked.no_judge:
        judge_all(every, out, [float(w) for w in asked.within.split(",")])
    return code


def judge_all(cells, out, within):
    """SymPy takes seconds, none of which are of a law: after all of them."""
    done = [cell for cell in cells if os.path.exists(os.path.join(cell[3], "best.json"))]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        report(list(pool.map(lambda cell: judge(cell[0], cell[3]), done)), out, within)


if __name__ == "__main__":
    sys.exit(main())

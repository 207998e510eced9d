#!/usr/bin/env python3
"""`grampus export` and `grampus predict`. Random programs over every operation, as C, NumPy and, with --sympy, SymPy:
NumPy and SymPy agree with C, whose bits are the engine's (tests/property/export.c), as closely as float32 allows: where
a change of every intermediate value by a few units of its last place changes a result, by as much it may differ.
Without NumPy, SymPy or a C compiler their part is left out.

    export.py [--programs N] [--sympy N] [--seed N]"""
import argparse
import ctypes
import functools
import importlib.util
import json
import os
import random
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tests"))

from checking import FAILED, check
from program import find_program

GRAMPUS = find_program()
INPUTS = 3
ONE = ("neg abs square cube inv sqrt sin cos tan tanh exp log plog rlog klog psqrt psqrt2 ginv glog not cbrt").split()
TWO = ("add sub mul div min max pow pdiv aq ppow ppow2 gdiv lt le gt ge eq ne and or xor nand nor").split()


def grampus(*arguments):
    return subprocess.run([GRAMPUS, *arguments], capture_output=True, text=True)


def export(*arguments):
    done = grampus("export", *arguments)
    if done.returncode:
        check("export " + " ".join(arguments), False, done.stderr)
    return done.stdout


def expression(rng, depth):
    if depth == 0 or rng.random() < 0.15:
        return rng.choice([f"x{rng.randrange(INPUTS)}"] * 2 + [f"{rng.uniform(-4, 4):.3g}", str(rng.randrange(4))])
    kind = rng.random()
    if kind < 0.35:
        return f"{rng.choice(ONE)}({expression(rng, depth - 1)})"
    if kind < 0.95:
        two = rng.choice(TWO[:4]) if rng.random() < 0.5 else rng.choice(TWO)
        return f"{two}({expression(rng, depth - 1)}, {expression(rng, depth - 1)})"
    return f"if({expression(rng, depth - 1)}, {expression(rng, depth - 1)}, {expression(rng, depth - 1)})"


# ---- agreement ----

def make_shaken(np):
    """Arrays whose every intermediate result is changed by some units of the last place; they note what is no number."""

    class Shaken(np.ndarray):
        rng, units, outside = None, 0, None

        def __array_ufunc__(self, ufunc, method, *inputs, **options):
            result = np.asarray(getattr(ufunc, method)(*(np.asarray(i) for i in inputs), **options))
            if result.dtype.kind == "f":
                Shaken.outside |= ~np.isfinite(result)
                noise = Shaken.rng.uniform(-Shaken.units, Shaken.units, result.shape) * 2.0 ** -23
                result = np.asarray(result * (1 + noise), np.float32)
            return result.view(Shaken)

        def __array_function__(self, function, types, arguments, options):
            plain = (np.asarray(a) if isinstance(a, Shaken) else a for a in arguments)
            return np.asarray(function(*plain, **options)).view(Shaken)

    return Shaken


class Agreement:
    """What C gives for every program at some points, and how far from it others may be."""

    def __init__(self, np, programs, folder):
        self.np, self.count = np, len(programs)
        rng = np.random.default_rng(5)
        self.points = rng.choice([-2, -1, 0, 0.5, 1, 2.5], (24, INPUTS)).astype(np.float32)
        self.points[8:] = rng.uniform(-3, 3, (16, INPUTS))
        self.listing = os.path.join(folder, "programs.txt")
        with open(self.listing, "w", encoding="utf-8") as file:
            file.write("\n".join([f"x{INPUTS - 1}"] + programs) + "\n")  # the first: that there are so many inputs
        self.wanted = self.compiled(os.path.join(folder, "p.c"), os.path.join(folder, "p.so"))
        self.source = self.export("numpy")
        self.allow()

    def export(self, word, *more):
        return export("--expressions", self.listing, "--format", word, "--name", "f", *more)

    def compiled(self, source, library):
        self.export("c", "--output", source)
        subprocess.run(["cc", "-O0", "-shared", "-fPIC", "-o", library, source, "-lm"], check=True)
        code, wanted = ctypes.CDLL(library), self.np.zeros((self.count, len(self.points)), self.np.float32)
        for k in range(self.count):
            function = code[f"f_{k + 1}"]
            function.restype = ctypes.c_float
            wanted[k] = [function(point.ctypes.data_as(ctypes.c_void_p)) for point in self.points]
        return wanted

    def allow(self):
        """slack: how far results move when all intermediate values do; settled: they stay numbers, or none; inside: no
        intermediate value is none."""
        np, shaken = self.np, make_shaken(self.np)
        names = {"f": lambda number: np.asarray(number, np.float32).view(shaken)}
        exec(self.source.replace("x = np.asarray(x, f)", "pass").replace("\nf = np.float32\n", "\n"), names)
        x = self.points.view(shaken)
        self.slack = np.zeros(self.wanted.shape)
        self.inside, self.settled = np.ones(self.wanted.shape, bool), np.ones(self.wanted.shape, bool)
        for k in range(self.count):
            results = []
            for n in range(8):
                shaken.rng, shaken.units = np.random.default_rng(n), 0 if n == 0 else 4
                shaken.outside = np.zeros(len(x), bool)
                results.append(np.asarray(names[f"f_{k + 1}"](x), float))
                self.inside[k] &= ~shaken.outside
            with np.errstate(all="ignore"):
                moved = np.abs(np.array(results) - results[0])
            self.slack[k] = np.where(np.isnan(moved), 0, moved).max(0)
            self.settled[k] = np.isfinite(results).all(0) | ~np.isfinite(results).any(0)

    def compare(self, k, got, only_inside):
        """How many points were compared, and the first that is wrong or None."""
        np, wanted = self.np, self.wanted[k].astype(float)
        with np.errstate(all="ignore"):
            near = np.abs(got - wanted) <= 4 * self.slack[k] + 2e-6 * np.abs(wanted) + 1e-37
        good = near | (got == wanted) | (np.isnan(got) & np.isnan(wanted))
        compared = self.settled[k] & (self.inside[k] if only_inside else True)
        wrong = np.flatnonzero(compared & ~good)
        return int(compared.sum()), None if not len(wrong) else f"{self.points[wrong[0]]}: {got[wrong[0]]}, C {wanted[wrong[0]]}"


def check_agreement(name, programs, agreement, values, only_inside, least):
    compared, wrong = 0, []
    for k, program in enumerate(programs):
        count, where = agreement.compare(k, values(k), only_inside)
        compared += count
        if where:
            wrong.append(f"{program} at {where}")
    enough = compared >= least * len(programs) * len(agreement.points)
    check(f"{name} agrees with C on {len(programs)} programs", enough and not wrong, f"{compared} points, {len(wrong)} programs wrong: {wrong[:3]}")


def check_sympy(np, programs, agreement):
    import mpmath
    import sympy
    names = {}
    exec(compile(agreement.export("sympy"), "sympy", "exec"), names)
    symbols, undefined = [names[f"x{i}"] for i in range(INPUTS)], []

    def value(function, point):
        try:
            result = complex(function(*(mpmath.mpf(float(x)) for x in point)))
        except (TypeError, ZeroDivisionError, ValueError, OverflowError):  # of no real number
            return float("nan")
        return result.real if abs(result.imag) <= 1e-9 * abs(result.real) else float("nan")

    def values(k):
        program = sympy.sympify(names[f"f_{k + 1}"])
        try:
            function = sympy.lambdify(symbols, program, "mpmath")
        except KeyError:  # undefined in some branch: lambdify knows no complex infinity
            undefined.append(k)
            agreement.settled[k] = False
            return agreement.wanted[k].astype(float)
        return np.array([value(function, point) for point in agreement.points])

    check_agreement("SymPy", programs, agreement, values, True, 0.3)
    check(f"SymPy: {len(undefined)} programs undefined in a branch, few", len(undefined) < len(programs) // 8)


def check_comparisons():
    """Sides of a comparison that share a term SymPy turns round until there is no stack left; what is no number it compares
    with nothing, nor the pole of a branch in a minimum: the text was no Python that ends."""
    for text, wanted in (("if(log(0 - 1) > x0, 2, x2)", 3), ("x0 / (x1 - x1) * 0 != x2", 1), ("and(x0, max(inv(xor(x0, x1 - 1)), x2))", 1),
                         ("gt(aq(0.1, ne(0.1, 3)), xor(if(1, x0, 0.5), cbrt(x0)))", 1),
                         ("argmax(x2 - x1, x2, x0 + x0 + (x0 - x1))", 2), ("if(x2 - x1 < x0 + x0 + (x0 - x1), 5, x0)", 5),
                         ("x2 - x1 != x0 + x0 + (x0 - x1)", 1), ("if(tan(exp(3e38)) > x0, 5, x2)", 3),
                         ("exp(0 - exp(exp(3e38))) + tanh(pow(2e9, 3e38)) + x0", 3)):  # fmt: skip
        names = {}
        signal.alarm(200)  # of numbers beyond floats a sine took for ever
        try:
            exec(compile(export("--expression", text, "--format", "sympy"), "sympy", "exec"), names)
            got = names["program"].subs({names[x]: value for x, value in (("x0", 2), ("x1", 1), ("x2", 3)) if x in names})
        except (RecursionError, ValueError, AttributeError) as error:
            got = error
        signal.alarm(0)
        check(f"SymPy: {text}", got == wanted, str(got))


def check_great_powers():
    """Of whole numbers to great powers SymPy wrote down every digit, for seconds or for ever; floats do not hold them."""
    nested = {name: functools.reduce(lambda inner, _: f"{name}({inner})", range(40), "999999 / 1000001 * x0") for name in ("square", "cube")}
    for text, wanted in (("pow(999999, 999999)", "oo"), ("pow(0 - 999999, 999999)", "-oo"), ("ppow(0 - 999999, 999999)", "oo"),
                         ("exp(999999 * log(999999))", "oo"), ("pow(999999, 1000001 / 3)", "oo"), ("pow(sqrt(999983), 999999)", "oo"),
                         (nested["square"].replace("/ 1000001 * x0", ""), "oo"), ("pow(999999 * x0, 999999)", "x0**999999"),
                         ("exp(999999 * log(999999 * x0))", "x0**999999"), ("pow(1 / 999999, 999999)", "e-5999994"),
                         (nested["square"], "x0**1099511627776"), (nested["cube"].replace("/ 1000001 ", ""), "x0**12157665459056928801"),
                         ("pow(2, 100) - square(1 / 3) * x0", "1267650600228229401496703205376 - x0/9"), ("exp(2 * log(3))", "9"), ("exp(200 * log(x0 + 0))", "x0**200"),
                         ("pow(x0 * 2, 9) + exp(0 - 200)", "512*x0**9 + exp(-200)")):  # fmt: skip
        names = {}
        try:
            signal.signal(signal.SIGALRM, signal.default_int_handler)
            signal.alarm(20)
            exec(compile(export("--expression", text, "--format", "sympy"), "sympy", "exec"), names)
            got = str(names["program"])
        except (KeyboardInterrupt, ValueError) as error:
            got = repr(error)
        signal.alarm(0)
        check(f"SymPy: {text[:30]}", wanted in got and len(got) < 80, got[:200])
    names, text = {}, export("--expression", "sin(x0 + 0)", "--format", "sympy", "--name", "angle", "--simplify")
    for name in re.findall(r"^def (\w+)", text.replace("def make_angle", ""), re.M) + ["Add", "Float", "zip", "x0", "x12"]:
        done = subprocess.run([GRAMPUS, "export", "--expression", "x0", "--format", "sympy", "--name", name], capture_output=True, text=True)
        check(f"SymPy: no program is called {name}", done.returncode == 2 and "means something else" in done.stderr, done.stderr)
    exec(compile(text, "sympy", "exec"), names)
    check("SymPy: a program called angle", str(names["angle_simplified"]) == "sin(x0)")


def check_conditions(np):
    """Of conditions within conditions SymPy made a text for NumPy that chose the wrong branch."""
    import sympy
    names = {}
    exec(compile(export("--expression", "argmax(x2 >= x1, x0, cbrt(x0))", "--format", "sympy"), "sympy", "exec"), names)
    points = np.array([[a, b, c] for a in (-2, 0.5, 3) for b in (-1, 2) for c in (-1, 2)]).T
    got = sympy.lambdify([names[f"x{k}"] for k in range(3)], names["program"], "numpy")(*points)
    wanted = [np.argmax([c >= b, a, np.cbrt(a)]) for a, b, c in points.T]
    check("SymPy: conditions of conditions for NumPy", np.array_equal(got, wanted), f"{got}, not {wanted}")


def check_languages(options, folder):
    if options.sympy or importlib.util.find_spec("sympy"):
        check_comparisons()
        check_great_powers()
    try:
        import numpy as np
    except ImportError:
        print("ok - NumPy and SymPy # skipped: no NumPy")
        return
    if not shutil.which("cc"):
        print("ok - NumPy and SymPy # skipped: no C compiler")
        return
    rng = random.Random(options.seed)
    programs = [expression(rng, rng.randrange(1, 6)) for _ in range(options.programs)]
    agreement, names = Agreement(np, programs, folder), {}
    exec(compile(agreement.source, "numpy", "exec"), names)
    check_agreement("NumPy", programs, agreement, lambda k: names[f"f_{k + 1}"](agreement.points), False, 0.8)
    if options.sympy or importlib.util.find_spec("sympy"):
        check_conditions(np)
    if options.sympy:
        check_sympy(np, programs[:options.sympy], Agreement(np, programs[:options.sympy], folder))


# ---- formats and results ----

def check_formats(folder):
    text = "psqrt(length) * 0.1 + 1.17549435e-38 - (angle + 0) * 16777217 / -3.4028235e38"
    again = "psqrt(length) * 0.1 + 1.1754944e-38 - (angle + 0) * 16777216 / -3.4028235e38"
    check("constants survive", export("--expression", text) == again + "\n", export("--expression", text))
    check("constants survive twice", export("--expression", again) == again + "\n")
    for name in ("f", "for", "sin", "class"):  # numpy: f is float32; C and Python: words of their own
        done = grampus("export", "--expression", text, "--format", "numpy", "--name", name)
        check(f"--name {name} is refused", done.returncode == 2 and "means something else" in done.stderr, done.stderr)
    check("simplified beside the original",
          export("--expression", "x0 * 1 + (x1 - x1)", "--simplify").split("\t") == ["x0 * 1 + (x1 - x1)", "x0\n"])
    check("mathml: names", export("--expression", "a_speed * sqrt(x12)", "--format", "mathml") ==
          '<math display="block"><mrow><mi>f</mi><mo>=</mo><mi mathvariant="normal">a_speed</mi><mo>&#8901;</mo><msqrt>'
          '<mrow><msub><mi>x</mi><mn>12</mn></msub></mrow></msqrt></mrow></math>\n')
    check("latex: names", r"f &= \mathrm{a\_speed} \cdot \sqrt{x_{12}}" + "\n" in
          export("--expression", "a_speed * sqrt(x12)", "--format", "latex"))
    check("latex: no input is what the result is called", "\ng &= f + f\n" in export("--expression", "f + f", "--format", "latex")
          and "\nh &= f \\cdot g \\\\\nh_{\\mathrm{simplified}} &= f \\cdot g\n" in
          export("--expression", "f * g * 1", "--format", "latex", "--simplify").replace(" \\cdot 1", ""))
    check("mathml: no input is what the result is called", "<mi>g</mi><mo>=</mo><mi>f</mi><mo>+</mo><mi>f</mi>" in
          export("--expression", "f + f", "--format", "mathml"))
    check("latex: letters beyond ASCII are text", r"f &= \mathrm{gr\text{öß}e} \cdot \mathrm{\text{Δ}t}" + "\n" in
          export("--expression", "größe * Δt", "--format", "latex"))
    check("sympy: they are the symbols' names", 'größe' in export("--expression", "größe * Δt", "--format", "sympy"))
    check("latex: a power of a power of ten has brackets", r"f &= {\left(1 \cdot 10^{-9}\right)}^{2} \cdot 1 \cdot 10^{20}" + "\n" in
          export("--expression", "square(1e-9) * 1e20", "--format", "latex"))
    check("mathml: a power of a power of ten has brackets", "<msup><mrow><mo>(</mo><mn>1</mn><mo>&#8901;</mo><msup><mn>10</mn><mn>-9</mn></msup>"
          "<mo>)</mo></mrow><mn>2</mn></msup>" in export("--expression", "square(1e-9)", "--format", "mathml"))
    tree = json.loads(export("--expression", text, "--format", "json"))["tree"]
    check("json: the tree", tree["op"] == "sub" and tree["operands"][1]["op"] == "div")
    tree = json.loads(export("--expression", "argmax(argmax(u), v + 1, w)", "--format", "json"))["tree"]
    check("json: an argmax has its operands", [one.get("op", one.get("name")) for one in tree["operands"]] == ["argmax", "add", "w"]
          and tree["operands"][0]["operands"] == [{"input": 0, "name": "u"}], str(tree))
    graph = export("--expression", "argmax(u, v, w)", "--format", "dot")
    check("dot: an argmax has its operands", graph.count("->") == 3 and graph.count("label=") == 4, graph)
    deep = "x0" + "".join(f"+x{k % 7})" for k in range(3000))
    deep = "(" * 3000 + deep
    for word in ("infix", "latex", "mathml", "sympy", "numpy", "c", "cuda", "json", "dot"):
        check(f"{word}: 3000 levels", len(export("--expression", deep, "--format", word)) > 6000)
    for word in ("numpy", "sympy"):
        try:
            compile(export("--expression", deep, "--format", word), word, "exec")
            check(f"{word}: 3000 levels are Python", True)
        except (SyntaxError, RecursionError, MemoryError) as error:
            check(f"{word}: 3000 levels are Python", False, str(error))
    if shutil.which("cc"):
        source = os.path.join(folder, "deep.c")
        export("--expression", deep, "--format", "c", "--simplify", "--output", source)
        done = subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-c", "-o", os.devnull, source], capture_output=True)
        check("c: compiles without a warning", done.returncode == 0, done.stderr.decode()[:300])


def check_places(folder):
    """What --output names: a file is replaced, a pipe, a device or a link stays and takes the text."""
    plain, pipe, link = (os.path.join(folder, name) for name in ("place.txt", "pipe", "link"))
    os.mkfifo(pipe)
    os.symlink(plain, link)
    reader = subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE, text=True)
    export("--expression", "x0 + 1", "--output", pipe)
    try:
        text = reader.communicate(timeout=20)[0]
    except subprocess.TimeoutExpired:
        reader.kill()
        text = reader.communicate()[0]
    check("--output: a pipe", text == "x0 + 1\n" and stat.S_ISFIFO(os.lstat(pipe).st_mode), text)
    export("--expression", "x0 + 2", "--output", link)
    check("--output: a link", os.path.islink(link) and open(plain).read() == "x0 + 2\n")
    export("--expression", "x0 + 3", "--output", plain)
    check("--output: a file", open(link).read() == "x0 + 3\n")
    text = grampus("export", "--expression", "x0 + 3", "--format", "latex").stdout
    told = json.loads(grampus("export", "--expression", "x0 + 3", "--format", "latex", "--json").stdout)
    check("--json: the text", told == {"format": "latex", "text": text} and "x_{0} + 3" in text, told)
    told = json.loads(grampus("export", "--expression", "x0 + 4", "--output", plain, "--json").stdout)
    check("--json: the file", told == {"format": "infix", "output": plain} and open(plain).read() == "x0 + 4\n", told)
    for name in ("stdout", "full"):  # by links: what fails here harms no device
        os.symlink(f"/dev/{name}", os.path.join(folder, name))
    done = grampus("export", "--expression", "x0 + 4", "--output", os.path.join(folder, "stdout"))
    check("--output: the standard output", (done.returncode, done.stdout, done.stderr) == (0, "x0 + 4\n", ""), str(done))
    done = grampus("export", "--expression", "x0 + 5", "--output", os.path.join(folder, "full"))
    check("--output: a full disk", done.returncode == 1 and done.stderr.endswith("full: No space left on device\n"), done.stderr)
    done = grampus("export", "--expression", "x0 + 6", "--output", folder)
    check("--output: a folder", done.returncode == 1 and "Is a directory" in done.stderr, done.stderr)


def run(folder, *arguments):
    done = grampus("run", "--quiet", "--output", folder, "--name", "r", "--population", "50", "--generations", "8", *arguments)
    check("run", done.returncode == 0, done.stderr)
    results = os.path.join(folder, "r")
    return max((os.path.join(results, one) for one in os.listdir(results)), key=lambda one: os.stat(one).st_mtime_ns)


def check_prediction(folder):
    rng = random.Random(4)
    table, fresh = os.path.join(folder, "t.csv"), os.path.join(folder, "new.csv")
    rows = [(rng.choice(("red", "green", "blue")), rng.uniform(-1, 1), rng.uniform(0, 3)) for _ in range(60)]
    with open(table, "w", encoding="utf-8") as file:
        file.write("colour,u,v,kind\n" + "".join(f"{c},{u},{v},{'yes' if u + v > 1.4 else 'no'}\n" for c, u, v in rows))
    with open(fresh, "w", encoding="utf-8") as file:  # other order of columns, of words, and no target
        file.write("v,colour,u\n" + "".join(f"{v},{c},{u}\n" for c, u, v in rows[::-1]))
    tree = ("--genotype", "tree", "--functions", "+, -, *", "--data", table)
    result = run(folder, *tree, "--target", "kind", "--categories", "--metric", "misclassified", "--class-rule", "fitted")
    best = json.load(open(os.path.join(result, "best.json"), encoding="utf-8"))
    known = json.loads(grampus("predict", result, "--data", table, "--json").stdout)
    check("predict: fitness is the run's", known["fitness"] == best["fitness"])
    right = sum(word == ("yes" if u + v > 1.4 else "no") for word, (c, u, v) in zip(known["predictions"], rows))
    check("predict: labels are words", 60 - right == best["fitness"], str(right))
    infinite = os.path.join(folder, "infinite.csv")
    with open(infinite, "w", encoding="utf-8") as file:  # exp(a) is infinite three times; nobody is in the upper class
        file.write("a,y\n1000,0\n1001,0\n1002,0\n0,1\n")
    one = run(os.path.join(folder, "infinite"), "--data", infinite, "--preset", "none", "--genotype", "tree", "--functions", "exp",
              "--seed-program", "exp(a)", "--initialisation", "seeds", "--population", "1", "--generations", "0", "--metric",
              "misclassified", "--class-rule", "fitted")
    outcome = json.load(open(os.path.join(one, "best.json"), encoding="utf-8"))
    told = json.loads(grampus("predict", one, "--data", infinite, "--json").stdout)
    check("predict: an infinite threshold is reached by nothing", outcome["fitness"] == outcome["recomputed_fitness"] == told["fitness"] == 1
          and told["predictions"] == [0, 0, 0, 0], str((outcome["fitness"], outcome["recomputed_fitness"], told)))
    other = grampus("predict", result, "--data", fresh).stdout.split()
    check("predict: columns by name, words by the training data", other == known["predictions"][::-1])
    with open(table, encoding="utf-8") as file:
        three = [line.split(",")[:3] for line in file.read().splitlines()[1:]]
    with open(fresh, "w", encoding="utf-8") as file:
        file.write("u,v,place\n" + "".join(f"{u},{v},{4 + (float(u) > 0) + (float(v) > 1.5)}\n" for _, u, v in three))
    several = run(folder, "--data", fresh, "--genotype", "tree", "--functions", "+, -, *", "--metric", "misclassified", "--class-rule", "argmax")
    best = json.load(open(os.path.join(several, "best.json"), encoding="utf-8"))
    known = json.loads(grampus("predict", several, "--data", fresh, "--json").stdout)
    check("predict: the class of the largest output", known["fitness"] == best["fitness"] and best["infix"].startswith("argmax(") and
          all(int(label) == 4 + output for label, output in zip(known["predictions"], known["outputs"])), str(known)[:200])
    with open(fresh, encoding="utf-8") as file:
        bare = file.read().split("\n", 1)[1]
    with open(table + ".bare", "w", encoding="utf-8") as file:
        file.write(bare)
    said = grampus("predict", several, "--data", table + ".bare", "--json")
    check("predict: columns without names are taken in order, which is said",
          json.loads(said.stdout) == known and "t.csv.bare: no names of columns; they are taken in the order of" in said.stderr, said.stderr)
    check("export: an argmax", export(several) == best["infix"] + "\n")
    said = grampus("eval", "--expression", best["infix"], "--data", fresh, "--target", "place", "--metric", "misclassified",
                   "--class-rule", "argmax")
    check("eval: the class of the largest output", f"misclassified: {best['fitness']:g}" in said.stdout + said.stderr, said.stderr)
    with open(fresh, "w", encoding="utf-8") as file:
        file.write("v,colour,u\n" + "".join(f"{v},{c},{u}\n" for c, u, v in rows[::-1]))
    result = run(folder, *tree, "--target", "v", "--categories", "--inputs", "u", "--linear-scaling", "--metric", "mse")
    best = json.load(open(os.path.join(result, "best.json"), encoding="utf-8"))
    made = json.loads(grampus("predict", result, "--data", table, "--json").stdout)
    scaled = [best["intercept"] + best["slope"] * o for o in made["outputs"]]
    check("predict: linear scaling", all(abs(a - b) < 1e-6 for a, b in zip(scaled, made["predictions"])))
    check("predict: fitness of the run's own fit", abs(made["fitness"] - best["fitness"]) < 1e-6)
    for metric in ("hinge", "f1"):  # as the library's thresholds have it
        at_zero = run(folder, *tree, "--target", "kind", "--inputs", "u,v", "--categories", "--metric", metric)
        name = os.path.join(at_zero, "best.json")
        best_there = json.load(open(name, encoding="utf-8"))
        with open(name, "w", encoding="utf-8") as file:
            json.dump({**best_there, "infix": "u - u"}, file)
        made_there = json.loads(grampus("predict", at_zero, "--data", table, "--json").stdout)["predictions"]
        check(f"predict: {metric}, an output of 0", set(made_there) == {"no"}, str(made_there[:3]))
    for metric in ("balanced-accuracy", "f1"):  # what is no number is not positive, as in the fitness
        nowhere = run(folder, *tree, "--target", "kind", "--inputs", "u,v", "--categories", "--metric", metric, "--functions",
                      "+, sqrt", "--seed-program", "sqrt(u)", "--population", "1", "--generations", "0")
        told = json.load(open(os.path.join(nowhere, "best.json"), encoding="utf-8"))
        known = json.loads(grampus("predict", nowhere, "--data", table, "--json").stdout)
        check(f"predict: {metric}, outputs that are no numbers", "nan" in known["outputs"] and
              "nan" not in known["predictions"] and abs(known["fitness"] - told["fitness"]) < 1e-6, str(known)[:200])
    check("export: a result", "program_scaled" in export(result, "--format", "c") and "u" in export(result))
    small = os.path.join(folder, "best.json")
    with open(small, "w", encoding="utf-8") as file:
        json.dump({**best, "intercept": -2.5, "slope": 5e-16}, file)
    check("latex: a small slope is no 5 e - 16", r"y &= -2.5 + 5 \cdot 10^{-16} \cdot f" + "\n" in export(small, "--format", "latex"))
    with open(os.path.join(folder, "letters.json"), "w", encoding="utf-8") as file:
        json.dump({**best, "infix": "f * y", "intercept": -2.5, "slope": 2}, file)
    check("latex: no input is what the scaled result is called", "\ng &= f \\cdot y \\\\\nz &= -2.5 + 2 \\cdot g\n" in
          export(os.path.join(folder, "letters.json"), "--format", "latex"))
    check("mathml: no input is what the scaled result is called", "<mi>z</mi><mo>=</mo><mo>&#8722;</mo><mn>2.5</mn><mo>+</mo><mn>2</mn>"
          "<mo>&#8901;</mo><mi>g</mi>" in export(os.path.join(folder, "letters.json"), "--format", "mathml"))
    check("mathml: a small slope", "<mo>&#8722;</mo><mn>2.5</mn><mo>+</mo><mn>5</mn><mo>&#8901;</mo><msup><mn>10</mn><mn>-16</mn></msup>"
          "<mo>&#8901;</mo><mi>f</mi></mrow></math>\n" in export(small, "--format", "mathml"))
    os.remove(table)
    check("export: without its data", export(result) == best["infix"] + "\n")
    gone = grampus("predict", result, "--data", fresh)
    check("predict: without training data one line", gone.returncode == 2 and gone.stderr.count("\n") == 1, gone.stderr)


def check_made_prediction(folder):
    """Of cases that no table has: labels and fitness all the same, columns by name, whatever their order."""
    rng = random.Random(5)
    table, bare = os.path.join(folder, "made.csv"), os.path.join(folder, "unused.csv")
    rows = [(rng.uniform(-1, 1), rng.uniform(-1, 1)) for _ in range(40)]
    truth = [int(x > 0.3) + int(y > 0.5) for x, y in rows]
    with open(table, "w", encoding="utf-8") as file:
        file.write("y,target,x\n" + "".join(f"{y},{t},{x}\n" for t, (x, y) in zip(truth, rows)))
    made = ("--target-expression", "(x > 0.3) + (y > 0.5) + 0 * z", "--variables", "x, y, z = uniform(-1, 1)", "--train-cases", "200",
            "--genotype", "tree", "--seed-program", "x + y", "--generations", "0", "--population", "1")
    for rule in ("nearest", "fitted"):
        result = run(os.path.join(folder, rule), *made, "--metric", "misclassified", "--class-rule", rule)
        known = json.loads(grampus("predict", result, "--data", table, "--json").stdout)
        check(f"predict: labels of made cases, {rule}", set(known["predictions"]) <= {0, 1, 2} and len(known["predictions"]) == 40 and
              known["fitness"] == sum(a != b for a, b in zip(truth, known["predictions"])), str(known)[:200])
    result = run(os.path.join(folder, "mae"), *made, "--metric", "mae")
    error = sum(abs(x + y - t) for t, (x, y) in zip(truth, rows)) / 40
    check("predict: fitness on a table beside made cases",
          abs(json.loads(grampus("predict", result, "--data", table, "--json").stdout)["fitness"] - error) < 1e-5)
    with open(bare, "w", encoding="utf-8") as file:
        file.write("z,x\n1,2\n")
    said = grampus("predict", result, "--data", bare)
    check("predict: a column that the program has and the table not", said.returncode == 2 and said.stderr ==
          "--data has no column 'y'; expected the inputs of the run\n", said.stderr)
    gone = run(os.path.join(folder, "gone"), "--data", table, "--genotype", "tree", "--target", "target", "--metric", "f1")
    os.rename(table, bare)
    said = grampus("predict", gone, "--data", bare)
    check("predict: labels of f1 without training data: one line", said.returncode == 2 and said.stderr.startswith("labels need the training data: "),
          said.stderr)


def find_numpy():
    """Goes on with a Python that has NumPy, where this one has none: that of `make test-python`, or the system's."""
    try:
        import numpy  # noqa: F401
    except ImportError:
        for other in (os.path.join(os.path.dirname(GRAMPUS), "python", "bin", "python"), "/usr/bin/python3"):
            if os.path.exists(other) and other != sys.executable and \
                    subprocess.run([other, "-c", "import numpy"], capture_output=True).returncode == 0:
                os.execv(other, [other, *sys.argv])


def main():
    find_numpy()
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", type=int, default=50 if os.environ.get("SANITIZE") else 400)
    parser.add_argument("--sympy", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        check_formats(folder)
        check_places(folder)
        check_prediction(folder)
        check_made_prediction(folder)
        check_languages(options, folder)
    return 1 if FAILED else 0


if __name__ == "__main__":
    sys.exit(main())

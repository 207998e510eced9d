#!/usr/bin/env python3
"""`precision: double` from outside: a problem that single precision cannot solve and doubles do, `eval` and `predict`
against Python's doubles to the last bit, and the same results on one thread and two, by every set of instructions, and
when a run is split by a checkpoint. Exported functions in C and CUDA against `predict`, to the last bit, of CUDA the text
without a card. What runs do in doubles is held to a model in model.py. Standard library only."""
import json
import math
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests"))

from program import find_program

GRAMPUS = find_program()
FAILED = 0


def check(what, good, *why):
    global FAILED
    FAILED += not good
    print("\n#   ".join([("ok - " if good else "not ok - ") + what] + ([] if good else [str(w) for w in why])))


def grampus(*arguments, **environment):
    return subprocess.run([GRAMPUS, *arguments], check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          env={**os.environ, **environment}).stdout


def folder_of(output):
    return next(folder for folder, _, files in os.walk(output) if "best.json" in files)


def run(output, *arguments, **environment):
    """The best, statistics without times, programs."""
    grampus("run", "far.yaml", "--quiet", "--output", output, *arguments, **environment)
    folder = folder_of(output)
    with open(os.path.join(folder, "best.json")) as file:
        best = json.load(file)
    with open(os.path.join(folder, "statistics.tsv")) as file:
        rows = [line.split("\t")[:-1] for line in file]
    with open(os.path.join(folder, "programs.tsv")) as file:
        return best, rows, file.read()


PRINTS = """
#include <stdio.h>
int main(void) {
    double x[3];
    for (uint64_t at; scanf("%lf,%lf,%lf", x, x + 1, x + 2) == 3;)
        for (int k = 0; k < 2 * PROGRAMS; k++) {
            double value = (k % 2 ? simpler : original)[k / 2](x);
            memcpy(&at, &value, sizeof at);
            printf("%016llx\\n", value != value ? 0x7ff8000000000000ull : (unsigned long long)at);
        }
}
"""
# What makes functions for a device such that c++ compiles them for the processor.
ON_PROCESSOR = """
#include <math.h>
#include <stdint.h>
#include <string.h>
#define __device__ __attribute__((unused))
#define __host__
#define __constant__ const __attribute__((unused))
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define asm(...)
static inline double __longlong_as_double(long long bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
static inline long long __double_as_longlong(double value) {
    long long bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
"""
SPECIAL = [0.0, -0.0, 5e-324, -1e-310, 2.0 ** -1022, 1.7976931348623157e308, -1.7976931348623157e308, 1.0, -1.0, 0.5, -2.0,
           0.001, 1e22, 2.0 ** 22, 2.0 ** 53, math.pi, 709.8, -745.2]
# Which no table has.
NO_ROWS = [tuple(row) for none in (math.inf, -math.inf, math.nan) for other in (none, *SPECIAL)
           for row in ((none, other, 0.5), (other, none, -2.5), (1e300, other, none))]


def bits_of(value):
    return "%016x" % (0x7ff8000000000000 if value != value else struct.unpack("<Q", struct.pack("<d", value))[0])


def lines_of(rows):
    return "".join(",".join(map(repr, row)) + "\n" for row in rows)


def operations():
    """Names of all operations over numbers, with their arity."""
    with open(os.path.join(ROOT, "gpu/core/base/ops.def")) as file:
        found = re.findall(r'^GR_OP(\d)\w?\(\w+, "(\w+:?)', file.read(), re.M)
    return {name: int(arity) for arity, name in found if ":" not in name and name not in ("argmax", "targets")}


def random_expression(arity, depth):
    if depth == 0 or random.random() < 0.15:
        return random.choice(["x", "z", "w"] * 2 + [f"{random.uniform(-3, 3):.4g}"])
    name = random.choice(list(arity))
    return f"{name}({', '.join(random_expression(arity, depth - 1) for _ in range(arity[name]))})"


def every_operation():
    """A program of inputs alone with every operation, and one of more, in which what gives 0 and 1 alone is rare; argmax."""
    arity, programs = operations(), ["argmax(x, z * w, w - 1, 0.5)"]
    numbers = {name: n for name, n in arity.items() if name not in "lt le gt ge eq ne and or xor nand nor not".split()}
    for name, n in arity.items():
        programs += [f"{name}({', '.join(['x', 'z', 'w'][:n])})",
                     f"{name}({', '.join(random_expression(random.choice([numbers, numbers, arity]), 3) for _ in range(n))})"]
    return programs


def compiled(text, programs, *command):
    """What is printed of all functions, and of what is simplified, on every row of the standard input."""
    lists = "".join("static double (*const %s[])(const double *) = {%s};\n" % (name, ", ".join(f"program_{k}{end}" for k in range(programs)))
                    for name, end in (("original", ""), ("simpler", "_simplified")))
    with open("all.text", "w") as out:
        out.write(text + lists + PRINTS.replace("PROGRAMS", str(programs)))
    subprocess.run([*command, "-O2", "-Wall", "-Wextra", "-Werror", "all.text", "-o", "all.out", "-lm"], check=True)
    return lambda rows: subprocess.run(["./all.out"], check=True, capture_output=True, text=True, input=lines_of(rows)).stdout.split()


def check_bits(language, printed, told):
    """printed: of every row a program and its simplified form, by turns; told: by predict, a list for every program."""
    at = [(i, k) for i in range(len(told[0])) for k in range(len(told))]
    wrong = [(i, k) for n, (i, k) in enumerate(at) if printed[2 * n] != bits_of(told[k][i])]
    check(f"export: {language} gives the bits of predict", not wrong and len(printed) == 2 * len(at), len(wrong), wrong[:5])
    wrong = [(i, k) for n, (i, k) in enumerate(at)
             if told[k][i] == told[k][i] and told[k][i] != 0 and printed[2 * n + 1] != printed[2 * n]]
    check(f"export: what is simplified does too: {language}", not wrong, wrong[:5])


def check_nvcc(text):
    """That nvcc compiles all functions, for the oldest card it knows, without a warning."""
    nvcc = shutil.which("nvcc") or shutil.which(os.path.join(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "bin", "nvcc"))
    if nvcc:
        with open("all.cu", "w") as out:
            out.write(text)
        done = subprocess.run([nvcc, "-fmad=false", "-rdc=true", "-Werror", "all-warnings", "-c", "all.cu", "-o", "all.o"],
                              capture_output=True, text=True)
        check("export: nvcc compiles CUDA", done.returncode == 0, done.stdout + done.stderr)


def check_compiled(rows, told):
    """What is in all.json, as C and as CUDA, against what predict has told of the rows."""
    text, cuda = (grampus("export", "all.json", "--run", "all", "--format", form, "--simplify") for form in ("c", "cuda"))
    if shutil.which("cc") and shutil.which("c++"):
        in_c = compiled(text, len(told), "cc", "-std=gnu11", "-x", "c")(rows + NO_ROWS)
        in_cuda = compiled(ON_PROCESSOR + cuda, len(told), "c++", "-std=gnu++17", "-ffp-contract=off", "-Wno-unknown-pragmas",
                           "-x", "c++")(rows + NO_ROWS)
        here = 2 * len(told) * len(rows)
        check_bits("C", in_c[:here], told)
        check_bits("CUDA compiled for the processor", in_cuda[:here], told)
        check("export: CUDA gives the bits of C where inputs are infinite or no numbers", in_cuda[here:] == in_c[here:] != [])
    check_nvcc(cuda)


def check_exported(best):
    """Programs of every operation, exported to C, CUDA and NumPy, against predict: to the bit, and nearly so."""
    rows = [tuple(random.uniform(0.5, 3.0) for _ in range(3)) for _ in range(20)]  # of moderate size
    rows += [tuple(random.uniform(-3.0, 3.0) for _ in range(3)) for _ in range(20)]
    rows += [tuple(random.choice([1, -1]) * 10.0 ** random.uniform(-300, 300) for _ in range(3)) for _ in range(40)]
    rows += [tuple(random.choices(SPECIAL, k=3)) for _ in range(100)]
    programs = every_operation()
    with open("all.csv", "w") as out:
        out.write("x,z,w\n" + lines_of(rows))
    with open("all.json", "w") as out:
        json.dump({**best, "infix": "x + z + w", "runs": [{"infix": program} for program in programs]}, out)
    told = [[float(o) for o in grampus("predict", "all.json", "--data", "all.csv", "--run", str(k)).split()] for k in range(len(programs))]
    numbers = len({bits_of(o) for one in told for o in one[:40]})
    check("export: the programs give many numbers", numbers > 1200, numbers)
    check_compiled(rows, told)
    try:
        import numpy
    except ImportError:
        return
    space = {}
    exec(grampus("export", "all.json", "--run", "all", "--format", "numpy"), space)
    x = numpy.array(rows[:20])
    values = numpy.array([space[f"program_{k}"](x) for k in range(len(programs))])
    near = numpy.isclose(values, [told[k][:20] for k in range(len(programs))], rtol=1e-11, atol=0, equal_nan=True)
    check("export: NumPy gives them nearly", values.dtype == numpy.float64 and near.mean() > 0.99, near.mean())


def targets(rows):
    return [(x - z) * (x - z) for x, z in rows]


def main():
    random.seed(5)
    rows = [(1e8 + random.random(), 1e8 + random.random()) for _ in range(1500)]
    with tempfile.TemporaryDirectory() as home:
        os.chdir(home)
        with open("far.csv", "w") as out:
            out.write("x,z,y\n" + "".join(f"{x!r},{z!r},{y!r}\n" for (x, z), y in zip(rows, targets(rows))))
        with open("far.yaml", "w") as out:
            out.write("data: far.csv\ntarget: y\ngenotype: tree\nfunctions: +, -, *\npopulation: 300\ngenerations: 12\n"
                      "max-nodes: 30\nseed: 2\ndevice: cpu\npredictions: 300\nprecision: double\n")
        single, double = run("single", "--precision", "single")[0], run("double", "--threads", "1")
        best = double[0]
        check("doubles solve it", best["recomputed_fitness"] == 0 and best["fitness"] == 0, best)
        check("single precision does not", single["recomputed_fitness"] > 0.1, single)
        for name, arguments, environment in (("two threads", ("--threads", "2"), {}),
                                             ("AVX2", (), {"GRAMPUS_ISA": "avx2"}),
                                             ("no vectors", (), {"GRAMPUS_ISA": "baseline"}),
                                             ("every program evaluated", ("--evaluate-once", "off"), {})):
            other = run(name, *arguments, **environment)
            check(f"the same: {name}", other[1:] == double[1:] and other[0]["infix"] == best["infix"], other[0])
        run("half", "--generations", "5", "--checkpoint", "1e-9", "--epoch", "2")
        grampus("resume", folder_of("half"), "--generations", "12", "--quiet")
        with open(os.path.join(folder_of("half"), "programs.tsv")) as file:
            check("the same: split by a checkpoint", file.read() == double[2])
        check("repeated by verify", grampus("verify", folder_of("double")).startswith("the same: 13 rows"))
        outputs = grampus("predict", folder_of("double"), "--data", "far.csv").split()
        check("predict prints all digits", [float(o) for o in outputs] == targets(rows), outputs[:3])
        alone = shutil.copy(os.path.join(folder_of("double"), "best.json"), "alone.json")
        outputs = grampus("predict", alone, "--data", "far.csv").split()
        check("predict without run.yaml does too", [float(o) for o in outputs] == targets(rows), outputs[:3])
        told = [next(word for word in ("double", "float") if f"__device__ {word} program(" in grampus("export", one, "--format", "cuda"))
                for one in (alone, folder_of("double"), folder_of("single"))]
        check("export: CUDA is over what the run was over", told == ["double", "double", "float"], told)
        check_exported(best)
        check("best.json says double alone", best["precision"] == "double" and "precision" not in single, best)
        outputs = grampus("eval", "--expression", "x / z - 1", "--data", "far.csv", "--precision", "double").split()
        check("eval is Python's", [float(o) for o in outputs] == [x / z - 1.0 for x, z in rows], outputs[:3])
        json_text = grampus("eval", "--expression", "x - z", "--data", "far.csv", "--precision", "double", "--json")
        check("eval --json is Python's", json.loads(json_text)["predictions"] == [x - z for x, z in rows])
        # the error of an expression is a double too: not the float that runs compare, which ends at 3.4e38
        with open("sizes.csv", "w") as out:
            out.write("x,y\n" + "".join(f"{k},{k}e300\n" for k in range(1, 5)))
        for metric, expression, fitness in (("mae", "x", 2.5e300), ("max-error", "x", 4e300), ("hits", "x", 0)):
            said = grampus("eval", "--expression", expression, "--data", "sizes.csv", "--target", "y", "--metric", metric,
                           "--precision", "double").split("\n")[-2]
            check(f"eval: {metric} of 1e300", said == f"{metric}: {fitness:.9g}", said)
        said = json.loads(grampus("eval", "--expression", "(x - z) * (x - z) + (x - x)", "--data", "far.csv", "--target", "y",
                                  "--metric", "mae", "--precision", "double", "--json"))["fitness"]
        check("eval: an error of 0", said == 0, said)
        mean = sum(abs(x - z - y) for (x, z), y in zip(rows, targets(rows))) / len(rows)
        said = json.loads(grampus("eval", "--expression", "x - z", "--data", "far.csv", "--target", "y", "--metric", "mae",
                                  "--precision", "double", "--json"))["fitness"]
        check("eval: nine digits of a double", math.isclose(said, mean, rel_tol=1e-9), (said, mean))
        for count in (1, 2):  # the smallest
            with open("few.csv", "w") as out:
                out.write("x,z,y\n" + "".join(f"{x!r},{z!r},{(x - z)!r}\n" for x, z in rows[:count]))
            found = run(f"few{count}", "--data", "few.csv", "--population", "50", "--predictions", "50")[0]
            check(f"{count} cases", found["recomputed_fitness"] == 0, found)
    return FAILED > 0


if __name__ == "__main__":
    sys.exit(main())

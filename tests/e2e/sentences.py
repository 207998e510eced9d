#!/usr/bin/env python3
"""Every genome maps to a sentence of its grammar or is invalid for a stated reason, under every mapping convention; and
a sentence leads back to a genome that maps to it. Grammars are read and sentences recognised (Earley) here, by code
that shares nothing with the program. Python's standard library only."""
import glob
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from decimal import Decimal

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tests"))

from program import find_program

GRAMPUS = find_program()
SHARED = os.environ.get("GRAMPUS_SHARED", os.path.join(os.path.dirname(ROOT), "shared"))
REASONS = {"invalid: out of codons", "invalid: deeper than max-depth", "invalid: too many expansions"}
LONGEST = 100  # texts that the recogniser is asked about
SANITIZE = bool(os.environ.get("SANITIZE"))  # they look at code, not at values: a third of the conventions a grammar
GENOMES = 20 if SANITIZE else 40

CONVENTIONS = [["--codon-consumption", c, "--wrap-rule", w] for c in ("eager", "lazy")
               for w in ("codons", "ponyge-linear", "geva")]
CONVENTIONS += [["--mapping", "pi"] + c for c in CONVENTIONS if "ponyge-linear" not in c]
CONVENTIONS = [c + ["--max-wraps", "1", "--max-depth", "20"] for c in CONVENTIONS]
STRUCTURED = ["--genotype", "structured", "--max-depth", "8", "--max-genome-length", "20000"]

TOKEN = re.compile(r"""\#[^\n]* | "(?P<a>[^"\n]*)" | '(?P<b>[^'\n]*)' | <(?P<rule>[^<>\s]+)>\s*::= |
                       <(?P<name>GECodonValue\S*?[}\])]|[^<>\s]+)> | (?P<bar>\|) | (?P<text>(?s:.))""", re.X)


class Grammar:
    def __init__(self, path, n_vars):
        self.rules, self.start = {}, None
        production, name = None, None
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for match in TOKEN.finditer(text):
            if match["rule"]:
                self.close(name, production, n_vars)
                name, production = match["rule"], []
                self.start = self.start or name
            elif match["bar"]:
                self.close(name, production, n_vars)
                production = []
            elif name and (match["a"] is not None or match["b"] is not None):
                production.append(("quoted", match["a"] if match["a"] is not None else match["b"]))
            elif name and match["name"]:
                production.append(("rule", match["name"]))
            elif name and match["text"]:
                production.append(("text", match["text"]))
        self.close(name, production, n_vars)

    def close(self, name, production, n_vars):
        """Adds a production: spaces go at its ends, texts that touch become one."""
        if name is None:
            return
        for end in (0, -1):
            while production and production[end][0] == "text" and production[end][1].isspace():
                production.pop(end)
        symbols = []
        for kind, text in production:
            if kind == "rule":
                symbols.append((text,))
            elif symbols and isinstance(symbols[-1], str):
                symbols[-1] += text
            else:
                symbols.append(text)
        own = self.rules.setdefault(name, [])
        if len(symbols) == 1 and isinstance(symbols[0], str) and symbols[0].startswith("GE_RANGE:"):
            n = symbols[0].split(":")[1]
            own.extend([str(k)] for k in range(n_vars if n == "dataset_n_vars" else int(n)))
        elif symbols:
            own.append(symbols)

    def matches(self, symbol, text, at):
        """Ends of a terminal that begins at a place."""
        if isinstance(symbol, str):
            return [at + len(symbol)] if text.startswith(symbol, at) else []
        spec, ends = symbol[0][len("GECodonValue"):], []
        if spec.startswith("{"):
            return [at + len(word) for word in spec[1:-1].split(",") if text.startswith(word, at)]
        low, high = re.fullmatch(r"[\[(](.+),(.+)[\])]|", spec).groups() if not spec.startswith("-") else \
            re.fullmatch(r"-(-?\d+)\+(-?\d+)", spec).groups()
        number = r"-?(0|[1-9]\d*)" + (r"\.\d{6}" if "." in spec else "")
        for end in range(at + 1, min(len(text), at + 20) + 1):
            if re.fullmatch(number, text[at:end]) and not re.fullmatch(r"-[0.]+", text[at:end]) and \
                    Decimal(low or "0") <= Decimal(text[at:end]) <= Decimal(high or "100000"):
                ends.append(end)
        return ends

    def is_coarse(self):
        """Whether some numbers of a range are no codon's value, which matches() does not know."""
        return any("." in s[0] for own in self.rules.values() for p in own for s in p if isinstance(s, tuple))

    def derives(self, text):
        """Whether text is a sentence: Earley's items, in whatever order they come."""
        seen, waiting, done = set(), defaultdict(list), defaultdict(set)
        agenda = [(self.start, k, 0, 0, 0) for k in range(len(self.rules[self.start]))]
        predicted = {(self.start, 0)}
        while agenda:
            item = agenda.pop()
            if item in seen:
                continue
            seen.add(item)
            rule, k, dot, origin, at = item
            production = self.rules[rule][k]
            if dot == len(production):
                if at not in done[rule, origin]:
                    done[rule, origin].add(at)
                    agenda += [(r, p, d + 1, o, at) for r, p, d, o, _ in waiting[rule, origin]]
            elif isinstance(production[dot], tuple) and production[dot][0] in self.rules:
                name = production[dot][0]
                waiting[name, at].append(item)
                if (name, at) not in predicted:
                    predicted.add((name, at))
                    agenda += [(name, p, 0, at, at) for p in range(len(self.rules[name]))]
                agenda += [(rule, k, dot + 1, origin, end) for end in done[name, at]]
            else:
                agenda += [(rule, k, dot + 1, origin, end) for end in self.matches(production[dot], text, at)]
        return len(text) in done[self.start, 0]


def run(verb, options, values):
    done = subprocess.run([GRAMPUS, verb, *options], input="".join(json.dumps(value) + "\n" for value in values),
                          capture_output=True, text=True)
    return done.stdout.splitlines(), done.stderr


def genomes(options, base, rng):
    if options != STRUCTURED:
        return [[rng.randrange(100001) for _ in range(rng.randint(1, 70))] for _ in range(GENOMES)]
    # the message says how many genes there are
    _, error = run("map", base + options + ["--genomes", "-"], [[]])
    count = re.search(r"expected (\d+), the lists", error)
    return [[rng.randrange(8) for _ in range(int(count[1]) if count else 1)] for _ in range(GENOMES)]


def check(path, n_vars, options):
    """(sentences, what is wrong)"""
    rng, grammar = random.Random(os.path.basename(path) + str(options)), Grammar(path, n_vars)
    base = ["--grammar", path] + (["--n-vars", str(n_vars)] if n_vars else [])
    all_genomes = genomes(options, base, rng)
    lines, error = run("map", base + options + ["--json", "--genomes", "-"], all_genomes)
    plain, _ = run("map", base + options + ["--genomes", "-"], all_genomes)
    answers = [json.loads(line) for line in lines]
    if len(answers) != GENOMES:
        return 0, error.strip()
    reasons = [line for line in plain if line.startswith("invalid: ")]
    if len(reasons) != sum(not answer["valid"] for answer in answers) or set(reasons) - REASONS:
        return 0, f"reasons {set(reasons)}"
    texts = list(dict.fromkeys(answer["phenotype"] for answer in answers if answer["valid"]))
    texts = [text for text in texts if len(text) <= LONGEST]
    for text in texts:
        if not grammar.derives(text):
            return 0, f"no sentence: {text!r}"
    back = options[:]
    for option in ("--wrap-rule", "--max-wraps"):  # `parse` writes a genome that needs no wraps
        if option in back:
            del back[back.index(option):back.index(option) + 2]
    found, error = run("parse", base + back + ["--json", "--strings", "--phenotypes", "-"], texts)
    parsed = [json.loads(line) for line in found]
    if len(parsed) != len(texts) or not all(answer["valid"] for answer in parsed):
        return 0, f"parse: {error.strip() or parsed}"[:300]
    again, error = run("map", base + back + ["--json", "--genomes", "-"],
                       [answer["genome"] or [0] for answer in parsed])
    if [json.loads(line)["phenotype"] for line in again] != texts:
        return 0, f"parsed and mapped again: {error}{again}"[:300]
    return len(texts), ""


def damaged(path, n_vars):
    """The program's own parser against the recogniser, on texts that lack a character or have one twice."""
    rng, grammar = random.Random(os.path.basename(path)), Grammar(path, n_vars)
    base = ["--grammar", path] + (["--n-vars", str(n_vars)] if n_vars else [])
    lines, _ = run("map", base + ["--json", "--genomes", "-"], genomes([], base, rng))
    texts = []
    if grammar.is_coarse():
        return 0, ""
    for answer in map(json.loads, lines):
        text = answer["phenotype"] or ""
        if 0 < len(text) <= LONGEST // 2:
            at = rng.randrange(len(text))
            texts += [text[:at] + text[at + 1:], text[:at] + text[at] + text[at:]]
    found, _ = run("parse", base + ["--json", "--strings", "--phenotypes", "-"], texts)
    wrong = [text for text, line in zip(texts, found) if json.loads(line)["valid"] != grammar.derives(text)]
    return len(texts), f"parse and recogniser disagree on {wrong[0]!r}" if wrong else ""


DEGENERATE = {  # one sentence, or nothing but a codon's value to choose
    "one-production": "<s> ::= x\n",
    "no-choice": "<s> ::= <t>+<u>\n<t> ::= x\n<u> ::= y<t>\n",
    "a-value": "<s> ::= <GECodonValue[0,9]>\n",
    "values": "<s> ::= <t>*<GECodonValue-2+2>\n<t> ::= (<GECodonValue[1,3]>)\n",
    "one-after-another": "<s> ::= a<s> | ''\n",
}


def degenerate(folder):
    for name, text in DEGENERATE.items():
        path = os.path.join(folder, name + ".bnf")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        yield path, 0


def main():
    with tempfile.TemporaryDirectory() as folder:
        return check_all(folder)


def check_all(folder):
    grammars = [(path, 6) for pattern in ("grammars/*.bnf", "tests/golden/conventions/*.bnf",
                                          "tests/differential/field.bnf")
                for path in sorted(glob.glob(os.path.join(ROOT, pattern)))]
    cases = os.path.join(SHARED, "cases", "ge")
    if os.path.isdir(cases):
        grammars += [(os.path.join(cases, name + ".bnf"), n_vars) for name, n_vars in (
            ("Vladislavleva4", 0), ("Keijzer6", 0), ("Banknote", 0), ("Dow", 0), ("supervised_learning", 5),
            ("boolean", 6))]
    few = list(degenerate(folder))
    good = True
    for turn, (path, n_vars) in enumerate(grammars + few):
        least = 0 if (path, n_vars) in few else 15 if SANITIZE else 50
        conventions = (CONVENTIONS + [STRUCTURED])[turn % 3 if SANITIZE else 0::3 if SANITIZE else 1]
        name, sentences, problem = os.path.basename(path), 0, ""
        for options in conventions:
            count, wrong = check(path, n_vars, options)
            sentences += count
            if wrong and not problem:
                problem = f"; {' '.join(options)}: {wrong}"
        others, wrong = damaged(path, n_vars)
        problem = problem or (f"; {wrong}" if wrong else "")
        good &= not problem and sentences > least
        print(f"{'ok' if not problem and sentences > least else 'not ok'} - sentences: {name}, {sentences} under "
              f"{len(conventions)} conventions recognised and led back, {others} damaged ones judged alike{problem}")
    return 0 if good else 1


sys.exit(main())

#!/usr/bin/env python3
"""Writes grampus/_parameters.py from host/settings/settings.def: every key of run files that means something for arrays, as
a keyword of the estimators with the same default. tests/test_parameters.py fails where the file is not what this writes.

    generate.py > grampus/_parameters.py"""
import os
import re
import sys
import textwrap

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
LINE = re.compile(r'^GR_SETTING\((\w+), "([^"]+)", \w+, "([^"]*)", [^,]+, [^,]+, (.*?), "(\w+)", "((?:[^"\\]|\\.)*)"\)$')

# Keys that are no keywords: fit() has the cases (some keys draw from them all the same), and the library writes no files.
NO_CASES = "Problem"
OF_CASES = ["data-seed", "validation-fraction", "probe-cases", "target-scaling"]
NO_FILES = ["name", "checkpoint", "output", "statistics", "predictions", "ponyge2-statistics", "progress", "quiet", "json"]


def settings(root=ROOT):
    """(kind, key, default, words, group, help) of every setting"""
    with open(os.path.join(root, "host/settings/settings.def")) as f:
        lines = [line.rstrip("\n") for line in f if line.startswith("GR_SETTING(")]
    found = [LINE.match(line) for line in lines]
    bad = [line for line, match in zip(lines, found) if not match]
    if bad:
        sys.exit("generate.py: not understood: " + bad[0])
    return [match.groups() for match in found]


def is_keyword(key, group):
    return (group != NO_CASES or key in OF_CASES) and key not in NO_FILES


def python_default(kind, key, default):
    if key == "grammar":
        return "None"
    if kind in ("U32", "U64", "REAL") and re.fullmatch(r"[0-9.e+-]+", default):
        return str(int(default) if kind != "REAL" else float(default))
    if kind == "BOOL":
        return default.capitalize()
    return repr(default).replace("'", '"')


def write(out):
    keywords = [s for s in settings() if is_keyword(s[1], s[4])]
    out.write('"""Made by generate.py from host/settings/settings.def: keywords of the estimators. Do not edit."""\n\n'
              "from __future__ import annotations\n\n"
              "from typing import Optional, Union\n\n"
              "#: keyword -> key of run files\n"
              "KEYS = {\n")
    for _, key, *_ in keywords:
        out.write('    "%s": "%s",\n' % (key.replace("-", "_"), key))
    out.write("}\n\n#: keyword -> what it does, as `grampus run --help` says\nHELP = {\n")
    for _, key, _, _, _, help in keywords:
        out.write('    "%s": "%s",\n' % (key.replace("-", "_"), help))
    types = {"U32": "int", "U64": "int", "REAL": "float", "BOOL": "bool", "ENUM": "str", "TEXT": "str", "PATH": "str"}
    out.write('}\n\n\nclass Parameters:\n    """Keywords of the estimators, by name and default those of run files.\n')
    group = ""
    for kind, key, default, words, own, help in keywords:
        if own != group:
            out.write("\n    %s\n" % own)
            group = own
        text = "%s: %s" % (key.replace("-", "_"), help.replace('\\"', '"').replace("\\", "\\\\"))
        out.write(textwrap.fill(text, 116, initial_indent="        ", subsequent_indent="            ") + "\n")
    out.write('    """\n\n    def __init__(\n        self,\n        *,\n')
    for kind, key, default, words, *_ in keywords:
        value = python_default(kind, key, default)
        annotation = types[kind]
        if key == "grammar":
            annotation = "Optional[str]"
        elif value.startswith('"') and annotation in ("int", "float"):
            annotation = "Union[%s, str]" % annotation
        out.write("        %s: %s = %s,\n" % (key.replace("-", "_"), annotation, value))
    out.write("        max_time: Optional[float] = None,\n"
              "        random_state=None,\n"
              "        warm_start: bool = False,\n"
              "        n_jobs: Optional[int] = None,\n"
              "    ):\n")
    for _, key, *_ in keywords:
        out.write("        self.{0} = {0}\n".format(key.replace("-", "_")))
    for name in ("max_time", "random_state", "warm_start", "n_jobs"):
        out.write("        self.{0} = {0}\n".format(name))


if __name__ == "__main__":
    write(sys.stdout)

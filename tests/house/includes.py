#!/usr/bin/env python3
"""Includes point one way: reads every #include of gpu and host and fails on a room that includes one it may not, on files
that include each other in a circle, on a path that is not written from the root, on a room without a README.md, and on
unit tests in a folder that is named after none.

    tests/house/includes.py [ROOT]"""
import os
import re
import sys

# Rooms in order: one may include those on the lines above it, and itself. Rooms of one line do not know each other.
CORE = """
gpu/core/base
gpu/core/program
gpu/core/mapping
gpu/core/state
gpu/core/fitness gpu/core/genotype
gpu/core/fitting
gpu/core/variation
gpu/core/selection
gpu/core/lexicase
gpu/core/breeding
gpu/backend
"""
# gpu never includes host, host nothing of gpu but what is above: both go on from there.
GPU = """
gpu/interpreter
gpu/kernels
gpu
"""
HOST = """
host/base host/cpu
host/expression
host/settings host/grammar
host/table host/ponyge2 host/derivation host/device host/export
host/data host/units
host/problem host/spread
host/statistics host/law
host/run
host/checkpoint
host/inference
host/experiment
host/report
host/library host/bench
host/cli
host/mpi
"""
# Folders that hold rooms and no code.
HALLS = ["gpu/core", "host"]

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
CODE = (".c", ".h", ".cu", ".cuh", ".def")


def orders():
    """room -> the rooms it may include"""
    may = {}
    for further in (GPU, HOST):
        above = set()
        for line in (CORE + further).split("\n"):
            for room in line.split():
                may[room] = above | {room}
            above = above | set(line.split())
    return may


def read_files(root):
    """path -> the quoted includes"""
    files = {}
    for top in ("gpu", "host"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in names:
                if name.endswith(CODE):
                    path = os.path.join(folder, name)
                    with open(path, encoding="utf-8") as file:
                        files[os.path.relpath(path, root)] = INCLUDE.findall(file.read())
    return files


def check_directions(files, may, wrong):
    for path, includes in sorted(files.items()):
        room = os.path.dirname(path)
        if room not in may:
            wrong.append(f"{path}: {room} is no room; expected one of those in tests/house/includes.py")
            continue
        for include in includes:
            if include not in files:
                wrong.append(f'{path}: "{include}" is no file of gpu or host; expected a path from the root')
            elif os.path.dirname(include) not in may[room]:
                wrong.append(f"{path}: {room} includes {include}; expected nothing of {os.path.dirname(include)}")


def find_circle(edges):
    """The first circle of a graph as a list of its nodes, or None."""
    state = {}

    def visit(node, path):
        state[node] = 1
        for to in sorted(edges.get(node, ())):
            if state.get(to) == 1:
                return path[path.index(to):] + [to]
            if to not in state:
                found = visit(to, path + [to])
                if found:
                    return found
        state[node] = 2
        return None

    for node in sorted(edges):
        if node not in state:
            found = visit(node, [node])
            if found:
                return found
    return None


def units_of(files):
    """A source and its header as one: what each such pair includes of other pairs, also by headers that have no source
    of their own."""
    stem = {path: os.path.splitext(path)[0] for path in files}
    sources = {stem[path] for path in files if path.endswith((".c", ".cu"))}
    headers = {stem[path] for path in files if path.endswith((".h", ".cuh"))}
    pairs = sources & headers
    edges = {}
    for path in files:
        if stem[path] in pairs:
            seen, open_ = set(), list(files[path])
            while open_:
                include = open_.pop()
                if include in seen or include not in files:
                    continue
                seen.add(include)
                if stem[include] not in pairs:
                    open_ += files[include]
                elif stem[include] != stem[path]:
                    edges.setdefault(stem[path], set()).add(stem[include])
    return edges


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    may, files, wrong = orders(), read_files(root), []
    check_directions(files, may, wrong)
    for what, edges in (("files", {p: set(i) for p, i in files.items()}), ("files", units_of(files))):
        circle = find_circle(edges)
        if circle:
            wrong.append(f"{what} in a circle: " + " -> ".join(circle))
    for room in list(may) + HALLS:
        if not os.path.isfile(os.path.join(root, room, "README.md")):
            wrong.append(f"{room}: no README.md; expected its promise and what it may include")
    for room in may:
        if not any(os.path.dirname(path) == room for path in files):
            wrong.append(f"{room}: an empty room; expected files, or no such line in tests/house/includes.py")
    unit = os.path.join(root, "tests", "unit")
    for folder, _, names in sorted(os.walk(unit)):
        room = os.path.relpath(folder, unit)
        if any(name.endswith(".c") for name in names) and not os.path.isdir(os.path.join(root, room)):
            wrong.append(f"tests/unit/{room}: there is no room {room}; expected tests where their room is")
    for line in wrong:
        print(line)
    print(f"{len(files) + len(may) - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

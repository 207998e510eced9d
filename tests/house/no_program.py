#!/usr/bin/env python3
"""Every script that starts grampus says in one line that there is none, before anything else; and none has the name of a module
of Python's own, which those beside it would import in its place. Python's standard library only."""
import glob
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NOWHERE = os.path.join(ROOT, "tests", "nowhere", "grampus")
failed = 0


def scripts():
    for path in sorted(f for kind in ("e2e/*.py", "e2e/*.sh", "differential/*.py", "faults/*.py", "fuzz/*.py")
                       for f in glob.glob(os.path.join(ROOT, "tests", kind))):
        with open(path) as file:
            text = file.read()
        if "find_program()" in text or "/lib\"\n" in text:
            yield path, {"GRAMPUS": NOWHERE}, []
        elif "find_program(options.grampus)" in text:
            yield path, {}, ["--grampus", NOWHERE]


def main():
    global failed
    for path, more, arguments in scripts():
        command = ["sh" if path.endswith(".sh") else sys.executable, path, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **more}, stdin=subprocess.DEVNULL, timeout=60)
        good = (done.returncode, done.stderr.count("\n")) == (2, 1) and done.stderr.startswith(NOWHERE + ": no program; expected")
        failed += not good
        print(f"{'ok' if good else 'not ok'} - {os.path.relpath(path, ROOT)}")
        if not good:
            print(f"#   exit code {done.returncode}: {done.stderr[-200:]!r}")
    own = [f for f in glob.glob(os.path.join(ROOT, "tests", "*", "*.py"))
           if os.path.basename(f)[:-3] in getattr(sys, "stdlib_module_names", ())]
    failed += len(own)
    print(f"{'not ok' if own else 'ok'} - names of modules: {', '.join(own) or 'none'}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())

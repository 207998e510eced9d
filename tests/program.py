"""The program that the scripts of these tests start."""
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def find_program(path=None):
    """Its whole path: that of $GRAMPUS where none is given. One line and exit code 2 where there is none."""
    path = os.path.abspath(path or os.environ.get("GRAMPUS") or os.path.join(ROOT, "build", "grampus"))
    if not os.path.isfile(path) or not os.access(path, os.X_OK):
        print(f"{path}: no program; expected grampus, which make builds there, or as GRAMPUS or --grampus names it", file=sys.stderr)
        sys.exit(2)
    return path

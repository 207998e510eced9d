#!/usr/bin/env python3
"""Runs all fuzz targets that `make fuzz` built, as many side by side as there are processors, each for so many seconds of
one processor: where several work on one target, they share them.

    fuzz.py BUILD SECONDS

BUILD: where the targets are (build/fuzz). Each starts from its seeds, in folders of its own; what it finds is left in
BUILD/found, and shown by the line that the sanitizer or libFuzzer sums it up with. Python's standard library only."""
import concurrent.futures
import glob
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def fuzz(target, number, seconds, found):
    """Inputs tried; what was found, or None."""
    name = os.path.basename(target).removeprefix("fuzz_")
    with tempfile.TemporaryDirectory() as corpus:
        command = [target, f"-max_total_time={seconds}", f"-seed={number + 1}", "-timeout=30", "-rss_limit_mb=3000",
                   f"-artifact_prefix={found}/{name}-", corpus, os.path.join(ROOT, "tests/fuzz/seeds", name)]
        if name == "grammar":
            command.append(os.path.join(ROOT, "grammars"))
        said = subprocess.run(command, cwd=corpus, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    done = re.search(r"^Done (\d+) runs", said.stderr, re.M) or re.findall(r"^#(\d+)", said.stderr, re.M)
    tried = int(done[1] if isinstance(done, re.Match) else done[-1]) if done else 0
    if said.returncode == 0:
        return name, tried, None
    summary = re.search(r"^(SUMMARY|ERROR|==\d+==).*", said.stderr, re.M)
    return name, tried, summary[0] if summary else f"exit code {said.returncode}"


def main():
    build, seconds = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    targets = sorted(t for t in glob.glob(os.path.join(build, "tests/fuzz/fuzz_*")) if os.access(t, os.X_OK))
    found = os.path.join(build, "found")
    os.makedirs(found, exist_ok=True)
    processors = os.cpu_count() or 1
    copies = max(1, processors // max(1, len(targets)))
    seconds = max(1, seconds // copies)
    work = [(t, n) for n in range(copies) for t in targets]
    sums, wrong = {}, {}
    with concurrent.futures.ThreadPoolExecutor(processors) as pool:
        for name, tried, what in pool.map(lambda w: fuzz(*w, seconds, found), work):
            sums[name] = sums.get(name, 0) + tried
            wrong[name] = wrong.get(name) or what
    for name, tried in sums.items():
        print(f"{'not ok' if wrong[name] or not tried else 'ok'} - {name}: {tried} inputs{', ' if wrong[name] else ''}"
              f"{wrong[name] or ''}")
    print(f"# {sum(sums.values())} inputs of {len(sums)} targets, {sum(bool(w) for w in wrong.values())} found faults")
    return any(wrong.values()) or not sums or not all(sums.values())


if __name__ == "__main__":
    sys.exit(main())

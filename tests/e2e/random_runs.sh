#!/bin/sh
# Random run files over all settings: threads, epochs and vector units change nothing of what they give.
. "$(dirname "$0")/lib"

digests() {
    python3 "$ROOT/tests/differential/digests.py" --grampus "$GRAMPUS" --count 40 --seed 7 --no-problems "$@" >out 2>err
}

if has_python; then
    check "random runs: one thread" digests --output once --keep kept
    check "random runs: nearly all are accepted" [ "$(grep -vc ' refused-' once)" -ge 38 ]
    check "random runs: two threads, epochs of one" digests --threads 2 --option epoch=1 --check once --keep kept
    GRAMPUS_ISA=baseline
    export GRAMPUS_ISA
    check "random runs: epochs of seven, no vector units" digests --option epoch=7 --check once --keep kept
else
    skip "random runs" "no python3"
fi
exit $FAILED

#!/bin/sh
# Calls of the system that fail, some of each kind; all of them: make prove.
. "$(dirname "$0")/lib"
SHIM=$(dirname "$GRAMPUS")/tests/faults/shim.so

if ! has_python; then
    skip "faults" "no python3"
elif [ ! -e "$SHIM" ]; then
    skip "faults" "no $SHIM"
else
    check "faults: files, memory" python3 "$ROOT/tests/faults/walk.py" --grampus "$GRAMPUS" --shim "$SHIM" --every 12 --memory 120
fi
exit $FAILED

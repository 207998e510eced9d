#!/bin/sh
# Random run files over all settings: threads, epochs, vector units and batches change nothing of what they give, and that
# is what it was (tests/golden/digests.txt).
. "$(dirname "$0")/lib"

many=50 few=12
[ -z "$SANITIZE" ] || many=16 few=4 # slower by ten times
if has_python; then
    python3 "$ROOT/tests/differential/sameness.py" --grampus "$GRAMPUS" --count $many --seed 7 \
        --pinned "$ROOT/tests/golden/digests.txt" >out 2>err
    code=$?
    sed 's/^/# /' out
    check "random runs: the same in all ways" [ $code -eq 0 ]
    python3 "$ROOT/tests/differential/sameness.py" --grampus "$GRAMPUS" --count $few --seed search-7 >out 2>err
    code=$?
    sed 's/^/# /' out
    check "random runs of later settings: the same in all ways" [ $code -eq 0 ]
else
    skip "random runs" "no python3"
fi
exit $FAILED

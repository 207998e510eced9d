#!/bin/sh
# Runs over several GPUs of this host (host/spread): the bytes of one, and of the CPU. With one GPU nothing is to be done.
. "$(dirname "$0")/../e2e/lib"

if [ "$("$GRAMPUS" devices | grep -c '^card ')" -lt 2 ]; then
    skip "runs over several GPUs" "there is one"
    exit 0
fi
grampus devices --json
check_json "devices: links and NCCL" out "len(v['cards']) > 1 and v['links'][0]['by'] and v['nccl'][0].isdigit()"
if has_python; then
    check "random runs over one, two and all cards" python3 "$ROOT/tests/differential/sameness.py" --grampus "$GRAMPUS" \
        --device cards --count 24 --seed search-21 --jobs 6
    check "resumed on another number of cards" python3 "$ROOT/tests/differential/splits.py" --grampus "$GRAMPUS" \
        --devices cpu,cuda,cuda@2 --count 2 --seed search-22 --jobs 6
else
    skip "random runs over several cards" "no python3"
fi
rejects "a card that is not there" 2 "there is no device 99" run small.yaml --devices 0,99
rejects "a card twice" 2 "stands there twice" run small.yaml --devices 0,0
exit $FAILED

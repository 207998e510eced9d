#!/bin/sh
# Cases in arrays, in doubles too, populations and fronts of the library, on the device.
. "$(dirname "$0")/../e2e/lib"

for test in arrays doubles populations; do
    check "$test" env GRAMPUS_TEST_DEVICE=cuda "$(dirname "$GRAMPUS")/tests/unit/host/library/test_$test"
done
exit $FAILED

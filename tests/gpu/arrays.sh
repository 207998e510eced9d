#!/bin/sh
# Cases in arrays, populations and fronts of the library, on the device.
. "$(dirname "$0")/../e2e/lib"

check "arrays, populations, fronts" env GRAMPUS_TEST_DEVICE=cuda "$(dirname "$GRAMPUS")/tests/unit/host/library/test_arrays"
exit $FAILED

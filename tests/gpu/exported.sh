#!/bin/sh
# Random programs as CUDA device functions, over floats, words and doubles, compiled by nvcc and run on the card: the
# engine's bits.
. "$(dirname "$0")/../e2e/lib"
PATH=$PATH:${CUDA_HOME:-/usr/local/cuda}/bin

if command -v nvcc >/dev/null; then
    "$(dirname "$GRAMPUS")/tests/property/export" 400 1 cuda >out 2>err
    code=$?
    sed 's/^/# /' out
    check "exported device functions give the engine's bits" [ "$code" -eq 0 ]
else
    skip "exported device functions" "no nvcc"
fi
exit $FAILED

#!/bin/bash
# Installs the Python package into the environment at hand, without sudo: a wheel (GRAMPUS=/path/to/grampus-*.whl, made by
# tools/python/wheel, which brings all it needs) or a checkout (GRAMPUS=/path/to/grampus; needs what tools/setup names).
set -eu
: "${GRAMPUS:?expected GRAMPUS=, a wheel or a checkout of the repository}"
[ ! -d "$GRAMPUS" ] || GRAMPUS=$GRAMPUS/tools/python
python -m pip install --no-input "$GRAMPUS"
python -c 'import grampus; print("grampus", grampus.version())'

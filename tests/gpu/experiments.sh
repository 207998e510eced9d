#!/bin/sh
# Cells of an experiment that share the card, each on its own stream: the tables of cells one by one, and of the CPU;
# and figures in the first line of progress, within an epoch.
. "$(dirname "$0")/../e2e/lib"

for device in cuda cpu; do
    mkdir $device
    cat >$device/shared.yaml <<END
genotype: grammar
grammar: $ROOT/grammars/quartic-prefix.bnf
target-expression: x0 + x0*x0 + x0*x0*x0 + x0*x0*x0*x0
variables: x0 = uniform(-1, 1)
train-cases: 128
metric: sae
target-fitness: 0.1
population: 64
generations: 40
epoch: 16
diversity: true
device: $device
runs: 20
grid:
  tournament: [2, 4, 7]
  crossover-probability: [0.3, 0.9]
  genotype: [grammar, structured]
END
done
grampus experiment cuda/shared.yaml --quiet --jobs 1 --output one
check "cells one by one" [ "$code" -eq 0 ]
for jobs in 4 12; do
    grampus experiment cuda/shared.yaml --quiet --jobs $jobs --output "by$jobs"
    check "$jobs cells on the card" [ "$code" -eq 0 ]
done
grampus experiment cpu/shared.yaml --quiet --output cpu
cat >same.py <<'END'
import sys
sys.path.insert(0, sys.argv[1])
from experiment import contents
a, b = (contents(f"{folder}/shared/results.sqlite") for folder in sys.argv[2:4])
for tables in (a, b):
    del tables["cell_settings"], tables["experiment"]  # which have the device, and when
wrong = [t for t in a if a[t] != b[t]]
print(wrong, len(a["generations"]))
sys.exit(bool(wrong) or len(a["generations"]) < 2000)
END
for other in by4 by12 cpu; do
    check "the tables of cells one by one and $other" python3 same.py "$ROOT/tests/e2e" one $other
done

grampus run small.yaml --device cuda --population 200000 --train-cases 20000 --generations 400 --epoch 1000 --max-nodes 60 \
    --target-fitness none --time-limit 9 --progress 0.2
check "the first line of progress has figures" sh -c "grep -m 1 '^generation' err | grep 'best [0-9].*valid .*size .* GPop/s'"
check "there are lines while an epoch goes on" [ "$(grep -c '^generation' err)" -ge 3 ]
exit $FAILED

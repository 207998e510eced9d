#!/bin/sh
# Whole runs by the program on the device: the same statistics and best with the graph and without, with any epoch,
# twice, on the CPU and on the GPU; and what moves between host and device does not grow with the population.
. "$(dirname "$0")/../e2e/lib"
PROBLEMS=$ROOT/problems

# run_to NAME ARGUMENTS...: statistics without the time in NAME.tsv, the best in NAME.best, all in NAME.json
run_to() {
    to=$1
    shift
    rm -rf results "$to".*
    grampus run "$@" --quiet
    [ "$code" -eq 0 ] || { sed 's/^/# /' err; return 1; }
    folder=$(echo results/*/*)
    awk -F '\t' -v OFS='\t' '{ NF--; print }' "$folder/statistics.tsv" >"$to.tsv"
    cp "$folder/best.json" "$to.json"
    grep -E '"(run|seed|generation|fitness|test_fitness|phenotype|infix|genome)"' "$folder/best.json" >"$to.best"
    [ -s "$to.best" ] && [ -s "$to.tsv" ]
}

field() { sed -n "s/.*\"$2\":[ \t]*\([0-9]*\).*/\1/p" "$1.json" | head -1; }

# compare NAME ARGUMENTS...: all ways of running it
compare() {
    of=$1
    file=$PROBLEMS/$1.yaml
    shift
    run_to graph "$file" "$@" --device cuda
    run_to stream "$file" "$@" --device cuda --no-graph
    run_to epochs "$file" "$@" --device cuda --epoch 4
    run_to again "$file" "$@" --device cuda
    run_to cpu "$file" "$@" --device cpu
    for other in stream epochs again cpu; do
        check "$of: graph and $other give the same statistics" cmp graph.tsv $other.tsv
        check "$of: graph and $other give the same best" cmp graph.best $other.best
    done
}

for problem in pospichal-quartic koza-sextic-tree multiplexer-11 vladislavleva-4; do
    compare $problem --generations 23 --runs 3
done
compare projectile --generations 23 --runs 3
compare papers/langdon-protein --generations 23 --runs 3 --deme-width 40 --deme-height 30
compare papers/langdon-mackey-glass --generations 23 --runs 3 --deme-width 35 --deme-height 20
compare papers/multiplexer-20-solved --generations 23 --runs 2 --population 700

# Fourteen fast operations on 41 inputs: four such runs, by direct jumps, had four results, as they did not wait for a
# load that the table has time for.
inputs=$(seq -s ', ' 1 41 | sed 's/[0-9][0-9]*/a&/g')
for k in table 1 2 3 4; do
    [ $k = table ] && export GRAMPUS_JUMPS=table || unset GRAMPUS_JUMPS
    run_to fast$k --genotype tree --target-expression '(a1 > a2) + (a3 > 0.5)' --variables "$inputs = uniform(-1, 1)" \
        --train-cases 100000 --metric misclassified --math fast --constant-probability 0.2 --constant-min -20000 \
        --constant-max 20000 --functions '+, -, *, /, >, <, ==, and, or, if, sin, cos, log, exp' --population 1000 \
        --generations 25 --tournament 7 --max-depth 50 --specialise always --target-fitness none --seed 1 --device cuda
    check "fourteen fast operations on 41 inputs: run $k as by the table" cmp fasttable.tsv fast$k.tsv
done

run_to few "$PROBLEMS/koza-sextic-tree.yaml" --device cuda --population 100 --generations 20
run_to many "$PROBLEMS/koza-sextic-tree.yaml" --device cuda --population 20000 --generations 20
for what in telemetry downloaded uploaded; do
    check "$what: $(field few $what) bytes for 100 individuals, $(field many $what) for 20000" \
        [ "$(field few $what)" -eq "$(field many $what)" ]
done
check "telemetry is counted" [ "$(field few telemetry)" -gt 0 ]

# device: auto takes what ends first: seconds on a CPU against a second in all, and the other way round.
export XDG_CACHE_HOME=$WORK/cache
for run in "cpu --population 500 --generations 20" "cuda --population 500000 --generations 100"; do
    run_to auto "$PROBLEMS/koza-sextic-tree.yaml" --device auto --target-fitness none ${run#* }
    check "device: auto is ${run%% *} with ${run#* }" grep -q "\"backend\":[[:space:]]*\"${run%% *}\"" auto.json
    check "and says why" grep -q "\"why\":[[:space:]]*\"device: auto, estimated " auto.json
done

# Where the machine code is known (gpu/interpreter/direct_jumps.h) compiled interpreters have direct jumps. A driver that
# writes it in another way makes runs slower and nothing else, so that only this tells.
evaluation() {
    of=$1
    shift
    grampus run "$PROBLEMS/$of.yaml" "$@" --device cuda --specialise always --generations 1 && grep '^evaluation' out
}
doubles_to() { # FILE FUNCTIONS
    printf '%s\n' 'precision: double' "data: $ROOT/tests/differential/doubles.csv.gz" 'target: y' 'genotype: tree' \
        "functions: \"$2\"" 'population: 100' 'generations: 3' 'metric: hits' 'tolerance: 1' 'max-nodes: 60' >"$1"
}
if nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | grep -q '^9\.0'; then
    for run in koza-sextic-tree "koza-sextic-tree --math fast" "papers/langdon-mackey-glass --math fast" multiplexer-11; do
        check "direct jumps: $run" eval "evaluation $run | grep -q ', [1-9][0-9]* direct jumps'"
    done
    for functions in '+, -, *, /' '+, *, sin, exp'; do
        grep -qs sm_90 "${GRAMPUS%/*}/config" || {
            skip "direct jumps over doubles: $functions" "the build is not for 9.0"
            continue
        }
        doubles_to doubles.yaml "$functions"
        check "direct jumps over doubles: $functions" eval "grampus run doubles.yaml --device cuda &&
            grep '^evaluation' out | grep -q ', [3-9][0-9] direct jumps'"
    done
fi
check "handlers by the table" eval "! GRAMPUS_JUMPS=table evaluation koza-sextic-tree | grep -q direct"

exit $FAILED

#!/bin/sh
# The kernels under compute-sanitizer, as a plain stream: memory, races in shared memory, uninitialised reads, barriers
# (TOOLS: some of the four).
. "$(dirname "$0")/../e2e/lib"

command -v compute-sanitizer >/dev/null || { skip 'compute-sanitizer' 'not installed'; exit 0; }

# clean TOOL ARGUMENTS...
clean() {
    tool=$1
    shift
    rm -rf results
    compute-sanitizer --tool "$tool" --error-exitcode 99 "$GRAMPUS" run "$@" --device cuda --no-graph --quiet \
        >out 2>err && return
    echo "# exit code $?"
    grep -h -m 20 ========= out | sed 's/^/# /'
    return 1
}

# many TOOL ARGUMENTS...: warps breed several trees at a time, as they do by themselves where there are many
many() {
    GRAMPUS_LAUNCH=1 clean "$@"
}

# abreast TOOL ARGUMENTS...: two warps go through each program side by side. Racecheck may try six times: in four of nine
# runs of this kernel, whose groups have barriers of their own, it takes no notice of those of the whole block; each pair
# that it names then has one between its write and its read.
abreast() {
    tries=1
    [ "$1" != racecheck ] || tries=6
    until GRAMPUS_LAUNCH=32,0,2,$ahead clean "$@"; do
        tries=$((tries - 1))
        [ $tries -gt 0 ] || return 1
    done
}

# drawn TOOL ARGUMENTS...: a warp draws several programs of a large item
drawn() {
    GRAMPUS_LAUNCH=1,200,0,$ahead clean "$@"
}

printf '%s\n' 'precision: double' "data: $ROOT/tests/differential/doubles.csv.gz" 'target: y' 'genotype: tree' \
    'functions: "+, -, *, /, sin, exp, log, plog"' 'population: 100' 'generations: 3' 'metric: hits' 'tolerance: 1' \
    'max-nodes: 60' >doubles.yaml

# Racecheck does not end where warps wait for a word that others write: where kernel 2 begins beside kernel 1, and where a
# block has several items under way.
for tool in ${TOOLS:-memcheck racecheck initcheck synccheck}; do
    unset GRAMPUS_NOTHING_BESIDE
    ahead=3
    [ "$tool" != racecheck ] || { ahead=0 && export GRAMPUS_NOTHING_BESIDE=1; }
    check "$tool: few trees, kernels that overlap" clean $tool "$ROOT/problems/koza-sextic-tree.yaml" --population 40 \
        --generations 3 --test-cases 0 --subtree-mutation 0.5
    check "$tool: doubles" clean $tool doubles.yaml
    check "$tool: doubles, cheap operations" clean $tool doubles.yaml --functions '+, -, *, /, square' \
        --population 5000 --tile 2 --generations 1
    check "$tool: genomes" clean $tool "$ROOT/problems/pospichal-quartic.yaml" --runs 3 --generations 3
    check "$tool: trees and test cases" clean $tool "$ROOT/problems/koza-sextic-tree.yaml" --population 150 \
        --generations 3 --train-cases 1500
    check "$tool: torus, samples, mutations" clean $tool "$ROOT/problems/papers/langdon-protein.yaml" --deme-width 13 \
        --deme-height 10 --generations 3 --predictions 0
    check "$tool: many trees" many $tool "$ROOT/problems/koza-sextic-tree.yaml" --population 150 --max-nodes 60 \
        --subtree-mutation 0.3 --point-mutation 0.3 --generations 4
    check "$tool: many trees, some large" many $tool "$ROOT/problems/koza-sextic-tree.yaml" --population 70 \
        --initialisation ptc2 --init-max-nodes 900 --max-nodes 1000 --max-depth 60 --subtree-mutation 0.3 \
        --point-mutation 0.3 --generations 3
    check "$tool: all operators" clean $tool "$ROOT/problems/koza-sextic-tree.yaml" --population 150 --generations 3 \
        --initialisation ptc2 --unique --selection rank --parsimony tarpeian --crossover size-fair --function-points 0.9 \
        --constant-probability 0.3 --subtree-mutation 0.3 --subtree-mutation-growth ramped --point-mutation 0.3 \
        --constant-mutation 0.3 --hoist-mutation 0.2 --shrink-mutation 0.2 --insert-mutation 0.3 --multi-point-mutation 0.3
    check "$tool: several objectives" clean $tool "$ROOT/problems/koza-sextic-tree.yaml" --population 150 --generations 3 \
        --selection nsga2 --elites 0 --islands 2 --migration-every 1
    check "$tool: programs evaluated once" clean $tool "$ROOT/problems/koza-sextic-tree.yaml" --population 150 \
        --generations 3 --evaluate-once on --fitness-memory 100
    check "$tool: lexicase, a warp a row" clean $tool "$ROOT/problems/koza-sextic-tree.yaml" --population 300 \
        --generations 3 --train-cases 40 --selection epsilon-lexicase --epsilon dynamic --specialise always
    check "$tool: lexicase, a block a row" clean $tool "$ROOT/problems/koza-sextic-tree.yaml" --population 8300 \
        --generations 2 --train-cases 12 --selection epsilon-lexicase --epsilon semi-dynamic
    check "$tool: lexicase, four warps a row" clean $tool "$ROOT/problems/koza-sextic-tree.yaml" --population 600 \
        --generations 3 --train-cases 130 --selection epsilon-lexicase --specialise always
    check "$tool: lexicase, a bar for all" clean $tool "$ROOT/problems/koza-sextic-tree.yaml" --population 8300 \
        --generations 2 --train-cases 12 --selection epsilon-lexicase --epsilon static
    check "$tool: lexicase, cases drawn" clean $tool "$ROOT/problems/koza-sextic-tree.yaml" --population 60 \
        --generations 2 --train-cases 200 --selection epsilon-lexicase --lexicase-cases 150 --lexicase-batch 3
    check "$tool: constants fitted" clean $tool "$ROOT/problems/koza-sextic-tree.yaml" --population 150 --generations 3 \
        --metric mse --constant-probability 0.3 --optimise-constants share --optimise-share 0.2
    check "$tool: warps abreast" abreast $tool "$ROOT/problems/koza-sextic-tree.yaml" --population 40 --generations 2 \
        --train-cases 5000 --test-cases 2000 --specialise always --functions "+, *, /, sin, log"
    check "$tool: programs drawn together" drawn $tool "$ROOT/problems/koza-sextic-tree.yaml" --population 200 \
        --generations 2 --train-cases 2100 --test-cases 0 --specialise always --functions "+, -, *" --max-nodes 31
    check "$tool: uneven programs, small items at the end" drawn $tool "$ROOT/problems/koza-sextic-tree.yaml" \
        --population 220 --generations 2 --train-cases 17000 --test-cases 0 --specialise always --functions "+, -, *" \
        --max-nodes 300
    check "$tool: programs shared by a block" clean $tool "$ROOT/problems/koza-sextic-tree.yaml" --population 30 \
        --generations 2 --train-cases 600 --test-cases 0 --specialise always --functions "+, -, *" --max-nodes 1200 \
        --initialisation full --init-max-depth 10
    check "$tool: compiled, inputs in registers" clean $tool "$ROOT/problems/koza-sextic-tree.yaml" --population 100 \
        --generations 2 --specialise always --math fast --max-nodes 200
    check "$tool: compiled, inputs from the tile" clean $tool "$ROOT/problems/vladislavleva-4.yaml" --population 100 \
        --generations 2 --specialise always --math fast
    check "$tool: compiled, packed" clean $tool "$ROOT/problems/multiplexer-11.yaml" --population 100 --generations 2 \
        --specialise always
    check "$tool: packed" clean $tool "$ROOT/problems/multiplexer-6.yaml" --population 100 --generations 3
done
exit $FAILED

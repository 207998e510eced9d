#!/bin/sh
# Memory on the device: what CUDA was asked for is what the plan says, to the byte, checkpoints included; and guard words
# around every array stay what they are.
. "$(dirname "$0")/../e2e/lib"
COUNTING=$(dirname "$GRAMPUS")/tests/gpu/faults/grampus
PROBLEMS=$ROOT/problems

# planned NAME ARGUMENTS...
planned() {
    of=$1
    shift
    rm -rf results taken
    [ -x "$COUNTING" ] || { skip "$of: planned and taken" "no $COUNTING" && return; }
    GRAMPUS_MEMORY_REPORT=$PWD/taken "$COUNTING" run "$@" --device cuda --quiet >out 2>err </dev/null
    check "$of: ends well" [ $? -eq 0 ]
    read -r device host <taken
    check_json "$of: planned and taken, $device bytes of the device and $host of the host" "$(echo results/*/*/best.json)" \
        "(lambda d: d['memory_bytes'] + d['checkpoint_device_bytes'] == $device and d['engine_host_bytes'] +
        d['checkpoint_bytes'] == $host and d['checkpoint_bytes'] <= d['checkpoint_most_bytes'])(v['device'])"
}

# guarded NAME ARGUMENTS...: the same with guard words, and with many trees at a time
guarded() {
    of=$1
    shift
    for shape in '' 1; do
        for guards in 0 1; do
            rm -rf results
            GRAMPUS_GUARDS=$guards GRAMPUS_LAUNCH=$shape "$GRAMPUS" run "$@" --device cuda --quiet --epoch 2 >out 2>err \
                </dev/null
            check "$of: guards $guards, launch '$shape'" [ $? -eq 0 ]
            awk -F '\t' -v OFS='\t' '{ NF--; print }' results/*/*/statistics.tsv >rows.$guards
        done
        check "$of: the same with guards, launch '$shape'" cmp rows.0 rows.1
    done
}

each() { # HOW
    $1 "genomes" "$PROBLEMS/pospichal-quartic.yaml" --runs 3 --generations 8
    $1 "trees, test cases" "$PROBLEMS/koza-sextic-tree.yaml" --population 3000 --test-cases 40 --generations 8
    $1 "torus, samples" "$PROBLEMS/papers/langdon-protein.yaml" --deme-width 13 --deme-height 10 --generations 6
    $1 "elites, order, unique" "$PROBLEMS/koza-sextic-tree.yaml" --population 5000 --elites 1500 --selection rank --unique \
        --generations 6
    $1 "packed" "$PROBLEMS/multiplexer-6.yaml" --population 500 --generations 6
    $1 "pairs of codons, branches" "$PROBLEMS/pospichal-quartic.yaml" --crossover subtree --generations 6
    $1 "class bins" "$WORK/small.yaml" --metric misclassified --class-rule fitted --generations 6
}
sed 's/^target-expression.*/target-expression: gt(x, 0.1)/' small.yaml >classes.yaml && mv classes.yaml small.yaml
each planned
planned "checkpoints" "$PROBLEMS/koza-sextic-tree.yaml" --population 20000 --generations 40 --epoch 1 --checkpoint 1e-9 \
    --target-fitness none
each guarded

# scratch of lanes for themselves would be 106 GB: a warp has a tree then
"$GRAMPUS" run "$PROBLEMS/koza-sextic-tree.yaml" --population 10000 --max-nodes 65535 --device cuda --generations 1 \
    --output scratch >out 2>err </dev/null
check "the largest trees: ends well" [ $? -eq 0 ]
check "the largest trees: scratch is an eighth of the card at most" \
    awk '/^memory / { sub(/.*scratch /, ""); found = $1 + 0 > 0 && $1 + 0 < 10000 } END { exit !found }' out
exit $FAILED

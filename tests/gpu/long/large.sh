#!/bin/sh
# Arrays of more than 2^32 elements on the device: run r of a batch that is so large gives what it gives alone, with a seed
# r higher. Genotypes, programs, counts of class bins, sums by chunk; what the card has no memory for is left out.
. "$(dirname "$0")/lib"

SHAPES=0
SQUARE='x*x + x'
# beyond NAME MB RUNS ARGUMENTS...: the first, a middle and the last run; MB: what the card must have
beyond() {
    of=$1 needed=$2 runs=$3
    shift 3
    if [ "${FREE:-$(card free)}" -lt "$needed" ]; then
        skip "$of" "the card has no $needed MB free"
        return
    fi
    rm -rf batch
    grampus run "$@" --device "${DEVICE:-cuda}" --quiet --generations 3 --target-fitness none --statistics all --predictions 0 \
        --checkpoint 0 --runs "$runs" --seed 1000 --output batch
    check "$of: ends well" [ "$code" -eq 0 ]
    for run in 0 1 $((runs / 2)) $((runs - 2)) $((runs - 1)); do
        rm -rf alone
        grampus run "$@" --device "${DEVICE:-cuda}" --quiet --generations 3 --target-fitness none --statistics all --predictions 0 \
            --checkpoint 0 --seed $((1000 + run)) --output alone
        rows alone >alone.rows
        rows batch $run >batch.rows
        check "$of: run $run of $runs as alone" cmp alone.rows batch.rows
        check "$of: run $run has rows" [ "$(wc -l <alone.rows)" -eq 4 ]
    done
    SHAPES=$((SHAPES + 1))
}

set -- --variables 'x = uniform(-1, 1)' --population 1000
# 4.4 million x 1000 codons
beyond "genomes" 45000 4400 "$@" --target-expression "$SQUARE" --grammar "$ROOT/grammars/nguyen.bnf" --max-genome-length 1000 --max-nodes 60 \
    --train-cases 20
# 4.4 million x 1000 words of branches
beyond "branches" 65000 4400 "$@" --target-expression "$SQUARE" --grammar "$ROOT/grammars/nguyen.bnf" --max-genome-length 500 --crossover subtree \
    --max-nodes 60 --train-cases 20
# 4.3 million x 1026 chunks
beyond "sums" 45000 4200 "$@" --target-expression "$SQUARE" --genotype tree --max-nodes 7 --max-depth 3 --init-max-depth 2 --subtree-mutation-depth 2 \
    --train-cases 1050000
# 5.7 million x 256 bins x 3
beyond "class bins" 25000 5700 "$@" --genotype tree --max-nodes 15 --train-cases 40 --metric misclassified \
    --class-rule fitted --target-expression "gt(x, 0.1)"
# 66 000 x 65 535 nodes
beyond "trees and programs" 115000 66 "$@" --target-expression "$SQUARE" --genotype tree --max-nodes 65535 --max-depth 6 --init-max-depth 5 \
    --train-cases 20
echo "# $SHAPES arrays beyond 2^32 elements"
check "one at least" [ $SHAPES -gt 0 ]
exit $FAILED

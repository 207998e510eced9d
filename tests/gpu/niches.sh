#!/bin/sh
# Archives of niches and typed trees through the program: the same statistics and best on CPU and GPU, with the graph and
# without; resumed from either on the other, also behind a run that has stopped; what they cost (lines with #).
. "$(dirname "$0")/../e2e/lib"
GPU=${GPU:-cuda} # GPU=cpu: the script itself is tried

cat >typed.yaml <<END
target-expression: m * g * h + 0.5 * m * v * v
variables: m, g, h, v = uniform(1, 3)
units: m = kg; g = m s^-2; h = m; v = m s^-1; target = kg m^2 s^-2
genotype: tree
typed: true
functions: "+, -, *, /, square, sqrt"
constant-probability: 0.2
train-cases: 1000
population: 400
islands: 3
migration-every: 3
restart-after: 4
max-nodes: 40
runs: 2
optimise-constants: share
archive: niches
END
cat >ended.yaml <<END
target-expression: x * y + x
variables: x = uniform(-2, 2); y = uniform(0, 3)
train-cases: 10
grammar: $ROOT/grammars/nguyen-2.bnf
population: 190
runs: 6
target-fitness: 0.3
archive: niches
niches: 96
niche-share: 0.9
END
sed 's/^runs: 2/runs: 1/; s/^population: .*/population: 100000/; s/^islands: .*/islands: 1/
    /^migration/d; /^restart/d; /^optimise/d; s/^target-expression: .*/target-expression: m * g * h * sin(v)/' \
    typed.yaml >archive.yaml
sed '/^archive/d' archive.yaml >typed-alone.yaml
sed '/^units/d; /^typed/d' typed-alone.yaml >neither.yaml

rows() { awk -F '\t' -v OFS='\t' '{ NF--; print }' "$1/statistics.tsv"; }
# run_to NAME ARGUMENTS...: statistics without the time in NAME.tsv, the folder in $folder
run_to() {
    to=$1
    shift
    rm -rf "results-$to"
    grampus run "$@" --quiet --output "results-$to"
    [ "$code" -eq 0 ] || { sed 's/^/# /' err; return 1; }
    folder=$(echo "results-$to"/*/*)
    rows "$folder" >"$to.tsv"
    grep -E '"(run|generation|fitness|infix|genome)"' "$folder/best.json" >"$to.best"
}

for of in typed ended; do
    run_to cpu $of.yaml --generations 24 --device cpu
    for way in graph stream; do
        run_to $way $of.yaml --generations 24 --device "$GPU" $([ $way = graph ] || echo --no-graph)
        check "$of, $way: the statistics of the CPU" cmp cpu.tsv $way.tsv
        check "$of, $way: the best of the CPU" cmp cpu.best $way.best
    done
    for split in "$GPU cpu 8" "cpu $GPU 8" "$GPU $GPU 14" "cpu $GPU 17"; do
        first=${split%% *} rest=${split#* } at=${split##* }
        second=${rest% *}
        run_to half $of.yaml --generations "$at" --checkpoint 1e-9 --epoch 1 --device "$first"
        grampus resume "$folder" --generations 24 --device "$second" --quiet
        check "$of: resumed from $first at $at on $second" [ "$code" -eq 0 -a ! -s err ]
        rows "$folder" >half.tsv
        check "$of: and as if it had never ended" cmp cpu.tsv half.tsv
    done
done

for device in "$GPU" cpu; do
    for what in archive typed-alone neither; do
        run_to rate $what.yaml --generations 10 --device $device
        echo "# $device, $what: $(sed -n 's/.*"\(seconds\|[a-z]*_seconds\)":[ \t]*\([0-9{].*\)/\1 \2/p' "$folder/best.json" | tr '\n' ' ')"
    done
done
exit $FAILED

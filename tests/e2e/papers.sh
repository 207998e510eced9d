#!/bin/sh
# The papers' run files, made small; what only they ask for: given trees, programs.tsv, classes.
. "$(dirname "$0")/lib"
PAPERS=$ROOT/problems/papers

# paper NAME ARGUMENTS...: it runs, and the best is an expression
paper() {
    title=$1
    shift
    grampus run "$PAPERS/$title.yaml" --generations 3 --quiet --json --output papers "$@"
    check "$title" [ "$code" -eq 0 ]
    check_json "$title: a program" out "v['infix'] and v['size'] > 0"
}

# levels NAME N: the largest of its trees have the N levels of the paper's limit, and no more
levels() {
    check "$1: its deepest trees have $2 levels" [ "$(awk -F '\t' 'FNR == 1 {
            for (i = 1; i <= NF; i++)
                if ($i == "max_tree_depth")
                    column = i
            next
        }
        $column > most { most = $column }
        END { print most }' papers/"$1"/*/statistics.tsv)" = "$2" ]
}

torus="--deme-width 24 --deme-height 20"
# shellcheck disable=SC2086
{
    paper langdon-mackey-glass $torus --generations 15
    check_json "Mackey-Glass: small and better than D1" out "v['size'] <= 15 and v['fitness'] < 0.04866"
    paper langdon-protein $torus --generations 8
}
levels langdon-mackey-glass 4
levels langdon-protein 8
check "programs.tsv: a row each" [ "$(cat papers/langdon-protein/*/programs.tsv | wc -l)" -eq 481 ]
# What its last generation trained on: the best of its row in statistics.tsv is the best on the sample.
check "programs.tsv: fitness on the sample" [ "$(awk -F '\t' 'NR == 1 { head = $5 } NR > 1 && $5 > most { most = $5 }
    END { print head, most }' papers/langdon-protein/*/programs.tsv)" = "sample_fitness $(awk -F '\t' 'NR == 1 {
    for (i = 1; i <= NF; i++)
        if ($i == "best_fitness")
            column = i
    next
} { best = $column } END { print best }' papers/langdon-protein/*/statistics.tsv)" ]
check_json "confusion matrix adds up" out \
    "sum(sum(c['predicted']) for c in v['classification']['training']['classes']) == 1213"
check_json "test cases too" out "0.5 < v['classification']['test']['roc_area'] < 1"
check "report: classes" grep -q '^classes  *accuracy ' papers/langdon-protein/*/best.txt
check "best.txt: confusion matrix" grep -q '^actual' papers/langdon-protein/*/best.txt
paper chitty-sextic --runs 2 --population 60 --train-cases 2000
paper chitty-multiplexer-20 --runs 1 --population 60
paper multiplexer-20-solved --population 200
check_json "ranked on all cases" out "2048 < v['fitness'] <= 1048576"
paper gpocl-regression --population 100 --train-cases 500
check_json "GPOCL: 50 nodes" out "v['size'] == 50 or v['generation'] > 0"
paper gpocl-classification --population 100 --train-cases 500
paper pospichal-convergence --runs 3
paper pospichal-performance --runs 2
seq 1 300 >series.txt
paper langdon-laser-a --series "$WORK/series.txt" --train-cases 1000 --deme-width 15 --deme-height 15
paper langdon-laser-b --series "$WORK/series.txt" --train-cases 1000 --deme-width 10 --deme-height 10 --generations 6
levels langdon-laser-a 8
levels langdon-laser-b 8
awk 'BEGIN { for (i = 0; i < 400; i++) { printf "%d,%s", i % 7, i % 3 ? "tcp" : "udp"
    for (k = 3; k <= 41; k++) printf ",%d", (i * k) % 11; print "," (i % 3 ? "smurf." : "normal.") } }' >kdd.csv
paper chitty-kddcup --data "$WORK/kdd.csv" --runs 1 --population 60
check_json "labels that are words" out \
    "[c['label'] for c in v['classification']['training']['classes']] == ['smurf.', 'normal.']"
awk 'BEGIN { for (i = 0; i < 5000; i++) { for (k = 1; k < 10; k++) printf "%d ", (i * k) % 50; print 1 + i % 7 } }' >shuttle.txt
for name in chitty-shuttle shuttle-98; do
    paper $name --data "$WORK/shuttle.txt" --test-data "$WORK/shuttle.txt" --population 60 --runs 1
done

# Given trees come first: with nothing better the best is one of them.
printf '# seeds\nx * x + x   # the answer\n\nx + 1\n' >seeds.txt
grampus run small.yaml --seeds seeds.txt --generations 0 --quiet --json
check_json "seeds" out "v['infix'] == 'x * x + x' and v['fitness'] == 0"
echo 'sin(x)' >seeds.txt
rejects "seeds with another function" 2 "'sin' is none of this run's functions" run small.yaml --seeds seeds.txt
echo 'x +' >seeds.txt
rejects "seeds that are no expressions" 2 "seeds.txt:1:4: " run small.yaml --seeds seeds.txt
grampus run small.yaml --case-sampling random --sample-cases 10 --quiet --json
check_json "samples: ranked on all training cases" out "v['fitness'] >= 0"
exit $FAILED

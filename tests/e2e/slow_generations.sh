#!/bin/sh
# Generations that take a while: checkpoints do not wait for the end of an epoch, which would last for the whole run here.
. "$(dirname "$0")/lib"

cat >slow.yaml <<'END'
genotype: tree
target-expression: sin(x * 9) + exp(y)
variables: x, y = uniform(-1, 1)
train-cases: 400
population: 4000
selection: lexicase
generations: 30
max-nodes: 40
runs: 2
threads: 1
device: cpu
END
[ -z "$SANITIZE" ] || sed -i 's/^population: .*/population: 800/' slow.yaml # slower by ten times
rows() { awk -F '\t' -v OFS='\t' '{ NF--; print }' "$1/statistics.tsv"; }
best() { grep -E '"(run|seed|generation|fitness|phenotype|infix|genome|stop_reason|generations)"' "$1/best.json"; }
# Of the seconds of a run at least half were before the generation written last.
kept_half() { awk -F '\t' -v all="$1" 'END { exit 2 * $NF < all }' "$2/statistics.tsv"; }
two_or_over() { there 'part/*/*/checkpoint.old.h5' || ! kill -0 $pid 2>/dev/null; }

grampus run slow.yaml --output whole --quiet --checkpoint 0
rows whole/*/* >whole.tsv
best whole/*/* >whole.best
every=$(tail -n 1 whole/*/*/statistics.tsv | awk -F '\t' '{ print $NF / 10 }') # two engines take half as long
for members in 1 2; do
    rm -rf part
    begun=$(date +%s.%N)
    GRAMPUS_MEMBERS=$members "$GRAMPUS" run slow.yaml --output part --quiet --checkpoint "$every" >out 2>err &
    pid=$!
    await 60 two_or_over
    kill -KILL $pid 2>/dev/null
    took=$(echo "$(date +%s.%N) $begun" | awk '{ print $1 - $2 }')
    wait $pid 2>/dev/null
    folder=$(echo part/*/*)
    check "$members engines: two checkpoints within an epoch" [ -e "$folder/checkpoint.old.h5" ]
    check "$members engines: before the run's end" [ "$(rows "$folder" | wc -l)" -lt "$(wc -l <whole.tsv)" ]
    check "$members engines: less than half is lost" kept_half "$took" "$folder"
    grampus resume "$folder" --quiet
    rows "$folder" >is.tsv
    best "$folder" >is.best
    check "$members engines: the table as if it had never ended" cmp -s whole.tsv is.tsv
    check "$members engines: the best as well" cmp -s whole.best is.best
done
exit $FAILED

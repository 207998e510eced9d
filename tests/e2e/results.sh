#!/bin/sh
# What stands in a folder of results while a run goes on, after it was killed, and after a write failed.
. "$(dirname "$0")/lib"

state_of() { sed -n 's/^# state: //p' "$1/run.yaml"; }
whole_rows() { # all lines but the last, which a kill may have cut, have as many fields as the first; generations rise
    awk -F'\t' 'NR == 1 { n = NF; next } short { exit 1 } NF != n { short = 1; next }
        $2 != NR - 2 { exit 1 } END { exit NR < 3 }' "$1"
}

# Killed at several moments, all in its second second: the best so far is rewritten once a second.
mkdir killed
for k in 1 2 3 4; do
    "$GRAMPUS" run small.yaml --generations 100000000 --quiet --threads 1 --seed $k --output killed/$k >out 2>err &
    eval "pid$k=$!"
done
all_four() { [ "$(find killed -name best.json | wc -l)" -eq 4 ]; }
await 30 all_four
for k in 1 2 3 4; do
    eval "kill -9 \$pid$k; wait \$pid$k" 2>/dev/null
    folder=$(echo killed/$k/small/*)
    check "kill -9, $k: run.yaml says that it was running" [ "$(state_of "$folder")" = running ]
    check_json "kill -9, $k: so does best.json, which is whole" "$folder/best.json" \
        "v['state'] == 'running' and v['seed'] == $k and v['infix'] and v['size'] > 0 and not v['stopped']"
    check "kill -9, $k: statistics.tsv has whole rows" whole_rows "$folder/statistics.tsv"
    # the generation that best.json was written in is in the statistics
    if has_python; then
        said=$(python3 -c "import json; print(json.load(open('$folder/best.json'))['generations'])")
        check "kill -9, $k: statistics of all epochs before" [ "$(wc -l <"$folder/statistics.tsv")" -gt "$said" ]
    fi
done
folder=$(echo killed/1/small/*)
grampus run "$folder/run.yaml" --generations 3 --quiet --output again
check "its run.yaml can be run" [ "$code" -eq 0 -a "$(state_of again/small/*)" = done ]

grampus run small.yaml --quiet --output ended
check "done: run.yaml" [ "$(state_of ended/small/*)" = done ]
check_json "done: best.json" ended/small/*/best.json "v['state'] == 'done' and not v['stopped']"
check "done: nothing is left beside" [ "$(ls ended/small/* | tr '\n' ' ')" = "best.json best.txt run.yaml statistics.tsv " ]
"$GRAMPUS" run small.yaml --generations 100000000 --quiet --output stopped >out 2>err &
pid=$!
sleep 0.5
kill -TERM $pid
wait $pid
code=$?
check "stopped on request" [ "$code" -eq 3 -a "$(state_of stopped/small/*)" = stopped ]
check_json "stopped: best.json" stopped/small/*/best.json "v['state'] == 'stopped' and v['stopped']"

# Runs that start in the same second have folders of their own.
for k in 1 2 3 4 5 6; do
    "$GRAMPUS" run small.yaml --quiet --seed 7 --output crowd >/dev/null 2>>crowd.err &
done
wait
check "six runs at once: six folders" [ "$(ls crowd/small | wc -l)" -eq 6 -a ! -s crowd.err ]
cat crowd/small/*/statistics.tsv | cut -f1-33 | sort | uniq -c | awk '$1 != 6 { exit 1 }'
check "six runs at once: none writes to another's" [ $? -eq 0 ]
check "six runs at once: all done" [ "$(grep -lx '# state: done' crowd/small/*/run.yaml | wc -l)" -eq 6 ]

# limited BLOCKS ARGUMENTS...: files may not grow beyond so many times 512 bytes, as on a disk that fills.
limited() {
    blocks=$1
    shift
    (
        ulimit -f "$blocks"
        "$GRAMPUS" run small.yaml --quiet "$@"
        echo $? >code
    ) 2>err | cat >out
    code=$(cat code)
}
for epoch in 4 100000; do # the error is known before the run is at its end, and not
    limited 40 --generations 2000 --epoch $epoch --output limited$epoch
    folder=$(echo limited$epoch/small/*)
    check "statistics cannot be written, epoch $epoch: one line" [ "$code" -eq 1 -a "$(cat err)" = "$folder/statistics.tsv: File too large" ]
    check "statistics cannot be written, epoch $epoch: it does not look done" [ "$(state_of "$folder")" = stopped ]
    check_json "statistics cannot be written, epoch $epoch: nor does best.json" "$folder/best.json" \
        "v['state'] == 'stopped' and v['stopped'] and v['infix']"
    [ $epoch -ne 4 ] ||
        check "statistics cannot be written, epoch $epoch: no rule has ended it" grep -q '^time .* generations, given up$' "$folder/best.txt"
    check "statistics cannot be written, epoch $epoch: whole rows" awk -F'\t' 'NF != 34 { exit 1 }' "$folder/statistics.tsv"
done
limited 12 --statistics none --runs 60 --generations 1 --json --output large
folder=$(echo large/small/*)
check "best.json cannot be written: one line" [ "$code" -eq 1 -a "$(wc -l <err)" -eq 1 ]
check "best.json cannot be written: none is there, and it does not look done" \
    [ "$(state_of "$folder")" = stopped -a ! -e "$folder/best.json" -a ! -e "$folder/best.json.new" ]
check_json "best.json cannot be written: nor is it said" out "v['state'] == 'stopped' and v['stopped']"
limited 12 --statistics none --generations 1 --dump-every 1 --output dumps
folder=$(echo dumps/small/*)
check "a dump cannot be written: one line" [ "$code" -eq 1 -a "$(cat err)" = "$folder/population_0.tsv: File too large" ]
check "a dump cannot be written: there is no part of it" \
    [ "$(state_of "$folder")" = stopped -a "$(ls "$folder" | tr '\n' ' ')" = "best.json best.txt run.yaml " ]

# Sums of segments and spans: individuals beyond a span of 8192.
grampus run small.yaml --population 20000 --generations 1 --quiet --output many
check "statistics of 20000: each is counted once" [ "$(awk -F'\t' 'NR > 1 { print $7 + $8 }' many/small/*/statistics.tsv | uniq)" = 20000 ]
exit $FAILED

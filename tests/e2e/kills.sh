#!/bin/sh
# kill -9 (or KILLS_SIGNAL) at random moments, while it runs and while it is resumed: a run that is resumed as often ends as
# the undisturbed one, byte for byte. KILLS (10) moments in all, from KILLS_SEED (1) on, KILLS_FROM (0.02) to KILLS_TO (0.32)
# seconds after the start of a run of KILLS_GENERATIONS (3000) on KILLS_DEVICE (cpu), under the sanitizers as suits what it
# takes; KILLS_RUN and KILLS_RESUME: options of the run, and of what goes on with it.
. "$(dirname "$0")/lib"
[ -z "$SANITIZE" ] || KILLS=4 KILLS_GENERATIONS=400 # slower by ten times, and by more on some machines than on others
KILLS=${KILLS:-10}
SIGNAL=${KILLS_SIGNAL:-KILL}
SEED=${KILLS_SEED:-1}

cat >long.yaml <<END
genotype: tree
target-expression: sin(x * 9) + exp(x)
variables: x = uniform(-1, 1)
train-cases: 40
test-cases: 20
population: 60
generations: ${KILLS_GENERATIONS:-3000}
device: ${KILLS_DEVICE:-cpu}
epoch: 7
max-nodes: 60
runs: 2
predictions: 20
checkpoint: 0.004
END
rows() { awk -F '\t' -v OFS='\t' '{ NF--; print }' "$1/statistics.tsv"; }
best() { grep -E '"(run|seed|generation|fitness|test_fitness|phenotype|infix|genome|stop_reason|generations)"' "$1/best.json"; }

began=$(date +%s.%N)
grampus run long.yaml --output whole --quiet $KILLS_RUN
if [ -n "$SANITIZE" ]; then
    took=$(echo "$(date +%s.%N) $began" | awk '{ print $1 - $2 }')
    KILLS_FROM=$(echo "$took" | awk '{ print $1 / 20 }') KILLS_TO=$(echo "$took" | awk '{ print $1 / 2 }')
fi
rows whole/*/* >whole.tsv
best whole/*/* >whole.best

# killed ARGUMENTS...: begins it and kills it, of new runs two of three some time after their first checkpoint, however
# busy the machine is; $kills counts those that came before its end
killed() {
    moments=$((moments + 1))
    "$GRAMPUS" "$@" --quiet >out 2>err &
    pid=$!
    while [ "$1" = run ] && [ $((runs % 3)) -ne 0 ] && [ ! -e "$(echo part/*/*)/checkpoint.h5" ] && kill -0 $pid 2>/dev/null; do
        sleep 0.02
    done
    sleep "$(awk -v seed="$SEED$moments" -v from="${KILLS_FROM:-0.02}" -v to="${KILLS_TO:-0.32}" \
        'BEGIN { srand(seed); rand(); print from + (to - from) * rand() }')"
    kill -$SIGNAL $pid 2>/dev/null
    wait $pid 2>/dev/null
    case $SIGNAL$? in
    KILL137 | TERM3 | INT3 | HUP3) kills=$((kills + 1)) ;;
    esac
}

kills=0
moments=0
runs=0
early=0
wrong=0
while [ $kills -lt "$KILLS" ] && [ $moments -lt $((4 * KILLS)) ]; do
    rm -rf part
    runs=$((runs + 1))
    killed run long.yaml --output part $KILLS_RUN
    folder=$(echo part/*/*)
    for turn in 1 2; do
        [ -e "$folder/checkpoint.h5" ] || [ -e "$folder/checkpoint.old.h5" ] || break
        [ $kills -lt "$KILLS" ] || break
        killed resume "$folder" $KILLS_RESUME
    done
    grampus resume "$folder" --quiet $KILLS_RESUME
    if [ ! -e "$folder/checkpoint.h5" ] && [ ! -e "$folder/checkpoint.old.h5" ]; then
        early=$((early + 1)) # before there was one: it is begun anew
        [ "$code" -eq 2 ] || wrong=$((wrong + 1))
        continue
    fi
    rows "$folder" >is.tsv
    best "$folder" >is.best
    if [ "$code" -ne 0 ] || ! cmp -s whole.tsv is.tsv || ! cmp -s whole.best is.best ||
        ! cmp -s whole/*/*/programs.tsv "$folder/programs.tsv"; then
        wrong=$((wrong + 1))
        echo "# wrong: exit code $code, $(cat err)"
    fi
done
echo "# $kills kills of $runs runs, $early before the first checkpoint"
check "$kills of $SIGNAL: all $runs runs end as they would have" [ $wrong -eq 0 ]
check "$kills of $moments moments came before the end" [ $kills -ge "$KILLS" ]
check "most came after a checkpoint" [ $((2 * early)) -lt $runs ]
exit $FAILED

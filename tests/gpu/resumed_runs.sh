#!/bin/sh
# Checkpoints on the device: runs split between CPU and GPU, each way, end as undisturbed ones; signals, kill -9 and the
# time limit; how long the device stands still.
. "$(dirname "$0")/../e2e/lib"

if has_python; then
    check "random runs, split over cpu and cuda" python3 "$ROOT/tests/differential/splits.py" --grampus "$GRAMPUS" \
        --count 12 --seed 3 --devices cpu,cuda --jobs 4
else
    skip "random runs, split over cpu and cuda" "no python3"
fi
check "SIGTERM at any moment" env KILLS=8 KILLS_SIGNAL=TERM KILLS_RUN='--runs 1' KILLS_DEVICE=cuda KILLS_FROM=0.6 KILLS_TO=2 \
    KILLS_GENERATIONS=60000 sh "$ROOT/tests/e2e/kills.sh"
check "kill -9" env KILLS=8 KILLS_DEVICE=cuda KILLS_FROM=0.6 KILLS_TO=3 KILLS_GENERATIONS=60000 sh "$ROOT/tests/e2e/kills.sh"

rows() { awk -F '\t' -v OFS='\t' '{ NF--; print }' "$1/statistics.tsv"; }

# term NAME ARGUMENTS...: a run that SIGTERM ends in the middle of an epoch, on its way on the CPU, ends as an undisturbed one.
term() {
    of=$1
    shift
    rm -rf stopped all
    "$GRAMPUS" run small.yaml --output stopped --generations 100000000 --checkpoint 0.01 --device "${DEVICE:-cuda}" --quiet "$@" >out 2>err &
    pid=$!
    await 30 there 'stopped/*/*/checkpoint.h5'
    kill -TERM $pid
    wait $pid
    code=$?
    check "SIGTERM, $of: exit code 3" [ $code -eq 3 ]
    folder=$(echo stopped/*/*)
    at=$(tail -n 1 "$folder/statistics.tsv" | cut -f 2)
    grampus resume "$folder" --generations $((at + 50)) --device cpu --quiet
    check "SIGTERM, $of, resumed on the cpu: exit code 0" [ "$code" -eq 0 ]
    rows "$folder" | sort >is.tsv
    grampus run small.yaml --output all --generations $((at + 50)) --device "${DEVICE:-cuda}" --quiet "$@"
    rows all/small/* | sort >all.tsv
    check "SIGTERM, $of, resumed on the cpu: as if it had never ended" cmp -s is.tsv all.tsv
}
term "a small deme"
term "a small deme, no graph" --no-graph
term "islands" --islands 3 --migration-every 5
term "ten runs" --runs 10
term "3000 trees" --population 3000

start=$(date +%s%N)
grampus run small.yaml --output ended --quiet --generations 100000000 --time-limit 3 --device cuda \
    --target-expression 'sin(x*9)'
took=$((($(date +%s%N) - start) / 1000000))
check "time-limit 3: $took ms" [ $took -le 4500 ]
check_json "time-limit: ended by it" "$(echo ended/small/*/best.json)" "v['stop_reason'] == 'time-limit'"

# 60 seconds are the default: the device may stand still for 3 of them.
grampus run small.yaml --output large --quiet --device cuda --generations 1000000 --time-limit 12 --checkpoint 2 \
    --population 1000000 --train-cases 2000 --max-nodes 500 --target-expression 'sin(x*9)'
best=$(echo large/small/*/best.json)
check_json "a million individuals: still for at most 5 % of 60 s" "$best" \
    "v['checkpoints'] >= 2 and v['checkpoint_pause_seconds'] <= 0.05 * 60 * v['checkpoints']"
sed -n 's/.*"\(checkpoint.*\)":[ \t]*\([0-9.e-]*\).*/# \1 \2/p; s/.*"\(seconds\)":[ \t]*\([0-9.e-]*\).*/# \1 \2/p' "$best"
ls -l large/small/*/checkpoint.h5 | sed 's/^/# /'
exit $FAILED

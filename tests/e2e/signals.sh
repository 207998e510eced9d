#!/bin/sh
# Stopping on request.
. "$(dirname "$0")/lib"

# begin ARGUMENTS...: a run in the background, $pid; returns when its statistics grow.
begin() {
    "$GRAMPUS" run small.yaml --output stopped --quiet "$@" >out 2>err &
    pid=$!
    tries=0
    while [ "$(cat stopped/*/*/statistics.tsv 2>/dev/null | wc -l)" -lt 3 ] && [ $tries -lt 300 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
}

for name in INT TERM; do
    rm -rf stopped
    begin --generations 100000000 --json
    kill -$name $pid
    wait $pid
    code=$?
    check "SIG$name: exit code 3" [ $code -eq 3 ]
    check "SIG$name: no error" [ ! -s err ]
    check "SIG$name: results are written" [ -s "$(echo stopped/*/*/best.txt)" ]
    check_json "SIG$name: JSON" out "v['stopped'] and v['generation'] <= v['generations']"
    check_json "SIG$name: best.json" "$(echo stopped/*/*/best.json)" "v['stopped'] and v['infix']"
done

# A generation that takes a while: the first signal waits for its end, the second does not.
"$GRAMPUS" run small.yaml --train-cases 400000 --population 20000 --generations 100 --epoch 1 \
    --device cpu --quiet --output slow >out 2>err &
pid=$!
sleep 1
kill -INT $pid 2>/dev/null
sleep 0.3
kill -INT $pid 2>/dev/null
wait $pid
code=$?
check "a second signal ends at once" [ $code -eq 130 ]
exit $FAILED

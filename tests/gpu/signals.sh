#!/bin/sh
# A signal in a long epoch of long generations ends a run on the device with the generation under way: by the graph, which
# looks for it before each turn of its loop, and as a plain stream. tests/e2e/signals.sh does it on the CPU, with POPULATION
# and CASES that suit it.
. "$(dirname "$0")/../e2e/lib"

# Rows are written at the end of an epoch; how far it is stands in the lines of progress.
at() { tr '\r' '\n' <err | sed -n 's|.*generation \([0-9]*\)/.*|\1|p' | tail -n 1; }

# stops NAME SIGNAL ARGUMENTS...: told to in generation 3 or later; some more may be done before it is known
# here and there, but far fewer than an epoch has.
stops() {
    of=$1 signal=$2
    shift 2
    rm -rf stopped
    : >err
    "$GRAMPUS" run small.yaml --device "${DEVICE:-cuda}" --progress 0.02 --generations 1000000 --train-cases ${CASES:-2000000} \
        --target-fitness none --predictions 0 --checkpoint 0 --output stopped "$@" >out 2>err &
    pid=$!
    tries=0
    while [ "$(at)0" -lt 30 ] && [ $tries -lt 1200 ] && kill -0 $pid 2>/dev/null; do
        sleep 0.05
        tries=$((tries + 1))
    done
    seen=$(at)
    kill -"$signal" $pid
    wait $pid
    code=$?
    check "$of, SIG$signal: exit code 3" [ "$code" -eq 3 ]
    last=$(cut -f 2 stopped/*/*/statistics.tsv | tail -n 1)
    check "$of, SIG$signal: told to in generation $seen, ended with $last" [ "$last" -ge 3 -a "$last" -le $((seen + 30)) ]
    check_json "$of, SIG$signal: by request" "$(echo stopped/*/*/best.json)" "v['stop_reason'] == 'request'"
    runs=$((runs + 1))
}

runs=0
population=${POPULATION:-120000}
stops "graph" INT --population "$population" --epoch 1000
stops "graph, two runs" TERM --population "$population" --epoch 1000 --runs 2
stops "stream" INT --population "$population" --epoch 100 --no-graph # as many launches as a stream takes without waiting
echo "# $runs runs stopped"
exit $FAILED

#!/bin/sh
# Stopping on request.
. "$(dirname "$0")/lib"

# begin ARGUMENTS...: a run in the background, $pid; returns when its statistics grow.
begin() {
    "$GRAMPUS" run small.yaml --output stopped --quiet "$@" >out 2>err &
    pid=$!
    await 30 lines 3 'stopped/*/*/statistics.tsv'
}

for signal in INT TERM HUP; do
    rm -rf stopped
    begin --generations 100000000 --json
    kill -$signal $pid
    wait $pid
    code=$?
    check "SIG$signal: exit code 3" [ $code -eq 3 ]
    check "SIG$signal: no error" [ ! -s err ]
    check "SIG$signal: results are written" [ -s "$(echo stopped/*/*/best.txt)" ]
    check_json "SIG$signal: JSON" out "v['stopped'] and v['generation'] <= v['generations']"
    check_json "SIG$signal: best.json" "$(echo stopped/*/*/best.json)" "v['stopped'] and v['infix']"
done

# Two signals in a row, as timeout(1) and a closed terminal send them, are one request.
rm -rf stopped
begin --generations 100000000
kill -TERM $pid 2>/dev/null
sleep 0.01
kill -TERM $pid 2>/dev/null
wait $pid
code=$?
check "the echo of a signal is no second one" [ $code -eq 3 ]

# halts NAME CODE ARGUMENTS...: a run that has not come to its end is told to, once; it does, in a moment.
halts() {
    title=$1 expected=$2
    shift 2
    rm -rf results
    timeout -k 1 20 "$GRAMPUS" run "$@" --device cpu --quiet >out 2>err & # which hands the signal on, or ends it
    pid=$!
    sleep 0.5
    kill -TERM $pid
    wait $pid
    code=$?
    check "$title: exit code $expected" [ "$code" -eq "$expected" ]
    check "$title: one line" one_line err
}

mkfifo pipe
printf '<e> ::= x | <e> + <e>\n' >small.bnf
for option in "--data pipe --genotype tree" "--sequences pipe --positive a --genotype tree" \
    "--target-expression x --variables x=grid(0,1,0.1) --grammar pipe" pipe; do
    halts "start-up ($option)" 3 $option
    check "start-up ($option): no results" [ ! -e results ]
done

# A generation that takes a while is given up; the first one too, which leaves no best.
slow=1
[ -z "$SANITIZE" ] || slow=10 # times, of all that follows
"$GRAMPUS" run small.yaml --train-cases $((4000000 / slow)) --population 2000 --generations 100 --epoch 1 --threads 1 \
    --device cpu --quiet --output slow >out 2>err &
pid=$!
sleep 1
await 20 there 'slow/*/*/statistics.tsv'
sleep 0.3
kill -INT $pid
tries=0
while kill -0 $pid 2>/dev/null && [ $tries -lt 30 ]; do
    sleep 0.1
    tries=$((tries + 1))
done
check "a generation under way is given up" [ $tries -lt 30 ]
kill -KILL $pid 2>/dev/null
wait $pid
code=$?
check "stopped in the first generation: exit code 3" [ $code -eq 3 ]
check "stopped in the first generation: one line" grep -q "^stopped in the first generation" err

# Nor is the end of an epoch waited for.
DEVICE=cpu POPULATION=100 CASES=$((400000 / slow)) sh "$ROOT/tests/gpu/signals.sh" || FAILED=1

# Who reads along may go: what is printed and the progress have nobody to read them, the results are in files.
rm -rf stopped
{
    "$GRAMPUS" run small.yaml --output stopped --generations 3000 --progress 0.01 --device cpu 2>&1
    echo $? >code
} | head -n 1 >out
check "a closed pipe: exit code 1" [ "$(cat code)" -eq 1 ]
check_json "a closed pipe: the run goes on to its end" "$(echo stopped/*/*/best.json)" \
    "v['state'] == 'done' and v['generation'] <= v['generations'] == 3000"

# What cannot be given up is ended by a second signal: predictions of a whole population.
"$GRAMPUS" run small.yaml --train-cases $((200000 / slow)) --population 4000 --generations 0 --predictions 4000 \
    --device cpu --quiet --output ended >out 2>err &
pid=$!
await 60 there 'ended/*/*/best.txt'
kill -INT $pid
sleep 0.2
kill -INT $pid
wait $pid
code=$?
check "a second signal ends at once" [ $code -eq 130 ]
exit $FAILED

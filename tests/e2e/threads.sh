#!/bin/sh
# Threads of the CPU engine beside other work: as many busy loops as processors, and eight runs side by side. Times
# are compared with those of one thread, in turn.
# Runs alone: it compares times.
. "$(dirname "$0")/lib"

busy=
trap 'kill -KILL $busy 2>/dev/null; rm -rf "$WORK"' EXIT
loops() { kill "-$1" $busy; }
for _ in $(seq "$(nproc)"); do
    sh -c 'while :; do :; done' &
    busy="$busy $!"
done

# clock FILE COMMAND...: adds the milliseconds it took.
clock() {
    file=$1
    shift
    start=$(date +%s%N)
    "$@" >/dev/null 2>err || echo 1000000 >>"$file"
    echo $((($(date +%s%N) - start) / 1000000)) >>"$file"
}
nguyen() { "$GRAMPUS" run "$ROOT/problems/nguyen-1.yaml" --device cpu --output "$WORK/results" "$@"; }
eight() {
    runs=
    for _ in 1 2 3 4 5 6 7 8; do
        nguyen "$@" &
        runs="$runs $!"
    done
    for run in $runs; do wait "$run"; done
}
median() { sort -n "$1" | awk '{ t[NR] = $1 } END { print t[int((NR + 1) / 2)] }'; }
# below N A B: the median of A is below N times that of B.
below() {
    echo "#   $(tr '\n' ' ' <"$2") ms to $(tr '\n' ' ' <"$3")"
    [ "$(median "$2")" -lt $(($1 * ($(median "$3") + 1))) ]
}

for _ in 1 2 3 4 5; do
    loops STOP
    clock alone nguyen --threads 1
    loops CONT
    clock beside nguyen
done
# The loops leave half of a processor: 2 would be fair, threads that spin come to 20 and more.
check "beside busy loops: not five times as long as one thread alone" below 5 beside alone

loops STOP
for _ in 1 2 3; do
    clock ones eight --threads 1
    clock eights eight
done
check "eight runs side by side: not twice as long as with a thread each" below 2 eights ones

# The report says how many threads were chosen, and of how many.
export OMP_NUM_THREADS=2
nguyen --population 100 >out
check "a population of 100 has one thread" grep -q '^device *CPU, 1 thread of 2, ' out
nguyen --generations 2 >out
check "a population of 1000 has both" grep -q '^device *CPU, 2 threads, ' out
nguyen --population 100 --threads 3 >out
check "a number that was asked for is obeyed" grep -q '^device *CPU, 3 threads, ' out
exit $FAILED

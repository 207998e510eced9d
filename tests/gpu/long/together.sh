#!/bin/sh
# Processes that share a GPU: each gives what it gives alone, with checkpoints, and whatever the other does: all pairs of
# two kinds of runs, TURNS (1) times, then one beside others that are killed. GENERATIONS (6000) are some seconds of each.
. "$(dirname "$0")/lib"

TREES="$ROOT/problems/koza-sextic-tree.yaml --population ${POPULATION:-20000} --target-fitness none --checkpoint 0.3 --seed"
GENOMES="$ROOT/problems/pospichal-quartic.yaml --runs 20 --target-fitness none --checkpoint 0.3 --seed"

# become FOLDER ARGUMENTS [GENERATIONS]: the shell becomes the run, so that who ends the one ends the other.
become() {
    exec "$GRAMPUS" run $2 --device "${DEVICE:-cuda}" --quiet --generations ${3:-${GENERATIONS:-6000}} --output "$1" \
        >"$1.out" 2>"$1.err" </dev/null
}
alone() { (become "$@") && rows "$1" >"$1.rows" && best "$1" >"$1.best"; }
same() { # NAME ALONE
    rows "$1" >"$1.rows" && best "$1" >"$1.best" && [ -s "$1.rows" ] && cmp "$1.rows" "$2.rows" && cmp "$1.best" "$2.best"
}

check "trees alone" alone a "$TREES 1"
check "genomes alone" alone b "$GENOMES 2"
pairs=0
turn=0
while [ $turn -lt "${TURNS:-1}" ]; do
    turn=$((turn + 1))
    for pair in 'a b' 'a a' 'b b'; do
        one=${pair% *} two=${pair#* }
        rm -rf x y
        [ $one = a ] && first="$TREES 1" || first="$GENOMES 2"
        [ $two = a ] && second="$TREES 1" || second="$GENOMES 2"
        become x "$first" &
        p=$!
        become y "$second" &
        q=$!
        wait $p
        good=$?
        wait $q
        good=$((good + $?))
        check "$pair side by side, turn $turn: end well" [ $good -eq 0 ]
        check "$pair side by side, turn $turn: the first as alone" same x $one
        check "$pair side by side, turn $turn: the second as alone" same y $two
        pairs=$((pairs + 2))
    done
done

# Beside one that is killed, again and again.
rm -rf x y
become x "$TREES 1" &
p=$!
kills=0
while kill -0 $p 2>/dev/null; do
    become y "$GENOMES 2" 1000000 &
    q=$!
    sleep 1.$((kills % 10))
    kill -9 $q 2>/dev/null && kills=$((kills + 1))
    wait $q 2>/dev/null
    rm -rf y
done
wait $p
check "beside one that is killed, $kills times: ends well" [ $? -eq 0 ]
check "beside one that is killed: as alone" same x a
echo "# $((pairs + 1)) runs beside others"
exit $FAILED

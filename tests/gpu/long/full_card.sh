#!/bin/sh
# A run beside a process that fills the card: it gives what it gives alone, or says in one line that there is too little
# memory, with exit code 4 (5 where not even CUDA starts); earlier results stay.
. "$(dirname "$0")/lib"
[ -x "$FILL_CARD" ] || { skip "a full card" "no $FILL_CARD" && exit 0; }

SMALL="small.yaml --device ${DEVICE:-cuda} --quiet --checkpoint 1e-9"
LARGE="$ROOT/problems/koza-sextic-tree.yaml --population ${POPULATION:-300000} --device ${DEVICE:-cuda} --quiet --target-fitness none"
grampus run $SMALL --output small
rows small >small.rows
grampus run $LARGE --generations 100 --checkpoint 0.05 --output large
rows large >large.rows
check "with all of the card" [ -s small.rows ]
check "a large one with all of the card" [ -s large.rows ]
cp -r small earlier

same() { rows "$1" >is.rows && cmp -s is.rows "$1.rows"; }
tried=0
refusals=0
for left in 3000 1000 500 300 100 0; do
    check "all of the card is taken but $left MB" fill $left
    for what in small large; do
        mv $what kept
        [ $what = small ] && arguments="$SMALL" || arguments="$LARGE --generations 100 --checkpoint 0.05"
        grampus run $arguments --output $what
        tried=$((tried + 1))
        case $code in
        0) check "$left MB, $what: as with all of the card" same $what ;;
        4 | 5)
            check "$left MB, $what: exit code $code, one line of error" one_line err
            refusals=$((refusals + 1))
            ;;
        *) check "$left MB, $what: exit code $code" false ;;
        esac
        [ $left -lt 3000 ] || [ $what = large ] || check "$left MB, $what: there is enough" [ $code -eq 0 ]
        rm -rf $what
        mv kept $what
    done
done
empty
check "too little memory was met" [ $refusals -gt 0 ]
check "earlier results stay" diff -r small earlier

# The card is filled while a run goes on, before it makes a checkpoint: that finds no room on the device. The run takes
# several seconds, filling less than one; it needs 8.9 GB and what CUDA takes.
grampus run $LARGE --generations 1000 --checkpoint 0 --output undisturbed
rows undisturbed >during.rows
check "there is room for a run" fill 12000
"$GRAMPUS" run $LARGE --generations 1000 --checkpoint 0.5 --output during >out 2>err </dev/null &
pid=$!
tries=0
while [ "$(cat during/*/*/statistics.tsv 2>/dev/null | wc -l)" -lt 2 ] && [ $tries -lt 600 ] && kill -0 $pid 2>/dev/null; do
    sleep 0.05
    tries=$((tries + 1))
done
check "filled while a run goes on" fill 0
check "it goes on then" grep -q "state: running" during/*/*/run.yaml
wait $pid
check "filled while a run goes on: it ends well" [ $? -eq 0 ]
empty
check "filled while a run goes on: as undisturbed" same during
tried=$((tried + 1))
echo "# $tried runs beside a process that fills the card, $refusals refused"
exit $FAILED

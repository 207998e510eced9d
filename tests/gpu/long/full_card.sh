#!/bin/sh
# A run beside a process that fills the card: it gives what it gives alone, or says in one line that there is too little
# memory, with exit code 4 (5 where not even CUDA starts); earlier results stay.
. "$(dirname "$0")/lib"
[ -x "$FILL_CARD" ] || { skip "a full card" "no $FILL_CARD" && exit 0; }

SMALL="small.yaml --device cuda --quiet --checkpoint 1e-9"
LARGE="$ROOT/problems/koza-sextic-tree.yaml --population 300000 --device cuda --quiet --target-fitness none"
grampus run $SMALL --output small
rows small >small.rows
grampus run $LARGE --generations 400 --checkpoint 0.2 --output large
rows large >large.rows
check "with all of the card" [ -s small.rows ]
check "a large one with all of the card" [ -s large.rows ]
cp -r small earlier

same() { rows "$1" >is.rows && cmp -s is.rows "$1.rows"; }
tried=0
refusals=0
for left in 4000 2000 1000 700 500 400 300 200 100 50 20 0; do
    check "all of the card is taken but $left MB" fill $left
    for what in small large; do
        mv $what kept
        [ $what = small ] && arguments="$SMALL" || arguments="$LARGE --generations 400 --checkpoint 0.2"
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
        [ $left -lt 2000 ] || [ $what = large ] || check "$left MB, $what: there is enough" [ $code -eq 0 ]
        rm -rf $what
        mv kept $what
    done
    empty
done
check "too little memory was met" [ $refusals -gt 0 ]
check "earlier results stay" diff -r small earlier

# The card is filled while a run goes on: its checkpoints find no room on the device then.
grampus run $LARGE --generations 3000 --checkpoint 0 --output undisturbed
rows undisturbed >during.rows
"$GRAMPUS" run $LARGE --generations 3000 --checkpoint 0.2 --output during >out 2>err </dev/null &
pid=$!
sleep 2
check "filled while a run goes on" fill 0
wait $pid
check "filled while a run goes on: it ends well" [ $? -eq 0 ]
empty
check "filled while a run goes on: as undisturbed" same during
tried=$((tried + 1))
echo "# $tried runs beside a process that fills the card, $refusals refused"
exit $FAILED

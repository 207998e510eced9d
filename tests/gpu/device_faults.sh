#!/bin/sh
# Calls of CUDA that fail, each once and for good, over a whole run: a line of error and the right exit code, or the
# right results; earlier results stay; what has a checkpoint is resumed on the CPU and ends as it would have.
. "$(dirname "$0")/../e2e/lib"
FAULTY=$(dirname "$GRAMPUS")/tests/gpu/faults/grampus
[ -x "$FAULTY" ] || { skip "device faults" "no $FAULTY" && exit 0; }

rows() { awk -F '\t' -v OFS='\t' '{ NF--; print }' "$1/statistics.tsv"; }
RUN='run small.yaml --checkpoint 1e-9 --specialise never --device cuda --quiet'
grampus $RUN --output whole
rows whole/small/* >whole.tsv
cp -r whole earlier

# one FAULT: a run with it; what is wrong with it in $wrong, calls of the kind in $calls
one() {
    rm -rf part report
    wrong=
    GRAMPUS_FAULT=$1 GRAMPUS_FAULT_REPORT=report "$FAULTY" $RUN --output part >out 2>err </dev/null
    code=$?
    calls=$(cut -d ' ' -f 2 report 2>/dev/null)
    folder=$(echo part/small/*)
    case $code in
    0) rows "$folder" >is.tsv && cmp -s whole.tsv is.tsv || wrong="exit code 0, but other statistics" ;;
    1 | 4 | 5) [ -s err ] && [ "$(wc -l <err)" -le 3 ] || wrong="exit code $code, $(wc -l <err) lines of error" ;;
    *) wrong="exit code $code" ;;
    esac
    [ "$code" -ne 4 ] || [ "${1%%:*}" = memory ] || [ "${1%%:*}" = device ] || wrong="out of memory?"
    [ -z "$wrong" ] || return 0
    if [ -e "$folder/checkpoint.h5" ] || [ -e "$folder/checkpoint.old.h5" ]; then
        grampus resume "$folder" --device cpu --quiet
        rows "$folder" >is.tsv
        [ "$code" -eq 0 ] && cmp -s whole.tsv is.tsv || wrong="resume: exit code $code, $(head -c 200 err)"
    fi
}

tried=0
failures=0
for kind in memory launch copy wait device; do
    one $kind:1000000000
    all=${calls:-0}
    check "$kind: $all calls" [ "$all" -gt 0 ]
    step=$((all / 12 + 1))
    n=1
    while [ $n -le "$all" ]; do
        for more in '' +; do
            one $kind:$n$more
            tried=$((tried + 1))
                [ -z "$wrong" ] || { echo "# $kind:$n$more: $wrong"; sed 's/^/#   /' err; failures=$((failures + 1)); }
        done
        n=$((n + step))
    done
done
check "device faults: $tried tried" [ $failures -eq 0 ]
check "device faults: earlier results stay" diff -r whole earlier
exit $FAILED

#!/bin/sh
# Runs every end-to-end check: GRAMPUS=path/to/grampus tests/e2e/run.sh
here=$(cd "$(dirname "$0")" && pwd)
GRAMPUS=${GRAMPUS:-$here/../../build/grampus}
case $GRAMPUS in
/*) ;;
*) GRAMPUS=$PWD/$GRAMPUS ;;
esac
export GRAMPUS
all=$(mktemp) || exit 1
trap 'rm -f "$all"' EXIT
for script in "$here"/*.sh; do
    [ "$script" = "$here/run.sh" ] || sh "$script" </dev/null
done >"$all" 2>&1
if command -v python3 >/dev/null 2>&1; then
    for script in "$here"/*.py; do
        python3 "$script" >>"$all" 2>&1
    done
else
    echo "ok - mapping cases, expressions # skipped: no python3" >>"$all"
fi
cat "$all"
passed=$(grep -c '^ok' "$all")
failed=$(grep -c '^not ok' "$all")
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]

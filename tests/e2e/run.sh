#!/bin/sh
# Runs every end-to-end check: GRAMPUS=path/to/grampus tests/e2e/run.sh
here=$(cd "$(dirname "$0")" && pwd)
GRAMPUS=${GRAMPUS:-$here/../../build/grampus}
case $GRAMPUS in
/*) ;;
*) GRAMPUS=$PWD/$GRAMPUS ;;
esac
export GRAMPUS
said=$(mktemp -d) || exit 1
trap 'rm -rf "$said"' EXIT
kinds='*.sh *.py'
command -v python3 >/dev/null 2>&1 || {
    kinds='*.sh'
    echo "ok - mapping cases, expressions # skipped: no python3" >"$said/python3"
}
# Scripts work in folders of their own, so as many run at a time as there are processors.
for script in $(cd "$here" && echo $kinds); do
    [ "$script" = run.sh ] || echo "$script"
done | xargs -P "$(nproc 2>/dev/null || echo 2)" -I SCRIPT sh -c '
    case $2 in *.py) python3 "$1/$2" ;; *) sh "$1/$2" ;; esac >"$3/$2" 2>&1 </dev/null ||
        echo "not ok - $2 ended with exit code $?" >>"$3/$2"' sh "$here" SCRIPT "$said"
cat "$said"/*
passed=$(cat "$said"/* | grep -c '^ok')
failed=$(cat "$said"/* | grep -c '^not ok')
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]

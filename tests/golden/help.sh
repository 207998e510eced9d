#!/bin/sh
# What every verb says of itself, against files; the settings of run are held to problems/README.md by e2e/readme.sh.
# help.sh --write makes the files anew.
cd "$(dirname "$0")/../.." || exit 1
GRAMPUS=${GRAMPUS:-build/grampus}
FAILED=0
for verb in '' resume experiment map parse grammar eval report export predict verify bench devices selftest; do
    file=tests/golden/help/${verb:-grampus}.txt
    if [ "$1" = --write ]; then
        mkdir -p tests/golden/help
        # shellcheck disable=SC2086
        "$GRAMPUS" $verb --help >"$file"
    elif "$GRAMPUS" $verb --help 2>&1 | cmp -s - "$file"; then
        echo "ok - help of ${verb:-the program}"
    else
        echo "not ok - help of ${verb:-the program}: not what $file has"
        FAILED=1
    fi
done
exit $FAILED

#!/bin/sh
# Runs tests and adds up what they report: tests/run.sh BUILD TEST...
# A test is a program or a script (.sh, .py). It reports by cmocka's closing lines, by 'N passed, N failed' or by lines
# 'ok - ...' and 'not ok - ...', and by its exit code; its output goes to BUILD/tests/log. $JOBS of them run side by
# side (default: as many as there are processors), beside these the programs with a line ' * Sleeps' in their source,
# after them, one by one, the scripts with a line '# Runs alone'. Rows of each come in order: the seconds a test took,
# then the seconds of processors.
# BUILD/tests/fuzz/fuzz_NAME is given the seeds in tests/fuzz/seeds/NAME.
log=$1/tests/log
limit=${TEST_LIMIT:-900}

name_of() {
    name=${1#"$build"/}
    name=${name#tests/}
    file=$log/$(echo "$name" | tr / -)
}

run() { # TEST: what it is run by
    case $1 in
    *.sh) timeout "$limit" sh "$1" ;;
    *.py) timeout "$limit" python3 "$1" ;;
    */fuzz/fuzz_grammar) timeout "$limit" "$1" tests/fuzz/seeds/grammar grammars ;; # the shipped ones too
    */fuzz/fuzz_*) timeout "$limit" "$1" "tests/fuzz/seeds/${1##*/fuzz_}" ;;
    *) timeout "$limit" "$1" ;;
    esac
}

# What the file says: 'PASSED FAILED'.
counts_in() {
    awk '
        /^\[  PASSED  \] [0-9]+ test/ { p += $4 }
        /^\[  FAILED  \] [0-9]+ test/ { f += $4 }
        /^([^ :]+: )?[0-9]+ passed, [0-9]+ failed/ { sub(/^[^ :]+: /, ""); p += $1; f += $3 }
        /^ok - / { p++ }
        /^not ok - / { f++ }
        END { print p + 0, f + 0 }' "$1"
}

# One test: its row in $file.row, its counts in $file.counts; prints a line when it is done.
if [ "$1" = --one ]; then
    build=$2
    log=$build/tests/log
    name_of "$3"
    start=$(date +%s.%N)
    run "$3" >"$file.txt" 2>&1 </dev/null
    code=$?
    seconds=$(echo "$(date +%s.%N) $start" | awk '{ print $1 - $2 }')
    times >"$file.times" # the second line is that of the children
    processors=$(awk -F '[ms ]+' 'NR == 2 { print 60 * $1 + $2 + 60 * $3 + $4 }' "$file.times")
    counts=$(counts_in "$file.txt")
    p=${counts% *}
    f=${counts#* }
    if [ $code -eq 0 ] && [ "$p$f" = 00 ]; then
        p=1
    elif [ $code -ne 0 ] && [ "$f" = 0 ]; then
        f=1
    fi
    word=ok
    [ "$f" = 0 ] || word=FAIL
    {
        printf '%-4s %-50s %5d passed %3d failed %7.1f s %7.1f s\n' $word "$name" "$p" "$f" "$seconds" "$processors"
        if [ $word = FAIL ]; then
            [ $code -ne 124 ] || echo "    stopped after $limit s"
            grep -v '^\[\( RUN  \|       OK\)\|^ok - ' "$file.txt" | tail -n 40 | sed 's/^/    /'
            echo "    (exit code $code; all of it: $file.txt)"
        fi
    } >"$file.row"
    rm "$file.times"
    echo "$p" "$f" >"$file.counts" # last: the row is complete
    echo done
    exit 0
fi

build=$1
shift
export GRAMPUS="${GRAMPUS:-$build/grampus}"
# Kernels compiled for the tests are not the user's.
XDG_CACHE_HOME=$(mktemp -d) || exit 1
export XDG_CACHE_HOME
trap 'rm -rf "$XDG_CACHE_HOME"' EXIT
mkdir -p "$log"
rm -f "$log"/*.counts

side_by_side() { # JOBS TEST...: a row is printed when all before it are
    jobs=$1
    shift
    printf '%s\n' "$@" | xargs -P "$jobs" -I TEST "$0" --one "$build" TEST | while read -r _; do
        while [ $# -gt 0 ] && name_of "$1" && [ -e "$file.counts" ]; do
            cat "$file.row"
            shift
        done
    done
}

asleep=
beside=
alone=
for test; do
    case $test in
    *.sh | *.py) grep -q '^# Runs alone' "$test" && alone="$alone $test" || beside="$beside $test" ;;
    *) grep -qs '^ \* Sleeps' "${test#"$build"/}.c" && asleep="$asleep $test" || beside="$beside $test" ;;
    esac
done
# shellcheck disable=SC2086
{
    [ -z "$asleep" ] || side_by_side 99 $asleep &
    [ -z "$beside" ] || side_by_side "${JOBS:-$(nproc 2>/dev/null || echo 2)}" $beside
    wait
    [ -z "$alone" ] || side_by_side 1 $alone
}

passed=0
failed=0
for test; do
    name_of "$test"
    if read -r p f 2>/dev/null <"$file.counts"; then
        passed=$((passed + p))
        failed=$((failed + f))
    else
        echo "FAIL $name was not run to its end"
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]

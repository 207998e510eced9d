#!/bin/sh
# Runs test programs and adds up what they report: tests/run.sh BUILD PROGRAM...
# A program reports by cmocka's closing lines or by 'N passed, N failed', and by its exit code; its output goes to
# BUILD/tests/log. BUILD/tests/fuzz/fuzz_NAME is given the seeds in tests/fuzz/seeds/NAME.
build=$1
shift
log=$build/tests/log
limit=${TEST_LIMIT:-900}
export GRAMPUS="${GRAMPUS:-$build/grampus}"
# Kernels compiled for the tests are not the user's.
XDG_CACHE_HOME=$(mktemp -d) || exit 1
export XDG_CACHE_HOME
trap 'rm -rf "$XDG_CACHE_HOME"' EXIT
passed=0
failed=0
mkdir -p "$log"

for program; do
    name=${program#"$build"/}
    name=${name#tests/}
    out=$log/$(echo "$name" | tr / -).txt
    seeds=
    case $name in
    fuzz/fuzz_grammar) seeds="tests/fuzz/seeds/grammar grammars" ;; # the shipped ones too
    fuzz/fuzz_*) [ ! -d "tests/fuzz/seeds/${name#fuzz/fuzz_}" ] || seeds=tests/fuzz/seeds/${name#fuzz/fuzz_} ;;
    esac
    start=$(date +%s.%N)
    case $program in
    *.sh) timeout "$limit" sh "$program" >"$out" 2>&1 </dev/null ;;
    *) timeout "$limit" "$program" $seeds >"$out" 2>&1 </dev/null ;;
    esac
    code=$?
    counts=$(awk '
        /^\[  PASSED  \] [0-9]+ test/ { p += $4 }
        /^\[  FAILED  \] [0-9]+ test/ { f += $4 }
        /^([^ :]+: )?[0-9]+ passed, [0-9]+ failed/ { sub(/^[^ :]+: /, ""); p += $1; f += $3 }
        END { print p + 0, f + 0 }' "$out")
    p=${counts% *}
    f=${counts#* }
    if [ $code -eq 0 ] && [ "$p$f" = 00 ]; then
        p=1
    elif [ $code -ne 0 ] && [ "$f" = 0 ]; then
        f=1
    fi
    passed=$((passed + p))
    failed=$((failed + f))
    word=ok
    [ "$f" = 0 ] || word=FAIL
    printf '%-4s %-44s %5d passed %3d failed %7.1f s\n' $word "$name" "$p" "$f" \
        "$(echo "$(date +%s.%N) $start" | awk '{ print $1 - $2 }')"
    if [ $word = FAIL ]; then
        [ $code -ne 124 ] || echo "    stopped after $limit s"
        grep -v '^\[\( RUN  \|       OK\)' "$out" | tail -n 40 | sed 's/^/    /'
        echo "    (exit code $code; all of it: $out)"
    fi
done

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

#!/bin/sh
# grampus bench: every row in small on the CPU, its JSON, its mistakes.
. "$(dirname "$0")/lib"

if [ -n "$SANITIZE" ]; then # slower by ten times: of every kind of row some; those of cpu follow
    for some in generation breed "--row divide" "--row sextic-double" "--row 20-multiplexer-general" \
        "--row sizes-100-apart" "--row chitty-kddcup" "--row constants-elites" "--row lexicase"; do
        grampus bench --quick --device cpu --repeats 1 $some --json
        check "bench $some" [ "$code" -eq 0 -a ! -s err ]
        check_json "bench $some: every answer is the reference's" out "all(r['verified'] for r in v['rows'])"
    done
else
    grampus bench --quick --device cpu --repeats 1 --json
    check "bench --quick" [ "$code" -eq 0 -a ! -s err ]
    mv out all
    check_json "bench: all suites of rows" all "[s for s in ('eval', 'generation', 'breed', 'cpu', 'papers', 'search') if any(r['suite'] == s for r in v['rows'])] == ['eval', 'generation', 'breed', 'cpu', 'papers', 'search'] and not any(r['suite'] in ('surface', 'wall', 'scale') for r in v['rows'])"
    check_json "bench: every answer is the reference's" all "all(r['verified'] and r['answers']['compared'] == r['answers']['agreed'] > 0 for r in v['rows'])"
    check_json "bench: rates are nodes x cases / median" all "all(abs(r['gpops'] * 1e9 * r['seconds']['median'] / (r['nodes_total'] * r['cases']) - 1) < 1e-6 for r in v['rows'] if r['suite'] != 'breed')"
    check_json "bench: phases of whole runs" all "all(0 < sum(r['phases'].values()) <= 1.5 * r['seconds']['most'] for r in v['rows'] if r['suite'] == 'generation')"
    check_json "bench: random trees have the sizes of their rows" all "all(low <= r['nodes_mean'] <= high for name, low, high in (('cheap', 81, 91), ('sextic-fast', 81, 91), ('9-inputs', 81, 91), ('41-inputs', 81, 91), ('million', 27, 33), ('mackey-glass', 8, 9), ('gpocl-regression', 50, 50)) for r in v['rows'] if r['name'] == name)"
    check_json "bench: breeding" all "all(r['individuals_per_second'] > 0 and r['codons_per_second'] > 0 and r['gpops'] is None for r in v['rows'] if r['suite'] == 'breed')"
    check_json "bench: targets and papers" all "sum(r['target'] is not None for r in v['rows']) >= 15 and all(r['paper']['figure'] > 0 for r in v['rows'] if r['suite'] == 'papers')"
    check_json "bench: reduced sizes are told" all "[r['reduced_from']['population'] for r in v['rows'] if r['name'] == 'million'] == [1000000]"
    check_json "bench: one core is one thread" all "all('1 thread,' in r['device'] for r in v['rows'] if r['suite'] == 'cpu')"
fi

grampus bench --quick --device cpu --repeats 1 --row mackey-glass
check "bench: one row as text" [ "$code" -eq 0 -a "$(grep -c 'the same bits' out)" -eq 1 ]
check "bench: text tells reduced sizes" grep -q 'reduced for the CPU: population [0-9]* of 204800' out
grampus bench --quick --device cpu --repeats 1 cpu --threads 2
check "bench: one suite" [ "$code" -eq 0 -a "$(grep -c 'the same bits' out)" -eq 2 ]
grampus bench --quick --device cpu --repeats 3 cpu --json
check_json "bench: median lies inside the spread" out "all(0 < r['seconds']['least'] < r['seconds']['median'] < r['seconds']['most'] for r in v['rows'])"
grampus bench --quick --device cpu --repeats 1 surface --json
check "bench: surface" [ "$code" -eq 0 ]
check_json "bench: surface has cells" out "len(v['rows']) > 5 and all(r['verified'] for r in v['rows']) and len({(r['population'], r['cases']) for r in v['rows']}) == len(v['rows'])"

if [ -z "$SANITIZE" ]; then # slower by ten times, and a row of it follows
    grampus bench --quick --device cpu --repeats 1 wall --json
    check "bench: wall" [ "$code" -eq 0 ]
    check_json "bench: wall has new processes with a cold cache and a warm one" out "[(r['name'], r['cache']) for r in v['rows']] == [(n, c) for n in ('nguyen-1-cpu', 'quartic-1000', 'quartic-100000') for c in ('cold', 'warm')] and all(r['verified'] and r['device'].startswith('CPU') and 0 < r['seconds']['least'] <= r['seconds']['median'] <= r['seconds']['most'] for r in v['rows'])"
    check "bench: wall leaves nothing behind" [ -z "$(find /tmp -maxdepth 1 -name 'grampus-wall-*' -newer small.yaml)" -a ! -e results ]
fi
grampus bench --quick --device cpu --repeats 1 --row nguyen-1-cpu
check "bench: a row of wall alone" [ "$code" -eq 0 -a "$(grep -c '  ok  CPU' out)" -eq 2 ]

grampus bench --quick --device cpu --repeats 1 --row scale-cases --json
check "bench: a sweep of scale" [ "$code" -eq 0 ]
check_json "bench: it has times, an exponent, and what was left out" out "len(v['rows']) > 1 and all(r['name'] == 'scale-cases' and r['seconds']['median'] > 0 and 0 < sum(r['phases'].values()) and '1000000000 (' in r['left_out'] and -1 < r['exponent'] < 3 for r in v['rows'])"
check_json "bench: every size once" out "all(a['size'] < b['size'] for a, b in zip(v['rows'], v['rows'][1:]))"
if [ -n "$SANITIZE" ]; then
    skip "bench: scale: every sweep" "one has been seen"
elif command -v gnuplot >/dev/null 2>&1; then
    grampus bench scale --quick --device cpu --repeats 1 --picture growth.svg
    check "bench: scale: picture" [ "$code" -eq 0 -a "$(head -c 5 growth.svg)" = "<?xml" ]
    check "bench: scale: every sweep" [ "$(grep -c '^scale-' out)" -eq 7 ]
else
    skip "bench: scale: picture" "no gnuplot"
fi

rejects "bench: unknown row" 2 "did you mean 'million'" bench --row milion
rejects "bench: row of another suite" 2 "in the suite eval" bench papers --row cheap
rejects "bench: unknown suite" 2 "did you mean 'papers'" bench paper
rejects "bench: unknown option" 2 "did you mean '--repeats'" bench --repeat 3
rejects "bench: unknown device" 2 "expected auto, cpu or cuda" bench --device gpu
rejects "bench: no repeats" 2 "--repeats" bench --repeats 0
rejects "bench: picture of a kind unknown" 2 ".svg or .png" bench --picture rates.jpg
rejects "bench: picture into no folder, before anything is measured" 2 "no/such/: No such file" bench surface --quick --picture no/such/r.svg
check "bench: picture into no folder: nothing was measured" [ ! -s out ]
rejects "bench: picture of two suites" 2 "expected one of them" bench surface scale --picture rates.svg
rejects "bench: picture of a row" 2 "--row" bench --picture rates.svg --row cheap
if command -v gnuplot >/dev/null 2>&1; then
    grampus bench surface --quick --device cpu --repeats 1 --picture "it's.svg"
    check "bench: picture" [ "$code" -eq 0 -a "$(head -c 5 "it's.svg")" = "<?xml" ]
else
    skip "bench: picture" "no gnuplot"
fi
mkdir empty
PATH=$WORK/empty "$GRAMPUS" bench surface --quick --device cpu --repeats 1 --picture rates.svg >out 2>err </dev/null
code=$?
check "bench: a picture without gnuplot" [ "$code" -eq 1 -a ! -e rates.svg ]
check "bench: a picture without gnuplot: says where the rates are" grep -q "gnuplot is not here; rates.gp holds the rates" err
check "bench: a picture without gnuplot: keeps the rates" grep -q "^16 10 [0-9]" rates.gp
exit $FAILED

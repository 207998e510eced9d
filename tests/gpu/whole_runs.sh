#!/bin/sh
# Whole runs by the program on the device: the same statistics and best with the graph and without, with any epoch,
# twice, on the CPU and on the GPU; and what moves between host and device does not grow with the population.
. "$(dirname "$0")/../e2e/lib"
PROBLEMS=$ROOT/problems

# run_to NAME ARGUMENTS...: statistics without the time in NAME.tsv, the best in NAME.best, all in NAME.json
run_to() {
    name=$1
    shift
    rm -rf results "$name".*
    grampus run "$@" --quiet
    [ "$code" -eq 0 ] || { sed 's/^/# /' err; return 1; }
    folder=$(echo results/*/*)
    awk -F '\t' -v OFS='\t' '{ NF--; print }' "$folder/statistics.tsv" >"$name.tsv"
    cp "$folder/best.json" "$name.json"
    grep -E '"(run|seed|generation|fitness|test_fitness|phenotype|infix|genome)"' "$folder/best.json" >"$name.best"
    [ -s "$name.best" ] && [ -s "$name.tsv" ]
}

field() { sed -n "s/.*\"$2\":[ \t]*\([0-9]*\).*/\1/p" "$1.json" | head -1; }

for problem in pospichal-quartic koza-sextic-tree multiplexer-11 vladislavleva-4; do
    file=$PROBLEMS/$problem.yaml
    small="--generations 23 --runs 3"
    # shellcheck disable=SC2086
    {
        run_to graph "$file" $small --device cuda
        run_to stream "$file" $small --device cuda --no-graph
        run_to epochs "$file" $small --device cuda --epoch 4
        run_to again "$file" $small --device cuda
        run_to cpu "$file" $small --device cpu
    }
    for other in stream epochs again cpu; do
        check "$problem: graph and $other give the same statistics" cmp graph.tsv $other.tsv
        check "$problem: graph and $other give the same best" cmp graph.best $other.best
    done
done

run_to few "$PROBLEMS/koza-sextic-tree.yaml" --device cuda --population 100 --generations 20
run_to many "$PROBLEMS/koza-sextic-tree.yaml" --device cuda --population 20000 --generations 20
for what in telemetry downloaded uploaded; do
    check "$what: $(field few $what) bytes for 100 individuals, $(field many $what) for 20000" \
        [ "$(field few $what)" -eq "$(field many $what)" ]
done
check "telemetry is counted" [ "$(field few telemetry)" -gt 0 ]

exit $FAILED

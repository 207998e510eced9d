#!/bin/sh
# grampus verify: a finished run repeated, and every kind of difference found.
. "$(dirname "$0")/lib"

TMPDIR=$WORK/temporary
export TMPDIR
mkdir "$TMPDIR"
grampus run small.yaml --quiet --predictions 5 --runs 2 --seed 4
folder=$(echo results/small/*)
grampus verify "$folder"
check "the same" [ "$code" -eq 0 -a "$(cat out)" = "the same: 26 rows of statistics, best programs, 5 programs" ]
grampus verify "$folder/" --threads 2 --epoch 1
check "on other threads, by other epochs" [ "$code" -eq 0 ]
cp -r "$folder" elsewhere
(cd / && "$GRAMPUS" verify "$WORK/elsewhere") >out 2>err
check "from another folder" [ $? -eq 0 ]

grampus run small.yaml --quiet --output limited --generations 100000000 --time-limit 0.5
grampus verify limited/small/*
check "ended by its time limit" [ "$code" -eq 0 ]

# differs NAME WORDS FILE SED: the file changed so, verify says so
differs() {
    rm -rf changed && cp -r "$folder" changed
    sed "$4" "$folder/$3" >"changed/$3"
    grampus verify changed
    check "$1" [ "$code" -eq 6 -a -z "$(cat out)" -a "$(grep -cF -- "$2" err)" -eq 1 ]
}
differs "another fitness" "statistics.tsv:4: '" statistics.tsv '4s/\t[0-9.]*/\t7/2'
differs "a row too few" "statistics.tsv:27: only one" statistics.tsv '27d'
differs "a row too many" "statistics.tsv:28: only one" statistics.tsv '$p'
differs "another column" "statistics.tsv:1: '" statistics.tsv '1s/valid/good/'
differs "another best" "best.json: infix" best.json 's/"infix":.*/"infix": "x",/'
differs "something else said of the best" "best.json: more" best.json 's/"infix"/"more": 1, "infix"/'
differs "another row of a run" "runs.tsv:3: '" runs.tsv '3s/$/1/'
differs "another program" "programs.tsv:3: '" programs.tsv '3s/$/1/'
differs "programs that nobody asked for" "programs.tsv: only one" run.yaml 's/^predictions:.*//'
grampus verify "$folder" --seed 5
check "another seed" [ "$code" -eq 6 ]
sed 's/\t[0-9.]*$/\t9/' "$folder/statistics.tsv" >changed/statistics.tsv
cp "$folder/programs.tsv" "$folder/run.yaml" changed
grampus verify changed
check "times do not count" [ "$code" -eq 0 ]

# What was spared is no result, and neither is where a run was resumed.
grampus run small.yaml --quiet --output spared --replacement steady-state --generations 6 --checkpoint 1e-9 --epoch 2
grampus resume spared/*/* --generations 12 --quiet
grampus verify spared/*/*
check "a steady state that was resumed" [ "$code" -eq 0 ]
grampus verify spared/*/* --evaluate-once off
check "without a look at equal programs" [ "$code" -eq 0 ]

grampus run small.yaml --quiet --output summed --runs 3 --statistics summary
grampus verify summed/*/*
check "a summary" [ "$code" -eq 0 -a "$(cat out)" = "the same: 13 rows of statistics, best programs" ]
folder=$(echo summed/*/*)
differs "another row of a summary" "summary.tsv:4: '" summary.tsv '4s/\t[0-9.]*/\t7/4'
grampus run small.yaml --quiet --output fronts --objectives error,nodes
folder=$(echo fronts/*/*)
differs "another member of a front" "front.tsv:2: '" front.tsv '2s/$/1/'
folder=$(echo results/small/*)
cp "$folder"/* changed

sed 's/"stopped":.*/"stopped": true,/' "$folder/best.json" >changed/best.json
rm -rf results
rejects "a run that was stopped" 2 "the run was stopped; expected the folder of a finished run" verify changed
rm changed/best.json
rejects "a run that did not end" 2 "expected the folder of a finished run" verify changed
rejects "no folder" 2 "no folder" verify --threads 1
rejects "an unknown option" 2 "did you mean '--threads'" verify elsewhere --threds 2
rejects "another folder" 2 "--output: the repeated run is compared and removed" verify elsewhere --output there
rejects "another folder in one word" 2 "--output: the repeated run" verify elsewhere --output=there
check "nothing is left there" [ ! -e there ]
# Its JSON is one document, whatever else of JSON was asked for.
verdict() { # NAME CODE PROGRAM ARGUMENTS...
    title=$1 expected=$2 program=$3
    shift 3
    grampus verify "$@"
    check "$title" [ "$code" -eq "$expected" -a "$(python3 -c "import json, sys; v = json.load(open('out')); print($program)")" = True ]
}
verdict "the verdict as JSON" 0 'v == {"same": True, "rows": 26, "programs": 5}' elsewhere --json
verdict "by another word" 0 'v["same"]' elsewhere --json=true --threads 1
verdict "of a run that had JSON itself" 0 'v["same"]' elsewhere --no-json --json
verdict "of another run" 6 'v["same"] is False and v["difference"].startswith("statistics.tsv:2: ")' elsewhere --json --seed 5
grampus verify elsewhere --json --no-json
check "none that is taken back" [ "$code" -eq 0 -a "$(cat out)" = "the same: 26 rows of statistics, best programs, 5 programs" ]
TMPDIR=$WORK/nowhere "$GRAMPUS" verify elsewhere >out 2>err
check "a folder for temporary files that is not there" [ $? -eq 1 -a "$(grep -cF "$WORK/nowhere/grampus-" err)" -eq 1 ]
check "nothing is left" [ -z "$(ls "$TMPDIR")" ]
exit $FAILED

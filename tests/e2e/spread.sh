#!/bin/sh
# Runs spread over several engines (host/spread), on threads and on processes that mpirun starts.
. "$(dirname "$0")/lib"

some=6 processes=2 pairs= two=2
[ -z "$SANITIZE" ] || some=1 processes=1 pairs=--different two= # slower by ten times
if has_python; then
    check "random runs over 2, 3 and 7 engines" python3 "$ROOT/tests/differential/sameness.py" --grampus "$GRAMPUS" \
        --device members --count $some --seed search-21
    check "resumed on other numbers of engines" python3 "$ROOT/tests/differential/splits.py" --grampus "$GRAMPUS" \
        --devices cpu,cpu@3 $pairs --count 1 --seed search-22
    check "random runs whose cases 2, 3 and 7 engines share" python3 "$ROOT/tests/differential/sameness.py" \
        --grampus "$GRAMPUS" --device members --spread cases --count $some --seed search-31
    check "resumed on other numbers of those" python3 "$ROOT/tests/differential/splits.py" --grampus "$GRAMPUS" \
        --devices cpu,cpu@3 $pairs --spread cases --count 1 --seed search-34
    check "random runs whose individuals 2, 3 and 7 engines share" python3 "$ROOT/tests/differential/sameness.py" \
        --grampus "$GRAMPUS" --device members --spread population --count $some --seed search-41
    check "resumed on other numbers of those" python3 "$ROOT/tests/differential/splits.py" --grampus "$GRAMPUS" \
        --devices cpu,cpu@3 $pairs --spread population --count 1 --seed search-42
    check "random runs that devices would keep in parts" python3 "$ROOT/tests/differential/sameness.py" \
        --grampus "$GRAMPUS" --device members --spread memory --count $(((some + 1) / 2)) --seed search-51
else
    skip "random runs over several engines" "no python3"
fi

cat >islands.yaml <<'EOF'
genotype: tree
target-expression: x * x * x + sin(x)
variables: "x = linspace(-1, 1, 400)"
population: 200
islands: 4
migration-every: 3
threads: 1
device: cpu
EOF
GRAMPUS_MEMBERS=2 "$GRAMPUS" run islands.yaml --diversity >out 2>err
check "diversity is refused over islands" [ $? -eq 2 -a "$(grep -c 'expected one device' err)" -eq 1 ]
GRAMPUS_MEMBERS=2 "$GRAMPUS" run islands.yaml --selection nsga2 --elites 0 --parsimony none >out 2>err
check "so are several objectives with migration" [ $? -eq 2 -a "$(grep -c 'objectives: islands that exchange' err)" -eq 1 ]
GRAMPUS_MEMBERS=3 grampus run islands.yaml --spread cases --diversity --generations 1 --output shared \
    --variables 'x = linspace(-1, 1, 2000)'
check "cases are shared by as many engines as have some" [ "$code" -eq 0 -a \
    "$(grep -cE '2 x CPU.*by cases.*2 of 3 have something to do' out)" -eq 1 ]
GRAMPUS_MEMBERS=300 grampus run islands.yaml --spread population --population 30 --generations 1 --output tiny
check "individuals by as many as there are" [ "$code" -eq 0 -a \
    "$(grep -cE '120 x CPU.*by population.*120 of 300 have something to do' out)" -eq 1 ]
cat >duplicates.yaml <<EOF
grammar: $ROOT/grammars/quartic-prefix.bnf
target-expression: x0 + x0*x0 + x0*x0*x0
variables: x0 = linspace(-1, 1, 40)
population: 60
generations: 8
mutate-duplicates: true
codon-mutation: 0.05
threads: 1
device: cpu
EOF
for members in 1 3; do
    GRAMPUS_MEMBERS=$members grampus run duplicates.yaml --spread population --output duplicates$members --quiet
    sed 's/	[^	]*$//' duplicates$members/*/*/statistics.tsv >duplicates$members.tsv
done
check "what was there before is looked for among everybody's individuals" \
    [ "$(cmp duplicates1.tsv duplicates3.tsv 2>&1)" = "" -a "$(wc -l <duplicates3.tsv)" -eq 10 ]
cat >fitted.yaml <<EOF
grammar: $ROOT/tests/differential/constants.bnf
target-expression: 3.2 * sin(1.4 * x) + 0.7 * y - 2.2
variables: "x = uniform(-2, 2); y = uniform(0, 3)"
train-cases: 200
preset: ge
population: 60
generations: 12
migration-every: 2
optimise-share: 0.3
weighted-inputs: true
threads: 1
device: cpu
EOF
for spread in auto population; do
    for members in 1 3; do
        GRAMPUS_MEMBERS=$members grampus run fitted.yaml --spread $spread --output fitted$members$spread --quiet
        sed 's/	[^	]*$//' fitted$members$spread/*/*/statistics.tsv >fitted$members.tsv
        grep -h '^best' fitted$members$spread/*/*/best.txt >>fitted$members.tsv
    done
    check "constants that genomes inherit, spread $spread" \
        [ "$(cmp fitted1.tsv fitted3.tsv 2>&1)" = "" -a "$(wc -l <fitted3.tsv)" -eq 15 ]
done
# Runs that end before others: their individuals are those of one engine in every dump, and gone behind their end.
cat >ends.yaml <<EOF
genotype: tree
functions: "+, -, *, sin"
constant-probability: 0.2
target-expression: 0.5 * x * y * y + sin(x) + 2
variables: x = uniform(-3, 3); y = uniform(1, 3)
train-cases: 60
population: 300
generations: 20
runs: 6
target-fitness: 1
dump-every: 1
predictions: 1800
threads: 1
device: cpu
EOF
ended() { (cd "$1"/*/* && cksum population_*.tsv programs.tsv); }
for more in "" "--optimise-constants share" "--objectives error,nodes"; do
    for members in 1 $two 3; do
        GRAMPUS_MEMBERS=$members grampus run ends.yaml $more --output "ends$members$more" --quiet
        ended "ends$members$more" >ended$members
    done
    check "runs that end before others, dumped: $more" \
        [ "$(wc -l <ended1)" -ge 10 -a "$(cat ended1)" = "$(cat "ended${two:-3}")" -a "$(cat ended1)" = "$(cat ended3)" ]
done
# Nor are there any once a checkpoint was gone on from on another number of engines: one of six engines, some of whose
# runs had ended, and one of a generation with which a run ended.
GRAMPUS_MEMBERS=1 grampus run ends.yaml --output ends --quiet
ended ends >ended1
last=$(awk -F '\t' 'NR > 1 { last[$1] = $2 } END { for (run in last) print last[run] }' ends/*/*/statistics.tsv | sort -n | sed -n 3p)
for split in "$last" $((last + 2)); do
    for members in "6 1" "1 6" "6 2"; do
        [ -z "$SANITIZE" ] || [ "$split $members" = "$last 6 2" ] || continue # half a minute there
        rm -rf resumed
        GRAMPUS_MEMBERS=${members% *} grampus run ends.yaml --output resumed --generations "$split" --checkpoint 1e-9 --quiet
        GRAMPUS_MEMBERS=${members#* } grampus resume resumed/*/* --generations 20 --quiet
        ended resumed >ended2
        check "runs that end before others, resumed behind $split, members $members" cmp -s ended1 ended2
    done
done
grampus run islands.yaml --device cuda --devices 0,63
check "devices that are none" [ \( "$code" -eq 2 -o "$code" -eq 5 \) -a "$(grep -cE 'no device 63|a usable CUDA device' err)" -eq 1 ]
GRAMPUS_MPI_LIBRARY=/nowhere OMPI_COMM_WORLD_SIZE=2 "$GRAMPUS" run islands.yaml >out 2>err
check "processes that cannot join each other do not all do the work" [ $? -eq 1 -a ! -e results ]
GRAMPUS_MPI=0 OMPI_COMM_WORLD_SIZE=2 "$GRAMPUS" run islands.yaml --generations 2 --output alone >out 2>err
check "unless they have nothing to do with each other" [ $? -eq 0 ]

if ! command -v mpirun >/dev/null || [ ! -e "$(dirname "$GRAMPUS")/grampus-mpi.so" ]; then
    skip "runs on several processes" "no mpirun, or built without MPI"
    exit $FAILED
fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
[ -z "$SANITIZE" ] || export ASAN_OPTIONS=detect_leaks=0 # the libraries of MPI leave theirs

if has_python; then
    check "random runs over three processes" python3 "$ROOT/tests/differential/sameness.py" --grampus "$GRAMPUS" \
        --device mpi --count $processes --seed search-21
    check "random runs whose cases three processes share" python3 "$ROOT/tests/differential/sameness.py" \
        --grampus "$GRAMPUS" --device mpi --spread cases --count $processes --seed search-31
    check "random runs whose individuals three processes share" python3 "$ROOT/tests/differential/sameness.py" \
        --grampus "$GRAMPUS" --device mpi --spread population --count $processes --seed search-41
fi

# The same program but for the sum of its sources, as a host has it that was not brought up to date.
LC_ALL=C sed 's/, sources [0-9]/, sources x/' "$GRAMPUS" >other_build
chmod +x other_build
cp "$(dirname "$GRAMPUS")/grampus-mpi.so" .
for order in "$GRAMPUS ./other_build" "./other_build $GRAMPUS"; do
    timeout 60 mpirun -q --oversubscribe -n 1 "${order% *}" run islands.yaml --output mixed : \
        -n 2 "${order#* }" run islands.yaml --output mixed >out 2>err
    check "processes of different builds share no run" [ $? -eq 1 -a ! -e mixed ]
    check "and say so in one line" [ "$(grep -c '^process 1 is of another build (grampus .*, sources .*); expected grampus' err)" -eq 1 ]
done

# Cells that would be side by side in one process: the others do one thing at a time.
printf 'base: islands.yaml\ngenerations: 2\ngrid:\n  population: [20, 30, 40]\n' >cells.yaml
GRAMPUS_MPI=0 "$GRAMPUS" experiment cells.yaml --quiet --output cells1
timeout 60 mpirun -q --oversubscribe --bind-to none -n 3 "$GRAMPUS" experiment cells.yaml --quiet --output cells3 >out 2>err
check "an experiment over three processes" [ $? -eq 0 ]
for cells in cells1 cells3; do
    "$GRAMPUS" experiment $cells/cells --csv >out 2>err
    sed 's/,[^,]*$//' $cells/cells/generations.csv >$cells.csv
done
check "and its generations are those of one" cmp -s cells1.csv cells3.csv
timeout 60 mpirun -q --oversubscribe --bind-to none -n 3 "$GRAMPUS" experiment cells.yaml --jobs 2 --output cells2 >out 2>err
check "--jobs 2 beside processes is refused" [ $? -eq 2 -a "$(grep -c '^--jobs 2 beside 3 processes, .*; expected --jobs 1, or GRAMPUS_MPI=0$' err)" -eq 1 ]

# A process leaves its number in pid.RANK, and its exit code in exit.RANK.
cat >process <<'EOF'
#!/bin/sh
trap '' TERM # mpirun ends who is left; the exit codes are to be seen
"$GRAMPUS" "$@" &
echo $! >pid.$OMPI_COMM_WORLD_RANK
wait $!
echo $? >exit.$OMPI_COMM_WORLD_RANK
EOF
chmod +x process

# begin ARGUMENTS...: a run of three processes in the background, $pid; returns once it has a checkpoint.
begin() {
    rm -rf spread pid.* exit.*
    mpirun --oversubscribe --bind-to none -n 3 ./process run islands.yaml --generations 100000000 --quiet \
        --output spread --checkpoint 0.2 "$@" >out 2>err &
    pid=$!
    await 30 there 'spread/*/*/checkpoint.h5'
}

generation() { tail -1 "$1"/*/*/statistics.tsv | cut -f 2; }

# the rows of a folder are those of a whole run
as_whole() {
    "$GRAMPUS" run islands.yaml --generations "$(generation "$1")" --output whole --quiet || return 1
    sed 's/	[^	]*$//' whole/*/*/statistics.tsv >whole.tsv
    sed 's/	[^	]*$//' "$1"/*/*/statistics.tsv | cmp -s - whole.tsv
    same=$?
    rm -rf whole
    return $same
}

begin
kill -INT "$(cat pid.2)"
wait $pid
check "a signal to any process ends all: 3" [ "$(cat exit.0 exit.1 exit.2 | sort -u)" = 3 ]
check "results are written once" [ "$(echo spread/*/*/best.txt | wc -w)" -eq 1 -a -s spread/*/*/best.txt ]
check "all ended with one generation" as_whole spread

sed 's/^generations: .*/generations: 100000000/' cells.yaml >long_cells.yaml
rm -f pid.* exit.*
timeout 60 mpirun --oversubscribe --bind-to none -n 3 ./process experiment long_cells.yaml --quiet --output spread >out 2>err &
pid=$!
await 30 there 'spread/long_cells/results.sqlite'
sleep 1
kill -INT "$(cat pid.2)"
wait $pid
check "also of an experiment" [ "$(cat exit.0 exit.1 exit.2 | sort -u)" = 3 ]

# Nothing is spread here: processes 1 and 2 have nothing to do, and nothing to answer.
{ grep -v '^islands\|^migra' islands.yaml; echo 'generations: 100000000'; } >alone.yaml
printf 'base: alone.yaml\ngrid:\n  population: [20, 30]\n' >alone_cells.yaml
begun() { there 'spread/*/*/statistics.tsv' || there 'spread/*/results.sqlite'; }
for verb in 'run alone.yaml' 'experiment alone_cells.yaml'; do
    rm -rf spread pid.* exit.*
    timeout -s KILL 30 mpirun --oversubscribe --bind-to none -n 3 ./process $verb --quiet --output spread >out 2>err &
    pid=$!
    await 30 there pid.2
    await 30 begun
    sleep 0.5
    kill -TERM "$(cat pid.2)"
    wait $pid
    check "and to one that has nothing to do (${verb% *})" [ "$(cat exit.0 exit.1 exit.2 | sort -u)" = 3 ]
done

begin
kill -KILL "$(cat pid.1)"
died=$(date +%s)
wait $pid
check "a process that dies ends the others" [ $(($(date +%s) - died)) -le 10 ]
check "with a line" [ "$(grep -c '^process 1 on .* has died; ' err)" -eq 1 ]
check "and exit code 5" [ "$(cat exit.0 exit.2 | sort -u)" = 5 ]
last=$(($(generation spread) + 7))
"$GRAMPUS" resume spread/*/* --generations $last --quiet 2>err
check "its checkpoint goes on with fewer" [ $? -eq 0 ]
check "and gives what a whole run gives" as_whole spread
exit $FAILED

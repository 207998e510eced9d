#!/bin/sh
# Checkpoints and grampus resume: what is split is what was never split; what is damaged, foreign or in use is refused.
. "$(dirname "$0")/lib"

# rows FILE: statistics without the time
rows() { awk -F '\t' -v OFS='\t' '{ NF--; print }' "$1/statistics.tsv"; }
best() { grep -E '"(run|seed|generation|fitness|test_fitness|phenotype|infix|genome|stop_reason|generations)"' "$1/best.json"; }
# like FOLDER: the results there are those of the undisturbed run
like() {
    rows "$1" >is.tsv && best "$1" >is.best && cmp -s whole.tsv is.tsv && cmp -s whole.best is.best &&
        cmp -s whole/small/*/programs.tsv "$1/programs.tsv"
}
# resumed NAME FOLDER ARGUMENTS...: goes on, and ends as the undisturbed run
resumed() {
    title=$1
    shift
    grampus resume "$@" --quiet
    check "$title: exit code 0" [ "$code" -eq 0 ]
    check "$title: as if it had never ended" like "$1"
}
# parted FOLDER ARGUMENTS...: a run that ended early with two checkpoints; its results in $folder
parted() {
    rm -rf "$1"
    to=$1
    shift
    grampus run small.yaml --output "$to" --generations 7 --checkpoint 1e-9 --epoch 2 --quiet "$@"
    folder=$(echo "$to"/*/*)
}

LONG='--generations 30 --predictions 10'
grampus run small.yaml --output whole $LONG --checkpoint 0 --quiet
rows whole/small/* >whole.tsv
best whole/small/* >whole.best
check "checkpoint 0: none" [ ! -e whole/small/*/checkpoint.h5 ]
grampus resume whole/small/*
check "nothing to resume: exit code 2" [ "$code" -eq 2 ]
check "nothing to resume: the file that is missing" grep -q "checkpoint.h5: No such file" err

parted half
resumed "more generations" "$folder" $LONG
resumed "what is done is done" "$folder" --predictions 10
check "what is done takes no time of the engine" grep -q '"executed_gpops":.0,$' "$folder/best.json"
check "run.yaml has the settings of the whole" grep -qx 'generations: *.30.*' "$folder/run.yaml"
check "run.yaml says why it ended" grep -qx '# ended by generations' "$folder/run.yaml"
check "nothing else is left" [ "$(ls "$folder" | tr '\n' ' ')" = \
    'best.json best.txt checkpoint.h5 checkpoint.old.h5 programs.tsv run.yaml statistics.tsv ' ]

# What the folder has of the part before and the whole would not have goes, but not before the run goes on.
parted asked --sqlite --predictions 5
grampus resume "$folder" --quiet --predictions 3
check "tables stay where no generation follows" [ -e "$folder/results.sqlite" -a "$(wc -l <"$folder/programs.tsv")" -eq 4 ]
grampus resume "$folder" --quiet --generations 9 --predictions 0
check "tables of a part are removed" [ "$code" -eq 0 -a ! -e "$folder/results.sqlite" ]
check "tables of a part: it is said" grep -q '/results.sqlite held the run up to where it was resumed; it is removed$' err
check "programs.tsv of a part is removed" [ ! -e "$folder/programs.tsv" ]

# Phenotypes that were there before are known from there on.
printf '<e> ::= <e>+<e> | <e>*<e> | x | y | 1\n' >few.bnf
printf 'grammar: few.bnf\ntarget-expression: x * x + y\nvariables: x, y = uniform(-1, 1)\ntrain-cases: 40\npopulation: 40\n' >new.yaml
printf 'mutate-duplicates: true\nponyge2-statistics: true\nmax-depth: 12\n' >>new.yaml
grampus run new.yaml --output new.whole --generations 20 --threads 1 --quiet
grampus run new.yaml --output new --generations 7 --checkpoint 1e-9 --epoch 2 --threads 2 --quiet
grampus resume new/*/* --generations 20 --quiet
cut -f 1-17 new.whole/*/*/stats.tsv >whole.stats
cut -f 1-17 new/*/*/stats.tsv >is.stats
rows new.whole/*/* >whole.known && rows new/*/* >is.known
check "mutate-duplicates: as if it had never ended" cmp -s whole.known is.known
check "mutate-duplicates: regens too" [ "$(cmp whole.stats is.stats 2>&1)" = "" -a "$(tail -n 1 is.stats | cut -f 17)" -gt 20 ]

# Progress is of what this process does: the rate, the time that is left (minutes for 10^6 generations, at the least).
# Runs that have ended before are counted.
grampus run small.yaml --output told --target-expression "sin(7 * x)" --generations 600 --runs 3 --target-fitness 0.5 --checkpoint 0.05 --quiet
grep -q '"successes":.[12],' told/*/*/best.json
check "progress: some runs have ended, some not" [ $? -eq 0 ]
solved=$(sed -n 's/.*"successes":.\([0-9]*\),/\1/p' told/*/*/best.json)
grampus resume told/*/* --generations 1000000 --time-limit 0.3 --epoch 1 --progress 0 --no-quiet
head -n 1 err >first
check "progress: runs that ended before count as solved" grep -q "  solved [$solved-3]/3" first
check "progress: the time left is by generations of now" grep -qE '^generation 60[0-9]/1000000  [0-9]+ (min|h) .* left' first

# Programs that were spared are those of the part that looked for them.
spared() { grep -E '"(equal_programs|elites|remembered_programs|spared_node_evaluations)"' "$1/best.json"; }
parted looking --evaluate-once on
spared "$folder" >looking.spared
check "evaluate-once: some programs were spared" [ -s looking.spared ]
resumed "evaluate-once off from there on" "$folder" $LONG --evaluate-once off
spared "$folder" >is.spared
check "evaluate-once off from there on: no more are spared" cmp -s looking.spared is.spared

parted half
cp -r "$folder" before
grampus resume "$folder" $LONG --output other --quiet
check "--output: exit code 0" [ "$code" -eq 0 ]
check "--output: a new folder has all of it" like other/small/*
check "--output: the old one stays" diff -r before "$folder"

# A run on samples whose end is ranked on all cases, of which some have stopped before; the end once more.
grampus run small.yaml --output ranked --runs 8 --case-sampling random --sample-cases 12 --target-fitness 0.1 \
    --generations 9 --target-expression 'x * x + sin(x)' --checkpoint 1e-9 --predictions 9 --quiet
ranked=$(echo ranked/small/*)
best "$ranked" >ranked.best
cp "$ranked/programs.tsv" ranked.programs
check_json "ranked: some had stopped before" "$ranked/best.json" "len({r['generation'] for r in v['runs']}) > 1 and \
    v['summary']['successes'] == 8 and v['summary']['recomputed_differing'] == 0"
grampus resume "$ranked" --quiet
best "$ranked" >is.best
check "ranked once more: the same best" cmp -s ranked.best is.best
check "ranked once more: the same programs" cmp -s ranked.programs "$ranked/programs.tsv"

# ---- what may change ----

rejects "another population" 2 "--population: a resumed run keeps it" resume "$folder" --population 70
rejects "generations that have been" 2 "of generation 7" resume "$folder" --generations 3
rejects "evaluations that have been" 2 "no max-evaluations that end before" resume "$folder" --max-evaluations 40
rejects "no folder" 2 "no folder" resume
rejects "no such folder" 2 "no run.yaml there" resume nowhere
rejects "an option nobody knows" 2 "did you mean '--generations'" resume "$folder" --generation 3
cp -r "$folder" foreign
sed -i 's/^seed: .*/seed: 3/' foreign/run.yaml
rejects "another seed in run.yaml" 2 "with other settings" resume foreign
printf 'x,y\n1,2\n2,5\n3,10\n' >data.csv
grampus run --data data.csv --genotype tree --population 20 --generations 3 --checkpoint 1e-9 --output data --quiet
printf 'x,y\n1,2\n2,5\n3,11\n' >data.csv
rejects "other data" 2 "with other fitness cases" resume data/*/* --generations 5
printf 'x,y\n1,2\n2,5\n3,10\n' >moved.csv
rm data.csv
grampus resume data/*/* --generations 5 --data moved.csv --quiet
check "the same data elsewhere" [ "$code" -eq 0 ]

# ---- damage ----

echo leak:libhdf5 >leaks # it loses some bytes of what it cannot read
LSAN_OPTIONS=suppressions=$PWD/leaks:print_suppressions=0
export LSAN_OPTIONS

parted half
truncate -s -100 "$folder/checkpoint.h5"
grampus resume "$folder" $LONG --quiet
check "a cut checkpoint: the older one is used" [ "$code" -eq 0 ]
check "a cut checkpoint: it is said" grep -q "checkpoint.h5: .*; checkpoint.old.h5 is used" err
check "a cut checkpoint: as if it had never ended" like "$folder"

parted half
head -n 1 "$folder/statistics.tsv" >short.tsv
cp short.tsv "$folder/statistics.tsv"
grampus resume "$folder" $LONG --quiet
check "rows are missing: refused" [ "$code" -eq 2 ]
check "rows are missing: it is said" grep -q 'statistics.tsv: [0-9]* bytes; expected the' err
check "rows are missing: they stay" cmp -s short.tsv "$folder/statistics.tsv"

# Every byte that is changed is found, or is one that nothing is read from.
damage() {
    python3 - "$1" "$2" "$3" <<'END'
import sys
path, index, of = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
with open(path, "r+b") as file:
    size = file.seek(0, 2)
    at = (2 * index + 1) * size // (2 * of)
    file.seek(at)
    byte = file.read(1)[0]
    file.seek(at)
    file.write(bytes([byte ^ 1 << index % 8]))
END
}
if has_python; then
    parted half
    rm "$folder/checkpoint.old.h5"
    cp -r "$folder" good
    found=0
    wrong=0
    for index in $(seq 0 23); do
        rm -rf bad
        cp -r good bad
        damage bad/checkpoint.h5 "$index" 24
        grampus resume bad $LONG --quiet
        if [ "$code" -eq 2 ]; then
            found=$((found + 1))
        elif [ "$code" -ne 0 ] || ! like bad; then
            wrong=$((wrong + 1))
        fi
    done
    check "a changed byte: $found of 24 found, no other result" [ $wrong -eq 0 ]
    check "a changed byte: many are found" [ $found -ge 7 ]
    check "a changed byte: the folder stays" cmp -s good/statistics.tsv "$folder/statistics.tsv"
else
    skip "a changed byte" "no python3"
fi
chmod g+w "$folder/checkpoint.h5"
rejects "others may write to it" 2 "nobody else may write" resume "$folder" $LONG
chmod 644 "$folder/checkpoint.h5"
mv "$folder/checkpoint.h5" elsewhere.h5
ln -s "$PWD/elsewhere.h5" "$folder/checkpoint.h5"
rejects "a link" 2 "expected a checkpoint" resume "$folder" $LONG
rm "$folder/checkpoint.h5"
mv elsewhere.h5 "$folder/checkpoint.h5"
chmod o+w "$folder"
rejects "a folder that all may write to" 2 "everybody may write" resume "$folder" $LONG
chmod o-w "$folder"

# Tables that may not be written to are found out before anything is changed; root may write to all of them.
as_nobody=
if [ "$(id -u)" -eq 0 ]; then
    as_nobody='setpriv --reuid 65534 --regid 65534 --clear-groups'
    chmod a+x "$WORK"
    chown -R 65534:65534 "$folder"
fi
if $as_nobody "$GRAMPUS" --version >out 2>err; then
    chmod a-w "$folder/statistics.tsv"
    cp "$folder/run.yaml" before.yaml
    $as_nobody "$GRAMPUS" resume "$folder" $LONG --quiet >out 2>err
    code=$?
    check "a table that may not be written to: refused" [ "$code" -eq 1 -a "$(cat err)" = "$folder/statistics.tsv: Permission denied" ]
    check "a table that may not be written to: the folder stays" cmp -s before.yaml "$folder/run.yaml"
    chmod u+w "$folder/statistics.tsv"
else
    skip "a table that may not be written to" "nobody but root may run it here"
fi

# ---- laws ----

# A law is found in generation 4, where law-every tests the run: whoever goes on from before, or was ended there before
# the test, tests it there too.
cat >law.yaml <<'END'
genotype: tree
preset: none
functions: +, *, -, /
target-expression: 3 * x * y + x / 2
variables: x, y = uniform(-2, 2)
train-cases: 200
population: 400
constant-probability: 0.2
find-law: true
law-every: 1
device: cpu
generations: 30
END
# law_at FOLDER: the generation in which it ended, and why
law_at() { echo "$(tail -n 1 "$1/statistics.tsv" | cut -f 2) $(sed -n 's/^# ended by //p' "$1/run.yaml")"; }
grampus run law.yaml --output found --checkpoint 1e-9 --quiet
folder=$(echo found/*/*)
first=$(law_at "$folder")
check "law-every: found amid the run" [ "${first#[1-9]* }" = law-every ]
grampus resume "$folder" --quiet
check "law-every: the checkpoint before it leads to the same end" [ "$code" -eq 0 -a "$(law_at "$folder")" = "$first" ]
grampus run law.yaml --output ended --checkpoint 1e-9 --generations "${first% *}" --quiet
folder=$(echo ended/*/*)
grampus resume "$folder" --generations 30 --quiet
check "law-every: ended there, and gone on: tested there" [ "$code" -eq 0 -a "$(law_at "$folder")" = "$first" ]

# Where noise lets no law be exact, the one that is told of may have been found and lost before.
awk 'BEGIN { srand(4); print "x,y,z"
    for (i = 0; i < 300; i++) { x = rand() * 4 - 2; y = rand() * 4 - 2; n = rand() + rand() + rand() - 1.5
        printf "%.6f,%.6f,%.6f\n", x, y, 3 * x * y + x / 2 + 0.1 * n + 0.3 * x * x * y * y * sin(y) } }' >noisy.csv
printf 'data: noisy.csv\ngenotype: tree\nfunctions: +, *, -, /, sin\npopulation: 200\nconstant-probability: 0.2\n' >noisy.yaml
printf 'linear-scaling: true\nfind-law: true\nlaw-every: 2\ngenerations: 24\ndevice: cpu\n' >>noisy.yaml
law_of() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["law"])' "$1/best.json"; }
same_law() { # NAME OPTIONS...
    title=$1
    shift
    rm -rf whole part
    grampus run noisy.yaml --output whole --quiet "$@"
    grampus run noisy.yaml --output part --quiet --checkpoint 1e-9 "$@" --generations 13
    grampus resume part/*/* --generations 24 --quiet
    check "$title" [ "$code" -eq 0 -a "$(law_of whole/*/*)" = "$(law_of part/*/*)" ]
}
same_law "law-every: a law found before, and lost" --parsimony coefficient --parsimony-strength 0.02
same_law "law-every: of an archive" --preset regression --population 100 --seed 3
same_law "law-every: of several runs" --runs 3

# ---- stops ----

# stop SIGNAL: a run that is ended by it once it has come some way; its results in $folder
stop() {
    rm -rf stopped
    "$GRAMPUS" run small.yaml --output stopped --generations 100000000 --checkpoint 0.01 --quiet >out 2>err &
    pid=$!
    await 15 there 'stopped/*/*/checkpoint.h5'
    folder=$(echo stopped/*/*)
    grampus resume "$folder" --quiet
    busy=$code
    cp err busy
    kill -"$1" $pid
    wait $pid
    code=$?
}
stop TERM
check "a folder that is written to: refused" [ $busy -eq 1 ]
check "a folder that is written to: it is said" grep -q 'a run writes to this folder' busy
check "SIGTERM: exit code 3" [ "$code" -eq 3 ]
check_json "SIGTERM: the reason" "$folder/best.json" "v['stopped'] and v['stop_reason'] == 'request'"
at=$(tail -n 1 "$folder/statistics.tsv" | cut -f 2)
grampus resume "$folder" --generations $((at + 9)) --predictions 10 --quiet
check "SIGTERM, resumed: exit code 0" [ "$code" -eq 0 ]
rows "$folder" >is.tsv
grampus run small.yaml --output all --generations $((at + 9)) --quiet
rows all/small/* >all.tsv
check "SIGTERM, resumed: as if it had never ended" cmp -s is.tsv all.tsv

# Stopped as often as it is resumed, in the midst of generations, on samples.
cases=2000 generations=300
[ -z "$SANITIZE" ] || cases=100 generations=120 # slower by twenty times
SLOW="--generations $generations --runs 2 --checkpoint 0.1 --population 400 --train-cases $cases --epoch 7 --device cpu
    --case-sampling rotating --sample-cases $((cases / 2)) --sample-every 3 --target-expression sin(x*9)"
grampus run small.yaml $SLOW --output slow --quiet
"$GRAMPUS" run small.yaml $SLOW --output often --quiet >out 2>err &
pid=$!
await 6 lines 9 'often/*/*/statistics.tsv'
for moment in 0.02 0.15 0.1 0.25; do
    sleep $moment
    kill -TERM $pid 2>/dev/null
    wait $pid
    "$GRAMPUS" resume "$(echo often/small/*)" --quiet >out 2>err &
    pid=$!
done
wait $pid
code=$?
check "stopped four times: exit code 0" [ $code -eq 0 ]
rows slow/small/* >slow.tsv
rows often/small/* >is.tsv
best slow/small/* >slow.best
best often/small/* >is.best
check "stopped four times: the same statistics" cmp -s slow.tsv is.tsv
check "stopped four times: the same best" cmp -s slow.best is.best

ends() { # REASON GENERATION ARGUMENTS...
    reason=$1 generation=$2
    shift 2
    rm -rf ended
    grampus run small.yaml --output ended --quiet "$@"
    check "$reason: exit code 0" [ "$code" -eq 0 ]
    check_json "$reason: ended by it, in generation $generation" "$(echo ended/small/*/best.json)" \
        "v['stop_reason'] == '$reason' and v['generations'] == $generation and not v['stopped']"
}
grampus run small.yaml --output solved --quiet --target-fitness 0 --checkpoint 1e-9 --epoch 1
grampus resume solved/small/* --quiet
check "solved, resumed: exit code 0" [ "$code" -eq 0 ]
check_json "solved, resumed: still solved" "$(echo solved/small/*/best.json)" \
    "v['solved'] and v['stop_reason'] == 'target-fitness' and v['state'] == 'done'"
HARD='--target-expression sin(x*9)'
ends generations 12 $HARD
ends max-evaluations 3 $HARD --max-evaluations 230 # 60, 119, 178, 237
ends max-evaluations 0 $HARD --max-evaluations 5
ends max-evaluations 2 $HARD --max-evaluations 130 --replacement steady-state --children-per-step 4
ends target-fitness 1 --target-fitness 0 --stagnation 9 --time-limit 100 --max-evaluations 1e6
ends stagnation 6 --stagnation 5 # found in generation 1
ends stagnation 5 --stagnation 2 --runs 3 # of one run after the others
rejects "stagnation on changing samples" 2 "no best lasts" run small.yaml --stagnation 3 --case-sampling random \
    --sample-cases 10
late=3500 cases=20000 # on a machine that does other things beside it
[ -z "$SANITIZE" ] || late=8000 cases=2000 # slower by ten times
for more in '' "--population 3000 --train-cases $cases --epoch 1000"; do
    rm -rf ended
    start=$(date +%s%N)
    grampus run small.yaml --output ended --quiet --generations 100000000 --time-limit 1.5 $HARD $more
    took=$((($(date +%s%N) - start) / 1000000))
    check "time-limit 1.5: $took ms" [ $((took >= 500 && took <= late)) -eq 1 ]
    check_json "time-limit: ended by it" "$(echo ended/small/*/best.json)" "v['stop_reason'] == 'time-limit'"
    check "time-limit: it can be resumed" [ -s ended/small/*/checkpoint.h5 ]
done

# ---- the file ----

for python in python3 /usr/bin/python3; do
    $python -c 'import h5py' 2>/dev/null && break
    python=
done
if [ -n "$python" ]; then
    parted half
    check "h5py reads it" $python - "$folder/checkpoint.h5" "$folder/statistics.tsv" <<'END'
import binascii, sys
import h5py
file = h5py.File(sys.argv[1], "r")
names = []
file.visititems(lambda name, item: names.append(name) if isinstance(item, h5py.Dataset) else None)
for name in names:
    data = file[name]
    assert data.attrs["description"] and data.attrs["crc32"] == binascii.crc32(data[()].tobytes()), name
assert {"population/genotypes", "population/costs", "population/individuals", "best/demes", "run/tally"} <= set(names)
attributes = file.attrs
assert attributes["version"] == 3 and attributes["population"] == 60 and attributes["seed"] == 1
assert len(file["population/costs"]) == 60
assert len(file["population/genotypes"]) == file["population/individuals"]["length"].sum()
with open(sys.argv[2]) as rows:
    last = rows.read().splitlines()[-1].split("\t")
assert attributes["generation"] == int(last[1]) == 7
assert "%.9g" % file["population/costs"][()].min() == last[2] and "%.9g" % file["best/demes"]["best_cost"][0] == last[4]
END
else
    skip "h5py reads it" "no h5py"
fi

# Checkpoints between epochs leave the fitness in dumps that of the generation they show.
populations() { (cd "$1" && cat small/*/population_*.tsv); }
for more in "" "--runs 2 --islands 2" "--objectives error,nodes"; do
    set -- small.yaml $more --generations 6 --dump-every 2 --quiet
    grampus run "$@" --output "dumps$#.plain" --checkpoint 0
    grampus run "$@" --output "dumps$#.often" --checkpoint 1e-9
    populations "dumps$#.plain" >plain.txt && populations "dumps$#.often" >often.txt
    check "dumps beside checkpoints: $more" [ -s plain.txt -a "$(cksum <plain.txt)" = "$(cksum <often.txt)" ]
done

# Dumps of a resumed run are those of the whole: those of before too, in another folder, none of where it had ended.
all_dumps() { (cd "$1" && cksum population_*.tsv); }
grampus run small.yaml --output dumped --generations 16 --dump-every 5 --quiet
all_dumps dumped/small/* >whole.dumps
parted dumped.part --dump-every 5
check "dumps: the last of a run that ended" [ -e "$folder/population_7.tsv" ]
cp -r "$folder" dumped.before
grampus resume dumped.before --generations 16 --output dumped.other --quiet
all_dumps dumped.other/small/* >other.dumps
check "dumps: all of them where the results are new" cmp -s whole.dumps other.dumps
check "dumps: the old ones stay" diff -r dumped.before "$folder"
touch "$folder/population_15.tsv" "$folder/population_20.tsv" "$folder/population_07.tsv" "$folder/population_7.tsv.new"
grampus resume "$folder" --generations 16 --quiet
check "dumps: what has another name stays" [ -e "$folder/population_07.tsv" ]
check "dumps: part of one goes" [ ! -e "$folder/population_7.tsv.new" ]
rm "$folder/population_07.tsv"
all_dumps "$folder" >is.dumps
check "dumps: none of where it had ended" cmp -s whole.dumps is.dumps

# A checkpoint is not ahead of the dump of its generation, at which the run stands still here until it is killed. A
# generation takes longer than a checkpoint, which is ten seconds' work under the sanitizers, and order is nothing for them.
if [ -n "$SANITIZE" ]; then
    skip "dumps: the one that a kill came into is made again" "slower by ten times"
else
    LONG_DUMPS='--generations 31 --dump-every 30 --train-cases 60000 --threads 1'
    grampus run small.yaml --output dumped.whole $LONG_DUMPS --quiet
    all_dumps dumped.whole/small/* >whole.dumps
    "$GRAMPUS" run small.yaml --output dumped.killed $LONG_DUMPS --checkpoint 1e-9 --epoch 1 --quiet &
    running=$!
    await 30 there 'dumped.killed/small/*/checkpoint.h5'
    folder=$(echo dumped.killed/small/*)
    if mkfifo "$folder/population_30.tsv.new"; then # where it is written
        await 60 lines 31 "$folder/statistics.tsv"
        sleep 0.5
        kill -9 $running
        wait $running 2>/dev/null
        rm "$folder/population_30.tsv.new"
        grampus resume "$folder" --generations 31 --quiet
        all_dumps "$folder" >is.dumps
        check "dumps: the one that a kill came into is made again" cmp -s whole.dumps is.dumps
    else
        wait $running
        skip "dumps: the one that a kill came into is made again" "the run was too fast"
    fi
fi

# What ends a run by a law is behind its last generation.
printf 'target-expression: x * x + x + 1\nvariables: x = uniform(-3, 3)\ntrain-cases: 40\ngenotype: tree\nfunctions: "+, -, *"\n' >law.yaml
printf 'population: 200\nconstant-probability: 0.1\nfind-law: true\nlaw-every: 3\ndump-every: 7\n' >>law.yaml
grampus run law.yaml --output law --quiet
last=$(tail -n 1 law/law/*/statistics.tsv | cut -f 2)
check "dumps: the last of a run that a law ended" [ "$last" -gt 0 -a -e "law/law/$(ls law/law)/population_$last.tsv" ]

# Programs are those of the generation that statistics are of, not of the one bred next; of an island that begins anew
# behind it none.
law_programs() { # FITNESS COLUMN OPTIONS...: fitness by place, of both files; nodes as statistics have them
    column=$1
    shift
    rm -rf law
    grampus run law.yaml --output law --quiet --predictions 200 "$@"
    set -- law/law/*
    last=$(tail -n 1 "$1/statistics.tsv" | cut -f 2)
    tail -n +2 "$1/programs.tsv" | cut -f "1,$column" >is.programs
    tail -n +2 "$1/population_$last.tsv" | cut -f 3,4 >are.programs
    grep -q '"stop_reason":.*"law-every"' "$1/best.json" && [ "$(wc -l <is.programs)" -eq 200 ] &&
        cmp is.programs are.programs && awk -F '\t' 'NR == FNR { for (k = 1; FNR == 1 && k <= NF; k++)
            if ($k == "ave_tree_nodes") at = k; mean = $at; next } FNR > 1 && $2 > 0 { sum += $2; n++ }
            END { exit (mean - sum / n) ^ 2 > 1e-6 }' "$1/statistics.tsv" "$1/programs.tsv"
}
check "programs of a run that a law ended" law_programs 3
if [ -z "$SANITIZE" ]; then # slower by ten times: one of them
    check "programs of a run in steady state that a law ended, behind a whole generation" law_programs 3 --replacement steady-state
    check "programs of a run on samples that a law ended" law_programs 5 --case-sampling random --sample-cases 20
    check "programs of a run that a law ended, fitted" law_programs 3 --optimise-constants share --weighted-inputs
    printf '<e> ::= (<e> + <e>) | (<e> * <e>) | x | x | c[0] | c[1]\n' >law.bnf
    check "programs of genomes that a law ended" law_programs 3 --genotype grammar --grammar law.bnf --optimise-constants share
fi
# On samples their best are measured on all cases, as those of a run that is ranked, and so is who leads.
grampus run law.yaml --output sampled --quiet --target-expression 'x * x + x * x * x * x + 0.5 * x' \
    --variables 'x = uniform(-1, 1)' --law-every 2 --generations 200 --population 60 --functions '+,-,*,/' \
    --case-sampling random --sample-cases 3 --runs 5
check_json "samples: the best of runs that a law ended, on all cases" "$(echo sampled/law/*/best.json)" \
    '(v["stop_reason"] == "law-every" and abs(v["fitness"] - v["recomputed_fitness"]) < 1e-6 * v["fitness"]
        and v["summary"]["fitness"]["min"] == v["fitness"])'

some=12 later=6
[ -z "$SANITIZE" ] || some=4 later=2 # slower by ten times
if has_python; then
    check "random runs, split" python3 "$ROOT/tests/differential/splits.py" --grampus "$GRAMPUS" --count $some --seed 3
    check "random runs of later settings, split" python3 "$ROOT/tests/differential/splits.py" --grampus "$GRAMPUS" --count $later --seed search-3
else
    skip "random runs, split" "no python3"
fi
exit $FAILED

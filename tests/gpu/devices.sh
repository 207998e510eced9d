#!/bin/sh
# Runs over several GPUs of this host (host/spread): the bytes of one, and of the CPU. With one GPU nothing is to be done.
# Some four minutes on two cards.
. "$(dirname "$0")/../e2e/lib"

if [ "$("$GRAMPUS" devices | grep -c '^card ')" -lt 2 ]; then
    skip "runs over several GPUs" "there is one"
    exit 0
fi
began=$(date +%s)
took() { echo "# $(($(date +%s) - began)) s"; }
grampus devices --json
check_json "devices: links and NCCL" out "len(v['cards']) > 1 and v['links'][0]['by'] and v['nccl'][0].isdigit()"

# ---- random run files ----

# sames NAME COUNT ARGUMENTS...: random run files on the CPU, one, two and all cards; parts NAME COUNT ARGUMENTS...: in halves
sames() {
    title=$1 count=$2
    shift 2
    check "$title" python3 "$ROOT/tests/differential/sameness.py" --grampus "$GRAMPUS" --device cards --count "$count" \
        --jobs 8 "$@"
    took
}
parts() {
    title=$1 count=$2
    shift 2
    check "$title" python3 "$ROOT/tests/differential/splits.py" --grampus "$GRAMPUS" --devices cpu,cuda,cuda@2 \
        --count "$count" --jobs 8 "$@"
    took
}
if has_python; then
    sames "random runs over one, two and all cards" 10 --seed search-21
    sames "random runs whose cases cards share" 10 --seed search-31 --spread cases
    sames "random runs whose population cards share" 10 --seed search-41 --spread population
    sames "random runs whose population is in the memory of all cards" 20 --seed search-51 --spread memory
    parts "resumed on another number of cards" 1 --seed search-22
    parts "resumed where cards share the cases" 1 --seed search-34 --spread cases
    parts "resumed where cards share the population" 1 --seed search-44 --spread population
    parts "resumed where the population is in the memory of all cards" 2 --seed search-54 --spread memory
else
    skip "random runs over several cards" "no python3"
fi

# ---- what travels ----

# rows FOLDER: of its run, without times
rows() { awk -F '\t' -v OFS='\t' '{ NF--; print }' "$1"/*/*/statistics.tsv; }
# over TO CARDS OPTIONS...: small.yaml on these cards
over() {
    to=$1 cards=$2
    shift 2
    rm -rf "$to"
    grampus run small.yaml --output "$to" --quiet --device cuda --devices "$cards" "$@"
    [ "$code" -eq 0 ] && rows "$to" >"$to.tsv"
}
moved() { sed -n "s/.*\"$2\":[ 	]*\([0-9]*\).*/\1/p" "$1"/*/*/best.json | head -1; }

over often 0,1 --islands 4 --migration-every 1
over seldom 0,1 --islands 4 --migration-every 6
check "migrants: $(moved often exchanged) bytes from card to card, $(moved seldom exchanged) where they are fewer" \
    [ "$(moved often exchanged)" -gt "$((3 * $(moved seldom exchanged)))" -a "$(moved seldom exchanged)" -gt 0 ]
check "none of them through the host" [ "$(moved often telemetry) $(moved often downloaded)" = \
    "$(moved seldom telemetry) $(moved seldom downloaded)" ]
over shared 0,1 --spread cases --train-cases 5000
over alone 0 --train-cases 5000
check "sums of cases: $(moved shared exchanged) bytes" [ "$(moved shared exchanged)" -gt 0 ]
check "the bytes of one card" cmp shared.tsv alone.tsv
over shared 0,1 --spread population --train-cases 5000
check "individuals: $(moved shared exchanged) bytes" [ "$(moved shared exchanged)" -gt 0 ]
check "the bytes of one card, too" cmp shared.tsv alone.tsv

# needs FILE: megabytes of a card, by a report
needs() { sed -n 's/^memory[^0-9]*\([0-9.]*\) MB.*/\1/p' "$1" | head -1; }
for devices in 0 0,1; do
    rm -rf large
    grampus run small.yaml --output large --device cuda --devices $devices --spread memory --population 3000000 --generations 5
    cp out "large$devices.txt"
    rows large >"large$devices.tsv"
done
check "3 000 000 trees in the memory of two cards: the bytes of one" cmp large0.tsv large0,1.tsv
check "$(needs large0.txt) MB on one card, $(needs large0,1.txt) MB on each of two" \
    awk "BEGIN { exit !($(needs large0,1.txt) < 0.6 * $(needs large0.txt)) }"

# ---- batches, experiments ----

for devices in 0 0,1; do
    grampus run "$ROOT/problems/pospichal-quartic.yaml" --runs 2001 --statistics summary --output "batch$devices" --quiet \
        --device cuda --devices $devices
done
check "2001 runs: one by one as on one card" cmp batch0/*/*/runs.tsv batch0,1/*/*/runs.tsv

# A card fails in a batch, as one call of CUDA says: the other does its runs once more.
FAULTY=$(dirname "$GRAMPUS")/tests/gpu/faults/grampus
# lost CALL: five runs on two cards, of whose launches one fails
lost() {
    rm -rf lost
    GRAMPUS_FAULT=launch:$1 GRAMPUS_FAULT_REPORT=report "$FAULTY" run small.yaml --output lost --device cuda --devices 0,1 \
        --runs 5 --generations 200 --no-graph >out 2>err </dev/null
    code=$?
}
if [ -x "$FAULTY" ]; then
    grampus run small.yaml --output kept --quiet --device cuda --devices 0 --runs 5 --generations 200
    rows kept >kept.tsv
    lost 1000000000
    calls=$(cut -d ' ' -f 2 report)
    for tenth in 3 5 7 9; do
        lost $((calls * tenth / 10))
        [ "$code" -eq 0 ] && rows lost >lost.tsv
        check "a card lost at launch $((calls * tenth / 10)) of $calls: exit code 0" [ "$code" -eq 0 ]
        check "the other has its runs" cmp lost.tsv kept.tsv
        check "the report says so" grep -rqE 'card [01] was lost, card [01] has its runs' out lost
    done
else
    skip "a card lost in a batch" "no $FAULTY"
fi
took

for devices in cpu cuda; do
    mkdir $devices
    cat >$devices/cells.yaml <<END
genotype: grammar
grammar: $ROOT/grammars/quartic-prefix.bnf
target-expression: x0 + x0*x0 + x0*x0*x0 + x0*x0*x0*x0
variables: x0 = uniform(-1, 1)
train-cases: 128
metric: sae
population: 64
generations: 40
device: $devices
runs: 20
grid:
  tournament: [2, 4, 7]
  crossover-probability: [0.3, 0.9]
  genotype: [grammar, structured]
END
done
echo "devices: all" >>cuda/cells.yaml
for devices in cpu cuda; do
    grampus experiment $devices/cells.yaml --quiet --output cells-$devices
    check "12 cells on $devices" [ "$code" -eq 0 ]
done
cat >same.py <<'END'
import sys
sys.path.insert(0, sys.argv[1])
from experiment import contents
a, b = (contents(f"cells-{device}/cells/results.sqlite") for device in ("cpu", "cuda"))
wrong = [t for t in a if t not in ("cell_settings", "experiment") and a[t] != b[t]]
sys.exit(f"{wrong}" if wrong or len(a["generations"]) < 2000 else 0)
END
check "dealt to all cards: the tables of the CPU" python3 same.py "$ROOT/tests/e2e"
took

# ---- processes that are killed ----

export KILLS=3 KILLS_DEVICE=cuda KILLS_FROM=0.2 KILLS_TO=2 KILLS_GENERATIONS=40000 KILLS_RESUME="--devices 0"
check "kill -9, islands on two cards, gone on with on one" \
    env KILLS_RUN="--devices 0,1 --runs 1 --islands 4 --migration-every 5" sh "$ROOT/tests/e2e/kills.sh"
took
check "kill -9, cases on two cards, gone on with on one" \
    env KILLS_RUN="--devices 0,1 --spread cases --train-cases 3000" sh "$ROOT/tests/e2e/kills.sh"
took

check "kill -9, a population on two cards, gone on with on one" \
    env KILLS_RUN="--devices 0,1 --spread population --train-cases 3000" sh "$ROOT/tests/e2e/kills.sh"
took

check "kill -9, a population in the memory of two cards, gone on with on one" \
    env KILLS_RUN="--devices 0,1 --spread memory --train-cases 3000" sh "$ROOT/tests/e2e/kills.sh"
took

rejects "a card that is not there" 2 "there is no device 99" run small.yaml --devices 0,99
rejects "a card twice" 2 "stands there twice" run small.yaml --devices 0,0

# ---- processes under mpirun, a card each ----

if ! command -v mpirun >/dev/null || [ ! -e "$(dirname "$GRAMPUS")/grampus-mpi.so" ]; then
    skip "processes with a card each" "no mpirun, or built without MPI"
    exit $FAILED
fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
cat >process <<'END'
#!/bin/sh
trap '' TERM # mpirun ends who is left; the exit codes are to be seen
"$GRAMPUS" "$@" &
echo $! >pid.$OMPI_COMM_WORLD_RANK
wait $!
echo $? >exit.$OMPI_COMM_WORLD_RANK
END
chmod +x process
# by_processes OPTIONS...: small.yaml by two processes, in the folder two
by_processes() {
    rm -rf two pid.* exit.*
    mpirun --oversubscribe --bind-to none -n 2 ./process run small.yaml --output two --quiet --device cuda "$@" \
        >out 2>err </dev/null
}
for what in "--islands 4 --migration-every 3" "--spread cases --train-cases 5000" "--spread population" "--runs 5"; do
    rm -rf one two.tsv
    grampus run small.yaml --output one --quiet --device cpu $what
    rows one >one.tsv
    by_processes $what
    [ "$(cat exit.0 exit.1)" != "0
0" ] || rows two >two.tsv
    check "two processes, $what" cmp one.tsv two.tsv
done
took

by_processes --islands 4 --migration-every 3 --generations 100000000 --checkpoint 0.2 &
launched=$!
tries=0
until [ -s two/*/*/checkpoint.h5 ] || [ $tries -ge 300 ]; do
    sleep 0.1
    tries=$((tries + 1))
done
kill -KILL "$(cat pid.1)"
died=$(date +%s)
wait $launched
check "a process that dies ends the other: exit code $(cat exit.0)" [ "$(cat exit.0)" = 5 -a \
    $(($(date +%s) - died)) -le 10 -a "$(grep -c '^process 1 on .* has died; ' err)" -eq 1 ]
generations=$(($(tail -1 two/*/*/statistics.tsv | cut -f 2) + 7))
grampus resume two/*/* --quiet --devices 0 --generations $generations
rm -rf one
grampus run small.yaml --output one --quiet --device cuda --islands 4 --migration-every 3 --generations $generations
rows one >one.tsv
rows two >two.tsv
check "and one card goes on with its checkpoint" cmp one.tsv two.tsv
took
exit $FAILED

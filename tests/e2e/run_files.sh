#!/bin/sh
# Runs: results, repeatability, batches, other folders.
. "$(dirname "$0")/lib"

count() { find "$1" -name "$2" | wc -l; }
in_columns() { awk -F'\t' 'NR == 1 { n = NF } NF != n { exit 1 }' "$1"; }
run_of() { awk -F'\t' -v r="$1" 'NR > 1 && $1 == r' "$2" | cut -f2-33; } # without run and time

grampus run small.yaml --quiet
check "run" [ "$code" -eq 0 -a ! -s out -a ! -s err ]
folder=$(echo results/small/*_seed1)
for file in run.yaml statistics.tsv best.txt best.json; do
    check "results have $file" [ -s "$folder/$file" ]
done
check "statistics: a row a generation" [ "$(wc -l <"$folder/statistics.tsv")" -eq 14 ]
check "statistics: all rows alike" in_columns "$folder/statistics.tsv"
check "statistics: columns" grep -q "^run	gen	best_fitness	ave_fitness	best_ever	test_fitness	valid" "$folder/statistics.tsv"
check_json "best.json" "$folder/best.json" "v['seed'] == 1 and v['size'] > 0 and v['fitness'] < 10 and v['infix']"

grampus run small.yaml --json --device auto --output chosen
check_json "device: auto takes the CPU for a moment's work, and says why" out "v['device']['backend'] == 'cpu' and v['device']['why'].startswith(('device: auto, estimated 0.', 'no CUDA: this grampus was built without'))"

cp "$folder/statistics.tsv" first.tsv
grampus run small.yaml --quiet
grampus run small.yaml --quiet
check "results are never overwritten" [ "$(count results best.json)" -eq 3 ]
check "and stay as they were" cmp -s "$folder/statistics.tsv" first.tsv

grampus run "$folder/run.yaml" --quiet --output again
cut -f1-33 again/small/*/statistics.tsv >again.tsv
cut -f1-33 first.tsv >once.tsv
check "run.yaml repeats the run" cmp -s again.tsv once.tsv
grampus run small.yaml --quiet --threads 1 --epoch 1 --no-graph --output other
cut -f1-33 other/small/*/statistics.tsv >other.tsv
check "threads, epochs and graph change nothing" cmp -s other.tsv once.tsv

# Closed streams: what is opened next must not take their place. A host visit of every epoch prints.
"$GRAMPUS" run small.yaml --progress 0 --output closed >&- 2>err </dev/null
code=$?
check "closed standard output" [ "$code" -eq 0 ]
cut -f1-33 closed/small/*/statistics.tsv >closed.tsv
check "closed standard output: no report in the statistics" cmp -s closed.tsv once.tsv
rm -rf closed
"$GRAMPUS" run small.yaml --progress 0 --output closed >out 2>&- </dev/null
cut -f1-33 closed/small/*/statistics.tsv >closed.tsv
check "closed standard error: no progress in the statistics" cmp -s closed.tsv once.tsv
rm -rf closed
"$GRAMPUS" run small.yaml --progress 0 --output closed >&- 2>&- <&-
code=$?
cut -f1-33 closed/small/*/statistics.tsv >closed.tsv
check "closed streams, all of them" [ "$code" -eq 0 -a "$(wc -c <closed.tsv)" -eq "$(wc -c <once.tsv)" ]
"$GRAMPUS" run - --quiet <&- 2>err >out
code=$?
check "run file from closed standard input: as from an empty one" [ "$code" -eq 2 -a "$(wc -l <err)" -eq 1 ]

rm -rf results
grampus run small.yaml --json
check "json: nothing else on standard output" one_line out
check_json "json parses" out "v['metric'] == 'rmse' and v['device']['name'] and v['transfers']['telemetry'] >= 0"
grampus run small.yaml
check "report: device and memory" [ "$(grep -cE '^(device|memory|best|rmse|results) ' out)" -eq 5 ]
check "report: where the results are, last" [ "$(tail -n 1 out | cut -c 1-20)" = "results     results/" ]
check "progress in a pipe: plain lines" [ "$(tr -d -c '\r\033' <err | wc -c)" -eq 0 ]
grampus run small.yaml --progress 0
check "progress in a pipe: every epoch" [ "$(grep -c '^generation ' err)" -ge 3 ]
grampus run small.yaml --progress 1000
check "progress in a pipe: not too often" [ ! -s err ]

grampus run small.yaml --runs 3 --target-fitness 1e-3 --json --quiet --output batch
check_json "batch: runs and summary" out "len(v['runs']) == 3 and v['summary']['successes'] == sum(r['solved'] for r in v['runs'])"
check_json "batch: seeds" out "[r['seed'] for r in v['runs']] == [1, 2, 3]"
check "batch: a row a run and generation" [ "$(cut -f1 batch/small/*/statistics.tsv | sort -u | wc -l)" -eq 4 ]
grampus run small.yaml --seed 3 --target-fitness 1e-3 --quiet --output alone
run_of 2 batch/small/*/statistics.tsv >in_batch
run_of 0 alone/small/*/statistics.tsv >on_its_own
check "batch: a run alone is the same" cmp -s in_batch on_its_own

cat >sum.bnf <<'END'
<e> ::= <e> + <e> | <e> * <e> | x0 | 1
END
cat >deep.bnf <<'END'
<a> ::= <b>
<b> ::= <c> + 1
<c> ::= <d>
<d> ::= x0
END
cat >ge.yaml <<'END'
grammar: sum.bnf
target-expression: x0 * x0 + x0
variables: x0 = uniform(-1, 1)
train-cases: 40
population: 60
generations: 8
genome-length: 20
max-genome-length: 60
END
grampus run ge.yaml --output depths
check "grammar: the depth is named" grep -qE '^size +[0-9]+ nodes, derivation depth [0-9]+$' out
check "grammar: in best.txt too" grep -qE '^size .* derivation depth ' depths/ge/*/best.txt
grampus run ge.yaml --quiet --json --generations 0 --population 1 --seed 3 --grammar deep.bnf
check_json "grammar: depth of expression and derivation" out \
    "(v['infix'], v['size'], v['depth'], v['derivation_depth']) == ('x0 + 1', 3, 2, 5)"

# Two codons are too few for any sentence, and nobody gets more.
grampus run ge.yaml --grammar deep.bnf --genome-length 2 --max-genome-length 4 --crossover none \
    --initialisation uniform --linear-scaling --runs 2 --output nothing
check "nothing valid: done, with one line" [ "$code" -eq 0 -a "$(grep -vc '^[gd]e' err)" -eq 1 ]
check "nothing valid: no expression" grep -qx 'best        none (out_of_codons)' out
check "nothing valid: nothing of an expression" [ "$(grep -cE '^(scaling|found|phenotype)' out nothing/ge/*/best.txt | grep -vc ':0$')" -eq 0 ]
check_json "nothing valid: best.json" "$(echo nothing/ge/*/best.json)" \
    "v['validity'] == 'out_of_codons' and all(v[k] is None for k in ('infix', 'phenotype', 'size', 'depth', 'slope'))"
rejects "genomes too short for any sentence" 2 "--max-genome-length 3 is too short for the grammar's shortest derivation, which takes 4" \
    run ge.yaml --grammar deep.bnf --max-genome-length 3 --genome-length 3
# A depth of first individuals gives way to the grammar, with one line, and the run file of that run makes it again.
grampus run ge.yaml --grammar deep.bnf --initialisation grow --init-max-depth 3 --output shallow
check "a first depth below the least: told" [ "$code" -eq 0 -a "$(grep -c '^init-max-depth is 3, but the grammar.s shortest derivation has a depth of 5' err)" -eq 1 ]
grampus run "$(echo shallow/ge/*/run.yaml)"
check "a first depth below the least: again" [ "$code" -eq 0 ]
grampus run ge.yaml --population 1
check "population of one" [ "$code" -eq 0 ]
# Selection draws with replacement: no population is too small for it.
refusals=0
for size in 1 2; do
    for options in "--tournament 3" "--elites 0 --tournament 9 --children one" "--selection rank" \
        "--selection roulette" "--selection truncation" "--tournament 3 --parsimony double-tournament" \
        "--parsimony tarpeian" "--parsimony covariant" "--replacement steady-state --tournament 3"; do
        grampus run small.yaml --population $size $options --json
        [ "$code" -eq 0 ] && grep -q '"validity":"valid"' out || refusals=$((refusals + 1))
        grampus run ge.yaml --population $size $options --invalid excluded --quiet
        [ "$code" -eq 0 ] || refusals=$((refusals + 1))
    done
done
check "populations of one and two under every selection" [ $refusals -eq 0 ]
# Of two in a population, a tournament of 60 draws finds the better one: no other parent, no mutation, both are equal.
grampus run small.yaml --population 2 --tournament 60 --elites 0 --children one --crossover none \
    --subtree-mutation 0 --point-mutation 0 --generations 1 --quiet --output two
check "a tournament of 60 in a population of two finds the better one" \
    [ "$(awk -F'\t' 'NR == 2 { best = $3 } NR == 3 { print $3 == best && $4 == best }' two/small/*/statistics.tsv)" = 1 ]
check "and not because there was no other" \
    [ "$(awk -F'\t' 'NR == 2 { print $3 < $4 }' two/small/*/statistics.tsv)" = 1 ]

# Genes of lists are numbers of productions, whatever the largest codon.
cat >digits.bnf <<'END'
<e> ::= (<e> + <e>) | x0 | <d>
<d> ::= GE_RANGE:10
END
for kind in pi-grow ptc2 ramped; do
    for largest in 2 8 100000; do
        grampus run ge.yaml --grammar digits.bnf --genotype structured --initialisation $kind \
            --codon-size $largest --quiet --output lists/$kind/$largest
        check "structured: $kind, codons up to $largest" [ "$code" -eq 0 ]
        cut -f1-33 lists/$kind/$largest/ge/*/statistics.tsv >lists_$largest.tsv
    done
    check "structured: $kind, the largest codon changes nothing" \
        [ -s lists_2.tsv -a "$(cat lists_2.tsv)" = "$(cat lists_8.tsv)" -a "$(cat lists_8.tsv)" = "$(cat lists_100000.tsv)" ]
done
mkdir -p elsewhere
mv ge.yaml sum.bnf elsewhere
grampus run elsewhere/ge.yaml --quiet --json
check_json "grammar beside the run file; genome and phenotype" out "v['phenotype'] and 0 < v['used_codons'] <= len(v['genome']) <= 60"
cd elsewhere || exit 1
"$GRAMPUS" run ge.yaml --quiet --output ../from_elsewhere >../out 2>../err
code=$?
cd ..
check "from another folder" [ "$code" -eq 0 -a "$(count from_elsewhere best.json)" -eq 1 ]
"$GRAMPUS" run - --quiet --name piped <small.yaml >out 2>err
check "run file from standard input" [ "$(count results/piped best.json)" -eq 1 ]
grampus run --genotype tree --boolean parity-3 --generations 3 --population 50 --quiet --json
check_json "options are enough" out "v['metric'] == 'boolean-hits' and v['fitness'] <= 8"
for seed in 1 2 3 4; do
    grampus run --genotype tree --boolean parity-4 --constant-probability 0.5 --constant-mutation 0.5 \
        --constant-creep gaussian --generations 5 --population 100 --seed $seed --quiet --json
    check_json "constants of Boolean trees are true or false in all cases, seed $seed" out \
        "v['fitness'] == sum(int(eval(v['infix'].replace('True', '1').replace('False', '0'), {'nand': lambda a, b: 1 - (a & b),
        'nor': lambda a, b: 1 - (a | b), **{'x%d' % i: c >> i & 1 for i in range(4)}})) == (bin(c).count('1') + 1) % 2 for c in range(16))"
done
grampus run small.yaml --generations 0 --quiet --json
check_json "generation 0 alone" out "v['generations'] == 0 and v['generation'] == 0"
exit $FAILED

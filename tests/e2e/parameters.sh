#!/bin/sh
# grampus run --parameters: PonyGE2's files and flags as they are.
. "$(dirname "$0")/lib"

mkdir -p pony/parameters pony/grammars/supervised_learning pony/datasets/Small
cat >pony/grammars/supervised_learning/small.bnf <<'END'
<e> ::= <e>+<e> | <e>*<e> | pdiv(<e>,<e>) | x[:, 0] | x[:, 1] | <c>.<c>
<c> ::= 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
END
awk 'BEGIN { print "x0\tx1\ty"; for (i = 0; i < 60; i++) print i / 10 "\t" i % 7 "\t" i / 10 * (i % 7) + 1 }' >pony/datasets/Small/Train.txt
awk 'BEGIN { print "# x0 x1 y"; for (i = 0; i < 40; i++) print i / 9, i % 5, i / 9 * (i % 5) + 1 }' >pony/datasets/Small/Test.txt
cat >pony/parameters/small.txt <<'END'
# a shipped file's shape
CACHE:                  True
CODON_SIZE:             100000
CROSSOVER:              variable_onepoint
CROSSOVER_PROBABILITY:  0.75
DATASET_TRAIN:          Small/Train.txt
ERROR_METRIC:           mse
FITNESS_FUNCTION:       supervised_learning.regression
GENERATIONS:            12
GRAMMAR_FILE:           supervised_learning/small.bnf
INITIALISATION:         PI_grow
MAX_GENOME_LENGTH:      500
MAX_INIT_TREE_DEPTH:    10
MAX_TREE_DEPTH:         17
MUTATION:               int_flip_per_codon
POPULATION_SIZE:        100
REPLACEMENT:            generational
SELECTION:              tournament
TOURNAMENT_SIZE:        2
MY_OWN_KEY:             3
END
grampus run --parameters pony/parameters/small.txt --json
check "a parameter file runs" [ "$code" -eq 0 ]
check "an unknown key is a warning" grep -q "^pony/parameters/small.txt:20:1: unknown parameter 'MY_OWN_KEY' has no effect" err
check_json "its settings are used" out 'v["generations"] == 12 and v["metric"] == "mse"'
folder=$(ls -d results/small/*)
check "run.yaml has them" grep -q '^initialisation: pi-grow$' "$folder/run.yaml"
columns="ave_fitness ave_genome_length ave_tree_depth ave_tree_nodes ave_used_codons best_fitness gen invalids max_genome_length max_tree_depth max_tree_nodes max_used_codons min_genome_length min_tree_depth min_tree_nodes min_used_codons runtime_error time_adjust time_taken total_inds total_time"
check "stats.tsv: PonyGE2's columns" [ "$(head -n 1 "$folder/stats.tsv" | tr '\t' ' ')" = "$columns " ]
check "stats.tsv: 21 fields and a tab at the end of every line" [ "$(awk -F '\t' 'NF != 22 || $22 != ""' "$folder/stats.tsv" | wc -l)" -eq 0 ]
check "stats.tsv: a row for every generation" [ "$(wc -l <"$folder/stats.tsv")" -eq 14 ]
check "stats.tsv: counts accumulate" awk -F '\t' 'NR == 1 { next } $8 < i || $20 < t || $6 > b && NR > 2 { exit 1 } { i = $8; t = $20; b = $6 } END { exit t != 100 * 13 }' "$folder/stats.tsv"
mv "$folder/statistics.tsv" first.tsv
rm -rf results
grampus run --parameters pony/parameters/small.txt --quiet
cut -f 1-20 results/small/*/statistics.tsv >again
cut -f 1-20 first.tsv >first
check "the same again" cmp first again

rm -rf results
grampus run --parameters pony/parameters/small.txt --population_size 40 --generations=3 --dataset_test Small/Test.txt --random_seed 9 --silent
check "flags over the file" [ "$code" -eq 0 -a ! -s out -a "$(grep -c '^population: 40$\|^generations: 3$\|^seed: 9$\|^test-data: .*/Test.txt$' results/small/*/run.yaml)" -eq 4 ]
rm -rf results
(cd pony && "$GRAMPUS" run --parameters small.txt --popul 30 --max-depth 12 --quiet --output ../results) >out 2>err
check "from inside the checkout; beginnings of flags; options of settings" [ -s "$(ls results/small/*/run.yaml)" -a "$(grep -c '^population: 30$\|^max-depth: 12$' results/small/*/run.yaml)" -eq 2 ]
rm -rf results
rejects "several flags begin so" 2 "several parameters of PonyGE2 begin so" run --parameters pony/parameters/small.txt --max 3
rejects "unknown flag" 2 "unknown option" run --parameters pony/parameters/small.txt --populations_size 3
(cd pony && "$GRAMPUS" run --generations 1 --parameters=small.txt --popul 30 --quiet --output ../results) >out 2>err
check "--parameters=FILE" [ "$(grep -c '^population: 30$\|^generations: 1$' results/small/*/run.yaml)" -eq 2 ]
rm -rf results
grampus run --parameters pony/parameters/small.txt --runs 2
check "several runs: nothing is unused that nobody named" [ "$code" -eq 0 -a -z "$(grep unused out)" -a -z "$(grep '"unused"' results/small/*/best.json)" ]
rm -rf results
rejects "twice" 2 "--parameters twice" run --parameters=pony/parameters/small.txt --parameters x
rejects "an empty name" 2 "--parameters: no value" run --parameters=
rejects "missing file" 2 "nothing.txt: No such file" run --parameters nothing.txt
rejects "no file" 2 "--parameters: no value" run --parameters
rejects "and a run file" 2 "a run file beside --parameters" run --parameters pony/parameters/small.txt small.yaml
rejects "flags alone" 2 "unknown option" run small.yaml --population_size 3
sed 's/^\(MUTATION: *\).*/\1mine/' pony/parameters/small.txt >pony/parameters/worse.txt
rejects "an operator that is not there" 2 "worse.txt:15:25: MUTATION is 'mine'" run --parameters pony/parameters/worse.txt
sed 's/^GENERATIONS:.*/GENERATIONS: twelve/' pony/parameters/small.txt >pony/parameters/bad.txt
rejects "a value that is no number" 2 "bad.txt:9:14: generations is 'twelve'" run --parameters pony/parameters/bad.txt

rm -rf results
grampus run --parameters pony/parameters/small.txt --quiet --diversity
check "diversity: unique_inds and unused_search, as PonyGE2 has them" awk -F '\t' 'NR == 1 { if ($22 != "unique_inds" || $23 != "unused_search") exit 1; next } { u = 100 - 100 * $22 / $20; if (NF != 24 || $22 < last || $22 < 1 || $22 > $20 || u - $23 > 1e-5 || $23 - u > 1e-5) exit 1; last = $22; n++ } END { exit n != 13 }' results/small/*/stats.tsv
# MUTATE_DUPLICATES: nobody but elites has a phenotype that was there; every mutation of one is counted.
printf 'MUTATE_DUPLICATES: True\nELITE_SIZE: 1\n' | cat pony/parameters/small.txt - >pony/parameters/new.txt
rm -rf results
grampus run --parameters pony/parameters/new.txt --quiet --diversity --tries 1000
check "MUTATE_DUPLICATES: regens counts on, all but elites and invalid ones have new phenotypes" awk -F '\t' 'NR == 1 { if ($17 != "regens" || $23 != "unique_inds") exit 1; next } { if ($17 < regens || $23 != $21 - (NR - 2) - $8) exit 1; regens = $17; n++ } END { exit n != 13 || regens < 100 }' results/new/*/stats.tsv
sed 's/^CACHE:.*/CACHE: False/' pony/parameters/new.txt >pony/parameters/same.txt
grampus run --parameters pony/parameters/same.txt --generations 0 --json
check "without CACHE it has no effect, and that is said" grep -q '^pony/parameters/same.txt:[0-9]*:20: MUTATE_DUPLICATES has no effect, as in PonyGE2, without CACHE' err

# OPTIMIZE_CONSTANTS: c[i] are fitted; a grammar without them is refused.
printf '<e> ::= <e>+<e> | <e>*<e> | x[:, 0] | x[:, 1] | c[<n>]\n<n> ::= GE_RANGE:5\n' >pony/grammars/supervised_learning/free.bnf
printf 'OPTIMIZE_CONSTANTS: True\nGRAMMAR_FILE: supervised_learning/free.bnf\n' | cat pony/parameters/small.txt - >pony/parameters/free.txt
rm -rf results
grampus run --parameters pony/parameters/free.txt --json --quiet
check_json "OPTIMIZE_CONSTANTS: the constants of the best are told" out 'v["fitness"] < 1e-9 and v["fitted_programs"] > 100 and all(k in v["phenotype"] for k in v["constants"])'
sed 's/free.bnf/small.bnf/' pony/parameters/free.txt >pony/parameters/none.txt
rejects "OPTIMIZE_CONSTANTS without constants" 2 "none.txt:21:21: OPTIMIZE_CONSTANTS with a grammar without constants" run --parameters pony/parameters/none.txt

mkdir -p pony/seeds/known pony/seeds/none
printf 'Phenotype:\nx[:, 0]*x[:, 1]+1.0\n\nFitness:\n0\n' >pony/seeds/known/b.txt
printf 'Genotype:\n[3, 17, 5]\nPhenotype:\nx[:, 0]\n' >pony/seeds/known/a.txt
echo 'x[:, 1]+x[:, 1]' >pony/seeds/known/c.txt
echo 'not one of them' >pony/seeds/known/README.md
rm -rf results
grep -v MY_OWN_KEY pony/parameters/small.txt >pony/parameters/seeded.txt
seeded="run --parameters pony/parameters/seeded.txt --target_seed_folder known"
grampus $seeded --generations 0 --quiet --json
check_json "a folder of seeds: the answer among them is the best" out "v['phenotype'] == 'x[:, 0]*x[:, 1]+1.0' and v['fitness'] < 1e-9"
printf 'Genotype:\n[4]\nPhenotype:\nx[:, 0]\n' >pony/seeds/known/a.txt
rejects "a genome beside another phenotype" 2 "known/a.txt:2:1: the genome derives 'x[:, 1]'; expected the phenotype of the same file" $seeded
printf 'Genotype:\n[5, 3]\n' >pony/seeds/known/a.txt
rejects "a seed that is invalid" 2 "known/a.txt:2:1: the genome is invalid (out_of_codons)" $seeded
printf 'Genotype:\n[1, twelve]\n' >pony/seeds/known/a.txt
rejects "a seed that is no list" 2 "known/a.txt:2:1: no genome; expected a JSON array of codons" $seeded
printf '\n \n' >pony/seeds/known/a.txt
rejects "an empty seed" 2 "known/a.txt:1:1: empty" $seeded
rejects "an empty folder of seeds" 2 "seeds/none: no file in it is called NAME.txt" run --parameters pony/parameters/seeded.txt --target_seed_folder none
rejects "no folder of seeds" 2 "TARGET_SEED_FOLDER is 'lost', which is not there" run --parameters pony/parameters/seeded.txt --target_seed_folder lost
rm pony/seeds/known/a.txt
printf 'genotype: tree\npopulation: 10\ntrain-cases: 20\ngenerations: 0\nfunctions: +, *\ntarget-expression: x0 * x1\nvariables: x0, x1 = uniform(0, 1)\nseeds: trees\n' >tree.yaml
mkdir trees
printf 'Phenotype:\nx0 * x1\n' >trees/one.txt
grampus run tree.yaml --quiet --json
check_json "a folder of seeds for trees" out "v['infix'] == 'x0 * x1' and v['fitness'] == 0"
printf 'Genotype:\n[1]\n' >trees/one.txt
rejects "a genome for a tree" 2 "one.txt:2:1: a genome read depth first" run tree.yaml

cat >pony/grammars/rules.bnf <<'END'
<cf> ::= np.where(<cond>, <cf>, <cf>) | <os>
<cond> ::= (<var> == <is>) | <cond> & (<var> == <is>)
<is> ::= GE_RANGE:dataset_n_is
<os> ::= GE_RANGE:dataset_n_os
<var> ::= x.iloc[:, <varidx>]
<varidx> ::= GE_RANGE:dataset_n_vars
END
printf 'a,b,y\n0,1,0\n1,2,1\n2,0,1\n1,1,0\n' >pony/datasets/rules.csv
printf 'FITNESS_FUNCTION: supervised_learning.if_else_classifier\nGRAMMAR_FILE: rules.bnf\nDATASET_TRAIN: rules.csv\n' >pony/parameters/rules.txt
rm -rf results
grampus run --parameters pony/parameters/rules.txt --json --quiet
check_json "if-else classifier: symbols are counted in the data" out 'v["fitness"] == 0'
check "if-else classifier runs, without an error" [ "$code" -eq 0 -a ! -s err ]
sed -i 's/<os>$/<no>/' pony/grammars/rules.bnf
rejects "an error of its grammar is one line" 2 "rules.bnf:1:41: " run --parameters pony/parameters/rules.txt
sed -i 's/<no>$/<os>/' pony/grammars/rules.bnf
grampus grammar show pony/grammars/rules.bnf --n-vars 2 --n-is 3 --n-os 2 --json
check_json "the same symbols by hand" out 'v["productions"] == 12 and v["expressions"]'

cat >pony/grammars/bits.bnf <<'END'
<e> ::= (<e> & <e>) | (<e> "|" <e>) | ~<e> | x[:, <varidx>]
<varidx> ::= GE_RANGE:dataset_n_vars
END
printf 'GRAMMAR_FILE: bits.bnf\nFITNESS_FUNCTION: supervised_learning.boolean_problem\nGENERATIONS: 3\n' >pony/parameters/bits.txt
rm -rf results
grampus run --parameters pony/parameters/bits.txt --extra_parameters nparity 3 --json --quiet
check_json "boolean_problem with --extra_parameters" out 'v["metric"] == "boolean-errors" and not v["maximised"] and v["fitness"] <= 4'
printf 'FITNESS_FUNCTION: supervised_learning.if_else_classifier\nGRAMMAR_FILE: rules.bnf\nGENERATIONS: 3\n' >pony/parameters/rules.txt
rm -rf results
grampus run --parameters pony/parameters/rules.txt --extra_parameters 2 3 9 --json --quiet
check "if_else_classifier with --extra_parameters: no data, all symbols" grep -q '^n-os: 9$' results/rules/*/run.yaml
cp pony/parameters/small.txt small.txt
rejects "parameters as a run file" 2 "small.txt: PonyGE2's parameters; expected a run file, or grampus run --parameters small.txt" run small.txt
rejects "a flag with a value" 2 "--optimize_constants: this flag takes no value; expected it without 'True'" run --parameters pony/parameters/seeded.txt --optimize_constants True
printf 'Genotype:\n[3, 17]\n' >pony/seeds/known/a.txt
rm -rf results
grampus run --parameters pony/parameters/seeded.txt --target_seed_folder known --initialisation seed_individuals --population 7 --generations 0 --quiet --predictions 7
tail -n +2 results/seeded/*/programs.tsv | cut -f 2- >programs
check "seed_individuals: copies of all in turn" [ "$(sed -n 1,3p programs)" = "$(sed -n 4,6p programs)" -a "$(sort -u programs | wc -l)" -eq 3 ]
check "a given genome is as long as it was" [ "$(awk -F '\t' 'NR == 2 { print $13 }' results/seeded/*/stats.tsv)" = 2 ]
rejects "seed_individuals without any" 2 "initialisation seeds without individuals" run --parameters pony/parameters/seeded.txt --initialisation seed_individuals
rm -rf results
grampus run --parameters pony/parameters/seeded.txt --reverse_mapping_target 'x[:, 0]*x[:, 1]+1.0' --generations 0 --quiet --json
check_json "REVERSE_MAPPING_TARGET is in the first generation" out "v['phenotype'] == 'x[:, 0]*x[:, 1]+1.0' and v['fitness'] < 1e-9"
rm -rf results
grampus run --parameters pony/parameters/seeded.txt --max_tree_nodes 9 --generations 6 --quiet
check "MAX_TREE_NODES: no larger derivation is valid" awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "max_tree_nodes") k = i; next } $k > 9 { exit 1 } { n++ } END { exit n != 7 }' results/seeded/*/stats.tsv
exit $FAILED

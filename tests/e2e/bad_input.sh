#!/bin/sh
# Bad input: one line of error, the right exit code, no results left behind.
. "$(dirname "$0")/lib"

cat >good.bnf <<'END'
<e> ::= <e> + <e> | <v>
<v> ::= a | b
END
printf 'a,b,y\n1,2,3\n2,3,5\n' >good.csv
run() { # run NAME CODE WORD ARGUMENTS...: on good data, but for the arguments
    title=$1 expect=$2 word=$3
    shift 3
    rejects "$title" "$expect" "$word" run --data good.csv --genotype tree --population 20 \
        --generations 2 "$@"
}

rejects "missing run file" 2 "nothing.yaml" run nothing.yaml
run "missing data" 2 "nothing.csv" --data nothing.csv
run "what is wrong with a path of 1500 bytes" 2 "File name too long; expected" --data "$(printf '%01500d' 0)"
run "and with that of results" 1 "File name too long" --output "$(printf '%01500d' 0)"
run "missing grammar" 2 "nothing.bnf" --genotype grammar --grammar nothing.bnf
: >empty.csv
run "empty data" 2 "empty.csv" --data empty.csv
printf 'a,b,y\n' >head.csv
run "data with a header alone" 2 "head.csv" --data head.csv
printf 'a,b,y\n1,2,3\n1,2\n' >ragged.csv
run "ragged row" 2 "ragged.csv:3" --data ragged.csv
printf 'a,b,y\n1,2,3\n1,two,3\n' >text.csv
run "text in a column of numbers" 2 "text.csv:3:3" --data text.csv
printf 'a,b,y\n1,2,3\n1,nan,3\n' >nan.csv
run "NaN in data" 2 "nan.csv:3:3" --data nan.csv
printf 'a,b,y\n1,2,3\n1,inf,3\n' >inf.csv
run "infinity in data" 2 "inf.csv:3:3" --data inf.csv
run "no such target" 2 "target" --target z
printf 'genotype: tree\npopulaton: 3\n' >key.yaml
rejects "unknown key" 2 "key.yaml:2:1" run key.yaml
printf 'genotype: tree\npopulation: many\n' >type.yaml
rejects "wrong type" 2 "type.yaml:2:13" run type.yaml
printf 'population: [1, 2\n' >broken.yaml
rejects "broken YAML" 2 "broken.yaml:" run broken.yaml
printf '<e> ::= <e> + <x> | a\n' >undefined.bnf
run "undefined nonterminal" 2 "undefined.bnf:1" --genotype grammar --grammar undefined.bnf
printf '<e> ::= <e> + <e> | ( <e> )\n' >endless.bnf
run "grammar that never terminates" 2 "endless.bnf:1" --genotype grammar --grammar endless.bnf
printf '<e> ::= <e> + <e> | zebra\n' >foreign.bnf
run "grammar with an unknown input" 2 "zebra" --genotype grammar --grammar foreign.bnf
: >empty.bnf
run "empty grammar" 2 "empty.bnf" --genotype grammar --grammar empty.bnf
run "no grammar" 2 "no grammar" --genotype grammar
run "population 0" 2 "population" --population 0
run "an option is named once" 2 "--runs is '0'; expected" --runs 0
run "negative population" 2 "population" --population -5
run "elites leave no room" 2 "elites" --elites 20
run "unknown metric" 2 "metric" --metric best
run "unknown function" 2 "functions" --functions "+, frobnicate"
rejects "function of numbers for a Boolean problem" 2 "'if', which works on numbers" run \
    --boolean parity-3 --genotype tree --functions "and, if"
run "unknown device" 2 "device" --device tpu
printf 'a,y\n1,0\n2,0.5\n' >labels.csv
run "labels that are no classes" 2 "whole numbers" --metric misclassified --data labels.csv
printf 'x,y\n1,0\n2,40\n' >many.csv
run "more classes than thresholds fit" 2 "class-rule fitted for labels from 0 to 40; expected at most 33 whole numbers" --metric misclassified --class-rule fitted --data many.csv
run "fitted thresholds of another metric" 2 "expected metric misclassified" --metric mse --class-rule fitted
run "fitted and given thresholds" 2 "thresholds beside class-rule fitted; expected one of them" --metric misclassified --class-rule fitted --thresholds 0.5
run "one class alone" 2 "both classes" --metric balanced-accuracy
rejects "no problem" 2 "no problem" run --genotype tree

run "memory that does not fit" 4 "MB" --population 100000000
check "the message has the numbers and what would fit" grep -q "population of [0-9]* would fit" err
run "memory that does not fit, many runs" 4 "MB" --population 100000 --runs 9000 --max-nodes 60000

if "$GRAMPUS" devices --json | grep -q '"backend":"cuda","available":true'; then
    skip "CUDA asked for and absent" "there is a CUDA device"
else
    run "CUDA asked for and absent" 5 "cuda" --device cuda
    run "CUDA devices counted and absent" 5 "devices: '0,1' counts CUDA devices; device cuda" --devices 0,1
fi

stray=grampus_$$
printf 'data: good.csv\ngenotype: tree\npopulation: 20\ngenerations: 2\noutput: ""\nname: %s\n' $stray >output.yaml
rejects "output without a folder" 2 "output.yaml:5:9: output has no value; expected a folder" run output.yaml
check "nothing is written into the root of the file system" [ ! -e "/$stray" ]
run "output without a folder, on the command line" 2 "--output has no value; expected a folder" --output ""
: >file
run "output is a file" 1 "file" --output file
if [ -c /dev/full ]; then
    for arguments in "run small.yaml --quiet --json" "run small.yaml" "devices" "selftest" "--help" \
        "eval --expression a --data good.csv --json"; do
        "$GRAMPUS" $arguments >/dev/full 2>err
        code=$?
        grep -v '^generation ' err >error_lines
        check "full disk: $arguments" [ "$code" -eq 1 -a "$(wc -l <error_lines)" -eq 1 ]
    done
else
    skip "full disk" "no /dev/full"
fi
# A limit on the size of files stands in for a disk that fills while the run goes on.
(
    ulimit -f 8
    exec "$GRAMPUS" run small.yaml --generations 2000 --quiet --output limited
) >out 2>err
code=$?
check "statistics that cannot be written" [ "$code" -eq 1 -a "$(wc -l <err)" -eq 1 ]
check "and where" grep -q statistics.tsv err
exit $FAILED

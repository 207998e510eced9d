#!/bin/sh
# Verbs, options, help and JSON.
. "$(dirname "$0")/lib"

grampus --version
check "version" grep -q '^grampus [0-9]*\.[0-9]*\.[0-9]*' out
grampus --help
check "help lists the verbs" [ "$(grep -cE '^  (run|map|eval|verify|bench|devices|selftest) ' out)" -eq 7 ]
for verb in run map eval verify bench devices selftest; do
    grampus $verb --help
    check "$verb --help" [ "$code" -eq 0 -a -s out -a ! -s err ]
    mv out long
    grampus $verb -h
    check "$verb -h" cmp -s out long
    grampus help $verb
    check "help $verb" cmp -s out long
done
rejects "help of an unknown verb" 2 "did you mean 'run'" help rn
grampus bench --help
sed -n '/^Suites/,$p' out | sed 1d | cut -c14- | tr -s ' ' '\n' | grep -- '-' | sort | uniq -d >twice
check "bench --help names every row once" [ ! -s twice -a "$(grep -c ' one-core ' out)" -eq 1 ]
grampus run --help
check "run --help shows defaults" grep -q -- '--population N .*\[500\]' out

rejects "no verb" 2 "expected run"
rejects "unknown verb" 2 "did you mean 'run'" rn
rejects "unknown option of run" 2 "did you mean '--population'" run small.yaml --populaton 10
rejects "unknown option of map" 2 "did you mean '--genomes'" map --genoms x
rejects "unknown option of eval" 2 "did you mean '--metric'" eval --metrik rmse
rejects "unknown option of devices" 2 "did you mean '--json'" devices --jsn
rejects "unknown option of selftest" 2 "unknown option" selftest --population 3
rejects "two run files" 2 "second run file" run small.yaml small.yaml
rejects "option without its value" 2 "no value" run small.yaml --population
rejects "run without anything" 2 "no run file" run

grampus devices --json
check "devices" [ "$code" -eq 0 ]
check_json "devices --json" out "any(d['backend'] == 'cpu' and d['available'] for d in v['devices'])"
grampus selftest
check "selftest" [ "$code" -eq 0 ]
grampus selftest --json
check_json "selftest --json" out "v['passed'] and len(v['checks']) >= 8"

printf 'a,b\n1,2\n3,4\n0,0\n' >table.csv
grampus eval --expression 'a / b' --data table.csv --json
check "eval: predictions" grep -qF '"predictions":[0.5,0.75,"nan"]' out
grampus eval --expression 'a + 1' --data table.csv --target b --metric mae --json
check "eval: fitness" grep -q '"fitness":0.333333343' out
grampus eval --expression 'a + 1' --data table.csv --target b
check "eval: fitness of the outputs as they are" [ "$(tail -n 1 out)" = "rmse: 0.577350259" ]
grampus eval --expression 'a + 1' --data table.csv --target b --precision double
check "eval: doubles" [ "$(tail -n 1 out)" = "rmse: 0.577350269" ]
grampus eval --expression 'a' --data table.csv --target b --metric misclassified
check "eval: classes by the nearest label" [ "$(tail -n 1 out)" = "misclassified: 2" ]
grampus eval --expression '1 / a' --data table.csv --target b --json
check_json "eval: non-finite as text" out "v['predictions'][2] == 'inf' and v['fitness'] == 'inf'"
grampus eval --expression 'a' --data table.csv --target 2 --metric r2 --linear-scaling --json
check_json "eval: linear scaling" out "v['fitness'] > 0.9 and abs(v['slope'] - 1.285714) < 1e-5"
printf 'a,b,w\n1,2,1\n2,3,2\n0,1,0\n5,9,1\n' >weighed.csv
grampus eval --expression '1 / a' --data weighed.csv --target b --weights w --metric mae --json
check_json "eval: fitness by weights, a row of weight 0 is predicted and left out" out \
    "v['predictions'][:3] == [1, 0.5, 'inf'] and v['fitness'] == 3.70000005"
weighed=$(sed 's/.*"fitness":\([0-9.]*\).*/\1/' out)
grampus run --data weighed.csv --target b --weights w --inputs a --genotype tree --metric mae --seed-program '1 / a' \
    --functions '/' --population 1 --generations 0 --output weighed --quiet --json
check "eval: fitness by weights is that of a run" grep -qF "\"fitness\":$weighed," out
grampus eval --expression 'a' --data weighed.csv --target b --weights 3 --metric r2 --linear-scaling --json
check_json "eval: linear scaling by weights" out "abs(v['slope'] - 11 / 6) < 1e-6 and abs(v['intercept'] + 1 / 3) < 1e-6"
grampus eval --expression 'a - b' --data table.csv
check "eval: plain" [ "$(tr '\n' ' ' <out)" = "-1 -1 0 " ]
grampus eval --expression 'sqrt(0 - a) + b' --data table.csv
check "eval: no number is nan, without a sign" [ "$(tr '\n' ' ' <out)" = "nan nan 0 " ]
printf 'größe,Δt,y\n1,2,3\n2,3,8\n3,1,6\n4,4,20\n5,2,15\n' >beyond.csv
grampus eval --expression 'größe * Δt + größe' --data beyond.csv --target y --metric mae
check "eval: columns with letters of any script" [ "$(tail -n 1 out)" = "mae: 0" ]
rejects "eval: signs beyond ASCII" 2 "--expression:1:7: '−' is not in the expression language" \
    eval --expression 'größe − 1' --data beyond.csv
rejects "eval: columns of messages are those of characters" 2 "--expression:1:7: cannot read the expression at 'größe'" \
    eval --expression 'größe größe' --data beyond.csv
grampus run --data beyond.csv --units 'größe = µm; Δt = 1; y = µm' --population 200 --generations 20 --name beyond \
    --target-fitness 0 --quiet
check "run: units of such columns" [ "$code" -eq 0 ]
grampus export results/beyond/* --format infix
cp out infix
check "export: their names" grep -q größe infix
grampus eval --expression "$(grep -v '^#' infix)" --data beyond.csv --target y --metric mae
check "eval: of what was exported" [ "$code" -eq 0 ]
printf 'target-expression: größe * größe\nvariables: größe = uniform(1, 2)\ntrain-cases: 20\ngenotype: tree\ngenerations: 2\n' >made.yaml
grampus run made.yaml --quiet
check "run: a variable of such a name" [ "$code" -eq 0 ]
printf 'h\n1\n2\n' >h.csv
grampus eval --expression -h --data h.csv
check "eval: an expression that looks like an option" [ "$(tr '\n' ' ' <out)" = "-1 -2 " ]
rejects "eval: unknown name" 2 "'c' is unknown" eval --expression 'a + c' --data table.csv
rejects "eval: unknown target" 2 "no column 'c'" eval --expression a --data table.csv --target c
rejects "eval: half an expression" 2 "--expression:1:" eval --expression 'a +' --data table.csv
rejects "eval: no expression" 2 "no --expression" eval --data table.csv
printf 'a,k\n-0.3,0\n-1,-1\n0.2,0\n5,1\n' >signs.csv
grampus run --data signs.csv --metric misclassified --class-rule nearest --genotype tree --seed-program a --population 1 \
    --generations 0 --name signs --quiet
grampus predict results/signs/* --data signs.csv
check "predict: a label is 0, not -0" [ "$(tr '\n' ' ' <out)" = "0 -1 0 1 " ]
# One output for all: the classes below its own begin and end at -inf, those above at inf.
grampus run --data signs.csv --metric misclassified --class-rule fitted --genotype tree --seed-program 'a - a' --population 1 \
    --generations 0 --name level --quiet
check_json "thresholds: which side is infinite" results/level/*/best.json \
    "v['classification']['thresholds'] == ['-inf', 'inf'] == v['classification']['fitted_thresholds']['thresholds']"
grampus run --data signs.csv --target k --genotype tree --functions +,sqrt --seed-program 'sqrt(a)' --population 1 \
    --generations 0 --name none --quiet
cp signs.csv ' signs.csv '
grampus run --data ' signs.csv ' --target k --genotype tree --population 9 --generations 0 --name own --output 'out ' --quiet
check "blanks of a path are its own" [ "$code" -eq 0 -a -d 'out /own' ]
grampus verify 'out /own'/*
check "and come back from run.yaml" [ "$code" -eq 0 ]
grampus predict results/none/* --data signs.csv --outputs
check "predict: no number is nan, without a sign" [ "$(head -n 1 out)" = "$(printf 'nan\tnan')" ]
# Where an output is no number there is no scaling, which predict and export would follow.
grampus run --data signs.csv --target k --genotype tree --functions +,sqrt --seed-program 'sqrt(a)' --population 1 \
    --generations 0 --linear-scaling --name unscaled
check "no scaling of what is no number" [ "$code" -eq 0 -a "$(grep -c '^scaling' out)" -eq 0 ]
check_json "nor in best.json" results/unscaled/*/best.json "v['intercept'] is None and v['slope'] is None"
grampus predict results/unscaled/* --data signs.csv --outputs
check "predict: the output alone" [ "$(cut -f 1 out)" = "$(cut -f 2 out)" -a "$(tail -n 1 out)" != 0 ]
grampus export results/unscaled/* --format c
check "export: the output alone" [ "$code" -eq 0 -a "$(grep -c program_scaled out)" -eq 0 ]
grampus eval --expression 'sqrt(a)' --data signs.csv --target k --linear-scaling
check "eval: no scaling either" [ "$code" -eq 0 -a "$(grep -c scaling out)" -eq 0 ]
# Columns of a truth table are found by their names, as those of a table of numbers.
grampus run --boolean multiplexer-3 --genotype tree --seed-program '(D0 & nor(A0, A0)) | (D1 & A0)' --population 1 \
    --generations 0 --name multiplexer --quiet
printf 'D1,D0,A0\n0,1,0\n1,0,0\n0,1,1\n' >turned.csv
printf 'x2,x1,x0\n0,1,0\n1,0,0\n0,1,1\n' >numbered.csv
printf 'a,b,c\n0,1,0\n0,0,1\n1,1,0\n' >others.csv
for table in turned numbered others; do
    grampus predict results/multiplexer/* --data $table.csv
    check "predict: a truth table over $table.csv" [ "$(tr '\n' ' ' <out)" = "1 0 0 " ]
done
printf 'D1,A0,u\n0,1,0\n' >lacking.csv
grampus run --boolean parity-6 --genotype tree --functions xor --seed-program 'xor(x3, xor(x5, x2))' --population 1 --generations 0 \
    --name wide --quiet
grampus predict results/wide/* --data others.csv
check "predict: how many columns a truth table needs" [ "$code" -eq 2 -a "$(cat err)" = "--data has 3 columns; expected at least 6" ]
grampus predict results/multiplexer/* --data lacking.csv
check "predict: an input of a truth table that is not there" [ "$code" -eq 2 -a "$(grep -c "no column 'D0'" err)" -eq 1 ]
for metric in boolean-hits boolean-errors; do
    grampus run --boolean multiplexer-3 --genotype tree --metric $metric --population 9 --generations 0 --name $metric --quiet
    rm results/$metric/*/run.yaml
    grampus export results/$metric/* --format c
    check "export: $metric without its settings" [ "$code" -eq 0 -a "$(grep -c '32 cases in a word' out)" -eq 1 ]
done
grampus run --target-expression 't * t' --variables 't = linspace(0, 1, 5)' --genotype tree --seed-program 't * t' \
    --population 1 --generations 0 --name made --quiet
grampus predict results/made/* --data lacking.csv
check "predict: an input of a run that is not there" [ "$code" -eq 2 -a "$(grep -c "^--data has no column 't'" err)" -eq 1 ]
# A table on which the metric has no fitness gets its predictions all the same, and a line that says why.
printf 'a,k\n1,1\n2,3\n4,9\n' >three.csv
printf 'a,k\n7,1\n' >row.csv
printf 'a,k\n1,1\n2,0\n-3,0\n' >two.csv
for metric in r2 balanced-accuracy misclassified; do
    data=two.csv
    [ $metric != r2 ] || data=three.csv
    grampus run --data $data --metric $metric --genotype tree --seed-program a --population 1 --generations 0 \
        --name fit-$metric --quiet
done
printf 'a,k\n0,0.5\n' >half.csv
no_fitness() { # METRIC TABLE PREDICTION WHY
    grampus predict results/fit-$1/* --data $2
    check "predict: no fitness by $1 on $2" \
        [ "$code" -eq 0 -a "$(cat out)" = "$3" -a "$(grep -c '^no fitness: ' err)" -eq 1 -a "$(grep -cF "$4" err)" -eq 1 ]
}
no_fitness r2 row.csv 7 'a constant test target'
no_fitness balanced-accuracy row.csv 1 'both classes in the test target'
no_fitness misclassified half.csv 0 'case 1 of the test target is 0.5'
printf 'x,y,w\n1,1,1\n2,3,2\n3,2,1\n' >light.csv
printf 'x,y,w\n1,1,1\n2,3,1e30\n' >heavy.csv
grampus run --data light.csv --target y --inputs x --weights w --genotype tree --population 5 --generations 1 --name weighed --quiet
grampus predict results/weighed/* --data heavy.csv
check "predict: weights that floats do not bear, of which file" [ "$code" -eq 2 -a "$(cut -d ' ' -f 1-8 err)" = \
    "heavy.csv: the largest weight of 2 cases is" ]
rejects "eval: unknown metric" 2 "metric" eval --expression a --data table.csv --target b --metric bits

cat >words.bnf <<'END'
<s> ::= <w> <s> | <w>
<w> ::= the | cat | "sat on"
END
printf '[0, 0, 1, 1, 7]\n[0, 0, 0]\n[]\n' >genomes
grampus map --grammar words.bnf --genomes genomes --json
check "map: derives" [ "$(sed -n 1p out)" = '{"valid":true,"phenotype":"the cat","used_codons":4,"depth":4,"nodes":6}' ]
check "map: invalid is null" [ "$(sed -n 2p out)" = '{"valid":false,"phenotype":null,"used_codons":null,"depth":null,"nodes":null}' ]
check "map: empty genome" [ "$code" -eq 0 -a "$(wc -l <out)" -eq 3 ]
printf '[1, 0]\n[1, 0' | "$GRAMPUS" map --grammar words.bnf --genomes - >out 2>err
code=$?
check "map: bad line has its place" [ "$code" -eq 2 -a "$(cut -c1-8 <err)" = "stdin:2:" ]
printf '<s> ::= "größe €" | \\u20ac\n' >beyond.bnf
printf '[0]\n[1]\n' >two
grampus map --grammar beyond.bnf --genomes two
check "map: text outside ASCII stays as it is" [ "$(grep -v '^ ' out | tr '\n' ,)" = 'größe €,€,' ]
printf '<s> ::= é | caf\351\n' >latin.bnf
rejects "map: a grammar that is not UTF-8" 2 "latin.bnf:1:16: byte 0xe9 is not text" map --grammar latin.bnf --genomes two
printf "<e> ::= 'value '<GECodonValue[0.0,1.0]>\n" >value.bnf
printf '[0, 51]\n' | "$GRAMPUS" map --grammar value.bnf --genomes - --codon-size 255 >out
check "map: codons' values by the largest codon of the run" [ "$(sed -n 1p out)" = "value 0.200000" ]
printf '[1, -3]\n' >genomes
tells "map: negative codon" "genomes:1: codon 2" map --grammar words.bnf --genomes genomes
printf '[1, 3]\n[1\000, 3]\n' >genomes
grampus map --grammar words.bnf --genomes genomes
check "map: a NUL has a position" grep -q '^genomes:2:3: a NUL character; expected text$' err
rejects "map: no end of a line" 2 "/dev/zero:1: a line of more than" map --grammar words.bnf --genomes /dev/zero
rejects "map: no grammar file" 2 "nothing.bnf" map --grammar nothing.bnf --genomes genomes
rejects "map: depth 0" 2 "--max-depth" map --grammar words.bnf --genomes genomes --max-depth 0
exit $FAILED

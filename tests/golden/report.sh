#!/bin/sh
# What runs print and write for readers, word for word but for times, device, memory and paths: tests/golden/report.
# report.sh --write makes the files anew.
. "$(dirname "$0")/../e2e/lib"
GOLDEN=$ROOT/tests/golden/report
WRITE=0
[ "$1" != --write ] || WRITE=1

cat >classes.csv <<'END'
a,b,kind
0,1,0
1,3,1
2,2,0
3,1,2
4,0,2
5,3,1
6,2,2
7,0,2
8,1,2
2,4,1
END
cat >e.bnf <<'END'
<e> ::= (<e> <o> <e>) | <v> | <v>
<o> ::= + | - | *
<v> ::= a | b | 1
END
cat >unused.bnf <<'END'
<e> ::= (<e> + <e>) | x | x
<unused> ::= y
END

awk 'BEGIN { print "a,y"; for (i = 0; i < 40; i++) print i "," 3 / (i + 1) }' >poles.csv # a program of this is infinite at 0
printf '<e> ::= <e> + <f> | <f>\n<f> ::= 1 / a | 2 / a\n' >poles.bnf

# report NAME OPTIONS...
report() {
    name=$1
    shift
    grampus run "$@" --device cpu --threads 1 --name "$name" --generations 4 --seed 2 --progress 86400
    {
        echo "exit code $code"
        cat out err results/"$name"/*/best.txt
    } | grep -vE '^(device|memory|evaluation|time|executed|results|generation .* s)  ' |
        sed -E "s#$WORK/##g; s#results/[^ ]*/statistics#statistics#; s/[0-9.]+ s(,|\$)/TIME\1/g" >"$name.txt"
    [ "$WRITE" = 0 ] || { mkdir -p "$GOLDEN" && cp "$name.txt" "$GOLDEN/$name.txt"; }
    check "report: $name" cmp "$name.txt" "$GOLDEN/$name.txt"
}
report tree small.yaml
report batch small.yaml --runs 5 --target-fitness 0.3
report scaled small.yaml --linear-scaling --metric r2
report grammar --data classes.csv --grammar e.bnf --population 30 --metric mae --test-fraction 0.3
report classes --data classes.csv --grammar e.bnf --population 30 --metric misclassified --test-fraction 0.2
report fitted --data classes.csv --grammar e.bnf --population 30 --metric misclassified --class-rule fitted
report binary --data classes.csv --genotype tree --population 30 --metric f1
report structured --data classes.csv --grammar e.bnf --genotype structured --max-depth 6 --population 30
report bits --boolean multiplexer-6 --genotype tree --population 40 --runs 2
report unused --target-expression 'x * x' --variables 'x = grid(-1, 1, 0.25)' --grammar unused.bnf --population 20
report nothing --data classes.csv --grammar e.bnf --population 5 --initialisation uniform --genome-length 1 --codon-size 2
report infinite --data poles.csv --grammar poles.bnf --population 20 --metric mse
report not-validated --data poles.csv --grammar poles.bnf --population 20 --metric mse --validation-fraction 0.25
check "not validated: no number in best.json" grep -q '"validation_fitness":[[:space:]]*null' results/not-validated/*/best.json
report infinite-on-all --data poles.csv --grammar poles.bnf --population 20 --metric mse --case-sampling random --sample-cases 5
exit $FAILED

#!/bin/sh
# grampus grammar, and bad grammars: one line `file:line:column: what is wrong; what was expected`, never a crash.
. "$(dirname "$0")/lib"

cat >good.bnf <<'END'
<e> ::= (<e> <op> <e>) | x<i> | <d>.<d>
<op> ::= + | -
<i> ::= GE_RANGE:dataset_n_vars
<d> ::= GE_RANGE:10
END
grampus grammar check good.bnf --n-vars 2
check "check: exit code 0, no warnings" [ "$code" -eq 0 -a ! -s err ]
check "check: sentences are expressions" grep -q '^expressions  yes$' out
grampus grammar check good.bnf --n-vars 2 --boolean
check "check: Boolean sentences are none" grep -q "^expressions  no: good.bnf:2:10: terminal \"+\"" out
grampus grammar check good.bnf --inputs "x0, x1"
check "check: inputs by name" [ "$code" -eq 0 ]
grampus grammar check good.bnf --json --n-vars 2
check_json "check --json" out 'v["rules"] == 4 and v["productions"] == 17 and v["expressions"] and v["warnings"] == []'
grampus grammar show good.bnf --json --n-vars 2
check_json "show --json" out 'v["rule"][0]["recursive"] and v["rule"][0]["productions"][1]["text"] == "'"'x'<i>"'"'
grampus grammar stats good.bnf --json --n-vars 2 --max-depth 4
check_json "stats --json" out '[d["sentences"] for d in v["depths"]] == [0, 0, 102, 20910]'
grampus grammar stats good.bnf --json --n-vars 2 --max-depth 5
check_json "stats --json: sentences that are too many to make, at most" out \
    'v["depths"][-1]["sentences"] is None and 20910 < int(v["depths"][-1]["sentences_at_most"]) <= int(v["depths"][-1]["derivations"])'
printf '<e> ::= <v> <v> | <v> <v>\n<v> ::= a | b | a | <GECodonValue[0,2000]>\n' >twice.bnf
grampus grammar stats twice.bnf --max-depth 4
check "stats: equal productions count once" [ "$(tail -n 1 out | tr -s ' ')" = " 4 8032032 at most 4012009" ]
grampus grammar stats good.bnf --json --n-vars 2 --max-depth 200
check_json "stats --json: counts beyond any integer" out 'v["depths"][-1]["log10"] > 1e50 and not v["depths"][-1]["exact"]'
grampus grammar show good.bnf --bnf --n-vars 2
cp out again.bnf
grampus grammar show again.bnf --bnf
check "show --bnf reads back" cmp out again.bnf

mkdir bin
printf '#!/bin/sh\ncat >graph\necho "$@" >arguments\nwhile [ "$1" != -o ]; do shift; done\necho picture >"$2"\n' >bin/dot
chmod +x bin/dot
PATH="$WORK/bin:$PATH" grampus grammar show good.bnf --n-vars 2 --picture tree.svg
check "picture: drawn by dot" [ "$code" -eq 0 -a "$(cat arguments)" = "-Tsvg -o tree.svg" -a -s tree.svg ]
grampus grammar show good.bnf --n-vars 2 --dot
check "picture: dot gets what --dot prints" cmp out graph
printf '#!/bin/sh\nexit 1\n' >bin/dot
PATH="$WORK/bin:$PATH" grampus grammar show good.bnf --n-vars 2 --picture tree.svg
check "picture: dot fails" [ "$code" -eq 1 -a "$(cat err)" = "dot failed to draw tree.svg" ]
PATH=/nowhere grampus grammar show good.bnf --n-vars 2 --picture tree.svg
check "picture: no dot" [ "$code" -eq 1 -a "$(grep -c 'no program dot' err)" -eq 1 ]
rejects "picture of another kind" 2 "ends in .svg" grammar show good.bnf --n-vars 2 --picture tree.gif
grampus grammar measure good.bnf --n-vars 2 --samples 500
check "measure: no blanks at the end of a line" [ "$code" -eq 0 -a "$(grep -c ' $' out)" -eq 0 ]
rejects "no action" 2 "expected grampus grammar check|show|stats|measure" grammar
rejects "unknown action" 2 "did you mean 'check'" grammar chek good.bnf
rejects "no file" 2 "no grammar" grammar show
rejects "unknown option" 2 "expected one of the options in grampus grammar --help" grammar stats good.bnf --wrong
rejects "unknown option of measure" 2 "expected one of the options in grampus grammar measure --help" grammar measure good.bnf --wrong
rejects "measure: an option near a setting" 2 "did you mean '--max-depth'" grammar measure good.bnf --max-dpeth 3
measured="grammar measure good.bnf --n-vars 2" # what a run refuses, measure does
rejects "measure: a depth below the least" 2 "--max-depth 1 is less than the grammar's shortest derivation; expected at least 3" $measured --max-depth 1
grampus $measured --init-max-depth 2 --samples 100
check "measure: a first depth below the least" [ "$code" -eq 0 -a "$(grep -c '^init-max-depth is 2, but' err)" -eq 1 ]
rejects "measure: codons too small for a choice" 2 "--codon-size 8 cannot choose among 10" $measured --codon-size 8
rejects "measure: a ramp upside down" 2 "--init-min-depth 8 larger than init-max-depth 5" $measured --init-min-depth 8 --init-max-depth 5
rejects "measure: first trees beyond the limit" 2 "--init-max-depth 20 larger than max-depth 12" $measured --init-max-depth 20 --max-depth 12
rejects "unknown option" 2 "did you mean '--max-depth'" grammar stats good.bnf --max-dept 3
rejects "missing file" 2 "nothing.bnf: No such file" grammar check nothing.bnf
rejects "two kinds of output" 2 "one of --bnf" grammar show good.bnf --dot --json
rejects "inputs that are no names" 2 "expected names" grammar check good.bnf --inputs "a,,b"

# bad NAME PLACE WORD: bad.bnf is refused at that place
bad() { rejects "bad grammar: $1" 2 "$2" grammar check bad.bnf; }
printf '<e> ::= <e>"+<e> | x\n' >bad.bnf && bad "left-over quote" 'bad.bnf:1:12: quote " is not closed; expected'
printf '<e> ::= x\n<f> ::= y <e> |\n  <g>\n' >bad.bnf && bad "undefined non-terminal" "bad.bnf:3:3: non-terminal <g> has no rule; expected"
printf '<e> ::= <e>+<e> | (<e>)\n' >bad.bnf && bad "no production that ends" "bad.bnf:1:1: rule <e> can never end; expected"
printf '<e> ::= x\n<f> ::= | |\n' >bad.bnf && bad "nothing but empty alternatives" "bad.bnf:2:1: rule <f> has no production; expected"
printf '<e> ::= x\n<e> ::= y\n' >bad.bnf && bad "the same rule twice" "bad.bnf:2:1: rule <e> is defined again"
printf '<e> ::= <GECodonValue[2,1]>\n' >bad.bnf && bad "a codon value without values" "bad.bnf:1:9: <GECodonValue[2,1]> has no values"
: >bad.bnf && bad "empty file" "bad.bnf:1:1: the grammar is empty"
awk 'BEGIN { printf "<e> ::= x"; for (i = 0; i < 100000; i++) printf " | y%d", i; print "" }' >bad.bnf
bad "100 000 productions" "more than 65535 productions; expected at most 65535"
awk 'BEGIN { printf "<e> ::= "; for (i = 0; i < 500000; i++) printf "<e"; print "" }' >bad.bnf
grampus grammar check bad.bnf
check "a line of a megabyte: no crash" [ "$code" -eq 0 -o "$code" -eq 2 ]
head -c 100000 "$GRAMPUS" >bad.bnf && bad "binary" "bad.bnf:1:1: byte 0x7f is not text"
awk 'BEGIN { for (i = 0; i < 20000; i++) printf "<r%d> ::= (<r%d>)\n", i, i + 1; print "<r20000> ::= x" }' >deep.bnf
grampus grammar stats deep.bnf
check "20 000 rules deep" [ "$code" -eq 0 ]
awk 'BEGIN { printf "<e> ::= "; for (i = 0; i < 20000; i++) printf "("; printf "x"; for (i = 0; i < 20000; i++) printf ")"; print "" }' >nested.bnf
grampus grammar check nested.bnf --inputs x
check "20 000 brackets deep" grep -q '^expressions  yes$' out
awk 'BEGIN { printf "<e> ::= x"; for (i = 0; i < 4095; i++) printf " | x + %d", i; print "" }' >wide.bnf
grampus grammar check wide.bnf --inputs x
check "4 096 productions" grep -q '^productions  4096' out
check "4 096 productions: the memory is said" grep -Eq '^tables +[0-9]+ words, (constant|global) memory' out
printf '<e> ::= x | | y\n' >empty.bnf
grampus grammar check empty.bnf --inputs x,y
check "an empty alternative is a warning" grep -q "^empty.bnf:1:13: an empty alternative is left out, as in PonyGE2; expected ''" err
printf '<e> ::= x\n<f> ::= y | z\n' >unused.bnf
grampus grammar check unused.bnf --inputs x,y,z
check "an unreachable rule is a warning" grep -q "^unused.bnf:2:1: rule <f> is never used" err

# Columns of other alphabets are called by their names.
printf 'größe,Δt,長さ °C,y\n1,2,3,3\n2,3,4,8\n3,1,4,6\n4,4,2,20\n' >beyond.csv
grampus grammar make beyond.csv
check "make: names beyond ASCII" grep -q ' | größe | Δt | 長さ__C | ' out

# grammar make: columns whose names are no names, operations that need quotes, what the comparison of regressors is made with
printf 'a b,sin,3x,|,n,y\n1,2,3,4,5,6\n2,3,4,5,6,8\n3,1,4,1,5,9\n4,4,2,2,1,1\n' >odd.csv
grampus grammar make odd.csv --functions '+, <, |, aq, if, neg'
cp out odd.bnf
grampus grammar make odd.csv --functions '+, <, |, aq, if, neg' --json
check_json "make --json: the same grammar" out \
    "v['bnf'] == open('odd.bnf').read() and v['inputs'] == 5 and v['operations'] == 6"
check "make: columns by name or number" grep -q ' | a_b | x\[1\] | _3x | _ | n | ' odd.bnf
check "make: operations" grep -qF "::= neg(<e>) | (<e> + <e>) | (<e> '<' <e>) | (<e> '|' <e>) | aq(<e>, <e>) | if(<e>, <e>, <e>) | " odd.bnf
grampus run --data odd.csv --grammar odd.bnf --generations 2
check "make: a run with it" grep -q '^preset      ge$' out
printf 'x,y\n1,0\n2,32\n' >many.csv
printf 'data: odd.csv\ntarget: n\ninputs: sin, y\n' >odd.yaml
grampus grammar make odd.yaml
check "make: of a run file" grep -q ' | x\[0\] | y | x\[0\] | y | ' out
grampus grammar make odd.csv --targets 'n, sin'
cp out both.bnf
check "make: several targets" [ "$(sed -n 2p out)" = '<p> ::= targets(<e>, <e>)' ]
check "make: targets are no inputs" grep -q ' | a_b | _3x | _ | y | a_b ' out
grampus run --data odd.csv --targets 'n, sin' --grammar both.bnf --generations 2 --quiet
check "make: a run with several targets" [ "$code" -eq 0 ]
grampus grammar make odd.csv --target n --metric misclassified --class-rule argmax
cp out ranked.bnf
check "make: an output for every class" [ "$(sed -n 2p out)" = '<p> ::= argmax(<e>, <e>, <e>, <e>, <e>, <e>)' ]
grampus run --data odd.csv --target n --metric misclassified --class-rule argmax --grammar ranked.bnf --generations 2 --quiet
check "make: a run with an output for every class" [ "$code" -eq 0 ]
rejects "make: too many classes" 2 "labels from 0 to 32; expected at most 32" grammar make many.csv --metric misclassified --class-rule argmax
for line in 'mapping: pi' 'codon-consumption: lazy' 'wrap-rule: geva' 'crossover: fixed-twopoint' 'initialisation: pi-grow'; do
    printf 'data: odd.csv\n%s\n' "$line" >genomes.yaml # they go with grammars, of which this is to be one
    grampus grammar make genomes.yaml
    cp out genomes.bnf
    said=$(cat err)
    grampus run genomes.yaml --grammar genomes.bnf --generations 1 --quiet
    check "make: of a run file with $line" [ "$code" -eq 0 -a -s genomes.bnf -a -z "$said" ]
done
printf 'target-expression: x * v\nvariables: x, v = uniform(1, 2)\ntrain-cases: 9\nunits: x = m; v = m/s; target = m^2/s\n' >units.yaml
rejects "make: with units" 2 "units make a grammar; expected grampus grammar units, or none" grammar make units.yaml
rejects "make: of neither" 2 "crossover is lists, which does not work on genotype grammar" grammar make odd.csv --crossover lists
rejects "make: nothing" 2 "expected grampus grammar make TABLE" grammar make
rejects "make: no such table" 2 "none.csv: No such file" grammar make none.csv
rejects "make: truth tables" 2 "a boolean problem; expected one of numbers" grammar make "$ROOT/problems/multiplexer-6.yaml"
rejects "make: with a grammar" 2 "there is a grammar; expected none" grammar make odd.csv --grammar odd.bnf
if has_python; then
    for n in 1 2 5 6 10 40; do
        awk -v n=$n 'BEGIN { for (k = 0; k < 9; k++) { for (i = 0; i <= n; i++) printf "%s%s", k ? (7 * i + k) % 11 : i < n ? "x" i : "y",
            i < n ? "," : "\n" } }' >wide.csv
        grampus grammar make wide.csv
        check "make: $n inputs, as compare-regressors has it" python3 - "$ROOT" $n out <<'PYTHON'
import re, sys
text = open(sys.argv[1] + "/tools/regressors/methods.py").read()
exec(re.search(r"def grammar_of.*?(?=\n\n\n)", text, re.S).group())
of = lambda rule: sorted(rule.split("::=", 1)[1].strip().split(" | "))
sys.exit(of(grammar_of(int(sys.argv[2]))) != of(open(sys.argv[3]).read()))
PYTHON
    done
fi
exit $FAILED

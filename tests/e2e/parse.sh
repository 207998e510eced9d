#!/bin/sh
# grampus parse: phenotypes to genomes.
. "$(dirname "$0")/lib"

printf '<e> ::= (<e> <o> <e>) | x | <GECodonValue[0,9]>\n<o> ::= + | - | *\n' >g.bnf
printf 'x\n(x + (7 * x))\n' >texts
grampus parse --grammar g.bnf --phenotypes texts
check "genomes of plain lines" [ "$code" -eq 0 -a "$(cat out)" = "$(printf '[1]\n[0, 1, 0, 0, 2, 7, 2, 1]')" ]
cp out genomes
grampus map --grammar g.bnf --genomes genomes
check "map leads back" [ "$(grep -v codon out)" = "$(cat texts)" ]
printf '"(x - 3)"\n"x y"\n' >texts.json
grampus parse --grammar g.bnf --phenotypes texts.json --json --strings
check "JSON: both lines, and no error: not to be a sentence is an answer" [ "$code" -eq 0 ]
check "JSON: both lines" [ "$(grep -c '"valid":true' out)" -eq 1 -a "$(grep -c '"valid":false,"reached":1' out)" -eq 1 ]
grampus parse --grammar g.bnf --phenotypes texts --codon-consumption lazy
check "lazy codons" [ "$(sed -n 2p out)" = "[0, 1, 0, 0, 2, 7, 2, 1]" ]
printf 'x\n(x / x)\n' >texts
grampus parse --grammar g.bnf --phenotypes texts
check "not a sentence: where" [ "$code" -eq 2 -a "$(cut -d ';' -f 1 err)" = "texts:2:4: not a sentence of g.bnf" ]
printf 'y\nx\nz\n(x + x)\n' >texts
grampus parse --grammar g.bnf --phenotypes texts
check "bad lines: each is told of, the others go on" [ "$code" -eq 2 -a "$(wc -l <err)" -eq 2 -a "$(grep -c '^invalid: not a sentence' out)" -eq 2 -a "$(sed -n 4p out)" = "[0, 1, 0, 1]" ]
grampus parse --grammar g.bnf --phenotypes texts --json
check "--json takes lines as they are" [ "$code" -eq 0 -a "$(grep -c '"valid":true' out)" -eq 2 ]
printf 'x\n' >texts.json
printf '(x + (7 * x))\n' >texts
for options in "--mapping pi" "--mapping pi --codon-consumption lazy" "--genotype structured --max-depth 7"; do
    # shellcheck disable=SC2086
    grampus parse --grammar g.bnf --phenotypes texts $options
    cp out genomes
    # shellcheck disable=SC2086
    grampus map --grammar g.bnf --genomes genomes $options
    check "map leads back: $options" [ "$(head -n 1 out)" = "$(cat texts)" ]
done
printf '<e> ::= (<e> + <v>) | <v>\n<v> ::= x\n' >single.bnf
printf '(x + x)\n' >single
for rule in codons libge geva ponyge-linear; do
    grampus parse --grammar single.bnf --phenotypes single --codon-consumption lazy --wrap-rule "$rule"
    cp out genomes
    grampus map --grammar single.bnf --genomes genomes --codon-consumption lazy --wrap-rule "$rule"
    check "map leads back: lazy, $rule" [ "$(head -n 1 out)" = "$(cat single)" ]
done
tells "deeper than genomes are read" "texts:1: the text has a derivation of depth 5; expected at most max-depth 3" \
    parse --grammar g.bnf --phenotypes texts --max-depth 3
check "deeper than genomes are read: that is what the answer says" [ "$(cat out)" = "invalid: refused" ]
tells "lists too short for a sentence" "texts:1: a list of genes is too short" parse --grammar g.bnf --phenotypes texts \
    --genotype structured --max-genome-length 6
tells "more expansions than genomes allow" "texts:1: the text has a derivation of more expansions than max-genome-length 8" \
    parse --grammar g.bnf --phenotypes texts --mapping pi --max-genome-length 8
printf '[0, 1]\n' >genomes
tells "genes that are no lists" "genomes:1: a genome of 2 genes; expected 6" map --grammar g.bnf --genomes genomes \
    --genotype structured --max-genome-length 6
rejects "pi and PonyGE2's linear mapper" 2 "expected codons, libge or geva" map --grammar g.bnf --genomes genomes \
    --mapping pi --wrap-rule ponyge-linear
rejects "genomes of trees" 2 "expected grammar or structured" map --grammar g.bnf --genomes genomes --genotype tree
printf 'x\n(x / x)\n' >texts
tells "not a JSON string" "texts.json:1: no phenotype" parse --grammar g.bnf --phenotypes texts.json --strings --strings
printf '"x\\\\u0000"\n"x\\u0000"\n"x"\n' >texts.json
tells "a JSON string with NUL" "texts.json:2:3: a NUL character; expected text" parse --grammar g.bnf --phenotypes texts.json --strings
check "a JSON string with NUL: those beside it are parsed" [ "$(sed -n 3p out)" = "[1]" ]
check "a JSON string with a backslash and u0000 is no sentence for its backslash" grep -q "^texts.json:1:2: not a sentence" err
printf '<p> ::= def f():{:<b>return x:}\n<b> ::= if x:{:<b>:} | x+=1\\n\n' >blocks.pybnf
printf '"def f():{:if x:{:x+=1\\n:}return x:}"\n' >texts.json
grampus parse --grammar blocks.pybnf --phenotypes texts.json --strings
check "a sentence with blocks" [ "$(cat out)" = "[0, 0, 1]" ]
printf '"def f():\\n  if x:\\n    x+=1\\n  return x"\n' >texts.json # as map prints it
tells "blocks that are indented" "texts.json:1:1: not a sentence of blocks.pybnf; expected one with its blocks in {: and :}, as before they are indented" \
    parse --grammar blocks.pybnf --phenotypes texts.json --strings
rejects "no grammar" 2 "no --grammar" parse --phenotypes texts
rejects "no phenotypes" 2 "no --phenotypes" parse --grammar g.bnf
rejects "missing file" 2 "nothing: No such file" parse --grammar g.bnf --phenotypes nothing
rejects "unknown option" 2 "did you mean '--n-vars'" parse --grammar g.bnf --phenotypes texts --n-var 3
exit $FAILED

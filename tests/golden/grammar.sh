#!/bin/sh
# What `grampus grammar` says of known grammars, word for word. tests/golden/grammar.sh --write makes the files anew.
. "$(dirname "$0")/../e2e/lib"
GOLDEN=$ROOT/tests/golden/grammar

# golden NAME ARGUMENTS...: the output is the file of that name
golden() {
    name=$1
    shift
    (cd "$GOLDEN" && "$GRAMPUS" grammar "$@" 2>&1 </dev/null) >out
    [ "$WRITE" = 0 ] || cp out "$GOLDEN/$name"
    check "$name: grampus grammar $*" cmp out "$GOLDEN/$name"
}
WRITE=0
[ "$1" != --write ] || WRITE=1
golden dialect.check check dialect.bnf --n-vars 3
golden dialect.show show dialect.bnf --n-vars 3
golden dialect.json show dialect.bnf --n-vars 3 --json
golden dialect.dot show dialect.bnf --n-vars 3 --dot
golden dialect.text show dialect.bnf --n-vars 3 --bnf
golden dialect.stats stats dialect.bnf --n-vars 3 --max-depth 7
golden shuttle.stats stats ../../../grammars/shuttle.bnf --n-vars 9 --max-depth 40
golden shuttle.json stats ../../../grammars/shuttle.bnf --n-vars 9 --max-depth 12 --json
exit $FAILED

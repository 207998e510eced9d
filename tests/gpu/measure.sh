#!/bin/sh
# grampus grammar measure on the card: what it prints on the CPU.
. "$(dirname "$0")/../e2e/lib"

printf '%s\n' '<e> ::= (<e> <o> <e>) | <v> | <c>' '<o> ::= + | - | *' '<v> ::= x | y | 1.0' \
    '<c> ::= <GECodonValue[-1.50,2.25]> | <GECodonValue-20+5>' >values.bnf
for grammar in values.bnf "$ROOT/grammars/shuttle.bnf" "$ROOT/grammars/multiplexer.bnf"; do
    for how in "--initialisation ramped" "--initialisation uniform --max-wraps 2" "--initialisation pi-grow --mapping pi" \
        "--initialisation ptc2 --samples 100000" "--initialisation uniform --codon-consumption lazy --wrap-rule geva --max-wraps 1" \
        "--initialisation uniform --wrap-rule ponyge-linear --genome-length 30" "--samples 1"; do
        for device in cpu cuda; do
            # shellcheck disable=SC2086
            grampus grammar measure "$grammar" --n-vars 9 --json --seed 5 --samples 3000 $how --device $device
            [ "$code" -eq 0 ] || cat err
            mv out $device.json
        done
        check "$(basename "$grammar") $how" cmp cpu.json cuda.json
    done
done
check "something was measured" grep -q '"locality"' cuda.json
exit $FAILED

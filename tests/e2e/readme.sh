#!/bin/sh
# What the pages say against the program: links, tables, messages, the transcript, every command and the example in C.
. "$(dirname "$0")/lib"
LIBRARY=$(dirname "$GRAMPUS")
FIRST=$ROOT/README.md # page one
PAGES=$( # all, page one first: its example files are those of the others too
    cd "$ROOT" && echo README.md
    for top in gpu grammars host problems tests tools; do
        find "$top" -name '*.md' | sort
    done
)

# says FILE LINE: the page has the whole line; mentions FILE WORD: the word as code
says() { grep -qxF -- "$2" "$ROOT/$1"; }
mentions() { grep -qF -- "\`$2\`" "$ROOT/$1"; }
pages() { (cd "$ROOT" && cat $PAGES); }

# ---- page one, links ----

check "page one: at most 150 lines" [ "$(wc -l <"$FIRST")" -le 150 ]
check "page one: at most 10 KB" [ "$(wc -c <"$FIRST")" -le 10240 ]
check "page one: at most 120 columns" [ "$(awk 'length > 120' "$FIRST" | wc -l)" -eq 0 ]

# heading FILE ANCHOR: the page has the heading, as browsers spell its name
heading() {
    awk '/^```/ { code = !code } !code && /^#+ / { sub(/^#+ /, ""); print tolower($0) }' "$1" |
        sed 's/[^a-z0-9 -]//g; s/ /-/g' | grep -qxF -- "$2"
}
leads() { # leads PAGE TARGET: a relative link to what is there
    file=${2%%#*}
    file=$ROOT/$(dirname "$1")/${file:-$(basename "$1")}
    [ -e "$file" ] || return 1
    case $2 in *'#'*) heading "$file" "${2#*#}" ;; esac
}
links=0 broken=
for page in $PAGES; do
    for target in $(awk '/^```/ { code = !code } !code' "$ROOT/$page" | sed 's/`[^`]*`//g' | grep -o '](\([^)]*\))' | sed 's/^](//; s/)$//'); do
        case $target in http*) continue ;; esac
        links=$((links + 1))
        leads "$page" "$target" || broken="$broken $page:$target"
    done
done
check "links: $links lead somewhere${broken:+, but$broken}" [ "$links" -gt 20 -a -z "$broken" ]

missing=
for named in $(pages | grep -oE '`(gpu|host|grammars|problems|tests|tools)/[a-z0-9_/.-]*\.[a-z]+`' | tr -d '`' | sort -u); do
    [ -e "$ROOT/$named" ] || missing="$missing $named"
done
check "files that are named exist${missing:+, but$missing}" [ -z "$missing" ]

# The files the examples are about: a block that follows a line ending in "`NAME`:".
cp -r "$ROOT/problems" "$ROOT/grammars" .
pages >page
awk '
    /^```/ { inside = !inside; if (file) close(file); file = inside ? last : ""; last = ""; next }
    inside { if (file) print > file; next }
    /[^ ]/ { last = ""; if (match($0, /`[a-z]+\.[a-z]+`:$/)) last = substr($0, RSTART + 1, RLENGTH - 3) }' page
check "example files" [ -s pendulum.csv -a -s pendulum.bnf -a -s pendulum.yaml -a -s wave.yaml ]

# ---- lists ----

grampus --help
for verb in $(sed -n 's/^  \([a-z]*\)  .*/\1/p' out); do
    check "verb $verb is named" mentions README.md "$verb"
done
grampus run small.yaml --generations 0 --quiet
unnamed=
for column in $(head -n 1 results/small/*/statistics.tsv); do
    mentions host/run/README.md "$column" || {
        mentions host/run/README.md "${column#*_}" && mentions host/run/README.md "${column%%_*}_"
    } || unnamed="$unnamed $column"
done
check "columns of statistics.tsv${unnamed:+, but$unnamed}" [ -z "$unnamed" ]
grampus resume --help
unnamed=
for key in $(sed -n 's/^  --\([a-z-]*\) .*/\1/p' out); do
    case $key in # where files lie, and what is shown
    data | test-data | series | sequences | test-sequences | grammar | seeds | progress | quiet | json) continue ;;
    esac
    grep -qE -- "\`(--)?$key\`" "$ROOT/host/checkpoint/README.md" || unnamed="$unnamed $key"
done
check "what a resumed run may change${unnamed:+, but$unnamed}" [ -s out -a -z "$unnamed" ]
operations=$(sed -n 's/^GR_OP[1-3][A-Z]*([A-Z0-9]*, "\([a-z0-9]*\)[ "].*/\1/p' "$ROOT/gpu/core/base/ops.def" | tr '\n' ' ')
check "operations, in the order of ops.def" [ "$(tr '\n' ' ' <"$ROOT/grammars/README.md" | tr -s ' ' | grep -cF "\`${operations% }\`")" -eq 1 ]

# ---- what the program prints ----

# findings FILE: the lines of a report that are the same on every machine
findings() { grep -E '^(best|sae|size|found|successes|fitness) ' "$1"; }
grampus run problems/pospichal-quartic.yaml --runs 100
findings out >found
awk '/^```/ { inside = !inside; if (printed) exit } inside && /^device / { printed = 1 } printed' "$FIRST" >transcript
findings transcript >told
check "transcript: grampus run problems/pospichal-quartic.yaml --runs 100" cmp -s found told
for rule in '(<e> + <e>) | foo(<e>) | x0' '(<e> <e> <e>) | x0'; do
    echo "<e> ::= $rule" >bad.bnf
    grampus run small.yaml --genotype grammar --grammar bad.bnf --variables 'x0 = uniform(-1, 1)' \
        --target-expression x0 --output refusals
    check "message: $(cut -c 1-40 err)..." says grammars/README.md "$(cat err)"
done

# ---- commands ----

mkdir bin
ln -s "$GRAMPUS" bin/grampus
ln -s "$ROOT/tools" tools
awk '/^```/ { inside = $0 == "```sh"; next } inside && /grampus / { sub(/ +#.*/, ""); print }' page >commands
check "there are commands" [ "$(wc -l <commands)" -gt 5 ]
while read -r command; do
    name=$(printf '%s' "$command" | tr -d '\\')
    case $command in
    *'--device cuda'*) skip "command: $name" "needs a GPU" && continue ;;
    *compare-ponyge2*)
        has_python || { skip "command: $name" "no python3" && continue; }
        short="$command --generations 2"
        ;;
    *'bench --quick'*) short="$command --row mackey-glass" ;; # all rows: bench.sh
    *shuttle*) skip "command: $name" "needs real data" && continue ;;
    *'grampus run'*) short="$command --generations 2" ;; # the last one counts
    *) short=$command ;;
    esac
    PATH="$WORK/bin:$PATH" sh -c "$short" >out 2>err </dev/null
    code=$?
    check "command: $name" [ "$code" -eq 0 ]
done <commands

# ---- the library ----

if ! command -v "${CC:-cc}" >/dev/null 2>&1 || [ ! -f "$LIBRARY/libgrampus.a" ]; then
    skip "table of keys, example in C" "no compiler, or no libgrampus.a beside $GRAMPUS"
    exit $FAILED
fi
sanitizers=
! nm "$LIBRARY/libgrampus.a" 2>/dev/null | grep __asan_ >/dev/null || sanitizers=-fsanitize=address,undefined
compile() { ${CC:-cc} $sanitizers "$@" >err 2>&1; }

printf '%s\n' '#include <stdio.h>' 'void gr_settings_markdown(FILE *out);' \
    'int main(void) { gr_settings_markdown(stdout); return 0; }' >table.c
libraries=$(pkg-config --libs libcyaml yaml-0.1 libcjson zlib 2>/dev/null || echo -lcyaml -lyaml -lcjson -lz)
# shellcheck disable=SC2086
check "printer of the table" compile table.c "$LIBRARY/libgrampus.a" $libraries -lm -pthread -o table
./table >keys
awk '/^## / { inside = $0 == "## Run-file keys"; next } inside' "$ROOT/problems/README.md" | sed -e '/./,$!d' | sed -e '${/^$/d' -e '}' >told
check "table of keys: same as the program's" cmp keys told

if [ ! -f "$LIBRARY/libgrampus.so" ]; then # a build of the tests alone, as under the sanitizers
    skip "make install, example in C" "no libgrampus.so beside $GRAMPUS"
    exit $FAILED
fi
awk '/^```/ { inside = $0 == "```c"; next } inside' "$ROOT/host/library/README.md" >example.c
env -u MAKEFLAGS -u MAKELEVEL make -s -C "$ROOT" -o all install BUILD="$LIBRARY" PREFIX="$WORK/here" >out 2>err
check "make install" [ -f here/include/grampus.h -a -f here/lib/libgrampus.so.0 -a -x here/bin/grampus ]
if command -v pkg-config >/dev/null 2>&1; then
    flags=$(PKG_CONFIG_PATH=$WORK/here/lib/pkgconfig pkg-config --cflags --libs grampus)
else
    flags="-I$WORK/here/include -L$WORK/here/lib -lgrampus"
fi
# shellcheck disable=SC2086
check "example in C: compiles" compile -Wall -Wextra -Werror example.c $flags -o example
LD_LIBRARY_PATH=$WORK/here/lib ./example >out 2>err
code=$?
check "example in C: runs" [ "$code" -eq 0 -a "$(grep -c '^generation ' out)" -eq 6 -a ! -s err ]

# The example in grampus.h, which is a function's body.
{
    printf '#include <grampus.h>\n#include <stdio.h>\nint main(void) {\n'
    sed -n '/^#ifndef GRAMPUS_H/q; s/^ \*     //p' here/include/grampus.h
    printf 'return bad;\n}\n'
} >header.c
# shellcheck disable=SC2086
check "example in grampus.h: compiles" compile -Wall -Wextra -Werror header.c $flags -o header
LD_LIBRARY_PATH=$WORK/here/lib ./header >out 2>err
code=$?
check "example in grampus.h: runs" [ "$code" -eq 0 -a "$(grep -c x0 out)" -eq 1 -a ! -s err ]

touch here/lib/another
env -u MAKEFLAGS -u MAKELEVEL make -s -C "$ROOT" uninstall BUILD="$LIBRARY" PREFIX="$WORK/here" >out 2>err
check "make uninstall takes away what install put there, and nothing else" [ "$(find here ! -type d)" = here/lib/another ]
exit $FAILED

#!/bin/sh
# The Makefile: help has a line for every goal, and goals that call make again wait for the others of the call.
. "$(dirname "$0")/../e2e/lib"
make_dry() { env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u SANITIZE make -n -j2 -C "$ROOT" CUDA=0 BUILD="$WORK/build" "$@" >out 2>err; }

env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s -C "$ROOT" help >help
unnamed=
for goal in $(sed -n '/^\.PHONY:/,/[^\\]$/ { s/.PHONY://; s/\\//; p }' "$ROOT/Makefile"); do
    case $goal in
    always | check-gpu | fuzz-tests) ;; # for make itself
    *) grep -q "^  $goal  *[^ ]" help || unnamed="$unnamed $goal" ;;
    esac
done
check "make help names every goal${unnamed:+, but$unnamed}" [ -z "$unnamed" ]
check "make help: variables" grep -q '^  CUDA=auto|0|1  ' help
check "make help: a variable of two lines" grep -q '^  *on 86 and 89 too' help

# refused SAYS ARGUMENTS: make says why, and does nothing
refused() {
    says=$1
    shift
    make_dry "$@"
    check "make $*: exit code 2, nothing done" [ $? = 2 -a -z "$(grep -v ': Entering\|: Leaving' out)" ]
    check "make $*: $says" grep -q "\*\*\* $says" err
}
refused 'BUILD is "a b"; expected one path without blanks' clean BUILD="a b" # which would have removed both
refused 'BUILD is ""; expected one path without blanks' clean BUILD=
refused 'PREFIX is "a b"; expected one path without blanks' install PREFIX="a b"
refused 'DESTDIR is "a b"; expected one path without blanks' install DESTDIR="a b"
refused 'CUDA is "on"; expected auto, 0 or 1' all CUDA=on
refused 'MPI is "2"; expected auto, 0 or 1' all MPI=2
env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s -C "$ROOT" uninstall CUDA=0 DESTDIR="$WORK/root" PREFIX=/opt >out 2>err
check "make uninstall where nothing is" [ $? = 0 ]
refused 'CFLAGS would take the place of flags that results depend on; expected MORE_CFLAGS="-O1 -g"' all CFLAGS="-O1 -g"
make_dry "$WORK/build/host/base/text.o" MORE_CFLAGS="-O1 -g"
check "make MORE_CFLAGS: behind ours" grep -q -e '^cc .* -ffp-contract=off .* -O1 -g -MMD' out
mkdir "$WORK/one" "$WORK/of two" && cp -r "$ROOT/Makefile" "$ROOT/host" "$WORK/one" && cp -r "$WORK/one/"* "$WORK/of two"
env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -n -C "$WORK/one" -o all CUDA=0 install PREFIX=there >out 2>err
check "make install PREFIX=there: pkg-config has a whole path" grep -q -- "-I$WORK/one/there/include" out
env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -n -C "$WORK/of two" CUDA=0 install PREFIX=there >out 2>err
check "make install PREFIX=there, in a folder with a blank: it would install elsewhere" \
    [ $? = 2 -a "$(grep -c '"[^"]*of two/there"; expected one path without blanks' err)" = 1 ]
make_config() { env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -C "$ROOT" CUDA=0 BUILD="$WORK/made" "$WORK/made/config" "$@" >out 2>err; }
make_config
touch -d yesterday made
touch -d '1 hour ago' between
make_config
check "make writes nothing where nothing changed" [ $? = 0 -a made/config -nt between -a made -ot between ]
env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -C "$ROOT" CUDA=0 BUILD="$WORK/build" CC=nosuchcc "$WORK/build/config" >out 2>err
check "make CC=nosuchcc says so" grep -q '^make: no compiler nosuchcc here' err

"$ROOT/tools/setup" --help >out 2>err
check "tools/setup --help installs nothing" [ $? = 0 -a "$(cut -c 1-18 out)" = 'usage: tools/setup' -a ! -s err ]
"$ROOT/tools/setup" everything >out 2>err
check "tools/setup: an unknown goal" [ $? = 2 -a ! -s out -a "$(cut -c 1-18 err)" = 'usage: tools/setup' ]

# before A B: in the dry run the first line with A stands before the first with B
before() { [ "$(grep -nF -m 1 -e "$1" out | cut -d: -f1)" -lt "$(grep -nF -m 1 -e "$2" out | cut -d: -f1)" ]; }
make_dry bench all
check "make -j bench all: one make after the other" before "-o $WORK/build/grampus " "make --no-print-directory"
make_dry sanitize bench
check "make -j sanitize bench: bench first" before "-o $WORK/build/grampus " "SANITIZE=address"
exit $FAILED

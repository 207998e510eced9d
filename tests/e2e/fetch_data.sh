#!/bin/sh
# tools/fetch-data against a local copy of the homes: what it makes, what it refuses. The network is not asked.
. "$(dirname "$0")/lib"
fetch() {
    "$ROOT/tools/fetch-data" "$@" >out 2>err
    code=$?
}
# says WORDS: the last message has them
says() { grep -qF -- "$1" err; }

mkdir home data
fetch laser --from "file://$WORK/home" --to data
check "nothing there: an error that names the address" [ "$code" -eq 1 ]
check "one line, with the address" says "file://$WORK/home/A.dat"
check "and no file" [ ! -e data/laser.txt ]
seq 1 1000 >home/A.dat
seq 1 9093 >home/A.cont
fetch laser --from "file://$WORK/home" --to data
check "other contents: refused" [ "$code" -eq 1 ]
check "with both sums" says "expected 728383987182d1f5"
check "no file of wrong contents" [ ! -e data/laser.txt ]
echo x >home/A.dat
fetch laser --from "file://$WORK/home" --to data
check "no numbers: refused in one line" [ "$(wc -l <err)" -eq 1 ]
check "the file is named" says "laser.txt: what came is not what was expected"
echo 1 >data/laser.txt
fetch laser --from "file://$WORK/home" --to data
check "a file of one's own is not overwritten" [ "$(cat data/laser.txt)" = 1 ]
check "but told" says "remove it"
rm data/laser.txt
fetch lasers --to data
check "unknown names" [ "$code" -eq 2 ]

# UCI's archive of Shuttle has shuttle.trn.Z beside shuttle.tst.
check "a file of an archive, compressed by itself" python3 - "$ROOT/tools/fetch-data" <<'END'
import io, sys, zipfile
tool = {}
exec(open(sys.argv[1]).read().replace("\nmain()\n", "\n"), tool)
packed = io.BytesIO()
with zipfile.ZipFile(packed, "w") as archive:
    archive.writestr("shuttle.doc", b"no")
    archive.writestr("shuttle.trn.Z", b"\x1f\x9d\x90a\xc4\x88\x01")
    archive.writestr("shuttle.tst", b"plain")
assert tool["member"](packed.getvalue(), "shuttle.tst") == b"plain"
assert tool["unpacked"](tool["member"](packed.getvalue(), "shuttle.trn"))[:2] == b"ab"
END

SOURCE=${GRAMPUS_SHARED:-$ROOT/../shared}/data
if [ -r "$SOURCE/laser.txt" ]; then
    # the homes as they are: two parts, tabs, columns in another order, names, missing values, compressed and not
    head -1000 "$SOURCE/laser.txt" >home/A.dat
    tail -n +1001 "$SOURCE/laser.txt" >home/A.cont
    gzip -dc "$SOURCE/airfoil.csv.gz" | tail -n +2 | sed 's/\.0,/,/g; s/,/\t/g' >home/airfoil_self_noise.dat
    gzip -dc "$SOURCE/autompg.csv.gz" | awk -F, 'NR == 2 { print "17.0 8 302.0 ? 3449. 10.5 70 1\t\"a name\"" }
        NR > 1 { print $8, $1, $2, $3, $4 + 0 ".", $5, $6, $7 "\t\"a name, 3\"" }' >home/auto-mpg.data
    gzip -dc "$SOURCE/shuttle.trn.gz" | sed 's/$/ /' >home/shuttle.trn
    cp "$SOURCE/shuttle.tst.gz" home/shuttle.tst
    fetch laser airfoil autompg shuttle --from "file://$WORK/home" --to data
    check "fetched" [ "$code" -eq 0 ]
    for name in laser.txt airfoil.csv.gz autompg.csv.gz shuttle.trn.gz shuttle.tst.gz; do
        check "$name: the same contents" [ "$(gzip -dcf "data/$name" | cksum)" = "$(gzip -dcf "$SOURCE/$name" | cksum)" ]
    done
    fetch laser --from "file:///nowhere" --to data
    check "what is there is not asked for again" [ "$code" -eq 0 ]
fi
exit $FAILED

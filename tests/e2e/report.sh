#!/bin/sh
# grampus report: the page and its pictures, what is missing, and nothing of the data that is markup or a command.
. "$(dirname "$0")/lib"
has_python || { skip "report" "no python3"; exit 0; }
python3 - <<'END'
import random
r = random.Random(2)
kinds = ["<b>5% one</b>" + "ü" * 20, "two'; touch pwned", "$(touch pwned)"]
with open("t.csv", "w") as file:
    file.write("a,b'; touch pwned $(touch pwned) <script>x</script>,kind\n")
    for _ in range(120):
        k = r.randrange(3)
        file.write(f"{r.gauss(k, 0.5):.3f},{r.random():.3f},{kinds[k]}\n")
END
cat >e.yaml <<'END'
base: small.yaml
runs: 6
target-fitness: 0.05
grid:
  tournament: [2, 5]
  metric: [mae]
label: "x'`touch pwned` <i>{tournament} %</i>"
END
grampus run small.yaml --quiet --name one
grampus run small.yaml --quiet --name many --runs 5 --statistics summary
grampus run --quiet --data t.csv --target kind --categories --metric misclassified --genotype tree --functions '+,-' \
    --generations 3 --population 40 --test-fraction 0.3 --name classes
grampus experiment e.yaml
for cases in 40 0; do
    grampus run "$ROOT/problems/papers/langdon-protein.yaml" --quiet --deme-width 8 --deme-height 8 --generations 3 \
        --train-cases 400 --test-cases $cases --name samples$cases
done
for folder in results/*/20*; do mv "$folder" "${folder%%/20*}/r"; done

# a batch that was killed has no runs.tsv: nothing is said of ends and successes, but that
grampus run small.yaml --quiet --name killed --runs 20 --target-fitness 100
mv results/killed/20* results/killed/r
rm results/killed/r/runs.tsv
python3 - <<'END'
import json
best = json.load(open("results/killed/r/best.json"))
del best["summary"], best["runs"]
best["state"] = "running"
json.dump(best, open("results/killed/r/best.json", "w"))
END
grampus report results/killed/r --output killed.report
check "a batch that is not done is told of" grep -qx '1 of 1 folder is not of a run that is done: what there is so far is shown' err
check "a batch that is not done: 20 runs, and no share of successes" python3 - killed.report/report.html <<'END'
import re, sys
text = open(sys.argv[1], encoding="utf-8").read()
row = re.search(r"<td>killed.*?</tr>", text, re.S).group(0)
sys.exit(not re.search(r">20<", row) or "100.0" in row or "Success" in text)
END

has_pictures() { command -v gnuplot >/dev/null && command -v dot >/dev/null; }
# page FOLDER: one page that needs nothing else, whose SVG is well formed
page() {
    python3 - "$1" <<'END'
import re, sys, xml.etree.ElementTree as tree
text = open(sys.argv[1] + "/report.html", encoding="utf-8").read()
body = re.sub(r'xmlns(:\w+)?="[^"]*"|xmlns(:\w+)?=\'[^\']*\'|<!DOCTYPE[^>]*>', "", text)
assert "<script" not in body and "<b>" not in body and "<i>" not in body, "markup of the data"
assert not re.search(r"(src|href)\s*=\s*['\"]\s*(https?:|//)|@import|url\(\s*['\"]?(https?:|//)", body), "the network"
ids = re.findall(r"\bid=['\"]([^'\"]+)", body)
assert len(ids) == len(set(ids)), "two parts of the page have one name"
assert '<h2 id="program">Best program</h2>' in text, "no best program"
for picture in re.findall(r"<svg.*?</svg>", text, re.S):
    tree.fromstring(re.sub(r"\bxlink:href", "href", picture))
assert body.count("<math") >= 1 and "</html>" in body
END
}

if has_pictures; then
    for folder in results/one/r results/many/r results/classes/r results/e; do
        grampus report $folder
        check "report $folder" [ "$code" -eq 0 -a ! -s err ]
        check "$folder: the page" page $folder/report
        check "$folder: gnuplot and dot ended well" [ ! -e $folder/report/gnuplot.log -a ! -e $folder/report/dot.log ]
        for picture in convergence nodes tree; do
            for ending in svg pdf png; do
                [ -s $folder/report/$picture.$ending ] || echo $picture.$ending
            done
        done >missing
        check "$folder: pictures" [ ! -s missing ]
        check "$folder: as many pictures as it says" \
            grep -qx "report      $folder/report/report.html, $(ls $folder/report/*.png | wc -l) pictures" out
    done
    if [ -n "$SANITIZE" ]; then # gnuplot took a third of the time: from here on the program gets pictures that it has drawn
        mkdir drawn && cp results/e/report/convergence.* drawn
        cat >drawn/gnuplot <<END
#!/bin/sh
sed -n "s/^set output '\\(.*\\)'\$/\\1/p" "\$1" | while read -r file; do
    cp "$PWD/drawn/convergence.\${file##*.}" "\$file"
done
END
        chmod +x drawn/gnuplot
        PATH=$PWD/drawn:$PATH
    fi
    grampus report results/samples40/r
    check "samples: what is on them is said" grep -q "Of runs on samples of the cases" results/samples40/r/report/report.html
    check "samples: of others it is not" [ -s results/classes/r/report/report.html -a -z "$(grep 'Of runs on samples of the cases' results/classes/r/report/report.html)" ]
    check "samples: a point a program with both" [ "$code" -eq 0 -a -s results/samples40/r/report/sample.svg -a "$(sed -n \
        '/^.sample_0/,/^EOD/p' results/samples40/r/report/pictures.gp | tail -n +2 | wc -l)" -eq "$(awk -F '\t' \
        '$3 != "inf" && $4 != "" && $5 != "inf"' results/samples40/r/programs.tsv | wc -l)" ]
    grampus report results/samples0/r
    check "no test cases: no such picture" [ "$code" -eq 0 -a ! -e results/samples0/r/report/sample.svg ]
    check "classes: the matrix" [ -s results/classes/r/report/confusion.svg ]
    check "experiment: boxes, success" [ -s results/e/report/ends.svg -a -s results/e/report/success.svg ]
    check "experiment: tests" grep -q 'Tests between cells' results/e/report/report.html
    check "no rest of an earlier report" [ ! -e results/one/r/report/ends.svg ]
    mkdir paper && for name in runs.png tree.svg success.pdf; do echo mine >paper/$name; done
    for folder in results/classes/r results/classes/r results/many/r results/one/r; do
        grampus report $folder --output paper
        [ "$(cat paper/success.pdf)" = mine ] || echo "$folder: success.pdf"
        [ $folder != results/classes/r ] || [ "$(cat paper/runs.png)" = mine ] || echo "$folder: runs.png"
    done >taken
    check "files that are somebody's own stay" [ ! -s taken ]
    check "and pictures of the report before do not" [ -s paper/convergence.svg -a ! -e paper/ends.svg -a ! -e paper/ends.png ]
    "$GRAMPUS" bench surface --quick --json --device cpu >rates.json 2>/dev/null
    grampus report results/*/r results/e rates.json --output all
    check "beside each other, with rates" [ "$code" -eq 0 -a -s all/surface.pdf ]
    check "beside each other: the page" page all
    check "nothing of the data was a command" [ -z "$(find . -name pwned)" ]
else
    skip "pictures" "no gnuplot or no dot"
fi

# A front of 1 to 42 nodes: its axis ends a little beyond them, not at 0.1 and 1000.
if has_pictures; then
    grampus run small.yaml --quiet --name front --genotype tree --selection nsga2 --elites 0 --parsimony none
    python3 - results/front/20*/front.tsv <<'END'
import sys
rows = [line.split("\t") for line in open(sys.argv[1])]
with open(sys.argv[1], "w") as file:
    for place, row in enumerate([rows[0], rows[1][:], rows[1][:]]):
        row[:2] = row[:2] if place == 0 else [["9", "1"], ["5", "42"]][place - 1]
        file.write("\t".join(row))
END
    grampus report results/front/20*
    check "the front fills its picture" python3 - results/front/20*/report/pictures.gp <<'END'
import re, sys
script = open(sys.argv[1]).read().split("set output 'front.svg'")[1].split("set output")[0]
low, high = map(float, re.search(r"set logscale y\n.*\nset yrange \[(.+):(.+)\]", script).groups())
assert 0.5 < low < 1 and 42 < high < 84, (low, high)
END
    # Errors down to 0: no axis has numbers below.
    sed 's/^9\t/0\t/' results/front/20*/front.tsv >front.tsv && mv front.tsv results/front/20*/front.tsv
    grampus report results/front/20* --output zero-front
    grampus run --name zero --genotype tree --target-expression 'x * x + x' --variables 'x = grid(-1, 1, 0.1)' \
        --population 50 --generations 12 --runs 12 --metric mae --quiet
    grampus report results/zero/20* --output zero
    check "errors down to 0: axes begin there" python3 - zero-front/front zero/convergence zero/ends <<'END'
import os, re, sys
for picture in sys.argv[1:]:
    folder, name = os.path.split(picture)
    script = open(folder + "/pictures.gp").read().split("set output '%s.svg'" % name)[1].split("set output")[0]
    assert re.search(r"set [xy]range \[0:\*\]", script), picture
    assert not re.search(r">\s*[-\u2212]\d", open(picture + ".svg").read()), picture
END
fi

# Two experiments whose cells are called the same: names and tests say which is which.
sed "s/^label.*/name: f/; s/runs: 6/runs: 7/" e.yaml >f.yaml && grampus experiment f.yaml
sed "s/^label.*/name: g/" e.yaml >g.yaml && grampus experiment g.yaml
grampus report results/f results/g --output two
for folder in results/f results/g; do
    check "two experiments: the cells of $folder" [ "$(grep -c "<tr><td>[1-4] &nbsp; $folder: tournament=" two/report.html)" -eq 2 ]
    check "two experiments: the tests of $folder" grep -q "<h2>Tests between cells of $folder</h2>" two/report.html
done
{
    printf 'base: small.yaml\nlist:\n'
    for first in a aa; do printf '  - {name: %s%s, tournament: %s}\n' "$first" "$(printf '%0200d' 0 | sed 's/0/ü/g')" ${#first}; done
} >long-names.yaml
folder=a$(printf '%0060d' 0 | sed 's/0/ü/g')
cp -r results/one/r "$folder" && cp -r results/one/r "./a$folder"
grampus experiment long-names.yaml && grampus report results/long-names "$folder" "a$folder" --output long-names
check "long names end with a whole character" page long-names
check "and leave their beginning to a number in the keys of pictures" python3 - long-names/pictures.gp <<'END'
import re, sys
names = re.findall(r" title '([^']*ü[^']*)'", open(sys.argv[1], encoding="utf-8").read())
assert "1: .." + 69 * "ü" in names and "2: .." + 69 * "ü" in names and max(map(len, names)) <= 75, names
END
grampus report results/g --output two
check "one experiment: names as they are" [ "$(grep -c "<tr><td>[12] &nbsp; tournament=" two/report.html)" -eq 2 ]

# A target that is the same in all cases: an axis around it with a few tics, which gnuplot by itself crowds.
printf 'x,y\n1,5\n2,5\n3,5\n4,5\n' >constant.csv
grampus run --quiet --data constant.csv --genotype tree --population 20 --generations 2 --name constant
grampus report results/constant/* --output constant
check "a constant target: its axis" python3 - constant/pictures.gp <<'END'
import re, sys
script = open(sys.argv[1]).read().split("set output 'fit.svg'")[1].split("unset output")[0]
low, high, step = map(float, re.search(r"set xrange \[(.+):(.+)\]\nset xtics (.+)\n", script).groups())
assert low < 5 < high and 2 <= (high - low) / step <= 6, (low, high, step)
END

# Generations are whole, and few of them too.
sed "s/^runs: 6/runs: 6\ngenerations: 2/; /^label/d" e.yaml >few.yaml && grampus experiment few.yaml
grampus report results/few
check "few generations: no tics between them" python3 - results/few/report/pictures.gp <<'END'
import re, sys
pictures = re.findall(r"set output '(\w+)\.svg'\n(.*?)unset output", open(sys.argv[1]).read(), re.S)
of_generations = {name: text for name, text in pictures if "xlabel 'generation'" in text}
assert len(of_generations) >= 5, list(of_generations)
assert all(re.findall(r"^set xtics (\S+)$", text, re.M) == ["1"] for text in of_generations.values()), of_generations
END

# A cell whose runs are all at the target at once has no generations to be drawn over: it goes on beside those that have.
{
    printf 'target-expression: 3 * x + 1\nvariables: x = uniform(0, 1)\ntrain-cases: 20\nruns: 2\ntarget-fitness: 0.01\n'
    printf 'genotype: tree\npopulation: 20\ngenerations: 6\nlist:\n'
    printf '  - {name: at once, seed-program: "3 * x + 1", initialisation: seeds}\n  - {name: never, functions: exp}\n'
    printf '  - {name: other, functions: exp, metric: mae, generations: 9}\n'
} >once.yaml
grampus experiment once.yaml
grampus report results/once
check "a cell that is at the target at once is drawn to the end" python3 - results/once/report/pictures.gp <<'END'
import re, sys
block = dict(re.findall(r"^\$(\w+) << EOD\n(.*?)^EOD$", open(sys.argv[1]).read(), re.S | re.M))
for name, end in (("success_0", "9"), ("interval_0", "9"), ("best_ever_0", "6")):  # mae is not beside mse
    rows = [line.split() for line in block[name].splitlines()]
    assert [row[0] for row in rows] == ["0", end] and rows[0][1:] == rows[1][1:], (name, rows)
assert [line.split()[0] for line in block["success_1"].splitlines()] == [str(k) for k in range(7)], block["success_1"]
END

# Cells of an experiment that failed: the page and a line say that they are left out.
{
    printf 'base: small.yaml\nruns: 2\nlist:\n  - {name: good}\n'
    printf "  - {name: bad, target-expression: '', variables: '', train-cases: 0, test-cases: 0, data: none.csv}\n"
} >part.yaml
grampus experiment part.yaml
grampus report results/part
check "a cell that failed: the exit code is 0" [ "$code" -eq 0 ]
check "a cell that failed: the line" grep -qx "1 of 2 cells is left out: 1 failed, 0 not done" err
check "a cell that failed: the page" grep -q '<p class="note">1 of 2 cells is left out: ' results/part/report/report.html

# Numbers that are long: fewer tics, lest they lie on one another; long names of classes: aslant.
grampus run small.yaml --quiet --name long-numbers --target-expression "7.5e-8 * x + 2e-7" --generations 2
grampus report results/long-numbers/* --output long-numbers
check "long numbers below an axis have room" python3 - long-numbers/pictures.gp <<'END'
import re, sys
script = open(sys.argv[1]).read().split("set output 'fit.svg'")[1].split("unset output")[0]
low, high = map(float, re.search(r"set xrange \[(.+):(.+)\]\n", script).groups())
step = float(re.search(r"set xtics (.+)\n", script).group(1))
assert (high - low) / step < 3.5 and "set rmargin" in script, (low, high, step)
END
if has_pictures; then
    check "long names of classes are aslant" grep -q "rotate by -25 left noenhanced" results/classes/r/report/pictures.gp
    check "classes: the matrix is that of the test cases" python3 - results/classes/r <<'END'
import json, sys
of = {which: [c["predicted"] for c in json.load(open(sys.argv[1] + "/best.json"))["classification"][which]["classes"]]
      for which in ("training", "test")}
script = open(sys.argv[1] + "/report/pictures.gp").read()
drawn = [[float(n) for n in line.split()] for line in script.split("$confusion << EOD\n")[1].split("EOD")[0].splitlines()]
assert "'class (test cases)'" in script and of["training"] != of["test"]
assert [n for _, _, n, _ in drawn] == [n for row in of["test"] for n in row], (drawn, of)
for given, actual, n, percent in drawn:
    assert of["test"][int(actual)][int(given)] == n and abs(percent - 100 * n / max(1, sum(of["test"][int(actual)]))) < 0.01
END
fi

# Of many classes neither names nor rows lie on one another: a row is as high as the letters beside it.
awk 'BEGIN { print "a,kind"; for (i = 0; i < 200; i++) print i % 20 + i / 400 ",a class with a long name " i % 20 }' >many-classes.csv
grampus run --quiet --data many-classes.csv --target kind --categories --metric misclassified --genotype tree --generations 2 \
    --population 40 --name many-classes
grampus report results/many-classes/20* --output many-classes
! has_pictures || [ -n "$SANITIZE" ] || check "many classes: their names have room" python3 - many-classes/confusion.svg <<'END'
import re, sys
text = r'<g transform="translate\(([\d.]+),([\d.]+)\)( rotate\([^)]*\))?"[^>]*font-size="([\d.]+)"[^>]*>\s*<text[^>]*>(?:<tspan[^>]*>)?\s*(a class [^<]*)<'
names = [(float(x), float(y), bool(turned), float(size)) for x, y, turned, size, _ in re.findall(text, open(sys.argv[1]).read())]
for turned in (False, True):  # at the left and below, where they stand upright
    at = sorted(name[0 if turned else 1] for name in names if name[2] == turned)
    assert len(at) == 20 and min(b - a for a, b in zip(at, at[1:])) >= names[0][3], (turned, at, names[:2])
END

# Numbers at an axis that differ in their last places alone are told apart, have room, and no count is below 0.
awk 'BEGIN { for (i = 0; i < 20; i++) printf "%s%d,200000%d00000000\n", i ? "" : "a,y\n", i, i % 3 }' >alike.csv
grampus run --quiet --data alike.csv --genotype tree --metric mae --generations 10 --functions + --constants 1e7 \
    --constant-probability 0.5 --population 10 --runs 6 --name alike
grampus report results/alike/20* --output alike
! has_pictures || [ -n "$SANITIZE" ] || check "numbers nearly alike at an axis" python3 - alike <<'END'
import re, sys
numbers = lambda picture: re.findall(r'text-anchor="end">\s*<text>(?:<tspan[^>]*>)?\s*([-+.e\d]+)', open(f"{sys.argv[1]}/{picture}.svg").read())
for picture in ("convergence", "runs"):
    at = [number for number in numbers(picture) if "e+" in number]
    assert len(at) > 3 and len(set(at)) == len(at), (picture, at)
low = lambda picture: min(map(float, numbers(picture)))
assert low("nodes") == 0 and low("depth") == 0, (numbers("nodes"), numbers("depth"))
name = re.search(r'translate\(([-\d.]+),[-\d.]+\) rotate\([^)]*\)[^>]*>\s*<text>(?:<tspan[^>]*>)?\s*best so far', open(f"{sys.argv[1]}/runs.svg").read())
assert float(name.group(1)) > 10, name.group(0)
END

# A name may have spaces: all of it is the name.
grampus run small.yaml --quiet --name "two words" && grampus run small.yaml --quiet --name two
grampus report results/"two words"/* --output spaces
check "a name of two words: the title" grep -q '<title>Grampus: two words</title>' spaces/report.html
grampus report results/"two words"/* results/two/* --output spaces
check "beside that of its first word" [ "$(grep -c '<tr><td>[12] &nbsp; two\( words\)*</td>' spaces/report.html)" -eq 2 ]

# Boxes have the quartiles of the page's table (gnuplot has another rule), of cells of one metric among others.
cat >boxes.yaml <<'END'
base: small.yaml
runs: 10
grid:
  metric: [mae, rmse]
  tournament: [2, 5]
  generations: [1]
  population: [8]
END
grampus experiment boxes.yaml && grampus report results/boxes --output boxes
check "boxes: quartiles and whiskers" python3 - results/boxes/results.sqlite boxes/pictures.gp <<'END'
import sqlite3, statistics, sys
script = open(sys.argv[2]).read()
longest = 0
boxes = [[float(n) for n in line.split()] for line in script.split("$boxes << EOD\n")[1].split("EOD")[0].splitlines()]
assert [int(box[0]) for box in boxes] == [1, 2, 3, 4]
for cell, low, lower, median, upper, high in boxes:
    runs = [fitness for fitness, in sqlite3.connect(sys.argv[1]).execute("SELECT fitness FROM runs WHERE cell = ?", (cell,))]
    q = statistics.quantiles(runs, n=4, method="inclusive")
    far = 1.5 * (q[2] - q[0])
    wanted = [min(x for x in runs + q if x >= q[0] - far), *q, max(x for x in runs + q if x <= q[2] + far)]
    assert all(abs(a - b) <= 1e-8 * abs(b) for a, b in zip([low, lower, median, upper, high], wanted)), (cell, wanted)
    longest = max(longest, (q[0] - low) / (q[2] - q[0]), (high - q[2]) / (q[2] - q[0]))
assert 1 < longest <= 1.5, longest  # one that shorter whiskers would cut
drawn = script.split("set output 'ends.svg'")[1].split("unset output")[0]
assert drawn.count("$boxes using") == 4 and "$1 == 2 ?" in drawn and "$1 == 3 ?" not in drawn
END

# Letters of many cells: upright where they have no room beside each other.
mkdir letters && cp results/boxes/results.sqlite letters
for letters in ab abcdefghijklmnopqrstuvwxyzABCDEFGHIJ; do
    python3 -c 'import sqlite3, sys
with sqlite3.connect("letters/results.sqlite") as tables:
    tables.execute("UPDATE outcomes SET letters = ?", (sys.argv[1],))' $letters
    grampus report letters
    grep "'$letters' at" letters/report/pictures.gp >$letters
done
check "letters above boxes: beside each other" [ "$(grep -c "graph 1.04 center" ab)" -eq 6 ]
check "or upright" [ "$(grep -c "rotate by 90" abcdefghijklmnopqrstuvwxyzABCDEFGHIJ)" -eq 6 ]

# A page without pictures is still a page: PATH has nothing.
mkdir nothing
PATH=$PWD/nothing "$GRAMPUS" report results/e results/one/r --output new/plain >out 2>err
code=$?
check "without gnuplot and dot: exit code 0, a line each" [ "$code" -eq 0 -a "$(wc -l <err)" -eq 2 ]
check "without gnuplot and dot: they are named" grep -q 'gnuplot is not here' err
check "without gnuplot and dot: the page" page new/plain
check "without gnuplot and dot: tables" grep -q '<td>6</td>' new/plain/report.html
check "without gnuplot and dot: where the page is" grep -qx 'report      new/plain/report.html, 0 pictures' out
check "without gnuplot and dot: what they would draw" [ -s new/plain/pictures.gp -a -s new/plain/tree.dot ]

rejects "report: nothing" 2 "no results" report
rejects "report: no such folder" 2 "no/such: No such file" report no/such
rejects "report: an empty folder" 2 "no best.json and no results.sqlite" report nothing
echo '{}' >empty.json
rejects "report: no rates" 2 "no rates" report empty.json
echo '{"rows":[{"name":"surface-0x10","gpops":1},{"name":"surface-","gpops":1},{"name":"surface-1x1","gpops":1e999}]}' >none.json
rejects "report: rates of no size, or none" 2 "no rates" report none.json
echo 'rates' >text.json
rejects "report: no JSON" 2 "no rates" report text.json
rejects "report: no name of a folder" 2 "expected a folder" report results/e --output ""
mkdir r && grampus run small.yaml --quiet --output r && : >file
grampus report r/small/* --output file/x
check "report: cannot be written: one line" [ "$code" -eq 1 -a "$(wc -l <err)" -eq 1 ]

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
if [ -n "$browser" ] && has_pictures && [ -z "$SANITIZE" ]; then
    timeout 60 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$WORK/browser" --dump-dom \
        "file://$PWD/all/report.html" >dom 2>said
    check "a browser shows the page" [ "$(grep -o '<svg' dom | wc -l)" -ge 9 -a "$(grep -o '<math' dom | wc -l)" -ge 1 ]
else
    skip "a browser shows the page" "no browser"
fi
# Of generations of which every third is drawn: runs that ended between two of them stay at what they came to, and the
# last one is there; of folders and of tables.
grampus run small.yaml --quiet --output long --target-expression "sin(5 * x)" --generations 2500 --runs 5 --target-fitness 0.3 --sqlite
cp -r long/*/* folder; mkdir tables; cp folder/results.sqlite tables
for home in folder tables/results.sqlite; do
    grampus report "$home" --output long.report
    check "${home%%/*}: the ends of runs in curves that are thinned" python3 - folder/runs.tsv long.report/pictures.gp <<'END'
import statistics, sys
rows = [row.split("\t") for row in open(sys.argv[1]).read().splitlines()[1:]]
def block(name):
    lines = open(sys.argv[2]).read().split(f"${name} << EOD\n")[1].split("\nEOD")[0].splitlines()
    return [[float(number) for number in line.split()] for line in lines if line.strip()]
best, success, interval = block("best_ever_0"), block("success_0"), block("interval_0")
quartiles = statistics.quantiles([float(row[3]) for row in rows], n=4, method="inclusive")
assert [row[0] for row in best] == [*range(0, 2500, 3), 2500], best[-2:]
assert all(abs(a - b) < 1e-6 for a, b in zip(best[-1][1:], quartiles)), (best[-1], quartiles)
assert [row[0] for row in success][-2:] == [2499, 2500] and success[-1][1] == sum(row[5] == "1" for row in rows) / 5, success[-1]
# the rate is drawn in steps, and so is its interval: until the next generation it is that of the one before
assert interval[0] == [0, *success[0][2:]] and interval[1::2] == [[b[0], *a[2:]] for a, b in zip(success, success[1:])]
assert interval[2::2] == [[row[0], *row[2:]] for row in success[1:]]
END
done
# Where there is no number is a gap; a run that ended stays at what its last row says, if that is no number too.
grampus run small.yaml --quiet --output gaps --runs 2 --statistics all --sqlite
mv gaps/small/* gaps/folder; mkdir gaps/tables; cp gaps/folder/results.sqlite gaps/tables
python3 - gaps <<'END'
import sqlite3, sys
path = sys.argv[1] + "/folder/statistics.tsv"
rows = [row.split("\t") for row in open(path).read().splitlines()]
mean, ever = rows[0].index("ave_fitness"), rows[0].index("best_ever")
for row in rows[1:]:
    run, gen = int(row[0]), int(row[1])
    if gen == 5 or (run, gen) in [(1, 7), (1, 9)]:
        row[mean] = "nan"
    if (run, gen) == (0, 3):
        row[ever] = "nan"
open(path, "w").write("".join("\t".join(row) + "\n" for row in rows if not (row[0] == "1" and int(row[1]) > 9)))
with sqlite3.connect(sys.argv[1] + "/tables/results.sqlite") as tables:
    tables.execute("DELETE FROM summary WHERE measure = 'ave_fitness' AND gen IN (5, 8, 9)")
END
grampus report gaps/folder --output gaps/1
grampus report gaps/tables/results.sqlite --output gaps/2
check "gaps where there is no number" python3 - gaps <<'END'
import math, statistics, sys
rows = [row.split("\t") for row in open(sys.argv[1] + "/folder/statistics.tsv").read().splitlines()]
def column(name, run):
    k, value = rows[0].index(name), {int(row[1]): row for row in rows[1:] if row[0] == str(run)}
    return [float(value[min(gen, max(value))][k]) for gen in range(13)]
def block(number, name):
    lines = open(f"{sys.argv[1]}/{number}/pictures.gp").read().split(f"${name} << EOD\n")[1].split("\nEOD")[0].splitlines()
    return [[float(number) for number in line.split()] for line in lines if line.strip()]
def same(a, b):
    return math.isnan(a) and math.isnan(b) or abs(a - b) <= 1e-6 * abs(b)
means = [column("ave_fitness", run) for run in (0, 1)]
for gen, row in enumerate(block(1, "ave_fitness_0")):
    there = [mean[gen] for mean in means if not math.isnan(mean[gen])]
    assert row[0] == gen and same(row[2], statistics.median(there) if there else math.nan), row
lines = block(1, "runs_0")
assert len(lines) == 26 and all(same(a[1], b) for a, b in zip(lines, column("best_ever", 0) + column("best_ever", 1))), lines
drawn = block(2, "ave_fitness_0")
assert [row[0] for row in drawn if math.isnan(row[2])] == [5, 8] and [row[0] for row in drawn] == [*range(9), *range(10, 13)], drawn
END
# Of runs without any finite fitness all else is drawn; beside others these are.
printf '<e> ::= log(0 - 1 - x * x) | (<e> + <e>)\n' >nothing.bnf
grampus run small.yaml --quiet --output nan --runs 6 --genotype grammar --grammar nothing.bnf
grampus run small.yaml --quiet --output some --runs 6
grampus report some/small/* --json
check_json "--json: the page and its pictures" out \
    "list(v) == ['report', 'pictures', 'pictures_note', 'trees_note', 'cells_note'] and v['report'].endswith('/report/report.html') and (v['pictures'] > 3 or v['pictures_note'])"
check "--json: the page is there" [ -s some/small/*/report/report.html ]
if has_pictures; then
    for beside in "" some/small/*; do
        grampus report nan/small/* $beside --output nan.report
        check "no finite fitness: pictures $beside" [ "$code" -eq 0 -a ! -s err -a ! -e nan.report/gnuplot.log -a \
            -s nan.report/nodes.svg -a -s nan.report/validity.svg ]
        [ -n "$beside" ] || check "no finite prediction: no points, no picture of them" [ ! -e nan.report/fit.svg ]
    done
    # A quartile that is infinite: no band there, which gnuplot would draw on the other side of the median.
    grampus run small.yaml --quiet --output infinite --runs 5 --statistics all
    grampus report infinite/small/* --output infinite.report
    [ -n "$SANITIZE" ] || check "a band between quartiles" grep -q polygon infinite.report/convergence.svg
    python3 - infinite/small/*/statistics.tsv <<'END'
import sys
rows = [line.split("\t") for line in open(sys.argv[1])]
for row in rows[1:]:
    if row[0] in "13":
        row[rows[0].index("best_ever")] = "inf"
open(sys.argv[1], "w").writelines("\t".join(row) for row in rows)
END
    grampus report infinite/small/* --output infinite.report
    [ -n "$SANITIZE" ] || check "none where one is infinite" [ "$code" -eq 0 -a -s infinite.report/convergence.svg -a -z "$(grep polygon infinite.report/convergence.svg)" ]
    grampus run small.yaml --quiet --output bare --statistics none --runs 6
    grampus run small.yaml --quiet --output other --metric mae --runs 6
    grampus report bare/small/* other/small/* --output bare.report
    check "curves of another metric alone: no empty picture" [ "$code" -eq 0 -a ! -e bare.report/convergence.svg -a -s \
        bare.report/nodes.svg -a -z "$(find bare.report -empty)" ]
    check "no finite fitness: that of the others" [ -s nan.report/convergence.svg -a -s nan.report/ends.svg -a -s nan.report/runs.svg ]
fi
exit $FAILED

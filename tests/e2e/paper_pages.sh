#!/bin/sh
# tools/papers: the page of a paper from what its experiments left; tools/torus: a population as a picture.
. "$(dirname "$0")/lib"
papers() {
    python3 "$ROOT/tools/papers" "$@" >out 2>err
    code=$?
}
PAGE=results/pospichal/README.md
papers pospichal --page --output results
check "a page without results" [ "$code" -eq 0 ]
check "says so in every row" [ "$(grep -c '| not run |$' $PAGE)" -eq "$(grep -vc '^#' "$ROOT/problems/papers/pospichal/figures.tsv")" ]
check "and keeps the deviations" grep -qx '## Deviations' $PAGE
for name in gpocl chitty langdon; do
    papers $name --page --output results
    check "$name: its figures are whole" [ "$code" -eq 0 ]
done
papers table
sed '1,/^<!-- figures: tools\/papers -->$/d; /^<!-- end -->$/,$d' "$ROOT/problems/papers/README.md" >table
check "the table of all papers is what the pages have (tools/papers table --write)" cmp -s out table
papers pospichal --output results --grampus nowhere
check "no program: one line" [ "$code" -eq 1 ]
papers pospichals --page
check "an unknown paper" [ "$code" -eq 2 ]
papers pospichal --only convergense --grampus "$GRAMPUS" --output slip
check "an experiment that there is not" [ "$code" -eq 1 -a ! -e slip ]
check "and which there are" grep -q '^tools/papers: --only convergense is nothing of pospichal; expected some of convergence, .*mapping.tsv' err

# The experiment of the convergence test, made small: its numbers come into the page.
sed "s#\.\./#$ROOT/problems/papers/#; s#$ROOT/problems/papers/\.\./\.\./#$ROOT/#g; s#\.\./\.\./\.\./#$ROOT/#; s/runs: [0-9]*/runs: 20/
    /100/d; /^#/d" "$ROOT/problems/papers/pospichal/convergence.yaml" >convergence.yaml
"$GRAMPUS" experiment convergence.yaml --output results/pospichal --quiet >out 2>err
check "its experiment runs" [ $? -eq 0 ]
papers pospichal --page --output results
check "the rate, of 20 runs, with its interval" grep -q '| 77 % of 100 | [0-9.]* % of 20 ([0-9.]* to [0-9.]*) |$' $PAGE
check "and the machine" grep -q '^`convergence`: ' $PAGE
printf 'points\tpopulation\tgenerations\tseed\tseconds\toverhead\tbest\n128\t2\t1000\t1\t0.25\t0.5\t9\n128\t2\t1000\t2\t0.75\t0.5\t9\n' >results/pospichal/mapping.tsv
papers pospichal --page --output results
check "tables: least, most and mean of the cells" grep -q '| 0.5, 0.5, 0.5 |$' $PAGE
mkdir -p results/chitty
printf 'problem\tform\tlevels\tshare\tpaper\tprograms\nsextic\trpn\t3\t20.5\t35.47\t102000\nsextic\trpn\t2\t10.25\t18.71\t102000\n' \
    >results/chitty/levels-sextic.tsv
papers chitty --page --output results
check "shares of a stack, by levels" grep -q '| 18.71, 35.47, 84.72, 99.94 | 10.25, 20.50 of 102000 |$' results/chitty/README.md

# GPOCL's grid of two tables: peaks and medians of the 36 cells, ranks, and a picture where gnuplot is.
mkdir -p results/gpocl
grid() { # STRATEGY...
    awk -v strategies="$*" 'BEGIN { OFS = "\t"
        print "problem", "strategy", "population", "cases", "seeds", "gpops", "kernel_gpops", "least", "most", "cases_run", "near"
        sizes = split("100 1000 5000 10000 25000 50000", size, " ")
        for (s = split(strategies, name, " "); s; s--) for (p = 1; p <= sizes; p++) for (c = 1; c <= sizes; c++)
            print "regression", name[s], size[p], size[c], 10, 10 * p + c, 1, 1, 1, 1, 1 }'
}
grid population-unit-native population-element-native fitness-parallel-native ours >results/gpocl/grid.tsv
grid cpu-sequential cpu-parallel >results/gpocl/grid-cpu.tsv
printf 'problem\tkind\ta\tb\tvalue\tp\tshaffer\nregression\ttest\t\t\t36\t1e-9\t\nregression\trank\tours\t\t1\t\t\n%s\n' \
    "$(printf 'regression\trank\tfp\t\t2\t\t\nregression\tpair\tours\tfp\t6\t1e-9\t0.000001')" >results/gpocl/ranks.tsv
papers gpocl --page --output results
PAGE=results/gpocl/README.md
check "peak and median of a grid" grep -q '| 13.08 / 12.30 | 66 / 38.5 |$' $PAGE
check "ranks and pairs" [ "$(grep -c '| chi2 36, p 1e-09; ours 1.0, fp 2.0 |$\|| 27 of 45 | 1 of 1 |$' $PAGE)" -eq 2 ]
if command -v gnuplot >/dev/null; then
    check "two tables make one picture" [ "$(grep -c . results/gpocl/surfaces-regression.svg.dat)" -eq 216 ]
    check "which is drawn" grep -q '^</svg>' results/gpocl/surfaces-regression.svg
    sed -i 1q results/gpocl/grid-cpu.tsv
    papers gpocl --page --output results
    check "nothing is left of one that cannot be" [ ! -e results/gpocl/surfaces-regression.svg ]
fi

# A torus.
"$GRAMPUS" run "$ROOT/problems/papers/langdon-mackey-glass.yaml" --deme-width 12 --deme-height 10 --generations 4 \
    --dump-every 2 --quiet --output torus >out 2>err
FOLDER=$(echo torus/*/*)
python3 "$ROOT/tools/torus" "$FOLDER" --picture torus.svg >out 2>err
check "the best is told" grep -q '^best of generation 4: ' out
check "a cell for every program" [ "$(awk -F '\t' '/^# fitness/ { exit } NF == 4' torus.tsv | wc -l)" -eq 120 ]
check "one of them is the best itself" [ "$(awk -F '\t' '/^# fitness/ { exit } NF == 4 && $4 == 0' torus.tsv | wc -l)" -ge 1 ]
check "histograms count all of them" [ "$(awk -F '\t' '/^# distance/ { on = 1 } on && NF == 2 { n += $2 } END { print n }' torus.tsv)" -eq 120 ]
check "a script" grep -q "index 1 using 1:2" torus.gp
python3 "$ROOT/tools/torus" "$FOLDER" --picture torus.svg --generation 3 >out 2>err
check "a generation that was not dumped" grep -q 'generation 3 was not dumped; there are 0, 2, 4' err
python3 "$ROOT/tools/torus" "$FOLDER" --picture torus.bmp >out 2>err
check "an unknown kind of picture" grep -q 'expected a name that ends in' err

# Tools that call the program say in a line what is wrong with it.
mkdir -p tree/problems && cp -r "$ROOT/problems/ponyge2" tree/problems
tells() { # SAYS TOOL ARGUMENTS
    says=$1
    tool=$2
    shift 2
    (cd tree && python3 "$ROOT/tools/$tool" "$@") >out 2>err
    check "$tool $*: $says" [ $? -eq 1 -a "$(wc -l <err)" -eq 1 -a -n "$(grep -F -e "$says" err)" ]
}
tells 'nowhere: no program' compare-ponyge2 --grampus nowhere
tells 'nowhere: no program' cards --grampus nowhere
tells "--runs is '0'" compare-ponyge2 --grampus "$GRAMPUS" --runs 0
tells 'row cases on 1: grampus ended with exit code 1' cards --grampus false --row cases
exit $FAILED

/* The runs on which backends, launch shapes and thread counts are compared. Whole run files as
 * text. */
#ifndef PROBLEMS_H
#define PROBLEMS_H

typedef struct same_problem {
    const char *name, *text;
    int shared; /* needs the real data beside the repository */
} same_problem;

#define TARGETS "data: problems/projectile.csv\ntargets: range, height\n"
#define DOUBLES "precision: double\ndata: tests/differential/doubles.csv.gz\ntarget: y\n"

static const same_problem same_problems[] = {
    {"GE quartic",
     "target-expression: x0 + x0**2 + x0**3 + x0**4\nvariables: x0 = linspace(0, 10, 128)\n"
     "grammar: grammars/quartic-device.bnf\npopulation: 200\ngenerations: 30\n"
     "max-genome-length: 128\ngenome-length: 128\ncodon-size: 255\ninitialisation: uniform\n"
     "tournament: 3\nelites: 1\ncrossover: fixed-onepoint\ncrossover-within-used: false\n"
     "crossover-probability: 0.9\ncodon-mutation: 0.05\nmutation-within-used: false\nmetric: sae\n",
     0},
    {"GE wraps and invalids",
     "target-expression: sin(x) * y - exp(x - y)\n"
     "variables: x = uniform(-2, 2); y = uniform(0, 3)\ntrain-cases: 300\ntest-cases: 1500\n"
     "grammar: grammars/nguyen-2.bnf\npopulation: 301\ngenerations: 30\nmax-genome-length: 60\n"
     "genome-length: 24\ninitialisation: ramped\nmax-wraps: 2\nmax-depth: 12\nelites: 7\n"
     "crossover: variable-twopoint\ntournament: 4\nmetric: rmse\n",
     0},
    {"GE linear scaling",
     "target-expression: 3 + 2 * x * y\nvariables: x = uniform(-2, 2); y = uniform(0, 3)\n"
     "train-cases: 1500\ntest-cases: 700\ngrammar: grammars/nguyen-2.bnf\npopulation: 130\n"
     "generations: 20\nlinear-scaling: true\nmetric: r2\ninitialisation: grow\n"
     "crossover: variable-onepoint\n",
     0},
    {"linear scaling of outputs with offsets", /* spreads of rounding alone, chunks, elites */
     "target-expression: 1000 + x * y\nvariables: x = uniform(5000, 5001); y = uniform(0, 3)\n"
     "train-cases: 2500\ntest-cases: 1100\ngenotype: tree\n"
     "functions: +, -, *, /, sin, cos, exp, log, sqrt, square\nconstant-probability: 0.3\n"
     "population: 300\ngenerations: 15\nelites: 5\nmax-nodes: 50\ntournament: 7\n"
     "linear-scaling: true\nmetric: rmse\n",
     0},
    {"GE codon values, conditionals, f1",
     "target-expression: (x > 0.25) * (y < x)\nvariables: x = uniform(-1, 1); y = uniform(-1, 1)\n"
     "train-cases: 1100\ntest-cases: 500\ngrammar: tests/differential/field.bnf\npopulation: 250\n"
     "generations: 20\nmetric: f1\ninitialisation: pi-grow\n",
     0},
    {"GE codon values, hinge",
     "target-expression: x > 0.25\nvariables: x = uniform(-1, 1); y = uniform(-1, 1)\n"
     "train-cases: 300\ngrammar: tests/differential/field.bnf\npopulation: 150\ngenerations: 20\n"
     "initialisation: ptc2\nmetric: hinge\n",
     0},
    {"trees, largest error", /* lanes and chunks meet in a maximum; some outputs are no numbers */
     "target-expression: x * y - sin(x)\nvariables: x = uniform(-2, 2); y = uniform(0, 3)\n"
     "train-cases: 2500\ntest-cases: 1100\ngenotype: tree\n"
     "functions: +, -, *, /, sin, log, cbrt\nconstant-probability: 0.3\npopulation: 300\n"
     "generations: 15\nelites: 5\nmax-nodes: 60\ntournament: 5\nmetric: max-error\n",
     0},
    {"trees, largest error of samples",
     "target-expression: x * y - sin(x)\nvariables: x = uniform(-2, 2); y = uniform(0, 3)\n"
     "train-cases: 600\ncase-sampling: rotating\nsample-cases: 70\ngenotype: tree\n"
     "population: 100\ngenerations: 10\nmax-nodes: 40\nmetric: max-error\n",
     0},
    {"GE lazy codons, GEVA's wraps",
     "target-expression: x * y + x\nvariables: x = uniform(-2, 2); y = uniform(0, 3)\n"
     "train-cases: 200\ngrammar: tests/differential/field.bnf\npopulation: 200\ngenerations: 20\n"
     "mutation-events: 2\ncodon-consumption: lazy\nwrap-rule: geva\nmax-wraps: 2\nmax-depth: 14\n"
     "genome-length: 12\nmax-genome-length: 40\ninitialisation: uniform\n",
     0},
    {"GE PonyGE2's linear mapper",
     "target-expression: x * y + x\nvariables: x = uniform(-2, 2); y = uniform(0, 3)\n"
     "train-cases: 200\ngrammar: grammars/nguyen-2.bnf\npopulation: 200\ngenerations: 20\n"
     "codon-duplication: 0.3\ncodon-deletion: 0.3\nwrap-rule: ponyge-linear\nmax-wraps: 2\n"
     "max-depth: 14\ngenome-length: 12\nmax-genome-length: 40\ninitialisation: ramped\n",
     0},
    {"GE position independent",
     "target-expression: x * y + x\nvariables: x = uniform(-2, 2); y = uniform(0, 3)\n"
     "train-cases: 200\ngrammar: grammars/nguyen-2.bnf\npopulation: 200\ngenerations: 20\n"
     "mapping: pi\nmax-wraps: 2\nmax-depth: 14\ngenome-length: 40\nmax-genome-length: 120\n"
     "crossover: variable-twopoint\ncodon-duplication: 0.2\ncodon-deletion: 0.2\n",
     0},
    {"GE position independent, lazy, GEVA's wraps",
     "target-expression: x * y + x\nvariables: x = uniform(-2, 2); y = uniform(0, 3)\n"
     "train-cases: 200\ngrammar: tests/differential/field.bnf\npopulation: 200\ngenerations: 20\n"
     "mapping: pi\ncodon-consumption: lazy\nwrap-rule: geva\nmax-wraps: 1\n"
     "initialisation: pi-grow\nmutation-events: 2\ngenome-length: 60\n",
     0},
    {"GE position independent, given and different, drawn again",
     "target-expression: x * y + x\nvariables: x = uniform(-2, 2); y = uniform(0, 3)\n"
     "train-cases: 200\ngrammar: grammars/nguyen-2.bnf\npopulation: 260\ngenerations: 8\n"
     "mapping: pi\nmax-depth: 10\ngenome-length: 60\nmax-genome-length: 150\nmax-wraps: 1\n"
     "initialisation: uniform\ncrossover: uniform\ninvalid: redrawn\ntries: 5\nunique: true\n"
     "seeds: tests/differential/sentences.txt\n",
     0},
    {"GE position independent, invalids excluded, steady state",
     "target-expression: x * y + x\nvariables: x = uniform(-2, 2); y = uniform(0, 3)\n"
     "train-cases: 200\ngrammar: grammars/nguyen-2.bnf\npopulation: 60\ngenerations: 4\n"
     "mapping: pi\ngenome-length: 80\ninitialisation: uniform\ninvalid: excluded\n"
     "replacement: steady-state\nchildren-per-step: 5\ndiversity: true\n",
     0},
    {"GE structured, given and different, drawn again",
     "target-expression: x * y + x\nvariables: x = uniform(-2, 2); y = uniform(0, 3)\n"
     "train-cases: 200\ngrammar: grammars/nguyen-2.bnf\npopulation: 261\ngenerations: 8\n"
     "genotype: structured\nmax-depth: 9\nmax-nodes: 9\ninitialisation: uniform\n"
     "invalid: redrawn\nunique: true\nelites: 3\nseeds: tests/differential/sentences.txt\n",
     0},
    {"GE structured, gene by gene, invalids excluded",
     "target-expression: x * y + x\nvariables: x = uniform(-2, 2); y = uniform(0, 3)\n"
     "train-cases: 200\ngrammar: grammars/nguyen-2.bnf\npopulation: 200\ngenerations: 15\n"
     "genotype: structured\nmax-depth: 9\nmax-nodes: 9\ncrossover: uniform\ninvalid: excluded\n"
     "children: one\ndiversity: true\n",
     0},
    {"GE duplicates mutated, tables that fill up",
     "target-expression: x * y + x\nvariables: x = uniform(-2, 2); y = uniform(0, 3)\n"
     "train-cases: 200\ngrammar: grammars/nguyen-2.bnf\npopulation: 3\ngenerations: 300\n"
     "genome-length: 60\nmax-genome-length: 150\nmutate-duplicates: true\ntries: 50\n"
     "codon-mutation: 0.3\nruns: 40\n",
     0},
    {"GE duplicates mutated, branches, islands",
     "target-expression: x * y + x\nvariables: x = uniform(-2, 2); y = uniform(0, 3)\n"
     "train-cases: 200\ngrammar: grammars/nguyen-2.bnf\npopulation: 700\ngenerations: 12\n"
     "max-depth: 9\nmutate-duplicates: true\ncrossover: subtree\nsubtree-mutation: 0.6\n"
     "islands: 2\nmigration-every: 3\nrestart-after: 6\nelites: 5\n",
     0},
    {"GE structured, duplicates mutated",
     "target-expression: x * y + x\nvariables: x = uniform(-2, 2); y = uniform(0, 3)\n"
     "train-cases: 200\ngrammar: grammars/nguyen-2.bnf\npopulation: 300\ngenerations: 15\n"
     "genotype: structured\nmax-depth: 7\nmutate-duplicates: true\ninvalid: redrawn\n",
     0},
    {"GE structured",
     "target-expression: x * y + x\nvariables: x = uniform(-2, 2); y = uniform(0, 3)\n"
     "train-cases: 200\ngrammar: grammars/nguyen-2.bnf\npopulation: 200\ngenerations: 20\n"
     "genotype: structured\nmax-depth: 9\n",
     0},
    {"GE structured, short lists, wraps, uniform",
     "target-expression: x * y + x\nvariables: x = uniform(-2, 2); y = uniform(0, 3)\n"
     "train-cases: 200\ngrammar: tests/differential/field.bnf\npopulation: 200\ngenerations: 20\n"
     "genotype: structured\nmax-depth: 12\nmax-genome-length: 40\nmax-wraps: 1\n"
     "initialisation: uniform\ncrossover: fixed-twopoint\nmutation-events: 3\n"
     "mutation-within-used: false\n",
     0},
    {"GE structured, more productions than codons",
     "target-expression: x * y + x\nvariables: x = uniform(-2, 2); y = uniform(0, 3)\n"
     "train-cases: 200\ngrammar: tests/differential/constants.bnf\npopulation: 100\n"
     "generations: 8\ngenotype: structured\nmax-depth: 9\ncodon-size: 5\ninitialisation: pi-grow\n",
     0},
    {"GE, nothing but a number to choose",
     "target-expression: 0.3 * x\nvariables: x = uniform(-2, 2)\ntrain-cases: 20\n"
     "grammar: tests/differential/value.bnf\npopulation: 60\ngenerations: 8\n",
     0},
    {"GE structured, nothing but a number to choose",
     "target-expression: 0.3 * x\nvariables: x = uniform(-2, 2)\ntrain-cases: 20\n"
     "grammar: tests/differential/value.bnf\npopulation: 60\ngenerations: 8\n"
     "genotype: structured\n",
     0},
    {"GE structured, nothing to choose",
     "target-expression: x\nvariables: x = uniform(-2, 2)\ntrain-cases: 20\n"
     "grammar: tests/differential/fixed.bnf\npopulation: 60\ngenerations: 8\n"
     "genotype: structured\n",
     0},
    {"GE branches, drawn again",
     "target-expression: x * y + x\nvariables: x = uniform(-2, 2); y = uniform(0, 3)\n"
     "train-cases: 200\ngrammar: grammars/nguyen-2.bnf\npopulation: 300\ngenerations: 20\n"
     "crossover: subtree\nsubtree-mutation: 0.5\nmax-depth: 12\nmax-nodes: 40\n"
     "max-genome-length: 90\ngenome-length: 60\ninvalid: redrawn\ntries: 4\nelites: 2\n",
     0},
    {"GE branches under wraps, lazy",
     "target-expression: x * y + x\nvariables: x = uniform(-2, 2); y = uniform(0, 3)\n"
     "train-cases: 200\ngrammar: grammars/nguyen-2.bnf\npopulation: 200\ngenerations: 20\n"
     "crossover: subtree\nsubtree-mutation: 0.3\nsubtree-mutation-depth: 5\n"
     "codon-consumption: lazy\nmax-wraps: 2\nmax-depth: 14\ngenome-length: 12\n"
     "max-genome-length: 40\ninitialisation: uniform\ninvalid: excluded\nselection: rank\n",
     0},
    {"GE uniform crossover, invalids excluded",
     "target-expression: x * y + x\nvariables: x = uniform(-2, 2); y = uniform(0, 3)\n"
     "train-cases: 200\ngrammar: grammars/nguyen-2.bnf\npopulation: 301\ngenerations: 20\n"
     "crossover: uniform\ninitialisation: uniform\ngenome-length: 200\nmutation-events: 1\n"
     "invalid: excluded\ntournament: 5\nchildren: one\n",
     0},
    {"GE uniform crossover on a torus, drawn again",
     "target-expression: x0 + x0**2\nvariables: x0 = linspace(0, 10, 128)\ntopology: torus\n"
     "deme-width: 12\ndeme-height: 11\ngrammar: grammars/quartic-prefix.bnf\ngenerations: 15\n"
     "max-genome-length: 128\ngenome-length: 64\nmetric: sae\ncrossover: uniform\n"
     "invalid: redrawn\ncodon-duplication: 0.2\n",
     0},
    {"GE given sentences, all different",
     "target-expression: x * y + x\nvariables: x = uniform(-2, 2); y = uniform(0, 3)\n"
     "train-cases: 200\ngrammar: grammars/nguyen-2.bnf\npopulation: 260\ngenerations: 6\n"
     "seeds: tests/differential/sentences.txt\nunique: true\ninitialisation: uniform\n"
     "genome-length: 30\ndiversity: true\n",
     0},
    {"GE first generation valid",
     "target-expression: x * y + x\nvariables: x = uniform(-2, 2); y = uniform(0, 3)\n"
     "train-cases: 200\ngrammar: tests/differential/field.bnf\npopulation: 260\ngenerations: 6\n"
     "invalid: redrawn\ninitialisation: uniform\ngenome-length: 9\nmax-wraps: 1\n"
     "wrap-rule: ponyge-linear\n",
     0},
    {"GE steady state",
     "target-expression: x * y + x\nvariables: x = uniform(-2, 2); y = uniform(0, 3)\n"
     "train-cases: 200\ngrammar: grammars/nguyen-2.bnf\npopulation: 60\ngenerations: 4\n"
     "replacement: steady-state\nchildren-per-step: 3\ncrossover: subtree\ntournament: 3\n",
     0},
    {"tree, all functions",
     "target-expression: x**6 - 2*x**4 + x**2\nvariables: x = uniform(-1, 1)\ntrain-cases: 2500\n"
     "test-cases: 99\ngenotype: tree\n"
     "functions: add, sub, mul, div, neg, abs, min, max, square, cube, inv, sqrt, sin, cos, tan, "
     "tanh, exp, log, cbrt, pow, pdiv, aq, plog, rlog, klog, psqrt, psqrt2, ppow, ppow2, gdiv, "
     "ginv, "
     "glog, lt, le, gt, ge, eq, ne, and, or, xor, nand, nor, not, if\n"
     "constant-probability: 0.3\nconstant-min: -3\nconstant-max: 3\npopulation: 300\n"
     "generations: 30\nmax-nodes: 200\nelites: 3\nsubtree-mutation: 0.3\npoint-mutation: 0.4\n"
     "metric: mse\n",
     0},
    {"tree hits",
     "target-expression: x*y\nvariables: x = uniform(-1, 1); y = uniform(1, 2)\n"
     "train-cases: 1030\ngenotype: tree\npopulation: 64\ngenerations: 20\nelites: 0\n"
     "metric: hits\ntarget-fitness: 1030\ndiversity: true\n",
     0},
    {"tree balanced accuracy",
     "target-expression: (x*x + y*y < 1) - (x > 0.5)\n"
     "variables: x = uniform(-1, 1); y = uniform(-1, 1)\ntrain-cases: 777\ntest-cases: 777\n"
     "genotype: tree\nfunctions: +, -, *, >, if, and\nconstant-probability: 0.5\npopulation: 100\n"
     "generations: 20\nmetric: balanced-accuracy\n",
     0},
    {"packed 11-multiplexer",
     "boolean: multiplexer-11\ngenotype: tree\nfunctions: and, or, nand, nor, not, xor\n"
     "population: 400\ngenerations: 30\nmax-nodes: 300\ntournament: 5\n",
     0},
    {"a truth table of four tiles", /* inputs that are one word in a tile, in some or in all */
     "boolean: parity-17\ngenotype: tree\nfunctions: and, or, nand, nor, not, xor\n"
     "population: 300\ngenerations: 10\nmax-nodes: 300\ntournament: 5\n",
     0},
    {"a truth table and constants", /* words that are false or true in all cases */
     "boolean: parity-14\ngenotype: tree\nfunctions: and, nor, not\nconstant-probability: 0.4\n"
     "constant-mutation: 0.3\npopulation: 200\ngenerations: 20\nmax-nodes: 200\n"
     "point-mutation: 0.3\nelites: 2\n",
     0},
    {"a truth table by grammar, a sample of it", /* whose last generation is on all cases */
     "boolean: multiplexer-20\ngrammar: grammars/multiplexer.bnf\npopulation: 100\n"
     "generations: 8\ncase-sampling: random\nsample-cases: 32768\nsample-every: 2\n",
     0},
    {"packed parity by grammar",
     "boolean: parity-5\ngrammar: grammars/parity.bnf\npopulation: 200\ngenerations: "
     "30\ndiversity: true\n",
     0},
    {"batch of 100 runs",
     "target-expression: x0 + x0**2 + x0**3 + x0**4\nvariables: x0 = linspace(0, 10, 128)\n"
     "runs: 100\ngrammar: grammars/quartic-prefix.bnf\npopulation: 32\ngenerations: 30\n"
     "max-genome-length: 128\ngenome-length: 128\ncodon-size: 255\ninitialisation: uniform\n"
     "tournament: 3\nelites: 1\ncrossover: fixed-onepoint\ncrossover-within-used: false\n"
     "codon-mutation: 0.05\nmetric: sae\ntarget-fitness: 0.5\ndiversity: true\n",
     0},
    {"large demes", /* beyond GR_SMALL_DEME: elites by radix, many ties */
     "target-expression: x > 0.3\nvariables: x = uniform(-1, 1)\ntrain-cases: 40\ngenotype: tree\n"
     "functions: +, -, *, >\nconstant-probability: 0.3\npopulation: 5000\nelites: 61\nruns: 2\n"
     "generations: 6\nmetric: hits\nmax-nodes: 60\n",
     0},
    {"60 inputs", /* a tile too large for shared memory */
     "target-expression: a1 * a59 + a30\n"
     "variables: \"a0 = uniform(-1, 1); a1 = uniform(-1, 1); a2 = uniform(-1, 1); a3 = uniform(-1, "
     "1); a4 = uniform(-1, 1); a5 = uniform(-1, 1); a6 = uniform(-1, 1); a7 = uniform(-1, 1); a8 = "
     "uniform(-1, 1); a9 = uniform(-1, 1); a10 = uniform(-1, 1); a11 = uniform(-1, 1); a12 = "
     "uniform(-1, 1); a13 = uniform(-1, 1); a14 = uniform(-1, 1); a15 = uniform(-1, 1); a16 = "
     "uniform(-1, 1); a17 = uniform(-1, 1); a18 = uniform(-1, 1); a19 = uniform(-1, 1); a20 = "
     "uniform(-1, 1); a21 = uniform(-1, 1); a22 = uniform(-1, 1); a23 = uniform(-1, 1); a24 = "
     "uniform(-1, 1); a25 = uniform(-1, 1); a26 = uniform(-1, 1); a27 = uniform(-1, 1); a28 = "
     "uniform(-1, 1); a29 = uniform(-1, 1); a30 = uniform(-1, 1); a31 = uniform(-1, 1); a32 = "
     "uniform(-1, 1); a33 = uniform(-1, 1); a34 = uniform(-1, 1); a35 = uniform(-1, 1); a36 = "
     "uniform(-1, 1); a37 = uniform(-1, 1); a38 = uniform(-1, 1); a39 = uniform(-1, 1); a40 = "
     "uniform(-1, 1); a41 = uniform(-1, 1); a42 = uniform(-1, 1); a43 = uniform(-1, 1); a44 = "
     "uniform(-1, 1); a45 = uniform(-1, 1); a46 = uniform(-1, 1); a47 = uniform(-1, 1); a48 = "
     "uniform(-1, 1); a49 = uniform(-1, 1); a50 = uniform(-1, 1); a51 = uniform(-1, 1); a52 = "
     "uniform(-1, 1); a53 = uniform(-1, 1); a54 = uniform(-1, 1); a55 = uniform(-1, 1); a56 = "
     "uniform(-1, 1); a57 = uniform(-1, 1); a58 = uniform(-1, 1); a59 = uniform(-1, 1)\"\n"
     "train-cases: 1100\ngenotype: tree\npopulation: 200\ngenerations: 8\nmetric: mae\n",
     0},
    {"torus, tables, samples", /* Langdon's protein run, small; an odd side has a seam */
     "generate: proteins\ntrain-cases: 300\ntest-cases: 200\ngenotype: tree\n"
     "functions: +, -, *, /\nconstants: tangent(128, 10)\nconstant-probability: 0.5\n"
     "topology: torus\ndeme-width: 17\ndeme-height: 12\ngenerations: 12\ninit-min-depth: 3\n"
     "init-max-depth: 6\nmax-nodes: 63\nmax-depth: 8\ntries: 50\n"
     "operators: crossover 0.5, point 0.225, constant 0.225, subtree 0.05\n"
     "subtree-mutation-growth: ramped\nsubtree-mutation-depth: 2\nmetric: balanced-accuracy\n"
     "case-sampling: random\nsample-cases: 100\nsample-every: 2\n",
     0},
    {"size-fair, roulette, all mutations",
     "generate: mackey-glass\ntrain-cases: 300\nlags: 1, 2, 4, 8\ngenotype: tree\n"
     "functions: +, -, *, /, sin, if\nconstants: 1, -1, ephemeral\nconstant-probability: 0.4\n"
     "initialisation: ptc2\nunique: true\npopulation: 150\ngenerations: 15\nmax-nodes: 80\n"
     "crossover: size-fair\nfunction-points: 0.9\nselection: roulette\nparsimony: tarpeian\n"
     "constant-mutation: 0.3\nconstant-creep: gaussian\nhoist-mutation: 0.2\n"
     "shrink-mutation: 0.2\ninsert-mutation: 0.3\nmulti-point-mutation: 0.3\nmetric: mae\n",
     0},
    {"common points, rank, covariant",
     "target-expression: x*x + y\nvariables: x, y = uniform(-1, 1)\ntrain-cases: 1100\n"
     "test-cases: 50\ngenotype: tree\nfunctions: +, -, *, neg\ninitialisation: sized\n"
     "population: 333\ngenerations: 12\ncrossover: common-point\nselection: rank\n"
     "rank-pressure: 1.7\nparsimony: covariant\nchildren: one\ncase-sampling: rotating\n"
     "sample-cases: 1030\nmetric: mse\nelites: 3\n",
     0},
    {"depth-dependent, truncation",
     "boolean: parity-6\ngenotype: tree\npopulation: 260\ngenerations: 12\n"
     "crossover: depth-dependent\nselection: truncation\ntruncation: 0.3\nparsimony: coefficient\n"
     "parsimony-strength: 0.05\nmax-nodes: 200\ncase-sampling: random\nsample-cases: 32\n",
     0},
    {"double tournament, signs",
     "target-expression: (x*x + y*y < 1) - (x*x + y*y >= 1)\nvariables: x, y = uniform(-1, 1)\n"
     "train-cases: 500\ngenotype: tree\nconstant-probability: 0.3\npopulation: 128\n"
     "generations: 12\nparsimony: double-tournament\ntournament: 5\nmetric: misclassified\n"
     "class-rule: sign\ncase-sampling: fixed\nsample-cases: 77\n",
     0},
    {"fitted thresholds", /* more chunks than one, a test set, NaN, empty classes in a sample */
     "target-expression: (x + y > 0.4) + (x * y > 0.2) - 2 * (x < -0.9)\n"
     "variables: x, y = uniform(-1, 1)\ntrain-cases: 2500\ntest-cases: 1300\ngenotype: tree\n"
     "functions: +, -, *, /, log\nconstant-probability: 0.3\npopulation: 150\ngenerations: 12\n"
     "runs: 2\nelites: 2\nmetric: misclassified\nclass-rule: fitted\n",
     0},
    {"fitted thresholds of samples",
     "target-expression: x + y > 0.4\nvariables: x, y = uniform(-1, 1)\ntrain-cases: 1500\n"
     "test-cases: 300\ngenotype: tree\nconstant-probability: 0.3\npopulation: 100\n"
     "generations: 10\nmetric: misclassified\nclass-rule: fitted\ncase-sampling: random\n"
     "sample-cases: 60\n",
     0},
    {"torus, one child, small trees", /* either of the two may become the child */
     "generate: mackey-glass\ntrain-cases: 200\nlags: 1, 2, 4\ngenotype: tree\n"
     "functions: +, -, *, /\nconstant-probability: 0.3\ntopology: torus\ndeme-width: 14\n"
     "deme-height: 10\nchildren: one\ngenerations: 12\nmax-nodes: 15\nmax-depth: 6\n"
     "init-max-depth: 4\ncrossover-probability: 1\n",
     0},
    {"samples of more cases than a tile, many programs", /* ranked on all at the end */
     "target-expression: x * x - y\nvariables: x, y = uniform(-1, 1)\ntrain-cases: 2500\n"
     "genotype: tree\nfunctions: +, -, *\npopulation: 24000\ngenerations: 2\nmax-nodes: 15\n"
     "init-max-depth: 4\ncase-sampling: random\nsample-cases: 60\nmetric: mae\n",
     0},
    {"f1 on samples, steady state",
     "target-expression: (x > y) - 0.5\nvariables: x = uniform(-2, 2); y = uniform(0, 3)\n"
     "train-cases: 300\ngenotype: tree\nfunctions: +, -, *, >\nmetric: f1\npopulation: 60\n"
     "generations: 4\ncase-sampling: random\nsample-cases: 50\nsample-every: 1\n"
     "replacement: steady-state\nchildren-per-step: 20\n",
     0},
    {"tournaments larger than the population",
     "target-expression: x * x + x\nvariables: x = uniform(-1, 1)\ntrain-cases: 40\n"
     "genotype: tree\npopulation: 2\ntournament: 9\nruns: 5\ngenerations: 20\n",
     0},
    {"GE on a torus",
     "target-expression: x0 + x0**2\nvariables: x0 = linspace(0, 10, 128)\ntopology: torus\n"
     "deme-width: 12\ndeme-height: 10\ngrammar: grammars/quartic-prefix.bnf\ngenerations: 15\n"
     "max-genome-length: 128\ngenome-length: 64\nmetric: sae\n",
     0},
    {"GE, longer than what a warp copies at a time, all of it mutates",
     "target-expression: x0 + x0**2\nvariables: x0 = linspace(0, 10, 128)\npopulation: 77\n"
     "grammar: grammars/quartic-prefix.bnf\ngenerations: 12\nmax-genome-length: 333\n"
     "genome-length: 301\ninitialisation: uniform\ncrossover: variable-onepoint\nelites: 3\n"
     "crossover-within-used: false\nmutation-within-used: false\ncodon-mutation: 0.3\n",
     0},
    {"islands, a ring, one elite", /* larger than GR_SMALL_DEME */
     "target-expression: x * x - y\nvariables: x, y = uniform(-1, 1)\ntrain-cases: 60\n"
     "test-cases: 30\ngenotype: tree\npopulation: 4500\ndiversity: true\nislands: 3\ngenerations: "
     "7\nmax-nodes: 40\n"
     "migration-every: 2\nelites: 1\nruns: 2\n",
     0},
    {"islands, a torus, tournaments, roulette",
     "target-expression: x * x - y\nvariables: x, y = uniform(-1, 1)\ntrain-cases: 1100\n"
     "genotype: tree\nfunctions: +, -, *, sin\npopulation: 77\nislands: 6\ngenerations: 12\n"
     "migration-every: 1\nmigration-size: 9\nmigration-topology: torus\nmigrants: tournament\n"
     "migrants-replace: random\nselection: roulette\nparsimony: covariant\nelites: 5\n",
     0},
    {"GE islands, everybody, branches",
     "target-expression: x * y + x\nvariables: x = uniform(-2, 2); y = uniform(0, 3)\n"
     "train-cases: 200\ngrammar: grammars/nguyen-2.bnf\npopulation: 90\nislands: 5\n"
     "generations: 12\nmigration-every: 3\nmigration-topology: full\nmigrants: random\n"
     "crossover: subtree\nsubtree-mutation: 0.3\nselection: rank\ninvalid: excluded\n",
     0},
    {"structured islands in a circle, until the target",
     "target-expression: x0 + x0**2\nvariables: x0 = linspace(0, 10, 128)\nislands: 20\n"
     "genotype: structured\ngrammar: grammars/quartic-prefix.bnf\npopulation: 30\nruns: 3\n"
     "generations: 15\nmax-depth: 8\nmetric: sae\ntarget-fitness: 0.5\nmigration-every: 1\n"
     "migration-topology: random\nmigration-size: 3\nstagnation: 6\n",
     0},
    {"constants and weights fitted, all", /* several chunks; every operation has a derivative */
     "target-expression: 1000 + x * y / (1 + x**2)\n"
     "variables: x = uniform(-2, 2); y = uniform(0, 3)\ntrain-cases: 2500\ntest-cases: 300\n"
     "genotype: tree\n"
     "functions: add, sub, mul, div, neg, abs, min, max, square, cube, inv, sqrt, sin, cos, tan, "
     "tanh, exp, log, cbrt, pow, pdiv, aq, plog, rlog, klog, psqrt, psqrt2, ppow, ppow2, gdiv, "
     "ginv, glog, lt, and, not, if\n"
     "constant-probability: 0.3\npopulation: 60\ngenerations: 8\nelites: 3\nmax-nodes: 90\n"
     "tournament: 5\nlinear-scaling: true\nmetric: r2\noptimise-constants: all\n"
     "weighted-inputs: true\n",
     0},
    {"constants of elites fitted, samples, given trees",
     "target-expression: sin(1.7 * x) + 0.3 * y\n"
     "variables: x = uniform(-2, 2); y = uniform(0, 3)\ntrain-cases: 500\ngenotype: tree\n"
     "functions: +, -, *, /, sin, exp\nconstant-probability: 0.4\npopulation: 200\n"
     "generations: 12\nelites: 20\nmax-nodes: 40\nmetric: rmse\noptimise-constants: elites\n"
     "optimise-iterations: 3\ncase-sampling: rotating\nsample-cases: 130\n",
     0},
    {"constants of a share fitted, steady state, one weighted input",
     "target-expression: 2.5 * x**2 - 0.7 * x\nvariables: x = uniform(-2, 2)\n"
     "train-cases: 60\ngenotype: tree\nconstant-probability: 0.3\npopulation: 80\n"
     "generations: 4\nmax-nodes: 30\nmetric: mse\noptimise-constants: share\n"
     "optimise-share: 0.3\nweighted-inputs: true\nreplacement: steady-state\n"
     "children-per-step: 20\nruns: 2\n",
     0},
    {"validated, drawn anew", /* more chunks than one */
     "target-expression: x * x - y\nvariables: x, y = uniform(-1, 1)\ntrain-cases: 3000\n"
     "test-cases: 30\ngenotype: tree\npopulation: 300\ngenerations: 14\nruns: 3\nmax-nodes: 40\n"
     "validation-fraction: 0.4\nrestart-after: 2\nmetric: mae\n",
     0},
    {"validated, scaled, islands",
     "target-expression: x * x - y\nvariables: x, y = uniform(-1, 1)\ntrain-cases: 2500\n"
     "genotype: tree\nfunctions: +, -, *, sin\npopulation: 60\nislands: 4\ngenerations: 14\n"
     "migration-every: 2\nvalidation-fraction: 0.5\nlinear-scaling: true\nmetric: r2\n"
     "stagnation: 6\nrestart-after: 3\ninitialisation: ptc2\n",
     0},
    {"GE drawn anew, validated classes",
     "target-expression: (x + y > 0.4) + (x * y > 0.2)\n"
     "variables: x = uniform(-2, 2); y = uniform(0, 3)\ntrain-cases: 300\n"
     "grammar: grammars/nguyen-2.bnf\npopulation: 200\ngenerations: 12\nrestart-after: 1\n"
     "validation-fraction: 0.3\nmetric: misclassified\nelites: 4\n",
     0},
    {"GE by pairs drawn anew",
     "target-expression: x * y + x\nvariables: x = uniform(-2, 2); y = uniform(0, 3)\n"
     "train-cases: 200\ngrammar: grammars/nguyen-2.bnf\nmapping: pi\npopulation: 150\n"
     "generations: 12\nrestart-after: 1\nmetric: max-error\nvalidation-fraction: 0.3\n",
     0},
    {"lexicase, classes",
     "target-expression: (x + y > 0.4) + (x * y > 0.2)\nvariables: x, y = uniform(-1, 1)\n"
     "train-cases: 1500\ngenotype: tree\nconstant-probability: 0.3\npopulation: 130\n"
     "generations: 8\nmetric: misclassified\nselection: lexicase\nruns: 2\n",
     0},
    {"epsilon-lexicase, scaled, islands",
     "target-expression: x * x - y\nvariables: x, y = uniform(-1, 1)\ntrain-cases: 300\n"
     "genotype: tree\nfunctions: +, -, *, sin\npopulation: 70\nislands: 3\ngenerations: 8\n"
     "migration-every: 2\nlinear-scaling: true\nselection: epsilon-lexicase\nepsilon: dynamic\n",
     0},
    /* whose interpreters keep outputs: several chunks, rows that begin anywhere, tests beside them
     */
    {"lexicase, kept outputs, scaled",
     "target-expression: x * x - sin(y)\nvariables: x, y = uniform(-1, 1)\ntrain-cases: 2203\n"
     "test-cases: 1100\ngenotype: tree\nfunctions: +, -, *, /, sin, log\npopulation: 330\n"
     "generations: 8\nmax-nodes: 200\nlinear-scaling: true\nselection: lexicase\nruns: 2\n"
     "target-fitness: 0.02\nspecialise: always\n",
     0},
    {"lexicase, kept outputs of few cases, islands",
     "target-expression: x * x - y\nvariables: x, y = uniform(-1, 1)\ntrain-cases: 100\n"
     "genotype: tree\nfunctions: +, -, *\npopulation: 70\nislands: 3\ngenerations: 8\n"
     "migration-every: 2\nselection: lexicase\nmetric: hits\ntolerance: 0.3\n"
     "restart-after: 2\nspecialise: always\n",
     0},
    {"lexicase, kept outputs, GE, validated",
     "target-expression: x * y + x\nvariables: x = uniform(-2, 2); y = uniform(0, 3)\n"
     "train-cases: 1900\ngrammar: grammars/nguyen-2.bnf\npopulation: 150\ngenerations: 8\n"
     "validation-fraction: 0.4\nselection: epsilon-lexicase\nepsilon: static\nmetric: mae\n"
     "invalid: excluded\nspecialise: always\n",
     0},
    {"lexicase, kept outputs, fitted, of few rows", /* which several warps look at */
     "target-expression: 2.5 * x * x - sin(1.7 * y)\nvariables: x, y = uniform(-1, 1)\n"
     "train-cases: 1111\ngenotype: tree\nfunctions: +, -, *, /, sin\n"
     "constant-probability: 0.3\npopulation: 1300\ngenerations: 6\nmax-nodes: 40\n"
     "linear-scaling: true\nmetric: r2\noptimise-constants: share\noptimise-share: 0.1\n"
     "weighted-inputs: true\nselection: epsilon-lexicase\nspecialise: always\n",
     0},
    {"lexicase, kept outputs, GE fitted",
     "target-expression: 2.5 * x * y + x\nvariables: x = uniform(-2, 2); y = uniform(0, 3)\n"
     "train-cases: 700\ngrammar: grammars/nguyen-2.bnf\npopulation: 200\ngenerations: 8\n"
     "optimise-constants: all\nweighted-inputs: true\nmetric: rmse\n"
     "selection: epsilon-lexicase\nepsilon: dynamic\nspecialise: always\n",
     0},
    {"epsilon-lexicase of samples, GE",
     "target-expression: x * y + x\nvariables: x = uniform(-2, 2); y = uniform(0, 3)\n"
     "train-cases: 200\ngrammar: grammars/nguyen-2.bnf\npopulation: 150\ngenerations: 8\n"
     "selection: epsilon-lexicase\nepsilon: static\ncase-sampling: random\nsample-cases: 60\n"
     "lexicase-batch: 4\ninvalid: excluded\n",
     0},
    {"lexicase of words", /* some of the cases */
     "boolean: multiplexer-11\ngenotype: tree\nfunctions: and, or, nand, nor, not, xor\n"
     "population: 400\ngenerations: 8\nmax-nodes: 300\nselection: lexicase\nlexicase-cases: 300\n",
     0},
    {"two objectives, trees, runs of which some end early",
     "target-expression: x * x - y\nvariables: x, y = uniform(-1, 1)\ntrain-cases: 1300\n"
     "test-cases: 40\ngenotype: tree\nconstant-probability: 0.2\nconstant-min: -1\n"
     "constant-max: 1\npopulation: 300\ngenerations: 14\nselection: nsga2\nruns: 3\n"
     "target-fitness: 0.2\ndiversity: true\n",
     0},
    {"three objectives, GE",
     "target-expression: x * y + x\nvariables: x = uniform(-2, 2); y = uniform(0, 3)\n"
     "train-cases: 200\ngrammar: grammars/nguyen-2.bnf\npopulation: 250\ngenerations: 10\n"
     "objectives: error, derivation-nodes, depth\ninvalid: excluded\ntournament: 3\n"
     "crossover: subtree\nsubtree-mutation: 0.3\n",
     0},
    {"two metrics and complexity, islands apart",
     "target-expression: x * x - y + sin(x)\nvariables: x, y = uniform(-1, 1)\n"
     "train-cases: 2100\ngenotype: tree\nfunctions: +, -, *, /, sin\npopulation: 90\n"
     "islands: 3\nmigration-every: 0\ngenerations: 10\nmetric: mse\n"
     "objectives: max-error, complexity, error\n",
     0},
    {"two objectives, islands that exchange individuals",
     "target-expression: x * x - y + sin(x)\nvariables: x, y = uniform(-1, 1)\n"
     "train-cases: 1300\ngenotype: tree\nfunctions: +, -, *, /, sin\npopulation: 120\n"
     "islands: 4\nmigration-every: 3\nmigration-size: 10\nruns: 2\ngenerations: 13\n"
     "metric: mse\nselection: nsga2\n",
     0},
    {"two objectives, scaled, fitted, validated",
     "target-expression: x * x - 3 * y\nvariables: x, y = uniform(-1, 1)\ntrain-cases: 600\n"
     "genotype: tree\nconstant-probability: 0.3\npopulation: 130\ngenerations: 8\n"
     "linear-scaling: true\nvalidation-fraction: 0.3\noptimise-constants: share\n"
     "optimise-share: 0.3\nselection: nsga2\n",
     0},
    {"two objectives of words",
     "boolean: multiplexer-11\ngenotype: tree\nfunctions: and, or, nand, nor, not, xor\n"
     "population: 500\ngenerations: 12\nmax-nodes: 300\nselection: nsga2\n",
     0},
    {"two objectives, classes by two metrics",
     "target-expression: 'if(x + y > 0.4, 1, 0)'\nvariables: x, y = uniform(-1, 1)\n"
     "train-cases: 400\ngenotype: tree\nfunctions: +, -, *, >\nconstant-probability: 0.3\n"
     "population: 2\ngenerations: 30\nmetric: balanced-accuracy\nobjectives: error, f1\n",
     0},
    {"niches, trees on islands that begin anew",
     "target-expression: x * x - y + sin(x)\nvariables: x, y = uniform(-1, 1)\n"
     "train-cases: 1300\ngenotype: tree\nfunctions: +, -, *, /, sin\nconstant-probability: 0.2\n"
     "population: 150\nislands: 3\nmigration-every: 3\nrestart-after: 4\ngenerations: 14\n"
     "linear-scaling: true\noptimise-constants: share\nruns: 2\narchive: niches\n"
     "niche-share: 0.5\n",
     0},
    {"typed trees",
     "target-expression: m * g * h + 0.5 * m * v * v\nvariables: m, g, h, v = uniform(1, 3)\n"
     "units: m = kg; g = m s^-2; h = m; v = m s^-1; target = kg m^2 s^-2\ngenotype: tree\n"
     "typed: true\nfunctions: +, -, *, /, square, sqrt\nconstant-probability: 0.2\n"
     "train-cases: 1100\npopulation: 150\nislands: 2\nmigration-every: 3\ngenerations: 12\n"
     "hoist-mutation: 0.1\nshrink-mutation: 0.1\nruns: 2\narchive: niches\nunique: true\n",
     0},
    {"niches of words",
     "boolean: multiplexer-11\ngenotype: tree\nfunctions: and, or, nand, nor, not, xor\n"
     "population: 400\ngenerations: 10\nmax-nodes: 300\narchive: niches\nniches: 64\n",
     0},
    {"niches, GE, runs of which some end early",
     "target-expression: x * y + x\nvariables: x = uniform(-2, 2); y = uniform(0, 3)\n"
     "train-cases: 10\ntest-cases: 40\ngrammar: grammars/nguyen-2.bnf\npopulation: 190\n"
     "generations: 12\nruns: 4\ntarget-fitness: 0.3\ninvalid: excluded\narchive: niches\n"
     "niches: 96\nniche-share: 0.9\nelites: 3\ndiversity: true\n",
     0},
    {"niches, GE by branches, two objectives",
     "target-expression: x * y + x\nvariables: x = uniform(-2, 2); y = uniform(0, 3)\n"
     "train-cases: 200\ngrammar: grammars/nguyen-2.bnf\npopulation: 150\ngenerations: 10\n"
     "crossover: subtree\nsubtree-mutation: 0.3\nselection: nsga2\narchive: niches\n",
     0},
    {"typed trees, types of a user that begin anew",
     "target-expression: 'if(x < y, x * x, y - 0.5)'\nvariables: x, y = uniform(-1, 1)\n"
     "train-cases: 300\ngenotype: tree\ntyped: true\nfunctions: +, -, *, <, and, if\n"
     "types: \"x, y = number; constants = number; + = number number -> number; "
     "- = number number -> number; * = number number -> number; "
     "< = number number -> flag; and = flag flag -> flag; "
     "if = flag number number -> number; target = number\"\n"
     "constant-probability: 0.3\npopulation: 500\ngenerations: 16\nmax-nodes: 60\n"
     "restart-after: 3\nelites: 4\nsubtree-mutation: 0.2\npoint-mutation: 0.2\n"
     "constant-mutation: 0.2\nmulti-point-mutation: 0.1\nhoist-mutation: 0.1\n"
     "function-points: 0.9\nparsimony: covariant\n",
     0},
    {"doubles, trees", /* large and tiny numbers, whose sine takes all of pi; two chunks */
     DOUBLES
     "test-fraction: 0.1\ngenotype: tree\npopulation: 300\ngenerations: 20\nelites: 2\n"
     "functions: +, -, *, /, sin, cos, tan, exp, log, sqrt, pow, tanh, cbrt, if, <\n"
     "max-nodes: 60\ntournament: 5\nconstant-probability: 0.2\nmetric: hits\ntolerance: 1\n",
     0},
    {"doubles, hits of long trees", /* longer than a window of the interpreter, many levels */
     DOUBLES "genotype: tree\npopulation: 150\ngenerations: 15\nmax-nodes: 400\n"
             "initialisation: ptc2\ninit-min-nodes: 100\ninit-max-nodes: 350\nmax-depth: 30\n"
             "functions: +, *, min, aq, sin\nmetric: hits\ntolerance: 1e9\n",
     0},
    {"doubles, islands judged by cases",
     DOUBLES "genotype: tree\npopulation: 60\ngenerations: 20\nislands: 3\nmigration-every: 3\n"
             "validation-fraction: 0.3\nfunctions: +, -, *, pdiv\nmetric: max-error\n",
     0},
    {"doubles, two objectives and another metric",
     DOUBLES "genotype: tree\npopulation: 120\ngenerations: 12\nobjectives: error, max-error\n"
             "functions: +, -, *, plog, square\nmetric: mae\n",
     0},
    {"doubles, GE",
     DOUBLES "test-fraction: 0.2\ngrammar: tests/differential/doubles.bnf\npopulation: 200\n"
             "generations: 15\nmax-genome-length: 80\nmetric: hits\ntolerance: 100\n",
     0},
    {"weighed cases, scaled and validated",
     "data: tests/differential/weighed.csv.gz\nweights: w\ninputs: a, b\ntarget: y\ntest-fraction: "
     "0.1\n"
     "genotype: tree\nfunctions: +, -, *, sin\npopulation: 150\ngenerations: 8\nmetric: rmse\n"
     "linear-scaling: true\nvalidation-fraction: 0.2\nconstant-probability: 0.3\n",
     0},
    {"weighed cases, constants fitted",
     "data: tests/differential/weighed.csv.gz\nweights: w\ninputs: a, b\ntarget: y\ntest-fraction: "
     "0.1\n"
     "genotype: tree\nfunctions: +, -, *, sin\npopulation: 150\ngenerations: 8\nmetric: mse\n"
     "optimise-constants: share\noptimise-share: 0.3\nweighted-inputs: true\n"
     "constant-probability: 0.3\n",
     0},
    {"weighed cases, scaled, constants fitted",
     "data: tests/differential/weighed.csv.gz\nweights: w\ninputs: a, b\ntarget: y\ntest-fraction: "
     "0.1\n"
     "genotype: tree\nfunctions: +, -, *, sin\npopulation: 80\ngenerations: 8\nmetric: r2\n"
     "optimise-constants: all\nlinear-scaling: true\nconstant-probability: 0.3\n",
     0},
    {"weighed cases, fitted classes",
     "data: tests/differential/weighed.csv.gz\nweights: w\ninputs: a, b\ntarget: c\ntest-fraction: "
     "0.1\n"
     "genotype: tree\npopulation: 150\ngenerations: 8\nmetric: misclassified\n"
     "class-rule: fitted\n",
     0},
    {"weighed cases, GE, balanced",
     "data: tests/differential/weighed.csv.gz\nweights: w\ninputs: a, b\ntarget: c\ntest-fraction: "
     "0.1\n"
     "grammar: grammars/nguyen-2.bnf\npopulation: 40\ngenerations: 8\n"
     "metric: balanced-accuracy\nvalidation-fraction: 0.2\n",
     0},
    {"weighed cases, lexicase",
     "data: tests/differential/weighed.csv.gz\nweights: w\ninputs: a, b\ntarget: c\ntest-fraction: "
     "0.1\n"
     "genotype: tree\npopulation: 120\ngenerations: 6\nmetric: misclassified\n"
     "selection: lexicase\nlexicase-batch: 8\nlexicase-cases: 400\n",
     0},
    {"weighed cases, lexicase, kept outputs",
     "data: tests/differential/weighed.csv.gz\nweights: w\ninputs: a, b\ntarget: y\ntest-fraction: "
     "0.1\n"
     "genotype: tree\nfunctions: +, -, *, sin\npopulation: 120\ngenerations: 6\nmetric: r2\n"
     "linear-scaling: true\nselection: lexicase\n",
     0},
    {"weighed cases, largest error",
     "data: tests/differential/weighed.csv.gz\nweights: w\ninputs: a, b\ntarget: y\ntest-fraction: "
     "0.1\n"
     "genotype: tree\npopulation: 120\ngenerations: 6\nmetric: max-error\n",
     0},
    {"GE, constants fitted beside genomes",
     "target-expression: 3.2 * sin(1.4 * x) + 0.7 * y - 2.2\n"
     "variables: x = uniform(-2, 2); y = uniform(0, 3)\ntrain-cases: 1300\n"
     "grammar: tests/differential/constants.bnf\npopulation: 120\ngenerations: 8\nmetric: mse\n"
     "optimise-constants: share\noptimise-share: 0.3\nelites: 4\n",
     0},
    {"GE, constants and weights inherited, islands that begin anew, branches, niches",
     "target-expression: 3.2 * sin(1.4 * x) + 0.7 * y - 2.2\n"
     "variables: x = uniform(-2, 2); y = uniform(0, 3)\ntrain-cases: 1300\n"
     "grammar: tests/differential/constants.bnf\npopulation: 90\ngenerations: 14\nmetric: r2\n"
     "linear-scaling: true\noptimise-constants: share\noptimise-share: 0.3\n"
     "weighted-inputs: true\ncrossover: subtree\nsubtree-mutation: 0.3\nislands: 3\n"
     "migration-every: 2\nrestart-after: 4\nruns: 2\narchive: niches\nniche-share: 0.4\n"
     "elites: 3\nmax-depth: 14\n",
     0},
    {"GE, constants and weights inherited by tokens, wraps",
     "target-expression: 0.3 * x - 0.7 * y\n"
     "variables: x = uniform(-1, 1); y = uniform(-1, 1)\ntrain-cases: 200\n"
     "grammar: tests/differential/field.bnf\npopulation: 150\ngenerations: 12\nmetric: mse\n"
     "optimise-constants: share\noptimise-share: 0.2\nweighted-inputs: true\nmax-wraps: 2\n"
     "max-depth: 14\ngenome-length: 12\nmax-genome-length: 40\ninitialisation: uniform\n"
     "crossover-within-used: false\nelites: 5\ncodon-duplication: 0.2\nchildren: one\n",
     0},
    {"GE, constants of the grammar fitted, shared",
     "target-expression: 3.2 * x * x - 1.4 * x + 0.7 * y\n"
     "variables: x = uniform(-2, 2); y = uniform(0, 3)\ntrain-cases: 1300\n"
     "grammar: tests/differential/free.bnf\npopulation: 120\ngenerations: 8\nmetric: mse\n"
     "optimise-constants: all\nmax-depth: 10\n",
     0},
    {"GE by pairs, scaled, constants fitted",
     "target-expression: 3.2 * sin(1.4 * x) + 0.7 * y - 2.2\n"
     "variables: x = uniform(-2, 2); y = uniform(0, 3)\ntrain-cases: 200\n"
     "grammar: tests/differential/constants.bnf\nmapping: pi\npopulation: 60\ngenerations: 8\n"
     "islands: 2\nmigration-every: 2\nvalidation-fraction: 0.3\nmetric: r2\n"
     "optimise-constants: all\nlinear-scaling: true\n",
     0},
    {"argmax, trees", /* several chunks; every mutation that goes with types */
     "target-expression: (x > 0.3) + (y > x) + (x * y > 1)\n"
     "variables: x = uniform(-2, 2); y = uniform(0, 3)\ntrain-cases: 2500\ntest-cases: 1100\n"
     "genotype: tree\nfunctions: +, -, *, /, min, sin, if\nconstant-probability: 0.2\n"
     "population: 300\ngenerations: 20\nelites: 5\nmax-nodes: 60\nmax-depth: 7\n"
     "init-max-depth: 4\ntournament: 5\nmetric: misclassified\nclass-rule: argmax\n"
     "subtree-mutation: 0.3\npoint-mutation: 0.2\nhoist-mutation: 0.1\nshrink-mutation: 0.1\n"
     "multi-point-mutation: 0.1\nconstant-mutation: 0.2\n",
     0},
    {"argmax, types of a user, lexicase",
     "target-expression: (x < y) + 2 * (x < 0 - y) + 5\n"
     "variables: x, y = uniform(-2, 2)\ntrain-cases: 300\nvalidation-fraction: 0.2\n"
     "genotype: tree\ntyped: true\nfunctions: +, *, <, if\nconstant-probability: 0.2\n"
     "types: \"x, y, constants, target = number; +, * = number number -> number; "
     "< = number number -> flag; if = flag number number -> number\"\n"
     "population: 150\ngenerations: 15\nmax-nodes: 50\nmax-depth: 6\nselection: lexicase\n"
     "lexicase-cases: 60\nislands: 2\nmetric: misclassified\nclass-rule: argmax\n",
     0},
    {"argmax, GE",
     "target-expression: (x > 0.3) + (y > x) + (x * y > 1)\n"
     "variables: x = uniform(-2, 2); y = uniform(0, 3)\ntrain-cases: 1500\ntest-cases: 300\n"
     "grammar: tests/differential/argmax.bnf\npopulation: 300\ngenerations: 20\n"
     "max-depth: 14\nmetric: misclassified\nclass-rule: argmax\nselection: nsga2\n",
     0},
    {"argmax, GE by samples",
     "target-expression: (x > 0.3) + (y > x) + (x * y > 1)\n"
     "variables: x = uniform(-2, 2); y = uniform(0, 3)\ntrain-cases: 1500\n"
     "grammar: tests/differential/argmax.bnf\npopulation: 200\ngenerations: 12\n"
     "crossover: subtree\nsubtree-mutation: 0.3\nmax-depth: 14\ncase-sampling: random\n"
     "sample-cases: 200\nmetric: misclassified\nclass-rule: argmax\n",
     0},
    {"targets, trees", /* every mutation that goes with types */
     TARGETS
     "genotype: tree\nfunctions: +, -, *, /, min, sin, if\nconstant-probability: 0.2\n"
     "test-fraction: 0.25\npopulation: 300\ngenerations: 20\nelites: 5\nmax-nodes: 60\n"
     "max-depth: 7\ninit-max-depth: 4\ntournament: 5\nsubtree-mutation: 0.3\n"
     "point-mutation: 0.2\nhoist-mutation: 0.1\nshrink-mutation: 0.1\ninsert-mutation: 0.2\n"
     "multi-point-mutation: 0.1\nconstant-mutation: 0.2\n",
     0},
    {"targets, distances, islands, validation",
     TARGETS
     "genotype: tree\nfunctions: +, -, *, sin, cos, square\nvalidation-fraction: 0.2\n"
     "test-fraction: 0.2\npopulation: 120\ngenerations: 15\nislands: 3\nmigration-every: 3\n"
     "restart-after: 5\nmax-nodes: 40\nmetric: mae\ntarget-scaling: none\n",
     0},
    {"targets, epsilon-lexicase",
     TARGETS "genotype: tree\nfunctions: +, -, *, sin, cos\npopulation: 200\ngenerations: 12\n"
             "max-nodes: 50\nselection: epsilon-lexicase\n",
     0},
    {"targets, many, weighed, a front", /* two chunks */
     "data: tests/differential/many.csv.gz\nweights: w\ninputs: a, b\n"
     "targets: t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12, t13, t14, t15, t16, t17, "
     "t18, t19\n"
     "genotype: tree\nfunctions: +, -, *\npopulation: 200\ngenerations: 10\nmax-nodes: 300\n"
     "max-depth: 6\ninit-max-depth: 3\nmetric: mse\nselection: nsga2\n",
     0},
    {"targets, GE",
     TARGETS "grammar: tests/differential/targets.bnf\npopulation: 300\ngenerations: 20\n"
             "test-fraction: 0.2\nmax-depth: 14\n",
     0},
    {"targets, GE by samples",
     TARGETS "grammar: tests/differential/targets.bnf\npopulation: 200\ngenerations: 12\n"
             "crossover: subtree\nsubtree-mutation: 0.3\nmax-depth: 14\ncase-sampling: random\n"
             "sample-cases: 60\nmetric: sae\nunique: true\n",
     0},
    {"lexicase of many, some warps a row",
     "target-expression: x * x * x + y * x - 0.5\nvariables: x, y = uniform(-1, 1)\n"
     "train-cases: 90\ngenotype: tree\nfunctions: +, -, *, sin, log\npopulation: 6000\n"
     "generations: 5\nmax-nodes: 40\nselection: lexicase\nelites: 3\n",
     0},
    {"epsilon-lexicase of many, static",
     "target-expression: x * x * x + y * x - 0.5\nvariables: x, y = uniform(-1, 1)\n"
     "train-cases: 70\ngenotype: tree\npopulation: 9000\ngenerations: 4\nmax-nodes: 40\n"
     "selection: epsilon-lexicase\nepsilon: static\n",
     0},
    {"epsilon-lexicase of many",
     "target-expression: x * x * x + y * x - 0.5\nvariables: x, y = uniform(-1, 1)\n"
     "train-cases: 70\ngenotype: tree\npopulation: 9000\ngenerations: 3\nmax-nodes: 40\n"
     "selection: epsilon-lexicase\n",
     0},
    {"typed trees, functions put above",
     "target-expression: m * g * h + 0.5 * m * v * v\nvariables: m, g, h, v = uniform(1, 3)\n"
     "units: m = kg; g = m s^-2; h = m; v = m s^-1; target = kg m^2 s^-2\ngenotype: tree\n"
     "typed: true\nfunctions: +, -, *, /, square, sqrt\nconstant-probability: 0.2\n"
     "train-cases: 100\npopulation: 200\ngenerations: 15\nmax-nodes: 40\ninsert-mutation: 0.6\n"
     "subtree-mutation: 0.1\n",
     0},
    {"Shuttle",
     "data: %s/data/shuttle.trn.gz\ntest-data: %s/data/shuttle.tst.gz\ngenotype: tree\n"
     "functions: +, -, *, /, >, <, ==, and, or, if\nconstant-probability: 0.5\n"
     "constant-min: -200\nconstant-max: 200\npopulation: 200\ngenerations: 30\nmax-depth: 50\n"
     "max-nodes: 1000\ntournament: 7\nmetric: misclassified\n",
     1},
};
enum { SAME_PROBLEMS = sizeof same_problems / sizeof *same_problems };

/* The text with the folder of the real data in it; NULL when that folder is not there. */
static __attribute__((unused)) const char *problem_text(const same_problem *problem, char *buffer,
                                                        size_t size) {
    const char *folder = getenv("GRAMPUS_SHARED") ? getenv("GRAMPUS_SHARED") : "../shared";
    char path[1024];
    if (!problem->shared)
        return problem->text;
    snprintf(path, sizeof path, "%s/data/shuttle.trn.gz", folder);
    FILE *file = fopen(path, "r");
    if (!file)
        return NULL;
    fclose(file);
    snprintf(buffer, size, problem->text, folder, folder);
    return buffer;
}

#endif

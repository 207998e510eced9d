/* What grampus bench measures: every row is a run file and a figure to reach.
 *
 * Random trees are drawn with the sizes a row names (trees.c): 43 to 129 nodes have a mean of
 * 86, 15 to 45 of 30; trees of binary functions have odd sizes, so 1 to 15 have a mean of 8.5.
 * Where there are several inputs, a fifth of the leaves are constants. Data are uniform random
 * numbers of a problem's shape: what a row costs does not depend on what they mean. */
#include "host/bench/bench.h"

const char *const gr_suite_names[GR_SUITES + 1] = {
    "eval", "generation", "breed", "cpu", "papers", "search", "surface", "wall", "scale", NULL};

/* ---- pieces of run files ---- */

#define CHEAP "functions: \"+, -, *\"\n"
#define DIVIDE "functions: \"+, -, *, /\"\n"
#define SEXTIC_SET "functions: \"+, -, *, /, sin, cos, exp, log\"\n"
#define CLASSES "functions: \"lt, gt, eq, and, or, if, +, -, *, /\"\n"
#define GATES "functions: \"and, or, nand, nor\"\n"
#define FAST "math: fast\n"
#define EXACT "math: exact\n"

#define TREE "genotype: tree\nmax-depth: 100\nelites: 1\n"
/* Random trees take the place of generation 0, which is therefore small. */
#define RANDOM TREE "generations: 0\ninit-max-depth: 2\n"
#define RANDOM_86 RANDOM "max-nodes: 131\n"
#define UNEVEN RANDOM "max-nodes: 303\n"
#define RANDOM_30 RANDOM "max-nodes: 47\n"

#define SEXTIC                                                                                     \
    "target-expression: x*x*x*x*x*x - 2*x*x*x*x + x*x\n"                                           \
    "variables: x = uniform(-1, 1)\nmetric: mse\n"
/* Nearly every random tree over logarithms is undefined for some case, and so is its error; the
 * number of cases it comes near is not, and there is something to hold an answer to. */
#define HITS "metric: hits\ntolerance: 1\n"
#define SEXTIC_HITS                                                                                \
    "target-expression: x*x*x*x*x*x - 2*x*x*x*x + x*x\nvariables: x = uniform(-1, 1)\n" HITS
#define CONSTANTS "constant-probability: 0.2\n"
#define INPUTS_3                                                                                   \
    "target-expression: a * b + c\nvariables: a, b, c = uniform(-1, 1)\nmetric: mse\n" CONSTANTS
/* A target of 15 nodes, the most that Langdon's trees may have, and of five levels, one more than
 * they may: an easier one is found at once, and a run then breeds and evaluates trees of three
 * nodes. */
#define INPUTS_8                                                                                   \
    "target-expression: a * b - c / (d + 1) + e * (f - g)\n"                                       \
    "variables: a, b, c, d, e, f, g, h = uniform(0, 1.4)\n"                                        \
    "metric: rmse\n" CONSTANTS
#define SERIES                                                                                     \
    "generate: mackey-glass\nlags: 128, 64, 32, 16, 8, 4, 2, 1\nmetric: rmse\n"                    \
    "constants: \"0:1.27:0.01\"\nconstant-probability: 0.5\n"
#define INPUTS_9                                                                                   \
    "target-expression: a * b + c - i\nvariables: a, b, c, d, e, f, g, h, i = uniform(-1, "        \
    "1)\n" CONSTANTS
#define NAMES_10 "a0, a1, a2, a3, a4, a5, a6, a7, a8, a9"
#define INPUTS_10 "variables: " NAMES_10 " = uniform(-1, 1)\nmetric: sae\n" CONSTANTS
#define INPUTS_41                                                                                  \
    "target-expression: (a0 > b1) + (c2 > 0.5)\nmetric: misclassified\nvariables: " NAMES_10       \
    ", b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, d0, d1, "   \
    "d2, d3, d4, d5, d6, d7, d8, d9, e0 = uniform(-1, 1)\n" CONSTANTS

/* Chitty 2017, Table 2. */
#define CHITTY                                                                                     \
    "genotype: tree\npopulation: 1000\ngenerations: 50\ntournament: 7\nelites: 1\nmax-depth: 50\n" \
    "max-nodes: 1000\ncrossover-probability: 0.95\nsubtree-mutation: 0.1\npoint-mutation: 0.1\n"
/* Langdon and Banzhaf 2008, Table 1: 15 nodes, depth 4, which are four levels
 * (problems/papers/langdon-mackey-glass.yaml), half crossover, half mutation. */
#define MACKEY_GLASS                                                                               \
    "genotype: tree\npopulation: 204800\ngenerations: 50\ntournament: 2\nelites: 1\n"              \
    "init-max-depth: 4\nmax-depth: 4\nmax-nodes: 15\ncrossover-probability: 0.5\n"                 \
    "subtree-mutation: 0.05\npoint-mutation: 0.45\n" DIVIDE INPUTS_8
/* A million trees near their limit of 47 nodes, and 128 cases. */
#define MILLION                                                                                    \
    "genotype: tree\npopulation: 1000000\ngenerations: 20\ntournament: 7\nelites: 1\n"             \
    "initialisation: ptc2\ninit-min-nodes: 15\ninit-max-nodes: 45\nmax-depth: 17\n"                \
    "max-nodes: 47\ncrossover-probability: 0.95\nsubtree-mutation: 0.1\n"                          \
    "point-mutation: 0.1\n" SEXTIC_SET SEXTIC CASES(128)
/* Many trees of 15 to 600 nodes, beside each other, with the default limit of 1000: some are larger
 * than what a warp breeds at a time. */
#define ANY_SIZE                                                                                   \
    "genotype: tree\npopulation: 200000\ngenerations: 20\ntournament: 7\nelites: 1\n"              \
    "initialisation: ptc2\ninit-min-nodes: 15\ninit-max-nodes: 600\nmax-depth: 50\n"               \
    "max-nodes: 1000\ncrossover-probability: 0.95\nsubtree-mutation: 0.1\n"                        \
    "point-mutation: 0.1\n" SEXTIC_SET SEXTIC CASES(128)
/* Pospichal et al. 2011, Table 1; grammar of Figure 5. No run stops before its last generation. */
#define LINEAR_GE                                                                                  \
    "metric: sae\ntournament: 3\nelites: 1\ngenome-length: 128\n"                                  \
    "max-genome-length: 128\ncodon-size: 255\nmax-wraps: 0\ncrossover: fixed-onepoint\n"           \
    "crossover-probability: 0.9\ncrossover-within-used: false\ncodon-mutation: 0.05\n"             \
    "mutation-within-used: false\ntarget-fitness: none\n"
#define POSPICHAL                                                                                  \
    LINEAR_GE "initialisation: uniform\ntarget-expression: x0 + x0*x0 + x0*x0*x0 + x0*x0*x0*x0\n"
const char gr_quartic_grammar[] = "<expr> ::= ( <op> <expr> <expr> ) | <var>\n"
                                  "<op>   ::= + | - | *\n"
                                  "<var>  ::= x0 | 1.0\n";

/* grammars/shuttle.bnf, the largest one */
static const char classes[] =
    "<e> ::= (<e> <op> <e>) | if(<b>, <e>, <e>) | if(<b>, <e>, <e>) | x<i> | x<i> | <c>\n"
    "<b> ::= (<e> <cmp> <e>) | (<e> <cmp> <e>) | and(<b>, <b>) | or(<b>, <b>)\n"
    "<op> ::= + | - | * | /\n<cmp> ::= '<' | '>' | '=='\n<i> ::= GE_RANGE:dataset_n_vars\n"
    "<c> ::= <d> | <d><d> | <d><d><d> | -<d> | -<d><d>\n<d> ::= GE_RANGE:10\n";

/* Friedman 1, without noise: what searching for the best formula costs, part by part. */
#define SEARCH                                                                                     \
    "genotype: tree\ngenerations: 20\ntournament: 7\nmax-nodes: 50\n"                              \
    "linear-scaling: true\nmetric: r2\n"                                                           \
    "target-expression: 10 * sin(3.14159265 * a * b) + 20 * (c - 0.5)**2 + 10 * d + 5 * e\n"       \
    "variables: a, b, c, d, e = uniform(0, 1)\n" SEXTIC_SET EXACT CONSTANTS CASES(1000)
/* A million of which two objectives are made small. */
#define FRONT_OF_MANY                                                                              \
    "genotype: tree\ngenerations: 5\nmax-nodes: 25\nobjectives: error, nodes\n"                    \
    "target-expression: 10 * sin(a * b) + 5 * c\nvariables: a, b, c = uniform(0, 1)\n" SEXTIC_SET  \
        EXACT CONSTANTS CASES(32) POPULATION(1000000)

#define GENERAL "specialise: never\n"
#define CASES(n) "train-cases: " #n "\n"
#define POPULATION(n) "population: " #n "\n"

/* ---- rows ---- */

#define EVAL(n, low, high, text, first, then)                                                      \
    {                                                                                              \
        .name = n, .suite = GR_SUITE_EVAL, .work = GR_BENCH_RANDOM, .least = low, .most = high,    \
        .settings = text, .at_least = first, .beyond = then                                        \
    }
#define EVOLVED(n, text, first, then)                                                              \
    {                                                                                              \
        .name = n, .suite = GR_SUITE_EVAL, .work = GR_BENCH_EVOLVED, .settings = text,             \
        .at_least = first, .beyond = then                                                          \
    }
/* Numbers of a table, in doubles. */
#define DOUBLE_86 RANDOM_86 "precision: double\ntarget: y\n"
#define DOUBLES(n, text)                                                                           \
    {                                                                                              \
        .name = n, .suite = GR_SUITE_EVAL, .work = GR_BENCH_RANDOM, .least = 43, .most = 129,      \
        .settings = text, .table = 98304                                                           \
    }
#define RUN(n, what, rules, text, first, then)                                                     \
    {                                                                                              \
        .name = n, .suite = GR_SUITE_GENERATION, .work = GR_BENCH_RUN, .unit = what,               \
        .settings = text, .grammar = rules, .at_least = first, .beyond = then                      \
    }
#define CORE(n, text, first, then)                                                                 \
    {                                                                                              \
        .name = n, .suite = GR_SUITE_CPU, .work = GR_BENCH_RANDOM, .least = 43, .most = 129,       \
        .settings = text, .at_least = first, .beyond = then                                        \
    }
#define PAPER_RUN(n, what, rules, text, figure, where)                                             \
    {                                                                                              \
        .name = n, .suite = GR_SUITE_PAPERS, .work = GR_BENCH_RUN, .unit = what, .settings = text, \
        .grammar = rules, .paper = figure, .source = where                                         \
    }
#define PAPER_EVAL(n, low, high, text, figure, where)                                              \
    {                                                                                              \
        .name = n, .suite = GR_SUITE_PAPERS, .work = GR_BENCH_RANDOM, .least = low, .most = high,  \
        .settings = text, .paper = figure, .source = where                                         \
    }

#define SEARCH_ROW(n, text)                                                                        \
    {                                                                                              \
        .name = n, .suite = GR_SUITE_SEARCH, .work = GR_BENCH_RUN, .unit = GR_UNIT_GENERATION,     \
        .settings = SEARCH "population: " text                                                     \
    }
/* A million genomes, for what goes through all of them in every generation. */
#define GENOMES_ROW(n, text)                                                                       \
    {                                                                                              \
        .name = n, .suite = GR_SUITE_SEARCH, .work = GR_BENCH_RUN, .unit = GR_UNIT_GENERATION,     \
        .settings = POSPICHAL "variables: x0 = linspace(0, 10, 128)\npopulation: 1000000\n"        \
                              "generations: 10\n" text,                                            \
        .grammar = gr_quartic_grammar                                                              \
    }

#define CHITTY_2017 "Chitty 2017, Table 10, whole runs, GeForce GTX 670"
#define LANGDON_2008 "Langdon and Banzhaf 2008, Table 4, GeForce 8800 GTX"
#define GPOCL_2013 "Augusto and Barbosa 2013, Tables 4 and 5, peak, GeForce GTX 285"
#define POSPICHAL_2011 "Pospichal et al. 2011, Table 2, longest run without overhead, GTX 480"

const gr_bench_row gr_bench_rows[] = {
    /* evaluation only */
    EVAL("cheap", 43, 129, RANDOM_86 CHEAP SEXTIC CASES(98304) POPULATION(8192), 14e3, 20e3),
    EVAL("divide", 43, 129, RANDOM_86 DIVIDE FAST SEXTIC CASES(98304) POPULATION(8192), 10e3, 14e3),
    EVAL("divide-exact", 43, 129, RANDOM_86 DIVIDE EXACT SEXTIC CASES(98304) POPULATION(8192), 0,
         0),
    EVAL("sextic-fast", 43, 129,
         RANDOM_86 SEXTIC_SET FAST SEXTIC_HITS CASES(98304) POPULATION(8192), 6e3, 9e3),
    EVAL("sextic-exact", 43, 129,
         RANDOM_86 SEXTIC_SET EXACT SEXTIC_HITS CASES(98304) POPULATION(8192), 2.8e3, 4e3),
    /* the same trees and cases over doubles */
    DOUBLES("cheap-double", DOUBLE_86 CHEAP "metric: mse\n" POPULATION(8192)),
    DOUBLES("divide-double", DOUBLE_86 DIVIDE "metric: mse\n" POPULATION(8192)),
    DOUBLES("sextic-double", DOUBLE_86 SEXTIC_SET HITS POPULATION(8192)),
    /* the same by the interpreter that is not compiled for the run */
    EVAL("41-inputs-general", 43, 129,
         RANDOM_86 CLASSES FAST INPUTS_41 GENERAL CASES(494021) POPULATION(2048), 0, 0),
    EVAL("mackey-glass-general", 1, 15,
         RANDOM "max-nodes: 15\n" DIVIDE FAST INPUTS_8 GENERAL CASES(1280) POPULATION(204800), 0,
         0),
    EVAL("20-multiplexer-general", 43, 129,
         RANDOM_86 GATES GENERAL "boolean: multiplexer-20\n" POPULATION(8192), 0, 0),
    EVAL("cheap-general", 43, 129, RANDOM_86 CHEAP SEXTIC GENERAL CASES(98304) POPULATION(8192), 0,
         0),
    EVAL("divide-general", 43, 129,
         RANDOM_86 DIVIDE FAST SEXTIC GENERAL CASES(98304) POPULATION(8192), 0, 0),
    EVAL("divide-exact-general", 43, 129,
         RANDOM_86 DIVIDE EXACT SEXTIC GENERAL CASES(98304) POPULATION(8192), 0, 0),
    EVAL("sextic-fast-general", 43, 129,
         RANDOM_86 SEXTIC_SET FAST SEXTIC_HITS GENERAL CASES(98304) POPULATION(8192), 0, 0),
    EVAL("sextic-exact-general", 43, 129,
         RANDOM_86 SEXTIC_SET EXACT SEXTIC_HITS GENERAL CASES(98304) POPULATION(8192), 0, 0),
    EVOLVED("sextic-evolved",
            TREE "generations: 30\ntournament: 7\nmax-nodes: 300\n" SEXTIC_SET FAST SEXTIC CASES(
                98304) POPULATION(8192),
            0, 0),
    EVAL("9-inputs", 43, 129,
         RANDOM_86 CHEAP "metric: mse\n" INPUTS_9 CASES(98304) POPULATION(8192), 10e3, 15e3),
    EVAL("9-inputs-sextic", 43, 129,
         RANDOM_86 SEXTIC_SET FAST HITS INPUTS_9 CASES(98304) POPULATION(8192), 5.5e3, 8e3),
    EVAL("41-inputs", 43, 129, RANDOM_86 CLASSES FAST INPUTS_41 CASES(494021) POPULATION(2048), 3e3,
         6e3),
    EVAL("mackey-glass", 1, 15,
         RANDOM "max-nodes: 15\n" DIVIDE FAST INPUTS_8 CASES(1280) POPULATION(204800), 6e3, 9e3),
    /* the same number of nodes in trees of one size, and in trees of which a few are 100 times as
       large as the others: the work must stay balanced */
    EVAL("sizes-equal", 11, 13, UNEVEN DIVIDE FAST SEXTIC CASES(98304) POPULATION(16384), 0, 0),
    {.name = "sizes-100-apart",
     .suite = GR_SUITE_EVAL,
     .work = GR_BENCH_RANDOM,
     .least = 3,
     .most = 3,
     .large = 301,
     .one_in = 32,
     .settings = UNEVEN DIVIDE FAST SEXTIC CASES(98304) POPULATION(16384)},
    EVAL("million", 15, 45, RANDOM_30 SEXTIC_SET FAST SEXTIC_HITS CASES(128) POPULATION(1000000),
         3.5e3, 6e3),
    EVAL("20-multiplexer", 43, 129, RANDOM_86 GATES "boolean: multiplexer-20\n" POPULATION(8192),
         250e3, 500e3),
    EVOLVED("20-multiplexer-evolved",
            TREE "generations: 20\ntournament: 7\nmax-nodes: 300\n" GATES
                 "boolean: multiplexer-20\n" POPULATION(8192),
            250e3, 500e3),

    /* whole runs */
    RUN("tree-1000x1000", GR_UNIT_GENERATION, NULL, CHITTY SEXTIC_SET FAST SEXTIC CASES(1000),
        80e-6, 30e-6),
    RUN("tree-1000x10000", GR_UNIT_GPOPS, NULL, CHITTY SEXTIC_SET FAST SEXTIC CASES(10000), 0, 0),
    RUN("tree-1000x100000", GR_UNIT_GPOPS, NULL, CHITTY SEXTIC_SET FAST SEXTIC CASES(100000), 3.5e3,
        5e3),
    RUN("tree-10000x100000", GR_UNIT_GPOPS, NULL,
        "genotype: tree\npopulation: 10000\ngenerations: 50\ntournament: 7\nelites: 1\n"
        "max-depth: 50\nmax-nodes: 1000\ncrossover-probability: 0.95\nsubtree-mutation: 0.1\n"
        "point-mutation: 0.1\n" SEXTIC_SET FAST SEXTIC CASES(100000),
        4.5e3, 7e3),
    /* breeding beside evaluation on as few cases as these */
    RUN("tree-million", GR_UNIT_GPOPS, NULL, MILLION EXACT, 0, 0),
    RUN("tree-million-fast", GR_UNIT_GPOPS, NULL, MILLION FAST, 0, 0),
    RUN("tree-200000-any-size", GR_UNIT_GPOPS, NULL, ANY_SIZE FAST, 0, 0),
    RUN("mackey-glass-run", GR_UNIT_GPOPS, NULL, MACKEY_GLASS FAST CASES(1280), 2.5e3, 5e3),
    RUN("quartic-1000-runs", GR_UNIT_SECONDS, gr_quartic_grammar,
        POSPICHAL "variables: x0 = linspace(0, 10, 128)\npopulation: 32\nruns: 1000\n"
                  "generations: 100\n",
        0.1, 0.03),

    /* breeding only */
    {.name = "ge-million",
     .suite = GR_SUITE_BREED,
     .work = GR_BENCH_BREED,
     .unit = GR_UNIT_INDIVIDUALS,
     .settings = POSPICHAL "variables: x0 = linspace(0, 10, 16)\npopulation: 1000000\n"
                           "generations: 3\nepoch: 1\n",
     .grammar = gr_quartic_grammar,
     .at_least = 200e6,
     .beyond = 500e6},

    {.name = "ge-million-classes",
     .suite = GR_SUITE_BREED,
     .work = GR_BENCH_BREED,
     .unit = GR_UNIT_INDIVIDUALS,
     .settings =
         LINEAR_GE "initialisation: full\ninit-max-depth: 6\ntarget-expression: x0 * x1 + x8\n"
                   "variables: x0, x1, x2, x3, x4, x5, x6, x7, x8 = uniform(-1, 1)\n"
                   "train-cases: 16\npopulation: 1000000\ngenerations: 1\nepoch: 1\n",
     .grammar = classes,
     .at_least = 50e6,
     .beyond = 200e6},

    /* one CPU core */
    CORE("one-core", RANDOM_86 DIVIDE SEXTIC CASES(98304) POPULATION(256), 8, 15),
    CORE("one-core-sextic", RANDOM_86 SEXTIC_SET SEXTIC_HITS CASES(98304) POPULATION(256), 2, 4),

    /* the papers' shapes */
    PAPER_RUN("chitty-sextic", GR_UNIT_GPOPS, NULL, CHITTY SEXTIC_SET FAST SEXTIC CASES(100000),
              53.193, CHITTY_2017),
    PAPER_RUN("chitty-shuttle", GR_UNIT_GPOPS, NULL,
              CHITTY FAST
              "functions: \"*, /, +, -, >, <, ==, and, or, if\"\nmetric: misclassified\n"
              "target-expression: (a > b) + (c > 0.8)\nconstant-probability: 0.2\n"
              "constant-min: -200\nconstant-max: 200\n"
              "variables: a, b, c, d, e, f, g, h, i = uniform(-1, 1)\n" CASES(58000),
              55.734, CHITTY_2017),
    PAPER_RUN("chitty-kddcup", GR_UNIT_GPOPS, NULL,
              CHITTY FAST "functions: \"+, -, *, /, >, <, ==, and, or, if, sin, cos, log, exp\"\n"
                          "constant-min: -20000\nconstant-max: 20000\n" INPUTS_41 CASES(494021),
              48.811, CHITTY_2017),
    PAPER_RUN("chitty-multiplexer", GR_UNIT_GPOPS, NULL, CHITTY GATES "boolean: multiplexer-20\n",
              1411.185, CHITTY_2017),
    /* Section 6.1 of the report: random programs of 11 nodes on average, at most 15, the series. */
    PAPER_EVAL("langdon-mackey-glass", 7, 15,
               RANDOM "max-nodes: 17\n" DIVIDE FAST SERIES CASES(1200) POPULATION(204800), 0.895,
               LANGDON_2008),
    /* Sizes of odd trees with a mean of 55.4; the paper does not list laser b's eight functions. */
    PAPER_EVAL("langdon-laser-a", 28, 82,
               RANDOM "max-nodes: 83\n" DIVIDE FAST INPUTS_3 CASES(151360) POPULATION(18225), 0.656,
               LANGDON_2008),
    PAPER_EVAL("langdon-laser-b", 25, 74,
               RANDOM "max-nodes: 76\n" SEXTIC_SET FAST HITS INPUTS_9 CASES(376640)
                   POPULATION(5000),
               0.190, LANGDON_2008),
    PAPER_EVAL("gpocl-regression", 50, 50,
               RANDOM "max-nodes: 52\n" FAST "functions: \"+, -, *, /, neg, sin, cos\"\n"
                      "target-expression: a0 * a1 + a2 - a9\n" INPUTS_10 CASES(50000)
                          POPULATION(50000),
               13.08, GPOCL_2013),
    PAPER_EVAL("gpocl-classification", 50, 50,
               RANDOM "max-nodes: 52\n" FAST "functions: \"if, eq, lt, gt, and, or, not\"\n"
                      "target-expression: a0 > a9\n" INPUTS_10 CASES(50000) POPULATION(50000),
               11.85, GPOCL_2013),
    PAPER_RUN("pospichal-performance", GR_UNIT_SECONDS, gr_quartic_grammar,
              POSPICHAL "variables: x0 = linspace(0, 10, 2560)\npopulation: 64\n"
                        "generations: 1000\n",
              1.6, POSPICHAL_2011),

    /* what parts of the search cost beside the first row */
    SEARCH_ROW("search-plain", "10000\n"),
    SEARCH_ROW("constants-elites", "10000\noptimise-constants: elites\n"),
    SEARCH_ROW("constants-all", "10000\noptimise-constants: all\n"),
    SEARCH_ROW("many-plain", "100000\n"),
    SEARCH_ROW("many-once", "100000\nevaluate-once: on\n"),
    SEARCH_ROW("many-remembered", "100000\nfitness-memory: 1000000\n"),
    SEARCH_ROW("lexicase", "100000\nselection: lexicase\n"),
    SEARCH_ROW("epsilon-static", "100000\nselection: epsilon-lexicase\nepsilon: static\n"),
    SEARCH_ROW("epsilon-lexicase", "100000\nselection: epsilon-lexicase\n"),
    SEARCH_ROW("epsilon-dynamic", "10000\nselection: epsilon-lexicase\nepsilon: dynamic\n"),
    SEARCH_ROW("front", "10000\nobjectives: error, nodes\n"),
    {.name = "front-million",
     .suite = GR_SUITE_SEARCH,
     .work = GR_BENCH_RUN,
     .unit = GR_UNIT_GENERATION,
     .settings = FRONT_OF_MANY},
    SEARCH_ROW("islands", "1000\nislands: 10\nmigration-every: 4\n"),
    SEARCH_ROW("parts-together",
               "1000\nislands: 10\nmigration-every: 4\noptimise-constants: elites\n"
               "selection: epsilon-lexicase\nepsilon: static\nevaluate-once: on\n"
               "fitness-memory: 100000\n"),
    SEARCH_ROW("many-diversity", "100000\ndiversity: true\n"),
    GENOMES_ROW("genomes-plain", ""),
    GENOMES_ROW("genomes-diversity", "diversity: true\n"),
};
const int gr_bench_row_count = sizeof gr_bench_rows / sizeof *gr_bench_rows;

/* L1, L2 and L3 on the device: CPU == GPU byte for byte over whole runs; graph == stream; any
 * launch shape; twice the same; alone or inside a batch. The first difference is named. */
#include "tests/differential/lockstep.h"
#include "tests/differential/problems.h"

static int failed, passed;

/* Which problems: every `parts`-th from `part` on, or those with a word in their name or text. */
typedef struct choice {
    int part, parts;
    const char *word;
} choice;

static int is_chosen(choice c, int number) {
    const same_problem *problem = &same_problems[number];
    return c.word ? strstr(problem->name, c.word) || strstr(problem->text, c.word)
                  : number % c.parts == c.part;
}

/* What the sides have of their own: settings, the second a shape of its launches (or NULL); or its
 * handlers are gone to by the table. */
static const char BY_TABLE[] = "table";
typedef struct trial {
    const char *more_a, *more_b, *shape_b;
    uint32_t generations;
} trial;

static void compare(const char *name, const char *text, side a, side b, trial t) {
    int bad = side_open(name, &a, text, t.more_a);
    if (t.shape_b)
        setenv(t.shape_b == BY_TABLE ? "GRAMPUS_JUMPS" : "GRAMPUS_LAUNCH", t.shape_b, 1);
    bad = bad || side_open(name, &b, text, t.more_b);
    unsetenv("GRAMPUS_LAUNCH");
    unsetenv("GRAMPUS_JUMPS");
    bad = bad || lockstep(name, &a, &b, t.generations);
    side_close(&a);
    side_close(&b);
    bad ? failed++ : passed++;
}

/* Two engines with different grammars in one process: one has constant memory, the other reads its
 * tables from global memory, and neither disturbs the other. */
static void compare_beside(const char *name, const char *text, const char *other, int other_first) {
    side a = {.label = "CPU", .backend = &gr_backend_cpu};
    side b = {.label = "GPU beside another grammar", .backend = &gr_backend_cuda}, beside = b;
    int bad = (other_first && side_open(name, &beside, other, "")) ||
              side_open(name, &a, text, "") || side_open(name, &b, text, "") ||
              (!other_first && side_open(name, &beside, other, "")) || side_step(name, &beside) ||
              lockstep(name, &a, &b, 8);
    side_close(&a);
    side_close(&b);
    side_close(&beside);
    bad ? failed++ : passed++;
}

/* So many trees that warps breed several at a time, as many as there are lanes, and more; and some
 * that are larger than what a warp has at a time. */
static void compare_many_trees(side cpu, side gpu) {
    static const char *const text[] = {
        "genotype: tree\nfunctions: \"+, -, *, /, sin, if, neg\"\npopulation: 90000\n"
        "initialisation: ptc2\ninit-min-nodes: 5\ninit-max-nodes: 45\nmax-nodes: 47\n"
        "max-depth: 9\nelites: 5\nsubtree-mutation: 0.2\npoint-mutation: 0.2\n",
        "genotype: tree\nfunctions: \"+, -, *, /\"\npopulation: 250000\nmax-nodes: 15\n"
        "max-depth: 5\ninit-max-depth: 4\nsubtree-mutation-growth: ramped\n"
        "subtree-mutation: 0.2\nconstant-mutation: 0.3\nhoist-mutation: 0.1\n"
        "insert-mutation: 0.3\nmulti-point-mutation: 0.1\n",
        "genotype: tree\nfunctions: \"+, -, *, sin\"\npopulation: 90000\nmax-nodes: 25\n"
        "max-depth: 7\ninit-max-depth: 4\nweighted-inputs: true\n"
        "optimise-constants: share\noptimise-share: 0.01\n",
        "genotype: tree\nfunctions: \"+, -, *, sin, if\"\npopulation: 12000\nmax-nodes: 1000\n"
        "initialisation: ptc2\ninit-min-nodes: 5\ninit-max-nodes: 900\nmax-depth: 60\n"
        "subtree-mutation: 0.3\npoint-mutation: 0.2\ninsert-mutation: 0.2\n"};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        char buffer[1024];
        snprintf(buffer, sizeof buffer,
                 "%stournament: 3\ngenerations: 30\nconstant-probability: 0.3\nmetric: mse\n"
                 "target-expression: x*x - y\nvariables: x, y = uniform(-1, 1)\n"
                 "train-cases: 20\n",
                 text[i]);
        compare("many trees", buffer, cpu, gpu, (trial){"", "", NULL, 12});
        compare("many trees", buffer, gpu, gpu, (trial){"", "", "32,50,0", 12});
    }
}

/* Demes so large that lexicase looks at a row by a block, and has sets of bits in shared memory
 * before it goes on with lists: of a few who are left, and of many who are nearly the same; and so
 * large that they have no place there. And so many cases that nobody keeps which of them each
 * individual does not pass. */
static void compare_large_demes(side cpu, side gpu) {
    static const char *const text[] = {
        "genotype: tree\nfunctions: \"+, -, *, sin\"\npopulation: 9000\nmax-nodes: 30\n"
        "linear-scaling: true\ntrain-cases: 90\nspecialise: always\n",
        "genotype: tree\nfunctions: \"+, -, *, sin\"\npopulation: 20000\nmax-nodes: 30\n"
        "epsilon: static\ntrain-cases: 40\nislands: 2\nmigration-every: 2\n",
        "genotype: tree\nfunctions: \"+, *\"\npopulation: 60000\nmax-nodes: 12\ntrain-cases: 60\n",
        "grammar: grammars/nguyen-2.bnf\npopulation: 8500\nepsilon: static\nruns: 2\n"
        "invalid: excluded\ntrain-cases: 50\n",
        "genotype: tree\nfunctions: \"+, -, *\"\npopulation: 440000\nmax-nodes: 9\n"
        "train-cases: 6\n",
        "genotype: tree\nfunctions: \"+, -, *, sin\"\npopulation: 30000\nmax-nodes: 30\n"
        "selection: lexicase\ntrain-cases: 40\n",
        "genotype: tree\nfunctions: \"+, -, *, sin\"\npopulation: 1000\nmax-nodes: 30\n"
        "epsilon: static\ntrain-cases: 8300\n"};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        char buffer[1024];
        snprintf(buffer, sizeof buffer,
                 "%s%sgenerations: 12\nmetric: mse\ntarget-expression: x*x - y\n"
                 "variables: x, y = uniform(-1, 1)\n",
                 text[i], strstr(text[i], "selection:") ? "" : "selection: epsilon-lexicase\n");
        compare("lexicase of many", buffer, cpu, gpu, (trial){"", "", NULL, 6});
    }
}

/* A table of many rows, of its own for every process: others may run beside it. Columns x, y, z and
 * `more` others. 0 if it cannot be written. */
static int write_table(char *path, int rows, int more) {
    int number = mkstemp(path);
    FILE *file = number < 0 ? NULL : fdopen(number, "w");
    if (!file) {
        failed++;
        perror(path);
        return 0;
    }
    fputs("x,y", file);
    for (int j = 0; j < more; j++)
        fprintf(file, ",v%d", j);
    fputs(",z\n", file);
    for (int k = 0; k < rows; k++) {
        fprintf(file, "%.4f,%d", k * 0.001 - 6, k % 7);
        for (int j = 0; j < more; j++)
            fprintf(file, ",%.3f", (k * (j + 3) % 1009) * 0.002 - 1);
        fprintf(file, ",%d\n", (k * (k % 11) / 3001) % 5);
    }
    fclose(file);
    return 1;
}

/* So many cases, of such operations, that warps go through programs abreast: with a chunk left
 * over, windows of long programs, all kinds of sums, test cases; and the same with every warp on
 * its own, and with four abreast. */
static void compare_abreast(side cpu, side gpu) {
    static const char *const text[] = {
        "functions: \"+, -, *, /, sin, cos, exp, log\"\nmetric: hits\nmax-nodes: 300\n",
        "functions: \"+, -, *, /, sin, cos, exp, log\"\nmetric: rmse\nlinear-scaling: true\n"
        "max-nodes: 60\n",
        "functions: \"+, -, *, /, sqrt, tanh\"\nmetric: max-error\nmax-nodes: 60\ntile: 2\n",
        "functions: \"+, -, *, /, sin\"\nmetric: mae\nmax-nodes: 60\nweights: y\n",
        "functions: \"+, -, *, /, sin\"\nmetric: misclassified\nclass-rule: fitted\nmax-nodes: "
        "60\n",
        "functions: \"+, -, *, /, sin, exp\"\nmetric: hits\ntolerance: 1\nmax-nodes: 60\n"
        "precision: double\n"};
    char table[] = "/tmp/grampus-abreast-XXXXXX";
    if (!write_table(table, 13100, 0))
        return;
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        char buffer[1024];
        snprintf(buffer, sizeof buffer,
                 "%sgenotype: tree\npopulation: 700\ngenerations: 12\nmax-depth: 60\n"
                 "init-max-depth: 8\nconstant-probability: 0.2\nspecialise: always\n"
                 "data: %s\ntarget: z\ntest-rows: \"9000:\"\ntrain-rows: \"0:9000\"\n",
                 text[i], table);
        compare("abreast", buffer, cpu, gpu, (trial){"", "", NULL, 8});
        compare("abreast", buffer, gpu, gpu, (trial){"", "", "32,0,0", 8});
        compare("abreast", buffer, cpu, gpu, (trial){"", "", "32,0,4", 8});
    }
    remove(table);
}

/* Items of few programs, so that a block has many turns: with several items under way, where it
 * meets for each, and by groups of warps; tiles in shared memory and in global memory, of words, of
 * several chunks; samples, outputs that are kept for lexicase, fitted classes, test cases. */
static void compare_items(side cpu, side gpu) {
    static const struct {
        const char *text;
        int more; /* columns */
    } rows[] = {{"functions: \"+, -, *\"\nmetric: mse\n", 0},
                {"functions: \"+, -, *, /, sin\"\nmetric: mae\n", 3},
                {"functions: \"+, -, *, /, sin\"\nmetric: mae\ntile: 2\nwarps: 4\n", 0},
                {"functions: \"+, -, *, /, sin\"\nmetric: rmse\nlinear-scaling: true\n", 60},
                {"functions: \"+, -, *, sin\"\nmetric: misclassified\nclass-rule: fitted\n", 2},
                {"functions: \"+, -, *, sin\"\nmetric: mse\nselection: lexicase\n", 1},
                {"functions: \"+, -, *, sin\"\nmetric: mse\ncase-sampling: random\n"
                 "sample-cases: 3000\n",
                 2}};
    static const char *const launch[] = {"32,3,0", "32,3,0,0", "32,40,0", "32,5,2", "32,5,2,0"};
    enum { ROWS = sizeof rows / sizeof *rows, LAUNCHES = sizeof launch / sizeof *launch };
    const char *tree = "genotype: tree\npopulation: 200\ngenerations: 6\nmax-nodes: 160\n"
                       "max-depth: 60\ninit-max-depth: 7\nconstant-probability: 0.2\n"
                       "specialise: always\n";
    char buffer[1024];
    for (size_t i = 0; i <= ROWS; i++) {
        char table[] = "/tmp/grampus-items-XXXXXX";
        if (i < ROWS && !write_table(table, 6100, rows[i].more))
            return;
        if (i < ROWS)
            snprintf(buffer, sizeof buffer,
                     "%s%sdata: %s\ntarget: z\ntest-rows: \"5000:\"\ntrain-rows: \"0:5000\"\n",
                     rows[i].text, tree, table);
        else
            snprintf(buffer, sizeof buffer, "%sboolean: multiplexer-20\nfunctions: \"%s\"\n", tree,
                     "and, or, nand, nor");
        compare("items", buffer, cpu, gpu, (trial){"", "", NULL, 4});
        for (size_t k = 0; k < LAUNCHES; k++)
            compare("items", buffer, gpu, gpu, (trial){"", "", launch[k], 4});
        if (i < ROWS)
            remove(table);
    }
}

/* Programs that come to a warp's buffer together: short ones, a few long ones among them, more than
 * a buffer holds; of items and of all the population, with programs that need not run, which are
 * drawn too; one input in registers, inputs of the tile, weights. */
static void compare_drawn(side cpu, side gpu) {
    static const char *const rows[] = {
        "functions: \"+, -, *\"\nmax-nodes: 15\ninit-max-depth: 3\n",
        "functions: \"+, -, *, /, sin\"\nmax-nodes: 31\ninit-max-depth: 5\nlinear-scaling: true\n",
        "functions: \"+, -, *, /\"\nmax-nodes: 300\ninit-max-depth: 7\ntournament: 2\n",
        "functions: \"+, -, *, /\"\nmax-nodes: 600\ninit-max-depth: 5\nweighted-inputs: true\n"
        "optimise-constants: elites\nevaluate-once: on\n"};
    static const char *const launch[] = {NULL, "1,4000,0", "1,4000,0,0", "1,300,0"};
    /* cases, population: items of a chunk; of chunks that stay, from which warps draw eight; of so
       many chunks that items of the last are smaller where programs are uneven */
    static const int size[][2] = {{5000, 4000}, {1100, 320000}, {18000, 1500}};
    enum { SIZES = sizeof size / sizeof *size };
    for (size_t i = 0; i < SIZES * sizeof rows / sizeof *rows; i++) {
        char table[] = "/tmp/grampus-drawn-XXXXXX", buffer[1024];
        size_t of = i % SIZES;
        int more = i / SIZES % 2 ? 0 : 2, whole = of == 1;
        if (of == 2 && i / SIZES < 2)
            continue; /* even */
        if (!write_table(table, size[of][0] + 1100, more))
            return;
        snprintf(buffer, sizeof buffer,
                 "%sgenotype: tree\npopulation: %d\ngenerations: 5\nmax-depth: 60\n"
                 "constant-probability: 0.2\nmetric: mse\nspecialise: always\ndata: %s\n"
                 "target: z\ntest-rows: \"%d:\"\ntrain-rows: \"0:%d\"\n",
                 rows[i / SIZES], size[of][1], table, size[of][0], size[of][0]);
        for (size_t k = 0; k < (whole ? 1 : sizeof launch / sizeof *launch); k++)
            compare("drawn", buffer, k ? gpu : cpu, gpu, (trial){"", "", launch[k], whole ? 2 : 4});
        remove(table);
    }
}

/* Few programs, each of which the warps of a block share and load together: of one instruction, and
 * of more than they have room for; on cases for all of the warps, for some, and of several chunks;
 * one input in registers, and inputs of the tile. Then the same by single warps. */
static void compare_shared(side cpu, side gpu) {
    static const char *const rows[] = {
        "functions: \"+, -, *\"\ninitialisation: full\ninit-max-depth: 11\n",
        "functions: \"+, -, *, abs\"\ninit-max-depth: 9\ntournament: 2\n",
        "functions: \"+, *, sin, /\"\ninit-max-depth: 10\nmath: fast\n"};
    static const int cases[] = {129, 300, 512, 513, 800, 1000, 1024, 3000},
                     programs[] = {900, 40, 900, 2, 900, 40, 900, 1};
    enum { ROWS = sizeof rows / sizeof *rows, CASES = sizeof cases / sizeof *cases };
    for (size_t i = 0; i < ROWS * CASES; i++) {
        char table[] = "/tmp/grampus-shared-XXXXXX", buffer[1024];
        const char *row = rows[i % ROWS];
        int few = cases[i / ROWS], fast = strstr(row, "fast") != NULL, all = programs[i % 8];
        if (!write_table(table, few + 200, i % 2 ? 2 : 0))
            return;
        snprintf(buffer, sizeof buffer,
                 "%sgenotype: tree\npopulation: %d\n%sgenerations: 5\nmax-depth: 60\n"
                 "max-nodes: 2100\nconstant-probability: 0.2\nmetric: mse\nspecialise: always\n"
                 "data: %s\ntarget: z\ntest-rows: \"%d:\"\ntrain-rows: \"0:%d\"\n",
                 row, all, all < 3 ? "elites: 0\n" : "", table, few, few);
        if (!fast)
            compare("shared", buffer, cpu, gpu, (trial){"", "", NULL, 4});
        compare("shared", buffer, gpu, gpu, (trial){"", "", "32,9,0", 4});
        remove(table);
    }
}

/* Over doubles, by handlers that jump to each other and by the table: every function that has one,
 * operands and results that are none, or near an end of the range; the tile in shared memory and in
 * global memory; short and long programs, the stack beyond its registers and beyond shared memory;
 * any number of warps abreast. */
static void compare_doubles(side cpu, side gpu) {
    static const struct {
        const char *text;
        int more; /* columns */
    } rows[] = {{"+, -, *, neg, abs, square, cube\"\nmax-nodes: 300\n", 1},
                {"+, -, *, abs\"\nmax-nodes: 100\ntile: 3\n", 1},
                {"-, *, /, pdiv, square, cube\"\nmax-nodes: 60\n", 0},
                {"-, /, pdiv, aq\"\nmax-nodes: 900\ninitialisation: ptc2\n", 60},
                {"+, -, *, /, sin, cos, exp, log\"\nmax-nodes: 60\n", 0},
                {"+, -, *, /, sin, cos, exp, log, cube\"\nmax-nodes: 300\n", 1},
                {"*, -, sqrt, psqrt, plog, rlog, klog, glog, exp\"\nmax-nodes: 90\n", 1},
                {"*, /, exp, log, sin, cube\"\nmax-nodes: 900\ninitialisation: ptc2\n", 60},
                {"+, -, *, exp, sin, sqrt, tanh\"\nmax-nodes: 90\n", 1},
                {"+, -, *, /, exp, sin, log\"\nmax-nodes: 200\ntile: 2\n", 2}};
    static const char *const launch[] = {BY_TABLE, "0,0,0", "0,0,2", "0,0,3", "0,0,4"};
    enum { ROWS = sizeof rows / sizeof *rows, LAUNCHES = sizeof launch / sizeof *launch };
    /* sums that depend on every bit of the outputs, and some that are there beside infinities */
    static const char *const metric[] = {"mae", "hits\ntolerance: 0.5"};
    for (size_t i = 0; i < 2 * ROWS; i++) {
        char table[] = "/tmp/grampus-doubles-XXXXXX", buffer[1024];
        if (!write_table(table, 5200, rows[i / 2].more))
            return;
        snprintf(buffer, sizeof buffer,
                 "precision: double\nfunctions: \"%sgenotype: tree\npopulation: 1500\n"
                 "generations: 12\nmax-depth: 200\ninit-max-depth: 6\nmetric: %s\n"
                 "constant-probability: 0.2\nconstant-min: -40\nconstant-max: 40\n"
                 "data: %s\ntarget: z\ntest-rows: \"4100:\"\ntrain-rows: \"0:4100\"\n",
                 rows[i / 2].text, metric[i % 2], table);
        compare("doubles", buffer, cpu, gpu, (trial){"", "", NULL, 8});
        for (size_t k = 0; k < LAUNCHES; k++)
            compare("doubles", buffer, gpu, gpu, (trial){"", "", launch[k], 8});
        remove(table);
    }
}

/* Every interpreter gives the same bytes: the one for all operations, and those compiled for the
 * run at any width, block and tile; in fast math too. */
static void compare_interpreters(choice c, char *buffer, size_t size) {
    static const char *const chosen[] = {"specialise: always\nwidth: 4\nwarps: 8\n",
                                         "specialise: always\nwidth: 8\ntile: 3\n",
                                         "specialise: always\nwidth: 16\nwarps: 4\ntile: 2\n",
                                         "specialise: always\nwidth: 32\nwarps: 4\n"};
    for (int i = 0; i < SAME_PROBLEMS; i++) {
        const char *text = is_chosen(c, i) ? problem_text(&same_problems[i], buffer, size) : NULL;
        int floats = text && !strstr(text, "precision: double"); /* which have no fast math */
        if (text && strstr(text, "specialise:")) /* kept outputs: by the CPU above */
            continue;
        for (int fast = 0; text && fast < 1 + floats; fast++) {
            const char *math = fast ? "math: fast\n" : "";
            char general[64], special[128];
            snprintf(general, sizeof general, "specialise: never\n%s", math);
            for (size_t k = 0; k < sizeof chosen / sizeof *chosen; k++) {
                side a = {.label = "for all operations", .backend = &gr_backend_cuda};
                side b = {.label = chosen[k], .backend = &gr_backend_cuda};
                snprintf(special, sizeof special, "%s%s", chosen[k], math);
                compare(same_problems[i].name, text, a, b, (trial){general, special, NULL, 6});
            }
            side table = {.label = "by table", .backend = &gr_backend_cuda}, direct = table;
            direct.label = "as it comes";
            snprintf(special, sizeof special, "specialise: always\n%s", math);
            compare(same_problems[i].name, text, direct, table,
                    (trial){special, special, BY_TABLE, 6});
        }
    }
}

/* same_gpu [PART PARTS]: every PARTS-th problem from PART on, and the rest by part 0; parts may run
 * side by side. same_gpu WORD: the problems with the word in their name or text, by one
 * interpreter, and no more. */
int main(int count, char **argument) {
    char buffer[4096];
    const choice c = {count == 3 ? atoi(argument[1]) : 0, count == 3 ? atoi(argument[2]) : 1,
                      count == 2 ? argument[1] : NULL};
    const side cpu = {.label = "CPU", .backend = &gr_backend_cpu},
               gpu = {.label = "GPU", .backend = &gr_backend_cuda};
    side graph = gpu, stream = gpu, narrow = gpu, wide = gpu, some = gpu, again = gpu, batch = gpu,
         once = gpu;
    once.label = "every program once";
    graph.label = "graph", stream.label = "stream", again.label = "again";
    narrow.label = "a thread an individual", wide.label = "a warp an individual";
    some.label = "four lanes a genome"; /* trees: as they would be */
    batch.label = "run 3 of a batch", batch.run = 3;
    for (int i = 0; i < SAME_PROBLEMS; i++) {
        const char *name = same_problems[i].name,
                   *text = problem_text(&same_problems[i], buffer, sizeof buffer);
        if (!is_chosen(c, i))
            continue;
        if (!text) {
            printf("skip %s: no real data beside the repository\n", name);
            continue;
        }
        compare(name, text, cpu, gpu, (trial){"", "", NULL, 30});
        compare(name, text, graph, stream, (trial){"", "graph: false\n", NULL, 10});
        compare(name, text, gpu, narrow, (trial){"", "", "1,3,1", 10});
        compare(name, text, gpu, wide, (trial){"", "", "32,50,0", 10});
        compare(name, text, gpu, some, (trial){"", "", "4,9,0", 10});
        compare(name, text, gpu, again, (trial){"", "", NULL, 10});
        if (!same_problems[i].shared && !strstr(text, "class-rule: fitted") &&
            !strstr(text, "objectives:") && !strstr(text, "nsga2")) {
            const char *on = "evaluate-once: on\nfitness-memory: 100\n";
            compare(name, text, cpu, once, (trial){"evaluate-once: off\n", on, NULL, 20});
            compare(name, text, gpu, once, (trial){"", "evaluate-once: on\n", "1,3,1", 10});
        }
        if (!strstr(text, "runs:") && !same_problems[i].shared)
            compare(name, text, batch, gpu, (trial){"runs: 5\nseed: 7\n", "seed: 10\n", NULL, 10});
    }
    if (!c.word)
        compare_interpreters(c, buffer, sizeof buffer);
    if (c.part == 0 && !c.word)
        compare_many_trees(cpu, gpu);
    if (c.word ? strstr("lexicase of many", c.word) != NULL : c.part + 1 == c.parts)
        compare_large_demes(cpu, gpu);
    if (c.word ? strstr("abreast", c.word) != NULL : c.part == c.parts / 2)
        compare_abreast(cpu, gpu);
    if (c.word ? strstr("doubles", c.word) != NULL : c.part == 3 * c.parts / 4)
        compare_doubles(cpu, gpu);
    if (c.word ? strstr("items", c.word) != NULL : c.part == c.parts / 3)
        compare_items(cpu, gpu);
    if (c.word ? strstr("drawn", c.word) != NULL : c.part == 2 * c.parts / 3)
        compare_drawn(cpu, gpu);
    if (c.word ? strstr("shared", c.word) != NULL : c.part == c.parts / 4)
        compare_shared(cpu, gpu);
    for (int first = 0; c.part == 0 && !c.word && first < 2; first++)
        compare_beside(same_problems[0].name, same_problems[0].text, same_problems[1].text, first);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}

/* Any bytes as given programs: a file of lines, or an individual of PonyGE2 in a folder, of a run
 * on trees or on genomes (the first byte chooses). What is taken keeps the run's limits and means
 * something. */
#include "tests/fuzz/files.h"

#include "gpu/core/program/expression.h"
#include "host/derivation/phenotype.h"
#include "host/problem/job.h"

#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition) {
    if (!condition)
        abort();
}

static char folder[64];

static void remove_folder(void) {
    char path[128];
    snprintf(path, sizeof path, "%s/individuals/1.txt", folder);
    unlink(path);
    snprintf(path, sizeof path, "%s/individuals", folder);
    rmdir(path);
    snprintf(path, sizeof path, "%s/g.bnf", folder);
    unlink(path);
    rmdir(folder);
}

static void write_file(const char *name, const void *bytes, size_t size) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    require(file && (!size || fwrite(bytes, 1, size, file) == size));
    fclose(file);
}

static void make_folder(void) {
    static const char grammar[] = "<e> ::= <e>+<e> | <e>*<e> | <v>\n<v> ::= x | y\n";
    char path[128];
    snprintf(folder, sizeof folder, "/tmp/grampus-fuzz-XXXXXX");
    require(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/individuals", folder);
    require(mkdir(path, 0700) == 0);
    write_file("g.bnf", grammar, sizeof grammar - 1);
    atexit(remove_folder);
}

static void set(gr_settings *s, const char *key, const char *value) {
    gr_error error;
    require(gr_settings_set(s, key, value, &error) == GR_OK);
}

static void check(const gr_problem *problem) {
    const gr_params *p = &problem->job.params;
    if (!p->seeds) /* comments alone */
        return;
    require(problem->job.seed_first[0] == 0);
    require(problem->job.seed_first[p->seeds] == p->seed_nodes);
    for (uint32_t k = 0; k < p->seeds; k++) {
        const gr_node *seed = problem->job.seeds + problem->job.seed_first[k];
        uint32_t n = problem->job.seed_first[k + 1] - problem->job.seed_first[k], *codons = NULL;
        gr_phenotype phenotype;
        gr_error error;
        require(n > 0);
        if (p->genotype == GR_TREE) {
            require(n <= p->max_nodes && GR_NODE_SIZE(seed[n - 1]) == n);
            require(GR_NODE_HEIGHT(seed[n - 1]) <= p->max_tree_depth);
            continue;
        }
        require(n <= p->genome_capacity && (codons = malloc(n * sizeof *codons)));
        for (uint32_t i = 0; i < n; i++)
            codons[i] = seed[i].head;
        const gr_reading reading = gr_reading_of(p);
        require(gr_derive_phenotype_by(problem->grammar, &reading, codons, n, &phenotype, &error) ==
                GR_OK);
        require(phenotype.validity == GR_VALID);
        gr_phenotype_free(&phenotype);
        free(codons);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    gr_settings s;
    gr_problem problem;
    gr_error error = {GR_OK, ""};
    char path[128];
    int file = -1, tree;
    if (!size)
        return 0;
    if (!*folder)
        make_folder();
    tree = *data & 1;
    if (*data & 2) {
        write_file("individuals/1.txt", data + 1, size - 1);
        snprintf(path, sizeof path, "%s/individuals", folder);
    } else
        file = make_file(data + 1, size - 1, path);
    require(gr_settings_init(&s, &error) == GR_OK);
    set(&s, "target-expression", "x");
    set(&s, "variables", "x, y = uniform(0, 1)");
    set(&s, "train-cases", "3");
    set(&s, "population", "20");
    set(&s, "max-depth", "12");
    set(&s, "seeds", path);
    snprintf(path, sizeof path, "%s/g.bnf", folder);
    set(&s, tree ? "genotype" : "grammar", tree ? "tree" : path);
    require(gr_settings_resolve(&s, &error) == GR_OK);
    gr_status status = gr_problem_make(&s, &problem, &error);
    require(status == GR_OK || (status == GR_BAD_INPUT && error.text[0]));
    require(!strchr(error.text, '\n'));
    if (!status)
        check(&problem);
    gr_problem_free(&problem);
    gr_settings_free(&s);
    if (file >= 0)
        close(file);
    return 0;
}

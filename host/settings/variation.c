#include "host/settings/variation.h"

#include "gpu/core/variation/branch.h"
#include "host/base/sort.h"
#include "host/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_SIDE = 65535 }; /* of a torus, as settings.def has it */

static bool is_set(const gr_settings *s, gr_key key) {
    return s->origin[key].from != GR_FROM_DEFAULT;
}

static void fill_u32(uint32_t *field, uint64_t value) {
    if (*field == GR_AUTO)
        *field = (uint32_t)value;
}

/* ---- autos ---- */

static void fill_torus(gr_settings *s) {
    uint64_t cells = (uint64_t)s->deme_width * s->deme_height;
    if (s->deme_width != GR_AUTO && s->deme_height != GR_AUTO && !is_set(s, GR_KEY_population) &&
        cells <= UINT32_MAX)
        s->population = (uint32_t)cells;
    if (s->deme_height != GR_AUTO)
        fill_u32(&s->deme_width, s->population / s->deme_height);
    if (s->deme_width != GR_AUTO && s->deme_width)
        fill_u32(&s->deme_height, s->population / s->deme_width);
    fill_u32(&s->elites, 0);
}

/* Trees have subtree mutation, genomes where it is asked for; there new branches may be as deep as
 * the whole, as PonyGE2's. */
static void fill_branches(gr_settings *s) {
    uint32_t tree = s->genotype == GR_TREE;
    if (isnan(s->subtree_mutation))
        s->subtree_mutation = tree ? 0.1 : 0.0;
    fill_u32(&s->subtree_mutation_depth, tree ? 4 : s->max_depth);
}

void gr_fill_variation(gr_settings *s) {
    static const double strength[] = {[GR_PARSIMONY_COEFFICIENT] = 0.001,
                                      [GR_PARSIMONY_TARPEIAN] = 0.3,
                                      [GR_PARSIMONY_DOUBLE_TOURNAMENT] = 1.4};
    if (s->topology == GR_TOPOLOGY_TORUS)
        fill_torus(s);
    if (s->genotype == GR_TREE &&
        (s->initialisation == GR_INIT_PTC2 || s->initialisation == GR_INIT_SIZED))
        fill_u32(&s->init_max_depth, gr_min_u32(s->max_depth, GR_MAX_INIT_DEPTH));
    fill_u32(&s->init_max_nodes, gr_max_u32(gr_min_u32(50, s->max_nodes),
                                            s->init_min_nodes == GR_AUTO ? 1 : s->init_min_nodes));
    fill_u32(&s->init_min_nodes, 1);
    if (isnan(s->parsimony_strength))
        s->parsimony_strength = strength[s->parsimony];
    fill_u32(&s->constant_creep, *s->constants ? GR_CREEP_TABLE : GR_CREEP_GAUSSIAN);
    fill_branches(s);
    if (*s->operators) { /* the mutations' own probabilities then mean nothing */
        if (!is_set(s, GR_KEY_point_mutation))
            s->point_mutation = 0;
        if (!is_set(s, GR_KEY_subtree_mutation))
            s->subtree_mutation = 0;
    }
}

/* ---- lists ---- */

/* Takes `word` and blanks behind it. */
static bool take(const char **at, const char *word) {
    *at += strspn(*at, " ");
    size_t n = strlen(word);
    if (strncmp(*at, word, n) != 0)
        return false;
    *at += n + strspn(*at + n, " ");
    return true;
}

static bool take_number(const char **at, double *value) {
    char *end;
    *value = gr_text_double(*at, &end);
    bool good = end != *at && fabs(*value) <= 1e30;
    *at = end + strspn(end, " ");
    return good;
}

static void add_constant(gr_constants *c, double value) {
    if (c->count == GR_MAX_CONSTANTS)
        c->full = true;
    else
        c->value[c->count++] = (float)value + 0.0f; /* no -0 beside 0 */
}

/* "tangent(n, half)": n values of which half stand in -half..half (Langdon 2007). */
static bool take_tangent(const char **at, gr_constants *c) {
    double n, half;
    if (!take_number(at, &n) || !take(at, ",") || !take_number(at, &half) || !take(at, ")") ||
        !(n >= 1 && n <= GR_MAX_CONSTANTS && n == floor(n) && half > 0))
        return false;
    for (double i = 0; i < n; i++)
        add_constant(c, half * tan(M_PI * ((i + 0.5) / n - 0.5)));
    return true;
}

/* "1.5", "0:1.27:0.01", or of Boolean trees "True" */
static bool take_values(const char **at, gr_constants *c) {
    double from, to, step;
    bool is_true = take(at, "True");
    if (is_true || take(at, "False")) {
        add_constant(c, is_true);
        return true;
    }
    if (!take_number(at, &from))
        return false;
    if (!take(at, ":")) {
        add_constant(c, from);
        return true;
    }
    if (!take_number(at, &to) || !take(at, ":") || !take_number(at, &step) || !(step > 0) ||
        !(from <= to))
        return false;
    for (double i = 0; from + i * step <= to + 1e-6 * step && !c->full; i++)
        add_constant(c, from + i * step);
    return true;
}

/* Whether an item has a number beyond the limits. */
static bool is_beyond(const char *item, double *number) {
    char *end;
    for (bool inside = false; *item && (*item != ',' || inside); item++) {
        inside |= *item == '(';
        *number = gr_text_double(item, &end);
        if (end > item && fabs(*number) > 1e30)
            return true;
        if (end > item)
            item = end - 1;
    }
    return false;
}

gr_status gr_settings_constants(const gr_settings *s, gr_constants *c, gr_error *error) {
    const char *at = s->constants;
    gr_constants list = {{0}, 0, 0, false};
    bool good = true;
    const char *item = at; /* which is shown as a whole: where a number ends says little */
    for (bool more = *at != '\0'; good && more; more = take(&at, ",")) {
        item = at;
        if (take(&at, "ephemeral"))
            list.ephemeral = 1;
        else
            good = take(&at, "tangent(") ? take_tangent(&at, &list) : take_values(&at, &list);
    }
    double number;
    if (!good && is_beyond(item, &number))
        return gr_settings_fail(s, GR_KEY_constants, error,
                                "constants has the number %g; expected numbers from -1e+30 to "
                                "1e+30",
                                number);
    if (!good || *at)
        return gr_settings_fail(s, GR_KEY_constants, error,
                                "cannot read constants at '%.*s'; expected e.g. \"0:1.27:0.01\", "
                                "\"1, -1, ephemeral\" or \"tangent(128, 10)\"",
                                GR_CUT(good ? at : item, 30));
    if (list.full)
        return gr_settings_fail(s, GR_KEY_constants, error,
                                "more than %d constants; expected at most that many",
                                GR_MAX_CONSTANTS);
    gr_sort_floats(list.value, list.count);
    c->count = 0;
    for (uint32_t i = 0; i < list.count; i++) /* each once */
        if (i == 0 || list.value[i] != list.value[i - 1])
            c->value[c->count++] = list.value[i];
    c->ephemeral = list.ephemeral;
    return GR_OK;
}

gr_status gr_settings_operators(const gr_settings *s, double share[GR_MUTATIONS], double *crossover,
                                gr_error *error) {
    static const char *const names[] = {
        "crossover",
        "copy",
#define GR_MUTATION(id, word, field, plain, grows, edit, help) word,
#include "gpu/core/base/mutations.def"
    };
    const char *at = s->operators;
    double copies = 0, sum = 0;
    *crossover = 0;
    memset(share, 0, GR_MUTATIONS * sizeof *share);
    for (bool more = *at != '\0'; more; more = take(&at, ",")) {
        double *into = NULL;
        for (uint32_t k = 0; !into && k < sizeof names / sizeof *names; k++)
            if (take(&at, names[k]))
                into = k == 0 ? crossover : k == 1 ? &copies : &share[k - 2];
        if (!into || *into != 0 || !take_number(&at, into) || !(*into >= 0)) {
            char all[128];
            gr_text_list(names, sizeof names / sizeof *names, all, sizeof all);
            return gr_settings_fail(s, GR_KEY_operators, error,
                                    "cannot read operators at '%.*s'; expected %s, once each, "
                                    "with a probability",
                                    GR_CUT(at, 30), all);
        }
    }
    for (uint32_t k = 0; k < GR_MUTATIONS; k++)
        sum += share[k];
    if (*at)
        return gr_settings_fail(s, GR_KEY_operators, error,
                                "operators ends in '%.*s'; expected ','", GR_CUT(at, 30));
    if (sum + copies + *crossover > 1.0 + 1e-9)
        return gr_settings_fail(s, GR_KEY_operators, error, "operators add up to more than 1");
    return GR_OK;
}

/* ---- checks ---- */

/* Settings of trees in a run of genomes. */
static gr_status check_trees_only(const gr_settings *s, gr_error *error) {
    const struct {
        gr_key key;
        bool used;
    } of_trees[] = {
        {GR_KEY_constants, *s->constants != 0},
        {GR_KEY_operators, *s->operators != 0},
        {GR_KEY_function_points, !isnan(s->function_points)},
        {GR_KEY_subtree_mutation_growth, s->subtree_mutation_growth == GR_GROWTH_RAMPED},
#define GR_MUTATION(id, word, field, plain, grows, edit, help)                                     \
    {GR_KEY_##field, !(plain) && s->field > 0},
#include "gpu/core/base/mutations.def"
    };
    for (size_t i = 0; s->genotype != GR_TREE && i < sizeof of_trees / sizeof *of_trees; i++)
        if (of_trees[i].used)
            return gr_settings_fail(s, of_trees[i].key, error,
                                    "it works on trees; expected genotype tree");
    return GR_OK;
}

static bool is_read_depth_first(const gr_settings *s) {
    return s->genotype == GR_GRAMMATICAL && s->mapping == GR_MAPPING_DEPTH_FIRST;
}

/* The setting by which genomes exchange or mutate branches of their derivations, if they do. */
static gr_key branch_operator(const gr_settings *s) {
    if (s->crossover == GR_CROSSOVER_SUBTREE)
        return GR_KEY_crossover;
#define GR_CODON_MUTATION(id, word, field, genotypes, mapping, part, asked, step, help)            \
    if (GR_MAPS_##mapping == GR_MAPS_DEPTH_FIRST && s->field > 0)                                  \
        return GR_KEY_##field;
#include "gpu/core/base/genome_mutations.def"
    return GR_KEY_COUNT;
}

/* Operators on branches of genomes, and what becomes of invalid individuals. */
static gr_status check_genomes(const gr_settings *s, gr_error *error) {
    bool tree = s->genotype == GR_TREE;
    gr_key branches = tree ? GR_KEY_COUNT : branch_operator(s);
    if (tree && s->subtree_mutation_depth > GR_MAX_INIT_DEPTH)
        return gr_settings_fail(s, GR_KEY_subtree_mutation_depth, error,
                                "subtree-mutation-depth %u for trees; expected at most %d",
                                s->subtree_mutation_depth, GR_MAX_INIT_DEPTH);
    if (branches != GR_KEY_COUNT && s->max_depth > GR_MAX_BRANCH_HEIGHT)
        return gr_settings_fail(s, branches, error,
                                "operators on subtrees of derivations of up to max-depth %u; "
                                "expected at most %d",
                                s->max_depth, GR_MAX_BRANCH_HEIGHT);
    if (branches != GR_KEY_COUNT && !is_read_depth_first(s))
        return gr_settings_fail(
            s, branches, error, "a subtree is no run of %s; expected %s, or %s",
            s->genotype == GR_GENOTYPE_STRUCTURED ? "genes in genotype structured"
                                                  : "codons under mapping pi",
            branches == GR_KEY_crossover ? "another crossover" : "0",
            s->genotype == GR_GENOTYPE_STRUCTURED ? "genotype grammar" : "mapping depth-first");
    if (tree && s->invalid != GR_INVALID_WORST)
        return gr_settings_fail(s, GR_KEY_invalid, error,
                                "trees are always valid; expected worst, or genotype grammar");
    if (s->topology == GR_TOPOLOGY_TORUS && s->invalid == GR_INVALID_EXCLUDED)
        return gr_settings_fail(s, GR_KEY_invalid, error,
                                "on a torus neighbours are compared; expected invalid worst or "
                                "redrawn");
    return GR_OK;
}

uint64_t gr_settings_steps(const gr_settings *settings) {
    uint64_t children = gr_max_u32(settings->children_per_step, 1);
    return settings->replacement == GR_REPLACE_WORST
               ? (settings->population + children - 1) / children
               : 1;
}

static gr_status check_replacement(const gr_settings *s, gr_error *error) {
    if (s->replacement != GR_REPLACE_WORST)
        return GR_OK;
    if (s->topology == GR_TOPOLOGY_TORUS)
        return gr_settings_fail(s, GR_KEY_replacement, error,
                                "a steady state on a torus, where everybody has its place; "
                                "expected generational");
    if (s->children_per_step > s->population)
        return gr_settings_fail(s, GR_KEY_children_per_step, error,
                                "%u children a step in a population of %u; expected at most that "
                                "many",
                                s->children_per_step, s->population);
    if (s->elites != s->population - s->children_per_step)
        return gr_settings_fail(s, GR_KEY_elites, error,
                                "%u elites in a steady state, where all but children-per-step "
                                "stay; expected none to be given",
                                s->elites);
    uint64_t steps = gr_settings_steps(s);
    if (steps * s->generations >= 1u << 30)
        return gr_settings_fail(s, GR_KEY_generations, error,
                                "%u generations of %llu steps; expected fewer than 2^30 steps in "
                                "all",
                                s->generations, (unsigned long long)steps);
    return GR_OK;
}

/* Both sides are as the key has them, also the one that follows from the other: a run that is
 * resumed reads both. */
static gr_status check_sides(const gr_settings *s, gr_error *error) {
    int wide = is_set(s, GR_KEY_deme_width), high = is_set(s, GR_KEY_deme_height);
    uint32_t given = wide ? s->deme_width : s->deme_height;
    uint32_t other = wide ? s->deme_height : s->deme_width;
    int is_product = (uint64_t)s->deme_width * s->deme_height == s->population;
    if (is_product && other >= 2 && other <= LONGEST_SIDE)
        return GR_OK;
    if (wide && high)
        return gr_settings_fail(s, GR_KEY_deme_width, error,
                                "a torus of %u x %u for a population of %u; expected their product",
                                s->deme_width, s->deme_height, s->population);
    return gr_settings_fail(s, wide ? GR_KEY_deme_width : GR_KEY_deme_height, error,
                            "deme-%s %u in a population of %u; expected a number that divides it "
                            "into 2 to %d %s",
                            wide ? "width" : "height", given, s->population, LONGEST_SIDE,
                            wide ? "rows" : "columns");
}

static gr_status check_torus(const gr_settings *s, gr_error *error) {
    if (s->topology != GR_TOPOLOGY_TORUS)
        return GR_OK;
    if (s->deme_width == GR_AUTO || s->deme_height == GR_AUTO)
        return gr_settings_fail(s, GR_KEY_topology, error,
                                "topology torus without its size; expected deme-width or "
                                "deme-height");
    gr_status status = check_sides(s, error);
    if (status)
        return status;
    if (s->elites)
        return gr_settings_fail(s, GR_KEY_elites, error,
                                "elites on a torus, where everybody has its place; expected 0");
    if (s->selection != GR_SELECT_TOURNAMENT || s->parsimony == GR_PARSIMONY_DOUBLE_TOURNAMENT)
        return gr_settings_fail(s, GR_KEY_topology, error,
                                "on a torus neighbours are compared; expected selection "
                                "tournament, and no double tournament");
    return GR_OK;
}

static gr_status check_operators(const gr_settings *s, gr_error *error) {
    const struct {
        gr_key key;
        double value;
    } own[] = {
#define GR_MUTATION(id, word, field, plain, grows, edit, help) {GR_KEY_##field, s->field},
#include "gpu/core/base/mutations.def"
    };
    double share[GR_MUTATIONS], crossover;
    gr_status status = gr_settings_operators(s, share, &crossover, error);
    for (size_t i = 0; !status && *s->operators && i < sizeof own / sizeof *own; i++)
        if (own[i].value > 0)
            return gr_settings_fail(s, own[i].key, error,
                                    "a probability of its own beside operators; expected one of "
                                    "them");
    return status;
}

static gr_status check_constants(const gr_settings *s, gr_error *error) {
    gr_constants list;
    gr_status status = gr_settings_constants(s, &list, error);
    if (!status && *s->constants && !(s->constant_probability > 0))
        return gr_settings_fail(s, GR_KEY_constants, error,
                                "constants that no leaf is; expected constant-probability, as in "
                                "0.5");
    return status;
}

static gr_status check_selection(const gr_settings *s, gr_error *error) {
    if (s->selection != GR_SELECT_TOURNAMENT && s->parsimony == GR_PARSIMONY_DOUBLE_TOURNAMENT)
        return gr_settings_fail(s, GR_KEY_parsimony, error,
                                "a double tournament without tournaments; expected selection "
                                "tournament");
    if (s->parsimony == GR_PARSIMONY_DOUBLE_TOURNAMENT &&
        !(s->parsimony_strength >= 1 && s->parsimony_strength <= 2))
        return gr_settings_fail(s, GR_KEY_parsimony_strength, error,
                                "double tournament of size %g; expected 1 to 2",
                                s->parsimony_strength);
    if (s->parsimony == GR_PARSIMONY_TARPEIAN && !(s->parsimony_strength <= 1))
        return gr_settings_fail(s, GR_KEY_parsimony_strength, error,
                                "tarpeian with probability %g; expected 0 to 1",
                                s->parsimony_strength);
    return GR_OK;
}

uint32_t gr_settings_migrants(const gr_settings *s) {
    double size = s->migration_size, n = size < 1 ? floor(size * s->population) : floor(size);
    if (s->islands == 1 || !s->migration_every || !(size > 0))
        return 0;
    return n < 1 ? 1 : (uint32_t)n;
}

uint32_t gr_settings_columns(uint32_t islands) {
    uint32_t columns = 1;
    for (uint32_t k = 2; k * k <= islands; k++)
        if (islands % k == 0)
            columns = k;
    return columns;
}

/* Changing samples and counts of words know no lasting best. */
static gr_status check_search(const gr_settings *s, gr_error *error) {
    bool changing = s->case_sampling != GR_SAMPLING_NONE && s->case_sampling != GR_SAMPLING_FIXED;
    if (s->restart_after != GR_AUTO && s->dump_every)
        return gr_settings_fail(s, GR_KEY_dump_every, error,
                                "dump-every beside restart-after, which draws a population anew "
                                "before it can be written; expected one of them");
    if (s->restart_after != GR_AUTO && changing)
        return gr_settings_fail(s, GR_KEY_restart_after, error,
                                "restart-after beside samples that change, on which no best lasts; "
                                "expected case-sampling none or fixed");
    if (!(s->validation_fraction > 0))
        return GR_OK;
    if (s->validation_fraction >= 1)
        return gr_settings_fail(s, GR_KEY_validation_fraction, error,
                                "validation-fraction 1 leaves nothing to train on; expected less");
    if (*s->boolean || s->case_sampling != GR_SAMPLING_NONE || s->class_rule == GR_CLASS_FITTED)
        return gr_settings_fail(s, GR_KEY_validation_fraction, error,
                                "validation-fraction beside %s; expected one of them",
                                *s->boolean                            ? "a truth table"
                                : s->case_sampling != GR_SAMPLING_NONE ? "case-sampling"
                                                                       : "class-rule fitted");
    return GR_OK;
}

static gr_status check_lexicase(const gr_settings *s, gr_error *error) {
    if (s->selection != GR_SELECT_LEXICASE && s->selection != GR_SELECT_EPSILON_LEXICASE)
        return GR_OK;
    if (s->parsimony != GR_PARSIMONY_NONE)
        return gr_settings_fail(s, GR_KEY_parsimony, error,
                                "parsimony weighs costs, lexicase looks at cases; expected none");
    if (s->class_rule == GR_CLASS_FITTED)
        return gr_settings_fail(s, GR_KEY_selection, error,
                                "lexicase beside class-rule fitted, which counts cases; expected "
                                "another class-rule");
    return GR_OK;
}

static gr_status check_islands(const gr_settings *s, gr_error *error) {
    uint32_t migrants = gr_settings_migrants(s);
    if (migrants >= s->population)
        return gr_settings_fail(
            s, is_set(s, GR_KEY_migration_size) ? GR_KEY_migration_size : GR_KEY_islands, error,
            "%u migrant%s of a population of %u, whose best stays; expected "
            "fewer, or migration-every: 0",
            migrants, gr_s(migrants), s->population);
    if (migrants && s->migration_topology == GR_ROUTES_TORUS &&
        gr_settings_columns(s->islands) == 1)
        return gr_settings_fail(s, GR_KEY_migration_topology, error,
                                "%u islands are no torus; expected a product, as 4, 6, 8 or 9",
                                s->islands);
    return GR_OK;
}

static gr_status check_sampling(const gr_settings *s, gr_error *error) {
    if (s->stagnation != GR_AUTO && s->case_sampling != GR_SAMPLING_NONE &&
        s->case_sampling != GR_SAMPLING_FIXED)
        return gr_settings_fail(s, GR_KEY_stagnation, error,
                                "stagnation beside samples that change, on which no best lasts; "
                                "expected case-sampling none or fixed");
    if (s->case_sampling == GR_SAMPLING_NONE)
        return s->sample_cases ? gr_settings_fail(s, GR_KEY_sample_cases, error,
                                                  "sample-cases without case-sampling; expected "
                                                  "random, rotating or fixed")
                               : GR_OK;
    if (!s->sample_cases)
        return gr_settings_fail(s, GR_KEY_case_sampling, error,
                                "case-sampling without sample-cases; expected their number");
    if (s->linear_scaling || s->metric == GR_METRIC_R2)
        return gr_settings_fail(s, GR_KEY_case_sampling, error,
                                "case-sampling with a metric that knows the whole target; expected "
                                "another metric");
    if (*s->boolean && s->sample_cases % 32)
        return gr_settings_fail(s, GR_KEY_sample_cases, error,
                                "samples of %u case%s of a truth table; expected a multiple of 32, "
                                "the cases of a word",
                                s->sample_cases, gr_s(s->sample_cases));
    return GR_OK;
}

/* Who is in the archive is compared with whom generations later. */
static gr_status check_archive(const gr_settings *s, gr_error *error) {
    const struct {
        bool used;
        const char *what;
    } apart[] = {
        {s->topology == GR_TOPOLOGY_TORUS, "a torus, where neighbours are the parents"},
        {s->replacement == GR_REPLACE_WORST,
         "a steady state, where the best stay parents as it is"},
        {s->case_sampling != GR_SAMPLING_NONE,
         "case-sampling, where errors of other generations do not compare"},
        {s->class_rule == GR_CLASS_FITTED,
         "class-rule fitted, whose thresholds are not part of a program"},
    };
    for (size_t k = 0; s->archive != GR_ARCHIVE_NONE && k < sizeof apart / sizeof *apart; k++)
        if (apart[k].used)
            return gr_settings_fail(s, GR_KEY_archive, error,
                                    "an archive beside %s; expected one of them", apart[k].what);
    return GR_OK;
}

gr_status gr_check_variation(const gr_settings *s, gr_error *error) {
    static gr_status (*const checks[])(const gr_settings *, gr_error *) = {
        check_trees_only, check_genomes,   check_replacement, check_torus,
        check_operators,  check_constants, check_selection,   check_sampling,
        check_islands,    check_search,    check_lexicase,    check_archive};
    gr_status status = GR_OK;
    for (size_t i = 0; !status && i < sizeof checks / sizeof *checks; i++)
        status = checks[i](s, error);
    if (status == GR_OK &&
        (s->init_min_nodes > s->init_max_nodes || s->init_max_nodes > gr_max_u32(s->max_nodes, 1)))
        return gr_settings_fail(s, GR_KEY_init_max_nodes, error,
                                "first trees of %u to %u nodes; expected rising numbers up to "
                                "max-nodes %u",
                                s->init_min_nodes, s->init_max_nodes, s->max_nodes);
    return status;
}

#include "tuner.h"

#include "core/codon_value.h"
#include "core/expression.h"
#include "core/fitness.h"
#include "core/grammar.h"
#include "core/linear.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Operations a run can meet: a tree's function set, or what the grammar's tokens name. */
static void choose_operations(const gr_job *job, gr_machine *m) {
    const gr_params *p = &job->params;
    const uint32_t *g = job->grammar;
    for (uint32_t k = 0; p->genotype == GR_TREE && k < p->functions; k++)
        m->uses[p->function[k]] = 1;
    for (uint32_t k = 0; p->genotype != GR_TREE && k < g[GR_G_TOKENS]; k++) {
        uint32_t kind = GR_TOKEN_KIND(gr_token_word(g, k, 0)), operand = gr_token_word(g, k, 1);
        if (kind == GR_T_FUNCTION)
            m->uses[operand] = 1;
        else if (kind == GR_T_OPERATOR) {
            uint32_t unary = (operand >> 8) & 0xffu;
            m->uses[operand & 0xffu] = 1;
            if (unary < GR_OP_COUNT)
                m->uses[unary] = 1;
        } else if (kind == GR_T_IF)
            m->uses[GR_IF] = 1;
        else if (kind == GR_T_CODON && operand >> 31) /* numbers with a sign */
            m->uses[GR_NEG] = m->uses[GR_SUB] = 1;
    }
    m->uses[GR_CONSTANT] = m->uses[GR_INPUT] = 0;
}

void gr_choose_machine(const gr_job *job, size_t shared, gr_machine *machine) {
    const gr_params *p = &job->params;
    gr_machine m = {0};
    uint32_t cost = GR_CHEAP, words = p->packed ? (p->train_cases + 31) / 32 : p->train_cases;
    choose_operations(job, &m);
    for (uint32_t op = GR_INPUT + 1; op < GR_OP_COUNT; op++)
        if (m.uses[op])
            cost = gr_max_u32(cost, gr_cost_class(op));
    m.values = p->packed ? GR_WORDS : job->fast || cost == GR_CHEAP ? GR_FAST : GR_EXACT;
    m.metric = p->metric;
    m.kind = gr_sum_kind_of(p);
    m.levels = 3;
    m.register_inputs = p->inputs <= 2 ? p->inputs : 0;
    m.width = words <= 128 ? 4 : m.values == GR_EXACT ? 4 : cost == GR_CHEAP ? 16 : 8;
    m.threads = 512;
    m.blocks = m.width == 16 ? 1 : 2;
    const char *fixed = getenv("GRAMPUS_MACHINE");
    if (fixed &&
        sscanf(fixed, "%u,%u,%u,%u,%u,%u", &m.width, &m.levels, &m.accumulator, &m.register_inputs,
               &m.threads, &m.blocks) == 6 &&
        m.register_inputs != 0)
        m.register_inputs = p->inputs;
    size_t tile = (size_t)(p->inputs + 1) * GR_INPUT_BYTES;
    m.shared = tile + m.threads * 40 + 4096 <= shared;
    *machine = m;
}

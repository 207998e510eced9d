#include "gpu/backend/operations.h"

#include "gpu/core/genotype/typed.h"
#include "gpu/core/mapping/grammar.h"
#include "gpu/core/program/expression.h"

static void use_ranking(uint8_t *uses) {
    uses[GR_ARGMAX_LAST] = uses[GR_ARGMAX_NEXT] = uses[GR_ARGMAX] = 1;
}

static void use_targets(const gr_params *p, uint8_t *uses) {
    uses[p->part] = uses[GR_TARGETS_NEXT] = uses[gr_targets_end(p->part)] = 1;
}

void gr_find_operations(const gr_job *job, uint8_t uses[GR_OP_COUNT]) {
    const gr_params *p = &job->params;
    const uint32_t *g = job->grammar;
    for (uint32_t k = 0; p->genotype == GR_TREE && k < p->functions; k++)
        uses[p->function[k]] = 1;
    if (p->outputs)
        use_targets(p, uses);
    else if (job->types && gr_has_frame(job->types))
        use_ranking(uses);
    for (uint32_t k = 0; p->genotype != GR_TREE && k < g[GR_G_TOKENS]; k++) {
        uint32_t kind = GR_TOKEN_KIND(gr_token_word(g, k, 0)), operand = gr_token_word(g, k, 1);
        if (kind == GR_T_FUNCTION && operand == GR_ARGMAX)
            use_ranking(uses);
        else if (kind == GR_T_FUNCTION && operand != GR_TARGETS)
            uses[operand] = 1;
        else if (kind == GR_T_OPERATOR) {
            uint32_t unary = (operand >> 8) & 0xffu;
            uses[operand & 0xffu] = 1;
            if (unary < GR_OP_COUNT)
                uses[unary] = 1;
        } else if (kind == GR_T_IF)
            uses[GR_IF] = 1;
        else if (kind == GR_T_CODON && operand >> 31) /* numbers with a sign */
            uses[GR_NEG] = uses[GR_SUB] = 1;
    }
    uses[GR_CONSTANT] = uses[GR_INPUT] = 0;
}

uint32_t gr_count_operations(const uint8_t uses[GR_OP_COUNT], uint32_t *cost) {
    uint32_t count = 0;
    *cost = GR_CHEAP;
    for (uint32_t op = GR_INPUT + 1; op < GR_OP_COUNT; op++)
        if (uses[op]) {
            count++;
            *cost = gr_max_u32(*cost, gr_cost_class(op));
        }
    return count;
}

#include "host/checkpoint/fits.h"

static int individuals_fit(const gr_params *p, const gr_individual *individual, size_t count) {
    uint32_t longest = p->genotype == GR_TREE ? p->max_nodes : p->genome_capacity;
    for (size_t i = 0; i < count; i++)
        if (individual[i].length > longest || individual[i].instructions > p->max_nodes ||
            individual[i].validity >= GR_VALIDITY_COUNT)
            return 0;
    return 1;
}

int gr_sizes_fit(const gr_params *p, const gr_individual *individual, const gr_deme *deme) {
    uint32_t longest = p->genotype == GR_TREE ? p->max_nodes : p->genome_capacity;
    if (!individuals_fit(p, individual, p->individuals))
        return 0;
    for (uint32_t d = 0; d < gr_demes(p); d++)
        if (deme[d].best.length > longest || deme[d].best.validity >= GR_VALIDITY_COUNT ||
            deme[d].best.nodes > p->max_nodes)
            return 0;
    return 1;
}

int gr_archive_fits(const gr_params *p, const gr_snapshot *s) {
    const gr_snapshot_part *part = &s->part[GR_SECTION_NICHE_INDIVIDUALS];
    const gr_individual *individual = gr_snapshot_rows(s, GR_SECTION_NICHE_INDIVIDUALS);
    const gr_applicant *niche = gr_snapshot_rows(s, GR_SECTION_NICHES);
    for (size_t k = 0; k < part->rows; k++)
        if (niche[k].key && (!individual[k].length || niche[k].niche != k % p->niches))
            return 0;
    return individuals_fit(p, individual, part->rows);
}

int gr_is_tree(const gr_params *p, const gr_node *node, uint32_t count) {
    uint32_t complete = 0;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t op = GR_NODE_OP(node[k]), size = 1, at = k;
        if (op >= GR_OP_COUNT || (op == GR_INPUT && !gr_input_exists(p, node[k].operand)))
            return 0;
        uint32_t arity = gr_arity(op);
        if (arity > complete)
            return 0;
        for (uint32_t a = 0; a < arity; a++) {
            uint32_t below = GR_NODE_SIZE(node[at - 1]);
            size += below;
            at -= below;
        }
        if (GR_NODE_SIZE(node[k]) != size)
            return 0;
        complete += 1 - arity;
    }
    return complete == (count > 0);
}

/* What a handler's operand says: an input, or which of three operands is which. */
enum { AN_INPUT = 1, AN_ORDER = 2 };
static const unsigned char means[GR_HANDLER_COUNT] = {
    [GR_H_LOAD_INPUT] = AN_INPUT,
    [GR_H_PUSH_LOAD_INPUT] = AN_INPUT,
#define GR_OP2(id, names, symbol, class, exact, fast)                                              \
    [GR_H_##id##_AI] = AN_INPUT, [GR_H_##id##_IA] = AN_INPUT,
#define GR_OP2C(id, names, symbol, class, exact, fast) [GR_H_##id##_AI] = AN_INPUT,
#define GR_OP3(id, names, class, exact, fast) [GR_H_##id##_SSA] = AN_ORDER,
#define GR_WORD2C(id, names, symbol, expression) [GR_H_##id##_AI] = AN_INPUT,
#include "gpu/core/base/ops.def"
};

static uint32_t is_order(uint32_t operand) {
    return GR_WHERE(operand, 0) < 3 && GR_WHERE(operand, 1) < 3 && GR_WHERE(operand, 2) < 3;
}

static uint32_t is_input(const gr_params *p, uint32_t operand) {
    if (p->weighted)
        return gr_input_exists(p, operand);
    return operand % GR_INPUT_BYTES == 0 && operand / GR_INPUT_BYTES < p->inputs;
}

int gr_is_program(const gr_params *p, const gr_instruction *program, uint32_t count) {
    for (uint32_t k = 0; k < count; k++) {
        uint32_t handler = GR_HANDLER(program[k]);
        if (handler >= GR_HANDLER_COUNT || GR_STACK_LEVEL(program[k]) >= GR_MAX_STACK_LEVELS ||
            (means[handler] == AN_INPUT && !is_input(p, program[k].operand)) ||
            (means[handler] == AN_ORDER && !is_order(program[k].operand)))
            return 0;
    }
    return 1;
}

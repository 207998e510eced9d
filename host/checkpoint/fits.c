#include "host/checkpoint/fits.h"

#include "gpu/core/program/linear.h"

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

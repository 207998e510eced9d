#include "gpu/backend/load.h"

gr_status gr_check_loaded(const gr_params *p, uint32_t next, const uint32_t *lengths,
                          gr_error *error) {
    if (p->genotype != GR_TREE || next == 0)
        return gr_fail(error, GR_FAILED, "trees can take the place of bred trees only");
    for (uint32_t i = 0; i < p->individuals; i++)
        if (lengths[i] == 0 || lengths[i] > p->max_nodes)
            return gr_fail(error, GR_FAILED, "tree %u has %u nodes; expected 1 to %u", i,
                           lengths[i], p->max_nodes);
    return GR_OK;
}

/* Any text as an experiment file: it is read or refused with one line; of one that is read and
 * small the cells are made, each with another label and digest. */
#include "host/experiment/cells.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(gr_status status, const gr_error *error) {
    if (status != GR_OK && (status != GR_BAD_INPUT || !error->text[0] || strchr(error->text, '\n')))
        abort();
}

static int is_small(const gr_definition *d) {
    uint64_t cells = (d->entries ? d->entries : 1) * (uint64_t)(d->samples ? d->samples : 1);
    for (uint32_t k = 0; k < d->grid.count && cells < 100; k++)
        cells *= d->grid.axis[k].count;
    return cells < 100 && !d->base.text; /* no other files are read */
}

static void make_cells(const gr_definition *d) {
    gr_cells cells;
    gr_error error = {0};
    gr_status status = gr_cells_make(d, &cells, &error);
    check(status, &error);
    for (uint32_t i = 1; status == GR_OK && i < cells.count; i++)
        if (strcmp(cells.cell[i].label, cells.cell[i - 1].label) == 0 ||
            strcmp(cells.cell[i].digest, cells.cell[i - 1].digest) == 0)
            abort();
    if (status == GR_OK)
        gr_cells_free(&cells);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    gr_definition definition;
    gr_error error = {0};
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    gr_status status = gr_definition_parse(text, size, "experiment.yaml", &definition, &error);
    check(status, &error);
    if (status == GR_OK && is_small(&definition))
        make_cells(&definition);
    if (status == GR_OK)
        gr_definition_free(&definition);
    return 0;
}

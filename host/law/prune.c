/* What a law does not need: terms that rounding hides, factors that are 1 to within it. */
#include "host/law/law.h"

#include "host/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* First node of the subtree that ends at a node. */
static uint32_t first_of(const gr_law_form *f, uint32_t last) {
    uint32_t wanted = 1, at = last + 1;
    while (wanted) {
        at--;
        wanted += gr_arity(f->op[at]);
        wanted--;
    }
    return at;
}

/* A constant's number that is free to be used: of the subtree, which alone has it, or a new one. */
static uint32_t constant_for(const gr_law_form *f, uint32_t first, uint32_t last) {
    for (uint32_t i = first; i <= last; i++)
        if (f->op[i] == GR_CONSTANT)
            return f->operand[i];
    return f->constants;
}

/* The form with the subtree as a constant; its arrays are made here. */
static gr_status replace(const gr_law_form *f, uint32_t first, uint32_t last, double value,
                         gr_law_form *out, gr_error *error) {
    uint32_t behind = f->count - last - 1, constant = constant_for(f, first, last);
    *out = *f;
    out->op = calloc(f->count, 1);
    out->operand = calloc(f->count, sizeof *out->operand);
    if (!out->op || !out->operand) {
        gr_form_free(out);
        return gr_fail(error, GR_NO_MEMORY, "no memory for %u node%s", f->count, gr_s(f->count));
    }
    memcpy(out->op, f->op, first);
    memcpy(out->operand, f->operand, first * sizeof *f->operand);
    out->op[first] = GR_CONSTANT;
    out->operand[first] = constant;
    memcpy(out->op + first + 1, f->op + last + 1, behind);
    memcpy(out->operand + first + 1, f->operand + last + 1, behind * sizeof *f->operand);
    out->count = first + 1 + behind;
    out->value[constant] = value;
    out->fixed[constant] = 0;
    out->constants += constant == f->constants;
    return GR_OK;
}

gr_status gr_form_prune(gr_law_form *form, const gr_law_cases *cases, uint64_t step, double limit,
                        gr_error *error) {
    for (uint32_t last = form->count; last-- > 0;) {
        uint32_t first = first_of(form, last);
        gr_law_form part = *form, without;
        part.op += first;
        part.operand += first;
        part.count = last - first + 1;
        if (form->op[last] == GR_CONSTANT || constant_for(form, first, last) == GR_LAW_CONSTANTS)
            continue;
        double mean = gr_form_mean(&part, cases, step);
        if (!isfinite(mean))
            continue;
        gr_status status = replace(form, first, last, mean, &without, error);
        if (status)
            return status;
        if (gr_form_error(&without, cases, 0, step, NULL) <= limit) {
            gr_form_free(form);
            *form = without;
            last = first;
        } else
            gr_form_free(&without);
    }
    return GR_OK;
}

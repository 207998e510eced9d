/* Bodies of heavy operations, each written once for all its handlers. */
#include "gpu/interpreter/writer.h"

#include "gpu/core/base/portable.h"

/* first = operation(two), one case at a time, the registers going round: little code for what is
 * rare. */
static void write_one_by_one(writer *w, const operation *o, const gr_register_operand *two,
                             gr_register_operand first, int reversed) {
    const gr_register_operand result = {"gv", 0}, *round[2] = {&first, &U};
    fprintf(w->bodies, "mov.u32 gi, 0;\nL%u_%d:\n", o->op, reversed);
    gr_primitive_write(w->bodies, &o->body, two, result, 0);
    for (uint32_t n = 0; n < o->arity; n++) {
        const char *name = round[n]->name;
        if (n == 1)
            fprintf(w->bodies, "mov.b32 gv, %s0;\n", name);
        for (uint32_t k = 0; k + 1 < w->m->width; k++)
            fprintf(w->bodies, "mov.b32 %s%u, %s%u;\n", name, k, name, k + 1);
        fprintf(w->bodies, "mov.b32 %s%u, gv;\n", name, w->m->width - 1);
    }
    fprintf(w->bodies, "add.u32 gi, gi, 1;\nsetp.lt.u32 gq, gi, %u;\n@gq bra.uni L%u_%d;\n",
            w->m->width, o->op, reversed);
}

/* Where to go behind the body of a heavy operation. */
static void write_return(const writer *w) {
    fputs(w->m->accumulator ? "bra.uni NEXT;\n" : "brx.idx.uni gr, TAILS;\n", w->bodies);
}

/* The extreme magnitude of two operands' cases, in `to`0; a NaN counts for nothing. In pairs: no
 * long wait for one another. */
static void write_extreme(const writer *w, const operation *o, const gr_register_operand *two,
                          const char *instruction, const char *to) {
    uint32_t width = w->m->width, count = o->arity * width;
    for (uint32_t k = 0; k < count; k++)
        fprintf(w->bodies, "abs.f32 %s%u, %s%u;\n", to, k, two[k / width].name, k % width);
    for (uint32_t step = 1; step < count; step *= 2)
        for (uint32_t k = 0; k + step < count; k += 2 * step)
            fprintf(w->bodies, "%s.f32 %s%u, %s%u, %s%u;\n", instruction, to, k, to, k, to,
                    k + step);
}

/* The same, both extremes, with a 1 in place of 0 and infinity. One case after another: registers
 * are short. */
static void write_extremes_apart(const writer *w, const operation *o,
                                 const gr_register_operand *two) {
    uint32_t width = w->m->width;
    fputs("mov.f32 h0, 0f3f800000;\nmov.f32 l0, 0f3f800000;\n", w->bodies);
    for (uint32_t k = 0; k < o->arity * width; k++)
        fprintf(w->bodies,
                "abs.f32 gv, %s%u;\nsetp.eq.f32 gq, gv, 0f00000000;\n"
                "setp.eq.or.f32 gq, gv, 0f7f800000, gq;\nselp.f32 gv, 0f3f800000, gv, gq;\n"
                "max.f32 h0, h0, gv;\nmin.f32 l0, l0, gv;\n",
                two[k / width].name, k % width);
}

/* Goes to `label` unless all cases of the warp are within the limits; apart: but for 0 and
 * infinity. */
static void write_guard(const writer *w, const operation *o, const gr_register_operand *two,
                        int apart, const char *label) {
    uint32_t count = o->arity * w->m->width;
    int above = o->most < HUGE_VALF;
    fprintf(w->bodies, "{\n.reg .f32 h<%u>, l<%u>;\n", count, count);
    if (apart)
        write_extremes_apart(w, o, two);
    if (above && !apart)
        write_extreme(w, o, two, "max", "h");
    if (above)
        fprintf(w->bodies, "setp.gt.f32 gq, h0, 0f%08x;\n", gr_float_bits(o->most));
    if (o->least > 0.0f && !apart)
        write_extreme(w, o, two, "min", "l");
    if (o->least > 0.0f)
        fprintf(w->bodies, "setp.lt%s.f32 gq, l0, 0f%08x%s;\n", above ? ".or" : "",
                gr_float_bits(o->least), above ? ", gq" : "");
    fprintf(w->bodies, "vote.sync.any.pred gq, gq, 0xffffffff;\n@gq bra.uni %s;\n}\n", label);
}

static void write_all(const writer *w, const gr_primitive *body, const gr_register_operand *two,
                      gr_register_operand first) {
    for (uint32_t k = 0; k < w->m->width; k++)
        gr_primitive_write(w->bodies, body, two, first, k);
    write_return(w);
}

/* Within the limits; within them but for zeros and infinities, P; neither, R. */
static void write_guarded(writer *w, const operation *o, const gr_register_operand *two,
                          gr_register_operand first, int reversed) {
    char apart[16], rare[16];
    snprintf(apart, sizeof apart, "P%u_%d", o->op, reversed);
    snprintf(rare, sizeof rare, "R%u_%d", o->op, reversed);
    write_guard(w, o, two, 0, apart);
    fprintf(w->bodies, "C%u_%d:\n", o->op, reversed);
    write_all(w, o->plain.body ? &o->plain : &o->common, two, first);
    fprintf(w->bodies, "%s:\n", apart);
    write_guard(w, o, two, 1, rare);
    if (o->plain.body)
        write_all(w, &o->common, two, first);
    else
        fprintf(w->bodies, "bra.uni C%u_%d;\n", o->op, reversed);
    fprintf(w->bodies, "%s:\n", rare);
    write_one_by_one(w, o, two, first, reversed);
    write_return(w);
}

void gr_write_heavy(writer *w, const operation *o, int reversed) {
    const gr_register_operand first = w->m->accumulator ? ACC : T;
    const gr_register_operand two[2] = {reversed ? U : first, reversed ? first : U};
    fprintf(w->bodies, "B%u_%d:\n", o->op, reversed);
    if (o->common.body)
        write_guarded(w, o, two, first, reversed);
    else
        write_all(w, &o->body, two, first);
    w->heavies++;
}

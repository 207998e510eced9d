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

/* gv = the largest magnitude of the operand's cases; a NaN counts for nothing. */
static void write_largest(writer *w, gr_register_operand operand) {
    uint32_t width = w->m->width;
    fprintf(w->bodies, "{\n.reg .f32 m<%u>;\n", width);
    for (uint32_t k = 0; k < width; k++)
        fprintf(w->bodies, "abs.f32 m%u, %s%u;\n", k, operand.name, k);
    for (uint32_t step = 1; step < width; step *= 2) /* in pairs: no long wait for one another */
        for (uint32_t k = 0; k + step < width; k += 2 * step)
            fprintf(w->bodies, "max.f32 m%u, m%u, m%u;\n", k, k, k + step);
    fputs("mov.f32 gv, m0;\n}\n", w->bodies);
}

void gr_write_heavy(writer *w, const operation *o, int reversed) {
    const gr_register_operand first = w->m->accumulator ? ACC : T;
    const gr_register_operand two[2] = {reversed ? U : first, reversed ? first : U};
    fprintf(w->bodies, "B%u_%d:\n", o->op, reversed);
    if (o->common.body) {
        write_largest(w, first);
        fprintf(w->bodies,
                "setp.gt.f32 gq, gv, 0f%08x;\nvote.sync.any.pred gq, gq, 0xffffffff;\n"
                "@gq bra.uni R%u_%d;\n",
                gr_float_bits(o->limit), o->op, reversed);
    }
    for (uint32_t k = 0; k < w->m->width; k++)
        gr_primitive_write(w->bodies, o->common.body ? &o->common : &o->body, two, first, k);
    write_return(w);
    if (o->common.body) {
        fprintf(w->bodies, "R%u_%d:\n", o->op, reversed);
        write_one_by_one(w, o, two, first, reversed);
        write_return(w);
    }
    w->heavies++;
}

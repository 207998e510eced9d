#include "gpu/core/base/math.h"
#include "gpu/core/program/linear.h"
#include "gpu/interpreter/writer.h"

#include <stdlib.h>
#include <string.h>

/* From so many PTX lines over all cases an operation is heavy. */
enum { HEAVY = 160 };

static gr_register_operand bank(uint32_t level) {
    gr_register_operand o = {"", 1};
    snprintf(o.name, sizeof o.name, "g%u_", level);
    return o;
}
static gr_register_operand kept_input(uint32_t input) {
    gr_register_operand o = {"", 1};
    snprintf(o.name, sizeof o.name, "x%u_", input);
    return o;
}
/* ---- parts of handlers ---- */

/* What a handler's instruction has for an operand. */
typedef enum gr_has { HAS_NOTHING, HAS_CONSTANT, HAS_INPUT, HAS_PAIR } gr_has;

/* Where input `offset` of the tile, in bytes, begins for the lane. */
static void write_address(writer *w, const char *address, const char *offset) {
    if (w->m->shared)
        fprintf(w->out, "add.u32 %s, %s, gt;\n", address, offset);
    else
        fprintf(w->out, "cvt.u64.u32 %s64, %s;\nadd.u64 %s64, %s64, gt64;\n", address, offset,
                address, address);
}

/* The same for a weighted input, whose index and weight gc holds: the weight to gk. */
static void write_weighted_address(writer *w) {
    uint32_t mask = w->m->index_mask;
    fprintf(w->out, "and.b32 ga, gc, %u;\nand.b32 gk, gc, %u;\n", mask, ~mask);
    if (w->m->shared)
        fprintf(w->out, "mad.lo.u32 ga, ga, %d, gt;\n", GR_INPUT_BYTES);
    else
        fprintf(w->out, "mad.wide.u32 ga64, ga, %d, gt64;\n", GR_INPUT_BYTES);
}

/* The same for two inputs whose numbers gc holds, the first below. */
static void write_two_addresses(writer *w) {
    fputs("and.b32 ga, gc, 0xffff;\nshr.u32 gb, gc, 16;\n", w->out);
    for (const char *address = "ga"; address; address = address[1] == 'a' ? "gb" : NULL)
        if (w->m->shared)
            fprintf(w->out, "mad.lo.u32 %s, %s, %d, gt;\n", address, address, GR_INPUT_BYTES);
        else
            fprintf(w->out, "mad.wide.u32 %s64, %s, %d, gt64;\n", address, address, GR_INPUT_BYTES);
}

/* Reads the instruction `number` places on. An address is gq64, of which the upper half stays 0. */
static void read_instruction(const writer *w, FILE *out, uint32_t number) {
    uint32_t at = number * GR_INSTRUCTION_BYTES(w->m->direct);
    if (w->m->direct == GR_DIRECT_WIDE)
        fprintf(out, "ld.shared.v4.b32 {gh, gj, gc, gd}, [gp+%u];\n", at);
    else
        fprintf(out, "ld.shared.v2.b32 {gh, gc}, [gp+%u];\n", at);
    if (w->m->direct == GR_DIRECT)
        fputs("mov.b64 {gd, gj}, gq64;\nmov.b64 gq64, {gh, gj};\n", out);
}

/* The jump that all handlers share. Where it is to be mended (direct_jumps.h) gh and gj, which is
 * 0, have to stand in neighbouring registers: as they do if they are read together, or are compared
 * as a double. */
static void write_jump(const gr_machine *m, FILE *out) {
    fputs("NEXT:\n", out);
    if (m->direct == GR_DIRECT_WIDE)
        fputs("xor.b32 gh, gh, gj;\n", out);
    else if (m->direct)
        fputs("setp.lt.f64 gq, gq64, 0d0000000000000000;\nmov.b64 {gh, gj}, gq64;\n"
              "selp.b32 gh, gj, gh, gq;\n",
              out);
    fputs("brx.idx.uni gh, HANDLERS;\n", out);
}

/* A handler begins: keeps the operand, reads the next instruction. */
static uint32_t begin(writer *w, gr_has has) {
    fprintf(w->out, "H%u:\n", w->code->handlers);
    if (has == HAS_CONSTANT)
        fputs("prmt.b32 gk, gc, gc, 0x3210;\n",
              w->out); /* a mov would come to two: it is merged with gc */
    else if (has == HAS_INPUT && w->m->weighted)
        write_weighted_address(w);
    else if (has == HAS_INPUT)
        write_address(w, "ga", "gc");
    else if (has == HAS_PAIR)
        write_two_addresses(w);
    read_instruction(w, w->out, 1);
    fprintf(w->out, "add.u32 gp, gp, %u;\n", GR_INSTRUCTION_BYTES(w->m->direct));
    return w->code->handlers++;
}
/* All handlers share one jump. With a jump each, measured, the machine is half as fast and takes
 * ten times as long to compile: every jump has a table of its own in constant memory. */
static void dispatch(writer *w) {
    fputs("bra.uni NEXT;\n", w->out);
}

static void move(writer *w, gr_register_operand to, gr_register_operand from) {
    for (uint32_t k = 0; k < w->m->width; k++) {
        fputs("mov.b32 ", w->out);
        gr_operand_write(w->out, to, k);
        fputs(", ", w->out);
        gr_operand_write(w->out, from, k);
        fputs(";\n", w->out);
    }
}

/* Groups of four registers to or from memory at `at`, `step` bytes apart. */
static void transfer(writer *w, const char *instruction, int store, gr_register_operand registers,
                     const char *at, int first, int step) {
    for (uint32_t k = 0; k < w->m->width; k += 4) {
        const char *r = registers.name;
        char location[64];
        snprintf(location, sizeof location, "[%s+%d]", at, first + (int)(k / 4) * step);
        if (store)
            fprintf(w->out, "%s %s, {%s%u, %s%u, %s%u, %s%u};\n", instruction, location, r, k, r,
                    k + 1, r, k + 2, r, k + 3);
        else
            fprintf(w->out, "%s {%s%u, %s%u, %s%u, %s%u}, %s;\n", instruction, r, k, r, k + 1, r,
                    k + 2, r, k + 3, location);
    }
}

/* An input from the tile, whose address was written. */
static void load_input(writer *w, gr_register_operand to, const char *address) {
    char wide[16];
    snprintf(wide, sizeof wide, "%s64", address);
    transfer(w, w->m->shared ? "ld.shared.v4.f32" : "ld.global.v4.f32", 0, to,
             w->m->shared ? address : wide, 0, 512);
    for (uint32_t k = 0; w->m->weighted && k < w->m->width; k++)
        fprintf(w->out, "mul.rn.f32 %s%u, gk, %s%u;\n", to.name, k, to.name, k);
}
/* What a handler with an input for an operand has to keep: nothing if that is in registers. */
static gr_has has_input(const writer *w) {
    return w->m->register_inputs ? HAS_NOTHING : HAS_INPUT;
}

/* Stack levels beyond the registers. */
static void push_memory(writer *w) {
    transfer(w, "st.local.v4.f32", 1, w->m->accumulator ? ACC : bank(w->m->levels - 1), "gs", 0,
             16);
    fprintf(w->out, "add.u64 gs, gs, %u;\n", 4 * w->m->width);
}
static void pop_memory(writer *w, gr_register_operand to) {
    fprintf(w->out, "sub.u64 gs, gs, %u;\n", 4 * w->m->width);
    transfer(w, "ld.local.v4.f32", 0, to, "gs", 0, 16);
}

/* Levels at which a subtree can begin, and of results of operations on values that are there, on a
 * stack value, on two. The last level of each stands for all deeper ones. */
static uint32_t entries(const gr_machine *m) {
    return m->levels + 1 + m->accumulator;
}
static uint32_t in_place(const gr_machine *m) {
    return m->accumulator ? 1 : m->levels;
}
static uint32_t stacked(const gr_machine *m) {
    return m->levels + m->accumulator;
}

/* Where the value of a level is while it is worked on. */
static gr_register_operand value(const gr_machine *m, uint32_t level) {
    return m->accumulator ? ACC : bank(level < m->levels ? level : m->levels - 1);
}

/* Where a value that begins a subtree at a level goes; saves what is in its way. */
static gr_register_operand entry(writer *w, uint32_t level) {
    const gr_machine *m = w->m;
    if (m->accumulator && level > 0 && level <= m->levels)
        move(w, bank(level - 1), ACC);
    else if (level > 0 && level >= m->levels)
        push_memory(w);
    return value(m, level);
}

/* The operand that an instruction's input names: a register, or loaded to `spare`. */
static gr_register_operand input_operand(writer *w, uint32_t input, gr_register_operand spare) {
    if (w->m->register_inputs)
        return kept_input(input);
    load_input(w, spare, "ga");
    return spare;
}

/* Goes to the body that heavy operations share. On an accumulator: acc = acc o u or u o acc;
 * otherwise t = t o u, and `level` tells where t goes afterwards. */
static void go_heavy(writer *w, const operation *o, const gr_register_operand *operand,
                     uint32_t level) {
    int reversed = 0;
    gr_register_operand first = w->m->accumulator ? ACC : T;
    if (o->arity > 1) {
        reversed = w->m->accumulator && strcmp(operand[1].name, ACC.name) == 0;
        gr_register_operand other = operand[!reversed];
        if (strcmp(other.name, U.name) != 0)
            move(w, U, other);
    }
    if (strcmp(operand[reversed].name, first.name) != 0)
        move(w, first, operand[reversed]);
    if (!w->m->accumulator)
        fprintf(w->out, "mov.u32 gr, %u;\n", level);
    fprintf(w->out, "bra.uni B%u_%d;\n", o->op, reversed);
    w->jumps[reversed] = 1;
}

/* The level's value = operation(operand...), then the next handler. */
static void operate(writer *w, const operation *o, const gr_register_operand *operand,
                    uint32_t level) {
    if (o->heavy) {
        go_heavy(w, o, operand, level);
        return;
    }
    for (uint32_t k = 0; k < w->m->width; k++)
        gr_primitive_write(w->out, &o->body, operand, value(w->m, level), k);
    dispatch(w);
}

/* ---- handlers ---- */

/* The next handlers' numbers, for `levels` levels and all inputs in registers. */
static gr_translation numbers(const writer *w, uint32_t levels, int input, int load_input) {
    uint8_t step = (uint8_t)(w->m->register_inputs ? levels : 0);
    return (gr_translation){.handler = (uint16_t)w->code->handlers,
                            .levels = (uint8_t)levels,
                            .step = (uint8_t)(input ? step : 0),
                            .load_step = (uint8_t)(load_input ? step : 0)};
}
static uint32_t inputs_apart(const gr_machine *m) {
    return m->register_inputs ? m->register_inputs : 1;
}

/* A handler that no instruction has: it seems to change the inputs in registers. ptxas would
 * otherwise compute x o x before the program of every pass, whether it is used or not, and keep it
 * in local memory for want of registers. And it seems to change the upper half of an address. */
static void write_change(writer *w) {
    if (!w->m->register_inputs && w->m->direct != GR_DIRECT)
        return;
    begin(w, HAS_CONSTANT);
    if (w->m->direct == GR_DIRECT)
        fputs("mov.b64 gq64, {gh, gk};\n", w->out);
    for (uint32_t j = 0; j < w->m->register_inputs; j++)
        move(w, kept_input(j), CONSTANT);
    dispatch(w);
}

static void write_loads(writer *w) {
    const gr_machine *m = w->m;
    w->code->single[GR_H_LOAD_INPUT] = w->code->single[GR_H_PUSH_LOAD_INPUT] =
        numbers(w, entries(m), 1, 0);
    for (uint32_t j = 0; j < inputs_apart(m); j++)
        for (uint32_t level = 0; level < entries(m); level++) {
            begin(w, has_input(w));
            gr_register_operand to = entry(w, level);
            if (m->register_inputs)
                move(w, to, kept_input(j));
            else
                load_input(w, to, "ga");
            dispatch(w);
        }
    w->code->single[GR_H_LOAD_CONSTANT] = w->code->single[GR_H_PUSH_LOAD_CONSTANT] =
        numbers(w, entries(m), 0, 0);
    for (uint32_t level = 0; level < entries(m); level++) {
        begin(w, HAS_CONSTANT);
        move(w, entry(w, level), CONSTANT);
        dispatch(w);
    }
}

static void write_unary(writer *w, const operation *o) {
    const gr_machine *m = w->m;
    uint32_t handler = gr_first_handler(o->op);
    w->code->single[handler] = numbers(w, in_place(m), 0, 0);
    for (uint32_t level = 0; level < in_place(m); level++) {
        gr_register_operand a = value(m, level);
        begin(w, HAS_NOTHING);
        operate(w, o, &a, level);
    }
    w->code->fused[handler][0] = numbers(w, m->levels, 0, 1);
    for (uint32_t j = 0; j < inputs_apart(m); j++)
        for (uint32_t level = 0; level < m->levels; level++) {
            begin(w, has_input(w));
            gr_register_operand to = entry(w, level);
            gr_register_operand a = input_operand(w, j, o->heavy && !m->accumulator ? T : to);
            operate(w, o, &a, level);
        }
}

/* value o leaf, or leaf o value when `leaf_first`. */
static void write_leaf_forms(writer *w, const operation *o, uint32_t handler, int leaf_first) {
    const gr_machine *m = w->m;
    gr_register_operand spare = leaf_first && !m->accumulator ? T : U;
    w->code->single[handler] = numbers(w, in_place(m), 1, 0);
    for (uint32_t j = 0; j < inputs_apart(m); j++)
        for (uint32_t level = 0; level < in_place(m); level++) {
            begin(w, has_input(w));
            gr_register_operand leaf = input_operand(w, j, spare), at = value(m, level);
            gr_register_operand two[2] = {leaf_first ? leaf : at, leaf_first ? at : leaf};
            operate(w, o, two, level);
        }
    w->code->single[handler + 1] = numbers(w, in_place(m), 0, 0);
    for (uint32_t level = 0; level < in_place(m); level++) {
        begin(w, HAS_CONSTANT);
        gr_register_operand at = value(m, level);
        gr_register_operand two[2] = {leaf_first ? CONSTANT : at, leaf_first ? at : CONSTANT};
        operate(w, o, two, level);
    }
}

/* stack o value, or value o stack when `value_first`; the level is the result's. */
static void write_stack_form(writer *w, const operation *o, uint32_t handler, int value_first) {
    const gr_machine *m = w->m;
    w->code->single[handler] = numbers(w, stacked(m), 0, 0);
    for (uint32_t level = 0; level < stacked(m); level++) {
        begin(w, HAS_NOTHING);
        gr_register_operand stack = bank(level), at = value(m, level + 1);
        if (level == stacked(m) - 1) {
            stack = value_first || m->accumulator ? U : T;
            pop_memory(w, stack);
        }
        gr_register_operand two[2] = {value_first ? at : stack, value_first ? stack : at};
        operate(w, o, two, level);
    }
}

/* Two leaves of which one at most is a constant, all inputs and the result being in registers. */
static void write_pairs(writer *w, const operation *o, uint32_t handler) {
    const gr_machine *m = w->m;
    uint32_t inputs = m->register_inputs, levels = m->levels;
    gr_translation(*fused)[2] = w->code->fused + handler, both = numbers(w, levels, 1, 1);
    uint8_t row = (uint8_t)levels, block = (uint8_t)(inputs * levels);
    for (uint32_t j = 0; j < inputs; j++)
        for (uint32_t i = 0; i < inputs; i++)
            for (uint32_t level = 0; level < levels; level++) {
                begin(w, HAS_NOTHING);
                entry(w, level);
                gr_register_operand two[2] = {kept_input(j), kept_input(i)};
                operate(w, o, two, level);
            }
    gr_translation mixed[2] = {{0}}; /* input o constant, constant o input */
    for (uint32_t order = 0; order < (gr_is_commutative(o->op) ? 1u : 2u); order++) {
        mixed[order] = numbers(w, levels, 0, 0);
        for (uint32_t j = 0; j < inputs; j++)
            for (uint32_t level = 0; level < levels; level++) {
                begin(w, HAS_CONSTANT);
                entry(w, level);
                gr_register_operand two[2] = {order ? CONSTANT : kept_input(j),
                                              order ? kept_input(j) : CONSTANT};
                operate(w, o, two, level);
            }
    }
    if (gr_is_commutative(o->op))
        mixed[1] = mixed[0];
    /* value o leaf behind the load of the value: the load's leaf stands left */
    fused[0][0] = (gr_translation){both.handler, row, row, block};
    fused[0][1] = (gr_translation){mixed[1].handler, row, row, 0};
    fused[1][0] = (gr_translation){mixed[0].handler, row, 0, row};
    if (gr_is_commutative(o->op))
        return;
    fused[3][0] = (gr_translation){both.handler, row, block, row};
    fused[3][1] = (gr_translation){mixed[0].handler, row, row, 0};
    fused[4][0] = (gr_translation){mixed[1].handler, row, 0, row};
}

/* Two inputs from the tile, whose numbers share the operand's word. */
static void write_tile_pairs(writer *w, const operation *o, uint32_t handler) {
    const gr_machine *m = w->m;
    gr_translation both = numbers(w, m->levels, 0, 0);
    both.step = GR_BY_PAIR;
    for (uint32_t level = 0; level < m->levels; level++) {
        begin(w, HAS_PAIR);
        gr_register_operand to = entry(w, level);
        gr_register_operand two[2] = {o->heavy && !m->accumulator ? T : to, U};
        load_input(w, two[0], "ga");
        load_input(w, two[1], "gb");
        operate(w, o, two, level);
    }
    both.load_step = 1;
    w->code->fused[handler][0] = both; /* the load's input, then the other */
    both.load_step = 0;
    if (!gr_is_commutative(o->op))
        w->code->fused[handler + 3][0] = both;
}

static void write_binary(writer *w, const operation *o) {
    uint32_t handler = gr_first_handler(o->op);
    write_leaf_forms(w, o, handler, 0);
    write_stack_form(w, o, handler + 2, 0);
    if (!gr_is_commutative(o->op)) {
        write_leaf_forms(w, o, handler + 3, 1);
        write_stack_form(w, o, handler + 5, 1);
    }
    if (w->m->register_inputs)
        write_pairs(w, o, handler);
    else if (w->m->pairs)
        write_tile_pairs(w, o, handler);
}

/* Three operands in any of six orders: where a, b and c stand, 0 the lower stack level, 1 the
 * upper, 2 acc. */
static void write_ternary(writer *w, const operation *o) {
    static const uint8_t order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                        {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    const gr_machine *m = w->m;
    uint32_t levels = stacked(m);
    gr_translation all = numbers(w, levels, 0, 0);
    all.step = GR_BY_ORDER;
    w->code->single[gr_first_handler(o->op)] = all;
    for (uint32_t n = 0; n < 6; n++)
        for (uint32_t level = 0; level < levels; level++) {
            begin(w, HAS_NOTHING);
            gr_register_operand from[3] = {bank(level), bank(level + 1), value(m, level + 2)};
            if (level + 2 >= levels) { /* the upper stack level, or both, stand in memory */
                from[1] = T;
                pop_memory(w, T);
            }
            if (level + 1 >= levels) {
                from[0] = U;
                pop_memory(w, U);
            }
            gr_register_operand three[3] = {from[order[n][0]], from[order[n][1]],
                                            from[order[n][2]]};
            operate(w, o, three, level);
        }
}

/* Heavy operations come back here: t is the value of a level. */
static void write_tails(writer *w) {
    for (uint32_t level = 0; level < w->m->levels; level++) {
        fprintf(w->out, "E%u:\n", level);
        move(w, bank(level), T);
        dispatch(w);
    }
}

/* ---- operations ---- */

static const char *const kinds[] = {"exact", "fast", "words"};
static const char *const names[GR_OP_COUNT] = {
#define GR_OP1(id, names, class, exact, fast) [GR_##id] = #id,
#define GR_OP2(id, names, symbol, class, exact, fast) [GR_##id] = #id,
#define GR_OP3(id, names, class, exact, fast) [GR_##id] = #id,
#define GR_WORD1(id, names, symbol, expression) [GR_##id] = #id,
#define GR_WORD2C(id, names, symbol, expression) [GR_##id] = #id,
#include "gpu/core/base/ops.def"
};

/* Magnitudes between which operations have a form of their own; most 0: none. */
static const struct {
    float least, most;
} limits[GR_OP_COUNT] = {
#define GR_OP1G(id, names, class, exact, fast, limit, common) [GR_##id] = {0.0f, limit},
#define GR_OP1D(id, names, class, exact, fast, common) [GR_##id] = {0x1p-126f, HUGE_VALF},
#define GR_OP2G(id, names, symbol, class, exact, fast, limit, plain, common)                       \
    [GR_##id] = {1.0f / (limit), limit},
#include "gpu/core/base/ops.def"
};

static int take_operation(const gr_machine *m, uint32_t op, operation *o) {
    *o = (operation){.id = names[op], .op = op, .arity = gr_arity(op)};
    if (!gr_primitive_find(kinds[m->values], o->id, &o->body))
        return 0;
    o->least = limits[op].least;
    o->most = limits[op].most;
    if (m->values == GR_EXACT && o->most > 0.0f &&
        (!gr_primitive_find("common", o->id, &o->common) ||
         (o->arity > 1 && !gr_primitive_find("plain", o->id, &o->plain))))
        return 0;
    o->heavy = o->arity < 3 && (o->common.body || o->body.lines * m->width > HEAVY ||
                                (m->values == GR_EXACT && gr_cost_class(op) != GR_CHEAP));
    return 1;
}

static int write_operation(writer *w, uint32_t op) {
    operation o;
    int found = take_operation(w->m, op, &o);
    w->jumps[0] = w->jumps[1] = 0;
    if (found) {
        if (o.arity == 1)
            write_unary(w, &o);
        else if (o.arity == 2)
            write_binary(w, &o);
        else
            write_ternary(w, &o);
        for (int reversed = 0; reversed < 2; reversed++)
            if (w->jumps[reversed])
                gr_write_heavy(w, &o, reversed);
    }
    gr_primitive_free(&o.body);
    gr_primitive_free(&o.common);
    gr_primitive_free(&o.plain);
    return found;
}

static void write_targets(FILE *out, const char *table, const char *label, uint32_t count) {
    fprintf(out, "%s: .branchtargets", table);
    for (uint32_t k = 0; k < count; k++)
        fprintf(out, "%s%s %s%u", k ? "," : "", k % 16 ? "" : "\n", label, k);
    fputs(";\n", out);
}

char *gr_block_write(const gr_machine *m, gr_code *code) {
    char *handlers = NULL, *bodies = NULL, *block = NULL;
    size_t size[3];
    writer w = {open_memstream(&handlers, &size[0]), m, code,
                open_memstream(&bodies, &size[1]),   0, {0, 0}};
    FILE *out = open_memstream(&block, &size[2]);
    int good = w.out && w.bodies && out;
    *code = (gr_code){0};
    if (good) {
        fprintf(w.out, "H%u:\n", code->handlers++);
        fputs("bra.uni DONE;\n", w.out);
        write_change(&w);
        write_loads(&w);
        for (uint32_t op = GR_INPUT + 1; good && op < GR_OP_COUNT; op++)
            if (m->uses[op])
                good = write_operation(&w, op);
        if (w.heavies && !m->accumulator)
            write_tails(&w);
    }
    good = w.out && fclose(w.out) == 0 && good;
    good = w.bodies && fclose(w.bodies) == 0 && good;
    if (good) {
        fputs("{\n", out);
        write_targets(out, "HANDLERS", "H", code->handlers);
        if (w.heavies && !m->accumulator)
            write_targets(out, "TAILS", "E", m->levels);
        read_instruction(&w, out, 0);
        write_jump(m, out);
        fprintf(out, "%s%sDONE:\n}\n", handlers, bodies);
    }
    good = out && fclose(out) == 0 && good;
    gr_number_jumps(code);
    free(handlers);
    free(bodies);
    if (!good) {
        free(block);
        return NULL;
    }
    return block;
}

/* ---- around the block ---- */

void gr_block_registers(FILE *out, const gr_machine *m) {
    for (uint32_t level = 0; level < m->levels; level++)
        fprintf(out, ".reg .f32 g%u_<%u>;\n", level, m->width);
    if (m->accumulator)
        fprintf(out, ".reg .f32 acc_<%u>;\n", m->width);
    for (uint32_t j = 0; j < m->register_inputs; j++)
        fprintf(out, ".reg .f32 x%u_<%u>;\n", j, m->width);
    fprintf(out,
            ".reg .f32 t_<%u>, u_<%u>;\n.reg .f32 gv;\n.reg .b32 gc, gd, gj, gk, gh, gp, ga, gb, "
            "gt, gr, gi;\n"
            ".reg .f64 gq64;\n.reg .b64 ga64, gb64, gt64, gs;\n.reg .pred gq;\n"
            ".local .align 16 .b8 gr_deep[%u];\n",
            m->width, m->width, (GR_MAX_STACK_LEVELS + 3 - m->levels) * 4 * m->width);
}

void gr_block_start(FILE *out, const gr_machine *m, const char *tile) {
    fprintf(out, m->shared ? "mov.b32 gt, %s;\n" : "mov.b64 gt64, %s;\n", tile);
    fputs("mov.u64 gs, gr_deep;\n", out);
    if (m->direct == GR_DIRECT)
        fputs("mov.f64 gq64, 0d0000000000000000;\n", out);
}

void gr_block_pass(FILE *out, const gr_machine *m) {
    writer w = {out, m, NULL, NULL, 0, {0, 0}};
    for (uint32_t j = 0; j < m->register_inputs; j++)
        transfer(&w, m->shared ? "ld.shared.v4.f32" : "ld.global.v4.f32", 0, kept_input(j),
                 m->shared ? "gt" : "gt64", (int)(4 * GR_CHUNK * j), 512);
}

void gr_block_step(FILE *out, const gr_machine *m, const char *bytes) {
    if (m->shared)
        fprintf(out, "add.u32 gt, gt, %s;\n", bytes);
    else
        fprintf(out, "cvt.u64.u32 ga64, %s;\nadd.u64 gt64, gt64, ga64;\n", bytes);
}

const char *gr_block_result(const gr_machine *m) {
    return m->accumulator ? ACC.name : "g0_";
}

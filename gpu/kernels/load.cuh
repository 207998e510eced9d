/* Programs on their way to a warp's buffer in shared memory: each instruction becomes one of the
 * machine's, with the one behind it where both are one handler, by a table of the interpreter
 * (interpreter.h). And the literals that such a kernel is compiled with. */
#ifndef GR_LOAD_CUH
#define GR_LOAD_CUH

#include "gpu/core/program/linear.h"
#include "gpu/core/state/state.h"
#include "gpu/kernels/work.cuh"

/* ---- literals ---- */

/* A number that a specialised kernel has as a literal, so that the compiler sees what is never
 * done. */
#define GR_LITERAL(name, mark, what)                                                               \
    __device__ __forceinline__ uint32_t name(uint32_t what) {                                      \
        uint32_t literal;                                                                          \
        asm(mark " %0, %1;" : "=r"(literal) : "r"(what));                                          \
        return literal;                                                                            \
    }
GR_LITERAL(gr_literal_direct, "GRAMPUS_DIRECT", direct)
GR_LITERAL(gr_literal_adds, "GRAMPUS_ADDS", adds)
GR_LITERAL(gr_literal_kind, "GRAMPUS_KIND", kind)
GR_LITERAL(gr_literal_chunks, "GRAMPUS_CHUNKS", chunks)
GR_LITERAL(gr_literal_together, "GRAMPUS_TOGETHER", together)
GR_LITERAL(gr_literal_shares, "GRAMPUS_SHARES", shares)
GR_LITERAL(gr_literal_long, "GRAMPUS_LONG", is_long)
GR_LITERAL(gr_literal_keeps, "GRAMPUS_KEEPS", keeps)
GR_LITERAL(gr_literal_abreast, "GRAMPUS_ABREAST", abreast)
GR_LITERAL(gr_literal_ahead, "GRAMPUS_AHEAD", ahead)
GR_LITERAL(gr_literal_batch, "GRAMPUS_BATCH", batch)
GR_LITERAL(gr_literal_window, "GRAMPUS_WINDOW", window)
GR_LITERAL(gr_literal_some, "GRAMPUS_SOME", some)
GR_LITERAL(gr_literal_many, "GRAMPUS_MANY", many)
GR_LITERAL(gr_literal_inputs, "GRAMPUS_INPUTS", inputs)
#undef GR_LITERAL

/* ---- programs ---- */

/* An entry of the translation table in one access. */
__device__ __forceinline__ gr_translation gr_read_translation(const gr_translation *from) {
    uint2 raw = *(const uint2 *)from;
    gr_translation t;
    t.handler = (uint16_t)raw.x;
    t.levels = (uint8_t)(raw.x >> 16);
    t.step = (uint8_t)(raw.x >> 24);
    t.load_step = (uint8_t)raw.y;
    return t;
}

/* What the machine does for an instruction; `next` is the one behind it if there is one. *fused:
 * for both. */
__device__ __forceinline__ uint2 gr_translate(const gr_code *code, uint2 in, uint2 next,
                                              uint32_t has_next, uint32_t *fused) {
    uint32_t handler = in.x & 0xffffu, stack_level = in.x >> 16, input = in.y / GR_INPUT_BYTES;
    gr_translation t = gr_read_translation(code->single + handler);
    *fused = 0;
    if (handler > GR_H_PUSH_LOAD_CONSTANT) {
        uint32_t more =
            t.step == GR_BY_ORDER
                ? t.levels * (2 * GR_WHERE(in.y, 0) + (GR_WHERE(in.y, 1) > GR_WHERE(in.y, 2)))
                : input * t.step;
        return make_uint2(t.handler + gr_min_u32(stack_level, t.levels - 1u) + more, in.y);
    }
    uint32_t constant = handler == GR_H_LOAD_CONSTANT || handler == GR_H_PUSH_LOAD_CONSTANT;
    uint32_t level = handler >= GR_H_PUSH_LOAD_INPUT ? stack_level + 1 : 0;
    if (has_next) {
        gr_translation both = gr_read_translation(&code->fused[next.x & 0xffffu][constant]);
        if (level < both.levels) {
            uint32_t other = next.y / GR_INPUT_BYTES;
            *fused = 1;
            if (both.step == GR_BY_PAIR) /* load_step: the load's input stands left */
                return make_uint2(both.handler + level,
                                  both.load_step ? other << 16 | input : input << 16 | other);
            return make_uint2(both.handler + level + input * both.load_step + other * both.step,
                              both.load_step && !constant ? next.y : in.y);
        }
    }
    return make_uint2(t.handler + gr_min_u32(level, t.levels - 1u) + input * t.step, in.y);
}

/* Inputs that are one word in all of a tile, as most are in a truth table: 2^15 cases long, the
 * five that change fastest and those that change more slowly than a tile. */
struct gr_uniform {
    const uint32_t *inputs; /* a bit for each */
    const float *tile;
};

/* Whether an instruction on words takes an input; the same on a constant is the next handler. */
__device__ __forceinline__ uint32_t gr_takes_input(uint32_t handler) {
    switch (handler) {
    case GR_H_LOAD_INPUT:
    case GR_H_PUSH_LOAD_INPUT:
#define GR_WORD2C(id, names, symbol, expression) case GR_H_##id##_AI:
#include "gpu/core/base/ops.def"
        return 1;
    }
    return 0;
}

/* An instruction of a program. Words: an input that is one word is a constant, which need not be
 * read for every case. */
template <int CASES>
__device__ __forceinline__ uint2 gr_read_instruction(const uint2 *program, uint32_t i,
                                                     const gr_uniform &uniform) {
    uint2 in = program[i];
    uint32_t input = in.y / GR_INPUT_BYTES;
    if (CASES == GR_WORD_CASES && gr_takes_input(in.x & 0xffffu) && input < GR_UNIFORM_INPUTS &&
        uniform.inputs[input / 32] >> input % 32 & 1u)
        in = make_uint2(in.x + 1, __float_as_uint(uniform.tile[input * GR_CHUNK]));
    return in;
}

/* Writes an instruction of the machine, as gr_direct says. */
__device__ __forceinline__ void gr_keep_instruction(const gr_code *code, uint2 *buffer, uint32_t at,
                                                    uint2 instruction) {
    uint32_t direct = gr_literal_direct(GR_BY_TABLE);
    uint32_t jump = direct ? code->jump[instruction.x] : instruction.x;
    if (direct == GR_DIRECT_WIDE)
        ((uint4 *)buffer)[at] = make_uint4(jump, 0, instruction.y, 0);
    else
        buffer[at] = make_uint2(jump, instruction.y);
}

/* Brings an instruction of the machine to its place for every lane that has one, in their order,
 * from place `at` on; returns what follows. `fused`: the lane's and the next lane's are one;
 * *carried: the one before was fused with the first lane's. */
__device__ __forceinline__ uint32_t gr_place_instructions(const gr_code *code, uint2 *buffer,
                                                          uint32_t at, uint32_t here, uint2 out,
                                                          uint32_t fused, uint32_t *carried) {
    uint32_t lane = threadIdx.x % GR_LANES, heads = __ballot_sync(0xffffffffu, fused);
    uint32_t removed = ((heads << 1 | *carried) >> lane) & 1u;
    uint32_t kept = __ballot_sync(0xffffffffu, here && !removed);
    if (here && !removed)
        gr_keep_instruction(code, buffer, at + __popc(kept & ((1u << lane) - 1)), out);
    *carried = heads >> 31;
    return at + __popc(kept);
}

/* The warp loads instructions [from, length) of a program, a window at most, to its buffer and ends
 * them; returns where it got. Instructions come in the machine's form: handlers that take no input
 * of the tile have a step of 0, so the number of an input leaves them as they are. */
template <int CASES>
__device__ __forceinline__ uint32_t gr_load_window(const gr_code *code, const uint2 *program,
                                                   uint32_t from, uint32_t length,
                                                   const gr_uniform &uniform, uint2 *buffer) {
    uint32_t lane = threadIdx.x % GR_LANES, carried = 0, at = 0,
             last = gr_min_u32(from + gr_literal_window(GR_WINDOW), length);
    __syncwarp();
    for (uint32_t first = from; first < last; first += GR_LANES) {
        uint32_t i = first + lane, here = i < last, more = i + 1 < last, fused = 0;
        uint2 out = make_uint2(0, 0);
        if (here)
            out = gr_translate(code, gr_read_instruction<CASES>(program, i, uniform),
                               more ? gr_read_instruction<CASES>(program, i + 1, uniform) : out,
                               more, &fused);
        at = gr_place_instructions(code, buffer, at, here, out, fused, &carried);
    }
    if (lane == 0)
        gr_keep_instruction(code, buffer, at, make_uint2(0, 0));
    __syncwarp();
    return last;
}

/* The same by the warps of a block that share a program, and one buffer, that of all of them: of
 * every so many instructions a warp translates a part, and parts are put one behind the other.
 * `counts` [GR_LANES]: place for what becomes of each. */
template <int CASES>
__device__ __forceinline__ uint32_t gr_load_together(const gr_code *code, const uint2 *program,
                                                     uint32_t from, uint32_t length,
                                                     const gr_uniform &uniform, uint32_t *counts,
                                                     uint2 *buffer) {
    enum { PARTS = GR_WINDOW / GR_LANES, ALL_PARTS = PARTS * GR_GROUP_WARPS };
    const uint32_t goes_on = 1u << 31; /* with the first instruction of the next part */
    uint32_t lane = threadIdx.x % GR_LANES, member = threadIdx.x / GR_LANES,
             last = gr_min_u32(from + GR_WINDOW * GR_GROUP_WARPS, length), kept[PARTS];
    uint2 out[PARTS];
    static_assert(ALL_PARTS <= GR_LANES, "a lane knows of a part");
#pragma unroll
    for (uint32_t n = 0; n < PARTS; n++) {
        uint32_t part = member + n * GR_GROUP_WARPS, i = from + part * GR_LANES + lane,
                 here = i < last, more = i + 1 < last, fused = 0;
        out[n] = make_uint2(0, 0);
        if (here)
            out[n] = gr_translate(
                code, gr_read_instruction<CASES>(program, i, uniform),
                more ? gr_read_instruction<CASES>(program, i + 1, uniform) : out[n], more, &fused);
        uint32_t heads = __ballot_sync(0xffffffffu, fused);
        kept[n] = __ballot_sync(0xffffffffu, here) & ~(heads << 1);
        if (lane == 0)
            counts[part] = __popc(kept[n]) | (heads & goes_on);
    }
    __syncthreads();
    uint32_t count = lane < ALL_PARTS ? counts[lane] : 0,
             before_it = __shfl_up_sync(0xffffffffu, count, 1),
             joined = lane > 0 && before_it & goes_on, behind = (count & ~goes_on) - joined,
             own = behind;
#pragma unroll
    for (uint32_t x = 1; x < ALL_PARTS; x *= 2) {
        uint32_t before = __shfl_up_sync(0xffffffffu, behind, x);
        behind += lane >= x ? before : 0;
    }
#pragma unroll
    for (uint32_t n = 0; n < PARTS; n++) {
        uint32_t part = member + n * GR_GROUP_WARPS,
                 at = __shfl_sync(0xffffffffu, behind - own, part),
                 stays = kept[n] & ~__shfl_sync(0xffffffffu, joined, part);
        if (stays >> lane & 1u)
            gr_keep_instruction(code, buffer, at + __popc(stays & ((1u << lane) - 1)), out[n]);
    }
    if (member == 0 && lane == ALL_PARTS - 1)
        gr_keep_instruction(code, buffer, behind, make_uint2(0, 0));
    __syncthreads();
    return last;
}

/* The same by one warp for up to GR_DRAWN_TOGETHER short programs, one behind the other, each with
 * an end; the first lanes hold their lengths, and where each of them ends. `stride`: from the code
 * of one to the next. A lane has a slot, an instruction or an end, whose program it finds by where
 * they end: so all lanes are occupied, and programs wait for memory together. */
template <int CASES>
__device__ __forceinline__ void
gr_load_short(const gr_code *code, const uint2 *programs, uint32_t stride, uint32_t count,
              uint32_t length, uint32_t behind, const gr_uniform &uniform, uint2 *buffer) {
    uint32_t lane = threadIdx.x % GR_LANES, at = 0, carried = 0,
             last = __shfl_sync(0xffffffffu, behind, count - 1);
    __syncwarp();
#pragma unroll 1
    for (uint32_t first = 0; first < last; first += GR_LANES) {
        uint32_t slot = first + lane, here = slot < last, number = 0, fused = 0;
#pragma unroll
        for (uint32_t x = GR_DRAWN_TOGETHER / 2; x; x /= 2)
            number += __shfl_sync(0xffffffffu, behind, number + x - 1) <= slot ? x : 0;
        uint32_t own = __shfl_sync(0xffffffffu, length, number),
                 i = slot - (__shfl_sync(0xffffffffu, behind, number) - own - 1),
                 more = i + 1 < own;
        const uint2 *program = programs + number * stride;
        uint2 out = make_uint2(0, 0);
        if (here && i < own)
            out = gr_translate(code, gr_read_instruction<CASES>(program, i, uniform),
                               more ? gr_read_instruction<CASES>(program, i + 1, uniform) : out,
                               more, &fused);
        at = gr_place_instructions(code, buffer, at, here, out, fused, &carried);
    }
    __syncwarp();
}

#endif

/* Programs over doubles as a warp runs them: instructions in parts, whether they have handlers of
 * cheap_double.cuh, and where they stand. */
#ifndef GR_PROGRAM_DOUBLE_CUH
#define GR_PROGRAM_DOUBLE_CUH

#include "gpu/core/program/evaluate.h"
#include "gpu/interpreter/interpreter.h"
#include "gpu/kernels/cheap_double.cuh"

/* ---- instructions ---- */

/* An instruction in parts: the operation (0: a load), where the operand beside the accumulator
 * comes from, whether it is the left one, whether the accumulator is pushed before; above these
 * the stack level, and where it is a handler of cheap_double.cuh, that. */
enum {
    GR_FROM_NOWHERE,
    GR_FROM_INPUT,
    GR_FROM_CONSTANT,
    GR_FROM_STACK,
    GR_IS_LEFT = 1 << 10,
    GR_PUSHES = 1 << 11,
    GR_IS_KEPT = 1 << 12, /* an input that is there from before, of what has no handler */
    GR_END = 255          /* operation behind the last instruction of a window */
};
#define GR_PARTS(op, from, more) ((uint32_t)(op) | (uint32_t)(from) << 8 | (uint32_t)(more))
#define GR_PART_OP(parts) ((parts)&0xffu)
#define GR_PART_FROM(parts) ((parts) >> 8 & 3u)
#define GR_PART_LEVEL(parts) ((parts) >> 16 & 0xffu)
#define GR_PART_JUMP(handler) ((uint32_t)(handler) << 24)
static_assert(GR_MAX_STACK_LEVELS + 2 < 256 && (int)GR_OP_COUNT < (int)GR_END,
              "parts have eight bits");
static_assert(GR_IS_LEFT == 0x0400, "GR_LEFT_BIT");
static_assert(GR_SUB == GR_ADD + 1 && GR_MUL == GR_ADD + 2, "the order of handlers");

__device__ static const uint16_t gr_parts_of_handler[GR_HANDLER_COUNT] = {
    GR_PARTS(0, GR_FROM_INPUT, 0),
    GR_PARTS(0, GR_FROM_CONSTANT, 0),
    GR_PARTS(0, GR_FROM_INPUT, GR_PUSHES),
    GR_PARTS(0, GR_FROM_CONSTANT, GR_PUSHES),
#define GR_OP1(id, names, class, exact, fast) GR_PARTS(GR_##id, GR_FROM_NOWHERE, 0),
#define GR_OP2C(id, names, symbol, class, exact, fast)                                             \
    GR_PARTS(GR_##id, GR_FROM_INPUT, 0), GR_PARTS(GR_##id, GR_FROM_CONSTANT, 0),                   \
        GR_PARTS(GR_##id, GR_FROM_STACK, GR_IS_LEFT),
#define GR_OP2(id, names, symbol, class, exact, fast)                                              \
    GR_OP2C(id, names, symbol, class, exact, fast)                                                 \
    GR_PARTS(GR_##id, GR_FROM_INPUT, GR_IS_LEFT), GR_PARTS(GR_##id, GR_FROM_CONSTANT, GR_IS_LEFT), \
        GR_PARTS(GR_##id, GR_FROM_STACK, 0),
#define GR_OP3(id, names, class, exact, fast) GR_PARTS(GR_##id, GR_FROM_NOWHERE, 0),
#define GR_WORD1(id, names, symbol, expression) 0, /* no doubles */
#define GR_WORD2C(id, names, symbol, expression) 0, 0, 0,
#include "gpu/core/base/ops.def"
};

__device__ __forceinline__ uint2 gr_take_apart(uint2 in) {
    return make_uint2((in.x & 0xffff0000u) | gr_parts_of_handler[in.x & 0xffffu], in.y);
}

enum { GR_NO_INPUT = 1 }; /* no input's offset */

/* The handler of an operation over one operand; leaving where it has none. */
template <int JUMPS> __device__ __forceinline__ uint32_t gr_jump_of_one(uint32_t op) {
    uint32_t jump = GR_JUMP_LEAVE, next = GR_JUMP_UNARY;
#define GR_HAS_HANDLER(id)                                                                         \
    jump = op == GR_##id ? next : jump;                                                            \
    next++;
    GR_DOUBLE_UNARY(GR_HAS_HANDLER)
    if (JUMPS == GR_JUMPS_TO_FUNCTIONS) {
        GR_DOUBLE_FUNCTIONS(GR_HAS_HANDLER)
    }
#undef GR_HAS_HANDLER
    return jump;
}

/* The handler of an instruction in parts, where `levels` of the stack stand in shared memory;
 * `kept`: its input is. */
template <int JUMPS>
__device__ __forceinline__ uint32_t gr_jump_of(uint32_t parts, uint32_t levels, bool kept) {
    uint32_t op = GR_PART_OP(parts), from = GR_PART_FROM(parts), level = GR_PART_LEVEL(parts);
    uint32_t left = op == GR_SUB && parts & GR_IS_LEFT;
    uint32_t order = op == GR_MUL ? 3 : op - GR_ADD + left;
    uint32_t place = gr_min_u32(level, GR_REGISTER_LEVELS);
    if ((from == GR_FROM_STACK || parts & GR_PUSHES) && level >= GR_REGISTER_LEVELS + levels)
        return GR_JUMP_LEAVE;
    if (op == 0)
        return (from == GR_FROM_CONSTANT ? GR_JUMP_LOAD_CONSTANT
                : kept                   ? GR_JUMP_LOAD_KEPT
                                         : GR_JUMP_LOAD_INPUT) +
               (parts & GR_PUSHES ? 1 + place : 0);
    if (op == GR_DIV || op == GR_PDIV) {
        uint32_t by_acc = parts & GR_IS_LEFT ? 1 : 0,
                 behind_input = from == GR_FROM_STACK ? 2 + place : 1;
        return (op == GR_DIV ? GR_JUMP_DIVIDE : GR_JUMP_PROTECTED) + by_acc +
               (from != GR_FROM_INPUT ? 1 + 2 * behind_input
                : by_acc || !kept     ? 1
                                      : 0);
    }
    if (op < GR_ADD || op > GR_MUL)
        return gr_jump_of_one<JUMPS>(op);
    return order + (from == GR_FROM_CONSTANT ? GR_JUMP_CONSTANT
                    : from == GR_FROM_STACK  ? GR_JUMP_STACK + 4 * place
                    : kept                   ? GR_JUMP_KEPT
                                             : GR_JUMP_INPUT);
}

/* Whether an instruction is left always, or may be. */
__device__ __forceinline__ bool gr_may_leave(uint32_t jump) {
    return jump == GR_JUMP_LEAVE || jump >= GR_JUMP_DIVIDE;
}

/* Whether an instruction changes which input is kept. Loads go to the accumulator alone; behind
 * what is left, and a value from the stack in memory, registers of the kept input have had the
 * operand beside the accumulator. */
__device__ __forceinline__ bool gr_changes_kept(uint32_t parts, uint32_t jump) {
    if (gr_may_leave(jump))
        return GR_PART_FROM(parts) != GR_FROM_NOWHERE;
    return jump >= GR_JUMP_INPUT && (jump < GR_JUMP_CONSTANT || jump >= GR_JUMP_STACK + 8) &&
           jump < GR_JUMP_LOAD_KEPT;
}

/* Whether `in` is + - or * of the input that `before` loads and itself: one handler. */
__device__ __forceinline__ bool gr_is_twice(uint2 before, uint2 in) {
    uint32_t first = GR_PART_OP(before.x), op = GR_PART_OP(in.x);
    return first == 0 && op >= GR_ADD && op <= GR_MUL && before.y == in.y &&
           GR_PART_FROM(before.x) == GR_FROM_INPUT && GR_PART_FROM(in.x) == GR_FROM_INPUT;
}

/* ---- where programs stand ---- */

/* A program that is read where it stands. */
struct gr_program_there {
    const uint2 *program;
    double2 *stack; /* there is none */
    uint32_t levels;
    enum { is_near = 0 };
    __device__ __forceinline__ uint32_t window(uint32_t, uint32_t length) { return length; }
    __device__ __forceinline__ uint2 at(uint32_t pc) const { return gr_take_apart(program[pc]); }
};

/* A program whose instructions the warp brings to shared memory, GR_WINDOW at a time; a short one
 * stays there for all passes. */
struct gr_program_near {
    const uint2 *program;
    uint2 *buffer; /* of the warp, [GR_BUFFER] */
    uint32_t first, last;
    double2 *stack; /* of the warp, see gr_stack */
    uint32_t levels;
    enum { is_near = 1 };
    __device__ __forceinline__ uint32_t window(uint32_t from, uint32_t length) {
        if (last == 0 || first != from) {
            first = from;
            last = gr_min_u32(from + GR_WINDOW, length);
            __syncwarp();
            for (uint32_t k = from + threadIdx.x % GR_LANES; k < last; k += GR_LANES)
                buffer[k - from] = gr_take_apart(program[k]);
            __syncwarp();
        }
        return last;
    }
    __device__ __forceinline__ uint2 at(uint32_t pc) const { return buffer[pc - first]; }
};

/* The same with handlers of cheap_double.cuh. */
template <int JUMPS> struct gr_program_jumping {
    const uint2 *program;
    gr_near_instruction *buffer;
    uint32_t first, last;
    double2 *stack;
    uint32_t levels;
    const gr_code *code; /* where handlers jump to each other: addresses by number */
    uint32_t tables;     /* of functions, in shared memory */
    /* An instruction of the window in parts; nothing beyond it. */
    __device__ __forceinline__ uint2 part(uint32_t k) const {
        return k >= first && k < last ? gr_take_apart(program[k]) : make_uint2(GR_END, 0);
    }
    /* The input that is kept before the lane's instruction `in`; *carried: before those of the
     * first lane, then of the next one's. */
    __device__ __forceinline__ uint32_t kept_before(uint2 in, uint32_t *carried) const {
        uint32_t below = (1u << threadIdx.x % GR_LANES) - 1;
        uint32_t jump = gr_jump_of<JUMPS>(in.x, levels, 0);
        bool loads = !gr_may_leave(jump) || !(in.x & GR_IS_LEFT);
        uint32_t own = loads && GR_PART_FROM(in.x) == GR_FROM_INPUT ? in.y : (uint32_t)GR_NO_INPUT;
        uint32_t changing = __ballot_sync(0xffffffffu, gr_changes_kept(in.x, jump));
        uint32_t before = __shfl_sync(0xffffffffu, own, 31 - __clz(changing & below | 1u));
        uint32_t end = __shfl_sync(0xffffffffu, own, 31 - __clz(changing | 1u));
        before = changing & below ? before : *carried;
        *carried = changing ? end : *carried;
        return before;
    }
    /* The lane's instruction k as it is run; false: it is part of the one behind it. `kept`: the
     * input kept before it. */
    __device__ __forceinline__ bool translate(uint32_t k, uint32_t kept, uint2 &in) const {
        uint2 before = k ? part(k - 1) : make_uint2(GR_END, 0), behind = part(k + 1);
        bool is_kept = GR_PART_FROM(in.x) == GR_FROM_INPUT && in.y == kept;
        uint32_t jump = gr_jump_of<JUMPS>(in.x, levels, is_kept);
        uint32_t load = gr_jump_of<JUMPS>(before.x, levels, true);
        bool begins = jump != GR_JUMP_LEAVE && gr_is_twice(in, behind);
        if (load != GR_JUMP_LEAVE && gr_is_twice(before, in)) {
            jump = GR_JUMP_TWICE + 4 * (GR_PART_OP(in.x) - GR_ADD) + load - GR_JUMP_LOAD_KEPT;
            in.x = (before.x & 0x00ff0000u) | GR_PART_OP(in.x);
        } else if (begins)
            jump = GR_JUMP_BRING;
        in.x |= GR_PART_JUMP(jump) | (is_kept && jump == GR_JUMP_LEAVE ? (uint32_t)GR_IS_KEPT : 0);
        return k < last && !(begins && is_kept);
    }
    /* Writes an instruction to its place in the buffer. */
    __device__ __forceinline__ void keep(uint32_t at, uint2 in) const {
#ifdef GR_DOUBLES_JUMP_DIRECTLY
        buffer[at] = make_uint4(code->jump[in.x >> 24], 0, in.y, in.x);
#else
        buffer[at] = in;
#endif
    }
    /* Brings the instructions from `from` on; returns where it got. */
    __device__ __forceinline__ uint32_t window(uint32_t from, uint32_t length) {
        uint32_t lane = threadIdx.x % GR_LANES, at = 0, carried = GR_NO_INPUT;
        if (last != 0 && first == from)
            return last;
        first = from;
        last = gr_min_u32(from + GR_WINDOW, length);
        __syncwarp();
        for (; from < last; from += GR_LANES) {
            uint2 in = part(from + lane);
            bool keeps = translate(from + lane, kept_before(in, &carried), in);
            uint32_t kept = __ballot_sync(0xffffffffu, keeps);
            if (keeps)
                keep(at + __popc(kept & ((1u << lane) - 1)), in);
            at += __popc(kept);
        }
        if (lane == 0)
            keep(at, make_uint2(GR_END, 0));
        __syncwarp();
        return last;
    }
};

/* What is the same for all programs of a kernel. */
__device__ __forceinline__ void gr_take_means(gr_program_near &, const gr_code *, uint32_t) {}
template <int JUMPS>
__device__ __forceinline__ void gr_take_means(gr_program_jumping<JUMPS> &program,
                                              const gr_code *code, uint32_t tables) {
    program.code = code;
    program.tables = tables;
}

#endif

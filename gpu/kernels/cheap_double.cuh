/* Runs of cheap instructions over doubles: loads, + - * /, pushes and pops. A jump table through
 * `brx.idx.uni`, as in the generated interpreter over floats (interpreter.h), of which PTX has one
 * only inside one block of text; nvcc makes branches of a `switch` here, a few for every
 * instruction. What the block does not know it leaves to evaluate_double.cuh. */
#ifndef GR_CHEAP_DOUBLE_CUH
#define GR_CHEAP_DOUBLE_CUH

#include "gpu/core/base/ops.h"
#include "gpu/core/program/linear.h"
#include "gpu/interpreter/tuner.h"

#include "gpu/kernels/functions_double.cuh"

/* ---- jumps ---- */

/* Levels of the stack in registers. The numbers of handlers below: leaving; bringing the input that
 * is kept from then on; of the operations ADD, SUB, SUB with the operands exchanged and MUL, for
 * each place of the operand; of loads, and of these operations on the kept input and itself, four
 * each: pushing nothing, to the first level, to the second, to memory. Whether an input is kept
 * already is known where a program is brought near, so that no handler asks: a branch that depends
 * on data costs every handler two more instructions, for lanes might part there. */
enum {
    GR_REGISTER_LEVELS = 2,
    GR_JUMP_LEAVE = 0,
    GR_JUMP_BRING = 1,
    GR_JUMP_KEPT = 2,  /* an operation on the kept input */
    GR_JUMP_INPUT = 6, /* on one that is brought first */
    GR_JUMP_CONSTANT = 10,
    GR_JUMP_STACK = 14, /* first level, second, memory */
    GR_JUMP_LOAD_KEPT = 26,
    GR_JUMP_LOAD_INPUT = 30,
    GR_JUMP_LOAD_CONSTANT = 34,
    GR_JUMP_TWICE = 38,     /* ADD, SUB, MUL */
    GR_JUMP_DIVIDE = 50,    /* by the kept input; by one that is brought, a constant, a level of the
                               stack, behind each, it by the accumulator */
    GR_JUMP_PROTECTED = 61, /* the same, a quotient by 0 is 1 */
    GR_JUMP_UNARY = 72, /* those of GR_DOUBLE_UNARY, and of GR_DOUBLE_FUNCTIONS, in their order */
    GR_JUMP_FUNCTION = 76
};

/* ---- text ---- */

/* Operands of the block: the accumulator, the input that is kept, two levels of the stack; and a
 * result that is not the accumulator yet. f is given those of each case. */
#define GR_CASES_4(f, ...)                                                                         \
    f("%0", "%4", "%8", "%12", "g0", __VA_ARGS__) f("%1", "%5", "%9", "%13", "g1", __VA_ARGS__)    \
        f("%2", "%6", "%10", "%14", "g2", __VA_ARGS__)                                             \
            f("%3", "%7", "%11", "%15", "g3", __VA_ARGS__)
#define GR_CASES_8(f, ...)                                                                         \
    f("%0", "%8", "%16", "%24", "g0", __VA_ARGS__) f("%1", "%9", "%17", "%25", "g1", __VA_ARGS__)  \
        f("%2", "%10", "%18", "%26", "g2", __VA_ARGS__)                                            \
            f("%3", "%11", "%19", "%27", "g3", __VA_ARGS__)                                        \
                f("%4", "%12", "%20", "%28", "g4", __VA_ARGS__)                                    \
                    f("%5", "%13", "%21", "%29", "g5", __VA_ARGS__)                                \
                        f("%6", "%14", "%22", "%30", "g6", __VA_ARGS__)                            \
                            f("%7", "%15", "%23", "%31", "g7", __VA_ARGS__)
#define GR_ACC(a, x, s, t, r) a
#define GR_KEPT(a, x, s, t, r) x
#define GR_FIRST(a, x, s, t, r) s
#define GR_SECOND(a, x, s, t, r) t
#define GR_RESULT(a, x, s, t, r) r
#define GR_NUMBER(a, x, s, t, r) "gk"

/* Pairs of cases of the accumulator and of the kept input, and how far behind the first they stand
 * in shared memory (also on the stack) and in a tile in global memory. */
#define GR_PAIRS_4(f, ...)                                                                         \
    f("{%0, %1}", "{%4, %5}", "0", "0", __VA_ARGS__)                                               \
        f("{%2, %3}", "{%6, %7}", "512", "16", __VA_ARGS__)
#define GR_PAIRS_8(f, ...)                                                                         \
    GR_PAIRS_OF_8(f, "{%0, %1}", "{%8, %9}", "{%2, %3}", "{%10, %11}", "{%4, %5}", "{%12, %13}",   \
                  "{%6, %7}", "{%14, %15}", __VA_ARGS__)
#define GR_PAIRS_OF_8(f, a, x, b, y, c, z, d, w, ...)                                              \
    f(a, x, "0", "0", __VA_ARGS__) f(b, y, "512", "16", __VA_ARGS__)                               \
        f(c, z, "1024", "1024", __VA_ARGS__) f(d, w, "1536", "1040", __VA_ARGS__)
#define GR_LOAD_ACC_SHARED(a, x, near, far, at) "ld.shared.v2.f64 " a ", [" at "+" near "];\n"
#define GR_LOAD_KEPT_SHARED(a, x, near, far, at) "ld.shared.v2.f64 " x ", [" at "+" near "];\n"
#define GR_STORE_ACC_SHARED(a, x, near, far, at) "st.shared.v2.f64 [" at "+" near "], " a ";\n"
#define GR_LOAD_ACC_GLOBAL(a, x, near, far, at) "ld.global.v2.f64 " a ", [" at "64+" far "];\n"
#define GR_LOAD_KEPT_GLOBAL(a, x, near, far, at) "ld.global.v2.f64 " x ", [" at "64+" far "];\n"

/* Where the input `gc` begins for the lane: operands count floats. */
#define GR_INPUT_AT_SHARED "mad.lo.u32 ga, gc, 2, gt;\n"
#define GR_INPUT_AT_GLOBAL "mad.wide.u32 ga64, gc, 2, gt64;\n"
#define GR_TILE_SHARED ".reg .b32 gt;\nmov.b32 gt, "
#define GR_TILE_GLOBAL ".reg .b64 gt64, ga64;\nmov.b64 gt64, "
/* Where the instruction's level of the stack stands in memory. */
#define GR_LEVEL_AT(size) "bfe.u32 ga, gh, 16, 8;\nmad.lo.u32 ga, ga, " size ", gs;\n"

/* An instruction in shared memory: parts and operand; where handlers jump to each other directly
 * (direct_jumps.h), {address, 0, operand, parts}, as in a machine over floats with GR_DIRECT_WIDE.
 */
#ifdef GR_DOUBLES_JUMP_DIRECTLY
typedef uint4 gr_near_instruction;
#define GR_INSTRUCTION "16"
#define GR_READ_INSTRUCTION(at) "ld.shared.v4.b32 {gd, gj, gc, gh}, [" at "];\n"
#define GR_JUMP_TO_NEXT "xor.b32 gd, gd, gj;\nbrx.idx.uni gd, HANDLERS;\n"
#else
typedef uint2 gr_near_instruction;
#define GR_INSTRUCTION "8"
#define GR_READ_INSTRUCTION(at) "ld.shared.v2.b32 {gh, gc}, [" at "];\n"
#define GR_JUMP_TO_NEXT "shr.u32 gj, gh, 24;\nbrx.idx.uni gj, HANDLERS;\n"
#endif

/* A handler begins, reads the next instruction as soon as it has taken what it needs of its own,
 * and goes to the only jump, whose table the cache of constants holds; with a table each, measured
 * over floats, the machine is half as fast. */
#define GR_HANDLE(number, takes, ...) GR_HANDLE_BY(NEXT, number, takes, __VA_ARGS__)
#define GR_HANDLE_BY(then, number, takes, ...)                                                     \
    GR_ENTER(number, takes) __VA_ARGS__ "bra.uni " #then ";\n"
#define GR_ENTER(number, takes)                                                                    \
    "J" #number                                                                                    \
    ":\n" takes GR_READ_INSTRUCTION("gp+" GR_INSTRUCTION) "add.u32 gp, gp, " GR_INSTRUCTION ";\n"
#define GR_LINE(a, x, s, t, r, what, to, left, right)                                              \
    what ".f64 " to(a, x, s, t, r) ", " left(a, x, s, t, r) ", " right(a, x, s, t, r) ";\n"
#define GR_MOVE(a, x, s, t, r, to, from) "mov.f64 " to(a, x, s, t, r) ", " from(a, x, s, t, r) ";\n"
/* -0 added moves a double by one instruction in place of two. */
#define GR_PUSH(a, x, s, t, r, to) "add.rn.f64 " to(a, x, s, t, r) ", " a ", 0d8000000000000000;\n"
#define GR_TAKE_CONSTANT "mov.b32 gf, gc;\ncvt.f64.f32 gk, gf;\n"
/* The four operations. */
#define GR_FOUR(cases, first, second, third, fourth, takes, more, other)                           \
    GR_HANDLE(first, takes, more cases(GR_LINE, "add.rn", GR_ACC, GR_ACC, other))                  \
    GR_HANDLE(second, takes, more cases(GR_LINE, "sub.rn", GR_ACC, GR_ACC, other))                 \
    GR_HANDLE(third, takes, more cases(GR_LINE, "sub.rn", GR_ACC, other, GR_ACC))                  \
    GR_HANDLE(fourth, takes, more cases(GR_LINE, "mul.rn", GR_ACC, GR_ACC, other))
/* What begins a subtree, pushing nothing or to one of three places; `takes` may use ga. */
#define GR_BEGIN(cases, pairs, size, first, second, third, fourth, takes, ...)                     \
    GR_HANDLE(first, takes, __VA_ARGS__)                                                           \
    GR_HANDLE(second, takes, cases(GR_PUSH, GR_FIRST) __VA_ARGS__)                                 \
    GR_HANDLE(third, takes, cases(GR_PUSH, GR_SECOND) __VA_ARGS__)                                 \
    GR_HANDLE(fourth, "bfe.u32 gb, gh, 16, 8;\nmad.lo.u32 gb, gb, " size ", gs;\n" takes,          \
              pairs(GR_STORE_ACC_SHARED, "gb") __VA_ARGS__)

#define GR_TABLE(more)                                                                             \
    "HANDLERS: .branchtargets J0, J1, J2, J3, J4, J5, J6, J7, J8, J9, J10, J11, J12, J13, J14, "   \
    "J15, J16, J17, J18, J19, J20, J21, J22, J23, J24, J25, J26, J27, J28, J29, J30, J31, J32, "   \
    "J33, J34, J35, J36, J37, J38, J39, J40, J41, J42, J43, J44, J45, J46, J47, J48, J49, J50, "   \
    "J51, J52, J53, J54, J55, J56, J57, J58, J59, J60, J61, J62, J63, J64, J65, J66, J67, J68, "   \
    "J69, J70, J71, J72, J73, J74, J75" more ";\n"

/* An operation on the kept input and itself begins a subtree, behind a label of its own: ptxas
 * would take it before what is pushed, and move its results. */
#define GR_BEGIN_TWICE(cases, pairs, size, name, what, first, second, third, fourth)               \
    GR_HANDLE_BY(name, first, "", "")                                                              \
    GR_ENTER(second, "")                                                                           \
    cases(GR_PUSH, GR_FIRST) GR_TWICE(cases, name, what) GR_ENTER(third, "")                       \
        cases(GR_PUSH, GR_SECOND) GR_TWICE(cases, name##_FAR, what)                                \
            GR_HANDLE_BY(name##_FAR, fourth,                                                       \
                         "bfe.u32 gb, gh, 16, 8;\nmad.lo.u32 gb, gb, " size ", gs;\n",             \
                         pairs(GR_STORE_ACC_SHARED, "gb"))
#define GR_TWICE(cases, name, what)                                                                \
#name ":\n" cases(GR_LINE, what, GR_ACC, GR_KEPT, GR_KEPT) "bra.uni NEXT;\n"
#define GR_LOADS(cases, pairs, size, memory)                                                       \
    GR_BEGIN(cases, pairs, size, 26, 27, 28, 29, "", cases(GR_MOVE, GR_ACC, GR_KEPT))              \
    GR_BEGIN(cases, pairs, size, 30, 31, 32, 33, GR_INPUT_AT_##memory,                             \
             pairs(GR_LOAD_ACC_##memory, "ga"))                                                    \
    GR_BEGIN(cases, pairs, size, 34, 35, 36, 37, GR_TAKE_CONSTANT,                                 \
             cases(GR_MOVE, GR_ACC, GR_NUMBER))                                                    \
    GR_BEGIN_TWICE(cases, pairs, size, TWICE, "add.rn", 38, 39, 40, 41)                            \
    GR_BEGIN_TWICE(cases, pairs, size, NOTHING, "sub.rn", 42, 43, 44, 45)                          \
    GR_BEGIN_TWICE(cases, pairs, size, SQUARED, "mul.rn", 46, 47, 48, 49)
#define GR_OPERATIONS(cases, pairs, size, memory)                                                  \
    GR_FOUR(cases, 2, 3, 4, 5, "", "", GR_KEPT)                                                    \
    GR_FOUR(cases, 6, 7, 8, 9, GR_INPUT_AT_##memory, pairs(GR_LOAD_KEPT_##memory, "ga"), GR_KEPT)  \
    GR_FOUR(cases, 10, 11, 12, 13, GR_TAKE_CONSTANT, "", GR_NUMBER)                                \
    GR_FOUR(cases, 14, 15, 16, 17, "", "", GR_FIRST)                                               \
    GR_FOUR(cases, 18, 19, 20, 21, "", "", GR_SECOND)                                              \
    GR_FOUR(cases, 22, 23, 24, 25, GR_LEVEL_AT(size), pairs(GR_LOAD_KEPT_SHARED, "ga"), GR_KEPT)

/* A division brings its operand to where an input is kept; where the accumulator divides it, they
 * change places. All go on in one place: there is not more code than the cache of instructions
 * takes. */
#define GR_BY_OPERAND(kind, number, takes, ...)                                                    \
    GR_HANDLE_BY(DIVIDE, number, kind takes, __VA_ARGS__)
#define GR_BY_ACC(cases, kind, number, takes, ...)                                                 \
    GR_HANDLE_BY(DIVIDE, number, kind takes, cases(GR_MOVE, GR_KEPT, GR_ACC) __VA_ARGS__)
#define GR_ALL_PLACES(cases, pairs, size, memory, kind, a, b, c, d, e, f, g, h, i, j, k)           \
    GR_BY_OPERAND(kind, a, "", "")                                                                 \
    GR_BY_OPERAND(kind, b, GR_INPUT_AT_##memory, pairs(GR_LOAD_KEPT_##memory, "ga"))               \
    GR_BY_ACC(cases, kind, c, GR_INPUT_AT_##memory, pairs(GR_LOAD_ACC_##memory, "ga"))             \
    GR_BY_OPERAND(kind, d, GR_TAKE_CONSTANT, cases(GR_MOVE, GR_KEPT, GR_NUMBER))                   \
    GR_BY_ACC(cases, kind, e, GR_TAKE_CONSTANT, cases(GR_MOVE, GR_ACC, GR_NUMBER))                 \
    GR_BY_OPERAND(kind, f, "", cases(GR_MOVE, GR_KEPT, GR_FIRST))                                  \
    GR_BY_ACC(cases, kind, g, "", cases(GR_MOVE, GR_ACC, GR_FIRST))                                \
    GR_BY_OPERAND(kind, h, "", cases(GR_MOVE, GR_KEPT, GR_SECOND))                                 \
    GR_BY_ACC(cases, kind, i, "", cases(GR_MOVE, GR_ACC, GR_SECOND))                               \
    GR_BY_OPERAND(kind, j, GR_LEVEL_AT(size), pairs(GR_LOAD_KEPT_SHARED, "ga"))                    \
    GR_BY_ACC(cases, kind, k, GR_LEVEL_AT(size), pairs(GR_LOAD_ACC_SHARED, "ga"))
#define GR_DIVISIONS(cases, pairs, size, memory)                                                   \
    GR_ALL_PLACES(cases, pairs, size, memory, "mov.pred gone, 0;\n", 50, 51, 52, 53, 54, 55, 56,   \
                  57, 58, 59, 60)                                                                  \
    GR_ALL_PLACES(cases, pairs, size, memory, "mov.pred gone, 1;\n", 61, 62, 63, 64, 65, 66, 67,   \
                  68, 69, 70, 71)                                                                  \
    GR_DIVIDE(cases)

#define GR_UNARY(a, x, s, t, r, what) what ".f64 " a ", " a ";\n"
#define GR_SQUARED(a, x, s, t, r, ...) "mul.rn.f64 " a ", " a ", " a ";\n"
#define GR_CUBED(a, x, s, t, r, ...) "mul.rn.f64 ge, " a ", " a ";\nmul.rn.f64 " a ", ge, " a ";\n"
#define GR_UNARIES(cases)                                                                          \
    GR_HANDLE(72, "", cases(GR_UNARY, "neg"))                                                      \
    GR_HANDLE(73, "", cases(GR_UNARY, "abs"))                                                      \
    GR_HANDLE(74, "", cases(GR_SQUARED, 0)) GR_HANDLE(75, "", cases(GR_CUBED, 0))

/* The bit of an instruction in parts: the operand is the left one. */
#define GR_LEFT_BIT "0x0400"

/* gr_div_seen_d of all cases; specials in a second pass, which few need. Where it may be wrong for
 * one of the warp, the instruction is left, its operands as they were, and any input is read again.
 * All lanes go the same way, since a jump that they reach apart costs every handler more. */
#define GR_DIVIDE(cases) GR_COMMON(cases) GR_SPECIAL(cases) GR_RARE(cases)
#define GR_COMMON(cases)                                                                           \
    "DIVIDE:\nmov.pred gright, 1;\n" cases(GR_QUOTIENT) GR_UNLESS_ALL_RIGHT(                       \
        SPECIAL) "DIVIDED:\n" cases(GR_MOVE, GR_ACC, GR_RESULT) "bra.uni NEXT;\n"
#define GR_SPECIAL(cases)                                                                          \
    "SPECIAL:\nmov.pred gright, 1;\n" cases(GR_SPECIALS)                                           \
        GR_UNLESS_ALL_RIGHT(RARE) "bra.uni DIVIDED;\n"
#define GR_RARE(cases)                                                                             \
    "RARE:\nsub.u32 gp, gp, " GR_INSTRUCTION                                                       \
    ";\n" GR_READ_INSTRUCTION("gp") "and.b32 gj, gh, " GR_LEFT_BIT ";\n"                           \
                                    "setp.eq.u32 gplain, gj, 0;\n@gplain bra.uni J0;\n" cases(     \
                                        GR_MOVE, GR_ACC, GR_KEPT) "bra.uni J0;\n"
#define GR_UNLESS_ALL_RIGHT(then)                                                                  \
    "vote.sync.all.pred gright, gright, 0xffffffff;\n@!gright bra.uni " #then ";\n"
#define GR_QUOTIENT(a, b, s, t, r, ...)                                                            \
    "rcp.approx.ftz.f64 gy, " b ";\nmov.b64 {gl, gm}, gy;\nmov.b64 gu, {glow, gm};\n"              \
    "neg.f64 gn, " b ";\nfma.rn.f64 ge, gn, gu, 0d3FF0000000000000;\n"                             \
    "fma.rn.f64 ge, ge, ge, ge;\nfma.rn.f64 gu, gu, ge, gu;\n"                                     \
    "fma.rn.f64 ge, gn, gu, 0d3FF0000000000000;\nfma.rn.f64 gu, gu, ge, gu;\n"                     \
    "mul.rn.f64 gq, " a ", gu;\nfma.rn.f64 ge, gn, gq, " a ";\nfma.rn.f64 " r                      \
    ", gu, ge, gq;\n" GR_IS_PLAIN(a, b, r) "and.pred gright, gright, gplain;\n"
#define GR_IS_PLAIN(a, b, r)                                                                       \
    "mov.b64 {gl, gv}, " a ";\nmov.b32 gf, gv;\nabs.f32 gf, gf;\n"                                 \
    "setp.ge.f32 gplain, gf, 0f03600000;\n"                                                        \
    "mov.b64 {gl, gv}, " b ";\nmov.b32 gf, gv;\nmov.b64 {gl, gv}, " r ";\nmov.b32 gg, gv;\n"       \
    "fma.rn.f32 gf, 0f00000000, gf, gg;\nabs.f32 gf, gf;\n"                                        \
    "setp.gt.and.f32 gplain, gf, 0f00100000, gplain;\n"
#define GR_SPECIALS(a, b, s, t, r, ...)                                                            \
    GR_IS_PLAIN(a, b, r)                                                                           \
    "rcp.approx.ftz.f64 gy, " b ";\nmov.b64 {gl, gm}, gy;\n"                                       \
    "setp.eq.f64 gzero, " b ", 0d0000000000000000;\nabs.f64 ge, " b ";\n"                          \
    "setp.geu.or.f64 gspecial, ge, 0d7FF0000000000000, gzero;\n"                                   \
    "setp.eq.f64 gnone, " a ", 0d0000000000000000;\nabs.f64 ge, " a ";\n"                          \
    "setp.geu.or.f64 gnone, ge, 0d7FF0000000000000, gnone;\n"                                      \
    "shl.b32 gm, gm, 1;\nsub.u32 gm, gm, 0x00200000;\n"                                            \
    "setp.lt.and.u32 gnone, gm, 0xffc00000, gnone;\nor.pred gspecial, gspecial, gnone;\n"          \
    "mul.rn.f64 ge, " a ", gy;\nselp.f64 " r ", ge, " r ", gspecial;\n"                            \
    "and.pred gzero, gzero, gone;\nselp.f64 " r ", 0d3FF0000000000000, " r ", gzero;\n"            \
    "or.pred gplain, gplain, gspecial;\nand.pred gright, gright, gplain;\n"

#define GR_REGISTERS                                                                               \
    ".reg .b32 gp, gh, gc, gs, ga, gb, gj, gd, gl, gm, gv, glow;\n.reg .f32 gf, gg;\n"             \
    ".reg .f64 gk, gy, gu, gn, ge, gq, g0, g1, g2, g3, g4, g5, g6, g7;\n"                          \
    ".reg .pred gright, gplain, gspecial, gnone, gzero, gone;\n"

/* The block, and the names of its operands behind those of the cases. `functions`: TABLE alone, or
 * FUNCTIONS, with the address of their tables. */
#define GR_RUN_CHEAP(cases, pairs, functions, size, memory, gp_, gh_, gc_, gs_, gt_, gnear_)       \
    "{\n" GR_REGISTERS "mov.b32 glow, 1;\nmov.b32 gp, " gp_ ";\nmov.b32 gs, " gs_                  \
    ";\n" GR_TILE_##memory gt_ ";\n" GR_BEGIN_##functions(gnear_)                                  \
        GR_READ_INSTRUCTION("gp") "NEXT:\n" GR_JUMP_TO_NEXT GR_HANDLE(                             \
            1, GR_INPUT_AT_##memory, pairs(GR_LOAD_KEPT_##memory, "ga"))                           \
            GR_OPERATIONS(cases, pairs, size, memory) GR_LOADS(cases, pairs, size, memory)         \
                GR_UNARIES(cases) GR_DIVISIONS(cases, pairs, size, memory)                         \
                    GR_END_##functions(cases) "J0:\nmov.b32 " gp_ ", gp;\nmov.b32 " gh_            \
                                              ", gh;\nmov.b32 " gc_ ", gc;\n}\n"
#define GR_BEGIN_TABLE(near) GR_TABLE("")
#define GR_END_TABLE(cases)
#define GR_BEGIN_FUNCTIONS(near)                                                                   \
    GR_FUNCTION_REGISTERS "mov.b32 gexponent, 0x43300000;\nmov.b32 gnear, " near                   \
                          ";\n" GR_TABLE(GR_FUNCTION_TARGETS)
#define GR_END_FUNCTIONS(cases) GR_FUNCTIONS(cases)

#define GR_FOUR_OF(c) "+d"((c)[0]), "+d"((c)[1]), "+d"((c)[2]), "+d"((c)[3])
#define GR_EIGHT_OF(c) GR_FOUR_OF(c), GR_FOUR_OF((c) + 4)

/* ---- the block ---- */

/* What a run goes on with: where its instruction stands in shared memory; the stack of the lane
 * there, as if the levels in registers came before; and for functions their tables. */
struct gr_run_at {
    uint32_t instruction, stack, tables;
};

#define GR_RUN_BLOCK(cases, pairs, functions, size, memory, of, gp_, gh_, gc_, gs_, gt_, gnear_,   \
                     tile)                                                                         \
    asm volatile(                                                                                  \
        GR_RUN_CHEAP(cases, pairs, functions, size, memory, gp_, gh_, gc_, gs_, gt_, gnear_)       \
        : of(acc), of(kept), of(first), of(second), "+r"(at.instruction), "=r"(left.x),            \
          "=r"(left.y)                                                                             \
        : "r"(at.stack), tile, "r"(at.tables)                                                      \
        : "memory")
#define GR_RUN_OF_8(memory)                                                                        \
    GR_RUN_BLOCK(GR_CASES_8, GR_PAIRS_8, TABLE, "2048", memory, GR_EIGHT_OF, "%32", "%33", "%34",  \
                 "%35", "%36", "%37", GR_TILE_IN_##memory)
#define GR_RUN_OF_4(functions, memory)                                                             \
    GR_RUN_BLOCK(GR_CASES_4, GR_PAIRS_4, functions, "1024", memory, GR_FOUR_OF, "%16", "%17",      \
                 "%18", "%19", "%20", "%21", GR_TILE_IN_##memory)
#define GR_TILE_IN_SHARED "r"((uint32_t)__cvta_generic_to_shared(tile))
#define GR_TILE_IN_GLOBAL "l"(__cvta_generic_to_global(tile))

/* Runs instructions up to one that it leaves, which it returns. */
template <int K, int SHARED, int JUMPS>
__device__ __forceinline__ uint2 gr_run_cheap(gr_run_at &at, const double *tile, double (&acc)[K],
                                              double (&kept)[K], double (&first)[K],
                                              double (&second)[K]) {
    constexpr bool functions = JUMPS == GR_JUMPS_TO_FUNCTIONS;
    uint2 left;
    static_assert(K == 4 || !functions, "more code than the cache of instructions holds");
    if constexpr (K == 8 && SHARED)
        GR_RUN_OF_8(SHARED);
    else if constexpr (K == 8)
        GR_RUN_OF_8(GLOBAL);
    else if constexpr (SHARED && functions)
        GR_RUN_OF_4(FUNCTIONS, SHARED);
    else if constexpr (functions)
        GR_RUN_OF_4(FUNCTIONS, GLOBAL);
    else if constexpr (SHARED)
        GR_RUN_OF_4(TABLE, SHARED);
    else
        GR_RUN_OF_4(TABLE, GLOBAL);
    return left;
}

#endif

/* Elementary functions over doubles as handlers of cheap_double.cuh: what math_double.h has, as
 * text of PTX, for all cases of a lane side by side, since a jump table is within one block of text
 * only; the numbers are those of math_double.h, and tests/gpu/operations_double_gpu.cu holds the
 * results to its bits. Entries of tables come from the lanes, which have one each: from memory,
 * where every lane wants another, they would take longer than the arithmetic.
 *
 * The first pass is for operands of which nothing has to be asked. Where a case of the warp has
 * another, a second one gives zeros, infinities, NaN and what is out of range their results, and
 * where that is not all, the instruction is left, its operand as it was. */
#ifndef GR_FUNCTIONS_DOUBLE_CUH
#define GR_FUNCTIONS_DOUBLE_CUH

#include "gpu/core/base/math_double.h"

/* A line a step. */
/* clang-format off */

/* ---- numbers ---- */

/* By a name that text can call them by: an instruction takes them as operands from here. */
extern "C" {
__constant__ double gr_numbers_of_functions_d[] = {GR_EXP_STEP_D,  GR_EXP_TERMS_D, GR_LOG_TERMS_D,
                                                   GR_LN2_HI_D,    GR_LN2_LO_D,    GR_TURN_D,
                                                   GR_SIN_TERMS_D, GR_COS_TERMS_D};
}
static_assert(sizeof gr_numbers_of_functions_d == 30 * sizeof(double), "offsets below");

#define GR_NUMBER_OF(to, offset) "ld.const.f64 " to ", [gr_numbers_of_functions_d+" offset "];\n"
#define GR_EXP_NUMBERS                                                                             \
    GR_NUMBER_OF("gc0", "0")                                                                       \
    GR_NUMBER_OF("gc1", "8")                                                                       \
    GR_NUMBER_OF("gc2", "16")                                                                      \
    GR_NUMBER_OF("gc3", "24")                                                                      \
    GR_NUMBER_OF("gc4", "32")                                                                      \
    GR_NUMBER_OF("gc5", "40")                                                                      \
    GR_NUMBER_OF("gc6", "48")                                                                      \
    GR_NUMBER_OF("gc7", "56")
#define GR_LOG_NUMBERS                                                                             \
    GR_NUMBER_OF("gc0", "64")                                                                      \
    GR_NUMBER_OF("gc1", "72")                                                                      \
    GR_NUMBER_OF("gc2", "80")                                                                      \
    GR_NUMBER_OF("gc3", "88")                                                                      \
    GR_NUMBER_OF("gc4", "96")                                                                      \
    GR_NUMBER_OF("gc5", "104")                                                                     \
    GR_NUMBER_OF("gc6", "112")                                                                     \
    GR_NUMBER_OF("gc7", "120")                                                                     \
    GR_NUMBER_OF("gc8", "128")                                                                     \
    GR_NUMBER_OF("gc9", "136")
#define GR_SIN_NUMBERS                                                                             \
    GR_NUMBER_OF("gc0", "144")                                                                     \
    GR_NUMBER_OF("gc1", "152")                                                                     \
    GR_NUMBER_OF("gc2", "160")                                                                     \
    GR_NUMBER_OF("gc3", "168")                                                                     \
    GR_NUMBER_OF("gc4", "176")                                                                     \
    GR_NUMBER_OF("gc5", "184")                                                                     \
    GR_NUMBER_OF("gc6", "192")                                                                     \
    GR_NUMBER_OF("gc7", "200")                                                                     \
    GR_NUMBER_OF("gc8", "208")                                                                     \
    GR_NUMBER_OF("gc9", "216")                                                                     \
    GR_NUMBER_OF("gc10", "224")                                                                    \
    GR_NUMBER_OF("gc11", "232")

/* The lane's own entries of two tables, `one` and `two` bytes behind the first, in words. */
#define GR_OWN_ENTRIES(one, two)                                                                   \
    "ld.global.nc.f64 ge, [gown+" one "];\nmov.b64 {gone0, gone1}, ge;\n"                          \
    "ld.global.nc.f64 ge, [gown+" two "];\nmov.b64 {gtwo0, gtwo1}, ge;\n"
#define GR_OWN_POWERS GR_OWN_ENTRIES("0", "256")
#define GR_OWN_LOGS GR_OWN_ENTRIES("512", "768")
#define GR_OWN_SINES GR_OWN_ENTRIES("1024", "1280")
static_assert(offsetof(gr_tables_d, power_rest) == 256 && offsetof(gr_tables_d, inverse) == 512 &&
                  offsetof(gr_tables_d, log) == 768 && offsetof(gr_tables_d, sine) == 1024 &&
                  offsetof(gr_tables_d, sine_rest) == 1280 && (int)GR_ENTRIES_D == (int)GR_LANES,
              "an entry a lane");

#define GR_SHUFFLE(to, from, at) "shfl.sync.idx.b32 " to ", " from ", " at ", 31, 0xffffffff;\n"
#define GR_FMA(to, a, b, c) "fma.rn.f64 " to ", " a ", " b ", " c ";\n"
#define GR_ADD_TO(to, a, b) "add.rn.f64 " to ", " a ", " b ";\n"
#define GR_SUB_TO(to, a, b) "sub.rn.f64 " to ", " a ", " b ";\n"
#define GR_MUL_TO(to, a, b) "mul.rn.f64 " to ", " a ", " b ";\n"

/* ---- passes ---- */

/* Registers of a case between its steps: r with a letter behind it. */
#define GR_REGISTERS_OF(r)                                                                         \
    ".reg .f64 " r "x, " r "y, " r "z;\n"                                                          \
    ".reg .b32 " r "k, " r "a, " r "b, " r "c, " r "d, " r "e;\n"
#define GR_FUNCTION_REGISTERS                                                                      \
    GR_REGISTERS_OF("g0")                                                                          \
    GR_REGISTERS_OF("g1")                                                                          \
    GR_REGISTERS_OF("g2")                                                                          \
    GR_REGISTERS_OF("g3")                                                                          \
    ".reg .f64 gc<12>, glimit, gother;\n.reg .f32 gleast;\n.reg .b64 gown;\n"                      \
    ".reg .b32 gone0, gone1, gtwo0, gtwo1, geighths, gnull, gexponent;\n"
#define GR_FUNCTION_TARGETS ", J76, J77, J78, J79, J80, J81, J82, J83, J84, J85"

/* A first pass goes on to `then` where a case is not for it; the second pass, there, leaves what is
 * not for it either. Results become the accumulator in one place. Shuffles of all cases stand
 * together, since the machine asks before each group of them whether lanes have parted. */
#define GR_FIRST_PASS(then, cases, place, ask, finish)                                             \
    "mov.pred gright, 1;\n"                                                                        \
    cases(place, 0)                                                                                \
    cases(ask, 0)                                                                                  \
    cases(finish, 0)                                                                               \
    GR_UNLESS_ALL_RIGHT(then)                                                                      \
    "bra.uni DIVIDED;\n"
#define GR_SECOND_PASS(name, cases, specials)                                                      \
    #name ":\nmov.pred gright, 1;\n"                                                               \
    cases(specials, 0)                                                                             \
    GR_UNLESS_ALL_RIGHT(RARE)                                                                      \
    "bra.uni DIVIDED;\n"

/* The high word of a case as a float: as large among these, and a NaN from 2^1017 on. */
#define GR_HIGH_OF(a) "mov.b64 {gl, gv}, " a ";\nmov.b32 gf, gv;\n"
#define GR_IS_RIGHT(predicate) "and.pred gright, gright, " predicate ";\n"

/* ---- exp ---- */

/* Results are normal numbers for |x| < 708. */
#define GR_EXP_PLACE(a, x, s, t, r, ...)                                                           \
    GR_HIGH_OF(a)                                                                                  \
    "abs.f32 gf, gf;\nsetp.lt.and.f32 gright, gf, 0f40862000, gright;\n"                           \
    GR_FMA(r "z", a, "gc0", "0d4338000000000000")                                                  \
    "mov.b64 {" r "k, gl}, " r "z;\n"                                                              \
    GR_SUB_TO(r "z", r "z", "0d4338000000000000")                                                  \
    GR_FMA(r "x", r "z", "gc1", a)                                                                 \
    GR_FMA(r "x", r "z", "gc2", r "x")
#define GR_EXP_ASK(a, x, s, t, r, ...)                                                             \
    GR_SHUFFLE(r "a", "gone0", r "k")                                                              \
    GR_SHUFFLE(r "b", "gone1", r "k")                                                              \
    GR_SHUFFLE(r "c", "gtwo1", r "k")
#define GR_EXP_FINISH(a, x, s, t, r, ...)                                                          \
    GR_FMA("ge", "gc3", r "x", "gc4")                                                              \
    GR_FMA("ge", "ge", r "x", "gc5")                                                               \
    GR_FMA("ge", "ge", r "x", "gc6")                                                               \
    GR_FMA("ge", "ge", r "x", "gc7")                                                               \
    GR_MUL_TO("gq", r "x", r "x")                                                                  \
    GR_FMA("ge", "ge", "gq", r "x")                                                                \
    "mov.b64 gy, {" r "a, " r "b};\nmov.b64 gn, {gnull, " r "c};\n"                                \
    GR_FMA("ge", "gy", "ge", "gn")                                                                 \
    GR_ADD_TO("ge", "gy", "ge")                                                                    \
    "mov.b64 {gl, gm}, ge;\nand.b32 gv, " r "k, 0xffffffe0;\n"                                     \
    "mad.lo.s32 gm, gv, 32768, gm;\nmov.b64 " r ", {gl, gm};\n"
/* Beyond what clamping leaves, and NaN. */
#define GR_EXP_SPECIALS(a, x, s, t, r, ...)                                                        \
    GR_HIGH_OF(a)                                                                                  \
    "abs.f32 gf, gf;\nsetp.lt.f32 gplain, gf, 0f40862000;\n"                                       \
    "setp.ge.f64 gspecial, " a ", 0d4086300000000000;\n"                                           \
    "selp.f64 " r ", 0d7FF0000000000000, " r ", gspecial;\nor.pred gplain, gplain, gspecial;\n"    \
    "setp.le.f64 gspecial, " a ", 0dC087500000000000;\n"                                           \
    "selp.f64 " r ", 0d0000000000000000, " r ", gspecial;\nor.pred gplain, gplain, gspecial;\n"    \
    "setp.nan.f64 gspecial, " a ", " a ";\n"                                                       \
    "selp.f64 " r ", 0d7FF8000000000000, " r ", gspecial;\nor.pred gplain, gplain, gspecial;\n"    \
    GR_IS_RIGHT("gplain")
static_assert(GR_EXP_MAX_D == 710.0 && GR_EXP_MIN_D == -746.0, "the numbers above");

/* ---- log ---- */

/* Of the accumulator, for normal numbers below 2^1017; negative ones have none, which is frequent.
 */
#define GR_LOG_PLACE(a, x, s, t, r, ...)                                                           \
    GR_HIGH_OF(a)                                                                                  \
    "abs.f32 gf, gf;\nsetp.ge.and.f32 gright, gf, 0f00100000, gright;\n"                           \
    GR_LOG_SPLIT(r)
#define GR_PROTECTED_PLACE(a, x, s, t, r, ...)                                                     \
    GR_HIGH_OF(r)                                                                                  \
    "setp.ge.and.f32 gright, gf, 0f00100000, gright;\n"                                            \
    "setp.gt.and.f64 gright, " r ", glimit, gright;\n"                                             \
    GR_LOG_SPLIT(r)
/* gr_log_split_d of {gl, gv}: the low word of GR_LOG_LOWEST_D is 0. */
#define GR_LOG_SPLIT(r)                                                                            \
    "add.u32 gv, gv, 0x000a0000;\nshr.u32 " r "k, gv, 15;\nshr.u32 gm, gv, 20;\n"                  \
    "and.b32 gv, gv, 0x000fffff;\nadd.u32 gv, gv, 0x3fe60000;\nmov.b64 " r "x, {gl, gv};\n"        \
    "mov.b64 " r "y, {gm, gexponent};\n"                                                           \
    GR_SUB_TO(r "y", r "y", "0d43300000000003FF")
static_assert(GR_LOG_LOWEST_D == 0x3fe6000000000000ull, "the numbers above");
#define GR_LOG_ASK(a, x, s, t, r, ...)                                                             \
    GR_SHUFFLE(r "a", "gone0", r "k")                                                              \
    GR_SHUFFLE(r "b", "gone1", r "k")                                                              \
    GR_SHUFFLE(r "c", "gtwo0", r "k")                                                              \
    GR_SHUFFLE(r "d", "gtwo1", r "k")
#define GR_LOG_FINISH(a, x, s, t, r, ...)                                                          \
    "mov.b64 gy, {" r "a, " r "b};\nmov.b64 gn, {" r "c, " r "d};\n"                               \
    GR_FMA("gy", r "x", "gy", "0dBFF0000000000000")                                                \
    GR_FMA("ge", "gc0", "gy", "gc1")                                                               \
    GR_FMA("ge", "ge", "gy", "gc2")                                                                \
    GR_FMA("ge", "ge", "gy", "gc3")                                                                \
    GR_FMA("ge", "ge", "gy", "gc4")                                                                \
    GR_FMA("ge", "ge", "gy", "gc5")                                                                \
    GR_FMA("ge", "ge", "gy", "gc6")                                                                \
    GR_FMA("ge", "ge", "gy", "gc7")                                                                \
    GR_FMA("gn", r "y", "gc8", "gn")                                                               \
    GR_ADD_TO("gu", "gn", "gy")                                                                    \
    GR_SUB_TO("gn", "gn", "gu")                                                                    \
    GR_ADD_TO("gn", "gn", "gy")                                                                    \
    GR_FMA("gn", r "y", "gc9", "gn")                                                               \
    GR_MUL_TO("gy", "gy", "gy")                                                                    \
    GR_FMA("ge", "ge", "gy", "gn")                                                                 \
    GR_ADD_TO(r, "gu", "ge")
#define GR_LOG_OR_NONE(a, x, s, t, r, ...)                                                         \
    GR_LOG_FINISH(a, x, s, t, r, 0)                                                                \
    GR_HIGH_OF(a)                                                                                  \
    "setp.lt.s32 gspecial, gv, 0;\nmov.b64 {gl, gm}, " r ";\n"                                     \
    "selp.b32 gm, 0x7ff80000, gm, gspecial;\nmov.b64 " r ", {gl, gm};\n"
/* Zero, infinity and NaN; and negative numbers, with those. */
#define GR_LOG_SPECIALS(a, x, s, t, r, ...)                                                        \
    GR_HIGH_OF(a)                                                                                  \
    "setp.ge.f32 gplain, gf, 0f00100000;\n"                                                        \
    "setp.ltu.f64 gspecial, " a ", 0d0000000000000000;\n"                                          \
    "selp.f64 " r ", 0d7FF8000000000000, " r ", gspecial;\nor.pred gplain, gplain, gspecial;\n"    \
    "setp.eq.f64 gspecial, " a ", 0d0000000000000000;\n"                                           \
    "selp.f64 " r ", 0dFFF0000000000000, " r ", gspecial;\nor.pred gplain, gplain, gspecial;\n"    \
    "setp.eq.f64 gspecial, " a ", 0d7FF0000000000000;\n"                                           \
    "selp.f64 " r ", 0d7FF0000000000000, " r ", gspecial;\nor.pred gplain, gplain, gspecial;\n"    \
    GR_IS_RIGHT("gplain")

/* Protected logarithms, of |x| or 1 + |x|: `other` where |x| does not exceed `limit`, and for NaN
 * where `nan` says so. From `least` on the high word is one of the first pass. */
#define GR_ZERO "0d0000000000000000"
#define GR_ONE "0d3FF0000000000000"
#define GR_MAGNITUDE(a, x, s, t, r, ...) "abs.f64 " r ", " a ";\n"
#define GR_ONE_MORE(a, x, s, t, r, ...)                                                            \
    "abs.f64 " r ", " a ";\nadd.rn.f64 " r ", " r ", 0d3FF0000000000000;\n"
#define GR_PROTECTED_SPECIALS(a, x, s, t, r, ...)                                                  \
    GR_HIGH_OF(a)                                                                                  \
    "abs.f32 gf, gf;\nabs.f64 ge, " a ";\nsetp.ge.f32 gplain, gf, gleast;\n"                       \
    "setp.le.f64 gspecial, ge, glimit;\nsetp.nan.and.f64 gnone, ge, ge, gone;\n"                   \
    "or.pred gspecial, gspecial, gnone;\n"                                                         \
    "selp.f64 " r ", gother, " r ", gspecial;\nor.pred gplain, gplain, gspecial;\n"                \
    "setp.geu.f64 gnone, ge, 0d7FF0000000000000;\nnot.pred gspecial, gspecial;\n"                  \
    "and.pred gnone, gnone, gspecial;\n"                                                           \
    "selp.f64 " r ", ge, " r ", gnone;\nor.pred gplain, gplain, gnone;\n"                          \
    GR_IS_RIGHT("gplain")
#define GR_PROTECTS(cases, number, limit, other, least, nan, argument)                             \
    GR_HANDLE_BY(PROTECTED, number,                                                                \
                 "mov.f64 glimit, " limit ";\nmov.f64 gother, " other ";\n"                        \
                 "mov.f32 gleast, " least ";\nmov.pred gone, " nan ";\n",                          \
                 cases(argument, 0))

/* ---- sin, cos ---- */

/* |x| from gleast, 2^-28 or 0, to 2^22. */
#define GR_SIN_PLACE(a, x, s, t, r, ...)                                                           \
    GR_HIGH_OF(a)                                                                                  \
    "abs.f32 gf, gf;\nsetp.lt.and.f32 gright, gf, 0f41500000, gright;\n"                           \
    "setp.ge.and.f32 gright, gf, gleast, gright;\n"                                                \
    GR_FMA("gn", a, "gc0", "0d4338000000000000")                                                   \
    "mov.b64 {" r "k, gl}, gn;\n"                                                                  \
    GR_SUB_TO("gn", "gn", "0d4338000000000000")                                                    \
    GR_FMA("ge", "gn", "gc1", a)                                                                   \
    GR_FMA(r "x", "gn", "gc2", "ge")                                                               \
    GR_SUB_TO("ge", "ge", r "x")                                                                   \
    GR_FMA("ge", "gn", "gc2", "ge")                                                                \
    GR_FMA(r "y", "gn", "gc3", "ge")                                                               \
    "add.u32 " r "k, " r "k, geighths;\n"
#define GR_SIN_ASK(a, x, s, t, r, ...)                                                             \
    GR_SHUFFLE(r "a", "gone0", r "k")                                                              \
    GR_SHUFFLE(r "b", "gone1", r "k")                                                              \
    GR_SHUFFLE(r "c", "gtwo1", r "k")                                                              \
    "add.u32 " r "k, " r "k, 8;\n"                                                                 \
    GR_SHUFFLE(r "d", "gone0", r "k")                                                              \
    GR_SHUFFLE(r "e", "gone1", r "k")
#define GR_SIN_FINISH(a, x, s, t, r, ...)                                                          \
    GR_MUL_TO("gq", r "x", r "x")                                                                  \
    GR_FMA("ge", "gc4", "gq", "gc5")                                                               \
    GR_FMA("ge", "ge", "gq", "gc6")                                                                \
    GR_FMA("ge", "ge", "gq", "gc7")                                                                \
    GR_MUL_TO("gu", r "x", "gq")                                                                   \
    GR_FMA(r "y", "ge", "gu", r "y")                                                               \
    GR_FMA("ge", "gc8", "gq", "gc9")                                                               \
    GR_FMA("ge", "ge", "gq", "gc10")                                                               \
    GR_FMA("ge", "ge", "gq", "gc11")                                                               \
    GR_MUL_TO("ge", "ge", "gq")                                                                    \
    "mov.b64 gy, {" r "a, " r "b};\nmov.b64 gn, {gnull, " r "c};\nmov.b64 gu, {" r "d, " r "e};\n" \
    GR_FMA("ge", "gy", "ge", "gn")                                                                 \
    GR_FMA("ge", "gu", r "y", "ge")                                                                \
    GR_FMA("gq", "gu", r "x", "gy")                                                                \
    GR_SUB_TO("gy", "gy", "gq")                                                                    \
    GR_FMA("gy", "gu", r "x", "gy")                                                                \
    GR_ADD_TO("gy", "gy", "ge")                                                                    \
    GR_ADD_TO(r, "gq", "gy")
/* What is its own sine; infinity and NaN. */
#define GR_SIN_SPECIALS(a, x, s, t, r, ...)                                                        \
    GR_HIGH_OF(a)                                                                                  \
    "abs.f32 gf, gf;\nsetp.lt.f32 gplain, gf, 0f41500000;\nsetp.lt.f32 gspecial, gf, gleast;\n"    \
    "selp.f64 " r ", " a ", " r ", gspecial;\nabs.f64 ge, " a ";\n"                                \
    "setp.geu.f64 gspecial, ge, 0d7FF0000000000000;\n"                                             \
    "selp.f64 " r ", 0d7FF8000000000000, " r ", gspecial;\nor.pred gplain, gplain, gspecial;\n"    \
    GR_IS_RIGHT("gplain")
static_assert(GR_TRIG_LIMIT_D == 0x1p22 && GR_TRIG_ITSELF_D == 0x1p-28 && GR_COSINE_D == 8,
              "the numbers above");

/* ---- sqrt ---- */

/* What nvcc makes of sqrt.rn, correctly rounded from 2^-970 to 2^1017; of r. */
#define GR_ROOT_PLACE(a, x, s, t, r, ...)                                                          \
    GR_HIGH_OF(r)                                                                                  \
    "setp.ge.and.f32 gright, gf, 0f03500000, gright;\nrsqrt.approx.ftz.f64 gy, " r ";\n"           \
    GR_MUL_TO("ge", "gy", "gy")                                                                    \
    "neg.f64 gn, " r ";\n"                                                                         \
    GR_FMA("ge", "gn", "ge", "0d3FF0000000000000")                                                 \
    GR_FMA("gu", "ge", "0d3FD8000000000000", "0d3FE0000000000000")                                 \
    GR_MUL_TO("ge", "gy", "ge")                                                                    \
    GR_FMA("gy", "gu", "ge", "gy")                                                                 \
    GR_MUL_TO("gq", r, "gy")                                                                       \
    GR_MUL_TO("gu", "gy", "0d3FE0000000000000")                                                    \
    "neg.f64 gn, gq;\n"                                                                            \
    GR_FMA("ge", "gn", "gq", r)                                                                    \
    GR_FMA(r, "ge", "gu", "gq")
/* Zeros, infinity, NaN, and what is negative; `gone`: of |x|. */
#define GR_ROOT_SPECIALS(a, x, s, t, r, ...)                                                       \
    "abs.f64 ge, " a ";\nselp.f64 ge, ge, " a ", gone;\n"                                          \
    GR_HIGH_OF("ge")                                                                               \
    "setp.ge.f32 gplain, gf, 0f03500000;\nsetp.eq.f64 gspecial, ge, " "0d0000000000000000;\n"      \
    "setp.equ.or.f64 gspecial, ge, 0d7FF0000000000000, gspecial;\n"                                \
    "selp.f64 " r ", ge, " r ", gspecial;\nor.pred gplain, gplain, gspecial;\n"                    \
    "setp.lt.f64 gspecial, ge, 0d0000000000000000;\n"                                              \
    "selp.f64 " r ", 0d7FF8000000000000, " r ", gspecial;\nor.pred gplain, gplain, gspecial;\n"    \
    GR_IS_RIGHT("gplain")

/* ---- handlers ---- */

#define GR_ITSELF(a, x, s, t, r, ...) "mov.f64 " r ", " a ";\n"
/* GR_JUMP_FUNCTION and so on. */
#define GR_FUNCTIONS(cases)                                                                        \
    GR_HANDLE_BY(ROOT, 76, "mov.pred gone, 0;\n", cases(GR_ITSELF, 0))                             \
    GR_HANDLE_BY(ROOT, 77, "mov.pred gone, 1;\n", cases(GR_MAGNITUDE, 0))                          \
    GR_HANDLE_BY(SINE, 78, "mov.u32 geighths, 0;\nmov.f32 gleast, 0f3E300000;\n", "")              \
    GR_HANDLE_BY(SINE, 79, "mov.u32 geighths, 8;\nmov.f32 gleast, 0f00000000;\n", "")              \
    GR_HANDLE_BY(EXPONENTIAL, 80, "", "")                                                          \
    GR_HANDLE_BY(LOGARITHM, 81, "", "")                                                            \
    GR_PROTECTS(cases, 82, "0dBFF0000000000000", GR_ZERO, "0f00000000", "0", GR_ONE_MORE)          \
    GR_PROTECTS(cases, 83, GR_ZERO, GR_ONE, "0f00100000", "0", GR_MAGNITUDE)                       \
    GR_PROTECTS(cases, 84, GR_ZERO, GR_ZERO, "0f00100000", "0", GR_MAGNITUDE)                      \
    GR_PROTECTS(cases, 85, "0d3F50624DE0000000", GR_ZERO, "0f00100000", "1", GR_MAGNITUDE)         \
    "ROOT:\nmov.pred gright, 1;\n"                                                                 \
    cases(GR_ROOT_PLACE, 0)                                                                        \
    GR_UNLESS_ALL_RIGHT(NOROOT)                                                                    \
    "bra.uni DIVIDED;\n"                                                                           \
    "SINE:\n"                                                                                      \
    GR_SIN_NUMBERS                                                                                 \
    GR_OWN_SINES                                                                                   \
    GR_FIRST_PASS(NOSINE, cases, GR_SIN_PLACE, GR_SIN_ASK, GR_SIN_FINISH)                          \
    "EXPONENTIAL:\n"                                                                               \
    GR_EXP_NUMBERS                                                                                 \
    GR_OWN_POWERS                                                                                  \
    GR_FIRST_PASS(NOEXPONENTIAL, cases, GR_EXP_PLACE, GR_EXP_ASK, GR_EXP_FINISH)                   \
    "LOGARITHM:\n"                                                                                 \
    GR_LOG_NUMBERS                                                                                 \
    GR_OWN_LOGS                                                                                    \
    GR_FIRST_PASS(NOLOGARITHM, cases, GR_LOG_PLACE, GR_LOG_ASK, GR_LOG_OR_NONE)                    \
    "PROTECTED:\n"                                                                                 \
    GR_LOG_NUMBERS                                                                                 \
    GR_OWN_LOGS                                                                                    \
    GR_FIRST_PASS(UNPROTECTED, cases, GR_PROTECTED_PLACE, GR_LOG_ASK, GR_LOG_FINISH)               \
    GR_SECOND_PASS(NOROOT, cases, GR_ROOT_SPECIALS)                                                \
    GR_SECOND_PASS(NOSINE, cases, GR_SIN_SPECIALS)                                                 \
    GR_SECOND_PASS(NOEXPONENTIAL, cases, GR_EXP_SPECIALS)                                          \
    GR_SECOND_PASS(NOLOGARITHM, cases, GR_LOG_SPECIALS)                                            \
    GR_SECOND_PASS(UNPROTECTED, cases, GR_PROTECTED_SPECIALS)
/* clang-format on */

#endif

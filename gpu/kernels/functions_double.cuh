/* Elementary functions over doubles as handlers of cheap_double.cuh: what math_double.h has, as
 * text of PTX, for all cases of a lane side by side, since a jump table is within one block of text
 * only; the numbers are those of math_double.h, and tests/gpu/operations_double_gpu.cu holds the
 * results to its bits.
 *
 * The first pass is for operands of which nothing has to be asked. */
#ifndef GR_FUNCTIONS_DOUBLE_CUH
#define GR_FUNCTIONS_DOUBLE_CUH

#include "gpu/core/base/math_double.h"
#include "gpu/interpreter/tuner.h"

/* A line a step. */
/* clang-format off */

/* ---- numbers ---- */

/* By a name that text can call them by: an instruction takes them as operands from here. */
extern "C" {
__constant__ double gr_numbers_of_functions_d[] = {GR_EXP_STEP_D,  GR_EXP_TERMS_D, GR_LOG_TERMS_D,
                                                   GR_LN2_HI_D,    GR_LN2_LO_D,    GR_QUARTER_D,
                                                   GR_HALF_TURN_TERMS_D};
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
#define GR_TURN_NUMBERS                                                                            \
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

/* Tables that every lane wants another entry of stand in shared memory, at a multiple of their size
 * from gnear on: each is 64 banks wide. */
enum { GR_NEAR_TABLES_D = 3 * GR_ENTRIES_D /* doubles: power, inverse, log */ };
static_assert(offsetof(gr_tables_d, power) == 0 && offsetof(gr_tables_d, inverse) == 256 &&
                  offsetof(gr_tables_d, log) == 512 && (int)GR_ENTRIES_D == 32 &&
                  GR_NEAR_TABLES_D * sizeof(double) == GR_DOUBLE_TABLES_BYTES,
              "offsets below");
/* The lane's entry from the bits of `at` above 2^3, among 32. */
#define GR_NEAR_ENTRY_AT(at) "and.b32 ga, " at ", 0xf8;\nor.b32 ga, ga, gnear;\n"
#define GR_NEAR_ENTRY(to, offset) "ld.shared.f64 " to ", [ga+" offset "];\n"
#define GR_FMA(to, a, b, c) "fma.rn.f64 " to ", " a ", " b ", " c ";\n"
#define GR_ADD_TO(to, a, b) "add.rn.f64 " to ", " a ", " b ";\n"
#define GR_SUB_TO(to, a, b) "sub.rn.f64 " to ", " a ", " b ";\n"
#define GR_MUL_TO(to, a, b) "mul.rn.f64 " to ", " a ", " b ";\n"

/* ---- passes ---- */

/* Registers of a case between its steps: r with a letter behind it. */
#define GR_REGISTERS_OF(r)                                                                         \
    ".reg .f64 " r "y, " r "z, " r "p, " r "q, " r "n;\n.reg .b32 " r "k;\n"
#define GR_FUNCTION_REGISTERS                                                                      \
    GR_REGISTERS_OF("g0")                                                                          \
    GR_REGISTERS_OF("g1")                                                                          \
    GR_REGISTERS_OF("g2")                                                                          \
    GR_REGISTERS_OF("g3")                                                                          \
    ".local .align 16 .b8 gkept[32];\n.reg .f64 gc<12>, glimit, gother, gadded, gtaken;\n"         \
    ".reg .f32 gleast;\n.reg .b32 gexponent, gnear, gmask, gflip;\n"
#define GR_FUNCTION_TARGETS ", J76, J77, J78, J79, J80, J81, J82, J83, J84, J85"

/* Functions are taken in place, the accumulator's own registers: what a pass is not for is known of
 * its operands. Where the warp has such a one, operands are put by before, and a second pass behind
 * it gives zeros, infinities and NaN their results; where that is not all, the instruction is left,
 * its operands as they were. */
#define GR_FIRST_PASS(name, cases, ask, text)                                                      \
    #name ":\nmov.pred gright, 1;\n"                                                               \
    cases(ask, 0)                                                                                  \
    GR_UNLESS_ALL_RIGHT(PUT_BY_##name)                                                             \
    "PLAIN_" #name ":\n"                                                                           \
    text                                                                                           \
    "@!gright bra.uni SPECIAL_" #name ";\nbra.uni NEXT;\n"
#define GR_BEFORE_SECOND(name) "PUT_BY_" #name ":\n" GR_PUT_BY "bra.uni PLAIN_" #name ";\n"
#define GR_SECOND_PASS(name, cases, specials)                                                      \
    "SPECIAL_" #name ":\nmov.pred gright, 1;\n" GR_BRING_BACK                                      \
    cases(specials, 0)                                                                             \
    GR_UNLESS_ALL_RIGHT(AS_BEFORE)                                                                 \
    "bra.uni NEXT;\n"
#define GR_PUT_BY                                                                                  \
    "st.local.v2.f64 [gkept], {%0, %1};\nst.local.v2.f64 [gkept+16], {%2, %3};\n"
#define GR_BRING_BACK                                                                              \
    "ld.local.v2.f64 {g0, g1}, [gkept];\nld.local.v2.f64 {g2, g3}, [gkept+16];\n"

/* The high word of a case as a float: as large among these, and a NaN from 2^1017 on. */
#define GR_HIGH_OF(a) "mov.b64 {gl, gv}, " a ";\nmov.b32 gf, gv;\n"
#define GR_IS_RIGHT(predicate) "and.pred gright, gright, " predicate ";\n"

/* Steps that functions share. Each is taken for all cases before the next, since a result over
 * doubles is waited for. */
#define GR_LESS(a, x, s, t, r, c) GR_FMA(a, r "y", c, a)
#define GR_SQUARE_TO_Z(a, x, s, t, r, ...) GR_MUL_TO(r "z", a, a)
#define GR_SUM_OF_TERMS(a, x, s, t, r, ...) GR_FMA(a, r "y", r "z", a)
#define GR_BEGIN_TERMS(a, x, s, t, r, c, d) GR_FMA(r "y", c, a, d)
#define GR_TERM(a, x, s, t, r, c) GR_FMA(r "y", r "y", a, c)

/* ---- exp ---- */

/* Results are normal numbers for |x| < 708. */
#define GR_EXP_ASK(a, x, s, t, r, ...)                                                             \
    GR_HIGH_OF(a)                                                                                  \
    "abs.f32 gf, gf;\nsetp.lt.and.f32 gright, gf, 0f40862000, gright;\n"
#define GR_EXP_ROUND(a, x, s, t, r, ...) GR_FMA(r "y", a, "gc0", "0d4338000000000000")
#define GR_EXP_ENTRY(a, x, s, t, r, ...)                                                           \
    "mov.b64 {" r "k, gl}, " r "y;\nshl.b32 gv, " r "k, 3;\n"                                      \
    GR_NEAR_ENTRY_AT("gv")                                                                         \
    GR_NEAR_ENTRY(r "p", "0")                                                                      \
    GR_SUB_TO(r "y", r "y", "0d4338000000000000")
#define GR_EXP_SCALE(a, x, s, t, r, ...)                                                           \
    GR_FMA(a, r "p", a, r "p")                                                                     \
    "mov.b64 {gl, gm}, " a ";\nand.b32 gv, " r "k, 0xffffffe0;\n"                                  \
    "mad.lo.s32 gm, gv, 32768, gm;\nmov.b64 " a ", {gl, gm};\n"
#define GR_EXP(cases)                                                                              \
    GR_EXP_NUMBERS                                                                                 \
    cases(GR_EXP_ROUND, 0)                                                                         \
    cases(GR_EXP_ENTRY, 0)                                                                         \
    cases(GR_LESS, "gc1")                                                                          \
    cases(GR_LESS, "gc2")                                                                          \
    cases(GR_BEGIN_TERMS, "gc3", "gc4")                                                            \
    cases(GR_TERM, "gc5")                                                                          \
    cases(GR_TERM, "gc6")                                                                          \
    cases(GR_TERM, "gc7")                                                                          \
    cases(GR_SQUARE_TO_Z, 0)                                                                       \
    cases(GR_SUM_OF_TERMS, 0)                                                                      \
    cases(GR_EXP_SCALE, 0)
/* Beyond what clamping leaves, and NaN; r: the operand. */
#define GR_EXP_SPECIALS(a, x, s, t, r, ...)                                                        \
    GR_HIGH_OF(r)                                                                                  \
    "abs.f32 gf, gf;\nsetp.lt.f32 gplain, gf, 0f40862000;\n"                                       \
    "setp.ge.f64 gspecial, " r ", 0d4086300000000000;\n"                                           \
    "selp.f64 " a ", 0d7FF0000000000000, " a ", gspecial;\nor.pred gplain, gplain, gspecial;\n"    \
    "setp.le.f64 gspecial, " r ", 0dC087500000000000;\n"                                           \
    "selp.f64 " a ", 0d0000000000000000, " a ", gspecial;\nor.pred gplain, gplain, gspecial;\n"    \
    "setp.nan.f64 gspecial, " r ", " r ";\n"                                                       \
    "selp.f64 " a ", 0d7FF8000000000000, " a ", gspecial;\nor.pred gplain, gplain, gspecial;\n"    \
    GR_IS_RIGHT("gplain")
static_assert(GR_EXP_MAX_D == 710.0 && GR_EXP_MIN_D == -746.0, "the numbers above");

/* ---- log ---- */

/* For normal numbers below 2^1017; negative ones have none, which is frequent: they are seen where
 * the exponent is. */
#define GR_LOG_ASK(a, x, s, t, r, ...)                                                             \
    GR_HIGH_OF(a)                                                                                  \
    "abs.f32 gf, gf;\nsetp.ge.and.f32 gright, gf, 0f00100000, gright;\n"
#define GR_PROTECTED_ASK(a, x, s, t, r, ...)                                                       \
    GR_HIGH_OF(a)                                                                                  \
    "setp.ge.and.f32 gright, gf, 0f00100000, gright;\n"                                            \
    "setp.gt.and.f64 gright, " a ", glimit, gright;\n"
/* gr_log_split_d: the low word of GR_LOG_LOWEST_D is 0. m takes the operand's place. */
#define GR_LOG_PLACE(a, x, s, t, r, ...)                                                           \
    "mov.b64 {gl, gv}, " a ";\nadd.u32 " r "k, gv, 0x000a0000;\n"                                  \
    "shr.u32 gv, " r "k, 12;\n"                                                                    \
    GR_NEAR_ENTRY_AT("gv")                                                                         \
    GR_NEAR_ENTRY(r "p", "256")                                                                    \
    GR_NEAR_ENTRY(r "q", "512")                                                                    \
    "shr.u32 gm, " r "k, 20;\nmov.b64 " r "n, {gm, gexponent};\n"                                  \
    "and.b32 gv, " r "k, 0x000fffff;\nadd.u32 gv, gv, 0x3fe60000;\nmov.b64 " a ", {gl, gv};\n"     \
    GR_SUB_TO(r "n", r "n", "0d43300000000003FF")
static_assert(GR_LOG_LOWEST_D == 0x3fe6000000000000ull, "the numbers above");
#define GR_LOG_LESS_ONE(a, x, s, t, r, ...) GR_FMA(a, a, r "p", "0dBFF0000000000000")
#define GR_LOG_WHOLE(a, x, s, t, r, ...) GR_FMA(r "q", r "n", "gc8", r "q")
#define GR_LOG_BELOW(a, x, s, t, r, ...) GR_FMA(a, r "n", "gc9", a)
#define GR_LOG_END(a, x, s, t, r, ...) GR_ADD_TO(a, r "q", a)
#define GR_LOG(cases)                                                                              \
    GR_LOG_NUMBERS                                                                                 \
    cases(GR_LOG_PLACE, 0)                                                                         \
    cases(GR_LOG_LESS_ONE, 0)                                                                      \
    cases(GR_LOG_WHOLE, 0)                                                                         \
    cases(GR_BEGIN_TERMS, "gc0", "gc1")                                                            \
    cases(GR_TERM, "gc2")                                                                          \
    cases(GR_TERM, "gc3")                                                                          \
    cases(GR_TERM, "gc4")                                                                          \
    cases(GR_TERM, "gc5")                                                                          \
    cases(GR_TERM, "gc6")                                                                          \
    cases(GR_TERM, "gc7")                                                                          \
    cases(GR_SQUARE_TO_Z, 0)                                                                       \
    cases(GR_SUM_OF_TERMS, 0)                                                                      \
    cases(GR_LOG_BELOW, 0)                                                                         \
    cases(GR_LOG_END, 0)
/* The sum that k is keeps the sign. */
#define GR_LOG_OR_NONE(a, x, s, t, r, ...)                                                         \
    "setp.lt.s32 gspecial, " r "k, 0;\nmov.b64 {gl, gm}, " a ";\n"                                 \
    "selp.b32 gm, 0x7ff80000, gm, gspecial;\nmov.b64 " a ", {gl, gm};\n"
/* Zero, infinity and NaN; and negative numbers, with those; r: the operand. */
#define GR_LOG_SPECIALS(a, x, s, t, r, ...)                                                        \
    GR_HIGH_OF(r)                                                                                  \
    "setp.ge.f32 gplain, gf, 0f00100000;\n"                                                        \
    "setp.ltu.f64 gspecial, " r ", 0d0000000000000000;\n"                                          \
    "selp.f64 " a ", 0d7FF8000000000000, " a ", gspecial;\nor.pred gplain, gplain, gspecial;\n"    \
    "setp.eq.f64 gspecial, " r ", 0d0000000000000000;\n"                                           \
    "selp.f64 " a ", 0dFFF0000000000000, " a ", gspecial;\nor.pred gplain, gplain, gspecial;\n"    \
    "setp.eq.f64 gspecial, " r ", 0d7FF0000000000000;\n"                                           \
    "selp.f64 " a ", 0d7FF0000000000000, " a ", gspecial;\nor.pred gplain, gplain, gspecial;\n"    \
    GR_IS_RIGHT("gplain")

/* Protected logarithms, of |x| or 1 + |x|: `other` where |x| does not exceed `limit`, and for NaN
 * where `nan` says so. From `least` on the high word is one of the first pass. */
#define GR_ZERO "0d0000000000000000"
#define GR_ONE "0d3FF0000000000000"
#define GR_MAGNITUDE(a, x, s, t, r, ...) "abs.f64 " a ", " a ";\n"
#define GR_ONE_MORE(a, x, s, t, r, ...)                                                            \
    "abs.f64 " a ", " a ";\nadd.rn.f64 " a ", " a ", 0d3FF0000000000000;\n"
#define GR_PROTECTED_SPECIALS(a, x, s, t, r, ...)                                                  \
    GR_HIGH_OF(r)                                                                                  \
    "abs.f32 gf, gf;\nabs.f64 ge, " r ";\nsetp.ge.f32 gplain, gf, gleast;\n"                       \
    "setp.le.f64 gspecial, ge, glimit;\nsetp.nan.and.f64 gnone, ge, ge, gone;\n"                   \
    "or.pred gspecial, gspecial, gnone;\n"                                                         \
    "selp.f64 " a ", gother, " a ", gspecial;\nor.pred gplain, gplain, gspecial;\n"                \
    "setp.geu.f64 gnone, ge, 0d7FF0000000000000;\nnot.pred gspecial, gspecial;\n"                  \
    "and.pred gnone, gnone, gspecial;\n"                                                           \
    "selp.f64 " a ", ge, " a ", gnone;\nor.pred gplain, gplain, gnone;\n"                          \
    GR_IS_RIGHT("gplain")
#define GR_PROTECTS(cases, number, limit, other, least, nan, argument)                             \
    GR_HANDLE_BY(PROTECTED, number,                                                                \
                 "mov.f64 glimit, " limit ";\nmov.f64 gother, " other ";\n"                        \
                 "mov.f32 gleast, " least ";\nmov.pred gone, " nan ";\n" GR_PUT_BY,                \
                 cases(argument, 0))

/* ---- sin, cos ---- */

/* For |x| < 2^22. The turns of sin and cos are counted alike, by what is added, taken away again,
 * kept of the bits between, and how far the bit that flips stands from the sign's. */
#define GR_SIN_ASK(a, x, s, t, r, ...)                                                             \
    GR_HIGH_OF(a)                                                                                  \
    "abs.f32 gf, gf;\nsetp.lt.and.f32 gright, gf, 0f41500000, gright;\n"
#define GR_COUNT_BY(added, taken, kept, flip)                                                      \
    "mov.f64 gadded, " added ";\nmov.f64 gtaken, " taken ";\n"                                     \
    "mov.b32 gmask, " kept ";\nmov.b32 gflip, " flip ";\n"
#define GR_TURNS_OF_SIN                                                                            \
    GR_COUNT_BY("0d4348000000000000", "0d4348000000000000", "0xffffffff", "31")
#define GR_TURNS_OF_COS                                                                            \
    GR_COUNT_BY("0d42B8000000000200", "0d42B8000000000100", "0xfffffe00", "22")
static_assert(GR_HALF_TURNS_D == 0x1.8p53 && GR_QUARTERS_D == 0x1.8p44 && (int)GR_FRACTION_D == 8 &&
                  GR_TRIG_LIMIT_D == 0x1p22,
              "the numbers above");
#define GR_TURN_ROUND(a, x, s, t, r, ...) GR_FMA(r "y", a, "gc0", "gadded")
#define GR_TURN_COUNT(a, x, s, t, r, ...)                                                          \
    "mov.b64 {gv, gl}, " r "y;\nand.b32 gv, gv, gmask;\n"                                          \
    "mov.b64 " r "y, {gv, gl};\nshl.b32 " r "k, gv, gflip;\n"                                      \
    GR_SUB_TO(r "y", r "y", "gtaken")
#define GR_TURN_TERM(a, x, s, t, r, c) GR_FMA(r "y", r "y", r "z", c)
#define GR_TURN_BEGIN(a, x, s, t, r, ...) GR_FMA(r "y", "gc4", r "z", "gc5")
#define GR_TURN_CUBE(a, x, s, t, r, ...) GR_MUL_TO(r "z", a, r "z")
#define GR_TURN_SIGN(a, x, s, t, r, ...)                                                           \
    "mov.b64 {gl, gm}, " a ";\nxor.b32 " r "k, " r "k, gm;\n"
#define GR_TURN_SIGNED(a, x, s, t, r, ...)                                                         \
    "mov.b64 {gl, gm}, " a ";\nmov.b32 gf, gm;\nabs.f32 gf, gf;\n"                                 \
    "setp.ge.f32 gspecial, gf, 0f3FF00000;\nselp.b32 gl, 0, gl, gspecial;\n"                       \
    "and.b32 gm, gm, 0x7fffffff;\nand.b32 gv, " r "k, 0x80000000;\n"                               \
    "or.b32 gm, gm, gv;\nmov.b64 " a ", {gl, gm};\n"
#define GR_BY_TURNS(cases)                                                                         \
    GR_TURN_NUMBERS                                                                                \
    cases(GR_TURN_ROUND, 0)                                                                        \
    cases(GR_TURN_COUNT, 0)                                                                        \
    cases(GR_LESS, "gc1")                                                                          \
    cases(GR_LESS, "gc2")                                                                          \
    cases(GR_TURN_SIGN, 0)                                                                         \
    cases(GR_LESS, "gc3")                                                                          \
    cases(GR_SQUARE_TO_Z, 0)                                                                       \
    cases(GR_TURN_BEGIN, 0)                                                                        \
    cases(GR_TURN_TERM, "gc6")                                                                     \
    cases(GR_TURN_TERM, "gc7")                                                                     \
    cases(GR_TURN_TERM, "gc8")                                                                     \
    cases(GR_TURN_TERM, "gc9")                                                                     \
    cases(GR_TURN_TERM, "gc10")                                                                    \
    cases(GR_TURN_TERM, "gc11")                                                                    \
    cases(GR_TURN_CUBE, 0)                                                                         \
    cases(GR_SUM_OF_TERMS, 0)                                                                      \
    cases(GR_TURN_SIGNED, 0)
/* Infinity and NaN; r: the operand. */
#define GR_SIN_SPECIALS(a, x, s, t, r, ...)                                                        \
    GR_HIGH_OF(r)                                                                                  \
    "abs.f32 gf, gf;\nsetp.lt.f32 gplain, gf, 0f41500000;\nabs.f64 ge, " r ";\n"                   \
    "setp.geu.f64 gspecial, ge, 0d7FF0000000000000;\n"                                             \
    "selp.f64 " a ", 0d7FF8000000000000, " a ", gspecial;\nor.pred gplain, gplain, gspecial;\n"    \
    GR_IS_RIGHT("gplain")

/* ---- sqrt ---- */

/* What nvcc makes of sqrt.rn, correctly rounded from 2^-970 to 2^1017. */
#define GR_ROOT_ASK(a, x, s, t, r, ...)                                                            \
    GR_HIGH_OF(a)                                                                                  \
    "setp.ge.and.f32 gright, gf, 0f03500000, gright;\n"
#define GR_ROOT(a, x, s, t, r, ...)                                                                \
    "rsqrt.approx.ftz.f64 gy, " a ";\n"                                                            \
    GR_MUL_TO("ge", "gy", "gy")                                                                    \
    "neg.f64 gn, " a ";\n"                                                                         \
    GR_FMA("ge", "gn", "ge", "0d3FF0000000000000")                                                 \
    GR_FMA("gu", "ge", "0d3FD8000000000000", "0d3FE0000000000000")                                 \
    GR_MUL_TO("ge", "gy", "ge")                                                                    \
    GR_FMA("gy", "gu", "ge", "gy")                                                                 \
    GR_MUL_TO("gq", a, "gy")                                                                       \
    GR_MUL_TO("gu", "gy", "0d3FE0000000000000")                                                    \
    "neg.f64 gn, gq;\n"                                                                            \
    GR_FMA("ge", "gn", "gq", a)                                                                    \
    GR_FMA(a, "ge", "gu", "gq")
/* Zeros, infinity, NaN, and what is negative; r: the operand. */
#define GR_ROOT_SPECIALS(a, x, s, t, r, ...)                                                       \
    GR_HIGH_OF(r)                                                                                  \
    "setp.ge.f32 gplain, gf, 0f03500000;\nsetp.eq.f64 gspecial, " r ", 0d0000000000000000;\n"      \
    "setp.equ.or.f64 gspecial, " r ", 0d7FF0000000000000, gspecial;\n"                             \
    "selp.f64 " a ", " r ", " a ", gspecial;\nor.pred gplain, gplain, gspecial;\n"                 \
    "setp.lt.f64 gspecial, " r ", 0d0000000000000000;\n"                                           \
    "selp.f64 " a ", 0d7FF8000000000000, " a ", gspecial;\nor.pred gplain, gplain, gspecial;\n"    \
    GR_IS_RIGHT("gplain")

/* ---- handlers ---- */

#define GR_RESTORE(a, x, s, t, r, ...) "mov.f64 " a ", " r ";\n"
/* GR_JUMP_FUNCTION and so on. */
#define GR_FUNCTIONS(cases)                                                                        \
    GR_HANDLE_BY(ROOT, 76, "", "")                                                                 \
    GR_HANDLE_BY(ROOT, 77, "", cases(GR_MAGNITUDE, 0))                                             \
    GR_HANDLE_BY(SINE, 78, GR_TURNS_OF_SIN, "")                                                    \
    GR_HANDLE_BY(SINE, 79, GR_TURNS_OF_COS, cases(GR_MAGNITUDE, 0))                                \
    GR_HANDLE_BY(EXPONENTIAL, 80, "", "")                                                          \
    GR_HANDLE_BY(LOGARITHM, 81, "", "")                                                            \
    GR_PROTECTS(cases, 82, "0dBFF0000000000000", GR_ZERO, "0f00000000", "0", GR_ONE_MORE)          \
    GR_PROTECTS(cases, 83, GR_ZERO, GR_ONE, "0f00100000", "0", GR_MAGNITUDE)                       \
    GR_PROTECTS(cases, 84, GR_ZERO, GR_ZERO, "0f00100000", "0", GR_MAGNITUDE)                      \
    GR_PROTECTS(cases, 85, "0d3F50624DE0000000", GR_ZERO, "0f00100000", "1", GR_MAGNITUDE)         \
    GR_FIRST_PASS(ROOT, cases, GR_ROOT_ASK, cases(GR_ROOT, 0))                                     \
    GR_FIRST_PASS(SINE, cases, GR_SIN_ASK, GR_BY_TURNS(cases))                                     \
    GR_FIRST_PASS(EXPONENTIAL, cases, GR_EXP_ASK, GR_EXP(cases))                                   \
    GR_FIRST_PASS(LOGARITHM, cases, GR_LOG_ASK, GR_LOG(cases) cases(GR_LOG_OR_NONE, 0))            \
    "PROTECTED:\nmov.pred gright, 1;\n"                                                            \
    cases(GR_PROTECTED_ASK, 0)                                                                     \
    "vote.sync.all.pred gright, gright, 0xffffffff;\n"                                             \
    GR_LOG(cases)                                                                                  \
    "@!gright bra.uni SPECIAL_PROTECTED;\nbra.uni NEXT;\n"                                         \
    GR_BEFORE_SECOND(ROOT) GR_BEFORE_SECOND(SINE)                                                  \
    GR_BEFORE_SECOND(EXPONENTIAL) GR_BEFORE_SECOND(LOGARITHM)                                      \
    GR_SECOND_PASS(ROOT, cases, GR_ROOT_SPECIALS)                                                  \
    GR_SECOND_PASS(SINE, cases, GR_SIN_SPECIALS)                                                   \
    GR_SECOND_PASS(EXPONENTIAL, cases, GR_EXP_SPECIALS)                                            \
    GR_SECOND_PASS(LOGARITHM, cases, GR_LOG_SPECIALS)                                              \
    GR_SECOND_PASS(PROTECTED, cases, GR_PROTECTED_SPECIALS)                                        \
    "AS_BEFORE:\n"                                                                                 \
    cases(GR_RESTORE, 0)                                                                           \
    "bra.uni RARE;\n"
/* clang-format on */

#endif

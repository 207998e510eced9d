/* Random programs over every operation, exported and simplified, over floats, words and doubles:
 *   the C functions, compiled by cc, give the engine's bits, as do their simplified forms where the
 * original gives a number; the simplified programs are no larger, and read back as they are
 * printed.
 *   with `cuda` the device functions instead, compiled by nvcc and run on a GPU.
 *
 *   export [PROGRAMS [SEED [cuda]]]   (default 400, seed 1; the last line is "N passed, M failed")
 */
#include "host/export/export.h"
#include "gpu/core/base/math_double.h"
#include "gpu/core/program/evaluate.h"
#include "host/cpu/compile.h"
#include "host/cpu/evaluate.h"
#include "host/export/simplify.h"
#include "tests/core.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CAPACITY = 4096, INPUTS = 4, POINTS = 48 };

/* What programs are over. */
enum { FLOATS, WORDS, DOUBLES, KINDS };
static const char *const types[KINDS] = {"float", "uint32_t", "double"};

static gr_node memory[CAPACITY];
static uint32_t count;
static float point[POINTS][INPUTS], stack[CAPACITY];
static double exact[POINTS][INPUTS], tile[INPUTS][GR_CHUNK]; /* those of doubles, either way */
static gr_cpu_registers registers;
static long passed, failed, simplified;

static float draw_number(core_dice *dice) {
    static const float special[] = {0.0f, -0.0f, 1.0f, -1.0f, 2.0f, 0.5f, 1e30f, -1e-30f};
    uint32_t bits = core_roll(dice, 0);
    switch (core_roll(dice, 4)) {
    case 0:
        return special[core_roll(dice, 8)];
    case 1: /* any finite float */
        return gr_bits_float((bits & 0x7f800000u) == 0x7f800000u ? bits & 0x807fffffu : bits);
    default:
        return (float)((int)core_roll(dice, 2001) - 1000) / 100.0f;
    }
}

/* Any double, infinity and NaN among them. */
static double draw_double(core_dice *dice) {
    static const double special[] = {0.0,    -0.0,   INFINITY,  -INFINITY,  NAN,    1e300,
                                     -1e300, 1e-300, 0x1p-1074, -0x1p-1022, 0x1p22, 1e22};
    uint64_t high = core_roll(dice, 0), low = core_roll(dice, 0);
    switch (core_roll(dice, 4)) {
    case 0:
        return special[core_roll(dice, sizeof special / sizeof *special)];
    case 1:
        return gr_bits_double(high << 32 | low);
    default:
        return (double)draw_number(dice) * (1.0 + (double)low * 0x1p-52);
    }
}

static void draw_points(core_dice *dice, int kind) {
    for (int i = 0; i < POINTS; i++)
        for (int k = 0; k < INPUTS; k++)
            if (kind == DOUBLES)
                exact[i][k] = tile[k][i] = draw_double(dice);
            else
                point[i][k] = kind == WORDS ? gr_bits_float(core_roll(dice, 0)) : draw_number(dice);
}

static void put(uint32_t op) {
    memory[count] = gr_function_node((gr_nodes){memory, 1}, count, op);
    count++;
}

/* Trees in which simplifications are to be had: few inputs, constants 0 and 1. */
static void grow(core_dice *dice, int packed, uint32_t depth) {
    uint32_t op;
    if (!depth || !core_roll(dice, 7) || count > CAPACITY / 2) {
        uint32_t constant = !core_roll(dice, 3);
        float number = draw_number(dice);
        uint32_t bits = packed ? (core_roll(dice, 2) ? 0xffffffffu : 0u) : gr_float_bits(number);
        memory[count++] = gr_make_node(constant ? GR_CONSTANT : GR_INPUT, 1, 1,
                                       constant ? bits : core_roll(dice, INPUTS));
        return;
    }
    do
        op = GR_INPUT + 1 + core_roll(dice, GR_OP_COUNT - GR_INPUT - 1);
    while ((gr_is_word(op) != 0) != packed || op == GR_ARGMAX_LAST || op == GR_ARGMAX_NEXT ||
           op > GR_ARGMAX);
    uint32_t from = count, several = op == GR_ARGMAX ? 1 + core_roll(dice, 4) : 0;
    grow(dice, packed, depth - 1);
    for (uint32_t k = (several ? several : gr_arity(op)) - 1, size = count - from; k; k--)
        if (!core_roll(dice, 4) && count + size < CAPACITY / 2) { /* the same operand again */
            memcpy(memory + count, memory + from, size * sizeof *memory);
            count += size;
        } else
            grow(dice, packed, depth - 1);
    for (uint32_t k = 0; k < several; k++) /* all of them become one */
        put(k ? GR_ARGMAX_NEXT : GR_ARGMAX_LAST);
    put(op);
}

static void complain(const char *what, const gr_exported *p, const gr_vocabulary *v) {
    if (failed++ > 10)
        return;
    char *original = gr_print_expression(p->nodes, p->count, v);
    char *simpler = gr_print_expression(p->simpler, p->simpler_count, v);
    printf("FAIL %s: %s | %s\n", what, original, simpler);
    free(original);
    free(simpler);
}

/* The engine's outputs at all points; of words their numbers. */
static void evaluate(const gr_node *nodes, uint32_t n, int kind, double *output) {
    uint32_t length;
    gr_instruction *program = kind == DOUBLES ? gr_cpu_compile(nodes, n, &length) : NULL;
    if (program)
        gr_cpu_best_interpreter()->predict_double(
            program, length, (const float *)(const void *)tile, POINTS, &registers, output);
    free(program);
    for (int i = 0; i < POINTS && kind != DOUBLES; i++) {
        float value = gr_evaluate_case(nodes, n, point[i], stack);
        output[i] = kind == WORDS ? (double)gr_float_bits(value) : (double)value;
    }
}

static int same_bits(double a, double b) {
    return gr_double_bits(a) == gr_double_bits(b) || (isnan(a) && isnan(b));
}

/* The simplified program where the original has a number, and its text. */
static void check_simplified(const gr_exported *p, const gr_vocabulary *v, int kind) {
    const char *wrong = p->simpler_count > p->count ? "larger" : NULL;
    double original[POINTS], simpler[POINTS];
    evaluate(p->nodes, p->count, kind, original);
    evaluate(p->simpler, p->simpler_count, kind, simpler);
    for (int i = 0; i < POINTS && !wrong; i++)
        if (!isnan(original[i]) && original[i] != simpler[i])
            wrong = "another value";
    char *text = gr_print_expression(p->simpler, p->simpler_count, v);
    gr_node *read = NULL;
    uint32_t n = 0;
    if (!wrong && (!text || gr_read_expression(text, "text", v, &read, &n, NULL) ||
                   n != p->simpler_count || memcmp(read, p->simpler, n * sizeof *read) != 0))
        wrong = "does not read back";
    free(read);
    free(text);
    simplified += p->simpler_count < p->count;
    if (wrong)
        complain(wrong, p, v);
    else
        passed++;
}

/* ---- compiled ---- */

/* Behind the functions: all of them at all points. */
static const char caller[] =
    "\nint run_all(const T *x, double *to) {\n"
    "    for (unsigned k = 0; k < FUNCTIONS; k++)\n"
    "        for (unsigned i = 0; i < POINTS; i++)\n"
    "            to[k * POINTS + i] = (double)function[k](x + i * INPUTS);\n"
    "    return 1;\n}\n";
/* On the device, a thread a point. */
static const char launcher[] =
    "\n#include <cuda_runtime.h>\n"
    "static __global__ void all(const T *x, double *to) {\n"
    "    for (unsigned k = 0; k < FUNCTIONS; k++)\n"
    "        to[k * POINTS + threadIdx.x] = (double)function[k](x + threadIdx.x * INPUTS);\n}\n"
    "extern \"C\" int run_all(const T *x, double *to) {\n"
    "    T *points;\n    double *values;\n"
    "    size_t in = sizeof(T) * POINTS * INPUTS, out = sizeof(double) * FUNCTIONS * POINTS;\n"
    "    if (cudaMalloc((void **)&points, in) || cudaMalloc((void **)&values, out) ||\n"
    "        cudaMemcpy(points, x, in, cudaMemcpyHostToDevice))\n        return 0;\n"
    "    all<<<1, POINTS>>>(points, values);\n"
    "    int good = !cudaMemcpy(to, values, out, cudaMemcpyDeviceToHost);\n"
    "    cudaFree(points);\n    cudaFree(values);\n    return good;\n}\n";

static gr_status write_all(const gr_export *e, int kind, int cuda, FILE *out, gr_error *error) {
    gr_status status = (cuda ? gr_export_cuda : gr_export_c)(e, out, error);
    fprintf(out, "\ntypedef %s T;\nenum { FUNCTIONS = %u, POINTS = %d, INPUTS = %d };\n",
            types[kind], 2 * e->programs, POINTS, INPUTS);
    fprintf(out, "static %sT (*const function[])(const T *) = {\n", cuda ? "__device__ " : "");
    for (uint32_t k = 0; k < e->programs; k++)
        fprintf(out, "    f_%u, f_%u_simplified,\n", k, k);
    fprintf(out, "};\n%s", cuda ? launcher : caller);
    return status;
}

/* What was exported as a library that is loaded; NULL: not compiled. */
static void *compile(const gr_export *e, int kind, int cuda) {
    char folder[] = "/tmp/grampus-export-XXXXXX", source[64], object[64], command[256];
    gr_error error = {0};
    if (!mkdtemp(folder))
        return NULL;
    snprintf(source, sizeof source, "%s/p.%s", folder, cuda ? "cu" : "c");
    snprintf(object, sizeof object, "%s/p.so", folder);
    FILE *out = fopen(source, "w");
    if (!out || write_all(e, kind, cuda, out, &error) || fclose(out))
        printf("FAIL %s\n", error.text);
    /* -march=native: with fused instructions at hand */
    snprintf(command, sizeof command,
             cuda ? "nvcc -O3 -fmad=false -arch=native -shared -Xcompiler -fPIC -o %s %s"
                  : "cc -O2 -march=native -shared -fPIC -o %s %s -lm",
             object, source);
    void *library = system(command) == 0 ? dlopen(object, RTLD_NOW) : NULL;
    unlink(source);
    unlink(object);
    rmdir(folder);
    return library;
}

typedef union function {
    void *symbol;
    int (*all)(const void *, double *);
} function;

static void check_compiled(const gr_export *e, int kind, int cuda) {
    void *library = compile(e, kind, cuda);
    double *values = calloc(2 * (size_t)e->programs * POINTS, sizeof *values), expected[POINTS];
    function f = {.symbol = library ? dlsym(library, "run_all") : NULL};
    int there = f.symbol && f.all(kind == DOUBLES ? (void *)exact : (void *)point, values);
    for (uint32_t k = 0; k < e->programs; k++) {
        const gr_exported *p = &e->program[k];
        const char *wrong = there ? NULL : "not compiled, or not run";
        for (uint32_t which = 0; which < 2 && !wrong; which++) {
            const double *value = values + (2 * (size_t)k + which) * POINTS;
            evaluate(which ? p->simpler : p->nodes, which ? p->simpler_count : p->count, kind,
                     expected);
            for (int i = 0; i < POINTS && !wrong; i++)
                if (!same_bits(value[i], expected[i]))
                    wrong = which ? "simplified, compiled" : "compiled";
        }
        if (wrong)
            complain(wrong, p, &e->vocabulary);
        else
            passed++;
    }
    free(values);
    if (library)
        dlclose(library);
}

static void check_all(core_dice *dice, uint32_t programs, int kind, int cuda) {
    int packed = kind == WORDS, doubles = kind == DOUBLES;
    gr_exported *made = calloc(programs, sizeof *made);
    gr_export e = {
        {NULL, INPUTS, packed, 0, 0, 0}, made, programs, 0, NULL, 0, doubles, "f", "a test"};
    draw_points(dice, kind);
    for (uint32_t k = 0; k < programs; k++) {
        count = 0;
        grow(dice, packed, core_roll(dice, 60) ? core_roll(dice, 6) : 20);
        made[k] = (gr_exported){.nodes = malloc(count * sizeof *memory), .count = count};
        memcpy(made[k].nodes, memory, count * sizeof *memory);
        if (gr_simplify(memory, count, doubles, &made[k].simpler, &made[k].simpler_count, NULL))
            failed++;
        check_simplified(&made[k], &e.vocabulary, kind);
    }
    check_compiled(&e, kind, cuda);
    for (uint32_t k = 0; k < programs; k++) {
        free(made[k].nodes);
        free(made[k].simpler);
    }
    free(made);
}

int main(int argc, char **argv) {
    uint32_t programs = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 400;
    core_dice dice = {argc > 2 ? strtoull(argv[2], NULL, 10) : 1};
    int cuda = argc > 3 && strcmp(argv[3], "cuda") == 0;
    check_all(&dice, programs, FLOATS, cuda);
    check_all(&dice, programs / 4, WORDS, cuda);
    check_all(&dice, programs, DOUBLES, cuda);
    printf("%ld of %u programs became smaller\n", simplified, 2 * programs + programs / 4);
    if (programs >= 100 && simplified < programs / 5)
        failed++;
    printf("%ld passed, %ld failed\n", passed, failed);
    return failed != 0;
}

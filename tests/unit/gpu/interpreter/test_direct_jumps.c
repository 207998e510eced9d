/* gpu/interpreter/direct_jumps.h without a device: on machine code written down here, and on what
 * ptxas makes of machines, where it is there. That results are the same is tests/gpu's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "gpu/interpreter/direct_jumps.h"
#include "gpu/interpreter/embedded.h"
#include "gpu/interpreter/tuner.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- code written down ---- */

enum { CODES = 24, HANDLERS = 3, ADDRESSES = 8, BYTES = 16 };
typedef uint64_t instruction[2];

/* A function as ptxas writes it (nvdisasm's hexadecimals): the common jump at 2, handlers at 7, 9
 * and 12, of which the second waits for barrier 0 before it goes back, and the third has just
 * written R20. */
static const instruction function[CODES] = {
    {0x000000002c147984, 0x0002a20000000c00}, /* 0 LDS.128 R20, [R44] */
    {0x0000002c00027202, 0x000fce0000000f00}, /* 1 MOV R2, R44 */
    {0x0000001514147212, 0x007fca00078e3cff}, /* 2 LOP3 R20, R20 ^ R21: waits for 0, 1, 2 */
    {0x0000000414177824, 0x000fc800078e00ff}, /* 3 IMAD.SHL R23, R20, 4 */
    {0x0080020017147b82, 0x000e640000000800}, /* 4 LDC R20, c[2][R23 + 8] */
    {0x0000001fff157819, 0x002fc80000011414}, /* 5 SHF.R.S32.HI R21, R20: waits for 1 */
    {0xfffffffc14e47949, 0x00cfea000383ffff}, /* 6 BRX R20 - 0x70: waits for 2 and 3 */
    {0x0000100002147984, 0x0002a80000000c00}, /* 7 LDS.128 R20, [R2 + 16] */
    {0xfffffffc00e47947, 0x000fec000383ffff}, /* 8 BRA 2 */
    {0x0000100002147984, 0x0002a80000000c00}, /* 9 */
    {0x0000001002027810, 0x002fe20007ffe0ff}, /* 10 IADD3 R2, R2, 16 */
    {0xfffffffc00d87947, 0x001fec000383ffff}, /* 11 BRA 2: waits for 0 */
    {0x0000100002387984, 0x0002a80000000c00}, /* 12 LDS R56 */
    {0x000000ffff147224, 0x000fe200078e0038}, /* 13 IMAD.MOV R20, R56 */
    {0xfffffffc00cc7947, 0x000fec000383ffff}, /* 14 BRA 2 */
    {0x0000000000f47947, 0x000fec0003800000}, /* 15 BRA elsewhere */
};

typedef struct image {
    Elf64_Ehdr head;
    instruction text[CODES];
    uint32_t table[ADDRESSES];
    char names[64];
    Elf64_Shdr section[4];
} image;

static image whole(void) {
    image m;
    memset(&m, 0, sizeof m);
    memcpy(m.head.e_ident, ELFMAG, SELFMAG);
    m.head.e_ident[EI_CLASS] = ELFCLASS64;
    m.head.e_shentsize = sizeof(Elf64_Shdr);
    m.head.e_shnum = 4;
    m.head.e_shstrndx = 3;
    m.head.e_shoff = offsetof(image, section);
    memcpy(m.text, function, sizeof function);
    const uint32_t addresses[HANDLERS] = {7 * BYTES, 9 * BYTES, 12 * BYTES};
    memcpy(m.table + 2, addresses, sizeof addresses);
    memcpy(m.names, "\0.text.gr_evaluate\0.nv.constant2.gr_evaluate", 45);
    m.section[1] =
        (Elf64_Shdr){.sh_name = 1, .sh_offset = offsetof(image, text), .sh_size = sizeof m.text};
    m.section[2] =
        (Elf64_Shdr){.sh_name = 19, .sh_offset = offsetof(image, table), .sh_size = sizeof m.table};
    m.section[3] = (Elf64_Shdr){.sh_offset = offsetof(image, names), .sh_size = sizeof m.names};
    return m;
}

static gr_code of_handlers(uint32_t handlers) {
    gr_code code;
    memset(&code, 0, sizeof code);
    code.handlers = handlers;
    return code;
}

/* BRX R20 at instruction `at`, by addresses from the function's beginning. It waits for all
 * barriers: the common jump waits for 0 to 3 alone, and the handlers' loads set others. */
static void expect_jump(const image *m, uint32_t at) {
    uint64_t words = (uint64_t) - (int64_t)((at + 1) * BYTES) / 4 & 0xffffffffffffff;
    assert_int_equal(m->text[at][0],
                     0x14007949 | (words & 0xff) << 16 | (words >> 8 & 0x3fffffff) << 34);
    assert_int_equal(m->text[at][1], 0x03ffea000383ffff);
}

/* It waits for all barriers, too, and six cycles go by until the next. */
static void expect_waiting(const image *m, uint32_t at) {
    assert_int_equal(m->text[at][1] >> 52 & 0x3f, 0x3f);
    assert_int_equal(m->text[at][1] >> 41 & 0xf, 6);
}

static void test_written_down(void **state) {
    (void)state;
    image m = whole(), before = m;
    static gr_code code;
    code = of_handlers(HANDLERS);
    assert_int_equal(gr_jump_directly(&m, sizeof m, GR_INTERPRETER_KERNEL, &code), 3);
    assert_int_equal(code.jump[0], 7 * BYTES);
    assert_int_equal(code.jump[1], 9 * BYTES);
    assert_int_equal(code.jump[2], 12 * BYTES);
    /* The first instruction of the common jump waits, and leaves the address alone. */
    assert_int_equal(m.text[2][0], 0x0000001514ff7212);
    expect_waiting(&m, 2);
    expect_jump(&m, 3);
    /* Where a load stands right before the jump there is nothing that could wait: the common one.
     */
    assert_memory_equal(m.text[8], before.text[8], BYTES);
    expect_waiting(&m, 10);
    expect_jump(&m, 11);
    expect_waiting(&m, 13); /* it writes the address */
    expect_jump(&m, 14);
    for (uint32_t k = 0; k < CODES; k++)
        if (k != 2 && k != 3 && k != 10 && k != 11 && k != 13 && k != 14)
            assert_memory_equal(m.text[k], before.text[k], BYTES);
    assert_memory_equal(m.table, before.table, sizeof m.table);
}

/* Anything else than expected is left alone, and handlers go by their numbers. */
static void expect_refused(image m, size_t size, uint32_t handlers) {
    image before = m;
    static gr_code code;
    code = of_handlers(handlers);
    code.jump[1] = 99;
    assert_int_equal(gr_jump_directly(&m, size, GR_INTERPRETER_KERNEL, &code), 0);
    assert_memory_equal(&m, &before, sizeof m);
    assert_int_equal(code.jump[1], 1);
    assert_int_equal(code.jump[GR_DIRECT_HANDLERS - 1], GR_DIRECT_HANDLERS - 1);
}

static void test_refused(void **state) {
    (void)state;
    const image good = whole();
    image m;
    for (size_t size = 0; size < sizeof good; size += 3) {
        image *cut = malloc(size + 1); /* so that reading behind it is seen */
        static gr_code code;
        code = of_handlers(HANDLERS);
        memcpy(cut, &good, size);
        assert_int_equal(gr_jump_directly(cut, size, GR_INTERPRETER_KERNEL, &code), 0);
        free(cut);
    }
    expect_refused(good, sizeof good, ADDRESSES);              /* more than the table has */
    expect_refused(good, sizeof good, GR_DIRECT_HANDLERS + 1); /* or than are remembered */
    m = good, m.text[6][0] += 1ull << 34; /* the jump leads elsewhere than by the table */
    expect_refused(m, sizeof m, HANDLERS);
    m = good, m.text[2][1] ^= 0x100; /* no exclusive or */
    expect_refused(m, sizeof m, HANDLERS);
    m = good, m.text[2][0] ^= 0x200000000; /* of registers that are no pair */
    expect_refused(m, sizeof m, HANDLERS);
    m = good, m.text[4][0] ^= 1ull << 54; /* another bank */
    expect_refused(m, sizeof m, HANDLERS);
    m = good, m.table[3] = 9 * BYTES + 8; /* into an instruction */
    expect_refused(m, sizeof m, HANDLERS);
    m = good, m.table[3] = CODES * BYTES; /* behind the function */
    expect_refused(m, sizeof m, HANDLERS);
    m = good, memcpy(m.text[16], good.text[2], 5 * BYTES); /* two of them */
    m.text[20][0] = 0xfffffffc14ac7949;
    expect_refused(m, sizeof m, HANDLERS);
}

/* Registers that are compared as a double: the other form. */
static void test_compared(void **state) {
    (void)state;
    image m = whole();
    static gr_code code;
    code = of_handlers(HANDLERS);
    m.text[2][0] = 0x000000ff1400722a; /* DSETP.GEU R20, RZ */
    m.text[2][1] = 0x001fcc0003f0e000;
    assert_int_equal(gr_jump_directly(&m, sizeof m, GR_INTERPRETER_KERNEL, &code), 3);
    assert_int_equal(m.text[2][0], 0x000000ff1400722a);
    expect_waiting(&m, 2);
    expect_jump(&m, 3);
}

/* From a load to who waits for its barrier two cycles go by, whoever waits now. */
static void test_setting(void **state) {
    (void)state;
    const uint64_t stall = 0xfull << 41;
    for (uint64_t cycles = 0; cycles < 16; cycles++) {
        image m = whole();
        gr_code code = of_handlers(HANDLERS);
        m.text[9][1] = (m.text[9][1] & ~stall) | cycles << 41;
        assert_int_equal(gr_jump_directly(&m, sizeof m, GR_INTERPRETER_KERNEL, &code), 3);
        assert_int_equal((m.text[9][1] & stall) >> 41, cycles < 2 ? 2 : cycles);
        expect_waiting(&m, 10);
    }
}

/* A jump by a predicate stays one, whatever else it does; and where the jump that goes waits longer
 * than jumps do, the new one does. */
static void test_as_before(void **state) {
    (void)state;
    const uint64_t stall = 0xfull << 41;
    for (uint64_t predicate = 0; predicate < 16; predicate++)
        for (uint64_t cycles = 0; cycles < 16; cycles++) {
            image m = whole(), usual = m;
            gr_code code = of_handlers(HANDLERS);
            m.text[11][0] = (m.text[11][0] & ~0xf000ull) | predicate << 12;
            m.text[11][1] = (m.text[11][1] & ~stall) | cycles << 41;
            assert_int_equal(gr_jump_directly(&m, sizeof m, GR_INTERPRETER_KERNEL, &code), 3);
            assert_int_equal(gr_jump_directly(&usual, sizeof m, GR_INTERPRETER_KERNEL, &code), 3);
            assert_int_equal(m.text[11][0], (usual.text[11][0] & ~0xf000ull) | predicate << 12);
            assert_int_equal(m.text[11][1] & ~stall, usual.text[11][1] & ~stall);
            uint64_t least = (usual.text[11][1] & stall) >> 41;
            assert_int_equal((m.text[11][1] & stall) >> 41, cycles > 6 ? cycles : least);
        }
}

/* The image has several kernels: it is the one of the name that is mended. */
static void test_of_name(void **state) {
    (void)state;
    image m = whole(), before = m;
    static gr_code code;
    for (size_t length = 0; length < sizeof GR_INTERPRETER_KERNEL - 1; length++) {
        char name[sizeof GR_INTERPRETER_KERNEL] = {0};
        memcpy(name, GR_INTERPRETER_KERNEL, length);
        code = of_handlers(HANDLERS);
        assert_int_equal(gr_jump_directly(&m, sizeof m, name, &code), 0);
        assert_memory_equal(&m, &before, sizeof m);
    }
    assert_int_equal(gr_jump_directly(&m, sizeof m, GR_INTERPRETER_KERNEL "s", &code), 0);
    assert_memory_equal(&m, &before, sizeof m);
}

#ifdef GRAMPUS_CUDA
/* ---- what the compiler writes ---- */

/* Compiles a machine for compute capability 9.0; NULL where there is no compiler. */
static void *compile(const gr_machine *m, gr_code *code, size_t *size) {
    char folder[] = "/tmp/grampus-direct-XXXXXX", path[64], command[256];
    char *text = gr_interpreter_ptx(m, code), *compiled = NULL;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.ptx", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    snprintf(command, sizeof command,
             "PATH=$PATH:/usr/local/cuda/bin; cd %s && ptxas -arch=sm_90 a.ptx -o a.cubin 2>log",
             folder);
    int failed = system(command);
    snprintf(path, sizeof path, "%s/a.cubin", folder);
    if (!failed && (file = fopen(path, "r"))) {
        compiled = malloc(1 << 22);
        *size = fread(compiled, 1, 1 << 22, file);
        fclose(file);
    }
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
    free(text);
    return compiled;
}

/* Of the jumps by a register `direct`, which is all but those by tables of their own, wait for all
 * that handlers have left under way. */
static void expect_all_wait(const void *compiled, size_t size, uint32_t direct) {
    uint32_t waiting = 0;
    for (size_t at = 0; at + BYTES <= size; at += BYTES) {
        instruction i;
        memcpy(i, (const char *)compiled + at, BYTES);
        waiting += (i[0] & 0xffff) == 0x7949 && (i[1] >> 52 & 0x3f) == 0x3f;
    }
    assert_int_equal(waiting, direct);
}

static void test_compiled(void **state) {
    (void)state;
    if (system("PATH=$PATH:/usr/local/cuda/bin; command -v ptxas >/dev/null"))
        skip();
    for (uint32_t kind = 0; kind < 4; kind++) {
        static gr_code code;
        size_t size;
        gr_machine m = {.values = kind == 1   ? GR_EXACT
                                  : kind == 2 ? GR_WORDS
                                              : GR_FAST,
                        .width = kind == 2 ? 16 : 8,
                        .levels = kind == 1 ? 2 : 3,
                        .accumulator = kind == 1,
                        .register_inputs = kind == 3,
                        .pairs = kind != 1,
                        .shared = 1,
                        .direct = kind ? GR_DIRECT_WIDE : GR_DIRECT,
                        .threads = 512,
                        .blocks = kind == 2 ? 1 : 2,
                        .chunks = 1,
                        .ahead = 1};
        if (kind == 2)
            m.uses[GR_WAND] = m.uses[GR_WOR] = m.uses[GR_WNAND] = 1;
        else
            m.uses[GR_ADD] = m.uses[GR_SUB] = m.uses[GR_MUL] = m.uses[GR_DIV] = m.uses[GR_EXP] = 1;
        void *compiled = compile(&m, &code, &size);
        assert_non_null(compiled);
        uint32_t direct = gr_jump_directly(compiled, size, GR_INTERPRETER_KERNEL, &code);
        assert_true(direct > code.handlers / 2);
        assert_true(code.jump[0] != code.jump[code.handlers - 1]);
        expect_all_wait(compiled, size, direct);
        free(compiled);
    }
}

/* The kernels over doubles that the program carries: each of their handlers has a jump of its own,
 * but for divisions, functions, and what begins with an input twice, which share theirs, and for
 * those that end right behind a load. */
static void test_carried(void **state) {
    (void)state;
    static const char *const kernel[] = {"gr_doubles_cheap_shared", "gr_doubles_cheap_global",
                                         "gr_doubles_functions_shared",
                                         "gr_doubles_functions_global"};
    size_t size = (size_t)(gr_doubles_image_end - gr_doubles_image);
    if (!size)
        skip(); /* the build is not for 9.0 */
    char *mended = malloc(size);
    memcpy(mended, gr_doubles_image, size);
    for (size_t k = 0; k < 4; k++) {
        static gr_code code;
        uint32_t handlers = GR_DOUBLE_HANDLERS(k < 2 ? GR_JUMPS_TO_CHEAP : GR_JUMPS_TO_FUNCTIONS);
        code = of_handlers(handlers);
        uint32_t direct = gr_jump_directly(mended, size, kernel[k], &code);
        assert_true(direct > 35 && direct < handlers);
        for (uint32_t j = 1; j < handlers; j++)
            assert_true(code.jump[j] != code.jump[0] && code.jump[j] % BYTES == 0);
    }
    free(mended);
}

#else
static void test_compiled(void **state) {
    (void)state;
    skip(); /* the text of an interpreter is made by nvcc */
}
static void test_carried(void **state) {
    (void)state;
    skip(); /* and so are these */
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_written_down), cmocka_unit_test(test_compared),
        cmocka_unit_test(test_setting),      cmocka_unit_test(test_refused),
        cmocka_unit_test(test_as_before),    cmocka_unit_test(test_of_name),
        cmocka_unit_test(test_compiled),     cmocka_unit_test(test_carried)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

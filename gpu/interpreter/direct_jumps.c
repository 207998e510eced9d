/* Machine code by what ptxas writes: the fields of instructions have been found by comparing what
 * nvdisasm makes of it. */
#include "gpu/interpreter/direct_jumps.h"

#include <elf.h>
#include <string.h>

/* ---- machine code, 16 bytes an instruction (compute capability 7.0 and later) ---- */

typedef struct instruction {
    uint64_t low, high;
} instruction;

enum {
    BYTES = sizeof(instruction),
    BRA = 0x7947, /* always: by no predicate */
    BRX = 0x7949,
    LOP3 = 0x7212,
    DSETP = 0x722a,
    LDC = 0x7b82,
    ZERO = 255 /* the register that is 0 */
};

static uint32_t opcode(instruction i) {
    return i.low & 0xffff;
}
/* The predicate by which it is carried out; 7: always. */
static const uint64_t PREDICATE = 0xf000;
/* A jump, by whichever predicate. */
static int is_jump(instruction i) {
    return (i.low & 0xfff) == (BRA & 0xfff);
}
static uint32_t target(instruction i) {
    return i.low >> 16 & 0xff;
}
static uint32_t source(instruction i) {
    return i.low >> 24 & 0xff;
}
static uint32_t second(instruction i) {
    return i.low >> 32 & 0xff;
}
/* Barriers it waits for, a bit each: six of the upper word, all here. */
static const uint64_t ALL_BARRIERS = 0x3full << 52;

/* Where a jump leads, from behind itself, in bytes. It has words of four bytes, 56 bits: the lowest
 * eight apart from the others, which begin at bit 34. */
static int64_t distance(instruction i) {
    uint64_t upper = i.low >> 34 | (i.high & 0x3ffff) << 30;
    return (int64_t)((upper << 8 | (i.low >> 16 & 0xff)) << 8) / 64;
}
static instruction with_distance(instruction i, int64_t bytes) {
    uint64_t words = (uint64_t)(bytes >> 2), upper = words >> 8;
    i.low = (i.low & 0x3ff00ffffull) | (words & 0xff) << 16 | upper << 34;
    i.high = (i.high & ~0x3ffffull) | (upper >> 30 & 0x3ffff);
    return i;
}

/* ---- the image ---- */

typedef struct section {
    uint8_t *bytes;
    size_t size;
} section;

/* The section whose name is `kind` and the kernel's. */
static section find_section(uint8_t *image, size_t size, const char *kind, const char *kernel) {
    const section none = {0};
    Elf64_Ehdr head;
    if (size < sizeof head)
        return none;
    memcpy(&head, image, sizeof head);
    if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64 ||
        head.e_shentsize != sizeof(Elf64_Shdr) || head.e_shstrndx >= head.e_shnum ||
        head.e_shoff > size || size - head.e_shoff < head.e_shnum * sizeof(Elf64_Shdr))
        return none;
    const uint8_t *table = image + head.e_shoff;
    size_t first = strlen(kind), all = first + strlen(kernel);
    Elf64_Shdr names, s;
    memcpy(&names, table + head.e_shstrndx * sizeof s, sizeof s);
    if (names.sh_offset > size || size - names.sh_offset < names.sh_size)
        return none;
    for (uint32_t k = 0; k < head.e_shnum; k++) {
        memcpy(&s, table + k * sizeof s, sizeof s);
        if (s.sh_name >= names.sh_size || names.sh_size - s.sh_name <= all || s.sh_offset > size ||
            size - s.sh_offset < s.sh_size)
            continue;
        const char *name = (const char *)image + names.sh_offset + s.sh_name;
        if (memcmp(name, kind, first) == 0 && strcmp(name + first, kernel) == 0)
            return (section){image + s.sh_offset, s.sh_size};
    }
    return none;
}

static instruction read_at(const section *text, size_t at) {
    instruction i;
    memcpy(&i, text->bytes + at, BYTES);
    return i;
}

/* ---- the common jump ---- */

typedef struct common_jump {
    size_t at;        /* its first instruction */
    uint32_t address; /* of the two registers that hold where to go, the lower */
    uint32_t table;   /* where its table stands, in bytes */
    instruction jump; /* the jump itself */
} common_jump;

/* Two registers side by side hold where to go, and the first thing that is done with them is what
 * the generator wrote for this (interpreter.c): an exclusive or, or a comparison with 0 as a
 * double.
 */
static int uses_address(instruction i, uint32_t *lower) {
    const uint32_t XOR = 0x3c;
    uint32_t a = source(i), b = second(i);
    *lower = a & ~1u;
    if (opcode(i) == LOP3)
        return (a ^ b) == 1 && a < ZERO - 1 && i.low >> 40 == 0 && (i.high & 0xff) == ZERO &&
               (i.high >> 8 & 0xff) == XOR;
    return opcode(i) == DSETP && b == ZERO && a % 2 == 0 && a < ZERO - 1 && i.low >> 40 == 0;
}

/* The common jump that begins at `at`, if one does. */
static int take_common_jump(const section *text, size_t at, common_jump *found) {
    enum { MOST = 8, TABLES = 2 /* the bank of constants that has them */ };
    int tables = 0;
    *found = (common_jump){.at = at};
    if (!uses_address(read_at(text, at), &found->address))
        return 0;
    for (size_t k = 0; k < MOST && at + k * BYTES < text->size; k++) {
        size_t here = at + k * BYTES;
        instruction i = read_at(text, here);
        if (opcode(i) == LDC && (i.low >> 54 & 0x1f) == TABLES) {
            found->table = i.low >> 38 & 0x7fff; /* the driver adds 0x8000 to both sides */
            tables++;
        }
        if (opcode(i) == BRX) {
            found->jump = i;
            return tables == 1 && distance(i) == -(int64_t)(here + BYTES);
        }
        if (is_jump(i))
            return 0;
    }
    return 0;
}

static int find_common_jump(const section *text, common_jump *jump) {
    int found = 0;
    common_jump one;
    for (size_t at = 0; at < text->size; at += BYTES)
        if (take_common_jump(text, at, &one)) {
            *jump = one;
            found++;
        }
    return found == 1;
}

/* Handlers' addresses as the table has them, from the function's beginning. */
static int read_table(const section *text, const section *table, const common_jump *jump,
                      uint32_t handlers, uint32_t *address) {
    if (handlers > GR_DIRECT_HANDLERS || jump->table > table->size ||
        (table->size - jump->table) / 4 < handlers)
        return 0;
    memcpy(address, table->bytes + jump->table, handlers * sizeof *address);
    for (uint32_t k = 0; k < handlers; k++)
        if (address[k] % BYTES || address[k] >= text->size || address[k] == 0)
            return 0;
    return 1;
}

/* ---- direct jumps ---- */

static uint32_t stall_of(instruction i) {
    return i.high >> 41 & 0xf;
}
static instruction with_stall(instruction i, uint32_t cycles) {
    const uint64_t mask = 0xfull << 41;
    i.high = (i.high & ~mask) | (uint64_t)cycles << 41;
    return i;
}
/* Whether something waits for it: it sets a barrier when it has read or written registers. */
static int sets_barrier(instruction i) {
    return (i.high >> 46 & 0x3f) != 0x3f;
}

/* The same jump at another place, by the registers that hold the address. It waits for all that is
 * under way, not only for what the common jump waits for: that looks into its table first, and
 * then ptxas has handlers read what was loaded from shared memory without waiting for it. With a
 * load of eight values, whose second half has another barrier, what followed read what had stood
 * there before: seldom, but no two runs were alike (H200, fourteen operations). Where the jump that
 * it replaces lets more cycles go by than jumps do, as behind doubles, it does, too. */
static void write_jump(section *text, size_t at, const common_jump *jump) {
    enum { USUAL = 6 /* cycles of most: the last of these is what an integer is ready by */ };
    instruction i = with_distance(jump->jump, -(int64_t)(at + BYTES)), before = read_at(text, at);
    if (is_jump(before)) {
        i.low = (i.low & ~PREDICATE) | (before.low & PREDICATE);
        if (stall_of(before) > USUAL)
            i = with_stall(i, stall_of(before));
    }
    i.low = (i.low & ~(0xffull << 24)) | (uint64_t)jump->address << 24;
    i.high |= ALL_BARRIERS;
    memcpy(text->bytes + at, &i, BYTES);
}

/* From the instruction that waits for the address to the jump by it. */
enum { CYCLES = 6 };

/* A jump that waits itself for the load of its address, three cycles behind that load, took some
 * lanes to where they had been before: seen on an H100 in a quarter of the runs of one benchmark.
 * The compiler has an instruction in between wait, and the jump stands four cycles behind that. So
 * here: an instruction before the jump at `at` waits, behind the last that sets a barrier or writes
 * the address, and those cycles lie between. 0: there is none. */
static int wait_before(section *text, size_t at, const common_jump *jump) {
    enum { SETTING = 2 /* from an instruction to who waits for its barrier */ };
    uint32_t cycles = 0;
    size_t host = at;
    while (cycles < CYCLES && host >= 2 * BYTES) {
        instruction i = read_at(text, host - BYTES);
        if (opcode(i) == BRA || opcode(i) == BRX || sets_barrier(i))
            break; /* nobody comes from there; or it is waited for behind it */
        host -= BYTES;
        cycles += stall_of(i);
        if ((target(i) | 1) == (jump->address | 1))
            break; /* it writes the address */
    }
    if (host == at)
        return 0;
    instruction i = read_at(text, host), setter = read_at(text, host - BYTES);
    i.high |= ALL_BARRIERS;
    memcpy(text->bytes + host, &i, BYTES);
    if (sets_barrier(setter) && stall_of(setter) < SETTING) {
        setter = with_stall(setter, SETTING);
        memcpy(text->bytes + host - BYTES, &setter, BYTES);
    }
    instruction last = read_at(text, at - BYTES);
    if (cycles < CYCLES)
        last = with_stall(last, stall_of(last) + CYCLES - cycles);
    memcpy(text->bytes + at - BYTES, &last, BYTES);
    return 1;
}

/* The common jump, for entry and for whom there is none of their own: its first instruction stays,
 * and waits, but writes no register. */
static void mend_common_jump(section *text, const common_jump *jump) {
    instruction first = with_stall(read_at(text, jump->at), CYCLES);
    if (opcode(first) == LOP3)
        first.low |= (uint64_t)ZERO << 16;
    first.high |= ALL_BARRIERS;
    memcpy(text->bytes + jump->at, &first, BYTES);
    write_jump(text, jump->at + BYTES, jump);
}

uint32_t gr_jump_directly(void *image, size_t size, const char *kernel, gr_code *code) {
    section text = find_section(image, size, ".text.", kernel),
            table = find_section(image, size, ".nv.constant2.", kernel);
    common_jump jump = {0};
    uint32_t address[GR_DIRECT_HANDLERS], count = 1;
    gr_number_jumps(code);
    if (!text.bytes || !table.bytes || text.size % BYTES || !find_common_jump(&text, &jump) ||
        !read_table(&text, &table, &jump, code->handlers, address))
        return 0;
    for (size_t at = 0; at < text.size; at += BYTES) {
        instruction i = read_at(&text, at);
        if (is_jump(i) && (int64_t)(at + BYTES) + distance(i) == (int64_t)jump.at) {
            if (!wait_before(&text, at, &jump))
                continue;
            write_jump(&text, at, &jump);
            count++;
        }
    }
    mend_common_jump(&text, &jump);
    memcpy(code->jump, address, code->handlers * sizeof *address);
    return count;
}

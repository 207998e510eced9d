/* The interpreter's block inside the kernel of evaluate.cu: names, launch bounds, literals, marks.
 */
#include "gpu/interpreter/block.h"
#include "gpu/interpreter/embedded.h"
#include "gpu/interpreter/primitive_text.h"

#include <stdlib.h>
#include <string.h>

/* The text of a mark's operand number `index`. */
static void mark_operand(const char *at, int index, char out[32]) {
    for (; index > 0; index--)
        at += strcspn(at, ",;") + 1;
    at += strspn(at, " ");
    snprintf(out, 32, "%.*s", (int)strcspn(at, ",;"), at);
}

/* Writes what stands for a mark of evaluate.cu, if there is one at `at`; returns what follows it,
 * else NULL. */
static const char *write_mark(FILE *out, const gr_machine *m, const char *at, const char *block) {
    const struct {
        const char *mark;
        uint32_t literal;
    } literals[] = {{"GRAMPUS_ADDS ", m->adds},       {"GRAMPUS_KIND ", m->kind},
                    {"GRAMPUS_CHUNKS ", m->chunks},   {"GRAMPUS_TOGETHER ", m->together},
                    {"GRAMPUS_LONG ", m->windows},    {"GRAMPUS_KEEPS ", m->keeps},
                    {"GRAMPUS_ABREAST ", m->abreast}, {"GRAMPUS_AHEAD ", m->ahead},
                    {"GRAMPUS_BATCH ", m->batch},     {"GRAMPUS_DIRECT ", m->direct},
                    {"GRAMPUS_INPUTS ", m->inputs},   {"GRAMPUS_MANY ", m->many},
                    {"GRAMPUS_SOME ", m->some},       {"GRAMPUS_WINDOW ", m->window},
                    {"GRAMPUS_SHARES ", m->shares}};
    enum { LITERALS = sizeof literals / sizeof *literals };
    static const char mark[] = "GRAMPUS_", start[] = "GRAMPUS_START ", run[] = "GRAMPUS_RUN ",
                      tile[] = "GRAMPUS_TILE ", end[] = "GRAMPUS_END ", step[] = "GRAMPUS_STEP ",
                      pass[] = "GRAMPUS_PASS;";
    char first[32], second[32];
    const char *operands = at + strcspn(at, " ") + 1;
    if (strncmp(at, mark, strlen(mark)) != 0)
        return NULL;
    mark_operand(operands, 0, first);
    mark_operand(operands, 1, second);
    if (strncmp(at, start, strlen(start)) == 0)
        gr_block_start(out, m, first);
    else if (strncmp(at, pass, strlen(pass)) == 0)
        gr_block_pass(out, m);
    else if (strncmp(at, step, strlen(step)) == 0)
        gr_block_step(out, m, first);
    else if (strncmp(at, tile, strlen(tile)) == 0)
        fprintf(out, m->shared ? "mov.b32 %s, gt;\n" : "mov.b64 %s, gt64;\n", first);
    else if (strncmp(at, end, strlen(end)) == 0)
        fprintf(out, "mov.b32 %s, gp;\n", first);
    else if (strncmp(at, run, strlen(run)) == 0)
        fprintf(out, "mov.b32 gp, %s;\n%s", first, block);
    else {
        size_t n = 0;
        while (n < LITERALS && strncmp(at, literals[n].mark, strlen(literals[n].mark)) != 0)
            n++;
        if (n == LITERALS)
            return NULL; /* GRAMPUS_OUT_: a register's name, see write_entry */
        if (literals[n].literal == GR_ANY)
            fprintf(out, "mov.b32 %s, %s;\n", first, second);
        else
            fprintf(out, "mov.b32 %s, %u;\n", first, literals[n].literal);
    }
    return at + strcspn(at, ";") + 1;
}

/* Copies the entry of evaluate.cu that was compiled for the machine's width, with our name and
 * launch bounds and the block in place of the marks. */
static int write_entry(FILE *out, const gr_machine *m, const char *block) {
    static const char out_mark[] = "GRAMPUS_OUT_";
    char own[64], name[96];
    const char *cases = m->values == GR_WORDS ? "words" : m->case_weights ? "weighed" : "floats";
    snprintf(own, sizeof own, "gr_evaluate_%s_%u_%s", cases, m->width,
             m->shared ? "shared" : "global");
    snprintf(name, sizeof name, ".visible .entry %s(", own);
    const char *at = strstr(gr_evaluate_ptx, name), *end = at ? strstr(at, "\n}\n") : NULL, *next;
    if (!end)
        return 0;
    for (int body = 0; at < end; at = next) {
        if ((next = write_mark(out, m, at, block)))
            continue;
        next = at + 1;
        if (strncmp(at, out_mark, strlen(out_mark)) == 0) {
            fputs(gr_block_result(m), out);
            next = at + strlen(out_mark);
        } else if (strncmp(at, own, strlen(own)) == 0) {
            fputs(GR_INTERPRETER_KERNEL, out);
            next = at + strlen(own);
        } else if (!body && strncmp(at, ".maxntid", 8) == 0) {
            fprintf(out, ".maxntid %u, 1, 1", m->threads);
            next = strchr(at, '\n');
        } else if (!body && strncmp(at, ".minnctapersm", 13) == 0) {
            if (m->registers)
                fprintf(out, ".maxnreg %u", m->registers);
            else
                fprintf(out, ".minnctapersm %u", m->blocks);
            next = strchr(at, '\n');
        } else if (!body && strncmp(at, "\n{\n", 3) == 0) {
            body = 1;
            fputs("\n{\n", out);
            gr_block_registers(out, m);
            next = at + 3;
        } else
            fputc(*at, out);
    }
    fputs("\n}\n", out);
    return 1;
}

/* What stands before the first entry of evaluate.cu and any of them needs. */
static void write_head(FILE *out) {
    static const char *const wanted[] = {".version", ".target", ".address_size", ".shared",
                                         ".extern"};
    const char *at = gr_evaluate_ptx, *end = strstr(at, ".entry");
    while (at < end) {
        size_t length = strcspn(at, "\n") + 1;
        for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
            if (strncmp(at, wanted[k], strlen(wanted[k])) == 0)
                fwrite(at, 1, length, out);
        at += length;
    }
}

char *gr_interpreter_ptx(const gr_machine *machine, gr_code *code) {
    char *text = NULL, *block = gr_block_write(machine, code);
    size_t size;
    FILE *out = block ? open_memstream(&text, &size) : NULL;
    int good = 0;
    if (out) {
        write_head(out);
        gr_primitive_write_prelude(out);
        good = write_entry(out, machine, block);
        good = fclose(out) == 0 && good;
    }
    free(block);
    if (good)
        return text;
    free(text);
    return NULL;
}

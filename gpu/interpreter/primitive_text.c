#define _GNU_SOURCE /* memmem */
#include "gpu/interpreter/primitive_text.h"

#include "gpu/interpreter/embedded.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char prefix[] = "gr_as_";

/* The line at `at` without its end, and where the next begins. */
static size_t line_length(const char *at, const char **next) {
    size_t length = strcspn(at, "\n");
    *next = at[length] ? at + length + 1 : at + length;
    return length;
}

static int line_has(const char *line, size_t length, const char *word) {
    return memmem(line, length, word, strlen(word)) != NULL;
}

/* Copies the register that starts at the first '%' of a line. */
static void take_register(const char *line, char out[GR_REGISTER_NAME]) {
    const char *at = strchr(line, '%');
    size_t n = 1;
    while (at && n + 1 < GR_REGISTER_NAME && (isalnum((unsigned char)at[n])))
        n++;
    snprintf(out, GR_REGISTER_NAME, "%.*s", at ? (int)n : 0, at ? at : "");
}

/* A load of a parameter: its register becomes the operand's name. A second one, or one to an
 * integer register of a float's bits, becomes a move from it. */
static void take_parameter(const char *line, size_t length, gr_primitive *p, FILE *body) {
    const char *number = memmem(line, length, "_param_", 7);
    unsigned n = number ? (unsigned)(number[7] - '0') : 0;
    char name[GR_REGISTER_NAME];
    take_register(line, name);
    if (n + 1 > p->parameters)
        p->parameters = n + 1;
    if (!*p->parameter[n] && (name[1] == 'f' || line_has(line, length, "words")))
        memcpy(p->parameter[n], name, sizeof name);
    else {
        fprintf(body, "mov.b32 %s, %%arg%u;\n", name, n);
        p->lines++;
    }
}

static const char *function_body(const char *kind, const char *id) {
    char name[64];
    snprintf(name, sizeof name, " %s%s_%s(", prefix, kind, id);
    const char *at = strstr(gr_primitives_ptx, name);
    return at ? strstr(at, "\n{\n") : NULL;
}

/* Which parameter a register is; p->parameters if none. */
static unsigned parameter_number(const gr_primitive *p, const char *name) {
    unsigned j = 0;
    if (strncmp(name, "%arg", 4) == 0)
        return (unsigned)(name[4] - '0');
    while (j < p->parameters && strcmp(name, p->parameter[j]) != 0)
        j++;
    return j;
}

/* Whether an instruction writes a parameter's register. Ours stand in place of those and must not
 * change; nvcc has not done it so far. */
static int writes_parameter(const gr_primitive *p) {
    const char *next;
    for (const char *at = p->body; *at; at = next) {
        size_t length = line_length(at, &next);
        char name[GR_REGISTER_NAME] = "";
        if (memchr(at, '%', length) && !line_has(at, length, "st.") && !line_has(at, length, "bra"))
            take_register(at, name);
        if (*name && parameter_number(p, name) < p->parameters)
            return 1;
    }
    return 0;
}

int gr_primitive_find(const char *kind, const char *id, gr_primitive *primitive) {
    const char *at = function_body(kind, id), *next;
    size_t size[2];
    gr_primitive p = {0};
    FILE *declarations, *body;
    if (!at)
        return 0;
    declarations = open_memstream(&p.declarations, &size[0]);
    body = open_memstream(&p.body, &size[1]);
    for (at += 3; declarations && body && *at != '}'; at = next) {
        size_t length = line_length(at, &next);
        if (strspn(at, " \t") == length || line_has(at, length, "//"))
            continue; /* empty, or a mark of inline assembly */
        if (line_has(at, length, ".reg "))
            fprintf(declarations, "%.*s\n", (int)length, at);
        else if (line_has(at, length, "ld.param.") && line_has(at, length, prefix))
            take_parameter(at, length, &p, body);
        else if (line_has(at, length, "st.param.") && line_has(at, length, "func_retval0"))
            take_register(at, p.result);
        else if (!line_has(at, length, "\tret;")) {
            fprintf(body, "%.*s\n", (int)length, at);
            p.lines++;
        }
    }
    int good = declarations && body;
    good = declarations && fclose(declarations) == 0 && good;
    good = body && fclose(body) == 0 && good;
    if (!good || writes_parameter(&p)) {
        gr_primitive_free(&p);
        return 0;
    }
    *primitive = p;
    return 1;
}

void gr_primitive_free(gr_primitive *primitive) {
    free(primitive->declarations);
    free(primitive->body);
    memset(primitive, 0, sizeof *primitive);
}

void gr_operand_write(FILE *out, gr_register_operand operand, unsigned k) {
    if (operand.per_case)
        fprintf(out, "%s%u", operand.name, k);
    else
        fputs(operand.name, out);
}

/* Copies the body with our registers in place of its parameters, and of its result if that is
 * written last. */
static void write_body(FILE *out, const gr_primitive *p, const gr_register_operand *operand,
                       gr_register_operand result, int direct, unsigned k) {
    for (const char *at = p->body; *at;) {
        char name[GR_REGISTER_NAME];
        if (*at != '%') {
            fputc(*at++, out);
            continue;
        }
        take_register(at, name);
        at += strlen(name);
        unsigned j = parameter_number(p, name);
        if (j < p->parameters)
            gr_operand_write(out, operand[j], k);
        else if (direct && strcmp(name, p->result) == 0)
            gr_operand_write(out, result, k);
        else
            fputs(name, out);
    }
}

void gr_primitive_write(FILE *out, const gr_primitive *p, const gr_register_operand *operand,
                        gr_register_operand result, unsigned k) {
    int direct = p->lines == 1; /* one instruction: it can write the result itself */
    if (!direct)
        fprintf(out, "{\n%s", p->declarations);
    write_body(out, p, operand, result, direct, k);
    if (direct)
        return;
    fputs("mov.b32 ", out);
    gr_operand_write(out, result, k);
    unsigned j = parameter_number(p, p->result); /* an operand handed through? */
    fputs(", ", out);
    if (j < p->parameters)
        gr_operand_write(out, operand[j], k);
    else
        fputs(p->result, out);
    fputs(";\n}\n", out);
}

void gr_primitive_write_prelude(FILE *out) {
    int copying = 0;
    const char *next;
    for (const char *at = gr_primitives_ptx; *at; at = next) {
        size_t length = line_length(at, &next);
        if (strncmp(at, ".func", 5) == 0 || strncmp(at, ".visible .func", 14) == 0 ||
            strncmp(at, ".weak .func", 11) == 0)
            copying = !line_has(at, length, prefix);
        else if (strncmp(at, ".global", 7) == 0 || strncmp(at, ".const", 6) == 0 ||
                 strncmp(at, ".visible .global", 16) == 0)
            fprintf(out, "%.*s\n", (int)length, at);
        if (copying)
            fprintf(out, "%.*s\n", (int)length, at);
        if (copying && length == 1 && *at == '}')
            copying = 0;
    }
}

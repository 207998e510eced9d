#include "host/export/core_text.h"

#include "gpu/core/base/math.h" /* which it holds: compiled anew when they change */
#include "gpu/core/base/math_double.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The headers themselves, in the program. */
#define GR_EMBED(name, file)                                                                       \
    __asm__(".pushsection .rodata\n.hidden " #name "\n.global " #name "\n" #name                   \
            ":\n.incbin \"" file "\"\n.byte 0\n.popsection\n")
GR_EMBED(gr_portable_text, "gpu/core/base/portable.h");
GR_EMBED(gr_math_text, "gpu/core/base/math.h");
GR_EMBED(gr_tables_text, "gpu/core/base/tables_double.h");
GR_EMBED(gr_math_double_text, "gpu/core/base/math_double.h");
extern const char gr_portable_text[], gr_math_text[], gr_tables_text[], gr_math_double_text[];

/* All of them as blocks of lines: what stands between blank lines outside of braces. */
enum { MOST_BLOCKS = 512, MOST_CONDITIONS = 8 };
typedef struct blocks {
    char *text; /* behind the conditions */
    size_t start[MOST_BLOCKS + 1];
    uint8_t needed[MOST_BLOCKS];
    int count;
} blocks;

/* ---- conditions ---- */

/* Whether a line begins with a directive, and what stands behind it. */
static const char *directive(const char *line, const char *word) {
    size_t n = strlen(word);
    return strncmp(line, word, n) == 0 && !isalnum((unsigned char)line[n]) ? line + n : NULL;
}

/* A condition about the compiler: what lines of it are kept. Others stay as they are. */
typedef struct condition {
    int known, keeps;
} condition;

static condition condition_of(const char *line, int cuda) {
    const char *rest = directive(line, "#ifdef");
    int negated = !rest;
    if (!rest)
        rest = directive(line, "#ifndef");
    if (!rest) /* #if: of instructions of newer cards, which nothing here needs */
        return (condition){strstr(line, "__CUDA") != NULL, 0};
    int about =
        strncmp(rest, " __CUDACC__\n", 12) == 0 || strncmp(rest, " __CUDA_ARCH__\n", 15) == 0;
    return (condition){about, (cuda != 0) != negated};
}

/* Copies the lines that a compiler sees; the depth of conditions is small. */
static char *resolve(const char *text, char *to, int cuda) {
    condition stack[MOST_CONDITIONS + 1] = {{0, 1}};
    int depth = 0;
    for (size_t n; *text; text += n) {
        n = strcspn(text, "\n") + 1;
        int opens = strncmp(text, "#if", 3) == 0, closes = directive(text, "#endif") != NULL;
        int turns = directive(text, "#else") != NULL || directive(text, "#elif") != NULL;
        int hidden = 0;
        if (opens && depth < MOST_CONDITIONS)
            stack[++depth] = condition_of(text, cuda);
        int about = (opens || closes || turns) && stack[depth].known;
        if (turns && stack[depth].known)
            stack[depth].keeps = !stack[depth].keeps;
        for (int k = 1; k <= depth; k++)
            hidden |= stack[k].known && !stack[k].keeps;
        if (closes && depth)
            depth--;
        if (!hidden && !about) {
            memcpy(to, text, n);
            to += n;
        }
    }
    *to = '\0';
    return to;
}

/* ---- blocks ---- */

static void split(blocks *b) {
    int braces = 0, blank = 1;
    size_t at = 0;
    for (size_t n; b->text[at]; at += n) {
        const char *line = b->text + at;
        n = strcspn(line, "\n") + 1;
        if (n == 1) {
            blank = blank || braces == 0;
            continue;
        }
        if (blank && b->count < MOST_BLOCKS)
            b->start[b->count++] = at;
        blank = 0;
        for (size_t i = 0; i < n; i++)
            braces += (line[i] == '{') - (line[i] == '}');
    }
    b->start[b->count] = at;
}

static int is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* The next identifier from *at on; its length, 0 at the end. Comments have none. */
static size_t next_word(const char **at, const char *end) {
    const char *c = *at;
    while (c < end) {
        if (c + 1 < end && c[0] == '/' && c[1] == '*') {
            const char *close = strstr(c + 2, "*/");
            c = close && close < end ? close + 2 : end;
        } else if (is_word(*c)) {
            size_t n = 0;
            while (c + n < end && is_word(c[n]))
                n++;
            *at = c;
            return n;
        } else
            c++;
    }
    return 0;
}

/* What a line defines; its length, 0: nothing. #define WORD, enum { WORD, } WORD;, GR_UNIT(WORD,
 * __extension__ typedef ... WORD;, GR_FN type WORD(, GR_CONST type WORD[, GR_CONST type WORD =. */
static size_t definition(const char *line, const char *end, const char **word) {
    static const char *const begins[] = {"#define ", "GR_UNIT(", "enum { ", "} "};
    size_t n = 0;
    *word = line;
    for (size_t k = 0; k < sizeof begins / sizeof *begins; k++)
        if (strncmp(line, begins[k], strlen(begins[k])) == 0) {
            *word = line + strlen(begins[k]);
            return next_word(word, end);
        }
    int is_type = strncmp(line, "__extension__ typedef ", 22) == 0;
    if (!is_type && strncmp(line, "GR_", 3) != 0)
        return 0;
    for (; (n = next_word(word, end)); *word += n) {
        char behind = (*word)[n];
        if (is_type ? behind == ';'
                    : *word > line &&
                          (behind == '(' || behind == '[' || strncmp(*word + n, " =", 2) == 0))
            break;
    }
    return n;
}

/* Whether a line of the block defines the word. */
static int defines(const blocks *b, int k, const char *word, size_t length) {
    const char *line = b->text + b->start[k], *end = b->text + b->start[k + 1];
    for (; line < end; line += strcspn(line, "\n") + 1) {
        const char *defined;
        size_t n = definition(line, line + strcspn(line, "\n"), &defined);
        if (n && n == length && memcmp(defined, word, n) == 0)
            return 1;
    }
    return 0;
}

/* Marks what the words of [at, end) need. A block that is marked is gone through once. */
static void need(blocks *b, const char *at, const char *end) { // NOLINT(misc-no-recursion)
    for (size_t n; (n = next_word(&at, end)); at += n)
        for (int k = 0; k < b->count; k++)
            if (!b->needed[k] && defines(b, k, at, n)) {
                b->needed[k] = 1;
                need(b, b->text + b->start[k], b->text + b->start[k + 1]);
            }
}

gr_status gr_write_core_text(FILE *out, const char *wanted, int cuda, int doubles,
                             gr_error *error) {
    const char *const texts[] = {gr_portable_text, doubles ? gr_tables_text : "",
                                 doubles ? gr_math_double_text : gr_math_text};
    enum { TEXTS = sizeof texts / sizeof *texts };
    size_t size = 1;
    for (int k = 0; k < TEXTS; k++)
        size += strlen(texts[k]) + 1;
    blocks b = {.text = malloc(size)};
    if (!b.text)
        return gr_fail(error, GR_NO_MEMORY, "no memory to write a program");
    char *end = b.text;
    for (int k = 0; k < TEXTS; k++) {
        end = resolve(texts[k], end, cuda);
        *end++ = '\n';
    }
    *end = '\0';
    split(&b);
    need(&b, wanted, wanted + strlen(wanted));
    for (int k = 0; k < b.count; k++)
        if (b.needed[k])
            fwrite(b.text + b.start[k], 1, b.start[k + 1] - b.start[k], out);
    free(b.text);
    return GR_OK;
}

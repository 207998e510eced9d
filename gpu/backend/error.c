#include "gpu/backend/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Bytes of the UTF-8 character at c, 0 when it is none or a control character. */
static size_t printable(const char *c) {
    const unsigned char *byte = (const unsigned char *)c;
    size_t n = byte[0] < 0x80 ? 1 : byte[0] < 0xe0 ? 2 : byte[0] < 0xf0 ? 3 : 4;
    if (byte[0] < 0x20 || byte[0] == 0x7f || (byte[0] >= 0x80 && byte[0] < 0xc2) || byte[0] > 0xf4)
        return 0;
    for (size_t k = 1; k < n; k++)
        if ((byte[k] & 0xc0) != 0x80)
            return 0;
    return byte[0] == 0xc2 && byte[1] < 0xa0 ? 0 : n;
}

void gr_escape(const char *text, char *out, size_t size) {
    size_t at = 0, n;
    for (const char *c = text; *c; c += n ? n : 1) {
        char piece[8];
        n = printable(c);
        if (n)
            snprintf(piece, sizeof piece, "%.*s", (int)n, c);
        else if (*c == '\n' || *c == '\r' || *c == '\t')
            snprintf(piece, sizeof piece, " ");
        else
            snprintf(piece, sizeof piece, "\\x%02x", (unsigned char)*c);
        if (at + strlen(piece) >= size)
            break;
        memcpy(out + at, piece, strlen(piece));
        at += strlen(piece);
    }
    if (size)
        out[at] = '\0';
}

gr_status gr_fail(gr_error *error, gr_status status, const char *format, ...) {
    if (error) {
        char text[sizeof error->text]; /* an offending text may hold anything */
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(text, sizeof text, format, arguments);
        va_end(arguments);
        gr_escape(text, error->text, sizeof error->text);
        error->status = status;
    }
    return status;
}

#include "gpu/backend/error.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

size_t gr_utf8_length(const char *bytes, size_t left) {
    const unsigned char *text = (const unsigned char *)bytes;
    size_t n = text[0] < 0x80   ? 1
               : text[0] < 0xc2 ? 0
               : text[0] < 0xe0 ? 2
               : text[0] < 0xf0 ? 3
                                : 4;
    if (n == 0 || n > left || text[0] > 0xf4)
        return 0;
    uint32_t code = n == 1 ? text[0] : text[0] & (0x7fu >> n);
    for (size_t i = 1; i < n; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (text[i] & 0x3f);
    }
    int overlong = (n == 3 && code < 0x800) || (n == 4 && code < 0x10000);
    int unusable = (code >= 0xd800 && code < 0xe000) || code > 0x10ffff || code == 0xfffe ||
                   code == 0xffff || (code >= 0x7f && code < 0xa0);
    return overlong || unusable ? 0 : n;
}

void gr_escape(const char *text, char *out, size_t size) {
    size_t at = 0, n;
    for (const char *c = text, *end = text + strlen(text); c < end; c += n ? n : 1) {
        char piece[8];
        n = (unsigned char)*c < 0x20 ? 0 : gr_utf8_length(c, (size_t)(end - c));
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

#include "gpu/backend/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

gr_status gr_fail(gr_error *error, gr_status status, const char *format, ...) {
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
        for (char *c = error->text; *c; c++) /* an offending text may hold line ends */
            if (*c == '\n' || *c == '\r' || *c == '\t')
                *c = ' ';
        error->status = status;
    }
    return status;
}

/* A field of a table as a number. */
#ifndef GRAMPUS_NUMBER_H
#define GRAMPUS_NUMBER_H

/* What a field is; *value only of the first. */
typedef enum gr_number_kind {
    GR_IS_NUMBER,
    GR_IS_TEXT,
    GR_IS_MISSING,
    GR_IS_NOT_FINITE, /* nan, inf */
    GR_IS_TOO_LARGE
} gr_number_kind;

/* Reads [at, end) as strtof would, rounded correctly. The text behind `end` must be there: a NUL or
 * a character that is no part of a number. */
gr_number_kind gr_read_number(const char *at, const char *end, float *value);
/* The same as strtod would. */
gr_number_kind gr_read_double(const char *at, const char *end, double *value);

#endif

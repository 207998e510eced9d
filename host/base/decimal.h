/* Numbers as decimal text, at a tenth of printf's cost and with its bytes (in the C locale).
 *
 * Each writes to `to`, which has room for GR_DECIMAL characters, and returns the end; there is no
 * zero behind it. */
#ifndef GRAMPUS_DECIMAL_H
#define GRAMPUS_DECIMAL_H

#include <stdint.h>

enum { GR_DECIMAL = 320 }; /* %.0f of the largest double has 309 */

char *gr_put_whole(char *to, uint64_t value); /* %llu */
char *gr_put_nine(char *to, double value);    /* %.9g */
char *gr_put_micro(char *to, double value);   /* %.6f */
char *gr_put_rounded(char *to, double value); /* %.0f */

#endif

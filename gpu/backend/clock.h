/* The clock that both backends and the host time with. */
#ifndef GRAMPUS_CLOCK_H
#define GRAMPUS_CLOCK_H

#ifdef __cplusplus
extern "C" {
#endif

/* Seconds since some moment in the past, the same for the whole process; it never runs backwards.
 */
double gr_seconds_now(void);

#ifdef __cplusplus
}
#endif

#endif

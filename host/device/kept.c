#include "host/device/kept.h"

#include "gpu/backend/cache.h"
#include "host/cpu/processors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined __x86_64__ || defined __i386__
#include <cpuid.h>
#endif

/* A home may be shared by many machines: what the processor calls itself, and how many there are to
 * use. */
static void name_machine(char *name, size_t size) {
    char brand[49] = "";
#if defined __x86_64__ || defined __i386__
    unsigned word[12] = {0};
    for (unsigned k = 0; k < 3; k++)
        if (!__get_cpuid(0x80000002u + k, word + 4 * k, word + 4 * k + 1, word + 4 * k + 2,
                         word + 4 * k + 3))
            word[4 * k] = 0;
    memcpy(brand, word, 48);
#endif
    snprintf(name, size, "%s, %u", brand, gr_processors());
}

/* ---- the text ---- */

static int is_plausible(double value, double first) {
    return value > 0.99 * first / GR_RATES_APART && value < 1.01 * first * GR_RATES_APART;
}

static void write_line(const char *name, const gr_rates *rates, FILE *out) {
    const double *value = (const double *)rates;
    fprintf(out, "%s", name);
    for (int k = 0; k < GR_RATES; k++)
        fprintf(out, " %.4g", value[k]);
    fprintf(out, "\n");
}

void gr_write_rates(const gr_known_rates *rates, char *text, size_t size) {
    FILE *out = fmemopen(text, size, "w");
    *text = '\0';
    if (!out)
        return;
    write_line("cpu", &rates->cpu, out);
    write_line("gpu", &rates->gpu, out);
    fclose(out);
    text[size - 1] = '\0';
}

static void read_line(const char *text, const char *name, gr_rates *rates) {
    double *value = (double *)rates;
    const char *at = strstr(text, name);
    if (!at)
        return;
    at += strlen(name);
    for (int k = 0; k < GR_RATES; k++) {
        char *end;
        double read = strtod(at, &end);
        if (end == at)
            return;
        at = end;
        if (is_plausible(read, value[k]))
            value[k] = read;
    }
}

gr_known_rates gr_parse_rates(const char *text) {
    gr_known_rates rates = gr_first_rates;
    read_line(text, "cpu", &rates.cpu);
    read_line(text, "gpu", &rates.gpu);
    return rates;
}

/* ---- the file ---- */

static gr_cache open_file(void) {
    char name[64];
    gr_cache cache;
    name_machine(name, sizeof name);
    gr_cache_open("rates of backends, 1", name, &cache);
    return cache;
}

gr_known_rates gr_read_rates(void) {
    char text[512] = "";
    size_t size = 0;
    gr_cache cache = open_file();
    void *bytes = gr_cache_read(&cache, &size);
    if (bytes)
        memcpy(text, bytes, size < sizeof text ? size : sizeof text - 1);
    free(bytes);
    gr_cache_close(&cache);
    return gr_parse_rates(text);
}

void gr_keep_rates(const gr_known_rates *rates) {
    char text[512];
    gr_cache cache = open_file();
    gr_write_rates(rates, text, sizeof text);
    gr_cache_write(&cache, text, strlen(text));
    gr_cache_close(&cache);
}

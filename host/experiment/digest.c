#include "host/experiment/digest.h"

#include "host/checkpoint/contents.h"
#include "host/settings/table.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

void gr_known_files_free(gr_known_files *files) {
    for (uint32_t i = 0; i < files->count; i++)
        free(files->file[i].path);
    free(files->file);
    *files = (gr_known_files){0};
}

/* Of a file's bytes; 0 where it is none or cannot be read. */
static uint32_t sum_of(const char *path) {
    enum { BLOCK = 1 << 16 };
    struct stat facts;
    uint64_t sum = crc32_z(0, NULL, 0);
    FILE *in = stat(path, &facts) == 0 && S_ISREG(facts.st_mode) ? fopen(path, "rb") : NULL;
    unsigned char *block = in ? malloc(BLOCK) : NULL;
    for (size_t n; block && (n = fread(block, 1, BLOCK, in)) > 0;)
        sum = crc32_z(sum, block, n);
    int bad = !block || ferror(in);
    if (in)
        fclose(in);
    free(block);
    return bad ? 0 : (uint32_t)sum;
}

static gr_status find_sum(gr_known_files *files, const char *path, uint32_t *sum, gr_error *error) {
    for (uint32_t i = files->count; i--;)
        if (strcmp(files->file[i].path, path) == 0) {
            *sum = files->file[i].sum;
            return GR_OK;
        }
    struct gr_known_file *more =
        realloc(files->file, (files->count + (size_t)1) * sizeof *files->file);
    char *copy = strdup(path);
    if (more)
        files->file = more;
    if (!more || !copy) {
        free(copy);
        return gr_fail(error, GR_NO_MEMORY, "no memory for settings");
    }
    *sum = sum_of(path);
    more[files->count++] = (struct gr_known_file){copy, *sum};
    return GR_OK;
}

/* FNV-1a, with the zero behind a text. */
static uint64_t add(uint64_t sum, const char *text) {
    const char *end = text + strlen(text);
    for (; text <= end; text++)
        sum = (sum ^ (unsigned char)*text) * 0x100000001b3u;
    return sum;
}

int gr_is_in_digest(gr_key key) {
    return key == GR_KEY_generations || key == GR_KEY_max_evaluations || key == GR_KEY_time_limit ||
           key == GR_KEY_predictions || gr_setting_table[key].kind == GR_KIND_PATH ||
           !gr_may_change(key);
}

static int is_problem(gr_key key) {
    return strcmp(gr_setting_table[key].group, "Problem") == 0 || key == GR_KEY_metric ||
           key == GR_KEY_tolerance || key == GR_KEY_linear_scaling || key == GR_KEY_target_fitness;
}

gr_status gr_settings_digests(const gr_settings *settings, gr_known_files *files,
                              char digest[GR_DIGEST], char problem[GR_DIGEST], gr_error *error) {
    uint64_t all = 0xcbf29ce484222325u, some = all;
    for (uint32_t k = 0; k < GR_KEY_COUNT; k++) {
        char room[32], sum[32];
        const gr_setting *setting = &gr_setting_table[k];
        const char *text = gr_settings_text(settings, (gr_key)k, room);
        uint32_t bytes = 0;
        if (!gr_is_in_digest((gr_key)k))
            continue;
        if (setting->kind == GR_KIND_PATH && *text) {
            gr_status status = find_sum(files, text, &bytes, error);
            if (status)
                return status;
            snprintf(sum, sizeof sum, "file %08x", bytes);
            text = bytes ? sum : text;
        }
        all = add(add(all, setting->key), text);
        if (is_problem((gr_key)k))
            some = add(add(some, setting->key), text);
    }
    snprintf(digest, GR_DIGEST, "%016llx", (unsigned long long)all);
    snprintf(problem, GR_DIGEST, "%016llx", (unsigned long long)some);
    return GR_OK;
}

/* Parameters on the command line, as PonyGE2 has them. */
#include "host/ponyge2/internal.h"

#include "host/base/text.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* PonyGE2 reads these from the file alone. */
static int is_flag(int i) {
    static const char *const file_only[] = {
        "CACHE", "LOOKUP_FITNESS", "LOOKUP_BAD_FITNESS", "MUTATE_DUPLICATES", "SEED_INDIVIDUALS",
        "TARGET"};
    for (size_t k = 0; k < sizeof file_only / sizeof *file_only; k++)
        if (strcmp(gr_ponyge2_parameter_table[i].name, file_only[k]) == 0)
            return 0;
    return 1;
}

/* The parameter of a flag's name or of an unambiguous beginning; -1: none, -2: several. */
static int find_flag(const char *name, size_t length) {
    int found = -1;
    for (int i = 0; i < PARAMETERS && length; i++) {
        if (!is_flag(i) || strncasecmp(gr_ponyge2_parameter_table[i].name, name, length) != 0)
            continue;
        if (!gr_ponyge2_parameter_table[i].name[length])
            return i;
        found = found == -1 ? i : -2;
    }
    return found;
}

/* Whether the name belongs to a setting of Grampus that the flag would mean differently. */
static int is_own(const char *name, size_t length, int flag, const char *value) {
    gr_key key = gr_setting_find(name, length);
    if (key == GR_KEY_COUNT)
        return 0;
    if (value && flag >= 0 && gr_ponyge2_parameter_names_operator(flag, value))
        return 0;
    return key != GR_KEY_grammar;
}

static const gr_origin option = {GR_FROM_OPTION, 0, 0, NULL};

/* All that follows the flag, up to the next one. */
static gr_status take_list(gr_ponyge2_parameters *p, int i, int argc, char *const *argv, int *used,
                           gr_error *error) {
    char list[400] = "";
    int k = 1;
    for (; k < argc && strncmp(argv[k], "--", 2) != 0; k++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s ", argv[k]);
    *used = k;
    return gr_parameter_set(p, i, list, option, error);
}

gr_status gr_ponyge2_parameters_flag(gr_ponyge2_parameters *p, int argc, char *const *argv,
                                     int *used, gr_error *error) {
    *used = 0;
    if (argc < 1 || strncmp(argv[0], "--", 2) != 0)
        return GR_OK;
    const char *name = argv[0] + 2, *equals = strchr(name, '=');
    size_t length = strcspn(name, "=");
    int i = find_flag(name, length);
    const char *value = equals ? equals + 1 : argc > 1 ? argv[1] : NULL;
    if (i == -1 || is_own(name, length, i, value))
        return GR_OK;
    if (i == -2)
        return gr_fail(error, GR_BAD_INPUT,
                       "%.*s: several parameters of PonyGE2 begin so; expected more of the name",
                       GR_CUT(argv[0], 80));
    if (gr_ponyge2_parameter_is_truth(i)) { /* takes no value */
        if (equals)
            return gr_fail(error, GR_BAD_INPUT, "%.*s: this flag takes no value",
                           GR_CUT(argv[0], 80));
        if (argc > 1 && (strcasecmp(argv[1], "True") == 0 || strcasecmp(argv[1], "False") == 0))
            return gr_fail(error, GR_BAD_INPUT,
                           "%.*s: this flag takes no value; expected it without '%.*s'",
                           GR_CUT(argv[0], 80), GR_CUT(argv[1], 20));
        *used = 1;
        return gr_parameter_set(p, i, "True", option, error);
    }
    if (!value)
        return gr_fail(error, GR_BAD_INPUT, "%.*s: no value; expected one", GR_CUT(argv[0], 80));
    if (strcmp(gr_ponyge2_parameter_table[i].name, "EXTRA_PARAMETERS") == 0 && !equals)
        return take_list(p, i, argc, argv, used, error);
    *used = equals ? 1 : 2;
    return gr_parameter_set(p, i, value, option, error);
}

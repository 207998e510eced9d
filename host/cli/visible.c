#include "host/cli/visible.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_there(int card) {
    char path[32];
    snprintf(path, sizeof path, "/dev/nvidia%d", card);
    return access(path, F_OK) == 0;
}

void gr_see_first_device(void) {
    if (is_there(1))
        setenv("CUDA_VISIBLE_DEVICES", "0", 0);
}

/* Entry k of a list with commas; its length. */
static size_t entry_of(const char *list, int k, const char **entry) {
    while (k-- > 0)
        list += strcspn(list, ",") + 1;
    *entry = list;
    return strcspn(list, ",");
}

void gr_see_own_device(int number) {
    const char *given = getenv("CUDA_VISIBLE_DEVICES"), *entry;
    char own[64];
    int count = 0;
    if (given && *given) {
        count = 1;
        for (const char *at = given; *at; at++)
            count += *at == ',';
        size_t length = entry_of(given, number % count, &entry);
        snprintf(own, sizeof own, "%.*s", (int)length, entry);
    } else {
        while (is_there(count))
            count++;
        snprintf(own, sizeof own, "%d", count ? number % count : 0);
    }
    if (count > 1)
        setenv("CUDA_VISIBLE_DEVICES", own, 1);
}

#include "host/export/export.h"

#include <string.h>

const gr_format gr_formats[GR_FORMATS] = {
#define GR_FORMAT(word, ending, write, help) {word, ending, help, write},
#include "host/export/formats.def"
};

const gr_format *gr_find_format(const char *word) {
    for (int k = 0; k < GR_FORMATS; k++)
        if (strcmp(gr_formats[k].word, word) == 0)
            return &gr_formats[k];
    return NULL;
}

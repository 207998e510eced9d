/* Writes the general interpreters for the build to compile: prebuild NUMBER TEXT CODE, where NUMBER
 * is the gr_general_number. */
#include "gpu/interpreter/tuner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int write_file(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    int good = file && fwrite(bytes, 1, size, file) == size;
    return (file ? fclose(file) == 0 : 0) && good;
}

int main(int count, char **argument) {
    gr_machine machine;
    static gr_code code;
    if (count != 4)
        return 2;
    uint32_t number = (uint32_t)atoi(argument[1]);
    gr_general_machine(number, &machine);
    char *text = gr_interpreter_ptx(&machine, &code);
    int good = text && write_file(argument[2], text, strlen(text)) &&
               write_file(argument[3], &code, sizeof code);
    free(text);
    return good ? 0 : 1;
}

/* A locale whose decimal point is a comma: an installed one, or one that is made. */
#ifndef GRAMPUS_TESTS_COMMA_H
#define GRAMPUS_TESTS_COMMA_H

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

/* False: there is none. setlocale(LC_NUMERIC, "C") ends it. */
static inline int use_comma(void) {
    char folder[] = "/tmp/grampus-locale-XXXXXX", command[128];
    if (setlocale(LC_NUMERIC, "de_DE.UTF-8") || setlocale(LC_NUMERIC, "fr_FR.UTF-8"))
        return 1;
    if (!mkdtemp(folder))
        return 0;
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >%s/out 2>&1",
             folder, folder);
    setenv("LOCPATH", folder, 1); /* read by setlocale alone */
    int made = system(command) == 0 && setlocale(LC_NUMERIC, "de_DE.UTF-8") != NULL;
    unsetenv("LOCPATH");
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) == 0 && made;
}

#endif

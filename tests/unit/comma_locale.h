/* A locale whose numbers have a comma, as a program that embeds the library may have set it. Made here, since a small system has none. */
#ifndef TEST_COMMA_LOCALE_H
#define TEST_COMMA_LOCALE_H

#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* False: it cannot be made here. */
static bool set_comma_locale(void)
{
    char folder[] = "/tmp/slackwater-locale-XXXXXX", command[256], text[8] = "";
    if (!mkdtemp(folder))
        return false;
    snprintf(command, sizeof command,
             "cd %s && printf 'LC_NUMERIC\\ndecimal_point \",\"\\nthousands_sep \"\"\\ngrouping -1\\nEND LC_NUMERIC\\nLC_CTYPE\\ncopy \"POSIX\"\\nEND LC_CTYPE\\n' >comma && "
             "localedef -c --no-archive -i comma -f ANSI_X3.4-1968 ./xx_XX >/dev/null 2>&1", folder);
    (void)!system(command); /* it warns of what it lacks, by its status, too */
    setenv("LOCPATH", folder, 1);
    bool set = setlocale(LC_ALL, "xx_XX") != NULL;
    unsetenv("LOCPATH");
    snprintf(command, sizeof command, "rm -r %s", folder);
    (void)!system(command);
    snprintf(text, sizeof text, "%.1f", 1.5);
    return set && strcmp(text, "1,5") == 0;
}

#endif

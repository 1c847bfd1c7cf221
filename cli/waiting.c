#include "waiting.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void waiting_tell(const char *const *locators, size_t count)
{
    struct stat status;
    for (size_t i = 0; i < count && isatty(STDERR_FILENO); i++) {
        if (strcmp(locators[i], "-") == 0 && isatty(STDIN_FILENO))
            fputs("slackwater: standard input is this terminal: type the records and end them with Ctrl-D, or stop with Ctrl-C and pipe a file in\n", stderr);
        else if (stat(locators[i], &status) == 0 && S_ISFIFO(status.st_mode))
            fputs("slackwater: an input is a named pipe: this waits until somebody writes into it, and ends when the writer does\n", stderr);
    }
}

/* Inputs that come when somebody sends them: who sits at the terminal is told what is waited for. */
#ifndef SW_CLI_WAITING_H
#define SW_CLI_WAITING_H

#include <stddef.h>

/* One line on standard error, if that is a terminal, for each of the locators that is standard input from a terminal, or a named pipe. */
void waiting_tell(const char *const *locators, size_t count);

#endif

/* What a shell completes behind slackwater. */
#ifndef SW_CLI_COMPLETION_H
#define SW_CLI_COMPLETION_H

#include "command.h"

/* Prints the script that bash sources (completion/slackwater): commands, options, choices, files, and the names of formats and orders. */
void completion_bash(void);

#endif

/* What people call an option or a command who know other tools: for messages of the form "that is --ignore here". */
#ifndef SW_CLI_OTHER_WORDS_H
#define SW_CLI_OTHER_WORDS_H

#include "command.h"

/* Writes what `word` (without its dashes) is called at this command, "that is --ignore here", or where it is had elsewhere.
 * Returns false if nothing is known of the word. */
bool other_word_for_option(char *out, size_t room, const struct command *command, const char *word);

/* The whole name of the command that somebody meant who typed `word` for one of `all` (NULL-terminated), such as "position gap" for gap; NULL if none is known. */
const char *other_word_for_command(const char *word, const struct command *const *all);

#endif

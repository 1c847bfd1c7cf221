/* What people have in their hands when they are asked for a position: messages that lead from it to one. */
#ifndef SW_CLI_SAVED_POSITION_H
#define SW_CLI_SAVED_POSITION_H

#include <stdbool.h>

#include "slackwater/error.h"

/* Refuses an offset as Debezium stores it for PostgreSQL and MySQL, in JSON, with the position that stands in it. False: *error says so. `saved` may be NULL. */
bool saved_position_check(struct sw_error *error, const char *saved);

/* The message that --kind is missing, with the kinds as which `position` reads. `kinds` ends with NULL. */
void saved_position_ask_kind(struct sw_error *error, const char *position, const char *const *kinds);

#endif

/* What this build knows: ordering policies, record formats, and places to read from, each with its whole rule.
 *
 *     struct sw_catalogue_entry order;
 *     for (size_t i = 0; sw_catalogue_at(&order, SW_CATALOGUE_ORDERS, i); i++)
 *         printf("%s: %s\n", order.name, order.summary);
 *
 * All texts are static, UTF-8, and live as long as the library is loaded. Any thread. */
#ifndef SLACKWATER_CATALOGUE_H
#define SLACKWATER_CATALOGUE_H

#include <stdbool.h>
#include <stddef.h>

#include "slackwater/export.h"

SW_BEGIN_DECLS

enum sw_catalogue { SW_CATALOGUE_ORDERS, SW_CATALOGUE_FORMATS, SW_CATALOGUE_SOURCES };

struct sw_catalogue_entry {
    const char *name;    /* as an option names it */
    const char *summary; /* one line, lower case, no full stop */
    const char *missing; /* why this build cannot do it; NULL: it can */
};

/* The entry at `index`, from 0, in the order in which they are listed. False from their number on, with *out untouched. */
SW_API bool sw_catalogue_at(struct sw_catalogue_entry *out, enum sw_catalogue catalogue, size_t index);

/* One part of an entry's explanation. */
struct sw_catalogue_part {
    const char *title; /* "rule", "fields", "tie" …; parts of one title stand together */
    const char *name;  /* what the part is about, where a title has several: a field, a kind of source; NULL elsewhere */
    const char *note;  /* what is to be said of the name ("required"), or NULL */
    const char *text;  /* sentences */
};

/* Part `part` of the entry at `index`, from 0. False from their number on, with *out untouched. */
SW_API bool sw_catalogue_part(struct sw_catalogue_part *out, enum sw_catalogue catalogue, size_t index, size_t part);

SW_END_DECLS

#endif

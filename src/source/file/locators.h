/* From locators to paths: files, globs, directories, standard input. */
#ifndef SW_SOURCE_FILE_LOCATORS_H
#define SW_SOURCE_FILE_LOCATORS_H

#include <stddef.h>

#include "base/error.h"

struct sw_connector;

/* Paths, and locators of other sources, in the order in which they are read. Zero-initialise; sw_path_list_free releases. */
struct sw_path_list {
    char **paths;
    size_t count, capacity;
};

/* Appends the paths that `locators` stand for; "-" stays "-". Names and errors as in source/source.h, sw_source_open. */
enum sw_code sw_locators_expand(struct sw_path_list *out, const char *const *locators, size_t count, struct sw_error *error);
/* What reads a locator from such a list: a connector, or NULL for a path: a file is a file whatever its name looks like. */
const struct sw_connector *sw_locator_connector(const char *locator);
void sw_path_list_free(struct sw_path_list *list);

#endif

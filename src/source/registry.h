/* The list of what inputs can be read from, for people, and which of them reads a locator. */
#ifndef SW_SOURCE_REGISTRY_H
#define SW_SOURCE_REGISTRY_H

#include <stddef.h>

struct sw_connector;

struct sw_source_info {
    const char *name, *summary;
    const char *missing; /* why this build cannot; NULL: it can */
    const char *explain;
    const char *const *schemes; /* how its locators begin, ended by NULL; NULL: it is read as a file */
    const struct sw_connector *connector;
};

/* NULL from their number on. */
const struct sw_source_info *sw_source_info_at(size_t index);
/* Why it cannot be read from here and now: what this build lacks, or a library that is looked for when it is needed. NULL: it can. Static. */
const char *sw_source_missing(const struct sw_source_info *source);
/* The source whose scheme a locator has, or NULL. It may be missing. */
const struct sw_source_info *sw_source_of_locator(const char *locator);
/* The source that reads a file by the end of its name, where it is not read as a file; or NULL. It may be missing. */
const struct sw_source_info *sw_source_of_file(const char *path);
/* Length of the scheme of "scheme://…", "sqlite:…" and "adbc:…", known or not; 0 for none. What follows may hold a password and is never shown. */
size_t sw_source_scheme_length(const char *locator);
/* "postgresql:…" of a locator; the caller's. NULL if memory ran out. */
char *sw_source_scheme_alone(const char *locator);

#endif

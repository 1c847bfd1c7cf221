/* The list of what inputs can be read from, for people. */
#ifndef SW_SOURCE_REGISTRY_H
#define SW_SOURCE_REGISTRY_H

#include <stddef.h>

struct sw_source_info {
    const char *name, *summary;
    const char *missing; /* why this build cannot; NULL: it can */
    const char *explain;
};

/* NULL from their number on. */
const struct sw_source_info *sw_source_info_at(size_t index);

#endif

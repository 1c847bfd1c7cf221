#include <string.h>

#include "base/memory.h"
#include "format/format.h"

static const struct sw_format *const formats[] = {&sw_format_plain, NULL};

const struct sw_format *const *sw_formats(void) { return formats; }

const struct sw_format *sw_format_find(const char *name)
{
    for (const struct sw_format *const *format = formats; *format; format++)
        if (strcmp((*format)->name, name) == 0)
            return *format;
    return NULL;
}

void sw_binding_free(struct sw_binding **pointer)
{
    struct sw_binding *binding = *pointer;
    *pointer = NULL;
    if (!binding)
        return;
    sw_free(binding->after.columns);
    sw_free(binding->before.columns);
    sw_free(binding);
}

#include "slackwater/reconcile.h"

#include <string.h>

void sw_reconcile_options_init_sized(struct sw_reconcile_options *options, size_t size)
{
    struct sw_reconcile_options defaults = {.struct_size = size, .listed_differences = 1000};
    memset(options, 0, size);
    memcpy(options, &defaults, size < sizeof defaults ? size : sizeof defaults);
}

#include "base/options.h"

#include <string.h>

void sw_options_init(void *options, size_t size)
{
    memset(options, 0, size);
    memcpy(options, &size, sizeof size);
}

enum sw_code sw_options_take(void *out, size_t known, const void *given, const char *name, struct sw_error *error)
{
    size_t size;
    memcpy(&size, given, sizeof size);
    if (size < sizeof size)
        return sw_fail(error, SW_ERR_USAGE, "struct %s was not set up: its struct_size is %zu; its header says how it is initialised", name, size);
    if (size > known)
        return sw_fail(error, SW_ERR_USAGE, "struct %s has %zu bytes, this library knows %zu of it: the program was compiled with a newer header than the library's", name, size, known);
    memcpy(out, given, size);
    return SW_OK;
}

#include "base/error.h"

#include <stdio.h>
#include <string.h>

#include "slackwater/version.h"

const char *sw_version(void) { return SW_VERSION; }

const char *sw_code_name(enum sw_code code)
{
    switch (code) {
    case SW_OK: return "ok";
    case SW_END: return "end";
    case SW_ERR_USAGE: return "usage";
    case SW_ERR_INPUT: return "input";
    case SW_ERR_LIMIT: return "limit";
    case SW_ERR_UNSUPPORTED: return "unsupported";
    case SW_ERR_IO: return "io";
    case SW_ERR_MEMORY: return "memory";
    case SW_ERR_CANCELLED: return "cancelled";
    case SW_ERR_REMOTE: return "remote";
    case SW_ERR_INTERNAL: return "internal";
    }
    return "unknown";
}

int sw_code_exit_status(enum sw_code code)
{
    if (code >= 0)
        return 0;
    switch (code) {
    case SW_ERR_USAGE:
    case SW_ERR_INPUT:
    case SW_ERR_LIMIT:
    case SW_ERR_UNSUPPORTED: return 2;
    default: return 4;
    }
}

static void fill(struct sw_error *error, enum sw_code code, const char *format, va_list args)
{
    error->code = code;
    vsnprintf(error->text, sizeof error->text, format, args);
}

enum sw_code sw_fail(struct sw_error *error, enum sw_code code, const char *format, ...)
{
    if (error && error->code >= 0) {
        va_list args;
        va_start(args, format);
        fill(error, code, format, args);
        va_end(args);
    }
    return code;
}

void sw_error_add(struct sw_error *error, const char *format, ...)
{
    if (!error)
        return;
    size_t len = strlen(error->text);
    va_list args;
    va_start(args, format);
    vsnprintf(error->text + len, sizeof error->text - len, format, args);
    va_end(args);
}

enum sw_code sw_fail_errno(struct sw_error *error, enum sw_code code, int sys_errno, const char *format, ...)
{
    if (error && error->code >= 0) {
        va_list args;
        va_start(args, format);
        fill(error, code, format, args);
        va_end(args);
        error->sys_errno = sys_errno;
        sw_error_add(error, ": %s", strerror(sys_errno));
    }
    return code;
}

enum sw_code sw_fail_memory(struct sw_error *error, const char *what, size_t bytes)
{
    return sw_fail(error, SW_ERR_MEMORY, "out of memory: %zu bytes for %s could not be had", bytes, what);
}

void sw_error_place(struct sw_error *error, const char *source, uint64_t line, uint64_t column, uint64_t offset)
{
    if (!error || error->code >= 0 || error->has_place)
        return;
    error->has_place = true;
    error->line = line;
    error->column = column;
    error->offset = offset;
    if (source)
        snprintf(error->source, sizeof error->source, "%s", source);
}

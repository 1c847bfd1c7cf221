/* Filling an sw_error. Internal companion of slackwater/error.h. */
#ifndef SW_BASE_ERROR_H
#define SW_BASE_ERROR_H

#include <stdarg.h>
#include <stddef.h>

#include "slackwater/error.h"

/* Fills `error` (may be NULL) unless it already holds a failure, and returns `code`, so that a failing
 * call reads `return sw_fail(error, SW_ERR_INPUT, "…", …);`. Text: lower case, thing, expected, found. */
enum sw_code sw_fail(struct sw_error *error, enum sw_code code, const char *format, ...) SW_PRINTF(3, 4);

/* As sw_fail, and appends ": " and strerror(sys_errno). */
enum sw_code sw_fail_errno(struct sw_error *error, enum sw_code code, int sys_errno, const char *format, ...) SW_PRINTF(4, 5);

/* SW_ERR_MEMORY with a text that says what was wanted. */
enum sw_code sw_fail_memory(struct sw_error *error, const char *what, size_t bytes);

/* Adds to the text of a failure (`error` may be NULL) what may be behind it, as far as there is room. */
void sw_error_add(struct sw_error *error, const char *format, ...) SW_PRINTF(2, 3);

/* Adds where it happened, if no place is known yet. `source` may be NULL. Line and column count from 1, 0 = unknown. */
void sw_error_place(struct sw_error *error, const char *source, uint64_t line, uint64_t column, uint64_t offset);

#endif

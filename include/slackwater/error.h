/* Codes and error records: how every call of the library says that it failed, and why.
 *
 * A call returns an `enum sw_code`: 0 is fine, positive values are expected outcomes (the end of an
 * input), negative values are failures, of which there are few enough for a caller to act on each.
 * Calls that can fail take a `struct sw_error *`, which the caller owns and may pass as NULL. It is
 * filled once, where the fault is seen; callers further out may add the place, never change the code.
 *
 *     struct sw_error error = {0};
 *     if (sw_reconcile(&report, &options, &error) < 0)
 *         fprintf(stderr, "slackwater: %s\n", error.text);
 *
 * A *finding* (a row that differs) is no failure: it is part of a report. */
#ifndef SLACKWATER_ERROR_H
#define SLACKWATER_ERROR_H

#include <stdbool.h>
#include <stdint.h>

#include "slackwater/export.h"

SW_BEGIN_DECLS

enum sw_code {
    SW_OK = 0,
    SW_END = 1,             /* nothing more to read */
    SW_ERR_USAGE = -1,      /* a declaration (option, mapping) is wrong or missing: exit 2 */
    SW_ERR_INPUT = -2,      /* bytes from outside do not have the form they must have: exit 2 */
    SW_ERR_LIMIT = -3,      /* a documented limit is exceeded (record size, nesting depth): exit 2 */
    SW_ERR_UNSUPPORTED = -4,/* this build or this version cannot do it: exit 2 */
    SW_ERR_IO = -5,         /* a file could not be read or written: exit 4 */
    SW_ERR_MEMORY = -6,     /* memory ran out: exit 4 */
    SW_ERR_CANCELLED = -7,  /* a signal or the caller asked to stop: exit 4; the program ends by SIGINT itself where that was the signal */
    SW_ERR_REMOTE = -8,     /* a database or broker failed: exit 4 */
    SW_ERR_INTERNAL = -9    /* a promise of the library itself does not hold: exit 4; report it */
};

#define SW_ERROR_TEXT_MAX 1024
#define SW_ERROR_SOURCE_MAX 256

/* One failure. Zero-initialise it before the first use.
 * Units: `line` and `column` count from 1, 0 means unknown; `offset` is a byte offset from the start of
 * the decoded input, UINT64_MAX means unknown where `has_place` is true and only a line is known. */
struct sw_error {
    enum sw_code code;
    int sys_errno;                       /* errno of the failed system call, or 0 */
    bool has_place;                      /* source, line, column and offset say something */
    uint64_t line, column, offset;
    char source[SW_ERROR_SOURCE_MAX];    /* the locator, without secrets */
    char text[SW_ERROR_TEXT_MAX];        /* lower case: the thing, what was expected, what was found, what to do */
};

/* The stable name of a code, for machine output: "usage", "input", "io" … Static storage. Any thread. */
SW_API const char *sw_code_name(enum sw_code code);

/* The exit status for a failure (docs/report.md): 2 for usage and input, 4 for the environment, 0 for codes >= 0. */
SW_API int sw_code_exit_status(enum sw_code code);

SW_END_DECLS

#endif

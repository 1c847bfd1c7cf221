/* A destination that may answer with what it held a while ago (BigQuery's max_staleness) shows the cut for sure only when that while is over. */
#include <stdio.h>
#include <time.h>

#include "order/order_time.h"
#include "reconcile/run.h"

/* Seconds of "15m"; false if it is no length of time. */
static bool read_length(uint64_t *out, struct sw_bytes text)
{
    static const struct { char unit; uint64_t seconds; } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}};
    uint64_t number = 0;
    if (sw_bytes_is(text, "0"))
        return *out = 0, true;
    if (text.len < 2 || text.len > 10)
        return false;
    for (size_t i = 0; i + 1 < text.len; i++) {
        if ((uint8_t)(text.at[i] - '0') > 9)
            return false;
        number = number * 10 + (uint64_t)(text.at[i] - '0');
    }
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (text.at[text.len - 1] == (uint8_t)units[i].unit)
            return *out = number * units[i].seconds, true;
    return false;
}

static enum sw_code read_time(struct sw_order_time *out, const char *option, const char *text, struct sw_error *error)
{
    if (sw_order_time_read(out, sw_bytes_text(text)) && out->kind == SW_TIME_ZONED)
        return SW_OK;
    return sw_fail(error, SW_ERR_USAGE, "%s: expected a time with a zone, such as 2026-01-28T12:55:05Z, found '%.60s'", option, text);
}

static void print_time(char out[32], int64_t seconds)
{
    struct tm parts;
    time_t time = (time_t)seconds;
    if (!gmtime_r(&time, &parts) || strftime(out, 32, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0)
        snprintf(out, 32, "a time beyond the year 9999");
}

enum sw_code sw_run_check_staleness(const struct sw_reconcile_options *options, struct sw_error *error)
{
    uint64_t staleness;
    struct sw_order_time cut, read;
    char visible[32], first[32];
    if (!options->max_staleness) {
        const char *alone = options->cut_at ? "--cut-at" : options->read_at ? "--read-at" : NULL;
        return alone ? sw_fail(error, SW_ERR_USAGE, "%s belongs to --max-staleness, which is not given", alone) : SW_OK;
    }
    if (!read_length(&staleness, sw_bytes_text(options->max_staleness)))
        return sw_fail(error, SW_ERR_USAGE, "--max-staleness: expected a length of time such as 0, 45s, 15m, 6h or 2d, found '%.60s'", options->max_staleness);
    if (staleness && (!options->cut_at || !options->read_at))
        return sw_fail(error, SW_ERR_USAGE,
                       "--max-staleness %s: whether the destination must show the cut depends on two times that are not inferred: --cut-at TIME, when the source made the last change up to "
                       "the cut (of all events, if there is no --cut), and --read-at TIME, when the destination was read", options->max_staleness);
    enum sw_code code = options->cut_at ? read_time(&cut, "--cut-at", options->cut_at, error) : SW_OK;
    if (code == SW_OK && options->read_at)
        code = read_time(&read, "--read-at", options->read_at, error);
    if (code < 0 || !options->cut_at || !options->read_at)
        return code;
    int64_t shown = cut.whole + (int64_t)staleness + (cut.fraction > read.fraction); /* whole seconds of reading from which on the cut is shown */
    if (read.whole >= shown)
        return SW_OK;
    print_time(visible, cut.whole + (int64_t)staleness + (cut.fraction != 0));
    print_time(first, read.whole - (int64_t)staleness);
    return sw_fail(error, SW_ERR_USAGE,
                   "the cut at %s lies inside the staleness window: read at %s with max-staleness %s, the destination need not show anything later than %s. Read it again at %s or later, or "
                   "cut at a position from %s or before", options->cut_at, options->read_at, options->max_staleness, first, visible, first);
}

/* Source of the rules: PostgreSQL manual, "Continuous Archiving: Timelines", and the form of history files as the server
 * writes them (parent timeline, switch point, reason; '#' comments). Oracle Database Reference, V$DATABASE_INCARNATION. */
#include "position/lineage.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "position/lsn.h"
#include "position/scan.h"
#include "text/client_table.h"

#define HISTORY_TEXT_MAX ((size_t)1 << 20)
#define STEPS_MAX 16384
#define CHAINS_MAX 1024

struct step {
    uint32_t branch;
    uint64_t end; /* the last position of the branch that the next one shares */
};

/* One known line of descent, oldest branch first. */
struct chain {
    uint32_t target; /* the branch that all steps lead to; 0 = the history does not say */
    size_t count;
    struct step *steps;
};

struct sw_position_history {
    const struct sw_position_kind *kind;
    struct chain *chains;
    size_t count;
};

/* A branch as seen from a chain: steps[0..count), then the branch itself without an end. */
struct line {
    const struct step *steps;
    size_t count;
    uint32_t branch;
    bool assumed; /* rests on a history that does not say whose it is */
};

enum sw_code sw_position_history_new(struct sw_position_history **out, const char *kind, struct sw_error *error)
{
    *out = NULL;
    const struct sw_position_kind *known = sw_position__kind(kind);
    if (known != &sw_kind_postgres && known != &sw_kind_oracle)
        return sw_fail(error, SW_ERR_USAGE, "a history of timelines or incarnations is known for the kinds postgres and oracle, not for %.40s", kind ? kind : "(none)");
    struct sw_position_history *history = sw_calloc(1, sizeof *history);
    if (!history)
        return sw_fail_memory(error, "a history", sizeof *history);
    history->kind = known;
    *out = history;
    return SW_OK;
}

void sw_position_history_free(struct sw_position_history **history)
{
    if (!history || !*history)
        return;
    for (size_t i = 0; i < (*history)->count; i++)
        sw_free((*history)->chains[i].steps);
    sw_free((*history)->chains);
    sw_free(*history);
    *history = NULL;
}

/* Takes `steps` on success. */
static enum sw_code add_chain(struct sw_position_history *history, uint32_t target, struct step *steps, size_t count, struct sw_error *error)
{
    if (history->count == CHAINS_MAX)
        return sw_fail(error, SW_ERR_LIMIT, "more than %d lines of descent in the history", CHAINS_MAX);
    struct chain *chains = sw_realloc_array(history->chains, history->count + 1, sizeof *chains);
    if (!chains)
        return sw_fail_memory(error, "a history", (history->count + 1) * sizeof *chains);
    history->chains = chains;
    chains[history->count++] = (struct chain){target, count, steps};
    return SW_OK;
}

/* ".../0000000A.history" → 10; 0 for any other name. */
static uint32_t timeline_of_name(const char *name)
{
    if (!name)
        return 0;
    const char *base = strrchr(name, '/');
    base = base ? base + 1 : name;
    struct sw_scan scan = sw_scan_of(sw_bytes_text(base));
    uint64_t timeline;
    if (!sw_scan_hex(&scan, 8, &timeline) || scan.at - (const uint8_t *)base != 8 || !sw_scan_word(&scan, ".history") || !sw_scan_done(&scan))
        return 0;
    return (uint32_t)timeline;
}

static enum sw_code add_timelines(struct sw_position_history *history, const char *name, struct sw_bytes text, struct sw_error *error)
{
    struct step *steps = NULL;
    size_t count = 0;
    uint64_t line = 0;
    uint32_t target = timeline_of_name(name);
    enum sw_code code = SW_OK;
    for (size_t at = 0; at < text.len && code >= 0;) {
        const uint8_t *newline = memchr(text.at + at, '\n', text.len - at);
        size_t end = newline ? (size_t)(newline - text.at) : text.len;
        struct sw_bytes row = sw_trim((struct sw_bytes){text.at + at, end - at});
        at = end + 1;
        line++;
        if (!row.len || row.at[0] == '#')
            continue;
        struct sw_scan scan = sw_scan_of(row);
        uint64_t timeline = 0, lsn = 0;
        bool good = sw_scan_u64(&scan, &timeline) && timeline > 0 && timeline <= UINT32_MAX && !sw_scan_done(&scan) && sw_is_blank(*scan.at);
        sw_scan_blanks(&scan);
        const uint8_t *from = scan.at;
        while (good && !sw_scan_done(&scan) && !sw_is_blank(*scan.at))
            scan.at++;
        char quoted[SW_QUOTE_MAX];
        if (!good || !sw_lsn_parse(&lsn, from, (size_t)(scan.at - from)))
            code = sw_fail(error, SW_ERR_INPUT, "timeline history, line %llu: expected a timeline, a switch point such as 0/5000000 and a reason, found %s", (unsigned long long)line,
                sw_position__quote(quoted, row));
        else if (count && (timeline <= steps[count - 1].branch || lsn < steps[count - 1].end))
            code = sw_fail(error, SW_ERR_INPUT, "timeline history, line %llu: timelines and switch points must rise from line to line", (unsigned long long)line);
        else if (target && timeline >= target)
            code = sw_fail(error, SW_ERR_INPUT, "timeline history, line %llu: timeline %llu cannot be a parent of timeline %u, whose history this is by its name", (unsigned long long)line,
                (unsigned long long)timeline, target);
        else if (count == STEPS_MAX)
            code = sw_fail(error, SW_ERR_LIMIT, "timeline history: more than %d timelines", STEPS_MAX);
        struct step *more = code < 0 ? NULL : sw_realloc_array(steps, count + 1, sizeof *more);
        if (code >= 0 && !more)
            code = sw_fail_memory(error, "a timeline history", (count + 1) * sizeof *more);
        if (code >= 0) {
            steps = more;
            steps[count++] = (struct step){(uint32_t)timeline, lsn};
        }
    }
    if (code >= 0 && !count)
        code = sw_fail(error, SW_ERR_INPUT, "timeline history: no line names a parent timeline and its switch point");
    if (code >= 0)
        code = add_chain(history, target, steps, count, error);
    if (code < 0)
        sw_free(steps);
    return code;
}

struct incarnation {
    uint32_t number, parent;
    uint64_t start; /* RESETLOGS_CHANGE#: the first SCN of its own */
};

static const struct incarnation *find(const struct incarnation *all, size_t count, uint32_t number)
{
    for (size_t i = 0; i < count; i++)
        if (all[i].number == number)
            return &all[i];
    return NULL;
}

/* The ancestors of one incarnation as a chain, root first. */
static enum sw_code add_descent(struct sw_position_history *history, const struct incarnation *all, size_t count, const struct incarnation *self, struct sw_error *error)
{
    size_t depth = 0;
    const struct incarnation *at = self, *parent;
    while (depth <= count && (parent = find(all, count, at->parent))) {
        at = parent;
        depth++;
    }
    if (depth > count)
        return sw_fail(error, SW_ERR_INPUT, "incarnations: number %u descends from itself", self->number);
    struct step *steps = sw_calloc(depth + 1, sizeof *steps);
    if (!steps)
        return sw_fail_memory(error, "a history", (depth + 1) * sizeof *steps);
    at = self;
    for (size_t i = depth; i-- > 0; at = parent) {
        parent = find(all, count, at->parent);
        steps[i] = (struct step){parent->number, at->start - 1}; /* an SCN at RESETLOGS_CHANGE# is in the child */
    }
    enum sw_code code = add_chain(history, self->number, steps, depth, error);
    if (code < 0)
        sw_free(steps);
    return code;
}

static bool cell_u64(uint64_t *out, const struct sw_client_table *table, size_t row, const char *name)
{
    return sw_scan_whole_u64(sw_client_table_cell(table, row, name), out);
}

static enum sw_code add_incarnations(struct sw_position_history *history, struct sw_bytes text, struct sw_error *error)
{
    struct sw_client_tables tables;
    enum sw_code code = sw_client_tables_read(&tables, text, error);
    if (code < 0)
        return code;
    const struct sw_client_table *table = sw_client_tables_find(&tables, "INCARNATION#");
    struct incarnation *all = NULL;
    size_t count = 0, before = history->count;
    if (!table)
        code = sw_fail(error, SW_ERR_INPUT, "incarnations: expected the rows of V$DATABASE_INCARNATION with their header (INCARNATION#, RESETLOGS_CHANGE#, PRIOR_INCARNATION#)");
    else if (table->row_count > CHAINS_MAX)
        code = sw_fail(error, SW_ERR_LIMIT, "incarnations: more than %d rows", CHAINS_MAX);
    else if (!(all = sw_calloc(table->row_count, sizeof *all)))
        code = sw_fail_memory(error, "a history", table->row_count * sizeof *all);
    for (size_t row = 0; code >= 0 && row < table->row_count; row++) {
        uint64_t number, parent, start;
        if (!cell_u64(&number, table, row, "INCARNATION#") || !cell_u64(&start, table, row, "RESETLOGS_CHANGE#") || !cell_u64(&parent, table, row, "PRIOR_INCARNATION#") || !number
            || number > UINT32_MAX || parent > UINT32_MAX || (parent && !start))
            code = sw_fail(error, SW_ERR_INPUT, "incarnations, row %zu: expected numbers under INCARNATION#, RESETLOGS_CHANGE# and PRIOR_INCARNATION#", row + 1);
        else if (find(all, count, (uint32_t)number))
            code = sw_fail(error, SW_ERR_INPUT, "incarnations, row %zu: number %llu is there twice", row + 1, (unsigned long long)number);
        else
            all[count++] = (struct incarnation){(uint32_t)number, (uint32_t)parent, start};
    }
    for (size_t i = 0; code >= 0 && i < count; i++)
        code = add_descent(history, all, count, &all[i], error);
    if (code >= 0 && !count)
        code = sw_fail(error, SW_ERR_INPUT, "incarnations: the table has no rows");
    while (code < 0 && history->count > before)
        sw_free(history->chains[--history->count].steps);
    sw_free(all);
    sw_client_tables_free(&tables);
    return code;
}

enum sw_code sw_position_history_add(struct sw_position_history *history, const char *name, const char *text, size_t len, struct sw_error *error)
{
    if (len > HISTORY_TEXT_MAX)
        return sw_fail(error, SW_ERR_LIMIT, "a history of %zu bytes: at most %zu are read", len, HISTORY_TEXT_MAX);
    struct sw_bytes bytes = sw_bytes_of(text, len);
    return history->kind == &sw_kind_postgres ? add_timelines(history, name, bytes, error) : add_incarnations(history, bytes, error);
}

static bool line_of(struct line *out, const struct sw_position_history *history, uint32_t branch)
{
    for (size_t c = 0; c < history->count; c++)
        if (history->chains[c].target == branch) {
            *out = (struct line){history->chains[c].steps, history->chains[c].count, branch, false};
            return true;
        }
    for (size_t c = 0; c < history->count; c++)
        for (size_t i = 0; i < history->chains[c].count; i++)
            if (history->chains[c].steps[i].branch == branch) {
                *out = (struct line){history->chains[c].steps, i, branch, false};
                return true;
            }
    if (branch == 1 && history->kind == &sw_kind_postgres) { /* initdb makes timeline 1: it has no parent */
        *out = (struct line){NULL, 0, branch, false};
        return true;
    }
    for (size_t c = 0; c < history->count; c++) {
        const struct chain *chain = &history->chains[c];
        if (!chain->target && chain->steps[chain->count - 1].branch < branch) {
            *out = (struct line){chain->steps, chain->count, branch, true};
            return true;
        }
    }
    return false;
}

static struct step step_of(const struct line *line, size_t i) { return i < line->count ? line->steps[i] : (struct step){line->branch, UINT64_MAX}; }

/* 1 = *last_common is known, 0 = the two share nothing, -1 = the history does not say. */
static int fork_of(uint64_t *last_common, bool *assumed, const struct sw_position_history *history, uint32_t a, uint32_t b)
{
    struct line left, right;
    if (!history || !line_of(&left, history, a) || !line_of(&right, history, b))
        return -1;
    *assumed = left.assumed || right.assumed;
    bool shared = false;
    for (size_t i = 0; i <= left.count && i <= right.count; i++) {
        struct step l = step_of(&left, i), r = step_of(&right, i);
        if (l.branch != r.branch)
            return shared ? 1 : 0;
        shared = true;
        *last_common = l.end < r.end ? l.end : r.end;
        if (l.end != r.end)
            return 1;
    }
    return shared ? 1 : 0;
}

static const char *number_text(char out[32], const struct sw_position_kind *kind, uint64_t number)
{
    if (kind == &sw_kind_postgres)
        snprintf(out, 32, "%X/%X", (unsigned)(number >> 32), (unsigned)number);
    else
        snprintf(out, 32, "%llu", (unsigned long long)number);
    return out;
}

bool sw_lineage_comparable(struct sw_position_comparison *out, const struct sw_position_history *history, const struct sw_position_kind *kind, const char *left_branch,
    const char *right_branch, uint64_t left, uint64_t right)
{
    const bool postgres = kind == &sw_kind_postgres;
    const char *what = postgres ? "timeline" : "incarnation";
    if (!left_branch || !right_branch || strcmp(left_branch, right_branch) == 0)
        return true;
    if (history && history->kind != kind)
        history = NULL;
    uint64_t last_common = 0;
    bool assumed = false;
    uint32_t a = (uint32_t)strtoul(left_branch, NULL, 10), b = (uint32_t)strtoul(right_branch, NULL, 10);
    int known = fork_of(&last_common, &assumed, history, a, b);
    if (known < 0) {
        sw_position__say(out, SW_POSITION_INCOMPARABLE, "the positions stand on %ss %u and %u, and %s: beyond the switch point the same number may be other data", what, a, b,
            history ? "the history given does not list both" : postgres ? "the history of the newer timeline was not given" : "V$DATABASE_INCARNATION was not given");
        return false;
    }
    if (known == 0) {
        sw_position__say(out, SW_POSITION_INCOMPARABLE, "%ss %u and %u share no ancestor in the history given", what, a, b);
        return false;
    }
    char common[32];
    uint64_t lower = left < right ? left : right;
    if (lower > last_common) {
        sw_position__say(out, SW_POSITION_INCOMPARABLE, "%ss %u and %u part after %s, and both positions lie beyond: they are on different branches", what, a, b,
            number_text(common, kind, last_common));
        return false;
    }
    if (assumed)
        sw_position__assume(out, "the history file does not say whose it is: it is taken as that of timeline %u", a > b ? a : b);
    return true;
}

/* Oracle: the archived and online redo logs of each thread.
 * Source: Oracle Database Reference, V$ARCHIVED_LOG, V$LOG, V$DATABASE, V$DATABASE_INCARNATION. */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "continuity/gap.h"
#include "position/scan.h"
#include "position/scn.h"

static const struct sw_continuity_rule rule_complete = {
    "oracle.complete",
    "in every redo thread the logs from the one that holds the saved SCN to the current one are there without a hole in SEQUENCE#",
    "Oracle Database Reference, V$ARCHIVED_LOG (a log holds FIRST_CHANGE# up to, not including, NEXT_CHANGE#)",
};
static const struct sw_continuity_rule rule_deleted = {
    "oracle.deleted",
    "the oldest log that is left begins after the saved SCN",
    "Oracle Database Reference, V$ARCHIVED_LOG",
};
static const struct sw_continuity_rule rule_hole = {
    "oracle.hole",
    "a SEQUENCE# is missing in a redo thread",
    "Oracle Database Reference, V$ARCHIVED_LOG",
};
static const struct sw_continuity_rule rule_beyond = {
    "oracle.beyond",
    "a saved SCN above the current one is of another database or another branch",
    "Oracle Database Reference, V$DATABASE (CURRENT_SCN)",
};
static const struct sw_continuity_rule rule_unknown = {
    "oracle.unknown",
    "only the list of logs of every thread shows that none is missing",
    "Oracle Database Reference, V$ARCHIVED_LOG",
};

struct redo_log {
    uint64_t thread, sequence, first, next;
    bool gone;
};

static int by_sequence(const void *a, const void *b)
{
    const struct redo_log *left = a, *right = b;
    if (left->thread != right->thread)
        return left->thread < right->thread ? -1 : 1;
    if (left->sequence != right->sequence)
        return left->sequence < right->sequence ? -1 : 1;
    return (int)left->gone - (int)right->gone; /* a copy that is there comes first */
}

static bool is_one_of(struct sw_bytes cell, const char *letters) { return cell.len == 1 && strchr(letters, cell.at[0]) != NULL; }

static enum sw_code read_log(struct redo_log *out, const struct sw_client_table *table, size_t row, struct sw_error *error)
{
    struct sw_bytes next = sw_client_table_cell(table, row, "NEXT_CHANGE#");
    *out = (struct redo_log){.next = UINT64_MAX}; /* the current log has no end yet */
    bool good = sw_scan_whole_u64(sw_client_table_cell(table, row, "THREAD#"), &out->thread) && sw_scan_whole_u64(sw_client_table_cell(table, row, "SEQUENCE#"), &out->sequence)
        && sw_scan_whole_u64(sw_client_table_cell(table, row, "FIRST_CHANGE#"), &out->first) && (sw_shown_is_null(next) || sw_scan_whole_u64(next, &out->next));
    if (!good || out->next < out->first)
        return sw_fail(error, SW_ERR_INPUT, "redo logs, row %zu: expected numbers under THREAD#, SEQUENCE#, FIRST_CHANGE# and NEXT_CHANGE# (widen the columns if they are printed as #### or 1.2E+10)", row + 1);
    out->gone = sw_shown_is_true(sw_client_table_cell(table, row, "DELETED")) || is_one_of(sw_client_table_cell(table, row, "STATUS"), "DUX");
    return SW_OK;
}

/* All logs shown, by thread and sequence, each once; *out is the caller's. */
static enum sw_code read_logs(struct redo_log **out, size_t *count, struct sw_gap_case *gap)
{
    static const char *const columns[] = {"THREAD#", "SEQUENCE#", "FIRST_CHANGE#", "NEXT_CHANGE#", NULL};
    struct sw_bytes branch = {0};
    enum sw_code code = SW_OK;
    *out = NULL;
    *count = 0;
    for (const struct sw_client_table *table = NULL; code >= 0 && (table = sw_shown_table(&gap->shown, table, columns));) {
        struct redo_log *logs = sw_realloc_array(*out, *count + table->row_count, sizeof *logs);
        if (!logs)
            return sw_fail_memory(gap->error, "a list of logs", (*count + table->row_count) * sizeof *logs);
        *out = logs;
        for (size_t row = 0; code >= 0 && row < table->row_count; row++) {
            struct sw_bytes own = sw_client_table_cell(table, row, "RESETLOGS_CHANGE#");
            if (branch.at && own.at && !sw_bytes_equal(branch, own))
                return sw_fail(gap->error, SW_ERR_INPUT, "redo logs, row %zu: the logs of several incarnations are shown (RESETLOGS_CHANGE# differs): show those of one", row + 1);
            branch = own.at ? own : branch;
            code = read_log(&logs[(*count)++], table, row, gap->error);
        }
    }
    if (code < 0 || !*count)
        return code;
    qsort(*out, *count, sizeof **out, by_sequence);
    size_t kept = 1;
    for (size_t i = 1; i < *count; i++)
        if ((*out)[i].thread != (*out)[kept - 1].thread || (*out)[i].sequence != (*out)[kept - 1].sequence)
            (*out)[kept++] = (*out)[i]; /* several destinations hold copies of one log */
    *count = kept;
    return SW_OK;
}

/* The lowest SCN that is left in any thread, for the report; the logs themselves decide. */
static enum sw_code oldest_log(struct sw_gap_case *gap, const struct redo_log *logs, size_t count)
{
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < count; i++)
        least = !logs[i].gone && logs[i].first < least ? logs[i].first : least;
    if (least == UINT64_MAX)
        return SW_OK;
    char text[32];
    int len = snprintf(text, sizeof text, "%llu", (unsigned long long)least);
    return sw_position__parse(&gap->first, gap->kind, sw_bytes_of(text, (size_t)len), gap->error);
}

static enum sw_code gather(struct sw_gap_case *gap)
{
    struct sw_bytes value;
    struct redo_log *logs;
    size_t count;
    enum sw_code code = read_logs(&logs, &count, gap);
    if (code >= 0 && !gap->first)
        code = oldest_log(gap, logs, count);
    sw_free(logs);
    if (code >= 0 && !gap->last)
        code = sw_gap_read_value(&gap->last, gap, "CURRENT_SCN");
    if (code >= 0)
        code = sw_shown_value(&value, &gap->shown, "DBID", gap->error);
    if (code >= 0)
        code = sw_gap_identify(&gap->first, "dbid", value, gap->error);
    if (code >= 0)
        code = sw_gap_identify(&gap->last, "dbid", value, gap->error);
    static const char *const columns[] = {"INCARNATION#", "STATUS", NULL};
    const struct sw_client_table *table = sw_shown_table(&gap->shown, NULL, columns);
    for (size_t row = 0; code >= 0 && table && row < table->row_count; row++)
        if (sw_bytes_is(sw_client_table_cell(table, row, "STATUS"), "CURRENT")) {
            code = sw_gap_identify(&gap->first, "incarnation", sw_client_table_cell(table, row, "INCARNATION#"), gap->error);
            if (code >= 0)
                code = sw_gap_identify(&gap->last, "incarnation", sw_client_table_cell(table, row, "INCARNATION#"), gap->error);
        }
    return code;
}

static void follow_gap(struct sw_gap_case *gap)
{
    sw_gap_follow(gap,
        "before anything is skipped, restore the missing archived logs (RMAN RESTORE ARCHIVELOG, a standby, another destination) and retry the saved SCN",
        "if they are gone, start at the first SCN from which every thread is complete, not at the current one",
        "retention: hold back the deletion policy of archived logs (RMAN CONFIGURE ARCHIVELOG DELETION POLICY, or the cloud's setting) until the recovery is done");
    sw_sentences_add(&gap->report->limits, "SCNs jump without events: an interval may hold no change of the tables");
}

static void follow_unknown(struct sw_gap_case *gap)
{
    sw_sentences_add(&gap->report->obligations,
        "establish DBID and incarnation (V$DATABASE, V$DATABASE_INCARNATION with --history): an SCN at or above the child's RESETLOGS_CHANGE# lies in an abandoned branch, and no position there is valid");
}

static void add_interval(struct sw_gap_case *gap, uint64_t thread, uint64_t from, uint64_t to)
{
    char space[48], start[32], end[32];
    snprintf(space, sizeof space, "redo thread %llu", (unsigned long long)thread);
    snprintf(start, sizeof start, "%llu", (unsigned long long)from);
    snprintf(end, sizeof end, "%llu", (unsigned long long)to);
    sw_continuity_add_interval(gap->report, sw_bytes_text(space), sw_bytes_text(start), sw_bytes_text(end), false)->possible = true;
}

/* The logs of one thread against the SCN that is wanted from it. True if a gap was found. */
static bool weigh_thread(struct sw_gap_case *gap, const struct redo_log *logs, size_t count, uint64_t wanted, bool *reached, bool *open)
{
    const struct sw_continuity_rule *rule = NULL;
    uint64_t covered = wanted, before_sequence = 0, gone_until = 0, thread = count ? logs[0].thread : 0;
    size_t found = 0;
    bool known = false;
    char reason[240] = "";
    *open = false;
    for (size_t i = 0; i < count; i++) {
        const struct redo_log *log = &logs[i];
        if (log->next <= wanted) /* not needed */
            continue;
        if (log->gone) {
            gone_until = log->next != UINT64_MAX && log->next > gone_until ? log->next : gone_until;
            continue;
        }
        if (log->first > covered) {
            if (!found++) {
                rule = known ? &rule_hole : &rule_deleted;
                if (known)
                    snprintf(reason, sizeof reason, "in redo thread %llu the logs between SEQUENCE# %llu and %llu are missing", (unsigned long long)thread, (unsigned long long)before_sequence,
                        (unsigned long long)log->sequence);
                else
                    snprintf(reason, sizeof reason, "in redo thread %llu the oldest log that is needed and left begins at SCN %llu, and %llu is wanted", (unsigned long long)thread,
                        (unsigned long long)log->first, (unsigned long long)wanted);
            }
            add_interval(gap, thread, covered, log->first);
        }
        known = true;
        before_sequence = log->sequence;
        covered = log->next > covered ? log->next : covered;
        *open |= log->next == UINT64_MAX;
    }
    if (gone_until > covered) {
        if (!found++) {
            rule = &rule_deleted;
            snprintf(reason, sizeof reason, "in redo thread %llu the logs up to SCN %llu are listed as deleted or unavailable", (unsigned long long)thread, (unsigned long long)gone_until);
        }
        add_interval(gap, thread, covered, gone_until);
        known = true;
    }
    *reached = known;
    if (found && gap->report->verdict != SW_GAP)
        sw_continuity_decide(gap->report, SW_GAP, rule, "%s", reason);
    return found > 0;
}

static enum sw_code decide_by_logs(struct sw_gap_case *gap, const struct redo_log *logs, size_t count)
{
    struct sw_continuity_report *report = gap->report;
    bool gaps = false, all_reached = true, all_open = true;
    size_t threads = 0;
    uint64_t unreached = 0, wanted;
    for (size_t i = 0; i < count;) {
        size_t end = i;
        bool reached, open;
        while (end < count && logs[end].thread == logs[i].thread)
            end++;
        wanted = sw_oracle_wanted(gap->saved, logs[i].thread);
        gaps |= weigh_thread(gap, logs + i, end - i, wanted, &reached, &open);
        if (!reached)
            unreached = logs[i].thread;
        all_reached &= reached;
        all_open &= open;
        threads++;
        i = end;
    }
    sw_sentences_add(&report->evidence, "%zu redo logs of %zu threads are shown", count, threads);
    sw_sentences_add(&report->limits, "resume at or below the start SCN of the oldest transaction that was open at the saved position, not at the last commit: whether its redo is there too must be asked of that SCN");
    sw_sentences_add(&report->limits, "a redo thread of which no log is shown is not judged");
    if (gaps) {
        follow_gap(gap);
        return SW_OK;
    }
    if (!all_reached) {
        sw_continuity_decide(report, SW_CANNOT_TELL, &rule_unknown, "the logs shown for redo thread %llu end before the saved SCN", (unsigned long long)unreached);
        sw_sentences_add(&report->obligations, "show the online logs (V$LOG) beside the archived ones");
        return SW_OK;
    }
    sw_continuity_decide(report, SW_CONTINUOUS, &rule_complete, "in %zu redo threads every log from the saved SCN on is there", threads);
    if (!all_open)
        sw_sentences_add(&report->conditions, "the newest log shown is followed by the current one: show V$LOG too");
    sw_sentences_add(&report->obligations, "resume at the start SCN of the oldest open transaction; what was committed since is read again, so expect repeated deliveries");
    return SW_OK;
}

static enum sw_code decide_by_bounds(struct sw_gap_case *gap)
{
    struct sw_continuity_report *report = gap->report;
    enum sw_position_order order;
    char saved[SW_GAP_NAME_MAX], first[SW_GAP_NAME_MAX];
    if (!gap->first) {
        sw_continuity_decide(report, SW_CANNOT_TELL, &rule_unknown, "the logs that are left are not known: give the oldest FIRST_CHANGE# with --first, or V$ARCHIVED_LOG and V$LOG with --show");
        return SW_OK;
    }
    if (!sw_gap_compared(gap, &order, gap->saved, gap->first))
        return follow_unknown(gap), SW_OK;
    sw_gap_name(saved, gap, gap->saved);
    sw_gap_name(first, gap, gap->first);
    if (order == SW_POSITION_BEFORE) {
        sw_continuity_decide(report, SW_GAP, &rule_deleted, "the saved SCN %s is below the oldest one that is left, %s", saved, first);
        sw_gap_interval(gap, gap->saved, gap->first)->possible = true;
        follow_gap(gap);
        return SW_OK;
    }
    sw_continuity_decide(report, SW_CONTINUOUS, &rule_complete, "the saved SCN %s is not below the oldest one that is left, %s", saved, first);
    sw_sentences_add(&report->conditions, "no SEQUENCE# is missing in any redo thread: paste V$ARCHIVED_LOG and V$LOG with --show");
    return SW_OK;
}

static enum sw_code decide(struct sw_gap_case *gap)
{
    struct redo_log *logs = NULL;
    size_t count;
    enum sw_position_order order;
    enum sw_code code = read_logs(&logs, &count, gap);
    if (code < 0) {
        sw_free(logs);
        return code;
    }
    bool plain = sw_oracle_form(gap->saved) == SW_ORACLE_SCN;
    if (sw_oracle_form(gap->saved) == SW_ORACLE_REDO || (!plain && !count)) {
        sw_continuity_decide(gap->report, SW_CANNOT_TELL, &rule_unknown, plain || count ? "a redo address says nothing about SCNs: give the SCN" : "a vector over redo threads needs the list of logs: paste V$ARCHIVED_LOG and V$LOG with --show");
    } else if (plain ? (gap->last && !sw_gap_compared(gap, &order, gap->saved, gap->last)) || (gap->first && !sw_gap_compared(gap, &order, gap->saved, gap->first))
                     : (gap->last && !sw_gap_same_space(gap, gap->saved, gap->last)) || (gap->first && !sw_gap_same_space(gap, gap->saved, gap->first))) {
        follow_unknown(gap);
    } else if (plain && gap->last && sw_gap_compared(gap, &order, gap->saved, gap->last) && order == SW_POSITION_AFTER) {
        char saved[SW_GAP_NAME_MAX], last[SW_GAP_NAME_MAX];
        sw_continuity_decide(gap->report, SW_CANNOT_TELL, &rule_beyond, "the saved SCN %s is above the current one, %s", sw_gap_name(saved, gap, gap->saved), sw_gap_name(last, gap, gap->last));
        follow_unknown(gap);
    } else {
        code = count ? decide_by_logs(gap, logs, count) : decide_by_bounds(gap);
    }
    sw_free(logs);
    return code;
}

const struct sw_gap_judge sw_gap_oracle = {&sw_kind_oracle, gather, decide};

/* MariaDB by GTID: one sequence a domain, the list of the oldest kept binary log below, gtid_binlog_pos above.
 * Sources: MariaDB documentation, "Global Transaction ID", "gtid_strict_mode", "Gtid_list event". */
#include <stdio.h>

#include "continuity/gap.h"
#include "position/mariadb_gtid.h"

static const struct sw_continuity_rule rule_within = {
    "mariadb.within",
    "in every domain, the saved number is neither below the oldest kept binary log's GTID list nor above gtid_binlog_pos, and numbers rise (gtid_strict_mode)",
    "MariaDB documentation, \"Global Transaction ID\"",
};
static const struct sw_continuity_rule rule_purged = {
    "mariadb.purged",
    "what lies between the saved number and the one in the oldest kept binary log's GTID list is no longer in any log",
    "MariaDB documentation, \"Gtid_list event\"",
};
static const struct sw_continuity_rule rule_ahead = {
    "mariadb.ahead",
    "a saved number above gtid_binlog_pos, or in a domain that the server does not know, is of another or a rewound server",
    "MariaDB documentation, \"Global Transaction ID\" (gtid_binlog_pos)",
};
static const struct sw_continuity_rule rule_diverged = {
    "mariadb.diverged",
    "one number of one domain written by two servers means that the histories diverged",
    "MariaDB documentation, \"Global Transaction ID\"",
};
static const struct sw_continuity_rule rule_strict = {
    "mariadb.strict",
    "with gtid_strict_mode off, numbers may be out of order within a domain: a larger one does not prove a later place",
    "MariaDB documentation, \"gtid_strict_mode\"",
};
static const struct sw_continuity_rule rule_unknown = {
    "mariadb.unknown",
    "gtid_binlog_state is not changed by PURGE: only the GTID list of the oldest kept binary log shows what was purged",
    "MariaDB documentation, \"Global Transaction ID\" (gtid_binlog_state)",
};

/* "[0-1-500,7-3-12]" of a Gtid_list event in SHOW BINLOG EVENTS */
static enum sw_code read_gtid_list(struct sw_gap_case *gap)
{
    static const char *const columns[] = {"Event_type", "Info", NULL};
    for (const struct sw_client_table *table = NULL; !gap->first && (table = sw_shown_table(&gap->shown, table, columns));)
        for (size_t row = 0; row < table->row_count; row++) {
            struct sw_bytes info = sw_client_table_cell(table, row, "Info");
            if (!sw_bytes_is(sw_client_table_cell(table, row, "Event_type"), "Gtid_list") || info.len < 2 || info.at[0] != '[' || info.at[info.len - 1] != ']')
                continue;
            char text[SW_GAP_NAME_MAX];
            struct sw_error fault = {0};
            enum sw_code code = sw_position__parse(&gap->first, gap->kind, sw_bytes_of(info.at + 1, info.len - 2), &fault);
            if (code < 0)
                return sw_fail(gap->error, code, "%s, Gtid_list event: %.900s", sw_gap_says(gap, "pasted output", "the server's answer"), fault.text);
            sw_sentences_add(&gap->report->evidence, "the GTID list of the %s is %s%s", sw_gap_says(gap, "shown binary log", "oldest binary log"), sw_gap_name(text, gap, gap->first),
                sw_gap_says(gap, "; it must be the oldest one that is kept", ""));
            return SW_OK;
        }
    return SW_OK;
}

static enum sw_code gather(struct sw_gap_case *gap)
{
    enum sw_code code = read_gtid_list(gap);
    if (code >= 0 && !gap->last)
        code = sw_gap_read_value(&gap->last, gap, "gtid_binlog_pos");
    if (code >= 0 && !gap->last && sw_shown_has(&gap->shown, "gtid_binlog_pos")) { /* shown, and empty: no transaction is in the log */
        sw_sentences_add(&gap->report->evidence, "gtid_binlog_pos is empty");
        code = sw_position__parse(&gap->last, gap->kind, SW_BYTES_LITERAL(""), gap->error);
    }
    return code;
}

static const struct sw_mariadb_gtid *in_domain(const struct sw_position *position, uint32_t domain)
{
    size_t count = 0;
    const struct sw_mariadb_gtid *gtids = position ? sw_mariadb_gtids_of(&count, position) : NULL;
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (gtids[middle].domain < domain)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && gtids[low].domain == domain ? &gtids[low] : NULL;
}

static void follow_unknown(struct sw_gap_case *gap)
{
    sw_sentences_add(&gap->report->obligations, "establish which server this is and whether it was restored; if the histories diverged, no saved position is valid there: new start and full backfill");
}

static bool diverged(struct sw_gap_case *gap, const struct sw_mariadb_gtid *saved, const struct sw_mariadb_gtid *other)
{
    if (!saved || !other || saved->sequence != other->sequence || saved->server == other->server)
        return false;
    sw_continuity_decide(gap->report, SW_CANNOT_TELL, &rule_diverged, "in domain %u number %llu was written by server %u where it was saved and by server %u here", saved->domain,
        (unsigned long long)saved->sequence, saved->server, other->server);
    follow_unknown(gap);
    return true;
}

/* Whether some domain shows that this is not the log the position was saved from. */
static bool is_ahead(struct sw_gap_case *gap)
{
    size_t count;
    const struct sw_mariadb_gtid *saved = sw_mariadb_gtids_of(&count, gap->saved);
    for (size_t i = 0; i < count; i++) {
        const struct sw_mariadb_gtid *last = in_domain(gap->last, saved[i].domain);
        if (diverged(gap, &saved[i], last) || diverged(gap, &saved[i], in_domain(gap->first, saved[i].domain)))
            return true;
        if (!gap->last || (last && saved[i].sequence <= last->sequence))
            continue;
        if (last)
            sw_continuity_decide(gap->report, SW_CANNOT_TELL, &rule_ahead, "in domain %u the saved number %llu is above the server's, %llu", saved[i].domain,
                (unsigned long long)saved[i].sequence, (unsigned long long)last->sequence);
        else
            sw_continuity_decide(gap->report, SW_CANNOT_TELL, &rule_ahead, "the server has no domain %u, which was saved", saved[i].domain);
        follow_unknown(gap);
        return true;
    }
    return false;
}

static size_t add_gaps(struct sw_gap_case *gap)
{
    size_t count, found = 0;
    const struct sw_mariadb_gtid *first = sw_mariadb_gtids_of(&count, gap->first);
    for (size_t i = 0; i < count; i++) {
        const struct sw_mariadb_gtid *saved = in_domain(gap->saved, first[i].domain);
        if (saved && saved->sequence >= first[i].sequence)
            continue;
        if (!found && saved)
            sw_continuity_decide(gap->report, SW_GAP, &rule_purged, "in domain %u the log begins after number %llu, and only %llu is saved", first[i].domain,
                (unsigned long long)first[i].sequence, (unsigned long long)saved->sequence);
        else if (!found)
            sw_continuity_decide(gap->report, SW_GAP, &rule_purged, "domain %u was never read, and its log begins only after number %llu", first[i].domain, (unsigned long long)first[i].sequence);
        found++;
        char space[32], from[32] = "", to[64];
        snprintf(space, sizeof space, "domain %u", first[i].domain);
        if (saved)
            snprintf(from, sizeof from, "%llu", (unsigned long long)saved->sequence);
        snprintf(to, sizeof to, "%llu", (unsigned long long)first[i].sequence);
        struct sw_interval *interval = sw_continuity_add_interval(gap->report, sw_bytes_text(space), sw_bytes_text(from), sw_bytes_text(to), false);
        interval->from_included = false;
        interval->to_included = true;
        interval->possible = false;
    }
    return found;
}

static enum sw_code decide(struct sw_gap_case *gap)
{
    struct sw_continuity_report *report = gap->report;
    struct sw_bytes shown = {0};
    enum sw_code code = sw_shown_value(&shown, &gap->shown, "gtid_strict_mode", gap->error);
    if (code < 0)
        return code;
    const char *given = gap->options->strict ? gap->options->strict : sw_position_attribute(gap->saved, "strict");
    bool known = given || shown.at, strict = given ? strcmp(given, "on") == 0 : sw_shown_is_true(shown);
    if (is_ahead(gap))
        return SW_OK;
    if (!gap->first) {
        sw_continuity_decide(report, SW_CANNOT_TELL, &rule_unknown, "the GTID list of the oldest kept binary log is not known: %s",
            sw_gap_says(gap, "give it with --first, or paste SHOW BINLOG EVENTS IN '<oldest file>' LIMIT 3 with --show", "the server did not show it"));
        sw_sentences_add(&report->limits, "tools that take the purged set as empty here call this available; the stream then fails at its start with error 1236");
        return SW_OK;
    }
    if (add_gaps(gap)) {
        sw_gap_follow(gap,
            "before anything is skipped, look for the purged binary logs: on a replica that logs its updates, in a backup, in an archive; put them back (or read them there) and retry the saved position",
            "if they are gone, start at the GTID list of the oldest kept file, not at gtid_current_pos",
            "retention: raise binlog_expire_logs_seconds (expire_logs_days) until the recovery is done, and stop PURGE jobs");
        return SW_OK;
    }
    if (known && !strict) {
        sw_continuity_decide(report, SW_CANNOT_TELL, &rule_strict, "the saved numbers lie within what is kept, but gtid_strict_mode is off");
        sw_sentences_add(&report->obligations, "switch gtid_strict_mode on for what is to come, and compare the destination with the source for what was");
        return SW_OK;
    }
    sw_continuity_decide(report, SW_CONTINUOUS, &rule_within, "in every domain the saved number lies within what is kept");
    if (!known)
        sw_sentences_add(&report->conditions, "gtid_strict_mode is on, and was when the transactions were written: it is off by default%s", sw_gap_says(gap, "; give --strict on", ""));
    if (!gap->last)
        sw_sentences_add(&report->conditions, "the saved numbers are not above gtid_binlog_pos%s", sw_gap_says(gap, ": give it with --last", ", which was not told"));
    sw_sentences_add(&report->limits, "holes in the numbers of a domain are legitimate (filters, rolled back transactions): they are neither proof nor disproof");
    sw_sentences_add(&report->obligations, "resume at the saved position; what follows its last commit is sent again, so expect repeated deliveries");
    return SW_OK;
}

const struct sw_gap_judge sw_gap_mariadb = {&sw_kind_mariadb, gather, decide};

/* PostgreSQL: a logical replication slot, or bounds as they were given.
 * Sources: PostgreSQL manual, "System Views: pg_replication_slots", "Streaming Replication Protocol"; Debezium
 * documentation of its PostgreSQL connector. */
#include "continuity/gap.h"

#include <stdio.h>

static const struct sw_continuity_rule rule_row = {
    "postgres.row",
    "the saved position must be the LSN of a commit: a row's LSN below another commit can belong to a transaction committed after it",
    "PostgreSQL manual, \"Logical Decoding Concepts\": transactions are sent in the order of their commits",
};
static const struct sw_continuity_rule rule_invalid = {
    "postgres.invalid",
    "0/0 says that there is no position",
    "PostgreSQL manual, \"pg_lsn Type\"",
};
static const struct sw_continuity_rule rule_rewound = {
    "postgres.rewound",
    "a saved position beyond the server's current WAL means that the server was restored or rewound",
    "PostgreSQL manual, \"Continuous Archiving: Timelines\"",
};
static const struct sw_continuity_rule rule_confirmed = {
    "postgres.slot.confirmed",
    "a usable slot serves every transaction committed at or after its confirmed_flush_lsn",
    "PostgreSQL manual, \"System Views: pg_replication_slots\"",
};
static const struct sw_continuity_rule rule_advanced = {
    "postgres.slot.advanced",
    "the server starts at the greater of the requested LSN and confirmed_flush_lsn, without an error",
    "PostgreSQL manual, \"Streaming Replication Protocol\" (START_REPLICATION)",
};
static const struct sw_continuity_rule rule_lost = {
    "postgres.slot.lost",
    "a slot whose WAL was removed, or that was invalidated, serves nothing any more",
    "PostgreSQL manual, \"System Views: pg_replication_slots\" (wal_status, invalidation_reason)",
};
static const struct sw_continuity_rule rule_missing = {
    "postgres.slot.missing",
    "a new slot starts at its own consistent point; what was committed before is not served by it",
    "PostgreSQL manual, \"Logical Decoding Concepts: Replication Slots\"",
};
static const struct sw_continuity_rule rule_bounds = {
    "postgres.first",
    "everything from the first available LSN on can be served",
    "PostgreSQL manual, \"System Views: pg_replication_slots\"",
};
static const struct sw_continuity_rule rule_physical = {
    "postgres.slot.physical",
    "a physical slot keeps WAL from its restart_lsn on",
    "PostgreSQL manual, \"System Views: pg_replication_slots\" (restart_lsn)",
};

/* The row of the slot that is meant. *table NULL: no slots were shown; *row SIZE_MAX: shown, and it is not among them. */
static enum sw_code find_slot(const struct sw_client_table **table, size_t *row, const struct sw_gap_case *gap)
{
    static const char *const columns[] = {"slot_name", NULL};
    const char *wanted = gap->options->slot;
    size_t logical = 0;
    *table = NULL;
    *row = SIZE_MAX;
    for (const struct sw_client_table *each = NULL; (each = sw_shown_table(&gap->shown, each, columns));) {
        if (!*table)
            *table = each;
        for (size_t i = 0; i < each->row_count; i++) {
            struct sw_bytes type = sw_client_table_cell(each, i, "slot_type");
            if (wanted ? !sw_bytes_is(sw_client_table_cell(each, i, "slot_name"), wanted) : type.at && !sw_bytes_is(type, "logical"))
                continue;
            *table = each;
            *row = i;
            logical++;
        }
    }
    if (logical > 1 && wanted)
        return sw_fail(gap->error, SW_ERR_INPUT, "slot '%.64s' is shown twice", wanted);
    if (logical > 1)
        return sw_fail(gap->error, SW_ERR_USAGE, "several logical slots are shown: name one with --slot");
    if (*table && *row == SIZE_MAX && !wanted && (*table)->row_count == 1)
        *row = 0; /* a single physical slot */
    return SW_OK;
}

static enum sw_code gather(struct sw_gap_case *gap)
{
    static const char *const names[] = {"xlogpos", "pg_current_wal_lsn", "pg_current_wal_flush_lsn", "pg_current_wal_insert_lsn"};
    enum sw_code code = SW_OK;
    for (size_t i = 0; code >= 0 && !gap->last && i < sizeof names / sizeof *names; i++)
        code = sw_gap_read_value(&gap->last, gap, names[i]);
    return code;
}

/* Gives positions of the server the identity that was shown. */
static enum sw_code identify(struct sw_gap_case *gap, struct sw_position **position)
{
    static const char *const names[][2] = {{"systemid", "system"}, {"system_identifier", "system"}, {"timeline", "timeline"}, {"timeline_id", "timeline"}};
    enum sw_code code = SW_OK;
    for (size_t i = 0; code >= 0 && i < 4; i++) {
        struct sw_bytes value;
        code = sw_shown_value(&value, &gap->shown, names[i][0], gap->error);
        if (code >= 0)
            code = sw_gap_identify(position, names[i][1], value, gap->error);
    }
    return code;
}

static void follow_gap(struct sw_gap_case *gap)
{
    sw_gap_follow(gap,
        "before anything is skipped, look for a server that still has the WAL from the saved position on: a standby with its own logical slot, or a base backup rolled forward from the archive and decoded there; then retry the saved position",
        "if there is none, start at the first LSN of the new slot, not at the newest one, and note that LSN before any consumer connects",
        "retention: the new slot keeps WAL from its restart_lsn on, up to max_slot_wal_keep_size; set that so that the time of the recovery fits");
}

static void bound_space(struct sw_gap_case *gap)
{
    sw_sentences_add(&gap->report->obligations,
        "establish which server this is (IDENTIFY_SYSTEM or pg_control_system(), and the timeline history file) before resuming; if it is another system, no saved position is valid: new slot and full backfill");
}

static const char *field(const struct sw_client_table *table, size_t row, const char *name, char out[64])
{
    struct sw_bytes cell = sw_client_table_cell(table, row, name);
    char quoted[SW_QUOTE_MAX];
    if (sw_shown_is_null(cell))
        return NULL;
    snprintf(out, 64, "%.63s", sw_position__quote(quoted, cell));
    return out;
}

static void slot_evidence(struct sw_gap_case *gap, const struct sw_client_table *table, size_t row)
{
    static const char *const names[] = {"slot_name", "slot_type", "database", "restart_lsn", "confirmed_flush_lsn", "wal_status", "safe_wal_size", "invalidation_reason", "inactive_since", "temporary", "synced"};
    char text[64];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (field(table, row, names[i], text))
            sw_sentences_add(&gap->report->evidence, "%s is %s", names[i], text);
}

static void slot_risks(struct sw_gap_case *gap, const struct sw_client_table *table, size_t row)
{
    struct sw_continuity_report *report = gap->report;
    struct sw_bytes safe = sw_client_table_cell(table, row, "safe_wal_size");
    if (sw_bytes_is(sw_client_table_cell(table, row, "wal_status"), "unreserved"))
        sw_sentences_add(&report->obligations, "at risk: wal_status is unreserved, so a checkpoint may remove the WAL at any moment; connect the consumer now, or raise max_slot_wal_keep_size");
    else if (safe.len && (safe.at[0] == '-' || sw_bytes_is(safe, "0")))
        sw_sentences_add(&report->obligations, "at risk: safe_wal_size is used up; raise max_slot_wal_keep_size before anything else");
    sw_sentences_add(&report->limits, "a logical slot decodes one database%s", sw_gap_says(gap, "; the publication and replica identity of the tables were not looked at", ""));
}

/* What would have to hold for a slot that keeps the saved position to serve it to a pipeline, too. */
static enum sw_code slot_conditions(struct sw_gap_case *gap, const struct sw_client_table *table, size_t row, bool physical)
{
    struct sw_continuity_report *report = gap->report;
    struct sw_bytes recovers = sw_client_table_cell(table, row, "pg_is_in_recovery");
    enum sw_code code = recovers.len ? SW_OK : sw_shown_value(&recovers, &gap->shown, "pg_is_in_recovery", gap->error);
    if (code >= 0 && !recovers.len)
        code = sw_shown_value(&recovers, &gap->shown, "in_recovery", gap->error); /* as the probe asks */
    if (code < 0)
        return code;
    bool synced = sw_shown_is_true(sw_client_table_cell(table, row, "synced")), temporary = sw_shown_is_true(sw_client_table_cell(table, row, "temporary"));
    if (synced && temporary) {
        sw_sentences_add(&report->conditions, "the slot becomes permanent before its server is promoted: a copy that is still temporary has not caught up with the primary's slot, and a promotion drops it");
        sw_sentences_add(&report->obligations, "do not promote this standby for the pipeline's sake yet: wait until temporary is f, and let the primary's slot advance until then");
    } else if (temporary) {
        sw_sentences_add(&report->conditions, "the session that made the slot is the pipeline's, and is still there: the slot is temporary, and goes with that session");
    }
    if (synced && !(recovers.len && (sw_bytes_is(recovers, "f") || sw_bytes_is(recovers, "false")))) {
        sw_sentences_add(&report->conditions, "the server has been promoted: the slot is a synchronised copy, which cannot be read on a standby");
        sw_sentences_add(&report->obligations, "ask the server SELECT pg_is_in_recovery(): on a standby (t) read from the primary's slot instead; after a promotion (f) this slot can be read, though synced may still be t");
    }
    if (physical) {
        sw_sentences_add(&report->conditions, "the pipeline reads the WAL itself: no logical decoding starts from a physical slot");
        sw_sentences_add(&report->obligations, "a connector needs a logical slot: name it with --slot; a new one begins at its own consistent point, and what was committed before that is not served by it");
    }
    return SW_OK;
}

static enum sw_code decide_lost(struct sw_gap_case *gap, const char *why)
{
    enum sw_position_order order = SW_POSITION_BEFORE;
    char saved[SW_GAP_NAME_MAX];
    if (gap->first && !sw_gap_compared(gap, &order, gap->saved, gap->first))
        return bound_space(gap), SW_OK;
    if (gap->first && order != SW_POSITION_BEFORE) {
        sw_continuity_decide(gap->report, SW_CONTINUOUS, &rule_bounds, "%s, but the first available LSN given is not after the saved position", why);
        return SW_OK;
    }
    sw_continuity_decide(gap->report, SW_GAP, &rule_lost, "the slot cannot be resumed, since %s: nothing after %s is served until a new slot starts%s", why, sw_gap_name(saved, gap, gap->saved),
        gap->first ? "" : sw_gap_says(gap, ", and its first LSN is not known yet (give it with --first)", ", and its first LSN is not known yet (make the slot, and probe again with --slot)"));
    sw_gap_interval(gap, gap->saved, gap->first)->possible = false;
    follow_gap(gap);
    return SW_OK;
}

static enum sw_code decide_bounds(struct sw_gap_case *gap, const struct sw_continuity_rule *gap_rule)
{
    enum sw_position_order order;
    char saved[SW_GAP_NAME_MAX], first[SW_GAP_NAME_MAX];
    if (!sw_gap_compared(gap, &order, gap->saved, gap->first))
        return bound_space(gap), SW_OK;
    sw_gap_name(saved, gap, gap->saved);
    sw_gap_name(first, gap, gap->first);
    if (order == SW_POSITION_BEFORE) {
        sw_continuity_decide(gap->report, SW_GAP, gap_rule, "the saved position %s lies before the first available one, %s", saved, first);
        sw_gap_interval(gap, gap->saved, gap->first)->possible = true;
        follow_gap(gap);
        return SW_OK;
    }
    sw_continuity_decide(gap->report, SW_CONTINUOUS, &rule_bounds, "the saved position %s does not lie before the first available one, %s", saved, first);
    sw_sentences_add(&gap->report->limits, "the state of the replication slot was not shown%s", sw_gap_says(gap, ": paste pg_replication_slots with --show to have it judged", ""));
    return SW_OK;
}

static enum sw_code decide_slot(struct sw_gap_case *gap, const struct sw_client_table *table, size_t row)
{
    char saved[SW_GAP_NAME_MAX], confirmed_text[SW_GAP_NAME_MAX], status[64], reason[64], why[160];
    struct sw_position *confirmed = NULL;
    enum sw_position_order order;
    slot_evidence(gap, table, row);
    slot_risks(gap, table, row);
    if (sw_bytes_is(sw_client_table_cell(table, row, "wal_status"), "lost"))
        return decide_lost(gap, "wal_status is lost");
    if (field(table, row, "invalidation_reason", reason)) {
        snprintf(why, sizeof why, "the slot is invalid (%s)", reason);
        return decide_lost(gap, why);
    }
    if (sw_shown_is_true(sw_client_table_cell(table, row, "conflicting")))
        return decide_lost(gap, "the slot is invalid (conflicting)");
    bool physical = sw_bytes_is(sw_client_table_cell(table, row, "slot_type"), "physical");
    const char *column = physical ? "restart_lsn" : "confirmed_flush_lsn";
    enum sw_code code = sw_gap_read(&confirmed, gap, sw_client_table_cell(table, row, column), column);
    if (code >= 0)
        code = identify(gap, &confirmed);
    if (code < 0) {
        sw_position_free(&confirmed);
        return code;
    }
    if (!confirmed) {
        sw_continuity_decide(gap->report, SW_CANNOT_TELL, &rule_confirmed, "the slot shows no %s%s", column, field(table, row, "wal_status", status) ? "" : ", and no wal_status either: it never reserved WAL");
        sw_sentences_add(&gap->report->obligations, "%s", sw_gap_says(gap, "paste all columns of pg_replication_slots, or let the slot reach a consistent point first", "let the slot reach a consistent point first"));
        return SW_OK;
    }
    if (!gap->first) { /* for the report and for identity */
        gap->first = confirmed;
        confirmed = NULL;
    }
    const struct sw_position *served = confirmed ? confirmed : gap->first;
    if (!sw_gap_compared(gap, &order, gap->saved, served)) {
        bound_space(gap);
    } else if (order == SW_POSITION_BEFORE) {
        sw_gap_name(saved, gap, gap->saved);
        sw_gap_name(confirmed_text, gap, served);
        if (physical)
            sw_continuity_decide(gap->report, SW_GAP, &rule_physical, "the saved position %s lies before the oldest WAL that the slot keeps, %s", saved, confirmed_text);
        else
            sw_continuity_decide(gap->report, SW_GAP, &rule_advanced, "the slot was advanced, or made anew, after that was saved: it will start at %s and skip what was committed from %s on, without an error", confirmed_text, saved);
        sw_gap_interval(gap, gap->saved, served)->possible = true;
        sw_sentences_add(&gap->report->limits, "a false alarm is possible: a consumer may confirm LSNs that hold no change of its tables without storing them");
        sw_sentences_add(&gap->report->limits, "Debezium notices a stale offset with PostgreSQL 14 and older; with 15 and newer it starts at confirmed_flush_lsn without a word");
        follow_gap(gap);
    } else {
        sw_continuity_decide(gap->report, SW_CONTINUOUS, physical ? &rule_physical : &rule_confirmed, "the slot is usable and the saved position %s is not before its %s, %s",
            sw_gap_name(saved, gap, gap->saved), column, sw_gap_name(confirmed_text, gap, served));
        if (!physical)
            sw_sentences_add(&gap->report->obligations, "resume at the saved position; the server may send again from confirmed_flush_lsn on, so expect repeated deliveries");
        code = slot_conditions(gap, table, row, physical);
    }
    sw_position_free(&confirmed);
    return code;
}

static enum sw_code decide(struct sw_gap_case *gap)
{
    const char *which = sw_position_attribute(gap->saved, "lsn");
    const struct sw_client_table *table;
    size_t row;
    enum sw_position_order order;
    enum sw_code code = identify(gap, &gap->first);
    if (code >= 0)
        code = identify(gap, &gap->last);
    if (code >= 0)
        code = find_slot(&table, &row, gap);
    if (code < 0)
        return code;
    if (which && strcmp(which, "row") == 0) {
        sw_continuity_decide(gap->report, SW_CANNOT_TELL, &rule_row, "the saved position is the LSN of a row, not of a commit");
        sw_sentences_add(&gap->report->obligations, "resume at the commit LSN of the last transaction that was applied whole");
        return SW_OK;
    }
    if (gap->saved->notes & SW_NOTE_INVALID_LSN) {
        sw_continuity_decide(gap->report, SW_CANNOT_TELL, &rule_invalid, "the saved position is 0/0, which says that nothing was saved");
        return SW_OK;
    }
    if (gap->last) {
        if (!sw_gap_compared(gap, &order, gap->saved, gap->last))
            return bound_space(gap), SW_OK;
        if (order == SW_POSITION_AFTER) {
            char saved[SW_GAP_NAME_MAX], last[SW_GAP_NAME_MAX];
            sw_continuity_decide(gap->report, SW_CANNOT_TELL, &rule_rewound, "the saved position %s lies beyond the server's current WAL, %s", sw_gap_name(saved, gap, gap->saved),
                sw_gap_name(last, gap, gap->last));
            bound_space(gap);
            return SW_OK;
        }
    }
    if (!which)
        sw_sentences_add(&gap->report->assumed, "the saved LSN is that of a commit or of the end of a transaction, not of a row");
    if (table && row != SIZE_MAX)
        return decide_slot(gap, table, row);
    if (gap->first)
        return decide_bounds(gap, table ? &rule_missing : &rule_bounds);
    if (table) {
        sw_continuity_decide(gap->report, SW_CANNOT_TELL, &rule_missing, "the slot is not %s, and the consistent point of a new one is not known", sw_gap_says(gap, "among those shown", "on this server"));
        sw_sentences_add(&gap->report->obligations, "create the new slot, note its consistent point, and %s: what was committed from the saved position up to it is not served",
            sw_gap_says(gap, "give it with --first", "probe again with --slot"));
        bound_space(gap);
        return SW_OK;
    }
    sw_continuity_decide(gap->report, SW_CANNOT_TELL, &rule_bounds, "nothing says from where on the source can serve its log: %s", sw_gap_says(gap, "give --first, or pg_replication_slots with --show", "name the slot with --slot"));
    return SW_OK;
}

const struct sw_gap_judge sw_gap_postgres = {&sw_kind_postgres, gather, decide};

/* MySQL by sets of GTIDs.
 * Sources: MySQL manual, "GTID Format and Storage", "Global Transaction ID System Variables" (gtid_purged). */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "continuity/gap.h"
#include "position/gtid_set.h"
#include "position/scan.h"

static const struct sw_continuity_rule rule_resumable = {
    "mysql.gtid.resumable",
    "saved within executed and purged within saved: everything that is missing is still in the log",
    "MySQL manual, \"GTID Auto-Positioning\"",
};
static const struct sw_continuity_rule rule_purged = {
    "mysql.gtid.purged",
    "transactions that were purged and never processed are exactly purged minus saved",
    "MySQL manual, \"Global Transaction ID System Variables\" (gtid_purged)",
};
static const struct sw_continuity_rule rule_diverged = {
    "mysql.gtid.ahead",
    "the server lacks transactions that were processed: another server, a rewound one, or a replica that lags",
    "MySQL manual, \"GTID Auto-Positioning\"",
};
static const struct sw_continuity_rule rule_unknown = {
    "mysql.gtid.unknown",
    "both gtid_executed and gtid_purged are needed",
    "MySQL manual, \"Global Transaction ID System Variables\"",
};
static const struct sw_continuity_rule rule_off = {
    "mysql.gtid.off",
    "with gtid_mode off, files and offsets are the only positions",
    "MySQL manual, \"Replication with Global Transaction Identifiers\"",
};

static const char *some(char out[300], struct sw_gap_case *gap, const struct sw_gtid_set *set)
{
    struct sw_buffer text = {0};
    sw_gtid_set_print_some(&text, set, 4);
    const char *whole = sw_buffer_text(&text);
    snprintf(out, 300, "%s", whole && *whole ? whole : "no transaction");
    gap->report->failed |= text.failed;
    sw_buffer_free(&text);
    return out;
}

/* A set from an option or from what was shown under one of the names; *known says whether there was one. */
static enum sw_code read_set(struct sw_gtid_set *out, bool *known, struct sw_gap_case *gap, const char *option, const char *text, const char *const *names)
{
    struct sw_error fault = {0};
    struct sw_bytes shown = {0};
    *known = text != NULL;
    enum sw_code code = SW_OK;
    if (text) {
        code = sw_gtid_set_parse(out, sw_bytes_text(text), NULL, &fault);
        return code < 0 ? sw_fail(gap->error, code, "--%s: %.1000s", option, fault.text) : code;
    }
    for (; code >= 0 && !shown.at && *names; names++)
        code = sw_shown_value(&shown, &gap->shown, *names, gap->error);
    if (code < 0 || !shown.at)
        return code;
    *known = true;
    code = sw_gtid_set_parse(out, shown, NULL, &fault);
    char listed[300];
    if (code < 0)
        return sw_fail(gap->error, code, "pasted output, %s: %.900s", option, fault.text);
    sw_sentences_add(&gap->report->evidence, "gtid_%s is %s", option, some(listed, gap, out));
    return code;
}

/* An empty gtid_purged is printed as an empty value: the name alone says that it is known. */
static bool is_shown(const struct sw_gap_case *gap, const char *const *names)
{
    for (; *names; names++)
        if (sw_shown_has(&gap->shown, *names))
            return true;
    return false;
}

/* Keeps only the UUIDs of --sources in a set. */
static enum sw_code restrict_to(struct sw_gtid_set *set, const uint8_t (*uuids)[16], size_t count, struct sw_error *error)
{
    struct sw_gtid_set kept;
    enum sw_code code = sw_gtid_set_restrict(&kept, set, uuids, count, false, error);
    if (code >= 0) {
        sw_gtid_set_free(set);
        *set = kept;
    }
    return code;
}

static enum sw_code read_sources(uint8_t (**out)[16], size_t *count, const char *text, struct sw_error *error)
{
    struct sw_scan scan = sw_scan_of(sw_bytes_text(text));
    size_t items = 1;
    for (const char *at = text; *at; at++)
        items += *at == ',';
    *count = 0;
    *out = sw_calloc(items, sizeof **out);
    if (!*out)
        return sw_fail_memory(error, "a list of UUIDs", items * sizeof **out);
    do {
        sw_scan_blanks(&scan);
        if (!sw_scan_uuid(&scan, (*out)[(*count)++]))
            return sw_fail(error, SW_ERR_USAGE, "--sources: expected UUIDs with commas between them, found '%.100s'", text);
    } while (sw_scan_token(&scan, ','));
    sw_scan_blanks(&scan);
    return sw_scan_done(&scan) ? SW_OK : sw_fail(error, SW_ERR_USAGE, "--sources: expected UUIDs with commas between them, found '%.100s'", text);
}

static void add_set(struct sw_gap_case *gap, const struct sw_gtid_set *set)
{
    struct sw_buffer text = {0};
    sw_gtid_set_print(&text, set);
    gap->report->failed |= text.failed;
    sw_continuity_add_interval(gap->report, sw_bytes_text(""), sw_buffer_view(&text), sw_bytes_text(""), false);
    sw_buffer_free(&text);
}

/* "u:100" means one transaction, not all up to it. */
static bool is_single(const struct sw_gtid_set *set) { return set->interval_count == 1 && set->intervals[0].first == set->intervals[0].last && set->intervals[0].first > 1; }

static enum sw_code judge_sets(struct sw_gap_case *gap, const struct sw_gtid_set *saved, const struct sw_gtid_set *executed, const struct sw_gtid_set *purged, bool know_executed, bool know_purged)
{
    struct sw_continuity_report *report = gap->report;
    struct sw_gtid_set missing = {0}, ahead = {0}, left = {0};
    char listed[300], number[SW_NUMBER_TEXT_MAX];
    enum sw_code code = sw_gtid_set_subtract(&missing, purged, saved, gap->error);
    if (code >= 0)
        code = sw_gtid_set_subtract(&ahead, saved, executed, gap->error);
    if (code >= 0)
        code = sw_gtid_set_subtract(&left, executed, saved, gap->error);
    if (code < 0) {
    } else if (know_executed && ahead.interval_count) {
        sw_continuity_decide(report, SW_CANNOT_TELL, &rule_diverged, "the server lacks %s transactions that were processed: %s", sw_number_text(number, sw_gtid_set_count(&ahead)), some(listed, gap, &ahead));
        if (missing.interval_count)
            sw_sentences_add(&report->reasons, "besides, %s transactions were purged and never processed: %s", sw_number_text(number, sw_gtid_set_count(&missing)), some(listed, gap, &missing));
        sw_sentences_add(&report->obligations, "find out which of the three it is: a replica that lags becomes resumable once it has caught up, so ask again later");
        sw_sentences_add(&report->obligations, "after a failover, what only the old primary had is a real divergence: those changes are in the destination and not in the source, and need a decision of their own");
    } else if (!know_executed || !know_purged) {
        const char *what = know_purged ? "gtid_executed is" : know_executed ? "gtid_purged is" : "gtid_executed and gtid_purged are";
        sw_continuity_decide(report, SW_CANNOT_TELL, &rule_unknown, "%s not known: %s%s%s%s%s", what, sw_gap_says(gap, "give ", "the server did not tell them"), gap->probed || know_executed ? "" : "--executed",
            gap->probed || know_executed || know_purged ? "" : " and ", gap->probed || know_purged ? "" : "--purged", sw_gap_says(gap, ", or paste the server's variables with --show", ""));
        if (know_purged && missing.interval_count)
            sw_sentences_add(&report->reasons, "whatever was executed, %s transactions were purged and are not in the saved set: %s", sw_number_text(number, sw_gtid_set_count(&missing)), some(listed, gap, &missing));
    } else if (missing.interval_count) {
        sw_continuity_decide(report, SW_GAP, &rule_purged, "%s transactions were purged and never processed: %s", sw_number_text(number, sw_gtid_set_count(&missing)), some(listed, gap, &missing));
        add_set(gap, &missing);
        sw_gap_follow(gap,
            "before anything is skipped, look for the binary logs with these transactions: on another member of the topology whose gtid_purged does not hold them, in a backup, in an archive; resume there, or put them back and retry",
            "if they are gone, resume with the union of the saved set and the missing one, never with the newest position, and keep the missing set on record",
            "retention: raise binlog_expire_logs_seconds until the recovery is done; gtid_purged only grows");
    } else {
        sw_continuity_decide(report, SW_CONTINUOUS, &rule_resumable, "all of the saved set is executed, and all that was purged is in the saved set; %s transactions are left to read: %s",
            sw_number_text(number, sw_gtid_set_count(&left)), some(listed, gap, &left));
        sw_sentences_add(&report->obligations, "resume with the whole saved set, not with its highest numbers: what is missing in between would be skipped for ever");
    }
    if (is_single(saved))
        sw_sentences_add(&report->assumed, "the saved set is the one transaction %s; if it means all up to it, write the range, and only if transactions came in order", some(listed, gap, saved));
    sw_gtid_set_free(&missing);
    sw_gtid_set_free(&ahead);
    sw_gtid_set_free(&left);
    return code;
}

static enum sw_code decide(struct sw_gap_case *gap)
{
    static const char *const executed_names[] = {"gtid_executed", "Executed_Gtid_Set", NULL}, *const purged_names[] = {"gtid_purged", "@@gtid_purged", "@@global.gtid_purged", NULL};
    struct sw_gtid_set saved = {0}, executed = {0}, purged = {0};
    bool know_executed = false, know_purged = false;
    uint8_t(*uuids)[16] = NULL;
    size_t uuid_count = 0;
    struct sw_bytes mode = {0};
    if (gap->first || gap->last)
        return sw_fail(gap->error, SW_ERR_USAGE, "a set of GTIDs has no first and last position: give --purged and --executed");
    enum sw_code code = sw_gtid_set_unite(&saved, sw_gtid_set_of(gap->saved), &executed, gap->error); /* a copy */
    if (code >= 0)
        code = read_set(&executed, &know_executed, gap, "executed", gap->options->executed, executed_names);
    if (code >= 0)
        code = read_set(&purged, &know_purged, gap, "purged", gap->options->purged, purged_names);
    know_purged = know_purged || is_shown(gap, purged_names);
    if (code >= 0)
        code = sw_shown_value(&mode, &gap->shown, "gtid_mode", gap->error);
    if (code >= 0 && know_executed && know_purged && !sw_gtid_set_contains(&executed, &purged))
        code = sw_fail(gap->error, SW_ERR_INPUT, "gtid_purged holds transactions that gtid_executed lacks, which no server says: the two are of different servers, or of different times");
    if (code >= 0 && gap->options->sources) {
        code = read_sources(&uuids, &uuid_count, gap->options->sources, gap->error);
        struct sw_gtid_set *const sets[] = {&saved, &executed, &purged};
        for (size_t i = 0; code >= 0 && i < 3; i++)
            code = restrict_to(sets[i], (const uint8_t(*)[16])uuids, uuid_count, gap->error);
        if (code >= 0)
            sw_sentences_add(&gap->report->assumed, "only the %zu UUIDs given with --sources count, as in the connector's filter", uuid_count);
    }
    if (code >= 0 && mode.at && (sw_bytes_is(mode, "OFF") || sw_bytes_is(mode, "off"))) {
        sw_continuity_decide(gap->report, SW_CANNOT_TELL, &rule_off, "gtid_mode is off on this server");
        sw_sentences_add(&gap->report->obligations, "judge the file and offset that were saved beside the set: --kind mysql");
    } else if (code >= 0) {
        code = judge_sets(gap, &saved, &executed, &purged, know_executed, know_purged);
    }
    sw_free(uuids);
    sw_gtid_set_free(&saved);
    sw_gtid_set_free(&executed);
    sw_gtid_set_free(&purged);
    return code;
}

const struct sw_gap_judge sw_gap_mysql_gtid = {&sw_kind_mysql_gtid, NULL, decide};

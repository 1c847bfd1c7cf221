/* SQL Server: the minimum LSN of a capture instance below, the maximum LSN of the database above.
 * Source: Microsoft Learn, "sys.fn_cdc_get_min_lsn", "sys.fn_cdc_get_max_lsn", "sys.fn_cdc_increment_lsn". */
#include "continuity/gap.h"
#include "position/sqlserver_lsn.h"

static const struct sw_continuity_rule rule_within = {
    "sqlserver.within",
    "the LSN after the saved one is not below the capture instance's minimum, and the saved one is not above the database's maximum",
    "Microsoft Learn, \"sys.fn_cdc_increment_lsn\", \"sys.fn_cdc_get_min_lsn\"",
};
static const struct sw_continuity_rule rule_cleaned = {
    "sqlserver.cleaned",
    "cleanup raised the capture instance's minimum above the LSN that is wanted next",
    "Microsoft Learn, \"sys.sp_cdc_cleanup_change_table\"",
};
static const struct sw_continuity_rule rule_beyond = {
    "sqlserver.beyond",
    "a saved LSN above the maximum is of another database, or the database was restored",
    "Microsoft Learn, \"sys.fn_cdc_get_max_lsn\"",
};
static const struct sw_continuity_rule rule_unknown = {
    "sqlserver.unknown",
    "fn_cdc_get_min_lsn gives ten zero bytes when the instance does not exist, and when the caller may not see it",
    "Microsoft Learn, \"sys.fn_cdc_get_min_lsn\"",
};

static enum sw_code gather(struct sw_gap_case *gap)
{
    enum sw_code code = gap->first ? SW_OK : sw_gap_read_value(&gap->first, gap, "min_lsn");
    return code < 0 || gap->last ? code : sw_gap_read_value(&gap->last, gap, "max_lsn");
}

static void follow_unknown(struct sw_gap_case *gap)
{
    sw_sentences_add(&gap->report->obligations,
        "establish which database this is, whether it was restored since, and which capture instance serves the table; after a restore no saved LSN is valid: new start and full backfill");
}

/* The LSN that is wanted next: the one after the saved commit, or the commit itself if only a part of it was processed. */
static bool wanted(uint8_t out[10], const struct sw_position *saved)
{
    memcpy(out, sw_sqlserver_lsn_of(saved), 10);
    return sw_sqlserver_has_change(saved) || sw_sqlserver_lsn_increment(out);
}

static void decide_cleaned(struct sw_gap_case *gap, const uint8_t next[10])
{
    struct sw_buffer from = {0}, to = {0};
    sw_sqlserver_lsn_print(&from, next);
    sw_sqlserver_lsn_print(&to, sw_sqlserver_lsn_of(gap->first));
    gap->report->failed |= from.failed || to.failed;
    sw_continuity_decide(gap->report, SW_GAP, &rule_cleaned, "the LSN wanted next, %.*s, is below the capture instance's minimum, %.*s", (int)from.len, (const char *)from.at, (int)to.len,
        (const char *)to.at);
    sw_continuity_add_interval(gap->report, sw_bytes_text(""), sw_buffer_view(&from), sw_buffer_view(&to), false)->possible = true;
    sw_buffer_free(&from);
    sw_buffer_free(&to);
    sw_gap_follow(gap,
        "before anything is skipped, see whether the change rows are left elsewhere: in the other capture instance of the table, or in a restored copy of the database from before the cleanup",
        "if not, start at the capture instance's minimum LSN, not at the maximum",
        "retention: raise it with sp_cdc_change_job (4320 minutes by default) and stop the cleanup job until the recovery is done");
}

static enum sw_code decide(struct sw_gap_case *gap)
{
    static const uint8_t zero[10];
    struct sw_continuity_report *report = gap->report;
    char saved[SW_GAP_NAME_MAX], bound[SW_GAP_NAME_MAX];
    uint8_t next[10];
    bool more = wanted(next, gap->saved);
    sw_gap_name(saved, gap, gap->saved);
    if ((gap->last && !sw_gap_same_space(gap, gap->saved, gap->last)) || (gap->first && !sw_gap_same_space(gap, gap->saved, gap->first)))
        return follow_unknown(gap), SW_OK;
    if (!more || (gap->last && memcmp(sw_sqlserver_lsn_of(gap->saved), sw_sqlserver_lsn_of(gap->last), 10) > 0)) {
        sw_continuity_decide(report, SW_CANNOT_TELL, &rule_beyond, "the saved LSN %s lies above the database's maximum, %s", saved, gap->last ? sw_gap_name(bound, gap, gap->last) : "whatever that is");
        follow_unknown(gap);
        return SW_OK;
    }
    if (!gap->first || memcmp(sw_sqlserver_lsn_of(gap->first), zero, 10) == 0) {
        sw_continuity_decide(report, SW_CANNOT_TELL, &rule_unknown, "the capture instance's minimum LSN is %s", gap->first ? "zero: it does not exist, or may not be seen" : "not known: give --first");
        sw_sentences_add(&report->obligations, "ask fn_cdc_get_min_lsn again for the instance by its name, as a member of the gating role");
        return SW_OK;
    }
    sw_sentences_add(&report->limits, "the minimum is that of one capture instance: ask for each table, and look at where an instance starts that replaced another");
    if (memcmp(next, sw_sqlserver_lsn_of(gap->first), 10) < 0) {
        decide_cleaned(gap, next);
        return SW_OK;
    }
    sw_continuity_decide(report, SW_CONTINUOUS, &rule_within, "the LSN wanted next is not below the capture instance's minimum, %s", sw_gap_name(bound, gap, gap->first));
    if (!gap->last)
        sw_sentences_add(&report->conditions, "the saved LSN is not above the database's maximum: give fn_cdc_get_max_lsn() with --last");
    sw_sentences_add(&report->obligations, sw_sqlserver_has_change(gap->saved) ? "resume with the saved transaction: a part of it is sent again" : "resume at the LSN after the saved one");
    return SW_OK;
}

const struct sw_gap_judge sw_gap_sqlserver = {&sw_kind_sqlserver, gather, decide};

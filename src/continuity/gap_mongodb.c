/* MongoDB: the oldest entry of the oplog below.
 * Source: MongoDB manual, "Change Streams", "Replica Set Oplog"; error codes 260 and 286. */
#include "continuity/gap.h"
#include "position/mongodb.h"

static const struct sw_continuity_rule rule_within = {
    "mongodb.within",
    "the oldest oplog entry is not after the saved time, in the same cluster",
    "MongoDB manual, \"Resume a Change Stream\"",
};
static const struct sw_continuity_rule rule_rolled = {
    "mongodb.rolled",
    "the oplog was rolled past the saved time; resuming fails with 286 ChangeStreamHistoryLost",
    "MongoDB manual, \"Resume a Change Stream\"; server error codes",
};
static const struct sw_continuity_rule rule_beyond = {
    "mongodb.beyond",
    "a saved time after the newest oplog entry is of another cluster, or the cluster was restored",
    "MongoDB manual, \"Replica Set Oplog\"",
};
static const struct sw_continuity_rule rule_unknown = {
    "mongodb.unknown",
    "without the oplog's window nothing says what can be resumed",
    "MongoDB manual, \"Replica Set Oplog\"",
};

static void follow_unknown(struct sw_gap_case *gap)
{
    sw_sentences_add(&gap->report->obligations,
        "read the oldest and newest ts of local.oplog.rs on every shard (the latest of the oldest counts), with their counters, not as dates; in another or a restored cluster no token is valid: new start and full copy");
}

static enum sw_code decide(struct sw_gap_case *gap)
{
    struct sw_continuity_report *report = gap->report;
    bool token = false, ignored;
    struct sw_cluster_time saved = sw_cluster_time_of(gap->saved, &token);
    if ((gap->last && !sw_gap_same_space(gap, gap->saved, gap->last)) || (gap->first && !sw_gap_same_space(gap, gap->saved, gap->first)))
        return follow_unknown(gap), SW_OK;
    if (gap->last) {
        struct sw_cluster_time last = sw_cluster_time_of(gap->last, &ignored);
        if (sw_cluster_time_compare(saved, last) > 0) {
            sw_continuity_decide(report, SW_CANNOT_TELL, &rule_beyond, "the saved cluster time (%u,%u) is after the newest oplog entry (%u,%u)", saved.seconds, saved.increment, last.seconds,
                last.increment);
            follow_unknown(gap);
            return SW_OK;
        }
    }
    if (!gap->first) {
        sw_continuity_decide(report, SW_CANNOT_TELL, &rule_unknown, "the oldest entry of the oplog is not known: give its ts with --first");
        follow_unknown(gap);
        return SW_OK;
    }
    struct sw_cluster_time first = sw_cluster_time_of(gap->first, &ignored);
    if (token)
        sw_sentences_add(&report->limits, "a resume token is bound to what its stream watches (collection, database or cluster, and the pipeline): another stream cannot use it");
    sw_sentences_add(&report->limits, "in a sharded cluster every shard has an oplog of its own: --first must be the latest of the oldest entries");
    if (sw_cluster_time_compare(first, saved) > 0) {
        struct sw_buffer from = {0}, to = {0};
        sw_buffer_printf(&from, "Timestamp(%u,%u)", saved.seconds, saved.increment);
        sw_buffer_printf(&to, "Timestamp(%u,%u)", first.seconds, first.increment);
        report->failed |= from.failed || to.failed;
        sw_continuity_decide(report, SW_GAP, &rule_rolled, "the oldest oplog entry (%u,%u) is after the saved cluster time (%u,%u)", first.seconds, first.increment, saved.seconds, saved.increment);
        sw_continuity_add_interval(report, sw_bytes_text(""), sw_buffer_view(&from), sw_buffer_view(&to), false)->possible = true;
        sw_buffer_free(&from);
        sw_buffer_free(&to);
        sw_gap_follow(gap, "before anything is skipped, look for a member with a longer oplog (a delayed or hidden one), or for backups of the oplog, and retry the saved token there",
            "if there is none, start with startAtOperationTime at the oldest entry that is left, not at the newest",
            "retention: enlarge the oplog or set storage.oplogMinRetentionHours for the time of the recovery");
        return SW_OK;
    }
    sw_continuity_decide(report, SW_CONTINUOUS, &rule_within, "the oldest oplog entry (%u,%u) is not after the saved cluster time (%u,%u)", first.seconds, first.increment, saved.seconds, saved.increment);
    sw_sentences_add(&report->obligations, token ? "resume after the saved token; past an invalidate event only startAfter works, not resumeAfter" : "resume with startAtOperationTime at the saved time: what happened at it is sent again");
    return SW_OK;
}

const struct sw_gap_judge sw_gap_mongodb = {&sw_kind_mongodb, NULL, decide};

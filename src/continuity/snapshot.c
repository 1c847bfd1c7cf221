/* Can a snapshot be restored without losing input?
 * Sources: Dataflow documentation, "Use Dataflow snapshots"; Pub/Sub documentation, "Replay and purge messages with seek".
 * Where these do not say (the region of the new job, templates), a verdict is conditional or a limit; nothing is refused. */
#include "continuity/snapshot.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "continuity/report.h"
#include "base/options.h"

static const struct sw_continuity_rule rule_restorable = {
    "snapshot.restorable",
    "the state is READY, and both the job's part and every source part live longer than the restore takes",
    "Dataflow documentation, \"Use Dataflow snapshots\"; Pub/Sub REST reference, Snapshot.expireTime",
};
static const struct sw_continuity_rule rule_state = {
    "snapshot.state",
    "only a snapshot in state READY can be restored",
    "Dataflow REST reference, SnapshotState",
};
static const struct sw_continuity_rule rule_ended = {
    "snapshot.ended",
    "the job's part is deleted when its time to live is over, counted from its creation",
    "Dataflow REST reference, Snapshot.ttl",
};
static const struct sw_continuity_rule rule_source_ended = {
    "snapshot.source.ended",
    "a source part ends by its own clock; then the state can be restored and its input cannot",
    "Pub/Sub documentation, \"Replay and purge messages with seek\"",
};
static const struct sw_continuity_rule rule_no_source = {
    "snapshot.source.none",
    "without source parts, messages acknowledged after the snapshot do not come again unless the subscription is sought",
    "Dataflow documentation, \"Use Dataflow snapshots\"",
};
static const struct sw_continuity_rule rule_sought = {
    "snapshot.seek.time",
    "a seek to a time brings back what is still retained, from that time on",
    "Pub/Sub documentation, \"Replay and purge messages with seek\"",
};
static const struct sw_continuity_rule rule_unknown = {
    "snapshot.unknown",
    "a time that is absent, or has no zone, compares with nothing",
    "RFC 3339; Dataflow and Pub/Sub REST references",
};
static const struct sw_continuity_rule rule_topic = {
    "snapshot.seek.topic",
    "a Pub/Sub snapshot can be used on subscriptions of its own topic only",
    "Pub/Sub REST reference, projects.subscriptions.seek",
};
static const struct sw_continuity_rule rule_pubsub = {
    "snapshot.pubsub.alive",
    "a Pub/Sub snapshot can be sought to until its expireTime",
    "Pub/Sub REST reference, Snapshot.expireTime",
};

struct snapshot_case {
    const struct sw_snapshot_options *options;
    const struct sw_cloud_documents *documents;
    struct sw_continuity_report *report;
    struct sw_instant at, deadline; /* of the judgement, and of the end of the restore */
};

void sw_snapshot_options_init_sized(struct sw_snapshot_options *options, size_t size) { sw_options_init(options, size); }

/* ---- what is always to be said ---- */

static void say_limits(struct snapshot_case *snapshot, bool job)
{
    struct sw_sentences *limits = &snapshot->report->limits;
    if (job) {
        sw_sentences_add(limits, "the sink is not part of a snapshot: what it received after the snapshot stays, and comes again");
        sw_sentences_add(limits, "only Pub/Sub sources are snapshotted; other sources go on from the reader's checkpoint");
        sw_sentences_add(limits, "whether the new pipeline is compatible with the saved state was not looked at");
        sw_sentences_add(limits, "the consistent point is not before the creation time; how much later it is, the document does not say");
    }
    sw_sentences_add(limits, "that a snapshot is there and alive does not show that a restore works: rehearse it");
}

static void say_seek(struct snapshot_case *snapshot, const struct sw_subscription *subscription)
{
    struct sw_sentences *follow = &snapshot->report->obligations;
    sw_sentences_add(follow, "stop the consumers of the subscription before the seek: an acknowledgement from before it is not valid after it, and for about a minute messages that count as acknowledged can still arrive");
    sw_sentences_add(follow, "keep delivery attempts and dead-letter evidence outside the subscription: a seek may set the counters back, and what was forwarded to the dead-letter topic can come a second time");
    if (subscription && subscription->has_filter)
        sw_sentences_add(follow, "the subscription has a filter: only matching messages come again, the others are acknowledged by themselves; a snapshot of a subscription with another filter lacks what that one left out");
}

static void say_restore(struct snapshot_case *snapshot)
{
    sw_sentences_add(&snapshot->report->obligations,
        "plan the overlap before the restore: everything from the snapshot on is processed again, so write to an isolated destination and promote it after reconciliation, or show that the sink's writes are idempotent");
    sw_sentences_add(&snapshot->report->obligations, "record the pipeline's version, the snapshot's id and this answer as restoration resources");
}

/* ---- helpers ---- */

static const char *show(char out[SW_INSTANT_TEXT_MAX], struct sw_cloud_time time)
{
    if (time.status == SW_CLOUD_KNOWN)
        return sw_instant_print(out, time.value);
    snprintf(out, SW_INSTANT_TEXT_MAX, "%s", time.status == SW_CLOUD_NO_ZONE ? "a time without zone" : "absent");
    return out;
}

/* The Pub/Sub snapshot's own document, if it was given too. */
static const struct sw_source_part *own_document(const struct snapshot_case *snapshot, const struct sw_source_part *part)
{
    for (size_t i = 0; i < snapshot->documents->source_count; i++)
        if (part->name[0] && sw_cloud_same_name(snapshot->documents->sources[i].name, part->name))
            return &snapshot->documents->sources[i];
    return NULL;
}

/* When a part ends: the earlier of what its two documents say. */
static struct sw_cloud_time end_of(const struct snapshot_case *snapshot, const struct sw_source_part *part)
{
    const struct sw_source_part *own = own_document(snapshot, part);
    if (!own || own->expires.status != SW_CLOUD_KNOWN)
        return part->expires;
    if (part->expires.status != SW_CLOUD_KNOWN || sw_instant_compare(own->expires.value, part->expires.value) < 0)
        return own->expires;
    return part->expires;
}

/* From when on a topic's messages come back by a seek to a time. KNOWN: *out. Else nobody says. */
static bool replay_start(struct sw_instant *out, const struct sw_subscription **used, const struct snapshot_case *snapshot, const char *topic)
{
    bool known = false;
    *used = NULL;
    for (size_t i = 0; i < snapshot->documents->subscription_count; i++) {
        const struct sw_subscription *each = &snapshot->documents->subscriptions[i];
        if (topic && !sw_cloud_same_name(each->topic, topic))
            continue;
        const struct sw_cloud_time candidates[] = {each->retains_acked ? each->retention : (struct sw_cloud_time){0}, each->topic_retention};
        *used = *used ? *used : each;
        for (size_t c = 0; c < 2; c++) {
            if (candidates[c].status != SW_CLOUD_KNOWN)
                continue;
            struct sw_instant start = sw_instant_subtract(snapshot->deadline, candidates[c].value);
            if (!known || sw_instant_compare(start, *out) < 0) {
                *out = start;
                *used = each;
            }
            known = true;
        }
    }
    for (size_t i = 0; topic && i < snapshot->documents->topic_count; i++) {
        const struct sw_topic *each = &snapshot->documents->topics[i];
        if (!sw_cloud_same_name(each->name, topic) || each->retention.status != SW_CLOUD_KNOWN)
            continue;
        struct sw_instant start = sw_instant_subtract(snapshot->deadline, each->retention.value);
        if (!known || sw_instant_compare(start, *out) < 0)
            *out = start;
        known = true;
    }
    return known;
}

static void say_seek_to_time(struct snapshot_case *snapshot, const struct sw_subscription *subscription, struct sw_instant created)
{
    char text[SW_INSTANT_TEXT_MAX];
    sw_sentences_add(&snapshot->report->obligations, "seek %s to a time at or before %s, with a margin for clocks, before the job starts: expect duplicates",
        subscription ? sw_cloud_short_name(subscription->name) : "the subscription", sw_instant_print(text, created));
}

/* ---- a Dataflow snapshot ---- */

static bool decide_state(struct snapshot_case *snapshot, const struct sw_job_snapshot *job)
{
    static const char *const dead[] = {"PENDING", "RUNNING", "FAILED", "DELETED"};
    if (strcmp(job->state, "READY") == 0)
        return false;
    for (size_t i = 0; i < sizeof dead / sizeof *dead; i++)
        if (strcmp(job->state, dead[i]) == 0) {
            sw_continuity_decide(snapshot->report, SW_GAP, &rule_state, "its state is %s", job->state);
            sw_sentences_add(&snapshot->report->obligations, i < 2 ? "wait until it is READY, and judge it again" : "look for another snapshot; without one, plan a new start with a backfill");
            return true;
        }
    char quoted[80] = "absent";
    if (job->state[0])
        snprintf(quoted, sizeof quoted, "'%.40s', which is not known", job->state);
    sw_continuity_decide(snapshot->report, SW_CANNOT_TELL, &rule_state, "its state is %s", quoted);
    return true;
}

static bool decide_life(struct snapshot_case *snapshot, const struct sw_job_snapshot *job, struct sw_instant *end)
{
    char created[SW_INSTANT_TEXT_MAX], until[SW_INSTANT_TEXT_MAX], at[SW_INSTANT_TEXT_MAX];
    if (job->created.status != SW_CLOUD_KNOWN || job->ttl.status != SW_CLOUD_KNOWN) {
        sw_continuity_decide(snapshot->report, SW_CANNOT_TELL, &rule_unknown, "creationTime is %s, ttl is %s", show(created, job->created), job->ttl.status == SW_CLOUD_KNOWN ? "known" : "absent");
        return true;
    }
    *end = sw_instant_add(job->created.value, job->ttl.value);
    sw_instant_print(until, *end);
    if (sw_instant_compare(snapshot->at, job->created.value) < 0) {
        sw_continuity_decide(snapshot->report, SW_CANNOT_TELL, &rule_unknown, "it was created at %s, after the time of the judgement, %s: one of the clocks is wrong", show(created, job->created),
            sw_instant_print(at, snapshot->at));
        return true;
    }
    if (sw_instant_compare(snapshot->deadline, *end) >= 0) {
        sw_continuity_decide(snapshot->report, SW_GAP, &rule_ended, "the job's part %s at %s", sw_instant_compare(snapshot->at, *end) >= 0 ? "ended" : "will end before the restore is done,", until);
        sw_sentences_add(&snapshot->report->obligations, "look for another snapshot; without one, plan a new start with a backfill");
        return true;
    }
    return false;
}

/* The source parts. True if they decided against; *end is lowered to the first that ends. */
static bool decide_parts(struct snapshot_case *snapshot, const struct sw_job_snapshot *job, struct sw_instant *end)
{
    char until[SW_INSTANT_TEXT_MAX], created[SW_INSTANT_TEXT_MAX], from[SW_INSTANT_TEXT_MAX];
    bool source_first = false, decided = false;
    for (size_t i = 0; i < job->part_count && !decided; i++) {
        const struct sw_source_part *part = &job->parts[i];
        struct sw_cloud_time expires = end_of(snapshot, part);
        const char *name = sw_cloud_short_name(part->name[0] ? part->name : part->topic);
        if (i < 16)
            sw_sentences_add(&snapshot->report->evidence, "source part %.100s (topic %.100s) ends at %s", name, sw_cloud_short_name(part->topic), show(until, expires));
        if (expires.status != SW_CLOUD_KNOWN) {
            sw_continuity_decide(snapshot->report, SW_CANNOT_TELL, &rule_unknown, "the expireTime of source part %.100s is %s", name, show(until, expires));
            decided = true;
            continue;
        }
        if (sw_instant_compare(snapshot->deadline, expires.value) < 0) {
            if (sw_instant_compare(expires.value, *end) < 0) {
                *end = expires.value;
                source_first = true;
            }
            continue;
        }
        struct sw_instant start;
        const struct sw_subscription *used;
        bool known = replay_start(&start, &used, snapshot, part->topic);
        sw_instant_print(created, job->created.value);
        if (known && sw_instant_compare(start, job->created.value) <= 0) {
            sw_sentences_add(&snapshot->report->reasons, "source part %.100s ended at %s, but its topic's messages are retained from before the snapshot's creation", name, show(until, expires));
            say_seek_to_time(snapshot, used, job->created.value);
        } else {
            *end = sw_instant_compare(expires.value, *end) < 0 ? expires.value : *end;
            sw_continuity_decide(snapshot->report, SW_CANNOT_TELL, &rule_source_ended, "source part %.100s %s at %s: the state can be restored, and what of its input comes again is not known", name,
                sw_instant_compare(snapshot->at, expires.value) >= 0 ? "ended" : "will end before the restore is done,", show(until, expires));
            if (known)
                sw_sentences_add(&snapshot->report->reasons, "a seek to a time reaches back to %s only, and the snapshot was created at %s", sw_instant_print(from, start), created);
            else
                sw_sentences_add(&snapshot->report->obligations, "give the subscription and the topic too (gcloud pubsub subscriptions describe, topics describe): if messages are retained back to the creation, a seek to that time closes the gap");
            decided = true;
        }
    }
    if (source_first && !decided)
        sw_sentences_add(&snapshot->report->evidence, "a source part ends before the job's part: from %s on the state would be restored without its input", sw_instant_print(until, *end));
    return decided;
}

/* A snapshot of the job alone. */
static void decide_without_parts(struct snapshot_case *snapshot, const struct sw_job_snapshot *job)
{
    struct sw_instant start;
    const struct sw_subscription *used;
    char created[SW_INSTANT_TEXT_MAX], from[SW_INSTANT_TEXT_MAX];
    bool known = replay_start(&start, &used, snapshot, NULL);
    sw_instant_print(created, job->created.value);
    if (snapshot->documents->subscription_count > 1) {
        sw_continuity_decide(snapshot->report, SW_CANNOT_TELL, &rule_no_source, "it has no source parts, and several subscriptions were given: judge one at a time");
    } else if (!used) {
        sw_continuity_decide(snapshot->report, SW_CANNOT_TELL, &rule_no_source, "it has no source parts: either the job reads no Pub/Sub, or what was acknowledged after %s does not come again", created);
        sw_sentences_add(&snapshot->report->obligations, "if the job reads Pub/Sub, give its subscription too (gcloud pubsub subscriptions describe NAME --format=json)");
    } else if (known && sw_instant_compare(start, job->created.value) <= 0) {
        sw_continuity_decide(snapshot->report, SW_CONTINUOUS, &rule_sought, "it has no source parts, but messages are retained from before its creation at %s", created);
        say_seek_to_time(snapshot, used, job->created.value);
        say_restore(snapshot);
    } else if (!known && used->retains_acked) {
        sw_continuity_decide(snapshot->report, SW_CANNOT_TELL, &rule_unknown, "it has no source parts, and for how long the subscription retains messages is not known");
    } else {
        if (known)
            sw_continuity_decide(snapshot->report, SW_GAP, &rule_sought, "it has no source parts, and messages are retained from %s on only", sw_instant_print(from, start));
        else
            sw_continuity_decide(snapshot->report, SW_GAP, &rule_no_source, "it has no source parts, and the subscription does not retain acknowledged messages");
        sw_continuity_add_interval(snapshot->report, sw_bytes_text("publish time"), sw_bytes_text(created), sw_bytes_text(known ? from : ""), !known);
        sw_sentences_add(&snapshot->report->obligations, "record the interval as an obligation with an owner: what was published in it and acknowledged must come from the source again (its log, a backfill) and be reconciled");
        sw_sentences_add(&snapshot->report->obligations, "do not restore the state over it without that plan: state and input would not match, and nothing would show it");
    }
}

static void decide_region(struct snapshot_case *snapshot, const struct sw_job_snapshot *job)
{
    const char *wanted = snapshot->options->region;
    if (!wanted)
        sw_sentences_add(&snapshot->report->limits, "the region of the new job was not declared (--region)");
    else if (!job->region[0])
        sw_sentences_add(&snapshot->report->conditions, "the snapshot is in region %.60s: it does not say", wanted);
    else if (strcmp(wanted, job->region) != 0)
        sw_sentences_add(&snapshot->report->conditions, "a job in %.60s can use a snapshot of %.60s: the documents do not say so", wanted, job->region);
}

static void judge_job(struct snapshot_case *snapshot, const struct sw_job_snapshot *job)
{
    struct sw_continuity_report *report = snapshot->report;
    char created[SW_INSTANT_TEXT_MAX], until[SW_INSTANT_TEXT_MAX], left[SW_INSTANT_TEXT_MAX];
    struct sw_instant end = {0};
    sw_continuity_add_fact(report, "snapshot", job->id[0] ? job->id : NULL);
    sw_continuity_add_fact(report, "state", job->state[0] ? job->state : NULL);
    sw_continuity_add_fact(report, "region", job->region[0] ? job->region : NULL);
    sw_continuity_add_fact(report, "created", job->created.status == SW_CLOUD_KNOWN ? show(created, job->created) : NULL);
    say_limits(snapshot, true);
    if (decide_state(snapshot, job) || decide_life(snapshot, job, &end))
        return;
    sw_sentences_add(&report->evidence, "the job's part is %s old and ends at %s", sw_instant_distance(left, job->created.value, snapshot->at), sw_instant_print(until, end));
    if (!job->part_count) {
        decide_without_parts(snapshot, job);
    } else if (!decide_parts(snapshot, job, &end)) {
        const struct sw_subscription *used;
        struct sw_instant ignored;
        (void)replay_start(&ignored, &used, snapshot, job->parts[0].topic);
        sw_continuity_decide(report, SW_CONTINUOUS, &rule_restorable, "it is READY, and the first of its parts ends in %s, at %s", sw_instant_distance(left, snapshot->at, end), sw_instant_print(until, end));
        say_restore(snapshot);
        say_seek(snapshot, used);
    }
    sw_continuity_add_fact(report, "usableUntil", sw_instant_print(until, end));
    decide_region(snapshot, job);
}

/* ---- a Pub/Sub snapshot alone ---- */

static void judge_source(struct snapshot_case *snapshot, const struct sw_source_part *source)
{
    static const struct sw_instant week = {7 * 86400, 0};
    struct sw_continuity_report *report = snapshot->report;
    char until[SW_INSTANT_TEXT_MAX], left[SW_INSTANT_TEXT_MAX];
    const struct sw_subscription *subscription = snapshot->documents->subscription_count == 1 ? &snapshot->documents->subscriptions[0] : NULL;
    sw_continuity_add_fact(report, "snapshot", source->name[0] ? source->name : NULL);
    sw_continuity_add_fact(report, "topic", source->topic[0] ? source->topic : NULL);
    sw_continuity_add_fact(report, "usableUntil", source->expires.status == SW_CLOUD_KNOWN ? show(until, source->expires) : NULL);
    say_limits(snapshot, false);
    sw_sentences_add(&report->limits, "the document names neither its creation time nor the subscription it was taken of: its filter and its backlog are not known");
    if (source->expires.status != SW_CLOUD_KNOWN) {
        sw_continuity_decide(report, SW_CANNOT_TELL, &rule_unknown, "its expireTime is %s", show(until, source->expires));
    } else if (subscription && source->topic[0] && !sw_cloud_same_name(subscription->topic, source->topic)) {
        sw_continuity_decide(report, SW_GAP, &rule_topic, "the snapshot is of topic %.100s, the subscription of topic %.100s: the seek is refused", sw_cloud_short_name(source->topic),
            sw_cloud_short_name(subscription->topic));
        sw_sentences_add(&report->obligations, "use a subscription of the snapshot's own topic");
    } else if (sw_instant_compare(snapshot->deadline, source->expires.value) >= 0) {
        sw_continuity_decide(report, SW_GAP, &rule_pubsub, "it %s at %s", sw_instant_compare(snapshot->at, source->expires.value) >= 0 ? "expired" : "will expire before the restore is done,",
            show(until, source->expires));
        sw_sentences_add(&report->obligations, "see how far back the subscription and its topic retain messages: a seek to a time may still reach the wanted point");
    } else if (strstr(source->topic, "_deleted-topic_")) {
        sw_continuity_decide(report, SW_CANNOT_TELL, &rule_topic, "its topic was deleted: there may be no subscription left to use it on");
    } else {
        char oldest[SW_INSTANT_TEXT_MAX];
        sw_continuity_decide(report, SW_CONTINUOUS, &rule_pubsub, "it expires in %s, at %s", sw_instant_distance(left, snapshot->at, source->expires.value), show(until, source->expires));
        sw_sentences_add(&report->evidence, "its oldest message was published at %s or later (the lifetime is seven days from the oldest unacknowledged message)",
            sw_instant_print(oldest, sw_instant_subtract(source->expires.value, week)));
        say_seek(snapshot, subscription);
        sw_sentences_add(&report->obligations, "expect duplicates: delivery is at least once, and everything after the snapshot is delivered again");
    }
}

/* ---- choosing ---- */

static enum sw_code read_times(struct snapshot_case *snapshot, struct sw_error *error)
{
    const struct sw_snapshot_options *options = snapshot->options;
    if (!options->at) {
        struct timespec now;
        if (clock_gettime(CLOCK_REALTIME, &now) != 0)
            return sw_fail(error, SW_ERR_IO, "the clock could not be read: give the time with --at");
        snapshot->at = (struct sw_instant){now.tv_sec, (uint32_t)now.tv_nsec};
    } else {
        switch (sw_instant_parse(&snapshot->at, sw_bytes_text(options->at))) {
        case SW_INSTANT_KNOWN: break;
        case SW_INSTANT_NO_ZONE: return sw_fail(error, SW_ERR_USAGE, "--at: '%.40s' has no zone: add Z or an offset, times without one compare with nothing", options->at);
        case SW_INSTANT_WRONG: return sw_fail(error, SW_ERR_USAGE, "--at: expected a time such as 2031-02-03T04:05:06Z, found '%.60s'", options->at);
        }
    }
    if (options->need_seconds > 366u * 86400)
        return sw_fail(error, SW_ERR_USAGE, "--need: at most a year of seconds");
    snapshot->deadline = sw_instant_add(snapshot->at, (struct sw_instant){(int64_t)options->need_seconds, 0});
    return SW_OK;
}

static enum sw_code judge(struct snapshot_case *snapshot, struct sw_error *error)
{
    const struct sw_cloud_documents *documents = snapshot->documents;
    const struct sw_job_snapshot *job = NULL;
    size_t matching = 0;
    for (size_t i = 0; i < documents->job_count; i++)
        if (!snapshot->options->id || strcmp(documents->jobs[i].id, snapshot->options->id) == 0) {
            job = &documents->jobs[i];
            matching++;
        }
    if (matching > 1)
        return sw_fail(error, SW_ERR_USAGE, "%zu Dataflow snapshots are given: name one with --id", matching);
    if (snapshot->options->id && !job)
        return sw_fail(error, SW_ERR_USAGE, "no Dataflow snapshot with the id '%.100s' is given", snapshot->options->id);
    if (!job && documents->source_count > 1)
        return sw_fail(error, SW_ERR_USAGE, "%zu Pub/Sub snapshots are given and no Dataflow snapshot that names them: judge one at a time", documents->source_count);
    if (!job && !documents->source_count)
        return sw_fail(error, SW_ERR_USAGE, "no snapshot is given: a subscription or topic alone cannot be judged");
    char at[SW_INSTANT_TEXT_MAX];
    snapshot->report->kind = job ? "dataflow" : "pubsub";
    sw_continuity_add_fact(snapshot->report, "at", sw_instant_print(at, snapshot->at));
    if (job)
        judge_job(snapshot, job);
    else
        judge_source(snapshot, &documents->sources[0]);
    if (snapshot->options->need_seconds)
        sw_sentences_add(&snapshot->report->assumed, "the restore takes %llu seconds", (unsigned long long)snapshot->options->need_seconds);
    else
        sw_sentences_add(&snapshot->report->limits, "how long the restore takes was not declared (--need): the parts must outlive it");
    return SW_OK;
}

enum sw_code sw_continuity_snapshot(struct sw_continuity_report **out, const struct sw_snapshot_options *given, struct sw_error *error)
{
    struct sw_snapshot_options complete = {0};
    const struct sw_snapshot_options *options = &complete;
    *out = NULL;
    enum sw_code code = sw_options_take(&complete, sizeof complete, given, "sw_snapshot_options", error);
    if (code < 0)
        return code;
    struct sw_cloud_documents documents = {0};
    struct snapshot_case snapshot = {.options = options, .documents = &documents, .report = sw_continuity_report_new("position snapshot", "dataflow")};
    code = snapshot.report ? read_times(&snapshot, error) : sw_fail_memory(error, "a report", sizeof *snapshot.report);
    if (code >= 0) {
        snapshot.report->yes = "restorable";
        snapshot.report->no = "not restorable";
        code = sw_cloud_documents_read(&documents, options->documents, options->document_count, error);
    }
    if (code >= 0)
        code = judge(&snapshot, error);
    if (code >= 0) {
        sw_continuity_settle(snapshot.report);
        if (sw_continuity_failed(snapshot.report))
            code = sw_fail_memory(error, "a report", 0);
    }
    sw_cloud_documents_free(&documents);
    if (code < 0) {
        sw_continuity_report_free(&snapshot.report);
        return code;
    }
    *out = snapshot.report;
    return SW_OK;
}

/* Kafka: what is left in each partition, what the group committed, and how long records and tombstones are kept.
 * Sources: Apache Kafka documentation, "Topic Configs", "Consumer Configs", "Design: Log Compaction". */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/memory.h"
#include "client/kafka.h"
#include "continuity/instant.h"
#include "continuity/probe.h"
#include "position/kafka.h"

/* For so many partitions the next record is looked at. */
#define PEEKED_MAX 64
#define DELETE_RETENTION_DEFAULT_MS ((int64_t)86400000)

struct peek {
    bool asked, found;
    int64_t offset, timestamp_ms;
};

struct facts {
    struct sw_probe *probe;
    struct sw_kafka_client *client;
    const char *topic;
    struct sw_kafka_partition *partitions;
    struct peek *peeks;
    int64_t *saved;  /* by partition; -1: not saved */
    size_t count;
    bool group_read;
};

/* "topic:0:5,topic:1:7@cluster=c" of what `value` says of each partition. */
static enum sw_code offsets_text(struct sw_buffer *out, struct facts *facts, int64_t (*value)(const struct facts *facts, size_t index))
{
    const char *cluster = sw_kafka_cluster(facts->client);
    for (size_t i = 0; i < facts->count; i++) {
        int64_t offset = value(facts, i);
        if (offset >= 0)
            sw_buffer_printf(out, "%s%s:%d:%lld", out->len ? "," : "", facts->topic, facts->partitions[i].partition, (long long)offset);
    }
    if (cluster && out->len)
        sw_buffer_printf(out, "@cluster=%s", cluster);
    return sw_buffer_text(out) ? SW_OK : sw_fail_memory(facts->probe->error, "a position", out->len);
}

static int64_t first_of(const struct facts *facts, size_t index) { return facts->partitions[index].known ? facts->partitions[index].first : -1; }
static int64_t last_of(const struct facts *facts, size_t index) { return facts->partitions[index].known ? facts->partitions[index].last : -1; }
static int64_t committed_of(const struct facts *facts, size_t index) { return facts->partitions[index].committed; }

/* ---- questions ---- */

static enum sw_code ask_settings(struct facts *facts)
{
    static const char *const kept[] = {"cleanup.policy", "retention.ms", "retention.bytes", "delete.retention.ms", "min.compaction.lag.ms", "max.compaction.lag.ms", "segment.ms", "segment.bytes", "min.insync.replicas",
        "unclean.leader.election.enable", "message.timestamp.type", "local.retention.ms", "remote.storage.enable"};
    struct sw_error fault = {0};
    struct sw_rows rows = {0};
    enum sw_code code = sw_kafka_topic_settings(&rows, facts->client, facts->topic, &fault);
    if (code < 0) { /* not every user may, and not every broker knows the question */
        sw_sentences_add(&facts->probe->limits, "the topic's configuration could not be read (it needs DescribeConfigs on the topic): %.300s", fault.text);
        sw_rows_free(&rows);
        return SW_OK;
    }
    for (size_t k = 0; k < sizeof kept / sizeof *kept; k++)
        for (size_t row = 0; row < rows.table.row_count; row++)
            if (sw_bytes_is(rows.table.cells[row * 2], kept[k]))
                sw_probed_setting(facts->probe->probed, rows.table.cells[row * 2], rows.table.cells[row * 2 + 1]);
    sw_rows_free(&rows);
    return SW_OK;
}

/* What is saved for each partition, from the options or the group. */
static enum sw_code read_saved(struct facts *facts)
{
    struct sw_position *position = NULL;
    enum sw_code code = sw_position_parse(&position, "kafka", facts->probe->gap.saved, strlen(facts->probe->gap.saved), facts->probe->error);
    size_t count = 0;
    const struct sw_kafka_offset *offsets = code >= 0 ? sw_kafka_offsets_of(&count, position) : NULL;
    for (size_t k = 0; code >= 0 && k < count; k++)
        if (!sw_bytes_is(offsets[k].topic, facts->topic))
            code = sw_fail(facts->probe->error, SW_ERR_USAGE, "--saved: expected offsets of topic %.200s as %.200s:PARTITION:OFFSET, found %s; ask for each topic by itself", facts->topic, facts->topic,
                offsets[k].topic.len ? "another topic" : "an offset without a topic");
    for (size_t i = 0; code >= 0 && i < facts->count; i++) {
        facts->saved[i] = -1;
        for (size_t k = 0; k < count; k++)
            if (sw_bytes_is(offsets[k].topic, facts->topic) && (int64_t)offsets[k].partition == facts->partitions[i].partition && offsets[k].offset <= INT64_MAX)
                facts->saved[i] = (int64_t)offsets[k].offset;
    }
    sw_position_free(&position);
    return code;
}

/* The next record that a resumed consumer would get, where it still is. */
static void peek(struct facts *facts)
{
    struct sw_error fault = {0};
    struct sw_kafka_record record;
    size_t asked = 0;
    for (size_t i = 0; i < facts->count && asked < PEEKED_MAX; i++) {
        const struct sw_kafka_partition *partition = &facts->partitions[i];
        if (!partition->known || facts->saved[i] < 0 || facts->saved[i] >= partition->last)
            continue;
        asked++;
        enum sw_code code = sw_kafka_first_record(&record, facts->client, facts->topic, partition->partition, facts->saved[i] < partition->first ? partition->first : facts->saved[i], &fault);
        if (code < 0) {
            sw_sentences_add(&facts->probe->limits, "the next records could not be looked at (it needs Read on the topic): %.300s", fault.text);
            return;
        }
        facts->peeks[i] = (struct peek){true, code == SW_OK, record.offset, code == SW_OK ? record.timestamp_ms : -1};
    }
    if (asked == PEEKED_MAX)
        sw_sentences_add(&facts->probe->limits, "the next records of the first %d partitions alone were looked at", PEEKED_MAX);
}

static void note_partitions(struct facts *facts)
{
    struct sw_probed *probed = facts->probe->probed;
    for (size_t i = 0; i < facts->count; i++) {
        const struct sw_kafka_partition *partition = &facts->partitions[i];
        struct sw_probed_object *object = sw_probed_add(probed, "partition");
        const struct { const char *name; int64_t value; bool known; } members[] = {
            {"partition", partition->partition, true}, {"leader", partition->leader, partition->leader >= 0}, {"first", partition->first, partition->known}, {"end", partition->last, partition->known},
            {"committed", partition->committed, partition->committed >= 0}, {"next", facts->peeks[i].offset, facts->peeks[i].found},
        };
        for (size_t m = 0; m < sizeof members / sizeof *members; m++) {
            char text[32];
            snprintf(text, sizeof text, "%lld", (long long)members[m].value);
            if (members[m].known || m < 4 || (m == 4 && facts->group_read))
                sw_probed_member(probed, object, members[m].name, members[m].known ? sw_bytes_text(text) : (struct sw_bytes){0});
        }
        if (facts->peeks[i].found && facts->peeks[i].timestamp_ms >= 0) {
            char when[SW_INSTANT_TEXT_MAX];
            sw_probed_member(probed, object, "nextTimestamp", sw_bytes_text(sw_instant_print(when, (struct sw_instant){facts->peeks[i].timestamp_ms / 1000, 0})));
        }
    }
}

/* ---- what follows ---- */

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool cleans(const struct sw_probe *probe, const char *how)
{
    const char *policy = sw_probed_setting_of(probe->probed, "cleanup.policy");
    return policy && strstr(policy, how);
}

/* A delete among what is unread can be gone from a compacted topic, unless all of it is younger than tombstones live. */
static void weigh_compaction(struct facts *facts)
{
    struct sw_probe *probe = facts->probe;
    int64_t kept_ms;
    char age[SW_PROBE_TEXT_MAX], kept[SW_PROBE_TEXT_MAX];
    size_t doubtful = 0, behind = 0;
    if (!cleans(probe, "compact"))
        return;
    sw_sentences_add(&probe->limits, "the topic is compacted: older versions of a key are gone by design, so what is read is a state and never the whole history");
    if (!sw_probe_number(&kept_ms, probe, "delete.retention.ms"))
        kept_ms = DELETE_RETENTION_DEFAULT_MS;
    sw_probe_duration(kept, kept_ms);
    for (size_t i = 0; i < facts->count; i++) {
        const struct peek *next = &facts->peeks[i];
        if (facts->saved[i] < 0 || !facts->partitions[i].known || facts->saved[i] >= facts->partitions[i].last)
            continue;
        behind++;
        bool removed = next->found && next->offset > facts->saved[i], young = next->found && next->timestamp_ms >= 0 && now_ms() - next->timestamp_ms < kept_ms;
        if (!removed && young)
            continue;
        if (doubtful++)
            continue;
        if (removed)
            sw_sentences_add(&probe->evidence, "in partition %d the saved offset is %lld, and the next record that is left is at %lld", facts->partitions[i].partition, (long long)facts->saved[i], (long long)next->offset);
        else if (next->found && next->timestamp_ms >= 0)
            sw_sentences_add(&probe->evidence, "in partition %d the next record is %s old", facts->partitions[i].partition, sw_probe_duration(age, now_ms() - next->timestamp_ms));
        else
            sw_sentences_add(&probe->evidence, "in partition %d no record is left from the saved offset %lld to the end %lld", facts->partitions[i].partition, (long long)facts->saved[i], (long long)facts->partitions[i].last);
    }
    if (doubtful) {
        sw_sentences_add(&probe->conditions, "no delete was compacted away before it was read, in %zu of %zu partitions that are behind: tombstones live %s (delete.retention.ms), and what was unread is older or partly gone", doubtful, behind, kept);
        sw_sentences_add(&probe->obligations, "read the topic from its start into an isolated copy, and compare its keys with the destination: what is only in the destination was deleted unseen");
        sw_sentences_add(&probe->probed->hidden, "a consumer resumes at the saved offset without an error, and never learns of the deletes that were compacted away");
    } else if (behind) {
        sw_sentences_add(&probe->assumed, "timestamps of records are near the time they were appended: by them all that is unread is younger than tombstones live (%s)", kept);
    }
}

static void weigh_retention(struct facts *facts)
{
    struct sw_probe *probe = facts->probe;
    struct sw_sentences *risks = &probe->probed->risks;
    int64_t kept_ms, kept_bytes, oldest = INT64_MAX;
    char text[SW_PROBE_TEXT_MAX], age[SW_PROBE_TEXT_MAX];
    for (size_t i = 0; i < facts->count; i++)
        if (facts->peeks[i].found && facts->peeks[i].timestamp_ms >= 0 && facts->peeks[i].timestamp_ms < oldest)
            oldest = facts->peeks[i].timestamp_ms;
    bool deletes = cleans(probe, "delete");
    if (deletes && sw_probe_number(&kept_ms, probe, "retention.ms") && kept_ms >= 0) {
        if (oldest != INT64_MAX)
            sw_sentences_add(risks, "retention.ms is %s, and the oldest record that is wanted next is %s old: its segment goes once it is older", sw_probe_duration(text, kept_ms), sw_probe_duration(age, now_ms() - oldest));
        else
            sw_sentences_add(risks, "retention.ms is %s: what is not read by then is gone", sw_probe_duration(text, kept_ms));
    }
    if (deletes && sw_probe_number(&kept_bytes, probe, "retention.bytes") && kept_bytes >= 0)
        sw_sentences_add(risks, "retention.bytes is %s a partition: older segments go beyond it, whatever their age", sw_probe_bytes(text, kept_bytes));
    const char *unclean = sw_probed_setting_of(probe->probed, "unclean.leader.election.enable"), *insync = sw_probed_setting_of(probe->probed, "min.insync.replicas");
    if (unclean && strcmp(unclean, "true") == 0)
        sw_sentences_add(risks, "unclean.leader.election.enable is true: after an election acknowledged records may be gone, and their offsets given to others");
    if (insync && strcmp(insync, "1") == 0)
        sw_sentences_add(risks, "min.insync.replicas is 1: the loss of one broker can lose acknowledged records");
    for (size_t i = 0; i < facts->count; i++)
        if (facts->partitions[i].leader < 0) {
            sw_sentences_add(risks, "partition %d has no leader: nothing of it can be read", facts->partitions[i].partition);
            break;
        }
}

static void conclude(struct sw_probe *probe, struct sw_gap_case *gap, void *ctx)
{
    struct facts *facts = ctx;
    struct sw_sentences *hidden = &probe->probed->hidden;
    if (gap->report->verdict == SW_GAP)
        sw_sentences_add(hidden, "a consumer connects and is given records: with auto.offset.reset earliest or latest (the default) it jumps over what is gone without an error; only none stops it");
    else if (gap->report->rule && strcmp(gap->report->rule->name, "kafka.beyond") == 0)
        sw_sentences_add(hidden, "a consumer connects to the topic of that name, whatever became of the old one, and auto.offset.reset decides where it reads");
    for (size_t i = 0; i < facts->count; i++)
        if (facts->saved[i] < 0) {
            sw_sentences_add(hidden, "nothing is saved for partition %d: auto.offset.reset decides where a consumer begins there, and latest skips what it holds", facts->partitions[i].partition);
            break;
        }
    weigh_compaction(facts);
    weigh_retention(facts);
    sw_sentences_add(&probe->limits, "topic ids are not read: that a topic was deleted and made again under its name shows only where offsets do not fit");
}

/* ---- the call ---- */

static enum sw_code questions(struct facts *facts)
{
    struct sw_probe *probe = facts->probe;
    struct sw_buffer first = {0}, last = {0}, committed = {0}, server = {0};
    const char *cluster = sw_kafka_cluster(facts->client);
    sw_buffer_printf(&server, "Kafka cluster %.60s", cluster ? cluster : "(it tells no id)");
    probe->probed->server = sw_strndup(server.at ? (const char *)server.at : "", server.len);
    probe->failed |= !probe->probed->server || server.failed;
    sw_buffer_free(&server);
    enum sw_code code = sw_kafka_partitions(&facts->partitions, &facts->count, facts->client, facts->topic, probe->error);
    facts->peeks = sw_calloc(facts->count + 1, sizeof *facts->peeks);
    facts->saved = sw_calloc(facts->count + 1, sizeof *facts->saved);
    if (code >= 0 && (!facts->peeks || !facts->saved))
        code = sw_fail_memory(probe->error, "a list of partitions", facts->count * sizeof *facts->peeks);
    if (code >= 0 && probe->options->group) {
        code = sw_kafka_committed(facts->partitions, facts->count, facts->client, probe->options->group, facts->topic, probe->error);
        facts->group_read = code >= 0;
    }
    if (code >= 0)
        code = ask_settings(facts);
    if (code >= 0)
        code = offsets_text(&first, facts, first_of);
    if (code >= 0)
        code = offsets_text(&last, facts, last_of);
    if (code >= 0 && !probe->options->saved) {
        code = offsets_text(&committed, facts, committed_of);
        if (code >= 0 && !committed.len)
            code = sw_fail(probe->error, SW_ERR_USAGE, "%.300s: group %.200s has committed nothing for this topic: check its name, or give --saved", probe->locator.shown, probe->options->group);
        probe->gap.saved = (const char *)committed.at;
        probe->same_source_because = "the offsets were committed in this cluster, which drops them when a topic is deleted";
        sw_sentences_add(&probe->evidence, "the saved offsets are those that group %.200s committed", probe->options->group);
    }
    if (code >= 0) {
        probe->gap.first = first.len ? (const char *)first.at : NULL;
        probe->gap.last = last.len ? (const char *)last.at : NULL;
        code = read_saved(facts);
    }
    if (code >= 0) {
        peek(facts);
        note_partitions(facts);
        code = sw_probe_judge(probe, conclude, facts);
    }
    sw_buffer_free(&first);
    sw_buffer_free(&last);
    sw_buffer_free(&committed);
    return code;
}

enum sw_code sw_probe_kafka(struct sw_probe *probe)
{
    const struct sw_kafka_options options = {.timeout_ms = (uint32_t)probe->options->timeout_seconds * 1000};
    struct facts facts = {.probe = probe, .topic = probe->locator.topic};
    if (!facts.topic)
        return sw_fail(probe->error, SW_ERR_USAGE, "%.300s names no topic: expected kafka://BROKER:PORT/TOPIC", probe->locator.shown);
    enum sw_code code = sw_kafka_open(&facts.client, &probe->locator, &options, probe->error);
    if (code >= 0)
        code = questions(&facts);
    sw_free(facts.partitions);
    sw_free(facts.peeks);
    sw_free(facts.saved);
    sw_kafka_close(&facts.client);
    return code;
}

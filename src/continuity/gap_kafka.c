/* Kafka: committed offsets against log start and end, partition by partition.
 * Source: Apache Kafka documentation, "Design", consumer and topic configuration. */
#include <stdio.h>

#include "continuity/gap.h"
#include "position/kafka.h"

static const struct sw_continuity_rule rule_within = {
    "kafka.within",
    "the next offset to read lies between the log start and the end of its partition",
    "Apache Kafka documentation, \"Consumer Configs\", \"Design\"",
};
static const struct sw_continuity_rule rule_deleted = {
    "kafka.deleted",
    "records below the log start existed and were removed",
    "Apache Kafka documentation, \"Topic Configs\" (retention)",
};
static const struct sw_continuity_rule rule_beyond = {
    "kafka.beyond",
    "an offset beyond the end means that the topic was made again or truncated",
    "Apache Kafka documentation, \"Design: Replication\"",
};
static const struct sw_continuity_rule rule_unknown = {
    "kafka.unknown",
    "a partition without a committed offset, or without a known log start, can be judged by nothing",
    "Apache Kafka documentation, \"Consumer Configs\" (auto.offset.reset)",
};

static const struct sw_kafka_offset *in_partition(const struct sw_position *position, const struct sw_kafka_offset *like)
{
    size_t count = 0;
    const struct sw_kafka_offset *offsets = position ? sw_kafka_offsets_of(&count, position) : NULL;
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = sw_bytes_compare(offsets[middle].topic, like->topic);
        if (order < 0 || (order == 0 && offsets[middle].partition < like->partition))
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < count && sw_bytes_equal(offsets[low].topic, like->topic) && offsets[low].partition == like->partition;
    return found ? &offsets[low] : NULL;
}

static const char *name(char out[SW_QUOTE_MAX + 16], const struct sw_kafka_offset *offset)
{
    if (offset->topic.len)
        snprintf(out, SW_QUOTE_MAX + 16, "%.*s:%u", offset->topic.len > 64 ? 64 : (int)offset->topic.len, (const char *)offset->topic.at, offset->partition);
    else
        snprintf(out, SW_QUOTE_MAX + 16, "the partition");
    return out;
}

struct finding {
    size_t gaps, unknown, beyond, within;
};

static void weigh_partition(struct finding *found, struct sw_gap_case *gap, const struct sw_kafka_offset *saved)
{
    const struct sw_kafka_offset *first = in_partition(gap->first, saved), *last = in_partition(gap->last, saved);
    char text[SW_QUOTE_MAX + 16], from[32], to[32];
    name(text, saved);
    if (last && saved->offset > last->offset) {
        if (!found->beyond++)
            sw_sentences_add(&gap->report->reasons, "in %s the saved offset %llu lies beyond the end, %llu", text, (unsigned long long)saved->offset, (unsigned long long)last->offset);
    } else if (!first) {
        if (!found->unknown++)
            sw_sentences_add(&gap->report->reasons, "the log start of %s is not known", text);
    } else if (saved->offset < first->offset) {
        if (!found->gaps++)
            sw_sentences_add(&gap->report->reasons, "in %s the log starts at %llu, and %llu is wanted next", text, (unsigned long long)first->offset, (unsigned long long)saved->offset);
        snprintf(from, sizeof from, "%llu", (unsigned long long)saved->offset);
        snprintf(to, sizeof to, "%llu", (unsigned long long)first->offset);
        sw_continuity_add_interval(gap->report, sw_bytes_text(saved->topic.len ? text : ""), sw_bytes_text(from), sw_bytes_text(to), false);
    } else {
        found->within++;
        if (!last && found->within == 1)
            sw_sentences_add(&gap->report->conditions, "the saved offset of %s is not beyond the end of its partition%s", text, sw_gap_says(gap, ": give the end offsets with --last", ""));
    }
}

static void always(struct sw_gap_case *gap)
{
    struct sw_sentences *limits = &gap->report->limits;
    sw_sentences_add(limits, "offsets are not dense by right (compaction, control records, aborted transactions): a missing offset alone is no loss");
    sw_sentences_add(limits, "on a compacted topic older versions of a key are gone by design, and a consumer slower than delete.retention.ms can miss a delete");
    sw_sentences_add(limits, "a consumer that runs proves nothing: auto.offset.reset jumps over a gap without an error unless it is none");
}

static enum sw_code decide(struct sw_gap_case *gap)
{
    struct sw_continuity_report *report = gap->report;
    struct finding found = {0};
    size_t count, first_count = 0;
    if ((gap->last && !sw_gap_same_space(gap, gap->saved, gap->last)) || (gap->first && !sw_gap_same_space(gap, gap->saved, gap->first))) {
        sw_sentences_add(&report->obligations, "a topic of the same name with another id is another topic: nothing that was saved holds there; read it from its start and reconcile");
        return SW_OK;
    }
    const struct sw_kafka_offset *saved = sw_kafka_offsets_of(&count, gap->saved);
    for (size_t i = 0; i < count; i++)
        weigh_partition(&found, gap, &saved[i]);
    const struct sw_kafka_offset *first = gap->first ? sw_kafka_offsets_of(&first_count, gap->first) : NULL;
    char text[SW_QUOTE_MAX + 16];
    for (size_t i = 0; i < first_count; i++)
        if (!in_partition(gap->saved, &first[i]) && !found.unknown++)
            sw_sentences_add(&report->reasons, "nothing is saved for %s: auto.offset.reset decides where it starts, and latest skips without a word", name(text, &first[i]));
    always(gap);
    if (found.gaps) {
        sw_continuity_decide(report, SW_GAP, &rule_deleted, "records were removed before they were read, in %zu of %zu partitions", found.gaps, count);
        sw_gap_follow(gap,
            "before anything is skipped, look for the removed records elsewhere: a mirrored cluster, tiered storage, the source database's own log (judge its position with this command, too)",
            "if they are gone, start at the log start of each partition, with auto.offset.reset=none so that nothing jumps by itself",
            "retention: raise retention.ms and retention.bytes of the topics until the recovery is done");
        if (found.beyond || found.unknown)
            sw_sentences_add(&report->limits, "for %zu other partitions nothing can be told", found.beyond + found.unknown);
    } else if (found.beyond || found.unknown || !count) {
        sw_continuity_decide(report, SW_CANNOT_TELL, found.beyond ? &rule_beyond : &rule_unknown, "for %zu of %zu partitions nothing can be told", found.beyond + found.unknown,
            found.beyond + found.unknown + found.within);
        sw_sentences_add(&report->obligations, "get start and end offsets of every partition (kafka-get-offsets), and the topic's id; never let auto.offset.reset decide");
    } else {
        sw_continuity_decide(report, SW_CONTINUOUS, &rule_within, "in all %zu partitions the next offset to read is still there", count);
        sw_sentences_add(&report->obligations, "resume at the saved offsets, with auto.offset.reset=none");
    }
    return SW_OK;
}

const struct sw_gap_judge sw_gap_kafka = {&sw_kind_kafka, NULL, decide};

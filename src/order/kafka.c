/* Kafka by offset in a partition.
 * Source: Apache Kafka documentation, "Design". */
#include "order/order_slots.h"
#include "position/scan.h"

#define TOPIC_MAX 249

enum { OFFSET, PARTITION, TOPIC, CLUSTER };

static bool is_topic(struct sw_bytes text)
{
    for (size_t i = 0; i < text.len; i++) {
        uint8_t byte = sw_lower(text.at[i]);
        if (!(byte >= 'a' && byte <= 'z') && !sw_is_digit(byte) && byte != '.' && byte != '_' && byte != '-')
            return false;
    }
    return text.len && text.len <= TOPIC_MAX;
}

static enum sw_order_status encode(struct sw_order_key *out, const struct sw_order_record *record)
{
    struct sw_order_writer writer;
    sw_order_begin(&writer, out, &sw_order_kafka, record);
    if (!sw_order_has(&writer, OFFSET))
        sw_order_no_position(&writer);
    sw_order_put_field(&writer, OFFSET);
    uint64_t partition;
    if (sw_order_has(&writer, TOPIC) && !is_topic(sw_order_text(&writer, TOPIC)))
        sw_order_refuse(&writer, TOPIC, "a topic's name, of at most 249 letters, digits, '.', '_' and '-'");
    if (sw_order_has(&writer, PARTITION) && !sw_scan_whole_u64(sw_order_text(&writer, PARTITION), &partition))
        sw_order_refuse(&writer, PARTITION, "a partition's number");
    sw_order_put_space_field(&writer, CLUSTER, true);
    sw_order_put_space_field(&writer, TOPIC, false);
    sw_order_put_space_field(&writer, PARTITION, false);
    return sw_order_finish(&writer);
}

static size_t encode_usual(uint8_t *to, struct sw_token *given)
{
    uint64_t offset;
    return sw_slot_plain_number(&offset, given[OFFSET]) ? (size_t)(sw_slot_put(to, offset) - to) : 0;
}

/* OFFSET, or TOPIC:PARTITION:OFFSET as kafka-get-offsets prints it. */
static bool core(struct sw_token *fields, struct sw_bytes text)
{
    size_t ends[2], count = 0;
    uint64_t number;
    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] == ':') {
            if (count == 2)
                return false;
            ends[count++] = i;
        }
    if (count == 1)
        return false;
    size_t from = count ? ends[1] + 1 : 0;
    fields[OFFSET] = sw_order_token(sw_bytes_of(text.at + from, text.len - from));
    if (!sw_scan_whole_u64(sw_bytes_of(text.at + from, text.len - from), &number))
        return false;
    if (count == 0)
        return true;
    fields[TOPIC] = sw_order_token(sw_bytes_of(text.at, ends[0]));
    fields[PARTITION] = sw_order_token(sw_bytes_of(text.at + ends[0] + 1, ends[1] - ends[0] - 1));
    return ends[0] && sw_scan_whole_u64(sw_bytes_of(text.at + ends[0] + 1, ends[1] - ends[0] - 1), &number);
}

static enum sw_order_status parse(struct sw_order_key *out, struct sw_bytes text)
{
    return sw_order_parse_fields(out, &sw_order_kafka, text, "the offset of a record, OFFSET or TOPIC:PARTITION:OFFSET", core);
}

static void print(struct sw_buffer *out, struct sw_bytes version, struct sw_bytes space)
{
    struct sw_slot offset = {0};
    (void)sw_slot_next(&offset, &version);
    if (sw_order_space_has(space, "topic") && sw_order_space_has(space, "partition")) {
        sw_order_print_space(out, space, "topic");
        sw_buffer_add_byte(out, ':');
        sw_order_print_space(out, space, "partition");
        sw_buffer_add_byte(out, ':');
    }
    sw_order_print_number(out, offset);
}

static enum sw_order_reach reach(struct sw_bytes position, struct sw_bytes version) { return sw_order_reach_slots(0, position, version); }

static const struct sw_order_field fields[] = {
    [OFFSET] = {"offset", "the record's offset, an integer", SW_ORDER_REQUIRED},
    [PARTITION] = {"partition", "the partition", SW_ORDER_SPACE},
    [TOPIC] = {"topic", "the topic", SW_ORDER_SPACE},
    [CLUSTER] = {"cluster", "the cluster", SW_ORDER_SPACE},
};

const struct sw_order sw_order_kafka = {
    .name = "kafka",
    .summary = "offset in a partition",
    .rule = "Records of one partition are ordered by their offset, an unsigned 64-bit number. A space is one cluster, topic and partition.",
    .tie = "one offset with different contents is a conflict: the topic was created anew, or two of them were mixed",
    .source = "Apache Kafka documentation, Design",
    .not_promised = "anything about the source: it is the order in which a producer wrote, and a producer that restarts writes again what it wrote before, older changes behind newer ones. An order between partitions. "
                    "That offsets are without holes",
    .position = "the offset of the last record that counts, TOPIC:PARTITION:OFFSET, several with commas; a consumer group's committed offset is the next one, so subtract 1",
    .fields = fields,
    .field_count = sizeof fields / sizeof *fields,
    .slots = true,
    .lists = true,
    .encode = encode,
    .encode_usual = encode_usual,
    .space_fields = 1u << PARTITION | 1u << TOPIC | 1u << CLUSTER,
    .parse = parse,
    .print = print,
    .reach = reach,
};

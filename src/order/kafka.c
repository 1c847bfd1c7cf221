/* Kafka by offset in a partition.
 * Source: Apache Kafka documentation, "Design". */
#include "order/order_slots.h"
#include "position/scan.h"

#define TOPIC_MAX 249

enum { OFFSET, ORDINAL, PARTITION, TOPIC, CLUSTER };

static bool is_topic(struct sw_bytes text)
{
    for (size_t i = 0; i < text.len; i++) {
        uint8_t byte = sw_lower(text.at[i]);
        if (!(byte >= 'a' && byte <= 'z') && !sw_is_digit(byte) && byte != '.' && byte != '_' && byte != '-')
            return false;
    }
    return text.len && text.len <= TOPIC_MAX;
}

/* The first change of its message, or the only one: as if it had no ordinal, so that messages of one change and of several, and tombstones, compare. */
static bool is_first(struct sw_order_writer *writer)
{
    uint64_t number;
    return !sw_order_has(writer, ORDINAL) || (sw_scan_whole_u64(sw_order_text(writer, ORDINAL), &number) && number == 0);
}

static enum sw_order_status encode(struct sw_order_key *out, const struct sw_order_record *record)
{
    struct sw_order_writer writer;
    sw_order_begin(&writer, out, &sw_order_kafka, record);
    if (!sw_order_has(&writer, OFFSET))
        sw_order_no_position(&writer);
    sw_order_put_field(&writer, OFFSET);
    if (!is_first(&writer))
        sw_order_put_field(&writer, ORDINAL);
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
    uint64_t offset, ordinal = 0;
    if (!sw_slot_plain_number(&offset, given[OFFSET]) || (given[ORDINAL].kind > SW_TOKEN_NULL && !sw_slot_plain_number(&ordinal, given[ORDINAL])))
        return 0;
    uint8_t *end = sw_slot_put(to, offset);
    if (ordinal)
        end = sw_slot_put(end, ordinal);
    return (size_t)(end - to);
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
    struct sw_slot offset = {0}, ordinal = {0};
    bool some = false;
    (void)(sw_slot_next(&offset, &version) && sw_slot_next(&ordinal, &version));
    if (sw_order_space_has(space, "topic") && sw_order_space_has(space, "partition")) {
        sw_order_print_space(out, space, "topic");
        sw_buffer_add_byte(out, ':');
        sw_order_print_space(out, space, "partition");
        sw_buffer_add_byte(out, ':');
    }
    sw_order_print_number(out, offset);
    if (ordinal.present) {
        sw_order_print_attribute(out, &some, "ordinal");
        sw_order_print_number(out, ordinal);
    }
}

/* An offset is reached with all changes of its message; the first one of a message has no ordinal. */
static enum sw_order_reach reach(struct sw_bytes position, struct sw_bytes version)
{
    struct sw_slot offsets[2] = {{0}, {0}}, ordinals[2] = {{0}, {0}};
    (void)(sw_slot_next(&offsets[0], &position) && sw_slot_next(&ordinals[0], &position));
    (void)(sw_slot_next(&offsets[1], &version) && sw_slot_next(&ordinals[1], &version));
    int way = sw_slot_compare(offsets[1], offsets[0]);
    if (way == 0 && ordinals[0].present)
        way = sw_slot_compare(ordinals[1], ordinals[0]);
    return way <= 0 ? SW_ORDER_WITHIN : SW_ORDER_BEYOND;
}

static const struct sw_order_field fields[] = {
    [OFFSET] = {"offset", "the record's offset, an integer", SW_ORDER_REQUIRED},
    [ORDINAL] = {"ordinal", "the place of the change in its message, an integer; 0, the first, is as none", SW_ORDER_OPTIONAL},
    [PARTITION] = {"partition", "the partition", SW_ORDER_SPACE},
    [TOPIC] = {"topic", "the topic", SW_ORDER_SPACE},
    [CLUSTER] = {"cluster", "the cluster", SW_ORDER_SPACE},
};

const struct sw_order sw_order_kafka = {
    .name = "kafka",
    .summary = "offset in a partition, place in the message",
    .rule = "Records of one partition are ordered by their offset, an unsigned 64-bit number; the changes that one message holds, by their place in it. A space is one cluster, topic and partition.",
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

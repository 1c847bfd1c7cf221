/* kcat: a dump of Kafka topics as `kcat -J` writes it: one envelope a line, the record itself as text in `payload`. Source: edenhill/kcat, README.md and json.c. */
#include <stdio.h>

#include "base/character.h"
#include "format/bind.h"
#include "format/envelope.h"
#include "text/json_value.h"
#include "text/json_walk.h"

static unsigned depth(const struct sw_mapping *mapping, enum sw_role role)
{
    unsigned levels = 2; /* the key's columns stand in SW_ENVELOPE.key, or one deeper in its payload */
    for (const struct sw_format *const *format = sw_formats(); *format; format++)
        if (*format != &sw_format_kcat && (*format)->recognise) {
            unsigned more = (*format)->depth(mapping, role);
            levels = more > levels ? more : levels;
        }
    unsigned plain = sw_format_plain.depth(mapping, role);
    return plain > levels ? plain : levels < 3 ? 3 : levels;
}

/* How a tool names the parts of a record. */
struct spelling {
    const char *topic, *partition, *offset, *key, *payload, *time, *headers;
    const char *topic_name;      /* where `topic` may be an object: the member that names it. NULL: it is a text */
    bool leaves_out;             /* a payload that is null is left out, and so is an empty key */
};

/* kcat -J first: it is told for sure. Sources of the others: redpanda-data/redpanda, rpk (topic consume -f json); tchiotludo/akhq, kafbat/kafka-ui and deviceinsight/kafkactl as they export records. */
static const struct spelling spellings[] = {
    {"topic", "partition", "offset", "key", "payload", "ts", "headers", NULL, false},
    {"topic", "partition", "offset", "key", "value", "timestamp", "headers", "name", true},
    {"topic", "partition", "offset", "key", "content", "timestamp", "headers", NULL, false},
    {"Topic", "Partition", "Offset", "Key", "Value", "Timestamp", "Headers", NULL, false},
};

/* NULL: the record is in no such envelope. */
static const struct spelling *spelling_of(const struct sw_example *example)
{
    struct sw_token topic = sw_bind_token(example, "topic");
    if (topic.kind == SW_TOKEN_TEXT && topic.len == 1 && *topic.at == '.' && sw_bind_token(example, "payload").kind != SW_TOKEN_ABSENT)
        return spellings; /* source/file/console.c: partition and offset are there where they were printed */
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        const struct spelling *s = &spellings[i];
        bool placed = sw_bind_token(example, s->partition).kind == SW_TOKEN_NUMBER && sw_bind_token(example, s->offset).kind == SW_TOKEN_NUMBER;
        bool known = sw_bind_token(example, s->payload).kind != SW_TOKEN_ABSENT || (s->leaves_out && sw_bind_token(example, s->topic).kind == SW_TOKEN_TEXT && sw_bind_token(example, s->time).kind == SW_TOKEN_NUMBER);
        bool topic_and_key = sw_bind_token(example, s->topic).kind == SW_TOKEN_TEXT && sw_bind_token(example, s->key).kind != SW_TOKEN_ABSENT; /* Kafka's REST proxy tells no time */
        if (placed && known && (i ? topic_and_key || sw_bind_token(example, s->time).kind != SW_TOKEN_ABSENT : sw_bind_token(example, s->topic).kind == SW_TOKEN_TEXT))
            return s;
    }
    return NULL;
}

static unsigned recognise(const struct sw_example *example)
{
    const struct spelling *spelling = spelling_of(example);
    return !spelling ? 0 : spelling == spellings ? 2 : 1;
}

/* Confluent's serializers put a zero byte and four of the schema's number before the JSON. */
static struct sw_token without_schema_id(struct sw_token token)
{
    size_t at = 0;
    if (token.kind != SW_TOKEN_TEXT || !token.escaped || !sw_bytes_begin_text(sw_bytes_of(token.at, token.len), "\\u0000"))
        return token;
    for (unsigned i = 0; i < 5 && at < token.len; i++)
        at += token.at[at] != '\\' ? 1 : at + 1 < token.len && token.at[at + 1] == 'u' ? 6 : 2;
    if (at >= token.len || token.at[at] != '{')
        return token;
    token.at += at;
    token.len -= (uint32_t)at;
    return token;
}

/* Is it what base64 makes of "{…"? */
static bool is_base64_of_object(struct sw_token token)
{
    for (size_t i = 0; i < token.len; i++) {
        uint8_t byte = sw_lower(token.at[i]);
        if (!(byte >= 'a' && byte <= 'z') && !sw_is_digit(byte) && byte != '+' && byte != '/' && byte != '=' && byte != '-' && byte != '_')
            return false;
    }
    return token.kind == SW_TOKEN_TEXT && token.len > 3 && token.at[0] == 'e' && (token.at[1] == 'y' || token.at[1] == 'w');
}

/* Appends the JSON that a text holds, on one line: white space between its tokens may break lines, a text may not. */
static bool add_inner(struct sw_buffer *out, struct sw_token token)
{
    size_t begin = out->len;
    if (token.kind != SW_TOKEN_TEXT) {
        sw_json_walk_write(out, token);
        return true;
    }
    if (token.escaped)
        sw_json_unescape_add(out, sw_bytes_of(token.at, token.len));
    else
        sw_buffer_add(out, token.at, token.len);
    bool inside = false;
    for (size_t i = begin; i < out->len; i++) {
        if (out->at[i] == '"')
            inside = !inside;
        else if (inside && out->at[i] == '\\')
            i++;
        else if (!inside && (out->at[i] == '\n' || out->at[i] == '\r'))
            out->at[i] = ' ';
    }
    while (out->len > begin && (out->at[out->len - 1] == ' ' || out->at[out->len - 1] == '\t'))
        out->len--;
    return out->len == begin || !memchr(out->at + begin, '\n', out->len - begin);
}

static uint8_t first_byte(const struct sw_buffer *out, size_t begin)
{
    while (begin < out->len && (out->at[begin] == ' ' || out->at[begin] == '\t'))
        begin++;
    return begin < out->len ? out->at[begin] : 0;
}

/* Does the text hold an object or a number, so that it can stand for itself? Other keys stay text. */
static bool key_is_json(struct sw_token key)
{
    size_t i = 0;
    while (i < key.len && (key.at[i] == ' ' || key.at[i] == '\t'))
        i++;
    if (key.kind != SW_TOKEN_TEXT)
        return true;
    if (i < key.len && key.at[i] == '{')
        return key.at[key.len - 1] == '}';
    return key.len && !key.escaped && sw_json_number_end(key.at, key.at + key.len) == key.at + key.len;
}

/* Of a row that changed its key, Debezium tells the old key in a header of the new key's record. kcat writes headers as one list of names and values, others as a list of pairs or as an object. */
static struct sw_token old_key_of(struct sw_token headers)
{
    static const char name[] = "__debezium.oldkey";
    struct sw_token header, value = {.kind = SW_TOKEN_ABSENT};
    if (headers.kind == SW_TOKEN_OBJECT)
        return sw_json_walk_find(headers, name);
    if (headers.kind != SW_TOKEN_ARRAY)
        return value;
    struct sw_json_walk walk = sw_json_walk_begin(headers);
    while (sw_json_walk_element(&header, &walk)) {
        bool pair = header.kind == SW_TOKEN_OBJECT;
        value = pair ? sw_json_walk_find(header, "value") : (struct sw_token){.kind = SW_TOKEN_ABSENT};
        if (pair)
            header = sw_json_walk_find(header, "key");
        else if (!sw_json_walk_element(&value, &walk))
            break;
        if (header.kind == SW_TOKEN_TEXT && sw_bytes_is(sw_bytes_of(header.at, header.len), name))
            return value;
    }
    return (struct sw_token){.kind = SW_TOKEN_ABSENT};
}

static void add_old_key(struct sw_buffer *out, struct sw_token headers)
{
    struct sw_token value = old_key_of(headers);
    if (value.kind != SW_TOKEN_TEXT || !key_is_json(value))
        return;
    size_t before = out->len;
    sw_buffer_add_text(out, ",\"oldkey\":");
    if (!add_inner(out, value) || first_byte(out, before + 10) != '{')
        out->len = before; /* another converter's text, "Struct{id=7}" say */
}

static void add_envelope(struct sw_buffer *out, const struct sw_example *example, const struct spelling *spelling)
{
    static const char *const names[] = {"partition", "offset", "ts"};
    const char *const places[] = {spelling->partition, spelling->offset, spelling->time};
    struct sw_token key = without_schema_id(sw_bind_token(example, spelling->key)), topic = sw_bind_token(example, spelling->topic);
    if (topic.kind == SW_TOKEN_OBJECT && spelling->topic_name)
        topic = sw_json_walk_find(topic, spelling->topic_name);
    sw_buffer_add_text(out, "\"" SW_ENVELOPE "\":{\"topic\":");
    if (topic.kind == SW_TOKEN_ABSENT)
        sw_buffer_add_text(out, "null");
    else
        sw_json_walk_write(out, topic);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct sw_token value = sw_bind_token(example, places[i]);
        if (value.kind == SW_TOKEN_ABSENT)
            continue;
        sw_buffer_printf(out, ",\"%s\":", names[i]);
        sw_json_walk_write(out, value);
    }
    if (key.kind != SW_TOKEN_ABSENT && key.kind != SW_TOKEN_NULL) {
        sw_buffer_add_text(out, ",\"key\":");
        if (key_is_json(key))
            (void)add_inner(out, key);
        else
            sw_json_walk_write(out, key);
    }
    add_old_key(out, sw_bind_token(example, spelling->headers));
    sw_buffer_add_byte(out, '}');
}

static bool expand(struct sw_buffer *out, const struct sw_example *example, char problem[256])
{
    const struct spelling *spelling = spelling_of(example);
    if (!spelling)
        return snprintf(problem, 256, "no record as kcat -J prints it: it has no member '%s'",
                        sw_bind_token(example, "topic").kind == SW_TOKEN_ABSENT ? "topic" : sw_bind_token(example, "payload").kind == SW_TOKEN_ABSENT ? "payload" : "offset"), false;
    struct sw_token payload = without_schema_id(sw_bind_token(example, spelling->payload));
    if (payload.kind == SW_TOKEN_ABSENT && sw_bind_token(example, "value_size").kind != SW_TOKEN_ABSENT)
        return snprintf(problem, 256, "the record was dumped without its value (rpk's --meta-only): what it says is not there"), false;
    if (payload.kind == SW_TOKEN_NULL || payload.kind == SW_TOKEN_ABSENT) {
        sw_buffer_add_byte(out, '{');
    } else {
        if (!add_inner(out, payload) || first_byte(out, 0) != '{' || out->at[out->len - 1] != '}')
            return is_base64_of_object(payload)
                       ? snprintf(problem, 256, "the payload is base64: decode keys and payloads (jq -c '(.%s, .%s) |= (if . then @base64d else . end)') and read that", spelling->key, spelling->payload)
                       : snprintf(problem, 256, "the payload is no JSON object (Avro and Protobuf bytes are not read: let kcat decode them with -s value=avro)"), false;
        out->len--;
        while (out->len && (out->at[out->len - 1] == ' ' || out->at[out->len - 1] == '\t'))
            out->len--;
        if (out->len && out->at[out->len - 1] != '{')
            sw_buffer_add_byte(out, ',');
    }
    add_envelope(out, example, spelling);
    sw_buffer_add_text(out, "}\n");
    return true;
}

/* What the payload is, told by its members; a payload of no known format is read as plain records are. */
static const struct sw_format *inner(const struct sw_example *example)
{
    uint32_t first = example->template->nodes[0].object ? example->template->nodes[0].first_child : SW_JSON_NO_NODE;
    if (first == SW_JSON_NO_NODE || (sw_bytes_is(sw_json_node_name(example->template, first), SW_ENVELOPE) && example->template->nodes[first].next == SW_JSON_NO_NODE))
        return &sw_format_kcat; /* no payload */
    for (unsigned level = 2; level; level--)
        for (const struct sw_format *const *format = sw_formats(); *format; format++)
            if (*format != &sw_format_kcat && (*format)->recognise && (*format)->recognise(example) == level)
                return *format;
    return &sw_format_plain;
}

static void select_topic(struct sw_selectors *out, const struct sw_bind_context *context, const struct sw_json_template *template)
{
    (void)context;
    out->nodes[out->count++] = sw_bind_node(template, 0, SW_ENVELOPE ".topic");
    out->nodes[out->count++] = sw_bind_node(template, 0, SW_ENVELOPE ".key.database"); /* of Maxwell's keys */
    out->nodes[out->count++] = sw_bind_node(template, 0, SW_ENVELOPE ".key.table");
}

/* A topic of a table is named PREFIX.SCHEMA.TABLE by Debezium: its table is what comes after the first part. */
static struct sw_bytes table_of_topic(struct sw_bytes topic)
{
    const uint8_t *first = topic.len ? memchr(topic.at, '.', topic.len) : NULL;
    size_t rest = first ? topic.len - (size_t)(first + 1 - topic.at) : 0;
    return first && memchr(first + 1, '.', rest) ? sw_bytes_of(first + 1, rest) : topic;
}

/* Maxwell's keys name the table and have the columns as "pk.COLUMN". Source: zendesk/maxwell, docs/docs/producers.md (kafka_key_format=hash). */
static bool is_key_of_maxwell(const struct sw_json_template *template, uint32_t key)
{
    return sw_bind_is_object(template, key) && sw_bind_child(template, key, SW_BYTES_LITERAL("database")) != SW_JSON_NO_NODE && sw_bind_child(template, key, SW_BYTES_LITERAL("table")) != SW_JSON_NO_NODE;
}

static void bind_key_of_maxwell(struct sw_bound_image *image, const struct sw_binder *binder, uint32_t key)
{
    const struct sw_json_template *template = binder->template;
    for (uint32_t child = template->nodes[key].first_child; child != SW_JSON_NO_NODE; child = template->nodes[child].next) {
        struct sw_bytes name = sw_json_node_name(template, child);
        if (name.len < 3 || memcmp(name.at, "pk.", 3) != 0)
            continue;
        uint32_t column = sw_bind_key_index(binder, sw_bind_renamed(binder, sw_bytes_of(name.at + 3, name.len - 3)));
        if (column != UINT32_MAX)
            image->key[column] = child;
    }
}

static enum sw_code bind_key(struct sw_bound_image *image, const struct sw_binder *binder)
{
    const struct sw_json_template *template = binder->template;
    uint32_t key = sw_bind_node(template, 0, SW_ENVELOPE ".key"), payload = sw_bind_node(template, 0, SW_ENVELOPE ".key.payload");
    enum sw_code code = SW_OK;
    sw_bind_image_begin(image);
    if (payload != SW_JSON_NO_NODE && sw_bind_node(template, 0, SW_ENVELOPE ".key.schema") != SW_JSON_NO_NODE)
        key = payload;
    if (is_key_of_maxwell(template, key))
        bind_key_of_maxwell(image, binder, key);
    else if (sw_bind_is_object(template, key))
        code = sw_bind_members(image, binder, key);
    else if (binder->context->mapping->key_count == 1)
        image->key[0] = key;
    if (code == SW_OK)
        code = sw_bind_image_end(image, binder);
    image->present = false; /* a key is no row */
    return code;
}

/* A null payload: the tombstone of its key. It has Kafka's position only. */
static enum sw_code bind(struct sw_binding *out, const struct sw_bind_context *context, const struct sw_example *example, struct sw_error *error)
{
    const struct sw_json_template *template = example->template;
    const struct sw_binder binder = {context, template, out, error};
    struct sw_buffer topic = {0};
    sw_bind_begin(out);
    if (sw_bind_node(template, 0, SW_ENVELOPE ".key") == SW_JSON_NO_NODE) {
        out->not_row_change = "record without key and payload";
        return SW_OK;
    }
    bool placed = context->order && (context->order->arrival || strcmp(context->order->name, "kafka") == 0);
    if (!placed) {
        out->not_row_change = "tombstone without a declared position";
        return SW_OK;
    }
    bool by_key = is_key_of_maxwell(template, sw_bind_node(template, 0, SW_ENVELOPE ".key")) && sw_bind_text(&topic, example, sw_bind_node(template, 0, SW_ENVELOPE ".key.database"));
    if (by_key) /* one topic holds the rows of all tables, unless kafka_topic says otherwise */
        sw_buffer_add_byte(&topic, '.');
    (void)sw_bind_text(&topic, example, sw_bind_node(template, 0, by_key ? SW_ENVELOPE ".key.table" : SW_ENVELOPE ".topic"));
    struct sw_bytes name = sw_buffer_view(&topic);
    bool unnamed = sw_bytes_is(name, "."), qualified = !unnamed && name.len && memchr(name.at, '.', name.len); /* source/file/console.c: the topic is not told, and is one */
    if (!qualified && !unnamed && context->mapping->table && !sw_bytes_is(name, context->mapping->table)) {
        out->not_row_change = "tombstone of a topic named like no table";
        sw_buffer_free(&topic);
        return SW_OK;
    }
    enum sw_code code = topic.failed ? sw_fail_memory(error, "a topic", topic.len)
                        : unnamed || (!qualified && context->one_table) ? sw_bind_no_table(&binder)
                                                           : sw_bind_table(&binder, by_key ? name : table_of_topic(name));
    sw_buffer_free(&topic);
    if (code < 0 || out->other_table)
        return code;
    out->operation_known = true;
    out->operation = SW_OPERATION_DELETE;
    sw_bind_order(&binder, NULL);
    return bind_key(&out->before, &binder);
}

static const struct sw_order_candidate candidates[] = {{"", "kafka"}, {NULL, NULL}};

const struct sw_format sw_format_kcat = {
    .name = "kcat",
    .summary = "a dump of Kafka topics by kcat -J, rpk, kafkactl, AKHQ, Kafka UI: envelopes with partition, offset, key and payload",
    .explain = "Records as kcat -J prints them (topic, partition, offset, key, payload, ts, headers), or as JSON of rpk topic consume, AKHQ, Conduktor (value, timestamp), Kafka UI (content) and kafkactl (Partition, Offset, Key, Value); "
               "rpk leaves out a null value. The payload is read as what it holds: Debezium, Maxwell, Canal … told by its members, else as plain records are. Order kafka takes partition and offset of the envelope; the payload's own positions serve "
               "the orders of its format. A null payload is the tombstone of its key: under order kafka (or file) it deletes the key, under any other order it has no position and is counted, not applied. "
               "The tombstone's table is the topic, without its first part where it has three (PREFIX.SCHEMA.TABLE); tombstones of topics that are named like no table are counted. A payload that is no JSON object is a bad record. Source: edenhill/kcat, README.md, json.c; "
               "Debezium documentation on topic names and tombstones.",
    .order_places = sw_bind_envelope_places,
    .orders = candidates,
    .types = true,
    .depth = depth,
    .recognise = recognise,
    .select = select_topic,
    .expand = expand,
    .inner = inner,
    .bind = bind,
};

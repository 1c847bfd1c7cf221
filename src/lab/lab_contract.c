#include "lab/lab_contract.h"

#include "base/error.h"

#define IDENTIFIER_MAX 48
#define NUMBER_MAX 1000000000

struct reader {
    const struct lab_document *document;
    struct sw_error *error;
};

/* Finds texts among at most SW_LAB_ENTRIES_MAX. A slot holds a position plus 1, so that 0 is empty. */
#define SLOTS 2048
struct index {
    uint16_t slots[SLOTS];
};
_Static_assert(SLOTS > SW_LAB_ENTRIES_MAX, "an index always has an empty slot");

/* The slot of `text`, whose candidates are texts[0 … ], or the empty slot where it belongs. `stride` is the distance between
 * two candidates in bytes, since keys stand inside rows. */
static uint16_t *find_slot(struct index *index, struct sw_bytes text, const struct sw_bytes *texts, size_t stride)
{
    size_t slot = lab_hash(text) % SLOTS;
    for (; index->slots[slot]; slot = (slot + 1) % SLOTS) {
        const void *candidate = (const uint8_t *)texts + (size_t)(index->slots[slot] - 1) * stride;
        if (sw_bytes_equal(*(const struct sw_bytes *)candidate, text))
            break;
    }
    return &index->slots[slot];
}

static enum sw_code refuse(const struct reader *reader, const char *words)
{
    return sw_fail(reader->error, SW_ERR_INPUT, "%s", words);
}

/* Refuses unless `object` has exactly the `count` fields named. values[i] becomes the value of names[i]. Since no name stands
 * twice in an object, as many members as fields, each of them a field, are all fields. */
static enum sw_code read_fields(const struct lab_node **values, const struct reader *reader, const struct lab_node *object,
                                const char *const *names, uint32_t count)
{
    const struct lab_document *document = reader->document;
    if (object->kind != LAB_OBJECT || object->as.count != count)
        return refuse(reader, "missing or unexpected fields");
    const struct lab_node *name = object + 1;
    for (uint32_t member = 0; member < count; member++) {
        struct sw_bytes text = lab_document_string(document, name);
        uint32_t field = 0;
        while (field < count && !sw_bytes_is(text, names[field]))
            field++;
        if (field == count)
            return refuse(reader, "missing or unexpected fields");
        values[field] = name + 1;
        name = document->nodes + values[field]->next;
    }
    return SW_OK;
}

static enum sw_code read_identifier(struct sw_bytes *out, const struct reader *reader, const struct lab_node *node)
{
    struct sw_bytes text = {0};
    if (node->kind == LAB_STRING)
        text = lab_document_string(reader->document, node);
    bool valid = text.len >= 1 && text.len <= IDENTIFIER_MAX;
    for (size_t i = 0; valid && i < text.len; i++) {
        uint8_t c = text.at[i];
        valid = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    }
    if (!valid)
        return refuse(reader, "invalid identifier");
    *out = text;
    return SW_OK;
}

static enum sw_code read_integer(int64_t *out, const struct reader *reader, const struct lab_node *node, int64_t low,
                                 int64_t high)
{
    if (node->kind != LAB_INTEGER || node->as.integer < low || node->as.integer > high)
        return refuse(reader, "integer outside contract");
    *out = node->as.integer;
    return SW_OK;
}

static enum sw_code read_key_and_version(struct lab_row *row, const struct reader *reader, const struct lab_node *key,
                                         const struct lab_node *version)
{
    enum sw_code code = read_identifier(&row->key, reader, key);
    return code < 0 ? code : read_integer(&row->version, reader, version, 0, NUMBER_MAX);
}

static enum sw_code read_content(struct lab_row *row, const struct reader *reader, bool deleted,
                                 const struct lab_node *value)
{
    row->deleted = deleted;
    row->value = 0;
    if (!deleted)
        return read_integer(&row->value, reader, value, -NUMBER_MAX, NUMBER_MAX);
    return value->kind == LAB_NULL ? SW_OK : refuse(reader, "tombstone value must be null");
}

static enum sw_code read_row(struct lab_row *row, const struct reader *reader, const struct lab_node *object)
{
    enum { KEY, VERSION, DELETED, VALUE, FIELDS };
    static const char *const names[FIELDS] = {"key", "version", "deleted", "value"};
    const struct lab_node *values[FIELDS];
    enum sw_code code = read_fields(values, reader, object, names, FIELDS);
    if (code < 0)
        return code;
    code = read_key_and_version(row, reader, values[KEY], values[VERSION]);
    if (code < 0)
        return code;
    if (values[DELETED]->kind != LAB_TRUE && values[DELETED]->kind != LAB_FALSE)
        return refuse(reader, "deleted must be boolean");
    return read_content(row, reader, values[DELETED]->kind == LAB_TRUE, values[VALUE]);
}

static bool is_list(const struct lab_node *node) { return node->kind == LAB_ARRAY && node->as.count <= SW_LAB_ENTRIES_MAX; }

static enum sw_code read_rows(struct lab_row *rows, uint32_t *count, const struct reader *reader,
                              const struct lab_node *list)
{
    if (!is_list(list))
        return refuse(reader, "at most 1000 rows");
    struct index keys = {0};
    const struct lab_node *object = list + 1;
    for (uint32_t i = 0; i < list->as.count; i++, object = reader->document->nodes + object->next) {
        enum sw_code code = read_row(&rows[i], reader, object);
        if (code < 0)
            return code;
        uint16_t *slot = find_slot(&keys, rows[i].key, &rows[0].key, sizeof rows[0]);
        if (*slot)
            return refuse(reader, "duplicate row key");
        *slot = (uint16_t)(i + 1);
    }
    *count = list->as.count;
    return SW_OK;
}

static enum sw_code read_event(struct sw_bytes *id, struct lab_row *row, const struct reader *reader,
                               const struct lab_node *object)
{
    enum { ID, KEY, VERSION, OP, VALUE, FIELDS };
    static const char *const names[FIELDS] = {"id", "key", "version", "op", "value"};
    const struct lab_node *values[FIELDS];
    enum sw_code code = read_fields(values, reader, object, names, FIELDS);
    if (code < 0)
        return code;
    code = read_identifier(id, reader, values[ID]);
    if (code < 0)
        return code;
    struct sw_bytes op = {0};
    if (values[OP]->kind == LAB_STRING)
        op = lab_document_string(reader->document, values[OP]);
    bool deleted = sw_bytes_is(op, "delete");
    if (!deleted && !sw_bytes_is(op, "upsert"))
        return refuse(reader, "unknown operation");
    code = read_key_and_version(row, reader, values[KEY], values[VERSION]);
    return code < 0 ? code : read_content(row, reader, deleted, values[VALUE]);
}

static bool rows_equal(const struct lab_row *a, const struct lab_row *b)
{
    return sw_bytes_equal(a->key, b->key) && a->version == b->version && a->deleted == b->deleted && a->value == b->value;
}

static enum sw_code read_events(struct lab_input *input, const struct reader *reader, const struct lab_node *list)
{
    if (!is_list(list))
        return refuse(reader, "at most 1000 events");
    struct index ids = {0};
    const struct lab_node *object = list + 1;
    for (uint32_t i = 0; i < list->as.count; i++, object = reader->document->nodes + object->next) {
        struct sw_bytes id;
        struct lab_row row;
        enum sw_code code = read_event(&id, &row, reader, object);
        if (code < 0)
            return code;
        uint16_t *slot = find_slot(&ids, id, input->ids, sizeof input->ids[0]);
        if (!*slot) {
            input->ids[input->event_count] = id;
            input->events[input->event_count] = row;
            *slot = (uint16_t)++input->event_count;
        } else if (rows_equal(&input->events[*slot - 1], &row)) {
            input->duplicate_deliveries++;
        } else {
            return refuse(reader, "event identity reused with different content");
        }
    }
    return SW_OK;
}

enum sw_code lab_input_read(struct lab_input *input, const struct lab_document *document, struct sw_error *error)
{
    enum { BASELINE, EVENTS, EXPECTED, FIELDS };
    static const char *const names[FIELDS] = {"baseline", "events", "expected"};
    const struct lab_node *values[FIELDS];
    const struct reader reader = {document, error};
    input->baseline_count = input->expected_count = input->event_count = input->duplicate_deliveries = 0;
    enum sw_code code = read_fields(values, &reader, &document->nodes[0], names, FIELDS);
    if (code < 0)
        return code;
    code = read_rows(input->baseline, &input->baseline_count, &reader, values[BASELINE]);
    if (code < 0)
        return code;
    code = read_rows(input->expected, &input->expected_count, &reader, values[EXPECTED]);
    return code < 0 ? code : read_events(input, &reader, values[EVENTS]);
}

#include "fold/finding_record.h"

#include "base/memory.h"
#include "model/varint.h"

void sw_finding_sort_key(struct sw_buffer *out, const struct sw_schema *schema, uint32_t table, struct sw_bytes key)
{
    sw_buffer_add_bytes(out, sw_schema_table_at(schema, table)->name);
    sw_buffer_add_byte(out, 0);
    sw_buffer_add_bytes(out, key);
}

static void put(struct sw_buffer *out, uint64_t number)
{
    if (sw_buffer_reserve(out, SW_VARINT_MAX))
        out->len = (size_t)(sw_varint_put(out->at + out->len, number) - out->at);
}

static void put_bytes(struct sw_buffer *out, struct sw_bytes bytes)
{
    put(out, bytes.len);
    sw_buffer_add_bytes(out, bytes);
}

static void put_image(struct sw_buffer *out, const struct sw_draft_image *image)
{
    put(out, image->present | (uint64_t)image->deleted << 1 | (uint64_t)image->has_version << 2);
    if (!image->present)
        return;
    put(out, image->space);
    put_bytes(out, image->version);
    put(out, image->set);
    put_bytes(out, image->values);
}

static void put_columns(struct sw_buffer *out, const uint32_t *columns, uint32_t count)
{
    put(out, count);
    for (uint32_t i = 0; i < count; i++)
        put(out, columns[i]);
}

void sw_finding_record_write(struct sw_buffer *out, const struct sw_draft *draft)
{
    put(out, draft->table);
    put_bytes(out, draft->key);
    put(out, draft->reason);
    put(out, draft->cause);
    put_image(out, &draft->state);
    put_image(out, &draft->expected);
    put_image(out, &draft->other);
    put(out, draft->has_cause_version);
    if (draft->has_cause_version) {
        put(out, draft->cause_space);
        put_bytes(out, draft->cause_version);
    }
    put_columns(out, draft->differing, draft->differing_count);
    put_columns(out, draft->unknown, draft->unknown_count);
    put_columns(out, draft->incomparable, draft->incomparable_count);
    put_bytes(out, draft->identity);
    put(out, draft->more_places);
    put(out, draft->place_count);
    for (uint32_t i = 0; i < draft->place_count; i++) {
        put(out, draft->places[i]->input);
        put(out, draft->places[i]->block);
        put(out, draft->places[i]->line);
    }
}

static struct sw_bytes get_bytes(const uint8_t **at)
{
    struct sw_bytes bytes = {.len = sw_varint_get(at)};
    bytes.at = *at;
    *at += bytes.len;
    return bytes;
}

static struct sw_image get_image(const uint8_t **at, const struct sw_fold_rules *rules)
{
    uint64_t flags = sw_varint_get(at);
    struct sw_image image = {.present = flags & 1, .deleted = flags >> 1 & 1, .has_version = flags >> 2 & 1};
    if (!image.present)
        return image;
    uint32_t space = (uint32_t)sw_varint_get(at);
    image.version = get_bytes(at);
    if (image.has_version)
        image.space = sw_spaces_text(rules->spaces, space);
    uint32_t set = (uint32_t)sw_varint_get(at);
    image.values = get_bytes(at);
    if (!image.deleted)
        image.set = sw_schema_set_at(rules->schema, set);
    return image;
}

/* Appends a list of columns to the room; false if memory ran out. */
static bool get_columns(struct sw_finding_room *room, size_t *used, uint32_t *count, const uint8_t **at, const struct sw_schema *schema)
{
    *count = (uint32_t)sw_varint_get(at);
    if (*used + *count > room->column_capacity) {
        size_t capacity = (*used + *count) * 2;
        const struct sw_column **grown = sw_realloc_array(room->columns, capacity, sizeof *grown);
        if (!grown)
            return false;
        room->columns = grown;
        room->column_capacity = capacity;
    }
    for (uint32_t i = 0; i < *count; i++)
        room->columns[(*used)++] = sw_schema_column_at(schema, (uint32_t)sw_varint_get(at));
    return true;
}

void sw_finding_room_free(struct sw_finding_room *room)
{
    sw_free(room->columns);
    sw_buffer_free(&room->identity);
    *room = (struct sw_finding_room){0};
}

/* An identity of one part prints as its value, one of several parts as an array. */
static void print_identity(struct sw_buffer *out, struct sw_bytes identity)
{
    static const struct sw_type any = {.kind = SW_TYPE_ANY, .precision = -1};
    struct sw_buffer part = {0}, list = {0};
    size_t parts = 0;
    while (identity.len) {
        part.len = 0;
        enum sw_value_status status = sw_key_column_read(&part, &any, &identity);
        if (status != SW_VALUE_OK && status != SW_VALUE_NULL)
            break;
        if (parts++)
            sw_buffer_add_byte(&list, ',');
        if (status == SW_VALUE_NULL)
            sw_buffer_add_text(&list, "null");
        else
            sw_value_write_json(&list, &any, sw_buffer_view(&part));
    }
    out->len = 0;
    if (parts > 1)
        sw_buffer_add_byte(out, '[');
    sw_buffer_add_bytes(out, sw_buffer_view(&list));
    if (parts > 1)
        sw_buffer_add_byte(out, ']');
    out->failed |= part.failed || list.failed;
    sw_buffer_free(&part);
    sw_buffer_free(&list);
}

bool sw_finding_record_read(struct sw_finding *out, struct sw_bytes content, const struct sw_fold_rules *rules, struct sw_finding_room *room, sw_place_fn place,
                            const void *place_ctx)
{
    const uint8_t *at = content.at;
    *out = (struct sw_finding){.table = sw_schema_table_at(rules->schema, (uint32_t)sw_varint_get(&at))};
    out->key = get_bytes(&at);
    out->reason = (enum sw_reason)sw_varint_get(&at);
    out->cause = (enum sw_cause)sw_varint_get(&at);
    out->state = get_image(&at, rules);
    out->expected = get_image(&at, rules);
    out->other = get_image(&at, rules);
    if (sw_varint_get(&at)) {
        out->cause_space = sw_spaces_text(rules->spaces, (uint32_t)sw_varint_get(&at));
        out->cause_version = get_bytes(&at);
    }
    size_t used = 0;
    if (!get_columns(room, &used, &out->differing_count, &at, rules->schema) || !get_columns(room, &used, &out->unknown_count, &at, rules->schema) ||
        !get_columns(room, &used, &out->incomparable_count, &at, rules->schema))
        return false;
    if (used) {
        out->differing = room->columns;
        out->unknown = room->columns + out->differing_count;
        out->incomparable = room->columns + out->differing_count + out->unknown_count;
    }
    struct sw_bytes identity = get_bytes(&at);
    if (identity.len) {
        print_identity(&room->identity, identity);
        out->identity = sw_buffer_view(&room->identity);
    }
    out->more_places = sw_varint_get(&at);
    out->place_count = (uint32_t)sw_varint_get(&at);
    for (uint32_t i = 0; i < out->place_count; i++) {
        uint32_t input = (uint32_t)sw_varint_get(&at);
        uint64_t block = sw_varint_get(&at), line = sw_varint_get(&at);
        room->places[i] = place(input, block, line, place_ctx);
    }
    out->places = room->places;
    return !room->identity.failed;
}

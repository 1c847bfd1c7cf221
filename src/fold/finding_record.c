#include "fold/finding_record.h"

#include "base/memory.h"
#include "model/varint.h"

void sw_finding_sort_key(struct sw_buffer *out, const struct sw_schema *schema, uint32_t table, struct sw_bytes key)
{
    sw_buffer_add_bytes(out, sw_schema_table_at(schema, table)->name);
    sw_buffer_add_byte(out, 0);
    sw_buffer_add_bytes(out, key);
}

static inline uint8_t *put_bytes(uint8_t *to, struct sw_bytes bytes)
{
    to = sw_varint_put(to, bytes.len);
    sw_bytes_copy(to, bytes);
    return to + bytes.len;
}

/* Numbers of an image, and those of a draft beside its images, columns and places. */
#define IMAGE_NUMBERS 5
#define DRAFT_NUMBERS 12

static size_t image_size_max(const struct sw_draft_image *image) { return IMAGE_NUMBERS * SW_VARINT_MAX + image->version.len + image->values.len; }

static uint8_t *put_image(uint8_t *to, const struct sw_draft_image *image)
{
    to = sw_varint_put(to, image->present | (uint64_t)image->deleted << 1 | (uint64_t)image->has_version << 2);
    if (!image->present)
        return to;
    to = sw_varint_put(to, image->space);
    to = put_bytes(to, image->version);
    to = sw_varint_put(to, image->set);
    return put_bytes(to, image->values);
}

static uint8_t *put_columns(uint8_t *to, const uint32_t *columns, uint32_t count)
{
    to = sw_varint_put(to, count);
    for (uint32_t i = 0; i < count; i++)
        to = sw_varint_put(to, columns[i]);
    return to;
}

void sw_finding_record_write(struct sw_buffer *out, const struct sw_draft *draft)
{
    size_t numbers = DRAFT_NUMBERS + 3 * (size_t)draft->place_count + draft->differing_count + draft->unknown_count + draft->incomparable_count;
    size_t size = numbers * SW_VARINT_MAX + draft->key.len + draft->cause_version.len + draft->identity.len + image_size_max(&draft->state) + image_size_max(&draft->expected) +
                  image_size_max(&draft->other);
    if (!sw_buffer_reserve(out, size))
        return;
    uint8_t *to = sw_varint_put(out->at + out->len, draft->table);
    to = put_bytes(to, draft->key);
    to = sw_varint_put(to, draft->reason);
    to = sw_varint_put(to, draft->cause);
    to = put_image(to, &draft->state);
    to = put_image(to, &draft->expected);
    to = put_image(to, &draft->other);
    to = sw_varint_put(to, draft->has_cause_version);
    if (draft->has_cause_version) {
        to = sw_varint_put(to, draft->cause_space);
        to = put_bytes(to, draft->cause_version);
    }
    to = put_columns(to, draft->differing, draft->differing_count);
    to = put_columns(to, draft->unknown, draft->unknown_count);
    to = put_columns(to, draft->incomparable, draft->incomparable_count);
    to = put_bytes(to, draft->identity);
    to = sw_varint_put(to, draft->more_places);
    to = sw_varint_put(to, draft->place_count);
    for (uint32_t i = 0; i < draft->place_count; i++) {
        to = sw_varint_put(to, draft->places[i]->input);
        to = sw_varint_put(to, draft->places[i]->block);
        to = sw_varint_put(to, draft->places[i]->line);
    }
    out->len = (size_t)(to - out->at);
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

void sw_finding_state_write(struct sw_buffer *content, uint32_t table, const struct sw_draft_image *state)
{
    if (!sw_buffer_reserve(content, SW_VARINT_MAX + image_size_max(state)))
        return;
    uint8_t *to = sw_varint_put(content->at + content->len, table);
    content->len = (size_t)(put_image(to, state) - content->at);
}

void sw_finding_state_read(struct sw_state_item *out, struct sw_bytes sort_key, struct sw_bytes content, const struct sw_fold_rules *rules)
{
    const uint8_t *at = content.at;
    out->table = sw_schema_table_at(rules->schema, (uint32_t)sw_varint_get(&at));
    size_t name = out->table->name.len + 1;
    out->key = sw_bytes_of(sort_key.at + name, sort_key.len - name);
    out->state = get_image(&at, rules);
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

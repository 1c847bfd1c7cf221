#include "format/encode.h"

#include <stdio.h>

#include "base/character.h"
#include "base/memory.h"
#include "model/value_any.h"
#include "text/json_value.h"

void sw_encoder_free(struct sw_encoder *encoder)
{
    sw_value_scratch_free(&encoder->scratch);
    sw_buffer_free(&encoder->key);
    sw_buffer_free(&encoder->values);
    sw_buffer_free(&encoder->identity);
    sw_buffer_free(&encoder->canonical);
    sw_buffer_free(&encoder->old_key);
    sw_buffer_free(&encoder->old_values);
    sw_buffer_free(&encoder->claimed);
    sw_buffer_free(&encoder->claimed_values);
    sw_buffer_free(&encoder->step);
    sw_buffer_free(&encoder->members);
    sw_invalid_values_free(&encoder->invalid);
    sw_buffer_free(&encoder->decode.text);
    sw_buffer_free(&encoder->decode.array);
    for (size_t i = 0; i < SW_USUAL_SPACES; i++)
        sw_buffer_free(&encoder->usual[i].texts);
    for (size_t i = 0; i < SW_ORDER_FIELD_COUNT_MAX; i++)
        sw_buffer_free(&encoder->spelled[i]);
}

struct sw_token sw_encode__token(const struct sw_json_template *template, const struct sw_token *tokens, const struct sw_record_place *place, uint32_t node)
{
    if (node == SW_JSON_NO_NODE)
        return (struct sw_token){.kind = SW_TOKEN_ABSENT};
    return template->nodes[node].object ? sw_json_node_token(template, tokens, place->record, node) : tokens[node];
}

enum sw_encode_status sw_encode__bad(struct sw_encoder *encoder, const char *reason, const char *what, struct sw_token found)
{
    encoder->bad_reason = reason;
    if (found.kind == SW_TOKEN_ABSENT)
        snprintf(encoder->bad_text, sizeof encoder->bad_text, "%s", what);
    else
        snprintf(encoder->bad_text, sizeof encoder->bad_text, "%s; found %.*s%s", what, (int)(found.len < 60 ? found.len : 60), (const char *)found.at, found.len > 60 ? "…" : "");
    return SW_ENCODE_BAD;
}

/* True, false, or neither (-1) and null (-2). */
static int truth(struct sw_token token)
{
    switch (token.kind) {
    case SW_TOKEN_ABSENT: return 0;
    case SW_TOKEN_TRUE: return 1;
    case SW_TOKEN_FALSE: return 0;
    case SW_TOKEN_NULL: return -2;
    case SW_TOKEN_TEXT:
    case SW_TOKEN_NUMBER: {
        static const struct { const char *text; int value; } words[] = {{"true", 1}, {"false", 0}, {"t", 1}, {"f", 0}, {"1", 1}, {"0", 0}};
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            size_t len = strlen(words[i].text), same = 0;
            while (same < len && same < token.len && (token.at[same] | 0x20) == (words[i].text[same] | 0x20))
                same++;
            if (same == len && token.len == len)
                return words[i].value;
        }
        return -1;
    }
    default: return -1;
    }
}

static bool is_text(struct sw_token token) { return token.kind == SW_TOKEN_TEXT; }

/* The text of a token: of a JSON string unescaped, else as written. Valid until the scratch is used again. */
struct sw_bytes sw_encode__text(struct sw_encoder *encoder, struct sw_token token)
{
    if (!is_text(token) || !token.escaped)
        return sw_bytes_of(token.at, token.len);
    encoder->canonical.len = 0;
    sw_json_unescape_add(&encoder->canonical, sw_bytes_of(token.at, token.len));
    return sw_buffer_view(&encoder->canonical);
}

/* sw_value_encode with a short way for what most values are: plain text and plain integers under `any`. */
static inline enum sw_value_status encode_value(struct sw_buffer *out, const struct sw_type *type, struct sw_token token, struct sw_value_scratch *scratch)
{
    if (type->kind == SW_TYPE_ANY) {
        if (token.kind == SW_TOKEN_TEXT && !token.escaped && sw_buffer_reserve(out, SW_ANY_TEXT_MAX(token.len))) {
            out->len += sw_any_text_encode(out->at + out->len, sw_bytes_of(token.at, token.len));
            return SW_VALUE_OK;
        }
        if (token.kind == SW_TOKEN_NUMBER && sw_buffer_reserve(out, SW_ANY_INTEGER_MAX)) {
            size_t len = sw_any_integer_encode(out->at + out->len, sw_bytes_of(token.at, token.len));
            out->len += len;
            if (len)
                return SW_VALUE_OK;
        }
        if (token.kind == SW_TOKEN_NULL)
            return SW_VALUE_NULL;
    }
    return sw_value_encode(out, type, token, scratch);
}

/* The names of the row's columns, wherever in the record it stands, as many as fit: the wrong name of a column is seen at once beside the right one. */
static void list_members(char *out, size_t size, const struct sw_json_template *template, const struct sw_bound_image *image)
{
    size_t used = 0;
    uint32_t row = image->column_count ? template->nodes[image->columns[0].node].parent : 0;
    out[0] = '\0';
    for (uint32_t child = template->nodes[row == SW_JSON_NO_NODE ? 0 : row].first_child; child != SW_JSON_NO_NODE; child = template->nodes[child].next) {
        struct sw_bytes name = sw_json_node_name(template, child);
        if (used + name.len + 8 > size) {
            snprintf(out + used, size - used, ", …");
            return;
        }
        used += (size_t)snprintf(out + used, size - used, "%s%.*s", used ? ", " : "", (int)name.len, (const char *)name.at);
    }
    if (used == 0)
        snprintf(out, size, "no members");
}

/* The member beside the bound columns that is spelled like a column but for the case of letters: "ID" for "id"; empty: there is none. */
static struct sw_bytes spelled_like(const struct sw_json_template *template, const struct sw_bound_image *image, struct sw_bytes column)
{
    uint32_t row = image->column_count ? template->nodes[image->columns[0].node].parent : 0;
    for (uint32_t child = template->nodes[row == SW_JSON_NO_NODE ? 0 : row].first_child; child != SW_JSON_NO_NODE; child = template->nodes[child].next) {
        struct sw_bytes name = sw_json_node_name(template, child);
        size_t same = 0;
        while (name.len == column.len && same < name.len && sw_lower(name.at[same]) == sw_lower(column.at[same]))
            same++;
        if (name.len && name.len == column.len && same == name.len)
            return name;
    }
    return (struct sw_bytes){0};
}

static bool is_space(uint8_t byte) { return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r'; }

/* Equal JSON but for white space between its tokens. */
static bool same_json(struct sw_bytes a, struct sw_bytes b)
{
    bool inside = false, escaped = false;
    for (size_t i = 0, j = 0;; i++, j++) {
        while (!inside && i < a.len && is_space(a.at[i]))
            i++;
        while (!inside && j < b.len && is_space(b.at[j]))
            j++;
        if (i == a.len || j == b.len)
            return i == a.len && j == b.len;
        if (a.at[i] != b.at[j])
            return false;
        inside ^= a.at[i] == '"' && !escaped;
        escaped = a.at[i] == '\\' && !escaped;
    }
}

/* Placeholders are given as raw JSON: a text with its quotes, an array, an object. */
static bool is_placeholder(struct sw_token token, const struct sw_placeholders *placeholders)
{
    bool text = is_text(token), nested = token.kind == SW_TOKEN_ARRAY || token.kind == SW_TOKEN_OBJECT;
    size_t len = (size_t)token.len + (text ? 2 : 0);
    if (!nested && !(placeholders->lengths >> (len < 63 ? len : 63) & 1))
        return false;
    for (uint32_t i = 0; i < placeholders->count; i++) {
        struct sw_bytes raw = placeholders->raw[i];
        if (text ? raw.len == len && raw.at[0] == '"' && memcmp(raw.at + 1, token.at, token.len) == 0
                 : nested && raw.at[0] == token.at[0] && same_json(raw, sw_bytes_of(token.at, token.len)))
            return true;
    }
    return false;
}

#define KEY_NAME_SHOWN 100u /* what it stands in has room for it */
#define RENAMED_NAME_MAX 30u /* likewise, for three of it */

/* "the key column id is absent (ID is there: --rename ID=id, if it is meant); the record has ID, v". */
static void say_absent_key(char *what, size_t size, struct sw_bytes key, enum sw_role role, const struct sw_json_template *template, const struct sw_bound_image *image)
{
    struct sw_bytes like = spelled_like(template, image, key);
    bool cut = key.len > KEY_NAME_SHOWN;
    int len = snprintf(what, size, "the key column %.*s%s is absent", (int)(cut ? KEY_NAME_SHOWN : key.len ? key.len : 3), key.len ? (const char *)key.at : "key", cut ? "…" : "");
    if (like.len && like.len <= RENAMED_NAME_MAX) /* the option renames columns of baseline and events to the reference's names */
        len += snprintf(what + len, size - (size_t)len, role == SW_ROLE_EXPECTED ? " (%.*s is there; if it is meant, a mapping says expected: {rename: {%.*s: %.*s}})" : " (%.*s is there: --rename %.*s=%.*s, if it is meant)",
                        (int)like.len, (const char *)like.at, (int)like.len, (const char *)like.at, (int)key.len, (const char *)key.at);
    len += snprintf(what + len, size - (size_t)len, "; the %s has ", image->column_count && template->nodes[image->columns[0].node].parent ? "row" : "record");
    list_members(what + len, size - (size_t)len, template, image);
}

enum sw_encode_status sw_encode__key(struct sw_encoder *encoder, struct sw_buffer *key, const struct sw_bound_image *image, const struct sw_binding *binding,
                                     const struct sw_json_template *template, const struct sw_token *tokens, const struct sw_record_place *place)
{
    size_t last = key->len = 0;
    for (uint32_t i = 0; i < binding->table->key_count; i++) {
        const struct sw_type *type = &binding->table->keys[i]->type;
        last = key->len;
        struct sw_token token = sw_encode__token(template, tokens, place, image->key[i]);
        if (token.kind == SW_TOKEN_ABSENT) {
            char what[256];
            say_absent_key(what, sizeof what, binding->table->keys[i]->name, encoder->context->role, template, image);
            size_t said = strlen("the key column ");
            const char *rest = binding->absent_key ? strstr(what + said, " is absent;") : NULL; /* not where a column like it is there */
            if (rest)
                snprintf(what + (rest - what), sizeof what - (size_t)(rest - what), " is absent: %s", binding->absent_key);
            return sw_encode__bad(encoder, "key", what, token);
        }
        if (image->key_placeholders && is_placeholder(token, image->key_placeholders)) {
            char what[256];
            struct sw_bytes name = binding->table->keys[i]->name;
            snprintf(what, sizeof what, "the key column %.*s has the placeholder of a value that the source did not send: which row it is, is not in the event",
                     (int)(name.len > KEY_NAME_SHOWN ? KEY_NAME_SHOWN : name.len), (const char *)name.at);
            return sw_encode__bad(encoder, "key", what, token);
        }
        enum sw_value_status status;
        if (image->key_decoders[i].decode && token.kind != SW_TOKEN_NULL) {
            const struct sw_bound_column column = {.scale = image->key_decoders[i].scale};
            if (!image->key_decoders[i].decode(&token, &encoder->decode, &column))
                return sw_encode__bad(encoder, "key", encoder->decode.problem, (struct sw_token){.kind = SW_TOKEN_ABSENT});
        }
        if (type->kind == SW_TYPE_ANY) { /* its canonical bytes are its key form */
            status = encode_value(key, type, token, &encoder->scratch);
            if (status == SW_VALUE_NULL)
                sw_key_column_add(key, type, true, (struct sw_bytes){0});
        } else {
            encoder->canonical.len = 0;
            status = sw_value_encode(&encoder->canonical, type, token, &encoder->scratch);
            if (status == SW_VALUE_OK || status == SW_VALUE_NULL)
                sw_key_column_add(key, type, status == SW_VALUE_NULL, sw_buffer_view(&encoder->canonical));
        }
        if (status == SW_VALUE_NO_MEMORY || key->failed)
            return SW_ENCODE_FAILED;
        if (status == SW_VALUE_INVALID)
            return sw_encode__bad(encoder, "key", encoder->scratch.problem, (struct sw_token){.kind = SW_TOKEN_ABSENT});
    }
    if (binding->table->key_count)
        sw_key_end(key, &binding->table->keys[binding->table->key_count - 1]->type, last);
    return SW_ENCODE_ROW;
}

static enum sw_encode_status encode_identity(struct sw_encoder *encoder, const struct sw_binding *binding, const struct sw_json_template *template,
                                             const struct sw_token *tokens, const struct sw_record_place *place)
{
    static const struct sw_type any = {.kind = SW_TYPE_ANY, .precision = -1};
    size_t last = encoder->identity.len = 0;
    bool some = false;
    for (size_t i = 0; i < binding->identity_count; i++) {
        struct sw_token token = sw_encode__token(template, tokens, place, binding->identity[i]);
        last = encoder->identity.len;
        enum sw_value_status status = token.kind == SW_TOKEN_ABSENT ? SW_VALUE_NULL : encode_value(&encoder->identity, &any, token, &encoder->scratch);
        if (status == SW_VALUE_NO_MEMORY)
            return SW_ENCODE_FAILED;
        if (status == SW_VALUE_INVALID)
            return sw_encode__bad(encoder, "identity", encoder->scratch.problem, (struct sw_token){.kind = SW_TOKEN_ABSENT});
        if (status == SW_VALUE_NULL)
            sw_key_column_add(&encoder->identity, &any, true, (struct sw_bytes){0});
        some |= status == SW_VALUE_OK;
    }
    if (!some)
        encoder->identity.len = 0;
    else
        sw_key_end(&encoder->identity, &any, last);
    return encoder->identity.failed ? SW_ENCODE_FAILED : SW_ENCODE_ROW;
}

/* The event of a key that does this at this position. */
static void identify_in_key(struct sw_encoder *encoder, struct sw_record *record, enum sw_operation operation, const struct sw_binding *binding,
                            const struct sw_token *tokens)
{
    if (!binding->identity_in_key || !(record->flags & SW_RECORD_VERSION))
        return;
    static const struct sw_type any = {.kind = SW_TYPE_ANY, .precision = -1};
    struct sw_bytes text = {0};
    if (binding->operation_node != SW_JSON_NO_NODE && is_text(tokens[binding->operation_node]))
        text = sw_bytes_of(tokens[binding->operation_node].at, tokens[binding->operation_node].len);
    else
        text = operation == SW_OPERATION_DELETE ? SW_BYTES_LITERAL("d") : operation == SW_OPERATION_TRUNCATE ? SW_BYTES_LITERAL("t") : SW_BYTES_LITERAL("u");
    encoder->identity.len = 0;
    if (!sw_buffer_reserve(&encoder->identity, 1 + SW_ANY_TEXT_MAX(text.len)))
        return; /* the buffer remembers it */
    encoder->identity.at[0] = SW_ANY_TRUE;
    encoder->identity.len = 1 + sw_any_text_encode(encoder->identity.at + 1, text);
    sw_key_end(&encoder->identity, &any, 1);
    record->identity = sw_buffer_view(&encoder->identity);
    record->flags |= SW_RECORD_IDENTITY;
}

static bool is_earlier(const struct sw_invalid_value *a, const struct sw_invalid_value *b)
{
    if (a->input != b->input)
        return a->input < b->input;
    return a->block != b->block ? a->block < b->block : a->line < b->line;
}

static struct sw_invalid_value *find_invalid(const struct sw_invalid_values *values, const struct sw_column *column)
{
    uint32_t place = column->id < values->place_count ? values->places[column->id] : 0;
    return place ? &values->at[place - 1] : NULL;
}

/* Room for one more, of this column. */
static bool make_room(struct sw_invalid_values *values, const struct sw_column *column)
{
    if (values->count == values->capacity) {
        uint32_t capacity = values->capacity ? values->capacity * 2 : 8;
        struct sw_invalid_value *grown = sw_realloc_array(values->at, capacity, sizeof *grown);
        if (!grown)
            return false;
        values->at = grown;
        values->capacity = capacity;
    }
    if (column->id >= values->place_count) {
        uint32_t count = column->id + 1 > values->place_count * 2 ? column->id + 1 : values->place_count * 2;
        uint32_t *grown = sw_realloc_array(values->places, count, sizeof *grown);
        if (!grown)
            return false;
        memset(grown + values->place_count, 0, (count - values->place_count) * sizeof *grown);
        values->places = grown;
        values->place_count = count;
    }
    return true;
}

bool sw_invalid_values_add(struct sw_invalid_values *values, const struct sw_invalid_value *seen)
{
    struct sw_invalid_value *known = find_invalid(values, seen->column);
    if (known) {
        if (is_earlier(seen, known))
            *known = *seen;
        return true;
    }
    if (!make_room(values, seen->column))
        return false;
    values->at[values->count++] = *seen;
    values->places[seen->column->id] = values->count;
    return true;
}

void sw_invalid_values_free(struct sw_invalid_values *values)
{
    sw_free(values->at);
    sw_free(values->places);
    *values = (struct sw_invalid_values){0};
}

static bool note_invalid(struct sw_encoder *encoder, const struct sw_bound_column *bound, const char *text, const struct sw_record_place *place)
{
    struct sw_invalid_value seen = {.column = bound->column, .input = place->input, .block = place->block, .line = place->line};
    const struct sw_invalid_value *known = find_invalid(&encoder->invalid, seen.column);
    if (known && !is_earlier(&seen, known)) /* a thread reads on in its blocks: nearly always */
        return true;
    snprintf(seen.text, sizeof seen.text, "%s", text);
    return sw_invalid_values_add(&encoder->invalid, &seen);
}

bool sw_encode__is_unavailable(const struct sw_encoder *encoder, const struct sw_bound_column *bound, struct sw_token token)
{
    const char *placeholder = encoder->context->mapping->placeholder;
    if (encoder->context->role == SW_ROLE_EXPECTED)
        return false;
    return (bound->placeholders && is_placeholder(token, bound->placeholders)) ||
           (placeholder && is_text(token) && token.len == strlen(placeholder) && memcmp(token.at, placeholder, token.len) == 0);
}

static enum sw_encode_status encode_values(struct sw_encoder *encoder, struct sw_record *record, struct sw_buffer *values, const struct sw_bound_image *image,
                                           const struct sw_json_template *template, const struct sw_token *tokens, const struct sw_record_place *place)
{
    values->len = 0;
    for (uint32_t i = 0; i < image->column_count; i++) {
        struct sw_token token = sw_encode__token(template, tokens, place, image->columns[i].node);
        const struct sw_bound_column *bound = &image->columns[i];
        if (sw_encode__is_unavailable(encoder, bound, token)) {
            sw_value_append(values, (struct sw_value){.state = SW_STATE_UNAVAILABLE});
            record->flags |= SW_RECORD_GAPS;
            continue;
        }
        /* most values are short: one byte of head is kept free and corrected where they are not */
        size_t head = values->len;
        sw_buffer_add_byte(values, 0);
        enum sw_value_status status;
        bool decoded = true;
        if (bound->decode && token.kind != SW_TOKEN_NULL && !bound->decode(&token, &encoder->decode, bound))
            status = SW_VALUE_INVALID, decoded = false;
        else
            status = encode_value(values, &bound->type, token, &encoder->scratch);
        if (values->failed || status == SW_VALUE_NO_MEMORY)
            return SW_ENCODE_FAILED;
        if (status == SW_VALUE_NULL) { /* the head of a null is 0 */
            if (image->nulls_unknown) {
                values->at[head] = SW_STATE_UNKNOWN;
                record->flags |= SW_RECORD_GAPS;
            }
            continue;
        }
        if (status == SW_VALUE_INVALID) {
            values->at[head] = SW_STATE_UNKNOWN;
            record->flags |= SW_RECORD_GAPS;
            encoder->invalid_values++;
            if (!encoder->claiming && !note_invalid(encoder, bound, decoded ? encoder->scratch.problem : "the value has not the form that its schema says", place))
                return SW_ENCODE_FAILED;
            continue;
        }
        size_t len = values->len - head - 1;
        if (len + 3 < 0x80) {
            values->at[head] = (uint8_t)(len + 3);
        } else {
            uint8_t number[SW_VARINT_MAX];
            size_t size = (size_t)(sw_varint_put(number, len + 3) - number);
            if (!sw_buffer_reserve(values, size))
                return SW_ENCODE_FAILED;
            memmove(values->at + head + size, values->at + head + 1, len);
            memcpy(values->at + head, number, size);
            values->len += size - 1;
        }
    }
    record->set = image->set->id;
    record->values = sw_buffer_view(values);
    return SW_ENCODE_ROW;
}

static bool writes(enum sw_operation operation) { return operation == SW_OPERATION_UPSERT || operation == SW_OPERATION_INSERT || operation == SW_OPERATION_UPDATE; }

/* What the operation says of the row before; the operation itself is a write or a delete from here on. */
static uint8_t claim_of(enum sw_operation *operation)
{
    switch (*operation) {
    case SW_OPERATION_INSERT: *operation = SW_OPERATION_UPSERT; return SW_CLAIM_ABSENT;
    case SW_OPERATION_UPDATE: *operation = SW_OPERATION_UPSERT; return SW_CLAIM_LIVE;
    case SW_OPERATION_REMOVE: *operation = SW_OPERATION_DELETE; return SW_CLAIM_LIVE;
    default: return 0;
    }
}

/* Names the operations that the format has for rows, but for an empty one. */
static enum sw_encode_status unknown_operation(struct sw_encoder *encoder, const struct sw_operation_spelling *known, struct sw_token found)
{
    char what[160] = "unknown operation: the format has ";
    size_t used = strlen(what), before = used;
    for (; known->text; known++)
        if (known->operation != SW_OPERATION_IGNORED && known->text[0] && used < sizeof what - 32)
            used += (size_t)snprintf(what + used, sizeof what - used, "%s%.24s", used == before ? "" : ", ", known->text);
    return sw_encode__bad(encoder, "operation", what, found);
}

/* What a record of any role does to its row. */
static enum sw_encode_status operation_of(struct sw_encoder *encoder, enum sw_operation *out, const struct sw_binding *binding,
                                          const struct sw_json_template *template, const struct sw_token *tokens, const struct sw_record_place *place)
{
    const struct sw_mapping *mapping = encoder->context->mapping;
    enum sw_role role = encoder->context->role;
    *out = binding->operation_known ? binding->operation : SW_OPERATION_UPSERT;
    encoder->claim = 0;
    if (binding->operations && binding->operation_node != SW_JSON_NO_NODE) {
        struct sw_token token = sw_encode__readable(encoder, 0, template, tokens, place, binding->operation_node);
        struct sw_bytes text = sw_encode__text(encoder, token);
        const struct sw_operation_spelling *spelling = binding->operations;
        bool spelt = is_text(token) || token.kind == SW_TOKEN_NUMBER;
        if (token.kind == SW_TOKEN_NULL) /* formats that spell an empty operation mean a null too */
            text = (struct sw_bytes){.at = (const uint8_t *)""};
        while (spelling->text && !((spelt || token.kind == SW_TOKEN_NULL) && sw_bytes_is(text, spelling->text)))
            spelling++;
        if (!spelling->text)
            return unknown_operation(encoder, binding->operations, token);
        *out = spelling->operation;
        if (*out == SW_OPERATION_IGNORED) {
            snprintf(encoder->kind, sizeof encoder->kind, "%s", spelling->kind);
            return SW_ENCODE_NOT_ROW_CHANGE;
        }
    } else if (!binding->operation_known && mapping->layout[role].operation.step_count) {
        struct sw_token token = sw_encode__readable(encoder, 0, template, tokens, place, binding->operation_node);
        if (token.kind == SW_TOKEN_ABSENT || token.kind == SW_TOKEN_NULL)
            return sw_encode__bad(encoder, "operation", "the record has no operation", (struct sw_token){.kind = SW_TOKEN_ABSENT});
        struct sw_bytes text = sw_encode__text(encoder, token);
        *out = sw_mapping_operation(mapping, role, text);
        if (*out == SW_OPERATION_UNKNOWN)
            return sw_encode__bad(encoder, "operation", "unknown operation: the mapping spells none like it", token);
        if (*out == SW_OPERATION_IGNORED) {
            snprintf(encoder->kind, sizeof encoder->kind, "operation %.*s", (int)(text.len < 32 ? text.len : 32), (const char *)text.at);
            return SW_ENCODE_NOT_ROW_CHANGE;
        }
    }
    if (binding->deleted_node != SW_JSON_NO_NODE) {
        struct sw_token token = sw_encode__readable(encoder, 0, template, tokens, place, binding->deleted_node);
        /* a time of deletion: what has none lives */
        bool when_set = encoder->context->flagged_deletes ? mapping->delete_when_set : binding->deleted_when_set;
        int deleted = when_set ? token.kind != SW_TOKEN_ABSENT && token.kind != SW_TOKEN_NULL : truth(token);
        if (deleted == -1)
            return sw_encode__bad(encoder, "deleted", "the deleted flag is true or false; a column that is null until the row is deleted is declared as set:COLUMN", token);
        encoder->null_flags += deleted == -2;
        encoder->saw_deleted = true;
        if (deleted == 1 && *out != SW_OPERATION_REMOVE)
            *out = SW_OPERATION_DELETE;
    }
    if (writes(*out) && (binding->reads || (binding->is_read && binding->is_read(sw_encode__readable(encoder, 0, template, tokens, place, binding->read_node)))))
        *out = SW_OPERATION_READ;
    encoder->claim = claim_of(out);
    return SW_ENCODE_ROW;
}

/* A truncate deletes every key of its table at its position: it has no key of its own. */
static enum sw_encode_status encode_truncate(struct sw_encoder *encoder, struct sw_record *record, const struct sw_binding *binding,
                                             const struct sw_json_template *template, const struct sw_token *tokens, const struct sw_record_place *place)
{
    if (binding->partition)
        return sw_encode__bad(encoder, "truncate", "a partition was emptied or dropped, and which keys of its table it held is in no record: compare with the source itself (--baseline names its table)",
                              (struct sw_token){.kind = SW_TOKEN_ABSENT});
    enum sw_encode_status status = sw_encode__version(encoder, record, false, binding, template, tokens, place);
    if (status == SW_ENCODE_ROW && binding->has_identity)
        status = encode_identity(encoder, binding, template, tokens, place);
    if (status != SW_ENCODE_ROW)
        return status;
    if (binding->has_identity && encoder->identity.len) {
        record->identity = sw_buffer_view(&encoder->identity);
        record->flags |= SW_RECORD_IDENTITY;
    }
    identify_in_key(encoder, record, SW_OPERATION_TRUNCATE, binding, tokens);
    record->flags |= SW_RECORD_DELETED;
    encoder->record_count = 1;
    return SW_ENCODE_TRUNCATE;
}

/* Which transaction both halves of a change of key are of: in what order they stand to the others of their key is told by that (fold/step.h). */
static bool encode_step(struct sw_encoder *encoder, const struct sw_binding *binding, const struct sw_json_template *template, const struct sw_token *tokens, const struct sw_record_place *place)
{
    encoder->step.len = 0;
    if (binding->transaction_node == SW_JSON_NO_NODE)
        return false;
    struct sw_token token = sw_encode__readable(encoder, 0, template, tokens, place, binding->transaction_node);
    if (token.kind != SW_TOKEN_TEXT && token.kind != SW_TOKEN_NUMBER)
        return false;
    struct sw_bytes text = sw_encode__text(encoder, token);
    if (text.len)
        sw_claim_put_step(&encoder->step, text);
    return text.len;
}

/* Where the image before shows another key, the event removes that key, too: a second record, which is not counted as one that was read. It
 * keeps the image before, which tells what was removed. */
static enum sw_encode_status encode_key_change(struct sw_encoder *encoder, const struct sw_binding *binding, const struct sw_json_template *template,
                                               const struct sw_token *tokens, const struct sw_record_place *place)
{
    const struct sw_record *write = &encoder->records[0];
    struct sw_record *removal = &encoder->records[1];
    struct sw_bound_image before = binding->before;
    for (uint32_t i = 0; binding->before_in_columns && i < binding->table->key_count; i++)
        if (sw_encode__token(template, tokens, place, before.key[i]).kind == SW_TOKEN_NULL)
            before.key[i] = binding->after.key[i];
    enum sw_encode_status status = sw_encode__key(encoder, &encoder->old_key, &before, binding, template, tokens, place);
    if (status == SW_ENCODE_BAD) { /* which key goes is unknown, so the write may not stand for the whole event */
        encoder->records[0].flags = (uint8_t)((write->flags & SW_RECORD_TABLE) | SW_RECORD_UNREADABLE);
        encoder->records[0].version = encoder->records[0].identity = encoder->records[0].values = (struct sw_bytes){0};
        return status;
    }
    if (status != SW_ENCODE_ROW || sw_bytes_equal(sw_buffer_view(&encoder->old_key), write->key))
        return status;
    *removal = *write;
    removal->role = SW_RECORD_ROLE_FOLLOWING;
    removal->key = sw_buffer_view(&encoder->old_key);
    removal->flags = (uint8_t)((write->flags & (SW_RECORD_TABLE | SW_RECORD_VERSION)) | SW_RECORD_DELETED);
    removal->identity = removal->claimed = (struct sw_bytes){0};
    removal->claim = encoder->claim & SW_CLAIM_LIVE; /* its values are the image */
    if (encode_step(encoder, binding, template, tokens, place)) {
        removal->claim |= SW_CLAIM_STEP;
        removal->claimed = sw_buffer_view(&encoder->step);
    }
    if (encoder->step.failed)
        return SW_ENCODE_FAILED;
    status = encode_values(encoder, removal, &encoder->old_values, &binding->before, template, tokens, place);
    removal->flags &= (uint8_t)~SW_RECORD_GAPS;
    encoder->record_count = 2;
    return status;
}

/* The image before, as the row that the event replaces claims to have been. Of a row that changed its key, the old key is what is told: what the image
 * lacks is as it was there, and its own key had no row. */
static enum sw_encode_status encode_claim(struct sw_encoder *encoder, const struct sw_binding *binding, const struct sw_json_template *template,
                                          const struct sw_token *tokens, const struct sw_record_place *place)
{
    struct sw_record *record = &encoder->records[0];
    bool removes = record->flags & SW_RECORD_DELETED;
    encoder->claimed.len = 0;
    if (encoder->record_count == 2) {
        record->claim = encoder->records[1].claim & SW_CLAIM_STEP;
        sw_buffer_add_bytes(&encoder->claimed, encoder->records[1].claimed);
        if (record->flags & (SW_RECORD_GAPS | SW_RECORD_PARTIAL)) {
            record->claim |= SW_CLAIM_MOVED;
            sw_claim_put_moved_from(&encoder->claimed, encoder->records[1].key);
        }
    } else {
        const struct sw_bound_image *image = removes && binding->removal_shows_row ? &binding->after : &binding->before;
        record->claim = encoder->claim;
        if (!(encoder->claim & SW_CLAIM_LIVE) || !image->present || image->column_count == 0 || (removes && binding->removal_unsure))
            return SW_ENCODE_ROW;
        struct sw_bound_image shown = *image;
        struct sw_record before = {0};
        uint64_t invalid_values = encoder->invalid_values;
        shown.nulls_unknown |= binding->claimed_nulls_unknown;
        encoder->claiming = true;
        enum sw_encode_status status = encode_values(encoder, &before, &encoder->claimed_values, &shown, template, tokens, place);
        encoder->claiming = false;
        encoder->invalid_values = invalid_values; /* of a column that is not compared for it */
        if (status != SW_ENCODE_ROW)
            return status;
        record->claim |= SW_CLAIM_IMAGE;
        sw_claim_put_image(&encoder->claimed, before.set, before.values);
    }
    record->claimed = sw_buffer_view(&encoder->claimed);
    return encoder->claimed.failed ? SW_ENCODE_FAILED : SW_ENCODE_ROW;
}

/* The record says which key its row had: what the image lacks is as it was there. */
static enum sw_encode_status encode_moved(struct sw_encoder *encoder, const struct sw_binding *binding, const struct sw_json_template *template,
                                          const struct sw_token *tokens, const struct sw_record_place *place)
{
    struct sw_record *record = &encoder->records[0];
    if ((record->flags & SW_RECORD_DELETED) || !(record->flags & (SW_RECORD_GAPS | SW_RECORD_PARTIAL)))
        return SW_ENCODE_ROW;
    enum sw_encode_status status = sw_encode__key(encoder, &encoder->old_key, &binding->moved, binding, template, tokens, place);
    if (status != SW_ENCODE_ROW) /* a header that cannot be read makes no bad record: the row stays without what it lacks */
        return status == SW_ENCODE_BAD ? SW_ENCODE_ROW : status;
    if (!record->claim)
        encoder->claimed.len = 0;
    record->claim |= SW_CLAIM_MOVED;
    sw_claim_put_moved_from(&encoder->claimed, sw_buffer_view(&encoder->old_key));
    record->claimed = sw_buffer_view(&encoder->claimed);
    return encoder->claimed.failed ? SW_ENCODE_FAILED : SW_ENCODE_ROW;
}

/* What a record is, if no row in scope. */
static enum sw_encode_status look(struct sw_encoder *encoder, const struct sw_binding *binding, const struct sw_token *tokens)
{
    encoder->record_count = 0;
    if (binding->not_row_change) {
        snprintf(encoder->kind, sizeof encoder->kind, "%s", binding->not_row_change);
        return SW_ENCODE_NOT_ROW_CHANGE;
    }
    if (binding->null_kind && tokens[binding->null_node].kind == SW_TOKEN_NULL) {
        snprintf(encoder->kind, sizeof encoder->kind, "%s", binding->null_kind);
        return SW_ENCODE_NOT_ROW_CHANGE;
    }
    if (binding->problem[0])
        return sw_encode__bad(encoder, binding->problem_reason, binding->problem, (struct sw_token){.kind = SW_TOKEN_ABSENT});
    if (binding->other_table)
        return SW_ENCODE_OTHER_TABLE;
    return SW_ENCODE_ROW;
}

static enum sw_encode_status encode(struct sw_encoder *encoder, const struct sw_binding *binding, const struct sw_json_template *template,
                                    const struct sw_token *tokens, const struct sw_record_place *place)
{
    enum sw_operation operation;
    if (binding->problem_of_changes && operation_of(encoder, &operation, binding, template, tokens, place) == SW_ENCODE_NOT_ROW_CHANGE)
        return SW_ENCODE_NOT_ROW_CHANGE;
    enum sw_encode_status status = look(encoder, binding, tokens);
    if (status != SW_ENCODE_ROW)
        return status;
    status = operation_of(encoder, &operation, binding, template, tokens, place);
    if (status == SW_ENCODE_NOT_ROW_CHANGE)
        return status;
    bool known = status == SW_ENCODE_ROW; /* a bad record is read on, to learn which key it concerns */

    const struct sw_bound_image *image = &binding->after;
    if (known && operation == SW_OPERATION_DELETE && binding->before.key_complete && !binding->before_in_columns)
        image = &binding->before;
    else if (!image->key_complete && binding->before.key_complete)
        image = &binding->before;
    struct sw_record *record = &encoder->records[0];
    *record = (struct sw_record){.role = (uint8_t)encoder->context->role, .table = binding->table->id, .input = place->input, .block = place->block, .line = place->line};
    if (record->table)
        record->flags |= SW_RECORD_TABLE;
    if (known && operation == SW_OPERATION_TRUNCATE)
        return encode_truncate(encoder, record, binding, template, tokens, place);
    char first_text[sizeof encoder->bad_text];
    const char *first_reason = encoder->bad_reason;
    if (!known)
        memcpy(first_text, encoder->bad_text, sizeof first_text);
    enum sw_encode_status key_status = sw_encode__key(encoder, &encoder->key, image, binding, template, tokens, place);
    if (key_status != SW_ENCODE_ROW) {
        if (!known && key_status == SW_ENCODE_BAD) { /* the first fault is the one to tell */
            encoder->bad_reason = first_reason;
            memcpy(encoder->bad_text, first_text, sizeof first_text);
        }
        return key_status;
    }
    record->key = sw_buffer_view(&encoder->key);
    if (known) {
        status = sw_encode__version(encoder, record, operation == SW_OPERATION_READ, binding, template, tokens, place);
        if (status == SW_ENCODE_ROW && binding->has_identity) {
            status = encode_identity(encoder, binding, template, tokens, place);
            if (encoder->identity.len) {
                record->identity = sw_buffer_view(&encoder->identity);
                record->flags |= SW_RECORD_IDENTITY;
            }
        }
        if (status == SW_ENCODE_ROW) {
            identify_in_key(encoder, record, operation, binding, tokens);
            if (operation == SW_OPERATION_DELETE)
                record->flags |= SW_RECORD_DELETED;
            else if (!binding->after.present && binding->tombstone_without_image)
                record->flags |= SW_RECORD_DELETED;
            else if (!binding->after.present)
                status = sw_encode__bad(encoder, "image", "the record writes a row and has no image of it", (struct sw_token){.kind = SW_TOKEN_ABSENT});
            else
                status = encode_values(encoder, record, &encoder->values, &binding->after, template, tokens, place);
            if (operation == SW_OPERATION_READ)
                record->flags |= SW_RECORD_READ;
            if ((binding->partial || encoder->context->mapping->images == SW_IMAGES_PARTIAL) && encoder->context->role == SW_ROLE_EVENTS)
                record->flags |= SW_RECORD_PARTIAL;
        }
    }
    if (status == SW_ENCODE_FAILED || encoder->identity.failed)
        return SW_ENCODE_FAILED;
    if (status == SW_ENCODE_BAD) {
        record->flags = (uint8_t)((record->flags & SW_RECORD_TABLE) | SW_RECORD_UNREADABLE);
        record->version = record->identity = record->values = (struct sw_bytes){0};
        encoder->record_count = 1;
        return status;
    }
    encoder->record_count = 1;
    if (operation == SW_OPERATION_UPSERT && binding->after.key_complete && binding->before.key_complete)
        status = encode_key_change(encoder, binding, template, tokens, place);
    if (status != SW_ENCODE_ROW || encoder->context->role != SW_ROLE_EVENTS)
        return status;
    if (encoder->claim || encoder->record_count == 2)
        status = encode_claim(encoder, binding, template, tokens, place);
    if (status == SW_ENCODE_ROW && binding->moved.key_complete && encoder->record_count == 1)
        status = encode_moved(encoder, binding, template, tokens, place);
    return status;
}

enum sw_encode_status sw_encode(struct sw_encoder *encoder, const struct sw_binding *binding, const struct sw_json_template *template,
                                const struct sw_token *tokens, const struct sw_record_place *place)
{
    enum sw_encode_status status = encode(encoder, binding, template, tokens, place);
    /* what memory had no room for would read as an empty text: an operation that nobody knows, a value that is another */
    bool complete = !encoder->canonical.failed && !encoder->values.failed && !encoder->old_values.failed && !encoder->claimed.failed && !encoder->claimed_values.failed &&
                    !encoder->decode.text.failed && !encoder->decode.array.failed;
    for (size_t i = 0; i < SW_ORDER_FIELD_COUNT_MAX; i++)
        complete &= !encoder->spelled[i].failed;
    return complete ? status : SW_ENCODE_FAILED;
}

enum sw_encode_status sw_encode_position(struct sw_encoder *encoder, enum sw_operation *operation, const struct sw_binding *binding, const struct sw_json_template *template,
                                         const struct sw_token *tokens, const struct sw_record_place *place)
{
    struct sw_record *record = &encoder->records[0];
    if (binding->problem_of_changes && operation_of(encoder, operation, binding, template, tokens, place) == SW_ENCODE_NOT_ROW_CHANGE)
        return SW_ENCODE_NOT_ROW_CHANGE;
    enum sw_encode_status status = look(encoder, binding, tokens);
    if (status == SW_ENCODE_ROW)
        status = operation_of(encoder, operation, binding, template, tokens, place);
    if (status != SW_ENCODE_ROW)
        return status;
    if (*operation == SW_OPERATION_UPSERT && !binding->after.present && binding->tombstone_without_image)
        *operation = SW_OPERATION_DELETE;
    *record = (struct sw_record){.role = (uint8_t)encoder->context->role, .table = binding->table->id, .input = place->input, .block = place->block, .line = place->line};
    status = sw_encode__version_at_once(encoder, record, *operation == SW_OPERATION_READ, binding, template, tokens, place);
    encoder->record_count = status == SW_ENCODE_ROW;
    return encoder->canonical.failed ? SW_ENCODE_FAILED : status;
}

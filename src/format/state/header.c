#include <stdio.h>

#include "base/memory.h"
#include "format/state/state.h"
#include "format/state/array.h"
#include "position/scan.h"
#include "text/json_reader.h"
#include "text/json_write.h"

#define PADDING 64
#define MAGIC "{\"slackwater\":\"state/"

bool sw_state_recognise(struct sw_bytes head) { return sw_bytes_begin_text(head, MAGIC); }

static void write_columns(struct sw_json_writer *json, const char *name, const struct sw_state_column *columns, uint32_t count)
{
    sw_json_name(json, name);
    sw_json_begin_object(json);
    for (uint32_t i = 0; i < count; i++) {
        sw_json_name_bytes(json, columns[i].name);
        sw_json_text(json, columns[i].type);
    }
    sw_json_end_object(json);
}

void sw_state_header_write(struct sw_buffer *out, const struct sw_state_header *header)
{
    struct sw_json_writer json = {.out = out};
    sw_json_begin_object(&json);
    sw_json_member_string(&json, "slackwater", SW_STATE_VERSION);
    sw_json_member_text(&json, "tool", header->tool);
    if (header->order.len)
        sw_json_member_text(&json, "order", header->order);
    sw_json_name(&json, "encodings");
    sw_json_begin_array(&json);
    if (header->csv)
        sw_json_string(&json, "csv");
    if (header->json)
        sw_json_string(&json, "json");
    sw_json_end_array(&json);
    if (header->has_position) {
        sw_json_member_text(&json, "baselinePosition", header->position);
        sw_json_member_text(&json, "baselineSpace", header->position_space);
    }
    if (header->seen.len)
        sw_json_member_text(&json, "seenTransactions", header->seen);
    sw_json_name(&json, "declared");
    sw_json_begin_array(&json);
    for (uint32_t i = 0; i < header->declared_count; i++)
        sw_json_text(&json, header->declared[i]);
    sw_json_end_array(&json);
    sw_json_member_u64(&json, "badRecords", header->bad_records);
    if (header->commits || header->begun_before || header->left_open || header->ended_count) {
        sw_json_name(&json, "transactions");
        sw_json_begin_object(&json);
        sw_json_member_u64(&json, "begunBefore", header->begun_before);
        sw_json_member_u64(&json, "leftOpen", header->left_open);
        sw_json_member_boolean(&json, "commits", header->commits);
        sw_json_name(&json, "ended");
        sw_json_begin_array(&json);
        for (uint32_t i = 0; i < header->ended_count; i++)
            sw_json_text(&json, header->ended[i]);
        sw_json_end_array(&json);
        sw_json_end_object(&json);
    }
    sw_json_name(&json, "tables");
    sw_json_begin_object(&json);
    for (uint32_t i = 0; i < header->table_count; i++) {
        const struct sw_state_table *table = &header->tables[i];
        sw_json_name_bytes(&json, table->name);
        sw_json_begin_object(&json);
        write_columns(&json, "key", table->keys, table->key_count);
        write_columns(&json, "columns", table->columns, table->column_count);
        sw_json_end_object(&json);
    }
    sw_json_end_object(&json);
    sw_json_end_object(&json);
    sw_buffer_add_byte(out, '\n');
}

static void free_text(struct sw_bytes text) { sw_free((void *)(uintptr_t)text.at); }

static void free_columns(struct sw_state_column *columns, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        free_text(columns[i].name);
        free_text(columns[i].type);
    }
    sw_free(columns);
}

void sw_state_header_free(struct sw_state_header **pointer)
{
    struct sw_state_header *header = *pointer;
    *pointer = NULL;
    if (!header)
        return;
    free_text(header->tool);
    free_text(header->order);
    free_text(header->position);
    free_text(header->position_space);
    free_text(header->seen);
    for (uint32_t i = 0; i < header->declared_count; i++)
        free_text(header->declared[i]);
    sw_free(header->declared);
    for (uint32_t i = 0; i < header->ended_count; i++)
        free_text(header->ended[i]);
    sw_free(header->ended);
    for (uint32_t i = 0; i < header->table_count; i++) {
        free_text(header->tables[i].name);
        free_columns(header->tables[i].keys, header->tables[i].key_count);
        free_columns(header->tables[i].columns, header->tables[i].column_count);
    }
    sw_free(header->tables);
    sw_free(header);
}

/* Reading, from the members of a line that was taken apart. */
struct reading {
    const struct sw_json_template *template;
    const struct sw_token *tokens;
    struct sw_error *error;
};

static enum sw_code refuse(struct reading *reading, const char *what)
{
    return sw_fail(reading->error, SW_ERR_INPUT, "the header of the saved state: %s; the file was changed after it was written", what);
}

static enum sw_code copy_bytes(struct sw_bytes *out, struct sw_bytes from, struct sw_error *error)
{
    char *copy = sw_strndup(from.len ? (const char *)from.at : "", from.len);
    if (!copy)
        return sw_fail_memory(error, "the header of a saved state", from.len);
    *out = sw_bytes_of(copy, from.len);
    return SW_OK;
}

static enum sw_code copy_token(struct sw_bytes *out, struct sw_token token, struct reading *reading, const char *what)
{
    if (token.kind != SW_TOKEN_TEXT)
        return refuse(reading, what);
    struct sw_bytes inside = sw_bytes_of(token.at, token.len);
    if (!token.escaped)
        return copy_bytes(out, inside, reading->error);
    struct sw_buffer text = {0};
    sw_json_unescape_add(&text, inside);
    enum sw_code code = text.failed ? sw_fail_memory(reading->error, "the header of a saved state", token.len) : copy_bytes(out, sw_buffer_view(&text), reading->error);
    sw_buffer_free(&text);
    return code;
}

static enum sw_code read_encodings(struct sw_state_header *header, struct sw_token token, struct reading *reading)
{
    struct sw_state_array array;
    struct sw_token element;
    if (!sw_state_array_open(&array, token))
        return refuse(reading, "encodings is no array");
    while (sw_state_array_next(&element, &array)) {
        struct sw_bytes text = sw_bytes_of(element.at, element.len);
        if (element.kind != SW_TOKEN_TEXT || !(sw_bytes_is(text, "csv") || sw_bytes_is(text, "json"))) {
            sw_state_array_close(&array);
            return refuse(reading, "an encoding is \"csv\" or \"json\"");
        }
        *(text.len == 3 ? &header->csv : &header->json) = true;
    }
    return sw_state_array_close(&array) ? SW_OK : sw_fail_memory(reading->error, "the header of a saved state", token.len);
}

static enum sw_code read_texts(struct sw_bytes **texts, uint32_t *count, struct sw_token token, struct reading *reading, const char *no_array, const char *no_text)
{
    struct sw_state_array array;
    struct sw_token element;
    enum sw_code code = SW_OK;
    if (!sw_state_array_open(&array, token))
        return refuse(reading, no_array);
    while (code == SW_OK && sw_state_array_next(&element, &array)) {
        if ((*count & (*count - 1)) == 0) {
            uint32_t capacity = *count ? *count * 2 : 4;
            struct sw_bytes *grown = sw_realloc_array(*texts, capacity, sizeof *grown);
            if (!grown) {
                code = sw_fail_memory(reading->error, "the header of a saved state", capacity * sizeof *grown);
                break;
            }
            *texts = grown;
        }
        code = copy_token(&(*texts)[*count], element, reading, no_text);
        *count += code == SW_OK;
    }
    bool complete = sw_state_array_close(&array);
    return code == SW_OK && !complete ? sw_fail_memory(reading->error, "the header of a saved state", token.len) : code;
}

static uint32_t count_members(const struct reading *reading, uint32_t object)
{
    uint32_t count = 0;
    for (uint32_t child = reading->template->nodes[object].first_child; child != SW_JSON_NO_NODE; child = reading->template->nodes[child].next)
        count++;
    return count;
}

static enum sw_code read_columns(struct sw_state_column **columns, uint32_t *count, uint32_t object, struct reading *reading)
{
    const struct sw_json_template *template = reading->template;
    if (object == SW_JSON_NO_NODE || !template->nodes[object].object)
        return refuse(reading, "a table has key and columns, objects with the type of each");
    uint32_t members = count_members(reading, object);
    *columns = sw_calloc(members, sizeof **columns);
    if (!*columns)
        return sw_fail_memory(reading->error, "the header of a saved state", members * sizeof **columns);
    enum sw_code code = SW_OK;
    for (uint32_t child = template->nodes[object].first_child; child != SW_JSON_NO_NODE && code == SW_OK; child = template->nodes[child].next) {
        struct sw_state_column *column = &(*columns)[(*count)++];
        code = copy_bytes(&column->name, sw_json_node_name(template, child), reading->error);
        if (code == SW_OK && template->nodes[child].object)
            code = refuse(reading, "a type is a text");
        if (code == SW_OK)
            code = copy_token(&column->type, reading->tokens[child], reading, "a type is a text");
    }
    return code;
}

static enum sw_code read_tables(struct sw_state_header *header, uint32_t object, struct reading *reading)
{
    const struct sw_json_template *template = reading->template;
    if (object == SW_JSON_NO_NODE || !template->nodes[object].object)
        return refuse(reading, "tables is no object");
    header->tables = sw_calloc(count_members(reading, object), sizeof *header->tables);
    if (!header->tables)
        return sw_fail_memory(reading->error, "the header of a saved state", 0);
    enum sw_code code = SW_OK;
    for (uint32_t child = template->nodes[object].first_child; child != SW_JSON_NO_NODE && code == SW_OK; child = template->nodes[child].next) {
        struct sw_state_table *table = &header->tables[header->table_count++];
        code = copy_bytes(&table->name, sw_json_node_name(template, child), reading->error);
        if (code == SW_OK && !template->nodes[child].object)
            code = refuse(reading, "a table is an object");
        if (code == SW_OK)
            code = read_columns(&table->keys, &table->key_count, sw_json_child(template, child, SW_BYTES_LITERAL("key")), reading);
        if (code == SW_OK)
            code = read_columns(&table->columns, &table->column_count, sw_json_child(template, child, SW_BYTES_LITERAL("columns")), reading);
        if (code == SW_OK && (table->key_count == 0 || table->key_count > SW_KEY_COLUMNS_MAX))
            code = refuse(reading, "a key has 1 to 16 columns");
    }
    return code;
}

static enum sw_code read_count(uint64_t *out, struct sw_token token, struct reading *reading, const char *no_count)
{
    if (token.kind != SW_TOKEN_NUMBER || !sw_scan_whole_u64(sw_bytes_of(token.at, token.len), out))
        return refuse(reading, no_count);
    return SW_OK;
}

static struct sw_token member_of(const struct reading *reading, uint32_t object, const char *name)
{
    uint32_t node = sw_json_child(reading->template, object, sw_bytes_text(name));
    if (node == SW_JSON_NO_NODE || reading->template->nodes[node].object)
        return (struct sw_token){.kind = SW_TOKEN_ABSENT};
    return reading->tokens[node];
}

static struct sw_token member(const struct reading *reading, const char *name) { return member_of(reading, 0, name); }

static enum sw_code read_transactions(struct sw_state_header *header, struct reading *reading)
{
    uint32_t object = sw_json_child(reading->template, 0, SW_BYTES_LITERAL("transactions"));
    if (object == SW_JSON_NO_NODE)
        return SW_OK;
    if (!reading->template->nodes[object].object)
        return refuse(reading, "transactions is no object");
    struct sw_token commits = member_of(reading, object, "commits");
    if (commits.kind != SW_TOKEN_TRUE && commits.kind != SW_TOKEN_FALSE)
        return refuse(reading, "commits is neither true nor false");
    header->commits = commits.kind == SW_TOKEN_TRUE;
    enum sw_code code = read_count(&header->begun_before, member_of(reading, object, "begunBefore"), reading, "begunBefore is no count");
    if (code == SW_OK)
        code = read_count(&header->left_open, member_of(reading, object, "leftOpen"), reading, "leftOpen is no count");
    if (code == SW_OK)
        code = read_texts(&header->ended, &header->ended_count, member_of(reading, object, "ended"), reading, "ended is no array", "the id of a transaction is a text");
    for (uint32_t i = 0; i < header->ended_count && code == SW_OK; i++)
        if (header->ended[i].len == 0 || header->ended[i].len > SW_TRANSACTION_ID_MAX)
            code = refuse(reading, "the id of a transaction has 1 to 40 bytes");
    return code;
}

static enum sw_code read_members(struct sw_state_header *header, struct reading *reading)
{
    struct sw_token version = member(reading, "slackwater");
    if (version.kind != SW_TOKEN_TEXT)
        return refuse(reading, "it does not begin with its version");
    header->of_before = sw_bytes_is(sw_bytes_of(version.at, version.len), SW_STATE_VERSION_BEFORE);
    if (!header->of_before && !sw_bytes_is(sw_bytes_of(version.at, version.len), SW_STATE_VERSION))
        return sw_fail(reading->error, SW_ERR_UNSUPPORTED, "the saved state has the form '%.*s', this program reads '%s' and '%s'; read it with the version that wrote it, or start from the inputs again",
                       (int)(version.len < 40 ? version.len : 40), (const char *)version.at, SW_STATE_VERSION, SW_STATE_VERSION_BEFORE);
    enum sw_code code = copy_token(&header->tool, member(reading, "tool"), reading, "tool is no text");
    struct sw_token order = member(reading, "order"), position = member(reading, "baselinePosition");
    if (code == SW_OK && order.kind != SW_TOKEN_ABSENT)
        code = copy_token(&header->order, order, reading, "order is no text");
    if (code == SW_OK && position.kind != SW_TOKEN_ABSENT) {
        header->has_position = true;
        code = copy_token(&header->position, position, reading, "baselinePosition is no text");
        if (code == SW_OK)
            code = copy_token(&header->position_space, member(reading, "baselineSpace"), reading, "baselineSpace is no text");
    }
    if (code == SW_OK && member(reading, "seenTransactions").kind != SW_TOKEN_ABSENT)
        code = copy_token(&header->seen, member(reading, "seenTransactions"), reading, "seenTransactions is no text");
    if (code == SW_OK)
        code = read_encodings(header, member(reading, "encodings"), reading);
    if (code == SW_OK)
        code = read_texts(&header->declared, &header->declared_count, member(reading, "declared"), reading, "declared is no array", "a declaration is a text");
    if (code == SW_OK)
        code = read_count(&header->bad_records, member(reading, "badRecords"), reading, "badRecords is no count");
    if (code == SW_OK)
        code = read_transactions(header, reading);
    if (code == SW_OK)
        code = read_tables(header, sw_json_child(reading->template, 0, SW_BYTES_LITERAL("tables")), reading);
    return code;
}

enum sw_code sw_state_header_read(struct sw_state_header **out, struct sw_bytes line, struct sw_error *error)
{
    struct sw_json_reader json;
    struct sw_json_template *template = NULL;
    struct reading reading = {.error = error};
    *out = sw_calloc(1, sizeof **out);
    if (!*out)
        return sw_fail_memory(error, "the header of a saved state", sizeof **out);
    sw_json_reader_init(&json, sw_kernel_find("scalar"), 3, NULL);
    enum sw_code code = SW_OK;
    struct sw_buffer padded = {0}; /* a scan may look at bytes behind the end */
    sw_buffer_add_bytes(&padded, line);
    if (!sw_buffer_reserve(&padded, PADDING) || padded.failed) {
        sw_buffer_free(&padded);
        sw_state_header_free(out);
        return sw_fail_memory(error, "the header of a saved state", line.len);
    }
    memset(padded.at + padded.len, 0, PADDING);
    const uint8_t *end = padded.at + padded.len, *after = line.len ? sw_json_read(&template, &json, padded.at, end) : NULL;
    if (!after && line.len && json.problem.no_memory)
        code = sw_fail_memory(error, "the header of a saved state", line.len);
    else if (!after)
        code = refuse(&reading, line.len ? json.problem.text : "it is empty");
    else if (sw_json_skip_space(after, end) != end || !template->nodes[0].object)
        code = refuse(&reading, "it is not one JSON object");
    if (code == SW_OK) {
        reading.template = template;
        reading.tokens = json.tokens;
        code = read_members(*out, &reading);
    }
    sw_json_reader_free(&json);
    sw_buffer_free(&padded);
    if (code < 0)
        sw_state_header_free(out);
    return code;
}

/* Any bytes as a saved state: a header, then lines. What is read as a record is written as a line that reads to the same record again. */
#include "property.h"

#include <string.h>

#include "format/state/state.h"
#include "text/json_reader.h"
#include "text/utf8.h"

struct run {
    struct sw_mapping mapping;
    struct sw_schema *schema;
    struct sw_spaces *spaces;
    struct sw_key_declaration keys[SW_KEY_COLUMNS_MAX];
    struct sw_bind_context context;
    struct sw_encoder encoder;
    struct sw_json_reader json;
    struct sw_buffer line;
};

static void drop_bindings(void *pointer)
{
    struct sw_binding_set *set = pointer;
    sw_binding_set_free(&set);
}

/* Columns and key as the header says, where it is one; else a plain key. */
static void open_run(struct run *run, const struct sw_state_header *header)
{
    static const struct sw_type any = {.kind = SW_TYPE_ANY, .precision = -1};
    char *none[1] = {NULL};
    *run = (struct run){.schema = sw_schema_new(), .spaces = sw_spaces_new(none, 0)};
    run->context = (struct sw_bind_context){.mapping = &run->mapping, .schema = run->schema, .order = &sw_order_integer, .role = SW_ROLE_BASELINE, .keys = run->keys, .key_count = 1};
    run->keys[0].type = any;
    for (uint32_t i = 0; header && header->table_count && i < header->tables[0].key_count; i++) {
        run->keys[i].name = header->tables[0].keys[i].name;
        if (sw_type_parse(&run->keys[i].type, header->tables[0].keys[i].type, NULL) != SW_OK)
            run->keys[i].type = any;
        run->context.key_count = i + 1;
    }
    for (uint32_t t = 0; header && t < header->table_count; t++) {
        const struct sw_table *table = sw_schema_table(run->schema, header->tables[t].name, run->keys, run->context.key_count);
        for (uint32_t i = 0; table && i < header->tables[t].column_count; i++) {
            struct sw_type type;
            if (sw_type_parse(&type, header->tables[t].columns[i].type, NULL) == SW_OK)
                (void)sw_schema_column(run->schema, table->id, header->tables[t].columns[i].name, &type, true, false);
        }
    }
    run->encoder = (struct sw_encoder){.context = &run->context, .spaces = run->spaces};
    sw_json_reader_init(&run->json, sw_kernel_find("scalar"), 1, drop_bindings);
    run->json.lines = true;
}

static void close_run(struct run *run)
{
    sw_json_reader_free(&run->json);
    sw_encoder_free(&run->encoder);
    sw_buffer_free(&run->line);
    sw_schema_free(&run->schema);
    sw_spaces_free(&run->spaces);
}

/* -1: no JSON. */
static int read_line(struct run *run, struct sw_bytes line)
{
    struct sw_json_template *template = NULL;
    struct sw_error error = {0};
    run->line.len = 0;
    sw_buffer_add_bytes(&run->line, line);
    PROPERTY(sw_buffer_reserve(&run->line, 64));
    memset(run->line.at + run->line.len, 0, 64);
    const uint8_t *at = run->line.at, *end = at + run->line.len;
    if (sw_json_read(&template, &run->json, at, end) != end)
        return -1;
    struct sw_record_place place = {.block = 1, .record = at};
    struct sw_example example = {template, run->json.tokens, at, NULL, NULL, NULL};
    struct sw_binding_set *set = template->binding;
    struct sw_binding *binding = sw_binding_find(&set, &sw_format_state, &run->context, &example, &error);
    template->binding = set;
    return binding ? sw_format_state.encode(&run->encoder, binding, template, run->json.tokens, &place) : -1;
}

static void check_line(struct run *run, struct sw_bytes line)
{
    if (line.len == 0 || line.at[0] == ' ' || sw_utf8_valid(line.at, line.len) != line.len)
        return;
    int status = read_line(run, line);
    PROPERTY(status != SW_ENCODE_FAILED && status != SW_ENCODE_NOT_ROW_CHANGE);
    if (status != SW_ENCODE_ROW && status != SW_ENCODE_TRUNCATE)
        return;
    const struct sw_state_names names = {run->schema, &sw_order_integer, run->spaces};
    struct sw_buffer first = {0}, second = {0}, bytes = {0};
    PROPERTY(sw_buffer_reserve(&bytes, sw_record_size(&run->encoder.records[0])));
    bytes.len = (size_t)(sw_record_put(bytes.at, &run->encoder.records[0]) - bytes.at);
    const bool open = run->encoder.open.is;
    struct sw_bytes id = sw_bytes_of(run->encoder.open.id, run->encoder.open.len);
    uint8_t copy[SW_TRANSACTION_ID_MAX];
    memcpy(copy, id.at, id.len);
    id.at = copy;
    PROPERTY(sw_state_record_write(&first, &run->encoder.records[0], open ? &id : NULL, &names));
    PROPERTY(read_line(run, sw_bytes_of(first.at, first.len - 1)) == status);
    PROPERTY(run->encoder.open.is == open && (!open || sw_bytes_equal(sw_bytes_of(run->encoder.open.id, run->encoder.open.len), id)));
    const struct sw_record *again = &run->encoder.records[0];
    PROPERTY(sw_record_size(again) == bytes.len);
    PROPERTY(sw_buffer_reserve(&second, bytes.len));
    second.len = (size_t)(sw_record_put(second.at, again) - second.at);
    PROPERTY(sw_bytes_equal(sw_buffer_view(&bytes), sw_buffer_view(&second)));
    sw_buffer_free(&first);
    sw_buffer_free(&second);
    sw_buffer_free(&bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct run run;
    struct sw_state_header *header = NULL;
    const uint8_t *end = data + size, *newline = size ? memchr(data, '\n', size) : NULL;
    if (size > (1u << 16))
        return 0;
    size_t len = newline ? (size_t)(newline - data) : size;
    if (sw_utf8_valid(data, len) == len && sw_state_header_read(&header, sw_bytes_of(data, len), NULL) == SW_OK) {
        struct sw_buffer first = {0}, second = {0};
        struct sw_state_header *again = NULL;
        sw_state_header_write(&first, header);
        PROPERTY(sw_state_header_read(&again, sw_bytes_of(first.at, first.len - 1), NULL) == SW_OK);
        sw_state_header_write(&second, again);
        PROPERTY(sw_bytes_equal(sw_buffer_view(&first), sw_buffer_view(&second)));
        sw_state_header_free(&again);
        sw_buffer_free(&first);
        sw_buffer_free(&second);
    }
    open_run(&run, header);
    for (const uint8_t *at = newline ? newline + 1 : data; at < end;) {
        const uint8_t *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        check_line(&run, sw_bytes_of(at, (size_t)(stop - at)));
        at = stop < end ? stop + 1 : end;
    }
    close_run(&run);
    sw_state_header_free(&header);
    return 0;
}

#include "format/state/state.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "format/bind.h"
#include "format/state/array.h"
#include "format/state/members.h"
#include "text/json_reader.h"
#include "text/json_write.h"

static const struct sw_type any = {.kind = SW_TYPE_ANY, .precision = -1};

/* Writing. */

static void write_columns(struct sw_buffer *out, const char *name, const struct sw_record *record, const struct sw_schema *schema, enum sw_value_state state)
{
    const struct sw_column_set *set = sw_schema_set_at(schema, record->set);
    struct sw_bytes values = record->values;
    bool row = state == SW_STATE_VALUE, some = false;
    for (uint32_t i = 0; i < set->count; i++) {
        struct sw_value value = sw_value_next(&values);
        if (row ? value.state != SW_STATE_VALUE && value.state != SW_STATE_NULL : value.state != state)
            continue;
        if (some) {
            sw_buffer_add_byte(out, ',');
        } else {
            sw_buffer_add_text(out, name);
            sw_buffer_add_byte(out, '{');
        }
        some = true;
        sw_json_write_text(out, set->columns[i]->name);
        sw_buffer_add_byte(out, ':');
        if (value.state == SW_STATE_VALUE)
            sw_value_write_json(out, &set->columns[i]->type, value.canonical);
        else
            sw_buffer_add_text(out, "null");
    }
    if (!some && row) {
        sw_buffer_add_text(out, name);
        sw_buffer_add_byte(out, '{');
    }
    if (some || row)
        sw_buffer_add_byte(out, '}');
}

static bool write_version(struct sw_buffer *out, const struct sw_record *record, const struct sw_state_names *names)
{
    struct sw_bytes space = sw_spaces_text(names->spaces, record->space);
    struct sw_buffer text = {0};
    struct sw_order_key again;
    names->order->print(&text, record->version, space);
    bool same = !text.failed && names->order->parse(&again, sw_buffer_view(&text)) == SW_ORDER_OK &&
                sw_bytes_equal(record->version, sw_bytes_of(again.version, again.version_len));
    if (space.len) {
        sw_buffer_add_text(out, ",\"space\":");
        sw_json_write_text(out, space);
    }
    sw_buffer_add_text(out, ",\"version\":");
    sw_json_write_text(out, sw_buffer_view(&text));
    out->failed |= text.failed;
    sw_buffer_free(&text);
    return same;
}

static bool write_identity(struct sw_buffer *out, struct sw_bytes identity)
{
    struct sw_buffer part = {0};
    enum sw_value_status status = SW_VALUE_OK;
    sw_buffer_add_text(out, ",\"identity\":");
    for (bool first = true; identity.len && (status == SW_VALUE_OK || status == SW_VALUE_NULL); first = false) {
        part.len = 0;
        status = sw_key_column_read(&part, &any, &identity);
        sw_buffer_add_byte(out, first ? '[' : ',');
        if (status == SW_VALUE_OK)
            sw_value_write_json(out, &any, sw_buffer_view(&part));
        else
            sw_buffer_add_text(out, "null");
    }
    sw_buffer_add_byte(out, ']');
    out->failed |= part.failed;
    sw_buffer_free(&part);
    return status != SW_VALUE_INVALID;
}

/* What the event says of the row before it. */
static void write_claim(struct sw_buffer *out, const struct sw_record *record, const struct sw_table *table, const struct sw_schema *schema)
{
    struct sw_record before = {0};
    if (record->claim & SW_CLAIM_IMAGE) {
        (void)sw_claim_image(&before.set, &before.values, record);
        write_columns(out, ",\"before\":", &before, schema, SW_STATE_VALUE);
        write_columns(out, ",\"beforeUnavailable\":", &before, schema, SW_STATE_UNAVAILABLE);
        write_columns(out, ",\"beforeUnknown\":", &before, schema, SW_STATE_UNKNOWN);
    } else if (record->claim & (SW_CLAIM_ABSENT | SW_CLAIM_LIVE)) {
        sw_buffer_add_text(out, record->claim & SW_CLAIM_ABSENT ? ",\"before\":\"none\"" : ",\"before\":\"row\"");
    }
    if (record->claim & SW_CLAIM_STEP) {
        sw_buffer_add_text(out, ",\"transaction\":");
        sw_json_write_text(out, sw_claim_step(record));
    }
    if (record->claim & SW_CLAIM_MOVED) {
        sw_buffer_add_text(out, ",\"from\":");
        sw_key_write_json(out, table, sw_claim_moved_from(record));
    }
}

bool sw_state_record_write(struct sw_buffer *out, const struct sw_record *record, const struct sw_bytes *open, const struct sw_state_names *names)
{
    const struct sw_table *table = sw_schema_table_at(names->schema, record->table);
    bool complete = true;
    sw_buffer_add_byte(out, '{');
    if (table->name.len) {
        sw_buffer_add_text(out, "\"table\":");
        sw_json_write_text(out, table->name);
        sw_buffer_add_byte(out, ',');
    }
    sw_buffer_add_text(out, record->role == SW_ROLE_BASELINE ? "\"role\":\"baseline\"" : record->role == SW_ROLE_EVENTS ? "\"role\":\"event\"" : "\"role\":\"following\"");
    bool truncate = record->key.len == 0;
    if (!truncate) {
        sw_buffer_add_text(out, ",\"key\":");
        sw_key_write_json(out, table, record->key);
    }
    if (record->flags & SW_RECORD_UNREADABLE) {
        sw_buffer_add_text(out, record->claim == SW_CLAIM_LATER ? ",\"unreadable\":\"later\"}\n" : ",\"unreadable\":true}\n");
        return true;
    }
    if (record->flags & SW_RECORD_VERSION)
        complete &= write_version(out, record, names);
    if (record->flags & SW_RECORD_DELETED)
        sw_buffer_add_text(out, truncate ? ",\"op\":\"truncate\"" : ",\"op\":\"delete\"");
    else
        sw_buffer_add_text(out, record->flags & SW_RECORD_READ ? ",\"op\":\"read\"" : ",\"op\":\"upsert\"");
    if (record->flags & SW_RECORD_IDENTITY)
        complete &= write_identity(out, record->identity);
    if (record->flags & SW_RECORD_PARTIAL)
        sw_buffer_add_text(out, ",\"partial\":true");
    write_claim(out, record, table, names->schema);
    if (!(record->flags & SW_RECORD_DELETED) || record->values.len) { /* what follows from a change of key shows what it removed */
        write_columns(out, ",\"row\":", record, names->schema, SW_STATE_VALUE);
        write_columns(out, ",\"unavailable\":", record, names->schema, SW_STATE_UNAVAILABLE);
        write_columns(out, ",\"unknown\":", record, names->schema, SW_STATE_UNKNOWN);
    }
    if (open) {
        sw_buffer_add_text(out, ",\"open\":");
        if (open->len)
            sw_json_write_text(out, *open);
        else
            sw_buffer_add_text(out, "true");
    }
    sw_buffer_add_text(out, "}\n");
    return complete;
}

void sw_state_unattributed_write(struct sw_buffer *out) { sw_buffer_add_text(out, "{\"unreadable\":true}\n"); }

void sw_state_end_write(struct sw_buffer *out, uint64_t records, uint64_t sum)
{
    sw_buffer_printf(out, "{\"records\":%llu,\"sum\":\"%016llx\"}\n", (unsigned long long)records, (unsigned long long)sum);
}

/* Reading. */

enum line_kind { LINE_RECORD, LINE_HEADER, LINE_END, LINE_MEMBERS };

enum part {
    PART_TABLE, PART_ROLE, PART_KEY, PART_SPACE, PART_VERSION, PART_OP, PART_IDENTITY, PART_PARTIAL, PART_ROW, PART_UNAVAILABLE, PART_UNKNOWN, PART_UNREADABLE, PART_BEFORE, PART_BEFORE_UNAVAILABLE, PART_BEFORE_UNKNOWN, PART_FROM, PART_TRANSACTION, PART_OPEN, PART_MEMBERS, PART_BEGUN, PART_EVENTS, PART_ENDS, PART_COUNTED,
    PART_RECORDS, PART_SUM, PART_COUNT
};
static const char *const part_names[PART_COUNT] = {"table",   "role", "key",         "space",   "version",    "op",      "identity",
                                                   "partial", "row",  "unavailable", "unknown", "unreadable", "before", "beforeUnavailable", "beforeUnknown", "from", "transaction", "open", "members", "begun", "events", "ends", "counted", "records", "sum"};

struct sw_state_binding {
    enum line_kind kind;
    uint32_t parts[PART_COUNT];        /* nodes */
};

static unsigned depth(const struct sw_mapping *mapping, enum sw_role role)
{
    (void)mapping, (void)role;
    return 1;
}

static void problem(struct sw_binding *out, const char *what, struct sw_bytes name)
{
    if (out->problem[0])
        return;
    out->problem_reason = "state";
    snprintf(out->problem, sizeof out->problem, "%s '%.*s': no record of a saved state; the line was changed after it was written", what, (int)(name.len < 60 ? name.len : 60),
             name.len ? (const char *)name.at : "");
}

static bool find_parts(struct sw_binding *out, const struct sw_json_template *template)
{
    struct sw_state_binding *state = out->state;
    for (int i = 0; i < PART_COUNT; i++)
        state->parts[i] = SW_JSON_NO_NODE;
    for (uint32_t child = template->nodes[0].first_child; child != SW_JSON_NO_NODE; child = template->nodes[child].next) {
        struct sw_bytes name = sw_json_node_name(template, child);
        if (sw_bytes_is(name, "slackwater")) {
            state->kind = LINE_HEADER;
            return false;
        }
        int part = 0;
        while (part < PART_COUNT && !sw_bytes_is(name, part_names[part]))
            part++;
        if (part == PART_COUNT)
            problem(out, "there is a member", name);
        else
            state->parts[part] = child;
    }
    bool members = false, others = false;
    for (int i = 0; i < PART_COUNT; i++)
        *(i >= PART_MEMBERS && i <= PART_COUNTED ? &members : &others) |= state->parts[i] != SW_JSON_NO_NODE;
    if (members) {
        state->kind = LINE_MEMBERS;
        if (others || state->parts[PART_MEMBERS] == SW_JSON_NO_NODE)
            problem(out, "the events of a transaction stand with members alone, found", (struct sw_bytes){0});
        return false;
    }
    if (state->parts[PART_RECORDS] != SW_JSON_NO_NODE || state->parts[PART_SUM] != SW_JSON_NO_NODE) {
        state->kind = LINE_END;
        if (template->node_count != 3 || state->parts[PART_RECORDS] == SW_JSON_NO_NODE || state->parts[PART_SUM] == SW_JSON_NO_NODE)
            problem(out, "an end line has two members, found", (struct sw_bytes){0});
        return false;
    }
    return true;
}

static void bind_key(struct sw_bound_image *image, struct sw_binding *out, const struct sw_json_template *template, enum part part)
{
    uint32_t node = out->state->parts[part];
    bool bare = out->table->key_count == 1 && out->table->keys[0]->name.len == 0;
    for (size_t i = 0; i < SW_KEY_COLUMNS_MAX; i++)
        image->key[i] = SW_JSON_NO_NODE;
    if (node == SW_JSON_NO_NODE)
        return;
    image->key_complete = bare || template->nodes[node].object;
    for (uint32_t i = 0; i < out->table->key_count && image->key_complete; i++) {
        image->key[i] = bare ? node : sw_json_child(template, node, out->table->keys[i]->name);
        image->key_complete &= image->key[i] != SW_JSON_NO_NODE;
    }
    uint32_t members = 0;
    for (uint32_t child = template->nodes[node].first_child; !bare && child != SW_JSON_NO_NODE; child = template->nodes[child].next)
        members++;
    if (!image->key_complete || (!bare && members != out->table->key_count))
        problem(out, "the columns of the key are not those that are declared, found", sw_json_node_name(template, node));
}

static int by_column_name(const void *a, const void *b)
{
    const struct sw_bound_column *left = a, *right = b;
    return sw_bytes_compare(left->column->name, right->column->name);
}

/* The members of row, unavailable and unknown are the columns of one image; those of before of another. */
static enum sw_code bind_columns(struct sw_bound_image *image, const struct sw_binder *binder, const enum part *parts, size_t part_count)
{
    struct sw_binding *out = binder->out;
    const struct sw_bind_context *context = binder->context;
    const struct sw_json_template *template = binder->template;
    struct sw_error *error = binder->error;
    image->columns = sw_calloc(template->node_count, sizeof *image->columns);
    const struct sw_column **columns = sw_calloc(template->node_count, sizeof *columns);
    enum sw_code code = image->columns && columns ? SW_OK : sw_fail_memory(error, "columns", template->node_count * sizeof *columns);
    for (size_t p = 0; p < part_count && code == SW_OK; p++) {
        uint32_t object = out->state->parts[parts[p]];
        if (object == SW_JSON_NO_NODE)
            continue;
        if (!template->nodes[object].object)
            problem(out, "an object of columns was expected in", sw_json_node_name(template, object));
        for (uint32_t child = template->nodes[object].first_child; child != SW_JSON_NO_NODE && code == SW_OK; child = template->nodes[child].next) {
            struct sw_bytes name = sw_json_node_name(template, child);
            const struct sw_column_rule *rule = sw_mapping_column(context->mapping, name);
            if (rule)
                sw_format_note_met(context->notes, rule);
            if (rule && rule->ignored)
                continue;
            const struct sw_column *column = sw_schema_column(context->schema, out->table->id, name, rule && rule->has_type ? &rule->type : &any, rule && rule->has_type, false);
            if (!column)
                code = sw_schema_no_column(context->schema, error);
            else
                image->columns[image->column_count++] = (struct sw_bound_column){.node = child, .column = column, .type = column->type};
        }
    }
    if (code == SW_OK && image->column_count)
        qsort(image->columns, image->column_count, sizeof *image->columns, by_column_name);
    for (uint32_t i = 0; i < image->column_count && code == SW_OK; i++) {
        columns[i] = image->columns[i].column;
        if (i && columns[i] == columns[i - 1])
            problem(out, "a column stands twice,", columns[i]->name);
    }
    if (code == SW_OK && !out->problem[0]) {
        image->set = sw_schema_set(context->schema, columns, image->column_count);
        image->present = true;
        if (!image->set)
            code = sw_schema_no_set(context->schema, error);
    }
    sw_free(columns);
    return code;
}

/* The table is a value in the record: it chooses the binding. */
static void select_table(struct sw_selectors *out, const struct sw_bind_context *context, const struct sw_json_template *template)
{
    (void)context;
    if (template->nodes[0].object)
        out->nodes[out->count++] = sw_json_child(template, 0, SW_BYTES_LITERAL("table"));
}

static enum sw_code bind_table(const struct sw_binder *binder, const struct sw_example *example)
{
    uint32_t node = binder->out->state->parts[PART_TABLE];
    struct sw_buffer text = {0};
    if (node != SW_JSON_NO_NODE && !sw_bind_text(&text, example, node))
        problem(binder->out, "a text was expected in", SW_BYTES_LITERAL("table"));
    const char *declared = binder->context->mapping->table;
    /* records that name no table are of the one that is in scope */
    struct sw_bytes name = text.len || !declared ? sw_buffer_view(&text) : sw_bytes_text(declared);
    enum sw_code code = text.failed ? sw_fail_memory(binder->error, "a table", 0) : sw_bind_table(binder, name);
    sw_buffer_free(&text);
    return code;
}

static enum sw_code bind(struct sw_binding *out, const struct sw_bind_context *context, const struct sw_example *example, struct sw_error *error)
{
    const struct sw_binder binder = {context, example->template, out, error};
    sw_bind_begin(out);
    out->state = sw_calloc(1, sizeof *out->state);
    if (!out->state)
        return sw_fail_memory(error, "a binding", sizeof *out->state);
    if (!example->template->nodes[0].object) {
        problem(out, "an object was expected, found another value", (struct sw_bytes){0});
        return SW_OK;
    }
    if (!find_parts(out, example->template))
        return SW_OK;
    enum sw_code code = bind_table(&binder, example);
    if (code < 0)
        return code;
    static const enum part row[] = {PART_ROW, PART_UNAVAILABLE, PART_UNKNOWN}, before[] = {PART_BEFORE, PART_BEFORE_UNAVAILABLE, PART_BEFORE_UNKNOWN};
    uint32_t node = out->state->parts[PART_BEFORE];
    bind_key(&out->after, out, example->template, PART_KEY);
    bind_key(&out->before, out, example->template, PART_FROM);
    code = bind_columns(&out->after, &binder, row, 3);
    if (code == SW_OK && node != SW_JSON_NO_NODE && example->template->nodes[node].object)
        code = bind_columns(&out->before, &binder, before, 3);
    return code;
}

/* One record, while it is taken apart. */
struct line {
    struct sw_encoder *encoder;
    const struct sw_binding *binding;
    const struct sw_json_template *template;
    const struct sw_token *tokens;
    const struct sw_record_place *place;
};

static struct sw_token part_of(const struct line *line, enum part part)
{
    return sw_encode__token(line->template, line->tokens, line->place, line->binding->state->parts[part]);
}

static enum sw_encode_status bad(const struct line *line, const char *what, struct sw_token found) { return sw_encode__bad(line->encoder, "state", what, found); }

static enum sw_encode_status read_end(const struct line *line)
{
    struct sw_token records = part_of(line, PART_RECORDS), sum = part_of(line, PART_SUM);
    uint64_t count = 0, number = 0;
    bool good = records.kind == SW_TOKEN_NUMBER && sum.kind == SW_TOKEN_TEXT && sum.len == 16;
    for (uint32_t i = 0; i < records.len && good; i++)
        good = (uint8_t)(records.at[i] - '0') < 10 && !__builtin_mul_overflow(count, 10u, &count) && !__builtin_add_overflow(count, (uint64_t)(records.at[i] - '0'), &count);
    for (uint32_t i = 0; i < sum.len && good; i++) {
        uint8_t digit = sum.at[i];
        good = (uint8_t)(digit - '0') < 10 || (uint8_t)(digit - 'a') < 6;
        number = number << 4 | (uint64_t)(digit < 'a' ? digit - '0' : digit - 'a' + 10);
    }
    if (!good)
        return bad(line, "an end line has the number of records and their sum, 16 hexadecimal digits", (struct sw_token){.kind = SW_TOKEN_ABSENT});
    line->encoder->end.seen = true;
    line->encoder->end.records = count;
    line->encoder->end.sum = number;
    return SW_ENCODE_FRAME;
}

static bool find_space(const struct line *line, uint32_t *out)
{
    struct sw_encoder *encoder = line->encoder;
    struct sw_token token = part_of(line, PART_SPACE);
    struct sw_bytes text = token.kind == SW_TOKEN_ABSENT ? (struct sw_bytes){0} : sw_encode__text(encoder, token);
    if (!encoder->space_known || !sw_bytes_equal(text, sw_bytes_of(encoder->space, encoder->space_len))) {
        encoder->space_id = sw_spaces_intern(encoder->spaces, text, sw_space_base_len(text));
        if (encoder->space_id == UINT32_MAX)
            return false;
        encoder->space_known = text.len <= sizeof encoder->space;
        encoder->space_len = encoder->space_known ? (uint16_t)text.len : 0;
        if (encoder->space_len)
            memcpy(encoder->space, text.at, text.len);
    }
    *out = encoder->space_id;
    return true;
}

static enum sw_encode_status read_version(const struct line *line, struct sw_record *record)
{
    struct sw_encoder *encoder = line->encoder;
    const struct sw_order *order = encoder->context->order;
    struct sw_token version = part_of(line, PART_VERSION), space = part_of(line, PART_SPACE);
    if (space.kind != SW_TOKEN_ABSENT && (space.kind != SW_TOKEN_TEXT || version.kind == SW_TOKEN_ABSENT))
        return bad(line, "a space is a text beside a version", space);
    if (version.kind == SW_TOKEN_ABSENT)
        return SW_ENCODE_ROW;
    if (version.kind != SW_TOKEN_TEXT)
        return bad(line, "a version is a text", version);
    if (!order)
        return bad(line, "the header names no order, and the record has a version", version);
    if (order->parse(&encoder->order, sw_encode__text(encoder, version)) != SW_ORDER_OK)
        return bad(line, encoder->order.problem, version);
    if (!find_space(line, &record->space))
        return SW_ENCODE_FAILED;
    record->version = sw_bytes_of(encoder->order.version, encoder->order.version_len);
    record->flags |= SW_RECORD_VERSION;
    return SW_ENCODE_ROW;
}

static enum sw_encode_status read_identity(const struct line *line, struct sw_record *record)
{
    struct sw_encoder *encoder = line->encoder;
    struct sw_token token = part_of(line, PART_IDENTITY), element;
    struct sw_state_array array;
    enum sw_value_status status = SW_VALUE_OK;
    if (token.kind == SW_TOKEN_ABSENT)
        return SW_ENCODE_ROW;
    if (!sw_state_array_open(&array, token))
        return bad(line, "an identity is an array of values", token);
    size_t last = encoder->identity.len = 0;
    while (status != SW_VALUE_INVALID && sw_state_array_next(&element, &array)) {
        last = encoder->identity.len;
        status = sw_value_encode(&encoder->identity, &any, element, &encoder->scratch);
        if (status == SW_VALUE_NULL)
            sw_key_column_add(&encoder->identity, &any, true, (struct sw_bytes){0});
        array.failed |= status == SW_VALUE_NO_MEMORY;
    }
    if (!sw_state_array_close(&array) || encoder->identity.failed)
        return SW_ENCODE_FAILED;
    if (status == SW_VALUE_INVALID)
        return bad(line, encoder->scratch.problem, (struct sw_token){.kind = SW_TOKEN_ABSENT});
    sw_key_end(&encoder->identity, &any, last);
    if (encoder->identity.len == 0)
        return bad(line, "an identity has a value at least", token);
    record->identity = sw_buffer_view(&encoder->identity);
    record->flags |= SW_RECORD_IDENTITY;
    return SW_ENCODE_ROW;
}

static enum sw_encode_status read_values(const struct line *line, struct sw_record *record, struct sw_buffer *values, const struct sw_bound_image *image)
{
    struct sw_encoder *encoder = line->encoder;
    const uint32_t *parts = line->binding->state->parts;
    values->len = 0;
    for (uint32_t i = 0; i < image->column_count; i++) {
        uint32_t node = image->columns[i].node, parent = line->template->nodes[node].parent;
        bool unknown = parent == parts[PART_UNKNOWN] || parent == parts[PART_BEFORE_UNKNOWN];
        if (unknown || parent == parts[PART_UNAVAILABLE] || parent == parts[PART_BEFORE_UNAVAILABLE]) {
            sw_value_append(values, (struct sw_value){.state = unknown ? SW_STATE_UNKNOWN : SW_STATE_UNAVAILABLE});
            record->flags |= SW_RECORD_GAPS;
            continue;
        }
        encoder->canonical.len = 0;
        struct sw_token token = sw_encode__token(line->template, line->tokens, line->place, node);
        enum sw_value_status status = sw_value_encode(&encoder->canonical, &image->columns[i].column->type, token, &encoder->scratch);
        if (status == SW_VALUE_NO_MEMORY)
            return SW_ENCODE_FAILED;
        if (status == SW_VALUE_INVALID)
            return bad(line, encoder->scratch.problem, (struct sw_token){.kind = SW_TOKEN_ABSENT});
        sw_value_append(values, status == SW_VALUE_NULL ? (struct sw_value){.state = SW_STATE_NULL}
                                                                  : (struct sw_value){SW_STATE_VALUE, sw_buffer_view(&encoder->canonical)});
    }
    record->set = image->set->id;
    record->values = sw_buffer_view(values);
    return values->failed ? SW_ENCODE_FAILED : SW_ENCODE_ROW;
}

static enum sw_encode_status read_claim(const struct line *line, struct sw_record *record)
{
    struct sw_encoder *encoder = line->encoder;
    const struct sw_binding *binding = line->binding;
    struct sw_token token = part_of(line, PART_BEFORE);
    bool moved = binding->state->parts[PART_FROM] != SW_JSON_NO_NODE;
    encoder->claimed.len = 0;
    if ((moved || token.kind != SW_TOKEN_ABSENT) && record->role == SW_ROLE_BASELINE)
        return bad(line, "a row of a baseline replaces nothing", token);
    if (token.kind == SW_TOKEN_OBJECT) {
        struct sw_record before = {0};
        enum sw_encode_status status = read_values(line, &before, &encoder->claimed_values, &binding->before);
        if (status != SW_ENCODE_ROW)
            return status;
        record->claim = SW_CLAIM_LIVE | SW_CLAIM_IMAGE;
        sw_claim_put_image(&encoder->claimed, before.set, before.values);
    } else if (token.kind != SW_TOKEN_ABSENT) {
        struct sw_bytes text = token.kind == SW_TOKEN_TEXT ? sw_bytes_of(token.at, token.len) : (struct sw_bytes){0};
        if (!sw_bytes_is(text, "none") && !sw_bytes_is(text, "row"))
            return bad(line, "before is \"none\", \"row\" or an object of columns", token);
        record->claim = sw_bytes_is(text, "none") ? SW_CLAIM_ABSENT : SW_CLAIM_LIVE;
    }
    struct sw_token step = part_of(line, PART_TRANSACTION);
    if (step.kind != SW_TOKEN_ABSENT) {
        struct sw_bytes text = step.kind == SW_TOKEN_TEXT ? sw_encode__text(encoder, step) : (struct sw_bytes){0};
        if (text.len == 0)
            return bad(line, "transaction is a text", step);
        record->claim |= SW_CLAIM_STEP;
        sw_claim_put_step(&encoder->claimed, text);
    }
    if (moved) {
        enum sw_encode_status status = sw_encode__key(encoder, &encoder->old_key, &binding->before, binding, line->template, line->tokens, line->place);
        if (status != SW_ENCODE_ROW)
            return status;
        record->claim |= SW_CLAIM_MOVED;
        sw_claim_put_moved_from(&encoder->claimed, sw_buffer_view(&encoder->old_key));
    }
    record->claimed = sw_buffer_view(&encoder->claimed);
    return encoder->claimed.failed ? SW_ENCODE_FAILED : SW_ENCODE_ROW;
}

static enum sw_encode_status read_parts(const struct line *line, struct sw_record *record)
{
    enum sw_encode_status status = read_version(line, record);
    if (status == SW_ENCODE_ROW)
        status = read_identity(line, record);
    if (status != SW_ENCODE_ROW)
        return status;
    struct sw_token op = part_of(line, PART_OP), partial = part_of(line, PART_PARTIAL);
    if (partial.kind != SW_TOKEN_ABSENT && partial.kind != SW_TOKEN_TRUE)
        return bad(line, "partial is true or not there", partial);
    if (partial.kind == SW_TOKEN_TRUE)
        record->flags |= SW_RECORD_PARTIAL;
    status = read_claim(line, record);
    if (status != SW_ENCODE_ROW)
        return status;
    struct sw_bytes name = op.kind == SW_TOKEN_TEXT ? sw_bytes_of(op.at, op.len) : (struct sw_bytes){0};
    bool row = line->binding->state->parts[PART_ROW] != SW_JSON_NO_NODE;
    if (sw_bytes_is(name, "delete") || record->role == SW_RECORD_ROLE_FOLLOWING) {
        record->flags |= SW_RECORD_DELETED;
        if (record->role != SW_RECORD_ROLE_FOLLOWING)
            return line->binding->after.column_count || row ? bad(line, "a deleted row has no columns", op) : SW_ENCODE_ROW;
        if (!sw_bytes_is(name, "delete") || record->identity.len)
            return bad(line, "what follows from a record is a delete without an identity", op);
        status = read_values(line, record, &line->encoder->values, &line->binding->after);
        record->flags &= (uint8_t)~SW_RECORD_GAPS; /* nothing of it is compared with the destination */
        return status;
    }
    if (sw_bytes_is(name, "read"))
        record->flags |= SW_RECORD_READ;
    else if (!sw_bytes_is(name, "upsert"))
        return bad(line, "op is \"upsert\", \"delete\" or \"read\"", op);
    return row ? read_values(line, record, &line->encoder->values, &line->binding->after) : bad(line, "a row was expected", (struct sw_token){.kind = SW_TOKEN_ABSENT});
}

static enum sw_encode_status read_truncate(const struct line *line, struct sw_record *record)
{
    struct sw_token op = part_of(line, PART_OP);
    if (op.kind != SW_TOKEN_TEXT || !sw_bytes_is(sw_bytes_of(op.at, op.len), "truncate") || record->role != SW_ROLE_EVENTS || line->binding->after.column_count)
        return bad(line, "only a truncate, an event without columns, has no key", op);
    enum sw_encode_status status = read_version(line, record);
    if (status == SW_ENCODE_ROW)
        status = read_identity(line, record);
    if (status != SW_ENCODE_ROW)
        return status;
    record->flags |= SW_RECORD_DELETED;
    line->encoder->record_count = 1;
    return SW_ENCODE_TRUNCATE;
}

/* Its transaction was open when the state was saved. */
static enum sw_encode_status read_open(const struct line *line, const struct sw_record *record)
{
    struct sw_encoder *encoder = line->encoder;
    struct sw_token open = part_of(line, PART_OPEN);
    if (open.kind == SW_TOKEN_ABSENT)
        return SW_ENCODE_ROW;
    struct sw_bytes id = open.kind == SW_TOKEN_TEXT ? sw_encode__text(encoder, open) : (struct sw_bytes){0};
    if ((open.kind != SW_TOKEN_TRUE && id.len == 0) || id.len > sizeof encoder->open.id)
        return bad(line, "open is true, or the id of a transaction, of at most 40 bytes", open);
    if (record->role == SW_ROLE_BASELINE)
        return bad(line, "a row of a baseline stands in no transaction", open);
    encoder->open.is = true;
    encoder->open.len = (uint8_t)id.len;
    memcpy(encoder->open.id, id.len ? id.at : (const uint8_t *)"", id.len);
    return SW_ENCODE_ROW;
}

static enum sw_encode_status read_record(const struct line *line)
{
    struct sw_encoder *encoder = line->encoder;
    struct sw_record *record = &encoder->records[0];
    struct sw_token role = part_of(line, PART_ROLE), unreadable = part_of(line, PART_UNREADABLE);
    if (unreadable.kind == SW_TOKEN_TRUE && line->binding->state->parts[PART_KEY] == SW_JSON_NO_NODE)
        return bad(line, "an earlier run met records that it could not use, and which may be about any key", (struct sw_token){.kind = SW_TOKEN_ABSENT});
    struct sw_bytes name = role.kind == SW_TOKEN_TEXT ? sw_bytes_of(role.at, role.len) : (struct sw_bytes){0};
    *record = (struct sw_record){.role = SW_ROLE_EVENTS, .table = line->binding->table->id, .input = line->place->input, .block = line->place->block, .line = line->place->line};
    if (record->table)
        record->flags |= SW_RECORD_TABLE;
    if (sw_bytes_is(name, "baseline"))
        record->role = SW_ROLE_BASELINE;
    else if (sw_bytes_is(name, "following"))
        record->role = SW_RECORD_ROLE_FOLLOWING;
    else if (!sw_bytes_is(name, "event"))
        return bad(line, "role is \"baseline\", \"event\" or \"following\"", role);
    enum sw_encode_status status = read_open(line, record);
    if (line->binding->state->parts[PART_KEY] == SW_JSON_NO_NODE)
        return status == SW_ENCODE_ROW ? read_truncate(line, record) : status;
    enum sw_encode_status of_key = sw_encode__key(encoder, &encoder->key, &line->binding->after, line->binding, line->template, line->tokens, line->place);
    if (of_key != SW_ENCODE_ROW)
        return of_key;
    record->key = sw_buffer_view(&encoder->key);
    if (status == SW_ENCODE_ROW && unreadable.kind == SW_TOKEN_TEXT && sw_bytes_is(sw_bytes_of(unreadable.at, unreadable.len), "later")) {
        record->flags = (uint8_t)((record->flags & SW_RECORD_TABLE) | SW_RECORD_UNREADABLE);
        record->claim = SW_CLAIM_LATER;
    } else if (status == SW_ENCODE_ROW && unreadable.kind == SW_TOKEN_TRUE)
        status = bad(line, "an earlier run met a record of this key that it could not use", (struct sw_token){.kind = SW_TOKEN_ABSENT});
    else if (status == SW_ENCODE_ROW && unreadable.kind != SW_TOKEN_ABSENT)
        status = bad(line, "unreadable is true, \"later\" or not there", unreadable);
    else if (status == SW_ENCODE_ROW)
        status = read_parts(line, record);
    if (status == SW_ENCODE_FAILED)
        return status;
    if (status == SW_ENCODE_BAD) {
        record->flags = (uint8_t)((record->flags & SW_RECORD_TABLE) | SW_RECORD_UNREADABLE);
        record->version = record->identity = record->values = record->claimed = (struct sw_bytes){0};
        record->claim = 0;
    }
    encoder->record_count = 1;
    return status;
}

static int encode(struct sw_encoder *encoder, const struct sw_binding *binding, const struct sw_json_template *template, const struct sw_token *tokens,
                  const struct sw_record_place *place)
{
    const struct line line = {encoder, binding, template, tokens, place};
    encoder->record_count = 0;
    encoder->end.seen = encoder->open.is = false;
    encoder->members.len = 0;
    if (binding->state->kind == LINE_HEADER) /* read when the run was prepared */
        return place->block == 0 && place->line == 0 ? SW_ENCODE_FRAME : bad(&line, "a header stands in the first line only", (struct sw_token){.kind = SW_TOKEN_ABSENT});
    if (binding->problem[0])
        return sw_encode__bad(encoder, binding->problem_reason, binding->problem, (struct sw_token){.kind = SW_TOKEN_ABSENT});
    if (binding->state->kind == LINE_END)
        return read_end(&line);
    if (binding->state->kind == LINE_MEMBERS)
        return sw_state_members_read(encoder, &(struct sw_state_members_parts){part_of(&line, PART_MEMBERS), part_of(&line, PART_BEGUN), part_of(&line, PART_EVENTS), part_of(&line, PART_ENDS), part_of(&line, PART_COUNTED)});
    return binding->other_table ? SW_ENCODE_OTHER_TABLE : read_record(&line);
}

const struct sw_format sw_format_state = {
    .json_as_text = true,
    .name = "state",
    .summary = "what --save-state wrote, as the next run's baseline",
    .explain = "Recognised by its first line, and accepted as a baseline only. Its records keep the role, position and identity that they had.",
    .depth = depth,
    .select = select_table,
    .bind = bind,
    .encode = encode,
};

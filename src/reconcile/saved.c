/* Saved states: what an earlier run left is taken over, and this run leaves its own. docs/state.md has the rules. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "position/gtid_set.h"
#include "reconcile/run.h"
#include "reconcile/saved_transactions.h"
#include "slackwater/version.h"

#define FLUSH_BYTES ((size_t)64 << 10)
#define HEADER_BYTES_FIRST ((size_t)1 << 20)

/* Texts for messages: cut, never the whole of what a file holds. */
#define SHOWN_MAX 200

static void show(char *out, size_t *used, const char *between, struct sw_bytes text)
{
    int len = snprintf(out + *used, SHOWN_MAX - *used, "%s%.*s", *used ? between : "", (int)(text.len < SHOWN_MAX ? text.len : SHOWN_MAX), text.len ? (const char *)text.at : "key");
    *used = *used + (size_t)len < SHOWN_MAX ? *used + (size_t)len : SHOWN_MAX - 1;
}

static const char *locator_of(const struct sw_read_role *role, uint32_t input) { return sw_source_input(role->source, input)->locator; }

/* The header's line, however long it is. */
static enum sw_code find_header(struct sw_bytes *line, struct sw_source *source, uint32_t input, uint64_t bytes_max, struct sw_error *error)
{
    for (size_t wanted = HEADER_BYTES_FIRST;; wanted *= 4) {
        struct sw_bytes head = sw_source_input(source, input)->head;
        const uint8_t *end = head.len ? memchr(head.at, '\n', head.len) : NULL;
        if (end) {
            *line = sw_bytes_of(head.at, (size_t)(end - head.at));
            return SW_OK;
        }
        if (head.len >= bytes_max)
            return sw_fail(error, SW_ERR_LIMIT, "the header of the saved state is longer than %llu bytes; --record-max raises the limit", (unsigned long long)bytes_max);
        size_t before = head.len;
        enum sw_code code = sw_source_grow_head(source, input, wanted < bytes_max ? wanted : (size_t)bytes_max, error);
        if (code < 0)
            return code;
        if (sw_source_input(source, input)->head.len == before && wanted > before)
            return sw_fail(error, SW_ERR_INPUT, "the saved state is cut: it ends inside its header");
    }
}

/* Of the baseline all inputs or none are saved states, of the other roles none is. */
enum sw_code sw_run_recognise_saved(bool *out, const struct sw_run *run, enum sw_role r, struct sw_error *error)
{
    const struct sw_read_role *role = &run->reading.roles[r];
    uint32_t inputs = sw_source_input_count(role->source), count = 0, other = 0;
    for (uint32_t i = 0; i < inputs; i++) {
        const struct sw_input *input = sw_source_input(role->source, i);
        if (!sw_state_recognise(input->head)) {
            other = i;
            continue;
        }
        if (r != SW_ROLE_BASELINE)
            return sw_fail(error, SW_ERR_USAGE, "--%s: %s is a saved state, which can be a baseline only: --baseline %s", sw_role_name(r), input->locator, input->locator);
        if (input->framing == SW_FRAMING_CSV)
            return sw_fail(error, SW_ERR_USAGE, "--baseline: %s is a saved state and is read as CSV; name it .ndjson", input->locator);
        count++;
    }
    const char *format = run->mapping.format[r];
    *out = count != 0;
    if (count && count < inputs)
        return sw_fail(error, SW_ERR_USAGE, "--baseline: %s is no saved state, and another input is one; a baseline is made of saved states or of rows", locator_of(role, other));
    if (!count && format && strcmp(format, sw_format_state.name) == 0)
        return sw_fail(error, SW_ERR_USAGE, "--%s: %s is no saved state: its first line is no header", sw_role_name(r), inputs ? locator_of(role, other) : "nothing");
    return SW_OK;
}

static enum sw_code take_order(struct sw_run *run, const struct sw_state_header *header, const char *file, struct sw_error *error)
{
    const struct sw_order *declared = run->reading.order;
    struct sw_bytes name = header->order;
    if (declared && !sw_bytes_is(name, declared->name)) {
        if (name.len)
            return sw_fail(error, SW_ERR_USAGE, "the saved state %s is ordered by '%.*s', this run by '%s': declare --order %.*s, or start from the inputs again", file, (int)name.len,
                           (const char *)name.at, declared->name, (int)name.len, (const char *)name.at);
        return sw_fail(error, SW_ERR_USAGE, "the saved state %s was made without an order, so its records have no versions; this run is ordered by '%s': start from the inputs again", file,
                       declared->name);
    }
    if (declared || name.len == 0)
        return SW_OK;
    char text[64];
    snprintf(text, sizeof text, "%.*s", (int)name.len, (const char *)name.at);
    const struct sw_order *order = sw_order_find(text);
    if (!order)
        return sw_fail(error, SW_ERR_UNSUPPORTED, "the saved state %s is ordered by '%s', which this build does not have; see slackwater orders", file, text);
    run->reading.order = run->report.order = order;
    for (int r = 0; r < SW_ROLE_COUNT; r++)
        run->reading.roles[r].context.order = order;
    return sw_run_assume(run, "order %s: taken over from the saved state %s", order->name, file) ? SW_OK : sw_fail_memory(error, "the report", 0);
}

static enum sw_code read_type(struct sw_type *out, const struct sw_state_column *column, const char *file, struct sw_error *error)
{
    struct sw_error why = {0};
    enum sw_code code = sw_type_parse(out, column->type, &why);
    return code == SW_OK ? SW_OK : sw_fail(error, code == SW_ERR_USAGE ? SW_ERR_INPUT : code, "the saved state %s: the type of %.*s: %s", file,
                                           (int)(column->name.len < SHOWN_MAX ? column->name.len : SHOWN_MAX), column->name.len ? (const char *)column->name.at : "key", why.text);
}

static enum sw_code refuse_type(const struct sw_state_column *column, const struct sw_type *declared, const char *file, struct sw_error *error)
{
    struct sw_buffer text = {0};
    char name[SHOWN_MAX] = "";
    size_t used = 0;
    show(name, &used, "", column->name);
    sw_type_print(&text, declared);
    const char *type = sw_buffer_text(&text);
    sw_fail(error, SW_ERR_USAGE, "the column %s is %.*s in the saved state %s, and %s in this run; a saved state keeps its types: start from the inputs again to change one", name,
            (int)column->type.len, (const char *)column->type.at, file, type ? type : "another");
    sw_buffer_free(&text);
    return SW_ERR_USAGE;
}

static enum sw_code assume_type(struct sw_run *run, const struct sw_state_column *column, const char *file, struct sw_error *error)
{
    char name[SHOWN_MAX] = "";
    size_t used = 0;
    show(name, &used, "", column->name);
    return sw_run_assume(run, "type %s %.*s: taken over from the saved state %s", name, (int)column->type.len, (const char *)column->type.at, file) ? SW_OK
                                                                                                                                                   : sw_fail_memory(error, "the report", 0);
}

/* The key of one table of a saved state must be that of the run. `first`: undeclared types are taken over. */
static enum sw_code take_key(struct sw_run *run, const struct sw_state_table *table, const char *file, bool first, struct sw_error *error)
{
    struct sw_key_declaration *keys = run->keys;
    const struct sw_mapping *mapping = &run->mapping;
    size_t at = run->tables ? sw_mapping_find_table(mapping, table->name) : 0;
    if (run->tables && at == mapping->table_count)
        return SW_OK; /* a table that is not in scope */
    if (run->tables) {
        keys = run->table_keys + at * SW_KEY_COLUMNS_MAX;
        mapping = mapping->tables[at].mapping;
    }
    uint32_t count = (uint32_t)mapping->key_count;
    bool same = table->key_count == count;
    for (uint32_t i = 0; i < count && same; i++)
        same = sw_bytes_equal(table->keys[i].name, keys[i].name);
    if (!same) {
        char saved[SHOWN_MAX] = "", declared[SHOWN_MAX] = "";
        size_t used = 0;
        for (uint32_t i = 0; i < table->key_count; i++)
            show(saved, &used, ", ", table->keys[i].name);
        used = 0;
        for (uint32_t i = 0; i < count; i++)
            show(declared, &used, ", ", sw_bytes_text(mapping->keys[i]));
        return sw_fail(error, SW_ERR_USAGE, "the key is %s in the saved state %s, and %s in this run; declare the same --key, or start from the inputs again", saved, file, declared);
    }
    enum sw_code code = SW_OK;
    for (uint32_t i = 0; i < count && code == SW_OK; i++) {
        struct sw_type type;
        code = read_type(&type, &table->keys[i], file, error);
        if (code < 0 || sw_type_equal(&type, &keys[i].type))
            continue;
        if (keys[i].declared || !first)
            return refuse_type(&table->keys[i], &keys[i].type, file, error);
        keys[i].type = type;
        keys[i].declared = true;
        code = assume_type(run, &table->keys[i], file, error);
    }
    return code;
}

/* Columns are made known before anything is read, so that every input has them with the type of the saved state. */
static enum sw_code take_columns(struct sw_run *run, const struct sw_state_table *from, const char *file, struct sw_error *error)
{
    struct sw_bytes name = from->name;
    const struct sw_key_declaration *keys = run->keys;
    const struct sw_mapping *mapping = &run->mapping;
    if (run->tables) {
        size_t at = sw_mapping_find_table(mapping, name);
        if (at == mapping->table_count)
            return SW_OK;
        keys = run->tables[at].keys;
        mapping = run->tables[at].mapping;
        name = sw_bytes_text(mapping->table);
    } else if (run->mapping.table) { /* as its records are bound: in full, by its last part, or unnamed */
        struct sw_bytes scope = sw_bytes_text(run->mapping.table);
        bool last_part = name.len > scope.len && name.at[name.len - scope.len - 1] == '.' && memcmp(name.at + name.len - scope.len, scope.at, scope.len) == 0;
        if (name.len && !last_part && !sw_bytes_equal(name, scope))
            return SW_OK;
        name = scope;
    }
    const struct sw_table *table = sw_schema_table(run->reading.schema, name, keys, (uint32_t)mapping->key_count);
    enum sw_code code = table ? SW_OK : sw_schema_no_table(run->reading.schema, error);
    for (uint32_t i = 0; i < from->column_count && code == SW_OK; i++) {
        const struct sw_column_rule *rule = sw_mapping_column(mapping, from->columns[i].name);
        struct sw_type type;
        if (rule && rule->ignored)
            continue;
        code = read_type(&type, &from->columns[i], file, error);
        if (code == SW_OK && rule && rule->has_type && !sw_type_equal(&type, &rule->type))
            code = refuse_type(&from->columns[i], &rule->type, file, error);
        if (code < 0)
            break;
        bool typed = type.kind != SW_TYPE_ANY;
        const struct sw_column *column = sw_schema_column(run->reading.schema, table->id, from->columns[i].name, &type, typed, false);
        if (!column)
            code = sw_schema_no_column(run->reading.schema, error);
        else if (!sw_type_equal(&column->type, &type)) /* of another saved state */
            code = refuse_type(&from->columns[i], &column->type, file, error);
        else if (typed && !(rule && rule->has_type))
            code = assume_type(run, &from->columns[i], file, error);
    }
    return code;
}

/* Declarations that shaped the records of the saved state and are not repeated: they cannot be undone, so they are told. */
static enum sw_code note_declared(struct sw_run *run, const struct sw_state_header *header, const char *file, struct sw_error *error)
{
    static const char *const elsewhere[] = {"type ", "key ", "table ", "scope ", "order", "cut ", "compare ", "expected_deletes ", "conflicts ", "space", "baseline_position ", NULL};
    for (uint32_t i = 0; i < header->declared_count; i++) {
        struct sw_bytes line = header->declared[i], rest = sw_buffer_view(&run->mapping.declared);
        bool known = false;
        for (const char *const *word = elsewhere; *word && !known; word++)
            known = sw_bytes_begin_text(line, *word);
        while (rest.len && !known) {
            const uint8_t *end = memchr(rest.at, '\n', rest.len);
            size_t len = end ? (size_t)(end - rest.at) : rest.len;
            known = sw_bytes_equal(line, sw_bytes_of(rest.at, len));
            rest = sw_bytes_of(rest.at + len + (end != NULL), rest.len - len - (end != NULL));
        }
        if (!known && line.len > 6 && memcmp(line.at, "table ", 6) == 0)
            return sw_fail(error, SW_ERR_USAGE, "the saved state %s holds the table %.*s alone, and this run %s; declare the same --table, or start from the inputs again", file,
                           (int)(line.len < SHOWN_MAX ? line.len - 6 : SHOWN_MAX), (const char *)line.at + 6, run->mapping.table ? "declares another one" : "declares none");
        if (!known && !sw_run_assume(run, "the saved state %s was made under '%.*s', which this run does not declare: its records are what that made of them", file,
                                     (int)(line.len < SHOWN_MAX ? line.len : SHOWN_MAX), (const char *)line.at))
            return sw_fail_memory(error, "the report", line.len);
    }
    return SW_OK;
}

enum sw_code sw_run_take_saved(struct sw_run *run, struct sw_error *error)
{
    struct sw_read_role *role = &run->reading.roles[SW_ROLE_BASELINE];
    bool first = true;
    if (run->options->save_state_file && run->reading.order && run->reading.order->arrival)
        return sw_fail(error, SW_ERR_USAGE, "--save-state: the order '%s' is the place in this run's inputs, and another run has other inputs; declare an order that the records carry",
                       run->reading.order->name);
    enum sw_code code = SW_OK;
    if (role->format != &sw_format_state)
        return sw_run_intern_tables(run, error);
    role->any_csv = role->any_json = false;
    for (uint32_t i = 0; i < role->input_count && code == SW_OK; i++) {
        const char *file = locator_of(role, i);
        struct sw_bytes line;
        code = find_header(&line, role->source, i, run->reading.record_bytes_max, error);
        if (code == SW_OK)
            code = sw_state_header_read(&role->inputs[i].state, line, error);
        if (code < 0) {
            sw_error_place(error, file, 1, 0, 0);
            return code;
        }
        const struct sw_state_header *header = role->inputs[i].state;
        role->any_csv |= header->csv;
        role->any_json |= header->json;
        code = take_order(run, header, file, error);
        for (uint32_t t = 0; t < header->table_count && code == SW_OK; t++, first = false)
            code = take_key(run, &header->tables[t], file, run->tables ? i == 0 : first, error);
        if (code == SW_OK)
            code = note_declared(run, header, file, error);
        if (code == SW_OK)
            code = sw_saved_take_transactions(run, i, file, error);
    }
    if (code == SW_OK)
        code = sw_run_intern_tables(run, error); /* their keys have their types now */
    for (uint32_t i = 0; i < role->input_count && code == SW_OK; i++)
        for (uint32_t t = 0; t < role->inputs[i].state->table_count && code == SW_OK; t++)
            code = take_columns(run, &role->inputs[i].state->tables[t], locator_of(role, i), error);
    return code;
}

static enum sw_code take_position(struct sw_run *run, const struct sw_state_header *header, const char *file, struct sw_error *error)
{
    struct sw_reading *reading = &run->reading;
    char text[SHOWN_MAX] = "";
    size_t used = 0;
    if (!header->has_position)
        return reading->covered_count ? sw_fail(error, SW_ERR_USAGE, "the saved state %s was made without --baseline-position, this run declares %s; what it covers stands in the saved state as events", file,
                                                run->mapping.baseline_position)
                                      : SW_OK;
    show(text, &used, "", header->position);
    struct sw_declared_positions taken = {0};
    char *position = sw_strndup((const char *)header->position.at, header->position.len), *under = sw_strndup((const char *)header->position_space.at, header->position_space.len);
    enum sw_code code = position && under ? SW_OK : sw_fail_memory(error, "a position", header->position.len);
    if (code == SW_OK)
        code = sw_run_parse_positions(&taken, run, "baselinePosition", position, under, error);
    sw_free(under);
    if (code == SW_ERR_USAGE)
        code = sw_fail(error, SW_ERR_INPUT, "the saved state %s: its baselinePosition %s is no position of its order", file, text);
    if (code == SW_OK && reading->covered_count && !sw_declared_positions_equal(&taken, &run->covered))
        code = sw_fail(error, SW_ERR_USAGE, "the saved state %s was made with --baseline-position %s, this run has %s", file, text, run->mapping.baseline_position);
    if (code < 0 || reading->covered_count) {
        sw_declared_positions_free(&taken);
        sw_free(position);
        return code;
    }
    run->covered = taken;
    run->mapping.baseline_position = run->taken_position = position;
    reading->covered = taken.cuts;
    reading->covered_count = taken.count;
    if (!sw_run_assume(run, "baseline_position %s: taken over from the saved state %s", text, file))
        return sw_fail_memory(error, "the report", 0);
    return SW_OK;
}

enum sw_code sw_run_take_saved_position(struct sw_run *run, struct sw_error *error)
{
    const struct sw_read_role *role = &run->reading.roles[SW_ROLE_BASELINE];
    enum sw_code code = SW_OK;
    for (uint32_t i = 0; i < role->input_count && code == SW_OK; i++)
        if (role->inputs[i].state)
            code = take_position(run, role->inputs[i].state, locator_of(role, i), error);
    return code;
}

enum sw_code sw_run_check_saved(struct sw_run *run, struct sw_error *error)
{
    const struct sw_read_role *role = &run->reading.roles[SW_ROLE_BASELINE];
    for (uint32_t i = 0; i < role->input_count; i++) {
        const struct sw_saved_lines *saved = &role->inputs[i].saved;
        if (!role->inputs[i].state)
            continue;
        if (saved->ends == 0)
            return sw_fail(error, SW_ERR_INPUT, "the saved state %s is cut: its last line, which counts its records, is missing", locator_of(role, i));
        if (saved->ends > 1 || saved->records != saved->end_records)
            return sw_fail(error, SW_ERR_INPUT, "the saved state %s is damaged: its last line counts %llu records, %llu were read", locator_of(role, i),
                           (unsigned long long)saved->end_records, (unsigned long long)saved->records);
        if (saved->sum != saved->end_sum)
            return sw_fail(error, SW_ERR_INPUT, "the saved state %s was changed after it was written: the sum over its lines is %016llx, its last line says %016llx", locator_of(role, i),
                           (unsigned long long)saved->sum, (unsigned long long)saved->end_sum);
    }
    return SW_OK;
}

/* Writing. */

static void add_escaped(struct sw_buffer *out, struct sw_bytes bytes)
{
    for (size_t i = 0; i < bytes.len; i++) {
        sw_buffer_add_byte(out, bytes.at[i]);
        if (bytes.at[i] == 0)
            sw_buffer_add_byte(out, 0xff);
    }
    sw_buffer_add(out, "\0", 2);
}

/* Truncates first; then by table and key, and of a key what has no version (baseline, reads, others) before space and version; what is of open transactions stands
 * behind all that, one transaction after the other. Ties are broken by the text of the line. */
static void sort_key(struct sw_buffer *out, const struct sw_run *run, const struct sw_record *record, const struct sw_bytes *open)
{
    if (open) {
        sw_buffer_add_byte(out, 2);
        add_escaped(out, *open);
    }
    sw_buffer_add_byte(out, record->key.len != 0);
    sw_finding_sort_key(out, run->reading.schema, record->table, record->key);
    if (record->flags & SW_RECORD_VERSION) {
        sw_buffer_add_byte(out, 3);
        add_escaped(out, sw_spaces_text(run->reading.spaces, record->space));
        add_escaped(out, record->version);
    } else {
        sw_buffer_add_byte(out, record->role == SW_ROLE_BASELINE ? 0 : record->flags & SW_RECORD_READ ? 1 : 2);
    }
}

enum sw_code sw_run_saved_line(struct sw_buffer *key, struct sw_buffer *line, const struct sw_run *run, const struct sw_record *record, struct sw_error *error)
{
    const struct sw_state_names names = {run->reading.schema, run->reading.order, run->reading.spaces};
    struct sw_bytes id;
    const struct sw_bytes *open = sw_saved_is_open(&id, run, record) ? &id : NULL;
    sort_key(key, run, record, open);
    bool complete = sw_state_record_write(line, record, open, &names);
    if (key->failed || line->failed)
        return sw_fail_memory(error, "a saved record", line->len);
    return complete ? SW_OK : sw_fail(error, SW_ERR_INTERNAL, "a record would not read back from the saved state, which is not written: %.*s; please report this",
                                      (int)(line->len < 300 ? line->len : 300), (const char *)line->at);
}

static bool copy_bytes(struct sw_bytes *out, struct sw_bytes from)
{
    char *copy = sw_strndup(from.len ? (const char *)from.at : "", from.len);
    *out = sw_bytes_of(copy, copy ? from.len : 0);
    return copy != NULL;
}

static bool describe_column(struct sw_state_column *out, const struct sw_column *column)
{
    struct sw_buffer type = {0};
    sw_type_print(&type, &column->type);
    bool complete = !type.failed && copy_bytes(&out->name, column->name) && copy_bytes(&out->type, sw_buffer_view(&type));
    sw_buffer_free(&type);
    return complete;
}

static int by_column_name(const void *a, const void *b)
{
    const struct sw_state_column *left = a, *right = b;
    return sw_bytes_compare(left->name, right->name);
}

static int by_table_name(const void *a, const void *b)
{
    const struct sw_state_table *left = a, *right = b;
    return sw_bytes_compare(left->name, right->name);
}

static bool describe_table(struct sw_state_table *out, const struct sw_run *run, const struct sw_table *table)
{
    uint32_t columns = sw_schema_column_count(run->reading.schema);
    out->keys = sw_calloc(table->key_count, sizeof *out->keys);
    out->columns = sw_calloc(columns, sizeof *out->columns);
    bool complete = out->keys && out->columns && copy_bytes(&out->name, table->name);
    for (uint32_t i = 0; i < table->key_count && complete; i++)
        complete = describe_column(&out->keys[out->key_count++], table->keys[i]);
    for (uint32_t id = 0; id < columns && complete; id++) {
        const struct sw_column *column = sw_schema_column_at(run->reading.schema, id);
        if (column->table == table->id && run->in_evidence[id])
            complete = describe_column(&out->columns[out->column_count++], column);
    }
    if (complete && out->column_count)
        qsort(out->columns, out->column_count, sizeof *out->columns, by_column_name);
    return complete;
}

static bool describe_declared(struct sw_state_header *header, struct sw_bytes lines)
{
    size_t count = 0;
    for (size_t i = 0; i < lines.len; i++)
        count += lines.at[i] == '\n';
    header->declared = sw_calloc(count, sizeof *header->declared);
    bool complete = header->declared != NULL;
    while (complete && header->declared_count < count) {
        const uint8_t *end = memchr(lines.at, '\n', lines.len);
        size_t len = (size_t)(end - lines.at);
        complete = copy_bytes(&header->declared[header->declared_count++], sw_bytes_of(lines.at, len));
        lines = sw_bytes_of(end + 1, lines.len - len - 1);
    }
    return complete;
}

/* Which transactions this run and those before it have seen. Unknown as soon as one of them was not scanned: a set that lacks some would show gaps. */
static bool describe_seen(struct sw_state_header *header, const struct sw_run *run)
{
    const struct sw_read_role *baseline = &run->reading.roles[SW_ROLE_BASELINE];
    struct sw_buffer text = {0}, printed = {0};
    struct sw_gtid_set set = {0};
    bool known = false;
    for (uint32_t i = 0; i < run->report.evidence_count && !known; i++) {
        const struct sw_continuity_evidence *evidence = &run->report.evidence[i];
        known = evidence->same_events && evidence->seen;
        if (known)
            sw_buffer_add_text(&text, evidence->seen);
    }
    for (uint32_t i = 0; i < baseline->input_count && known; i++) {
        const struct sw_state_header *before = baseline->inputs[i].state;
        known = !before || before->seen.len;
        sw_buffer_add_byte(&text, ',');
        if (before)
            sw_buffer_add_bytes(&text, before->seen);
    }
    bool complete = !text.failed;
    if (known && complete && sw_gtid_set_parse(&set, sw_buffer_view(&text), NULL, NULL) == SW_OK) {
        sw_gtid_set_print(&printed, &set);
        complete = !printed.failed && copy_bytes(&header->seen, sw_buffer_view(&printed));
    }
    sw_gtid_set_free(&set);
    sw_buffer_free(&text);
    sw_buffer_free(&printed);
    return complete;
}

enum sw_code sw_run_saved_seen(struct sw_buffer *position, struct sw_buffer *seen, bool *known, struct sw_run *run, const char *const *locators, size_t count, struct sw_error *error)
{
    struct sw_source *source = NULL;
    struct sw_source_options options = {.block_bytes = run->options->block_bytes, .record_bytes_max = run->options->record_bytes_max, .budget = &run->budget, .threads = 1};
    enum sw_code code = count ? sw_source_open(&source, locators, count, &options, error) : SW_OK;
    *known = true;
    for (uint32_t i = 0; source && i < sw_source_input_count(source) && code == SW_OK; i++) {
        struct sw_state_header *header = NULL;
        struct sw_bytes line;
        if (!sw_state_recognise(sw_source_input(source, i)->head))
            continue;
        code = find_header(&line, source, i, run->reading.record_bytes_max, error);
        if (code == SW_OK)
            code = sw_state_header_read(&header, line, error);
        if (code < 0) {
            sw_error_place(error, sw_source_input(source, i)->locator, 1, 0, 0);
            break;
        }
        *known &= header->seen.len != 0;
        if (position->len && header->has_position)
            sw_buffer_add_byte(position, ',');
        sw_buffer_add_bytes(position, header->position);
        if (seen->len)
            sw_buffer_add_byte(seen, ',');
        sw_buffer_add_bytes(seen, header->seen);
        sw_state_header_free(&header);
    }
    sw_source_close(&source);
    return code == SW_OK && (position->failed || seen->failed) ? sw_fail_memory(error, "a set of GTIDs", 0) : code;
}

static bool describe_run(struct sw_state_header *header, const struct sw_run *run)
{
    const struct sw_reading *reading = &run->reading;
    uint32_t tables = sw_schema_table_count(reading->schema);
    for (int r = 0; r < SW_ROLE_EXPECTED; r++) {
        header->csv |= reading->roles[r].any_csv;
        header->json |= reading->roles[r].any_json;
        header->bad_records += reading->roles[r].bad;
    }
    header->tables = sw_calloc(tables, sizeof *header->tables);
    bool complete = header->tables && copy_bytes(&header->tool, SW_BYTES_LITERAL(SW_VERSION)) && describe_declared(header, sw_buffer_view(&run->mapping.declared));
    if (reading->order)
        complete = complete && copy_bytes(&header->order, sw_bytes_text(reading->order->name));
    if (run->mapping.baseline_position) {
        header->has_position = true;
        complete = complete && copy_bytes(&header->position, sw_bytes_text(run->mapping.baseline_position)) &&
                   copy_bytes(&header->position_space, sw_bytes_text(run->mapping.space ? run->mapping.space : ""));
    }
    complete = complete && describe_seen(header, run) && sw_saved_describe_transactions(header, run);
    for (uint32_t t = 0; t < tables && complete; t++)
        complete = describe_table(&header->tables[header->table_count++], run, sw_schema_table_at(reading->schema, t));
    if (complete && header->table_count)
        qsort(header->tables, header->table_count, sizeof *header->tables, by_table_name);
    return complete;
}

static enum sw_code write_header(struct sw_buffer *out, const struct sw_run *run, struct sw_error *error)
{
    struct sw_state_header *header = sw_calloc(1, sizeof *header);
    bool complete = header && describe_run(header, run);
    if (complete)
        sw_state_header_write(out, header);
    sw_state_header_free(&header);
    return complete && !out->failed ? SW_OK : sw_fail_memory(error, "the header of a saved state", 0);
}

/* Truncates are records of no key, so that the fold does not send them: a key that only a later run sees was truncated too. */
static enum sw_code save_truncates(struct sw_run *run, struct sw_error *error)
{
    struct sw_run_batch batch = {0};
    struct sw_buffer key = {0}, line = {0};
    enum sw_code code = SW_OK;
    for (uint32_t i = 0; i < run->rules.truncate_count && code == SW_OK; i++) {
        struct sw_record record = run->rules.truncates[i];
        record.role = SW_ROLE_EVENTS;
        key.len = line.len = 0;
        code = sw_run_saved_line(&key, &line, run, &record, error);
        if (code == SW_OK && !sw_run_batch_add(&batch, sw_buffer_view(&key), sw_buffer_view(&line)))
            code = sw_fail_memory(error, "a truncate", line.len);
    }
    if (code == SW_OK)
        code = sw_run_batch_end(&batch, run->saved, error);
    sw_run_batch_free(&batch);
    sw_buffer_free(&key);
    sw_buffer_free(&line);
    return code;
}

enum sw_code sw_run_write_saved(struct sw_run *run, struct sw_output_file *file, struct sw_error *error)
{
    struct sw_run_merge *merge = NULL;
    struct sw_buffer out = {0};
    struct sw_bytes key, line;
    uint64_t records = 0, sum = 0;
    enum sw_code code = write_header(&out, run, error);
    if (code == SW_OK)
        code = save_truncates(run, error);
    if (code == SW_OK)
        code = sw_run_merge_open(&merge, run->saved, error);
    while (code == SW_OK && (code = sw_run_merge_next(&key, &line, merge, error)) == SW_OK) {
        sw_buffer_add_bytes(&out, line);
        records++;
        sum += sw_state_line_sum(sw_bytes_of(line.at, line.len - 1));
        if (out.failed)
            code = sw_fail_memory(error, "a saved record", line.len);
        else if (out.len >= FLUSH_BYTES) {
            code = sw_output_file_write(file, sw_buffer_view(&out), error);
            out.len = 0;
        }
    }
    if (code >= 0) {
        size_t before = out.len;
        if (run->reading.roles[SW_ROLE_BASELINE].bad_unattributed + run->reading.roles[SW_ROLE_EVENTS].bad_unattributed) {
            sw_state_unattributed_write(&out);
            records++;
            if (!out.failed)
                sum += sw_state_line_sum(sw_bytes_of(out.at + before, out.len - before - 1));
        }
        sw_state_end_write(&out, records, sum);
        code = out.failed ? sw_fail_memory(error, "a saved record", 0) : sw_output_file_write(file, sw_buffer_view(&out), error);
    }
    sw_buffer_free(&out);
    sw_run_merge_close(&merge);
    return code;
}

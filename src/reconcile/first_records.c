/* The first records of each input, read ahead of all: what they say of the key columns has to be known before the first table is made. */
#include "reconcile/run.h"
#include "base/memory.h"
#include "text/json_reader.h"

#define RECORDS_LOOKED_AT 64

static void drop_bindings(void *pointer)
{
    struct sw_binding_set *bindings = pointer;
    sw_binding_set_free(&bindings);
}

enum sw_code sw_run_look_at_head(struct sw_run *run, const struct sw_input *input, unsigned depth, sw_look_fn look, void *ctx, struct sw_error *error)
{
    struct sw_buffer head = {0};
    struct sw_json_reader json;
    enum sw_code code = SW_OK;
    sw_buffer_add_bytes(&head, input->head);
    if (!sw_buffer_reserve(&head, SW_BLOCK_PADDING) || head.failed) {
        sw_buffer_free(&head);
        return sw_fail_memory(error, "the head of an input", input->head.len);
    }
    memset(head.at + head.len, 0, SW_BLOCK_PADDING);
    sw_json_reader_init(&json, run->reading.kernel, depth, drop_bindings);
    const uint8_t *end = head.at + head.len, *at = sw_json_skip_space(head.at, end);
    if (input->framing == SW_FRAMING_ARRAY && at < end && *at == '[')
        at++;
    for (unsigned records = 0; records < RECORDS_LOOKED_AT && code == SW_OK; records++) {
        struct sw_json_template *template;
        at = sw_json_skip_space(at, end);
        if (at < end && *at == ',' && input->framing == SW_FRAMING_ARRAY)
            at = sw_json_skip_space(at + 1, end);
        const uint8_t *after = at < end ? sw_json_read(&template, &json, at, end) : NULL;
        if (at < end && !after && json.problem.no_memory)
            code = sw_fail_memory(error, "the first records of an input", input->head.len);
        if (!after) { /* a line that is no record tells nothing; the next one may (headings of psql, a torn line) */
            const uint8_t *newline = input->framing == SW_FRAMING_LINES && at < end && code == SW_OK ? memchr(at, '\n', (size_t)(end - at)) : NULL;
            if (!newline)
                break;
            at = newline + 1;
            records--;
            continue;
        }
        if (template->nodes[0].object)
            code = look(ctx, template, &(struct sw_example){template, json.tokens, at, input->fields, NULL, sw_run_table_of(run, input)}, error);
        at = after;
    }
    sw_json_reader_free(&json);
    sw_buffer_free(&head);
    return code;
}

#define EXPANSIONS_MAX 2 /* a record in an envelope, and its rows */

struct learner {
    struct sw_bind_context context;
    const struct sw_format *format;
    const char *table;                          /* of rows: see sw_example */
    struct sw_json_reader rows[EXPANSIONS_MAX]; /* of what records are expanded to */
    struct sw_buffer expanded[EXPANSIONS_MAX];
};

static enum sw_code learn_from(struct learner *learner, unsigned level, const struct sw_format *format, struct sw_json_template *template,
                               const struct sw_example *example, struct sw_error *error)
{
    char problem[256];
    if (!format->expand || level == EXPANSIONS_MAX) {
        struct sw_binding_set *set = template->binding;
        struct sw_binding *binding = sw_binding_find(&set, format, &learner->context, example, error);
        template->binding = set;
        return binding ? SW_OK : error->code;
    }
    struct sw_buffer *expanded = &learner->expanded[level];
    struct sw_json_reader *json = &learner->rows[level];
    expanded->len = 0;
    if (!format->expand(expanded, example, problem) && !expanded->failed)
        return SW_OK; /* judged when it is read */
    size_t len = expanded->len;
    if (expanded->failed || !sw_buffer_reserve(expanded, SW_BLOCK_PADDING))
        return sw_fail_memory(error, "an expanded record", len);
    memset(expanded->at + len, 0, SW_BLOCK_PADDING);
    const uint8_t *at = expanded->at, *end = at + len;
    enum sw_code code = SW_OK;
    while (at < end && code == SW_OK) {
        struct sw_json_template *rows;
        const uint8_t *after = sw_json_read(&rows, json, at, end);
        if (!after && json->problem.no_memory)
            code = sw_fail_memory(error, "an expanded record", len);
        if (!after)
            break;
        const struct sw_example row = {rows, json->tokens, at, NULL, NULL, example->table};
        const struct sw_format *row_format = format->inner ? format->inner(&row) : format;
        code = learn_from(learner, row_format == format ? EXPANSIONS_MAX : level + 1, row_format, rows, &row, error);
        at = after < end ? after + 1 : end;
    }
    return code;
}

static enum sw_code learn(void *ctx, struct sw_json_template *template, const struct sw_example *example, struct sw_error *error)
{
    struct learner *learner = ctx;
    return learn_from(learner, 0, learner->format, template, example, error);
}

struct opener {
    const struct sw_format *wrapper, *inner;
    struct sw_json_reader json;
    struct sw_buffer expanded;
};

static enum sw_code open_record(void *ctx, struct sw_json_template *template, const struct sw_example *example, struct sw_error *error)
{
    struct opener *opener = ctx;
    char problem[256];
    (void)template;
    opener->expanded.len = 0;
    if (opener->inner || !opener->wrapper->expand(&opener->expanded, example, problem))
        return SW_OK;
    size_t len = opener->expanded.len;
    if (!sw_buffer_reserve(&opener->expanded, SW_BLOCK_PADDING) || opener->expanded.failed)
        return sw_fail_memory(error, "an expanded record", len);
    memset(opener->expanded.at + len, 0, SW_BLOCK_PADDING);
    struct sw_json_template *inside;
    if (sw_json_read(&inside, &opener->json, opener->expanded.at, opener->expanded.at + len)) {
        const struct sw_format *format = opener->wrapper->inner(&(struct sw_example){.template = inside, .tokens = opener->json.tokens, .record = opener->expanded.at});
        opener->inner = format == opener->wrapper ? NULL : format; /* a tombstone tells nothing */
    }
    return SW_OK;
}

enum sw_code sw_run_find_inner(struct sw_run *run, enum sw_role role, struct sw_error *error)
{
    struct sw_read_role *to = &run->reading.roles[role];
    struct opener opener = {.wrapper = to->format};
    unsigned depth = to->format->depth(&run->mapping, role);
    enum sw_code code = SW_OK;
    sw_json_reader_init(&opener.json, run->reading.kernel, depth, drop_bindings);
    for (uint32_t i = 0; i < sw_source_input_count(to->source) && code == SW_OK && !opener.inner; i++)
        if (sw_input_is_json(sw_source_input(to->source, i)))
            code = sw_run_look_at_head(run, sw_source_input(to->source, i), depth, open_record, &opener, error);
    to->inner = opener.inner;
    sw_json_reader_free(&opener.json);
    sw_buffer_free(&opener.expanded);
    return code;
}

/* Rows say it before the first of them: in their columns. */
static enum sw_code learn_from_columns(struct learner *learner, const struct sw_input *input, struct sw_error *error)
{
    struct sw_json_template *header;
    struct sw_binding_set *set = NULL;
    enum sw_code code = sw_read_row_header(&header, input, error);
    if (code != SW_OK)
        return code;
    struct sw_token *none = sw_calloc(header->node_count, sizeof *none); /* all absent */
    const struct sw_example example = {header, none, (const uint8_t *)"", input->fields, NULL, learner->table};
    struct sw_bind_context context = learner->context;
    context.csv = true;
    if (!none)
        code = sw_fail_memory(error, "columns", header->node_count * sizeof *none);
    else if (!sw_binding_find(&set, learner->format, &context, &example, error))
        code = error->code;
    sw_binding_set_free(&set);
    sw_free(none);
    sw_read_header_free(&header);
    return code;
}

/* With the run's own schema: what a catalogue says of a column holds whoever comes first with a record of it. */
enum sw_code sw_run_intern_row_columns(struct sw_run *run, struct sw_error *error)
{
    enum sw_code code = SW_OK;
    for (int role = 0; role < SW_ROLE_COUNT; role++) {
        struct sw_read_role *from = &run->reading.roles[role];
        struct learner learner = {.format = from->format, .context = from->context};
        for (uint32_t i = 0; from->source && i < sw_source_input_count(from->source) && code == SW_OK; i++)
            if (sw_source_input(from->source, i)->rows) {
                learner.table = sw_run_table_of(run, sw_source_input(from->source, i));
                code = learn_from_columns(&learner, sw_source_input(from->source, i), error);
            }
    }
    return code;
}

static enum sw_code learn_role(struct sw_run *run, enum sw_role role, struct sw_learned_key *learned, struct sw_error *error)
{
    struct sw_read_role *from = &run->reading.roles[role];
    struct sw_schema *scratch = sw_schema_new();
    if (!scratch)
        return sw_fail_memory(error, "the schema", 0);
    struct learner learner = {.format = from->format, .context = from->context};
    unsigned depth = from->format->depth(&run->mapping, role);
    learner.context.schema = scratch;
    struct sw_format_notes notes = {.lock = PTHREAD_MUTEX_INITIALIZER}; /* of how many tables the records are */
    learner.context.notes = &notes;
    learner.context.learned = learned;
    for (unsigned i = 0; i < EXPANSIONS_MAX; i++)
        sw_json_reader_init(&learner.rows[i], run->reading.kernel, depth, drop_bindings);
    enum sw_code code = SW_OK;
    for (uint32_t i = 0; i < sw_source_input_count(from->source) && code == SW_OK; i++) {
        const struct sw_input *input = sw_source_input(from->source, i);
        learner.table = sw_run_table_of(run, input);
        if (input->rows)
            code = learn_from_columns(&learner, input, error);
        else if (sw_input_is_json(input))
            code = sw_run_look_at_head(run, input, depth, learn, &learner, error);
    }
    for (unsigned i = 0; i < EXPANSIONS_MAX; i++) {
        sw_json_reader_free(&learner.rows[i]);
        sw_buffer_free(&learner.expanded[i]);
    }
    sw_format_notes_free(&notes);
    sw_schema_free(&scratch);
    return code;
}

struct key_names {
    const struct sw_format *format;
    struct sw_bind_context context;
    const struct sw_input *input, *first_input;
    struct sw_buffer names, first;  /* each with a NUL behind it */
    struct sw_buffer lines;         /* "\n  --table NAME --key A,B" of each table, once */
    uint32_t tables;
    bool differ;
    struct sw_json_reader json;     /* of the rows that a record is expanded to */
    struct sw_buffer expanded;
};

#define TABLES_SHOWN 12u

/* The options that read one table of several, as a line to copy. */
static void add_line(struct key_names *keys, const struct sw_table *table)
{
    struct sw_buffer line = {0};
    sw_buffer_printf(&line, "\n  --table %.*s --key ", (int)(table->name.len < 100 ? table->name.len : 100), (const char *)table->name.at);
    for (size_t at = 0; at < keys->names.len; at += strlen((const char *)keys->names.at + at) + 1)
        sw_buffer_printf(&line, "%s%.60s", at ? "," : "", (const char *)keys->names.at + at);
    sw_buffer_add_byte(&line, 0);
    if (line.failed) {
        keys->lines.failed = true;
        sw_buffer_free(&line);
        return;
    }
    const char *known = keys->lines.len ? strstr((const char *)keys->lines.at, (const char *)line.at) : NULL;
    size_t len = line.len - 1;
    bool whole = known && (known[len] == '\n' || known[len] == '\0');
    if (!whole) {
        keys->lines.len -= keys->lines.len != 0; /* its NUL */
        if (keys->tables++ < TABLES_SHOWN)
            sw_buffer_add(&keys->lines, line.at, len);
        sw_buffer_add_byte(&keys->lines, 0);
    }
    sw_buffer_free(&line);
}

static enum sw_code compare_names(struct key_names *keys, const struct sw_format *format, bool *named, struct sw_json_template *template, const struct sw_example *example, struct sw_error *error)
{
    struct sw_binding_set *set = template->binding;
    const struct sw_binding *binding = sw_binding_find(&set, format, &keys->context, example, error);
    *named = true;
    template->binding = set;
    if (!binding || binding->other_table || binding->not_row_change)
        return binding ? SW_OK : error->code;
    keys->names.len = 0;
    if (!(*named = format->names_keys(&keys->names, example)))
        return SW_OK;
    if (!keys->first_input) {
        keys->first_input = keys->input;
        sw_buffer_add_bytes(&keys->first, sw_buffer_view(&keys->names));
    }
    if (keys->names.failed || keys->first.failed)
        return sw_fail_memory(error, "names of key columns", keys->names.len);
    if (binding->table && binding->table->name.len) {
        add_line(keys, binding->table);
        keys->differ |= !sw_bytes_equal(sw_buffer_view(&keys->names), sw_buffer_view(&keys->first));
        return keys->lines.failed ? sw_fail_memory(error, "names of key columns", keys->lines.len) : SW_OK;
    }
    if (sw_bytes_equal(sw_buffer_view(&keys->names), sw_buffer_view(&keys->first)))
        return SW_OK;
    return sw_fail(error, SW_ERR_USAGE, "no key is declared, and the records do not agree: in %s the key begins with '%.60s', in %s with '%.60s', or goes on otherwise; --key COLUMN[,COLUMN…] names it, and --table the table that is meant",
                   keys->first_input->locator, (const char *)keys->first.at, keys->input->locator, (const char *)keys->names.at);
}

/* Of a record, or of its rows where it names no key itself, or of what stands in its envelope. */
static enum sw_code compare_names_of_rows(void *ctx, struct sw_json_template *template, const struct sw_example *example, struct sw_error *error)
{
    struct key_names *keys = ctx;
    struct sw_buffer *rows = &keys->expanded;
    char problem[256];
    bool named;
    bool opens = keys->format->inner; /* an envelope names no key; what it holds may */
    enum sw_code code = opens ? SW_OK : compare_names(keys, keys->format, &named, template, example, error);
    if (code != SW_OK || (!opens && named) || !keys->format->expand)
        return code;
    rows->len = 0;
    if (!keys->format->expand(rows, example, problem) && !rows->failed)
        return SW_OK; /* judged when it is read */
    size_t len = rows->len;
    if (rows->failed || !sw_buffer_reserve(rows, SW_BLOCK_PADDING))
        return sw_fail_memory(error, "an expanded record", len);
    memset(rows->at + len, 0, SW_BLOCK_PADDING);
    for (const uint8_t *at = rows->at, *end = at + len; at < end && code == SW_OK;) {
        struct sw_json_template *row;
        const uint8_t *after = sw_json_read(&row, &keys->json, at, end);
        if (!after)
            return keys->json.problem.no_memory ? sw_fail_memory(error, "an expanded record", len) : SW_OK;
        const struct sw_example inside = {row, keys->json.tokens, at, NULL, NULL, example->table};
        const struct sw_format *format = opens ? keys->format->inner(&inside) : keys->format;
        if (format->names_keys)
            code = compare_names(keys, format, &named, row, &inside, error);
        at = after < end ? after + 1 : end;
    }
    return code;
}

enum sw_code sw_run_name_keys(struct sw_run *run, struct sw_error *error)
{
    struct sw_read_role *events = &run->reading.roles[SW_ROLE_EVENTS];
    struct key_names keys = {.format = events->format, .context = events->context};
    enum sw_code code = SW_OK;
    keys.context.notes = NULL;
    keys.context.one_table = false; /* each by its own name */
    keys.context.schema = sw_schema_new();
    if (!keys.context.schema)
        return sw_fail_memory(error, "the schema", 0);
    sw_json_reader_init(&keys.json, run->reading.kernel, keys.format->depth(&run->mapping, SW_ROLE_EVENTS), drop_bindings);
    for (uint32_t i = 0; i < sw_source_input_count(events->source) && code == SW_OK; i++) {
        keys.input = sw_source_input(events->source, i);
        if (sw_input_is_json(keys.input))
            code = sw_run_look_at_head(run, keys.input, keys.format->depth(&run->mapping, SW_ROLE_EVENTS), compare_names_of_rows, &keys, error);
    }
    if (code == SW_OK && keys.differ)
        code = sw_fail(error, SW_ERR_USAGE, "no key is declared, and the first events are of several tables with keys of their own; list them in a mapping, each with its key (`tables`, docs/mapping.md), or read one table a run, with its rows as the reference:%s%s",
                       (const char *)keys.lines.at, keys.tables > TABLES_SHOWN ? "\n  and so on" : "");
    if (code == SW_OK && !keys.first_input && !sw_run_has_rows(run)) /* else a catalogue may say it */
        code = sw_fail(error, SW_ERR_USAGE, "no key is declared, and the first events do not say which columns are the key: --key COLUMN[,COLUMN…] names them");
    if (code == SW_OK && keys.first_input)
        code = sw_mapping_name_keys(&run->mapping, sw_buffer_view(&keys.first), error);
    for (size_t i = 0; keys.first_input && i < run->mapping.key_count && code == SW_OK; i++)
        if (!sw_run_assume(run, "key column %s: the events name it as the primary key", run->mapping.keys[i]))
            code = sw_fail_memory(error, "the report", 0);
    sw_json_reader_free(&keys.json);
    sw_schema_free(&keys.context.schema);
    sw_buffer_free(&keys.expanded);
    sw_buffer_free(&keys.names);
    sw_buffer_free(&keys.lines);
    sw_buffer_free(&keys.first);
    return code;
}

/* What was learned becomes the type of keys that nobody declares; `of` names the table in the sentence. */
static enum sw_code take_learned(struct sw_run *run, struct sw_key_declaration *keys, const struct sw_mapping *mapping, const char *of, const struct sw_learned_key *learned, struct sw_error *error)
{
    enum sw_code code = SW_OK;
    for (size_t i = 0; i < mapping->key_count && code == SW_OK; i++) {
        if (keys[i].declared || !learned[i].known || learned[i].contradicted)
            continue;
        keys[i].type = learned[i].type;
        struct sw_buffer text = {0};
        sw_type_print(&text, &learned[i].type);
        if (text.failed || !sw_run_assume(run, "type of the key column %s%s%s: %.*s, as the %s", mapping->keys[i], of ? " of the table " : "", of ? of : "", (int)text.len, (const char *)text.at,
                                              sw_run_has_rows(run) ? "catalogue says" : "records say"))
            code = sw_fail_memory(error, "the report", 0);
        sw_buffer_free(&text);
    }
    return code;
}

enum sw_code sw_run_learn_keys(struct sw_run *run, struct sw_error *error)
{
    size_t tables = run->mapping.table_count;
    struct sw_learned_key *learned = sw_calloc((tables ? tables : 1) * SW_KEY_COLUMNS_MAX, sizeof *learned);
    enum sw_code code = learned ? SW_OK : sw_fail_memory(error, "key columns", tables * sizeof *learned);
    for (int role = 0; role < SW_ROLE_COUNT && code == SW_OK; role++)
        if (run->reading.roles[role].source && run->reading.roles[role].types)
            code = learn_role(run, (enum sw_role)role, learned, error);
    if (code == SW_OK && !tables)
        code = take_learned(run, run->keys, &run->mapping, NULL, learned, error);
    for (size_t t = 0; t < tables && code == SW_OK; t++)
        code = take_learned(run, run->table_keys + t * SW_KEY_COLUMNS_MAX, run->tables[t].mapping, run->tables[t].mapping->table, learned + t * SW_KEY_COLUMNS_MAX, error);
    sw_free(learned);
    return code;
}

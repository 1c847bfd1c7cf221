#include "format/bind.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"
#include "format/envelope.h"
#include "text/json_value.h"
#include "text/json_walk.h"

unsigned sw_bind_depth_one(const struct sw_mapping *mapping, enum sw_role role)
{
    (void)mapping, (void)role;
    return 1;
}

void sw_bind_begin(struct sw_binding *out)
{
    out->operation_node = out->deleted_node = out->transaction_node = out->commit_node = out->null_node = out->time_node = SW_JSON_NO_NODE;
    out->membership = (struct sw_bound_membership){SW_JSON_NO_NODE, SW_JSON_NO_NODE, SW_JSON_NO_NODE, SW_JSON_NO_NODE, SW_JSON_NO_NODE, SW_JSON_NO_NODE, 0};
    for (size_t i = 0; i < SW_IDENTITY_PARTS_MAX; i++)
        out->identity[i] = SW_JSON_NO_NODE;
    for (size_t i = 0; i < SW_ORDER_FIELD_COUNT_MAX; i++)
        out->order[i] = SW_JSON_NO_NODE;
    for (size_t i = 0; i < SW_KEY_COLUMNS_MAX; i++)
        out->after.key[i] = out->before.key[i] = SW_JSON_NO_NODE;
}

void sw_bind_problem(struct sw_binding *out, const char *reason, const char *format, ...)
{
    if (out->problem[0])
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(out->problem, sizeof out->problem, format, args);
    va_end(args);
    out->problem_reason = reason;
}

uint32_t sw_bind_child(const struct sw_json_template *template, uint32_t node, struct sw_bytes name)
{
    if (!template->nodes[node].object)
        return SW_JSON_NO_NODE;
    uint32_t child = template->nodes[node].first_child;
    while (child != SW_JSON_NO_NODE && !sw_bytes_equal(sw_json_node_name(template, child), name))
        child = template->nodes[child].next;
    return child;
}

uint32_t sw_bind_node(const struct sw_json_template *template, uint32_t node, const char *path)
{
    while (*path && node != SW_JSON_NO_NODE) {
        size_t len = strcspn(path, ".");
        node = sw_bind_child(template, node, sw_bytes_of(path, len));
        path += path[len] ? len + 1 : len;
    }
    return node;
}

uint32_t sw_bind_path(const struct sw_json_template *template, const struct sw_path *path)
{
    if (path->step_count == 0)
        return SW_JSON_NO_NODE;
    uint32_t node = 0;
    for (size_t i = 0; i < path->step_count && node != SW_JSON_NO_NODE; i++)
        node = sw_bind_child(template, node, sw_bytes_text(path->steps[i]));
    return node;
}

bool sw_bind_is_object(const struct sw_json_template *template, uint32_t node)
{
    return node != SW_JSON_NO_NODE && template->nodes[node].object;
}

struct sw_token sw_bind_token(const struct sw_example *example, const char *path)
{
    uint32_t node = sw_bind_node(example->template, 0, path);
    return node == SW_JSON_NO_NODE ? (struct sw_token){.kind = SW_TOKEN_ABSENT} : sw_json_node_token(example->template, example->tokens, example->record, node);
}

bool sw_bind_text(struct sw_buffer *out, const struct sw_example *example, uint32_t node)
{
    struct sw_token token = {.kind = SW_TOKEN_ABSENT};
    if (node != SW_JSON_NO_NODE)
        token = sw_json_node_token(example->template, example->tokens, example->record, node);
    if (token.kind != SW_TOKEN_TEXT)
        return false;
    if (token.escaped)
        sw_json_unescape_add(out, sw_bytes_of(token.at, token.len));
    else
        sw_buffer_add(out, token.at, token.len);
    return !out->failed;
}

#define EXPANDED_BYTES ((size_t)64 << 20)
#define EXPANDED_TIMES 4u

bool sw_bind_repeats_too_much(char problem[256], const struct sw_buffer *expanded, const struct sw_example *example)
{
    struct sw_token whole = sw_json_node_token(example->template, example->tokens, example->record, 0);
    if (expanded->len <= EXPANDED_BYTES + EXPANDED_TIMES * (size_t)whole.len)
        return false;
    snprintf(problem, 256, "a record of %u bytes repeats so much in each of its rows that they take more than %zu: what stands in it once is too long, or its rows are too many", whole.len, EXPANDED_BYTES + EXPANDED_TIMES * (size_t)whole.len);
    return true;
}

bool sw_bind_names(struct sw_buffer *out, const struct sw_example *example, uint32_t node)
{
    return node != SW_JSON_NO_NODE && !example->template->nodes[node].object && sw_bind_names_in(out, example->tokens[node]);
}

bool sw_bind_names_in(struct sw_buffer *out, struct sw_token array)
{
    if (array.kind != SW_TOKEN_ARRAY)
        return false;
    struct sw_json_walk walk = sw_json_walk_begin(array);
    struct sw_token name;
    bool some = false;
    while (sw_json_walk_element(&name, &walk)) {
        if (name.kind != SW_TOKEN_TEXT || name.len == 0)
            return false;
        if (name.escaped)
            sw_json_unescape_add(out, sw_bytes_of(name.at, name.len));
        else
            sw_buffer_add(out, name.at, name.len);
        sw_buffer_add_byte(out, '\0');
        some = true;
    }
    return some;
}

/* Keeps the list sorted, so that what is printed does not depend on which thread came first. */
/* That there is more than one of a source is what matters. */
#define SERVERS_NOTED 256u

static bool note(char ***list, uint32_t *count, const char *text)
{
    uint32_t at = 0;
    while (at < *count && strcmp((*list)[at], text) < 0)
        at++;
    if (at < *count && strcmp((*list)[at], text) == 0)
        return true;
    char **grown = sw_realloc_array(*list, *count + 1, sizeof *grown);
    char *copy = sw_strdup(text);
    if (grown)
        *list = grown;
    if (!grown || !copy) {
        sw_free(copy);
        return false;
    }
    memmove(&grown[at + 1], &grown[at], (*count - at) * sizeof *grown);
    grown[at] = copy;
    ++*count;
    return true;
}

enum sw_code sw_bind_assume(const struct sw_binder *binder, const char *format, ...)
{
    struct sw_format_notes *notes = binder->context->notes;
    if (!notes)
        return SW_OK;
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    pthread_mutex_lock(&notes->lock);
    bool kept = note(&notes->assumed, &notes->assumed_count, text);
    pthread_mutex_unlock(&notes->lock);
    return kept ? SW_OK : sw_fail_memory(binder->error, "the report", strlen(text));
}

enum noted { ROWS, DROPPED, TOPIC };

#define TOPICS_NOTED 64u

static enum sw_code note_table(const struct sw_binder *binder, enum noted what, struct sw_bytes full)
{
    struct sw_format_notes *notes = binder->context->notes;
    if (!notes)
        return SW_OK;
    char name[256];
    snprintf(name, sizeof name, "%.*s", (int)(full.len < 200 ? full.len : 200), full.len ? (const char *)full.at : "");
    pthread_mutex_lock(&notes->lock);
    bool kept = what == DROPPED                          ? note(&notes->dropped, &notes->dropped_count, name)
                : what == ROWS                           ? note(&notes->tables, &notes->table_count, name)
                : notes->topic_count < TOPICS_NOTED      ? note(&notes->topics, &notes->topic_count, name)
                                                         : true;
    if (what == TOPIC)
        notes->declared = binder->context->mapping->table;
    pthread_mutex_unlock(&notes->lock);
    return kept ? SW_OK : sw_fail_memory(binder->error, "names of tables", full.len);
}

#define OTHER_TABLES_NOTED 64u

bool sw_format_note_other_table(struct sw_format_notes *notes, enum sw_role role, struct sw_bytes full)
{
    char name[256];
    if (!notes || !full.len || full.len > 200 || memchr(full.at, 0, full.len))
        return true;
    memcpy(name, full.at, full.len);
    name[full.len] = 0;
    pthread_mutex_lock(&notes->lock);
    char **list = notes->others[role];
    uint32_t count = notes->other_count[role];
    bool late = count == OTHER_TABLES_NOTED && strcmp(name, list[count - 1]) > 0;
    bool kept = late || note(&notes->others[role], &notes->other_count[role], name);
    if (notes->other_count[role] > OTHER_TABLES_NOTED)
        sw_free(notes->others[role][--notes->other_count[role]]);
    pthread_mutex_unlock(&notes->lock);
    return kept;
}

static struct sw_bytes scalar_at(const struct sw_example *example, uint32_t node)
{
    struct sw_token token = {.kind = SW_TOKEN_ABSENT};
    if (node != SW_JSON_NO_NODE)
        token = sw_json_node_token(example->template, example->tokens, example->record, node);
    return token.kind == SW_TOKEN_NUMBER || token.kind == SW_TOKEN_TEXT ? sw_bytes_of(token.at, token.len) : (struct sw_bytes){0};
}

enum sw_code sw_bind_server(const struct sw_binder *binder, const struct sw_example *example, uint32_t source, uint32_t server)
{
    struct sw_format_notes *notes = binder->context->notes;
    struct sw_bytes name = scalar_at(example, source), id = scalar_at(example, server);
    char text[256];
    if (!notes || !id.len || id.len > 63 || name.len > 128 || sw_bytes_is(id, "0"))
        return SW_OK;
    snprintf(text, sizeof text, "%.*s %.*s", (int)name.len, name.len ? (const char *)name.at : "", (int)id.len, (const char *)id.at);
    pthread_mutex_lock(&notes->lock);
    bool kept = notes->server_count >= SERVERS_NOTED || note(&notes->servers, &notes->server_count, text);
    pthread_mutex_unlock(&notes->lock);
    return kept ? SW_OK : sw_fail_memory(binder->error, "names of servers", strlen(text));
}

#define TABLES_TOLD 6u

/* Rows of several topics that name no table may be of several tables, unless a table is declared that none of the topics is named like. */
static enum sw_code refuse_several_topics(struct sw_format_notes *notes, struct sw_error *error)
{
    char names[TABLES_TOLD * 64 + 32] = "";
    size_t used = 0;
    pthread_mutex_lock(&notes->lock);
    uint32_t count = notes->topic_count;
    bool named = !notes->declared;
    for (uint32_t i = 0; i < count; i++)
        named |= notes->declared && sw_table_is(sw_bytes_text(notes->topics[i]), sw_bytes_text(notes->declared));
    for (uint32_t i = 0; i < count && i < TABLES_TOLD; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%.60s", i ? ", " : "", notes->topics[i]);
    const char *first = count ? notes->topics[0] : "";
    pthread_mutex_unlock(&notes->lock);
    if (count < 2 || !named)
        return SW_OK;
    return sw_fail(error, SW_ERR_USAGE, "the records are of %s%u Kafka topics (%s%s), and name no table: read one topic at a time (jq -c 'select(.topic == \"%.100s\")'), or declare with --table NAME, a name that none of the "
                   "topics has, that all of them hold one table", count == TOPICS_NOTED ? "at least " : "", count, names, count > TABLES_TOLD ? " …" : "", first);
}

enum sw_code sw_format_refuse_several_tables(struct sw_format_notes *notes, struct sw_error *error)
{
    char names[TABLES_TOLD * 64 + 32] = "";
    size_t used = 0;
    pthread_mutex_lock(&notes->lock);
    uint32_t count = notes->table_count;
    for (uint32_t i = 0; i < count && i < TABLES_TOLD; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%.60s", i ? ", " : "", notes->tables[i]);
    if (count > TABLES_TOLD)
        snprintf(names + used, sizeof names - used, " and %u more", count - TABLES_TOLD);
    const char *dropped = NULL;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < notes->dropped_count; j++)
            dropped = strcmp(notes->tables[i], notes->dropped[j]) == 0 ? notes->dropped[j] : dropped;
    pthread_mutex_unlock(&notes->lock);
    if (refuse_several_topics(notes, error) < 0)
        return error->code;
    if (count < 2 && dropped)
        return sw_fail(error, SW_ERR_USAGE, "the events say that the table %.200s was dropped, and the other side names no table: --table %.200s says that it is the one that is meant, and what it held before that is then gone", dropped, dropped);
    if (count < 2)
        return SW_OK;
    return sw_fail(error, SW_ERR_USAGE, "the records are of %u tables (%s), and the other side names none: --table says which one it holds, `table:` in its section of the mapping where each row names its own, `tables:` in it takes several at once, --partitions TABLE=PATTERN takes partitions or shards for the one table that they make up",
                   count, names);
}

/* Where it stands, or where it belongs. */
static uint32_t place_of_met(const struct sw_format_notes *notes, const void *declaration)
{
    uint32_t low = 0, high = notes->met_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if ((uintptr_t)notes->met[middle] < (uintptr_t)declaration)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool sw_format_is_met(const struct sw_format_notes *notes, const void *declaration)
{
    uint32_t at = place_of_met(notes, declaration);
    return at < notes->met_count && notes->met[at] == declaration;
}

void sw_format_note_met(struct sw_format_notes *notes, const void *declaration)
{
    if (!notes)
        return;
    pthread_mutex_lock(&notes->lock);
    uint32_t at = place_of_met(notes, declaration);
    bool known = at < notes->met_count && notes->met[at] == declaration;
    if (!known && notes->met_count == notes->met_capacity) {
        uint32_t capacity = notes->met_capacity * 2 + 16;
        const void **grown = sw_realloc_array(notes->met, capacity, sizeof *grown);
        notes->met_failed |= !grown;
        if (grown) {
            notes->met = grown;
            notes->met_capacity = capacity;
        }
    }
    if (!known && notes->met_count < notes->met_capacity) {
        memmove(&notes->met[at + 1], &notes->met[at], (notes->met_count - at) * sizeof *notes->met);
        notes->met[at] = declaration;
        notes->met_count++;
    }
    pthread_mutex_unlock(&notes->lock);
}

uint32_t sw_bind_declared_path(const struct sw_binder *binder, const struct sw_path *path)
{
    uint32_t node = sw_bind_path(binder->template, path);
    if (node != SW_JSON_NO_NODE)
        sw_format_note_met(binder->context->notes, path);
    return node;
}

void sw_format_notes_free(struct sw_format_notes *notes)
{
    for (uint32_t i = 0; i < notes->assumed_count; i++)
        sw_free(notes->assumed[i]);
    for (uint32_t i = 0; i < notes->table_count; i++)
        sw_free(notes->tables[i]);
    for (uint32_t i = 0; i < notes->server_count; i++)
        sw_free(notes->servers[i]);
    for (uint32_t i = 0; i < notes->topic_count; i++)
        sw_free(notes->topics[i]);
    sw_free(notes->topics);
    for (uint32_t i = 0; i < notes->dropped_count; i++)
        sw_free(notes->dropped[i]);
    sw_free(notes->dropped);
    sw_free(notes->assumed);
    sw_free(notes->tables);
    sw_free(notes->servers);
    for (int role = 0; role < SW_ROLE_COUNT; role++) {
        for (uint32_t i = 0; i < notes->other_count[role]; i++)
            sw_free(notes->others[role][i]);
        sw_free(notes->others[role]);
    }
    sw_free(notes->met);
    pthread_mutex_destroy(&notes->lock);
}

uint32_t sw_table_hash(struct sw_bytes name)
{
    size_t from = name.len;
    for (unsigned dots = 0; from > 0; from--)
        if (name.at[from - 1] == '.' && ++dots == 2)
            break;
    return name.len ? (uint32_t)sw_hash(name.at + from, name.len - from, 0) : 0; /* of no name there are no bytes to point into */
}

struct sw_bytes sw_bind_whole_table(const struct sw_binder *binder, struct sw_bytes full)
{
    const struct sw_mapping *mapping = binder->context->mapping;
    enum sw_table_place place = SW_TABLE_ITSELF;
    struct sw_bytes whole = mapping->part_count ? sw_mapping_whole_table(&place, mapping, full) : full;
    binder->out->partition = place == SW_TABLE_PART;
    if (place == SW_TABLE_PART_OF_SEVERAL)
        sw_bind_problem(binder->out, "table", "what `partitions` declares makes %.*s a partition of two tables", (int)(full.len < 100 ? full.len : 100), (const char *)full.at);
    return whole;
}

enum sw_code sw_bind_choose(const struct sw_binder *binder, struct sw_bytes named)
{
    struct sw_bytes full = sw_bind_whole_table(binder, named);
    const struct sw_bind_context *context = binder->context;
    const char *declared = binder->out->given_table ? binder->out->given_table : context->mapping->layout[context->role].table_name;
    size_t at = sw_mapping_find_table(context->mapping, declared ? sw_bytes_text(declared) : full);
    binder->out->unnamed = !declared && !full.len;
    binder->out->foreign = declared && at == context->table_count;
    binder->out->chosen = &context->tables[at < context->table_count ? at : 0]; /* which finds out that it is not meant */
    return sw_fail(binder->error, SW_ERR_INTERNAL, "a table was to be chosen");
}

/* A section's name for the table of its rows is the name of that table for all. */
static struct sw_bytes name_in_sections(const struct sw_mapping *mapping, struct sw_bytes full)
{
    for (int role = 0; role < SW_ROLE_COUNT; role++)
        if (mapping->layout[role].table_name && sw_table_is(full, sw_bytes_text(mapping->layout[role].table_name)))
            return sw_bytes_text(mapping->layout[role].table_name);
    return full;
}

enum sw_code sw_bind_dropped_table(const struct sw_binder *binder, struct sw_bytes full)
{
    const struct sw_bind_context *context = binder->context;
    (void)sw_bind_whole_table(binder, full);
    if (context->tables || context->mapping->table || !context->one_table || binder->out->partition)
        return sw_bind_table(binder, full);
    binder->out->not_row_change = "schema change";
    enum sw_code code = note_table(binder, DROPPED, full);
    return code == SW_OK ? sw_bind_no_table(binder) : code;
}

enum sw_code sw_bind_note_topic(const struct sw_binder *binder, const struct sw_example *example)
{
    struct sw_buffer topic = {0};
    bool told = sw_bind_text(&topic, example, sw_bind_node(example->template, 0, SW_ENVELOPE ".topic")) && topic.len && !sw_bytes_is(sw_buffer_view(&topic), ".");
    enum sw_code code = topic.failed ? sw_fail_memory(binder->error, "a topic", topic.len) : told && !binder->context->tables ? note_table(binder, TOPIC, sw_buffer_view(&topic)) : SW_OK;
    sw_buffer_free(&topic);
    return code;
}

enum sw_code sw_bind_table_of_topic(const struct sw_binder *binder, const struct sw_example *example)
{
    enum sw_code code = sw_bind_note_topic(binder, example);
    return code == SW_OK ? sw_bind_no_table(binder) : code;
}

static bool may_be_of_database(const char *table, struct sw_bytes database)
{
    const char *dot = table ? strchr(table, '.') : NULL;
    return !dot || sw_bytes_equal(sw_bytes_of(table, (size_t)(dot - table)), database);
}

void sw_bind_dropped_database(const struct sw_binder *binder, struct sw_bytes database)
{
    const struct sw_mapping *mapping = binder->context->mapping;
    bool meant = !mapping->table_count && may_be_of_database(mapping->table, database);
    for (size_t i = 0; i < mapping->table_count; i++)
        meant |= may_be_of_database(mapping->tables[i].mapping->table, database);
    if (meant)
        sw_bind_problem(binder->out, "dropped", "the database '%.*s' was dropped, and with it all its tables, which the record does not name: read the events before it and those after it by themselves, or declare tables "
                        "of other databases (--table DATABASE.TABLE)", (int)(database.len < 64 ? database.len : 64), (const char *)database.at);
}

enum sw_code sw_bind_table(const struct sw_binder *binder, struct sw_bytes named)
{
    const struct sw_bind_context *context = binder->context;
    binder->out->membership.table = sw_table_hash(named); /* a transaction's end counts by the names that the log has */
    if (context->tables)
        return sw_bind_choose(binder, named);
    struct sw_bytes full = sw_bind_whole_table(binder, named), name = name_in_sections(context->mapping, full);
    if (context->mapping->table) {
        struct sw_bytes declared = sw_bytes_text(context->mapping->table);
        binder->out->other_table = !sw_table_is(full, declared);
        if (binder->out->other_table && !sw_format_note_other_table(context->notes, context->role, full))
            return sw_fail_memory(binder->error, "names of tables", full.len);
        name = declared;
    } else if (context->one_table) {
        enum sw_code code = note_table(binder, ROWS, full);
        if (code < 0)
            return code;
        name = (struct sw_bytes){0};
    }
    binder->out->table = sw_schema_table(context->schema, name, context->keys, context->key_count);
    return binder->out->table ? SW_OK : sw_schema_no_table(binder->context->schema, binder->error);
}

enum sw_code sw_bind_no_table(const struct sw_binder *binder)
{
    const struct sw_bind_context *context = binder->context;
    const char *of_role = context->mapping->layout[context->role].table_name;
    struct sw_bytes name = context->mapping->table ? sw_bytes_text(context->mapping->table) : of_role ? sw_bytes_text(of_role) : (struct sw_bytes){0};
    if (context->tables)
        return sw_bind_choose(binder, (struct sw_bytes){0});
    binder->out->table = sw_schema_table(context->schema, name, context->keys, context->key_count);
    return binder->out->table ? SW_OK : sw_schema_no_table(binder->context->schema, binder->error);
}

enum sw_code sw_bind_mentioned_table(const struct sw_binder *binder, struct sw_bytes full)
{
    const struct sw_bind_context *context = binder->context;
    return context->tables || context->mapping->table ? sw_bind_table(binder, full) : sw_bind_no_table(binder);
}

struct sw_bytes sw_bind_renamed(const struct sw_binder *binder, struct sw_bytes name)
{
    const struct sw_column_rule *rule = sw_mapping_rule(binder->context->mapping, binder->context->role, name);
    if (rule)
        sw_format_note_met(binder->context->notes, rule);
    return rule && rule->renamed_to ? sw_bytes_text(rule->renamed_to) : name;
}

uint32_t sw_bind_key_index(const struct sw_binder *binder, struct sw_bytes name)
{
    const struct sw_mapping *mapping = binder->context->mapping;
    for (size_t i = 0; i < mapping->key_count; i++)
        if (sw_bytes_is(name, mapping->keys[i]))
            return (uint32_t)i;
    return UINT32_MAX;
}

void sw_bind_image_begin(struct sw_bound_image *image)
{
    for (size_t i = 0; i < SW_KEY_COLUMNS_MAX; i++)
        image->key[i] = SW_JSON_NO_NODE;
}

/* What the records' container says of the member at a node. */
static uint32_t field_of(const struct sw_binder *binder, uint32_t node)
{
    uint32_t parent = binder->template->nodes[node].parent;
    return node == 0 ? 0 : sw_field_tree_find(binder->out->fields, field_of(binder, parent), sw_json_node_name(binder->template, node));
}

static const struct sw_type *type_of(const struct sw_binder *binder, uint32_t node)
{
    const struct sw_field_tree *fields = binder->out->fields;
    uint32_t field = fields ? field_of(binder, node) : SW_FIELD_NONE;
    return field != SW_FIELD_NONE && fields->fields[field].has_type ? &fields->fields[field].type : NULL;
}

enum sw_code sw_bind_column_as(struct sw_bound_column **bound, struct sw_bound_image *image, const struct sw_binder *binder, uint32_t node,
                               struct sw_bytes name, struct sw_bytes declared_as, const struct sw_type *type)
{
    const struct sw_bind_context *context = binder->context;
    type = type ? type : type_of(binder, node);
    const struct sw_column_rule *rule = sw_mapping_column(context->mapping, declared_as);
    if (rule)
        sw_format_note_met(context->notes, rule);
    if (rule && rule->ignored)
        return SW_OK;
    if (context->flagged_deletes && sw_bytes_is(declared_as, context->mapping->delete_flag)) {
        binder->out->deleted_node = node;
        return SW_OK;
    }
    const struct sw_type any = {.kind = SW_TYPE_ANY, .precision = -1, .extended = context->extended};
    bool declared = rule && rule->has_type;
    const struct sw_column *column = sw_schema_column(context->schema, binder->out->table->id, name, declared ? &rule->type : type ? type : &any, declared, false);
    if (!column)
        return sw_schema_no_column(context->schema, binder->error);
    if (!declared && type && !sw_type_same_form(&column->type, type)) {
        if (context->notes && sw_format_refuse_several_tables(context->notes, binder->error) < 0)
            return binder->error->code; /* that is why */
        struct sw_buffer text = {0}, one = {0};
        sw_type_print(&one, type);
        const char *here = sw_buffer_text(&one);
        bool told = type->kind != SW_TYPE_TEXT || column->type.kind == SW_TYPE_ANY; /* text says least: the other type reads it, most often */
        sw_buffer_printf(&text, "column %.*s is %s in one input", (int)name.len, (const char *)name.at, here ? here : "");
        if (column->type.kind != SW_TYPE_ANY) {
            sw_buffer_add_text(&text, " and ");
            sw_type_print(&text, &column->type);
            sw_buffer_add_text(&text, " in another");
        } else {
            sw_buffer_add_text(&text, ", and other records of it do not say what it is");
        }
        if (!told) {
            sw_buffer_clear(&one);
            sw_type_print(&one, &column->type);
            here = sw_buffer_text(&one);
        }
        const char *said = sw_buffer_text(&text);
        bool zoned = (type->kind == SW_TYPE_TIMESTAMPTZ && column->type.kind == SW_TYPE_TIMESTAMP) || (type->kind == SW_TYPE_TIMESTAMP && column->type.kind == SW_TYPE_TIMESTAMPTZ);
        enum sw_code code = !here || !said ? sw_fail_memory(binder->error, "a message", 64)
                            : zoned ? sw_fail(binder->error, SW_ERR_USAGE, "%s: declare of which zone the times without one are, --type '%.*s=timestamptz zone=+00:00' for UTC", said, (int)name.len, (const char *)name.at)
                                    : sw_fail(binder->error, SW_ERR_USAGE, "%s: declare which it is, --type '%.*s=%s'%s", said, (int)name.len, (const char *)name.at, here,
                                              type->kind == SW_TYPE_TEXT || column->type.kind == SW_TYPE_TEXT ? ", or text to compare them as they are written" : " or another type");
        sw_buffer_free(&one);
        sw_buffer_free(&text);
        return code;
    }
    if ((image->column_count & (image->column_count - 1)) == 0) {
        uint32_t capacity = image->column_count ? image->column_count * 2 : 4;
        struct sw_bound_column *columns = sw_realloc_array(image->columns, capacity, sizeof *columns);
        if (!columns)
            return sw_fail_memory(binder->error, "columns", capacity * sizeof *columns);
        image->columns = columns;
    }
    image->columns[image->column_count] = (struct sw_bound_column){.node = node, .column = column, .type = declared || !type ? column->type : *type};
    if (bound)
        *bound = &image->columns[image->column_count];
    image->column_count++;
    return SW_OK;
}

/* Of the envelope that a record may have come in. */
const struct sw_order_place sw_bind_envelope_places[] = {
    {"kafka", "offset", SW_ENVELOPE ".offset"}, {"kafka", "partition", SW_ENVELOPE ".partition"}, {"kafka", "topic", SW_ENVELOPE ".topic"}, {NULL, NULL, NULL}};

void sw_bind_learn_key(const struct sw_binder *binder, uint32_t key, uint32_t node, const struct sw_type *type)
{
    struct sw_learned_key *learned = binder->context->learned ? &binder->context->learned[key] : NULL;
    type = type ? type : type_of(binder, node);
    if (!learned || !type)
        return;
    learned->contradicted |= learned->known && !sw_type_same_form(&learned->type, type);
    /* of types that differ only in how they read, the one that says more */
    if (!learned->known || (learned->type.unit == SW_UNIT_NONE && learned->type.encoding == SW_BYTES_HEX))
        learned->type = *type;
    learned->known = true;
}

enum sw_code sw_bind_column(struct sw_bound_column **bound, struct sw_bound_image *image, const struct sw_binder *binder, uint32_t node, const struct sw_type *type)
{
    struct sw_bytes name = sw_bind_renamed(binder, sw_json_node_name(binder->template, node));
    uint32_t key = sw_bind_key_index(binder, name);
    if (bound)
        *bound = NULL;
    if (sw_bytes_is(name, SW_ENVELOPE))
        return SW_OK;
    if (key != UINT32_MAX) {
        if (image->key[key] != SW_JSON_NO_NODE)
            sw_bind_problem(binder->out, "rename", "two members of the record are the key column %.*s after renaming", (int)name.len, (const char *)name.at);
        image->key[key] = node;
        sw_bind_learn_key(binder, key, node, type);
        return SW_OK;
    }
    return sw_bind_column_as(bound, image, binder, node, name, name, type);
}

enum sw_code sw_bind_members(struct sw_bound_image *image, const struct sw_binder *binder, uint32_t object)
{
    enum sw_code code = SW_OK;
    for (uint32_t child = binder->template->nodes[object].first_child; child != SW_JSON_NO_NODE && code == SW_OK; child = binder->template->nodes[child].next)
        code = sw_bind_column(NULL, image, binder, child, NULL);
    return code;
}

static int by_column_name(const void *a, const void *b)
{
    const struct sw_bound_column *left = a, *right = b;
    return sw_bytes_compare(left->column->name, right->column->name);
}

/* Members have different names, but two may be one column after renaming. */
static void drop_twins(struct sw_bound_image *image, const struct sw_binder *binder)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < image->column_count; i++) {
        struct sw_bytes name = image->columns[i].column->name;
        if (kept && image->columns[kept - 1].column == image->columns[i].column)
            sw_bind_problem(binder->out, "rename", "two members of the record are the column %.*s after renaming", (int)name.len, (const char *)name.at);
        else
            image->columns[kept++] = image->columns[i];
    }
    image->column_count = kept;
}

enum sw_code sw_bind_image_end(struct sw_bound_image *image, const struct sw_binder *binder)
{
    const struct sw_column **columns = sw_calloc(image->column_count, sizeof *columns);
    if (!columns)
        return sw_fail_memory(binder->error, "columns", image->column_count * sizeof *columns);
    if (image->column_count)
        qsort(image->columns, image->column_count, sizeof *image->columns, by_column_name);
    drop_twins(image, binder);
    for (uint32_t i = 0; i < image->column_count; i++)
        columns[i] = image->columns[i].column;
    image->set = sw_schema_set(binder->context->schema, columns, image->column_count);
    sw_free(columns);
    if (!image->set)
        return sw_schema_no_set(binder->context->schema, binder->error);
    image->present = true;
    image->key_complete = true;
    for (uint32_t i = 0; i < binder->context->key_count; i++)
        image->key_complete &= image->key[i] != SW_JSON_NO_NODE;
    return SW_OK;
}

enum sw_code sw_bind_object(struct sw_bound_image *image, const struct sw_binder *binder, uint32_t object)
{
    sw_bind_image_begin(image);
    enum sw_code code = sw_bind_members(image, binder, object);
    return code == SW_OK ? sw_bind_image_end(image, binder) : code;
}

static uint32_t place_of(const struct sw_binder *binder, const struct sw_order_place *places, const char *field)
{
    uint32_t node = SW_JSON_NO_NODE;
    for (; places && places->policy && node == SW_JSON_NO_NODE; places++)
        if (strcmp(places->policy, binder->context->order->name) == 0 && strcmp(places->field, field) == 0)
            node = sw_bind_node(binder->template, 0, places->path);
    return node;
}

void sw_bind_order(const struct sw_binder *binder, const struct sw_order_place *places)
{
    const struct sw_bind_context *context = binder->context;
    const struct sw_mapping *mapping = context->mapping;
    const struct sw_layout *layout = &mapping->layout[context->role];
    for (size_t i = 0; context->order && i < context->order->field_count; i++) {
        const char *field = context->order->fields[i].name;
        binder->out->order[i] = place_of(binder, sw_bind_envelope_places, field);
        if (binder->out->order[i] == SW_JSON_NO_NODE)
            binder->out->order[i] = place_of(binder, places, field);
        for (size_t j = 0; j < mapping->order_field_count; j++)
            if (layout->order[j].step_count && sw_order_field_find(context->order, mapping->order_field_names[j]) == i)
                binder->out->order[i] = sw_bind_declared_path(binder, &layout->order[j]);
    }
}

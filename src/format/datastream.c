/* datastream: Google Datastream's events in Cloud Storage, JSON lines or Avro, and the rows that it writes to BigQuery.
 * Sources: Datastream documentation, "Events and streams", "BigQuery destination", "Configure a Cloud Storage destination";
 * GoogleCloudPlatform/DataflowTemplates (DatastreamConstants, DatastreamRow.java, issue 3554, pull request 2867). */
#include <stdio.h>

#include "base/memory.h"
#include "format/bind.h"
#include "text/json_value.h"
#include "text/json_walk.h"

#define METADATA "source_metadata"
#define BIGQUERY "datastream_metadata" /* the struct that a table in BigQuery has as a column */

static unsigned depth(const struct sw_mapping *mapping, enum sw_role role)
{
    unsigned declared = sw_format_plain.depth(mapping, role); /* order fields may be declared deeper */
    return declared > 1 ? declared : 1;
}

static bool is_event(const struct sw_json_template *template)
{
    return sw_bind_is_object(template, sw_bind_node(template, 0, METADATA)) && sw_bind_node(template, 0, "payload") != SW_JSON_NO_NODE;
}

static bool has_struct(const struct sw_json_template *template)
{
    uint32_t metadata = sw_bind_node(template, 0, BIGQUERY);
    return sw_bind_is_object(template, metadata) && sw_bind_node(template, metadata, "uuid") != SW_JSON_NO_NODE;
}

static const char *const metadata_members[] = {"uuid", "source_timestamp", "change_sequence_number", "change_type", "sort_keys"};

static uint32_t prefixed_node(const struct sw_json_template *template, const char *prefix, const char *member)
{
    char name[64];
    int len = snprintf(name, sizeof name, "%s%s", prefix, member);
    return sw_bind_child(template, 0, sw_bytes_of(name, (size_t)len));
}

/* What stands before the members' names where a query has flattened the struct, as it has to for CSV: `SELECT …, datastream_metadata.*` gives them bare, others keep the struct's name. Bare names are
 * common, so that four of them have to be there. NULL: the struct is not flattened. */
static const char *flat_prefix(const struct sw_json_template *template)
{
    static const char *const prefixes[] = {BIGQUERY ".", BIGQUERY "_", BIGQUERY "__", ""};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        bool all = true;
        for (size_t m = 0; m < (prefixes[i][0] ? 2 : 4); m++)
            all = all && prefixed_node(template, prefixes[i], metadata_members[m]) != SW_JSON_NO_NODE;
        if (all)
            return prefixes[i];
    }
    return NULL;
}

static bool is_row(const struct sw_json_template *template) { return has_struct(template) || (!is_event(template) && flat_prefix(template)); }

/* A member of a row's datastream_metadata. */
static uint32_t metadata_node(const struct sw_json_template *template, const char *member)
{
    if (has_struct(template))
        return sw_bind_node(template, sw_bind_node(template, 0, BIGQUERY), member);
    const char *prefix = flat_prefix(template);
    return prefix ? prefixed_node(template, prefix, member) : SW_JSON_NO_NODE;
}

static unsigned recognise(const struct sw_example *example)
{
    const struct sw_json_template *template = example->template;
    return (is_event(template) && sw_bind_node(template, 0, "read_method") != SW_JSON_NO_NODE) || is_row(template) ? 2 : 0;
}

/* Where the parts of the table's name stand. MySQL has no schema, its database plays that part; the others have both. */
static void name_nodes(uint32_t *space, uint32_t *table, const struct sw_json_template *template)
{
    *space = sw_bind_node(template, 0, METADATA ".schema");
    if (*space == SW_JSON_NO_NODE)
        *space = sw_bind_node(template, 0, METADATA ".database");
    *table = sw_bind_node(template, 0, METADATA ".table");
    if (*table == SW_JSON_NO_NODE)
        *table = sw_bind_node(template, 0, METADATA ".collection");
    if (*table == SW_JSON_NO_NODE)
        *table = sw_bind_node(template, 0, "object");
}

static uint32_t change_type_node(const struct sw_json_template *template)
{
    return is_row(template) ? metadata_node(template, "change_type") : sw_bind_node(template, 0, METADATA ".change_type");
}

static void select_table(struct sw_selectors *out, const struct sw_bind_context *context, const struct sw_json_template *template)
{
    (void)context;
    uint32_t space, table;
    name_nodes(&space, &table, template);
    out->nodes[out->count++] = space;
    out->nodes[out->count++] = table;
    out->nodes[out->count++] = sw_bind_node(template, 0, "read_method");
    out->nodes[out->count++] = change_type_node(template);
}

static const struct sw_operation_spelling operations[] = {
    {"INSERT", SW_OPERATION_INSERT, NULL},
    {"UPDATE", SW_OPERATION_UPDATE, NULL},
    {"UPDATE-INSERT", SW_OPERATION_UPSERT, NULL}, /* an ordinary update, of a row that is there, or the new half of a change of key, where none is */
    {"", SW_OPERATION_UPSERT, NULL},
    {"UPDATE-DELETE", SW_OPERATION_REMOVE, NULL},
    {"DELETE", SW_OPERATION_REMOVE, NULL},
    {NULL, SW_OPERATION_UNKNOWN, NULL},
};

/* `…-backfill…`, `backfill`, `oracle_dump`: the row was read from the table, not from its log. */
static bool is_backfill(struct sw_bytes method)
{
    static const char word[] = "backfill";
    for (size_t i = 0; i + sizeof word - 1 <= method.len; i++)
        if (memcmp(method.at + i, word, sizeof word - 1) == 0)
            return true;
    return sw_bytes_end_text(method, "dump");
}

/* In BigQuery a row does not say how it was read. Its sort keys do: a backfill has no log file and position 0. */
static bool has_no_log_file(struct sw_token sort_keys)
{
    if (sort_keys.kind == SW_TOKEN_TEXT) /* TO_JSON_STRING wrote them for a flat row */
        sort_keys.kind = SW_TOKEN_ARRAY;
    struct sw_json_walk walk = sw_json_walk_begin(sort_keys);
    struct sw_token time, file, place, more;
    if (!sw_json_walk_element(&time, &walk) || !sw_json_walk_element(&file, &walk) || !sw_json_walk_element(&place, &walk) || sw_json_walk_element(&more, &walk))
        return false;
    bool none = file.len == 0 || (file.len == 1 && file.at[0] == '0');
    return none && (file.kind == SW_TOKEN_TEXT || file.kind == SW_TOKEN_NUMBER) && place.len == 1 && place.at[0] == '0';
}

static bool is_declared_order(const struct sw_bind_context *context)
{
    for (size_t i = 0; i < context->mapping->order_field_count; i++)
        if (context->mapping->layout[context->role].order[i].step_count)
            return true;
    return false;
}

/* The removal of the old key and the write of the new one share their position in the log: the removal comes first. */
static void bind_halves(const struct sw_binder *binder, bool removal)
{
    static const struct { const char *policy, *field; } ordinals[] = {{"mysql", "row"}, {"postgres", "ordinal"}, {"sqlserver", "serial"}};
    const struct sw_order *order = binder->context->order;
    for (size_t o = 0; order && o < sizeof ordinals / sizeof *ordinals; o++)
        for (size_t i = 0; strcmp(order->name, ordinals[o].policy) == 0 && i < order->field_count; i++)
            if (strcmp(order->fields[i].name, ordinals[o].field) == 0 && binder->out->order[i] == SW_JSON_NO_NODE)
                binder->out->order_fixed[i] = (struct sw_token){.at = (const uint8_t *)(removal ? "0" : "1"), .len = 1, .kind = SW_TOKEN_NUMBER};
}

/* What names an event: uuid, object, key and sort keys, since the rows of a backfill share one uuid. */
static void bind_identity(const struct sw_binder *binder, const struct sw_bound_image *image, uint32_t payload)
{
    const struct sw_json_template *template = binder->template;
    struct sw_binding *out = binder->out;
    uint32_t uuid = is_row(template) ? metadata_node(template, "uuid") : sw_bind_node(template, 0, "uuid");
    if (binder->context->role != SW_ROLE_EVENTS || uuid == SW_JSON_NO_NODE || !image->key_complete)
        return; /* rows of a destination carry the uuid of the event that wrote them: they are not that event */
    out->has_identity = true;
    out->identity[out->identity_count++] = uuid;
    out->identity[out->identity_count++] = is_row(template) ? SW_JSON_NO_NODE : sw_bind_node(template, 0, "object");
    out->identity[out->identity_count++] = is_row(template) ? metadata_node(template, "sort_keys") : sw_bind_node(template, 0, "sort_keys");
    if (binder->context->key_count > SW_IDENTITY_PARTS_MAX - out->identity_count) {
        out->identity[out->identity_count++] = payload; /* which has the key columns, however many they are */
        return;
    }
    for (uint32_t i = 0; i < binder->context->key_count; i++)
        out->identity[out->identity_count++] = image->key[i];
}

static bool is_metadata(struct sw_bytes name, const struct sw_json_template *template, const struct sw_bind_context *context)
{
    const char *prefix = flat_prefix(template);
    for (size_t i = 0; prefix && !*prefix && i < sizeof metadata_members / sizeof *metadata_members; i++)
        if (sw_bytes_is(name, metadata_members[i]))
            return true;
    if (sw_bytes_begin_text(name, BIGQUERY))
        return name.len == sizeof BIGQUERY - 1 || name.at[sizeof BIGQUERY - 1] == '.' || name.at[sizeof BIGQUERY - 1] == '_'; /* as a query may have flattened it */
    return context->role == SW_ROLE_EVENTS && sw_bytes_is(name, "is_deleted"); /* of tables that are append-only: "Tables without primary keys" */
}

/* The members of the payload, or of a row of a table in BigQuery, are columns. */
static enum sw_code bind_columns(struct sw_bound_image *image, const struct sw_binder *binder, uint32_t object, bool row)
{
    const struct sw_json_template *template = binder->template;
    enum sw_code code = SW_OK;
    sw_bind_image_begin(image);
    for (uint32_t child = template->nodes[object].first_child; child != SW_JSON_NO_NODE && code == SW_OK; child = template->nodes[child].next) {
        struct sw_bytes name = sw_json_node_name(template, child);
        if (!row || !is_metadata(name, template, binder->context))
            code = sw_bind_column(NULL, image, binder, child, NULL);
    }
    return code == SW_OK ? sw_bind_image_end(image, binder) : code;
}

static enum sw_code bind_table(const struct sw_binder *binder, const struct sw_example *example)
{
    struct sw_buffer name = {0};
    uint32_t space, table;
    name_nodes(&space, &table, binder->template);
    if (sw_bind_text(&name, example, space) && name.len)
        sw_buffer_add_byte(&name, '.');
    bool named = sw_bind_text(&name, example, table);
    if (!named)
        sw_bind_problem(binder->out, "table", "the event does not say of which table it is: " METADATA ".table and object are missing");
    enum sw_code code = name.failed ? sw_fail_memory(binder->error, "a table's name", name.len) : named ? sw_bind_table(binder, sw_buffer_view(&name)) : sw_bind_no_table(binder);
    sw_buffer_free(&name);
    return code;
}

/* What the event does, as far as the texts at the selectors say it. */
struct said {
    bool backfill, removes, removes_half;
};

static enum sw_code read_selectors(struct said *out, const struct sw_binder *binder, const struct sw_example *example)
{
    struct sw_buffer text = {0};
    uint32_t node = change_type_node(binder->template);
    *out = (struct said){0};
    if (!is_row(binder->template) && sw_bind_text(&text, example, sw_bind_node(binder->template, 0, "read_method")))
        out->backfill = is_backfill(sw_buffer_view(&text));
    text.len = 0;
    if (node != SW_JSON_NO_NODE && sw_json_node_token(example->template, example->tokens, example->record, node).kind != SW_TOKEN_NULL) {
        binder->out->operation_node = node; /* a null one is a write, as a missing one is */
        binder->out->operations = operations;
        out->removes_half = sw_bind_text(&text, example, node) && sw_bytes_is(sw_buffer_view(&text), "UPDATE-DELETE");
        out->removes = out->removes_half || sw_bytes_is(sw_buffer_view(&text), "DELETE");
    }
    bool failed = text.failed;
    sw_buffer_free(&text);
    return failed ? sw_fail_memory(binder->error, "a binding", 0) : SW_OK;
}

static enum sw_code bind_event(const struct sw_binder *binder, const struct said *said)
{
    const struct sw_json_template *template = binder->template;
    struct sw_binding *out = binder->out;
    bool row = is_row(template);
    uint32_t payload = row ? 0 : sw_bind_node(template, 0, "payload");
    out->deleted_node = row ? binder->context->role == SW_ROLE_EVENTS ? sw_bind_node(template, 0, "is_deleted") : SW_JSON_NO_NODE : sw_bind_node(template, 0, METADATA ".is_deleted");
    if (!sw_bind_is_object(template, payload)) {
        sw_bind_problem(out, "image", "the event has no payload, which is the row");
        return SW_OK;
    }
    /* a delete shows the row that it removes; columns that its log did not keep are null */
    struct sw_bound_image *image = said->removes ? &out->before : &out->after;
    enum sw_code code = bind_columns(image, binder, payload, row);
    image->nulls_unknown = said->removes;
    if (code == SW_OK)
        bind_identity(binder, image, payload);
    return code;
}

/* Where a flattened struct has what the order needs. */
static void bind_flat_order(const struct sw_binder *binder)
{
    const struct sw_bind_context *context = binder->context;
    static const char prefix[] = BIGQUERY ".";
    if (context->role != SW_ROLE_EVENTS || !context->order || has_struct(binder->template) || !is_row(binder->template))
        return;
    for (const struct sw_order_place *place = sw_format_datastream.order_places; place->policy; place++) {
        size_t field = strcmp(place->policy, context->order->name) == 0 ? sw_order_field_find(context->order, place->field) : SIZE_MAX;
        if (field != SIZE_MAX && strncmp(place->path, prefix, sizeof prefix - 1) == 0 && binder->out->order[field] == SW_JSON_NO_NODE)
            binder->out->order[field] = metadata_node(binder->template, place->path + sizeof prefix - 1);
    }
}

/* Fields of CSV: all lines have one binding, so that what a line does is told by its operation alone, and a removed row is read as a written one is. */
static enum sw_code bind_fields(const struct sw_binder *binder)
{
    struct sw_binding *out = binder->out;
    bool events = binder->context->role == SW_ROLE_EVENTS, row = is_row(binder->template);
    if (events && !row)
        sw_bind_problem(out, "format", "no row of a table that Datastream writes: expected columns such as datastream_metadata_uuid and datastream_metadata_source_timestamp, or uuid, source_timestamp, "
                                       "change_sequence_number and change_type as SELECT datastream_metadata.* gives them");
    if (events && row) {
        sw_bind_order(binder, sw_format_datastream.order_places);
        bind_flat_order(binder);
        out->removal_shows_row = out->removal_unsure = true;
        out->read_node = metadata_node(binder->template, "sort_keys");
        out->is_read = out->read_node == SW_JSON_NO_NODE ? NULL : has_no_log_file;
        out->deleted_node = sw_bind_node(binder->template, 0, "is_deleted");
    }
    enum sw_code code = bind_columns(&out->after, binder, 0, true);
    if (code == SW_OK && row)
        bind_identity(binder, &out->after, 0);
    return code;
}

static enum sw_code bind(struct sw_binding *out, const struct sw_bind_context *context, const struct sw_example *example, struct sw_error *error)
{
    const struct sw_json_template *template = example->template;
    const struct sw_binder binder = {context, template, out, error};
    struct said said = {0};
    sw_bind_begin(out);
    out->csv = context->csv;
    bool row = is_row(template) || context->csv;
    if (!template->nodes[0].object)
        sw_bind_problem(out, "json", "a record is a JSON object; this line is another value");
    else if (!row && !is_event(template))
        sw_bind_problem(out, "format", "no event of Datastream's: " METADATA " and payload are missing");
    enum sw_code code = out->problem[0] || row ? sw_bind_no_table(&binder) : bind_table(&binder, example);
    if (code == SW_OK)
        code = read_selectors(&said, &binder, example);
    if (code < 0 || out->problem[0] || out->other_table)
        return code;
    bool events = context->role == SW_ROLE_EVENTS;
    if (context->csv)
        return bind_fields(&binder);
    sw_bind_order(&binder, row && !events ? NULL : sw_format_datastream.order_places);
    bind_flat_order(&binder);
    if (!row || events)
        bind_halves(&binder, said.removes_half);
    if (said.backfill && !is_declared_order(context))
        for (size_t i = 0; i < SW_ORDER_FIELD_COUNT_MAX; i++) { /* its time is that of the reading, and its place in the log is none */
            out->order[i] = SW_JSON_NO_NODE;
            out->order_fixed[i] = (struct sw_token){.kind = SW_TOKEN_ABSENT};
        }
    out->reads = said.backfill && events && !said.removes;
    if (row && events) {
        out->read_node = metadata_node(template, "sort_keys");
        out->is_read = out->read_node == SW_JSON_NO_NODE ? NULL : has_no_log_file;
    }
    return bind_event(&binder, &said);
}

/* Of SQL Server the key columns are those of the index that it replicates by (GoogleCloudPlatform/DataflowTemplates, issue 3805). */
static bool names_keys(struct sw_buffer *out, const struct sw_example *example)
{
    size_t before = out->len;
    if (sw_bind_names(out, example, sw_bind_node(example->template, 0, METADATA ".primary_keys")) && out->len > before)
        return true;
    out->len = before;
    return sw_bind_names(out, example, sw_bind_node(example->template, 0, METADATA ".replication_index"));
}

static const struct sw_order_place places[] = {
    {"mysql", "file", METADATA ".log_file"}, {"mysql", "file", METADATA ".binlog_file"},
    {"mysql", "pos", METADATA ".log_position"}, {"mysql", "pos", METADATA ".binlog_position"},
    {"mysql-gtid", "gtid", METADATA ".gtid"}, {"mariadb", "gtid", METADATA ".gtid"},
    {"postgres", "lsn", METADATA ".lsn"},
    {"oracle", "scn", METADATA ".scn"}, {"oracle", "rs_id", METADATA ".rs_id"}, {"oracle", "ssn", METADATA ".ssn"},
    {"sqlserver", "commit_lsn", METADATA ".lsn"},
    {"datastream", "sort_keys", "sort_keys"}, {"datastream", "sort_keys", BIGQUERY ".sort_keys"},
    {"datastream", "sort_keys", BIGQUERY "_sort_keys"},
    {"datastream", "change_type", METADATA ".change_type"}, {"datastream", "change_type", BIGQUERY ".change_type"},
    {"timestamp", "time", "source_timestamp"}, {"timestamp", "time", BIGQUERY ".source_timestamp"}, {"timestamp", "time", BIGQUERY "_source_timestamp"},
    {NULL, NULL, NULL}};

static const struct sw_order_candidate candidates[] = {
    {"mysql", "mysql, datastream"}, {"postgresql", "postgres, datastream"}, {"oracle", "oracle, datastream"}, {"sqlserver", "sqlserver, datastream"},
    {"mongodb and others", "datastream, timestamp"}, {NULL, NULL}};

static const char *const remarks[] = {
    "datastream: the time of a MySQL event is that of its statement, and the time of a backfill row that of the backfill's begin: neither tells which change is the newer one", NULL};

const struct sw_format sw_format_datastream = {
    .name = "datastream",
    .summary = "events of Google Datastream (JSON lines, Avro), and rows of the tables that it writes in BigQuery",
    .explain = "An event has source_metadata and payload, the whole row. The table is schema.table, of MySQL database.table (object joins the two and cannot be split). DELETE and UPDATE-DELETE remove the row, as is_deleted does; any other "
               "change type writes it, as a missing one does; an unknown one is a bad record. A change of key is UPDATE-DELETE and UPDATE-INSERT at one position of the log: the removal comes first. A delete's "
               "payload is the row that it removes. Where read_method contains `backfill` or ends in `dump` the row was read from the table: it has no position, whatever its time says, "
               "and any event that has one is newer. The event is named by uuid, object, key and sort_keys, since backfill rows share a uuid. source_metadata.primary_keys (of SQL Server replication_index) is the key if none is declared. Types come from Avro's schema. "
               "Rows of BigQuery are told by the column datastream_metadata, which is no column to compare; in append-only tables its sort_keys and change_type order the rows, and sort keys without a log file are "
               "those of a backfill. Flattened, its members are columns with datastream_metadata. or datastream_metadata_ before their names, or bare as SELECT datastream_metadata.* gives them. "
               "Sources: Datastream documentation, Events and streams, BigQuery destination; GoogleCloudPlatform/DataflowTemplates.",
    .remarks = remarks,
    .order_places = places,
    .orders = candidates,
    .unnamed_reference = true,
    .flat = true,
    .names_keys = names_keys,
    .depth = depth,
    .recognise = recognise,
    .select = select_table,
    .bind = bind,
};

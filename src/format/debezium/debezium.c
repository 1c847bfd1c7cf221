/* debezium: change events of Debezium's connectors as JSON, with their schema or without, and rows that ExtractNewRecordState flattened.
 * Source: debezium/debezium: io.debezium.data.Envelope, the connectors' SourceInfoStructMaker classes, the pages of its connectors,
 * transformations/event-flattening.adoc; apache/kafka: Connect's JsonConverter (schema and payload). */
#include <string.h>
#include <strings.h>

#include "base/character.h"
#include "base/memory.h"
#include "format/bind.h"
#include "format/debezium/debezium.h"
#include "text/json_walk.h"
#include "format/envelope.h"

#define NONE SW_JSON_NO_NODE
#define MARKER "transaction marker"

/* Where the parts of a record stand, as far as the names of its members tell. */
struct shape {
    uint32_t schema, payload;       /* `schema` NONE: the record is bare and `payload` is all of it */
    uint32_t key, topic;            /* of records that came with their key: an object of its columns */
    uint32_t op, source, before, after;
    bool envelope;
};

static unsigned depth(const struct sw_mapping *mapping, enum sw_role role)
{
    (void)mapping, (void)role;
    return 2; /* payload.after.COLUMN */
}

static bool is_envelope_of_kafka(const struct sw_json_template *template, uint32_t node) { return sw_bytes_is(sw_json_node_name(template, node), SW_ENVELOPE); }

static uint32_t child(const struct sw_json_template *template, uint32_t node, const char *name) { return sw_bind_child(template, node, sw_bytes_text(name)); }

static bool has(const struct sw_json_template *template, uint32_t node, const char *name) { return child(template, node, name) != NONE; }

static unsigned member_count(const struct sw_json_template *template, uint32_t node)
{
    unsigned count = 0;
    for (uint32_t at = template->nodes[node].object ? template->nodes[node].first_child : NONE; at != NONE; at = template->nodes[at].next)
        count += !is_envelope_of_kafka(template, at);
    return count;
}

/* The whole source record of Kafka Connect, as Debezium's embedded engine prints it: key and value with their schemas. */
static bool is_source_record(const struct sw_json_template *template)
{
    return has(template, 0, "sourcePartition") && has(template, 0, "topic") && has(template, 0, "value");
}

/* An envelope under `payload` whose schema was left out, or is named or shortened by what wrote or copied the record: {"payload":{…}}, {"schemaId":1,"payload":{…}}.
 * Beside another member it is a column of a row. */
static bool wraps_envelope(const struct sw_json_template *template)
{
    static const char *const beside[] = {"schema", "schemaId", "key"};
    uint32_t payload = child(template, 0, "payload"), known = 1;
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++)
        known += has(template, 0, beside[i]);
    if (!sw_bind_is_object(template, payload) || member_count(template, 0) != known)
        return false;
    return has(template, payload, "op") && (has(template, payload, "before") || has(template, payload, "after")) && sw_bind_is_object(template, child(template, payload, "source"));
}

/* Wrapped: exactly two members, schema and payload, and a schema that is one or null. `null_schema`: a schema that is no object is null. */
static void find_shape(struct shape *out, const struct sw_json_template *template, bool null_schema)
{
    *out = (struct shape){NONE, 0, NONE, NONE, NONE, NONE, NONE, NONE, false};
    if (is_source_record(template)) {
        out->schema = child(template, 0, "valueSchema");
        out->payload = child(template, 0, "value");
        out->key = child(template, 0, "key");
        out->topic = child(template, 0, "topic");
    } else {
        out->key = sw_bind_node(template, 0, SW_ENVELOPE ".key");
        if (out->key != NONE && has(template, out->key, "schema") && has(template, out->key, "payload"))
            out->key = child(template, out->key, "payload");
    }
    if (out->topic == NONE && member_count(template, 0) == 2) {
        uint32_t schema = child(template, 0, "schema"), payload = child(template, 0, "payload");
        bool one = schema != NONE && (template->nodes[schema].object ? has(template, schema, "type") : null_schema);
        if (one && payload != NONE) {
            out->schema = schema;
            out->payload = payload;
        }
    }
    if (out->topic == NONE && out->schema == NONE && wraps_envelope(template)) {
        out->payload = child(template, 0, "payload");
        if (out->key == NONE)
            out->key = child(template, 0, "key");
        if (out->key != NONE && has(template, out->key, "schema") && has(template, out->key, "payload"))
            out->key = child(template, out->key, "payload");
    }
    if (!sw_bind_is_object(template, out->payload))
        return;
    out->op = child(template, out->payload, "op");
    out->source = child(template, out->payload, "source");
    out->before = child(template, out->payload, "before");
    out->after = child(template, out->payload, "after");
    bool images = out->before != NONE || out->after != NONE;
    out->envelope = out->op != NONE && (sw_bind_is_object(template, out->source) || images);
}

/* The members that ExtractNewRecordState adds (add.fields, add.headers), without its prefix and without "source_" or "transaction_". */
static bool is_metadata(struct sw_bytes name)
{
    static const char *const names[] = {
        "op", "deleted", "ts_ms", "ts_us", "ts_ns", "id", "total_order", "data_collection_order", "version", "connector", "name", "snapshot", "db", "sequence", "schema",
        "table", "txId", "lsn", "xmin", "origin", "origin_lsn", "server_id", "gtid", "file", "pos", "row", "thread", "query", "change_lsn", "commit_lsn",
        "event_serial_no", "txSeq", "scn", "commit_scn", "lcr_position", "rs_id", "ssn", "redo_thread", "user_name", "redo_sql", "row_id", "commit_ts_ms", "start_scn",
        "start_ts_ms", "collection", "ord", "lsid", "txnNumber", "wallTime"};
    static const char *const parts[] = {"__source_", "__transaction_", "__"};
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        size_t len = strlen(parts[p]);
        if (name.len <= len || memcmp(name.at, parts[p], len) != 0)
            continue;
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (sw_bytes_is(sw_bytes_of(name.at + len, name.len - len), names[i]))
                return true;
    }
    return false;
}

/* A member of a flattened record by what it stands for, with or without "source_". */
static uint32_t metadata(const struct sw_json_template *template, uint32_t payload, const char *short_name, const char *long_name)
{
    uint32_t node = child(template, payload, long_name);
    return node == NONE ? child(template, payload, short_name) : node;
}

/* What a payload that is no envelope is, if no row; NULL: a row. */
static const char *kind_of(const struct sw_json_template *template, uint32_t payload)
{
    unsigned count = member_count(template, payload), times = 0;
    static const char *const clocks[] = {"ts_ms", "ts_us", "ts_ns"};
    for (size_t i = 0; i < 3; i++)
        times += has(template, payload, clocks[i]);
    if (count && count == times)
        return "heartbeat";
    if (has(template, payload, "status") && has(template, payload, "id") && (has(template, payload, "event_count") || has(template, payload, "data_collections")))
        return MARKER;
    if ((has(template, payload, "ddl") && (has(template, payload, "databaseName") || has(template, payload, "source"))) ||
        (has(template, payload, "tableChanges") && has(template, payload, "source")))
        return "schema change";
    if (has(template, payload, "aggregate_type") && has(template, payload, "type") && has(template, payload, "id"))
        return "notification";
    return NULL;
}

/* The same by the name of its schema. */
static const char *kind_of_schema(struct sw_bytes name)
{
    static const struct { const char *end, *kind; } kinds[] = {
        {"connector.common.Heartbeat", "heartbeat"}, {"SchemaChangeKey", "schema change"}, {"SchemaChangeValue", "schema change"},
        {"TransactionMetadataKey", MARKER}, {"TransactionMetadataValue", MARKER}, {"Notification", "notification"},
        {"ServerNameKey", "heartbeat"}, {".Key", "record key"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t len = strlen(kinds[i].end);
        if (name.len >= len && memcmp(name.at + name.len - len, kinds[i].end, len) == 0)
            return kinds[i].kind;
    }
    return NULL;
}

/* The engine's format CloudEvents: what the envelope says stands in attributes, and the images under `data`. */
static bool is_cloud_event(const struct sw_json_template *template) { return has(template, 0, "specversion") && has(template, 0, "iodebeziumop"); }

/* What Flink's debezium-json writes: images and an operation, and no source. */
static bool is_bare_change(const struct sw_example *example, const struct shape *shape)
{
    struct sw_token op = sw_bind_token(example, "op");
    bool image = sw_bind_is_object(example->template, shape->before) || sw_bind_is_object(example->template, shape->after);
    return shape->payload == 0 && image && shape->before != NONE && shape->after != NONE && op.kind == SW_TOKEN_TEXT && op.len == 1 && memchr("cudr", op.at[0], 4);
}

static unsigned recognise(const struct sw_example *example)
{
    const struct sw_json_template *template = example->template;
    struct shape shape;
    if (sw_debezium_is_document(example))
        return 0;
    find_shape(&shape, template, true);
    uint32_t source = shape.source;
    if (is_cloud_event(template))
        return 0;
    if (shape.topic != NONE)
        return 2;
    if (shape.schema != NONE && (template->nodes[shape.schema].object || example->tokens[shape.schema].kind == SW_TOKEN_NULL)) {
        if (shape.envelope || !sw_bind_is_object(template, shape.payload))
            return 2;
        return has(template, shape.schema, "fields") ? 2 : 1;
    }
    if (!sw_bind_is_object(template, shape.payload))
        return 0;
    static const char *const marks[] = {"connector", "lsn", "file", "gtid", "scn", "commit_lsn", "collection"};
    for (size_t i = 0; shape.envelope && sw_bind_is_object(template, source) && i < sizeof marks / sizeof *marks; i++)
        if (has(template, source, marks[i]))
            return 2;
    if (kind_of(template, shape.payload))
        return 1;
    bool flattened = has(template, 0, "__deleted") || has(template, 0, "__op");
    return shape.envelope && (sw_bind_is_object(template, source) || is_bare_change(example, &shape)) ? 1 : flattened;
}

/* The names of the table and, where there is one, the whole schema block choose the binding. */
static void select_table(struct sw_selectors *out, const struct sw_bind_context *context, const struct sw_json_template *template)
{
    struct shape shape;
    find_shape(&shape, template, true);
    out->nodes[out->count++] = shape.schema;
    if (!sw_bind_is_object(template, shape.payload)) {
        if (shape.topic != NONE)
            out->nodes[out->count++] = shape.payload; /* null, or something that is no row */
        return;
    }
    bool nested = shape.envelope && sw_bind_is_object(template, shape.source);
    uint32_t table = nested ? child(template, shape.source, "table") : metadata(template, shape.payload, "__table", "__source_table");
    if (table == NONE)
        table = nested ? child(template, shape.source, "collection") : metadata(template, shape.payload, "__collection", "__source_collection");
    out->nodes[out->count++] = table;
    out->nodes[out->count++] = nested ? child(template, shape.source, "schema") : metadata(template, shape.payload, "__schema", "__source_schema");
    out->nodes[out->count++] = nested ? child(template, shape.source, "db") : metadata(template, shape.payload, "__db", "__source_db");
    if (!shape.envelope && has(template, shape.payload, "ddl"))
        out->nodes[out->count++] = child(template, shape.payload, "ddl");
    else if (context->order == &sw_order_mysql) {
        out->nodes[out->count++] = nested ? child(template, shape.source, "name") : metadata(template, shape.payload, "__name", "__source_name");
        out->nodes[out->count++] = nested ? child(template, shape.source, "server_id") : metadata(template, shape.payload, "__server_id", "__source_server_id");
    }
    if (table == NONE)
        out->nodes[out->count++] = sw_bind_node(template, 0, SW_ENVELOPE ".topic");
}

static bool add_part(struct sw_buffer *name, const struct sw_example *example, uint32_t node)
{
    size_t before = name->len;
    if (before)
        sw_buffer_add_byte(name, '.');
    size_t from = name->len;
    if (!sw_bind_text(name, example, node) || name->len == from)
        name->len = before;
    return name->len != before;
}

/* schema.table, or db.table where there are no schemas; SQL Server has many databases in one stream: db.schema.table. */
static enum sw_code bind_table(const struct sw_binder *binder, const struct sw_example *example, const struct shape *shape)
{
    struct sw_selectors selectors = {0};
    select_table(&selectors, binder->context, example->template);
    struct sw_buffer name = {0};
    bool sqlserver = sw_bind_is_object(example->template, shape->source) && has(example->template, shape->source, "change_lsn");
    if (sqlserver)
        add_part(&name, example, selectors.nodes[3]);
    if (!add_part(&name, example, selectors.nodes[2]) && !sqlserver)
        add_part(&name, example, selectors.nodes[3]);
    bool named = add_part(&name, example, selectors.nodes[1]);
    enum sw_code code = name.failed ? sw_fail_memory(binder->error, "a table's name", name.len)
                        : named     ? sw_bind_table(binder, sw_buffer_view(&name))
                                    : sw_bind_table_of_topic(binder, example);
    sw_buffer_free(&name);
    return code;
}

static const struct sw_operation_spelling operations[] = {
    {"c", SW_OPERATION_INSERT, NULL}, {"u", SW_OPERATION_UPDATE, NULL},   {"d", SW_OPERATION_REMOVE, NULL},       {"r", SW_OPERATION_READ, NULL},
    {"t", SW_OPERATION_TRUNCATE, NULL}, {"m", SW_OPERATION_IGNORED, "message"}, {NULL, SW_OPERATION_UNKNOWN, NULL}};

static const struct sw_order_place places[] = {
    {"postgres", "lsn", "source.lsn"}, {"postgres", "lsn", "payload.source.lsn"}, {"postgres", "lsn", "__source_lsn"}, {"postgres", "lsn", "__lsn"},
    {"postgres", "sequence", "source.sequence"}, {"postgres", "sequence", "payload.source.sequence"}, {"postgres", "sequence", "__source_sequence"},
    {"postgres", "sequence", "__sequence"},
    {"mysql", "file", "source.file"}, {"mysql", "file", "payload.source.file"}, {"mysql", "file", "__source_file"}, {"mysql", "file", "__file"},
    {"mysql", "pos", "source.pos"}, {"mysql", "pos", "payload.source.pos"}, {"mysql", "pos", "__source_pos"}, {"mysql", "pos", "__pos"},
    {"mysql", "row", "source.row"}, {"mysql", "row", "payload.source.row"}, {"mysql", "row", "__source_row"}, {"mysql", "row", "__row"},
    {"mysql-gtid", "gtid", "source.gtid"}, {"mysql-gtid", "gtid", "payload.source.gtid"}, {"mysql-gtid", "gtid", "__source_gtid"}, {"mysql-gtid", "gtid", "__gtid"},
    {"mysql-gtid", "ordinal", "source.pos"}, {"mysql-gtid", "ordinal", "payload.source.pos"}, {"mysql-gtid", "ordinal", "__source_pos"}, {"mysql-gtid", "ordinal", "__pos"},
    {"mysql-gtid", "row", "source.row"}, {"mysql-gtid", "row", "payload.source.row"}, {"mysql-gtid", "row", "__source_row"}, {"mysql-gtid", "row", "__row"},
    {"mariadb", "gtid", "source.gtid"}, {"mariadb", "gtid", "payload.source.gtid"}, {"mariadb", "gtid", "__source_gtid"}, {"mariadb", "gtid", "__gtid"},
    {"mariadb", "ordinal", "source.pos"}, {"mariadb", "ordinal", "payload.source.pos"}, {"mariadb", "ordinal", "__source_pos"}, {"mariadb", "ordinal", "__pos"},
    {"mariadb", "row", "source.row"}, {"mariadb", "row", "payload.source.row"}, {"mariadb", "row", "__source_row"}, {"mariadb", "row", "__row"},
    {"sqlserver", "commit_lsn", "source.commit_lsn"}, {"sqlserver", "commit_lsn", "payload.source.commit_lsn"}, {"sqlserver", "commit_lsn", "__source_commit_lsn"},
    {"sqlserver", "commit_lsn", "__commit_lsn"},
    {"sqlserver", "change_lsn", "source.change_lsn"}, {"sqlserver", "change_lsn", "payload.source.change_lsn"}, {"sqlserver", "change_lsn", "__source_change_lsn"},
    {"sqlserver", "change_lsn", "__change_lsn"},
    {"sqlserver", "serial", "source.event_serial_no"}, {"sqlserver", "serial", "payload.source.event_serial_no"}, {"sqlserver", "serial", "__source_event_serial_no"},
    {"sqlserver", "serial", "__event_serial_no"},
    {"db2", "commit_lsn", "source.commit_lsn"}, {"db2", "commit_lsn", "payload.source.commit_lsn"}, {"db2", "commit_lsn", "__source_commit_lsn"}, {"db2", "commit_lsn", "__commit_lsn"},
    {"db2", "change_lsn", "source.change_lsn"}, {"db2", "change_lsn", "payload.source.change_lsn"}, {"db2", "change_lsn", "__source_change_lsn"}, {"db2", "change_lsn", "__change_lsn"},
    {"oracle", "scn", "source.scn"}, {"oracle", "scn", "payload.source.scn"}, {"oracle", "scn", "__source_scn"}, {"oracle", "scn", "__scn"},
    {"oracle", "commit_scn", "source.commit_scn"}, {"oracle", "commit_scn", "payload.source.commit_scn"}, {"oracle", "commit_scn", "__source_commit_scn"},
    {"oracle", "commit_scn", "__commit_scn"},
    {"oracle", "rs_id", "source.rs_id"}, {"oracle", "rs_id", "payload.source.rs_id"}, {"oracle", "rs_id", "__source_rs_id"}, {"oracle", "rs_id", "__rs_id"},
    {"oracle", "ssn", "source.ssn"}, {"oracle", "ssn", "payload.source.ssn"}, {"oracle", "ssn", "__source_ssn"}, {"oracle", "ssn", "__ssn"},
    {"oracle", "thread", "source.redo_thread"}, {"oracle", "thread", "payload.source.redo_thread"}, {"oracle", "thread", "__source_redo_thread"},
    {"timestamp", "time", "source.ts_ms"}, {"timestamp", "time", "payload.source.ts_ms"}, {"timestamp", "time", "__source_ts_ms"},
    /* one space a source, unless --space names it: space_places */
    {NULL, NULL, NULL}};

/* Fields that tell spaces apart, where --space does not: the name of the connector's source, and of SQL Server and Db2 the database, whose log it is. */
static const struct sw_order_place space_places[] = {
    {"postgres", "system", "source.name"}, {"postgres", "system", "payload.source.name"}, {"postgres", "system", "__source_name"},
    {"mysql", "server", "source.name"}, {"mysql", "server", "payload.source.name"}, {"mysql", "server", "__source_name"},
    {"oracle", "dbid", "source.name"}, {"oracle", "dbid", "payload.source.name"}, {"oracle", "dbid", "__source_name"},
    {"sqlserver", "database", "source.db"}, {"sqlserver", "database", "payload.source.db"}, {"sqlserver", "database", "__source_db"},
    {"db2", "database", "source.db"}, {"db2", "database", "payload.source.db"}, {"db2", "database", "__source_db"},
    {"timestamp", "source", "source.name"}, {"timestamp", "source", "payload.source.name"}, {"timestamp", "source", "__source_name"},
    {NULL, NULL, NULL}};

static enum sw_code bind_order(const struct sw_binder *binder, const struct sw_example *example)
{
    const struct sw_bind_context *context = binder->context;
    struct sw_selectors selectors = {0};
    sw_bind_order(binder, places);
    if (context->mapping->space || !context->order)
        return SW_OK;
    bool named = false;
    for (size_t i = 0; i < context->order->field_count; i++)
        for (const struct sw_order_place *place = space_places; place->policy && binder->out->order[i] == NONE; place++)
            if (strcmp(place->policy, context->order->name) == 0 && strcmp(place->field, context->order->fields[i].name) == 0) {
                binder->out->order[i] = sw_bind_node(binder->template, 0, place->path);
                named |= binder->out->order[i] != NONE;
            }
    if (example)
        select_table(&selectors, context, binder->template);
    if (named && selectors.count == 6 && sw_bind_server(binder, example, selectors.nodes[4], selectors.nodes[5]) < 0) /* files are of one server; who wrote what stands in them is told by each event */
        return SW_ERR_MEMORY;
    bool by_database = context->order == &sw_order_sqlserver || context->order == &sw_order_db2;
    return named ? sw_bind_assume(binder, "positions of records with one source.%s are of one %s", by_database ? "db" : "name",
                                  by_database ? "database's log" : "server that was not replaced (order: {…} or --space declare otherwise)")
                 : SW_OK;
}

/* What a record needs to know of its columns besides their names. */
struct columns {
    const struct sw_debezium_schema *schema; /* NULL: none */
    const struct sw_debezium_placeholders *placeholders;
    bool flattened;
    uint32_t key;                            /* an object of key columns, or NONE */
};

static enum sw_code bind_column(struct sw_bound_image *image, const struct sw_binder *binder, uint32_t node, const struct columns *columns)
{
    struct sw_bytes name = sw_json_node_name(binder->template, node);
    const struct sw_debezium_column *described = columns->schema ? sw_debezium_schema_find(columns->schema, name) : NULL;
    struct sw_bound_column *bound;
    enum sw_code code = sw_bind_column(&bound, image, binder, node, described && described->type.kind != SW_TYPE_ANY ? &described->type : NULL);
    if (code < 0)
        return code;
    uint32_t key = bound ? UINT32_MAX : sw_bind_key_index(binder, sw_bind_renamed(binder, name));
    if (key != UINT32_MAX)
        image->key_placeholders = &columns->placeholders->of[SW_DEBEZIUM_ANY_SPELLING];
    if (key != UINT32_MAX && described && image->key[key] == node) {
        image->key_decoders[key].decode = described->decode;
        image->key_decoders[key].scale = described->scale;
    }
    if (!bound)
        return SW_OK;
    bound->placeholders = &columns->placeholders->of[described ? described->spellings : SW_DEBEZIUM_ANY_SPELLING];
    if (described) {
        bound->decode = described->decode ? described->decode : bound->column->type.kind == SW_TYPE_DECIMAL ? sw_debezium_decimal_text : NULL;
        bound->scale = described->scale;
    } else if (bound->column->type.kind == SW_TYPE_DATE || bound->column->type.kind == SW_TYPE_TIMESTAMP) {
        bound->decode = sw_debezium_time;
        bound->scale = (int32_t)bound->column->type.unit;
    } else if (bound->column->declared && bound->column->type.kind == SW_TYPE_DECIMAL) {
        bound->decode = sw_debezium_decimal_without_schema;
        return sw_bind_assume(binder, "the column %.*s is declared decimal and its records have no schema: numbers and text are read, base64 is not, since it lacks its scale "
                              "(write records with schemas, or with decimal.handling.mode=string)", (int)(name.len < 100 ? name.len : 100), (const char *)name.at);
    }
    return SW_OK;
}

static enum sw_code bind_row(struct sw_bound_image *image, const struct sw_binder *binder, uint32_t object, const struct columns *columns)
{
    const struct sw_json_template *template = binder->template;
    enum sw_code code = SW_OK;
    sw_bind_image_begin(image);
    for (uint32_t at = template->nodes[object].first_child; at != NONE && code == SW_OK; at = template->nodes[at].next)
        if (!columns->flattened || !is_metadata(sw_json_node_name(template, at)))
            code = bind_column(image, binder, at, columns);
    for (uint32_t i = 0; sw_bind_is_object(template, columns->key) && i < binder->context->key_count; i++) /* key columns that the row lacks */
        if (image->key[i] == NONE)
            image->key[i] = child(template, columns->key, binder->context->mapping->keys[i]);
    return code == SW_OK ? sw_bind_image_end(image, binder) : code;
}

/* The key of a record whose image is not shown. */
static enum sw_code bind_key(struct sw_bound_image *image, const struct sw_binder *binder, uint32_t key)
{
    sw_bind_image_begin(image);
    for (uint32_t i = 0; i < binder->context->key_count; i++)
        image->key[i] = child(binder->template, key, binder->context->mapping->keys[i]);
    enum sw_code code = sw_bind_image_end(image, binder);
    image->present = false; /* a key is no row */
    return code;
}

/* A record that came with its key and no value: the topic's tombstone deletes the key. */
static enum sw_code bind_tombstone(const struct sw_binder *binder, uint32_t key)
{
    struct sw_binding *out = binder->out;
    enum sw_code code = sw_bind_no_table(binder);
    out->operation_known = true;
    out->operation = SW_OPERATION_DELETE;
    if (code == SW_OK)
        code = bind_order(binder, NULL);
    return code == SW_OK ? bind_key(&out->before, binder, key) : code;
}

/* A record of another format that came into the stream: the first one that says it is one of its own. */
static const struct sw_format *other_format(const struct sw_example *example)
{
    for (const struct sw_format *const *format = sw_formats(); *format; format++)
        if (*format != &sw_format_debezium && (*format)->recognise && (*format)->recognise(example) == 2)
            return *format;
    return NULL;
}

/* Nothing but the key's columns, in no envelope and without a member of add.fields: the key of a Kafka record whose value stands in the next line, or comes with no key beside it. MongoDB's
 * is one member, `id`. A row of a table that has no other columns is told by its schema, its metadata, or the envelope of the dump. */
static bool is_bare_key(const struct sw_binder *binder, const struct shape *shape)
{
    const struct sw_json_template *template = binder->template;
    const struct sw_mapping *mapping = binder->context->mapping;
    uint32_t members = 0;
    if (shape->schema != NONE || shape->topic != NONE || has(template, 0, SW_ENVELOPE))
        return false;
    for (uint32_t at = template->nodes[shape->payload].first_child; at != NONE; at = template->nodes[at].next, members++) {
        struct sw_bytes name = sw_json_node_name(template, at);
        bool of_mongodb = mapping->key_count == 1 && strcmp(mapping->keys[0], "_id") == 0 && sw_bytes_is(name, "id");
        if (!of_mongodb && sw_bind_key_index(binder, sw_bind_renamed(binder, name)) == UINT32_MAX)
            return false;
    }
    return members != 0;
}

/* In Avro's JSON encoding a row that may be null stands in its branch of the union: {"server.schema.table.Value":{…}}. */
static bool is_union(const struct sw_json_template *template, uint32_t image)
{
    if (!sw_bind_is_object(template, image) || member_count(template, image) != 1)
        return false;
    struct sw_bytes name = sw_json_node_name(template, template->nodes[image].first_child);
    return name.len > strlen(".Value") && sw_bytes_end_text(name, ".Value");
}

/* YugabyteDB's connector makes a cell of each column: {"id":{"value":1,"set":true}}. */
static bool has_cells(const struct sw_example *example, uint32_t image)
{
    if (!sw_bind_is_object(example->template, image))
        return false;
    struct sw_token row = sw_json_node_token(example->template, example->tokens, example->record, image), name, value;
    bool some = false, all = true;
    for (struct sw_json_walk walk = sw_json_walk_begin(row); sw_json_walk_member(&name, &value, &walk);) {
        if (value.kind == SW_TOKEN_NULL)
            continue;
        some = true;
        all = all && value.kind == SW_TOKEN_OBJECT && sw_json_walk_find(value, "value").kind != SW_TOKEN_ABSENT && sw_json_walk_find(value, "set").kind == SW_TOKEN_TRUE;
    }
    return some && all;
}

static bool is_marker(const struct sw_binding *binding) { return binding->not_row_change && strcmp(binding->not_row_change, MARKER) == 0; }

/* Events and marks of transactions, as provide.transaction.metadata adds them. */
static void bind_membership(struct sw_binding *out, const struct sw_json_template *template, const struct shape *shape)
{
    struct sw_bound_membership *to = &out->membership;
    if (is_marker(out)) {
        to->id = child(template, shape->payload, "id");
        to->status = child(template, shape->payload, "status");
        to->count = child(template, shape->payload, "event_count");
        to->tables = child(template, shape->payload, "data_collections");
    } else if (shape->envelope) {
        to->id = sw_bind_node(template, shape->payload, "transaction.id");
        to->number = sw_bind_node(template, shape->payload, "transaction.total_order");
        to->table_number = sw_bind_node(template, shape->payload, "transaction.data_collection_order");
    } else {
        to->id = child(template, shape->payload, "__transaction_id");
        to->number = child(template, shape->payload, "__transaction_total_order");
        to->table_number = child(template, shape->payload, "__transaction_data_collection_order");
    }
}

static enum sw_code bind_images(const struct sw_binder *binder, const struct shape *shape, struct columns *columns)
{
    struct sw_binding *out = binder->out;
    const struct sw_json_template *template = binder->template;
    if (!shape->envelope) {
        columns->flattened = true;
        out->deleted_node = child(template, shape->payload, "__deleted");
        out->operation_node = child(template, shape->payload, "__op");
        out->operation_known = out->operation_node == NONE;
        out->operation = SW_OPERATION_UPSERT;
        return bind_row(&out->after, binder, shape->payload, columns);
    }
    out->operation_node = shape->op;
    if (!sw_bind_is_object(template, shape->before) && !sw_bind_is_object(template, shape->after))
        out->absent_key = SW_DEBEZIUM_ABSENT_KEY;
    enum sw_code code = SW_OK;
    if (sw_bind_is_object(template, shape->after))
        code = bind_row(&out->after, binder, shape->after, columns);
    if (code == SW_OK && sw_bind_is_object(template, shape->before))
        code = bind_row(&out->before, binder, shape->before, columns);
    else if (code == SW_OK && sw_bind_is_object(template, shape->key))
        code = bind_key(&out->before, binder, shape->key);
    uint32_t old_key = sw_bind_node(template, 0, SW_ENVELOPE ".oldkey");
    if (old_key != NONE && has(template, old_key, "schema") && has(template, old_key, "payload"))
        old_key = child(template, old_key, "payload");
    if (code == SW_OK && sw_bind_is_object(template, old_key))
        code = bind_key(&out->moved, binder, old_key);
    /* PostgreSQL with REPLICA IDENTITY DEFAULT: columns besides the key are null in `before` */
    out->before.nulls_unknown = !binder->context->mapping->replica_identity_full && (!sw_bind_is_object(template, shape->source) || has(template, shape->source, "lsn"));
    if (out->before.nulls_unknown && sw_bind_is_object(template, shape->before) && sw_bind_is_object(template, shape->source) && code == SW_OK)
        code = sw_bind_assume(binder, "nulls in Debezium's `before` of PostgreSQL are columns that the replica identity does not keep: not shown (replica_identity: full declares otherwise)");
    out->removal_unsure = out->before.nulls_unknown; /* NOT NULL columns that it does not show have their default, or 0 or an empty text */
    return code;
}

static enum sw_code bind_rows(const struct sw_binder *binder, const struct sw_example *example, const struct shape *shape)
{
    struct sw_binding *out = binder->out;
    struct sw_debezium_schema schema = {0};
    bool described = shape->schema != NONE && example->template->nodes[shape->schema].object;
    if (described)
        sw_debezium_schema_read(&schema, sw_json_node_token(example->template, example->tokens, example->record, shape->schema), shape->envelope ? "after" : NULL);
    out->owned = sw_debezium_placeholders_new(binder->context->mapping->placeholder);
    struct columns columns = {described && schema.count ? &schema : NULL, out->owned, false, shape->key};
    enum sw_code code = schema.failed || schema.top_name.failed || !out->owned ? sw_fail_memory(binder->error, "a schema block", schema.names.len) : SW_OK;
    if (code == SW_OK && described)
        out->not_row_change = kind_of_schema(sw_buffer_view(&schema.top_name));
    if (code == SW_OK && !out->not_row_change)
        code = bind_table(binder, example, shape);
    if (code == SW_OK && !out->not_row_change && !out->other_table && (code = bind_order(binder, example)) == SW_OK) {
        out->operations = operations;
        out->identity_in_key = true;
        code = bind_images(binder, shape, &columns);
    }
    sw_debezium_schema_free(&schema);
    return code;
}

/* TRUNCATE is a statement that MySQL's log holds as such. Debezium makes an event of it in the table's topic, unless skipped.operations leaves it out, as it does where nobody sets it. */
static enum sw_code note_truncate(const struct sw_binder *binder, const struct sw_example *example, uint32_t payload)
{
    struct sw_buffer ddl = {0};
    enum sw_code code = SW_OK;
    bool told = sw_bind_text(&ddl, example, child(binder->template, payload, "ddl"));
    struct sw_bytes statement = sw_trim(sw_buffer_view(&ddl));
    if (told && statement.len > 8 && strncasecmp((const char *)statement.at, "TRUNCATE", 8) == 0)
        code = sw_bind_assume(binder, "TRUNCATE stands among the events as a schema change, which changes no row here: rows that it removed are still in the evidence, unless the table's topic has its own event of it "
                              "(Debezium: skipped.operations=none)");
    if (ddl.failed)
        code = sw_fail_memory(binder->error, "a schema change", ddl.len);
    sw_buffer_free(&ddl);
    return code;
}

static enum sw_code bind(struct sw_binding *out, const struct sw_bind_context *context, const struct sw_example *example, struct sw_error *error)
{
    const struct sw_json_template *template = example->template;
    const struct sw_binder binder = {context, template, out, error};
    struct shape shape;
    sw_bind_begin(out);
    find_shape(&shape, template, true);
    if (shape.schema != NONE && !template->nodes[shape.schema].object && example->tokens[shape.schema].kind != SW_TOKEN_NULL)
        find_shape(&shape, template, false); /* a row with columns of these names */
    if (has(template, 0, "connector") && member_count(template, 0) == 1) {
        out->not_row_change = "mark of the engine"; /* {"connector":"end"} among source records */
        return SW_OK;
    }
    if (shape.topic != NONE && !sw_bind_is_object(template, shape.payload) && sw_bind_is_object(template, shape.key) && example->tokens[shape.payload].kind == SW_TOKEN_NULL)
        return bind_tombstone(&binder, shape.key);
    if (!sw_bind_is_object(template, shape.payload)) {
        out->null_kind = "topic tombstone";
        out->null_node = shape.payload;
        sw_bind_problem(out, "json", shape.schema == NONE ? "a record is a JSON object, or null; this line is another value" : "the payload of a record is an object, or null");
        return SW_OK;
    }
    if (is_cloud_event(template)) {
        sw_bind_problem(out, "cloudevents", "the event is wrapped as a CloudEvent: --format cloudevents reads a stream of them");
    } else if (shape.envelope) {
        bool message = has(template, shape.payload, "message") && !sw_bind_is_object(template, shape.after) && !sw_bind_is_object(template, shape.before);
        out->not_row_change = message ? "message" : NULL;
        if (sw_bind_is_object(template, shape.source) && has(template, shape.source, "collection"))
            sw_bind_problem(out, "mongodb", "documents of MongoDB stand as text in Debezium's events: declare --format debezium-mongodb, or flatten them (ExtractNewDocumentState)");
        else if (is_union(template, shape.after) || is_union(template, shape.before))
            sw_bind_problem(out, "format", "the row stands in a union of Avro's JSON encoding, as kafka-avro-console-consumer prints it: not read; kcat -s value=avro -r REGISTRY -J prints plain values");
        else if (sw_bind_is_object(template, shape.source) && has(template, shape.source, "keyspace") && has(template, shape.source, "cluster"))
            sw_bind_problem(out, "cassandra", "the columns of Cassandra's events are cells with times of their own, merged one by one: not read. A row is no version of a whole there");
        else if (has_cells(example, shape.after) || has_cells(example, shape.before))
            sw_bind_problem(out, "format", "the columns are cells, {\"value\":…,\"set\":true}, as YugabyteDB's connector writes them: not read; its transforms YBExtractNewRecordState or PGCompatible make rows of them");
    } else {
        out->not_row_change = kind_of(template, shape.payload);
        if (!out->not_row_change && is_bare_key(&binder, &shape))
            out->not_row_change = "record key";
        if (out->not_row_change && has(template, shape.payload, "ddl") && note_truncate(&binder, example, shape.payload) < 0)
            return SW_ERR_MEMORY;
        const struct sw_format *other = out->not_row_change ? NULL : other_format(example);
        if (other)
            sw_bind_problem(out, "format", "the record is no row of Debezium's but one of the format %s", other->name);
    }
    enum sw_code code = out->not_row_change || out->problem[0] ? SW_OK : bind_rows(&binder, example, &shape);
    if (sw_bind_is_object(template, shape.payload))
        bind_membership(out, template, &shape);
    return code;
}

static const struct sw_order_candidate orders[] = {{"PostgreSQL", "postgres"}, {"MySQL", "mysql-gtid or mysql"}, {"MariaDB", "mariadb or mysql"}, {"SQL Server", "sqlserver"},
                                                   {"Oracle", "oracle"}, {"Db2", "db2"}, {"TiCDC, Vitess and Informix, with --version (docs/debezium.md)", "integer"},
                                                   {"flattened records and topics", "kafka, timestamp or file"}, {NULL, NULL}};

const struct sw_format sw_format_debezium = {
    .name = "debezium",
    .json_as_text = true,
    .summary = "Debezium's change events as JSON, with schema or bare, and rows flattened by ExtractNewRecordState",
    .explain =
        "Envelopes with op, before, after and source, wrapped in schema and payload (Connect's JSON converter with schemas.enable) or bare; c and u write `after`, r is a row that was read, d removes "
        "the key of `before`, t empties the table. A `u` whose `before` has another key removes that key. Flattened rows are columns, of which __deleted and __op say what happens (none: a write); "
        "members that add.fields adds are no columns. Heartbeats, schema changes, transaction markers, notifications, messages (m), record keys and null (a topic's tombstone, which follows its delete) "
        "are counted by kind; source records of Kafka Connect with topic, key and value are read, and there a null value deletes its key. The table is schema.table, or db.table where there are no schemas, or db.schema.table for SQL Server. Positions are taken from `source` (or __source_…) by the order's "
        "policy; positions with one source.name are of one space. An event is named by its operation and position among those of its key. Types come from the schema block: decimals (base64 with "
        "the schema's scale), times by their schema names, bytes, bits, uuid, json; without a schema values are what the JSON says, and columns of numbers that mean days or microseconds need --type. "
        "The placeholder of unavailable values is known in all its spellings (`placeholder:` in the mapping names another). Source: debezium/debezium, the pages of the connectors, event-flattening.adoc, "
        "io.debezium.data and io.debezium.time; Kafka Connect JsonConverter.",
    .order_places = places,
    .time_per_second = 1000,
    .orders = orders,
    .types = true,
    .depth = depth,
    .recognise = recognise,
    .select = select_table,
    .bind = bind,
};

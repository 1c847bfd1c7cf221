/* cloudevents: Debezium's events in the structured mode of CloudEvents. What the envelope and `source` say stands in attributes named iodebezium…; the images stand under
 * `data`. An event is turned into the one that Debezium would have written by itself. Source: debezium/debezium, integrations/cloudevents.adoc. */
#include <stdio.h>
#include <strings.h>

#include "format/bind.h"
#include "format/envelope.h"
#include "text/json_document.h"
#include "text/json_walk.h"

#define PREFIX "iodebezium"

static unsigned depth(const struct sw_mapping *mapping, enum sw_role role) { return sw_format_debezium_mongodb.depth(mapping, role); }

static unsigned recognise(const struct sw_example *example)
{
    const struct sw_json_template *template = example->template;
    return sw_bind_node(template, 0, "specversion") != SW_JSON_NO_NODE && sw_bind_node(template, 0, PREFIX "op") != SW_JSON_NO_NODE ? 2 : 0;
}

/* Attributes are written in small letters without underscores. */
static const struct { const char *attribute, *field; } fields[] = {
    {"version", "version"}, {"connector", "connector"}, {"name", "name"}, {"tsms", "ts_ms"}, {"snapshot", "snapshot"}, {"db", "db"}, {"sequence", "sequence"}, {"schema", "schema"}, {"table", "table"},
    {"collection", "collection"}, {"keyspace", "keyspace"}, {"txid", "txId"}, {"lsn", "lsn"}, {"file", "file"}, {"pos", "pos"}, {"row", "row"}, {"gtid", "gtid"}, {"serverid", "server_id"},
    {"changelsn", "change_lsn"}, {"commitlsn", "commit_lsn"}, {"eventserialno", "event_serial_no"}, {"scn", "scn"}, {"commitscn", "commit_scn"}, {"rsid", "rs_id"}, {"ssn", "ssn"},
    {"redothread", "redo_thread"}, {"shard", "shard"}};

static bool is_attribute(struct sw_token name, const char *attribute)
{
    size_t prefix = sizeof PREFIX - 1, len = strlen(attribute);
    return name.len == prefix + len && strncasecmp((const char *)name.at, PREFIX, prefix) == 0 && strncasecmp((const char *)name.at + prefix, attribute, len) == 0;
}

static void add_source(struct sw_buffer *out, struct sw_token event)
{
    struct sw_token name, value;
    bool some = false;
    sw_buffer_add_text(out, ",\"source\":{");
    for (struct sw_json_walk walk = sw_json_walk_begin(event); sw_json_walk_member(&name, &value, &walk);)
        for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
            if (value.kind != SW_TOKEN_NULL && is_attribute(name, fields[i].attribute)) {
                sw_buffer_printf(out, "%s\"%s\":", some ? "," : "", fields[i].field);
                sw_json_walk_write(out, value);
                some = true;
            }
    sw_buffer_add_byte(out, '}');
}

static bool expand(struct sw_buffer *out, const struct sw_example *example, char problem[256])
{
    static const char *const images[] = {"before", "after", "updateDescription", "patch", "filter"};
    struct sw_token event = example->template->nodes[0].object ? sw_json_node_token(example->template, example->tokens, example->record, 0) : example->tokens[0];
    struct sw_token data = sw_document_member(event, "data"), schema = sw_document_member(data, "schema"), payload = sw_document_member(data, "payload"), operation = sw_document_member(event, PREFIX "op");
    bool wrapped = payload.kind == SW_TOKEN_OBJECT && (schema.kind == SW_TOKEN_OBJECT || schema.kind == SW_TOKEN_NULL);
    if (sw_document_member(event, "specversion").kind == SW_TOKEN_ABSENT || operation.kind != SW_TOKEN_TEXT)
        return snprintf(problem, 256, "no CloudEvent of Debezium's: it has no attributes 'specversion' and '" PREFIX "op' (extension attributes may be switched off)"), false;
    if (data.kind != SW_TOKEN_OBJECT)
        return snprintf(problem, 256, "the CloudEvent's data is no JSON (let the converter write it: data.serializer.type=json)"), false;
    if (wrapped) {
        sw_buffer_add_text(out, "{\"schema\":");
        sw_json_walk_write(out, schema);
        sw_buffer_add_text(out, ",\"payload\":");
    }
    sw_buffer_add_text(out, "{\"op\":");
    sw_json_walk_write(out, operation);
    add_source(out, event);
    for (size_t i = 0; i < sizeof images / sizeof *images; i++) {
        struct sw_token image = sw_document_member(wrapped ? payload : data, images[i]);
        if (image.kind == SW_TOKEN_ABSENT)
            continue;
        sw_buffer_printf(out, ",\"%s\":", images[i]);
        sw_json_walk_write(out, image);
    }
    sw_buffer_add_byte(out, '}');
    struct sw_token envelope = sw_document_member(event, SW_ENVELOPE);
    if (wrapped)
        sw_buffer_add_byte(out, '}');
    if (envelope.kind == SW_TOKEN_OBJECT) { /* beside the members of the event, wrapped or not */
        out->len--;
        sw_buffer_add_text(out, ",\"" SW_ENVELOPE "\":");
        sw_json_walk_write(out, envelope);
        sw_buffer_add_byte(out, '}');
    }
    sw_buffer_add_byte(out, '\n');
    return true;
}

static const struct sw_format *inner(const struct sw_example *example) { return sw_format_debezium_mongodb.recognise(example) ? &sw_format_debezium_mongodb : &sw_format_debezium; }

static enum sw_code bind(struct sw_binding *out, const struct sw_bind_context *context, const struct sw_example *example, struct sw_error *error)
{
    return sw_format_debezium.bind(out, context, example, error);
}

static void select_table(struct sw_selectors *out, const struct sw_bind_context *context, const struct sw_json_template *template) { sw_format_debezium.select(out, context, template); }

static const struct sw_order_candidate candidates[] = {{"", "what the connector's records have: see the format debezium"}, {NULL, NULL}};

const struct sw_format sw_format_cloudevents = {
    .name = "cloudevents",
    .summary = "Debezium's change events as CloudEvents: attributes iodebezium…, images under data",
    .explain = "Attributes iodebeziumop, iodebeziumlsn … are read as `op` and the fields of `source`, `data` (with a schema block or without) as the images, and the event then as one of the format debezium or debezium-mongodb: "
               "tables, types, placeholders, identities and positions are theirs. An event without those attributes, or with data that is no JSON (Avro), is a bad record. Source: debezium/debezium, integrations/cloudevents.adoc.",
    .orders = candidates,
    .types = true,
    .depth = depth,
    .recognise = recognise,
    .select = select_table,
    .expand = expand,
    .inner = inner,
    .bind = bind,
};

/* Debezium's events of MongoDB: documents stand as text, and updates may show only what changed; those of connectors before 2.0 as a `patch` from the oplog.
 *
 * An event is turned into one line that bind knows: `document` (true), `op`, `source`, the document or its changed fields as `after`, fields that changed in part
 * as members of `partly`, `partial` where the rest is as it was, and the key as `before`. Sources: debezium's connectors/mongodb.adoc (of 1.x, too); MongoDB's manual, Change
 * Events and Extended JSON; mongodb/mongo, src/mongo/db/update/document_diff_serialization.h (the diff of $v 2). */
#include <stdio.h>
#include <stdlib.h>

#include "format/bind.h"
#include "format/debezium/debezium.h"
#include "format/envelope.h"
#include "text/json_document.h"
#include "text/json_walk.h"
#include "text/json_write.h"

#define MARK "document"

static struct sw_token root_of(const struct sw_example *example)
{
    return example->template->nodes[0].object ? sw_json_node_token(example->template, example->tokens, example->record, 0) : example->tokens[0];
}

static struct sw_token payload_of(struct sw_token root)
{
    struct sw_token payload = sw_document_member(root, "payload");
    return payload.kind == SW_TOKEN_OBJECT && sw_document_member(root, "schema").kind != SW_TOKEN_ABSENT ? payload : root;
}

bool sw_debezium_is_document(const struct sw_example *example)
{
    struct sw_token payload = payload_of(root_of(example)), source = sw_document_member(payload, "source");
    return sw_document_member(payload, "op").kind == SW_TOKEN_TEXT && sw_document_member(source, "collection").kind == SW_TOKEN_TEXT;
}

static unsigned recognise(const struct sw_example *example) { return sw_debezium_is_document(example) ? 2 : 0; }

static unsigned depth(const struct sw_mapping *mapping, enum sw_role role)
{
    unsigned levels = sw_format_debezium.depth(mapping, role);
    return levels > 3 ? levels : 3;
}

/* The document that a token is, or holds as text. False: it is none. */
static bool open_document(struct sw_document *out, struct sw_token token, const char *what, char problem[256])
{
    struct sw_buffer text = {0};
    struct sw_error error = {0};
    if (token.kind == SW_TOKEN_OBJECT || token.kind == SW_TOKEN_ARRAY || token.kind == SW_TOKEN_NUMBER)
        sw_json_walk_write(&text, token);
    else if (token.escaped)
        sw_json_unescape_add(&text, sw_bytes_of(token.at, token.len));
    else
        sw_buffer_add(&text, token.at, token.len);
    enum sw_code code = text.failed ? SW_ERR_MEMORY : sw_document_read(out, sw_buffer_view(&text), what, &error);
    if (code < 0)
        snprintf(problem, 256, "%s is no JSON document: %.180s", what, error.text);
    sw_buffer_free(&text);
    return code == SW_OK;
}

/* Members of an object, one line, whatever white space stood between them. */
static void add_member(struct sw_buffer *out, bool *some, struct sw_bytes name, struct sw_token value)
{
    sw_buffer_add_text(out, *some ? ",\"" : "\"");
    sw_buffer_add_bytes(out, name); /* with its escapes */
    sw_buffer_add_text(out, "\":");
    size_t begin = out->len;
    sw_json_walk_write(out, value);
    for (size_t i = begin; i < out->len; i++)
        if (out->at[i] == '\n' || out->at[i] == '\r') /* of white space: a text may not hold any */
            out->at[i] = ' ';
    *some = true;
}

static bool add_document(struct sw_buffer *out, struct sw_token token, const char *name, char problem[256])
{
    struct sw_document document = {0};
    bool some = false, good = open_document(&document, token, name, problem);
    if (good && document.root.kind != SW_TOKEN_OBJECT)
        good = (snprintf(problem, 256, "%s is no JSON object", name), false);
    struct sw_document_items items = sw_document_items(document.root);
    sw_buffer_add_text(out, ",\"after\":{");
    while (good && sw_document_next(&items))
        add_member(out, &some, items.name, items.value);
    sw_buffer_add_byte(out, '}');
    sw_document_free(&document);
    return good;
}

/* The first part of a path in a document, "address.city" or "tags.0": which field changed in part. */
static struct sw_bytes top_field(struct sw_bytes path)
{
    const uint8_t *dot = path.len ? memchr(path.at, '.', path.len) : NULL;
    return dot ? sw_bytes_of(path.at, (size_t)(dot - path.at)) : path;
}

/* Collects names, separated by NUL. */
static void add_name(struct sw_buffer *names, struct sw_bytes name)
{
    sw_buffer_add_bytes(names, name);
    sw_buffer_add_byte(names, 0);
}

static int by_name(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

/* Fields that changed inside, which tell nothing of what they are now: members of `partly`, each once. Ends the object before it. */
static void add_partly(struct sw_buffer *out, struct sw_buffer *partly)
{
    struct sw_buffer names = {0};
    bool some = false;
    for (size_t at = 0; at < partly->len; at += strlen((const char *)partly->at + at) + 1)
        sw_buffer_add(&names, &(const char *){(const char *)partly->at + at}, sizeof(char *));
    const char **name = (const char **)(void *)names.at;
    size_t count = names.failed ? 0 : names.len / sizeof *name;
    if (count)
        qsort(name, count, sizeof *name, by_name);
    sw_buffer_add_text(out, "},\"partly\":{");
    for (size_t i = 0; i < count; i++)
        if (i == 0 || strcmp(name[i - 1], name[i]) != 0)
            add_member(out, &some, sw_bytes_text(name[i]), (struct sw_token){.kind = SW_TOKEN_NUMBER, .at = (const uint8_t *)"0", .len = 1});
    sw_buffer_add_byte(out, '}');
    out->failed |= partly->failed | names.failed;
    sw_buffer_free(&names);
    sw_buffer_free(partly);
}

/* Names and whole values; of a path into a field only that the field changed. */
static void add_fields(struct sw_buffer *out, bool *some, struct sw_buffer *partly, struct sw_token fields, bool values)
{
    struct sw_document_items items = sw_document_items(fields);
    while (fields.kind == SW_TOKEN_OBJECT && sw_document_next(&items)) {
        struct sw_bytes top = top_field(items.name);
        if (!values || top.len != items.name.len)
            add_name(partly, top);
        else
            add_member(out, some, items.name, items.value);
    }
}

static bool is_name(struct sw_bytes name, const char *word) { return sw_bytes_is(name, word); }

static bool refuse_patch(char problem[256], struct sw_bytes name)
{
    snprintf(problem, 256, "the patch has '%.*s', which is not known: $set, $unset, $v and diff are", (int)(name.len < 60 ? name.len : 60), (const char *)name.at);
    return false;
}

/* The diff of oplog entries of version 2: u and i hold whole values, d names what was removed, sNAME is the diff of a field. */
static bool add_diff(struct sw_buffer *out, bool *some, struct sw_buffer *partly, struct sw_token diff, char problem[256])
{
    struct sw_document_items items = sw_document_items(diff);
    while (diff.kind == SW_TOKEN_OBJECT && sw_document_next(&items)) {
        bool values = is_name(items.name, "u") || is_name(items.name, "i");
        if (values || is_name(items.name, "d")) { /* names here are no paths: one with a dot is none of a column that could be told */
            struct sw_document_items fields = sw_document_items(items.value);
            while (items.value.kind == SW_TOKEN_OBJECT && sw_document_next(&fields)) {
                if (values)
                    add_member(out, some, fields.name, fields.value);
                else
                    add_name(partly, fields.name);
            }
        } else if (items.name.len > 1 && items.name.at[0] == 's') {
            add_name(partly, sw_bytes_of(items.name.at + 1, items.name.len - 1));
        } else {
            return refuse_patch(problem, items.name);
        }
    }
    return true;
}

static bool is_operator(struct sw_token root)
{
    struct sw_document_items items = sw_document_items(root);
    return root.kind == SW_TOKEN_OBJECT && sw_document_next(&items) && items.name.len && (items.name.at[0] == '$' || is_name(items.name, "diff"));
}

/* An update of a connector before 2.0: the operation in the oplog, either a whole document or what changed of it. */
static bool add_patch(struct sw_buffer *out, struct sw_token patch, char problem[256])
{
    struct sw_document document = {0};
    struct sw_buffer partly = {0};
    bool some = false, good = open_document(&document, patch, "patch", problem);
    if (good && !is_operator(document.root)) {
        sw_document_free(&document);
        return add_document(out, patch, "patch", problem);
    }
    sw_buffer_add_text(out, ",\"partial\":true,\"after\":{");
    struct sw_document_items items = sw_document_items(document.root);
    while (good && sw_document_next(&items)) {
        if (is_name(items.name, "$set"))
            add_fields(out, &some, &partly, items.value, true);
        else if (is_name(items.name, "$unset"))
            add_fields(out, &some, &partly, items.value, false);
        else if (is_name(items.name, "diff"))
            good = add_diff(out, &some, &partly, items.value, problem);
        else if (!is_name(items.name, "$v"))
            good = refuse_patch(problem, items.name);
    }
    add_partly(out, &partly);
    sw_document_free(&document);
    return good;
}

/* What an update says of the fields that changed: whole new values, and names of fields that are removed or changed inside. */
static bool add_changes(struct sw_buffer *out, struct sw_token description, char problem[256])
{
    struct sw_token updated = sw_document_member(description, "updatedFields"), removed = sw_document_member(description, "removedFields"), cut = sw_document_member(description, "truncatedArrays");
    struct sw_document document = {0};
    struct sw_buffer partly = {0};
    bool some = false, good = updated.kind == SW_TOKEN_ABSENT || updated.kind == SW_TOKEN_NULL || open_document(&document, updated, "updatedFields", problem);
    sw_buffer_add_text(out, ",\"partial\":true,\"after\":{");
    if (good && document.bytes)
        add_fields(out, &some, &partly, document.root, true);
    struct sw_json_walk walk = sw_json_walk_begin(removed);
    for (struct sw_token name; removed.kind == SW_TOKEN_ARRAY && sw_json_walk_element(&name, &walk);)
        if (name.kind == SW_TOKEN_TEXT)
            add_name(&partly, top_field(sw_bytes_of(name.at, name.len)));
    walk = sw_json_walk_begin(cut);
    for (struct sw_token each; cut.kind == SW_TOKEN_ARRAY && sw_json_walk_element(&each, &walk);) {
        struct sw_token field = sw_document_member(each, "field");
        if (field.kind == SW_TOKEN_TEXT)
            add_name(&partly, top_field(sw_bytes_of(field.at, field.len)));
    }
    add_partly(out, &partly);
    sw_document_free(&document);
    return good;
}

/* The key: `_id` of the document before, or of the filter of an old connector, else what the Kafka record's key holds as text in `id`. */
static bool add_key(struct sw_buffer *out, struct sw_token before, const char *name, struct sw_token envelope, char problem[256])
{
    struct sw_document document = {0};
    struct sw_token key = sw_document_member(envelope, "key"), id = {.kind = SW_TOKEN_ABSENT};
    bool good = true, some = false;
    if (sw_document_member(key, "payload").kind == SW_TOKEN_OBJECT)
        key = sw_document_member(key, "payload");
    if (before.kind == SW_TOKEN_TEXT || before.kind == SW_TOKEN_OBJECT) {
        good = open_document(&document, before, name, problem);
        id = sw_document_member(document.root, "_id");
    } else if (sw_document_member(key, "id").kind == SW_TOKEN_TEXT) {
        good = open_document(&document, sw_document_member(key, "id"), "the id in the record's key", problem);
        id = document.root;
    }
    if (good && id.kind != SW_TOKEN_ABSENT) {
        sw_buffer_add_text(out, ",\"before\":{");
        add_member(out, &some, SW_BYTES_LITERAL("_id"), id);
        sw_buffer_add_byte(out, '}');
    }
    sw_document_free(&document);
    return good;
}

static bool expand(struct sw_buffer *out, const struct sw_example *example, char problem[256])
{
    struct sw_token root = root_of(example), payload = payload_of(root), envelope = sw_document_member(root, SW_ENVELOPE);
    if (!sw_debezium_is_document(example)) { /* a heartbeat, a mark of a transaction: as Debezium's other records are read */
        sw_json_walk_write(out, root);
        sw_buffer_add_byte(out, '\n');
        return true;
    }
    struct sw_token after = sw_document_member(payload, "after"), description = sw_document_member(payload, "updateDescription");
    bool some = true;
    sw_buffer_add_text(out, "{\"" MARK "\":true");
    add_member(out, &some, SW_BYTES_LITERAL("op"), sw_document_member(payload, "op"));
    add_member(out, &some, SW_BYTES_LITERAL("source"), sw_document_member(payload, "source"));
    if (sw_document_member(payload, "transaction").kind == SW_TOKEN_OBJECT)
        add_member(out, &some, SW_BYTES_LITERAL("transaction"), sw_document_member(payload, "transaction"));
    if (envelope.kind == SW_TOKEN_OBJECT)
        add_member(out, &some, SW_BYTES_LITERAL(SW_ENVELOPE), envelope);
    struct sw_token patch = sw_document_member(payload, "patch"), filter = sw_document_member(payload, "filter"), before = sw_document_member(payload, "before");
    bool good = true, filtered = before.kind != SW_TOKEN_TEXT && before.kind != SW_TOKEN_OBJECT && (filter.kind == SW_TOKEN_TEXT || filter.kind == SW_TOKEN_OBJECT);
    if (after.kind == SW_TOKEN_TEXT || after.kind == SW_TOKEN_OBJECT)
        good = add_document(out, after, "after", problem);
    else if (patch.kind == SW_TOKEN_TEXT || patch.kind == SW_TOKEN_OBJECT)
        good = add_patch(out, patch, problem);
    else if (description.kind == SW_TOKEN_OBJECT)
        good = add_changes(out, description, problem);
    good = good && add_key(out, filtered ? filter : before, filtered ? "filter" : "before", envelope, problem);
    sw_buffer_add_text(out, "}\n");
    return good;
}

static void select_collection(struct sw_selectors *out, const struct sw_bind_context *context, const struct sw_json_template *template)
{
    if (sw_bind_node(template, 0, MARK) == SW_JSON_NO_NODE) {
        sw_format_debezium.select(out, context, template);
        return;
    }
    out->nodes[out->count++] = sw_bind_node(template, 0, "source.db");
    out->nodes[out->count++] = sw_bind_node(template, 0, "source.collection");
}

/* What a field is that changed inside is not told by the change. */
static bool changed_inside(struct sw_token *value, struct sw_decode_room *room, const struct sw_bound_column *column)
{
    (void)value, (void)column;
    snprintf(room->problem, sizeof room->problem, "only a part of the field was told");
    return false;
}

static bool is_wrapper(struct sw_token name, const char *word) { return sw_bytes_is(sw_bytes_of(name.at, name.len), word); }

/* Under a type, an object of Extended JSON is what it stands for, as that type reads it: text of an id, a number, a time, bytes. */
static bool unwrap(struct sw_token *value, struct sw_decode_room *room, const struct sw_bound_column *column)
{
    struct sw_token name, inner, more;
    struct sw_json_walk walk = sw_json_walk_begin(*value);
    if (value->kind != SW_TOKEN_OBJECT || !sw_json_walk_member(&name, &inner, &walk) || name.len < 4 || name.at[0] != '$')
        return true;
    bool single = !sw_json_walk_member(&more, &more, &walk);
    if (single && is_wrapper(name, "$date")) {
        struct sw_token number = sw_document_member(inner, "$numberLong");
        *value = number.kind == SW_TOKEN_ABSENT ? inner : number;
        if (value->kind == SW_TOKEN_TEXT && number.kind == SW_TOKEN_ABSENT)
            return true; /* ISO 8601 */
        value->kind = SW_TOKEN_NUMBER;
        if (column->type.unit != SW_UNIT_MILLISECONDS)
            return snprintf(room->problem, sizeof room->problem, "{\"$date\": …} counts milliseconds, which the column's type does not"), false;
        return true;
    }
    if (is_wrapper(name, "$binary"))
        *value = inner.kind == SW_TOKEN_OBJECT ? sw_document_member(inner, "base64") : inner;
    else if (single && (is_wrapper(name, "$oid") || is_wrapper(name, "$uuid") || is_wrapper(name, "$numberInt") || is_wrapper(name, "$numberLong") || is_wrapper(name, "$numberDouble") ||
                        is_wrapper(name, "$numberDecimal") || is_wrapper(name, "$symbol")))
        *value = inner;
    return true;
}

/* Which columns of a type read it in one of the wrappers. */
static bool unwraps(const struct sw_type *type) { return type->kind != SW_TYPE_ANY && type->kind != SW_TYPE_JSON && type->kind != SW_TYPE_ARRAY; }

static enum sw_code bind_members(struct sw_bound_image *image, const struct sw_binder *binder, uint32_t object)
{
    const struct sw_json_template *template = binder->template;
    enum sw_code code = SW_OK;
    for (uint32_t at = template->nodes[object].first_child; at != SW_JSON_NO_NODE && code == SW_OK; at = template->nodes[at].next) {
        struct sw_bound_column *bound;
        code = sw_bind_column(&bound, image, binder, at, NULL);
        if (code != SW_OK || !bound || !unwraps(&bound->column->type))
            continue;
        bound->decode = unwrap;
        bool time = bound->type.kind == SW_TYPE_DATE || bound->type.kind == SW_TYPE_TIMESTAMP || bound->type.kind == SW_TYPE_TIMESTAMPTZ;
        if (time && bound->type.unit == SW_UNIT_NONE)
            bound->type.unit = SW_UNIT_MILLISECONDS;
        if (bound->type.kind == SW_TYPE_BYTES)
            bound->type.encoding = SW_BYTES_BASE64;
    }
    for (uint32_t key = 0; key < binder->out->table->key_count && code == SW_OK; key++)
        if (unwraps(&binder->out->table->keys[key]->type))
            image->key_decoders[key].decode = unwrap;
    return code;
}

static const struct sw_operation_spelling operations[] = {
    {"c", SW_OPERATION_INSERT, NULL}, {"u", SW_OPERATION_UPDATE, NULL}, {"d", SW_OPERATION_REMOVE, NULL}, {"r", SW_OPERATION_READ, NULL}, {NULL, SW_OPERATION_UNKNOWN, NULL}};

static enum sw_code bind_fields(struct sw_bound_image *image, const struct sw_binder *binder, uint32_t after, uint32_t partly)
{
    const struct sw_json_template *template = binder->template;
    enum sw_code code = SW_OK;
    sw_bind_image_begin(image);
    if (sw_bind_is_object(template, after))
        code = bind_members(image, binder, after);
    for (uint32_t at = sw_bind_is_object(template, partly) ? template->nodes[partly].first_child : SW_JSON_NO_NODE; at != SW_JSON_NO_NODE && code == SW_OK; at = template->nodes[at].next) {
        struct sw_bound_column *bound;
        code = sw_bind_column(&bound, image, binder, at, NULL);
        if (code == SW_OK && bound)
            bound->decode = changed_inside;
    }
    return code == SW_OK ? sw_bind_image_end(image, binder) : code;
}

static enum sw_code bind(struct sw_binding *out, const struct sw_bind_context *context, const struct sw_example *example, struct sw_error *error)
{
    const struct sw_json_template *template = example->template;
    const struct sw_binder binder = {context, template, out, error};
    struct sw_buffer table = {0};
    if (sw_bind_node(template, 0, MARK) == SW_JSON_NO_NODE)
        return sw_format_debezium.bind(out, context, example, error);
    sw_bind_begin(out);
    (void)sw_bind_text(&table, example, sw_bind_node(template, 0, "source.db"));
    sw_buffer_add_byte(&table, '.');
    (void)sw_bind_text(&table, example, sw_bind_node(template, 0, "source.collection"));
    enum sw_code code = table.failed ? sw_fail_memory(error, "a collection's name", table.len) : sw_bind_table(&binder, sw_buffer_view(&table));
    sw_buffer_free(&table);
    if (code < 0 || out->other_table)
        return code;
    uint32_t after = sw_bind_node(template, 0, "after"), before = sw_bind_node(template, 0, "before");
    out->operation_node = sw_bind_node(template, 0, "op");
    out->operations = operations;
    out->identity_in_key = true;
    if (context->key_count == 1 && strcmp(context->mapping->keys[0], "_id") == 0) /* a document has one, whatever it is */
        out->absent_key = SW_DEBEZIUM_ABSENT_KEY;
    out->partial = sw_bind_node(template, 0, "partial") != SW_JSON_NO_NODE;
    out->membership.id = sw_bind_node(template, 0, "transaction.id");
    out->membership.number = sw_bind_node(template, 0, "transaction.total_order");
    out->membership.table_number = sw_bind_node(template, 0, "transaction.data_collection_order");
    sw_bind_order(&binder, sw_format_debezium_mongodb.order_places);
    if (sw_bind_is_object(template, after))
        code = bind_fields(&out->after, &binder, after, sw_bind_node(template, 0, "partly"));
    if (code == SW_OK && sw_bind_is_object(template, before)) {
        sw_bind_image_begin(&out->before);
        code = bind_members(&out->before, &binder, before);
        if (code == SW_OK)
            code = sw_bind_image_end(&out->before, &binder);
        out->before.present = false; /* the key: a document that was looked up late is held against nothing */
    }
    return code;
}

static const struct sw_order_place places[] = {{"timestamp", "time", "source.ts_ms"}, {NULL, NULL, NULL}};

static const char *const remarks[] = {
    "Debezium looks up a document of MongoDB after its update (capture modes with `full`): `after` may show a later state than the one that the update made",
    "a field of a document that an update changed inside, or removed, is unknown until an event shows it whole", NULL};

static const struct sw_order_candidate candidates[] = {{"", "kafka, timestamp or file"}, {NULL, NULL}};

const struct sw_format sw_format_debezium_mongodb = {
    .name = "debezium-mongodb",
    .json_as_text = true,
    .summary = "Debezium's change events of MongoDB: documents as text",
    .explain = "The members of the document in `after` are the columns, `_id` among them, which is the key as a rule; Extended JSON ({\"$oid\": …}, {\"$numberLong\": …}) is what it stands for, in both versions, on both sides. An update without `after` "
               "is read from updateDescription: fields with whole new values; a field that was changed inside (\"a.b\"), cut or removed is unknown until an event shows it whole; all others keep what they were. Connectors before 2.0 show a `patch` of the oplog and a `filter` instead. The key of "
               "such an update, and of a delete, comes from `before` (pre-images) or from the Kafka record's key (format kcat); without either it is a bad record. The table is db.collection. MongoDB's cluster time is not "
               "in the events: order by kafka, or by timestamp, which is weak. Heartbeats and other records of Debezium's are read as in the format debezium. Source: debezium/debezium, connectors/mongodb.adoc.",
    .remarks = remarks,
    .order_places = places,
    .time_per_second = 1000,
    .orders = candidates,
    .depth = depth,
    .recognise = recognise,
    .select = select_collection,
    .expand = expand,
    .bind = bind,
};

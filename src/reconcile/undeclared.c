/* Events of no known format, of which nobody declares what they are: what their first records show of a product's form, or of operations that would be taken for columns, refuses
 * the run. Every event would count as a write, and a deleted row as one that is there; or every record would be bad, one by one.
 * Sources: Airbyte protocol; Singer specification; Snowflake documentation, "Introduction to streams"; Fivetran documentation, "System columns"; pingcap/docs, TiCDC protocols; AWS Lambda developer
 * guide, "Using Lambda with Amazon Kinesis", "… with Amazon MSK"; Supabase documentation, "Database Webhooks"; supabase/walrus, README.md; ihippik/wal-listener, README.md; Google Cloud Pub/Sub documentation, "Pull subscriptions"; CockroachDB documentation, "Changefeed messages"; MongoDB manual, "Change events". */
#include <stdio.h>
#include <strings.h>

#include "base/character.h"
#include "reconcile/between.h"
#include "reconcile/run.h"
#include "format/bind.h"
#include "text/csv_reader.h"

#define PATHS_MAX 3
#define LIST "["
#define MANUAL "docs/formats.md, Shapes that a mapping describes"

/* A form whose members tell it. */
struct shape {
    const char *paths[PATHS_MAX];   /* all of them are there */
    const char *text;               /* what stands at the first of them; LIST: an array; NULL: anything */
    const char *what, *how;
};

static const struct shape shapes[] = {
    {{"type", "record"}, "RECORD", "messages of Airbyte or Singer", "a mapping describes them: " MANUAL},
    {{"Records"}, LIST, "a batch, as AWS hands it to a function", "unpack it first, a record a line: jq -c '.Records[].kinesis.data | @base64d | fromjson'"},
    {{"ackId", "message"}, NULL, "messages pulled from Pub/Sub, with their data in base64", "unpack them first, a record a line: jq -c '.[].message.data | @base64d | fromjson'"},
    {{"dynamodb", "eventName"}, NULL, "records of DynamoDB Streams, whose values are wrapped in their types", "turn them into rows first"},
    {{"commitTs", "schemaVersion"}, NULL, "messages of TiCDC's simple protocol", "a mapping describes them: " MANUAL},
    {{"scm", "tbl", "ts"}, NULL, "keys of TiCDC's open protocol, apart from their values", "let TiCDC write canal-json (enable-tidb-extension=true)"},
    {{"operationType", "documentKey"}, NULL, "change events of MongoDB itself", "a mapping describes them: " MANUAL},
    {{"after", "updated", "key"}, NULL, "messages of a changefeed of CockroachDB", "a deletion is an `after` that is null, so write an operation beside it first: jq -c 'select(.key) | .op = if .after then \"upsert\" else \"delete\" end'"},
    {{"metadata.OperationName", "data"}, NULL, "events of Striim", "a mapping describes them: " MANUAL},
    {{"message.headers", "message.data"}, NULL, "messages of Qlik Replicate", "a mapping describes them: " MANUAL},
    {{"old_record", "record", "type"}, NULL, "records of Supabase's webhooks", "a mapping describes them: " MANUAL},
    {{"wal.record", "wal.type"}, NULL, "messages of Supabase's Realtime", "a mapping describes them, as those of its webhooks with `wal.` before each path: " MANUAL},
    {{"eventType", "new", "old"}, NULL, "what a client of Supabase's Realtime is told", "a mapping describes them: " MANUAL},
    {{"dataOld", "data", "action"}, NULL, "messages of wal-listener", "a mapping describes them: " MANUAL},
    {{"eventSource", "records"}, "aws:kafka", "a batch of Kafka, as AWS hands it to a function", "unpack it first, a record a line: jq -c '.records[][] | (.key, .value) |= (if . then @base64d else . end)'"},
    {{"record", "action", "metadata"}, NULL, "messages of Sequin", "a mapping describes them: " MANUAL},
    {{"_meta.op", "_meta.source"}, NULL, "documents of Estuary Flow", "--op _meta.op declares it, and --ignore _meta leaves the rest of that member out"},
    {{"schema.dataColumn", "payload.op"}, NULL, "records of Alibaba Cloud's Data Integration", "a mapping describes them: " MANUAL},
    {{"specversion", "source", "data"}, NULL, "CloudEvents without Debezium's attributes", "say in a mapping what `data` holds (value: data, or after: data and op)"},
    {{"_metadata_change_type"}, NULL, "records of the Dataflow templates, not of Datastream itself", "declare what they do: op: {path: _metadata_change_type, upsert: [INSERT, UPDATE, UPDATE-INSERT], delete: [DELETE, UPDATE-DELETE]}"},
    {{"value.op", "value.source"}, NULL, "events of Debezium in their member `value`", "take it out, a record a line: jq -c .value (a null is a tombstone), or dump the topic with kcat -J, which keeps the key and the place, too"},
    {{"value.payload.op", "value.payload.source"}, NULL, "events of Debezium in their member `value`", "take it out, a record a line: jq -c .value (a null is a tombstone), or dump the topic with kcat -J, which keeps the key and the place, too"},
    {{"init_vector", "data"}, NULL, "records that Maxwell encrypted as a whole (encrypt: all)", "decrypt them first, with the secret key that Maxwell was given; encrypt: none leaves records as they are"},
    {{"METADATA$ACTION"}, NULL, "rows of a Snowflake stream, in which an update is a DELETE and an INSERT", "leave the row before an update out (WHERE NOT (METADATA$ACTION = 'DELETE' AND METADATA$ISUPDATE)) and declare the rest: op: {path: METADATA$ACTION, upsert: INSERT, delete: DELETE}"},
    {{"SQL_REDO"}, NULL, "rows of Oracle's V$LOGMNR_CONTENTS, whose values stand in statements", "SQL is not read; record the changes with Debezium or GoldenGate"},
    {{"_airbyte_data"}, NULL, "raw rows of Airbyte, with the record in _airbyte_data", "export the typed table, or unpack that column"},
    {{"_hoodie_is_deleted"}, NULL, "rows of Hudi that say whether they are deleted", "--deleted _hoodie_is_deleted declares it"},
    {{"_fivetran_deleted"}, NULL, "rows of Fivetran that say whether they are deleted", "--deleted _fivetran_deleted declares it"},
    {{"_ab_cdc_deleted_at"}, NULL, "rows of Airbyte that say when they were deleted", "--deleted set:_ab_cdc_deleted_at declares it"},
    {{"_sdc_deleted_at"}, NULL, "rows of a Singer target that say when they were deleted", "--deleted set:_sdc_deleted_at declares it"},
};

/* Names under which home-made records say what they do, in lower case, and values that say that a row is gone. */
static const char *const operation_names[] = {"op", "_op", "__op", "operation", "_operation", "op_type", "optype", "operation_type", "dml", "dml_type", "change_type", "_change_type", "cdc_operation", "cdc_op",
                                              "header__change_oper", "event_type", "eventtype", "action", "type", "kind", "rowkind", "row_kind", "op_code", "opcode"};
static const char *const removals[] = {"d", "D", "delete", "DELETE", "Delete", "deleted", "DELETED", "remove", "REMOVE", "-D", "-d"};

struct seen {
    const struct sw_mapping *mapping;
    const struct sw_input *input;
    const struct shape *shape;
    uint32_t records;
    bool plain;                     /* some record has a name that plain records have */
    char removing[64], removal[16]; /* a member that says that a row is gone, and how; removing[0] == 0: none was met */
    char members[256];              /* of the first record */
    char inner[64];                 /* its member that seems to hold the event itself, or several; inner[0] == 0: there is none */
    const struct wrapping *wrapping; /* how */
};

static bool is_among(const char *const *words, size_t count, struct sw_bytes text, bool fold)
{
    char lower[32];
    if (text.len >= sizeof lower)
        return false;
    for (size_t i = 0; i < text.len; i++)
        lower[i] = fold && text.at[i] >= 'A' && text.at[i] <= 'Z' ? (char)(text.at[i] | 0x20) : (char)text.at[i];
    for (size_t i = 0; i < count; i++)
        if (sw_bytes_is(sw_bytes_of((const uint8_t *)lower, text.len), words[i]))
            return true;
    return false;
}

static bool is_left_out(const struct seen *seen, struct sw_bytes name)
{
    const struct sw_column_rule *rule = sw_mapping_rule(seen->mapping, SW_ROLE_EVENTS, name);
    return (rule && rule->ignored) || sw_layout_claims(&seen->mapping->layout[SW_ROLE_EVENTS], name);
}

static bool has_shape(const struct seen *seen, const struct shape *shape, const struct sw_example *example)
{
    for (size_t i = 0; i < PATHS_MAX && shape->paths[i]; i++)
        if (sw_bind_node(example->template, 0, shape->paths[i]) == SW_JSON_NO_NODE)
            return false;
    struct sw_token first = sw_bind_token(example, shape->paths[0]);
    if (shape->text && strcmp(shape->text, LIST) == 0)
        return first.kind == SW_TOKEN_ARRAY && !is_left_out(seen, sw_bytes_text(shape->paths[0]));
    return shape->text ? first.kind == SW_TOKEN_TEXT && sw_bytes_is(sw_bytes_of(first.at, first.len), shape->text) : shape->paths[1] || !is_left_out(seen, sw_bytes_text(shape->paths[0]));
}

static void list_members(struct seen *seen, const struct sw_json_template *template)
{
    size_t used = 0;
    for (uint32_t child = template->nodes[0].first_child; child != SW_JSON_NO_NODE && used + 8 < sizeof seen->members; child = template->nodes[child].next) {
        struct sw_bytes name = sw_json_node_name(template, child);
        int len = name.len < 64 ? (int)name.len : 64;
        int wrote = snprintf(seen->members + used, sizeof seen->members - used, "%s%.*s", used ? ", " : "", len, (const char *)name.at);
        if (wrote < 0 || used + (size_t)wrote >= sizeof seen->members - 6) {
            snprintf(seen->members + used, sizeof seen->members - used, "%s", used ? ", …" : "…");
            return;
        }
        used += (size_t)wrote;
    }
}

/* How a record may hold another one, and how that is taken out with jq; NULL: what stands beside it is part of the event. */
static const struct wrapping {
    const char *what, *how;
} in_array = {"an array of records", "[]"}, in_object = {"an object that looks like the event", ""}, in_text = {"JSON as text", " | fromjson"}, in_base64 = {"JSON in base64", " | @base64d | fromjson"},
  in_image = {"the row", NULL};

/* The first byte of a token's text that is no blank, behind `from`. */
static uint8_t begin_of(struct sw_token value, uint32_t from)
{
    while (from < value.len && (value.at[from] == ' ' || value.at[from] == '\t' || value.at[from] == '\n' || value.at[from] == '\r'))
        from++;
    return from < value.len ? value.at[from] : 0;
}

static bool is_base64_of_object(struct sw_bytes text)
{
    static const char *const begins[] = {"eyJ", "eyA", "ewo", "ewk", "ew0"}; /* a brace, then a quote, a blank, a line break or a tab */
    for (size_t i = 0; text.len >= 16 && i < sizeof begins / sizeof *begins; i++)
        if (sw_bytes_begin_text(text, begins[i]))
            return true;
    return false;
}

/* Is a member of the object, as the mapping names it, a column of the key, or is it declared where that stands? */
static bool has_key(const struct seen *seen, const struct sw_json_template *template, uint32_t object)
{
    const struct sw_mapping *mapping = seen->mapping;
    bool has = mapping->table_count != 0; /* each table has its own */
    for (size_t i = 0; i < mapping->key_count; i++)
        has = has || (!mapping->plain_names && mapping->layout[SW_ROLE_EVENTS].key[i].step_count);
    for (uint32_t child = template->nodes[object].first_child; child != SW_JSON_NO_NODE && !has; child = template->nodes[child].next) {
        struct sw_bytes name = sw_json_node_name(template, child);
        const struct sw_column_rule *rule = sw_mapping_rule(mapping, SW_ROLE_EVENTS, name);
        for (size_t i = 0; i < mapping->key_count && !has; i++)
            has = sw_bytes_is(rule && rule->renamed_to ? sw_bytes_text(rule->renamed_to) : name, mapping->keys[i]);
    }
    return has;
}

static const struct wrapping *wrapping_of(const struct seen *seen, const struct sw_example *example, uint32_t child)
{
    const struct sw_json_template *template = example->template;
    struct sw_token value = example->tokens[child];
    if (template->nodes[child].object)
        return has_key(seen, template, child)                              ? &in_image
               : sw_bind_node(template, child, "op") != SW_JSON_NO_NODE &&
                       (sw_bind_node(template, child, "after") != SW_JSON_NO_NODE || sw_bind_node(template, child, "before") != SW_JSON_NO_NODE) ? &in_object
                                                                           : NULL;
    if (value.kind == SW_TOKEN_ARRAY)
        return begin_of(value, 1) == '{' ? &in_array : NULL;
    if (value.kind != SW_TOKEN_TEXT)
        return NULL;
    return begin_of(value, 0) == '{' ? &in_text : is_base64_of_object(sw_bytes_of(value.at, value.len)) ? &in_base64 : NULL;
}

/* May a name stand in a command that somebody copies? */
static bool is_plain_name(struct sw_bytes name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!sw_is_digit(name.at[i]) && !(sw_lower(name.at[i]) >= 'a' && sw_lower(name.at[i]) <= 'z') && name.at[i] != '_')
            return false;
    return name.len != 0;
}

/* The member of a record without a key that holds another one. */
static void find_inner(struct seen *seen, const struct sw_example *example)
{
    const struct sw_json_template *template = example->template;
    if (has_key(seen, template, 0))
        return;
    for (uint32_t child = template->nodes[0].first_child; child != SW_JSON_NO_NODE && !seen->inner[0]; child = template->nodes[child].next) {
        struct sw_bytes name = sw_json_node_name(template, child);
        const struct wrapping *wrapping = wrapping_of(seen, example, child);
        if (!wrapping || name.len >= sizeof seen->inner || !is_plain_name(name) || is_left_out(seen, name) || sw_bytes_is(name, "key") || sw_bytes_is(name, "Key"))
            continue;
        snprintf(seen->inner, sizeof seen->inner, "%.*s", (int)name.len, (const char *)name.at);
        seen->wrapping = wrapping;
    }
}

static void look_at(struct seen *seen, const struct sw_example *example)
{
    const struct sw_json_template *template = example->template;
    if (seen->records++ == 0) {
        list_members(seen, template);
        find_inner(seen, example);
    }
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes && !seen->shape; i++)
        if (has_shape(seen, &shapes[i], example))
            seen->shape = &shapes[i];
    for (uint32_t child = template->nodes[0].first_child; child != SW_JSON_NO_NODE; child = template->nodes[child].next) {
        struct sw_bytes name = sw_json_node_name(template, child);
        struct sw_token value = example->tokens[child];
        seen->plain |= sw_bytes_is(name, "key") || sw_bytes_is(name, "op");
        if (seen->removing[0] || value.kind != SW_TOKEN_TEXT || value.escaped || template->nodes[child].object || is_left_out(seen, name) ||
            !is_among(operation_names, sizeof operation_names / sizeof *operation_names, name, true) ||
            !is_among(removals, sizeof removals / sizeof *removals, sw_bytes_of(value.at, value.len), false))
            continue;
        snprintf(seen->removing, sizeof seen->removing, "%.*s", (int)name.len, (const char *)name.at);
        snprintf(seen->removal, sizeof seen->removal, "%.*s", (int)value.len, (const char *)value.at);
    }
}

static enum sw_code look_at_record(void *ctx, struct sw_json_template *template, const struct sw_example *example, struct sw_error *error)
{
    (void)template, (void)error;
    look_at(ctx, example);
    return SW_OK;
}

#define ROWS_LOOKED_AT 64

/* The rows of CSV that the head holds, under the names of its first line. */
static enum sw_code look_at_csv(struct seen *seen, const struct sw_run *run, struct sw_error *error)
{
    struct sw_json_template *header;
    struct sw_error unread = {0}; /* what is wrong with a header is said where it is read */
    enum sw_code code = sw_read_csv_header(&header, run->reading.kernel, &run->mapping, seen->input, &unread);
    if (code < 0)
        return code == SW_ERR_MEMORY ? sw_fail_memory(error, "a CSV header", 0) : SW_OK;
    struct sw_csv_reader csv = {0};
    struct sw_buffer head = {0};
    sw_buffer_add_bytes(&head, seen->input->head);
    bool room = sw_csv_reader_init(&csv, run->reading.kernel, (uint8_t)run->mapping.csv_delimiter) && sw_buffer_reserve(&head, SW_BLOCK_PADDING) && !head.failed;
    if (room) {
        memset(head.at + head.len, 0, SW_BLOCK_PADDING);
        csv.escape = (uint8_t)run->mapping.csv_escape;
        uint8_t *at = head.at, *end = head.at + head.len;
        uint64_t lines = 0;
        for (unsigned row = 0; row <= ROWS_LOOKED_AT && at < end; row++) {
            if (sw_csv_read(&csv, &at, end, &lines) != SW_CSV_OK)
                break;
            csv.column_count = header->node_count - 1;
            if (row && csv.token_count == csv.column_count)
                look_at(seen, &(struct sw_example){.template = header, .tokens = csv.tokens, .record = head.at});
        }
    }
    sw_csv_reader_free(&csv);
    sw_buffer_free(&head);
    sw_read_header_free(&header);
    return room ? SW_OK : sw_fail_memory(error, "the head of an input", seen->input->head.len);
}

/* LSN, transaction, {…} */
static bool is_slot_row_with_tabs(struct sw_bytes line)
{
    const uint8_t *first = line.len ? memchr(line.at, '\t', line.len < 24 ? line.len : 24) : NULL, *second = first ? memchr(first + 1, '\t', line.len - (size_t)(first + 1 - line.at)) : NULL;
    if (!second || second == first + 1 || !memchr(line.at, '/', (size_t)(first - line.at)))
        return false;
    for (const uint8_t *at = line.at; at < second; at++)
        if (!sw_is_digit(*at) && *at != '/' && *at != '\t' && !(*at >= 'A' && *at <= 'F'))
            return false;
    return true;
}

/* Nothing but null, as far as the head goes. */
static bool is_all_null(struct sw_bytes head)
{
    size_t at = 0, count = 0;
    for (; at < head.len; at++)
        if (head.at[at] != '\n' && head.at[at] != '\r' && head.at[at] != ' ') {
            if (head.len - at < 4 || memcmp(head.at + at, "null", 4) != 0)
                return false;
            at += 3;
            count++;
        }
    return count != 0;
}

/* Texts that are no records, by their first line. `told`: a mapping or another input says what the records are. */
static enum sw_code refuse_text(const struct sw_input *input, bool told, struct sw_error *error)
{
    struct sw_bytes line = input->head;
    if (!told && is_all_null(input->head))
        return sw_fail(error, SW_ERR_USAGE, "events: %s begins with nothing but null, which stands for a tombstone in dumps of values and tells no format: --format NAME says which one it is (slackwater formats), such as debezium", input->locator);
    while (line.len && (line.at[0] == '\n' || line.at[0] == '\r' || line.at[0] == ' '))
        line = sw_bytes_of(line.at + 1, line.len - 1);
    const uint8_t *end = line.len ? memchr(line.at, '\n', line.len) : NULL;
    line.len = end ? (size_t)(end - line.at) : line.len;
    const char *what = sw_bytes_begin_text(line, "CreateTime:") || sw_bytes_begin_text(line, "LogAppendTime:") || sw_bytes_begin_text(line, "NO_TIMESTAMP") || sw_bytes_begin_text(line, "Partition:")
                           ? "what kafka-console-consumer prints with another separator than its tab"
                       : sw_bytes_begin_text(line, "Key (")     ? "what kcat prints with -f"
                       : sw_between_is_keyed(line)              ? "a text with something before its records, as kcat -f and consumers with a separator of one's own print keys and offsets"
                                                                : NULL;
    if (is_slot_row_with_tabs(line))
        return sw_fail(error, SW_ERR_USAGE, "events: %s holds rows of a slot with tabs between the columns: COPY writes them so, and doubles backslashes in them, which psql -A does not: write CSV (psql --csv, COPY … CSV) or psql -At", input->locator);
    if (what)
        return sw_fail(error, SW_ERR_USAGE, "events: %s is %s: which part is the record cannot be told for sure; dump the topic with kcat -J, or rpk topic consume -f json, which keep the partition and the offset, too",
                       input->locator, what);
    static const char *const printed[] = {"SourceRecord{", "EmbeddedEngineChangeEvent [", "EmbeddedEngineChangeEvent[", "ConnectRecord{", "ConsumerRecord(", "Struct{"};
    for (size_t i = 0; i < sizeof printed / sizeof *printed; i++)
        if (sw_bytes_begin_text(line, printed[i]))
            return sw_fail(error, SW_ERR_USAGE, "events: %s is what Java prints of a record (%s…), which is no JSON: let Debezium's engine make JSON (KeyValueChangeEventFormat.of(Json.class, Json.class)) and write event.value(), or dump the topic "
                           "with kcat -J", input->locator, printed[i]);
    if (sw_bytes_begin_text(line, "\"{\\\""))
        return sw_fail(error, SW_ERR_USAGE, "events: %s holds records as JSON text inside a JSON text; take them out first: jq -c fromjson", input->locator);
    if (sw_bytes_begin_text(line, "+I[") || sw_bytes_begin_text(line, "+U[") || sw_bytes_begin_text(line, "-U[") || sw_bytes_begin_text(line, "-D[") || memmem(line.at, line.len, "> +I[", 5))
        return sw_fail(error, SW_ERR_USAGE, "events: %s is what Flink's print connector writes, without names of columns; let a file or Kafka sink write changelog-json or debezium-json", input->locator);
    return SW_OK;
}

/* A line of rows in the place of the names: what writes CSV of changes without a header writes the operation first. Nor is a statement a header. */
static enum sw_code refuse_headless(const struct sw_input *input, struct sw_error *error)
{
    static const char *const statements[] = {"insert ", "update ", "delete ", "create ", "drop ", "alter ", "truncate ", "select ", "use ", "set ", "begin;", "-- "};
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        if (input->head.len > strlen(statements[i]) && strncasecmp((const char *)input->head.at, statements[i], strlen(statements[i])) == 0)
            return sw_fail(error, SW_ERR_USAGE, "events: the first line of %s is a statement of SQL, rows or change events were expected: statements are not read; --format plain takes that line for the names of columns", input->locator);
    static const char *const first[] = {"I,", "U,", "D,", "\"I\",", "\"U\",", "\"D\",", "I|", "U|", "D|", "I;", "U;", "D;", "I\t", "U\t", "D\t"};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        if (sw_bytes_begin_text(input->head, first[i]))
            return sw_fail(error, SW_ERR_USAGE, "events: the first line of %s is a change (%c), the names of the columns were expected: AWS DMS writes them with AddColumnName=true, TiCDC never; put a line before it, "
                           "Op,COLUMN,COLUMN… for DMS; --format plain takes that line for the names of columns", input->locator, first[i][0] == '"' ? first[i][1] : first[i][0]);
    return SW_OK;
}

static enum sw_code refuse_wrapped(const struct seen *seen, struct sw_error *error)
{
    const struct wrapping *wrapping = seen->wrapping;
    bool csv = seen->input->framing == SW_FRAMING_CSV;
    char how[160];
    if (wrapping == &in_image)
        snprintf(how, sizeof how, "a mapping says so, and what the record does to it: after: %s, op: … (docs/mapping.md)", seen->inner);
    else if (csv)
        snprintf(how, sizeof how, "if that is what changed, write that column out by itself, a record a line");
    else
        snprintf(how, sizeof how, "if that is what changed, take it out, a record a line: jq -c '.%s%s'", seen->inner, wrapping->how);
    return sw_fail(error, SW_ERR_USAGE, "events: records of %s have no key column, and their %s '%s' holds %s; %s", seen->input->locator, csv ? "column" : "member", seen->inner, wrapping->what, how);
}

static enum sw_code judge(const struct sw_run *run, const struct seen *seen, bool rows, struct sw_error *error)
{
    const char *file = seen->input->locator;
    if (seen->shape)
        return sw_fail(error, SW_ERR_USAGE, "events: %s holds %s, and nothing declares what they do; %s. --format plain reads them as they stand, each as a write", file, seen->shape->what, seen->shape->how);
    if (seen->removing[0] && !run->mapping.plain_names)
        return sw_fail(error, SW_ERR_USAGE, "events: records of %s say in '%s' that their row is gone (%s), and no operation is declared, so that each would count as a write; --op %s declares it, with a mapping its "
                       "spellings (docs/mapping.md); --format plain takes it for a column like any other", file, seen->removing, seen->removal, seen->removing);
    if (seen->inner[0] && (seen->wrapping != &in_array || seen->records == 1))
        return refuse_wrapped(seen, error);
    if (rows && run->mapping.plain_names && seen->records && !seen->plain)
        return sw_fail(error, SW_ERR_USAGE, "events: no format is told by the first records of %s, whose members are %s; --format NAME says which one it is (slackwater formats), or --key COLUMN what names a row, and --op "
                       "or a mapping where the other parts stand (docs/mapping.md)", file, seen->members);
    return SW_OK;
}

enum sw_code sw_run_refuse_undeclared(struct sw_run *run, bool rows, struct sw_error *error)
{
    const struct sw_read_role *events = &run->reading.roles[SW_ROLE_EVENTS];
    const struct sw_layout *layout = &run->mapping.layout[SW_ROLE_EVENTS];
    bool described = !run->mapping.plain_names && (layout->operation.step_count || layout->before.step_count || layout->after.step_count || layout->value.step_count || layout->deleted.step_count);
    if (!events->source || run->mapping.format[SW_ROLE_EVENTS])
        return SW_OK;
    enum sw_code code = SW_OK;
    for (uint32_t i = 0; i < sw_source_input_count(events->source) && code == SW_OK; i++)
        if (sw_source_input(events->source, i)->framing == SW_FRAMING_LINES)
            code = refuse_text(sw_source_input(events->source, i), described || events->format != &sw_format_plain, error);
    if (events->format != &sw_format_plain || described)
        return code;
    for (uint32_t i = 0; i < sw_source_input_count(events->source) && code == SW_OK; i++) {
        struct seen seen = {.mapping = &run->mapping, .input = sw_source_input(events->source, i)};
        if (seen.input->rows)
            continue;
        bool csv = seen.input->framing == SW_FRAMING_CSV;
        if (csv && (code = refuse_headless(seen.input, error)) == SW_OK)
            code = look_at_csv(&seen, run, error);
        else if (!csv)
            code = sw_run_look_at_head(run, seen.input, SW_RECOGNISE_DEPTH, look_at_record, &seen, error);
        if (code == SW_OK)
            code = judge(run, &seen, rows, error);
    }
    return code;
}

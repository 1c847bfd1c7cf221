/* wal2json: both output formats of the plugin. Source: eulerto/wal2json, README.md, wal2json.c and expected/. */
#include <stdio.h>
#include <stdlib.h>

#include "format/bind.h"
#include "format/envelope.h"
#include "position/lsn.h"
#include "text/json_value.h"
#include "text/json_walk.h"

/* In version 2 the commit's LSN stands at the marks of a transaction: rows between them take it from there.
 *
 * What a record is turned into, one line a row; every member but `action` may be absent:
 *   {"action":"U","xid":…,"lsn":…,"commit_lsn":…,"ordinal":…,"schema":…,"table":…,"types":"integer\ntext","changed":{…},"identity":{…}}
 * `types` are those of the columns and then those of the identity, in their order. An update's columns are named `changed`, those of an insert
 * `columns`: an update leaves out unchanged TOAST columns, an insert has them all. */

static bool is(struct sw_token token, const char *text) { return token.kind == SW_TOKEN_TEXT && sw_bytes_is(sw_bytes_of(token.at, token.len), text); }

static unsigned recognise(const struct sw_example *example)
{
    struct sw_token action = sw_bind_token(example, "action"), change = sw_bind_token(example, "change");
    if (change.kind == SW_TOKEN_ARRAY) {
        struct sw_json_walk walk = sw_json_walk_begin(change);
        struct sw_token first;
        return !sw_json_walk_element(&first, &walk) ? 1 : sw_json_walk_find(first, "kind").kind == SW_TOKEN_TEXT ? 2 : 0;
    }
    if (action.kind != SW_TOKEN_TEXT || action.len != 1 || !memchr("BCIUDTM", *action.at, 7))
        return 0;
    return *action.at == 'B' || *action.at == 'C' ? 1 : sw_bind_token(example, "table").kind == SW_TOKEN_TEXT || sw_bind_token(example, "columns").kind == SW_TOKEN_ARRAY || sw_bind_token(example, "prefix").kind == SW_TOKEN_TEXT ? 2 : 0;
}

static void add_member(struct sw_buffer *out, const char *name, struct sw_token value)
{
    if (value.kind == SW_TOKEN_ABSENT || value.kind == SW_TOKEN_NULL)
        return;
    sw_buffer_printf(out, ",\"%s\":", name);
    sw_json_walk_write(out, value);
}

/* The columns that a row is made of, wherever the two versions hold them. */
struct columns {
    struct sw_token objects;                /* v2: an array of {name, type, value} */
    struct sw_token names, types, values;   /* v1: three arrays */
};

static void add_type(struct sw_buffer *types, struct sw_token type)
{
    if (types->len)
        sw_buffer_add_text(types, "\\n");
    if (type.kind == SW_TOKEN_TEXT)
        sw_buffer_add(types, type.at, type.len);
}

static void add_value(struct sw_buffer *out, struct sw_token name, struct sw_token value, bool first)
{
    if (!first)
        sw_buffer_add_byte(out, ',');
    sw_json_walk_write(out, name);
    sw_buffer_add_byte(out, ':');
    sw_json_walk_write(out, value);
}

/* The columns of either version, one by one. */
struct column_walk {
    struct sw_json_walk objects, names, types, values;
    bool arrays;
};

static struct column_walk walk_begin(const struct columns *columns)
{
    return (struct column_walk){sw_json_walk_begin(columns->objects), sw_json_walk_begin(columns->names), sw_json_walk_begin(columns->types), sw_json_walk_begin(columns->values),
                                columns->objects.kind != SW_TOKEN_ARRAY};
}

struct column { struct sw_token name, type, value; };

/* False at the end. A column that lacks its name or value has a token of another kind there, or ABSENT. */
static bool walk_column(struct column *out, struct column_walk *walk)
{
    struct sw_token object;
    *out = (struct column){{.kind = SW_TOKEN_ABSENT}, {.kind = SW_TOKEN_ABSENT}, {.kind = SW_TOKEN_ABSENT}};
    if (!walk->arrays) {
        if (!sw_json_walk_element(&object, &walk->objects))
            return false;
        *out = (struct column){sw_json_walk_find(object, "name"), sw_json_walk_find(object, "type"), sw_json_walk_find(object, "value")};
        return true;
    }
    bool name = sw_json_walk_element(&out->name, &walk->names), value = sw_json_walk_element(&out->value, &walk->values);
    (void)sw_json_walk_element(&out->type, &walk->types);
    return name || value;
}

static bool is_one_name(struct sw_token a, struct sw_token b) { return a.len == b.len && memcmp(a.at, b.at, a.len) == 0; }

static int by_name(const void *a, const void *b) { return sw_bytes_compare(*(const struct sw_bytes *)a, *(const struct sw_bytes *)b); }

/* The names of the columns, sorted, for the columns of an old row that do not stand where the walk does. */
struct column_names {
    struct sw_buffer list; /* of struct sw_bytes */
    bool listed;
};

static bool has_column(struct column_names *names, const struct columns *columns, struct sw_token name)
{
    struct column column;
    struct sw_bytes wanted = sw_bytes_of(name.at, name.len);
    if (!names->listed) {
        for (struct column_walk walk = walk_begin(columns); walk_column(&column, &walk);)
            if (column.name.kind == SW_TOKEN_TEXT)
                sw_buffer_add(&names->list, &(struct sw_bytes){column.name.at, column.name.len}, sizeof wanted);
        if (names->list.len)
            qsort(names->list.at, names->list.len / sizeof wanted, sizeof wanted, by_name);
        names->listed = true;
    }
    return names->list.len && bsearch(&wanted, names->list.at, names->list.len / sizeof wanted, sizeof wanted, by_name);
}

/* Others that write this format (pgstream) have a null where the plugin leaves a list out. */
static bool is_there(const struct columns *columns)
{
    bool objects = columns->objects.kind != SW_TOKEN_ABSENT && columns->objects.kind != SW_TOKEN_NULL;
    return objects || columns->names.kind != SW_TOKEN_ABSENT;
}

static bool is_list(const struct columns *columns)
{
    return columns->objects.kind == SW_TOKEN_ARRAY || (columns->names.kind == SW_TOKEN_ARRAY && columns->values.kind == SW_TOKEN_ARRAY);
}

static void add_column(struct sw_buffer *out, struct sw_buffer *types, const struct column *column, bool first)
{
    add_type(types, column->type);
    add_value(out, column->name, column->value, first);
}

/* The plugin leaves out what is stored out of line and did not change; a whole old row (REPLICA IDENTITY FULL) has it. A null there is what some releases wrote in place of it (debezium/debezium
 * #1123): a column that is NULL is never stored out of line, so that it is unknown. Both lists are in the
 * order of the table, so that a column is mostly found where the walk stands. */
static void add_unchanged(struct sw_buffer *out, struct sw_buffer *types, const struct columns *columns, const struct columns *old)
{
    struct column column, current = {0};
    struct column_names names = {0};
    struct column_walk walk = walk_begin(columns), olds = walk_begin(old);
    bool more = walk_column(&current, &walk);
    while (is_list(old) && walk_column(&column, &olds)) {
        if (more && current.name.kind == SW_TOKEN_TEXT && is_one_name(current.name, column.name))
            more = walk_column(&current, &walk);
        else if (column.name.kind == SW_TOKEN_TEXT && column.value.kind != SW_TOKEN_ABSENT && column.value.kind != SW_TOKEN_NULL && !has_column(&names, columns, column.name))
            add_column(out, types, &column, false);
    }
    out->failed |= names.list.failed;
    sw_buffer_free(&names.list);
}

/* Appends ,"MEMBER":{"name":value,…} and the types, with what only `old` (may be NULL) has. False: the columns are not what they must be. */
static bool add_columns(struct sw_buffer *out, struct sw_buffer *types, const char *member_name, const struct columns *columns, const struct columns *old, char problem[256])
{
    bool first = true;
    if (!is_there(columns))
        return true;
    if (!is_list(columns))
        return snprintf(problem, 256, "'%s' holds no columns as wal2json writes them", member_name), false;
    sw_buffer_printf(out, ",\"%s\":{", member_name);
    struct column column;
    for (struct column_walk walk = walk_begin(columns); walk_column(&column, &walk); first = false) {
        if (column.name.kind != SW_TOKEN_TEXT || column.value.kind == SW_TOKEN_ABSENT)
            return walk.arrays ? snprintf(problem, 256, "the names and the values of the columns are not as many")
                               : snprintf(problem, 256, "a column of '%s' is no object with name and value", member_name), false;
        add_column(out, types, &column, first);
    }
    if (old && !first)
        add_unchanged(out, types, columns, old);
    sw_buffer_add_byte(out, '}');
    return true;
}

static bool add_row(struct sw_buffer *out, const struct columns *columns, const struct columns *identity, bool update, char problem[256])
{
    struct sw_buffer types = {0};
    bool good = add_columns(out, &types, update ? "changed" : "columns", columns, update ? identity : NULL, problem) &&
                add_columns(out, &types, "identity", identity, NULL, problem);
    if (good && types.len) {
        sw_buffer_add_text(out, ",\"types\":\"");
        sw_buffer_add_bytes(out, sw_buffer_view(&types));
        sw_buffer_add_byte(out, '"');
    }
    out->failed |= types.failed;
    sw_buffer_free(&types);
    sw_buffer_add_text(out, "}\n");
    return good;
}

static const struct sw_token absent = {.kind = SW_TOKEN_ABSENT};

/* As it stands, with its quotes; without memory, since what is not kept changes where rows stand. */
static void keep(struct sw_carried *out, struct sw_token value)
{
    size_t quotes = value.kind == SW_TOKEN_TEXT, len = value.len + 2 * quotes;
    out->len = 0;
    if ((value.kind != SW_TOKEN_TEXT && value.kind != SW_TOKEN_NUMBER) || len > SW_CARRIED_MAX)
        return;
    memset(out->raw, '"', len);
    memcpy(out->raw + quotes, value.at, value.len);
    out->len = (uint8_t)len;
}

/* {"action":"X": the plugin writes nothing before it. */
static bool may_carry(struct sw_bytes line)
{
    static const char head[] = "{\"action\":\"";
    size_t len = sizeof head - 1;
    return line.len <= len || memcmp(line.at, head, len) != 0 || line.at[len] == 'B' || line.at[len] == 'C';
}

static bool carry(struct sw_carry *carry, const struct sw_example *example)
{
    struct sw_token action = sw_bind_token(example, "action");
    if (!is(action, "B") && !is(action, "C"))
        return false;
    carry->open = is(action, "B");
    keep(&carry->lsn, sw_bind_token(example, "lsn"));
    keep(&carry->xid, sw_bind_token(example, "xid"));
    keep(&carry->time, sw_bind_token(example, "timestamp"));
    return true;
}

static bool lsn_of(uint64_t *out, const char *raw, size_t len)
{
    return len > 2 && raw[0] == '"' && sw_lsn_parse(out, (const uint8_t *)raw + 1, len - 2);
}

/* Is the row one of the transaction that was begun last? Where a mark was lost or damaged, another one's would be taken: an id that differs tells, and so
 * does an LSN behind the commit's. */
static bool is_of(const struct sw_carry *carry, const struct sw_example *example)
{
    struct sw_carried xid, lsn;
    uint64_t commit, own;
    if (!carry || !carry->open || !carry->lsn.len)
        return false;
    keep(&xid, sw_bind_token(example, "xid"));
    keep(&lsn, sw_bind_token(example, "lsn"));
    if (xid.len && carry->xid.len && (xid.len != carry->xid.len || memcmp(xid.raw, carry->xid.raw, xid.len) != 0))
        return false;
    return lsn.len && lsn_of(&own, lsn.raw, lsn.len) && lsn_of(&commit, carry->lsn.raw, carry->lsn.len) && own <= commit;
}

static void add_carried(struct sw_buffer *out, const char *name, const struct sw_carried *carried, struct sw_token own)
{
    if (own.kind == SW_TOKEN_ABSENT && carried->len)
        sw_buffer_printf(out, ",\"%s\":%.*s", name, (int)carried->len, carried->raw);
}

/* v2: one object a line. */
static bool expand_line(struct sw_buffer *out, const struct sw_example *example, struct sw_token action, char problem[256])
{
    bool row = is(action, "I") || is(action, "U") || is(action, "D") || is(action, "T");
    const struct columns columns = {sw_bind_token(example, "columns"), absent, absent, absent}, identity = {sw_bind_token(example, "identity"), absent, absent, absent};
    sw_buffer_add_text(out, "{\"action\":");
    sw_json_walk_write(out, action);
    add_member(out, SW_ENVELOPE, sw_bind_token(example, SW_ENVELOPE));
    add_member(out, "xid", sw_bind_token(example, "xid"));
    add_member(out, "lsn", sw_bind_token(example, "lsn"));
    add_member(out, "timestamp", sw_bind_token(example, "timestamp"));
    if (row && is_of(example->carry, example)) {
        add_carried(out, "xid", &example->carry->xid, sw_bind_token(example, "xid"));
        add_carried(out, "commit_lsn", &example->carry->lsn, absent);
        add_carried(out, "timestamp", &example->carry->time, sw_bind_token(example, "timestamp"));
    }
    add_member(out, "schema", sw_bind_token(example, "schema"));
    add_member(out, "table", sw_bind_token(example, "table"));
    return add_row(out, &columns, &identity, is(action, "U"), problem);
}

/* The key's columns as version 2 names them. */
static void add_key(struct sw_buffer *out, struct sw_token names)
{
    if (names.kind != SW_TOKEN_ARRAY)
        return;
    struct sw_token name;
    bool first = true;
    sw_buffer_add_text(out, ",\"pk\":[");
    for (struct sw_json_walk walk = sw_json_walk_begin(names); sw_json_walk_element(&name, &walk); first = false) {
        sw_buffer_add_text(out, first ? "{\"name\":" : ",{\"name\":");
        sw_json_walk_write(out, name);
        sw_buffer_add_byte(out, '}');
    }
    sw_buffer_add_byte(out, ']');
}

/* v1: one object a transaction, or a message by itself. */
static bool expand_transaction(struct sw_buffer *out, const struct sw_example *example, struct sw_token change, char problem[256])
{
    static const struct { const char *kind, *action; } kinds[] = {{"insert", "I"}, {"update", "U"}, {"delete", "D"}, {"truncate", "T"}, {"message", "M"}};
    struct sw_token item;
    unsigned ordinal = 0;
    for (struct sw_json_walk walk = sw_json_walk_begin(change); sw_json_walk_element(&item, &walk); ordinal++) {
        struct sw_token kind = sw_json_walk_find(item, "kind"), old = sw_json_walk_find(item, "oldkeys");
        const struct columns columns = {absent, sw_json_walk_find(item, "columnnames"), sw_json_walk_find(item, "columntypes"), sw_json_walk_find(item, "columnvalues")};
        const struct columns identity = {absent, sw_json_walk_find(old, "keynames"), sw_json_walk_find(old, "keytypes"), sw_json_walk_find(old, "keyvalues")};
        if (sw_json_walk_find(item, "changes").kind == SW_TOKEN_OBJECT)
            return snprintf(problem, 256, "item %u of 'change' has its columns in 'changes', by name, as a build of wal2json with use-key-value-hash writes them: "
                                          "that form is not read; record it without that option", ordinal + 1), false;
        size_t k = 0;
        while (k < sizeof kinds / sizeof *kinds && !is(kind, kinds[k].kind))
            k++;
        sw_buffer_add_text(out, "{\"action\":");
        if (k < sizeof kinds / sizeof *kinds)
            sw_buffer_printf(out, "\"%s\"", kinds[k].action);
        else if (kind.kind == SW_TOKEN_TEXT)
            sw_json_walk_write(out, kind); /* the operation's own check refuses it */
        else
            return snprintf(problem, 256, "an item of 'change' has no kind"), false;
        add_member(out, SW_ENVELOPE, sw_bind_token(example, SW_ENVELOPE));
        add_member(out, "xid", sw_bind_token(example, "xid"));
        add_member(out, "commit_lsn", sw_bind_token(example, "nextlsn"));
        sw_buffer_printf(out, ",\"ordinal\":%u", ordinal);
        add_member(out, "timestamp", sw_bind_token(example, "timestamp"));
        add_member(out, "schema", sw_json_walk_find(item, "schema"));
        add_member(out, "table", sw_json_walk_find(item, "table"));
        add_key(out, sw_json_walk_find(sw_json_walk_find(item, "pk"), "pknames"));
        if (!add_row(out, &columns, &identity, is(kind, "update"), problem) || sw_bind_repeats_too_much(problem, out, example))
            return false;
    }
    return true;
}

/* Lines of test_decoding that are known, but hold no rows; NULL: it is none of those. */
static const char *is_streamed(struct sw_token line)
{
    static const struct { const char *word, *why; } words[] = {
        {"streaming ", "a change of a transaction that was streamed in parts: without its row (read it with stream-changes off)"},
        {"opening a streamed block", "a mark of a transaction that was streamed in parts: its rows are not in this text"},
        {"closing a streamed block", "a mark of a transaction that was streamed in parts: its rows are not in this text"},
        {"aborting streamed", "a mark of a transaction that was streamed in parts: its rows are not in this text"},
        {"committing streamed", "a mark of a transaction that was streamed in parts: its rows are not in this text"},
        {"preparing streamed", "a mark of a transaction that was streamed in parts: its rows are not in this text"},
        {"PREPARE TRANSACTION", "a transaction that is prepared, and may be rolled back later: two-phase decoding is not read (read it without two-phase-commit)"},
        {"COMMIT PREPARED", "the commit of a prepared transaction: two-phase decoding is not read (read it without two-phase-commit)"},
        {"ROLLBACK PREPARED", "the end of a prepared transaction: two-phase decoding is not read (read it without two-phase-commit)"},
    };
    for (size_t i = 0; line.kind == SW_TOKEN_TEXT && i < sizeof words / sizeof *words; i++)
        if (sw_bytes_begin_text(sw_bytes_of(line.at, line.len), words[i].word))
            return words[i].why;
    return NULL;
}

static bool expand(struct sw_buffer *out, const struct sw_example *example, char problem[256])
{
    struct sw_token action = sw_bind_token(example, "action"), change = sw_bind_token(example, "change");
    if (is(action, "mark")) { /* source/file/slot_rows.c */
        sw_buffer_add_text(out, "{\"action\":\"mark\",\"psql\":true}\n");
        return true;
    }
    if (action.kind == SW_TOKEN_TEXT)
        return expand_line(out, example, action, problem);
    if (change.kind == SW_TOKEN_ARRAY)
        return expand_transaction(out, example, change, problem);
    struct sw_token line = sw_bind_token(example, "test_decoding");
    if (sw_bind_token(example, "psql").kind == SW_TOKEN_TRUE) { /* source/file/psql.c */
        sw_buffer_add_text(out, "{\"action\":\"psql\",\"psql\":true}\n");
        return true;
    }
    const char *streamed = is_streamed(line);
    if (streamed)
        return snprintf(problem, 256, "%s: %.*s%s", streamed, (int)(line.len < 60 ? line.len : 60), (const char *)line.at, line.len > 60 ? "…" : ""), false;
    if (line.kind == SW_TOKEN_TEXT) /* source/file/test_decoding.h */
        return snprintf(problem, 256, "no line that test_decoding writes, or one that is cut: %.*s%s", (int)(line.len < 60 ? line.len : 60), (const char *)line.at, line.len > 60 ? "…" : ""), false;
    snprintf(problem, 256, "no record of wal2json: it has neither 'action' (format version 2) nor a list 'change' (format version 1)");
    return false;
}

/* With include-pk; version 1 names the key of each change of a transaction, which may be of several tables: the rows that it is expanded to are asked. */
static bool names_keys(struct sw_buffer *out, const struct sw_example *example)
{
    struct sw_token key = sw_bind_token(example, "pk"), column;
    size_t before = out->len;
    for (struct sw_json_walk walk = sw_json_walk_begin(key); key.kind == SW_TOKEN_ARRAY && sw_json_walk_element(&column, &walk);) {
        struct sw_token name = sw_json_walk_find(column, "name");
        if (name.kind != SW_TOKEN_TEXT || name.len == 0) {
            out->len = before;
            return false;
        }
        sw_json_unescape_add(out, sw_bytes_of(name.at, name.len));
        sw_buffer_add_byte(out, 0);
    }
    return out->len != before;
}

static const struct sw_operation_spelling operations[] = {
    {"I", SW_OPERATION_INSERT, NULL},
    {"U", SW_OPERATION_UPDATE, NULL},
    {"D", SW_OPERATION_REMOVE, NULL},
    {"T", SW_OPERATION_TRUNCATE, NULL},
    {"M", SW_OPERATION_IGNORED, "logical message"},
    {"B", SW_OPERATION_IGNORED, "transaction begin"},
    {"C", SW_OPERATION_IGNORED, "transaction commit"},
    {"psql", SW_OPERATION_IGNORED, "line of psql"},
    {"mark", SW_OPERATION_IGNORED, "mark without a change"},
    {NULL, SW_OPERATION_UNKNOWN, NULL},
};

static void select_row(struct sw_selectors *out, const struct sw_bind_context *context, const struct sw_json_template *template)
{
    (void)context;
    out->nodes[out->count++] = sw_bind_node(template, 0, "schema");
    out->nodes[out->count++] = sw_bind_node(template, 0, "table");
    out->nodes[out->count++] = sw_bind_node(template, 0, "types");
}

/* What PostgreSQL's type of a column says of its values as wal2json writes them: version 2 has the names of SQL, version 1 those of the catalogue.
 * Types that are not here are read as they stand. */
static const struct { const char *name; struct sw_type type; } known_types[] = {
    {"smallint", {.kind = SW_TYPE_INTEGER, .precision = -1}},
    {"int2", {.kind = SW_TYPE_INTEGER, .precision = -1}},
    {"integer", {.kind = SW_TYPE_INTEGER, .precision = -1}},
    {"int4", {.kind = SW_TYPE_INTEGER, .precision = -1}},
    {"bigint", {.kind = SW_TYPE_INTEGER, .precision = -1}},
    {"int8", {.kind = SW_TYPE_INTEGER, .precision = -1}},
    {"oid", {.kind = SW_TYPE_INTEGER, .precision = -1}},
    {"real", {.kind = SW_TYPE_FLOAT32, .precision = -1}},
    {"float4", {.kind = SW_TYPE_FLOAT32, .precision = -1}},
    {"double precision", {.kind = SW_TYPE_FLOAT64, .precision = -1}},
    {"float8", {.kind = SW_TYPE_FLOAT64, .precision = -1}},
    {"numeric", {.kind = SW_TYPE_DECIMAL, .precision = -1}},
    {"boolean", {.kind = SW_TYPE_BOOLEAN, .precision = -1}},
    {"bool", {.kind = SW_TYPE_BOOLEAN, .precision = -1}},
    {"bytea", {.kind = SW_TYPE_BYTES, .precision = -1, .encoding = SW_BYTES_HEX}},
    {"text", {.kind = SW_TYPE_TEXT, .precision = -1}},
    {"character varying", {.kind = SW_TYPE_TEXT, .precision = -1}},
    {"varchar", {.kind = SW_TYPE_TEXT, .precision = -1}},
    {"uuid", {.kind = SW_TYPE_UUID, .precision = -1}},
    {"json", {.kind = SW_TYPE_JSON, .precision = -1}},
    {"jsonb", {.kind = SW_TYPE_JSON, .precision = -1}},
    {"date", {.kind = SW_TYPE_DATE, .precision = -1}},
    {"time without time zone", {.kind = SW_TYPE_TIME, .precision = -1}},
    {"time", {.kind = SW_TYPE_TIME, .precision = -1}},
    {"time with time zone", {.kind = SW_TYPE_TIME, .precision = -1}},
    {"timetz", {.kind = SW_TYPE_TIME, .precision = -1}},
    {"timestamp without time zone", {.kind = SW_TYPE_TIMESTAMP, .precision = -1}},
    {"timestamp", {.kind = SW_TYPE_TIMESTAMP, .precision = -1}},
    {"timestamp with time zone", {.kind = SW_TYPE_TIMESTAMPTZ, .precision = -1}},
    {"timestamptz", {.kind = SW_TYPE_TIMESTAMPTZ, .precision = -1}},
    {"interval", {.kind = SW_TYPE_INTERVAL, .precision = -1}},
};

static const struct sw_type *known_type(struct sw_bytes name)
{
    for (size_t i = 0; i < sizeof known_types / sizeof *known_types; i++)
        if (sw_bytes_is(name, known_types[i].name))
            return &known_types[i].type;
    return NULL;
}

/* `array` is room for the type of an array, which both versions name by its elements: integer[], or _int4. Elements of types that are not known are PostgreSQL's text. */
static const struct sw_type *type_of(struct sw_type *array, struct sw_bytes name)
{
    uint8_t bare[64];
    size_t len = 0;
    for (size_t i = 0; i < name.len && len < sizeof bare; i++) { /* "timestamp(3) with time zone": the part in brackets says nothing here */
        if (name.at[i] == '(')
            while (i < name.len && name.at[i] != ')')
                i++;
        else
            bare[len++] = name.at[i];
    }
    bool suffix = len > 2 && bare[len - 2] == '[' && bare[len - 1] == ']', prefix = len > 1 && bare[0] == '_';
    if (!suffix && !prefix)
        return known_type(sw_bytes_of(bare, len));
    const struct sw_type *element = known_type(suffix ? sw_bytes_of(bare, len - 2) : sw_bytes_of(bare + 1, len - 1));
    if (!element && prefix)
        return NULL; /* a type of the user's may be named so */
    *array = element ? *element : (struct sw_type){.kind = SW_TYPE_TEXT, .precision = -1};
    array->element = array->kind;
    array->kind = SW_TYPE_ARRAY;
    return array;
}

static enum sw_code bind_columns(struct sw_bound_image *image, const struct sw_binder *binder, uint32_t object, struct sw_bytes *types)
{
    const struct sw_json_template *template = binder->template;
    enum sw_code code = SW_OK;
    struct sw_type array;
    sw_bind_image_begin(image);
    for (uint32_t child = template->nodes[object].first_child; child != SW_JSON_NO_NODE && code == SW_OK; child = template->nodes[child].next) {
        const uint8_t *end = types->len ? memchr(types->at, '\n', types->len) : NULL;
        struct sw_bytes type = sw_bytes_of(types->at, end ? (size_t)(end - types->at) : types->len);
        *types = end ? sw_bytes_of(end + 1, types->len - type.len - 1) : (struct sw_bytes){0};
        code = sw_bind_column(NULL, image, binder, child, type_of(&array, type));
    }
    return code == SW_OK ? sw_bind_image_end(image, binder) : code;
}

static enum sw_code bind_images(const struct sw_binder *binder, const struct sw_example *example)
{
    struct sw_binding *out = binder->out;
    struct sw_buffer text = {0};
    uint32_t changed = sw_bind_node(example->template, 0, "changed"), columns = sw_bind_node(example->template, 0, "columns");
    uint32_t identity = sw_bind_node(example->template, 0, "identity"), after = changed != SW_JSON_NO_NODE ? changed : columns;
    enum sw_code code = SW_OK;
    (void)sw_bind_text(&text, example, sw_bind_node(example->template, 0, "types"));
    struct sw_bytes types = sw_buffer_view(&text);
    if (text.failed)
        code = sw_fail_memory(binder->error, "types of columns", text.len);
    if (code == SW_OK && sw_bind_is_object(example->template, after))
        code = bind_columns(&out->after, binder, after, &types);
    if (code == SW_OK && sw_bind_is_object(example->template, identity))
        code = bind_columns(&out->before, binder, identity, &types);
    out->partial = changed != SW_JSON_NO_NODE;
    sw_buffer_free(&text);
    return code;
}

static enum sw_code bind(struct sw_binding *out, const struct sw_bind_context *context, const struct sw_example *example, struct sw_error *error)
{
    const struct sw_json_template *template = example->template;
    const struct sw_binder binder = {context, template, out, error};
    struct sw_buffer table = {0};
    sw_bind_begin(out);
    out->operation_node = sw_bind_node(template, 0, "action");
    out->operations = operations;
    out->transaction_node = sw_bind_node(template, 0, "xid");
    out->transactional = sw_bind_node(template, 0, "ordinal") == SW_JSON_NO_NODE && sw_bind_node(template, 0, "psql") == SW_JSON_NO_NODE; /* version 1 writes whole transactions */
    out->begin = "B";
    out->commit = "C";
    out->claimed_nulls_unknown = true; /* NaN, for one */
    if (sw_bind_text(&table, example, sw_bind_node(template, 0, "schema")) && table.len)
        sw_buffer_add_byte(&table, '.');
    bool named = sw_bind_text(&table, example, sw_bind_node(template, 0, "table"));
    enum sw_code code = table.failed ? sw_fail_memory(error, "a table's name", table.len) : named ? sw_bind_table(&binder, sw_buffer_view(&table)) : sw_bind_no_table(&binder);
    sw_buffer_free(&table);
    if (code < 0 || out->other_table)
        return code;
    if (is(sw_bind_token(example, "action"), "D") && !sw_bind_is_object(template, sw_bind_node(template, 0, "identity")))
        sw_bind_problem(out, "key", "a delete without the old row's key: the table has no replica identity, so that the record does not say which row is gone (ALTER TABLE … REPLICA IDENTITY FULL gives later ones theirs)");
    sw_bind_order(&binder, sw_format_wal2json.order_places);
    return bind_images(&binder, example);
}

static const struct sw_order_place places[] = {
    {"postgres", "lsn", "lsn"}, {"postgres", "commit_lsn", "commit_lsn"}, {"postgres", "ordinal", "ordinal"}, {"kafka", "ordinal", "ordinal"}, {"timestamp", "time", "timestamp"}, {NULL, NULL, NULL}};

static const char *const remarks[] = {
    "wal2json writes NaN and infinities of numeric and float columns as null (unless numeric-data-types-as-string is set): a null in such a column may stand for one of them", NULL};

static const struct sw_order_candidate candidates[] = {{"", "postgres"}, {NULL, NULL}};

const struct sw_format sw_format_wal2json = {
    .name = "wal2json",
    .json_as_text = true,
    .summary = "what the PostgreSQL plugin wal2json writes: format version 1 (an object a transaction) and 2 (an object a line)",
    .explain = "Version 1 is read change by change, with `nextlsn` (the end of the transaction) and the place in it as position (order postgres: commit_lsn, ordinal); version 2 with the row's `lsn` and, between B and C, the commit's, which stands at those marks. Without "
               "include-lsn there is no position. Row LSNs alone order the changes of one row, whose lock the earlier transaction held until its commit; across rows the order is that of the commits. "
               "I and U write, D deletes the identity, T truncates; messages, and the marks of begin and commit, are counted. The columns' types become column types. An update's columns that are not there are "
               "unchanged (TOAST): they keep what they were. A key that differs between identity and columns is a change of key. The table is schema.table. No identity: several rows may share an LSN. "
               "Rows between a B and a C that never comes are of an open transaction. Source: eulerto/wal2json, README.md, wal2json.c, expected/.",
    .remarks = remarks,
    .order_places = places,
    .orders = candidates,
    .names_keys = names_keys,
    .types = true,
    .depth = sw_bind_depth_one,
    .recognise = recognise,
    .select = select_row,
    .expand = expand,
    .carry = carry,
    .may_carry = may_carry,
    .bind = bind,
};

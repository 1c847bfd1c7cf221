#include "source/mariadb/column.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "source/mariadb/bytes.h"

static void free_column(struct sw_binlog_column *column)
{
    sw_free(column->name);
    sw_free(column->charset);
    for (size_t i = 0; i < column->label_count; i++)
        sw_free(column->labels[i]);
    sw_free(column->labels);
}

void sw_binlog_columns_free(struct sw_binlog_column **columns, size_t *count)
{
    for (size_t i = 0; *columns && i < *count; i++)
        free_column(&(*columns)[i]);
    sw_free(*columns);
    *columns = NULL;
    *count = 0;
}

static bool copy_text(char **out, const char *from) { return (*out = from ? sw_strdup(from) : NULL) || !from; }

/* Charset, meaning, sign and labels, which the log may have left out. */
static bool copy_rest(struct sw_binlog_column *out, const struct sw_binlog_column *from)
{
    out->without_sign = from->without_sign;
    out->meaning = from->meaning;
    if (!copy_text(&out->charset, from->charset) || !(out->labels = sw_calloc(from->label_count + 1, sizeof *out->labels)))
        return false;
    for (; out->label_count < from->label_count; out->label_count++)
        if (!copy_text(&out->labels[out->label_count], from->labels[out->label_count]))
            return false;
    return true;
}

/* Adds a label: its bytes in `charset`. */
static enum sw_code add_label(struct sw_binlog_column *column, struct sw_binlog_charsets *charsets, struct sw_bytes label, const char *charset, struct sw_error *error)
{
    struct sw_bytes text = label;
    enum sw_code code = charset ? sw_binlog_to_utf8(&text, charsets, charset, label, error) : SW_OK;
    if (code != SW_OK)
        return code;
    char **grown = sw_realloc_array(column->labels, column->label_count + 1, sizeof *grown);
    if (grown)
        column->labels = grown;
    if (!grown || !(grown[column->label_count] = sw_strndup(text.len ? (const char *)text.at : "", text.len)))
        return sw_fail_memory(error, "labels", text.len);
    column->label_count++;
    return SW_OK;
}

/* ---- the catalogue ---- */

static const struct known {
    const char *name;
    uint8_t type;
    enum sw_binlog_meaning meaning;
    uint16_t size; /* where the type alone says it */
} known[] = {
    {"tinyint", SW_BINLOG_TINY, 0, 0}, {"smallint", SW_BINLOG_SHORT, 0, 0}, {"mediumint", SW_BINLOG_INT24, 0, 0}, {"int", SW_BINLOG_LONG, 0, 0}, {"bigint", SW_BINLOG_LONGLONG, 0, 0}, {"year", SW_BINLOG_YEAR, 0, 0},
    {"float", SW_BINLOG_FLOAT, 0, 4}, {"double", SW_BINLOG_DOUBLE, 0, 8}, {"decimal", SW_BINLOG_NEWDECIMAL, 0, 0}, {"bit", SW_BINLOG_BIT, 0, 0}, {"char", SW_BINLOG_STRING, 0, 0}, {"binary", SW_BINLOG_STRING, 0, 0},
    {"varchar", SW_BINLOG_VARCHAR, 0, 0}, {"varbinary", SW_BINLOG_VARCHAR, 0, 0}, {"tinytext", SW_BINLOG_BLOB, 0, 1}, {"text", SW_BINLOG_BLOB, 0, 2}, {"mediumtext", SW_BINLOG_BLOB, 0, 3},
    {"longtext", SW_BINLOG_BLOB, 0, 4}, {"tinyblob", SW_BINLOG_BLOB, 0, 1}, {"blob", SW_BINLOG_BLOB, 0, 2}, {"mediumblob", SW_BINLOG_BLOB, 0, 3}, {"longblob", SW_BINLOG_BLOB, 0, 4}, {"json", SW_BINLOG_JSON, 0, 4},
    {"enum", SW_BINLOG_ENUM, 0, 0}, {"set", SW_BINLOG_SET, 0, 0}, {"date", SW_BINLOG_DATE, 0, 0}, {"time", SW_BINLOG_TIME2, 0, 0}, {"datetime", SW_BINLOG_DATETIME2, 0, 0}, {"timestamp", SW_BINLOG_TIMESTAMP2, 0, 0},
    {"uuid", SW_BINLOG_STRING, SW_BINLOG_UUID, 16}, {"inet6", SW_BINLOG_STRING, SW_BINLOG_INET6, 16}, {"inet4", SW_BINLOG_STRING, SW_BINLOG_INET4, 4}, {"geometry", SW_BINLOG_GEOMETRY, 0, 4},
    {"point", SW_BINLOG_GEOMETRY, 0, 4}, {"linestring", SW_BINLOG_GEOMETRY, 0, 4}, {"polygon", SW_BINLOG_GEOMETRY, 0, 4}, {"multipoint", SW_BINLOG_GEOMETRY, 0, 4}, {"multilinestring", SW_BINLOG_GEOMETRY, 0, 4},
    {"multipolygon", SW_BINLOG_GEOMETRY, 0, 4}, {"geometrycollection", SW_BINLOG_GEOMETRY, 0, 4}, {"geomcollection", SW_BINLOG_GEOMETRY, 0, 4}};

static bool contains(struct sw_bytes text, const char *word) { return text.len && memmem(text.at, text.len, word, strlen(word)); }

/* enum('a','b''c'): a quote inside is doubled or has a backslash before it. */
static enum sw_code read_labels(struct sw_binlog_column *column, struct sw_binlog_charsets *charsets, struct sw_bytes text, struct sw_error *error)
{
    struct sw_buffer label = {0};
    bool inside = false;
    enum sw_code code = SW_OK;
    for (size_t i = 0; i < text.len && code == SW_OK; i++) {
        uint8_t byte = text.at[i], next = i + 1 < text.len ? text.at[i + 1] : 0;
        if (!inside) {
            inside = byte == '\'';
            label.len = 0;
        } else if (byte == '\'' && next != '\'') {
            inside = false;
            code = label.failed ? sw_fail_memory(error, "labels", text.len) : add_label(column, charsets, sw_buffer_view(&label), NULL, error);
        } else {
            if (byte == '\\' || byte == '\'')
                i++;
            sw_buffer_add_byte(&label, byte != '\\' ? byte : next == 'n' ? '\n' : next == 'r' ? '\r' : next == '0' ? 0 : next);
        }
    }
    sw_buffer_free(&label);
    return code;
}

static uint16_t bytes_of_number(size_t count) { return (uint16_t)(count < 256 ? 1 : 2); }

enum sw_code sw_binlog_column_describe(struct sw_binlog_column *out, struct sw_binlog_charsets *charsets, const struct sw_binlog_described *described, struct sw_error *error)
{
    size_t at = 0;
    while (at < sizeof known / sizeof *known && !sw_bytes_is(described->data_type, known[at].name))
        at++;
    if (at == sizeof known / sizeof *known)
        return sw_fail(error, SW_ERR_UNSUPPORTED, "its type %.*s cannot be read from the binary log", (int)(described->data_type.len < 60 ? described->data_type.len : 60),
                       described->data_type.len ? (const char *)described->data_type.at : "");
    out->type = known[at].type;
    out->meaning = known[at].meaning;
    out->size = known[at].size;
    out->without_sign = contains(described->column_type, "unsigned") || contains(described->column_type, "zerofill");
    bool compressed = (out->type == SW_BINLOG_VARCHAR || out->type == SW_BINLOG_BLOB) && contains(described->column_type, "COMPRESSED"); /* not an ENUM's label */
    if (out->type == SW_BINLOG_VARCHAR || (out->type == SW_BINLOG_STRING && !out->meaning))
        out->size = (uint16_t)(described->octets + (compressed && out->type == SW_BINLOG_VARCHAR));
    if (compressed)
        out->type = out->type == SW_BINLOG_VARCHAR ? SW_BINLOG_VARCHAR_COMPRESSED : SW_BINLOG_BLOB_COMPRESSED;
    if (out->type == SW_BINLOG_BIT || out->type == SW_BINLOG_NEWDECIMAL)
        out->size = (uint16_t)described->precision;
    out->scale = (uint8_t)described->scale;
    if (described->charset.at && !(out->charset = sw_strndup((const char *)described->charset.at, described->charset.len)))
        return sw_fail_memory(error, "columns", 0);
    if (out->type != SW_BINLOG_ENUM && out->type != SW_BINLOG_SET)
        return SW_OK;
    enum sw_code code = read_labels(out, charsets, described->column_type, error);
    size_t count = out->label_count;
    out->size = out->type == SW_BINLOG_ENUM ? bytes_of_number(count) : (uint16_t)(count <= 8 ? 1 : count <= 16 ? 2 : count <= 24 ? 3 : count <= 32 ? 4 : 8);
    return code;
}

void sw_binlog_column_print(struct sw_buffer *out, const struct sw_binlog_column *column)
{
    size_t at = 0;
    bool compressed = column->type == SW_BINLOG_VARCHAR_COMPRESSED || column->type == SW_BINLOG_BLOB_COMPRESSED;
    uint8_t type = column->type == SW_BINLOG_VARCHAR_COMPRESSED || column->type == SW_BINLOG_VAR_STRING ? SW_BINLOG_VARCHAR : column->type == SW_BINLOG_BLOB_COMPRESSED ? SW_BINLOG_BLOB : column->type;
    const char *old = type == SW_BINLOG_TIME ? "time" : type == SW_BINLOG_DATETIME ? "datetime" : type == SW_BINLOG_TIMESTAMP ? "timestamp" : NULL;
    if (old) {
        sw_buffer_printf(out, "%s as it was before MySQL 5.6", old);
        return;
    }
    while (at < sizeof known / sizeof *known && (known[at].type != type || (known[at].size && known[at].size != column->size && type == SW_BINLOG_BLOB)))
        at++;
    sw_buffer_printf(out, "%s", at < sizeof known / sizeof *known ? known[at].name : "");
    if (at == sizeof known / sizeof *known)
        sw_buffer_printf(out, "type number %u", type);
    if (type == SW_BINLOG_NEWDECIMAL)
        sw_buffer_printf(out, "(%u,%u)", column->size, column->scale);
    else if (type == SW_BINLOG_TIME2 || type == SW_BINLOG_DATETIME2 || type == SW_BINLOG_TIMESTAMP2)
        sw_buffer_printf(out, "(%u)", column->scale);
    else if (type == SW_BINLOG_BIT)
        sw_buffer_printf(out, "(%u)", column->size);
    else if (type == SW_BINLOG_VARCHAR || type == SW_BINLOG_STRING)
        sw_buffer_printf(out, " of %u bytes", column->size);
    sw_buffer_add_text(out, compressed ? " compressed" : "");
}

/* Could a value of the one be read as the other's? Names, signs and character sets are not looked at. */
static bool is_same_form(const struct sw_binlog_column *log, const struct sw_binlog_column *catalogue)
{
    uint8_t a = log->type, b = catalogue->type;
    if (a == SW_BINLOG_TIME || a == SW_BINLOG_DATETIME || a == SW_BINLOG_TIMESTAMP) /* as they were before fractions: the log does not say that there are any */
        return catalogue->scale == 0 && b == (a == SW_BINLOG_TIME ? SW_BINLOG_TIME2 : a == SW_BINLOG_DATETIME ? SW_BINLOG_DATETIME2 : SW_BINLOG_TIMESTAMP2);
    if (a == SW_BINLOG_NEWDATE)
        a = SW_BINLOG_DATE;
    if (a == SW_BINLOG_VAR_STRING)
        a = SW_BINLOG_VARCHAR;
    if (a != b)
        return false;
    switch (a) {
    case SW_BINLOG_NEWDECIMAL: return log->size == catalogue->size && log->scale == catalogue->scale;
    case SW_BINLOG_TIME2:
    case SW_BINLOG_DATETIME2:
    case SW_BINLOG_TIMESTAMP2: return log->scale == catalogue->scale;
    case SW_BINLOG_VARCHAR:
    case SW_BINLOG_VARCHAR_COMPRESSED:
    case SW_BINLOG_STRING:
    case SW_BINLOG_BIT:
    case SW_BINLOG_BLOB:
    case SW_BINLOG_BLOB_COMPRESSED:
    case SW_BINLOG_ENUM:
    case SW_BINLOG_SET: return log->size == catalogue->size;
    default: return true;
    }
}

/* ---- table maps ---- */

enum sw_code sw_binlog_table_map_read(struct sw_binlog_table_map *out, struct sw_bytes body, struct sw_error *error)
{
    struct sw_binlog_bytes from = sw_binlog_bytes(body);
    out->id = sw_binlog_take_number(&from, 6);
    sw_binlog_take_number(&from, 2);
    out->database = sw_binlog_take_bytes(&from, sw_binlog_take_number(&from, 1));
    sw_binlog_take_number(&from, 1);
    out->table = sw_binlog_take_bytes(&from, sw_binlog_take_number(&from, 1));
    sw_binlog_take_number(&from, 1);
    out->rest = sw_bytes_of(from.at, sw_binlog_left(&from));
    return from.cut ? sw_fail(error, SW_ERR_REMOTE, "a table map is cut") : SW_OK;
}

/* The type's own description, which is as long as the type says. */
static void read_metadata(struct sw_binlog_column *column, struct sw_binlog_bytes *from)
{
    unsigned first, second;
    switch (column->type) {
    case SW_BINLOG_FLOAT:
    case SW_BINLOG_DOUBLE:
    case SW_BINLOG_BLOB:
    case SW_BINLOG_BLOB_COMPRESSED:
    case SW_BINLOG_GEOMETRY:
    case SW_BINLOG_JSON: column->size = (uint16_t)sw_binlog_take_number(from, 1); break;
    case SW_BINLOG_TIME2:
    case SW_BINLOG_DATETIME2:
    case SW_BINLOG_TIMESTAMP2: column->scale = (uint8_t)sw_binlog_take_number(from, 1); break;
    case SW_BINLOG_VARCHAR:
    case SW_BINLOG_VAR_STRING:
    case SW_BINLOG_VARCHAR_COMPRESSED: column->size = (uint16_t)sw_binlog_take_number(from, 2); break;
    case SW_BINLOG_NEWDECIMAL:
        column->size = (uint16_t)sw_binlog_take_number(from, 1);
        column->scale = (uint8_t)sw_binlog_take_number(from, 1);
        break;
    case SW_BINLOG_BIT:
        first = (unsigned)sw_binlog_take_number(from, 1);
        column->size = (uint16_t)(sw_binlog_take_number(from, 1) * 8 + first);
        break;
    case SW_BINLOG_STRING: /* two bits of a length above 255 stand, inverted, in the type's byte */
        first = (unsigned)sw_binlog_take_number(from, 1);
        second = (unsigned)sw_binlog_take_number(from, 1);
        column->type = (uint8_t)(first | 0x30);
        column->size = (uint16_t)(second | ((first & 0x30) ^ 0x30) << 4);
        break;
    default: break;
    }
}

static bool is_numeric(uint8_t type)
{
    return type == SW_BINLOG_TINY || type == SW_BINLOG_SHORT || type == SW_BINLOG_INT24 || type == SW_BINLOG_LONG || type == SW_BINLOG_LONGLONG || type == SW_BINLOG_NEWDECIMAL || type == SW_BINLOG_FLOAT ||
           type == SW_BINLOG_DOUBLE || type == SW_BINLOG_YEAR;
}

/* Columns that have a character set, or could have; ENUM and SET are told apart from them. */
static bool is_character(uint8_t type)
{
    return type == SW_BINLOG_STRING || type == SW_BINLOG_VARCHAR || type == SW_BINLOG_VAR_STRING || type == SW_BINLOG_BLOB || type == SW_BINLOG_VARCHAR_COMPRESSED || type == SW_BINLOG_BLOB_COMPRESSED;
}

/* MariaDB's own list has geometries in it: seen in what 10.11 wrote. */
static bool is_character_or_geometry(uint8_t type) { return is_character(type) || type == SW_BINLOG_GEOMETRY; }

static bool is_label(uint8_t type) { return type == SW_BINLOG_ENUM || type == SW_BINLOG_SET; }

/* What the optional part holds. Numbers of collations are 0 where nothing is said. */
struct more {
    struct sw_bytes signs, names, set_labels, enum_labels;
    struct { bool there; uint32_t fallback; struct sw_bytes pairs, list; } characters, labels;
};

static void read_more(struct more *out, struct sw_binlog_bytes *from)
{
    while (!from->cut && sw_binlog_left(from)) {
        unsigned field = (unsigned)sw_binlog_take_number(from, 1);
        struct sw_bytes value = sw_binlog_take_bytes(from, sw_binlog_take_packed(from));
        struct sw_binlog_bytes inner = sw_binlog_bytes(value);
        switch (field) {
        case 1: out->signs = value; break;
        case 2:
        case 10:
            *(field == 2 ? &out->characters.fallback : &out->labels.fallback) = (uint32_t)sw_binlog_take_packed(&inner);
            *(field == 2 ? &out->characters.pairs : &out->labels.pairs) = sw_bytes_of(inner.at, sw_binlog_left(&inner));
            *(field == 2 ? &out->characters.there : &out->labels.there) = true;
            break;
        case 3:
        case 11:
            *(field == 3 ? &out->characters.list : &out->labels.list) = value;
            *(field == 3 ? &out->characters.there : &out->labels.there) = true;
            break;
        case 4: out->names = value; break;
        case 5: out->set_labels = value; break;
        case 6: out->enum_labels = value; break;
        default: break; /* geometry types, primary keys, visibility: not needed */
        }
    }
}

static int compare_ids(const void *id, const void *collation)
{
    uint32_t a = *(const uint32_t *)id, b = ((const struct sw_binlog_collation *)collation)->id;
    return (a > b) - (a < b);
}

static enum sw_code set_charset(struct sw_binlog_column *column, uint32_t id, const struct sw_binlog_catalogue *catalogue, struct sw_error *error)
{
    const struct sw_binlog_collation *found = catalogue->collation_count ? bsearch(&id, catalogue->collations, catalogue->collation_count, sizeof *found, compare_ids) : NULL;
    sw_free(column->charset);
    column->charset = NULL;
    if (id == 63) /* binary */
        return SW_OK;
    if (!found)
        return sw_fail(error, SW_ERR_UNSUPPORTED, "the collation of number %u is not one of the server's", (unsigned)id);
    return (column->charset = sw_strdup(found->charset)) ? SW_OK : sw_fail_memory(error, "columns", 0);
}

/* Collations of the columns of a group: one for all with exceptions by place in the group, or a list. */
static enum sw_code set_charsets(struct sw_binlog_column *columns, size_t count, bool (*belongs)(uint8_t), struct sw_bytes list, struct sw_bytes pairs, uint32_t fallback, const struct sw_binlog_catalogue *catalogue,
                                 struct sw_error *error)
{
    struct sw_binlog_bytes items = sw_binlog_bytes(list), exceptions = sw_binlog_bytes(pairs);
    uint64_t place = 0, next_place = sw_binlog_left(&exceptions) ? sw_binlog_take_packed(&exceptions) : UINT64_MAX;
    enum sw_code code = SW_OK;
    for (size_t i = 0; i < count && code == SW_OK; i++) {
        if (!belongs(columns[i].type))
            continue;
        uint32_t id = fallback;
        if (list.len) {
            id = (uint32_t)sw_binlog_take_packed(&items);
        } else if (place == next_place) {
            id = (uint32_t)sw_binlog_take_packed(&exceptions);
            next_place = sw_binlog_left(&exceptions) ? sw_binlog_take_packed(&exceptions) : UINT64_MAX;
        }
        place++;
        code = items.cut || exceptions.cut ? sw_fail(error, SW_ERR_REMOTE, "the character sets of a table map are cut") : set_charset(&columns[i], id, catalogue, error);
    }
    return code;
}

static enum sw_code set_labels(struct sw_binlog_column *columns, size_t count, uint8_t type, struct sw_bytes lists, struct sw_binlog_charsets *charsets, struct sw_error *error)
{
    struct sw_binlog_bytes from = sw_binlog_bytes(lists);
    enum sw_code code = SW_OK;
    for (size_t i = 0; i < count && code == SW_OK && lists.len; i++) {
        if (columns[i].type != type)
            continue;
        uint64_t labels = sw_binlog_take_packed(&from);
        for (uint64_t k = 0; k < labels && !from.cut && code == SW_OK; k++) {
            struct sw_bytes label = sw_binlog_take_bytes(&from, sw_binlog_take_packed(&from));
            if (!from.cut)
                code = add_label(&columns[i], charsets, label, columns[i].charset, error);
        }
        if (from.cut && code == SW_OK)
            code = sw_fail(error, SW_ERR_REMOTE, "the labels of a table map are cut");
    }
    return code;
}

static enum sw_code set_names(struct sw_binlog_column *columns, size_t count, struct sw_bytes names, struct sw_error *error)
{
    struct sw_binlog_bytes from = sw_binlog_bytes(names);
    for (size_t i = 0; i < count; i++) {
        struct sw_bytes name = sw_binlog_take_bytes(&from, sw_binlog_take_packed(&from));
        if (from.cut || !name.len || memchr(name.at, 0, name.len))
            return sw_fail(error, SW_ERR_REMOTE, "the names of columns in a table map are cut");
        if (!(columns[i].name = sw_strndup((const char *)name.at, name.len)))
            return sw_fail_memory(error, "columns", name.len);
    }
    return SW_OK;
}

/* From the catalogue, by place. */
static enum sw_code take_catalogue(struct sw_binlog_column *columns, size_t count, const struct sw_binlog_catalogue *catalogue, bool signs, struct sw_error *error)
{
    if (count > catalogue->count)
        return sw_fail(error, SW_ERR_INPUT, "it had %zu columns then, and has %zu today; the log has no names of columns (binlog_row_metadata is not FULL), so they cannot be told", count, catalogue->count);
    for (size_t i = 0; i < count; i++) {
        const struct sw_binlog_column *today = &catalogue->columns[i];
        bool sign = columns[i].without_sign;
        if (!is_same_form(&columns[i], today)) {
            struct sw_buffer text = {0};
            sw_binlog_column_print(&text, &columns[i]);
            sw_buffer_printf(&text, " then, and column %.100s is ", today->name);
            sw_binlog_column_print(&text, today);
            const char *shown = sw_buffer_text(&text);
            enum sw_code code = sw_fail(error, SW_ERR_INPUT, "its column %zu was %.300s today; the log has no names of columns (binlog_row_metadata is not FULL), so the table must be as it is today: begin behind its last ALTER", i + 1,
                                        shown ? shown : "another");
            sw_buffer_free(&text);
            return code;
        }
        if (!copy_text(&columns[i].name, today->name) || !copy_rest(&columns[i], today))
            return sw_fail_memory(error, "columns", 0);
        if (signs)
            columns[i].without_sign = sign;
    }
    return SW_OK;
}

/* With names: what bytes stand for is the catalogue's knowledge alone, and so is whether a time of the old kind has fractions, which are as long as nobody says. */
static enum sw_code take_meanings(struct sw_binlog_column *columns, size_t count, const struct sw_binlog_catalogue *catalogue, struct sw_error *error)
{
    for (size_t i = 0; i < count; i++) {
        uint8_t type = columns[i].type;
        bool plain = type != SW_BINLOG_TIME && type != SW_BINLOG_DATETIME && type != SW_BINLOG_TIMESTAMP;
        for (size_t k = 0; k < catalogue->count; k++) {
            const struct sw_binlog_column *today = &catalogue->columns[k];
            if (strcmp(columns[i].name, today->name) != 0 || !is_same_form(&columns[i], today))
                continue;
            columns[i].meaning = today->meaning;
            plain = true;
        }
        if (!plain)
            return sw_fail(error, SW_ERR_UNSUPPORTED, "its column %.100s has times as they were before MySQL 5.6, and whether with fractions is not known: not read", columns[i].name);
    }
    return SW_OK;
}

static enum sw_code complete(struct sw_binlog_column *columns, size_t count, bool *named, struct sw_binlog_charsets *charsets, const struct more *more, const struct sw_binlog_catalogue *catalogue, struct sw_error *error)
{
    size_t numeric = 0;
    for (size_t i = 0; i < count && more->signs.len; i++)
        if (is_numeric(columns[i].type)) {
            columns[i].without_sign = numeric / 8 < more->signs.len && more->signs.at[numeric / 8] & 0x80 >> numeric % 8;
            numeric++;
        }
    *named = more->names.len;
    if (!*named)
        return take_catalogue(columns, count, catalogue, more->signs.len, error);
    enum sw_code code = set_names(columns, count, more->names, error);
    if (code == SW_OK && more->characters.there)
        code = set_charsets(columns, count, catalogue->mariadb ? is_character_or_geometry : is_character, more->characters.list, more->characters.pairs, more->characters.fallback, catalogue, error);
    if (code == SW_OK && more->labels.there)
        code = set_charsets(columns, count, is_label, more->labels.list, more->labels.pairs, more->labels.fallback, catalogue, error);
    if (code == SW_OK)
        code = set_labels(columns, count, SW_BINLOG_SET, more->set_labels, charsets, error);
    if (code == SW_OK)
        code = set_labels(columns, count, SW_BINLOG_ENUM, more->enum_labels, charsets, error);
    return code == SW_OK ? take_meanings(columns, count, catalogue, error) : code;
}

enum sw_code sw_binlog_columns_read(struct sw_binlog_column **out, size_t *count, bool *named, struct sw_binlog_charsets *charsets, struct sw_bytes rest, const struct sw_binlog_catalogue *catalogue, struct sw_error *error)
{
    struct sw_binlog_bytes from = sw_binlog_bytes(rest);
    struct more more = {0};
    uint64_t columns = sw_binlog_take_packed(&from);
    *out = NULL;
    *count = 0;
    if (from.cut || columns == 0 || columns > SW_BINLOG_COLUMNS_MAX || columns > sw_binlog_left(&from))
        return sw_fail(error, SW_ERR_REMOTE, "a table map of %llu columns is none", (unsigned long long)columns);
    if (!(*out = sw_calloc((size_t)columns, sizeof **out)))
        return sw_fail_memory(error, "columns", (size_t)columns * sizeof **out);
    *count = (size_t)columns;
    struct sw_bytes types = sw_binlog_take_bytes(&from, columns);
    struct sw_binlog_bytes metadata = sw_binlog_bytes(sw_binlog_take_bytes(&from, sw_binlog_take_packed(&from)));
    for (size_t i = 0; i < *count; i++) {
        (*out)[i].type = types.at[i];
        read_metadata(&(*out)[i], &metadata);
    }
    sw_binlog_take_bytes(&from, (columns + 7) / 8);
    read_more(&more, &from);
    if (from.cut || metadata.cut)
        return sw_fail(error, SW_ERR_REMOTE, "a table map is cut");
    return complete(*out, *count, named, charsets, &more, catalogue, error);
}

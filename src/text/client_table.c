/* The text is copied once and cells are views into the copy; escapes of batch output are resolved in place. */
#include "text/client_table.h"

#include "base/character.h"
#include "base/memory.h"

#define COLUMNS_MAX 256
#define CELLS_MAX ((size_t)1 << 21)

struct reader {
    struct sw_client_tables *out;
    uint8_t *at, *end; /* what is left of the copy */
    uint64_t line;
    struct sw_error *error;
};

struct row {
    struct sw_bytes cells[COLUMNS_MAX];
    size_t count;
};

static bool is_blank(uint8_t byte) { return byte == ' ' || byte == '\t' || byte == '\r'; }
static bool is_capital(uint8_t byte) { return byte >= 'A' && byte <= 'Z'; }
static bool is_letter(uint8_t byte) { return is_capital(byte) || (byte >= 'a' && byte <= 'z'); }
/* '-' is left out on purpose: it tells a wrapped GTID from the name of a column */
static bool is_name(uint8_t byte) { return is_letter(byte) || sw_is_digit(byte) || memchr("_@.#$*()", byte, 8) != NULL; }

static bool peek_at(const uint8_t *at, const uint8_t *end, struct sw_bytes *line, const uint8_t **next)
{
    if (at >= end)
        return false;
    const uint8_t *newline = memchr(at, '\n', (size_t)(end - at));
    *next = newline ? newline + 1 : end;
    *line = (struct sw_bytes){at, (size_t)((newline ? newline : end) - at)};
    while (line->len && line->at[line->len - 1] == '\r')
        line->len--;
    return true;
}

static bool peek(const struct reader *reader, struct sw_bytes *line)
{
    const uint8_t *next;
    return peek_at(reader->at, reader->end, line, &next);
}

static bool peek_second(const struct reader *reader, struct sw_bytes *line)
{
    const uint8_t *next;
    return peek_at(reader->at, reader->end, line, &next) && peek_at(next, reader->end, line, &next);
}

static void advance(struct reader *reader)
{
    uint8_t *newline = memchr(reader->at, '\n', (size_t)(reader->end - reader->at));
    reader->at = newline ? newline + 1 : reader->end;
    reader->line++;
}

/* ---- what a line looks like ---- */

static bool made_of(struct sw_bytes line, const char *bytes, uint8_t needed)
{
    bool seen = false;
    for (size_t i = 0; i < line.len; i++) {
        if (!memchr(bytes, line.at[i], strlen(bytes)))
            return false;
        seen |= line.at[i] == needed;
    }
    return seen;
}

static bool is_empty(struct sw_bytes line) { return sw_trim(line).len == 0; }
static bool is_border(struct sw_bytes line) { return line.len > 2 && line.at[0] == '+' && made_of(sw_trim(line), "+-", '-'); }
static bool is_underline(struct sw_bytes line) { return made_of(line, "-+ \t", '-') && sw_trim(line).at[0] == '-' && sw_trim(line).len > 1; }
static bool is_vertical_mark(struct sw_bytes line) { return line.len > 20 && memcmp(line.at, "**********", 10) == 0 && line.at[line.len - 1] == '*'; }
static bool is_record_mark(struct sw_bytes line) { return line.len > 9 && memcmp(line.at, "-[ RECORD ", line.len > 10 ? 10 : line.len) == 0; }
/* "(3 rows)", "3 rows in set", "3 rows selected." */
static bool is_row_count(struct sw_bytes line)
{
    struct sw_bytes text = sw_trim(line);
    size_t i = text.len && text.at[0] == '(' ? 1 : 0, digits = 0;
    while (i + digits < text.len && sw_is_digit(text.at[i + digits]))
        digits++;
    i += digits;
    return digits && text.len >= i + 4 && memcmp(text.at + i, " row", 4) == 0;
}

static bool is_header_name(struct sw_bytes name)
{
    if (name.len >= 2 && name.at[0] == '"' && name.at[name.len - 1] == '"')
        name = (struct sw_bytes){name.at + 1, name.len - 2};
    if (!name.len || name.len > 128 || sw_is_digit(name.at[0]))
        return false;
    for (size_t i = 0; i < name.len; i++)
        if (!is_name(name.at[i]) && name.at[i] != ' ' && name.at[i] != '?')
            return false;
    return true;
}

/* ---- building ---- */

static enum sw_code add_row(struct reader *reader, const struct row *row)
{
    struct sw_client_tables *out = reader->out;
    if (out->cell_count > CELLS_MAX)
        return sw_fail(reader->error, SW_ERR_LIMIT, "pasted output: more than %zu cells", CELLS_MAX);
    if (out->cell_capacity - out->cell_count < row->count) {
        size_t capacity = (out->cell_capacity + row->count) * 2;
        struct sw_bytes *cells = sw_realloc_array(out->cells, capacity, sizeof *cells);
        if (!cells)
            return sw_fail_memory(reader->error, "a pasted table", capacity * sizeof *cells);
        out->cells = cells;
        out->cell_capacity = capacity;
    }
    for (size_t i = 0; i < row->count; i++)
        out->cells[out->cell_count++] = sw_trim(row->cells[i]);
    return SW_OK;
}

/* Starts a table with the header as its first row. The views `names` and `cells` are set at the end, by settle. */
static enum sw_code add_table(struct reader *reader, const struct row *header)
{
    struct sw_client_tables *out = reader->out;
    if (out->count == out->capacity) {
        size_t capacity = out->capacity * 2 + 4;
        struct sw_client_table *tables = sw_realloc_array(out->tables, capacity, sizeof *tables);
        if (!tables)
            return sw_fail_memory(reader->error, "a pasted table", capacity * sizeof *tables);
        out->tables = tables;
        out->capacity = capacity;
    }
    enum sw_code code = add_row(reader, header);
    if (code >= 0)
        out->tables[out->count++] = (struct sw_client_table){.column_count = header->count, .line = reader->line};
    return code;
}

static enum sw_code add_to_last(struct reader *reader, struct row *row)
{
    struct sw_client_table *table = &reader->out->tables[reader->out->count - 1];
    while (row->count < table->column_count)
        row->cells[row->count++] = (struct sw_bytes){(const uint8_t *)"", 0};
    row->count = table->column_count;
    enum sw_code code = add_row(reader, row);
    if (code >= 0)
        table->row_count++;
    return code;
}

/* ---- splitting a line ---- */

static void split_at(struct row *row, struct sw_bytes line, uint8_t separator)
{
    row->count = 0;
    for (size_t from = 0; row->count < COLUMNS_MAX;) {
        const uint8_t *found = from < line.len ? memchr(line.at + from, separator, line.len - from) : NULL;
        size_t to = found ? (size_t)(found - line.at) : line.len;
        row->cells[row->count++] = (struct sw_bytes){line.at + from, to - from};
        if (!found)
            return;
        from = to + 1;
    }
}

static void split_blanks(struct row *row, struct sw_bytes line)
{
    row->count = 0;
    for (size_t i = 0; i < line.len && row->count < COLUMNS_MAX;) {
        while (i < line.len && is_blank(line.at[i]))
            i++;
        size_t from = i;
        while (i < line.len && !is_blank(line.at[i]))
            i++;
        if (i > from)
            row->cells[row->count++] = (struct sw_bytes){line.at + from, i - from};
    }
}

/* Fields with commas between them; quotes are taken off, doubled ones inside stay doubled. */
static void split_commas(struct row *row, struct sw_bytes line)
{
    row->count = 0;
    size_t i = 0;
    while (row->count < COLUMNS_MAX) {
        size_t from = i;
        if (i < line.len && line.at[i] == '"') {
            for (i++; i < line.len && !(line.at[i] == '"' && (i + 1 == line.len || line.at[i + 1] == ',')); i++) {
            }
            row->cells[row->count++] = (struct sw_bytes){line.at + from + 1, i - from - 1};
            i = i < line.len ? i + 1 : i;
        } else {
            while (i < line.len && line.at[i] != ',')
                i++;
            row->cells[row->count++] = (struct sw_bytes){line.at + from, i - from};
        }
        if (i >= line.len)
            return;
        i++; /* the comma */
    }
}

/* Columns under runs of dashes: each reaches to where the next run starts, the last to the end of the line. */
static void split_under(struct row *row, struct sw_bytes line, struct sw_bytes dashes)
{
    row->count = 0;
    for (size_t i = 0; i < dashes.len && row->count < COLUMNS_MAX;) {
        while (i < dashes.len && dashes.at[i] != '-')
            i++;
        if (i == dashes.len)
            return;
        size_t from = row->count ? i : 0, to = i;
        while (to < dashes.len && dashes.at[to] == '-')
            to++;
        i = to;
        while (to < dashes.len && dashes.at[to] != '-')
            to++;
        if (to == dashes.len)
            to = line.len > to ? line.len : to;
        row->cells[row->count++] = from >= line.len ? (struct sw_bytes){(const uint8_t *)"", 0} : (struct sw_bytes){line.at + from, (to < line.len ? to : line.len) - from};
    }
}

/* Resolves \n, \t, \\ and \0 as mysql --batch writes them. */
static struct sw_bytes unescape(struct sw_bytes cell, uint8_t *copy)
{
    size_t to = 0;
    uint8_t *at = copy + (cell.at - copy);
    for (size_t i = 0; i < cell.len; i++) {
        uint8_t byte = at[i];
        if (byte == '\\' && i + 1 < cell.len && memchr("nt\\0", at[i + 1], 4)) {
            byte = at[++i];
            byte = byte == 'n' ? '\n' : byte == 't' ? '\t' : byte == '0' ? '\0' : byte;
        }
        at[to++] = byte;
    }
    return (struct sw_bytes){at, to};
}

/* ---- the forms ---- */

static size_t count_byte(struct sw_bytes line, uint8_t byte)
{
    size_t count = 0;
    for (size_t i = 0; i < line.len; i++)
        count += line.at[i] == byte;
    return count;
}

/* One row of a boxed table; a value with line breaks spans several lines, and only the last one ends with a bar. */
static bool boxed_row(struct reader *reader, struct row *row, size_t columns)
{
    struct sw_bytes line;
    if (!peek(reader, &line) || !line.len || line.at[0] != '|')
        return false;
    const uint8_t *from = line.at + 1;
    size_t bars = 0; /* counted, so that a long value is split only once */
    for (;;) {
        bars += count_byte(line, '|');
        while (line.len && is_blank(line.at[line.len - 1]))
            line.len--;
        if (line.len && line.at[line.len - 1] == '|' && line.at + line.len > from && bars > columns) {
            split_at(row, (struct sw_bytes){from, (size_t)(line.at + line.len - 1 - from)}, '|');
            advance(reader);
            return true;
        }
        advance(reader);
        if (!peek(reader, &line) || is_border(line))
            return false;
    }
}

static enum sw_code read_boxed(struct reader *reader)
{
    struct row row;
    advance(reader); /* the border */
    if (!boxed_row(reader, &row, 0))
        return SW_OK;
    size_t columns = row.count;
    enum sw_code code = add_table(reader, &row);
    struct sw_bytes line;
    if (peek(reader, &line) && is_border(line))
        advance(reader);
    while (code >= 0 && boxed_row(reader, &row, columns))
        code = add_to_last(reader, &row);
    if (peek(reader, &line) && is_border(line))
        advance(reader);
    return code;
}

/* "name: value" of \G, or "name | value" of psql's expanded output. */
static bool field(struct sw_bytes line, uint8_t separator, struct sw_bytes *name, struct sw_bytes *value)
{
    struct sw_bytes text = sw_trim(line);
    size_t len = 0;
    while (len < text.len && (is_name(text.at[len]) || text.at[len] == ' ') && text.at[len] != separator)
        len++;
    if (len == text.len || text.at[len] != separator || (separator == ':' && len + 1 < text.len && text.at[len + 1] != ' '))
        return false;
    *name = sw_trim((struct sw_bytes){text.at, len});
    *value = sw_trim((struct sw_bytes){text.at + len + 1, text.len - len - 1});
    return name->len > 0;
}

static bool same_names(const struct reader *reader, size_t first_name, const struct row *names)
{
    for (size_t i = 0; i < names->count; i++)
        if (!sw_bytes_equal(reader->out->cells[first_name + i], names->cells[i]))
            return false;
    return true;
}

static enum sw_code read_records(struct reader *reader, uint8_t separator)
{
    enum sw_code code = SW_OK;
    size_t first_name = SIZE_MAX;
    struct sw_bytes line;
    while (code >= 0 && peek(reader, &line) && (separator == ':' ? is_vertical_mark(line) : is_record_mark(line))) {
        struct row names = {.count = 0}, values = {.count = 0};
        uint64_t header = reader->line;
        advance(reader);
        while (peek(reader, &line) && !is_vertical_mark(line) && !is_record_mark(line) && !is_row_count(line) && !is_empty(line)) {
            struct sw_bytes name, value;
            if (field(line, separator, &name, &value) && names.count < COLUMNS_MAX) {
                names.cells[names.count++] = name;
                values.cells[values.count++] = value;
            } else if (values.count) { /* a value that goes on */
                struct sw_bytes *last = &values.cells[values.count - 1];
                last->len = (size_t)(line.at + line.len - last->at);
            }
            advance(reader);
        }
        if (!names.count)
            break;
        size_t columns = reader->out->count ? reader->out->tables[reader->out->count - 1].column_count : 0;
        if (first_name == SIZE_MAX || columns != names.count || !same_names(reader, first_name, &names)) {
            first_name = reader->out->cell_count;
            code = add_table(reader, &names);
            if (code >= 0)
                reader->out->tables[reader->out->count - 1].line = header;
        }
        if (code >= 0)
            code = add_to_last(reader, &values);
    }
    return code;
}

/* A header over dashes: psql's aligned output, SQL*Plus, sqlcmd. */
static enum sw_code read_underlined(struct reader *reader, struct sw_bytes header, struct sw_bytes dashes)
{
    struct row row;
    bool bars = memchr(dashes.at, '+', dashes.len) != NULL;
    if (bars)
        split_at(&row, header, '|');
    else
        split_under(&row, header, dashes);
    size_t columns = row.count;
    enum sw_code code = add_table(reader, &row);
    advance(reader);
    advance(reader);
    struct sw_bytes line;
    while (code >= 0 && peek(reader, &line) && !is_empty(line) && !is_row_count(line)) {
        if (bars)
            split_at(&row, line, '|');
        else
            split_under(&row, line, dashes);
        if (row.count != columns)
            break;
        code = add_to_last(reader, &row);
        advance(reader);
    }
    return code;
}

/* A header and rows of equally many fields. */
static enum sw_code read_separated(struct reader *reader, struct sw_bytes header, uint8_t separator)
{
    struct row row;
    if (separator == ',')
        split_commas(&row, header);
    else if (separator == ' ')
        split_blanks(&row, header);
    else
        split_at(&row, header, separator);
    size_t columns = row.count;
    enum sw_code code = add_table(reader, &row);
    advance(reader);
    struct sw_bytes line;
    while (code >= 0 && peek(reader, &line) && !is_empty(line) && !is_row_count(line) && !is_border(line) && !is_vertical_mark(line) && !is_record_mark(line)) {
        if (separator == ',')
            split_commas(&row, line);
        else if (separator == ' ')
            split_blanks(&row, line);
        else
            split_at(&row, line, separator);
        if (row.count != columns || (columns == 1 && line.len > 2 && memcmp(line.at, "@@", 2) == 0)) /* the next statement's output */
            break;
        if (separator == '\t')
            for (size_t i = 0; i < row.count; i++)
                row.cells[i] = unescape(row.cells[i], reader->out->text);
        code = add_to_last(reader, &row);
        advance(reader);
    }
    return code;
}

static bool all_names(struct sw_bytes line, uint8_t separator)
{
    struct row row;
    if (separator == ',')
        split_commas(&row, line);
    else
        split_at(&row, line, separator);
    for (size_t i = 0; i < row.count; i++)
        if (!is_header_name(sw_trim(row.cells[i])))
            return false;
    return row.count > 1;
}

/* "GROUP TOPIC PARTITION CURRENT-OFFSET", with as many words in the next line. */
static bool capital_header(struct sw_bytes line, struct sw_bytes next)
{
    struct row row;
    split_blanks(&row, line);
    for (size_t i = 0; i < row.count; i++)
        for (size_t j = 0; j < row.cells[i].len; j++)
            if (!is_capital(row.cells[i].at[j]) && !(j && (row.cells[i].at[j] == '-' || sw_is_digit(row.cells[i].at[j]))))
                return false;
    size_t columns = row.count;
    split_blanks(&row, next);
    return columns > 1 && row.count == columns;
}

/* A name alone on its line, a value below: "SELECT @@server_uuid" in batch mode. */
static bool single_column(struct sw_bytes line, struct sw_bytes next)
{
    struct sw_bytes name = sw_trim(line);
    return is_header_name(name) && !memchr(name.at, ' ', name.len) && next.len && !count_byte(next, '\t') && sw_trim(next).len && !is_row_count(next);
}

static enum sw_code read_all(struct reader *reader)
{
    enum sw_code code = SW_OK;
    struct sw_bytes line, next;
    while (code >= 0 && peek(reader, &line)) {
        if (!peek_second(reader, &next) || next.at == line.at)
            next = (struct sw_bytes){line.at + line.len, 0};
        if (is_border(line))
            code = read_boxed(reader);
        else if (is_vertical_mark(line))
            code = read_records(reader, ':');
        else if (is_record_mark(line))
            code = read_records(reader, '|');
        else if (!is_empty(line) && is_underline(next))
            code = read_underlined(reader, line, next);
        else if (count_byte(line, '\t') && all_names(line, '\t'))
            code = read_separated(reader, line, '\t');
        else if (count_byte(line, '|') && all_names(line, '|'))
            code = read_separated(reader, line, '|');
        else if (count_byte(line, ',') && all_names(line, ','))
            code = read_separated(reader, line, ',');
        else if (!is_empty(line) && capital_header(line, next))
            code = read_separated(reader, line, ' ');
        else if (!is_empty(line) && single_column(line, next))
            code = read_separated(reader, line, '\t');
        else
            advance(reader);
    }
    return code;
}

/* Now that the cells do not move any more: the views into them. */
static void settle(struct sw_client_tables *out)
{
    size_t at = 0;
    for (size_t i = 0; i < out->count; i++) {
        out->tables[i].names = out->cells + at;
        at += out->tables[i].column_count;
        out->tables[i].cells = out->cells + at;
        at += out->tables[i].column_count * out->tables[i].row_count;
    }
}

enum sw_code sw_client_tables_read(struct sw_client_tables *out, struct sw_bytes text, struct sw_error *error)
{
    *out = (struct sw_client_tables){0};
    if (text.len > SW_CLIENT_TEXT_MAX)
        return sw_fail(error, SW_ERR_LIMIT, "pasted output of %zu bytes: at most %zu are read", text.len, SW_CLIENT_TEXT_MAX);
    out->text = sw_malloc(text.len);
    if (!out->text)
        return sw_fail_memory(error, "pasted output", text.len);
    if (text.len)
        memcpy(out->text, text.at, text.len);
    struct reader reader = {out, out->text, out->text + text.len, 1, error};
    enum sw_code code = read_all(&reader);
    if (code < 0)
        sw_client_tables_free(out);
    else
        settle(out);
    return code;
}

void sw_client_tables_free(struct sw_client_tables *tables)
{
    sw_free(tables->tables);
    sw_free(tables->cells);
    sw_free(tables->text);
    *tables = (struct sw_client_tables){0};
}

static bool equal_folded(struct sw_bytes a, struct sw_bytes b)
{
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++)
        if ((is_capital(a.at[i]) ? a.at[i] | 0x20 : a.at[i]) != (is_capital(b.at[i]) ? b.at[i] | 0x20 : b.at[i]))
            return false;
    return true;
}

size_t sw_client_table_column(const struct sw_client_table *table, const char *name)
{
    for (size_t i = 0; i < table->column_count; i++) {
        struct sw_bytes found = table->names[i];
        if (found.len >= 2 && found.at[0] == '"' && found.at[found.len - 1] == '"')
            found = (struct sw_bytes){found.at + 1, found.len - 2};
        if (equal_folded(found, sw_bytes_text(name)))
            return i;
    }
    return SIZE_MAX;
}

const struct sw_client_table *sw_client_tables_find(const struct sw_client_tables *tables, const char *column)
{
    for (size_t i = 0; i < tables->count; i++)
        if (sw_client_table_column(&tables->tables[i], column) != SIZE_MAX)
            return &tables->tables[i];
    return NULL;
}

struct sw_bytes sw_client_table_cell(const struct sw_client_table *table, size_t row, const char *name)
{
    size_t column = sw_client_table_column(table, name);
    return column == SIZE_MAX ? (struct sw_bytes){0} : table->cells[row * table->column_count + column];
}

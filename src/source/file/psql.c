/* What psql prints of PostgreSQL's logical decoding: tables with a heading, a ruler and a count of rows, in which a value that holds newlines goes on in the next line after a '+';
 * expanded tables; and, unaligned, the position and the transaction before the data. The commands of a transcript may stand around them (psql -a, pg_regress).
 * Source: PostgreSQL, src/fe_utils/print.c; psql's page in the manual; the expected output of wal2json and of contrib/test_decoding. */
#include <string.h>

#include "base/character.h"
#include "source/file/psql.h"
#include "source/file/test_decoding.h"

enum { OUTSIDE, ROWS, EXPANDED }; /* sw_text_work.place */

/* The number of columns of a line of dashes, with a '+' between two; 0: it is none. */
static unsigned columns_of_ruler(struct sw_bytes line)
{
    unsigned columns = 1;
    line = sw_trim(line);
    if (line.len < 3 || line.at[0] != '-' || line.at[line.len - 1] != '-')
        return 0;
    for (size_t i = 0; i < line.len; i++) {
        if (line.at[i] != '-' && line.at[i] != '+')
            return 0;
        columns += line.at[i] == '+';
    }
    return columns;
}

bool sw_psql_is_lsn(struct sw_bytes text)
{
    size_t slashes = 0;
    for (size_t i = 0; i < text.len; i++) {
        uint8_t byte = text.at[i];
        if (byte == '/')
            slashes++;
        else if (!sw_is_digit(byte) && !(byte >= 'A' && byte <= 'F'))
            return false;
    }
    return slashes == 1 && text.len >= 3 && text.len <= 17 && text.at[0] != '/' && text.at[text.len - 1] != '/';
}

bool sw_psql_is_xid(struct sw_bytes text)
{
    for (size_t i = 0; i < text.len; i++)
        if (!sw_is_digit(text.at[i]))
            return false;
    return text.len && text.len <= 10;
}

static void keep(char *to, size_t room, struct sw_bytes text, bool good)
{
    size_t len = good && text.len < room ? text.len : 0;
    memcpy(to, text.len ? (const char *)text.at : "", len);
    to[len] = 0;
}

/* The last column of a row of a table, with position and transaction taken from those before it, where they are that. */
static struct sw_bytes last_column(struct sw_text_work *work, struct sw_bytes row)
{
    struct sw_bytes columns[2] = {{0}, {0}};
    unsigned at = 0;
    for (; at + 1 < work->columns; at++) {
        const uint8_t *bar = row.len ? memchr(row.at, '|', row.len) : NULL;
        if (!bar)
            break;
        if (at < 2)
            columns[at] = sw_trim(sw_bytes_of(row.at, (size_t)(bar - row.at)));
        row = sw_bytes_of(bar + 1, row.len - (size_t)(bar + 1 - row.at));
    }
    if (at && columns[0].len) {
        keep(work->lsn, sizeof work->lsn, columns[0], sw_psql_is_lsn(columns[0]));
        keep(work->xid, sizeof work->xid, columns[1], sw_psql_is_xid(columns[1]));
    }
    return sw_trim(row);
}

/* A line of psql's own: counted as such by the format. */
static void add_own(struct sw_text_work *work, struct sw_bytes line) { sw_buffer_add_text(&work->lines, sw_trim(line).len ? "{\"psql\":true}\n" : "\n"); }

/* Position of a row: wal2json's version 2 names it beside each change, version 1 beside the transaction, which psql shows by where its commit ends. */
static void add_position(struct sw_text_work *work)
{
    struct sw_bytes held = sw_buffer_view(&work->held);
    bool row = sw_bytes_begin_text(held, "{\"action\":\"") && held.len > 12 && held.at[12] == '"' && memchr("IUDTM", held.at[11], 5), whole = !row && work->depth == 0 && memmem(held.at, held.len, "\"change\":", 9);
    const char *name = row ? "\"lsn\":" : "\"nextlsn\":";
    sw_buffer_add_byte(&work->lines, '{');
    if (*work->lsn && (row || whole) && !memmem(held.at, held.len, name, strlen(name)))
        sw_buffer_printf(&work->lines, "%s\"%s\",", name, work->lsn);
    sw_buffer_add(&work->lines, held.at + 1, held.len - 1);
}

/* Hands out what is held, and the lines that it took. */
void sw_psql_finish(struct sw_text_work *work)
{
    if (work->held.len == 0)
        return;
    add_position(work);
    for (size_t i = 0; i <= work->owed; i++)
        sw_buffer_add_byte(&work->lines, '\n');
    work->held.len = work->owed = 0;
    work->depth = 0;
    work->in_string = work->escaped = false;
    *work->lsn = *work->xid = 0;
}

/* Adds a part of a record; it is handed out where it ends. A '+' at the end of a line that goes on stands outside of all strings, where JSON has none. */
static void hold(struct sw_text_work *work, struct sw_bytes part)
{
    if (work->held.len)
        work->owed++;
    (void)sw_text_follow_json(work, part);
    if (work->depth && !work->in_string && part.len && part.at[part.len - 1] == '+')
        part = sw_trim(sw_bytes_of(part.at, part.len - 1));
    if (work->held.len && part.len)
        sw_buffer_add_byte(&work->held, ' ');
    sw_buffer_add_bytes(&work->held, part);
    if (work->depth == 0 || work->held.len > work->record_bytes_max)
        sw_psql_finish(work);
}

/* With pretty-print blanks stand behind the brace; what the options of version 1 add stands before its changes. */
static bool begins_record(struct sw_bytes value)
{
    static const char *const first[] = {"\"change\":", "\"action\":", "\"xid\":", "\"nextlsn\":", "\"timestamp\":", "\"origin\":"};
    if (!value.len || *value.at != '{')
        return false;
    struct sw_bytes rest = sw_trim(sw_bytes_of(value.at + 1, value.len - 1));
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        if (sw_bytes_begin_text(rest, first[i]))
            return true;
    return false;
}

/* A value of the last column: the begin of a record, a part of the one that is held, a line of test_decoding, or something else that psql shows. */
static void take_value(struct sw_text_work *work, struct sw_bytes value, struct sw_bytes line)
{
    if (work->held.len && begins_record(value))
        sw_psql_finish(work);
    if (work->held.len || (value.len && *value.at == '{')) {
        hold(work, value);
        return;
    }
    struct sw_buffer record = {0};
    if (*work->lsn && *work->xid)
        sw_buffer_printf(&record, "%s|%s|", work->lsn, work->xid);
    sw_buffer_add_bytes(&record, value);
    bool good = value.len && sw_test_decoding_add(&work->lines, &work->room, sw_buffer_view(&record));
    if (!good && value.len && work->data)
        sw_test_decoding_add_bad(&work->lines, value);
    else if (!good)
        add_own(work, line);
    work->lines.failed |= record.failed;
    sw_buffer_free(&record);
}

void sw_psql_take_row(struct sw_text_work *work, struct sw_bytes lsn, struct sw_bytes xid, struct sw_bytes value)
{
    value = sw_trim(value);
    if (!work->held.len || begins_record(value) || (value.len && *value.at == '{' && work->depth == 0)) {
        sw_psql_finish(work);
        keep(work->lsn, sizeof work->lsn, lsn, sw_psql_is_lsn(lsn));
        keep(work->xid, sizeof work->xid, xid, sw_psql_is_xid(xid));
    }
    work->data = true;
    take_value(work, value, value);
}

/* "name | value" of an expanded table. */
static void take_expanded(struct sw_text_work *work, struct sw_bytes line)
{
    const uint8_t *bar = line.len ? memchr(line.at, '|', line.len) : NULL;
    bool mark = sw_bytes_begin_text(line, "-[ ");
    if (!bar || mark) {
        sw_psql_finish(work);
        add_own(work, line);
        *work->lsn = *work->xid = 0;
        work->place = mark ? EXPANDED : OUTSIDE;
        return;
    }
    struct sw_bytes name = sw_trim(sw_bytes_of(line.at, (size_t)(bar - line.at))), value = sw_trim(sw_bytes_of(bar + 1, line.len - (size_t)(bar + 1 - line.at)));
    if (name.len)
        sw_psql_finish(work);
    if (sw_bytes_is(name, "lsn"))
        keep(work->lsn, sizeof work->lsn, value, sw_psql_is_lsn(value));
    else if (sw_bytes_is(name, "xid"))
        keep(work->xid, sizeof work->xid, value, sw_psql_is_xid(value));
    work->data = sw_bytes_is(name, "data") || (!name.len && work->data);
    take_value(work, value, line);
}

static struct sw_bytes without_return(struct sw_bytes line)
{
    line.len -= line.len && line.at[line.len - 1] == '\r';
    return line;
}

static void take_outside(struct sw_text_work *work, struct sw_bytes line)
{
    struct sw_bytes shown = sw_trim(line);
    if (work->held.len || begins_record(shown)) { /* psql -At among the commands */
        take_value(work, shown, line);
        return;
    }
    unsigned columns = work->blank ? 0 : columns_of_ruler(line);
    if (columns) {
        work->place = ROWS;
        work->columns = columns;
        *work->lsn = *work->xid = 0;
    } else if (sw_bytes_begin_text(line, "-[ RECORD "))
        work->place = EXPANDED;
    else /* the heading, if a ruler follows */
        work->data = sw_bytes_is(shown, "data") || (shown.len > 6 && sw_bytes_end_text(shown, "| data"));
    add_own(work, line);
}

static void take_line(struct sw_text_work *work, struct sw_bytes line)
{
    line = without_return(line);
    if (work->place == ROWS && line.len && *line.at == ' ') {
        take_value(work, last_column(work, line), line);
        return;
    }
    if (work->place == ROWS) {
        sw_psql_finish(work);
        work->place = OUTSIDE;
    }
    if (work->place == EXPANDED)
        take_expanded(work, line);
    else
        take_outside(work, line);
    work->blank = sw_trim(line).len == 0;
}

static void take_cut(struct sw_text_work *work, struct sw_bytes line)
{
    sw_psql_finish(work);
    sw_test_decoding_add_bad(&work->lines, line);
}

/* The next line of a text; false at its end. */
static bool next_line(struct sw_bytes *line, struct sw_bytes *rest)
{
    const uint8_t *newline = rest->len ? memchr(rest->at, '\n', rest->len) : NULL;
    if (!rest->len)
        return false;
    size_t len = newline ? (size_t)(newline - rest->at) : rest->len;
    *line = without_return(sw_bytes_of(rest->at, len));
    *rest = sw_bytes_of(rest->at + len + (newline != NULL), rest->len - len - (newline != NULL));
    return true;
}

/* Whether a row shows a record of a plugin: of wal2json whole, or its first brace where it is spread over lines; of test_decoding. */
bool sw_psql_shows_record(struct sw_bytes value)
{
    if (value.len && *value.at == '{') {
        struct sw_bytes rest = sw_trim(sw_bytes_of(value.at + 1, value.len - 1));
        return begins_record(value) || rest.len == 0 || sw_bytes_is(rest, "+");
    }
    return sw_bytes_begin_text(value, "BEGIN") || sw_bytes_begin_text(value, "COMMIT") || sw_bytes_begin_text(value, "table ") || sw_bytes_begin_text(value, "message: transactional: ");
}

static bool recognises(struct sw_bytes head)
{
    struct sw_text_work work = {0}; /* of it only the columns are used */
    struct sw_bytes line, rest = head;
    bool heading = false, rulers = false, expanded = false;
    unsigned columns = 0;
    while (next_line(&line, &rest)) {
        work.columns = columns;
        if ((columns && line.len && *line.at == ' ' && sw_psql_shows_record(last_column(&work, line))))
            return true;
        columns = heading ? columns_of_ruler(line) : 0;
        rulers |= columns != 0;
        heading = sw_trim(line).len != 0;
        const uint8_t *bar = expanded && line.len > 2 ? memchr(line.at, '|', line.len - 1) : NULL;
        if (bar && sw_psql_shows_record(sw_trim(sw_bytes_of(bar + 1, line.len - (size_t)(bar + 1 - line.at)))))
            return true;
        expanded |= sw_bytes_begin_text(line, "-[ RECORD ");
    }
    return rulers && memmem(head.at, head.len, "logical_", 8) && (memmem(head.at, head.len, "replication_slot(", 17) || memmem(head.at, head.len, "pg_logical_slot_", 16));
}

const struct sw_text_form sw_form_psql = {.format = "wal2json", .recognises = recognises, .take = take_line, .cut = take_cut, .finish = sw_psql_finish};

/* ---- unaligned: "0/16E9A28|555|{…}" ---- */

static bool take_columns(struct sw_bytes *value, struct sw_bytes *lsn, struct sw_bytes *xid, struct sw_bytes line)
{
    const uint8_t *first = line.len ? memchr(line.at, '|', line.len < 24 ? line.len : 24) : NULL;
    if (!first)
        return false;
    *lsn = sw_bytes_of(line.at, (size_t)(first - line.at));
    struct sw_bytes rest = sw_bytes_of(first + 1, line.len - lsn->len - 1);
    const uint8_t *second = rest.len ? memchr(rest.at, '|', rest.len < 12 ? rest.len : 12) : NULL;
    if (!second || !sw_psql_is_lsn(*lsn))
        return false;
    *xid = sw_bytes_of(rest.at, (size_t)(second - rest.at));
    *value = sw_trim(sw_bytes_of(second + 1, rest.len - xid->len - 1));
    return sw_psql_is_xid(*xid);
}

static void take_unaligned(struct sw_text_work *work, struct sw_bytes line)
{
    struct sw_bytes value, lsn, xid;
    line = without_return(line);
    if (take_columns(&value, &lsn, &xid, line)) {
        sw_psql_finish(work);
        keep(work->lsn, sizeof work->lsn, lsn, true);
        keep(work->xid, sizeof work->xid, xid, true);
        work->data = true;
        take_value(work, value, line);
    } else if (work->held.len) {
        hold(work, sw_trim(line));
    } else if (sw_trim(line).len == 0 || sw_bytes_begin_text(line, "lsn|") || *line.at == '(') {
        add_own(work, line);
    } else {
        sw_test_decoding_add_bad(&work->lines, line);
    }
}

static bool recognises_unaligned(struct sw_bytes head)
{
    struct sw_bytes line, value, lsn, xid, rest = head;
    if (!next_line(&line, &rest) || (sw_bytes_is(line, "lsn|xid|data") && !next_line(&line, &rest)))
        return false;
    return take_columns(&value, &lsn, &xid, line) && sw_psql_shows_record(value);
}

const struct sw_text_form sw_form_psql_unaligned = {.format = "wal2json", .recognises = recognises_unaligned, .take = take_unaligned, .cut = take_cut, .finish = sw_psql_finish};

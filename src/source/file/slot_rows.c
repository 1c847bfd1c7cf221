/* Rows of the functions that read a slot (lsn, xid, data), exported: CSV with or without its header (psql --csv, COPY … CSV, DBeaver), and JSON objects (row_to_json, a script's cursor), as lines
 * or as one list; and the files of pgcopydb, which have what a plugin wrote in `message`. They become the lines that psql's tables of them become (psql.c).
 * Sources: PostgreSQL's manual, "Replication Management Functions", "COPY"; dimitri/pgcopydb, src/bin/pgcopydb/ld_stream.c and the files of its tests. */
#include "source/file/psql.h"

#include <string.h>

#include "base/character.h"
#include "text/json_value.h"
#include "text/json_walk.h"

#define PADDING 64 /* bytes that a kernel may read behind what it is given */

/* ---- CSV ---- */

enum { FIRST, WHOLE_ROWS, DATA_ALONE }; /* sw_text_work.place; .columns is the delimiter */

/* Takes a field off the front and resolves its quotes, into `room` where it has some. False: its quote is not closed. */
static bool take_field(struct sw_bytes *out, struct sw_buffer *room, struct sw_bytes *left, uint8_t delimiter, bool last)
{
    if (!left->len || *left->at != '"') {
        const uint8_t *end = last || !left->len ? NULL : memchr(left->at, delimiter, left->len);
        *out = sw_bytes_of(left->at, end ? (size_t)(end - left->at) : left->len);
        size_t taken = out->len + (end != NULL);
        *left = sw_bytes_of(left->at + taken, left->len - taken);
        return true;
    }
    room->len = 0;
    for (size_t i = 1; i < left->len; i++) {
        if (left->at[i] == '"' && (i + 1 == left->len || left->at[i + 1] != '"')) {
            i++;
            bool delimited = i < left->len && left->at[i] == delimiter;
            *out = sw_buffer_view(room);
            *left = sw_bytes_of(left->at + i + delimited, left->len - i - delimited);
            return delimited || left->len == 0;
        }
        i += left->at[i] == '"';
        sw_buffer_add_byte(room, left->at[i]);
    }
    return false;
}

struct row {
    struct sw_bytes lsn, xid, data;
};

/* A row of three columns, of which the first two hold no quotes but those around them. */
static bool take_row(struct row *out, struct sw_buffer *room, struct sw_bytes line, uint8_t delimiter)
{
    struct sw_bytes *const fields[] = {&out->lsn, &out->xid};
    for (size_t i = 0; i < 2; i++) {
        const uint8_t *end = line.len ? memchr(line.at, delimiter, line.len < 40 ? line.len : 40) : NULL;
        if (!end)
            return false;
        struct sw_bytes field = sw_trim(sw_bytes_of(line.at, (size_t)(end - line.at)));
        line = sw_bytes_of(end + 1, line.len - (size_t)(end + 1 - line.at));
        if (field.len > 1 && *field.at == '"' && field.at[field.len - 1] == '"')
            field = sw_bytes_of(field.at + 1, field.len - 2);
        *fields[i] = field;
    }
    return take_field(&out->data, room, &line, delimiter, true) && sw_psql_is_lsn(out->lsn) && sw_psql_is_xid(out->xid);
}

/* lsn,xid,data (location before PostgreSQL 10) with any delimiter, or data alone; quoted or not. 0: it is no header. */
static uint8_t delimiter_of_header(bool *alone, struct sw_bytes line)
{
    char names[64];
    size_t len = 0;
    for (size_t i = 0; i < line.len && len + 1 < sizeof names; i++)
        if (line.at[i] != '"' && line.at[i] != '\r')
            names[len++] = (char)line.at[i];
    names[len] = '\0';
    *alone = strcmp(names, "data") == 0;
    char *first = strncmp(names, "lsn", 3) == 0 ? names + 3 : strncmp(names, "location", 8) == 0 ? names + 8 : NULL;
    if (*alone || !first || (*first != ',' && *first != ';') || strncmp(first + 1, "xid", 3) != 0 || first[4] != *first || strcmp(first + 5, "data") != 0)
        return *alone ? ',' : 0;
    return (uint8_t)*first;
}

static uint8_t delimiter_of_row(struct sw_bytes line)
{
    for (size_t i = 0; i < line.len && i < 24; i++)
        if (line.at[i] == ',' || line.at[i] == ';')
            return line.at[i];
    return 0;
}

/* The newline behind a record: one inside of quotes is its own. A quote stands at the begin of a field. */
static size_t end_of_csv(struct sw_bytes raw)
{
    bool inside = false, begins = true;
    for (size_t i = 0; i < raw.len; i++) {
        uint8_t byte = raw.at[i];
        if (inside && byte == '"' && i + 1 < raw.len && raw.at[i + 1] == '"')
            i++;
        else if (byte == '"' && (inside || begins))
            inside = !inside;
        else if (byte == '\n' && !inside)
            return i;
        begins = byte == ',' || byte == ';';
    }
    return SIZE_MAX;
}

/* JSON has newlines between its tokens alone. */
static void take_data(struct sw_text_work *work, struct sw_bytes lsn, struct sw_bytes xid, struct sw_bytes data)
{
    struct sw_buffer line = {0};
    bool json = work->held.len || (data.len && *data.at == '{');
    sw_buffer_add_bytes(&line, data);
    for (size_t i = 0; json && i < line.len; i++)
        if (line.at[i] == '\n' || line.at[i] == '\r')
            line.at[i] = ' ';
    sw_psql_take_row(work, lsn, xid, sw_buffer_view(&line));
    work->lines.failed |= line.failed;
    sw_buffer_free(&line);
}

static void add_mark(struct sw_text_work *work) { sw_buffer_add_text(&work->lines, "{\"psql\":true}\n"); }

static void take_csv(struct sw_text_work *work, struct sw_bytes line)
{
    bool alone, first = work->place == FIRST;
    line.len -= line.len && line.at[line.len - 1] == '\r';
    uint8_t delimiter = first ? delimiter_of_header(&alone, line) : 0;
    if (first) {
        work->columns = delimiter ? delimiter : delimiter_of_row(line);
        work->place = delimiter && alone ? DATA_ALONE : WHOLE_ROWS;
    }
    if (delimiter || sw_trim(line).len == 0 || (*line.at == '(' && work->place == DATA_ALONE)) { /* the header; psql's count of rows */
        add_mark(work);
        return;
    }
    struct sw_buffer room = {0};
    struct row row = {{0}, {0}, {0}};
    struct sw_bytes left = line;
    bool good = work->place == DATA_ALONE ? take_field(&row.data, &room, &left, ',', true) : take_row(&row, &room, line, (uint8_t)work->columns);
    take_data(work, row.lsn, row.xid, good ? row.data : line);
    work->lines.failed |= room.failed;
    sw_buffer_free(&room);
}

static bool recognises_csv(struct sw_bytes head)
{
    struct sw_buffer room = {0};
    bool alone = false, told = false;
    for (unsigned i = 0; i < 4 && head.len && !told; i++) { /* the header, and transactions that a filter left empty */
        size_t end = end_of_csv(head);
        struct sw_bytes line = sw_bytes_of(head.at, end == SIZE_MAX ? head.len : end), left;
        line.len -= line.len && line.at[line.len - 1] == '\r';
        uint8_t delimiter = i ? 0 : delimiter_of_header(&alone, line);
        struct row row;
        left = line;
        if (!delimiter) {
            uint8_t of_row = delimiter_of_row(line);
            bool good = alone ? take_field(&row.data, &room, &left, ',', true) : of_row && take_row(&row, &room, line, of_row);
            if (!good && (end != SIZE_MAX || !of_row))
                break;
            told = good && sw_psql_shows_record(row.data);
        }
        head = end == SIZE_MAX ? sw_bytes_of(head.at + head.len, 0) : sw_bytes_of(head.at + end + 1, head.len - end - 1);
    }
    sw_buffer_free(&room);
    return told;
}

static void take_cut(struct sw_text_work *work, struct sw_bytes piece)
{
    sw_psql_finish(work);
    take_data(work, (struct sw_bytes){0}, (struct sw_bytes){0}, sw_bytes_of(piece.at, piece.len < 200 ? piece.len : 200));
    sw_psql_finish(work);
}

const struct sw_text_form sw_form_slot_csv = {.format = "wal2json", .csv = true, .recognises = recognises_csv, .end = end_of_csv, .take = take_csv, .cut = take_cut, .finish = sw_psql_finish};

/* ---- JSON ---- */

static bool is_between(uint8_t byte) { return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n' || byte == ',' || byte == '[' || byte == ']'; }

static struct sw_bytes without_between(struct sw_bytes raw)
{
    while (raw.len && is_between(*raw.at))
        raw = sw_bytes_of(raw.at + 1, raw.len - 1);
    return raw;
}

/* Where the first object ends, that end included, whether its last brace is there or not; or the line that holds something else. */
static size_t end_of_object(struct sw_bytes raw)
{
    bool closed;
    struct sw_bytes rest = without_between(raw);
    size_t end = sw_text_end_of_object(&closed, rest);
    return end == SIZE_MAX ? end : raw.len - rest.len + end;
}

/* What a text or an object stands for, unescaped into `room`. */
static struct sw_bytes shown(struct sw_buffer *room, struct sw_token token)
{
    room->len = 0;
    if (token.kind == SW_TOKEN_TEXT && token.escaped)
        sw_json_unescape_add(room, sw_bytes_of(token.at, token.len));
    else if (token.kind == SW_TOKEN_TEXT || token.kind == SW_TOKEN_OBJECT)
        sw_buffer_add(room, token.at, token.len);
    return sw_buffer_view(room);
}

static struct sw_bytes plain(struct sw_token token) { return sw_bytes_of(token.at, (token.kind == SW_TOKEN_TEXT && !token.escaped) || token.kind == SW_TOKEN_NUMBER ? token.len : 0); }

enum shape { NO_ROW, ROW, MARK };

/* `data` views `room`, the rest the object. */
static enum shape look_at(struct row *out, struct sw_buffer *room, struct sw_token object)
{
    struct sw_token action = sw_json_walk_find(object, "action"), data = sw_json_walk_find(object, "data"), lsn = sw_json_walk_find(object, "lsn");
    if (lsn.kind == SW_TOKEN_ABSENT)
        lsn = sw_json_walk_find(object, "location");
    *out = (struct row){plain(lsn), plain(sw_json_walk_find(object, "xid")), {0}};
    if (!sw_psql_is_lsn(out->lsn))
        return NO_ROW;
    if (action.kind == SW_TOKEN_TEXT && action.len == 1) { /* pgcopydb; K, X and E: a keepalive, a new segment, the end */
        data = sw_json_walk_find(object, "message");
        if (data.kind == SW_TOKEN_ABSENT)
            return memchr("KXE", *action.at, 3) ? MARK : NO_ROW;
    } else if (action.kind != SW_TOKEN_ABSENT || !sw_psql_is_xid(out->xid))
        return NO_ROW;
    out->data = shown(room, data);
    return out->data.len ? ROW : NO_ROW;
}

/* The object of a piece, on bytes that a kernel may read beyond. False: it is none. */
static bool read_object(struct sw_token *out, struct sw_buffer *copy, struct sw_bytes piece)
{
    struct sw_json_scratch scratch = {{0}, {0}};
    struct sw_json_problem problem = {0};
    static const uint8_t padding[PADDING];
    copy->len = 0;
    sw_buffer_add_bytes(copy, piece);
    sw_buffer_add(copy, padding, sizeof padding);
    bool good = !copy->failed && piece.len && *piece.at == '{' && sw_json_read_value(out, copy->at, copy->at + piece.len, 0, sw_kernel_find("scalar"), &scratch, &problem);
    sw_json_scratch_free(&scratch);
    return good;
}

static void take_object(struct sw_text_work *work, struct sw_bytes piece)
{
    struct sw_buffer copy = {0}, room = {0};
    struct sw_token object;
    struct row row = {{0}, {0}, {0}};
    piece = sw_trim(without_between(piece));
    if (!piece.len)
        return;
    enum shape shape = read_object(&object, &copy, piece) ? look_at(&row, &room, object) : NO_ROW;
    if (shape == MARK) {
        sw_psql_finish(work);
        sw_buffer_add_text(&work->lines, "{\"action\":\"mark\",\"psql\":true}\n");
    } else
        take_data(work, row.lsn, row.xid, shape == ROW ? row.data : piece);
    work->lines.failed |= copy.failed | room.failed;
    sw_buffer_free(&copy);
    sw_buffer_free(&room);
}

static bool recognises_objects(struct sw_bytes head)
{
    struct sw_buffer copy = {0}, room = {0};
    enum shape shape = MARK;
    for (unsigned i = 0; i < 16 && shape == MARK; i++) {
        struct sw_token object;
        struct row row;
        head = without_between(head);
        bool named = head.len && *head.at == '{' && (memmem(head.at, head.len < 200 ? head.len : 200, "\"lsn\"", 5) || memmem(head.at, head.len < 200 ? head.len : 200, "\"location\"", 10));
        bool closed = false;
        size_t len = named ? sw_text_end_of_object(&closed, head) : 0;
        if (!closed)
            break;
        shape = read_object(&object, &copy, sw_bytes_of(head.at, len)) ? look_at(&row, &room, object) : NO_ROW;
        if (shape == ROW && !sw_psql_shows_record(row.data))
            shape = NO_ROW;
        head = sw_bytes_of(head.at + len, head.len - len);
    }
    sw_buffer_free(&copy);
    sw_buffer_free(&room);
    return shape == ROW;
}

const struct sw_text_form sw_form_slot_objects = {.format = "wal2json", .recognises = recognises_objects, .end = end_of_object, .keeps = true, .take = take_object, .cut = take_cut, .finish = sw_psql_finish};

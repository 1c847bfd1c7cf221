#include "source/file/tell.h"

#include <string.h>
#include <strings.h>

#include "base/character.h"

/* Text in UTF-16 of any length has a NUL in about every other byte; NUL inside text fields is rare. */
static bool is_full_of_nul(struct sw_bytes head)
{
    size_t nul = 0, len = head.len < 4096 ? head.len : 4096;
    for (size_t i = 0; i < len; i++)
        nul += head.at[i] == 0;
    return nul >= 4 && nul * 4 >= len;
}

#define SQL_DUMP "a dump in SQL: restore it into a scratch database and read the table there, or export the table as CSV"
#define BINLOG_TEXT "what mariadb-binlog or mysqlbinlog print of a binary log: the log is read at a server ('mysql://USER@HOST/DATABASE?binlog=FILE:POSITION#TABLE')"
#define TAR_MAGIC_AT 257u

enum sw_code sw_tell_text(struct sw_bytes head, struct sw_error *error)
{
    static const struct {
        const char *magic;
        size_t len;
        const char *what;
    } binary[] = {
        {"PAR1\x15", 5, "a Parquet file: it is read where its name ends in .parquet (slackwater sources --explain parquet)"},
        {"ARROW1\0", 7, "an Arrow file"},
        {"SQLite format 3\0", 16, "an SQLite database: sqlite:FILE#TABLE reads a table of it"},
        {"PK\x03\x04", 4, "a ZIP archive; unpack it first"},
        {"\xfd" "7zXZ\0", 6, "compressed with xz; unpack it first: xz -dc"},
        {"\xfe" "bin", 4, "a binary log of MariaDB or MySQL: put it back where a server has its logs, and read it there ('mysql://USER@HOST/DATABASE?binlog=FILE:4#TABLE')"},
        {"PGDMP", 5, "a dump of pg_dump in its own format: restore it into a scratch database (pg_restore), and read the table there"},
        {"--\n-- PostgreSQL database dump", 30, SQL_DUMP},
        {"-- MySQL dump", 13, SQL_DUMP},
        {"-- MariaDB dump", 15, SQL_DUMP},
        {"/*M!999999", 10, SQL_DUMP},
        {"/*!50530 SET @@SESSION", 22, BINLOG_TEXT},
        {"/*!40019 SET @@session", 22, BINLOG_TEXT},
        {"\xac\xed\x00\x05", 4, "serialised by Java, as Kafka Connect's file of offsets is: it holds positions and no rows"},
        {"%PDF-", 5, "a PDF"},
        {"\x7f" "ELF", 4, "a program or a library"},
        {"<?xml", 5, "XML: an answer of a store in place of the file, or an export; export lines of JSON, or CSV"},
        {"<!DOCTYPE", 9, "HTML: an answer of a server in place of the file"},
        {"<html", 5, "HTML: an answer of a server in place of the file"},
        {"BZh91AY&SY", 10, "compressed with bzip2; unpack it first: bzip2 -dc"},
        {"\x02\x21\x4c\x18", 4, "compressed with the legacy format of lz4; unpack it first: lz4 -dc"},
    };
    for (size_t i = 0; i < sizeof binary / sizeof *binary; i++)
        if (sw_bytes_begin(head, sw_bytes_of(binary[i].magic, binary[i].len)))
            return sw_fail(error, SW_ERR_UNSUPPORTED, "JSON or CSV was expected, this is %s", binary[i].what);
    if (head.len > TAR_MAGIC_AT + 5 && memcmp(head.at + TAR_MAGIC_AT, "ustar", 5) == 0)
        return sw_fail(error, SW_ERR_UNSUPPORTED, "JSON or CSV was expected, this is a tar archive; unpack it first: tar -xf");
    if (sw_bytes_begin_text(head, "\xff\xfe") || sw_bytes_begin_text(head, "\xfe\xff") || sw_bytes_begin(head, SW_BYTES_LITERAL("\0\0\xfe\xff")))
        return sw_fail(error, SW_ERR_INPUT, "UTF-8 was expected, the byte-order mark is that of UTF-16 or UTF-32; convert it first: iconv -f UTF-16 -t UTF-8");
    if (is_full_of_nul(head))
        return sw_fail(error, SW_ERR_INPUT, "UTF-8 text was expected, a quarter of its first bytes or more is NUL; if it is UTF-16, convert it first: "
                       "iconv -f UTF-16LE -t UTF-8");
    return SW_OK;
}

/* Whether the value at head[at] is spread over lines: a line ends inside its brackets and the next one goes on with it,
 * indented, or with a name or a bracket. A torn line of NDJSON is not taken for that: the next line begins with '{'. */
static bool is_spread(struct sw_bytes head, size_t at)
{
    bool in_string = false;
    uint64_t depth = 0;
    for (; at < head.len; at++) {
        uint8_t byte = head.at[at];
        if (in_string) {
            if (byte == '\\')
                at++;
            if (byte == '\n')
                return false; /* torn: a newline in a string is an error in any case */
            in_string = byte != '"';
            continue;
        }
        if (byte == '\n') {
            uint8_t next = at + 1 < head.len ? head.at[at + 1] : 0;
            return depth && (next == ' ' || next == '\t' || next == '"' || next == '}' || next == ']');
        }
        if (byte == '"')
            in_string = true;
        else if (byte == '{' || byte == '[')
            depth++;
        else if ((byte == '}' || byte == ']') && --depth == 0)
            return false;
    }
    return false;
}

static bool is_blank_to(struct sw_bytes head, size_t at, size_t end)
{
    while (at < end && sw_is_blank(head.at[at]))
        at++;
    return at == end;
}

/* Whether a line opens a list that the next one goes on with: how wal2json's version 1 writes a transaction in chunks. A torn line of NDJSON does not end so. */
static bool is_chunked(struct sw_bytes head)
{
    static const char open[] = "\"change\":[";
    for (size_t at = 0; at + sizeof open < head.len;) {
        const uint8_t *found = memmem(head.at + at, head.len - at, open, sizeof open - 1);
        if (!found)
            return false;
        size_t end = (size_t)(found - head.at) + sizeof open - 1;
        const uint8_t *newline = memchr(head.at + end, '\n', head.len - end);
        if (newline && is_blank_to(head, end, (size_t)(newline - head.at)) && newline + 1 < head.at + head.len && (newline[1] == '{' || newline[1] == ']' || newline[1] == '\t' || newline[1] == ' '))
            return true;
        at = end;
    }
    return false;
}

/* Whether the array at head[at] ends on its line and more lines follow: then it is a line among others, not the array of all records. */
static bool is_one_line_of_several(struct sw_bytes head, size_t at)
{
    bool in_string = false;
    uint64_t depth = 0;
    do {
        uint8_t byte = head.at[at];
        if (byte == '\n')
            return false;
        if (in_string && byte == '\\')
            at++;
        else if (byte == '"')
            in_string = !in_string;
        else if (!in_string && (byte == '{' || byte == '['))
            depth++;
        else if (!in_string && (byte == '}' || byte == ']'))
            depth--;
    } while (++at < head.len && depth);
    bool line_ends = false;
    for (; at < head.len && sw_is_blank(head.at[at]); at++)
        line_ends |= head.at[at] == '\n';
    return at < head.len && line_ends;
}

static const char *const packed[] = {"", ".gz", ".zst", ".lz4"};

/* Does the name end so, or so and with the ending of a compression? */
static bool has_ending(const char *locator, const char *ending)
{
    size_t len = strlen(locator), own = strlen(ending);
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++) {
        size_t extra = strlen(packed[i]);
        if (len > extra + own && strcasecmp(locator + len - extra, packed[i]) == 0 && strncasecmp(locator + len - extra - own, ending, own) == 0)
            return true;
    }
    return false;
}

bool sw_tell_packed_name(const char *locator)
{
    size_t len = strlen(locator);
    for (size_t i = 1; i < sizeof packed / sizeof *packed; i++)
        if (len > strlen(packed[i]) && strcasecmp(locator + len - strlen(packed[i]), packed[i]) == 0)
            return true;
    return false;
}

bool sw_tell_lines_name(const char *locator) { return has_ending(locator, ".ndjson") || has_ending(locator, ".jsonl"); }

enum sw_framing sw_tell_framing(size_t *start, struct sw_bytes head, const char *locator)
{
    size_t at = 0;
    while (at < head.len && sw_is_blank(head.at[at]))
        at++;
    *start = 0;
    if (at < head.len && head.at[at] == '[' && !(is_one_line_of_several(head, at) && sw_tell_lines_name(locator))) {
        *start = at + 1;
        return SW_FRAMING_ARRAY;
    }
    return at < head.len && head.at[at] == '{' && (is_spread(head, at) || is_chunked(head)) ? SW_FRAMING_VALUES : SW_FRAMING_LINES;
}

bool sw_tell_csv_name(const char *locator) { return has_ending(locator, ".csv") || has_ending(locator, ".tsv"); }

bool sw_tell_json_name(const char *locator) { return has_ending(locator, ".json") || has_ending(locator, ".ndjson") || has_ending(locator, ".jsonl"); }

/* Whether a line begins with an object and ends with its brace: what psql prints has a heading and records below it. No field of CSV begins so: a quote inside
 * one is doubled, or its name would not follow. */
static bool has_object_line(struct sw_bytes head)
{
    for (size_t at = 0; at < head.len;) {
        const uint8_t *found = memchr(head.at + at, '\n', head.len - at);
        size_t end = found ? (size_t)(found - head.at) : head.len, next = end + 1;
        struct sw_bytes line = sw_trim(sw_bytes_of(head.at + at, end - at));
        if (line.len > 4 && sw_bytes_begin_text(line, "{\"") && line.at[2] != '"' && line.at[line.len - 1] == '}')
            return true;
        at = next;
    }
    return false;
}

bool sw_tell_csv_header(struct sw_bytes head)
{
    if (has_object_line(head))
        return false;
    head = sw_trim(head);
    const uint8_t *end = head.len ? memchr(head.at, '\n', head.len) : NULL;
    struct sw_bytes line = sw_trim(sw_bytes_of(head.at, end ? (size_t)(end - head.at) : head.len));
    if (line.len == 0 || memchr(line.at, '{', line.len) || memchr(line.at, '}', line.len) || memchr(line.at, '[', line.len))
        return false;
    bool number = line.at[0] == '-' || sw_is_digit(line.at[0]);
    bool text = line.at[0] == '"' && (line.len < 3 || !memchr(line.at + 1, '"', line.len - 2));
    return !number && !text && !sw_bytes_is(line, "null") && !sw_bytes_is(line, "true") && !sw_bytes_is(line, "false");
}

size_t sw_tell_comment(struct sw_bytes head)
{
    size_t at = 0, end = 0;
    for (;;) {
        while (at < head.len && sw_is_blank(head.at[at]))
            at++;
        struct sw_bytes rest = sw_bytes_of(head.at + at, head.len - at);
        const char *close = sw_bytes_begin_text(rest, "/*") ? "*/" : sw_bytes_begin_text(rest, "//") || sw_bytes_begin_text(rest, "#") ? "\n" : NULL;
        if (!close)
            return at < head.len && (head.at[at] == '{' || head.at[at] == '[') ? end : 0;
        const uint8_t *found = rest.len > 2 ? memmem(rest.at + 2, rest.len - 2, close, strlen(close)) : NULL;
        if (!found)
            return 0;
        at = end = (size_t)(found - head.at) + strlen(close);
    }
}

/* Is the line drawn, and no row: dashes, with '+', '|', blanks or Markdown's ':' between columns? */
static bool is_ruler(struct sw_bytes line)
{
    size_t dashes = 0;
    for (size_t i = 0; i < line.len && line.at[i] != '\n'; i++) {
        if (line.at[i] == '-')
            dashes++;
        else if (!line.at[i] || !strchr("+| :\r", line.at[i]))
            return false;
    }
    return dashes > 2;
}

bool sw_tell_drawn_table(struct sw_bytes head)
{
    /* ┌ of DuckDB and ClickHouse, ╭, ╔; one column a line: psql -x, mysql -E */
    static const char *const begins[] = {"\xe2\x94\x8c", "\xe2\x95\xad", "\xe2\x95\x94", "-[ RECORD 1 ]", "*************************** 1. row "};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (sw_bytes_begin_text(head, begins[i]))
            return true;
    const uint8_t *newline = head.len ? memchr(head.at, '\n', head.len) : NULL;
    if (!newline)
        return false;
    struct sw_bytes first = sw_bytes_of(head.at, (size_t)(newline - head.at)), rest = sw_bytes_of(newline + 1, head.len - first.len - 1);
    if (*head.at == '+')
        return is_ruler(first);
    return (memchr(first.at, ' ', first.len) || memchr(first.at, '|', first.len)) && is_ruler(rest); /* psql, sqlcmd, Markdown */
}

size_t sw_tell_mark(struct sw_bytes head) { return sw_bytes_begin_text(head, "\xef\xbb\xbf") ? 3 : 0; }

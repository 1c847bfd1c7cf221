/* Kind "mysql": a place in a server's binary log, by file and offset, with what Debezium stores beside it.
 * Sources: MySQL manual, "The Binary Log"; debezium BinlogHistoryRecordComparator (records with and without GTIDs). */
#include "position/binlog.h"

#include "base/memory.h"
#include "position/gtid_set.h"
#include "position/position.h"
#include "position/scan.h"

struct binlog_position {
    struct sw_position base;
    char *name; /* the base name of the files */
    uint64_t suffix, offset;
    uint64_t event, row;       /* the events to skip after the offset; 0 = not given */
    bool has_gtids;
    struct sw_gtid_set gtids;
};

enum { SERVER, SERVER_ID, EVENT, ROW, GTIDS };

static const struct binlog_position *of(const struct sw_position *self) { return (const struct binlog_position *)(const void *)self; }

bool sw_binlog_file_parse(struct sw_binlog_file *out, const uint8_t *at, size_t len)
{
    size_t dot = len;
    while (dot > 0 && at[dot - 1] != '.')
        dot--;
    if (dot < 2 || len - dot < 1 || len - dot > 10)
        return false;
    uint64_t suffix;
    if (!sw_scan_whole_u64(sw_bytes_of(at + dot, len - dot), &suffix) || suffix > SW_BINLOG_SUFFIX_MAX)
        return false;
    for (size_t i = 0; i + 1 < dot; i++)
        if (at[i] <= ' ' || at[i] == 127)
            return false;
    *out = (struct sw_binlog_file){{at, dot - 1}, suffix};
    return true;
}

static enum sw_code parse(struct sw_position *base, struct sw_bytes text, struct sw_error *error)
{
    struct binlog_position *self = (struct binlog_position *)(void *)base;
    char quoted[SW_QUOTE_MAX];
    struct sw_binlog_file file;
    size_t colon = text.len;
    while (colon > 0 && text.at[colon - 1] != ':')
        colon--;
    if (colon == 0) { /* no colon: a file */
        colon = text.len + 1;
        self->offset = SW_BINLOG_HEAD;
        base->notes |= SW_NOTE_HEAD_OF_FILE;
    } else if (!sw_scan_whole_u64(sw_bytes_of(text.at + colon, text.len - colon), &self->offset)) {
        return sw_fail(error, SW_ERR_INPUT, "not a binary log position: expected FILE:OFFSET with a decimal offset, such as binlog.000042:1234, found %s", sw_position__quote(quoted, text));
    }
    if (colon - 1 > 512 || !sw_binlog_file_parse(&file, text.at, colon - 1))
        return sw_fail(error, SW_ERR_INPUT, "not a binary log position: expected a file name that ends in a dot and a number up to %u, such as binlog.000042:1234, found %s",
            SW_BINLOG_SUFFIX_MAX, sw_position__quote(quoted, text));
    self->suffix = file.suffix;
    self->name = sw_strndup((const char *)file.base.at, file.base.len);
    return self->name ? SW_OK : sw_fail_memory(error, "a file name", file.base.len + 1);
}

static enum sw_code settle(struct sw_position *base, struct sw_error *error)
{
    struct binlog_position *self = (struct binlog_position *)(void *)base;
    if (base->attributes[EVENT])
        (void)sw_scan_whole_u64(sw_bytes_text(base->attributes[EVENT]), &self->event);
    if (base->attributes[ROW])
        (void)sw_scan_whole_u64(sw_bytes_text(base->attributes[ROW]), &self->row);
    if (!base->attributes[GTIDS])
        return SW_OK;
    enum sw_code code = sw_gtid_set_parse(&self->gtids, sw_bytes_text(base->attributes[GTIDS]), &base->notes, error);
    if (code < 0)
        return code;
    self->has_gtids = true;
    struct sw_buffer text = {0};
    sw_gtid_set_print(&text, &self->gtids);
    char *canonical = sw_buffer_text(&text);
    if (text.failed || !canonical) {
        sw_buffer_free(&text);
        return sw_fail_memory(error, "an attribute", 64);
    }
    sw_free(base->attributes[GTIDS]);
    base->attributes[GTIDS] = canonical;
    return SW_OK;
}

static void print(struct sw_buffer *out, const struct sw_position *self)
{
    sw_buffer_add_text(out, of(self)->name);
    sw_buffer_printf(out, ".%06llu:%llu", (unsigned long long)of(self)->suffix, (unsigned long long)of(self)->offset);
}

static void release(struct sw_position *base)
{
    struct binlog_position *self = (struct binlog_position *)(void *)base;
    sw_free(self->name);
    sw_gtid_set_free(&self->gtids);
}

/* Sets of GTIDs compare on all servers of a topology; files do not. */
static bool across_spaces(const struct sw_position *a, const struct sw_position *b) { return of(a)->has_gtids && of(b)->has_gtids; }

static int order(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

/* Events and rows to skip behind an equal place. */
static void compare_steps(struct sw_position_comparison *out, const struct binlog_position *a, const struct binlog_position *b, const char *place)
{
    int way = order(a->event, b->event);
    const char *what = "event";
    if (!way) {
        way = order(a->row, b->row);
        what = "row";
    }
    if (way)
        sw_position__say(out, way < 0 ? SW_POSITION_BEFORE : SW_POSITION_AFTER, "%s is the same, and the %s within it is %s", place, what, way < 0 ? "lower" : "higher");
    else
        sw_position__say(out, SW_POSITION_EQUAL, "%s is the same", place);
}

static void compare_files(struct sw_position_comparison *out, const struct binlog_position *a, const struct binlog_position *b)
{
    if (strcmp(a->name, b->name) != 0) {
        char left[SW_QUOTE_MAX], right[SW_QUOTE_MAX];
        sw_position__say(out, SW_POSITION_INCOMPARABLE, "the base names of the files differ (%s and %s): the log was renamed, or is another server's", sw_position__quote(left, sw_bytes_text(a->name)),
            sw_position__quote(right, sw_bytes_text(b->name)));
        return;
    }
    int way = order(a->suffix, b->suffix);
    if (way) {
        sw_position__say(out, way < 0 ? SW_POSITION_BEFORE : SW_POSITION_AFTER, "file number %llu comes %s file number %llu (numbers, not text)", (unsigned long long)a->suffix,
            way < 0 ? "before" : "after", (unsigned long long)b->suffix);
        return;
    }
    way = order(a->offset, b->offset);
    if (way)
        sw_position__say(out, way < 0 ? SW_POSITION_BEFORE : SW_POSITION_AFTER, "in the same file, offset %llu comes %s offset %llu", (unsigned long long)a->offset,
            way < 0 ? "before" : "after", (unsigned long long)b->offset);
    else
        compare_steps(out, a, b, "the file and offset");
}

static void compare(struct sw_position_comparison *out, const struct sw_position *left, const struct sw_position *right, const struct sw_position_compare_options *options)
{
    (void)options;
    const struct binlog_position *a = of(left), *b = of(right);
    if (a->has_gtids && b->has_gtids) {
        sw_gtid_set_compare(out, &a->gtids, &b->gtids);
        if (out->order == SW_POSITION_EQUAL)
            compare_steps(out, a, b, "the set of GTIDs");
        return;
    }
    if (a->has_gtids != b->has_gtids && !(left->attributes[SERVER] && right->attributes[SERVER])) {
        sw_position__say(out, a->has_gtids ? SW_POSITION_AFTER : SW_POSITION_BEFORE, "only the %s position has GTIDs, and the one without is taken as older", a->has_gtids ? "first" : "second");
        sw_position__assume(out, "GTIDs were switched on between the two (Debezium's rule for its history; nothing here proves it)");
        return;
    }
    compare_files(out, a, b);
}

const struct sw_position_kind sw_kind_mysql = {
    .info = {
        .name = "mysql",
        .source = "MySQL and MariaDB, by file and offset",
        .form = "FILE:OFFSET of the binary log",
        .example = "binlog.000042:1234@server=3a1f0000-0000-0000-0000-000000000001",
        .attributes = "server (server_uuid), server-id, event and row (to skip after the offset), gtids (a GTID set)",
    },
    .size = sizeof(struct binlog_position),
    .attributes = {
        [SERVER] = {"server", "server_uuid", SW_ATTRIBUTE_UUID, SW_ATTRIBUTE_IDENTITY},
        [SERVER_ID] = {"server-id", "server id", SW_ATTRIBUTE_U32, SW_ATTRIBUTE_HINT},
        [EVENT] = {"event", "event to skip", SW_ATTRIBUTE_U64, SW_ATTRIBUTE_DETAIL},
        [ROW] = {"row", "row to skip", SW_ATTRIBUTE_U64, SW_ATTRIBUTE_DETAIL},
        [GTIDS] = {"gtids", "set of GTIDs", SW_ATTRIBUTE_LIST, SW_ATTRIBUTE_DETAIL},
    },
    .parse = parse,
    .settle = settle,
    .print = print,
    .across_spaces = across_spaces,
    .compare = compare,
    .release = release,
};

#include "source/cut.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "position/binlog.h"
#include "position/gtid_set.h"
#include "position/lsn.h"

void sw_source_cut_free(struct sw_source_cut *cut)
{
    char *texts[] = {cut->log, cut->from, cut->position, cut->gtid, cut->snapshot, cut->at};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        sw_free(texts[i]);
    *cut = (struct sw_source_cut){0};
}

bool sw_source_cut_copy(struct sw_source_cut *out, const struct sw_source_cut *from)
{
    *out = (struct sw_source_cut){.kind = from->kind, .exact = from->exact};
    const struct { char **to; const char *text; } texts[] = {{&out->log, from->log},   {&out->from, from->from},         {&out->position, from->position},
                                                             {&out->gtid, from->gtid}, {&out->snapshot, from->snapshot}, {&out->at, from->at}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i].text && !(*texts[i].to = sw_strdup(texts[i].text))) {
            sw_source_cut_free(out);
            return false;
        }
    return true;
}

bool sw_source_cut_take(char **to, struct sw_buffer *text)
{
    bool failed = text->failed || (text->len && !sw_buffer_text(text));
    if (text->len && !failed) {
        sw_free(*to);
        *to = (char *)text->at;
    } else {
        sw_buffer_free(text);
    }
    *text = (struct sw_buffer){0};
    return !failed;
}

void sw_source_cut_now(char out[SW_CUT_NOW_MAX])
{
    time_t seconds = time(NULL);
    struct tm utc;
    strftime(out, SW_CUT_NOW_MAX, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &utc));
}

bool sw_source_cut_of_file(struct sw_source_cut *cut, struct sw_file_id id, uint64_t size, struct timespec modified)
{
    struct sw_buffer log = {0}, at = {0};
    struct tm utc;
    char text[32] = "";
    if (gmtime_r(&modified.tv_sec, &utc)) /* a time that no calendar has is not told */
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc);
    sw_buffer_printf(&log, "file %llu:%llu of %llu bytes", (unsigned long long)id.device, (unsigned long long)id.inode, (unsigned long long)size);
    if (*text)
        sw_buffer_printf(&at, "%s.%06ldZ", text, modified.tv_nsec / 1000);
    cut->kind = SW_CUT_FILE;
    bool taken = sw_source_cut_take(&cut->log, &log);
    return sw_source_cut_take(&cut->at, &at) && taken;
}

bool sw_source_cut_take_bytes(char **to, struct sw_bytes text)
{
    struct sw_buffer copy = {0};
    sw_buffer_add_bytes(&copy, text);
    return sw_source_cut_take(to, &copy);
}

const char *sw_source_cut_kind_name(enum sw_source_cut_kind kind)
{
    static const char *const names[] = {[SW_CUT_NONE] = "none",         [SW_CUT_FILE] = "file",     [SW_CUT_SQLITE] = "sqlite", [SW_CUT_POSTGRES] = "postgres",
                                        [SW_CUT_MARIADB] = "mariadb", [SW_CUT_MYSQL] = "mysql", [SW_CUT_KAFKA] = "kafka"};
    return names[kind];
}

const char *sw_cuts_relation_name(enum sw_cuts_relation relation)
{
    static const char *const names[] = {[SW_CUTS_SAME] = "same-state", [SW_CUTS_LATER] = "later", [SW_CUTS_EARLIER] = "earlier", [SW_CUTS_APART] = "apart", [SW_CUTS_UNTOLD] = "untold"};
    return names[relation];
}

static void SW_PRINTF(3, 4) answer(struct sw_cuts_comparison *out, enum sw_cuts_relation relation, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    out->relation = relation;
    vsnprintf(out->text, sizeof out->text, format, arguments);
    va_end(arguments);
}

static bool same_text(const char *a, const char *b) { return a && b && strcmp(a, b) == 0; }

/* "mysql-bin.000004:1337" */
static bool read_place(struct sw_binlog_file *file, uint64_t *offset, const char *text)
{
    const char *colon = strrchr(text, ':');
    char *end;
    if (!colon || !colon[1] || !sw_binlog_file_parse(file, (const uint8_t *)text, (size_t)(colon - text)))
        return false;
    *offset = strtoull(colon + 1, &end, 10);
    return !*end;
}

/* -1, 0, 1; false: one of them is no place, or they are of two runs of names. */
static bool order_places(int *out, const char *a, const char *b)
{
    struct sw_binlog_file left, right;
    uint64_t x, y;
    if (!read_place(&left, &x, a) || !read_place(&right, &y, b) || !sw_bytes_equal(left.base, right.base))
        return false;
    *out = left.suffix != right.suffix ? (left.suffix > right.suffix ? 1 : -1) : (x > y) - (x < y);
    return true;
}

static bool order_lsns(int *out, const char *a, const char *b)
{
    uint64_t x, y;
    if (!sw_lsn_parse(&x, (const uint8_t *)a, strlen(a)) || !sw_lsn_parse(&y, (const uint8_t *)b, strlen(b)))
        return false;
    *out = (x > y) - (x < y);
    return true;
}

static bool order_numbers(int *out, const char *a, const char *b)
{
    char *end, *other;
    uint64_t x = strtoull(a, &end, 10), y = strtoull(b, &other, 10);
    *out = (x > y) - (x < y);
    return end != a && other != b && !*end && !*other;
}

/* One "PARTITION:OFFSET" of a list, and where the next one stands. */
static bool read_offset(uint64_t *partition, uint64_t *offset, const char **at)
{
    char *end;
    *partition = strtoull(*at, &end, 10);
    if (end == *at || *end != ':')
        return false;
    const char *number = end + 1;
    *offset = strtoull(number, &end, 10);
    if (end == number || (*end && *end != ','))
        return false;
    *at = *end ? end + 1 : end;
    return true;
}

/* Lists of offsets: -1 and 1 if no partition says otherwise. False: other partitions, or some are before and others after. */
static bool order_offsets(int *out, const char *a, const char *b)
{
    bool less = false, more = false;
    while (*a && *b) {
        uint64_t left, right, x, y;
        if (!read_offset(&left, &x, &a) || !read_offset(&right, &y, &b) || left != right)
            return false;
        less |= x < y;
        more |= x > y;
    }
    *out = less ? -1 : more;
    return !*a && !*b && !(less && more);
}

/* GTID sets: the one that holds the other stands behind it. */
static bool order_sets(int *out, const char *a, const char *b)
{
    struct sw_gtid_set left = {0}, right = {0};
    bool known = false;
    if (sw_gtid_set_parse(&left, sw_bytes_text(a), NULL, NULL) == SW_OK && sw_gtid_set_parse(&right, sw_bytes_text(b), NULL, NULL) == SW_OK) {
        bool above = sw_gtid_set_contains(&left, &right), below = sw_gtid_set_contains(&right, &left);
        known = above || below;
        *out = (above && !below) - (below && !above);
    }
    sw_gtid_set_free(&left);
    sw_gtid_set_free(&right);
    return known;
}

void sw_cuts_compare(struct sw_cuts_comparison *out, const struct sw_source_cut *first, const struct sw_source_cut *second)
{
    static bool (*const orders[])(int *, const char *, const char *) = {[SW_CUT_SQLITE] = order_numbers, [SW_CUT_POSTGRES] = order_lsns, [SW_CUT_MARIADB] = order_places, [SW_CUT_MYSQL] = order_sets,
                                                                        [SW_CUT_KAFKA] = order_offsets};
    if (first->kind == SW_CUT_NONE || second->kind == SW_CUT_NONE) {
        answer(out, SW_CUTS_UNTOLD, "a source that tells no position of its own was read");
        return;
    }
    if (first->kind == SW_CUT_FILE || second->kind == SW_CUT_FILE) {
        answer(out, SW_CUTS_UNTOLD, "a file tells which bytes were read (by digest), and not at which position of a log they were written");
        return;
    }
    if (first->kind != second->kind) {
        answer(out, SW_CUTS_APART, "a log of %s and one of %s: no position of one is before or after a position of the other", sw_source_cut_kind_name(first->kind), sw_source_cut_kind_name(second->kind));
        return;
    }
    if (!first->position || !second->position || !first->log || !second->log) {
        answer(out, SW_CUTS_UNTOLD, "the server does not tell %s", !first->position || !second->position ? "its position" : "which log its position is of");
        return;
    }
    /* the names of MySQL's transactions are those of the servers that made them: they hold over all copies */
    if (first->kind != SW_CUT_MYSQL && strcmp(first->log, second->log) != 0) {
        answer(out, SW_CUTS_APART, "two logs (%.150s; %.150s): no position of one is before or after a position of the other", first->log, second->log);
        return;
    }
    int order;
    bool rows = !first->from && !second->from;
    if (rows && same_text(first->snapshot, second->snapshot)) {
        answer(out, SW_CUTS_SAME, "one server, and the same transactions are seen (snapshot %.100s)", first->snapshot);
        return;
    }
    if (!orders[first->kind](&order, first->position, second->position)) {
        answer(out, SW_CUTS_APART, "%s: each has changes that the other lacks", first->kind == SW_CUT_MYSQL ? "two sets of transactions of which neither holds the other" : "two positions that do not compare");
        return;
    }
    if (order == 0 && rows && first->exact && second->exact) {
        answer(out, SW_CUTS_SAME, "one log and one position, %.200s", first->position);
        return;
    }
    answer(out, order > 0 ? SW_CUTS_EARLIER : SW_CUTS_LATER, order == 0 ? "one log, both at %.150s" : "one log: %.150s, and %.150s", first->position, second->position);
}

/* Where reading began. Of binary logs a place, or the GTID that was asked for, which compares with itself alone. */
static bool order_begins(int *out, enum sw_source_cut_kind kind, const char *a, const char *b)
{
    if (kind == SW_CUT_KAFKA || kind == SW_CUT_POSTGRES)
        return kind == SW_CUT_KAFKA ? order_offsets(out, a, b) : order_lsns(out, a, b);
    *out = 0;
    return strcmp(a, b) == 0 || order_places(out, a, b);
}

void sw_cuts_succeed(struct sw_cuts_comparison *out, const struct sw_source_cut *first, const struct sw_source_cut *second)
{
    if (first->kind == SW_CUT_FILE && second->kind == SW_CUT_FILE) {
        bool same = same_text(first->log, second->log) && same_text(first->at, second->at);
        answer(out, same ? SW_CUTS_SAME : SW_CUTS_UNTOLD, same ? "the file is the one that was read before" : "the file was written or replaced since it was read");
        return;
    }
    sw_cuts_compare(out, first, second);
    if (out->relation == SW_CUTS_EARLIER)
        answer(out, SW_CUTS_EARLIER, "the later reading stands before the earlier one, at %.150s: it was read at %.150s; an older copy of the source answered", second->position, first->position);
    int order;
    if ((out->relation != SW_CUTS_SAME && out->relation != SW_CUTS_LATER) || (!first->from && !second->from))
        return;
    bool known = first->from && second->from && order_begins(&order, first->kind, first->from, second->from);
    if (!known || order < 0)
        answer(out, SW_CUTS_APART, "changes from %.150s on were read before, and are there from %.150s on only: those between are in no evidence now", first->from ? first->from : "an unknown position",
               second->from ? second->from : "an unknown position");
}

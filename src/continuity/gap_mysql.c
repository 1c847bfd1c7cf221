/* MySQL and MariaDB by file and offset: the list of binary logs, or bounds as they were given.
 * Source: MySQL manual, "The Binary Log", "SHOW BINARY LOGS". */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "continuity/gap.h"
#include "position/binlog.h"
#include "position/scan.h"

static const struct sw_continuity_rule rule_listed = {
    "mysql.file.listed",
    "the saved file is listed and is at least as long as the saved offset; the end of a file and the start of the next are adjacent",
    "MySQL manual, \"SHOW BINARY LOGS\"",
};
static const struct sw_continuity_rule rule_purged = {
    "mysql.file.purged",
    "the saved file is older than the oldest one that is left, on the same server and with the same base name",
    "MySQL manual, \"PURGE BINARY LOGS\"",
};
static const struct sw_continuity_rule rule_hole = {
    "mysql.file.hole",
    "a file between the saved one and the newest is not listed",
    "MySQL manual, \"SHOW BINARY LOGS\"",
};
static const struct sw_continuity_rule rule_reset = {
    "mysql.file.reset",
    "a saved place beyond the newest file, or beyond the end of its own, means that the logs were reset or are another server's",
    "MySQL manual, \"RESET BINARY LOGS AND GTIDS\"",
};
static const struct sw_continuity_rule rule_unknown = {
    "mysql.file.unknown",
    "without the list of files, or the first and the last place, nothing says what the server can serve",
    "MySQL manual, \"SHOW BINARY LOGS\"",
};

struct log_file {
    struct sw_binlog_file file;
    uint64_t size;
};

static int by_suffix(const void *a, const void *b)
{
    const struct log_file *left = a, *right = b;
    return (left->file.suffix > right->file.suffix) - (left->file.suffix < right->file.suffix);
}

/* The files of SHOW BINARY LOGS, sorted; *out is the caller's. */
static enum sw_code read_files(struct log_file **out, size_t *count, struct sw_gap_case *gap)
{
    static const char *const columns[] = {"Log_name", "File_size", NULL};
    *out = NULL;
    *count = 0;
    for (const struct sw_client_table *table = NULL; (table = sw_shown_table(&gap->shown, table, columns));) {
        struct log_file *files = sw_realloc_array(*out, *count + table->row_count, sizeof *files);
        if (!files)
            return sw_fail_memory(gap->error, "a list of files", (*count + table->row_count) * sizeof *files);
        *out = files;
        for (size_t row = 0; row < table->row_count; row++) {
            struct sw_bytes name = sw_client_table_cell(table, row, "Log_name"), size = sw_client_table_cell(table, row, "File_size");
            char quoted[SW_QUOTE_MAX];
            struct log_file *file = &files[*count];
            if (!sw_binlog_file_parse(&file->file, name.at, name.len) || !sw_scan_whole_u64(size, &file->size))
                return sw_fail(gap->error, SW_ERR_INPUT, "SHOW BINARY LOGS, row %zu: expected a file name such as binlog.000042 and a size, found %s", row + 1, sw_position__quote(quoted, name));
            if (*count && !sw_bytes_equal(file->file.base, files[0].file.base))
                return sw_fail(gap->error, SW_ERR_INPUT, "SHOW BINARY LOGS, row %zu: the files have two base names: the lists of two servers were pasted", row + 1);
            ++*count;
        }
    }
    if (*count)
        qsort(*out, *count, sizeof **out, by_suffix);
    for (size_t i = 1; i < *count; i++)
        if ((*out)[i].file.suffix == (*out)[i - 1].file.suffix)
            return sw_fail(gap->error, SW_ERR_INPUT, "SHOW BINARY LOGS: file number %llu is listed twice", (unsigned long long)(*out)[i].file.suffix);
    return SW_OK;
}

static enum sw_code place(struct sw_position **out, struct sw_gap_case *gap, const struct sw_binlog_file *file, uint64_t offset)
{
    struct sw_buffer text = {0};
    sw_buffer_add_bytes(&text, file->base);
    sw_buffer_printf(&text, ".%06llu:%llu", (unsigned long long)file->suffix, (unsigned long long)offset);
    enum sw_code code = text.failed ? sw_fail_memory(gap->error, "a position", text.len) : sw_position__parse(out, gap->kind, sw_buffer_view(&text), gap->error);
    sw_buffer_free(&text);
    return code;
}

/* The end as SHOW MASTER STATUS (SHOW BINARY LOG STATUS) gives it. */
static enum sw_code read_status(struct sw_gap_case *gap)
{
    static const char *const columns[] = {"File", "Position", NULL};
    const struct sw_client_table *table = sw_shown_table(&gap->shown, NULL, columns);
    struct sw_binlog_file file;
    uint64_t offset;
    if (gap->last || !table || table->row_count != 1)
        return SW_OK;
    struct sw_bytes name = sw_client_table_cell(table, 0, "File");
    if (!sw_binlog_file_parse(&file, name.at, name.len) || !sw_scan_whole_u64(sw_client_table_cell(table, 0, "Position"), &offset))
        return SW_OK;
    sw_sentences_add(&gap->report->evidence, "the server writes to a file with number %llu, at offset %llu", (unsigned long long)file.suffix, (unsigned long long)offset);
    return place(&gap->last, gap, &file, offset);
}

/* A set of GTIDs saved beside the file decides over it when two records are compared; here the file is asked for. */
static enum sw_code drop_gtids(struct sw_gap_case *gap)
{
    static const char *const kept[] = {"server", "server-id"};
    if (!sw_position_attribute(gap->saved, "gtids"))
        return SW_OK;
    struct sw_buffer text = {0};
    struct sw_position *plain = NULL;
    gap->kind->print(&text, gap->saved);
    enum sw_code code = text.failed ? sw_fail_memory(gap->error, "a position", text.len) : sw_position__parse(&plain, gap->kind, sw_buffer_view(&text), gap->error);
    for (size_t i = 0; code >= 0 && i < 2; i++) {
        const char *value = sw_position_attribute(gap->saved, kept[i]);
        code = value ? sw_gap_identify(&plain, kept[i], sw_bytes_text(value), gap->error) : SW_OK;
    }
    sw_buffer_free(&text);
    if (code < 0) {
        sw_position_free(&plain);
        return code;
    }
    sw_position_free(&gap->saved);
    gap->saved = plain;
    sw_sentences_add(&gap->report->limits, "the set of GTIDs saved beside the file was left out; it is the stronger position: judge it with --kind mysql-gtid");
    return SW_OK;
}

static enum sw_code gather(struct sw_gap_case *gap)
{
    struct log_file *files;
    size_t count;
    enum sw_code code = read_files(&files, &count, gap);
    if (code >= 0)
        code = drop_gtids(gap);
    if (code >= 0 && count)
        sw_sentences_add(&gap->report->evidence, "%zu binary logs are listed, numbers %llu to %llu", count, (unsigned long long)files[0].file.suffix,
            (unsigned long long)files[count - 1].file.suffix);
    if (code >= 0 && count && !gap->first)
        code = place(&gap->first, gap, &files[0].file, SW_BINLOG_HEAD);
    if (code >= 0)
        code = read_status(gap);
    if (code >= 0 && count && !gap->last)
        code = place(&gap->last, gap, &files[count - 1].file, files[count - 1].size);
    sw_free(files);
    struct sw_bytes uuid;
    if (code >= 0)
        code = sw_shown_value(&uuid, &gap->shown, "server_uuid", gap->error);
    if (code >= 0)
        code = sw_gap_identify(&gap->first, "server", uuid, gap->error);
    if (code >= 0)
        code = sw_gap_identify(&gap->last, "server", uuid, gap->error);
    return code;
}

static void follow_gap(struct sw_gap_case *gap)
{
    char saved[SW_GAP_NAME_MAX], recover[400], start[300];
    snprintf(recover, sizeof recover,
        "before anything is skipped, look for the missing files from %s on: in the backup of the binary logs, on a replica with log_replica_updates, in an archive; put them back (or read them there) and retry the saved position",
        sw_gap_name(saved, gap, gap->saved));
    snprintf(start, sizeof start, "if they are gone, start at the first file that is left%s%s, not at the newest position", gap->first ? ", " : "", gap->first ? sw_gap_name(saved, gap, gap->first) : "");
    sw_gap_follow(gap, recover, start,
        "retention: what is left goes on being purged (binlog_expire_logs_seconds, or the cloud's own setting); raise it, and stop PURGE jobs, until the recovery is done");
}

static void follow_unknown(struct sw_gap_case *gap)
{
    sw_sentences_add(&gap->report->obligations,
        "establish which server this is (SELECT @@server_uuid) and whether its logs were reset; on another server use sets of GTIDs (--kind mysql-gtid), the only positions that hold across servers");
}

/* The saved file against the list. Returns false if the list does not decide. */
static bool decide_by_list(struct sw_gap_case *gap, const struct sw_binlog_file *saved, uint64_t offset, const struct log_file *files, size_t count)
{
    struct sw_continuity_report *report = gap->report;
    size_t i = 0;
    while (i < count && files[i].file.suffix < saved->suffix)
        i++;
    if (i == count || (i == 0 && files[0].file.suffix != saved->suffix))
        return false; /* beyond an end: the bounds decide */
    if (files[i].file.suffix == saved->suffix) {
        if (offset > files[i].size) {
            sw_continuity_decide(report, SW_CANNOT_TELL, &rule_reset, "the saved offset %llu lies beyond the end of its file, which has %llu bytes", (unsigned long long)offset,
                (unsigned long long)files[i].size);
            follow_unknown(gap);
            return true;
        }
        i++;
    }
    /* from here on every file up to the newest must be there; the first hole begins after files[i - 1] */
    uint64_t expected = i && files[i - 1].file.suffix == saved->suffix ? saved->suffix + 1 : saved->suffix;
    for (; i < count; i++, expected++) {
        if (files[i].file.suffix == expected)
            continue;
        struct sw_position *from = NULL, *to = NULL;
        struct sw_binlog_file hole = {files[0].file.base, expected};
        bool own = expected == saved->suffix;
        sw_continuity_decide(report, SW_GAP, &rule_hole, "file number %llu is not listed, while number %llu is", (unsigned long long)expected, (unsigned long long)files[i].file.suffix);
        report->failed |= place(&from, gap, &hole, own ? offset : SW_BINLOG_HEAD) < 0 || place(&to, gap, &files[i].file, SW_BINLOG_HEAD) < 0;
        if (from && to)
            sw_gap_interval(gap, from, to)->possible = false;
        sw_position_free(&from);
        sw_position_free(&to);
        follow_gap(gap);
        return true;
    }
    return false;
}

static enum sw_code decide_by_bounds(struct sw_gap_case *gap, const struct sw_binlog_file *saved_file, bool listed)
{
    struct sw_continuity_report *report = gap->report;
    enum sw_position_order order;
    char saved[SW_GAP_NAME_MAX], bound[SW_GAP_NAME_MAX];
    sw_gap_name(saved, gap, gap->saved);
    if (gap->last) {
        if (!sw_gap_compared(gap, &order, gap->saved, gap->last))
            return follow_unknown(gap), SW_OK;
        if (order == SW_POSITION_AFTER) {
            sw_continuity_decide(report, SW_CANNOT_TELL, &rule_reset, "the saved position %s lies beyond the newest one, %s", saved, sw_gap_name(bound, gap, gap->last));
            follow_unknown(gap);
            return SW_OK;
        }
    }
    if (!gap->first) {
        sw_continuity_decide(report, SW_CANNOT_TELL, &rule_unknown, "the oldest file that is left is not known: %s", sw_gap_says(gap, "give --first, or SHOW BINARY LOGS with --show", "the server did not list its binary logs"));
        return SW_OK;
    }
    if (!sw_gap_compared(gap, &order, gap->saved, gap->first))
        return follow_unknown(gap), SW_OK;
    if (order == SW_POSITION_BEFORE) {
        struct sw_buffer first = {0};
        struct sw_binlog_file first_file = {0};
        gap->kind->print(&first, gap->first);
        size_t colon = first.len;
        while (colon > 0 && first.at[colon - 1] != ':')
            colon--;
        bool adjacent = colon && sw_binlog_file_parse(&first_file, first.at, colon - 1) && first_file.suffix == saved_file->suffix + 1;
        sw_continuity_decide(report, SW_GAP, &rule_purged, "the saved position %s lies before the oldest one that is left, %s", saved, sw_gap_name(bound, gap, gap->first));
        sw_gap_interval(gap, gap->saved, gap->first)->possible = adjacent;
        if (adjacent)
            sw_sentences_add(&report->limits, "if the saved offset was the end of its file there is no gap: the next file is the first that is left; the length of the purged file is not known any more");
        report->failed |= first.failed;
        sw_buffer_free(&first);
        follow_gap(gap);
        return SW_OK;
    }
    sw_continuity_decide(report, SW_CONTINUOUS, &rule_listed, listed ? "the saved file is listed with all that follow it, and is long enough for %s" : "the saved position %s lies within what the server can serve", saved);
    if (!gap->last)
        sw_sentences_add(&report->conditions, "the log reaches at least to the saved position and was not reset%s", sw_gap_says(gap, ": give --last, or SHOW BINARY LOGS with --show", ""));
    else if (!listed)
        sw_sentences_add(&report->limits, "that every file between the first and the last is there rests on the bounds as given; SHOW BINARY LOGS would show it");
    sw_sentences_add(&report->obligations, "resume at the saved position; events after its last commit are sent again, so expect repeated deliveries");
    return SW_OK;
}

static enum sw_code decide(struct sw_gap_case *gap)
{
    struct log_file *files;
    size_t count;
    struct sw_buffer text = {0};
    struct sw_binlog_file saved = {0};
    uint64_t offset = 0;
    enum sw_code code = read_files(&files, &count, gap);
    gap->kind->print(&text, gap->saved);
    size_t colon = text.len;
    while (colon > 0 && text.at[colon - 1] != ':')
        colon--;
    if (code >= 0 && (text.failed || !colon || !sw_binlog_file_parse(&saved, text.at, colon - 1) || !sw_scan_whole_u64(sw_bytes_of(text.at + colon, text.len - colon), &offset)))
        code = sw_fail_memory(gap->error, "a position", text.len);
    if (code >= 0) {
        bool same_base = count && sw_bytes_equal(saved.base, files[0].file.base);
        enum sw_position_order order;
        if (gap->first && !sw_gap_compared(gap, &order, gap->saved, gap->first))
            follow_unknown(gap);
        else if (!same_base || !decide_by_list(gap, &saved, offset, files, count))
            code = decide_by_bounds(gap, &saved, same_base);
    }
    sw_free(files);
    sw_buffer_free(&text);
    return code;
}

const struct sw_gap_judge sw_gap_mysql = {&sw_kind_mysql, gather, decide};

/* Every allocation and every I/O call of a whole reconciliation fails once, and from then on. Each time the run either says so and leaves nothing
 * behind, or did not need what failed and gives the very bytes it gives otherwise. Needs the option `faults`. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

#include "base/buffer.h"
#include "base/file_io.h"
#include "base/memory.h"
#include "slackwater/reconcile.h"
#include "slackwater/report.h"

#include "../unit/avro_files.h"

#define OUTPUTS 5

static const char *const output_names[OUTPUTS] = {"out/report.json", "out/differences.ndjson", "out/states.ndjson", "out/quarantine.ndjson", "out/saved.ndjson"};
static struct sw_buffer wanted[OUTPUTS];

static void write_file(const char *name, const void *at, size_t len)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(fd >= 0);
    for (size_t done = 0; done < len;) {
        ssize_t put = write(fd, (const uint8_t *)at + done, len - done);
        assert_true(put > 0);
        done += (size_t)put;
    }
    assert_int_equal(close(fd), 0);
}

static void write_text(const char *name, const char *text) { write_file(name, text, strlen(text)); }

static void write_gzip(const char *name, const char *text)
{
    gzFile file = gzopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(gzwrite(file, text, (unsigned)strlen(text)), (int)strlen(text));
    assert_int_equal(gzclose(file), Z_OK);
}

static void read_file(struct sw_buffer *out, const char *name)
{
    int fd = open(name, O_RDONLY);
    ssize_t got = 1;
    out->len = 0;
    assert_true(fd >= 0);
    while (got > 0) {
        assert_true(sw_buffer_reserve(out, 1 << 16));
        got = read(fd, out->at + out->len, 1 << 16);
        assert_true(got >= 0);
        out->len += (size_t)got;
    }
    close(fd);
}

static unsigned files_in(const char *folder, bool remove_them)
{
    DIR *directory = opendir(folder);
    unsigned count = 0;
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            count++;
            if (remove_them)
                assert_int_equal(unlinkat(dirfd(directory), entry->d_name, 0), 0);
        }
    closedir(directory);
    return count;
}

/* An empty working directory with in/, out/ and tmp/. */
static int make_place(void **state)
{
    static char path[64];
    strcpy(path, "/tmp/slackwater-faults-XXXXXX");
    assert_non_null(mkdtemp(path));
    assert_int_equal(chdir(path), 0);
    assert_int_equal(mkdir("in", 0700) | mkdir("out", 0700) | mkdir("tmp", 0700), 0);
    *state = path;
    return 0;
}

static int remove_place(void **state)
{
    files_in("in", true);
    files_in("out", true);
    files_in("tmp", true);
    for (int i = 0; i < OUTPUTS; i++)
        sw_buffer_free(&wanted[i]);
    return rmdir("in") | rmdir("out") | rmdir("tmp") | chdir("/tmp") | rmdir(*state);
}

/* What is reconciled: the options, but for the inputs and outputs that all have. */
static void common(struct sw_reconcile_options *options)
{
    sw_reconcile_options_init(options);
    options->threads = 1; /* the n-th call must be the same one each time */
    options->seed = 1;
    options->memory_bytes = (uint64_t)16 << 20;
    options->temporary_directory = "tmp";
    options->report_file = output_names[0];
    options->differences_file = output_names[1];
    options->states_file = output_names[2];
    options->quarantine_file = output_names[3];
}

/* The times in a report, and in the first line of a saved state, are those of the run. */
static void blank_times(struct sw_buffer *report)
{
    static const char *const members[] = {"\"started\"", "\"reached\"", "\"seconds\"", "\"reachedAt\"", "\"startedAt\"", "\"savedAt\"", "\"memoryPeak\"", "\"spilledBytes\"",
                                          "\"at\"", "\"afterSeconds\"", "\"seenSeconds\""};
    for (size_t m = 0; m < sizeof members / sizeof *members; m++)
        for (uint8_t *at = report->at; (at = memmem(at, (size_t)(report->at + report->len - at), members[m], strlen(members[m]))) != NULL;) {
            at += strlen(members[m]);
            uint8_t *end = memchr(at, '\n', (size_t)(report->at + report->len - at));
            uint8_t *comma = memchr(at, ',', (size_t)(report->at + report->len - at));
            end = comma && (!end || comma < end) ? comma : end;
            size_t rest = (size_t)(report->at + report->len - end);
            memmove(at, end, rest);
            report->len = (size_t)(at - report->at) + rest;
        }
}

static enum sw_code run(const struct sw_reconcile_options *options, struct sw_error *error)
{
    struct sw_report *report = NULL;
    enum sw_code code = sw_reconcile(&report, options, error);
    assert_true((code == SW_OK) == (report != NULL));
    sw_report_free(&report);
    return code;
}

static void run_without_fault(const struct sw_reconcile_options *options)
{
    struct sw_error error = {0};
    enum sw_code code = run(options, &error);
    if (code != SW_OK)
        print_message("# %s\n", error.text);
    assert_int_equal(code, SW_OK);
}

static const char *path_of(const struct sw_reconcile_options *options, int output)
{
    const char *paths[OUTPUTS] = {options->report_file, options->differences_file, options->states_file, options->quarantine_file, options->save_state_file};
    return paths[output];
}

static void compare_outputs(const struct sw_reconcile_options *options)
{
    unsigned count = 0;
    struct sw_buffer now = {0};
    for (int i = 0; i < OUTPUTS; i++)
        if (path_of(options, i)) {
            count++;
            read_file(&now, path_of(options, i));
            if (i == 0 || i == 4 || (i == 1 && options->recheck))
                blank_times(&now);
            size_t same = 0;
            while (same < now.len && same < wanted[i].len && now.at[same] == wanted[i].at[same])
                same++;
            if (same < now.len || same < wanted[i].len) {
                int before = same < 60 ? (int)same : 60;
                print_message("# %s, from byte %zu: expected\n%.*s\n# found\n%.*s\n", path_of(options, i), same, (int)(wanted[i].len - same < 200 ? wanted[i].len - same : 200) + before,
                              (char *)wanted[i].at + same - before, (int)(now.len - same < 200 ? now.len - same : 200) + before, (char *)now.at + same - before);
            }
            assert_true(sw_bytes_equal(sw_buffer_view(&now), sw_buffer_view(&wanted[i])));
        }
    sw_buffer_free(&now);
    assert_int_equal(files_in("out", true), count);
}

static void learn_outputs(const struct sw_reconcile_options *options)
{
    run_without_fault(options);
    for (int i = 0; i < OUTPUTS; i++)
        if (path_of(options, i)) {
            read_file(&wanted[i], path_of(options, i));
            if (i == 0 || i == 4 || (i == 1 && options->recheck))
                blank_times(&wanted[i]);
            assert_true(wanted[i].len > 0);
        }
    assert_int_equal(files_in("out", true), options->save_state_file ? 5 : 4);
}

/* An allocation is told as one, a failed call with its errno; each says what it concerns. */
static void check_failure(enum sw_code code, const struct sw_error *error, int sys_errno, uint64_t nth)
{
    bool told = code == error->code && strlen(error->text) > 20 && (sys_errno ? code == SW_ERR_IO && error->sys_errno == sys_errno : code == SW_ERR_MEMORY);
    if (!told)
        print_message("# call %llu: %s: %s\n", (unsigned long long)nth, sw_code_name(code), error->text);
    assert_true(told);
    unsigned left = files_in("out", false);
    if (left)
        print_message("# call %llu left %u files: %s\n", (unsigned long long)nth, left, error->text);
    assert_int_equal(left, 0);
    assert_int_equal(files_in("tmp", false), 0);
}

/* `sys_errno` 0: allocations; else I/O calls. `stride`: of the calls after the first forty, every so manieth. */
static void fail_each(const struct sw_reconcile_options *options, int sys_errno, bool sticky, uint64_t stride)
{
    uint64_t failures = 0, unharmed = 0;
    for (uint64_t nth = 1;; nth += nth > 40 ? stride : 1) {
        struct sw_error error = {0};
        uint64_t before = sys_errno ? sw_io_calls() : sw_memory_calls();
        if (sys_errno)
            sw_io_fail_at(nth, sys_errno, sticky);
        else
            sw_memory_fail_at(nth, sticky);
        enum sw_code code = run(options, &error);
        uint64_t calls = (sys_errno ? sw_io_calls() : sw_memory_calls()) - before;
        sw_io_fail_at(0, 0, false);
        sw_memory_fail_at(0, false);
        if (code != SW_OK) {
            check_failure(code, &error, sys_errno, nth);
            failures++;
            continue;
        }
        if (calls >= nth && getenv("SW_FAULTS_SHOW"))
            print_message("# no harm: %llu\n", (unsigned long long)nth);
        compare_outputs(options);
        if (calls < nth)
            break;
        unharmed++;
    }
    print_message("# %s %s: %llu calls failed the run, %llu did no harm\n", sys_errno ? strerror(sys_errno) : "allocation", sticky ? "from then on" : "once",
                  (unsigned long long)failures, (unsigned long long)unharmed);
    assert_true(failures > 30);
    assert_true(unharmed * 3 < failures);
}

static void fail_all(const struct sw_reconcile_options *options, uint64_t stride)
{
    learn_outputs(options);
    for (int sticky = 0; sticky < 2; sticky++) {
        fail_each(options, 0, sticky, stride);
        if (stride == 1 || !sticky)
            fail_each(options, EIO, sticky, stride);
        if (stride == 1 || sticky)
            fail_each(options, ENOSPC, sticky, stride);
    }
    sw_io_chop(1000);
    run_without_fault(options);
    sw_io_chop(0);
    compare_outputs(options);
}

/* Rows and events as the lab writes them: conflicts, reused identities, duplicates, deletes, tables of columns, and bad records of each kind. */
static void plain_records_survive(void **state)
{
    (void)state;
    static const char *const baseline[] = {"in/baseline.ndjson.gz"}, *const events[] = {"in/events.ndjson", "in/events-2.json"}, *const expected[] = {"in/expected.ndjson"};
    write_gzip(baseline[0], "{\"key\":\"a\",\"version\":1,\"deleted\":false,\"value\":{\"n\":1,\"text\":\"one\",\"more\":{\"deep\":[1,{\"\\u0061\":2}]}}}\n"
                            "{\"key\":\"b\",\"version\":1,\"deleted\":false,\"value\":{\"n\":2,\"text\":\"two\"}}\n"
                            "{\"key\":\"c\",\"version\":1,\"deleted\":false,\"value\":\"scalar\"}\n"
                            "{\"key\":\"c\",\"version\":1,\"deleted\":false,\"value\":\"another\"}\n"
                            "{\"key\":\"\\u00e9\\n\",\"version\":7,\"deleted\":true,\"value\":null}\n");
    write_text(events[0], "{\"id\":\"e1\",\"key\":\"a\",\"version\":2,\"op\":\"upsert\",\"value\":{\"n\":10,\"text\":\"ten\",\"more\":null}}\n"
                          "{\"id\":\"e1\",\"key\":\"a\",\"version\":2,\"op\":\"upsert\",\"value\":{\"n\":10,\"text\":\"ten\",\"more\":null}}\n"
                          "{\"id\":\"e2\",\"key\":\"b\",\"version\":3,\"op\":\"delete\",\"value\":null}\n"
                          "{\"id\":\"e3\",\"key\":\"d\",\"version\":1,\"op\":\"upsert\",\"value\":{\"n\":4}}\n"
                          "{\"id\":\"e3\",\"key\":\"e\",\"version\":1,\"op\":\"upsert\",\"value\":{\"n\":5}}\n"
                                   "{\"id\":\"e4\",\"key\":\"f\",\"version\":5,\"op\":\"upsert\",\"value\":{\"n\":6}}\n"
                          "{\"id\":\"e5\",\"key\":\"f\",\"version\":5,\"op\":\"upsert\",\"value\":{\"n\":7}}\n"
                          "{\"id\":\"e6\",\"key\":\"g\",\"version\":-5,\"op\":\"upsert\",\"value\":{\"n\":7}}\n"
                          "{\"id\":\"e7\",\"key\":\"h\",\"version\":5,\"op\":\"\\u0078\",\"value\":{\"n\":7}}\n"
                          "{\"id\":\"e8\",\"version\":5,\"op\":\"upsert\",\"value\":{\"n\":7}}\n"
                          "{\"id\":\"e9\",\"key\":\"i\",\"version\":5,\"op\":\"upsert\",\"value\":{\"n\":7,\"n\":8}}\n"
                          "not json\n\n[1]\n{\"id\":\"cut\n");
    write_text(events[1], "[{\"id\":[1,\"x\"],\"key\":[\"j\",1],\"version\":18446744073709551615,\"op\":\"upsert\",\"value\":[1,2,{\"z\":1,\"y\":1e3}]},\n"
                          "{\"id\":{\"n\":1},\"key\":\"k\",\"version\":1,\"op\":\"up\\u0073ert\",\"value\":1.50}]\n");
    write_text(expected[0], "{\"key\":\"a\",\"version\":2,\"deleted\":false,\"value\":{\"n\":11,\"text\":\"ten\",\"more\":null}}\n"
                            "{\"key\":\"b\",\"version\":1,\"deleted\":false,\"value\":{\"n\":2,\"text\":\"two\"}}\n"
                            "{\"key\":\"d\",\"version\":1,\"deleted\":false,\"value\":{\"n\":4}}\n"
                            "{\"key\":\"x\",\"version\":1,\"deleted\":false,\"value\":{\"other\":4,\"n\":\"\\ud83d\\ude00\"}}\n"
                            "{\"key\":\"x\",\"version\":1,\"deleted\":false,\"value\":{\"other\":5,\"n\":1}}\n"
                            "{\"key\":[\"j\",1],\"version\":18446744073709551615,\"deleted\":false,\"value\":[1,2,{\"y\":1000,\"z\":1}]}\n");
    struct sw_reconcile_options options;
    common(&options);
    options.baseline = baseline, options.baseline_count = 1;
    options.events = events, options.event_count = 2;
    options.expected = expected, options.expected_count = 1;
    options.cut = "18446744073709551615";
    fail_all(&options, 1);
}

/* A first run over in/events.ndjson saves its state; then a second one that starts from it and saves again fails at each of its calls. `both` is what they have in common; a baseline
 * is the first one's. */
static void fail_run_from_saved(const struct sw_reconcile_options *both, const char *second_events)
{
    static const char *const saved[] = {"in/saved.ndjson"}, *const events[] = {"in/events.ndjson"}, *const expected[] = {"in/expected.ndjson"};
    struct sw_reconcile_options options = *both;
    options.events = events, options.event_count = 1;
    options.expected = expected, options.expected_count = 1;
    options.save_state_file = saved[0];
    options.quarantine_file = options.report_file = options.differences_file = options.states_file = NULL;
    run_without_fault(&options);
    write_text(events[0], second_events);
    options = *both;
    options.baseline = saved, options.baseline_count = 1;
    options.events = events, options.event_count = 1;
    options.expected = expected, options.expected_count = 1;
    options.save_state_file = output_names[4];
    fail_all(&options, 1);
}

/* What one run saves is the baseline of the next, which saves again. */
static void a_saved_state_survives(void **state)
{
    (void)state;
    static const char *const baseline[] = {"in/baseline.ndjson"};
    write_text(baseline[0], "{\"key\":\"a\",\"version\":1,\"deleted\":false,\"value\":{\"n\":1,\"text\":\"one\"}}\n{\"key\":\"b\",\"version\":1,\"deleted\":true,\"value\":null}\n");
    write_text("in/events.ndjson", "{\"id\":\"e1\",\"key\":\"a\",\"version\":2,\"op\":\"upsert\",\"value\":{\"n\":2,\"text\":\"two\"}}\n"
                                   "{\"id\":\"e2\",\"key\":\"c\",\"version\":2,\"op\":\"upsert\",\"value\":3}\n{\"id\":\"e2\",\"key\":\"d\",\"version\":2,\"op\":\"upsert\",\"value\":3}\n"
                                   "{\"id\":\"e4\",\"key\":\"f\",\"version\":5,\"op\":\"upsert\",\"value\":{\"n\":6}}\n{\"id\":\"e5\",\"key\":\"f\",\"version\":5,\"op\":\"upsert\",\"value\":{\"n\":7}}\n");
    write_text("in/expected.ndjson", "{\"key\":\"a\",\"version\":2,\"deleted\":false,\"value\":{\"n\":2,\"text\":\"two\"}}\n");
    struct sw_reconcile_options options;
    common(&options);
    options.baseline = baseline, options.baseline_count = 1;
    fail_run_from_saved(&options, "{\"id\":\"e6\",\"key\":\"a\",\"version\":3,\"op\":\"delete\",\"value\":null}\n{\"id\":\"e1\",\"key\":\"a\",\"version\":2,\"op\":\"upsert\",\"value\":{\"n\":2,\"text\":\"two\"}}\nbad\n");
}

/* Transactions that are open, ended elsewhere, numbered and counted; a truncate; images that are parts, and a row that changes its key without its columns. */
static void a_saved_state_of_transactions_survives(void **state)
{
    (void)state;
    write_text("in/map.yaml", "key: id\ntable: s.t\ntypes: {id: integer, v: text}\n");
#define ROW(action, xid, lsn, rest) "{\"action\":\"" action "\",\"xid\":" xid ",\"lsn\":\"0/" lsn "\",\"schema\":\"s\",\"table\":\"t\"" rest "}\n"
#define MARK(action, xid, lsn) "{\"action\":\"" action "\",\"xid\":" xid ",\"lsn\":\"0/" lsn "\"}\n"
#define COLUMN(name, value) "{\"name\":\"" name "\",\"value\":" value "}"
    write_text("in/events.ndjson", MARK("C", "9", "90") MARK("B", "1", "A0") ROW("I", "1", "A1", ",\"columns\":[" COLUMN("id", "1") "," COLUMN("v", "\"a\"") "]") ROW("T", "1", "A2", "")
                                   ROW("I", "1", "A3", ",\"columns\":[" COLUMN("id", "2") "," COLUMN("v", "\"b\"") "]") MARK("C", "1", "A4") MARK("B", "2", "B0")
                                   ROW("U", "2", "B1", ",\"columns\":[" COLUMN("id", "3") "],\"identity\":[" COLUMN("id", "2") "]") ROW("T", "2", "B2", ""));
    write_text("in/expected.ndjson", "{\"id\":2,\"v\":\"b\"}\n{\"id\":3,\"v\":\"c\"}\n");
    struct sw_reconcile_options options;
    common(&options);
    options.map_file = "in/map.yaml";
    options.order = "postgres";
    fail_run_from_saved(&options, ROW("I", "2", "B3", ",\"columns\":[" COLUMN("id", "4") "]") MARK("C", "2", "B4") MARK("B", "3", "C0") ROW("U", "3", "C1", ",\"columns\":[" COLUMN("id", "4") "]") "bad\n");
}

/* The events of transactions, numbered and counted, over two runs. */
static void a_saved_state_of_counted_transactions_survives(void **state)
{
    (void)state;
#define EVENT(lsn, id, number) "{\"op\":\"c\",\"source\":{\"lsn\":" lsn ",\"schema\":\"s\",\"table\":\"t\"},\"before\":null,\"after\":{\"id\":" lsn "},\"transaction\":{\"id\":\"" id "\",\"total_order\":" number ",\"data_collection_order\":" number "}}\n"
    write_text("in/map.yaml", "key: id\ntable: s.t\nformat: debezium\norder: {policy: postgres, lsn: source.lsn}\ntypes: {id: integer}\n");
    write_text("in/events.ndjson", "{\"status\":\"BEGIN\",\"id\":\"7\",\"event_count\":null,\"data_collections\":null}\n" EVENT("1", "7", "1") EVENT("2", "7", "2") EVENT("3", "8", "1"));
    write_text("in/expected.ndjson", "{\"id\":1}\n");
    struct sw_reconcile_options options;
    common(&options);
    options.map_file = "in/map.yaml";
    fail_run_from_saved(&options, EVENT("4", "7", "3") "{\"status\":\"END\",\"id\":\"7\",\"event_count\":4,\"data_collections\":[{\"data_collection\":\"s.t\",\"event_count\":4}]}\nbad\n");
}

/* Tables of SQLite: types and key from the catalogue, every storage class, a text that is no UTF-8, a query. */
static void tables_survive(void **state)
{
    (void)state;
#ifdef SW_WITH_SQLITE
    static const char *const baseline[] = {"sqlite:in/a.db#t"}, *const expected[] = {"sqlite:in/b.db"};
    static const char make[] = "for f in a b; do sqlite3 in/$f.db \"CREATE TABLE t (id INTEGER, part TEXT, n NUMERIC, f REAL, raw BLOB, at TIMESTAMP, any, PRIMARY KEY (part, id)); "
                               "INSERT INTO t VALUES (1, 'a', 1.5, 0.1, x'00ff', '2026-01-01 10:00:00', 7), (2, 'b', 'none', NULL, NULL, 'never', x'01'), (3, 'c', 3, 3, x'', NULL, CAST(x'ff' AS TEXT)), (4, 'd', 4, 4, NULL, NULL, 'text')\" || exit 1; done; "
                               "sqlite3 in/b.db \"UPDATE t SET n = 2 WHERE id = 1; DELETE FROM t WHERE id = 4\"";
    if (system(make) != 0)
        skip();
    struct sw_reconcile_options options;
    common(&options);
    options.baseline = baseline, options.baseline_count = 1;
    options.expected = expected, options.expected_count = 1;
    options.expected_query = "SELECT * FROM t WHERE id > 0";
    fail_all(&options, 1);
#else
    skip();
#endif
}

/* CSV with typed columns, two key columns, a mapping file and soft deletes against JSON. */
static void a_mapping_with_csv_survives(void **state)
{
    (void)state;
    static const char *const baseline[] = {"in/base.csv"}, *const events[] = {"in/events.ndjson"}, *const expected[] = {"in/dest.csv"};
    write_text("in/map.yaml", "key: [tenant, id]\nversion: seq\nidentity: event\nop: {path: kind, upsert: [put, u], delete: rm, ignore: ping}\n"
                              "types: {tenant: text, id: int64, amount: decimal, at: timestamptz(3), note: text, doc: json, on: boolean, raw: bytes, f: float64}\nignore: [loaded]\n"
                              "expected_deletes: flag:gone\nplaceholder: __same__\n");
    write_text(baseline[0], "tenant,id,seq,amount,at,note,doc,on,raw,f\n"
                            "t,1,1,1.10,2024-01-02T03:04:05Z,\"a \"\"quoted\"\"\nnote\",\"{\"\"b\"\":1,\"\"a\"\":[2]}\",t,00ff,1e3\n"
                            "t,2,1,7,2024-01-02T03:04:05Z,,,f,,\n"
                            "t,3,1,x,2024-01-02T03:04:05Z,,,f,,\nt,4\nt,5,\"1\n");
    write_text(events[0], "{\"event\":1,\"kind\":\"put\",\"seq\":2,\"tenant\":\"t\",\"id\":1,\"amount\":\"2.5\",\"at\":\"2024-02-02T03:04:05.1239+01:00\",\"note\":\"__same__\",\"doc\":{\"k\":[1]},\"on\":true,\"raw\":\"AP8=\",\"f\":1.5}\n"
                          "{\"event\":2,\"kind\":\"rm\",\"seq\":3,\"tenant\":\"t\",\"id\":2}\n{\"event\":3,\"kind\":\"ping\",\"seq\":1}\n{\"event\":4,\"kind\":\"put\",\"seq\":9,\"tenant\":\"t\",\"id\":99999999999999999999,\"amount\":1}\n");
    write_text(expected[0], "tenant,id,amount,at,note,doc,on,raw,f,gone,loaded\nt,1,2.50,2024-02-02T02:04:05.124Z,kept,\"{\"\"k\"\":[1]}\",1,00ff,1.5,false,now\n"
                            "t,2,7,2024-01-02T03:04:05Z,,,f,,,true,now\nt,3,7,2024-01-02T03:04:05Z,,,f,,,,now\nt,8,7,2024-01-02T03:04:05Z,,,f,,,maybe,now\n");
    struct sw_reconcile_options options;
    common(&options);
    options.map_file = "in/map.yaml";
    options.baseline = baseline, options.baseline_count = 1;
    options.events = events, options.event_count = 1;
    options.expected = expected, options.expected_count = 1;
    fail_all(&options, 1);
}

static void add_event(struct sw_buffer *out, const char *uuid, int64_t position, const char *change, int64_t id, const char *note)
{
    avro_text(out, sw_bytes_text(uuid));
    avro_text(out, SW_BYTES_LITERAL("mysql-cdc-binlog"));
    avro_text(out, SW_BYTES_LITERAL("paint"));
    avro_long(out, 1);
    avro_text(out, SW_BYTES_LITERAL("id"));
    avro_long(out, 0);
    avro_text(out, SW_BYTES_LITERAL("b.000001"));
    avro_long(out, position);
    avro_text(out, sw_bytes_text(change));
    avro_long(out, id);
    avro_text(out, SW_BYTES_LITERAL("\x02"));
    avro_text(out, sw_bytes_text(note));
}

/* Datastream's events in an Avro file, packed; the key is the one that they name, the types are those of the file's schema. */
static void an_avro_file_of_events_survives(void **state)
{
    (void)state;
    static const char schema[] = "{\"type\":\"record\",\"name\":\"shop_paint\",\"fields\":[{\"name\":\"uuid\",\"type\":\"string\"},{\"name\":\"read_method\",\"type\":\"string\"},"
                                 "{\"name\":\"source_metadata\",\"type\":{\"type\":\"record\",\"name\":\"source_metadata\",\"fields\":[{\"name\":\"table\",\"type\":\"string\"},"
                                 "{\"name\":\"primary_keys\",\"type\":{\"type\":\"array\",\"items\":\"string\"}},{\"name\":\"log_file\",\"type\":\"string\"},{\"name\":\"log_position\",\"type\":\"long\"},"
                                 "{\"name\":\"change_type\",\"type\":\"string\"}]}},{\"name\":\"payload\",\"type\":{\"type\":\"record\",\"name\":\"payload\",\"fields\":[{\"name\":\"id\",\"type\":\"long\"},"
                                 "{\"name\":\"price\",\"type\":{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":9,\"scale\":1}},{\"name\":\"note\",\"type\":\"string\"}]}}]}";
    static const char *const events[] = {"in/events.avro"}, *const expected[] = {"in/expected.ndjson"};
    struct sw_buffer data = {0}, file = {0};
    add_event(&data, "u1", 10, "INSERT", 1, "red");
    add_event(&data, "u2", 20, "UPDATE-DELETE", 1, "red");
    add_event(&data, "u3", 20, "UPDATE-INSERT", 2, "red");
    add_event(&data, "u4", 30, "MERGE", 3, "what is this?");
    add_event(&data, "u5", 40, "INSERT", 4, "no \xff UTF-8");
    uint8_t packed[2000];
    z_stream stream = {.next_in = data.at, .avail_in = (uInt)data.len, .next_out = packed, .avail_out = sizeof packed};
    assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    assert_int_equal(deflateEnd(&stream), Z_OK);
    avro_header(&file, schema, "deflate");
    avro_block(&file, 5, sw_bytes_of(packed, stream.total_out));
    write_file(events[0], file.at, file.len);
    write_text(expected[0], "{\"id\":2,\"price\":\"0.20\",\"note\":\"red\"}\n{\"id\":3,\"price\":0.2,\"note\":\"\"}\n{\"id\":9,\"price\":0.2,\"note\":\"\"}\n");
    sw_buffer_free(&data);
    sw_buffer_free(&file);
    struct sw_reconcile_options options;
    common(&options);
    options.events = events, options.event_count = 1;
    options.expected = expected, options.expected_count = 1;
    options.order = "mysql";
    fail_all(&options, 1);
}

/* One key has so many and so long versions that its partition is spilled, split and sorted outside of memory; findings are long as well. */
static void spilled_partitions_survive(void **state)
{
    (void)state;
    static const char *const baseline[] = {"in/baseline.ndjson"}, *const events[] = {"in/events.ndjson"}, *const expected[] = {"in/expected.ndjson"};
    struct sw_buffer text = {0};
    static char filler[600001];
    memset(filler, 'x', sizeof filler - 1);
    for (unsigned i = 0; i < 5200; i++)
        sw_buffer_printf(&text, "{\"id\":%u,\"key\":\"hot\",\"version\":%u,\"op\":\"upsert\",\"value\":\"%.*s%u\"}\n", i, i / 2, 1800, filler, i);
    for (unsigned i = 0; i < 8; i++)
        sw_buffer_printf(&text, "{\"id\":\"l%u\",\"key\":\"long%u\",\"version\":%u,\"op\":\"upsert\",\"value\":\"%s\"}\n", i, i / 4, i, filler);
    write_file(events[0], text.at, text.len);
    sw_buffer_free(&text);
    write_text(baseline[0], "{\"key\":\"hot\",\"version\":0,\"deleted\":false,\"value\":\"x\"}\nbad\n");
    write_text(expected[0], "{\"key\":\"hot\",\"version\":2,\"deleted\":false,\"value\":\"x\"}\n{\"key\":\"long1\",\"version\":2,\"deleted\":false,\"value\":\"x\"}\n");
    struct sw_reconcile_options options;
    common(&options);
    options.baseline = baseline, options.baseline_count = 1;
    options.events = events, options.event_count = 1;
    options.expected = expected, options.expected_count = 1;
    options.digest = "none";
    fail_all(&options, 37); /* thousands of calls are alike */
}

/* Keys that are read again: a run inside the run, with lists of its own. */
static void a_recheck_survives(void **state)
{
    (void)state;
#ifdef SW_WITH_SQLITE
    static const char *const baseline[] = {"sqlite:in/a.db#t"}, *const expected[] = {"sqlite:in/b.db#t"};
    static const char make[] = "for f in a b; do sqlite3 in/$f.db \"CREATE TABLE t (id INTEGER, part TEXT, n NUMERIC, PRIMARY KEY (part, id)); "
                               "INSERT INTO t VALUES (1, 'x', 1), (2, 'y', 2), (3, 'y', CAST(x'ff' AS TEXT)), (4, 'z', 4)\" || exit 1; done; sqlite3 in/b.db \"UPDATE t SET n = 9 WHERE id = 2; DELETE FROM t WHERE id = 4\"";
    if (system(make) != 0)
        skip();
    struct sw_reconcile_options options;
    common(&options);
    options.baseline = baseline;
    options.baseline_count = 1;
    options.expected = expected;
    options.expected_count = 1;
    options.recheck = "0,2";
    learn_outputs(&options);
    fail_each(&options, 0, false, 1);
    fail_each(&options, 0, true, 1);
    fail_each(&options, ENOSPC, true, 1);
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(plain_records_survive, make_place, remove_place),
        cmocka_unit_test_setup_teardown(a_saved_state_survives, make_place, remove_place),
        cmocka_unit_test_setup_teardown(a_saved_state_of_transactions_survives, make_place, remove_place),
        cmocka_unit_test_setup_teardown(a_saved_state_of_counted_transactions_survives, make_place, remove_place),
        cmocka_unit_test_setup_teardown(a_mapping_with_csv_survives, make_place, remove_place),
        cmocka_unit_test_setup_teardown(an_avro_file_of_events_survives, make_place, remove_place),
        cmocka_unit_test_setup_teardown(spilled_partitions_survive, make_place, remove_place),
        cmocka_unit_test_setup_teardown(tables_survive, make_place, remove_place),
        cmocka_unit_test_setup_teardown(a_recheck_survives, make_place, remove_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Built with the option `faults` only. Every call on a case is repeated with its first, second, third … allocation or system call failing, until
 * none fails any more: each failure is reported as what it is, or changed nothing of the answer, and the ledger is as before or has all of the new lines. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "base/file_io.h"
#include "base/memory.h"
#include "case/folder.h"
#include "slackwater/case.h"

static char folder[] = "/tmp/slackwater-case-faults-XXXXXX";
static char path[256], report[256], mapping[256];

static const char report_text[] =
    "{\"schema\":\"slackwater.report/1\",\"tool\":{\"name\":\"slackwater\",\"version\":\"0.1.0\"},\"headline\":{\"word\":\"EQUAL\",\"sentence\":\"all\"},\"exitStatus\":0,\"cut\":\"binlog.000042:9\","
    "\"verdicts\":{\"currentState\":{\"verdict\":\"confirmed\",\"reasons\":[\"all \\u00e9qual\"],\"reachedAt\":\"2031-02-03T10:00:00Z\"},\"history\":{\"verdict\":\"unproven\",\"reasons\":[\"none\"],"
    "\"reachedAt\":\"2031-02-03T10:00:00Z\"}},\"order\":{\"policy\":\"mysql\"},\"inputs\":[{\"role\":\"events\",\"locator\":\"e\",\"sha256\":null}],\"counts\":{\"keys\":1,\"equal\":1,\"different\":0,"
    "\"conflictKeys\":0,\"undecidedKeys\":0,\"badRecords\":0},\"tables\":[{\"table\":\"t\",\"keys\":1,\"equal\":1}],\"columnsAbsent\":[],\"differences\":[],\"undecided\":[],\"limits\":[\"a limit\"]}\n";

static const char declared[] =
    "title: a title\nboundaries:\n  source: {kind: mysql, position: \"binlog.000050:9\", evidence: [1], observed-at: 2031-02-03T05:00:00Z}\n"
    "  pipeline: {kind: mysql, position: \"binlog.000042:9\", evidence: [1], observed-at: 2031-02-03T05:00:00Z}\nrestart: {position: \"binlog.000044:9\"}\n"
    "affected: {objects: [t]}\nexceptions:\n  - {what: a, reason: b, approved-by: c}\nskipped-intervals:\n  - {from: a, plan: b, owner: c}\n";

static void write_text(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static int gather(const void *bytes, size_t len, void *ctx)
{
    FILE *out = ctx;
    return fwrite(bytes, 1, len, out) == len ? 0 : EIO;
}

struct answer { char *text; size_t len; };

typedef enum sw_code (*call_fn)(FILE *out, struct sw_error *error);

static enum sw_code call_check(FILE *out, struct sw_error *error)
{
    int status;
    return sw_case_check(&status, path, "2031-02-03T12:00:00Z", SW_CASE_JSON, SW_CASE_LIST_ALL, gather, out, error);
}

static enum sw_code call_status(FILE *out, struct sw_error *error) { return sw_case_status(path, "2031-02-03T12:00:00Z", SW_CASE_TEXT, gather, out, error); }

static enum sw_code call_note(FILE *out, enum sw_note_format format, struct sw_error *error)
{
    const struct sw_handover_options options = {.struct_size = sizeof options, .format = format, .now = "2031-02-03T12:00:00Z", .leave_as_is = true};
    return sw_case_handover(path, &options, gather, out, error);
}

static enum sw_code call_markdown(FILE *out, struct sw_error *error) { return call_note(out, SW_NOTE_MARKDOWN, error); }
static enum sw_code call_json(FILE *out, struct sw_error *error) { return call_note(out, SW_NOTE_JSON, error); }

static enum sw_code call_verify(FILE *out, struct sw_error *error)
{
    int status;
    const struct sw_verify_options options = {.struct_size = sizeof options};
    return sw_case_verify(&status, path, &options, SW_CASE_TEXT, gather, out, error);
}

static struct answer run(enum sw_code *code, call_fn call, struct sw_error *error)
{
    struct answer answer = {0};
    FILE *out = open_memstream(&answer.text, &answer.len);
    assert_non_null(out);
    *error = (struct sw_error){0};
    *code = call(out, error);
    fclose(out);
    return answer;
}

/* Failures in the first `kinds` of four ways (an allocation once, from then on; a system call once, from then on): the call says so, or its answer is
 * the one that it always gives. */
static void check_reading(call_fn call, unsigned kinds)
{
    struct sw_error error;
    enum sw_code code;
    struct answer right = run(&code, call, &error);
    if (code != SW_OK)
        fail_msg("%s", error.text);
    for (unsigned kind = 0; kind < kinds; kind++) {
        bool sticky = kind & 1, memory = kind < 2;
        unsigned refused = 0;
        for (uint64_t nth = 1;; nth++) {
            uint64_t before = memory ? sw_memory_calls() : sw_io_calls();
            if (memory)
                sw_memory_fail_at(nth, sticky);
            else
                sw_io_fail_at(nth, EIO, sticky);
            struct answer answer = run(&code, call, &error);
            sw_memory_fail_at(0, false);
            sw_io_fail_at(0, 0, false);
            bool reached = (memory ? sw_memory_calls() : sw_io_calls()) - before >= nth;
            if (code == SW_OK) {
                if (answer.len != right.len || memcmp(answer.text, right.text, right.len) != 0)
                    fail_msg("%s %u failed, and the answer is another one:\n%.*s", memory ? "allocation" : "system call", (unsigned)nth, (int)answer.len, answer.text);
            } else if (code != (memory ? SW_ERR_MEMORY : SW_ERR_IO)) {
                fail_msg("%s %u failed, and the call gave %s: %s", memory ? "allocation" : "system call", (unsigned)nth, sw_code_name(code), error.text);
            }
            refused += code != SW_OK;
            free(answer.text);
            if (!reached) {
                assert_int_equal(code, SW_OK);
                break;
            }
        }
        assert_true(refused > 0);
    }
    free(right.text);
}

static void a_check_survives_every_failure(void **state) { (void)state; check_reading(call_check, 1); }
static void a_status_survives_every_failure(void **state) { (void)state; check_reading(call_status, 1); }
static void a_markdown_note_survives_every_failure(void **state) { (void)state; check_reading(call_markdown, 1); }
static void a_json_note_survives_every_failure(void **state) { (void)state; check_reading(call_json, 4); }
static void a_verification_survives_every_failure(void **state) { (void)state; check_reading(call_verify, 4); }

/* The number of entries; fails if the ledger does not fit together, or names a piece that is not there. */
static size_t entries(void)
{
    struct sw_case *opened;
    struct sw_error error = {0};
    if (sw_case_open(&opened, path, NULL, false, NULL, &error) != SW_OK)
        fail_msg("%s", error.text);
    size_t count = opened->ledger.count;
    for (size_t i = 0; i < count; i++) {
        const struct sw_ledger_entry *entry = &opened->ledger.entries[i];
        char name[PATH_MAX], hex[SW_DIGEST_HEX_SIZE];
        uint64_t bytes;
        snprintf(name, sizeof name, "%s/%.*s", path, (int)entry->name.len, (const char *)entry->name.at);
        if (sw_case_digest_file(hex, &bytes, name, &error) != SW_OK || !sw_bytes_is(entry->sha256, hex))
            fail_msg("entry %u has no piece of its digest: %s", (unsigned)i + 1, error.text);
    }
    sw_case_close(&opened);
    return count;
}

/* The files in evidence/ but that of the first add; with `remove` they are taken away. */
static size_t later_pieces(bool remove)
{
    char name[300];
    size_t count = 0;
    snprintf(name, sizeof name, "%s/evidence", path);
    DIR *pieces = opendir(name);
    assert_non_null(pieces);
    for (const struct dirent *entry; (entry = readdir(pieces)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 || strncmp(entry->d_name, "0001-", 5) == 0)
            continue;
        count++;
        if (remove)
            assert_int_equal(unlinkat(dirfd(pieces), entry->d_name, 0), 0);
    }
    closedir(pieces);
    return count;
}

/* What the new lines say, but for times and the chain. Static room, one at a time. */
static const char *new_lines(size_t from)
{
    static char text[16384];
    struct sw_case *opened;
    struct sw_error error = {0};
    size_t len = 0;
    assert_int_equal(sw_case_open(&opened, path, NULL, false, NULL, &error), SW_OK);
    for (size_t i = from; i < opened->ledger.count; i++) {
        const struct sw_ledger_entry *entry = &opened->ledger.entries[i];
        const struct sw_bytes texts[] = {entry->kind, entry->title, entry->by, entry->name, entry->sha256, entry->tool, entry->command, entry->directory, entry->says, entry->role, entry->locator};
        for (size_t j = 0; j < sizeof texts / sizeof texts[0]; j++)
            len += (size_t)snprintf(text + len, sizeof text - len, "%.*s|", (int)texts[j].len, texts[j].len ? (const char *)texts[j].at : "");
        len += (size_t)snprintf(text + len, sizeof text - len, "%llu %zu %d\n", (unsigned long long)entry->of, entry->arguments.count, entry->blotted);
        assert_true(len < sizeof text);
    }
    sw_case_close(&opened);
    return text;
}

static char first_ledger[8192];

/* The case as it was after the first add. */
static void restore(void)
{
    char name[300];
    snprintf(name, sizeof name, "%s/ledger.ndjson", path);
    if (!first_ledger[0]) {
        FILE *file = fopen(name, "r");
        assert_non_null(file);
        size_t len = fread(first_ledger, 1, sizeof first_ledger - 1, file);
        assert_true(len > 0 && feof(file));
        fclose(file);
    }
    write_text(name, first_ledger);
    later_pieces(true);
}

static void an_add_leaves_all_or_nothing(void **state)
{
    (void)state;
    char option[300];
    snprintf(option, sizeof option, "--map=%s", mapping);
    const char *const arguments[] = {"slackwater", "reconcile", option, "postgresql://a:b@c/d"};
    const struct sw_case_piece piece = {.struct_size = sizeof piece, .path = report, .title = "a title", .by = "Ana", .arguments = arguments, .argument_count = 4, .directory = "/tmp"};
    char right[16384];
    struct sw_error wrong = {0};
    restore();
    assert_int_equal(sw_case_add(NULL, path, &piece, &wrong), SW_OK);
    snprintf(right, sizeof right, "%s", new_lines(1));
    for (unsigned kind = 0; kind < 4; kind++) {
        bool sticky = kind & 1, memory = kind < 2;
        unsigned refused = 0;
        for (uint64_t nth = 1;; nth++) {
            struct sw_error error = {0};
            restore(); /* so that the calls of an add do not grow with each that succeeds */
            size_t before = entries();
            uint64_t calls = memory ? sw_memory_calls() : sw_io_calls();
            if (memory)
                sw_memory_fail_at(nth, sticky);
            else
                sw_io_fail_at(nth, ENOSPC, sticky);
            enum sw_code code = sw_case_add(NULL, path, &piece, &error);
            sw_memory_fail_at(0, false);
            sw_io_fail_at(0, 0, false);
            bool reached = (memory ? sw_memory_calls() : sw_io_calls()) - calls >= nth;
            if (code != SW_OK && code != (memory ? SW_ERR_MEMORY : SW_ERR_IO))
                fail_msg("%s %u failed, and the call gave %s: %s", memory ? "allocation" : "system call", (unsigned)nth, sw_code_name(code), error.text);
            size_t after = entries();
            assert_true(after == before || after == before + 2); /* the report and its mapping */
            assert_true(code != SW_OK || after == before + 2);
            assert_int_equal(later_pieces(false), after - before); /* nothing that failed stays behind, nothing that is named is gone */
            if (after == before + 2 && strcmp(new_lines(before), right) != 0)
                fail_msg("%s %u failed, and what was added is\n%sinstead of\n%s", memory ? "allocation" : "system call", (unsigned)nth, new_lines(before), right);
            refused += code != SW_OK;
            if (!reached) {
                assert_int_equal(code, SW_OK);
                break;
            }
        }
        assert_true(refused > 0);
    }
}

static int make(void **state)
{
    (void)state;
    struct sw_error error = {0};
    char name[300];
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/case", folder);
    snprintf(report, sizeof report, "%s/report.json", folder);
    snprintf(mapping, sizeof mapping, "%s/map.yaml", folder);
    write_text(report, report_text);
    write_text(mapping, "key: [id]\n");
    if (sw_case_init(path, "a title", &error) != SW_OK)
        return -1;
    snprintf(name, sizeof name, "%s/case.yaml", path);
    write_text(name, declared);
    const struct sw_case_piece piece = {.struct_size = sizeof piece, .path = report};
    return sw_case_add(NULL, path, &piece, &error) == SW_OK ? 0 : -1;
}

static int clean(void **state)
{
    (void)state;
    char command[400];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_check_survives_every_failure),
        cmocka_unit_test(a_status_survives_every_failure),
        cmocka_unit_test(a_markdown_note_survives_every_failure),
        cmocka_unit_test(a_json_note_survives_every_failure),
        cmocka_unit_test(a_verification_survives_every_failure),
        cmocka_unit_test(an_add_leaves_all_or_nothing),
    };
    return cmocka_run_group_tests(tests, make, clean);
}

/* Reports by name: each a situation that somebody reads at night. */
#include <stdlib.h>
#include <string.h>

#include "report_sample.h"

#define ROW(...) (const struct sample_column[]){__VA_ARGS__, {0}}
#define NAMES(...) (const char *const[]){__VA_ARGS__}

static void equal(struct sample *s)
{
    sample_open(s, "");
    s->report.classes[SW_CLASS_EQUAL] = 5000000;
    s->report.compare = SW_COMPARE_STATE;
    s->report.deletes = SW_DELETES_TOMBSTONE;
    s->report.report_file = sample_text(s, "/var/tmp/case-17/report.json");
    s->mapping.cut = sample_text(s, "41900");
}

static void different(struct sample *s)
{
    sample_open(s, "");
    s->report.classes[SW_CLASS_EQUAL] = 1;
    s->report.compare = SW_COMPARE_STATE;
    s->report.deletes = SW_DELETES_TOMBSTONE;
    s->report.differences_file = sample_text(s, "/var/tmp/case-17/differences.ndjson");
    struct sw_finding *f = sample_add(s, (struct sw_finding){
        .key = sample_key(s, "\"A\""), .reason = SW_REASON_STATE_MISMATCH,
        .state = sample_row_at(s, 6, ROW({"amount", "120"}, {"currency", "\"EUR\""}, {"note", "\"late\""}, {"status", "\"paid\""}, {"zone", "3"})),
        .expected = sample_row_at(s, 6, ROW({"amount", "80"}, {"currency", "\"EUR\""}, {"note", "null"}, {"status", "\"paid\""}, {"zone", "3"})),
        .differing = sample_columns(s, NAMES("amount", "note"), 2), .differing_count = 2});
    sample_places(s, f, 3, 1);
    f = sample_add(s, (struct sw_finding){
        .key = sample_key(s, "\"B\""), .reason = SW_REASON_MISSING_STATE, .cause = SW_CAUSE_DELETED, .cause_version = sample_version(s, 7),
        .state = sample_tombstone(s, 7), .expected = sample_row_at(s, 6, ROW({"amount", "55"}, {"currency", "\"EUR\""}))});
    sample_places(s, f, 4, 2);
    f = sample_add(s, (struct sw_finding){.key = sample_key(s, "\"C\""), .reason = SW_REASON_UNEXPECTED_STATE, .state = sample_row_at(s, 1, ROW({"amount", "70"}, {"currency", "\"USD\""}))});
    sample_places(s, f, 2, 0);
    f = sample_add(s, (struct sw_finding){.key = sample_key(s, "\"D\""), .reason = SW_REASON_MISSING_STATE, .cause = SW_CAUSE_NEVER_SEEN, .expected = sample_row_at(s, 9, ROW({"amount", "1"}))});
    sample_places(s, f, 0, 4);
    f = sample_add(s, (struct sw_finding){.key = sample_key(s, "\"E\""), .reason = SW_REASON_STATE_MISMATCH, .cause = SW_CAUSE_VERSION_ONLY,
        .state = sample_row_at(s, 18446744073709551615u, ROW({"amount", "30"})), .expected = sample_row_at(s, 5, ROW({"amount", "30"}))});
    sample_places(s, f, 5, 5);
    f = sample_add(s, (struct sw_finding){.key = sample_key(s, "\"F\""), .reason = SW_REASON_STATE_MISMATCH, .cause = SW_CAUSE_FLAG_DIFFERS, .cause_version = sample_version(s, 8),
        .state = sample_tombstone(s, 8), .expected = sample_row_at(s, 8, ROW({"amount", "30"}))});
    sample_places(s, f, 6, 6);
    f = sample_add(s, (struct sw_finding){.key = sample_key(s, "\"G\""), .reason = SW_REASON_UNEXPECTED_STATE, .cause = SW_CAUSE_FLAGGED, .state = sample_row_at(s, 2, ROW({"amount", "4"})),
        .expected = {.present = true, .deleted = true}});
    sample_places(s, f, 7, 7);
}

static void conflict(struct sample *s)
{
    sample_open(s, "");
    s->report.classes[SW_CLASS_EQUAL] = 2;
    s->report.reused_identities = 1;
    struct sw_finding *f = sample_add(s, (struct sw_finding){
        .key = sample_key(s, "1"), .reason = SW_REASON_CONFLICTING_VERSION, .cause_version = sample_version(s, 5), .state = sample_row_at(s, 5, ROW({"v", "110"}, {"w", "1"})),
        .other = sample_row_at(s, 5, ROW({"v", "111"}, {"w", "1"})), .expected = sample_row(s, ROW({"v", "120"}, {"w", "1"}))});
    sample_places(s, f, 2, 1);
    f->more_places = 3;
    f = sample_add(s, (struct sw_finding){.key = sample_key(s, "2"), .reason = SW_REASON_IDENTITY_REUSED, .identity = sw_bytes_text("\"c1\""),
        .state = sample_row_at(s, 5, ROW({"v", "\"x\""})), .other = sample_row_at(s, 5, ROW({"v", "\"y\""}))});
    sample_places(s, f, 8, 0);
    static const struct sw_place twice[] = {{2, 7}, {2, 8}};
    f = sample_add(s, (struct sw_finding){.key = sample_key(s, "7"), .reason = SW_REASON_DUPLICATE_KEY, .cause = SW_CAUSE_REPEATED_ROWS, .expected = sample_row(s, ROW({"v", "5"})),
        .places = twice, .place_count = 2});
    f = sample_add(s, (struct sw_finding){.key = sample_key(s, "9"), .reason = SW_REASON_INCONSISTENT_HISTORY, .cause = SW_CAUSE_ROW_DIFFERS, .cause_version = sample_version(s, 12),
        .state = sample_row_at(s, 10, ROW({"v", "7"})), .other = sample_row_at(s, 12, ROW({"v", "8"}))});
    sample_places(s, f, 9, 0);
    s->report.claims_held = 31;
    s->report.claims_unheld = 1;
    s->report.contradiction_count = 1;
}

static void undecided(struct sample *s)
{
    sample_open(s, "");
    s->report.classes[SW_CLASS_EQUAL] = 1204;
    struct sw_finding *f = sample_add(s, (struct sw_finding){.key = sample_key(s, "1"), .reason = SW_REASON_UNORDERED, .cause = SW_CAUSE_NO_POSITION,
        .state = sample_row(s, ROW({"v", "\"a\""})), .expected = sample_row(s, ROW({"v", "\"b\""}))});
    sample_places(s, f, 1, 1);
    f = sample_add(s, (struct sw_finding){.key = sample_key(s, "2"), .reason = SW_REASON_UNKNOWN_COLUMN, .state = sample_row(s, ROW({"bio", NULL}, {"st", "\"b\""})),
        .expected = sample_row(s, ROW({"bio", "\"LONG-2\""}, {"st", "\"b\""})), .unknown = sample_columns(s, NAMES("bio"), 1), .unknown_count = 1});
    sample_places(s, f, 3, 2);
    f = sample_add(s, (struct sw_finding){.key = sample_key(s, "3"), .reason = SW_REASON_INVALID_VALUE, .state = sample_row(s, ROW({"n", "?"})), .expected = sample_row(s, ROW({"n", "4294967295"})),
        .unknown = sample_columns(s, NAMES("n"), 1), .unknown_count = 1});
    f = sample_add(s, (struct sw_finding){.key = sample_key(s, "5"), .reason = SW_REASON_NOT_COMPARABLE, .state = sample_row(s, ROW({"ts", "\"2026-03-01 08:00:00\""})),
        .expected = sample_row(s, ROW({"ts", "\"2026-03-01T00:00:00Z\""})), .incomparable = sample_columns(s, NAMES("ts"), 1), .incomparable_count = 1});
    enum sw_reason rest[] = {SW_REASON_READ_AFTER_DELETE, SW_REASON_OPEN_TRANSACTION, SW_REASON_BEYOND_CUT, SW_REASON_UNREADABLE_RECORD};
    for (size_t i = 0; i < 4; i++)
        sample_add(s, (struct sw_finding){.key = sample_key(s, (const char *const[]){"6", "7", "8", "9"}[i]), .reason = rest[i], .state = sample_row(s, ROW({"v", "1"})), .expected = sample_row(s, ROW({"v", "2"}))});
    sample_add(s, (struct sw_finding){.key = sample_key(s, "10"), .reason = SW_REASON_UNORDERED, .cause = SW_CAUSE_SPACES, .state = sample_row(s, ROW({"v", "1"}))});
    sample_add(s, (struct sw_finding){.key = sample_key(s, "11"), .reason = SW_REASON_UNORDERED, .cause = SW_CAUSE_TIE, .cause_version = sample_version(s, 1000), .state = sample_row(s, ROW({"v", "1"}))});
}

/* Names and values that try to reach the terminal, the spreadsheet or the reader's eye. */
static void hostile(struct sample *s)
{
    static char long_a[600], long_b[600];
    sample_open(s, "=cmd|' /C calc'!A0");
    s->report.classes[SW_CLASS_EQUAL] = 1;
    s->inputs[1].locator = sample_text(s, "=2+5\x1b[31m/\xE2\x80\xAE" "events, \"odd\".ndjson");
    memset(long_a, 'a', sizeof long_a);
    long_a[0] = long_a[sizeof long_a - 2] = '"';
    long_a[sizeof long_a - 1] = '\0';
    memcpy(long_b, long_a, sizeof long_a);
    memcpy(long_b + 300, "HERE", 4);
    struct sw_finding *f = sample_add(s, (struct sw_finding){
        .key = sample_key(s, "\"k\\u0000\\u001b[2J\\u202etxt\""), .reason = SW_REASON_STATE_MISMATCH,
        .state = sample_row(s, ROW({"b\x1b[1m\xE2\x80\xAE", "\"\\u001b]0;pwned\\u0007\""}, {"long", long_a}, {"nb", "\"a b\""}, {"wide", "\"水位の高さを確認する担当者の名前と住所と電話番号\""})),
        .expected = sample_row(s, ROW({"b\x1b[1m\xE2\x80\xAE", "\"plain\""}, {"long", long_b}, {"nb", "\"a\\u00a0b\""}, {"wide", "\"水位の高さを確認する担当者の名前と住所と電話番地\""})),
        .differing = sample_columns(s, NAMES("b\x1b[1m\xE2\x80\xAE", "long", "nb", "wide"), 4), .differing_count = 4});
    sample_places(s, f, 1, 1);
    f = sample_add(s, (struct sw_finding){.key = sample_key(s, "\"ZERO\\u200bWIDTH\""), .reason = SW_REASON_MISSING_STATE, .cause = SW_CAUSE_NEVER_SEEN,
        .expected = sample_row(s, ROW({"v", "\"=HYPERLINK(\\\"http://example.invalid\\\")\""}))});
    sample_places(s, f, 0, 2);
    static char key[512];
    memset(key, 'k', sizeof key - 1);
    key[0] = key[sizeof key - 2] = '"';
    f = sample_add(s, (struct sw_finding){.key = sample_key(s, key), .reason = SW_REASON_UNEXPECTED_STATE, .state = sample_row(s, ROW({"v", "{\"a\":[1,2,null]}"}))});
    sample_places(s, f, 3, 0);
}

static void bad_records(struct sample *s, uint32_t first)
{
    static struct sw_bad_record bad[3];
    bad[0] = (struct sw_bad_record){{1, 9}, sample_text(s, "operation"), sample_text(s, "expected upsert or delete, found \"x\""), true};
    bad[1] = (struct sw_bad_record){{1, 12}, sample_text(s, "json"), sample_text(s, "expected a value after the colon, found the end of the line"), false};
    bad[2] = (struct sw_bad_record){{2, 3}, sample_text(s, "key"), sample_text(s, "expected a uint64 between 0 and 18446744073709551615, found -1"), false};
    s->report.bad = bad + first;
    s->report.bad_listed = 3 - first;
}

static void nothing(struct sample *s)
{
    sample_open(s, "");
    memset(s->report.records, 0, sizeof s->report.records);
    memset(s->report.dispositions, 0, sizeof s->report.dispositions);
    s->report.states = s->report.duplicate_deliveries = 0;
}

static void allowed_empty(struct sample *s)
{
    nothing(s);
    s->report.allow_empty = true;
}

static void unread(struct sample *s)
{
    sample_open(s, "");
    s->report.classes[SW_CLASS_EQUAL] = 40;
    bad_records(s, 1);
    s->report.bad_count = s->report.bad_unattributed = 2;
    s->report.dispositions[SW_DISPOSITION_BAD] = 2;
    s->report.dispositions[SW_DISPOSITION_APPLIED] = 5;
    s->report.dispositions[SW_DISPOSITION_REFERENCE] = 3;
}

static void quarantined(struct sample *s)
{
    unread(s);
    s->report.quarantined = true;
    s->report.quarantine_file = sample_text(s, "/var/tmp/case-17/quarantine.ndjson");
}

static void absent_columns(struct sample *s)
{
    static struct sw_column_note notes[2];
    sample_open(s, "orders");
    s->report.classes[SW_CLASS_EQUAL] = 40;
    notes[0] = (struct sw_column_note){sample_column(s, "created_at"), SW_ROLE_EXPECTED};
    notes[1] = (struct sw_column_note){sample_column(s, "_loaded at"), SW_ROLE_BASELINE};
    s->report.absent_columns = notes;
    s->report.absent_column_count = 2;
}

/* All reasons, two tables, bad records, columns on one side only, notes, files. */
static void everything(struct sample *s)
{
    static struct sw_table_counts tables[2];
    static struct sw_column_note absent[1];
    static struct sw_set_note sets[2];
    static struct sw_kind_count kinds[2];
    static char *assumed[2], *notes[1], *spaces[2];
    sample_open(s, "public.orders");
    kinds[0] = (struct sw_kind_count){sample_text(s, "heartbeat"), 12};
    kinds[1] = (struct sw_kind_count){sample_text(s, "schema change"), 1};
    assumed[0] = sample_text(s, "order integer, the default of the format plain");
    assumed[1] = sample_text(s, "expected deletes tombstone: the reference has a deleted column");
    notes[0] = sample_text(s, "the source format writes NaN and infinities as null");
    spaces[0] = sample_text(s, "source-a");
    spaces[1] = sample_text(s, "source-b");
    for (unsigned reason = 1; reason < SW_REASON_COUNT; reason++) {
        char key[16];
        snprintf(key, sizeof key, "%u", reason);
        struct sw_finding *f = sample_add(s, (struct sw_finding){.key = sample_key(s, key), .reason = (enum sw_reason)reason, .state = sample_row_at(s, reason, ROW({"v", "1"}, {"w", "null"})),
            .expected = sample_row_at(s, reason, ROW({"v", "2"}, {"w", "null"}))});
        f->differing = sample_columns(s, NAMES("v"), 1);
        f->differing_count = sw_reason_class(f->reason) == SW_CLASS_DIFFERENT;
        f->state.space = sw_bytes_text("source-a");
        sample_places(s, f, reason, reason);
        s->report.reasons[reason] = reason * 1234567;
    }
    s->report.claims_held = s->report.contradiction_count = s->report.reasons[SW_REASON_INCONSISTENT_HISTORY];
    memset(s->report.classes, 0, sizeof s->report.classes);
    for (unsigned reason = 1; reason < SW_REASON_COUNT; reason++)
        s->report.classes[sw_reason_class((enum sw_reason)reason)] += s->report.reasons[reason];
    s->report.classes[SW_CLASS_EQUAL] = 4999999999;
    tables[0].table = s->table;
    memcpy(tables[0].classes, s->report.classes, sizeof tables[0].classes);
    memcpy(tables[0].reasons, s->report.reasons, sizeof tables[0].reasons);
    tables[1].table = sw_schema_table(s->schema, sw_bytes_text("public.an_extraordinarily_long_table_name_with_many_words_in_it_beyond_reason"), &(struct sw_key_declaration){sw_bytes_text("id"), {.kind = SW_TYPE_ANY, .precision = -1}, false}, 1);
    tables[1].classes[SW_CLASS_UNDECIDED] = 1;
    tables[1].reasons[SW_REASON_UNORDERED] = 1;
    absent[0] = (struct sw_column_note){sample_column(s, "created_at"), SW_ROLE_EXPECTED};
    sets[0] = (struct sw_set_note){s->table, s->findings[0].state.set, SW_ROLE_EVENTS, {1, 1}, 3};
    sets[1] = (struct sw_set_note){s->table, s->findings[0].expected.set, SW_ROLE_EXPECTED, {2, 1}, 4};
    s->report.tables = tables;
    s->report.table_count = 2;
    s->report.absent_columns = absent;
    s->report.absent_column_count = 1;
    s->report.sets = sets;
    s->report.set_count = 2;
    s->report.kinds = kinds;
    s->report.kind_count = 2;
    s->report.assumed = assumed;
    s->report.assumed_count = 2;
    s->report.notes = notes;
    s->report.note_count = 1;
    s->report.spaces = spaces;
    s->report.space_count = 2;
    bad_records(s, 0);
    s->report.bad_count = s->report.dispositions[SW_DISPOSITION_BAD] = 5400;
    s->report.dispositions[SW_DISPOSITION_NOT_ROW_CHANGE] = 13;
    s->report.records[SW_ROLE_EVENTS] += 5413;
    s->report.bad_unattributed = 2;
    s->report.null_flags = 1;
    s->report.unpositioned_reads = 2;
    s->report.superseded_reads = 1;
    s->report.updates_of_unseen_keys = 4;
    s->report.report_file = sample_text(s, "/var/tmp/case-17/report.json");
    s->report.differences_file = sample_text(s, "/var/tmp/a-folder-with-a-long-name-that-nobody-would-type/and-another-one-inside-it/differences.ndjson");
    s->inputs[0].sha256[0] = '\0';
    s->mapping.table = sample_text(s, "public.orders");
    sw_buffer_add_text(&s->mapping.declared, "type amount decimal\nignore loaded_at\n");
}

static void ten_thousand(struct sample *s)
{
    sample_open(s, "");
    struct sw_finding *f = sample_add(s, (struct sw_finding){.key = sample_key(s, "0"), .reason = SW_REASON_STATE_MISMATCH, .state = sample_row(s, ROW({"v", "1"})),
        .expected = sample_row(s, ROW({"v", "2"})), .differing = sample_columns(s, NAMES("v"), 1), .differing_count = 1});
    sample_places(s, f, 1, 1);
    s->stream.repeat = 10000;
    s->report.reasons[SW_REASON_STATE_MISMATCH] = s->report.classes[SW_CLASS_DIFFERENT] = 10000;
}

const char *sample_named(struct sample *sample, size_t index)
{
    static const struct { const char *name; void (*build)(struct sample *); } named[] = {
        {"equal", equal}, {"different", different}, {"conflict", conflict}, {"undecided", undecided}, {"hostile", hostile}, {"nothing-compared", nothing},
        {"allowed-empty", allowed_empty}, {"unread-records", unread}, {"quarantined", quarantined}, {"absent-columns", absent_columns}, {"everything", everything},
        {"ten-thousand", ten_thousand}};
    if (index >= sizeof named / sizeof named[0])
        return NULL;
    named[index].build(sample);
    return named[index].name;
}

/* Writes a note that is made here as an HTML page to standard output: note_sample NAME [FINDINGS.ndjson [COUNT]]
 *
 *   whole    everything a note can hold, as an incident would have it
 *   hostile  the same shape, every text of it an attack on the page
 *   empty    a case in which nothing is declared and nothing was added
 *
 * The test of the page (test_page.py) opens what comes out in a browser. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case/folder.h"
#include "case/note.h"

/* For initialisers at file scope, where everything lives as long as the program. */
#define TEXT(literal) {(const uint8_t *)(literal), sizeof(literal) - 1}
#define TEXTS(...) {(struct sw_bytes[]){__VA_ARGS__}, sizeof((struct sw_bytes[]){__VA_ARGS__}) / sizeof(struct sw_bytes)}
#define ENTRIES(...) {(uint64_t[]){__VA_ARGS__}, sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t)}
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static int put(const void *bytes, size_t len, void *ctx)
{
    return fwrite(bytes, 1, len, ctx) == len ? 0 : errno ? errno : EIO;
}

static int write_page(const struct sw_handover_note *note)
{
    struct sw_error error = {0};
    if (sw_handover_note_write_html(note, put, stdout, &error) == SW_OK && fflush(stdout) == 0)
        return 0;
    fprintf(stderr, "note_sample: %s\n", error.text);
    return 1;
}

static const struct sw_handover_note empty = {
    .headline = TEXT("Nothing is confirmed."),
    .claims = {{"process", "Process", SW_VERDICT_UNPROVEN, TEXT("Nothing is known of the process."), .reasons = TEXTS(TEXT("no evidence was added"))},
               {"currentState", "Current state", SW_VERDICT_UNPROVEN, TEXT("Nothing was compared."), .reasons = TEXTS(TEXT("no evidence was added"))},
               {"history", "History", SW_VERDICT_UNPROVEN, TEXT("Nothing is known of the history."), .reasons = TEXTS(TEXT("no evidence was added"))}},
    .uncertain = TEXTS(TEXT("Everything.")),
    .boundaries = {{.name = "source"}, {.name = "pipeline"}, {.name = "destination"}},
};

static struct sw_note_count reasons[] = {{TEXT("state-mismatch"), 9100}, {TEXT("unexpected-state"), 2400}, {TEXT("missing-state"), 60}, {TEXT("conflicting-version"), 4}};
static struct sw_note_table tables[] = {{TEXT("fund.positions"), 40000, 30000, 9900, 4, 96, NULL, 0}, {TEXT("fund.trades"), 20000, 18340, 1660, 0, 0, NULL, 0}};
static struct sw_note_point source_points[] = {
    {SW_NOTE_POINT_DESTINATION, TEXT("destination, last confirmed"), TEXT("0/1A00028"), 0, TEXT("2026-11-30T02:10:00Z")},
    {SW_NOTE_POINT_PIPELINE, TEXT("pipeline, last confirmed"), TEXT("0/1A00028"), 0, TEXT("2026-11-30T02:12:00Z")},
    {SW_NOTE_POINT_AVAILABLE_FIRST, TEXT("first still available"), TEXT("0/2000000"), 1, TEXT("2026-11-30T03:00:00Z")},
    {SW_NOTE_POINT_RESTART, TEXT("restart position"), TEXT("0/2000000"), 1, {0}},
    {SW_NOTE_POINT_CUT, TEXT("cut of the comparison"), TEXT("0/2F01A38"), 2, {0}},
    {SW_NOTE_POINT_SOURCE, TEXT("source, last confirmed"), TEXT("0/3000148"), 3, TEXT("2026-11-30T03:00:00Z")},
};
static struct sw_note_gap gaps[] = {{TEXT("0/1A00028"), TEXT("0/2000000"), false, false, 0, 1, false, false, TEXT("discarded at the source"), 2}};
static struct sw_note_point gtid_points[] = {{SW_NOTE_POINT_SOURCE, TEXT("source, last confirmed"), TEXT("3e11fa47-71ca-11e1-9e33-c80aa9429562:1-77"), 0, {0}}};
static struct sw_note_gap open_gap[] = {{TEXT("3e11fa47-71ca-11e1-9e33-c80aa9429562:78-90"), {0}, true, true, 0, 0, true, true, TEXT("not seen"), 0}};
static struct sw_note_lane lanes[] = {{TEXT("postgres, timeline 1"), 4, source_points, COUNT(source_points), gaps, COUNT(gaps)}, {TEXT("mysql-gtid"), 1, gtid_points, 1, open_gap, 1}};
static struct sw_note_evidence evidence[] = {
    {1, TEXT("reconcile"), TEXT("positions after the rebuild"), TEXT("evidence/0001-report.json"), false, TEXT("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"), 18234,
     TEXT("2026-11-30T03:20:00Z"), TEXT("slackwater 0.1.0"), TEXT("slackwater reconcile --map fund.yaml --events 'events/*.gz' --expected positions.csv"), TEXT("mara"), TEXT("DIFFERENT: 11,560 of 60,000 keys"), 0},
    {2, TEXT("gap"), TEXT("what the slot still has"), TEXT("evidence/0002-gap.json"), false, TEXT("2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"), 1200,
     TEXT("2026-11-30T03:05:00Z"), TEXT("slackwater 0.1.0"), TEXT("slackwater position gap --saved 0/1A00028 --available 0/2000000"), TEXT("mara"), TEXT("gap"), 3},
    {3, TEXT("link"), TEXT("the pager's thread"), TEXT("https://chat.example/t/42"), true, {0}, 0, TEXT("2026-11-30T03:06:00Z"), {0}, {0}, TEXT("mara"), {0}, 0}};
static struct sw_note_rule rules[] = {{1, "The last confirmed position of each of the three boundaries is recorded with evidence.", "passed", TEXT("source, pipeline and destination")},
                                      {14, "A skipped interval has a plan and an owner.", "failed", TEXT("the interval from 0/1A00028 has no owner: case.yaml, skipped")},
                                      {23, "Throughput and stop criteria are recorded.", "not answered", {0}}};
static struct sw_note_skipped skipped[] = {{TEXT("0/1A00028"), TEXT("0/2000000"), TEXT("intraday history is not rebuilt; balances are"), {0}, TEXT("open")}};
static struct sw_note_exception exceptions[] = {{TEXT("intraday history"), TEXT("the log was discarded"), TEXT("ops lead"), TEXT("2026-12-31")}};
static struct sw_note_resource resources[] = {{TEXT("snap-0042"), TEXT("volume snapshot of the source"), TEXT("2026-12-07T00:00:00Z"), TEXT("europe-west1"), TEXT("15.4")}};

static const struct sw_handover_note whole = {
    .title = TEXT("Fund positions: slot invalidated, interval lost"),
    .incident = TEXT("INC-4711"),
    .started_at = TEXT("2026-11-30T02:10:00Z"),
    .written_at = TEXT("2026-11-30T03:30:00Z"),
    .tool = TEXT("slackwater 0.1.0"),
    .headline = TEXT("Current state refuted at the cut: 11,560 of 60,000 keys differ. History refuted. A process runs, which says nothing of either."),
    .claims = {{"process", "Process", SW_VERDICT_CONFIRMED, TEXT("Something ran when it was looked at."), .reasons = TEXTS(TEXT("the pipeline's process was seen at 03:00"))},
               {"currentState", "Current state", SW_VERDICT_REFUTED, TEXT("The destination is not what the evidence says."), TEXTS(TEXT("11,560 keys differ")), ENTRIES(1),
                TEXT("2026-11-30T03:20:00Z"), TEXT("2026-12-01T00:00:00Z"), false, TEXT("balances equal at the cut"), TEXT("treasury"), {0}, {0}},
               {"history", "History", SW_VERDICT_REFUTED, TEXT("An interval of the source's log is lost."), TEXTS(TEXT("the log between 0/1A00028 and 0/2000000 was discarded at the source")),
                ENTRIES(2), TEXT("2026-11-30T03:05:00Z"), {0}, false, TEXT("every change is in evidence"), TEXT("compliance"), TEXT("refused"), TEXT("2026-11-30T03:25:00Z")}},
    .confirmed = TEXTS(TEXT("48,340 of 60,000 keys are equal at the cut 0/2F01A38.")),
    .uncertain = TEXTS(TEXT("What happened between 0/1A00028 and 0/2000000 cannot be known from this evidence."), TEXT("96 keys are undecided.")),
    .next_owner = TEXT("day shift, data platform"),
    .next_owner_contact = TEXT("#data-platform"),
    .next_step = TEXT("repair the 11,560 keys after treasury has looked at them"),
    .may_stop = TEXT("treasury, on call"),
    .results_kept = TEXT("s3://cases/INC-4711"),
    .boundaries = {{"source", TEXT("0/3000148"), TEXT("2026-11-30T03:00:00Z"), TEXT("pg-prod-1, timeline 1"), ENTRIES(2)}, {.name = "pipeline"}, {.name = "destination"}},
    .affected_from = TEXT("0/1A00028"),
    .affected_to = TEXT("0/2000000"),
    .affected_objects = TEXTS(TEXT("fund.positions"), TEXT("fund.trades")),
    .restart_position = TEXT("0/2000000"),
    .restart_reason = TEXT("the first position that the new slot can give"),
    .cut = TEXT("0/2F01A38"),
    .pipeline_version = TEXT("debezium 2.7.1"),
    .resources = resources,
    .resource_count = COUNT(resources),
    .exceptions = exceptions,
    .exception_count = COUNT(exceptions),
    .skipped = skipped,
    .skipped_count = COUNT(skipped),
    .lanes = lanes,
    .lane_count = COUNT(lanes),
    .evidence = evidence,
    .evidence_count = COUNT(evidence),
    .rules = rules,
    .rule_count = COUNT(rules),
    .rules_passed = 1, .rules_failed = 1, .rules_open = 1,
    .limits = TEXTS(TEXT("That no difference was found in a table says nothing of tables that were not read."), TEXT("A process that runs is not a history that is complete.")),
    .versions = TEXTS(TEXT("slackwater 0.1.0 made evidence 1 and 2.")),
    .head = TEXT("b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c"),
    .ledger_length = 3,
    .verify_command = TEXT("slackwater case verify INC-4711 --head b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c"),
    .differences = {.reconciled = true, .keys = 60000, .equal = 48340, .different = 11560, .conflict = 4, .undecided = 96,
                    .reasons = reasons, .reason_count = COUNT(reasons), .tables = tables, .table_count = COUNT(tables)},
};

/* Every text becomes this: it tries to leave the element, the attribute, the script and the line it stands in. */
#define ATTACK "\"'></code></script></title></style><script>window.pwned=1</script><img src=x onerror=\"window.pwned=1\"> \xe2\x80\xae\xe2\x81\xa6]]>-->"

static struct sw_bytes attack = TEXT(ATTACK);
static struct sw_note_evidence hostile_evidence[] = {
    {1, TEXT(ATTACK), TEXT(ATTACK), TEXT("javascript:window.pwned=1"), true, {0}, 0, TEXT(ATTACK), TEXT(ATTACK), TEXT(ATTACK), TEXT(ATTACK), TEXT(ATTACK), 0},
    {2, TEXT(ATTACK), TEXT(ATTACK), TEXT("https://example/\" onmouseover=\"window.pwned=1"), true, {0}, 0, TEXT(ATTACK), TEXT(ATTACK), TEXT(ATTACK), TEXT(ATTACK), TEXT(ATTACK), 0}};
static struct sw_note_point hostile_points[] = {{SW_NOTE_POINT_SOURCE, TEXT(ATTACK), TEXT(ATTACK ATTACK), 0, TEXT(ATTACK)}, {SW_NOTE_POINT_CUT, TEXT(ATTACK), TEXT(ATTACK), 7, {0}}};
static struct sw_note_gap hostile_gaps[] = {{TEXT(ATTACK), TEXT(ATTACK), true, true, 0, 9, false, false, TEXT(ATTACK), 1}};
static struct sw_note_lane hostile_lanes[] = {{TEXT(ATTACK), 1, hostile_points, COUNT(hostile_points), hostile_gaps, COUNT(hostile_gaps)}};
static struct sw_note_table hostile_tables[] = {{TEXT(ATTACK), 1, 0, 1, 0, 0, NULL, 0}};
static struct sw_note_count hostile_reasons[] = {{TEXT(ATTACK), 1}};

static void fill_hostile(struct sw_handover_note *note)
{
    *note = whole;
    struct sw_bytes *texts[] = {&note->title, &note->incident, &note->started_at, &note->written_at, &note->tool, &note->headline, &note->next_owner, &note->next_owner_contact,
                                &note->next_step, &note->may_stop, &note->results_kept, &note->affected_from, &note->affected_to, &note->restart_position, &note->restart_reason,
                                &note->cut, &note->pipeline_version, &note->rehearsal_destination, &note->head, &note->verify_command};
    for (size_t i = 0; i < COUNT(texts); i++)
        *texts[i] = attack;
    struct sw_note_texts *lists[] = {&note->confirmed, &note->uncertain, &note->limits, &note->versions, &note->affected_objects, &note->claims[0].reasons};
    for (size_t i = 0; i < COUNT(lists); i++)
        *lists[i] = (struct sw_note_texts){&attack, 1};
    note->evidence = hostile_evidence; note->evidence_count = COUNT(hostile_evidence);
    note->lanes = hostile_lanes; note->lane_count = COUNT(hostile_lanes);
    note->differences.tables = hostile_tables; note->differences.table_count = 1;
    note->differences.reasons = hostile_reasons; note->differences.reason_count = 1;
}

int main(int argc, char **argv)
{
    struct sw_handover_note note = empty;
    if (argc < 2 || (strcmp(argv[1], "whole") != 0 && strcmp(argv[1], "hostile") != 0 && strcmp(argv[1], "empty") != 0)) {
        fputs("usage: note_sample whole|hostile|empty [FINDINGS.ndjson [UNLISTED]]\n", stderr);
        return 2;
    }
    if (strcmp(argv[1], "whole") == 0)
        note = whole;
    else if (strcmp(argv[1], "hostile") == 0)
        fill_hostile(&note);
    struct sw_note_finding_file file = {0};
    char sha256[SW_DIGEST_HEX_SIZE];
    if (argc > 2) {
        if (sw_case_digest_file(sha256, &file.bytes, argv[2], NULL) != SW_OK) {
            fprintf(stderr, "%s: could not be read\n", argv[2]);
            return 1;
        }
        file.sha256 = sw_bytes_text(sha256);
        file.name = sw_bytes_text("evidence/differences.ndjson");
        file.path = sw_bytes_text(argv[2]);
        note.differences.files = &file;
        note.differences.file_count = 1;
    }
    if (argc > 3)
        note.differences.unlisted = strtoull(argv[3], NULL, 10);
    return write_page(&note);
}

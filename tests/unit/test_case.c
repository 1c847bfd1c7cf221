/* src/case: words, declarations, the ledger's lines, commands without secrets, and what two reports must share to be the same. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include <cmocka.h>

#include "case/claim.h"
#include "case/command_text.h"
#include "case/course.h"
#include "case/repeat.h"
#include "case/rules/rule.h"

/* ---- words ---- */

static bool holds(const char *text, const char *part) { return strcasestr(text, part) != NULL; }

/* What a text must not say unless the verdict is confirmed; each is one that a reader takes for good news. */
static const char *const strong[SW_NOTE_CLAIM_COUNT][4] = {
    [SW_NOTE_PROCESS] = {"running process was observed", "is running", "runs again", NULL},
    [SW_NOTE_CURRENT_STATE] = {"state reconciled", "is reconciled with", "agreed cut", "equal"},
    [SW_NOTE_HISTORY] = {"every change of the examined interval is in evidence", "by proof", "is complete", NULL},
};
/* What no text says at all. */
static const char *const never[] = {"recovered", "verified", "guarantee", "no operation was lost", "all changes", "resolved", "approved", "healthy"};

static void check_text(const char *text, const enum sw_verdict verdicts[SW_NOTE_CLAIM_COUNT])
{
    for (size_t i = 0; i < sizeof never / sizeof never[0]; i++)
        assert_false(holds(text, never[i]));
    for (size_t claim = 0; claim < SW_NOTE_CLAIM_COUNT; claim++)
        for (size_t i = 0; i < 4 && strong[claim][i]; i++)
            if (verdicts[claim] != SW_VERDICT_CONFIRMED)
                assert_false(holds(text, strong[claim][i]));
}

static void a_headline_is_never_stronger_than_its_verdicts(void **state)
{
    (void)state;
    static const size_t counts[] = {0, 1, 7};
    size_t seen = 0;
    for (unsigned mix = 0; mix < 27 * 4 * 9; mix++) {
        struct sw_headline headline = {
            .verdicts = {(enum sw_verdict)(mix % 3), (enum sw_verdict)(mix / 3 % 3), (enum sw_verdict)(mix / 9 % 3)},
            .ground = mix / 27 % 4, .rules_failed = counts[mix / 108 % 3], .rules_open = counts[mix / 324 % 3],
        };
        struct sw_buffer out = {0};
        sw_claim_headline(&out, &headline);
        const char *text = sw_buffer_text(&out);
        check_text(text, headline.verdicts);
        assert_true(holds(text, "agreed cut") == (headline.verdicts[SW_NOTE_CURRENT_STATE] == SW_VERDICT_CONFIRMED && (headline.ground & SW_GROUND_CUT)));
        assert_true(holds(text, "declared scope") == (headline.verdicts[SW_NOTE_CURRENT_STATE] == SW_VERDICT_CONFIRMED && (headline.ground & SW_GROUND_SCOPE)));
        assert_true(holds(text, "failed") == (headline.rules_failed > 0));
        assert_true(holds(text, "not answered") == (headline.rules_open > 0));
        for (size_t claim = 0; claim < SW_NOTE_CLAIM_COUNT; claim++) /* each of the three is spoken of, whatever the others are */
            assert_true(holds(text, sw_claim_clause(claim, headline.verdicts[claim], headline.ground)));
        assert_int_equal(text[out.len - 1], '.');
        sw_buffer_free(&out);
        seen++;
    }
    assert_int_equal(seen, 972);
}

static void a_sentence_is_never_stronger_than_its_verdict(void **state)
{
    (void)state;
    for (size_t claim = 0; claim < SW_NOTE_CLAIM_COUNT; claim++)
        for (unsigned verdict = 0; verdict < 3; verdict++)
            for (unsigned ground = 0; ground < 4; ground++) {
                /* the other two are taken for unproven: a sentence on one speaks for none of them */
                enum sw_verdict verdicts[SW_NOTE_CLAIM_COUNT] = {SW_VERDICT_UNPROVEN, SW_VERDICT_UNPROVEN, SW_VERDICT_UNPROVEN};
                verdicts[claim] = (enum sw_verdict)verdict;
                check_text(sw_claim_sentence(claim, verdicts[claim], ground), verdicts);
                check_text(sw_claim_clause(claim, verdicts[claim], ground), verdicts);
                for (unsigned other = 0; other < 3; other++)
                    assert_true(other == verdict || strcmp(sw_claim_sentence(claim, (enum sw_verdict)other, ground), sw_claim_sentence(claim, verdicts[claim], ground)) != 0);
            }
}

/* ---- rules ---- */

static void every_rule_has_a_number_of_its_own_and_says_what_it_reads(void **state)
{
    (void)state;
    const struct sw_rule_group *group;
    unsigned last = 0;
    for (size_t i = 0; (group = sw_rule_group_at(i)) != NULL; i++)
        for (size_t j = 0; j < group->count; j++) {
            const struct sw_rule *rule = &group->rules[j];
            assert_true(rule->number > last && rule->number / 100 == i + 1);
            last = rule->number;
            assert_int_equal(rule->title[strlen(rule->title) - 1], '.');
            assert_non_null(strchr(rule->reads, ':'));
            assert_ptr_equal(sw_rule_find(rule->number), rule);
            assert_true(rule->check || rule->needs[0]); /* a rule that reads nothing would always pass */
            for (size_t need = 0; need < sizeof rule->needs / sizeof rule->needs[0] && rule->needs[need]; need++) {
                size_t field = 0;
                while (field < sw_case_field_count && strcmp(sw_case_fields[field].path, rule->needs[need]) != 0)
                    field++;
                assert_true(field < sw_case_field_count);
            }
        }
    assert_null(sw_rule_find(100));
}

/* ---- declarations ---- */

static enum sw_code declare(struct sw_case_declaration *out, struct sw_mapping_block **memory, const char *text, struct sw_error *error)
{
    *error = (struct sw_error){0};
    return sw_case_declaration_read(out, memory, sw_bytes_text(text), "case.yaml", error);
}

static void what_answers_an_open_rule_is_named(void **state)
{
    (void)state;
    static const struct { unsigned number; const char *detail, *kind; uint64_t superseded_by; const char *expected; } rows[] = {
        {101, "case.yaml: boundaries.source.position is empty", "file", 0, "fill it in: ${EDITOR:-vi} 'case 1'/case.yaml"},
        {101, "case.yaml: boundaries.source.evidence is empty", "file", 0, "slackwater case add 'case 1' FILE, then the number that it prints into case.yaml"},
        {108, "no gap, scan, probe or snapshot check is in evidence", "file", 0, "slackwater position probe LOCATOR --saved POSITION --case 'case 1' (without a live source: position gap)"},
        {701, "no reconciliation is in evidence", "challenge", 0, "slackwater reconcile \xe2\x80\xa6 --cut POSITION --copy-inputs --case 'case 1'"},
        {701, "no reconciliation is in evidence", "reconcile", 4, "slackwater reconcile \xe2\x80\xa6 --cut POSITION --copy-inputs --case 'case 1'"},
        {704, "no deletion is in evidence, and review.deletions does not say why that is right", "reconcile", 0, "fill it in: ${EDITOR:-vi} 'case 1'/case.yaml"},
        {707, "no challenge is in evidence", "reconcile", 0, "slackwater challenge \xe2\x80\xa6 --case 'case 1'"},
        {707, "entry 3 does not say", "challenge", 0, "fill it in: ${EDITOR:-vi} 'case 1'/case.yaml"},
        {809, "no query and no link is in evidence", "link", 0, "slackwater case add 'case 1' FILE --kind query"},
        {810, "entry 3 (gap) was added without its command", "query", 0, "the command that made it, again, with --case 'case 1'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sw_note_rule rule = {rows[i].number, "", "not answered", sw_bytes_text(rows[i].detail)};
        struct sw_note_evidence evidence = {.number = 3, .kind = sw_bytes_text(rows[i].kind), .superseded_by = rows[i].superseded_by};
        const struct sw_handover_note note = {.rules = &rule, .rule_count = 1, .evidence = &evidence, .evidence_count = 1};
        struct sw_buffer text = {0};
        sw_course_answer(&text, &note, &rule, "case 1");
        assert_string_equal(sw_buffer_text(&text), rows[i].expected);
        sw_buffer_free(&text);
    }
}

static void open_rules_follow_the_course_of_an_incident(void **state)
{
    (void)state;
    struct sw_note_rule rules[] = {{101, "", "passed", {0}}, {105, "", "not answered", {0}}, {204, "", "failed", {0}}, {205, "", "failed", {0}}, {303, "", "not answered", {0}}, {804, "", "not answered", {0}}, {812, "", "not answered", {0}}};
    const struct sw_handover_note note = {.rules = rules, .rule_count = 7}, nothing = {.rules = rules, .rule_count = 1};
    const struct sw_note_rule *open[7];
    assert_int_equal(sw_course_open(open, &note), 4);
    static const unsigned order[] = {804, 303, 105, 812};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(open[i]->number, order[i]);
    assert_int_equal(sw_course_failed(&note)->number, 204);
    assert_int_equal(sw_course_open(open, &nothing), 0);
    assert_null(sw_course_failed(&nothing));
}

static void the_template_is_read_and_says_nothing_but_its_title(void **state)
{
    (void)state;
    struct sw_buffer template = {0}, plain = {0};
    struct sw_mapping_block *memory = NULL;
    struct sw_case_declaration declared, empty = {0};
    struct sw_error error = {0};
    static const char title[] = "a \"quoted\" \\ title: with # marks\n\xe2\x80\xae and a line";
    sw_case_template(&template, sw_bytes_text(title));
    assert_int_equal(sw_case_declaration_read(&declared, &memory, sw_buffer_view(&template), "case.yaml", &error), SW_OK);
    assert_true(sw_bytes_is(declared.title, title));
    sw_case_template(&plain, sw_bytes_of(NULL, 0));
    assert_int_equal(sw_case_declaration_read(&declared, &memory, sw_buffer_view(&plain), "case.yaml", &error), SW_OK);
    for (size_t i = 0; i < sw_case_field_count; i++) {
        const struct sw_field *field = &sw_case_fields[i];
        if (field->form != SW_FIELD_RECORDS && field->form != SW_FIELD_TEXTS && field->form != SW_FIELD_ENTRIES)
            assert_int_equal(((const struct sw_bytes *)(const void *)((const uint8_t *)&declared + field->at))->len, 0);
        assert_non_null(memmem(plain.at, plain.len, field->path + (strrchr(field->path, '.') ? strrchr(field->path, '.') - field->path + 1 : 0), strlen(strrchr(field->path, '.') ? strrchr(field->path, '.') + 1 : field->path)));
    }
    assert_int_equal(declared.exception_count, 0);
    assert_memory_equal(&declared.review, &empty.review, sizeof empty.review);
    sw_mapping_release(&memory);
    sw_buffer_free(&template);
    sw_buffer_free(&plain);
}

static void a_declaration_of_the_wrong_form_is_refused_with_its_place(void **state)
{
    (void)state;
    static const struct { const char *text, *says; uint64_t line; } rows[] = {
        {"titel: x\n", "did you mean 'title'?", 1},
        {"\nboundaries:\n  sauce: {}\n", "did you mean 'source'?", 3},
        {"boundaries: x\n", "expected a map, found a text", 1},
        {"boundaries: []\n", "expected a map, found a list", 1},
        {"title: {a: b}\n", "expected a text, found a map", 1},
        {"title: \"a\\0b\"\n", "without NUL", 1},
        {"started-at: 2031-02-03 04:05:06\n", "expected a time with a zone", 1},
        {"process: {evidence: [one]}\n", "expected numbers of ledger entries", 1},
        {"process: {evidence: [-1]}\n", "expected numbers of ledger entries", 1},
        {"exceptions: [x]\n", "expected maps", 1},
        {"exceptions:\n  - what: a\n    waht: b\n", "did you mean 'what'?", 3},
        {"- a\n", "expected a map, found a list", 1},
        {"destination: {max-staleness: 99999999999999999999d}\n", "expected a length of time", 1},
        {"rehearsal: {rows: 1e6}\n", "expected a number", 1},
        {"a: &x b\n", "anchors", 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sw_mapping_block *memory = NULL;
        struct sw_case_declaration declared;
        struct sw_error error;
        assert_int_equal(declare(&declared, &memory, rows[i].text, &error), SW_ERR_USAGE);
        assert_non_null(strstr(error.text, rows[i].says));
        assert_int_equal(error.line, rows[i].line);
        sw_mapping_release(&memory);
    }
}

static void lists_and_texts_are_bounded(void **state)
{
    (void)state;
    struct sw_mapping_block *memory = NULL;
    struct sw_case_declaration declared;
    struct sw_error error;
    struct sw_buffer text = {0};
    sw_buffer_add_text(&text, "assumptions:\n");
    for (unsigned i = 0; i <= SW_CASE_RECORDS_MAX; i++)
        sw_buffer_add_text(&text, "  - {what: a}\n");
    assert_int_equal(declare(&declared, &memory, sw_buffer_text(&text), &error), SW_ERR_USAGE);
    assert_non_null(strstr(error.text, "at most 200 items, found 201"));
    sw_buffer_clear(&text);
    sw_buffer_add_text(&text, "title: ");
    for (unsigned i = 0; i < 4001; i++)
        sw_buffer_add_byte(&text, 'x');
    assert_int_equal(declare(&declared, &memory, sw_buffer_text(&text), &error), SW_ERR_USAGE);
    assert_non_null(strstr(error.text, "keep long texts as evidence"));
    sw_buffer_free(&text);
    sw_mapping_release(&memory);
}

static void lengths_of_time_are_read(void **state)
{
    (void)state;
    static const struct { const char *text; uint64_t seconds; } good[] = {{"0", 0}, {"45s", 45}, {"15m", 900}, {"6h", 21600}, {"2d", 172800}, {"0d", 0}};
    static const char *const bad[] = {"", "5", "d", "-1d", "1.5h", "2 d", "2w", "999999999999999999d"};
    uint64_t seconds;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(sw_case_duration(&seconds, sw_bytes_text(good[i].text)));
        assert_int_equal(seconds, good[i].seconds);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(sw_case_duration(&seconds, sw_bytes_text(bad[i])));
}

/* ---- the ledger ---- */

static void a_line_is_read_as_it_was_written(void **state)
{
    (void)state;
    struct sw_bytes arguments[] = {SW_BYTES_LITERAL("psql"), SW_BYTES_LITERAL(""), SW_BYTES_LITERAL("a\0b\xff\n")};
    uint64_t supersedes[] = {1};
    struct sw_ledger_entry first = {.number = 1, .at = SW_BYTES_LITERAL("2031-02-03T04:05:06Z"), .kind = SW_BYTES_LITERAL("link"), .link = true, .name = SW_BYTES_LITERAL("https://e.example/?a=\"b\"")};
    struct sw_ledger_entry second = {
        .number = 2, .at = SW_BYTES_LITERAL("2031-02-03T04:05:07Z"), .collected = SW_BYTES_LITERAL("2031-02-03T04:00:00Z"), .kind = SW_BYTES_LITERAL("file"),
        .title = SW_BYTES_LITERAL("t\xe2\x80\xae"), .by = SW_BYTES_LITERAL("Ana"), .name = SW_BYTES_LITERAL("evidence/0002-x"),
        .sha256 = SW_BYTES_LITERAL("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"), .bytes = UINT64_MAX, .tool = SW_BYTES_LITERAL("psql 15"),
        .command = SW_BYTES_LITERAL("psql ''"), .directory = SW_BYTES_LITERAL("/tmp"), .arguments = {arguments, 3}, .blotted = true, .says = SW_BYTES_LITERAL("gap"),
        .of = 1, .role = SW_BYTES_LITERAL("events"), .locator = SW_BYTES_LITERAL("e.ndjson"), .supersedes = {supersedes, 1},
    };
    struct sw_buffer text = {0};
    struct sw_mapping_block *memory = NULL;
    struct sw_ledger ledger;
    struct sw_error error = {0};
    char head[SW_DIGEST_HEX_SIZE];
    sw_ledger_line(&text, &first, "");
    assert_int_equal(sw_case_digest(head, sw_bytes_of(text.at, text.len - 1), &error), SW_OK);
    sw_ledger_line(&text, &second, head);
    assert_int_equal(sw_ledger_read(&ledger, &memory, NULL, sw_buffer_view(&text), &error), SW_OK);
    assert_int_equal(ledger.count, 2);
    const struct sw_ledger_entry *read = sw_ledger_entry(&ledger, 2);
    assert_true(sw_bytes_equal(read->title, second.title) && sw_bytes_equal(read->collected, second.collected) && sw_bytes_equal(read->sha256, second.sha256));
    assert_true(read->bytes == UINT64_MAX && read->of == 1 && read->blotted && read->arguments.count == 3 && read->supersedes.count == 1);
    assert_int_equal(read->arguments.at[1].len, 0);
    assert_memory_equal(read->arguments.at[2].at, "a\0b", 3);
    assert_int_equal(sw_ledger_entry(&ledger, 1)->superseded_by, 2);
    assert_true(sw_ledger_entry(&ledger, 1)->link);
    assert_null(sw_ledger_entry(&ledger, 0));
    assert_null(sw_ledger_entry(&ledger, 3));
    sw_mapping_release(&memory);
    sw_buffer_free(&text);
}

/* ---- commands ---- */

static void a_command_is_quoted_for_a_shell(void **state)
{
    (void)state;
    static const struct { const char *argument, *quoted; } rows[] = {
        {"plain-1.2_x/y:z=,+@%", "plain-1.2_x/y:z=,+@%"}, {"", "''"}, {"a b", "'a b'"}, {"it's", "'it'\\''s'"}, {"$HOME", "'$HOME'"}, {"~", "'~'"}, {"a\nb", "'a\nb'"}, {"*", "'*'"}, {"`x`", "'`x`'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sw_buffer out = {0};
        sw_command_quote(&out, sw_bytes_text(rows[i].argument));
        assert_string_equal(sw_buffer_text(&out), rows[i].quoted);
        sw_buffer_free(&out);
    }
}

static void what_is_no_secret_is_kept(void **state)
{
    (void)state;
    static const char *const rows[] = {"postgresql://ana@db/x#a.b", "postgresql://db:5432/x", "sqlite:a=b.db#t", "--cut=0/16E9A28@system=7", "binlog.000042:4@server=3a1f", "a=b", "monkey=1", "https://e.example/@x"};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sw_buffer out = {0};
        assert_false(sw_command_blot(&out, sw_bytes_text(rows[i]), SW_BLOT_SECRETS));
        assert_string_equal(sw_buffer_text(&out), rows[i]);
        sw_buffer_free(&out);
    }
    assert_int_equal(sw_command_blot_next(sw_bytes_text("--password")), SW_BLOT_ALL);
    assert_int_equal(sw_command_blot_next(sw_bytes_text("--password=x")), SW_BLOT_SECRETS);
    assert_int_equal(sw_command_blot_next(sw_bytes_text("--type")), SW_BLOT_ADDRESSES);
}

/* ---- repeating ---- */

static void canonical(struct sw_buffer *out, const char *text)
{
    struct sw_document document;
    struct sw_error error = {0};
    assert_int_equal(sw_document_read(&document, sw_bytes_text(text), "a report", &error), SW_OK);
    sw_report_canonical(out, document.root);
    sw_document_free(&document);
}

static void reports_on_equal_inputs_are_equal_wherever_they_stood(void **state)
{
    (void)state;
    static const char here[] = "{\"tool\":{\"version\":\"1\"},\"verdicts\":{\"history\":{\"reachedAt\":\"2031\",\"verdict\":\"unproven\"}},\"inputs\":[{\"locator\":\"a.ndjson\",\"sha256\":\"x\"},"
                               "{\"locator\":\"a.ndjson.gz\",\"sha256\":\"y\"}],\"differences\":[{\"records\":[\"a.ndjson:3\",\"a.ndjson.gz:4\",\"b:1\"],\"n\":1.10}],\"run\":{\"seconds\":1}}";
    static const char there[] = "{ \"inputs\" : [ {\"locator\":\"/far/0003-a.ndjson\",\"sha256\":\"x\"} , {\"locator\":\"/far/0004-a.ndjson.gz\",\"sha256\":\"y\"} ], \"next\":[\"x\"] }";
    struct sw_buffer a = {0}, b = {0};
    canonical(&a, here);
    assert_string_equal(sw_buffer_text(&a), "{\"verdicts\":{\"history\":{\"verdict\":\"unproven\"}},\"inputs\":[{\"locator\":\"input 1\",\"sha256\":\"x\"},{\"locator\":\"input 2\",\"sha256\":\"y\"}],"
                                            "\"differences\":[{\"records\":[\"input 1:3\",\"input 2:4\",\"b:1\"],\"n\":1.10}]}");
    canonical(&b, there);
    assert_string_equal(sw_buffer_text(&b), "{\"inputs\":[{\"locator\":\"input 1\",\"sha256\":\"x\"},{\"locator\":\"input 2\",\"sha256\":\"y\"}]}");
    sw_buffer_clear(&a);
    /* in the midst of a sentence, and of reports on continuity */
    canonical(&a, "{\"assumed\":[\"told by a.ndjson\",\"of a (b/gap.json), a.ndjson; xa.ndjson\"],\"inputs\":[{\"locator\":\"a.ndjson\"},{\"locator\":\"a\"}],\"continuity\":[{\"name\":\"b/gap.json\"}]}");
    assert_string_equal(sw_buffer_text(&a), "{\"assumed\":[\"told by input 1\",\"of a (input 3), input 1; xa.ndjson\"],\"inputs\":[{\"locator\":\"input 1\"},{\"locator\":\"input 2\"}],\"continuity\":[{\"name\":\"input 3\"}]}");
    sw_buffer_free(&a);
    sw_buffer_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_headline_is_never_stronger_than_its_verdicts),
        cmocka_unit_test(a_sentence_is_never_stronger_than_its_verdict),
        cmocka_unit_test(every_rule_has_a_number_of_its_own_and_says_what_it_reads),
        cmocka_unit_test(what_answers_an_open_rule_is_named),
        cmocka_unit_test(open_rules_follow_the_course_of_an_incident),
        cmocka_unit_test(the_template_is_read_and_says_nothing_but_its_title),
        cmocka_unit_test(a_declaration_of_the_wrong_form_is_refused_with_its_place),
        cmocka_unit_test(lists_and_texts_are_bounded),
        cmocka_unit_test(lengths_of_time_are_read),
        cmocka_unit_test(a_line_is_read_as_it_was_written),
        cmocka_unit_test(a_command_is_quoted_for_a_shell),
        cmocka_unit_test(what_is_no_secret_is_kept),
        cmocka_unit_test(reports_on_equal_inputs_are_equal_wherever_they_stood),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

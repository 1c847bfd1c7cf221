#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "reconcile/transactions.h"

/* A stream as letters: B begins, C commits, r is a row; a digit before a letter is the transaction's id. With `by_id` there is no B, and C stands on a row. */
struct stream { const char *text; bool by_id; };

/* Which rows are open by the rule itself: the next mark after the row is no commit. */
static bool is_open_by_rule(const struct stream *stream, size_t at)
{
    bool marks = false, commits = false;
    for (const char *c = stream->text; *c; c += 2) {
        marks |= c[1] != 'r';
        commits |= c[1] == 'C';
    }
    if (stream->by_id ? !commits : !marks)
        return false;
    for (size_t i = at; stream->text[2 * i]; i++) {
        if (stream->by_id && stream->text[2 * i] != stream->text[2 * at])
            return true;
        if (stream->text[2 * i + 1] == 'C')
            return false;
        if (stream->text[2 * i + 1] == 'B')
            return true;
    }
    return true;
}

static bool is_open(const struct sw_transactions *transactions, uint64_t block, uint64_t line)
{
    struct sw_fold_rules rules = {.open = (const void *)transactions->open.at, .open_count = transactions->tells ? transactions->open.len / sizeof(struct sw_fold_open) : 0};
    const struct sw_record record = {.role = SW_ROLE_EVENTS, .input = 1, .block = block, .line = line};
    return sw_fold_is_open(&rules, &record);
}

/* Cuts the stream into blocks where the bits of `cuts` say. */
static void check(const struct stream *stream, unsigned cuts)
{
    struct sw_transactions transactions = {0};
    size_t count = strlen(stream->text) / 2;
    uint64_t blocks[16] = {0}, lines[16] = {0};
    struct sw_block_marks marks = {.input = 1};
    for (size_t i = 0; i < count; i++) {
        if (i && (cuts >> i & 1)) {
            sw_buffer_add(&transactions.blocks, &marks, sizeof marks);
            marks = (struct sw_block_marks){.input = 1, .block = marks.block + 1};
        }
        blocks[i] = marks.block;
        lines[i] = i && blocks[i - 1] == marks.block ? lines[i - 1] + 1 : 0;
        char kind = stream->text[2 * i + 1];
        sw_block_marks_note(&marks, &transactions.open, kind == 'B' ? SW_MARK_BEGIN : kind == 'C' ? SW_MARK_COMMIT : SW_MARK_NONE, stream->by_id,
                            sw_bytes_of(&stream->text[2 * i], stream->text[2 * i] != '-'), lines[i]);
    }
    sw_buffer_add(&transactions.blocks, &marks, sizeof marks);
    assert_true(sw_transactions_settle(&transactions));
    for (size_t i = 0; i < count; i++)
        if (stream->text[2 * i + 1] == 'r' && is_open(&transactions, blocks[i], lines[i]) != is_open_by_rule(stream, i))
            fail_msg("%s, cuts %x: row %zu is %sopen", stream->text, cuts, i, is_open_by_rule(stream, i) ? "not " : "");
    sw_transactions_free(&transactions);
}

static void a_row_is_open_unless_the_next_mark_is_a_commit_however_blocks_are_cut(void **state)
{
    (void)state;
    static const struct stream streams[] = {
        {"1B1r1r1C2B2r2C", false}, {"1B1r1C2B2r2r", false}, {"1B1r2B2r2C3B", false}, {"1r1r1C2B2C", false}, {"1r2B2r2C3r", false},
        {"-r-r-r-r", false}, {"-B-r-C-B-r", false}, {"1B2B3B3r3C", false}, {"1B1r1r1r1r1r1C", false}, {"1C1r", false},
        {"1r1r1C2r2C3r", true}, {"1r2r2C3C4r4r", true}, {"1r2r3r4r", true}, {"1C2C3C4r5r5C6r", true}, {"1r1r1r1r1C", true}};
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++)
        for (unsigned cuts = 0; cuts < 1u << (strlen(streams[i].text) / 2); cuts++)
            check(&streams[i], cuts);
}

static void any_stream_by_the_same_rule(void **state)
{
    (void)state;
    srand(1);
    for (int round = 0; round < 20000; round++) {
        char text[2 * 8 + 1] = "";
        bool by_id = round & 1;
        for (int i = 0, id = '1'; i < 8; i++) {
            char kind = "rrrBCr"[rand() % 6];
            if (by_id && kind == 'B')
                kind = 'r';
            id += rand() % 3 == 0 && (by_id || kind == 'B');
            text[2 * i] = (char)id, text[2 * i + 1] = kind;
        }
        check(&(struct stream){text, by_id}, (unsigned)rand() & 0xff);
    }
}

/* Rows of a stream, by their places in it: which input they stand in, and, once an earlier run read them, what its state says of them. */
struct row { uint32_t input; uint64_t line; bool open; struct sw_bytes id; };

/* One run over some parts of the stream (bit i of `parts`: part i), and over what the runs before it left; rows then say what this run's state would. */
static void run_over(struct sw_transactions *now, struct row *rows, const struct stream *stream, const unsigned *part_of, unsigned parts, unsigned before)
{
    struct sw_block_marks marks = {0};
    size_t count = strlen(stream->text) / 2;
    for (size_t i = 0; i < count; i++) { /* input 0 is the state */
        if (before >> part_of[i] & 1 && rows[i].open)
            sw_saved_open_note(&now->saved, 0, 0, i, rows[i].id);
        rows[i].input = before >> part_of[i] & 1 ? 0 : part_of[i] + 1;
        rows[i].line = i;
        if (!(parts >> part_of[i] & 1))
            continue;
        if (!marks.input || marks.input != part_of[i] + 1) {
            if (marks.input)
                sw_buffer_add(&now->blocks, &marks, sizeof marks);
            marks = (struct sw_block_marks){.input = part_of[i] + 1};
        }
        char kind = stream->text[2 * i + 1];
        sw_block_marks_note(&marks, &now->open, kind == 'B' ? SW_MARK_BEGIN : kind == 'C' ? SW_MARK_COMMIT : SW_MARK_NONE, stream->by_id, sw_bytes_of(&stream->text[2 * i], 1), i);
    }
    if (marks.input)
        sw_buffer_add(&now->blocks, &marks, sizeof marks);
    assert_true(sw_transactions_settle(now));
    for (size_t i = 0; i < count; i++) {
        if (!((parts | before) >> part_of[i] & 1))
            continue;
        const struct sw_record record = {.role = SW_ROLE_EVENTS, .input = rows[i].input, .line = rows[i].line};
        const struct sw_fold_open *open = sw_fold_find_open((const void *)now->open.at, now->open.len / sizeof *open, &record);
        rows[i].open = open != NULL;
        if (open)
            rows[i].id = sw_transactions_id(now, open).len ? sw_bytes_of(&stream->text[2 * i], 1) : (struct sw_bytes){0};
    }
}

/* With `by_rule` false: several runs against one. */
static void check_split(const struct stream *stream, const unsigned *part_of, unsigned parts, bool by_rule)
{
    size_t count = strlen(stream->text) / 2;
    bool wanted[16];
    for (size_t i = 0; i < count; i++)
        wanted[i] = is_open_by_rule(stream, i);
    for (unsigned way = 0; way < 2; way++) { /* all parts in one run, and one run a part, in any order */
        struct row rows[16] = {0};
        struct sw_buffer ended = {0};
        bool tells = false;
        unsigned order[4] = {0, 1, 2, 3}, before = 0;
        for (unsigned i = 3; i > 0; i--) {
            unsigned j = (unsigned)rand() % (i + 1), swap = order[i];
            order[i] = order[j], order[j] = swap;
        }
        for (unsigned r = 0; r < (way ? 4 : 1); r++) {
            struct sw_transactions now = {.tells = tells};
            sw_buffer_add_bytes(&now.ended, sw_buffer_view(&ended));
            unsigned mine = way ? parts & 1u << order[r] : parts;
            run_over(&now, rows, stream, part_of, mine, before);
            before |= mine;
            ended.len = 0;
            sw_buffer_add_bytes(&ended, sw_buffer_view(&now.ended));
            for (size_t i = 0; i < ended.len / sizeof(struct sw_transaction_end); i++)
                ((struct sw_transaction_end *)(void *)ended.at)[i].input = 0;
            tells = now.tells;
            sw_transactions_free(&now);
        }
        sw_buffer_free(&ended);
        for (size_t i = 0; i < count && !way && !by_rule; i++)
            wanted[i] = tells && rows[i].open;
        for (size_t i = 0; i < count; i++)
            if (stream->text[2 * i + 1] == 'r' && (tells && rows[i].open) != wanted[i])
                fail_msg("%s in %s: row %zu is %sopen; parts %u%u%u%u%u%u%u%u%u%u", stream->text, way ? "several runs" : "one run", i, wanted[i] ? "not " : "", part_of[0], part_of[1],
                         part_of[2], part_of[3], part_of[4], part_of[5], part_of[6], part_of[7], part_of[8], part_of[9]);
    }
}

/* Cuts ten letters into up to four parts, and checks. */
static void check_any_split(const struct stream *stream, bool by_rule)
{
    unsigned part_of[10], part = 0, parts = 1;
    for (int i = 0; i < 10; i++) {
        part += part < 3 && i && rand() % 4 == 0;
        part_of[i] = part;
        parts |= 1u << part;
    }
    check_split(stream, part_of, parts, by_rule);
}

/* Transactions one after the other, of which some have no end: their source stopped, and went on with the next one. By id, that is the last one alone: a row
 * without an end before another one's is how a stream without marks looks. */
static void any_split_into_inputs_and_runs_is_the_whole_stream(void **state)
{
    (void)state;
    srand(2);
    for (int round = 0; round < 60000; round++) {
        char text[2 * 10 + 1] = "";
        bool by_id = round & 1, inside = false;
        char id = '0';
        for (int i = 0; i < 10; i++) {
            char kind = 'r';
            if (!inside)
                id++, inside = true, kind = by_id ? 'r' : 'B';
            else if (rand() % 3 == 0)
                kind = 'C', inside = false;
            else if (!by_id && rand() % 6 == 0)
                id++, kind = 'B';
            if (by_id && inside && kind == 'r' && rand() % 4 == 0)
                kind = 'C', inside = false;
            text[2 * i] = id, text[2 * i + 1] = kind;
        }
        check_any_split(&(struct stream){text, by_id}, true);
    }
}

/* What a source sends again after it went back has the ids that it had. Whose end an input begins with is then a guess, but one that must not hang on how inputs are split into runs. */
static void transactions_that_are_sent_again_are_the_same_in_any_split_into_runs(void **state)
{
    (void)state;
    srand(3);
    for (int round = 0; round < 60000; round++) {
        char text[2 * 10 + 1] = "", id = '1';
        bool inside = false;
        for (int i = 0; i < 10; i++) {
            char kind = 'r';
            if (!inside)
                id = (char)('1' + rand() % 2), inside = true, kind = 'B';
            else if (rand() % 3 == 0)
                kind = 'C', inside = false;
            text[2 * i] = id, text[2 * i + 1] = kind;
        }
        check_any_split(&(struct stream){text, false}, false);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_is_open_unless_the_next_mark_is_a_commit_however_blocks_are_cut),
        cmocka_unit_test(any_stream_by_the_same_rule),
        cmocka_unit_test(any_split_into_inputs_and_runs_is_the_whole_stream),
        cmocka_unit_test(transactions_that_are_sent_again_are_the_same_in_any_split_into_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

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
    struct sw_fold_rules rules = {.open = (const void *)transactions->open.at, .open_count = transactions->open.len / sizeof(struct sw_fold_open)};
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_is_open_unless_the_next_mark_is_a_commit_however_blocks_are_cut),
        cmocka_unit_test(any_stream_by_the_same_rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* A challenge for people: what got through first, then what was tried, then what to do. */
#include <string.h>

#include "challenge/tell.h"
#include "report/output.h"
#include "report/page.h"
#include "report/sentence.h"
#include "report/verdict.h"
#include "report/width.h"
#include "text/json_write.h"

#define SHOWN_DEFAULT 5u
#define NUMBER_WIDTH 11u
#define TITLE_WIDTH 44u

/* Text that is made of parts, in lines that fit. */
static void wrap(const struct sw_page *page, size_t column, size_t indent, struct sw_buffer *text)
{
    const char *whole = sw_buffer_text(text);
    if (whole)
        sw_page_wrap(page, column, indent, whole);
    page->out->failed |= text->failed;
    sw_buffer_free(text);
}

static void headline(const struct sw_page *page, const struct sw_challenge *challenge)
{
    struct sw_buffer sentence = {0};
    const char *word = sw_challenge_headline(&sentence, challenge);
    int status = sw_challenge_exit_status(challenge);
    sw_page_ink(page, status == 0 ? SW_INK_GOOD : status == 3 ? SW_INK_WARNING : SW_INK_BAD);
    sw_buffer_add_text(page->out, word);
    sw_page_ink(page, SW_INK_PLAIN);
    sw_buffer_add_text(page->out, ": ");
    wrap(page, strlen(word) + 2, 2, &sentence);
}

static void labelled(const struct sw_page *page, const char *label, struct sw_buffer *text)
{
    sw_buffer_printf(page->out, "  %-11s", label);
    wrap(page, 13, 13, text);
}

static void challenged(const struct sw_page *page, const struct sw_challenge *challenge)
{
    struct sw_buffer result = {0}, sample = {0};
    char room[3][SW_NUMBER_TEXT_MAX];
    struct sw_buffer sentence = {0};
    const char *word = sw_report_headline(&sentence, &challenge->run->report);
    sw_buffer_add_text(&result, word);
    sw_buffer_add_text(&result, ": ");
    sw_buffer_add_bytes(&result, sw_buffer_view(&sentence));
    sw_buffer_printf(&result, " (exit status %d of reconcile)", sw_report_exit_status(&challenge->run->report));
    sw_buffer_free(&sentence);
    sw_buffer_printf(&sample, "%s of %s keys, %s records", sw_number_text(room[0], challenge->sample->count), sw_number_text(room[1], challenge->sampled_of),
                     sw_number_text(room[2], challenge->sample->records));
    if (challenge->sample->left_out)
        sw_buffer_printf(&sample, "; %s keys too large for it", sw_number_text(room[0], challenge->sample->left_out));
    if (challenge->sample->linked)
        sw_buffer_printf(&sample, "; %s keys folded with others left out", sw_number_text(room[0], challenge->sample->linked));
    sw_buffer_printf(&sample, "; --seed %llu gives the same ones again", (unsigned long long)challenge->seed);
    sw_page_title(page, "What was challenged");
    labelled(page, "the result", &result);
    labelled(page, "the sample", &sample);
}

static void survivor(const struct sw_page *page, const struct sw_challenge *challenge, const struct sw_survivor *survivor)
{
    struct sw_buffer line = {0};
    sw_buffer_add_text(&line, challenge->rows[survivor->row].title);
    for (unsigned i = 0; i < survivor->touched; i++) {
        const struct sw_table *table = sw_survivor_table(challenge, survivor->keys[i]);
        struct sw_buffer key = {0}, shown = {0};
        sw_buffer_add_text(&line, i ? " and " : survivor->touched == 2 ? ": keys " : ": key ");
        if (table->name.len) {
            sw_sentence_name(&line, table->name);
            sw_buffer_add_byte(&line, ' ');
        }
        sw_key_write_json(&key, table, survivor->keys[i]->key);
        sw_text_fit(&shown, sw_buffer_view(&key), 60, SW_FIT_ANYWHERE, true);
        sw_buffer_add_bytes(&line, sw_buffer_view(&shown));
        line.failed |= key.failed || shown.failed;
        sw_buffer_free(&key);
        sw_buffer_free(&shown);
    }
    if (survivor->column.len && survivor->hidden != SW_HIDDEN_BY_IGNORE) {
        sw_buffer_add_text(&line, ", column ");
        sw_sentence_name(&line, survivor->column);
    }
    if (survivor->hidden != SW_HIDDEN_BY_NOTHING) {
        sw_buffer_add_text(&line, ": hidden by ");
        (void)sw_survivor_write_hiding(&line, survivor);
    }
    sw_buffer_add_text(page->out, "  - ");
    wrap(page, 4, 4, &line);
}

static void survivors(const struct sw_page *page, const struct sw_challenge *challenge, unsigned most)
{
    uint64_t through = 0;
    char room[SW_NUMBER_TEXT_MAX];
    for (uint32_t i = 0; i < challenge->row_count; i++)
        if (challenge->rows[i].list != SW_LIST_CANNOT_BE_CAUGHT)
            through += challenge->rows[i].tried - challenge->rows[i].passed;
    if (through == 0)
        return;
    sw_page_title(page, "What got through");
    uint64_t shown = 0;
    for (uint32_t row = 0; row < challenge->row_count && shown < most; row++) /* of each kind one, before there is a second of any */
        for (size_t i = 0; i < challenge->survivor_count; i++)
            if (challenge->survivors[i].row == row) {
                survivor(page, challenge, &challenge->survivors[i]);
                shown++;
                break;
            }
    if (through > shown) {
        struct sw_buffer more = {0};
        sw_buffer_printf(&more, "and %s more; --json lists them, up to --list of each kind", sw_number_text(room, through - shown));
        sw_buffer_add_text(page->out, "    ");
        wrap(page, 4, 4, &more);
    }
}

static bool has_tried(const struct sw_challenge *challenge, enum sw_challenge_list list)
{
    bool tried = false;
    for (uint32_t i = 0; i < challenge->row_count; i++)
        tried |= challenge->rows[i].list == list && challenge->rows[i].tried;
    return tried;
}

static void list(const struct sw_page *page, const struct sw_challenge *challenge, enum sw_challenge_list list, const char *title, const char *passed, const char *others)
{
    char room[3][SW_NUMBER_TEXT_MAX];
    bool narrow = page->width < TITLE_WIDTH + 2 + 3 * NUMBER_WIDTH;
    if (!has_tried(challenge, list))
        return;
    sw_page_title(page, title);
    if (!narrow)
        sw_buffer_printf(page->out, "  %*s%*s%*s%*s\n", (int)TITLE_WIDTH, "", (int)NUMBER_WIDTH, "tried", (int)NUMBER_WIDTH, passed, (int)NUMBER_WIDTH, others);
    for (uint32_t i = 0; i < challenge->row_count; i++) {
        const struct sw_challenge_row *row = &challenge->rows[i];
        if (row->list != list || row->tried == 0)
            continue;
        uint64_t rest = row->tried - row->passed;
        bool bad = rest && list != SW_LIST_CANNOT_BE_CAUGHT;
        const char *tried = sw_number_text(room[0], row->tried), *through = sw_number_text(room[1], row->passed), *left = sw_number_text(room[2], rest);
        if (bad)
            sw_page_ink(page, SW_INK_BAD);
        if (narrow) {
            struct sw_buffer line = {0};
            sw_buffer_printf(&line, "%s: %s tried, %s %s, %s %s", row->title, tried, through, passed, left, others);
            sw_buffer_add_text(page->out, "  ");
            wrap(page, 2, 4, &line);
        } else {
            sw_buffer_printf(page->out, "  %-*s%*s%*s%*s\n", (int)TITLE_WIDTH, row->title, (int)NUMBER_WIDTH, tried, (int)NUMBER_WIDTH, through, (int)NUMBER_WIDTH, left);
        }
        if (bad)
            sw_page_ink(page, SW_INK_PLAIN);
    }
}

static bool is_untried(const struct sw_challenge_row *row) { return row->tried == 0 && row->list != SW_LIST_CANNOT_BE_CAUGHT; }

/* What was not tried for one reason stands together. */
static void not_tried(const struct sw_page *page, const struct sw_challenge *challenge)
{
    bool titled = false, told[SW_CHALLENGE_ROWS_MAX] = {false};
    if (challenge->sample->count == 0)
        return; /* the headline says it of all of them */
    for (uint32_t i = 0; i < challenge->row_count; i++) {
        const struct sw_challenge_row *row = &challenge->rows[i];
        if (!is_untried(row) || told[i])
            continue;
        if (!titled)
            sw_page_title(page, "Not tried");
        titled = true;
        struct sw_buffer line = {0};
        sw_buffer_add_text(&line, row->title);
        for (uint32_t j = i + 1; j < challenge->row_count; j++)
            if (is_untried(&challenge->rows[j]) && challenge->rows[j].not_tried == row->not_tried) {
                sw_buffer_printf(&line, "; %s", challenge->rows[j].title);
                told[j] = true;
            }
        sw_buffer_printf(&line, " (%s)", row->not_tried);
        sw_buffer_add_text(page->out, "  - ");
        wrap(page, 4, 4, &line);
    }
}

static void limits(const struct sw_page *page, const struct sw_challenge *challenge)
{
    const char *limit;
    sw_page_title(page, "What this does not show");
    for (size_t i = 0; (limit = sw_challenge_limit(challenge, i)) != NULL; i++) {
        sw_buffer_add_text(page->out, "  - ");
        sw_page_wrap(page, 4, 4, limit);
    }
}

static void next(const struct sw_page *page, const struct sw_challenge *challenge)
{
    uint64_t hidden[SW_HIDING_COUNT] = {0};
    for (uint32_t i = 0; i < challenge->row_count; i++)
        for (int h = 0; h < SW_HIDING_COUNT; h++)
            hidden[h] += challenge->rows[i].hidden[h];
    bool changed = sw_challenge_total(challenge, SW_LIST_MUST_NOT_CHANGE, true) != sw_challenge_total(challenge, SW_LIST_MUST_NOT_CHANGE, false);
    const struct { bool here; const char *text; } all[] = {
        {changed || hidden[SW_HIDDEN_BY_NOTHING],
         "do not rely on this result: slackwater contradicts itself, or an input changed while it ran. Run it again on inputs that stand still; if it stays, report it with the --json output"},
        {hidden[SW_HIDDEN_BY_IGNORE] != 0, "say in the handover that the ignored columns were not compared, or take --ignore away"},
        {hidden[SW_HIDDEN_BY_COMPARE] != 0, "--compare state compares versions too; without it, an older write with equal values counts as equal"},
        {hidden[SW_HIDDEN_BY_SCOPE] != 0, "a row that leaves the part by a fault is not compared: challenge without --where, too"},
        {hidden[SW_HIDDEN_BY_CONFLICTS] != 0, "--conflicts any blocks keys whose older versions disagree; without it, that disagreement is nowhere"},
        {sw_report_exit_status(&challenge->run->report) == 2, "records could not be used: slackwater reconcile shows them; --quarantine FILE puts them aside"},
        {sw_challenge_exit_status(challenge) == 3 && challenge->sample->count == 0, "see first why there is no key to compare: slackwater reconcile says what was read and left aside"},
        {sw_challenge_exit_status(challenge) == 3 && challenge->sample->count, "faults are planted in equal keys: see first why none of the sample is (slackwater reconcile), or take more keys (--sample-keys)"},
        {sw_challenge_exit_status(challenge) == 0, "keep this beside the report of slackwater reconcile: it says how far that one can be trusted, and what it cannot see"}};
    unsigned number = 0;
    sw_page_title(page, "Next");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (!all[i].here)
            continue;
        sw_buffer_printf(page->out, "%3u. ", ++number);
        sw_page_wrap(page, 5, 5, all[i].text);
    }
}

enum sw_code sw_challenge_write_summary(const struct sw_challenge *challenge, const struct sw_summary_style *style, sw_write_fn write, void *ctx, struct sw_error *error)
{
    struct sw_output output = {.write = write, .ctx = ctx, .error = error};
    struct sw_page page = {.out = &output.buffer, .color = style->color, .unicode = style->unicode, .width = style->width ? style->width : 80};
    page.width = page.width < SW_PAGE_WIDTH_MIN ? SW_PAGE_WIDTH_MIN : page.width > SW_PAGE_WIDTH_MAX ? SW_PAGE_WIDTH_MAX : page.width;
    headline(&page, challenge);
    survivors(&page, challenge, style->differences ? style->differences : SHOWN_DEFAULT);
    challenged(&page, challenge);
    list(&page, challenge, SW_LIST_MUST_NOT_CHANGE, "Must not change anything", "held", "changed");
    list(&page, challenge, SW_LIST_MUST_BE_CAUGHT, "Must be caught", "caught", "survived");
    list(&page, challenge, SW_LIST_CANNOT_BE_CAUGHT, "Cannot be caught", "seen", "unseen");
    not_tried(&page, challenge);
    limits(&page, challenge);
    next(&page, challenge);
    sw_buffer_printf(page.out, "\nexit status %d\n", sw_challenge_exit_status(challenge));
    enum sw_code code = sw_output_flush(&output);
    sw_output_free(&output);
    return code;
}

#include "report/recheck.h"

#include "base/memory.h"
#include "report/cuts.h"
#include "report/verdict.h"

#define ROUNDS_SHOWN 6u

static const char *plural(uint64_t count, const char *one, const char *many) { return count == 1 ? one : many; }

const char *sw_recheck_outcome_name(enum sw_recheck_outcome outcome)
{
    static const char *const names[SW_RECHECK_COUNT] = {[SW_RECHECK_IN_FLIGHT] = "in-flight", [SW_RECHECK_PERSISTENT] = "persistent", [SW_RECHECK_CHANGING] = "changing",
                                                        [SW_RECHECK_UNDECIDED] = "undecided", [SW_RECHECK_LEFT_OUT] = "left-out"};
    return names[outcome];
}

void sw_recheck_report_free(struct sw_recheck_report **pointer)
{
    struct sw_recheck_report *recheck = *pointer;
    *pointer = NULL;
    if (!recheck)
        return;
    for (uint32_t r = 0; r < recheck->round_count; r++) {
        struct sw_recheck_round *round = &recheck->rounds[r];
        for (uint32_t i = 0; i < round->input_count; i++) {
            sw_free(round->inputs[i].locator);
            sw_source_cut_free(&round->inputs[i].cut);
        }
        sw_free(round->inputs);
        sw_free(round->at);
    }
    sw_free(recheck->rounds);
    sw_free(recheck->keys);
    sw_key_list_free(&recheck->list);
    sw_free(recheck);
}

uint64_t sw_report_in_flight(const struct sw_report *report) { return report->recheck ? report->recheck->outcomes[SW_RECHECK_IN_FLIGHT] : 0; }
uint64_t sw_report_in_flight_different(const struct sw_report *report) { return report->recheck ? report->recheck->in_flight_different : 0; }

/* Seconds after the first comparison at which a round read; 0 is that comparison itself. */
static double after(const struct sw_recheck_report *recheck, uint32_t round) { return round ? recheck->rounds[round - 1].after : 0; }

static void number_of_seconds(struct sw_buffer *out, double seconds)
{
    uint64_t milliseconds = seconds > 0 ? (uint64_t)(seconds * 1000 + 0.5) : 0;
    sw_buffer_printf(out, "%llu.%03llu", (unsigned long long)(milliseconds / 1000), (unsigned long long)(milliseconds % 1000));
}

static void member_seconds(struct sw_json_writer *json, const char *name, double seconds)
{
    sw_json_name(json, name);
    sw_json_value(json);
    number_of_seconds(json->out, seconds);
}

/* NULL: it was not read again. */
static const struct sw_recheck_key *find(const struct sw_report *report, const struct sw_finding *finding)
{
    size_t index = sw_key_list_find(report->recheck->list, finding->table->name, finding->key);
    return index == SW_KEY_LIST_NONE ? NULL : &report->recheck->keys[index];
}

static bool concerns(const struct sw_report *report, const struct sw_finding *finding) { return report->recheck && sw_reason_class(finding->reason) != SW_CLASS_UNDECIDED; }

const char *sw_recheck_finding_word(const struct sw_report *report, const struct sw_finding *finding)
{
    if (!concerns(report, finding))
        return NULL;
    const struct sw_recheck_key *key = find(report, finding);
    return sw_recheck_outcome_name(key ? (enum sw_recheck_outcome)key->outcome : SW_RECHECK_LEFT_OUT);
}

void sw_recheck_write_finding_json(struct sw_json_writer *json, const struct sw_report *report, const struct sw_finding *finding)
{
    if (!concerns(report, finding))
        return;
    const struct sw_recheck_key *key = find(report, finding);
    sw_json_name(json, "recheck");
    sw_json_begin_object(json);
    sw_json_member_string(json, "outcome", sw_recheck_finding_word(report, finding));
    if (key) {
        member_seconds(json, "seenSeconds", after(report->recheck, key->seen));
        if (key->gone) {
            sw_json_member_u64(json, "goneInRound", key->gone);
            member_seconds(json, "goneAfterSeconds", after(report->recheck, key->gone));
        }
    }
    sw_json_end_object(json);
}

void sw_recheck_finding_sentence(struct sw_buffer *out, const struct sw_report *report, const struct sw_finding *finding)
{
    if (!concerns(report, finding))
        return;
    const struct sw_recheck_key *key = find(report, finding);
    if (!key) {
        sw_buffer_add_text(out, "not read again: beyond the most keys that are");
        return;
    }
    double seen = after(report->recheck, key->seen);
    switch ((enum sw_recheck_outcome)key->outcome) {
    case SW_RECHECK_IN_FLIGHT:
        sw_buffer_add_text(out, "in flight: equal when it was read again, ");
        number_of_seconds(out, after(report->recheck, key->gone));
        sw_buffer_add_text(out, " s after it was first seen");
        if (key->seen) {
            sw_buffer_add_text(out, " (still there at ");
            number_of_seconds(out, seen);
            sw_buffer_add_text(out, " s)");
        }
        return;
    case SW_RECHECK_PERSISTENT:
        sw_buffer_add_text(out, "persistent: both rows unchanged for ");
        number_of_seconds(out, seen);
        sw_buffer_add_text(out, " s, since it was first seen");
        return;
    case SW_RECHECK_CHANGING:
        sw_buffer_add_text(out, "changing: it still differed ");
        number_of_seconds(out, seen);
        sw_buffer_add_text(out, " s after it was first seen, and not as it did: its rows were written since");
        return;
    case SW_RECHECK_UNDECIDED:
    case SW_RECHECK_LEFT_OUT:
    case SW_RECHECK_COUNT: break;
    }
    sw_buffer_add_text(out, "read again, and undecided: no later reading proves anything of it");
}

static void write_input(struct sw_json_writer *json, const struct sw_recheck_input *input)
{
    sw_json_begin_object(json);
    sw_json_member_string(json, "role", sw_role_name(input->role));
    sw_json_member_string(json, "locator", input->locator);
    sw_json_member_boolean(json, "live", input->live);
    sw_json_member_boolean(json, "byKey", input->by_key);
    sw_json_member_u64(json, "records", input->records);
    sw_cut_write_json(json, "cut", &input->cut);
    sw_json_member_string(json, "relation", sw_cuts_relation_name(input->answer.relation));
    sw_json_member_string(json, "sentence", input->answer.text);
    sw_json_end_object(json);
}

static void write_round(struct sw_json_writer *json, const struct sw_recheck_round *round, uint32_t number)
{
    sw_json_begin_object(json);
    sw_json_member_u64(json, "round", number);
    sw_json_member_string(json, "at", round->at);
    member_seconds(json, "afterSeconds", round->after);
    sw_json_member_u64(json, "keys", round->keys);
    sw_json_member_u64(json, "gone", round->gone);
    sw_json_member_u64(json, "unchanged", round->unchanged);
    sw_json_member_u64(json, "changed", round->changed);
    sw_json_member_u64(json, "undecided", round->undecided);
    sw_json_member_boolean(json, "proves", round->proves);
    sw_json_member_boolean(json, "untold", round->untold);
    if (!round->proves)
        sw_json_member_string(json, "why", round->why);
    sw_json_name(json, "inputs");
    sw_json_begin_array(json);
    for (uint32_t i = 0; i < round->input_count; i++)
        write_input(json, &round->inputs[i]);
    sw_json_end_array(json);
    sw_json_end_object(json);
}

void sw_recheck_write_json(struct sw_json_writer *json, const struct sw_report *report)
{
    const struct sw_recheck_report *recheck = report->recheck;
    if (!recheck)
        return;
    sw_json_name(json, "recheck");
    sw_json_begin_object(json);
    member_seconds(json, "seconds", recheck->seconds);
    sw_json_member_u64(json, "times", recheck->times);
    sw_json_member_u64(json, "keys", sw_key_list_count(recheck->list));
    sw_json_member_u64(json, "keysMax", recheck->keys_max);
    sw_json_member_u64(json, "inFlight", recheck->outcomes[SW_RECHECK_IN_FLIGHT]);
    sw_json_member_u64(json, "persistent", recheck->outcomes[SW_RECHECK_PERSISTENT]);
    sw_json_member_u64(json, "changing", recheck->outcomes[SW_RECHECK_CHANGING]);
    sw_json_member_u64(json, "undecided", recheck->outcomes[SW_RECHECK_UNDECIDED]);
    sw_json_member_u64(json, "leftOut", recheck->outcomes[SW_RECHECK_LEFT_OUT]);
    sw_json_name(json, "rounds");
    sw_json_begin_array(json);
    for (uint32_t i = 0; i < recheck->round_count; i++)
        write_round(json, &recheck->rounds[i], i + 1);
    sw_json_end_array(json);
    sw_json_end_object(json);
}

static void line(const struct sw_page *page, const struct sw_buffer *text)
{
    sw_page_blanks(page, 2);
    if (text->len && !text->failed) {
        struct sw_buffer copy = {0};
        sw_buffer_add_bytes(&copy, sw_buffer_view(text));
        const char *at = sw_buffer_text(&copy);
        if (at)
            sw_page_wrap(page, 2, 4, at);
        page->out->failed |= copy.failed;
        sw_buffer_free(&copy);
    }
    page->out->failed |= text->failed;
}

static void count(struct sw_buffer *out, uint64_t number, const char *what)
{
    if (!number)
        return;
    sw_buffer_add_text(out, out->len ? ", " : "");
    sw_sentence_number(out, number);
    sw_buffer_printf(out, " %s", what);
}

void sw_recheck_write_summary(const struct sw_page *page, const struct sw_report *report)
{
    const struct sw_recheck_report *recheck = report->recheck;
    struct sw_buffer text = {0};
    if (!recheck)
        return;
    sw_page_title(page, "Recheck");
    for (uint32_t i = 0; i < recheck->round_count && i < ROUNDS_SHOWN; i++) {
        const struct sw_recheck_round *round = &recheck->rounds[i];
        text.len = 0;
        sw_buffer_add_text(&text, "after ");
        number_of_seconds(&text, round->after);
        sw_buffer_add_text(&text, " s: ");
        sw_sentence_number(&text, round->keys);
        sw_buffer_printf(&text, " %s read again: ", plural(round->keys, "key", "keys"));
        if (round->proves) {
            struct sw_buffer counts = {0};
            count(&counts, round->gone, "equal");
            count(&counts, round->unchanged, "unchanged");
            count(&counts, round->changed, "different in another way");
            count(&counts, round->undecided, "undecided");
            sw_buffer_add_bytes(&text, sw_buffer_view(&counts));
            text.failed |= counts.failed;
            sw_buffer_free(&counts);
        } else {
            sw_buffer_add_text(&text, "it proves nothing: ");
            sw_buffer_add_text(&text, round->why);
        }
        line(page, &text);
    }
    if (recheck->round_count > ROUNDS_SHOWN)
        sw_buffer_printf(page->out, "  (%u more readings)\n", recheck->round_count - ROUNDS_SHOWN);
    text.len = 0;
    count(&text, recheck->outcomes[SW_RECHECK_IN_FLIGHT], "in flight");
    count(&text, recheck->outcomes[SW_RECHECK_PERSISTENT], "persistent");
    count(&text, recheck->outcomes[SW_RECHECK_CHANGING], "changing");
    count(&text, recheck->outcomes[SW_RECHECK_UNDECIDED], "undecided");
    count(&text, recheck->outcomes[SW_RECHECK_LEFT_OUT], "not read again");
    if (!text.len)
        sw_buffer_add_text(&text, "no key differed: nothing was read again");
    line(page, &text);
    sw_buffer_free(&text);
}

void sw_recheck_judge(struct sw_sentences *reasons, const struct sw_report *report)
{
    char a[SW_NUMBER_TEXT_MAX], b[SW_NUMBER_TEXT_MAX];
    const struct sw_recheck_report *recheck = report->recheck;
    if (!recheck || !recheck->round_count)
        return;
    const uint64_t *outcomes = recheck->outcomes;
    if (outcomes[SW_RECHECK_IN_FLIGHT])
        sw_sentences_add(reasons, "%s of %s differences %s gone when those keys were read again; no reading showed all keys equal at once", sw_number_text(a, outcomes[SW_RECHECK_IN_FLIGHT]),
                         sw_number_text(b, sw_report_differences(report)), plural(outcomes[SW_RECHECK_IN_FLIGHT], "was", "were"));
    if (outcomes[SW_RECHECK_PERSISTENT])
        sw_sentences_add(reasons, "%s %s when read again: both rows as they were", sw_number_text(a, outcomes[SW_RECHECK_PERSISTENT]), plural(outcomes[SW_RECHECK_PERSISTENT], "difference was unchanged", "differences were unchanged"));
}

void sw_recheck_limits(struct sw_sentences *out, const struct sw_report *report)
{
    char a[SW_NUMBER_TEXT_MAX];
    const struct sw_recheck_report *recheck = report->recheck;
    bool untold = false;
    if (!recheck || !recheck->round_count)
        return;
    sw_sentences_add(out, "keys that were equal at first were not read again: whether they still are is not known");
    sw_sentences_add(out, "how long a difference was there before the first reading is not known, and between two readings it was not looked at");
    if (recheck->file_evidence)
        sw_sentences_add(out, "files of the evidence say the same when they are read again: what the source changed since is not in them");
    for (uint32_t r = 0; r < recheck->round_count; r++)
        untold |= recheck->rounds[r].untold;
    if (untold)
        sw_sentences_add(out, "a source that was read again tells no position: that it was not an older copy that answered rests on the time alone");
    if (recheck->outcomes[SW_RECHECK_LEFT_OUT])
        sw_sentences_add(out, "%s %s not read again: the first %llu in key order are (--memory bounds them)", sw_number_text(a, recheck->outcomes[SW_RECHECK_LEFT_OUT]),
                         plural(recheck->outcomes[SW_RECHECK_LEFT_OUT], "difference was", "differences were"), (unsigned long long)sw_key_list_count(recheck->list));
}

void sw_recheck_next(struct sw_sentences *out, const struct sw_report *report)
{
    const struct sw_recheck_report *recheck = report->recheck;
    if (!recheck || !recheck->round_count)
        return;
    const uint64_t *outcomes = recheck->outcomes;
    if (outcomes[SW_RECHECK_PERSISTENT])
        sw_sentences_add(out, "persistent differences first: lag does not explain a row that neither side changed, unless it is longer than the readings waited");
    if (outcomes[SW_RECHECK_CHANGING])
        sw_sentences_add(out, "changing: those keys are written faster than they were read again; read them again with a longer wait (--recheck SECONDS), or when the writers pause");
    if (outcomes[SW_RECHECK_UNDECIDED])
        sw_sentences_add(out, "undecided when read again: the Recheck section says which source did not stand still; name one server, and a slot or topic that keeps what was read");
    if (outcomes[SW_RECHECK_IN_FLIGHT] && outcomes[SW_RECHECK_IN_FLIGHT] == sw_report_differences(report))
        sw_sentences_add(out, "all differences were changes under way; for a state that is proven equal, compare at a cut (--cut), or while the source rests");
}

#include "case/course.h"

#include "case/command_text.h"
#include "case/rules/rule.h"

/* Rules that stand here come before all others, which follow by their numbers. */
static const unsigned first_rules[] = {101, 102, 103, 104, 305, 107, 108, 306, 806, 307, 206, 201, 202, 203, 805, 804, 301, 302, 303, 304};
enum { FIRST_RULES = sizeof first_rules / sizeof first_rules[0] };

static size_t place_of(unsigned number)
{
    size_t place = 0;
    while (place < FIRST_RULES && first_rules[place] != number)
        place++;
    return place;
}

static bool has_answer(const struct sw_note_rule *rule, enum sw_answer answer) { return strcmp(rule->answer, sw_answer_name(answer)) == 0; }

size_t sw_course_open(const struct sw_note_rule **out, const struct sw_handover_note *note)
{
    size_t count = 0;
    for (size_t place = 0; place <= FIRST_RULES; place++)
        for (size_t i = 0; i < note->rule_count; i++)
            if (place_of(note->rules[i].number) == place && has_answer(&note->rules[i], SW_ANSWER_OPEN))
                out[count++] = &note->rules[i];
    return count;
}

const struct sw_note_rule *sw_course_failed(const struct sw_handover_note *note)
{
    for (size_t i = 0; i < note->rule_count; i++)
        if (has_answer(&note->rules[i], SW_ANSWER_FAILED))
            return &note->rules[i];
    return NULL;
}

static bool begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

/* Is a piece of that kind in evidence, and counts? */
static bool is_there(const struct sw_handover_note *note, const char *kind)
{
    for (size_t i = 0; i < note->evidence_count; i++)
        if (!note->evidence[i].superseded_by && sw_bytes_is(note->evidence[i].kind, kind))
            return true;
    return false;
}

void sw_course_answer(struct sw_buffer *out, const struct sw_handover_note *note, const struct sw_note_rule *rule, const char *directory)
{
    /* what a rule reads first, the piece that has it, and the command that makes one */
    static const struct { const char *reads, *kind, *command, *more; } made[] = {
        {"report", "reconcile", "slackwater reconcile \xe2\x80\xa6 --cut POSITION --copy-inputs --case ", ""},
        {"challenge", "challenge", "slackwater challenge \xe2\x80\xa6 --case ", ""},
        {"gap", "gap", "slackwater position probe LOCATOR --saved POSITION --case ", " (without a live source: position gap)"},
        {"comparison", "comparison", "slackwater position compare \xe2\x80\xa6 --case ", ""},
        {"ledger: kind", "query", "slackwater case add ", " FILE --kind query"},
        {"ledger", "", "the command that made it, again, with --case ", ""},
    };
    const struct sw_rule *of = sw_rule_find(rule->number);
    const char *reads = of ? of->reads : "";
    const struct sw_bytes case_name = sw_bytes_text(directory);
    bool declared = sw_bytes_begin_text(rule->detail, "case.yaml");
    for (size_t i = 0; !declared && i < sizeof made / sizeof made[0]; i++)
        if (begins(reads, made[i].reads) && !is_there(note, made[i].kind)) {
            sw_buffer_add_text(out, made[i].command);
            sw_command_quote(out, case_name);
            sw_buffer_add_text(out, made[i].more);
            return;
        }
    if (declared && sw_bytes_end_text(rule->detail, "evidence is empty")) {
        sw_buffer_add_text(out, "slackwater case add ");
        sw_command_quote(out, case_name);
        sw_buffer_add_text(out, " FILE, then the number that it prints into case.yaml");
        return;
    }
    sw_buffer_add_text(out, "fill it in: ${EDITOR:-vi} ");
    sw_command_quote(out, case_name);
    sw_buffer_add_text(out, "/case.yaml");
}

#include "challenge/tell.h"

#include "report/sentence.h"
#include "report/verdict.h"

const char *sw_challenge_headline(struct sw_buffer *sentence, const struct sw_challenge *challenge)
{
    uint64_t tried = sw_challenge_total(challenge, SW_LIST_MUST_BE_CAUGHT, false), caught = sw_challenge_total(challenge, SW_LIST_MUST_BE_CAUGHT, true);
    uint64_t looked = sw_challenge_total(challenge, SW_LIST_MUST_NOT_CHANGE, false), held = sw_challenge_total(challenge, SW_LIST_MUST_NOT_CHANGE, true);
    uint64_t unexplained = 0;
    char room[2][SW_NUMBER_TEXT_MAX];
    for (uint32_t i = 0; i < challenge->row_count; i++)
        unexplained += challenge->rows[i].hidden[SW_HIDDEN_BY_NOTHING];
    if (looked != held)
        sw_buffer_printf(sentence, "%s of %s results changed though nothing that counts did: no result of this run can be relied on", sw_number_text(room[0], looked - held),
                         sw_number_text(room[1], looked));
    if (looked != held && tried != caught)
        sw_buffer_add_text(sentence, "; ");
    if (tried != caught)
        sw_buffer_printf(sentence, "%s of %s planted faults went unnoticed%s", sw_number_text(room[0], tried - caught), sw_number_text(room[1], tried),
                         unexplained ? ", and no option explains it" : ", hidden by what was declared");
    if (looked != held || tried != caught)
        return looked != held ? "CHANGED" : "SURVIVED";
    if (tried == 0) {
        sw_buffer_add_text(sentence, challenge->sample->count ? "no fault could be planted: no key of the sample has what it takes" : "no fault could be planted: there is no key");
        return "NOTHING TRIED";
    }
    if (tried == 1)
        sw_buffer_add_text(sentence, "the one fault that could be planted was noticed, and nothing changed that must not");
    else
        sw_buffer_printf(sentence, "all %s planted faults were noticed, and nothing changed that must not", sw_number_text(room[0], tried));
    return sw_challenge_exit_status(challenge) == 2 ? "UNREAD RECORDS" : "NOTHING SURVIVED";
}

bool sw_survivor_write_hiding(struct sw_buffer *out, const struct sw_survivor *survivor)
{
    const char *text = sw_hiding_text(survivor->hidden);
    if (!text)
        return false;
    sw_buffer_add_text(out, text);
    if (survivor->hidden == SW_HIDDEN_BY_IGNORE) {
        sw_buffer_add_byte(out, ' ');
        sw_sentence_name(out, survivor->column);
    }
    return true;
}

const struct sw_table *sw_survivor_table(const struct sw_challenge *challenge, const struct sw_sample_key *key) { return sw_schema_table_at(challenge->run->rules.schema, key->table); }

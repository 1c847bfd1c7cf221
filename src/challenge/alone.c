/* The keys of the sample, folded by themselves, must end as they did in the run: everything else rests on that. */
#include "challenge/challenge.h"

/* The next finding of the whole run; *more becomes false at the end. */
static enum sw_code next(struct sw_bytes *key, struct sw_bytes *content, bool *more, struct sw_run_merge *merge, struct sw_error *error)
{
    enum sw_code code = sw_run_merge_next(key, content, merge, error);
    *more = code == SW_OK;
    return code < 0 ? code : SW_OK;
}

enum sw_code sw_challenge_alone(struct sw_challenge *challenge, struct sw_error *error)
{
    struct sw_challenge_row *row = sw_challenge_row(challenge, SW_LIST_MUST_NOT_CHANGE, "alone", "the sample compared by itself",
                                                    "Each key of the sample must end as it did among all others, with the same finding from the same records.");
    struct sw_trial trial = {.rules = &challenge->run->rules, .places = true};
    struct sw_run_merge *merge = NULL;
    struct sw_bytes key = {0}, content = {0};
    bool more = false;
    enum sw_code code = sw_run_merge_open(&merge, challenge->run->findings, error);
    if (code == SW_OK)
        code = next(&key, &content, &more, merge, error);
    for (size_t i = 0; i < challenge->subjects.count && code == SW_OK; i++) {
        const struct sw_sample_key *sample = challenge->subjects.at[i].sample;
        while (code == SW_OK && more && sw_bytes_compare(key, sample->sort_key) < 0)
            code = next(&key, &content, &more, merge, error);
        bool found = more && sw_bytes_equal(key, sample->sort_key);
        struct sw_outcome outcome;
        if (code == SW_OK)
            code = sw_trial_fold(&outcome, &trial, sample->records, sample->count, error);
        if (code == SW_OK)
            code = sw_challenge_held(challenge, row, i, sw_bytes_equal(outcome.finding, found ? content : (struct sw_bytes){0}), error);
    }
    sw_run_merge_close(&merge);
    sw_trial_free(&trial);
    return code;
}

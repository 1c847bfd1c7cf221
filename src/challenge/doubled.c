/* Every delivery doubled: the same event once more, later than everything else. */
#include "base/memory.h"
#include "challenge/challenge.h"

/* Behind all blocks that an input can have. */
#define AFTER_ALL ((uint64_t)1 << 40)

static bool counts(const struct sw_record *record) { return record->role != SW_RECORD_ROLE_FOLLOWING && !(record->flags & SW_RECORD_UNREADABLE); }

enum sw_code sw_challenge_doubled(struct sw_challenge *challenge, struct sw_error *error)
{
    const struct sw_fold_rules *rules = &challenge->run->rules;
    struct sw_challenge_row *row = sw_challenge_row(challenge, SW_LIST_MUST_NOT_CHANGE, "deliveries-doubled", "every delivery doubled",
                                                    "Every event comes once more, after all others, and every baseline row: no key may end otherwise, and each record must be accounted for once.");
    if (rules->order && rules->order->arrival) {
        row->not_tried = "the declared order is file: what arrives again is newer, by declaration";
        return SW_OK;
    }
    if (!rules->events_given) {
        row->not_tried = "there are no events: nothing is delivered, and a row that a table has twice is told";
        return SW_OK;
    }
    const struct sw_sample *sample = challenge->sample;
    struct sw_record *records = sw_calloc(2 * SW_SAMPLE_KEY_RECORDS_MAX, sizeof *records);
    enum sw_code code = records ? SW_OK : sw_fail_memory(error, "the records of a key", 0);
    for (size_t i = 0; i < sample->count && code == SW_OK; i++) {
        const struct sw_sample_key *key = &sample->keys[i];
        size_t count = key->count;
        uint64_t counted = 0, before = sw_trial_disposed(&challenge->trial);
        struct sw_outcome outcome;
        memcpy(records, key->records, count * sizeof *records);
        for (size_t r = 0; r < key->count; r++) {
            if (key->records[r].role == SW_ROLE_EXPECTED)
                continue;
            struct sw_record *again = &records[count++];
            *again = key->records[r];
            if (rules->open_count == 0) /* which records are of an open transaction is told by their places */
                again->block += AFTER_ALL;
        }
        for (size_t r = 0; r < count; r++)
            counted += counts(&records[r]);
        code = sw_trial_fold(&outcome, &challenge->trial, records, count, error);
        if (code < 0)
            break;
        bool held = sw_subject_same(&challenge->subjects, &challenge->subjects.at[i], &outcome) && sw_trial_disposed(&challenge->trial) - before == counted;
        code = sw_challenge_held(challenge, row, i, held, error);
    }
    sw_free(records);
    return code;
}

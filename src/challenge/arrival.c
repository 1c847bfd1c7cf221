/* Arrival shuffled: the records of the sample change places with each other, and stand in another order. */
#include "base/memory.h"
#include "challenge/challenge.h"

#define ROUNDS 3u

static void swap_places(struct sw_record *a, struct sw_record *b)
{
    struct sw_record place = *a;
    a->input = b->input, a->block = b->block, a->line = b->line;
    b->input = place.input, b->block = place.block, b->line = place.line;
}

/* Places are exchanged among records of one role, so that each still comes from an input of its own. */
static void shuffle_places(struct sw_record *records, size_t count, struct sw_dice *dice)
{
    for (unsigned role = 0; role <= SW_RECORD_ROLE_FOLLOWING; role++) {
        for (size_t i = 0; i < count; i++) {
            if (records[i].role != role)
                continue;
            size_t j = (size_t)sw_dice_roll(dice, i + 1);
            while (j < i && records[j].role != role)
                j++;
            swap_places(&records[i], &records[j]);
        }
    }
}

static void shuffle(struct sw_record *records, size_t count, struct sw_dice *dice)
{
    for (size_t i = count; i > 1; i--) {
        size_t j = (size_t)sw_dice_roll(dice, i);
        struct sw_record swap = records[i - 1];
        records[i - 1] = records[j];
        records[j] = swap;
    }
}

enum sw_code sw_challenge_arrival(struct sw_challenge *challenge, struct sw_error *error)
{
    const struct sw_fold_rules *rules = &challenge->run->rules;
    struct sw_challenge_row *row = sw_challenge_row(challenge, SW_LIST_MUST_NOT_CHANGE, "arrival-shuffled", "arrival shuffled, three times",
                                                    "Records exchange their places in the inputs and stand in another order: every key must end as it did, whatever came first or last.");
    if (rules->order && rules->order->arrival) {
        row->not_tried = "the declared order is file: arrival is the order, and shuffling it would change what was declared";
        return SW_OK;
    }
    const struct sw_sample *sample = challenge->sample;
    struct sw_record *records = sw_calloc(sample->records, sizeof *records);
    bool *changed = sw_calloc(sample->count, sizeof *changed);
    struct sw_dice dice = {challenge->seed ^ 0xa55a};
    enum sw_code code = records && changed ? SW_OK : sw_fail_memory(error, "the sample", sample->records * sizeof *records);
    for (unsigned round = 0; round < ROUNDS && code == SW_OK; round++) {
        size_t used = 0;
        for (size_t i = 0; i < sample->count; i++) {
            memcpy(records + used, sample->keys[i].records, sample->keys[i].count * sizeof *records);
            used += sample->keys[i].count;
        }
        if (rules->open_count == 0) /* which records are of an open transaction is told by their places */
            shuffle_places(records, used, &dice);
        used = 0;
        for (size_t i = 0; i < sample->count && code == SW_OK; i++) {
            struct sw_outcome outcome;
            shuffle(records + used, sample->keys[i].count, &dice);
            code = sw_trial_fold(&outcome, &challenge->trial, records + used, sample->keys[i].count, error);
            used += sample->keys[i].count;
            changed[i] |= !sw_subject_same(&challenge->subjects, &challenge->subjects.at[i], &outcome);
        }
    }
    for (size_t i = 0; i < sample->count && code == SW_OK; i++)
        code = sw_challenge_held(challenge, row, i, !changed[i], error);
    sw_free(records);
    sw_free(changed);
    return code;
}

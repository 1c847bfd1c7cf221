#include "challenge/challenge.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/options.h"
#include "report/verdict.h"

#define SAMPLE_KEYS_MAX 100000u
#define OUTSIDE_TIMES 16u /* where a condition may leave keys out, so many more are sampled at first */

struct sw_challenge_row *sw_challenge_row(struct sw_challenge *challenge, enum sw_challenge_list list, const char *name, const char *title, const char *why)
{
    assert(challenge->row_count < SW_CHALLENGE_ROWS_MAX);
    struct sw_challenge_row *row = &challenge->rows[challenge->row_count++];
    *row = (struct sw_challenge_row){.list = list, .name = name, .title = title, .why = why};
    return row;
}

enum sw_code sw_challenge_keep(struct sw_challenge *challenge, struct sw_challenge_row *row, const struct sw_survivor *survivor, struct sw_error *error)
{
    if (row->shown == challenge->listed)
        return SW_OK;
    if (challenge->survivor_count == challenge->survivor_capacity) {
        size_t capacity = challenge->survivor_capacity * 2 + 16;
        struct sw_survivor *grown = sw_realloc_array(challenge->survivors, capacity, sizeof *grown);
        if (!grown)
            return sw_fail_memory(error, "what survived", capacity * sizeof *grown);
        challenge->survivors = grown;
        challenge->survivor_capacity = capacity;
    }
    struct sw_survivor *kept = &challenge->survivors[challenge->survivor_count++];
    *kept = *survivor;
    kept->row = (uint32_t)(row - challenge->rows);
    row->shown++;
    return SW_OK;
}

enum sw_code sw_challenge_held(struct sw_challenge *challenge, struct sw_challenge_row *row, size_t subject, bool held, struct sw_error *error)
{
    row->tried++;
    row->passed += held;
    return held ? SW_OK : sw_challenge_keep(challenge, row, &(struct sw_survivor){.touched = 1, .keys = {challenge->subjects.at[subject].sample}}, error);
}

uint64_t sw_challenge_total(const struct sw_challenge *challenge, enum sw_challenge_list list, bool passed)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < challenge->row_count; i++)
        if (challenge->rows[i].list == list)
            sum += passed ? challenge->rows[i].passed : challenge->rows[i].tried;
    return sum;
}

int sw_challenge_exit_status(const struct sw_challenge *challenge)
{
    bool through = false;
    for (enum sw_challenge_list list = SW_LIST_MUST_NOT_CHANGE; list <= SW_LIST_MUST_BE_CAUGHT; list++)
        through |= sw_challenge_total(challenge, list, true) != sw_challenge_total(challenge, list, false);
    if (sw_report_exit_status(&challenge->run->report) == 2)
        return 2;
    if (through)
        return 1;
    return sw_challenge_total(challenge, SW_LIST_MUST_BE_CAUGHT, false) ? 0 : 3;
}

bool sw_challenge_count(uint64_t *out, const struct sw_challenge *challenge, const char *name)
{
    uint64_t tried = sw_challenge_total(challenge, SW_LIST_MUST_BE_CAUGHT, false), caught = sw_challenge_total(challenge, SW_LIST_MUST_BE_CAUGHT, true);
    uint64_t looked = sw_challenge_total(challenge, SW_LIST_MUST_NOT_CHANGE, false), held = sw_challenge_total(challenge, SW_LIST_MUST_NOT_CHANGE, true);
    const struct { const char *name; uint64_t count; } all[] = {
        {"tried", tried}, {"caught", caught}, {"survived", tried - caught}, {"held", held}, {"changed", looked - held}, {"keys", challenge->sample->count}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i].name, name) == 0) {
            *out = all[i].count;
            return true;
        }
    return false;
}

const char *sw_challenge_limit(const struct sw_challenge *challenge, size_t index)
{
    const char *limits[11];
    size_t count = 0;
    if (challenge->sample->count < challenge->sampled_of)
        limits[count++] = "faults were planted in a sample of the keys, not in all of them";
    if (challenge->sample->left_out)
        limits[count++] = "keys with more than 256 records, or more than 1 MiB of them, are left out of the sample";
    if (challenge->sample->linked)
        limits[count++] = "keys between which rows moved without all their columns are folded together, and left out of the sample";
    if (!challenge->run->rules.compare_versions)
        limits[count++] = "versions are not compared: a row that was written by an older event with the same values looks right";
    if (challenge->run->report.absent_column_count)
        limits[count++] = "columns that one side lacks altogether are compared with nothing; the reconciliation names them";
    if (challenge->run->report.scope.limited)
        limits[count++] = "keys out of scope were not challenged: faults in them are not looked for";
    limits[count++] = "a key that is missing from both sides is nowhere, and nothing tells of it";
    limits[count++] = "faults are planted behind the readers: a format, a type or a mapping that says the wrong thing of both sides is not challenged";
    limits[count++] = "whether several keys of one transaction were written together, whether anything lasts after a restart, and whether the history is complete";
    limits[count++] = "whether the reference is what the destination really held";
    return index < count ? limits[index] : NULL;
}

void sw_challenge_options_init_sized(struct sw_challenge_options *options, size_t size)
{
    struct sw_challenge_options defaults = {.struct_size = size, .seed = 1, .sample_keys = 1000, .again_bytes = (uint64_t)256 << 20, .listed_survivors = 20};
    memset(options, 0, size);
    memcpy(options, &defaults, size < sizeof defaults ? size : sizeof defaults);
}

static enum sw_code no_reference(struct sw_error *error) { return sw_fail(error, SW_ERR_USAGE, "nothing to challenge without a reference: --expected names the destination's rows"); }

static enum sw_code check_options(const struct sw_challenge_options *options, struct sw_error *error)
{
    if (!options->run)
        return sw_fail(error, SW_ERR_USAGE, "sw_challenge_options.run is not set: it says what is reconciled");
    if (options->run->expected_count == 0 && !options->run->map_file) /* whose tables may name it */
        return no_reference(error);
    if (options->sample_keys == 0 || options->sample_keys > SAMPLE_KEYS_MAX)
        return sw_fail(error, SW_ERR_USAGE, "--sample-keys: expected 1 to %u, found %llu", SAMPLE_KEYS_MAX, (unsigned long long)options->sample_keys);
    return SW_OK;
}

struct ranked {
    uint64_t hash;
    size_t at;
};

static int by_hash(const void *a, const void *b)
{
    const struct ranked *left = a, *right = b;
    if (left->hash != right->hash)
        return left->hash < right->hash ? -1 : 1;
    return (left->at > right->at) - (left->at < right->at);
}

static int by_place(const void *a, const void *b)
{
    const struct ranked *left = a, *right = b;
    return (left->at > right->at) - (left->at < right->at);
}

/* Of the keys that were sampled, those in scope, as many as were asked for: which ones, a hash decides. */
static enum sw_code keep_inside(struct sw_challenge *challenge, struct sw_error *error)
{
    const struct sw_sample *all = challenge->sample;
    struct sw_sample *inside = &challenge->inside;
    struct ranked *ranked = sw_calloc(all->count, sizeof *ranked);
    size_t count = 0;
    enum sw_code code = SW_OK;
    *inside = (struct sw_sample){.keys = sw_calloc(all->count, sizeof *inside->keys), .left_out = all->left_out, .linked = all->linked};
    if (!ranked || !inside->keys)
        code = sw_fail_memory(error, "the sample", all->count * sizeof *inside->keys);
    for (size_t i = 0; i < all->count && code == SW_OK; i++) {
        const struct sw_sample_key *key = &all->keys[i];
        struct sw_outcome outcome;
        code = sw_trial_fold(&outcome, &challenge->trial, key->records, key->count, error);
        if (!outcome.outside)
            ranked[count++] = (struct ranked){sw_hash(key->sort_key.at, key->sort_key.len, challenge->seed), i};
    }
    if (code == SW_OK && count > challenge->sample_keys) {
        qsort(ranked, count, sizeof *ranked, by_hash);
        count = (size_t)challenge->sample_keys;
        qsort(ranked, count, sizeof *ranked, by_place);
    }
    for (size_t i = 0; i < count && code == SW_OK; i++) {
        inside->keys[inside->count++] = all->keys[ranked[i].at];
        inside->records += all->keys[ranked[i].at].count;
    }
    sw_free(ranked);
    challenge->sample = inside;
    return code;
}

static enum sw_code challenge_all(struct sw_challenge *challenge, struct sw_error *error)
{
    struct sw_run_sampling sampling = {challenge->seed, (size_t)challenge->sample_keys, OUTSIDE_TIMES, SAMPLE_KEYS_MAX};
    enum sw_code code = sw_run_reconcile(&challenge->run, challenge->options->run, &sampling, error);
    if (code < 0)
        return code;
    const struct sw_fold_rules *rules = &challenge->run->rules;
    if (!rules->reference_given)
        return no_reference(error);
    challenge->sampled_of = sw_report_keys(&challenge->run->report);
    challenge->trial.rules = rules;
    code = sw_sampler_finish(&challenge->sample, challenge->run->sampler, rules->schema, rules->links, error);
    if (code == SW_OK && rules->scope)
        code = keep_inside(challenge, error);
    if (code == SW_OK)
        code = sw_subjects_open(&challenge->subjects, challenge->sample, rules, &challenge->trial, error);
    enum sw_code (*const steps[])(struct sw_challenge *, struct sw_error *) = {
        sw_challenge_alone, sw_challenge_arrival, sw_challenge_doubled, sw_challenge_ways, sw_challenge_again, sw_challenge_plant};
    for (size_t i = 0; i < sizeof steps / sizeof *steps && code == SW_OK; i++)
        code = steps[i](challenge, error);
    return code;
}

/* The report is opened before anything is read, so that a folder that cannot be written to is told at once. */
static enum sw_code challenge_to(struct sw_output_file **file, struct sw_challenge *challenge, struct sw_error *error)
{
    const char *path = challenge->options->report_file;
    enum sw_code code = path ? sw_output_file_open(file, path, error) : SW_OK;
    if (code == SW_OK)
        code = challenge_all(challenge, error);
    for (int r = 0; path && code == SW_OK && r < SW_ROLE_COUNT; r++)
        for (uint32_t i = 0; i < challenge->run->reading.roles[r].input_count && code == SW_OK; i++) {
            const struct sw_input *input = sw_source_input(challenge->run->reading.roles[r].source, i);
            if (input->regular)
                code = sw_output_file_refuse_input(path, input->id, input->locator, error);
        }
    if (path && code == SW_OK)
        code = sw_challenge_write_json(challenge, sw_output_file_write_fn, *file, error);
    return path && code == SW_OK ? sw_output_file_commit(file, error) : code;
}

enum sw_code sw_challenge(struct sw_challenge **out, const struct sw_challenge_options *options, struct sw_error *error)
{
    struct sw_challenge_options complete; /* an older caller's structure may be shorter */
    struct sw_output_file *file = NULL;
    sw_challenge_options_init(&complete);
    *out = NULL;
    enum sw_code code = sw_options_take(&complete, sizeof complete, options, "sw_challenge_options", error);
    if (code == SW_OK)
        code = check_options(&complete, error);
    if (code < 0)
        return code;
    struct sw_challenge *challenge = sw_calloc(1, sizeof *challenge);
    if (!challenge)
        return sw_fail_memory(error, "a challenge", sizeof *challenge);
    challenge->options = &complete;
    challenge->seed = complete.seed;
    challenge->sample_keys = complete.sample_keys;
    challenge->listed = complete.listed_survivors;
    code = challenge_to(&file, challenge, error);
    challenge->options = NULL;
    sw_output_file_abort(&file);
    if (code < 0)
        sw_challenge_free(&challenge);
    *out = challenge;
    return code;
}

void sw_challenge_free(struct sw_challenge **pointer)
{
    struct sw_challenge *challenge = pointer ? *pointer : NULL;
    if (!challenge)
        return;
    *pointer = NULL;
    sw_trial_free(&challenge->trial);
    sw_subjects_free(&challenge->subjects);
    sw_free(challenge->survivors);
    sw_free(challenge->inside.keys);
    sw_run_free(&challenge->run);
    sw_free(challenge);
}

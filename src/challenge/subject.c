#include "challenge/subject.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define TRIES 256u /* how many others are looked at for one that will do */

uint64_t sw_dice_roll(struct sw_dice *dice, uint64_t below)
{
    uint64_t mixed = dice->state += 0x9e3779b97f4a7c15u; /* SplitMix64 */
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
    mixed ^= mixed >> 31;
    return below ? mixed % below : 0;
}

/* A record of the evidence that can be placed by its version alone. */
static bool is_positioned(const struct sw_fold_rules *rules, const struct sw_record *record)
{
    return (record->flags & SW_RECORD_VERSION) && !(record->flags & SW_RECORD_UNREADABLE) && !sw_fold_is_aside(rules, record);
}

/* What the declared order alone says of a key's records. */
static void find_newest(struct sw_subject *subject, const struct sw_fold_rules *rules)
{
    const struct sw_sample_key *key = subject->sample;
    const struct sw_record *baseline = NULL, *newest = NULL, *older = NULL;
    bool told = true;
    subject->whole = true;
    for (size_t i = 0; i < key->count; i++) {
        const struct sw_record *record = &key->records[i];
        if (record->role == SW_ROLE_EXPECTED)
            continue;
        subject->whole &= !(record->flags & (SW_RECORD_GAPS | SW_RECORD_PARTIAL));
        if (record->role == SW_RECORD_ROLE_FOLLOWING || (record->flags & (SW_RECORD_UNREADABLE | SW_RECORD_READ)))
            told = false;
        else if (!(record->flags & SW_RECORD_VERSION) && record->role == SW_ROLE_BASELINE)
            baseline = record;
        else if (!(record->flags & SW_RECORD_VERSION))
            told = false;
        else if (!is_positioned(rules, record))
            continue;
        else if (!newest)
            newest = record;
        else if (newest->space != record->space)
            told = false;
        else
            switch (sw_version_compare(rules->order, newest->version, record->version)) {
            case SW_VERSION_BEFORE: older = newest; newest = record; break;
            case SW_VERSION_EQUAL: break;
            case SW_VERSION_AFTER:
                if (!older || sw_version_compare(rules->order, older->version, record->version) == SW_VERSION_BEFORE)
                    older = record;
                break;
            case SW_VERSION_UNORDERED: told = false; break;
            }
    }
    if (!told)
        return;
    subject->newest = newest ? newest : baseline;
    subject->older = older ? older : newest ? baseline : NULL;
}

static void find_expected(struct sw_subject *subject)
{
    const struct sw_sample_key *key = subject->sample;
    size_t rows = 0;
    for (size_t i = 0; i < key->count; i++)
        if (key->records[i].role == SW_ROLE_EXPECTED) {
            rows++;
            subject->expected = key->records[i].flags & SW_RECORD_UNREADABLE ? NULL : &key->records[i];
        }
    if (rows > 1)
        subject->expected = NULL;
}

static int by_set(const void *a, const void *b)
{
    const struct sw_record *left = *(const struct sw_record *const *)a, *right = *(const struct sw_record *const *)b;
    if (left->table != right->table)
        return left->table < right->table ? -1 : 1;
    if (left->set != right->set)
        return left->set < right->set ? -1 : 1;
    return (left > right) - (left < right); /* records stand in one array in the order in which they were gathered; see collect */
}

static int by_space(const void *a, const void *b)
{
    const struct sw_record *left = *(const struct sw_record *const *)a, *right = *(const struct sw_record *const *)b;
    if (left->space != right->space)
        return left->space < right->space ? -1 : 1;
    return (left > right) - (left < right);
}

static bool collect(struct sw_subjects *subjects)
{
    uint64_t records = subjects->sample->records;
    subjects->images = sw_calloc(records, sizeof *subjects->images);
    subjects->versions = sw_calloc(records, sizeof *subjects->versions);
    if (!subjects->images || !subjects->versions)
        return false;
    for (size_t k = 0; k < subjects->count; k++)
        for (size_t i = 0; i < subjects->sample->keys[k].count; i++) {
            const struct sw_record *record = &subjects->sample->keys[k].records[i];
            if (!(record->flags & (SW_RECORD_DELETED | SW_RECORD_UNREADABLE | SW_RECORD_GAPS | SW_RECORD_PARTIAL)) && record->role != SW_RECORD_ROLE_FOLLOWING)
                subjects->images[subjects->image_count++] = record;
            if (record->role != SW_ROLE_EXPECTED && is_positioned(subjects->rules, record))
                subjects->versions[subjects->version_count++] = record;
        }
    if (subjects->image_count)
        qsort(subjects->images, subjects->image_count, sizeof *subjects->images, by_set);
    if (subjects->version_count)
        qsort(subjects->versions, subjects->version_count, sizeof *subjects->versions, by_space);
    return true;
}

enum sw_code sw_subjects_open(struct sw_subjects *out, const struct sw_sample *sample, const struct sw_fold_rules *rules, struct sw_trial *trial, struct sw_error *error)
{
    *out = (struct sw_subjects){.rules = rules, .sample = sample, .at = sw_calloc(sample->count, sizeof *out->at), .count = sample->count};
    if (!out->at || !collect(out))
        return sw_fail_memory(error, "the sample", sample->count * sizeof *out->at);
    for (size_t i = 0; i < sample->count; i++) {
        struct sw_subject *subject = &out->at[i];
        struct sw_outcome outcome;
        subject->sample = &sample->keys[i];
        enum sw_code code = sw_trial_fold(&outcome, trial, subject->sample->records, subject->sample->count, error);
        if (code < 0)
            return code;
        subject->base = outcome.reason;
        subject->contradictions = outcome.contradictions;
        subject->finding_at = out->findings.len;
        subject->finding_len = outcome.finding.len;
        sw_buffer_add_bytes(&out->findings, outcome.finding);
        find_expected(subject);
        find_newest(subject, rules);
    }
    return out->findings.failed ? sw_fail_memory(error, "the sample", out->findings.len) : SW_OK;
}

void sw_subjects_free(struct sw_subjects *subjects)
{
    sw_free(subjects->at);
    sw_free(subjects->images);
    sw_free(subjects->versions);
    sw_buffer_free(&subjects->findings);
    *subjects = (struct sw_subjects){0};
}

bool sw_subjects_truncated(const struct sw_subjects *subjects, uint32_t table)
{
    for (uint32_t i = 0; i < subjects->rules->truncate_count; i++)
        if (subjects->rules->truncates[i].table == table)
            return true;
    return false;
}

/* The records of `list` from *from to *to that are neither before `like` nor behind it; the list is sorted by `before`. */
static void range_of(size_t *from, size_t *to, const struct sw_record *const *list, size_t count, const struct sw_record *like,
                     bool (*before)(const struct sw_record *a, const struct sw_record *b))
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (before(list[middle], like))
            low = middle + 1;
        else
            high = middle;
    }
    *from = low;
    high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (before(like, list[middle]))
            high = middle;
        else
            low = middle + 1;
    }
    *to = low;
}

static bool set_before(const struct sw_record *a, const struct sw_record *b) { return a->table != b->table ? a->table < b->table : a->set < b->set; }
static bool table_before(const struct sw_record *a, const struct sw_record *b) { return a->table < b->table; }
static bool space_before(const struct sw_record *a, const struct sw_record *b) { return a->space < b->space; }

const struct sw_record *sw_subjects_other_row(const struct sw_subjects *subjects, const struct sw_record *row, struct sw_dice *dice)
{
    size_t from, to;
    range_of(&from, &to, subjects->images, subjects->image_count, row, set_before);
    uint64_t start = sw_dice_roll(dice, to - from);
    for (size_t i = 0; i < to - from && i < TRIES; i++) {
        const struct sw_record *other = subjects->images[from + (start + i) % (to - from)];
        if (!sw_bytes_equal(other->values, row->values))
            return other;
    }
    return NULL;
}

const struct sw_record *sw_subjects_row_for(const struct sw_subjects *subjects, const struct sw_subject *subject, struct sw_dice *dice)
{
    size_t from, to;
    if (sw_is_live(subject->older) && subject->whole)
        return subject->older;
    range_of(&from, &to, subjects->images, subjects->image_count, &subject->sample->records[0], table_before);
    return from < to ? subjects->images[from + sw_dice_roll(dice, to - from)] : NULL;
}

static bool fits(const struct sw_subjects *subjects, const struct sw_record *record, struct sw_bytes version, bool later)
{
    enum sw_version_order order = sw_version_compare(subjects->rules->order, record->version, version);
    struct sw_record moved = *record;
    moved.version = version;
    return (later ? order == SW_VERSION_BEFORE : order == SW_VERSION_BEFORE || order == SW_VERSION_AFTER) && !sw_fold_beyond_cut(subjects->rules, &moved);
}

bool sw_subjects_other_version(struct sw_buffer *out, const struct sw_subjects *subjects, const struct sw_record *record, bool later, struct sw_dice *dice)
{
    const struct sw_order *order = subjects->rules->order;
    size_t from, to;
    range_of(&from, &to, subjects->versions, subjects->version_count, record, space_before);
    uint64_t start = sw_dice_roll(dice, to - from);
    out->len = 0;
    for (size_t i = 0; i < to - from && i < TRIES; i++) {
        const struct sw_record *other = subjects->versions[from + (start + i) % (to - from)];
        if (fits(subjects, record, other->version, later)) {
            sw_buffer_add_bytes(out, other->version);
            return !out->failed;
        }
    }
    /* where bytes are all there is to a version, the next one is one more in its last byte; it is compared, and never shown */
    if (!order || order->compare || order->slots || record->version.len == 0 || record->version.at[record->version.len - 1] == UINT8_MAX)
        return false;
    sw_buffer_add_bytes(out, record->version);
    if (out->failed)
        return false;
    out->at[out->len - 1]++;
    return fits(subjects, record, sw_buffer_view(out), later);
}

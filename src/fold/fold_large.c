#include "fold/fold_large.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "fold/step.h"
#include "fold/fold_late.h"
#include "fold/identity.h"
#include "fold/key_order.h"
#include "fold/later.h"
#include "fold/runs.h"
#include "fold/truncates.h"

#define SPLIT_PARTITIONS 32u
#define SPLIT_SEED 0x9e3779b97f4a7c15u
#define SORT_BATCH_BYTES_MIN ((uint64_t)1 << 20)

uint64_t sw_fold_partition_cost(const struct sw_partition_store *store, uint32_t partition)
{
    return sw_partition_bytes(store, partition) + sw_partition_entries(store, partition) * 40;
}

/* Spreading a partition over a smaller store. */
struct split {
    struct sw_fold_worker *worker;
    struct sw_partition_writer *writer;
    uint64_t seed;
};

static enum sw_code split_run(struct sw_bytes run, void *ctx, struct sw_error *error)
{
    struct split *split = ctx;
    struct sw_bytes bytes;
    while (sw_partition_next(&bytes, &run)) {
        struct sw_record record;
        bool taken;
        enum sw_code code = sw_fold_set_aside(&taken, split->worker, bytes, error);
        if (code < 0)
            return code;
        if (taken)
            continue;
        sw_record_read_key(&record, bytes);
        uint64_t hash = sw_hash(record.key.at, record.key.len, split->seed + record.table);
        uint8_t *to = sw_partition_append(split->writer, (uint32_t)(hash >> 32) % SPLIT_PARTITIONS, bytes.len, error);
        if (!to)
            return error->code;
        memcpy(to, bytes.at, bytes.len);
    }
    return SW_OK;
}

/* Sorting a partition outside of memory. */
struct sorter {
    struct sw_run_batch batch;
    struct sw_runs *runs;
    struct sw_buffer key;
    uint64_t batch_bytes;
    const struct sw_fold_rules *rules;
    struct sw_fold_worker *worker;
};

static enum sw_code sort_run(struct sw_bytes run, void *ctx, struct sw_error *error)
{
    struct sorter *sorter = ctx;
    struct sw_bytes bytes;
    while (sw_partition_next(&bytes, &run)) {
        struct sw_record record;
        bool taken;
        enum sw_code code = sw_fold_set_aside(&taken, sorter->worker, bytes, error);
        if (code < 0)
            return code;
        if (taken)
            continue;
        sw_record_read(&record, bytes);
        sorter->key.len = 0;
        sw_fold_sort_key(&sorter->key, sorter->rules, &record);
        if (sorter->key.failed || !sw_run_batch_add(&sorter->batch, sw_buffer_view(&sorter->key), bytes))
            return sw_fail_memory(error, "a batch to sort", sorter->batch.bytes.len);
        if (sorter->batch.bytes.len + sorter->batch.index.len > sorter->batch_bytes) {
            code = sw_run_batch_end(&sorter->batch, sorter->runs, error);
            if (code < 0)
                return code;
        }
    }
    return SW_OK;
}

/* The records of one key that can still matter, while its sorted records stream by. A *bucket* is what the fold looks at together: the
 * contents of one version, the baseline rows without one, the reference's rows and so on. */
struct condensed {
    const struct sw_fold_large *large;
    struct sw_buffer bytes;         /* of the kept records, one after the other */
    struct sw_buffer spans;         /* offset and length of each */
    struct sw_buffer last;          /* the first record of the content before, to see repeats */
    struct sw_buffer identity;      /* of the record before: of one content, equal identities stand together */
    struct sw_buffer previous;      /* the record that was superseded last: a change of key may yet need it, to tell what came first */
    bool follows_previous;          /* it is the one right before the bucket's */
    struct sw_buffer before;        /* struct sw_record: what stands before a record whose claim is held, and itself */
    struct sw_buffer pointers;      /* to them */
    bool unreadable;                /* a record of the key could not be read: what is missing may be what it did */
    struct sw_error *error;
    enum sw_code code;              /* of what was sent on */
    size_t reused_kept;             /* records kept because their identity was used twice */
    size_t repeats_kept;            /* and those that a table has twice */
    bool has_last;
    uint64_t bucket_contents;       /* distinct contents of the bucket so far, kept or not */
    bool last_kept;
    bool last_counts;               /* it is a record that was read, not one that follows from another */
    bool may_go;                    /* the bucket's only record can be let go of when a newer one comes */
    struct later {                  /* beyond the cut, or in open transactions: */
        bool may_go;                /* the bucket's only record is one that can be let go of when others have come behind it, */
        bool before_may_go;         /* as can the one that was kept before it */
        bool here, some;            /* the bucket's only record is one, and one came before: the first one stays, it is told */
        bool holds, shown;          /* the reference's row is at hand; one of those that are kept is what it shows */
        struct sw_buffer expected;  /* that row; empty: the reference has none */
    } later;
    struct sw_fold_unlisted unlisted;
};

/* So many contents of one bucket are kept to be shown, and its last one; the others are counted. */
#define BUCKET_KEPT_MAX 64u

struct span {
    size_t at, len;
};

static size_t kept_count(const struct condensed *condensed) { return condensed->spans.len / sizeof(struct span); }

static struct sw_bytes kept_at(const struct condensed *condensed, size_t index)
{
    struct span span;
    memcpy(&span, condensed->spans.at + index * sizeof span, sizeof span);
    return sw_bytes_of(condensed->bytes.at + span.at, span.len);
}

static bool keep(struct condensed *condensed, struct sw_bytes bytes)
{
    struct span span = {condensed->bytes.len, bytes.len};
    sw_buffer_add_bytes(&condensed->bytes, bytes);
    sw_buffer_add(&condensed->spans, &span, sizeof span);
    condensed->last_kept = true;
    return !condensed->bytes.failed && !condensed->spans.failed;
}

static void drop_last(struct condensed *condensed)
{
    condensed->bytes.len -= kept_at(condensed, kept_count(condensed) - 1).len;
    condensed->spans.len -= sizeof(struct span);
}

static uint64_t *unlisted_of(struct condensed *condensed, const struct sw_record *record)
{
    return record->role == SW_ROLE_EXPECTED ? &condensed->unlisted.reference : &condensed->unlisted.evidence;
}

static bool is_claim_unheld(const struct condensed *condensed, const struct sw_record *record)
{
    return (record->claim & (SW_CLAIM_ABSENT | SW_CLAIM_LIVE)) && !condensed->unreadable && !sw_fold_is_aside(condensed->large->rules, record);
}

/* The bucket ends: its last content belongs to what is kept. */
static bool end_bucket(struct condensed *condensed)
{
    struct sw_record last;
    if (!condensed->has_last || condensed->last_kept)
        return true;
    sw_record_read(&last, sw_buffer_view(&condensed->last));
    if (!(last.flags & SW_RECORD_UNREADABLE) && last.role != SW_RECORD_ROLE_FOLLOWING)
        --*unlisted_of(condensed, &last);
    condensed->large->worker->counts.claims_unheld -= is_claim_unheld(condensed, &last);
    return keep(condensed, sw_buffer_view(&condensed->last));
}

/* Records of different kinds are never folded together: the fold's own groups, and marks of bad records. */
static unsigned kind_of(const struct sw_record *record) { return (unsigned)sw_fold_group_of(record) | (record->flags & SW_RECORD_UNREADABLE); }

static bool same_bucket_as(const struct sw_record *last, const struct sw_record *record)
{
    bool versioned = record->role != SW_ROLE_EXPECTED && (record->flags & SW_RECORD_VERSION);
    return kind_of(last) == kind_of(record) && (!versioned || (last->space == record->space && sw_bytes_equal(last->version, record->version)));
}

static bool is_version(const struct sw_record *record) { return sw_fold_group_of(record) == SW_FOLD_GROUP_VERSION; }

static void add_before(struct condensed *condensed, struct sw_bytes bytes)
{
    struct sw_record record;
    sw_record_read(&record, bytes);
    if (record.role != SW_ROLE_EXPECTED && !sw_fold_is_aside(condensed->large->rules, &record))
        sw_buffer_add(&condensed->before, &record, sizeof record);
}

/* What stands before the last kept record, as far back as its state may rest on it, that record behind it, and the truncates of its table. */
static bool gather_before(struct condensed *condensed)
{
    const struct sw_fold_rules *rules = condensed->large->rules;
    size_t at = kept_count(condensed) - 1;
    condensed->before.len = condensed->pointers.len = 0;
    add_before(condensed, kept_at(condensed, at));
    if (condensed->follows_previous)
        add_before(condensed, sw_buffer_view(&condensed->previous));
    for (bool more = !condensed->follows_previous; more && at-- > 0;) {
        struct sw_record record;
        sw_record_read(&record, kept_at(condensed, at));
        size_t before = condensed->before.len;
        add_before(condensed, kept_at(condensed, at));
        bool whole = is_version(&record) && ((record.flags & SW_RECORD_DELETED) || !(record.flags & (SW_RECORD_GAPS | SW_RECORD_PARTIAL)));
        more = !whole || before == condensed->before.len;
        bool step = record.flags & SW_RECORD_DELETED;
        for (size_t i = 1; !more && (i <= 2 || step) && i <= at; i++) { /* another content of its version would make it none; what a change of key had kept may stand between; */
            struct sw_record other;
            add_before(condensed, kept_at(condensed, at - i));
            sw_record_read(&other, kept_at(condensed, at - i));
            step = step && sw_fold_one_transaction(rules->order, &other, &record); /* and a removal is ordered by what is before its transaction */
        }
    }
    size_t count = condensed->before.len / sizeof(struct sw_record);
    if (!sw_buffer_reserve(&condensed->before, sw_fold_truncates_max(rules, count) * sizeof(struct sw_record)) || condensed->before.failed)
        return false;
    struct sw_record *records = (struct sw_record *)(void *)condensed->before.at;
    size_t all = count;
    sw_fold_add_truncates(records, &all, rules);
    for (size_t i = count; i < all; i++)
        if (!sw_fold_is_aside(rules, &records[i]))
            records[count++] = records[i];
    sw_fold_sort_records(rules, records, count);
    condensed->before.len = count * sizeof *records;
    for (size_t i = 0; i < count; i++) {
        const struct sw_record *record = &records[i];
        bool truncated = i && same_bucket_as(&records[i - 1], record) && sw_content_compare(rules->schema, &records[i - 1], record) == 0; /* a delete where a truncate was */
        if (!truncated)
            sw_buffer_add(&condensed->pointers, &record, sizeof record);
    }
    return !condensed->pointers.failed;
}

/* The last kept record will be let go of: what it says of the row before it is held against that now. */
static bool hold_claim(struct condensed *condensed)
{
    struct sw_fold_worker *worker = condensed->large->worker;
    struct sw_record last;
    sw_record_read(&last, kept_at(condensed, kept_count(condensed) - 1));
    if (!(last.claim & (SW_CLAIM_ABSENT | SW_CLAIM_LIVE) || sw_claim_is_read(&last)) || condensed->unreadable)
        return true;
    if (!gather_before(condensed))
        return false;
    struct sw_claim_evidence evidence = {.records = (const struct sw_record *const *)(void *)condensed->pointers.at, .count = condensed->pointers.len / sizeof(struct sw_record *)};
    size_t at = 0, before = 0;
    while (evidence.versions_from < evidence.count && !is_version(evidence.records[evidence.versions_from]))
        evidence.versions_from++;
    struct sw_steps steps = {.records = (const struct sw_record **)(void *)condensed->pointers.at, .count = evidence.count, .versions_from = evidence.versions_from};
    if (!sw_steps_settle(&steps, worker))
        return false;
    evidence.untold = steps.untold;
    while (at + 1 < evidence.count && evidence.records[at]->bytes.at != last.bytes.at)
        at++;
    enum sw_claim_result result = sw_claim_hold(&before, worker, &evidence, at);
    condensed->code = sw_claim_note(worker, &evidence, at, result, before, condensed->error);
    return condensed->code == SW_OK;
}

/* A newer version has come: the one before it, if it was in no conflict, can only be superseded. The last one superseded is held back. */
static bool supersede(struct condensed *condensed)
{
    if (!hold_claim(condensed))
        return false;
    struct sw_record gone;
    sw_record_read(&gone, kept_at(condensed, kept_count(condensed) - 1));
    gone.claim = gone.flags & SW_RECORD_READ ? SW_CLAIM_HELD : 0; /* it was held */
    gone.claimed = (struct sw_bytes){0};
    condensed->unlisted.evidence += condensed->previous.len != 0;
    condensed->previous.len = 0;
    if (!sw_buffer_reserve(&condensed->previous, sw_record_size(&gone)))
        return false;
    condensed->previous.len = (size_t)(sw_record_put(condensed->previous.at, &gone) - condensed->previous.at);
    drop_last(condensed);
    condensed->follows_previous = true;
    return true;
}

/* The last kept record stays: so does what it claims to replace. */
static bool keep_previous(struct condensed *condensed)
{
    struct sw_record last;
    if (!condensed->follows_previous)
        return true;
    condensed->follows_previous = false;
    sw_record_read(&last, kept_at(condensed, kept_count(condensed) - 1));
    if (condensed->bucket_contents != 1 || !(last.claim & (SW_CLAIM_ABSENT | SW_CLAIM_LIVE) || sw_claim_is_read(&last)))
        return true;
    struct sw_buffer copy = {0};
    sw_buffer_add_bytes(&copy, last.bytes);
    drop_last(condensed);
    bool kept = !copy.failed && keep(condensed, sw_buffer_view(&condensed->previous)) && keep(condensed, sw_buffer_view(&copy));
    condensed->previous.len = 0;
    sw_buffer_free(&copy);
    return kept;
}

/* Does the reference show this record, and none that is kept? False as well if memory ran out: condensed->code then says so. */
static bool is_shown_first(struct condensed *condensed, const struct sw_record *record)
{
    struct sw_fold_worker *worker = condensed->large->worker;
    struct later *later = &condensed->later;
    struct sw_draft_image expected = {0};
    struct sw_record row;
    if (later->shown || !condensed->large->rules->reference_given)
        return false;
    if (later->expected.len) {
        sw_record_read(&row, sw_buffer_view(&later->expected));
        expected = sw_fold_image_of(&row);
    }
    bool fine = later->holds || sw_later_hold_against(worker, &expected);
    later->holds = true;
    if (fine)
        later->shown = sw_later_is_shown(&fine, worker, &record, 0, &expected);
    if (!fine)
        condensed->code = sw_fail_memory(condensed->error, "a row carried forward", 0);
    return fine && later->shown;
}

/* Does what its transaction did besides need the record, to be told in order (step.h)? */
static bool is_needed_by(const struct condensed *condensed, const struct sw_record *record, const struct sw_record *next)
{
    const struct sw_order *order = condensed->large->rules->order;
    size_t at = kept_count(condensed) - 2;
    struct sw_record before;
    if (((record->flags | next->flags) & SW_RECORD_DELETED || sw_fold_is_put(record)) && sw_fold_one_transaction(order, record, next))
        return true;
    if (at == 0 || !(record->flags & SW_RECORD_DELETED))
        return false;
    sw_record_read(&before, kept_at(condensed, at - 1));
    return sw_fold_one_transaction(order, &before, record);
}

/* The last kept record is whole and alone at its version, and so is the one before it, which was let stand till now: it goes if nothing needs it. */
static bool let_go_before(struct condensed *condensed)
{
    struct sw_record record, next;
    size_t count = kept_count(condensed);
    sw_record_read(&record, kept_at(condensed, count - 2));
    sw_record_read(&next, kept_at(condensed, count - 1));
    if (is_needed_by(condensed, &record, &next) || is_shown_first(condensed, &record))
        return condensed->code == SW_OK;
    if (condensed->code < 0)
        return false;
    ++*(sw_fold_is_open(condensed->large->rules, &record) ? &condensed->unlisted.open : &condensed->unlisted.beyond_cut);
    uint8_t *to = condensed->bytes.at + condensed->bytes.len - next.bytes.len - record.bytes.len;
    memmove(to, next.bytes.at, next.bytes.len);
    condensed->bytes.len -= record.bytes.len;
    condensed->spans.len -= sizeof(struct span);
    const struct span span = {condensed->bytes.len - next.bytes.len, next.bytes.len};
    memcpy(condensed->spans.at + condensed->spans.len - sizeof span, &span, sizeof span);
    return true;
}

/* A bucket has ended. Only when the next one has as well is it known what rests on it. */
static bool end_later(struct condensed *condensed)
{
    struct later *later = &condensed->later;
    bool one = condensed->bucket_contents == 1 && later->may_go;
    if (later->before_may_go && condensed->bucket_contents == 1 && !let_go_before(condensed))
        return false;
    later->before_may_go = one;
    later->some |= later->here && condensed->bucket_contents == 1;
    later->may_go = later->here = false;
    return true;
}

/* Is it named by an identity that stands for several contents? Such records block their key: a handful of them is kept. */
static bool must_tell_reuse(struct condensed *condensed, const struct sw_record *record)
{
    bool reused = (record->flags & SW_RECORD_IDENTITY) && condensed->reused_kept < BUCKET_KEPT_MAX && sw_identity_reused(condensed->large->rules->reused, record->identity);
    condensed->reused_kept += reused;
    return reused;
}

/* A row that a table has twice blocks its key; the fold tells by their inputs which repeats are of one table. */
static bool must_tell_repeat(struct condensed *condensed, const struct sw_record *record)
{
    bool tells = condensed->repeats_kept < BUCKET_KEPT_MAX && sw_fold_repeat_counts(condensed->large->rules, record, record);
    condensed->repeats_kept += tells;
    return tells;
}

/* Sends the next record on, as sw_fold_key does. */
static enum sw_code send(struct condensed *condensed, struct sw_bytes bytes, struct sw_error *error)
{
    struct sw_record record;
    sw_record_read(&record, bytes);
    return record.role == SW_ROLE_EXPECTED ? SW_OK : sw_fold_send_next(condensed->large->worker, &record, error);
}

/* The next record is beyond the cut, or in an open transaction, if `later`: can it go when others have come? */
static void see_later(struct condensed *condensed, const struct sw_record *record, bool later, bool same_bucket)
{
    const struct sw_fold_rules *rules = condensed->large->rules;
    bool reused = (record->flags & SW_RECORD_IDENTITY) && sw_identity_reused(rules->reused, record->identity);
    condensed->later.may_go = later && !same_bucket && condensed->later.some && !reused && !sw_fold_is_truncated_at(rules, record);
    condensed->later.before_may_go &= later && !same_bucket;
    condensed->later.here = later && !same_bucket;
}

/* Does it stand for itself: nothing of it is taken from elsewhere, nor told by what else its transaction did? */
static bool is_whole(const struct sw_record *record)
{
    return is_version(record) && record->role != SW_RECORD_ROLE_FOLLOWING && !(record->flags & (SW_RECORD_GAPS | SW_RECORD_PARTIAL)) && !(record->claim & SW_CLAIM_STEP);
}

/* Of equal records one that is committed stands for all. */
static bool takes_over(const struct condensed *condensed, const struct sw_record *last, const struct sw_record *record)
{
    return sw_fold_is_open(condensed->large->rules, last) && !sw_fold_is_open(condensed->large->rules, record);
}

/* Can one of two equal records be left out? If the second takes over, the first one has to be at hand, and to be counted as the second is. */
static bool is_repeat(const struct condensed *condensed, const struct sw_record *last, const struct sw_record *record)
{
    if (!takes_over(condensed, last, record))
        return true;
    return last->role != SW_RECORD_ROLE_FOLLOWING && record->role != SW_RECORD_ROLE_FOLLOWING && condensed->last_kept && sw_bytes_equal(kept_at(condensed, kept_count(condensed) - 1), last->bytes);
}

static bool take_repeat(struct condensed *condensed, const struct sw_record *last, const struct sw_record *record)
{
    bool tells = must_tell_reuse(condensed, record), fine = true;
    tells = tells || must_tell_repeat(condensed, record);
    bool same_identity = sw_bytes_equal(sw_buffer_view(&condensed->identity), record->identity), over = !tells && takes_over(condensed, last, record);
    if (tells) /* counted with what is kept */
        condensed->may_go = condensed->later.may_go = condensed->later.before_may_go = false;
    else
        sw_fold_count_repeat(condensed->large->worker, record, same_identity);
    if (over) {
        drop_last(condensed);
        condensed->last.len = 0;
        sw_buffer_add_bytes(&condensed->last, record->bytes);
        condensed->may_go = is_whole(record) && !sw_fold_is_aside(condensed->large->rules, record) && !sw_fold_is_truncated_at(condensed->large->rules, record);
        condensed->later.may_go = condensed->later.before_may_go = condensed->later.here = false;
    }
    if (tells || over)
        fine = keep(condensed, record->bytes);
    condensed->identity.len = 0;
    sw_buffer_add_bytes(&condensed->identity, record->identity);
    return fine && !condensed->identity.failed && !condensed->last.failed;
}

/* Takes the next record of the key, in sort order. */
static bool condense(struct condensed *condensed, struct sw_bytes bytes)
{
    const struct sw_fold_large *large = condensed->large;
    struct sw_record record, last;
    sw_record_read(&record, bytes);
    bool reference = record.role == SW_ROLE_EXPECTED, versioned = !reference && (record.flags & SW_RECORD_VERSION);
    bool same_bucket = false;
    if (condensed->has_last) {
        sw_record_read(&last, sw_buffer_view(&condensed->last));
        bool same_kind = kind_of(&last) == kind_of(&record);
        same_bucket = same_bucket_as(&last, &record);
        if (same_bucket && !reference && !(record.flags & SW_RECORD_UNREADABLE) && sw_content_compare(large->rules->schema, &last, &record) == 0 && is_repeat(condensed, &last, &record))
            return take_repeat(condensed, &last, &record);
        bool one_is_aside = sw_fold_is_aside(large->rules, &last) || sw_fold_is_aside(large->rules, &record); /* which is no second content of the version */
        if (same_bucket && one_is_aside && !keep_previous(condensed))
            return false;
        if (!same_bucket && !(end_bucket(condensed) && end_later(condensed)))
            return false;
        /* what a record leaves out is taken from the version before it; what a change of key wrote may have come after the row before it was removed */
        bool leaves_out = (record.flags & (SW_RECORD_GAPS | SW_RECORD_PARTIAL)) || (record.claim & SW_CLAIM_STEP);
        bool goes = same_kind && versioned && !leaves_out && last.space == record.space && !sw_fold_is_aside(large->rules, &record) && condensed->may_go &&
                    condensed->bucket_contents == 1 && sw_version_compare(large->rules->order, last.version, record.version) != SW_VERSION_UNORDERED;
        if (!same_bucket && !(goes ? supersede(condensed) : keep_previous(condensed)))
            return false;
    }
    if (record.role == SW_RECORD_ROLE_FOLLOWING && condensed->follows_previous) { /* one that is older than what is kept would stand out of order */
        if (!keep(condensed, sw_buffer_view(&condensed->previous)))
            return false;
        condensed->previous.len = 0;
        condensed->follows_previous = false;
    }
    condensed->unreadable |= !reference && (record.flags & SW_RECORD_UNREADABLE);
    condensed->bucket_contents = same_bucket ? condensed->bucket_contents + 1 : 1;
    condensed->last_counts = record.role != SW_RECORD_ROLE_FOLLOWING;
    bool aside = !reference && sw_fold_is_aside(large->rules, &record);
    condensed->may_go = is_whole(&record) && !aside && !must_tell_reuse(condensed, &record) && !sw_fold_is_truncated_at(large->rules, &record); /* which is in conflict with it */
    see_later(condensed, &record, is_whole(&record) && aside, same_bucket);
    if (reference && !(record.flags & SW_RECORD_UNREADABLE) && !condensed->later.expected.len)
        sw_buffer_add_bytes(&condensed->later.expected, bytes);
    condensed->last.len = condensed->identity.len = 0;
    sw_buffer_add_bytes(&condensed->last, bytes);
    sw_buffer_add_bytes(&condensed->identity, record.identity);
    condensed->has_last = true;
    condensed->last_kept = false;
    if (condensed->bucket_contents <= BUCKET_KEPT_MAX)
        return !condensed->last.failed && !condensed->identity.failed && !condensed->later.expected.failed && keep(condensed, bytes);
    if (!(record.flags & SW_RECORD_UNREADABLE) && condensed->last_counts) /* those were counted when they were read */
        ++*unlisted_of(condensed, &record);
    large->worker->counts.claims_unheld += is_claim_unheld(condensed, &record); /* as are all contents of one version */
    return !condensed->last.failed;
}

static enum sw_code fold_condensed(struct condensed *condensed, struct sw_error *error)
{
    enum sw_code code = sw_fold_sends_records(condensed->large->worker) ? sw_fold_send_end(condensed->large->worker, error) : SW_OK;
    if (code < 0)
        return code;
    if (!end_bucket(condensed) || (kept_count(condensed) && !keep_previous(condensed)))
        return sw_fail_memory(error, "the versions of a key", condensed->bytes.len);
    size_t count = kept_count(condensed);
    if (count == 0)
        return SW_OK;
    condensed->unlisted.evidence += condensed->previous.len != 0;
    const struct sw_fold_rules *rules = condensed->large->rules;
    struct sw_record *records = sw_calloc(count + sw_fold_truncates_max(rules, count), sizeof *records);
    if (!records)
        return sw_fail_memory(error, "the records of a key", count * sizeof *records);
    for (size_t i = 0; i < count; i++)
        sw_record_read(&records[i], kept_at(condensed, i));
    if (rules->truncate_count)
        sw_fold_add_truncates(records, &count, rules);
    code = sw_fold_key(condensed->large->worker, records, count, &condensed->unlisted, error);
    sw_free(records);
    condensed->bytes.len = condensed->spans.len = condensed->last.len = 0;
    condensed->has_last = condensed->may_go = condensed->unreadable = condensed->follows_previous = false;
    condensed->previous.len = 0;
    condensed->bucket_contents = condensed->reused_kept = condensed->repeats_kept = 0;
    condensed->unlisted = (struct sw_fold_unlisted){0};
    condensed->later = (struct later){.expected = condensed->later.expected};
    condensed->later.expected.len = 0;
    return code;
}

static enum sw_code fold_sorted(const struct sw_fold_large *large, struct sw_runs *runs, struct sw_error *error)
{
    struct sw_run_merge *merge;
    struct condensed condensed = {.large = large, .error = error};
    struct sw_bytes key, bytes;
    enum sw_code code = sw_run_merge_open(&merge, runs, error);
    while (code == SW_OK && (code = sw_run_merge_next(&key, &bytes, merge, error)) == SW_OK) {
        if (condensed.has_last) {
            struct sw_record before, record;
            sw_record_read_key(&before, sw_buffer_view(&condensed.last));
            sw_record_read_key(&record, bytes);
            if (before.table != record.table || !sw_bytes_equal(before.key, record.key))
                code = fold_condensed(&condensed, error);
        }
        if (code == SW_OK && sw_fold_sends_records(large->worker))
            code = send(&condensed, bytes, error);
        if (code == SW_OK && !condense(&condensed, bytes))
            code = condensed.code < 0 ? condensed.code : sw_fail_memory(error, "the versions of a key", condensed.bytes.len);
    }
    if (code >= 0)
        code = fold_condensed(&condensed, error);
    sw_buffer_free(&condensed.bytes);
    sw_buffer_free(&condensed.spans);
    sw_buffer_free(&condensed.last);
    sw_buffer_free(&condensed.identity);
    sw_buffer_free(&condensed.previous);
    sw_buffer_free(&condensed.before);
    sw_buffer_free(&condensed.pointers);
    sw_buffer_free(&condensed.later.expected);
    sw_run_merge_close(&merge);
    return code;
}

static enum sw_code sort_and_fold(const struct sw_fold_large *large, struct sw_error *error)
{
    struct sorter sorter = {.batch_bytes = large->memory_bytes / 4, .rules = large->rules, .worker = large->worker};
    if (sorter.batch_bytes < SORT_BATCH_BYTES_MIN)
        sorter.batch_bytes = SORT_BATCH_BYTES_MIN;
    sorter.runs = sw_runs_new(0, large->budget, large->spill);
    enum sw_code code = sorter.runs ? sw_partition_each(&large->room->load, large->store, large->partition, sort_run, &sorter, error) : sw_fail_memory(error, "sorted runs", 0);
    if (code == SW_OK)
        code = sw_run_batch_end(&sorter.batch, sorter.runs, error);
    sw_run_batch_free(&sorter.batch);
    sw_buffer_free(&sorter.key);
    if (code == SW_OK)
        code = fold_sorted(large, sorter.runs, error);
    sw_runs_free(&sorter.runs);
    return code;
}

static enum sw_code fold_level(const struct sw_fold_large *large, unsigned level, struct sw_error *error)
{
    uint64_t whole = sw_partition_bytes(large->store, large->partition);
    struct sw_partition_options options = {.partitions = SPLIT_PARTITIONS, .writers = 1, .memory_bytes = large->memory_bytes / 4, .budget = large->budget, .spill = large->spill};
    struct sw_partition_store *parts;
    enum sw_code code = sw_partition_store_new(&parts, &options, error);
    if (code < 0)
        return code;
    struct split split = {large->worker, sw_partition_writer_at(parts, 0), large->seed + SPLIT_SEED * (level + 1)};
    code = sw_partition_each(&large->room->load, large->store, large->partition, split_run, &split, error);
    if (code == SW_OK)
        sw_partition_drop(large->store, large->partition);
    for (uint32_t p = 0; p < SPLIT_PARTITIONS && code == SW_OK; p++) {
        struct sw_fold_large part = *large;
        part.store = parts;
        part.partition = p;
        part.seed = split.seed;
        uint64_t bytes = sw_partition_bytes(parts, p);
        if (sw_fold_partition_cost(parts, p) <= large->memory_bytes)
            code = sw_fold_partition(large->room, large->worker, parts, p, split.seed, error);
        else if (level == 0 && bytes < whole - whole / 8)
            code = fold_level(&part, level + 1, error);
        else
            code = sort_and_fold(&part, error); /* a key or two hold nearly all of it: no hash can split them */
        sw_partition_drop(parts, p);
    }
    sw_partition_store_free(&parts);
    return code;
}

enum sw_code sw_fold_large_partition(const struct sw_fold_large *large, struct sw_error *error) { return fold_level(large, 0, error); }

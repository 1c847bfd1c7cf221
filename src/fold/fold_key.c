#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fold/carry.h"
#include "fold/claims.h"
#include "fold/identity.h"
#include "fold/key_order.h"
#include "fold/later.h"
#include "fold/step.h"
#include "fold/worker.h"

/* One key while it is folded: its records in order, and what was decided. */
struct fold {
    struct sw_fold_worker *worker;
    const struct sw_fold_rules *rules;
    struct sw_record *evidence;               /* baseline rows without version, reads, unpositioned events, then versions in order */
    size_t evidence_count;
    struct sw_record *expected;
    size_t expected_count;
    const struct sw_record **distinct;        /* of the evidence, the first of each content of each version; in order */
    size_t distinct_count;
    size_t versions_from;                     /* where the positioned ones begin in `distinct` */
    bool repeated;                            /* the baseline, a table, has a row twice */
    const struct sw_record *untold;           /* the last one of those of which no order is known (step.h); NULL: none */
    size_t cut_at;                            /* where those beyond the cut begin */
    const struct sw_record *newest;           /* what the state rests on; NULL: no state */
    struct sw_fold_unlisted unlisted;
    struct sw_draft_image state;
    struct sw_draft draft;
    bool by_rows;                             /* whether the key is in scope is for its rows to decide */
};

struct sw_fold_worker *sw_fold_worker_new(const struct sw_fold_rules *rules, const struct sw_fold_sink *sink)
{
    struct sw_fold_worker *worker = sw_calloc(1, sizeof *worker);
    if (worker) {
        worker->rules = rules;
        worker->sink = *sink;
    }
    return worker;
}

void sw_fold_worker_free(struct sw_fold_worker **pointer)
{
    struct sw_fold_worker *worker = *pointer;
    *pointer = NULL;
    if (!worker)
        return;
    sw_comparison_free(&worker->comparison);
    sw_scope_room_free(&worker->scope_room);
    sw_carry_free(&worker->carry);
    sw_carry_free(&worker->carry_later);
    sw_sender_free(&worker->sender);
    sw_free(worker->distinct);
    sw_free(worker->settled);
    sw_free(worker->settled_untold);
    sw_free(worker->untold);
    sw_free(worker->tables);
    sw_free(worker);
}

const struct sw_fold_rules *sw_fold_worker_rules(const struct sw_fold_worker *worker) { return worker->rules; }

const struct sw_fold_counts *sw_fold_worker_counts(const struct sw_fold_worker *worker) { return &worker->counts; }

const struct sw_fold_table_counts *sw_fold_worker_tables(const struct sw_fold_worker *worker, uint32_t *count)
{
    *count = worker->table_count;
    return worker->tables;
}

static bool same_version(const struct sw_record *a, const struct sw_record *b)
{
    return a->space == b->space && sw_bytes_equal(a->version, b->version);
}

static void dispose(struct fold *fold, enum sw_disposition disposition) { fold->worker->counts.dispositions[disposition]++; }

static void add_place(struct sw_draft *draft, const struct sw_record *record)
{
    if (!record)
        return;
    for (uint32_t i = 0; i < draft->place_count; i++)
        if (draft->places[i] == record)
            return;
    if (draft->place_count == SW_FINDING_PLACES_MAX) {
        draft->more_places += draft->more_places < SW_FINDING_MORE_PLACES_MAX;
        return;
    }
    uint32_t at = draft->place_count++;
    for (; at && sw_fold_compare_places(record, draft->places[at - 1]) < 0; at--)
        draft->places[at] = draft->places[at - 1];
    draft->places[at] = record;
}

static void set_cause_version(struct fold *fold, enum sw_cause cause, const struct sw_record *record)
{
    fold->draft.cause = cause;
    if (record && (record->flags & SW_RECORD_VERSION)) {
        fold->draft.has_cause_version = true;
        fold->draft.cause_space = record->space;
        fold->draft.cause_version = record->version;
    }
}

void sw_fold_count_repeat(struct sw_fold_worker *worker, const struct sw_record *record, bool same_identity)
{
    struct sw_fold_counts *counts = &worker->counts;
    if (record->role == SW_RECORD_ROLE_FOLLOWING)
        return; /* the record it follows from is counted */
    if (same_identity && (record->flags & SW_RECORD_IDENTITY)) {
        if (sw_identity_reused(worker->rules->reused, record->identity))
            counts->reused_duplicates++;
        else
            counts->duplicate_deliveries++, counts->duplicates_in_key += sw_identity_in_key(record->identity);
        counts->dispositions[SW_DISPOSITION_DUPLICATE]++;
    } else {
        counts->repeated_records += same_identity;
        counts->dispositions[SW_DISPOSITION_REPEATED]++;
    }
}

/* Leaves the marks of bad records out, counts repeats, and keeps one record for each distinct content of each version. */
static bool find_distinct(struct fold *fold, bool *unreadable)
{
    struct sw_fold_worker *worker = fold->worker;
    bool splits = fold->rules->cut_count || fold->rules->open_count; /* which takes room for as many behind them */
    if (fold->evidence_count > worker->distinct_capacity / (splits ? 2 : 1)) {
        size_t capacity = fold->evidence_count * 2;
        const struct sw_record **grown = sw_realloc_array(worker->distinct, capacity, sizeof *grown);
        if (!grown)
            return false;
        worker->distinct = grown;
        worker->distinct_capacity = capacity;
    }
    fold->distinct = worker->distinct;
    const struct sw_record *before = NULL;
    for (size_t i = 0; i < fold->evidence_count; i++) {
        const struct sw_record *record = &fold->evidence[i];
        if (record->flags & SW_RECORD_UNREADABLE) {
            *unreadable = true; /* counted as bad when it was read */
            continue;
        }
        bool same = before && sw_fold_group_of(before) == sw_fold_group_of(record) && same_version(before, record) && sw_content_compare(fold->rules->schema, before, record) == 0;
        bool same_identity = same && sw_bytes_equal(before->identity, record->identity);
        if (same) {
            fold->repeated = fold->repeated || sw_fold_repeat_counts(fold->rules, before, record);
            const struct sw_record **first = &fold->distinct[fold->distinct_count - 1], *left = record;
            if (sw_fold_is_open(fold->rules, *first) && !sw_fold_is_open(fold->rules, record)) { /* of equal ones, one that is committed stands for all */
                left = (*first)->role == SW_RECORD_ROLE_FOLLOWING || record->role == SW_RECORD_ROLE_FOLLOWING ? *first : record;
                *first = record;
            }
            sw_fold_count_repeat(worker, left, same_identity && left == record); /* what follows from a record is not counted: the other one is */
        } else {
            fold->distinct[fold->distinct_count++] = record;
        }
        before = record;
    }
    return true;
}

void sw_fold_worker_set_late(struct sw_fold_worker *worker, struct sw_partition_writer *late) { worker->late = late; }

/* Puts what lies beyond the cut, or in open transactions, behind what does not; both stay in order. */
static void split_at_cut(struct fold *fold)
{
    fold->cut_at = fold->distinct_count;
    if (fold->distinct_count == 0 || (fold->rules->cut_count == 0 && fold->rules->open_count == 0))
        return;
    size_t kept = 0, aside = 0, from = fold->versions_from;
    const struct sw_record **room = fold->distinct + fold->distinct_count;
    for (size_t i = 0; i < fold->distinct_count; i++) {
        const struct sw_record *record = fold->distinct[i];
        if (i < from ? sw_fold_is_open(fold->rules, record) : sw_fold_is_aside(fold->rules, record)) {
            fold->versions_from -= i < from;
            room[aside++] = record;
        } else {
            fold->distinct[kept++] = record;
        }
    }
    if (aside)
        memcpy(fold->distinct + kept, room, aside * sizeof *room);
    fold->cut_at = kept;
}

static bool same_content(const struct fold *fold, size_t a, size_t b)
{
    return sw_content_compare(fold->rules->schema, fold->distinct[a], fold->distinct[b]) == 0;
}

/* Are all contents from `from` to `to` the same? */
static bool one_content(const struct fold *fold, size_t from, size_t to)
{
    for (size_t i = from + 1; i < to; i++)
        if (!same_content(fold, from, i))
            return false;
    return true;
}

/* The lowest version with two contents, or NULL. With `--conflicts newest` only the newest counts. */
static const struct sw_record *find_conflict(struct fold *fold)
{
    for (size_t i = fold->versions_from + 1; i < fold->cut_at; i++) {
        const struct sw_record *first = fold->distinct[i - 1];
        if (!same_version(first, fold->distinct[i]))
            continue;
        if (fold->rules->mapping->conflicts_newest && !same_version(first, fold->distinct[fold->cut_at - 1]))
            continue;
        fold->draft.state = sw_fold_image_of(first);
        fold->draft.other = sw_fold_image_of(fold->distinct[i]);
        add_place(&fold->draft, first);
        for (size_t j = i; j < fold->cut_at && same_version(first, fold->distinct[j]); j++)
            add_place(&fold->draft, fold->distinct[j]);
        return first;
    }
    return NULL;
}

/* Is it the newest version of its space, at the cut? Versions of one space stand together, in order. */
static bool newest_of_space(const struct fold *fold, size_t at)
{
    return at >= fold->versions_from && (at + 1 == fold->cut_at || fold->distinct[at + 1]->space != fold->distinct[at]->space);
}

/* Tells one content that cannot be ordered against the others: the first is shown as the state, the second beside it. */
static void tell_unordered(struct fold *fold, const struct sw_record *record)
{
    struct sw_draft *draft = &fold->draft;
    if (!draft->state.present)
        draft->state = sw_fold_image_of(record);
    else if (!draft->other.present)
        draft->other = sw_fold_image_of(record);
    add_place(draft, record);
}

/* Records without a position, and what is positioned: the newest of each space. */
static enum sw_reason unpositioned_reason(struct fold *fold, size_t from)
{
    fold->draft.cause = SW_CAUSE_NO_POSITION;
    for (size_t i = from; i < fold->cut_at; i++)
        if (i < fold->versions_from || newest_of_space(fold, i))
            tell_unordered(fold, fold->distinct[i]);
    return SW_REASON_UNORDERED;
}

/* Is the newest version really newer than every other, by the declared rule? */
static enum sw_reason check_order(struct fold *fold)
{
    const struct sw_spaces *spaces = fold->rules->spaces;
    size_t last = fold->cut_at - 1;
    const struct sw_record *newest = fold->distinct[last];
    bool ranked = true, many = false;
    uint32_t before = UINT32_MAX; /* they stand in the order of their ranks; two of one rank are not ordered */
    for (size_t i = fold->versions_from; i < fold->cut_at; i++)
        if (newest_of_space(fold, i)) {
            uint32_t rank = sw_spaces_rank(spaces, fold->distinct[i]->space);
            many |= i != last;
            ranked &= rank != UINT32_MAX && rank != before;
            before = rank;
        }
    if (many && !ranked) {
        bool differ = false; /* what is older in its space is superseded there, whatever the order of the spaces */
        for (size_t i = fold->versions_from; i < last; i++)
            differ |= newest_of_space(fold, i) && !same_content(fold, i, last);
        if (differ) {
            fold->draft.cause = SW_CAUSE_SPACES;
            for (size_t i = fold->versions_from; i < fold->cut_at; i++)
                if (newest_of_space(fold, i))
                    tell_unordered(fold, fold->distinct[i]);
            return SW_REASON_UNORDERED;
        }
    }
    for (size_t i = fold->versions_from; i < last; i++) {
        const struct sw_record *other = fold->distinct[i];
        if (other->space != newest->space || sw_version_compare(fold->rules->order, other->version, newest->version) != SW_VERSION_UNORDERED || same_content(fold, i, last))
            continue;
        fold->draft.cause = SW_CAUSE_TIE;
        if (!fold->draft.state.present)
            tell_unordered(fold, newest);
        tell_unordered(fold, other);
    }
    return fold->draft.cause == SW_CAUSE_TIE ? SW_REASON_UNORDERED : SW_REASON_NONE;
}

bool sw_fold_follows_baseline(const struct sw_fold_rules *rules, uint32_t space)
{
    uint32_t base = sw_spaces_base(rules->spaces, space), rank = sw_spaces_rank(rules->spaces, space);
    bool after = rank != UINT32_MAX;
    for (uint32_t i = 0; i < rules->covered_count; i++) {
        uint32_t other = sw_spaces_rank(rules->spaces, rules->covered[i].space);
        if (rules->covered[i].space == base)
            return true;
        after &= other != UINT32_MAX && other < rank;
    }
    return after;
}

/* A baseline row without a version stands at the declared baseline position: events of another space are newer than it only if that was declared. */
static enum sw_reason check_baseline(struct fold *fold)
{
    bool follow = true, one = true;
    if (fold->rules->covered_count == 0 || fold->rules->order->complete)
        return SW_REASON_NONE;
    for (size_t i = fold->versions_from; i < fold->cut_at; i++)
        if (newest_of_space(fold, i)) {
            follow &= sw_fold_follows_baseline(fold->rules, fold->distinct[i]->space);
            one &= same_content(fold, 0, i);
        }
    if (follow || one)
        return SW_REASON_NONE;
    fold->draft.cause = SW_CAUSE_SPACES;
    tell_unordered(fold, fold->distinct[0]);
    for (size_t i = fold->versions_from; i < fold->cut_at; i++)
        if (newest_of_space(fold, i))
            tell_unordered(fold, fold->distinct[i]);
    return SW_REASON_UNORDERED;
}

/* Is the newest record one of those of which no order is known? What stands before them is superseded either way. */
static enum sw_reason check_step(struct fold *fold)
{
    if (!fold->untold || fold->cut_at - fold->versions_from < 2 || fold->distinct[fold->cut_at - 1] != fold->untold)
        return SW_REASON_NONE;
    fold->draft.cause = SW_CAUSE_STEP;
    tell_unordered(fold, fold->distinct[fold->cut_at - 2]);
    tell_unordered(fold, fold->untold);
    return SW_REASON_UNORDERED;
}

/* Decides which record the state rests on. SW_REASON_NONE: fold->newest is set, or there is none. */
static enum sw_reason choose(struct fold *fold)
{
    size_t reads = 0, unpositioned = 0, baseline = 0;
    for (size_t i = 0; i < fold->versions_from; i++) {
        enum sw_fold_group group = sw_fold_group_of(fold->distinct[i]);
        baseline += group == SW_FOLD_GROUP_BASELINE;
        reads += group == SW_FOLD_GROUP_READ;
        unpositioned += group == SW_FOLD_GROUP_UNPOSITIONED;
    }
    if (baseline > 1) {
        fold->draft.cause = SW_CAUSE_DIFFERING_ROWS;
        fold->draft.state = sw_fold_image_of(fold->distinct[0]);
        fold->draft.other = sw_fold_image_of(fold->distinct[1]);
        for (size_t i = 0; i < baseline; i++)
            add_place(&fold->draft, fold->distinct[i]);
        return SW_REASON_DUPLICATE_KEY;
    }
    const struct sw_record *conflict = find_conflict(fold);
    if (conflict) {
        if (sw_order_is_weak(fold->rules->order, conflict->version)) {
            fold->draft.cause = SW_CAUSE_TIE;
            return SW_REASON_UNORDERED;
        }
        set_cause_version(fold, SW_CAUSE_NONE, conflict);
        return SW_REASON_CONFLICTING_VERSION;
    }
    size_t versions = fold->cut_at - fold->versions_from, reads_from = baseline, unpositioned_from = baseline + reads;
    fold->worker->counts.unpositioned_reads += reads;
    if (unpositioned) {
        bool one = one_content(fold, reads_from, fold->versions_from); /* with the newest of each space, too */
        for (size_t i = fold->versions_from; i < fold->cut_at; i++)
            one &= !newest_of_space(fold, i) || same_content(fold, unpositioned_from, i);
        if (!one)
            return unpositioned_reason(fold, reads_from);
        fold->newest = fold->distinct[versions ? fold->cut_at - 1 : unpositioned_from];
        return SW_REASON_NONE;
    }
    if (versions) {
        enum sw_reason reason = baseline ? check_baseline(fold) : SW_REASON_NONE;
        if (reason == SW_REASON_NONE)
            reason = check_order(fold);
        if (reason == SW_REASON_NONE)
            reason = check_step(fold);
        if (reason != SW_REASON_NONE)
            return reason;
        fold->newest = fold->distinct[fold->cut_at - 1];
        fold->worker->counts.superseded_reads += reads;
        if (reads && (fold->newest->flags & SW_RECORD_DELETED)) {
            fold->draft.state = sw_fold_image_of(fold->newest);
            set_cause_version(fold, SW_CAUSE_DELETED, fold->newest);
            add_place(&fold->draft, fold->distinct[reads_from]);
            add_place(&fold->draft, fold->newest);
            return SW_REASON_READ_AFTER_DELETE;
        }
        return SW_REASON_NONE;
    }
    if (reads > 1)
        return unpositioned_reason(fold, reads_from);
    if (reads || baseline)
        fold->newest = fold->distinct[reads ? reads_from : 0];
    return SW_REASON_NONE;
}

/* Does the reference row show this image, in the columns, flag and (if versions count) version it has? */
static enum sw_reason compare_with(struct fold *fold, const struct sw_draft_image *state, const struct sw_draft_image *expected, enum sw_cause *cause)
{
    const struct sw_fold_rules *rules = fold->rules;
    struct sw_comparison *comparison = &fold->worker->comparison;
    bool state_row = state->present, expected_row = expected->present;
    comparison->differing_count = comparison->unknown_count = comparison->incomparable_count = 0;
    if (rules->deletes != SW_DELETES_TOMBSTONE) {
        state_row &= !state->deleted;
        expected_row &= !expected->deleted;
    }
    if (!state_row && !expected_row)
        return SW_REASON_NONE;
    if (!state_row) {
        *cause = state->present && state->deleted ? SW_CAUSE_DELETED : SW_CAUSE_NEVER_SEEN;
        return SW_REASON_MISSING_STATE;
    }
    if (!expected_row) {
        *cause = expected->present ? SW_CAUSE_FLAGGED : SW_CAUSE_NONE;
        return SW_REASON_UNEXPECTED_STATE;
    }
    if (state->deleted != expected->deleted) {
        *cause = SW_CAUSE_FLAG_DIFFERS;
        return SW_REASON_STATE_MISMATCH;
    }
    bool versions_differ = false;
    if (rules->compare_versions) {
        if (expected->has_version && state->has_version)
            versions_differ = state->space != expected->space || !sw_bytes_equal(state->version, expected->version);
        else
            fold->worker->counts.unversioned_references++;
    }
    if (!state->deleted) {
        bool equal = state->set == expected->set && sw_bytes_equal(state->values, expected->values) && !(fold->newest->flags & SW_RECORD_GAPS);
        if (!equal && !sw_compare_images(comparison, rules, state, expected)) {
            fold->worker->comparison.capacity = 0;
            return SW_REASON_COUNT; /* memory ran out */
        }
        if (!equal && comparison->differing_count)
            return SW_REASON_STATE_MISMATCH;
    }
    if (versions_differ) {
        *cause = SW_CAUSE_VERSION_ONLY;
        return SW_REASON_STATE_MISMATCH;
    }
    if (comparison->incomparable_count)
        return SW_REASON_NOT_COMPARABLE;
    if (comparison->unknown_count)
        return comparison->invalid ? SW_REASON_INVALID_VALUE : SW_REASON_UNKNOWN_COLUMN;
    return SW_REASON_NONE;
}

/* Room for the counts of the key's table. */
static struct sw_fold_table_counts *table_counts(struct fold *fold, struct sw_error *error)
{
    struct sw_fold_worker *worker = fold->worker;
    uint32_t table = fold->draft.table;
    if (table >= worker->table_capacity) {
        uint32_t capacity = (table + 1) * 2;
        struct sw_fold_table_counts *grown = sw_realloc_array(worker->tables, capacity, sizeof *grown);
        if (!grown) {
            (void)sw_fail_memory(error, "counts of tables", capacity * sizeof *grown);
            return NULL;
        }
        memset(grown + worker->table_capacity, 0, (capacity - worker->table_capacity) * sizeof *grown);
        worker->tables = grown;
        worker->table_capacity = capacity;
    }
    if (table >= worker->table_count)
        worker->table_count = table + 1;
    return &worker->tables[table];
}

static enum sw_code count_class(struct fold *fold, enum sw_reason reason, struct sw_error *error)
{
    struct sw_fold_table_counts *of_table = table_counts(fold, error);
    if (!of_table)
        return SW_ERR_MEMORY;
    sw_fold_count_class(&fold->worker->counts, of_table, sw_reason_class(reason), reason);
    return SW_OK;
}

/* The key is not in scope: its records are counted, and nothing is said of it. */
static enum sw_code leave_out(struct fold *fold, struct sw_error *error)
{
    struct sw_fold_table_counts *of_table = table_counts(fold, error);
    uint64_t records = fold->unlisted.evidence + fold->unlisted.beyond_cut + fold->unlisted.open + fold->expected_count + fold->unlisted.reference;
    if (!of_table)
        return SW_ERR_MEMORY;
    for (size_t i = 0; i < fold->distinct_count; i++)
        records += fold->distinct[i]->role != SW_RECORD_ROLE_FOLLOWING;
    fold->worker->counts.dispositions[SW_DISPOSITION_OUT_OF_SCOPE] += records;
    fold->worker->counts.outside++;
    of_table->outside++;
    return SW_OK;
}

/* How each record of the evidence ended, repeats having been counted before. */
static void dispose_all(struct fold *fold, bool blocked)
{
    for (size_t i = 0; i < fold->distinct_count; i++) {
        const struct sw_record *record = fold->distinct[i];
        if (record->role == SW_RECORD_ROLE_FOLLOWING)
            continue; /* the record it follows from is counted */
        if (i >= fold->cut_at)
            dispose(fold, sw_fold_is_open(fold->rules, record) ? SW_DISPOSITION_OPEN_TRANSACTION : SW_DISPOSITION_BEYOND_CUT);
        else if (blocked)
            dispose(fold, SW_DISPOSITION_BLOCKED);
        else
            dispose(fold, record == fold->newest ? SW_DISPOSITION_APPLIED : SW_DISPOSITION_SUPERSEDED);
    }
    fold->worker->counts.dispositions[blocked ? SW_DISPOSITION_BLOCKED : SW_DISPOSITION_SUPERSEDED] += fold->unlisted.evidence;
    fold->worker->counts.dispositions[SW_DISPOSITION_BEYOND_CUT] += fold->unlisted.beyond_cut;
    fold->worker->counts.dispositions[SW_DISPOSITION_OPEN_TRANSACTION] += fold->unlisted.open;
    fold->worker->counts.dispositions[SW_DISPOSITION_REFERENCE] += fold->expected_count + fold->unlisted.reference;
}

static enum sw_code report(struct fold *fold, enum sw_reason reason, struct sw_error *error)
{
    struct sw_draft *draft = &fold->draft;
    draft->reason = reason;
    if (fold->expected_count && !draft->expected.present) {
        draft->expected = sw_fold_image_of(&fold->expected[0]);
        add_place(draft, &fold->expected[0]);
    }
    if (fold->newest && !draft->state.present) {
        draft->state = fold->state;
        add_place(draft, fold->newest);
    }
    return fold->worker->sink.finding(draft, fold->worker->sink.ctx, error);
}

/* A blocked key: no state is named for it. */
static enum sw_code block(struct fold *fold, enum sw_reason reason, struct sw_error *error)
{
    fold->newest = NULL;
    fold->worker->counts.open += fold->by_rows; /* which row it has is not known */
    dispose_all(fold, true);
    enum sw_code code = count_class(fold, reason, error);
    return code < 0 ? code : report(fold, reason, error);
}

/* The image of distinct[at], with what it leaves out carried forward to it. False if memory ran out. */
static bool show_state(struct sw_draft_image *out, struct fold *fold, struct sw_carry *carry, size_t at)
{
    const struct sw_record *record = fold->distinct[at];
    *out = sw_fold_image_of(record);
    return out->deleted || !(record->flags & (SW_RECORD_GAPS | SW_RECORD_PARTIAL)) ||
           sw_carry_forward(out, carry, fold->rules->schema, fold->distinct, at);
}

/* The reference does not show the state at the cut, or at the last commit: does it show a later one? NULL: no. *fine becomes false if memory ran out. */
static const struct sw_record *matches_later(bool *fine, struct fold *fold, const struct sw_draft_image *expected)
{
    *fine = sw_later_hold_against(fold->worker, expected);
    for (size_t i = fold->cut_at; i < fold->distinct_count && *fine; i++)
        if (sw_later_is_shown(fine, fold->worker, fold->distinct, i, expected))
            return *fine ? fold->distinct[i] : NULL;
    return NULL;
}

static enum sw_code decide(struct fold *fold, struct sw_error *error)
{
    struct sw_fold_worker *worker = fold->worker;
    struct sw_draft *draft = &fold->draft;
    struct sw_draft_image expected = {0};
    enum sw_code code = SW_OK;
    if (fold->expected_count)
        expected = sw_fold_image_of(&fold->expected[0]);
    if (fold->newest) {
        size_t at = fold->cut_at;
        while (fold->distinct[at - 1] != fold->newest)
            at--;
        sw_carry_forget(&worker->carry);
        if (!show_state(&fold->state, fold, &worker->carry, at - 1))
            return sw_fail_memory(error, "a row carried forward", 0);
    }
    if (fold->by_rows) {
        enum sw_scope_place place = sw_scope_of_rows(fold->rules->scope, &worker->scope_room, draft->table, draft->key, &fold->state, &expected, fold->rules->deletes == SW_DELETES_TOMBSTONE);
        if (place == SW_SCOPE_NO_MEMORY)
            return sw_fail_memory(error, "a key", draft->key.len);
        if (place == SW_SCOPE_OUTSIDE)
            return leave_out(fold, error);
        worker->counts.open += place == SW_SCOPE_OPEN;
    }
    if (fold->newest) {
        worker->counts.states++;
        worker->counts.tombstones += fold->state.deleted;
        if (worker->sink.state)
            code = worker->sink.state(draft->table, draft->key, &fold->state, worker->sink.ctx, error);
        if (code < 0)
            return code;
    }
    dispose_all(fold, false);
    if (!fold->rules->reference_given)
        return count_class(fold, SW_REASON_NOT_COMPARABLE, error);
    enum sw_cause cause = SW_CAUSE_NONE;
    enum sw_reason reason = compare_with(fold, &fold->state, &expected, &cause);
    if (reason == SW_REASON_COUNT)
        return sw_fail_memory(error, "a comparison", 0);
    if (sw_reason_class(reason) == SW_CLASS_DIFFERENT && fold->cut_at < fold->distinct_count) {
        bool fine = true;
        const struct sw_record *later = matches_later(&fine, fold, &expected);
        if (!fine)
            return sw_fail_memory(error, "a row carried forward", 0);
        bool open = later && sw_fold_is_open(fold->rules, later);
        if (open) {
            reason = SW_REASON_OPEN_TRANSACTION;
            cause = SW_CAUSE_NONE;
            add_place(draft, later);
        } else if (later) {
            reason = SW_REASON_BEYOND_CUT;
            cause = SW_CAUSE_BEYOND_CUT;
        } else {
            if (cause == SW_CAUSE_NEVER_SEEN && !sw_fold_is_open(fold->rules, fold->distinct[fold->cut_at]))
                cause = SW_CAUSE_BEYOND_CUT;
            enum sw_cause again = SW_CAUSE_NONE;
            (void)compare_with(fold, &fold->state, &expected, &again); /* its column lists are the ones to tell */
        }
        if (cause == SW_CAUSE_BEYOND_CUT) {
            set_cause_version(fold, cause, fold->distinct[fold->cut_at]);
            add_place(draft, fold->distinct[fold->cut_at]);
        }
    }
    code = count_class(fold, reason, error);
    if (code < 0 || reason == SW_REASON_NONE)
        return code;
    if (draft->cause == SW_CAUSE_NONE)
        draft->cause = cause;
    if (cause == SW_CAUSE_DELETED)
        set_cause_version(fold, cause, fold->newest);
    if (reason != SW_REASON_BEYOND_CUT && reason != SW_REASON_OPEN_TRANSACTION) {
        draft->differing = worker->comparison.differing;
        draft->differing_count = worker->comparison.differing_count;
        draft->unknown = worker->comparison.unknown;
        draft->unknown_count = worker->comparison.unknown_count;
        draft->incomparable = worker->comparison.incomparable;
        draft->incomparable_count = worker->comparison.incomparable_count;
    }
    return report(fold, reason, error);
}

/* A key that is named under an identity with several contents. */
static const struct sw_record *find_reused(struct fold *fold)
{
    if (!fold->rules->reused)
        return NULL;
    for (size_t i = 0; i < fold->evidence_count; i++)
        if ((fold->evidence[i].flags & SW_RECORD_IDENTITY) && sw_identity_reused(fold->rules->reused, fold->evidence[i].identity))
            return &fold->evidence[i];
    return NULL;
}

/* The finding rests on the bad records, whatever else there is to say of the others; without any, on covered events that are later than the baseline. */
static enum sw_code block_unreadable(struct fold *fold, size_t count, struct sw_error *error)
{
    struct sw_draft *draft = &fold->draft;
    draft->cause = SW_CAUSE_NONE;
    draft->has_cause_version = draft->state.present = draft->other.present = false;
    draft->place_count = 0;
    draft->more_places = 0;
    bool bad = false;
    for (size_t i = 0; i < count; i++)
        bad |= (fold->evidence[i].flags & SW_RECORD_UNREADABLE) && fold->evidence[i].claim != SW_CLAIM_LATER;
    for (size_t i = 0; i < count; i++)
        if ((fold->evidence[i].flags & SW_RECORD_UNREADABLE) && (fold->evidence[i].claim == SW_CLAIM_LATER) != bad)
            add_place(draft, &fold->evidence[i]);
    draft->cause = bad ? SW_CAUSE_NONE : SW_CAUSE_LATER;
    if (!bad && fold->newest)
        draft->state = sw_fold_image_of(fold->newest);
    return block(fold, bad ? SW_REASON_UNREADABLE_RECORD : SW_REASON_UNORDERED, error);
}

enum sw_code sw_fold_key(struct sw_fold_worker *worker, struct sw_record *records, size_t count, const struct sw_fold_unlisted *unlisted, struct sw_error *error)
{
    const struct sw_fold_rules *rules = worker->rules;
    enum sw_scope_place place = SW_SCOPE_INSIDE;
    if (rules->scope && (place = sw_scope_of_key(rules->scope, &worker->scope_room, records[0].table, records[0].key)) == SW_SCOPE_NO_MEMORY)
        return sw_fail_memory(error, "a key", records[0].key.len);
    enum sw_code done;
    if (!unlisted && place != SW_SCOPE_OPEN && sw_fold_usual_key(&done, worker, records, count, place, error))
        return done;
    struct fold fold = {.worker = worker, .rules = rules, .evidence = records, .by_rows = place == SW_SCOPE_OPEN};
    struct sw_draft inconsistent;
    if (unlisted)
        fold.unlisted = *unlisted;
    fold.draft.table = records[0].table;
    fold.draft.key = records[0].key;
    sw_fold_sort_records(rules, records, count);
    while (fold.evidence_count < count && records[fold.evidence_count].role != SW_ROLE_EXPECTED)
        fold.evidence_count++;
    fold.expected = records + fold.evidence_count;
    bool unreadable = false, unreadable_event = false, refuted = false;
    for (size_t i = fold.evidence_count; i < count; i++) { /* marks of bad records go behind the rows, each still in its order */
        if (records[i].flags & SW_RECORD_UNREADABLE) {
            unreadable = true;
            continue;
        }
        struct sw_record row = records[i];
        records[i] = fold.expected[fold.expected_count];
        fold.expected[fold.expected_count++] = row;
    }
    if (!find_distinct(&fold, &unreadable_event))
        return sw_fail_memory(error, "the versions of a key", fold.evidence_count * sizeof(void *));
    enum sw_code code = sw_fold_sends_records(worker) && !unlisted ? sw_fold_send_key(worker, fold.evidence, fold.evidence_count, error) : SW_OK;
    if (code < 0)
        return code;
    while (fold.versions_from < fold.distinct_count && sw_fold_group_of(fold.distinct[fold.versions_from]) != SW_FOLD_GROUP_VERSION)
        fold.versions_from++;
    struct sw_steps steps = {.records = fold.distinct, .count = fold.distinct_count, .versions_from = fold.versions_from};
    if (!sw_steps_settle(&steps, worker))
        return sw_fail_memory(error, "the versions of a key", 0);
    fold.untold = steps.state_untold ? fold.distinct[steps.untold_last] : NULL;
    const struct sw_claim_evidence evidence = {fold.distinct, fold.distinct_count, fold.versions_from, steps.untold};
    if (!unreadable_event) /* what a record that cannot be read did is not missing */
        code = sw_claims_hold_all(&refuted, &inconsistent, worker, &evidence, error);
    if (code < 0)
        return code;
    if (place == SW_SCOPE_OUTSIDE)
        return leave_out(&fold, error);
    unreadable |= unreadable_event;
    if (!sw_steps_settle_pairs(&steps, worker))
        return sw_fail_memory(error, "the versions of a key", 0);
    fold.distinct_count = steps.count;
    worker->counts.dispositions[SW_DISPOSITION_SUPERSEDED] += steps.superseded;
    split_at_cut(&fold);

    if (fold.expected_count > 1) {
        fold.draft.cause = sw_content_compare(rules->schema, &fold.expected[0], &fold.expected[fold.expected_count - 1]) ? SW_CAUSE_DIFFERING_ROWS : SW_CAUSE_REPEATED_ROWS;
        fold.draft.expected = sw_fold_image_of(&fold.expected[0]);
        fold.draft.other = sw_fold_image_of(&fold.expected[1]);
        for (size_t i = 0; i < fold.expected_count; i++)
            add_place(&fold.draft, &fold.expected[i]);
        return block(&fold, SW_REASON_DUPLICATE_KEY, error);
    }
    if (fold.repeated) {
        fold.draft.cause = SW_CAUSE_REPEATED_ROWS;
        fold.draft.state = fold.draft.other = sw_fold_image_of(fold.distinct[0]);
        for (size_t i = 0; i < fold.evidence_count; i++)
            if (sw_fold_repeat_counts(rules, &fold.evidence[i], &fold.evidence[i]))
                add_place(&fold.draft, &fold.evidence[i]);
        return block(&fold, SW_REASON_DUPLICATE_KEY, error);
    }
    const struct sw_record *reused = find_reused(&fold);
    if (reused) {
        fold.draft.identity = reused->identity;
        fold.draft.state = sw_fold_image_of(reused);
        for (size_t i = 0; i < fold.evidence_count; i++) {
            const struct sw_record *record = &fold.evidence[i];
            if (!sw_bytes_equal(record->identity, reused->identity))
                continue;
            add_place(&fold.draft, record);
            if (!same_version(record, reused) || sw_content_compare(rules->schema, record, reused) != 0) /* a repeat is no second content */
                fold.draft.other = sw_fold_image_of(record);
        }
        return block(&fold, SW_REASON_IDENTITY_REUSED, error);
    }
    enum sw_reason reason = choose(&fold);
    if (sw_reason_class(reason) == SW_CLASS_CONFLICT)
        return block(&fold, reason, error);
    if (unreadable)
        return block_unreadable(&fold, count, error);
    if (reason == SW_REASON_NONE && refuted) {
        fold.draft = inconsistent;
        reason = SW_REASON_INCONSISTENT_HISTORY;
    }
    if (reason != SW_REASON_NONE)
        return block(&fold, reason, error);
    return decide(&fold, error);
}

#include "fold/claims.h"

#include "base/memory.h"
#include "fold/key_order.h"

static bool same_version(const struct sw_record *a, const struct sw_record *b) { return a->space == b->space && sw_bytes_equal(a->version, b->version); }

/* Does records[at] share its version with another content? */
static bool is_ambiguous(const struct sw_claim_evidence *evidence, size_t at)
{
    const struct sw_record *const *records = evidence->records;
    if (evidence->untold && evidence->untold[at])
        return true;
    return (at > evidence->versions_from && same_version(records[at], records[at - 1])) || (at + 1 < evidence->count && same_version(records[at], records[at + 1]));
}

/* The state that records[at] replaced: its index in *before. */
static enum sw_claim_result find_before(size_t *before, const struct sw_fold_rules *rules, const struct sw_claim_evidence *evidence, size_t at)
{
    const struct sw_record *const *records = evidence->records, *record = records[at];
    if (at == 0)
        return SW_CLAIM_UNSEEN;
    if (sw_order_is_weak(rules->order, record->version))
        return SW_CLAIM_UNHELD;
    size_t i = *before = at - 1;
    const struct sw_record *earlier = records[i];
    if (i >= evidence->versions_from) {
        bool follows = earlier->space == record->space && sw_version_compare(rules->order, earlier->version, record->version) == SW_VERSION_BEFORE;
        return follows && !is_ambiguous(evidence, i) ? SW_CLAIM_HOLDS : SW_CLAIM_UNHELD;
    }
    bool known = i == 0 && sw_fold_group_of(earlier) == SW_FOLD_GROUP_BASELINE && rules->covered_count && sw_fold_follows_baseline(rules, record->space);
    return known ? SW_CLAIM_HOLDS : SW_CLAIM_UNHELD;
}

static bool is_shown(struct sw_value value) { return value.state == SW_STATE_VALUE || value.state == SW_STATE_NULL; }

/* One column that both images have. */
static void hold_column(struct sw_comparison *out, uint32_t *shown_count, const struct sw_column *column, struct sw_value value, struct sw_value claim)
{
    if (column->ignored || !is_shown(value) || !is_shown(claim))
        return;
    ++*shown_count;
    bool differ = value.state != claim.state || (value.state == SW_STATE_VALUE && !sw_bytes_equal(value.canonical, claim.canonical) &&
                                                 sw_value_comparable(&column->type, value.canonical, claim.canonical));
    if (differ)
        out->differing[out->differing_count++] = column->id;
}

/* Columns that both images show, and show differently; how many both show. */
static bool find_differing(struct sw_comparison *out, uint32_t *shown_count, const struct sw_schema *schema, const struct sw_draft_image *state, const struct sw_draft_image *claimed)
{
    const struct sw_column_set *left = sw_schema_set_at(schema, state->set), *right = sw_schema_set_at(schema, claimed->set);
    struct sw_bytes left_values = state->values, right_values = claimed->values;
    out->differing_count = out->unknown_count = out->incomparable_count = *shown_count = 0;
    if (!sw_comparison_reserve(out, left->count + right->count))
        return false;
    for (uint32_t l = 0, r = 0; l < left->count && r < right->count;) {
        int order = sw_bytes_compare(left->columns[l]->name, right->columns[r]->name);
        if (order < 0) {
            l++;
            (void)sw_value_next(&left_values);
            continue;
        }
        struct sw_value claim = sw_value_next(&right_values);
        const struct sw_column *column = right->columns[r++];
        if (order > 0)
            continue;
        l++;
        hold_column(out, shown_count, column, sw_value_next(&left_values), claim);
    }
    return true;
}

/* The same for a row that was carried forward. */
static bool find_differing_carried(struct sw_comparison *out, uint32_t *shown_count, const struct sw_schema *schema, const struct sw_carry *carry, const struct sw_draft_image *claimed)
{
    const struct sw_column_set *set = sw_schema_set_at(schema, claimed->set);
    struct sw_bytes values = claimed->values;
    out->differing_count = out->unknown_count = out->incomparable_count = *shown_count = 0;
    if (!sw_comparison_reserve(out, set->count))
        return false;
    for (uint32_t i = 0; i < set->count; i++) {
        struct sw_value claim = sw_value_next(&values), value;
        if (sw_carry_value(&value, carry, set->columns[i]))
            hold_column(out, shown_count, set->columns[i], value, claim);
    }
    return true;
}

/* The image that a record claims to replace; false if it shows none. A removal by a change of key has it as its values. */
static bool claimed_image(struct sw_draft_image *out, const struct sw_record *record)
{
    *out = (struct sw_draft_image){.present = true, .has_version = true, .space = record->space, .version = record->version};
    if (record->role == SW_RECORD_ROLE_FOLLOWING || sw_claim_is_read(record)) {
        out->set = record->set;
        out->values = record->values;
        return record->values.len != 0;
    }
    (void)sw_claim_image(&out->set, &out->values, record);
    return record->claim & SW_CLAIM_IMAGE;
}

static bool leaves_out(const struct sw_record *record) { return !(record->flags & SW_RECORD_DELETED) && (record->flags & (SW_RECORD_GAPS | SW_RECORD_PARTIAL)); }

/* Holds what is claimed against the state at records[at], with what its image leaves out. */
static bool hold_against(uint32_t *shown_count, struct sw_fold_worker *worker, const struct sw_claim_evidence *evidence, size_t at, const struct sw_draft_image *claimed)
{
    const struct sw_record *record = evidence->records[at];
    const struct sw_draft_image state = sw_fold_image_of(record);
    if (!leaves_out(record))
        return find_differing(&worker->comparison, shown_count, worker->rules->schema, &state, claimed);
    return sw_carry_to(&worker->carry, worker->rules->schema, evidence->records, at) &&
           find_differing_carried(&worker->comparison, shown_count, worker->rules->schema, &worker->carry, claimed);
}

enum sw_claim_match sw_claim_match(struct sw_fold_worker *worker, const struct sw_claim_evidence *evidence, size_t state, size_t removal)
{
    struct sw_draft_image claimed;
    uint32_t shown;
    if (!claimed_image(&claimed, evidence->records[removal]))
        return SW_CLAIM_MATCH_UNSEEN;
    if (!hold_against(&shown, worker, evidence, state, &claimed))
        return SW_CLAIM_MATCH_NO_MEMORY;
    return worker->comparison.differing_count ? SW_CLAIM_MATCH_DIFFERS : shown ? SW_CLAIM_MATCH_SAME : SW_CLAIM_MATCH_UNSEEN;
}

/* A row that a snapshot read. Where nothing earlier is known to be right before it, it says nothing that is counted. */
static enum sw_claim_result hold_read(size_t *before, struct sw_fold_worker *worker, const struct sw_claim_evidence *evidence, size_t at)
{
    const struct sw_record *record = evidence->records[at];
    if (is_ambiguous(evidence, at) || find_before(before, worker->rules, evidence, at) != SW_CLAIM_HOLDS)
        return SW_CLAIM_NONE;
    const struct sw_record *earlier = evidence->records[*before];
    if (earlier->flags & SW_RECORD_DELETED)
        return SW_CLAIM_READ_WAS_GONE;
    if (record->set == earlier->set && sw_bytes_equal(record->values, earlier->values))
        return SW_CLAIM_NONE;
    struct sw_draft_image read;
    uint32_t shown;
    (void)claimed_image(&read, record);
    if (!hold_against(&shown, worker, evidence, *before, &read))
        return SW_CLAIM_NO_MEMORY;
    return worker->comparison.differing_count ? SW_CLAIM_READ_DIFFERS : SW_CLAIM_NONE;
}

enum sw_claim_result sw_claim_hold(size_t *before, struct sw_fold_worker *worker, const struct sw_claim_evidence *evidence, size_t at)
{
    const struct sw_fold_rules *rules = worker->rules;
    const struct sw_record *record = evidence->records[at];
    if (sw_claim_is_read(record))
        return hold_read(before, worker, evidence, at);
    if (!(record->claim & (SW_CLAIM_ABSENT | SW_CLAIM_LIVE)))
        return SW_CLAIM_NONE;
    if (is_ambiguous(evidence, at))
        return SW_CLAIM_UNHELD;
    enum sw_claim_result result = find_before(before, rules, evidence, at);
    if (result == SW_CLAIM_UNSEEN)
        return (record->claim & SW_CLAIM_LIVE) && record->role != SW_RECORD_ROLE_FOLLOWING ? SW_CLAIM_UNSEEN : SW_CLAIM_NONE;
    if (result != SW_CLAIM_HOLDS)
        return result;
    const struct sw_record *earlier = evidence->records[*before];
    if (record->claim & SW_CLAIM_ABSENT) {
        if (earlier->flags & SW_RECORD_DELETED)
            return SW_CLAIM_HOLDS;
        return earlier->flags & SW_RECORD_READ ? SW_CLAIM_UNHELD : SW_CLAIM_ROW_WAS_THERE; /* a snapshot may have read the row that the insert wrote */
    }
    if (earlier->flags & SW_RECORD_DELETED)
        return SW_CLAIM_ROW_WAS_GONE;
    struct sw_draft_image claimed;
    if (!claimed_image(&claimed, record))
        return SW_CLAIM_HOLDS;
    if (claimed.set == earlier->set && sw_bytes_equal(claimed.values, earlier->values))
        return SW_CLAIM_HOLDS;
    uint32_t shown;
    if (!hold_against(&shown, worker, evidence, *before, &claimed))
        return SW_CLAIM_NO_MEMORY;
    return worker->comparison.differing_count ? SW_CLAIM_ROW_DIFFERS : SW_CLAIM_HOLDS;
}

/* What a contradiction says, as a finding. It borrows from the worker and the records. False if memory ran out. */
static bool describe(struct sw_draft *out, struct sw_fold_worker *worker, const struct sw_claim_evidence *evidence, size_t at, enum sw_claim_result result, size_t before)
{
    const struct sw_record *record = evidence->records[at];
    *out = (struct sw_draft){.table = record->table, .key = record->key, .reason = SW_REASON_INCONSISTENT_HISTORY, .state = sw_fold_image_of(evidence->records[before])};
    static const enum sw_cause causes[] = {[SW_CLAIM_ROW_DIFFERS] = SW_CAUSE_ROW_DIFFERS, [SW_CLAIM_ROW_WAS_THERE] = SW_CAUSE_ROW_WAS_THERE, [SW_CLAIM_ROW_WAS_GONE] = SW_CAUSE_ROW_WAS_GONE,
        [SW_CLAIM_READ_DIFFERS] = SW_CAUSE_READ_DIFFERS, [SW_CLAIM_READ_WAS_GONE] = SW_CAUSE_READ_WAS_GONE};
    out->cause = causes[result];
    if (result == SW_CLAIM_ROW_DIFFERS || result == SW_CLAIM_READ_DIFFERS) {
        if (leaves_out(evidence->records[before]) && !sw_carry_forward(&out->state, &worker->carry, worker->rules->schema, evidence->records, before))
            return false;
        out->differing = worker->comparison.differing;
        out->differing_count = worker->comparison.differing_count;
    }
    if (!claimed_image(&out->other, record))
        out->other.present = false;
    out->has_cause_version = true;
    out->cause_space = record->space;
    out->cause_version = record->version;
    bool swap = sw_fold_compare_places(record, evidence->records[before]) < 0;
    out->places[0] = swap ? record : evidence->records[before];
    out->places[1] = swap ? evidence->records[before] : record;
    out->place_count = 2;
    return true;
}

enum sw_code sw_claim_note(struct sw_fold_worker *worker, const struct sw_claim_evidence *evidence, size_t at, enum sw_claim_result result, size_t before, struct sw_error *error)
{
    struct sw_fold_counts *counts = &worker->counts;
    struct sw_draft draft;
    switch (result) {
    case SW_CLAIM_NONE: return SW_OK;
    case SW_CLAIM_UNSEEN: counts->unseen_updates++; return SW_OK;
    case SW_CLAIM_UNHELD: counts->claims_unheld++; return SW_OK;
    case SW_CLAIM_HOLDS: counts->claims_held++; return SW_OK;
    case SW_CLAIM_NO_MEMORY: return sw_fail_memory(error, "a comparison", 0);
    default: break;
    }
    counts->claims_held++;
    counts->contradictions++;
    counts->read_contradictions += sw_claim_of_read(result);
    if (!worker->sink.contradiction)
        return SW_OK;
    if (!describe(&draft, worker, evidence, at, result, before))
        return sw_fail_memory(error, "a row carried forward", 0);
    return worker->sink.contradiction(&draft, worker->sink.ctx, error);
}

/* The evidence without what lies beyond the cut or in open transactions: that is no state yet. False if memory ran out. */
static bool leave_out_aside(struct sw_claim_evidence *out, struct sw_fold_worker *worker, const struct sw_claim_evidence *evidence)
{
    const struct sw_fold_rules *rules = worker->rules;
    *out = *evidence;
    if (rules->cut_count == 0 && rules->open_count == 0)
        return true;
    if (evidence->count > worker->settled_capacity) {
        const struct sw_record **grown = sw_realloc_array(worker->settled, evidence->count * 2, sizeof *grown);
        if (!grown)
            return false;
        worker->settled = grown;
        uint8_t *marks = sw_realloc_array(worker->settled_untold, evidence->count * 2, 1);
        if (!marks)
            return false;
        worker->settled_untold = marks;
        worker->settled_capacity = evidence->count * 2;
    }
    out->records = worker->settled;
    out->untold = evidence->untold ? worker->settled_untold : NULL;
    out->count = out->versions_from = 0;
    for (size_t i = 0; i < evidence->count; i++) {
        if (sw_fold_is_aside(rules, evidence->records[i]))
            continue;
        out->versions_from += i < evidence->versions_from;
        if (evidence->untold)
            worker->settled_untold[out->count] = evidence->untold[i];
        worker->settled[out->count++] = evidence->records[i];
    }
    return true;
}

enum sw_code sw_claims_hold_all(bool *refuted, struct sw_draft *inconsistent, struct sw_fold_worker *worker, const struct sw_claim_evidence *evidence, struct sw_error *error)
{
    enum sw_code code = SW_OK;
    struct sw_claim_evidence settled;
    *refuted = false;
    sw_carry_forget(&worker->carry);
    if (!leave_out_aside(&settled, worker, evidence))
        return sw_fail_memory(error, "the versions of a key", evidence->count * sizeof(void *));
    for (size_t i = settled.versions_from; i < settled.count && code == SW_OK; i++) {
        size_t before = 0;
        enum sw_claim_result result = sw_claim_hold(&before, worker, &settled, i);
        *refuted = result == SW_CLAIM_ROW_DIFFERS && i + 1 == settled.count && (settled.records[i]->flags & SW_RECORD_DELETED);
        code = sw_claim_note(worker, &settled, i, result, before, error);
        if (*refuted && code == SW_OK && !describe(inconsistent, worker, &settled, i, result, before))
            code = sw_fail_memory(error, "a row carried forward", 0);
    }
    return code;
}

bool sw_claims_agree(struct sw_fold_worker *worker, const struct sw_claim_evidence *evidence)
{
    uint64_t tallies[SW_CLAIM_HOLDS + 1] = {0};
    size_t before;
    sw_carry_forget(&worker->carry);
    for (size_t i = evidence->versions_from; i < evidence->count; i++) {
        enum sw_claim_result result = sw_claim_hold(&before, worker, evidence, i);
        if (result > SW_CLAIM_HOLDS)
            return false;
        tallies[result]++;
    }
    worker->counts.unseen_updates += tallies[SW_CLAIM_UNSEEN];
    worker->counts.claims_unheld += tallies[SW_CLAIM_UNHELD];
    worker->counts.claims_held += tallies[SW_CLAIM_HOLDS];
    return true;
}

#include "report/verdict.h"

#include <stddef.h>

#include "report/recheck.h"
#include "report/scope_words.h"

const char *sw_verdict_name(enum sw_verdict verdict)
{
    switch (verdict) {
    case SW_VERDICT_CONFIRMED: return "confirmed";
    case SW_VERDICT_REFUTED: return "refuted";
    case SW_VERDICT_UNPROVEN: break;
    }
    return "unproven";
}

uint64_t sw_report_keys(const struct sw_report *report)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < SW_CLASS_COUNT; i++)
        sum += report->classes[i];
    return sum;
}

/* The fold gives keys that could be compared, and have nothing to be compared with, this reason. */
uint64_t sw_report_rebuilt(const struct sw_report *report) { return report->role_given[SW_ROLE_EXPECTED] ? 0 : report->reasons[SW_REASON_NOT_COMPARABLE]; }

uint64_t sw_report_undecided(const struct sw_report *report) { return report->classes[SW_CLASS_UNDECIDED] - sw_report_rebuilt(report); }
uint64_t sw_report_compared(const struct sw_report *report) { return report->classes[SW_CLASS_EQUAL] + report->classes[SW_CLASS_DIFFERENT]; }
uint64_t sw_report_differences(const struct sw_report *report) { return report->classes[SW_CLASS_DIFFERENT] + report->classes[SW_CLASS_CONFLICT]; }

uint64_t sw_report_records(const struct sw_report *report)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < SW_ROLE_COUNT; i++)
        sum += report->records[i];
    return sum;
}

int sw_report_exit_status(const struct sw_report *report)
{
    if (report->bad_count && !report->quarantined)
        return 2;
    if (sw_report_differences(report) > sw_report_in_flight(report))
        return 1;
    if (report->bad_count || sw_report_in_flight(report) || report->classes[SW_CLASS_UNDECIDED] || report->absent_column_count || report->scope.partial || report->truncates_later || sw_evidence_is_broken(report))
        return 3;
    return (sw_report_keys(report) && !report->empty_tables) || report->allow_empty ? 0 : 3;
}

enum sw_verdict sw_report_current_state(const struct sw_report *report)
{
    if (report->bad_unattributed || report->servers)
        return SW_VERDICT_UNPROVEN;
    if (report->classes[SW_CLASS_DIFFERENT] > sw_report_in_flight_different(report))
        return SW_VERDICT_REFUTED;
    bool open = sw_report_in_flight(report) || report->classes[SW_CLASS_CONFLICT] || report->classes[SW_CLASS_UNDECIDED] || report->bad_count || report->absent_column_count || report->scope.partial || report->truncates_later;
    return open || report->empty_tables || !sw_report_compared(report) ? SW_VERDICT_UNPROVEN : SW_VERDICT_CONFIRMED;
}

static const char *plural(uint64_t count, const char *one, const char *many) { return count == 1 ? one : many; }

static void judge_current_state(struct sw_claim *claim, const struct sw_report *report)
{
    char a[SW_NUMBER_TEXT_MAX], b[SW_NUMBER_TEXT_MAX];
    const uint64_t *classes = report->classes;
    uint64_t keys = sw_report_keys(report), attributed = report->bad_count - report->bad_unattributed;
    claim->verdict = sw_report_current_state(report);

    struct sw_sentences *why = &claim->reasons;
    if (report->bad_unattributed)
        sw_sentences_add(why, "%s %s could not be read and may be about any key", sw_number_text(a, report->bad_unattributed), plural(report->bad_unattributed, "record", "records"));
    if (report->servers)
        sw_sentences_add(why, "events of one source name several servers (server_id %s): if each wrote files of its own, their numbers were compared though they do not compare, and an older row may have won. "
                         "Order by GTID, or declare which files follow which (where the order's field server stands, and --spaces); if all were read from the log of one server, that is --space NAME", report->servers);
    if (classes[SW_CLASS_DIFFERENT] > sw_report_in_flight_different(report))
        sw_sentences_add(why, "%s of %s %s: the destination is not what the evidence says", sw_number_text(a, classes[SW_CLASS_DIFFERENT]), sw_number_text(b, keys), keys == 1 ? "key differs" : classes[SW_CLASS_DIFFERENT] == 1 ? "keys differs" : "keys differ");
    sw_recheck_judge(why, report);
    if (classes[SW_CLASS_CONFLICT])
        sw_sentences_add(why, "%s %s blocked by a conflict: no declared rule picks a content", sw_number_text(a, classes[SW_CLASS_CONFLICT]), plural(classes[SW_CLASS_CONFLICT], "key is", "keys are"));
    uint64_t undecided = sw_report_undecided(report);
    if (undecided)
        sw_sentences_add(why, "%s %s undecided", sw_number_text(a, undecided), plural(undecided, "key is", "keys are"));
    if (attributed)
        sw_sentences_add(why, "%s %s of known keys could not be used", sw_number_text(a, attributed), plural(attributed, "record", "records"));
    if (report->truncates_later)
        sw_sentences_add(why, "%s %s by the baseline's position and later than the baseline's time: it may be about every key of its table", sw_number_text(a, report->truncates_later), plural(report->truncates_later, "truncate is covered", "truncates are covered"));
    if (report->absent_column_count)
        sw_sentences_add(why, "%u %s on one side only and could not be compared", report->absent_column_count, plural(report->absent_column_count, "column stands", "columns stand"));
    if (!keys)
        sw_sentences_add(why, "nothing was compared: neither side has a key in scope");
    else if (sw_report_rebuilt(report))
        sw_sentences_add(why, "nothing was compared: no reference was given (--expected)");
    else if (!sw_report_compared(report))
        sw_sentences_add(why, "nothing was compared: no key could be decided");
    if (report->empty_tables)
        sw_sentences_add(why, "of %u %s that the mapping lists no record was read", report->empty_tables, plural(report->empty_tables, "table", "tables"));
    if (claim->verdict == SW_VERDICT_CONFIRMED)
        sw_sentences_add(why, "every key in scope was compared and is equal to the declared reference%s", report->mapping->cut ? " at the cut" : "");

    sw_scope_judge(why, &claim->evidence, report);
    if (keys)
        sw_sentences_add(&claim->evidence, "%s of %s %s compared, one by one, on canonical values", sw_number_text(a, sw_report_compared(report)), sw_number_text(b, keys), plural(keys, "key was", "keys were"));
    sw_sentences_add(&claim->evidence, "%s %s read from %u %s", sw_number_text(a, sw_report_records(report)), plural(sw_report_records(report), "record was", "records were"), report->input_count, plural(report->input_count, "input", "inputs"));
}

/* What streams say that number the events of a transaction and count them at its end. */
static void judge_transactions(struct sw_claim *claim, const struct sw_transaction_counts *counts)
{
    char a[SW_NUMBER_TEXT_MAX], b[SW_NUMBER_TEXT_MAX];
    if (counts->missing)
        sw_sentences_add(&claim->reasons, "%s %s events that are not in evidence (%s of them), by the count at the end or the numbers of the others", sw_number_text(a, counts->missing),
                         plural(counts->missing, "transaction has", "transactions have"), sw_number_text(b, counts->missing_events));
    if (counts->surplus)
        sw_sentences_add(&claim->evidence, "%s %s more events than the end counts: the marks are of another stream, or an id was used twice", sw_number_text(a, counts->surplus),
                         plural(counts->surplus, "transaction has", "transactions have"));
    if (counts->complete)
        sw_sentences_add(&claim->evidence, "of %s %s every event is in evidence that the end counts", sw_number_text(a, counts->complete), plural(counts->complete, "transaction", "transactions"));
    if (counts->elsewhere)
        sw_sentences_add(&claim->evidence, "%s %s tables of which nothing is in evidence; those events were not looked for", sw_number_text(a, counts->elsewhere),
                         plural(counts->elsewhere, "transaction touched", "transactions touched"));
    if (counts->without_end)
        sw_sentences_add(&claim->evidence, "%s %s no end in evidence: open, cut by the end of the files, or without the transaction topic's records", sw_number_text(a, counts->without_end),
                         plural(counts->without_end, "transaction has", "transactions have"));
}

static void judge_history(struct sw_claim *claim, const struct sw_report *report)
{
    char a[SW_NUMBER_TEXT_MAX];
    char b[SW_NUMBER_TEXT_MAX];
    uint64_t broken = report->contradiction_count - report->read_contradictions, held = report->claims_held - report->read_contradictions;
    claim->verdict = broken || report->transactions.missing ? SW_VERDICT_REFUTED : SW_VERDICT_UNPROVEN;
    if (broken)
        sw_sentences_add(&claim->reasons, "%s %s another row than the one that the evidence has before %s: a change between the two is missing", sw_number_text(a, broken),
                         plural(broken, "event replaces", "events replace"), plural(broken, "it", "them"));
    if (report->read_contradictions)
        sw_sentences_add(&claim->reasons, "%s %s otherwise than the evidence has %s right before: a change between the two is missing, or the snapshot read later than its position says", sw_number_text(a, report->read_contradictions),
                         plural(report->read_contradictions, "row was read by a snapshot", "rows were read by a snapshot"), plural(report->read_contradictions, "it", "them"));
    if (claim->verdict == SW_VERDICT_UNPROVEN)
        sw_sentences_add(&claim->reasons, "nothing in the inputs proves that every change of the interval is in evidence");
    judge_transactions(claim, &report->transactions);
    if (held)
        sw_sentences_add(&claim->evidence, "what %s %s of the row before %s was held against the evidence: %s %s", sw_number_text(a, held),
                         plural(held, "event says", "events say"), plural(held, "it", "them"), sw_number_text(b, broken), plural(broken, "contradicts it", "contradict it"));
    if (report->claims_unheld)
        sw_sentences_add(&claim->evidence, "what %s %s of the row before %s could not be held against anything: which row that was is not known", sw_number_text(a, report->claims_unheld),
                         plural(report->claims_unheld, "event says", "events say"), plural(report->claims_unheld, "it", "them"));
    if (report->updates_of_unseen_keys)
        sw_sentences_add(&claim->evidence, "%s %s of a key that was not seen before: the baseline or the events may be incomplete", sw_number_text(a, report->updates_of_unseen_keys), plural(report->updates_of_unseen_keys, "update is", "updates are"));
    if (report->space_count > 1)
        sw_sentences_add(&claim->evidence, "the events stand in %u position spaces, between which positions do not compare", report->space_count);
}

void sw_report_judge(struct sw_verdicts *out, const struct sw_report *report)
{
    out->process.verdict = SW_VERDICT_UNPROVEN;
    sw_sentences_add(&out->process.reasons, "that a process runs is never inferred from data, and no other evidence was given");
    judge_current_state(&out->current_state, report);
    judge_history(&out->history, report);
    sw_evidence_judge(&out->history, report);
}

void sw_verdicts_free(struct sw_verdicts *verdicts)
{
    struct sw_claim *claims[] = {&verdicts->process, &verdicts->current_state, &verdicts->history};
    for (size_t i = 0; i < 3; i++) {
        sw_sentences_free(&claims[i]->reasons);
        sw_sentences_free(&claims[i]->evidence);
    }
}

/* Counts that are fields of the report, in the order they are printed; the classes go before them, the reasons after. */
struct field_count {
    const char *name;
    size_t offset;
};

static const struct field_count fields[] = {
    {"states", offsetof(struct sw_report, states)},
    {"tombstones", offsetof(struct sw_report, tombstones)},
    {"duplicateDeliveries", offsetof(struct sw_report, duplicate_deliveries)},
    {"repeatedRecords", offsetof(struct sw_report, repeated_records)},
    {"reusedIdentities", offsetof(struct sw_report, reused_identities)},
    {"unpositionedReads", offsetof(struct sw_report, unpositioned_reads)},
    {"supersededReads", offsetof(struct sw_report, superseded_reads)},
    {"updatesOfUnseenKeys", offsetof(struct sw_report, updates_of_unseen_keys)},
    {"coveredLater", offsetof(struct sw_report, covered_later)},
    {"nullFlags", offsetof(struct sw_report, null_flags)},
    {"badRecords", offsetof(struct sw_report, bad_count)},
    {"unattributedBadRecords", offsetof(struct sw_report, bad_unattributed)},
};
#define FIELD_COUNT (sizeof fields / sizeof fields[0])
#define KEY_COUNTS 6u

const char *sw_report_count_at(uint64_t *out, const struct sw_report *report, size_t index)
{
    switch (index) {
    case 0: *out = sw_report_keys(report); return "keys";
    case 1: *out = report->classes[SW_CLASS_EQUAL]; return "equal";
    case 2: *out = report->classes[SW_CLASS_DIFFERENT]; return "different";
    case 3: *out = report->classes[SW_CLASS_CONFLICT]; return "conflictKeys";
    case 4: *out = report->classes[SW_CLASS_UNDECIDED]; return "undecidedKeys";
    case 5: *out = sw_report_differences(report); return "differences";
    default: break;
    }
    index -= KEY_COUNTS;
    if (index < SW_REASON_COUNT - 1) {
        enum sw_reason reason = (enum sw_reason)(index + 1);
        *out = report->reasons[reason];
        return sw_reason_count_name(reason);
    }
    index -= SW_REASON_COUNT - 1;
    if (index < FIELD_COUNT) {
        memcpy(out, (const char *)report + fields[index].offset, sizeof *out);
        return fields[index].name;
    }
    return NULL;
}

bool sw_report_count(uint64_t *out, const struct sw_report *report, const char *name)
{
    const char *at;
    for (size_t i = 0; (at = sw_report_count_at(out, report, i)) != NULL; i++)
        if (strcmp(at, name) == 0)
            return true;
    return false;
}

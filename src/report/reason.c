/* Names of classes, reasons, causes and dispositions, and the sentence that says what a finding means.
 *
 * A sentence always says which side lacks what. "Evidence" is what baseline and events prove; "destination" is the reference. */
#include "report/sentence.h"

#include <assert.h>

#include "text/json_write.h"

/* A longer identity stands in the finding, not in its sentence. */
#define IDENTITY_BYTES_MAX 80u

struct reason_entry {
    const char *name;       /* in findings */
    const char *count_name; /* in `counts` */
};

static const struct reason_entry reasons[SW_REASON_COUNT] = {
    [SW_REASON_NONE] = {"none", "none"},
    [SW_REASON_MISSING_STATE] = {"missing-state", "missingState"},
    [SW_REASON_UNEXPECTED_STATE] = {"unexpected-state", "unexpectedState"},
    [SW_REASON_STATE_MISMATCH] = {"state-mismatch", "stateMismatch"},
    [SW_REASON_CONFLICTING_VERSION] = {"conflicting-version", "conflictingVersion"},
    [SW_REASON_IDENTITY_REUSED] = {"identity-reused", "identityReused"},
    [SW_REASON_DUPLICATE_KEY] = {"duplicate-key", "duplicateKey"},
    [SW_REASON_INCONSISTENT_HISTORY] = {"inconsistent-history", "inconsistentHistory"},
    [SW_REASON_UNORDERED] = {"unordered", "unordered"},
    [SW_REASON_READ_AFTER_DELETE] = {"read-after-delete", "readAfterDelete"},
    [SW_REASON_OPEN_TRANSACTION] = {"open-transaction", "openTransaction"},
    [SW_REASON_BEYOND_CUT] = {"beyond-cut", "beyondCut"},
    [SW_REASON_UNKNOWN_COLUMN] = {"unknown-column", "unknownColumn"},
    [SW_REASON_INVALID_VALUE] = {"invalid-value", "invalidValue"},
    [SW_REASON_NOT_COMPARABLE] = {"not-comparable", "notComparable"},
    [SW_REASON_UNREADABLE_RECORD] = {"unreadable-record", "unreadableRecord"},
};

const char *sw_reason_name(enum sw_reason reason)
{
    assert(reason < SW_REASON_COUNT);
    return reasons[reason].name;
}

const char *sw_reason_count_name(enum sw_reason reason)
{
    assert(reason < SW_REASON_COUNT);
    return reasons[reason].count_name;
}

const char *sw_class_name(enum sw_class class)
{
    static const char *const names[SW_CLASS_COUNT] = {"equal", "different", "conflict", "undecided"};
    assert(class < SW_CLASS_COUNT);
    return names[class];
}

const char *sw_cause_name(enum sw_cause cause)
{
    static const char *const names[SW_CAUSE_COUNT] = {
        [SW_CAUSE_NONE] = "none",
        [SW_CAUSE_NEVER_SEEN] = "never-seen",
        [SW_CAUSE_DELETED] = "deleted",
        [SW_CAUSE_BEYOND_CUT] = "beyond-cut",
        [SW_CAUSE_FLAGGED] = "flagged-deleted",
        [SW_CAUSE_VERSION_ONLY] = "version-only",
        [SW_CAUSE_FLAG_DIFFERS] = "deleted-flag-differs",
        [SW_CAUSE_NO_POSITION] = "no-position",
        [SW_CAUSE_SPACES] = "several-spaces",
        [SW_CAUSE_TIE] = "tie",
        [SW_CAUSE_STEP] = "one-transaction",
        [SW_CAUSE_LATER] = "later-than-baseline",
        [SW_CAUSE_REPEATED_ROWS] = "repeated-rows",
        [SW_CAUSE_DIFFERING_ROWS] = "differing-rows",
        [SW_CAUSE_ROW_DIFFERS] = "row-differs",
        [SW_CAUSE_ROW_WAS_THERE] = "row-was-there",
        [SW_CAUSE_ROW_WAS_GONE] = "row-was-gone",
        [SW_CAUSE_READ_DIFFERS] = "read-differs",
        [SW_CAUSE_READ_WAS_GONE] = "read-was-gone",
    };
    assert(cause < SW_CAUSE_COUNT);
    return names[cause];
}

const char *sw_disposition_name(enum sw_disposition disposition)
{
    static const char *const names[SW_DISPOSITION_COUNT] = {
        [SW_DISPOSITION_APPLIED] = "applied",
        [SW_DISPOSITION_DUPLICATE] = "duplicateDelivery",
        [SW_DISPOSITION_REPEATED] = "repeated",
        [SW_DISPOSITION_SUPERSEDED] = "superseded",
        [SW_DISPOSITION_COVERED] = "coveredByBaseline",
        [SW_DISPOSITION_BEYOND_CUT] = "beyondCut",
        [SW_DISPOSITION_OTHER_TABLE] = "otherTable",
        [SW_DISPOSITION_NOT_ROW_CHANGE] = "notRowChange",
        [SW_DISPOSITION_OPEN_TRANSACTION] = "openTransaction",
        [SW_DISPOSITION_BLOCKED] = "blocked",
        [SW_DISPOSITION_REFERENCE] = "reference",
        [SW_DISPOSITION_OUT_OF_SCOPE] = "outOfScope",
        [SW_DISPOSITION_BAD] = "bad",
    };
    assert(disposition < SW_DISPOSITION_COUNT);
    return names[disposition];
}

const char *sw_finding_lacking(const struct sw_finding *finding)
{
    switch (finding->reason) {
    case SW_REASON_MISSING_STATE: return "evidence";
    case SW_REASON_UNEXPECTED_STATE: return "destination";
    default: return NULL;
    }
}

void sw_report_print_version(struct sw_buffer *out, const struct sw_report *report, struct sw_bytes version, struct sw_bytes space)
{
    if (report->order && report->order->print) {
        report->order->print(out, version, space);
        return;
    }
    for (size_t i = 0; i < version.len; i++)
        sw_buffer_printf(out, "%02x", version.at[i]);
}

/* Column names of a sentence: the first three, then how many more. */
static void add_columns(struct sw_buffer *out, const struct sw_column *const *columns, uint32_t count)
{
    if (count && columns[0]->name.len == 0) { /* a bare value has no column's name */
        sw_buffer_add_text(out, count == 1 ? "the value" : "the value and ");
        columns++;
        if (--count == 0)
            return;
    }
    sw_buffer_add_text(out, count == 1 ? "column " : "columns ");
    for (uint32_t i = 0; i < count && i < 3; i++) {
        if (i)
            sw_buffer_add_text(out, i + 1 == count ? " and " : ", ");
        sw_sentence_name(out, columns[i]->name);
    }
    if (count > 3)
        sw_buffer_printf(out, " and %u more", count - 3);
}

/* " at version 7", " at version 7 of space X", with the words before the number given; nothing if no position is known. */
static void add_position_after(struct sw_buffer *out, const char *words, const struct sw_report *report, const struct sw_finding *finding)
{
    if (!finding->cause_version.len)
        return;
    sw_buffer_add_text(out, words);
    sw_report_print_version(out, report, finding->cause_version, finding->cause_space);
    if (finding->cause_space.len) {
        sw_buffer_add_text(out, " of space ");
        sw_sentence_name(out, finding->cause_space);
    }
}

static void add_position(struct sw_buffer *out, const struct sw_report *report, const struct sw_finding *finding)
{
    add_position_after(out, " at version ", report, finding);
}

static void add_image_version(struct sw_buffer *out, const struct sw_report *report, const struct sw_image *image)
{
    if (image->has_version)
        sw_report_print_version(out, report, image->version, image->space);
    else
        sw_buffer_add_text(out, "none");
}

static void missing_state(struct sw_buffer *out, const struct sw_report *report, const struct sw_finding *finding)
{
    sw_buffer_add_text(out, "the destination has this row, the evidence lacks it");
    switch (finding->cause) {
    case SW_CAUSE_NEVER_SEEN: sw_buffer_add_text(out, ": no baseline row and no event names the key"); break;
    case SW_CAUSE_DELETED:
        sw_buffer_add_text(out, ": deleted");
        add_position(out, report, finding);
        break;
    case SW_CAUSE_BEYOND_CUT: sw_buffer_add_text(out, ": the key appears only after the cut"); break;
    default: break;
    }
}

static void state_mismatch(struct sw_buffer *out, const struct sw_report *report, const struct sw_finding *finding)
{
    if (finding->cause == SW_CAUSE_FLAG_DIFFERS) {
        sw_buffer_add_text(out, finding->state.deleted ? "deleted by the evidence" : "a live row by the evidence");
        if (finding->state.deleted)
            add_position(out, report, finding);
        sw_buffer_add_text(out, finding->state.deleted ? ", a live row in the destination" : ", deleted in the destination");
        return;
    }
    if (finding->cause == SW_CAUSE_VERSION_ONLY) {
        sw_buffer_add_text(out, "the values agree, the versions do not: ");
        add_image_version(out, report, &finding->state);
        sw_buffer_add_text(out, " by the evidence, ");
        add_image_version(out, report, &finding->expected);
        sw_buffer_add_text(out, " in the destination");
        return;
    }
    sw_buffer_add_text(out, "both sides have the row, ");
    if (finding->differing_count) {
        add_columns(out, finding->differing, finding->differing_count);
        sw_buffer_add_text(out, finding->differing_count == 1 ? " differs" : " differ");
    } else {
        sw_buffer_add_text(out, "the rows differ");
    }
}

/* Which side of the run repeats the key, by the records that the finding rests on. */
static void duplicate_key(struct sw_buffer *out, const struct sw_report *report, const struct sw_finding *finding)
{
    uint32_t by_role[SW_ROLE_COUNT] = {0};
    for (uint32_t i = 0; i < finding->place_count; i++)
        if (finding->places[i].input < report->input_count)
            by_role[report->inputs[finding->places[i].input].role]++;
    const char *side = by_role[SW_ROLE_EXPECTED] > 1 ? "the destination" : by_role[SW_ROLE_BASELINE] > 1 ? "the baseline" : "one side";
    uint32_t rows = by_role[SW_ROLE_EXPECTED] > 1 ? by_role[SW_ROLE_EXPECTED] : by_role[SW_ROLE_BASELINE];
    sw_buffer_printf(out, "%s has ", side);
    if (rows > 1)
        sw_buffer_printf(out, "%s%u rows", finding->more_places ? "at least " : "", rows);
    else
        sw_buffer_add_text(out, "several rows");
    sw_buffer_add_text(out, " of this key");
    if (finding->cause == SW_CAUSE_REPEATED_ROWS)
        sw_buffer_add_text(out, ", with the same content");
    else if (finding->cause == SW_CAUSE_DIFFERING_ROWS)
        sw_buffer_add_text(out, ", with different contents");
    sw_buffer_add_text(out, "; which one counts is not declared");
}

static void unordered(struct sw_buffer *out, const struct sw_report *report, const struct sw_finding *finding)
{
    if (finding->cause == SW_CAUSE_LATER) {
        sw_buffer_add_text(out, "the baseline covers an event of this key by its position, and the event says that it was made after the baseline: the position may be of another history of the source, or a clock was wrong");
        return;
    }
    sw_buffer_add_text(out, "the declared order does not say which content is the newest");
    switch (finding->cause) {
    case SW_CAUSE_NO_POSITION: sw_buffer_add_text(out, ": a record has no position under the declared rule"); break;
    case SW_CAUSE_SPACES: sw_buffer_add_text(out, ": its records stand in several position spaces"); break;
    case SW_CAUSE_STEP: sw_buffer_add_text(out, ": one transaction writes this key and removes it, and no image shows which row was removed"); break;
    case SW_CAUSE_TIE:
        sw_buffer_add_text(out, ": a tie");
        add_position(out, report, finding);
        break;
    default: break;
    }
}

static void unknown_column(struct sw_buffer *out, const struct sw_finding *finding)
{
    if (!finding->unknown_count) {
        sw_buffer_add_text(out, "a column is not in evidence and was not compared");
        return;
    }
    add_columns(out, finding->unknown, finding->unknown_count);
    sw_buffer_add_text(out, finding->unknown_count == 1 ? " is not in evidence and was not compared" : " are not in evidence and were not compared");
    sw_buffer_add_text(out, "; no difference in the columns that are");
}

static void not_comparable(struct sw_buffer *out, const struct sw_finding *finding)
{
    if (finding->incomparable_count)
        add_columns(out, finding->incomparable, finding->incomparable_count);
    else
        sw_buffer_add_text(out, "a column");
    sw_buffer_add_text(out, " cannot be compared under the declared types (a time without a zone against one with a zone)");
}

void sw_finding_sentence(struct sw_buffer *out, const struct sw_report *report, const struct sw_finding *finding)
{
    switch (finding->reason) {
    case SW_REASON_MISSING_STATE: missing_state(out, report, finding); return;
    case SW_REASON_UNEXPECTED_STATE:
        sw_buffer_add_text(out, "the evidence has this row, the destination lacks it");
        if (finding->cause == SW_CAUSE_FLAGGED)
            sw_buffer_add_text(out, ": the row there is flagged as deleted");
        return;
    case SW_REASON_STATE_MISMATCH: state_mismatch(out, report, finding); return;
    case SW_REASON_CONFLICTING_VERSION:
        sw_buffer_add_text(out, "different contents under ");
        if (finding->cause_version.len)
            add_position_after(out, "version ", report, finding);
        else
            sw_buffer_add_text(out, "one version");
        sw_buffer_add_text(out, "; no declared rule picks one, the key is blocked");
        return;
    case SW_REASON_IDENTITY_REUSED:
        sw_buffer_add_text(out, "one event identity");
        if (finding->identity.len && finding->identity.len <= IDENTITY_BYTES_MAX) {
            sw_buffer_add_text(out, " (");
            sw_buffer_add_bytes(out, finding->identity);
            sw_buffer_add_text(out, ")");
        }
        sw_buffer_add_text(out, " stands over different contents; the key is blocked");
        return;
    case SW_REASON_DUPLICATE_KEY: duplicate_key(out, report, finding); return;
    case SW_REASON_INCONSISTENT_HISTORY:
        sw_buffer_add_text(out, "the newest event");
        add_position_after(out, ", at version ", report, finding);
        sw_buffer_add_text(out, finding->cause_version.len ? ", claims" : " claims");
        sw_buffer_add_text(out, " to remove another row than the one in evidence; a change before it is missing");
        return;
    case SW_REASON_UNORDERED: unordered(out, report, finding); return;
    case SW_REASON_READ_AFTER_DELETE:
        sw_buffer_add_text(out, "a row without a position was read, and the newest positioned event is a delete");
        add_position(out, report, finding);
        sw_buffer_add_text(out, "; which came last is not in evidence");
        return;
    case SW_REASON_OPEN_TRANSACTION:
        sw_buffer_add_text(out, "the destination holds what a transaction would leave whose commit is not in evidence");
        return;
    case SW_REASON_BEYOND_CUT: sw_buffer_add_text(out, "the destination holds a state from after the cut"); return;
    case SW_REASON_UNKNOWN_COLUMN: unknown_column(out, finding); return;
    case SW_REASON_INVALID_VALUE:
        if (finding->unknown_count) {
            add_columns(out, finding->unknown, finding->unknown_count);
            sw_buffer_add_text(out, finding->unknown_count == 1 ? " holds" : " hold");
        } else {
            sw_buffer_add_text(out, "a column holds");
        }
        sw_buffer_add_text(out, " a value that is none of the declared type, and was not compared");
        return;
    case SW_REASON_NOT_COMPARABLE: not_comparable(out, finding); return;
    case SW_REASON_UNREADABLE_RECORD: sw_buffer_add_text(out, "a record of this key could not be read; what it says is not in evidence"); return;
    case SW_REASON_NONE:
    case SW_REASON_COUNT: break;
    }
    assert(false && "a finding has a reason");
}

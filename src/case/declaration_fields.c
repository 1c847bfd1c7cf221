/* The fields of case.yaml, in the order of the template. */
#include <stddef.h>

#include "case/declaration.h"

#define AT(field) offsetof(struct sw_case_declaration, field)
#define TEXT(path, field, help) {path, SW_FIELD_TEXT, AT(field), 0, help, NULL, NULL, 0, 0}
#define TIME(path, field, help) {path, SW_FIELD_TIME, AT(field), 0, help, NULL, NULL, 0, 0}
#define DURATION(path, field, help) {path, SW_FIELD_DURATION, AT(field), 0, help, NULL, NULL, 0, 0}
#define COUNT(path, field, help) {path, SW_FIELD_COUNT, AT(field), 0, help, NULL, NULL, 0, 0}
#define CHOICE(path, field, help, choices) {path, SW_FIELD_CHOICE, AT(field), 0, help, choices, NULL, 0, 0}
#define TEXTS(path, field, help) {path, SW_FIELD_TEXTS, AT(field), 0, help, NULL, NULL, 0, 0}
#define ENTRIES(path, field, help) {path, SW_FIELD_ENTRIES, AT(field), 0, help, NULL, NULL, 0, 0}
#define RECORDS(path, field, count, help, list, type) {path, SW_FIELD_RECORDS, AT(field), AT(count), help, NULL, list, sizeof list / sizeof list[0], sizeof(struct type)}
#define ITEM(name, form, type, field, help, choices) {name, form, offsetof(struct type, field), 0, help, choices, NULL, 0, 0}

static const char *const yes_no[] = {"yes", "no", NULL}, *const states[] = {"running", "stopped", "failed", NULL}, *const decisions[] = {"accepted", "refused", NULL},
                  *const whose[] = {"ours", "vendor", NULL}, *const skipped_states[] = {"open", "closed", NULL},
                  *const backfill_states[] = {"pending", "active", "completed", "stopped", "failed", NULL};

static const struct sw_field exceptions[] = {
    ITEM("what", SW_FIELD_TEXT, sw_note_exception, what, "the requirement that is not met", NULL),
    ITEM("reason", SW_FIELD_TEXT, sw_note_exception, reason, "why it cannot be", NULL),
    ITEM("approved-by", SW_FIELD_TEXT, sw_note_exception, approved_by, "who agreed", NULL),
    ITEM("until", SW_FIELD_TIME, sw_note_exception, until, "when it is looked at again", NULL),
};

static const struct sw_field skipped[] = {
    ITEM("from", SW_FIELD_TEXT, sw_note_skipped, from, "the position after which changes are missing", NULL),
    ITEM("to", SW_FIELD_TEXT, sw_note_skipped, to, "the first position that is there again", NULL),
    ITEM("plan", SW_FIELD_TEXT, sw_note_skipped, plan, "what is done about it", NULL),
    ITEM("owner", SW_FIELD_TEXT, sw_note_skipped, owner, "who does it", NULL),
    ITEM("status", SW_FIELD_CHOICE, sw_note_skipped, status, "open or closed", skipped_states),
};

static const struct sw_field resources[] = {
    ITEM("name", SW_FIELD_TEXT, sw_note_resource, name, "a snapshot, a backup, an archived log", NULL),
    ITEM("what", SW_FIELD_TEXT, sw_note_resource, what, "what it restores, and what it does not", NULL),
    ITEM("valid-until", SW_FIELD_TIME, sw_note_resource, valid_until, "each part has its own end", NULL),
    ITEM("region", SW_FIELD_TEXT, sw_note_resource, region, "where it can be restored", NULL),
    ITEM("version", SW_FIELD_TEXT, sw_note_resource, version, "which versions of the pipeline can read it", NULL),
};

static const struct sw_field assumptions[] = {
    ITEM("what", SW_FIELD_TEXT, sw_declared_assumption, what, "for instance: the log is kept until Friday", NULL),
    ITEM("holds", SW_FIELD_CHOICE, sw_declared_assumption, holds, "yes or no; with no, decisions from before are open again", yes_no),
    ITEM("checked-at", SW_FIELD_TIME, sw_declared_assumption, checked_at, "when somebody looked", NULL),
};

#define BOUNDARY(name, index, what) \
    TEXT("boundaries." name ".system", boundaries[index].system, what), \
    TEXT("boundaries." name ".kind", boundaries[index].kind, "what its position is of: postgres, mysql, mysql-gtid, mariadb, oracle, sqlserver, mongodb, kafka, bigquery, datastream"), \
    TEXT("boundaries." name ".position", boundaries[index].position, "the last confirmed one; a time is none"), \
    ENTRIES("boundaries." name ".evidence", boundaries[index].evidence, "numbers of ledger entries, such as [1, 4]"), \
    TIME("boundaries." name ".observed-at", boundaries[index].observed_at, "when somebody looked")

#define CRITERION(name, field, what) \
    TEXT("criteria." name ".text", field.text, what), \
    TEXT("criteria." name ".owner", field.owner, "one person, who decides; another one for each criterion"), \
    TIME("criteria." name ".expires-at", field.expires_at, "from then on the evidence must be collected again"), \
    CHOICE("criteria." name ".decision", field.decision, "accepted or refused: the owner's word, no evidence", decisions), \
    TEXT("criteria." name ".decided-by", field.decided_by, NULL), \
    TIME("criteria." name ".decided-at", field.decided_at, NULL)

const struct sw_field sw_case_fields[] = {
    TEXT("title", title, "the incident in a line"),
    TEXT("incident", incident, "its number or link elsewhere"),
    TIME("started-at", started_at, "when it began: 2031-02-03T04:05:06Z"),

    BOUNDARY("source", 0, "the server that produces changes now: host, database, slot"),
    BOUNDARY("pipeline", 1, "what saved a position: stream, connector, job"),
    BOUNDARY("destination", 2, "where effects arrive: dataset, table"),

    TEXT("affected.from", affected_from, "the affected interval: positions if known, else times"),
    TEXT("affected.to", affected_to, NULL),
    TEXTS("affected.objects", affected_objects, "tables, as reports name them: [orders, positions]"),
    TEXT("affected.scope", affected_scope, "which rows of them were compared, as reports spell it (scope.declared); empty if all"),

    CRITERION("current-state", current_state, "for whom must current rows be right, and what is right"),
    CRITERION("every-change", every_change, "for whom must every change be there, and in which interval"),

    TEXT("handover.next-owner", handover.next_owner, "who takes over"),
    TEXT("handover.contact", handover.contact, NULL),
    TEXT("handover.next-step", handover.next_step, "the first thing to do"),
    TEXT("handover.may-stop", handover.may_stop, "who may stop the handover"),
    TEXT("handover.results-kept", handover.results_kept, "where results are kept"),
    TEXT("handover.pipeline-version", handover.pipeline_version, "the version that runs, or is to run"),
    TEXT("handover.authorization", handover.authorization, "which process of yours authorizes production; slackwater does not"),

    CHOICE("process.state", process.state, "running, stopped or failed; that it runs says nothing about data", states),
    ENTRIES("process.evidence", process.evidence, "an observation of the process; no report on data is one"),
    TIME("process.observed-at", process.observed_at, NULL),
    TIME("process.expires-at", process.expires_at, "when somebody must look again"),

    CHOICE("history.rebuildable", history_rebuildable, "can every change of the interval be had again? With no, an exception is needed", yes_no),
    RECORDS("exceptions", exceptions, exception_count, "where a requirement cannot be met", exceptions, sw_note_exception),
    RECORDS("skipped-intervals", skipped, skipped_count, "each interval that the restart passes over", skipped, sw_note_skipped),

    TEXT("restart.position", restart.position, "where reading starts again, of the source's kind"),
    TEXT("restart.explanation", restart.explanation, "why there, for whoever validates the data afterwards"),
    TEXT("restart.explained-to", restart.explained_to, "who that is"),
    TEXT("restart.earlier-considered", restart.earlier, "what was tried to start earlier, such as restoring a binlog file"),

    TEXT("source.retention", source.retention, "how far back the log reaches"),
    TIME("source.retention-ends-at", source.retention_ends_at, "when the position that is needed will be discarded"),
    TEXT("source.writes-during-change", source.writes, "what goes on being written meanwhile; none if nothing is"),
    CHOICE("source.failover", source.failover, "does another server produce changes than before?", yes_no),
    TEXT("source.failover-checked-on", source.failover_checked_on, "the server on which the sequence was checked: the one that produces now"),
    ENTRIES("source.failover-evidence", source.failover_evidence, NULL),

    TEXT("rehearsal.destination", rehearsal.destination, "where overlap is rehearsed; not the production table"),
    TEXT("rehearsal.object", rehearsal.object, "which table was rehearsed"),
    COUNT("rehearsal.rows", rehearsal.rows, "its rows"),
    COUNT("rehearsal.largest-rows", rehearsal.largest_rows, "rows of the largest table that is concluded about"),
    CHOICE("rehearsal.changes-during", rehearsal.changes, "did changes go on during it?", yes_no),
    TEXT("rehearsal.throughput", rehearsal.throughput, "measured, with its unit"),
    TEXT("rehearsal.source-impact", rehearsal.source_impact, "measured at the source"),
    TEXT("rehearsal.application-lag", rehearsal.application_lag, "how far the destination was behind"),
    TEXT("rehearsal.stop-criteria", rehearsal.stop_criteria, "when concurrency is reduced, and when all is stopped"),

    CHOICE("backfill.used", backfill.used, "with no, the rest of this part stays empty", yes_no),
    CHOICE("backfill.status", backfill.status, "completed means read, not applied", backfill_states),
    TEXT("backfill.ordering", backfill.ordering, "how historical images and change events are ordered"),
    CHOICE("backfill.restarted", backfill.restarted, "was it stopped and started again?", yes_no),
    CHOICE("backfill.resend-planned", backfill.resend_planned, "a restart sends rows again: is there time and room for it?", yes_no),

    TEXT("order.policy", order.policy, "the policy of the reconciliation, as slackwater orders names it"),
    CHOICE("order.whose", order.whose, "ours or the vendor's", whose),
    TEXT("order.version-producer", order.producer, "who gives a row its version"),
    TEXT("order.comparison", order.comparison, "how two versions compare"),
    TEXT("order.disagreement", order.disagreement, "what happens when two sources disagree"),
    TEXT("order.event-identity", order.identity, "what names an event; a key alone does not"),

    TEXT("overlap.control", overlap.control, "what happens to changes that arrive twice: idempotent, isolated, or none if there is no overlap"),
    ENTRIES("overlap.evidence", overlap.evidence, "what shows it; an option named exactly-once does not"),

    CHOICE("snapshot.used", snapshot.used, "is a snapshot of the job restored? With no, the rest of this part stays empty", yes_no),
    TEXT("snapshot.compatibility", snapshot.compatibility, "can the version that is started read it, and how is that known"),

    CHOICE("seek.used", seek.used, "is a subscription or an offset set back? With no, the rest of this part stays empty", yes_no),
    TEXT("seek.filter", seek.filter, "the subscription's filter, which limits what comes again; none if there is none"),
    TEXT("seek.active-consumers", seek.consumers, "who goes on reading meanwhile"),
    TEXT("seek.repeated-work", seek.repeated_work, "how work done before is told from work done again"),
    TEXT("seek.stale-acknowledgements", seek.stale_acknowledgements, "how an acknowledgement from before is recognised"),
    ENTRIES("seek.preserved-evidence", seek.preserved, "delivery attempts and other counters, saved before the seek reset them"),

    TEXT("destination.reference", destination.reference, "where the reference came from, and who vouches for it"),
    TEXT("destination.quiescent", destination.quiescent, "without a cut: why nothing changed while both sides were read"),
    DURATION("destination.max-staleness", destination.max_staleness, "as the destination declares it: 0, 15m, 6h"),
    TIME("destination.cut-at", destination.cut_at, "when the cut was, as a time"),
    TIME("destination.read-at", destination.read_at, "when the destination was read"),
    DURATION("destination.deletions-kept", destination.deletions_kept, "how long it remembers a deletion (BigQuery: 2d)"),
    DURATION("destination.oldest-replayable", destination.oldest_replayable, "the age of the oldest event that can come again"),

    TEXT("review.deletions", review.deletions, "who looked, and what was found"),
    TEXT("review.conflicts", review.conflicts, NULL),
    TEXT("review.unexpected-keys", review.unexpected, NULL),
    TEXT("review.cancelling-values", review.totals, "values that cancel in a total"),

    RECORDS("resources", resources, resource_count, "what can be restored from", resources, sw_note_resource),
    RECORDS("assumptions", assumptions, assumption_count, "what the decisions rest on", assumptions, sw_declared_assumption),
};
const size_t sw_case_field_count = sizeof sw_case_fields / sizeof sw_case_fields[0];

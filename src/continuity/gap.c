/* The steps that are the same for every kind: read what is given, ask the kind, weigh identity. */
#include "continuity/gap.h"

#include <stdio.h>

#include "base/memory.h"
#include "base/options.h"
#include "position/attribute.h"
#include "position/datastream.h"

static const struct sw_gap_judge *const judges[] = {
    &sw_gap_postgres, &sw_gap_mysql, &sw_gap_mysql_gtid, &sw_gap_mariadb, &sw_gap_oracle, &sw_gap_sqlserver, &sw_gap_mongodb, &sw_gap_kafka,
};

static const struct sw_continuity_rule rule_space = {
    "space.differs",
    "positions of two spaces are never compared",
    "docs/positions.md, Identity",
};
static const struct sw_continuity_rule rule_no_log = {
    "log.none",
    "the kind orders rows, and names no place in a log that could be read again",
    "BigQuery documentation, \"Stream table updates with change data capture\"",
};

void sw_gap_options_init_sized(struct sw_gap_options *options, size_t size) { sw_options_init(options, size); }

/* ---- helpers for the kinds ---- */

enum sw_code sw_gap_read(struct sw_position **out, struct sw_gap_case *gap, struct sw_bytes text, const char *what)
{
    *out = NULL;
    if (sw_shown_is_null(text))
        return SW_OK;
    struct sw_error fault = {0};
    enum sw_code code = sw_position__parse(out, gap->kind, text, &fault);
    return code < 0 ? sw_fail(gap->error, code, "%s, %s: %.900s", sw_gap_says(gap, "pasted output", "the server's answer"), what, fault.text) : code;
}

enum sw_code sw_gap_read_value(struct sw_position **out, struct sw_gap_case *gap, const char *name)
{
    struct sw_bytes text;
    *out = NULL;
    enum sw_code code = sw_shown_value(&text, &gap->shown, name, gap->error);
    if (code >= 0)
        code = sw_gap_read(out, gap, text, name);
    char shown[SW_GAP_NAME_MAX];
    if (code >= 0 && *out)
        sw_sentences_add(&gap->report->evidence, "%s is %s", name, sw_gap_name(shown, gap, *out));
    return code;
}

enum sw_code sw_gap_identify(struct sw_position **position, const char *attribute, struct sw_bytes value, struct sw_error *error)
{
    if (!*position || sw_shown_is_null(value) || sw_position_attribute(*position, attribute))
        return SW_OK;
    struct sw_position *made = NULL;
    enum sw_code code = sw_position__with(&made, *position, attribute, value, error);
    if (code >= 0) {
        sw_position_free(position);
        *position = made;
    }
    return code;
}

bool sw_gap_compared(struct sw_gap_case *gap, enum sw_position_order *order, const struct sw_position *a, const struct sw_position *b)
{
    struct sw_position_comparison answer;
    *order = sw_position_compare(&answer, a, b, &gap->compare);
    if (*order != SW_POSITION_INCOMPARABLE)
        return true;
    sw_continuity_decide(gap->report, SW_CANNOT_TELL, &rule_space, "%s", answer.reason);
    return false;
}

bool sw_gap_same_space(struct sw_gap_case *gap, const struct sw_position *a, const struct sw_position *b)
{
    struct sw_position_comparison answer = {0};
    if (sw_attributes_same_space(&answer, a, b, true))
        return true;
    sw_continuity_decide(gap->report, SW_CANNOT_TELL, &rule_space, "%s", answer.reason);
    return false;
}

const char *sw_gap_name(char out[SW_GAP_NAME_MAX], struct sw_gap_case *gap, const struct sw_position *position)
{
    struct sw_buffer text = {0};
    position->kind->print(&text, position);
    const char *whole = sw_buffer_text(&text);
    snprintf(out, SW_GAP_NAME_MAX, "%.*s%s", SW_GAP_NAME_MAX - 6, whole && *whole ? whole : "(empty)", whole && text.len > SW_GAP_NAME_MAX - 6 ? "..." : "");
    for (char *at = out; *at; at++)
        if ((unsigned char)*at < ' ' || (unsigned char)*at >= 127)
            *at = '?';
    gap->report->failed |= text.failed;
    sw_buffer_free(&text);
    return out;
}

struct sw_interval *sw_gap_interval(struct sw_gap_case *gap, const struct sw_position *from, const struct sw_position *to)
{
    struct sw_buffer start = {0}, end = {0};
    from->kind->print(&start, from);
    if (to)
        to->kind->print(&end, to);
    struct sw_interval *interval = sw_continuity_add_interval(gap->report, sw_bytes_text(""), sw_buffer_view(&start), sw_buffer_view(&end), to == NULL);
    gap->report->failed |= start.failed || end.failed;
    sw_buffer_free(&start);
    sw_buffer_free(&end);
    return interval;
}

void sw_gap_follow(struct sw_gap_case *gap, const char *recover, const char *start, const char *retention)
{
    struct sw_sentences *follow = &gap->report->obligations;
    sw_sentences_add(follow, "%s", recover);
    sw_sentences_add(follow, "%s", start);
    sw_sentences_add(follow, "record the interval as an obligation with an owner: it must be reconciled or backfilled, and nothing does that by itself");
    sw_sentences_add(follow, "backfill the tables that changed in it, then compare keys: what was deleted in the interval leaves no event and stays in the destination");
    sw_sentences_add(follow, "do not declare the history complete: a backfill restores rows, not the operations in between");
    sw_sentences_add(follow, "%s", retention);
}

/* ---- reading the options ---- */

static enum sw_code read_position(struct sw_position **out, struct sw_gap_case *gap, const char *option, const char *text)
{
    if (!text)
        return SW_OK;
    struct sw_error fault = {0};
    struct sw_position *wrapped = NULL;
    enum sw_code code = SW_ERR_INPUT;
    if (gap->kind == &sw_kind_datastream || strcmp(gap->options->kind, "datastream") == 0) {
        code = sw_position__parse(&wrapped, &sw_kind_datastream, sw_bytes_text(text), &fault);
        if (code >= 0 && gap->kind != &sw_kind_datastream && sw_datastream_inner(wrapped)->kind != gap->kind) {
            sw_position_free(&wrapped);
            return sw_fail(gap->error, SW_ERR_INPUT, "--%s is a position of another kind of source than --saved", option);
        }
    }
    if (code >= 0) { /* what counts is the source's own position */
        struct sw_buffer inner = {0};
        gap->kind = sw_datastream_inner(wrapped)->kind;
        sw_position__print(&inner, sw_datastream_inner(wrapped));
        code = inner.failed ? sw_fail_memory(&fault, "a position", inner.len) : sw_position__parse(out, gap->kind, sw_buffer_view(&inner), &fault);
        sw_buffer_free(&inner);
        sw_position_free(&wrapped);
    } else if (gap->kind != &sw_kind_datastream && code != SW_ERR_MEMORY) {
        fault = (struct sw_error){0};
        code = sw_position__parse(out, gap->kind, sw_bytes_text(text), &fault);
    }
    return code < 0 ? sw_fail(gap->error, code, "--%s: %.1000s", option, fault.text) : code;
}

static enum sw_code read_histories(struct sw_gap_case *gap)
{
    const struct sw_gap_options *options = gap->options;
    if (!options->history_count)
        return SW_OK;
    enum sw_code code = sw_position_history_new(&gap->history, gap->kind->info.name, gap->error);
    for (size_t i = 0; code >= 0 && i < options->history_count; i++) {
        struct sw_error fault = {0};
        const struct sw_named_text *text = &options->histories[i];
        code = sw_position_history_add(gap->history, text->name, text->text, text->len, &fault);
        if (code < 0)
            code = sw_fail(gap->error, code, "%.200s: %.800s", text->name ? text->name : "--history", fault.text);
    }
    gap->compare.history = gap->history;
    return code;
}

static enum sw_code check_options(const struct sw_gap_options *options, struct sw_error *error)
{
    if (!options->kind)
        return sw_fail(error, SW_ERR_USAGE, "--kind is missing: which kind of position is --saved?");
    if (!options->saved)
        return sw_fail(error, SW_ERR_USAGE, "--saved is missing: the position that the pipeline has durably processed; its own store has it (give the offset that Debezium stores as it stands, and the answer names the position in it), and docs/positions.md says how each kind is written");
    if (options->strict && strcmp(options->strict, "on") != 0 && strcmp(options->strict, "off") != 0)
        return sw_fail(error, SW_ERR_USAGE, "--strict: expected on or off, found '%.40s'", options->strict);
    bool gtid = strcmp(options->kind, "mysql-gtid") == 0 || strcmp(options->kind, "datastream") == 0;
    if (!gtid && (options->purged || options->executed || options->sources))
        return sw_fail(error, SW_ERR_USAGE, "--purged, --executed and --sources belong to --kind mysql-gtid");
    if (options->slot && strcmp(options->kind, "postgres") != 0 && strcmp(options->kind, "datastream") != 0)
        return sw_fail(error, SW_ERR_USAGE, "--slot belongs to --kind postgres");
    if (options->strict && strcmp(options->kind, "mariadb") != 0)
        return sw_fail(error, SW_ERR_USAGE, "--strict belongs to --kind mariadb");
    return SW_OK;
}

/* ---- identity ---- */

/* A verdict that rests on an identity nobody gave is worth no more than a condition. */
static void weigh_identity(struct sw_gap_case *gap)
{
    const struct sw_attribute *attributes = gap->kind->attributes;
    if (gap->report->verdict == SW_CANNOT_TELL)
        return;
    for (size_t i = 0; attributes[i].name; i++) {
        if (attributes[i].role != SW_ATTRIBUTE_IDENTITY && attributes[i].role != SW_ATTRIBUTE_LINEAGE)
            continue;
        bool saved = gap->saved->attributes[i] != NULL;
        bool source = (gap->first && gap->first->attributes[i]) || (gap->last && gap->last->attributes[i]);
        if (saved && source)
            continue;
        if (gap->probed && gap->probed->same_source) {
            sw_sentences_add(&gap->report->assumed, "both are of the same %s: %s", attributes[i].meaning, gap->probed->same_source);
            continue;
        }
        const char *who = saved ? "the source" : source ? "the saved position" : "neither the saved position nor the source";
        if (gap->options->same_source)
            sw_sentences_add(&gap->report->assumed, "declared with --same-source: both have the same %s (%s gives it)", attributes[i].meaning,
                saved ? "only the saved position" : source ? "only the source" : "neither");
        else
            sw_sentences_add(&gap->report->conditions, "both are of the same %s: %s %s its own; write @%s=... behind the position, or declare --same-source", attributes[i].meaning, who,
                saved || source ? "does not give" : "gives", attributes[i].name);
    }
}

static void always_true(struct sw_gap_case *gap)
{
    struct sw_sentences *limits = &gap->report->limits;
    sw_sentences_add(limits, "it judges positions, not contents: which tables and keys an interval touched is not known from them");
    if (gap->probed)
        sw_sentences_add(limits, "it shows the source at the moment it was asked; retention goes on");
    else if (gap->shown.count)
        sw_sentences_add(limits, "pasted output shows the source at the time it was printed; retention goes on");
    else
        sw_sentences_add(limits, "it rests on the positions as they were given; nothing was asked of the source");
    if (gap->report->verdict == SW_CONTINUOUS)
        sw_sentences_add(limits, "that the source can serve the log does not show that the pipeline applied it, before or after");
}

static void add_frame(struct sw_gap_case *gap)
{
    const struct {
        const char *name;
        const struct sw_position *position;
    } frame[] = {{"saved", gap->saved}, {"first", gap->first}, {"last", gap->last}};
    for (size_t i = 0; i < sizeof frame / sizeof *frame; i++) {
        char *text = NULL;
        gap->report->failed |= frame[i].position && sw_position_print(&text, NULL, frame[i].position, NULL) < 0;
        sw_continuity_add_fact(gap->report, frame[i].name, text);
        sw_position_text_free(&text);
    }
}

static enum sw_code judge(struct sw_gap_case *gap)
{
    const struct sw_gap_judge *found = NULL;
    for (size_t i = 0; i < sizeof judges / sizeof *judges; i++)
        if (judges[i]->kind == gap->kind)
            found = judges[i];
    enum sw_code code = read_position(&gap->first, gap, "first", gap->options->first);
    if (code >= 0)
        code = read_position(&gap->last, gap, "last", gap->options->last);
    if (code >= 0 && found)
        code = read_histories(gap);
    if (gap->probed)
        gap->shown = gap->probed->shown;
    else if (code >= 0)
        code = sw_shown_read(&gap->shown, gap->options->shown, gap->options->shown_count, gap->error);
    if (code < 0)
        return code;
    if (!found) {
        sw_continuity_decide(gap->report, SW_CANNOT_TELL, &rule_no_log, "a %s position orders changes of one key; there is no log behind it that could be resumed", gap->kind->info.name);
        return SW_OK;
    }
    if (found->gather)
        code = found->gather(gap);
    return code < 0 ? code : found->decide(gap);
}

enum sw_code sw_continuity_gap(struct sw_continuity_report **out, const struct sw_gap_options *options, struct sw_error *error)
{
    struct sw_gap_options complete = {0};
    *out = NULL;
    enum sw_code code = sw_options_take(&complete, sizeof complete, options, "sw_gap_options", error);
    return code == SW_OK ? sw_gap_run(out, &complete, NULL, error) : code;
}

enum sw_code sw_gap_run(struct sw_continuity_report **out, const struct sw_gap_options *options, const struct sw_gap_probed *probed, struct sw_error *error)
{
    *out = NULL;
    enum sw_code code = check_options(options, error);
    if (code < 0)
        return code;
    struct sw_gap_case gap = {.options = options, .kind = sw_position__kind(options->kind), .probed = probed, .error = error};
    gap.compare = (struct sw_position_compare_options){.struct_size = sizeof gap.compare, .same_source = true};
    if (!gap.kind) /* let the public call say which kinds there are */
        return sw_position_parse(&gap.saved, options->kind, "", 0, error);
    gap.report = sw_continuity_report_new(probed ? probed->command : "position gap", gap.kind->info.name);
    if (!gap.report)
        return sw_fail_memory(error, "a report", sizeof *gap.report);
    code = read_position(&gap.saved, &gap, "saved", options->saved);
    if (code >= 0)
        code = judge(&gap);
    if (code >= 0) {
        add_frame(&gap);
        if (probed)
            probed->weigh(&gap, probed->ctx);
        weigh_identity(&gap);
        sw_continuity_settle(gap.report);
        always_true(&gap);
        for (size_t i = 0; sw_position_note(gap.saved, i); i++)
            sw_sentences_add(&gap.report->assumed, "the saved position: %s", sw_position_note(gap.saved, i));
        if (sw_continuity_failed(gap.report))
            code = sw_fail_memory(error, "a report", 0);
    }
    sw_position_free(&gap.saved);
    sw_position_free(&gap.first);
    sw_position_free(&gap.last);
    sw_position_history_free(&gap.history);
    if (!probed)
        sw_shown_free(&gap.shown);
    if (code < 0) {
        sw_continuity_report_free(&gap.report);
        return code;
    }
    *out = gap.report;
    return SW_OK;
}

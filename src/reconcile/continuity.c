/* --continuity: reports of continuity as evidence for the history. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "reconcile/run.h"
#include "text/json_document.h"
#include "text/json_unescape.h"

#define GAPS_LISTED 100u

/* The text of a member; NULL if it is none, or null. False if memory ran out. */
static bool text_of(char **out, struct sw_token token)
{
    struct sw_buffer text = {0};
    *out = NULL;
    if (token.kind != SW_TOKEN_TEXT)
        return true;
    if (token.escaped)
        sw_json_unescape_add(&text, sw_bytes_of(token.at, token.len));
    else
        sw_buffer_add(&text, token.at, token.len);
    for (size_t i = 0; i < text.len; i++) /* no C text holds it, and no report of ours */
        text.at[i] = text.at[i] ? text.at[i] : ' ';
    *out = text.failed ? NULL : sw_strndup((const char *)text.at, text.len);
    sw_buffer_free(&text);
    return *out != NULL;
}

static bool texts_of(char ***out, uint32_t *count, struct sw_token array)
{
    struct sw_document_items items = sw_document_items(array);
    while (array.kind == SW_TOKEN_ARRAY && sw_document_next(&items)) {
        char **grown = sw_realloc_array(*out, *count + 1, sizeof *grown);
        if (!grown)
            return false;
        *out = grown;
        if (!text_of(&grown[*count], items.value))
            return false;
        *count += grown[*count] != NULL;
    }
    return true;
}

static bool is_true(struct sw_token object, const char *name) { return sw_document_member(object, name).kind == SW_TOKEN_TRUE; }

static uint64_t number_of(struct sw_token token)
{
    uint64_t number = 0;
    for (uint32_t i = 0; token.kind == SW_TOKEN_NUMBER && i < token.len && token.at[i] >= '0' && token.at[i] <= '9'; i++)
        if (__builtin_mul_overflow(number, 10u, &number) || __builtin_add_overflow(number, (uint64_t)(token.at[i] - '0'), &number))
            return UINT64_MAX;
    return number;
}

static struct sw_evidence_gap *new_gap(struct sw_continuity_evidence *evidence, struct sw_token of)
{
    struct sw_evidence_gap *grown = sw_realloc_array(evidence->gaps, evidence->gap_count + 1, sizeof *grown);
    if (!grown)
        return NULL;
    evidence->gaps = grown;
    struct sw_evidence_gap *gap = &grown[evidence->gap_count++];
    *gap = (struct sw_evidence_gap){.from_included = is_true(of, "fromIncluded"), .to_included = is_true(of, "toIncluded"), .possible = is_true(of, "possible")};
    bool kept = text_of(&gap->space, sw_document_member(of, "space")) && text_of(&gap->proof, sw_document_member(of, "proof"));
    if (kept && !gap->space)
        kept = (gap->space = sw_strdup("")) != NULL;
    if (kept && !gap->proof)
        kept = (gap->proof = sw_strdup("not seen")) != NULL;
    return kept ? gap : NULL;
}

/* UUID:1-5:7,UUID:TAG:3 as one gap an interval: what position gap says of GTIDs. The text is canonical. */
static bool set_gaps(struct sw_continuity_evidence *evidence, struct sw_token of, const char *set)
{
    while (*set) {
        size_t len = strcspn(set, ",\n "), head = 0;
        if (len == 0) {
            set++;
            continue;
        }
        for (size_t at = 0, end; at < len; at = end + 1) {
            for (end = at; end < len && set[end] != ':';)
                end++;
            bool number = set[at] >= '0' && set[at] <= '9' && at > 0;
            if (!number) { /* the UUID, or a tag */
                head = end;
                continue;
            }
            if (evidence->gap_count == GAPS_LISTED)
                return true;
            struct sw_evidence_gap *gap = new_gap(evidence, of);
            const char *dash = gap ? memchr(set + at, '-', end - at) : NULL;
            struct sw_buffer from = {0}, to = {0};
            sw_buffer_printf(&from, "%.*s:%.*s", (int)head, set, (int)((dash ? (size_t)(dash - set) : end) - at), set + at);
            sw_buffer_printf(&to, "%.*s:%.*s", (int)head, set, (int)(dash ? end - (size_t)(dash - set) - 1 : end - at), dash ? dash + 1 : set + at);
            if (gap) {
                sw_free(gap->space);
                gap->space = sw_strndup(set, head);
                gap->from = from.failed ? NULL : sw_strndup((const char *)from.at, from.len);
                gap->to = to.failed ? NULL : sw_strndup((const char *)to.at, to.len);
                gap->from_included = gap->to_included = true;
            }
            sw_buffer_free(&from);
            sw_buffer_free(&to);
            if (!gap || !gap->space || !gap->from || !gap->to)
                return false;
        }
        set += len;
    }
    return true;
}

static bool gaps_of(struct sw_continuity_evidence *evidence, struct sw_token array)
{
    struct sw_document_items items = sw_document_items(array);
    while (array.kind == SW_TOKEN_ARRAY && sw_document_next(&items)) {
        char *set = NULL;
        evidence->gap_total++;
        if (evidence->gap_count == GAPS_LISTED)
            continue;
        if (!text_of(&set, sw_document_member(items.value, "set")))
            return false;
        if (set) {
            bool kept = set_gaps(evidence, items.value, set);
            sw_free(set);
            if (!kept)
                return false;
            continue;
        }
        struct sw_evidence_gap *gap = new_gap(evidence, items.value);
        if (!gap || !text_of(&gap->from, sw_document_member(items.value, "from")) || !text_of(&gap->to, sw_document_member(items.value, "to")) ||
            (!gap->from && !(gap->from = sw_strdup("")))) /* from the start */
            return false;
    }
    return true;
}

/* Were the inputs that a scan lists those of this run? By their bytes and records, whatever they are called. */
static bool same_inputs(const struct sw_report *report, struct sw_token array)
{
    uint32_t listed = 0, matched = 0, events = 0;
    struct sw_document_items items = sw_document_items(array);
    bool used[64] = {false};
    for (uint32_t i = 0; i < report->input_count; i++)
        events += report->inputs[i].role == SW_ROLE_EVENTS;
    if (array.kind != SW_TOKEN_ARRAY || events > sizeof used)
        return false;
    while (sw_document_next(&items)) {
        uint64_t records = number_of(sw_document_member(items.value, "records")), bytes = number_of(sw_document_member(items.value, "bytes"));
        struct sw_token digest = sw_document_member(items.value, "sha256");
        listed++;
        for (uint32_t i = 0, n = 0; i < report->input_count; i++) {
            const struct sw_input_report *input = &report->inputs[i];
            if (input->role != SW_ROLE_EVENTS)
                continue;
            bool same = input->records == records && input->bytes == bytes;
            if (same && digest.kind == SW_TOKEN_TEXT && input->sha256[0])
                same = sw_bytes_is(sw_bytes_of(digest.at, digest.len), input->sha256);
            if (same && !used[n]) {
                used[n] = true;
                matched++;
                break;
            }
            n++;
        }
    }
    return listed == events && matched == events && events;
}

/* A report is what it says it is, or nothing. */
static enum sw_code read_evidence(struct sw_continuity_evidence *out, const struct sw_named_text *text, const struct sw_document *document, struct sw_error *error)
{
    char *schema = NULL;
    bool kept = text_of(&schema, sw_document_member(document->root, "schema"));
    bool scan = schema && strcmp(schema, "slackwater.scan/1") == 0, judged = schema && (strcmp(schema, "slackwater.continuity/1") == 0 || strcmp(schema, "slackwater.probe/1") == 0);
    enum sw_code code = SW_OK;
    if (kept && !scan && !judged)
        code = sw_fail(error, SW_ERR_USAGE, "--continuity %s: expected the JSON of slackwater position scan, gap or probe (schema slackwater.scan/1, slackwater.continuity/1 or slackwater.probe/1); found %s%.60s", text->name,
                       schema ? "the schema " : "no member schema", schema ? schema : "");
    sw_free(schema);
    if (code < 0)
        return code;
    out->scan = scan;
    out->change_of_space = is_true(document->root, "changeOfSpace");
    out->begins_anew = is_true(document->root, "beginsAnew");
    out->missing_events = number_of(sw_document_member(sw_document_member(document->root, "transactions"), "eventsNotInEvidence"));
    kept = kept && (out->name = sw_strdup(text->name)) && text_of(&out->verdict, sw_document_member(document->root, "verdict")) && text_of(&out->claim, sw_document_member(document->root, "claim")) &&
           text_of(&out->command, sw_document_member(document->root, "command")) && text_of(&out->seen, sw_document_member(sw_document_member(document->root, "gtids"), "seen")) && texts_of(&out->reasons, &out->reason_count, sw_document_member(document->root, "reasons")) &&
           texts_of(&out->proofs, &out->proof_count, sw_document_member(document->root, "proofs")) && gaps_of(out, sw_document_member(document->root, scan ? "gaps" : "intervals"));
    if (kept && !out->command)
        kept = (out->command = sw_strdup(scan ? "position scan" : "position gap")) != NULL;
    if (!kept)
        return sw_fail_memory(error, "evidence of continuity", text->len);
    struct sw_token total = sw_document_member(document->root, "gapCount");
    if (total.kind == SW_TOKEN_NUMBER)
        out->gap_total = number_of(total);
    return out->verdict ? SW_OK : sw_fail(error, SW_ERR_USAGE, "--continuity %s: the report has no verdict: it is cut, or not ours", text->name);
}

static enum sw_code each_document(struct sw_run *run, enum sw_code (*take)(struct sw_run *run, uint32_t index, const struct sw_document *document, struct sw_error *error), struct sw_error *error)
{
    enum sw_code code = SW_OK;
    for (uint32_t i = 0; i < run->options->continuity_count && code == SW_OK; i++) {
        const struct sw_named_text *text = &run->options->continuity[i];
        struct sw_document document = {0};
        code = sw_document_read(&document, sw_bytes_of(text->text, text->len), text->name, error);
        if (code == SW_OK)
            code = take(run, i, &document, error);
        else if (code == SW_ERR_INPUT && error)
            code = error->code = SW_ERR_USAGE;
        sw_document_free(&document);
    }
    return code;
}

static enum sw_code take_evidence(struct sw_run *run, uint32_t index, const struct sw_document *document, struct sw_error *error)
{
    run->report.evidence_count++;
    return read_evidence(&run->report.evidence[index], &run->options->continuity[index], document, error);
}

static enum sw_code take_inputs(struct sw_run *run, uint32_t index, const struct sw_document *document, struct sw_error *error)
{
    (void)error;
    run->report.evidence[index].same_events = run->report.evidence[index].scan && same_inputs(&run->report, sw_document_member(document->root, "inputs"));
    return SW_OK;
}

enum sw_code sw_run_take_continuity(struct sw_run *run, struct sw_error *error)
{
    if (!run->options->continuity_count)
        return SW_OK;
    run->report.evidence = sw_calloc(run->options->continuity_count, sizeof *run->report.evidence);
    if (!run->report.evidence)
        return sw_fail_memory(error, "evidence of continuity", 0);
    enum sw_code code = each_document(run, take_evidence, error);
    if (code == SW_OK)
        sw_around_open(&run->around, run->report.evidence, run->report.evidence_count, run->reading.order, run->reading.spaces);
    run->reading.around = run->around.gap_count ? &run->around : NULL;
    return code;
}

/* ---- after the fold ---- */

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static enum sw_code describe_near(struct sw_near_event *out, uint32_t *count, const struct sw_run *run, const struct sw_around_side *side, struct sw_error *error)
{
    for (uint32_t i = 0; i < side->near_count; i++) {
        const struct sw_around_event *from = &side->near[i];
        struct sw_near_event *to = &out[*count];
        struct sw_buffer key = {0}, position = {0};
        to->table = sw_schema_table_at(run->reading.schema, from->table);
        sw_key_write_json(&key, to->table, sw_bytes_of(from->key, from->key_len));
        run->reading.order->print(&position, sw_bytes_of(from->version, from->version_len), sw_spaces_text(run->reading.spaces, from->space));
        to->key = key.failed ? NULL : sw_strndup((const char *)key.at, key.len);
        to->position = position.failed ? NULL : sw_strndup((const char *)position.at, position.len);
        to->place = sw_read_place(&run->reading, from->input, from->block, from->line);
        sw_buffer_free(&key);
        sw_buffer_free(&position);
        (*count)++;
        if (!to->key || !to->position)
            return sw_fail_memory(error, "events around a gap", 0);
    }
    return SW_OK;
}

static enum sw_code describe_tables(struct sw_evidence_gap *gap, const struct sw_run *run, const struct sw_around_seen *seen, struct sw_error *error)
{
    gap->tables = sw_calloc(seen->table_count + 1, sizeof *gap->tables);
    if (!gap->tables)
        return sw_fail_memory(error, "tables around a gap", seen->table_count);
    for (uint32_t t = 0; t < seen->table_count; t++) {
        if (seen->tables[t] != 3)
            continue;
        struct sw_bytes name = sw_schema_table_at(run->reading.schema, t)->name;
        gap->tables[gap->table_count] = sw_strndup((const char *)name.at, name.len);
        if (!gap->tables[gap->table_count++])
            return sw_fail_memory(error, "tables around a gap", name.len);
    }
    if (gap->table_count)
        qsort(gap->tables, gap->table_count, sizeof *gap->tables, by_text);
    return SW_OK;
}

enum sw_code sw_run_describe_continuity(struct sw_run *run, struct sw_error *error)
{
    enum sw_code code = each_document(run, take_inputs, error);
    for (uint32_t g = 0; g < run->around.gap_count && code == SW_OK; g++) {
        struct sw_evidence_gap *gap = run->around.gaps[g].of;
        const struct sw_around_seen *seen = &run->around.all.seen[g];
        gap->before = seen->before.events;
        gap->after = seen->after.events;
        gap->inside = seen->inside;
        code = describe_near(gap->near_before, &gap->before_count, run, &seen->before, error);
        if (code == SW_OK)
            code = describe_near(gap->near_after, &gap->after_count, run, &seen->after, error);
        if (code == SW_OK)
            code = describe_tables(gap, run, seen, error);
    }
    return code;
}

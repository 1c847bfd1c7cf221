#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "reconcile/run.h"
#include "text/json_write.h"

#define FLUSH_BYTES ((size_t)64 << 10)

static bool is_csv(const char *path)
{
    size_t len = strlen(path);
    return len > 4 && strcmp(path + len - 4, ".csv") == 0;
}

/* Names of the columns that were written last, as they stand in JSON: mostly they are those of the next row, too. */
struct names {
    const struct sw_column_set *set;
    struct sw_buffer text;
    struct sw_buffer ends;               /* uint32_t: where each ends in `text` */
};

static bool name_columns(struct names *names, const struct sw_column_set *set)
{
    if (names->set == set)
        return true;
    names->set = NULL;
    names->text.len = names->ends.len = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        sw_json_write_text(&names->text, set->columns[i]->name);
        sw_buffer_add_byte(&names->text, ':');
        uint32_t end = (uint32_t)names->text.len;
        sw_buffer_add(&names->ends, &end, sizeof end);
    }
    if (names->text.failed || names->ends.failed || names->text.len > UINT32_MAX)
        return false;
    names->set = set;
    return true;
}

/* Sets *gaps if values are unknown or unavailable. False: memory ran out. */
static bool write_row(bool *gaps, struct sw_buffer *out, struct names *names, const struct sw_image *state)
{
    const struct sw_column_set *set = state->set;
    struct sw_bytes values = state->values;
    bool some = false, bare = set->count == 1 && set->columns[0]->name.len == 0;
    *gaps = false;
    if (!name_columns(names, set))
        return false;
    const uint32_t *ends = (const uint32_t *)(const void *)names->ends.at;
    if (!bare)
        sw_buffer_add_byte(out, '{');
    for (uint32_t i = 0, at = 0; i < set->count; at = ends[i++]) {
        struct sw_value value = sw_value_next(&values);
        if (value.state == SW_STATE_UNAVAILABLE || value.state == SW_STATE_UNKNOWN) {
            *gaps = true; /* not in evidence: left out, and named by the caller */
            continue;
        }
        if (some)
            sw_buffer_add_byte(out, ',');
        some = true;
        if (!bare && sw_buffer_reserve(out, ends[i] - at)) {
            sw_bytes_copy(out->at + out->len, sw_bytes_of(names->text.at + at, ends[i] - at));
            out->len += ends[i] - at;
        }
        if (value.state == SW_STATE_NULL)
            sw_buffer_add_text(out, "null");
        else
            sw_value_write_json(out, &set->columns[i]->type, value.canonical);
    }
    if (!bare)
        sw_buffer_add_byte(out, '}');
    else if (!some)
        sw_buffer_add_text(out, "null"); /* named among the unknown */
    return true;
}

static void write_unknown(struct sw_buffer *out, const struct sw_image *state)
{
    const struct sw_column_set *set = state->set;
    struct sw_bytes values = state->values;
    bool some = false;
    for (uint32_t i = 0; i < set->count; i++) {
        struct sw_value value = sw_value_next(&values);
        if (value.state != SW_STATE_UNAVAILABLE && value.state != SW_STATE_UNKNOWN)
            continue;
        sw_buffer_add_text(out, some ? "," : ",\"unknown\":[");
        some = true;
        sw_json_write_text(out, set->columns[i]->name);
    }
    if (some)
        sw_buffer_add_byte(out, ']');
}

/* False: memory ran out. */
static bool write_state(struct sw_buffer *out, const struct sw_run *run, struct names *names, const struct sw_state_item *item)
{
    bool gaps = false;
    sw_buffer_add_byte(out, '{');
    if (item->table->name.len) {
        sw_buffer_add_text(out, "\"table\":");
        sw_json_write_text(out, item->table->name);
        sw_buffer_add_byte(out, ',');
    }
    sw_buffer_add_text(out, "\"key\":");
    sw_key_write_json(out, item->table, item->key);
    if (item->state.has_version) {
        sw_buffer_add_text(out, ",\"version\":\"");
        run->reading.order->print(out, item->state.version, item->state.space);
        sw_buffer_add_byte(out, '"');
        if (item->state.space.len) {
            sw_buffer_add_text(out, ",\"space\":");
            sw_json_write_text(out, item->state.space);
        }
    }
    sw_buffer_add_text(out, item->state.deleted ? ",\"deleted\":true" : ",\"deleted\":false,\"row\":");
    if (!item->state.deleted && !write_row(&gaps, out, names, &item->state))
        return false;
    if (gaps)
        write_unknown(out, &item->state);
    sw_buffer_add_text(out, "}\n");
    return !out->failed;
}

static enum sw_code write_states(struct sw_run *run, struct sw_output_file *file, struct sw_error *error)
{
    struct sw_run_merge *merge;
    struct names names = {0};
    struct sw_buffer out = {0};
    struct sw_bytes key, content;
    enum sw_code code = sw_run_merge_open(&merge, run->states, error);
    while (code == SW_OK && (code = sw_run_merge_next(&key, &content, merge, error)) == SW_OK) {
        struct sw_state_item item;
        sw_finding_state_read(&item, key, content, &run->rules);
        if (!write_state(&out, run, &names, &item))
            code = sw_fail_memory(error, "a state", content.len);
        else if (out.len >= FLUSH_BYTES) {
            code = sw_output_file_write(file, sw_buffer_view(&out), error);
            out.len = 0;
        }
    }
    if (code >= 0)
        code = sw_output_file_write(file, sw_buffer_view(&out), error);
    sw_buffer_free(&out);
    sw_buffer_free(&names.text);
    sw_buffer_free(&names.ends);
    sw_run_merge_close(&merge);
    return code;
}

static enum sw_code write_quarantine(struct sw_run *run, struct sw_output_file *file, struct sw_error *error)
{
    struct sw_run_merge *merge;
    struct sw_buffer out = {0};
    struct sw_bytes key, content;
    enum sw_code code = sw_run_merge_open(&merge, run->reading.bad, error);
    while (code == SW_OK && (code = sw_run_merge_next(&key, &content, merge, error)) == SW_OK) {
        struct sw_bad_item item;
        sw_bad_item_read(&item, content);
        struct sw_place place = sw_read_place(&run->reading, item.input, item.block, item.line);
        sw_buffer_add_text(&out, "{\"role\":\"");
        sw_buffer_add_text(&out, sw_role_name((enum sw_role)item.role));
        sw_buffer_add_text(&out, "\",\"input\":");
        sw_json_write_text(&out, sw_bytes_text(run->report.inputs[place.input].locator));
        sw_buffer_printf(&out, ",\"line\":%llu,\"reason\":", (unsigned long long)place.line);
        sw_json_write_text(&out, item.reason);
        sw_buffer_add_text(&out, ",\"text\":");
        sw_json_write_text(&out, item.text);
        sw_buffer_add_text(&out, ",\"record\":");
        sw_json_write_text(&out, item.bytes);
        sw_buffer_add_text(&out, "}\n");
        if (out.failed)
            code = sw_fail_memory(error, "a bad record", content.len);
        else if (out.len >= FLUSH_BYTES) {
            code = sw_output_file_write(file, sw_buffer_view(&out), error);
            out.len = 0;
        }
    }
    if (code >= 0)
        code = sw_output_file_write(file, sw_buffer_view(&out), error);
    sw_buffer_free(&out);
    sw_run_merge_close(&merge);
    return code;
}

/* A report knows where it goes as a function only: the file, if it was what failed, says which one it is and how far it came. */
static enum sw_code named_failure(enum sw_code code, struct sw_output_file *file, struct sw_error *error)
{
    struct sw_error of_file = {0};
    if (code != SW_ERR_IO || sw_output_file_write(file, (struct sw_bytes){0}, &of_file) == SW_OK)
        return code;
    if (error)
        *error = of_file;
    return of_file.code;
}

enum sw_code sw_run_write_outputs(struct sw_run *run, struct sw_error *error)
{
    enum sw_code code = SW_OK;
    run->phase = "writing";
    if (run->outputs[SW_OUTPUT_STATES])
        code = write_states(run, run->outputs[SW_OUTPUT_STATES], error);
    if (code == SW_OK && run->outputs[SW_OUTPUT_SAVE_STATE])
        code = sw_run_write_saved(run, run->outputs[SW_OUTPUT_SAVE_STATE], error);
    if (code == SW_OK && run->outputs[SW_OUTPUT_QUARANTINE])
        code = write_quarantine(run, run->outputs[SW_OUTPUT_QUARANTINE], error);
    if (code == SW_OK && run->outputs[SW_OUTPUT_DIFFERENCES])
        code = named_failure(sw_report_write_differences(&run->report, is_csv(run->options->differences_file), sw_output_file_write_fn, run->outputs[SW_OUTPUT_DIFFERENCES], error),
                             run->outputs[SW_OUTPUT_DIFFERENCES], error);
    if (code == SW_OK && run->outputs[SW_OUTPUT_REPORT])
        code = named_failure(sw_report_write_json(&run->report, sw_output_file_write_fn, run->outputs[SW_OUTPUT_REPORT], error), run->outputs[SW_OUTPUT_REPORT], error);
    if (code < 0)
        return code;
    struct sw_output_file *reversed[SW_OUTPUT_COUNT]; /* the report comes last: where it is, the others are */
    for (int i = 0; i < SW_OUTPUT_COUNT; i++) {
        reversed[i] = run->outputs[SW_OUTPUT_COUNT - 1 - i];
        run->outputs[SW_OUTPUT_COUNT - 1 - i] = NULL;
    }
    return sw_output_file_commit_all(reversed, SW_OUTPUT_COUNT, error);
}

/* A challenge as JSON, "slackwater.challenge/1": docs/challenge.md. Nothing in it depends on when, where and how fast it ran. */
#include "challenge/tell.h"
#include "report/output.h"
#include "report/verdict.h"
#include "slackwater/version.h"
#include "text/json_write.h"

static void row_json(struct sw_json_writer *json, const struct sw_challenge_row *row)
{
    static const char *const passed[SW_LIST_COUNT] = {"held", "caught", "seen"}, *const others[SW_LIST_COUNT] = {"changed", "survived", "unseen"};
    sw_json_begin_object(json);
    sw_json_member_string(json, "name", row->name);
    sw_json_member_string(json, "title", row->title);
    sw_json_member_string(json, "why", row->why);
    sw_json_member_u64(json, "tried", row->tried);
    sw_json_member_u64(json, passed[row->list], row->passed);
    sw_json_member_u64(json, others[row->list], row->tried - row->passed);
    if (row->list == SW_LIST_MUST_BE_CAUGHT) {
        sw_json_name(json, "hiddenBy");
        sw_json_begin_array(json);
        for (int i = SW_HIDDEN_BY_NOTHING + 1; i < SW_HIDING_COUNT; i++) {
            if (row->hidden[i] == 0)
                continue;
            sw_json_begin_object(json);
            sw_json_member_string(json, "option", sw_hiding_text((enum sw_hiding)i));
            sw_json_member_u64(json, "survived", row->hidden[i]);
            sw_json_end_object(json);
        }
        sw_json_end_array(json);
    }
    sw_json_member_string(json, "notTried", row->tried ? NULL : row->not_tried);
    sw_json_end_object(json);
}

static void list_json(struct sw_json_writer *json, const struct sw_challenge *challenge, enum sw_challenge_list list, const char *name)
{
    sw_json_name(json, name);
    sw_json_begin_array(json);
    for (uint32_t i = 0; i < challenge->row_count; i++)
        if (challenge->rows[i].list == list)
            row_json(json, &challenge->rows[i]);
    sw_json_end_array(json);
}

static void survivor_json(struct sw_json_writer *json, const struct sw_challenge *challenge, const struct sw_survivor *survivor)
{
    const struct sw_challenge_row *row = &challenge->rows[survivor->row];
    struct sw_buffer hiding = {0};
    sw_json_begin_object(json);
    sw_json_member_string(json, "name", row->name);
    sw_json_name(json, "keys");
    sw_json_begin_array(json);
    for (unsigned i = 0; i < survivor->touched; i++) {
        const struct sw_table *table = sw_survivor_table(challenge, survivor->keys[i]);
        sw_json_begin_object(json);
        if (table->name.len)
            sw_json_member_text(json, "table", table->name);
        sw_json_name(json, "key");
        sw_json_value(json);
        sw_key_write_json(json->out, table, survivor->keys[i]->key);
        sw_json_end_object(json);
    }
    sw_json_end_array(json);
    sw_json_name(json, "column");
    if (survivor->column.len)
        sw_json_text(json, survivor->column);
    else
        sw_json_null(json);
    sw_json_name(json, "hiddenBy");
    if (sw_survivor_write_hiding(&hiding, survivor))
        sw_json_text(json, sw_buffer_view(&hiding));
    else
        sw_json_null(json);
    sw_json_end_object(json);
    json->out->failed |= hiding.failed;
    sw_buffer_free(&hiding);
}

/* What is challenged: the reconciliation's own word, and its counts. */
static void result_json(struct sw_json_writer *json, const struct sw_report *report)
{
    struct sw_buffer sentence = {0};
    const char *word = sw_report_headline(&sentence, report), *name;
    uint64_t count;
    sw_json_begin_object(json);
    sw_json_member_string(json, "word", word);
    sw_json_member_text(json, "sentence", sw_buffer_view(&sentence));
    sw_json_member_u64(json, "exitStatus", (uint64_t)sw_report_exit_status(report));
    sw_json_name(json, "counts");
    sw_json_begin_object(json);
    for (size_t i = 0; (name = sw_report_count_at(&count, report, i)) != NULL; i++)
        sw_json_member_u64(json, name, count);
    sw_json_end_object(json);
    sw_json_end_object(json);
    json->out->failed |= sentence.failed;
    sw_buffer_free(&sentence);
}

enum sw_code sw_challenge_write_json(const struct sw_challenge *challenge, sw_write_fn write, void *ctx, struct sw_error *error)
{
    struct sw_output output = {.write = write, .ctx = ctx, .error = error};
    struct sw_json_writer json = {.out = &output.buffer, .indented = true};
    struct sw_buffer sentence = {0};
    const char *word = sw_challenge_headline(&sentence, challenge), *limit;
    sw_json_begin_object(&json);
    sw_json_member_string(&json, "schema", "slackwater.challenge/1");
    sw_json_name(&json, "tool");
    sw_json_begin_object(&json);
    sw_json_member_string(&json, "name", "slackwater");
    sw_json_member_string(&json, "version", sw_version());
    sw_json_end_object(&json);
    sw_json_name(&json, "headline");
    sw_json_begin_object(&json);
    sw_json_member_string(&json, "word", word);
    sw_json_member_text(&json, "sentence", sw_buffer_view(&sentence));
    sw_json_end_object(&json);
    sw_json_member_u64(&json, "exitStatus", (uint64_t)sw_challenge_exit_status(challenge));
    sw_json_name(&json, "result");
    result_json(&json, &challenge->run->report);
    sw_json_name(&json, "sample");
    sw_json_begin_object(&json);
    sw_json_member_u64(&json, "seed", challenge->seed);
    sw_json_member_u64(&json, "asked", challenge->sample_keys);
    sw_json_member_u64(&json, "keys", challenge->sample->count);
    sw_json_member_u64(&json, "ofKeys", challenge->sampled_of);
    sw_json_member_u64(&json, "records", challenge->sample->records);
    sw_json_member_u64(&json, "leftOut", challenge->sample->left_out);
    sw_json_member_u64(&json, "linked", challenge->sample->linked);
    sw_json_end_object(&json);
    list_json(&json, challenge, SW_LIST_MUST_NOT_CHANGE, "mustNotChange");
    list_json(&json, challenge, SW_LIST_MUST_BE_CAUGHT, "mustBeCaught");
    list_json(&json, challenge, SW_LIST_CANNOT_BE_CAUGHT, "cannotBeCaught");
    sw_json_name(&json, "survivors");
    sw_json_begin_array(&json);
    for (size_t i = 0; i < challenge->survivor_count; i++)
        survivor_json(&json, challenge, &challenge->survivors[i]);
    sw_json_end_array(&json);
    sw_json_name(&json, "limits");
    sw_json_begin_array(&json);
    for (size_t i = 0; (limit = sw_challenge_limit(challenge, i)) != NULL; i++)
        sw_json_string(&json, limit);
    sw_json_end_array(&json);
    sw_json_end_object(&json);
    sw_buffer_add_byte(&output.buffer, '\n');
    output.buffer.failed |= sentence.failed;
    sw_buffer_free(&sentence);
    enum sw_code code = sw_output_flush(&output);
    sw_output_free(&output);
    return code;
}

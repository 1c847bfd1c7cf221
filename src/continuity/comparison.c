/* The answer of a comparison as text for people and as JSON. */
#include "continuity/report.h"
#include "position/position.h"
#include "text/json_write.h"

static void notes(struct sw_buffer *out, const char *which, const struct sw_position *position)
{
    const char *note;
    for (size_t i = 0; (note = sw_position_note(position, i)); i++)
        sw_buffer_printf(out, "  note on the %s: %s\n", which, note);
}

enum sw_code sw_continuity_write_comparison_text(const struct sw_position_comparison *answer, const struct sw_position *a, const struct sw_position *b, sw_write_fn write, void *ctx,
    struct sw_error *error)
{
    struct sw_buffer out = {0};
    sw_buffer_printf(&out, "%s\n  %s\n", sw_position_order_name(answer->order), answer->reason);
    if (*answer->assumed)
        sw_buffer_printf(&out, "  assumed: %s\n", answer->assumed);
    notes(&out, "first", a);
    notes(&out, "second", b);
    return sw_continuity_hand_over(&out, write, ctx, error);
}

static void member_position(struct sw_json_writer *json, const char *name, const struct sw_position *position)
{
    struct sw_buffer text = {0};
    const char *note;
    sw_position__print(&text, position);
    sw_json_name(json, name);
    sw_json_begin_object(json);
    sw_json_member_text(json, "position", sw_buffer_view(&text));
    sw_json_name(json, "notes");
    sw_json_begin_array(json);
    for (size_t i = 0; (note = sw_position_note(position, i)); i++)
        sw_json_string(json, note);
    sw_json_end_array(json);
    sw_json_end_object(json);
    json->out->failed |= text.failed;
    sw_buffer_free(&text);
}

enum sw_code sw_continuity_write_comparison_json(const struct sw_position_comparison *answer, const struct sw_position *a, const struct sw_position *b, sw_write_fn write, void *ctx,
    struct sw_error *error)
{
    struct sw_buffer out = {0};
    struct sw_json_writer json = {.out = &out, .indented = true};
    sw_continuity_json_head(&json, "slackwater.comparison/1");
    sw_json_member_string(&json, "kind", sw_position_kind(a)->name);
    sw_json_member_string(&json, "order", sw_position_order_name(answer->order));
    sw_json_member_boolean(&json, "comparable", answer->order != SW_POSITION_INCOMPARABLE);
    sw_json_member_string(&json, "reason", answer->reason);
    sw_json_member_string(&json, "assumed", *answer->assumed ? answer->assumed : NULL);
    member_position(&json, "first", a);
    member_position(&json, "second", b);
    sw_json_end_object(&json);
    sw_buffer_add_byte(&out, '\n');
    return sw_continuity_hand_over(&out, write, ctx, error);
}

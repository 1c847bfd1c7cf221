#include "report/finding_write.h"

#include "report/recheck.h"
#include "report/sentence.h"

/* The columns of an image as a JSON object (or one bare value); what has no value is listed beside it by name. */
static void write_value(struct sw_json_writer *json, const struct sw_image *image)
{
    const struct sw_column *column;
    struct sw_cell cell, none;
    struct sw_image_walk walk = {.left = image};
    bool bare = image->set->count == 1 && image->set->columns[0]->name.len == 0;
    if (!bare)
        sw_json_begin_object(json);
    bool written = false;
    while (sw_image_walk_next(&column, &cell, &none, &walk)) {
        if (cell.kind != SW_CELL_NULL && cell.kind != SW_CELL_VALUE)
            continue;
        if (!bare)
            sw_json_name_bytes(json, column->name);
        if (cell.kind == SW_CELL_NULL) {
            sw_json_null(json);
        } else {
            sw_json_value(json);
            sw_value_write_json(json->out, &column->type, cell.canonical);
        }
        written = true;
    }
    if (!bare)
        sw_json_end_object(json);
    else if (!written)
        sw_json_null(json);
}

static void write_names_of(struct sw_json_writer *json, const char *name, const struct sw_image *image, enum sw_cell_kind kind)
{
    const struct sw_column *column;
    struct sw_cell cell, none;
    struct sw_image_walk walk = {.left = image};
    bool begun = false;
    while (sw_image_walk_next(&column, &cell, &none, &walk)) {
        if (cell.kind != kind)
            continue;
        if (!begun) {
            sw_json_name(json, name);
            sw_json_begin_array(json);
            begun = true;
        }
        sw_json_text(json, column->name);
    }
    if (begun)
        sw_json_end_array(json);
}

static void write_version(struct sw_json_writer *json, const char *name, const struct sw_report *report, struct sw_bytes version, struct sw_bytes space)
{
    struct sw_buffer text = {0};
    sw_report_print_version(&text, report, version, space);
    sw_json_member_text(json, name, sw_buffer_view(&text));
    json->out->failed |= text.failed;
    sw_buffer_free(&text);
}

void sw_image_write_json(struct sw_json_writer *json, const struct sw_report *report, const struct sw_image *image)
{
    if (!image->present) {
        sw_json_null(json);
        return;
    }
    sw_json_begin_object(json);
    if (image->space.len)
        sw_json_member_text(json, "space", image->space);
    if (image->has_version)
        write_version(json, "version", report, image->version, image->space);
    sw_json_member_boolean(json, "deleted", image->deleted);
    sw_json_name(json, "value");
    if (image->set && !image->deleted)
        write_value(json, image);
    else
        sw_json_null(json);
    write_names_of(json, "unavailable", image, SW_CELL_UNAVAILABLE);
    write_names_of(json, "invalid", image, SW_CELL_INVALID);
    sw_json_end_object(json);
}

static void write_cell(struct sw_json_writer *json, const char *side, const struct sw_column *column, struct sw_cell cell)
{
    if (cell.kind == SW_CELL_NULL) {
        sw_json_name(json, side);
        sw_json_null(json);
    } else if (cell.kind == SW_CELL_VALUE) {
        sw_json_name(json, side);
        sw_json_value(json);
        sw_value_write_json(json->out, &column->type, cell.canonical);
    }
}

bool sw_columns_have(const struct sw_column *const *columns, uint32_t count, const struct sw_column *column)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = sw_bytes_compare(columns[middle]->name, column->name);
        if (order == 0)
            return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

bool sw_cells_differ(struct sw_cell a, struct sw_cell b)
{
    return a.kind != b.kind || (a.kind == SW_CELL_VALUE && !sw_bytes_equal(a.canonical, b.canonical));
}

bool sw_finding_column_differs(const struct sw_finding *finding, const struct sw_column *column, struct sw_cell left, struct sw_cell right)
{
    if (sw_finding_against(finding) == &finding->other)
        return sw_cells_differ(left, right);
    return sw_columns_have(finding->differing, finding->differing_count, column);
}

/* The columns that differ, each with both values. Of a conflict: those in which the two contents differ. */
static void write_columns(struct sw_json_writer *json, const struct sw_finding *finding)
{
    const struct sw_image *against = sw_finding_against(finding);
    bool conflict = against == &finding->other;
    if (!conflict && !finding->differing_count)
        return;
    sw_json_name(json, "columns");
    sw_json_begin_array(json);
    const struct sw_column *column;
    struct sw_cell left, right;
    struct sw_image_walk walk = {.left = &finding->state, .right = against};
    while (sw_image_walk_next(&column, &left, &right, &walk)) {
        if (!sw_finding_column_differs(finding, column, left, right))
            continue;
        sw_json_begin_object(json);
        sw_json_member_text(json, "name", column->name);
        write_cell(json, "state", column, left);
        write_cell(json, conflict ? "other" : "expected", column, right);
        sw_json_end_object(json);
    }
    sw_json_end_array(json);
}

static void write_names(struct sw_json_writer *json, const char *name, const struct sw_column *const *columns, uint32_t count)
{
    if (!count)
        return;
    sw_json_name(json, name);
    sw_json_begin_array(json);
    for (uint32_t i = 0; i < count; i++)
        sw_json_text(json, columns[i]->name);
    sw_json_end_array(json);
}

void sw_place_write(struct sw_buffer *out, const struct sw_report *report, const struct sw_place *place)
{
    if (place->input < report->input_count)
        sw_buffer_add_text(out, report->inputs[place->input].locator);
    else
        sw_buffer_add_text(out, "?");
    sw_buffer_add_byte(out, ':');
    sw_buffer_add_decimal(out, place->line);
}

void sw_places_write_json(struct sw_json_writer *json, const struct sw_report *report, const struct sw_finding *finding)
{
    struct sw_buffer text = {0};
    sw_json_begin_array(json);
    for (uint32_t i = 0; i < finding->place_count; i++) {
        sw_buffer_clear(&text);
        sw_place_write(&text, report, &finding->places[i]);
        sw_json_text(json, sw_buffer_view(&text));
    }
    sw_json_end_array(json);
    json->out->failed |= text.failed;
    sw_buffer_free(&text);
}

void sw_finding_write_json(struct sw_json_writer *json, const struct sw_report *report, const struct sw_finding *finding)
{
    sw_json_begin_object(json);
    if (finding->table->name.len)
        sw_json_member_text(json, "table", finding->table->name);
    sw_json_name(json, "key");
    sw_json_value(json);
    sw_key_write_json(json->out, finding->table, finding->key);
    sw_json_member_string(json, "class", sw_class_name(sw_reason_class(finding->reason)));
    sw_json_member_string(json, "reason", sw_reason_name(finding->reason));
    if (sw_finding_lacking(finding))
        sw_json_member_string(json, "lacking", sw_finding_lacking(finding));
    if (finding->cause != SW_CAUSE_NONE)
        sw_json_member_string(json, "cause", sw_cause_name(finding->cause));
    if (finding->cause_version.len) {
        sw_json_name(json, "position");
        sw_json_begin_object(json);
        if (finding->cause_space.len)
            sw_json_member_text(json, "space", finding->cause_space);
        write_version(json, "version", report, finding->cause_version, finding->cause_space);
        sw_json_end_object(json);
    }
    if (finding->identity.len) {
        sw_json_name(json, "identity");
        sw_json_value(json);
        sw_buffer_add_bytes(json->out, finding->identity);
    }
    sw_json_name(json, "state");
    sw_image_write_json(json, report, &finding->state);
    sw_json_name(json, "expected");
    sw_image_write_json(json, report, &finding->expected);
    if (finding->other.present) {
        sw_json_name(json, "other");
        sw_image_write_json(json, report, &finding->other);
    }
    write_columns(json, finding);
    write_names(json, "unknownColumns", finding->unknown, finding->unknown_count);
    write_names(json, "notComparable", finding->incomparable, finding->incomparable_count);
    sw_json_name(json, "records");
    sw_places_write_json(json, report, finding);
    if (finding->more_places)
        sw_json_member_u64(json, "moreRecords", finding->more_places);

    sw_recheck_write_finding_json(json, report, finding);
    struct sw_buffer sentence = {0};
    sw_finding_sentence(&sentence, report, finding);
    sw_json_member_text(json, "sentence", sw_buffer_view(&sentence));
    json->out->failed |= sentence.failed;
    sw_buffer_free(&sentence);
    sw_json_end_object(json);
}

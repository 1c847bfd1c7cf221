/* The order of a run, and the positions that are declared in it: the cut, and how far the baseline reaches. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "format/bind.h"
#include "reconcile/run.h"
#include "slackwater/names.h"

#define SPACES_LISTED 8u

static void list_orders(char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (const struct sw_order *const *order = sw_orders(); *order && used < size; order++)
        used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "", (*order)->name);
}

static void list_fields(char *out, size_t size, const struct sw_order *order)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < order->field_count && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "", order->fields[i].name);
}

/* Which fields the mapping places: in the events alone, or in any role. */
static uint32_t mapped_fields(const struct sw_mapping *mapping, const struct sw_order *order, bool events_only)
{
    uint32_t declared = 0;
    for (size_t i = 0; i < mapping->order_field_count; i++) {
        size_t field = sw_order_field_find(order, mapping->order_field_names[i]);
        for (int role = 0; role < SW_ROLE_COUNT; role++)
            if (field != SIZE_MAX && (!events_only || role == SW_ROLE_EVENTS) && mapping->layout[role].order[i].step_count)
                declared |= 1u << field;
    }
    return declared;
}

static uint32_t placed_fields(const struct sw_format *format, const struct sw_order *order)
{
    uint32_t placed = 0;
    for (const struct sw_order_place *place = format ? format->order_places : NULL; place && place->policy; place++) {
        size_t field = strcmp(place->policy, order->name) == 0 ? sw_order_field_find(order, place->field) : SIZE_MAX;
        placed |= field != SIZE_MAX ? 1u << field : 0;
    }
    return placed;
}

/* Which fields stand somewhere in the records of the run: the mapping or a format says so. */
static uint32_t declared_fields(const struct sw_run *run, const struct sw_order *order)
{
    uint32_t declared = mapped_fields(&run->mapping, order, false);
    for (int role = 0; role < SW_ROLE_COUNT; role++)
        declared |= placed_fields(run->reading.roles[role].format, order) | placed_fields(run->reading.roles[role].inner, order);
    return declared;
}

/* Events in the place of rows, and plain records in the place of events, are most often two options that were mixed up. */
static void add_mixed_up(struct sw_error *error, const struct sw_run *run)
{
    for (int role = 0; role < SW_ROLE_COUNT; role++) {
        const struct sw_format *format = run->reading.roles[role].format;
        const char *name = sw_role_name((enum sw_role)role);
        if (role == SW_ROLE_EVENTS || !format || !format->order_places || format == &sw_format_plain)
            continue;
        sw_error_add(error, "; the records of --%s are events of the format %s: are --%s and --events mixed up?", name, format->name, name);
        return;
    }
}

/* Records of a home-made shape say nothing of where their position stands: the mapping must. */
static enum sw_code refuse_undeclared(const struct sw_mapping *mapping, const struct sw_order *order, struct sw_error *error)
{
    uint32_t declared = mapped_fields(mapping, order, true), one_of = 0;
    char fields[128];
    for (size_t f = 0; f < order->field_count; f++) {
        one_of |= order->fields[f].need == SW_ORDER_ONE_OF ? 1u << f : 0;
        if (order->fields[f].need == SW_ORDER_REQUIRED && !(declared & 1u << f))
            return sw_fail(error, SW_ERR_USAGE, "the order '%s' needs to know where its field '%s' stands: %s`order: {policy: %s, %s: PATH}` in the mapping", order->name, order->fields[f].name,
                           f == 0 ? "--version COLUMN, or " : "", order->name, order->fields[f].name);
    }
    if (!one_of || (declared & one_of))
        return SW_OK;
    list_fields(fields, sizeof fields, order);
    return sw_fail(error, SW_ERR_USAGE, "the order '%s' needs to know where a position stands: --version COLUMN for its %s, or `order: {policy: %s, FIELD: PATH}` in the mapping, with fields %s",
                   order->name, order->fields[0].name, order->name, fields);
}

/* Where nothing says which source a record is of, all are taken for records of one. */
static bool assume_one_source(struct sw_run *run, const struct sw_order *order, uint32_t declared)
{
    char names[96];
    size_t used = 0;
    for (size_t f = 0; f < order->field_count && used < sizeof names; f++)
        if (order->fields[f].need == SW_ORDER_SPACE) {
            if (declared & 1u << f)
                return true;
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", order->fields[f].name);
        }
    return used == 0 || run->mapping.space || sw_run_assume(run, "all positions are of one source: nothing declares where %s stands (order %s), and --space names none", names, order->name);
}

/* Of which orders the first events carry a position. */
struct carried {
    const struct sw_format *format;
    uint64_t orders; /* bit i: the i-th of sw_orders() */
};

/* What stands there has to be a position: GTIDs of MySQL and of MariaDB, and LSNs of PostgreSQL and of SQL Server, are in one place. */
static bool carries(const struct sw_order *order, const struct sw_format *format, const struct sw_example *example)
{
    struct sw_token fields[SW_ORDER_FIELD_COUNT_MAX] = {0};
    struct sw_order_record record = {fields, 0, false};
    struct sw_order_key key = {0};
    for (const struct sw_order_place *place = format->order_places; place && place->policy; place++) {
        size_t field = strcmp(place->policy, order->name) == 0 ? sw_order_field_find(order, place->field) : SIZE_MAX;
        if (field == SIZE_MAX || (record.declared & 1u << field))
            continue;
        fields[field] = sw_bind_token(example, place->path);
        record.declared |= fields[field].kind != SW_TOKEN_ABSENT && fields[field].kind != SW_TOKEN_NULL ? 1u << field : 0;
    }
    return record.declared && order->encode(&key, &record) == SW_ORDER_OK;
}

static enum sw_code note_carried(void *ctx, struct sw_json_template *template, const struct sw_example *example, struct sw_error *error)
{
    struct carried *carried = ctx;
    (void)template, (void)error;
    for (size_t i = 0; sw_orders()[i]; i++) /* a clock is in most records, and is no reason to order by it */
        if (sw_orders()[i] != &sw_order_timestamp && carries(sw_orders()[i], carried->format, example))
            carried->orders |= UINT64_C(1) << i;
    return SW_OK;
}

/* The names of the orders that the first events of JSON fit, with "or" between two; empty: none, or they stand in envelopes. SW_ERR_MEMORY. */
static enum sw_code list_carried(char *out, size_t size, struct sw_run *run, struct sw_error *error)
{
    const struct sw_read_role *events = &run->reading.roles[SW_ROLE_EVENTS];
    struct carried carried = {events->format, 0};
    enum sw_code code = SW_OK;
    size_t used = 0;
    out[0] = '\0';
    for (uint32_t i = 0; events->source && i < sw_source_input_count(events->source) && code == SW_OK; i++) {
        const struct sw_input *input = sw_source_input(events->source, i);
        if (!input->rows && input->framing != SW_FRAMING_CSV)
            code = sw_run_look_at_head(run, input, events->format->depth(&run->mapping, SW_ROLE_EVENTS), note_carried, &carried, error);
    }
    for (size_t i = 0; sw_orders()[i] && used < size; i++)
        if (carried.orders >> i & 1)
            used += (size_t)snprintf(out + used, size - used, "%s%s", used ? " or " : "", sw_orders()[i]->name);
    return code;
}

/* Only records as the lab writes them have an order by default. Of any other format the orders are named that its first events fit, or else all candidates: which one it is stays the user's word. */
static enum sw_code refuse_default_order(struct sw_run *run, const char *names, struct sw_error *error)
{
    const struct sw_format *format = run->reading.roles[SW_ROLE_EVENTS].format;
    char candidates[512] = "", carried[128];
    size_t used = 0;
    enum sw_code code = list_carried(carried, sizeof carried, run, error);
    if (code < 0)
        return code;
    if (carried[0])
        return sw_fail(error, SW_ERR_USAGE, "no order is declared for events of the format %s: the positions that the first ones carry fit --order %s (see slackwater orders)", format->name, carried);
    for (const struct sw_order_candidate *from = format->orders; from && from->source && used < sizeof candidates; from++)
        used += (size_t)snprintf(candidates + used, sizeof candidates - used, "%s%s%s%s", used ? "; " : "", from->orders, from->source[0] ? " for " : "", from->source);
    const struct sw_format *inner = run->reading.roles[SW_ROLE_EVENTS].inner;
    for (const struct sw_order_candidate *from = inner ? inner->orders : NULL; from && from->source && used < sizeof candidates; from++)
        used += (size_t)snprintf(candidates + used, sizeof candidates - used, from == inner->orders ? "; what the %s records in it carry fits %s%s%s" : "%.0s; %s%s%s", inner->name, from->orders, from->source[0] ? " for " : "", from->source);
    return sw_fail(error, SW_ERR_USAGE, "no order is declared for events of the format %s: --order takes %s (see slackwater orders)", format->name, used ? candidates : names);
}

/* Another order than the first events fit decides nothing as soon as a key has two contents; that is said before the keys are counted. */
static enum sw_code note_other_order(struct sw_run *run, const struct sw_order *order, struct sw_error *error)
{
    char carried[128];
    struct sw_buffer text = {0};
    enum sw_code code = list_carried(carried, sizeof carried, run, error);
    if (code < 0 || !carried[0])
        return code;
    for (const char *at = carried; (at = strstr(at, order->name)) != NULL; at++)
        if ((at == carried || at[-1] == ' ') && (at[strlen(order->name)] == '\0' || at[strlen(order->name)] == ' '))
            return SW_OK;
    sw_buffer_printf(&text, "order %s is declared, and the positions that the first events carry fit --order %s", order->name, carried);
    bool kept = sw_buffer_text(&text) && sw_run_remark(run, sw_buffer_text(&text));
    run->report.unmet++;
    sw_buffer_free(&text);
    return kept ? SW_OK : sw_fail_memory(error, "the report", 0);
}

/* What the positions of an order are called elsewhere; NULL: nothing near it is known. */
static const char *order_meant(const char *name)
{
    static const struct { const char *word, *order; } words[] = {
        {"lsn", "postgres"}, {"pg", "postgres"}, {"postgresql", "postgres"}, {"pgoutput", "postgres"}, {"gtid", "mysql-gtid"}, {"binlog", "mysql"}, {"scn", "oracle"}, {"oplog", "mongodb"},
        {"offset", "kafka"}, {"time", "timestamp"}, {"ts", "timestamp"}, {"ts_ms", "timestamp"}, {"version", "integer"}, {"sequence", "integer"}, {"arrival", "file"}, {"mssql", "sqlserver"}};
    const char *names[64];
    size_t count = 0;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(words[i].word, name) == 0)
            return words[i].order;
    for (const struct sw_order *const *order = sw_orders(); *order && count < sizeof names / sizeof names[0]; order++)
        names[count++] = (*order)->name;
    return sw_nearest_name(name, names, count);
}

enum sw_code sw_run_choose_order(struct sw_run *run, struct sw_error *error)
{
    const struct sw_mapping *mapping = &run->mapping;
    const struct sw_format *format = run->reading.roles[SW_ROLE_EVENTS].format;
    bool plain = !format || format == &sw_format_plain;
    char names[256];
    list_orders(names, sizeof names);
    if (!plain && (!mapping->order || mapping->order_by_default))
        return refuse_default_order(run, names, error);
    if (!mapping->order) {
        if (run->options->event_count) {
            enum sw_code code = sw_fail(error, SW_ERR_USAGE, "no order is declared for the events: --order takes one of %s (see slackwater orders)", names);
            add_mixed_up(error, run);
            return code;
        }
        return SW_OK;
    }
    const struct sw_order *order = sw_order_find(mapping->order);
    if (!order) {
        const char *meant = order_meant(mapping->order);
        return sw_fail(error, SW_ERR_USAGE, "there is no order '%s'%s%s%s; --order takes one of %s", mapping->order, meant ? "; did you mean '" : "", meant ? meant : "", meant ? "'?" : "", names);
    }
    for (size_t i = 0; i < mapping->order_field_count; i++)
        if (!order->arrival && sw_order_field_find(order, mapping->order_field_names[i]) == SIZE_MAX) {
            list_fields(names, sizeof names, order);
            return sw_fail(error, SW_ERR_USAGE, "the order '%s' has no field '%s'; its fields are %s", order->name, mapping->order_field_names[i], names);
        }
    if (run->options->event_count && plain) {
        enum sw_code code = refuse_undeclared(mapping, order, error);
        if (code < 0) {
            add_mixed_up(error, run);
            return code;
        }
    }
    if (!plain && !order->arrival && !order->weak && !mapping->order_field_count) {
        enum sw_code code = note_other_order(run, order, error);
        if (code < 0)
            return code;
    }
    run->reading.order = run->report.order = order;
    run->reading.order_declared = declared_fields(run, order);
    if (run->options->event_count && plain && !assume_one_source(run, order, run->reading.order_declared))
        return sw_fail_memory(error, "the report", 0);
    run->report.order_assumed = mapping->order_by_default && run->options->event_count;
    if (run->report.order_assumed && !sw_run_assume(run, "order integer: the default for records as the lab writes them"))
        return sw_fail_memory(error, "the report", 0);
    return SW_OK;
}

enum sw_code sw_run_parse_positions(struct sw_declared_positions *to, struct sw_run *run, const char *option, const char *text, const char *under, struct sw_error *error)
{
    struct sw_error inner = {0};
    if (!run->reading.order)
        return sw_fail(error, SW_ERR_USAGE, "%s: a position needs an order; --order declares one", option);
    enum sw_code code = sw_order_positions_parse(&to->places, run->reading.order, sw_bytes_text(text), &inner);
    if (code < 0)
        return sw_fail(error, code == SW_ERR_MEMORY ? code : SW_ERR_USAGE, "%s: %.900s", option, inner.text);
    to->cuts = sw_calloc(to->places.count, sizeof *to->cuts);
    if (!to->cuts)
        return sw_fail_memory(error, "positions", to->places.count * sizeof *to->cuts);
    for (size_t i = 0; i < to->places.count; i++) {
        const struct sw_order_position *place = &to->places.places[i];
        const struct sw_space_text space = {place->space, place->space.len, place->named};
        to->cuts[i] = (struct sw_fold_cut){sw_spaces_declare_under(run->reading.spaces, &space, under), place->position, place->space, !place->named};
        if (to->cuts[i].space == UINT32_MAX)
            return sw_spaces_no_space(run->reading.spaces, option, error);
    }
    to->count = (uint32_t)to->places.count;
    return SW_OK;
}

enum sw_code sw_run_read_positions(struct sw_run *run, struct sw_error *error)
{
    enum sw_code code = SW_OK;
    if (run->mapping.cut)
        code = sw_run_parse_positions(&run->cut, run, "--cut", run->mapping.cut, run->mapping.space, error);
    if (code == SW_OK && run->mapping.baseline_position)
        code = sw_run_parse_positions(&run->covered, run, "--baseline-position", run->mapping.baseline_position, run->mapping.space, error);
    run->reading.cuts = run->cut.cuts;
    run->reading.cut_count = run->cut.count;
    run->reading.covered = run->covered.cuts;
    run->reading.covered_count = run->covered.count;
    return code;
}

/* The position that was declared in this space, or one that may be meant for it: NULL if there is none. */
static const struct sw_fold_cut *position_in(const struct sw_spaces *spaces, const struct sw_fold_cut *positions, uint32_t count, uint32_t base)
{
    for (uint32_t i = 0; i < count; i++)
        if (positions[i].space == base)
            return &positions[i];
    for (uint32_t i = 0; i < count; i++)
        if (positions[i].loose && sw_space_says(sw_spaces_text(spaces, base), positions[i].said))
            return &positions[i];
    return NULL;
}

/* Where a record stands to the position that was declared in its space. Without one: beyond, or, if the baseline stands in a space that was declared
 * to come after this one, within. */
static enum sw_order_reach reach_of(const struct sw_reading *reading, const struct sw_fold_cut *positions, uint32_t count, const struct sw_record *record)
{
    uint32_t base = sw_spaces_base(reading->spaces, record->space), rank = sw_spaces_rank(reading->spaces, record->space);
    const struct sw_fold_cut *position = position_in(reading->spaces, positions, count, base);
    bool older = false;
    if (position)
        return sw_order_reach(reading->order, position->version, record->version);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t other = sw_spaces_rank(reading->spaces, positions[i].space);
        older |= other != UINT32_MAX && rank < other;
    }
    return older && !reading->order->complete ? SW_ORDER_WITHIN : SW_ORDER_BEYOND;
}

static enum sw_code refuse_untold(const struct sw_reading *reading, const char *option, const struct sw_record *record, struct sw_error *error)
{
    uint8_t role = record->role == SW_RECORD_ROLE_FOLLOWING ? SW_ROLE_EVENTS : record->role;
    struct sw_buffer text = {0};
    reading->order->print(&text, record->version, sw_spaces_text(reading->spaces, record->space));
    const char *version = sw_buffer_text(&text);
    enum sw_code code = sw_fail(error, SW_ERR_USAGE, "%s: the order %s does not say whether the position %s of a record in %s is before or after the declared one; declare one with as many parts as the records have",
                                option, reading->order->name, version ? version : "", sw_source_input(reading->roles[role].source, record->input - reading->roles[role].first_input)->locator);
    sw_buffer_free(&text);
    return code;
}

enum sw_code sw_read_find_covered(bool *covered, const struct sw_reading *reading, const struct sw_record *record, struct sw_error *error)
{
    *covered = false;
    if (!(record->flags & SW_RECORD_VERSION))
        return SW_OK;
    if (reading->cut_count && reach_of(reading, reading->cuts, reading->cut_count, record) == SW_ORDER_UNTOLD)
        return refuse_untold(reading, "--cut", record, error);
    if (reading->covered_count == 0 || (record->role != SW_ROLE_EVENTS && record->role != SW_RECORD_ROLE_FOLLOWING))
        return SW_OK;
    enum sw_order_reach reach = reach_of(reading, reading->covered, reading->covered_count, record);
    *covered = reach == SW_ORDER_WITHIN;
    return reach == SW_ORDER_UNTOLD ? refuse_untold(reading, "--baseline-position", record, error) : SW_OK;
}

/* A position that does not name its source is one of the only space of which it is true; of several, nobody may choose. */
static enum sw_code settle_loose(struct sw_run *run, const char *option, const char *text, struct sw_declared_positions *positions, struct sw_error *error)
{
    const struct sw_spaces *spaces = run->reading.spaces;
    uint32_t *meant = sw_calloc(positions->count, sizeof *meant); /* by position: 1 + the base of the space, 0 if none was seen */
    enum sw_code code = meant ? SW_OK : sw_fail_memory(error, "positions", positions->count * sizeof *meant);
    for (uint32_t id = 0; id < sw_spaces_count(spaces) && code == SW_OK; id++) {
        uint32_t base = sw_spaces_base(spaces, id);
        const struct sw_fold_cut *position = sw_spaces_seen(spaces, id) ? position_in(spaces, positions->cuts, positions->count, base) : NULL;
        uint32_t *known = position ? &meant[position - positions->cuts] : NULL;
        if (known && *known && *known != base + 1) {
            bool first = sw_bytes_compare(sw_spaces_text(spaces, *known - 1), sw_spaces_text(spaces, base)) < 0; /* ids follow arrival */
            struct sw_bytes one = sw_spaces_text(spaces, first ? *known - 1 : base), other = sw_spaces_text(spaces, first ? base : *known - 1);
            code = sw_fail(error, SW_ERR_USAGE, "%s: a position may be of the space '%.*s' or of '%.*s'; say of which: %s 'SPACE=POSITION;SPACE=POSITION'", option, (int)one.len, (const char *)one.at,
                           (int)other.len, (const char *)other.at, option);
        }
        if (known)
            *known = base + 1;
    }
    for (uint32_t i = 0; i < positions->count && code == SW_OK; i++) {
        if (!meant[i] || positions->cuts[i].space == meant[i] - 1)
            continue;
        struct sw_bytes name = sw_spaces_text(spaces, meant[i] - 1);
        positions->cuts[i].space = meant[i] - 1;
        if (!sw_run_assume(run, "%s %.200s: of the space '%.*s', the only one of which it can be", option, text, (int)name.len, (const char *)name.at))
            code = sw_fail_memory(error, "the report", 0);
    }
    sw_free(meant);
    return code;
}

/* The spaces in which events stand, the first ones by their texts; how many there are. */
static uint32_t list_seen(struct sw_buffer *out, const struct sw_run *run, bool covered)
{
    const struct sw_spaces *spaces = run->reading.spaces;
    uint32_t listed[SPACES_LISTED], count = 0, all = 0;
    for (uint32_t id = 0; id < sw_spaces_count(spaces); id++) {
        bool in_order = sw_spaces_rank(spaces, id) != UINT32_MAX;
        uint32_t base = sw_spaces_base(spaces, id), at = 0;
        if (!sw_spaces_seen(spaces, id) || (!covered && (in_order || position_in(spaces, run->covered.cuts, run->covered.count, base))))
            continue;
        for (at = 0; at < count && listed[at] != base; at++) {}
        if (at < count)
            continue; /* another space of that base */
        all++;
        for (at = count < SPACES_LISTED ? count++ : SPACES_LISTED; at > 0 && sw_bytes_compare(sw_spaces_text(spaces, base), sw_spaces_text(spaces, listed[at - 1])) < 0; at--)
            if (at < SPACES_LISTED)
                listed[at] = listed[at - 1];
        if (at < SPACES_LISTED)
            listed[at] = base;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct sw_bytes text = sw_spaces_text(spaces, listed[i]);
        sw_buffer_printf(out, "%s'%.*s'", i ? ", " : "", (int)text.len, (const char *)text.at);
    }
    if (all > count)
        sw_buffer_printf(out, " and %u more", all - count);
    return all;
}

/* A baseline position covers nothing of another space: a name that was mistyped, or a source that was promoted or restored since. */
static enum sw_code note_other_spaces(struct sw_run *run, struct sw_error *error)
{
    const struct sw_spaces *spaces = run->reading.spaces;
    struct sw_buffer seen = {0}, beyond = {0}, text = {0};
    uint32_t all = list_seen(&seen, run, true), others = run->reading.order->complete ? 0 : list_seen(&beyond, run, false);
    bool kept = true;
    for (uint32_t i = 0; i < run->covered.count && all && kept; i++) {
        const struct sw_fold_cut *position = &run->covered.cuts[i];
        bool met = position->loose;
        for (uint32_t id = 0; id < sw_spaces_count(spaces) && !met; id++)
            met = sw_spaces_seen(spaces, id) && sw_spaces_base(spaces, id) == position->space;
        if (met)
            continue;
        text.len = 0;
        sw_buffer_printf(&text, "--baseline-position names the space '%.*s', in which no event stands; the events stand in %s", (int)position->said.len, (const char *)position->said.at, seen.failed ? "others" : sw_buffer_text(&seen));
        kept = !text.failed && sw_run_remark(run, sw_buffer_text(&text));
    }
    if (others && kept) {
        text.len = 0;
        sw_buffer_printf(&text, "the position space changes: events stand in %s, of which --baseline-position names no position, so that none of them counts as covered, however low; if the source was promoted or restored before "
                                "the baseline was taken, the baseline may hold rows of the branch that was left (--spaces declares which space follows which)", beyond.failed ? "others" : sw_buffer_text(&beyond));
        kept = !text.failed && sw_run_remark(run, sw_buffer_text(&text));
    }
    sw_buffer_free(&seen);
    sw_buffer_free(&beyond);
    sw_buffer_free(&text);
    return kept ? SW_OK : sw_fail_memory(error, "the report", 0);
}

enum sw_code sw_run_settle_positions(struct sw_run *run, struct sw_error *error)
{
    const struct sw_spaces *spaces = run->reading.spaces;
    enum sw_code code = SW_OK;
    if (run->mapping.cut)
        code = settle_loose(run, "--cut", run->mapping.cut, &run->cut, error);
    if (code == SW_OK && run->mapping.baseline_position)
        code = settle_loose(run, "--baseline-position", run->mapping.baseline_position, &run->covered, error);
    if (code == SW_OK && run->covered.count)
        code = note_other_spaces(run, error);
    if (code < 0 || !run->mapping.cut)
        return code;
    uint32_t missing = UINT32_MAX;
    for (uint32_t id = 0; id < sw_spaces_count(spaces); id++) {
        uint32_t base = sw_spaces_base(spaces, id);
        bool named = !sw_spaces_seen(spaces, id);
        for (uint32_t i = 0; i < run->cut.count; i++)
            named |= run->cut.cuts[i].space == base;
        if (!named && (missing == UINT32_MAX || sw_bytes_compare(sw_spaces_text(spaces, base), sw_spaces_text(spaces, missing)) < 0))
            missing = base; /* the first by its text: ids follow arrival */
    }
    if (missing == UINT32_MAX)
        return SW_OK;
    struct sw_bytes text = sw_spaces_text(spaces, missing);
    return sw_fail(error, SW_ERR_USAGE, "--cut names no position in the space '%.*s', which the records have; a cut must name one in every space, several with ';' between them: --cut '%.*s=POSITION;…'",
                   (int)text.len, (const char *)text.at, (int)text.len, (const char *)text.at);
}

bool sw_declared_positions_equal(const struct sw_declared_positions *a, const struct sw_declared_positions *b)
{
    uint32_t same = 0;
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t j = 0; j < b->count; j++)
            same += a->cuts[i].space == b->cuts[j].space && sw_bytes_equal(a->cuts[i].version, b->cuts[j].version);
    return a->count == b->count && same == a->count;
}

void sw_declared_positions_free(struct sw_declared_positions *positions)
{
    sw_order_positions_free(&positions->places);
    sw_free(positions->cuts);
    *positions = (struct sw_declared_positions){0};
}

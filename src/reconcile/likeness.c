#include "reconcile/likeness.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "reconcile/debezium_likeness.h"
#include "reconcile/run.h"
#include "report/sentence.h"

#define NOTED_MAX 20        /* columns that get a remark */
#define VALUE_MAX 4096u     /* longer values are not looked at: they have nothing in common with anything */
#define SECOND INT64_C(1000000000)

/* Types under which two values that differ may be one, the narrowest claim first. Text that is folded or trimmed comes last: almost any type is a better explanation. */
static const char *const candidates[SW_LIKENESS_TYPES] = {
    "integer", "decimal", "float32", "float64", "boolean", "date", "timestamp", "timestamptz", "timestamptz zone=+00:00", "timestamp unit=ms", "timestamp unit=us", "timestamp unit=s", "timestamp unit=ns",
    "timestamptz unit=ms", "timestamptz unit=us", "timestamptz unit=s", "timestamptz unit=ns", "date unit=days", "time", "time unit=us", "time unit=ms", "uint64 wrap", "array of integer", "array of text", "uuid", "bytes", "bytes base64", "interval", "json", "text trim", "text nfc", "text fold", "text trim fold"};
#define CANDIDATES SW_LIKENESS_TYPES
#define FLOAT64 3 /* its place among them */
#define CUT_FIRST CANDIDATES /* then cuts of a second's digits, of columns that are times */
static const int8_t cuts[] = {6, 3, 0};
#define CUTS (sizeof cuts / sizeof *cuts)
#define BIT(candidate) (UINT64_C(1) << (candidate))
#define ALL (BIT(CANDIDATES + CUTS) - 1)

void sw_likeness_room_free(struct sw_likeness_room *room)
{
    sw_value_scratch_free(&room->scratch);
    sw_buffer_free(&room->left_text);
    sw_buffer_free(&room->right_text);
    sw_buffer_free(&room->left);
    sw_buffer_free(&room->right);
    sw_buffer_free(&room->decode.text);
    sw_buffer_free(&room->decode.array);
}

static bool is_instant(enum sw_type_kind kind) { return kind == SW_TYPE_TIMESTAMP || kind == SW_TYPE_TIMESTAMPTZ; }

/* Which candidates say something of a column of this type? */
static bool fits(size_t candidate, const struct sw_type *column, const struct sw_type *type)
{
    if (candidate >= CUT_FIRST)
        return is_instant(column->kind) || column->kind == SW_TYPE_TIME;
    if (column->kind == SW_TYPE_ANY || column->kind == SW_TYPE_TEXT)
        return !column->extended;
    if (column->kind == SW_TYPE_INTEGER)
        return type->wrap;
    if (column->kind == SW_TYPE_DECIMAL)
        return type->kind == SW_TYPE_FLOAT32 || type->kind == SW_TYPE_FLOAT64;
    return column->kind == SW_TYPE_FLOAT64 && type->kind == SW_TYPE_FLOAT32;
}

uint64_t sw_likeness_read_types(struct sw_type *types, const char *const *texts, size_t count)
{
    struct sw_error ignored = {0};
    uint64_t unknown = 0;
    for (size_t i = 0; i < count; i++)
        if (sw_type_parse(&types[i], sw_bytes_text(texts[i]), &ignored) != SW_OK)
            unknown |= BIT(i);
    return unknown;
}

/* The types are read once a room: there is a look at each of them for every difference. */
static void read_candidates(struct sw_likeness_room *room)
{
    if (!room->types_read)
        room->types_unknown = sw_likeness_read_types(room->types, candidates, CANDIDATES);
    room->types_read = true;
}

/* False: the build does not know the type, or a cut takes nothing away. */
static bool candidate_type(struct sw_type *out, const struct sw_likeness_room *room, size_t candidate, const struct sw_type *column)
{
    if (candidate >= CUT_FIRST) {
        *out = *column;
        out->precision = cuts[candidate - CUT_FIRST];
        return column->precision < 0 || column->precision > out->precision;
    }
    *out = room->types[candidate];
    return !(room->types_unknown >> candidate & 1);
}

bool sw_likeness_spell(struct sw_token *out, struct sw_buffer *room, const struct sw_type *column, struct sw_bytes value)
{
    sw_buffer_clear(room);
    sw_value_write_json(room, column, value);
    struct sw_bytes text = sw_buffer_view(room);
    if (room->failed || !text.len)
        return false;
    *out = (struct sw_token){text.at, (uint32_t)text.len, SW_TOKEN_NUMBER, false};
    if (text.at[0] == '"')
        *out = (struct sw_token){text.at + 1, (uint32_t)text.len - 2, SW_TOKEN_TEXT, memchr(text.at, '\\', text.len) != NULL};
    else if (text.at[0] == 't' || text.at[0] == 'f')
        out->kind = text.at[0] == 't' ? SW_TOKEN_TRUE : SW_TOKEN_FALSE;
    else if (text.at[0] == '[' || text.at[0] == '{')
        out->kind = text.at[0] == '[' ? SW_TOKEN_ARRAY : SW_TOKEN_OBJECT;
    return true;
}

static bool encode(struct sw_buffer *out, struct sw_likeness_room *room, const struct sw_type *under, struct sw_token token)
{
    sw_buffer_clear(out);
    enum sw_value_status status = sw_value_encode(out, under, token, &room->scratch);
    out->failed |= status == SW_VALUE_NO_MEMORY;
    return status == SW_VALUE_OK;
}

static bool same_under(size_t candidate, struct sw_likeness_room *room, const struct sw_type *column, struct sw_token a, struct sw_token b)
{
    struct sw_type type;
    return candidate_type(&type, room, candidate, column) && fits(candidate, column, &type) && encode(&room->left, room, &type, a) && encode(&room->right, room, &type, b)
           && sw_bytes_equal(sw_buffer_view(&room->left), sw_buffer_view(&room->right));
}

static int64_t big_endian(const uint8_t *at, size_t count)
{
    int64_t value = 0;
    for (size_t i = 0; i < count; i++)
        value = value << 8 | at[i];
    return value;
}

/* From a to b in nanoseconds, by the canonical bytes (docs/types.md). False where it cannot be said: an infinity, or centuries. */
static bool offset_of(int64_t *out, const struct sw_type *type, struct sw_bytes a, struct sw_bytes b)
{
    int64_t seconds = 0, nanoseconds = 0;
    if (is_instant(type->kind) && a.len == 11 && b.len == 11) {
        seconds = big_endian(b.at, 6) - big_endian(a.at, 6);
        nanoseconds = big_endian(b.at + 6, 4) - big_endian(a.at + 6, 4);
    } else if (type->kind == SW_TYPE_DATE && a.len == 4 && b.len == 4) {
        seconds = (big_endian(b.at, 4) - big_endian(a.at, 4)) * 86400;
    } else {
        return false;
    }
    if (seconds > 1000000000 || seconds < -1000000000)
        return false;
    *out = seconds * SECOND + nanoseconds;
    return true;
}

static void add_offset(struct sw_likeness *to, int64_t offset)
{
    for (uint32_t i = 0; i < to->offset_count && i < 2; i++)
        if (to->offsets[i] == offset)
            return;
    if (to->offset_count >= 2) {
        to->offset_count = 3;
        return;
    }
    to->offsets[to->offset_count++] = offset;
    if (to->offset_count == 2 && to->offsets[0] > to->offsets[1]) {
        to->offsets[1] = to->offsets[0];
        to->offsets[0] = offset;
    }
}

static struct sw_likeness_counts *counts_of(struct sw_likeness *to)
{
    if (!to->counts && !to->failed)
        to->failed = (to->counts = sw_calloc(1, sizeof *to->counts)) == NULL;
    return to->counts;
}

/* Offsets as between time zones. */
static void count_zone(struct sw_likeness *to, const struct sw_type *type, struct sw_value a, struct sw_value b)
{
    const int64_t quarter = 900 * SECOND;
    int64_t offset;
    if (offset_of(&offset, type, a.canonical, b.canonical) && offset % quarter == 0 && offset / quarter >= -SW_LIKENESS_ZONES && offset / quarter <= SW_LIKENESS_ZONES && counts_of(to))
        to->counts->zones[offset / quarter + SW_LIKENESS_ZONES]++;
}

static void count_rounding(struct sw_likeness *to, struct sw_token left, struct sw_token right)
{
    uint32_t found = left.kind == SW_TOKEN_NUMBER && right.kind == SW_TOKEN_NUMBER ? sw_rounding_find(sw_bytes_of(left.at, left.len), sw_bytes_of(right.at, right.len)) : 0;
    for (unsigned digits = 0; found && digits < SW_ROUNDING_DIGITS && counts_of(to); digits++) {
        to->counts->rounded[digits] += found >> digits & 1;
        to->counts->cut[digits] += found >> (digits + 16) & 1;
    }
}

static void count_alterations(struct sw_likeness *to, uint32_t found)
{
    for (unsigned i = 0; found && i < SW_ALTERATION_COUNT && counts_of(to); i++)
        to->counts->altered[i] += found >> i & 1;
}

/* NULL against a value is a question of spelling for an empty text alone. */
static bool is_empty_against_null(struct sw_likeness_room *room, const struct sw_type *type, struct sw_value a, struct sw_value b)
{
    struct sw_token text;
    bool one_null = (a.state == SW_STATE_NULL && b.state == SW_STATE_VALUE) || (a.state == SW_STATE_VALUE && b.state == SW_STATE_NULL);
    return one_null && sw_likeness_spell(&text, &room->left_text, type, a.state == SW_STATE_VALUE ? a.canonical : b.canonical) && text.kind == SW_TOKEN_TEXT && !text.len;
}

/* Nothing is known of it but what the JSON says. */
static bool column_is_free(const struct sw_type *type) { return type->kind == SW_TYPE_ANY && !type->extended; }

static uint32_t alterations_of(struct sw_likeness_room *room, const struct sw_type *type, struct sw_token a, struct sw_token b)
{
    struct sw_bytes left = sw_bytes_of(a.at, a.len), right = sw_bytes_of(b.at, b.len);
    if (sw_alteration_is_placeholder(right) && !sw_alteration_is_placeholder(left))
        return 1u << SW_ALTERATION_PLACEHOLDER;
    uint32_t debezium = column_is_free(type) ? sw_debezium_likeness(&room->decode, a, b) : 0;
    if (debezium)
        return debezium;
    if (a.kind == SW_TOKEN_TEXT && b.kind == SW_TOKEN_TEXT)
        return sw_alteration_find(left, right);
    if (a.kind == SW_TOKEN_NUMBER && b.kind == SW_TOKEN_NUMBER && sw_alteration_is_double(left) && same_under(FLOAT64, room, type, a, b))
        return 1u << SW_ALTERATION_DOUBLE;
    return 0;
}

static bool counts_common(const struct sw_type *type)
{
    return type->kind == SW_TYPE_TEXT || type->kind == SW_TYPE_UUID || is_instant(type->kind) || type->kind == SW_TYPE_DECIMAL || type->kind == SW_TYPE_FLOAT32 || type->kind == SW_TYPE_FLOAT64 || type->kind == SW_TYPE_ANY;
}

static void look_at(struct sw_likeness *to, struct sw_likeness_room *room, const struct sw_type *type, struct sw_value a, struct sw_value b)
{
    int64_t offset;
    to->differences++;
    if (a.state != SW_STATE_VALUE || b.state != SW_STATE_VALUE || a.canonical.len > VALUE_MAX || b.canonical.len > VALUE_MAX) {
        if (is_empty_against_null(room, type, a, b))
            count_alterations(to, 1u << SW_ALTERATION_EMPTY_NULL);
        to->refuted = ALL;
        to->offset_count = 3;
        return;
    }
    struct sw_token left, right;
    if (is_instant(type->kind))
        count_zone(to, type, a, b);
    read_candidates(room);
    bool spelled = sw_likeness_spell(&left, &room->left_text, type, a.canonical) && sw_likeness_spell(&right, &room->right_text, type, b.canonical);
    if (spelled) { /* what most differences may share is counted of each; the others may be lost changes */
        if (counts_common(type))
            count_rounding(to, left, right);
        count_alterations(to, alterations_of(room, type, left, right));
    } else {
        to->refuted = ALL;
    }
    for (size_t i = 0; i < CANDIDATES + CUTS && to->refuted != ALL; i++)
        if (!(to->refuted & BIT(i)) && !same_under(i, room, type, left, right))
            to->refuted |= BIT(i);
    to->failed |= room->left_text.failed || room->right_text.failed || room->left.failed || room->right.failed; /* a remark that memory lost would be another report */
    if (to->offset_count < 3) {
        if (offset_of(&offset, type, a.canonical, b.canonical))
            add_offset(to, offset);
        else
            to->offset_count = 3;
    }
}

/* The values of an image while its columns are asked for in the order of their names, in which they stand. */
struct image_walk {
    const struct sw_column_set *set;
    struct sw_bytes values;
    uint32_t at;
};

static struct image_walk walk_begin(const struct sw_schema *schema, const struct sw_draft_image *image)
{
    return (struct image_walk){sw_schema_set_at(schema, image->set), image->values, 0};
}

static bool walk_to(struct sw_value *out, struct image_walk *walk, const struct sw_column *column)
{
    for (int order = -1; walk->at < walk->set->count && order < 0;) {
        const struct sw_column *here = walk->set->columns[walk->at];
        order = here == column ? 0 : sw_bytes_compare(here->name, column->name);
        if (order > 0)
            return false;
        *out = sw_value_next(&walk->values);
        walk->at++;
        if (order == 0)
            return true;
    }
    return false;
}

void sw_likeness_look(struct sw_likeness *columns, uint32_t column_count, struct sw_likeness_room *room, const struct sw_schema *schema, const struct sw_draft *draft)
{
    struct image_walk state = walk_begin(schema, &draft->state), expected = walk_begin(schema, &draft->expected);
    for (uint32_t i = 0; i < draft->differing_count; i++) { /* by name */
        uint32_t id = draft->differing[i];
        if (id >= column_count)
            continue;
        const struct sw_column *column = sw_schema_column_at(schema, id);
        struct sw_likeness *to = &columns[id];
        struct sw_value a = {.state = SW_STATE_NULL}, b = {.state = SW_STATE_NULL};
        if (to->refuted == ALL && to->offset_count > 2 && !counts_common(&sw_schema_column_at(schema, id)->type)) {
            to->differences++;
            continue;
        }
        bool both = walk_to(&a, &state, column);
        both = walk_to(&b, &expected, column) && both;
        look_at(to, room, &column->type, both ? a : (struct sw_value){.state = SW_STATE_NULL}, b);
    }
}

void sw_likeness_add(struct sw_likeness *to, const struct sw_likeness *from)
{
    to->differences += from->differences;
    to->refuted |= from->refuted;
    for (uint32_t i = 0; i < from->offset_count && i < 2; i++)
        add_offset(to, from->offsets[i]);
    if (from->offset_count > 2)
        to->offset_count = 3;
    to->failed |= from->failed;
    if (!from->counts || !counts_of(to))
        return;
    for (size_t i = 0; i < sizeof to->counts->zones / sizeof *to->counts->zones; i++)
        to->counts->zones[i] += from->counts->zones[i];
    for (unsigned i = 0; i < SW_ROUNDING_DIGITS; i++) {
        to->counts->rounded[i] += from->counts->rounded[i];
        to->counts->cut[i] += from->counts->cut[i];
    }
    for (unsigned i = 0; i < SW_ALTERATION_COUNT; i++)
        to->counts->altered[i] += from->counts->altered[i];
}

void sw_likeness_free(struct sw_likeness *columns, uint32_t column_count)
{
    for (uint32_t i = 0; columns && i < column_count; i++)
        sw_free(columns[i].counts);
    sw_free(columns);
}

/* "8 h", "-5 h 30 min", "0.5 s" */
static void add_length(struct sw_buffer *out, int64_t offset)
{
    int64_t size = offset < 0 ? -offset : offset, seconds = size / SECOND, rest = size % SECOND;
    const struct { int64_t seconds; const char *unit; } units[] = {{86400, "d"}, {3600, "h"}, {60, "min"}};
    const char *between = "";
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (seconds >= units[i].seconds) {
            sw_buffer_printf(out, "%s%lld %s", between, (long long)(seconds / units[i].seconds), units[i].unit);
            between = " ";
        }
        seconds %= units[i].seconds;
    }
    if (rest)
        sw_buffer_printf(out, "%s%lld.%09lld s", between, (long long)seconds, (long long)rest);
    else if (seconds)
        sw_buffer_printf(out, "%s%lld s", between, (long long)seconds);
    sw_buffer_add_text(out, offset < 0 ? " earlier" : " later");
}

/* Zones lie whole quarters of an hour from another, and less than 27 hours. */
static bool may_be_zone(int64_t offset) { return offset % (900 * SECOND) == 0 && offset < 27 * 3600 * SECOND && offset > -27 * 3600 * SECOND; }

static void add_offsets(struct sw_buffer *out, const struct sw_likeness *likeness)
{
    const int64_t *offsets = likeness->offsets;
    bool zone = may_be_zone(offsets[0]) && may_be_zone(offsets[likeness->offset_count - 1]);
    sw_buffer_add_text(out, "the destination is ");
    add_length(out, offsets[0]);
    if (likeness->offset_count == 2) {
        sw_buffer_add_text(out, " or ");
        add_length(out, offsets[1]);
    }
    sw_buffer_add_text(out, ", in each of them; ");
    sw_buffer_add_text(out, !zone ? "what shifts a whole column is not many lost changes; nothing was corrected"
                                  : "a time zone that was dropped or applied twice on the way looks so; nothing was corrected, and they count as differences");
}

static void add_type(struct sw_buffer *out, const struct sw_column *column, uint64_t refuted)
{
    size_t i = 0;
    while (refuted & BIT(i))
        i++;
    struct sw_type type;
    struct sw_likeness_room room = {0};
    read_candidates(&room);
    if (!candidate_type(&type, &room, i, &column->type))
        return;
    sw_buffer_add_text(out, "they are one value under the type '");
    sw_type_print(out, &type);
    sw_buffer_add_text(out, "': if the column is that, declare it (--type 'COLUMN=");
    sw_type_print(out, &type);
    sw_buffer_add_text(out, "') and run again");
}

/* That one difference has one offset says nothing. */
static bool has_offsets(const struct sw_likeness *likeness) { return likeness->offset_count && likeness->offset_count <= 2 && likeness->differences > likeness->offset_count; }

/* What most of the differences have in common. */
struct common {
    uint64_t count;                /* of how many; 0: not of most */
    enum { COMMON_ZONE, COMMON_ROUNDED, COMMON_CUT, COMMON_ALTERED } what;
    int64_t offsets[2];            /* of a zone: the second is 0 if there is one alone */
    unsigned digits;
    enum sw_alteration alteration;
};

static void keep_most(struct common *best, struct common candidate)
{
    if (candidate.count > best->count)
        *best = candidate;
}

/* An alteration is told of few differences, too: it does not come about by chance, but for the beginning of a text. */
static uint64_t least_of(struct common common) { return common.what == COMMON_ALTERED && common.alteration != SW_ALTERATION_CUT_TEXT ? 1 : 3; }

/* One offset, or two that lie an hour apart as those of summer and winter do; a number of digits, the most of those that fit. */
static struct common common_of(const struct sw_likeness *likeness)
{
    struct common best = {0};
    const struct sw_likeness_counts *counts = likeness->counts;
    for (int i = 0; counts && i < 2 * SW_LIKENESS_ZONES + 1; i++)
        keep_most(&best, (struct common){counts->zones[i], COMMON_ZONE, {(i - SW_LIKENESS_ZONES) * 900 * SECOND, 0}, 0, 0});
    for (int i = 0; counts && best.count * 2 <= likeness->differences && i + 4 < 2 * SW_LIKENESS_ZONES + 1; i++)
        if (counts->zones[i] && counts->zones[i + 4])
            keep_most(&best, (struct common){counts->zones[i] + counts->zones[i + 4], COMMON_ZONE, {(i - SW_LIKENESS_ZONES) * 900 * SECOND, (i + 4 - SW_LIKENESS_ZONES) * 900 * SECOND}, 0, 0});
    for (unsigned digits = SW_ROUNDING_DIGITS; counts && digits-- > 0;) {
        keep_most(&best, (struct common){counts->rounded[digits], COMMON_ROUNDED, {0}, digits, 0});
        keep_most(&best, (struct common){counts->cut[digits], COMMON_CUT, {0}, digits, 0});
    }
    for (unsigned i = 0; counts && i < SW_ALTERATION_COUNT; i++)
        keep_most(&best, (struct common){counts->altered[i], COMMON_ALTERED, {0}, 0, (enum sw_alteration)i});
    if (best.count < least_of(best) || best.count * 2 <= likeness->differences)
        best.count = 0;
    return best;
}

static void add_common(struct sw_buffer *out, const struct sw_likeness *likeness, struct common common)
{
    char rest[SW_NUMBER_TEXT_MAX];
    uint64_t others = likeness->differences - common.count;
    if (common.what == COMMON_ZONE) {
        sw_buffer_add_text(out, "the destination is ");
        add_length(out, common.offsets[0]);
        if (common.offsets[1]) {
            sw_buffer_add_text(out, " or ");
            add_length(out, common.offsets[1]);
        }
        sw_buffer_add_text(out, ", as by a time zone that was dropped or applied twice on the way");
    } else if (common.what == COMMON_ALTERED) {
        sw_buffer_add_text(out, sw_alteration_text(common.alteration));
    } else {
        sw_buffer_printf(out, "the destination has the evidence's number %s %u digits behind the point, as a column with fewer digits keeps it", common.what == COMMON_ROUNDED ? "rounded to" : "cut after", common.digits);
    }
    sw_buffer_add_text(out, "; nothing was corrected, and they count as differences");
    if (others)
        sw_buffer_printf(out, "; the other %s %s another cause: look at %s first", sw_number_text(rest, others), others == 1 ? "has" : "have", others == 1 ? "it" : "them");
}

static bool note(struct sw_run *run, const struct sw_column *column, const struct sw_likeness *likeness)
{
    struct sw_buffer text = {0};
    struct sw_bytes table = sw_schema_table_at(run->reading.schema, column->table)->name;
    sw_buffer_add_text(&text, "column ");
    if (run->tables && table.len) {
        sw_buffer_add_bytes(&text, table);
        sw_buffer_add_byte(&text, '.');
    }
    sw_buffer_add_bytes(&text, column->name.len ? column->name : sw_bytes_text("value"));
    struct common common = common_of(likeness);
    bool doubled = common.count == likeness->differences && common.what == COMMON_ALTERED && common.alteration == SW_ALTERATION_DOUBLE; /* a type would hide what was lost */
    bool all_typed = (likeness->refuted & ALL) != ALL && !doubled, all_apart = has_offsets(likeness) && !(common.count && likeness->offset_count == 2 && !(may_be_zone(likeness->offsets[0]) && may_be_zone(likeness->offsets[1]))); /* one row of its own does not make a second offset */
    char a[SW_NUMBER_TEXT_MAX], b[SW_NUMBER_TEXT_MAX];
    if (!all_typed && !all_apart && common.count < likeness->differences)
        sw_buffer_printf(&text, ", %s of %s differences: ", sw_number_text(a, common.count), sw_number_text(b, likeness->differences));
    else if (likeness->differences == 1)
        sw_buffer_add_text(&text, ", its one difference: ");
    else if (likeness->differences == 2)
        sw_buffer_add_text(&text, ", both differences: ");
    else
        sw_buffer_printf(&text, ", all %llu differences: ", (unsigned long long)likeness->differences);
    if (all_typed)
        add_type(&text, column, likeness->refuted);
    else if (all_apart)
        add_offsets(&text, likeness);
    else
        add_common(&text, likeness, common);
    bool kept = sw_buffer_text(&text) && sw_run_remark(run, sw_buffer_text(&text));
    run->report.alike += likeness->differences > 1;
    sw_buffer_free(&text);
    return kept;
}

struct noted { const struct sw_column *column; const struct sw_likeness *likeness; };

static int by_name(const void *a, const void *b)
{
    const struct noted *left = a, *right = b;
    int order = sw_bytes_compare(left->column->name, right->column->name);
    return order ? order : (left->column->table > right->column->table) - (left->column->table < right->column->table);
}

bool sw_likeness_note(struct sw_run *run)
{
    struct noted *noted = sw_calloc(run->column_key_count, sizeof *noted);
    size_t count = 0;
    bool kept = noted != NULL;
    for (uint32_t id = 0; kept && run->likeness && id < run->column_key_count; id++) {
        const struct sw_likeness *likeness = &run->likeness[id];
        kept &= !likeness->failed;
        if (likeness->differences && ((likeness->refuted & ALL) != ALL || has_offsets(likeness) || common_of(likeness).count))
            noted[count++] = (struct noted){sw_schema_column_at(run->reading.schema, id), likeness};
    }
    if (count)
        qsort(noted, count, sizeof *noted, by_name);
    for (size_t i = 0; i < count && i < NOTED_MAX && kept; i++)
        kept = note(run, noted[i].column, noted[i].likeness);
    sw_free(noted);
    return kept && sw_key_likeness_note(run);
}

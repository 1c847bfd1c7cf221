#include "reconcile/key_likeness.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "model/value_any.h"
#include "reconcile/likeness.h"
#include "reconcile/run.h"
#include "report/sentence.h"

#define KEY_MAX 4096u
#define EVIDENCE 0
#define REFERENCE 1

/* The narrowest claim first, as in likeness.c. */
static const char *const candidates[SW_KEY_LIKENESS_TYPES] = {"integer", "float64", "uuid", "bytes", "bytes base64", "date", "timestamp", "timestamptz", "text trim", "text nfc", "text fold", "text trim fold"};

void sw_key_likeness_free(struct sw_key_likeness *likeness) { sw_free(likeness->readings); }

static bool begin(struct sw_key_likeness *likeness)
{
    if (likeness->readings || likeness->failed)
        return !likeness->failed;
    likeness->readings = sw_calloc(1, sizeof *likeness->readings);
    likeness->failed = !likeness->readings;
    uint64_t unknown = sw_likeness_read_types(likeness->types, candidates, SW_KEY_LIKENESS_TYPES);
    for (size_t t = 0; t < SW_KEY_LIKENESS_TYPES && !likeness->failed; t++)
        for (size_t c = 0; c < SW_KEY_LIKENESS_COLUMNS; c++)
            likeness->readings->of[c][t].refuted = unknown >> t & 1;
    return !likeness->failed;
}

static void sample_add(struct sw_key_sample *sample, uint64_t hash)
{
    uint32_t at = sample->count;
    while (at && sample->hashes[at - 1] > hash)
        at--;
    if ((at && sample->hashes[at - 1] == hash) || at == SW_KEY_LIKENESS_SAMPLE)
        return;
    uint32_t moved = (sample->count < SW_KEY_LIKENESS_SAMPLE ? sample->count : SW_KEY_LIKENESS_SAMPLE - 1) - at;
    memmove(&sample->hashes[at + 1], &sample->hashes[at], moved * sizeof *sample->hashes);
    sample->hashes[at] = hash;
    sample->count += sample->count < SW_KEY_LIKENESS_SAMPLE;
}

static void see_kind(uint8_t *seen, struct sw_bytes value)
{
    unsigned tag = value.len ? value.at[0] : 0;
    *seen |= tag >= SW_ANY_NUMBER_FIRST && tag <= SW_ANY_NUMBER_LAST ? 1 : tag == SW_ANY_TEXT ? 2 : 4;
}

/* The key with one column under each candidate. `before` and `behind` are the bytes of the other columns. */
static void read_column(const struct sw_key_likeness *likeness, struct sw_likeness_room *room, struct sw_key_reading *readings, const struct sw_type *column, struct sw_bytes before, struct sw_bytes behind, unsigned side)
{
    struct sw_token token;
    bool spelled = sw_likeness_spell(&token, &room->left_text, column, sw_buffer_view(&room->left));
    uint64_t others = sw_hash(behind.at, behind.len, sw_hash(before.at, before.len, 0));
    for (size_t t = 0; t < SW_KEY_LIKENESS_TYPES; t++) {
        if (readings[t].refuted)
            continue;
        sw_buffer_clear(&room->right);
        readings[t].refuted = !spelled || sw_value_encode(&room->right, &likeness->types[t], token, &room->scratch) != SW_VALUE_OK;
        if (!readings[t].refuted)
            sample_add(&readings[t].samples[side], sw_hash(room->right.at, room->right.len, others));
    }
}

static bool is_open(const struct sw_type *type) { return (type->kind == SW_TYPE_ANY || type->kind == SW_TYPE_TEXT) && !type->extended; }

void sw_key_likeness_look(struct sw_key_likeness *likeness, struct sw_likeness_room *room, const struct sw_schema *schema, const struct sw_draft *draft)
{
    const struct sw_table *table = sw_schema_table_at(schema, draft->table);
    struct sw_bytes whole = draft->key, key = whole;
    unsigned side = draft->reason == SW_REASON_MISSING_STATE ? REFERENCE : EVIDENCE;
    likeness->keys[side]++;
    if (!begin(likeness))
        return;
    for (uint32_t c = 0; c < table->key_count && c < SW_KEY_LIKENESS_COLUMNS; c++) {
        const struct sw_type *type = &table->keys[c]->type;
        struct sw_bytes from = key;
        sw_buffer_clear(&room->left);
        bool read = sw_key_column_read(&room->left, type, &key) == SW_VALUE_OK && whole.len <= KEY_MAX;
        if (read && is_open(type)) {
            size_t before = (size_t)(from.at - whole.at);
            read_column(likeness, room, likeness->readings->of[c], type, sw_bytes_of(whole.at, before), key, side);
        } else {
            for (size_t t = 0; t < SW_KEY_LIKENESS_TYPES; t++)
                likeness->readings->of[c][t].refuted = true;
        }
        if (type->kind == SW_TYPE_ANY)
            see_kind(&likeness->seen[side][c], read ? sw_buffer_view(&room->left) : sw_bytes_text(""));
        else
            likeness->seen[side][c] |= 4;
    }
    likeness->failed |= room->left.failed || room->left_text.failed || room->right.failed; /* a remark that memory lost would be another report */
}

void sw_key_likeness_add(struct sw_key_likeness *to, const struct sw_key_likeness *from)
{
    to->failed |= from->failed;
    for (unsigned side = 0; side < 2; side++) {
        to->keys[side] += from->keys[side];
        for (unsigned c = 0; c < SW_KEY_LIKENESS_COLUMNS; c++)
            to->seen[side][c] |= from->seen[side][c];
    }
    if (!from->readings || !begin(to))
        return;
    for (unsigned c = 0; c < SW_KEY_LIKENESS_COLUMNS; c++)
        for (unsigned t = 0; t < SW_KEY_LIKENESS_TYPES; t++) {
            const struct sw_key_reading *read = &from->readings->of[c][t];
            to->readings->of[c][t].refuted |= read->refuted;
            for (unsigned side = 0; side < 2; side++)
                for (uint32_t i = 0; i < read->samples[side].count; i++)
                    sample_add(&to->readings->of[c][t].samples[side], read->samples[side].hashes[i]);
        }
}

/* Of the lowest hashes of both sides together, how many are of both? `out_of` are those that were looked at. */
static uint32_t shared(uint32_t *out_of, const struct sw_key_reading *reading)
{
    const struct sw_key_sample *a = &reading->samples[EVIDENCE], *b = &reading->samples[REFERENCE];
    uint32_t i = 0, j = 0, both = 0;
    *out_of = 0;
    while ((i < a->count || j < b->count) && *out_of < SW_KEY_LIKENESS_SAMPLE) {
        bool left = j == b->count || (i < a->count && a->hashes[i] <= b->hashes[j]), right = i == a->count || (j < b->count && b->hashes[j] <= a->hashes[i]);
        both += left && right;
        i += left, j += right;
        ++*out_of;
    }
    return both;
}

static bool note_reading(struct sw_run *run, const struct sw_key_likeness *likeness, struct sw_bytes column, unsigned type, uint32_t both, uint32_t out_of)
{
    struct sw_buffer text = {0};
    char evidence[SW_NUMBER_TEXT_MAX], reference[SW_NUMBER_TEXT_MAX];
    sw_buffer_add_text(&text, "key column ");
    sw_buffer_add_bytes(&text, column);
    sw_buffer_printf(&text, ": %s %s in the evidence alone, %s in the destination alone, and ", sw_number_text(evidence, likeness->keys[EVIDENCE]), likeness->keys[EVIDENCE] == 1 ? "row is" : "rows are", sw_number_text(reference, likeness->keys[REFERENCE]));
    if (both == out_of)
        sw_buffer_add_text(&text, out_of < SW_KEY_LIKENESS_SAMPLE ? "all their keys" : "of a sample of them all keys");
    else
        sw_buffer_printf(&text, "of %u keys that were looked at %u", out_of, both);
    if (likeness->types[type].kind == SW_TYPE_FLOAT64)
        sw_buffer_add_text(&text, " pair off as floating-point numbers (float64): identifiers that went through a double lose their last digits. No type brings those back: load the side that lost them again, as integers or text");
    else
        sw_buffer_printf(&text, " pair off under the type '%s': if the column is that, declare it (--type 'COLUMN=%s') and run again", candidates[type], candidates[type]);
    bool kept = sw_buffer_text(&text) && sw_run_remark(run, sw_buffer_text(&text));
    run->report.alike++;
    sw_buffer_free(&text);
    return kept;
}

static bool note_kinds(struct sw_run *run, struct sw_bytes column, bool evidence_has_numbers)
{
    struct sw_buffer text = {0};
    sw_buffer_add_text(&text, "key column ");
    sw_buffer_add_bytes(&text, column);
    sw_buffer_printf(&text, ": of the rows that one side alone has, those of the evidence have a %s there and those of the destination a %s, and 1 is not \"1\"; if they are one column, declare its type (--type 'COLUMN=integer', or text)",
                     evidence_has_numbers ? "number" : "text", evidence_has_numbers ? "text" : "number");
    bool kept = sw_buffer_text(&text) && sw_run_remark(run, sw_buffer_text(&text));
    sw_buffer_free(&text);
    return kept;
}

/* One remark a column: of the types under which most keys pair off the one that pairs most, of those the narrowest. */
static bool note_column(struct sw_run *run, const struct sw_key_likeness *likeness, struct sw_bytes column, unsigned c)
{
    uint8_t evidence = likeness->seen[EVIDENCE][c], reference = likeness->seen[REFERENCE][c];
    if ((evidence == 1 && reference == 2) || (evidence == 2 && reference == 1))
        return note_kinds(run, column, evidence == 1);
    uint32_t best = 0, best_of = 0, out_of;
    unsigned best_type = 0;
    for (unsigned t = 0; t < SW_KEY_LIKENESS_TYPES; t++) {
        const struct sw_key_reading *reading = &likeness->readings->of[c][t];
        uint32_t both = shared(&out_of, reading);
        if (!reading->refuted && both * 2 > out_of && (!best || both * best_of > best * out_of))
            best = both, best_of = out_of, best_type = t;
    }
    return !best || note_reading(run, likeness, column, best_type, best, best_of);
}

bool sw_key_likeness_note(struct sw_run *run)
{
    const struct sw_key_likeness *likeness = &run->key_likeness;
    bool kept = !likeness->failed;
    if (!likeness->readings || !likeness->keys[EVIDENCE] || !likeness->keys[REFERENCE] || sw_schema_table_count(run->reading.schema) != 1)
        return kept;
    const struct sw_table *table = sw_schema_table_at(run->reading.schema, 0);
    for (uint32_t c = 0; c < table->key_count && c < SW_KEY_LIKENESS_COLUMNS && kept; c++)
        kept = note_column(run, likeness, table->keys[c]->name, c);
    return kept;
}

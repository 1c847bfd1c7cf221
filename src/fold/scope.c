#include "fold/scope.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"
#include "fold/fold.h"
#include "slackwater/names.h"
#include "text/json_write.h"

#define SAMPLE_SEED UINT64_C(0x736c61636b776174) /* never changes: the same keys today and tomorrow */
#define LITERALS_OF_ALL_TABLES_MAX (4u << 20)
#define SEARCHED_FROM 8u /* lists that are longer are sorted */

enum truth { TRUE_IT_IS = 1, FALSE_IT_IS = 2, NEITHER = 4, ANY_TRUTH = 7 };

/* What one column of a condition is in one table. */
struct scope_column {
    const struct sw_column *column;   /* NULL: the table has none of that name */
    bool key;
    uint32_t index;                   /* of a key column */
};

struct scope_literal {
    struct sw_bytes canonical;
    bool null;                        /* a declared rule reads it as NULL */
};

/* One condition in all tables. */
struct scope_condition {
    const struct sw_condition *condition;
    struct scope_column *columns;     /* [table][column] */
    struct scope_literal *literals;   /* [table][literal] */
    struct sw_buffer canonical;       /* owns them */
    uint8_t *slots;                   /* by column id: 1 + the column of the condition, or 0 */
};

struct sw_scope {
    struct sw_sample_part sample;
    bool absent_is_null;
    const struct sw_schema *schema;
    const uint8_t *in_evidence, *in_reference;
    uint32_t table_count, column_count;
    struct scope_condition conditions[SW_SCOPE_CONDITIONS_MAX];
    unsigned count;
};

void sw_scope_room_free(struct sw_scope_room *room) { sw_buffer_free(&room->key); }

static bool is_time(enum sw_type_kind kind) { return kind == SW_TYPE_TIME || kind == SW_TYPE_TIMESTAMP || kind == SW_TYPE_TIMESTAMPTZ; }

/* A bare key or value has no name of its own: it is called as the member it stands in. */
static struct sw_bytes name_of(const struct sw_column *column, bool key)
{
    return column->name.len ? column->name : key ? SW_BYTES_LITERAL("key") : SW_BYTES_LITERAL("value");
}

static struct scope_column *columns_of(const struct scope_condition *condition, uint32_t table) { return condition->columns + (size_t)table * condition->condition->column_count; }
static struct scope_literal *literals_of(const struct scope_condition *condition, uint32_t table) { return condition->literals + (size_t)table * condition->condition->literal_count; }

static void find_columns(struct scope_condition *out, const struct sw_scope *scope)
{
    const struct sw_condition *condition = out->condition;
    for (uint32_t t = 0; t < scope->table_count; t++) {
        const struct sw_table *table = sw_schema_table_at(scope->schema, t);
        for (uint32_t c = 0; c < condition->column_count; c++)
            for (uint32_t k = 0; k < table->key_count; k++)
                if (sw_bytes_equal(name_of(table->keys[k], true), condition->columns[c]))
                    columns_of(out, t)[c] = (struct scope_column){table->keys[k], true, k};
    }
    for (uint32_t id = 0; id < scope->column_count; id++) {
        const struct sw_column *column = sw_schema_column_at(scope->schema, id);
        for (uint32_t c = 0; c < condition->column_count; c++) {
            struct scope_column *to = &columns_of(out, column->table)[c];
            if (to->column || !sw_bytes_equal(name_of(column, false), condition->columns[c]) || !(scope->in_evidence[id] | scope->in_reference[id]))
                continue;
            *to = (struct scope_column){column, false, 0};
            out->slots[id] = (uint8_t)(c + 1);
        }
    }
}

/* A column that no table has is misspelt, or left out of what is read. */
static enum sw_code refuse_unknown(struct scope_condition *out, const struct sw_scope *scope, struct sw_error *error)
{
    const struct sw_condition *condition = out->condition;
    bool rows = false; /* where no row shows a column, nothing can be said of names */
    for (uint32_t id = 0; id < scope->column_count; id++)
        rows |= (scope->in_evidence[id] | scope->in_reference[id]) != 0;
    for (uint32_t c = 0; c < condition->column_count && rows; c++) {
        bool known = false;
        for (uint32_t t = 0; t < scope->table_count; t++)
            known |= columns_of(out, t)[c].column != NULL;
        if (known)
            continue;
        struct sw_buffer text = {0}, list = {0};
        sw_json_write_text_inside(&text, condition->columns[c]);
        for (uint32_t id = 0; id < scope->column_count && list.len < 300; id++) {
            const struct sw_column *column = sw_schema_column_at(scope->schema, id);
            if (!(scope->in_evidence[id] | scope->in_reference[id]))
                continue;
            sw_buffer_add_text(&list, ", ");
            sw_json_write_text_inside(&list, name_of(column, false));
        }
        for (uint32_t k = 0; k < sw_schema_table_at(scope->schema, 0)->key_count && list.len < 400; k++) {
            sw_buffer_add_text(&list, ", ");
            sw_json_write_text_inside(&list, name_of(sw_schema_table_at(scope->schema, 0)->keys[k], true));
        }
        const char *name = sw_buffer_text(&text), *known_names = sw_buffer_text(&list);
        enum sw_code code = sw_fail(error, SW_ERR_USAGE, "no row has the column '%.200s'; there are %.500s (a column that is ignored is not read)", name ? name : "?", known_names && list.len > 2 ? known_names + 2 : "none");
        sw_buffer_free(&text);
        sw_buffer_free(&list);
        return code;
    }
    return SW_OK;
}

static int by_canonical(const void *a, const void *b)
{
    const struct scope_literal *left = a, *right = b;
    if (left->null != right->null)
        return left->null ? 1 : -1; /* those that are NULL stand last */
    return sw_bytes_compare(left->canonical, right->canonical);
}

static bool is_searched(const struct sw_condition_node *node, const struct sw_column *column)
{
    return node->kind == SW_CONDITION_IN && node->literal_count > SEARCHED_FROM && !is_time(column->type.kind);
}

static enum sw_code encode_literals(struct scope_condition *out, uint32_t table, struct sw_buffer *spans, const struct sw_scope *scope, struct sw_error *error)
{
    const struct sw_condition *condition = out->condition;
    struct sw_value_scratch scratch = {0};
    enum sw_code code = SW_OK;
    for (uint32_t i = 0; i < condition->literal_count && code == SW_OK; i++) {
        const struct sw_condition_literal *literal = &condition->literals[i];
        const struct scope_column *column = &columns_of(out, table)[literal->column];
        size_t span[2] = {out->canonical.len, 0};
        if (column->column) {
            enum sw_value_status status = sw_value_encode(&out->canonical, &column->column->type, literal->token, &scratch);
            literals_of(out, table)[i].null = status == SW_VALUE_NULL;
            if (status == SW_VALUE_NO_MEMORY)
                code = sw_fail_memory(error, "a condition", literal->token.len);
            else if (status == SW_VALUE_INVALID) {
                struct sw_buffer name = {0}, of = {0};
                sw_json_write_text_inside(&name, condition->columns[literal->column]);
                if (scope->table_count > 1 && sw_schema_table_at(scope->schema, table)->name.len) {
                    sw_buffer_add_text(&of, " of the table ");
                    sw_json_write_text_inside(&of, sw_schema_table_at(scope->schema, table)->name);
                }
                const char *shown = sw_buffer_text(&name), *shown_of = sw_buffer_text(&of);
                code = sw_fail(error, SW_ERR_USAGE, "a value is none of the column %.200s%.200s: %s", shown ? shown : "?", shown_of ? shown_of : "", scratch.problem);
                sw_buffer_free(&name);
                sw_buffer_free(&of);
            }
        }
        span[1] = out->canonical.len - span[0];
        sw_buffer_add(spans, span, sizeof span);
    }
    sw_value_scratch_free(&scratch);
    return code;
}

static enum sw_code compile(struct scope_condition *out, const struct sw_scope *scope, struct sw_error *error)
{
    const struct sw_condition *condition = out->condition;
    struct sw_buffer spans = {0};
    size_t tables = scope->table_count, literals = tables * condition->literal_count;
    if (literals > LITERALS_OF_ALL_TABLES_MAX)
        return sw_fail(error, SW_ERR_LIMIT, "it has %u values and holds for %u tables: together at most %u", condition->literal_count, scope->table_count, LITERALS_OF_ALL_TABLES_MAX);
    out->columns = sw_calloc(tables * condition->column_count, sizeof *out->columns);
    out->literals = sw_calloc(literals, sizeof *out->literals);
    out->slots = sw_calloc(scope->column_count, 1);
    if (!out->columns || !out->literals || !out->slots)
        return sw_fail_memory(error, "a condition", literals * sizeof *out->literals);
    find_columns(out, scope);
    enum sw_code code = refuse_unknown(out, scope, error);
    for (uint32_t t = 0; t < scope->table_count && code == SW_OK; t++)
        code = encode_literals(out, t, &spans, scope, error);
    if (code == SW_OK && (spans.failed || out->canonical.failed))
        code = sw_fail_memory(error, "a condition", spans.len);
    for (size_t i = 0; i < literals && code == SW_OK; i++) {
        size_t span[2];
        memcpy(span, spans.at + i * sizeof span, sizeof span);
        out->literals[i].canonical = out->canonical.at ? sw_bytes_of(out->canonical.at + span[0], span[1]) : (struct sw_bytes){0};
    }
    for (uint32_t t = 0; t < scope->table_count && code == SW_OK; t++)
        for (uint32_t n = 0; n < condition->node_count; n++) {
            const struct sw_condition_node *node = &condition->nodes[n];
            const struct sw_column *column = node->kind == SW_CONDITION_IN ? columns_of(out, t)[node->column].column : NULL;
            if (column && is_searched(node, column))
                qsort(literals_of(out, t) + node->literal, node->literal_count, sizeof *out->literals, by_canonical);
        }
    sw_buffer_free(&spans);
    return code;
}

enum sw_code sw_scope_new(struct sw_scope **out, const struct sw_scope_declaration *declaration, const struct sw_schema *schema, const uint8_t *in_evidence, const uint8_t *in_reference, struct sw_error *error)
{
    struct sw_scope *scope = sw_calloc(1, sizeof *scope);
    *out = NULL;
    if (!scope)
        return sw_fail_memory(error, "the scope", sizeof *scope);
    *scope = (struct sw_scope){.sample = declaration->sample, .absent_is_null = declaration->absent_is_null, .schema = schema, .in_evidence = in_evidence, .in_reference = in_reference,
                               .table_count = sw_schema_table_count(schema), .column_count = sw_schema_column_count(schema)};
    enum sw_code code = SW_OK;
    for (unsigned i = 0; i < SW_SCOPE_CONDITIONS_MAX && code == SW_OK; i++)
        if (declaration->conditions[i]) {
            scope->conditions[scope->count].condition = declaration->conditions[i];
            code = compile(&scope->conditions[scope->count++], scope, error);
        }
    if (code < 0)
        sw_scope_free(&scope);
    *out = scope;
    return code;
}

void sw_scope_free(struct sw_scope **pointer)
{
    struct sw_scope *scope = *pointer;
    *pointer = NULL;
    if (!scope)
        return;
    for (unsigned i = 0; i < scope->count; i++) {
        sw_free(scope->conditions[i].columns);
        sw_free(scope->conditions[i].literals);
        sw_free(scope->conditions[i].slots);
        sw_buffer_free(&scope->conditions[i].canonical);
    }
    sw_free(scope);
}

struct sw_bytes sw_scope_untyped(const struct sw_scope *scope, unsigned csv)
{
    for (unsigned i = 0; i < scope->count; i++) {
        const struct sw_condition *condition = scope->conditions[i].condition;
        for (uint32_t l = 0; l < condition->literal_count; l++)
            for (uint32_t t = 0; t < scope->table_count; t++) {
                const struct scope_column *column = &columns_of(&scope->conditions[i], t)[condition->literals[l].column];
                if (condition->literals[l].token.kind != SW_TOKEN_NUMBER || !column->column || column->column->type.kind != SW_TYPE_ANY)
                    continue;
                unsigned roles = column->key ? csv : (unsigned)(scope->in_evidence[column->column->id] | scope->in_reference[column->column->id]);
                if (roles & csv)
                    return condition->columns[condition->literals[l].column];
            }
    }
    return (struct sw_bytes){0};
}

/* ---- evaluation: which truths are possible ---- */

/* What a bare value is: numbers together, and the two booleans. */
static unsigned class_of(struct sw_bytes canonical)
{
    uint8_t tag = canonical.len ? canonical.at[0] : 0;
    return tag >= SW_ANY_NUMBER_FIRST && tag <= SW_ANY_NUMBER_LAST ? SW_ANY_ZERO : tag == SW_ANY_TRUE ? SW_ANY_FALSE : tag;
}

static bool is_ordered(const struct sw_type *type, struct sw_bytes a, struct sw_bytes b)
{
    bool tagged = type->kind == SW_TYPE_ANY || type->kind == SW_TYPE_JSON || type->kind == SW_TYPE_ARRAY;
    return !tagged || (class_of(a) == class_of(b) && class_of(a) != SW_ANY_ARRAY && class_of(a) != SW_ANY_OBJECT && class_of(a) != SW_ANY_NULL);
}

static uint8_t compare(const struct sw_type *type, enum sw_condition_operator operator, struct sw_bytes value, const struct scope_literal *literal)
{
    if (literal->null)
        return NEITHER;
    int order = sw_bytes_compare(value, literal->canonical);
    bool equality = operator == SW_CONDITION_EQUAL || operator == SW_CONDITION_NOT_EQUAL;
    if (!sw_value_comparable(type, value, literal->canonical) || (!equality && !is_ordered(type, value, literal->canonical)))
        return ANY_TRUTH;
    bool holds = false;
    switch (operator) {
    case SW_CONDITION_EQUAL: holds = order == 0; break;
    case SW_CONDITION_NOT_EQUAL: holds = order != 0; break;
    case SW_CONDITION_LESS: holds = order < 0; break;
    case SW_CONDITION_AT_MOST: holds = order <= 0; break;
    case SW_CONDITION_MORE: holds = order > 0; break;
    case SW_CONDITION_AT_LEAST: holds = order >= 0; break;
    }
    return holds ? TRUE_IT_IS : FALSE_IT_IS;
}

static uint8_t both(uint8_t a, uint8_t b)
{
    bool neither = ((a & NEITHER) && (b & (NEITHER | TRUE_IT_IS))) || ((b & NEITHER) && (a & (NEITHER | TRUE_IT_IS)));
    return (uint8_t)((a & b & TRUE_IT_IS) | ((a | b) & FALSE_IT_IS) | (neither ? NEITHER : 0));
}

static uint8_t negate(uint8_t a) { return (uint8_t)((a & NEITHER) | (a & TRUE_IT_IS ? FALSE_IT_IS : 0) | (a & FALSE_IT_IS ? TRUE_IT_IS : 0)); }

static uint8_t either(uint8_t a, uint8_t b) { return negate(both(negate(a), negate(b))); }

static uint8_t is_in(const struct sw_condition_node *node, const struct sw_column *column, struct sw_bytes value, const struct scope_literal *literals)
{
    uint8_t truth = FALSE_IT_IS;
    if (is_searched(node, column)) {
        const struct scope_literal wanted = {.canonical = value};
        if (bsearch(&wanted, literals, node->literal_count, sizeof *literals, by_canonical))
            return TRUE_IT_IS;
        return literals[node->literal_count - 1].null ? NEITHER : FALSE_IT_IS;
    }
    for (uint32_t i = 0; i < node->literal_count && truth != TRUE_IT_IS; i++)
        truth = either(truth, compare(&column->type, SW_CONDITION_EQUAL, value, &literals[i]));
    return truth;
}

static uint8_t of_leaf(const struct scope_condition *condition, const struct sw_condition_node *node, uint32_t table, struct sw_value value)
{
    const struct sw_column *column = columns_of(condition, table)[node->column].column;
    const struct scope_literal *literals = literals_of(condition, table) + node->literal;
    if (!column || value.state == SW_STATE_UNKNOWN || value.state == SW_STATE_UNAVAILABLE)
        return node->kind == SW_CONDITION_IS_NULL ? TRUE_IT_IS | FALSE_IT_IS : ANY_TRUTH;
    if (node->kind == SW_CONDITION_IS_NULL)
        return value.state == SW_STATE_NULL ? TRUE_IT_IS : FALSE_IT_IS;
    if (value.state == SW_STATE_NULL)
        return NEITHER;
    if (node->kind == SW_CONDITION_IN)
        return is_in(node, column, value.canonical, literals);
    return compare(&column->type, (enum sw_condition_operator)node->operator, value.canonical, &literals[0]);
}

/* By the values in the room. */
static uint8_t evaluate(const struct scope_condition *condition, struct sw_scope_room *room, uint32_t table)
{
    const struct sw_condition *of = condition->condition;
    uint8_t *truths = room->truths;
    for (uint32_t i = 0; i < of->node_count; i++) {
        const struct sw_condition_node *node = &of->nodes[i];
        switch ((enum sw_condition_kind)node->kind) {
        case SW_CONDITION_AND: truths[i] = both(truths[node->left], truths[node->right]); break;
        case SW_CONDITION_OR: truths[i] = either(truths[node->left], truths[node->right]); break;
        case SW_CONDITION_NOT: truths[i] = negate(truths[node->left]); break;
        default: truths[i] = of_leaf(condition, node, table, room->values[node->column]); break;
        }
    }
    return truths[of->node_count - 1];
}

/* Fills in the columns of the key; all others could be anything. False if memory ran out. */
static bool read_key(const struct scope_condition *condition, const struct sw_scope *scope, struct sw_scope_room *room, uint32_t table, struct sw_bytes key)
{
    const struct sw_table *of = sw_schema_table_at(scope->schema, table);
    const struct scope_column *columns = columns_of(condition, table);
    size_t starts[SW_KEY_COLUMNS_MAX + 1] = {0};
    bool nulls[SW_KEY_COLUMNS_MAX] = {false};
    room->key.len = 0;
    for (uint32_t k = 0; k < of->key_count && k < SW_KEY_COLUMNS_MAX; k++) {
        enum sw_value_status status = sw_key_column_read(&room->key, &of->keys[k]->type, &key);
        if (status == SW_VALUE_NO_MEMORY)
            return false;
        nulls[k] = status != SW_VALUE_OK;
        starts[k + 1] = room->key.len;
    }
    for (uint32_t c = 0; c < condition->condition->column_count; c++) {
        room->values[c] = (struct sw_value){.state = SW_STATE_UNKNOWN};
        if (columns[c].column && columns[c].key) {
            uint32_t k = columns[c].index;
            room->values[c].state = nulls[k] ? SW_STATE_NULL : SW_STATE_VALUE;
            if (!nulls[k])
                room->values[c].canonical = sw_bytes_of(room->key.at ? room->key.at + starts[k] : (const uint8_t *)"", starts[k + 1] - starts[k]);
        }
    }
    return !room->key.failed;
}

/* The values of a row, beside those of the key. `side`: which columns its side has at all. */
static void read_row(const struct scope_condition *condition, const struct sw_scope *scope, struct sw_scope_room *room, uint32_t table, const struct sw_draft_image *row, const uint8_t *side)
{
    const struct sw_column_set *set = sw_schema_set_at(scope->schema, row->set);
    const struct scope_column *columns = columns_of(condition, table);
    struct sw_bytes values = row->values;
    for (uint32_t c = 0; c < condition->condition->column_count; c++)
        if (columns[c].column && !columns[c].key)
            room->values[c] = (struct sw_value){.state = scope->absent_is_null && side[columns[c].column->id] ? SW_STATE_NULL : SW_STATE_UNKNOWN};
    for (uint32_t i = 0; i < set->count; i++) {
        struct sw_value value = sw_value_next(&values);
        uint32_t id = set->columns[i]->id;
        if (id < scope->column_count && condition->slots[id])
            room->values[condition->slots[id] - 1] = value;
    }
}

/* Does a whole side lack a column that the condition is about? */
static bool lacks_column(const struct scope_condition *condition, uint32_t table, const uint8_t *side)
{
    const struct scope_column *columns = columns_of(condition, table);
    for (uint32_t c = 0; c < condition->condition->column_count; c++)
        if (columns[c].column && !columns[c].key && !side[columns[c].column->id])
            return true;
    return false;
}

bool sw_scope_takes(const struct sw_sample_part *part, struct sw_bytes name, struct sw_bytes key)
{
    if (!part->denominator)
        return true;
    uint64_t hash = sw_hash(key.at, key.len, name.len ? sw_hash(name.at, name.len, SAMPLE_SEED) : SAMPLE_SEED);
    /* of 2^32 equal parts, without rounding; neither number has more than 30 bits */
    return (hash >> 32) * part->denominator < (uint64_t)part->numerator << 32;
}

enum sw_scope_place sw_scope_of_key(const struct sw_scope *scope, struct sw_scope_room *room, uint32_t table, struct sw_bytes key)
{
    enum sw_scope_place place = SW_SCOPE_INSIDE;
    if (!sw_scope_takes(&scope->sample, sw_schema_table_at(scope->schema, table)->name, key))
        return SW_SCOPE_OUTSIDE;
    for (unsigned i = 0; i < scope->count; i++) {
        if (!read_key(&scope->conditions[i], scope, room, table, key))
            return SW_SCOPE_NO_MEMORY;
        uint8_t truth = evaluate(&scope->conditions[i], room, table);
        if (!(truth & TRUE_IT_IS))
            return SW_SCOPE_OUTSIDE;
        if (truth != TRUE_IT_IS)
            place = SW_SCOPE_OPEN;
    }
    return place;
}

/* Which truths are possible of one row. */
static uint8_t of_row(const struct scope_condition *condition, const struct sw_scope *scope, struct sw_scope_room *room, uint32_t table, const struct sw_draft_image *row, const uint8_t *side)
{
    if (!row->deleted)
        read_row(condition, scope, room, table, row, side);
    return evaluate(condition, room, table);
}

enum sw_scope_place sw_scope_of_rows(const struct sw_scope *scope, struct sw_scope_room *room, uint32_t table, struct sw_bytes key, const struct sw_draft_image *state, const struct sw_draft_image *expected,
                                     bool tombstones)
{
    const struct { const struct sw_draft_image *row; const uint8_t *columns; } sides[] = {{state, scope->in_evidence}, {expected, scope->in_reference}};
    uint8_t any = FALSE_IT_IS; /* of both rows: is the whole declaration true of one of them? */
    for (unsigned s = 0; s < 2; s++) {
        const struct sw_draft_image *row = sides[s].row, *other = sides[!s].row;
        uint8_t truth = TRUE_IT_IS;
        if (!row->present || (row->deleted && !tombstones))
            continue;
        for (unsigned i = 0; i < scope->count; i++) {
            const struct scope_condition *condition = &scope->conditions[i];
            bool other_tells = other->present && !other->deleted && !lacks_column(condition, table, sides[!s].columns);
            if (other_tells && lacks_column(condition, table, sides[s].columns)) {
                truth = FALSE_IT_IS; /* the other row has all of it, and decides */
                break;
            }
            if (!read_key(condition, scope, room, table, key))
                return SW_SCOPE_NO_MEMORY;
            truth = both(truth, of_row(condition, scope, room, table, row, sides[s].columns));
        }
        any = either(any, truth);
    }
    return any == TRUE_IT_IS ? SW_SCOPE_INSIDE : any & TRUE_IT_IS ? SW_SCOPE_OPEN : SW_SCOPE_OUTSIDE;
}

#include "model/schema.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/memory.h"

/* Arrays of pointers are as long as their limit from the start (the kernel gives pages only where they are touched), so
 * that an id can be looked up while another thread adds an entry. */
struct sw_schema {
    pthread_mutex_t lock;
    struct sw_table **tables;
    struct sw_column **columns;
    struct sw_column_set **sets;
    _Atomic uint32_t table_count, column_count, set_count;
    uint32_t *column_slots, *set_slots; /* open addressing by content; 0 = empty, else id + 1 */
};

#define COLUMN_SLOTS (2 * SW_SCHEMA_COLUMNS_MAX)
#define SET_SLOTS (2 * SW_SCHEMA_SETS_MAX)

struct sw_schema *sw_schema_new(void)
{
    struct sw_schema *schema = sw_calloc(1, sizeof *schema);
    if (!schema)
        return NULL;
    pthread_mutex_init(&schema->lock, NULL);
    schema->tables = sw_calloc(SW_SCHEMA_TABLES_MAX, sizeof(void *));
    schema->columns = sw_calloc(SW_SCHEMA_COLUMNS_MAX, sizeof(void *));
    schema->sets = sw_calloc(SW_SCHEMA_SETS_MAX, sizeof(void *));
    schema->column_slots = sw_calloc(COLUMN_SLOTS, sizeof(uint32_t));
    schema->set_slots = sw_calloc(SET_SLOTS, sizeof(uint32_t));
    if (!schema->tables || !schema->columns || !schema->sets || !schema->column_slots || !schema->set_slots)
        sw_schema_free(&schema);
    return schema;
}

void sw_schema_free(struct sw_schema **pointer)
{
    struct sw_schema *schema = *pointer;
    *pointer = NULL;
    if (!schema)
        return;
    for (uint32_t i = 0; schema->tables && i < schema->table_count; i++) {
        sw_free((void *)(uintptr_t)schema->tables[i]->name.at);
        for (uint32_t k = 0; k < schema->tables[i]->key_count; k++) {
            sw_free((void *)(uintptr_t)schema->tables[i]->keys[k]->name.at);
            sw_free((void *)(uintptr_t)schema->tables[i]->keys[k]);
        }
        sw_free((void *)(uintptr_t)schema->tables[i]->keys);
        sw_free(schema->tables[i]);
    }
    for (uint32_t i = 0; schema->columns && i < schema->column_count; i++) {
        sw_free((void *)(uintptr_t)schema->columns[i]->name.at);
        sw_free(schema->columns[i]);
    }
    for (uint32_t i = 0; schema->sets && i < schema->set_count; i++) {
        sw_free((void *)(uintptr_t)schema->sets[i]->columns);
        sw_free(schema->sets[i]);
    }
    sw_free(schema->tables);
    sw_free(schema->columns);
    sw_free(schema->sets);
    sw_free(schema->column_slots);
    sw_free(schema->set_slots);
    pthread_mutex_destroy(&schema->lock);
    sw_free(schema);
}

static uint64_t hash_bytes(uint64_t hash, const void *at, size_t len)
{
    const uint8_t *bytes = at;
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash ^ hash >> 29;
}

static bool copy_name(struct sw_bytes *out, struct sw_bytes name)
{
    char *copy = sw_strndup((const char *)name.at, name.len);
    *out = sw_bytes_of(copy, name.len);
    return copy != NULL;
}

static struct sw_column *column_new(uint32_t table, struct sw_bytes name, const struct sw_type *type, bool declared, bool ignored)
{
    struct sw_column *column = sw_calloc(1, sizeof *column);
    if (!column || !copy_name(&column->name, name)) {
        sw_free(column);
        return NULL;
    }
    column->table = table;
    column->type = *type;
    column->declared = declared;
    column->ignored = ignored;
    return column;
}

/* Under the lock. */
static const struct sw_table *table_new(struct sw_schema *schema, struct sw_bytes name, const struct sw_key_declaration *keys, uint32_t key_count)
{
    uint32_t id = schema->table_count;
    if (id == SW_SCHEMA_TABLES_MAX)
        return NULL;
    struct sw_table *table = sw_calloc(1, sizeof *table);
    struct sw_column **columns = sw_calloc(key_count, sizeof *columns);
    if (!table || !columns || !copy_name(&table->name, name))
        goto failed;
    for (uint32_t i = 0; i < key_count; i++) {
        columns[i] = column_new(id, keys[i].name, &keys[i].type, keys[i].declared, false);
        if (!columns[i])
            goto failed;
        columns[i]->id = UINT32_MAX; /* key columns are no value columns and have no id of their own */
    }
    table->id = id;
    table->key_count = key_count;
    table->keys = (const struct sw_column *const *)columns;
    schema->tables[id] = table;
    atomic_store(&schema->table_count, id + 1);
    return table;
failed:
    for (uint32_t i = 0; columns && i < key_count && columns[i]; i++) {
        sw_free((void *)(uintptr_t)columns[i]->name.at);
        sw_free(columns[i]);
    }
    if (table)
        sw_free((void *)(uintptr_t)table->name.at);
    sw_free(columns);
    sw_free(table);
    return NULL;
}

const struct sw_table *sw_schema_table(struct sw_schema *schema, struct sw_bytes name, const struct sw_key_declaration *keys, uint32_t key_count)
{
    const struct sw_table *found = NULL;
    pthread_mutex_lock(&schema->lock);
    for (uint32_t i = 0; i < schema->table_count && !found; i++)
        if (sw_bytes_equal(schema->tables[i]->name, name))
            found = schema->tables[i];
    if (!found)
        found = table_new(schema, name, keys, key_count);
    pthread_mutex_unlock(&schema->lock);
    return found;
}

const struct sw_column *sw_schema_column(struct sw_schema *schema, uint32_t table, struct sw_bytes name, const struct sw_type *type, bool declared, bool ignored)
{
    struct sw_column *found = NULL;
    pthread_mutex_lock(&schema->lock);
    uint64_t slot = hash_bytes(hash_bytes(0xcbf29ce484222325u, &table, sizeof table), name.at, name.len) % COLUMN_SLOTS;
    for (; schema->column_slots[slot]; slot = (slot + 1) % COLUMN_SLOTS) {
        struct sw_column *candidate = schema->columns[schema->column_slots[slot] - 1];
        if (candidate->table == table && sw_bytes_equal(candidate->name, name)) {
            found = candidate;
            break;
        }
    }
    if (!found && schema->column_count < SW_SCHEMA_COLUMNS_MAX) {
        found = column_new(table, name, type, declared, ignored);
        if (found) {
            found->id = schema->column_count;
            schema->columns[found->id] = found;
            schema->column_slots[slot] = found->id + 1;
            atomic_store(&schema->column_count, found->id + 1);
        }
    }
    pthread_mutex_unlock(&schema->lock);
    return found;
}

static int by_name(const void *a, const void *b)
{
    const struct sw_column *const *left = a, *const *right = b;
    return sw_bytes_compare((*left)->name, (*right)->name);
}

const struct sw_column_set *sw_schema_set(struct sw_schema *schema, const struct sw_column *const *columns, uint32_t count)
{
    const struct sw_column **sorted = sw_calloc(count, sizeof *sorted);
    struct sw_column_set *found = NULL;
    if (!sorted)
        return NULL;
    if (count) /* there may be no columns at all, and no array then */
        memcpy(sorted, columns, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_name);
    uint64_t hash = 0xcbf29ce484222325u;
    for (uint32_t i = 0; i < count; i++)
        hash = hash_bytes(hash, &sorted[i]->id, sizeof sorted[i]->id);
    pthread_mutex_lock(&schema->lock);
    uint64_t slot = hash % SET_SLOTS;
    for (; schema->set_slots[slot]; slot = (slot + 1) % SET_SLOTS) {
        struct sw_column_set *candidate = schema->sets[schema->set_slots[slot] - 1];
        if (candidate->count == count && memcmp(candidate->columns, sorted, count * sizeof *sorted) == 0) {
            found = candidate;
            break;
        }
    }
    if (!found && schema->set_count < SW_SCHEMA_SETS_MAX) {
        found = sw_calloc(1, sizeof *found);
        if (found) {
            *found = (struct sw_column_set){.id = schema->set_count, .count = count, .columns = sorted};
            sorted = NULL;
            schema->sets[found->id] = found;
            schema->set_slots[slot] = found->id + 1;
            atomic_store(&schema->set_count, found->id + 1);
        }
    }
    pthread_mutex_unlock(&schema->lock);
    sw_free(sorted);
    return found;
}

const struct sw_table *sw_schema_table_at(const struct sw_schema *schema, uint32_t id) { return schema->tables[id]; }
const struct sw_column *sw_schema_column_at(const struct sw_schema *schema, uint32_t id) { return schema->columns[id]; }
const struct sw_column_set *sw_schema_set_at(const struct sw_schema *schema, uint32_t id) { return schema->sets[id]; }
uint32_t sw_schema_table_count(const struct sw_schema *schema) { return schema->table_count; }
uint32_t sw_schema_column_count(const struct sw_schema *schema) { return schema->column_count; }
uint32_t sw_schema_set_count(const struct sw_schema *schema) { return schema->set_count; }

enum sw_code sw_schema_no_table(const struct sw_schema *schema, struct sw_error *error)
{
    if (schema->table_count < SW_SCHEMA_TABLES_MAX)
        return sw_fail_memory(error, "a table", sizeof(struct sw_table));
    return sw_fail(error, SW_ERR_LIMIT, "more than %u tables in one run: name those that matter here (--table NAME, or the tables of a --map), and run once for each group", SW_SCHEMA_TABLES_MAX);
}

enum sw_code sw_schema_no_column(const struct sw_schema *schema, struct sw_error *error)
{
    if (schema->column_count < SW_SCHEMA_COLUMNS_MAX)
        return sw_fail_memory(error, "a column", sizeof(struct sw_column));
    return sw_fail(error, SW_ERR_LIMIT, "more than %u columns in one run: is the value column really an object of columns? --type COLUMN=json keeps it as one", SW_SCHEMA_COLUMNS_MAX);
}

enum sw_code sw_schema_no_set(const struct sw_schema *schema, struct sw_error *error)
{
    if (schema->set_count < SW_SCHEMA_SETS_MAX)
        return sw_fail_memory(error, "a set of columns", sizeof(struct sw_column_set));
    return sw_fail(error, SW_ERR_LIMIT, "more than %u different sets of columns in one run: are names of members really data? --type COLUMN=json keeps an object as one value",
                   SW_SCHEMA_SETS_MAX);
}

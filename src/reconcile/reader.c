#include "reconcile/reader.h"

#include <string.h>

#include "base/memory.h"

static void drop_binding(void *pointer)
{
    struct sw_binding_set *bindings = pointer;
    sw_binding_set_free(&bindings);
}

/* Adds what this thread saw to the role. */
static enum sw_code merge(struct reader *reader)
{
    struct sw_read_role *role = reader->role;
    struct sw_reading *reading = reader->reading;
    enum sw_code code = sw_run_batch_end(&reader->bad, reading->bad, reader->error);
    pthread_mutex_lock(&reading->lock);
    if (code == SW_OK && reader->around && !sw_around_unite(reading->around, reader->around))
        code = sw_fail_memory(reader->error, "events around a gap", 0);
    role->records += reader->record_count;
    role->other_table += reader->other_table;
    role->not_row_change += reader->not_row_change;
    role->covered += reader->covered;
    reading->later.held += reader->later.held;
    reading->later.later += reader->later.later;
    reading->later.untimed += reader->later.untimed;
    reading->later.truncates += reader->later.truncates;
    role->null_flags += reader->encoder.null_flags;
    role->invalid_values += reader->encoder.invalid_values;
    for (uint32_t i = 0; i < reader->encoder.invalid.count && code == SW_OK; i++)
        if (!sw_invalid_values_add(&reading->invalid, &reader->encoder.invalid.at[i]))
            code = sw_fail_memory(reader->error, "values that are none of their type", 0);
    role->saw_version |= reader->encoder.saw_version;
    role->saw_deleted |= reader->encoder.saw_deleted;
    reading->bad_count += reader->bad_count;
    reading->bad_unattributed += reader->bad_unattributed;
    role->bad += reader->bad_count;
    role->bad_unattributed += reader->bad_unattributed;
    reading->identity_entries += reader->identity_entries;
    reading->member_events += reader->members.events;
    reading->member_ends += reader->members.ends;
    if (code == SW_OK && !sw_member_add_tables(&reading->member_tables, &reader->members.tables))
        code = sw_fail_memory(reader->error, "tables", reading->member_tables.len);
    if (reader->set_capacity > role->set_count && code == SW_OK) {
        struct sw_set_use *grown = sw_realloc_array(role->sets, reader->set_capacity, sizeof *grown);
        if (grown) {
            memset(grown + role->set_count, 0, (reader->set_capacity - role->set_count) * sizeof *grown);
            role->sets = grown;
            role->set_count = reader->set_capacity;
        } else {
            code = sw_fail_memory(reader->error, "column sets", reader->set_capacity * sizeof *grown);
        }
    }
    for (uint32_t i = 0; i < reader->set_capacity && code == SW_OK; i++) {
        struct sw_set_use *from = &reader->sets[i], *to = &role->sets[i];
        if (from->count == 0)
            continue;
        bool earlier = to->count == 0 || from->input < to->input ||
                       (from->input == to->input && (from->block < to->block || (from->block == to->block && from->line < to->line)));
        uint64_t count = to->count + from->count;
        if (earlier)
            *to = *from;
        to->count = count;
    }
    for (uint32_t i = 0; i < reader->kind_count && code == SW_OK; i++) {
        uint32_t k = 0;
        while (k < role->kind_count && strcmp(role->kinds[k].kind, reader->kinds[i].kind) != 0)
            k++;
        if (k < role->kind_count) {
            role->kinds[k].count += reader->kinds[i].count;
            continue;
        }
        struct sw_kind_count *grown = sw_realloc_array(role->kinds, role->kind_count + 1, sizeof *grown);
        if (!grown) {
            code = sw_fail_memory(reader->error, "kinds of records", sizeof *grown);
            break;
        }
        role->kinds = grown;
        role->kinds[role->kind_count++] = reader->kinds[i];
        reader->kinds[i].kind = NULL;
    }
    pthread_mutex_unlock(&reading->lock);
    return code;
}

static enum sw_code reader_init(struct reader *reader, struct sw_reading *reading, enum sw_role role_id, unsigned index, struct sw_error *error)
{
    struct sw_read_role *role = &reading->roles[role_id];
    *reader = (struct reader){.reading = reading, .role = role, .role_id = role_id, .thread = index, .error = error};
    reader->records = sw_partition_writer_at(reading->records, index);
    reader->identities = sw_partition_writer_at(reading->identities, index);
    reader->sample = reading->sampler ? sw_sampler_writer(reading->sampler, index) : NULL;
    reader->record_tails = sw_partition_tails(reader->records);
    reader->identity_tails = sw_partition_tails(reader->identities);
    reader->encoder.context = &role->context;
    reader->encoder.spaces = reading->spaces;
    reader->csv_context = role->context;
    reader->csv_context.csv = true;
    sw_json_reader_init(&reader->json, reading->kernel, role->format->depth(reading->mapping, role_id), drop_binding);
    reader->json.lines = true;
    reader->around = reading->around && role_id == SW_ROLE_EVENTS ? sw_around_part_new(reading->around) : NULL;
    reader->only_stores = !reading->covered_count && !reading->cut_count && !reader->sample && !reader->around;
    reader->stores_straight = reader->only_stores && !reading->watch && role->format != &sw_format_state;
    reader->csv_bindings = sw_calloc(role->input_count, sizeof *reader->csv_bindings);
    if ((reading->around && role_id == SW_ROLE_EVENTS && !reader->around) || !reader->csv_bindings || !sw_csv_reader_init(&reader->csv, reading->kernel, (uint8_t)reading->mapping->csv_delimiter))
        return sw_fail_memory(error, "a reader", 0);
    reader->csv.escape = (uint8_t)reading->mapping->csv_escape;
    reader->csv.null_text = reading->mapping->csv_null;
    reader->csv.null_quoted_too = reading->mapping->csv_null_quoted_too;
    return SW_OK;
}

static void reader_free(struct reader *reader)
{
    sw_around_part_free(&reader->around);
    sw_encoder_free(&reader->encoder);
    sw_json_reader_free(&reader->json);
    sw_csv_reader_free(&reader->csv);
    sw_free(reader->row);
    sw_row_cursor_free(&reader->cursor);
    for (uint32_t i = 0; reader->csv_bindings && i < reader->role->input_count; i++)
        sw_binding_set_free(&reader->csv_bindings[i]);
    sw_free(reader->csv_bindings);
    sw_run_batch_free(&reader->bad);
    sw_buffer_free(&reader->open);
    sw_buffer_free(&reader->saved_open);
    sw_buffer_free(&reader->members.tables);
    sw_buffer_free(&reader->stored);
    sw_buffer_free(&reader->bad_key);
    sw_buffer_free(&reader->bad_content);
    for (unsigned i = 0; i < EXPANSIONS_MAX; i++)
        sw_buffer_free(&reader->expanded[i]);
    sw_free(reader->sets);
    for (uint32_t i = 0; i < reader->kind_count; i++)
        sw_free(reader->kinds[i].kind);
    sw_free(reader->kinds);
}

static bool is_read_now(const struct sw_reading *reading, int role) { return reading->roles[role].source && reading->roles[role].types == reading->typed; }

bool sw_read_has_roles(const struct sw_reading *reading)
{
    bool some = false;
    for (int role = 0; role < SW_ROLE_COUNT; role++)
        some |= is_read_now(reading, role);
    return some;
}

enum sw_code sw_read_thread(struct sw_reading *reading, unsigned index, struct sw_error *error)
{
    struct sw_block block = {0};
    enum sw_code code = SW_OK;
    for (int role = 0; role < SW_ROLE_COUNT && code == SW_OK; role++) {
        if (!is_read_now(reading, role))
            continue;
        atomic_store(&reading->phase, role);
        struct reader reader;
        code = reader_init(&reader, reading, (enum sw_role)role, index, error);
        while (code == SW_OK && !atomic_load_explicit(&reading->stop, memory_order_relaxed)) {
            code = sw_source_next(&block, reading->roles[role].source, error);
            if (code == SW_OK)
                code = sw_read_block(&reader, &block);
        }
        if (code >= 0)
            code = merge(&reader);
        reader_free(&reader);
    }
    sw_block_free(&block);
    if (code < 0)
        atomic_store(&reading->stop, true);
    return code;
}

/* What one thread sees of the events, and how the shares of all become one. */
#include <string.h>

#include "base/memory.h"
#include "continuity/log_scan.h"
#include "order/order_slots.h"
#include "position/scan.h"

#define PAIRS_MAX (1u << 18)
#define INTERVALS_MAX ((size_t)1 << 22)

static bool is(const struct sw_order *order, const struct sw_order *other) { return order == other; }

bool sw_log_has_numbers(const struct sw_order *order)
{
    return is(order, &sw_order_mysql_gtid) || is(order, &sw_order_kafka) || is(order, &sw_order_mariadb) || is(order, &sw_order_integer);
}

bool sw_log_is_parallel(const struct sw_order *order) { return is(order, &sw_order_mysql_gtid) || is(order, &sw_order_kafka) || is(order, &sw_order_mariadb); }

/* More than 64 bits: such a number holds a time or a shard, and counts no records one by one. */
static bool is_wide(const struct sw_order *order, struct sw_bytes version) { return is(order, &sw_order_integer) && version.len > 1 + sizeof(uint64_t); }

uint64_t sw_log_number(const struct sw_order *order, struct sw_bytes version)
{
    struct sw_slot slot = {0};
    uint64_t number = 0;
    if (is_wide(order, version))
        return UINT64_MAX;
    if (is(order, &sw_order_integer)) { /* its length, then its bytes */
        for (size_t i = 1; i < version.len; i++)
            number = number << 8 | version.at[i];
        return number;
    }
    (void)sw_slot_next(&slot, &version);
    return sw_slot_number(slot);
}

bool sw_log_time_before(const struct sw_order_time *a, const struct sw_order_time *b)
{
    return a->whole != b->whole ? a->whole < b->whole : a->fraction < b->fraction;
}

static void set_edge(struct sw_log_edge *to, const struct sw_log_edge *from)
{
    memcpy(to->version, from->version, from->len);
    memcpy(&to->len, &from->len, sizeof *to - offsetof(struct sw_log_edge, len));
}

/* Extends a reach; of equal positions the lowest place is the one to name. False if the positions do not compare. */
static bool extend(struct sw_log_reach *reach, const struct sw_log_edge *first, const struct sw_log_edge *last, uint64_t events, const struct sw_order *order)
{
    bool compares = true;
    if (!reach->events) {
        set_edge(&reach->first, first);
        set_edge(&reach->last, last);
        reach->events = events;
        return true;
    }
    reach->events += events;
    enum sw_version_order end = sw_version_compare(order, sw_log_version(last), sw_log_version(&reach->last));
    if (end == SW_VERSION_AFTER || (end == SW_VERSION_EQUAL && sw_log_place_before(last, &reach->last)))
        set_edge(&reach->last, last);
    compares = end != SW_VERSION_UNORDERED;
    if (end == SW_VERSION_AFTER && first == last)
        return compares; /* above the last is not below the first */
    enum sw_version_order begin = sw_version_compare(order, sw_log_version(first), sw_log_version(&reach->first));
    if (begin == SW_VERSION_BEFORE || (begin == SW_VERSION_EQUAL && sw_log_place_before(first, &reach->first)))
        set_edge(&reach->first, first);
    return compares && begin != SW_VERSION_UNORDERED;
}

void sw_log_reach_unite(struct sw_log_reach *to, const struct sw_log_reach *from, const struct sw_order *order)
{
    if (from->events)
        (void)extend(to, &from->first, &from->last, from->events, order);
}

void sw_log_part_free(struct sw_log_part *part)
{
    for (uint32_t i = 0; i < part->space_count; i++)
        sw_number_set_free(&part->spaces[i].numbers);
    sw_free(part->spaces);
    sw_free(part->tables);
    sw_free(part->pairs);
    sw_log_stretch_free(&part->stretch);
    sw_buffer_free(&part->members.tables);
    *part = (struct sw_log_part){0};
}

static bool reserve_spaces(struct sw_log_part *part, uint32_t count, const struct sw_order *order)
{
    if (count <= part->space_count)
        return true;
    uint32_t capacity = count + count / 2;
    struct sw_log_space *grown = sw_realloc_array(part->spaces, capacity, sizeof *grown);
    if (!grown)
        return false;
    memset(grown + part->space_count, 0, (capacity - part->space_count) * sizeof *grown);
    for (uint32_t i = part->space_count; i < capacity; i++)
        grown[i].numbers.repeats = is(order, &sw_order_kafka); /* an offset is one record; a GTID is many */
    part->spaces = grown;
    part->space_count = capacity;
    return true;
}

static bool reserve_tables(struct sw_log_part *part, uint32_t count)
{
    if (count <= part->table_count)
        return true;
    uint32_t capacity = count + count / 2;
    uint64_t(*grown)[SW_LOG_OPERATIONS] = sw_realloc_array(part->tables, capacity, sizeof *grown);
    if (!grown)
        return false;
    memset(grown + part->table_count, 0, (capacity - part->table_count) * sizeof *grown);
    part->tables = grown;
    part->table_count = capacity;
    return true;
}

static struct sw_log_table_space *slot_of(struct sw_log_table_space *pairs, uint32_t capacity, uint64_t key)
{
    uint32_t at = (uint32_t)(sw_hash_mix(key, 0x5bd1e995) >> 32) & (capacity - 1);
    while (pairs[at].reach.events && pairs[at].key != key)
        at = (at + 1) & (capacity - 1);
    return &pairs[at];
}

/* The pair of a space and a table, new ones with no event. NULL: memory ran out, or there are too many. */
static struct sw_log_table_space *find_pair(struct sw_log_part *part, uint64_t key)
{
    if (part->pair_count * 2 >= part->pair_capacity) {
        uint32_t capacity = part->pair_capacity ? part->pair_capacity * 2 : 64;
        struct sw_log_table_space *grown = capacity > PAIRS_MAX ? NULL : sw_calloc(capacity, sizeof *grown);
        if (!grown)
            return NULL;
        for (uint32_t i = 0; i < part->pair_capacity; i++)
            if (part->pairs[i].reach.events)
                *slot_of(grown, capacity, part->pairs[i].key) = part->pairs[i];
        sw_free(part->pairs);
        part->pairs = grown;
        part->pair_capacity = capacity;
    }
    struct sw_log_table_space *pair = slot_of(part->pairs, part->pair_capacity, key);
    pair->key = key;
    part->pair_count += pair->reach.events == 0;
    return pair;
}

static void note_time(struct sw_log_part *part, const struct sw_log_edge *edge)
{
    part->untimed += !edge->timed;
    part->mixed_times |= edge->timed && part->timed && edge->time.kind != part->earliest.kind;
    if (!edge->timed)
        return;
    if (!part->timed || sw_log_time_before(&edge->time, &part->earliest))
        part->earliest = edge->time;
    if (!part->timed || sw_log_time_before(&part->latest, &edge->time))
        part->latest = edge->time;
    part->timed = true;
}

/* ---- transactions ---- */

static struct sw_token token_at(const struct sw_watched *seen, uint32_t node)
{
    if (node == SW_JSON_NO_NODE)
        return (struct sw_token){.kind = SW_TOKEN_ABSENT};
    return sw_json_node_token(seen->template, seen->tokens, seen->place->record, node);
}

/* ---- events ---- */

static enum sw_log_operation operation_of(enum sw_operation operation)
{
    return operation == SW_OPERATION_DELETE ? SW_LOG_DELETE : operation == SW_OPERATION_TRUNCATE ? SW_LOG_TRUNCATE : operation == SW_OPERATION_READ ? SW_LOG_READ : SW_LOG_WRITE;
}

static enum sw_code note_position(struct sw_log_part *part, struct sw_scan_report *scan, const struct sw_watched *seen, struct sw_error *error)
{
    const struct sw_record *record = seen->record;
    const struct sw_order *order = scan->run->reading.order;
    struct sw_log_edge edge;
    edge.len = (uint8_t)record->version.len;
    memcpy(edge.version, record->version.at, edge.len);
    edge.input = record->input;
    edge.block = record->block;
    edge.line = record->line;
    struct sw_token time = token_at(seen, seen->binding->time_node);
    edge.timed = (time.kind == SW_TOKEN_TEXT || time.kind == SW_TOKEN_NUMBER) && sw_order_time_read(&edge.time, sw_bytes_of(time.at, time.len));
    if (!edge.timed)
        edge.time = (struct sw_order_time){0};
    note_time(part, &edge);
    struct sw_log_table_space *pair;
    if (!reserve_spaces(part, record->space + 1, order) || !(pair = find_pair(part, (uint64_t)record->space << 32 | record->table)))
        return part->pair_capacity * 2 > PAIRS_MAX ? sw_fail(error, SW_ERR_LIMIT, "the events stand in more than %u pairs of a table and a position space: scan fewer files at once", PAIRS_MAX / 2)
                                                   : sw_fail_memory(error, "the spaces of positions", 0);
    struct sw_log_space *space = &part->spaces[record->space];
    space->unordered |= !extend(&space->reach, &edge, &edge, 1, order);
    (void)extend(&pair->reach, &edge, &edge, 1, order);
    if (scan->dense && is_wide(order, record->version))
        return sw_fail(error, SW_ERR_INPUT, "--dense: a position above 18446744073709551615 counts no records one by one; holes cannot be told from such numbers");
    if (sw_log_has_numbers(order) && !is_wide(order, record->version)) {
        sw_number_set_add(&space->numbers, sw_log_number(order, record->version));
        if (space->numbers.all.count > INTERVALS_MAX)
            return sw_fail(error, SW_ERR_LIMIT, "the positions of one space have more than %zu holes between them: they are no dense numbers, or the files are scattered", INTERVALS_MAX);
        if (space->numbers.failed)
            return sw_fail_memory(error, "the positions of a space", 0);
    }
    if (!sw_log_stretch_add(part->stretch, record->space, &edge, order))
        return sw_fail_memory(error, "the order of arrival", 0);
    return SW_OK;
}

enum sw_code sw_log_watch_record(void *ctx, unsigned thread, const struct sw_watched *seen, struct sw_error *error)
{
    struct sw_scan_report *scan = ctx;
    struct sw_log_part *part = &scan->parts[thread];
    if (!part->stretch && !(part->stretch = sw_log_stretch_new()))
        return sw_fail_memory(error, "the order of arrival", sizeof *part->stretch);
    enum sw_code code = sw_member_note(&part->members, seen, error);
    if (code < 0 || seen->status != SW_ENCODE_ROW)
        return code;
    part->events++;
    if (!reserve_tables(part, seen->record->table + 1))
        return sw_fail_memory(error, "the tables of a log", 0);
    part->tables[seen->record->table][operation_of(seen->operation)]++;
    if (seen->operation == SW_OPERATION_READ) { /* a row as it was read: it stands beside the log, not in it */
        part->reads++;
        return SW_OK;
    }
    if (!(seen->record->flags & SW_RECORD_VERSION)) {
        part->without_position++;
        return SW_OK;
    }
    return note_position(part, scan, seen, error);
}

enum sw_code sw_log_watch_end_block(void *ctx, unsigned thread, uint32_t input, uint64_t block, struct sw_error *error)
{
    struct sw_scan_report *scan = ctx;
    struct sw_log_part *part = &scan->parts[thread];
    if (!part->stretch && !(part->stretch = sw_log_stretch_new()))
        return sw_fail_memory(error, "the order of arrival", sizeof *part->stretch);
    part->stretch->input = input;
    part->stretch->begin = block;
    part->stretch->end = block + 1;
    pthread_mutex_lock(&scan->arrival.lock);
    bool added = sw_log_arrival_add(&scan->arrival, &part->stretch, scan->run->reading.order);
    pthread_mutex_unlock(&scan->arrival.lock);
    sw_log_stretch_free(&part->stretch);
    return added ? SW_OK : sw_fail_memory(error, "the order of arrival", 0);
}

enum sw_code sw_log_unite(struct sw_log_part *all, struct sw_log_part *part, const struct sw_order *order, struct sw_error *error)
{
    bool done = reserve_spaces(all, part->space_count, order) && reserve_tables(all, part->table_count);
    for (uint32_t i = 0; i < part->space_count && done; i++) {
        const struct sw_log_reach *from = &part->spaces[i].reach;
        all->spaces[i].unordered |= part->spaces[i].unordered || (from->events && !extend(&all->spaces[i].reach, &from->first, &from->last, from->events, order));
        done = sw_number_set_settle(&part->spaces[i].numbers) && sw_number_set_unite(&all->spaces[i].numbers, &part->spaces[i].numbers);
        sw_number_set_free(&part->spaces[i].numbers);
    }
    for (uint32_t i = 0; i < part->table_count && done; i++)
        for (int o = 0; o < SW_LOG_OPERATIONS; o++)
            all->tables[i][o] += part->tables[i][o];
    for (uint32_t i = 0; i < part->pair_capacity && done; i++)
        if (part->pairs[i].reach.events) {
            struct sw_log_table_space *pair = find_pair(all, part->pairs[i].key);
            done = pair != NULL;
            if (done)
                sw_log_reach_unite(&pair->reach, &part->pairs[i].reach, order);
        }
    if (part->timed) {
        all->mixed_times |= part->mixed_times || (all->timed && all->earliest.kind != part->earliest.kind);
        if (!all->timed || sw_log_time_before(&part->earliest, &all->earliest))
            all->earliest = part->earliest;
        if (!all->timed || sw_log_time_before(&all->latest, &part->latest))
            all->latest = part->latest;
        all->timed = true;
    }
    all->untimed += part->untimed;
    all->events += part->events;
    all->reads += part->reads;
    all->without_position += part->without_position;
    all->members.events += part->members.events;
    all->members.ends += part->members.ends;
    if (!sw_member_add_tables(&all->members.tables, &part->members.tables))
        return sw_fail_memory(error, "the tables of a log", 0);
    return done ? SW_OK : sw_fail_memory(error, "what the threads saw", 0);
}

/* A partition folded whole, and the same one split and sorted outside of memory, must give the same findings and counts. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "fold/finding_record.h"
#include "fold/fold_large.h"
#include "fold/identity.h"
#include "fold/key_order.h"
#include "fold/truncates.h"
#include "random_testing.h"

struct collected {
    struct sw_runs *runs, *sent;
    struct sw_run_batch batch, sent_batch;
    const struct sw_fold_rules *rules;
};

static enum sw_code collect(const struct sw_draft *draft, void *ctx, struct sw_error *error)
{
    struct collected *collected = ctx;
    struct sw_buffer key = {0}, content = {0};
    sw_finding_sort_key(&key, collected->rules->schema, draft->table, draft->key);
    sw_finding_record_write(&content, draft);
    assert_true(sw_run_batch_add(&collected->batch, sw_buffer_view(&key), sw_buffer_view(&content)));
    sw_buffer_free(&key);
    sw_buffer_free(&content);
    (void)error;
    return SW_OK;
}

/* Stands among the findings, under a key of its own. */
static enum sw_code collect_contradiction(const struct sw_draft *draft, void *ctx, struct sw_error *error)
{
    struct collected *collected = ctx;
    struct sw_buffer key = {0}, content = {0};
    sw_finding_sort_key(&key, collected->rules->schema, draft->table, draft->key);
    sw_buffer_add_byte(&key, (uint8_t)draft->cause_space);
    sw_buffer_add_bytes(&key, draft->cause_version);
    sw_finding_record_write(&content, draft);
    assert_true(sw_run_batch_add(&collected->batch, sw_buffer_view(&key), sw_buffer_view(&content)));
    sw_buffer_free(&key);
    sw_buffer_free(&content);
    (void)error;
    return SW_OK;
}

static enum sw_code collect_record(const struct sw_record *record, void *ctx, struct sw_error *error)
{
    struct collected *collected = ctx;
    (void)error;
    assert_int_not_equal(record->role, SW_ROLE_EXPECTED);
    assert_true(sw_run_batch_add(&collected->sent_batch, record->key, record->bytes));
    return SW_OK;
}

static struct sw_place place_of(uint32_t input, uint64_t block, uint64_t line, const void *ctx)
{
    (void)block, (void)ctx;
    return (struct sw_place){input, line};
}

struct world {
    struct sw_budget budget;
    struct sw_spill_file *spill;
    struct sw_schema *schema;
    struct sw_spaces *spaces;
    struct sw_mapping mapping;
    struct sw_fold_rules rules;
    struct sw_fold_cut cut;
    const struct sw_table *table;
    const struct sw_column_set *set;
    uint8_t *seen;
    struct sw_truncate_index *index;
};

static void world_open(struct world *world)
{
    static const struct sw_type any = {.kind = SW_TYPE_ANY, .precision = -1};
    *world = (struct world){0};
    sw_budget_init(&world->budget, 1u << 30);
    assert_int_equal(sw_spill_file_open(&world->spill, NULL, NULL), SW_OK);
    world->schema = sw_schema_new();
    char *none[1] = {NULL};
    world->spaces = sw_spaces_new(none, 0);
    assert_int_equal(sw_spaces_intern(world->spaces, sw_bytes_text(""), 0), 0);
    assert_int_equal(sw_spaces_intern(world->spaces, sw_bytes_text("other"), 5), 1);
    struct sw_key_declaration key = {.type = any};
    world->table = sw_schema_table(world->schema, (struct sw_bytes){0}, &key, 1);
    const struct sw_column *column = sw_schema_column(world->schema, 0, sw_bytes_text("v"), &any, false, false);
    world->set = sw_schema_set(world->schema, &column, 1);
    world->seen = malloc(1);
    world->seen[0] = 1;
    world->rules = (struct sw_fold_rules){.mapping = &world->mapping, .schema = world->schema, .order = &sw_order_integer, .spaces = world->spaces, .compare_versions = true,
                                          .deletes = SW_DELETES_TOMBSTONE, .reference_given = true, .in_evidence = world->seen, .in_reference = world->seen};
}

static void world_close(struct world *world)
{
    sw_spill_file_close(&world->spill);
    sw_schema_free(&world->schema);
    sw_spaces_free(&world->spaces);
    free(world->seen);
}

/* The second way is to fold the partition whole as well, but each key sees all truncates. */
static bool without_index;

/* Some of the records that fill makes follow from others: the removals of changes of key, with the image that was removed. */
static bool with_removals;
/* Some of them do not have their value: it was unavailable, and stays what it was. */
static bool with_gaps;
/* Some were read by a snapshot, with a position or without. */
static bool with_reads;

/* Halves of changes of key say of which transaction they are: three versions are one. */
static bool with_steps;
static bool some_untold;
static unsigned some_shown_later;

/* Events say what was before them: that there was no row, that there was one, and which. Some images have gaps. */
static bool with_claims;
static bool some_contradicted, some_held;

static void claim(struct sw_record *record, struct sw_buffer *claimed, uint8_t *value)
{
    uint8_t before[] = {3 + 2, 0x59, (uint8_t)(2 * ((record->version.at[1] - (pick(4) ? 1 : 2)) % 99))};
    static const uint8_t unavailable[] = {SW_STATE_UNAVAILABLE};
    claimed->len = 0;
    switch (pick(5)) {
    case 0: return;
    case 1: record->claim = SW_CLAIM_ABSENT; break;
    case 2: record->claim = SW_CLAIM_LIVE; break;
    default:
        record->claim = SW_CLAIM_LIVE | SW_CLAIM_IMAGE;
        sw_claim_put_image(claimed, 0, pick(9) ? sw_bytes_of(before, 3) : sw_bytes_of(unavailable, 1));
        record->claimed = sw_buffer_view(claimed);
        break;
    }
    if (!(record->flags & SW_RECORD_DELETED) && pick(7) == 0) {
        record->flags |= pick(2) ? SW_RECORD_GAPS : SW_RECORD_GAPS | SW_RECORD_PARTIAL;
        value[0] = SW_STATE_UNAVAILABLE;
        record->values.len = 1;
    }
}

/* Records of a few keys: ties, twins, repeats, deletes, baseline rows with and without versions, marks, several spaces. */
static void fill(struct sw_partition_store *store, unsigned records, unsigned keys, unsigned versions, bool spaces)
{
    struct sw_partition_writer *writer = sw_partition_writer_at(store, 0);
    for (unsigned i = 0; i < records; i++) {
        uint8_t key[1 + 8 + 2], value[4], version[2], identity[2];
        size_t key_len = 0;
        key[key_len++] = 0x90;
        key[key_len++] = (uint8_t)('a' + pick(keys));
        key[key_len++] = 0;
        key[key_len++] = 0;
        struct sw_record record = {.role = (uint8_t)(pick(40) == 0 ? SW_ROLE_EXPECTED : pick(10) == 0 ? SW_ROLE_BASELINE : SW_ROLE_EVENTS), .key = sw_bytes_of(key, key_len), .input = i & 1, .line = i};
        if (!(record.role == SW_ROLE_BASELINE && pick(3) == 0) && pick(200) != 0) {
            record.flags |= SW_RECORD_VERSION;
            version[0] = 1;
            version[1] = (uint8_t)(1 + pick(versions));
            record.version = sw_bytes_of(version, 2);
            record.space = spaces && pick(50) == 0;
        }
        if (record.role == SW_ROLE_EVENTS && pick(2)) {
            record.flags |= SW_RECORD_IDENTITY;
            identity[0] = (uint8_t)pick(3);
            identity[1] = (uint8_t)(record.version.len ? version[1] : 0);
            record.identity = sw_bytes_of(identity, 2);
        }
        if (pick(6) == 0)
            record.flags |= SW_RECORD_DELETED;
        /* the content mostly follows the version, so that conflicts are rare but there */
        value[0] = 3 + 2;
        value[1] = 0x59;
        value[2] = (uint8_t)(2 * ((record.version.len ? version[1] : 0) % 99 + (pick(400) == 0)));
        if (!(record.flags & SW_RECORD_DELETED))
            record.values = sw_bytes_of(value, 3);
        if (with_reads && record.role == SW_ROLE_EVENTS && record.values.len && pick(4) == 0)
            record.flags |= SW_RECORD_READ;
        if (with_gaps && record.role == SW_ROLE_EVENTS && record.values.len && pick(3) == 0) {
            record.flags |= SW_RECORD_GAPS;
            value[0] = 1;
            record.values = sw_bytes_of(value, 1);
        }
        if (pick(500) == 0 && keys > 3) {
            record.flags = SW_RECORD_UNREADABLE;
            record.version = record.values = record.identity = (struct sw_bytes){0};
        }
        if (with_removals && record.role == SW_ROLE_EVENTS && record.version.len && pick(with_steps ? 5 : 30) == 0) {
            record.role = SW_RECORD_ROLE_FOLLOWING;
            record.flags = SW_RECORD_VERSION | SW_RECORD_DELETED;
            record.identity = (struct sw_bytes){0};
            value[2] = (uint8_t)(2 * ((version[1] - pick(3)) % 99)); /* the row as it was, the one that was written, or neither */
            record.values = sw_bytes_of(value, with_steps && pick(3) == 0 ? 0 : 3);
        }
        struct sw_buffer claimed = {0};
        if (with_claims && record.role == SW_ROLE_EVENTS && record.version.len)
            claim(&record, &claimed, value);
        if (with_steps && record.version.len && !record.claim && (record.role == SW_RECORD_ROLE_FOLLOWING || (record.role == SW_ROLE_EVENTS && record.values.len && pick(2)))) {
            const uint8_t transaction = (uint8_t)('a' + version[1] / 3);
            record.claim = record.role == SW_RECORD_ROLE_FOLLOWING ? SW_CLAIM_LIVE | SW_CLAIM_STEP : SW_CLAIM_STEP;
            sw_claim_put_step(&claimed, sw_bytes_of(&transaction, 1));
            record.claimed = sw_buffer_view(&claimed);
        }
        struct sw_error error = {0};
        uint8_t *to = sw_partition_append(writer, 0, sw_record_size(&record), &error);
        assert_non_null(to);
        assert_ptr_equal(sw_record_put(to, &record), to + sw_record_size(&record));
        sw_buffer_free(&claimed);
    }
}

/* One row under one identity, written and read by a snapshot: the second repeats the first, but both are sent, as they are not one event. */
static bool is_other_operation(const struct sw_schema *schema, const struct sw_record *a, const struct sw_record *b)
{
    return a->identity.len && ((a->flags ^ b->flags) & SW_FOLD_OPERATION_FLAGS) && sw_fold_group_of(a) == sw_fold_group_of(b) && a->table == b->table && a->space == b->space &&
           sw_bytes_equal(a->key, b->key) && sw_bytes_equal(a->version, b->version) && sw_bytes_equal(a->identity, b->identity) && sw_content_compare(schema, a, b) == 0 &&
           sw_fold_compare_following(schema, a, b) == 0;
}

/* Of records with their length before each, those of a key together. */
static uint64_t count_other_operations(const struct sw_fold_rules *rules, struct sw_bytes bytes, uint64_t count)
{
    struct sw_record *records = calloc(count + 1, sizeof *records);
    uint64_t found = 0;
    assert_non_null(records);
    for (size_t i = 0; i < count; i++) {
        uint32_t len;
        memcpy(&len, bytes.at, sizeof len);
        sw_record_read(&records[i], sw_bytes_of(bytes.at + sizeof len, len));
        bytes = sw_bytes_of(bytes.at + sizeof len + len, bytes.len - sizeof len - len);
    }
    for (size_t first = 0, next; first < count; first = next) {
        for (next = first + 1; next < count && sw_bytes_equal(records[first].key, records[next].key) && records[first].table == records[next].table;)
            next++;
        sw_fold_sort_records(rules, records + first, next - first);
        for (size_t i = first + 1; i < next; i++)
            found += is_other_operation(rules->schema, &records[i - 1], &records[i]);
    }
    free(records);
    return found;
}

/* Both ways send the same records on, and every one that is not counted as a repeat. */
static void compare_sent(struct collected collected[2], const struct sw_fold_counts *counts, unsigned records)
{
    struct sw_run_merge *merges[2];
    struct sw_error error = {0};
    uint64_t sent = 0, marks = 0;
    struct sw_buffer bytes = {0};
    for (int way = 0; way < 2; way++)
        assert_int_equal(sw_run_merge_open(&merges[way], collected[way].sent, &error), SW_OK);
    for (;; sent++) {
        struct sw_bytes key[2], content[2];
        enum sw_code code = sw_run_merge_next(&key[0], &content[0], merges[0], &error);
        assert_int_equal(sw_run_merge_next(&key[1], &content[1], merges[1], &error), code);
        if (code == SW_END)
            break;
        assert_true(sw_bytes_equal(content[0], content[1]));
        struct sw_record record;
        sw_record_read(&record, content[0]);
        marks += (record.flags & SW_RECORD_UNREADABLE) || record.role == SW_RECORD_ROLE_FOLLOWING ? 1 : 0;
        uint32_t len = (uint32_t)content[0].len;
        sw_buffer_add(&bytes, &len, sizeof len);
        sw_buffer_add_bytes(&bytes, content[0]);
    }
    uint64_t operations = count_other_operations(collected[0].rules, sw_buffer_view(&bytes), sent);
    sw_buffer_free(&bytes);
    uint64_t disposed = 0;
    for (int i = 0; i < SW_DISPOSITION_COUNT; i++)
        disposed += counts->dispositions[i];
    assert_true(disposed <= records); /* marks were counted when they were read, and what follows from a record with that record */
    assert_int_equal(sent - marks - operations + counts->duplicate_deliveries + counts->reused_duplicates + counts->repeated_records + counts->dispositions[SW_DISPOSITION_REFERENCE], disposed);
    for (int way = 0; way < 2; way++) {
        sw_run_merge_close(&merges[way]);
        sw_runs_free(&collected[way].sent);
    }
}

static void fold_both_ways(struct world *world, unsigned records, unsigned keys, unsigned versions, bool spaces)
{
    struct sw_fold_counts counts[2];
    struct collected collected[2];
    uint64_t start = random_state;
    for (int way = 0; way < 2; way++) {
        random_state = start;
        struct sw_partition_options options = {.partitions = 1, .writers = 1, .memory_bytes = way ? 64 << 10 : 64 << 20, .budget = &world->budget, .spill = world->spill};
        struct sw_partition_store *store;
        struct sw_error error = {0};
        assert_int_equal(sw_partition_store_new(&store, &options, &error), SW_OK);
        fill(store, records, keys, versions, spaces);
        collected[way] = (struct collected){.runs = sw_runs_new(1 << 30, &world->budget, world->spill), .sent = sw_runs_new(1 << 30, &world->budget, world->spill), .rules = &world->rules};
        world->rules.truncate_index = way && without_index ? NULL : world->index; /* all truncates, and those that matter */
        struct sw_fold_sink sink = {.finding = collect, .record = collect_record, .contradiction = collect_contradiction, .ctx = &collected[way]};
        struct sw_fold_worker *worker = sw_fold_worker_new(&world->rules, &sink);
        struct sw_fold_room room = {0};
        if (way && !without_index) {
            struct sw_fold_large large = {&room, worker, &world->rules, store, 0, 7, 1, &world->budget, world->spill};
            assert_int_equal(sw_fold_large_partition(&large, &error), SW_OK);
        } else {
            assert_int_equal(sw_fold_partition(&room, worker, store, 0, 7, &error), SW_OK);
        }
        counts[way] = *sw_fold_worker_counts(worker);
        assert_int_equal(sw_run_batch_end(&collected[way].batch, collected[way].runs, &error), SW_OK);
        assert_int_equal(sw_run_batch_end(&collected[way].sent_batch, collected[way].sent, &error), SW_OK);
        sw_run_batch_free(&collected[way].batch);
        sw_run_batch_free(&collected[way].sent_batch);
        sw_fold_worker_free(&worker);
        sw_fold_room_free(&room);
        sw_partition_store_free(&store);
    }
    assert_memory_equal(counts[0].classes, counts[1].classes, sizeof counts[0].classes);
    assert_memory_equal(counts[0].reasons, counts[1].reasons, sizeof counts[0].reasons);
    for (int i = 0; i < SW_DISPOSITION_COUNT; i++)
        if (counts[0].dispositions[i] != counts[1].dispositions[i])
            fail_msg("%u records of %u keys: disposition %d: %llu and %llu", records, keys, i, (unsigned long long)counts[0].dispositions[i], (unsigned long long)counts[1].dispositions[i]);
    assert_int_equal(counts[0].contradictions, counts[1].contradictions);
    assert_int_equal(counts[0].claims_held, counts[1].claims_held);
    assert_int_equal(counts[0].claims_unheld, counts[1].claims_unheld);
    assert_int_equal(counts[0].unseen_updates, counts[1].unseen_updates);
    some_contradicted |= counts[0].contradictions > 0;
    some_held |= counts[0].claims_held > counts[0].contradictions;
    assert_memory_equal(&counts[0], &counts[1], sizeof counts[0]);
    struct sw_run_merge *merges[2];
    struct sw_error error = {0};
    for (int way = 0; way < 2; way++)
        assert_int_equal(sw_run_merge_open(&merges[way], collected[way].runs, &error), SW_OK);
    for (;;) {
        struct sw_bytes key[2], content[2];
        enum sw_code code = sw_run_merge_next(&key[0], &content[0], merges[0], &error);
        assert_int_equal(sw_run_merge_next(&key[1], &content[1], merges[1], &error), code);
        if (code == SW_END)
            break;
        assert_true(sw_bytes_equal(key[0], key[1]));
        struct sw_finding found[2];
        struct sw_finding_room room[2] = {{0}, {0}};
        for (int way = 0; way < 2; way++) {
            assert_true(sw_finding_record_read(&found[way], content[way], &world->rules, &room[way], place_of, NULL));
        }
        assert_int_equal(found[0].reason, found[1].reason);
        assert_int_equal(found[0].cause, found[1].cause);
        some_untold |= found[0].cause == SW_CAUSE_STEP;
        some_shown_later += found[0].reason == SW_REASON_BEYOND_CUT || found[0].reason == SW_REASON_OPEN_TRANSACTION;
        assert_int_equal(found[0].state.present, found[1].state.present);
        assert_true(sw_bytes_equal(found[0].state.version, found[1].state.version));
        assert_true(sw_bytes_equal(found[0].state.values, found[1].state.values));
        assert_true(sw_bytes_equal(found[0].other.values, found[1].other.values));
        assert_int_equal(found[0].place_count, found[1].place_count);
        assert_int_equal(found[0].more_places, found[1].more_places);
        for (uint32_t i = 0; i < found[0].place_count; i++)
            assert_int_equal(found[0].places[i].line, found[1].places[i].line);
        for (int way = 0; way < 2; way++)
            sw_finding_room_free(&room[way]);
    }
    for (int way = 0; way < 2; way++) {
        sw_run_merge_close(&merges[way]);
        sw_runs_free(&collected[way].runs);
    }
    compare_sent(collected, &counts[0], records);
}

static void one_key_with_very_many_records(void **state)
{
    (void)state;
    struct world world;
    world_open(&world);
    random_state = 5;
    fold_both_ways(&world, 20000, 1, 200, false);
    fold_both_ways(&world, 20000, 2, 200, true);
    world_close(&world);
}

static void many_keys_in_one_partition(void **state)
{
    (void)state;
    struct world world;
    world_open(&world);
    for (unsigned seed = 0; seed < 60; seed++) {
        random_state = seed;
        fold_both_ways(&world, 400 + 50 * seed, 20, 30, seed % 2);
    }
    world_close(&world);
}

static void a_cut_holds_for_oversized_keys(void **state)
{
    (void)state;
    struct world world;
    world_open(&world);
    uint8_t version[] = {1, 90};
    world.cut = (struct sw_fold_cut){.space = 0, .version = sw_bytes_of(version, 2)};
    world.rules.cuts = &world.cut;
    world.rules.cut_count = 1;
    for (unsigned seed = 0; seed < 20; seed++) {
        random_state = seed;
        fold_both_ways(&world, 3000, 1 + seed % 3, 200, false);
    }
    world_close(&world);
}

/* What cannot be the state is let go of as well, but for the first one, and for what the reference shows or others rest on. */
static void beyond_the_cut_and_in_open_transactions_all_that_matters_is_kept(void **state)
{
    (void)state;
    struct world world;
    struct sw_fold_open open[] = {{0, 0, 2, 0, 3, 0}, {0, 0, 10, 0, 19, 0}, {0, 0, 21, 0, 35, 1}, {1, 0, 0, 0, 400, 2}};
    world_open(&world);
    uint8_t version[] = {1, 30};
    world.cut = (struct sw_fold_cut){.space = 0, .version = sw_bytes_of(version, 2)};
    some_shown_later = 0;
    for (unsigned seed = 0; seed < 4000; seed++) {
        random_state = seed;
        with_gaps = seed % 3 == 1;
        with_claims = seed % 5 < 2;
        with_removals = seed % 4 == 1;
        with_steps = seed % 8 == 1;
        with_reads = seed % 11 == 1;
        world.rules.cuts = seed % 7 < 5 ? &world.cut : NULL;
        world.rules.cut_count = seed % 7 < 5;
        world.rules.open = seed % 7 > 3 ? open : NULL;
        world.rules.open_count = seed % 7 > 3 ? sizeof open / sizeof *open : 0;
        world.rules.compare_versions = seed % 2;
        world.rules.deletes = seed % 9 < 4 ? SW_DELETES_TOMBSTONE : SW_DELETES_ABSENT;
        fold_both_ways(&world, 6 + seed % 90, 3, 230, seed % 6 == 5);
    }
    assert_true(some_shown_later > 100);
    with_gaps = with_claims = with_removals = with_steps = with_reads = false;
    world_close(&world);
}

static void changes_of_key_are_told_from_the_version_before(void **state)
{
    (void)state;
    struct world world;
    world_open(&world);
    with_removals = true;
    for (unsigned seed = 0; seed < 80; seed++) {
        random_state = seed;
        fold_both_ways(&world, 60 + 40 * (seed % 20), 3, 200, false);
    }
    with_removals = false;
    world_close(&world);
}

static void what_one_transaction_does_to_a_key_is_told_as_well(void **state)
{
    (void)state;
    struct world world;
    world_open(&world);
    with_removals = with_steps = true;
    for (unsigned seed = 0; seed < 200; seed++) {
        random_state = seed;
        with_claims = seed % 2;
        world.rules.baseline_given = seed % 4 < 2;
        fold_both_ways(&world, 60 + 40 * (seed % 20), 3, 200, false);
        fold_both_ways(&world, 20 + seed % 40, 4, 90, false); /* so few that most keys are not blocked by something else */
    }
    with_removals = with_steps = with_claims = false;
    assert_true(some_untold);
    world_close(&world);
}

static void an_unavailable_value_is_taken_from_the_version_before(void **state)
{
    (void)state;
    struct world world;
    world_open(&world);
    with_gaps = true;
    for (unsigned seed = 0; seed < 200; seed++) {
        random_state = seed;
        fold_both_ways(&world, 6 + seed, 2 + seed % 3, 250, false);
    }
    with_gaps = false;
    world_close(&world);
}

static void rows_that_a_snapshot_read_stand_among_the_versions(void **state)
{
    (void)state;
    struct world world;
    world_open(&world);
    with_reads = true;
    for (unsigned seed = 0; seed < 200; seed++) {
        random_state = seed;
        fold_both_ways(&world, 100 + 10 * seed, 3 + seed % 3, 20 + seed, false);
    }
    with_reads = false;
    world_close(&world);
}

static void a_reused_identity_blocks_an_oversized_key(void **state)
{
    (void)state;
    struct world world;
    world_open(&world);
    struct sw_identity_reuse *reused = sw_identity_reuse_new();
    struct sw_record twice[2] = {{.flags = SW_RECORD_IDENTITY}, {.flags = SW_RECORD_IDENTITY}};
    uint64_t repeats;
    twice[0].identity = twice[1].identity = sw_bytes_of("\x01\x05", 2);
    twice[0].key = sw_bytes_text("a");
    twice[1].key = sw_bytes_text("b");
    assert_true(sw_identity_reuse_find(reused, &repeats, twice, 2, world.schema));
    assert_int_equal(sw_identity_reuse_count(reused), 1);
    world.rules.reused = reused;
    for (unsigned seed = 0; seed < 60; seed++) {
        random_state = seed;
        fold_both_ways(&world, 50 + 60 * (seed % 20), 4, 120, false);
    }
    sw_identity_reuse_free(&reused);
    world_close(&world);
}

static void what_events_say_of_the_row_before_them_is_held_against_it(void **state)
{
    (void)state;
    struct world world;
    uint8_t version[] = {1, 90}, truncate_version[] = {1, 60};
    world_open(&world);
    with_claims = true;
    some_contradicted = some_held = false;
    world.cut = (struct sw_fold_cut){.space = 0, .version = sw_bytes_of(version, 2)};
    const struct sw_record truncate = {.role = SW_RECORD_ROLE_FOLLOWING, .flags = SW_RECORD_VERSION | SW_RECORD_DELETED, .version = sw_bytes_of(truncate_version, 2), .bytes = sw_bytes_of(truncate_version, 2)};
    world.rules.truncate_bytes = truncate.bytes;
    for (unsigned seed = 0; seed < 120; seed++) {
        random_state = seed;
        with_removals = seed % 3 == 0;
        world.rules.cuts = seed % 4 == 1 ? &world.cut : NULL;
        world.rules.cut_count = seed % 4 == 1;
        world.rules.truncates = seed % 5 == 2 ? &truncate : NULL;
        world.rules.truncate_count = seed % 5 == 2;
        fold_both_ways(&world, 30 + 30 * (seed % 20), 3, 120, seed % 6 == 5);
    }
    assert_true(some_contradicted && some_held);
    with_claims = with_removals = false;
    world_close(&world);
}

/* Truncates of two spaces, some at versions that keys have, some beyond the cut, some open, some twice under two names. */
static void of_many_truncates_a_key_needs_to_see_only_some(void **state)
{
    (void)state;
    struct world world;
    uint8_t cut_version[] = {1, 90}, versions[40][2], names[2] = {'a', 'b'}, bytes[40][40];
    struct sw_record truncates[40];
    struct sw_fold_open open[3] = {{5, 0, 3, 0, 7, 0}, {5, 0, 20, 0, 22, 0}, {5, 0, 30, 0, 36, 1}};
    struct sw_error error = {0};
    world_open(&world);
    world.cut = (struct sw_fold_cut){.space = 0, .version = sw_bytes_of(cut_version, 2)};
    for (unsigned seed = 0; seed < 300; seed++) {
        random_state = seed;
        uint32_t count = (uint32_t)(1 + pick(40)), second = (uint32_t)pick(40);
        for (uint32_t i = 0; i < count; i++) {
            bool goes_on = i && (i != second || seed % 2 == 0);
            size_t names_before = goes_on ? truncates[i - 1].identity.len : 0;
            versions[i][0] = 1;
            versions[i][1] = (uint8_t)((goes_on ? versions[i - 1][1] : 1) + (names_before == 2) + pick(6));
            bool again = goes_on && versions[i][1] == versions[i - 1][1];
            size_t name = again ? names_before + 1 : pick(2);
            truncates[i] = (struct sw_record){.role = SW_RECORD_ROLE_FOLLOWING, .flags = SW_RECORD_VERSION | SW_RECORD_DELETED | (name ? SW_RECORD_IDENTITY : 0), .version = sw_bytes_of(versions[i], 2),
                                              .identity = sw_bytes_of(names, name), .space = seed % 2 && i >= second, .input = 5, .line = i};
            truncates[i].bytes = sw_bytes_of(bytes[i], (size_t)(sw_record_put(bytes[i], &truncates[i]) - bytes[i]));
        }
        with_removals = seed % 3 == 0;
        with_gaps = seed % 5 == 0;
        with_claims = seed % 7 < 3;
        world.rules.cuts = seed % 4 == 1 ? &world.cut : NULL;
        world.rules.cut_count = seed % 4 == 1;
        world.rules.open = seed % 3 == 1 ? open : NULL;
        world.rules.open_count = seed % 3 == 1 ? 3 : 0;
        world.rules.truncates = truncates;
        world.rules.truncate_count = count;
        world.rules.truncate_bytes = sw_bytes_of(bytes, sizeof bytes);
        assert_int_equal(sw_truncate_index_new(&world.index, &world.rules, &error), SW_OK);
        for (int both = 0; both < 2; both++) {
            without_index = both == 0;
            fold_both_ways(&world, 3 + 10 * (seed % 30), 4, 120, seed % 2);
        }
        sw_truncate_index_free(&world.index);
    }
    with_claims = with_removals = with_gaps = false;
    world_close(&world);
}

/* Were each key to see them all, this would not end. */
static void a_million_truncates_cost_a_key_nothing(void **state)
{
    (void)state;
    enum { TRUNCATES = 1000000, KEYS = 200000 };
    struct world world;
    struct sw_error error = {0};
    struct sw_record *truncates = calloc(TRUNCATES, sizeof *truncates), records[16];
    uint8_t (*versions)[4] = calloc(TRUNCATES, sizeof *versions), own[4] = {0, 8, 0, 0};
    world_open(&world);
    for (uint32_t i = 0; i < TRUNCATES; i++) {
        versions[i][1] = (uint8_t)(i >> 16), versions[i][2] = (uint8_t)(i >> 8), versions[i][3] = (uint8_t)i;
        truncates[i] = (struct sw_record){.role = SW_RECORD_ROLE_FOLLOWING, .flags = SW_RECORD_VERSION | SW_RECORD_DELETED, .version = sw_bytes_of(versions[i], 4)};
    }
    world.rules.truncates = truncates;
    world.rules.truncate_count = TRUNCATES;
    assert_int_equal(sw_truncate_index_new(&world.index, &world.rules, &error), SW_OK);
    world.rules.truncate_index = world.index;
    for (uint32_t i = 0; i < KEYS; i++) {
        size_t count = 1;
        assert_true(count + sw_fold_truncates_max(&world.rules, count) <= 16);
        records[0] = (struct sw_record){.role = SW_ROLE_EVENTS, .flags = SW_RECORD_VERSION, .version = sw_bytes_of(own, 4)};
        sw_fold_add_truncates(records, &count, &world.rules);
        assert_int_equal(count, 5); /* the first and the last one before it, and behind it */
        assert_ptr_equal(records[1].version.at, versions[0x80000 - 1]);
        assert_ptr_equal(records[4].version.at, versions[TRUNCATES - 1]);
    }
    sw_truncate_index_free(&world.index);
    world_close(&world);
    free(truncates);
    free(versions);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_many_truncates_a_key_needs_to_see_only_some),
        cmocka_unit_test(a_million_truncates_cost_a_key_nothing),
        cmocka_unit_test(one_key_with_very_many_records),
        cmocka_unit_test(many_keys_in_one_partition),
        cmocka_unit_test(a_cut_holds_for_oversized_keys),
        cmocka_unit_test(beyond_the_cut_and_in_open_transactions_all_that_matters_is_kept),
        cmocka_unit_test(changes_of_key_are_told_from_the_version_before),
        cmocka_unit_test(what_one_transaction_does_to_a_key_is_told_as_well),
        cmocka_unit_test(an_unavailable_value_is_taken_from_the_version_before),
        cmocka_unit_test(rows_that_a_snapshot_read_stand_among_the_versions),
        cmocka_unit_test(a_reused_identity_blocks_an_oversized_key),
        cmocka_unit_test(what_events_say_of_the_row_before_them_is_held_against_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

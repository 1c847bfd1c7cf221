#include "reconcile/between.h"
#include "reconcile/reader.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "fold/identity.h"
#include "reconcile/saved_members.h"
#include "text/utf8.h"

static enum sw_code add_bad(struct reader *reader, const struct sw_record_place *place, bool key_known, const char *reason, const char *text, struct sw_bytes bytes)
{
    struct sw_bad_item item = {(uint8_t)reader->role_id, place->input, place->block, place->line, key_known, sw_bytes_text(reason), sw_bytes_text(text), {0}};
    if (reader->reading->keep_bad_bytes)
        item.bytes = bytes;
    sw_bad_item_write(&reader->bad_key, &reader->bad_content, &item);
    reader->bad_count++;
    reader->input_bad++;
    reader->bad_unattributed += !key_known;
    if (reader->bad_key.failed || reader->bad_content.failed ||
        !sw_run_batch_add(&reader->bad, sw_buffer_view(&reader->bad_key), sw_buffer_view(&reader->bad_content)))
        return sw_fail_memory(reader->error, "a bad record", reader->bad_content.len);
    if (reader->bad.bytes.len > (1u << 20)) /* a file of nothing else must not fill memory */
        return sw_run_batch_end(&reader->bad, reader->reading->bad, reader->error);
    return SW_OK;
}

static enum sw_code note_first_of_set(struct reader *reader, uint32_t set, const struct sw_record_place *place)
{
    if (set >= reader->set_capacity) {
        uint32_t capacity = (set + 1) * 2;
        struct sw_set_use *grown = sw_realloc_array(reader->sets, capacity, sizeof *grown);
        if (!grown)
            return sw_fail_memory(reader->error, "column sets", capacity * sizeof *grown);
        memset(grown + reader->set_capacity, 0, (capacity - reader->set_capacity) * sizeof *grown);
        reader->sets = grown;
        reader->set_capacity = capacity;
    }
    reader->sets[set] = (struct sw_set_use){.count = 1, .input = place->input, .block = place->block, .line = place->line};
    return SW_OK;
}

static inline enum sw_code note_set(struct reader *reader, uint32_t head, uint32_t set, const struct sw_record_place *place)
{
    if (head & (SW_RECORD_DELETED | SW_RECORD_UNREADABLE))
        return SW_OK;
    if (set < reader->set_capacity && reader->sets[set].count) { /* a thread sees the blocks of an input in order: the first one is known */
        reader->sets[set].count++;
        return SW_OK;
    }
    return note_first_of_set(reader, set, place);
}

static inline bool is_wanted(const struct reader *reader, uint32_t table, struct sw_bytes key)
{
    const struct sw_reading *reading = reader->reading;
    return !reading->only || sw_key_list_find(reading->only, sw_schema_table_at(reading->schema, table)->name, key) != SW_KEY_LIST_NONE;
}

/* Gives a record to its partition, and its identity to that of its name. */
static inline enum sw_code store_row(struct reader *reader, const struct sw_straight_record *row, const struct sw_record_place *place)
{
    struct sw_reading *reading = reader->reading;
    if (!is_wanted(reader, row->table, row->key)) {
        reader->other_table++; /* nothing is reported of this reading but its findings */
        return note_set(reader, row->head, row->set, place);
    }
    uint64_t hash = sw_hash(row->key.at, row->key.len, reading->hash_seed + row->table);
    uint32_t partition = (uint32_t)(hash >> 32) & (reading->record_partitions - 1);
    uint8_t *to = sw_partition_append_short(reader->records, reader->record_tails, partition, row->bytes.len, reader->error);
    if (!to)
        return reader->error->code;
    sw_bytes_copy(to, row->bytes);
    if ((row->head & SW_RECORD_IDENTITY) && !sw_identity_in_key(row->identity)) {
        struct sw_identity_entry entry = {sw_hash(row->identity.at, row->identity.len, reading->hash_seed), sw_identity_content_hash(row->head, row->content, hash)};
        to = sw_partition_append_short(reader->identities, reader->identity_tails, sw_identity_partition(entry.identity), SW_IDENTITY_ENTRY_BYTES, reader->error);
        if (!to)
            return reader->error->code;
        sw_identity_entry_put(to, entry);
        reader->identity_entries++;
    }
    return note_set(reader, row->head, row->set, place);
}

/* What a record was taken from: its binding, and its tokens. */
struct taken {
    const struct sw_binding *binding;
    const struct sw_json_template *template;
    const struct sw_token *tokens;
};

static bool is_later(struct reader *reader, const struct taken *from, const struct sw_record_place *place)
{
    return reader->reading->baseline_time && sw_read_is_later(&reader->later, reader->reading, from->binding, from->template, from->tokens, place);
}

static enum sw_code store(struct reader *reader, const struct sw_record *record, const struct taken *from, const struct sw_record_place *place)
{
    struct sw_reading *reading = reader->reading;
    struct sw_record mark;
    if (reader->around && record->role == SW_ROLE_EVENTS && !sw_around_note(reader->around, record, place))
        return sw_fail_memory(reader->error, "events around a gap", 0);
    if (reading->covered_count || reading->cut_count) {
        bool covered;
        enum sw_code code = sw_read_find_covered(&covered, reader->reading, record, reader->error);
        if (code < 0)
            return code;
        if (covered) {
            bool counts = record->role == SW_ROLE_EVENTS; /* what follows from it is no second event */
            struct sw_later_events before = reader->later;
            bool later = is_later(reader, from, place);
            if (!counts)
                reader->later = before;
            reader->covered += counts;
            if (!later)
                return SW_OK;
            mark = *record;
            mark.flags = (uint8_t)((mark.flags & SW_RECORD_TABLE) | SW_RECORD_UNREADABLE);
            mark.version = mark.identity = mark.values = mark.claimed = (struct sw_bytes){0};
            mark.claim = SW_CLAIM_LATER;
            mark.space = mark.set = 0;
            record = &mark;
        }
    }
    if (record != &mark && sw_read_is_later_mark(record)) /* of a saved state */
        reader->covered += record->role == SW_ROLE_EVENTS;
    if (reader->sample && sw_scope_takes(&reading->mapping->sample, sw_schema_table_at(reading->schema, record->table)->name, record->key) && sw_sample_take(reader->sample, reading->schema, record, reader->error) < 0)
        return reader->error->code;
    if ((record->claim & SW_CLAIM_MOVED) && is_wanted(reader, record->table, record->key) && !sw_read_keep_link(reading, record))
        return sw_fail_memory(reader->error, "changes of key", reading->links.len);
    size_t size = sw_record_size(record);
    reader->stored.len = 0;
    if (!sw_buffer_reserve(&reader->stored, size))
        return sw_fail_memory(reader->error, "a record", size);
    (void)sw_record_put(reader->stored.at, record);
    struct sw_straight_record row = {sw_bytes_of(reader->stored.at, size), record->key, record->identity, {0}, sw_record_head(record), record->table, record->set};
    row.content = sw_record_content(row.bytes);
    return store_row(reader, &row, place);
}

/* A truncate concerns every key of its table: it goes to a list that all partitions see. */
static enum sw_code add_truncate(struct reader *reader, const struct sw_record *record, const struct taken *from, const struct sw_record_place *place)
{
    struct sw_reading *reading = reader->reading;
    bool covered = false;
    enum sw_code code = reading->covered_count || reading->cut_count ? sw_read_find_covered(&covered, reader->reading, record, reader->error) : SW_OK;
    if (covered || code < 0) {
        reader->covered += code == SW_OK;
        reader->later.truncates += code == SW_OK && is_later(reader, from, place);
        return code;
    }
    pthread_mutex_lock(&reading->lock);
    size_t size = sw_record_size(record);
    uint64_t span[2] = {reading->truncates.len, size};
    if (sw_buffer_reserve(&reading->truncates, size))
        reading->truncates.len += (size_t)(sw_record_put(reading->truncates.at + reading->truncates.len, record) - (reading->truncates.at + reading->truncates.len));
    sw_buffer_add(&reading->truncate_spans, span, sizeof span);
    bool failed = reading->truncates.failed || reading->truncate_spans.failed;
    pthread_mutex_unlock(&reading->lock);
    return failed ? sw_fail_memory(reader->error, "truncates", size) : SW_OK;
}

static enum sw_code note_kind(struct reader *reader, const char *kind)
{
    reader->not_row_change++;
    for (uint32_t i = 0; i < reader->kind_count; i++)
        if (strcmp(reader->kinds[i].kind, kind) == 0) {
            reader->kinds[i].count++;
            return SW_OK;
        }
    struct sw_kind_count *grown = sw_realloc_array(reader->kinds, reader->kind_count + 1, sizeof *grown);
    char *copy = sw_strdup(kind);
    if (grown)
        reader->kinds = grown;
    if (!grown || !copy) {
        sw_free(copy);
        return sw_fail_memory(reader->error, "a kind of record", sizeof *grown);
    }
    reader->kinds[reader->kind_count++] = (struct sw_kind_count){copy, 1};
    return SW_OK;
}

/* A line of a saved state: the sum over all of them must be what its end line says. */
static void note_saved(struct reader *reader, enum sw_encode_status status, struct sw_bytes line, const struct sw_record_place *place)
{
    const struct sw_encoder *encoder = &reader->encoder;
    if (encoder->open.is && (status == SW_ENCODE_ROW || status == SW_ENCODE_TRUNCATE))
        sw_saved_open_note(&reader->saved_open, place->input, place->block, place->line, sw_bytes_of(encoder->open.id, encoder->open.len));
    if (status != SW_ENCODE_FRAME || encoder->members.len) {
        reader->saved.records++;
        reader->saved.sum += sw_state_line_sum(line);
    } else if (encoder->end.seen) {
        reader->saved.ends++;
        reader->saved.end_records = encoder->end.records;
        reader->saved.end_sum = encoder->end.sum;
    }
    /* what follows from a record is counted nowhere: the record is */
    bool follows = status == SW_ENCODE_ROW && encoder->records[0].role == SW_RECORD_ROLE_FOLLOWING;
    reader->input_records -= status == SW_ENCODE_FRAME || follows;
}

/* Whatever else a record is, and of whichever table: it may begin or end a transaction. */
static void note_mark(struct reader *reader, const struct sw_binding *binding, const struct sw_token *tokens, const struct sw_record_place *place)
{
    struct sw_token id = {.kind = SW_TOKEN_ABSENT};
    enum sw_mark mark = SW_MARK_NONE;
    if (binding->transaction_node != SW_JSON_NO_NODE)
        id = tokens[binding->transaction_node];
    bool told = id.kind == SW_TOKEN_NUMBER || id.kind == SW_TOKEN_TEXT;
    if (!told && binding->transaction_by_id)
        return;
    if (binding->commit_node != SW_JSON_NO_NODE && tokens[binding->commit_node].kind == SW_TOKEN_TRUE)
        mark = SW_MARK_COMMIT;
    if (binding->operation_node != SW_JSON_NO_NODE && (binding->begin || binding->commit)) {
        struct sw_bytes operation = sw_bytes_of(tokens[binding->operation_node].at, tokens[binding->operation_node].len);
        if (binding->begin && sw_bytes_is(operation, binding->begin))
            mark = SW_MARK_BEGIN;
        else if (binding->commit && sw_bytes_is(operation, binding->commit))
            mark = SW_MARK_COMMIT;
    }
    sw_block_marks_note(&reader->marks, &reader->open, mark, binding->transaction_by_id, told ? sw_bytes_of(id.at, id.len) : (struct sw_bytes){0}, place->line);
}

static enum sw_code encoding_failed(struct reader *reader, size_t len)
{
    if (sw_spaces_count(reader->reading->spaces) == SW_SPACES_MAX)
        return sw_spaces_no_space(reader->reading->spaces, "the records", reader->error);
    return sw_fail_memory(reader->error, "a record", len);
}

/* A record is shown to the one who watches, and kept nowhere. */
static enum sw_code show(struct reader *reader, const struct sw_binding *binding, const struct sw_json_template *template, const struct sw_token *tokens,
                         const struct sw_record_place *place, struct sw_bytes bytes)
{
    const struct sw_read_watch *watch = reader->reading->watch;
    struct sw_watched seen = {.operation = SW_OPERATION_UPSERT, .record = &reader->encoder.records[0], .binding = binding, .template = template, .tokens = tokens, .place = place};
    seen.status = sw_encode_position(&reader->encoder, &seen.operation, binding, template, tokens, place);
    if (seen.status == SW_ENCODE_BAD)
        return add_bad(reader, place, false, reader->encoder.bad_reason, reader->encoder.bad_text, bytes);
    if (seen.status == SW_ENCODE_FAILED)
        return encoding_failed(reader, bytes.len);
    enum sw_code code = watch->record(watch->ctx, reader->thread, &seen, reader->error);
    reader->other_table += seen.status == SW_ENCODE_OTHER_TABLE;
    return code == SW_OK && seen.status == SW_ENCODE_NOT_ROW_CHANGE ? note_kind(reader, reader->encoder.kind) : code;
}

/* One record whose tokens are known. `bytes` is the record as it stands, for the quarantine. `declined`: the straight way has been tried. */
static enum sw_code take_any(struct reader *reader, const struct sw_binding *binding, const struct sw_json_template *template, const struct sw_token *tokens,
                             const struct sw_record_place *place, struct sw_bytes bytes, bool declined)
{
    struct sw_encoder *encoder = &reader->encoder;
    const struct sw_format *format = reader->role->format;
    enum sw_code code = SW_OK;
    if (binding->transactional)
        note_mark(reader, binding, tokens, place);
    if (reader->reading->watch)
        return show(reader, binding, template, tokens, place, bytes);
    const struct taken from = {binding, template, tokens};
    struct sw_straight_record row;
    bool straight = !declined && binding->straight && sw_straight_encode(&row, reader->row_room, encoder, binding, template, tokens, place);
    int status = straight         ? (int)SW_ENCODE_ROW
                 : format->encode ? format->encode(encoder, binding, template, tokens, place)
                                  : (int)sw_encode(encoder, binding, template, tokens, place);
    if (format == &sw_format_state) {
        note_saved(reader, (enum sw_encode_status)status, bytes, place);
        if (encoder->members.len && (code = sw_saved_read_members(reader->reading, &reader->members, reader->thread, sw_buffer_view(&encoder->members), place, reader->error)) < 0)
            return code;
    }
    if (binding->membership.id != SW_JSON_NO_NODE && reader->role_id == SW_ROLE_EVENTS) {
        const struct sw_watched seen = {.status = status == SW_ENCODE_TRUNCATE ? SW_ENCODE_ROW : (enum sw_encode_status)status, .record = &encoder->records[0], .binding = binding, .template = template, .tokens = tokens, .place = place};
        if ((code = sw_read_note_member(reader->reading, &reader->members, reader->thread, &seen, reader->error)) < 0)
            return code;
    }
    if (straight && reader->only_stores)
        return store_row(reader, &row, place);
    if (straight) {
        struct sw_record record;
        sw_record_read(&record, row.bytes);
        return store(reader, &record, &from, place);
    }
    switch ((enum sw_encode_status)status) {
    case SW_ENCODE_ROW:
        for (unsigned i = 0; i < encoder->record_count && code == SW_OK; i++)
            code = store(reader, &encoder->records[i], &from, place);
        return code;
    case SW_ENCODE_TRUNCATE:
        return add_truncate(reader, &encoder->records[0], &from, place);
    case SW_ENCODE_OTHER_TABLE:
        reader->other_table++;
        return SW_OK;
    case SW_ENCODE_NOT_ROW_CHANGE:
        return note_kind(reader, encoder->kind);
    case SW_ENCODE_FRAME:
        return SW_OK;
    case SW_ENCODE_BAD:
        code = add_bad(reader, place, encoder->record_count != 0, encoder->bad_reason, encoder->bad_text, bytes);
        if (code == SW_OK && encoder->record_count)
            code = store(reader, &encoder->records[0], &from, place);
        return code;
    case SW_ENCODE_FAILED:
        break;
    }
    return encoding_failed(reader, bytes.len);
}

/* The same. Nearly all records of most inputs are written straight and stored, and nothing else is done with them. */
static inline enum sw_code take(struct reader *reader, const struct sw_binding *binding, const struct sw_json_template *template, const struct sw_token *tokens,
                                const struct sw_record_place *place, struct sw_bytes bytes)
{
    bool plain = reader->stores_straight && binding->straight && !binding->transactional && binding->membership.id == SW_JSON_NO_NODE;
    reader->encoder.scratch.bare_texts = binding->bare_texts;
    struct sw_straight_record row;
    if (plain && sw_straight_encode(&row, reader->row_room, &reader->encoder, binding, template, tokens, place))
        return store_row(reader, &row, place);
    return take_any(reader, binding, template, tokens, place, bytes, plain);
}

/* Binds a JSON record whose tokens are in reader->json, and takes it. */
static enum sw_code bind_and_take(struct reader *reader, const struct sw_format *format, struct sw_json_template *template, const struct sw_record_place *place, struct sw_bytes bytes)
{
    struct sw_binding_set *set = template->binding;
    struct sw_binding *binding = NULL;
    if (set && set->only && set->only->fields == reader->fields)
        binding = set->only;
    else if (reader->json.usual)
        binding = sw_binding_usual(set, template, reader->fields);
    if (!binding || binding->given_table != reader->table) {
        const struct sw_example example = {template, reader->json.tokens, place->record, reader->fields, NULL, reader->table};
        binding = sw_binding_find(&set, format, &reader->role->context, &example, reader->error);
        template->binding = set;
        if (binding && reader->json.usual && set->usual_serial != template->usual->serial)
            sw_binding_note_usual(set, binding, template);
    }
    return binding ? take(reader, binding, template, reader->json.tokens, place, bytes) : reader->error->code;
}

/* A record of a format that holds its columns in arrays, or several rows in one record: what it is turned into is read like any record. The rows
 * stand at its place, and each counts as a record. */
static enum sw_code take_expanded(struct reader *reader, unsigned level, const struct sw_format *format, const struct sw_json_template *template,
                                  const struct sw_record_place *place, struct sw_bytes bytes)
{
    char problem[256] = "";
    const struct sw_example record = {template, reader->json.tokens, place->record, reader->fields, &reader->carry, reader->table};
    struct sw_buffer *expanded = &reader->expanded[level];
    expanded->len = 0;
    if (format->carry && level == 0)
        (void)format->carry(&reader->carry, &record);
    if (!format->expand(expanded, &record, problem) && !expanded->failed)
        return add_bad(reader, place, false, "format", problem, bytes);
    size_t len = expanded->len;
    if (expanded->failed || !sw_buffer_reserve(expanded, SW_BLOCK_PADDING))
        return sw_fail_memory(reader->error, "an expanded record", len);
    if (len == 0)
        return note_kind(reader, "record without rows");
    memset(expanded->at + len, 0, SW_BLOCK_PADDING);
    const uint8_t *at = expanded->at, *end = at + len;
    enum sw_code code = SW_OK;
    for (uint64_t row = 0; at < end && code == SW_OK; row++) {
        struct sw_json_template *rows;
        struct sw_record_place row_place = *place;
        row_place.record = at;
        row_place.offset += row; /* a row takes more than a byte of its record, so this is no other record's place */
        reader->input_records += row != 0; /* each row of a record counts as one */
        const uint8_t *after = sw_json_read(&rows, &reader->json, at, end);
        if (!after && reader->json.problem.no_memory)
            return sw_fail_memory(reader->error, "an expanded record", len);
        if (!after || (after < end && *after != '\n')) /* two columns of one name, say */
            return add_bad(reader, &row_place, false, "format", after ? "more text follows the record" : reader->json.problem.text, bytes);
        const struct sw_example example = {rows, reader->json.tokens, at, NULL, NULL, reader->table};
        const struct sw_format *row_format = format->inner ? format->inner(&example) : format;
        if (row_format != format && row_format->expand && level + 1 < EXPANSIONS_MAX)
            code = take_expanded(reader, level + 1, row_format, rows, &row_place, bytes);
        else
            code = bind_and_take(reader, row_format, rows, &row_place, bytes);
        at = after < end ? after + 1 : end;
    }
    return code;
}

static enum sw_code take_json(struct reader *reader, struct sw_json_template *template, const struct sw_record_place *place, struct sw_bytes bytes)
{
    const struct sw_format *format = reader->role->format;
    return format->expand ? take_expanded(reader, 0, format, template, place, bytes) : bind_and_take(reader, format, template, place, bytes);
}

/* `torn`: the record is the last of its input, and no line end stands behind it. */
static enum sw_code bad_json(struct reader *reader, const struct sw_record_place *place, struct sw_bytes line, const char *text, size_t column, bool torn)
{
    char message[256];
    const char *hint = sw_between_hint(line);
    if (column)
        snprintf(message, sizeof message, "%s, at byte %zu of the record%s", text, column, *hint || !torn ? hint : "; the input ends here, without a line end: it was cut, or is still being written");
    else
        snprintf(message, sizeof message, "%s", text);
    return add_bad(reader, place, false, "json", message, line);
}

static const char *unfinished_text(const struct reader *reader, const struct sw_block *block)
{
    return sw_source_input(reader->role->source, block->input)->framing == SW_FRAMING_ARRAY
               ? "the input ends before the ']' that closes its array: records are missing, or this one is cut"
               : "the last record is cut: the input ends inside it";
}

static enum sw_code read_json(struct reader *reader, const struct sw_block *block, uint64_t *lines)
{
    const uint8_t *at = block->data, *end = at + block->len;
    bool valid = reader->reading->kernel->is_ascii(at, end) || sw_utf8_valid(at, block->len) == block->len;
    struct sw_record_place place = {.input = reader->role->first_input + block->input, .block = block->index};
    enum sw_code code = SW_OK;
    uint64_t before = reader->input_records;
    for (; at < end && code == SW_OK; place.line++) {
        while (at < end && (*at == ' ' || *at == '\t' || *at == '\r'))
            at++;
        if (at == end)
            break;
        if (*at == '\n') {
            at++;
            continue;
        }
        const uint8_t *start = at;
        place.offset = block->offset + (uint64_t)(at - block->data);
        place.record = at;
        reader->input_records++;
        struct sw_json_template *template = NULL;
        const uint8_t *after = sw_json_read(&template, &reader->json, at, end);
        if (after && after < end && *after == '\n' && valid && !block->unfinished) { /* nothing is wrong with nearly all of them */
            at = after + 1;
            code = take_json(reader, template, &place, sw_bytes_of(start, (size_t)(after - start)));
            continue;
        }
        const uint8_t *stop = after;
        while (stop && stop < end && (*stop == ' ' || *stop == '\t' || *stop == '\r'))
            stop++;
        /* a value that looks whole may be cut too where the input ends too early: 12 of 123 */
        bool whole = stop && (stop == end || *stop == '\n') && !block->unfinished;
        if (!whole) {
            stop = memchr(start, '\n', (size_t)(end - start));
            stop = stop ? stop : end;
        }
        struct sw_bytes line = sw_bytes_of(start, (size_t)(stop - start));
        const char *between = after || block->unfinished || reader->json.problem.no_memory ? NULL : sw_between_kind(line);
        at = stop < end ? stop + 1 : end;
        if (between)
            code = note_kind(reader, between);
        else if (block->unfinished)
            code = bad_json(reader, &place, line, unfinished_text(reader, block), 0, false);
        else if (!after && reader->json.problem.no_memory) /* the record may be sound */
            code = sw_fail_memory(reader->error, "a record", line.len);
        else if (!after)
            code = bad_json(reader, &place, line, reader->json.problem.text, (size_t)(reader->json.problem.at - start) + 1, stop == end && end[-1] != '\n');
        else if (!whole)
            code = bad_json(reader, &place, line, "a line holds one record; more text follows it", (size_t)(after - start) + 1, false);
        else if (!valid && sw_utf8_valid(line.at, line.len) != line.len)
            code = bad_json(reader, &place, line, "the bytes are no UTF-8", sw_utf8_valid(line.at, line.len) + 1, false);
        else {
            code = take_json(reader, template, &place, line);
        }
    }
    if (block->unfinished && code == SW_OK && reader->input_records == before) {
        /* cut between two records: that records are missing must be seen */
        place.offset = block->offset + block->len;
        place.record = NULL;
        reader->input_records++;
        code = bad_json(reader, &place, (struct sw_bytes){0}, unfinished_text(reader, block), 0, false);
    }
    *lines = place.line;
    return code;
}

/* A flat record: fields of CSV, columns of a row. */
static enum sw_code take_flat(struct reader *reader, const struct sw_json_template *header, const struct sw_token *tokens, const struct sw_record_place *place, struct sw_bytes bytes)
{
    const struct sw_example example = {header, tokens, place->record, reader->fields, NULL, reader->table};
    struct sw_binding_set **set = &reader->csv_bindings[place->input - reader->role->first_input];
    struct sw_binding *binding = *set && (*set)->only && (*set)->only->fields == reader->fields ? (*set)->only : sw_binding_find(set, reader->role->format, &reader->csv_context, &example, reader->error);
    return binding ? take(reader, binding, header, tokens, place, bytes) : reader->error->code;
}

/* Is a row of CSV the header again, with or without the byte-order mark that its own file began with? */
static bool is_header_again(const struct sw_json_template *header, const struct sw_token *tokens)
{
    for (uint32_t i = 1; i < header->node_count; i++) {
        struct sw_bytes field = sw_bytes_of(tokens[i].at, tokens[i].kind == SW_TOKEN_TEXT ? tokens[i].len : 0);
        if (i == 1 && sw_bytes_begin_text(field, "\xef\xbb\xbf"))
            field = sw_bytes_of(field.at + 3, field.len - 3);
        if (!sw_bytes_equal(field, sw_json_node_name(header, i)))
            return false;
    }
    return true;
}

static enum sw_code read_csv(struct reader *reader, const struct sw_block *block, uint64_t *lines)
{
    struct sw_read_input *input = &reader->role->inputs[block->input];
    uint8_t *at = block->data, *end = at + block->len;
    bool valid = reader->reading->kernel->is_ascii(at, end) || sw_utf8_valid(at, block->len) == block->len;
    struct sw_record_place place = {.input = reader->role->first_input + block->input, .block = block->index};
    enum sw_code code = SW_OK;
    uint64_t line = 0;
    if (at < end && end[-1] != '\n' && end[-1] != '\r') /* blocks end with a line, but for the last one of an input */
        input->no_line_end = true;
    if (block->index == 0) { /* the header was read before */
        reader->csv.column_count = 0;
        (void)sw_csv_read(&reader->csv, &at, end, &line);
    }
    reader->csv.column_count = input->column_count;
    while (at < end && code == SW_OK) {
        uint8_t *start = at;
        place.line = line;
        place.offset = block->offset + (uint64_t)(at - block->data);
        place.record = at;
        enum sw_csv_status status = sw_csv_read(&reader->csv, &at, end, &line);
        if (status == SW_CSV_BLANK)
            continue;
        reader->input_records++;
        struct sw_bytes bytes = sw_bytes_of(start, (size_t)(at - start));
        if (!valid && sw_utf8_valid(bytes.at, bytes.len) != bytes.len)
            code = add_bad(reader, &place, false, "csv", "the bytes are no UTF-8", bytes);
        else if (status == SW_CSV_BAD)
            code = add_bad(reader, &place, false, "csv", reader->csv.problem.text, bytes);
        else {
            reader->headers_again += is_header_again(input->header, reader->csv.tokens);
            code = take_flat(reader, input->header, reader->csv.tokens, &place, bytes);
        }
    }
    *lines = line;
    return code;
}

static enum sw_code read_rows(struct reader *reader, const struct sw_block *block, uint64_t *lines)
{
    struct sw_read_input *input = &reader->role->inputs[block->input];
    const struct sw_row_columns *columns = sw_source_input(reader->role->source, block->input)->rows;
    struct sw_record_place place = {.input = reader->role->first_input + block->input, .block = block->index, .record = (const uint8_t *)""};
    if (reader->row_capacity <= columns->count) {
        struct sw_token *row = sw_realloc_array(reader->row, (size_t)columns->count + 1, sizeof *row);
        if (!row)
            return sw_fail_memory(reader->error, "a row", columns->count * sizeof *row);
        row[0] = (struct sw_token){.kind = SW_TOKEN_ABSENT};
        reader->row = row;
        reader->row_capacity = columns->count + 1;
    }
    enum sw_code code = sw_row_cursor_begin(&reader->cursor, block, columns, reader->error);
    for (; place.line < block->rows && code == SW_OK; place.line++) {
        uint32_t bad;
        place.offset = block->offset + place.line;
        reader->input_records++;
        if (!columns->next(reader->row, &reader->cursor, columns->ctx)) {
            code = reader->cursor.text.failed ? sw_fail_memory(reader->error, "a row", 0) : add_bad(reader, &place, false, "row", reader->cursor.problem, (struct sw_bytes){0});
            continue;
        }
        struct sw_bytes bytes = {0};
        if (reader->reading->keep_bad_bytes) { /* it stands nowhere as text */
            reader->expanded[0].len = 0;
            sw_row_write_json(&reader->expanded[0], columns, reader->row);
            bytes = sw_buffer_view(&reader->expanded[0]);
        }
        if (reader->expanded[0].failed) {
            code = sw_fail_memory(reader->error, "a row", bytes.len);
        } else if ((bad = sw_row_find_bad_text(columns, reader->row, reader->reading->kernel)) != 0) {
            char text[160];
            snprintf(text, sizeof text, "the text of the column %.80s is no UTF-8", columns->names[bad - 1]);
            code = add_bad(reader, &place, false, "row", text, bytes);
        } else {
            code = take_flat(reader, input->header, reader->row, &place, bytes);
        }
    }
    *lines = place.line;
    return code;
}

static enum sw_code finish_block(struct reader *reader, const struct sw_block *block, uint64_t lines)
{
    struct sw_reading *reading = reader->reading;
    struct sw_read_input *input = &reader->role->inputs[block->input];
    struct sw_block_lines *blocks = &input->blocks;
    enum sw_code code = SW_OK;
    pthread_mutex_lock(&reading->lock);
    if (reader->marks.tracked) {
        sw_buffer_add(&reading->transactions.blocks, &reader->marks, sizeof reader->marks);
        sw_buffer_add_bytes(&reading->transactions.open, sw_buffer_view(&reader->open));
        reading->transactions.open.failed |= reader->open.failed;
        reader->open.len = 0;
    }
    sw_buffer_add_bytes(&reading->transactions.saved, sw_buffer_view(&reader->saved_open));
    reading->transactions.saved.failed |= reader->saved_open.failed;
    reader->saved_open.len = 0;
    if (block->index >= blocks->capacity) {
        size_t capacity = (block->index + 1) * 2;
        uint64_t *grown = sw_realloc_array(blocks->lines, capacity, sizeof *grown);
        if (grown) {
            memset(grown + blocks->capacity, 0, (capacity - blocks->capacity) * sizeof *grown);
            blocks->lines = grown;
            blocks->capacity = capacity;
        } else {
            code = sw_fail_memory(reader->error, "the lines of blocks", capacity * sizeof *grown);
        }
    }
    if (code == SW_OK) {
        blocks->lines[block->index] = lines;
        if (block->index >= blocks->count)
            blocks->count = block->index + 1;
    }
    input->records += reader->input_records;
    input->bad += reader->input_bad;
    input->headers_again += reader->headers_again;
    input->saved.records += reader->saved.records;
    input->saved.sum += reader->saved.sum;
    input->saved.ends += reader->saved.ends;
    input->saved.end_records += reader->saved.end_records;
    input->saved.end_sum += reader->saved.end_sum;
    pthread_mutex_unlock(&reading->lock);
    reader->record_count += reader->input_records;
    atomic_fetch_add_explicit(&reading->records_done, reader->input_records, memory_order_relaxed);
    reader->input_records = reader->input_bad = reader->headers_again = 0;
    reader->saved = (struct sw_saved_lines){0};
    return code;
}

enum sw_code sw_read_block(struct reader *reader, const struct sw_block *block)
{
    uint64_t lines = 0;
    enum sw_code code;
    reader->encoder.arrival_space = reader->role->inputs[block->input].arrival_space;
    const struct sw_input *input = sw_source_input(reader->role->source, block->input);
    reader->fields = input->fields;
    reader->table = reader->role->inputs[block->input].table;
    reader->marks = (struct sw_block_marks){.input = reader->role->first_input + block->input, .block = block->index};
    enum sw_code carried = SW_OK;
    if (reader->role->format->carry && sw_input_is_json(input)) /* of every block, or those that follow would wait for ever */
        carried = sw_carry_at(&reader->carry, &reader->role->inputs[block->input].carry, &reader->reading->lock, &reader->reading->carry_turn, reader->role->format, &reader->json, block,
                              input->framing == SW_FRAMING_LINES ? input->head : (struct sw_bytes){0}, reader->error);
    if (carried < 0) {
        code = carried;
    } else if (block->oversized) {
        char text[160];
        snprintf(text, sizeof text, "a record of %llu bytes is longer than the limit of %llu; --record-max raises it", (unsigned long long)block->oversized,
                 (unsigned long long)reader->reading->record_bytes_max);
        struct sw_record_place place = {.input = reader->role->first_input + block->input, .block = block->index, .offset = block->offset};
        reader->input_records++;
        lines = block->oversized_lines;
        code = add_bad(reader, &place, false, "too-long", text, (struct sw_bytes){0});
    } else if (reader->role->inputs[block->input].header && !reader->role->inputs[block->input].csv) {
        code = read_rows(reader, block, &lines);
    } else if (reader->role->inputs[block->input].csv) {
        code = read_csv(reader, block, &lines);
    } else {
        code = read_json(reader, block, &lines);
    }
    const struct sw_read_watch *watch = reader->reading->watch;
    if (code == SW_OK && watch)
        code = watch->end_block(watch->ctx, reader->thread, reader->role->first_input + block->input, block->index, reader->error);
    enum sw_code finished = finish_block(reader, block, lines);
    return code < 0 ? code : finished;
}

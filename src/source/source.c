#include "source/source.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "source/file/avro.h"
#include "source/file/cut.h"
#include "source/file/decoder.h"
#include "source/file/locators.h"
#include "source/file/tell.h"
#include "source/file/convert.h"
#include "source/connector.h"
#include "source/registry.h"

#define BLOCK_BYTES ((uint64_t)1 << 20)
#define RECORD_BYTES ((uint64_t)64 << 20)
#define RECORD_BYTES_MOST ((uint64_t)1 << 30)
#define HEAD_BYTES ((size_t)64 * 1024)
#define HEAD_BYTES_LATER ((size_t)4 * 1024) /* so that ten thousand files do not fill the memory with heads */
#define HEADS_WHOLE 64

struct input {
    struct sw_input shown;
    const struct sw_codec *codec; /* NULL: plain */
    struct sw_feed feed;
    struct sw_decoder *decoder;
    const struct sw_connector *connector; /* NULL: a file */
    void *state;                  /* of the connector */
    struct sw_avro *avro;         /* of an Avro file, while it is open */
    struct sw_conversion *text;   /* of a text that is converted, likewise */
    const struct sw_text_form *form;
    bool converted;               /* what is handed out are lines that its records became, not its bytes */
    struct sw_field_tree *fields; /* of an Avro file: owned by the first input that has them so */
    struct sw_digest *digest;
    uint8_t *head;                /* with its byte-order mark */
    size_t head_len;
    size_t drop;                  /* of the head: what stands before the first record (mark, blanks and '[') */
    size_t comment;               /* bytes behind the mark that are a comment: blanked wherever they are read, so that lines keep their numbers */
    size_t passed;                /* of an input with a comment: decoded bytes that were read */
    char told[96];                /* of a file: what is taken for granted of it */
    size_t replay;                /* streams: what of the head is still to be read, since it cannot be read again */
    bool hash_later;              /* plain lines: hashed outside of the read lock, from the block itself */
    bool ended;                   /* no more decoded bytes */
    bool told_unfinished;
    uint64_t blocks;
};

struct sw_source {
    struct sw_source_options options;
    size_t block_bytes, record_bytes_max;
    struct input *inputs;
    uint32_t count, opened;
    uint64_t stored_total;
    _Atomic uint64_t stored_done;

    /* Reading, in input order. Hashing has its own lock, taken before this one is left, so that hashes keep that order
     * while the next thread already reads. */
    pthread_mutex_t read_lock, hash_lock;
    uint32_t current;
    bool begun;                   /* the current input is open and at its first record */
    uint64_t position;            /* decoded offset of the next record, in the current input */
    struct sw_cut cut;
    uint8_t *carry;               /* the begin of a record that the last block ended in */
    size_t carry_len, carry_capacity;
    size_t scanned;               /* of the carry */
    _Atomic bool cancelled;
    enum sw_code code;            /* SW_OK, SW_END or the failure that sticks */
    struct sw_error error;
};

/* What a call has still to hash when it has left the read lock. */
struct to_hash {
    struct sw_digest *digest;     /* NULL: nothing */
    size_t from, to;              /* in the block's buffer */
};

uint32_t sw_source_input_count(const struct sw_source *source) { return source->count; }
const struct sw_input *sw_source_input(const struct sw_source *source, uint32_t input) { return &source->inputs[input].shown; }
uint64_t sw_source_stored_total(const struct sw_source *source) { return source->stored_total; }
uint64_t sw_source_stored_done(const struct sw_source *source) { return atomic_load_explicit(&source->stored_done, memory_order_relaxed); }

/* Opening. */

static void blank(uint8_t *at, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (at[i] != '\n')
            at[i] = ' ';
}

/* `len` bytes at `at` were read behind those that had passed. */
static void blank_comment(struct input *input, uint8_t *at, size_t len)
{
    size_t mark = sw_tell_mark(sw_bytes_of(input->head, input->head_len)), from = input->passed > mark ? input->passed : mark;
    size_t end = mark + input->comment < input->passed + len ? mark + input->comment : input->passed + len;
    if (from < end)
        blank(at + (from - input->passed), end - from);
    input->passed += len;
}

static enum sw_code read_decoded(size_t *got, struct input *input, uint8_t *at, size_t len, struct sw_error *error)
{
    size_t again = input->replay < len ? input->replay : len, more = 0;
    if (again)
        memcpy(at, input->head + input->head_len - input->replay, again);
    input->replay -= again;
    enum sw_code code = SW_OK;
    if (again < len)
        code = input->avro ? sw_avro_read(&more, input->avro, at + again, len - again, error)
             : input->text ? sw_conversion_read(&more, input->text, at + again, len - again, error)
             : input->decoder ? sw_decoder_read(&more, input->decoder, at + again, len - again, error)
                                : sw_feed_read(&more, &input->feed, at + again, len - again, error);
    *got = again + more;
    if (input->comment)
        blank_comment(input, at, *got);
    return code;
}

static void close_input(struct input *input)
{
    sw_avro_close(&input->avro);
    sw_conversion_close(&input->text);
    sw_decoder_close(&input->decoder);
    sw_feed_close(&input->feed);
}

/* An Avro file is read as the lines that its records become; its head is one of them, too. */
static enum sw_code open_avro(struct sw_source *source, struct input *input, size_t most, struct sw_error *error)
{
    enum sw_code code = sw_avro_open(&input->avro, sw_bytes_of(input->head, input->head_len), &input->feed, input->decoder, source->record_bytes_max, error);
    if (code != SW_OK)
        return code;
    input->shown.avro = input->converted = true;
    input->shown.fields = sw_avro_fields(input->avro);
    for (struct input *other = source->inputs; other < input && !input->fields; other++)
        if (other->fields && sw_field_tree_equal(other->fields, input->shown.fields)) {
            input->shown.fields = other->fields; /* thousands of files of one table have one tree */
            return sw_avro_read(&input->head_len, input->avro, input->head, most, error);
        }
    input->fields = sw_avro_take_fields(input->avro);
    return sw_avro_read(&input->head_len, input->avro, input->head, most, error);
}

/* So is a text that holds records in another form. */
static enum sw_code open_text(struct sw_source *source, struct input *input, size_t most, struct sw_error *error)
{
    enum sw_code code = sw_conversion_open(&input->text, input->form, sw_bytes_of(input->head, input->head_len), &input->feed, input->decoder, source->record_bytes_max, error);
    input->shown.converted = input->converted = true;
    input->shown.format = input->form->format;
    return code == SW_OK ? sw_conversion_read(&input->head_len, input->text, input->head, most, error) : code;
}

static enum sw_code read_head(struct sw_source *source, struct input *input, struct sw_error *error)
{
    struct sw_bytes stored;
    enum sw_code code = sw_feed_peek(&stored, &input->feed, error);
    if (code != SW_OK)
        return code;
    if (stored.len == 0 && sw_tell_packed_name(input->shown.locator))
        return sw_fail(error, SW_ERR_INPUT, "the file is empty, and its name says that it is compressed: even of nothing a compressed file has some bytes; it was cut, or is still to be written");
    input->codec = sw_codec_of(stored);
    input->shown.compression = input->codec ? input->codec->name : "none";
    if (input->codec && (code = sw_decoder_open(&input->decoder, input->codec, &input->feed, error)) != SW_OK)
        return code;
    size_t most = input < source->inputs + HEADS_WHOLE ? HEAD_BYTES : HEAD_BYTES_LATER;
    input->head = sw_malloc(most);
    if (!input->head)
        return sw_fail_memory(error, "the head of an input", most);
    code = read_decoded(&input->head_len, input, input->head, most, error);
    if (code == SW_OK && sw_avro_recognises(sw_bytes_of(input->head, input->head_len)))
        code = open_avro(source, input, most, error);
    else if (code == SW_OK && !source->options.csv && (input->form = sw_text_form_of(sw_bytes_of(input->head, input->head_len), input->shown.locator)))
        code = open_text(source, input, most, error);
    if (code != SW_OK)
        return code;
    if (input->head_len < most) { /* the rest of the capacity would lie idle */
        uint8_t *head = sw_realloc(input->head, input->head_len);
        input->head = head ? head : input->head;
    }
    return SW_OK;
}

static enum sw_code tell(struct sw_source *source, struct input *input, struct sw_error *error)
{
    struct sw_bytes head = sw_bytes_of(input->head, input->head_len);
    if (input->converted) {
        input->shown.head = head;
        input->shown.framing = SW_FRAMING_LINES;
        return SW_OK;
    }
    enum sw_code code = sw_tell_text(head, error);
    if (code != SW_OK)
        return code;
    size_t mark = sw_tell_mark(head), start = 0;
    input->comment = source->options.csv || sw_tell_csv_name(input->shown.locator) ? 0 : sw_tell_comment(sw_bytes_of(head.at + mark, head.len - mark));
    if (input->comment) {
        blank(input->head + mark, input->comment);
        snprintf(input->told, sizeof input->told, "a comment of %zu bytes stands before the first record, and is passed over\n", input->comment);
        input->shown.told = input->told;
    }
    input->shown.head = sw_bytes_of(head.at + mark, head.len - mark);
    input->shown.framing = SW_FRAMING_CSV;
    bool csv = source->options.csv || sw_tell_csv_name(input->shown.locator) ||
               (!sw_tell_json_name(input->shown.locator) && sw_tell_csv_header(input->shown.head));
    if (csv && sw_tell_drawn_table(input->shown.head))
        return sw_fail(error, SW_ERR_UNSUPPORTED, "JSON or CSV was expected, this is a table as it is drawn for people; write CSV: psql --csv -c 'SELECT …', mysql --batch for tabs, duckdb -csv, sqlcmd -s, -W");
    if (!csv)
        input->shown.framing = sw_tell_framing(&start, input->shown.head, input->shown.locator);
    else if (head.len == mark)
        return sw_fail(error, SW_ERR_INPUT, "a CSV header line was expected, the file is empty");
    input->drop = mark + start;
    return SW_OK;
}

static enum sw_code open_connector(struct sw_source *source, struct input *input, struct sw_error *error)
{
    char *given = input->shown.locator;
    const struct sw_connector_request request = {
        .locator = given, .query = source->options.query, .query_option = source->options.query_option, .threads = source->options.threads ? source->options.threads : 1,
        .block_bytes = source->block_bytes, .record_bytes_max = source->record_bytes_max, .budget = source->options.budget,
        .keys = source->options.keys, .wait = source->options.wait, .wait_ctx = source->options.wait_ctx};
    input->shown.locator = sw_source_scheme_alone(given); /* until the connector says how it is shown */
    input->shown.no_sha256 = "what a server hands out is no stored bytes";
    enum sw_code code = input->shown.locator ? input->connector->open(&input->state, &input->shown, &request, error) : sw_fail_memory(error, "a locator", strlen(given));
    sw_free(given);
    return code;
}

static enum sw_code open_input(struct sw_source *source, struct input *input, struct sw_error *error)
{
    if (input->connector)
        return open_connector(source, input, error);
    enum sw_code code = sw_feed_open(&input->feed, input->shown.locator, error);
    if (code != SW_OK)
        return code;
    input->shown.id = input->feed.id;
    input->shown.regular = input->feed.regular;
    input->shown.stored_bytes = input->feed.size;
    if (input->feed.regular && !sw_source_cut_of_file(&input->shown.cut, input->feed.id, input->feed.size, input->feed.modified))
        return sw_fail_memory(error, "an input", 0);
    if (source->options.sha256 && (code = sw_digest_open(&input->digest, error)) != SW_OK)
        return code;
    if (!input->feed.regular) { /* what the head takes is taken for good */
        input->feed.digest = input->digest;
        input->feed.done = &source->stored_done;
    }
    code = read_head(source, input, error);
    if (code == SW_OK)
        code = tell(source, input, error);
    if (code != SW_OK)
        return code;
    bool as_it_stands = input->shown.framing == SW_FRAMING_LINES || input->shown.framing == SW_FRAMING_CSV;
    input->hash_later = input->digest && input->feed.regular && !input->codec && !input->converted && !input->comment && as_it_stands;
    if (input->feed.regular)
        close_input(input); /* there may be more files than descriptors: opened again when it is read */
    else
        input->replay = input->head_len;
    return SW_OK;
}

struct identity {
    struct sw_file_id id;
    uint32_t input;
};

static int by_identity(const void *a, const void *b)
{
    const struct identity *x = a, *y = b;
    if (x->id.device != y->id.device)
        return x->id.device < y->id.device ? -1 : 1;
    if (x->id.inode != y->id.inode)
        return x->id.inode < y->id.inode ? -1 : 1;
    return x->input < y->input ? -1 : x->input > y->input;
}

static enum sw_code refuse_twice(struct sw_source *source, struct sw_error *error)
{
    struct identity *all = sw_calloc(source->count, sizeof *all);
    if (!all)
        return sw_fail_memory(error, "the list of inputs", source->count * sizeof *all);
    uint32_t count = 0;
    for (uint32_t i = 0; i < source->count; i++)
        if (source->inputs[i].feed.size_known)
            all[count++] = (struct identity){source->inputs[i].shown.id, i};
    qsort(all, count, sizeof *all, by_identity);
    enum sw_code code = SW_OK;
    for (uint32_t i = 1; i < count && code == SW_OK; i++)
        if (sw_file_id_equal(all[i - 1].id, all[i].id)) {
            const char *first = source->inputs[all[i - 1].input].shown.locator, *second = source->inputs[all[i].input].shown.locator;
            code = strcmp(first, second) == 0
                       ? sw_fail(error, SW_ERR_INPUT, "input %s: it is given twice, its records would count twice", second)
                       : sw_fail(error, SW_ERR_INPUT, "input %s: it is the same file as %s, its records would count twice", second, first);
        }
    sw_free(all);
    return code;
}

static enum sw_code open_all(struct sw_source *source, struct sw_path_list *paths, struct sw_error *error)
{
    if (paths->count > UINT32_MAX)
        return sw_fail(error, SW_ERR_LIMIT, "inputs: at most %u files can be read at once, %zu were found", UINT32_MAX, paths->count);
    source->inputs = sw_calloc(paths->count, sizeof *source->inputs);
    if (!source->inputs)
        return sw_fail_memory(error, "the list of inputs", paths->count * sizeof *source->inputs);
    source->count = (uint32_t)paths->count;
    bool streams = false;
    uint32_t connectors = 0;
    for (uint32_t i = 0; i < source->count; i++) {
        source->inputs[i].shown.locator = paths->paths[i];
        source->inputs[i].shown.compression = "none";
        source->inputs[i].feed.fd = -1;
        paths->paths[i] = NULL;
        source->inputs[i].connector = sw_locator_connector(source->inputs[i].shown.locator);
        connectors += source->inputs[i].connector != NULL;
    }
    if (source->options.query && (connectors != 1 || source->count != 1))
        return sw_fail(error, SW_ERR_USAGE, "%s: a query is put to one database, which the locator of its role names; %u of %u locators here name%s one", source->options.query_option,
                       connectors, source->count, connectors == 1 ? "s" : "");
    for (uint32_t i = 0; i < source->count; i++) {
        struct input *input = &source->inputs[i];
        enum sw_code code = open_input(source, input, error);
        if (code != SW_OK) {
            sw_error_place(error, input->shown.locator, 0, 0, UINT64_MAX);
            return code;
        }
        streams |= !input->feed.size_known;
        source->stored_total += input->feed.size;
    }
    if (streams)
        source->stored_total = 0;
    return refuse_twice(source, error);
}

enum sw_code sw_source_open(struct sw_source **out, const char *const *locators, size_t count, const struct sw_source_options *options, struct sw_error *error)
{
    *out = NULL;
    struct sw_source *source = sw_calloc(1, sizeof *source);
    if (!source)
        return sw_fail_memory(error, "a source", sizeof *source);
    pthread_mutex_init(&source->read_lock, NULL);
    pthread_mutex_init(&source->hash_lock, NULL);
    source->options = *options;
    if (!source->options.csv_quote)
        source->options.csv_quote = '"';
    if (!source->options.csv_delimiter)
        source->options.csv_delimiter = ',';
    uint64_t record = options->record_bytes_max ? options->record_bytes_max : RECORD_BYTES, block = options->block_bytes ? options->block_bytes : BLOCK_BYTES;
    source->record_bytes_max = record < RECORD_BYTES_MOST ? record : RECORD_BYTES_MOST;
    /* a block that is never larger than a record may be cannot hide one that is longer */
    source->block_bytes = block < source->record_bytes_max ? block : source->record_bytes_max;
    struct sw_path_list paths = {0};
    size_t *ends = sw_calloc(count, sizeof *ends); /* of each locator: behind its last path */
    enum sw_code code = ends ? SW_OK : sw_fail_memory(error, "the list of inputs", count * sizeof *ends);
    for (size_t i = 0; i < count && code == SW_OK; i++) {
        code = sw_locators_expand(&paths, locators + i, 1, error);
        ends[i] = paths.count;
    }
    if (code == SW_OK)
        code = open_all(source, &paths, error);
    for (size_t i = 0, given = 0; i < source->count && code == SW_OK; i++) {
        while (i >= ends[given])
            given++;
        source->inputs[i].shown.given = given;
    }
    sw_path_list_free(&paths);
    sw_free(ends);
    if (code != SW_OK) {
        sw_source_close(&source);
        return code;
    }
    *out = source;
    return SW_OK;
}

void sw_source_close(struct sw_source **source)
{
    if (!*source)
        return;
    for (uint32_t i = 0; i < (*source)->count; i++) {
        struct input *input = &(*source)->inputs[i];
        if (input->connector)
            input->connector->close(&input->state);
        close_input(input);
        sw_digest_close(&input->digest);
        sw_free(input->head);
        sw_field_tree_free(&input->fields);
        sw_source_cut_free(&input->shown.cut);
        sw_free(input->shown.locator);
    }
    if ((*source)->options.budget)
        sw_budget_give((*source)->options.budget, (*source)->carry_capacity);
    sw_free((*source)->carry);
    sw_free((*source)->inputs);
    pthread_mutex_destroy(&(*source)->read_lock);
    pthread_mutex_destroy(&(*source)->hash_lock);
    sw_free(*source);
    *source = NULL;
}

/* Blocks. */

static enum sw_code make_room(struct sw_block *block, size_t len, bool keep, struct sw_source *source, struct sw_error *error)
{
    return sw_source_room(block, len, keep, source->options.budget, error);
}

static enum sw_code keep_carry(struct sw_source *source, const uint8_t *at, size_t len, struct sw_error *error)
{
    if (len > source->carry_capacity) {
        size_t capacity = len > source->block_bytes ? len : source->block_bytes;
        uint8_t *carry = sw_realloc(source->carry, capacity);
        if (!carry)
            return sw_fail_memory(error, "the begin of a record", capacity);
        if (source->options.budget)
            sw_budget_force(source->options.budget, capacity - source->carry_capacity);
        source->carry = carry;
        source->carry_capacity = capacity;
    }
    if (len)
        memcpy(source->carry, at, len);
    source->carry_len = len;
    return SW_OK;
}

/* Hashes what has been read since `to_hash->from`, now. For what will not stay in the block. */
static void hash_now(struct sw_source *source, struct to_hash *to_hash, const uint8_t *data)
{
    if (!to_hash->digest)
        return;
    pthread_mutex_lock(&source->hash_lock);
    sw_digest_add(to_hash->digest, data + to_hash->from, to_hash->to - to_hash->from);
    pthread_mutex_unlock(&source->hash_lock);
    to_hash->from = to_hash->to;
}

static enum sw_code changed(const char *how, struct sw_error *error)
{
    return sw_fail(error, SW_ERR_IO, "the file %s between its opening and its reading; read it again when nothing writes to it", how);
}

/* A file is read again from its begin; of a stream what follows the head. */
static enum sw_code read_longer_head(size_t *len, struct input *input, uint8_t *head, size_t bytes, struct sw_error *error)
{
    size_t more;
    if (!input->shown.regular) {
        memcpy(head, input->head, input->head_len);
        input->replay = 0;
        enum sw_code code = read_decoded(&more, input, head + input->head_len, bytes - input->head_len, error);
        *len = input->head_len + more;
        return code;
    }
    struct sw_feed feed;
    struct sw_decoder *decoder = NULL;
    enum sw_code code = sw_feed_open(&feed, input->shown.locator, error);
    if (code != SW_OK)
        return code;
    if (!sw_file_id_equal(feed.id, input->shown.id))
        code = changed("was replaced", error);
    else if (input->codec)
        code = sw_decoder_open(&decoder, input->codec, &feed, error);
    if (code == SW_OK)
        code = decoder ? sw_decoder_read(len, decoder, head, bytes, error) : sw_feed_read(len, &feed, head, bytes, error);
    if (code == SW_OK && (*len < input->head_len || memcmp(head, input->head, input->head_len) != 0))
        code = changed("changed", error);
    sw_decoder_close(&decoder);
    sw_feed_close(&feed);
    return code;
}

enum sw_code sw_source_grow_head(struct sw_source *source, uint32_t index, size_t bytes, struct sw_error *error)
{
    struct input *input = &source->inputs[index];
    if (bytes <= input->head_len || input->converted || input->comment || input->connector)
        return SW_OK;
    uint8_t *head = sw_malloc(bytes);
    size_t len = 0;
    enum sw_code code = head ? read_longer_head(&len, input, head, bytes, error) : sw_fail_memory(error, "the head of an input", bytes);
    if (code != SW_OK) {
        sw_free(head);
        sw_error_place(error, input->shown.locator, 0, 0, 0);
        return code;
    }
    size_t mark = sw_tell_mark(sw_bytes_of(head, len));
    sw_free(input->head);
    input->head = head;
    input->head_len = len;
    input->shown.head = sw_bytes_of(head + mark, len - mark);
    if (!input->shown.regular)
        input->replay = len;
    return SW_OK;
}

/* Opens the current input again, if it was closed, and goes to its first record. `block` is scratch. */
static enum sw_code begin_input(struct sw_source *source, struct input *input, struct sw_block *block, struct sw_error *error)
{
    enum sw_code code = SW_OK;
    if (input->shown.regular) {
        struct sw_feed old = input->feed;
        if ((code = sw_feed_open(&input->feed, input->shown.locator, error)) != SW_OK)
            return code;
        input->feed.modified = old.modified; /* changes are those since the source was opened */
        input->feed.done = &source->stored_done;
        input->feed.digest = input->hash_later ? NULL : input->digest;
        if (!sw_file_id_equal(input->feed.id, old.id))
            return changed("was replaced", error);
        if (input->feed.size < old.size)
            return changed("became shorter", error);
        input->feed.size = old.size; /* what was appended is read too; it is told as a change */
        if (input->codec && (code = sw_decoder_open(&input->decoder, input->codec, &input->feed, error)) != SW_OK)
            return code;
        if (input->shown.avro && (code = sw_avro_open(&input->avro, (struct sw_bytes){0}, &input->feed, input->decoder, source->record_bytes_max, error)) != SW_OK)
            return code;
        if (input->converted && !input->shown.avro &&
            (code = sw_conversion_open(&input->text, input->form, (struct sw_bytes){0}, &input->feed, input->decoder, source->record_bytes_max, error)) != SW_OK)
            return code;
    }
    size_t got;
    input->passed = 0;
    size_t room = input->drop > source->block_bytes ? input->drop : source->block_bytes + 1;
    if ((code = make_room(block, room, false, source, error)) != SW_OK || (code = read_decoded(&got, input, block->data, input->drop, error)) != SW_OK)
        return code;
    if (got != input->drop || memcmp(block->data, input->head, input->drop) != 0)
        return changed("changed in its first bytes", error);
    struct to_hash dropped = {input->hash_later ? input->digest : NULL, 0, input->drop};
    hash_now(source, &dropped, block->data);
    sw_cut_begin(&source->cut, input->shown.framing, source->options.csv_quote, source->options.csv_delimiter);
    source->cut.escape = (uint8_t)source->options.csv_escape;
    source->position = input->drop - sw_tell_mark(sw_bytes_of(input->head, input->head_len));
    source->carry_len = source->scanned = 0;
    source->begun = true;
    input->ended = false;
    return SW_OK;
}

static enum sw_code end_input(struct sw_source *source, struct input *input, struct sw_error *error)
{
    enum sw_code code = sw_feed_changed(&input->shown.changed, &input->feed, error);
    input->shown.stored_bytes = input->feed.offset;
    if (code == SW_OK && input->digest) {
        pthread_mutex_lock(&source->hash_lock); /* the threads before this one have hashed what they read */
        code = sw_digest_finish(input->shown.sha256, input->digest, error);
        pthread_mutex_unlock(&source->hash_lock);
    }
    close_input(input);
    sw_digest_close(&input->digest);
    source->begun = false;
    source->current++;
    return code;
}

static enum sw_code read_on(struct input *input, struct sw_block *block, size_t *len, size_t target, struct to_hash *to_hash, struct sw_error *error)
{
    size_t got;
    enum sw_code code = read_decoded(&got, input, block->data + *len, target - *len, error);
    input->ended = code == SW_OK && got < target - *len;
    *len += got;
    to_hash->to = *len;
    return code;
}

/* After the ']' of an array nothing may come but white space: what else is there would be lost unseen. */
static enum sw_code check_blank(const struct input *input, const uint8_t *at, size_t len, uint64_t offset, struct sw_error *error)
{
    for (size_t i = 0; i < len; i++)
        if (at[i] != ' ' && at[i] != '\t' && at[i] != '\n' && at[i] != '\r') {
            sw_fail(error, SW_ERR_INPUT, "the end was expected after the array's ']', more data begins at byte %llu", (unsigned long long)(offset + i));
            sw_error_place(error, input->shown.locator, 0, 0, offset + i);
            return SW_ERR_INPUT;
        }
    return SW_OK;
}

static enum sw_code finish_array(struct sw_source *source, struct input *input, const struct sw_block *block, size_t len, struct sw_error *error)
{
    size_t after = source->cut.after_array, got = len - after;
    uint64_t offset = source->position + after;
    enum sw_code code = check_blank(input, block->data + after, got, offset, error);
    while (code == SW_OK && !input->ended) {
        uint8_t rest[4096];
        offset += got;
        if ((code = read_decoded(&got, input, rest, sizeof rest, error)) != SW_OK)
            break;
        input->ended = got < sizeof rest;
        code = check_blank(input, rest, got, offset, error);
    }
    return code;
}

static uint64_t newlines_in(const uint8_t *at, size_t len)
{
    uint64_t count = 0;
    for (size_t i = 0; i < len; i++)
        count += at[i] == '\n';
    return count;
}

/* Passes over a record that is too long; the block's `len` bytes are its begin, all but the last one looked at. */
static enum sw_code skip_record(struct sw_block *block, struct sw_source *source, struct input *input, size_t len, struct to_hash *to_hash, struct sw_error *error)
{
    enum sw_framing framing = input->shown.framing;
    bool count_all = framing == SW_FRAMING_CSV; /* else only its end can be a line's end */
    enum sw_code code = SW_OK;
    block->oversized = len - 1;
    block->oversized_lines = count_all ? newlines_in(block->data, len - 1) : 0;
    hash_now(source, to_hash, block->data);
    size_t from = len - 1, end;
    for (;;) {
        end = sw_cut_scan(&source->cut, block->data, from, len, true);
        size_t passed = (end ? end : len) - from;
        block->oversized += passed;
        if (count_all)
            block->oversized_lines += newlines_in(block->data + from, passed);
        if (end || input->ended)
            break;
        from = len = to_hash->from = 0;
        if ((code = read_on(input, block, &len, source->block_bytes, to_hash, error)) != SW_OK)
            return code;
        hash_now(source, to_hash, block->data);
    }
    if (end && !count_all)
        block->oversized_lines = 1;
    block->unfinished = !end && sw_cut_unfinished(&source->cut);
    input->told_unfinished = block->unfinished;
    source->scanned = 0;
    if (source->cut.closed) {
        source->carry_len = 0;
        /* position is that of the record: the bytes after it are counted from there */
        uint64_t position = source->position;
        source->position += block->oversized - end;
        code = finish_array(source, input, block, len, error);
        source->position = position;
        return code;
    }
    return keep_carry(source, block->data + end, end ? len - end : 0, error);
}

/* Fills the block from the current input, begun or not. SW_END: nothing is left in it. */
static enum sw_code fill(struct sw_block *block, struct sw_source *source, struct input *input, struct to_hash *to_hash, struct sw_error *error)
{
    size_t len = source->carry_len, from = source->scanned, end, most = source->record_bytes_max;
    size_t target = len > source->block_bytes ? len : source->block_bytes;
    if (source->cut.closed)
        return SW_END; /* what followed the array has been looked at */
    enum sw_code code = make_room(block, target + 1, false, source, error); /* 1: to see whether a record of the largest size goes on */
    if (code != SW_OK)
        return code;
    if (len)
        memcpy(block->data, source->carry, len);
    *to_hash = (struct to_hash){input->hash_later ? input->digest : NULL, len, len};
    block->len = 0;
    block->rows = 0;
    block->unfinished = false;
    block->oversized = block->oversized_lines = 0;
    block->input = source->current;
    block->index = input->blocks;
    block->offset = source->position;
    block->first_record = source->cut.records;
    for (;;) {
        if (!input->ended && len < target && (code = read_on(input, block, &len, target, to_hash, error)) != SW_OK)
            return code;
        end = sw_cut_scan(&source->cut, block->data, from, len, false);
        from = len;
        if (end || input->ended || source->cut.closed)
            break;
        if (len >= most) {
            if ((code = read_on(input, block, &len, len + 1, to_hash, error)) != SW_OK)
                return code;
            if (!input->ended) {
                code = skip_record(block, source, input, len, to_hash, error);
                source->position += block->oversized;
                return code;
            }
            break;
        }
        target = target < most / 2 ? target * 2 : most;
        if ((code = make_room(block, target + 1, true, source, error)) != SW_OK)
            return code;
    }
    if (source->cut.closed) {
        code = finish_array(source, input, block, len, error);
        len = end;
    } else if (input->ended && !sw_cut_unfinished(&source->cut)) {
        end = len;
    } else if (input->ended && !end) {
        block->unfinished = !input->told_unfinished; /* the cut record, in a block of its own */
        input->told_unfinished = true;
        end = len;
    }
    source->scanned = len - end;
    if (code == SW_OK)
        code = keep_carry(source, block->data + end, len - end, error);
    block->len = end;
    source->position += end;
    return code != SW_OK ? code : end || block->unfinished ? SW_OK : SW_END;
}

/* The next block of what is no file. */
static enum sw_code next_from_connector(struct sw_block *block, struct sw_source *source, struct input *input, struct sw_error *error)
{
    sw_source_release_batch(block);
    block->len = 0;
    block->rows = block->oversized = block->oversized_lines = block->first_record = 0;
    block->unfinished = false;
    enum sw_code code = input->connector->next(block, input->state, error);
    if (code != SW_OK) {
        source->current += code == SW_END;
        return code;
    }
    block->input = source->current;
    block->index = input->blocks++;
    block->offset = input->shown.decoded_bytes;
    input->shown.decoded_bytes += block->len;
    return SW_OK;
}

static enum sw_code next_block(struct sw_block *block, struct sw_source *source, struct to_hash *to_hash, struct sw_error *error)
{
    for (;;) {
        if (source->current == source->count)
            return SW_END;
        struct input *input = &source->inputs[source->current];
        if (input->connector) {
            enum sw_code got = next_from_connector(block, source, input, error);
            if (got == SW_END)
                continue;
            if (got != SW_OK)
                sw_error_place(error, input->shown.locator, 0, 0, UINT64_MAX);
            return got;
        }
        enum sw_code code = source->begun ? SW_OK : begin_input(source, input, block, error);
        if (code == SW_OK)
            code = fill(block, source, input, to_hash, error);
        if (code == SW_OK) {
            input->blocks++;
            input->shown.decoded_bytes = source->position;
            if (!input->shown.regular)
                input->shown.stored_bytes = input->feed.offset;
            return SW_OK;
        }
        if (code != SW_END) {
            sw_error_place(error, input->shown.locator, 0, 0, UINT64_MAX);
            return code;
        }
        *to_hash = (struct to_hash){0};
        if ((code = end_input(source, input, error)) != SW_OK) {
            sw_error_place(error, input->shown.locator, 0, 0, UINT64_MAX);
            return code;
        }
    }
}

void sw_source_cancel(struct sw_source *source)
{
    atomic_store(&source->cancelled, true);
    for (uint32_t i = 0; i < source->count; i++)
        if (source->inputs[i].connector && source->inputs[i].connector->cancel && source->inputs[i].state)
            source->inputs[i].connector->cancel(source->inputs[i].state);
}

enum sw_code sw_source_next(struct sw_block *out, struct sw_source *source, struct sw_error *error)
{
    struct to_hash to_hash = {0};
    pthread_mutex_lock(&source->read_lock);
    if (source->code == SW_OK)
        source->code = next_block(out, source, &to_hash, &source->error);
    if (source->code < 0 && source->code != SW_ERR_CANCELLED && atomic_load(&source->cancelled)) { /* whatever the server said to it */
        source->error = (struct sw_error){0};
        source->code = sw_fail(&source->error, SW_ERR_CANCELLED, "interrupted: nothing is claimed");
    }
    enum sw_code code = source->code;
    if (code < 0 && error && error->code >= 0)
        *error = source->error;
    bool hash = code == SW_OK && to_hash.digest && to_hash.to > to_hash.from;
    if (hash)
        pthread_mutex_lock(&source->hash_lock);
    pthread_mutex_unlock(&source->read_lock);
    if (hash) {
        sw_digest_add(to_hash.digest, out->data + to_hash.from, to_hash.to - to_hash.from);
        pthread_mutex_unlock(&source->hash_lock);
    }
    return code;
}

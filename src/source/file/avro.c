/* The container: a header with the schema, then blocks of records, each with its size and a mark of 16 bytes behind it. */
#include "source/file/avro.h"

#include <stdio.h>

#include "base/memory.h"
#include "source/file/avro_part.h"

#define MARK_BYTES 16
#define READ_BYTES ((size_t)64 * 1024)
#define READ_STEP_BYTES ((size_t)1 << 20)      /* a promised length is believed in steps of this size */
#define BLOCK_BYTES_MAX ((size_t)256 << 20)    /* of one block, stored and unpacked; writers make blocks of some 64 KiB */
#define HEADER_ENTRIES_MAX 1024
#define LINES_BYTES ((size_t)64 * 1024)        /* made ahead */

struct sw_avro {
    struct sw_feed *feed;
    struct sw_decoder *decoder;
    struct sw_avro_schema schema;
    struct sw_field_tree *fields;
    const struct sw_avro_codec *codec;
    uint8_t mark[MARK_BYTES];
    size_t record_bytes_max;
    struct sw_buffer stored;    /* bytes of the file from `offset` on */
    size_t at;                  /* in `stored`: what is not yet taken */
    uint64_t offset;
    bool ended;
    struct sw_buffer unpacked;
    struct sw_avro_cursor block;/* what is left of the current block, in `unpacked` or `stored` */
    uint64_t left;              /* records in it */
    size_t block_stored;        /* its stored bytes with the mark: taken when its last record was read */
    uint64_t block_offset, blocks, records;
    struct sw_buffer lines;
    size_t lines_at;
    enum sw_code code;
    struct sw_error error;
};

bool sw_avro_recognises(struct sw_bytes head) { return head.len >= 4 && memcmp(head.at, "Obj\x01", 4) == 0; }

static enum sw_code cut(const struct sw_avro *avro, struct sw_error *error)
{
    return sw_fail(error, SW_ERR_INPUT, "the Avro file is cut: it ends at byte %llu, inside %s", (unsigned long long)(avro->offset + avro->stored.len),
                   avro->blocks ? "a block" : "its header or the first block");
}

/* At least `len` bytes from `at` on, or all that there are. */
static enum sw_code fetch(struct sw_avro *avro, size_t len, struct sw_error *error)
{
    enum sw_code code = SW_OK;
    while (avro->stored.len - avro->at < len && !avro->ended && code == SW_OK) {
        if (avro->at) {
            memmove(avro->stored.at, avro->stored.at + avro->at, avro->stored.len - avro->at);
            avro->stored.len -= avro->at;
            avro->offset += avro->at;
            avro->at = 0;
        }
        size_t wanted = len - avro->stored.len, got;
        wanted = wanted < READ_BYTES ? READ_BYTES : wanted > READ_STEP_BYTES ? READ_STEP_BYTES : wanted;
        if (!sw_buffer_reserve(&avro->stored, wanted))
            return sw_fail_memory(error, "a block of an Avro file", wanted);
        code = avro->decoder ? sw_decoder_read(&got, avro->decoder, avro->stored.at + avro->stored.len, wanted, error)
                             : sw_feed_read(&got, avro->feed, avro->stored.at + avro->stored.len, wanted, error);
        avro->stored.len += got;
        avro->ended = got < wanted;
    }
    return code;
}

static enum sw_code take_long(int64_t *out, struct sw_avro *avro, struct sw_error *error)
{
    enum sw_code code = fetch(avro, 10, error);
    if (code != SW_OK)
        return code;
    struct sw_avro_cursor cursor = {avro->stored.at + avro->at, avro->stored.at + avro->stored.len, NULL};
    if (!sw_avro_long(out, &cursor))
        return cursor.at == cursor.end && cursor.end - avro->stored.at - (ptrdiff_t)avro->at < 10
                   ? cut(avro, error)
                   : sw_fail(error, SW_ERR_INPUT, "the Avro file is damaged at byte %llu: a number is longer than 64 bits", (unsigned long long)(avro->offset + avro->at));
    avro->at = (size_t)(cursor.at - avro->stored.at);
    return SW_OK;
}

/* A text of the header. Valid until the next call. */
static enum sw_code take_text(struct sw_bytes *out, struct sw_avro *avro, struct sw_error *error)
{
    int64_t len;
    enum sw_code code = take_long(&len, avro, error);
    if (code != SW_OK)
        return code;
    if (len < 0 || (uint64_t)len > SW_AVRO_SCHEMA_BYTES_MAX)
        return sw_fail(error, len < 0 ? SW_ERR_INPUT : SW_ERR_LIMIT, "the Avro header is damaged or too large: an entry of %lld bytes, at most %zu are read", (long long)len, SW_AVRO_SCHEMA_BYTES_MAX);
    code = fetch(avro, (size_t)len, error);
    if (code != SW_OK)
        return code;
    if (avro->stored.len - avro->at < (size_t)len)
        return cut(avro, error);
    *out = sw_bytes_of(avro->stored.at + avro->at, (size_t)len);
    avro->at += (size_t)len;
    return SW_OK;
}

static enum sw_code choose_codec(struct sw_avro *avro, struct sw_bytes name, struct sw_error *error)
{
    avro->codec = sw_avro_codec_find(name);
    if (avro->codec && (avro->codec->unpack || strcmp(avro->codec->name, "null") == 0))
        return SW_OK;
    return sw_fail(error, SW_ERR_UNSUPPORTED, "the Avro file's blocks are compressed with '%.*s'; this build reads null, deflate, snappy%s", (int)(name.len < 40 ? name.len : 40),
                   (const char *)name.at, sw_avro_codec_find(SW_BYTES_LITERAL("zstandard"))->unpack ? ", zstandard" : "");
}

static enum sw_code read_entry(struct sw_avro *avro, bool *schema_seen, struct sw_error *error)
{
    struct sw_bytes text;
    enum sw_code code = take_text(&text, avro, error);
    if (code != SW_OK)
        return code;
    bool schema = sw_bytes_is(text, "avro.schema"), codec = sw_bytes_is(text, "avro.codec");
    code = take_text(&text, avro, error);
    if (code != SW_OK || (!schema && !codec))
        return code;
    if (codec)
        return choose_codec(avro, text, error);
    if (*schema_seen)
        return sw_fail(error, SW_ERR_INPUT, "the Avro header is damaged: it has two schemas");
    *schema_seen = true;
    return sw_avro_schema_parse(&avro->schema, text, error);
}

static enum sw_code read_header(struct sw_avro *avro, struct sw_error *error)
{
    bool schema_seen = false;
    int64_t count, bytes;
    unsigned entries = 0;
    enum sw_code code = fetch(avro, 4, error);
    if (code != SW_OK)
        return code;
    if (!sw_avro_recognises(sw_buffer_view(&avro->stored)))
        return sw_fail(error, SW_ERR_INPUT, "an Avro file was expected; it does not begin like one");
    avro->at = 4;
    for (;;) {
        code = take_long(&count, avro, error);
        if (code != SW_OK)
            return code;
        if (count == 0)
            break;
        if (count < 0 && (code = take_long(&bytes, avro, error)) != SW_OK)
            return code;
        for (uint64_t left = count < 0 ? 0 - (uint64_t)count : (uint64_t)count; left && code == SW_OK; left--)
            code = ++entries > HEADER_ENTRIES_MAX ? sw_fail(error, SW_ERR_LIMIT, "the Avro header has more than %d entries", HEADER_ENTRIES_MAX) : read_entry(avro, &schema_seen, error);
        if (code != SW_OK)
            return code;
    }
    if (!schema_seen)
        return sw_fail(error, SW_ERR_INPUT, "the Avro header has no schema");
    if ((code = fetch(avro, MARK_BYTES, error)) != SW_OK)
        return code;
    if (avro->stored.len - avro->at < MARK_BYTES)
        return cut(avro, error);
    memcpy(avro->mark, avro->stored.at + avro->at, MARK_BYTES);
    avro->at += MARK_BYTES;
    if (avro->schema.nodes[avro->schema.root].empty)
        return sw_fail(error, SW_ERR_INPUT, "the Avro schema is none: its records would have no bytes");
    return SW_OK;
}

static enum sw_code damaged(struct sw_avro *avro, const char *why, struct sw_error *error)
{
    return sw_fail(error, SW_ERR_INPUT, "the Avro file is damaged in its block %llu, at byte %llu (record %llu of the file): %s", (unsigned long long)avro->blocks,
                   (unsigned long long)avro->block_offset, (unsigned long long)avro->records + 1, why);
}

/* SW_END where the file ends. */
static enum sw_code begin_block(struct sw_avro *avro, struct sw_error *error)
{
    int64_t records, bytes;
    const char *why = "";
    enum sw_code code = fetch(avro, 1, error);
    if (code != SW_OK)
        return code;
    if (avro->stored.len == avro->at)
        return SW_END;
    uint64_t offset = avro->offset + avro->at;
    if ((code = take_long(&records, avro, error)) != SW_OK || (code = take_long(&bytes, avro, error)) != SW_OK)
        return code;
    avro->blocks++;
    avro->block_offset = offset;
    if (records < 0 || bytes < 0)
        return damaged(avro, "its length is negative", error);
    if ((uint64_t)bytes > BLOCK_BYTES_MAX)
        return sw_fail(error, SW_ERR_LIMIT, "block %llu of the Avro file, at byte %llu, has %lld bytes; at most %zu are read", (unsigned long long)avro->blocks, (unsigned long long)offset,
                       (long long)bytes, BLOCK_BYTES_MAX);
    if ((code = fetch(avro, (size_t)bytes + MARK_BYTES, error)) != SW_OK)
        return code;
    if (avro->stored.len - avro->at < (size_t)bytes + MARK_BYTES)
        return cut(avro, error);
    struct sw_bytes stored = sw_bytes_of(avro->stored.at + avro->at, (size_t)bytes);
    if (memcmp(stored.at + stored.len, avro->mark, MARK_BYTES) != 0)
        return damaged(avro, "the mark that ends it is not the file's", error);
    if (avro->codec && avro->codec->unpack) {
        code = avro->codec->unpack(&avro->unpacked, stored, BLOCK_BYTES_MAX, &why);
        if (code == SW_ERR_MEMORY)
            return sw_fail_memory(error, "a block of an Avro file", stored.len);
        if (code == SW_ERR_LIMIT)
            return sw_fail(error, SW_ERR_LIMIT, "block %llu of the Avro file, at byte %llu, is unpacked larger than %zu bytes", (unsigned long long)avro->blocks, (unsigned long long)offset, BLOCK_BYTES_MAX);
        if (code != SW_OK)
            return damaged(avro, why, error);
        avro->block = (struct sw_avro_cursor){avro->unpacked.at, avro->unpacked.at + avro->unpacked.len, NULL};
    } else {
        avro->block = (struct sw_avro_cursor){stored.at, stored.at + stored.len, NULL};
    }
    avro->left = (uint64_t)records;
    avro->block_stored = (size_t)bytes + MARK_BYTES;
    return SW_OK;
}

static enum sw_code make_lines(struct sw_avro *avro, struct sw_error *error)
{
    avro->lines.len = avro->lines_at = 0;
    while (avro->lines.len < LINES_BYTES) {
        if (avro->left == 0) {
            if (avro->block.at != avro->block.end)
                return damaged(avro, "bytes are left behind its last record", error);
            avro->at += avro->block_stored;
            avro->block_stored = 0;
            avro->block = (struct sw_avro_cursor){0};
            enum sw_code code = begin_block(avro, error);
            if (code != SW_OK)
                return code;
            continue;
        }
        struct sw_avro_line line = {&avro->lines, avro->lines.len, avro->record_bytes_max, false};
        if (!sw_avro_value(&line, &avro->schema, avro->schema.root, &avro->block, 0)) {
            avro->lines.len = line.begin;
            return damaged(avro, avro->block.why, error);
        }
        sw_buffer_add_byte(&avro->lines, '\n');
        if (avro->lines.failed)
            return sw_fail_memory(error, "a record of an Avro file", avro->lines.len);
        avro->records++;
        avro->left--;
    }
    return SW_OK;
}

enum sw_code sw_avro_open(struct sw_avro **out, struct sw_bytes head, struct sw_feed *feed, struct sw_decoder *decoder, size_t record_bytes_max, struct sw_error *error)
{
    *out = NULL;
    struct sw_avro *avro = sw_calloc(1, sizeof *avro);
    if (!avro)
        return sw_fail_memory(error, "an Avro file", sizeof *avro);
    avro->feed = feed;
    avro->decoder = decoder;
    avro->record_bytes_max = record_bytes_max;
    sw_buffer_add_bytes(&avro->stored, head);
    enum sw_code code = avro->stored.failed ? sw_fail_memory(error, "an Avro file", head.len) : read_header(avro, error);
    if (code == SW_OK && !(avro->fields = sw_avro_schema_fields(&avro->schema)))
        code = sw_fail_memory(error, "an Avro schema", 0);
    if (code != SW_OK) {
        sw_avro_close(&avro);
        return code;
    }
    *out = avro;
    return SW_OK;
}

const struct sw_field_tree *sw_avro_fields(const struct sw_avro *avro) { return avro->fields; }

struct sw_field_tree *sw_avro_take_fields(struct sw_avro *avro)
{
    struct sw_field_tree *fields = avro->fields;
    avro->fields = NULL;
    return fields;
}

enum sw_code sw_avro_read(size_t *got, struct sw_avro *avro, void *at, size_t len, struct sw_error *error)
{
    uint8_t *out = at;
    *got = 0;
    while (*got < len) {
        size_t more = avro->lines.len - avro->lines_at;
        if (more == 0) {
            if (avro->code == SW_OK)
                avro->code = make_lines(avro, &avro->error);
            if (avro->lines.len)
                continue; /* what was made before the end, or before the failure, comes first */
            if (avro->code == SW_END)
                return SW_OK;
            if (error && error->code >= 0)
                *error = avro->error;
            return avro->code;
        }
        more = more < len - *got ? more : len - *got;
        memcpy(out + *got, avro->lines.at + avro->lines_at, more);
        avro->lines_at += more;
        *got += more;
        if (avro->lines_at == avro->lines.len)
            avro->lines.len = avro->lines_at = 0;
    }
    return SW_OK;
}

void sw_avro_close(struct sw_avro **pointer)
{
    struct sw_avro *avro = *pointer;
    *pointer = NULL;
    if (!avro)
        return;
    sw_avro_schema_free(&avro->schema);
    sw_field_tree_free(&avro->fields);
    sw_buffer_free(&avro->stored);
    sw_buffer_free(&avro->unpacked);
    sw_buffer_free(&avro->lines);
    sw_free(avro);
}

/* Rows as a server may send them, of any bytes: taken apart without a step outside, and every value encodes to what the same value as text encodes to.
 * The first byte is the number of columns, as many bytes after it choose their decoders, the rest is one message of a binary COPY. */
#include "property.h"

#include <string.h>

#include "base/memory.h"
#include "source/connector.h"
#ifdef SW_WITH_POSTGRES
#include "source/postgres/postgres.h"
#endif

#define COLUMNS_MAX 16u

static void check_value(struct sw_token token, struct sw_value_scratch *scratch)
{
    static const enum sw_type_kind kinds[] = {SW_TYPE_ANY, SW_TYPE_TEXT, SW_TYPE_INTEGER, SW_TYPE_INT32, SW_TYPE_UINT64, SW_TYPE_DECIMAL, SW_TYPE_FLOAT32, SW_TYPE_FLOAT64, SW_TYPE_BOOLEAN,
                                              SW_TYPE_BYTES, SW_TYPE_DATE, SW_TYPE_TIME, SW_TYPE_TIMESTAMP, SW_TYPE_TIMESTAMPTZ, SW_TYPE_UUID, SW_TYPE_INTERVAL, SW_TYPE_JSON, SW_TYPE_ARRAY};
    struct sw_buffer native = {0}, spelled = {0}, text = {0}, shown = {0};
    struct sw_token again = sw_value_spell(&text, token);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const struct sw_type type = {.kind = kinds[i], .precision = -1};
        native.len = spelled.len = shown.len = 0;
        enum sw_value_status one = sw_value_encode(&native, &type, token, scratch), other = sw_value_encode(&spelled, &type, again, scratch);
        bool opaque = token.kind == SW_TOKEN_BYTES; /* whose text says another thing under most types */
        if (one == SW_VALUE_OK && other == SW_VALUE_OK && !(opaque && kinds[i] != SW_TYPE_BYTES))
            PROPERTY(sw_bytes_equal(sw_buffer_view(&native), sw_buffer_view(&spelled)));
        if (token.kind >= SW_TOKEN_NATIVE && !opaque && token.kind != SW_TOKEN_UUID)
            PROPERTY(one == other);
        if (one == SW_VALUE_OK)
            sw_value_write_json(&shown, &type, sw_buffer_view(&native));
    }
    sw_buffer_free(&native);
    sw_buffer_free(&spelled);
    sw_buffer_free(&text);
    sw_buffer_free(&shown);
}

/* What is put in comes out. */
static void check_writer(const struct sw_token *tokens, uint32_t count, struct sw_error *error)
{
    struct sw_block block = {0};
    struct sw_row_writer writer;
    struct sw_token found[COLUMNS_MAX + 1];
    struct sw_row_columns columns = {.count = count, .next = sw_row_writer_next};
    struct sw_row_cursor cursor = {0};
    columns.ctx = &columns;
    sw_row_writer_begin(&writer, &block, 1 << 20, NULL);
    for (int row = 0; row < 2; row++) {
        for (uint32_t i = 1; i <= count; i++)
            PROPERTY(sw_row_writer_put(&writer, tokens[i], error) == SW_OK);
        PROPERTY(sw_row_writer_end(&writer, error) == SW_OK);
    }
    PROPERTY(block.rows == 2 && sw_row_cursor_begin(&cursor, &block, &columns, error) == SW_OK);
    for (int row = 0; row < 2; row++) {
        PROPERTY(columns.next(found, &cursor, columns.ctx));
        for (uint32_t i = 1; i <= count; i++)
            PROPERTY(found[i].kind == tokens[i].kind && (tokens[i].kind == SW_TOKEN_NULL || sw_bytes_equal(sw_bytes_of(found[i].at, found[i].len), sw_bytes_of(tokens[i].at, tokens[i].len))));
    }
    PROPERTY(cursor.at == block.data + block.len);
    sw_row_cursor_free(&cursor);
    sw_block_free(&block);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sw_error error = {0};
    struct sw_value_scratch scratch = {0};
    uint32_t count = size ? 1 + data[0] % COLUMNS_MAX : 0;
    if (count == 0 || size < 1 + (size_t)count)
        return 0;
#ifdef SW_WITH_POSTGRES
    struct sw_postgres_shape shape = {.columns = {.count = count}};
    char *names[COLUMNS_MAX] = {0}, name[] = "c";
    uint8_t decoders[COLUMNS_MAX];
    for (uint32_t i = 0; i < count; i++) {
        decoders[i] = data[1 + i] % (SW_POSTGRES_JSONB + 1);
        names[i] = name;
    }
    shape.decoders = decoders;
    shape.columns.names = names;
    struct sw_block block = {0};
    struct sw_row_cursor cursor = {0};
    struct sw_token tokens[COLUMNS_MAX + 1];
    struct sw_postgres_copying copying = {0};
    struct sw_bytes chunk = sw_bytes_of(data + 1 + count, size - 1 - count);
    enum sw_code code = sw_postgres_take_chunk(&block, &copying, chunk, count, 4096, NULL, &error);
    if (code == SW_OK) { /* with a header before it; and again as a later message */
        PROPERTY(copying.begun);
        code = sw_postgres_take_chunk(&block, &copying, chunk, count, 4096, NULL, &error);
    } else {
        copying.begun = true;
        block.len = block.rows = 0;
        code = sw_postgres_take_chunk(&block, &copying, chunk, count, 4096, NULL, &error);
    }
    if (block.data && sw_row_cursor_begin(&cursor, &block, &shape.columns, &error) == SW_OK)
        for (uint64_t row = 0; row < block.rows; row++) {
            if (!sw_postgres_row_next(tokens, &cursor, &shape)) {
                PROPERTY(cursor.problem[0]);
                continue;
            }
            for (uint32_t i = 1; i <= count; i++)
                if (tokens[i].kind != SW_TOKEN_NULL)
                    check_value(tokens[i], &scratch);
            check_writer(tokens, count, &error);
        }
    PROPERTY(!block.rows || cursor.at == block.data + block.len);
    sw_row_cursor_free(&cursor);
    sw_block_free(&block);
#else
    struct sw_row_slot slot = {0, 0};
    struct sw_token tokens[COLUMNS_MAX + 1];
    memcpy(&slot.value, data + 1, size - 1 < sizeof slot.value ? size - 1 : sizeof slot.value);
    slot.scale = size % 19;
    for (uint32_t i = 1; i <= count; i++) {
        tokens[i] = (struct sw_token){(const uint8_t *)&slot, sizeof slot.value, (uint8_t)(SW_TOKEN_INT64 + i % 10), false};
        if (tokens[i].kind == SW_TOKEN_FLOAT32)
            tokens[i].len = 4;
        if (tokens[i].kind == SW_TOKEN_DECIMAL) { /* of at most 18 digits */
            slot.value %= INT64_C(1000000000000000000);
            tokens[i].len = sizeof slot;
        }
        check_value(tokens[i], &scratch);
    }
    check_writer(tokens, count, &error);
#endif
    sw_value_scratch_free(&scratch);
    return 0;
}

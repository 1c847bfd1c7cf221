/* Any bytes as CSV: every kernel reads the same fields, whatever bytes stand behind the input; records end where the rule of text/csv_rule.h says, by
 * which blocks are cut; line ends are counted once each. The first byte chooses the delimiter and what is NULL. */
#include "property.h"

#include <string.h>

#include "text/csv_reader.h"
#include "text/csv_rule.h"

#define PADDING 64

static const char delimiters[] = {',', ';', '\t', '|'};

static const uint8_t *rule_end(const uint8_t *at, const uint8_t *end, uint8_t delimiter, uint8_t escape)
{
    enum sw_csv_place place = SW_CSV_FIELD_BEGIN;
    while (at < end && !(escape ? sw_csv_step_escaped(&place, *at, escape, delimiter) : sw_csv_step(&place, *at, '"', delimiter)))
        at++;
    return at < end ? at + 1 : end;
}

static uint64_t newlines(const uint8_t *at, const uint8_t *end)
{
    uint64_t count = 0;
    for (; at < end; at++)
        count += *at == '\n';
    return count;
}

/* `text` is what stands in `at` before it is read, for reading moves bytes. */
static void see(struct sw_buffer *out, const struct sw_kernel *kernel, uint8_t options, const uint8_t *text, uint8_t *at, uint8_t *end)
{
    struct sw_csv_reader reader;
    uint8_t *begin = at;
    out->len = 0;
    PROPERTY(sw_csv_reader_init(&reader, kernel, (uint8_t)delimiters[options & 3]));
    reader.null_text = options & 4 ? SW_BYTES_LITERAL("NULL") : (struct sw_bytes){0};
    reader.null_quoted_too = options & 8;
    reader.escape = options & 16 ? '\\' : 0;
    while (at < end) {
        uint8_t *start = at;
        uint64_t lines = 0;
        enum sw_csv_status status = sw_csv_read(&reader, &at, end, &lines);
        const uint8_t *from = text + (start - begin), *ruled = rule_end(from, text + (end - begin), reader.delimiter, reader.escape);
        PROPERTY(at > start && at <= end && at - start == ruled - from);
        uint64_t counted = newlines(from, ruled);
        PROPERTY(lines == counted || (at == end && lines == counted + 1));
        sw_buffer_printf(out, "%zu %d %llu", (size_t)(start - begin), status, (unsigned long long)lines);
        if (status == SW_CSV_BAD) {
            PROPERTY(reader.problem.text[0]);
            sw_buffer_add_text(out, reader.problem.text);
        } else if (status == SW_CSV_OK) {
            PROPERTY(reader.token_count >= 1 && reader.token_count <= SW_CSV_COLUMNS_MAX);
            for (uint32_t i = 1; i <= reader.token_count; i++) {
                struct sw_token token = reader.tokens[i];
                PROPERTY(token.at >= start && token.at + token.len <= at);
                PROPERTY(!token.escaped && (token.kind == SW_TOKEN_TEXT || token.kind == SW_TOKEN_NULL));
                sw_buffer_printf(out, " %d:%u:", token.kind, token.len);
                sw_buffer_add(out, token.at, token.len);
            }
            if (!reader.column_count)
                reader.column_count = reader.token_count; /* the header */
        }
        sw_buffer_add_byte(out, '\n');
    }
    sw_csv_reader_free(&reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const behind[] = {"", "\"\"\n\r\n", ",,,;;;\t\t\t|||", "\r\n\"\r"};
    if (size == 0)
        return 0;
    const uint8_t *text = data + 1;
    size_t len = size - 1;
    struct sw_buffer first = {0}, again = {0};
    uint8_t *copy = malloc(len + PADDING);
    PROPERTY(copy);
    for (size_t b = 0; b < sizeof behind / sizeof *behind; b++)
        for (const struct sw_kernel *const *kernel = sw_kernels(); *kernel; kernel++) {
            if (!(*kernel)->supported())
                continue;
            memcpy(copy, text, len);
            memset(copy + len, 0, PADDING);
            memcpy(copy + len, behind[b], strlen(behind[b]));
            bool reference = b == 0 && kernel == sw_kernels();
            see(reference ? &first : &again, *kernel, data[0], text, copy, copy + len);
            PROPERTY(reference || sw_bytes_equal(sw_buffer_view(&first), sw_buffer_view(&again)));
        }
    free(copy);
    sw_buffer_free(&first);
    sw_buffer_free(&again);
    return 0;
}

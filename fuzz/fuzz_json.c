/* Any bytes as lines of JSON: every kernel reads the same of each record, whether its shape was seen before or not, and whatever bytes stand
 * behind the input; every token lies inside its record. The first byte chooses the depth and whether records may pass line ends. */
#include "property.h"

#include <string.h>

#include "text/json_reader.h"

#define PADDING 64

/* What was read of one record, as text. */
static void see_record(struct sw_buffer *out, const struct sw_json_template *template, const struct sw_json_reader *reader, const uint8_t *record, const uint8_t *after)
{
    for (uint32_t node = 0; node < template->node_count; node++) {
        struct sw_token token = sw_json_node_token(template, reader->tokens, record, node);
        struct sw_bytes name = sw_json_node_name(template, node);
        PROPERTY(token.at >= record && token.at + token.len <= after);
        PROPERTY(token.kind != SW_TOKEN_ABSENT && (!token.escaped || token.kind == SW_TOKEN_TEXT));
        PROPERTY(token.kind != SW_TOKEN_OBJECT || (token.at[0] == '{' && token.at[token.len - 1] == '}'));
        PROPERTY(token.kind != SW_TOKEN_ARRAY || (token.at[0] == '[' && token.at[token.len - 1] == ']'));
        PROPERTY(token.kind != SW_TOKEN_TEXT || (token.at[-1] == '"' && token.at[token.len] == '"'));
        sw_buffer_printf(out, " %d:%d:%d:%zu+%u:", (int)template->nodes[node].parent, token.kind, token.escaped, (size_t)(token.at - record), token.len);
        sw_buffer_add_bytes(out, name);
        struct sw_bytes text = sw_bytes_of(token.at, token.len);
        if (token.escaped) { /* escapes that were checked can be resolved */
            size_t before = out->len;
            sw_json_unescape_add(out, text);
            PROPERTY(out->len - before < text.len);
        }
        if (node && template->nodes[node].parent == 0)
            PROPERTY(sw_json_child(template, 0, name) == node);
    }
}

/* Other digits and other capitals, of those that no keyword, number or escape has: a text that is as long, and as good. */
static void vary(uint8_t *at, const uint8_t *from, size_t len, unsigned round)
{
    for (size_t i = 0; i < len; i++)
        at[i] = from[i] >= '0' && from[i] <= '9'   ? (uint8_t)('1' + (from[i] + round) % 9)
                : from[i] >= 'G' && from[i] <= 'Z' ? (uint8_t)('G' + (from[i] + round) % 20)
                                                   : from[i];
}

/* What a stream holds before the input: `count` records that are the first one again and again, if it is one, or that are as long. */
static void prime(struct sw_json_reader *reader, unsigned count, bool varied, const uint8_t *at, const uint8_t *end)
{
    size_t len = (size_t)(end - at);
    uint8_t *copy = malloc(len + PADDING);
    struct sw_json_template *template;
    PROPERTY(copy);
    memset(copy + len, 0, PADDING);
    for (bool good = len; count && good; count--) {
        vary(copy, at, len, varied ? count : 0);
        good = sw_json_read(&template, reader, varied ? copy : at, varied ? copy + len : end);
    }
    free(copy);
}

/* Reads record after record as the engine does. `cold`: with nothing learned before, each time; else after `before` records: what they repeat, and which of their values keep
 * their length, is known then. */
static void see(struct sw_buffer *out, const struct sw_kernel *kernel, unsigned depth, bool lines, bool cold, unsigned before, bool varied, const uint8_t *at, const uint8_t *end)
{
    struct sw_json_reader reader;
    sw_json_reader_init(&reader, kernel, depth, NULL);
    reader.lines = lines;
    out->len = 0;
    prime(&reader, before, varied, at, end);
    for (const uint8_t *begin = at; (at = sw_json_skip_space(at, end)) < end;) {
        struct sw_json_template *template = NULL;
        if (cold) {
            sw_json_reader_free(&reader);
            sw_json_reader_init(&reader, kernel, depth, NULL);
            reader.lines = lines;
        }
        const uint8_t *after = sw_json_read(&template, &reader, at, end);
        sw_buffer_printf(out, "%zu", (size_t)(at - begin));
        if (after) {
            PROPERTY(after > at && after <= end);
            see_record(out, template, &reader, at, after);
            at = after;
        } else {
            PROPERTY(reader.problem.text && !reader.problem.no_memory && reader.problem.at >= at && reader.problem.at <= end);
            sw_buffer_printf(out, " %s at %zu", reader.problem.text, (size_t)(reader.problem.at - at));
            at = memchr(at, '\n', (size_t)(end - at));
            at = at ? at + 1 : end;
        }
        sw_buffer_add_byte(out, '\n');
    }
    sw_json_reader_free(&reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const behind[] = {"", "\"}0\n", "0123456789012345678901234567890123456789012345678901234567890123", "}}}]]]\"\"\"\\\\\\nulltruefalse"};
    if (size == 0)
        return 0;
    unsigned depth = data[0] % 5;
    bool lines = !(data[0] & 8);
    const uint8_t *text = data + 1;
    size_t len = size - 1;
    struct sw_buffer first = {0}, again = {0};
    uint8_t *copy = malloc(len + PADDING);
    PROPERTY(copy);
    memcpy(copy, text, len);
    memset(copy + len, 0, PADDING);
    see(&first, sw_kernels()[0], depth, lines, true, 0, false, copy, copy + len);
    for (size_t b = 0; b < sizeof behind / sizeof *behind; b++) {
        memset(copy + len, 0, PADDING);
        memcpy(copy + len, behind[b], strlen(behind[b]));
        for (const struct sw_kernel *const *kernel = sw_kernels(); *kernel; kernel++)
            for (int cold = 0; cold < 2 && (*kernel)->supported(); cold++) {
                see(&again, *kernel, depth, lines, cold, b % 2 ? 40 : 0, b == 3, copy, copy + len);
                PROPERTY(sw_bytes_equal(sw_buffer_view(&first), sw_buffer_view(&again)));
            }
    }
    free(copy);
    sw_buffer_free(&first);
    sw_buffer_free(&again);
    return 0;
}

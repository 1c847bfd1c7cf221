/* Any messages as pgoutput's, each with its length in a byte before it: what comes out are lines of JSON objects, whatever went in. */
#include "property.h"

#include <string.h>

#include "source/postgres/pgoutput.h"
#include "source/source.h"
#include "text/json_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct sw_pgoutput_type types[] = {{1007, 1007, 23}, {1009, 1009, 25}, {90001, 1700, 0}};
    struct sw_pgoutput self = {.types = types, .type_count = 3};
    struct sw_buffer out = {0};
    struct sw_json_reader json;
    sw_json_reader_init(&json, sw_kernel_find(NULL), 1, NULL);
    while (size) {
        size_t len = data[0] < size ? data[0] : size - 1;
        size_t before = out.len;
        enum sw_pgoutput_status status = sw_pgoutput_message(&out, &self, sw_bytes_of(data + 1, len), SW_BYTES_LITERAL("0/1"));
        PROPERTY(status == SW_PGOUTPUT_OK || (status == SW_PGOUTPUT_MALFORMED && out.len == before && self.problem[0]));
        data += 1 + len;
        size -= 1 + len;
    }
    size_t end = out.len;
    if (sw_buffer_reserve(&out, SW_BLOCK_PADDING)) {
        memset(out.at + end, 0, SW_BLOCK_PADDING);
        for (const uint8_t *at = out.at; at < out.at + end; at++) {
            struct sw_json_template *template;
            at = sw_json_read(&template, &json, at, out.at + end);
            PROPERTY(at && at < out.at + end && *at == '\n' && template->nodes[0].object);
        }
    }
    sw_json_reader_free(&json);
    sw_buffer_free(&out);
    sw_pgoutput_free(&self);
    return 0;
}

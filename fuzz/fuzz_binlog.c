/* Any bytes as events of a binary log, each as long as its head says: what comes out are lines of JSON objects, or a failure with its text, whatever went in. The catalogue is that of the recorded logs. Besides, the
 * same bytes as one value of a type, as a statement, and as MySQL's binary JSON. */
#include "property.h"

#include <string.h>

#include "source/mariadb/binlog.h"
#include "source/mariadb/statement.h"
#include "source/mariadb/value.h"
#include "source/source.h"
#include "text/json_reader.h"

#define RECORD_MAX 65536u

static struct sw_json_reader json;

static void check_line(struct sw_buffer *line)
{
    size_t end = line->len;
    struct sw_json_template *template;
    PROPERTY(end && end <= RECORD_MAX && line->at[end - 1] == '\n');
    if (!sw_buffer_reserve(line, SW_BLOCK_PADDING))
        return;
    memset(line->at + end, 0, SW_BLOCK_PADDING);
    const uint8_t *at = sw_json_read(&template, &json, line->at, line->at + end);
    PROPERTY(at == line->at + end - 1 && template->nodes[0].object);
}

static void read_log(const char *table, struct sw_bytes data)
{
    static char name_id[] = "id", name_note[] = "note", name_n[] = "n", name_uu[] = "uu", utf8[] = "utf8mb4";
    static const struct sw_binlog_column columns[] = {{.name = name_id, .type = SW_BINLOG_LONG}, {.name = name_note, .type = SW_BINLOG_VARCHAR, .size = 80, .charset = utf8},
                                                      {.name = name_n, .type = SW_BINLOG_NEWDECIMAL, .size = 10, .scale = 2, .without_sign = true}, {.name = name_uu, .type = SW_BINLOG_STRING, .size = 16, .meaning = SW_BINLOG_UUID}};
    static const struct sw_binlog_collation collations[] = {{8, "latin1"}, {13, "sjis"}, {35, "ucs2"}, {45, "utf8mb4"}, {54, "utf16"}};
    const struct sw_binlog_options options = {.database = "shop", .table = table, .mariadb = true, .catalogue = {columns, 4, collations, 5, true}, .file = "binlog.000001", .position = 4, .record_bytes_max = RECORD_MAX,
                                              .held_bytes_max = 4096, .event_bytes_max = 1 << 20};
    struct sw_binlog *log;
    struct sw_error error = {0};
    struct sw_buffer line = {0};
    uint64_t too_long, lines = 0;
    if (sw_binlog_open(&log, &options, &error) != SW_OK)
        return;
    enum sw_code code = SW_OK;
    for (size_t at = data.len >= 4 && memcmp(data.at, "\xfe" "bin", 4) == 0 ? 4 : 0; code == SW_OK && data.len - at >= 13;) {
        size_t len = (size_t)data.at[at + 9] | (size_t)data.at[at + 10] << 8 | (size_t)data.at[at + 11] << 16 | (size_t)data.at[at + 12] << 24;
        len = len < 13 || len > data.len - at ? data.len - at : len;
        code = sw_binlog_take(log, sw_bytes_of(data.at + at, len), &error);
        at += len;
        while (code == SW_OK && (code = sw_binlog_line(&line, &too_long, log, &error)) == SW_OK && lines++ < 20000)
            if (!too_long)
                check_line(&line);
        code = code == SW_END ? SW_OK : code;
    }
    PROPERTY(code >= 0 || error.text[0]);
    sw_buffer_free(&line);
    sw_binlog_close(&log);
}

static void read_value(struct sw_bytes data)
{
    static char label[] = "a,b", *labels[] = {label, label}, latin1[] = "latin1", sjis[] = "sjis", *charsets[] = {NULL, latin1, sjis};
    struct sw_binlog_column column = {.type = data.at[0], .size = (uint16_t)(data.at[1] | data.at[2] << 8), .scale = data.at[3], .meaning = data.at[4] & 3, .charset = charsets[data.at[5] % 3], .labels = labels, .label_count = 2};
    struct sw_binlog_bytes from = sw_binlog_bytes(sw_bytes_of(data.at + 6, data.len - 6));
    struct sw_binlog_room room = {.bytes_max = RECORD_MAX};
    struct sw_binlog_value value;
    struct sw_buffer out = {0};
    uint8_t present = 1;
    if (sw_binlog_row_split(&value, &column, 1, &present, &from) && value.presence == SW_BINLOG_THERE) {
        sw_buffer_add_text(&out, "{\"v\":");
        enum sw_code code = sw_binlog_value_write(&out, &column, value.bytes, &room, NULL);
        sw_buffer_add_text(&out, "}\n");
        if (code == SW_OK && out.len <= RECORD_MAX)
            check_line(&out);
    }
    sw_buffer_free(&out);
    sw_binlog_room_free(&room);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sw_bytes bytes = sw_bytes_of(data, size);
    struct sw_buffer out = {0};
    sw_json_reader_init(&json, sw_kernel_find(NULL), 2, NULL);
    read_log("t", bytes);
    read_log("kinds", bytes);
    if (size > 6)
        read_value(bytes);
    sw_buffer_add_text(&out, "{\"v\":");
    enum sw_code code = sw_binlog_json_write(&out, bytes, NULL);
    sw_buffer_add_text(&out, "}\n");
    PROPERTY(out.len <= 64 * size + 64);
    if (code == SW_OK && out.len <= RECORD_MAX)
        check_line(&out);
    sw_buffer_free(&out);
    const struct sw_binlog_table_name name = {SW_BYTES_LITERAL("shop"), SW_BYTES_LITERAL("t"), size & 1};
    PROPERTY((unsigned)sw_binlog_statement_effect(bytes, SW_BYTES_LITERAL("shop"), &name) <= SW_BINLOG_MAY_CHANGE);
    sw_json_reader_free(&json);
    return 0;
}

#include "model/schema.h"

#include "model/varint.h"
#include "text/json_write.h"

void sw_value_append(struct sw_buffer *values, struct sw_value value)
{
    uint8_t head[SW_VARINT_MAX];
    uint64_t number = value.state == SW_STATE_VALUE ? value.canonical.len + SW_STATE_VALUE : (uint64_t)value.state;
    sw_buffer_add(values, head, (size_t)(sw_varint_put(head, number) - head));
    if (value.state == SW_STATE_VALUE)
        sw_buffer_add_bytes(values, value.canonical);
}

void sw_key_write_json(struct sw_buffer *out, const struct sw_table *table, struct sw_bytes key)
{
    struct sw_buffer canonical = {0};
    bool bare = table->key_count == 1 && table->keys[0]->name.len == 0;
    if (!bare)
        sw_buffer_add_byte(out, '{');
    for (uint32_t i = 0; i < table->key_count; i++) {
        struct sw_bytes value;
        enum sw_value_status status = SW_VALUE_OK;
        if (!sw_key_column_view(&value, &table->keys[i]->type, &key)) {
            canonical.len = 0;
            status = sw_key_column_read(&canonical, &table->keys[i]->type, &key);
            value = sw_buffer_view(&canonical);
        }
        if (!bare) {
            if (i)
                sw_buffer_add_byte(out, ',');
            sw_json_write_text(out, table->keys[i]->name);
            sw_buffer_add_byte(out, ':');
        }
        if (status == SW_VALUE_OK)
            sw_value_write_json(out, &table->keys[i]->type, value);
        else
            sw_buffer_add_text(out, "null");
    }
    if (!bare)
        sw_buffer_add_byte(out, '}');
    out->failed |= canonical.failed;
    sw_buffer_free(&canonical);
}

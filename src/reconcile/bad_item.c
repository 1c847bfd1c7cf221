/* A bad record on its way to the report and the quarantine, as bytes that sort by place. */
#include "reconcile/read.h"

static void put_big_endian(struct sw_buffer *out, uint64_t number)
{
    for (int i = 7; i >= 0; i--)
        sw_buffer_add_byte(out, (uint8_t)(number >> (8 * i)));
}

static void put_text(struct sw_buffer *out, struct sw_bytes text)
{
    uint8_t head[SW_VARINT_MAX];
    sw_buffer_add(out, head, (size_t)(sw_varint_put(head, text.len) - head));
    sw_buffer_add_bytes(out, text);
}

void sw_bad_item_write(struct sw_buffer *key, struct sw_buffer *content, const struct sw_bad_item *item)
{
    key->len = content->len = 0;
    sw_buffer_add_byte(key, item->role);
    put_big_endian(key, item->input);
    put_big_endian(key, item->block);
    put_big_endian(key, item->line);
    sw_buffer_add_byte(content, item->role);
    put_big_endian(content, item->input);
    put_big_endian(content, item->block);
    put_big_endian(content, item->line);
    sw_buffer_add_byte(content, item->key_known);
    put_text(content, item->reason);
    put_text(content, item->text);
    put_text(content, item->bytes);
}

static uint64_t get_big_endian(const uint8_t **at)
{
    uint64_t number = 0;
    for (int i = 0; i < 8; i++)
        number = number << 8 | *(*at)++;
    return number;
}

static struct sw_bytes get_text(const uint8_t **at)
{
    struct sw_bytes text = {.len = sw_varint_get(at)};
    text.at = *at;
    *at += text.len;
    return text;
}

void sw_bad_item_read(struct sw_bad_item *out, struct sw_bytes content)
{
    const uint8_t *at = content.at;
    out->role = *at++;
    out->input = (uint32_t)get_big_endian(&at);
    out->block = get_big_endian(&at);
    out->line = get_big_endian(&at);
    out->key_known = *at++;
    out->reason = get_text(&at);
    out->text = get_text(&at);
    out->bytes = get_text(&at);
}

#include "order/order_slots.h"

#include <stdio.h>

#include "position/scan.h"
#include "text/json_unescape.h"

/* Of one position. */
#define TEXT_MAX 4096

uint64_t sw_slot_number(struct sw_slot slot)
{
    uint64_t number = 0;
    for (size_t i = 0; i < slot.len; i++)
        number = number << 8 | slot.at[i];
    return slot.len > 8 ? UINT64_MAX : number;
}

void sw_order_begin(struct sw_order_writer *writer, struct sw_order_key *out, const struct sw_order *order, const struct sw_order_record *record)
{
    writer->order = order;
    writer->record = record;
    writer->out = out;
    writer->status = SW_ORDER_OK;
    writer->lacks = 0;
    out->version_len = out->space_len = out->base_len = 0;
    out->named = false;
    out->problem[0] = '\0';
}

struct sw_bytes sw_order_text(struct sw_order_writer *writer, size_t field)
{
    const struct sw_token *token = &writer->record->fields[field];
    struct sw_bytes text = sw_bytes_of(token->at, token->len);
    size_t len;
    if (!token->escaped || token->kind != SW_TOKEN_TEXT)
        return text;
    if (text.len <= sizeof writer->room && sw_json_unescape(writer->room, &len, text))
        return sw_bytes_of(writer->room, len);
    return text; /* longer than any position: it is refused as it stands */
}

void sw_order_no_position(struct sw_order_writer *writer)
{
    if (writer->status == SW_ORDER_OK)
        writer->status = SW_ORDER_NO_POSITION;
}

void sw_order_refuse(struct sw_order_writer *writer, size_t field, const char *expected)
{
    const struct sw_token *token = &writer->record->fields[field];
    if (writer->status == SW_ORDER_INVALID)
        return;
    writer->status = SW_ORDER_INVALID;
    bool hidden = token->kind == SW_TOKEN_TEXT && (token->len == 0 || memchr(token->at, ' ', token->len)); /* an empty text or a blank is seen in quotes alone */
    const char *quote = hidden ? "\"" : "";
    snprintf(writer->out->problem, sizeof writer->out->problem, "%s is %s; found %s%.*s%s%s", writer->order->fields[field].name, expected, quote, (int)(token->len < 40 ? token->len : 40),
             token->len ? (const char *)token->at : "", token->len > 40 ? "…" : token->len || hidden ? "" : "nothing", quote);
}

static void put(struct sw_order_writer *writer, const uint8_t *at, size_t len)
{
    struct sw_order_key *out = writer->out;
    if (len > sizeof out->version - out->version_len) { /* no policy writes so much: a mistake must not corrupt memory */
        writer->status = SW_ORDER_INVALID;
        snprintf(out->problem, sizeof out->problem, "a version is longer than %zu bytes", sizeof out->version);
        return;
    }
    if (len)
        memcpy(out->version + out->version_len, at, len);
    out->version_len = (uint16_t)(out->version_len + len);
}

void sw_order_put_bytes(struct sw_order_writer *writer, const uint8_t *at, size_t len)
{
    while (len && *at == 0)
        at++, len--;
    put(writer, &(uint8_t){(uint8_t)(1 + len)}, 1);
    put(writer, at, len);
}

void sw_order_put_number(struct sw_order_writer *writer, uint64_t number)
{
    uint8_t slot[SW_SLOT_NUMBER_MAX];
    put(writer, slot, (size_t)(sw_slot_put(slot, number) - slot));
}

void sw_order_put_lack(struct sw_order_writer *writer, size_t field)
{
    if (!writer->record->read)
        writer->lacks |= writer->record->declared & 1u << field;
    put(writer, &(uint8_t){0}, 1);
}

void sw_order_put_field(struct sw_order_writer *writer, size_t field)
{
    uint64_t number;
    if (!sw_order_has(writer, field)) {
        sw_order_put_lack(writer, field);
        return;
    }
    enum sw_token_kind kind = (enum sw_token_kind)writer->record->fields[field].kind;
    if ((kind == SW_TOKEN_NUMBER || kind == SW_TOKEN_TEXT) && sw_scan_whole_u64(sw_order_text(writer, field), &number))
        sw_order_put_number(writer, number);
    else
        sw_order_refuse(writer, field, "an integer from 0 to 18446744073709551615");
}

/* A space is text for people: words of printable bytes with blanks between them. */
static bool plain_byte(uint8_t byte) { return byte > 0x20 && byte != 0x7f && byte != '%'; }

static void put_space(struct sw_order_writer *writer, const void *at, size_t len)
{
    struct sw_order_key *out = writer->out;
    if (len > sizeof out->space - out->space_len) {
        writer->status = SW_ORDER_INVALID;
        snprintf(out->problem, sizeof out->problem, "what names the position space is longer than %zu bytes", sizeof out->space);
        return;
    }
    memcpy(out->space + out->space_len, at, len);
    out->space_len = (uint16_t)(out->space_len + len);
}

void sw_order_put_space(struct sw_order_writer *writer, const char *name, struct sw_bytes text)
{
    if (writer->out->space_len)
        put_space(writer, " ", 1);
    if (name) {
        put_space(writer, name, strlen(name));
        put_space(writer, "=", 1);
    }
    for (size_t i = 0, plain; i < text.len && writer->status != SW_ORDER_INVALID; i++) {
        char escaped[4];
        for (plain = i; plain < text.len && plain_byte(text.at[plain]);)
            plain++;
        put_space(writer, text.at + i, plain - i);
        if ((i = plain) < text.len) {
            snprintf(escaped, sizeof escaped, "%%%02X", text.at[i]);
            put_space(writer, escaped, 3);
        }
    }
}

void sw_order_put_space_field(struct sw_order_writer *writer, size_t field, bool source)
{
    enum sw_token_kind kind = (enum sw_token_kind)writer->record->fields[field].kind;
    if (!sw_order_has(writer, field))
        return;
    struct sw_bytes text = sw_order_text(writer, field);
    if ((kind != SW_TOKEN_NUMBER && kind != SW_TOKEN_TEXT) || text.len == 0) {
        sw_order_refuse(writer, field, "a name or number");
        return;
    }
    sw_order_put_space(writer, writer->order->fields[field].name, text);
    writer->out->named |= source;
}

enum sw_order_status sw_order_finish(struct sw_order_writer *writer)
{
    struct sw_bytes left = sw_bytes_of(writer->out->version, writer->out->version_len);
    struct sw_slot slot;
    size_t kept = 0;
    while (sw_slot_next(&slot, &left))
        if (slot.present)
            kept = (size_t)(left.at - writer->out->version);
    writer->out->version_len = (uint16_t)kept;
    writer->out->base_len = writer->out->space_len;
    if (writer->lacks && writer->status == SW_ORDER_OK) {
        const char *before = writer->out->space_len ? " without " : "without ";
        for (size_t i = 0; i < writer->order->field_count; i++)
            if (writer->lacks & 1u << i) {
                put_space(writer, before, strlen(before));
                put_space(writer, writer->order->fields[i].name, strlen(writer->order->fields[i].name));
                before = "+";
            }
    }
    return writer->status;
}

struct sw_token sw_order_token(struct sw_bytes text) { return (struct sw_token){.at = text.at, .len = (uint32_t)text.len, .kind = SW_TOKEN_TEXT}; }

static enum sw_order_status not_one(struct sw_order_key *out, const char *expected, struct sw_bytes text)
{
    snprintf(out->problem, sizeof out->problem, "expected %s, found %.*s%s", expected, (int)(text.len < 60 ? text.len : 60), text.len ? (const char *)text.at : "",
             text.len > 60 ? "…" : text.len ? "" : "nothing");
    return SW_ORDER_INVALID;
}

/* One "NAME=VALUE"; a '-' in the name is a '_'. */
static bool read_attribute(struct sw_token *fields, const struct sw_order *order, struct sw_bytes text)
{
    const uint8_t *equals = text.len ? memchr(text.at, '=', text.len) : NULL;
    if (!equals)
        return false;
    size_t len = (size_t)(equals - text.at);
    for (size_t i = 0; i < order->field_count; i++) {
        const char *name = order->fields[i].name;
        size_t same = 0;
        while (same < len && name[same] && (text.at[same] == (uint8_t)name[same] || (text.at[same] == '-' && name[same] == '_')))
            same++;
        if (same != len || name[same])
            continue;
        if (fields[i].kind != SW_TOKEN_ABSENT)
            return false;
        fields[i] = sw_order_token(sw_bytes_of(equals + 1, text.len - len - 1));
        return true;
    }
    return false;
}

/* Where "@NAME=" begins, or the length: an '@' may stand in a value, too, but not often. */
static size_t core_len(const struct sw_order *order, struct sw_bytes text)
{
    unsigned tries = 8;
    for (size_t at = text.len; at-- > 0 && tries;) {
        struct sw_token unset[SW_ORDER_FIELD_COUNT_MAX] = {{0}};
        if (text.at[at] == '@' && tries-- && read_attribute(unset, order, sw_bytes_of(text.at + at + 1, text.len - at - 1)))
            return at;
    }
    return text.len;
}

enum sw_order_status sw_order_parse_fields(struct sw_order_key *out, const struct sw_order *order, struct sw_bytes text, const char *expected,
                                           bool (*core)(struct sw_token *fields, struct sw_bytes text))
{
    struct sw_token fields[SW_ORDER_FIELD_COUNT_MAX] = {{0}};
    text = text.at ? sw_trim(text) : SW_BYTES_LITERAL("");
    if (text.len > TEXT_MAX)
        return not_one(out, expected, text);
    size_t len = core_len(order, text);
    struct sw_bytes place = sw_trim(sw_bytes_of(text.at, len)), attributes = {text.at + len, text.len - len};
    if (place.len ? !core(fields, place) : !attributes.len)
        return not_one(out, expected, text);
    while (attributes.len) {
        attributes.at++, attributes.len--;
        const uint8_t *comma = attributes.len ? memchr(attributes.at, ',', attributes.len) : NULL;
        size_t one = comma ? (size_t)(comma - attributes.at) : attributes.len;
        if (!read_attribute(fields, order, sw_trim(sw_bytes_of(attributes.at, one)))) {
            snprintf(out->problem, sizeof out->problem, "after the '@' stand fields of the order %s, each once (NAME=VALUE,NAME=VALUE); found %.*s", order->name, (int)(one < 40 ? one : 40),
                     (const char *)attributes.at);
            return SW_ORDER_INVALID;
        }
        attributes.at += one, attributes.len -= one;
    }
    enum sw_order_status status = order->encode(out, &(struct sw_order_record){.fields = fields});
    if (status == SW_ORDER_NO_POSITION)
        return not_one(out, expected, text);
    return status;
}

void sw_order_print_attribute(struct sw_buffer *out, bool *some, const char *name)
{
    sw_buffer_add_byte(out, *some ? ',' : '@');
    *some = true;
    sw_buffer_add_text(out, name);
    sw_buffer_add_byte(out, '=');
}

void sw_order_print_number(struct sw_buffer *out, struct sw_slot slot) { sw_buffer_add_decimal(out, sw_slot_number(slot)); }

static bool find_part(struct sw_bytes *value, struct sw_bytes space, const char *name)
{
    size_t len = strlen(name);
    for (size_t at = 0; at < space.len;) {
        const uint8_t *blank = memchr(space.at + at, ' ', space.len - at);
        size_t end = blank ? (size_t)(blank - space.at) : space.len;
        if (end - at > len && memcmp(space.at + at, name, len) == 0 && space.at[at + len] == '=') {
            *value = sw_bytes_of(space.at + at + len + 1, end - at - len - 1);
            return true;
        }
        at = end + 1;
    }
    return false;
}

struct sw_bytes sw_order_space_before(struct sw_bytes space, const char *name)
{
    struct sw_bytes value;
    return find_part(&value, space, name) ? sw_bytes_of(space.at, (size_t)(value.at - space.at) - strlen(name) - 1) : space;
}

bool sw_order_space_has(struct sw_bytes space, const char *name)
{
    struct sw_bytes value;
    return find_part(&value, space, name);
}

bool sw_order_print_space(struct sw_buffer *out, struct sw_bytes space, const char *name)
{
    struct sw_bytes value;
    if (!find_part(&value, space, name))
        return false;
    for (size_t i = 0; i < value.len; i++) {
        int coded = sw_percent_value(value.at + i, value.len - i);
        sw_buffer_add_byte(out, coded >= 0 ? (uint8_t)coded : value.at[i]);
        i += coded >= 0 ? 2 : 0;
    }
    return true;
}

enum sw_order_reach sw_order_reach_slots(uint32_t split, struct sw_bytes position, struct sw_bytes version)
{
    struct sw_slot declared, found;
    for (unsigned i = 0; sw_slot_next(&declared, &position); i++) {
        bool some = sw_slot_next(&found, &version);
        if (!declared.present)
            continue;
        if (!some || !found.present)
            return SW_ORDER_UNTOLD;
        int order = sw_slot_compare(found, declared);
        if (order)
            return split >> i & 1 ? SW_ORDER_UNTOLD : order < 0 ? SW_ORDER_WITHIN : SW_ORDER_BEYOND;
    }
    return SW_ORDER_WITHIN;
}

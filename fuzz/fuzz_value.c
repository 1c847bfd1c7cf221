/* Two values of one type: what is accepted prints as JSON that reads back to the same bytes, passes through a key and out again,
 * and is ordered as the type says by memcmp. Byte 0 chooses the type, byte 1 the kinds of both values, byte 2 where the second begins. */
#include "property.h"

#include <stdbool.h>
#include <string.h>

#include "model/type.h"
#include "model/value_any.h"

static const char *const types[] = {
    "any", "json", "array", "text", "text trim", "text fold", "text nfc", "text trim fold nfc", "integer", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "uint8 wrap",
    "uint64 wrap", "decimal", "float32", "float64", "boolean", "bytes", "bytes base64", "bytes base64url", "date", "date zero=null unit=days", "date unit=ms", "time", "time(3) zone=+02:00 unit=us",
    "timestamp", "timestamp(0)", "timestamp zone=-03:30 unit=ms", "timestamptz", "timestamptz(6) zone=+08:00 zero=null unit=s", "timestamptz unit=days", "timestamp(9) unit=ns", "uuid", "interval", "bytes escape",
};

/* A scanner has checked UTF-8 before a value is encoded: every byte that is none becomes '?'. */
static void make_utf8(uint8_t *at, size_t len)
{
    for (size_t i = 0; i < len;) {
        uint8_t lead = at[i];
        size_t more = lead < 0x80 ? 0 : lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
        bool good = lead < 0x80 || (lead >= 0xc2 && lead <= 0xf4);
        for (size_t j = 1; good && j <= more; j++)
            good = i + j < len && (at[i + j] & 0xc0) == 0x80;
        if (good && more > 1) {
            uint8_t second = at[i + 1];
            good = !(lead == 0xe0 && second < 0xa0) && !(lead == 0xed && second >= 0xa0) && !(lead == 0xf0 && second < 0x90) && !(lead == 0xf4 && second >= 0x90);
        }
        if (good) {
            i += more + 1;
        } else {
            at[i++] = '?';
        }
    }
}

static struct sw_token make_token(const uint8_t *at, size_t len, unsigned kind)
{
    struct sw_token token = {.at = at, .len = (uint32_t)len};
    switch (kind & 7) {
    case 0: token.kind = SW_TOKEN_NUMBER; break;
    case 1: token.kind = SW_TOKEN_ARRAY; break;
    case 2: token.kind = SW_TOKEN_OBJECT; break;
    case 3: token.kind = len & 1 ? SW_TOKEN_TRUE : SW_TOKEN_FALSE; break;
    case 4: token.kind = SW_TOKEN_TEXT; token.escaped = memchr(at, '\\', len) != NULL; break; /* from JSON */
    default: token.kind = SW_TOKEN_TEXT; break;                                              /* from CSV */
    }
    return token;
}

static struct sw_token token_of_json(struct sw_bytes json)
{
    PROPERTY(json.len > 0);
    uint8_t first = json.at[0];
    if (first == '"') {
        PROPERTY(json.len >= 2 && json.at[json.len - 1] == '"');
        return make_token(json.at + 1, json.len - 2, 4);
    }
    struct sw_token token = make_token(json.at, json.len, first == '[' ? 1 : first == '{' ? 2 : 0);
    if (first == 't' || first == 'f')
        token.kind = first == 't' ? SW_TOKEN_TRUE : SW_TOKEN_FALSE;
    return token;
}

struct value {
    enum sw_value_status status;
    struct sw_buffer canonical, printed;
};

static void read_value(struct value *value, const struct sw_type *type, struct sw_token token, struct sw_value_scratch *scratch)
{
    struct sw_buffer again = {0};
    scratch->problem[0] = '\0';
    value->status = sw_value_encode(&value->canonical, type, token, scratch);
    PROPERTY(value->status != SW_VALUE_NO_MEMORY);
    if (value->status != SW_VALUE_OK) {
        PROPERTY(value->canonical.len == 0);
        PROPERTY(value->status == SW_VALUE_NULL || (memcmp(scratch->problem, "expected ", 9) == 0 && memchr(scratch->problem, '\0', sizeof scratch->problem)));
        return;
    }
    sw_value_write_json(&value->printed, type, sw_buffer_view(&value->canonical));
    PROPERTY(!value->printed.failed);
    PROPERTY(sw_value_encode(&again, type, token_of_json(sw_buffer_view(&value->printed)), scratch) == SW_VALUE_OK);
    PROPERTY(sw_bytes_equal(sw_buffer_view(&again), sw_buffer_view(&value->canonical)));
    sw_buffer_free(&again);
}

static int sign(int order) { return (order > 0) - (order < 0); }

/* Keys (a, b) and (b, a) are ordered as a and b, and each column comes out again. */
static void check_keys(const struct sw_type *type, const struct value *a, const struct value *b)
{
    struct sw_buffer ab = {0}, ba = {0}, out = {0};
    struct sw_bytes left = sw_buffer_view(&a->canonical), right = sw_buffer_view(&b->canonical);
    bool a_null = a->status == SW_VALUE_NULL, b_null = b->status == SW_VALUE_NULL;
    sw_key_column_add(&ab, type, a_null, left);
    sw_key_column_add(&ab, type, b_null, right);
    sw_key_column_add(&ba, type, b_null, right);
    sw_key_column_add(&ba, type, a_null, left);
    int expected = a_null || b_null ? b_null - a_null : sign(sw_bytes_compare(left, right));
    PROPERTY(sign(sw_bytes_compare(sw_buffer_view(&ab), sw_buffer_view(&ba))) == expected);
    PROPERTY((ab.len == ba.len && memcmp(ab.at, ba.at, ab.len) == 0) == (expected == 0));
    struct sw_bytes rest = sw_buffer_view(&ab);
    PROPERTY(sw_key_column_read(&out, type, &rest) == a->status);
    PROPERTY(sw_bytes_equal(sw_buffer_view(&out), left));
    sw_buffer_clear(&out);
    PROPERTY(sw_key_column_read(&out, type, &rest) == b->status);
    PROPERTY(sw_bytes_equal(sw_buffer_view(&out), right) && rest.len == 0);
    sw_buffer_free(&ab);
    sw_buffer_free(&ba);
    sw_buffer_free(&out);
}

/* A printed number, taken apart without the encoder's help: sign, digits without zeros around them, and the place of the first one. */
struct printed_number {
    int sign;
    long long place;
    size_t count;
    char *digits;
};

static struct printed_number take_apart(struct sw_buffer *room, struct sw_bytes text)
{
    struct printed_number number = {.sign = 1};
    bool after_point = false, leading = true;
    size_t i = 0;
    sw_buffer_clear(room);
    if (text.at[0] == '-') {
        number.sign = -1;
        i++;
    }
    for (; i < text.len && text.at[i] != 'e'; i++) {
        if (text.at[i] == '.') {
            after_point = true;
            continue;
        }
        leading &= text.at[i] == '0';
        if (!leading)
            sw_buffer_add_byte(room, text.at[i]);
        number.place += leading ? -after_point : !after_point;
    }
    char exponent[32] = "0";
    if (i < text.len && text.len - i - 1 < sizeof exponent) {
        memcpy(exponent, text.at + i + 1, text.len - i - 1);
        exponent[text.len - i - 1] = '\0';
    }
    number.place += atoll(exponent);
    while (room->len && room->at[room->len - 1] == '0')
        room->len--;
    number.count = room->len;
    number.digits = sw_buffer_text(room);
    if (number.count == 0)
        number = (struct printed_number){.digits = number.digits};
    return number;
}

static int compare_numbers(struct sw_bytes a, struct sw_bytes b)
{
    struct sw_buffer a_room = {0}, b_room = {0};
    struct printed_number x = take_apart(&a_room, a), y = take_apart(&b_room, b);
    int order = x.sign != y.sign ? x.sign - y.sign : x.place != y.place ? (x.place > y.place ? x.sign : -x.sign) : x.sign * strcmp(x.digits, y.digits);
    sw_buffer_free(&a_room);
    sw_buffer_free(&b_room);
    return sign(order);
}

static bool is_number(struct sw_bytes json) { return json.at[0] == '-' || (json.at[0] >= '0' && json.at[0] <= '9'); }

/* The order of the canonical bytes is that of the values, told from what is printed. */
static void check_order(const struct sw_type *type, const struct value *a, const struct value *b)
{
    struct sw_bytes left = sw_buffer_view(&a->printed), right = sw_buffer_view(&b->printed);
    int order = sign(sw_bytes_compare(sw_buffer_view(&a->canonical), sw_buffer_view(&b->canonical)));
    PROPERTY((order == 0) == sw_bytes_equal(left, right)); /* one value has one spelling */
    if (is_number(left) && is_number(right) && type->kind != SW_TYPE_TEXT)
        PROPERTY(order == compare_numbers(left, right));
    if (type->kind >= SW_TYPE_DATE && type->kind <= SW_TYPE_TIMESTAMPTZ && left.at[1] >= '0' && left.at[1] <= '9' && right.at[1] >= '0' && right.at[1] <= '9'
        && (type->kind != SW_TYPE_TIME || (left.at[3] == ':' && right.at[3] == ':')) && sw_value_comparable(type, sw_buffer_view(&a->canonical), sw_buffer_view(&b->canonical))) {
        /* without the last quote and Z, "…:05.5" stands above "…:05" */
        struct sw_bytes x = sw_bytes_of(left.at, left.len - 1 - (left.at[left.len - 2] == 'Z')), y = sw_bytes_of(right.at, right.len - 1 - (right.at[right.len - 2] == 'Z'));
        PROPERTY(order == sign(sw_bytes_compare(x, y)));
    }
}

/* The raw encoders say the same as the long way, within the room they ask for. */
static void check_raw(const struct sw_token *token)
{
    struct sw_type any = {.kind = SW_TYPE_ANY, .precision = -1};
    struct sw_value_scratch scratch = {0};
    struct sw_buffer out = {0};
    struct sw_bytes text = sw_bytes_of(token->at, token->len);
    uint8_t raw[SW_ANY_INTEGER_MAX];
    size_t len = sw_any_integer_encode(raw, text);
    PROPERTY(len <= sizeof raw);
    if (len) {
        struct sw_token number = {token->at, token->len, SW_TOKEN_NUMBER, false};
        PROPERTY(sw_value_encode(&out, &any, number, &scratch) == SW_VALUE_OK);
        PROPERTY(sw_bytes_equal(sw_buffer_view(&out), sw_bytes_of(raw, len)));
    }
    uint8_t *room = malloc(SW_ANY_TEXT_MAX(text.len));
    PROPERTY(room);
    len = sw_any_text_encode(room, text);
    PROPERTY(len <= SW_ANY_TEXT_MAX(text.len));
    sw_buffer_clear(&out);
    struct sw_token plain = {token->at, token->len, SW_TOKEN_TEXT, false};
    PROPERTY(sw_value_encode(&out, &any, plain, &scratch) == SW_VALUE_OK);
    PROPERTY(sw_bytes_equal(sw_buffer_view(&out), sw_bytes_of(room, len)));
    free(room);
    sw_buffer_free(&out);
    sw_value_scratch_free(&scratch);
}

/* Any bytes at all as a key or a canonical value: nothing is read past their end. */
static void check_hostile(const struct sw_type *type, struct sw_bytes bytes)
{
    struct sw_buffer out = {0};
    struct sw_bytes rest = bytes;
    while (rest.len) {
        size_t before = rest.len;
        if (sw_key_column_read(&out, type, &rest) == SW_VALUE_INVALID)
            break;
        PROPERTY(rest.len < before);
    }
    sw_buffer_clear(&out);
    sw_value_write_json(&out, type, bytes);
    sw_buffer_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 3)
        return 0;
    struct sw_type type;
    if (sw_type_parse(&type, sw_bytes_text(types[data[0] % (sizeof types / sizeof *types)]), NULL) != SW_OK)
        return 0; /* fold and nfc in a build without them */
    size_t len = size - 3, first = len ? data[2] % (len + 1) : 0;
    check_hostile(&type, sw_bytes_of(data + 3, len));

    uint8_t *a_text = malloc(first + 1), *b_text = malloc(len - first + 1);
    PROPERTY(a_text && b_text);
    memcpy(a_text, data + 3, first);
    memcpy(b_text, data + 3 + first, len - first);
    make_utf8(a_text, first);
    make_utf8(b_text, len - first);
    struct sw_token a_token = make_token(a_text, first, data[1]), b_token = make_token(b_text, len - first, data[1] >> 3);
    struct sw_value_scratch scratch = {0};
    struct value a = {0}, b = {0};
    read_value(&a, &type, a_token, &scratch);
    read_value(&b, &type, b_token, &scratch);
    if (a.status != SW_VALUE_INVALID && b.status != SW_VALUE_INVALID)
        check_keys(&type, &a, &b);
    if (a.status == SW_VALUE_OK && b.status == SW_VALUE_OK)
        check_order(&type, &a, &b);
    check_raw(&a_token);
    sw_buffer_free(&a.canonical);
    sw_buffer_free(&a.printed);
    sw_buffer_free(&b.canonical);
    sw_buffer_free(&b.printed);
    sw_value_scratch_free(&scratch);
    free(a_text);
    free(b_text);
    return 0;
}

/* Kind "mongodb": a cluster time or a change stream's resume token.
 * Sources: MongoDB manual, "Change Streams", "Timestamp (BSON)". That tokens of one time order as text is unconfirmed,
 * so it is not used. */
#include "position/mongodb.h"

#include "base/memory.h"
#include "position/position.h"
#include "position/scan.h"

#define TOKEN_MAX 65536

struct mongodb_position {
    struct sw_position base;
    struct sw_cluster_time time;
    char *token; /* hexadecimal, upper case; NULL for a cluster time */
};

enum { CLUSTER, STREAM };

static const struct mongodb_position *of(const struct sw_position *self) { return (const struct mongodb_position *)(const void *)self; }

struct sw_cluster_time sw_cluster_time_of(const struct sw_position *position, bool *is_token)
{
    *is_token = of(position)->token != NULL;
    return of(position)->time;
}

/* A member name, with or without quotes, and the ':' behind it. */
static bool scan_member(struct sw_scan *scan, const char *name)
{
    sw_scan_blanks(scan);
    uint8_t quote = sw_scan_peek(scan, '"') ? '"' : sw_scan_peek(scan, '\'') ? '\'' : 0;
    if (quote)
        scan->at++;
    return sw_scan_word(scan, name) && (!quote || sw_scan_byte(scan, quote)) && sw_scan_token(scan, ':');
}

static bool scan_u32(struct sw_scan *scan, uint32_t *out)
{
    uint64_t number;
    sw_scan_blanks(scan);
    if (!sw_scan_u64(scan, &number) || number > UINT32_MAX)
        return false;
    *out = (uint32_t)number;
    return true;
}

/* {t:1,i:2} in either order */
static bool scan_time_object(struct sw_scan *scan, struct sw_cluster_time *out)
{
    if (!sw_scan_token(scan, '{'))
        return false;
    struct sw_scan start = *scan;
    if (scan_member(scan, "t") && scan_u32(scan, &out->seconds) && sw_scan_token(scan, ',') && scan_member(scan, "i") && scan_u32(scan, &out->increment))
        return sw_scan_token(scan, '}');
    *scan = start;
    return scan_member(scan, "i") && scan_u32(scan, &out->increment) && sw_scan_token(scan, ',') && scan_member(scan, "t") && scan_u32(scan, &out->seconds) && sw_scan_token(scan, '}');
}

bool sw_cluster_time_parse(struct sw_cluster_time *out, const uint8_t *at, size_t len)
{
    struct sw_scan scan = sw_scan_of(sw_bytes_of(at, len));
    struct sw_cluster_time time = {0};
    bool good;
    if (sw_scan_word(&scan, "Timestamp")) {
        good = sw_scan_token(&scan, '(');
        struct sw_scan inside = scan;
        if (good && sw_scan_token(&inside, '{'))
            good = scan_time_object(&scan, &time);
        else
            good = good && scan_u32(&scan, &time.seconds) && sw_scan_token(&scan, ',') && scan_u32(&scan, &time.increment);
        good = good && sw_scan_token(&scan, ')');
    } else if (sw_scan_peek(&scan, '{')) {
        good = sw_scan_token(&scan, '{') && scan_member(&scan, "$timestamp") && scan_time_object(&scan, &time) && sw_scan_token(&scan, '}');
    } else {
        good = scan_u32(&scan, &time.seconds) && sw_scan_byte(&scan, ':') && scan_u32(&scan, &time.increment);
    }
    if (!good || !sw_scan_done(&scan))
        return false;
    *out = time;
    return true;
}

bool sw_resume_token_time(struct sw_cluster_time *out, const uint8_t *at, size_t len)
{
    if (len < 18 || len % 2 || len > TOKEN_MAX || at[0] != '8' || at[1] != '2')
        return false;
    for (size_t i = 0; i < len; i++)
        if (sw_hex_value(at[i]) < 0)
            return false;
    uint32_t parts[2] = {0, 0};
    for (size_t i = 2; i < 18; i++)
        parts[i >= 10] = parts[i >= 10] << 4 | (uint32_t)sw_hex_value(at[i]);
    *out = (struct sw_cluster_time){parts[0], parts[1]};
    return true;
}

/* {"_data":"82..."} → the hexadecimal text; the text itself if it is no object. */
static struct sw_bytes token_data(struct sw_bytes text)
{
    struct sw_scan scan = sw_scan_of(text);
    if (!sw_scan_token(&scan, '{'))
        return text;
    struct sw_bytes none = {0};
    if (!scan_member(&scan, "_data"))
        return none;
    sw_scan_blanks(&scan);
    uint8_t quote = sw_scan_peek(&scan, '"') ? '"' : '\'';
    if (!sw_scan_byte(&scan, quote))
        return none;
    const uint8_t *end = memchr(scan.at, quote, (size_t)(scan.end - scan.at));
    if (!end)
        return none;
    struct sw_bytes data = sw_bytes_of(scan.at, (size_t)(end - scan.at));
    scan.at = end + 1;
    return sw_scan_token(&scan, '}') && sw_scan_done(&scan) ? data : none;
}

static enum sw_code parse(struct sw_position *base, struct sw_bytes text, struct sw_error *error)
{
    struct mongodb_position *self = (struct mongodb_position *)(void *)base;
    if (sw_cluster_time_parse(&self->time, text.at, text.len))
        return SW_OK;
    struct sw_bytes data = token_data(text);
    char quoted[SW_QUOTE_MAX];
    if (!sw_resume_token_time(&self->time, data.at, data.len))
        return sw_fail(error, SW_ERR_INPUT,
            "not a MongoDB position: expected a cluster time such as Timestamp(1764500000,3), or a resume token, hexadecimal text that begins with 82, found %s", sw_position__quote(quoted, text));
    self->token = sw_strndup((const char *)data.at, data.len);
    if (!self->token)
        return sw_fail_memory(error, "a resume token", data.len);
    for (size_t i = 0; i < data.len; i++)
        if (self->token[i] >= 'a')
            self->token[i] = (char)(self->token[i] - 32);
    return SW_OK;
}

static void print(struct sw_buffer *out, const struct sw_position *self)
{
    if (of(self)->token)
        sw_buffer_add_text(out, of(self)->token);
    else
        sw_buffer_printf(out, "Timestamp(%u,%u)", of(self)->time.seconds, of(self)->time.increment);
}

static void release(struct sw_position *self) { sw_free(((struct mongodb_position *)(void *)self)->token); }

static void compare(struct sw_position_comparison *out, const struct sw_position *left, const struct sw_position *right, const struct sw_position_compare_options *options)
{
    (void)options;
    const struct mongodb_position *a = of(left), *b = of(right);
    int way = sw_cluster_time_compare(a->time, b->time);
    if (way)
        sw_position__say(out, way < 0 ? SW_POSITION_BEFORE : SW_POSITION_AFTER, "cluster time (%u,%u) is %s than (%u,%u)", a->time.seconds, a->time.increment, way < 0 ? "lower" : "higher",
            b->time.seconds, b->time.increment);
    else if (!a->token && !b->token)
        sw_position__say(out, SW_POSITION_EQUAL, "the cluster time is the same");
    else if (!a->token || !b->token)
        sw_position__say(out, SW_POSITION_INCOMPARABLE, "the cluster time is the same, and only one side is a resume token, which stands at a place within that time");
    else if (strcmp(a->token, b->token) == 0)
        sw_position__say(out, SW_POSITION_EQUAL, "the resume tokens are the same");
    else
        sw_position__say(out, SW_POSITION_INCOMPARABLE, "two different resume tokens of one cluster time (%u,%u): their inside is the server's own, and no documented rule orders them", a->time.seconds,
            a->time.increment);
}

const struct sw_position_kind sw_kind_mongodb = {
    .info = {
        .name = "mongodb",
        .source = "MongoDB",
        .form = "a cluster time (Timestamp(T,I), {\"$timestamp\":{\"t\":T,\"i\":I}} or T:I) or a resume token (hexadecimal, or {\"_data\":\"82...\"})",
        .example = "Timestamp(1764500000,3)@cluster=rs0",
        .attributes = "cluster, stream (what the change stream watches: tokens are bound to it)",
    },
    .size = sizeof(struct mongodb_position),
    .attributes = {
        [CLUSTER] = {"cluster", "cluster", SW_ATTRIBUTE_WORD, SW_ATTRIBUTE_IDENTITY},
        [STREAM] = {"stream", "stream shape", SW_ATTRIBUTE_WORD, SW_ATTRIBUTE_HINT},
    },
    .parse = parse,
    .print = print,
    .compare = compare,
    .release = release,
};

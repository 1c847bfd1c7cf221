/* Kind "datastream": the position of a Datastream source, as sort keys of an event, as the start position of a REST call,
 * or as SOURCE:POSITION.
 * Sources: Datastream documentation, "Recover a stream" (specificStartPosition) and events reference (sort_keys). The
 * leading time of sort keys is no part of the position. */
#include "position/datastream.h"

#include "position/attribute.h"
#include "position/lsn.h"
#include "position/scan.h"

#define ELEMENTS_MAX 8

struct datastream_position {
    struct sw_position base;
    struct sw_position *inner;
};

static const struct sw_position_kind *const sources[] = {&sw_kind_mysql, &sw_kind_mysql_gtid, &sw_kind_oracle, &sw_kind_sqlserver, &sw_kind_postgres, &sw_kind_mongodb};

static struct datastream_position *self_of(struct sw_position *base) { return (struct datastream_position *)(void *)base; }
const struct sw_position *sw_datastream_inner(const struct sw_position *position) { return ((const struct datastream_position *)(const void *)position)->inner; }

/* ---- a little JSON: what these positions consist of, and no more ---- */

/* Appends the inside of a string at the cursor, escapes resolved; false for \u, which no position contains. */
static bool scan_string(struct sw_scan *scan, struct sw_buffer *out)
{
    if (!sw_scan_token(scan, '"'))
        return false;
    while (scan->at < scan->end && *scan->at != '"') {
        uint8_t byte = *scan->at++;
        if (byte == '\\') {
            if (sw_scan_done(scan))
                return false;
            byte = *scan->at++;
            if (byte == 'n')
                byte = '\n';
            else if (byte == 't')
                byte = '\t';
            else if (byte == 'r')
                byte = '\r';
            else if (byte != '"' && byte != '\\' && byte != '/')
                return false;
        }
        sw_buffer_add_byte(out, byte);
    }
    return sw_scan_byte(scan, '"');
}

/* A string, or a whole number, as text. */
static bool scan_value(struct sw_scan *scan, struct sw_buffer *out)
{
    sw_scan_blanks(scan);
    if (sw_scan_peek(scan, '"'))
        return scan_string(scan, out);
    const uint8_t *from = scan->at;
    (void)sw_scan_byte(scan, '-');
    const uint8_t *digits = scan->at;
    while (scan->at < scan->end && sw_is_digit(*scan->at))
        scan->at++;
    sw_buffer_add(out, from, (size_t)(scan->at - from));
    return scan->at > digits;
}

/* ---- sort keys ---- */

struct elements {
    struct sw_buffer text; /* all values, one after the other */
    size_t ends[ELEMENTS_MAX];
    size_t count;
};

static struct sw_bytes element(const struct elements *elements, size_t i)
{
    size_t from = i ? elements->ends[i - 1] : 0;
    return elements->text.at ? sw_trim(sw_bytes_of(elements->text.at + from, elements->ends[i] - from)) : (struct sw_bytes){0};
}

static bool scan_elements(struct elements *out, struct sw_scan *scan)
{
    if (!sw_scan_token(scan, '['))
        return false;
    do {
        if (out->count == ELEMENTS_MAX || !scan_value(scan, &out->text))
            return false;
        out->ends[out->count++] = out->text.len;
    } while (sw_scan_token(scan, ','));
    return sw_scan_token(scan, ']') && (sw_scan_blanks(scan), sw_scan_done(scan));
}

static bool is_number(struct sw_bytes text)
{
    uint64_t number;
    return sw_scan_whole_u64(text, &number);
}

/* Writes the source's own text; the kind is what the shape says, since sort keys do not name their source. */
static enum sw_code read_sort_keys(const struct sw_position_kind **kind, struct sw_buffer *core, struct sw_buffer *details, struct sw_bytes text, struct sw_error *error)
{
    struct elements keys = {.count = 0};
    struct sw_scan scan = sw_scan_of(text);
    char quoted[SW_QUOTE_MAX];
    enum sw_code code = SW_OK;
    uint64_t lsn;
    bool read = scan_elements(&keys, &scan);
    if (keys.text.failed) {
        code = sw_fail_memory(error, "sort keys", keys.text.len);
    } else if (!read || !is_number(element(&keys, 0))) {
        code = sw_fail(error, SW_ERR_INPUT, "not sort keys of Datastream: expected an array of numbers and texts that begins with a time, such as [1764500000000,\"mysql-bin.000042\",3141], found %s",
            sw_position__quote(quoted, text));
    } else if (keys.count == 1 || (keys.count == 2 && is_number(element(&keys, 1)))) {
        code = sw_fail(error, SW_ERR_INPUT, "the sort keys %s hold a time and no position: a time says when something was written, not from where the log goes on", sw_position__quote(quoted, text));
    } else if (keys.count == 3 && (!element(&keys, 1).len || is_number(element(&keys, 1)))) {
        code = sw_fail(error, SW_ERR_INPUT, "the sort keys %s are of a backfill row: it was read from the table, and has no place in the log", sw_position__quote(quoted, text));
    } else if (keys.count == 3 && is_number(element(&keys, 2))) {
        *kind = &sw_kind_mysql;
        sw_buffer_add_bytes(core, element(&keys, 1));
        sw_buffer_add_byte(core, ':');
        sw_buffer_add_bytes(core, element(&keys, 2));
    } else if (keys.count == 4 && is_number(element(&keys, 1)) && is_number(element(&keys, 3))) {
        *kind = &sw_kind_oracle;
        sw_buffer_add_bytes(core, element(&keys, 1));
        if (element(&keys, 2).len) {
            sw_buffer_add_text(details, "rs-id=");
            sw_buffer_add_bytes(details, element(&keys, 2));
            sw_buffer_add_text(details, ",ssn=");
            sw_buffer_add_bytes(details, element(&keys, 3));
        }
    } else if (keys.count == 2) {
        struct sw_bytes place = element(&keys, 1);
        *kind = sw_lsn_parse(&lsn, place.at, place.len) ? &sw_kind_postgres : &sw_kind_sqlserver;
        sw_buffer_add_bytes(core, place);
    } else {
        code = sw_fail(error, SW_ERR_INPUT, "the sort keys %s have none of the known shapes: [time, file, offset], [time, scn, rs_id, ssn], [time, lsn]", sw_position__quote(quoted, text));
    }
    sw_buffer_free(&keys.text);
    return code;
}

/* ---- start positions of the REST interface ---- */

/* The members of one object whose values are texts or numbers; those named are appended to `first` and `second`. */
static bool scan_members(struct sw_scan *scan, const char *first_name, struct sw_buffer *first, const char *second_name, struct sw_buffer *second)
{
    if (!sw_scan_token(scan, '{'))
        return false;
    bool good = true;
    do {
        struct sw_buffer name = {0};
        good = scan_string(scan, &name) && sw_scan_token(scan, ':');
        bool is_first = good && sw_bytes_is(sw_buffer_view(&name), first_name);
        bool is_second = good && second_name && sw_bytes_is(sw_buffer_view(&name), second_name);
        good = good && (is_first || is_second) && scan_value(scan, is_first ? first : second);
        first->failed |= name.failed;
        sw_buffer_free(&name);
    } while (good && sw_scan_token(scan, ','));
    return good && sw_scan_token(scan, '}');
}

static enum sw_code read_start(const struct sw_position_kind **kind, struct sw_buffer *core, struct sw_bytes text, struct sw_error *error)
{
    struct sw_scan scan = sw_scan_of(text);
    struct sw_buffer name = {0}, offset = {0};
    unsigned depth = 0;
    bool good = true, mongodb = false;
    do { /* {"cdcStrategy":{"specificStartPosition":{... */
        sw_buffer_clear(&name);
        good = sw_scan_token(&scan, '{') && scan_string(&scan, &name) && sw_scan_token(&scan, ':') && ++depth < 4;
    } while (good && (sw_bytes_is(sw_buffer_view(&name), "cdcStrategy") || sw_bytes_is(sw_buffer_view(&name), "specificStartPosition")));
    struct sw_bytes member = sw_buffer_view(&name);
    if (good && sw_bytes_is(member, "mysqlLogPosition")) {
        *kind = &sw_kind_mysql;
        good = scan_members(&scan, "logFile", core, "logPosition", &offset);
        if (good && offset.len) {
            sw_buffer_add_byte(core, ':');
            sw_buffer_add_bytes(core, sw_buffer_view(&offset));
        }
    } else if (good && sw_bytes_is(member, "mysqlGtidPosition")) {
        *kind = &sw_kind_mysql_gtid;
        good = scan_members(&scan, "gtidSet", core, NULL, NULL);
    } else if (good && sw_bytes_is(member, "oracleScnPosition")) {
        *kind = &sw_kind_oracle;
        good = scan_members(&scan, "scn", core, NULL, NULL);
    } else if (good && sw_bytes_is(member, "sqlServerLsnPosition")) {
        *kind = &sw_kind_sqlserver;
        good = scan_members(&scan, "lsn", core, NULL, NULL);
    } else {
        mongodb = good && sw_bytes_is(member, "mongodbChangeStreamPosition");
        good = false;
    }
    for (; good && depth; depth--)
        good = sw_scan_token(&scan, '}');
    sw_scan_blanks(&scan);
    char quoted[SW_QUOTE_MAX];
    enum sw_code code = SW_OK;
    if (name.failed || offset.failed || core->failed)
        code = sw_fail_memory(error, "a start position", text.len);
    else if (mongodb)
        code = sw_fail(error, SW_ERR_INPUT, "the content of mongodbChangeStreamPosition is not documented: give mongodb: and a cluster time or resume token");
    else if (!good || !sw_scan_done(&scan))
        code = sw_fail(error, SW_ERR_INPUT,
            "not a start position of Datastream: expected an object with mysqlLogPosition, mysqlGtidPosition, oracleScnPosition or sqlServerLsnPosition (mostRecentStartPosition and nextAvailableStartPosition name no place), found %s",
            sw_position__quote(quoted, text));
    sw_buffer_free(&name);
    sw_buffer_free(&offset);
    return code;
}

/* ---- the kind ---- */

static enum sw_code parse(struct sw_position *base, struct sw_bytes text, struct sw_error *error)
{
    struct sw_buffer core = {0}, details = {0}, whole = {0};
    struct sw_bytes place, attributes;
    const struct sw_position_kind *kind = NULL;
    enum sw_code code = SW_OK;
    sw_attributes_split(&place, &attributes, text);
    if (place.len && place.at[0] == '[')
        code = read_sort_keys(&kind, &core, &details, place, error);
    else if (place.len && place.at[0] == '{')
        code = read_start(&kind, &core, place, error);
    for (size_t i = 0; code >= 0 && !kind && i < sizeof sources / sizeof *sources; i++) {
        struct sw_scan scan = sw_scan_of(place);
        if (sw_scan_word(&scan, sources[i]->info.name) && sw_scan_byte(&scan, ':')) {
            kind = sources[i];
            sw_buffer_add_bytes(&core, sw_scan_rest(&scan));
        }
    }
    char quoted[SW_QUOTE_MAX];
    if (code >= 0 && !kind)
        code = sw_fail(error, SW_ERR_INPUT,
            "not a Datastream position: expected sort keys ([...]), a start position ({...}), or SOURCE:POSITION with mysql, mysql-gtid, oracle, sqlserver, postgres or mongodb, found %s",
            sw_position__quote(quoted, text));
    sw_buffer_add_bytes(&whole, sw_buffer_view(&core));
    if (details.len || attributes.len)
        sw_buffer_add_byte(&whole, '@');
    sw_buffer_add_bytes(&whole, sw_buffer_view(&details));
    if (details.len && attributes.len)
        sw_buffer_add_byte(&whole, ',');
    sw_buffer_add_bytes(&whole, attributes);
    if (code >= 0 && (whole.failed || core.failed || details.failed))
        code = sw_fail_memory(error, "a position", text.len);
    if (code >= 0)
        code = sw_position__parse(&self_of(base)->inner, kind, sw_buffer_view(&whole), error);
    if (code >= 0)
        base->notes = self_of(base)->inner->notes;
    sw_buffer_free(&core);
    sw_buffer_free(&details);
    sw_buffer_free(&whole);
    return code;
}

static void print(struct sw_buffer *out, const struct sw_position *self)
{
    const struct sw_position *inner = sw_datastream_inner(self);
    sw_buffer_add_text(out, inner->kind->info.name);
    sw_buffer_add_byte(out, ':');
    sw_position__print(out, inner);
}

static void release(struct sw_position *base) { sw_position_free(&self_of(base)->inner); }

static void compare(struct sw_position_comparison *out, const struct sw_position *a, const struct sw_position *b, const struct sw_position_compare_options *options)
{
    (void)sw_position_compare(out, sw_datastream_inner(a), sw_datastream_inner(b), options);
}

const struct sw_position_kind sw_kind_datastream = {
    .info = {
        .name = "datastream",
        .source = "Google Datastream",
        .form = "sort keys of an event, a specificStartPosition object, or SOURCE:POSITION",
        .example = "[1764500000000,\"mysql-bin.000042\",3141]",
        .attributes = "those of the source's own kind",
    },
    .size = sizeof(struct datastream_position),
    .whole_text = true,
    .parse = parse,
    .print = print,
    .compare = compare,
    .release = release,
};

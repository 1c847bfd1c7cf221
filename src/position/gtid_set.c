/* Kind "mysql-gtid": a set of MySQL transactions.
 * Sources: MySQL manual, "GTID Format and Storage", "Functions Used with GTIDs"; mysql-server sql/rpl_gtid_set.cc
 * (leniency), gtid_constants.h (length of a tag); AWS documentation on tags (their case does not matter). */
#include "position/gtid_set.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "position/scan.h"

/* ---- one identifier ---- */

static bool tag_starts(uint8_t byte) { return (sw_lower(byte) >= 'a' && sw_lower(byte) <= 'z') || byte == '_'; }
static bool tag_goes_on(uint8_t byte) { return tag_starts(byte) || sw_is_digit(byte); }

/* Writes the folded tag; 0 if there is none, or it is too long. */
static uint8_t scan_tag(struct sw_scan *scan, char out[SW_GTID_TAG_MAX])
{
    size_t len = 0;
    if (scan->at == scan->end || !tag_starts(*scan->at))
        return 0;
    while (scan->at + len < scan->end && tag_goes_on(scan->at[len])) {
        if (len == SW_GTID_TAG_MAX)
            return 0;
        out[len] = (char)sw_lower(scan->at[len]);
        len++;
    }
    scan->at += len;
    return (uint8_t)len;
}

bool sw_gtid_parse(struct sw_gtid *out, const uint8_t *at, size_t len)
{
    struct sw_scan scan = sw_scan_of(sw_bytes_of(at, len));
    struct sw_gtid gtid = {0};
    if (!sw_scan_uuid(&scan, gtid.uuid) || !sw_scan_byte(&scan, ':'))
        return false;
    if (scan.at < scan.end && tag_starts(*scan.at)) {
        gtid.tag_len = scan_tag(&scan, gtid.tag);
        if (!gtid.tag_len || !sw_scan_byte(&scan, ':'))
            return false;
    }
    if (!sw_scan_u64(&scan, &gtid.number) || !sw_scan_done(&scan) || gtid.number == 0 || gtid.number > SW_GTID_NUMBER_MAX)
        return false;
    *out = gtid;
    return true;
}

/* ---- building ---- */

void sw_gtid_set_free(struct sw_gtid_set *set)
{
    sw_free(set->sources);
    sw_free(set->intervals);
    *set = (struct sw_gtid_set){0};
}

static enum sw_code grow(void **array, size_t *capacity, size_t wanted, size_t size, struct sw_error *error)
{
    if (wanted <= *capacity)
        return SW_OK;
    size_t more = *capacity * 2 > wanted ? *capacity * 2 : wanted + 8;
    void *moved = sw_realloc_array(*array, more, size);
    if (!moved)
        return sw_fail_memory(error, "a set of GTIDs", more * size);
    *array = moved;
    *capacity = more;
    return SW_OK;
}

static enum sw_code reserve(struct sw_gtid_set *set, size_t sources, size_t intervals, struct sw_error *error)
{
    if (intervals > SW_GTID_INTERVALS_MAX)
        return sw_fail(error, SW_ERR_LIMIT, "a set of GTIDs has more than %zu intervals", SW_GTID_INTERVALS_MAX);
    void *moved = set->sources;
    enum sw_code code = grow(&moved, &set->source_capacity, sources, sizeof *set->sources, error);
    set->sources = moved;
    if (code < 0)
        return code;
    moved = set->intervals;
    code = grow(&moved, &set->interval_capacity, intervals, sizeof *set->intervals, error);
    set->intervals = moved;
    return code;
}

static int compare_sources(const struct sw_gtid_source *a, const struct sw_gtid_source *b)
{
    int order = memcmp(a->uuid, b->uuid, 16);
    if (order)
        return order;
    size_t common = a->tag_len < b->tag_len ? a->tag_len : b->tag_len;
    order = memcmp(a->tag, b->tag, common);
    return order ? order : (int)a->tag_len - (int)b->tag_len;
}

static int by_source(const void *a, const void *b)
{
    const struct sw_gtid_source *left = a, *right = b;
    int order = compare_sources(left, right);
    return order ? order : (left->begin > right->begin) - (left->begin < right->begin);
}

static int by_first(const void *a, const void *b)
{
    const struct sw_gtid_interval *left = a, *right = b;
    return (left->first > right->first) - (left->first < right->first);
}

/* Appends an interval that does not begin before the last one of the source; merges if they overlap or touch.
 * Room has been reserved. */
static void append(struct sw_gtid_set *set, struct sw_gtid_source *source, uint64_t first, uint64_t last)
{
    if (source->count) {
        struct sw_gtid_interval *previous = &set->intervals[set->interval_count - 1];
        if (first <= previous->last + 1) { /* numbers stay below 2^63: no overflow */
            if (last > previous->last)
                previous->last = last;
            return;
        }
    }
    set->intervals[set->interval_count++] = (struct sw_gtid_interval){first, last};
    source->count++;
}

/* Starts a source that sorts after all others of the set; its first interval is appended next. */
static struct sw_gtid_source *start(struct sw_gtid_set *set, const struct sw_gtid_source *like)
{
    struct sw_gtid_source *source = &set->sources[set->source_count++];
    *source = *like;
    source->begin = set->interval_count;
    source->count = 0;
    return source;
}

/* Takes back a source that received nothing. */
static void end(struct sw_gtid_set *set)
{
    if (!set->sources[set->source_count - 1].count)
        set->source_count--;
}

/* Turns what was read, in any order, into the canonical set. Linear if it was in order already. */
static enum sw_code normalise(struct sw_gtid_set *out, struct sw_gtid_set *read, struct sw_error *error)
{
    bool sorted = true;
    for (size_t i = 1; i < read->source_count && sorted; i++)
        sorted = compare_sources(&read->sources[i - 1], &read->sources[i]) <= 0;
    if (!sorted)
        qsort(read->sources, read->source_count, sizeof *read->sources, by_source);
    struct sw_gtid_set one = {0}; /* the intervals of one source, gathered from its parts */
    enum sw_code code = reserve(out, read->source_count, read->interval_count, error);
    for (size_t i = 0; code >= 0 && i < read->source_count;) {
        one.interval_count = 0;
        size_t next = i;
        for (; code >= 0 && next < read->source_count && compare_sources(&read->sources[i], &read->sources[next]) == 0; next++) {
            const struct sw_gtid_source *part = &read->sources[next];
            code = reserve(&one, 0, one.interval_count + part->count, error);
            if (code >= 0 && part->count) {
                memcpy(one.intervals + one.interval_count, read->intervals + part->begin, part->count * sizeof *one.intervals);
                one.interval_count += part->count;
            }
        }
        bool ascending = true;
        for (size_t k = 1; k < one.interval_count && ascending; k++)
            ascending = one.intervals[k - 1].first <= one.intervals[k].first;
        if (!ascending)
            qsort(one.intervals, one.interval_count, sizeof *one.intervals, by_first);
        if (code >= 0 && one.interval_count) {
            struct sw_gtid_source *source = start(out, &read->sources[i]);
            for (size_t k = 0; k < one.interval_count; k++)
                append(out, source, one.intervals[k].first, one.intervals[k].last);
        }
        i = next;
    }
    sw_gtid_set_free(&one);
    return code;
}

/* ---- text ---- */

static enum sw_code refuse(struct sw_bytes text, const struct sw_scan *scan, const char *expected, struct sw_error *error)
{
    char quoted[SW_QUOTE_MAX];
    return sw_fail(error, SW_ERR_INPUT, "not a set of GTIDs: at byte %zu expected %s, found %s; a set reads uuid:1-5:7:tag:1-3,uuid:...", (size_t)(scan->at - text.at), expected,
        scan->at == scan->end ? "the end" : sw_position__quote(quoted, sw_scan_rest(scan)));
}

static enum sw_code scan_number(uint64_t *out, struct sw_bytes text, struct sw_scan *scan, uint32_t *notes, struct sw_error *error)
{
    sw_scan_blanks(scan);
    if (scan->end - scan->at > 1 && scan->at[0] == '0' && sw_is_digit(scan->at[1]))
        *notes |= SW_NOTE_LEADING_ZERO;
    struct sw_scan before = *scan;
    if (!sw_scan_u64(scan, out) || *out == 0 || *out > SW_GTID_NUMBER_MAX)
        return refuse(text, &before, "a transaction number from 1 to 9223372036854775807", error);
    return SW_OK;
}

/* One uuid with its tags and intervals, up to a ',' or the end. */
static enum sw_code scan_uuid_set(struct sw_gtid_set *read, struct sw_bytes text, struct sw_scan *scan, uint32_t *notes, struct sw_error *error)
{
    struct sw_gtid_source like = {0};
    if (!sw_scan_uuid(scan, like.uuid))
        return refuse(text, scan, "a UUID of 8-4-4-4-12 hexadecimal digits", error);
    bool open = false; /* the last source of `read` is the one of this uuid and tag */
    while (sw_scan_token(scan, ':')) {
        sw_scan_blanks(scan);
        if (scan->at < scan->end && tag_starts(*scan->at)) {
            struct sw_scan before = *scan;
            like.tag_len = scan_tag(scan, like.tag);
            if (!like.tag_len)
                return refuse(text, &before, "a tag of at most 32 letters, digits and '_'", error);
            if (!sw_scan_token(scan, ':'))
                return refuse(text, scan, "':' and an interval after a tag", error);
            open = false;
        }
        uint64_t first = 0, last = 0;
        enum sw_code code = scan_number(&first, text, scan, notes, error);
        last = first;
        if (code >= 0 && sw_scan_token(scan, '-'))
            code = scan_number(&last, text, scan, notes, error);
        if (code >= 0)
            code = reserve(read, read->source_count + 1, read->interval_count + 1, error);
        if (code < 0)
            return code;
        if (last < first) {
            *notes |= SW_NOTE_EMPTY_INTERVAL;
            continue;
        }
        struct sw_gtid_source *source = open ? &read->sources[read->source_count - 1] : start(read, &like);
        open = true;
        read->intervals[read->interval_count++] = (struct sw_gtid_interval){first, last};
        source->count++;
    }
    sw_scan_blanks(scan);
    return sw_scan_done(scan) || sw_scan_peek(scan, ',') ? SW_OK : refuse(text, scan, "':' and an interval, ',' and a UUID, or the end", error);
}

enum sw_code sw_gtid_set_parse(struct sw_gtid_set *out, struct sw_bytes text, uint32_t *notes, struct sw_error *error)
{
    struct sw_gtid_set read = {0};
    struct sw_scan scan = sw_scan_of(text);
    uint32_t ignored = 0;
    enum sw_code code = SW_OK;
    *out = (struct sw_gtid_set){0};
    for (;;) {
        sw_scan_blanks(&scan);
        if (sw_scan_done(&scan) || code < 0)
            break;
        if (!sw_scan_byte(&scan, ','))
            code = scan_uuid_set(&read, text, &scan, notes ? notes : &ignored, error);
    }
    if (code >= 0)
        code = normalise(out, &read, error);
    if (code < 0)
        sw_gtid_set_free(out);
    sw_gtid_set_free(&read);
    return code;
}

static size_t decimal(char out[20], uint64_t number)
{
    char digits[20];
    size_t len = 0;
    do
        digits[len++] = (char)('0' + number % 10);
    while (number /= 10);
    for (size_t i = 0; i < len; i++)
        out[i] = digits[len - 1 - i];
    return len;
}

void sw_gtid_set_print_some(struct sw_buffer *out, const struct sw_gtid_set *set, size_t most)
{
    size_t printed = 0;
    for (size_t i = 0; i < set->source_count && printed < most; i++) {
        const struct sw_gtid_source *source = &set->sources[i];
        bool same_uuid = i && memcmp(source->uuid, source[-1].uuid, 16) == 0;
        char text[48];
        if (!same_uuid) {
            if (i)
                sw_buffer_add_byte(out, ',');
            sw_uuid_print(text, source->uuid);
            sw_buffer_add(out, text, 36);
        }
        if (source->tag_len) {
            sw_buffer_add_byte(out, ':');
            sw_buffer_add(out, source->tag, source->tag_len);
        }
        for (size_t k = 0; k < source->count && printed < most; k++, printed++) {
            const struct sw_gtid_interval *interval = &set->intervals[source->begin + k];
            size_t len = 0;
            text[len++] = ':';
            len += decimal(text + len, interval->first);
            if (interval->last > interval->first) {
                text[len++] = '-';
                len += decimal(text + len, interval->last);
            }
            sw_buffer_add(out, text, len);
        }
    }
    if (printed < set->interval_count)
        sw_buffer_printf(out, " and %zu more intervals", set->interval_count - printed);
}

void sw_gtid_set_print(struct sw_buffer *out, const struct sw_gtid_set *set) { sw_gtid_set_print_some(out, set, SIZE_MAX); }

/* ---- algebra ---- */

/* Walks two sets by source: *left and *right are set where the smaller source stands, both if it is in both. */
static bool next_sources(const struct sw_gtid_set *a, size_t *i, const struct sw_gtid_set *b, size_t *k, const struct sw_gtid_source **left, const struct sw_gtid_source **right)
{
    *left = *i < a->source_count ? &a->sources[*i] : NULL;
    *right = *k < b->source_count ? &b->sources[*k] : NULL;
    if (!*left && !*right)
        return false;
    int order = !*left ? 1 : !*right ? -1 : compare_sources(*left, *right);
    if (order > 0)
        *left = NULL;
    if (order < 0)
        *right = NULL;
    *i += *left != NULL;
    *k += *right != NULL;
    return true;
}

static void add_all(struct sw_gtid_set *out, struct sw_gtid_source *source, const struct sw_gtid_set *from, const struct sw_gtid_source *part)
{
    memcpy(out->intervals + out->interval_count, from->intervals + part->begin, part->count * sizeof *out->intervals);
    out->interval_count += part->count;
    source->count += part->count;
}

static void unite_intervals(struct sw_gtid_set *out, struct sw_gtid_source *source, const struct sw_gtid_interval *a, size_t a_count, const struct sw_gtid_interval *b, size_t b_count)
{
    for (size_t i = 0, k = 0; i < a_count || k < b_count;) {
        const struct sw_gtid_interval *next = k == b_count || (i < a_count && a[i].first <= b[k].first) ? &a[i++] : &b[k++];
        append(out, source, next->first, next->last);
    }
}

static void intersect_intervals(struct sw_gtid_set *out, struct sw_gtid_source *source, const struct sw_gtid_interval *a, size_t a_count, const struct sw_gtid_interval *b, size_t b_count)
{
    for (size_t i = 0, k = 0; i < a_count && k < b_count;) {
        uint64_t first = a[i].first > b[k].first ? a[i].first : b[k].first, last = a[i].last < b[k].last ? a[i].last : b[k].last;
        if (first <= last)
            append(out, source, first, last);
        if (a[i].last < b[k].last)
            i++;
        else
            k++;
    }
}

/* Calls `emit` for each interval of a − b, in order, until it returns false. */
static bool subtract_intervals(const struct sw_gtid_interval *a, size_t a_count, const struct sw_gtid_interval *b, size_t b_count, bool (*emit)(uint64_t, uint64_t, void *), void *ctx)
{
    size_t k = 0;
    for (size_t i = 0; i < a_count; i++) {
        uint64_t first = a[i].first;
        while (k < b_count && b[k].last < first)
            k++;
        size_t at = k;
        while (at < b_count && b[at].first <= a[i].last) {
            if (b[at].first > first && !emit(first, b[at].first - 1, ctx))
                return false;
            first = b[at].last + 1;
            if (first > a[i].last)
                break;
            at++;
        }
        k = at;
        if (first <= a[i].last && !emit(first, a[i].last, ctx))
            return false;
    }
    return true;
}

enum sw_code sw_gtid_set_unite(struct sw_gtid_set *out, const struct sw_gtid_set *a, const struct sw_gtid_set *b, struct sw_error *error)
{
    *out = (struct sw_gtid_set){0};
    enum sw_code code = reserve(out, a->source_count + b->source_count, a->interval_count + b->interval_count, error);
    const struct sw_gtid_source *left, *right;
    for (size_t i = 0, k = 0; code >= 0 && next_sources(a, &i, b, &k, &left, &right);) {
        struct sw_gtid_source *source = start(out, left ? left : right);
        if (left && right)
            unite_intervals(out, source, a->intervals + left->begin, left->count, b->intervals + right->begin, right->count);
        else
            add_all(out, source, left ? a : b, left ? left : right);
    }
    if (code < 0)
        sw_gtid_set_free(out);
    return code;
}

enum sw_code sw_gtid_set_intersect(struct sw_gtid_set *out, const struct sw_gtid_set *a, const struct sw_gtid_set *b, struct sw_error *error)
{
    *out = (struct sw_gtid_set){0};
    size_t sources = a->source_count < b->source_count ? a->source_count : b->source_count;
    enum sw_code code = reserve(out, sources + 1, a->interval_count + b->interval_count, error);
    const struct sw_gtid_source *left, *right;
    for (size_t i = 0, k = 0; code >= 0 && next_sources(a, &i, b, &k, &left, &right);) {
        if (!left || !right)
            continue;
        struct sw_gtid_source *source = start(out, left);
        intersect_intervals(out, source, a->intervals + left->begin, left->count, b->intervals + right->begin, right->count);
        end(out);
    }
    if (code < 0)
        sw_gtid_set_free(out);
    return code;
}

struct builder {
    struct sw_gtid_set *set;
    struct sw_gtid_source *source;
};

static bool emit_append(uint64_t first, uint64_t last, void *ctx)
{
    struct builder *builder = ctx;
    append(builder->set, builder->source, first, last);
    return true;
}

enum sw_code sw_gtid_set_subtract(struct sw_gtid_set *out, const struct sw_gtid_set *a, const struct sw_gtid_set *b, struct sw_error *error)
{
    *out = (struct sw_gtid_set){0};
    enum sw_code code = reserve(out, a->source_count + 1, a->interval_count + b->interval_count, error);
    const struct sw_gtid_source *left, *right;
    for (size_t i = 0, k = 0; code >= 0 && next_sources(a, &i, b, &k, &left, &right);) {
        if (!left)
            continue;
        struct builder builder = {out, start(out, left)};
        if (right)
            (void)subtract_intervals(a->intervals + left->begin, left->count, b->intervals + right->begin, right->count, emit_append, &builder);
        else
            add_all(out, builder.source, a, left);
        end(out);
    }
    if (code < 0)
        sw_gtid_set_free(out);
    return code;
}

enum sw_code sw_gtid_set_restrict(struct sw_gtid_set *out, const struct sw_gtid_set *set, const uint8_t (*uuids)[16], size_t count, bool exclude, struct sw_error *error)
{
    *out = (struct sw_gtid_set){0};
    enum sw_code code = reserve(out, set->source_count, set->interval_count, error);
    for (size_t i = 0; code >= 0 && i < set->source_count; i++) {
        bool listed = false;
        for (size_t k = 0; k < count && !listed; k++)
            listed = memcmp(set->sources[i].uuid, uuids[k], 16) == 0;
        if (listed != exclude)
            add_all(out, start(out, &set->sources[i]), set, &set->sources[i]);
    }
    if (code < 0)
        sw_gtid_set_free(out);
    return code;
}

/* The count and the first interval of a − b. */
struct missing {
    uint64_t count, first, last;
    const struct sw_gtid_source *source, *now;
    bool only_one;
};

static bool emit_count(uint64_t first, uint64_t last, void *ctx)
{
    struct missing *missing = ctx;
    if (!missing->count) {
        missing->first = first;
        missing->last = last;
        missing->source = missing->now;
    }
    if (__builtin_add_overflow(missing->count, last - first + 1, &missing->count))
        missing->count = UINT64_MAX;
    return !missing->only_one;
}

static void count_missing(struct missing *out, const struct sw_gtid_set *a, const struct sw_gtid_set *b)
{
    const struct sw_gtid_source *left, *right;
    for (size_t i = 0, k = 0; next_sources(a, &i, b, &k, &left, &right);) {
        if (!left)
            continue;
        out->now = left;
        if (!subtract_intervals(a->intervals + left->begin, left->count, right ? b->intervals + right->begin : NULL, right ? right->count : 0, emit_count, out))
            return;
    }
}

bool sw_gtid_set_contains(const struct sw_gtid_set *a, const struct sw_gtid_set *b)
{
    struct missing missing = {.only_one = true};
    count_missing(&missing, b, a);
    return missing.count == 0;
}

bool sw_gtid_set_has(const struct sw_gtid_set *set, const struct sw_gtid *gtid)
{
    struct sw_gtid_source wanted = {.tag_len = gtid->tag_len};
    memcpy(wanted.uuid, gtid->uuid, 16);
    memcpy(wanted.tag, gtid->tag, sizeof wanted.tag);
    size_t low = 0, high = set->source_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_sources(&set->sources[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == set->source_count || compare_sources(&set->sources[low], &wanted) != 0)
        return false;
    const struct sw_gtid_interval *intervals = set->intervals + set->sources[low].begin;
    size_t from = 0, to = set->sources[low].count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (intervals[middle].last < gtid->number)
            from = middle + 1;
        else
            to = middle;
    }
    return from < set->sources[low].count && intervals[from].first <= gtid->number;
}

uint64_t sw_gtid_set_count(const struct sw_gtid_set *set)
{
    uint64_t count = 0;
    for (size_t i = 0; i < set->interval_count; i++)
        if (__builtin_add_overflow(count, set->intervals[i].last - set->intervals[i].first + 1, &count))
            return UINT64_MAX;
    return count;
}

static const char *example(char out[160], const struct missing *missing)
{
    char uuid[36];
    sw_uuid_print(uuid, missing->source->uuid);
    char range[48];
    if (missing->last > missing->first)
        snprintf(range, sizeof range, "%llu-%llu", (unsigned long long)missing->first, (unsigned long long)missing->last);
    else
        snprintf(range, sizeof range, "%llu", (unsigned long long)missing->first);
    snprintf(out, 160, "%.36s:%.*s%s%s", uuid, (int)missing->source->tag_len, missing->source->tag, missing->source->tag_len ? ":" : "", range);
    return out;
}

void sw_gtid_set_compare(struct sw_position_comparison *out, const struct sw_gtid_set *a, const struct sw_gtid_set *b)
{
    struct missing only_a = {0}, only_b = {0};
    char left[160], right[160];
    count_missing(&only_a, a, b);
    count_missing(&only_b, b, a);
    if (!only_a.count && !only_b.count)
        sw_position__say(out, SW_POSITION_EQUAL, "both sets hold the same transactions");
    else if (!only_a.count)
        sw_position__say(out, SW_POSITION_BEFORE, "the second set holds all of the first and %llu transaction%s more, from %s on", (unsigned long long)only_b.count, only_b.count == 1 ? "" : "s", example(right, &only_b));
    else if (!only_b.count)
        sw_position__say(out, SW_POSITION_AFTER, "the first set holds all of the second and %llu transaction%s more, from %s on", (unsigned long long)only_a.count, only_a.count == 1 ? "" : "s", example(left, &only_a));
    else
        sw_position__say(out, SW_POSITION_INCOMPARABLE,
            "neither set holds the other: the second lacks %llu of the first (from %s on), the first lacks %llu of the second (from %s on): the histories diverged, or were filtered differently",
            (unsigned long long)only_a.count, example(left, &only_a), (unsigned long long)only_b.count, example(right, &only_b));
}

/* ---- the kind ---- */

struct gtid_position {
    struct sw_position base;
    struct sw_gtid_set set;
};

static struct gtid_position *self_of(struct sw_position *base) { return (struct gtid_position *)(void *)base; }
const struct sw_gtid_set *sw_gtid_set_of(const struct sw_position *position) { return &((const struct gtid_position *)(const void *)position)->set; }

static enum sw_code parse(struct sw_position *base, struct sw_bytes text, struct sw_error *error) { return sw_gtid_set_parse(&self_of(base)->set, text, &base->notes, error); }
static void print(struct sw_buffer *out, const struct sw_position *self) { sw_gtid_set_print(out, sw_gtid_set_of(self)); }
static void release(struct sw_position *base) { sw_gtid_set_free(&self_of(base)->set); }

static void compare(struct sw_position_comparison *out, const struct sw_position *a, const struct sw_position *b, const struct sw_position_compare_options *options)
{
    (void)options;
    sw_gtid_set_compare(out, sw_gtid_set_of(a), sw_gtid_set_of(b));
}

static enum sw_code combine(struct sw_position *out, const struct sw_position *a, const struct sw_position *b, enum sw_set_operation operation, struct sw_error *error)
{
    struct sw_gtid_set *set = &self_of(out)->set;
    switch (operation) {
    case SW_SET_UNITE: return sw_gtid_set_unite(set, sw_gtid_set_of(a), sw_gtid_set_of(b), error);
    case SW_SET_SUBTRACT: return sw_gtid_set_subtract(set, sw_gtid_set_of(a), sw_gtid_set_of(b), error);
    case SW_SET_INTERSECT: break;
    }
    return sw_gtid_set_intersect(set, sw_gtid_set_of(a), sw_gtid_set_of(b), error);
}

static bool contains(const struct sw_position *a, const struct sw_position *b) { return sw_gtid_set_contains(sw_gtid_set_of(a), sw_gtid_set_of(b)); }
static uint64_t count(const struct sw_position *a) { return sw_gtid_set_count(sw_gtid_set_of(a)); }

static const struct sw_position_sets sets = {combine, contains, count};

const struct sw_position_kind sw_kind_mysql_gtid = {
    .info = {
        .name = "mysql-gtid",
        .source = "MySQL, by sets of transactions",
        .form = "a set of GTIDs (uuid:1-5:7:tag:1-3,uuid:...)",
        .example = "3a1f0000-0000-0000-0000-000000000001:1-5:7",
        .attributes = "",
        .is_set = true,
    },
    .size = sizeof(struct gtid_position),
    .parse = parse,
    .print = print,
    .compare = compare,
    .release = release,
    .sets = &sets,
};

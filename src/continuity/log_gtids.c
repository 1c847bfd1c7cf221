/* What is in evidence of MySQL's transactions, held against the sets that are declared. Sets are canonical throughout; only here do numbers of spaces
 * become one set of GTIDs. */
#include <string.h>

#include "base/memory.h"
#include "continuity/log_scan.h"

/* A space of the order mysql-gtid begins with UUID[:TAG]; what its records lack follows a blank. */
static struct sw_bytes source_of(struct sw_bytes space)
{
    const uint8_t *blank = space.len ? memchr(space.at, ' ', space.len) : NULL;
    return sw_bytes_of(space.at, blank ? (size_t)(blank - space.at) : space.len);
}

static void put_interval(struct sw_buffer *text, struct sw_bytes source, uint64_t first, uint64_t last)
{
    if (text->len)
        sw_buffer_add_byte(text, ',');
    sw_buffer_add_bytes(text, source);
    sw_buffer_printf(text, ":%llu-%llu", (unsigned long long)first, (unsigned long long)last);
}

static enum sw_code parse(struct sw_gtid_set *out, struct sw_buffer *text, struct sw_error *error)
{
    enum sw_code code = text->failed ? sw_fail_memory(error, "a set of GTIDs", text->len) : sw_gtid_set_parse(out, sw_buffer_view(text), NULL, error);
    sw_buffer_free(text);
    return code;
}

static enum sw_code seen_set(struct sw_gtid_set *out, const struct sw_scan_report *scan, struct sw_error *error)
{
    struct sw_buffer text = {0};
    for (uint32_t i = 0; i < scan->all.space_count; i++) {
        const struct sw_number_list *numbers = &scan->all.spaces[i].numbers.all;
        if (!numbers->count) /* also of spaces that were only declared */
            continue;
        struct sw_bytes source = source_of(sw_spaces_text(scan->run->reading.spaces, i));
        put_interval(&text, source, numbers->at[0].first, numbers->at[0].last);
        for (size_t k = 1; k < numbers->count; k++)
            sw_buffer_printf(&text, ":%llu-%llu", (unsigned long long)numbers->at[k].first, (unsigned long long)numbers->at[k].last);
    }
    if (scan->seen_before)
        sw_buffer_printf(&text, "%s%s", text.len ? "," : "", scan->seen_before);
    return parse(out, &text, error);
}

static const struct sw_gtid_source *find_source(const struct sw_gtid_set *set, const struct sw_gtid_source *like)
{
    for (size_t i = 0; i < set->source_count; i++)
        if (memcmp(set->sources[i].uuid, like->uuid, 16) == 0 && set->sources[i].tag_len == like->tag_len && memcmp(set->sources[i].tag, like->tag, like->tag_len) == 0)
            return &set->sources[i];
    return NULL;
}

static void put_source(struct sw_buffer *text, const struct sw_gtid_source *source)
{
    for (int i = 0; i < 16; i++)
        sw_buffer_printf(text, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", source->uuid[i]);
    if (source->tag_len) {
        sw_buffer_add_byte(text, ':');
        sw_buffer_add(text, source->tag, source->tag_len);
    }
}

/* Where no executed set is declared: of each source all from the first to the last that is seen, and from 1 on where the set before is declared. */
static enum sw_code hull(struct sw_gtid_set *out, const struct sw_gtid_set *seen, const struct sw_gtid_set *after, struct sw_error *error)
{
    struct sw_buffer text = {0};
    for (size_t i = 0; i < seen->source_count; i++) {
        const struct sw_gtid_source *source = &seen->sources[i];
        uint64_t first = find_source(after, source) ? 1 : seen->intervals[source->begin].first;
        struct sw_buffer name = {0};
        put_source(&name, source);
        put_interval(&text, sw_buffer_view(&name), first, seen->intervals[source->begin + source->count - 1].last);
        text.failed |= name.failed;
        sw_buffer_free(&name);
    }
    return parse(out, &text, error);
}

static enum sw_code declared_set(struct sw_gtid_set *out, const char *text, struct sw_error *error)
{
    return text ? sw_gtid_set_parse(out, sw_bytes_text(text), NULL, error) : SW_OK;
}

static bool print_set(char **out, uint64_t *count, const struct sw_gtid_set *set)
{
    struct sw_buffer text = {0};
    sw_gtid_set_print(&text, set);
    *out = text.failed ? NULL : sw_strndup((const char *)text.at, text.len);
    sw_buffer_free(&text);
    if (count)
        *count = sw_gtid_set_count(set);
    return *out != NULL;
}

static uint32_t space_of(const struct sw_scan_report *scan, struct sw_bytes source)
{
    for (uint32_t i = 0; i < scan->all.space_count; i++)
        if (scan->all.spaces[i].reach.events && sw_bytes_equal(source_of(sw_spaces_text(scan->run->reading.spaces, i)), source))
            return i;
    return UINT32_MAX;
}

static enum sw_code add_gaps(struct sw_scan_report *scan, const struct sw_gtid_set *set, const struct sw_gtid_set *seen, bool discarded, struct sw_error *error)
{
    enum sw_code code = SW_OK;
    for (size_t i = 0; i < set->source_count && code == SW_OK; i++) {
        const struct sw_gtid_source *source = &set->sources[i], *in_evidence = find_source(seen, source);
        struct sw_buffer name = {0};
        put_source(&name, source);
        for (size_t k = 0; k < source->count && code == SW_OK && !name.failed; k++) {
            struct sw_gtid_interval interval = set->intervals[source->begin + k];
            struct sw_log_gap gap = {.space = space_of(scan, sw_buffer_view(&name)), .from_included = true, .to_included = true, .discarded = discarded, .possible = true,
                                     .count = interval.last - interval.first + 1, .first = interval.first, .last = interval.last};
            gap.before_all = !in_evidence || interval.last < seen->intervals[in_evidence->begin].first;
            gap.after_all = !in_evidence || interval.first > seen->intervals[in_evidence->begin + in_evidence->count - 1].last;
            struct sw_buffer from = {0}, to = {0};
            sw_buffer_printf(&from, "%.*s:%llu", (int)name.len, (const char *)name.at, (unsigned long long)interval.first);
            sw_buffer_printf(&to, "%.*s:%llu", (int)name.len, (const char *)name.at, (unsigned long long)interval.last);
            gap.space_text = sw_buffer_text(&name);
            gap.from = sw_buffer_text(&from);
            gap.to = sw_buffer_text(&to);
            code = gap.space_text && gap.from && gap.to && !name.failed && !from.failed && !to.failed ? sw_log_add_gap(scan, &gap, error) : sw_fail_memory(error, "a gap", 0);
            sw_buffer_free(&from);
            sw_buffer_free(&to);
        }
        if (name.failed)
            code = sw_fail_memory(error, "a gap", 0);
        sw_buffer_free(&name);
    }
    return code;
}

enum sw_code sw_log_judge_gtids(struct sw_scan_report *scan, struct sw_error *error)
{
    struct sw_gtid_set seen = {0}, after = {0}, executed = {0}, purged = {0}, whole = {0}, expected = {0}, missing = {0}, discarded = {0}, unseen = {0}, foreign = {0}, again = {0};
    enum sw_code code = seen_set(&seen, scan, error);
    if (code == SW_OK)
        code = declared_set(&after, scan->after, error);
    if (code == SW_OK)
        code = declared_set(&executed, scan->executed, error);
    if (code == SW_OK)
        code = declared_set(&purged, scan->purged, error);
    if (code == SW_OK && !scan->executed)
        code = hull(&whole, &seen, &after, error);
    if (code == SW_OK)
        code = sw_gtid_set_subtract(&expected, scan->executed ? &executed : &whole, &after, error);
    if (code == SW_OK)
        code = sw_gtid_set_subtract(&missing, &expected, &seen, error);
    if (code == SW_OK)
        code = sw_gtid_set_intersect(&discarded, &missing, &purged, error);
    if (code == SW_OK)
        code = sw_gtid_set_subtract(&unseen, &missing, &purged, error);
    if (code == SW_OK && scan->executed)
        code = sw_gtid_set_subtract(&foreign, &seen, &executed, error);
    if (code == SW_OK)
        code = sw_gtid_set_intersect(&again, &seen, &after, error);
    if (code == SW_OK)
        code = add_gaps(scan, &discarded, &seen, true, error);
    if (code == SW_OK)
        code = add_gaps(scan, &unseen, &seen, false, error);
    if (code == SW_OK) {
        char **declared[] = {&scan->after, &scan->executed, &scan->purged};
        const struct sw_gtid_set *sets[] = {&after, &executed, &purged};
        bool printed = print_set(&scan->gtids.seen, NULL, &seen) && print_set(&scan->gtids.expected, NULL, &expected) &&
                       print_set(&scan->gtids.missing, &scan->gtids.missing_count, &missing) && print_set(&scan->gtids.discarded, &scan->gtids.discarded_count, &discarded) &&
                       print_set(&scan->gtids.foreign, &scan->gtids.foreign_count, &foreign) && print_set(&scan->gtids.again, &scan->gtids.again_count, &again);
        for (size_t i = 0; i < 3 && printed; i++)
            if (*declared[i]) { /* as they were read, canonically */
                sw_free(*declared[i]);
                printed = print_set(declared[i], NULL, sets[i]);
            }
        code = printed ? SW_OK : sw_fail_memory(error, "a set of GTIDs", 0);
    }
    struct sw_gtid_set *all[] = {&seen, &after, &executed, &purged, &whole, &expected, &missing, &discarded, &unseen, &foreign, &again};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        sw_gtid_set_free(all[i]);
    return code;
}

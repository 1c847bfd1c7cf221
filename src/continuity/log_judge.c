/* What the events show, held against what is declared: gaps, proofs, and what follows. No sentence says more than the evidence. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "continuity/log_scan.h"

char *sw_log_print(const struct sw_scan_report *scan, uint32_t space, struct sw_bytes version)
{
    struct sw_buffer text = {0};
    scan->run->reading.order->print(&text, version, space == UINT32_MAX ? (struct sw_bytes){0} : sw_spaces_text(scan->run->reading.spaces, space));
    char *printed = text.failed ? NULL : sw_strndup((const char *)text.at, text.len);
    sw_buffer_free(&text);
    return printed;
}

enum sw_code sw_log_add_gap(struct sw_scan_report *scan, const struct sw_log_gap *gap, struct sw_error *error)
{
    scan->gap_count++;
    scan->hole_numbers += gap->count;
    scan->single_holes += gap->count == 1;
    if (scan->gaps_listed == SW_LOG_GAPS_LISTED)
        return SW_OK;
    if (scan->gaps_listed == scan->gap_capacity) {
        uint32_t capacity = scan->gap_capacity * 2 + 8;
        struct sw_log_gap *grown = sw_realloc_array(scan->gaps, capacity, sizeof *grown);
        if (!grown)
            return sw_fail_memory(error, "gaps", capacity * sizeof *grown);
        scan->gaps = grown;
        scan->gap_capacity = capacity;
    }
    struct sw_log_gap *to = &scan->gaps[scan->gaps_listed++];
    *to = *gap;
    to->space_text = sw_strdup(gap->space_text ? gap->space_text : "");
    to->from = sw_strdup(gap->from ? gap->from : "");
    to->to = gap->to ? sw_strdup(gap->to) : NULL;
    return to->space_text && to->from && (to->to || !gap->to) ? SW_OK : sw_fail_memory(error, "gaps", 0);
}

/* ---- tables around a gap ---- */

static uint32_t base_of(const struct sw_scan_report *scan, uint32_t space) { return sw_spaces_base(scan->run->reading.spaces, space); }

struct around { struct sw_bytes name; };

static int by_name(const void *a, const void *b) { return sw_bytes_compare(((const struct around *)a)->name, ((const struct around *)b)->name); }

/* Does the table have events below and above the numbers of the gap? Only gaps of numbers lie between events. */
static bool is_around(const struct sw_scan_report *scan, const struct sw_log_gap *gap, const struct sw_log_reach *reach)
{
    const struct sw_order *order = scan->run->reading.order;
    return gap->count && sw_log_number(order, sw_log_version(&reach->first)) < gap->first && sw_log_number(order, sw_log_version(&reach->last)) > gap->last;
}

uint32_t sw_log_tables_around(const struct sw_scan_report *scan, const struct sw_log_gap *gap, uint32_t most, void (*take)(struct sw_bytes table, void *ctx), void *ctx)
{
    uint32_t count = 0;
    if (gap->space == UINT32_MAX)
        return 0;
    struct around *found = sw_malloc((scan->all.pair_count + 1) * sizeof *found);
    if (!found)
        return UINT32_MAX;
    for (uint32_t i = 0; i < scan->all.pair_capacity; i++) {
        const struct sw_log_table_space *pair = &scan->all.pairs[i];
        if (pair->reach.events && base_of(scan, (uint32_t)(pair->key >> 32)) == base_of(scan, gap->space) && is_around(scan, gap, &pair->reach))
            found[count++].name = sw_schema_table_at(scan->run->reading.schema, (uint32_t)pair->key)->name;
    }
    if (count)
        qsort(found, count, sizeof *found, by_name);
    for (uint32_t i = 0; i < count && i < most; i++)
        take(found[i].name, ctx);
    sw_free(found);
    return count;
}

/* ---- times ---- */

void sw_log_print_time(struct sw_buffer *out, const struct sw_order_time *time)
{
    struct sw_order_time shown = *time;
    uint64_t unit = 1;
    if (time->kind == SW_TIME_NUMBER) {
        while (unit <= 1000000000 && !(time->whole / (int64_t)unit >= 1000000000 && time->whole / (int64_t)unit < 4000000000))
            unit *= 1000;
        if (unit > 1000000000 || time->fraction) {
            sw_buffer_printf(out, "%lld", (long long)time->whole);
            return;
        }
        shown.whole = time->whole / (int64_t)unit;
        shown.fraction = (uint64_t)(time->whole % (int64_t)unit) * (1000000000000000000u / unit);
    }
    time_t seconds = (time_t)shown.whole;
    struct tm utc;
    char text[48];
    if (!gmtime_r(&seconds, &utc) || !strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc))
        return;
    sw_buffer_add_text(out, text);
    if (shown.fraction) {
        int len = snprintf(text, sizeof text, ".%018llu", (unsigned long long)shown.fraction);
        while (len > 2 && text[len - 1] == '0')
            len--;
        sw_buffer_add(out, text, (size_t)len);
    }
    if (time->kind != SW_TIME_LOCAL)
        sw_buffer_add_byte(out, 'Z');
}

/* ---- what is declared ---- */

/* The declared place of a space; NULL: none. SW_ERR_USAGE where one is declared for several spaces at once. */
static enum sw_code place_of(const struct sw_order_position **out, const struct sw_order_positions *places, struct sw_bytes space, uint32_t spaces, const char *option, struct sw_error *error)
{
    *out = NULL;
    for (size_t i = 0; i < places->count; i++) {
        const struct sw_order_position *place = &places->places[i];
        if (!place->space.len && spaces > 1)
            return sw_fail(error, SW_ERR_USAGE, "%s names no space, and the events stand in %u: write SPACE=POSITION;SPACE=POSITION (the spaces are those that a scan without it lists)", option, spaces);
        if (!place->space.len || sw_space_says(space, place->space))
            *out = place;
    }
    return SW_OK;
}

/* Spaces that are declared and have no event. */
static enum sw_code add_unseen_spaces(struct sw_scan_report *scan, const struct sw_order_positions *places, struct sw_error *error)
{
    enum sw_code code = SW_OK;
    for (size_t p = 0; p < places->count && code == SW_OK; p++) {
        const struct sw_order_position *place = &places->places[p];
        bool seen = !place->space.len && scan->all.space_count;
        for (uint32_t i = 0; i < scan->all.space_count && !seen; i++)
            seen = scan->all.spaces[i].reach.events && sw_space_says(sw_spaces_text(scan->run->reading.spaces, i), place->space);
        if (seen)
            continue;
        struct sw_buffer from = {0}, name = {0};
        scan->run->reading.order->print(&from, place->position, place->space);
        sw_buffer_add_bytes(&name, place->space);
        struct sw_log_gap gap = {.space = UINT32_MAX, .from_included = true, .possible = true, .before_all = true, .after_all = true};
        gap.space_text = sw_buffer_text(&name);
        gap.from = sw_buffer_text(&from);
        code = gap.space_text && gap.from && !name.failed && !from.failed ? sw_log_add_gap(scan, &gap, error) : sw_fail_memory(error, "a gap", 0);
        sw_buffer_free(&from);
        sw_buffer_free(&name);
    }
    return code;
}

/* ---- gaps of numbers ---- */

static enum sw_code add_hole(struct sw_scan_report *scan, uint32_t space, uint64_t first, uint64_t last, bool discarded, struct sw_error *error)
{
    const struct sw_number_list *numbers = &scan->all.spaces[space].numbers.all;
    struct sw_bytes text = sw_spaces_text(scan->run->reading.spaces, space);
    struct sw_log_gap gap = {.space = space, .from_included = true, .to_included = true, .discarded = discarded, .possible = true, .count = last - first + 1, .first = first, .last = last};
    char from[32], to[32];
    gap.before_all = last < numbers->at[0].first;
    gap.after_all = first > numbers->at[numbers->count - 1].last;
    snprintf(from, sizeof from, "%llu", (unsigned long long)first);
    snprintf(to, sizeof to, "%llu", (unsigned long long)last);
    gap.from = from;
    gap.to = to;
    struct sw_buffer name = {0};
    sw_buffer_add_bytes(&name, text);
    gap.space_text = sw_buffer_text(&name);
    enum sw_code code = gap.space_text && !name.failed ? sw_log_add_gap(scan, &gap, error) : sw_fail_memory(error, "a gap", 0);
    sw_buffer_free(&name);
    return code;
}

struct declared { struct sw_order_positions first, last, available; };

static enum sw_code judge_numbers(struct sw_scan_report *scan, const struct declared *declared, uint32_t spaces, struct sw_error *error)
{
    const struct sw_order *order = scan->run->reading.order;
    enum sw_code code = SW_OK;
    for (uint32_t i = 0; i < scan->all.space_count && code == SW_OK; i++) {
        const struct sw_log_space *space = &scan->all.spaces[i];
        const struct sw_number_list *numbers = &space->numbers.all;
        if (!space->reach.events || !numbers->count)
            continue;
        struct sw_bytes text = sw_spaces_text(scan->run->reading.spaces, i);
        const struct sw_order_position *first, *last, *available;
        if ((code = place_of(&first, &declared->first, text, spaces, "--expect-first", error)) < 0 || (code = place_of(&last, &declared->last, text, spaces, "--expect-last", error)) < 0 ||
            (code = place_of(&available, &declared->available, text, spaces, "--available", error)) < 0)
            return code;
        uint64_t from = first ? sw_log_number(order, first->position) : numbers->at[0].first, to = last ? sw_log_number(order, last->position) : numbers->at[numbers->count - 1].last;
        uint64_t kept = available ? sw_log_number(order, available->position) : 0;
        struct sw_number_list whole = {0}, holes = {0};
        if (from <= to && (!sw_number_list_append(&whole, from, to) || !sw_number_list_subtract(&holes, &whole, numbers)))
            code = sw_fail_memory(error, "gaps", 0);
        for (size_t h = 0; h < holes.count && code == SW_OK; h++) {
            struct sw_number_interval hole = holes.at[h];
            if (hole.first < kept) /* what the source does not have any more, and what it may still have */
                code = add_hole(scan, i, hole.first, hole.last < kept ? hole.last : kept - 1, true, error);
            if (code == SW_OK && hole.last >= kept)
                code = add_hole(scan, i, hole.first < kept ? kept : hole.first, hole.last, false, error);
        }
        sw_number_list_free(&whole);
        sw_number_list_free(&holes);
    }
    return code;
}

/* ---- gaps at the ends, where positions are no numbers ---- */

static enum sw_code add_end(struct sw_scan_report *scan, uint32_t space, struct sw_bytes from, struct sw_bytes to, bool before, bool from_included, bool to_included, bool discarded, struct sw_error *error)
{
    struct sw_bytes text = sw_spaces_text(scan->run->reading.spaces, space);
    struct sw_log_gap gap = {.space = space, .from = sw_log_print(scan, space, from), .to = sw_log_print(scan, space, to), .space_text = sw_strndup((const char *)text.at, text.len),
                             .from_included = from_included, .to_included = to_included, .discarded = discarded, .possible = true, .before_all = before, .after_all = !before};
    enum sw_code code = gap.from && gap.to && gap.space_text ? sw_log_add_gap(scan, &gap, error) : sw_fail_memory(error, "a gap", 0);
    sw_free(gap.from);
    sw_free(gap.to);
    sw_free(gap.space_text);
    return code;
}

static enum sw_code judge_ends(struct sw_scan_report *scan, const struct declared *declared, uint32_t spaces, struct sw_error *error)
{
    const struct sw_order *order = scan->run->reading.order;
    enum sw_code code = SW_OK;
    for (uint32_t i = 0; i < scan->all.space_count && code == SW_OK; i++) {
        const struct sw_log_reach *reach = &scan->all.spaces[i].reach;
        if (!reach->events)
            continue;
        struct sw_bytes text = sw_spaces_text(scan->run->reading.spaces, i), lowest = sw_log_version(&reach->first), highest = sw_log_version(&reach->last);
        const struct sw_order_position *first, *last, *available;
        if ((code = place_of(&first, &declared->first, text, spaces, "--expect-first", error)) < 0 || (code = place_of(&last, &declared->last, text, spaces, "--expect-last", error)) < 0 ||
            (code = place_of(&available, &declared->available, text, spaces, "--available", error)) < 0)
            return code;
        if (first) {
            enum sw_order_reach stands = sw_order_reach(order, first->position, lowest);
            bool lost = stands == SW_ORDER_BEYOND && available && sw_order_reach(order, first->position, available->position) == SW_ORDER_BEYOND;
            bool all_lost = lost && sw_order_reach(order, lowest, available->position) == SW_ORDER_BEYOND;
            if (stands == SW_ORDER_UNTOLD)
                sw_sentences_add(&scan->reasons, "whether the evidence reaches back to the first position that is expected cannot be told: the records' positions lack what it is made of");
            if (lost)
                code = add_end(scan, i, first->position, all_lost ? lowest : available->position, true, true, false, true, error);
            if (code == SW_OK && stands == SW_ORDER_BEYOND && !all_lost)
                code = add_end(scan, i, lost ? available->position : first->position, lowest, true, true, false, false, error);
        }
        if (last && code == SW_OK) {
            bool within = sw_order_reach(order, last->position, highest) == SW_ORDER_WITHIN;
            enum sw_order_reach back = sw_order_reach(order, highest, last->position);
            if (within && back == SW_ORDER_BEYOND)
                code = add_end(scan, i, highest, last->position, false, false, true, false, error);
            else if (within && back == SW_ORDER_UNTOLD && sw_version_compare(order, highest, last->position) != SW_VERSION_EQUAL)
                sw_sentences_add(&scan->reasons, "whether the evidence reaches the last position that is expected cannot be told: the records' positions say more than it does");
        }
    }
    return code;
}

/* ---- the judgement ---- */

static void say(struct sw_scan_report *scan, enum sw_continuity at_least)
{
    if (scan->verdict != SW_GAP)
        scan->verdict = at_least == SW_CONTINUOUS ? scan->verdict : at_least;
}

#define N(number) sw_number_text((char[SW_NUMBER_TEXT_MAX]){0}, number)

static const char *s(uint64_t count) { return count == 1 ? "" : "s"; }

static void judge_gaps(struct sw_scan_report *scan)
{
    const struct sw_order *order = scan->run->reading.order;
    uint64_t discarded = 0, beyond_declared = scan->gap_count - scan->gaps_listed;
    for (uint32_t i = 0; i < scan->gaps_listed; i++)
        discarded += scan->gaps[i].discarded;
    if (!scan->gap_count)
        return;
    bool dense = order == &sw_order_mysql_gtid || scan->dense;
    bool numbers = scan->hole_numbers != 0;
    if (dense && numbers) {
        say(scan, SW_GAP);
        sw_sentences_add(&scan->reasons, "%s %s%s not in evidence, in %s interval%s: %s", N(scan->hole_numbers), order == &sw_order_mysql_gtid ? "transaction" : "number", scan->hole_numbers == 1 ? " is" : "s are",
                         N(scan->gap_count), s(scan->gap_count), order == &sw_order_mysql_gtid ? "each may have touched your tables, or others only" : "the log is declared to have no holes");
    } else if (discarded) {
        say(scan, SW_GAP);
        sw_sentences_add(&scan->reasons, "%s interval%s that should be in evidence %s discarded at the source; %s may hold no change of your tables", N(discarded), s(discarded), discarded == 1 ? "was" : "were",
                         discarded == 1 ? "it" : "they");
    } else if (order == &sw_order_kafka && numbers) {
        say(scan, SW_CANNOT_TELL);
        sw_sentences_add(&scan->reasons, "%s offset%s not in evidence, in %s hole%s, of which %s %s a single offset. A hole is no loss by itself: compaction, the commit and abort marks of transactions and aborted records take offsets "
                         "that no consumer sees; --dense declares that the topic has none of them", N(scan->hole_numbers), scan->hole_numbers == 1 ? " is" : "s are", N(scan->gap_count), s(scan->gap_count),
                         N(scan->single_holes), scan->single_holes == 1 ? "is" : "are");
    } else if (numbers) {
        say(scan, SW_CANNOT_TELL);
        sw_sentences_add(&scan->reasons, "%s number%s not in evidence, in %s hole%s; the order %s does not promise that there are none, and --dense declares it", N(scan->hole_numbers),
                         scan->hole_numbers == 1 ? " is" : "s are", N(scan->gap_count), s(scan->gap_count), order->name);
    } else {
        say(scan, SW_CANNOT_TELL);
        sw_sentences_add(&scan->reasons, "the evidence does not reach as far as expected in %s place%s: what lies there was not seen, and may hold no change of your tables", N(scan->gap_count), s(scan->gap_count));
    }
    if (beyond_declared)
        sw_sentences_add(&scan->limits, "only the first %u of %s gaps are listed", scan->gaps_listed, N(scan->gap_count));
}

static void judge_members(struct sw_scan_report *scan)
{
    const uint64_t *verdicts = scan->members.verdicts;
    uint64_t broken = verdicts[SW_MEMBERS_MISSING] + verdicts[SW_MEMBERS_SURPLUS], all = 0;
    for (int i = 0; i < SW_MEMBERS_VERDICTS; i++)
        all += verdicts[i];
    if (verdicts[SW_MEMBERS_MISSING]) {
        say(scan, SW_GAP);
        sw_sentences_add(&scan->reasons, "%s transaction%s events that are not in evidence (%s of them): the count at the end, or the numbers of the others, show it", N(verdicts[SW_MEMBERS_MISSING]),
                         verdicts[SW_MEMBERS_MISSING] == 1 ? " has" : "s have", N(scan->members.missing_events));
    }
    if (verdicts[SW_MEMBERS_SURPLUS]) {
        say(scan, SW_CANNOT_TELL);
        sw_sentences_add(&scan->reasons, "%s transaction%s more events than the count at the end says: the marks are of another stream, or an id was used twice", N(verdicts[SW_MEMBERS_SURPLUS]),
                         verdicts[SW_MEMBERS_SURPLUS] == 1 ? " has" : "s have");
    }
    if (scan->all.members.ends && verdicts[SW_MEMBERS_NO_END]) {
        say(scan, SW_CANNOT_TELL);
        sw_sentences_add(&scan->reasons, "%s transaction%s no END record in evidence: open, or cut by the end of the files", N(verdicts[SW_MEMBERS_NO_END]), verdicts[SW_MEMBERS_NO_END] == 1 ? " has" : "s have");
    }
    if (all && !broken && verdicts[SW_MEMBERS_COMPLETE] == all)
        sw_sentences_add(&scan->proofs, "transactions.complete: of each of %s transaction%s every event is in evidence that its end counts", N(all), s(all));
    else if (all && !broken && verdicts[SW_MEMBERS_COMPLETE])
        sw_sentences_add(&scan->proofs, "transactions.partly: of %s of %s transactions every event is in evidence that the end counts", N(verdicts[SW_MEMBERS_COMPLETE]), N(all));
    if (scan->all.members.events && !scan->all.members.ends)
        sw_sentences_add(&scan->limits, "the events number themselves in their transactions, but no END record was read: give the transaction topic's records too, and completeness of each transaction can be shown");
    if (verdicts[SW_MEMBERS_ELSEWHERE])
        sw_sentences_add(&scan->limits, "%s transaction%s touched tables of which no event is in these files; those events were not looked for", N(verdicts[SW_MEMBERS_ELSEWHERE]), s(verdicts[SW_MEMBERS_ELSEWHERE]));
    if (scan->open_count) {
        say(scan, SW_CANNOT_TELL);
        sw_sentences_add(&scan->reasons, "%s transaction%s without a commit in evidence: open, rolled back, or cut by the end of a file", N(scan->open_count), scan->open_count == 1 ? " stands" : "s stand");
    }
}

static void judge_arrival(struct sw_scan_report *scan)
{
    const struct sw_log_stretch *total = &scan->total;
    if (total->later_count) {
        say(scan, SW_CANNOT_TELL);
        sw_sentences_add(&scan->reasons, "positions go back %s time%s while the events' times go on: positions may begin anew there (a restore, a promotion, a reset of the log), or a clock was set; those places are listed", N(total->later_count),
                         s(total->later_count));
    }
    uint64_t again = total->step_count - total->later_count - total->untimed_count;
    if (again)
        sw_sentences_add(&scan->limits, "positions go back %s time%s and the events' times with them: a delivery again, or files in another order; the same place may be re-delivered without harm, which reconcile decides event by event", N(again), s(again));
    if (total->untimed_count)
        sw_sentences_add(&scan->limits, "positions go back %s time%s and the events have no time: a delivery again and positions that begin anew look the same", N(total->untimed_count), s(total->untimed_count));
}

static void judge_spaces(struct sw_scan_report *scan, uint32_t spaces)
{
    const struct sw_order *order = scan->run->reading.order;
    bool unordered = false;
    for (uint32_t i = 0; i < scan->all.space_count; i++)
        unordered |= scan->all.spaces[i].unordered;
    if (unordered) {
        say(scan, SW_CANNOT_TELL);
        sw_sentences_add(&scan->reasons, "some positions of one space do not compare with each other: %s", order->not_promised);
    }
    scan->change_of_space = spaces > 1 && !sw_log_is_parallel(order);
    if (scan->change_of_space) {
        say(scan, SW_CANNOT_TELL);
        sw_sentences_add(&scan->reasons, "the events stand in %u position spaces, between which positions do not compare: a change of server, timeline or log, or several sources side by side", spaces);
    }
}

static const char *unnumbered(const struct sw_order *order)
{
    static const struct { const struct sw_order *order; const char *why; } reasons[] = {
        {&sw_order_postgres, "an LSN is a byte address, and between two of them may lie nothing or anything"},
        {&sw_order_mysql, "a place in a binary log is a byte address, and between two of them may lie nothing or anything; GTIDs can be counted (--order mysql-gtid)"},
        {&sw_order_oracle, "SCNs jump, with and without changes between them"},
        {&sw_order_sqlserver, "LSNs are addresses, and between two of them may lie nothing or anything"},
        {&sw_order_db2, "LSNs are addresses, and between two of them may lie nothing or anything"},
        {&sw_order_mongodb, "cluster times jump, with and without changes between them"},
        {&sw_order_mariadb, "sequence numbers of a domain may have holes; with gtid_strict_mode=ON and all servers read, --dense declares that they have none"},
        {&sw_order_kafka, "offsets may have holes"},
        {&sw_order_integer, "nothing says that these numbers count the changes of a log one by one; --dense declares it"},
        {&sw_order_file, "the order is that of arrival, which says nothing of what did not arrive"},
        {&sw_order_timestamp, "a time is no position"}};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (reasons[i].order == order)
            return reasons[i].why;
    return "its positions do not count changes one by one";
}

/* What would show that nothing is missing, if nothing says the contrary. */
static void judge_proof(struct sw_scan_report *scan)
{
    const struct sw_order *order = scan->run->reading.order;
    if (scan->verdict != SW_CONTINUOUS)
        return;
    if (order == &sw_order_mysql_gtid) {
        if (scan->executed)
            sw_sentences_add(&scan->reasons, "every transaction of the executed set%s is in evidence", scan->after ? " that was not processed before" : "");
        else
            sw_sentences_add(&scan->reasons, "from the first to the last GTID of each source no transaction is missing");
        sw_sentences_add(&scan->proofs, "%s", scan->executed ? "gtid.executed: the executed set, less what was processed before, is a subset of the GTIDs that are in evidence"
                                                             : "gtid.contiguous: the GTIDs of each source are in evidence without a hole");
    } else if (order == &sw_order_kafka || scan->dense) {
        sw_sentences_add(&scan->reasons, "from the first to the last %s of each %s none is missing", order == &sw_order_kafka ? "offset" : "number", order == &sw_order_kafka ? "partition" : "space");
        sw_sentences_add(&scan->proofs, "%s", order == &sw_order_kafka ? "kafka.contiguous: the offsets of each partition are in evidence without a hole" : "numbers.contiguous: the numbers of each space are in evidence without a hole, and the log is declared to have none");
    } else {
        scan->verdict = SW_CANNOT_TELL;
        scan->no_numbers = true;
        sw_sentences_add(&scan->reasons, "no gap was seen, which is not to say that there is none: %s", unnumbered(order));
    }
}

/* All that a history needs: every transaction, every event of each. */
static enum sw_code judge_claim(struct sw_scan_report *scan, struct sw_error *error)
{
    uint64_t all = 0;
    for (int i = 0; i < SW_MEMBERS_VERDICTS; i++)
        all += scan->members.verdicts[i];
    bool counted = all && scan->members.verdicts[SW_MEMBERS_COMPLETE] == all && scan->all.members.events == scan->all.events - scan->all.reads;
    bool proven = scan->verdict == SW_CONTINUOUS && scan->run->reading.order == &sw_order_mysql_gtid && scan->executed && counted && !scan->run->reading.bad_count;
    if (!proven)
        return SW_OK;
    struct sw_buffer text = {0};
    sw_buffer_printf(&text, "every change of the transactions %.*s%s is in evidence: the set is a subset of the GTIDs that were read, and the END record of each of %s transactions counts no event more than was read", 400,
                     scan->gtids.expected, strlen(scan->gtids.expected) > 400 ? "…" : "", N(all));
    scan->claim = text.failed ? NULL : sw_strndup((const char *)text.at, text.len);
    sw_buffer_free(&text);
    return scan->claim ? SW_OK : sw_fail_memory(error, "a claim", 0);
}

static void say_limits(struct sw_scan_report *scan)
{
    if (scan->all.reads)
        sw_sentences_add(&scan->limits, "%s row%s read by a snapshot stand beside the log and were left out of its reach", N(scan->all.reads), s(scan->all.reads));
    sw_sentences_add(&scan->limits, "a scan shows what these files hold, not what the source still has: slackwater position gap (or probe) answers that");
    sw_sentences_add(&scan->limits, "it does not look into rows: an event that is there may still be wrong, or of a transaction that was cut, unless the stream counts its events");
    if (scan->run->reading.order == &sw_order_kafka)
        sw_sentences_add(&scan->limits, "offsets show that nothing was lost between the topic and these files; whether every change of the source was written to the topic they cannot show");
    if (scan->run->reading.order == &sw_order_mysql_gtid && !scan->executed)
        sw_sentences_add(&scan->limits, "what lies before the first and behind the last GTID is not judged: --after and --executed declare what should be there");
    else if (!scan->expect_first && !scan->expect_last && scan->run->reading.order != &sw_order_mysql_gtid)
        sw_sentences_add(&scan->limits, "what lies before the first and behind the last position is not judged: --expect-first and --expect-last declare what should be there");
}

/* A topic that begins above its offset 0: what was written before is in no file, and nothing else here would say so. */
static void say_beginnings(struct sw_scan_report *scan)
{
    enum { NAMED = 3 };
    struct sw_buffer named = {0};
    const struct sw_spaces *spaces = scan->run->reading.spaces;
    uint32_t above = 0, all = 0, count = 0, lowest[NAMED + 1]; /* by their names, as their numbers depend on which thread met them first; the last one is scratch */
    if (scan->run->reading.order != &sw_order_kafka || scan->expect_first)
        return;
    for (uint32_t i = 0; i < scan->all.space_count; i++) {
        const struct sw_number_list *numbers = &scan->all.spaces[i].numbers.all;
        all += numbers->count != 0;
        if (numbers->count == 0 || numbers->at[0].first == 0)
            continue;
        above++;
        uint32_t at = count < NAMED ? count++ : NAMED;
        lowest[at] = i;
        for (; at && sw_bytes_compare(sw_spaces_text(spaces, lowest[at]), sw_spaces_text(spaces, lowest[at - 1])) < 0; at--) {
            uint32_t swap = lowest[at];
            lowest[at] = lowest[at - 1];
            lowest[at - 1] = swap;
        }
    }
    for (uint32_t k = 0; k < count; k++) {
        struct sw_bytes text = sw_spaces_text(spaces, lowest[k]);
        sw_buffer_printf(&named, "%s%.*s%sat %s", k ? ", " : "", text.len > 200 ? 200 : (int)text.len, text.at ? (const char *)text.at : "", text.len ? " " : "", N(scan->all.spaces[lowest[k]].numbers.all.at[0].first));
    }
    if (above > NAMED)
        sw_buffer_printf(&named, " …");
    if (above) {
        sw_sentences_add(&scan->reasons, "%s of %s partition%s in evidence begin%s above offset 0 (%.*s): what was written before is in no file here, and retention may have removed it from the topic", N(above), N(all), s(all), above == 1 ? "s" : "",
                         named.len > 800 ? 800 : (int)named.len, named.at ? (const char *)named.at : "");
        sw_sentences_add(&scan->obligations, "where a partition begins above 0, only a baseline that was taken later than the records before it makes up for them (reconcile --baseline, with --baseline-position where it is known); "
                         "--expect-first TOPIC:PARTITION:0 judges them as missing");
    }
    scan->failed |= named.failed;
    sw_buffer_free(&named);
}

/* How the source is asked for what a gap holds, by what its positions are. */
static const char *ask_of(const struct sw_order *order)
{
    static const struct { const struct sw_order *order; const char *how; } asks[] = {
        {&sw_order_kafka, "slackwater position gap --kind kafka --saved TOPIC:PARTITION:OFFSET with the first offset that is missing (a saved offset is the next one to read), or position probe"},
        {&sw_order_mysql_gtid, "slackwater position gap --kind mysql-gtid --saved with the set that is in evidence and what was processed before it, never with the highest number alone; or position probe"},
        {&sw_order_mariadb, "slackwater position gap --kind mariadb --saved with the last GTID before it, one a domain; or position probe"},
        {&sw_order_postgres, "slackwater position gap --kind postgres --saved with the last commit before it, or position probe"},
        {&sw_order_mysql, "slackwater position gap --kind mysql --saved FILE:OFFSET with the end of the last event before it, or position probe"},
        {&sw_order_oracle, "slackwater position gap --kind oracle --saved with the start SCN of the oldest transaction that was open before it"},
        {&sw_order_sqlserver, "slackwater position gap --kind sqlserver --saved with the last commit LSN before it"},
        {&sw_order_mongodb, "slackwater position gap --kind mongodb --saved with the last cluster time or resume token before it"},
        {&sw_order_datastream, "slackwater position gap --kind datastream --saved with the last sort keys before it"}};
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++)
        if (asks[i].order == order)
            return asks[i].how;
    return NULL; /* position gap has no rule for them */
}

static void say_obligations(struct sw_scan_report *scan)
{
    const char *ask = ask_of(scan->run->reading.order);
    if (scan->gap_count || scan->members.verdicts[SW_MEMBERS_MISSING]) {
        sw_sentences_add(&scan->obligations, "look for the files that hold the missing interval: a later delivery, another topic or partition, an archive; scan again with all of them");
        if (ask)
            sw_sentences_add(&scan->obligations, "ask the source whether it can still serve it: %s", ask);
        else
            sw_sentences_add(&scan->obligations, "ask who writes these positions whether the interval can be had again: slackwater position gap has no rule for the order %s; where the pipeline saved another position of the source, that one can be judged",
                             scan->run->reading.order->name);
        sw_sentences_add(&scan->obligations, "what cannot be had again is recorded with its owner and reconciled by its effect: backfill the tables named, compare deletions too");
    }
    if (scan->change_of_space)
        sw_sentences_add(&scan->obligations, "find out what lies between the spaces (a failover, a restore, several sources side by side): slackwater position compare%s says which positions still compare; reconcile takes their order from --spaces",
                         scan->run->reading.order == &sw_order_postgres || scan->run->reading.order == &sw_order_oracle ? " --history" : "");
    if (scan->verdict == SW_CANNOT_TELL && scan->no_numbers && !scan->gap_count && ask)
        sw_sentences_add(&scan->obligations, "ask the source, since these files cannot tell: slackwater position gap --kind %s --saved with the position that the pipeline had saved before them; what the rows are can be compared all the same (slackwater reconcile)",
                         scan->run->reading.order->name);
    if (scan->total.later_count)
        sw_sentences_add(&scan->obligations, "find out what happened to the source at the places listed, and declare the space of each part (--space, or order: in the mapping)");
}

enum sw_code sw_log_judge(struct sw_scan_report *scan, struct sw_error *error)
{
    const struct sw_order *order = scan->run->reading.order;
    struct declared declared = {0};
    enum sw_code code = SW_OK;
    uint32_t spaces = 0, known = sw_spaces_count(scan->run->reading.spaces);
    uint64_t positioned = 0;
    bool *seen = sw_calloc(known + 1, sizeof *seen); /* by the base of a space */
    if (!seen)
        return sw_fail_memory(error, "position spaces", known);
    for (uint32_t i = 0; i < scan->all.space_count && i < known; i++)
        if (scan->all.spaces[i].reach.events) {
            spaces += !seen[base_of(scan, i)];
            seen[base_of(scan, i)] = true;
            positioned += scan->all.spaces[i].reach.events;
        }
    sw_free(seen);
    scan->verdict = SW_CONTINUOUS;
    if (!positioned) {
        say(scan, SW_CANNOT_TELL);
        sw_sentences_add(&scan->reasons, "no event with a position was read: there is nothing to judge");
    }
    const struct { const char *text; struct sw_order_positions *to; const char *option; } texts[] = {
        {scan->expect_first, &declared.first, "--expect-first"}, {scan->expect_last, &declared.last, "--expect-last"}, {scan->available, &declared.available, "--available"}};
    for (size_t i = 0; i < 3 && code == SW_OK; i++)
        if (texts[i].text)
            code = sw_order_positions_parse(texts[i].to, order, sw_bytes_text(texts[i].text), error);
    if (code == SW_OK && order == &sw_order_mysql_gtid)
        code = sw_log_judge_gtids(scan, error);
    else if (code == SW_OK && (order == &sw_order_kafka || scan->dense))
        code = judge_numbers(scan, &declared, spaces, error);
    else if (code == SW_OK)
        code = judge_ends(scan, &declared, spaces, error);
    if (code == SW_OK)
        code = add_unseen_spaces(scan, &declared.first, error);
    sw_order_positions_free(&declared.first);
    sw_order_positions_free(&declared.last);
    sw_order_positions_free(&declared.available);
    if (code < 0)
        return code;
    judge_gaps(scan);
    judge_members(scan);
    if (scan->gtids.foreign_count) {
        say(scan, SW_CANNOT_TELL);
        sw_sentences_add(&scan->reasons, "%s transaction%s in evidence and not in the executed set: another server, or one that was rewound", N(scan->gtids.foreign_count), scan->gtids.foreign_count == 1 ? " is" : "s are");
    }
    if (scan->all.without_position) {
        say(scan, SW_CANNOT_TELL);
        sw_sentences_add(&scan->reasons, "%s event%s no position of the order %s", N(scan->all.without_position), scan->all.without_position == 1 ? " has" : "s have", order->name);
    }
    if (scan->run->reading.bad_count) {
        say(scan, SW_CANNOT_TELL);
        sw_sentences_add(&scan->reasons, "%s record%s could not be read", N(scan->run->reading.bad_count), s(scan->run->reading.bad_count));
    }
    judge_spaces(scan, spaces);
    judge_arrival(scan);
    judge_proof(scan);
    say_beginnings(scan);
    say_limits(scan);
    say_obligations(scan);
    if (order == &sw_order_mysql_gtid && scan->after && scan->gtids.again_count)
        sw_sentences_add(&scan->limits, "%s transaction%s delivered again: processed before the first event", N(scan->gtids.again_count), scan->gtids.again_count == 1 ? " was" : "s were");
    scan->failed |= scan->reasons.text.failed || scan->proofs.text.failed || scan->limits.text.failed || scan->obligations.text.failed;
    return judge_claim(scan, error);
}

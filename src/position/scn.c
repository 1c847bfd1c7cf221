/* Kind "oracle": an SCN, a vector of SCNs over redo threads, or a redo byte address, in an incarnation of a database.
 * Sources: Oracle Database Reference, V$DATABASE_INCARNATION; debezium Scn, CommitScn; public descriptions of the
 * hexadecimal forms of SCN and RBA. */
#include "position/scn.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "position/lineage.h"
#include "position/position.h"
#include "position/scan.h"

/* One thread's commit SCN and the transactions already handled at it, as Debezium stores them: SCN:THREAD:TX-TX. */
struct thread_scn {
    uint64_t scn;
    uint32_t thread;
    struct sw_bytes *transactions; /* sorted, each once; views into `text` */
    size_t count;
};

struct oracle_position {
    struct sw_position base;
    enum sw_oracle_form form;
    uint64_t scn;              /* SW_ORACLE_SCN */
    struct sw_rba redo;        /* SW_ORACLE_REDO */
    struct thread_scn *threads;/* SW_ORACLE_THREADS: by thread, each once */
    size_t thread_count;
    struct sw_bytes *names;    /* of all transactions */
    char *text;                /* what they are views of */
    bool has_place;            /* SW_ORACLE_SCN: rs-id (and ssn) say where at that SCN */
    struct sw_rba place;
    uint64_t ssn;
};

enum { DBID, INCARNATION, THREAD, RS_ID, SSN };

#define THREADS_MAX 4096

static struct oracle_position *self_of(struct sw_position *base) { return (struct oracle_position *)(void *)base; }
static const struct oracle_position *of(const struct sw_position *self) { return (const struct oracle_position *)(const void *)self; }

enum sw_oracle_form sw_oracle_form(const struct sw_position *position) { return of(position)->form; }

uint64_t sw_oracle_wanted(const struct sw_position *position, uint64_t thread)
{
    const struct oracle_position *self = of(position);
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < self->thread_count; i++) {
        if (self->threads[i].thread == thread)
            return self->threads[i].scn;
        least = self->threads[i].scn < least ? self->threads[i].scn : least;
    }
    return self->form == SW_ORACLE_THREADS ? least : self->scn;
}

bool sw_scn_parse(uint64_t *out, const uint8_t *at, size_t len)
{
    struct sw_scan scan = sw_scan_of(sw_bytes_of(at, len));
    uint64_t number, base;
    if (!sw_scan_word(&scan, "0x") && !sw_scan_word(&scan, "0X"))
        return sw_scan_whole_u64(sw_bytes_of(at, len), out);
    if (!sw_scan_hex(&scan, 16, &number))
        return false;
    if (sw_scan_byte(&scan, '.')) {
        if (number > UINT32_MAX || !sw_scan_hex(&scan, 8, &base))
            return false;
        number = number << 32 | base;
    }
    if (!sw_scan_done(&scan))
        return false;
    *out = number;
    return true;
}

static bool scan_rba_part(struct sw_scan *scan, unsigned most_digits, uint64_t *out)
{
    if (!sw_scan_word(scan, "0x"))
        (void)sw_scan_word(scan, "0X");
    return sw_scan_hex(scan, most_digits, out);
}

bool sw_rba_parse(struct sw_rba *out, const uint8_t *at, size_t len)
{
    struct sw_scan scan = sw_scan_of(sw_trim(sw_bytes_of(at, len)));
    uint64_t sequence, block, byte;
    if (!scan_rba_part(&scan, 8, &sequence) || !sw_scan_byte(&scan, '.') || !scan_rba_part(&scan, 8, &block) || !sw_scan_byte(&scan, '.') || !scan_rba_part(&scan, 4, &byte)
        || !sw_scan_done(&scan))
        return false;
    *out = (struct sw_rba){(uint32_t)sequence, (uint32_t)block, (uint16_t)byte};
    return true;
}

int sw_rba_compare(struct sw_rba a, struct sw_rba b)
{
    if (a.sequence != b.sequence)
        return a.sequence < b.sequence ? -1 : 1;
    if (a.block != b.block)
        return a.block < b.block ? -1 : 1;
    return (a.byte > b.byte) - (a.byte < b.byte);
}

/* ---- reading ---- */

static int by_thread(const void *a, const void *b)
{
    const struct thread_scn *left = a, *right = b;
    return (left->thread > right->thread) - (left->thread < right->thread);
}

static int by_name(const void *a, const void *b) { return sw_bytes_compare(*(const struct sw_bytes *)a, *(const struct sw_bytes *)b); }

static bool scan_transaction(struct sw_scan *scan, struct sw_bytes *out)
{
    const uint8_t *from = scan->at;
    while (scan->at < scan->end && *scan->at > ' ' && *scan->at < 127 && *scan->at != '-' && *scan->at != ',' && *scan->at != ':' && *scan->at != '@' && *scan->at != '=')
        scan->at++;
    *out = sw_bytes_of(from, (size_t)(scan->at - from));
    return out->len > 0;
}

/* "SCN:THREAD[:TX-TX...]" */
static bool scan_thread(struct oracle_position *self, struct sw_scan *scan, size_t *name_count)
{
    struct thread_scn *thread = &self->threads[self->thread_count];
    uint64_t number;
    if (!sw_scan_u64(scan, &thread->scn) || !sw_scan_byte(scan, ':') || !sw_scan_u64(scan, &number) || number > UINT32_MAX)
        return false;
    thread->thread = (uint32_t)number;
    thread->transactions = self->names + *name_count;
    if (sw_scan_byte(scan, ':') && !sw_scan_done(scan) && *scan->at != ',') {
        do {
            if (!scan_transaction(scan, &thread->transactions[thread->count]))
                return false;
            thread->count++;
        } while (sw_scan_byte(scan, '-'));
    }
    if (thread->count > 1)
        qsort(thread->transactions, thread->count, sizeof *thread->transactions, by_name);
    size_t kept = 0;
    for (size_t i = 0; i < thread->count; i++)
        if (!i || !sw_bytes_equal(thread->transactions[i], thread->transactions[kept - 1]))
            thread->transactions[kept++] = thread->transactions[i];
    thread->count = kept;
    *name_count += kept;
    self->thread_count++;
    return true;
}

/* "10:00:00" would read as SCN 10 of thread 0. No database has so low an SCN; by value, so that every spelling is refused. */
static bool is_time_of_day(const struct oracle_position *self)
{
    const struct thread_scn *only = self->threads;
    if (self->thread_count != 1 || only->scn >= 24 || only->thread >= 60)
        return false;
    for (size_t i = 0; i < only->count; i++)
        for (size_t k = 0; k < only->transactions[i].len; k++)
            if (!sw_is_digit(only->transactions[i].at[k]) && only->transactions[i].at[k] != '.')
                return false;
    return true;
}

static enum sw_code parse_threads(struct oracle_position *self, struct sw_bytes text, struct sw_error *error)
{
    size_t items = 1, names = 1;
    for (size_t i = 0; i < text.len; i++) {
        items += text.at[i] == ',';
        names += text.at[i] == '-' || text.at[i] == ',';
    }
    char quoted[SW_QUOTE_MAX];
    if (items > THREADS_MAX)
        return sw_fail(error, SW_ERR_LIMIT, "an Oracle position of %zu redo threads: at most %d", items, THREADS_MAX);
    self->form = SW_ORACLE_THREADS;
    self->text = sw_strndup((const char *)text.at, text.len);
    self->threads = sw_calloc(items, sizeof *self->threads);
    self->names = sw_calloc(names, sizeof *self->names);
    if (!self->text || !self->threads || !self->names)
        return sw_fail_memory(error, "an Oracle position", text.len + items * sizeof *self->threads + names * sizeof *self->names);
    struct sw_scan scan = sw_scan_of(sw_bytes_of(self->text, text.len));
    size_t used = 0;
    for (;;) {
        sw_scan_blanks(&scan);
        struct sw_bytes rest = sw_scan_rest(&scan);
        if (!scan_thread(self, &scan, &used))
            return sw_fail(error, SW_ERR_INPUT, "not an Oracle position: expected SCN:THREAD, or SCN:THREAD:TRANSACTION-TRANSACTION, with commas between threads, found %s",
                sw_position__quote(quoted, rest));
        sw_scan_blanks(&scan);
        if (sw_scan_done(&scan))
            break;
        if (!sw_scan_byte(&scan, ','))
            return sw_fail(error, SW_ERR_INPUT, "not an Oracle position: expected ',' and another thread, or the end, found %s", sw_position__quote(quoted, sw_scan_rest(&scan)));
    }
    if (is_time_of_day(self))
        return sw_fail(error, SW_ERR_INPUT, "%s is a time of day rather than an SCN and a redo thread", sw_position__quote(quoted, text));
    qsort(self->threads, self->thread_count, sizeof *self->threads, by_thread);
    for (size_t i = 1; i < self->thread_count; i++)
        if (self->threads[i - 1].thread == self->threads[i].thread)
            return sw_fail(error, SW_ERR_INPUT, "redo thread %u is there twice: an Oracle position has one SCN a thread", self->threads[i].thread);
    return SW_OK;
}

static enum sw_code parse(struct sw_position *base, struct sw_bytes text, struct sw_error *error)
{
    struct oracle_position *self = self_of(base);
    char quoted[SW_QUOTE_MAX];
    if (sw_scn_parse(&self->scn, text.at, text.len)) {
        if (sw_position__reads_as_epoch(self->scn))
            base->notes |= SW_NOTE_LOOKS_LIKE_TIME;
        return SW_OK;
    }
    if (sw_rba_parse(&self->redo, text.at, text.len)) {
        self->form = SW_ORACLE_REDO;
        return SW_OK;
    }
    if (memchr(text.at, ':', text.len))
        return parse_threads(self, text, error);
    return sw_fail(error, SW_ERR_INPUT,
        "not an Oracle position: expected an SCN (decimal up to 18446744073709551615, or 0xWWWW.BBBBBBBB), a vector SCN:THREAD,SCN:THREAD, or a redo address such as 0x19.2.10, found %s",
        sw_position__quote(quoted, text));
}

static enum sw_code settle(struct sw_position *base, struct sw_error *error)
{
    struct oracle_position *self = self_of(base);
    const char *rs_id = base->attributes[RS_ID];
    char quoted[SW_QUOTE_MAX];
    if ((rs_id || base->attributes[SSN]) && self->form != SW_ORACLE_SCN)
        return sw_fail(error, SW_ERR_INPUT, "attributes rs-id and ssn belong to a plain SCN");
    if (!rs_id && base->attributes[SSN])
        return sw_fail(error, SW_ERR_INPUT, "attribute ssn needs rs-id beside it");
    if (!rs_id)
        return SW_OK;
    if (!sw_rba_parse(&self->place, (const uint8_t *)rs_id, strlen(rs_id)))
        return sw_fail(error, SW_ERR_INPUT, "attribute rs-id of an oracle position: expected three hexadecimal numbers such as 0x000019.00000002.0010, found %s",
            sw_position__quote(quoted, sw_bytes_text(rs_id)));
    char text[40];
    snprintf(text, sizeof text, "0x%x.%x.%x", self->place.sequence, self->place.block, self->place.byte);
    char *canonical = sw_strdup(text);
    if (!canonical)
        return sw_fail_memory(error, "an attribute", sizeof text);
    sw_free(base->attributes[RS_ID]);
    base->attributes[RS_ID] = canonical;
    self->has_place = true;
    if (base->attributes[SSN])
        (void)sw_scan_whole_u64(sw_bytes_text(base->attributes[SSN]), &self->ssn);
    return SW_OK;
}

static void print(struct sw_buffer *out, const struct sw_position *base)
{
    const struct oracle_position *self = of(base);
    if (self->form == SW_ORACLE_SCN)
        sw_buffer_printf(out, "%llu", (unsigned long long)self->scn);
    else if (self->form == SW_ORACLE_REDO)
        sw_buffer_printf(out, "0x%x.%x.%x", self->redo.sequence, self->redo.block, self->redo.byte);
    for (size_t i = 0; i < self->thread_count; i++) {
        const struct thread_scn *thread = &self->threads[i];
        sw_buffer_printf(out, "%s%llu:%u", i ? "," : "", (unsigned long long)thread->scn, thread->thread);
        for (size_t k = 0; k < thread->count; k++) {
            sw_buffer_add_byte(out, k ? '-' : ':');
            sw_buffer_add_bytes(out, thread->transactions[k]);
        }
    }
}

static void release(struct sw_position *base)
{
    sw_free(self_of(base)->threads);
    sw_free(self_of(base)->names);
    sw_free(self_of(base)->text);
}

/* ---- comparing ---- */

static void compare_plain(struct sw_position_comparison *out, const struct oracle_position *a, const struct oracle_position *b)
{
    if (a->scn != b->scn) {
        sw_position__say(out, a->scn < b->scn ? SW_POSITION_BEFORE : SW_POSITION_AFTER, "SCN %llu is %s than SCN %llu", (unsigned long long)a->scn, a->scn < b->scn ? "lower" : "higher",
            (unsigned long long)b->scn);
        return;
    }
    if (a->has_place != b->has_place) {
        sw_position__say(out, SW_POSITION_INCOMPARABLE, "both have SCN %llu, and only one says where at it (rs-id): an SCN is unique neither to a change nor to a transaction", (unsigned long long)a->scn);
        return;
    }
    int way = a->has_place ? sw_rba_compare(a->place, b->place) : 0;
    if (!way && a->has_place)
        way = (a->ssn > b->ssn) - (a->ssn < b->ssn);
    if (way)
        sw_position__say(out, way < 0 ? SW_POSITION_BEFORE : SW_POSITION_AFTER, "the SCN is the same, and the place in the redo (rs-id, ssn) is %s", way < 0 ? "lower" : "higher");
    else
        sw_position__say(out, SW_POSITION_EQUAL, "the SCN is the same; several changes and transactions may share it");
}

/* Whether all of a thread's transactions are among another's: both sorted. */
static bool within(const struct thread_scn *a, const struct thread_scn *b)
{
    size_t k = 0;
    for (size_t i = 0; i < a->count; i++) {
        while (k < b->count && sw_bytes_compare(b->transactions[k], a->transactions[i]) < 0)
            k++;
        if (k == b->count || !sw_bytes_equal(a->transactions[i], b->transactions[k]))
            return false;
    }
    return true;
}

static void compare_threads(struct sw_position_comparison *out, const struct oracle_position *a, const struct oracle_position *b)
{
    bool same = a->thread_count == b->thread_count;
    for (size_t i = 0; same && i < a->thread_count; i++)
        same = a->threads[i].thread == b->threads[i].thread;
    if (!same) {
        sw_position__say(out, SW_POSITION_INCOMPARABLE, "the two name different redo threads, and each thread has a stream of its own");
        return;
    }
    bool behind = false, ahead = false;
    uint32_t behind_thread = 0, ahead_thread = 0;
    for (size_t i = 0; i < a->thread_count; i++) {
        const struct thread_scn *left = &a->threads[i], *right = &b->threads[i];
        bool lower = left->scn < right->scn || (left->scn == right->scn && !within(right, left));
        bool higher = left->scn > right->scn || (left->scn == right->scn && !within(left, right));
        behind |= lower;
        ahead |= higher;
        behind_thread = lower ? left->thread : behind_thread;
        ahead_thread = higher ? left->thread : ahead_thread;
    }
    if (behind && ahead)
        sw_position__say(out, SW_POSITION_INCOMPARABLE, "the first is behind in redo thread %u and ahead in redo thread %u", behind_thread, ahead_thread);
    else if (behind || ahead)
        sw_position__say(out, behind ? SW_POSITION_BEFORE : SW_POSITION_AFTER, "the first is %s in redo thread %u, and in none the other way", behind ? "behind" : "ahead",
            behind ? behind_thread : ahead_thread);
    else
        sw_position__say(out, SW_POSITION_EQUAL, "every redo thread stands at the same SCN, with the same transactions handled");
}

static void compare_redo(struct sw_position_comparison *out, const struct sw_position *a, const struct sw_position *b)
{
    const char *left = a->attributes[THREAD], *right = b->attributes[THREAD];
    if ((left == NULL) != (right == NULL) || (left && strcmp(left, right) != 0)) {
        sw_position__say(out, SW_POSITION_INCOMPARABLE, "redo addresses compare only within one redo thread, and the thread %s", left && right ? "differs" : "is known on one side only");
        return;
    }
    if (!left)
        sw_position__assume(out, "both redo addresses are of one redo thread");
    int way = sw_rba_compare(of(a)->redo, of(b)->redo);
    sw_position__say(out, way < 0 ? SW_POSITION_BEFORE : way > 0 ? SW_POSITION_AFTER : SW_POSITION_EQUAL, "the redo address (sequence, block, byte) is %s",
        way < 0 ? "lower" : way > 0 ? "higher" : "the same");
}

/* The highest SCN a position names: no part of it is beyond the fork if this one is not. */
static uint64_t highest(const struct oracle_position *self)
{
    uint64_t most = self->scn;
    for (size_t i = 0; i < self->thread_count; i++)
        most = self->threads[i].scn > most ? self->threads[i].scn : most;
    return most;
}

static void compare(struct sw_position_comparison *out, const struct sw_position *a, const struct sw_position *b, const struct sw_position_compare_options *options)
{
    static const char *const names[] = {"a plain SCN", "a vector over redo threads", "a redo address"};
    const char *left = a->attributes[INCARNATION], *right = b->attributes[INCARNATION];
    if (of(a)->form != of(b)->form) {
        sw_position__say(out, SW_POSITION_INCOMPARABLE, "the first is %s and the second %s: nothing relates the two", names[of(a)->form], names[of(b)->form]);
        return;
    }
    if (of(a)->form == SW_ORACLE_REDO && left && right && strcmp(left, right) != 0) {
        sw_position__say(out, SW_POSITION_INCOMPARABLE, "log sequence numbers start again with an incarnation, and these differ (%s and %s)", left, right);
        return;
    }
    if (of(a)->form != SW_ORACLE_REDO && !sw_lineage_comparable(out, options->history, &sw_kind_oracle, left, right, highest(of(a)), highest(of(b))))
        return;
    if (of(a)->form == SW_ORACLE_SCN)
        compare_plain(out, of(a), of(b));
    else if (of(a)->form == SW_ORACLE_THREADS)
        compare_threads(out, of(a), of(b));
    else
        compare_redo(out, a, b);
}

const struct sw_position_kind sw_kind_oracle = {
    .info = {
        .name = "oracle",
        .source = "Oracle",
        .form = "an SCN (decimal or 0xWWWW.BBBBBBBB), SCN:THREAD,SCN:THREAD, or a redo address (0x19.2.10)",
        .example = "8823771@dbid=1234567890,incarnation=2",
        .attributes = "dbid, incarnation (INCARNATION#), thread (of a redo address), rs-id and ssn (LogMiner's place at the SCN)",
    },
    .size = sizeof(struct oracle_position),
    .attributes = {
        [DBID] = {"dbid", "DBID", SW_ATTRIBUTE_U64, SW_ATTRIBUTE_IDENTITY},
        [INCARNATION] = {"incarnation", "incarnation", SW_ATTRIBUTE_U32, SW_ATTRIBUTE_LINEAGE},
        [THREAD] = {"thread", "redo thread", SW_ATTRIBUTE_U32, SW_ATTRIBUTE_DETAIL},
        [RS_ID] = {"rs-id", "rs_id", SW_ATTRIBUTE_WORD, SW_ATTRIBUTE_DETAIL},
        [SSN] = {"ssn", "ssn", SW_ATTRIBUTE_U64, SW_ATTRIBUTE_DETAIL},
    },
    .parse = parse,
    .settle = settle,
    .print = print,
    .compare = compare,
    .release = release,
};

/* Kind "mariadb": a vector of sequence numbers, one a replication domain.
 * Source: MariaDB documentation, "Global Transaction ID", "gtid_strict_mode"; debezium MariaDbGtidSet. */
#include "position/mariadb_gtid.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "position/scan.h"

struct mariadb_position {
    struct sw_position base;
    struct sw_mariadb_gtid *gtids; /* by domain, each once */
    size_t count;
};

enum { STRICT };

static struct mariadb_position *self_of(struct sw_position *base) { return (struct mariadb_position *)(void *)base; }
static const struct mariadb_position *of(const struct sw_position *self) { return (const struct mariadb_position *)(const void *)self; }

const struct sw_mariadb_gtid *sw_mariadb_gtids_of(size_t *count, const struct sw_position *position)
{
    *count = of(position)->count;
    return of(position)->gtids;
}

static bool scan_gtid(struct sw_mariadb_gtid *out, struct sw_scan *scan)
{
    uint64_t domain, server, sequence;
    if (!sw_scan_u64(scan, &domain) || !sw_scan_byte(scan, '-') || !sw_scan_u64(scan, &server) || !sw_scan_byte(scan, '-') || !sw_scan_u64(scan, &sequence) || domain > UINT32_MAX
        || server > UINT32_MAX)
        return false;
    *out = (struct sw_mariadb_gtid){(uint32_t)domain, (uint32_t)server, sequence};
    return true;
}

bool sw_mariadb_gtid_parse(struct sw_mariadb_gtid *out, const uint8_t *at, size_t len)
{
    struct sw_scan scan = sw_scan_of(sw_bytes_of(at, len));
    struct sw_mariadb_gtid gtid;
    if (!scan_gtid(&gtid, &scan) || !sw_scan_done(&scan))
        return false;
    *out = gtid;
    return true;
}

static int by_domain(const void *a, const void *b)
{
    const struct sw_mariadb_gtid *left = a, *right = b;
    return (left->domain > right->domain) - (left->domain < right->domain);
}

static enum sw_code reserve(struct mariadb_position *self, size_t count, struct sw_error *error)
{
    self->gtids = sw_malloc(count * sizeof *self->gtids);
    return self->gtids ? SW_OK : sw_fail_memory(error, "a vector of GTIDs", count * sizeof *self->gtids);
}

static enum sw_code parse(struct sw_position *base, struct sw_bytes text, struct sw_error *error)
{
    struct mariadb_position *self = self_of(base);
    char quoted[SW_QUOTE_MAX];
    size_t items = 1;
    for (size_t i = 0; i < text.len; i++)
        items += text.at[i] == ',';
    enum sw_code code = reserve(self, items, error);
    struct sw_scan scan = sw_scan_of(text);
    bool sorted = true;
    while (code >= 0 && !sw_scan_done(&scan)) {
        struct sw_mariadb_gtid gtid;
        sw_scan_blanks(&scan);
        struct sw_bytes rest = sw_scan_rest(&scan);
        if (!scan_gtid(&gtid, &scan))
            return sw_fail(error, SW_ERR_INPUT, "not a MariaDB position: expected one GTID a domain, DOMAIN-SERVER-SEQUENCE in decimal, such as 0-1-500,7-3-12, found %s",
                sw_position__quote(quoted, rest));
        sorted = sorted && (!self->count || self->gtids[self->count - 1].domain < gtid.domain);
        self->gtids[self->count++] = gtid;
        sw_scan_blanks(&scan);
        if (sw_scan_done(&scan))
            break;
        if (!sw_scan_byte(&scan, ',') || (sw_scan_blanks(&scan), sw_scan_done(&scan)))
            return sw_fail(error, SW_ERR_INPUT, "not a MariaDB position: expected ',' and another GTID, or the end, found %s", sw_position__quote(quoted, sw_scan_rest(&scan)));
    }
    if (code < 0 || sorted)
        return code;
    qsort(self->gtids, self->count, sizeof *self->gtids, by_domain);
    for (size_t i = 1; i < self->count; i++)
        if (self->gtids[i - 1].domain == self->gtids[i].domain)
            return sw_fail(error, SW_ERR_INPUT, "domain %u is there twice: a MariaDB position has one GTID a domain (gtid_binlog_state has one a domain and server, and is no position)",
                self->gtids[i].domain);
    return SW_OK;
}

static enum sw_code settle(struct sw_position *base, struct sw_error *error)
{
    const char *strict = base->attributes[STRICT];
    char quoted[SW_QUOTE_MAX];
    if (strict && strcmp(strict, "on") != 0 && strcmp(strict, "off") != 0)
        return sw_fail(error, SW_ERR_INPUT, "attribute strict of a mariadb position: expected on or off, found %s", sw_position__quote(quoted, sw_bytes_text(strict)));
    return SW_OK;
}

static void print(struct sw_buffer *out, const struct sw_position *self)
{
    for (size_t i = 0; i < of(self)->count; i++)
        sw_buffer_printf(out, "%s%u-%u-%llu", i ? "," : "", of(self)->gtids[i].domain, of(self)->gtids[i].server, (unsigned long long)of(self)->gtids[i].sequence);
}

static void release(struct sw_position *base) { sw_free(self_of(base)->gtids); }

/* Walks two vectors by domain; *left and *right are set where the smaller domain stands, both if it is in both. */
static bool next_domain(const struct mariadb_position *a, size_t *i, const struct mariadb_position *b, size_t *k, const struct sw_mariadb_gtid **left,
    const struct sw_mariadb_gtid **right)
{
    *left = *i < a->count ? &a->gtids[*i] : NULL;
    *right = *k < b->count ? &b->gtids[*k] : NULL;
    if (!*left && !*right)
        return false;
    if (*left && *right && (*left)->domain != (*right)->domain) {
        if ((*left)->domain < (*right)->domain)
            *right = NULL;
        else
            *left = NULL;
    }
    *i += *left != NULL;
    *k += *right != NULL;
    return true;
}

static bool diverged(const struct sw_mariadb_gtid *left, const struct sw_mariadb_gtid *right)
{
    return left && right && left->sequence == right->sequence && left->server != right->server;
}

static void compare(struct sw_position_comparison *out, const struct sw_position *left, const struct sw_position *right, const struct sw_position_compare_options *options)
{
    (void)options;
    const struct mariadb_position *a = of(left), *b = of(right);
    const struct sw_mariadb_gtid *l, *r;
    size_t lower = 0, higher = 0;
    uint32_t lower_domain = 0, higher_domain = 0;
    for (size_t i = 0, k = 0; next_domain(a, &i, b, &k, &l, &r);) {
        uint32_t domain = l ? l->domain : r->domain;
        if (diverged(l, r)) {
            sw_position__say(out, SW_POSITION_INCOMPARABLE, "in domain %u sequence number %llu was written by server %u and by server %u: the histories diverged", domain,
                (unsigned long long)l->sequence, l->server, r->server);
            return;
        }
        if (!l || (r && l->sequence < r->sequence)) {
            lower++;
            lower_domain = domain;
        } else if (!r || l->sequence > r->sequence) {
            higher++;
            higher_domain = domain;
        }
    }
    if (lower && higher) {
        sw_position__say(out, SW_POSITION_INCOMPARABLE, "the first is behind in %zu domains (such as %u) and ahead in %zu (such as %u); domains are streams of their own", lower, lower_domain,
            higher, higher_domain);
        return;
    }
    const char *strict = left->attributes[STRICT] ? left->attributes[STRICT] : right->attributes[STRICT];
    if ((lower || higher) && strict && strcmp(strict, "off") == 0) {
        sw_position__say(out, SW_POSITION_INCOMPARABLE, "gtid_strict_mode is off: numbers may be out of order within a domain, so a larger one does not prove a later place");
        return;
    }
    if ((lower || higher) && !strict)
        sw_position__assume(out, "numbers rise within a domain (gtid_strict_mode, which is off by default)");
    if (lower)
        sw_position__say(out, SW_POSITION_BEFORE, "the first is behind in %zu domains (such as %u) and ahead in none", lower, lower_domain);
    else if (higher)
        sw_position__say(out, SW_POSITION_AFTER, "the first is ahead in %zu domains (such as %u) and behind in none", higher, higher_domain);
    else
        sw_position__say(out, SW_POSITION_EQUAL, "every domain stands at the same GTID");
}

static enum sw_code combine(struct sw_position *made, const struct sw_position *left, const struct sw_position *right, enum sw_set_operation operation, struct sw_error *error)
{
    struct mariadb_position *out = self_of(made);
    const struct mariadb_position *a = of(left), *b = of(right);
    enum sw_code code = reserve(out, a->count + b->count, error);
    const struct sw_mariadb_gtid *l, *r;
    for (size_t i = 0, k = 0; code >= 0 && next_domain(a, &i, b, &k, &l, &r);) {
        if (diverged(l, r))
            return sw_fail(error, SW_ERR_INPUT, "in domain %u sequence number %llu was written by server %u and by server %u: the histories diverged", l->domain, (unsigned long long)l->sequence,
                l->server, r->server);
        enum sw_vector_pick pick = sw_vector_pick(operation, l, r, l && r ? (l->sequence > r->sequence) - (l->sequence < r->sequence) : 0);
        if (pick != SW_PICK_NONE)
            out->gtids[out->count++] = pick == SW_PICK_LEFT ? *l : *r;
    }
    return code;
}

static bool contains(const struct sw_position *left, const struct sw_position *right)
{
    const struct sw_mariadb_gtid *l, *r;
    for (size_t i = 0, k = 0; next_domain(of(left), &i, of(right), &k, &l, &r);)
        if (r && (!l || l->sequence < r->sequence || diverged(l, r)))
            return false;
    return true;
}

static uint64_t count(const struct sw_position *self) { return of(self)->count; }

static const struct sw_position_sets sets = {combine, contains, count};

const struct sw_position_kind sw_kind_mariadb = {
    .info = {
        .name = "mariadb",
        .source = "MariaDB, by GTID",
        .form = "one GTID a domain (DOMAIN-SERVER-SEQUENCE,...)",
        .example = "0-1-500,7-3-12",
        .attributes = "strict (gtid_strict_mode: on or off)",
        .is_set = true,
    },
    .size = sizeof(struct mariadb_position),
    .attributes = {[STRICT] = {"strict", "gtid_strict_mode", SW_ATTRIBUTE_WORD, SW_ATTRIBUTE_HINT}},
    .parse = parse,
    .settle = settle,
    .print = print,
    .compare = compare,
    .release = release,
    .sets = &sets,
};

/* gen_case: the three inputs of one reconciliation, with faults whose number is known.
 *
 *     gen_case DIR KEYS EVENTS_PER_KEY [wide|int] [ndjson|csv] [SEED]
 *
 * DIR/truth.json holds the right answer. It is worked out while writing, key by key, from what was planted, and not
 * by folding anything: every property of a key is a hash of its number, so that it is the same wherever it is asked.
 * Events arrive shuffled over the whole file; two in a hundred are delivered again, some 997 events later.
 * Exit status: 0 written, 2 usage, 4 a file could not be written. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY "k%010" PRIu64
#define LATE 997 /* events between a delivery and its repetition */

struct generator {
    const char *folder;
    uint64_t keys, per_key, seed;
    bool wide, csv;
};

struct truth {
    uint64_t baseline, events, expected, states, tombstones, conflict_keys, duplicate_deliveries;
    uint64_t missing_state, unexpected_state, state_mismatch;
};

/* One change: its place among all of them, the key, and its ordinal within the key, counted from 1. */
struct change {
    uint64_t number, key, ordinal;
};

/* splitmix64, keyed by the seed */
static uint64_t mix(const struct generator *g, uint64_t x)
{
    x += 0x9e3779b97f4a7c15u * (g->seed + 1);
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static uint64_t hash(const struct generator *g, uint64_t a, uint64_t b)
{
    return mix(g, mix(g, a) ^ (b * 0x2545f4914f6cdd1du));
}

static bool in_baseline(const struct generator *g, uint64_t key) { return hash(g, key, 3) % 10 < 8; }
static uint64_t first_version(const struct generator *g, uint64_t key) { return hash(g, key, 4) % 1000000; }
static bool has_conflict(const struct generator *g, uint64_t key) { return hash(g, key, 5) % 10000 == 0; }
static bool is_repeated(const struct generator *g, uint64_t change) { return hash(g, change, 6) % 50 == 0; }
static bool is_delete(const struct generator *g, uint64_t key, uint64_t ordinal) { return hash(g, key, ordinal * 7 + 1) % 20 == 0; }
static uint64_t value_at(const struct generator *g, uint64_t key, uint64_t ordinal) { return hash(g, key, ordinal * 7 + 2); }

static void write_value(const struct generator *g, FILE *file, bool deleted, uint64_t value)
{
    static const char *const status_json[] = {"open", "closed", "pending", "disputed \\u00e9\\\"x\\\""};
    static const char *const status_csv[] = {"open", "closed", "pending", "\"disputed \xc3\xa9\"\"x\"\"\""};
    static const char wide_json[] = "{\"owner\":\"cust_%08" PRIu64 "\",\"amount\":%" PRIu64 ".%02" PRIu64 ",\"status\":\"%s\","
                                    "\"updated_at\":\"2026-11-%02uT%02u:%02u:%02uZ\"}";
    static const char wide_csv[] = "cust_%08" PRIu64 ",%" PRIu64 ".%02" PRIu64 ",%s,2026-11-%02uT%02u:%02u:%02uZ";
    if (deleted) {
        fputs(!g->csv ? "null" : g->wide ? ",,," : "", file);
        return;
    }
    if (!g->wide) {
        fprintf(file, "%" PRId64, (int64_t)(value % 2000000001u) - 1000000000);
        return;
    }
    const char *const *status = g->csv ? status_csv : status_json;
    fprintf(file, g->csv ? wide_csv : wide_json, value % 99999989, value % 1000003, value % 100, status[value >> 9 & 3],
            (uint32_t)(value >> 12) % 30 + 1, (uint32_t)(value >> 20) % 24, (uint32_t)(value >> 28) % 60,
            (uint32_t)(value >> 36) % 60);
}

static void write_row(const struct generator *g, FILE *file, uint64_t key, uint64_t version, bool deleted, uint64_t value)
{
    const char *flag = deleted ? "true" : "false";
    if (g->csv)
        fprintf(file, KEY ",%" PRIu64 ",%s,", key, version, flag);
    else
        fprintf(file, "{\"key\":\"" KEY "\",\"version\":%" PRIu64 ",\"deleted\":%s,\"value\":", key, version, flag);
    write_value(g, file, deleted, value);
    fputs(g->csv ? "\n" : "}\n", file);
}

static void write_event(const struct generator *g, FILE *file, struct change change, bool deleted, uint64_t value)
{
    const char *operation = deleted ? "delete" : "upsert";
    uint64_t version = first_version(g, change.key) + change.ordinal;
    if (g->csv)
        fprintf(file, "e%" PRIu64 "," KEY ",%" PRIu64 ",%s,", change.number, change.key, version, operation);
    else
        fprintf(file, "{\"id\":\"e%" PRIu64 "\",\"key\":\"" KEY "\",\"version\":%" PRIu64 ",\"op\":\"%s\",\"value\":",
                change.number, change.key, version, operation);
    write_value(g, file, deleted, value);
    fputs(g->csv ? "\n" : "}\n", file);
}

static FILE *open_output(const struct generator *g, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", g->folder, name);
    FILE *file = fopen(path, "w");
    if (!file) {
        perror(path);
        exit(4);
    }
    setvbuf(file, NULL, _IOFBF, 1 << 20);
    return file;
}

static FILE *open_role(const struct generator *g, const char *role, const char *head)
{
    char name[64];
    snprintf(name, sizeof name, "%s.%s", role, g->csv ? "csv" : "ndjson");
    FILE *file = open_output(g, name);
    if (g->csv)
        fprintf(file, "%s%s\n", head, g->wide ? "owner,amount,status,updated_at" : "value");
    return file;
}

static void close_output(FILE *file, const char *name)
{
    bool bad = ferror(file) != 0;
    if (fclose(file) != 0 || bad) {
        perror(name);
        exit(4);
    }
}

/* One key of the reference: as it should be, or with one of the planted faults. */
static void write_expected(const struct generator *g, FILE *file, uint64_t key, struct truth *truth)
{
    uint64_t version = first_version(g, key) + g->per_key, value = value_at(g, key, g->per_key);
    bool deleted = g->per_key && is_delete(g, key, g->per_key);
    if (!g->per_key && !in_baseline(g, key))
        return;
    if (g->per_key && has_conflict(g, key)) {
        truth->conflict_keys++;
    } else {
        truth->states++;
        truth->tombstones += deleted;
        switch (hash(g, key, 9) % 20000) {
        case 0: /* the destination never got it */
            truth->unexpected_state++;
            return;
        case 1:
            version++;
            truth->state_mismatch++;
            break;
        case 2:
            if (!deleted) {
                value++;
                truth->state_mismatch++;
            }
            break;
        case 3:
            deleted = !deleted;
            truth->state_mismatch++;
            break;
        default: break;
        }
    }
    write_row(g, file, key, version, deleted, value);
    truth->expected++;
}

static void write_rows(const struct generator *g, struct truth *truth)
{
    FILE *baseline = open_role(g, "baseline", "key,version,deleted,");
    FILE *expected = open_role(g, "expected", "key,version,deleted,");
    for (uint64_t key = 0; key < g->keys; key++) {
        if (in_baseline(g, key)) {
            write_row(g, baseline, key, first_version(g, key), false, value_at(g, key, 0));
            truth->baseline++;
        }
        write_expected(g, expected, key, truth);
    }
    /* rows of the destination that no history explains */
    for (uint64_t key = g->keys; key < g->keys + g->keys / 20000 + 1; key++) {
        write_row(g, expected, key, 1, false, value_at(g, key, 0));
        truth->missing_state++;
        truth->expected++;
    }
    close_output(baseline, "baseline");
    close_output(expected, "expected");
}

static void write_change(const struct generator *g, FILE *file, uint64_t number, struct truth *truth)
{
    struct change change = {number, number / g->per_key, number % g->per_key + 1};
    write_event(g, file, change, is_delete(g, change.key, change.ordinal), value_at(g, change.key, change.ordinal));
    truth->events++;
}

static void write_events(const struct generator *g, struct truth *truth)
{
    FILE *file = open_role(g, "events", "id,key,version,op,");
    uint64_t total = g->keys * g->per_key, extra = total, bits = 1, late[LATE];
    memset(late, 0xff, sizeof late);
    while ((UINT64_C(1) << bits) < total)
        bits++;
    uint64_t mask = (UINT64_C(1) << bits) - 1;
    size_t at = 0;
    for (uint64_t i = 0; i <= mask && total; i++) {
        /* a bijection of 0..mask, so that each change comes once and none where it belongs */
        uint64_t number = (i * 0x9e3779b97f4a7c15u + 12345) & mask;
        number ^= number >> (bits / 2 + 1);
        number = (number * 0xd6e8feb86659fd93u) & mask;
        if (number >= total)
            continue;
        write_change(g, file, number, truth);
        uint64_t key = number / g->per_key;
        if (number % g->per_key == 0 && has_conflict(g, key)) {
            /* another event with the key's next version and another value */
            write_event(g, file, (struct change){extra++, key, 1}, false, value_at(g, key, 1) + 77);
            truth->events++;
        }
        if (late[at] != UINT64_MAX) {
            write_change(g, file, late[at], truth);
            truth->duplicate_deliveries++;
        }
        late[at] = is_repeated(g, number) ? number : UINT64_MAX;
        at = (at + 1) % LATE;
    }
    for (size_t i = 0; i < LATE; i++) {
        if (late[i] != UINT64_MAX) {
            write_change(g, file, late[i], truth);
            truth->duplicate_deliveries++;
        }
    }
    close_output(file, "events");
}

static void write_truth(const struct generator *g, const struct truth *truth)
{
    const struct { const char *name; uint64_t count; } counts[] = {
        {"baseline", truth->baseline},
        {"events", truth->events},
        {"expected", truth->expected},
        {"states", truth->states},
        {"tombstones", truth->tombstones},
        {"conflictKeys", truth->conflict_keys},
        {"duplicateDeliveries", truth->duplicate_deliveries},
        {"missingState", truth->missing_state},
        {"unexpectedState", truth->unexpected_state},
        {"stateMismatch", truth->state_mismatch},
        {"differences", truth->missing_state + truth->unexpected_state + truth->state_mismatch + truth->conflict_keys},
    };
    FILE *file = open_output(g, "truth.json");
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        fprintf(file, "%s\"%s\": %" PRIu64, i ? ", " : "{", counts[i].name, counts[i].count);
    fputs("}\n", file);
    close_output(file, "truth.json");
}

static bool parse_count(uint64_t *out, const char *text)
{
    char *end;
    *out = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0';
}

int main(int argc, char **argv)
{
    struct generator g = {.seed = 1};
    bool good = argc >= 4 && argc <= 7 && parse_count(&g.keys, argv[2]) && parse_count(&g.per_key, argv[3]);
    if (good && argc > 4) {
        g.wide = strcmp(argv[4], "wide") == 0;
        good = g.wide || strcmp(argv[4], "int") == 0;
    }
    if (good && argc > 5) {
        g.csv = strcmp(argv[5], "csv") == 0;
        good = g.csv || strcmp(argv[5], "ndjson") == 0;
    }
    if (good && argc > 6)
        good = parse_count(&g.seed, argv[6]);
    if (!good || (g.per_key && g.keys > UINT64_C(1) << 40) || g.per_key > 1 << 20) {
        fprintf(stderr, "usage: gen_case DIR KEYS EVENTS_PER_KEY [wide|int] [ndjson|csv] [SEED]\n");
        return 2;
    }
    g.folder = argv[1];
    struct truth truth = {0};
    write_rows(&g, &truth);
    write_events(&g, &truth);
    write_truth(&g, &truth);
    return 0;
}

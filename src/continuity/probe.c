/* What is the same for every system: options, the locator, the judge, and what the report gets. */
#include "continuity/probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/memory.h"
#include "base/options.h"
#include "continuity/instant.h"

struct system {
    enum sw_locator_system system;
    const char *library, *option;
    enum sw_code (*run)(struct sw_probe *probe); /* NULL: not in this build */
};

#ifdef SW_WITH_POSTGRES
#define RUN_POSTGRES sw_probe_postgres
#else
#define RUN_POSTGRES NULL
#endif
#ifdef SW_WITH_MARIADB
#define RUN_MARIADB sw_probe_mariadb
#else
#define RUN_MARIADB NULL
#endif
#ifdef SW_WITH_KAFKA
#define RUN_KAFKA sw_probe_kafka
#else
#define RUN_KAFKA NULL
#endif

static const struct system systems[] = {
    {SW_SYSTEM_POSTGRES, "libpq", "postgres", RUN_POSTGRES},
    {SW_SYSTEM_MARIADB, "libmariadb", "mariadb", RUN_MARIADB},
    {SW_SYSTEM_KAFKA, "librdkafka", "kafka", RUN_KAFKA},
};

void sw_probe_options_init_sized(struct sw_probe_options *options, size_t size) { sw_options_init(options, size); }

/* ---- for the systems ---- */

struct sw_rows *sw_probe_answer(struct sw_probe *probe) { return &probe->answers[probe->answer_count < SW_PROBE_ANSWERS_MAX - 1 ? probe->answer_count++ : SW_PROBE_ANSWERS_MAX - 1]; }

void sw_probe_object(struct sw_probe *probe, const char *type, const struct sw_client_table *table, size_t row)
{
    struct sw_probed_object *object = sw_probed_add(probe->probed, type);
    for (size_t i = 0; i < table->column_count; i++) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", table->names[i].len > 60 ? 60 : (int)table->names[i].len, (const char *)table->names[i].at);
        sw_probed_member(probe->probed, object, name, table->cells[row * table->column_count + i]);
    }
}

void sw_probe_settings(struct sw_probe *probe, const struct sw_client_table *table)
{
    for (size_t row = 0; table->column_count >= 2 && row < table->row_count; row++)
        sw_probed_setting(probe->probed, table->cells[row * table->column_count], table->cells[row * table->column_count + 1]);
}

bool sw_probe_number(int64_t *out, const struct sw_probe *probe, const char *setting)
{
    const char *text = sw_probed_setting_of(probe->probed, setting);
    char *end;
    if (!text || !*text)
        return false;
    long long value = strtoll(text, &end, 10);
    *out = value;
    return *end == '\0' || *end == '.' || *end == ' '; /* 86400.000 is a number of seconds, too; a unit may follow */
}

const char *sw_probe_bytes(char out[SW_PROBE_TEXT_MAX], int64_t bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
    int64_t whole = bytes < 0 ? 0 : bytes, tenth = 0;
    size_t unit = 0;
    for (; whole >= 1024 && unit < 5; unit++) {
        tenth = whole % 1024 * 10 / 1024;
        whole /= 1024;
    }
    if (unit && whole < 100)
        snprintf(out, SW_PROBE_TEXT_MAX, "%lld.%lld %s", (long long)whole, (long long)tenth, units[unit]);
    else
        snprintf(out, SW_PROBE_TEXT_MAX, "%lld %s", (long long)whole, units[unit]);
    return out;
}

const char *sw_probe_duration(char out[SW_PROBE_TEXT_MAX], int64_t milliseconds)
{
    return sw_instant_distance(out, (struct sw_instant){0}, (struct sw_instant){milliseconds < 0 ? 0 : milliseconds / 1000, 0});
}

enum sw_code sw_probe_tables(bool *any, struct sw_probe *probe, enum sw_code (*ask)(void *facts, const char *schema, const char *table), void *facts)
{
    const struct sw_probe_options *options = probe->options;
    enum sw_code code = probe->locator.table ? ask(facts, probe->locator.schema, probe->locator.table) : SW_OK;
    *any = probe->locator.table || options->table_count;
    for (size_t i = 0; code >= 0 && i < options->table_count; i++) {
        const char *dot = strchr(options->tables[i], '.');
        char *schema = dot ? sw_strndup(options->tables[i], (size_t)(dot - options->tables[i])) : NULL;
        code = dot && !schema ? sw_fail_memory(probe->error, "a table's name", 0) : ask(facts, schema, dot ? dot + 1 : options->tables[i]);
        sw_free(schema);
    }
    return code;
}

/* ---- judging ---- */

struct conclusion {
    struct sw_probe *probe;
    void (*conclude)(struct sw_probe *probe, struct sw_gap_case *gap, void *facts);
    void *facts;
};

static void move(struct sw_sentences *to, const struct sw_sentences *from)
{
    for (const char *text = NULL; (text = sw_sentences_next(from, text));)
        sw_sentences_add(to, "%s", text);
    to->text.failed |= from->text.failed;
}

static void weigh(struct sw_gap_case *gap, void *ctx)
{
    struct conclusion *conclusion = ctx;
    struct sw_probe *probe = conclusion->probe;
    struct sw_continuity_report *report = gap->report;
    conclusion->conclude(probe, gap, conclusion->facts);
    move(&report->reasons, &probe->reasons);
    move(&report->conditions, &probe->conditions);
    move(&report->evidence, &probe->evidence);
    move(&report->assumed, &probe->assumed);
    move(&report->obligations, &probe->obligations);
    move(&report->limits, &probe->limits);
    sw_sentences_add(&report->limits, "it shows what is at the source now, not what the pipeline did with what it was given");
    report->failed |= probe->failed;
    report->probed = probe->probed;
    probe->probed = NULL;
}

enum sw_code sw_probe_judge(struct sw_probe *probe, void (*conclude)(struct sw_probe *probe, struct sw_gap_case *gap, void *facts), void *facts)
{
    struct sw_client_table tables[SW_PROBE_ANSWERS_MAX];
    struct sw_client_tables file = {.tables = tables};
    for (size_t i = 0; i < probe->answer_count; i++)
        if (probe->answers[i].table.column_count)
            tables[file.count++] = probe->answers[i].table;
    struct conclusion conclusion = {probe, conclude, facts};
    const struct sw_gap_probed probed = {"position probe", {&file, 1}, weigh, &conclusion, probe->same_source_because};
    struct sw_named_text *histories = NULL;
    size_t count = probe->options->history_count;
    if (count || probe->history.text) {
        histories = sw_calloc(count + 1, sizeof *histories);
        if (!histories)
            return sw_fail_memory(probe->error, "histories", (count + 1) * sizeof *histories);
        for (size_t i = 0; i < count; i++)
            histories[i] = probe->options->histories[i];
        if (!count) /* what is given wins over what the server has */
            histories[count++] = probe->history;
    }
    probe->gap.histories = histories;
    probe->gap.history_count = count;
    enum sw_code code = sw_gap_run(&probe->report, &probe->gap, &probed, probe->error);
    sw_free(histories);
    return code;
}

/* ---- the call ---- */

static enum sw_code check_options(const struct sw_probe_options *options, enum sw_locator_system system, struct sw_error *error)
{
    if (!options->saved && !(system == SW_SYSTEM_KAFKA && options->group))
        return sw_fail(error, SW_ERR_USAGE, "--saved is missing: the position that the pipeline has durably processed%s", system == SW_SYSTEM_KAFKA ? " (or --group, whose committed offsets are then taken)" : "; its own store has it (give the offset that Debezium stores as it stands, and the answer names the position in it), and docs/positions.md says how each kind is written");
    if (options->timeout_seconds > 3600)
        return sw_fail(error, SW_ERR_USAGE, "--timeout: expected at most 3600 seconds");
    if ((options->slot || options->publication || options->history_count) && system != SW_SYSTEM_POSTGRES)
        return sw_fail(error, SW_ERR_USAGE, "--slot, --publication and --history belong to PostgreSQL");
    if (options->group && system != SW_SYSTEM_KAFKA)
        return sw_fail(error, SW_ERR_USAGE, "--group belongs to Kafka");
    if (options->sources && system != SW_SYSTEM_MARIADB)
        return sw_fail(error, SW_ERR_USAGE, "--sources belongs to MySQL");
    if (options->table_count && system == SW_SYSTEM_KAFKA)
        return sw_fail(error, SW_ERR_USAGE, "--table belongs to databases; a Kafka locator names its topic");
    return SW_OK;
}

static bool reads_as(const char *kind, const char *saved)
{
    struct sw_position *position = NULL;
    enum sw_code code = sw_position_parse(&position, kind, saved, strlen(saved), NULL);
    sw_position_free(&position);
    return code >= 0;
}

/* The kind of the saved position, which is read here once so that a wrong one is told before anybody is asked. */
static enum sw_code settle_kind(struct sw_probe *probe)
{
    static const char *const allowed[][5] = {
        [SW_SYSTEM_POSTGRES] = {"postgres", "datastream"},
        [SW_SYSTEM_MARIADB] = {"mysql", "mysql-gtid", "mariadb", "datastream"},
        [SW_SYSTEM_KAFKA] = {"kafka"},
    };
    const char *const *kinds = allowed[probe->locator.system], *saved = probe->options->saved;
    size_t i = 0;
    if (!probe->gap.kind) {
        probe->gap.kind = kinds[0];
        if (probe->locator.system == SW_SYSTEM_MARIADB && saved)
            probe->gap.kind = reads_as("mysql-gtid", saved) ? "mysql-gtid" : reads_as("mariadb", saved) ? "mariadb" : "mysql";
    }
    while (kinds[i] && strcmp(kinds[i], probe->gap.kind) != 0)
        i++;
    if (!kinds[i])
        return sw_fail(probe->error, SW_ERR_USAGE, "--kind %.40s is no kind of position that this source has: expected %s", probe->gap.kind,
            probe->locator.system == SW_SYSTEM_POSTGRES ? "postgres or datastream" : probe->locator.system == SW_SYSTEM_MARIADB ? "mysql, mysql-gtid, mariadb or datastream" : "kafka");
    if (!saved)
        return SW_OK;
    struct sw_position *position = NULL;
    struct sw_error fault = {0};
    enum sw_code code = sw_position_parse(&position, probe->gap.kind, saved, strlen(saved), &fault);
    sw_position_free(&position);
    return code < 0 ? sw_fail(probe->error, code, "--saved: %.1000s", fault.text) : SW_OK;
}

static enum sw_code run(struct sw_probe *probe)
{
    const struct system *found = NULL;
    char now[SW_INSTANT_TEXT_MAX];
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++)
        if (systems[i].system == probe->locator.system)
            found = &systems[i];
    if (!found)
        return sw_fail(probe->error, SW_ERR_USAGE, "%.300s has no log that could be resumed; position probe asks PostgreSQL, MySQL, MariaDB and Kafka", probe->locator.shown);
    enum sw_code code = check_options(probe->options, found->system, probe->error);
    if (code < 0)
        return code;
    if (!found->run)
        return sw_fail(probe->error, SW_ERR_UNSUPPORTED, "%.300s: this build has no client for it: it was made without %s (Meson option %s)", probe->locator.shown, found->library, found->option);
    code = settle_kind(probe);
    if (code < 0)
        return code;
    probe->probed = sw_probed_new();
    if (!probe->probed)
        return sw_fail_memory(probe->error, "a report", sizeof *probe->probed);
    probe->probed->source = sw_strdup(probe->locator.shown);
    probe->probed->asked_at = sw_strdup(sw_instant_print(now, (struct sw_instant){time(NULL), 0}));
    if (!probe->probed->source || !probe->probed->asked_at)
        return sw_fail_memory(probe->error, "a report", 0);
    return found->run(probe);
}

enum sw_code sw_continuity_probe(struct sw_continuity_report **out, const struct sw_probe_options *given, struct sw_error *error)
{
    struct sw_probe_options complete = {0};
    const struct sw_probe_options *options = &complete;
    struct sw_probe probe = {.options = options, .error = error};
    *out = NULL;
    enum sw_code code = sw_options_take(&complete, sizeof complete, given, "sw_probe_options", error);
    if (code < 0)
        return code;
    if (!options->locator)
        return sw_fail(error, SW_ERR_USAGE, "the locator of the source is missing");
    code = sw_locator_parse(&probe.locator, options->locator, error);
    sw_gap_options_init(&probe.gap);
    probe.gap.kind = options->kind;
    probe.gap.saved = options->saved;
    probe.gap.sources = options->sources;
    probe.gap.slot = options->slot;
    probe.gap.same_source = options->same_source;
    if (code >= 0)
        code = run(&probe);
    for (size_t i = 0; i < SW_PROBE_ANSWERS_MAX; i++)
        sw_rows_free(&probe.answers[i]);
    struct sw_sentences *const lists[] = {&probe.reasons, &probe.conditions, &probe.evidence, &probe.assumed, &probe.obligations, &probe.limits};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        sw_sentences_free(lists[i]);
    char *owned[2];
    memcpy(&owned[0], &probe.history.name, sizeof owned[0]);
    memcpy(&owned[1], &probe.history.text, sizeof owned[1]);
    sw_free(owned[0]);
    sw_free(owned[1]);
    sw_probed_free(&probe.probed);
    sw_locator_free(&probe.locator);
    if (code < 0)
        sw_continuity_report_free(&probe.report);
    *out = probe.report;
    return code;
}

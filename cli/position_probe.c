/* slackwater position probe: asks a live source whether the log after a saved position is still there. */
#include "case_result.h"
#include "failure.h"
#include "position.h"
#include "saved_position.h"
#include "terminal_text.h"

static const char *const kinds[] = {"postgres", "mysql", "mysql-gtid", "mariadb", "kafka", "datastream", NULL};

struct call {
    struct sw_probe_options probe;
    const char *const *history; size_t history_count;
    const char *case_directory;
    bool json;
};

static enum sw_code probe(int *status, struct call *call, const char *locator, struct sw_error *error)
{
    struct sw_continuity_report *report = NULL;
    struct texts histories = {0};
    enum sw_code code = texts_read(&histories, call->history, call->history_count, error) ? SW_OK : error->code;
    call->probe.locator = locator;
    call->probe.histories = histories.at;
    call->probe.history_count = histories.count;
    if (code >= 0 && !case_result_check(error, call->case_directory))
        code = error->code;
    if (code >= 0 && !saved_position_check(error, call->probe.saved))
        code = error->code;
    if (code >= 0)
        code = sw_continuity_probe(&report, &call->probe, error);
    if (code >= 0) {
        *status = sw_continuity_exit_status(report);
        code = call->json ? sw_continuity_write_json(report, stdout_write, NULL, error) : sw_continuity_write_text(report, terminal_text_write, NULL, error);
    }
    if (code >= 0)
        position_add_report(status, call->case_directory, report, "probe.json");
    sw_continuity_report_free(&report);
    texts_free(&histories);
    return code;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct call call = {0};
    struct operands operands;
    struct sw_error error = {0};
    int status;
    sw_probe_options_init(&call.probe);
    if (command_parse(&status, &call, &operands, self, argc, argv) && probe(&status, &call, operands.at[0], &error) < 0)
        status = failure_print(call.json, &error);
    command_release(&call, self);
    return status;
}

#define AT(field) offsetof(struct call, field)
#define POSITIONS "positions"
#define SOURCE "what is looked at"
#define OUTPUT "output"

static const struct command_option options[] = {
    {"saved", 's', OPTION_TEXT, "POSITION", AT(probe.saved), 0, POSITIONS, "What the pipeline has durably processed; docs/positions.md says how it is written. Kafka: with --group it may be left out.", NULL, false},
    {"kind", 'k', OPTION_CHOICE, NULL, AT(probe.kind), 0, POSITIONS, "What the saved position is. Told by the locator, and for MySQL and MariaDB by its form, if it is not given.", kinds, false},
    {"same-source", 0, OPTION_FLAG, NULL, AT(probe.same_source), 0, POSITIONS,
     "Declares that the saved position is of this source, where it does not give its identity. It is listed under what was assumed; identities that differ stay incomparable.", NULL, false},
    {"table", 't', OPTION_LIST, "TABLE", AT(probe.tables), AT(probe.table_count), SOURCE, "TABLE or SCHEMA.TABLE that the pipeline carries: its key, replica identity and publications are looked at. May be given again.", NULL, false},
    {"slot", 0, OPTION_TEXT, "NAME", AT(probe.slot), 0, SOURCE, "PostgreSQL: the pipeline's replication slot. Needed if there are several logical ones.", NULL, false},
    {"publication", 0, OPTION_TEXT, "NAME", AT(probe.publication), 0, SOURCE, "PostgreSQL: the publication that the pipeline reads. Default: any.", NULL, false},
    {"history", 0, OPTION_LIST, "FILE", AT(history), AT(history_count), SOURCE, "PostgreSQL: a timeline history file (such as 00000003.history), where the user may not read it at the server. May be given again.", NULL, false},
    {"group", 'g', OPTION_TEXT, "GROUP", AT(probe.group), 0, SOURCE, "Kafka: the consumer group whose committed offsets are read; they are what is judged unless --saved is given.", NULL, false},
    {"sources", 0, OPTION_TEXT, "UUIDS", AT(probe.sources), 0, SOURCE, "MySQL by sets of GTIDs: only these UUIDs count, with commas between them, as in a connector's filter.", NULL, false},
    {"timeout", 0, OPTION_NUMBER, "SECONDS", AT(probe.timeout_seconds), 0, SOURCE, "How long to wait for a connection, and for each answer. Default: 15, or what the locator says.", NULL, false},
    OPTION_CASE(OUTPUT),
    {"json", 'j', OPTION_FLAG, NULL, AT(json), 0, OUTPUT, "Prints the answer as JSON (docs/probe.schema.json); a failure is then an object {\"error\": …} with a stable code, also on standard output.", NULL, false},
};

static const struct command_status statuses[] = {
    {0, "Continuous: the source can serve everything after the saved position."},
    {1, "A gap: the first line has the interval."},
    {2, "Wrong usage, something given is not a position, or a table or topic is not there."},
    {3, "Cannot tell: what is missing is listed, and what the answer would be with it."},
    {4, "The source could not be reached, or failed: nothing is claimed."},
};

static const struct command_example examples[] = {
    {"a slot and its tables", "slackwater position probe postgresql://probe@db/shop --slot debezium --saved 0/16E9A28@system=7301234567890123456,timeline=1 --table public.orders"},
    {"a place in a binary log", "slackwater position probe mariadb://probe@db/shop --saved binlog.000042:1234 --same-source"},
    {"what a consumer group would miss", "slackwater position probe kafka://broker:9092/shop.orders --group sink"},
};

const struct command command_position_probe = {
    .name = "position probe",
    .synopsis = "LOCATOR --saved POSITION [OPTION]...",
    .summary = "asks a live source whether the log after a saved position is still there",
    .description = "Asks PostgreSQL, MySQL, MariaDB or Kafka whether everything after the saved position can still be read, what would be skipped without an error, and which settings lose data next. A connection test answers none of these.\n\n"
                   "Nothing is changed at the source: sessions are read-only, no group is joined, nothing is committed. Passwords come from where the client libraries look for them (pgpass, PGPASSWORD, MYSQL_PWD, option files) and are never printed.",
    .options = options, .option_count = sizeof options / sizeof options[0],
    .operands_min = 1, .operands_max = 1,
    .statuses = statuses, .status_count = sizeof statuses / sizeof statuses[0],
    .examples = examples, .example_count = sizeof examples / sizeof examples[0],
    .run = run,
};

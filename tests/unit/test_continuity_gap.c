/* Every row of the decision tables of docs/positions.md. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buffer.h"
#include "continuity/report.h"
#include "slackwater/continuity.h"

#define U "3a1f0000-0000-0000-0000-000000000001"
#define V "aaaaaaaa-0000-0000-0000-000000000002"
#define COUNT(table) (sizeof(table) / sizeof *(table))

struct gap_case {
    const char *kind, *saved, *first, *last;
    enum sw_continuity verdict;
    const char *rule;      /* its name; NULL: any */
    const char *intervals; /* "space[from,to)" one after the other with ';'; NULL: none */
    const char *shown;
    struct { const char *purged, *executed, *slot, *strict, *sources, *history_name, *history; bool same_source; } more;
    const char *says;      /* a part of the text; NULL: any */
};

static int append(const void *bytes, size_t len, void *ctx)
{
    sw_buffer_add(ctx, bytes, len);
    return 0;
}

static void intervals_text(struct sw_buffer *out, const struct sw_continuity_report *report)
{
    struct sw_gap_interval each;
    for (size_t i = 0; sw_continuity_interval(&each, report, i); i++) {
        if (!*each.to && !each.open)
            sw_buffer_printf(out, "%s%s{%s}", i ? ";" : "", each.space, each.from);
        else
            sw_buffer_printf(out, "%s%s%c%s,%s%c%s", i ? ";" : "", each.space, each.from_included ? '[' : '(', each.from, each.open ? "?" : each.to, each.to_included ? ']' : ')', each.possible ? "~" : "");
    }
}

static void check_gaps(const struct gap_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct gap_case *row = &cases[i];
        struct sw_continuity_report *report = NULL;
        struct sw_error error = {0};
        struct sw_gap_options options;
        struct sw_named_text shown = {"shown.txt", row->shown, row->shown ? strlen(row->shown) : 0}, history = {row->more.history_name, row->more.history, row->more.history ? strlen(row->more.history) : 0};
        sw_gap_options_init(&options);
        options.kind = row->kind;
        options.saved = row->saved;
        options.first = row->first;
        options.last = row->last;
        options.purged = row->more.purged;
        options.executed = row->more.executed;
        options.slot = row->more.slot;
        options.strict = row->more.strict;
        options.sources = row->more.sources;
        options.same_source = row->more.same_source;
        options.shown = &shown;
        options.shown_count = row->shown != NULL;
        options.histories = &history;
        options.history_count = row->more.history != NULL;
        if (sw_continuity_gap(&report, &options, &error) != SW_OK)
            fail_msg("row %zu, %s %s: %s", i, row->kind, row->saved, error.text);
        struct sw_buffer text = {0}, json = {0}, intervals = {0};
        assert_int_equal(sw_continuity_write_text(report, append, &text, NULL), SW_OK);
        assert_int_equal(sw_continuity_write_json(report, append, &json, NULL), SW_OK);
        intervals_text(&intervals, report);
        const char *whole = sw_buffer_text(&text), *found = sw_buffer_text(&intervals);
        if (sw_continuity_verdict(report) != row->verdict)
            fail_msg("row %zu, %s %s: expected %s, found:\n%s", i, row->kind, row->saved, sw_continuity_name(row->verdict), whole);
        assert_int_equal(sw_continuity_exit_status(report), row->verdict == SW_CONTINUOUS ? 0 : row->verdict == SW_GAP ? 1 : 3);
        if (row->rule && (!report->rule || strcmp(report->rule->name, row->rule) != 0))
            fail_msg("row %zu, %s %s: expected rule %s, found:\n%s", i, row->kind, row->saved, row->rule, whole);
        if (strcmp(row->intervals ? row->intervals : "", found) != 0)
            fail_msg("row %zu, %s %s: expected intervals '%s', found '%s':\n%s", i, row->kind, row->saved, row->intervals ? row->intervals : "", found, whole);
        if (row->says && !strstr(whole, row->says))
            fail_msg("row %zu, %s %s: expected '%s' in:\n%s", i, row->kind, row->saved, row->says, whole);
        if (strncmp(whole, sw_continuity_name(row->verdict), strlen(sw_continuity_name(row->verdict))) != 0)
            fail_msg("row %zu: the answer is not the first line:\n%s", i, whole);
        /* no answer without a rule, a reason and its limits; no gap without what follows */
        assert_non_null(report->rule);
        assert_true(report->reasons.count > 0 && report->limits.count > 0);
        if (row->verdict == SW_GAP)
            assert_true(report->obligations.count >= 6);
        sw_buffer_free(&text);
        sw_buffer_free(&json);
        sw_buffer_free(&intervals);
        sw_continuity_report_free(&report);
        assert_null(report);
    }
}

#define SLOT_HEADER "slot_name|slot_type|database|restart_lsn|confirmed_flush_lsn|wal_status|safe_wal_size|invalidation_reason\n"
#define SYNCED_HEADER "slot_name|slot_type|database|restart_lsn|confirmed_flush_lsn|wal_status|synced|temporary|pg_is_in_recovery\n"
#define PG_ID "\nsystemid|timeline|xlogpos|dbname\n7|1|0/9000|\n(1 row)\n"
#define PG "@system=7,timeline=1"

static void postgres_follows_its_decision_table(void **state)
{
    (void)state;
    const struct gap_case cases[] = {
        /* identity */
        {"postgres", "0/3000@system=8,timeline=1", NULL, NULL, SW_CANNOT_TELL, "space.differs", NULL, SLOT_HEADER "s|logical|d|0/1000|0/2000|reserved||\n" PG_ID, {0}, "system identifier differs"},
        {"postgres", "0/3000", "0/2000", NULL, SW_CANNOT_TELL, "postgres.first", NULL, NULL, {0}, "it would be continuous"},
        {"postgres", "0/1000", "0/2000", NULL, SW_CANNOT_TELL, "postgres.first", "[0/1000,0/2000)~", NULL, {0}, "it would be gap [0/1000, 0/2000)"},
        {"postgres", "0/1000" PG, "0/2000", NULL, SW_CANNOT_TELL, NULL, "[0/1000,0/2000)~", NULL, {0}, "the source does not give its own"},
        {"postgres", "0/1000", "0/2000", NULL, SW_GAP, "postgres.first", "[0/1000,0/2000)~", NULL, {.same_source = true}, "declared with --same-source"},
        {"postgres", "0/3000", "0/2000", NULL, SW_CONTINUOUS, "postgres.first", NULL, NULL, {.same_source = true}, NULL},
        {"postgres", "0/2000" PG, "0/2000" PG, NULL, SW_CONTINUOUS, "postgres.first", NULL, NULL, {0}, NULL},
        /* slot missing: possible gap up to the consistent point of the new one */
        {"postgres", "0/3000" PG, NULL, NULL, SW_CANNOT_TELL, "postgres.slot.missing", NULL, SLOT_HEADER "(0 rows)\n" PG_ID, {0}, "consistent point of a new one is not known"},
        {"postgres", "0/3000" PG, "0/8000", NULL, SW_GAP, "postgres.slot.missing", "[0/3000,0/8000)~", SLOT_HEADER "(0 rows)\n" PG_ID, {0}, NULL},
        {"postgres", "0/3000" PG, "0/8000", NULL, SW_GAP, "postgres.slot.missing", "[0/3000,0/8000)~", SLOT_HEADER "other|logical|d|0/1000|0/2000|reserved||\n" PG_ID, {.slot = "mine"}, NULL},
        /* lost, invalidated */
        {"postgres", "0/3000" PG, NULL, NULL, SW_GAP, "postgres.slot.lost", "[0/3000,?)", SLOT_HEADER "s|logical|d||0/2000|lost||\n" PG_ID, {0}, "give it with --first"},
        {"postgres", "0/3000" PG, "0/8000", NULL, SW_GAP, "postgres.slot.lost", "[0/3000,0/8000)", SLOT_HEADER "s|logical|d||0/2000|lost||wal_removed\n" PG_ID, {0}, NULL},
        {"postgres", "0/3000" PG, NULL, NULL, SW_GAP, "postgres.slot.lost", "[0/3000,?)", SLOT_HEADER "s|logical|d|0/1000|0/2000|reserved||rows_removed\n" PG_ID, {0}, "rows_removed"},
        {"postgres", "0/3000" PG, NULL, NULL, SW_GAP, "postgres.slot.lost", "[0/3000,?)", SLOT_HEADER "s|logical|d|0/1000|0/2000|reserved||idle_timeout\n" PG_ID, {0}, NULL},
        /* unreserved: continuous at this moment, at risk */
        {"postgres", "0/3000" PG, NULL, NULL, SW_CONTINUOUS, "postgres.slot.confirmed", NULL, SLOT_HEADER "s|logical|d|0/1000|0/2000|unreserved|-5|\n" PG_ID, {0}, "at risk"},
        /* saved >= confirmed */
        {"postgres", "0/2000" PG, NULL, NULL, SW_CONTINUOUS, "postgres.slot.confirmed", NULL, SLOT_HEADER "s|logical|d|0/1000|0/2000|reserved||\n" PG_ID, {0}, "expect repeated deliveries"},
        {"postgres", "0/3000" PG, NULL, NULL, SW_CONTINUOUS, "postgres.slot.confirmed", NULL, SLOT_HEADER "s|logical|d|0/1000|0/00002000|extended||\n" PG_ID, {0}, NULL},
        /* saved < confirmed: skipped without an error */
        {"postgres", "0/1800" PG, NULL, NULL, SW_GAP, "postgres.slot.advanced", "[0/1800,0/2000)~", SLOT_HEADER "s|logical|d|0/1000|0/2000|reserved||\n" PG_ID, {0}, "without an error"},
        {"postgres", "9/0" PG, NULL, "20/0" PG, SW_GAP, "postgres.slot.advanced", "[9/0,10/0)~", SLOT_HEADER "s|logical|d|1/0|10/0|reserved||\n\nsystemid|timeline\n7|1\n", {0}, NULL},
        /* beyond the server's WAL */
        {"postgres", "0/9001" PG, NULL, NULL, SW_CANNOT_TELL, "postgres.rewound", NULL, SLOT_HEADER "s|logical|d|0/1000|0/2000|reserved||\n" PG_ID, {0}, NULL},
        {"postgres", "0/9000" PG, NULL, NULL, SW_CONTINUOUS, NULL, NULL, SLOT_HEADER "s|logical|d|0/1000|0/2000|reserved||\n" PG_ID, {0}, NULL},
        /* the saved LSN must be a commit's */
        {"postgres", "0/3000@system=7,timeline=1,lsn=row", NULL, NULL, SW_CANNOT_TELL, "postgres.row", NULL, SLOT_HEADER "s|logical|d|0/1000|0/2000|reserved||\n" PG_ID, {0}, "the last transaction that was applied whole"},
        {"postgres", "0/3000@system=7,timeline=1,lsn=commit", NULL, NULL, SW_CONTINUOUS, NULL, NULL, SLOT_HEADER "s|logical|d|0/1000|0/2000|reserved||\n" PG_ID, {0}, NULL},
        {"postgres", "0/0" PG, "0/2000" PG, NULL, SW_CANNOT_TELL, "postgres.invalid", NULL, NULL, {0}, NULL},
        /* a slot that has not reserved anything */
        {"postgres", "0/3000" PG, NULL, NULL, SW_CANNOT_TELL, "postgres.slot.confirmed", NULL, SLOT_HEADER "s|logical|d|||||\n" PG_ID, {0}, "it never reserved WAL"},
        /* no connector reads from a physical slot */
        {"postgres", "0/3000" PG, NULL, NULL, SW_CANNOT_TELL, "postgres.slot.physical", NULL, SLOT_HEADER "p|physical||0/3000||reserved||\n" PG_ID, {0}, "a connector needs a logical slot"},
        /* 17: a copy on a standby is read by nobody before a promotion, which drops it while it is temporary */
        {"postgres", "0/3000" PG, NULL, NULL, SW_CANNOT_TELL, "postgres.slot.confirmed", NULL, SYNCED_HEADER "s|logical|d|0/1000|0/2000|reserved|t|f|\n" PG_ID, {0}, "pg_is_in_recovery()"},
        {"postgres", "0/3000" PG, NULL, NULL, SW_CANNOT_TELL, "postgres.slot.confirmed", NULL, SYNCED_HEADER "s|logical|d|0/1000|0/2000|reserved|t|f|t\n" PG_ID, {0}, "it would be continuous"},
        {"postgres", "0/3000" PG, NULL, NULL, SW_CONTINUOUS, "postgres.slot.confirmed", NULL, SYNCED_HEADER "s|logical|d|0/1000|0/2000|reserved|t|f|f\n" PG_ID, {0}, NULL},
        {"postgres", "0/3000" PG, NULL, NULL, SW_CONTINUOUS, "postgres.slot.confirmed", NULL, SYNCED_HEADER "s|logical|d|0/1000|0/2000|reserved|f|f|\n" PG_ID, {0}, NULL},
        {"postgres", "0/3000" PG, NULL, NULL, SW_CANNOT_TELL, "postgres.slot.confirmed", NULL, SYNCED_HEADER "s|logical|d|0/1000|0/2000|reserved|t|t|f\n" PG_ID, {0}, "a promotion drops it"},
        {"postgres", "0/3000" PG, NULL, NULL, SW_CANNOT_TELL, "postgres.slot.confirmed", NULL, SYNCED_HEADER "s|logical|d|0/1000|0/2000|reserved|f|t|f\n" PG_ID, {0}, "goes with that session"},
        {"postgres", "0/1800" PG, NULL, NULL, SW_GAP, "postgres.slot.advanced", "[0/1800,0/2000)~", SYNCED_HEADER "s|logical|d|0/1000|0/2000|reserved|t|f|t\n" PG_ID, {0}, NULL},
        {"postgres", "0/3000" PG, NULL, NULL, SW_GAP, "postgres.slot.physical", "[0/3000,0/3001)~", SLOT_HEADER "p|physical||0/3001||reserved||\n" PG_ID, {0}, NULL},
        /* several slots: the one that is named */
        {"postgres", "0/3000" PG, NULL, NULL, SW_CONTINUOUS, NULL, NULL, SLOT_HEADER "a|logical|d|0/1|0/2|lost||\nb|logical|d|0/1|0/2|reserved||\n" PG_ID, {.slot = "b"}, NULL},
        /* promotion */
        {"postgres", "0/3000@system=7,timeline=1", NULL, NULL, SW_CANNOT_TELL, "space.differs", NULL, SLOT_HEADER "s|logical|d|0/1000|0/2000|reserved||\n\nsystemid|timeline|xlogpos\n7|2|0/9000\n", {0}, "timelines 1 and 2"},
        {"postgres", "0/3000@system=7,timeline=1", NULL, NULL, SW_CONTINUOUS, NULL, NULL, SLOT_HEADER "s|logical|d|0/1000|0/2000|reserved||\n\nsystemid|timeline|xlogpos\n7|2|0/9000\n", {.history_name = "00000002.history", .history = "1\t0/4000\tx\n"}, NULL},
        {"postgres", "0/5000@system=7,timeline=1", NULL, NULL, SW_CANNOT_TELL, NULL, NULL, SLOT_HEADER "s|logical|d|0/1000|0/4800|reserved||\n\nsystemid|timeline|xlogpos\n7|2|0/9000\n", {.history_name = "00000002.history", .history = "1\t0/4000\tx\n"}, "part after 0/4000"},
        {"postgres", "0/3000" PG, NULL, NULL, SW_CANNOT_TELL, "postgres.first", NULL, NULL, {0}, "give --first"},
    };
    check_gaps(cases, COUNT(cases));
}

#define MY "@server=" U
#define LOGS(rows) "+---------------+-----------+\n| Log_name      | File_size |\n+---------------+-----------+\n" rows "+---------------+-----------+\n\n@@server_uuid\n" U "\n"

static void mysql_files_follow_their_decision_table(void **state)
{
    (void)state;
    const struct gap_case cases[] = {
        {"mysql", "binlog.000042:1234" MY, NULL, NULL, SW_CONTINUOUS, "mysql.file.listed", NULL, LOGS("| binlog.000041 |       220 |\n| binlog.000042 |      5000 |\n| binlog.000043 |       197 |\n"), {0}, NULL},
        {"mysql", "binlog.000042:5000" MY, NULL, NULL, SW_CONTINUOUS, "mysql.file.listed", NULL, LOGS("| binlog.000042 |      5000 |\n"), {0}, NULL}, /* its very end */
        {"mysql", "binlog.000042:1234" MY, NULL, NULL, SW_GAP, "mysql.file.purged", "[binlog.000042:1234,binlog.000050:4)", LOGS("| binlog.000050 |       220 |\n"), {0}, "backup of the binary logs"},
        {"mysql", "bin.999999:900" MY, NULL, NULL, SW_GAP, "mysql.file.purged", "[bin.999999:900,bin.1000002:4)", LOGS("| bin.1000002 | 220 |\n"), {0}, NULL},
        {"mysql", "binlog.000049:1234" MY, NULL, NULL, SW_GAP, "mysql.file.purged", "[binlog.000049:1234,binlog.000050:4)~", LOGS("| binlog.000050 |       220 |\n"), {0}, "if the saved offset was the end of its file there is no gap"},
        /* reset, or another server: beyond the newest, or beyond the end of the file */
        {"mysql", "binlog.000042:1234" MY, NULL, NULL, SW_CANNOT_TELL, "mysql.file.reset", NULL, LOGS("| binlog.000001 |       220 |\n| binlog.000002 |       220 |\n"), {0}, NULL},
        {"mysql", "binlog.000042:5001" MY, NULL, NULL, SW_CANNOT_TELL, "mysql.file.reset", NULL, LOGS("| binlog.000042 |      5000 |\n| binlog.000043 |       220 |\n"), {0}, "beyond the end of its file"},
        {"mysql", "binlog.000042:1234" MY, NULL, NULL, SW_CANNOT_TELL, "space.differs", NULL, LOGS("| mysql-bin.000042 |      5000 |\n"), {0}, "base names"},
        {"mysql", "binlog.000042:1234@server=" V, NULL, NULL, SW_CANNOT_TELL, "space.differs", NULL, LOGS("| binlog.000042 |      5000 |\n"), {0}, "server_uuid differs"},
        /* holes in the list */
        {"mysql", "binlog.000042:1234" MY, NULL, NULL, SW_GAP, "mysql.file.hole", "[binlog.000042:1234,binlog.000043:4)", LOGS("| binlog.000041 |       220 |\n| binlog.000043 |       197 |\n"), {0}, NULL},
        {"mysql", "binlog.000041:100" MY, NULL, NULL, SW_GAP, "mysql.file.hole", "[binlog.000042:4,binlog.000044:4)", LOGS("| binlog.000041 |       220 |\n| binlog.000044 |       197 |\n"), {0}, NULL},
        /* bounds as given */
        {"mysql", "binlog.000042:1234" MY, "binlog.000050" MY, NULL, SW_GAP, "mysql.file.purged", "[binlog.000042:1234,binlog.000050:4)", NULL, {0}, NULL},
        {"mysql", "binlog.000042:1234", "binlog.000050", NULL, SW_CANNOT_TELL, NULL, "[binlog.000042:1234,binlog.000050:4)", NULL, {0}, "it would be gap"},
        {"mysql", "binlog.000042:1234", "binlog.000050", NULL, SW_GAP, NULL, "[binlog.000042:1234,binlog.000050:4)", NULL, {.same_source = true}, NULL},
        {"mysql", "binlog.000042:1234" MY, "binlog.000041" MY, "binlog.000043:9" MY, SW_CONTINUOUS, "mysql.file.listed", NULL, NULL, {0}, "rests on the bounds as given"},
        {"mysql", "binlog.000042:1234" MY, "binlog.000041" MY, NULL, SW_CANNOT_TELL, NULL, NULL, NULL, {0}, "give --last"},
        {"mysql", "binlog.000044:4" MY, "binlog.000041" MY, "binlog.000043:9" MY, SW_CANNOT_TELL, "mysql.file.reset", NULL, NULL, {0}, NULL},
        {"mysql", "binlog.000042:1234" MY, NULL, NULL, SW_CANNOT_TELL, "mysql.file.unknown", NULL, NULL, {0}, NULL},
        /* where the server writes */
        {"mysql", "binlog.000043:150" MY, NULL, NULL, SW_CONTINUOUS, NULL, NULL, "Log_name\tFile_size\nbinlog.000042\t5000\nbinlog.000043\t197\nFile\tPosition\tBinlog_Do_DB\nbinlog.000043\t197\t\nVariable_name\tValue\nserver_uuid\t" U "\n", {0}, "offset 197"},
        /* GTIDs beside the file do not decide here */
        {"mysql", "binlog.000042:1234@server=" U ",gtids=" V ":1-5", NULL, NULL, SW_GAP, "mysql.file.purged", "[binlog.000042:1234,binlog.000050:4)", LOGS("| binlog.000050 |       220 |\n"), {0}, "judge it with --kind mysql-gtid"},
        {"datastream", "[1927857906000,\"mysql-bin.000042\",3141]", "mysql-bin.000050", NULL, SW_GAP, "mysql.file.purged", "[mysql-bin.000042:3141,mysql-bin.000050:4)", NULL, {.same_source = true}, NULL},
    };
    check_gaps(cases, COUNT(cases));
}

static void sets_of_gtids_follow_their_decision_table(void **state)
{
    (void)state;
    const struct gap_case cases[] = {
        {"mysql-gtid", U ":1-50", NULL, NULL, SW_CONTINUOUS, "mysql.gtid.resumable", NULL, NULL, {.executed = U ":1-100", .purged = U ":1-40"}, "50 transactions are left to read"},
        {"mysql-gtid", U ":1-50", NULL, NULL, SW_CONTINUOUS, "mysql.gtid.resumable", NULL, NULL, {.executed = U ":1-100", .purged = ""}, NULL},
        {"mysql-gtid", U ":1-50", NULL, NULL, SW_GAP, "mysql.gtid.purged", "{" U ":51-60}", NULL, {.executed = U ":1-100", .purged = U ":1-60"}, "10 transactions were purged"},
        {"mysql-gtid", U ":1-50", NULL, NULL, SW_GAP, "mysql.gtid.purged", "{" U ":blue:1-2," V ":1-7}", NULL, {.executed = U ":1-100:blue:1-5," V ":1-9", .purged = U ":1-50:Blue:1-2," V ":1-7"}, NULL},
        {"mysql-gtid", "", NULL, NULL, SW_GAP, "mysql.gtid.purged", "{" U ":1-60}", NULL, {.executed = U ":1-100", .purged = U ":1-60"}, NULL},
        {"mysql-gtid", U ":1-50," V ":1-5", NULL, NULL, SW_CANNOT_TELL, "mysql.gtid.ahead", NULL, NULL, {.executed = U ":1-100", .purged = U ":1-40"}, "lacks 5 transactions that were processed"},
        {"mysql-gtid", U ":1-120", NULL, NULL, SW_CANNOT_TELL, "mysql.gtid.ahead", NULL, NULL, {.executed = U ":1-100", .purged = ""}, "becomes resumable once it has caught up"},
        /* both: the lack on the server comes first, the purged part is said too */
        {"mysql-gtid", U ":1-50:101", NULL, NULL, SW_CANNOT_TELL, "mysql.gtid.ahead", NULL, NULL, {.executed = U ":1-100", .purged = U ":1-60"}, "besides, 10 transactions were purged"},
        {"mysql-gtid", U ":1-50", NULL, NULL, SW_CANNOT_TELL, "mysql.gtid.unknown", NULL, NULL, {.executed = U ":1-100"}, "gtid_purged is not known"},
        {"mysql-gtid", U ":1-50", NULL, NULL, SW_CANNOT_TELL, "mysql.gtid.unknown", NULL, NULL, {.purged = U ":1-60"}, "10 transactions were purged and are not in the saved set"},
        {"mysql-gtid", U ":1-50", NULL, NULL, SW_CANNOT_TELL, "mysql.gtid.unknown", NULL, NULL, {0}, "gtid_executed and gtid_purged are not known"},
        /* a hole in the saved set that is still in the log will be served; case O25 */
        {"mysql-gtid", U ":1-7:9-10", NULL, NULL, SW_CONTINUOUS, NULL, NULL, NULL, {.executed = U ":1-10", .purged = ""}, U ":8"},
        {"mysql-gtid", U ":1-7:9-10", NULL, NULL, SW_GAP, NULL, "{" U ":8}", NULL, {.executed = U ":1-10", .purged = U ":1-8"}, NULL},
        /* a checkpoint of one transaction is not all up to it */
        {"mysql-gtid", U ":100", NULL, NULL, SW_GAP, NULL, "{" U ":1-60}", NULL, {.executed = U ":1-100", .purged = U ":1-60"}, "if it means all up to it, write the range"},
        /* the connector's filter applies to all three */
        {"mysql-gtid", U ":1-50", NULL, NULL, SW_CONTINUOUS, NULL, NULL, NULL, {.executed = U ":1-100," V ":1-9", .purged = U ":1-40," V ":1-9", .sources = U}, NULL},
        {"mysql-gtid", U ":1-50", NULL, NULL, SW_GAP, NULL, "{" V ":1-9}", NULL, {.executed = U ":1-100," V ":1-9", .purged = U ":1-40," V ":1-9", .sources = U " , " V}, NULL},
        /* variables as a client prints them */
        {"mysql-gtid", U ":1-50", NULL, NULL, SW_GAP, NULL, "{" U ":51-60}", "Variable_name\tValue\ngtid_executed\t" U ":1-100\ngtid_mode\tON\ngtid_purged\t" U ":1-60\n", {0}, "gtid_purged is " U ":1-60"},
        {"mysql-gtid", U ":1-50", NULL, NULL, SW_CONTINUOUS, NULL, NULL, "+-----------------+---+\n| @@gtid_executed | @@gtid_purged |\n+-----------------+---+\n| " U ":1-100,\n" V ":1 |  |\n+-----------------+---+\n", {0}, NULL},
        {"mysql-gtid", U ":1-50", NULL, NULL, SW_CANNOT_TELL, "mysql.gtid.off", NULL, "Variable_name\tValue\ngtid_executed\t\ngtid_mode\tOFF\ngtid_purged\t\n", {0}, "--kind mysql"},
    };
    check_gaps(cases, COUNT(cases));
}

static void mariadb_follows_its_decision_table(void **state)
{
    (void)state;
    const struct gap_case cases[] = {
        {"mariadb", "0-1-500", "0-1-400", "0-1-600", SW_CONTINUOUS, "mariadb.within", NULL, NULL, {.strict = "on"}, NULL},
        {"mariadb", "0-1-400", "0-1-400", "0-1-400", SW_CONTINUOUS, "mariadb.within", NULL, NULL, {.strict = "on"}, NULL},
        {"mariadb", "0-1-500@strict=on", "0-1-400", "0-1-600", SW_CONTINUOUS, NULL, NULL, NULL, {0}, NULL},
        {"mariadb", "0-1-300", "0-1-400", "0-1-600", SW_GAP, "mariadb.purged", "domain 0(300,400]", NULL, {.strict = "off"}, NULL},
        {"mariadb", "0-1-500,7-1-3", "0-1-400,7-1-5", "0-1-600,7-1-9", SW_GAP, "mariadb.purged", "domain 7(3,5]", NULL, {.strict = "on"}, NULL},
        /* a domain that was never read: from its start */
        {"mariadb", "0-1-500", "0-1-400,7-1-5", "0-1-600,7-1-9", SW_GAP, "mariadb.purged", "domain 7(,5]", NULL, {.strict = "on"}, "the start"},
        {"mariadb", "0-1-500", "0-1-400", "0-1-600,7-1-9", SW_CONTINUOUS, NULL, NULL, NULL, {.strict = "on"}, NULL}, /* all of it is still in the logs */
        /* nothing shows what was purged */
        {"mariadb", "0-1-500", NULL, "0-1-600", SW_CANNOT_TELL, "mariadb.unknown", NULL, NULL, {.strict = "on"}, "error 1236"},
        /* strict mode */
        {"mariadb", "0-1-500", "0-1-400", "0-1-600", SW_CANNOT_TELL, "mariadb.strict", NULL, NULL, {.strict = "off"}, NULL},
        {"mariadb", "0-1-500", "0-1-400", "0-1-600", SW_CANNOT_TELL, "mariadb.within", NULL, NULL, {0}, "it would be continuous"},
        /* another or a rewound server */
        {"mariadb", "0-1-700", "0-1-400", "0-1-600", SW_CANNOT_TELL, "mariadb.ahead", NULL, NULL, {.strict = "on"}, NULL},
        {"mariadb", "0-1-500,9-1-1", "0-1-400", "0-1-600", SW_CANNOT_TELL, "mariadb.ahead", NULL, NULL, {.strict = "on"}, "no domain 9"},
        {"mariadb", "0-1-600", "0-1-400", "0-2-600", SW_CANNOT_TELL, "mariadb.diverged", NULL, NULL, {.strict = "on"}, NULL},
        {"mariadb", "0-1-400", "0-2-400", "0-2-600", SW_CANNOT_TELL, "mariadb.diverged", NULL, NULL, {.strict = "on"}, NULL},
        {"mariadb", "0-1-500", "0-1-400", NULL, SW_CANNOT_TELL, NULL, NULL, NULL, {.strict = "on"}, "not above gtid_binlog_pos"},
        /* as a client prints it */
        {"mariadb", "0-1-300", NULL, NULL, SW_GAP, NULL, "domain 0(300,400]", "Log_name\tPos\tEvent_type\tServer_id\tEnd_log_pos\tInfo\nbin.000050\t4\tFormat_desc\t1\t256\tServer ver: 10.11\nbin.000050\t256\tGtid_list\t1\t299\t[0-1-400]\nVariable_name\tValue\ngtid_binlog_pos\t0-1-600\ngtid_strict_mode\tON\n", {0}, "gtid_binlog_pos is 0-1-600"},
        {"mariadb", "0-1-450", NULL, NULL, SW_CONTINUOUS, NULL, NULL, "Log_name\tPos\tEvent_type\tServer_id\tEnd_log_pos\tInfo\nbin.000050\t256\tGtid_list\t1\t299\t[0-1-400]\nVariable_name\tValue\ngtid_binlog_pos\t0-1-600\ngtid_strict_mode\tON\n", {0}, NULL},
    };
    check_gaps(cases, COUNT(cases));
}

#define ORA "@dbid=1,incarnation=2"
#define ORA_ID "\nDBID\tCURRENT_SCN\n1\t9000\n\nINCARNATION#\tSTATUS\n1\tPARENT\n2\tCURRENT\n"
#define LOG_HEADER "THREAD#\tSEQUENCE#\tFIRST_CHANGE#\tNEXT_CHANGE#\tDELETED\n"

static void oracle_follows_its_decision_table(void **state)
{
    (void)state;
    const struct gap_case cases[] = {
        {"oracle", "1500" ORA, NULL, NULL, SW_CONTINUOUS, "oracle.complete", NULL, LOG_HEADER "1\t10\t1000\t2000\tNO\n1\t11\t2000\t3000\tNO\n1\t12\t3000\t\tNO\n" ORA_ID, {0}, NULL},
        {"oracle", "1500" ORA, NULL, NULL, SW_CONTINUOUS, NULL, NULL, LOG_HEADER "1\t12\t3000\t18446744073709551615\tNO\n1\t11\t2000\t3000\tNO\n1\t10\t1000\t2000\tNO\n1\t10\t1000\t2000\tYES\n" ORA_ID, {0}, NULL},
        {"oracle", "1500" ORA, NULL, NULL, SW_CANNOT_TELL, "oracle.complete", NULL, LOG_HEADER "1\t10\t1000\t2000\tNO\n1\t11\t2000\t3000\tNO\n" ORA_ID, {0}, "show V$LOG too"},
        /* a sequence is missing in a thread */
        {"oracle", "1500" ORA, NULL, NULL, SW_GAP, "oracle.hole", "redo thread 1[2000,3000)~", LOG_HEADER "1\t10\t1000\t2000\tNO\n1\t12\t3000\t\tNO\n" ORA_ID, {0}, "between SEQUENCE# 10 and 12"},
        {"oracle", "1500" ORA, NULL, NULL, SW_GAP, "oracle.hole", "redo thread 2[1800,2500)~", LOG_HEADER "1\t10\t1000\t\tNO\n2\t7\t1000\t1800\tNO\n2\t8\t1800\t2500\tYES\n2\t9\t2500\t\tNO\n" ORA_ID, {0}, NULL},
        {"oracle", "1500" ORA, NULL, NULL, SW_CONTINUOUS, NULL, NULL, LOG_HEADER "1\t8\t100\t500\tNO\n1\t10\t1000\t2000\tNO\n1\t11\t2000\t\tNO\n" ORA_ID, {0}, NULL}, /* an older hole does not matter */
        /* the oldest log begins after it */
        {"oracle", "500" ORA, NULL, NULL, SW_GAP, "oracle.deleted", "redo thread 1[500,1000)~", LOG_HEADER "1\t10\t1000\t2000\tNO\n1\t11\t2000\t\tNO\n" ORA_ID, {0}, "RMAN"},
        {"oracle", "1000" ORA, NULL, NULL, SW_CONTINUOUS, NULL, NULL, LOG_HEADER "1\t10\t1000\t2000\tNO\n1\t11\t2000\t\tNO\n" ORA_ID, {0}, NULL}, /* FIRST_CHANGE# is in the log */
        {"oracle", "2000" ORA, NULL, NULL, SW_GAP, "oracle.deleted", "redo thread 1[2000,3000)~", LOG_HEADER "1\t10\t1000\t2000\tNO\n1\t12\t3000\t\tNO\n" ORA_ID, {0}, NULL}, /* NEXT_CHANGE# is not */
        {"oracle", "1500" ORA, NULL, NULL, SW_GAP, "oracle.deleted", "redo thread 1[1500,2000)~", LOG_HEADER "1\t10\t1000\t2000\tYES\n" ORA_ID, {0}, "listed as deleted"},
        {"oracle", "500" ORA, "1000" ORA, NULL, SW_GAP, "oracle.deleted", "[500,1000)~", NULL, {0}, NULL},
        {"oracle", "1500" ORA, "1000" ORA, "9000" ORA, SW_CANNOT_TELL, "oracle.complete", NULL, NULL, {0}, "no SEQUENCE# is missing"},
        /* another database, another branch, beyond */
        {"oracle", "1500@dbid=2,incarnation=2", NULL, NULL, SW_CANNOT_TELL, "space.differs", NULL, LOG_HEADER "1\t10\t1000\t\tNO\n" ORA_ID, {0}, "DBID differs"},
        {"oracle", "1500@dbid=1,incarnation=1", NULL, NULL, SW_CANNOT_TELL, "space.differs", NULL, LOG_HEADER "1\t10\t1000\t\tNO\n" ORA_ID, {0}, "incarnations 1 and 2"},
        {"oracle", "1500@dbid=1,incarnation=1", NULL, NULL, SW_CONTINUOUS, NULL, NULL, LOG_HEADER "1\t10\t1000\t\tNO\n" ORA_ID, {.history = "INCARNATION#\tRESETLOGS_CHANGE#\tPRIOR_INCARNATION#\n1\t1\t0\n2\t1600\t1\n"}, NULL},
        {"oracle", "1600@dbid=1,incarnation=1", NULL, NULL, SW_CANNOT_TELL, "space.differs", NULL, LOG_HEADER "1\t10\t1600\t\tNO\n" ORA_ID, {.history = "INCARNATION#\tRESETLOGS_CHANGE#\tPRIOR_INCARNATION#\n1\t1\t0\n2\t1600\t1\n"}, "abandoned branch"},
        {"oracle", "9001" ORA, NULL, NULL, SW_CANNOT_TELL, "oracle.beyond", NULL, LOG_HEADER "1\t10\t1000\t\tNO\n" ORA_ID, {0}, NULL},
        {"oracle", "1500", NULL, NULL, SW_CANNOT_TELL, "oracle.complete", NULL, LOG_HEADER "1\t10\t1000\t\tNO\n", {0}, "it would be continuous"},
        /* one SCN a thread */
        {"oracle", "1500:1,600:2" ORA, NULL, NULL, SW_GAP, "oracle.deleted", "redo thread 2[600,1000)~", LOG_HEADER "1\t10\t1000\t\tNO\n2\t7\t1000\t\tNO\n" ORA_ID, {0}, NULL},
        {"oracle", "1500:1,1200:2" ORA, NULL, NULL, SW_CONTINUOUS, NULL, NULL, LOG_HEADER "1\t10\t1000\t\tNO\n2\t7\t1000\t\tNO\n" ORA_ID, {0}, NULL},
        {"oracle", "0x19.2.10" ORA, NULL, NULL, SW_CANNOT_TELL, NULL, NULL, LOG_HEADER "1\t10\t1000\t\tNO\n" ORA_ID, {0}, NULL},
        {"oracle", "1500" ORA, NULL, NULL, SW_CANNOT_TELL, "oracle.unknown", NULL, NULL, {0}, NULL},
    };
    check_gaps(cases, COUNT(cases));
}

#define MS "@database=shop"

static void sql_server_follows_its_decision_table(void **state)
{
    (void)state;
    const struct gap_case cases[] = {
        {"sqlserver", "1:0:5" MS, "1:0:3" MS, "1:0:9" MS, SW_CONTINUOUS, "sqlserver.within", NULL, NULL, {0}, NULL},
        {"sqlserver", "1:0:5" MS, "1:0:6" MS, "1:0:9" MS, SW_CONTINUOUS, "sqlserver.within", NULL, NULL, {0}, NULL}, /* increment(saved) = min */
        {"sqlserver", "1:0:5" MS, "1:0:7" MS, "1:0:9" MS, SW_GAP, "sqlserver.cleaned", "[00000001:00000000:0006,00000001:00000000:0007)~", NULL, {0}, "4320"},
        {"sqlserver", "1:0:ffff" MS, "1:1:1" MS, NULL, SW_GAP, "sqlserver.cleaned", "[00000001:00000001:0000,00000001:00000001:0001)~", NULL, {0}, NULL}, /* +1 carries */
        {"sqlserver", "1:0:9" MS, "1:0:3" MS, "1:0:9" MS, SW_CONTINUOUS, NULL, NULL, NULL, {0}, NULL},
        {"sqlserver", "1:0:a" MS, "1:0:3" MS, "1:0:9" MS, SW_CANNOT_TELL, "sqlserver.beyond", NULL, NULL, {0}, NULL},
        {"sqlserver", "ffffffff:ffffffff:ffff" MS, "1:0:3" MS, NULL, SW_CANNOT_TELL, "sqlserver.beyond", NULL, NULL, {0}, NULL},
        {"sqlserver", "1:0:5" MS, "0x00000000000000000000" MS, "1:0:9" MS, SW_CANNOT_TELL, "sqlserver.unknown", NULL, NULL, {0}, "may not be seen"},
        {"sqlserver", "1:0:5" MS, NULL, "1:0:9" MS, SW_CANNOT_TELL, "sqlserver.unknown", NULL, NULL, {0}, NULL},
        {"sqlserver", "1:0:5" MS, "1:0:3@database=other", "1:0:9" MS, SW_CANNOT_TELL, "space.differs", NULL, NULL, {0}, NULL},
        {"sqlserver", "1:0:5", "1:0:7", "1:0:9", SW_CANNOT_TELL, "sqlserver.cleaned", "[00000001:00000000:0006,00000001:00000000:0007)~", NULL, {0}, "it would be gap"},
        {"sqlserver", "1:0:5" MS, "1:0:3" MS, NULL, SW_CANNOT_TELL, "sqlserver.within", NULL, NULL, {0}, "fn_cdc_get_max_lsn"},
        /* a part of a transaction: that transaction is wanted again */
        {"sqlserver", "1:0:5/1:0:4/2" MS, "1:0:5" MS, "1:0:9" MS, SW_CONTINUOUS, NULL, NULL, NULL, {0}, "a part of it is sent again"},
        {"sqlserver", "1:0:5/1:0:4/2" MS, "1:0:6" MS, "1:0:9" MS, SW_GAP, NULL, "[00000001:00000000:0005,00000001:00000000:0006)~", NULL, {0}, NULL},
        {"sqlserver", "1:0:5" MS, NULL, NULL, SW_CANNOT_TELL, "sqlserver.within", NULL, "min_lsn                max_lsn\n---------------------- ----------------------\n0x00000001000000000003 0x00000001000000000009\n", {0}, "it would be continuous"},
    };
    check_gaps(cases, COUNT(cases));
}

#define MO "@cluster=rs0"

static void mongodb_follows_its_decision_table(void **state)
{
    (void)state;
    const struct gap_case cases[] = {
        {"mongodb", "Timestamp(100,5)" MO, "Timestamp(100,5)" MO, NULL, SW_CONTINUOUS, "mongodb.within", NULL, NULL, {0}, NULL},
        {"mongodb", "820000006400000005AA" MO, "Timestamp(100,5)" MO, "Timestamp(200,1)" MO, SW_CONTINUOUS, "mongodb.within", NULL, NULL, {0}, "only startAfter works"},
        {"mongodb", "Timestamp(100,5)" MO, "Timestamp(100,6)" MO, NULL, SW_GAP, "mongodb.rolled", "[Timestamp(100,5),Timestamp(100,6))~", NULL, {0}, "latest of the oldest"},
        {"mongodb", "820000006400000005AA" MO, "Timestamp(101,1)" MO, NULL, SW_GAP, "mongodb.rolled", "[Timestamp(100,5),Timestamp(101,1))~", NULL, {0}, NULL},
        {"mongodb", "Timestamp(100,5)" MO, "Timestamp(50,1)@cluster=rs1", NULL, SW_CANNOT_TELL, "space.differs", NULL, NULL, {0}, NULL},
        {"mongodb", "Timestamp(100,5)" MO, NULL, NULL, SW_CANNOT_TELL, "mongodb.unknown", NULL, NULL, {0}, "not as dates"},
        {"mongodb", "Timestamp(100,5)" MO, "Timestamp(50,1)" MO, "Timestamp(99,1)" MO, SW_CANNOT_TELL, "mongodb.beyond", NULL, NULL, {0}, NULL},
        {"mongodb", "Timestamp(100,5)", "Timestamp(100,6)", NULL, SW_CANNOT_TELL, "mongodb.rolled", "[Timestamp(100,5),Timestamp(100,6))~", NULL, {0}, "it would be gap"},
    };
    check_gaps(cases, COUNT(cases));
}

#define KA "@cluster=c,topic-id=T"

static void kafka_follows_its_decision_table(void **state)
{
    (void)state;
    const struct gap_case cases[] = {
        {"kafka", "o:0:500" KA, "o:0:400" KA, "o:0:900" KA, SW_CONTINUOUS, "kafka.within", NULL, NULL, {0}, "auto.offset.reset=none"},
        {"kafka", "o:0:400" KA, "o:0:400" KA, "o:0:400" KA, SW_CONTINUOUS, "kafka.within", NULL, NULL, {0}, NULL}, /* committed = next to read */
        {"kafka", "o:0:399" KA, "o:0:400" KA, "o:0:900" KA, SW_GAP, "kafka.deleted", "o:0[399,400)", NULL, {0}, NULL},
        {"kafka", "o:0:901" KA, "o:0:400" KA, "o:0:900" KA, SW_CANNOT_TELL, "kafka.beyond", NULL, NULL, {0}, NULL},
        {"kafka", "o:0:500@cluster=c,topic-id=X", "o:0:400" KA, "o:0:900" KA, SW_CANNOT_TELL, "space.differs", NULL, NULL, {0}, "topic id differs"},
        {"kafka", "o:0:500" KA, "o:0:400,o:1:0" KA, "o:0:900,o:1:5" KA, SW_CANNOT_TELL, "kafka.unknown", NULL, NULL, {0}, "nothing is saved for o:1"},
        {"kafka", "o:0:500,o:1:3" KA, "o:0:400" KA, "o:0:900,o:1:5" KA, SW_CANNOT_TELL, "kafka.unknown", NULL, NULL, {0}, "the log start of o:1 is not known"},
        {"kafka", "o:0:100,o:1:3,o:2:7" KA, "o:0:400,o:1:0,o:2:9" KA, "o:0:900,o:1:2,o:2:9" KA, SW_GAP, "kafka.deleted", "o:0[100,400);o:2[7,9)", NULL, {0}, "for 1 other partitions nothing can be told"},
        {"kafka", "o:0:500" KA, "o:0:400" KA, NULL, SW_CANNOT_TELL, "kafka.within", NULL, NULL, {0}, "give the end offsets"},
        {"kafka", "o:0:500", "o:0:400", "o:0:900", SW_CANNOT_TELL, "kafka.within", NULL, NULL, {0}, "it would be continuous"},
        {"kafka", "o:0:500", "o:0:400", "o:0:900", SW_CONTINUOUS, "kafka.within", NULL, NULL, {.same_source = true}, NULL},
        {"kafka", "500", "600", NULL, SW_GAP, NULL, "[500,600)", NULL, {.same_source = true}, NULL},
        {"kafka", "", "o:0:400", NULL, SW_CANNOT_TELL, "kafka.unknown", NULL, NULL, {0}, NULL},
        {"bigquery", "1/2", NULL, NULL, SW_CANNOT_TELL, "log.none", NULL, NULL, {0}, "no log behind it"},
    };
    check_gaps(cases, COUNT(cases));
}

static void what_is_given_wrongly_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *kind, *saved, *first, *shown, *purged, *executed, *slot;
        enum sw_code code;
        const char *message;
    } cases[] = {
        {NULL, "0/1", NULL, NULL, NULL, NULL, NULL, SW_ERR_USAGE, "--kind is missing"},
        {"postgres", NULL, NULL, NULL, NULL, NULL, NULL, SW_ERR_USAGE, "--saved is missing"},
        {"sybase", "1", NULL, NULL, NULL, NULL, NULL, SW_ERR_USAGE, "unknown kind"},
        {"postgres", "x", NULL, NULL, NULL, NULL, NULL, SW_ERR_INPUT, "--saved: not an LSN"},
        {"postgres", "2026-11-30T10:00:00Z", "0/1", NULL, NULL, NULL, NULL, SW_ERR_INPUT, "is a time, not a position"},
        {"postgres", "0/1", "x", NULL, NULL, NULL, NULL, SW_ERR_INPUT, "--first: not an LSN"},
        {"postgres", "0/1", NULL, NULL, "x", NULL, NULL, SW_ERR_USAGE, "belong to --kind mysql-gtid"},
        {"mysql", "b.1:4", NULL, NULL, NULL, NULL, "s", SW_ERR_USAGE, "--slot belongs to"},
        {"mysql-gtid", U ":1", U ":1", NULL, NULL, NULL, NULL, SW_ERR_USAGE, "give --purged and --executed"},
        {"mysql-gtid", U ":1", NULL, NULL, U ":1-5", U ":1-4", NULL, SW_ERR_INPUT, "which no server says"},
        {"mysql-gtid", U ":1", NULL, NULL, "x", NULL, NULL, SW_ERR_INPUT, "--purged: not a set of GTIDs"},
        {"postgres", "0/1", NULL, "nothing here\n", NULL, NULL, NULL, SW_ERR_INPUT, "shown.txt holds no table"},
        {"postgres", "0/1", NULL, "systemid|timeline\n1|1\n\nsystemid|timeline\n2|1\n", NULL, NULL, NULL, SW_ERR_INPUT, "two values of systemid"},
        {"postgres", "0/1", "0/1", "slot_name|slot_type\na|logical\nb|logical\n", NULL, NULL, NULL, SW_ERR_USAGE, "name one with --slot"},
        {"postgres", "0/1", NULL, "slot_name|confirmed_flush_lsn\na|zzz\n", NULL, NULL, NULL, SW_ERR_INPUT, "confirmed_flush_lsn: not an LSN"},
        {"postgres", "0/1", "0/1", "systemid|timeline\nseven|1\n", NULL, NULL, NULL, SW_ERR_INPUT, "attribute system"},
        {"mysql", "b.000001:4", NULL, "Log_name\tFile_size\nnonsense\t5\n", NULL, NULL, NULL, SW_ERR_INPUT, "SHOW BINARY LOGS, row 1"},
        {"mysql", "b.000001:4", NULL, "Log_name\tFile_size\nb.000001\t5\nb.1\t6\n", NULL, NULL, NULL, SW_ERR_INPUT, "listed twice"},
        {"oracle", "5", NULL, LOG_HEADER "1\t10\t1.2E+10\t\tNO\n", NULL, NULL, NULL, SW_ERR_INPUT, "widen the columns"},
        {"oracle", "5", NULL, "THREAD#\tSEQUENCE#\tFIRST_CHANGE#\tNEXT_CHANGE#\tRESETLOGS_CHANGE#\n1\t10\t1\t2\t5\n1\t11\t2\t3\t6\n", NULL, NULL, NULL, SW_ERR_INPUT, "several incarnations"},
        {"datastream", "[1,\"a.000001\",4]", "postgres:0/1", NULL, NULL, NULL, NULL, SW_ERR_INPUT, "another kind of source"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sw_continuity_report *report = NULL;
        struct sw_error error = {0};
        struct sw_gap_options options;
        struct sw_named_text shown = {"shown.txt", cases[i].shown, cases[i].shown ? strlen(cases[i].shown) : 0};
        sw_gap_options_init(&options);
        options.kind = cases[i].kind;
        options.saved = cases[i].saved;
        options.first = cases[i].first;
        options.purged = cases[i].purged;
        options.executed = cases[i].executed;
        options.slot = cases[i].slot;
        options.shown = &shown;
        options.shown_count = cases[i].shown != NULL;
        enum sw_code code = sw_continuity_gap(&report, &options, &error);
        if (code != cases[i].code || !strstr(error.text, cases[i].message))
            fail_msg("row %zu: expected %s '%s', found %s '%s'", i, sw_code_name(cases[i].code), cases[i].message, sw_code_name(code), error.text);
        assert_null(report);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(postgres_follows_its_decision_table),
        cmocka_unit_test(mysql_files_follow_their_decision_table),
        cmocka_unit_test(sets_of_gtids_follow_their_decision_table),
        cmocka_unit_test(mariadb_follows_its_decision_table),
        cmocka_unit_test(oracle_follows_its_decision_table),
        cmocka_unit_test(sql_server_follows_its_decision_table),
        cmocka_unit_test(mongodb_follows_its_decision_table),
        cmocka_unit_test(kafka_follows_its_decision_table),
        cmocka_unit_test(what_is_given_wrongly_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Built with the option `faults` only: other builds cannot make an allocation fail. Each call is repeated with its first, second,
 * third … allocation failing until none fails any more: every failure must be reported as what it is, and leave nothing behind. */
#include "position_testing.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "slackwater/continuity.h"

#define U "3a1f0000-0000-0000-0000-000000000001"

/* Runs `call` until it succeeds; gives how often it was refused memory. */
static unsigned until_it_succeeds(enum sw_code (*call)(const void *), const void *ctx, bool sticky)
{
    unsigned refused = 0;
    for (uint64_t nth = 1;; nth++) {
        uint64_t before = sw_memory_calls();
        sw_memory_fail_at(nth, sticky);
        enum sw_code code = call(ctx);
        sw_memory_fail_at(0, false);
        bool reached = sw_memory_calls() - before >= nth;
        if (reached && code != SW_ERR_MEMORY)
            fail_msg("allocation %u failed and the call gave %s", (unsigned)nth, sw_code_name(code));
        if (!reached) {
            assert_int_equal(code, SW_OK);
            return refused;
        }
        refused++;
    }
}

struct text_case {
    const char *kind, *text;
};

static enum sw_code parse_and_print(const void *ctx)
{
    const struct text_case *each = ctx;
    struct sw_position *position = NULL;
    struct sw_error error = {0};
    char *text = NULL;
    enum sw_code code = sw_position_parse(&position, each->kind, each->text, strlen(each->text), &error);
    assert_int_equal(code < 0, position == NULL);
    if (code < 0 && code != SW_ERR_MEMORY)
        fail_msg("%s '%s': %s", each->kind, each->text, error.text);
    if (code >= 0)
        code = sw_position_print(&text, NULL, position, &error);
    assert_int_equal(code < 0, text == NULL);
    sw_position_text_free(&text);
    sw_position_free(&position);
    return code;
}

static void reading_and_printing_survive_every_failed_allocation(void **state)
{
    (void)state;
    static const struct text_case cases[] = {
        {"postgres", "0/16E9A28@system=7,timeline=2,lsn=commit"},
        {"mysql", "bin.000042:1234@server=" U ",event=1,row=2,gtids=" U ":1-5:7"},
        {"mysql-gtid", U ":9:1-5:7:blue:1-2,aaaaaaaa-0000-0000-0000-000000000001:1-5," U ":3-6"},
        {"mariadb", "7-3-12,0-1-500@strict=on"},
        {"oracle", "100:1:0a00-0b00,90:2@dbid=1"},
        {"oracle", "5@rs-id=0x19.2.10,ssn=3"},
        {"sqlserver", "1:0:5/1:0:4/2@database=shop"},
        {"mongodb", "{\"_data\":\"826926A4A000000003\"}@cluster=rs0"},
        {"kafka", "orders:1:700,orders:0:500@cluster=c,topic-id=T"},
        {"bigquery", "1/2/3"},
        {"datastream", "[1927857906000,8823771,\"0x000019.00000002.0010\",3]@dbid=1"},
        {"datastream", "{\"cdcStrategy\":{\"specificStartPosition\":{\"mysqlGtidPosition\":{\"gtidSet\":\"" U ":1-5\"}}}}"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_true(until_it_succeeds(parse_and_print, &cases[i], false) > 0);
        assert_true(until_it_succeeds(parse_and_print, &cases[i], true) > 0);
    }
}

struct pair {
    const struct sw_position *a, *b;
};

static enum sw_code combine(const void *ctx)
{
    const struct pair *pair = ctx;
    struct sw_position *made[3] = {NULL, NULL, NULL};
    enum sw_code code = sw_position_unite(&made[0], pair->a, pair->b, NULL);
    if (code >= 0)
        code = sw_position_subtract(&made[1], pair->a, pair->b, NULL);
    if (code >= 0)
        code = sw_position_intersect(&made[2], pair->a, pair->b, NULL);
    for (size_t i = 0; i < 3; i++)
        sw_position_free(&made[i]);
    return code;
}

static void set_algebra_survives_every_failed_allocation(void **state)
{
    (void)state;
    static const struct {
        const char *kind, *a, *b;
    } cases[] = {{"mysql-gtid", U ":1-5:9:x:1", U ":2-12"}, {"mariadb", "0-1-5,1-1-1", "0-1-7,2-1-1"}, {"kafka", "a:0:5,b:1:7@cluster=c", "a:0:4@cluster=c"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sw_position *a = read_position(cases[i].kind, cases[i].a), *b = read_position(cases[i].kind, cases[i].b);
        struct pair pair = {a, b};
        assert_true(until_it_succeeds(combine, &pair, false) > 0);
        sw_position_free(&a);
        sw_position_free(&b);
    }
}

struct history_case {
    const char *kind, *text;
};

static enum sw_code read_history(const void *ctx)
{
    const struct history_case *each = ctx;
    struct sw_position_history *history = NULL;
    enum sw_code code = sw_position_history_new(&history, each->kind, NULL);
    if (code >= 0)
        code = sw_position_history_add(history, NULL, each->text, strlen(each->text), NULL);
    sw_position_history_free(&history);
    return code;
}

static void histories_survive_every_failed_allocation(void **state)
{
    (void)state;
    static const struct history_case cases[] = {{"postgres", "1\t0/5\tx\n2\t0/6\tx\n"}, {"oracle", "INCARNATION#\tRESETLOGS_CHANGE#\tPRIOR_INCARNATION#\n1\t1\t0\n2\t500\t1\n3\t700\t2\n"}};
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_true(until_it_succeeds(read_history, &cases[i], false) > 0);
}

static int append(const void *bytes, size_t len, void *ctx)
{
    sw_buffer_add(ctx, bytes, len);
    return 0;
}

/* Writes both forms. */
static enum sw_code write_report(struct sw_continuity_report *report, enum sw_code code)
{
    struct sw_buffer text = {0};
    if (code >= 0)
        code = sw_continuity_write_text(report, append, &text, NULL);
    if (code >= 0)
        code = sw_continuity_write_json(report, append, &text, NULL);
    if (code >= 0 && text.failed)
        code = SW_ERR_MEMORY; /* the test's own buffer */
    sw_buffer_free(&text);
    sw_continuity_report_free(&report);
    return code;
}

struct gap_input {
    struct sw_gap_options options;
    struct sw_named_text shown, history;
};

static enum sw_code judge_gap(const void *ctx)
{
    struct sw_continuity_report *report = NULL;
    enum sw_code code = sw_continuity_gap(&report, &((const struct gap_input *)ctx)->options, NULL);
    assert_int_equal(code < 0, report == NULL);
    return write_report(report, code);
}

static void judging_a_gap_survives_every_failed_allocation(void **state)
{
    (void)state;
    static const struct {
        const char *kind, *saved, *first, *last, *purged, *executed, *sources, *shown, *history;
    } cases[] = {
        {"postgres", "0/1800@system=7,timeline=1", NULL, NULL, NULL, NULL, NULL, "slot_name|confirmed_flush_lsn|wal_status\ns|0/2000|reserved\n\nsystemid|timeline|xlogpos\n7|2|0/9000\n", "1\t0/4000\tx\n"},
        {"mysql", "binlog.000041:100@server=" U ",gtids=" U ":1-5", NULL, NULL, NULL, NULL, NULL, "Log_name\tFile_size\nbinlog.000041\t220\nbinlog.000044\t197\n@@server_uuid\n" U "\n", NULL},
        {"mysql", "binlog.000041:100", "binlog.000042", "binlog.000043:5", NULL, NULL, NULL, NULL, NULL},
        {"mysql-gtid", U ":1-50:53", NULL, NULL, U ":1-60", U ":1-100", U, NULL, NULL},
        {"mariadb", "0-1-500,7-1-3", "0-1-400,7-1-5", "0-1-600,7-1-9", NULL, NULL, NULL, NULL, NULL},
        {"oracle", "1500", NULL, NULL, NULL, NULL, NULL, "THREAD#\tSEQUENCE#\tFIRST_CHANGE#\tNEXT_CHANGE#\n1\t10\t1000\t2000\n1\t12\t3000\t\n\nDBID\tCURRENT_SCN\n1\t9000\n", NULL},
        {"sqlserver", "1:0:5", "1:0:7", "1:0:9", NULL, NULL, NULL, NULL, NULL},
        {"mongodb", "820000006400000005AA", "Timestamp(101,1)", NULL, NULL, NULL, NULL, NULL, NULL},
        {"kafka", "o:0:100,o:1:3", "o:0:400,o:1:0", NULL, NULL, NULL, NULL, NULL, NULL},
        {"datastream", "[1,\"mysql-bin.000042\",3141]", "mysql-bin.000050", NULL, NULL, NULL, NULL, NULL, NULL},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct gap_input input = {.shown = {"shown", cases[i].shown, cases[i].shown ? strlen(cases[i].shown) : 0},
            .history = {"00000002.history", cases[i].history, cases[i].history ? strlen(cases[i].history) : 0}};
        sw_gap_options_init(&input.options);
        input.options.kind = cases[i].kind;
        input.options.saved = cases[i].saved;
        input.options.first = cases[i].first;
        input.options.last = cases[i].last;
        input.options.purged = cases[i].purged;
        input.options.executed = cases[i].executed;
        input.options.sources = cases[i].sources;
        input.options.shown = &input.shown;
        input.options.shown_count = cases[i].shown != NULL;
        input.options.histories = &input.history;
        input.options.history_count = cases[i].history != NULL;
        assert_true(until_it_succeeds(judge_gap, &input, false) > 0);
    }
}

static enum sw_code judge_snapshot(const void *ctx)
{
    struct sw_continuity_report *report = NULL;
    enum sw_code code = sw_continuity_snapshot(&report, ctx, NULL);
    assert_int_equal(code < 0, report == NULL);
    return write_report(report, code);
}

static void judging_a_snapshot_survives_every_failed_allocation(void **state)
{
    (void)state;
    static const char job[] = "{\"id\":\"df\",\"sourceJobId\":\"j\",\"creationTime\":\"2031-02-03T04:00:00Z\",\"ttl\":\"604800s\",\"state\":\"READY\",\"pubsubMetadata\":"
                              "[{\"topicName\":\"orders\",\"snapshotName\":\"s\",\"expireTime\":\"2031-02-09T01:00:00Z\"}]}",
                      subscription[] = "[{\"name\":\"projects/p/subscriptions/etl\",\"topic\":\"orders\",\"filter\":\"x\"},{\"name\":\"projects/p/topics/orders\"}]";
    struct sw_named_text documents[] = {{"job", job, strlen(job)}, {"subscription", subscription, strlen(subscription)}};
    struct sw_snapshot_options options;
    sw_snapshot_options_init(&options);
    options.documents = documents;
    options.document_count = 2;
    options.at = "2031-02-04T00:00:00Z";
    options.region = "r";
    assert_true(until_it_succeeds(judge_snapshot, &options, false) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reading_and_printing_survive_every_failed_allocation),
        cmocka_unit_test(set_algebra_survives_every_failed_allocation),
        cmocka_unit_test(histories_survive_every_failed_allocation),
        cmocka_unit_test(judging_a_gap_survives_every_failed_allocation),
        cmocka_unit_test(judging_a_snapshot_survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

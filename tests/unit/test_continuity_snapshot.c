/* Snapshots and seeks: every rule on which a restore is judged. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buffer.h"
#include "continuity/instant.h"
#include "continuity/report.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

static void times_are_read_with_their_zone(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum sw_instant_status status;
        const char *printed;
    } cases[] = {
        {"2031-02-03T04:05:06Z", SW_INSTANT_KNOWN, "2031-02-03T04:05:06Z"},
        {"2031-02-03t04:05:06z", SW_INSTANT_KNOWN, "2031-02-03T04:05:06Z"},
        {"2031-02-03 04:05:06Z", SW_INSTANT_KNOWN, "2031-02-03T04:05:06Z"},
        {"2031-02-03T04:05:06.1Z", SW_INSTANT_KNOWN, "2031-02-03T04:05:06.1Z"},
        {"2031-02-03T04:05:06.123456789Z", SW_INSTANT_KNOWN, "2031-02-03T04:05:06.123456789Z"},
        {"2031-02-03T04:05:06+01:30", SW_INSTANT_KNOWN, "2031-02-03T02:35:06Z"},
        {"2031-01-01T00:00:00-00:30", SW_INSTANT_KNOWN, "2031-01-01T00:30:00Z"},
        {"1969-12-31T23:59:59Z", SW_INSTANT_KNOWN, "1969-12-31T23:59:59Z"},
        {"2000-02-29T00:00:00Z", SW_INSTANT_KNOWN, "2000-02-29T00:00:00Z"},
        {"0001-01-01T00:00:00Z", SW_INSTANT_KNOWN, "0001-01-01T00:00:00Z"},
        {"9999-12-31T23:59:59Z", SW_INSTANT_KNOWN, "9999-12-31T23:59:59Z"},
        {"2031-02-03T04:05:60Z", SW_INSTANT_KNOWN, "2031-02-03T04:06:00Z"}, /* a leap second */
        {"2031-02-03T04:05:06", SW_INSTANT_NO_ZONE, NULL},
        {"2031-02-03T04:05:06.5", SW_INSTANT_NO_ZONE, NULL},
        {"", SW_INSTANT_WRONG, NULL},
        {"2031-02-03", SW_INSTANT_WRONG, NULL},
        {"2031-02-30T00:00:00Z", SW_INSTANT_WRONG, NULL},
        {"1900-02-29T00:00:00Z", SW_INSTANT_WRONG, NULL},
        {"2031-13-01T00:00:00Z", SW_INSTANT_WRONG, NULL},
        {"2031-00-01T00:00:00Z", SW_INSTANT_WRONG, NULL},
        {"2031-02-03T24:00:00Z", SW_INSTANT_WRONG, NULL},
        {"2031-02-03T04:05:06.Z", SW_INSTANT_WRONG, NULL},
        {"2031-02-03T04:05:06.1234567890Z", SW_INSTANT_WRONG, NULL},
        {"2031-02-03T04:05:06+24:00", SW_INSTANT_WRONG, NULL},
        {"2031-02-03T04:05:06+0100", SW_INSTANT_WRONG, NULL},
        {"2031-02-03T04:05:06Zx", SW_INSTANT_WRONG, NULL},
        {"1764500000", SW_INSTANT_WRONG, NULL},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sw_instant instant = {0};
        char text[SW_INSTANT_TEXT_MAX];
        if (sw_instant_parse(&instant, sw_bytes_text(cases[i].text)) != cases[i].status)
            fail_msg("'%s'", cases[i].text);
        if (cases[i].printed)
            assert_string_equal(sw_instant_print(text, instant), cases[i].printed);
    }
}

static void lengths_of_time_are_exact(void **state)
{
    (void)state;
    struct sw_instant length, moment;
    char text[SW_INSTANT_TEXT_MAX];
    assert_true(sw_duration_parse(&length, sw_bytes_text("3600.5s")));
    assert_int_equal(length.seconds, 3600);
    assert_int_equal(length.nanoseconds, 500000000);
    static const char *const wrong[] = {"", "s", "5", "5 s", "-5s", ".5s", "5.s", "7d", "1e3s", "99999999999999s", "0.1234567890s"};
    for (size_t i = 0; i < COUNT(wrong); i++)
        assert_false(sw_duration_parse(&length, sw_bytes_text(wrong[i])));
    assert_int_equal(sw_instant_parse(&moment, sw_bytes_text("2031-02-03T04:05:06.75Z")), SW_INSTANT_KNOWN);
    assert_true(sw_duration_parse(&length, sw_bytes_text("604800.5s")));
    assert_string_equal(sw_instant_print(text, sw_instant_add(moment, length)), "2031-02-10T04:05:07.25Z");
    assert_string_equal(sw_instant_print(text, sw_instant_subtract(moment, length)), "2031-01-27T04:05:06.25Z");
    struct sw_instant back = sw_instant_subtract(sw_instant_add(moment, length), length);
    assert_int_equal(sw_instant_compare(back, moment), 0);
    struct sw_instant later = {moment.seconds + 90061, moment.nanoseconds};
    assert_string_equal(sw_instant_distance(text, moment, later), "1 d 1 h");
    assert_string_equal(sw_instant_distance(text, later, moment), "1 d 1 h");
}

struct snapshot_case {
    const char *documents[4];
    const char *at, *region, *id;
    uint64_t need;
    enum sw_continuity verdict;
    const char *rule, *first_line, *says;
};

static int append(const void *bytes, size_t len, void *ctx)
{
    sw_buffer_add(ctx, bytes, len);
    return 0;
}

#define JOB(state, created, ttl, parts) \
    "{\"id\":\"df-1\",\"projectId\":\"p\",\"sourceJobId\":\"j\"," created ttl state "\"diskSizeBytes\":\"4096\",\"region\":\"us-central1\"" parts "}"
#define READY "\"state\":\"READY\","
#define CREATED "\"creationTime\":\"2031-02-03T04:00:00Z\","
#define WEEK "\"ttl\":\"604800s\","
#define PART ",\"pubsubMetadata\":[{\"topicName\":\"orders\",\"snapshotName\":\"snap-1\",\"expireTime\":\"2031-02-09T01:00:00Z\"}]"
#define SUBSCRIPTION(members) "{\"name\":\"projects/p/subscriptions/etl\",\"topic\":\"projects/p/topics/orders\"" members "}"

static void snapshots_are_judged_by_every_rule(void **state)
{
    (void)state;
    const struct snapshot_case cases[] = {
        /* READY, and every part lives longer than the restore takes */
        {{JOB(READY, CREATED, WEEK, PART)}, "2031-02-04T00:00:00Z", NULL, NULL, 0, SW_CONTINUOUS, "snapshot.restorable", "restorable\n", "ends in 5 d 1 h"},
        {{JOB(READY, CREATED, WEEK, PART)}, "2031-02-09T01:30:00+01:00", NULL, NULL, 0, SW_CONTINUOUS, "snapshot.restorable", NULL, "ends in 30 min 0 s"},
        {{"[" JOB(READY, CREATED, WEEK, PART) "]"}, "2031-02-04T00:00:00Z", NULL, NULL, 0, SW_CONTINUOUS, NULL, NULL, NULL},
        /* two clocks: the source part ends first */
        {{JOB(READY, CREATED, WEEK, PART)}, "2031-02-09T01:00:00Z", NULL, NULL, 0, SW_CANNOT_TELL, "snapshot.source.ended", "cannot tell\n", "ended at 2031-02-09T01:00:00Z"},
        {{JOB(READY, CREATED, WEEK, PART)}, "2031-02-09T00:30:00Z", NULL, NULL, 1800, SW_CANNOT_TELL, "snapshot.source.ended", NULL, "will end before the restore is done"},
        {{JOB(READY, CREATED, WEEK, PART)}, "2031-02-09T00:30:00Z", NULL, NULL, 1799, SW_CONTINUOUS, NULL, NULL, NULL},
        {{JOB(READY, CREATED, "\"ttl\":\"2592000s\",", PART)}, "2031-02-12T00:00:00Z", NULL, NULL, 0, SW_CANNOT_TELL, "snapshot.source.ended", NULL, "usableUntil  2031-02-09T01:00:00Z"},
        {{JOB(READY, CREATED, WEEK, PART)}, "2031-02-04T00:00:00Z", NULL, NULL, 0, SW_CONTINUOUS, NULL, NULL, "a source part ends before the job's part"},
        /* … but its topic's messages are retained from before the creation */
        {{JOB(READY, CREATED, "\"ttl\":\"2592000s\",", PART), SUBSCRIPTION(",\"retainAckedMessages\":true,\"messageRetentionDuration\":\"2592000s\"")}, "2031-02-12T00:00:00Z", NULL, NULL, 0, SW_CONTINUOUS, "snapshot.restorable", NULL, "seek etl to a time at or before 2031-02-03T04:00:00Z"},
        {{JOB(READY, CREATED, "\"ttl\":\"2592000s\",", PART), "{\"name\":\"projects/p/topics/orders\",\"messageRetentionDuration\":\"2592000s\"}"}, "2031-02-12T00:00:00Z", NULL, NULL, 0, SW_CONTINUOUS, NULL, NULL, "seek the subscription"},
        {{JOB(READY, CREATED, "\"ttl\":\"2592000s\",", PART), SUBSCRIPTION(",\"retainAckedMessages\":true,\"messageRetentionDuration\":\"604800s\"")}, "2031-02-12T00:00:00Z", NULL, NULL, 0, SW_CANNOT_TELL, "snapshot.source.ended", NULL, "reaches back to 2031-02-05T00:00:00Z only"},
        {{JOB(READY, CREATED, "\"ttl\":\"2592000s\",", PART), SUBSCRIPTION(",\"messageRetentionDuration\":\"2592000s\"")}, "2031-02-12T00:00:00Z", NULL, NULL, 0, SW_CANNOT_TELL, NULL, NULL, NULL}, /* acknowledged messages are not retained */
        /* the Pub/Sub snapshot's own document may say earlier */
        {{JOB(READY, CREATED, WEEK, PART), "{\"name\":\"projects/p/snapshots/snap-1\",\"topic\":\"projects/p/topics/orders\",\"expireTime\":\"2031-02-04T12:00:00Z\"}"}, "2031-02-04T13:00:00Z", NULL, NULL, 0, SW_CANNOT_TELL, "snapshot.source.ended", NULL, NULL},
        {{JOB(READY, CREATED, WEEK, ",\"pubsubMetadata\":[{\"topicName\":\"projects/p/topics/orders\",\"snapshotName\":\"projects/p/snapshots/snap-1\"}]"), "{\"name\":\"projects/p/snapshots/snap-1\",\"topic\":\"projects/p/topics/orders\",\"expireTime\":\"2031-02-09T01:00:00Z\"}"}, "2031-02-04T13:00:00Z", NULL, NULL, 0, SW_CONTINUOUS, NULL, NULL, NULL},
        /* the job's part */
        {{JOB(READY, CREATED, "\"ttl\":\"3600.5s\",", PART)}, "2031-02-03T05:00:00.5Z", NULL, NULL, 0, SW_GAP, "snapshot.ended", "not restorable\n", "ended at 2031-02-03T05:00:00.5Z"},
        {{JOB(READY, CREATED, "\"ttl\":\"3600.5s\",", PART)}, "2031-02-03T05:00:00.4Z", NULL, NULL, 0, SW_CONTINUOUS, NULL, NULL, NULL},
        {{JOB(READY, CREATED, "\"ttl\":\"3600s\",", PART)}, "2031-02-03T04:30:00Z", NULL, NULL, 1800, SW_GAP, "snapshot.ended", NULL, "will end before the restore is done"},
        /* state */
        {{JOB("\"state\":\"PENDING\",", CREATED, WEEK, PART)}, "2031-02-04T00:00:00Z", NULL, NULL, 0, SW_GAP, "snapshot.state", "not restorable\n", "wait until it is READY"},
        {{JOB("\"state\":\"RUNNING\",", CREATED, WEEK, PART)}, "2031-02-04T00:00:00Z", NULL, NULL, 0, SW_GAP, "snapshot.state", NULL, NULL},
        {{JOB("\"state\":\"FAILED\",", CREATED, WEEK, PART)}, "2031-02-04T00:00:00Z", NULL, NULL, 0, SW_GAP, "snapshot.state", NULL, "new start with a backfill"},
        {{JOB("\"state\":\"DELETED\",", CREATED, WEEK, PART)}, "2031-02-04T00:00:00Z", NULL, NULL, 0, SW_GAP, "snapshot.state", NULL, NULL},
        {{JOB("\"state\":\"UNKNOWN_SNAPSHOT_STATE\",", CREATED, WEEK, PART)}, "2031-02-04T00:00:00Z", NULL, NULL, 0, SW_CANNOT_TELL, "snapshot.state", NULL, NULL},
        {{JOB("\"state\":\"SHINY\",", CREATED, WEEK, PART)}, "2031-02-04T00:00:00Z", NULL, NULL, 0, SW_CANNOT_TELL, "snapshot.state", NULL, "'SHINY', which is not known"},
        {{JOB("", CREATED, WEEK, PART)}, "2031-02-04T00:00:00Z", NULL, NULL, 0, SW_CANNOT_TELL, "snapshot.state", NULL, "its state is absent"},
        /* times that are absent, have no zone, or lie ahead */
        {{JOB(READY, "", WEEK, PART)}, "2031-02-04T00:00:00Z", NULL, NULL, 0, SW_CANNOT_TELL, "snapshot.unknown", NULL, "creationTime is absent"},
        {{JOB(READY, CREATED, "", PART)}, "2031-02-04T00:00:00Z", NULL, NULL, 0, SW_CANNOT_TELL, "snapshot.unknown", NULL, "ttl is absent"},
        {{JOB(READY, "\"creationTime\":\"2031-02-03T04:00:00\",", WEEK, PART)}, "2031-02-04T00:00:00Z", NULL, NULL, 0, SW_CANNOT_TELL, "snapshot.unknown", NULL, "a time without zone"},
        {{JOB(READY, CREATED, WEEK, PART)}, "2031-02-03T03:59:59Z", NULL, NULL, 0, SW_CANNOT_TELL, "snapshot.unknown", NULL, "one of the clocks is wrong"},
        {{JOB(READY, CREATED, WEEK, ",\"pubsubMetadata\":[{\"topicName\":\"orders\",\"snapshotName\":\"snap-1\"}]")}, "2031-02-04T00:00:00Z", NULL, NULL, 0, SW_CANNOT_TELL, "snapshot.unknown", NULL, "expireTime of source part snap-1 is absent"},
        {{JOB(READY, CREATED, WEEK, ",\"pubsubMetadata\":[{\"topicName\":\"orders\",\"snapshotName\":\"snap-1\",\"expireTime\":\"2031-02-09T01:00:00\"}]")}, "2031-02-04T00:00:00Z", NULL, NULL, 0, SW_CANNOT_TELL, "snapshot.unknown", NULL, "a time without zone"},
        /* without source parts */
        {{JOB(READY, CREATED, WEEK, "")}, "2031-02-04T00:00:00Z", NULL, NULL, 0, SW_CANNOT_TELL, "snapshot.source.none", NULL, "either the job reads no Pub/Sub"},
        {{JOB(READY, CREATED, WEEK, ",\"pubsubMetadata\":[]"), SUBSCRIPTION(",\"retainAckedMessages\":true,\"messageRetentionDuration\":\"604800s\"")}, "2031-02-04T00:00:00Z", NULL, NULL, 0, SW_CONTINUOUS, "snapshot.seek.time", "restorable\n", "seek etl to a time at or before 2031-02-03T04:00:00Z"},
        {{JOB(READY, CREATED, WEEK, ""), SUBSCRIPTION(",\"topicMessageRetentionDuration\":\"604800s\"")}, "2031-02-04T00:00:00Z", NULL, NULL, 0, SW_CONTINUOUS, "snapshot.seek.time", NULL, NULL},
        {{JOB(READY, CREATED, WEEK, ""), SUBSCRIPTION(",\"retainAckedMessages\":true,\"messageRetentionDuration\":\"600s\"")}, "2031-02-04T00:00:00Z", NULL, NULL, 0, SW_GAP, "snapshot.seek.time", "gap publish time [2031-02-03T04:00:00Z, 2031-02-03T23:50:00Z)\n", NULL},
        {{JOB(READY, CREATED, WEEK, ""), SUBSCRIPTION(",\"messageRetentionDuration\":\"604800s\"")}, "2031-02-04T00:00:00Z", NULL, NULL, 0, SW_GAP, "snapshot.source.none", "gap publish time [2031-02-03T04:00:00Z, not known yet)\n", "does not retain acknowledged messages"},
        {{JOB(READY, CREATED, WEEK, ""), SUBSCRIPTION(",\"retainAckedMessages\":true")}, "2031-02-04T00:00:00Z", NULL, NULL, 0, SW_CANNOT_TELL, "snapshot.unknown", NULL, NULL},
        /* region: not documented, so a condition and no refusal */
        {{JOB(READY, CREATED, WEEK, PART)}, "2031-02-04T00:00:00Z", "us-central1", NULL, 0, SW_CONTINUOUS, NULL, NULL, NULL},
        {{JOB(READY, CREATED, WEEK, PART)}, "2031-02-04T00:00:00Z", "europe-west1", NULL, 0, SW_CANNOT_TELL, "snapshot.restorable", "cannot tell\n", "a job in europe-west1 can use a snapshot of us-central1"},
        /* several snapshots: the one that is named */
        {{"[" JOB("\"state\":\"FAILED\",", CREATED, WEEK, PART) ",{\"id\":\"df-2\",\"sourceJobId\":\"j\"," CREATED WEEK "\"state\":\"READY\"" PART "}]"}, "2031-02-04T00:00:00Z", NULL, "df-2", 0, SW_CONTINUOUS, NULL, NULL, NULL},
        /* what a seek resets, and what a filter leaves out */
        {{JOB(READY, CREATED, WEEK, PART), SUBSCRIPTION(",\"filter\":\"attributes.kind = \\\"a\\\"\",\"deadLetterPolicy\":{\"maxDeliveryAttempts\":5}")}, "2031-02-04T00:00:00Z", NULL, NULL, 0, SW_CONTINUOUS, NULL, NULL, "the subscription has a filter"},
        {{JOB(READY, CREATED, WEEK, PART)}, "2031-02-04T00:00:00Z", NULL, NULL, 0, SW_CONTINUOUS, NULL, NULL, "the sink is not part of a snapshot"},
        {{JOB(READY, CREATED, WEEK, PART)}, "2031-02-04T00:00:00Z", NULL, NULL, 0, SW_CONTINUOUS, NULL, NULL, "an acknowledgement from before it is not valid after it"},
        /* a Pub/Sub snapshot alone */
        {{"{\"name\":\"projects/p/snapshots/s\",\"topic\":\"projects/p/topics/orders\",\"expireTime\":\"2031-02-09T01:00:00Z\"}"}, "2031-02-04T00:00:00Z", NULL, NULL, 0, SW_CONTINUOUS, "snapshot.pubsub.alive", "restorable\n", "published at 2031-02-02T01:00:00Z or later"},
        {{"{\"name\":\"projects/p/snapshots/s\",\"topic\":\"projects/p/topics/orders\",\"expireTime\":\"2031-02-09T01:00:00Z\"}"}, "2031-02-09T01:00:00Z", NULL, NULL, 0, SW_GAP, "snapshot.pubsub.alive", "not restorable\n", NULL},
        {{"{\"name\":\"projects/p/snapshots/s\",\"topic\":\"projects/p/topics/orders\"}"}, "2031-02-09T01:00:00Z", NULL, NULL, 0, SW_CANNOT_TELL, "snapshot.unknown", NULL, NULL},
        {{"{\"snapshotId\":\"s\",\"topic\":\"orders\",\"expireTime\":\"2031-02-09T01:00:00Z\"}"}, "2031-02-04T00:00:00Z", NULL, NULL, 0, SW_CONTINUOUS, NULL, NULL, NULL},
        {{"{\"name\":\"projects/p/snapshots/s\",\"topic\":\"projects/p/topics/pays\",\"expireTime\":\"2031-02-09T01:00:00Z\"}", SUBSCRIPTION("")}, "2031-02-04T00:00:00Z", NULL, NULL, 0, SW_GAP, "snapshot.seek.topic", "not restorable\n", "the seek is refused"},
        {{"{\"name\":\"projects/p/snapshots/s\",\"topic\":\"orders\",\"expireTime\":\"2031-02-09T01:00:00Z\"}", SUBSCRIPTION("")}, "2031-02-04T00:00:00Z", NULL, NULL, 0, SW_CONTINUOUS, NULL, NULL, NULL},
        {{"{\"name\":\"projects/p/snapshots/s\",\"topic\":\"_deleted-topic_\",\"expireTime\":\"2031-02-09T01:00:00Z\"}"}, "2031-02-04T00:00:00Z", NULL, NULL, 0, SW_CANNOT_TELL, "snapshot.seek.topic", NULL, NULL},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct snapshot_case *row = &cases[i];
        struct sw_named_text documents[4];
        struct sw_snapshot_options options;
        struct sw_continuity_report *report = NULL;
        struct sw_error error = {0};
        sw_snapshot_options_init(&options);
        for (size_t k = 0; k < 4 && row->documents[k]; k++)
            documents[options.document_count++] = (struct sw_named_text){"d.json", row->documents[k], strlen(row->documents[k])};
        options.documents = documents;
        options.at = row->at;
        options.region = row->region;
        options.id = row->id;
        options.need_seconds = row->need;
        if (sw_continuity_snapshot(&report, &options, &error) != SW_OK)
            fail_msg("row %zu: %s", i, error.text);
        struct sw_buffer text = {0}, json = {0};
        assert_int_equal(sw_continuity_write_text(report, append, &text, NULL), SW_OK);
        assert_int_equal(sw_continuity_write_json(report, append, &json, NULL), SW_OK);
        const char *whole = sw_buffer_text(&text);
        if (sw_continuity_verdict(report) != row->verdict)
            fail_msg("row %zu: expected status %d, found:\n%s", i, (int)row->verdict, whole);
        if (row->rule && strcmp(report->rule->name, row->rule) != 0)
            fail_msg("row %zu: expected rule %s, found:\n%s", i, row->rule, whole);
        if (row->first_line && strncmp(whole, row->first_line, strlen(row->first_line)) != 0)
            fail_msg("row %zu: expected '%s' first, found:\n%s", i, row->first_line, whole);
        if (row->says && !strstr(whole, row->says))
            fail_msg("row %zu: expected '%s' in:\n%s", i, row->says, whole);
        assert_true(report->limits.count > 0 && report->reasons.count > 0);
        sw_buffer_free(&text);
        sw_buffer_free(&json);
        sw_continuity_report_free(&report);
    }
}

static void what_the_tools_do_not_print_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *document, *at, *id;
        uint64_t need;
        enum sw_code code;
        const char *message;
    } cases[] = {
        {"", "2031-02-04T00:00:00Z", NULL, 0, SW_ERR_INPUT, "not one JSON document"},
        {"{", "2031-02-04T00:00:00Z", NULL, 0, SW_ERR_INPUT, "at byte 0: an object is not closed"},
        {"{} {}", "2031-02-04T00:00:00Z", NULL, 0, SW_ERR_INPUT, "expected the end"},
        {"\xff", "2031-02-04T00:00:00Z", NULL, 0, SW_ERR_INPUT, "not UTF-8 at byte 0"},
        {"5", "2031-02-04T00:00:00Z", NULL, 0, SW_ERR_INPUT, "expected an object, or an array"},
        {"[5]", "2031-02-04T00:00:00Z", NULL, 0, SW_ERR_INPUT, "neither a Dataflow snapshot"},
        {"{}", "2031-02-04T00:00:00Z", NULL, 0, SW_ERR_INPUT, "print it with --format=json"},
        {"{\"id\":\"a\",\"id\":\"b\"}", "2031-02-04T00:00:00Z", NULL, 0, SW_ERR_INPUT, "two members of one name"},
        {"[]", "2031-02-04T00:00:00Z", NULL, 0, SW_ERR_USAGE, "no snapshot is given"},
        {SUBSCRIPTION(""), "2031-02-04T00:00:00Z", NULL, 0, SW_ERR_USAGE, "a subscription or topic alone cannot be judged"},
        {JOB(READY, "\"creationTime\":5,", WEEK, PART), "2031-02-04T00:00:00Z", NULL, 0, SW_ERR_INPUT, "member creationTime"},
        {JOB(READY, "\"creationTime\":\"yesterday\",", WEEK, PART), "2031-02-04T00:00:00Z", NULL, 0, SW_ERR_INPUT, "found 'yesterday'"},
        {JOB(READY, CREATED, "\"ttl\":\"7d\",", PART), "2031-02-04T00:00:00Z", NULL, 0, SW_ERR_INPUT, "such as 604800s"},
        {JOB("\"state\":\"\\u001b[31m\",", CREATED, WEEK, PART), "2031-02-04T00:00:00Z", NULL, 0, SW_ERR_INPUT, "printable ASCII"},
        {JOB(READY, CREATED, WEEK, ",\"pubsubMetadata\":{}"), "2031-02-04T00:00:00Z", NULL, 0, SW_ERR_INPUT, "pubsubMetadata: expected an array"},
        {"[" JOB(READY, CREATED, WEEK, PART) "," JOB(READY, CREATED, WEEK, PART) "]", "2031-02-04T00:00:00Z", NULL, 0, SW_ERR_USAGE, "name one with --id"},
        {JOB(READY, CREATED, WEEK, PART), "2031-02-04T00:00:00Z", "other", 0, SW_ERR_USAGE, "no Dataflow snapshot with the id 'other'"},
        {JOB(READY, CREATED, WEEK, PART), "2031-02-04T00:00:00", NULL, 0, SW_ERR_USAGE, "has no zone"},
        {JOB(READY, CREATED, WEEK, PART), "now", NULL, 0, SW_ERR_USAGE, "--at: expected a time"},
        {JOB(READY, CREATED, WEEK, PART), "2031-02-04T00:00:00Z", NULL, UINT64_MAX, SW_ERR_USAGE, "at most a year"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sw_named_text document = {"d.json", cases[i].document, strlen(cases[i].document)};
        struct sw_snapshot_options options;
        struct sw_continuity_report *report = NULL;
        struct sw_error error = {0};
        sw_snapshot_options_init(&options);
        options.documents = &document;
        options.document_count = 1;
        options.at = cases[i].at;
        options.id = cases[i].id;
        options.need_seconds = cases[i].need;
        enum sw_code code = sw_continuity_snapshot(&report, &options, &error);
        if (code != cases[i].code || !strstr(error.text, cases[i].message))
            fail_msg("row %zu: expected %s '%s', found %s '%s'", i, sw_code_name(cases[i].code), cases[i].message, sw_code_name(code), error.text);
        assert_null(report);
    }
}

static void without_a_time_the_clock_is_read(void **state)
{
    (void)state;
    static const char text[] = JOB(READY, "\"creationTime\":\"2001-01-01T00:00:00Z\",", WEEK, PART);
    struct sw_named_text document = {"d.json", text, strlen(text)};
    struct sw_snapshot_options options;
    struct sw_continuity_report *report = NULL;
    sw_snapshot_options_init(&options);
    options.documents = &document;
    options.document_count = 1;
    assert_int_equal(sw_continuity_snapshot(&report, &options, NULL), SW_OK);
    assert_int_equal(sw_continuity_verdict(report), SW_GAP); /* long ended by any clock of this century */
    sw_continuity_report_free(&report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_read_with_their_zone),
        cmocka_unit_test(lengths_of_time_are_exact),
        cmocka_unit_test(snapshots_are_judged_by_every_rule),
        cmocka_unit_test(what_the_tools_do_not_print_is_refused),
        cmocka_unit_test(without_a_time_the_clock_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

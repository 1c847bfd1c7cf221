/* Kafka: a client that only looks, through librdkafka.
 *
 * It joins no group, commits nothing, creates no topic and never jumps: where an offset is not there, reading fails (auto.offset.reset
 * is error). Parameters of the locator are librdkafka's configuration (security.protocol, sasl.mechanism, ssl.ca.location …), but for those that say
 * what is read (from, until, partitions: src/source/kafka.c); a
 * user and password before the brokers are sasl.username and sasl.password. A client is used by one thread at a time; compiled only where librdkafka is there (SW_WITH_KAFKA).
 * Messages hold no secret. */
#ifndef SW_CLIENT_KAFKA_H
#define SW_CLIENT_KAFKA_H

#include "client/locator.h"
#include "client/rows.h"

struct sw_kafka_client;

struct sw_kafka_options {
    uint32_t timeout_ms; /* for each question; 0 = 15000 */
};

/* Connects to a broker before it returns. SW_ERR_REMOTE, SW_ERR_USAGE (a parameter is not known, or not allowed here), SW_ERR_MEMORY.
 * `locator` must live as long as the client. */
enum sw_code sw_kafka_open(struct sw_kafka_client **out, const struct sw_locator *locator, const struct sw_kafka_options *options, struct sw_error *error);
/* Closes and sets to NULL; NULL is accepted. */
void sw_kafka_close(struct sw_kafka_client **client);

/* The id of the cluster, or NULL if it tells none. Lives as long as the client. */
const char *sw_kafka_cluster(struct sw_kafka_client *client);

struct sw_kafka_partition {
    int32_t partition;
    int32_t leader;      /* broker id, -1: none; without a leader `known` is false */
    bool known;          /* first and last were told */
    int64_t first, last; /* the first offset that is there, and the one behind the last (the high watermark) */
    int64_t committed;   /* of a group; -1: nothing is committed, or nobody asked */
};

/* The partitions of a topic in order, with their offsets; *out is the caller's (sw_free). SW_ERR_USAGE with near names if there is no such topic. */
enum sw_code sw_kafka_partitions(struct sw_kafka_partition **out, size_t *count, struct sw_kafka_client *client, const char *topic, struct sw_error *error);

/* Fills `committed`: what the group would read next. Reads, and changes nothing of the group. */
enum sw_code sw_kafka_committed(struct sw_kafka_partition *partitions, size_t count, struct sw_kafka_client *client, const char *group, const char *topic, struct sw_error *error);

/* The first offset of a partition whose record is not older than a time (milliseconds since 1970, by the records' own timestamps); -1: all are older. */
enum sw_code sw_kafka_offset_at(int64_t *out, struct sw_kafka_client *client, const char *topic, int32_t partition, int64_t time_ms, struct sw_error *error);

/* The topic's configuration as a table with the columns name and setting; sensitive values are left out. */
enum sw_code sw_kafka_topic_settings(struct sw_rows *out, struct sw_kafka_client *client, const char *topic, struct sw_error *error);

/* ---- reading ---- */

/* Borrowed until the next sw_kafka_read. at == NULL: no key, no value (a tombstone). */
struct sw_kafka_record {
    int32_t partition;
    int64_t offset;
    int64_t timestamp_ms; /* -1: not known */
    struct sw_bytes key, value;
};

/* The first record of a partition at or after an offset; SW_END if there is none. Not between sw_kafka_read_from and the last sw_kafka_read. */
enum sw_code sw_kafka_first_record(struct sw_kafka_record *out, struct sw_kafka_client *client, const char *topic, int32_t partition, int64_t from, struct sw_error *error);

/* Adds [from, until) of one partition to what is read, of one topic: before the first sw_kafka_read, or after one that gave SW_END. */
enum sw_code sw_kafka_read_from(struct sw_kafka_client *client, const char *topic, int32_t partition, int64_t from, int64_t until, struct sw_error *error);
/* The next record, of any partition, in the order of offsets within each; SW_END when all ends are reached (the end of a
 * partition counts as one: at an open transaction, reading stops before it). SW_ERR_REMOTE; an offset that is gone is one. */
enum sw_code sw_kafka_read(struct sw_kafka_record *out, struct sw_kafka_client *client, struct sw_error *error);
/* Makes a read that waits, and all later ones, fail soon with SW_ERR_CANCELLED. Any thread. */
void sw_kafka_cancel(struct sw_kafka_client *client);
/* Header `index` of the record that sw_kafka_read gave last; false behind the last one. value.at == NULL: it has none. Borrowed as the record is. */
bool sw_kafka_header(struct sw_bytes *name, struct sw_bytes *value, const struct sw_kafka_client *client, size_t index);

#endif

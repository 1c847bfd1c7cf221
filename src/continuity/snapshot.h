/* What the cloud's tools print about snapshots and subscriptions, read and not yet judged. */
#ifndef SW_CONTINUITY_SNAPSHOT_H
#define SW_CONTINUITY_SNAPSHOT_H

#include "base/error.h"
#include "continuity/instant.h"
#include "slackwater/continuity.h"

#define SW_CLOUD_NAME_MAX 512
#define SW_CLOUD_ITEMS_MAX 4096

/* A time or a length of time that a document may lack. */
struct sw_cloud_time {
    enum { SW_CLOUD_ABSENT, SW_CLOUD_KNOWN, SW_CLOUD_NO_ZONE, SW_CLOUD_WRONG } status;
    struct sw_instant value;
};

struct sw_source_part { /* a Pub/Sub snapshot, alone or as a part of a Dataflow snapshot */
    char name[SW_CLOUD_NAME_MAX], topic[SW_CLOUD_NAME_MAX];
    struct sw_cloud_time expires;
};

struct sw_job_snapshot {
    char id[SW_CLOUD_NAME_MAX], state[64], region[SW_CLOUD_NAME_MAX];
    struct sw_cloud_time created, ttl;
    struct sw_source_part *parts; /* owned */
    size_t part_count;
};

struct sw_subscription {
    char name[SW_CLOUD_NAME_MAX], topic[SW_CLOUD_NAME_MAX];
    bool retains_acked, has_filter, has_dead_letter;
    struct sw_cloud_time retention, topic_retention;
};

struct sw_topic {
    char name[SW_CLOUD_NAME_MAX];
    struct sw_cloud_time retention;
};

struct sw_cloud_documents {
    struct sw_job_snapshot *jobs;        size_t job_count;
    struct sw_source_part *sources;      size_t source_count;
    struct sw_subscription *subscriptions; size_t subscription_count;
    struct sw_topic *topics;             size_t topic_count;
};

/* Zero-initialises and fills `out`; sw_cloud_documents_free releases, also after a failure. */
enum sw_code sw_cloud_documents_read(struct sw_cloud_documents *out, const struct sw_named_text *texts, size_t count, struct sw_error *error);
void sw_cloud_documents_free(struct sw_cloud_documents *documents);

/* "projects/p/topics/orders" and "orders" name the same: the last part counts, since tools print both. */
const char *sw_cloud_short_name(const char *name);
bool sw_cloud_same_name(const char *a, const char *b);

#endif

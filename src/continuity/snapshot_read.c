/* Sources of the shapes: REST references of Dataflow (Snapshot) and Pub/Sub (Snapshot, Subscription, Topic), which gcloud
 * prints with --format=json. Members with a default value may be absent. */
#include <string.h>

#include "base/memory.h"
#include "text/json_document.h"
#include "continuity/snapshot.h"

const char *sw_cloud_short_name(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}

bool sw_cloud_same_name(const char *a, const char *b) { return strcmp(sw_cloud_short_name(a), sw_cloud_short_name(b)) == 0; }

/* A text member; "" if it is absent. */
static enum sw_code text_member(char *out, size_t room, struct sw_token object, const char *name, struct sw_error *error)
{
    struct sw_token token = sw_document_member(object, name);
    out[0] = '\0';
    if (token.kind == SW_TOKEN_ABSENT || token.kind == SW_TOKEN_NULL)
        return SW_OK;
    bool good = sw_document_text(out, room, token);
    for (const char *at = out; good && *at; at++)
        good = *at >= ' ' && *at < 127; /* it is printed as it stands */
    return good ? SW_OK : sw_fail(error, SW_ERR_INPUT, "member %s: expected a text of less than %zu printable ASCII characters", name, room);
}

static enum sw_code instant_member(struct sw_cloud_time *out, struct sw_token object, const char *name, struct sw_error *error)
{
    char text[64];
    enum sw_code code = text_member(text, sizeof text, object, name, error);
    *out = (struct sw_cloud_time){.status = SW_CLOUD_ABSENT};
    if (code < 0 || !text[0])
        return code;
    switch (sw_instant_parse(&out->value, sw_bytes_text(text))) {
    case SW_INSTANT_KNOWN: out->status = SW_CLOUD_KNOWN; break;
    case SW_INSTANT_NO_ZONE: out->status = SW_CLOUD_NO_ZONE; break;
    case SW_INSTANT_WRONG: return sw_fail(error, SW_ERR_INPUT, "member %s: expected a time such as 2031-02-03T04:05:06Z, found '%.63s'", name, text);
    }
    return SW_OK;
}

static enum sw_code duration_member(struct sw_cloud_time *out, struct sw_token object, const char *name, struct sw_error *error)
{
    char text[64];
    enum sw_code code = text_member(text, sizeof text, object, name, error);
    *out = (struct sw_cloud_time){.status = SW_CLOUD_ABSENT};
    if (code < 0 || !text[0])
        return code;
    if (!sw_duration_parse(&out->value, sw_bytes_text(text)))
        return sw_fail(error, SW_ERR_INPUT, "member %s: expected a length of time such as 604800s, found '%.63s'", name, text);
    out->status = SW_CLOUD_KNOWN;
    return SW_OK;
}

static bool has(struct sw_token object, const char *name) { return sw_document_member(object, name).kind != SW_TOKEN_ABSENT; }

/* One more zeroed item at the end of an array. */
static void *add(void *array, size_t *count, size_t size, struct sw_error *error)
{
    void *items;
    memcpy(&items, array, sizeof items);
    if (*count == SW_CLOUD_ITEMS_MAX) {
        (void)sw_fail(error, SW_ERR_LIMIT, "more than %d items of one kind", SW_CLOUD_ITEMS_MAX);
        return NULL;
    }
    void *more = sw_realloc_array(items, *count + 1, size);
    if (!more) {
        (void)sw_fail_memory(error, "a document", (*count + 1) * size);
        return NULL;
    }
    memcpy(array, &more, sizeof more);
    void *item = (char *)more + (*count)++ * size;
    memset(item, 0, size);
    return item;
}

static enum sw_code read_part(struct sw_source_part *out, struct sw_token object, struct sw_error *error)
{
    enum sw_code code = text_member(out->name, sizeof out->name, object, has(object, "snapshotName") ? "snapshotName" : has(object, "name") ? "name" : "snapshotId", error);
    if (code >= 0)
        code = text_member(out->topic, sizeof out->topic, object, has(object, "topicName") ? "topicName" : "topic", error);
    return code < 0 ? code : instant_member(&out->expires, object, "expireTime", error);
}

static enum sw_code read_job(struct sw_cloud_documents *out, struct sw_token object, struct sw_error *error)
{
    struct sw_job_snapshot *job = add(&out->jobs, &out->job_count, sizeof *job, error);
    if (!job)
        return error->code;
    enum sw_code code = text_member(job->id, sizeof job->id, object, "id", error);
    if (code >= 0)
        code = text_member(job->state, sizeof job->state, object, "state", error);
    if (code >= 0)
        code = text_member(job->region, sizeof job->region, object, "region", error);
    if (code >= 0)
        code = instant_member(&job->created, object, "creationTime", error);
    if (code >= 0)
        code = duration_member(&job->ttl, object, "ttl", error);
    struct sw_token parts = sw_document_member(object, "pubsubMetadata");
    if (code >= 0 && parts.kind != SW_TOKEN_ABSENT && parts.kind != SW_TOKEN_NULL && parts.kind != SW_TOKEN_ARRAY)
        code = sw_fail(error, SW_ERR_INPUT, "member pubsubMetadata: expected an array");
    struct sw_document_items items = sw_document_items(parts);
    while (code >= 0 && parts.kind == SW_TOKEN_ARRAY && sw_document_next(&items)) {
        struct sw_source_part *part = add(&job->parts, &job->part_count, sizeof *part, error);
        code = part ? read_part(part, items.value, error) : error->code;
    }
    return code;
}

static enum sw_code read_subscription(struct sw_cloud_documents *out, struct sw_token object, struct sw_error *error)
{
    struct sw_subscription *subscription = add(&out->subscriptions, &out->subscription_count, sizeof *subscription, error);
    if (!subscription)
        return error->code;
    enum sw_code code = text_member(subscription->name, sizeof subscription->name, object, "name", error);
    if (code >= 0)
        code = text_member(subscription->topic, sizeof subscription->topic, object, "topic", error);
    if (code >= 0)
        code = duration_member(&subscription->retention, object, "messageRetentionDuration", error);
    if (code >= 0)
        code = duration_member(&subscription->topic_retention, object, "topicMessageRetentionDuration", error);
    struct sw_token filter = sw_document_member(object, "filter");
    subscription->retains_acked = sw_document_member(object, "retainAckedMessages").kind == SW_TOKEN_TRUE;
    subscription->has_filter = filter.kind == SW_TOKEN_TEXT && filter.len > 0;
    subscription->has_dead_letter = sw_document_member(object, "deadLetterPolicy").kind == SW_TOKEN_OBJECT;
    return code;
}

static enum sw_code read_topic(struct sw_cloud_documents *out, struct sw_token object, struct sw_error *error)
{
    struct sw_topic *topic = add(&out->topics, &out->topic_count, sizeof *topic, error);
    if (!topic)
        return error->code;
    enum sw_code code = text_member(topic->name, sizeof topic->name, object, "name", error);
    return code < 0 ? code : duration_member(&topic->retention, object, "messageRetentionDuration", error);
}

static enum sw_code read_object(struct sw_cloud_documents *out, struct sw_token object, struct sw_error *error)
{
    char name[SW_CLOUD_NAME_MAX];
    if (has(object, "sourceJobId") || has(object, "creationTime") || has(object, "pubsubMetadata"))
        return read_job(out, object, error);
    enum sw_code code = text_member(name, sizeof name, object, "name", error);
    if (code < 0)
        return code;
    if (strstr(name, "/subscriptions/"))
        return read_subscription(out, object, error);
    if (strstr(name, "/snapshots/") || (has(object, "expireTime") && has(object, "topic"))) {
        struct sw_source_part *part = add(&out->sources, &out->source_count, sizeof *part, error);
        return part ? read_part(part, object, error) : error->code;
    }
    if (strstr(name, "/topics/"))
        return read_topic(out, object, error);
    return sw_fail(error, SW_ERR_INPUT,
        "neither a Dataflow snapshot (sourceJobId, creationTime), nor a Pub/Sub snapshot, subscription or topic (name with /snapshots/, /subscriptions/ or /topics/): print it with --format=json");
}

enum sw_code sw_cloud_documents_read(struct sw_cloud_documents *out, const struct sw_named_text *texts, size_t count, struct sw_error *error)
{
    *out = (struct sw_cloud_documents){0};
    enum sw_code code = SW_OK;
    for (size_t i = 0; code >= 0 && i < count; i++) {
        const char *name = texts[i].name ? texts[i].name : "document";
        struct sw_document document;
        struct sw_error fault = {0};
        code = sw_document_read(&document, sw_bytes_of(texts[i].text, texts[i].len), name, error);
        if (code < 0)
            return code;
        if (document.root.kind == SW_TOKEN_OBJECT) {
            code = read_object(out, document.root, &fault);
        } else if (document.root.kind == SW_TOKEN_ARRAY) {
            struct sw_document_items items = sw_document_items(document.root);
            while (code >= 0 && sw_document_next(&items))
                code = read_object(out, items.value, &fault);
        } else {
            code = sw_fail(&fault, SW_ERR_INPUT, "expected an object, or an array of them");
        }
        sw_document_free(&document);
        if (code < 0)
            code = sw_fail(error, code, "%.200s: %.800s", name, fault.text);
    }
    return code;
}

void sw_cloud_documents_free(struct sw_cloud_documents *documents)
{
    for (size_t i = 0; i < documents->job_count; i++)
        sw_free(documents->jobs[i].parts);
    sw_free(documents->jobs);
    sw_free(documents->sources);
    sw_free(documents->subscriptions);
    sw_free(documents->topics);
    *documents = (struct sw_cloud_documents){0};
}

#include "client/kafka.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <librdkafka/rdkafka.h>

#include "base/memory.h"

struct range {
    int32_t partition;
    int64_t until;
    bool done;
};

struct sw_kafka_client {
    rd_kafka_t *handle;
    const struct sw_locator *locator;
    int timeout_ms;
    char *cluster;
    rd_kafka_topic_t *topic;
    rd_kafka_queue_t *queue;
    rd_kafka_message_t *message;
    struct range *ranges;
    size_t range_count, left;
    _Atomic bool cancelled;
    rd_kafka_resp_err_t fault; /* the last one that concerns the whole client */
    char reason[512];
};

/* ---- messages ---- */

static void on_error(rd_kafka_t *handle, int fault, const char *reason, void *ctx)
{
    struct sw_kafka_client *self = ctx;
    (void)handle;
    bool general = fault == RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN; /* says less than the one before it */
    if (!general || !*self->reason)
        snprintf(self->reason, sizeof self->reason, "%s", reason);
    self->fault = (rd_kafka_resp_err_t)fault;
}

/* The library logs nothing by itself; what goes wrong is told by on_error. */
static void on_log(const rd_kafka_t *handle, int level, const char *facility, const char *text)
{
    (void)handle;
    (void)level;
    (void)facility;
    (void)text;
}

static const char *advice_of(rd_kafka_resp_err_t fault, const char *reason)
{
    switch ((int)fault) {
    case RD_KAFKA_RESP_ERR__AUTHENTICATION:
    case RD_KAFKA_RESP_ERR_SASL_AUTHENTICATION_FAILED: return "check sasl.mechanism=, user and password";
    case RD_KAFKA_RESP_ERR__SSL: return "check security.protocol= and ssl.ca.location=";
    case RD_KAFKA_RESP_ERR__RESOLVE: return "the broker's name is not known here";
    case RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED: return "grant Describe (and Read, for records) on the topic";
    case RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED: return "grant Describe on the group";
    case RD_KAFKA_RESP_ERR_CLUSTER_AUTHORIZATION_FAILED: return "grant Describe on the cluster";
    case RD_KAFKA_RESP_ERR_OFFSET_OUT_OF_RANGE:
    case RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET: return "the offset is gone, or not there yet: ask slackwater position probe what is left";
    default: break;
    }
    if (strstr(reason, "Connection refused"))
        return "nothing listens there: check brokers and ports, and advertised.listeners of the brokers";
    if (strstr(reason, "disconnected") || strstr(reason, "Disconnected"))
        return "the broker hung up: perhaps it wants security.protocol=SSL or SASL_SSL";
    return "check brokers, ports and advertised.listeners of the brokers";
}

static enum sw_code fail_remote(struct sw_kafka_client *self, const char *what, rd_kafka_resp_err_t fault, const char *said, struct sw_error *error)
{
    struct sw_buffer text = {0};
    for (int i = 0; i < 100 && rd_kafka_poll(self->handle, 0) > 0; i++) {
    }
    const char *reason = said && *said ? said : *self->reason ? self->reason : rd_kafka_err2str(fault);
    sw_locator_redact(&text, self->locator, reason);
    const char *clean = sw_buffer_text(&text);
    sw_fail(error, SW_ERR_REMOTE, "%.300s: %s: %.400s (%s); %s", self->locator->shown, what, clean ? clean : "", rd_kafka_err2name(fault), advice_of(fault, reason));
    sw_buffer_free(&text);
    return SW_ERR_REMOTE;
}

/* ---- configuration ---- */

/* What would make the client change something at the cluster, jump, or load code. */
static const char *const refused[] = {"group.id", "group.instance.id", "enable.auto.commit", "enable.auto.offset.store", "allow.auto.create.topics", "auto.offset.reset", "enable.partition.eof", "plugin.library.paths",
    "transactional.id", "bootstrap.servers", "metadata.broker.list", NULL};

/* What the source of topics reads from the locator. */
static const char *const of_the_source[] = {"from", "until", "partitions", NULL};

static bool is_one_of(const char *name, const char *const *names)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names;
}

static enum sw_code set(rd_kafka_conf_t *conf, const struct sw_locator *locator, const char *name, const char *value, struct sw_error *error)
{
    char said[512];
    rd_kafka_conf_res_t result = rd_kafka_conf_set(conf, name, value, said, sizeof said);
    if (result == RD_KAFKA_CONF_OK)
        return SW_OK;
    struct sw_buffer text = {0};
    sw_locator_redact(&text, locator, said);
    const char *clean = sw_buffer_text(&text);
    sw_fail(error, SW_ERR_USAGE, "%.300s: %.400s; parameters of the locator are configuration properties of librdkafka", locator->shown, clean ? clean : "");
    sw_buffer_free(&text);
    return SW_ERR_USAGE;
}

static enum sw_code configure(rd_kafka_conf_t *conf, const struct sw_locator *locator, struct sw_error *error)
{
    static const char *const ours[][2] = {
        {"client.id", "slackwater"},
        {"enable.auto.commit", "false"},
        {"enable.auto.offset.store", "false"},
        {"enable.partition.eof", "true"},
        {"allow.auto.create.topics", "false"},
        {"auto.offset.reset", "error"},
        {"check.crcs", "true"},
    };
    enum sw_code code = set(conf, locator, "bootstrap.servers", locator->host, error);
    for (size_t i = 0; code >= 0 && i < sizeof ours / sizeof *ours; i++)
        code = set(conf, locator, ours[i][0], ours[i][1], error);
    if (code >= 0 && locator->user)
        code = set(conf, locator, "sasl.username", locator->user, error);
    if (code >= 0 && locator->password)
        code = set(conf, locator, "sasl.password", locator->password, error);
    for (size_t i = 0; code >= 0 && i < locator->parameter_count; i++) {
        const struct sw_locator_parameter *parameter = &locator->parameters[i];
        if (is_one_of(parameter->name, of_the_source))
            continue;
        if (is_one_of(parameter->name, refused))
            return sw_fail(error, SW_ERR_USAGE, "%.300s: %.64s cannot be set here: the client joins no group, commits nothing and never jumps over what is gone", locator->shown, parameter->name);
        code = set(conf, locator, parameter->name, parameter->value, error);
    }
    return code;
}

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Asks until a broker answers, and gives up early where waiting will not help. */
static enum sw_code reach(struct sw_kafka_client *self, struct sw_error *error)
{
    int64_t end = now_ms() + self->timeout_ms;
    rd_kafka_resp_err_t fault;
    do {
        const struct rd_kafka_metadata *metadata = NULL;
        fault = rd_kafka_metadata(self->handle, 0, NULL, &metadata, 250);
        rd_kafka_metadata_destroy(metadata);
        for (int i = 0; i < 100 && rd_kafka_poll(self->handle, 0) > 0; i++) {
        }
        bool hopeless = self->fault == RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN || self->fault == RD_KAFKA_RESP_ERR__AUTHENTICATION || self->fault == RD_KAFKA_RESP_ERR__SSL;
        if (!fault || hopeless)
            break;
    } while (now_ms() < end);
    if (fault)
        return fail_remote(self, "cannot connect", self->fault ? self->fault : fault, NULL, error);
    self->fault = RD_KAFKA_RESP_ERR_NO_ERROR;
    self->reason[0] = '\0';
    return SW_OK;
}

enum sw_code sw_kafka_open(struct sw_kafka_client **out, const struct sw_locator *locator, const struct sw_kafka_options *options, struct sw_error *error)
{
    struct sw_kafka_client *self = sw_calloc(1, sizeof *self);
    rd_kafka_conf_t *conf = rd_kafka_conf_new();
    char said[512];
    *out = NULL;
    enum sw_code code = self && conf ? configure(conf, locator, error) : sw_fail_memory(error, "a client", sizeof *self);
    if (code >= 0) {
        self->locator = locator;
        self->timeout_ms = options->timeout_ms ? (int)options->timeout_ms : 15000;
        rd_kafka_conf_set_opaque(conf, self);
        rd_kafka_conf_set_error_cb(conf, on_error);
        rd_kafka_conf_set_log_cb(conf, on_log);
        self->handle = rd_kafka_new(RD_KAFKA_CONSUMER, conf, said, sizeof said);
        if (self->handle) {
            conf = NULL; /* taken */
            code = reach(self, error);
        } else {
            struct sw_buffer text = {0};
            sw_locator_redact(&text, locator, said);
            const char *clean = sw_buffer_text(&text);
            code = sw_fail(error, SW_ERR_USAGE, "%.300s: %.500s", locator->shown, clean ? clean : "");
            sw_buffer_free(&text);
        }
    }
    if (conf)
        rd_kafka_conf_destroy(conf);
    if (code < 0)
        sw_kafka_close(&self);
    *out = self;
    return code;
}

void sw_kafka_close(struct sw_kafka_client **client)
{
    struct sw_kafka_client *self = *client;
    if (!self)
        return;
    if (self->message)
        rd_kafka_message_destroy(self->message);
    for (size_t i = 0; i < self->range_count; i++)
        rd_kafka_consume_stop(self->topic, self->ranges[i].partition);
    if (self->queue)
        rd_kafka_queue_destroy(self->queue);
    if (self->topic)
        rd_kafka_topic_destroy(self->topic);
    if (self->handle) {
        if (self->cluster)
            rd_kafka_mem_free(self->handle, self->cluster);
        rd_kafka_destroy(self->handle);
    }
    sw_free(self->ranges);
    sw_free(self);
    *client = NULL;
}

const char *sw_kafka_cluster(struct sw_kafka_client *self)
{
    if (!self->cluster)
        self->cluster = rd_kafka_clusterid(self->handle, self->timeout_ms);
    return self->cluster && *self->cluster ? self->cluster : NULL;
}

/* ---- partitions ---- */

static enum sw_code fail_topic(struct sw_kafka_client *self, const char *topic, struct sw_error *error)
{
    const struct rd_kafka_metadata *metadata = NULL;
    struct sw_buffer near = {0};
    if (rd_kafka_metadata(self->handle, 1, NULL, &metadata, self->timeout_ms) == RD_KAFKA_RESP_ERR_NO_ERROR) {
        struct sw_bytes *names = sw_calloc((size_t)metadata->topic_cnt + 1, sizeof *names);
        for (int i = 0; names && i < metadata->topic_cnt; i++)
            names[i] = sw_bytes_text(metadata->topics[i].topic);
        if (names)
            sw_near_names(&near, topic, names, (size_t)metadata->topic_cnt);
        sw_free(names);
    }
    rd_kafka_metadata_destroy(metadata);
    const char *names = sw_buffer_text(&near);
    enum sw_code code = sw_fail(error, SW_ERR_USAGE, "%.300s: there is no topic %.250s that this user can see%s%.300s", self->locator->shown, topic, names && *names ? "; near names: " : ", and none with a similar name",
        names ? names : "");
    sw_buffer_free(&near);
    return code;
}

static int by_partition(const void *a, const void *b)
{
    const struct sw_kafka_partition *left = a, *right = b;
    return (left->partition > right->partition) - (left->partition < right->partition);
}

static enum sw_code list_partitions(struct sw_kafka_partition **out, size_t *count, struct sw_kafka_client *self, const char *topic, struct sw_error *error)
{
    const struct rd_kafka_metadata *metadata = NULL;
    rd_kafka_topic_t *asked = rd_kafka_topic_new(self->handle, topic, NULL);
    if (!asked)
        return sw_fail_memory(error, "a topic", 0);
    rd_kafka_resp_err_t fault = rd_kafka_metadata(self->handle, 0, asked, &metadata, self->timeout_ms);
    enum sw_code code = SW_OK;
    if (fault) {
        code = fail_remote(self, "the topic's metadata cannot be read", fault, NULL, error);
    } else if (metadata->topic_cnt != 1 || metadata->topics[0].err == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART || metadata->topics[0].err == RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC) {
        code = fail_topic(self, topic, error);
    } else if (metadata->topics[0].err) {
        code = fail_remote(self, "the topic's metadata cannot be read", metadata->topics[0].err, rd_kafka_err2str(metadata->topics[0].err), error);
    } else {
        size_t found = (size_t)metadata->topics[0].partition_cnt;
        struct sw_kafka_partition *partitions = sw_calloc(found + 1, sizeof *partitions);
        if (!partitions)
            code = sw_fail_memory(error, "a list of partitions", found * sizeof *partitions);
        for (size_t i = 0; partitions && i < found; i++)
            partitions[i] = (struct sw_kafka_partition){.partition = metadata->topics[0].partitions[i].id, .leader = metadata->topics[0].partitions[i].leader, .committed = -1};
        if (partitions)
            qsort(partitions, found, sizeof *partitions, by_partition);
        *out = partitions;
        *count = found;
    }
    rd_kafka_metadata_destroy(metadata);
    rd_kafka_topic_destroy(asked);
    return code;
}

enum sw_code sw_kafka_partitions(struct sw_kafka_partition **out, size_t *count, struct sw_kafka_client *self, const char *topic, struct sw_error *error)
{
    *out = NULL;
    *count = 0;
    enum sw_code code = list_partitions(out, count, self, topic, error);
    for (size_t i = 0; code >= 0 && i < *count; i++) {
        struct sw_kafka_partition *each = &(*out)[i];
        if (each->leader < 0)
            continue;
        rd_kafka_resp_err_t fault = rd_kafka_query_watermark_offsets(self->handle, topic, each->partition, &each->first, &each->last, self->timeout_ms);
        if (fault)
            code = fail_remote(self, "the offsets of a partition cannot be read", fault, rd_kafka_err2str(fault), error);
        each->known = !fault && each->first >= 0 && each->last >= 0;
    }
    if (code < 0) {
        sw_free(*out);
        *out = NULL;
        *count = 0;
    }
    return code;
}

/* ---- questions to the administration ---- */

static enum sw_code wait_for(rd_kafka_event_t **out, struct sw_kafka_client *self, rd_kafka_queue_t *queue, const char *what, struct sw_error *error)
{
    *out = rd_kafka_queue_poll(queue, self->timeout_ms + 1000);
    if (!*out)
        return fail_remote(self, what, RD_KAFKA_RESP_ERR__TIMED_OUT, NULL, error);
    rd_kafka_resp_err_t fault = rd_kafka_event_error(*out);
    return fault ? fail_remote(self, what, fault, rd_kafka_event_error_string(*out), error) : SW_OK;
}

static rd_kafka_AdminOptions_t *admin_options(struct sw_kafka_client *self, rd_kafka_admin_op_t operation)
{
    char said[128];
    rd_kafka_AdminOptions_t *options = rd_kafka_AdminOptions_new(self->handle, operation);
    if (options)
        (void)rd_kafka_AdminOptions_set_request_timeout(options, self->timeout_ms, said, sizeof said);
    return options;
}

enum sw_code sw_kafka_committed(struct sw_kafka_partition *partitions, size_t count, struct sw_kafka_client *self, const char *group, const char *topic, struct sw_error *error)
{
    static const char what[] = "the group's committed offsets cannot be read";
    rd_kafka_topic_partition_list_t *list = rd_kafka_topic_partition_list_new((int)count);
    for (size_t i = 0; i < count; i++)
        rd_kafka_topic_partition_list_add(list, topic, partitions[i].partition);
    rd_kafka_ListConsumerGroupOffsets_t *request = rd_kafka_ListConsumerGroupOffsets_new(group, list);
    rd_kafka_AdminOptions_t *options = admin_options(self, RD_KAFKA_ADMIN_OP_LISTCONSUMERGROUPOFFSETS);
    rd_kafka_queue_t *queue = rd_kafka_queue_new(self->handle);
    rd_kafka_event_t *event = NULL;
    rd_kafka_ListConsumerGroupOffsets(self->handle, &request, 1, options, queue);
    enum sw_code code = wait_for(&event, self, queue, what, error);
    if (code >= 0) {
        size_t groups = 0;
        const rd_kafka_ListConsumerGroupOffsets_result_t *result = rd_kafka_event_ListConsumerGroupOffsets_result(event);
        const rd_kafka_group_result_t **found = result ? rd_kafka_ListConsumerGroupOffsets_result_groups(result, &groups) : NULL;
        const rd_kafka_error_t *fault = groups ? rd_kafka_group_result_error(found[0]) : NULL;
        const rd_kafka_topic_partition_list_t *offsets = groups ? rd_kafka_group_result_partitions(found[0]) : NULL;
        if (fault)
            code = fail_remote(self, what, rd_kafka_error_code(fault), rd_kafka_error_string(fault), error);
        for (int i = 0; code >= 0 && offsets && i < offsets->cnt; i++)
            for (size_t p = 0; p < count; p++)
                if (partitions[p].partition == offsets->elems[i].partition && strcmp(offsets->elems[i].topic, topic) == 0) {
                    if (offsets->elems[i].err)
                        code = fail_remote(self, what, offsets->elems[i].err, rd_kafka_err2str(offsets->elems[i].err), error);
                    partitions[p].committed = offsets->elems[i].offset >= 0 ? offsets->elems[i].offset : -1;
                }
    }
    if (event)
        rd_kafka_event_destroy(event);
    rd_kafka_queue_destroy(queue);
    if (options)
        rd_kafka_AdminOptions_destroy(options);
    rd_kafka_ListConsumerGroupOffsets_destroy(request);
    rd_kafka_topic_partition_list_destroy(list);
    return code;
}

enum sw_code sw_kafka_offset_at(int64_t *out, struct sw_kafka_client *self, const char *topic, int32_t partition, int64_t time_ms, struct sw_error *error)
{
    rd_kafka_topic_partition_list_t *list = rd_kafka_topic_partition_list_new(1);
    rd_kafka_topic_partition_list_add(list, topic, partition)->offset = time_ms;
    rd_kafka_resp_err_t fault = rd_kafka_offsets_for_times(self->handle, list, self->timeout_ms);
    if (!fault)
        fault = list->elems[0].err;
    *out = list->elems[0].offset >= 0 ? list->elems[0].offset : -1;
    rd_kafka_topic_partition_list_destroy(list);
    return fault ? fail_remote(self, "the offset of a time cannot be read", fault, rd_kafka_err2str(fault), error) : SW_OK;
}

enum sw_code sw_kafka_topic_settings(struct sw_rows *out, struct sw_kafka_client *self, const char *topic, struct sw_error *error)
{
    static const char what[] = "the topic's configuration cannot be read";
    rd_kafka_ConfigResource_t *resource = rd_kafka_ConfigResource_new(RD_KAFKA_RESOURCE_TOPIC, topic);
    if (!resource)
        return sw_fail_memory(error, "a question", 0);
    rd_kafka_AdminOptions_t *options = admin_options(self, RD_KAFKA_ADMIN_OP_DESCRIBECONFIGS);
    rd_kafka_queue_t *queue = rd_kafka_queue_new(self->handle);
    rd_kafka_event_t *event = NULL;
    rd_kafka_DescribeConfigs(self->handle, &resource, 1, options, queue);
    enum sw_code code = wait_for(&event, self, queue, what, error);
    if (code >= 0) {
        size_t resources = 0, entries = 0;
        const rd_kafka_DescribeConfigs_result_t *result = rd_kafka_event_DescribeConfigs_result(event);
        const rd_kafka_ConfigResource_t **found = result ? rd_kafka_DescribeConfigs_result_resources(result, &resources) : NULL;
        rd_kafka_resp_err_t fault = resources ? rd_kafka_ConfigResource_error(found[0]) : RD_KAFKA_RESP_ERR__BAD_MSG;
        if (fault) {
            code = fail_remote(self, what, fault, resources ? rd_kafka_ConfigResource_error_string(found[0]) : NULL, error);
        } else {
            const rd_kafka_ConfigEntry_t **configs = rd_kafka_ConfigResource_configs(found[0], &entries);
            sw_rows_name(out, SW_BYTES_LITERAL("name"));
            sw_rows_name(out, SW_BYTES_LITERAL("setting"));
            for (size_t i = 0; i < entries; i++) {
                const char *value = rd_kafka_ConfigEntry_value(configs[i]);
                if (rd_kafka_ConfigEntry_is_sensitive(configs[i]))
                    continue;
                sw_rows_cell(out, sw_bytes_text(rd_kafka_ConfigEntry_name(configs[i])));
                sw_rows_cell(out, value ? sw_bytes_text(value) : (struct sw_bytes){0});
            }
            code = sw_rows_end(out, error);
        }
    }
    if (event)
        rd_kafka_event_destroy(event);
    rd_kafka_queue_destroy(queue);
    if (options)
        rd_kafka_AdminOptions_destroy(options);
    rd_kafka_ConfigResource_destroy(resource);
    return code;
}

/* ---- reading ---- */

enum sw_code sw_kafka_read_from(struct sw_kafka_client *self, const char *topic, int32_t partition, int64_t from, int64_t until, struct sw_error *error)
{
    if (!self->topic) {
        self->topic = rd_kafka_topic_new(self->handle, topic, NULL);
        self->queue = rd_kafka_queue_new(self->handle);
        if (!self->topic || !self->queue)
            return sw_fail_memory(error, "a topic", 0);
    }
    struct range *grown = sw_realloc_array(self->ranges, self->range_count + 1, sizeof *grown);
    if (!grown)
        return sw_fail_memory(error, "a list of partitions", (self->range_count + 1) * sizeof *grown);
    self->ranges = grown;
    if (from >= until)
        return SW_OK;
    if (rd_kafka_consume_start_queue(self->topic, partition, from, self->queue) != 0)
        return fail_remote(self, "a partition cannot be read", rd_kafka_last_error(), rd_kafka_err2str(rd_kafka_last_error()), error);
    self->ranges[self->range_count++] = (struct range){partition, until, false};
    self->left++;
    return SW_OK;
}

static struct range *range_of(struct sw_kafka_client *self, int32_t partition)
{
    for (size_t i = 0; i < self->range_count; i++)
        if (self->ranges[i].partition == partition)
            return &self->ranges[i];
    return NULL;
}

/* What comes behind it is not even fetched. */
static void end_range(struct sw_kafka_client *self, struct range *range)
{
    if (range->done)
        return;
    range->done = true;
    self->left--;
    rd_kafka_consume_stop(self->topic, range->partition);
}

static struct sw_kafka_record record_of(const rd_kafka_message_t *message)
{
    return (struct sw_kafka_record){message->partition, message->offset, rd_kafka_message_timestamp(message, NULL), sw_bytes_of(message->key, message->key ? message->key_len : 0),
        sw_bytes_of(message->payload, message->payload ? message->len : 0)};
}

enum sw_code sw_kafka_first_record(struct sw_kafka_record *out, struct sw_kafka_client *self, const char *topic, int32_t partition, int64_t from, struct sw_error *error)
{
    rd_kafka_topic_t *asked = rd_kafka_topic_new(self->handle, topic, NULL);
    enum sw_code code = SW_OK;
    *out = (struct sw_kafka_record){0};
    if (!asked)
        return sw_fail_memory(error, "a topic", 0);
    if (rd_kafka_consume_start(asked, partition, from) != 0) {
        code = fail_remote(self, "a partition cannot be read", rd_kafka_last_error(), rd_kafka_err2str(rd_kafka_last_error()), error);
        rd_kafka_topic_destroy(asked);
        return code;
    }
    if (self->message)
        rd_kafka_message_destroy(self->message);
    self->message = rd_kafka_consume(asked, partition, self->timeout_ms);
    if (!self->message)
        code = fail_remote(self, "no record came in time", RD_KAFKA_RESP_ERR__TIMED_OUT, NULL, error);
    else if (self->message->err == RD_KAFKA_RESP_ERR__PARTITION_EOF)
        code = SW_END;
    else if (self->message->err)
        code = fail_remote(self, "reading failed", self->message->err, rd_kafka_message_errstr(self->message), error);
    else
        *out = record_of(self->message);
    rd_kafka_consume_stop(asked, partition);
    rd_kafka_topic_destroy(asked);
    return code;
}

/* What a broker says while it moves a leader or swaps a segment that was compacted. No record is passed over: offsets are asked for one by one. */
static bool is_transient(rd_kafka_resp_err_t fault)
{
    switch ((int)fault) {
    case RD_KAFKA_RESP_ERR_UNKNOWN:
    case RD_KAFKA_RESP_ERR__TRANSPORT:
    case RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION:
    case RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE:
    case RD_KAFKA_RESP_ERR_REPLICA_NOT_AVAILABLE:
    case RD_KAFKA_RESP_ERR_REQUEST_TIMED_OUT: return true;
    default: return false;
    }
}

enum sw_code sw_kafka_read(struct sw_kafka_record *out, struct sw_kafka_client *self, struct sw_error *error)
{
    int64_t end = now_ms() + self->timeout_ms;
    *out = (struct sw_kafka_record){0};
    while (self->left) {
        if (self->cancelled)
            return sw_fail(error, SW_ERR_CANCELLED, "reading was cancelled");
        if (self->message)
            rd_kafka_message_destroy(self->message);
        self->message = rd_kafka_consume_queue(self->queue, 250);
        rd_kafka_poll(self->handle, 0);
        const rd_kafka_message_t *message = self->message;
        if (!message) {
            if (now_ms() > end)
                return fail_remote(self, "no record came in time", RD_KAFKA_RESP_ERR__TIMED_OUT, NULL, error);
            continue;
        }
        struct range *range = range_of(self, message->partition);
        if (message->err == RD_KAFKA_RESP_ERR__PARTITION_EOF) {
            if (range)
                end_range(self, range);
            continue;
        }
        if (message->err && is_transient(message->err) && now_ms() < end)
            continue; /* the library asks again */
        if (message->err)
            return fail_remote(self, "reading failed", message->err, rd_kafka_message_errstr(message), error);
        if (!range || range->done)
            continue;
        if (message->offset >= range->until) {
            end_range(self, range);
            continue;
        }
        if (message->offset == range->until - 1)
            end_range(self, range);
        *out = record_of(message);
        return SW_OK;
    }
    return SW_END;
}

void sw_kafka_cancel(struct sw_kafka_client *self) { self->cancelled = true; }

bool sw_kafka_header(struct sw_bytes *name, struct sw_bytes *value, const struct sw_kafka_client *self, size_t index)
{
    rd_kafka_headers_t *headers;
    const char *found;
    const void *at;
    size_t len;
    if (rd_kafka_message_headers(self->message, &headers) != RD_KAFKA_RESP_ERR_NO_ERROR || rd_kafka_header_get_all(headers, index, &found, &at, &len) != RD_KAFKA_RESP_ERR_NO_ERROR)
        return false;
    *name = sw_bytes_text(found);
    *value = sw_bytes_of(at, at ? len : 0);
    return true;
}

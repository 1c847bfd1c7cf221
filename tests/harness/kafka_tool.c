/* What tests do to a Kafka cluster, which the library itself never does: make topics, produce, delete, commit. And a mock cluster.
 *
 *     kafka_tool mock TOPIC PARTITIONS                          prints the brokers, and stays until standard input ends
 *     kafka_tool create BROKERS TOPIC PARTITIONS [NAME=VALUE]...
 *     kafka_tool produce BROKERS TOPIC PARTITION                lines KEY<TAB>VALUE of standard input; without a tab a tombstone
 *     kafka_tool abort BROKERS TOPIC PARTITION                  the same in a transaction that is then aborted
 *     kafka_tool delete BROKERS TOPIC PARTITION OFFSET          deletes the records before OFFSET
 *     kafka_tool commit BROKERS TOPIC GROUP PARTITION:OFFSET...
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>

enum { PATIENCE_MS = 60000 };

static int complain(const char *what, const char *why)
{
    fprintf(stderr, "kafka_tool: %s: %s\n", what, why);
    return 1;
}

static rd_kafka_t *client(rd_kafka_type_t type, const char *const *settings)
{
    char said[256] = "";
    rd_kafka_conf_t *conf = rd_kafka_conf_new();
    for (; settings[0]; settings += 2)
        if (rd_kafka_conf_set(conf, settings[0], settings[1], said, sizeof said) != RD_KAFKA_CONF_OK) {
            complain(settings[0], said);
            rd_kafka_conf_destroy(conf);
            return NULL;
        }
    rd_kafka_t *made = rd_kafka_new(type, conf, said, sizeof said);
    if (!made) {
        complain("a client cannot be made", said);
        rd_kafka_conf_destroy(conf);
    }
    return made;
}

static int mock(const char *topic, int partitions)
{
    static const char *const settings[] = {"client.id", "mock", "bootstrap.servers", "", "log_level", "0", NULL};
    rd_kafka_t *owner = client(RD_KAFKA_PRODUCER, settings);
    if (!owner)
        return 1;
    rd_kafka_mock_cluster_t *cluster = rd_kafka_mock_cluster_new(owner, 1);
    if (!cluster || rd_kafka_mock_topic_create(cluster, topic, partitions, 1))
        return complain("mock", "no cluster");
    printf("%s\n", rd_kafka_mock_cluster_bootstraps(cluster));
    fflush(stdout);
    while (getchar() != EOF) {
    }
    rd_kafka_mock_cluster_destroy(cluster);
    rd_kafka_destroy(owner);
    return 0;
}

/* Waits for the one answer on `queue`; the first fault in it is told. */
static int answer(rd_kafka_queue_t *queue, const char *what)
{
    rd_kafka_event_t *event = rd_kafka_queue_poll(queue, PATIENCE_MS);
    int status = 0;
    if (!event)
        return complain(what, "no answer");
    if (rd_kafka_event_error(event))
        status = complain(what, rd_kafka_event_error_string(event));
    size_t count = 0;
    if (!status && rd_kafka_event_type(event) == RD_KAFKA_EVENT_CREATETOPICS_RESULT) {
        const rd_kafka_topic_result_t **topics = rd_kafka_CreateTopics_result_topics(rd_kafka_event_CreateTopics_result(event), &count);
        for (size_t i = 0; i < count; i++)
            if (rd_kafka_topic_result_error(topics[i]))
                status = complain(what, rd_kafka_topic_result_error_string(topics[i]));
    } else if (!status && rd_kafka_event_type(event) == RD_KAFKA_EVENT_DELETERECORDS_RESULT) {
        const rd_kafka_topic_partition_list_t *offsets = rd_kafka_DeleteRecords_result_offsets(rd_kafka_event_DeleteRecords_result(event));
        for (int i = 0; i < offsets->cnt; i++)
            if (offsets->elems[i].err)
                status = complain(what, rd_kafka_err2str(offsets->elems[i].err));
    }
    rd_kafka_event_destroy(event);
    return status;
}

static int create(rd_kafka_t *admin, rd_kafka_queue_t *queue, int argc, char **argv)
{
    char said[256];
    rd_kafka_NewTopic_t *topic = rd_kafka_NewTopic_new(argv[3], atoi(argv[4]), 1, said, sizeof said);
    if (!topic)
        return complain("create", said);
    for (int i = 5; i < argc; i++) {
        char *equals = strchr(argv[i], '=');
        if (!equals)
            return complain(argv[i], "expected NAME=VALUE");
        *equals = '\0';
        rd_kafka_NewTopic_set_config(topic, argv[i], equals + 1);
    }
    rd_kafka_AdminOptions_t *options = rd_kafka_AdminOptions_new(admin, RD_KAFKA_ADMIN_OP_CREATETOPICS);
    rd_kafka_AdminOptions_set_operation_timeout(options, PATIENCE_MS, said, sizeof said);
    rd_kafka_CreateTopics(admin, &topic, 1, options, queue);
    int status = answer(queue, "create");
    rd_kafka_AdminOptions_destroy(options);
    rd_kafka_NewTopic_destroy(topic);
    return status;
}

static int delete_before(rd_kafka_t *admin, rd_kafka_queue_t *queue, char **argv)
{
    rd_kafka_topic_partition_list_t *list = rd_kafka_topic_partition_list_new(1);
    rd_kafka_topic_partition_list_add(list, argv[3], atoi(argv[4]))->offset = atoll(argv[5]);
    rd_kafka_DeleteRecords_t *request = rd_kafka_DeleteRecords_new(list);
    rd_kafka_DeleteRecords(admin, &request, 1, NULL, queue);
    int status = answer(queue, "delete");
    rd_kafka_DeleteRecords_destroy(request);
    rd_kafka_topic_partition_list_destroy(list);
    return status;
}

static int commit(int argc, char **argv)
{
    const char *const settings[] = {"bootstrap.servers", argv[2], "group.id", argv[4], "enable.auto.commit", "false", NULL};
    rd_kafka_t *consumer = client(RD_KAFKA_CONSUMER, settings);
    if (!consumer)
        return 1;
    rd_kafka_topic_partition_list_t *list = rd_kafka_topic_partition_list_new(argc - 5);
    for (int i = 5; i < argc; i++) {
        const char *colon = strchr(argv[i], ':');
        rd_kafka_topic_partition_list_add(list, argv[3], atoi(argv[i]))->offset = colon ? atoll(colon + 1) : -1;
    }
    rd_kafka_resp_err_t fault = rd_kafka_commit(consumer, list, 0);
    int status = fault ? complain("commit", rd_kafka_err2str(fault)) : 0;
    rd_kafka_topic_partition_list_destroy(list);
    rd_kafka_destroy(consumer);
    return status;
}

static int undelivered;

static void on_delivery(rd_kafka_t *handle, const rd_kafka_message_t *message, void *ctx)
{
    (void)handle;
    (void)ctx;
    if (message->err) {
        undelivered++;
        complain("produce", rd_kafka_err2str(message->err));
    }
}

static int fault_of(rd_kafka_error_t *error, const char *what)
{
    if (!error)
        return 0;
    complain(what, rd_kafka_error_string(error));
    rd_kafka_error_destroy(error);
    return 1;
}

static int produce(char **argv, int aborted)
{
    char said[256], line[65536];
    rd_kafka_conf_t *conf = rd_kafka_conf_new();
    rd_kafka_conf_set(conf, "bootstrap.servers", argv[2], said, sizeof said);
    rd_kafka_conf_set(conf, "linger.ms", "5", said, sizeof said);
    if (aborted)
        rd_kafka_conf_set(conf, "transactional.id", "kafka_tool", said, sizeof said);
    rd_kafka_conf_set_dr_msg_cb(conf, on_delivery);
    rd_kafka_t *producer = rd_kafka_new(RD_KAFKA_PRODUCER, conf, said, sizeof said);
    if (!producer)
        return complain("produce", said);
    rd_kafka_topic_t *topic = rd_kafka_topic_new(producer, argv[3], NULL);
    int status = !topic || (aborted && (fault_of(rd_kafka_init_transactions(producer, PATIENCE_MS), "init") || fault_of(rd_kafka_begin_transaction(producer), "begin")));
    while (!status && fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        char *tab = strchr(line, '\t');
        if (tab)
            *tab = '\0';
        if (rd_kafka_produce(topic, atoi(argv[4]), RD_KAFKA_MSG_F_COPY | RD_KAFKA_MSG_F_BLOCK, tab ? tab + 1 : NULL, tab ? strlen(tab + 1) : 0, line, strlen(line), NULL))
            status = complain("produce", rd_kafka_err2str(rd_kafka_last_error()));
        rd_kafka_poll(producer, 0);
    }
    if (rd_kafka_flush(producer, PATIENCE_MS) || undelivered)
        status = complain("produce", "not all was delivered");
    if (aborted)
        status |= fault_of(rd_kafka_abort_transaction(producer, PATIENCE_MS), "abort");
    if (topic)
        rd_kafka_topic_destroy(topic);
    rd_kafka_destroy(producer);
    return status;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "mock") == 0)
        return mock(argv[2], atoi(argv[3]));
    if (argc == 5 && strcmp(argv[1], "produce") == 0)
        return produce(argv, 0);
    if (argc == 5 && strcmp(argv[1], "abort") == 0)
        return produce(argv, 1);
    if (argc >= 6 && strcmp(argv[1], "commit") == 0)
        return commit(argc, argv);
    int making = argc >= 5 && strcmp(argv[1], "create") == 0, deleting = argc == 6 && strcmp(argv[1], "delete") == 0;
    if (!making && !deleting)
        return complain("usage", "see the head of tests/harness/kafka_tool.c");
    const char *const settings[] = {"bootstrap.servers", argv[2], NULL};
    rd_kafka_t *admin = client(RD_KAFKA_PRODUCER, settings);
    if (!admin)
        return 1;
    rd_kafka_queue_t *queue = rd_kafka_queue_new(admin);
    int status = making ? create(admin, queue, argc, argv) : delete_before(admin, queue, argv);
    rd_kafka_queue_destroy(queue);
    rd_kafka_destroy(admin);
    return status;
}

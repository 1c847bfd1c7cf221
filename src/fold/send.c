/* Records on their way into a saved state. */
#include "fold/key_order.h"
#include "fold/truncates.h"
#include "fold/worker.h"

/* One of several equal records whose transactions are open: which transaction, and where its bytes stand. */
struct waiting {
    uint32_t id;
    size_t at, len;
};

void sw_sender_free(struct sw_sender *sender)
{
    sw_buffer_free(&sender->before);
    sw_buffer_free(&sender->committed);
    sw_buffer_free(&sender->waiting);
    sw_buffer_free(&sender->waiting_bytes);
}

bool sw_fold_sends_records(const struct sw_fold_worker *worker) { return worker->sink.record != NULL; }

static enum sw_code send(struct sw_fold_worker *worker, const struct sw_record *record, struct sw_error *error) { return worker->sink.record(record, worker->sink.ctx, error); }

static enum sw_code send_bytes(struct sw_fold_worker *worker, struct sw_bytes bytes, struct sw_error *error)
{
    struct sw_record record;
    sw_record_read(&record, bytes);
    return send(worker, &record, error);
}

/* Does the later run need no more than one of the two? Under one identity a write and a row that was read are not one event, though they leave one row. */
static bool is_repeat(const struct sw_fold_rules *rules, const struct sw_record *before, const struct sw_record *record)
{
    return sw_fold_group_of(before) == sw_fold_group_of(record) && before->space == record->space && sw_bytes_equal(before->version, record->version) &&
           sw_bytes_equal(before->identity, record->identity) &&
           (record->identity.len == 0 || (before->flags & SW_FOLD_OPERATION_FLAGS) == (record->flags & SW_FOLD_OPERATION_FLAGS)) &&
           sw_content_compare(rules->schema, before, record) == 0 && sw_fold_compare_following(rules->schema, before, record) == 0;
}

/* What is known of the records that are equal to the one before: all of them were met. */
static enum sw_code send_equal(struct sw_fold_worker *worker, struct sw_error *error)
{
    struct sw_sender *sender = &worker->sender;
    const struct waiting *waiting = (const struct waiting *)(const void *)sender->waiting.at;
    size_t count = sender->waiting.len / sizeof *waiting;
    enum sw_code code = sender->committed.len ? send_bytes(worker, sw_buffer_view(&sender->committed), error) : SW_OK;
    for (size_t i = 0; i < count && !sender->committed.len && code == SW_OK; i++)
        if (waiting[i].id || count == 1) /* a transaction that may yet end says more than one that never will */
            code = send_bytes(worker, sw_bytes_of(sender->waiting_bytes.at + waiting[i].at, waiting[i].len), error);
    sender->committed.len = sender->waiting.len = sender->waiting_bytes.len = 0;
    return code;
}

static bool add_waiting(struct sw_sender *sender, uint32_t id, struct sw_bytes bytes)
{
    const struct waiting *waiting = (const struct waiting *)(const void *)sender->waiting.at, one = {id, sender->waiting_bytes.len, bytes.len};
    for (size_t i = 0; i < sender->waiting.len / sizeof *waiting; i++)
        if (waiting[i].id == id)
            return true;
    sw_buffer_add_bytes(&sender->waiting_bytes, bytes);
    sw_buffer_add(&sender->waiting, &one, sizeof one);
    return !sender->waiting.failed && !sender->waiting_bytes.failed;
}

enum sw_code sw_fold_send_end(struct sw_fold_worker *worker, struct sw_error *error)
{
    worker->sender.before.len = 0;
    worker->sender.marked = false;
    return send_equal(worker, error);
}

enum sw_code sw_fold_send_next(struct sw_fold_worker *worker, const struct sw_record *record, struct sw_error *error)
{
    const struct sw_fold_rules *rules = worker->rules;
    struct sw_sender *sender = &worker->sender;
    struct sw_record before;
    enum sw_code code = SW_OK;
    bool good = true;
    if (sw_fold_is_truncate(rules, record))
        return SW_OK; /* no record of this key alone */
    if (record->flags & SW_RECORD_UNREADABLE) {
        bool again = sender->marked;
        sender->marked = true;
        return again ? SW_OK : send(worker, record, error);
    }
    if (sender->before.len)
        sw_record_read(&before, sw_buffer_view(&sender->before));
    bool repeat = sender->before.len && is_repeat(rules, &before, record);
    if (!repeat)
        code = send_equal(worker, error);
    sender->before.len = 0;
    sw_buffer_add_bytes(&sender->before, record->bytes);
    if (code < 0 || rules->marked_count == 0)
        return code < 0 || repeat ? code : send(worker, record, error);
    const struct sw_fold_open *open = sw_fold_find_open(rules->marked, rules->marked_count, record);
    if (open)
        good = sender->committed.len || add_waiting(sender, open->id, record->bytes);
    else if (!sender->committed.len)
        sw_buffer_add_bytes(&sender->committed, record->bytes);
    return good && !sender->before.failed && !sender->committed.failed ? SW_OK : sw_fail_memory(error, "a saved record", record->bytes.len);
}

/* What a later run that starts from this one has to know of the key: all but what was counted as a repeat. */
enum sw_code sw_fold_send_key(struct sw_fold_worker *worker, const struct sw_record *evidence, size_t count, struct sw_error *error)
{
    enum sw_code code = SW_OK;
    for (size_t i = 0; i < count && code == SW_OK; i++)
        code = sw_fold_send_next(worker, &evidence[i], error);
    return code == SW_OK ? sw_fold_send_end(worker, error) : code;
}

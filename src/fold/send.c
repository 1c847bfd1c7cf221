/* Records on their way into a saved state. */
#include "fold/key_order.h"
#include "fold/truncates.h"
#include "fold/worker.h"

enum sw_code sw_fold_send_record(struct sw_fold_worker *worker, const struct sw_record *record, struct sw_error *error)
{
    return worker->sink.record(record, worker->sink.ctx, error);
}

bool sw_fold_sends_records(const struct sw_fold_worker *worker) { return worker->sink.record != NULL; }

/* What a later run that starts from this one has to know of the key: all but what was counted as a repeat. */
enum sw_code sw_fold_send_key(struct sw_fold_worker *worker, const struct sw_record *evidence, size_t count, struct sw_error *error)
{
    const struct sw_schema *schema = worker->rules->schema;
    const struct sw_record *before = NULL;
    bool marked = false;
    enum sw_code code = SW_OK;
    for (size_t i = 0; i < count && code == SW_OK; i++) {
        const struct sw_record *record = &evidence[i];
        if (sw_fold_is_truncate(worker->rules, record) || sw_fold_is_open(worker->rules, record))
            continue; /* no record of this key alone; or one whose transaction is read again from its begin */
        if (record->flags & SW_RECORD_UNREADABLE) {
            if (!marked)
                code = sw_fold_send_record(worker, record, error);
            marked = true;
            continue;
        }
        bool repeat = before && sw_fold_group_of(before) == sw_fold_group_of(record) && before->space == record->space && sw_bytes_equal(before->version, record->version) && sw_bytes_equal(before->identity, record->identity) &&
                      sw_content_compare(schema, before, record) == 0 && sw_fold_compare_following(schema, before, record) == 0;
        if (!repeat)
            code = sw_fold_send_record(worker, record, error);
        before = record;
    }
    return code;
}

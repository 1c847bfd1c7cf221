/* Saved states: which transactions this run and those before it left open, and which ones end where they did not begin. docs/state.md has the rules. */
#include "base/memory.h"
#include "reconcile/saved_transactions.h"

enum sw_code sw_saved_take_transactions(struct sw_run *run, uint32_t input, const char *file, struct sw_error *error)
{
    const struct sw_read_role *baseline = &run->reading.roles[SW_ROLE_BASELINE];
    const struct sw_state_header *header = baseline->inputs[input].state;
    struct sw_transactions *transactions = &run->reading.transactions;
    transactions->tells |= header->commits;
    for (uint32_t i = 0; i < header->ended_count; i++) {
        const struct sw_transaction_end end = {sw_transaction_id_of(header->ended[i]), baseline->first_input + input};
        sw_buffer_add(&transactions->ended, &end, sizeof end);
    }
    if (transactions->ended.failed)
        return sw_fail_memory(error, "transactions", transactions->ended.len);
    if (!header->of_before)
        return SW_OK;
    struct sw_buffer text = {0};
    sw_buffer_printf(&text, "the saved state %s has the form %s, which does not keep the rows of transactions that were open: events from the begin of such a transaction on are to be given again", file,
                     SW_STATE_VERSION_BEFORE);
    bool kept = sw_buffer_text(&text) && sw_run_remark(run, sw_buffer_text(&text));
    sw_buffer_free(&text);
    return kept ? SW_OK : sw_fail_memory(error, "the report", 0);
}

void sw_saved_count_begins(uint64_t *begun_before, uint64_t *left_open, const struct sw_run *run)
{
    const struct sw_read_role *baseline = &run->reading.roles[SW_ROLE_BASELINE], *events = &run->reading.roles[SW_ROLE_EVENTS];
    *begun_before = *left_open = 0;
    for (uint32_t i = 0; i < baseline->input_count; i++) {
        const struct sw_state_header *state = baseline->inputs[i].state;
        bool sums = state && !__builtin_add_overflow(*begun_before, state->begun_before, begun_before) && !__builtin_add_overflow(*left_open, state->left_open, left_open);
        if (state && !sums)
            *begun_before = *left_open = UINT64_MAX / 2; /* no run had so many inputs: the header was made up */
    }
    for (uint32_t i = 0; i < events->input_count; i++) {
        *begun_before += events->inputs[i].carry.begins_inside;
        *left_open += events->inputs[i].carry.carry.open;
    }
}

bool sw_saved_is_open(struct sw_bytes *id, const struct sw_run *run, const struct sw_record *record)
{
    const struct sw_transactions *transactions = &run->reading.transactions;
    const struct sw_fold_open *open = sw_fold_find_open(run->rules.marked, run->rules.marked_count, record);
    if (!open)
        return false;
    *id = sw_transactions_id(transactions, open);
    return true;
}

bool sw_saved_describe_transactions(struct sw_state_header *header, const struct sw_run *run)
{
    const struct sw_transactions *transactions = &run->reading.transactions;
    const struct sw_transaction_end *ended = (const void *)transactions->ended.at;
    size_t count = transactions->ended.len / sizeof *ended;
    header->commits = transactions->tells;
    sw_saved_count_begins(&header->begun_before, &header->left_open, run);
    header->ended = sw_calloc(count + 1, sizeof *header->ended);
    for (size_t i = 0; header->ended && i < count; i++) {
        char *copy = sw_strndup((const char *)ended[i].id.bytes, ended[i].id.len);
        if (!copy)
            return false;
        header->ended[header->ended_count++] = sw_bytes_of(copy, ended[i].id.len);
    }
    return header->ended != NULL;
}

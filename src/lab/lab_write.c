/* The lines of the contract: members sorted by name, ", " and ": " as separators. Keys are identifiers and need no escape. */
#include "lab/lab_contract.h"

static const char *const reason_names[] = {
    [LAB_CONFLICTING_VERSION] = "conflicting-version",
    [LAB_MISSING_STATE] = "missing-state",
    [LAB_UNEXPECTED_STATE] = "unexpected-state",
    [LAB_STATE_MISMATCH] = "state-mismatch",
};

static const char *boolean(bool value) { return value ? "true" : "false"; }

static void write_integer(struct sw_buffer *line, int64_t value) { sw_buffer_printf(line, "%lld", (long long)value); }

static void write_key(struct sw_buffer *line, struct sw_bytes key)
{
    sw_buffer_add_text(line, "\"key\": \"");
    sw_buffer_add_bytes(line, key);
    sw_buffer_add_text(line, "\"");
}

static void separate(struct sw_buffer *line, uint32_t index)
{
    if (index)
        sw_buffer_add_text(line, ", ");
}

static void write_conflicts(struct sw_buffer *line, const struct lab_result *result)
{
    for (uint32_t i = 0; i < result->conflict_count; i++) {
        const struct lab_conflict *conflict = &result->conflicts[i];
        separate(line, i);
        sw_buffer_add_text(line, "{");
        write_key(line, conflict->key);
        sw_buffer_add_text(line, ", \"versions\": [");
        for (uint32_t j = 0; j < conflict->count; j++) {
            separate(line, j);
            write_integer(line, result->versions[conflict->first + j]);
        }
        sw_buffer_add_text(line, "]}");
    }
}

static void write_differences(struct sw_buffer *line, const struct lab_result *result)
{
    for (uint32_t i = 0; i < result->difference_count; i++) {
        separate(line, i);
        sw_buffer_add_text(line, "{");
        write_key(line, result->differences[i].key);
        sw_buffer_printf(line, ", \"reason\": \"%s\"}", reason_names[result->differences[i].reason]);
    }
}

static void write_states(struct sw_buffer *line, const struct lab_result *result)
{
    for (uint32_t i = 0; i < result->state_count; i++) {
        const struct lab_row *state = &result->states[i];
        separate(line, i);
        sw_buffer_printf(line, "{\"deleted\": %s, ", boolean(state->deleted));
        write_key(line, state->key);
        sw_buffer_add_text(line, ", \"value\": ");
        if (state->deleted)
            sw_buffer_add_text(line, "null");
        else
            write_integer(line, state->value);
        sw_buffer_add_text(line, ", \"version\": ");
        write_integer(line, state->version);
        sw_buffer_add_text(line, "}");
    }
}

void lab_write_result(struct sw_buffer *line, const struct lab_result *result)
{
    sw_buffer_add_text(line, "{\"cloudSemanticsValidated\": false, \"conflicts\": [");
    write_conflicts(line, result);
    sw_buffer_add_text(line, "], \"differences\": [");
    write_differences(line, result);
    sw_buffer_printf(line, "], \"duplicateDeliveries\": %u, \"historyCompletenessProven\": false",
                     (unsigned)result->duplicate_deliveries);
    sw_buffer_printf(line, ", \"matchesDeclaredReference\": %s", boolean(result->difference_count == 0));
    sw_buffer_add_text(line, ", \"productionReplayApproved\": false, \"referenceIndependentlyVerified\": false"
                             ", \"stateLifetime\": \"this invocation only\", \"states\": [");
    write_states(line, result);
    sw_buffer_add_text(line, "]}\n");
}

void lab_write_refusal(struct sw_buffer *line, const char *words)
{
    sw_buffer_add_text(line, "{\"error\": \"");
    for (; *words; words++) {
        if (*words == '"' || *words == '\\')
            sw_buffer_add_byte(line, '\\');
        sw_buffer_add_byte(line, (uint8_t)*words);
    }
    sw_buffer_add_text(line, "\"}\n");
}

#undef NDEBUG /* the assertions of this file are checks of the tests themselves */
#include "report_sample.h"

#include "base/error.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void *keep(struct sample *sample, void *memory)
{
    assert(memory && sample->memory_count < sizeof sample->memory / sizeof sample->memory[0]);
    return sample->memory[sample->memory_count++] = memory;
}

char *sample_text(struct sample *sample, const char *text) { return keep(sample, strdup(text)); }

static enum sw_code stream_next(const struct sw_finding **out, struct sw_finding_stream *calls, struct sw_error *error)
{
    struct sample_stream *stream = (struct sample_stream *)calls;
    if (stream->fail_after && stream->next == stream->fail_after)
        return sw_fail(error, SW_ERR_IO, "the sample fails as told");
    if (stream->next >= (stream->repeat ? stream->repeat : stream->count))
        return SW_END;
    if (!stream->repeat) {
        *out = &stream->findings[stream->next++];
        return SW_OK;
    }
    char digits[32];
    struct sw_value_scratch scratch = {0};
    struct sw_buffer canonical = {0};
    int len = snprintf(digits, sizeof digits, "%llu", (unsigned long long)stream->next++);
    struct sw_token token = {(const uint8_t *)digits, (uint32_t)len, SW_TOKEN_NUMBER, false};
    stream->made = stream->findings[0];
    const struct sw_type *type = &stream->made.table->keys[0]->type;
    enum sw_value_status status = sw_value_encode(&canonical, type, token, &scratch);
    assert(status == SW_VALUE_OK);
    (void)status;
    sw_buffer_clear(&stream->key);
    sw_key_column_add(&stream->key, type, false, sw_buffer_view(&canonical));
    stream->made.key = sw_buffer_view(&stream->key);
    sw_buffer_free(&canonical);
    sw_value_scratch_free(&scratch);
    *out = &stream->made;
    return SW_OK;
}

static enum sw_code stream_rewind(struct sw_finding_stream *calls, struct sw_error *error)
{
    (void)error;
    ((struct sample_stream *)calls)->next = 0;
    return SW_OK;
}

void sample_open(struct sample *sample, const char *table)
{
    static const char *const locators[SAMPLE_INPUTS] = {"baseline.ndjson", "events.ndjson", "expected.ndjson"};
    memset(sample, 0, sizeof *sample);
    sample->schema = sw_schema_new();
    struct sw_key_declaration key = {sw_bytes_text(table[0] ? "id" : ""), {.kind = SW_TYPE_ANY, .precision = -1}, false};
    sample->table = sw_schema_table(sample->schema, sw_bytes_text(table), &key, 1);
    for (uint32_t i = 0; i < SAMPLE_INPUTS; i++) {
        struct sw_input_report *input = &sample->inputs[i];
        *input = (struct sw_input_report){.role = (enum sw_role)i, .locator = sample_text(sample, locators[i]), .format = "plain", .encoding = "ndjson", .compression = "none",
                                          .records = 4, .bytes = 100, .decoded_bytes = 100};
        memset(input->sha256, 'a', 64);
    }
    sample->stream = (struct sample_stream){.calls = {stream_next, stream_rewind}, .findings = sample->findings};
    sample->report = (struct sw_report){
        .mapping = &sample->mapping, .schema = sample->schema, .order = &sw_order_integer, .order_assumed = true,
        .started = sample_text(sample, "2026-11-30T03:00:00Z"), .reached = sample_text(sample, "2026-11-30T03:00:01Z"), .seconds = 1.25, .threads = 2,
        .memory_limit = 1 << 30, .memory_peak = 1 << 20, .kernel = "scalar", .inputs = sample->inputs, .input_count = SAMPLE_INPUTS,
        .role_given = {true, true, true}, .compare = SW_COMPARE_VALUE, .deletes = SW_DELETES_ABSENT, .records = {4, 4, 4},
        .dispositions = {[SW_DISPOSITION_APPLIED] = 6, [SW_DISPOSITION_DUPLICATE] = 1, [SW_DISPOSITION_SUPERSEDED] = 1, [SW_DISPOSITION_REFERENCE] = 4},
        .duplicate_deliveries = 1, .states = 4, .findings = &sample->stream.calls, .listed_differences = 1000};
}

void sample_free(struct sample *sample)
{
    for (size_t i = 0; i < sample->memory_count; i++)
        free(sample->memory[i]);
    sw_buffer_free(&sample->stream.key);
    sw_buffer_free(&sample->mapping.declared);
    sw_schema_free(&sample->schema);
}

/* A token of JSON text; texts are the inside of their quotes. */
static struct sw_token token_of(const char *json)
{
    size_t len = strlen(json);
    struct sw_token token = {(const uint8_t *)json, (uint32_t)len, SW_TOKEN_NUMBER, false};
    switch (json[0]) {
    case '"':
        token = (struct sw_token){(const uint8_t *)json + 1, (uint32_t)len - 2, SW_TOKEN_TEXT, memchr(json, '\\', len) != NULL};
        break;
    case 'n': token.kind = SW_TOKEN_NULL; break;
    case 't': token.kind = SW_TOKEN_TRUE; break;
    case 'f': token.kind = SW_TOKEN_FALSE; break;
    case '[': token.kind = SW_TOKEN_ARRAY; break;
    case '{': token.kind = SW_TOKEN_OBJECT; break;
    default: break;
    }
    return token;
}

static struct sw_bytes taken(struct sample *sample, struct sw_buffer *buffer)
{
    assert(!buffer->failed);
    struct sw_bytes view = {0};
    if (buffer->len) {
        uint8_t *copy = keep(sample, malloc(buffer->len));
        memcpy(copy, buffer->at, buffer->len);
        view = sw_bytes_of(copy, buffer->len);
    }
    sw_buffer_free(buffer);
    return view;
}

struct sw_bytes sample_key(struct sample *sample, const char *json)
{
    struct sw_value_scratch scratch = {0};
    struct sw_buffer canonical = {0}, key = {0};
    const struct sw_type *type = &sample->table->keys[0]->type;
    enum sw_value_status status = sw_value_encode(&canonical, type, token_of(json), &scratch);
    assert(status == SW_VALUE_OK || status == SW_VALUE_NULL);
    sw_key_column_add(&key, type, status == SW_VALUE_NULL, sw_buffer_view(&canonical));
    sw_buffer_free(&canonical);
    sw_value_scratch_free(&scratch);
    return taken(sample, &key);
}

struct sw_bytes sample_version(struct sample *sample, uint64_t version)
{
    char digits[32];
    struct sw_order_key key = {0};
    int len = snprintf(digits, sizeof digits, "%llu", (unsigned long long)version);
    struct sw_token token = {(const uint8_t *)digits, (uint32_t)len, SW_TOKEN_NUMBER, false};
    const struct sw_order_record record = {.fields = &token};
    enum sw_order_status status = sw_order_integer.encode(&key, &record);
    assert(status == SW_ORDER_OK);
    (void)status;
    struct sw_buffer bytes = {0};
    sw_buffer_add(&bytes, key.version, key.version_len);
    return taken(sample, &bytes);
}

const struct sw_column *sample_column(struct sample *sample, const char *name)
{
    struct sw_type any = {.kind = SW_TYPE_ANY, .precision = -1};
    return sw_schema_column(sample->schema, sample->table->id, sw_bytes_text(name), &any, false, false);
}

const struct sw_column *const *sample_columns(struct sample *sample, const char *const *names, uint32_t count)
{
    const struct sw_column **columns = keep(sample, malloc(count * sizeof *columns));
    for (uint32_t i = 0; i < count; i++)
        columns[i] = sample_column(sample, names[i]);
    return columns;
}

struct sw_image sample_row(struct sample *sample, const struct sample_column *columns)
{
    const struct sw_column *list[128] = {0};
    uint32_t count = 0;
    for (; columns[count].name; count++)
        list[count] = sample_column(sample, columns[count].name);
    struct sw_image image = {.present = true, .set = sw_schema_set(sample->schema, list, count)};
    struct sw_buffer values = {0}, canonical = {0};
    struct sw_value_scratch scratch = {0};
    for (uint32_t i = 0; i < count; i++) {
        const char *json = NULL;
        for (uint32_t j = 0; j < count; j++)
            if (sw_bytes_is(image.set->columns[i]->name, columns[j].name))
                json = columns[j].json;
        struct sw_value value = {.state = json ? SW_STATE_UNKNOWN : SW_STATE_UNAVAILABLE};
        if (json && json[0] != '?') {
            sw_buffer_clear(&canonical);
            enum sw_value_status status = sw_value_encode(&canonical, &image.set->columns[i]->type, token_of(json), &scratch);
            assert(status == SW_VALUE_OK || status == SW_VALUE_NULL);
            value.state = status == SW_VALUE_OK ? SW_STATE_VALUE : SW_STATE_NULL;
            value.canonical = sw_buffer_view(&canonical);
        }
        sw_value_append(&values, value);
    }
    sw_buffer_free(&canonical);
    sw_value_scratch_free(&scratch);
    image.values = taken(sample, &values);
    return image;
}

struct sw_image sample_row_at(struct sample *sample, uint64_t version, const struct sample_column *columns)
{
    struct sw_image image = sample_row(sample, columns);
    image.has_version = true;
    image.version = sample_version(sample, version);
    return image;
}

struct sw_image sample_tombstone(struct sample *sample, uint64_t version)
{
    return (struct sw_image){.present = true, .deleted = true, .has_version = true, .version = sample_version(sample, version)};
}

void sample_places(struct sample *sample, struct sw_finding *finding, uint64_t event, uint64_t expected)
{
    struct sw_place *places = keep(sample, malloc(2 * sizeof *places));
    uint32_t count = 0;
    if (event)
        places[count++] = (struct sw_place){1, event};
    if (expected)
        places[count++] = (struct sw_place){2, expected};
    finding->places = places;
    finding->place_count = count;
}

struct sw_finding *sample_add(struct sample *sample, struct sw_finding finding)
{
    assert(sample->finding_count < SAMPLE_FINDINGS_MAX);
    if (!finding.table)
        finding.table = sample->table;
    struct sw_finding *at = &sample->findings[sample->finding_count++];
    *at = finding;
    sample->stream.count = sample->finding_count;
    sample->report.reasons[finding.reason]++;
    sample->report.classes[sw_reason_class(finding.reason)]++;
    return at;
}

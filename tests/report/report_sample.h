/* Reports built in memory, with a finding stream of their own: what the writers are tested with, without the engine. */
#ifndef TESTS_REPORT_SAMPLE_H
#define TESTS_REPORT_SAMPLE_H

#include <stdio.h>

#include "report/report.h"

#define SAMPLE_FINDINGS_MAX 64
#define SAMPLE_INPUTS 3

/* A column of a row: its value as JSON text, or NULL for unavailable, or "?" for a bad value. */
struct sample_column {
    const char *name;
    const char *json;
};

struct sample_stream {
    struct sw_finding_stream calls;   /* first: what the report sees */
    const struct sw_finding *findings;
    uint64_t count, next;
    uint64_t repeat;                  /* not 0: this many copies of the first finding, with keys 0, 1, 2 … */
    struct sw_finding made;
    struct sw_buffer key;
    uint64_t fail_after;              /* not 0: the stream fails with SW_ERR_IO when this many were given */
};

struct sample {
    struct sw_report report;
    struct sw_mapping mapping;
    struct sw_schema *schema;
    const struct sw_table *table;
    struct sw_input_report inputs[SAMPLE_INPUTS];
    struct sw_finding findings[SAMPLE_FINDINGS_MAX];
    uint32_t finding_count;
    struct sample_stream stream;
    void *memory[1024];               /* freed by sample_free */
    size_t memory_count;
};

/* A report over baseline.ndjson, events.ndjson and expected.ndjson with nothing compared; table `table` with key column `id`, or "": the unnamed
 * table, whose key is a bare value. */
void sample_open(struct sample *sample, const char *table);
void sample_free(struct sample *sample);

/* A copy that lives as long as the sample. */
char *sample_text(struct sample *sample, const char *text);
struct sw_bytes sample_key(struct sample *sample, const char *json);
struct sw_bytes sample_version(struct sample *sample, uint64_t version);
/* A live row; `columns` ends with a NULL name. */
struct sw_image sample_row(struct sample *sample, const struct sample_column *columns);
struct sw_image sample_row_at(struct sample *sample, uint64_t version, const struct sample_column *columns);
struct sw_image sample_tombstone(struct sample *sample, uint64_t version);
const struct sw_column *sample_column(struct sample *sample, const char *name);
/* A list of columns for `differing`, `unknown` or `incomparable`, sorted by name as given. */
const struct sw_column *const *sample_columns(struct sample *sample, const char *const *names, uint32_t count);
/* The records "events.ndjson:EVENT" and "expected.ndjson:EXPECTED"; 0 = none. */
void sample_places(struct sample *sample, struct sw_finding *finding, uint64_t event, uint64_t expected);
/* Counts `finding` in and adds it to the stream; returns the copy that the stream will give. */
struct sw_finding *sample_add(struct sample *sample, struct sw_finding finding);

/* The named reports that goldens and schema checks are made from. NULL past the last. */
const char *sample_named(struct sample *sample, size_t index);

#endif

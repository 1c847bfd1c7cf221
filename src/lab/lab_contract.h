/* The contract's rows and events, read from a document, and what follows from them. Keys and ids are borrowed from the
 * document. */
#ifndef SW_LAB_CONTRACT_H
#define SW_LAB_CONTRACT_H

#include "lab/lab_document.h"
#include "slackwater/lab.h"

struct lab_row {
    struct sw_bytes key;
    int64_t version, value; /* value is 0 where deleted, so that rows compare field by field */
    bool deleted;
};

struct lab_input {
    struct lab_row baseline[SW_LAB_ENTRIES_MAX], expected[SW_LAB_ENTRIES_MAX];
    struct lab_row events[SW_LAB_ENTRIES_MAX]; /* one for each id, in order of first delivery */
    struct sw_bytes ids[SW_LAB_ENTRIES_MAX];   /* of `events` */
    uint32_t baseline_count, expected_count, event_count;
    uint32_t duplicate_deliveries;
};

/* Reads and checks the whole document, in the order in which the contract names what is wrong. */
enum sw_code lab_input_read(struct lab_input *input, const struct lab_document *document, struct sw_error *error);

enum lab_reason { LAB_CONFLICTING_VERSION, LAB_MISSING_STATE, LAB_UNEXPECTED_STATE, LAB_STATE_MISMATCH };

/* A blocked key and the `count` versions with more than one content, ascending, from versions[first]. */
struct lab_conflict {
    struct sw_bytes key;
    uint32_t first, count;
};

struct lab_difference {
    struct sw_bytes key;
    enum lab_reason reason;
};

/* Each list is sorted by key. Every key of the input is in `states` or in `conflicts`. */
struct lab_result {
    struct lab_row states[2 * SW_LAB_ENTRIES_MAX];
    struct lab_conflict conflicts[SW_LAB_ENTRIES_MAX];
    int64_t versions[SW_LAB_ENTRIES_MAX];
    struct lab_difference differences[3 * SW_LAB_ENTRIES_MAX];
    uint32_t state_count, conflict_count, version_count, difference_count;
    uint32_t duplicate_deliveries;
};

/* Selects a state for every key and compares. Cannot fail. Sorts `input->expected`; `rows` is scratch. */
void lab_evaluate(struct lab_result *result, struct lab_input *input, struct lab_row rows[2 * SW_LAB_ENTRIES_MAX]);

/* The lines of the contract, with their line feed. */
void lab_write_result(struct sw_buffer *line, const struct lab_result *result);
/* `words` are ASCII, as all words of this layer are. */
void lab_write_refusal(struct sw_buffer *line, const char *words);

#endif

/* state: what a run leaves for the next one. docs/state.md has the form, line by line.
 *
 * NDJSON: a header, one line a record, an end line that counts the records and sums the hashes of their lines. The format reads
 * a record back to the same role, flags, space, version, identity and canonical values, so that a run over a saved state and
 * later events folds what one run over everything would have folded.
 *
 * What writes and what reads a line stand in one file (record.c), the header in another (header.c). */
#ifndef SW_FORMAT_STATE_H
#define SW_FORMAT_STATE_H

#include "base/hash.h"
#include "format/encode.h"

#define SW_STATE_VERSION "state/2"
/* The form before it, which is read as well: what was open, and what transactions counted, was not kept. */
#define SW_STATE_VERSION_BEFORE "state/1"

/* A column and its type; of a key or of a table's value columns. */
struct sw_state_column {
    struct sw_bytes name, type;        /* the type as sw_type_print writes it */
};

struct sw_state_table {
    struct sw_bytes name;
    struct sw_state_column *keys, *columns;
    uint32_t key_count, column_count;
};

/* What holds for all records of a saved state. Texts are borrowed when it is written; owned when sw_state_header_read made it. */
struct sw_state_header {
    struct sw_bytes tool;              /* version of what wrote it */
    struct sw_bytes order;             /* empty: none was declared, so no record has a version */
    bool csv, json;                    /* how the values were written where they came from: text of CSV is text, whatever it looks like */
    bool has_position;                 /* --baseline-position: events at or below it were covered and are not in the file */
    struct sw_bytes position, position_space; /* as declared; the text of --space, or empty */
    bool of_before;                    /* read: the file has the form before this one */
    bool commits;                      /* ends of transactions were met, so that those without one are open */
    uint64_t begun_before, left_open;  /* inputs of events that begin inside a transaction, and that end inside one */
    struct sw_bytes *ended;            /* ids of transactions whose end is the first mark of an input: they began in another one */
    uint32_t ended_count;
    struct sw_bytes seen;              /* the set of GTIDs that this run and those before it saw; empty: not known. Order mysql-gtid only */
    struct sw_bytes *declared;         /* one declaration each, as the report lists them */
    uint32_t declared_count;
    uint64_t bad_records;              /* that the run could not use, of baseline and events */
    struct sw_state_table *tables;     /* by name */
    uint32_t table_count;
};

/* Does an input that begins with these bytes claim to be a saved state, of whatever version? */
bool sw_state_recognise(struct sw_bytes head);
/* Appends the header's line, newline included. */
void sw_state_header_write(struct sw_buffer *out, const struct sw_state_header *header);
/* Reads a header's line (without its newline). SW_ERR_INPUT if it is none; SW_ERR_UNSUPPORTED for another version of the form; SW_ERR_MEMORY.
 * Owner: sw_state_header_free. */
enum sw_code sw_state_header_read(struct sw_state_header **out, struct sw_bytes line, struct sw_error *error);
/* Accepts NULL. */
void sw_state_header_free(struct sw_state_header **header);

/* What the ids in a record stand for. `order` may be NULL if no record has a version. */
struct sw_state_names {
    const struct sw_schema *schema;
    const struct sw_order *order;
    const struct sw_spaces *spaces;
};

/* Appends a record's line, newline included. A record that stands for a bad one of a key is written as that. False if the line would not read back:
 * the policy does not parse what it prints, or the identity is no list of values. `open`: of a record whose transaction has no commit in evidence, the id under which
 * that may yet come, of at most SW_TRANSACTION_ID_MAX bytes, or nothing; NULL: of all others. */
bool sw_state_record_write(struct sw_buffer *out, const struct sw_record *record, const struct sw_bytes *open, const struct sw_state_names *names);
/* What is known of the events of one transaction, of streams that number and count them: events of a table, in a row without holes, or what its marks say. */
enum sw_state_member_kind { SW_STATE_MEMBER_EVENT, SW_STATE_MEMBER_BEGIN, SW_STATE_MEMBER_END, SW_STATE_MEMBER_TABLE };
struct sw_state_member {
    uint64_t transaction[2];           /* hashes of its id */
    enum sw_state_member_kind kind;
    uint32_t table;                    /* EVENT, TABLE: a hash of its name */
    uint64_t number, table_number;     /* EVENT: the first one's place in the transaction, and among those of its table; 0: not told. END, TABLE: how many there were; UINT64_MAX: not told */
    uint64_t count;                    /* EVENT: how many there are, at least one */
};
/* Appends a line of members of one transaction, of which those of one kind stand together, in the order of the kinds. */
void sw_state_members_write(struct sw_buffer *out, const struct sw_state_member *members, size_t count);
/* Appends the line that stands for bad records of no known key. */
void sw_state_unattributed_write(struct sw_buffer *out);
/* Appends the end line. */
void sw_state_end_write(struct sw_buffer *out, uint64_t records, uint64_t sum);

/* The summand of one line (without its newline). The sum over all records, modulo 2^64, stands in the end line: it shows damage, not forgery. */
static inline uint64_t sw_state_line_sum(struct sw_bytes line) { return sw_hash(line.at, line.len, 0); }

#endif

/* The events of a binary log, one after the other, as Debezium-shaped lines of one table. Pure: no connection is needed; whatever bytes come in, what comes out are lines of JSON objects, or a failure.
 *
 *     sw_binlog_open(&log, &options, &error);
 *     for each event, as it stands in the file:
 *         sw_binlog_take(log, event, &error);                                     what it says is kept until its transaction ends
 *         while ((code = sw_binlog_line(&line, &too_long, log, &error)) == SW_OK)  then come its rows
 *             …
 *     sw_binlog_close(&log);
 *
 * A transaction's rows are handed out when its end is seen, so that what was rolled back, or prepared (XA) and never committed, is not there. A transaction whose events are larger than `held_bytes_max` is handed out
 * as it comes; if such a one is then rolled back, that is a failure. Whatever may change rows of the table without showing them (a statement, RENAME, partitions exchanged) is a failure, too, that says where.
 * Source of the rules: MySQL's internals, "Binary Log Event", "Rows_event", "Gtid_event", "Rotate_event"; MariaDB's manual, "Gtid_event", "XA_prepare_log_event", "Query_compressed_event", "Rows_compressed_event". */
#ifndef SW_SOURCE_MARIADB_BINLOG_H
#define SW_SOURCE_MARIADB_BINLOG_H

#include "position/gtid_set.h"
#include "source/mariadb/column.h"

struct sw_binlog;

struct sw_binlog_options {
    const char *database, *table;       /* borrowed, as all of this */
    bool fold_case;                     /* the server's lower_case_table_names is not 0 */
    bool mariadb;
    struct sw_binlog_catalogue catalogue;
    const char *file;                   /* where reading begins: "binlog.000001", 4 */
    uint64_t position;
    const struct sw_gtid_set *skip;     /* transactions that are left out (MySQL); NULL: none */
    size_t record_bytes_max, held_bytes_max;
    uint64_t event_bytes_max;           /* unpacked */
};

struct sw_binlog_counts { uint64_t rows, transactions, rolled_back, unfinished, statements_elsewhere; };

enum sw_code sw_binlog_open(struct sw_binlog **out, const struct sw_binlog_options *options, struct sw_error *error);
void sw_binlog_close(struct sw_binlog **log);

/* Takes an event. Its bytes are not needed afterwards. SW_OK or a failure, which ends all. Texts name the place. */
enum sw_code sw_binlog_take(struct sw_binlog *log, struct sw_bytes event, struct sw_error *error);
/* The next line, with its newline, written to *line (cleared before); *too_long is not 0 if it would be longer than record_bytes_max: then nothing is written, and it is about as long as that. SW_END: the next
 * event is needed. */
enum sw_code sw_binlog_line(struct sw_buffer *line, uint64_t *too_long, struct sw_binlog *log, struct sw_error *error);

/* Where the last event ended. / Is that at or behind a place? Files compare by their numbers. */
void sw_binlog_place(const char **file, uint64_t *position, const struct sw_binlog *log);
bool sw_binlog_reached(const struct sw_binlog *log, const char *file, uint64_t position);
/* At the end: what was held and never ended counts as unfinished. */
struct sw_binlog_counts sw_binlog_counts(const struct sw_binlog *log);

#endif

/* Cuts: at which place of its own log, and in which state, a source stood when it was read; and whether two of them compare.
 *
 * A place compares with another one only inside one log. What a source does not tell is left out, and never made up: a time is no place.
 *
 *     struct sw_cuts_comparison answer;
 *     sw_cuts_compare(&answer, &evidence, &destination);
 *     …answer.relation, answer.text…
 */
#ifndef SW_SOURCE_CUT_H
#define SW_SOURCE_CUT_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/file_io.h"

enum sw_source_cut_kind { SW_CUT_NONE, SW_CUT_FILE, SW_CUT_SQLITE, SW_CUT_POSTGRES, SW_CUT_MARIADB, SW_CUT_MYSQL, SW_CUT_KAFKA };

/* Texts are NULL where the source does not tell. Zero-initialise; owned, sw_source_cut_free. */
struct sw_source_cut {
    enum sw_source_cut_kind kind;
    char *log;       /* whose positions these are: "system 7301…, timeline 1"; a server's id; cluster and topic; a file's device and inode */
    char *from;      /* of events: where what was read begins: a slot's confirmed position; first offsets "0:120,1:4000". NULL: rows, which have no beginning */
    char *position;  /* LSN; "mysql-bin.000004:1337"; GTID set; offsets behind the last ones read, "0:180,1:4100"; change counter of an SQLite file */
    char *gtid;      /* of MariaDB, beside its position. For people: a domain's numbers are no server's own */
    char *snapshot;  /* which transactions it sees, as PostgreSQL writes it ("733:735:733"): equal texts of one server are one state */
    char *at;        /* RFC 3339: by the clock of the server, or of this machine; of a file, when it was last written */
    bool exact;      /* `position` is that of the state read; else nothing behind it is in the state */
};

void sw_source_cut_free(struct sw_source_cut *cut);
/* False if memory ran out; *out is then empty. */
bool sw_source_cut_copy(struct sw_source_cut *out, const struct sw_source_cut *from);
/* Makes a buffer's bytes one of the texts: the buffer is empty afterwards. An empty one leaves *to as it is. False if memory ran out. */
bool sw_source_cut_take(char **to, struct sw_buffer *text);
/* The same for bytes, which are copied. */
bool sw_source_cut_take_bytes(char **to, struct sw_bytes text);
/* Of a file: which one it is, and when it was last written, by which it is known again. False if memory ran out. */
bool sw_source_cut_of_file(struct sw_source_cut *cut, struct sw_file_id id, uint64_t size, struct timespec modified);
#define SW_CUT_NOW_MAX 32
/* The time by the clock of this machine, for `at`. */
void sw_source_cut_now(char out[SW_CUT_NOW_MAX]);
/* "postgres" …; static. */
const char *sw_source_cut_kind_name(enum sw_source_cut_kind kind);

enum sw_cuts_relation {
    SW_CUTS_SAME,    /* one state of one source: nothing changed between the two */
    SW_CUTS_LATER,   /* one log, and the second stands behind the first, or just there */
    SW_CUTS_EARLIER, /* one log, and the second stands before the first */
    SW_CUTS_APART,   /* two logs, or two branches: no place of one is before or after a place of the other */
    SW_CUTS_UNTOLD   /* one of them tells no place, or not in which log it is */
};
/* "same-state", "later", "earlier", "apart", "untold"; static. */
const char *sw_cuts_relation_name(enum sw_cuts_relation relation);

struct sw_cuts_comparison {
    enum sw_cuts_relation relation;
    char text[512];  /* why, as a sentence about "the first" and "the second" cannot be: names no locator */
};

/* How does the second cut stand to the first? For rows, and for the end of what was read of events. */
void sw_cuts_compare(struct sw_cuts_comparison *out, const struct sw_source_cut *first, const struct sw_source_cut *second);

/* Was the second read of one and the same source as the first, later or just then, with nothing lost between? That is what makes a later reading say something of what an earlier one showed.
 * SAME, LATER: yes. EARLIER, APART: no (an older replica, another server, events that the slot or the topic no longer has); UNTOLD: the source does not tell. */
void sw_cuts_succeed(struct sw_cuts_comparison *out, const struct sw_source_cut *first, const struct sw_source_cut *second);

#endif

/* What a statement in the binary log means for the rows of one table. It is told by its words: names in quotes or bare, comments left out, comments that are executed (slash, star, exclamation mark) read as text.
 * Source of the rules: MariaDB's and MySQL's manuals, the syntax of each statement. */
#ifndef SW_SOURCE_MARIADB_STATEMENT_H
#define SW_SOURCE_MARIADB_STATEMENT_H

#include <stdbool.h>

#include "base/buffer.h"

enum sw_binlog_effect {
    SW_BINLOG_NOTHING,        /* it changes no row of the table and no description of it */
    SW_BINLOG_BEGINS, SW_BINLOG_COMMITS, SW_BINLOG_ROLLS_BACK, SW_BINLOG_ROLLS_BACK_TO /* a savepoint */,
    SW_BINLOG_XA_COMMITS, SW_BINLOG_XA_ROLLS_BACK,
    SW_BINLOG_DESCRIBES,      /* the table is created, altered or indexed; its columns are those that they were, or new ones stand behind them */
    SW_BINLOG_MOVES_COLUMNS,  /* altered so that a column may have another name, place or type */
    SW_BINLOG_EMPTIES,        /* truncated, dropped, created anew */
    SW_BINLOG_REPLACES,       /* renamed, or partitions of it exchanged or dropped: it has other rows, which no event shows */
    SW_BINLOG_MAY_CHANGE      /* a change of rows that was logged as a statement, and could be one of this table's */
};

struct sw_binlog_table_name {
    struct sw_bytes database, table;
    bool fold_case;           /* the server does not tell upper case from lower case in these names */
};

/* `database`: the one that was in use. */
enum sw_binlog_effect sw_binlog_statement_effect(struct sw_bytes statement, struct sw_bytes database, const struct sw_binlog_table_name *table);

#endif

/* mysql://…?binlog=FILE:POSITION#DATABASE.TABLE, or ?gtid=…: the changes of one table that the server's binary log holds, from that place to where it ended when reading began, in Debezium's shape. */
#ifndef SW_SOURCE_MARIADB_SOURCE_H
#define SW_SOURCE_MARIADB_SOURCE_H

#include "client/mariadb.h"
#include "source/connector.h"

struct sw_binlog_source;

/* Does the locator ask for it? */
bool sw_binlog_is_asked(const struct sw_locator *locator);
/* How large one answer of the server may be, where records may have that many bytes. */
uint64_t sw_binlog_packet_max(size_t record_bytes_max);

/* Which log a server's positions are of, for cuts; nothing where it does not tell. False if memory ran out. */
bool sw_mariadb_tell_log(char **out, struct sw_mariadb *connection);

/* The connection and the locator stay the caller's. On failure *out is NULL. */
enum sw_code sw_binlog_source_open(struct sw_binlog_source **out, struct sw_input *shown, struct sw_mariadb *connection, const struct sw_locator *locator, const struct sw_connector_request *request, struct sw_error *error);
enum sw_code sw_binlog_source_next(struct sw_block *block, struct sw_binlog_source *source, struct sw_error *error);
void sw_binlog_source_close(struct sw_binlog_source **source);

#endif

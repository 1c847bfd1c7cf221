/* MariaDB's global transaction identifiers, DOMAIN-SERVER-SEQUENCE, and positions: one of them a domain. */
#ifndef SW_POSITION_MARIADB_GTID_H
#define SW_POSITION_MARIADB_GTID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "position/position.h"

struct sw_mariadb_gtid {
    uint32_t domain, server; /* the server is no part of the order */
    uint64_t sequence;
};

/* "0-1-500": decimal, 32, 32 and 64 bits, without blanks. False, and *out untouched, for anything else. No allocation. */
bool sw_mariadb_gtid_parse(struct sw_mariadb_gtid *out, const uint8_t *at, size_t len);

/* The GTIDs of a mariadb position, sorted by domain. */
const struct sw_mariadb_gtid *sw_mariadb_gtids_of(size_t *count, const struct sw_position *position);

#endif

/* What both forms of a scan share. */
#ifndef SW_CONTINUITY_LOG_WRITE_H
#define SW_CONTINUITY_LOG_WRITE_H

#include "continuity/log_scan.h"

#define SW_LOG_TABLES_LISTED 50u

/* Ids of the spaces and tables that have events, in the order of their names. NULL if memory ran out. Owner: the caller, sw_free. */
uint32_t *sw_log_spaces_by_name(uint32_t *count, const struct sw_scan_report *scan);
uint32_t *sw_log_tables_by_name(uint32_t *count, const struct sw_scan_report *scan);
/* The member of the JSON report. Static. */
const char *sw_log_member_name(enum sw_member_verdict verdict);

#endif

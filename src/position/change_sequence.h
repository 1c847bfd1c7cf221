/* BigQuery's _CHANGE_SEQUENCE_NUMBER. No allocation, any thread. */
#ifndef SW_POSITION_CHANGE_SEQUENCE_H
#define SW_POSITION_CHANGE_SEQUENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sw_change_sequence {
    uint64_t sections[4]; /* unsigned; those from `count` on are 0 */
    unsigned count;       /* 1 to 4 */
};

/* 1 to 4 sections of 1 to 16 hexadecimal digits with '/' between them; no sign, no prefix, no blanks (BigQuery documentation,
 * "Change data capture"). False, and *out untouched, for anything else. */
bool sw_change_sequence_parse(struct sw_change_sequence *out, const uint8_t *at, size_t len);

/* -1, 0, 1, section by section as unsigned numbers; 2 if one has more sections than the other and they agree as far
 * as both go: their order is not documented. */
int sw_change_sequence_compare(const struct sw_change_sequence *a, const struct sw_change_sequence *b);

#endif

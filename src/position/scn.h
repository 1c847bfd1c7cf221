/* Oracle's system change numbers and redo byte addresses. No allocation, any thread. */
#ifndef SW_POSITION_SCN_H
#define SW_POSITION_SCN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A decimal number up to 2^64-1, or the hexadecimal form of dumps: "0xWWWW.BBBBBBBB" (wrap and base), "0x" and up to 16
 * digits. False, and *out untouched, for anything else. */
bool sw_scn_parse(uint64_t *out, const uint8_t *at, size_t len);

/* A place in one thread's redo. Compare sequence, then block, then byte; the thread is no part of it. */
struct sw_rba {
    uint32_t sequence, block;
    uint16_t byte;
};

/* "0x19.2.10": three hexadecimal numbers of at most 32, 32 and 16 bits; the "0x" may stand before each, or be missing, and blanks
 * may stand around it (LogMiner's rs_id: " 0x000019.00000002.0010 "). False, and *out untouched, for anything else. */
bool sw_rba_parse(struct sw_rba *out, const uint8_t *at, size_t len);
int sw_rba_compare(struct sw_rba a, struct sw_rba b);

struct sw_position;
enum sw_oracle_form {
    SW_ORACLE_SCN,     /* one SCN */
    SW_ORACLE_THREADS, /* one SCN a redo thread */
    SW_ORACLE_REDO     /* a redo address */
};
enum sw_oracle_form sw_oracle_form(const struct sw_position *position);
/* The SCN from which a redo thread is wanted: the position's own, that of the thread, or the lowest of all threads if this
 * one is not named. 0 for a redo address. */
uint64_t sw_oracle_wanted(const struct sw_position *position, uint64_t thread);

#endif

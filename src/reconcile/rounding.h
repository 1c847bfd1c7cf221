/* Is one number another one with fewer digits behind the point? For a remark, never for a result. */
#ifndef SW_RECONCILE_ROUNDING_H
#define SW_RECONCILE_ROUNDING_H

#include "base/buffer.h"

#define SW_ROUNDING_DIGITS 7u /* 0 to 6 digits behind the point are tried */

/* Of two numbers as JSON writes them without an exponent, [-]DIGITS[.DIGITS]: bit S says that `b` is `a` rounded to S digits behind the point (a half away from zero),
 * bit S + 16 that it is `a` cut behind them. No bit where `a` has no more than S digits, and for anything else. Pure, no allocation. */
uint32_t sw_rounding_find(struct sw_bytes a, struct sw_bytes b);

#endif

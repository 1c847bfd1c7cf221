/* Values of Debezium's records without a schema block that hold what the other side shows in its own form: for a remark, never for a result. */
#ifndef SW_RECONCILE_DEBEZIUM_LIKENESS_H
#define SW_RECONCILE_DEBEZIUM_LIKENESS_H

#include "format/format.h"

/* Bits of enum sw_alteration (alteration.h): a decimal in base64 without its scale, {"scale":…,"value":…}, or a geometry as {"wkb":…}. `evidence` and `reference` as JSON writes them, without the
 * quotes of texts. `room` is reused and owned by the caller. Rules: debezium, "Decimal types" and "Spatial types" of its connectors' pages. */
uint32_t sw_debezium_likeness(struct sw_decode_room *room, struct sw_token evidence, struct sw_token reference);

#endif

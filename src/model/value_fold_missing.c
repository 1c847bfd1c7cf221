/* A build without libunistring: sw_type_parse refuses `fold` and `nfc`, so sw_fold__text is never reached. */
#include "model/value.h"

bool sw_fold__available(void) { return false; }

enum sw_value_status sw_fold__text(struct sw_buffer *out, struct sw_bytes text, bool fold, bool nfc)
{
    (void)out, (void)text, (void)fold, (void)nfc;
    return SW_VALUE_INVALID;
}

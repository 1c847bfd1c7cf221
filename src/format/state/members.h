/* Lines of a saved state that hold what is known of the events of a transaction; for record.c. */
#ifndef SW_FORMAT_STATE_MEMBERS_H
#define SW_FORMAT_STATE_MEMBERS_H

#include "format/state/state.h"

struct sw_state_members_parts { struct sw_token members, begun, events, ends, counted; };

/* Into encoder->members. SW_ENCODE_FRAME, SW_ENCODE_BAD, SW_ENCODE_FAILED. */
enum sw_encode_status sw_state_members_read(struct sw_encoder *encoder, const struct sw_state_members_parts *parts);

#endif

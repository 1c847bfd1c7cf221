/* Datastream's positions are those of the sources it reads. */
#ifndef SW_POSITION_DATASTREAM_H
#define SW_POSITION_DATASTREAM_H

#include "position/position.h"

/* The source's own position inside a datastream position; lives as long as that. */
const struct sw_position *sw_datastream_inner(const struct sw_position *position);

#endif

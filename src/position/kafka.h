/* Kafka offsets: the next offset to read, by topic and partition. */
#ifndef SW_POSITION_KAFKA_H
#define SW_POSITION_KAFKA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "position/position.h"

struct sw_kafka_offset {
    struct sw_bytes topic;  /* empty: not given */
    uint32_t partition;
    uint64_t offset;        /* below 2^63 */
};

/* The offsets of a kafka position, sorted by topic and partition, each once. A bare offset is one with an empty topic. */
const struct sw_kafka_offset *sw_kafka_offsets_of(size_t *count, const struct sw_position *position);

#endif

/* How Avro's values are spelled in JSON: a number or a text that the type of the same meaning reads (docs/formats.md). */
#ifndef SW_SOURCE_FILE_AVRO_SPELL_H
#define SW_SOURCE_FILE_AVRO_SPELL_H

#include "base/buffer.h"

/* Room for every spelling but those of decimals. */
#define SW_AVRO_SPELLING_MAX 96

/* Each gives the bytes it wrote to `out`. What lies outside of what a clock or a calendar shows is spelled as the bare number, which the type refuses. */
size_t sw_avro_spell_date(char *out, int64_t days);
/* `units` a second: 1000, 1000000, 1000000000. `zone` is "Z" or "". */
size_t sw_avro_spell_timestamp(char *out, int64_t value, int64_t units, const char *zone);
/* At an offset of so many milliseconds from UTC. */
size_t sw_avro_spell_timestamp_tz(char *out, int64_t micros, int64_t offset_ms);
/* Of a day; with `interval` up to 838:59:59 on both sides of zero. */
size_t sw_avro_spell_time(char *out, int64_t value, int64_t units, bool interval);
size_t sw_avro_spell_time_tz(char *out, int64_t micros, int64_t offset_ms);
size_t sw_avro_spell_datetime(char *out, int64_t days, int64_t micros);
/* The shortest digits that read back as the same number; NaN and infinities as texts. */
size_t sw_avro_spell_float(char *out, float value);
size_t sw_avro_spell_double(char *out, double value);
/* Two's complement, high byte first, and how many of its digits stand after the point. No more than SW_AVRO_DECIMAL_BYTES_MAX bytes. */
void sw_avro_spell_decimal(struct sw_buffer *out, struct sw_bytes unscaled, uint32_t scale);
void sw_avro_spell_base64(struct sw_buffer *out, struct sw_bytes bytes);

#endif

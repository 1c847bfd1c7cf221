/* The attributes after the '@' of a position: "system=7301…,timeline=2". Used by position.c alone. */
#ifndef SW_POSITION_ATTRIBUTE_H
#define SW_POSITION_ATTRIBUTE_H

#include "position/position.h"

/* Splits `text` at its last '@' that is followed by a name and '='. Without one, `attributes` is empty (at == NULL). */
void sw_attributes_split(struct sw_bytes *core, struct sw_bytes *attributes, struct sw_bytes text);

/* Reads "name=value,name=value" into self->attributes, in canonical form. An item without '=' goes on with the value
 * before it, so that lists need no quotes. SW_ERR_INPUT for an unknown name, one given twice, or a bad value. */
enum sw_code sw_attributes_parse(struct sw_position *self, struct sw_bytes text, struct sw_error *error);

/* Sets one attribute (a canonical copy of `value`), whether or not it was given. */
enum sw_code sw_attribute_set(struct sw_position *self, size_t index, struct sw_bytes value, struct sw_error *error);

/* The index of a name among the kind's attributes, or SIZE_MAX. */
size_t sw_attribute_index(const struct sw_position_kind *kind, struct sw_bytes name);

/* Appends "@name=value,…"; nothing if none is given. */
void sw_attributes_print(struct sw_buffer *out, const struct sw_position *self);

/* Whether two positions of one kind stand in one space. If not, fills `out` with an incomparable answer. If so, adds
 * to out->assumed what that rests on. */
bool sw_attributes_same_space(struct sw_position_comparison *out, const struct sw_position *a, const struct sw_position *b, bool same_source);

#endif

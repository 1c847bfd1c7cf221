/* The position spaces of a run: texts interned to small ids, and the order that was declared between them.
 *
 * A space has a base: the same text without what tells which order fields its records lack. Versions compare inside one space;
 * a declared position, and the order of --spaces, hold for all spaces of one base. */
#ifndef SW_ORDER_SPACES_H
#define SW_ORDER_SPACES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"

#ifdef SW_FUZZING /* small, as the limits of model/schema.h */
#define SW_SPACES_MAX 32u
#else
#define SW_SPACES_MAX 65536u
#endif

struct sw_spaces;

/* `declared` (may be empty) are the texts of `--spaces`, oldest first. NULL if memory ran out. */
struct sw_spaces *sw_spaces_new(char *const *declared, size_t declared_count);
void sw_spaces_free(struct sw_spaces **spaces);
/* The id of a space in which a record stands; its base is the first base_len bytes. UINT32_MAX if memory ran out or there are
 * too many. Thread-safe. */
uint32_t sw_spaces_intern(struct sw_spaces *spaces, struct sw_bytes text, size_t base_len);
/* What a record or a declaration says of its space; `named`: it names the source, which --space would else do. */
struct sw_space_text {
    struct sw_bytes text;
    size_t base_len;
    bool named;
};
/* The same, with `option` (the text of --space, or NULL) before what does not name its source. */
uint32_t sw_spaces_intern_under(struct sw_spaces *spaces, const struct sw_space_text *text, const char *option);
uint32_t sw_spaces_declare_under(struct sw_spaces *spaces, const struct sw_space_text *text, const char *option);
/* The id of a space that is only named. The same otherwise. */
uint32_t sw_spaces_declare(struct sw_spaces *spaces, struct sw_bytes text);
/* How much of a space's text is its base: what stands before "without FIELD". */
size_t sw_space_base_len(struct sw_bytes text);
/* Why one of the calls above gave UINT32_MAX: SW_ERR_LIMIT, or SW_ERR_MEMORY. `whose`: "the records" … */
enum sw_code sw_spaces_no_space(const struct sw_spaces *spaces, const char *whose, struct sw_error *error);
/* Its text; stays valid. Thread-safe. */
struct sw_bytes sw_spaces_text(const struct sw_spaces *spaces, uint32_t id);
uint32_t sw_spaces_count(const struct sw_spaces *spaces);
/* Does a record stand in it? Once all are read. */
bool sw_spaces_seen(const struct sw_spaces *spaces, uint32_t id);
/* The id of its base; its own if it has no other. Thread-safe. */
uint32_t sw_spaces_base(const struct sw_spaces *spaces, uint32_t id);
/* Are all words of `said` words of `text`? So is a space that says less than the records do, but nothing else. */
bool sw_space_says(struct sw_bytes text, struct sw_bytes said);
/* Its rank in the declared order from 0, or UINT32_MAX if none was declared for it or its base. Two spaces of one rank are not ordered. */
uint32_t sw_spaces_rank(const struct sw_spaces *spaces, uint32_t id);

#endif

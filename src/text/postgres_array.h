/* PostgreSQL's text of an array, taken apart: {1,2,NULL}, {"a b","with \" and \\"}, {{1,2},{3,4}}, {}, and with bounds of its own [0:1]={1,2}.
 * Source: PostgreSQL manual, "Arrays", "Array Input and Output Syntax". */
#ifndef SW_TEXT_POSTGRES_ARRAY_H
#define SW_TEXT_POSTGRES_ARRAY_H

#include "base/buffer.h"

#define SW_POSTGRES_ARRAY_DEPTH_MAX 6 /* of PostgreSQL */

enum sw_postgres_array_step {
    SW_POSTGRES_ARRAY_OPEN,       /* { of the array or of one inside it */
    SW_POSTGRES_ARRAY_CLOSE,      /* } */
    SW_POSTGRES_ARRAY_ELEMENT,    /* walk->element: without quotes and escapes, until the next step */
    SW_POSTGRES_ARRAY_NULL,       /* an element that is NULL, without quotes */
    SW_POSTGRES_ARRAY_END,        /* the text was one array and nothing else */
    SW_POSTGRES_ARRAY_BAD,        /* it is none */
    SW_POSTGRES_ARRAY_NO_MEMORY
};

struct sw_postgres_array {
    const uint8_t *at, *end;
    unsigned depth;
    bool begun, after_value;      /* anything was opened; a value or } stands before `at` */
    struct sw_buffer *room;       /* of the caller: holds elements that have escapes */
    struct sw_bytes element;
};

/* Does a text begin as an array, so that it is no JSON array? */
bool sw_postgres_array_begins(struct sw_bytes text);
/* Bounds are skipped: they are where the array's numbering begins, and no elements. `text` must outlive the walk. */
struct sw_postgres_array sw_postgres_array_walk(struct sw_bytes text, struct sw_buffer *room);
enum sw_postgres_array_step sw_postgres_array_next(struct sw_postgres_array *walk);

#endif

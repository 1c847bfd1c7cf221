/* A JSON document as Python's json module reads it, on a flat tape.
 *
 * The contract is defined by that module, so this parser is not the product's scanner: it takes what Python
 * takes (NaN, Infinity, lone surrogates) and refuses with Python's words, at Python's positions, in Python's
 * order. Where the order is not obvious, the comment at the place says which rule it is.
 *
 * The tape holds values in document order. A container is followed by its content; `next` leads past it.
 * An object's content is name, value, name, value …, names being strings. */
#ifndef SW_LAB_DOCUMENT_H
#define SW_LAB_DOCUMENT_H

#include <stdint.h>

#include "base/buffer.h"
#include "slackwater/error.h"

enum lab_kind { LAB_NULL, LAB_FALSE, LAB_TRUE, LAB_INTEGER, LAB_FLOAT, LAB_STRING, LAB_ARRAY, LAB_OBJECT };

/* The contract never looks at a float's value, so a float is its kind alone. */
struct lab_node {
    uint32_t kind; /* enum lab_kind */
    uint32_t next; /* index of the first node behind this value */
    union {
        int64_t integer; /* clamped to INT64_MIN or INT64_MAX from 19 digits on: far outside every bound of the contract */
        uint32_t count;  /* items of an array, members of an object */
        struct {
            uint32_t at, len; /* in `text` if `at` < text.len, else in `unescaped`, whose first byte is text.len */
        } string;
    } as;
};

struct lab_document {
    struct sw_bytes text;   /* borrowed; checked UTF-8 */
    struct lab_node *nodes; /* nodes[0] is the document's value */
    uint32_t count, capacity;
    uint8_t *unescaped; /* strings that had escapes, as UTF-8 in which a lone surrogate takes its three bytes */
    uint32_t unescaped_len;
    struct lab_name *names; /* scratch of the check for duplicate names */
    uint32_t names_capacity;
};

/* Checks that `text` is UTF-8 and no longer than the contract allows, whichever fails first. */
enum sw_code lab_text_check(struct sw_bytes text, struct sw_error *error);

/* Parses checked text. `document` is zero-initialised by the caller, borrows `text`, and is freed by the caller
 * whatever the outcome. */
enum sw_code lab_document_parse(struct lab_document *document, struct sw_bytes text, struct sw_error *error);
void lab_document_free(struct lab_document *document);

/* The text of a string node. Borrowed from the document. */
static inline struct sw_bytes lab_document_string(const struct lab_document *document, const struct lab_node *node)
{
    uint32_t at = node->as.string.at;
    const uint8_t *from = at < document->text.len ? document->text.at + at : document->unescaped + (at - document->text.len);
    return sw_bytes_of(from, node->as.string.len);
}

/* FNV-1a. Used where equal hashes cost time at worst: the content decides. */
static inline uint64_t lab_hash(struct sw_bytes text)
{
    uint64_t value = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < text.len; i++)
        value = (value ^ text.at[i]) * UINT64_C(0x100000001b3);
    return value;
}

/* Refuses if two names of the object at `object` are equal once unescaped. */
enum sw_code lab_document_check_names(struct lab_document *document, uint32_t object, struct sw_error *error);

#endif

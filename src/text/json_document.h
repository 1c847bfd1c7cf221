/* Small JSON documents whose shape is known: find a member, take its text. */
#ifndef SW_TEXT_JSON_DOCUMENT_H
#define SW_TEXT_JSON_DOCUMENT_H

#include "base/error.h"
#include "text/json_value.h"

#define SW_DOCUMENT_MAX ((size_t)4 << 20)

/* One document. Tokens point into it. Zero-initialise; sw_document_free releases. */
struct sw_document {
    uint8_t *bytes; /* a copy, padded for the scan kernels */
    struct sw_token root;
};

/* Reads the one value that a text holds; UTF-8, syntax, depth and duplicate names are checked. `name` is for messages.
 * Returns SW_OK, SW_ERR_INPUT with the byte, SW_ERR_LIMIT, SW_ERR_MEMORY. */
enum sw_code sw_document_read(struct sw_document *out, struct sw_bytes text, const char *name, struct sw_error *error);
/* The same for documents of another size: at most `max` bytes, below 4 GiB. */
enum sw_code sw_document_read_up_to(struct sw_document *out, struct sw_bytes text, size_t max, const char *name, struct sw_error *error);
void sw_document_free(struct sw_document *document);

/* A member of an OBJECT token, or an element of an ARRAY token; one after the other. */
struct sw_document_items {
    const uint8_t *at, *end; /* private */
    bool object;
    struct sw_bytes name;    /* of a member, escapes still in it */
    struct sw_token value;
};
struct sw_document_items sw_document_items(struct sw_token container);
bool sw_document_next(struct sw_document_items *items);

/* The member of that name; kind SW_TOKEN_ABSENT if there is none, or if `object` is no object. */
struct sw_token sw_document_member(struct sw_token object, const char *name);

/* The text of a TEXT token with its escapes resolved, ended by a NUL. False if it is no text, has a NUL in it, or does not fit. */
bool sw_document_text(char *out, size_t room, struct sw_token token);

#endif

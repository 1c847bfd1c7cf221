/* A YAML document as a small tree that knows its places. Maps, lists and scalars only: anchors, aliases, tags and further documents
 * are refused, so a tree is never larger than its text; so are repeated members and depths beyond what a mapping needs. */
#ifndef SW_MAPPING_YAML_TREE_H
#define SW_MAPPING_YAML_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "mapping/draft.h"

#define SW_YAML_BYTES_MAX (1u << 20)
#define SW_YAML_DEPTH_MAX 8

enum sw_yaml_kind { SW_YAML_SCALAR, SW_YAML_LIST, SW_YAML_MAP };

struct sw_yaml_node {
    enum sw_yaml_kind kind;
    bool plain;                   /* a scalar without quotes */
    struct sw_bytes text;         /* of a scalar; followed by a NUL that is not counted; may hold NUL */
    uint64_t line, column;        /* from 1; the column counts characters */
    struct sw_yaml_node *first;   /* items of a list; member names of a map, each with its `value` */
    struct sw_yaml_node *next, *value;
    size_t count;                 /* of items or members */
};

/* *out is NULL for a text without a document. The tree lives in `memory`.
 * Errors: SW_ERR_USAGE with line and column for anything that is not such a document, SW_ERR_LIMIT, SW_ERR_MEMORY. */
enum sw_code sw_yaml_read(struct sw_yaml_node **out, struct sw_mapping_block **memory, struct sw_bytes text, const char *name, struct sw_error *error);

#endif

/* A condition on columns, as --where and `scope:` write it: which rows are meant.
 *
 *     region = 'EU' AND (id >= 1000 OR NOT status IN ('done', 'gone')) AND closed_at IS NULL
 *
 * A column is held against literals only: = != <> < <= > >=, [NOT] IN, IS [NOT] NULL; AND, OR, NOT and parentheses bind as in SQL. Names are exact,
 * bare or in double quotes; texts stand in single quotes; words of the language in any case. Which bytes a literal stands for is decided later, under
 * the type of its column (fold/scope.h). Text from outside: its size, depth and numbers of everything are bounded. */
#ifndef SW_MAPPING_CONDITION_H
#define SW_MAPPING_CONDITION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "text/token.h"

#define SW_CONDITION_BYTES_MAX (64u << 10)
#define SW_CONDITION_DEPTH_MAX 64u
#define SW_CONDITION_NODES_MAX 4096u
#define SW_CONDITION_LITERALS_MAX 16384u
#define SW_CONDITION_COLUMNS_MAX 64u

enum sw_condition_kind { SW_CONDITION_AND, SW_CONDITION_OR, SW_CONDITION_NOT, SW_CONDITION_COMPARE, SW_CONDITION_IN, SW_CONDITION_IS_NULL };
enum sw_condition_operator { SW_CONDITION_EQUAL, SW_CONDITION_NOT_EQUAL, SW_CONDITION_LESS, SW_CONDITION_AT_MOST, SW_CONDITION_MORE, SW_CONDITION_AT_LEAST };

/* One node; children stand before their parents, the root is the last. */
struct sw_condition_node {
    uint8_t kind;                    /* enum sw_condition_kind */
    uint8_t operator;                /* of COMPARE: enum sw_condition_operator */
    uint32_t left, right;            /* of AND, OR; NOT has left */
    uint32_t column;                 /* of the others: into columns */
    uint32_t literal, literal_count; /* of COMPARE (one) and IN */
};

/* A literal as it was written: a NUMBER by JSON's grammar, a TEXT whose quotes are resolved, TRUE or FALSE. */
struct sw_condition_literal {
    struct sw_token token;
    uint32_t column;
};

struct sw_condition {
    struct sw_bytes *columns; uint32_t column_count;   /* names, each once, in the order of their first mention */
    struct sw_condition_node *nodes; uint32_t node_count;
    struct sw_condition_literal *literals; uint32_t literal_count;
    char *text;                      /* canonical spelling: two conditions of one spelling mean the same */
    struct sw_buffer names;          /* owns the bytes of names and texts */
};

/* Reads a condition. SW_ERR_USAGE says what was expected and found, and at which character; SW_ERR_LIMIT, SW_ERR_MEMORY. On failure *out is NULL.
 * Owner: the caller, sw_condition_free. Nothing in it points into `text`. */
enum sw_code sw_condition_parse(struct sw_condition **out, struct sw_bytes text, struct sw_error *error);
void sw_condition_free(struct sw_condition **condition);

/* A part of all keys: those whose hash is below `numerator` of `denominator` parts. Zero: no sample. */
struct sw_sample_part { uint32_t numerator, denominator; };
/* Reads "1/1000", "1%" or "0.05%". False, with *problem set to a static text, for anything else, for nothing and for everything. */
bool sw_sample_part_parse(struct sw_sample_part *out, struct sw_bytes text, const char **problem);

#endif

/* The mapping: everything that is declared about the records of a run, from a YAML file and from options.
 *
 * Built once before anything is read, then read-only and shared by all threads. Nothing here is guessed from
 * data. Where a declaration is missing that would change an answer, the run stops with exit 2 and says which. */
#ifndef SW_MAPPING_MAPPING_H
#define SW_MAPPING_MAPPING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "model/type.h"
#include "slackwater/reconcile.h"

enum sw_role { SW_ROLE_BASELINE, SW_ROLE_EVENTS, SW_ROLE_EXPECTED, SW_ROLE_COUNT };

/* "baseline", "events", "expected". Static. */
const char *sw_role_name(enum sw_role role);

enum sw_operation {
    SW_OPERATION_UPSERT,
    SW_OPERATION_DELETE,
    SW_OPERATION_TRUNCATE,
    SW_OPERATION_READ,    /* a snapshot or backfill row among events */
    SW_OPERATION_IGNORED, /* declared to be no row change; counted under its spelling */
    SW_OPERATION_UNKNOWN
};

#define SW_KEY_COLUMNS_MAX 16
#define SW_PATH_STEPS_MAX 8
#define SW_ORDER_FIELDS_MAX 8
#define SW_IDENTITY_PARTS_MAX 8

/* A place in a record: member names from the outside in; written with dots, a dot inside a name as `\.`. step_count 0 = not declared. */
struct sw_path {
    char *steps[SW_PATH_STEPS_MAX];
    size_t step_count;
};

struct sw_spelling {
    char *text;
    enum sw_operation operation;
};

/* Where the parts of a record of one role stand. */
struct sw_layout {
    struct sw_path key[SW_KEY_COLUMNS_MAX]; /* one a key column; where undeclared, the column of that name in after, else in before, else at the top */
    struct sw_path identity[SW_IDENTITY_PARTS_MAX];
    size_t identity_count;
    struct sw_path operation, deleted, table, transaction;
    struct sw_path before, after;           /* objects whose members are columns; neither declared: the columns stand at the top */
    struct sw_path value;                   /* plain: an object of columns, or one scalar column named by the last step */
    struct sw_path order[SW_ORDER_FIELDS_MAX]; /* one a field of the order policy, in the policy's order */
    struct sw_spelling *spellings;          /* of operations */
    size_t spelling_count;
};

enum sw_absent { SW_ABSENT_UNKNOWN, SW_ABSENT_NULL };
enum sw_images { SW_IMAGES_FULL, SW_IMAGES_PARTIAL };
enum sw_compare { SW_COMPARE_AUTO, SW_COMPARE_STATE, SW_COMPARE_VALUE };
enum sw_expected_deletes { SW_DELETES_AUTO, SW_DELETES_TOMBSTONE, SW_DELETES_ABSENT, SW_DELETES_FLAG };

struct sw_column_rule {
    char *column;
    bool has_type, ignored;
    struct sw_type type;
    char *renamed_to;        /* NULL = keeps its name */
};

struct sw_mapping {
    char *table;                         /* the only table in scope, or NULL */
    char *keys[SW_KEY_COLUMNS_MAX];      /* names of the key columns */
    size_t key_count;
    bool plain_names;                    /* nothing about the shape is declared: key, version, deleted, value, id, op are special */
    struct sw_layout layout[SW_ROLE_COUNT];
    struct sw_column_rule *rules;
    size_t rule_count;
    char *order;                         /* policy name; NULL = not declared */
    char *order_field_names[SW_ORDER_FIELDS_MAX]; /* as the mapping names them (file, pos, row …): resolved by the policy */
    enum sw_absent absent;
    enum sw_images images;
    char *placeholder;                   /* text that stands for an unavailable value, or NULL */
    struct sw_bytes csv_null;
    bool csv_null_quoted_too;            /* false: only unquoted text is NULL */
    char csv_delimiter;
    char *baseline_position, *cut, *space;
    char **spaces;
    size_t space_count;
    enum sw_compare compare;
    enum sw_expected_deletes deletes;
    char *delete_flag;                   /* SW_DELETES_FLAG: the column */
    bool conflicts_newest;
    struct sw_buffer declared;           /* one line a declaration that changes equality or order ("type amount decimal"), for the report */
};

/* Reads the options and the file they name. On failure *out holds nothing to free.
 * Errors: SW_ERR_USAGE for a wrong or contradictory declaration (with file, line and column, and the names that were near),
 *         SW_ERR_IO if the file cannot be read, SW_ERR_MEMORY. */
enum sw_code sw_mapping_load(struct sw_mapping *out, const struct sw_reconcile_options *options, struct sw_error *error);
/* The same from YAML text in memory; `name` is used in messages. For tests and fuzzing. */
enum sw_code sw_mapping_parse(struct sw_mapping *out, struct sw_bytes yaml, const char *name, const struct sw_reconcile_options *options, struct sw_error *error);
void sw_mapping_free(struct sw_mapping *mapping);

/* The rule for a column by its name as it stands in the record, or NULL. Thread-safe. */
const struct sw_column_rule *sw_mapping_rule(const struct sw_mapping *mapping, struct sw_bytes column);
/* The operation that a text means in a role. SW_OPERATION_UNKNOWN if no spelling is declared. */
enum sw_operation sw_mapping_operation(const struct sw_mapping *mapping, enum sw_role role, struct sw_bytes text);

#endif

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
#include "mapping/condition.h"
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
    SW_OPERATION_INSERT,  /* an upsert, of a key that had no row */
    SW_OPERATION_UPDATE,  /* an upsert, of a row that was there */
    SW_OPERATION_REMOVE,  /* a delete, of a row that was there */
    SW_OPERATION_UNKNOWN
};

#define SW_KEY_COLUMNS_MAX 16
#define SW_PATH_STEPS_MAX 8
#define SW_ORDER_FIELDS_MAX 8
#define SW_IDENTITY_PARTS_MAX 8

/* A place in a record: member names from the outside in; written with dots, a dot inside a name as `\.` and a
 * backslash as `\\`. step_count 0 = not declared. */
struct sw_path {
    char *steps[SW_PATH_STEPS_MAX];
    size_t step_count;
};

/* `text` is owned by the mapping, as every text below it. */
struct sw_spelling {
    char *text;
    enum sw_operation operation;
};

/* Where the parts of a record of one role stand. What is declared at the top of the file about identity, operation, before, after and
 * transaction is about events; the sections `baseline:` and `expected:` may declare them for their role. */
struct sw_layout {
    struct sw_path key[SW_KEY_COLUMNS_MAX]; /* one a key column; where undeclared, the column of that name in after, else in before, else at the top */
    struct sw_path identity[SW_IDENTITY_PARTS_MAX];
    size_t identity_count;
    struct sw_path operation, deleted, table, transaction, time;
    bool deleted_when_set;                  /* any value of `deleted` but null says so, as a time of deletion does */
    char *table_name;                       /* rows of this role are of this table where they name none; NULL = not declared */
    struct sw_path before, after;           /* objects whose members are columns; neither declared: the columns stand at the top */
    struct sw_path value;                   /* plain: an object of columns, or one scalar column named by the last step; never together with before or after */
    struct sw_path order[SW_ORDER_FIELDS_MAX]; /* order[i]: where the field order_field_names[i] stands in this role */
    struct sw_spelling *spellings;          /* of operations; none where `operation` is undeclared */
    size_t spelling_count;
    uint8_t one_byte[256];                  /* the operation that a text of this one byte means: a short way for the usual letters */
};

enum sw_absent { SW_ABSENT_UNKNOWN, SW_ABSENT_NULL };
enum sw_images { SW_IMAGES_FULL, SW_IMAGES_PARTIAL };
enum sw_compare { SW_COMPARE_AUTO, SW_COMPARE_STATE, SW_COMPARE_VALUE };
enum sw_expected_deletes { SW_DELETES_AUTO, SW_DELETES_TOMBSTONE, SW_DELETES_ABSENT, SW_DELETES_FLAG };

/* What is declared of one column. */
struct sw_column_rule {
    char *column;
    bool has_type, ignored;
    struct sw_type type;     /* `any` unless has_type */
    char *renamed_to;        /* NULL = keeps its name. Type and ignored are then those of the new name */
};

struct sw_mapping;

#define SW_MAPPING_TABLES_MAX 256

/* One of the tables that the file lists: what is declared of all of them with what it declares itself, as a mapping of its own, whose `table` is its name. */
struct sw_mapping_table {
    struct sw_mapping *mapping;
    char **inputs[SW_ROLE_COUNT]; size_t input_count[SW_ROLE_COUNT]; /* locators of baseline and expected whose rows are of this table */
};

/* Tables whose names match `pattern` are partitions of `table`. */
struct sw_table_part {
    char *table, *pattern;
};

struct sw_mapping {
    char *table;                         /* the only table in scope, or NULL */
    char *keys[SW_KEY_COLUMNS_MAX];      /* names of the key columns */
    size_t key_count;
    bool plain_names;                    /* nothing about the shape is declared: key, version, deleted, value, id, op are special */
    char *format[SW_ROLE_COUNT];         /* a format's name, or NULL = recognise it. `--format` and a top-level `format` are about the events,
                                          * and about every role if the options name no events */
    struct sw_layout layout[SW_ROLE_COUNT];
    struct sw_column_rule *rules[SW_ROLE_COUNT]; /* by the name in the record of that role, sorted; use sw_mapping_rule */
    size_t rule_count[SW_ROLE_COUNT];
    struct sw_column_rule *columns;      /* by the name after renaming, sorted; use sw_mapping_column */
    size_t column_count;
    char *order;                         /* policy name; NULL = not declared */
    bool order_by_default;               /* `integer` was not declared: it holds for records of the format plain only; elsewhere: exit 2, declare an order */
    char *order_field_names[SW_ORDER_FIELDS_MAX]; /* as the mapping names them (file, pos, row …): resolved by the policy; "version" is the single field */
    size_t order_field_count;
    enum sw_absent absent;
    enum sw_images images;
    bool replica_identity_full;          /* images before a change show the whole row (PostgreSQL's REPLICA IDENTITY FULL): their nulls are nulls */
    char *placeholder;                   /* text that stands for an unavailable value, or NULL */
    struct sw_bytes csv_null;
    bool csv_null_quoted_too;            /* false: only unquoted text is NULL */
    char csv_delimiter;
    char csv_escape;                     /* 0 = none declared */
    char *baseline_position, *cut, *space;
    char *baseline_time;                 /* when the baseline was taken: a check of baseline_position, never in its place; NULL = not declared */
    uint32_t time_per_second;            /* numbers in `time` of the events count these parts of a second; 0 = not declared */
    char **spaces;
    size_t space_count;
    enum sw_compare compare;
    enum sw_expected_deletes deletes;
    char *delete_flag;                   /* SW_DELETES_FLAG: the column, by its name after renaming */
    bool delete_when_set;                /* and any value of it but null says deleted, as a time of deletion does */
    bool conflicts_newest;
    struct sw_condition *scope;          /* which rows are in scope at all, as the file declares it; NULL = all */
    struct sw_condition *where;          /* --where: a part of those; NULL = all */
    struct sw_sample_part sample;        /* --sample; denominator 0 = all keys */
    struct sw_table_part *parts; size_t part_count; /* use sw_mapping_whole_table */
    struct sw_mapping_table *tables; size_t table_count; /* the tables in scope, each with its key; then key_count here may be 0, and `table` is NULL */
    struct sw_buffer declared;           /* one line a declaration that changes equality or order ("type amount decimal"), for the report */
    struct sw_mapping_block *memory;     /* owns every text and array above but `declared` */
};

/* Reads the options and the file they name (options->map_file). The options win over the file, in its sections too.
 * On failure *out is all zero and holds nothing to free.
 * Errors: SW_ERR_USAGE for a wrong or contradictory declaration (in the file with its line and column; with the known names that
 *         were near), SW_ERR_IO if the file cannot be read, SW_ERR_LIMIT if it is larger than 1 MiB, SW_ERR_MEMORY.
 * Owner: the caller, who frees it with sw_mapping_free. Nothing in it points into `options`. */
enum sw_code sw_mapping_load(struct sw_mapping *out, const struct sw_reconcile_options *options, struct sw_error *error);
/* The same from YAML text in memory; `name` is used in messages; `options` may be NULL. For tests and fuzzing. */
enum sw_code sw_mapping_parse(struct sw_mapping *out, struct sw_bytes yaml, const char *name, const struct sw_reconcile_options *options, struct sw_error *error);
/* Where no key is declared: the key columns are these, each text with a NUL behind it; where nothing about the shape is declared either (plain_names), every other member is a column.
 * SW_ERR_LIMIT for more than SW_KEY_COLUMNS_MAX, SW_ERR_MEMORY. */
enum sw_code sw_mapping_name_keys(struct sw_mapping *mapping, struct sw_bytes names, struct sw_error *error);
/* The table of the list that a record's own name stands for: its whole name, or the last part of it. mapping->table_count if there is none. Thread-safe. */
size_t sw_mapping_find_table(const struct sw_mapping *mapping, struct sw_bytes full);
enum sw_table_place { SW_TABLE_ITSELF, SW_TABLE_PART, SW_TABLE_PART_OF_SEVERAL };
/* The table that the rows of the one named `full` are of: as `partitions` declares it, or `full` itself. *place: whether it is a partition; of several, and then `full` is returned, where patterns
 * of two tables match. The result is a view of `full` or of the mapping. Thread-safe. */
struct sw_bytes sw_mapping_whole_table(enum sw_table_place *place, const struct sw_mapping *mapping, struct sw_bytes full);
/* Is a table's name in full ("shop.public.orders") that of `name`, whole or in its last part? */
bool sw_table_is(struct sw_bytes full, struct sw_bytes name);
/* Releases what it holds and makes it all zero. */
void sw_mapping_free(struct sw_mapping *mapping);

/* The rule for a column by its name as it stands in the records of a role, or NULL. Thread-safe. Cost: a binary search. */
const struct sw_column_rule *sw_mapping_rule(const struct sw_mapping *mapping, enum sw_role role, struct sw_bytes column);
/* The same by the name after renaming, whatever the role: what the two sides are compared under. `renamed_to` is NULL in it. */
const struct sw_column_rule *sw_mapping_column(const struct sw_mapping *mapping, struct sw_bytes column);
/* The operation that a text means in a role, by exact spelling. SW_OPERATION_UNKNOWN if no such spelling is declared. Thread-safe. */
enum sw_operation sw_mapping_operation(const struct sw_mapping *mapping, enum sw_role role, struct sw_bytes text);
/* True if a part of the record other than a key column (operation, identity, order field, before …) stands at this member of the
 * top level or inside it: such a member is no value column. Thread-safe. */
bool sw_layout_claims(const struct sw_layout *layout, struct sw_bytes member);

/* Reads a path as it is written. False, with *problem set to a static text that says why, for an empty step, a backslash before
 * anything but a dot or a backslash, more than SW_PATH_STEPS_MAX steps, or a NUL. The steps are slices of `room`, which the caller gives
 * with room for text.len + SW_PATH_STEPS_MAX bytes. */
bool sw_path_parse(struct sw_path *out, struct sw_bytes text, char *room, const char **problem);
/* Appends the path as it is written: sw_path_parse of it gives an equal path. */
void sw_path_print(struct sw_buffer *out, const struct sw_path *path);
bool sw_path_equal(const struct sw_path *a, const struct sw_path *b);

#endif

/* What is declared, while it is being collected: the file first, then the options over it, then sw_draft_settle makes the mapping of it.
 *
 * Until it is settled nothing is resolved, so that neither the order of members nor the order of options matters. */
#ifndef SW_MAPPING_DRAFT_H
#define SW_MAPPING_DRAFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mapping/mapping.h"

/* A block of memory of a mapping; freed with it. */
struct sw_mapping_block {
    struct sw_mapping_block *next;
    max_align_t at[];
};

/* `size` zeroed bytes that live as long as the list, or NULL. */
void *sw_mapping_alloc(struct sw_mapping_block **list, size_t size);
/* A copy with a NUL after it, or NULL. */
char *sw_mapping_text(struct sw_mapping_block **list, const char *text, size_t len);
void sw_mapping_release(struct sw_mapping_block **list);

/* Where a declaration stands, for messages: a member of the file, or an option (line 0). */
struct sw_spot {
    const char *thing;     /* "compare", "events.order", "--compare" */
    const char *file;      /* NULL for an option */
    uint64_t line, column;
};

enum sw_part { SW_PART_OPERATION, SW_PART_DELETED, SW_PART_TABLE, SW_PART_TRANSACTION, SW_PART_TIME, SW_PART_BEFORE, SW_PART_AFTER, SW_PART_VALUE, SW_PART_COUNT };

/* The layout parts as one place declares them: the top of the file and the options, or a section. An empty spot.thing = not declared. */
struct sw_layout_draft {
    struct sw_path parts[SW_PART_COUNT];
    bool deleted_when_set;
    struct sw_spot part_spots[SW_PART_COUNT];
    struct sw_path identity[SW_IDENTITY_PARTS_MAX];
    size_t identity_count;
    struct sw_path key[SW_KEY_COLUMNS_MAX]; /* places of key columns; key_names[i] NULL: the i-th key column */
    char *key_names[SW_KEY_COLUMNS_MAX];
    size_t key_count;
    struct sw_spot key_spot;
    char *order_names[SW_ORDER_FIELDS_MAX];
    struct sw_path order[SW_ORDER_FIELDS_MAX];
    size_t order_count;
    struct sw_spot order_spot;              /* of the fields, not of the policy */
    struct sw_spelling *spellings;
    size_t spelling_count;
    struct sw_spot spelling_spot;
    char *format;
    char *table_name;                       /* of a section: of which table its rows are */
};

/* One declaration about one column. */
struct sw_column_draft {
    char *column;
    bool has_type, ignored;
    struct sw_type type;
    bool of_table;         /* declared by one of `tables`: stronger than what the file says of all */
    struct sw_spot spot;
};

struct sw_rename_draft {
    char *from, *to;
    unsigned roles;        /* bit r: holds for role r */
    unsigned rank;         /* the top of the file 0, a section 1, an option 2: the highest wins */
    struct sw_spot spot;
};

struct sw_draft {
    struct sw_mapping *mapping;             /* what needs no resolving is written straight into it */
    struct sw_layout_draft top, section[SW_ROLE_COUNT];
    struct sw_spot key_spot;                /* of mapping->keys */
    struct sw_column_draft *columns; size_t column_count, column_capacity;
    struct sw_rename_draft *renames; size_t rename_count, rename_capacity;
    const struct sw_yaml_node *tables;      /* the map of that name */
    struct sw_spot tables_spot;
    bool one_of_tables, in_table;           /* this draft is of one of them; what is read now stands there */
    bool events_given;                      /* the options name events, or there are no options */
    struct sw_mapping_block *scratch;       /* freed when the mapping is settled */
    struct sw_error *error;
};

#define SW_ROLES_SOURCE (1u << SW_ROLE_BASELINE | 1u << SW_ROLE_EVENTS)

/* SW_ERR_USAGE: "THING: …", with the place if the spot is in a file. */
enum sw_code sw_draft_refuse(struct sw_draft *draft, const struct sw_spot *spot, const char *format, ...) SW_PRINTF(3, 4);
enum sw_code sw_draft_no_memory(struct sw_draft *draft);

/* Text from outside as a message may show it: escaped, cut after some 60 bytes. */
struct sw_shown { char text[96]; };
struct sw_shown sw_shown_bytes(struct sw_bytes text);
struct sw_shown sw_shown(const char *text);
/* "; did you mean 'x'?", or "" if no name is near. */
struct sw_shown sw_meant(const char *text, const char *const *names, size_t count);

/* One declaration each; `text` is borrowed. A later call replaces an earlier one, but for renames and columns, which are added. */
enum sw_code sw_draft_text(char **out, struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes text);
enum sw_code sw_draft_path(struct sw_path *out, struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes text);
enum sw_code sw_draft_part(struct sw_draft *draft, struct sw_layout_draft *layout, enum sw_part part, const struct sw_spot *spot, struct sw_bytes text);
/* The order's single field. */
enum sw_code sw_draft_version(struct sw_draft *draft, struct sw_layout_draft *layout, const struct sw_spot *spot, struct sw_bytes text);
enum sw_code sw_draft_key_add(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes name);
enum sw_code sw_draft_identity_add(struct sw_draft *draft, struct sw_layout_draft *layout, const struct sw_spot *spot, struct sw_bytes text);
enum sw_code sw_draft_type(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes column, struct sw_bytes type);
enum sw_code sw_draft_ignore(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes column);
enum sw_code sw_draft_rename(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes from, struct sw_bytes to, unsigned roles, bool in_section);
/* Tables that match `pattern` are partitions of `table` (partitions.c). */
enum sw_code sw_draft_part_add(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes table, struct sw_bytes pattern);
enum sw_code sw_draft_space_add(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes space);
/* "A,B,C". */
enum sw_code sw_draft_spaces(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes list);

typedef enum sw_code (*sw_item_fn)(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes item);
/* Hands the names of "a,b" to `take`, one by one; `\,` is a comma inside a name. */
enum sw_code sw_draft_each_item(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes list, sw_item_fn take);

enum sw_code sw_draft_absent(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes text);
enum sw_code sw_draft_images(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes text);
enum sw_code sw_draft_replica_identity(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes text);
enum sw_code sw_draft_compare(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes text);
enum sw_code sw_draft_deletes(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes text);
enum sw_code sw_draft_conflicts(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes text);
enum sw_code sw_draft_time_unit(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes text);
enum sw_code sw_draft_delimiter(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes text);
enum sw_code sw_draft_condition(struct sw_condition **out, struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes text);
enum sw_code sw_draft_sample(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes text);
enum sw_code sw_draft_csv_escape(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes text);
enum sw_code sw_draft_csv_null(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes text);

/* Reads YAML into the draft. */
struct sw_yaml_node;
enum sw_code sw_draft_read_yaml(struct sw_yaml_node **root, struct sw_draft *draft, struct sw_bytes yaml, const char *name);
/* The mapping of each of draft->tables, once the rest of the file is read: draft->mapping->tables. `root` as sw_draft_read_yaml gave it. */
enum sw_code sw_draft_read_tables(struct sw_draft *draft, const struct sw_yaml_node *root, const char *name, const struct sw_reconcile_options *options);
/* Lays the options over it. */
enum sw_code sw_draft_read_options(struct sw_draft *draft, const struct sw_reconcile_options *options);
/* Resolves everything into draft->mapping. */
enum sw_code sw_draft_settle(struct sw_draft *draft);

#endif

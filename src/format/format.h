/* Formats: how a record is written. One format a file, one line in the registry.
 *
 * A format does not read records: it looks once at the *template* of a record (its member names, without any value) and says
 * which members are the key, the version, the columns and so on: a binding. The encoder then turns every record with that
 * template into the engine's form by following the binding. */
#ifndef SW_FORMAT_FORMAT_H
#define SW_FORMAT_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "mapping/mapping.h"
#include "model/schema.h"
#include "order/order.h"
#include "text/json_template.h"

/* A value column: the node it stands at. */
struct sw_bound_column {
    uint32_t node;
    const struct sw_column *column;
};

/* An image: the object of a record that shows a row. */
struct sw_bound_image {
    bool present;
    uint32_t key[SW_KEY_COLUMNS_MAX];       /* nodes; SW_JSON_NO_NODE where the image lacks the key column */
    bool key_complete;
    struct sw_bound_column *columns;        /* in the order of `set` */
    uint32_t column_count;
    const struct sw_column_set *set;
};

/* What the members of a template mean. Owned by the template's reader; sw_binding_free. */
struct sw_binding {
    const char *not_row_change;             /* static kind ("heartbeat" …) if records of this template change no row; NULL otherwise */
    char problem[256];                      /* not empty: records of this template are bad, and why */
    const char *problem_reason;             /* the stable word of it */
    const struct sw_table *table;
    struct sw_bound_image after, before;    /* `after` is the image of rows, too */
    uint32_t table_node, operation_node, deleted_node, transaction_node;
    uint32_t identity[SW_IDENTITY_PARTS_MAX];
    size_t identity_count;                  /* as declared, however many this template has */
    bool has_identity;                      /* at least one part is there */
    uint32_t order[SW_ORDER_FIELD_COUNT_MAX];
    bool csv;                               /* fields of CSV: their kinds say nothing of their types */
};

/* All that a binding rests on; the same for all records of one role of a run. */
struct sw_bind_context {
    const struct sw_mapping *mapping;
    struct sw_schema *schema;
    const struct sw_order *order;
    enum sw_role role;
    bool csv;
    bool flagged_deletes;                   /* the reference marks deleted rows in mapping->delete_flag */
    const struct sw_key_declaration *keys;  /* of every table */
    uint32_t key_count;
};

struct sw_format {
    const char *name;
    const char *summary;
    const char *explain;
    /* Levels of objects whose members need nodes of their own, from the record's top (0) inwards. */
    unsigned (*depth)(const struct sw_mapping *mapping, enum sw_role role);
    /* Fills a zeroed binding. SW_OK also for templates whose records are bad: the binding says why. Else SW_ERR_MEMORY or SW_ERR_LIMIT. */
    enum sw_code (*bind)(struct sw_binding *out, const struct sw_bind_context *context, const struct sw_json_template *template, struct sw_error *error);
};

extern const struct sw_format sw_format_plain;

/* All formats, NULL-terminated; and by name, or NULL. */
const struct sw_format *const *sw_formats(void);
const struct sw_format *sw_format_find(const char *name);

void sw_binding_free(struct sw_binding **binding);

#endif

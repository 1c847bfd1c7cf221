/* Formats: how a record is written. One format a file, one line in the registry.
 *
 * A format does not read records: it looks once at the *template* of a record (its member names, without any value) and says
 * which members are the key, the version, the columns and so on: a binding. The encoder then turns every record with that
 * template into the engine's form by following the binding. */
#ifndef SW_FORMAT_FORMAT_H
#define SW_FORMAT_FORMAT_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "mapping/mapping.h"
#include "model/field_tree.h"
#include "model/schema.h"
#include "order/order.h"
#include "text/json_template.h"

/* Room for values that a format must turn into another form first. One a thread. */
struct sw_decode_room {
    struct sw_buffer text;
    struct sw_buffer array;                 /* of arrays whose elements are decoded one by one into `text` */
    char problem[160];
};

/* Turns the token of a column into one that the column's type reads (base64 of a decimal and a scale into digits, say). The result may stand in
 * `room->text`. False: the value is bad and room->problem says why. */
struct sw_bound_column;
typedef bool (*sw_decode_fn)(struct sw_token *value, struct sw_decode_room *room, const struct sw_bound_column *column);

/* Values that stand for "unavailable": raw JSON, a text with its quotes. */
#define SW_PLACEHOLDERS_MAX 9
struct sw_placeholders {
    struct sw_bytes raw[SW_PLACEHOLDERS_MAX];
    uint32_t count;
    uint64_t lengths;                       /* bit min(len, 63) of each: most values are told by their length */
};

/* A value column: the node it stands at. */
struct sw_bound_column {
    uint32_t node;
    const struct sw_column *column;
    struct sw_type type;                    /* how the token is read: that of the column, or one with the same form (sw_type_same_form) */
    sw_decode_fn decode;                    /* NULL: the token is read as it stands */
    int32_t scale;                          /* for `decode`: of decimals; of times the unit of bare numbers */
    const struct sw_placeholders *placeholders; /* NULL: none. Lives as long as the binding */
};

/* An image: the object of a record that shows a row. */
struct sw_bound_image {
    bool present;
    uint32_t key[SW_KEY_COLUMNS_MAX];       /* nodes; SW_JSON_NO_NODE where the image lacks the key column */
    bool key_complete;
    struct { sw_decode_fn decode; int32_t scale; } key_decoders[SW_KEY_COLUMNS_MAX]; /* as of columns */
    const struct sw_placeholders *key_placeholders; /* as of columns: a key that is one names no row. NULL: none */
    bool nulls_unknown;                     /* a null says that the value is not shown, not that it is null */
    struct sw_bound_column *columns;        /* in the order of `set` */
    uint32_t column_count;
    const struct sw_column_set *set;
};

/* Where a record says to which transaction it belongs and which event of it it is, or that a transaction begins or ends. SW_JSON_NO_NODE: it does not. */
struct sw_bound_membership {
    uint32_t id;                            /* of events and of marks */
    uint32_t number, table_number;          /* of events: their places in the transaction, and among the events of their table; from 1 */
    uint32_t status;                        /* of marks: BEGIN or END */
    uint32_t count, tables;                 /* of marks at the end: how many events there were, and an array of {data_collection, event_count} */
    uint32_t table;                         /* no node: of the events' table, sw_table_hash of its name as the record has it */
};

/* What the members of a template mean. Owned by the template's reader, in a set of bindings (sw_binding_set_free). */
struct sw_state_binding;

struct sw_binding {
    const char *not_row_change;             /* a kind that lives as long as the run ("heartbeat" …) if records of this template change no row; NULL otherwise */
    char problem[256];                      /* not empty: records of this template are bad, and why */
    const char *problem_reason;             /* the stable word of it */
    bool problem_of_changes;                /* but records whose operation is one that is ignored */
    const struct sw_table *table;
    struct sw_bound_image after, before;    /* `after` is the image of rows, too */
    struct sw_bound_image moved;            /* a key alone: the one that the row had before this record, which does not show what it lacks */
    bool other_table;                       /* a table that is not in scope */
    bool partition;                         /* the record names a partition of `table` */
    bool partial;                           /* columns that the image lacks keep what they were */
    const char *absent_key;                 /* static: why a key column may be absent from this template, and what to do. NULL: its members say enough */
    bool tombstone_without_image;           /* a record that shows no row is a delete of its key, not a bad record */
    /* What is held against the row that a record replaces: */
    bool removal_shows_row;                 /* `after` of a delete is the row that it removes */
    bool removal_unsure;                    /* the image before a delete may show values that the row never had */
    bool before_in_columns;                 /* `before` is a key in columns of its own, null where it is as it was or the row is new */
    bool claimed_nulls_unknown;             /* a null in the image before may stand for a value */
    const struct sw_operation_spelling *operations; /* of the format, ended by a NULL text; NULL: those of the mapping */
    enum sw_operation operation;            /* where there is no operation node: what every record of this template does */
    bool operation_known;
    uint32_t operation_node, deleted_node, transaction_node;
    bool deleted_when_set;                  /* any value at `deleted_node` but null says that the row is gone */
    /* Streams that hold whole transactions, one after the other, with marks of their ends: */
    bool transactional;                     /* records of this template stand in a transaction or mark one; `transaction_node` is its id, if it is told */
    bool transaction_by_id;                 /* no mark of the begin: the id changes there, and records without an id stand in no transaction */
    const char *begin, *commit;             /* operations that are marks; NULL: none */
    uint32_t commit_node;                   /* true there: the record is the last of its transaction */
    struct sw_bound_membership membership;  /* streams that number the events of a transaction, and count them at its end */
    uint32_t time_node;                     /* when the source made the change, if the record says so: the field of the order `timestamp`, or where the mapping says */
    uint32_t time_per_second;               /* a number there counts such parts of a second since 1970; 0: nobody knows */
    uint32_t identity[SW_IDENTITY_PARTS_MAX];
    size_t identity_count;                  /* as declared, however many this template has */
    bool has_identity;                      /* at least one part is there */
    bool identity_in_key;                   /* no parts: operation and position name the event among those of its key (sw_identity_in_key) */
    const char *null_kind;                  /* not NULL: records that have null at `null_node` (no object) are no row change but of this kind. Static */
    uint32_t null_node;
    void *owned;                            /* of the format; freed with the binding */
    const char *given_table;                /* of the example */
    const struct sw_bind_table *chosen;     /* while it is bound: of several tables, the one whose context is to be bound with */
    bool foreign;                           /* what holds the record is declared to be of a table that is not in scope */
    bool unnamed;                           /* of several tables none is named by the record, nor by what holds it */
    uint32_t order[SW_ORDER_FIELD_COUNT_MAX];
    const struct sw_field_tree *fields;     /* of the example */
    struct sw_token order_fixed[SW_ORDER_FIELD_COUNT_MAX]; /* of fields that stand at no node: what every record of this binding has. Static text */
    uint32_t usual_order;                   /* bit i: order field i stands in the record. 0: its order fields are none for sw_order.encode_usual */
    bool reads;                             /* what writes a row is a row that was read, among events */
    bool (*is_read)(struct sw_token token); /* the same, if the token at `read_node` says so. NULL: no record does */
    uint32_t read_node;
    bool csv;                               /* fields of CSV or of a row: there are no objects in them */
    bool bare_texts;                        /* texts under `json` may be JSON strings (sw_value_scratch.bare_texts) */
    struct sw_state_binding *state;         /* of the format state: what its records have and others do not */
    struct sw_straight *straight;           /* its records need no general encoder (format/straight/straight.h); NULL: they do */
};

/* What a record says of its transaction besides its row. */
enum sw_mark { SW_MARK_NONE, SW_MARK_BEGIN, SW_MARK_COMMIT };

/* How a format spells its operations. Texts are exact. */
struct sw_operation_spelling {
    const char *text;
    enum sw_operation operation;
    const char *kind;                       /* SW_OPERATION_IGNORED: under which kind it is counted */
};

/* What the records' own schema says of a key column. */
struct sw_learned_key {
    struct sw_type type;
    bool known, contradicted;               /* two records say different things: nothing is known */
};

/* One of several tables that are declared each by itself. */
struct sw_bind_table {
    const struct sw_mapping *mapping;
    const struct sw_key_declaration *keys;
    uint32_t key_count;
};

/* All that a binding rests on; the same for all records of one role of a run. */
struct sw_bind_context {
    const struct sw_mapping *mapping;
    struct sw_schema *schema;
    const struct sw_order *order;
    uint32_t order_declared;                /* bit i: field i of the order stands somewhere in the records of the run (sw_order_record) */
    enum sw_role role;
    bool csv;                               /* records are flat: fields of CSV, columns of a row */
    bool flagged_deletes;                   /* the reference marks deleted rows in mapping->delete_flag */
    bool extended;                          /* values without a type may be MongoDB's Extended JSON, of every role */
    bool one_table;                         /* nobody declares which table is meant and the other roles name none: all rows are taken for one table's */
    struct sw_format_notes *notes;          /* NULL: nobody wants to know */
    const struct sw_key_declaration *keys;  /* of every table, but for those below */
    uint32_t key_count;
    const struct sw_bind_table *tables;     /* the tables of mapping->tables: a record is bound with what is declared of its own. NULL: all are alike */
    uint32_t table_count;
    struct sw_learned_key *learned;         /* [key_count], of several tables SW_KEY_COLUMNS_MAX each; not NULL while the first records are looked at: bindings are made for what they say of the keys */
};

/* What the bindings of a run tell its report. Shared by all threads; sentences and names are kept once, sorted. Zero-initialise. */
struct sw_format_notes {
    pthread_mutex_t lock;
    char **assumed; uint32_t assumed_count; /* sentences: what was taken from metadata */
    char **tables; uint32_t table_count;    /* full names of tables that were taken for the unnamed table of the other side */
    char **topics; uint32_t topic_count;    /* Kafka topics of rows that name no table: the first few */
    const char *declared;                   /* the one table that is declared; NULL: none is */
    char **dropped; uint32_t dropped_count; /* the same of tables that were dropped while nobody named the one that is meant */
    char **servers; uint32_t server_count;  /* "SOURCE SERVER": servers that wrote events whose files compare within one server, by the source that they name: the first few */
    char **others[SW_ROLE_COUNT]; uint32_t other_count[SW_ROLE_COUNT]; /* of each role, full names of tables that are not in scope: of many, the first ones by name */
    const void **met; uint32_t met_count, met_capacity; /* paths and column rules of the mapping that some record has, sorted */
    bool met_failed;                        /* memory ran out for them */
};

/* What records take from one that came before them: the begin of their transaction. The texts are raw JSON values; an empty one is not told. */
#define SW_CARRIED_MAX 55
struct sw_carried {
    uint8_t len;
    char raw[SW_CARRIED_MAX];
};
struct sw_carry {
    bool open;                              /* records that follow stand in the transaction that is told of here */
    struct sw_carried lsn, xid, time;       /* lsn: of the commit */
};

/* One record as an example of its template. */
struct sw_example {
    const struct sw_json_template *template;
    const struct sw_token *tokens;
    const uint8_t *record;                  /* its first byte, for sw_json_node_token */
    const struct sw_field_tree *fields;     /* what its container (an Avro file) says of its columns; NULL: nothing */
    const struct sw_carry *carry;           /* what the records before it left, of formats with `carry`; NULL: nobody knows */
    const char *table;                      /* of which table the records of its input are, by declaration, where they name none; NULL: not declared. Lives as long as the run */
};

/* Nodes whose texts choose among the bindings of one template: the parts of a table's name, an embedded schema. */
#define SW_SELECTORS_MAX 7
#define SW_RECOGNISE_DEPTH 2
struct sw_selectors {
    uint32_t nodes[SW_SELECTORS_MAX];
    uint32_t count;
};

/* Where a format keeps a field of an ordering policy: member names joined by dots. Ended by a NULL policy. Of several places of one field, the first that a record has. */
struct sw_order_place {
    const char *policy, *field, *path;
};

/* Which orders the records of one kind of source can be put in: candidates for --order, the best one first. */
struct sw_order_candidate {
    const char *source;                     /* "postgresql" …; "" where the format has but one */
    const char *orders;                     /* "mysql-gtid, mysql" */
};

struct sw_encoder;
struct sw_record_place;

struct sw_format {
    const char *name;
    const char *summary;
    const char *explain;
    const char *const *remarks;             /* sentences for the report: what records of this format cannot show; ended by NULL. NULL: nothing */
    const struct sw_order_place *order_places;  /* NULL: only the mapping knows */
    uint32_t time_per_second;               /* numbers in the field `time` of the order `timestamp` count such parts of a second since 1970; 0: they are no such numbers */
    const struct sw_order_candidate *orders; /* ended by a NULL source; NULL: as the mapping says */
    bool json_as_text;                      /* columns of JSON stand in its records as JSON text, always */
    bool unnamed_reference;                 /* rows of a destination in this format name no table */
    bool flat;                              /* records are flat rows, of CSV and of tables too: their columns' names tell the format */
    bool types;                             /* records say of which types their columns are: they are read before those of other roles, which take the types over */
    /* The columns that a record names as its table's key, each text with a NUL behind it, appended to `out`; false if it names none. Where a record holds several rows,
     * and does not name them itself, the rows that it is expanded to are asked. NULL: records never do; else --key may be left out. */
    bool (*names_keys)(struct sw_buffer *out, const struct sw_example *example);
    /* Levels of objects whose members need nodes of their own, from the record's top (0) inwards. */
    unsigned (*depth)(const struct sw_mapping *mapping, enum sw_role role);
    /* How surely a record is one of this format: 0 not, 1 it could be (counts only if no other format says so, of events only), 2 it is. `example` has
     * its members down to SW_RECOGNISE_DEPTH as nodes. NULL: never recognised, only declared. */
    unsigned (*recognise)(const struct sw_example *example);
    /* Which nodes choose the binding, for templates where the names alone do not. NULL: none. */
    void (*select)(struct sw_selectors *out, const struct sw_bind_context *context, const struct sw_json_template *template);
    /* Turns one record into none, one or several of a shape that bind knows, as JSON lines appended to `out` (for formats that hold columns in arrays,
     * or many rows in one record). NULL: records are bound as they are. False: `problem` says what is wrong with the record. */
    bool (*expand)(struct sw_buffer *out, const struct sw_example *example, char problem[256]);
    /* Streams of lines whose records depend on one before them. `carry`: false if a record is no mark, else *carry is what holds behind it. `may_carry`: false if
     * the line of a record (it begins with '{') is surely no mark, without reading it. Both or neither. */
    bool (*carry)(struct sw_carry *carry, const struct sw_example *example);
    bool (*may_carry)(struct sw_bytes line);
    /* The format of a record that this one only wraps; may be this one itself. NULL: records are no wrappers. */
    const struct sw_format *(*inner)(const struct sw_example *example);
    /* Fills a zeroed binding. `example` is the first record that needs it: its tokens may be read at the selectors only. SW_OK also for templates whose records are bad: the binding says why. Else SW_ERR_MEMORY or SW_ERR_LIMIT. */
    enum sw_code (*bind)(struct sw_binding *out, const struct sw_bind_context *context, const struct sw_example *example, struct sw_error *error);
    /* Encodes a record (an enum sw_encode_status), where a binding alone does not say how. NULL: sw_encode does it. */
    int (*encode)(struct sw_encoder *encoder, const struct sw_binding *binding, const struct sw_json_template *template, const struct sw_token *tokens,
                  const struct sw_record_place *place);
};

extern const struct sw_format sw_format_plain, sw_format_debezium, sw_format_maxwell, sw_format_wal2json, sw_format_canal, sw_format_kcat, sw_format_dms, sw_format_bigquery, sw_format_state, sw_format_datastream, sw_format_debezium_mongodb, sw_format_cloudevents, sw_format_goldengate, sw_format_changelog, sw_format_change_table;

/* All formats, NULL-terminated; and by name, or NULL. */
const struct sw_format *const *sw_formats(void);
const struct sw_format *sw_format_find(const char *name);

/* Of a table's name, by its last two parts: events and marks do not always name the database. */
uint32_t sw_table_hash(struct sw_bytes name);

void sw_format_notes_free(struct sw_format_notes *notes);
/* Rows of several tables that were taken for the one table that nobody names, or one that was dropped: SW_ERR_USAGE, with their names. SW_OK: there is one, or none. */
enum sw_code sw_format_refuse_several_tables(struct sw_format_notes *notes, struct sw_error *error);
/* A record is of a table that is not in scope. Thread-safe; `notes` may be NULL. False: memory ran out. */
bool sw_format_note_other_table(struct sw_format_notes *notes, enum sw_role role, struct sw_bytes full);
/* A record has what a path or a column rule of the mapping names. Thread-safe; `notes` may be NULL. */
void sw_format_note_met(struct sw_format_notes *notes, const void *declaration);
/* Once no thread reads any more. */
bool sw_format_is_met(const struct sw_format_notes *notes, const void *declaration);

/* The bindings of one template, by the texts at its selectors. Hangs on sw_json_template.binding. */
struct sw_binding_set {
    struct sw_binding *only;                /* where names say it all: of the first record, for all that have its `fields`. NULL: sw_binding_find has to look */
    /* Where the selectors stand in what the usual form of the template holds: of all records that match it, if they have its `fields`. */
    struct sw_binding *usual;
    uint64_t usual_serial;                  /* of the usual form that `usual` is for */
    struct sw_selectors selectors;
    struct sw_binding_choice *choices;
    uint32_t count, capacity;
    uint32_t *slots, slot_count;            /* by the texts at the selectors: the index of a choice and one; 0: none. Open addressing, a power of two */
    uint32_t last;                          /* the one used last */
    uint32_t hand;                          /* where a choice that is not needed is looked for */
};
/* The binding of a record that matched the usual form of its template, if it is known: what sw_binding_find would find. */
static inline struct sw_binding *sw_binding_usual(const struct sw_binding_set *set, const struct sw_json_template *template, const struct sw_field_tree *fields)
{
    return set && set->usual && set->usual_serial == template->usual->serial && set->usual->fields == fields ? set->usual : NULL;
}
/* Such a record has the binding. */
void sw_binding_note_usual(struct sw_binding_set *set, struct sw_binding *binding, const struct sw_json_template *template);
/* The binding for a record, made if it is the first of its kind. NULL: the failure is in `error`. */
struct sw_binding *sw_binding_find(struct sw_binding_set **set, const struct sw_format *format, const struct sw_bind_context *context,
                                   const struct sw_example *example, struct sw_error *error);
void sw_binding_set_free(struct sw_binding_set **set);

#endif

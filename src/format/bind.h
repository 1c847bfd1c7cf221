/* What every format's bind is made of: nodes by path, the table that a record names, columns, images, order fields, sentences for the report. */
#ifndef SW_FORMAT_BIND_H
#define SW_FORMAT_BIND_H

#include "format/format.h"

struct sw_binder {
    const struct sw_bind_context *context;
    const struct sw_json_template *template;
    struct sw_binding *out;
    struct sw_error *error;
};

/* For sw_format.depth, where the members of a record's members need nodes of their own, and none further in. */
unsigned sw_bind_depth_one(const struct sw_mapping *mapping, enum sw_role role);

/* A binding without any node: what a bind starts with. */
void sw_bind_begin(struct sw_binding *out);
/* Records of this template are bad: the stable word of the reason, and what is wrong. The first problem stays. */
void sw_bind_problem(struct sw_binding *out, const char *reason, const char *format, ...) SW_PRINTF(3, 4);

/* The node at a path below `node`: member names joined by dots (none of a format's own names has one). SW_JSON_NO_NODE if it is not there. */
uint32_t sw_bind_node(const struct sw_json_template *template, uint32_t node, const char *path);
/* A key column stands at a node: what its type is, as `type` or the records' container says (NULL: only that), is noted while the first records are looked at. */
void sw_bind_learn_key(const struct sw_binder *binder, uint32_t key, uint32_t node, const struct sw_type *type);
/* The member of that name in an object, or SW_JSON_NO_NODE. */
uint32_t sw_bind_child(const struct sw_json_template *template, uint32_t object, struct sw_bytes name);
/* The node at a path of the mapping. */
uint32_t sw_bind_path(const struct sw_json_template *template, const struct sw_path *path);
/* The same for a path that the mapping declares, and notes that a record has it. */
uint32_t sw_bind_declared_path(const struct sw_binder *binder, const struct sw_path *path);
bool sw_bind_is_object(const struct sw_json_template *template, uint32_t node);
/* What stands at a path of the example; ABSENT if nothing does. */
struct sw_token sw_bind_token(const struct sw_example *example, const char *path);
/* The text of a selector of the example, unescaped into `out` (appended). False if it is no text. */
bool sw_bind_text(struct sw_buffer *out, const struct sw_example *example, uint32_t node);

/* Appends the texts of the array at a node, each with a NUL behind it: what names_keys gives. False if there is none, or anything else in it. */
bool sw_bind_names(struct sw_buffer *out, const struct sw_example *example, uint32_t node);
/* The same for an array that no node is of. */
bool sw_bind_names_in(struct sw_buffer *out, struct sw_token array);

/* What a record with several rows repeats in each of them (its types, its time, the envelope it came in) is not bounded by what may stand in a record. Is what the rows take so far, `expanded`,
 * more than any record that a pipeline writes turns into? `problem` says so then. */
bool sw_bind_repeats_too_much(char problem[256], const struct sw_buffer *expanded, const struct sw_example *example);

/* The record's event was read from a source and written by a server, both named at selectors (a server 0 or an empty text is none). SW_ERR_MEMORY. */
enum sw_code sw_bind_server(const struct sw_binder *binder, const struct sw_example *example, uint32_t source, uint32_t server);
/* Adds a sentence to what the report lists as assumed; the same sentence again changes nothing. Thread-safe. */
enum sw_code sw_bind_assume(const struct sw_binder *binder, const char *format, ...) SW_PRINTF(2, 3);

/* The binding's table, named in full as the format names it ("schema.table"). The declared table matches it whole or in its last part and then gives it its
 * name; another one makes the binding one of another table. */
enum sw_code sw_bind_table(const struct sw_binder *binder, struct sw_bytes full);

/* The same for a record that names a table and changes no row of it (a schema change, a mark): where nobody declares which table is meant, it is not taken for one
 * whose rows are in evidence. */
enum sw_code sw_bind_mentioned_table(const struct sw_binder *binder, struct sw_bytes full);

/* The same for a record that says that its table was dropped, which empties it: where nobody declares which table is meant, it changes no row, and the run is refused if rows of that table are in
 * evidence (sw_format_refuse_several_tables), since it cannot be known before all are read. */
enum sw_code sw_bind_dropped_table(const struct sw_binder *binder, struct sw_bytes full);

/* The record says that a database was dropped, and with it all its tables, which it does not name: a bad record, unless the declared tables are of others. */
void sw_bind_dropped_database(const struct sw_binder *binder, struct sw_bytes database);

/* For formats that find their table by themselves: of several declared tables, the one that a record names (empty: none) or that is declared for what holds it. What
 * it returns is an error that sw_binding_find takes for what it is: return it. */
/* The table whose partition the named one is, by `partitions` of the mapping, or itself; notes in the binding that it is one. A view of `full` or of the mapping. */
struct sw_bytes sw_bind_whole_table(const struct sw_binder *binder, struct sw_bytes full);
enum sw_code sw_bind_choose(const struct sw_binder *binder, struct sw_bytes full);

/* The binding's table where the record names none: the declared one, or the unnamed one. */
enum sw_code sw_bind_no_table(const struct sw_binder *binder);

/* The same, of a record that came in an envelope of Kafka: the topics of all such records are noted, since rows of several may be of several tables (sw_format_refuse_several_tables). */
enum sw_code sw_bind_table_of_topic(const struct sw_binder *binder, const struct sw_example *example);
/* Notes the topic alone. SW_ERR_MEMORY. */
enum sw_code sw_bind_note_topic(const struct sw_binder *binder, const struct sw_example *example);

/* An image without columns or key nodes: sw_bind_members fills it, sw_bind_image_end closes it. */
void sw_bind_image_begin(struct sw_bound_image *image);
/* The column of a name as it stands in the record. `type`: what the format's own schema says, NULL: what the records' container says, if anything; a declared type comes first. Gives the bound
 * column for a decoder or placeholder in *bound (may be NULL); *bound is NULL if the column is a key column, ignored or the delete flag. */
enum sw_code sw_bind_column(struct sw_bound_column **bound, struct sw_bound_image *image, const struct sw_binder *binder, uint32_t node, const struct sw_type *type);
/* The same for a column that is no key column, under a name of its own; its type and whether it is ignored are declared under `declared_as`. */
enum sw_code sw_bind_column_as(struct sw_bound_column **bound, struct sw_bound_image *image, const struct sw_binder *binder, uint32_t node,
                               struct sw_bytes name, struct sw_bytes declared_as, const struct sw_type *type);
/* The members of an object are columns of no known type. */
enum sw_code sw_bind_members(struct sw_bound_image *image, const struct sw_binder *binder, uint32_t object);
/* Sorts the columns, finds their set and says whether the key is complete. Pointers that sw_bind_column gave are void after it. */
enum sw_code sw_bind_image_end(struct sw_bound_image *image, const struct sw_binder *binder);
/* All three: the image whose columns are the members of the object. */
enum sw_code sw_bind_object(struct sw_bound_image *image, const struct sw_binder *binder, uint32_t object);

/* Where every key column has one beside it with BI_ before its name, as AWS DMS's add-before-image-columns writes them, those of the object tell the row before an update: the key goes to
 * `before`, and the report lists it as assumed. Source: AWS DMS user guide, "Transformation rules and actions". */
enum sw_code sw_bind_before_columns(const struct sw_binder *binder, uint32_t object);
/* Is that member of the object one of them, and no value then? */
bool sw_bind_is_before_column(const struct sw_binder *binder, uint32_t object, struct sw_bytes name);

/* A column's name after renaming, and the place of a name among the key columns (UINT32_MAX: none). */
struct sw_bytes sw_bind_renamed(const struct sw_binder *binder, struct sw_bytes name);
uint32_t sw_bind_key_index(const struct sw_binder *binder, struct sw_bytes name);

/* Where the envelope of a record keeps what orders need. */
extern const struct sw_order_place sw_bind_envelope_places[];
/* Where each field of the run's order stands: at the path of the mapping if it declares one, else in the envelope, else where `places` says (ended by a
 * NULL policy; NULL: nowhere). */
void sw_bind_order(const struct sw_binder *binder, const struct sw_order_place *places);

#endif

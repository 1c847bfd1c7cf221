/* What the files of the format debezium share: what a schema block says of a column, how its values are decoded, and what stands for
 * "unavailable". Rules: debezium's documentation/modules/ROOT/pages/connectors, io.debezium.time, io.debezium.data, and Kafka Connect's JsonConverter. */
#ifndef SW_FORMAT_DEBEZIUM_H
#define SW_FORMAT_DEBEZIUM_H

#include "format/format.h"

/* Which spellings of the placeholder a column may have. */
enum sw_debezium_spellings { SW_DEBEZIUM_ANY_SPELLING, SW_DEBEZIUM_TEXT_SPELLING, SW_DEBEZIUM_BYTES_SPELLING, SW_DEBEZIUM_NESTED_SPELLING, SW_DEBEZIUM_SPELLING_KINDS };

/* One column as a schema block describes it. */
struct sw_debezium_column {
    struct sw_bytes name;               /* unescaped */
    struct sw_type type;                /* `any` where the schema says nothing that is of use */
    sw_decode_fn decode;
    int32_t scale;
    enum sw_debezium_spellings spellings;
};

/* The columns of one row, sorted by name. */
struct sw_debezium_schema {
    struct sw_debezium_column *columns;
    size_t count, capacity;
    struct sw_buffer names, top_name;   /* `top_name`: of the schema itself */
    bool failed;                        /* memory ran out */
};

/* Reads a schema block (an OBJECT token). `row` names the field that holds the row ("after"); NULL: the fields are those of the row itself. */
void sw_debezium_schema_read(struct sw_debezium_schema *out, struct sw_token block, const char *row);
void sw_debezium_schema_free(struct sw_debezium_schema *schema);
const struct sw_debezium_column *sw_debezium_schema_find(const struct sw_debezium_schema *schema, struct sw_bytes name);

/* Decoders (sw_decode_fn). Decimals: base64 of a big-endian two's complement number without its point (number and text as they are). */
bool sw_debezium_decimal(struct sw_token *value, struct sw_decode_room *room, const struct sw_bound_column *column);
/* {"scale":2,"value":"MDk="}. */
bool sw_debezium_variable_decimal(struct sw_token *value, struct sw_decode_room *room, const struct sw_bound_column *column);
/* Arrays of either. */
bool sw_debezium_decimals(struct sw_token *value, struct sw_decode_room *room, const struct sw_bound_column *column);
bool sw_debezium_variable_decimals(struct sw_token *value, struct sw_decode_room *room, const struct sw_bound_column *column);
/* Base64 of little-endian bytes: digits 0 and 1, the highest bit first, column->scale of them (0: as many as the bytes hold); a number where a type of integers is declared. */
bool sw_debezium_bits(struct sw_token *value, struct sw_decode_room *room, const struct sw_bound_column *column);
/* Dates and timestamps as numbers of column->scale (an enum sw_time_unit), or without a schema as text, too: those that stand for PostgreSQL's infinities become these.
 * Seen in what the connector 3.6.1 wrote (tests/record); the driver's PGStatement.DATE_POSITIVE_INFINITY, and days that overflow 32 bits. */
bool sw_debezium_time(struct sw_token *value, struct sw_decode_room *room, const struct sw_bound_column *column);
/* IsoDate, IsoTime, IsoTimestamp: wall-clock text that ends in a Z which means nothing. */
bool sw_debezium_iso_local(struct sw_token *value, struct sw_decode_room *room, const struct sw_bound_column *column);
/* StructuredDate, StructuredTime, StructuredTimestamp, with a zone or without. */
bool sw_debezium_structured(struct sw_token *value, struct sw_decode_room *room, const struct sw_bound_column *column);
/* decimal.handling.mode=string: NAN, POSITIVE_INFINITY and NEGATIVE_INFINITY (io.debezium.data.SpecialValueDecimal) are PostgreSQL's NaN and infinities. */
bool sw_debezium_decimal_text(struct sw_token *value, struct sw_decode_room *room, const struct sw_bound_column *column);
/* A value without a schema under a declared type decimal or bytes: what a schema would be needed for is refused. */
bool sw_debezium_decimal_without_schema(struct sw_token *value, struct sw_decode_room *room, const struct sw_bound_column *column);

/* sw_binding.absent_key of events that show no row: PostgreSQL's deletes of tables without a replica identity, MongoDB's of collections without pre-images. */
#define SW_DEBEZIUM_ABSENT_KEY "the event shows no row, and its key is in the Kafka record's key alone: dump the topic with its keys (kcat -J; kafka-console-consumer with print.key=true)"

/* Is it an event of MongoDB's connector (document.c)? */
bool sw_debezium_is_document(const struct sw_example *example);

/* The placeholder in every spelling. */
struct sw_debezium_placeholders {
    struct sw_placeholders of[SW_DEBEZIUM_SPELLING_KINDS];
    uint8_t text[];
};
/* `placeholder`: its text, or hex:DIGITS for bytes; NULL: Debezium's own. NULL if memory ran out. Owner: the caller, sw_free. */
struct sw_debezium_placeholders *sw_debezium_placeholders_new(const char *placeholder);

#endif

#include "source/postgres/pgoutput.h"

#include <endian.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "text/json_value.h"
#include "text/json_write.h"
#include "text/postgres_array.h"

#define RELATIONS_MAX 65536u

enum { OID_BOOL = 16, OID_TEXT = 25 };

/* Built-in types by number: numbers of pg_catalog's types never change. The names are those that the format wal2json knows. */
static const struct { uint32_t oid; const char *name; bool number; } known_types[] = {
    {OID_BOOL, "boolean", false}, {17, "bytea", false}, {20, "bigint", true}, {21, "smallint", true}, {23, "integer", true}, {OID_TEXT, "text", false}, {26, "oid", true}, {114, "json", false},
    {700, "real", true}, {701, "double precision", true}, {1042, "text", false}, {1043, "text", false}, {1082, "date", false}, {1083, "time without time zone", false},
    {1114, "timestamp without time zone", false}, {1184, "timestamp with time zone", false}, {1186, "interval", false}, {1266, "time with time zone", false}, {1700, "numeric", true}, {2950, "uuid", false}, {3802, "jsonb", false}};

struct reader {
    const uint8_t *at, *end;
    bool cut;
};

static uint64_t get(struct reader *from, unsigned bytes)
{
    uint64_t value = 0;
    if ((size_t)(from->end - from->at) < bytes) {
        from->cut = true;
        from->at = from->end;
        return 0;
    }
    for (unsigned i = 0; i < bytes; i++)
        value = value << 8 | *from->at++;
    return value;
}

static struct sw_bytes get_bytes(struct reader *from, size_t len)
{
    if ((size_t)(from->end - from->at) < len) {
        from->cut = true;
        from->at = from->end;
        return (struct sw_bytes){0};
    }
    from->at += len;
    return sw_bytes_of(from->at - len, len);
}

/* A text that ends with a NUL. */
static struct sw_bytes get_text(struct reader *from)
{
    const uint8_t *nul = from->at < from->end ? memchr(from->at, 0, (size_t)(from->end - from->at)) : NULL;
    if (!nul) {
        from->cut = true;
        from->at = from->end;
        return (struct sw_bytes){0};
    }
    struct sw_bytes text = sw_bytes_of(from->at, (size_t)(nul - from->at));
    from->at = nul + 1;
    return text;
}

static enum sw_pgoutput_status malformed(struct sw_pgoutput *self, const char *what)
{
    snprintf(self->problem, sizeof self->problem, "a message of pgoutput is none: %s", what);
    return SW_PGOUTPUT_MALFORMED;
}

/* ---- values ---- */

static struct sw_pgoutput_type type_of(const struct sw_pgoutput *self, uint32_t oid)
{
    size_t low = 0, high = self->type_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (self->types[middle].oid < oid)
            low = middle + 1;
        else
            high = middle;
    }
    return low < self->type_count && self->types[low].oid == oid ? self->types[low] : (struct sw_pgoutput_type){oid, oid, 0};
}

static void add_scalar(struct sw_buffer *out, uint32_t base, struct sw_bytes text)
{
    bool number = false;
    for (size_t i = 0; i < sizeof known_types / sizeof *known_types; i++)
        number |= known_types[i].oid == base && known_types[i].number;
    if (base == OID_BOOL && (sw_bytes_is(text, "t") || sw_bytes_is(text, "f")))
        sw_buffer_add_text(out, *text.at == 't' ? "true" : "false");
    else if (number && text.len && sw_json_number_end(text.at, text.at + text.len) == text.at + text.len)
        sw_buffer_add_bytes(out, text);
    else /* NaN and infinities, too */
        sw_json_write_text(out, text);
}

/* An array as JSON. False: it is none, or memory ran out. */
static bool add_array(struct sw_buffer *out, uint32_t element, struct sw_bytes text)
{
    struct sw_buffer room = {0};
    struct sw_postgres_array walk = sw_postgres_array_walk(text, &room);
    enum sw_postgres_array_step step;
    for (bool first = true; (step = sw_postgres_array_next(&walk)) < SW_POSTGRES_ARRAY_END; first = step == SW_POSTGRES_ARRAY_OPEN) {
        if (!first && step != SW_POSTGRES_ARRAY_CLOSE)
            sw_buffer_add_byte(out, ',');
        if (step == SW_POSTGRES_ARRAY_OPEN || step == SW_POSTGRES_ARRAY_CLOSE)
            sw_buffer_add_byte(out, step == SW_POSTGRES_ARRAY_OPEN ? '[' : ']');
        else if (step == SW_POSTGRES_ARRAY_NULL)
            sw_buffer_add_text(out, "null");
        else
            add_scalar(out, element, walk.element.len ? walk.element : SW_BYTES_LITERAL(""));
    }
    out->failed |= room.failed;
    sw_buffer_free(&room);
    return step == SW_POSTGRES_ARRAY_END;
}

bool sw_pgoutput_value(struct sw_buffer *out, const struct sw_pgoutput *self, uint32_t oid, struct sw_bytes text)
{
    struct sw_pgoutput_type type = type_of(self, oid);
    if (!type.element) {
        add_scalar(out, type.base, text);
        return true;
    }
    size_t before = out->len;
    bool good = add_array(out, type.element, text);
    if (!good)
        out->len = before;
    return good;
}

/* What is none of these is text, as a table's columns are read. An array's name is that of its elements and []. */
static const char *name_of(const struct sw_pgoutput *self, uint32_t oid, bool *array)
{
    struct sw_pgoutput_type type = type_of(self, oid);
    *array = type.element != 0;
    for (size_t i = 0; i < sizeof known_types / sizeof *known_types; i++)
        if (known_types[i].oid == (type.element ? type.element : type.base))
            return known_types[i].name;
    return "text";
}

/* ---- relations ---- */

static void forget(struct sw_pgoutput_relation *relation)
{
    for (uint32_t i = 0; i < relation->column_count; i++)
        sw_free(relation->columns[i].name);
    sw_free(relation->columns);
    sw_free(relation->schema);
    sw_free(relation->table);
    *relation = (struct sw_pgoutput_relation){0};
}

void sw_pgoutput_free(struct sw_pgoutput *self)
{
    for (uint32_t i = 0; i < self->relation_count; i++)
        forget(&self->relations[i]);
    sw_free(self->relations);
    sw_free(self->relation_slots);
    self->relations = NULL;
    self->relation_slots = NULL;
    self->relation_count = self->relation_capacity = 0;
}

/* The slot of a table, or the free one where it belongs. */
static uint32_t *slot_of(const struct sw_pgoutput *self, uint32_t id)
{
    uint32_t mask = 2 * self->relation_capacity - 1, at = (uint32_t)((uint64_t)id * 0x9e3779b97f4a7c15u >> 32) & mask;
    while (self->relation_slots[at] && self->relations[self->relation_slots[at] - 1].id != id)
        at = (at + 1) & mask;
    return &self->relation_slots[at];
}

static struct sw_pgoutput_relation *find_relation(const struct sw_pgoutput *self, uint32_t id)
{
    uint32_t slot = self->relation_count ? *slot_of(self, id) : 0;
    return slot ? &self->relations[slot - 1] : NULL;
}

/* Room for one more table; NULL if memory ran out. */
static struct sw_pgoutput_relation *add_relation(struct sw_pgoutput *self, uint32_t id)
{
    if (self->relation_count == self->relation_capacity) {
        uint32_t capacity = self->relation_capacity ? self->relation_capacity * 2 : 8;
        struct sw_pgoutput_relation *grown = sw_realloc_array(self->relations, capacity, sizeof *grown);
        if (grown)
            self->relations = grown;
        uint32_t *slots = grown ? sw_calloc(2 * (size_t)capacity, sizeof *slots) : NULL;
        if (!slots)
            return NULL;
        sw_free(self->relation_slots);
        self->relation_slots = slots;
        self->relation_capacity = capacity;
        for (uint32_t i = 0; i < self->relation_count; i++)
            *slot_of(self, self->relations[i].id) = i + 1;
    }
    struct sw_pgoutput_relation *relation = &self->relations[self->relation_count];
    *relation = (struct sw_pgoutput_relation){.id = id};
    *slot_of(self, id) = ++self->relation_count;
    return relation;
}

static char *copy(struct sw_bytes text) { return sw_strndup(text.len ? (const char *)text.at : "", text.len); }

static enum sw_pgoutput_status read_relation(struct sw_pgoutput *self, struct reader *from)
{
    struct sw_pgoutput_relation relation = {.id = (uint32_t)get(from, 4)};
    struct sw_bytes schema = get_text(from), table = get_text(from);
    (void)get(from, 1); /* the replica identity's kind: the columns' flags say what is needed */
    uint32_t count = (uint32_t)get(from, 2);
    if (from->cut || (size_t)(from->end - from->at) < (size_t)count * 10)
        return malformed(self, "it is cut in a table's description");
    relation.schema = copy(schema.len ? schema : SW_BYTES_LITERAL("pg_catalog")); /* which alone is sent as an empty name */
    relation.table = copy(table);
    relation.columns = sw_calloc(count, sizeof *relation.columns);
    bool memory = relation.schema && relation.table && relation.columns;
    for (uint32_t i = 0; i < count && memory && !from->cut; i++) {
        struct sw_pgoutput_column *column = &relation.columns[i];
        column->key = get(from, 1) & 1;
        column->name = copy(get_text(from));
        column->type = (uint32_t)get(from, 4);
        (void)get(from, 4); /* its modifier */
        memory = column->name != NULL;
        relation.column_count += memory;
    }
    struct sw_pgoutput_relation *known = find_relation(self, relation.id);
    if (!known && memory && !from->cut && self->relation_count < RELATIONS_MAX)
        known = add_relation(self, relation.id);
    if (known && memory && !from->cut) {
        forget(known);
        *known = relation;
        return SW_PGOUTPUT_OK;
    }
    forget(&relation);
    return from->cut ? malformed(self, "it is cut in a table's description") : SW_PGOUTPUT_NO_MEMORY;
}

/* ---- rows ---- */

/* Appends ,"MEMBER":[{"name":…,"type":…,"value":…},…] of a tuple. `keys`: only columns of the replica identity are there; values that are unchanged and stored elsewhere are left out. */
static enum sw_pgoutput_status add_tuple(struct sw_buffer *out, struct sw_pgoutput *self, struct reader *from, const struct sw_pgoutput_relation *relation, const char *member, bool keys)
{
    uint32_t count = (uint32_t)get(from, 2);
    bool first = true;
    if (from->cut || count != relation->column_count)
        return malformed(self, "a row has not as many columns as its table");
    sw_buffer_printf(out, ",\"%s\":[", member);
    for (uint32_t i = 0; i < count; i++) {
        const struct sw_pgoutput_column *column = &relation->columns[i];
        char kind = (char)get(from, 1);
        struct sw_bytes value = {0};
        if (kind == 't')
            value = get_bytes(from, get(from, 4));
        if (from->cut || (kind != 't' && kind != 'n' && kind != 'u'))
            return malformed(self, "a value has a form that was not asked for, or is cut");
        if (kind == 'u' || (keys && !column->key))
            continue;
        sw_buffer_add_text(out, first ? "{\"name\":" : ",{\"name\":");
        sw_json_write_text(out, sw_bytes_text(column->name));
        bool array;
        const char *name = name_of(self, column->type, &array);
        sw_buffer_printf(out, ",\"type\":\"%s%s\",\"value\":", name, array ? "[]" : "");
        if (kind == 'n')
            sw_buffer_add_text(out, "null");
        else if (!sw_pgoutput_value(out, self, column->type, value.len ? value : SW_BYTES_LITERAL("")))
            sw_json_write_text(out, value); /* an array that is none: the reader says so */
        sw_buffer_add_byte(out, '}');
        first = false;
    }
    sw_buffer_add_byte(out, ']');
    return SW_PGOUTPUT_OK;
}

static void begin_line(struct sw_buffer *out, const struct sw_pgoutput *self, char action, struct sw_bytes lsn)
{
    sw_buffer_printf(out, "{\"action\":\"%c\",\"xid\":%u,\"lsn\":", action, self->xid);
    sw_json_write_text(out, lsn);
}

static void add_table(struct sw_buffer *out, const struct sw_pgoutput_relation *relation)
{
    sw_buffer_add_text(out, ",\"schema\":");
    sw_json_write_text(out, sw_bytes_text(relation->schema));
    sw_buffer_add_text(out, ",\"table\":");
    sw_json_write_text(out, sw_bytes_text(relation->table));
}

static enum sw_pgoutput_status read_row(struct sw_buffer *out, struct sw_pgoutput *self, struct reader *from, char action, struct sw_bytes lsn)
{
    const struct sw_pgoutput_relation *relation = find_relation(self, (uint32_t)get(from, 4));
    struct sw_buffer identity = {0};
    enum sw_pgoutput_status status = SW_PGOUTPUT_OK;
    if (from->cut || !relation)
        return malformed(self, "a row of a table that was not described");
    begin_line(out, self, action, lsn);
    add_table(out, relation);
    char part = (char)get(from, 1);
    if (action != 'I' && (part == 'K' || part == 'O')) {
        status = add_tuple(&identity, self, from, relation, "identity", part == 'K');
        part = action == 'U' && status == SW_PGOUTPUT_OK ? (char)get(from, 1) : 0;
    } else if (action == 'D') {
        status = malformed(self, "a removal without its key");
    }
    if (status == SW_PGOUTPUT_OK && action != 'D')
        status = part == 'N' ? add_tuple(out, self, from, relation, "columns", false) : malformed(self, "a row without its new values");
    sw_buffer_add_bytes(out, sw_buffer_view(&identity));
    out->failed |= identity.failed;
    sw_buffer_free(&identity);
    sw_buffer_add_text(out, "}\n");
    return status;
}

static enum sw_pgoutput_status read_truncate(struct sw_buffer *out, struct sw_pgoutput *self, struct reader *from, struct sw_bytes lsn)
{
    uint32_t count = (uint32_t)get(from, 4);
    (void)get(from, 1);
    if (from->cut || (size_t)(from->end - from->at) < (size_t)count * 4)
        return malformed(self, "it is cut in the list of emptied tables");
    for (uint32_t i = 0; i < count; i++) {
        const struct sw_pgoutput_relation *relation = find_relation(self, (uint32_t)get(from, 4));
        if (!relation)
            return malformed(self, "an emptied table that was not described");
        begin_line(out, self, 'T', lsn);
        add_table(out, relation);
        sw_buffer_add_text(out, "}\n");
    }
    return SW_PGOUTPUT_OK;
}

/* As wal2json does, the marks of a transaction carry the position of its commit. */
static void add_mark(struct sw_buffer *out, const struct sw_pgoutput *self, char action, uint64_t commit)
{
    char lsn[32];
    snprintf(lsn, sizeof lsn, "%X/%X", (unsigned)(commit >> 32), (unsigned)commit);
    begin_line(out, self, action, sw_bytes_text(lsn));
    sw_buffer_add_text(out, "}\n");
}

enum sw_pgoutput_status sw_pgoutput_message(struct sw_buffer *out, struct sw_pgoutput *self, struct sw_bytes message, struct sw_bytes lsn)
{
    struct reader from = {message.at, message.at + message.len, false};
    uint64_t commit;
    size_t before = out->len;
    enum sw_pgoutput_status status = SW_PGOUTPUT_OK;
    char kind = (char)get(&from, 1);
    switch (kind) {
    case 'B':
        commit = get(&from, 8);
        (void)get_bytes(&from, 8); /* its time */
        self->xid = (uint32_t)get(&from, 4);
        add_mark(out, self, 'B', commit);
        break;
    case 'C':
        (void)get_bytes(&from, 1); /* flags */
        commit = get(&from, 8);
        (void)get_bytes(&from, 16); /* the end's position, and the time */
        add_mark(out, self, 'C', commit);
        break;
    case 'R': status = read_relation(self, &from); break;
    case 'I':
    case 'U':
    case 'D': status = read_row(out, self, &from, kind, lsn); break;
    case 'T': status = read_truncate(out, self, &from, lsn); break;
    case 'O': /* origin, type, message: nothing of a row */
    case 'Y':
    case 'M': from.at = from.end; break;
    default: status = malformed(self, "its kind is unknown"); break;
    }
    if (status == SW_PGOUTPUT_OK && (from.cut || from.at != from.end))
        status = malformed(self, from.cut ? "it is cut" : "it goes on behind its end");
    if (out->failed)
        status = SW_PGOUTPUT_NO_MEMORY;
    if (status != SW_PGOUTPUT_OK)
        out->len = before;
    return status;
}

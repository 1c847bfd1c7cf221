/* What all kinds share: allocation, attributes, spaces, refusing times, and the public calls. */
#include "position/position.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/memory.h"
#include "position/attribute.h"
#include "position/scan.h"

static const char *const note_texts[] = {
    "a number has a leading zero: it is read as decimal, but old servers may read it as octal, so do not write it",
    "an interval whose end lies below its start is empty, and was left out",
    "twenty digits without a prefix are read as hexadecimal (8+8+4), not as a decimal LSN; write 0x... or 8:8:4 to be sure",
    "the number also reads as a time since 1970: if it is one, it is no position",
    "no offset was given: the head of the file is meant",
    "a decimal LSN, as Debezium writes it",
    "no topic and partition were given: nothing shows that two such offsets are of one partition",
    "0/0 is the invalid LSN: it means that there is no position",
};

const char *sw_position_order_name(enum sw_position_order order)
{
    switch (order) {
    case SW_POSITION_BEFORE: return "before";
    case SW_POSITION_EQUAL: return "equal";
    case SW_POSITION_AFTER: return "after";
    case SW_POSITION_INCOMPARABLE: break;
    }
    return "incomparable";
}

void sw_position__say(struct sw_position_comparison *out, enum sw_position_order order, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    out->order = order;
    vsnprintf(out->reason, sizeof out->reason, format, args);
    va_end(args);
}

void sw_position__assume(struct sw_position_comparison *out, const char *format, ...)
{
    size_t len = strlen(out->assumed);
    if (len && len + 2 < sizeof out->assumed) {
        memcpy(out->assumed + len, "; ", 3);
        len += 2;
    }
    va_list args;
    va_start(args, format);
    vsnprintf(out->assumed + len, sizeof out->assumed - len, format, args);
    va_end(args);
}

const char *sw_position__quote(char out[SW_QUOTE_MAX], struct sw_bytes text)
{
    static const char digits[] = "0123456789abcdef";
    const size_t room = SW_QUOTE_MAX - 10; /* quotes, one escape, ellipsis, NUL */
    size_t len = 0, i = 0;
    out[len++] = '\'';
    for (; i < text.len && len < room; i++) {
        uint8_t byte = text.at[i];
        if (byte >= ' ' && byte < 127) {
            out[len++] = (char)byte;
        } else {
            out[len++] = '\\';
            out[len++] = 'x';
            out[len++] = digits[byte >> 4];
            out[len++] = digits[byte & 15];
        }
    }
    if (i < text.len) {
        memcpy(out + len, "...", 3);
        len += 3;
    }
    out[len++] = '\'';
    out[len] = '\0';
    return out;
}

struct sw_position *sw_position__new(const struct sw_position_kind *kind)
{
    struct sw_position *self = sw_calloc(1, kind->size);
    if (self)
        self->kind = kind;
    return self;
}

void sw_position_free(struct sw_position **position)
{
    if (!position || !*position)
        return;
    struct sw_position *self = *position;
    if (self->kind->release)
        self->kind->release(self);
    for (size_t i = 0; i < SW_ATTRIBUTES_MAX; i++)
        sw_free(self->attributes[i]);
    sw_free(self);
    *position = NULL;
}

static enum sw_code refuse_time(const struct sw_position_kind *kind, struct sw_bytes text, struct sw_error *error)
{
    char quoted[SW_QUOTE_MAX];
    if (error)
        *error = (struct sw_error){0};
    return sw_fail(error, SW_ERR_INPUT,
        "%s is a time, not a position: a time says when somebody looked, a position says from where the source's log goes on, and only the second can prove that nothing is missing; give %s, such as %s",
        sw_position__quote(quoted, text), kind->info.form, kind->info.example);
}

/* Adds to the message what a text that is no position of `kind` is instead: a position of another kind, or Vitess's. SW_ERR_INPUT, or SW_ERR_MEMORY. */
static enum sw_code say_otherwise(struct sw_error *fault, const struct sw_position_kind *kind, struct sw_bytes text)
{
    enum { LOOKED_AT = 4096 };
    static const char vitess[] = "MySQL56/";
    size_t used = strlen(fault->text), count = 0, digits = 0;
    const struct sw_position_kind_info *info;
    if (text.len == 0 || text.len > LOOKED_AT)
        return SW_ERR_INPUT;
    for (size_t i = 0; i < text.len; i++)
        digits += text.at[i] >= '0' && text.at[i] <= '9';
    if (memmem(text.at, text.len, vitess, sizeof vitess - 1)) {
        snprintf(fault->text + used, sizeof fault->text - used, "; this is of Vitess: each shard has a set of its own, so judge one at a time with --kind mysql-gtid and what stands behind its MySQL56/");
        return SW_ERR_INPUT;
    }
    for (size_t i = 0; digits < text.len && (info = sw_position_kind_at(i)); i++) { /* a bare number could be of most kinds */
        const struct sw_position_kind *other = sw_position__kind(info->name);
        struct sw_position *position = NULL;
        if (other == kind)
            continue;
        enum sw_code code = sw_position__parse(&position, other, text, NULL);
        if (code == SW_ERR_MEMORY) {
            *fault = (struct sw_error){0};
            return sw_fail_memory(fault, "a position", text.len);
        }
        if (code >= 0 && used < sizeof fault->text)
            used += (size_t)snprintf(fault->text + used, sizeof fault->text - used, "%s --kind %s", count++ ? " or" : "; it reads as", info->name);
        sw_position_free(&position);
    }
    return SW_ERR_INPUT;
}

enum sw_code sw_position__parse(struct sw_position **out, const struct sw_position_kind *kind, struct sw_bytes text, struct sw_error *error)
{
    *out = NULL;
    const size_t most = kind->info.is_set || kind->whole_text ? SW_POSITION_TEXT_MAX : SW_POSITION_PLAIN_TEXT_MAX;
    if (text.len > most)
        return sw_fail(error, SW_ERR_LIMIT, "a %s position of %zu bytes: at most %zu are read", kind->info.name, text.len, most);
    text = sw_trim(text);
    struct sw_bytes core = text, attributes = {0};
    if (!kind->whole_text)
        sw_attributes_split(&core, &attributes, text);
    if (!core.len && !kind->info.is_set)
        return sw_fail(error, SW_ERR_INPUT, "an empty text is no %s position: give %s, such as %s", kind->info.name, kind->info.form, kind->info.example);
    struct sw_position *self = sw_position__new(kind);
    if (!self)
        return sw_fail_memory(error, "a position", kind->size);
    struct sw_error fault = {0};
    enum sw_code code = kind->parse(self, core, &fault);
    if (code == SW_ERR_INPUT && sw_position__reads_as_time(core)) {
        code = refuse_time(kind, core, &fault);
    } else if (code == SW_ERR_INPUT && error) {
        code = say_otherwise(&fault, kind, text);
    } else if (code >= 0) {
        code = sw_attributes_parse(self, attributes, &fault);
        if (code >= 0 && kind->settle)
            code = kind->settle(self, &fault);
    }
    if (code < 0) {
        sw_position_free(&self);
        return sw_fail(error, code, "%s", fault.text);
    }
    *out = self;
    return SW_OK;
}

enum sw_code sw_position_parse(struct sw_position **out, const char *kind, const char *text, size_t len, struct sw_error *error)
{
    *out = NULL;
    const struct sw_position_kind *known = sw_position__kind(kind);
    if (known)
        return sw_position__parse(out, known, sw_bytes_of(text, len), error);
    char names[256] = "";
    size_t used = 0;
    const struct sw_position_kind_info *info;
    for (size_t i = 0; (info = sw_position_kind_at(i)) && used < sizeof names; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", info->name);
    char quoted[SW_QUOTE_MAX];
    return sw_fail(error, SW_ERR_USAGE, "unknown kind of position %s: expected one of %s", sw_position__quote(quoted, sw_bytes_text(kind ? kind : "")), names);
}

const struct sw_position_kind_info *sw_position_kind(const struct sw_position *position) { return &position->kind->info; }

void sw_position__print(struct sw_buffer *out, const struct sw_position *position)
{
    position->kind->print(out, position);
    sw_attributes_print(out, position);
}

enum sw_code sw_position_print(char **out, size_t *len, const struct sw_position *position, struct sw_error *error)
{
    struct sw_buffer buffer = {0};
    *out = NULL;
    sw_position__print(&buffer, position);
    char *text = sw_buffer_text(&buffer);
    if (buffer.failed || !text) {
        size_t wanted = buffer.len;
        sw_buffer_free(&buffer);
        return sw_fail_memory(error, "the text of a position", wanted);
    }
    if (len)
        *len = buffer.len;
    *out = text;
    return SW_OK;
}

void sw_position_text_free(char **text)
{
    if (text) {
        sw_free(*text);
        *text = NULL;
    }
}

const char *sw_position_attribute(const struct sw_position *position, const char *name)
{
    size_t index = sw_attribute_index(position->kind, sw_bytes_text(name));
    return index == SIZE_MAX ? NULL : position->attributes[index];
}

const char *sw_position_note(const struct sw_position *position, size_t index)
{
    for (size_t bit = 0; bit < sizeof note_texts / sizeof *note_texts; bit++)
        if ((position->notes >> bit & 1) && index-- == 0)
            return note_texts[bit];
    return NULL;
}

enum sw_position_order sw_position_compare(struct sw_position_comparison *out, const struct sw_position *a, const struct sw_position *b,
    const struct sw_position_compare_options *options)
{
    static const struct sw_position_compare_options none = {sizeof none, NULL, false};
    struct sw_position_comparison local;
    if (!out)
        out = &local;
    if (!options)
        options = &none;
    out->order = SW_POSITION_INCOMPARABLE;
    out->reason[0] = out->assumed[0] = '\0';
    if (a->kind != b->kind)
        sw_position__say(out, SW_POSITION_INCOMPARABLE, "a %s position and a %s position stand in different logs", a->kind->info.name, b->kind->info.name);
    else if ((a->kind->across_spaces && a->kind->across_spaces(a, b)) || sw_attributes_same_space(out, a, b, options->same_source))
        a->kind->compare(out, a, b, options);
    if (out->order == SW_POSITION_INCOMPARABLE)
        out->assumed[0] = '\0'; /* an answer that rests on nothing needs no assumption */
    return out->order;
}

static enum sw_code copy_attributes(struct sw_position *to, const struct sw_position *from, struct sw_error *error)
{
    for (size_t i = 0; i < SW_ATTRIBUTES_MAX; i++)
        if (from->attributes[i] && !(to->attributes[i] = sw_strdup(from->attributes[i])))
            return sw_fail_memory(error, "an attribute", strlen(from->attributes[i]) + 1);
    return SW_OK;
}

enum sw_code sw_position__with(struct sw_position **out, const struct sw_position *position, const char *name, struct sw_bytes value, struct sw_error *error)
{
    *out = NULL;
    size_t index = sw_attribute_index(position->kind, sw_bytes_text(name));
    if (index == SIZE_MAX)
        return sw_fail(error, SW_ERR_INTERNAL, "kind %s has no attribute %s", position->kind->info.name, name);
    struct sw_buffer text = {0};
    position->kind->print(&text, position);
    struct sw_position *copy = sw_position__new(position->kind);
    enum sw_code code = !copy || text.failed ? sw_fail_memory(error, "a position", position->kind->size + text.len) : copy->kind->parse(copy, sw_buffer_view(&text), error);
    if (code >= 0)
        code = copy_attributes(copy, position, error);
    if (code >= 0)
        code = sw_attribute_set(copy, index, value, error);
    if (code >= 0 && copy->kind->settle)
        code = copy->kind->settle(copy, error);
    sw_buffer_free(&text);
    if (code < 0) {
        sw_position_free(&copy);
        return code;
    }
    copy->notes = position->notes;
    *out = copy;
    return SW_OK;
}

static enum sw_code check_sets(const struct sw_position *a, const struct sw_position *b, struct sw_error *error)
{
    if (!a->kind->sets)
        return sw_fail(error, SW_ERR_UNSUPPORTED, "a %s position is no set: it can be compared, not united or subtracted", a->kind->info.name);
    struct sw_position_comparison space = {0};
    if (a->kind != b->kind)
        return sw_fail(error, SW_ERR_INPUT, "a %s position and a %s position stand in different logs", a->kind->info.name, b->kind->info.name);
    if (!sw_attributes_same_space(&space, a, b, false))
        return sw_fail(error, SW_ERR_INPUT, "%s", space.reason);
    return SW_OK;
}

static enum sw_code operate(struct sw_position **out, const struct sw_position *a, const struct sw_position *b, enum sw_set_operation operation, struct sw_error *error)
{
    *out = NULL;
    enum sw_code code = check_sets(a, b, error);
    if (code < 0)
        return code;
    struct sw_position *made = sw_position__new(a->kind);
    if (!made)
        return sw_fail_memory(error, "a position", a->kind->size);
    code = a->kind->sets->combine(made, a, b, operation, error);
    if (code >= 0)
        code = copy_attributes(made, a, error);
    if (code >= 0 && made->kind->settle)
        code = made->kind->settle(made, error);
    if (code < 0) {
        sw_position_free(&made);
        return code;
    }
    *out = made;
    return SW_OK;
}

enum sw_code sw_position_unite(struct sw_position **out, const struct sw_position *a, const struct sw_position *b, struct sw_error *error) { return operate(out, a, b, SW_SET_UNITE, error); }
enum sw_code sw_position_subtract(struct sw_position **out, const struct sw_position *a, const struct sw_position *b, struct sw_error *error) { return operate(out, a, b, SW_SET_SUBTRACT, error); }
enum sw_code sw_position_intersect(struct sw_position **out, const struct sw_position *a, const struct sw_position *b, struct sw_error *error) { return operate(out, a, b, SW_SET_INTERSECT, error); }

enum sw_code sw_position_contains(bool *out, const struct sw_position *a, const struct sw_position *b, struct sw_error *error)
{
    *out = false;
    enum sw_code code = check_sets(a, b, error);
    if (code >= 0)
        *out = a->kind->sets->contains(a, b);
    return code;
}

uint64_t sw_position_count(const struct sw_position *position) { return position->kind->sets ? position->kind->sets->count(position) : 1; }

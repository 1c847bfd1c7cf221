#include "continuity/probed.h"

#include "base/memory.h"
#include "report/width.h"

#define VALUE_COLUMNS 60
/* A topic can have thousands of partitions, a server hundreds of logs. */
#define OBJECTS_SHOWN 12

struct sw_probed *sw_probed_new(void)
{
    struct sw_probed *probed = sw_calloc(1, sizeof *probed);
    if (probed && !sw_probed_add(probed, "settings"))
        sw_probed_free(&probed);
    return probed;
}

void sw_probed_free(struct sw_probed **probed)
{
    struct sw_probed *self = *probed;
    if (!self)
        return;
    for (size_t i = 0; i < self->object_count; i++) {
        for (size_t m = 0; m < self->objects[i].member_count; m++) {
            sw_free(self->objects[i].members[m].name);
            sw_free(self->objects[i].members[m].value);
        }
        sw_free(self->objects[i].members);
    }
    sw_free(self->objects);
    sw_free(self->source);
    sw_free(self->server);
    sw_free(self->asked_at);
    sw_sentences_free(&self->hidden);
    sw_sentences_free(&self->risks);
    sw_free(self);
    *probed = NULL;
}

struct sw_probed_object *sw_probed_add(struct sw_probed *probed, const char *type)
{
    struct sw_probed_object *grown = sw_realloc_array(probed->objects, probed->object_count + 1, sizeof *grown);
    if (!grown) {
        probed->failed = true;
        return NULL;
    }
    probed->objects = grown;
    grown[probed->object_count] = (struct sw_probed_object){.type = type};
    return &grown[probed->object_count++];
}

static void add(struct sw_probed *probed, struct sw_probed_object *object, struct sw_bytes name, struct sw_bytes value)
{
    if (!object)
        return;
    struct sw_probed_member *grown = sw_realloc_array(object->members, object->member_count + 1, sizeof *grown);
    if (!grown) {
        probed->failed = true;
        return;
    }
    object->members = grown;
    struct sw_probed_member *made = &grown[object->member_count++];
    *made = (struct sw_probed_member){sw_strndup((const char *)name.at, name.len), value.at ? sw_strndup((const char *)value.at, value.len) : NULL};
    probed->failed |= !made->name || (value.at && !made->value);
}

void sw_probed_member(struct sw_probed *probed, struct sw_probed_object *object, const char *name, struct sw_bytes value) { add(probed, object, sw_bytes_text(name), value); }

void sw_probed_setting(struct sw_probed *probed, struct sw_bytes name, struct sw_bytes value) { add(probed, &probed->objects[0], name, value); }

const char *sw_probed_setting_of(const struct sw_probed *probed, const char *name)
{
    const struct sw_probed_object *settings = &probed->objects[0];
    for (size_t i = 0; i < settings->member_count; i++)
        if (settings->members[i].name && strcmp(settings->members[i].name, name) == 0)
            return settings->members[i].value;
    return NULL;
}

bool sw_probed_failed(const struct sw_probed *probed) { return probed->failed || probed->hidden.text.failed || probed->risks.text.failed; }

/* ---- text ---- */

static void show(struct sw_buffer *out, const char *text)
{
    struct sw_buffer shown = {0};
    if (text && *text)
        sw_text_show(&shown, sw_bytes_text(text), false);
    else
        sw_buffer_add_text(&shown, text ? "(empty)" : "null");
    sw_text_fit(out, sw_buffer_view(&shown), VALUE_COLUMNS, SW_FIT_ANYWHERE, false);
    out->failed |= shown.failed;
    sw_buffer_free(&shown);
}

static void list(struct sw_buffer *out, const char *title, const struct sw_sentences *sentences)
{
    if (sentences->count)
        sw_buffer_printf(out, "\n%s\n", title);
    for (const char *text = NULL; (text = sw_sentences_next(sentences, text));) {
        sw_buffer_add_text(out, "  - ");
        sw_text_show(out, sw_bytes_text(text), false);
        sw_buffer_add_byte(out, '\n');
    }
}

void sw_probed_write_warnings(struct sw_buffer *out, const struct sw_probed *probed)
{
    list(out, "what a connection test would not tell", &probed->hidden);
    list(out, "what loses data next", &probed->risks);
}

void sw_probed_write_frame(struct sw_buffer *out, const struct sw_probed *probed)
{
    sw_buffer_printf(out, "  %-12s ", "asked");
    sw_text_show(out, sw_bytes_text(probed->source), false);
    sw_buffer_printf(out, "\n  %-12s ", "server");
    show(out, probed->server);
    sw_buffer_printf(out, ", at %s\n", probed->asked_at);
}

void sw_probed_write_objects(struct sw_buffer *out, const struct sw_probed *probed)
{
    for (size_t i = 0; i < probed->object_count && i <= OBJECTS_SHOWN; i++) {
        const struct sw_probed_object *object = &probed->objects[i];
        if (!i)
            sw_buffer_add_text(out, "\nat the source\n");
        sw_buffer_printf(out, "  - %s:", object->type);
        for (size_t m = 0; m < object->member_count; m++) {
            sw_buffer_add_text(out, m ? ", " : " ");
            sw_text_show(out, sw_bytes_text(object->members[m].name), false);
            sw_buffer_add_byte(out, ' ');
            show(out, object->members[m].value);
        }
        sw_buffer_add_text(out, object->member_count ? "\n" : " none could be read\n");
    }
    if (probed->object_count > OBJECTS_SHOWN + 1)
        sw_buffer_printf(out, "  - and %zu more, which --json lists\n", probed->object_count - OBJECTS_SHOWN - 1);
}

/* ---- JSON ---- */

static void members(struct sw_json_writer *json, const struct sw_probed_object *object)
{
    for (size_t i = 0; i < object->member_count; i++)
        sw_json_member_string(json, object->members[i].name, object->members[i].value);
}

void sw_probed_write_json(struct sw_json_writer *json, const struct sw_probed *probed)
{
    sw_json_member_string(json, "source", probed->source);
    sw_json_member_string(json, "server", probed->server);
    sw_json_member_string(json, "askedAt", probed->asked_at);
    sw_sentences_json(json, "hidden", &probed->hidden);
    sw_sentences_json(json, "risks", &probed->risks);
    sw_json_name(json, "settings");
    sw_json_begin_object(json);
    members(json, &probed->objects[0]);
    sw_json_end_object(json);
    sw_json_name(json, "objects");
    sw_json_begin_array(json);
    for (size_t i = 1; i < probed->object_count; i++) {
        sw_json_begin_object(json);
        sw_json_member_string(json, "type", probed->objects[i].type);
        members(json, &probed->objects[i]);
        sw_json_end_object(json);
    }
    sw_json_end_array(json);
}

/* What a live source was asked and what it answered, besides the verdict. Part of a report of `position probe`. */
#ifndef SW_CONTINUITY_PROBED_H
#define SW_CONTINUITY_PROBED_H

#include "base/buffer.h"
#include "report/sentence.h"
#include "text/json_write.h"

struct sw_probed_member {
    char *name, *value; /* value NULL: the source says NULL */
};

/* A thing at the source: a replication slot, a table, a binary log, a partition. */
struct sw_probed_object {
    const char *type; /* static */
    struct sw_probed_member *members;
    size_t member_count;
};

struct sw_probed {
    char *source;    /* the locator, without secrets */
    char *server;    /* "PostgreSQL 15.20" */
    char *asked_at;  /* RFC 3339, by the clock of this machine */
    struct sw_probed_object *objects; /* the first is of type "settings" */
    size_t object_count;
    struct sw_sentences hidden; /* what a connection test would not tell */
    struct sw_sentences risks;  /* what loses data next, the most urgent first */
    bool failed;                /* memory ran out */
};

/* With an object "settings". NULL if memory ran out. */
struct sw_probed *sw_probed_new(void);
void sw_probed_free(struct sw_probed **probed);

/* Adds an object; a failure is noted, and what is added to it then is dropped. */
struct sw_probed_object *sw_probed_add(struct sw_probed *probed, const char *type);
/* Adds a member to the object added last (or to the settings); `value.at` NULL stands for NULL. */
void sw_probed_member(struct sw_probed *probed, struct sw_probed_object *object, const char *name, struct sw_bytes value);
void sw_probed_setting(struct sw_probed *probed, struct sw_bytes name, struct sw_bytes value);
/* The value of a setting, or NULL. */
const char *sw_probed_setting_of(const struct sw_probed *probed, const char *name);

bool sw_probed_failed(const struct sw_probed *probed);

/* The sections of the text / the members of the JSON that a probe has and a judgement of pasted output has not. */
void sw_probed_write_warnings(struct sw_buffer *out, const struct sw_probed *probed);
void sw_probed_write_frame(struct sw_buffer *out, const struct sw_probed *probed);
void sw_probed_write_objects(struct sw_buffer *out, const struct sw_probed *probed);
void sw_probed_write_json(struct sw_json_writer *json, const struct sw_probed *probed);

#endif

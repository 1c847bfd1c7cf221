/* Reading JSON records: one record in, its template and tokens out. One reader a thread. */
#ifndef SW_TEXT_JSON_READER_H
#define SW_TEXT_JSON_READER_H

#include "base/error.h"
#include "text/json_template.h"
#include "text/json_value.h"
#include "text/kernel.h"

#define SW_JSON_TEMPLATES_MAX 64

/* Zero-initialise, then sw_json_reader_init; sw_json_reader_free at the end. */
struct sw_json_reader {
    const struct sw_kernel *kernel;
    bool lines;                           /* a record may not pass its line end: set it after init */
    unsigned depth;                       /* members of objects down to this level are nodes of their own; deeper objects are tokens */
    void (*drop_binding)(void *binding);  /* called when a template goes */
    struct sw_json_template *templates[SW_JSON_TEMPLATES_MAX]; /* the last one used first */
    unsigned template_count;
    struct sw_token *tokens;              /* by node; of the last record */
    bool usual;                           /* it matched the usual form of its template */
    uint32_t token_capacity;
    struct sw_json_scratch scratch;
    struct sw_json_problem problem;
};

void sw_json_reader_init(struct sw_json_reader *reader, const struct sw_kernel *kernel, unsigned depth, void (*drop_binding)(void *binding));
void sw_json_reader_free(struct sw_json_reader *reader);

/* The longer way of sw_json_read: templates one after the other, then the full reader. */
const uint8_t *sw_json_read_other(struct sw_json_template **out, struct sw_json_reader *reader, const uint8_t *at, const uint8_t *end);

static inline void sw_json__note_usual(struct sw_json_reader *reader, struct sw_json_template *template)
{
    template->usual->hits++;
    reader->usual = --template->usual->left != 0;
    if (!reader->usual)
        sw_json_usual_review(template);
}

/* Reads the record that starts at `at` (no space before it). Gives the byte after its last one and, in *out, its template; tokens stand in reader->tokens.
 * A record that is no object gives a template whose only node is its token. NULL with reader->problem filled if it is not valid JSON
 * or memory ran out. The template stays valid until the next call. */
static inline const uint8_t *sw_json_read(struct sw_json_template **out, struct sw_json_reader *reader, const uint8_t *at, const uint8_t *end)
{
    struct sw_json_template *template = reader->templates[0];
    reader->usual = false;
    if (reader->template_count && template->usual) {
        const uint8_t *after = reader->kernel->json_match_usual(reader->tokens, template, at, end, &reader->scratch);
        if (after) {
            sw_json__note_usual(reader, template);
            *out = template;
            return after;
        }
    }
    return sw_json_read_other(out, reader, at, end);
}

/* The node of a member of `parent`, or SW_JSON_NO_NODE. */
uint32_t sw_json_child(const struct sw_json_template *template, uint32_t parent, struct sw_bytes name);

#endif

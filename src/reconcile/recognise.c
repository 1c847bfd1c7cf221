/* Which format the records of a role are written in: declared, or told by the first records of each input. */
#include "reconcile/run.h"
#include "base/memory.h"
#include "slackwater/names.h"

#define FORMATS_MAX 32

/* How surely the first records of an input are of each format, by its place in the registry. */
struct signs {
    unsigned level[FORMATS_MAX];
    unsigned records; /* objects that were looked at */
};

static void look_at(struct signs *signs, const struct sw_example *example)
{
    signs->records++;
    const struct sw_format *const *formats = sw_formats();
    for (unsigned i = 0; formats[i] && i < FORMATS_MAX; i++) {
        unsigned level = formats[i]->recognise ? formats[i]->recognise(example) : 0;
        if (level > signs->level[i])
            signs->level[i] = level;
    }
}

static enum sw_code look_at_signs(void *signs, struct sw_json_template *template, const struct sw_example *example, struct sw_error *error)
{
    (void)template, (void)error;
    look_at(signs, example);
    return SW_OK;
}

/* Columns that are known before any record tell formats of flat rows. */
static enum sw_code look_at_columns(struct signs *signs, const struct sw_run *run, const struct sw_input *input, struct sw_error *error)
{
    struct sw_json_template *header;
    struct sw_error unread = {0}; /* what is wrong with a header is said where it is read */
    enum sw_code code = input->rows ? sw_read_row_header(&header, input, &unread) : sw_read_csv_header(&header, run->reading.kernel, &run->mapping, input, &unread);
    if (code < 0)
        return code == SW_ERR_MEMORY ? sw_fail_memory(error, "columns", 0) : SW_OK;
    struct sw_token *none = sw_calloc(header->node_count, sizeof *none); /* all absent */
    const struct sw_example example = {header, none, (const uint8_t *)"", input->fields, NULL, NULL};
    const struct sw_format *const *formats = sw_formats();
    for (unsigned i = 0; none && formats[i] && i < FORMATS_MAX; i++)
        if (formats[i]->flat && formats[i]->recognise)
            signs->level[i] = formats[i]->recognise(&example);
    sw_read_header_free(&header);
    code = none ? SW_OK : sw_fail_memory(error, "columns", 0);
    sw_free(none);
    return code;
}

/* A mapping that says where the parts of a record stand describes a shape of its own. */
static bool describes_shape(const struct sw_mapping *mapping, enum sw_role role)
{
    const struct sw_layout *layout = &mapping->layout[role];
    return !mapping->plain_names && (layout->operation.step_count || layout->before.step_count || layout->after.step_count || layout->value.step_count ||
                                     layout->deleted.step_count);
}

static enum sw_code refuse_two(const char *first, const char *second, const struct sw_input *input, enum sw_role role, struct sw_error *error)
{
    return sw_fail(error, SW_ERR_USAGE, "%s: the first records of %s could be %s or %s; declare which: %s", sw_role_name(role), input->locator, first, second,
                   role == SW_ROLE_EVENTS ? "--format NAME" : "`format: NAME` in the role's section of the mapping");
}

/* The format that an input shows: NULL for none. A weaker sign counts among events only: rows of a table may have columns of any name. */
static enum sw_code judge(const struct sw_format **out, const struct signs *signs, const struct sw_input *input, enum sw_role role, struct sw_error *error)
{
    const struct sw_format *const *formats = sw_formats();
    *out = NULL;
    for (unsigned level = 2; level > (role == SW_ROLE_EVENTS ? 0 : 1) && !*out; level--)
        for (unsigned i = 0; formats[i] && i < FORMATS_MAX; i++) {
            if (signs->level[i] != level)
                continue;
            if (*out)
                return refuse_two((*out)->name, formats[i]->name, input, role, error);
            *out = formats[i];
        }
    return SW_OK;
}

static enum sw_code recognise(struct sw_run *run, enum sw_role role, struct sw_error *error)
{
    struct sw_read_role *to = &run->reading.roles[role];
    const struct sw_input *shown_by = NULL, *plain = NULL;
    for (uint32_t i = 0; i < sw_source_input_count(to->source); i++) {
        const struct sw_input *input = sw_source_input(to->source, i);
        const struct sw_format *format = NULL;
        struct signs signs = {0};
        enum sw_code code = SW_OK;
        if (input->format)
            format = sw_format_find(input->format);
        else if (sw_input_is_json(input))
            code = sw_run_look_at_head(run, input, SW_RECOGNISE_DEPTH, look_at_signs, &signs, error);
        else
            code = look_at_columns(&signs, run, input, error);
        if (code == SW_OK && !input->format)
            code = judge(&format, &signs, input, role, error);
        if (code < 0)
            return code;
        if (!format && signs.records && !plain)
            plain = input;
        if (format && shown_by && format != to->format)
            return sw_fail(error, SW_ERR_USAGE, "%s: %s is %s and %s is %s; one run reads one format in a role", sw_role_name(role), shown_by->locator, to->format->name,
                           input->locator, format->name);
        if (format && !shown_by) {
            to->format = format;
            shown_by = input;
        }
    }
    if (shown_by && plain)
        return sw_fail(error, SW_ERR_USAGE, "%s: %s is %s and %s is plain; one run reads one format in a role", sw_role_name(role), shown_by->locator, to->format->name, plain->locator);
    if (shown_by && !shown_by->format && !sw_run_assume(run, "format %s of the %s: told by the first records of %s", to->format->name, sw_role_name(role), shown_by->locator))
        return sw_fail_memory(error, "the report", 0);
    return SW_OK;
}

static enum sw_code no_format(const char *declared, struct sw_error *error)
{
    static const char *const files[] = {"csv", "tsv", "json", "ndjson", "jsonl", "avro", "parquet"}; /* how records are framed, not what they say */
    const char *names[64];
    size_t count = 0;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        if (strcmp(files[i], declared) == 0)
            return sw_fail(error, SW_ERR_USAGE, "there is no format '%s': how a file is written is told by the file itself, --format names what its records say, such as debezium (see slackwater formats); rows need none", declared);
    for (const struct sw_format *const *format = sw_formats(); *format && count < sizeof names / sizeof names[0]; format++)
        names[count++] = (*format)->name;
    const char *near = sw_nearest_name(declared, names, count);
    return sw_fail(error, SW_ERR_USAGE, "there is no format '%s'%s%s%s; see slackwater formats", declared, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

enum sw_code sw_run_recognise(struct sw_run *run, enum sw_role role, struct sw_error *error)
{
    struct sw_read_role *to = &run->reading.roles[role];
    const char *declared = run->mapping.format[role];
    bool saved;
    enum sw_code code = sw_run_recognise_saved(&saved, run, role, error);
    if (code < 0 || saved) { /* its first line says so, whatever is declared */
        to->format = &sw_format_state;
        return code;
    }
    to->format = sw_format_find(declared ? declared : "plain");
    if (!to->format)
        return no_format(declared, error);
    return declared || describes_shape(&run->mapping, role) ? SW_OK : recognise(run, role, error);
}

/* slackwater orders, formats, sources: what this build knows, in one line each or with the whole rule. */
#include "slackwater/catalogue.h"

#include <stdio.h>
#include <string.h>

#include "command.h"
#include "failure.h"
#include "slackwater/names.h"
#include "terminal_text.h"

struct call {
    const char *explain;
    bool json;
};

#define AT(field) offsetof(struct call, field)

static const struct command_option options[] = {
    {"explain", 'e', OPTION_TEXT, "NAME", AT(explain), 0, "output", "Prints the whole rule of one of them, with its source and what it does not promise.", NULL, false},
    {"json", 'j', OPTION_FLAG, NULL, AT(json), 0, "output", "Prints JSON.", NULL, false},
};

static void member(const char *name, const char *text, bool *first)
{
    printf("%s\"%s\":", *first ? "" : ",", name);
    *first = false;
    if (text)
        json_text_print(stdout, text);
    else
        fputs("null", stdout);
}

static void entry_json(const struct sw_catalogue_entry *entry)
{
    bool first = true;
    fputc('{', stdout);
    member("name", entry->name, &first);
    member("summary", entry->summary, &first);
    printf(",\"available\":%s", entry->missing ? "false" : "true");
    if (entry->missing)
        member("missing", entry->missing, &first);
}

static void list(enum sw_catalogue catalogue, const char *name, bool json)
{
    struct sw_catalogue_entry entry;
    int width = 0;
    for (size_t i = 0; sw_catalogue_at(&entry, catalogue, i); i++)
        width = (int)strlen(entry.name) > width ? (int)strlen(entry.name) : width;
    if (json)
        printf("{\"%s\":[", name);
    for (size_t i = 0; sw_catalogue_at(&entry, catalogue, i); i++) {
        if (!json) {
            char line[1024];
            int len = snprintf(line, sizeof line, "%-*s  %s%s%s%s\n", width, entry.name, entry.summary, entry.missing ? " (not here: " : "", entry.missing ? entry.missing : "", entry.missing ? ")" : "");
            (void)terminal_text_write(line, (size_t)len < sizeof line ? (size_t)len : sizeof line - 1, NULL); /* close_stdout tells of a failure */
            continue;
        }
        fputs(i ? ",\n" : "\n", stdout);
        entry_json(&entry);
        fputc('}', stdout);
    }
    if (json)
        fputs("\n]}\n", stdout);
}

/* Several parts of one title are an array of objects, one is a text. */
static void explain_json(enum sw_catalogue catalogue, size_t index, const struct sw_catalogue_entry *entry)
{
    struct sw_catalogue_part part;
    const char *title = NULL;
    bool several = false;
    entry_json(entry);
    for (size_t i = 0; sw_catalogue_part(&part, catalogue, index, i); i++) {
        bool same = title && strcmp(title, part.title) == 0, first = true;
        if (!same) {
            fputs(several ? "]," : ",", stdout);
            for (const char *at = strcmp(part.title, "not promised") == 0 ? "notPromised" : part.title, *begin = at; *at; at++)
                printf("%s%c%s", at == begin ? "\"" : "", *at, at[1] ? "" : "\":");
            several = part.name || strcmp(part.title, "orders") == 0;
            fputs(several ? "[" : "", stdout);
        }
        title = part.title;
        if (!several) {
            json_text_print(stdout, part.text);
            continue;
        }
        fputs(same ? ",{" : "{", stdout);
        member("name", part.name, &first);
        if (part.note)
            member("need", part.note, &first);
        member("text", part.text, &first);
        fputc('}', stdout);
    }
    fputs(several ? "]}\n" : "}\n", stdout);
}

static void explain(enum sw_catalogue catalogue, size_t index, const struct sw_catalogue_entry *entry)
{
    struct sw_catalogue_part part;
    const char *title = NULL;
    printf("%s: ", entry->name);
    help_wrap(stdout, entry->summary, 2, strlen(entry->name) + 2);
    if (entry->missing)
        printf("not here: %s\n", entry->missing);
    for (size_t i = 0; sw_catalogue_part(&part, catalogue, index, i); i++) {
        if (!title || strcmp(title, part.title) != 0)
            printf("\n%s\n", part.title);
        title = part.title;
        if (part.name)
            printf("  %s%s%s%s\n", part.name, part.note ? " (" : "", part.note ? part.note : "", part.note ? ")" : "");
        printf("%*s", part.name ? 4 : 2, "");
        help_wrap(stdout, part.text, part.name ? 4 : 2, part.name ? 4 : 2);
    }
}

static int refuse_unknown(enum sw_catalogue catalogue, const char *command, const struct call *call)
{
    enum { NAMES_MAX = 64 };
    const char *names[NAMES_MAX];
    size_t count = 0;
    struct sw_catalogue_entry entry;
    while (count < NAMES_MAX && sw_catalogue_at(&entry, catalogue, count))
        names[count++] = entry.name;
    const char *near = sw_nearest_name(call->explain, names, count);
    struct sw_error error = {.code = SW_ERR_USAGE};
    snprintf(error.text, sizeof error.text, "--explain: there is no '%.100s'%s%s%s ('slackwater %s' lists them)", call->explain, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "", command);
    return failure_print(call->json, &error);
}

static int show(enum sw_catalogue catalogue, const struct command *self, int argc, char **argv)
{
    struct call call = {0};
    struct operands operands;
    struct sw_catalogue_entry entry;
    int status = 0;
    if (!command_parse(&status, &call, &operands, self, argc, argv))
        return status;
    if (!call.explain) {
        list(catalogue, self->name, call.json);
        return 0;
    }
    for (size_t i = 0; sw_catalogue_at(&entry, catalogue, i); i++)
        if (strcmp(entry.name, call.explain) == 0) {
            (call.json ? explain_json : explain)(catalogue, i, &entry);
            return 0;
        }
    return refuse_unknown(catalogue, self->name, &call);
}

static int run_orders(const struct command *self, int argc, char **argv) { return show(SW_CATALOGUE_ORDERS, self, argc, argv); }
static int run_formats(const struct command *self, int argc, char **argv) { return show(SW_CATALOGUE_FORMATS, self, argc, argv); }
static int run_sources(const struct command *self, int argc, char **argv) { return show(SW_CATALOGUE_SOURCES, self, argc, argv); }

static const struct command_status statuses[] = {{0, "listed, or explained"}, {EXIT_USAGE, "usage: also a name that there is not"}};
static const struct command_example order_examples[] = {{"the whole rule for BigQuery's sequence numbers", "slackwater orders --explain bigquery"}};
static const struct command_example format_examples[] = {{"what is read of Debezium's records, and which orders they can be put in", "slackwater formats --explain debezium"}};

#define SHARED \
    .synopsis = "[--explain NAME] [--json]", .options = options, .option_count = sizeof options / sizeof options[0], .statuses = statuses, .status_count = sizeof statuses / sizeof statuses[0]

const struct command command_orders = {
    .name = "orders",
    .summary = "the ordering policies, and what each promises",
    .description = "Lists the rules by which versions of one key can be ordered, or explains one: its fields, its ties, how a position is written, where the rule comes from, and what it does not promise.",
    .examples = order_examples,
    .example_count = sizeof order_examples / sizeof order_examples[0],
    .run = run_orders,
    SHARED,
};

const struct command command_formats = {
    .name = "formats",
    .summary = "the record formats, and what is read of each",
    .description = "Lists how records can be written, or explains one: what is read of it, what is counted and left aside, and which orders its records can be put in.",
    .examples = format_examples,
    .example_count = sizeof format_examples / sizeof format_examples[0],
    .run = run_formats,
    SHARED,
};

const struct command command_sources = {
    .name = "sources",
    .summary = "where inputs can be read from, and what this build lacks",
    .description = "Lists where inputs can be read from in this build, with the reason for what it cannot read.",
    .run = run_sources,
    SHARED,
};

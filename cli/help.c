/* The help of a command, laid out from its table. */
#include <signal.h>
#include <string.h>

#include "command.h"

enum { WIDTH = 80, HELP_COLUMN = 30 };

/* Columns that `len` bytes of UTF-8 take: every text of the tables is of narrow characters. */
static size_t columns_of(const char *text, size_t len)
{
    size_t columns = 0;
    for (size_t i = 0; i < len; i++)
        columns += ((unsigned char)text[i] & 0xc0) != 0x80;
    return columns;
}

void help_wrap(FILE *to, const char *text, size_t indent, size_t column)
{
    bool first = true;
    while (*text) {
        size_t len = strcspn(text, " ");
        size_t columns = columns_of(text, len);
        if (!first && column + 1 + columns > WIDTH) {
            fprintf(to, "\n%*s", (int)indent, "");
            column = indent;
        } else if (!first) {
            fputc(' ', to);
            column++;
        }
        fwrite(text, 1, len, to);
        column += columns;
        first = false;
        text += len + (text[len] == ' ');
    }
    fputc('\n', to);
}

static void paragraphs(FILE *to, const char *text)
{
    while (*text) {
        char paragraph[1024];
        const char *end = strstr(text, "\n\n");
        size_t len = end ? (size_t)(end - text) : strlen(text);
        snprintf(paragraph, sizeof paragraph, "%.*s", (int)len, text);
        fputc('\n', to);
        help_wrap(to, paragraph, 0, 0);
        text += len + (end ? 2 : 0);
    }
}

void option_form(char *out, size_t room, const struct command_option *option)
{
    int len = option->letter ? snprintf(out, room, "-%c, --%s", option->letter, option->name) : snprintf(out, room, "--%s", option->name);
    size_t used = (size_t)len;
    if (option->argument && used < room)
        snprintf(out + used, room - used, " %s", option->argument);
    for (size_t i = 0; option->kind == OPTION_CHOICE && option->choices[i] && used < room; i++)
        used += (size_t)snprintf(out + used, room - used, "%c%s", i ? '|' : ' ', option->choices[i]);
}

static void option_help(FILE *to, const struct command_option *option)
{
    char form[256];
    option_form(form, sizeof form, option);
    size_t indent = option->letter ? 2 : 6, column = indent + columns_of(form, strlen(form));
    fprintf(to, "%*s%s", (int)indent, "", form);
    if (column + 2 > HELP_COLUMN) {
        fprintf(to, "\n%*s", HELP_COLUMN, "");
    } else {
        fprintf(to, "%*s", (int)(HELP_COLUMN - column), "");
    }
    help_wrap(to, option->help, HELP_COLUMN, HELP_COLUMN);
}

void help_begin(FILE *to)
{
    if (to == stdout)
        signal(SIGPIPE, SIG_DFL);
}

static void subcommand_help(FILE *to, const struct command *command)
{
    fprintf(to, "\ncommands:\n");
    for (const struct command *const *sub = command->subcommands; *sub; sub++)
        fprintf(to, "  %-24s ", (*sub)->name), help_wrap(to, (*sub)->summary, 27, 27);
}

/* Where a line of a shell may be broken, before an option and outside quotes: the length up to the last such blank that leaves room for
 * " \\", or up to the first one where that has none; the whole if there is none. */
static size_t breakable(const char *command, size_t room)
{
    size_t at = 0;
    char quote = '\0';
    for (size_t i = 0; command[i]; i++) {
        if (command[i] == '\'' || command[i] == '"')
            quote = !quote ? command[i] : quote == command[i] ? '\0' : quote;
        if (command[i] != ' ' || command[i + 1] != '-' || quote)
            continue;
        if (at && columns_of(command, i) + 2 > room)
            return at;
        at = i;
    }
    return at ? at : strlen(command);
}

/* A command that can be copied as it stands, in 80 columns. */
static void example_command(FILE *to, const char *command)
{
    size_t indent = 2;
    while (indent + columns_of(command, strlen(command)) > WIDTH) {
        size_t len = breakable(command, WIDTH - indent);
        if (!command[len])
            break;
        fprintf(to, "%*s%.*s \\\n", (int)indent, "", (int)len, command);
        command += len + 1;
        indent = 6;
    }
    fprintf(to, "%*s%s\n", (int)indent, "", command);
}

/* Before the options: of a long help the begin is what is seen first. */
static void examples_help(FILE *to, const struct command *command)
{
    if (command->example_count)
        fputs("\nexamples:\n", to);
    for (size_t i = 0; i < command->example_count; i++) {
        fprintf(to, "  # %s\n", command->examples[i].meaning);
        example_command(to, command->examples[i].command);
    }
}

void command_help(FILE *to, const struct command *command)
{
    static const struct command_option help = {.name = "help", .letter = 'h', .kind = OPTION_FLAG, .help = "Prints this help."};
    const char *group = NULL;
    help_begin(to);
    fprintf(to, "usage: slackwater %s%s", command->name, command->synopsis[0] ? " " : "");
    help_wrap(to, command->synopsis, 7, 18 + strlen(command->name) + 1);
    paragraphs(to, command->description);
    if (command->subcommands)
        subcommand_help(to, command);
    examples_help(to, command);
    for (size_t i = 0; i < command->option_count; i++) {
        const struct command_option *option = &command->options[i];
        if (option->hidden)
            continue;
        if (!group || strcmp(group, option->group) != 0)
            fprintf(to, "\n%s:\n", option->group);
        group = option->group;
        option_help(to, option);
    }
    if (!command->subcommands) {
        fputs(group ? "\n" : "\noptions:\n", to);
        option_help(to, &help);
    }
    if (command->status_count)
        fputs("\nexit status:\n", to);
    for (size_t i = 0; i < command->status_count; i++) {
        fprintf(to, "  %d  ", command->statuses[i].status);
        help_wrap(to, command->statuses[i].meaning, 5, 5);
    }
}

/* slackwater reference markdown|man|bash: the reference, the manual page and the completion of bash, written from the tables of the commands. For the build. */
#include <string.h>

#include "command.h"
#include "completion.h"
#include "slackwater/version.h"

/* Markdown: what would be read as markup is escaped. */
static void text_markdown(const char *text)
{
    for (; *text; text++) {
        if (strchr("|<>*_\\`", *text))
            putchar('\\');
        putchar(*text);
    }
}

/* roff: a hyphen that is typed, a backslash, and a control character at the beginning of a line. */
static void text_man(const char *text)
{
    if (*text == '.' || *text == '\'')
        fputs("\\&", stdout);
    for (; *text; text++) {
        if (*text == '\\')
            fputs("\\e", stdout);
        else if (*text == '-')
            fputs("\\-", stdout);
        else
            putchar(*text);
    }
}

static void each_paragraph(const char *text, void (*print)(const char *text), const char *before, const char *after)
{
    while (*text) {
        char paragraph[1024];
        const char *end = strstr(text, "\n\n");
        int len = end ? (int)(end - text) : (int)strlen(text);
        snprintf(paragraph, sizeof paragraph, "%.*s", len, text);
        fputs(before, stdout);
        print(paragraph);
        fputs(after, stdout);
        text += len + (end ? 2 : 0);
    }
}

static void option_markdown(const struct command_option *option)
{
    char form[256];
    option_form(form, sizeof form, option);
    fputs("| `", stdout);
    for (const char *at = form; *at; at++)
        fputs(*at == '|' ? "\\|" : (char[]){*at, '\0'}, stdout);
    fputs("` | ", stdout);
    text_markdown(option->help);
    fputs(" |\n", stdout);
}

static void options_markdown(const struct command *command, bool hidden)
{
    const char *group = NULL;
    for (size_t i = 0; i < command->option_count; i++) {
        const struct command_option *option = &command->options[i];
        if (option->hidden != hidden)
            continue;
        const char *heading = hidden ? "for tests" : option->group;
        if (!group || strcmp(group, heading) != 0) {
            fputs("\n**", stdout);
            text_markdown(heading);
            fputs("**\n\n| option | |\n| --- | --- |\n", stdout);
        }
        group = heading;
        option_markdown(option);
    }
}

static void command_markdown(const struct command *command)
{
    printf("\n## slackwater %s\n", command->name);
    printf("\n```\nslackwater %s%s%s\n```\n", command->name, command->synopsis[0] ? " " : "", command->synopsis);
    each_paragraph(command->description, text_markdown, "\n", "\n");
    for (size_t i = 0; i < command->example_count; i++)
        printf("%s# %s\n%s\n%s", i ? "" : "\n```sh\n", command->examples[i].meaning, command->examples[i].command, i + 1 == command->example_count ? "```\n" : "");
    options_markdown(command, false);
    options_markdown(command, true);
    if (command->status_count)
        fputs("\n| exit status | |\n| --- | --- |\n", stdout);
    for (size_t i = 0; i < command->status_count; i++) {
        printf("| %d | ", command->statuses[i].status);
        text_markdown(command->statuses[i].meaning);
        fputs(" |\n", stdout);
    }
    for (const struct command *const *sub = command->subcommands; sub && *sub; sub++)
        command_markdown(*sub);
}

static void markdown(void)
{
    fputs("# Reference of the command line\n"
          "\n"
          "Written by `scripts/generate-reference` from the tables that the program itself parses; edit those (`cli/`).\n"
          "\n"
          "Options may stand in any order. `--name VALUE` and `--name=VALUE` are the same; names are not shortened. `--` ends the options.\n"
          "`slackwater COMMAND --help` prints the same, `slackwater --version` the version.\n"
          "\n"
          "With `--json` standard output holds one JSON document, whatever happens: the report, or, where nothing can be claimed,\n"
          "`{\"error\":{\"code\":…,\"text\":…}}`, with `source`, `line`, `column` and `offset` as far as they are known. `code` is stable: `usage`,\n"
          "`input`, `limit`, `unsupported` (exit status 2), `io`, `memory`, `cancelled`, `remote`, `internal` (exit status 4). Standard error then\n"
          "has progress alone, and what kept standard output from being written.\n"
          "\n"
          "A file that is named and is not there is a wrong name: exit status 2, whichever file it is (an input, a mapping, a report, a piece of evidence). One that is\n"
          "there and cannot be read, or cannot be written, is a failure of the environment: 4.\n", stdout);
    for (const struct command *const *command = commands(); *command; command++)
        if (!(*command)->hidden)
            command_markdown(*command);
}

static void options_man(const struct command *command)
{
    const char *group = NULL;
    for (size_t i = 0; i < command->option_count; i++) {
        const struct command_option *option = &command->options[i];
        char form[256];
        if (option->hidden)
            continue;
        if (!group || strcmp(group, option->group) != 0) {
            fputs(".PP\n", stdout);
            text_man(option->group);
            fputs(":\n", stdout);
        }
        group = option->group;
        option_form(form, sizeof form, option);
        fputs(".TP\n.B ", stdout);
        text_man(form);
        putchar('\n');
        text_man(option->help);
        putchar('\n');
    }
}

static void command_man(const struct command *command)
{
    fputs(".SS slackwater ", stdout);
    text_man(command->name);
    putchar(' ');
    text_man(command->synopsis);
    putchar('\n');
    each_paragraph(command->description, text_man, ".PP\n", "\n");
    if (command->example_count)
        fputs(".PP\nexamples:\n", stdout);
    for (size_t i = 0; i < command->example_count; i++) {
        fputs(".PP\n", stdout);
        text_man(command->examples[i].meaning);
        fputs(":\n.PP\n.nf\n.RS\n", stdout);
        text_man(command->examples[i].command);
        fputs("\n.RE\n.fi\n", stdout);
    }
    options_man(command);
    if (command->status_count)
        fputs(".PP\nexit status:\n", stdout);
    for (size_t i = 0; i < command->status_count; i++) {
        printf(".TP\n.B %d\n", command->statuses[i].status);
        text_man(command->statuses[i].meaning);
        putchar('\n');
    }
    for (const struct command *const *sub = command->subcommands; sub && *sub; sub++)
        command_man(*sub);
}

static void man(void)
{
    printf(".\\\" Written by scripts/generate-reference; edit the tables in cli/.\n"
           ".TH SLACKWATER 1 \"\" \"slackwater %s\"\n"
           ".SH NAME\nslackwater \\- reconcile change\\-data\\-capture pipelines after an incident\n"
           ".SH SYNOPSIS\n.B slackwater\n.I COMMAND\n[\\fIOPTION\\fR]...\n.br\n.B slackwater help\n[\\fICOMMAND\\fR]\n.br\n.B slackwater \\-\\-version\n"
           ".SH DESCRIPTION\n"
           "Answers with evidence, on one machine and without a server, what the destination of a change\\-data\\-capture pipeline should hold, what it holds, "
           "and how far that answer reaches.\n"
           ".PP\nOptions may stand in any order; names are not shortened;\n.B \\-\\-\nends the options. The result goes to standard output, progress and diagnostics to standard error.\n"
           ".SH COMMANDS\n", SW_VERSION);
    for (const struct command *const *command = commands(); *command; command++)
        if (!(*command)->hidden)
            command_man(*command);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct operands operands;
    int status;
    if (!command_parse(&status, NULL, &operands, self, argc, argv))
        return status;
    if (strcmp(operands.at[0], "markdown") == 0)
        markdown();
    else if (strcmp(operands.at[0], "man") == 0)
        man();
    else if (strcmp(operands.at[0], "bash") == 0)
        completion_bash();
    else
        return fprintf(stderr, "slackwater: expected markdown, man or bash, found '%s'\n", operands.at[0]), EXIT_USAGE;
    return 0;
}

const struct command command_reference = {
    .name = "reference",
    .synopsis = "markdown|man|bash",
    .summary = "write the reference, the manual page or the completion of bash",
    .description = "Prints docs/reference.md, man/slackwater.1 or completion/slackwater, which scripts/generate-reference keeps.",
    .operands_min = 1,
    .operands_max = 1,
    .run = run,
    .hidden = true,
};

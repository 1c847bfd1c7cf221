/* slackwater reference bash: what bash completes, written from the tables of the commands. Names of formats and orders are asked of the program itself when they are wanted.
 * Source of the form: bash(1), "Programmable Completion". */
#include "completion.h"

#include <string.h>

static void words_of(const struct command *command)
{
    for (size_t i = 0; i < command->option_count; i++)
        if (!command->options[i].hidden)
            printf(" --%s", command->options[i].name);
    for (const struct command *const *sub = command->subcommands; sub && *sub; sub++)
        printf(" %s", strrchr((*sub)->name, ' ') + 1);
    fputs(" --help", stdout);
}

static void offer(const struct command *command)
{
    printf("    '%s') offered='", command->name);
    words_of(command);
    fputs("' ;;\n", stdout);
    for (const struct command *const *sub = command->subcommands; sub && *sub; sub++)
        offer(*sub);
}

/* A file or folder, of the words for arguments that the tables have. */
static bool is_path(const char *argument)
{
    static const char *const paths[] = {"FILE", "scan|none|FILE", "LOCATOR", "DIR", "DIRECTORY", "KEY"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (strcmp(argument, paths[i]) == 0)
            return true;
    return false;
}

/* The command that lists what the option takes, or NULL. */
static const char *catalogue_of(const struct command *command, const struct command_option *option)
{
    if (strcmp(option->name, "order") == 0)
        return "orders";
    if (strcmp(option->name, "format") == 0)
        return "formats";
    return strcmp(option->name, "explain") == 0 ? command->name : NULL;
}

/* "--name|-n" as a pattern. */
static void pattern(const struct command *command, const struct command_option *option)
{
    printf("    '%s --%s'", command->name, option->name);
    if (option->letter)
        printf("|'%s -%c'", command->name, option->letter);
    fputs(") ", stdout);
}

static void values(const struct command *command)
{
    for (size_t i = 0; i < command->option_count; i++) {
        const struct command_option *option = &command->options[i];
        if (option->hidden || option->kind == OPTION_FLAG)
            continue;
        pattern(command, option);
        if (option->kind == OPTION_CHOICE) {
            fputs("values='", stdout);
            for (const char *const *choice = option->choices; *choice; choice++)
                printf("%s%s", choice == option->choices ? "" : " ", *choice);
            fputs("' ;;\n", stdout);
        } else if (catalogue_of(command, option)) {
            printf("values=$(\"${COMP_WORDS[0]}\" %s 2>/dev/null | cut -d ' ' -f 1) ;;\n", catalogue_of(command, option));
        } else if (option->argument && is_path(option->argument)) {
            fputs("values=files ;;\n", stdout);
        } else {
            fputs("values=none ;;\n", stdout);
        }
    }
    for (const struct command *const *sub = command->subcommands; sub && *sub; sub++)
        values(*sub);
}

void completion_bash(void)
{
    fputs("# bash completion of slackwater. Written by scripts/generate-reference; edit the tables in cli/.\n"
          "# shellcheck shell=bash disable=SC2207\n"
          "\n"
          "_slackwater() {\n"
          "  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]-} offered='' values='' at\n"
          "  COMPREPLY=()\n"
          "  # --name=VALUE stands in three words\n"
          "  if [[ $before == '=' ]]; then\n"
          "    before=${COMP_WORDS[COMP_CWORD-2]}\n"
          "  elif [[ $current == '=' ]]; then\n"
          "    current=''\n"
          "  fi\n"
          "  if [[ $COMP_CWORD == 1 || ($COMP_CWORD == 2 && $command == help) ]]; then\n"
          "    COMPREPLY=($(compgen -W '", stdout);
    for (const struct command *const *command = commands(); *command; command++)
        if (!(*command)->hidden)
            printf("%s ", (*command)->name);
    fputs("help --help --version' -- \"$current\"))\n"
          "    return\n"
          "  fi\n"
          "  case $command in\n"
          "    ", stdout);
    const char *separator = "";
    for (const struct command *const *command = commands(); *command; command++)
        if ((*command)->subcommands && !(*command)->hidden) {
            printf("%s%s", separator, (*command)->name);
            separator = "|";
        }
    fputs(")\n"
          "      if ((COMP_CWORD > 2)); then command+=\" ${COMP_WORDS[2]}\"; fi ;;\n"
          "  esac\n"
          "  case \"$command $before\" in\n", stdout);
    for (const struct command *const *command = commands(); *command; command++)
        if (!(*command)->hidden)
            values(*command);
    fputs("  esac\n"
          "  case $values in\n"
          "    none) return ;;\n"
          "    files) ;;\n"
          "    ?*) COMPREPLY=($(compgen -W \"$values\" -- \"$current\")); return ;;\n"
          "  esac\n"
          "  case $command in\n", stdout);
    for (const struct command *const *command = commands(); *command; command++)
        if (!(*command)->hidden)
            offer(*command);
    fputs("  esac\n"
          "  if [[ $values != files && ($current == -* || $command != *' '* && $offered == *' '[a-z]*) ]]; then\n"
          "    COMPREPLY=($(compgen -W \"$offered\" -- \"$current\"))\n"
          "    return\n"
          "  fi\n"
          "  compopt -o filenames 2>/dev/null\n"
          "  while IFS= read -r at; do COMPREPLY+=(\"$at\"); done < <(compgen -f -- \"$current\")\n"
          "}\n"
          "\n"
          "complete -F _slackwater slackwater\n", stdout);
}

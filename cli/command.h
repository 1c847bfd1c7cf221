/* Commands and their options: one table each, which feeds the parser, --help, the manual page and the reference.
 *
 * A command is a constant `struct command` in its own file, listed in cli/main.c. Its `run` parses the arguments into a struct
 * of its own, acts, and returns the exit status; standard output is closed and checked by main. Options commute: everything is
 * parsed before anything is done, and --help wins wherever it stands. */
#ifndef SW_CLI_COMMAND_H
#define SW_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "slackwater/error.h"

/* The statuses (docs/report.md) that a command gives without a code of the library. */
enum { EXIT_FOUND = 1, EXIT_USAGE = 2, EXIT_UNDECIDED = 3, EXIT_ENVIRONMENT = 4 };

enum option_kind {
    OPTION_FLAG,      /* bool; no argument */
    OPTION_TEXT,      /* const char * */
    OPTION_LIST,      /* const char *const *, with a size_t at count_at; may be given any number of times */
    OPTION_CHOICE,    /* const char *: one of `choices` */
    OPTION_NUMBER,    /* uint64_t, decimal */
    OPTION_UNSIGNED,  /* unsigned, decimal */
    OPTION_SIZE,      /* uint64_t, bytes: 512, 64K, 2G, 1GiB (powers of 1024), 10MB (powers of 1000) */
    OPTION_CHARACTER  /* char: one ASCII character, or the word tab */
};

struct command_option {
    const char *name;               /* without the dashes */
    char letter;                    /* short form, or 0 */
    enum option_kind kind;
    const char *argument;           /* "FILE"; NULL for flags and choices */
    size_t at, count_at;            /* offsets in the struct that is filled */
    const char *group;              /* heading in the help; options of a group stand together */
    const char *help;               /* one or more sentences, unwrapped */
    const char *const *choices;     /* NULL-terminated */
    bool hidden;                    /* for tests: in the reference, not in the help */
};

struct command_status { int status; const char *meaning; };
struct command_example { const char *meaning, *command; };

/* All texts are static. Arrays are NULL where empty; the sizes say how many. */
struct command {
    const char *name;               /* "reconcile"; of a subcommand the whole, "position compare" */
    const char *synopsis;           /* what stands behind the name in the usage line */
    const char *summary;            /* one line, lower case, no full stop */
    const char *description;        /* paragraphs with an empty line between; unwrapped */
    const struct command_option *options; size_t option_count;
    unsigned operands_min, operands_max;
    const struct command_status *statuses; size_t status_count;
    const struct command_example *examples; size_t example_count;
    int (*run)(const struct command *self, int argc, char **argv); /* argv[0] is the command; NULL with subcommands */
    const struct command *const *subcommands;                      /* NULL-terminated, or NULL */
    bool hidden;                    /* in no list */
};

struct operands {
    char **at;                      /* borrowed from argv, which is permuted */
    int count;
};

/* Fills `target`, which holds its defaults, from the arguments, and collects the operands.
 *
 * Returns true to go on. False: *status is what to exit with, and help or the error has been printed; with --json among the
 * arguments an error is an object on standard output. Lists in `target` are the caller's until command_release. */
bool command_parse(int *status, void *target, struct operands *operands, const struct command *command, int argc, char **argv);
/* The same without a word: for arguments that were kept from an earlier run. False: *error says why (also where help was asked for). */
bool command_parse_quietly(struct sw_error *error, void *target, struct operands *operands, const struct command *command, int argc, char **argv);
/* Frees the lists that either allocated. */
void command_release(void *target, const struct command *command);

/* Help is nothing that has to arrive whole: from here on, a pager that has enough of it ends the program quietly, as anywhere. */
void help_begin(FILE *to);
/* The help of a command, wrapped to 80 columns. */
void command_help(FILE *to, const struct command *command);
/* Prints a paragraph, wrapped to 80 columns, whose further lines begin at `indent`; the cursor stands at `column` already. Ends with a newline. */
void help_wrap(FILE *to, const char *text, size_t indent, size_t column);
/* "-k, --key COLUMNS": how the option is written, for help and reference. */
void option_form(char *out, size_t room, const struct command_option *option);

/* The commands of the program, NULL-terminated, in the order they are listed. */
const struct command *const *commands(void);

extern const struct command command_case, command_challenge, command_lab, command_position, command_reconcile, command_reference, command_orders, command_formats, command_sources;
extern const struct command command_position_scan;

#endif

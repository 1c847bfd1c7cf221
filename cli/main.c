/* slackwater: the command line. Sees the public API only. */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "case_result.h"
#include "command.h"
#include "failure.h"
#include "other_words.h"
#include "progress.h"
#include "slackwater/names.h"
#include "slackwater/version.h"

const struct command *const *commands(void)
{
    static const struct command *const all[] = {&command_reconcile, &command_challenge, &command_position, &command_case, &command_formats, &command_orders, &command_sources, &command_lab, &command_reference, NULL};
    return all;
}

static void usage(FILE *to)
{
    help_begin(to);
    fputs("usage: slackwater COMMAND [OPTION]...\n"
          "       slackwater help [COMMAND]\n"
          "       slackwater --help | --version\n"
          "\n"
          "Reconciles change-data-capture pipelines after an incident: what the destination\n"
          "should hold, what it holds, and how far the evidence reaches.\n"
          "\n"
          "commands:\n", to);
    for (const struct command *const *command = commands(); *command; command++)
        if (!(*command)->hidden)
            fprintf(to, "  %-12s %s\n", (*command)->name, (*command)->summary);
    fputs("\n"
          "what happened, and where to begin:\n"
          "  the slot is lost, the log was purged     position probe (a live source)\n"
          "                                           position gap (without one)\n"
          "  failed over, a new timeline or server    position compare, position gap\n"
          "  is a change missing in these events?     position scan\n"
          "  restore a Dataflow or Pub/Sub snapshot?  position snapshot\n"
          "  is the copy right? which rows are not?   reconcile\n"
          "  could that answer be wrong?              challenge\n"
          "  start a record of the incident           case init\n"
          "  what must be answered first?             case check --open\n"
          "  what do I say at handover?               case status, case handover\n"
          "  does it read what I have?                formats, sources\n"
          "\n'slackwater COMMAND --help' explains a command, with examples.\n", to);
}

/* The command of that name: of the program, or below `parent`. */
static const struct command *find(const struct command *parent, const char *name)
{
    size_t skip = parent ? strlen(parent->name) + 1 : 0;
    for (const struct command *const *command = parent ? parent->subcommands : commands(); *command; command++)
        if (strcmp((*command)->name + skip, name) == 0)
            return *command;
    return NULL;
}

static int unknown(const struct command *parent, const char *name)
{
    enum { NAMES_MAX = 64 };
    const char *names[NAMES_MAX + 2];
    size_t count = 0, skip = parent ? strlen(parent->name) + 1 : 0;
    for (const struct command *const *command = parent ? parent->subcommands : commands(); *command && count < NAMES_MAX; command++)
        if (!(*command)->hidden)
            names[count++] = (*command)->name + skip;
    if (!parent)
        names[count++] = "--version", names[count++] = "--help";
    const char *near = parent ? NULL : other_word_for_command(name, commands());
    if (!near)
        near = sw_nearest_name(name, names, count);
    if (!near && !parent && strcmp(name, "version") == 0)
        near = "--version";
    fprintf(stderr, "slackwater: unknown command '%s%s%s'%s%s%s\n", parent ? parent->name : "", parent ? " " : "", name, near ? "; did you mean '" : "",
            near ? near : "", near ? "'?" : "");
    fprintf(stderr, "try 'slackwater %s%s--help'\n", parent ? parent->name : "", parent ? " " : "");
    return EXIT_USAGE;
}

static bool asks_for_help(const char *text) { return strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0; }

/* slackwater help [COMMAND [SUBCOMMAND]] */
static int help(int argc, char **argv)
{
    const struct command *command = NULL;
    for (int i = 1; i < argc; i++) {
        const struct command *parent = command;
        if (parent && !parent->subcommands)
            return unknown(parent, argv[i]);
        if (!(command = find(parent, argv[i])))
            return unknown(parent, argv[i]);
    }
    if (command)
        command_help(stdout, command);
    else
        usage(stdout);
    return 0;
}

static int run(int argc, char **argv)
{
    const struct command *command = NULL;
    if (argc < 2) {
        usage(stderr);
        return EXIT_USAGE;
    }
    if (asks_for_help(argv[1]) || strcmp(argv[1], "help") == 0)
        return help(asks_for_help(argv[1]) ? 1 : argc - 1, argv + 1);
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0 || strcmp(argv[1], "-v") == 0) {
        printf("slackwater %s\n", sw_version());
        return 0;
    }
    do {
        const struct command *parent = command;
        argc--, argv++;
        if (!(command = find(parent, argv[0])))
            return unknown(parent, argv[0]);
        if (command->subcommands && (argc < 2 || asks_for_help(argv[1]))) {
            command_help(argc < 2 ? stderr : stdout, command);
            return argc < 2 ? EXIT_USAGE : 0;
        }
    } while (command->subcommands);
    return command->run(command, argc, argv);
}

/* A standard descriptor that is closed would be given to the next file that is opened, and a report be written into it. It is taken
 * by something that fails when used: reading what is open for writing only, and the reverse. */
static bool occupy_standard_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
            return false;
    return true;
}

/* A report that did not arrive whole is no report, whatever the command found. */
static int close_stdout(int status)
{
    errno = 0;
    bool failed = ferror(stdout);
    if (fclose(stdout) != 0)
        failed = true;
    if (!failed)
        return status;
    if (!errno)
        errno = stdout_failure();
    fprintf(stderr, "slackwater: standard output could not be written%s%s\n", errno ? ": " : "", errno ? strerror(errno) : "");
    return EXIT_ENVIRONMENT;
}

int main(int argc, char **argv)
{
    command_line_keep(argc, argv);
    if (!occupy_standard_descriptors())
        return EXIT_ENVIRONMENT;
    setlocale(LC_CTYPE, "");  /* only to know whether the terminal shows UTF-8 */
    signal(SIGPIPE, SIG_IGN); /* so that a reader that went away is reported like a full disk */
    signal(SIGXFSZ, SIG_IGN); /* and a file that may not grow any further */
    return signals_end(close_stdout(run(argc, argv)));
}

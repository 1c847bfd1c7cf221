/* slackwater case: what is known of an incident, what was collected, and what may be said. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "case_result.h"
#include "command.h"
#include "failure.h"
#include "terminal_text.h"
#include "run_options.h"
#include "slackwater/case.h"
#include "slackwater/reconcile.h"

struct call {
    bool json, copy, leave_as_is, open_only, all;
    const char *title, *kind, *by, *tool, *at, *directory, *format, *output, *key, *head, *inputs, *now;
    uint64_t length;
    const char *const *links; size_t link_count;
    const char *const *supersedes; size_t supersede_count;
};

#define AT(field) offsetof(struct call, field)
#define PIECE "the piece"
#define OUTPUT "output"
#define CHECK "what is checked"

#define OPTION_JSON {"json", 'j', OPTION_FLAG, NULL, AT(json), 0, OUTPUT, "Prints the answer as JSON; a failure is then an object {\"error\": …} with a stable code, also on standard output.", NULL, false}
#define OPTION_NOW {"now", 0, OPTION_TEXT, "TIME", AT(now), 0, CHECK, "The time of the judgement, such as 2031-02-03T04:05:06Z: what expired before it does not count. Default: now.", NULL, false}

static struct sw_error usage(const char *text)
{
    struct sw_error error = {.code = SW_ERR_USAGE};
    snprintf(error.text, sizeof error.text, "%s", text);
    return error;
}

/* ---- init ---- */

static int run_init(const struct command *self, int argc, char **argv)
{
    struct call call = {0};
    struct operands operands;
    struct sw_error error = {0};
    int status;
    if (command_parse(&status, &call, &operands, self, argc, argv)) {
        status = 0;
        if (sw_case_init(operands.at[0], call.title, &error) < 0)
            status = failure_print(call.json, &error);
        else if (call.json)
            printf("{\"case\":true}\n");
        else {
            plain_text_print(stdout, operands.at[0]);
            printf(": fill in case.yaml, add evidence with 'slackwater case add' or --case, see what is missing with 'slackwater case check'\n");
        }
    }
    command_release(&call, self);
    return status;
}

static const struct command_option init_options[] = {
    {"title", 't', OPTION_TEXT, "TEXT", AT(title), 0, PIECE, "The incident in a line.", NULL, false},
    OPTION_JSON,
};

static const struct command_status plain_statuses[] = {
    {0, "Done."},
    {2, "Wrong usage, or something there is not what it must be."},
    {4, "The environment failed: nothing was done."},
};

static const struct command_example init_examples[] = {{"the first minute", "slackwater case init incident-17 --title 'fund positions stopped at 04:05'"}};

static const struct command init_command = {
    .name = "case init", .synopsis = "DIR [--title TEXT]", .summary = "make a case folder with a case.yaml to fill in",
    .description = "Makes the folder with a commented case.yaml, an empty ledger, and a place for evidence. An empty folder is taken; a case that is there is left alone.",
    .options = init_options, .option_count = sizeof init_options / sizeof init_options[0], .operands_min = 1, .operands_max = 1,
    .statuses = plain_statuses, .status_count = sizeof plain_statuses / sizeof plain_statuses[0],
    .examples = init_examples, .example_count = 1, .run = run_init,
};

/* ---- add ---- */

static bool read_numbers(uint64_t **out, const char *const *texts, size_t count, struct sw_error *error)
{
    *out = calloc(count + 1, sizeof **out);
    if (!*out) {
        *error = (struct sw_error){.code = SW_ERR_MEMORY, .text = "out of memory while the arguments were read"};
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        char *end = NULL;
        (*out)[i] = texts[i][0] >= '0' && texts[i][0] <= '9' ? strtoull(texts[i], &end, 10) : 0;
        if (!end || *end) {
            *error = usage("");
            snprintf(error->text, sizeof error->text, "--supersedes: expected the number of an entry, found '%.200s'", texts[i]);
            return false;
        }
    }
    return true;
}

static bool add_one(const struct call *call, const char *directory, const struct sw_case_piece *piece, const char *shown, struct sw_error *error)
{
    uint64_t number = 0;
    if (sw_case_add(&number, directory, piece, error) < 0)
        return false;
    if (call->json) {
        printf("{\"entry\":%llu,\"piece\":", (unsigned long long)number);
        json_text_print(stdout, shown);
        printf("}\n");
    } else {
        printf("%llu  ", (unsigned long long)number);
        plain_text_print(stdout, shown);
        printf("\n");
    }
    return true;
}

static bool add_all(const struct call *call, const struct operands *operands, char **command, size_t command_count, struct sw_error *error)
{
    uint64_t *supersedes = NULL;
    bool good = read_numbers(&supersedes, call->supersedes, call->supersede_count, error);
    struct sw_case_piece piece = {
        .struct_size = sizeof piece, .kind = call->kind, .title = call->title, .by = call->by ? call->by : user_name(), .tool = call->tool, .collected = call->at,
        .arguments = (const char *const *)command, .argument_count = command_count, .directory = call->directory ? call->directory : working_directory(),
        .supersedes = supersedes, .supersede_count = call->supersede_count, .copy_inputs = call->copy,
    };
    for (int i = 1; good && i < operands->count; i++) {
        piece.path = operands->at[i];
        good = add_one(call, operands->at[0], &piece, piece.path, error);
    }
    piece.path = NULL;
    for (size_t i = 0; good && i < call->link_count; i++) {
        piece.link = call->links[i];
        good = add_one(call, operands->at[0], &piece, piece.link, error);
    }
    free(supersedes);
    return good;
}

static int run_add(const struct command *self, int argc, char **argv)
{
    struct call call = {0};
    struct operands operands;
    struct sw_error error = {0};
    int status, own = argc;
    /* what follows -- is the command that made the piece; it keeps its own options */
    for (int i = 1; i < argc && own == argc; i++)
        if (strcmp(argv[i], "--") == 0)
            own = i;
    size_t command_count = own < argc ? (size_t)(argc - own - 1) : 0;
    if (command_parse(&status, &call, &operands, self, own, argv)) {
        status = 0;
        if (operands.count < 2 && !call.link_count)
            error = usage("expected a file or --link: what is to be added?");
        else if (command_count && operands.count - 1 + (int)call.link_count != 1)
            error = usage("a command behind -- is that of one piece; add one at a time");
        if (error.code < 0 || !add_all(&call, &operands, argv + own + 1, command_count, &error))
            status = failure_print(call.json, &error);
    }
    command_release(&call, self);
    return status;
}

static const char *const kinds[] = {"file", "query", "observation", "screenshot", "decision", NULL};

static const struct command_option add_options[] = {
    {"link", 'l', OPTION_LIST, "ADDRESS", AT(links), AT(link_count), PIECE, "An address that is kept and never fetched: a dashboard, a ticket, a query. May be given again.", NULL, false},
    {"kind", 'k', OPTION_CHOICE, NULL, AT(kind), 0, PIECE, "What a file is. Results of slackwater are recognised. An observation is somebody's look at a process; a decision is no evidence. Default: file.", kinds, false},
    {"title", 't', OPTION_TEXT, "TEXT", AT(title), 0, PIECE, "A line about it.", NULL, false},
    {"copy", 0, OPTION_FLAG, NULL, AT(copy), 0, PIECE, "Of a report: keeps its inputs, too, so that the comparison can be repeated from the folder alone. Each must still have the digest that the report has.", NULL, false},
    {"supersedes", 0, OPTION_LIST, "NUMBER", AT(supersedes), AT(supersede_count), PIECE, "An entry that this one replaces: it stays in the ledger and no longer counts. May be given again.", NULL, false},
    {"tool", 0, OPTION_TEXT, "TEXT", AT(tool), 0, PIECE, "What made it, with its version, such as 'psql 15.4'.", NULL, false},
    {"at", 0, OPTION_TEXT, "TIME", AT(at), 0, PIECE, "When it was collected, such as 2031-02-03T04:05:06Z. Default: the file's last change.", NULL, false},
    {"by", 0, OPTION_TEXT, "NAME", AT(by), 0, PIECE, "Who adds it. Default: SLACKWATER_USER, else USER.", NULL, false},
    {"directory", 0, OPTION_TEXT, "DIR", AT(directory), 0, PIECE, "Where the command behind -- ran; its inputs are looked for there. Default: here.", NULL, false},
    OPTION_JSON,
};

static const struct command_example add_examples[] = {
    {"a report and its inputs, with the command that made it", "slackwater case add incident-17 report.json --copy -- slackwater reconcile -b base.csv -e events.ndjson -x dest.csv --report report.json"},
    {"an observation of the process", "slackwater case add incident-17 stream.json --kind observation --title 'stream is RUNNING' --tool 'gcloud 502.0.0'"},
    {"a dashboard", "slackwater case add incident-17 --link https://grafana.example/d/lag --title 'lag since midnight'"},
};

static const struct command add_command = {
    .name = "case add", .synopsis = "DIR FILE... [OPTION]... [-- COMMAND...]", .summary = "add evidence to a case: results, files, queries, links",
    .description = "Copies each file into evidence/ and adds a line to the ledger: digest, time, tool, command, who. What slackwater wrote is recognised and judged by 'case check'; a reconciliation "
                   "brings its mapping and its file of differences with it.\n\n"
                   "Commands with --case DIR add their own result, which needs no typing. Passwords in a command are blotted out.",
    .options = add_options, .option_count = sizeof add_options / sizeof add_options[0], .operands_min = 1, .operands_max = 1000,
    .statuses = plain_statuses, .status_count = sizeof plain_statuses / sizeof plain_statuses[0],
    .examples = add_examples, .example_count = sizeof add_examples / sizeof add_examples[0], .run = run_add,
};

/* ---- check, status ---- */

static int run_check(const struct command *self, int argc, char **argv)
{
    struct call call = {0};
    struct operands operands;
    struct sw_error error = {0};
    int status;
    if (command_parse(&status, &call, &operands, self, argc, argv)
        && sw_case_check(&status, operands.at[0], call.now, call.json ? SW_CASE_JSON : SW_CASE_TEXT, call.open_only ? call.all ? SW_CASE_LIST_OPEN : SW_CASE_LIST_NEXT : SW_CASE_LIST_ALL,
                         call.json ? stdout_write : terminal_text_write, NULL, &error) < 0)
        status = failure_print(call.json, &error);
    command_release(&call, self);
    return status;
}

static const struct command_option check_options[] = {
    {"open", 0, OPTION_FLAG, NULL, AT(open_only), 0, CHECK, "Lists what to answer next: what failed, then the first ten that are not answered, by the course of an incident. The rest is counted.", NULL, false},
    {"all", 0, OPTION_FLAG, NULL, AT(all), 0, CHECK, "With --open: every rule that did not pass.", NULL, false},
    OPTION_NOW,
    OPTION_JSON,
};

static const struct command_status check_statuses[] = {
    {0, "Every rule is answered and passed."},
    {1, "A rule failed."},
    {2, "Wrong usage, or case.yaml, the ledger or a piece is not what it must be."},
    {3, "No rule failed, and at least one is not answered."},
    {4, "The environment failed: nothing is claimed."},
};

static const struct command_example check_examples[] = {
    {"what must be answered first", "slackwater case check incident-17 --open"},
    {"all that is missing, before anybody says that it is over", "slackwater case check incident-17 --open --all"},
};

static const struct command check_command = {
    .name = "case check", .synopsis = "DIR [--open [--all]] [--now TIME]", .summary = "hold a case against the rules of a recovery",
    .description = "Answers each rule from case.yaml, the ledger and the evidence: passed, failed, or not answered. docs/handover.md lists the rules and says what each reads.",
    .options = check_options, .option_count = sizeof check_options / sizeof check_options[0], .operands_min = 1, .operands_max = 1,
    .statuses = check_statuses, .status_count = sizeof check_statuses / sizeof check_statuses[0],
    .examples = check_examples, .example_count = sizeof check_examples / sizeof check_examples[0], .run = run_check,
};

static int run_status(const struct command *self, int argc, char **argv)
{
    struct call call = {0};
    struct operands operands;
    struct sw_error error = {0};
    int status;
    if (command_parse(&status, &call, &operands, self, argc, argv)) {
        status = 0;
        if (sw_case_status(operands.at[0], call.now, call.json ? SW_CASE_JSON : SW_CASE_TEXT, call.json ? stdout_write : terminal_text_write, NULL, &error) < 0)
            status = failure_print(call.json, &error);
    }
    command_release(&call, self);
    return status;
}

static const struct command_option status_options[] = {OPTION_NOW, OPTION_JSON};

static const struct command_status status_statuses[] = {
    {0, "The status was printed, whatever it is."},
    {2, "Wrong usage, or something in the case is not what it must be."},
    {4, "The environment failed: nothing is claimed."},
};

static const struct command_example status_examples[] = {{"where are we?", "slackwater case status incident-17"}};

static const struct command status_command = {
    .name = "case status", .synopsis = "DIR [--now TIME]", .summary = "what may be said now: three verdicts, what is open, who is next",
    .description = "Prints the headline, the three verdicts with why, the next owner, how many rules are open, the first that failed, the first to answer with what answers it, and the head of the ledger. Changes nothing.",
    .options = status_options, .option_count = sizeof status_options / sizeof status_options[0], .operands_min = 1, .operands_max = 1,
    .statuses = status_statuses, .status_count = sizeof status_statuses / sizeof status_statuses[0],
    .examples = status_examples, .example_count = 1, .run = run_status,
};

/* ---- handover ---- */

/* A note that is written to page.html is meant as a page; NULL: as something that nothing here writes. */
static const char *format_of_name(const char *file)
{
    static const struct { const char *end, *format; } known[] = {
        {".html", "html"}, {".htm", "html"}, {".json", "json"}, {".pdf", NULL}, {".doc", NULL}, {".docx", NULL}, {".odt", NULL}, {".rtf", NULL}, {".png", NULL}, {".xml", NULL}, {".csv", NULL},
    };
    const char *end = file ? strrchr(file, '.') : NULL;
    for (size_t i = 0; end && i < sizeof known / sizeof known[0]; i++)
        if (strcasecmp(end, known[i].end) == 0)
            return known[i].format;
    return "markdown";
}

static int run_handover(const struct command *self, int argc, char **argv)
{
    struct call call = {0};
    struct operands operands;
    struct sw_error error = {0};
    int status;
    if (command_parse(&status, &call, &operands, self, argc, argv)) {
        const char *format = call.format ? call.format : format_of_name(call.output);
        if (!format) {
            error.code = SW_ERR_USAGE;
            snprintf(error.text, sizeof error.text, "%.400s: a note is written as .md, .html or .json; a browser prints the page to PDF (--format names the form of another name)", call.output);
            status = failure_print(call.json, &error);
            command_release(&call, self);
            return status;
        }
        const struct sw_handover_options options = {
            .struct_size = sizeof options, .now = call.now, .by = call.by ? call.by : user_name(), .leave_as_is = call.leave_as_is, .key_file = call.key, .output_file = call.output,
            .format = strcmp(format, "json") == 0 ? SW_NOTE_JSON : strcmp(format, "html") == 0 ? SW_NOTE_HTML : SW_NOTE_MARKDOWN,
        };
        status = sw_case_handover(operands.at[0], &options, stdout_write, NULL, &error) < 0 ? failure_print(call.json, &error) : 0;
    }
    command_release(&call, self);
    return status;
}

static const char *const formats[] = {"markdown", "json", "html", NULL};

static const struct command_option handover_options[] = {
    {"format", 'f', OPTION_CHOICE, NULL, AT(format), 0, OUTPUT, "Default: what the name of FILE ends in (.html, .htm, .json), else markdown. html is one page with everything in it.", formats, false},
    {"output", 'o', OPTION_TEXT, "FILE", AT(output), 0, OUTPUT, "Writes the note to a file, whole or not at all. Default: standard output.", NULL, false},
    {"sign", 0, OPTION_TEXT, "KEY", AT(key), 0, OUTPUT, "Signs the ledger with an ed25519 private key (PEM), into signatures/.", NULL, false},
    {"by", 0, OPTION_TEXT, "NAME", AT(by), 0, OUTPUT, "Who hands over. Default: SLACKWATER_USER, else USER.", NULL, false},
    {"leave-as-is", 0, OPTION_FLAG, NULL, AT(leave_as_is), 0, OUTPUT, "Does not record case.yaml in the ledger; the note then says that it is not there.", NULL, false},
    OPTION_NOW,
    OPTION_JSON,
};

static const struct command_status handover_statuses[] = {
    {0, "The note was written. It says what may be said; that is no approval."},
    {2, "Wrong usage, or something in the case is not what it must be."},
    {4, "The environment failed: no note was written."},
};

static const struct command_example handover_examples[] = {
    {"a note for the chat and the ticket", "slackwater case handover incident-17"},
    {"the page, and a signature", "slackwater case handover incident-17 --format html -o incident-17.html --sign me.pem"},
};

static const struct command handover_command = {
    .name = "case handover", .synopsis = "DIR [--format FORMAT] [--output FILE]", .summary = "write the note for the next owner",
    .description = "One page: what is confirmed, what is uncertain, who is next, the three verdicts with their evidence and expiry, the affected interval, the restart position, versions, differences, limits. "
                   "Its words are never stronger than its verdicts. case.yaml is recorded in the ledger first, and the note prints the ledger's head and length.",
    .options = handover_options, .option_count = sizeof handover_options / sizeof handover_options[0], .operands_min = 1, .operands_max = 1,
    .statuses = handover_statuses, .status_count = sizeof handover_statuses / sizeof handover_statuses[0],
    .examples = handover_examples, .example_count = sizeof handover_examples / sizeof handover_examples[0], .run = run_handover,
};

/* ---- verify ---- */

static const struct command_option verify_options[] = {
    {"head", 0, OPTION_TEXT, "DIGEST", AT(head), 0, CHECK, "The head of the ledger as a note prints it. Without it or a signature it cannot be told whether the end was cut off.", NULL, false},
    {"length", 0, OPTION_NUMBER, "COUNT", AT(length), 0, CHECK, "The length beside it.", NULL, false},
    {"public-key", 0, OPTION_TEXT, "KEY", AT(key), 0, CHECK, "Checks the signatures with an ed25519 public key (PEM).", NULL, false},
    {"inputs", 0, OPTION_TEXT, "DIR", AT(inputs), 0, CHECK, "Where inputs that were not copied are looked for, by their digest. Default: where they were.", NULL, false},
    OPTION_JSON,
};

static int run_verify(const struct command *self, int argc, char **argv)
{
    struct call call = {0};
    struct operands operands;
    struct sw_error error = {0};
    int status;
    if (command_parse(&status, &call, &operands, self, argc, argv)) {
        const struct sw_verify_options options = {.struct_size = sizeof options, .head = call.head, .length = call.length, .key_file = call.key, .inputs = call.inputs, .repeat = reconcile_repeat};
        if (sw_case_verify(&status, operands.at[0], &options, call.json ? SW_CASE_JSON : SW_CASE_TEXT, call.json ? stdout_write : terminal_text_write, NULL, &error) < 0)
            status = failure_print(call.json, &error);
    }
    command_release(&call, self);
    return status;
}

static const struct command_status verify_statuses[] = {
    {0, "Nothing was changed, and every comparison was repeated with the same result."},
    {1, "A piece is changed, missing or out of order, or a comparison gave another result; each is named."},
    {2, "Wrong usage, or no case is there."},
    {3, "Nothing was changed, and not everything could be repeated or vouched for; what is named."},
    {4, "The environment failed: nothing is claimed."},
};

static const struct command_example verify_examples[] = {
    {"with what the note says", "slackwater case verify incident-17 --head 5b2c… --length 9"},
    {"inputs that were not copied", "slackwater case verify incident-17 --inputs /mnt/restore/2031-02-03"},
};

static const struct command verify_command = {
    .name = "case verify", .synopsis = "DIR [--head DIGEST] [OPTION]...", .summary = "is a case what it was, and does the comparison come out again?",
    .description = "Checks the digest of each piece, the chain of the ledger, its head and signatures, and repeats each comparison that counts, from copied inputs or from files of equal digest. "
                   "It changes nothing in the folder.",
    .options = verify_options, .option_count = sizeof verify_options / sizeof verify_options[0], .operands_min = 1, .operands_max = 1,
    .statuses = verify_statuses, .status_count = sizeof verify_statuses / sizeof verify_statuses[0],
    .examples = verify_examples, .example_count = sizeof verify_examples / sizeof verify_examples[0], .run = run_verify,
};

/* ---- case ---- */

static const struct command *const subcommands[] = {&init_command, &add_command, &check_command, &status_command, &handover_command, &verify_command, NULL};

const struct command command_case = {
    .name = "case",
    .synopsis = "COMMAND [OPTION]...",
    .summary = "what is known of an incident, what may be said, and the handover",
    .description = "A case is a folder that can be zipped and given to the next shift: what people declare, what was collected, and a ledger that shows whether any of it was changed. docs/handover.md.",
    .subcommands = subcommands,
};

/* The words of other tools: no alias, since a command that is kept in a case is read by people who look its words up. */
#include "other_words.h"

#include <string.h>

/* Several rows of a word: the first whose option the command has. */
static const struct { const char *word, *option; } options[] = {
    {"source", "baseline"}, {"from", "baseline"}, {"before", "baseline"}, {"left", "baseline"}, {"old", "baseline"}, {"base", "baseline"}, {"snapshot", "baseline"},
    {"target", "expected"}, {"destination", "expected"}, {"dest", "expected"}, {"sink", "expected"}, {"to", "expected"}, {"after", "expected"}, {"right", "expected"},
    {"new", "expected"}, {"actual", "expected"}, {"reference", "expected"}, {"warehouse", "expected"},
    {"changes", "events"}, {"cdc", "events"}, {"topic", "events"}, {"stream", "events"},
    {"primary-key", "key"}, {"pk", "key"}, {"key-columns", "key"}, {"id", "key"}, {"on", "key"}, {"join", "key"},
    {"exclude", "ignore"}, {"skip", "ignore"}, {"omit", "ignore"}, {"exclude-columns", "ignore"}, {"columns", "ignore"},
    {"cast", "type"}, {"schema", "type"}, {"dtype", "type"},
    {"delimiter", "csv-delimiter"}, {"separator", "csv-delimiter"}, {"sep", "csv-delimiter"}, {"null", "csv-null"}, {"null-string", "csv-null"}, {"escape", "csv-escape"},
    {"mapping", "map"}, {"config", "map"}, {"filter", "where"}, {"input-format", "format"}, {"connector", "format"},
    {"limit", "list"}, {"head", "list"}, {"top", "list"}, {"max-rows", "list"},
    {"bad", "quarantine"}, {"rejects", "quarantine"}, {"dead-letter", "quarantine"}, {"dlq", "quarantine"}, {"skip-bad", "quarantine"}, {"ignore-errors", "quarantine"},
    {"diff", "differences"}, {"diffs", "differences"}, {"output", "report"}, {"out", "report"}, {"save", "save-state"},
    {"jobs", "threads"}, {"workers", "threads"}, {"parallel", "threads"}, {"cores", "threads"}, {"mem", "memory"}, {"ram", "memory"}, {"memory-limit", "memory"},
    {"tmpdir", "temporary-directory"}, {"temp", "temporary-directory"}, {"tmp", "temporary-directory"}, {"temp-dir", "temporary-directory"},
    {"quiet", "progress=none"}, {"silent", "progress=none"}, {"no-progress", "progress=none"}, {"verbose", "progress=plain"},
    {"no-color", "color=never"}, {"no-colour", "color=never"}, {"colour", "color"},
    {"position", "saved"}, {"lsn", "saved"}, {"gtid", "saved"}, {"offset", "saved"}, {"start", "saved"}, {"lsn", "cut"}, {"position", "cut"}, {"until", "cut"}, {"as-of", "cut"},
    {"ordering", "order"}, {"sort", "order"}, {"oldest", "first"}, {"newest", "last"}, {"from-file", "show"}, {"input", "show"}, {"replication-slot", "slot"},
    {"html", "format=html"}, {"markdown", "format=markdown"}, {"consumer-group", "group"}, {"database", "table"}, {"name", "title"}, {"message", "title"}, {"user", "by"}, {"author", "by"}, {"key-file", "sign"},
};

/* What is no option anywhere near. */
static const struct { const char *word, *where; } elsewhere[] = {
    {"html", "a page is written by 'slackwater case handover DIR --format html', from a case that --case DIR filled"},
    {"markdown", "a note is written by 'slackwater case handover DIR', from a case that --case DIR filled"},
    {"csv", "the suffix of the file says it: --differences FILE.csv"},
    {"password", "passwords come from where the client libraries look (~/.pgpass, PGPASSWORD, ~/.my.cnf, MYSQL_PWD), or stand in the locator"},
    {"host", "a database is named by a locator, such as postgresql://user@host/database#table"},
    {"port", "a database is named by a locator, such as postgresql://user@host:5432/database#table"},
    {"dry-run", "nothing is written to any database; files appear only where an option names them"},
    {"force", "nothing is overwritten that was read, and nothing needs to be forced"},
    {"yes", "nothing asks"},
};

static const struct { const char *word, *command; } commands_meant[] = {
    {"diff", "reconcile"}, {"compare", "reconcile"}, {"validate", "reconcile"}, {"recon", "reconcile"}, {"run", "reconcile"}, {"data-diff", "reconcile"}, {"report", "case handover"}, {"note", "case handover"},
    {"incident", "case init"}, {"lag", "position probe"}, {"lsn", "position compare"}, {"gtid", "position compare"}, {"slot", "position probe"}, {"slots", "position probe"},
};

/* Has it the option, and, of "option=choice", that choice? */
static bool has_option(const struct command *command, const char *name)
{
    size_t len = strcspn(name, "=");
    for (size_t i = 0; i < command->option_count; i++) {
        const struct command_option *option = &command->options[i];
        if (option->hidden || strlen(option->name) != len || memcmp(option->name, name, len) != 0)
            continue;
        bool known = name[len] == '\0';
        for (const char *const *choice = option->choices; !known && choice && *choice; choice++)
            known = strcmp(*choice, name + len + 1) == 0;
        return known;
    }
    return false;
}

bool other_word_for_option(char *out, size_t room, const struct command *command, const char *word)
{
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        if (strcmp(options[i].word, word) == 0 && has_option(command, options[i].option)) {
            snprintf(out, room, "that is --%s here", options[i].option);
            return true;
        }
    for (size_t i = 0; i < sizeof elsewhere / sizeof elsewhere[0]; i++)
        if (strcmp(elsewhere[i].word, word) == 0) {
            snprintf(out, room, "%s", elsewhere[i].where);
            return true;
        }
    return false;
}

const char *other_word_for_command(const char *word, const struct command *const *all)
{
    for (size_t i = 0; i < sizeof commands_meant / sizeof commands_meant[0]; i++)
        if (strcmp(commands_meant[i].word, word) == 0)
            return commands_meant[i].command;
    /* gap, probe, init, verify: the second word alone */
    for (const struct command *const *parent = all; *parent; parent++)
        for (const struct command *const *command = (*parent)->subcommands; command && *command; command++)
            if (strcmp((*command)->name + strlen((*parent)->name) + 1, word) == 0)
                return (*command)->name;
    return NULL;
}

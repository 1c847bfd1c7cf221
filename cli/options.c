/* The parser of the arguments of one command. */
#include <assert.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "failure.h"
#include "other_words.h"
#include "slackwater/names.h"

struct parser {
    const struct command *command;
    void *target;
    int argc;
    char **argv;
    struct sw_error error;       /* the first one; parsing goes on, so that --help and --json count wherever they stand */
    bool help;
    uint8_t given[128];          /* by option: it was there */
};

static void refuse(struct parser *parser, const char *format, ...) SW_PRINTF(2, 3);

static void refuse(struct parser *parser, const char *format, ...)
{
    va_list args;
    if (parser->error.code < 0)
        return;
    parser->error.code = SW_ERR_USAGE;
    va_start(args, format);
    vsnprintf(parser->error.text, sizeof parser->error.text, format, args);
    va_end(args);
}

static void *field(const struct parser *parser, size_t at) { return (char *)parser->target + at; }

static bool read_number(uint64_t *out, const char *text, const char **rest)
{
    uint64_t number = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9'; at++)
        if (__builtin_mul_overflow(number, 10, &number) || __builtin_add_overflow(number, (uint64_t)(*at - '0'), &number))
            return false;
    *out = number;
    *rest = at;
    return at != text;
}

static bool read_size(uint64_t *out, const char *text)
{
    static const struct { const char *suffix; uint64_t bytes; } units[] = {
        {"", 1}, {"B", 1},
        {"K", 1ull << 10}, {"KiB", 1ull << 10}, {"kB", 1000}, {"KB", 1000},
        {"M", 1ull << 20}, {"MiB", 1ull << 20}, {"MB", 1000000},
        {"G", 1ull << 30}, {"GiB", 1ull << 30}, {"GB", 1000000000},
        {"T", 1ull << 40}, {"TiB", 1ull << 40}, {"TB", 1000000000000},
    };
    const char *rest;
    if (!read_number(out, text, &rest))
        return false;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(rest, units[i].suffix) == 0)
            return !__builtin_mul_overflow(*out, units[i].bytes, out);
    return false;
}

static void list_add(struct parser *parser, const struct command_option *option, const char *value)
{
    const char **list;
    size_t count;
    memcpy(&list, field(parser, option->at), sizeof list);
    memcpy(&count, field(parser, option->count_at), sizeof count);
    if (count == 0) /* no list can be longer than the arguments */
        list = calloc((size_t)parser->argc, sizeof *list);
    if (!list) {
        if (parser->error.code >= 0)
            parser->error = (struct sw_error){.code = SW_ERR_MEMORY, .text = "out of memory while the arguments were read"};
        return;
    }
    list[count++] = value;
    memcpy(field(parser, option->at), &list, sizeof list);
    memcpy(field(parser, option->count_at), &count, sizeof count);
}

static void choose(struct parser *parser, const struct command_option *option, const char *value)
{
    char known[256] = "";
    size_t count = 0;
    for (; option->choices[count]; count++) {
        if (strcmp(option->choices[count], value) == 0) {
            memcpy(field(parser, option->at), &option->choices[count], sizeof option->choices[count]);
            return;
        }
        size_t len = strlen(known);
        snprintf(known + len, sizeof known - len, "%s%s", count == 0 ? "" : option->choices[count + 1] ? ", " : " or ", option->choices[count]);
    }
    const char *near = sw_nearest_name(value, option->choices, count);
    refuse(parser, "--%s: expected %s, found '%s'%s%s%s", option->name, known, value, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static void set(struct parser *parser, const struct command_option *option, const char *value)
{
    uint64_t number = 0;
    const char *rest = "";
    size_t index = (size_t)(option - parser->command->options);
    if (parser->given[index] && option->kind != OPTION_LIST && option->kind != OPTION_FLAG)
        refuse(parser, "option '--%s' is given twice", option->name);
    parser->given[index] = 1;
    switch (option->kind) {
    case OPTION_FLAG: *(bool *)field(parser, option->at) = true; break;
    case OPTION_TEXT: memcpy(field(parser, option->at), &value, sizeof value); break;
    case OPTION_LIST: list_add(parser, option, value); break;
    case OPTION_CHOICE: choose(parser, option, value); break;
    case OPTION_NUMBER:
        if (!read_number(&number, value, &rest) || *rest)
            refuse(parser, "--%s: expected a number from 0 to 2^64-1, found '%s'", option->name, value);
        memcpy(field(parser, option->at), &number, sizeof number);
        break;
    case OPTION_UNSIGNED:
        if (!read_number(&number, value, &rest) || *rest || number > INT_MAX)
            refuse(parser, "--%s: expected a number from 0 to %d, found '%s'", option->name, INT_MAX, value);
        *(unsigned *)field(parser, option->at) = (unsigned)number;
        break;
    case OPTION_SIZE:
        if (!read_size(&number, value))
            refuse(parser, "--%s: expected a size such as 512M, 2G or 1GiB, found '%s'", option->name, value);
        memcpy(field(parser, option->at), &number, sizeof number);
        break;
    case OPTION_CHARACTER:
        if (strcmp(value, "tab") == 0)
            value = "\t";
        if (strlen(value) != 1)
            refuse(parser, "--%s: expected one character or tab, found '%s'", option->name, value);
        *(char *)field(parser, option->at) = value[0];
        break;
    }
}

/* What an option needs, for the message that it is missing. */
static void refuse_missing(struct parser *parser, const struct command_option *option, const char *found)
{
    char form[256];
    option_form(form, sizeof form, option);
    if (found)
        refuse(parser, "option '--%s' needs an argument (%s), found '%s'; write --%s=%s if that is meant", option->name, form, found, option->name, found);
    else
        refuse(parser, "option '--%s' needs an argument (%s)", option->name, form);
}

static void unknown_option(struct parser *parser, const char *name, size_t len)
{
    const struct command *command = parser->command;
    const char *names[130];
    size_t count = 0;
    char text[128];
    for (size_t i = 0; i < command->option_count; i++)
        if (!command->options[i].hidden)
            names[count++] = command->options[i].name;
    names[count++] = "help";
    snprintf(text, sizeof text, "%.*s", (int)(len < 100 ? len : 100), name);
    char other[256];
    if (other_word_for_option(other, sizeof other, command, text)) {
        refuse(parser, "unknown option '--%s'; %s", text, other);
        return;
    }
    const char *near = sw_nearest_name(text, names, count);
    refuse(parser, "unknown option '--%s'%s%s%s", text, near ? "; did you mean '--" : "", near ? near : "", near ? "'?" : "");
}

/* Behind an option that needs an argument, what looks like an option was hardly meant as one: the argument was forgotten. */
static bool is_argument(const char *next) { return next && !(next[0] == '-' && next[1] == '-'); }

/* "--name", "--name=value"; `next` is the argument behind it or NULL. Returns how many further arguments were taken. */
static int long_option(struct parser *parser, const char *text, const char *next)
{
    const struct command *command = parser->command;
    const char *equals = strchr(text, '=');
    size_t len = equals ? (size_t)(equals - text) : strlen(text);
    if (len == 4 && memcmp(text, "help", 4) == 0) {
        if (equals)
            refuse(parser, "option '--help' takes no argument, found '%s'", equals + 1);
        parser->help = parser->help || !equals;
        return 0;
    }
    for (size_t i = 0; i < command->option_count; i++) {
        const struct command_option *option = &command->options[i];
        if (strlen(option->name) != len || memcmp(option->name, text, len) != 0)
            continue;
        if (option->kind == OPTION_FLAG) {
            if (equals)
                refuse(parser, "option '--%s' takes no argument, found '%s'", option->name, equals + 1);
            else
                set(parser, option, NULL);
            return 0;
        }
        if (equals) {
            set(parser, option, equals + 1);
            return 0;
        }
        if (is_argument(next))
            set(parser, option, next);
        else
            refuse_missing(parser, option, next);
        return is_argument(next);
    }
    unknown_option(parser, text, len);
    return 0;
}

/* "-k", "-kVALUE", "-jk VALUE". */
static int short_options(struct parser *parser, const char *letters, const char *next)
{
    const struct command *command = parser->command;
    for (const char *at = letters; *at; at++) {
        const struct command_option *option = NULL;
        if (*at == 'h') {
            parser->help = true;
            continue;
        }
        for (size_t i = 0; i < command->option_count && !option; i++)
            if (command->options[i].letter == *at)
                option = &command->options[i];
        if (!option) {
            refuse(parser, "unknown option '-%c'", *at);
            return 0;
        }
        if (option->kind == OPTION_FLAG) {
            set(parser, option, NULL);
            continue;
        }
        if (at[1])
            set(parser, option, at + 1);
        else if (!is_argument(next))
            refuse_missing(parser, option, next);
        else
            set(parser, option, next);
        return !at[1] && is_argument(next);
    }
    return 0;
}

static bool wants_json(const struct parser *parser)
{
    for (size_t i = 0; i < parser->command->option_count; i++)
        if (parser->given[i] && strcmp(parser->command->options[i].name, "json") == 0)
            return true;
    return false;
}

static void check_operands(struct parser *parser, const struct operands *operands)
{
    const struct command *command = parser->command;
    unsigned count = (unsigned)operands->count;
    char takers[128] = ""; /* options that take what a person may have meant: files */
    for (size_t i = 0, len = 0; i < command->option_count && command->operands_max == 0; i++)
        if (command->options[i].kind == OPTION_LIST && command->options[i].argument && strcmp(command->options[i].argument, "LOCATOR") == 0 && (len = strlen(takers)) < sizeof takers)
            snprintf(takers + len, sizeof takers - len, "%s--%s", len ? ", " : "; an input is named with ", command->options[i].name);
    if (command->operands_max == 0 && count)
        refuse(parser, "expected options only, found '%s'%s", operands->at[0], takers);
    else if (count > command->operands_max)
        refuse(parser, "expected at most %u operand%s, '%s' is one more", command->operands_max, command->operands_max == 1 ? "" : "s", operands->at[command->operands_max]);
    else if (count < command->operands_min)
        refuse(parser, "expected %s %u operand%s (%s), found %u", command->operands_min == command->operands_max ? "exactly" : "at least", command->operands_min,
               command->operands_min == 1 ? "" : "s", command->synopsis, count);
}

static void parse(struct parser *parser, struct operands *operands)
{
    const int argc = parser->argc;
    char **argv = parser->argv;
    bool options_end = false;
    assert(parser->command->option_count <= sizeof parser->given);
    *operands = (struct operands){.at = argv + 1};
    for (int i = 1; i < argc; i++) {
        const char *next = i + 1 < argc ? argv[i + 1] : NULL;
        if (!options_end && strcmp(argv[i], "--") == 0)
            options_end = true;
        else if (!options_end && argv[i][0] == '-' && argv[i][1] == '-')
            i += long_option(parser, argv[i] + 2, next);
        else if (!options_end && argv[i][0] == '-' && argv[i][1])
            i += short_options(parser, argv[i] + 1, next);
        else
            operands->at[operands->count++] = argv[i]; /* never overtakes i */
    }
    if (!parser->help)
        check_operands(parser, operands);
}

bool command_parse_quietly(struct sw_error *error, void *target, struct operands *operands, const struct command *command, int argc, char **argv)
{
    struct parser parser = {.command = command, .target = target, .argc = argc, .argv = argv};
    parse(&parser, operands);
    if (parser.help)
        refuse(&parser, "the command asks for help");
    *error = parser.error;
    return parser.error.code >= 0;
}

bool command_parse(int *status, void *target, struct operands *operands, const struct command *command, int argc, char **argv)
{
    struct parser parser = {.command = command, .target = target, .argc = argc, .argv = argv};
    parse(&parser, operands);
    if (parser.help) {
        command_help(stdout, command);
        *status = 0;
        return false;
    }
    if (parser.error.code >= 0)
        return true;
    *status = failure_print(wants_json(&parser), &parser.error);
    if (!wants_json(&parser) && parser.error.code == SW_ERR_USAGE)
        fprintf(stderr, "try 'slackwater %s --help'\n", command->name);
    return false;
}

void command_release(void *target, const struct command *command)
{
    for (size_t i = 0; i < command->option_count; i++) {
        const struct command_option *option = &command->options[i];
        if (option->kind != OPTION_LIST)
            continue;
        void *list;
        memcpy(&list, (char *)target + option->at, sizeof list);
        free(list);
        memset((char *)target + option->at, 0, sizeof list);
        memset((char *)target + option->count_at, 0, sizeof(size_t));
    }
}

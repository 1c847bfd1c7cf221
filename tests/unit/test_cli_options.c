#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "command.h"

struct target {
    bool flag, json, other;
    const char *text, *choice;
    const char *const *list; size_t list_count;
    uint64_t number, size;
    unsigned count;
    char character;
};

static const char *const choices[] = {"red", "green", NULL};
#define AT(field) offsetof(struct target, field)
static const struct command_option table[] = {
    {"flag", 'f', OPTION_FLAG, NULL, AT(flag), 0, "some", "A flag.", NULL, false},
    {"other", 'o', OPTION_FLAG, NULL, AT(other), 0, "some", "Another flag.", NULL, false},
    {"json", 0, OPTION_FLAG, NULL, AT(json), 0, "some", "JSON.", NULL, false},
    {"text", 't', OPTION_TEXT, "TEXT", AT(text), 0, "some", "A text.", NULL, false},
    {"choice", 0, OPTION_CHOICE, NULL, AT(choice), 0, "some", "A colour.", choices, false},
    {"list", 'l', OPTION_LIST, "ITEM", AT(list), AT(list_count), "more", "Items.", NULL, false},
    {"number", 0, OPTION_NUMBER, "N", AT(number), 0, "more", "A number.", NULL, false},
    {"size", 0, OPTION_SIZE, "SIZE", AT(size), 0, "more", "A size.", NULL, false},
    {"count", 0, OPTION_UNSIGNED, "N", AT(count), 0, "more", "A count.", NULL, false},
    {"character", 0, OPTION_CHARACTER, "C", AT(character), 0, "more", "A character.", NULL, true},
};
static const struct command command = {
    .name = "probe", .synopsis = "[OPTION]... [FILE]...", .summary = "a command for tests", .description = "Nothing.",
    .options = table, .option_count = sizeof table / sizeof table[0], .operands_max = 3,
};
static const struct command without_operands = {.name = "probe", .synopsis = "", .description = "Nothing.", .options = table, .option_count = sizeof table / sizeof table[0]};

static struct target target;
static struct operands operands;

/* Splits the words at blanks and parses them; "_" is an empty argument. What it prints goes to `printed`. */
static char printed[8192];
static int status;

static bool parse_with(const struct command *of, const char *words)
{
    static char copy[512];
    static char *argv[40];
    char *save = NULL;
    int argc = 1, out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO);
    FILE *file = tmpfile();
    assert_non_null(file);
    command_release(&target, of);
    target = (struct target){.number = 7};
    argv[0] = copy;
    snprintf(copy, sizeof copy, "%s", words);
    for (char *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save))
        argv[argc++] = strcmp(word, "_") == 0 ? word + 1 : word;
    argv[argc] = NULL;
    fflush(stdout);
    dup2(fileno(file), STDOUT_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    status = -1;
    bool go_on = command_parse(&status, &target, &operands, of, argc, argv);
    fflush(stdout);
    fflush(stderr);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    close(out);
    close(err);
    rewind(file);
    printed[fread(printed, 1, sizeof printed - 1, file)] = '\0';
    fclose(file);
    return go_on;
}

static void parses(const char *words)
{
    assert_true(parse_with(&command, words));
    assert_string_equal(printed, "");
}

static void refuses(const char *words, const char *message)
{
    char whole[512];
    snprintf(whole, sizeof whole, "slackwater: %s\ntry 'slackwater probe --help'\n", message);
    assert_false(parse_with(&command, words));
    assert_string_equal(printed, whole);
    assert_int_equal(status, 2);
}

static int released(void **state)
{
    (void)state;
    command_release(&target, &command);
    return 0;
}

static void every_kind_reaches_its_field(void **state)
{
    (void)state;
    parses("");
    assert_false(target.flag);
    assert_int_equal(target.number, 7);
    assert_int_equal(operands.count, 0);
    parses("--flag --text a --choice green --list x --list=y --number 18446744073709551615 --size 2K --count 3 --character ;");
    assert_true(target.flag);
    assert_string_equal(target.text, "a");
    assert_string_equal(target.choice, "green");
    assert_int_equal(target.list_count, 2);
    assert_string_equal(target.list[0], "x");
    assert_string_equal(target.list[1], "y");
    assert_true(target.number == UINT64_MAX);
    assert_int_equal(target.size, 2048);
    assert_int_equal(target.count, 3);
    assert_int_equal(target.character, ';');
    parses("--character tab");
    assert_int_equal(target.character, '\t');
}

static void both_ways_of_writing_an_argument_are_the_same(void **state)
{
    (void)state;
    parses("--text=a=b");
    assert_string_equal(target.text, "a=b");
    parses("--text=");
    assert_string_equal(target.text, "");
    parses("--text _");
    assert_string_equal(target.text, "");
    parses("--text -");
    assert_string_equal(target.text, "-");
    parses("--text -x");
    assert_string_equal(target.text, "-x");
    parses("--text=--flag");
    assert_string_equal(target.text, "--flag");
    assert_false(target.flag);
}

static void letters_may_be_joined_and_take_their_argument(void **state)
{
    (void)state;
    parses("-fo");
    assert_true(target.flag && target.other);
    parses("-fta");
    assert_true(target.flag);
    assert_string_equal(target.text, "a");
    parses("-l a -lb -fl c");
    assert_int_equal(target.list_count, 3);
    assert_string_equal(target.list[2], "c");
}

static void options_and_operands_may_be_mixed(void **state)
{
    (void)state;
    parses("one --flag two --text t - -- ");
    assert_int_equal(operands.count, 3);
    assert_string_equal(operands.at[0], "one");
    assert_string_equal(operands.at[1], "two");
    assert_string_equal(operands.at[2], "-");
    parses("-- --flag -x");
    assert_false(target.flag);
    assert_int_equal(operands.count, 2);
    assert_string_equal(operands.at[0], "--flag");
    parses("--flag -- --");
    assert_string_equal(operands.at[0], "--");
}

static void sizes_have_units(void **state)
{
    (void)state;
    static const struct { const char *text; uint64_t size; } cases[] = {
        {"--size 0", 0}, {"--size 512", 512}, {"--size 512B", 512}, {"--size 64K", 65536}, {"--size 64KiB", 65536}, {"--size 64kB", 64000}, {"--size 64KB", 64000},
        {"--size 3M", 3145728}, {"--size 3MiB", 3145728}, {"--size 3MB", 3000000}, {"--size 2G", 2147483648}, {"--size 1GiB", 1073741824}, {"--size 1GB", 1000000000},
        {"--size 1T", 1099511627776}, {"--size 1TiB", 1099511627776}, {"--size 1TB", 1000000000000}, {"--size 16777215T", 18446742974197923840u},
    };
    static const char *const bad[] = {"K", "1k", "1Kb", "-1", "+1", "1.5G", "1 G", "0x10", "18446744073709551616", "16777216T", "1GG", ""};
    char words[64], message[128];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        parses(cases[i].text);
        assert_true(target.size == cases[i].size);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (strchr(bad[i], ' '))
            continue;
        snprintf(words, sizeof words, "--size=%s", bad[i]);
        snprintf(message, sizeof message, "--size: expected a size such as 512M, 2G or 1GiB, found '%s'", bad[i]);
        refuses(words, message);
    }
}

static void wrong_arguments_are_refused_with_what_is_expected(void **state)
{
    (void)state;
    refuses("--number 18446744073709551616", "--number: expected a number from 0 to 2^64-1, found '18446744073709551616'");
    refuses("--number 1x", "--number: expected a number from 0 to 2^64-1, found '1x'");
    refuses("--number -1", "--number: expected a number from 0 to 2^64-1, found '-1'");
    refuses("--count 2147483648", "--count: expected a number from 0 to 2147483647, found '2147483648'");
    refuses("--choice blue", "--choice: expected red or green, found 'blue'");
    refuses("--choice gren", "--choice: expected red or green, found 'gren'; did you mean 'green'?");
    refuses("--choice gre", "--choice: expected red or green, found 'gre'; did you mean 'green'?");
    refuses("--character ab", "--character: expected one character or tab, found 'ab'");
    refuses("--character=", "--character: expected one character or tab, found ''");
    refuses("--text", "option '--text' needs an argument (-t, --text TEXT)");
    refuses("--choice", "option '--choice' needs an argument (--choice red|green)");
    refuses("-t", "option '--text' needs an argument (-t, --text TEXT)");
    refuses("--text --flag", "option '--text' needs an argument (-t, --text TEXT), found '--flag'; write --text=--flag if that is meant");
    refuses("-t --flag", "option '--text' needs an argument (-t, --text TEXT), found '--flag'; write --text=--flag if that is meant");
    refuses("--flag=yes", "option '--flag' takes no argument, found 'yes'");
    refuses("--text a --text a", "option '--text' is given twice");
    refuses("-ta --text=b", "option '--text' is given twice");
}

static void unknown_options_are_refused_with_the_one_that_was_meant(void **state)
{
    (void)state;
    refuses("--txet a", "unknown option '--txet'; did you mean '--text'?");
    refuses("--tex a", "unknown option '--tex'; did you mean '--text'?");
    refuses("--txet=a", "unknown option '--txet'; did you mean '--text'?");
    refuses("--hlep", "unknown option '--hlep'; did you mean '--help'?");
    refuses("--zzzzzz", "unknown option '--zzzzzz'");
    refuses("--help=x", "option '--help' takes no argument, found 'x'");
    refuses("---flag", "unknown option '---flag'; did you mean '--flag'?");
    refuses("--charactr x", "unknown option '--charactr'"); /* hidden ones are not offered */
    refuses("-z", "unknown option '-z'");
    refuses("-fz", "unknown option '-z'");
}

static void the_number_of_operands_is_checked(void **state)
{
    (void)state;
    refuses("a b c d", "expected at most 3 operands, 'd' is one more");
    assert_false(parse_with(&without_operands, "a"));
    assert_string_equal(printed, "slackwater: expected options only, found 'a'\ntry 'slackwater probe --help'\n");
}

static void the_first_error_is_told_and_the_order_of_help_and_json_does_not_matter(void **state)
{
    (void)state;
    refuses("--number x --size y", "--number: expected a number from 0 to 2^64-1, found 'x'");
    static const char *const json[] = {"--json --number x", "--number x --json"};
    for (size_t i = 0; i < 2; i++) {
        assert_false(parse_with(&command, json[i]));
        assert_string_equal(printed, "{\"error\":{\"code\":\"usage\",\"text\":\"--number: expected a number from 0 to 2^64-1, found 'x'\"}}\n");
        assert_int_equal(status, 2);
    }
    static const char *const help[] = {"--help", "-h", "--number x --help", "--help --zzzzzz", "-fh", "a b c d -h"};
    for (size_t i = 0; i < sizeof help / sizeof help[0]; i++) {
        assert_false(parse_with(&command, help[i]));
        assert_int_equal(status, 0);
        assert_string_equal(printed, "usage: slackwater probe [OPTION]... [FILE]...\n\nNothing.\n\nsome:\n"
                                     "  -f, --flag                  A flag.\n  -o, --other                 Another flag.\n      --json                  JSON.\n"
                                     "  -t, --text TEXT             A text.\n      --choice red|green      A colour.\n\nmore:\n"
                                     "  -l, --list ITEM             Items.\n      --number N              A number.\n      --size SIZE             A size.\n"
                                     "      --count N               A count.\n\n  -h, --help                  Prints this help.\n");
    }
    parses("-- --help");
}

static void bytes_that_are_not_utf8_do_not_break_the_json(void **state)
{
    (void)state;
    assert_false(parse_with(&command, "--json --size=a\xff\"\\\x01é\xed\xa0\x80\xc3"));
    assert_string_equal(printed, "{\"error\":{\"code\":\"usage\",\"text\":\"--size: expected a size such as 512M, 2G or 1GiB, found "
                                 "'a\\ufffd\\\"\\\\\\u0001é\\ufffd\\ufffd\\ufffd\\ufffd'\"}}\n");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, released)
    const struct CMUnitTest tests[] = {
        TEST(every_kind_reaches_its_field),
        TEST(both_ways_of_writing_an_argument_are_the_same),
        TEST(letters_may_be_joined_and_take_their_argument),
        TEST(options_and_operands_may_be_mixed),
        TEST(sizes_have_units),
        TEST(wrong_arguments_are_refused_with_what_is_expected),
        TEST(unknown_options_are_refused_with_the_one_that_was_meant),
        TEST(the_number_of_operands_is_checked),
        TEST(the_first_error_is_told_and_the_order_of_help_and_json_does_not_matter),
        TEST(bytes_that_are_not_utf8_do_not_break_the_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

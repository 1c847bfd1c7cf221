/* slackwater lab [FILE]: the bounded contract, byte for byte. */
#include "slackwater/lab.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "failure.h"

/* A document is bounded, and so is the buffer for it: there is no allocation that could fail. */
static uint8_t document[SW_LAB_BYTES_ENOUGH];

static int io_failed(const char *name, const char *what, int sys_errno)
{
    struct sw_error error = {.code = SW_ERR_IO, .sys_errno = sys_errno, .has_place = true, .offset = UINT64_MAX};
    snprintf(error.source, sizeof error.source, "%s", name);
    snprintf(error.text, sizeof error.text, "could not be %s: %s", what, strerror(sys_errno));
    return failure_print(false, &error);
}

/* Reads to the end, or until more bytes could not change the answer. Returns 0 or an errno. */
static int read_document(size_t *len, int fd)
{
    *len = 0;
    while (*len < sizeof document) {
        ssize_t got = read(fd, document + *len, sizeof document - *len);
        if (got == 0)
            return 0;
        if (got > 0)
            *len += (size_t)got;
        else if (errno != EINTR)
            return errno;
    }
    return 0;
}

static int evaluate(size_t document_len)
{
    char *line = NULL;
    size_t line_len = 0;
    struct sw_error error = {0};
    enum sw_code code = sw_lab_evaluate(&line, &line_len, document, document_len, &error);
    if (!line)
        return failure_print(false, &error);
    fwrite(line, 1, line_len, code == SW_OK ? stdout : stderr);
    sw_lab_line_free(&line);
    return sw_code_exit_status(code);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct operands operands;
    int status;
    if (!command_parse(&status, NULL, &operands, self, argc, argv))
        return status;
    const char *file = operands.count ? operands.at[0] : "-";
    bool from_stdin = strcmp(file, "-") == 0;
    int fd = from_stdin ? STDIN_FILENO : open(file, O_RDONLY | O_CLOEXEC);
    if (fd < 0 && (errno == ENOENT || errno == ENOTDIR)) { /* a wrong name, no failure of the machine */
        struct sw_error error = {.code = SW_ERR_INPUT, .offset = UINT64_MAX};
        snprintf(error.text, sizeof error.text, "no such file: %s", file);
        return failure_print(false, &error);
    }
    if (fd < 0)
        return io_failed(file, "opened", errno);
    size_t len;
    int sys_errno = read_document(&len, fd);
    if (!from_stdin)
        close(fd);
    return sys_errno ? io_failed(from_stdin ? "standard input" : file, "read", sys_errno) : evaluate(len);
}

static const struct command_status statuses[] = {
    {0, "evaluated, whether or not the states match the reference"},
    {2, "refused, with one line {\"error\": ...} on standard error; or wrong usage, or there is no such file"},
    {4, "the document could not be read, or the result not be written"},
};

static const struct command_example examples[] = {
    {"What the states are, and where they differ from the reference", "slackwater lab case.json"},
};

const struct command command_lab = {
    .name = "lab",
    .synopsis = "[FILE]",
    .summary = "evaluate one document of the bounded contract",
    .description = "Evaluates one JSON document with the fields baseline, events and expected, and prints the result as one line of "
                   "JSON: the state of each key by its highest version, the keys in conflict, and the differences from the "
                   "reference. The document comes from FILE, or from standard input without one or with \"-\".\n\n"
                   "Each list holds at most 1,000 entries, the document at most 2,000,000 characters. Nothing is kept, and nothing "
                   "is written elsewhere. docs/lab.md has the rules.",
    .operands_max = 1,
    .statuses = statuses,
    .status_count = sizeof statuses / sizeof statuses[0],
    .examples = examples,
    .example_count = sizeof examples / sizeof examples[0],
    .run = run,
};

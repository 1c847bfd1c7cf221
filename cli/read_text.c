#include "read_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool failed(struct sw_error *error, enum sw_code code, const char *name, int sys_errno, const char *what)
{
    *error = (struct sw_error){.code = code, .sys_errno = sys_errno, .has_place = true, .offset = UINT64_MAX};
    snprintf(error->source, sizeof error->source, "%s", strcmp(name, "-") == 0 ? "standard input" : name);
    snprintf(error->text, sizeof error->text, "%s%s%s", what, sys_errno ? ": " : "", sys_errno ? strerror(sys_errno) : "");
    return false;
}

bool read_text(char **text, size_t *len, const char *name, struct sw_error *error)
{
    bool from_stdin = strcmp(name, "-") == 0, good = true;
    size_t capacity = 0;
    *text = NULL;
    *len = 0;
    int fd = from_stdin ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
    if (fd < 0 && (errno == ENOENT || errno == ENOTDIR)) { /* as of an input of a run: a wrong name, no failure of the machine */
        *error = (struct sw_error){.code = SW_ERR_INPUT, .offset = UINT64_MAX};
        snprintf(error->text, sizeof error->text, "no such file: %s", name);
        return false;
    }
    if (fd < 0)
        return failed(error, SW_ERR_IO, name, errno, "could not be opened");
    while (good) {
        if (*len == capacity) {
            capacity = capacity ? capacity * 2 : 65536;
            char *more = realloc(*text, capacity);
            if (!more) {
                good = failed(error, SW_ERR_MEMORY, name, 0, "out of memory while it was read");
                break;
            }
            *text = more;
        }
        ssize_t got = read(fd, *text + *len, capacity - *len);
        if (got == 0)
            break;
        if (got > 0)
            *len += (size_t)got;
        else if (errno != EINTR)
            good = failed(error, SW_ERR_IO, name, errno, "could not be read");
        if (good && *len > READ_TEXT_MAX)
            good = failed(error, SW_ERR_LIMIT, name, 0, "is longer than 16 MiB");
    }
    if (!from_stdin)
        close(fd);
    if (!good) {
        free(*text);
        *text = NULL;
    }
    return good;
}

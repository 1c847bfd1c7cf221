#include "terminal_text.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "failure.h"

#define COLUMNS_LEAST 30 /* below this nothing is gained */
#define HANG_MOST 26     /* a name and its value stand in columns up to here */

unsigned terminal_columns(void)
{
    struct winsize window = {0};
    return isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 ? window.ws_col : 0;
}

/* Where the text of a line begins: behind the last two blanks in a row of its first columns, and behind the mark of a list. */
static size_t hang_of(const char *line, size_t len, size_t columns)
{
    size_t most = len < HANG_MOST ? len : HANG_MOST, hang = 0;
    for (size_t i = 1; i < most; i++)
        if (line[i - 1] == ' ' && line[i] == ' ')
            hang = i + 1;
    while (hang < most && line[hang] == ' ')
        hang++;
    if (hang + 1 < len && line[hang] == '-' && line[hang + 1] == ' ')
        hang += 2;
    size_t digits = hang;
    while (digits < len && line[digits] >= '0' && line[digits] <= '9')
        digits++;
    if (digits > hang && digits + 1 < len && line[digits] == '.' && line[digits + 1] == ' ')
        hang = digits + 2;
    return hang < columns / 2 ? hang : 2;
}

/* How many bytes of a line fit: up to a blank, or at least one word. Characters count as one column. */
static size_t fitting(const char *line, size_t len, size_t columns)
{
    size_t used = 0, blank = 0, i = 0;
    for (; i < len; i++) {
        used += ((unsigned char)line[i] & 0xc0) != 0x80;
        if (line[i] == ' ' && i && line[i - 1] != ' ' && used <= columns + 1)
            blank = i;
        if (used > columns && blank)
            return blank;
        if (used > columns && line[i] == ' ')
            return i;
    }
    return len;
}

static int write_line(const char *line, size_t len, size_t columns)
{
    static const char blanks[] = "                              ";
    size_t hang = hang_of(line, len, columns), indent = 0, skip = hang;
    int failed = 0;
    while (!failed && len) {
        size_t head = indent ? 0 : skip < len ? skip : len; /* what stands before the text is never broken */
        size_t fits = head + fitting(line + head, len - head, columns - (indent ? hang : head));
        failed = stdout_write(blanks, indent, NULL);
        if (!failed)
            failed = stdout_write(line, fits, NULL);
        line += fits;
        len -= fits;
        while (len && *line == ' ')
            line++, len--;
        if (!failed && len)
            failed = stdout_write("\n", 1, NULL);
        indent = hang ? hang : 2;
        hang = indent;
    }
    return failed;
}

int terminal_text_write(const void *bytes, size_t len, void *ctx)
{
    size_t columns = terminal_columns();
    const char *at = bytes;
    (void)ctx;
    if (columns < COLUMNS_LEAST)
        return stdout_write(bytes, len, NULL);
    int failed = 0;
    while (!failed && len) {
        const char *end = memchr(at, '\n', len);
        size_t line = end ? (size_t)(end - at) : len;
        failed = write_line(at, line, columns);
        if (!failed && end)
            failed = stdout_write("\n", 1, NULL);
        at += line + (end != NULL);
        len -= line + (end != NULL);
    }
    return failed;
}

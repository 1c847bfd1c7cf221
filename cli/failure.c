#include "failure.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static int stdout_failed;

int stdout_write(const void *bytes, size_t len, void *ctx)
{
    (void)ctx;
    errno = 0;
    if (fwrite(bytes, 1, len, stdout) == len)
        return 0;
    if (!stdout_failed)
        stdout_failed = errno ? errno : EIO;
    return stdout_failed;
}

int stdout_failure(void) { return stdout_failed; }

/* The length of the UTF-8 character at `at`, or 0 if there is none. */
static size_t character_len(const unsigned char *at)
{
    size_t len = at[0] < 0x80 ? 1 : at[0] >= 0xc2 && at[0] < 0xe0 ? 2 : (at[0] & 0xf0) == 0xe0 ? 3 : at[0] >= 0xf0 && at[0] < 0xf5 ? 4 : 0;
    for (size_t i = 1; i < len; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    if ((at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] >= 0xa0) || (at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] >= 0x90))
        return 0;
    return len;
}

void json_text_print(FILE *to, const char *text)
{
    fputc('"', to);
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        size_t len = character_len(at);
        if (len == 0)
            fputs("\\ufffd", to);
        else if (*at == '"' || *at == '\\')
            fprintf(to, "\\%c", *at);
        else if (*at < 0x20 || *at == 0x7f)
            fprintf(to, "\\u%04x", *at);
        else
            fwrite(at, 1, len, to);
        at += len ? len : 1;
    }
    fputc('"', to);
}

static void print_json(const struct sw_error *error)
{
    fputs("{\"error\":{\"code\":", stdout);
    json_text_print(stdout, sw_code_name(error->code));
    fputs(",\"text\":", stdout);
    json_text_print(stdout, error->text);
    if (error->has_place && error->source[0]) {
        fputs(",\"source\":", stdout);
        json_text_print(stdout, error->source);
    }
    if (error->has_place && error->line)
        printf(",\"line\":%" PRIu64, error->line);
    if (error->has_place && error->column)
        printf(",\"column\":%" PRIu64, error->column);
    if (error->has_place && error->offset != UINT64_MAX)
        printf(",\"offset\":%" PRIu64, error->offset);
    fputs("}}\n", stdout);
}

/* Is it a character that moves the cursor, changes how a terminal shows what follows, or turns its direction? */
static bool steers(const unsigned char *at, size_t len)
{
    if (len == 1)
        return at[0] < 0x20 || at[0] == 0x7f;
    if (len == 2)
        return (at[0] == 0xc2 && at[1] < 0xa0) || (at[0] == 0xd8 && at[1] == 0x9c);
    return len == 3 && at[0] == 0xe2 && ((at[1] == 0x80 && ((at[2] >= 0x8b && at[2] <= 0x8f) || (at[2] >= 0xa8 && at[2] <= 0xae))) || (at[1] == 0x81 && at[2] >= 0xa0));
}

enum { PIECE_MAX = 17 }; /* four bytes, each as \xNN, and a NUL */

/* The next character as it may be shown, and past it. A line may only follow indented, as in a list. */
static size_t plain_next(char out[PIECE_MAX], const unsigned char **from)
{
    const unsigned char *at = *from;
    size_t len = character_len(at), put = 0;
    bool shown = len && !steers(at, len);
    len = len ? len : 1;
    *from = at + len;
    if (*at == '\n' || *at == '\t' || *at == '\r') {
        out[put++] = *at == '\n' && at[1] == ' ' && at[2] == ' ' ? '\n' : ' ';
    } else {
        for (size_t i = 0; i < len; i++)
            put += shown ? (out[put] = (char)at[i], 1u) : (size_t)sprintf(out + put, "\\x%02x", at[i]);
    }
    out[put] = '\0';
    return put;
}

/* A message may hold names that came from a server, a folder or a file: nothing in them steers the terminal. `out` has room for four times the text. */
static const char *plain(char *out, const char *text)
{
    char *to = out;
    *to = '\0';
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        char piece[PIECE_MAX];
        size_t len = plain_next(piece, &at);
        memcpy(to, piece, len + 1);
        to += len;
    }
    return out;
}

void plain_text_print(FILE *to, const char *text)
{
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        char piece[PIECE_MAX];
        plain_next(piece, &at);
        fputs(piece, to);
    }
}

int failure_print(bool json, const struct sw_error *error)
{
    if (json) {
        print_json(error);
        return sw_code_exit_status(error->code);
    }
    if (stdout_failure() && error->code == SW_ERR_IO) /* main tells it */
        return sw_code_exit_status(error->code);
    /* an input that is no file often names itself, and once is enough */
    bool named = error->has_place && error->source[0] && (error->line || !strstr(error->text, error->source));
    fputs("slackwater: ", stderr);
    char text[4 * sizeof error->text], source[4 * sizeof error->source];
    if (named)
        fprintf(stderr, "%s:", plain(source, error->source));
    if (error->has_place && error->line)
        fprintf(stderr, "%" PRIu64 ":", error->line);
    if (error->has_place && error->line && error->column)
        fprintf(stderr, "%" PRIu64 ":", error->column);
    fprintf(stderr, "%s%s\n", named || (error->has_place && error->line) ? " " : "", plain(text, error->text));
    return sw_code_exit_status(error->code);
}

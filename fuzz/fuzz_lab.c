/* Any bytes get one line, evaluated or refused, and the same line again; and what must not change the answer does not. */
#include "property.h"

#include <string.h>

#include "base/buffer.h"
#include "slackwater/lab.h"

struct answer {
    char *line;
    size_t len;
    enum sw_code code;
    struct sw_error error;
};

static bool starts_with(const struct answer *answer, const char *text)
{
    return answer->len >= strlen(text) && memcmp(answer->line, text, strlen(text)) == 0;
}

static struct answer ask(const uint8_t *data, size_t size)
{
    struct answer answer = {0};
    answer.code = sw_lab_evaluate(&answer.line, &answer.len, data, size, &answer.error);
    PROPERTY(answer.code == SW_OK || answer.code == SW_ERR_INPUT || answer.code == SW_ERR_LIMIT);
    PROPERTY(answer.error.code == answer.code);
    PROPERTY(answer.line && answer.len >= 2 && strlen(answer.line) == answer.len);
    for (size_t i = 0; i < answer.len - 1; i++)
        PROPERTY(answer.line[i] >= ' ' && answer.line[i] <= '~');
    PROPERTY(answer.line[answer.len - 1] == '\n');
    PROPERTY(starts_with(&answer, answer.code == SW_OK ? "{\"cloudSemanticsValidated\": false, " : "{\"error\": \""));
    if (answer.error.has_place)
        PROPERTY(answer.error.offset <= size);
    return answer;
}

static void forget(struct answer *answer) { sw_lab_line_free(&answer->line); }

static void must_be_same(const struct answer *first, const uint8_t *data, size_t size)
{
    struct answer again = ask(data, size);
    PROPERTY(again.code == first->code && again.len == first->len && memcmp(again.line, first->line, first->len) == 0);
    forget(&again);
}

/* White space around an evaluated document is nothing, and without its last brace it is no document. */
static void vary(const struct answer *evaluated, const uint8_t *data, size_t size)
{
    struct sw_buffer other = {0};
    sw_buffer_add_text(&other, "\r\n\t ");
    sw_buffer_add(&other, data, size);
    sw_buffer_add_text(&other, " \n");
    PROPERTY(!other.failed);
    must_be_same(evaluated, other.at, other.len);

    while (other.at[other.len - 1] != '}')
        other.len--;
    struct answer cut = ask(other.at, other.len - 1);
    PROPERTY(cut.code == SW_ERR_INPUT && cut.error.has_place && cut.error.offset == other.len - 1);
    forget(&cut);
    sw_buffer_free(&other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct answer answer = ask(data, size);
    must_be_same(&answer, data, size);
    if (answer.code == SW_OK)
        vary(&answer, data, size);
    forget(&answer);
    return 0;
}

/* Encodes values for a test in another language. Each line of standard input is a type, 'n' (a number), 't' (text without JSON
 * escapes) or 'j' (one JSON value) and a value, separated by tabs; each line of standard output is the canonical bytes in hexadecimal, a tab and the
 * value as JSON, or "null" or "invalid" and a tab and the reason. */
#include <stdio.h>
#include <string.h>

#include "model/type.h"

static struct sw_token make_token(const char *value, char kind)
{
    struct sw_token token = {(const uint8_t *)value, (uint32_t)strlen(value), kind == 't' ? SW_TOKEN_TEXT : SW_TOKEN_NUMBER, false};
    if (kind != 'j')
        return token;
    switch (value[0]) {
    case '"': return (struct sw_token){token.at + 1, token.len - 2, SW_TOKEN_TEXT, strchr(value, '\\') != NULL};
    case '[': token.kind = SW_TOKEN_ARRAY; break;
    case '{': token.kind = SW_TOKEN_OBJECT; break;
    case 't': token.kind = SW_TOKEN_TRUE; break;
    case 'f': token.kind = SW_TOKEN_FALSE; break;
    case 'n': token.kind = SW_TOKEN_NULL; break;
    default: break;
    }
    return token;
}

static int encode_line(char *line, struct sw_value_scratch *scratch, struct sw_buffer *canonical, struct sw_buffer *text)
{
    char *kind = strchr(line, '\t'), *value = kind ? strchr(kind + 1, '\t') : NULL;
    struct sw_type type;
    struct sw_error error = {0};
    if (!value || value != kind + 2) {
        fprintf(stderr, "no type, kind and value: %s\n", line);
        return 2;
    }
    *kind = '\0';
    if (sw_type_parse(&type, sw_bytes_text(line), &error) != SW_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 2;
    }
    value++;
    struct sw_token token = make_token(value, kind[1]);
    sw_buffer_clear(canonical);
    sw_buffer_clear(text);
    switch (sw_value_encode(canonical, &type, token, scratch)) {
    case SW_VALUE_OK: break;
    case SW_VALUE_NULL: puts("null"); return 0;
    case SW_VALUE_INVALID: printf("invalid\t%s\n", scratch->problem); return 0;
    case SW_VALUE_NO_MEMORY: fprintf(stderr, "out of memory\n"); return 2;
    }
    sw_value_write_json(text, &type, sw_buffer_view(canonical));
    for (size_t i = 0; i < canonical->len; i++)
        printf("%02x", canonical->at[i]);
    printf("\t%s\n", sw_buffer_text(text));
    return 0;
}

int main(void)
{
    static char line[1 << 16];
    struct sw_value_scratch scratch = {0};
    struct sw_buffer canonical = {0}, text = {0};
    int status = 0;
    while (status == 0 && fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        status = encode_line(line, &scratch, &canonical, &text);
    }
    sw_value_scratch_free(&scratch);
    sw_buffer_free(&canonical);
    sw_buffer_free(&text);
    return status;
}

#include "case/command_text.h"

#include <strings.h>

static const char *const secret_names[] = {"password", "passwd", "pwd", "sslpassword", "passfile_password", "token", "access_token", "auth_token", "secret", "client_secret", "secret_key",
                                           "access_key", "api_key", "apikey", "sasl.password", "credentials"};

static bool is_secret_name(struct sw_bytes name)
{
    for (size_t i = 0; i < sizeof secret_names / sizeof secret_names[0]; i++) {
        size_t len = strlen(secret_names[i]);
        /* also db_password, ssl.key.password, PGPASSWORD */
        if (name.len >= len && strncasecmp((const char *)name.at + name.len - len, secret_names[i], len) == 0)
            return true;
    }
    return false;
}

enum sw_blot sw_command_blot_next(struct sw_bytes argument)
{
    if (sw_bytes_is(argument, "--type") || sw_bytes_is(argument, "--rename"))
        return SW_BLOT_ADDRESSES;
    bool option = argument.len > 2 && argument.at[0] == '-' && argument.at[1] == '-' && !memchr(argument.at, '=', argument.len);
    return option && is_secret_name(sw_bytes_of(argument.at + 2, argument.len - 2)) ? SW_BLOT_ALL : SW_BLOT_SECRETS;
}

static bool is_name_byte(uint8_t byte) { return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') || byte == '_' || byte == '.' || byte == '-'; }

/* Where a URL's password stands: from the first ':' behind "://" to the '@' that ends the user. */
static bool find_password(size_t *from, size_t *to, struct sw_bytes text, size_t start)
{
    const uint8_t *colon = text.len > start ? memchr(text.at + start, ':', text.len - start) : NULL;
    if (!colon)
        return false;
    size_t at = (size_t)(colon - text.at), slash = start, end = 0;
    while (slash < text.len && text.at[slash] != '/')
        slash++;
    for (size_t i = start; i < slash; i++)
        if (text.at[i] == '@')
            end = i;
    /* a password may hold a slash that nobody encoded; rather too much than too little */
    for (size_t i = slash; !end && at < slash && i < text.len; i++)
        if (text.at[i] == '@')
            end = i;
    *from = at + 1;
    *to = end;
    return end > at;
}

bool sw_command_blot(struct sw_buffer *out, struct sw_bytes argument, enum sw_blot what)
{
    bool blotted = false;
    if (what == SW_BLOT_ALL) {
        sw_buffer_add_text(out, "***");
        return true;
    }
    for (size_t i = 0; i < argument.len;) {
        size_t from, to;
        if (i + 3 <= argument.len && memcmp(argument.at + i, "://", 3) == 0 && find_password(&from, &to, argument, i + 3)) {
            sw_buffer_add(out, argument.at + i, from - i);
            sw_buffer_add_text(out, "***");
            i = to;
            blotted = true;
            continue;
        }
        if (argument.at[i] == '=' && what == SW_BLOT_SECRETS) {
            size_t start = i;
            while (start && is_name_byte(argument.at[start - 1]))
                start--;
            if (is_secret_name(sw_bytes_of(argument.at + start, i - start))) {
                sw_buffer_add_text(out, "=***");
                uint8_t quote = i + 1 < argument.len && (argument.at[i + 1] == '\'' || argument.at[i + 1] == '"') ? argument.at[i + 1] : 0;
                i += quote ? 2 : 1;
                while (i < argument.len && (quote ? argument.at[i] != quote : argument.at[i] != '&' && argument.at[i] != ' ' && argument.at[i] != ';' && argument.at[i] != '#'))
                    i++;
                i += quote && i < argument.len;
                blotted = true;
                continue;
            }
        }
        sw_buffer_add_byte(out, argument.at[i++]);
    }
    return blotted;
}

void sw_command_quote(struct sw_buffer *out, struct sw_bytes argument)
{
    bool plain = argument.len > 0;
    for (size_t i = 0; i < argument.len && plain; i++)
        plain = is_name_byte(argument.at[i]) || strchr("/:=,+@%", argument.at[i]);
    if (plain) {
        sw_buffer_add_bytes(out, argument);
        return;
    }
    sw_buffer_add_byte(out, '\'');
    for (size_t i = 0; i < argument.len; i++)
        if (argument.at[i] == '\'')
            sw_buffer_add_text(out, "'\\''");
        else
            sw_buffer_add_byte(out, argument.at[i]);
    sw_buffer_add_byte(out, '\'');
}

#include "client/locator.h"

#include <ctype.h>
#include <stdio.h>
#include <strings.h>

#include "base/memory.h"
#include "position/scan.h"

struct scheme {
    const char *name;
    enum sw_locator_system system;
};

static const struct scheme schemes[] = {
    {"postgresql", SW_SYSTEM_POSTGRES}, {"postgres", SW_SYSTEM_POSTGRES}, {"mysql", SW_SYSTEM_MARIADB},
    {"mariadb", SW_SYSTEM_MARIADB}, {"kafka", SW_SYSTEM_KAFKA},
};

/* Keywords with which libpq's own connection text begins, as people write it. */
static const char *const keywords[] = {"service", "host", "hostaddr", "port", "dbname", "user", "password", "passfile", "servicefile", "sslmode", NULL};

static const char *const secret_words[] = {"password", "passwd", "pwd", "secret", "token", "oauthbearer.config", ".pem", NULL};

#define SECRET_SHOWN "***"

static const struct scheme *scheme_of(const char *text)
{
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        size_t len = strlen(schemes[i].name);
        if (strncasecmp(text, schemes[i].name, len) == 0 && strncmp(text + len, "://", 3) == 0)
            return &schemes[i];
    }
    return NULL;
}

static bool is_connection_text(const char *text)
{
    for (size_t i = 0; keywords[i]; i++) {
        size_t len = strlen(keywords[i]);
        if (strncmp(text, keywords[i], len) == 0 && text[len + strspn(text + len, " ")] == '=')
            return true;
    }
    return false;
}

static bool is_sqlite(const char *text) { return strncmp(text, "sqlite:", 7) == 0; }

bool sw_locator_is_remote(const char *text) { return scheme_of(text) || is_sqlite(text) || is_connection_text(text); }

bool sw_locator_is_secret(const char *name)
{
    for (size_t i = 0; secret_words[i]; i++)
        if (strcasestr(name, secret_words[i]))
            return true;
    return false;
}

const char *sw_locator_parameter(const struct sw_locator *locator, const char *name)
{
    for (size_t i = locator->parameter_count; i > 0; i--)
        if (strcmp(locator->parameters[i - 1].name, name) == 0)
            return locator->parameters[i - 1].value;
    return NULL;
}

/* Secrets are overwritten, so that no core file or reused block shows them. */
static void forget(char *text)
{
    if (text)
        explicit_bzero(text, strlen(text));
    sw_free(text);
}

void sw_locator_free(struct sw_locator *locator)
{
    for (size_t i = 0; i < locator->parameter_count; i++) {
        sw_free(locator->parameters[i].name);
        forget(locator->parameters[i].value);
    }
    sw_free(locator->parameters);
    forget(locator->password);
    forget(locator->connection);
    char *const rest[] = {locator->scheme, locator->user, locator->host, locator->database, locator->topic, locator->schema, locator->table, locator->shown};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        sw_free(rest[i]);
    *locator = (struct sw_locator){0};
}

/* ---- the parts of a URI ---- */

/* Decodes; `what` names the part, whose text is never repeated: it may be a password. */
static enum sw_code decode(char **out, struct sw_bytes part, const char *what, struct sw_error *error)
{
    char *text = sw_malloc(part.len + 1);
    size_t len = 0;
    *out = NULL;
    if (!text)
        return sw_fail_memory(error, "a locator", part.len + 1);
    for (size_t i = 0; i < part.len; i++) {
        uint8_t byte = part.at[i];
        if (byte == '%') {
            int coded = sw_percent_value(part.at + i, part.len - i);
            if (coded <= 0) {
                text[len] = '\0'; /* what is forgotten ends there */
                forget(text);
                return sw_fail(error, SW_ERR_USAGE, "the locator's %s holds a %% that two hexadecimal digits (not 00) must follow; write a percent sign as %%25", what);
            }
            byte = (uint8_t)coded;
            i += 2;
        }
        text[len++] = (char)byte;
    }
    text[len] = '\0';
    *out = text;
    return SW_OK;
}

static struct sw_bytes take_until(struct sw_bytes *rest, const char *ends, char *found)
{
    size_t len = 0;
    while (len < rest->len && !strchr(ends, rest->at[len]))
        len++;
    struct sw_bytes taken = {rest->at, len};
    *found = len < rest->len ? (char)rest->at[len] : '\0';
    size_t step = len + (len < rest->len);
    *rest = (struct sw_bytes){rest->at + step, rest->len - step};
    return taken;
}

static enum sw_code add_parameter(struct sw_locator *out, struct sw_bytes name, struct sw_bytes value, struct sw_error *error)
{
    struct sw_locator_parameter *grown = sw_realloc_array(out->parameters, out->parameter_count + 1, sizeof *grown);
    if (!grown)
        return sw_fail_memory(error, "a locator", sizeof *grown);
    out->parameters = grown;
    struct sw_locator_parameter *added = &grown[out->parameter_count];
    *added = (struct sw_locator_parameter){0};
    enum sw_code code = decode(&added->name, name, "parameter", error);
    if (code >= 0)
        code = decode(&added->value, value, "parameter", error);
    if (code < 0) {
        sw_free(added->name);
        return code;
    }
    out->parameter_count++;
    return SW_OK;
}

static enum sw_code read_parameters(struct sw_locator *out, struct sw_bytes query, struct sw_buffer *shown, struct sw_error *error)
{
    char found = '?';
    while (query.len) {
        char end;
        struct sw_bytes pair = take_until(&query, "&", &end), name = pair;
        char equals;
        name = take_until(&pair, "=", &equals);
        if (equals != '=' || !name.len)
            return sw_fail(error, SW_ERR_USAGE, "a parameter of the locator has no form NAME=VALUE");
        enum sw_code code = add_parameter(out, name, pair, error);
        if (code < 0)
            return code;
        sw_buffer_add_byte(shown, (uint8_t)found);
        sw_buffer_add_bytes(shown, name);
        sw_buffer_add_byte(shown, '=');
        if (sw_locator_is_secret(out->parameters[out->parameter_count - 1].name))
            sw_buffer_add_text(shown, SECRET_SHOWN);
        else
            sw_buffer_add_bytes(shown, pair);
        found = '&';
    }
    return SW_OK;
}

/* "table" or "schema.table"; a dot inside a name is %2E. */
static enum sw_code read_fragment(struct sw_locator *out, struct sw_bytes fragment, struct sw_error *error)
{
    char dot, more;
    struct sw_bytes second = fragment, first = take_until(&second, ".", &dot), rest = second;
    take_until(&rest, ".", &more);
    if (!first.len || (dot && !second.len) || more)
        return sw_fail(error, SW_ERR_USAGE, "the locator's part behind # must be TABLE or SCHEMA.TABLE; write a dot inside a name as %%2E");
    enum sw_code code = SW_OK;
    if (dot)
        code = decode(&out->schema, first, "schema", error);
    return code < 0 ? code : decode(&out->table, dot ? second : first, "table", error);
}

static enum sw_code read_port(uint16_t *out, struct sw_bytes text, struct sw_error *error)
{
    uint32_t port = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] < '0' || text.at[i] > '9' || port > 65535)
            return sw_fail(error, SW_ERR_USAGE, "the locator's port must be a number from 1 to 65535");
        port = port * 10 + (uint32_t)(text.at[i] - '0');
    }
    if (!port || port > 65535)
        return sw_fail(error, SW_ERR_USAGE, "the locator's port must be a number from 1 to 65535");
    *out = (uint16_t)port;
    return SW_OK;
}

/* One host and port, with [brackets] around an IPv6 address. */
static enum sw_code read_host(struct sw_locator *out, struct sw_bytes host, struct sw_error *error)
{
    size_t colon = host.len;
    if (memchr(host.at, ',', host.len))
        return sw_fail(error, SW_ERR_USAGE, "the locator names several hosts; a %s locator has one", out->scheme);
    if (host.len && host.at[0] == '[') {
        const uint8_t *close = memchr(host.at, ']', host.len);
        if (!close)
            return sw_fail(error, SW_ERR_USAGE, "the locator's host begins with [ and lacks the ] behind the address");
        size_t end = (size_t)(close - host.at) + 1;
        if (end < host.len && host.at[end] != ':')
            return sw_fail(error, SW_ERR_USAGE, "only :PORT may follow the ] of the locator's host");
        enum sw_code code = end < host.len ? read_port(&out->port, sw_bytes_of(host.at + end + 1, host.len - end - 1), error) : SW_OK;
        return code < 0 ? code : decode(&out->host, sw_bytes_of(host.at + 1, end - 2), "host", error);
    }
    for (size_t i = 0; i < host.len; i++)
        if (host.at[i] == ':')
            colon = i;
    enum sw_code code = SW_OK;
    if (colon < host.len)
        code = read_port(&out->port, sw_bytes_of(host.at + colon + 1, host.len - colon - 1), error);
    return code < 0 || !colon ? code : decode(&out->host, sw_bytes_of(host.at, colon), "host", error);
}

static bool is_topic(const char *text)
{
    size_t len = strlen(text);
    return len && len <= 249 && strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == len && strcmp(text, ".") != 0 && strcmp(text, "..") != 0;
}

static enum sw_code read_path(struct sw_locator *out, struct sw_bytes path, struct sw_error *error)
{
    if (!path.len)
        return SW_OK;
    if (memchr(path.at, '/', path.len))
        return sw_fail(error, SW_ERR_USAGE, "the locator names more than one %s behind the host; write a slash inside a name as %%2F", out->system == SW_SYSTEM_KAFKA ? "topic" : "database");
    enum sw_code code = decode(out->system == SW_SYSTEM_KAFKA ? &out->topic : &out->database, path, out->system == SW_SYSTEM_KAFKA ? "topic" : "database", error);
    if (code >= 0 && out->topic && !is_topic(out->topic))
        return sw_fail(error, SW_ERR_USAGE, "the locator's topic must be 1 to 249 letters, digits, dots, underscores and hyphens");
    return code;
}

/* What libpq is given: the locator without what is meant for us. */
static char *connection_of(struct sw_bytes text)
{
    static const char *const own[] = {"slot", "publication", "read", NULL};
    struct sw_buffer out = {0};
    char end;
    struct sw_bytes query = text, head = take_until(&query, "?", &end);
    sw_buffer_add_bytes(&out, head);
    bool first = true;
    while (end == '?' && query.len) {
        char next;
        struct sw_bytes pair = take_until(&query, "&", &next), value = pair, name = take_until(&value, "=", &next);
        bool ours = false;
        for (size_t i = 0; own[i]; i++)
            ours |= sw_bytes_is(name, own[i]);
        if (ours)
            continue;
        sw_buffer_add_byte(&out, first ? '?' : '&');
        sw_buffer_add_bytes(&out, pair);
        first = false;
    }
    if (sw_buffer_text(&out))
        return (char *)out.at;
    sw_buffer_free(&out);
    return NULL;
}

static enum sw_code read_uri(struct sw_locator *out, const struct scheme *scheme, struct sw_bytes text, struct sw_buffer *shown, struct sw_error *error)
{
    char end = 0;
    struct sw_bytes rest = {text.at + strlen(scheme->name) + 3, text.len - strlen(scheme->name) - 3}, whole = take_until(&rest, "#", &end), fragment = rest, query, path, authority;
    bool has_fragment = end == '#';
    if (has_fragment && (memchr(fragment.at, '@', fragment.len) || memchr(fragment.at, '#', fragment.len)))
        return sw_fail(error, SW_ERR_USAGE, "the locator's part behind # holds another # or an @; inside a user name or password write # as %%23");
    size_t connection_len = text.len - (has_fragment ? fragment.len + 1 : 0);
    query = whole;
    whole = take_until(&query, "?", &end);
    path = whole;
    authority = take_until(&path, "/", &end);
    bool has_path = end == '/';
    size_t at = SIZE_MAX;
    for (size_t i = 0; i < authority.len; i++)
        if (authority.at[i] == '@')
            at = i;
    if (memchr(path.at, '@', path.len))
        return sw_fail(error, SW_ERR_USAGE, "an @ stands behind the first / of the locator; inside a user name or password write / as %%2F and @ as %%40");
    sw_buffer_printf(shown, "%s://", scheme->name);
    enum sw_code code = SW_OK;
    if (at != SIZE_MAX) {
        struct sw_bytes password = {authority.at, at};
        struct sw_bytes user = take_until(&password, ":", &end);
        if (memchr(authority.at, '@', at))
            return sw_fail(error, SW_ERR_USAGE, "two @ stand before the host of the locator; inside a user name or password write @ as %%40");
        code = user.len ? decode(&out->user, user, "user name", error) : SW_OK;
        if (code >= 0 && end == ':')
            code = decode(&out->password, password, "password", error);
        sw_buffer_add_bytes(shown, user);
        sw_buffer_add_text(shown, end == ':' ? ":" SECRET_SHOWN "@" : "@");
        authority = (struct sw_bytes){authority.at + at + 1, authority.len - at - 1};
    }
    sw_buffer_add_bytes(shown, authority);
    if (code >= 0)
        code = scheme->system == SW_SYSTEM_MARIADB ? read_host(out, authority, error) : authority.len ? decode(&out->host, authority, "host", error) : SW_OK;
    if (code >= 0 && scheme->system == SW_SYSTEM_KAFKA && !authority.len)
        code = sw_fail(error, SW_ERR_USAGE, "the locator names no broker: expected kafka://BROKER:PORT/TOPIC");
    if (has_path) {
        sw_buffer_add_byte(shown, '/');
        sw_buffer_add_bytes(shown, path);
    }
    if (code >= 0)
        code = read_path(out, path, error);
    if (code >= 0)
        code = read_parameters(out, query, shown, error);
    if (code >= 0 && has_fragment) {
        sw_buffer_add_byte(shown, '#');
        sw_buffer_add_bytes(shown, fragment);
        code = read_fragment(out, fragment, error);
    }
    if (code >= 0 && scheme->system == SW_SYSTEM_POSTGRES && !(out->connection = connection_of(sw_bytes_of(text.at, connection_len))))
        code = sw_fail_memory(error, "a locator", connection_len);
    return code;
}

/* ---- libpq's own text ---- */

static bool is_plain(struct sw_bytes value)
{
    for (size_t i = 0; i < value.len; i++)
        if (strchr(" '\\#", value.at[i]))
            return false;
    return value.len > 0;
}

/* keyword = value pairs: values may stand in single quotes, with backslashes before quotes and backslashes. *end is where the text ends:
 * at a # outside of quotes, or at its length. */
static enum sw_code read_connection_text(size_t *end, struct sw_locator *out, struct sw_bytes text, struct sw_buffer *shown, struct sw_error *error)
{
    static const char malformed[] = "expected keyword=value pairs as libpq reads them; its text is not repeated here";
    size_t i = 0;
    struct sw_buffer value = {0};
    enum sw_code code = SW_OK;
    while (code >= 0) {
        while (i < text.len && text.at[i] == ' ')
            i++;
        if (i >= text.len || text.at[i] == '#')
            break;
        size_t start = i;
        while (i < text.len && (isalnum(text.at[i]) || text.at[i] == '_')) /* all that libpq's keywords are made of */
            i++;
        struct sw_bytes name = {text.at + start, i - start};
        while (i < text.len && text.at[i] == ' ')
            i++;
        if (i >= text.len || text.at[i] != '=' || !name.len) {
            code = sw_fail(error, SW_ERR_USAGE, "the connection text: %s", malformed);
            break;
        }
        for (i++; i < text.len && text.at[i] == ' ';)
            i++;
        bool quoted = i < text.len && text.at[i] == '\'';
        i += quoted;
        sw_buffer_clear(&value);
        for (; i < text.len && (quoted ? text.at[i] != '\'' : text.at[i] != ' ' && text.at[i] != '#'); i++) {
            i += text.at[i] == '\\' && i + 1 < text.len;
            sw_buffer_add_byte(&value, text.at[i]);
        }
        if (quoted && i >= text.len) {
            code = sw_fail(error, SW_ERR_USAGE, "the connection text lacks a closing quote: %s", malformed);
            break;
        }
        i += quoted;
        /* decode() is not used: here a percent sign is itself */
        struct sw_locator_parameter *grown = sw_realloc_array(out->parameters, out->parameter_count + 1, sizeof *grown);
        if (grown)
            out->parameters = grown;
        char *name_text = sw_strndup((const char *)name.at, name.len), *value_text = sw_strndup(value.at ? (const char *)value.at : "", value.len);
        if (!grown || !name_text || !value_text || value.failed) {
            sw_free(name_text);
            forget(value_text);
            code = sw_fail_memory(error, "a locator", text.len);
            break;
        }
        grown[out->parameter_count++] = (struct sw_locator_parameter){name_text, value_text};
        sw_buffer_printf(shown, "%s%s=", shown->len ? " " : "", name_text);
        if (sw_locator_is_secret(name_text))
            sw_buffer_add_text(shown, SECRET_SHOWN);
        else if (is_plain(sw_buffer_view(&value)))
            sw_buffer_add_bytes(shown, sw_buffer_view(&value));
        else {
            sw_buffer_add_byte(shown, '\'');
            for (size_t at = 0; at < value.len; at++) {
                if (value.at[at] == '\'' || value.at[at] == '\\')
                    sw_buffer_add_byte(shown, '\\');
                sw_buffer_add_byte(shown, value.at[at]);
            }
            sw_buffer_add_byte(shown, '\'');
        }
    }
    if (value.at)
        explicit_bzero(value.at, value.capacity);
    sw_buffer_free(&value);
    *end = i;
    return code;
}

static enum sw_code copy_parameter(char **out, const struct sw_locator *locator, const char *name, struct sw_error *error)
{
    const char *value = sw_locator_parameter(locator, name);
    *out = value ? sw_strdup(value) : NULL;
    return value && !*out ? sw_fail_memory(error, "a locator", strlen(value)) : SW_OK;
}

static enum sw_code read_connection(struct sw_locator *out, struct sw_bytes text, struct sw_buffer *shown, struct sw_error *error)
{
    size_t end;
    enum sw_code code = read_connection_text(&end, out, text, shown, error);
    if (code >= 0)
        code = copy_parameter(&out->user, out, "user", error);
    if (code >= 0)
        code = copy_parameter(&out->password, out, "password", error);
    if (code >= 0)
        code = copy_parameter(&out->host, out, "host", error);
    if (code >= 0)
        code = copy_parameter(&out->database, out, "dbname", error);
    if (code >= 0 && !(out->connection = sw_strndup((const char *)text.at, end)))
        code = sw_fail_memory(error, "a locator", end);
    if (code >= 0 && end < text.len) {
        struct sw_bytes fragment = {text.at + end + 1, text.len - end - 1};
        sw_buffer_add_byte(shown, '#');
        sw_buffer_add_bytes(shown, fragment);
        code = read_fragment(out, fragment, error);
    }
    return code;
}

static enum sw_code read_sqlite(struct sw_locator *out, struct sw_bytes text, struct sw_buffer *shown, struct sw_error *error)
{
    size_t hash = text.len;
    for (size_t i = 7; i < text.len; i++)
        if (text.at[i] == '#')
            hash = i;
    if (hash <= 7)
        return sw_fail(error, SW_ERR_USAGE, "the locator names no file: expected sqlite:FILE#TABLE");
    sw_buffer_add_bytes(shown, text);
    if (!(out->database = sw_strndup((const char *)text.at + 7, hash - 7)))
        return sw_fail_memory(error, "a locator", text.len);
    return hash < text.len ? read_fragment(out, sw_bytes_of(text.at + hash + 1, text.len - hash - 1), error) : SW_OK;
}

enum sw_code sw_locator_parse(struct sw_locator *out, const char *text, struct sw_error *error)
{
    const struct scheme *scheme = scheme_of(text);
    bool sqlite = is_sqlite(text);
    struct sw_bytes bytes = sw_bytes_text(text);
    struct sw_buffer shown = {0};
    *out = (struct sw_locator){.system = scheme ? scheme->system : sqlite ? SW_SYSTEM_SQLITE : SW_SYSTEM_POSTGRES};
    if (bytes.len > SW_LOCATOR_MAX)
        return sw_fail(error, SW_ERR_USAGE, "the locator is longer than %zu bytes", SW_LOCATOR_MAX);
    if (!scheme && !sqlite && !is_connection_text(text))
        return sw_fail(error, SW_ERR_USAGE, "this is no locator of a database or broker: expected postgresql://, mysql://, mariadb://, kafka://, sqlite: or libpq's keyword=value text");
    for (size_t i = 0; i < bytes.len; i++)
        if (bytes.at[i] < ' ' || bytes.at[i] == 127 || (scheme && bytes.at[i] == ' '))
            return sw_fail(error, SW_ERR_USAGE, "the locator holds a %s at byte %zu; percent-encode it", bytes.at[i] == ' ' ? "blank" : "control character", i + 1);
    out->scheme = sw_strdup(scheme ? scheme->name : sqlite ? "sqlite" : "conninfo");
    enum sw_code code = out->scheme ? SW_OK : sw_fail_memory(error, "a locator", bytes.len);
    if (code >= 0)
        code = scheme ? read_uri(out, scheme, bytes, &shown, error) : sqlite ? read_sqlite(out, bytes, &shown, error) : read_connection(out, bytes, &shown, error);
    if (code >= 0) {
        out->shown = shown.failed ? NULL : sw_strndup(shown.at ? (const char *)shown.at : "", shown.len);
        if (!out->shown)
            code = sw_fail_memory(error, "a locator", shown.len);
    }
    sw_buffer_free(&shown);
    if (code < 0)
        sw_locator_free(out);
    return code;
}

/* ---- redaction ---- */

/* The length of `secret` at `text`, as it stands or percent-encoded; 0 if it is not there. */
static size_t secret_at(const char *text, const char *secret)
{
    const char *start = text;
    for (; *secret; secret++) {
        if (*text == *secret) {
            text++;
        } else if (sw_percent_value((const uint8_t *)text, strnlen(text, 3)) == (uint8_t)*secret) {
            text += 3;
        } else {
            return 0;
        }
    }
    return (size_t)(text - start);
}

void sw_locator_redact(struct sw_buffer *out, const struct sw_locator *locator, const char *text)
{
    while (*text) {
        size_t longest = locator->password && *locator->password ? secret_at(text, locator->password) : 0;
        for (size_t i = 0; i < locator->parameter_count; i++) {
            const struct sw_locator_parameter *parameter = &locator->parameters[i];
            size_t len = *parameter->value && sw_locator_is_secret(parameter->name) ? secret_at(text, parameter->value) : 0;
            longest = len > longest ? len : longest;
        }
        if (longest) {
            sw_buffer_add_text(out, SECRET_SHOWN);
            text += longest;
        } else {
            sw_buffer_add_byte(out, (uint8_t)*text < ' ' || *text == 127 ? ' ' : (uint8_t)*text);
            text++;
        }
    }
    while (out->len && out->at[out->len - 1] == ' ')
        out->len--;
}

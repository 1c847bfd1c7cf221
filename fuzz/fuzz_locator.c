/* Locators: what is read must be shown in a form that reads as the same locator, secrets apart; and what a library says about it
 * must hold no secret once it is redacted. What is refused says why. */
#include <string.h>

#include "base/memory.h"
#include "client/locator.h"
#include "property.h"

static bool same(const char *a, const char *b) { return (a == NULL) == (b == NULL) && (!a || strcmp(a, b) == 0); }

static void check_again(const struct sw_locator *locator)
{
    struct sw_locator again;
    struct sw_error error = {0};
    if (sw_locator_parse(&again, locator->shown, &error) != SW_OK) {
        fprintf(stderr, "%s: %s\n", locator->shown, error.text);
        PROPERTY(false);
    }
    PROPERTY(again.system == locator->system && again.port == locator->port && again.parameter_count == locator->parameter_count);
    PROPERTY(same(again.user, locator->user) && same(again.host, locator->host) && same(again.database, locator->database) && same(again.topic, locator->topic));
    PROPERTY(same(again.schema, locator->schema) && same(again.table, locator->table) && same(again.shown, locator->shown));
    PROPERTY(locator->system == SW_SYSTEM_SQLITE || !locator->password || same(again.password, "***"));
    for (size_t i = 0; i < again.parameter_count; i++)
        PROPERTY(same(again.parameters[i].name, locator->parameters[i].name) &&
            same(again.parameters[i].value, sw_locator_is_secret(again.parameters[i].name) ? "***" : locator->parameters[i].value));
    sw_locator_free(&again);
}

/* A text in which the secret begins nowhere anew once it is replaced by stars, and line breaks by blanks. */
static bool tells(const char *text, const char *secret) { return *secret && !strpbrk(secret, "* ") && strstr(text, secret); }

static void check_redaction(const struct sw_locator *locator, const char *text)
{
    struct sw_buffer out = {0};
    sw_locator_redact(&out, locator, text);
    const char *clean = sw_buffer_text(&out);
    PROPERTY(clean != NULL);
    PROPERTY(!locator->password || !tells(clean, locator->password));
    for (size_t i = 0; i < locator->parameter_count; i++)
        PROPERTY(!sw_locator_is_secret(locator->parameters[i].name) || !tells(clean, locator->parameters[i].value));
    sw_buffer_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sw_locator locator;
    struct sw_error error = {0};
    char *text = sw_strndup((const char *)data, size);
    PROPERTY(text != NULL);
    enum sw_code code = sw_locator_parse(&locator, text, &error);
    PROPERTY(code == SW_OK || (code == SW_ERR_USAGE && error.code == code && error.text[0]));
    PROPERTY(code != SW_OK || sw_locator_is_remote(text));
    if (code == SW_OK) {
        check_again(&locator);
        check_redaction(&locator, text);
        if (locator.connection)
            check_redaction(&locator, locator.connection);
        sw_locator_free(&locator);
    }
    sw_free(text);
    return 0;
}

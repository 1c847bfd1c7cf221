#include "saved_position.h"

#include <stdio.h>
#include <string.h>

#include "slackwater/position.h"

/* The value of a member, quoted or not, as it stands; false if there is none. Only a suggestion is made of it. */
static bool member(char *out, size_t room, const char *json, const char *name)
{
    char quoted[32];
    snprintf(quoted, sizeof quoted, "\"%s\"", name);
    const char *at = strstr(json, quoted);
    if (!at)
        return false;
    at += strlen(quoted);
    at += strspn(at, " \t\n:");
    bool text = *at == '"';
    at += text;
    size_t len = strcspn(at, text ? "\"" : ",} \t\n");
    if (len == 0 || len >= room || (len == 4 && memcmp(at, "null", 4) == 0))
        return false;
    memcpy(out, at, len);
    out[len] = '\0';
    return true;
}

bool saved_position_check(struct sw_error *error, const char *saved)
{
    /* of PostgreSQL: what Debezium resumes at first, and what it falls back to */
    static const char *const lsns[] = {"lsn_commit", "lsn_proc", "lsn"};
    char value[128], other[32], found[320] = "";
    if (!saved || (saved[strspn(saved, " \t\n")] != '{' && saved[strspn(saved, " \t\n")] != '['))
        return true;
    for (size_t i = 0; i < sizeof lsns / sizeof lsns[0] && !*found; i++)
        if (member(value, sizeof value, saved, lsns[i]))
            snprintf(found, sizeof found, ": --saved %s (its %s)", value, lsns[i]);
    if (!*found && member(value, sizeof value, saved, "gtids"))
        snprintf(found, sizeof found, ": --kind mysql-gtid --saved '%s' (its gtids)", value);
    if (!*found && member(value, sizeof value, saved, "file") && member(other, sizeof other, saved, "pos"))
        snprintf(found, sizeof found, ": --saved %s:%s (its file and pos)", value, other);
    if (!*found) /* positions of other kinds are JSON themselves */
        return true;
    *error = (struct sw_error){.code = SW_ERR_USAGE};
    snprintf(error->text, sizeof error->text, "--saved: this is an offset as a connector stores it; the position in it is asked for%s", found);
    return false;
}

void saved_position_ask_kind(struct sw_error *error, const char *position, const char *const *kinds)
{
    char known[256] = "";
    size_t len = 0;
    bool some = false;
    for (const char *const *kind = kinds; *kind; kind++) {
        struct sw_position *parsed = NULL;
        struct sw_error ignored = {0};
        if (sw_position_parse(&parsed, *kind, position, strlen(position), &ignored) >= 0 && len < sizeof known)
            len += (size_t)snprintf(known + len, sizeof known - len, "%s--kind %s", len ? " or " : "", *kind), some = true;
        sw_position_free(&parsed);
    }
    for (const char *const *kind = kinds; !some && len < sizeof known && *kind; kind++)
        len += (size_t)snprintf(known + len, sizeof known - len, "%s%s", kind == kinds ? "" : ", ", *kind);
    *error = (struct sw_error){.code = SW_ERR_USAGE};
    snprintf(error->text, sizeof error->text, "--kind is missing: of what is the position %.200s?%s %s", position, some ? " It reads as" : " One of", known);
}

#include "reconcile/between.h"

#include <string.h>

#include "base/character.h"

static bool begins_with_one(struct sw_bytes line, const char *const *texts)
{
    for (; *texts; texts++)
        if (sw_bytes_begin_text(line, *texts))
            return true;
    return false;
}

/* "Processed a total of 3 messages", with what the terminal shows of Ctrl-C before it. */
static bool is_of_consumer(struct sw_bytes line)
{
    static const char *const words[] = {"Processed a total of ", "^CProcessed a total of ", NULL};
    return begins_with_one(line, words) && (sw_bytes_end_text(line, " messages") || sw_bytes_end_text(line, " message"));
}

const char *sw_between_kind(struct sw_bytes line)
{
    static const char *const of_kcat[] = {"% Reached end of topic ", "% Auto-selecting ", "% Waiting for group rebalance", "% Group ", "% Reading configuration from file ", NULL};
    static const char *const comments[] = {"//", "#", NULL};
    line = sw_trim(line);
    return begins_with_one(line, of_kcat) ? "line of kcat" : is_of_consumer(line) ? "line of the consumer" : begins_with_one(line, comments) ? "comment" : NULL;
}

/* psql's layout around the records and in them: a ruler, the number of rows, and the + behind a line that goes on. */
static bool is_of_psql(struct sw_bytes line)
{
    size_t len = line.len, ruler = 0;
    while (ruler < len && (line.at[ruler] == '-' || line.at[ruler] == '+'))
        ruler++;
    bool rows = len > 6 && line.at[0] == '(' && (sw_bytes_end_text(line, " row)") || sw_bytes_end_text(line, " rows)"));
    return rows || (ruler == len && len > 3) || (len > 1 && line.at[len - 1] == '+');
}

/* How long the object is that a line begins with; 0: it begins with none that ends in it. */
static size_t object_at(struct sw_bytes line)
{
    bool inside = false;
    size_t depth = 0;
    for (size_t i = 0; i < line.len; i++) {
        uint8_t byte = line.at[i];
        if (inside && byte == '\\')
            i++;
        else if (byte == '"')
            inside = !inside;
        else if (!inside && byte == '{')
            depth++;
        else if (!inside && byte == '}' && depth && --depth == 0)
            return i + 1;
        if (i == 0 && !depth)
            return 0;
    }
    return 0;
}

bool sw_between_is_keyed(struct sw_bytes line)
{
    line = sw_trim(line);
    if (line.len < 3 || line.at[line.len - 1] != '}' || *line.at == '[')
        return false;
    if (*line.at != '{') {
        const uint8_t *brace = memmem(line.at, line.len, "{\"", 2);
        return brace && !memchr(line.at, '"', (size_t)(brace - line.at)); /* a quote before it: a line that begins inside of a record */
    }
    size_t key = object_at(line);
    struct sw_bytes rest = sw_trim(sw_bytes_of(line.at + key, key ? line.len - key : 0));
    return rest.len && !sw_bytes_begin_text(rest, "{") && !sw_bytes_begin_text(rest, ",") && memmem(rest.at, rest.len, "{", 1);
}

const char *sw_between_hint(struct sw_bytes line)
{
    line = sw_trim(line);
    if (is_of_psql(line))
        return "; it looks like psql's layout: psql -At prints the records alone";
    if (sw_bytes_begin_text(line, "% ERROR"))
        return "; kcat tells of an error here: what it did not read is not in this file";
    if (sw_between_is_keyed(line))
        return "; where it is a key and a value with a separator between them, dump the topic with kcat -J or rpk topic consume -f json, or let a tab stand between them";
    return "";
}

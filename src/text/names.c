#include "slackwater/names.h"

#include <string.h>

#define LEN_MAX 64
#define EDIT 128 /* one edit; a change of case is 1, so that it only decides between equally near names */

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

static char lower(char byte) { return (char)(byte >= 'A' && byte <= 'Z' ? byte - 'A' + 'a' : byte); }

static unsigned change_cost(char a, char b) { return a == b ? 0 : lower(a) == lower(b) ? 1 : EDIT; }

static unsigned distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
    unsigned rows[3][LEN_MAX + 1];
    unsigned *before = rows[0], *above = rows[1], *row = rows[2];
    for (size_t j = 0; j <= b_len; j++)
        above[j] = (unsigned)(EDIT * j);
    for (size_t i = 1; i <= a_len; i++) {
        row[0] = (unsigned)(EDIT * i);
        for (size_t j = 1; j <= b_len; j++) {
            row[j] = least(least(above[j], row[j - 1]) + EDIT, above[j - 1] + change_cost(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], before[j - 2] + EDIT);
        }
        unsigned *spare = before;
        before = above;
        above = row;
        row = spare;
    }
    return above[b_len];
}

const char *sw_nearest_name(const char *text, const char *const *names, size_t count)
{
    size_t len = strlen(text);
    const char *nearest = NULL, *begun = NULL;
    unsigned best = 0;
    if (len == 0 || len > LEN_MAX)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        size_t name_len = names[i] ? strlen(names[i]) : 0;
        if (name_len == 0 || name_len > LEN_MAX)
            continue;
        unsigned found = distance(text, len, names[i], name_len);
        unsigned allowed = least(3, (unsigned)((len > name_len ? len : name_len) / 3));
        if (found / EDIT <= allowed && found / EDIT < name_len && (!nearest || found < best)) {
            nearest = names[i];
            best = found;
        }
        if (!begun && len >= 3 && name_len > len && memcmp(names[i], text, len) == 0)
            begun = names[i];
    }
    return nearest ? nearest : begun;
}

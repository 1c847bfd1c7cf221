#include "base/near_file.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

/* How many letters are wrong, missing, too many or exchanged with their neighbour; UINT_MAX for names too long to be typed. */
static unsigned letters_apart(const char *a, const char *b)
{
    enum { LONGEST = 255 };
    static const unsigned far = UINT_MAX;
    size_t a_len = strlen(a), b_len = strlen(b);
    if (a_len > LONGEST || b_len > LONGEST)
        return far;
    unsigned rows[3][LONGEST + 1]; /* two rows above are needed for exchanges */
    for (unsigned j = 0; j <= b_len; j++)
        rows[0][j] = j;
    for (unsigned i = 1; i <= a_len; i++) {
        unsigned *row = rows[i % 3], *above = rows[(i + 2) % 3], *second = rows[(i + 1) % 3];
        row[0] = i;
        for (unsigned j = 1; j <= b_len; j++) {
            row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], second[j - 2] + 1);
        }
    }
    return rows[a_len % 3][b_len];
}

enum sw_code sw_no_such_file(const char *path, struct sw_error *error)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char folder[PATH_MAX], near[NAME_MAX + 1] = "";
    int folder_len = slash ? (int)(name - path) : 0;
    if ((size_t)folder_len >= sizeof folder)
        return sw_fail_errno(error, SW_ERR_INPUT, ENAMETOOLONG, "no such file: %.200s…", path);
    snprintf(folder, sizeof folder, "%.*s", folder_len, path);
    DIR *dir = opendir(slash ? folder : ".");
    if (!dir)
        return sw_fail(error, SW_ERR_INPUT, "no such file: %s; the directory %s cannot be opened: %s", path, slash ? folder : ".", strerror(errno));
    unsigned best = (unsigned)(strlen(name) / 4 + 2); /* further away, it is another name */
    struct dirent *entry;
    while ((entry = readdir(dir))) {
        unsigned apart = letters_apart(name, entry->d_name);
        /* of equally near names the first by bytes, since directories have no order */
        if (entry->d_name[0] != '.' && (apart < best || (apart == best && *near && strcmp(entry->d_name, near) < 0))) {
            best = apart;
            snprintf(near, sizeof near, "%s", entry->d_name);
        }
    }
    closedir(dir);
    if (*near)
        return sw_fail(error, SW_ERR_INPUT, "no such file: %s; did you mean %s%s?", path, folder, near);
    return sw_fail(error, SW_ERR_INPUT, "no such file: %s", path);
}

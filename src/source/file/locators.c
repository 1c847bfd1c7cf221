#include "source/file/locators.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file_io.h"
#include "base/near_file.h"
#include "base/memory.h"
#include "source/registry.h"

static enum sw_code add_path(struct sw_path_list *list, const char *path, struct sw_error *error)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 16;
        char **paths = sw_realloc_array(list->paths, capacity, sizeof *paths);
        if (!paths)
            return sw_fail_memory(error, "the list of inputs", capacity * sizeof *paths);
        list->paths = paths;
        list->capacity = capacity;
    }
    char *copy = sw_strdup(path);
    if (!copy)
        return sw_fail_memory(error, "the name of an input", strlen(path) + 1);
    list->paths[list->count++] = copy;
    return SW_OK;
}

void sw_path_list_free(struct sw_path_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        sw_free(list->paths[i]);
    sw_free(list->paths);
    *list = (struct sw_path_list){0};
}

static int by_bytes(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

const struct sw_connector *sw_locator_connector(const char *locator)
{
    struct stat status;
    bool file = sw_io_stat(&status, locator) == 0;
    const struct sw_source_info *info = file ? sw_source_of_file(locator) : sw_source_of_locator(locator);
    return info && !info->missing ? info->connector : NULL;
}

static enum sw_code add_directory(struct sw_path_list *out, const char *path, struct sw_error *error)
{
    DIR *dir = opendir(path);
    if (!dir)
        return sw_fail_errno(error, SW_ERR_IO, errno, "directory %s: cannot be opened", path);
    size_t before = out->count, len = strlen(path);
    enum sw_code code = SW_OK;
    const char *slash = len && path[len - 1] == '/' ? "" : "/";
    struct dirent *entry;
    while (code == SW_OK && (errno = 0, entry = readdir(dir))) {
        char file[PATH_MAX];
        struct stat status;
        int failed;
        if (entry->d_name[0] == '.')
            continue;
        if ((size_t)snprintf(file, sizeof file, "%s%s%s", path, slash, entry->d_name) >= sizeof file)
            code = sw_fail_errno(error, SW_ERR_IO, ENAMETOOLONG, "directory %s: its file %s", path, entry->d_name);
        else if ((failed = sw_io_stat(&status, file)))
            code = sw_fail_errno(error, SW_ERR_IO, failed, "directory %s: its file %s", path, entry->d_name);
        else if (S_ISREG(status.st_mode))
            code = add_path(out, file, error);
    }
    if (code == SW_OK && errno)
        code = sw_fail_errno(error, SW_ERR_IO, errno, "directory %s: cannot be read", path);
    closedir(dir);
    if (code == SW_OK && out->count == before)
        code = sw_fail(error, SW_ERR_INPUT, "directory %s: no file is in it (hidden files and subdirectories are not read)", path);
    if (out->count > before)
        qsort(out->paths + before, out->count - before, sizeof *out->paths, by_bytes);
    return code;
}

static enum sw_code add_glob(struct sw_path_list *out, const char *pattern, struct sw_error *error)
{
    glob_t found;
    int result = glob(pattern, GLOB_ERR | GLOB_NOSORT, NULL, &found);
    if (result == GLOB_NOMATCH)
        return sw_fail(error, SW_ERR_INPUT, "no file matches %s", pattern);
    if (result == GLOB_NOSPACE)
        return sw_fail_memory(error, "the files of a pattern", 0);
    if (result)
        return sw_fail(error, SW_ERR_IO, "pattern %s: a directory that it names does not exist, or cannot be read", pattern);
    size_t before = out->count;
    enum sw_code code = SW_OK;
    for (size_t i = 0; code == SW_OK && i < found.gl_pathc; i++) {
        struct stat status;
        int failed = sw_io_stat(&status, found.gl_pathv[i]);
        if (failed)
            code = sw_fail_errno(error, SW_ERR_IO, failed, "pattern %s: its file %s", pattern, found.gl_pathv[i]);
        else if (!S_ISDIR(status.st_mode))
            code = add_path(out, found.gl_pathv[i], error);
    }
    globfree(&found);
    if (code == SW_OK && out->count == before)
        code = sw_fail(error, SW_ERR_INPUT, "no file matches %s: only directories do", pattern);
    if (out->count > before) /* by bytes: glob itself would sort by locale */
        qsort(out->paths + before, out->count - before, sizeof *out->paths, by_bytes);
    return code;
}

/* Files that only their own tool can fetch. */
static bool is_object_store(const char *locator, size_t scheme)
{
    static const char *const schemes[] = {"s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "wasbs", "hdfs", "http", "https", "ftp", "sftp", "scp"};
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++)
        if (scheme && strlen(schemes[i]) == scheme && memcmp(schemes[i], locator, scheme) == 0)
            return true;
    return false;
}

/* Is it a database's locator with a slip in its begin ("postgresql:/u:secret@host/db", "u:secret@host/db")? What stands between a ':' and an '@' may be a password, so nothing from that ':' on is shown. */
static enum sw_code refuse_mistyped(const char *locator, struct sw_error *error)
{
    const char *at = strrchr(locator, '@'), *colon = at ? memchr(locator, ':', (size_t)(at - locator)) : NULL;
    return !colon ? SW_OK : sw_fail(error, SW_ERR_INPUT, "no such file: %.*s:… (the rest is not shown: it may hold a password); a database is named SCHEME://USER@HOST/DATABASE#TABLE", (int)(colon - locator), locator);
}

static enum sw_code add_locator(struct sw_path_list *out, const char *locator, struct sw_error *error)
{
    if (!*locator)
        return sw_fail(error, SW_ERR_INPUT, "input: its name is empty");
    if (strcmp(locator, "-") == 0) {
        for (size_t i = 0; i < out->count; i++)
            if (strcmp(out->paths[i], "-") == 0)
                return sw_fail(error, SW_ERR_INPUT, "-: standard input is named twice; it can be read once");
        return add_path(out, locator, error);
    }
    struct stat status;
    int failed = sw_io_stat(&status, locator);
    if (!failed)
        return S_ISDIR(status.st_mode) ? add_directory(out, locator, error) : add_path(out, locator, error);
    const struct sw_source_info *info = sw_source_of_locator(locator);
    if (info && !info->missing)
        return add_path(out, locator, error); /* no path: its connector reads it */
    size_t scheme = sw_source_scheme_length(locator);
    if (scheme || info)
        return sw_fail(error, SW_ERR_UNSUPPORTED, "input %.*s:…: %s; 'slackwater sources' lists what can be read%s", scheme ? (int)scheme : 5, scheme ? locator : "libpq",
                       info ? info->missing : "no source has this scheme", is_object_store(locator, scheme) ? ". Copy the files here first, or let their tool print one: … | slackwater …, with - as the input" : "");
    enum sw_code code = refuse_mistyped(locator, error);
    if (code != SW_OK)
        return code;
    if (failed != ENOENT && failed != ENOTDIR)
        return sw_fail_errno(error, SW_ERR_IO, failed, "input %s: cannot be opened", locator);
    if (strpbrk(locator, "*?["))
        return add_glob(out, locator, error);
    return sw_no_such_file(locator, error);
}

enum sw_code sw_locators_expand(struct sw_path_list *out, const char *const *locators, size_t count, struct sw_error *error)
{
    for (size_t i = 0; i < count; i++) {
        enum sw_code code = add_locator(out, locators[i], error);
        if (code != SW_OK)
            return code;
    }
    return SW_OK;
}

/* Making a case folder. */
#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output_file.h"
#include "case/folder.h"
#include "slackwater/case.h"
#include "text/utf8.h"

static enum sw_code write_new(const char *directory, const char *name, struct sw_bytes text, struct sw_error *error)
{
    struct sw_output_file *file = NULL;
    char path[PATH_MAX];
    enum sw_code code = sw_case_path(path, directory, name, error);
    if (code == SW_OK)
        code = sw_output_file_open(&file, path, error);
    if (code == SW_OK)
        code = sw_output_file_write(file, text, error);
    if (code == SW_OK)
        return sw_output_file_commit(&file, error);
    if (file)
        sw_output_file_abort(&file);
    return code;
}

/* May it stand in a folder that is taken? Only what an init that was stopped leaves: without case.yaml it is no case yet, so that nothing can have been added. */
static bool is_left_over(const char *directory, const char *name)
{
    char path[PATH_MAX];
    struct stat status;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return true;
    if (sw_case_path(path, directory, name, NULL) < 0 || lstat(path, &status) != 0)
        return false;
    if (strncmp(name, ".case.yaml.slackwater-", 22) == 0 || strncmp(name, ".ledger.ndjson.slackwater-", 26) == 0)
        return S_ISREG(status.st_mode);
    return strcmp(name, "ledger.ndjson") == 0 ? S_ISREG(status.st_mode) && status.st_size == 0 : strcmp(name, "evidence") == 0 && S_ISDIR(status.st_mode);
}

static enum sw_code make_folder(const char *path, struct sw_error *error)
{
    if (mkdir(path, 0777) == 0)
        return SW_OK;
    if (errno != EEXIST)
        return sw_fail_errno(error, SW_ERR_IO, errno, "%.600s: the folder could not be made", path);
    DIR *folder = opendir(path);
    if (!folder)
        return sw_fail_errno(error, errno == ENOTDIR ? SW_ERR_USAGE : SW_ERR_IO, errno, "%.600s: expected a folder, or nothing", path);
    bool is_case = false, others = false;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        bool other = !is_left_over(path, entry->d_name);
        is_case = is_case || strcmp(entry->d_name, "case.yaml") == 0 || (other && strcmp(entry->d_name, "ledger.ndjson") == 0);
        others = others || other;
    }
    closedir(folder);
    if (is_case)
        return sw_fail(error, SW_ERR_USAGE, "%.600s: there is a case already; name a new folder", path);
    return others ? sw_fail(error, SW_ERR_USAGE, "%.600s: expected an empty folder, found files in it; name a new folder", path) : SW_OK;
}

enum sw_code sw_case_init(const char *directory, const char *title, struct sw_error *error)
{
    struct sw_buffer text = {0};
    char path[PATH_MAX];
    size_t len = title ? strlen(title) : 0;
    if (len > 1000 || sw_utf8_valid((const uint8_t *)title, len) != len)
        return sw_fail(error, SW_ERR_USAGE, "the title must be UTF-8 of at most 1000 bytes");
    enum sw_code code = make_folder(directory, error);
    if (code == SW_OK)
        code = sw_case_path(path, directory, "evidence", error);
    if (code == SW_OK)
        (void)rmdir(path); /* of an init that was stopped; one that holds something stays, and is told of */
    if (code == SW_OK && mkdir(path, 0777) != 0)
        code = errno == EEXIST ? sw_fail(error, SW_ERR_USAGE, "%.600s: expected no files in it, found some; name a new folder", path)
                               : sw_fail_errno(error, SW_ERR_IO, errno, "%.600s: the folder could not be made", path);
    sw_case_template(&text, sw_bytes_of(title, len));
    if (code == SW_OK && text.failed)
        code = sw_fail_memory(error, "the template", text.len);
    if (code == SW_OK)
        code = write_new(directory, "ledger.ndjson", sw_bytes_of(NULL, 0), error);
    if (code == SW_OK) /* last: only with it the folder is a case */
        code = write_new(directory, "case.yaml", sw_buffer_view(&text), error);
    sw_buffer_free(&text);
    return code;
}

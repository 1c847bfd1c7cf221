/* Making a case folder. */
#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

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

static enum sw_code make_folder(const char *path, struct sw_error *error)
{
    if (mkdir(path, 0777) == 0)
        return SW_OK;
    if (errno != EEXIST)
        return sw_fail_errno(error, SW_ERR_IO, errno, "%.600s: the folder could not be made", path);
    DIR *folder = opendir(path);
    if (!folder)
        return sw_fail_errno(error, errno == ENOTDIR ? SW_ERR_USAGE : SW_ERR_IO, errno, "%.600s: expected a folder, or nothing", path);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        bool is_case = strcmp(entry->d_name, "case.yaml") == 0 || strcmp(entry->d_name, "ledger.ndjson") == 0;
        enum sw_code code = sw_fail(error, SW_ERR_USAGE, "%.600s: %s; name a new folder", path, is_case ? "there is a case already" : "expected an empty folder, found files in it");
        closedir(folder);
        return code;
    }
    closedir(folder);
    return SW_OK;
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
    if (code == SW_OK && mkdir(path, 0777) != 0)
        code = sw_fail_errno(error, SW_ERR_IO, errno, "%.600s: the folder could not be made", path);
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

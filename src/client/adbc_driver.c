#include "client/adbc_driver.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file_io.h"

#define MANIFEST_BYTES_MAX ((size_t)64 << 10)

#if defined(__aarch64__)
#define MACHINE "linux_arm64"
#else
#define MACHINE "linux_amd64"
#endif

void sw_adbc_driver_file_free(struct sw_adbc_driver_file *file)
{
    sw_buffer_free(&file->library);
    sw_buffer_free(&file->entrypoint);
}

static struct sw_bytes trimmed(struct sw_bytes text)
{
    while (text.len && (text.at[0] == ' ' || text.at[0] == '\t'))
        text = sw_bytes_of(text.at + 1, text.len - 1);
    while (text.len && (text.at[text.len - 1] == ' ' || text.at[text.len - 1] == '\t' || text.at[text.len - 1] == '\r'))
        text.len--;
    return text;
}

/* The text of "…" or '…' at the front; what follows it (a comment) is passed over. False: there is none. */
static bool read_text(struct sw_buffer *out, struct sw_bytes value)
{
    if (value.len < 2 || (value.at[0] != '"' && value.at[0] != '\''))
        return false;
    sw_buffer_clear(out);
    for (size_t i = 1; i < value.len; i++) {
        if (value.at[i] == value.at[0])
            return out->len != 0;
        if (value.at[i] == '\\' && value.at[0] == '"' && i + 1 < value.len)
            i++; /* of the escapes only \\ and \" can stand in a path */
        sw_buffer_add_byte(out, value.at[i]);
    }
    return false;
}

bool sw_adbc_manifest_read(struct sw_adbc_driver_file *out, struct sw_bytes text)
{
    struct sw_bytes table = {0};
    bool found = false;
    while (text.len) {
        const uint8_t *end = memchr(text.at, '\n', text.len);
        struct sw_bytes line = trimmed(sw_bytes_of(text.at, end ? (size_t)(end - text.at) : text.len));
        text = end ? sw_bytes_of(end + 1, text.len - (size_t)(end + 1 - text.at)) : (struct sw_bytes){0};
        const uint8_t *equals = line.len ? memchr(line.at, '=', line.len) : NULL;
        if (line.len > 2 && line.at[0] == '[') {
            const uint8_t *close = memchr(line.at, ']', line.len);
            table = trimmed(sw_bytes_of(line.at + 1, (size_t)((close ? close : line.at + 1) - line.at - 1)));
        } else if (equals && line.at[0] != '#') {
            struct sw_bytes name = trimmed(sw_bytes_of(line.at, (size_t)(equals - line.at))), value = trimmed(sw_bytes_of(equals + 1, line.len - (size_t)(equals + 1 - line.at)));
            bool driver = sw_bytes_is(table, "Driver");
            if (driver && sw_bytes_is(name, "entrypoint"))
                (void)read_text(&out->entrypoint, value);
            else if ((driver && sw_bytes_is(name, "shared")) || (driver && sw_bytes_is(name, "shared." MACHINE)) || (sw_bytes_is(table, "Driver.shared") && sw_bytes_is(name, MACHINE)))
                found = read_text(&out->library, value) || found;
        }
    }
    return found;
}

static bool is_file(const char *path)
{
    struct stat status;
    return sw_io_stat(&status, path) == 0 && S_ISREG(status.st_mode);
}

static bool ends_with(const char *text, const char *end)
{
    size_t len = strlen(text), tail = strlen(end);
    return len >= tail && strcmp(text + len - tail, end) == 0;
}

static enum sw_code read_manifest(struct sw_adbc_driver_file *out, const char *path, struct sw_error *error)
{
    struct sw_buffer text = {0};
    int fd = -1;
    size_t len = 0;
    int failed = sw_io_open(&fd, path, O_RDONLY, 0);
    if (!failed && !sw_buffer_reserve(&text, MANIFEST_BYTES_MAX))
        failed = ENOMEM;
    if (!failed)
        failed = sw_io_read(&len, fd, text.at, MANIFEST_BYTES_MAX);
    sw_io_close(&fd);
    enum sw_code code = SW_OK;
    if (failed)
        code = sw_fail_errno(error, SW_ERR_USAGE, failed, "the driver's manifest %.300s", path);
    else if (!sw_adbc_manifest_read(out, sw_bytes_of(text.at, len)) || !sw_buffer_text(&out->library))
        code = sw_fail(error, SW_ERR_USAGE, "the driver's manifest %.300s names no library for this machine: [Driver.shared] with %s = \"PATH\" was expected", path, MACHINE);
    sw_buffer_free(&text);
    return code;
}

static bool name_file(struct sw_buffer *out, struct sw_bytes folder, const char *before, const char *driver, const char *after)
{
    sw_buffer_clear(out);
    sw_buffer_add_bytes(out, folder);
    if (folder.len)
        sw_buffer_add_byte(out, '/');
    sw_buffer_add_text(out, before);
    sw_buffer_add_text(out, driver);
    sw_buffer_add_text(out, after);
    return sw_buffer_text(out) != NULL;
}

/* SW_END: not in this folder. */
static enum sw_code look_in(struct sw_adbc_driver_file *out, struct sw_bytes folder, const char *driver, struct sw_error *error)
{
    static const char *const libraries[] = {"libadbc_driver_", "lib"};
    struct sw_buffer manifest = {0};
    enum sw_code code = SW_END;
    if (!name_file(&manifest, folder, "", driver, ".toml"))
        code = sw_fail_memory(error, "a path", folder.len);
    else if (is_file((const char *)manifest.at))
        code = read_manifest(out, (const char *)manifest.at, error);
    sw_buffer_free(&manifest);
    for (size_t i = 0; i < 2 && code == SW_END; i++) {
        if (!name_file(&out->library, folder, libraries[i], driver, ".so"))
            code = sw_fail_memory(error, "a path", folder.len);
        else if (is_file((const char *)out->library.at))
            code = SW_OK;
    }
    return code;
}

static enum sw_code look_in_folders(struct sw_adbc_driver_file *out, const char *folders, const char *driver, struct sw_error *error)
{
    enum sw_code code = SW_END;
    while (folders && *folders && code == SW_END) {
        const char *colon = strchrnul(folders, ':');
        if (colon > folders)
            code = look_in(out, sw_bytes_of(folders, (size_t)(colon - folders)), driver, error);
        folders = *colon ? colon + 1 : colon;
    }
    return code;
}

/* Where the loader itself looks: only it knows. */
static enum sw_code look_with_loader(struct sw_adbc_driver_file *out, const char *driver, struct sw_error *error)
{
    static const char *const libraries[] = {"libadbc_driver_", "lib"};
    for (size_t i = 0; i < 2; i++) {
        if (!name_file(&out->library, (struct sw_bytes){0}, libraries[i], driver, ".so"))
            return sw_fail_memory(error, "a path", 0);
        void *library = dlopen((const char *)out->library.at, RTLD_LAZY | RTLD_LOCAL);
        if (library) {
            dlclose(library);
            return SW_OK;
        }
    }
    return SW_END;
}

enum sw_code sw_adbc_driver_find(struct sw_adbc_driver_file *out, const char *driver, struct sw_error *error)
{
    if (ends_with(driver, ".toml"))
        return read_manifest(out, driver, error);
    if (strchr(driver, '/') || ends_with(driver, ".so")) {
        sw_buffer_add_text(&out->library, driver);
        return !sw_buffer_text(&out->library) ? sw_fail_memory(error, "a path", strlen(driver)) : is_file(driver) ? SW_OK : SW_END;
    }
    struct sw_buffer own = {0};
    const char *home = getenv("HOME");
    sw_buffer_add_text(&own, home ? home : "");
    sw_buffer_add_text(&own, "/.config/adbc/drivers");
    const char *own_text = sw_buffer_text(&own);
    enum sw_code code = own_text ? look_in_folders(out, getenv("ADBC_DRIVER_PATH"), driver, error) : sw_fail_memory(error, "a path", own.len);
    if (code == SW_END && home && *home)
        code = look_in(out, sw_bytes_text(own_text), driver, error);
    if (code == SW_END)
        code = look_in(out, SW_BYTES_LITERAL("/etc/adbc/drivers"), driver, error);
    if (code == SW_END)
        code = look_with_loader(out, driver, error);
    sw_buffer_free(&own);
    return code;
}

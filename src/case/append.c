#include "case/append.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/file_io.h"
#include "base/memory.h"
#include "base/near_file.h"
#include "base/output_file.h"
#include "slackwater/version.h"

static enum sw_code take_lock(int *fd, const char *directory, struct sw_error *error)
{
    int sys_errno = sw_io_open(fd, directory, O_RDONLY | O_DIRECTORY, 0);
    if (sys_errno)
        return sw_fail_errno(error, sys_errno == ENOENT || sys_errno == ENOTDIR ? SW_ERR_USAGE : SW_ERR_IO, sys_errno, "%.600s: is no folder that can be opened", directory);
    while (flock(*fd, LOCK_EX) != 0)
        if (errno != EINTR)
            return sw_fail_errno(error, SW_ERR_IO, errno, "%.600s: could not be locked against others who add to it", directory);
    return SW_OK;
}

enum sw_code sw_append_open(struct sw_append *out, const char *directory, struct sw_error *error)
{
    *out = (struct sw_append){.lock = -1};
    enum sw_code code = take_lock(&out->lock, directory, error);
    if (code == SW_OK)
        code = sw_case_open(&out->folder, directory, NULL, false, NULL, error);
    if (code < 0) {
        sw_append_close(out);
        return code;
    }
    out->count = out->folder->ledger.count;
    memcpy(out->head, out->folder->ledger.head, sizeof out->head);
    return SW_OK;
}

void sw_append_close(struct sw_append *append)
{
    for (size_t at = 0; at < append->copied.len; at += strlen((const char *)append->copied.at + at) + 1)
        (void)unlink((const char *)append->copied.at + at);
    sw_buffer_free(&append->copied);
    sw_buffer_free(&append->lines);
    if (append->folder)
        sw_case_close(&append->folder);
    sw_io_close(&append->lock);
}

/* ---- pieces ---- */

/* evidence/0007-NAME, with what is not plain in NAME replaced; the second of that name is 0007-2-NAME. */
static enum sw_code name_piece(struct sw_ledger_entry *entry, struct sw_append *append, const char *file_name, unsigned turn, struct sw_error *error)
{
    char name[128];
    int len = snprintf(name, sizeof name, "evidence/%04" PRIu64 "-", append->count + 1);
    if (turn > 1)
        len += snprintf(name + len, sizeof name - (size_t)len, "%u-", turn);
    const char *slash = strrchr(file_name, '/');
    const char *from = slash ? slash + 1 : file_name;
    if (strlen(from) > 80) /* the end is kept: it says what it is */
        from += strlen(from) - 80;
    for (; *from && len < (int)sizeof name - 1; from++)
        name[len++] = (*from >= 'a' && *from <= 'z') || (*from >= 'A' && *from <= 'Z') || (*from >= '0' && *from <= '9') || strchr("._-", *from) ? *from : '_';
    name[len] = '\0';
    char *copy = sw_mapping_text(&append->folder->memory, name, (size_t)len);
    if (!copy)
        return sw_fail_memory(error, "a name", (size_t)len);
    entry->name = sw_bytes_text(copy);
    return SW_OK;
}

/* A name that nothing has: a file that the ledger does not know may be all that is left of somebody's evidence (a ledger put back from a backup, two copies of a
 * case that were merged), and a link would lead out of the folder. */
static enum sw_code free_name(char path[PATH_MAX], struct sw_ledger_entry *entry, struct sw_append *append, const char *file_name, struct sw_error *error)
{
    enum { TURNS_MAX = 1000 };
    for (unsigned turn = 1; turn <= TURNS_MAX; turn++) {
        struct stat status;
        enum sw_code code = name_piece(entry, append, file_name, turn, error);
        if (code == SW_OK)
            code = sw_case_path(path, append->folder->path, (const char *)entry->name.at, error);
        if (code < 0 || lstat(path, &status) != 0) /* what else is wrong, the writing says */
            return code;
    }
    return sw_fail(error, SW_ERR_USAGE, "%.600s: is there already, as are %d more of that name, and the ledger has none of them; move them away", path, TURNS_MAX - 1);
}

struct piece_writer {
    struct sw_output_file *file;
    struct sw_digest *digest;
    struct sw_buffer *copy;
    uint64_t bytes;
};

static int write_piece(const void *at, size_t len, void *ctx)
{
    struct piece_writer *writer = ctx;
    sw_digest_add(writer->digest, at, len);
    writer->bytes += len;
    if (writer->copy && writer->copy->len <= SW_EVIDENCE_BYTES_MAX)
        sw_buffer_add(writer->copy, at, len);
    return sw_output_file_write_fn(at, len, writer->file);
}

enum sw_code sw_append_source(struct sw_ledger_entry *entry, struct sw_append *append, sw_case_source_fn write, void *source, const char *file_name, struct sw_buffer *copy, struct sw_error *error)
{
    struct piece_writer writer = {.copy = copy};
    char path[PATH_MAX], hex[SW_DIGEST_HEX_SIZE] = "";
    enum sw_code code = free_name(path, entry, append, file_name, error);
    if (code == SW_OK) /* before it is there, so that it is not left there for want of memory */
        sw_buffer_add(&append->copied, path, strlen(path) + 1);
    if (code == SW_OK && append->copied.failed)
        code = sw_fail_memory(error, "a path", strlen(path));
    if (code == SW_OK)
        code = sw_digest_open(&writer.digest, error);
    if (code == SW_OK)
        code = sw_output_file_open(&writer.file, path, error);
    if (code == SW_OK)
        code = write(source, write_piece, &writer, error);
    if (code >= 0)
        code = sw_digest_finish(hex, writer.digest, error);
    if (code >= 0 && copy && copy->failed)
        code = sw_fail_memory(error, "a piece of evidence", copy->len);
    if (code >= 0)
        code = sw_output_file_commit(&writer.file, error);
    else if (writer.file)
        sw_output_file_abort(&writer.file);
    if (writer.digest)
        sw_digest_close(&writer.digest);
    if (code < 0)
        return code;
    char *kept = sw_mapping_text(&append->folder->memory, hex, strlen(hex));
    if (!kept)
        return sw_fail_memory(error, "a digest", sizeof hex);
    entry->sha256 = sw_bytes_text(kept);
    entry->bytes = writer.bytes;
    return SW_OK;
}

struct file_source { const char *path; };

/* Reads it once: what is written is what is digested. */
static enum sw_code write_file(void *source, sw_write_fn write, void *ctx, struct sw_error *error)
{
    enum { BLOCK = 65536 };
    const struct file_source *file = source;
    struct stat status;
    int fd = -1;
    int sys_errno = sw_io_open(&fd, file->path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
    if (!sys_errno)
        sys_errno = sw_io_fstat(&status, fd);
    if (sys_errno == ENOENT || sys_errno == ENOTDIR)
        return sw_no_such_file(file->path, error);
    if (sys_errno) {
        sw_io_close(&fd);
        return sw_fail_errno(error, SW_ERR_IO, sys_errno, "%.600s: could not be opened", file->path);
    }
    if (!S_ISREG(status.st_mode)) {
        sw_io_close(&fd);
        return sw_fail(error, SW_ERR_USAGE, "%.600s: expected a file, found something else", file->path);
    }
    uint8_t *block = sw_malloc(BLOCK);
    enum sw_code code = block ? SW_OK : sw_fail_memory(error, "a file", BLOCK);
    for (size_t got = BLOCK; code == SW_OK && got == BLOCK;) {
        if ((sys_errno = sw_io_read(&got, fd, block, BLOCK)) != 0)
            code = sw_fail_errno(error, SW_ERR_IO, sys_errno, "%.600s: could not be read", file->path);
        else if (got && (sys_errno = write(block, got, ctx)) != 0)
            code = sw_fail_errno(error, SW_ERR_IO, sys_errno, "%.600s: its copy could not be written", file->path);
    }
    sw_free(block);
    sw_io_close(&fd);
    return code;
}

enum sw_code sw_append_file(struct sw_ledger_entry *entry, struct sw_append *append, const char *path, const char *file_name, const char *wanted, struct sw_error *error)
{
    struct file_source source = {.path = path};
    if (wanted) { /* before anything of it is kept */
        uint64_t bytes;
        char hex[SW_DIGEST_HEX_SIZE];
        enum sw_code code = sw_case_digest_file(hex, &bytes, path, error);
        if (code < 0)
            return code;
        if (strcmp(hex, wanted) != 0)
            return sw_fail(error, SW_ERR_INPUT, "%.600s: expected sha256 %.16s…, as the report has it, found %.16s…: it was changed after the comparison; compare again", path, wanted, hex);
    }
    enum sw_code code = sw_append_source(entry, append, write_file, &source, file_name ? file_name : path, NULL, error);
    if (code == SW_OK && wanted && !sw_bytes_is(entry->sha256, wanted))
        code = sw_fail(error, SW_ERR_INPUT, "%.600s: was changed while it was copied", path);
    return code;
}

/* ---- lines ---- */

enum sw_code sw_append_entry(struct sw_ledger_entry *entry, struct sw_append *append, struct sw_error *error)
{
    size_t start = append->lines.len;
    if (append->count >= SW_LEDGER_ENTRIES_MAX)
        return sw_fail(error, SW_ERR_LIMIT, "the ledger has %u entries, which is the most; begin another case and link this one", SW_LEDGER_ENTRIES_MAX);
    entry->number = append->count + 1;
    entry->at = sw_bytes_text(append->folder->now);
    sw_ledger_line(&append->lines, entry, append->head);
    if (append->lines.failed)
        return sw_fail_memory(error, "a line of the ledger", append->lines.len);
    size_t len = append->lines.len - start;
    if (len > SW_LEDGER_LINE_MAX)
        return sw_fail(error, SW_ERR_LIMIT, "the entry takes %zu bytes in the ledger; at most %zu are kept: shorten the title or the command", len, SW_LEDGER_LINE_MAX);
    append->count++;
    return sw_case_digest(append->head, sw_bytes_of(append->lines.at + start, len - 1), error);
}

/* After a commit that failed: is it certain that the ledger does not name what was copied? It does where only its folder could not be synced. */
static bool is_as_before(const struct sw_append *append, const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && (uint64_t)status.st_size == append->folder->ledger_text.len;
}

enum sw_code sw_append_commit(struct sw_append *append, struct sw_error *error)
{
    struct sw_output_file *file = NULL;
    char path[PATH_MAX];
    if (append->folder->ledger_text.len + append->lines.len > SW_LEDGER_BYTES_MAX)
        return sw_fail(error, SW_ERR_LIMIT, "the ledger would be longer than %zu bytes; begin another case and link this one", SW_LEDGER_BYTES_MAX);
    enum sw_code code = sw_case_path(path, append->folder->path, "ledger.ndjson", error);
    if (code == SW_OK)
        code = sw_output_file_open(&file, path, error);
    if (code == SW_OK)
        code = sw_output_file_write(file, sw_buffer_view(&append->folder->ledger_text), error);
    if (code == SW_OK)
        code = sw_output_file_write(file, sw_buffer_view(&append->lines), error);
    if (code < 0) {
        if (file)
            sw_output_file_abort(&file);
        return code;
    }
    code = sw_output_file_commit(&file, error);
    if (code == SW_OK || !is_as_before(append, path))
        sw_buffer_clear(&append->copied);
    return code;
}

#include "base/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/memory.h"

#define BUFFER_BYTES ((size_t)256 * 1024)

/* The temporary names that exist, for a signal handler to remove. Places are reused, never freed, so that the handler
 * may walk the list at any moment; whoever moves `state` away from LIVE owns the name. */
enum place_state { PLACE_FREE, PLACE_FILLING, PLACE_LIVE, PLACE_REMOVING };

struct place {
    struct place *next;
    _Atomic int state;
    pid_t process;         /* a forked child must not remove what its parent writes */
    char temporary[PATH_MAX];
    char target[PATH_MAX]; /* absolute: a change of directory must not matter */
};

static _Atomic(struct place *) places;

struct sw_output_file {
    int fd;
    bool direct;         /* no temporary file: the target itself is written */
    bool existed;        /* the target, before; it is replaced */
    bool placed;         /* renamed over the target */
    enum sw_code code;   /* of the failure that sticks */
    int sys_errno;
    uint64_t bytes;
    struct place *place; /* NULL if direct */
    char *path;          /* as it was given, for messages */
    size_t buffered;
    uint8_t buffer[];
};

static struct place *take_place(void)
{
    for (struct place *place = atomic_load(&places); place; place = place->next) {
        int expected = PLACE_FREE;
        if (atomic_compare_exchange_strong(&place->state, &expected, PLACE_FILLING))
            return place;
    }
    struct place *place = sw_calloc(1, sizeof *place);
    if (!place)
        return NULL;
    atomic_init(&place->state, PLACE_FILLING);
    place->next = atomic_load(&places);
    while (!atomic_compare_exchange_weak(&places, &place->next, place)) {
    }
    return place;
}

/* Two outputs with one target would each be whole, and one of them lost. */
static bool target_is_open(const struct place *mine)
{
    for (struct place *place = atomic_load(&places); place; place = place->next)
        if (place != mine && atomic_load(&place->state) == PLACE_LIVE && strcmp(place->target, mine->target) == 0)
            return true;
    return false;
}

void sw_output_file_abort_all(void)
{
    pid_t process = getpid();
    for (struct place *place = atomic_load(&places); place; place = place->next) {
        int expected = PLACE_LIVE;
        /* the place is not given back: its thread may still be at work on it, and the program ends */
        if (place->process == process && atomic_compare_exchange_strong(&place->state, &expected, PLACE_REMOVING))
            (void)unlink(place->temporary);
    }
}

/* Takes the name out of the list; false if a signal handler is about to remove it. */
static bool retire(struct place *place)
{
    int expected = PLACE_LIVE;
    return atomic_compare_exchange_strong(&place->state, &expected, PLACE_FILLING);
}

/* The descriptor that a path such as /dev/stdout names, or -1. Opening the path instead would start at the
 * beginning of the file behind it, over what the program or its caller wrote there. */
static int named_descriptor(const char *path)
{
    if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0)
        return 1;
    if (strcmp(path, "/dev/stderr") == 0)
        return 2;
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        size_t len = strlen(folders[i]);
        if (strncmp(path, folders[i], len) == 0 && path[len] >= '0' && path[len] <= '9') {
            char *end;
            long number = strtol(path + len, &end, 10);
            return *end || number > INT_MAX ? -1 : (int)number;
        }
    }
    return -1;
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_link(const char *path)
{
    struct stat link;
    return lstat(path, &link) == 0 && S_ISLNK(link.st_mode);
}

/* The absolute path of the target, its links resolved. 0 or an errno. */
static int resolve_target(char target[PATH_MAX], const char *path, bool exists)
{
    if (exists)
        return realpath(path, target) ? 0 : errno;
    if (is_link(path))
        return ENOENT; /* to nowhere */
    const char *name = name_of(path);
    char folder[PATH_MAX];
    if (!*name || (size_t)snprintf(folder, sizeof folder, "%.*s", (int)(name - path), path) >= sizeof folder)
        return *name ? ENAMETOOLONG : EISDIR;
    if (!realpath(name == path ? "." : folder, target))
        return errno;
    size_t len = strlen(target);
    if (len == 1)
        len = 0; /* the root ends in a slash already */
    return (size_t)snprintf(target + len, PATH_MAX - len, "/%s", name) >= PATH_MAX - len ? ENAMETOOLONG : 0;
}

/* `.NAME.slackwater-XXXXXX` beside the target; a long NAME is cut, between characters, to what file systems take. */
static int name_temporary(char temporary[PATH_MAX], const char *target)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    const char *name = name_of(target);
    size_t len = strlen(name), most = NAME_MAX - sizeof "..slackwater-XXXXXX" + 1;
    if (len > most)
        for (len = most; len && ((uint8_t)name[len] & 0xc0) == 0x80;)
            len--;
    uint8_t noise[6];
    if (getrandom(noise, sizeof noise, 0) != (ssize_t)sizeof noise)
        return errno;
    char suffix[sizeof noise + 1] = {0};
    for (size_t i = 0; i < sizeof noise; i++)
        suffix[i] = letters[noise[i] % (sizeof letters - 1)];
    int size = snprintf(temporary, PATH_MAX, "%.*s.%.*s.slackwater-%s", (int)(name - target), target, (int)len, name, suffix);
    return size < 0 || size >= PATH_MAX ? ENAMETOOLONG : 0;
}

/* Makes the temporary file. Its name is in the list before it is on the disk, so that a signal finds it at any moment. */
static int make_temporary(struct sw_output_file *file)
{
    struct place *place = file->place;
    int failed = EEXIST;
    for (int tries = 0; failed == EEXIST && tries < 100; tries++) {
        failed = name_temporary(place->temporary, place->target);
        if (failed)
            break;
        place->process = getpid();
        atomic_store(&place->state, PLACE_LIVE);
        failed = sw_io_open(&file->fd, place->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0666);
        if (failed && !retire(place))
            return ECANCELED;
    }
    return failed;
}

static void keep_mode_and_owner(int fd, const struct stat *old)
{
    struct stat now;
    if (fstat(fd, &now) == 0 && (now.st_uid != old->st_uid || now.st_gid != old->st_gid)
        && fchown(fd, old->st_uid, old->st_gid) < 0) {
        /* only root may give files away */
    }
    (void)fchmod(fd, old->st_mode & 07777);
}

static int open_direct(struct sw_output_file *file, int descriptor)
{
    file->direct = true;
    if (descriptor < 0)
        return sw_io_open(&file->fd, file->path, O_WRONLY | O_NOCTTY, 0);
    file->fd = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
    return file->fd < 0 ? errno : 0;
}

static enum sw_code open_beside(struct sw_output_file *file, const struct stat *old, struct sw_error *error)
{
    file->place = take_place();
    if (!file->place)
        return sw_fail_memory(error, "the name of an output file", sizeof *file->place);
    int failed = resolve_target(file->place->target, file->path, old);
    if (!failed && old && faccessat(AT_FDCWD, file->place->target, W_OK, AT_EACCESS) < 0)
        failed = errno; /* the rename would succeed, and override what its owner said */
    if (!failed && target_is_open(file->place))
        return sw_fail(error, SW_ERR_USAGE, "output %s: another output is written to the same file; give each its own name", file->path);
    if (!failed)
        failed = make_temporary(file);
    if (failed == EISDIR)
        return sw_fail(error, SW_ERR_USAGE, "output %s: a file name was expected, this is the name of a directory", file->path);
    if (failed == ENOENT)
        return sw_fail(error, SW_ERR_IO, "output %s: %s; make it, or name another place", file->path, is_link(file->path) ? "what this link names does not exist" : "its directory does not exist");
    if (failed)
        return sw_fail_errno(error, SW_ERR_IO, failed, "output %s: cannot be written", file->path);
    file->existed = old != NULL;
    if (old)
        keep_mode_and_owner(file->fd, old);
    return SW_OK;
}

enum sw_code sw_output_file_open(struct sw_output_file **out, const char *path, struct sw_error *error)
{
    *out = NULL;
    struct sw_output_file *file = sw_malloc(sizeof *file + BUFFER_BYTES);
    if (!file)
        return sw_fail_memory(error, "an output file", sizeof *file + BUFFER_BYTES);
    *file = (struct sw_output_file){.fd = -1, .path = sw_strdup(path)};
    enum sw_code code = SW_OK;
    struct stat status;
    int descriptor = named_descriptor(path);
    int failed = descriptor < 0 ? sw_io_stat(&status, path) : 0;
    if (!file->path)
        code = sw_fail_memory(error, "the name of an output file", strlen(path) + 1);
    else if (failed && failed != ENOENT)
        code = sw_fail_errno(error, SW_ERR_IO, failed, "output %s: cannot be looked at", path);
    else if (descriptor < 0 && !failed && S_ISDIR(status.st_mode))
        code = sw_fail(error, SW_ERR_USAGE, "output %s: a file name was expected, this is a directory", path);
    else if (descriptor < 0 && (failed || S_ISREG(status.st_mode)))
        code = open_beside(file, failed ? NULL : &status, error);
    else if ((failed = open_direct(file, descriptor)))
        code = sw_fail_errno(error, SW_ERR_IO, failed, "output %s: cannot be opened", path);
    if (code != SW_OK) {
        sw_output_file_abort(&file);
        return code;
    }
    *out = file;
    return SW_OK;
}

enum sw_code sw_output_file_refuse_input(const char *path, struct sw_file_id input, const char *locator, struct sw_error *error)
{
    struct stat status;
    int descriptor = named_descriptor(path);
    int failed = descriptor < 0 ? sw_io_stat(&status, path) : sw_io_fstat(&status, descriptor);
    if (failed == ENOENT || failed == ENOTDIR)
        return SW_OK;
    if (failed)
        return sw_fail_errno(error, SW_ERR_IO, failed, "output %s: cannot be looked at", path);
    if (S_ISREG(status.st_mode) && sw_file_id_equal(sw_file_id_of(&status), input))
        return sw_fail(error, SW_ERR_USAGE, "output %s: this is the input %s; nothing is written over what is read, give another name", path, locator);
    return SW_OK;
}

static enum sw_code stuck(const struct sw_output_file *file, struct sw_error *error)
{
    bool room = file->sys_errno == ENOSPC || file->sys_errno == EDQUOT || file->sys_errno == EFBIG;
    return sw_fail_errno(error, file->code, file->sys_errno, "output %s: writing failed after %llu bytes%s", file->path,
                         (unsigned long long)(file->bytes - file->buffered), room ? "; nothing of it stays, name a place with more room" : "");
}

static enum sw_code put(struct sw_output_file *file, const void *at, size_t len, struct sw_error *error)
{
    file->sys_errno = sw_io_write(NULL, file->fd, at, len);
    if (!file->sys_errno)
        return SW_OK;
    file->code = SW_ERR_IO;
    return stuck(file, error);
}

static enum sw_code flush(struct sw_output_file *file, struct sw_error *error)
{
    if (file->code != SW_OK)
        return stuck(file, error);
    enum sw_code code = put(file, file->buffer, file->buffered, error);
    if (code == SW_OK)
        file->buffered = 0;
    return code;
}

enum sw_code sw_output_file_write(struct sw_output_file *file, struct sw_bytes bytes, struct sw_error *error)
{
    if (file->code != SW_OK)
        return stuck(file, error);
    if (bytes.len > BUFFER_BYTES - file->buffered) {
        enum sw_code code = flush(file, error);
        if (code == SW_OK && bytes.len >= BUFFER_BYTES) {
            code = put(file, bytes.at, bytes.len, error);
            if (code == SW_OK)
                file->bytes += bytes.len;
            return code;
        }
        if (code != SW_OK)
            return code;
    }
    if (bytes.len)
        memcpy(file->buffer + file->buffered, bytes.at, bytes.len);
    file->buffered += bytes.len;
    file->bytes += bytes.len;
    return SW_OK;
}

int sw_output_file_write_fn(const void *bytes, size_t len, void *output_file)
{
    struct sw_output_file *file = output_file;
    return sw_output_file_write(file, sw_bytes_of(bytes, len), NULL) == SW_OK ? 0 : file->sys_errno;
}

uint64_t sw_output_file_bytes(const struct sw_output_file *file) { return file->bytes; }

enum sw_code sw_output_file_sync(struct sw_output_file *file, struct sw_error *error)
{
    enum sw_code code = flush(file, error);
    if (code != SW_OK)
        return code;
    file->sys_errno = sw_io_sync(file->fd);
    if (!file->sys_errno)
        return SW_OK;
    file->code = SW_ERR_IO;
    return stuck(file, error);
}

static void release(struct sw_output_file **file)
{
    if ((*file)->place)
        atomic_store(&(*file)->place->state, PLACE_FREE);
    sw_free((*file)->path);
    sw_free(*file);
    *file = NULL;
}

/* A directory that may be entered but not listed cannot be opened, and so not synced: that is no failure. */
static int open_folder_of(int *fd, const char *target)
{
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%.*s", (int)(name_of(target) - target), target);
    int failed = sw_io_open(fd, folder, O_RDONLY | O_DIRECTORY, 0);
    return failed == EACCES ? 0 : failed;
}

static enum sw_code sync_and_close(struct sw_output_file *file, struct sw_error *error)
{
    enum sw_code code = sw_output_file_sync(file, error);
    int failed = code == SW_OK ? sw_io_close(&file->fd) : 0;
    if (failed)
        code = sw_fail_errno(error, SW_ERR_IO, failed, "output %s: closing failed", file->path);
    return code;
}

/* From here on `fd` is the directory's, or -1. */
static enum sw_code open_folder(struct sw_output_file *file, struct sw_error *error)
{
    int failed = file->place ? open_folder_of(&file->fd, file->place->target) : 0;
    return failed ? sw_fail_errno(error, SW_ERR_IO, failed, "output %s: its directory cannot be opened", file->path) : SW_OK;
}

static enum sw_code put_in_place(struct sw_output_file *file, struct sw_error *error)
{
    int failed = file->place ? sw_io_rename(file->place->temporary, file->place->target) : 0;
    if (!failed) {
        file->placed = file->place && retire(file->place);
        return SW_OK;
    }
    if (atomic_load(&file->place->state) == PLACE_REMOVING)
        return sw_fail(error, SW_ERR_CANCELLED, "output %s: interrupted; it is not written", file->path);
    return sw_fail_errno(error, SW_ERR_IO, failed, "output %s: cannot be put in its place", file->path);
}

static enum sw_code sync_folder(struct sw_output_file *file, struct sw_error *error)
{
    int failed = file->placed && file->fd >= 0 ? sw_io_sync(file->fd) : 0;
    if (!failed)
        return SW_OK;
    return sw_fail_errno(error, SW_ERR_IO, failed, "output %s: %s, but its directory could not be synced", file->path,
                         file->existed ? "it is whole and in its place" : "it was put in its place and taken away again");
}

enum sw_code sw_output_file_commit_all(struct sw_output_file **files, size_t count, struct sw_error *error)
{
    static enum sw_code (*const steps[])(struct sw_output_file *, struct sw_error *) = {sync_and_close, open_folder, put_in_place, sync_folder};
    enum sw_code code = SW_OK;
    for (size_t step = 0; step < sizeof steps / sizeof *steps && code == SW_OK; step++)
        for (size_t i = 0; i < count && code == SW_OK; i++)
            if (files[i])
                code = steps[step](files[i], error);
    for (size_t i = 0; i < count; i++) {
        if (files[i] && code < 0 && files[i]->placed && !files[i]->existed)
            (void)unlink(files[i]->place->target);
        sw_output_file_abort(&files[i]); /* of what was put in its place, nothing is left to remove */
    }
    return code;
}

enum sw_code sw_output_file_commit(struct sw_output_file **file, struct sw_error *error) { return sw_output_file_commit_all(file, 1, error); }

void sw_output_file_abort(struct sw_output_file **file)
{
    if (!*file)
        return;
    (void)sw_io_close(&(*file)->fd);
    struct place *place = (*file)->place;
    if (place && retire(place))
        (void)unlink(place->temporary);
    if (place && atomic_load(&place->state) == PLACE_REMOVING)
        (*file)->place = NULL; /* the handler has it */
    release(file);
}

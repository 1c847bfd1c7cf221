#include "source/file/feed.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static enum sw_code cannot(const struct sw_feed *feed, int failed, const char *what, struct sw_error *error)
{
    sw_fail_errno(error, SW_ERR_IO, failed, "%s at byte %llu", what, (unsigned long long)feed->offset);
    sw_error_place(error, feed->locator, 0, 0, feed->offset);
    return SW_ERR_IO;
}

enum sw_code sw_feed_open(struct sw_feed *feed, const char *locator, struct sw_error *error)
{
    *feed = (struct sw_feed){.locator = locator, .fd = -1};
    bool standard = strcmp(locator, "-") == 0;
    int failed = 0;
    if (!standard)
        failed = sw_io_open(&feed->fd, locator, O_RDONLY | O_NOCTTY, 0);
    else if ((feed->fd = fcntl(0, F_DUPFD_CLOEXEC, 3)) < 0)
        failed = errno;
    struct stat status;
    if (!failed)
        failed = sw_io_fstat(&status, feed->fd);
    if (!failed && S_ISDIR(status.st_mode))
        failed = EISDIR;
    if (failed) {
        sw_feed_close(feed);
        return sw_fail_errno(error, SW_ERR_IO, failed, "the file cannot be opened");
    }
    off_t at = standard ? lseek(feed->fd, 0, SEEK_CUR) : 0;
    feed->regular = S_ISREG(status.st_mode) && !standard; /* standard input cannot be opened again */
    feed->size_known = S_ISREG(status.st_mode) && at >= 0 && at <= status.st_size;
    feed->size = feed->size_known ? (uint64_t)(status.st_size - at) : 0;
    feed->id = sw_file_id_of(&status);
    feed->modified = status.st_mtim;
    if (feed->regular) /* advice only */
        (void)posix_fadvise(feed->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    return SW_OK;
}

enum sw_code sw_feed_peek(struct sw_bytes *out, struct sw_feed *feed, struct sw_error *error)
{
    int failed = sw_io_read(&feed->peeked, feed->fd, feed->peek, sizeof feed->peek);
    if (failed)
        return cannot(feed, failed, "reading failed", error);
    *out = sw_bytes_of(feed->peek, feed->peeked);
    return SW_OK;
}

enum sw_code sw_feed_read(size_t *got, struct sw_feed *feed, void *at, size_t len, struct sw_error *error)
{
    size_t taken = feed->peeked - feed->peeked_taken;
    taken = taken < len ? taken : len;
    memcpy(at, feed->peek + feed->peeked_taken, taken);
    feed->peeked_taken += taken;
    *got = taken;
    if (taken < len && !feed->ended) {
        size_t more;
        int failed = sw_io_read(&more, feed->fd, (uint8_t *)at + taken, len - taken);
        if (failed) {
            feed->offset += taken + more;
            return cannot(feed, failed, "reading failed", error);
        }
        *got += more;
        feed->ended = *got < len;
    }
    feed->offset += *got;
    if (feed->done)
        atomic_fetch_add_explicit(feed->done, *got, memory_order_relaxed);
    if (feed->digest)
        sw_digest_add(feed->digest, at, *got); /* a failure sticks and is told by the finish */
    if (feed->ended && feed->size_known && feed->offset < feed->size) {
        sw_fail(error, SW_ERR_IO, "the file became shorter while it was read: %llu bytes were expected, %llu are there; "
                "read it again when nothing writes to it", (unsigned long long)feed->size, (unsigned long long)feed->offset);
        sw_error_place(error, feed->locator, 0, 0, feed->offset);
        return SW_ERR_IO;
    }
    return SW_OK;
}

enum sw_code sw_feed_changed(bool *out, const struct sw_feed *feed, struct sw_error *error)
{
    *out = false;
    if (!feed->size_known)
        return SW_OK;
    struct stat status;
    int failed = sw_io_fstat(&status, feed->fd);
    if (failed)
        return cannot(feed, failed, "its state is unknown", error);
    *out = feed->offset != feed->size || status.st_mtim.tv_sec != feed->modified.tv_sec || status.st_mtim.tv_nsec != feed->modified.tv_nsec;
    return SW_OK;
}

void sw_feed_close(struct sw_feed *feed) { (void)sw_io_close(&feed->fd); }

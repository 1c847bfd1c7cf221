#include "order/spaces.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/memory.h"

struct sw_spaces {
    pthread_mutex_t lock;
    struct sw_bytes *texts;     /* [SW_SPACES_MAX]: never moves */
    _Atomic uint32_t count;
    uint32_t declared;          /* the first so many ids are the declared ones, in their order */
};

struct sw_spaces *sw_spaces_new(char *const *declared, size_t declared_count)
{
    struct sw_spaces *spaces = sw_calloc(1, sizeof *spaces);
    if (!spaces)
        return NULL;
    pthread_mutex_init(&spaces->lock, NULL);
    spaces->texts = sw_calloc(SW_SPACES_MAX, sizeof *spaces->texts);
    if (!spaces->texts)
        sw_spaces_free(&spaces);
    for (size_t i = 0; spaces && i < declared_count; i++)
        if (sw_spaces_intern(spaces, sw_bytes_text(declared[i])) == UINT32_MAX)
            sw_spaces_free(&spaces);
    if (spaces)
        spaces->declared = spaces->count;
    return spaces;
}

void sw_spaces_free(struct sw_spaces **pointer)
{
    struct sw_spaces *spaces = *pointer;
    *pointer = NULL;
    if (!spaces)
        return;
    for (uint32_t i = 0; spaces->texts && i < spaces->count; i++)
        sw_free((void *)(uintptr_t)spaces->texts[i].at);
    sw_free(spaces->texts);
    pthread_mutex_destroy(&spaces->lock);
    sw_free(spaces);
}

uint32_t sw_spaces_intern(struct sw_spaces *spaces, struct sw_bytes text)
{
    uint32_t id = UINT32_MAX;
    pthread_mutex_lock(&spaces->lock);
    for (uint32_t i = 0; i < spaces->count && id == UINT32_MAX; i++)
        if (sw_bytes_equal(spaces->texts[i], text))
            id = i;
    if (id == UINT32_MAX && spaces->count < SW_SPACES_MAX) {
        char *copy = sw_strndup((const char *)text.at, text.len);
        if (copy) {
            id = spaces->count;
            spaces->texts[id] = sw_bytes_of(copy, text.len);
            atomic_store(&spaces->count, id + 1);
        }
    }
    pthread_mutex_unlock(&spaces->lock);
    return id;
}

struct sw_bytes sw_spaces_text(const struct sw_spaces *spaces, uint32_t id) { return spaces->texts[id]; }
uint32_t sw_spaces_count(const struct sw_spaces *spaces) { return spaces->count; }
uint32_t sw_spaces_rank(const struct sw_spaces *spaces, uint32_t id) { return id < spaces->declared ? id : UINT32_MAX; }

#include "base/workers.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "base/error.h"
#include "base/memory.h"

#define WATCH_NANOSECONDS 200000000L

struct crew {
    const struct sw_workers *workers;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    unsigned running;
};

struct worker {
    struct crew *crew;
    pthread_t thread;
    unsigned index;
    enum sw_code code;
    struct sw_error error;
};

static void *run(void *ctx)
{
    struct worker *worker = ctx;
    struct crew *crew = worker->crew;
    worker->code = crew->workers->work(worker->index, crew->workers->ctx, &worker->error);
    pthread_mutex_lock(&crew->lock);
    crew->running--;
    pthread_cond_signal(&crew->changed);
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

static bool watch_until_done(struct crew *crew)
{
    const struct sw_workers *workers = crew->workers;
    bool cancelled = false;
    pthread_mutex_lock(&crew->lock);
    while (crew->running) {
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += WATCH_NANOSECONDS;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        if (pthread_cond_timedwait(&crew->changed, &crew->lock, &until) != ETIMEDOUT || !workers->watch)
            continue;
        pthread_mutex_unlock(&crew->lock);
        if (!cancelled && !workers->watch(workers->ctx)) {
            cancelled = true;
            workers->cancel(workers->ctx);
        }
        pthread_mutex_lock(&crew->lock);
    }
    pthread_mutex_unlock(&crew->lock);
    return cancelled;
}

enum sw_code sw_workers_run(const struct sw_workers *workers, struct sw_error *error)
{
    struct crew crew = {.workers = workers};
    struct worker *all = sw_calloc(workers->count, sizeof *all);
    if (!all)
        return sw_fail_memory(error, "threads", workers->count * sizeof *all);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&crew.lock, NULL);
    pthread_cond_init(&crew.changed, &attributes);
    enum sw_code code = SW_OK;
    unsigned started = 0;
    pthread_mutex_lock(&crew.lock);
    for (; started < workers->count && code == SW_OK; started++) {
        all[started].crew = &crew;
        all[started].index = started;
        int failed = pthread_create(&all[started].thread, NULL, run, &all[started]);
        if (failed) {
            code = sw_fail_errno(error, SW_ERR_MEMORY, failed, "thread %u of %u cannot be started; --threads asks for fewer", started + 1, workers->count);
            break;
        }
        crew.running++;
    }
    pthread_mutex_unlock(&crew.lock);
    if (code < 0 && workers->cancel)
        workers->cancel(workers->ctx);
    bool cancelled = watch_until_done(&crew);
    for (unsigned i = 0; i < started; i++) {
        pthread_join(all[i].thread, NULL);
        if (all[i].code < 0 && code >= 0) {
            code = all[i].code;
            if (error)
                *error = all[i].error;
        }
    }
    if (cancelled && code >= 0)
        code = sw_fail(error, SW_ERR_CANCELLED, "interrupted: nothing is claimed");
    pthread_cond_destroy(&crew.changed);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_destroy(&crew.lock);
    sw_free(all);
    return code;
}

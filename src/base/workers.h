/* A handful of threads that do one thing each until it is done, watched by the caller. */
#ifndef SW_BASE_WORKERS_H
#define SW_BASE_WORKERS_H

#include <stdbool.h>

#include "base/error.h"

/* Runs work(index, ctx, error) on `count` threads and waits for all. While they run, watch(ctx) is called on the calling thread about five
 * times a second; if it returns false, `cancel` is called once (the work must then end soon) and SW_ERR_CANCELLED is the result. `watch` may be NULL.
 * Gives the failure of the lowest thread, if any; *error is that thread's. SW_ERR_MEMORY if a thread cannot be started. */
struct sw_workers {
    unsigned count;
    enum sw_code (*work)(unsigned index, void *ctx, struct sw_error *error);
    bool (*watch)(void *ctx);
    void (*cancel)(void *ctx);
    void *ctx;
};
enum sw_code sw_workers_run(const struct sw_workers *workers, struct sw_error *error);

#endif

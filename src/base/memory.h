/* Memory: the only place that calls malloc, and the budget of a run.
 *
 * Two things stand here. The allocation calls are thin and checked: sizes are computed without
 * overflow, failure is NULL, never an abort, and a test build (option `faults`) can make the n-th call
 * fail. The budget is a counter shared by the threads of a run: large consumers ask it before they
 * grow, and spill to disk when it says no. Small, bounded structures do not ask. */
#ifndef SW_BASE_MEMORY_H
#define SW_BASE_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Each returns NULL when memory runs out or `count * size` overflows. Zero-sized requests give a unique pointer. */
void *sw_malloc(size_t size);
void *sw_calloc(size_t count, size_t size);
void *sw_realloc(void *old, size_t size);
void *sw_realloc_array(void *old, size_t count, size_t size);
char *sw_strndup(const char *text, size_t len);
char *sw_strdup(const char *text);
void sw_free(void *memory);

/* Pages straight from the kernel, for blocks of a megabyte and more. Ordinary pages: huge ones are cleared in one go when they are first touched,
 * which cost more than it saved wherever it was measured (docs/performance.md).
 * `size` must be the same in both calls. NULL when they cannot be had. */
void *sw_pages_alloc(size_t size);
void sw_pages_free(void *pages, size_t size);
/* For pages that are about to be written: the kernel gives them in one go and not at the first touch of each, which takes a fifth less of its time. Whole
 * pages of what sw_pages_alloc gave; a hint, which may do nothing. */
void sw_pages_prepare(void *pages, size_t size);

/* The budget of a run. Thread-safe. `limit` is in bytes. */
struct sw_budget {
    _Atomic uint64_t used;
    _Atomic uint64_t peak;
    uint64_t limit;
};

void sw_budget_init(struct sw_budget *budget, uint64_t limit);
/* Takes `bytes` from the budget; false, and nothing taken, if that would pass the limit. */
bool sw_budget_take(struct sw_budget *budget, uint64_t bytes);
/* Takes `bytes` whatever the limit says: for what cannot be spilled. */
void sw_budget_force(struct sw_budget *budget, uint64_t bytes);
void sw_budget_give(struct sw_budget *budget, uint64_t bytes);

/* Test builds only (option `faults`): the n-th allocation from now fails, and each one after it if `sticky`; 0 switches it off. */
void sw_memory_fail_at(uint64_t nth, bool sticky);
/* Allocations since the start of the program; 0 in other builds. */
uint64_t sw_memory_calls(void);

#endif

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifdef SW_FAULTS
static _Atomic uint64_t calls, fail_at;
static _Atomic bool fail_sticky;

static bool refused(void)
{
    uint64_t call = atomic_fetch_add(&calls, 1) + 1;
    uint64_t at = atomic_load(&fail_at);
    return at && (call == at || (call > at && atomic_load(&fail_sticky)));
}

void sw_memory_fail_at(uint64_t nth, bool sticky)
{
    atomic_store(&fail_sticky, sticky);
    atomic_store(&fail_at, nth ? atomic_load(&calls) + nth : 0);
}

uint64_t sw_memory_calls(void) { return atomic_load(&calls); }
#else
static inline bool refused(void) { return false; }
void sw_memory_fail_at(uint64_t nth, bool sticky) { (void)nth, (void)sticky; }
uint64_t sw_memory_calls(void) { return 0; }
#endif

void *sw_malloc(size_t size) { return refused() ? NULL : malloc(size ? size : 1); }

void *sw_calloc(size_t count, size_t size) { return refused() ? NULL : calloc(count ? count : 1, size ? size : 1); }

void *sw_realloc(void *old, size_t size) { return refused() ? NULL : realloc(old, size ? size : 1); }

void *sw_realloc_array(void *old, size_t count, size_t size)
{
    size_t total;
    if (__builtin_mul_overflow(count, size, &total))
        return NULL;
    return sw_realloc(old, total);
}

char *sw_strndup(const char *text, size_t len)
{
    char *copy = sw_malloc(len + 1);
    if (!copy)
        return NULL;
    if (len) /* an empty text may be NULL */
        memcpy(copy, text, len);
    copy[len] = '\0';
    return copy;
}

char *sw_strdup(const char *text) { return sw_strndup(text, strlen(text)); }

void sw_free(void *memory) { free(memory); }

void *sw_pages_alloc(size_t size)
{
    if (refused())
        return NULL;
    void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        return NULL;
    return pages;
}

void sw_pages_prepare(void *pages, size_t size)
{
#ifdef MADV_POPULATE_WRITE
    (void)madvise(pages, size, MADV_POPULATE_WRITE); /* an older kernel has no such advice: pages then come one by one */
#else
    (void)pages;
    (void)size;
#endif
}

void sw_pages_free(void *pages, size_t size)
{
    if (pages)
        (void)munmap(pages, size);
}

void sw_budget_init(struct sw_budget *budget, uint64_t limit)
{
    atomic_store(&budget->used, 0);
    atomic_store(&budget->peak, 0);
    budget->limit = limit;
}

static void raise_peak(struct sw_budget *budget, uint64_t used)
{
    uint64_t peak = atomic_load_explicit(&budget->peak, memory_order_relaxed);
    while (used > peak && !atomic_compare_exchange_weak_explicit(&budget->peak, &peak, used, memory_order_relaxed, memory_order_relaxed)) {
    }
}

bool sw_budget_take(struct sw_budget *budget, uint64_t bytes)
{
    uint64_t used = atomic_fetch_add_explicit(&budget->used, bytes, memory_order_relaxed) + bytes;
    if (used > budget->limit) {
        atomic_fetch_sub_explicit(&budget->used, bytes, memory_order_relaxed);
        return false;
    }
    raise_peak(budget, used);
    return true;
}

void sw_budget_force(struct sw_budget *budget, uint64_t bytes)
{
    raise_peak(budget, atomic_fetch_add_explicit(&budget->used, bytes, memory_order_relaxed) + bytes);
}

void sw_budget_give(struct sw_budget *budget, uint64_t bytes)
{
    atomic_fetch_sub_explicit(&budget->used, bytes, memory_order_relaxed);
}

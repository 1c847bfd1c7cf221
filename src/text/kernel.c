#include "text/kernel.h"

#include <string.h>

#include "text/kernel_set.h"

static const struct sw_kernel *const kernels[] = {
    &sw_kernel_scalar,
#if defined(__x86_64__)
    &sw_kernel_sse2,
    &sw_kernel_avx2,
#endif
    NULL,
};

const struct sw_kernel *const *sw_kernels(void) { return kernels; }

const struct sw_kernel *sw_kernel_find(const char *name)
{
    const struct sw_kernel *best = NULL;
    for (const struct sw_kernel *const *kernel = kernels; *kernel; kernel++)
        if ((!name || strcmp((*kernel)->name, name) == 0) && (*kernel)->supported())
            best = *kernel; /* the later ones are the faster ones */
    return best;
}

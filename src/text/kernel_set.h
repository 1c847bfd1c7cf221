/* The kernels of this build. For the kernel files and their chooser only. */
#ifndef SW_TEXT_KERNEL_SET_H
#define SW_TEXT_KERNEL_SET_H

#include "text/kernel.h"

extern const struct sw_kernel sw_kernel_scalar;
#if defined(__x86_64__)
extern const struct sw_kernel sw_kernel_sse2, sw_kernel_avx2;
#endif

#endif

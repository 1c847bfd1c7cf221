/* What a fuzz target uses to say that a property does not hold. Unlike assert, it is there in every build. */
#ifndef SW_FUZZ_PROPERTY_H
#define SW_FUZZ_PROPERTY_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define PROPERTY(holds) \
    do { \
        if (!(holds)) { \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #holds); \
            abort(); \
        } \
    } while (0)

/* The target: one call for one input, 0 always. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif

/* Random numbers that are the same in each run. */
#ifndef SW_TEST_RANDOM_TESTING_H
#define SW_TEST_RANDOM_TESTING_H

#include <stdint.h>

static uint64_t random_state;

static uint64_t pick(uint64_t below)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (random_state >> 33) % below;
}

#endif

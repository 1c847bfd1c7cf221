/* Engines that are wrong on purpose, to see a challenge catch them. The linker puts them before the fold (`--wrap=sw_fold_key`), so that the
 * product's own sources know nothing of them. */
#ifndef SW_TESTS_BROKEN_ENGINE_H
#define SW_TESTS_BROKEN_ENGINE_H

enum broken_engine {
    ENGINE_SOUND,
    ENGINE_IGNORES_TOMBSTONES,   /* deletes never happened */
    ENGINE_COMPARES_TOTALS,      /* rows differ only if the sum over all rows so far does; versions do not count */
    ENGINE_KEEPS_LAST_ARRIVAL,   /* what was read last is the state */
    ENGINE_COUNT
};

extern _Atomic int engine_in_use, engine_runs; /* a run's totals begin at nothing: count it before it begins */

#endif

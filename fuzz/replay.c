/* Runs a fuzz target on its kept inputs, and on some thousands of mutations of them that are the same every time, with any
 * compiler. It reports one TAP point; a property that does not hold aborts, and the input is named on standard error.
 *
 *     replay_NAME FOLDER_OR_FILE...       a folder that is not there counts as empty */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "property.h"

#define INPUT_MAX (1u << 20)
/* Of each kept input. Targets that run a whole reconciliation take fewer: the environment says so (fuzz/meson.build). */
#define MUTATIONS_DEFAULT 2000u
static unsigned mutations = MUTATIONS_DEFAULT;

static char place[4200];

static void say_where(int signal_number)
{
    static const char text[] = "replaying ";
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    (void)!write(STDERR_FILENO, place, strlen(place));
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Each input gets memory of its very size, so that a sanitizer sees a read past its end. */
static void run(const uint8_t *data, size_t size)
{
    uint8_t *exact = malloc(size ? size : 1);
    if (!exact) {
        perror("replay");
        exit(2);
    }
    memcpy(exact, data, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

static void mutate(const uint8_t *data, size_t size, const char *name, uint64_t *random)
{
    static uint8_t changed[INPUT_MAX + 64];
    for (unsigned i = 0; i < mutations && size <= 1 << 16; i++) {
        size_t len = size;
        memcpy(changed, data, size);
        for (uint64_t n = next_random(random) % 4 + 1; n; n--) {
            uint64_t r = next_random(random);
            size_t at = len ? (size_t)(r >> 16) % len : 0;
            if (r % 4 == 0)
                len = at;
            else if (r % 4 == 1 && len < sizeof changed) {
                memmove(changed + at + 1, changed + at, len - at);
                changed[at] = (uint8_t)(r >> 8);
                len++;
            } else if (len) {
                unsigned byte = r % 4 == 2 ? (unsigned)(r >> 8) : changed[at] ^ 1u << (r >> 8) % 8;
                changed[at] = (uint8_t)byte;
            }
        }
        snprintf(place, sizeof place, "mutation %u of %.4000s\n", i, name);
        run(changed, len);
    }
}

static bool run_file(const char *path, uint64_t *random)
{
    static uint8_t data[INPUT_MAX];
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return false;
    }
    size_t size = fread(data, 1, sizeof data, file);
    bool whole = feof(file) && !ferror(file);
    fclose(file);
    if (!whole) {
        fprintf(stderr, "%s: could not be read, or has more than %u bytes\n", path, INPUT_MAX);
        return false;
    }
    snprintf(place, sizeof place, "%.4000s\n", path);
    run(data, size);
    mutate(data, size, path, random);
    return true;
}

static int not_hidden(const struct dirent *entry) { return entry->d_name[0] != '.'; }

int main(int argc, char **argv)
{
    uint64_t random = 0x9e3779b97f4a7c15u;
    unsigned files = 0;
    bool good = true;
    const char *fewer = getenv("SW_MUTATIONS");
    if (fewer)
        mutations = (unsigned)strtoul(fewer, NULL, 10);
    signal(SIGABRT, say_where);
    printf("1..1\n");
    snprintf(place, sizeof place, "the empty input\n");
    run((const uint8_t *)"", 0);
    mutate((const uint8_t *)"", 0, "the empty input", &random);
    for (int i = 1; i < argc; i++) {
        struct stat info;
        if (stat(argv[i], &info) == 0 && !S_ISDIR(info.st_mode)) {
            good &= run_file(argv[i], &random);
            files++;
            continue;
        }
        struct dirent **entries;
        int count = scandir(argv[i], &entries, not_hidden, alphasort);
        if (count < 0 && errno != ENOENT) {
            perror(argv[i]);
            good = false;
        }
        for (int j = 0; j < count; j++) {
            char path[4096];
            snprintf(path, sizeof path, "%.3000s/%s", argv[i], entries[j]->d_name);
            good &= run_file(path, &random);
            files++;
            free(entries[j]);
        }
        if (count >= 0)
            free(entries);
    }
    printf("%sok 1 - %u kept inputs, and %u mutations of each\n", good ? "" : "not ", files, mutations);
    return good ? 0 : 1;
}

/* The reference kernel: plain C. */
#include <string.h>

#include "text/kernel_set.h"

#define KERNEL sw_kernel_scalar
#define KERNEL_NAME "scalar"

static bool supported(void) { return true; }

static const uint8_t *string_end(const uint8_t *at, const uint8_t *end)
{
    while (at < end && *at != '"' && *at != '\\' && *at >= 0x20)
        at++;
    return at;
}

static inline const uint8_t *digits_end(const uint8_t *at, const uint8_t *end)
{
    while (at < end && (uint8_t)(*at - '0') < 10)
        at++;
    return at;
}

/* The same, in the next 16 bytes; the byte behind them if they are all plain, or all digits. Blocks are padded. */
static inline const uint8_t *string_end_near(const uint8_t *at) { return string_end(at, at + 16); }
static inline const uint8_t *digits_end_near(const uint8_t *at) { return digits_end(at, at + 16); }

static const uint8_t *csv_end(const uint8_t *at, const uint8_t *end, uint8_t delimiter)
{
    while (at < end && *at != delimiter && *at != '\n' && *at != '\r' && *at != '"')
        at++;
    return at;
}

static bool is_ascii(const uint8_t *at, const uint8_t *end)
{
    uint8_t seen = 0;
    while (at < end)
        seen |= *at++;
    return seen < 0x80;
}

/* Are the next `len` bytes the same? Both sides are followed by 64 readable ones. */
static inline bool equal(const uint8_t *a, const uint8_t *b, size_t len) { return len == 0 || memcmp(a, b, len) == 0; }

#include "text/kernel_body.h"

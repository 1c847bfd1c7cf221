/* The reference kernel: plain C. */
#include <string.h>

#include "text/json_usual.h"
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

/* Lies each of the next `run->len` bytes within its bounds? */
static inline bool fits(const uint8_t *at, const struct sw_json_run *run)
{
    unsigned outside = 0;
    for (size_t i = 0; i < run->len; i++)
        outside |= (unsigned)((uint8_t)(at[i] - run->low[i]) > run->range[i]) | (unsigned)(run->plain && run->low[i] == SW_JSON_PLAIN_LOW && (at[i] == '"' || at[i] == '\\'));
    return !outside;
}

/* The tokens of a run that begins at `at`. */
static inline void put_places(struct sw_token *tokens, const struct sw_json_run *run, const uint8_t *at)
{
    for (uint32_t i = 0; i < run->place_count; i++) {
        const struct sw_json_place *place = &run->places[i];
        tokens[i] = (struct sw_token){at + place->offset, place->len, place->kind, place->escaped};
    }
}

#include "text/kernel_body.h"

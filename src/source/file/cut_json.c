#include "source/file/cut.h"
#include "source/file/cut_mask.h"

/* Bytes that a backslash before them escapes: those after an odd run of backslashes. `*carry` says it of the first byte of a
 * word, and then of the next word. The sum carries through each run that begins at an odd place and so tells odd from even. */
static uint64_t escaped_bytes(uint64_t backslashes, bool *carry)
{
    static const uint64_t even = 0x5555555555555555u;
    backslashes &= ~(uint64_t)*carry;
    uint64_t follows = backslashes << 1 | *carry;
    uint64_t sum, odd_starts = backslashes & ~even & ~follows;
    *carry = __builtin_add_overflow(odd_starts, backslashes, &sum);
    return (even ^ sum << 1) & follows;
}

/* What a word holds outside of strings. */
struct structure {
    uint64_t open, close, breaks; /* breaks: commas of an array, newlines of values */
    uint64_t newlines, quoted;
};

static struct structure structure_of(struct sw_cut *cut, const uint8_t *at, unsigned count)
{
    struct sw_word word = sw_word_load(at);
    uint64_t here = sw_mask_below(count), backslashes = sw_word_equal(word, '\\') & here, escaped = 0;
    if (backslashes || cut->escaped) {
        bool carry = cut->escaped;
        escaped = escaped_bytes(backslashes, &carry);
        cut->escaped = count < 64 ? escaped >> count & 1 : carry;
    }
    uint64_t quotes = sw_word_equal(word, '"') & ~escaped & here;
    uint64_t quoted = sw_mask_parity(quotes) ^ (cut->in_string ? ~(uint64_t)0 : 0), outside = ~quoted & here;
    cut->in_string = quoted >> (count - 1) & 1;
    struct sw_word folded = sw_word_or(word, 0x20);
    struct structure found = {
        .open = sw_word_equal(folded, '{') & outside,
        .close = sw_word_equal(folded, '}') & outside,
        .newlines = sw_word_equal(word, '\n') & here,
        .quoted = quoted,
    };
    found.breaks = cut->framing == SW_FRAMING_ARRAY ? sw_word_equal(word, ',') & outside : found.newlines & outside;
    return found;
}

/* Follows the brackets through a word; the breaks at depth 0 remain. `*closing` is the bit of the array's ']', 64 if it is not here. */
static uint64_t breaks_at_depth_0(struct sw_cut *cut, struct structure found, const uint8_t *at, unsigned *closing)
{
    uint64_t brackets = found.open | found.close, outer = 0;
    unsigned since = 0; /* where depth 0 began */
    *closing = 64;
    for (; brackets; brackets &= brackets - 1) {
        unsigned bit = (unsigned)__builtin_ctzll(brackets);
        if (cut->depth == 0)
            outer |= sw_mask_below(bit) & ~sw_mask_below(since);
        if (found.open >> bit & 1)
            cut->depth++;
        else if (cut->depth)
            cut->depth--;
        else if (cut->framing == SW_FRAMING_ARRAY && at[bit] == ']') {
            *closing = bit;
            return found.breaks & outer;
        }
        since = bit + 1;
    }
    if (cut->depth == 0)
        outer |= ~sw_mask_below(since);
    return found.breaks & outer;
}

static bool is_blank(const uint8_t *at, size_t begin, size_t end)
{
    while (end > begin && (at[end - 1] == ' ' || at[end - 1] == '\t' || at[end - 1] == '\n' || at[end - 1] == '\r'))
        end--;
    return end == begin;
}

/* Newlines that end no record: those in strings stay an error, but do not cut the record in two. */
static void hide_newlines(uint8_t *at, uint64_t newlines, uint64_t quoted)
{
    for (; newlines; newlines &= newlines - 1) {
        unsigned bit = (unsigned)__builtin_ctzll(newlines);
        at[bit] = quoted >> bit & 1 ? '\r' : ' ';
    }
}

size_t sw_cut_scan_json(struct sw_cut *cut, uint8_t *at, size_t from, size_t len, bool first)
{
    bool array = cut->framing == SW_FRAMING_ARRAY;
    size_t end = 0;
    while (from < len) {
        unsigned count = len - from < 64 ? (unsigned)(len - from) : 64, closing;
        struct structure found = structure_of(cut, at + from, count);
        uint64_t breaks = breaks_at_depth_0(cut, found, at + from, &closing);
        hide_newlines(at + from, found.newlines & sw_mask_below(closing) & ~(array ? 0 : breaks), found.quoted);
        for (; breaks; breaks &= breaks - 1) {
            size_t stop = from + (unsigned)__builtin_ctzll(breaks);
            if (array && !first && is_blank(at, end, stop))
                continue; /* no element stands before this comma: it stays, as part of a bad record */
            at[stop] = '\n';
            end = stop + 1;
            cut->records++;
            if (first) {
                cut->in_string = cut->escaped = false;
                cut->depth = 0;
                return end;
            }
        }
        if (closing < 64) {
            size_t stop = from + closing;
            bool blank = !first && is_blank(at, end, stop);
            cut->closed = true;
            cut->after_array = stop + 1;
            if (!blank) {
                at[stop] = '\n';
                cut->records++;
            }
            /* after a comma, a ']' stays and makes a bad record; "[]" holds none */
            return blank && !cut->records ? end : stop + 1;
        }
        from += count;
    }
    return end;
}

/* Positions: the first byte picks the kind, the rest is two texts with a NUL between them. What is read must print and
 * read again as the same, compare antisymmetrically, and keep the identities of set algebra. */
#include <string.h>

#include "property.h"
#include "slackwater/position.h"

static struct sw_position *read_text(const char *kind, const char *text, size_t len)
{
    struct sw_position *position = NULL;
    struct sw_error error = {0};
    enum sw_code code = sw_position_parse(&position, kind, text, len, &error);
    PROPERTY((code == SW_OK) == (position != NULL));
    PROPERTY(code == SW_OK || code == SW_ERR_INPUT || code == SW_ERR_LIMIT);
    PROPERTY(code == SW_OK || (error.code == code && error.text[0]));
    return position;
}

static char *print(const struct sw_position *position, size_t *len)
{
    char *text = NULL;
    PROPERTY(sw_position_print(&text, len, position, NULL) == SW_OK);
    return text;
}

static void check_round_trip(const char *kind, const struct sw_position *position)
{
    size_t len, again_len;
    char *text = print(position, &len);
    struct sw_position *again = read_text(kind, text, len);
    if (!again)
        fprintf(stderr, "%s does not read again: %.*s\n", kind, (int)len, text);
    PROPERTY(again != NULL);
    PROPERTY(sw_position_compare(NULL, position, again, NULL) == SW_POSITION_EQUAL);
    PROPERTY(sw_position_count(position) == sw_position_count(again));
    char *second = print(again, &again_len);
    PROPERTY(len == again_len && memcmp(text, second, len) == 0);
    sw_position_text_free(&text);
    sw_position_text_free(&second);
    sw_position_free(&again);
}

static void check_algebra(const char *kind, const struct sw_position *a, const struct sw_position *b)
{
    struct sw_position *minus = NULL, *both = NULL, *either = NULL, *again = NULL;
    if (sw_position_subtract(&minus, a, b, NULL) != SW_OK) {
        PROPERTY(minus == NULL);
        return;
    }
    PROPERTY(sw_position_intersect(&both, a, b, NULL) == SW_OK);
    if (sw_position_unite(&either, a, b, NULL) != SW_OK) { /* one topic id for two topics of Kafka, or a bare offset beside a topic's */
        PROPERTY(either == NULL && strcmp(kind, "kafka") == 0);
        sw_position_free(&minus);
        sw_position_free(&both);
        return;
    }
    PROPERTY(sw_position_unite(&again, minus, both, NULL) == SW_OK);
    bool contains = false;
    PROPERTY(sw_position_contains(&contains, either, a, NULL) == SW_OK && contains);
    PROPERTY(sw_position_contains(&contains, either, b, NULL) == SW_OK && contains);
    PROPERTY(sw_position_contains(&contains, a, again, NULL) == SW_OK && contains);
    PROPERTY(sw_position_contains(&contains, again, a, NULL) == SW_OK && contains);
    check_round_trip(kind, either);
    check_round_trip(kind, minus);
    check_round_trip(kind, both);
    sw_position_free(&minus);
    sw_position_free(&both);
    sw_position_free(&either);
    sw_position_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t kinds = 0;
    while (sw_position_kind_at(kinds))
        kinds++;
    if (size < 1)
        return 0;
    const char *kind = sw_position_kind_at(data[0] % kinds)->name, *text = (const char *)data + 1;
    size_t len = size - 1;
    const char *nul = memchr(text, '\0', len);
    size_t first = nul ? (size_t)(nul - text) : len;
    struct sw_position *a = read_text(kind, text, first);
    struct sw_position *b = nul ? read_text(kind, nul + 1, len - first - 1) : NULL;
    if (a)
        check_round_trip(kind, a);
    if (a && b) {
        struct sw_position_comparison answer, back;
        enum sw_position_order way = sw_position_compare(&answer, a, b, NULL), other = sw_position_compare(&back, b, a, NULL);
        PROPERTY(answer.reason[0] && back.reason[0]);
        PROPERTY(way == SW_POSITION_INCOMPARABLE ? other == SW_POSITION_INCOMPARABLE : (int)other == -(int)way);
        check_algebra(kind, a, b);
    }
    /* histories are read from the same bytes */
    for (int i = 0; i < 2; i++) {
        struct sw_position_history *history = NULL;
        PROPERTY(sw_position_history_new(&history, i ? "oracle" : "postgres", NULL) == SW_OK);
        bool known = sw_position_history_add(history, "00000004.history", text, len, NULL) == SW_OK;
        if (known && a && b) {
            const struct sw_position_compare_options options = {.struct_size = sizeof options, .history = history, .same_source = true};
            enum sw_position_order way = sw_position_compare(NULL, a, b, &options), other = sw_position_compare(NULL, b, a, &options);
            PROPERTY(way == SW_POSITION_INCOMPARABLE ? other == SW_POSITION_INCOMPARABLE : (int)other == -(int)way);
        }
        sw_position_history_free(&history);
    }
    sw_position_free(&a);
    sw_position_free(&b);
    return 0;
}

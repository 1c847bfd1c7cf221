#include "order/spaces.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/hash.h"
#include "base/memory.h"

#define SLOTS (2 * SW_SPACES_MAX)

struct space {
    struct sw_bytes text;
    _Atomic uint32_t base;
    _Atomic bool seen;
};

struct sw_spaces {
    pthread_mutex_t lock;
    struct space *spaces;       /* [SW_SPACES_MAX]: never moves */
    _Atomic uint32_t *slots;    /* [SLOTS]: open addressing by text; 0 = empty, else id + 1 */
    _Atomic uint32_t count;
    uint32_t declared;          /* the first so many ids are the declared ones, in their order */
};

struct sw_spaces *sw_spaces_new(char *const *declared, size_t declared_count)
{
    struct sw_spaces *spaces = sw_calloc(1, sizeof *spaces);
    if (!spaces)
        return NULL;
    pthread_mutex_init(&spaces->lock, NULL);
    spaces->spaces = sw_calloc(SW_SPACES_MAX, sizeof *spaces->spaces);
    spaces->slots = sw_calloc(SLOTS, sizeof *spaces->slots);
    if (!spaces->spaces || !spaces->slots)
        sw_spaces_free(&spaces);
    for (size_t i = 0; spaces && i < declared_count; i++)
        if (sw_spaces_declare(spaces, sw_bytes_text(declared[i])) == UINT32_MAX)
            sw_spaces_free(&spaces);
    if (spaces)
        spaces->declared = spaces->count;
    return spaces;
}

void sw_spaces_free(struct sw_spaces **pointer)
{
    struct sw_spaces *spaces = *pointer;
    *pointer = NULL;
    if (!spaces)
        return;
    for (uint32_t i = 0; spaces->spaces && i < spaces->count; i++)
        sw_free((void *)(uintptr_t)spaces->spaces[i].text.at);
    sw_free(spaces->spaces);
    sw_free((void *)(uintptr_t)spaces->slots);
    pthread_mutex_destroy(&spaces->lock);
    sw_free(spaces);
}

/* The space, or UINT32_MAX and the slot where it belongs. */
static uint32_t find(uint64_t *slot, const struct sw_spaces *spaces, struct sw_bytes text)
{
    uint32_t found;
    for (*slot = sw_hash(text.at, text.len, (uintptr_t)spaces) % SLOTS; (found = atomic_load(&spaces->slots[*slot])) != 0; *slot = (*slot + 1) % SLOTS)
        if (sw_bytes_equal(spaces->spaces[found - 1].text, text))
            return found - 1;
    return UINT32_MAX;
}

/* What is there is complete before its slot says so: only what is not found needs the lock. */
static uint32_t find_or_add(struct sw_spaces *spaces, struct sw_bytes text, uint32_t base)
{
    uint64_t slot;
    uint32_t id = find(&slot, spaces, text);
    if (id != UINT32_MAX)
        return id;
    pthread_mutex_lock(&spaces->lock);
    uint32_t count = atomic_load(&spaces->count);
    id = find(&slot, spaces, text);
    if (id == UINT32_MAX && count < SW_SPACES_MAX) {
        char *copy = sw_strndup((const char *)text.at, text.len);
        if (copy) {
            id = count;
            spaces->spaces[id].text = sw_bytes_of(copy, text.len);
            spaces->spaces[id].base = base == UINT32_MAX ? id : base;
            atomic_store(&spaces->count, id + 1);
            atomic_store(&spaces->slots[slot], id + 1);
        }
    }
    pthread_mutex_unlock(&spaces->lock);
    return id;
}

uint32_t sw_spaces_declare(struct sw_spaces *spaces, struct sw_bytes text) { return find_or_add(spaces, text, UINT32_MAX); }

uint32_t sw_spaces_intern(struct sw_spaces *spaces, struct sw_bytes text, size_t base_len)
{
    uint32_t base = UINT32_MAX, id;
    if (base_len < text.len && (base = sw_spaces_declare(spaces, sw_bytes_of(text.at, base_len))) == UINT32_MAX)
        return UINT32_MAX;
    id = find_or_add(spaces, text, base);
    if (id == UINT32_MAX)
        return id;
    if (base != UINT32_MAX) /* it may have been named before, as a whole */
        atomic_store(&spaces->spaces[id].base, base);
    atomic_store(&spaces->spaces[id].seen, true);
    return id;
}

enum sw_code sw_spaces_no_space(const struct sw_spaces *spaces, const char *whose, struct sw_error *error)
{
    if (spaces->count < SW_SPACES_MAX)
        return sw_fail_memory(error, "a position space", sizeof *spaces->spaces);
    return sw_fail(error, SW_ERR_LIMIT, "%s: more than %u position spaces in one run", whose, SW_SPACES_MAX);
}

struct sw_bytes sw_spaces_text(const struct sw_spaces *spaces, uint32_t id) { return spaces->spaces[id].text; }
uint32_t sw_spaces_count(const struct sw_spaces *spaces) { return spaces->count; }
bool sw_spaces_seen(const struct sw_spaces *spaces, uint32_t id) { return spaces->spaces[id].seen; }
uint32_t sw_spaces_base(const struct sw_spaces *spaces, uint32_t id) { return spaces->spaces[id].base; }

uint32_t sw_spaces_rank(const struct sw_spaces *spaces, uint32_t id)
{
    uint32_t base = spaces->spaces[id].base;
    return id < spaces->declared ? id : base < spaces->declared ? base : UINT32_MAX;
}

/* The text in `room`, or where it stands; false if memory ran out. */
static bool text_under(struct sw_space_text *out, struct sw_buffer *room, const struct sw_space_text *text, const char *option)
{
    *out = *text;
    if (text->named || !option || !*option)
        return true;
    sw_buffer_add_text(room, option);
    if (text->text.len)
        sw_buffer_add_byte(room, ' ');
    out->base_len = text->base_len ? room->len + text->base_len : strlen(option);
    sw_buffer_add_bytes(room, text->text);
    out->text = sw_buffer_view(room);
    return !room->failed;
}

uint32_t sw_spaces_intern_under(struct sw_spaces *spaces, const struct sw_space_text *text, const char *option)
{
    struct sw_buffer room = {0};
    struct sw_space_text whole;
    uint32_t id = text_under(&whole, &room, text, option) ? sw_spaces_intern(spaces, whole.text, whole.base_len) : UINT32_MAX;
    sw_buffer_free(&room);
    return id;
}

uint32_t sw_spaces_declare_under(struct sw_spaces *spaces, const struct sw_space_text *text, const char *option)
{
    struct sw_buffer room = {0};
    struct sw_space_text whole;
    uint32_t id = text_under(&whole, &room, text, option) ? sw_spaces_declare(spaces, whole.text) : UINT32_MAX;
    sw_buffer_free(&room);
    return id;
}

size_t sw_space_base_len(struct sw_bytes text)
{
    static const char mark[] = "without ";
    const size_t len = sizeof mark - 1;
    for (size_t at = text.len < len ? 0 : text.len - len + 1; at-- > 0;)
        if (memcmp(text.at + at, mark, len) == 0 && (at == 0 || text.at[at - 1] == ' '))
            return at ? at - 1 : 0;
    return text.len;
}

static struct sw_bytes next_word(struct sw_bytes *left)
{
    const uint8_t *blank = left->len ? memchr(left->at, ' ', left->len) : NULL;
    struct sw_bytes word = {left->at, blank ? (size_t)(blank - left->at) : left->len};
    size_t taken = word.len + (blank != NULL);
    *left = sw_bytes_of(left->at ? left->at + taken : NULL, left->len - taken);
    return word;
}

bool sw_space_says(struct sw_bytes text, struct sw_bytes said)
{
    while (said.len) {
        struct sw_bytes word = next_word(&said), left = text;
        bool found = false;
        while (left.len && !found)
            found = sw_bytes_equal(next_word(&left), word);
        if (!found)
            return false;
    }
    return true;
}

#include "fold/key_order.h"

static int compare_spaces(const struct sw_spaces *spaces, uint32_t a, uint32_t b)
{
    if (a == b)
        return 0;
    uint32_t left = sw_spaces_rank(spaces, a), right = sw_spaces_rank(spaces, b);
    if (left != right)
        return left < right ? -1 : 1;
    return sw_bytes_compare(sw_spaces_text(spaces, a), sw_spaces_text(spaces, b));
}

int sw_fold_compare_positions(const struct sw_fold_rules *rules, const struct sw_record *a, const struct sw_record *b)
{
    int order = compare_spaces(rules->spaces, a->space, b->space);
    return order ? order : sw_bytes_compare(a->version, b->version);
}

int sw_fold_compare_places(const struct sw_record *a, const struct sw_record *b)
{
    if (a->input != b->input)
        return a->input < b->input ? -1 : 1; /* inputs are numbered over all roles, in the order of the roles */
    if (a->block != b->block)
        return a->block < b->block ? -1 : 1;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return (a->role > b->role) - (a->role < b->role); /* what follows from a record stands at its place */
}

int sw_fold_compare_following(const struct sw_schema *schema, const struct sw_record *a, const struct sw_record *b)
{
    bool left = a->role == SW_RECORD_ROLE_FOLLOWING, right = b->role == SW_RECORD_ROLE_FOLLOWING;
    if (!left || !right || !a->values.len || !b->values.len)
        return left != right ? left - right : !left ? 0 : (a->values.len != 0) - (b->values.len != 0);
    struct sw_record shown[2] = {*a, *b};
    for (int i = 0; i < 2; i++)
        shown[i].flags &= (uint8_t)~SW_RECORD_DELETED;
    return sw_content_compare(schema, &shown[0], &shown[1]);
}

int sw_fold_compare_claims(const struct sw_schema *schema, const struct sw_record *a, const struct sw_record *b)
{
    if (a->claim != b->claim)
        return (int)a->claim - (int)b->claim;
    if (!(a->claim & SW_CLAIM_EXTRA) || sw_bytes_equal(a->claimed, b->claimed))
        return 0;
    struct sw_record shown[2] = {{.claim = a->claim}, {.claim = b->claim}};
    (void)sw_claim_image(&shown[0].set, &shown[0].values, a);
    (void)sw_claim_image(&shown[1].set, &shown[1].values, b);
    int order = a->claim & SW_CLAIM_IMAGE ? sw_content_compare(schema, &shown[0], &shown[1]) : 0;
    if (!order)
        order = sw_bytes_compare(sw_claim_step(a), sw_claim_step(b));
    return order ? order : sw_bytes_compare(sw_claim_moved_from(a), sw_claim_moved_from(b));
}

static int compare_records(const struct sw_fold_rules *rules, const struct sw_record *a, const struct sw_record *b)
{
    enum sw_fold_group left = sw_fold_group_of(a), right = sw_fold_group_of(b);
    if (left != right)
        return left < right ? -1 : 1;
    int order = 0;
    if (left == SW_FOLD_GROUP_VERSION)
        order = sw_fold_compare_positions(rules, a, b);
    if (!order)
        order = sw_content_compare(rules->schema, a, b);
    if (!order) /* of equal contents one that was read stands for all, whatever came first */
        order = sw_fold_compare_following(rules->schema, a, b);
    if (!order)
        order = sw_bytes_compare(a->identity, b->identity);
    if (!order) /* whether an equal row was written or read by a snapshot must not depend on arrival: a saved state shows it */
        order = (a->flags & SW_FOLD_OPERATION_FLAGS) - (b->flags & SW_FOLD_OPERATION_FLAGS);
    if (!order)
        order = sw_fold_compare_claims(rules->schema, a, b);
    return order ? order : sw_fold_compare_places(a, b);
}

static void add_escaped(struct sw_buffer *out, struct sw_bytes bytes)
{
    for (size_t i = 0; i < bytes.len; i++) {
        sw_buffer_add_byte(out, bytes.at[i]);
        if (bytes.at[i] == 0)
            sw_buffer_add_byte(out, 0xff);
    }
    sw_buffer_add(out, "\0", 2);
}

static void add_number(struct sw_buffer *out, uint64_t number)
{
    for (int i = 7; i >= 0; i--)
        sw_buffer_add_byte(out, (uint8_t)(number >> (8 * i)));
}

void sw_fold_sort_key(struct sw_buffer *out, const struct sw_fold_rules *rules, const struct sw_record *record)
{
    enum sw_fold_group group = sw_fold_group_of(record);
    add_number(out, record->table);
    add_escaped(out, record->key);
    sw_buffer_add_byte(out, (uint8_t)(group == SW_FOLD_GROUP_EXPECTED ? 0 : group + 1));
    if (group == SW_FOLD_GROUP_VERSION) {
        add_number(out, record->space);
        add_escaped(out, record->version);
    }
    sw_buffer_add_byte(out, record->flags & (SW_RECORD_DELETED | SW_RECORD_UNREADABLE));
    add_number(out, record->flags & SW_RECORD_DELETED ? 0 : rules->set_ranks ? rules->set_ranks[record->set] : record->set);
    if (!(record->flags & SW_RECORD_DELETED))
        add_escaped(out, record->values);
    bool follows = record->role == SW_RECORD_ROLE_FOLLOWING;
    sw_buffer_add_byte(out, (uint8_t)(follows + (follows && record->values.len))); /* without an image first, as sw_fold_compare_following has it */
    if (follows && record->values.len) {
        add_number(out, rules->set_ranks ? rules->set_ranks[record->set] : record->set);
        add_escaped(out, record->values);
    }
    add_escaped(out, record->identity);
    sw_buffer_add_byte(out, record->flags & SW_FOLD_OPERATION_FLAGS);
    sw_buffer_add_byte(out, record->claim);
    if (record->claim & SW_CLAIM_EXTRA) {
        uint32_t set;
        struct sw_bytes values;
        (void)sw_claim_image(&set, &values, record);
        add_number(out, rules->set_ranks ? rules->set_ranks[set] : set);
        add_escaped(out, values);
        add_escaped(out, sw_claim_step(record));
        add_escaped(out, sw_claim_moved_from(record));
    }
    add_number(out, record->input);
    add_number(out, record->block);
    add_number(out, record->line);
    sw_buffer_add_byte(out, record->role);
}

/* Insertion sort for the usual handful, heap sort beyond: no key can be made slow. */
void sw_fold_sort_records(const struct sw_fold_rules *rules, struct sw_record *records, size_t count)
{
    if (count <= 16) {
        for (size_t i = 1; i < count; i++) {
            struct sw_record record = records[i];
            size_t j = i;
            for (; j && compare_records(rules, &record, &records[j - 1]) < 0; j--)
                records[j] = records[j - 1];
            records[j] = record;
        }
        return;
    }
    for (size_t start = count / 2, end = count; end > 1;) {
        if (start) {
            start--;
        } else {
            end--;
            struct sw_record swap = records[0];
            records[0] = records[end];
            records[end] = swap;
        }
        for (size_t root = start;;) {
            size_t child = 2 * root + 1;
            if (child >= end)
                break;
            if (child + 1 < end && compare_records(rules, &records[child], &records[child + 1]) < 0)
                child++;
            if (compare_records(rules, &records[root], &records[child]) >= 0)
                break;
            struct sw_record swap = records[root];
            records[root] = records[child];
            records[child] = swap;
            root = child;
        }
    }
}

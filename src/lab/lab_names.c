/* Duplicate names in an object. Few names are compared pairwise; many are sorted by hash, and by content where hashes are
 * equal, so that no choice of names makes the check quadratic. */
#include "lab/lab_document.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"

#define PAIRWISE_MAX 12

struct lab_name {
    uint64_t hash;
    struct sw_bytes text;
};

static enum sw_code duplicate(struct sw_error *error) { return sw_fail(error, SW_ERR_INPUT, "duplicate JSON field"); }

static int compare(const void *a, const void *b)
{
    const struct lab_name *left = a, *right = b;
    if (left->hash != right->hash)
        return left->hash < right->hash ? -1 : 1;
    return sw_bytes_compare(left->text, right->text);
}

/* The name at `index`; moves `index` to the next name of the same object. */
static struct sw_bytes next_name(const struct lab_document *document, uint32_t *index)
{
    const struct lab_node *name = &document->nodes[*index];
    *index = document->nodes[*index + 1].next;
    return lab_document_string(document, name);
}

static enum sw_code check_pairwise(const struct lab_document *document, uint32_t object, struct sw_error *error)
{
    struct sw_bytes names[PAIRWISE_MAX];
    uint32_t index = object + 1;
    for (uint32_t i = 0; i < document->nodes[object].as.count; i++) {
        names[i] = next_name(document, &index);
        for (uint32_t j = 0; j < i; j++)
            if (sw_bytes_equal(names[i], names[j]))
                return duplicate(error);
    }
    return SW_OK;
}

enum sw_code lab_document_check_names(struct lab_document *document, uint32_t object, struct sw_error *error)
{
    uint32_t count = document->nodes[object].as.count, index = object + 1;
    if (count <= PAIRWISE_MAX)
        return check_pairwise(document, object, error);
    if (count > document->names_capacity) {
        sw_free(document->names);
        document->names_capacity = 0;
        document->names = sw_malloc(count * sizeof *document->names);
        if (!document->names)
            return sw_fail_memory(error, "the names of an object", count * sizeof *document->names);
        document->names_capacity = count;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct sw_bytes text = next_name(document, &index);
        document->names[i] = (struct lab_name){lab_hash(text), text};
    }
    qsort(document->names, count, sizeof *document->names, compare);
    for (uint32_t i = 1; i < count; i++)
        if (compare(&document->names[i - 1], &document->names[i]) == 0)
            return duplicate(error);
    return SW_OK;
}

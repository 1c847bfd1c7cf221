/* Tables whose rows are rows of another one: partitions, shards, chunks. The source's log names each by its own name, the destination holds one table.
 * Sources: PostgreSQL manual, "CREATE PUBLICATION" (publish_via_partition_root: without it changes are those of the leaf partitions); Debezium documentation, "Topic routing"
 * (logical table), "TimescaleDB integration" (chunks). */
#include <string.h>

#include "mapping/draft.h"

#define PARTS_MAX 1024u
#define PATTERN_BYTES_MAX 255u

/* `*` stands for any bytes but dots, `?` for one that is none. */
static bool matches(struct sw_bytes name, struct sw_bytes pattern)
{
    size_t at = 0, p = 0, star = SIZE_MAX, from = 0;
    while (at < name.len) {
        if (p < pattern.len && pattern.at[p] == '*') {
            star = p++;
            from = at;
        } else if (p < pattern.len && (pattern.at[p] == name.at[at] || (pattern.at[p] == '?' && name.at[at] != '.'))) {
            p++;
            at++;
        } else if (star != SIZE_MAX && name.at[from] != '.') { /* the star takes one byte more */
            p = star + 1;
            at = ++from;
        } else {
            return false;
        }
    }
    while (p < pattern.len && pattern.at[p] == '*')
        p++;
    return p == pattern.len;
}

/* As names of tables are compared: the whole name, or its last parts. */
static bool is_part(struct sw_bytes full, struct sw_bytes pattern)
{
    for (size_t from = 0; from < full.len; from++)
        if ((from == 0 || full.at[from - 1] == '.') && matches(sw_bytes_of(full.at + from, full.len - from), pattern))
            return true;
    return false;
}

struct sw_bytes sw_mapping_whole_table(enum sw_table_place *place, const struct sw_mapping *mapping, struct sw_bytes full)
{
    struct sw_bytes whole = full;
    *place = SW_TABLE_ITSELF;
    for (size_t i = 0; i < mapping->part_count; i++) {
        struct sw_bytes table = sw_bytes_text(mapping->parts[i].table);
        bool itself = sw_table_is(full, table);
        if (!itself && !is_part(full, sw_bytes_text(mapping->parts[i].pattern)))
            continue;
        if (*place == SW_TABLE_PART && !sw_bytes_equal(whole, table)) {
            *place = SW_TABLE_PART_OF_SEVERAL;
            return full;
        }
        whole = table;
        if (itself) { /* whatever a pattern says of it */
            *place = SW_TABLE_ITSELF;
            return whole;
        }
        *place = SW_TABLE_PART;
    }
    return whole;
}

enum sw_code sw_draft_part_add(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes table, struct sw_bytes pattern)
{
    struct sw_mapping *mapping = draft->mapping;
    if (!mapping->parts && !(mapping->parts = sw_mapping_alloc(&mapping->memory, PARTS_MAX * sizeof *mapping->parts)))
        return sw_draft_no_memory(draft);
    if (mapping->part_count == PARTS_MAX)
        return sw_draft_refuse(draft, spot, "expected at most %u names of partitions, found more; a pattern stands for many: %s_*", PARTS_MAX, sw_shown_bytes(table).text);
    if (pattern.len > PATTERN_BYTES_MAX)
        return sw_draft_refuse(draft, spot, "expected a name or pattern of at most %u bytes, found %zu", PATTERN_BYTES_MAX, pattern.len);
    struct sw_table_part *part = &mapping->parts[mapping->part_count];
    enum sw_code code = sw_draft_text(&part->table, draft, spot, table);
    if (code == SW_OK)
        code = sw_draft_text(&part->pattern, draft, spot, pattern);
    mapping->part_count += code == SW_OK;
    return code;
}

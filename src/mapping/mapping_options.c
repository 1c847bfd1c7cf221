#include "mapping/draft.h"

static enum sw_code top_identity_add(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes item)
{
    return sw_draft_identity_add(draft, &draft->top, spot, item);
}

static enum sw_code read_keys(struct sw_draft *draft, const struct sw_reconcile_options *options)
{
    const struct sw_spot spot = {.thing = "--key"};
    if (options->key_count == 0)
        return SW_OK;
    draft->mapping->key_count = 0;
    draft->top.key_count = 0;
    for (int role = 0; role < SW_ROLE_COUNT; role++)
        draft->section[role].key_count = 0;
    for (size_t i = 0; i < options->key_count; i++) {
        enum sw_code code = sw_draft_each_item(draft, &spot, sw_bytes_text(options->keys[i]), sw_draft_key_add);
        if (code < 0)
            return code;
    }
    return SW_OK;
}

/* Splits "LEFT=RIGHT" at the first '=' that has no backslash before it. */
static enum sw_code split(struct sw_bytes *left, struct sw_bytes *right, struct sw_draft *draft, const struct sw_spot *spot, const char *text, const char *form)
{
    char *name = sw_mapping_alloc(&draft->scratch, strlen(text) + 1);
    size_t len = 0;
    const char *at = text;
    if (!name)
        return sw_draft_no_memory(draft);
    for (; *at && *at != '='; at++) {
        if (at[0] == '\\' && at[1] == '=')
            at++;
        name[len++] = *at;
    }
    if (*at != '=' || len == 0 || at[1] == '\0')
        return sw_draft_refuse(draft, spot, "expected %s, found '%s'", form, sw_shown(text).text);
    *left = sw_bytes_of(name, len);
    *right = sw_bytes_text(at + 1);
    return SW_OK;
}

static enum sw_code read_columns(struct sw_draft *draft, const struct sw_reconcile_options *options)
{
    struct sw_bytes left, right;
    enum sw_code code;
    for (size_t i = 0; i < options->type_count; i++) {
        const struct sw_spot spot = {.thing = "--type"};
        if ((code = split(&left, &right, draft, &spot, options->types[i], "COLUMN=TYPE")) < 0 || (code = sw_draft_type(draft, &spot, left, right)) < 0)
            return code;
    }
    for (size_t i = 0; i < options->ignore_count; i++) {
        const struct sw_spot spot = {.thing = "--ignore"};
        if ((code = sw_draft_each_item(draft, &spot, sw_bytes_text(options->ignore[i]), sw_draft_ignore)) < 0)
            return code;
    }
    for (size_t i = 0; i < options->rename_count; i++) {
        const struct sw_spot spot = {.thing = "--rename"};
        if ((code = split(&left, &right, draft, &spot, options->renames[i], "OLD=NEW")) < 0
            || (code = sw_draft_rename(draft, &spot, left, right, SW_ROLES_SOURCE, false)) < 0)
            return code;
    }
    return SW_OK;
}

static enum sw_code read_partitions(struct sw_draft *draft, const struct sw_reconcile_options *options)
{
    const struct sw_spot spot = {.thing = "--partitions"};
    enum sw_code code = SW_OK;
    for (size_t i = 0; i < options->partition_count && code == SW_OK; i++) {
        struct sw_bytes table, pattern;
        if ((code = split(&table, &pattern, draft, &spot, options->partitions[i], "TABLE=PATTERN")) == SW_OK)
            code = sw_draft_part_add(draft, &spot, table, pattern);
    }
    return code;
}

/* An option replaces what the file says, in its sections too. */
static void forget_part(struct sw_draft *draft, enum sw_part part)
{
    for (int role = 0; role < SW_ROLE_COUNT; role++)
        draft->section[role].parts[part].step_count = 0;
}

static enum sw_code read_layout(struct sw_draft *draft, const struct sw_reconcile_options *options)
{
    enum sw_code code = SW_OK;
    if (options->version) {
        const struct sw_spot spot = {.thing = "--version"};
        for (int role = 0; role < SW_ROLE_COUNT; role++)
            draft->section[role].order_count = 0;
        code = sw_draft_version(draft, &draft->top, &spot, sw_bytes_text(options->version));
    }
    if (code == SW_OK && options->deleted) {
        const struct sw_spot spot = {.thing = "--deleted"};
        forget_part(draft, SW_PART_DELETED);
        code = sw_draft_part(draft, &draft->top, SW_PART_DELETED, &spot, sw_bytes_text(options->deleted));
    }
    if (code == SW_OK && options->operation) {
        const struct sw_spot spot = {.thing = "--op"};
        forget_part(draft, SW_PART_OPERATION);
        code = sw_draft_part(draft, &draft->top, SW_PART_OPERATION, &spot, sw_bytes_text(options->operation));
    }
    if (code == SW_OK && options->identity) {
        const struct sw_spot spot = {.thing = "--identity"};
        draft->top.identity_count = 0;
        for (int role = 0; role < SW_ROLE_COUNT; role++)
            draft->section[role].identity_count = 0;
        code = sw_draft_each_item(draft, &spot, sw_bytes_text(options->identity), top_identity_add);
    }
    return code;
}

static enum sw_code read_texts(struct sw_draft *draft, const struct sw_reconcile_options *options)
{
    struct sw_mapping *mapping = draft->mapping;
    const struct {
        const char *thing, *text;
        char **out;
    } texts[] = {
        {"--table", options->table, &mapping->table},
        {"--order", options->order, &mapping->order},
        {"--baseline-position", options->baseline_position, &mapping->baseline_position},
        {"--baseline-time", options->baseline_time, &mapping->baseline_time},
        {"--cut", options->cut, &mapping->cut},
        {"--space", options->space, &mapping->space},
        {"--format", options->format, &draft->top.format},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const struct sw_spot spot = {.thing = texts[i].thing};
        if (texts[i].text) {
            enum sw_code code = sw_draft_text(texts[i].out, draft, &spot, sw_bytes_text(texts[i].text));
            if (code < 0)
                return code;
        }
    }
    if (options->format)
        draft->section[SW_ROLE_EVENTS].format = NULL;
    return SW_OK;
}

static enum sw_code read_words(struct sw_draft *draft, const struct sw_reconcile_options *options)
{
    const struct {
        const char *thing, *text;
        sw_item_fn take;
    } words[] = {
        {"--compare", options->compare, sw_draft_compare},
        {"--expected-deletes", options->expected_deletes, sw_draft_deletes},
        {"--conflicts", options->conflicts, sw_draft_conflicts},
        {"--absent", options->absent, sw_draft_absent},
        {"--csv-null", options->csv_null, sw_draft_csv_null},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const struct sw_spot spot = {.thing = words[i].thing};
        if (words[i].text) {
            enum sw_code code = words[i].take(draft, &spot, sw_bytes_text(words[i].text));
            if (code < 0)
                return code;
        }
    }
    if (options->where) {
        const struct sw_spot spot = {.thing = "--where"};
        enum sw_code code = sw_draft_condition(&draft->mapping->where, draft, &spot, sw_bytes_text(options->where));
        if (code < 0)
            return code;
    }
    if (options->sample) {
        const struct sw_spot spot = {.thing = "--sample"};
        enum sw_code code = sw_draft_sample(draft, &spot, sw_bytes_text(options->sample));
        if (code < 0)
            return code;
    }
    if (options->csv_delimiter) {
        const struct sw_spot spot = {.thing = "--csv-delimiter"};
        enum sw_code code = sw_draft_delimiter(draft, &spot, sw_bytes_of(&options->csv_delimiter, 1));
        if (code < 0)
            return code;
    }
    if (options->csv_escape) {
        const struct sw_spot spot = {.thing = "--csv-escape"};
        enum sw_code code = sw_draft_csv_escape(draft, &spot, sw_bytes_of(&options->csv_escape, 1));
        if (code < 0)
            return code;
    }
    if (options->spaces) {
        const struct sw_spot spot = {.thing = "--spaces"};
        draft->mapping->space_count = 0;
        return sw_draft_each_item(draft, &spot, sw_bytes_text(options->spaces), sw_draft_space_add);
    }
    return SW_OK;
}

enum sw_code sw_draft_read_options(struct sw_draft *draft, const struct sw_reconcile_options *options)
{
    enum sw_code code = read_keys(draft, options);
    if (code == SW_OK)
        code = read_columns(draft, options);
    if (code == SW_OK)
        code = read_partitions(draft, options);
    if (code == SW_OK)
        code = read_layout(draft, options);
    if (code == SW_OK)
        code = read_texts(draft, options);
    return code == SW_OK ? read_words(draft, options) : code;
}

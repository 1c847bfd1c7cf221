/* The keys that differ, read again. Each reading is a run of its own over the same inputs and declarations, which keeps the records of those keys alone: it folds and compares as
 * the first one did, so that whatever is told of a key again is told by the same rules. Files are read again whole; a source that can be asked by key is (source/keys.h). */
#include "reconcile/recheck.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/c_locale.h"
#include "base/memory.h"
#include "base/workers.h"
#include "fold/finding_record.h"
#include "fold/key_list.h"
#include "report/recheck.h"
#include "source/keys.h"
#include "source/registry.h"

#define KEYS_MAX 100000u
#define KEY_MEMORY_SHARE 32      /* of --memory, for the keys and what is known of each */
#define SECONDS_MAX 86400.0
#define TIMES_MAX 1000u
#define WAIT_STEP_US 50000u
#define MEMORY_BYTES_MIN ((uint64_t)16 << 20)

/* ---- what is asked for ---- */

static bool read_times(double *seconds, uint32_t *times, const char *text)
{
    char *end;
    *times = 1;
    if (*text < '0' || *text > '9')
        return false;
    *seconds = strtod_l(text, &end, sw_c_locale());
    if (!isfinite(*seconds) || *seconds > SECONDS_MAX || (*end && *end != ','))
        return false;
    for (const char *at = text; at < end; at++)
        if ((*at < '0' || *at > '9') && *at != '.')
            return false;
    if (!*end)
        return true;
    const char *number = end + 1;
    if (*number < '1' || *number > '9')
        return false;
    unsigned long count = strtoul(number, &end, 10);
    *times = count > TIMES_MAX ? TIMES_MAX + 1 : (uint32_t)count;
    return !*end && count <= TIMES_MAX;
}

/* How many of a role's locators are no files; and is one of them the standard input, or another stream? */
static unsigned live_locators(const char *const *locators, size_t count)
{
    unsigned live = 0;
    for (size_t i = 0; i < count; i++)
        live += sw_source_of_locator(locators[i]) != NULL && !strstr(locators[i], "?immutable=1");
    return live;
}

enum sw_code sw_run_plan_recheck(struct sw_run *run, struct sw_error *error)
{
    const struct sw_reconcile_options *options = run->options;
    const char *const *expected = run->locators[SW_ROLE_EXPECTED] ? run->locators[SW_ROLE_EXPECTED] : options->expected; /* with what tables of the mapping name */
    size_t expected_count = run->locators[SW_ROLE_EXPECTED] ? run->reading.roles[SW_ROLE_EXPECTED].table_count : options->expected_count;
    if (!options->recheck)
        return SW_OK;
    if (!read_times(&run->recheck_seconds, &run->recheck_times, options->recheck))
        return sw_fail(error, SW_ERR_USAGE, "--recheck takes SECONDS[,TIMES], such as 30 or 2.5,4: up to %.0f seconds, up to %u times; found '%.40s'", SECONDS_MAX, TIMES_MAX, options->recheck);
    if (!expected_count)
        return sw_fail(error, SW_ERR_USAGE, "--recheck: there is no destination to read again; --expected names it");
    if (!live_locators(expected, expected_count))
        return sw_fail(error, SW_ERR_USAGE, "--recheck: the destination (--expected %.200s) is a file%s, which says the same whenever it is read; a database, a topic or a query can be read again",
                       sw_source_of_locator(expected[0]) ? "" : expected[0], expected_count > 1 ? ", as are the others" : "");
    for (int role = 0; role < SW_ROLE_COUNT; role++) {
        const struct sw_source *source = run->reading.roles[role].source;
        for (uint32_t i = 0; source && i < sw_source_input_count(source); i++) {
            const struct sw_input *input = sw_source_input(source, i);
            if (!input->regular && !input->rows && !sw_source_of_locator(input->locator))
                return sw_fail(error, SW_ERR_USAGE, "--recheck: %s (%s) is a stream, which can be read once only; write it to a file first", strcmp(input->locator, "-") == 0 ? "standard input" : input->locator,
                               sw_role_name((enum sw_role)role));
        }
    }
    return SW_OK;
}

/* ---- the keys ---- */

/* The keys that differ, the first ones in the order of findings. */
static enum sw_code gather(struct sw_recheck_report *recheck, struct sw_run *run, struct sw_error *error)
{
    const struct sw_finding *finding;
    uint64_t bytes_max = run->report.memory_limit / KEY_MEMORY_SHARE, all = run->report.classes[SW_CLASS_DIFFERENT] + run->report.classes[SW_CLASS_CONFLICT];
    size_t capacity = (size_t)(all < KEYS_MAX ? all : KEYS_MAX);
    if (capacity > bytes_max / (2 * sizeof *recheck->keys))
        capacity = (size_t)(bytes_max / (2 * sizeof *recheck->keys));
    recheck->keys = sw_calloc(capacity + 1, sizeof *recheck->keys);
    recheck->list = sw_key_list_new(run->reading.hash_seed);
    recheck->keys_max = KEYS_MAX;
    if (!recheck->keys || !recheck->list)
        return sw_fail_memory(error, "the keys to read again", capacity);
    enum sw_code code = sw_finding_rewind(run->report.findings, error);
    while (code == SW_OK && (code = sw_finding_next(&finding, run->report.findings, error)) == SW_OK) {
        if (sw_reason_class(finding->reason) == SW_CLASS_UNDECIDED)
            continue;
        size_t count = sw_key_list_count(recheck->list);
        if (count == capacity || sw_key_list_bytes(recheck->list) + finding->key.len > bytes_max / 2) {
            recheck->keys_max = count;
            break;
        }
        recheck->keys[count] = (struct sw_recheck_key){.outcome = SW_RECHECK_UNDECIDED, .conflict = sw_reason_class(finding->reason) == SW_CLASS_CONFLICT};
        if (!sw_key_list_add(recheck->list, finding->table->name, finding->key))
            code = sw_fail_memory(error, "the keys to read again", count);
    }
    recheck->keys_max = sw_key_list_count(recheck->list) < all ? recheck->keys_max : KEYS_MAX;
    return code < 0 ? code : SW_OK;
}

/* Texts by which a source may be asked for the keys. */
struct asked {
    struct sw_source_keys keys;
    enum sw_type_kind kinds[SW_KEY_COLUMNS_MAX];
    struct sw_bytes *values;
    struct sw_buffer text;
};

static void asked_free(struct asked *asked)
{
    sw_free(asked->values);
    sw_buffer_free(&asked->text);
}

/* Of which kind are the texts of a key column? False: no server is asked by it. */
static bool kind_of(enum sw_type_kind *out, const struct sw_type *type)
{
    if (type->trim || type->fold || type->nfc || type->wrap)
        return false;
    *out = type->kind >= SW_TYPE_INTEGER && type->kind <= SW_TYPE_UINT64 ? SW_TYPE_INTEGER : type->kind;
    return *out == SW_TYPE_INTEGER || *out == SW_TYPE_TEXT || *out == SW_TYPE_UUID || (*out == SW_TYPE_BYTES && type->encoding == SW_BYTES_HEX);
}

/* Appends a value's text. False: it has none that every server reads. */
static bool add_text(struct asked *asked, enum sw_type_kind kind, const struct sw_type *type, struct sw_bytes canonical)
{
    size_t from = asked->text.len;
    if (kind == SW_TYPE_TEXT) {
        sw_buffer_add_bytes(&asked->text, canonical);
        return !memchr(canonical.at ? canonical.at : (const uint8_t *)"", 0, canonical.len);
    }
    sw_value_write_json(&asked->text, type, canonical);
    if (asked->text.failed)
        return false;
    size_t len = asked->text.len - from;
    uint8_t *at = asked->text.at + from;
    if (kind == SW_TYPE_INTEGER) {
        for (size_t i = 0; i < len; i++)
            if (!(at[i] >= '0' && at[i] <= '9') && !(i == 0 && at[i] == '-'))
                return false;
        return len && len <= 20;
    }
    if (len < 2 || at[0] != '"' || at[len - 1] != '"' || memchr(at, '\\', len))
        return false;
    memmove(at, at + 1, len - 2);
    asked->text.len -= 2;
    return true;
}

/* The keys as texts. False: sources are read whole (a renamed column, a key that is no column, NULL, a type that servers compare otherwise), or memory ran out (text.failed). */
static bool spell_keys(struct asked *asked, const struct sw_run *run, const struct sw_recheck_report *recheck, const uint8_t *open)
{
    const struct sw_mapping *mapping = &run->mapping;
    uint32_t columns = (uint32_t)mapping->key_count;
    if (run->tables)
        return false; /* each has its own key: sources are read whole */
    size_t count = sw_key_list_count(recheck->list), used = 0;
    for (int role = 0; role < SW_ROLE_COUNT; role++) {
        for (size_t i = 0; i < mapping->rule_count[role]; i++)
            if (mapping->rules[role][i].renamed_to)
                return false;
        for (uint32_t k = 0; k < columns; k++)
            if (mapping->layout[role].key[k].step_count && !(mapping->layout[role].key[k].step_count == 1 && strcmp(mapping->layout[role].key[k].steps[0], mapping->keys[k]) == 0))
                return false;
    }
    for (uint32_t k = 0; k < columns; k++)
        if (!kind_of(&asked->kinds[k], &run->keys[k].type))
            return false;
    asked->values = sw_calloc(count * columns + 1, sizeof *asked->values);
    size_t *ends = sw_calloc(count * columns + 1, sizeof *ends);
    bool spelled = asked->values && ends;
    asked->text.failed |= !spelled;
    for (size_t i = 0; i < count && spelled; i++) {
        struct sw_bytes table, key;
        if (!open[i])
            continue;
        sw_key_list_at(&table, &key, recheck->list, i);
        for (uint32_t k = 0; k < columns && spelled; k++) {
            struct sw_buffer canonical = {0};
            spelled = sw_key_column_read(&canonical, &run->keys[k].type, &key) == SW_VALUE_OK && add_text(asked, asked->kinds[k], &run->keys[k].type, sw_buffer_view(&canonical));
            asked->text.failed |= canonical.failed;
            ends[used++] = asked->text.len;
            sw_buffer_free(&canonical);
        }
    }
    spelled = spelled && !asked->text.failed && used;
    for (size_t i = 0; i < used && spelled; i++) { /* the text does not move any more */
        size_t from = i ? ends[i - 1] : 0;
        asked->values[i] = sw_bytes_of(asked->text.at ? asked->text.at + from : (const uint8_t *)"", ends[i] - from);
    }
    sw_free(ends);
    asked->keys = (struct sw_source_keys){.columns = mapping->keys, .kinds = asked->kinds, .column_count = columns, .values = asked->values, .count = columns ? used / columns : 0};
    return spelled;
}

/* ---- waiting ---- */

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + (double)at.tv_nsec / 1e9;
}

static double begun(const struct sw_run *run) { return (double)run->begun.tv_sec + (double)run->begun.tv_nsec / 1e9; }

static enum sw_code wait_until(struct sw_run *run, double until, struct sw_error *error)
{
    double left, told = -1;
    while ((left = until - now()) > 0) {
        struct sw_progress progress = {.phase = "waiting to read again", .seconds = now() - begun(run), .wait_seconds = left};
        if (run->options->progress && progress.seconds - told >= 0.2) {
            told = progress.seconds;
            if (run->options->progress(&progress, run->options->progress_ctx) != 0)
                return sw_fail(error, SW_ERR_CANCELLED, "interrupted: nothing is claimed");
        }
        unsigned step = left * 1e6 < WAIT_STEP_US ? (unsigned)(left * 1e6) + 1 : WAIT_STEP_US;
        usleep(step);
    }
    return SW_OK;
}

/* ---- one reading ---- */

static bool same_values(const struct sw_image *a, const struct sw_image *b)
{
    struct sw_bytes left = a->values, right = b->values;
    if (!a->set != !b->set || (a->set && a->set->count != b->set->count))
        return false;
    for (uint32_t i = 0; a->set && i < a->set->count; i++) {
        struct sw_value x = sw_value_next(&left), y = sw_value_next(&right);
        if (!sw_bytes_equal(a->set->columns[i]->name, b->set->columns[i]->name) || x.state != y.state || (x.state == SW_STATE_VALUE && !sw_bytes_equal(x.canonical, y.canonical)))
            return false;
    }
    return true;
}

static bool same_image(const struct sw_image *a, const struct sw_image *b)
{
    if (a->present != b->present || !a->present)
        return a->present == b->present;
    return a->deleted == b->deleted && a->has_version == b->has_version && sw_bytes_equal(a->version, b->version) && sw_bytes_equal(a->space, b->space) && same_values(a, b);
}

static bool same_finding(const struct sw_finding *a, const struct sw_finding *b)
{
    return a->reason == b->reason && same_image(&a->state, &b->state) && same_image(&a->expected, &b->expected) && same_image(&a->other, &b->other);
}

static const struct sw_recheck_input *input_before(const struct sw_recheck_input *inputs, uint32_t count, enum sw_role role, const char *locator)
{
    for (uint32_t i = 0; i < count; i++)
        if (inputs[i].role == role && strcmp(inputs[i].locator, locator) == 0)
            return &inputs[i];
    return NULL;
}

static enum sw_code take_inputs(struct sw_recheck_input **out, uint32_t *count, const struct sw_run *run, struct sw_error *error)
{
    *count = 0;
    for (int role = 0; role < SW_ROLE_COUNT; role++)
        *count += run->reading.roles[role].input_count;
    *out = sw_calloc(*count + 1, sizeof **out);
    if (!*out) {
        *count = 0;
        return sw_fail_memory(error, "the report", sizeof **out);
    }
    uint32_t i = 0;
    for (int role = 0; role < SW_ROLE_COUNT; role++)
        for (uint32_t n = 0; n < run->reading.roles[role].input_count; n++) {
            const struct sw_input *from = sw_source_input(run->reading.roles[role].source, n);
            struct sw_recheck_input *to = &(*out)[i++];
            to->role = (enum sw_role)role;
            to->live = sw_source_of_locator(from->locator) != NULL;
            to->by_key = from->by_key;
            to->records = run->reading.roles[role].inputs[n].records;
            to->locator = sw_strdup(from->locator);
            if (!to->locator || !sw_source_cut_copy(&to->cut, &from->cut))
                return sw_fail_memory(error, "the report", 0);
        }
    return SW_OK;
}

/* Two readings of a key say something of each other only if the sources of the second are those of the first, later, with nothing lost in between. */
static void judge_inputs(struct sw_recheck_round *round, const struct sw_recheck_input *before, uint32_t before_count)
{
    round->proves = true;
    for (uint32_t i = 0; i < round->input_count; i++) {
        struct sw_recheck_input *input = &round->inputs[i];
        const struct sw_recheck_input *earlier = input_before(before, before_count, input->role, input->locator);
        if (!earlier) {
            input->answer.relation = SW_CUTS_UNTOLD;
            snprintf(input->answer.text, sizeof input->answer.text, "it was not there when the others were read before");
            continue;
        }
        sw_cuts_succeed(&input->answer, &earlier->cut, &input->cut);
        bool lost = input->answer.relation == SW_CUTS_APART || input->answer.relation == SW_CUTS_EARLIER;
        round->untold |= input->live && input->answer.relation == SW_CUTS_UNTOLD;
        if (lost && round->proves)
            snprintf(round->why, sizeof round->why, "%s %.300s: %.600s", sw_role_name(input->role), input->locator, input->answer.text);
        round->proves &= !lost;
    }
    for (uint32_t i = 0; i < before_count && round->proves; i++)
        if (!input_before(round->inputs, round->input_count, before[i].role, before[i].locator)) {
            round->proves = false;
            snprintf(round->why, sizeof round->why, "%s %.300s, which was read before, is there no more", sw_role_name(before[i].role), before[i].locator);
        }
}

/* A key's bytes mean the same only under the same types. */
static bool same_keys(const struct sw_run *first, const struct sw_run *again)
{
    bool same = first->mapping.key_count == again->mapping.key_count;
    for (size_t k = 0; k < first->mapping.key_count && same; k++)
        same = strcmp(first->mapping.keys[k], again->mapping.keys[k]) == 0 && sw_type_same_form(&first->keys[k].type, &again->keys[k].type);
    for (uint32_t t = 0; t < sw_schema_table_count(first->reading.schema) && same; t++)
        for (uint32_t u = 0; u < sw_schema_table_count(again->reading.schema); u++) {
            const struct sw_table *a = sw_schema_table_at(first->reading.schema, t), *b = sw_schema_table_at(again->reading.schema, u);
            if (!sw_bytes_equal(a->name, b->name))
                continue;
            same = same && a->key_count == b->key_count;
            for (uint32_t k = 0; k < a->key_count && same; k++)
                same = sw_type_same_form(&a->keys[k]->type, &b->keys[k]->type);
        }
    return same;
}

/* Walks the findings of both readings, which stand in one order, and takes down what became of each key that is still open. */
static enum sw_code take_findings(struct sw_recheck_report *recheck, uint8_t *open, struct sw_recheck_round *round, struct sw_run *first, struct sw_run *again, struct sw_error *error)
{
    const struct sw_finding *was, *is = NULL;
    struct sw_buffer left = {0}, right = {0};
    size_t count = sw_key_list_count(recheck->list), index = 0;
    enum sw_code code = sw_finding_rewind(first->report.findings, error), more = SW_OK;
    while (code == SW_OK && index < count && (code = sw_finding_next(&was, first->report.findings, error)) == SW_OK) {
        if (sw_reason_class(was->reason) == SW_CLASS_UNDECIDED)
            continue;
        struct sw_recheck_key *key = &recheck->keys[index];
        size_t at = index++;
        if (!open[at])
            continue;
        left.len = 0;
        sw_finding_sort_key(&left, first->reading.schema, was->table->id, was->key);
        int order = -1;
        while (more == SW_OK) {
            if (!is && (more = sw_finding_next(&is, again->report.findings, error)) != SW_OK)
                break;
            right.len = 0;
            sw_finding_sort_key(&right, again->reading.schema, is->table->id, is->key);
            if (left.failed || right.failed)
                more = sw_fail_memory(error, "a key", left.len);
            if (more < 0 || (order = sw_bytes_compare(sw_buffer_view(&right), sw_buffer_view(&left))) >= 0)
                break;
            is = NULL; /* of no key that is asked for */
        }
        if (more < 0) {
            code = more;
            break;
        }
        bool found = is && order == 0;
        uint32_t number = recheck->round_count + 1;
        if (!found && again->reading.bad_unattributed) { /* a record that nobody could read may be about this key */
            round->undecided++;
        } else if (!found) {
            *key = (struct sw_recheck_key){.outcome = SW_RECHECK_IN_FLIGHT, .conflict = key->conflict, .changed = key->changed, .seen = key->seen, .gone = number};
            round->gone++;
            open[at] = 0;
        } else if (sw_reason_class(is->reason) == SW_CLASS_UNDECIDED) {
            round->undecided++;
            key->outcome = SW_RECHECK_UNDECIDED;
        } else {
            bool same = same_finding(was, is);
            round->unchanged += same;
            round->changed += !same;
            key->changed |= !same;
            key->seen = number;
            key->outcome = key->changed ? SW_RECHECK_CHANGING : SW_RECHECK_PERSISTENT;
        }
    }
    sw_buffer_free(&left);
    sw_buffer_free(&right);
    return code < 0 ? code : SW_OK;
}

static void set_options(struct sw_reconcile_options *out, const struct sw_run *run)
{
    *out = *run->options;
    out->recheck = NULL;
    out->report_file = out->differences_file = out->states_file = out->save_state_file = out->quarantine_file = NULL;
    out->continuity = NULL;
    out->continuity_count = 0;
    out->digest = "none";
    out->threads = run->report.threads;
    /* the first run keeps its findings meanwhile */
    out->memory_bytes = run->report.memory_limit / 2 > MEMORY_BYTES_MIN ? run->report.memory_limit / 2 : MEMORY_BYTES_MIN;
}

static struct sw_recheck_round *add_round(struct sw_recheck_report *recheck)
{
    struct sw_recheck_round *grown = sw_realloc_array(recheck->rounds, recheck->round_count + 1, sizeof *grown);
    if (!grown)
        return NULL;
    recheck->rounds = grown;
    grown[recheck->round_count] = (struct sw_recheck_round){0};
    return &grown[recheck->round_count];
}

static enum sw_code read_again(struct sw_recheck_report *recheck, uint8_t *open, struct sw_run *run, const struct sw_recheck_input *first_inputs, uint32_t first_count, struct sw_error *error)
{
    struct sw_reconcile_options options;
    struct asked asked = {0};
    struct sw_recheck_round *round = add_round(recheck);
    set_options(&options, run);
    struct sw_run *again = sw_run_new(&options);
    if (!round || !again) {
        sw_run_free(&again);
        return sw_fail_memory(error, "a run", sizeof *again);
    }
    round->after = now() - begun(run);
    round->at = again->report.started;
    again->report.started = NULL;
    again->begun = run->begun;
    again->first = run;
    again->reading.only = recheck->list;
    for (size_t i = 0; i < sw_key_list_count(recheck->list); i++)
        round->keys += open[i];
    if (spell_keys(&asked, run, recheck, open))
        again->asked_keys = &asked.keys;
    enum sw_code code = asked.text.failed ? sw_fail_memory(error, "the keys to read again", asked.text.len) : sw_run_compare(again, NULL, error);
    if (code == SW_OK)
        code = take_inputs(&round->inputs, &round->input_count, again, error);
    const struct sw_recheck_round *last = recheck->round_count ? round - 1 : NULL;
    while (last && !last->proves) /* what proved nothing is held against nothing */
        last = last > recheck->rounds ? last - 1 : NULL;
    if (code == SW_OK)
        judge_inputs(round, last ? last->inputs : first_inputs, last ? last->input_count : first_count);
    if (code == SW_OK && round->proves && !same_keys(run, again)) {
        round->proves = false;
        snprintf(round->why, sizeof round->why, "the columns of the key have other types than when they were read before");
    }
    if (code == SW_OK && round->proves) {
        sw_run_findings_open(again);
        code = take_findings(recheck, open, round, run, again, error);
    } else {
        round->undecided = round->keys;
    }
    recheck->round_count++; /* also after a failure: it is freed with the rest */
    again->options = NULL;
    sw_run_free(&again);
    asked_free(&asked);
    return code;
}

static void count_outcomes(struct sw_recheck_report *recheck, const struct sw_run *run)
{
    size_t count = sw_key_list_count(recheck->list);
    for (size_t i = 0; i < count; i++) {
        const struct sw_recheck_key *key = &recheck->keys[i];
        recheck->outcomes[key->outcome]++;
        recheck->in_flight_different += key->outcome == SW_RECHECK_IN_FLIGHT && !key->conflict;
    }
    recheck->outcomes[SW_RECHECK_LEFT_OUT] = run->report.classes[SW_CLASS_DIFFERENT] + run->report.classes[SW_CLASS_CONFLICT] - count;
}

enum sw_code sw_run_recheck(struct sw_run *run, struct sw_error *error)
{
    if (!run->recheck_times)
        return SW_OK;
    struct sw_recheck_report *recheck = run->report.recheck = sw_calloc(1, sizeof *recheck);
    struct sw_recheck_input *inputs = NULL;
    uint32_t input_count = 0;
    if (!recheck)
        return sw_fail_memory(error, "the report", sizeof *recheck);
    recheck->seconds = run->recheck_seconds;
    recheck->times = run->recheck_times;
    enum sw_code code = gather(recheck, run, error);
    size_t count = code == SW_OK ? sw_key_list_count(recheck->list) : 0, left = count;
    uint8_t *open = sw_calloc(count + 1, 1);
    if (code == SW_OK && !open)
        code = sw_fail_memory(error, "the keys to read again", count);
    if (open)
        memset(open, 1, count);
    if (code == SW_OK)
        code = take_inputs(&inputs, &input_count, run, error);
    for (uint32_t i = 0; i < input_count && inputs; i++)
        recheck->file_evidence |= inputs[i].role != SW_ROLE_EXPECTED && !inputs[i].live;
    for (uint32_t time = 0; code == SW_OK && time < run->recheck_times && left; time++) {
        code = wait_until(run, now() + run->recheck_seconds, error);
        if (code == SW_OK)
            code = read_again(recheck, open, run, inputs, input_count, error);
        left = 0;
        for (size_t i = 0; i < count; i++)
            left += open[i];
    }
    if (code == SW_OK)
        count_outcomes(recheck, run);
    for (uint32_t i = 0; i < input_count && inputs; i++) {
        sw_free(inputs[i].locator);
        sw_source_cut_free(&inputs[i].cut);
    }
    sw_free(inputs);
    sw_free(open);
    return code;
}

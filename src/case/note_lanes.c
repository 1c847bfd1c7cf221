/* The timeline of a note: which positions compare, and in which order they stand. */
#include <stdio.h>
#include <stdlib.h>

#include "case/note_build.h"
#include "slackwater/position.h"

#define PLACED_MAX 200u
#define GAPS_MAX 80u

struct placed {
    struct sw_position *position;
    struct sw_note_point point;
    size_t lane;
};

struct placed_gap { struct sw_note_gap gap; size_t from, to, lane; }; /* indices of points; SIZE_MAX: none */

struct timeline {
    struct sw_case *folder;
    struct placed points[PLACED_MAX];
    size_t count, lane_count;
    struct placed_gap gaps[GAPS_MAX];
    size_t gap_count;
    struct sw_bytes lane_kinds[PLACED_MAX];
    bool no_memory;
};

/* A lane whose every position compares with this one; a new one where there is none. */
static size_t lane_of(struct timeline *timeline, const struct sw_position *position, struct sw_bytes kind)
{
    for (size_t lane = 0; lane < timeline->lane_count; lane++) {
        bool all = sw_bytes_equal(timeline->lane_kinds[lane], kind);
        for (size_t i = 0; all && i < timeline->count; i++)
            all = timeline->points[i].lane != lane || sw_position_compare(NULL, timeline->points[i].position, position, NULL) != SW_POSITION_INCOMPARABLE;
        if (all)
            return lane;
    }
    timeline->lane_kinds[timeline->lane_count] = kind;
    return timeline->lane_count++;
}

/* The index of the point, or SIZE_MAX for what is no position of that kind. */
static size_t place(struct timeline *timeline, struct sw_bytes kind, struct sw_bytes text, enum sw_note_point_kind what, const char *label, struct sw_bytes observed_at)
{
    struct sw_position *position = NULL;
    struct sw_error error = {0};
    char name[64];
    if (!text.len || !kind.len || kind.len >= sizeof name || timeline->count == PLACED_MAX)
        return SIZE_MAX;
    snprintf(name, sizeof name, "%.*s", (int)kind.len, (const char *)kind.at);
    if (sw_position_parse(&position, name, (const char *)text.at, text.len, &error) < 0) {
        timeline->no_memory = timeline->no_memory || error.code == SW_ERR_MEMORY;
        return SIZE_MAX;
    }
    size_t lane = lane_of(timeline, position, kind);
    timeline->points[timeline->count] = (struct placed){position, {.kind = what, .label = sw_bytes_text(label), .position = text, .observed_at = observed_at}, lane};
    return timeline->count++;
}

/* A scan names the order instead; the names are the same. */
static struct sw_bytes kind_of(struct timeline *timeline, const struct sw_evidence *evidence)
{
    return sw_evidence_text(evidence, timeline->folder, strcmp(evidence->kind, "scan") == 0 ? "order" : "kind");
}

static void place_gaps(struct timeline *timeline, const struct sw_evidence *evidence)
{
    struct sw_mapping_block **memory = &timeline->folder->memory;
    struct sw_bytes kind = kind_of(timeline, evidence);
    struct sw_document_items intervals = sw_document_items(sw_evidence_at(evidence, strcmp(evidence->kind, "scan") == 0 ? "gaps" : "intervals"));
    while (!intervals.object && timeline->gap_count < GAPS_MAX && sw_document_next(&intervals)) {
        struct placed_gap *gap = &timeline->gaps[timeline->gap_count];
        struct sw_bytes set;
        *gap = (struct placed_gap){.gap = {.entry = evidence->entry->number}, .from = SIZE_MAX, .to = SIZE_MAX, .lane = SIZE_MAX};
        if (!sw_case_token_text(&gap->gap.from, memory, sw_document_member(intervals.value, "from")) || !sw_case_token_text(&gap->gap.to, memory, sw_document_member(intervals.value, "to"))
            || !sw_case_token_text(&set, memory, sw_document_member(intervals.value, "set")) || !sw_case_token_text(&gap->gap.proof, memory, sw_document_member(intervals.value, "proof"))) {
            timeline->no_memory = true;
            return;
        }
        gap->gap.from_included = sw_document_member(intervals.value, "fromIncluded").kind == SW_TOKEN_TRUE;
        gap->gap.to_included = sw_document_member(intervals.value, "toIncluded").kind == SW_TOKEN_TRUE;
        gap->gap.possible = sw_document_member(intervals.value, "possible").kind == SW_TOKEN_TRUE;
        gap->gap.open = !set.len && !gap->gap.to.len;
        if (set.len)
            gap->gap.from = set;
        gap->from = place(timeline, kind, gap->gap.from, SW_NOTE_POINT_GAP_END, "gap from here", sw_bytes_of(NULL, 0));
        gap->to = place(timeline, kind, gap->gap.to, SW_NOTE_POINT_GAP_END, "gap to here", sw_bytes_of(NULL, 0));
        if (gap->from != SIZE_MAX)
            gap->lane = timeline->points[gap->from].lane;
        else if (gap->to != SIZE_MAX)
            gap->lane = timeline->points[gap->to].lane;
        if (gap->from != SIZE_MAX && gap->to != SIZE_MAX && timeline->points[gap->to].lane != gap->lane) /* ends that do not compare: only the first is drawn */
            gap->to = SIZE_MAX;
        timeline->gap_count += gap->lane != SIZE_MAX;
    }
}

static void gather(struct timeline *timeline)
{
    static const struct { enum sw_note_point_kind kind; const char *label; } boundaries[] = {
        {SW_NOTE_POINT_SOURCE, "source, last confirmed"}, {SW_NOTE_POINT_PIPELINE, "pipeline, last saved"}, {SW_NOTE_POINT_DESTINATION, "destination, last confirmed"},
    };
    const struct sw_case *folder = timeline->folder;
    const struct sw_case_declaration *declared = &folder->declaration;
    struct sw_bytes kind = declared->boundaries[1].kind.len ? declared->boundaries[1].kind : declared->boundaries[0].kind, none = {0};
    for (size_t i = 0; i < 3; i++)
        place(timeline, declared->boundaries[i].kind, declared->boundaries[i].position, boundaries[i].kind, boundaries[i].label, declared->boundaries[i].observed_at);
    place(timeline, kind, declared->restart.position, SW_NOTE_POINT_RESTART, "restart", none);
    for (size_t i = 0; i < folder->ledger.count; i++) {
        const struct sw_evidence *evidence = &folder->evidence[i];
        if (!evidence->current)
            continue;
        if (evidence->form == SW_EVIDENCE_REPORT)
            place(timeline, kind, sw_evidence_text(evidence, timeline->folder, "cut"), SW_NOTE_POINT_CUT, "cut of the comparison", none);
        if (evidence->form == SW_EVIDENCE_CONTINUITY) {
            struct sw_bytes of = kind_of(timeline, evidence);
            place(timeline, of, sw_evidence_text(evidence, timeline->folder, "first"), SW_NOTE_POINT_AVAILABLE_FIRST, "source's log begins", none);
            place(timeline, of, sw_evidence_text(evidence, timeline->folder, "last"), SW_NOTE_POINT_AVAILABLE_LAST, "source's log ends", none);
            place_gaps(timeline, evidence);
        }
    }
}

static int by_position(const void *left, const void *right)
{
    const struct placed *a = *(const struct placed *const *)left, *b = *(const struct placed *const *)right;
    enum sw_position_order order = sw_position_compare(NULL, a->position, b->position, NULL);
    if (order == SW_POSITION_BEFORE || order == SW_POSITION_AFTER)
        return (int)order;
    return a->point.kind != b->point.kind ? (a->point.kind > b->point.kind) - (a->point.kind < b->point.kind) : (a > b) - (a < b);
}

static int by_rank(const void *left, const void *right)
{
    const struct sw_note_gap *a = left, *b = right;
    return a->from_rank != b->from_rank ? (a->from_rank > b->from_rank) - (a->from_rank < b->from_rank) : (a->to_rank > b->to_rank) - (a->to_rank < b->to_rank);
}

/* "postgres system=7,timeline=1": the kind, and what the canonical text has behind its '@'. */
static enum sw_code name_lane(struct sw_note_lane *lane, struct timeline *timeline, struct sw_bytes kind, const struct placed *first, struct sw_error *error)
{
    char *text = NULL;
    struct sw_buffer name = {0};
    enum sw_code code = sw_position_print(&text, NULL, first->position, error);
    if (code < 0)
        return code;
    const char *at = strchr(text, '@');
    sw_buffer_add_bytes(&name, kind);
    if (at)
        sw_buffer_printf(&name, " %.200s", at + 1);
    sw_position_text_free(&text);
    char *copy = name.failed ? NULL : sw_mapping_text(&timeline->folder->memory, (const char *)name.at, name.len);
    if (copy)
        lane->name = sw_bytes_of(copy, name.len);
    sw_buffer_free(&name);
    return copy ? SW_OK : sw_fail_memory(error, "a timeline", 0);
}

static enum sw_code fill_lane(struct sw_note_lane *lane, struct timeline *timeline, size_t index, struct sw_error *error)
{
    struct placed *sorted[PLACED_MAX];
    size_t count = 0;
    for (size_t i = 0; i < timeline->count; i++)
        if (timeline->points[i].lane == index)
            sorted[count++] = &timeline->points[i];
    qsort(sorted, count, sizeof sorted[0], by_position);
    unsigned rank = 0;
    for (size_t i = 0; i < count; i++) {
        if (i && sw_position_compare(NULL, sorted[i - 1]->position, sorted[i]->position, NULL) != SW_POSITION_EQUAL)
            rank++;
        sorted[i]->point.rank = rank;
    }
    lane->rank_count = rank + 1;
    lane->points = sw_mapping_alloc(&timeline->folder->memory, (count + 1) * sizeof *lane->points);
    lane->gaps = sw_mapping_alloc(&timeline->folder->memory, (timeline->gap_count + 1) * sizeof *lane->gaps);
    if (!lane->points || !lane->gaps)
        return sw_fail_memory(error, "a timeline", count);
    for (size_t i = 0; i < count; i++)
        lane->points[lane->point_count++] = sorted[i]->point;
    for (size_t i = 0; i < timeline->gap_count; i++) {
        const struct placed_gap *gap = &timeline->gaps[i];
        if (gap->lane != index)
            continue;
        struct sw_note_gap *out = &lane->gaps[lane->gap_count++];
        *out = gap->gap;
        out->from_rank = gap->from == SIZE_MAX ? 0 : timeline->points[gap->from].point.rank;
        out->to_rank = gap->to == SIZE_MAX ? (gap->gap.open ? rank : out->from_rank) : timeline->points[gap->to].point.rank;
        if (out->to_rank < out->from_rank) /* a report that contradicts itself */
            out->to_rank = out->from_rank;
    }
    qsort(lane->gaps, lane->gap_count, sizeof *lane->gaps, by_rank);
    return name_lane(lane, timeline, timeline->lane_kinds[index], sorted[0], error);
}

enum sw_code sw_note_lanes(struct sw_handover_note *note, struct sw_case *folder, struct sw_error *error)
{
    struct timeline *timeline = sw_mapping_alloc(&folder->memory, sizeof *timeline);
    if (!timeline)
        return sw_fail_memory(error, "a timeline", sizeof *timeline);
    timeline->folder = folder;
    gather(timeline);
    enum sw_code code = timeline->no_memory ? sw_fail_memory(error, "a timeline", 0) : SW_OK;
    if (code == SW_OK && !(note->lanes = sw_mapping_alloc(&folder->memory, (timeline->lane_count + 1) * sizeof *note->lanes)))
        code = sw_fail_memory(error, "a timeline", timeline->lane_count);
    for (size_t i = 0; i < timeline->lane_count && code == SW_OK; i++)
        code = fill_lane(&note->lanes[note->lane_count++], timeline, i, error);
    for (size_t i = 0; i < timeline->count; i++)
        sw_position_free(&timeline->points[i].position);
    return code;
}

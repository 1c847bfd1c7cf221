/* The handover note as one self-contained HTML page: what its parts share.
 *
 * The page carries its style sheet and its script in itself, loads nothing, and says so to the browser (a content security policy that names the
 * digests of both). Every text of the note is hostile: it reaches the page through sw_page_text or sw_page_value alone. Without its script
 * the page still shows everything but the findings after the first ones, and says where those are. */
#ifndef SW_CASE_PAGE_PAGE_H
#define SW_CASE_PAGE_PAGE_H

#include "case/note.h"
#include "report/output.h"

/* Findings that stand in the page; of them those that are shown before anybody asks; and what all of them may take. */
#define SW_PAGE_FINDINGS_MAX 10000u
#define SW_PAGE_FINDINGS_SHOWN 50u
#define SW_PAGE_FINDINGS_BYTES_MAX ((uint64_t)48 << 20)

struct sw_page {
    const struct sw_handover_note *note;
    struct sw_output output;   /* where it goes; remembers the first failure */
    struct sw_buffer shown;    /* scratch: a text made visible */
    uint64_t findings;         /* written so far */
};

/* Markup of our own. */
void sw_page_add(struct sw_page *page, const char *markup);
void sw_page_printf(struct sw_page *page, const char *format, ...) SW_PRINTF(2, 3);
/* Text from outside: what hides or reorders is escaped, then what is markup. Safe between tags and in quoted attributes. */
void sw_page_text(struct sw_page *page, struct sw_bytes text);
/* The same of a text of ours. */
void sw_page_string(struct sw_page *page, const char *text);
/* A text, or a phrase that says that there is none. */
void sw_page_text_or(struct sw_page *page, struct sw_bytes text, const char *none);
/* A value as <code>: a long one is cut, with the whole (or its first 64 KiB) behind a click. */
void sw_page_value(struct sw_page *page, struct sw_bytes text);
/* 1234567 as 1,234,567. */
void sw_page_count(struct sw_page *page, uint64_t count);
/* <time>, or a phrase. */
void sw_page_time(struct sw_page *page, struct sw_bytes time, const char *none);
/* Links to entries of the evidence list: "evidence 3, 4". Nothing for none. */
void sw_page_entries(struct sw_page *page, const struct sw_note_entries *entries);
/* <ul> of sentences, those after the first `open` behind a click; for none a paragraph with `none`. */
void sw_page_list(struct sw_page *page, const struct sw_note_texts *texts, size_t open, const char *none);
/* One row of a list of terms. */
void sw_page_term(struct sw_page *page, const char *term, struct sw_bytes text, const char *none);
/* The parts, in the order in which they stand. */
void sw_page_write_claims(struct sw_page *page);
void sw_page_write_boundaries(struct sw_page *page);
void sw_page_write_timeline(struct sw_page *page);
void sw_page_write_charts(struct sw_page *page);
void sw_page_write_findings(struct sw_page *page);
void sw_page_write_rules(struct sw_page *page);
void sw_page_write_evidence(struct sw_page *page);

#endif

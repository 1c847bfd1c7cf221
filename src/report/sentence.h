/* Sentences of a report: lists of them, and what each part of the report says in words.
 *
 * No sentence is stronger than the verdicts: the words "equal" and "agree" stand for what was compared, never for what was not. */
#ifndef SW_REPORT_SENTENCE_H
#define SW_REPORT_SENTENCE_H

#include <stdint.h>

#include "base/buffer.h"
#include "report/report.h"
#include "text/json_write.h"

/* A list of texts, each ended by a NUL. Zero-initialise; sw_sentences_free releases. `text.failed` says that memory ran out. */
struct sw_sentences {
    struct sw_buffer text;
    uint32_t count;
};

void sw_sentences_add(struct sw_sentences *list, const char *format, ...) SW_PRINTF(2, 3);
/* Between these two calls the caller appends one sentence to `list->text` itself. */
void sw_sentences_begin(struct sw_sentences *list);
void sw_sentences_end(struct sw_sentences *list);
/* The sentence after `previous` (NULL: the first), or NULL. Valid until the list changes. */
const char *sw_sentences_next(const struct sw_sentences *list, const char *previous);
void sw_sentences_free(struct sw_sentences *list);
/* Writes the list as a member, an array of strings. */
void sw_sentences_json(struct sw_json_writer *json, const char *name, const struct sw_sentences *list);

/* Appends a name that came from outside: as it stands if it is a plain word, else as JSON text, cut in the middle past 60 bytes. */
void sw_sentence_name(struct sw_buffer *out, struct sw_bytes name);
/* Appends a number with commas between thousands: 5,000,000. */
void sw_sentence_number(struct sw_buffer *out, uint64_t number);
/* A number with commas in a buffer of the caller's; returns it. */
#define SW_NUMBER_TEXT_MAX 28
const char *sw_number_text(char room[SW_NUMBER_TEXT_MAX], uint64_t number);

/* Appends a version as its order policy prints it; as hex digits where no policy is known. */
void sw_report_print_version(struct sw_buffer *out, const struct sw_report *report, struct sw_bytes version, struct sw_bytes space);

/* "destination" or "evidence" where one side lacks the row, else NULL. Static. */
const char *sw_finding_lacking(const struct sw_finding *finding);
/* Appends what a finding means, in one sentence without a full stop. */
void sw_finding_sentence(struct sw_buffer *out, const struct sw_report *report, const struct sw_finding *finding);

/* What the report does not show: what this one in particular does not, and what no report shows. */
void sw_report_limits_here(struct sw_sentences *out, const struct sw_report *report);
void sw_report_limits_always(struct sw_sentences *out);
/* Had no record on either side a column beside its key that is compared? */
bool sw_report_compared_keys_alone(const struct sw_report *report);
/* Appends how far the headline reaches: what was compared, what looks the same, what was assumed. One sentence without a full stop. */
void sw_report_certainty(struct sw_buffer *out, const struct sw_report *report);
/* Remarks that change no verdict. */
void sw_report_notes(struct sw_sentences *out, const struct sw_report *report);
/* What to do next, the most urgent first. */
void sw_report_next(struct sw_sentences *out, const struct sw_report *report);

#endif

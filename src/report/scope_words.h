/* What a report says of the part of the keys that was compared. Nothing, where all of them were. */
#ifndef SW_REPORT_SCOPE_WORDS_H
#define SW_REPORT_SCOPE_WORDS_H

#include "report/page.h"
#include "report/report.h"
#include "report/sentence.h"
#include "text/json_write.h"

/* Appends which part: "a sample of 1 in 1000 keys, where region = 'EU'", "the declared scope, region = 'EU'". */
void sw_scope_write_part(struct sw_buffer *out, const struct sw_report *report);
/* Why the current state is not confirmed, or of what it is; and what was left out. */
void sw_scope_judge(struct sw_sentences *reasons, struct sw_sentences *evidence, const struct sw_report *report);
void sw_scope_limits(struct sw_sentences *out, const struct sw_report *report);
void sw_scope_next(struct sw_sentences *out, const struct sw_report *report);
/* The member `scope` of the JSON report. */
void sw_scope_write_json(struct sw_json_writer *json, const struct sw_report *report);
/* A title and what stands under it. */
void sw_scope_write_summary(const struct sw_page *page, const struct sw_report *report);

#endif

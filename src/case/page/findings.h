/* Findings on the page: where they come from (findings.c), and how one is drawn (finding.c). */
#ifndef SW_CASE_PAGE_FINDINGS_H
#define SW_CASE_PAGE_FINDINGS_H

#include "case/page/page.h"

/* Writes one finding: a JSON object by docs/report.md, from a file that anybody may have changed. What cannot be read is shown as that, by where it stands:
 * `file` and `line`, or an empty file for a finding that a report lists. */
void sw_page_write_finding(struct sw_page *page, struct sw_bytes json, struct sw_bytes file, uint64_t line);

#endif

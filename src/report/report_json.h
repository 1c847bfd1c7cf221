/* Parts of the JSON report that other reports of a run write in the same words. */
#ifndef SW_REPORT_REPORT_JSON_H
#define SW_REPORT_REPORT_JSON_H

#include "report/report.h"
#include "text/json_write.h"

/* Members of the open object: what every report says of an input, from `locator` to `bytes`. */
void sw_input_members_json(struct sw_json_writer *json, const struct sw_input_report *input);
/* The member `kinds`: what else was among the records, an array of {"kind":…, COUNT_NAME:…}. */
void sw_kinds_json(struct sw_json_writer *json, const struct sw_report *report, const char *count_name);

#endif

/* One finding as JSON or as a line of CSV: the machine's forms, complete and exact. */
#ifndef SW_REPORT_FINDING_WRITE_H
#define SW_REPORT_FINDING_WRITE_H

#include "report/report.h"
#include "text/json_write.h"

/* Writes one finding as the next value of `json`: an object, docs/report.md. */
void sw_finding_write_json(struct sw_json_writer *json, const struct sw_report *report, const struct sw_finding *finding);

/* Appends the header, or one finding, as a CSV record with its line end (CR LF, RFC 4180). Cells hold JSON, fixed words or guarded text
 * (docs/report.md), so that no cell begins with what a spreadsheet takes for a formula. */
void sw_finding_write_csv_header(struct sw_buffer *out, const struct sw_report *report);
void sw_finding_write_csv(struct sw_buffer *out, const struct sw_report *report, const struct sw_finding *finding);

/* One row as the next value of `json`, null if the side has none; and the records of a finding as an array of texts. */
void sw_image_write_json(struct sw_json_writer *json, const struct sw_report *report, const struct sw_image *image);
void sw_places_write_json(struct sw_json_writer *json, const struct sw_report *report, const struct sw_finding *finding);

/* Appends "LOCATOR:LINE", unescaped. */
void sw_place_write(struct sw_buffer *out, const struct sw_report *report, const struct sw_place *place);

/* The side whose row stands against the state: what the reference has, or of contents in conflict or without an order the second one. */
const struct sw_image *sw_finding_against(const struct sw_finding *finding);

/* One column of an image. */
enum sw_cell_kind { SW_CELL_ABSENT, SW_CELL_NULL, SW_CELL_UNAVAILABLE, SW_CELL_INVALID, SW_CELL_VALUE };
struct sw_cell {
    enum sw_cell_kind kind;
    struct sw_bytes canonical;
};
bool sw_cells_differ(struct sw_cell a, struct sw_cell b);
/* True if the list, sorted by name as those of a finding are, holds the column. */
bool sw_columns_have(const struct sw_column *const *columns, uint32_t count, const struct sw_column *column);

/* Walks the columns of two images side by side, in the order of their names. Zero-initialise and set the images (NULL: none). */
struct sw_image_walk {
    const struct sw_image *left, *right;
    struct sw_bytes left_values, right_values;
    uint32_t left_at, right_at;
    bool started;
};
/* False past the last column. Key columns come as they stand in the images. */
bool sw_image_walk_next(const struct sw_column **column, struct sw_cell *left, struct sw_cell *right, struct sw_image_walk *walk);

/* True if a column of the walk over `state` and sw_finding_against is one that differs. */
bool sw_finding_column_differs(const struct sw_finding *finding, const struct sw_column *column, struct sw_cell left, struct sw_cell right);

#endif

/* Repeating a comparison of a case, and telling whether it came out the same. */
#ifndef SW_CASE_REPEAT_H
#define SW_CASE_REPEAT_H

#include "case/folder.h"
#include "slackwater/case.h"

/* Appends what a report says, without what differs from run to run or from place to place: `run`, `tool`, times, advice; each input's locator becomes
 * its number. Two reports on equal inputs give the same bytes, wherever the files stand. */
void sw_report_canonical(struct sw_buffer *out, struct sw_token root);

/* Where inputs may be found by their digest: the files of one folder, digested once. Zero-initialise. */
struct sw_input_folder {
    struct sw_found_input { char *path; char sha256[SW_DIGEST_HEX_SIZE]; } *files;
    size_t count;
};
enum sw_code sw_input_folder_read(struct sw_input_folder *out, struct sw_mapping_block **memory, const char *path, struct sw_error *error);

enum sw_repeated { SW_REPEATED_SAME, SW_REPEATED_OTHER, SW_NOT_REPEATED };

/* Repeats the report `evidence`. `why` receives a sentence without a full stop; `sha256` the digest of the canonical report, if it was repeated. */
enum sw_code sw_case_repeat(enum sw_repeated *out, struct sw_buffer *why, char sha256[SW_DIGEST_HEX_SIZE], struct sw_case *folder, const struct sw_evidence *evidence, const struct sw_input_folder *inputs,
    sw_case_repeat_fn repeat, void *repeat_ctx, struct sw_error *error);

#endif

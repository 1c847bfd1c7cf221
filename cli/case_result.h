/* --case DIR: a command adds its own result to a case, with its digest, the time, its version and the exact command. */
#ifndef SW_CLI_CASE_RESULT_H
#define SW_CLI_CASE_RESULT_H

#include "command.h"
#include "slackwater/case.h"

/* The row of an option table. The command's struct has `const char *case_directory`; `group` is the heading that its outputs stand under. */
#define OPTION_CASE(group) \
    {"case", 0, OPTION_TEXT, "DIR", offsetof(struct call, case_directory), 0, group, \
     "Adds the result to a case, with its digest, the time and the exact command (docs/handover.md). The exit status is the result's all the same.", NULL, false}

/* Keeps the arguments of the program as they were given; main calls it first. The parser of a command permutes its own. */
void command_line_keep(int argc, char **argv);

/* Adds what `write` writes of `result` as JSON (and, unless NULL, `write_findings` as NDJSON) to the case. `directory` NULL: does nothing.
 * Returns `status`, or, if it could not be added, the failure's, which has been printed to standard error. */
struct case_result {
    const char *directory, *file_name;
    sw_case_source_fn write, write_findings;
    void *result;
    bool copy_inputs;
};
int case_result_add(int status, const struct case_result *result);
/* Before anything is read that takes long: is there a case to add to? False: *error says what to do. `directory` may be NULL. */
bool case_result_check(struct sw_error *error, const char *directory);

/* A sw_case_repeat_fn that runs `slackwater reconcile` again (cli/reconcile.c). */
enum sw_code reconcile_repeat(const char *const *arguments, size_t argument_count, const struct sw_case_input *inputs, size_t count, sw_write_fn write, void *write_ctx, void *ctx, struct sw_error *error);

/* For `case add` and others that make a piece of their own: the folder the program runs in (NULL: not known), and who runs it. Static. */
const char *working_directory(void);
const char *user_name(void);

#endif

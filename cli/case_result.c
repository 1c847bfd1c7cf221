#include "case_result.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "failure.h"

static const char *const *kept;
static size_t kept_count;

void command_line_keep(int argc, char **argv)
{
    const char **copy = argc > 0 ? calloc((size_t)argc, sizeof *copy) : NULL;
    for (int i = 0; copy && i < argc; i++)
        copy[i] = argv[i];
    kept = copy;
    kept_count = copy ? (size_t)argc : 0;
}

const char *working_directory(void)
{
    static char path[PATH_MAX];
    return getcwd(path, sizeof path);
}

const char *user_name(void)
{
    const char *name = getenv("SLACKWATER_USER");
    return name && *name ? name : getenv("USER");
}

bool case_result_check(struct sw_error *error, const char *directory)
{
    char path[PATH_MAX];
    if (!directory || ((size_t)snprintf(path, sizeof path, "%s/case.yaml", directory) < sizeof path && access(path, F_OK) == 0))
        return true;
    *error = (struct sw_error){.code = SW_ERR_USAGE};
    snprintf(error->text, sizeof error->text, "--case: %.450s holds no case.yaml; `slackwater case init %.450s` makes a case", directory, directory);
    return false;
}

int case_result_add(int status, const struct case_result *result)
{
    struct sw_error error = {0};
    if (!result->directory)
        return status;
    struct sw_case_piece piece = {.struct_size = sizeof piece, .write = result->write, .write_findings = result->write_findings, .source = result->result, .file_name = result->file_name,
                                  .copy_inputs = result->copy_inputs, .arguments = kept, .argument_count = kept_count, .directory = working_directory(), .by = user_name()};
    /* the result itself stands on standard output already */
    return sw_case_add(NULL, result->directory, &piece, &error) < 0 ? failure_print(false, &error) : status;
}

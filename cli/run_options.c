/* What the commands that run a reconciliation share. */
#include "run_options.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "terminal_text.h"

const char *const run_progress_forms[] = {"bar", "plain", "json", "none", NULL};
const char *const run_color_forms[] = {"auto", "always", "never", NULL};
const char *const run_compare_forms[] = {"state", "value", NULL};
const char *const run_conflict_forms[] = {"any", "newest", NULL};
const char *const run_absent_forms[] = {"unknown", "null", NULL};
const char *const run_digest_forms[] = {"sha256", "none", NULL};
const char *const run_kernel_forms[] = {"scalar", "sse2", "avx2", NULL};

struct sw_summary_style stdout_style(const char *color)
{
    const char *terminal = getenv("TERM"), *no_color = getenv("NO_COLOR");
    bool is_terminal = isatty(STDOUT_FILENO);
    struct sw_summary_style style = {.color = color && strcmp(color, "always") == 0, .unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0};
    if (!color || strcmp(color, "auto") == 0)
        style.color = is_terminal && !(no_color && no_color[0]) && terminal && strcmp(terminal, "dumb") != 0;
    style.width = terminal_columns();
    return style;
}

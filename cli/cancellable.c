#include "cancellable.h"

#include <stdio.h>

void cancellable_begin(struct progress *progress, int (**show)(const struct sw_progress *, void *), void **ctx, const char *form, bool json)
{
    *progress = (struct progress){.form = progress_form_of(form)};
    *show = progress_show;
    *ctx = progress;
    signals_catch(json, progress->form);
}

enum sw_code cancellable_end(struct progress *progress, enum sw_code code, struct sw_error *error)
{
    signals_release();
    progress_end(progress);
    if (code == SW_ERR_CANCELLED)
        snprintf(error->text, sizeof error->text, "interrupted: nothing is claimed");
    return code;
}

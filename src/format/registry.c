#include <string.h>

#include "format/format.h"

static const struct sw_format *const formats[] = {&sw_format_plain, &sw_format_debezium, &sw_format_debezium_mongodb, &sw_format_cloudevents, &sw_format_datastream, &sw_format_maxwell, &sw_format_wal2json, &sw_format_canal, &sw_format_kcat, &sw_format_dms, &sw_format_goldengate, &sw_format_changelog, &sw_format_change_table, &sw_format_bigquery, &sw_format_state, NULL};

const struct sw_format *const *sw_formats(void) { return formats; }

const struct sw_format *sw_format_find(const char *name)
{
    for (const struct sw_format *const *format = formats; *format; format++)
        if (strcmp((*format)->name, name) == 0)
            return *format;
    return NULL;
}

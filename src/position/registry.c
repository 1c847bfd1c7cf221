/* The list of kinds: one line each. */
#include "position/position.h"

static const struct sw_position_kind *const kinds[] = {
    &sw_kind_postgres,
    &sw_kind_mysql,
    &sw_kind_mysql_gtid,
    &sw_kind_mariadb,
    &sw_kind_oracle,
    &sw_kind_sqlserver,
    &sw_kind_mongodb,
    &sw_kind_kafka,
    &sw_kind_bigquery,
    &sw_kind_datastream,
};

const struct sw_position_kind_info *sw_position_kind_at(size_t index)
{
    return index < sizeof kinds / sizeof *kinds ? &kinds[index]->info : NULL;
}

const struct sw_position_kind *sw_position__kind(const char *name)
{
    for (size_t i = 0; name && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i]->info.name, name) == 0)
            return kinds[i];
    return NULL;
}

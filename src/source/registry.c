/* Where inputs can be read from in this build; the last line of each says what the others would need. */
#include "source/registry.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#ifdef SW_WITH_ADBC
#include "client/adbc.h"
#endif
#include "client/locator.h"
#include "source/connector.h"

#ifdef SW_WITH_ZSTD
#define WITHOUT_ZSTD NULL
#else
#define WITHOUT_ZSTD "built without zstd"
#endif
#ifdef SW_WITH_LZ4
#define WITHOUT_LZ4 NULL
#else
#define WITHOUT_LZ4 "built without lz4"
#endif

#ifdef SW_WITH_SQLITE
#define CONNECTOR_SQLITE NULL, &sw_connector_sqlite
#else
#define CONNECTOR_SQLITE "built without SQLite", NULL
#endif
#ifdef SW_WITH_POSTGRES
#define CONNECTOR_POSTGRES NULL, &sw_connector_postgres
#else
#define CONNECTOR_POSTGRES "built without libpq", NULL
#endif

#ifdef SW_WITH_MARIADB
#define CONNECTOR_MARIADB NULL, &sw_connector_mariadb
#else
#define CONNECTOR_MARIADB "built without libmariadb", NULL
#endif

#ifdef SW_WITH_KAFKA
#define CONNECTOR_KAFKA NULL, &sw_connector_kafka
#else
#define CONNECTOR_KAFKA "built without librdkafka", NULL
#endif

#ifdef SW_WITH_ADBC
#define CONNECTOR_ADBC NULL, &sw_connector_adbc
#else
#define CONNECTOR_ADBC "built without it (-Dadbc=disabled)", NULL
#endif

static const char *const sqlite_schemes[] = {"sqlite:", NULL}, *const postgres_schemes[] = {"postgresql://", "postgres://", NULL},
                  *const mariadb_schemes[] = {"mysql://", "mariadb://", NULL}, *const kafka_schemes[] = {"kafka://", NULL}, *const adbc_schemes[] = {"adbc:", NULL};

/* A connector's two fields stand apart in the table: why it is missing, and what it is. */
#define SOURCE(name, summary, fields, explain, schemes) SOURCE_(name, summary, fields, explain, schemes)
#define SOURCE_(name, summary, missing, connector, explain, schemes) {name, summary, missing, explain, schemes, connector}

static const struct sw_source_info sources[] = {
    {"file", "a path, a glob or a directory: NDJSON, a JSON array, JSON objects over several lines, CSV, Avro", NULL,
     "Files of a directory or glob are read in the order of their names, each as what its first bytes show; CSV also by its name (.csv, .tsv). The whole of an input is read once, from its beginning to its end; an "
     "input that is cut is told as such.", NULL, NULL},
    {"-", "standard input, in any of these forms", NULL, "It can be given once. What it holds is told by its first bytes.", NULL, NULL},
    {"gzip", ".gz, told by its first bytes", NULL, "Several members one after the other are one input. A compressed input that is cut or damaged gives no result.", NULL, NULL},
    {"zstd", ".zst, told by its first bytes", WITHOUT_ZSTD, "Several frames one after the other are one input. A compressed input that is cut or damaged gives no result.", NULL, NULL},
    {"lz4", ".lz4, told by its first bytes", WITHOUT_LZ4, "Several frames one after the other are one input. A compressed input that is cut or damaged gives no result.", NULL, NULL},
    SOURCE("sqlite", "sqlite:FILE#TABLE, or a query: the rows of a table", CONNECTOR_SQLITE,
           "The file is opened for reading only and is never made; `?immutable=1` before the '#' promises that nothing writes to it, and needs no lock. A value is what its storage class says, its column's type "
           "what the table declares. The key is the primary key, unless --key names another.", sqlite_schemes),
    SOURCE("postgres", "postgresql://…#SCHEMA.TABLE, or a query: the rows of a table; postgresql://…?slot=NAME: the changes of a slot", CONNECTOR_POSTGRES,
           "All rows are read in one read-only snapshot, a large table over several connections (--threads); the report says at which position of its log the server stood. What the locator does not say comes from "
           "where libpq looks: service and pgpass files, PG* variables. The key is the primary key or the replica identity, unless --key names another. Needed: CONNECT, USAGE on the schema, SELECT on the table. "
           "With ?slot=NAME&publication=NAME&read=peek the changes that a logical replication slot holds are events, as wal2json writes them; they are looked at and never consumed. Nobody else can use the slot meanwhile: "
           "read=copy looks at a temporary copy instead. Needed: REPLICATION.",
           postgres_schemes),
    SOURCE("mariadb", "mysql://…#DATABASE.TABLE, or a query: the rows of a table of MariaDB or MySQL; mysql://…?binlog=FILE:POSITION#TABLE: its changes", CONNECTOR_MARIADB,
           "Read in one read-only transaction with a consistent snapshot (of tables whose engine has transactions), row by row as the server sends them, with times in UTC. Types are those of the columns: FLOAT is "
           "asked for as a double, since the server prints six digits of it. MariaDB says at which place of its binary log the snapshot stands. The key is the primary key, unless --key names another. A password is "
           "taken from MYSQL_PWD or from an option file (defaults-file=), rather than from the locator. "
           "With ?binlog=FILE:POSITION (or beginning) or ?gtid=GTID,… the changes of the table that the binary log holds from there on are events, in Debezium's shape, up to where the log ended when reading began. Rows "
           "come at the end of their transaction; what was rolled back is left out. Only rows are read: a statement that may have changed the table, RENAME, exchanged partitions and lost files end the run with their place. "
           "Nothing is changed at the server, and no other reader of it is ended. Needed: REPLICATION SLAVE and BINLOG MONITOR (MySQL: REPLICATION CLIENT), SELECT on the table.", mariadb_schemes),
    SOURCE("kafka", "kafka://BROKERS/TOPIC[?from=…&until=…&partitions=…]: the records of a topic", CONNECTOR_KAFKA,
           "Partition after partition, each from its first record to the end that it had when reading began: `from` and `until` are offsets, times (2026-11-30T02:00:00Z), or beginning and end; until is not included. A record "
           "is handed on as kcat prints one, with key, headers, offset and time, so that its payload's format is recognised; a record without a value is a tombstone. Transactions are read committed: where one is open, "
           "reading stops before it. The client joins no group, commits nothing and makes no topic. The report says which offsets were read, and where records that were asked for are gone. Other parameters "
           "are librdkafka's configuration.", kafka_schemes),
    SOURCE("adbc", "adbc:DRIVER?OPTION=VALUE…#SCHEMA.TABLE, or a query: any database with an ADBC driver", CONNECTOR_ADBC,
           "DRIVER is the path of a driver's library or manifest (.so, .toml), or its name: then it is looked for in ADBC_DRIVER_PATH, ~/.config/adbc/drivers, /etc/adbc/drivers and where the loader looks. "
           "Options go to the database, those that begin with adbc.connection. or adbc.statement. there; entrypoint= names the library's function. Batches of Arrow columns are read as they are, nested ones as JSON. "
           "No driver tells a key: --key names it.", adbc_schemes),
    SOURCE("parquet", "PATH.parquet: the rows of a Parquet file, or of all that a glob names, through DuckDB's library", CONNECTOR_ADBC,
           "The same as adbc:duckdb with a query over read_parquet('PATH'): libduckdb.so is looked for as an ADBC driver is: where the loader looks, and in ADBC_DRIVER_PATH. Python's module duckdb is no such library. "
           "Without it any DuckDB writes the rows as NDJSON: COPY (FROM 'FILE.parquet') TO 'FILE.ndjson'. DuckDB may use 512 MB beside --memory.", NULL),
};

const char *sw_source_missing(const struct sw_source_info *source)
{
#ifdef SW_WITH_ADBC
    if (!source->missing && strcmp(source->name, "parquet") == 0 && !sw_adbc_is_there("duckdb"))
        return "no libduckdb.so is found, see --explain parquet";
#endif
    return source->missing;
}

const struct sw_source_info *sw_source_info_at(size_t index) { return index < sizeof sources / sizeof *sources ? &sources[index] : NULL; }

size_t sw_source_scheme_length(const char *locator)
{
    size_t len = 0;
    while (isalnum((unsigned char)locator[len]) || (len && strchr("+.-", locator[len]) && locator[len]))
        len++;
    if (len < 2 || locator[len] != ':')
        return 0;
    bool known = (len == 6 && strncmp(locator, "sqlite", len) == 0) || (len == 4 && strncmp(locator, "adbc", len) == 0);
    return known || strncmp(locator + len, "://", 3) == 0 ? len : 0;
}

char *sw_source_scheme_alone(const char *locator)
{
    struct sw_buffer text = {0};
    size_t len = sw_source_scheme_length(locator);
    if (len)
        sw_buffer_printf(&text, "%.*s:…", (int)len, locator);
    else
        sw_buffer_add_text(&text, "a connection text of libpq");
    if (sw_buffer_text(&text))
        return (char *)text.at;
    sw_buffer_free(&text);
    return NULL;
}

const struct sw_source_info *sw_source_of_locator(const char *locator)
{
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        for (const char *const *scheme = sources[i].schemes; scheme && *scheme; scheme++)
            if (strncasecmp(locator, *scheme, strlen(*scheme)) == 0)
                return &sources[i];
    /* libpq's own connection text has no scheme, and may hold a password: it is no name of a file */
    bool text = sw_locator_is_remote(locator);
    for (size_t i = 0; text && i < sizeof sources / sizeof *sources; i++)
        if (sources[i].schemes == postgres_schemes)
            return &sources[i];
    return NULL;
}

const struct sw_source_info *sw_source_of_file(const char *path)
{
    size_t len = strlen(path), tail = strlen(".parquet");
    if (len <= tail || strcmp(path + len - tail, ".parquet") != 0)
        return NULL;
    const struct sw_source_info *info = sources;
    while (strcmp(info->name, "parquet") != 0)
        info++;
    return info;
}

/* Where inputs can be read from in this build; the last line of each says what the others would need. */
#include "source/registry.h"

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

static const struct sw_source_info sources[] = {
    {"file", "a path, a glob or a directory: NDJSON, a JSON array, JSON objects over several lines, CSV, Avro", NULL,
     "Files of a directory or glob are read in the order of their names, each as what its first bytes show; CSV also by its name (.csv, .tsv). The whole of an input is read once, from its beginning to its end; an "
     "input that is cut is told as such."},
    {"-", "standard input, in any of these forms", NULL, "It can be given once. What it holds is told by its first bytes."},
    {"gzip", ".gz, told by its first bytes", NULL, "Several members one after the other are one input. A compressed input that is cut or damaged gives no result."},
    {"zstd", ".zst, told by its first bytes", WITHOUT_ZSTD, "Several frames one after the other are one input. A compressed input that is cut or damaged gives no result."},
    {"lz4", ".lz4, told by its first bytes", WITHOUT_LZ4, "Several frames one after the other are one input. A compressed input that is cut or damaged gives no result."},
};

const struct sw_source_info *sw_source_info_at(size_t index) { return index < sizeof sources / sizeof *sources ? &sources[index] : NULL; }

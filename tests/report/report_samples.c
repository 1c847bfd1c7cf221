/* Writes the named sample reports: report_samples DIR makes NAME.json, NAME.ndjson, NAME.csv and NAME.LOOK.txt of each. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "report_sample.h"

static int to_file(const void *bytes, size_t len, void *ctx) { return fwrite(bytes, 1, len, ctx) == len ? 0 : errno ? errno : EIO; }

static FILE *open_in(const char *directory, const char *name, const char *end)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.%s", directory, name, end);
    FILE *file = fopen(path, "wb");
    if (!file) {
        perror(path);
        exit(4);
    }
    return file;
}

static void done(FILE *file, enum sw_code code, const struct sw_error *error)
{
    if (fclose(file) != 0 || code != SW_OK) {
        fprintf(stderr, "report_samples: %s\n", error->text);
        exit(4);
    }
}

int main(int argc, char **argv)
{
    static const struct { const char *end; struct sw_summary_style style; } looks[] = {
        {"80.txt", {0}}, {"60.txt", {.width = 60}}, {"140-unicode.txt", {.width = 140, .unicode = true}}, {"80-unicode.txt", {.unicode = true}}, {"80-color.txt", {.color = true, .unicode = true}}};
    if (argc != 2) {
        fprintf(stderr, "usage: report_samples DIR\n");
        return 2;
    }
    for (size_t i = 0;; i++) {
        struct sample sample;
        struct sw_error error = {0};
        const char *name = sample_named(&sample, i);
        if (!name)
            return 0;
        FILE *file = open_in(argv[1], name, "json");
        done(file, sw_report_write_json(&sample.report, to_file, file, &error), &error);
        file = open_in(argv[1], name, "ndjson");
        done(file, sw_report_write_differences(&sample.report, false, to_file, file, &error), &error);
        file = open_in(argv[1], name, "csv");
        done(file, sw_report_write_differences(&sample.report, true, to_file, file, &error), &error);
        for (size_t look = 0; look < sizeof looks / sizeof looks[0]; look++) {
            file = open_in(argv[1], name, looks[look].end);
            done(file, sw_report_write_summary(&sample.report, &looks[look].style, to_file, file, &error), &error);
        }
        sample_free(&sample);
    }
}

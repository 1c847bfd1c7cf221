/* The findings of the page: read from their files line by line, the first ones shown, the others kept for the search. */
#include "case/page/findings.h"

#include <errno.h>
#include <fcntl.h>

#include "base/digest.h"
#include "base/file_io.h"
#include "base/memory.h"
#include "text/json_document.h"

#define CHUNK_BYTES ((size_t)64 << 10)

/* Lines of a file. One that is longer than a document may be is handed out cut, and `cut` says so. */
struct line_reader {
    int fd;
    struct sw_digest *digest; /* of all that was read */
    struct sw_buffer chunk, line;
    size_t at;
    bool ended;
};

/* 0 or an errno; *got false at the end. The line lives until the next call. */
static int next_line(bool *got, struct line_reader *reader)
{
    sw_buffer_clear(&reader->line);
    *got = false;
    for (;;) {
        if (reader->at == reader->chunk.len) {
            size_t len = 0;
            if (reader->ended)
                return 0;
            sw_buffer_clear(&reader->chunk);
            reader->at = 0;
            if (!sw_buffer_reserve(&reader->chunk, CHUNK_BYTES))
                return ENOMEM;
            int failed = sw_io_read(&len, reader->fd, reader->chunk.at, CHUNK_BYTES);
            if (failed)
                return failed;
            sw_digest_add(reader->digest, reader->chunk.at, len);
            reader->chunk.len = len;
            reader->ended = len < CHUNK_BYTES;
            if (!len)
                return 0;
        }
        *got = true;
        const uint8_t *from = reader->chunk.at + reader->at;
        size_t left = reader->chunk.len - reader->at;
        const uint8_t *end = memchr(from, '\n', left);
        size_t len = end ? (size_t)(end - from) : left;
        size_t room = SW_DOCUMENT_MAX + 1 - reader->line.len; /* one byte too many shows that the line is too long */
        sw_buffer_add(&reader->line, from, len < room ? len : room);
        if (reader->line.failed)
            return ENOMEM;
        reader->at += len + (end != NULL);
        if (end)
            return 0;
    }
}

struct findings {
    struct sw_page *page;
    uint64_t bytes, left_out;
    bool open;             /* a group is open */
};

/* Groups of findings: the first stands in the page, the others in templates, which a browser neither draws nor lays out. */
static void end_group(struct findings *findings)
{
    if (findings->open)
        sw_page_add(findings->page, findings->page->findings <= SW_PAGE_FINDINGS_SHOWN ? "</div>\n" : "</template>\n");
    findings->open = false;
}

static void take(struct findings *findings, struct sw_bytes json, struct sw_bytes file, uint64_t line)
{
    struct sw_page *page = findings->page;
    if (page->findings == SW_PAGE_FINDINGS_MAX || findings->bytes + json.len > SW_PAGE_FINDINGS_BYTES_MAX) {
        findings->left_out++;
        return;
    }
    if (page->findings % SW_PAGE_FINDINGS_SHOWN == 0) {
        end_group(findings);
        sw_page_add(page, page->findings ? "<template class=\"findings\">\n" : "<div id=\"findings\">\n");
        findings->open = true;
    }
    findings->bytes += json.len;
    page->findings++;
    sw_page_write_finding(page, json, file, line);
}

/* Opens it without waiting for whoever writes to a FIFO of that name. */
static enum sw_code open_findings(struct line_reader *reader, const char *path, struct sw_error *error)
{
    struct stat status = {0};
    int failed = sw_io_open(&reader->fd, path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
    if (!failed)
        failed = sw_io_fstat(&status, reader->fd);
    if (failed)
        return sw_fail_errno(error, SW_ERR_IO, failed, "the findings in %.600s cannot be read", path);
    if (!S_ISREG(status.st_mode))
        return sw_fail(error, SW_ERR_INPUT, "%.600s: expected a file, found something else", path);
    return sw_digest_open(&reader->digest, error);
}

/* Is what was read to its end what the ledger has? A page of other findings would look like evidence. */
static enum sw_code check_digest(struct line_reader *reader, const struct sw_note_finding_file *file, const char *path, struct sw_error *error)
{
    char hex[SW_DIGEST_HEX_SIZE];
    enum sw_code code = sw_digest_finish(hex, reader->digest, error);
    if (code == SW_OK && !sw_bytes_is(file->sha256, hex))
        code = sw_fail(error, SW_ERR_INPUT, "%.600s was changed after it was added as entry %llu; `slackwater case verify` lists all that is wrong", path, (unsigned long long)file->entry);
    return code;
}

static void take_file(struct findings *findings, const struct sw_note_finding_file *file)
{
    struct sw_page *page = findings->page;
    struct sw_error *error = page->output.error;
    struct line_reader reader = {.fd = -1};
    struct sw_buffer path = {0};
    sw_buffer_add_bytes(&path, file->path);
    const char *name = sw_buffer_text(&path);
    enum sw_code code = name ? open_findings(&reader, name, error) : sw_fail_memory(error, "a path", file->path.len);
    bool got = true;
    for (uint64_t line = 1; code == SW_OK && got && page->output.code == SW_OK; line++) {
        int failed = next_line(&got, &reader);
        if (failed)
            code = sw_fail_errno(error, failed == ENOMEM ? SW_ERR_MEMORY : SW_ERR_IO, failed, "the findings in %.600s cannot be read", name);
        else if (got && reader.line.len)
            take(findings, sw_buffer_view(&reader.line), file->name, line);
    }
    if (code == SW_OK && page->output.code == SW_OK)
        code = check_digest(&reader, file, name, error);
    if (page->output.code == SW_OK)
        page->output.code = code;
    sw_io_close(&reader.fd);
    if (reader.digest)
        sw_digest_close(&reader.digest);
    sw_buffer_free(&reader.chunk);
    sw_buffer_free(&reader.line);
    sw_buffer_free(&path);
}

static void write_left_out(struct findings *findings)
{
    struct sw_page *page = findings->page;
    const struct sw_note_differences *differences = &page->note->differences;
    if (findings->left_out) {
        sw_page_add(page, "<p class=\"limit\">This page holds the first ");
        sw_page_count(page, page->findings);
        sw_page_add(page, " findings. ");
        sw_page_count(page, findings->left_out);
        sw_page_add(page, " more stand in the files below only.</p>\n");
    }
    if (differences->unlisted) {
        sw_page_add(page, "<p class=\"limit\">");
        sw_page_count(page, differences->unlisted);
        sw_page_add(page, " more findings stand in no file of this case: run the reconciliation with --differences FILE.ndjson and add the file.</p>\n");
    }
    for (size_t i = 0; i < differences->file_count; i++) {
        sw_page_add(page, i ? ", <code>" : "<p class=\"detail\">All findings: <code>");
        sw_page_text(page, differences->files[i].name);
        sw_page_add(page, "</code>");
    }
    if (differences->file_count)
        sw_page_add(page, "</p>\n");
}

void sw_page_write_findings(struct sw_page *page)
{
    const struct sw_note_differences *differences = &page->note->differences;
    struct findings findings = {.page = page};
    sw_page_add(page, "<section aria-labelledby=\"list\">\n<h2 id=\"list\">Findings</h2>\n"
                      /* shown by the script, without which it could do nothing */
                      "<form id=\"filter\" role=\"search\" hidden>\n<label>Search <input type=\"search\" id=\"search\" autocomplete=\"off\" spellcheck=\"false\"></label>\n"
                      "<label>Reason <select id=\"reason\"><option value=\"\">all</option></select></label>\n"
                      "<label>Table <select id=\"table\"><option value=\"\">all</option></select></label>\n</form>\n<p id=\"status\" role=\"status\"></p>\n");
    for (size_t i = 0; i < differences->file_count; i++)
        take_file(&findings, &differences->files[i]);
    for (size_t i = 0; i < differences->listed.count; i++)
        take(&findings, differences->listed.at[i], (struct sw_bytes){NULL, 0}, i + 1);
    end_group(&findings);
    if (!page->findings)
        sw_page_add(page, differences->reconciled ? "<p class=\"none\">There are no findings.</p>\n" : "<p class=\"none\">Nothing was compared.</p>\n");
    sw_page_add(page, "<p><button type=\"button\" id=\"more\" hidden>Show more</button></p>\n");
    if (page->findings > SW_PAGE_FINDINGS_SHOWN)
        sw_page_printf(page, "<noscript><p class=\"limit\">Without its script this page shows the first %u findings only.</p></noscript>\n", SW_PAGE_FINDINGS_SHOWN);
    write_left_out(&findings);
    sw_page_add(page, "</section>\n");
}

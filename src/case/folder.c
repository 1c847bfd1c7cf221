#include "case/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <time.h>

#include "base/file_io.h"
#include "base/memory.h"
#include "continuity/instant.h"

void sw_case_now(char out[40])
{
    struct timespec now = {0};
    struct tm parts = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &parts);
    if (!strftime(out, 40, "%Y-%m-%dT%H:%M:%SZ", &parts))
        out[0] = '\0';
}

enum sw_code sw_case_path(char out[PATH_MAX], const char *directory, const char *name, struct sw_error *error)
{
    int len = snprintf(out, PATH_MAX, "%s/%s", directory, name);
    if (len < 0 || len >= PATH_MAX)
        return sw_fail(error, SW_ERR_LIMIT, "a path in the case folder is longer than %d bytes", PATH_MAX - 1);
    return SW_OK;
}

static enum sw_code open_regular(int *fd, const char *path, struct sw_error *error)
{
    struct stat status;
    int sys_errno = sw_io_open(fd, path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0); /* not waiting for whoever writes to a FIFO of that name */
    if (sys_errno)
        return sw_fail_errno(error, SW_ERR_IO, sys_errno, "%.600s: could not be opened", path);
    sys_errno = sw_io_fstat(&status, *fd);
    if (!sys_errno && S_ISREG(status.st_mode))
        return SW_OK;
    sw_io_close(fd);
    return sys_errno ? sw_fail_errno(error, SW_ERR_IO, sys_errno, "%.600s: could not be looked at", path) : sw_fail(error, SW_ERR_INPUT, "%.600s: expected a file, found something else", path);
}

/* Hands a file over in pieces. */
static enum sw_code each_block(const char *path, bool (*take)(void *ctx, const uint8_t *at, size_t len), void *ctx, struct sw_error *error)
{
    enum { BLOCK = 65536 };
    int fd = -1;
    enum sw_code code = open_regular(&fd, path, error);
    uint8_t *block = code == SW_OK ? sw_malloc(BLOCK) : NULL;
    if (code == SW_OK && !block)
        code = sw_fail_memory(error, "a file", BLOCK);
    for (size_t got = BLOCK; code == SW_OK && got == BLOCK;) {
        int sys_errno = sw_io_read(&got, fd, block, BLOCK);
        if (sys_errno)
            code = sw_fail_errno(error, SW_ERR_IO, sys_errno, "%.600s: could not be read", path);
        else if (!take(ctx, block, got))
            break;
    }
    sw_free(block);
    sw_io_close(&fd);
    return code;
}

struct bounded { struct sw_buffer *out; size_t max; };

static bool take_bytes(void *ctx, const uint8_t *at, size_t len)
{
    const struct bounded *bounded = ctx;
    sw_buffer_add(bounded->out, at, len);
    return !bounded->out->failed && bounded->out->len <= bounded->max;
}

enum sw_code sw_case_read_file(struct sw_buffer *out, const char *path, size_t max, struct sw_error *error)
{
    struct bounded bounded = {out, max};
    enum sw_code code = each_block(path, take_bytes, &bounded, error);
    if (code == SW_OK && out->failed)
        return sw_fail_memory(error, "a file", out->len);
    if (code == SW_OK && out->len > max)
        return sw_fail(error, SW_ERR_LIMIT, "%.600s: expected at most %zu bytes, found more", path, max);
    return code;
}

struct digested { struct sw_digest *digest; uint64_t bytes; };

static bool take_digest(void *ctx, const uint8_t *at, size_t len)
{
    struct digested *digested = ctx;
    digested->bytes += len;
    return sw_digest_add(digested->digest, at, len);
}

enum sw_code sw_case_digest_file(char hex[SW_DIGEST_HEX_SIZE], uint64_t *bytes, const char *path, struct sw_error *error)
{
    struct digested digested = {0};
    hex[0] = '\0';
    enum sw_code code = sw_digest_open(&digested.digest, error);
    if (code == SW_OK)
        code = each_block(path, take_digest, &digested, error);
    if (code == SW_OK)
        code = sw_digest_finish(hex, digested.digest, error);
    if (digested.digest)
        sw_digest_close(&digested.digest);
    *bytes = digested.bytes;
    return code;
}

/* ---- pieces ---- */

static enum sw_code read_piece(struct sw_evidence *evidence, const struct sw_case *folder, struct sw_error *error)
{
    const struct sw_ledger_entry *entry = evidence->entry;
    struct sw_buffer text = {0};
    char path[PATH_MAX], name[256], hex[SW_DIGEST_HEX_SIZE];
    snprintf(name, sizeof name, "%.*s", (int)entry->name.len, (const char *)entry->name.at);
    enum sw_code code = sw_case_path(path, folder->path, name, error);
    if (code == SW_OK)
        code = sw_case_read_file(&text, path, SW_EVIDENCE_BYTES_MAX, error);
    if (code == SW_OK)
        code = sw_case_digest(hex, sw_buffer_view(&text), error);
    if (code == SW_OK && !sw_bytes_is(entry->sha256, hex))
        code = sw_fail(error, SW_ERR_INPUT, "%.200s was changed after it was added as entry %llu; `slackwater case verify` lists all that is wrong", name, (unsigned long long)entry->number);
    if (code == SW_OK)
        code = sw_document_read_up_to(&evidence->document, sw_buffer_view(&text), SW_EVIDENCE_BYTES_MAX, name, error);
    if (code == SW_OK)
        evidence->form = sw_evidence_form_of(&evidence->kind, evidence->document.root);
    sw_buffer_free(&text);
    return code;
}

/* The kinds that slackwater's own commands write, and that are judged. */
static bool is_judged(struct sw_bytes kind)
{
    static const char *const kinds[] = {"reconcile", "challenge", "gap", "scan", "probe", "snapshot", "continuity", "comparison"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (sw_bytes_is(kind, kinds[i]))
            return true;
    return false;
}

static bool same_member(const struct sw_evidence *a, const struct sw_evidence *b, const char *path)
{
    struct sw_token left = sw_evidence_at(a, path), right = sw_evidence_at(b, path);
    return left.kind == right.kind && sw_bytes_equal(sw_bytes_of(left.at, left.len), sw_bytes_of(right.at, right.len));
}

/* Has `report` a table of that name (a raw token; absent: the one unnamed table)? */
static bool has_table(const struct sw_evidence *report, struct sw_token name)
{
    struct sw_document_items tables = sw_document_items(sw_evidence_at(report, "tables"));
    while (!tables.object && sw_document_next(&tables)) {
        struct sw_token other = sw_document_member(tables.value, "table");
        if (other.kind == name.kind && sw_bytes_equal(sw_bytes_of(other.at, other.len), sw_bytes_of(name.at, name.len)))
            return true;
    }
    return false;
}

static bool covers_tables(const struct sw_evidence *report, const struct sw_evidence *of)
{
    struct sw_document_items tables = sw_document_items(sw_evidence_at(of, "tables"));
    while (!tables.object && sw_document_next(&tables))
        if (!has_table(report, sw_document_member(tables.value, "table")))
            return false;
    return true;
}

/* Is a report about no fewer keys than an earlier one: all of them, or the same part? */
static bool covers_scope(const struct sw_evidence *report, const struct sw_evidence *of)
{
    return !sw_evidence_is_limited(report) || (same_member(report, of, "scope.part") && same_member(report, of, "scope.sample") && same_member(report, of, "scope.where") && same_member(report, of, "scope.declared"));
}

/* Does the later piece ask the same question again? Reconciliations: of the same tables, and of all keys or the same part of them. Continuity: of the same saved position, by the
 * same command; a scan, a comparison or a challenge is only replaced by who says so. Anything else stands beside the earlier one. */
static bool asks_again(const struct sw_evidence *later, const struct sw_evidence *earlier)
{
    if (later->form != earlier->form)
        return false;
    switch (later->form) {
    case SW_EVIDENCE_REPORT: return covers_tables(later, earlier) && covers_tables(earlier, later) && covers_scope(later, earlier);
    case SW_EVIDENCE_CONTINUITY:
        return (strcmp(later->kind, "gap") == 0 || strcmp(later->kind, "snapshot") == 0 || strcmp(later->kind, "probe") == 0) && strcmp(later->kind, earlier->kind) == 0
            && same_member(later, earlier, "kind") && same_member(later, earlier, "saved") && same_member(later, earlier, "snapshot");
    default: return false;
    }
}

static enum sw_code read_pieces(struct sw_case *folder, bool pieces, struct sw_error *error)
{
    size_t count = folder->ledger.count;
    if (!(folder->evidence = sw_mapping_alloc(&folder->memory, (count + 1) * sizeof *folder->evidence)))
        return sw_fail_memory(error, "the evidence", count * sizeof *folder->evidence);
    for (size_t i = 0; i < count; i++) {
        struct sw_evidence *evidence = &folder->evidence[i];
        *evidence = (struct sw_evidence){.entry = &folder->ledger.entries[i], .kind = "file", .current = !folder->ledger.entries[i].superseded_by};
        enum sw_code code = pieces && is_judged(evidence->entry->kind) && evidence->current && evidence->entry->name.len && !evidence->entry->link ? read_piece(evidence, folder, error) : SW_OK;
        if (code < 0)
            return code;
        for (size_t j = 0; evidence->form != SW_EVIDENCE_OTHER && j < i; j++)
            if (folder->evidence[j].current && folder->evidence[j].form != SW_EVIDENCE_OTHER && asks_again(evidence, &folder->evidence[j])) {
                folder->evidence[j].current = false;
                folder->ledger.entries[j].superseded_by = evidence->entry->number;
            }
    }
    for (size_t i = 0; i < count; i++) { /* what belongs to a replaced report is replaced with it */
        const struct sw_ledger_entry *parent = sw_ledger_entry(&folder->ledger, folder->ledger.entries[i].of);
        if (parent && parent->number <= i && parent->superseded_by && !folder->ledger.entries[i].superseded_by) {
            folder->ledger.entries[i].superseded_by = parent->superseded_by;
            folder->evidence[i].current = false;
        }
    }
    return SW_OK;
}

/* A case that lost its case.yaml must not be sent to `case init`, which leaves a ledger alone. */
static enum sw_code no_declaration(const struct sw_case *folder, struct sw_error *error)
{
    char path[PATH_MAX];
    struct stat status;
    if (sw_case_path(path, folder->path, "ledger.ndjson", error) == SW_OK && sw_io_stat(&status, path) == 0 && status.st_size > 0)
        return sw_fail(error, SW_ERR_USAGE, "%.600s holds a ledger and no case.yaml: put it back; evidence/NNNN-case.yaml, if there is one, has it as it was last handed over", folder->path);
    return sw_fail(error, SW_ERR_USAGE, "%.600s holds no case.yaml; `slackwater case init %.200s` makes a case", folder->path, folder->path);
}

static enum sw_code read_folder(struct sw_case *folder, bool pieces, struct sw_sentences *problems, struct sw_error *error)
{
    char path[PATH_MAX];
    struct stat status;
    enum sw_code code = sw_case_path(path, folder->path, "case.yaml", error);
    int sys_errno = code == SW_OK ? sw_io_stat(&status, folder->path) : 0;
    if (sys_errno == ENOENT)
        return sw_fail(error, SW_ERR_USAGE, "there is no folder %.600s; a case is named by its folder", folder->path);
    if (sys_errno)
        return sw_fail_errno(error, SW_ERR_IO, sys_errno, "%.600s: could not be looked at", folder->path);
    if (code == SW_OK && !S_ISDIR(status.st_mode))
        return sw_fail(error, SW_ERR_USAGE, "%.600s is no folder; a case is named by the folder that `slackwater case init` made", folder->path);
    if (code == SW_OK && sw_io_stat(&status, path) == ENOENT)
        return no_declaration(folder, error);
    if (code == SW_OK)
        code = sw_case_read_file(&folder->declaration_text, path, 1u << 20, error);
    if (code == SW_OK)
        code = sw_case_path(path, folder->path, "ledger.ndjson", error);
    if (code == SW_OK)
        code = sw_case_read_file(&folder->ledger_text, path, SW_LEDGER_BYTES_MAX, error);
    if (code == SW_OK)
        code = sw_ledger_read(&folder->ledger, &folder->memory, problems, sw_buffer_view(&folder->ledger_text), error);
    if (code == SW_OK)
        code = sw_case_path(path, folder->path, "case.yaml", error);
    if (code == SW_OK && !problems)
        code = sw_case_declaration_read(&folder->declaration, &folder->memory, sw_buffer_view(&folder->declaration_text), path, error);
    return code == SW_OK ? read_pieces(folder, pieces, error) : code;
}

enum sw_code sw_case_open(struct sw_case **out, const char *path, const char *now, bool pieces, struct sw_sentences *problems, struct sw_error *error)
{
    struct sw_instant instant;
    *out = NULL;
    if (now && sw_instant_parse(&instant, sw_bytes_text(now)) != SW_INSTANT_KNOWN)
        return sw_fail(error, SW_ERR_USAGE, "expected a time with a zone such as 2031-02-03T04:05:06Z, found '%s'", sw_shown(now).text);
    if (strlen(path) >= PATH_MAX - 300)
        return sw_fail(error, SW_ERR_LIMIT, "the path of the case folder is too long");
    struct sw_case *folder = sw_calloc(1, sizeof *folder);
    if (!folder)
        return sw_fail_memory(error, "a case", sizeof *folder);
    strcpy(folder->path, path);
    if (now)
        sw_instant_print(folder->now, instant);
    else
        sw_case_now(folder->now);
    enum sw_code code = read_folder(folder, pieces, problems, error);
    if (code == SW_OK)
        *out = folder;
    else
        sw_case_close(&folder);
    return code;
}

void sw_case_close(struct sw_case **folder)
{
    if (!*folder)
        return;
    for (size_t i = 0; (*folder)->evidence && i < (*folder)->ledger.count; i++)
        sw_document_free(&(*folder)->evidence[i].document);
    sw_buffer_free(&(*folder)->declaration_text);
    sw_buffer_free(&(*folder)->ledger_text);
    sw_mapping_release(&(*folder)->memory);
    sw_free(*folder);
    *folder = NULL;
}

enum sw_code sw_case_recorded(const struct sw_ledger_entry **out, bool *same, const struct sw_case *folder, struct sw_error *error)
{
    char hex[SW_DIGEST_HEX_SIZE];
    *out = NULL;
    *same = false;
    for (size_t i = folder->ledger.count; i-- > 0 && !*out;)
        if (sw_bytes_is(folder->ledger.entries[i].kind, "declaration"))
            *out = &folder->ledger.entries[i];
    if (!*out)
        return SW_OK;
    enum sw_code code = sw_case_digest(hex, sw_buffer_view(&folder->declaration_text), error);
    *same = code == SW_OK && sw_bytes_is((*out)->sha256, hex);
    return code;
}

#include "slackwater/lab.h"

#include "base/error.h"
#include "base/memory.h"
#include "lab/lab_contract.h"

/* Bounded by the contract, but too much for the stack of a small thread. */
struct work {
    struct lab_input input;
    struct lab_result result;
    struct lab_row rows[2 * SW_LAB_ENTRIES_MAX];
};

static enum sw_code evaluate(struct sw_buffer *line, struct sw_bytes text, struct sw_error *error)
{
    struct lab_document document = {0};
    struct work *work = NULL;
    enum sw_code code = lab_text_check(text, error);
    if (code < 0)
        return code;
    code = lab_document_parse(&document, text, error);
    if (code < 0)
        goto done;
    work = sw_malloc(sizeof *work);
    if (!work) {
        code = sw_fail_memory(error, "the rows of a document", sizeof *work);
        goto done;
    }
    code = lab_input_read(&work->input, &document, error);
    if (code < 0)
        goto done;
    lab_evaluate(&work->result, &work->input, work->rows);
    lab_write_result(line, &work->result);
done:
    sw_free(work);
    lab_document_free(&document);
    return code;
}

enum sw_code sw_lab_evaluate(char **line, size_t *line_len, const void *document, size_t document_len, struct sw_error *error)
{
    struct sw_error own = {0};
    struct sw_buffer buffer = {0};
    *line = NULL;
    *line_len = 0;
    enum sw_code code = evaluate(&buffer, sw_bytes_of(document, document_len), &own);
    if (code == SW_ERR_INPUT || code == SW_ERR_LIMIT)
        lab_write_refusal(&buffer, own.text);
    if (code != SW_ERR_MEMORY) {
        size_t len = buffer.len;
        char *text = sw_buffer_text(&buffer);
        if (text && !buffer.failed) {
            *line = text;
            *line_len = len;
        } else {
            sw_buffer_free(&buffer);
            own = (struct sw_error){0};
            code = sw_fail_memory(&own, "the line of a result", len);
        }
    }
    if (code < 0 && error && error->code >= 0)
        *error = own;
    return code;
}

void sw_lab_line_free(char **line)
{
    if (!line)
        return;
    sw_free(*line);
    *line = NULL;
}

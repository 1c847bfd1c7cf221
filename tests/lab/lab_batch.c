/* For differential.py: evaluates many documents in one process, since starting one a document would cost more than all the rest.
 *
 * Standard input: documents, each as its length (4 bytes, little endian) and its bytes.
 * Standard output: for each the exit status (1 byte), the length of the line (4 bytes, little endian) and the line. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "slackwater/lab.h"

static void die(const char *why)
{
    fprintf(stderr, "lab_batch: %s\n", why);
    exit(4);
}

static size_t decode_length(const uint8_t at[4]) { return (size_t)at[0] | (size_t)at[1] << 8 | (size_t)at[2] << 16 | (size_t)at[3] << 24; }

static void answer(const void *document, size_t document_len)
{
    char *line = NULL;
    size_t len = 0;
    enum sw_code code = sw_lab_evaluate(&line, &len, document, document_len, NULL);
    if (!line)
        die("a document got no line");
    uint8_t head[5] = {(uint8_t)sw_code_exit_status(code), (uint8_t)len, (uint8_t)(len >> 8), (uint8_t)(len >> 16), (uint8_t)(len >> 24)};
    if (fwrite(head, 1, sizeof head, stdout) != sizeof head || fwrite(line, 1, len, stdout) != len)
        die("standard output could not be written");
    sw_lab_line_free(&line);
}

int main(void)
{
    uint8_t head[4];
    while (fread(head, 1, sizeof head, stdin) == sizeof head) {
        size_t len = decode_length(head);
        void *document = sw_malloc(len); /* of the exact size, so that a sanitizer sees a read past its end */
        if (!document)
            die("out of memory");
        if (fread(document, 1, len, stdin) != len)
            die("a document is cut");
        answer(document, len);
        sw_free(document);
    }
    if (fclose(stdout) != 0)
        die("standard output could not be written");
    return 0;
}

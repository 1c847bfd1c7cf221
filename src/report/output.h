/* Where the writers' bytes go: gathered in a buffer, handed to the caller's callback in pieces. */
#ifndef SW_REPORT_OUTPUT_H
#define SW_REPORT_OUTPUT_H

#include "base/buffer.h"
#include "base/error.h"
#include "slackwater/report.h"

/* Set `write`, `ctx` and `error`, zero the rest; sw_output_free releases. The first failure stays in `code`; later writes are dropped. */
struct sw_output {
    struct sw_buffer buffer;
    sw_write_fn write;
    void *ctx;
    struct sw_error *error;
    enum sw_code code;
};

/* Hands over what is gathered: sw_output_relieve only when it is much. Each returns `code`. */
enum sw_code sw_output_flush(struct sw_output *output);
enum sw_code sw_output_relieve(struct sw_output *output);
void sw_output_free(struct sw_output *output);

#endif

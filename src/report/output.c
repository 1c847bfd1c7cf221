#include "report/output.h"

#define PIECE_BYTES ((size_t)1 << 16)

enum sw_code sw_output_flush(struct sw_output *output)
{
    if (output->code == SW_OK && output->buffer.failed)
        output->code = sw_fail_memory(output->error, "writing a report", output->buffer.len);
    if (output->code == SW_OK && output->buffer.len) {
        int failed = output->write(output->buffer.at, output->buffer.len, output->ctx);
        if (failed)
            output->code = sw_fail_errno(output->error, SW_ERR_IO, failed, "the report could not be written");
    }
    sw_buffer_clear(&output->buffer);
    return output->code;
}

enum sw_code sw_output_relieve(struct sw_output *output)
{
    return output->buffer.len >= PIECE_BYTES || output->buffer.failed ? sw_output_flush(output) : output->code;
}

void sw_output_free(struct sw_output *output) { sw_buffer_free(&output->buffer); }

/* Output files that are not finished yet, for a signal handler that ends the program. */
#ifndef SLACKWATER_OUTPUT_H
#define SLACKWATER_OUTPUT_H

#include "slackwater/export.h"

SW_BEGIN_DECLS

/* Removes the temporary files of all outputs that this process has open, so that none of them appears. Async-signal-safe. Afterwards
 * the program has to end: a run that is still going on would fail at its outputs. */
SW_API void sw_output_file_abort_all(void);

SW_END_DECLS

#endif

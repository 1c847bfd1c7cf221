/* A file that is not there: one sentence for all of them, with the name that may have been meant. */
#ifndef SW_BASE_NEAR_FILE_H
#define SW_BASE_NEAR_FILE_H

#include "base/error.h"

/* "no such file: PATH; did you mean NEAR?", or why its directory cannot be looked into. Returns SW_ERR_INPUT. */
enum sw_code sw_no_such_file(const char *path, struct sw_error *error);

#endif

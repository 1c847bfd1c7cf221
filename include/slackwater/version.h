/* The version of the library, at compile time and at run time. */
#ifndef SLACKWATER_VERSION_H
#define SLACKWATER_VERSION_H

#include "slackwater/export.h"

#define SW_VERSION "0.1.0"

SW_BEGIN_DECLS

/* The version of the library that is loaded, as "major.minor.patch". Static storage. Any thread. */
SW_API const char *sw_version(void);

SW_END_DECLS

#endif

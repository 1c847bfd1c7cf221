/* slackwater: the command line. Sees the public API only. */
#include <stdio.h>

#include "slackwater/version.h"

int main(void)
{
    printf("slackwater %s\n", sw_version());
    return 0;
}

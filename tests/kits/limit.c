/* limit.c  The one limit of time of all tests, for what hangs: nothing is judged by a clock, so that tests pass however busy the machine is.
 * Linked into each test program; the environment may say otherwise. */
#include <stdlib.h>

__attribute__((constructor)) static void setLimit(void)
{
    setenv("CK_DEFAULT_TIMEOUT", "1200", 0);  // s
}

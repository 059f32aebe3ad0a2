/* limit.c  The only time limit of all tests, for hanging ones: no test is judged by a clock, so
 * that it passes on a busy machine. Linked into each test program; the environment can set another
 * limit. */
#include <stdlib.h>

__attribute__((constructor)) static void setLimit(void)
{
    setenv("CK_DEFAULT_TIMEOUT", "1200", 0);  // s
}

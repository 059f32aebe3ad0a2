/* bench_build.h  On what a bench measures. */
#ifndef BENCH_BUILD_H
#define BENCH_BUILD_H

#include <stdio.h>

/* Why this build must not be measured, or NULL. */
const char *benchUnfit(void);

/* A line with the processor, the compiler with its flags, the library's version, and whether the engine has assertions.
 * */
void benchPrintBuild(FILE *out);

#endif

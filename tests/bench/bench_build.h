/* bench_build.h  The build and the machine that a bench measures. */
#ifndef TESTS_BENCH_BENCH_BUILD_H
#define TESTS_BENCH_BENCH_BUILD_H

#include <stdio.h>

/* Why this build must not be measured, or NULL. */
const char *benchUnfit(void);

/* Processor time that other programs have used since some past moment, s, without this process and
 * its finished children. NaN if the system does not tell. */
double benchOthers(void);

/* A line with the processor, the compiler and its flags, the library's version, and whether the
 * engine has assertions. */
void benchPrintBuild(FILE *out);

#endif

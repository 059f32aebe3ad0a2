/* bench_build.c  This build and this machine. */
#define _DEFAULT_SOURCE
#include "bench_build.h"

#include "plugin/base/sanitizer.h"

#include <math.h>
#include <ode/ode.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* A slow build must not be measured. The library has no assert(); the Makefile checks that. */
const char *benchUnfit(void)
{
#ifdef KSI_SANITIZED
    return "it is built with a sanitizer";
#endif
#ifndef __OPTIMIZE__
    return "it is built without optimisation";
#endif
    if (strstr(BENCH_FLAGS, "-fsanitize") || strstr(BENCH_FLAGS, "-ftrapv"))
        return "it is built with run-time checks: " BENCH_FLAGS;
    if (strstr(BENCH_FLAGS, "--coverage") || strstr(BENCH_FLAGS, "-fprofile-arcs") || strstr(BENCH_FLAGS, "-pg"))
        return "it is built to be profiled: " BENCH_FLAGS;
    return NULL;
}

static double usedBy(int who)
{
    struct rusage used;
    if (getrusage(who, &used))
        return NAN;
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

double benchOthers(void)
{
    // proc(5): user, nice, system, idle, iowait, irq, softirq, steal
    enum { IDLE = 3, IOWAIT, COLUMNS = 8 };
    unsigned long long ticks[COLUMNS], sum = 0;
    FILE *stat = fopen("/proc/stat", "r");
    if (!stat)
        return NAN;
    int read = fscanf(stat, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &ticks[0], &ticks[1], &ticks[2], &ticks[3],
                      &ticks[4], &ticks[5], &ticks[6], &ticks[7]);
    fclose(stat);
    for (int i = 0; i < COLUMNS; i++)
        sum += read == COLUMNS && i != IDLE && i != IOWAIT ? ticks[i] : 0;
    if (read != COLUMNS)
        return NAN;
    return (double)sum / (double)sysconf(_SC_CLK_TCK) - usedBy(RUSAGE_SELF) - usedBy(RUSAGE_CHILDREN);
}

/* model of the processor, where the system tells it */
static void printProcessor(FILE *out)
{
    FILE *info = fopen("/proc/cpuinfo", "r");
    char line[256];
    while (info && fgets(line, sizeof line, info)) {
        char *colon = strchr(line, ':');
        if (!strncmp(line, "model name", 10) && colon) {
            fprintf(out, "%.*s; ", (int)strcspn(colon + 2, "\n"), colon + 2);
            break;
        }
    }
    if (info)
        fclose(info);
}

void benchPrintBuild(FILE *out)
{
    fprintf(out, "%ld processors, ", sysconf(_SC_NPROCESSORS_ONLN));
    printProcessor(out);
#ifdef __clang__
    fprintf(out, "%s, %s; ", __VERSION__, BENCH_FLAGS);
#else
    fprintf(out, "gcc %s, %s; ", __VERSION__, BENCH_FLAGS);
#endif
    fprintf(out, "kinetostat %s; engine %s its own assertions\n", PACKAGE_VERSION,
            dCheckConfiguration("ODE_EXT_no_debug") ? "without" : "with");
}

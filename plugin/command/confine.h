/* confine.h  Confines a judging process: its resources and system calls. */
#ifndef KSI_COMMAND_CONFINE_H
#define KSI_COMMAND_CONFINE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ksiLimits {
    uint64_t memory; /* bytes of data */
    unsigned time;   /* s of processor time between two calls of ksiRenewTime */
    bool mayReopen;  /* may open existing files for writing: HDF5 reopens a trace by name */
} ksiLimits;

/* Defaults: three quarters of the machine's memory, and ten minutes per step. */
void ksiLimitsInit(ksiLimits *limits);

/* Applies the limits to this process; ksiRenewTime starts its time again. Without support by the
 * system or the sanitizer, it sets no limits. */
void ksiLimitProcess(const ksiLimits *limits);
void ksiRenewTime(void);

/* After this call the process and its threads may compute, read files and write to open files. They
 * may not start programs or unconfined processes, open files for writing, change the file system,
 * connect, or inspect other processes. With limits->mayReopen they may open existing files for
 * writing, but not create or empty files. On systems without system call filters, and with
 * sanitizers, nothing is confined. */
void ksiConfineProcess(const ksiLimits *limits, bool mayFork);

/* Call it before leaving without exit handlers, in a build that counts branches (coverage.sh). */
void ksiSaveCounters(void);

/* Ends the process without running the exit handlers of libraries. */
_Noreturn void ksiLeave(int status);

#endif

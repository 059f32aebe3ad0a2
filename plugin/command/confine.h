/* confine.h  Confines a judging process: its resources and system calls. */
#ifndef KSI_COMMAND_CONFINE_H
#define KSI_COMMAND_CONFINE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ksiLimits {
    uint64_t memory; /* bytes of data */
    unsigned time;   /* s of processor time, of the process between two calls of ksiRenewTime */
    bool mayReopen;  /* files that are there may be opened to be written: HDF5 does that, by name, with a trace */
} ksiLimits;

/* What is usual: three quarters of the machine's memory, and ten minutes for a step. */
void ksiLimitsInit(ksiLimits *limits);

/* From here on. A system or a sanitizer that has no such limit goes without. */
void ksiLimitProcess(const ksiLimits *limits);
void ksiRenewTime(void);

/* From here on the process, and threads that it starts, may compute, read files, and write to what is open; not start programs or (but for those that are
 * as confined as it is) processes, open files to be written (limits->mayReopen: make or empty files), change the file system, connect, or look
 * into other processes. Where the system has no filters of system calls, it goes without. */
void ksiConfineProcess(const ksiLimits *limits, bool mayFork);

/* Before a process ends without what is done at exit: of a build that counts branches (tests/coverage.sh). */
void ksiSaveCounters(void);

/* Ends the process, without what libraries do at exit. */
_Noreturn void ksiLeave(int status);

#endif

/* writers.h  Lets one thread at a time use HDF5, which is built for one thread, and stops writers
 * in child processes. */
#ifndef KSI_REPORT_FILES_WRITERS_H
#define KSI_REPORT_FILES_WRITERS_H

#include <fenv.h>
#include <stdbool.h>
#include <sys/types.h>

/* The host's errno, floating-point flags and traps. */
typedef struct ksiHost {
    int error;
    fenv_t numbers;
} ksiHost;

/* Waits until no other thread writes and no fork() runs. */
ksiHost ksiEnterWriters(void);
void ksiLeaveWriters(const ksiHost *host);

typedef struct ksiWriter {
    void (*abandon)(void *file); /* called first in a child of fork(); may use system calls only */
    void *file;
    pid_t owner;
    struct ksiWriter *next;
} ksiWriter;

/* Call it between Enter and Leave. The writer must stay at its address until ksiRemoveWriter. */
void ksiAddWriter(ksiWriter *writer, void (*abandon)(void *file), void *file);
void ksiRemoveWriter(const ksiWriter *writer);

/* false: this is a child of the process that added the writer. */
bool ksiIsOwnWriter(const ksiWriter *writer);

#endif

/* writers.h  Those who write files by HDF5, which is built for one thread: one at a time. A child of fork() leaves their files alone. */
#ifndef KSI_REPORT_FILES_WRITERS_H
#define KSI_REPORT_FILES_WRITERS_H

#include <fenv.h>
#include <stdbool.h>
#include <sys/types.h>

/* What the host had: errno, floating-point flags and traps. */
typedef struct ksiHost {
    int error;
    fenv_t numbers;
} ksiHost;

/* Waits until no other thread is at it, and for fork() likewise. */
ksiHost ksiEnterWriters(void);
void ksiLeaveWriters(const ksiHost *host);

typedef struct ksiWriter {
    void (*abandon)(void *file); /* in the child, before anything else: system calls alone */
    void *file;
    pid_t owner;
    struct ksiWriter *next;
} ksiWriter;

/* Between Enter and Leave. It stays where it is until it is removed. */
void ksiAddWriter(ksiWriter *writer, void (*abandon)(void *file), void *file);
void ksiRemoveWriter(const ksiWriter *writer);

/* false: in a child of the process that has added it. */
bool ksiIsOwnWriter(const ksiWriter *writer);

#endif

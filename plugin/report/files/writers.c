/* writers.c  Lets one thread at a time use HDF5, and stops writers in children of fork(). */
#include "writers.h"

#include <errno.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ksiWriter *writers;

ksiHost ksiEnterWriters(void)
{
    ksiHost host = {.error = errno};
    feholdexcept(&host.numbers);
    pthread_mutex_lock(&lock);
    return host;
}

void ksiLeaveWriters(const ksiHost *host)
{
    pthread_mutex_unlock(&lock);
    fesetenv(&host->numbers);
    errno = host->error;
}

/* --- fork(): waits until no file is in the middle of a change; the child leaves files alone */

static void beforeFork(void)
{
    pthread_mutex_lock(&lock);
}

static void afterForkInParent(void)
{
    pthread_mutex_unlock(&lock);
}

static void afterForkInChild(void)
{
    for (const ksiWriter *writer = writers; writer; writer = writer->next)
        writer->abandon(writer->file);
    pthread_mutex_unlock(&lock);
}

void ksiAddWriter(ksiWriter *writer, void (*abandon)(void *file), void *file)
{
    static bool isMinded;
    if (!isMinded)
        isMinded = pthread_atfork(beforeFork, afterForkInParent, afterForkInChild) == 0;
    *writer = (ksiWriter){.abandon = abandon, .file = file, .owner = getpid(), .next = writers};
    writers = writer;
}

void ksiRemoveWriter(const ksiWriter *writer)
{
    for (ksiWriter **place = &writers; *place; place = &(*place)->next)
        if (*place == writer) {
            *place = writer->next;
            return;
        }
}

bool ksiIsOwnWriter(const ksiWriter *writer)
{
    return writer->owner == getpid();
}

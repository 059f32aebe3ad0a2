/* worker.h  Runs one job at a time on another thread, of the host or of this library. */
#ifndef KSI_BASE_WORKER_H
#define KSI_BASE_WORKER_H

#include "memory.h"

#include <stdbool.h>

typedef struct ksiWorker ksiWorker;

/* executor: copied. NULL: the first job starts a thread; if that fails, the caller of ksiWorkerWait
 * runs the jobs. KS_OK or KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiWorkerCreate(const ksAllocator *allocator, const ksExecutor *executor, ksJobFn *fn, void *of,
                                     ksiWorker **worker);

/* Waits for a job that has begun; drops a job that has not begun. */
void ksiWorkerDestroy(ksiWorker *worker);

/* Requests one call of fn(of). No other job may be pending. */
void ksiWorkerPost(ksiWorker *worker);

/* Returns when the last job is done; runs the job in this thread if it has not begun. false: this
 * is a child of the process in which the job had begun. The job will never end, and every later
 * call returns false. */
bool ksiWorkerWait(ksiWorker *worker);

/* false: ksiWorkerWait has failed, or would fail. */
bool ksiWorkerIsSound(ksiWorker *worker);

#endif

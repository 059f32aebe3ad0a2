/* worker.h  One job at a time for another thread: the host's own threads, or one of ours. */
#ifndef KSI_BASE_WORKER_H
#define KSI_BASE_WORKER_H

#include "memory.h"

#include <stdbool.h>

typedef struct ksiWorker ksiWorker;

/* executor: copied; NULL: a thread of its own, which is started with the first job, and if there is
 * none the caller of ksiWorkerWait. KS_OK or KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiWorkerCreate(const ksAllocator *allocator, const ksExecutor *executor, ksJobFn *fn, void *of,
                                     ksiWorker **worker);

/* After the last job has been done; or it is forgotten, if it has not begun. */
void ksiWorkerDestroy(ksiWorker *worker);

/* fn(of) is to be called once. None is under way. */
void ksiWorkerPost(ksiWorker *worker);

/* Returns when the last job is done. One that has not begun is done here. false: it never will be,
 * since this is a child of the process in which it had begun; so it is from then on. */
bool ksiWorkerWait(ksiWorker *worker);

/* false: this is such a child. */
bool ksiWorkerIsSound(ksiWorker *worker);

#endif

/** @file status.h  Statuses, export macro, allocator and executor, for all headers of Kinetostat.
 *
 *  Every call that can fail returns a ksStatus. 0 is success. On failure the outputs are unchanged
 *  and nothing is lost. The library never prints, exits or aborts.
 *
 *  Programs keep working with later versions of the shared library that have the same soname. In
 *  such a version
 *    functions    keep their names and arguments
 *    enumerators  keep their numbers; new ones follow them
 *    structs      keep their sizes and the offsets of their fields; new fields take the front of
 *                 `reserved`
 *    ksStepReport, ksThresholdEvent  belong to the library, are passed by pointer, and can also
 *                 grow at the end
 *    ksWrench, ksProbe, ksDual, ksAllocator, ksExecutor  have no `reserved` and never change
 *  In a struct that the host fills, `reserved` must be zero: use the ...Init function, or {0}. Do
 *  not read it in a struct that the library fills.
 */
#ifndef KINETOSTAT_STATUS_H
#define KINETOSTAT_STATUS_H

#include <stddef.h>

#if defined __GNUC__
#define KS_API __attribute__((visibility("default")))
#define KS_MUST_USE __attribute__((warn_unused_result))
#else
#define KS_API
#define KS_MUST_USE
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** The result of a call. */
typedef enum ksStatus {
    KS_OK = 0,
    KS_ERROR_BAD_ARGUMENT,          /**< NULL, out of range, or not an object of this world */
    KS_ERROR_NO_MEMORY,             /**< out of memory; everything is as before the call */
    KS_ERROR_UNSUPPORTED_ENGINE,    /**< the engine's private layout is unknown */
    KS_ERROR_REENTRY,               /**< called from a callback of this inspector, or of this
                                         mechanism */
    KS_ERROR_BRACKET,               /**< an end without a beginning, two beginnings, or brackets of
                                         two inspectors that cross */
    KS_ERROR_ENGINE,                /**< the engine refused to step */
    KS_ERROR_NOT_FINITE,            /**< a NaN or an infinity in a body, a row or an argument */
    KS_ERROR_NOT_POSITIVE_DEFINITE, /**< a mass block has no Cholesky factor */
    KS_ERROR_SINGULAR,              /**< the rows are dependent, and the method cannot continue */
    KS_ERROR_INCONSISTENT,          /**< dependent rows demand contradictory accelerations: no free
                                         coordinates satisfy all of them (Paulus 1910, assumption
                                         1) */
    KS_ERROR_BOUND,                 /**< a bounded row's multiplier would leave its bounds */
    KS_ERROR_NOT_ADMISSIBLE,        /**< the direction violates another row, J_r w != 0: a relaxed
                                         coordinate must satisfy all rows but its own (Paulus 1910,
                                         assumption 2) */
    KS_ERROR_NOT_RELAXING,          /**< the direction satisfies its own row, J_l w = 0 (Paulus
                                         1910, footnote to assumption 3) */
    KS_ERROR_REDUNDANT,             /**< a row depends on other rows, and no coordinate relaxes it
                                         alone (assumption 2); or a sum is not unique */
    KS_ERROR_NO_ANCHOR,             /**< this type of joint has no anchor */
    KS_ERROR_UNAVAILABLE,           /**< the value was not computed in this step */
    KS_ERROR_ENDED,                 /**< the subscription has already ended */
    KS_ERROR_FILE                   /**< a file cannot be read or written */
} ksStatus;

/** The name of the enumerator, such as "KS_ERROR_NO_MEMORY"; "KS_STATUS_UNKNOWN" for any other
 *  number. Static storage. */
KS_API const char *ksStatusName(ksStatus status);

/** The last error of this thread in words: which function failed, which argument is wrong, and why.
 *  "ksInspectorStep: stepSize is -0.01, must be finite and > 0". Every function that returns a
 *  status sets this message when it fails, and leaves it unchanged when it succeeds. The message is
 *  for people: programs compare statuses.
 *  @return never NULL; "" before the first error. Owned by the library, and valid until the thread
 *          ends, also after objects are destroyed; the next error of the thread overwrites it */
KS_API const char *ksErrorMessage(void);

/** Sets the ksErrorMessage of this thread to "<function>: <words>", for libraries that build on
 *  this one.
 *  @param[in] function  copied
 *  @param[in] words     copied; NULL: the status in words. A very long message is truncated
 *  @return status */
KS_API ksStatus ksErrorSet(ksStatus status, const char *function, const char *words);

/** A force and a torque on a body; N and N.m. */
typedef struct ksWrench {
    double force[3], torque[3];
} ksWrench;

/** The allocator of an object. All zero: the C library's.
 *  resize(user, NULL, n) allocates, resize(user, p, n) reallocates, resize(user, p, 0) frees and
 *  returns NULL. A NULL for n > 0 means out of memory; p is then still valid. */
typedef struct ksAllocator {
    void *(*resize)(void *user, void *memory, size_t size);
    void *user;
} ksAllocator;

/** A job of the library: fn(job), once. */
typedef void ksJobFn(void *job);

/** Threads of the host that inspect steps (ksInspectorOptions::latency, workers). An inspector has
 *  one job for each worker, and one less with KS_SAME_STEP. Each has a fixed `job` pointer, and is
 *  posted again only after a wait for it.
 *    post(fn, job, user)  calls fn(job) on any thread, immediately or later
 *    wait(job, user)      returns after the last posted fn(job) has returned; `wait` can call
 *                         fn(job) itself. The library calls `wait` once for each post, on the
 *                         thread that posted. If the job has not begun when `wait` returns, the
 *                         library does the job on that thread
 *  With one worker, or none, the thread that posts is the thread that uses the inspector. With
 *  several workers a number of jobs can be posted before the first wait, and with KS_NEXT_STEP the
 *  first job posts the other jobs and waits for them. So both functions are also called from the
 *  host's threads, and `wait` must call fn(job) itself if all other threads may be waiting. */
typedef struct ksExecutor {
    void (*post)(ksJobFn *fn, void *job, void *user);
    void (*wait)(void *job, void *user);
    void *user;
} ksExecutor;

#ifdef __cplusplus
}
#endif
#endif

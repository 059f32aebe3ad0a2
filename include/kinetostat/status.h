/** @file status.h  Statuses, export macro and allocator: what both halves of Kinetostat share.
 *
 *  Every call that can fail returns a ksStatus. 0 is success. On failure the outputs are unchanged and
 *  nothing is lost. The library never prints, exits or aborts.
 *
 *  Programs keep working with later versions of the shared library that have the same soname. There
 *    functions    keep their names and arguments
 *    enumerators  keep their numbers; new ones come behind them
 *    structs      keep their sizes and the places of their fields; new fields are cut from the front of `reserved`
 *    ksStepReport, ksThresholdEvent  belong to the library, come by pointer, and may also grow at the end
 *    ksWrench, ksProbe, ksDual, ksAllocator, ksExecutor  have no `reserved` and never change
 *  In a struct that the host fills, `reserved` has to be zero: use the ...Init function, or {0}. In one that the library
 *  fills it is not to be read.
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

/** What a call answers. */
typedef enum ksStatus {
    KS_OK = 0,
    KS_ERROR_BAD_ARGUMENT,          /**< NULL, out of range, or not an object of this world */
    KS_ERROR_NO_MEMORY,             /**< the allocator refused; everything is as before the call */
    KS_ERROR_UNSUPPORTED_ENGINE,    /**< the engine's private layout is not one that is known */
    KS_ERROR_REENTRY,               /**< called from one of this inspector's, or this mechanism's, own callbacks */
    KS_ERROR_BRACKET,               /**< End without Begin, Begin twice, or two inspectors' brackets that cross */
    KS_ERROR_ENGINE,                /**< the engine itself refused to step */
    KS_ERROR_NOT_FINITE,            /**< a NaN or an infinity in a body, a row or an argument */
    KS_ERROR_NOT_POSITIVE_DEFINITE, /**< a mass block has no Cholesky factor */
    KS_ERROR_SINGULAR,              /**< the rows are dependent and the method cannot go on */
    KS_ERROR_INCONSISTENT, /**< dependent rows demand contradicting accelerations: no free coordinates keep all of them
                                  (Paulus 1910, assumption 1) */
    KS_ERROR_BOUND,        /**< a bounded row's multiplier would leave its bounds */
    KS_ERROR_NOT_ADMISSIBLE, /**< the direction violates another row, J_r w != 0: a relaxed coordinate has to keep all rows
                                  but its own (Paulus 1910, assumption 2) */
    KS_ERROR_NOT_RELAXING, /**< the direction keeps its own row, J_l w = 0 (Paulus 1910, footnote to assumption 3) */
    KS_ERROR_REDUNDANT,    /**< a row depends on others, and no coordinate relaxes it alone (assumption 2); or a sum is
                                  not unique */
    KS_ERROR_NO_ANCHOR,    /**< this type of joint has no anchor */
    KS_ERROR_UNAVAILABLE,  /**< the value was not computed in this step */
    KS_ERROR_ENDED,        /**< the subscription has ended already */
    KS_ERROR_FILE          /**< a file cannot be read or written */
} ksStatus;

/** The enumerator's own name, "KS_ERROR_NO_MEMORY"; "KS_STATUS_UNKNOWN" for any other number. Static storage. */
KS_API const char *ksStatusName(ksStatus status);

/** The last error of this thread in words: which function failed, which argument is wrong, and why.
 *  "ksInspectorStep: stepSize is -0.01, must be finite and > 0". Every function that returns a status sets it when it
 *  fails; one that succeeds leaves it as it is. For people to read: programs compare statuses.
 *  @return never NULL; "" before the first error. Owned by the library, and valid until the thread ends; the next error
 *          of the thread writes over it. Objects may be destroyed in between */
KS_API const char *ksErrorMessage(void);

/** For libraries on top of this one: makes "<function>: <words>" the ksErrorMessage of this thread.
 *  @param[in] function  copied
 *  @param[in] words     copied; NULL: the status in words. A very long message is cut
 *  @return status */
KS_API ksStatus ksErrorSet(ksStatus status, const char *function, const char *words);

/** A force and a torque on a body; N and N.m. */
typedef struct ksWrench {
    double force[3], torque[3];
} ksWrench;

/** Where an object takes its memory from. All zero: the C library.
 *  resize(user, NULL, n) allocates, resize(user, p, n) reallocates, resize(user, p, 0) frees and returns NULL.
 *  A NULL for n > 0 means out of memory; p is then still valid. */
typedef struct ksAllocator {
    void *(*resize)(void *user, void *memory, size_t size);
    void *user;
} ksAllocator;

/** A job of the library: fn(job), once. */
typedef void ksJobFn(void *job);

/** Threads of the host on which steps are inspected (ksInspectorOptions::latency, workers). An inspector has as many jobs as it has
 *  workers, and one less with KS_SAME_STEP; each has a `job` of its own, always the same, and is posted again only after it was
 *  waited for.
 *    post(fn, job, user)  has fn(job) called, on any thread, at once or later
 *    wait(job, user)      returns when the last fn(job) that was posted has returned; the call may be made here. Called once for each
 *                         post, on the thread that posted it. If the job has not begun by then, the library does it there
 *  With one worker, or none, that is the thread that uses the inspector. With several workers a number of jobs may be posted before
 *  the first of them is waited for, and with KS_NEXT_STEP the first job posts the others and waits for them. So both calls come from
 *  the host's threads too, and `wait` has to make the call itself where all threads that could may be waiting. */
typedef struct ksExecutor {
    void (*post)(ksJobFn *fn, void *job, void *user);
    void (*wait)(void *job, void *user);
    void *user;
} ksExecutor;

#ifdef __cplusplus
}
#endif
#endif

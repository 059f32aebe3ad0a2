/** @file report.h  What was found in a run, summed up: for people, for programs, for CI. Library libkinetostat-report
 *  (pkg-config kinetostat-report).
 *
 *      ksReport *report;
 *      ksReportCreate(NULL, &report);
 *      ksReportWatch(report, inspector, "arm");
 *      ...
 *      ksReportWrite(report, KS_REPORT_TEXT, "arm.txt");
 *      ksReportDestroy(report);
 *
 *  With ksReportOptions::adviseEvery the report steps copies of the world: the host's own motion, feedback and random numbers stay
 *  bitwise the same. The copies are gone with the inspector or the report, whichever goes first: one of these before dCloseODE.
 *
 *  The documents are described in docs/reports.md. One thread at a time uses a report: the thread that steps its worlds.
 */
#ifndef KINETOSTAT_REPORT_H
#define KINETOSTAT_REPORT_H

#include <kinetostat/kinetostat.h>

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ksReport ksReport;

/** The forms in which a report is written; all are UTF-8. */
typedef enum ksReportFormat {
    KS_REPORT_TEXT, /**< for people, on a screen: what came of all worlds, what to do, the worst world and its worst joints */
    KS_REPORT_JSON,  /**< for programs: all that was found, see docs/reports.md */
    KS_REPORT_JUNIT, /**< for CI: a test case for each joint, which fails by ksReportOptions::limit; an error where it is not known to pass */
    KS_REPORT_HTML, /**< a page with charts, and with the run in motion, for a browser, in one file that loads nothing from elsewhere:
                       below 2 MB, and ksReportOptions::frameBytes */
    KS_REPORT_TEXT_ALL,    /**< for people: each world, each joint */
    KS_REPORT_DATA,        /**< for `kinetostat merge`, of the same version: all of it, to the bit; not text */
    KS_REPORT_RUNS,        /**< for tables: a line of CSV for each run, the worst first; of a host its own */
    KS_REPORT_SUPPRESSIONS /**< for `kinetostat --suppress`: an entry for each finding */
} ksReportFormat;

/** How wrong the forces of joints may be. Call ksReportLimitInit, then change members. The default of a member stands
 *  first. */
typedef struct ksReportLimit {
    size_t size;  /**< sizeof(ksReportLimit); set by ksReportLimitInit */
    double above; /**< 0.05: a joint with a larger error fails; relative, see ksInspectorOptions */
    double
        percentile; /**< 95: of the joint's errors over its steps, the one that counts; in (0, 100], 100: the largest */
    ksValue
        value; /**< KS_PHYSICAL: engine against physical, beyond its bar (ksReaction::physicalError less physicalErrorBar); or KS_CONVERGED:
                      engine against converged (ksReaction::error) */
    const char *joints; /**< NULL: every joint; else those whose names match this pattern (* ? [...]) */
    double floor;       /**< 0: joints whose force stays below it, N (and torque, N.m), are not judged */
    double reserved[4];
} ksReportLimit;

/** Sets the defaults. NULL is fine. */
KS_API void ksReportLimitInit(ksReportLimit *limit);

/** Options. Call ksReportOptionsInit, then change members. The default of a member stands first. */
typedef struct ksReportOptions {
    size_t size;         /**< sizeof(ksReportOptions); set by ksReportOptionsInit */
    const char *joints;  /**< NULL: every joint; else those whose names match this pattern (* ? [...]); copied */
    unsigned types;      /**< 0: every type; else bits 1u << dJointType */
    double from, to;     /**< 0, infinite: only steps that begin at a time of the inspector in [from, to); s */
    size_t textJoints;   /**< 0: as many joints of a world in the text as fit on its screen; else so many */
    ksReportLimit limit; /**< by which joints fail in all documents, and advice is found; its pattern is copied */
    ksAllocator
        allocator; /**< all zero: the C library. Documents and copies of worlds are made with the C library's own */
    unsigned long
        adviseEvery; /**< 0: none; else one of so many steps is made again in a copy of the world, by dWorldQuickStep
                                    with 10 to 1000 iterations, and the report tells how many are enough. 200 is sensible */
    double
        frameRate; /**< 30: frames of the run in the page, for each second of the world's time, of the first 64 worlds, at most one
                         for a step; 0: none */
    size_t frameBytes; /**< 5000000: of these in the page; more become fewer frames. In memory six times as many */
    double reserved[2];
} ksReportOptions;

/** Sets the defaults. NULL is fine. */
KS_API void ksReportOptionsInit(ksReportOptions *options);

/** Makes an empty report.
 *  @param[in]  options  NULL: the defaults; copied
 *  @param[out] report   owned by the caller, who calls ksReportDestroy
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY */
KS_API KS_MUST_USE ksStatus ksReportCreate(const ksReportOptions *options, ksReport **report);

/** Frees the report; it does not watch any longer. NULL is fine. Inspectors that it watches may be there or gone. Not from a
 *  callback of an inspector that it watches. */
KS_API void ksReportDestroy(ksReport *report);

/** From now on, sums up each step of this inspector. Two inspectors are two worlds in the report. What other callbacks
 *  have done to the world since the step does not matter. A step for which there was no memory counts as left out.
 *  @param     inspector  may be destroyed before the report, and after it
 *  @param[in] world      a name for people; copied. NULL: "world 1", in the order of these calls
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY */
KS_API KS_MUST_USE ksStatus ksReportWatch(ksReport *report, ksInspector *inspector, const char *world);

/** Writes the report to a file. Readers see the old file or the whole new one: it is written beside it and renamed. What is
 *  not a regular file, such as a pipe, is written directly.
 *  @param[in] path  a file
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY, KS_ERROR_FILE (ksErrorMessage says which, and why),
 *          KS_ERROR_UNAVAILABLE (HTML, and this library was built without it) */
KS_API KS_MUST_USE ksStatus ksReportWrite(const ksReport *report, ksReportFormat format, const char *path);

/** Writes the report to a stream, and flushes it.
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY, KS_ERROR_FILE, KS_ERROR_UNAVAILABLE (as ksReportWrite) */
KS_API KS_MUST_USE ksStatus ksReportPrint(const ksReport *report, ksReportFormat format, FILE *stream);

/** Counts the joints, of all worlds, that fail by a limit, or come apart. A joint is judged if it comes apart (a finding of the documents), or if its
 *  force was compared in at least one step: of all steps with a verdict, those in which a part of its wrench is determined. Contacts are not judged. A joint that does not fail is
 *  not known to pass if in any step the forces do not explain the motion (KS_UNEXPLAINED), or if it could fail by its steps without a
 *  verdict (KS_UNCHECKED), whatever their errors are.
 *  @param[in]  limit     NULL: ksReportOptions::limit
 *  @param[out] failures  joints whose error is above it, or that come apart
 *  @return KS_OK (all others pass), KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY, KS_ERROR_UNAVAILABLE (no joint was judged; or one is not
 *          known to pass, or a world was never stepped: ksErrorMessage names the first; *failures is set) */
KS_API KS_MUST_USE ksStatus ksReportCheck(const ksReport *report, const ksReportLimit *limit, size_t *failures);

/** Proposes limits for ksInspectorOnThreshold from what joints have borne: `factor` times the force, and the torque, that
 *  `percentile` % of the steps did not exceed.
 *
 *      ksThresholdInit(&limits);
 *      status = ksLimitsFromRun(report, "elbow", 99.9, 3, &limits);
 *
 *  These are sizes of the physical wrench on body 0, about the anchor (without one the mass centre), in the steps in which it was known,
 *  without its bar; to 0.5 %, of 100 % the largest one to the bit. Where in any step the joint shared a force (a torque) with others, so
 *  that it was not unique, what elastic joints carry counts as well (KS_SHARED, which a threshold watches by default); and where that was
 *  not known, there is no limit.
 *  @param[in]     joints      whose names in the report match this pattern (* ? [...]), or that ksInspectorSetName gave; of several, in all
 *                             worlds, the largest load counts. NULL: every joint
 *  @param         percentile  in (0, 100]
 *  @param         factor      > 0, finite
 *  @param[in,out] limits      as ksThresholdInit sets them: body 0, KS_POINT_ANCHOR. forceMagnitude and torqueMagnitude are set, on KS_OK
 *                             alone; INFINITY where the load is not known or is nothing but rounding
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY, KS_ERROR_UNAVAILABLE (no such joint was solved in any step) */
KS_API KS_MUST_USE ksStatus ksLimitsFromRun(const ksReport *report, const char *joints, double percentile,
                                            double factor, ksThreshold *limits);

#ifdef __cplusplus
}
#endif
#endif

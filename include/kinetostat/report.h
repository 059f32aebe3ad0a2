/** @file report.h  Reports on a run: for people, for programs, for CI. Library libkinetostat-report
 *  (pkg-config kinetostat-report).
 *
 *      ksReport *report;
 *      ksReportCreate(NULL, &report);
 *      ksReportWatch(report, inspector, "arm");
 *      ...
 *      ksReportWrite(report, KS_REPORT_TEXT, "arm.txt");
 *      ksReportDestroy(report);
 *
 *  With ksReportOptions::adviseEvery the report steps copies of the world; the host's motion,
 *  feedback and random numbers stay bitwise the same. Destroying the inspector or the report frees
 *  the copies: destroy one of them before dCloseODE.
 *
 *  docs/reports.md describes the documents. Use a report from one thread at a time, the thread that
 *  steps its worlds.
 */
#ifndef KINETOSTAT_REPORT_H
#define KINETOSTAT_REPORT_H

#include <kinetostat/kinetostat.h>

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ksReport ksReport;

/** The formats of a report; all text is UTF-8. */
typedef enum ksReportFormat {
    KS_REPORT_TEXT,        /**< for a screen: the results of all worlds, advice, the worst world and
                                its worst joints */
    KS_REPORT_JSON,        /**< for programs: all results, see docs/reports.md */
    KS_REPORT_JUNIT,       /**< for CI: a test case for each joint, which fails if the joint exceeds
                                ksReportOptions::limit; an error if its result is unknown */
    KS_REPORT_HTML,        /**< for a browser: charts and an animation of the run, in one file
                                without external resources, below 2 MB plus
                                ksReportOptions::frameBytes */
    KS_REPORT_TEXT_ALL,    /**< for people: every world, every joint */
    KS_REPORT_DATA,        /**< for `kinetostat merge` of the same version: complete, to the bit;
                                binary */
    KS_REPORT_RUNS,        /**< for tables: a line of CSV for each run, the worst first. A host's
                                own report has one line */
    KS_REPORT_SUPPRESSIONS /**< for `kinetostat --suppress`: an entry for each finding */
} ksReportFormat;

/** A limit on the error of joint forces. Call ksReportLimitInit, then change members. Each member's
 *  comment begins with its default. */
typedef struct ksReportLimit {
    size_t size;        /**< sizeof(ksReportLimit); set by ksReportLimitInit */
    double above;       /**< 0.05: a joint with a larger error fails; relative, see
                             ksInspectorOptions */
    double percentile;  /**< 95: `above` limits this percentile of the joint's errors over its
                             steps; in (0, 100]; 100: the largest error */
    ksValue value;      /**< KS_PHYSICAL: engine against physical, less its bar
                             (ksReaction::physicalError less physicalErrorBar); or KS_CONVERGED:
                             engine against converged (ksReaction::error) */
    const char *joints; /**< NULL: every joint; else joints whose names match this pattern (* ?
                             [...]) */
    double floor;       /**< 0: joints whose force, N (and torque, N.m), stays below this value are
                             not judged */
    double reserved[4];
} ksReportLimit;

/** Sets the defaults. NULL is fine. */
KS_API void ksReportLimitInit(ksReportLimit *limit);

/** Options. Call ksReportOptionsInit, then change members. Each member's comment begins with its
 *  default. */
typedef struct ksReportOptions {
    size_t size;               /**< sizeof(ksReportOptions); set by ksReportOptionsInit */
    const char *joints;        /**< NULL: every joint; else joints whose names match this pattern (*
                                    ? [...]); copied */
    unsigned types;            /**< 0: every type; else bits 1u << dJointType */
    double from, to;           /**< 0, infinite: only steps that begin at an inspector's time in
                                    [from, to); s */
    size_t textJoints;         /**< 0: number of joints of a world in the text; 0: as many as fit on
                                    a screen */
    ksReportLimit limit;       /**< decides in all documents which joints fail, and selects advice;
                                    its pattern is copied */
    ksAllocator allocator;     /**< all zero: the C library's. Documents and copies of worlds always
                                    use the C library's */
    unsigned long adviseEvery; /**< 0: none; n: every n-th step is repeated in a copy of the world,
                                    by dWorldQuickStep with 10 to 1000 iterations, and the report
                                    says how many iterations are enough. 200 is sensible */
    double frameRate;          /**< 30: frames of the animation for each second of the world's time,
                                    for the first 64 worlds, at most one for each step; 0: none */
    size_t frameBytes;         /**< 5000000: size limit of the frames in the page; longer runs have
                                    fewer frames per second. In memory the frames take six times as
                                    much */
    double reserved[2];
} ksReportOptions;

/** Sets the defaults. NULL is fine. */
KS_API void ksReportOptionsInit(ksReportOptions *options);

/** Makes an empty report.
 *  @param[in]  options  NULL: the defaults; copied
 *  @param[out] report   owned by the caller, who calls ksReportDestroy
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY */
KS_API KS_MUST_USE ksStatus ksReportCreate(const ksReportOptions *options, ksReport **report);

/** Frees the report. NULL is allowed. The watched inspectors may already be destroyed. Do not call
 *  this from a callback of a watched inspector. */
KS_API void ksReportDestroy(ksReport *report);

/** Adds each further step of this inspector to the report. Two inspectors are two worlds in the
 *  report. Changes that other callbacks make to the world after the step do not matter. A step
 *  without enough memory counts as omitted.
 *  @param     inspector  can be destroyed before or after the report
 *  @param[in] world      a name for people; copied. NULL: "world 1", in the order of these calls
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY */
KS_API KS_MUST_USE ksStatus ksReportWatch(ksReport *report, ksInspector *inspector, const char *world);

/** Writes the report to a file. Readers see either the old file or the complete new file, which is
 *  written beside the old file and renamed. Pipes and other special files are written directly.
 *  @param[in] path  a file
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY, KS_ERROR_FILE (ksErrorMessage says
 *          which, and why), KS_ERROR_UNAVAILABLE (HTML, but this library was built without it) */
KS_API KS_MUST_USE ksStatus ksReportWrite(const ksReport *report, ksReportFormat format, const char *path);

/** Writes the report to a stream, and flushes it.
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY, KS_ERROR_FILE, KS_ERROR_UNAVAILABLE
 *          (as ksReportWrite) */
KS_API KS_MUST_USE ksStatus ksReportPrint(const ksReport *report, ksReportFormat format, FILE *stream);

/** Counts the joints of all worlds that exceed a limit or come apart. A joint is judged if it comes
 *  apart (a finding of the documents), or if its force was compared in at least one step. Such a
 *  step has a verdict, and a part of the wrench is determined. Contacts are not judged. The result
 *  of a joint is unknown if the forces do not explain the motion in some step (KS_UNEXPLAINED), or
 *  if its unchecked steps (KS_UNCHECKED) could make it fail.
 *  @param[in]  limit     NULL: ksReportOptions::limit
 *  @param[out] failures  joints whose error exceeds the limit, or that come apart
 *  @return KS_OK (all other joints pass), KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY,
 *          KS_ERROR_UNAVAILABLE (no joint was judged; or a result is unknown, or a world was never
 *          stepped: ksErrorMessage names the first such joint or world; *failures is set) */
KS_API KS_MUST_USE ksStatus ksReportCheck(const ksReport *report, const ksReportLimit *limit, size_t *failures);

/** Proposes limits for ksInspectorOnThreshold from the loads of a run: `factor` times the force,
 *  and the torque, that `percentile` % of the steps do not exceed.
 *
 *      ksThresholdInit(&limits);
 *      status = ksLimitsFromRun(report, "elbow", 99.9, 3, &limits);
 *
 *  The loads are magnitudes of the physical wrench on body 0, about the anchor (or the mass centre
 *  if there is none), in the steps in which this wrench is known, without its bar. They are
 *  resolved to 0.5 %; at 100 % the largest load is exact. If the joint ever shared its force or
 *  torque with other joints in an undetermined way, the share of elastic joints counts (KS_SHARED,
 *  the default of a threshold). If that share is unknown, there is no limit.
 *  @param[in]     joints      a pattern (* ? [...]) of names in the report, or of
 *                             ksInspectorSetName; the largest load of all matching joints in all
 *                             worlds counts. NULL: every joint
 *  @param         percentile  in (0, 100]
 *  @param         factor      > 0, finite
 *  @param[in,out] limits      as set by ksThresholdInit: body 0, KS_POINT_ANCHOR. forceMagnitude
 *                             and torqueMagnitude are set, on KS_OK only; INFINITY if the load is
 *                             unknown or nothing but rounding
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY, KS_ERROR_UNAVAILABLE (no such joint
 *          was solved in any step) */
KS_API KS_MUST_USE ksStatus ksLimitsFromRun(const ksReport *report, const char *joints, double percentile,
                                            double factor, ksThreshold *limits);

#ifdef __cplusplus
}
#endif
#endif

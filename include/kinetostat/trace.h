/** @file trace.h  Writes the joint forces and verdicts of each step to a file: CSV, HDF5 or MCAP; or
 *  the times of their inspection. Library libkinetostat-report (pkg-config kinetostat-report).
 *
 *      ksTrace *trace;
 *      ksTraceCreate("arm.h5", NULL, &trace);
 *      ksTraceWatch(trace, inspector, "arm");
 *      ...                                     steps
 *      ksTraceClose(trace);
 *
 *  docs/traces.md describes each format and how to read it.
 *
 *  Calls on traces, and steps of traced worlds, can come from several threads: they wait for each
 *  other. The HDF5 library is often built for one thread: a host that also uses HDF5 must then not
 *  use it at the same time. A child of fork() writes nothing, however it ends.
 */
#ifndef KINETOSTAT_TRACE_H
#define KINETOSTAT_TRACE_H

#include <kinetostat/kinetostat.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ksTrace ksTrace;

typedef enum ksTraceFormat {
    KS_TRACE_BY_NAME, /**< by the extension of the file: .csv, .h5, .hdf5, .mcap or .json, in upper
                           or lower case */
    KS_TRACE_CSV,     /**< text: a file for each table */
    KS_TRACE_HDF5,    /**< one file, compressed, that can be read while it is written */
    KS_TRACE_MCAP,    /**< one file for PlotJuggler and Foxglove: messages of JSON, a channel for
                           each joint, and scenes */
    KS_TRACE_EVENTS   /**< no joints: the times of the inspection, by step and phase, for
                           ui.perfetto.dev */
} ksTraceFormat;

typedef enum ksTraceLevel {
    KS_TRACE_WRENCHES, /**< a line for each joint and step, each pair of ksInspectorPair and step,
                            and each step */
    KS_TRACE_ROWS,     /**< also a line for each constraint row */
    KS_TRACE_RAW       /**< a recording: the complete input of each step, as HDF5, for
                            `kinetostat judge FILE`. It has all joints with their names, and no
                            results of this inspector. Steps of ksInspectorExactStep cannot be
                            recorded: after ksTraceFlush and ksTraceClose, ksErrorMessage says how
                            many are missing */
} ksTraceLevel;

/** Options. Call ksTraceOptionsInit, then change members. Each member's comment begins with its
 *  default. */
typedef struct ksTraceOptions {
    size_t size;              /**< sizeof(ksTraceOptions); set by ksTraceOptionsInit */
    ksTraceFormat format;     /**< KS_TRACE_BY_NAME */
    ksTraceLevel level;       /**< KS_TRACE_WRENCHES */
    const char *joints;       /**< NULL: all; else joints whose names match this pattern of
                                   fnmatch(3): "left *", "hinge [12]*". Copied */
    unsigned jointTypes;      /**< 0: all; else bits 1u << dJointType... */
    unsigned long every;      /**< 1: traces steps whose number is a multiple of `every` */
    double begin, end;        /**< s; 0, infinity: steps with begin <= time < end */
    unsigned long flushSteps; /**< 0: no limit; else the largest number of traced steps in memory */
    double flushSeconds;      /**< 1: the longest time that a step stays in memory, in seconds of
                                   wall clock, checked at each step */
    int compression;          /**< 1: deflate level of HDF5, from 0 (none) to 9 (smallest file) */
    double reserved[8];
} ksTraceOptions;

/** Sets the defaults. NULL is fine. */
KS_API void ksTraceOptionsInit(ksTraceOptions *options);

/** Creates the file, or overwrites an existing file. For CSV, "arm.csv" has a line for each joint
 *  and step; the other tables are "arm.steps.csv", "arm.motors.csv", "arm.pairs.csv",
 *  "arm.joints.csv" and "arm.rows.csv".
 *  @param[in]  path     the file
 *  @param[in]  options  NULL: the defaults; copied
 *  @param[out] trace    owned by the caller, who calls ksTraceClose
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: KS_TRACE_RAW as CSV, or with a selection of joints),
 *          KS_ERROR_NO_MEMORY, KS_ERROR_FILE */
KS_API KS_MUST_USE ksStatus ksTraceCreate(const char *path, const ksTraceOptions *options, ksTrace **trace);

/** Traces the inspected steps of a world, from the next step on. Trace and inspector can be
 *  destroyed in either order. After an error in a step the host's simulation continues untraced,
 *  and ksTraceFlush and ksTraceClose return the error.
 *  @param      inspector  of the world; do not call this from one of its callbacks
 *  @param[in]  world      its name in the file, copied; NULL or empty: "world 1", by number; the
 *                         second "arm" is "arm (2)". Unused with KS_TRACE_RAW
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY; KS_ERROR_FILE with KS_TRACE_RAW */
KS_API KS_MUST_USE ksStatus ksTraceWatch(ksTrace *trace, ksInspector *inspector, const char *world);

/** Stores a parameter of this run in a recording (KS_TRACE_RAW), for a study of many runs.
 *  `kinetostat judge` and `kinetostat merge` report the parameters of each run.
 *  KINETOSTAT_PARAM_mass=2.5 in the environment sets "mass" from the beginning.
 *  @param[in] name   not empty, without '='; copied
 *  @param[in] value  a text, often a number; copied; replaces an older value
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: names and values take more than 2 kB; not
 *          KS_TRACE_RAW), KS_ERROR_FILE */
KS_API KS_MUST_USE ksStatus ksTraceSetParameter(ksTrace *trace, const char *name, const char *value);

/** Writes all buffered steps. They are then in the file, whatever happens to the process.
 *  @return KS_OK; KS_ERROR_BAD_ARGUMENT; KS_ERROR_FILE (for instance a full disk: see
 *          ksErrorMessage) or KS_ERROR_NO_MEMORY, now or in an earlier step: the file ends before
 *          the step that failed, and nothing more is written; KS_ERROR_UNAVAILABLE with
 *          KS_TRACE_RAW: only steps of ksInspectorExactStep are missing */
KS_API KS_MUST_USE ksStatus ksTraceFlush(ksTrace *trace);

/** Writes all buffered steps, closes the file, and frees the trace, whatever it returns. NULL is
 *  allowed.
 *  @return as ksTraceFlush */
KS_API ksStatus ksTraceClose(ksTrace *trace);

#ifdef __cplusplus
}
#endif
#endif

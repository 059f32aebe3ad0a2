/** @file trace.h  Joint forces and verdicts of each step in a file: CSV, HDF5, or MCAP; or the time that their inspection took.
 *  Library libkinetostat-report (pkg-config kinetostat-report).
 *
 *      ksTrace *trace;
 *      ksTraceCreate("arm.h5", NULL, &trace);
 *      ksTraceWatch(trace, inspector, "arm");
 *      ...                                     steps
 *      ksTraceClose(trace);
 *
 *  docs/traces.md has the layout of each format, and how to read them.
 *
 *  Calls on traces, and steps of worlds that have one, may come from several threads: they wait for each other. The HDF5
 *  library itself is often built for one thread: then a host that uses it as well must not do so at the same time.
 *  A child of fork() writes nothing, however it ends.
 */
#ifndef KINETOSTAT_TRACE_H
#define KINETOSTAT_TRACE_H

#include <kinetostat/kinetostat.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ksTrace ksTrace;

typedef enum ksTraceFormat {
    KS_TRACE_BY_NAME, /**< by the end of the file's name: .csv, .h5, .hdf5, .mcap or .json, in any case */
    KS_TRACE_CSV,     /**< text: a file for each table */
    KS_TRACE_HDF5,    /**< one file, compressed, that others may read while it is written */
    KS_TRACE_MCAP,    /**< one file for PlotJuggler and Foxglove: messages of JSON, a channel for each joint */
    KS_TRACE_EVENTS   /**< no joints: how long the inspection itself took, by steps and phases, for ui.perfetto.dev */
} ksTraceFormat;

typedef enum ksTraceLevel {
    KS_TRACE_WRENCHES, /**< a line for each joint and step, and one for each step */
    KS_TRACE_ROWS,     /**< and one for each constraint row */
    KS_TRACE_RAW /**< another file: all that a judgement of each step needs, as HDF5, for `kinetostat judge FILE`. All
                            joints are in it, with their names; not what this inspector finds. Steps of ksInspectorExactStep cannot
                            be: ksTraceFlush and ksTraceClose tell how many were left out */
} ksTraceLevel;

/** Options. Call ksTraceOptionsInit, then change members. The default of a member stands first. */
typedef struct ksTraceOptions {
    size_t size;          /**< sizeof(ksTraceOptions); set by ksTraceOptionsInit */
    ksTraceFormat format; /**< KS_TRACE_BY_NAME */
    ksTraceLevel level;   /**< KS_TRACE_WRENCHES */
    const char *joints; /**< NULL: all; else those whose name matches, "left *", "hinge [12]*"; as fnmatch(3). Copied */
    unsigned jointTypes;      /**< 0: all; else bits 1u << dJointType... */
    unsigned long every;      /**< 1: steps whose number is a multiple of it */
    double begin, end;        /**< s; 0, infinity: steps with begin <= time < end */
    unsigned long flushSteps; /**< 0: by time alone; else so many traced steps at most wait in memory */
    double flushSeconds;      /**< 1: they wait no longer than so many seconds of wall clock, seen at the next step */
    int compression;          /**< 1: deflate, of HDF5; 0: none, to 9: smallest file */
    double reserved[8];
} ksTraceOptions;

/** Sets the defaults. NULL is fine. */
KS_API void ksTraceOptionsInit(ksTraceOptions *options);

/** Makes the file, or writes over one that is there. CSV: "arm.csv" has a line for each joint and step; beside it
 *  come "arm.steps.csv", "arm.motors.csv", "arm.joints.csv" and "arm.rows.csv".
 *  @param[in]  path     of the file
 *  @param[in]  options  NULL: the defaults; copied
 *  @param[out] trace    owned by the caller, who calls ksTraceClose
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: KS_TRACE_RAW as CSV, or with joints chosen), KS_ERROR_NO_MEMORY, KS_ERROR_FILE,
 *          KS_ERROR_UNAVAILABLE (HDF5, and this library was built without it) */
KS_API KS_MUST_USE ksStatus ksTraceCreate(const char *path, const ksTraceOptions *options, ksTrace **trace);

/** Traces the inspected steps of a world, from the next one on. Trace and inspector may go in either order.
 *  What goes wrong in a step is remembered: ksTraceFlush and ksTraceClose tell. The host's simulation goes on, untraced.
 *  @param      inspector  of the world; not from one of its callbacks
 *  @param[in]  world      its name in the file, copied; NULL: "world 1", by number. Not with KS_TRACE_RAW
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY; KS_ERROR_FILE with KS_TRACE_RAW */
KS_API KS_MUST_USE ksStatus ksTraceWatch(ksTrace *trace, ksInspector *inspector, const char *world);

/** Keeps what this run is one of many for, in a recording (KS_TRACE_RAW): `kinetostat judge` and `kinetostat merge` tell of each run's parameters.
 *  What KINETOSTAT_PARAM_mass=2.5 in the environment says about "mass" is there from the beginning.
 *  @param[in] name   not empty, without '='; copied
 *  @param[in] value  a text, often a number; copied, in place of an older one of this name
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: names and values take more than 2 kB; not KS_TRACE_RAW), KS_ERROR_FILE */
KS_API KS_MUST_USE ksStatus ksTraceSetParameter(ksTrace *trace, const char *name, const char *value);

/** Writes what waits in memory. Thereafter it is in the file whatever happens to the process.
 *  @return KS_OK; KS_ERROR_BAD_ARGUMENT; KS_ERROR_FILE (a full disk; in words: ksErrorMessage), KS_ERROR_NO_MEMORY: now or in
 *          an earlier step. The file then ends before it, and no more is written; KS_ERROR_UNAVAILABLE with KS_TRACE_RAW: all is in
 *          the file but steps of ksInspectorExactStep */
KS_API KS_MUST_USE ksStatus ksTraceFlush(ksTrace *trace);

/** Writes what waits in memory, closes the file, and frees the trace, whatever it returns. NULL is fine.
 *  @return as ksTraceFlush */
KS_API ksStatus ksTraceClose(ksTrace *trace);

#ifdef __cplusplus
}
#endif
#endif

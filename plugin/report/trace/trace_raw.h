/* trace_raw.h  Traces of level KS_TRACE_RAW, which are recordings: an archive, and a recorder for
 * each world. */
#ifndef KSI_REPORT_TRACE_TRACE_RAW_H
#define KSI_REPORT_TRACE_TRACE_RAW_H

#include "trace.h"

/* A recorded world. */
typedef struct ksiRaw ksiRaw;

/* Creates the file. KS_OK, KS_ERROR_NO_MEMORY, KS_ERROR_FILE. words: [KSI_TRACE_WORDS]. */
KS_MUST_USE ksStatus ksiTraceOpenRaw(const char *path, int compression, char *words, ksiTraceFile **file);

/* Creates a recorder of the inspector's world; joints have their names from the inspector. KS_OK,
 * KS_ERROR_NO_MEMORY, KS_ERROR_FILE: the trace's words say why. */
KS_MUST_USE ksStatus ksiRawCreate(ksTrace *trace, const ksInspector *inspector, ksiRaw **raw);
void ksiRawDestroy(ksiRaw *raw); /* NULL is fine */

/* Does the work of ksTraceSetParameter. KS_OK, KS_ERROR_BAD_ARGUMENT: no name, or no room;
 * KS_ERROR_FILE. */
KS_MUST_USE ksStatus ksiRawSetParameter(ksTrace *trace, const char *name, const char *value);

/* Call it from ksInspectorOnEngineStep. An error becomes the trace's failure. */
void ksiRawStep(ksTrace *trace, ksiRaw *raw, const ksEngineStep *step);

/* Ends the steps of this world. */
void ksiRawEnd(ksTrace *trace, const ksiRaw *raw);

#endif

/* query.h  What the questions after a step share. They read the step, and write nothing of it. */
#ifndef KSI_QUERY_H
#define KSI_QUERY_H

#include "../inspector/inspector.h"

/* sum.c: ksInspectorSumWrenches, for who keeps the host's floating-point environment already */
KS_MUST_USE ksStatus ksiSumWrenches(ksInspector *inspector, const ksWrenchTerm *term, size_t count, ksValue value,
                                    const double *about, ksWrenchSum *out);

#endif

/* query.c  Checks the input of queries after a step: an inspected step, bodies and joints of this
 * step, and points on bodies. */
#include "query.h"

#include "../base/error.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* Room for an argument's name, such as "term[3].joint". */
enum { NAME = 64 };

ksStatus ksiRequireStep(const ksInspector *inspector, ksStatus otherwise)
{
    KSI_REQUIRE(!inspector->isOpen, "inspector is between ksInspectorBeginStep and ksInspectorEndStep");
    if (!ksiDeferredWait(inspector))
        return KSI_EXPLAIN(KS_ERROR_UNAVAILABLE, "the process was forked while a step was being inspected");
    return inspector->published.isKnown ? KS_OK : KSI_EXPLAIN(otherwise, "no step was inspected");
}

ksStatus ksiRequireSolver(const ksInspector *inspector)
{
    return inspector->step.isForeign
               ? KSI_EXPLAIN(KS_ERROR_UNAVAILABLE, "another engine solved the step: its equations are unknown")
               : KS_OK;
}

static ksStatus refuse(const char *what, const char *format, va_list value)
{
    char name[NAME];
    vsnprintf(name, sizeof name, format, value);
    return KSI_EXPLAIN(KS_ERROR_BAD_ARGUMENT, "%s is not a %s of the last step", name, what);
}

ksStatus ksiFindBody(const ksInspector *inspector, dBodyID body, int *index, const char *name, ...)
{
    ksStatus status = KS_OK;
    va_list value;
    va_start(value, name);
    *index = ksiPointersFind(&inspector->input.bodyIndex, body);
    if (*index < 0)
        status = refuse("body", name, value);
    va_end(value);
    return status;
}

ksStatus ksiFindJoint(const ksInspector *inspector, dJointID joint, int *index, const char *name, ...)
{
    ksStatus status = KS_OK;
    va_list value;
    va_start(value, name);
    *index = ksiPointersFind(&inspector->input.jointIndex, joint);
    if (*index < 0)
        status = refuse("joint", name, value);
    va_end(value);
    return status;
}

ksStatus ksiReadProbe(const ksInspector *inspector, const char *name, const ksBodyProbe *probe, int *index,
                      double direction[6])
{
    KSI_REQUIRE(probe, "%s is NULL", name);
    KSI_TRY(ksiFindBody(inspector, probe->body, index, "%s->body", name));
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += probe->axis[k] + (probe->couple ? 0 : probe->point[k]);
    if (!isfinite(sum))
        return KSI_EXPLAIN(KS_ERROR_NOT_FINITE, "%s has a NaN or an infinity", name);
    if (probe->couple)
        ksProbeCouple(probe->axis, direction);
    else
        ksProbeForce(inspector->step.body[*index].begin.centre, probe->point, probe->axis, direction);
    return KS_OK;
}

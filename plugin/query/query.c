/* query.c  What a question after a step needs: a step that was inspected, and bodies and joints that were in it. */
#include "query.h"

#include "../base/error.h"

#include <stdarg.h>
#include <stdio.h>

/* Of an argument: "term[3].joint". */
enum { NAME = 64 };

ksStatus ksiRequireStep(const ksInspector *inspector, ksStatus otherwise)
{
    KSI_REQUIRE(!inspector->isOpen, "inspector is between ksInspectorBeginStep and ksInspectorEndStep");
    if (!ksiSettle(inspector))
        return KSI_EXPLAIN(KS_ERROR_UNAVAILABLE, "the process was forked while a step was being inspected");
    return inspector->published.isKnown ? KS_OK : KSI_EXPLAIN(otherwise, "no step was inspected");
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

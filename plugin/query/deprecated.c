/* deprecated.c  Calls that others have replaced, for the hosts that still make them.
 *
 * ksInspectorGetContactWrench is ksInspectorSumWrenches with one term. */
#include "query.h"

#include "../base/fpguard.h"

#include <string.h>

static ksStatus getContactWrench(ksInspector *inspector, dBodyID a, dBodyID b, ksValue value, const double *about,
                                 ksWrench *out, ksWrench *freeDirection, int *freeCount)
{
    KSI_REQUIRE_POINTER(inspector);
    KSI_REQUIRE_POINTER(a);
    KSI_REQUIRE(a != b, "b is a");
    KSI_REQUIRE(value <= KS_PHYSICAL, "value is %d, not one of ksValue", (int)value);
    KSI_REQUIRE_POINTER(out);
    KSI_REQUIRE(freeCount || !freeDirection, "freeCount is NULL, and freeDirection is not");
    int body;
    ksStatus status = ksiRequireStep(inspector, KS_ERROR_UNAVAILABLE);
    if (!status)
        status = ksiFindBody(inspector, a, &body, "a");
    if (!status && b)
        status = ksiFindBody(inspector, b, &body, "b");
    if (status)
        return status;
    const bool asReported = inspector->step.options.contacts == KS_CONTACTS_REPORTED || value == KS_PHYSICAL;
    const ksWrenchTerm term = {.body = a, .other = b};
    ksWrenchSum sum;
    status = ksiSumWrenches(inspector, &term, 1, value, about, &sum);
    if (status)
        return status;
    if (!freeCount && !asReported && sum.freeCount != 0)
        return sum.freeCount < 0 ? KS_ERROR_UNAVAILABLE : KS_ERROR_REDUNDANT;
    *out = sum.wrench;
    if (freeDirection)
        memcpy(freeDirection, sum.freeDirection, sizeof sum.freeDirection);
    if (freeCount)
        *freeCount = asReported ? -1 : sum.freeCount;
    return KS_OK;
}

ksStatus ksInspectorGetContactWrench(ksInspector *inspector, dBodyID a, dBodyID b, ksValue value, const double about[3],
                                     ksWrench *out, ksWrench freeDirection[6], int *freeCount)
{
    KSI_RETURN_GUARDED(getContactWrench(inspector, a, b, value, about, out, freeDirection, freeCount));
}

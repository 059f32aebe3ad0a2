/* lead.c  Keeps the last records of a world. An inspector that sees them first can judge the next
 * record. */
#include "lead.h"

#include "../../base/duration.h"
#include "../../base/memory.h"

#include <string.h>

static ksStatus append(ksiSpan *span, const void *bytes, size_t count, double seconds)
{
    if (ksiReserve(&ksiLibraryAllocator, &span->at, &span->capacity, span->used + count, 1))
        return KS_ERROR_NO_MEMORY;
    if (count > 0)
        memcpy(span->at + span->used, bytes, count);
    span->used += count;
    span->seconds += seconds;
    return KS_OK;
}

static void empty(ksiSpan *span)
{
    span->used = 0;
    span->seconds = 0;
}

ksStatus ksiLeadAdd(ksiLead *lead, double window, const ksiStepRecord *record)
{
    if (append(&lead->next, record, record->bytes, record->h))
        return KS_ERROR_NO_MEMORY;
    if (!ksiFills(lead->next.seconds, window) && lead->next.used < KSI_LEAD_BYTES)
        return KS_OK;
    const ksiSpan old = lead->last;
    lead->last = lead->next;
    lead->next = old;
    empty(&lead->next);
    return KS_OK;
}

ksStatus ksiLeadCopy(const ksiLead *lead, ksiLead *out)
{
    ksiLeadClear(out);
    const ksStatus status = append(&out->last, lead->last.at, lead->last.used, lead->last.seconds);
    return status ? status : append(&out->next, lead->next.at, lead->next.used, lead->next.seconds);
}

void ksiLeadClear(ksiLead *lead)
{
    empty(&lead->last);
    empty(&lead->next);
}

void ksiLeadFree(ksiLead *lead)
{
    ksiFree(&ksiLibraryAllocator, lead->last.at);
    ksiFree(&ksiLibraryAllocator, lead->next.at);
    *lead = (ksiLead){{NULL, 0, 0, 0}, {NULL, 0, 0, 0}};
}

static const ksiStepRecord *firstOf(const ksiSpan *span)
{
    return span->used > 0 ? (const void *)span->at : NULL;
}

const ksiStepRecord *ksiLeadNext(const ksiLead *lead, const ksiStepRecord *record)
{
    const ksiStepRecord *first = firstOf(&lead->last);
    if (!record && first)
        return first;
    const char *next = record ? (const char *)record + record->bytes : NULL;
    if (!record || next == lead->last.at + lead->last.used)
        return firstOf(&lead->next);
    return next == lead->next.at + lead->next.used ? NULL : (const void *)next;
}

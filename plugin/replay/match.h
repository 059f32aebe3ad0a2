/* match.h  Indexes two records and matches their objects. */
#ifndef KSI_REPLAY_MATCH_H
#define KSI_REPLAY_MATCH_H

#include "record.h"

enum { KSI_NO_MATCH = -1 };

/* If all bytes are zero, the side is empty. */
typedef struct ksiSide {
    const ksiStepRecord *record;
    const ksiBodyRecord *body;
    const ksiJointRecord **joint; /* each joint is followed by its fields */
    const ksiBodyResult *end;
    const ksiJointResult *report;
    long *bodyMatch, *jointMatch; /* index of the same object on the other side, or KSI_NO_MATCH */
    const ksiBodyRecord **sorted;
    size_t jointCapacity, bodyMatchCapacity, jointMatchCapacity, sortedCapacity;
} ksiSide;

/* Indexes a sound record, which the caller keeps; does not match its objects. KS_OK or
 * KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiTakeApart(ksiSide *side, const ksiStepRecord *record);
void ksiSideFree(ksiSide *side);

/* Bodies match by number, joints by type and number, contacts by all their data. The remaining
 * joints of a type between the same bodies match by order, the remaining contacts by position.
 * KS_OK or KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiMatchSides(ksiSide side[2]);

/* Numbers of a joint's bodies; 0: the world. */
void ksiJoinedNumbers(const ksiSide *side, const ksiJointRecord *joint, int64_t out[2]);

static inline bool ksiIsContactRecord(const ksiJointRecord *joint)
{
    return joint->type == dJointTypeContact;
}

#endif

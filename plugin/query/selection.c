/* selection.c  Selects the joints and contacts of a sum. */
#include "query.h"

#include "../base/error.h"

#include <string.h>

enum { BODY_CHOSEN = 1, WORLD_CHOSEN = 2 }; /* the latter: its joint's wrench on the world */

void ksiChooseNone(ksInspector *inspector)
{
    memset(inspector->chosen, 0, inspector->published.count * sizeof *inspector->chosen);
}

int ksiTimesChosen(const ksInspector *inspector, int joint, int side)
{
    const unsigned named = inspector->chosen[joint][side];
    return (int)(named & BODY_CHOSEN) - (named & WORLD_CHOSEN ? 1 : 0);
}

/* All contacts of a body with the other one, or with anybody. */
static ksStatus chooseContacts(ksInspector *inspector, size_t n, const ksWrenchTerm *term, bool isOfWorld)
{
    int body;
    ksStatus status = ksiFindBody(inspector, term->body, &body, "term[%zu].body", n);
    if (status)
        return status;
    KSI_REQUIRE(term->other != term->body, "term[%zu].other is its body", n);
    if (term->other)
        status = ksiFindBody(inspector, term->other, &body, "term[%zu].other", n);
    if (status)
        return status;
    for (size_t i = 0; i < inspector->published.count; i++) {
        const ksiJointInput *joint = &inspector->step.joint[i];
        for (int side = 0; joint->type == dJointTypeContact && side < 2; side++) {
            unsigned char *before = &inspector->chosen[i][side];
            if (!joint->enabled || joint->body[side] != term->body ||
                ((term->other || isOfWorld) && joint->body[!side] != term->other))
                continue;
            KSI_REQUIRE(!(*before & BODY_CHOSEN), "term[%zu]: one of its contacts is given twice", n);
            *before |= BODY_CHOSEN;
        }
    }
    return KS_OK;
}

/* The wrench on the world is the opposite of the wrench on the body. */
ksStatus ksiChoose(ksInspector *inspector, size_t n, const ksWrenchTerm *term, bool isOfWorld)
{
    if (!term->joint)
        return chooseContacts(inspector, n, term, isOfWorld);
    int at;
    KSI_TRY(ksiFindJoint(inspector, term->joint, &at, "term[%zu].joint", n));
    const ksiJointInput *joint = &inspector->step.joint[at];
    const int named = joint->body[0] == term->body ? 0 : 1, side = term->body ? named : !named;
    const unsigned char chosen = term->body ? BODY_CHOSEN : WORLD_CHOSEN;
    unsigned char *before = &inspector->chosen[at][side];
    KSI_REQUIRE(joint->body[named] == term->body && joint->bodyIndex[side] >= 0,
                "term[%zu].body is not a body of its joint", n);
    KSI_REQUIRE(!(*before & chosen), "term[%zu] is given twice", n);
    *before |= chosen;
    return KS_OK;
}

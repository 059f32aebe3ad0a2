/* selection.c  Selects the joints and contacts of a sum. */
#include "query.h"

#include "../base/error.h"
#include "../base/sorted.h"

/* BODY_CHOSEN: the sum has the wrench on this side's body. WORLD_CHOSEN: the sum has the opposite
 * wrench, on the world. */
enum { BODY_CHOSEN = 1, WORLD_CHOSEN = 2 };

void ksiChooseNone(ksInspector *inspector)
{
    inspector->selection.count = 0;
}

int ksiTimesChosen(const ksiChosen *chosen, int side)
{
    const unsigned named = chosen->named[side];
    return (int)(named & BODY_CHOSEN) - (named & WORLD_CHOSEN ? 1 : 0);
}

static bool counts(const ksiChosen *chosen)
{
    return ksiTimesChosen(chosen, 0) || ksiTimesChosen(chosen, 1);
}

const ksiChosen *ksiNextChosen(const ksInspector *inspector, const ksiChosen *after)
{
    const ksiChosen *next = after ? after + 1 : inspector->selection.at,
                    *end = inspector->selection.at + inspector->selection.count;
    while (next < end && !counts(next))
        next++;
    return next < end ? next : NULL;
}

const ksiChosen *ksiFindChosen(const ksInspector *inspector, int joint)
{
    const ksiSelection *all = &inspector->selection;
    const int key[2] = {inspector->step.member[joint].island, joint};
    const size_t at = ksiPlaceOf(key, ksiByTwo, all->at, all->count, sizeof *all->at);
    const bool is = at < all->count && all->at[at].joint == joint && counts(&all->at[at]);
    return is ? &all->at[at] : NULL;
}

/* Memory for all joints is reserved with the step. */
static ksStatus add(ksInspector *inspector, int joint, int side, unsigned char as, bool *isTwice)
{
    ksiSelection *all = &inspector->selection;
    size_t capacity = inspector->step.jointCount;
    const int key[2] = {inspector->step.member[joint].island, joint};
    ksiChosen *chosen = ksiFindOrInsert(&inspector->step.allocator, key, sizeof key, ksiByTwo, &all->at, &capacity,
                                        &all->count, sizeof *all->at);
    if (!chosen)
        return KS_ERROR_NO_MEMORY;
    *isTwice = chosen->named[side] & as;
    chosen->named[side] |= as;
    return KS_OK;
}

/* Chooses all contacts of a body with term->other. If term->other is NULL, chooses all contacts of
 * the body; if isOfWorld, only its contacts with the world. */
static ksStatus chooseContacts(ksInspector *inspector, size_t n, const ksWrenchTerm *term, bool isOfWorld)
{
    int body[2] = {-1, -1};
    KSI_TRY(ksiFindBody(inspector, term->body, &body[0], "term[%zu].body", n));
    KSI_REQUIRE(term->other != term->body, "term[%zu].other and body are the same body", n);
    if (term->other)
        KSI_TRY(ksiFindBody(inspector, term->other, &body[1], "term[%zu].other", n));
    ksiFindAdjacency(&inspector->step, &inspector->adjacency);
    KSI_EACH_ADJACENT (&inspector->adjacency, ksiBodyOfFewer(&inspector->adjacency, body), i, index) {
        const ksiJointInput *joint = &inspector->step.joint[index];
        for (int side = 0; joint->type == dJointTypeContact && side < 2; side++) {
            bool isTwice;
            if (!joint->enabled || joint->body[side] != term->body ||
                ((term->other || isOfWorld) && joint->body[!side] != term->other))
                continue;
            KSI_TRY(add(inspector, index, side, BODY_CHOSEN, &isTwice));
            KSI_REQUIRE(!isTwice, "term[%zu] has a contact that an earlier term has", n);
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
    bool isTwice;
    KSI_TRY(ksiFindJoint(inspector, term->joint, &at, "term[%zu].joint", n));
    const ksiJointInput *joint = &inspector->step.joint[at];
    const int named = joint->body[0] == term->body ? 0 : 1, side = term->body ? named : !named;
    KSI_REQUIRE(joint->body[named] == term->body && joint->bodyIndex[side] >= 0,
                "term[%zu].body is not a body of its joint", n);
    KSI_TRY(add(inspector, at, side, term->body ? BODY_CHOSEN : WORLD_CHOSEN, &isTwice));
    KSI_REQUIRE(!isTwice, "term[%zu] repeats an earlier term", n);
    return KS_OK;
}

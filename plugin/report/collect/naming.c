/* naming.c  Numbers and names of bodies and joints. */
#include "naming.h"

#include "../files/joint_type.h"
#include "../files/text.h"
#include "../files/used_names.h"

#include <stdlib.h>
#include <string.h>

typedef struct Joint {
    dJointID id;
    dBodyID body[2];
    ksiIdentity identity; /* owns its names */
    bool isKept;          /* during an update: the joint is in both `joints` and `newJoints` */
} Joint;

typedef struct Body {
    dBodyID id;
    int number;
} Body;

typedef struct Bodies {
    Body *at; /* in the order of the world's list */
    size_t count, capacity;
    ksiMap index;
} Bodies;

typedef struct Joints {
    Joint **at; /* oldest first, without contacts */
    size_t count, capacity;
    ksiMap index;
} Joints;

struct ksiNaming {
    ksAllocator allocator;
    Bodies bodies, newBodies;
    Joints joints, newJoints;
    Joint **sorted; /* the joints of the last step by type and number */
    size_t sortedCapacity;
    ksiIdentity **pair; /* pairs of bodies that were in contact or are subscribed */
    size_t pairCount, pairCapacity;
    ksiMap pairIndex;
    ksiMap bodyOverride, jointOverride;
    ksiUsedNames used;
    int lastBody, lastJoint[KSI_TYPES];
};

ksiNaming *ksiNamingCreate(const ksAllocator *given)
{
    ksAllocator allocator;
    ksiAllocatorInit(&allocator, given);
    ksiNaming *naming = ksiRoomMake(&allocator, sizeof *naming);
    if (!naming)
        return NULL;
    memset(naming, 0, sizeof *naming);
    naming->allocator = allocator;
    return naming;
}

static void freeNames(const ksiNaming *naming, const ksiIdentity *identity)
{
    ksiFree(&naming->allocator, (char *)identity->name);
    ksiFree(&naming->allocator, (char *)identity->given);
}

static void freeJoint(const ksiNaming *naming, Joint *joint)
{
    if (joint)
        freeNames(naming, &joint->identity);
    ksiFree(&naming->allocator, joint);
}

static void freePair(const ksiNaming *naming, ksiIdentity *pair)
{
    freeNames(naming, pair);
    ksiFree(&naming->allocator, pair);
}

void ksiNamingDestroy(ksiNaming *naming)
{
    if (!naming)
        return;
    const ksAllocator allocator = naming->allocator;
    for (size_t i = 0; i < naming->joints.count; i++)
        freeJoint(naming, naming->joints.at[i]);
    for (size_t i = 0; i < naming->pairCount; i++)
        freePair(naming, naming->pair[i]);
    void *owned[] = {naming->bodies.at,    naming->newBodies.at, naming->joints.at,
                     naming->newJoints.at, naming->sorted,       naming->pair};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        ksiFree(&allocator, owned[i]);
    ksiMap *map[] = {&naming->bodies.index, &naming->newBodies.index, &naming->joints.index,  &naming->newJoints.index,
                     &naming->pairIndex,    &naming->bodyOverride,    &naming->jointOverride, &naming->used.map};
    for (size_t i = 0; i < sizeof map / sizeof *map; i++)
        ksiMapFree(&allocator, map[i]);
    ksiFree(&allocator, naming);
}

static uint64_t *findAddress(const ksiMap *map, const void *address)
{
    return ksiMapFind(map, (uint64_t)(uintptr_t)address, 0);
}

static bool putAddress(const ksiNaming *naming, ksiMap *map, const void *address, uint64_t value)
{
    return ksiMapPut(&naming->allocator, map, (uint64_t)(uintptr_t)address, 0, value);
}

ksStatus ksiNamingSetJoint(ksiNaming *naming, dJointID joint, int number)
{
    return putAddress(naming, &naming->jointOverride, joint, (uint64_t)number) ? KS_OK : KS_ERROR_NO_MEMORY;
}

ksStatus ksiNamingSetBody(ksiNaming *naming, dBodyID body, int number)
{
    return putAddress(naming, &naming->bodyOverride, body, (uint64_t)number) ? KS_OK : KS_ERROR_NO_MEMORY;
}

/* --- Bodies --- */

static bool hasSameBodies(const ksiNaming *naming, const ksInspector *inspector)
{
    if (naming->bodyOverride.count > 0)
        return false;
    for (size_t i = 0; i < naming->bodies.count; i++) {
        if (ksInspectorGetBody(inspector, i) != naming->bodies.at[i].id)
            return false;
    }
    return !ksInspectorGetBody(inspector, naming->bodies.count);
}

int ksiBodyNumber(const ksiNaming *naming, dBodyID body)
{
    const uint64_t *index = body ? findAddress(&naming->bodies.index, body) : NULL;
    return index ? naming->bodies.at[*index].number : 0;
}

/* Forgets each pair with a body that no longer exists: its number is never given again. */
static void forgetPairs(ksiNaming *naming)
{
    size_t kept = 0;
    ksiMap alive = {0};
    for (size_t i = 0; i < naming->bodies.count; i++) {
        if (!ksiMapPut(&naming->allocator, &alive, (uint64_t)naming->bodies.at[i].number, 0, 0)) {
            ksiMapFree(&naming->allocator, &alive);
            return;
        }
    }
    ksiMapClear(&naming->pairIndex);
    for (size_t i = 0; i < naming->pairCount; i++) {
        ksiIdentity *pair = naming->pair[i];
        const uint64_t a = (uint64_t)pair->body[0], b = (uint64_t)pair->body[1];
        // the list only shrinks, so it fits
        if ((!a || ksiMapFind(&alive, a, 0)) && (!b || ksiMapFind(&alive, b, 0)) &&
            ksiMapPut(&naming->allocator, &naming->pairIndex, a, b, kept))
            naming->pair[kept++] = pair;
        else
            freePair(naming, pair);
    }
    naming->pairCount = kept;
    ksiMapFree(&naming->allocator, &alive);
}

/* Numbers the bodies: first the bodies that kept a number or were given one, then the new ones,
 * oldest first. Lists keep their order, so a body that overtook another one is new. */
static void numberBodies(ksiNaming *naming)
{
    Bodies *next = &naming->newBodies;
    uint64_t behind = naming->bodies.count;
    for (size_t i = next->count; i-- > 0;) {
        const uint64_t *given = findAddress(&naming->bodyOverride, next->at[i].id);
        const uint64_t *place = findAddress(&naming->bodies.index, next->at[i].id);
        if (given) {
            next->at[i].number = (int)*given;
        } else if (place && *place < behind) {
            next->at[i].number = naming->bodies.at[*place].number;
            behind = *place;
        }
        if (next->at[i].number > naming->lastBody)
            naming->lastBody = next->at[i].number;
    }
    for (size_t i = next->count; i-- > 0;) {
        if (next->at[i].number == 0)
            next->at[i].number = ++naming->lastBody;
    }
}

static ksStatus updateBodies(ksiNaming *naming, const ksInspector *inspector)
{
    if (hasSameBodies(naming, inspector))
        return KS_OK;
    Bodies *next = &naming->newBodies;
    next->count = 0;
    ksiMapClear(&next->index);
    for (dBodyID body; (body = ksInspectorGetBody(inspector, next->count)); next->count++) {
        if (ksiReserve(&naming->allocator, &next->at, &next->capacity, next->count + 1, sizeof *next->at) ||
            !putAddress(naming, &next->index, body, next->count))
            return KS_ERROR_NO_MEMORY;
        next->at[next->count] = (Body){.id = body};
    }
    numberBodies(naming);
    const Bodies old = naming->bodies;
    naming->bodies = *next;
    *next = old;
    if (naming->pairCount > 0)
        forgetPairs(naming);
    return KS_OK;
}

/* --- Names --- */

/* Makes the default name of a joint. */
static char *makeName(ksiNaming *naming, const ksiIdentity *identity)
{
    char text[KSI_LONGEST_NAME];
    ksiWriteJointName(text, identity->type, identity->number, identity->body);
    // only names from the host can equal default names, so default names are not noted
    return ksiIsUsedName(&naming->used, text) ? ksiUseName(&naming->allocator, &naming->used, text)
                                              : ksiRoomCopy(&naming->allocator, text);
}

/* Notes a host's name as used if it equals the default name of another joint. */
static bool noteOwnName(ksiNaming *naming, const char *given)
{
    bool isTaken = false;
    for (size_t i = 0; i < naming->joints.count && !isTaken; i++) {
        const ksiIdentity *other = &naming->joints.at[i]->identity;
        isTaken = !other->given && other->name && strcmp(other->name, given) == 0;
    }
    for (size_t i = 0; i < naming->pairCount && !isTaken; i++)
        isTaken = strcmp(naming->pair[i]->name, given) == 0;
    if (!isTaken || ksiIsUsedName(&naming->used, given))
        return true;
    char *noted = ksiUseName(&naming->allocator, &naming->used, given);
    ksiFree(&naming->allocator, noted);
    return noted != NULL;
}

/* Names a joint. If the host removes the name, the joint keeps it here. */
static ksStatus nameJoint(ksiNaming *naming, const ksInspector *inspector, Joint *joint)
{
    ksiIdentity *identity = &joint->identity;
    const char *given = ksInspectorGetName(inspector, joint->id);
    if (identity->name && (!given || (identity->given && strcmp(given, identity->given) == 0)))
        return KS_OK;
    char *copy = NULL, *name = NULL;
    if (given) {
        char *clean = ksiClean(&naming->allocator, given);
        copy = ksiRoomCopy(&naming->allocator, given);
        if (copy && clean && noteOwnName(naming, clean))
            name = ksiUseName(&naming->allocator, &naming->used, clean);
        ksiFree(&naming->allocator, clean);
    } else {
        name = makeName(naming, identity);
    }
    if (!name) {
        ksiFree(&naming->allocator, copy);
        return KS_ERROR_NO_MEMORY;
    }
    freeNames(naming, identity);
    identity->given = copy;
    identity->name = name;
    return KS_OK;
}

/* --- Contacts --- */

static void numbersOf(const ksiNaming *naming, const dBodyID of[2], bool isContact, int body[2])
{
    body[0] = ksiBodyNumber(naming, of[0]);
    body[1] = ksiBodyNumber(naming, of[1]);
    if (isContact && (!body[0] || (body[1] && body[1] < body[0]))) {
        const int first = body[0];
        body[0] = body[1];
        body[1] = first;
    }
}

static const ksiIdentity *findPair(const ksiNaming *naming, const int body[2])
{
    const uint64_t *index = ksiMapFind(&naming->pairIndex, (uint64_t)body[0], (uint64_t)body[1]);
    return index ? naming->pair[*index] : NULL;
}

static ksStatus addPair(ksiNaming *naming, const dBodyID body[2])
{
    ksiIdentity identity = {.type = dJointTypeContact};
    numbersOf(naming, body, true, identity.body);
    if (findPair(naming, identity.body))
        return KS_OK;
    const size_t n = naming->pairCount;
    ksiIdentity *made = ksiRoomMake(&naming->allocator, sizeof *made);
    char *name = made ? makeName(naming, &identity) : NULL;
    if (name && !ksiReserve(&naming->allocator, &naming->pair, &naming->pairCapacity, n + 1, sizeof *naming->pair) &&
        ksiMapPut(&naming->allocator, &naming->pairIndex, (uint64_t)identity.body[0], (uint64_t)identity.body[1], n)) {
        identity.name = name;
        *made = identity;
        naming->pair[naming->pairCount++] = made;
        return KS_OK;
    }
    ksiFree(&naming->allocator, name);
    ksiFree(&naming->allocator, made);
    return KS_ERROR_NO_MEMORY;
}

/* --- Joints --- */

static Joint *findJoint(const ksiNaming *naming, const ksReaction *reaction)
{
    const uint64_t *index = findAddress(&naming->joints.index, reaction->joint);
    Joint *joint = index ? naming->joints.at[*index] : NULL;
    const bool isSame = joint && joint->identity.type == reaction->type && joint->body[0] == reaction->body[0] &&
                        joint->body[1] == reaction->body[1];
    return isSame ? joint : NULL;
}

/* Returns the joint if it is the same as in the last step. Otherwise makes a new one, with the
 * number that was set for it, or with number 0. NULL: out of memory. Known joints keep their order:
 * `place` is one after the last one that was found. */
static Joint *takeJoint(ksiNaming *naming, const ksReaction *reaction, uint64_t *place)
{
    const uint64_t *given = findAddress(&naming->jointOverride, reaction->joint);
    const int number = given ? (int)*given : 0;
    ksiIdentity identity = {.type = reaction->type, .number = number};
    numbersOf(naming, reaction->body, false, identity.body);
    Joint *joint = findJoint(naming, reaction);
    const uint64_t own = joint ? *findAddress(&naming->joints.index, reaction->joint) : 0;
    if (joint && (number ? joint->identity.number == number : own >= *place) &&
        joint->identity.body[0] == identity.body[0] && joint->identity.body[1] == identity.body[1]) {
        *place = own + 1;
        joint->isKept = true;
        return joint;
    }
    joint = ksiRoomMake(&naming->allocator, sizeof *joint);
    if (joint)
        *joint = (Joint){.id = reaction->joint, .body = {reaction->body[0], reaction->body[1]}, .identity = identity};
    return joint;
}

static int *lastOf(ksiNaming *naming, dJointType type)
{
    return &naming->lastJoint[(unsigned)type % KSI_TYPES];
}

static void numberJoints(ksiNaming *naming)
{
    Joints *next = &naming->newJoints;
    for (size_t i = 0; i < next->count; i++) {
        const ksiIdentity *identity = &next->at[i]->identity;
        if (identity->number > *lastOf(naming, identity->type))
            *lastOf(naming, identity->type) = identity->number;
    }
    for (size_t i = 0; i < next->count; i++) {
        ksiIdentity *identity = &next->at[i]->identity;
        if (identity->number == 0)
            identity->number = ++*lastOf(naming, identity->type);
    }
}

/* Empties this list of joints. Frees the joints that are not in the other list. */
static void freeOthers(ksiNaming *naming, Joints *joints)
{
    for (size_t i = 0; i < joints->count; i++) {
        if (!joints->at[i]->isKept)
            freeJoint(naming, joints->at[i]);
    }
    joints->count = 0;
}

static int compare(const void *a, const void *b)
{
    const ksiIdentity *x = &(*(Joint *const *)a)->identity, *y = &(*(Joint *const *)b)->identity;
    if (x->type != y->type)
        return x->type < y->type ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* `sorted` must have room for the new joints. */
static void takeNewJoints(ksiNaming *naming)
{
    numberJoints(naming);
    freeOthers(naming, &naming->joints);
    const Joints old = naming->joints;
    naming->joints = naming->newJoints;
    naming->newJoints = old;
    for (size_t i = 0; i < naming->joints.count; i++) {
        naming->sorted[i] = naming->joints.at[i];
        naming->sorted[i]->isKept = false;
    }
    if (naming->joints.count > 0)
        qsort(naming->sorted, naming->joints.count, sizeof *naming->sorted, compare);
}

static void keepOldJoints(ksiNaming *naming)
{
    freeOthers(naming, &naming->newJoints);
    for (size_t i = 0; i < naming->joints.count; i++)
        naming->joints.at[i]->isKept = false;
}

static bool hasSameJoints(const ksiNaming *naming, const ksReaction *reaction, size_t count)
{
    size_t own = 0;
    if (naming->jointOverride.count > 0)
        return false;
    for (size_t i = count; i-- > 0;) {
        if (reaction[i].type == dJointTypeContact)
            continue;
        const Joint *joint = own < naming->joints.count ? naming->joints.at[own++] : NULL;
        if (!joint || joint->id != reaction[i].joint || joint->identity.type != reaction[i].type ||
            joint->body[0] != reaction[i].body[0] || joint->body[1] != reaction[i].body[1] ||
            joint->identity.body[0] != ksiBodyNumber(naming, reaction[i].body[0]) ||
            joint->identity.body[1] != ksiBodyNumber(naming, reaction[i].body[1]))
            return false;
    }
    return own == naming->joints.count;
}

static ksStatus updateJoints(ksiNaming *naming, const ksReaction *reaction, size_t count)
{
    Joints *next = &naming->newJoints;
    next->count = 0;
    ksiMapClear(&next->index);
    bool isRoom = !ksiReserve(&naming->allocator, &naming->sorted, &naming->sortedCapacity, count, sizeof(Joint *));
    uint64_t place = 0;
    for (size_t i = count; i-- > 0 && isRoom;) {
        if (reaction[i].type == dJointTypeContact)
            continue;
        isRoom = !ksiReserve(&naming->allocator, &next->at, &next->capacity, next->count + 1, sizeof *next->at) &&
                 putAddress(naming, &next->index, reaction[i].joint, next->count);
        Joint *joint = isRoom ? takeJoint(naming, &reaction[i], &place) : NULL;
        if (joint)
            next->at[next->count++] = joint;
        else
            isRoom = false;
    }
    if (isRoom)
        takeNewJoints(naming);
    else
        keepOldJoints(naming);
    return isRoom ? KS_OK : KS_ERROR_NO_MEMORY;
}

static void note(ksStatus *first, ksStatus status)
{
    if (!*first)
        *first = status;
}

/* Names the joints in the order of type and number, as a replay does. In this order equal names get
 * different numbers. */
static ksStatus nameJoints(ksiNaming *naming, const ksInspector *inspector)
{
    ksStatus status = KS_OK;
    for (size_t i = 0; i < naming->joints.count; i++)
        note(&status, nameJoint(naming, inspector, naming->sorted[i]));
    return status;
}

ksStatus ksiNamingUpdate(ksiNaming *naming, const ksInspector *inspector)
{
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    const ksStepReport *report = ksInspectorGetStepReport(inspector);
    // nothing is known about a step that was not inspected, so identities do not change
    if (!report || (count == 0 && !report->inspected))
        return KS_OK;
    ksStatus status = updateBodies(naming, inspector);
    if (status)
        return status;
    if (!hasSameJoints(naming, reaction, count))
        status = updateJoints(naming, reaction, count);
    note(&status, nameJoints(naming, inspector));
    for (size_t i = 0; i < count; i++) {
        if (reaction[i].type == dJointTypeContact)
            note(&status, addPair(naming, reaction[i].body));
    }
    for (ksPair pair = {0}; ksInspectorGetNextPair(inspector, pair.subscription, &pair);)
        note(&status, addPair(naming, (const dBodyID[]){pair.a, pair.b}));
    ksiMapClear(&naming->bodyOverride);
    ksiMapClear(&naming->jointOverride);
    return status;
}

const ksiIdentity *ksiIdentifyPair(const ksiNaming *naming, dBodyID a, dBodyID b)
{
    int body[2];
    numbersOf(naming, (const dBodyID[]){a, b}, true, body);
    return findPair(naming, body);
}

const ksiIdentity *ksiIdentify(const ksiNaming *naming, const ksReaction *reaction)
{
    if (reaction->type == dJointTypeContact)
        return ksiIdentifyPair(naming, reaction->body[0], reaction->body[1]);
    const Joint *joint = findJoint(naming, reaction);
    return joint && joint->identity.name ? &joint->identity : NULL;
}

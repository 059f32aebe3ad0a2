/* cut.c  Sums that momentum determines, however joints share their loads.
 *
 * If the joints of a sum cut the bodies S off from all others, the world included, and the sum has
 * their wrenches on S,
 *
 *     sum of their wrenches  =  sum over S of (M (v* - v)/h - f)
 *
 * except for the motion of S that the reports do not explain. All contacts of two bodies are such a
 * cut unless joints, or contacts with others, connect the two. */
#include "query.h"

#include "../base/fpguard.h"
#include "../base/union_find.h"
#include "../inspector/phases.h"
#include "../inspector/publish/wrench_norm.h"

#include <math.h>
#include <string.h>

enum { NOWHERE = -1 };

/* The sets of connected bodies; all fixed bodies form one set. */
typedef struct Sets {
    int *parent;
    int ground, cut; /* a body of these, or NOWHERE */
} Sets;

static void join(Sets *sets, int *with, int body)
{
    if (*with == NOWHERE)
        *with = body;
    ksiSetsUnite(sets->parent, *with, body);
}

static bool isChosen(const ksInspector *inspector, int joint)
{
    return ksiTimesChosen(inspector, joint, 0) || ksiTimesChosen(inspector, joint, 1);
}

/* Unites bodies by all joints with a force, except the joints of the sum. */
static Sets hangTogether(const ksInspector *inspector)
{
    const ksiStep *step = &inspector->step;
    Sets sets = {inspector->parent, NOWHERE, NOWHERE};
    ksiSetsReset(sets.parent, step->bodyCount);
    for (size_t i = 0; i < step->bodyCount; i++)
        if (step->body[i].begin.kinematic)
            join(&sets, &sets.ground, (int)i);
    for (int i = 0; i < (int)step->jointCount; i++) {
        const int *body = step->joint[i].bodyIndex;
        if (isChosen(inspector, i) || ksiSampleOf(step, i) != KSI_FORCE)
            continue;
        if (body[0] >= 0 && body[1] >= 0)
            ksiSetsUnite(sets.parent, body[0], body[1]);
        else if (body[0] >= 0 || body[1] >= 0)
            join(&sets, &sets.ground, body[body[0] < 0]);
    }
    return sets;
}

static int sideOf(const ksInspector *inspector, int joint)
{
    return ksiTimesChosen(inspector, joint, 0) ? 0 : 1;
}

/* The body that a joint of the sum acts on, or the opposite one; -1: the world. */
static int bodyOf(const ksInspector *inspector, int joint, bool isOpposite)
{
    const int side = sideOf(inspector, joint);
    return inspector->step.joint[joint].bodyIndex[isOpposite ? !side : side];
}

static bool isInSum(const ksInspector *inspector, int joint)
{
    return isChosen(inspector, joint) && ksiSampleOf(&inspector->step, joint) == KSI_FORCE;
}

/* Does each joint of the sum act on one body, all with the same sign? */
static bool areAlike(const ksInspector *inspector, bool isOpposite)
{
    int sign = 0;
    for (int i = 0; i < (int)inspector->step.jointCount; i++) {
        if (!isInSum(inspector, i))
            continue;
        const int times = ksiTimesChosen(inspector, i, sideOf(inspector, i));
        if (ksiTimesChosen(inspector, i, !sideOf(inspector, i)) || bodyOf(inspector, i, isOpposite) < 0 ||
            (sign && sign != times))
            return false;
        sign = times;
    }
    return true;
}

/* Do the joints of the sum cut off the bodies that they act on, or the opposite ones? */
static bool cut(const ksInspector *inspector, bool isOpposite, Sets *sets)
{
    if (!areAlike(inspector, isOpposite))
        return false;
    *sets = hangTogether(inspector);
    for (int i = 0; i < (int)inspector->step.jointCount; i++)
        if (isInSum(inspector, i))
            join(sets, &sets->cut, bodyOf(inspector, i, isOpposite));
    if (sets->cut == NOWHERE)
        return true;
    const int root = ksiSetOf(sets->parent, sets->cut);
    if (sets->ground != NOWHERE && ksiSetOf(sets->parent, sets->ground) == root)
        return false;
    for (int i = 0; i < (int)inspector->step.jointCount; i++) {
        const int far = isInSum(inspector, i) ? bodyOf(inspector, i, !isOpposite) : -1;
        if (far >= 0 && ksiSetOf(sets->parent, far) == root)
            return false;
    }
    return true;
}

/* Adds the part of a body's motion that the wrenches on it do not explain. */
static void addRemainder(const ksiStep *step, int index, const double about[3], ksWrench *bar)
{
    const ksiBody *body = &step->body[index].begin;
    const double unexplained = step->momentumReasons[index] ? step->motion[index].residual : 0;
    const double remainder = ksiRemainderOf(step, index) + unexplained, force = sqrt(body->mass) * remainder;
    const double trace = body->inertia[0] + body->inertia[4] + body->inertia[8];
    double lever[3];
    for (int k = 0; k < 3; k++)
        lever[k] = body->centre[k] - about[k];
    const double torque = sqrt(trace) * remainder + ksiSize(lever, 3) * force;
    for (int k = 0; k < 3; k++) {
        bar->force[k] += force;
        bar->torque[k] += torque;
    }
}

bool ksiFindCut(ksInspector *inspector, const double about[3], ksWrench *bar)
{
    const ksiStep *step = &inspector->step;
    Sets sets;
    if (!cut(inspector, false, &sets) && !cut(inspector, true, &sets))
        return false;
    *bar = (ksWrench){{0}, {0}};
    const int root = sets.cut == NOWHERE ? NOWHERE : ksiSetOf(sets.parent, sets.cut);
    for (int i = 0; i < (int)step->bodyCount && root != NOWHERE; i++)
        if (ksiSetOf(sets.parent, i) == root)
            addRemainder(step, i, about, bar);
    return true;
}

/* cut.c  Sums that momentum tells, however joints share their loads.
 *
 * Where the joints of a sum cut the bodies S off from all others, the world included, and it has what they do to S,
 *
 *     sum of their wrenches  =  sum over S of (M (v* - v)/h - f)
 *
 * but for what the reports leave of the motion of S. All contacts of two bodies are such a cut unless joints, or contacts with others, lead
 * from one to the other. */
#include "query.h"

#include "../base/fpguard.h"
#include "../base/union_find.h"
#include "../inspector/phases.h"
#include "../inspector/size.h"

#include <math.h>
#include <string.h>

enum { NOWHERE = -1 };

/* The sets of bodies that hang together; what is fixed is one of them. */
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

/* By all joints that have a force, without those of the sum. */
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
        else
            join(&sets, &sets.ground, body[body[0] < 0]);
    }
    return sets;
}

/* side: of each joint of the sum, the one that it acts on, or the opposite one, where it is chosen `times`. false: they do not cut these bodies
 * off. */
static bool cut(const ksInspector *inspector, bool isOpposite, Sets *sets)
{
    const ksiStep *step = &inspector->step;
    int sign = 0;
    *sets = hangTogether(inspector);
    for (int i = 0; i < (int)step->jointCount; i++) {
        const int times[2] = {ksiTimesChosen(inspector, i, 0), ksiTimesChosen(inspector, i, 1)};
        if (!isChosen(inspector, i) || ksiSampleOf(step, i) != KSI_FORCE)
            continue;
        const int side = times[0] ? 0 : 1, body = step->joint[i].bodyIndex[isOpposite ? !side : side];
        if ((times[0] && times[1]) || body < 0 || (sign && sign != times[side]))
            return false;
        sign = times[side];
        join(sets, &sets->cut, body);
    }
    if (sets->cut == NOWHERE)
        return true;
    const int root = ksiSetOf(sets->parent, sets->cut);
    if (sets->ground != NOWHERE && ksiSetOf(sets->parent, sets->ground) == root)
        return false;
    for (int i = 0; i < (int)step->jointCount; i++) {
        const int side = ksiTimesChosen(inspector, i, 0) ? 0 : 1, at = isOpposite ? side : !side;
        const int body = step->joint[i].bodyIndex[at];
        if (isChosen(inspector, i) && ksiSampleOf(step, i) == KSI_FORCE && body >= 0 &&
            ksiSetOf(sets->parent, body) == root)
            return false;
    }
    return true;
}

/* What the motion of a body leaves of the wrench that acts on it. */
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

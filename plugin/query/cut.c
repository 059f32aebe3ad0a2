/* cut.c  Finds sums of wrenches that momentum determines, however joints share their loads.
 *
 * If the joints of a sum cut a set of bodies `S` off from all other bodies and from the world, the
 * sum of their wrenches on S is
 *
 *     sum over S of (M (v* - v)/h - f)
 *
 * except for the motion of S that the reports do not explain. `M` is the mass matrix of a body, `f`
 * its force without joints, `v` its velocity before the step, and `v*` the solved velocity. All
 * contacts of two bodies are such a cut, unless joints, or contacts with other bodies, also connect
 * the two bodies. */
#include "query.h"

#include "../base/fpguard.h"
#include "../inspector/phases.h"
#include "../inspector/publish/wrench_norm.h"

#include <math.h>

static int sideOf(const ksiChosen *chosen)
{
    return ksiTimesChosen(chosen, 0) ? 0 : 1;
}

/* The body on which the joint's wrench in the sum acts; if isOpposite, the other body of the joint;
 * -1: the world. */
static int bodyOf(const ksInspector *inspector, const ksiChosen *chosen, bool isOpposite)
{
    const int side = sideOf(chosen);
    return inspector->step.joint[chosen->joint].bodyIndex[isOpposite ? !side : side];
}

/* Loops over those joints of the sum that have a force. */
#define EACH_IN_SUM(inspector, chosen)                                                                                 \
    KSI_EACH_CHOSEN (inspector, chosen)                                                                                \
        if (ksiSampleOf(&(inspector)->step, chosen->joint) == KSI_FORCE)

/* Does the sum have only one wrench of each joint, all with the same sign, and does none of these
 * wrenches act on the world? If isOpposite: does none of the opposite wrenches act on the world? */
static bool areAlike(const ksInspector *inspector, bool isOpposite)
{
    int sign = 0;
    EACH_IN_SUM (inspector, chosen) {
        const int times = ksiTimesChosen(chosen, sideOf(chosen));
        if (ksiTimesChosen(chosen, !sideOf(chosen)) || bodyOf(inspector, chosen, isOpposite) < 0 ||
            (sign && sign != times))
            return false;
        sign = times;
    }
    return true;
}

/* A search from the bodies S through all joints with a force, except the joints of the sum. */
typedef struct Search {
    ksiAdjacency *graph;
    int here, far; /* here: mark of S; far: mark of the bodies beyond the joints of the sum */
    int count;     /* bodies in the queue */
} Search;

/* Adds a body to S. false: S is connected with the world, or with a body beyond the joints of the
 * sum. */
static bool reach(const ksInspector *inspector, Search *s, int body)
{
    if (body < 0 || s->graph->mark[body] == s->far || inspector->step.body[body].begin.kinematic)
        return false;
    if (s->graph->mark[body] != s->here)
        s->graph->queue[s->count++] = body;
    s->graph->mark[body] = s->here;
    return true;
}

/* Do the joints of the sum cut off the bodies whose wrenches are in the sum, or, if isOpposite, the
 * other bodies of these joints? The queue then has the bodies that are cut off. */
static bool cut(ksInspector *inspector, bool isOpposite, int *count)
{
    ksiAdjacency *graph = &inspector->adjacency;
    if (!areAlike(inspector, isOpposite))
        return false;
    ksiFindAdjacency(&inspector->step, graph);
    Search s = {.graph = graph, .here = ++graph->searches, .far = ++graph->searches};
    EACH_IN_SUM (inspector, chosen) {
        const int far = bodyOf(inspector, chosen, !isOpposite);
        if (far >= 0)
            graph->mark[far] = s.far;
    }
    EACH_IN_SUM (inspector, chosen)
        if (!reach(inspector, &s, bodyOf(inspector, chosen, isOpposite)))
            return false;
    for (int k = 0; k < s.count; k++)
        KSI_EACH_ADJACENT (graph, graph->queue[k], i, joint) {
            const int *body = inspector->step.joint[joint].bodyIndex;
            if (ksiSampleOf(&inspector->step, joint) == KSI_FORCE && !ksiFindChosen(inspector, joint) &&
                !reach(inspector, &s, body[body[0] == graph->queue[k]]))
                return false;
        }
    *count = s.count;
    return true;
}

/* Adds the wrench that would cause the unexplained part of a body's motion. */
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
    int count;
    if (!cut(inspector, false, &count) && !cut(inspector, true, &count))
        return false;
    *bar = (ksWrench){{0}, {0}};
    for (int i = 0; i < count; i++)
        addRemainder(&inspector->step, inspector->adjacency.queue[i], about, bar);
    return true;
}

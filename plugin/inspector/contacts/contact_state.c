/* contact_state.c  Describes the joints and contact points of a group in a step: which rows are
 * held, which are driven, how the bodies move under the reported contacts, and which points touch,
 * strike, part or slide.
 *
 * A row slides if it moves faster than the speed that a body gains by gravity in two steps. It also
 * slides if its reported friction is at a bound and opposes the motion. */
#include "contact_physical.h"

#include "../phases.h"
#include "../publish/wrench_norm.h"
#include "../read/body_motion.h"

#include <math.h>
#include <string.h>

/* A body is at rest below the speed that it gains by gravity in this many steps. Results are the
 * same with 1 to 5 steps. */
static const double restSteps = 2;
/* Reported friction within this share of its bound counts as at the bound: the solver bounded it by
 * an earlier normal force. */
static const double nearBound = 1e-3;

bool ksiIsHeldRow(const ksiStep *step, int joint, int l)
{
    const ksiRow *row = &step->joint[joint].rows.row[l];
    return step->physicalPlaces[joint].place[l] == KS_INSIDE && row->cfm <= step->options.rigidCfm &&
           row->kind != KS_ROW_MOTOR;
}

bool ksiIsDrivenRow(const ksiStep *step, int joint, int l)
{
    return step->reportPlaces[joint].place[l] == KS_INSIDE && !ksiIsHeldRow(step, joint, l);
}

double ksiReportedMultiplier(const ksiStep *step, int joint, int l)
{
    const ksiJointObserved *observed = &step->observed[joint];
    return observed->isFalse ? observed->multiplier[l] : step->report[joint].multiplier[l];
}

/* --- Members, and their motion with the contacts as reported --- */

void ksiListMembers(ksiContactGroup *g)
{
    for (int i = g->room->firstBody[g->root]; i >= 0; i = g->room->nextBody[i]) {
        g->room->block[i] = g->bodyCount;
        g->room->member[g->bodyCount++] = i;
    }
    for (int i = g->room->firstJoint[g->root]; i >= 0; i = g->room->nextJoint[i])
        g->room->joint[g->jointCount++] = i;
}

/* force += times J^T for the bodies of the group. force: 6 numbers for each body of the group if
 * isByPlace; else for each body of the step. */
static void addRow(const ksiContactGroup *g, const int body[2], const ksiRow *row, double times, bool isByPlace,
                   double *force)
{
    KSI_EACH_BODY (body, side, at) {
        const int place = g->room->block[at];
        if (place >= 0)
            ksiAddSix(force + 6 * (isByPlace ? place : at), times, row->jacobian[side]);
    }
}

static void addJoint(ksiContactGroup *g, int index)
{
    const ksiStep *step = g->step;
    const ksiJointInput *joint = &step->joint[index];
    const ksiJointPhysical *physical = &step->physical[index];
    if (!physical->isKnown)
        g->reasons |= physical->reasons | KS_REASON_PHYSICAL;
    for (int l = 0; l < joint->rows.count; l++) {
        const ksiRow *row = &joint->rows.row[l];
        const double reported = ksiReportedMultiplier(step, index, l);
        addRow(g, joint->bodyIndex, row, physical->multiplier[l], false, g->room->acceleration);
        if (ksiIsHeldRow(step, index, l)) {
            g->heldRows++;
            continue;
        }
        addRow(g, joint->bodyIndex, row, reported, true, g->force);
        if (!ksiIsDrivenRow(step, index, l))
            continue;
        g->isDriven |= reported != 0;
        addRow(g, joint->bodyIndex, row, reported, true, g->driven);
    }
}

/* Finds the forces on the bodies except the forces of contacts and held rows; and the accelerations
 * of the bodies under the reported contact forces and the physical joint forces. */
static void findMotion(ksiContactGroup *g)
{
    const ksiStep *step = g->step;
    for (int i = 0; i < g->bodyCount; i++) {
        const int body = g->room->member[i];
        double *force = g->force + 6 * i;
        ksiMechanismForce(step, body, step->body[body].begin.inertia, ksiVelocityOf(&step->body[body]) + 3, force);
        ksiAddSix(force, -1, step->bodyReport[body].loads);
        memcpy(g->room->acceleration + 6 * body, force, 6 * sizeof *force);
        g->reasons |= step->momentumReasons[body] ? step->momentumReasons[body] | KS_REASON_MOTION : 0;
    }
    for (int i = 0; i < g->jointCount; i++)
        addJoint(g, g->room->joint[i]);
    KSI_EACH_POINT (g, p)
        for (int l = 0; l < p->count; l++)
            addRow(g, p->bodyIndex, &p->row[l], p->reported[l], false, g->room->acceleration);
    for (int i = 0; i < g->bodyCount; i++) {
        const int body = g->room->member[i];
        double total[6];
        memcpy(total, g->room->acceleration + 6 * body, sizeof total);
        ksiAccelerate(&step->body[body].begin, total, g->room->acceleration + 6 * body);
    }
}

double ksiContactRate(const ksiContactGroup *g, const int body[2], const ksiRow *row)
{
    double rate = 0;
    KSI_EACH_BODY (body, side, at)
        rate += g->room->block[at] >= 0 ? ksiDotSix(row->jacobian[side], g->room->acceleration + 6 * at) : 0;
    return rate;
}

/* --- State of the points --- */

/* Largest acceleration of a row of the point, without the contact forces of its pair. */
static double freeAcceleration(const ksiContactGroup *g, const ksiPoint *point)
{
    double own[2][6] = {{0}}, gained[2][6] = {{0}}, most = 0;
    KSI_EACH_POINT (g, p) {
        if (!ksiIsOfPair(p, point->body))
            continue;
        for (int l = 0; l < p->count; l++)
            for (int side = 0; side < 2; side++)
                ksiAddSix(own[p->body[0] == point->body[0] ? side : !side], p->reported[l], p->row[l].jacobian[side]);
    }
    KSI_EACH_BODY (point->bodyIndex, side, at)
        if (g->room->block[at] >= 0)
            ksiAccelerate(&g->step->body[at].begin, own[side], gained[side]);
    for (int l = 0; l < point->count; l++) {
        double rate = ksiContactRate(g, point->bodyIndex, &point->row[l]);
        KSI_EACH_BODY (point->bodyIndex, side, at)
            rate -= g->room->block[at] >= 0 ? ksiDotSix(point->row[l].jacobian[side], gained[side]) : 0;
        if (point->row[l].kind != KS_ROW_ROLLING)
            most = fmax(most, fabs(rate));
    }
    return most;
}

/* Time since the point was last seen or, for a new point, since any point of its pair was last
 * seen, s; 0: no point of the pair is remembered. */
static double timeApart(const ksiContactGroup *g, const ksiPoint *point)
{
    double least = INFINITY;
    KSI_EACH_OLD (g->step, g->room, point->bodyIndex, past)
        least = fmin(least, ksiSinceSeen(g->step, past));
    return least < INFINITY ? fmax(least, point->absent) : 0;
}

/* Normal speed below which the point rests. A point that was missing may have gained speed, since a
 * part of the pair's force was missing, too. */
static double widthOf(const ksiContactGroup *g, const ksiPoint *point)
{
    const double gravity = ksiSize(g->step->input->gravity, 3), apart = timeApart(g, point);
    double width = restSteps * gravity * g->step->h, most = 0;
    KSI_EACH_POINT (g, p)
        most = ksiIsOfPair(p, point->body) ? fmax(most, p->free) : most;
    return apart > 0 ? fmax(width, (gravity + most) * apart) : width;
}

/* The reported friction of the row is near a bound, and opposes the motion. */
static bool isRubbing(const ksiStep *step, const ksiPoint *p, int l)
{
    if (p->joint < 0)
        return false;
    const ksiPlaces *places = &step->reportPlaces[p->joint];
    const double slip = p->rate[l] - p->row[l].c, reported = p->reported[l];
    const double bound = reported < 0 ? -places->low[l] : places->high[l];
    return reported * slip < 0 && fabs(reported) >= (1 - nearBound) * bound;
}

static void classify(ksiContactGroup *g, ksiPoint *p)
{
    const ksiStep *step = g->step;
    const double width = widthOf(g, p), normal = ksiSize(p->scaled[0], 12);
    const bool closes = p->rate[0]<-width, parts = p->rate[0]> width;
    p->way = p->joint < 0 ? (closes || parts ? KSI_LEAVES : KSI_TOUCHES)
             : closes     ? KSI_STRIKES
             : parts      ? KSI_LEAVES
                          : KSI_TOUCHES;
    p->slides = 0;
    // a point that parts at this speed and is still pushed was struck in an earlier step
    g->isStruck |= p->way == KSI_STRIKES || (p->way == KSI_LEAVES && p->reported[0] > 0);
    if (p->way == KSI_LEAVES)
        memset(p->multiplier, 0, sizeof p->multiplier);
    for (int l = 1; l < p->count; l++) {
        // scale the speed of an angular row by the radius of gyration
        const double turned = p->row[l].kind == KS_ROW_ROLLING ? ksiSize(p->scaled[l], 12) / normal : 1;
        const bool isSoft = p->row[l].cfm > step->options.rigidCfm;
        const bool slides =
            isSoft || p->way == KSI_STRIKES || fabs(p->rate[l] - p->row[l].c) > width * turned || isRubbing(step, p, l);
        p->slides |= (unsigned)slides << l;
    }
    g->contactRows += p->way == KSI_LEAVES ? 0 : p->count;
}

void ksiFindContactState(ksiContactGroup *g)
{
    findMotion(g);
    KSI_EACH_POINT (g, p)
        p->free = freeAcceleration(g, p);
    KSI_EACH_POINT (g, p)
        classify(g, p);
}

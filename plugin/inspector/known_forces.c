/* known_forces.c  Which rows have a known force in the continuous mechanism: contacts, stops that have just been reached, motors
 * at their bounds. */
#include "physical.h"
#include "places.h"

#include <math.h>

/* of its reported force: what stops the speed of a row in a stop that has just been reached, and the part of that which a
 * body alone, without all that it is joined to, would ask for */
static const double reachedShare = 0.5, closingShare = 0.05;

bool ksiKnowsAccelerations(const ksiStep *step, int index, ksiPhysical *out)
{
    const ksiIsland *island = &step->island[index];
    KSI_EACH_JOINT (step, island, i, joint) {
        const ksPhysicalSource *source = step->acceleration[joint].source;
        out->joint[joint].source = KS_FROM_GEOMETRY;
        for (int l = 0; l < step->joint[joint].rows.count; l++) {
            if (!ksiNeedsBias(step, joint, l, &out->places[joint]))
                continue;
            if (source[l] == KS_FROM_NOWHERE)
                return false;
            if (source[l] == KS_FROM_HISTORY)
                out->joint[joint].source = KS_FROM_HISTORY;
        }
    }
    return true;
}

/* The row's multiplier is what was reported of it, from now on. */
static void takeReported(const ksiStep *step, int joint, int l, ksiPhysical *out)
{
    ksiPlaces *places = &out->places[joint];
    places->place[l] = KS_AT_LOW;
    places->low[l] = places->high[l] = step->report[joint].multiplier[l];
    out->island[step->member[joint].island].isLoaded = true;
}

static bool isStop(const ksiRow *row)
{
    return row->kind == KS_ROW_STOP && (row->lo != -INFINITY || row->hi != INFINITY);
}

/* A stop that pushes, while nothing tells the acceleration of its row. */
static bool isUnknownStop(const ksiStep *step, int joint, int l, const ksiPlaces *places)
{
    return isStop(&step->joint[joint].rows.row[l]) && ksiNeedsBias(step, joint, l, places) &&
           step->acceleration[joint].source[l] == KS_FROM_NOWHERE;
}

/* A stop is not what holds the row where its multiplier pulls at it, nor a motor where this one is beyond its bounds; nor
 * either where the row runs into the stop, or is off the motor's target, and most of its reported force is beyond what holds:
 * that takes the speed from it, and is |J v| / (h A_ll) and more. */
static bool isHeldOtherwise(const ksiStep *step, int index, int l, const double multiplier[KSI_MAX_ROWS])
{
    const ksiJointInput *joint = &step->joint[index];
    const ksiRow *row = &joint->rows.row[l];
    const double reported = step->report[index].multiplier[l], lambda = multiplier[l], *scaled = joint->scaled[l];
    const int count = joint->rows.count;
    if (lambda < row->lo - ksiBoundMargin(count, multiplier, row->lo) ||
        lambda > row->hi + ksiBoundMargin(count, multiplier, row->hi))
        return true;
    const double off = joint->rate[l] - ksiRowTarget(joint, l);
    const double stopping = -off * (reported > 0 ? 1 : -1) / (step->h * ksiDotTwelve(scaled, scaled));
    return stopping > closingShare * fabs(reported) && fabs(lambda) < (1 - reachedShare) * fabs(reported);
}

bool ksiPlaceKnownForces(const ksiStep *step, int index, ksiPhysical *out)
{
    const ksiIsland *island = &step->island[index];
    bool any = false;
    KSI_EACH_JOINT (step, island, i, joint) {
        const ksiRows *rows = &step->joint[joint].rows;
        const bool contact = step->joint[joint].type == dJointTypeContact;
        ksiPlaces *places = &out->places[joint];
        *places = step->reportPlaces[joint];
        for (int l = 0; !rows->plain && l < rows->count; l++) {
            if (contact ? places->place[l] == KS_INACTIVE : !isUnknownStop(step, joint, l, places))
                continue;
            takeReported(step, joint, l, out);
            any = true;
        }
    }
    return any;
}

static bool letGo(const ksiStep *step, int joint, const int *row, const double *multiplier, ksiPhysical *out)
{
    const ksiRows *rows = &step->joint[joint].rows;
    bool any = false;
    double own[KSI_MAX_ROWS];
    ksiTakeRows(rows->count, row, multiplier, own);
    for (int l = 0; l < rows->count; l++) {
        if (!(isStop(&rows->row[l]) || rows->row[l].kind == KS_ROW_MOTOR) || out->places[joint].place[l] != KS_INSIDE ||
            !isHeldOtherwise(step, joint, l, own))
            continue;
        takeReported(step, joint, l, out);
        any = true;
    }
    return any;
}

bool ksiLetStopsGo(const ksiStep *step, const ksiSolver *solver, int index, bool isPosed, const double *multiplier,
                   ksiPhysical *out)
{
    const ksiIsland *island = &step->island[index];
    bool any = false;
    KSI_EACH_JOINT (step, island, i, joint) {
        const int *row = isPosed ? solver->pose.joint[i].row : solver->layout[joint].row;
        if (step->joint[joint].isBounded)
            any |= letGo(step, joint, row, multiplier, out);
    }
    return any;
}

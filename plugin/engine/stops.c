/* stops.c  Reads the stops at which a joint's axes are, and shifts stops so that the engine finds
 * the same ones again.
 *
 * The engine tests the angle or position `x` of an axis in joints/joint.cpp. The axis is at its low
 * stop if x <= low; else it is at its high stop if x >= high. With both stops at 0, the engine
 * stores x as the error of the stop. */
#include "stops.h"

#include "fields.h"
#include "layout.h"
#include "rows.h"
#include "vector.h"

#include <math.h>

/* Units of the last digit by which two builds of the engine may compute x differently: products of
 * rotations, differences of points. */
static const double roundingUnits = 16;

double ksiAngleRounding(double angle, bool isSingle)
{
    return roundingUnits * ksiEpsilon(isSingle) * (1 + fabs(angle));
}

/* --- Fields of an axis --- */

static const void *at(dJointID joint, const ksiField *field)
{
    return (const char *)(void *)joint + field->offset;
}

/* The stop that the axis has reached, or 0. */
static unsigned stopOf(dJointID joint, const ksiField *field)
{
    int stop;
    memcpy(&stop, at(joint, field), sizeof stop);
    return stop == KSI_LOW_STOP || stop == KSI_HIGH_STOP ? (unsigned)stop : 0;
}

/* Each step of a recording calls it, so it reads the fields of all axes at once. */
unsigned ksiStopsOf(int type, dJointID joint)
{
    const ksiFields *fields = ksiFieldsOfType(type);
    unsigned stops = 0;
    for (size_t i = 0; fields && i < fields->count; i++) {
        const ksiField *field = &fields->field[i];
        const int axis = field->proof == KSI_IS_STOP ? ksiAxisOfField(field) : -1;
        if (axis >= 0 && axis < KSI_STOP_AXES)
            stops |= KSI_STOPS_ARE_KNOWN | stopOf(joint, field) << (1 + 2 * axis);
    }
    return stops;
}

/* --- Shifts --- */

static double sizeOf(const dReal *from)
{
    double room[3];
    const double *v = ksiDoubles(from, 3, room);
    return sqrt(ksiDot(v, v));
}

/* Rounding of x: a position is a difference of points in the world. */
static double roundingOf(int type, dJointID joint, const ksiField *error, double x)
{
    const ksiJointFields *fields = ksiFieldsOfJoint(joint);
    const ksiFields *all = ksiFieldsOfType(type);
    if (strcmp(error->unit, "m") != 0)
        return ksiAngleRounding(x, ksiHasSingle(fields));
    double far = fabs(x);
    for (int side = 0; side < 2; side++)
        far += fields->node[side].body ? sizeOf(ksiFieldsOf(fields->node[side].body)->centre) : 0;
    for (size_t i = 0; i < all->count; i++)
        far += all->field[i].proof == KSI_IS_POINT ? sizeOf(at(joint, &all->field[i])) : 0;
    return roundingUnits * ksiEpsilon(ksiHasSingle(fields)) * far;
}

/* Measures x in a copy of the joint. */
static double measure(dJointID joint, const ksiField *error, int axis)
{
    ksiJointCopy room;
    const dJointID copy = ksiJointInRoom(joint, &room);
    dReal x = 0;
    ksiSetAxis(copy, axis, dParamLoStop, 0);
    ksiSetAxis(copy, axis, dParamHiStop, 0);
    (void)ksiRowCount(copy);
    memcpy(&x, at(copy, error), sizeof x);
    return x;
}

/* The next number in the engine's precision. */
static double next(double x, double towards)
{
    return KSI_IS_SINGLE ? (double)nextafterf((float)x, (float)towards) : nextafter(x, towards);
}

/* Returns false if a shift by rounding does not suffice. */
static bool shift(int type, dJointID joint, int axis, int found, int wanted)
{
    const ksiField *error = ksiFieldOfAxis(type, KSI_IS_STOP_ERROR, axis);
    const double low = ksiGetAxis(joint, axis, dParamLoStop), high = ksiGetAxis(joint, axis, dParamHiStop);
    if (!error)
        return false;
    if (low == high && wanted)
        return true;  // equal stops hold in both directions
    const double x = measure(joint, error, axis);
    const bool isHigh = (wanted ? wanted : found) == KSI_HIGH_STOP;
    const double to = wanted ? x : next(x, isHigh ? INFINITY : -INFINITY);
    if (!(fabs(to - (isHigh ? high : low)) <= roundingOf(type, joint, error, x)))
        return false;
    ksiSetAxis(joint, axis, isHigh ? dParamHiStop : dParamLoStop, to);
    return true;
}

/* The stops that the engine finds. */
static unsigned find(int type, dJointID joint)
{
    ksiJointCopy room;
    const dJointID copy = ksiJointInRoom(joint, &room);
    (void)ksiRowCount(copy);
    return ksiStopsOf(type, copy);
}

static bool hold(int type, dJointID joint, unsigned stops)
{
    const unsigned found = find(type, joint);
    if (found == stops)
        return true;
    bool isHeld = true;
    for (int axis = 0; axis < KSI_STOP_AXES; axis++) {
        const int is = (int)ksiStopOfAxis(found, axis), wanted = (int)ksiStopOfAxis(stops, axis);
        isHeld &= is == wanted || (axis < ksiAxisCount(joint) && shift(type, joint, axis, is, wanted));
    }
    return isHeld;
}

void ksiHoldStops(int type, dJointID joint, unsigned stops, bool isSolved)
{
    if (!(stops & KSI_STOPS_ARE_KNOWN) || !ksiIsReadable(type, joint, 0) || hold(type, joint, stops) || !isSolved)
        return;
    ((ksiJointFields *)(void *)joint)->flags |= KSI_JOINT_STOPPED_ELSEWHERE;
}

/* sensor.c  A six-axis force and torque sensor: a reaction's wrench, less a tool's weight and a bias. */
#include "wrench.h"

#include "../base/quietly.h"

#include <math.h>

void ksSensorInit(ksSensor *sensor)
{
    if (!sensor)
        return;
    *sensor = (ksSensor){
        .size = sizeof *sensor,
        .value = KS_PHYSICAL,
        .frame = KS_FRAME_BODY,
        .point = KS_POINT_ANCHOR,
    };
}

static int finite3(const double v[3])
{
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
}

static int valid(const ksSensor *sensor, const ksReaction *reaction)
{
    return sensor->size == sizeof *sensor && sensor->value <= KS_PHYSICAL && (sensor->body == 0 || sensor->body == 1) &&
           sensor->frame <= KS_FRAME_JOINT && sensor->point <= KS_POINT_ANCHOR &&
           (!sensor->atPosition || finite3(sensor->position)) && isfinite(sensor->toolMass) && sensor->toolMass >= 0 &&
           finite3(sensor->toolCentre) && finite3(sensor->gravity) &&
           (sensor->toolMass == 0 || reaction->body[sensor->body]);
}

/* a point that is fixed in a body, in world coordinates */
static void pointOf(const ksReaction *reaction, int body, const double local[3], double world[3])
{
    for (int i = 0; i < 3; i++) {
        world[i] = local[i];
        if (!reaction->body[body])
            continue;
        world[i] = reaction->centre[body][i];
        for (int k = 0; k < 3; k++)
            world[i] += reaction->rotation[body][3 * i + k] * local[k];
    }
}

static ksStatus view(const ksSensor *sensor, const ksReaction *reaction, ksiView *out)
{
    ksPoint point = sensor->point;
    if (!sensor->atPosition)
        return ksiViewAnyhow(reaction, sensor->body, sensor->frame, &point, out);
    out->body = sensor->body;
    pointOf(reaction, sensor->body, sensor->position, out->point);
    ksiFrameAxes(reaction, sensor->body, sensor->frame, out->axes);
    return KS_OK;
}

/* the joint carries the weight, so its share of the wrench is minus that */
static void takeWeightOut(const ksSensor *sensor, const ksReaction *reaction, const ksiView *at, ksWrench *reading)
{
    double centre[3];
    ksWrench weight = {{0}, {0}};
    pointOf(reaction, sensor->body, sensor->toolCentre, centre);
    for (int k = 0; k < 3; k++)
        weight.force[k] = sensor->toolMass * sensor->gravity[k];
    ksiMoveWrench(&weight, centre, at->point);
    ksiTurnWrench(&weight, at->axes);
    for (int k = 0; k < 3; k++) {
        reading->force[k] += weight.force[k];
        reading->torque[k] += weight.torque[k];
    }
}

/* without the bias */
static ksStatus measure(const ksSensor *sensor, const ksReaction *reaction, ksWrench *reading)
{
    if (!sensor || !reaction || !reading || !valid(sensor, reaction))
        return KS_ERROR_BAD_ARGUMENT;
    ksiView at;
    const ksWrench *both = ksiWrenchesOf(reaction, sensor->value);
    if (!both || view(sensor, reaction, &at))
        return KS_ERROR_UNAVAILABLE;
    ksWrench w;
    ksiViewWrench(reaction, &at, both, &w);
    if (sensor->toolMass > 0)
        takeWeightOut(sensor, reaction, &at, &w);
    if (!sensor->undetermined) {
        ksiUnique unique;
        ksiFindUnique(reaction, &at, &unique);
        for (int k = 0; k < 3; k++) {
            if (!(unique.components >> (KS_LIMIT_FORCE_X + k) & 1u))
                w.force[k] = NAN;
            if (!(unique.components >> (KS_LIMIT_TORQUE_X + k) & 1u))
                w.torque[k] = NAN;
        }
    }
    *reading = w;
    return KS_OK;
}

static void takeBiasOut(const ksSensor *sensor, ksWrench *reading)
{
    for (int k = 0; k < 3; k++) {
        reading->force[k] -= sensor->bias.force[k];
        reading->torque[k] -= sensor->bias.torque[k];
    }
}

ksStatus ksSensorRead(const ksSensor *sensor, const ksReaction *reaction, ksWrench *out)
{
    ksWrench w;
    ksStatus status = KS_ERROR_BAD_ARGUMENT;
    KSI_QUIETLY({
        if (out)
            status = measure(sensor, reaction, &w);
        if (!status)
            takeBiasOut(sensor, &w);
    });
    if (!status)
        *out = w;
    return status;
}

ksStatus ksSensorTare(ksSensor *sensor, const ksReaction *reaction)
{
    ksWrench w;
    ksStatus status;
    KSI_QUIETLY(status = measure(sensor, reaction, &w));
    if (!status)
        sensor->bias = w;
    return status;
}

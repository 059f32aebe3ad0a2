/* sensor.c  A six-axis force and torque sensor: a reaction's wrench, less a tool's weight and a
 * bias. */
#include "../inspector/publish/wrench.h"

#include "../base/fpguard.h"
#include "../engine/number.h"

#include <math.h>
#include <stdbool.h>

void ksSensorInit(ksSensor *sensor)
{
    if (!sensor)
        return;
    *sensor = (ksSensor){
        .size = sizeof *sensor,
        .value = KS_PHYSICAL,
        .frame = KS_FRAME_BODY,
        .point = KS_POINT_ANCHOR,
        .gravity = {NAN, NAN, NAN},
    };
}

static int finite3(const double v[3])
{
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
}

static bool isGravityGiven(const ksSensor *sensor)
{
    return !(isnan(sensor->gravity[0]) && isnan(sensor->gravity[1]) && isnan(sensor->gravity[2]));
}

static bool isGravityFinite(const ksSensor *sensor)
{
    return isfinite(sensor->gravity[0]) && isfinite(sensor->gravity[1]) && isfinite(sensor->gravity[2]);
}

static ksStatus checkTool(const ksSensor *sensor, const ksReaction *reaction)
{
    KSI_REQUIRE(isfinite(sensor->toolMass) && sensor->toolMass >= 0, "sensor->toolMass is %g, must be finite and >= 0",
                sensor->toolMass);
    KSI_REQUIRE(finite3(sensor->toolCentre), "sensor->toolCentre has a NaN or an infinity");
    KSI_REQUIRE(!isGravityGiven(sensor) || isGravityFinite(sensor), "sensor->gravity has a NaN or an infinity");
    KSI_REQUIRE(sensor->toolMass == 0 || reaction->body[sensor->body],
                "sensor->toolMass is %g, and sensor->body is the world", sensor->toolMass);
    return KS_OK;
}

static ksStatus check(const ksSensor *sensor, const ksReaction *reaction)
{
    KSI_REQUIRE_POINTER(sensor);
    KSI_REQUIRE_POINTER(reaction);
    KSI_REQUIRE(sensor->size == sizeof *sensor, "sensor->size is %zu, must be %zu: call ksSensorInit", sensor->size,
                sizeof *sensor);
    KSI_REQUIRE(sensor->value <= KS_PHYSICAL || sensor->value == KS_SHARED,
                "sensor->value is %d, not KS_ENGINE, KS_CONVERGED, KS_PHYSICAL or KS_SHARED", (int)sensor->value);
    KSI_REQUIRE(sensor->body == 0 || sensor->body == 1, "sensor->body is %d, must be 0 or 1", sensor->body);
    KSI_REQUIRE(sensor->frame <= KS_FRAME_JOINT, "sensor->frame is %d, not one of ksFrame", (int)sensor->frame);
    KSI_REQUIRE(sensor->point <= KS_POINT_ANCHOR, "sensor->point is %d, not one of ksPoint", (int)sensor->point);
    KSI_REQUIRE(!sensor->atPosition || finite3(sensor->position), "sensor->position has a NaN or an infinity");
    return checkTool(sensor, reaction);
}

/* A point that is fixed in a body, in world coordinates. */
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

static ksStatus view(const ksSensor *sensor, const ksReaction *reaction, ksiWrenchFrame *out)
{
    ksPoint point = sensor->point;
    if (!sensor->atPosition)
        return ksiViewAnyhow(reaction, sensor->body, sensor->frame, &point, out);
    out->body = sensor->body;
    pointOf(reaction, sensor->body, sensor->position, out->point);
    ksiFrameAxes(reaction, sensor->body, sensor->frame, out->axes);
    return KS_OK;
}

/* The joint carries the tool's weight: the wrench contains the opposite of the weight. */
static void takeWeightOut(const ksSensor *sensor, const ksReaction *reaction, const ksiWrenchFrame *at,
                          ksWrench *reading)
{
    double centre[3], room[4];
    ksWrench weight = {{0}, {0}};
    const bool isGiven = isGravityGiven(sensor);
    const double *gravity = isGiven ? ksiDoubles(sensor->gravity, 4, room) : reaction->gravity;
    if (!isGiven && reaction->weightless[sensor->body])
        return;
    pointOf(reaction, sensor->body, sensor->toolCentre, centre);
    for (int k = 0; k < 3; k++)
        weight.force[k] = sensor->toolMass * gravity[k];
    ksiMoveWrench(&weight, centre, at->point);
    ksiTurnWrench(&weight, at->axes);
    for (int k = 0; k < 3; k++) {
        reading->force[k] += weight.force[k];
        reading->torque[k] += weight.torque[k];
    }
}

/* The wrench before the bias is subtracted. */
static ksStatus measure(const ksSensor *sensor, const ksReaction *reaction, ksWrench *reading)
{
    KSI_TRY(check(sensor, reaction));
    ksiWrenchFrame at;
    const ksWrench *both = ksiWrenchesOf(reaction, sensor->value);
    if (!both)
        return ksiExplainNoValue(reaction, sensor->value);
    if (view(sensor, reaction, &at))
        return KS_ERROR_UNAVAILABLE;
    ksWrench w;
    ksiViewWrench(reaction, &at, both, &w);
    if (sensor->toolMass > 0)
        takeWeightOut(sensor, reaction, &at, &w);
    if (!sensor->undetermined && sensor->value != KS_SHARED) {
        ksiUnique unique;
        ksiFindUnique(reaction, &at, KSI_IS_SINGLE, &unique);
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

static ksStatus readSensor(const ksSensor *sensor, const ksReaction *reaction, ksWrench *out)
{
    ksWrench w;
    KSI_REQUIRE_POINTER(out);
    KSI_TRY(measure(sensor, reaction, &w));
    takeBiasOut(sensor, &w);
    *out = w;
    return KS_OK;
}

ksStatus ksSensorRead(const ksSensor *sensor, const ksReaction *reaction, ksWrench *out)
{
    KSI_RETURN_GUARDED(readSensor(sensor, reaction, out));
}

ksStatus ksSensorTare(ksSensor *sensor, const ksReaction *reaction)
{
    ksWrench w;
    ksStatus status;
    KSI_GUARD_FP(status = measure(sensor, reaction, &w));
    if (!status)
        sensor->bias = w;
    return KSI_ANSWER(status);
}

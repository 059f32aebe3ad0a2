/* joint_size.c  Components, bearing and motors of a joint, step by step. */
#include "joint_size.h"

#include "../base/vectorise.h"

#include <math.h>
#include <stdlib.h>

const char *const ksiSizedComponent[KSI_SIZED_COMPONENTS] = {"fx", "fy", "fz", "tx", "ty", "tz"};

static const double turn = 6.283185307179586;

const ksiBearingData ksiPlainBearing = {.dynamic = NAN, .fixed = NAN, .x = 1, .y = 0, .e = 0, .x0 = 0.6, .y0 = 0.5};

bool ksiJointSizeBegin(ksiJointSize *joint, bool isBearing, const ksiBearingData *bearing,
                       const ksiWoehler *const woehler[KSI_SIZED_COMPONENTS])
{
    bool isMade = true;
    *joint = (ksiJointSize){.isBearing = isBearing, .data = bearing};
    for (int i = 0; i < KSI_SIZED_COMPONENTS; i++)
        isMade &= ksiLoadSizeBegin(&joint->load[i], woehler[i]);
    return isMade;
}

/* Columns of a bearing's loads. load, fixed: P and P0; bar, barFixed: their error bars. */
typedef struct Loads {
    ksiColumnOf radial, axial, tilting, load, bar, fixed, barFixed, revolutions;
} Loads;

/* Computes the bearing loads of ISO 281 and ISO 76 from the loads of the steps and the factors of
 * the bearing. */
static void loadsOf(const ksiBearingData *of, const ksiLoadSteps *steps, Loads *out)
{
    const double widest = fmax(of->x + of->y, 1), widestFixed = fmax(of->x0 + of->y0, 1);
    for (int i = 0; i < steps->count || i % KSI_LANES; i++) {
        const double fy = steps->load[1][i], fz = steps->load[2][i], ty = steps->load[4][i], tz = steps->load[5][i];
        const double radial = sqrt(fy * fy + fz * fz), axial = fabs(steps->load[0][i]), bar = steps->bar[0][i];
        const double load = ksiLarger(of->x * radial + of->y * axial, 0);
        const double fixed = ksiLarger(of->x0 * radial + of->y0 * axial, radial);
        const bool isUnknown = isnan(steps->turned[i]);
        out->radial[i] = radial;
        out->axial[i] = axial;
        out->tilting[i] = sqrt(ty * ty + tz * tz);
        out->load[i] = axial > of->e * radial ? load : radial;
        out->bar[i] = widest * bar;
        out->fixed[i] = fixed;
        out->barFixed[i] = widestFixed * bar;
        out->revolutions[i] = isUnknown ? 0 : steps->turned[i] / turn;
    }
}

static void addBearing(ksiBearingSize *bearing, const ksiBearingData *data, const ksiLoadSteps *steps)
{
    Loads loads;
    const int count = steps->count;
    loadsOf(data ? data : &ksiPlainBearing, steps, &loads);
    ksiPeaksNote(&bearing->radial, 1, count, loads.radial, steps->bar[0], steps->at);
    ksiPeaksNote(&bearing->axial, 1, count, loads.axial, steps->bar[0], steps->at);
    ksiPeaksNote(&bearing->tilting, 1, count, loads.tilting, steps->bar[1], steps->at);
    ksiPeaksNote(&bearing->fixed, 1, count, loads.fixed, loads.barFixed, steps->at);
    for (int i = 0; i < count; i++)
        bearing->revolutions += loads.revolutions[i];
    for (int i = 0; i < KSI_BEARINGS; i++)
        ksiPowerSumAdd(&bearing->load[i], KSI_BALLS + i, count, loads.load, loads.bar, loads.revolutions);
}

void ksiJointSizeAdd(ksiJointSize *joint, const ksiLoadSteps *steps, int count, double lasted)
{
    joint->steps += (uint64_t)count;
    joint->unknown += (uint64_t)(count - steps->count);
    joint->lasted += lasted;
    if (steps->count == 0)
        return;
    for (int i = 0; i < steps->count; i++)
        joint->time += steps->duration[i];
    for (int i = 0; i < KSI_SIZED_COMPONENTS; i++)
        ksiLoadSizeAdd(&joint->load[i], steps, i);
    if (joint->isBearing)
        addBearing(&joint->bearing, joint->data, steps);
}

void ksiJointSizeEnd(ksiJointSize *joint, bool isRepeated)
{
    for (int i = 0; i < KSI_SIZED_COMPONENTS; i++)
        ksiLoadSizeEnd(&joint->load[i], isRepeated);
}

void ksiJointSizeFree(ksiJointSize *joint)
{
    for (int i = 0; i < KSI_SIZED_COMPONENTS; i++)
        ksiLoadSizeFree(&joint->load[i]);
    for (int i = 0; i < KSI_SIZED_AXES; i++)
        free(joint->motor[i].points);
}

/* The mean square of the force, with weights that decay by the time constant. It starts at 0. The
 * excess temperature of a body follows the same equation if F^2 heats the body, and if the body
 * cools in proportion to this excess. */
static double heat(double before, double force, double share)
{
    return before + share * (force * force - before);
}

/* The larger number; NaN if one of the numbers is NaN. */
static double larger(double a, double b)
{
    return a >= b || isnan(a) ? a : b;
}

/* Between the steps in which the motor is on, the motor's heat decays. */
static void cool(ksiMotorSize *motor, double off, double timeConstant)
{
    const double left = off > 0 ? exp(-off / timeConstant) : 1;
    motor->heat *= left;
    motor->heatLow *= left;
    motor->heatHigh *= left;
}

static void addContinuous(ksiMotorSize *motor, double size, double bar, double share)
{
    motor->heat = heat(motor->heat, size, share);
    motor->heatLow = heat(motor->heatLow, size <= bar ? 0 : size - bar, share);
    motor->heatHigh = heat(motor->heatHigh, size + bar, share);
    motor->continuous.value = fmax(motor->continuous.value, sqrt(motor->heat));
    motor->continuous.low = larger(motor->continuous.low, sqrt(motor->heatLow));
    motor->continuous.high = larger(motor->continuous.high, sqrt(motor->heatHigh));
}

double ksiEnvelopeAt(const ksiEnvelope *envelope, double speed)
{
    const double size = fabs(speed), *s = envelope->speed, *f = envelope->force;
    int i = 0;
    while (i < envelope->count && s[i] < size)
        i++;
    if (i == envelope->count)
        return 0;
    return i == 0 || s[i] == size ? f[i] : f[i - 1] + (f[i] - f[i - 1]) * (size - s[i - 1]) / (s[i] - s[i - 1]);
}

static void addUse(ksiMotorSize *motor, const ksiMotorStep *step)
{
    const double most = ksiEnvelopeAt(motor->envelope, step->speed), size = fabs(step->force);
    ksiPeakNote(&motor->use, 1, size > 0 ? size / most : 0, step->bar / most, step->at);
    motor->beyond += size > most ? step->duration : 0;
}

/* A step continues the stretch at the force limit if it begins when the step before ended. Both
 * times are rounded, and may differ by half the step's duration. */
static void addStretch(ksiMotorSize *motor, const ksiMotorStep *step)
{
    const bool isNext = fabs(step->at.time - motor->until) < step->duration / 2;
    motor->stretch = step->isSaturated ? (isNext ? motor->stretch : 0) + step->duration : 0;
    motor->longest = fmax(motor->longest, motor->stretch);
    motor->until = step->at.time + step->duration;
}

void ksiMotorSizeAdd(ksiMotorSize *motor, const ksiMotorStep *step, double timeConstant)
{
    const double size = fabs(step->force), h = step->duration, off = step->at.time - motor->seen;
    motor->isKnown = true;
    motor->seen = step->at.time + h;
    if (timeConstant > 0)
        cool(motor, off, timeConstant);
    if (!isfinite(size)) {
        motor->unknown++;
        motor->unknownTime += h;
        return;
    }
    if (!motor->peak.isKnown || size > fabs(motor->peak.value)) {
        motor->peak = (ksiPeak){true, step->force, step->bar, step->at};
        motor->speedAtPeak = step->speed;
    }
    if (isfinite(step->speed))
        ksiMatrixAdd(motor->points, size, step->force < 0 ? -step->speed : step->speed, 1);
    if (motor->envelope)
        addUse(motor, step);
    motor->fastest = fmax(motor->fastest, fabs(step->speed));
    ksiSquareAdd(&motor->square, size, step->bar, h);
    if (timeConstant > 0)
        addContinuous(motor, size, step->bar, -expm1(-h / timeConstant));
    motor->time += h;
    motor->saturated += step->isSaturated ? h : 0;
    addStretch(motor, step);
    motor->atStop += step->isAtStop ? h : 0;
    if (!isfinite(step->power))
        return;
    ksiPeakNote(&motor->power[0], 1, step->power, NAN, step->at);
    ksiPeakNote(&motor->power[1], -1, step->power, NAN, step->at);
    motor->given += fmax(step->power, 0) * h;
    motor->taken += fmax(-step->power, 0) * h;
}

double ksiMeanShare(const ksiJointSize *joint)
{
    const double half = joint->meanTurn / 2;
    return half <= 0 ? 1 : 2 * half < turn ? sin(half) / half : 0;
}

ksiBetween ksiBearingLife(const ksiJointSize *joint)
{
    const ksiBearingData *data = joint->data;
    if (!data || isnan(data->dynamic))
        return (ksiBetween){NAN, NAN, NAN};
    const double exponent = ksiPowers[KSI_BALLS + data->isRoller];
    const ksiBetween load = ksiPowerMean(&joint->bearing.load[data->isRoller], exponent);
    return (ksiBetween){pow(data->dynamic / load.value, exponent), pow(data->dynamic / load.high, exponent),
                        pow(data->dynamic / load.low, exponent)};
}

ksiBetween ksiBearingHours(const ksiJointSize *joint)
{
    const ksiBetween life = ksiBearingLife(joint);
    const double hours = 1e6 / joint->bearing.revolutions * joint->time / 3600;
    return (ksiBetween){hours * life.value, hours * life.low, hours * life.high};
}

ksiBetween ksiBearingSafety(const ksiJointSize *joint)
{
    const ksiPeak *load = &joint->bearing.fixed;
    const double capacity = joint->data && load->isKnown ? joint->data->fixed : (double)NAN;
    return (ksiBetween){capacity / load->value, capacity / (load->value + load->bar),
                        load->bar >= load->value ? INFINITY : capacity / (load->value - load->bar)};
}

ksiBetween ksiMotorRms(const ksiMotorSize *motor, double lasted)
{
    ksiPowerSum square = motor->square;
    square.weight = fmax(square.weight, lasted - motor->unknownTime);
    return ksiPowerMean(&square, 2);
}

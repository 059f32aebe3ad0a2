/* joint_size.c  Components, bearing and motors of a joint, step by step. */
#include "joint_size.h"

#include <math.h>

const char *const ksiSizedComponent[KSI_SIZED_COMPONENTS] = {"fx", "fy", "fz", "tx", "ty", "tz"};
const double ksiLifeExponent[KSI_BEARINGS] = {3, 10.0 / 3};

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

/* Radial and axial loads of ISO 281 from two loads and the factors. */
static double equivalent(const ksiBearingData *data, double radial, double axial)
{
    return axial > data->e * radial ? fmax(data->x * radial + data->y * axial, 0) : radial;
}

static void addBearing(ksiBearingSize *bearing, const ksiBearingData *data, const ksiJointStep *step)
{
    const double *f = step->load, *t = step->load + 3, revolutions = fabs(step->turned) / turn;
    const double radial = hypot(f[1], f[2]), axial = fabs(f[0]);
    const ksiBearingData *of = data ? data : &ksiPlainBearing;
    const double load = equivalent(of, radial, axial), bar = (of->x + of->y) * step->bar[0];
    ksiPeakNote(&bearing->radial, 1, radial, step->bar[0], step->at);
    ksiPeakNote(&bearing->axial, 1, axial, step->bar[0], step->at);
    ksiPeakNote(&bearing->tilting, 1, hypot(t[1], t[2]), step->bar[1], step->at);
    ksiPeakNote(&bearing->fixed, 1, fmax(of->x0 * radial + of->y0 * axial, radial),
                fmax(of->x0 + of->y0, 1) * step->bar[0], step->at);
    if (isnan(revolutions))
        return;
    bearing->revolutions += revolutions;
    for (int i = 0; i < KSI_BEARINGS; i++)
        ksiPowerSumAdd(&bearing->load[i], ksiLifeExponent[i], load, fmax(bar, step->bar[0]), revolutions);
}

void ksiJointSizeAdd(ksiJointSize *joint, const ksiJointStep *step)
{
    double sum = 0;
    joint->steps++;
    joint->lasted += step->duration;
    for (int i = 0; i < KSI_SIZED_COMPONENTS; i++)
        sum += step->load[i];
    if (!isfinite(sum)) {
        joint->unknown++;
        return;
    }
    joint->time += step->duration;
    for (int i = 0; i < KSI_SIZED_COMPONENTS; i++)
        ksiLoadSizeAdd(&joint->load[i], step->load[i], step->bar[i / 3], step->duration, step->at);
    if (joint->isBearing)
        addBearing(&joint->bearing, joint->data, step);
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
}

/* The mean square of the last time constant, as that of a body that heats by F^2 and cools by its excess; from 0. */
static double heat(double before, double force, double share)
{
    return before + share * (force * force - before);
}

/* Unknown where one of them is. */
static double larger(double a, double b)
{
    return a >= b || isnan(a) ? a : b;
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

void ksiMotorSizeAdd(ksiMotorSize *motor, const ksiMotorStep *step, double timeConstant)
{
    const double size = fabs(step->force), h = step->duration;
    motor->isKnown = true;
    if (!isfinite(size)) {
        motor->unknown++;
        return;
    }
    if (!motor->peak.isKnown || size > fabs(motor->peak.value)) {
        motor->peak = (ksiPeak){true, step->force, step->bar, step->at};
        motor->speedAtPeak = step->speed;
    }
    motor->fastest = fmax(motor->fastest, fabs(step->speed));
    ksiPowerSumAdd(&motor->square, 2, size, step->bar, h);
    if (timeConstant > 0)
        addContinuous(motor, size, step->bar, -expm1(-h / timeConstant));
    motor->time += h;
    motor->saturated += step->isSaturated ? h : 0;
    motor->atStop += step->isAtStop ? h : 0;
    if (!isfinite(step->power))
        return;
    ksiPeakNote(&motor->power[0], 1, step->power, NAN, step->at);
    ksiPeakNote(&motor->power[1], -1, step->power, NAN, step->at);
    motor->given += fmax(step->power, 0) * h;
    motor->taken += fmax(-step->power, 0) * h;
}

ksiBetween ksiBearingLife(const ksiJointSize *joint)
{
    const ksiBearingData *data = joint->data;
    if (!data || isnan(data->dynamic))
        return (ksiBetween){NAN, NAN, NAN};
    const double exponent = ksiLifeExponent[data->isRoller];
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
    square.weight = fmax(square.weight, lasted);
    return ksiPowerMean(&square, 2);
}

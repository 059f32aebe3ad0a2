/* check_size.c  Sizing by traces: RMS, life and energy against closed forms; documents. */
#define _GNU_SOURCE
#include "tests/kits/report/size_kit.h"

#include <math.h>

/* --- Closed forms --- */

static const double mass = 4, gravity = 9.81, lever = 0.5, speed = 3.141592653589793;
enum { TURNS = 3, STEPS = 400 * TURNS };
static const double h = 2.0 / 400; /* s: 400 steps a turn */

/* of the truth: rounding of the motion over 1200 steps, and the CFM of the motor's row */
static const double closeness = 1e-6;

/* The place of a rotor: its shaft is x of these axes, and weight acts along -z. window: of means,
 * s; 0: the default. */
typedef struct Stand {
    dVector3 place;
    dMatrix3 axes;
    double window;
} Stand;

static const Stand atOrigin = {.axes = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};

static void turned(const Stand *stand, double x, double y, double z, double out[3])
{
    const double v[3] = {x, y, z};
    dMultiply0_331(out, stand->axes, v);
}

/* A body on a horizontal shaft that a motor turns; arm: distance of its mass centre from the
 * shaft. */
static void traceRotorOn(const Stand *stand, const char *path, double arm)
{
    dWorldID world = dWorldCreate();
    dMass m;
    double g[3], shaft[3], off[3], v[3];
    const dReal *p = stand->place;
    turned(stand, 0, 0, -gravity, g);
    turned(stand, 1, 0, 0, shaft);
    turned(stand, 0, arm, 0, off);
    turned(stand, 0, 0, speed * arm, v);
    dWorldSetGravity(world, g[0], g[1], g[2]);
    dWorldSetCFM(world, 0);
    dBodyID body = dBodyCreate(world);
    dMassSetSphereTotal(&m, mass, 0.1);
    dBodySetMass(body, &m);
    dBodySetPosition(body, p[0] + off[0], p[1] + off[1], p[2] + off[2]);
    dBodySetAngularVel(body, speed * shaft[0], speed * shaft[1], speed * shaft[2]);
    dBodySetLinearVel(body, v[0], v[1], v[2]);
    // rotates by w h in each step, instead of the engine's 2 atan(w h / 2)
    dBodySetFiniteRotationMode(body, 1);
    dBodySetFiniteRotationAxis(body, shaft[0], shaft[1], shaft[2]);
    dJointID hinge = dJointCreateHinge(world, NULL);
    dJointAttach(hinge, body, NULL);
    dJointSetHingeAnchor(hinge, p[0], p[1], p[2]);
    dJointSetHingeAxis(hinge, shaft[0], shaft[1], shaft[2]);
    dJointSetHingeParam(hinge, dParamVel, speed);
    dJointSetHingeParam(hinge, dParamFMax, 1000);
    ksInspectorOptions given = defaultOptions();
    given.meanWindow = stand->window > 0 ? stand->window : given.meanWindow;
    ksInspector *inspector = inspectWith(world, &given);
    CHECK_OK(ksInspectorSetName(inspector, hinge, "shaft"));
    ksTrace *trace = traceInto(path, NULL);
    CHECK_OK(ksTraceWatch(trace, inspector, "rotor"));
    for (int i = 0; i < STEPS; i++)
        CHECK_OK(ksInspectorStep(inspector, h));
    CHECK_OK(ksTraceClose(trace));
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}

static void traceRotor(const char *path, double arm)
{
    traceRotorOn(&atOrigin, path, arm);
}

static void checkClose(double found, double wanted)
{
    ck_assert_msg(fabs(found - wanted) <= closeness * fabs(wanted), "%.12g is not %.12g", found, wanted);
}

/* The truth lies within the bounds, which are close together. */
static void checkBounded(ksiBetween found, double wanted)
{
    checkClose(found.value, wanted);
    ck_assert_double_le(found.low, wanted * (1 + closeness));
    ck_assert_double_ge(found.high, wanted * (1 - closeness));
    ck_assert_double_le(found.high - found.low, 1e-3 * wanted);
    ck_assert_double_le(found.low, found.high);
}

/* A constant load on the bearing, which is a sine in the axes of the shaft. */
START_TEST(balanced_rotor)
{
    const double weight = mass * gravity, dynamic = 14000, fixed = 6550;
    ksiSizeOptions options = sizeOptions();
    options.bearingCount = options.woehlerCount = 1;
    options.bearing[0].joints = "sh*";
    options.bearing[0].data = ksiPlainBearing;
    options.bearing[0].data.dynamic = dynamic;
    options.bearing[0].data.fixed = fixed;
    options.bearing[0].data.isRoller = _i == 1;
    options.woehler[0] = (ksiWoehlerRule){"shaft", 1, {.range = weight, .cycles = 1e6, .slope = 5, .slopeBeyond = 5}};
    options.isRepeated = true;
    traceRotor(in("rotor.h5"), 0);
    ksiSizing sizing = sizeOf(in("rotor.h5"), &options);
    const ksiSizedJoint *joint = &sizing.world[0].joint[0];
    const ksiJointSize *size = joint->size;
    const double exponent = _i ? 10.0 / 3 : 3, life = pow(dynamic / weight, exponent), turned = (STEPS - 1) * h * speed;
    ck_assert_str_eq(joint->name, "shaft");
    ck_assert(joint->isAnchored && size->isBearing);
    ck_assert_uint_eq(size->steps, STEPS);
    ck_assert_uint_eq(size->unknown, 0);
    checkClose(size->time, STEPS * h);
    checkClose(size->bearing.radial.value, weight);
    ck_assert_double_le(size->bearing.axial.value, closeness * weight);
    checkClose(size->bearing.revolutions, turned / (2 * speed));
    for (int kind = 0; kind < KSI_BEARINGS; kind++)
        checkBounded(ksiPowerMean(&size->bearing.load[kind], ksiPowers[KSI_BALLS + kind]), weight);
    checkBounded(ksiBearingLife(size), life);
    checkBounded(ksiBearingHours(size), life * 1e6 / (turned / (2 * speed)) * STEPS * h / 3600);
    checkBounded(ksiBearingSafety(size), fixed / weight);
    for (int i = 1; i < 3; i++) {
        checkBounded(ksiPowerMean(&size->load[i].square, 2), weight / sqrt(2));
        checkClose(size->load[i].most.value, weight);
        checkClose(size->load[i].least.value, -weight);
        checkClose(size->load[i].largestRange, 2 * weight);
    }
    // Miner: a cycle of twice the range in each turn
    checkBounded(size->load[1].damage, TURNS * pow(2, 5) / 1e6);
    ck_assert_double_le(size->motor[0].peak.value, closeness * weight);
    ksiSizingFree(&sizing);
}
END_TEST

/* The times of a motor's peak, a bearing's peak, and the extremes of each component. */
static void checkMoments(const ksiJointSize *size, const char *page)
{
    const ksiPeak *peaks[] = {&size->motor[0].peak, &size->bearing.radial};
    static const char *const unit[] = {"N.m", "N"}, *const name[] = {"peak", "radial"};
    char row[160], time[64];
    for (int i = 0; i < 2; i++) {
        snprintf(row, sizeof row, "<td>%s</td><td>%.4g %s</td>", name[i], peaks[i]->value, unit[i]);
        snprintf(time, sizeof time, "<td>%.5g s</td></tr>", peaks[i]->at.time);
        const char *found = strstr(page, row);
        ck_assert_msg(found != NULL, "%s", row);
        ck_assert_ptr_eq(strstr(found, time) + strlen(time), strstr(found, "</tr>") + 5);
    }
    for (int i = 0; i < KSI_SIZED_COMPONENTS; i++) {
        const ksiPeak *least = &size->load[i].least, *most = &size->load[i].most;
        snprintf(row, sizeof row,
                 "<td>%.4g<br><small>%.5g&#160;s</small></td><td>%.4g<br><small>%.5g&#160;s</small></td>", least->value,
                 least->at.time, most->value, most->at.time);
        ck_assert(strstr(page, row) || (ksiPeakIsNone(least) && ksiPeakIsNone(most)));
    }
}

/* The picture of a motor: the number of drawn steps, the envelope on both sides, and the peak on
 * the right side at its height. */
static void checkPage(const ksiSizing *sizing, double share)
{
    ksiText page = {.allocator = &ksiLibraryAllocator};
    double x, y, top, bottom;
    ksiSizingToPage(sizing, &page);
    ck_assert(page.at && !page.isShort);
    const char *envelope = strstr(page.at, "class=\"envelope\""), *circle = strstr(page.at, "class=\"peak\"");
    ck_assert_ptr_nonnull(strstr(page.at, "class=\"steps\""));
    ck_assert_ptr_nonnull(envelope);
    ck_assert_ptr_nonnull(strstr(envelope + 1, "class=\"envelope\""));
    ck_assert_int_eq(sscanf(strstr(circle, "cx"), "cx=\"%lf\" cy=\"%lf", &x, &y), 2);
    // of the envelope from rest, at its left end: M x y, and down to 0: V
    ck_assert_int_eq(sscanf(strstr(envelope, "d=\"M"), "d=\"M%*f %lf", &top), 1);
    ck_assert_int_eq(sscanf(strstr(envelope, "V"), "V%lf", &bottom), 1);
    ck_assert_double_eq_tol((bottom - y) / (bottom - top), share, 2e-3);  // a tenth of a pixel
    checkMoments(sizing->world[0].joint[0].size, page.at);
    ksiTextFree(&page);
}

static int countOf(const ksiText *text, const char *words)
{
    int count = 0;
    for (const char *at = text->at; (at = strstr(at, words)) != NULL; at++)
        count++;
    return count;
}

/* Each number lies within the picture: a character of the widest screen fonts is 0.65 times as wide
 * as high. */
static void checkNumbersInside(const char *page)
{
    const double character = 0.65 * 14;
    char words[64];
    double x, y;
    int count = 0;
    for (const char *at = page; (at = strstr(at, "<text x=")) != NULL; at++) {
        if (sscanf(at, "<text x=\"%lf\" y=\"%lf\" text-anchor=\"end\">%63[0-9.e+-]<", &x, &y, words) < 3)
            continue;
        ck_assert_msg(x - character * (double)strlen(words) >= 0, "%s begins outside", words);
        count++;
    }
    ck_assert_int_ge(count, 3);
}

/* A pendulum that a motor turns at a constant speed: its torque is m g l cos(w t). */
START_TEST(driven_pendulum)
{
    const double torque = mass * gravity * lever;
    ksiSizeOptions options = sizeOptions();
    options.timeConstant = 0.5;
    // 0.6 of the torque at this speed, between 0.8 at rest and 0.4 at twice the speed
    options.envelopeCount = 1;
    options.envelope[0] = (ksiEnvelopeRule){"sh*", {2, {0, 2 * speed}, {0.8 * torque, 0.4 * torque}}};
    traceRotor(in("arm.h5"), lever);
    ksiSizing sizing = sizeOf(in("arm.h5"), &options);
    const ksiMotorSize *motor = &sizing.world[0].joint[0].size->motor[0];
    checkClose(fabs(motor->peak.value), torque);
    checkBounded(ksiMotorRms(motor, STEPS * h), torque / sqrt(2));
    checkClose(fabs(motor->speedAtPeak), speed);
    checkClose(motor->fastest, speed);
    checkClose(motor->power[0].value, torque * speed);
    // up by 2 l in half of each turn; the sum is over steps that begin at a multiple of a degree
    const double sum = 1 / tan(speed * h / 2) * speed * h / 2;
    checkClose(motor->given, TURNS * 2 * torque * sum);
    checkClose(motor->taken, TURNS * 2 * torque * sum);
    checkClose(motor->time, STEPS * h);
    ck_assert_double_eq(motor->saturated, 0);
    checkClose(motor->use.value, 1 / 0.6);
    // |cos| is above 0.6 for this part of a turn; each turn has four ends of such parts, each off
    // by less than a step
    ck_assert_double_eq_tol(motor->beyond / motor->time, 2 * acos(0.6) / speed, 4 * h / 2);
    checkPage(&sizing, 1 / 0.8);
    uint64_t points = 0;
    for (int i = 0; i < KSI_RANGE_CLASSES; i++)
        for (int k = 0; k < KSI_MEAN_CLASSES; k++)
            points += motor->points->halves[i][k];
    ck_assert_uint_eq(points, STEPS);
    // F^2 = (1 + cos 2 w t)/2: when settled, the filter's ripple is 1/sqrt(1 + (2 w tau)^2) of the
    // half; after a start from 0 it lacks exp(-t/tau)
    const double ripple = 1 / sqrt(1 + pow(2 * speed * options.timeConstant, 2));
    const double most = torque * sqrt((1 + ripple) / 2);
    ck_assert_double_le(motor->continuous.value, most);
    ck_assert_double_ge(motor->continuous.value,
                        most * (1 - 0.01));  // 6 s are less than 12 time constants; steps are 1/100 of one
    ksiSizingFree(&sizing);
}
END_TEST

/* Its envelope has 12300 N m. The numbers of the axes are round, the axes have names and units. */
START_TEST(page_of_a_large_motor)
{
    ksiText page = {.allocator = &ksiLibraryAllocator};
    ksiSizeOptions options = sizeOptions();
    options.envelopeCount = 1;
    options.envelope[0] = (ksiEnvelopeRule){"shaft", {2, {0, 2 * speed}, {12300, 12300}}};
    traceRotor(in("arm.h5"), lever);
    ksiSizing sizing = sizeOf(in("arm.h5"), &options);
    ksiSizingToPage(&sizing, &page);
    ck_assert_ptr_nonnull(strstr(page.at, ">0</text>"));
    ck_assert_ptr_nonnull(strstr(page.at, ">5000</text>"));
    ck_assert_ptr_nonnull(strstr(page.at, ">10000</text>"));
    ck_assert_ptr_null(strstr(page.at, "e+04</text>"));
    ck_assert_ptr_nonnull(strstr(page.at, ">torque, N.m</text>"));
    ck_assert_ptr_nonnull(strstr(page.at, ">speed along the torque, rad/s</text>"));
    checkNumbersInside(page.at);
    ksiTextFree(&page);
    ksiSizingFree(&sizing);
}
END_TEST

/* A reader of the page and of the text sees the given data on which numbers depend. */
START_TEST(given_data_are_told)
{
    static const char *const wanted[] = {
        "<td>continuous, over 0.5 s</td>",
        " Cycles are those of a run that repeats endlessly.</p>",
        "Given: C = 14000 N, rollers; C0 = 6550 N; X0 = 0.6, Y0 = 0.5; X = 0.56, Y = 1.5, e = 0.3</p>",
        "Given for fy: 2e+06 cycles of a range of 20000 N; slope 5</p>",
        "Given for tz: 1e+06 cycles of a range of 40 N.m; slope 3, no damage by smaller ranges</p>",
        "Given for tx: 1e+06 cycles of a range of 30 N.m; slope 3, 5 for smaller ranges</p>"};
    ksiText page = {.allocator = &ksiLibraryAllocator}, text = {.allocator = &ksiLibraryAllocator};
    ksiSizeOptions options = sizeOptions();
    options.timeConstant = 0.5;
    options.isRepeated = true;
    options.bearingCount = 1;
    options.bearing[0] = (ksiBearingRule){"shaft", {14000, 6550, true, 0.56, 1.5, 0.3, 0.6, 0.5}};
    options.woehlerCount = 3;
    options.woehler[0] = (ksiWoehlerRule){"shaft", 1, {20000, 2e6, 5, 5}};
    options.woehler[1] = (ksiWoehlerRule){"shaft", 5, {40, 1e6, 3, INFINITY}};
    options.woehler[2] = (ksiWoehlerRule){"shaft", 3, {30, 1e6, 3, 5}};
    traceRotor(in("arm.h5"), lever);
    ksiSizing sizing = sizeOf(in("arm.h5"), &options);
    ksiSizingToPage(&sizing, &page);
    ksiSizingToText(&sizing, &text);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        ck_assert_msg(strstr(page.at, wanted[i]) != NULL, "no %s", wanted[i]);
    ck_assert_ptr_nonnull(strstr(text.at, "; continuous, over 0.5 s, "));
    ck_assert_ptr_nonnull(strstr(text.at, " Cycles are those of a run that repeats endlessly.\n"));
    ksiTextFree(&page);
    ksiTextFree(&text);
    ksiSizingFree(&sizing);
}
END_TEST

/* The load across the shaft is none, and so L10 has a least value alone; the load along it is not
 * in L10, because Y is 0. */
START_TEST(life_without_a_radial_load)
{
    ksiText text = {.allocator = &ksiLibraryAllocator}, page = {.allocator = &ksiLibraryAllocator};
    ksiSizeOptions options = sizeOptions();
    options.bearingCount = 1;
    options.bearing[0] = (ksiBearingRule){"shaft", {1000, NAN, false, 1, 0, 0, 0.6, 0.5}};
    traceRotor(in("arm.h5"), 0);
    ksiSizing sizing = sizeOf(in("arm.h5"), &options);
    ksiBearingSize *bearing = &sizing.world[0].joint[0].size->bearing;
    bearing->load[0] = (ksiPowerSum){.weight = 1, .value = 1e-9, .low = 0, .high = 1};
    bearing->axial = (ksiPeak){true, 20, 1e-9, {0, 0}};
    ksiSizingToText(&sizing, &text);
    ksiSizingToPage(&sizing, &page);
    ck_assert_ptr_nonnull(strstr(text.at, "under the equivalent load of none, within +- 1 N (balls), "));
    ck_assert_ptr_nonnull(strstr(text.at, " L10 at least 1e+09 million revolutions, at least "));
    ck_assert_ptr_nonnull(strstr(text.at, " h of such runs without the axial load (Y = 0)"));
    ck_assert_ptr_nonnull(strstr(page.at, "<td>at least 1e+09</td>"));
    ck_assert_ptr_nonnull(strstr(page.at, "Y = 0, e = 0, so L10 is without the axial load</p>"));
    ksiTextFree(&text);
    ksiTextFree(&page);
    ksiSizingFree(&sizing);
}
END_TEST

/* A motor that holds an axis has speeds of rounding size, which its picture does not show. */
START_TEST(page_of_a_motor_at_rest)
{
    static const double noise = 3e-10;
    ksiText page = {.allocator = &ksiLibraryAllocator};
    const ksiSizeOptions options = sizeOptions();
    traceRotor(in("arm.h5"), lever);
    ksiSizing sizing = sizeOf(in("arm.h5"), &options);
    ksiMotorSize *motor = &sizing.world[0].joint[0].size->motor[0];
    *motor->points = (ksiMatrix){.rangeWidth = 0};
    ksiMatrixAdd(motor->points, fabs(motor->peak.value), noise, 1);
    ksiMatrixAdd(motor->points, fabs(motor->peak.value), -noise, 1);
    motor->fastest = motor->speedAtPeak = noise;
    ksiSizingToPage(&sizing, &page);
    ck_assert_ptr_nonnull(strstr(page.at, "text-anchor=\"end\">1</text>"));
    ck_assert_ptr_null(strstr(page.at, "e-10</text>"));
    ksiTextFree(&page);
    ksiSizingFree(&sizing);
}
END_TEST

/* An envelope that ends below the speed has no force there, so no share of it exists. */
START_TEST(beyond_the_speeds_of_an_envelope)
{
    ksiSizeOptions options = sizeOptions();
    options.envelopeCount = 1;
    options.envelope[0] = (ksiEnvelopeRule){"shaft", {2, {0, speed / 2}, {1000, 1000}}};
    traceRotor(in("arm.h5"), lever);
    ksiSizing sizing = sizeOf(in("arm.h5"), &options);
    static void (*const document[])(const ksiSizing *, ksiText *) = {ksiSizingToText, ksiSizingToCsv, ksiSizingToPage};
    static const char *const told[] = {"beyond its envelope in 100 %; where it has no force at ",
                                       "motor 1,use of envelope,1,,,,", "beyond the envelope</td><td>100 %"};
    for (int i = 0; i < 3; i++) {
        ksiText text = {.allocator = &ksiLibraryAllocator};
        document[i](&sizing, &text);
        ck_assert_msg(strstr(text.at, told[i]) != NULL, "%s", told[i]);
        ck_assert_ptr_null(strstr(text.at, "inf "));
        ck_assert_ptr_null(strstr(text.at, ",inf"));
        ksiTextFree(&text);
    }
    ksiSizingFree(&sizing);
}
END_TEST

/* A document says "none" for each load that is zero, and for no other. */
static void checkNones(const ksiSizing *sizing, void (*document)(const ksiSizing *, ksiText *), int zeros)
{
    ksiText text = {.allocator = &ksiLibraryAllocator};
    document(sizing, &text);
    ck_assert_int_eq(countOf(&text, "none, within"), zeros);
    ksiTextFree(&text);
}

/* A load of zero has no cycles, also on an inclined shaft away from the origin, because its bar
 * covers it; other loads have a cycle in each turn. */
START_TEST(rounding_is_no_cycle)
{
    Stand stand = atOrigin;
    const ksiSizeOptions options = sizeOptions();
    if (_i % 2) {
        stand.place[0] = 3, stand.place[1] = -10, stand.place[2] = 0.7;
        dRFromAxisAndAngle(stand.axes, 1, 2, 3, 0.7);
    }
    traceRotorOn(&stand, in("rotor.h5"), _i < 2 ? 0 : lever);
    ksiSizing sizing = sizeOf(in("rotor.h5"), &options);
    const ksiLoadSize *load = sizing.world[0].joint[0].size->load;
    int zeros = 2 + (_i < 2);  // axial, tilting, motor
    for (int i = 0; i < KSI_SIZED_COMPONENTS; i++) {
        const bool isZero = i == 0 || i > 3 || (i == 3 && _i < 2);
        zeros += isZero;
        const uint64_t most = isZero ? 0 : 2 * TURNS + 1;
        ck_assert_msg(load[i].halves <= most, "%s has %g cycles of up to %g", ksiSizedComponent[i],
                      0.5 * (double)load[i].halves, load[i].largestRange);
        ck_assert(!isZero || (load[i].most.value <= load[i].most.bar && -load[i].least.value <= load[i].least.bar));
    }
    checkNones(&sizing, ksiSizingToPage, zeros);
    checkNones(&sizing, ksiSizingToText, zeros);
    ksiSizingFree(&sizing);
}
END_TEST

START_TEST(between_the_points_of_an_envelope)
{
    const ksiEnvelope envelope = {3, {0, 2, 4}, {10, 10, 6}};
    ck_assert_double_eq(ksiEnvelopeAt(&envelope, 0), 10);
    ck_assert_double_eq(ksiEnvelopeAt(&envelope, -3), 8);
    ck_assert_double_eq(ksiEnvelopeAt(&envelope, 4), 6);
    ck_assert_double_eq(ksiEnvelopeAt(&envelope, 4.001), 0);
}
END_TEST

/* Continuous time at the limit: a step below the limit, and a step without the motor, interrupt it.
 * RMS of a force of 1: it counts as 0 while the motor is off, and steps with an unknown force are
 * left out. */
START_TEST(time_at_the_limit_and_rms)
{
    static const char *const limited[] = {"xx-xxx-x", "xx-xx xx", "-u--uu--"}; /* blank: the motor is off; u: unknown */
    static const double longest[] = {3, 2, 0}, all[] = {6, 6, 0}, square[] = {1, 7.0 / 8, 1};
    static ksiMatrix points;
    ksiMotorSize motor = {.points = &points};
    for (int i = 0; limited[_i][i]; i++) {
        const ksiMotorStep step = {.at = {i, h * i},
                                   .duration = h,
                                   .force = limited[_i][i] == 'u' ? NAN : 1,
                                   .isSaturated = limited[_i][i] == 'x'};
        if (limited[_i][i] != ' ')
            ksiMotorSizeAdd(&motor, &step, 0);
    }
    ck_assert_double_eq_tol(motor.longest, longest[_i] * h, closeness * h);
    ck_assert_double_eq_tol(motor.saturated, all[_i] * h, closeness * h);
    checkClose(ksiMotorRms(&motor, 8 * h).value, sqrt(square[_i]));
}
END_TEST

/* A winding cools while its motor is off, as much as at a force of 0; a step whose force is unknown
 * is left out. q: what 10 steps leave of its heat. */
START_TEST(a_winding_cools_while_its_motor_is_off)
{
    static const double timeConstant = 0.1;
    static ksiMatrix points;
    ksiMotorSize off = {.points = &points}, zero = {.points = &points}, unknown = {.points = &points};
    for (int i = 0; i < 40; i++) {
        const bool isOn = i < 10 || i >= 30;
        ksiMotorStep step = {.at = {i, h * i}, .duration = h, .force = isOn ? 2 : 0};
        ksiMotorSizeAdd(&zero, &step, timeConstant);
        if (isOn)
            ksiMotorSizeAdd(&off, &step, timeConstant);
        step.force = isOn ? 2 : NAN;
        ksiMotorSizeAdd(&unknown, &step, timeConstant);
    }
    const double q = exp(-10 * h / timeConstant), cooled = 2 * sqrt(1 - q + (1 - q) * q * q * q);
    checkClose(zero.continuous.value, cooled);
    checkClose(off.continuous.value, cooled);
    checkClose(off.continuous.low, cooled);
    checkClose(off.continuous.high, cooled);
    checkClose(unknown.continuous.value, 2 * sqrt(1 - q * q));
}
END_TEST

/* --- Selection, and files that cannot be read --- */

START_TEST(what_is_chosen)
{
    ksiSizeOptions options = sizeOptions();
    char words[KSI_READ_WORDS] = "";
    ksiSizing sizing;
    traceRotor(in("rotor.h5"), 0);
    options.from = 1 - h / 2;
    options.until = 2 - h / 2;
    sizing = sizeOf(in("rotor.h5"), &options);
    ck_assert_uint_eq(sizing.world[0].steps, 200);
    ksiSizingFree(&sizing);
    options = sizeOptions();
    options.joints = (ksiPatterns){1, {"elbow"}};
    ck_assert(ksiSizeTrace(in("rotor.h5"), &options, &sizing, words));
    ck_assert_uint_eq(ksiSizedCount(&sizing), 0);
    ksiSizingFree(&sizing);
    options = sizeOptions();
    options.value = KS_ENGINE;
    sizing = sizeOf(in("rotor.h5"), &options);
    const ksiBetween rms = ksiPowerMean(&sizing.world[0].joint[0].size->load[1].square, 2);
    checkClose(rms.value, mass * gravity / sqrt(2));
    ck_assert(isnan(rms.low) && isnan(rms.high));
    ksiSizingFree(&sizing);
    options.value = KS_MEAN;
    sizing = sizeOf(in("rotor.h5"), &options);
    ck_assert_double_gt(sizing.world[0].joint[0].size->load[1].most.value, 0.9 * mass * gravity);
    ksiSizingFree(&sizing);
}
END_TEST

/* A shaft turns by a = 90 degrees within the window. In its axes an imbalance is constant, and so
 * is its mean. The mean of the weight is shorter by sin(a/2)/(a/2), and the documents say so. At
 * the lowest point the imbalance and the mean of the weight add up. A mean may be longer than its
 * window by one of its 16 blocks. */
START_TEST(means_in_turning_axes)
{
    const double window = 0.5, least = speed * window, most = 17 * least / 16;
    const double weight = mass * gravity, imbalance = _i == 0 ? 0 : mass * lever * speed * speed;
    const double ofSteps = speed * h * speed * h; /* of the load: steps are chords of the circle */
    char told[160];
    Stand stand = atOrigin;
    ksiSizeOptions options = sizeOptions();
    stand.window = window;
    options.value = KS_MEAN;
    options.from = 2 * window;
    traceRotorOn(&stand, in("rotor.h5"), _i == 0 ? 0 : lever);
    ksiSizing sizing = sizeOf(in("rotor.h5"), &options);
    const ksiJointSize *size = sizing.world[0].joint[0].size;
    ck_assert_double_ge(size->meanTurn, least * (1 - closeness));
    ck_assert_double_le(size->meanTurn, most * (1 + closeness));
    checkClose(ksiMeanShare(size), sin(size->meanTurn / 2) / (size->meanTurn / 2));
    ck_assert_double_le(size->bearing.radial.value,
                        (imbalance + weight * sin(least / 2) / (least / 2)) * (1 + ofSteps));
    ck_assert_double_ge(size->bearing.radial.value, (imbalance + weight * sin(most / 2) / (most / 2)) * (1 - ofSteps));
    ksiText text = {.allocator = &ksiLibraryAllocator};
    ksiSizingToText(&sizing, &text);
    snprintf(told, sizeof told,
             "by up to %.3g rad in a mean, which has %.2g of the size of a load that does not turn\n", size->meanTurn,
             ksiMeanShare(size));
    ck_assert_ptr_nonnull(strstr(text.at, told));
    ksiTextFree(&text);
    ksiSizingFree(&sizing);
}
END_TEST

START_TEST(what_cannot_be_read_is_told)
{
    const ksiSizeOptions options = sizeOptions();
    char words[KSI_READ_WORDS] = "";
    ksiSizing sizing;
    FILE *file = fopen(in("text.h5"), "w");
    fputs("no trace", file);
    fclose(file);
    ck_assert(!ksiSizeTrace(in("text.h5"), &options, &sizing, words));
    ck_assert_ptr_nonnull(strstr(words, "is not an HDF5 file"));
    ksiSizingFree(&sizing);
    ck_assert(!ksiSizeTrace(in("nowhere.h5"), &options, &sizing, words));
    ksiSizingFree(&sizing);
    traceRotor(in("rotor.h5"), 0);
    ksiSizeOptions elsewhere = options;
    elsewhere.world = "moon";
    ck_assert(!ksiSizeTrace(in("rotor.h5"), &elsewhere, &sizing, words));
    ck_assert_ptr_nonnull(strstr(words, ": no world is called moon; there are: \""));
    ksiSizingFree(&sizing);
    ksTraceOptions raw = traceOptions();
    raw.level = KS_TRACE_RAW;
    traceSteps(sceneChain(2, SCENE_FALLING), "raw.h5", &raw, NULL, 3);
    ck_assert(!ksiSizeTrace(in("raw.h5"), &options, &sizing, words));
    ck_assert_ptr_nonnull(strstr(words, "kinetostat judge --trace"));
    ksiSizingFree(&sizing);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("size");
    TCase *test = tcase_create("motors"), *files = tcase_create("files");
    tcase_add_test(test, between_the_points_of_an_envelope);
    tcase_add_loop_test(test, time_at_the_limit_and_rms, 0, 3);
    tcase_add_test(test, a_winding_cools_while_its_motor_is_off);
    suite_add_tcase(suite, test);
    tcase_add_checked_fixture(files, makeFolder, removeFolder);
    tcase_add_loop_test(files, balanced_rotor, 0, KSI_BEARINGS);
    tcase_add_test(files, driven_pendulum);
    tcase_add_test(files, page_of_a_large_motor);
    tcase_add_test(files, given_data_are_told);
    tcase_add_test(files, life_without_a_radial_load);
    tcase_add_test(files, page_of_a_motor_at_rest);
    tcase_add_test(files, beyond_the_speeds_of_an_envelope);
    tcase_add_loop_test(files, rounding_is_no_cycle, 0, 4);
    tcase_add_test(files, what_is_chosen);
    tcase_add_loop_test(files, means_in_turning_axes, 0, 2);
    tcase_add_test(files, what_cannot_be_read_is_told);
    suite_add_tcase(suite, files);
    return runSuite(suite);
}

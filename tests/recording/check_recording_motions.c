/* check_recording_motions.c  Recorded motions in closed form: bases that the host drives, and loads
 * that it does not record. */
#include "tests/kits/report/judge_kit.h"
#include "tests/kits/report/report_kit.h"

#include <kinetostat/recording.h>

static const double m = 2, about = 0.1, r = 0.5, g = 9.81, interval = 0.005;
enum { LOAD, BASE, BODIES, STEPS = 20 };

/* of the load, for velocities of the size of 1 m/s */
static const double tolerance = 1e-12;

/* --- Bodies that the host drives: their change of velocity in a step is an acceleration, which the
 * joints pass on --- */

/* A load, welded to a driven base. The base starts a step as the last one has left it, or jumps to
 * its new velocity before each step. */
typedef struct Ride {
    double lift, turn; /* accelerations, along and about z */
    bool jumps;
    int judged;
} Ride;

static const double rate = 1;

static double rateAt(const Ride *ride, double time)
{
    return ride->turn != 0 ? rate + ride->turn * time : 0;
}

static double angleAt(const Ride *ride, double time)
{
    return ride->turn != 0 ? rate * time + ride->turn * time * time / 2 : 0;
}

/* The states of both bodies. */
static void stateAt(const Ride *ride, double time, ksRecordedState state[BODIES])
{
    const double w = rateAt(ride, time), angle = angleAt(ride, time), v = ride->lift * time;
    for (int i = 0; i < BODIES; i++) {
        const double radius = i == LOAD ? r : 0;
        state[i] = (ksRecordedState){.position = {radius * cos(angle), radius * sin(angle), v * time / 2},
                                     .quaternion = {cos(angle / 2), 0, 0, sin(angle / 2)},
                                     .velocity = {-radius * w * sin(angle), radius * w * cos(angle), v},
                                     .angularVelocity = {0, 0, w}};
    }
}

static void recordRide(const Ride *ride)
{
    ksRecordedState now[BODIES], after[BODIES];
    ksRecording *recording;
    ksRecordingOptions options;
    ksRecordingOptionsInit(&options);
    options.gravity[2] = -g;
    stateAt(ride, 0, now);
    const ksRecordedBody load = {.state = now[LOAD], .mass = m, .inertia = {about, 0, 0, 0, about, 0, 0, 0, about}};
    const ksRecordedBody base = {.state = now[BASE], .isDriven = 1};
    const ksRecordedJoint weld = {.type = KS_JOINT_FIXED, .body = {LOAD, BASE}};
    CHECK_OK(ksRecordingCreate(in("ride.h5"), &options, &recording));
    CHECK_OK(ksRecordingAddBody(recording, &load, NULL));
    CHECK_OK(ksRecordingAddBody(recording, &base, NULL));
    CHECK_OK(ksRecordingAddJoint(recording, &weld, NULL));
    for (int i = 0; i < STEPS; i++) {
        stateAt(ride, (i + 1) * interval, after);
        if (ride->jumps)
            memcpy(now[BASE].velocity, after[BASE].velocity, sizeof now[BASE].velocity);
        CHECK_OK(ksRecordingBeginStep(recording, interval, ride->jumps ? now : NULL, NULL));
        CHECK_OK(ksRecordingEndStep(recording, after, NULL));
        memcpy(now, after, sizeof now);
    }
    CHECK_OK(ksRecordingClose(recording));
}

/* m (a - g), I alpha */
static void checkRide(ksInspector *inspector, int step, void *user)
{
    Ride *ride = user;
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    const double w = rateAt(ride, step * interval), angle = angleAt(ride, step * interval);
    const double inward = m * r * w * w, along = m * r * ride->turn;
    const double expected[3] = {-inward * cos(angle) - along * sin(angle), -inward * sin(angle) + along * cos(angle),
                                m * (g + ride->lift)};
    ck_assert_uint_eq(count, 1);
    ride->judged++;
    // if the base jumps, its velocity before the first step is unknown
    if (ride->jumps && step == 0)
        return;
    const double load = m * g + inward + fabs(along);
    for (int k = 0; k < 3; k++)
        ck_assert_double_eq_tol(reaction->physical[0].force[k], expected[k], tolerance * load);
    ck_assert_double_eq_tol(reaction->physical[0].torque[2], about * ride->turn, tolerance * load);
    ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_VALID");
}

START_TEST(driven_bases)
{
    const Ride rides[] = {{3, 0, false, 0}, {0, 4, false, 0}, {3, 4, false, 0}, {3, 0, true, 0}};
    Ride ride = rides[_i];
    makeFolder();
    recordRide(&ride);
    judgeFile(in("ride.h5"), checkRide, &ride);
    ck_assert_int_eq(ride.judged, STEPS);
    removeFolder();
}
END_TEST

/* --- Unrecorded loads --- */

static void ignore(ksInspector *inspector, int step, void *user)
{
    (void)inspector;
    (void)step;
    (void)user;
}

/* A torque speeds up a rotor on a hinge; the torque is recorded, or not. Nothing resists it,
 * whatever is reported. */
static ksReport *reportOnRotor(bool isTold, const ksWrench (*reported)[2])
{
    const double speeds = 2;
    ksRecordedState state = {.quaternion = {1, 0, 0, 0}};
    const ksRecordedBody rotor = {.state = state, .mass = m, .inertia = {about, 0, 0, 0, about, 0, 0, 0, about}};
    const ksRecordedJoint bearing = {.type = KS_JOINT_HINGE, .body = {0, -1}, .axis = {{0, 0, 1}}, .name = "bearing"};
    const ksWrench torque = {{0}, {0, 0, about * speeds}};
    ksRecording *recording;
    CHECK_OK(ksRecordingCreate(in("rotor.h5"), NULL, &recording));
    CHECK_OK(ksRecordingAddBody(recording, &rotor, NULL));
    CHECK_OK(ksRecordingAddJoint(recording, &bearing, NULL));
    for (int i = 0; i < STEPS; i++) {
        CHECK_OK(ksRecordingBeginStep(recording, interval, NULL, isTold ? &torque : NULL));
        state.angularVelocity[2] += speeds * interval;
        CHECK_OK(ksRecordingEndStep(recording, &state, reported));
    }
    CHECK_OK(ksRecordingClose(recording));
    return reportFile(in("rotor.h5"), ignore, NULL);
}

START_TEST(untold_loads)
{
    makeFolder();
    ksReport *report = reportOnRotor(_i, NULL);
    char *text = textOf(report, KS_REPORT_JSON);  // with each sentence on one line
    ck_assert((strstr(text, "The reported forces do not explain the motion in up to 20 steps of a joint") != NULL) ==
              !_i);
    ck_assert((strstr(text, "them: bearing. No joint") != NULL) == !_i);
    // the solver of another engine is unknown, so the report does not mention it
    ck_assert_ptr_nonnull(strstr(text, "the force that explains its motion"));
    ck_assert_ptr_null(strstr(text, "the converged one"));
    free(text);
    ksReportDestroy(report);
    removeFolder();
}
END_TEST

/* The text has the reported value, and no converged value. */
START_TEST(false_reports)
{
    const ksWrench reported[1][2] = {{{{3, 0, 0}, {0}}}};
    makeFolder();
    ksReport *report = reportOnRotor(true, reported);
    char *text = textOf(report, KS_REPORT_TEXT_ALL);
    ck_assert_ptr_nonnull(strstr(text, "reported 3 N, 0 N.m, physical 0 N"));
    free(text);
    ksReportDestroy(report);
    removeFolder();
}
END_TEST

/* --- A mechanism without a free motion: nothing shows at which moment of a step its rows hold
 * --- */

/* A crank driven about z at the origin, a rod, and a slider along x; w in rad/s. */
enum { ROD, SLIDER, CRANK, PARTS };
static const double crank = 0.1, rod = 0.3, spin = 10, rodMass = 1, sliderMass = 2, ofRod = 0.0075;

typedef struct Machine {
    ksRecordedState state[PARTS];
    double pin[2]; /* the crank's force on the rod, in the plane */
} Machine;

static void place(double x, double y, double vx, double vy, double angle, double turn, ksRecordedState *out)
{
    *out = (ksRecordedState){.position = {x, y},
                             .quaternion = {cos(angle / 2), 0, 0, sin(angle / 2)},
                             .velocity = {vx, vy},
                             .angularVelocity = {0, 0, turn}};
}

/* phi: angle of the rod, crank sin(theta) + rod sin(phi) = 0; forces from the balances of slider
 * and rod. */
static Machine machineAt(double time)
{
    Machine out;
    const double theta = spin * time, c = cos(theta), s = sin(theta), phi = asin(-crank * s / rod);
    const double u = cos(phi), v = sin(phi), turn = -crank * spin * c / (rod * u);
    const double turns = (crank * spin * spin * s / rod + v * turn * turn) / u;
    const double bendX = -v * turns - u * turn * turn, bendY = u * turns - v * turn * turn;
    place(0, 0, 0, 0, theta, spin, &out.state[CRANK]);
    place(crank * c + rod / 2 * u, crank * s + rod / 2 * v, -crank * spin * s - rod / 2 * v * turn,
          crank * spin * c + rod / 2 * u * turn, phi, turn, &out.state[ROD]);
    place(crank * c + rod * u, 0, -crank * spin * s - rod * v * turn, 0, 0, 0, &out.state[SLIDER]);
    const double ax = -crank * spin * spin * c + rod / 2 * bendX, ay = -crank * spin * spin * s + rod / 2 * bendY;
    const double wrist = sliderMass * (-crank * spin * spin * c + rod * bendX);
    out.pin[0] = rodMass * ax + wrist;
    // both pins' moments about the rod's centre, and their forces across it
    const double sum = (v * (out.pin[0] + wrist) - 2 * ofRod * turns / rod) / u;
    out.pin[1] = (sum + rodMass * (ay + g)) / 2;
    return out;
}

/* The mean of the pin's force over a step: Simpson's rule, 1e-9 of it. */
static void meanPin(double time, double step, double out[2])
{
    enum { PIECES = 20 };
    out[0] = out[1] = 0;
    for (int i = 0; i <= PIECES; i++) {
        const Machine at = machineAt(time + i * step / PIECES);
        const double weight = (i == 0 || i == PIECES ? 1 : i % 2 ? 4 : 2) / (3.0 * PIECES);
        for (int k = 0; k < 2; k++)
            out[k] += weight * at.pin[k];
    }
}

static void recordMachine(double step)
{
    Machine at = machineAt(0);
    ksRecording *recording;
    ksRecordingOptions options;
    ksRecordingOptionsInit(&options);
    options.gravity[1] = -g;
    CHECK_OK(ksRecordingCreate(in("crank.h5"), &options, &recording));
    for (int i = 0; i < PARTS; i++) {
        const double mass = i == ROD ? rodMass : sliderMass, I = i == ROD ? ofRod : 0.01;
        const ksRecordedBody body = {
            .state = at.state[i], .isDriven = i == CRANK, .mass = mass, .inertia = {I, 0, 0, 0, I, 0, 0, 0, I}};
        CHECK_OK(ksRecordingAddBody(recording, &body, NULL));
    }
    const ksRecordedJoint joint[] = {
        {.type = KS_JOINT_HINGE, .body = {ROD, CRANK}, .anchor = {{crank}}, .axis = {{0, 0, 1}}},
        {.type = KS_JOINT_HINGE, .body = {SLIDER, ROD}, .anchor = {{crank + rod}}, .axis = {{0, 0, 1}}},
        {.type = KS_JOINT_SLIDER, .body = {SLIDER, -1}, .axis = {{1, 0, 0}}},
    };
    for (size_t i = 0; i < sizeof joint / sizeof *joint; i++)
        CHECK_OK(ksRecordingAddJoint(recording, &joint[i], NULL));
    for (int i = 0; i < STEPS; i++) {
        at = machineAt((i + 1) * step);
        CHECK_OK(ksRecordingBeginStep(recording, step, NULL, NULL));
        CHECK_OK(ksRecordingEndStep(recording, at.state, NULL));
    }
    CHECK_OK(ksRecordingClose(recording));
}

typedef struct Pin {
    double step;
    int judged;
} Pin;

/* Largest bar, in units of the pin's load times the crank's rotation in a step: half of this for
 * each of three joints, enlarged a few times by levers. */
static const double barTurns = 4;

/* The observed force is the mean over the step, within its bar. */
static void checkPin(ksInspector *inspector, int step, void *user)
{
    Pin *pin = user;
    size_t count;
    double mean[2], bar = 0;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    ck_assert_uint_eq(count, 3);
    reaction += 2;  // the list begins with the last joint
    ck_assert_int_eq(reaction->rowCount, 5);
    meanPin(step * pin->step, pin->step, mean);
    const double *force = reaction->observed[0].force;
    const double off = hypot(force[0] - mean[0], force[1] - mean[1]), load = hypot(mean[0], mean[1]);
    for (int l = 0; l < 2; l++)
        bar = hypot(bar, reaction->row[l].observedBar);
    ck_assert_double_le(off, bar);
    ck_assert_double_le(bar, barTurns * spin * pin->step * load);
    pin->judged++;
}

START_TEST(machines_without_freedom)
{
    const double step[] = {0.001, 0.005, 0.02};
    Pin pin = {.step = step[_i]};
    makeFolder();
    recordMachine(pin.step);
    judgeFile(in("crank.h5"), checkPin, &pin);
    ck_assert_int_eq(pin.judged, STEPS);
    removeFolder();
}
END_TEST

/* --- An engine of single precision --- */

/* A load that whirls about z on a hinge at the origin; the reported pull is too large by this
 * factor. */
typedef struct Whirl {
    double step, times;
    int judged;
} Whirl;

static const double whirls = 5, begins = 0.3;
/* s: in shorter steps the rounding of velocities can exceed the tolerance's share of the pull,
 * though no false report is valid */
static const double leastTold = 1e-4;
/* Of the pull: in half of the longest step it rotates by 0.0025, which the report lacks; rounding
 * is smaller */
static const double turnsBy = 4e-3;

static double rounded(double x)
{
    return (double)(float)x;
}

static ksRecordedState whirlAt(double time)
{
    const double angle = begins + whirls * time, v = r * whirls;
    return (ksRecordedState){.position = {rounded(r * cos(angle)), rounded(r * sin(angle)), 0},
                             .quaternion = {rounded(cos(angle / 2)), 0, 0, rounded(sin(angle / 2))},
                             .velocity = {rounded(-v * sin(angle)), rounded(v * cos(angle)), 0},
                             .angularVelocity = {0, 0, rounded(whirls)}};
}

static void recordWhirl(const Whirl *whirl)
{
    const double pull = m * r * whirls * whirls;
    const ksRecordedBody load = {.state = whirlAt(0), .mass = m, .inertia = {about, 0, 0, 0, about, 0, 0, 0, about}};
    const ksRecordedJoint hinge = {.type = KS_JOINT_HINGE, .body = {0, -1}, .axis = {{0, 0, 1}}};
    ksRecording *recording;
    ksRecordingOptions options;
    ksRecordingOptionsInit(&options);
    options.isSingle = 1;
    CHECK_OK(ksRecordingCreate(in("whirl.h5"), &options, &recording));
    CHECK_OK(ksRecordingAddBody(recording, &load, NULL));
    CHECK_OK(ksRecordingAddJoint(recording, &hinge, NULL));
    for (int i = 0; i < STEPS; i++) {
        const double angle = begins + whirls * i * whirl->step, told = rounded(whirl->times * pull);
        const ksRecordedState after = whirlAt((i + 1) * whirl->step);
        const ksWrench reported[1][2] = {{{{-told * cos(angle), -told * sin(angle), 0}, {0}}}};
        CHECK_OK(ksRecordingBeginStep(recording, whirl->step, NULL, NULL));
        CHECK_OK(ksRecordingEndStep(recording, &after, reported));
    }
    CHECK_OK(ksRecordingClose(recording));
}

/* From the bars of multipliers. */
static double barOf(const ksReaction *reaction, int k, bool isPhysical)
{
    double bar = 0;
    for (int l = 0; l < reaction->rowCount; l++) {
        const ksRow *row = &reaction->row[l];
        bar += fabs(row->jacobian[0][k]) * (isPhysical ? row->physicalBar : row->observedBar);
    }
    return bar;
}

static void checkReport(const Whirl *whirl, const ksReaction *reaction)
{
    const bool isFalse = whirl->times != 1, isTold = whirl->step >= leastTold;
    ck_assert_str_eq(ksVerdictName(reaction->verdict), !isFalse ? "KS_VALID"
                                                       : isTold ? "KS_UNEXPLAINED"
                                                                : "KS_UNCHECKED");
    if (isFalse)
        ck_assert_uint_ne(reaction->reasons & (isTold ? KS_REASON_REPORT : KS_REASON_PRECISION), 0);
    if (!isFalse || isTold)
        ck_assert_double_eq_tol(reaction->error, 1 - 1 / whirl->times, turnsBy);
}

static void checkWhirl(ksInspector *inspector, int step, void *user)
{
    Whirl *whirl = user;
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    const double angle = begins + whirls * step * whirl->step, pull = m * r * whirls * whirls;
    const double truth[2] = {-pull * cos(angle), -pull * sin(angle)};
    ck_assert_uint_eq(count, 1);
    for (int k = 0; k < 2; k++) {
        ck_assert_double_le(fabs(reaction->physical[0].force[k] - truth[k]), barOf(reaction, k, true));
        ck_assert_double_le(fabs(reaction->observed[0].force[k] - truth[k]), barOf(reaction, k, false));
    }
    checkReport(whirl, reaction);
    whirl->judged++;
}

/* A report 1.5 times the pull is never valid, however short the steps are, and a right one is. */
START_TEST(single_precision)
{
    const double step[] = {1e-3, 1e-4, 1e-5, 1e-6};
    Whirl whirl = {.step = step[_i / 2], .times = _i % 2 ? 1.5 : 1};
    makeFolder();
    recordWhirl(&whirl);
    judgeFile(in("whirl.h5"), checkWhirl, &whirl);
    ck_assert_int_eq(whirl.judged, STEPS);
    removeFolder();
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("recording_motions");
    tcase_add_loop_test(tcase, driven_bases, 0, 4);
    tcase_add_loop_test(tcase, untold_loads, 0, 2);
    tcase_add_test(tcase, false_reports);
    tcase_add_loop_test(tcase, machines_without_freedom, 0, 3);
    tcase_add_loop_test(tcase, single_precision, 0, 8);
    return runCase("recording_motions", tcase);
}

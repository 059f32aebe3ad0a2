/* crank_kit.h  A crank-slider whose crank turns at a constant speed: closed forms of its rod's
 * motion and loads, a recording, and meshes of the rod. */
#ifndef TESTS_KITS_CRANK_KIT_H
#define TESTS_KITS_CRANK_KIT_H

#include "plugin/cases/deck.h"
#include "tests/kits/report/trace_kit.h"

#include <math.h>

static const double crankRadius = 0.1, rodLength = 0.4, side = 0.02, density = 7850, sliderMass = 2, crankSpeed = 60;
static const double gravity = 9.81;
enum { STEPS = 180 };

/* --- The mechanism: in the plane of x and z, the slider along x --- */

typedef struct Crank {
    dWorldID world;
    dBodyID crank, rod, slider;
    dJointID pin, wrist;
} Crank;

/* Of the rod: its pose, its motion, and the pins' forces on it; [0] x, [1] z, in world axes, except
 * `own`, in the rod's axes. */
typedef struct Truth {
    double angle, rate, turning; /* of the rod's axis above x: phi, and its derivatives */
    double centre[2], velocity[2], acceleration[2], wrist, wristRate;
    double own[2][2]; /* N: at the crank, at the wrist */
} Truth;

static inline double rodMass(void)
{
    return density * rodLength * side * side;
}

static inline void toRod(const Truth *t, const double v[2], double out[2])
{
    out[0] = cos(t->angle) * v[0] + sin(t->angle) * v[1];
    out[1] = -sin(t->angle) * v[0] + cos(t->angle) * v[1];
}

static inline Truth truthAt(double theta)
{
    const double r = crankRadius, l = rodLength, w = crankSpeed, m = rodMass();
    const double inertia = m * (l * l + side * side) / 12;
    Truth t = {.angle = asin(-r / l * sin(theta))};
    const double c = cos(t.angle), s = sin(t.angle);
    t.rate = -r / l * cos(theta) * w / c;
    t.turning = (r / l * sin(theta) * w * w + s * t.rate * t.rate) / c;
    const double pin[2] = {r * cos(theta), r * sin(theta)}, pinRate[2] = {-w * pin[1], w * pin[0]};
    t.wrist = pin[0] + l * c;
    t.wristRate = pinRate[0] - l * s * t.rate;
    const double wristTurning = -w * w * pin[0] - l * (s * t.turning + c * t.rate * t.rate);
    t.centre[0] = (pin[0] + t.wrist) / 2;
    t.centre[1] = pin[1] / 2;
    t.velocity[0] = (pinRate[0] + t.wristRate) / 2;
    t.velocity[1] = pinRate[1] / 2;
    t.acceleration[0] = (-w * w * pin[0] + wristTurning) / 2;
    t.acceleration[1] = -w * w * pin[1] / 2;
    double atWrist[2] = {-sliderMass * wristTurning, 0};
    const double sumX = m * t.acceleration[0], sumZ = m * (t.acceleration[1] + gravity);
    // about the mass centre: l/2 (c (Wz - Pz) - s (Wx - Px)) = I phi''
    const double difference = (2 * inertia * t.turning / l + s * (2 * atWrist[0] - sumX)) / c;
    atWrist[1] = (difference + sumZ) / 2;
    const double atPin[2] = {sumX - atWrist[0], sumZ - atWrist[1]};
    toRod(&t, atPin, t.own[0]);
    toRod(&t, atWrist, t.own[1]);
    return t;
}

static inline void turn(dBodyID body, double angle)
{
    dMatrix3 rotation;
    dRFromAxisAndAngle(rotation, 0, 1, 0, -angle);
    dBodySetRotation(body, rotation);
}

/* Sets all bodies to the pose and velocities of the closed form. */
static inline void place(const Crank *c, double theta)
{
    const Truth t = truthAt(theta);
    turn(c->crank, theta);
    dBodySetAngularVel(c->crank, 0, -crankSpeed, 0);
    dBodySetPosition(c->rod, t.centre[0], 0, t.centre[1]);
    turn(c->rod, t.angle);
    dBodySetLinearVel(c->rod, t.velocity[0], 0, t.velocity[1]);
    dBodySetAngularVel(c->rod, 0, -t.rate, 0);
    dBodySetPosition(c->slider, t.wrist, 0, 0);
    dBodySetLinearVel(c->slider, t.wristRate, 0, 0);
    turn(c->slider, 0);
    dBodySetAngularVel(c->slider, 0, 0, 0);
}

/* The joints share no load. */
static inline Crank makeCrank(void)
{
    Crank c = {.world = dWorldCreate()};
    dMass mass;
    dWorldSetGravity(c.world, 0, 0, -gravity);
    c.crank = dBodyCreate(c.world);
    dBodySetKinematic(c.crank);
    c.rod = dBodyCreate(c.world);
    dMassSetBox(&mass, density, rodLength, side, side);
    dBodySetMass(c.rod, &mass);
    c.slider = dBodyCreate(c.world);
    dMassSetBoxTotal(&mass, sliderMass, 0.1, 0.1, 0.1);
    dBodySetMass(c.slider, &mass);
    place(&c, 0);
    c.pin = dJointCreateBall(c.world, 0);
    dJointAttach(c.pin, c.crank, c.rod);
    dJointSetBallAnchor(c.pin, crankRadius, 0, 0);
    c.wrist = dJointCreateUniversal(c.world, 0);
    dJointAttach(c.wrist, c.rod, c.slider);
    dJointSetUniversalAnchor(c.wrist, crankRadius + rodLength, 0, 0);
    dJointSetUniversalAxis1(c.wrist, 0, 0, 1);
    dJointSetUniversalAxis2(c.wrist, 0, 1, 0);
    const dJointID guide = dJointCreateSlider(c.world, 0);
    dJointAttach(guide, c.slider, NULL);
    dJointSetSliderAxis(guide, 1, 0, 0);
    return c;
}

static inline double angleOf(uint64_t step)
{
    return 2 * M_PI * (double)step / STEPS;
}

/* Records one turn of the crank. */
static inline void recordCrank(const char *file)
{
    Crank c = makeCrank();
    ksTraceOptions options = traceOptions();
    options.level = KS_TRACE_RAW;
    ksInspector *inspector = inspect(c.world);
    CHECK_OK(ksInspectorSetName(inspector, c.pin, "crank pin"));
    CHECK_OK(ksInspectorSetName(inspector, c.wrist, "wrist pin"));
    ksTrace *trace = traceInto(in(file), &options);
    CHECK_OK(ksTraceWatch(trace, inspector, NULL));
    for (unsigned i = 0; i < STEPS; i++) {
        place(&c, angleOf(i));
        CHECK_OK(ksInspectorStep(inspector, 1e-6));
    }
    CHECK_OK(ksTraceClose(trace));
    ksInspectorDestroy(inspector);
    dWorldDestroy(c.world);
}

static inline ksiCaseOptions rodOptions(void)
{
    return (ksiCaseOptions){.value = KS_PHYSICAL,
                            .mean = 0.15,
                            .holds = {"crank pin", "wrist pin"},
                            .holdCount = 2,
                            .quantities = (1u << KSI_CASE_QUANTITIES) - 1,
                            .until = INFINITY,
                            .every = 1};
}

static inline void findCases(const char *file, const ksiCaseOptions *options, ksiLoadCases *out)
{
    char words[KSI_CASE_WORDS];
    ck_assert_msg(ksiFindLoadCases(in(file), options, out, words), "%s", words);
}

/* --- Meshes --- */

enum { ACROSS = 2, ALONG = 16 };

/* Numbers of nodes, from 1, on a grid with points every half element; elements of twenty nodes have
 * those with at most one odd index. */
static inline unsigned nodeAt(int i, int j, int k)
{
    return 1 + (unsigned)(i + (2 * ALONG + 1) * (j + (2 * ACROSS + 1) * k));
}

static inline void writeNodes(FILE *out, double unit)
{
    fputs("** the rod\n*Node, nset=ALL\n", out);
    for (int k = 0; k <= 2 * ACROSS; k++)
        for (int j = 0; j <= 2 * ACROSS; j++)
            for (int i = 0; i <= 2 * ALONG; i++)
                if (i % 2 + j % 2 + k % 2 <= 1)
                    fprintf(out, "%u, %.17g, %.17g, %.17g\n", nodeAt(i, j, k),
                            unit * rodLength * (i / (2. * ALONG) - 0.5), unit * side * (j / (2. * ACROSS) - 0.5),
                            unit * side * (k / (2. * ACROSS) - 0.5));
}

static const int corner[20][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {0, 0, 2}, {2, 0, 2}, {2, 2, 2},
                                  {0, 2, 2}, {1, 0, 0}, {2, 1, 0}, {1, 2, 0}, {0, 1, 0}, {1, 0, 2}, {2, 1, 2},
                                  {1, 2, 2}, {0, 1, 2}, {0, 0, 1}, {2, 0, 1}, {2, 2, 1}, {0, 2, 1}};

/* Elements are numbered along the rod, four to a cross-section. */
static inline void writeElements(FILE *out, const char *type, int nodes)
{
    fprintf(out, "*ELEMENT, elset=BODY, TYPE=%s\n", type);
    for (int e = 0; e < ALONG * ACROSS * ACROSS; e++) {
        fprintf(out, "%d", e + 1);
        for (int n = 0; n < nodes; n++)
            fprintf(out, ",%s%u", n == 9 ? "\n " : " ",
                    nodeAt(2 * (e / 4) + corner[n][0], 2 * (e % 2) + corner[n][1], 2 * (e / 2 % 2) + corner[n][2]));
        fputc('\n', out);
    }
}

static inline void readMesh(const char *file, double unit, const double origin[3], ksiElementMesh *out)
{
    char words[KSI_MESH_WORDS];
    ck_assert_msg(ksiMeshRead(in(file), unit, origin, rodMass(), out, words), "%s", words);
}

#endif

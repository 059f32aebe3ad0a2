/* papers.c  Statements of the papers behind the library, as examples in the engine: a sleigh has a
 * condition on velocities (Gugino), a shaken pivot a rheonomic constraint; Gauss's constraint is
 * split (Radakovic); Lamb's chain of links is struck. The examples are ours. */
#include "kit.h"

#include <math.h>

static const double stepSize[] = {0.004, 0.002, 0.001}; /* s */
enum { STEP_SIZES = sizeof stepSize / sizeof *stepSize };

/* Largest differences to a closed form over a run, relative to the largest force. */
typedef struct Errors {
    double engine, physical, largest;
} Errors;

static void takeErrors(const ksReaction *reaction, const double force[3], Errors *errors)
{
    double engine = 0, physical = 0, size = 0;
    for (int k = 0; k < 3; k++) {
        engine += pow(reaction->engine[0].force[k] - force[k], 2);
        physical += pow(reaction->physical[0].force[k] - force[k], 2);
        size += force[k] * force[k];
    }
    errors->engine = fmax(errors->engine, sqrt(engine));
    errors->physical = fmax(errors->physical, sqrt(physical));
    errors->largest = fmax(errors->largest, sqrt(size));
}

static const KitColumn errorColumn[] = {
    {"step ms", 0, "%g"}, {"largest force N", 0, "%.3f"}, {"engine off by", 0, "%.1e"}, {"physical off by", 0, "%.1e"}};
enum { ERROR_COLUMNS = sizeof errorColumn / sizeof *errorColumn };

static void tellErrors(Kit *kit, const char *what, double h, const Errors *e)
{
    const KitCell cell[ERROR_COLUMNS] = {
        {1000 * h}, {e->largest}, {e->engine / e->largest}, {e->physical / e->largest}};
    kitRow(kit, errorColumn, ERROR_COLUMNS, cell);
    kitCsv(kit, "%s,%g,%.12g,%.6g,%.6g\n", what, h, e->largest, e->engine / e->largest, e->physical / e->largest);
}

static ksInspector *inspect(const Kit *kit, dWorldID world)
{
    ksInspector *inspector = NULL;
    kitCheck(kit, ksInspectorCreate(world, NULL, &inspector), "ksInspectorCreate");
    return inspector;
}

static dBodyID addBox(dWorldID world, double mass, double x, double y, double z)
{
    dBodyID body = dBodyCreate(world);
    dMass m;
    dMassSetBoxTotal(&m, mass, x, y, z);
    dBodySetMass(body, &m);
    return body;
}

/* --- A sleigh without gravity. It glides along its blade at u and turns at w: the force across the
 * blade is m u w. */

static Errors glide(const Kit *kit, double h)
{
    const double mass = 2, u = 1.4, w = 0.9, time = 1;
    dWorldID world = dWorldCreate();
    dBodyID sleigh = addBox(world, mass, 0.8, 0.3, 0.1);
    dBodySetLinearVel(sleigh, u, 0, 0);
    dBodySetAngularVel(sleigh, 0, 0, w);
    dJointID blade = dJointCreateLMotor(world, 0);
    dJointAttach(blade, sleigh, NULL);
    dJointSetLMotorNumAxes(blade, 1);
    dJointSetLMotorAxis(blade, 0, 1, 0, 1, 0);  // in axes of the sleigh
    dJointSetLMotorParam(blade, dParamFMax, dInfinity);
    ksInspector *inspector = inspect(kit, world);
    Errors errors = {0};
    for (int i = 0; i * h < time; i++) {
        const dReal *R = dBodyGetRotation(sleigh), *v = dBodyGetLinearVel(sleigh);
        const double glides = R[0] * v[0] + R[4] * v[1] + R[8] * v[2], turns = dBodyGetAngularVel(sleigh)[2];
        const double across = mass * glides * turns, force[3] = {across * R[1], across * R[5], across * R[9]};
        kitCheck(kit, ksInspectorStep(inspector, h), "ksInspectorStep");
        if (i > 0)  // two steps give the rate of the axis
            takeErrors(ksInspectorGetReaction(inspector, blade), force, &errors);
    }
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
    return errors;
}

/* --- A pendulum of length l on a pivot that is shaken, x = a sin(q t): with I about the pivot and
 *     the angle p from below,
 *
 *     I p'' = -m l (g sin p + x'' cos p),      force = m (acceleration of the mass centre - g) */

enum { SHAKE_PERIODS = 2 };

static Errors shake(const Kit *kit, double h)
{
    const double mass = 1.5, l = 0.5, a = 0.05, q = 12, g = SCENE_GRAVITY;
    dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -g);
    dBodyID pivot = addBox(world, 1, 0.1, 0.1, 0.1), bar = addBox(world, mass, 0.05, 0.05, 2 * l);
    dBodySetKinematic(pivot);
    dBodySetPosition(bar, 0, 0, -l);
    dJointID hinge = dJointCreateHinge(world, 0);
    dJointAttach(hinge, bar, pivot);
    dJointSetHingeAnchor(hinge, 0, 0, 0);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    dMass m;
    dBodyGetMass(bar, &m);
    const double inertia = m.I[5] + mass * l * l;
    ksInspector *inspector = inspect(kit, world);
    Errors errors = {0};
    for (int i = 0; i * h < SHAKE_PERIODS * 2 * M_PI / q; i++) {
        const double t = i * h, acceleration = -a * q * q * sin(q * t);
        const dReal *R = dBodyGetRotation(bar);
        const double s = -R[2], c = R[10], rate = -dBodyGetAngularVel(bar)[1];  // of p, towards +x
        const double turning = -mass * l * (g * s + acceleration * c) / inertia;
        const double force[3] = {mass * (acceleration + l * (turning * c - rate * rate * s)), 0,
                                 mass * (l * (turning * s + rate * rate * c) + g)};
        dBodySetLinearVel(pivot, a * (sin(q * (t + h)) - sin(q * t)) / h, 0, 0);
        kitCheck(kit, ksInspectorStep(inspector, h), "ksInspectorStep");
        if (i > 0)  // before the first step the pivot was at rest
            takeErrors(ksInspectorGetReaction(inspector, hinge), force, &errors);
    }
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
    return errors;
}

/* --- Gauss's constraint of the engine's motion, and the part that no joint forces explain. */

static const KitColumn splitColumn[] = {
    {"iterations", 0, "%.0f"}, {"constraint Z", 0, "%.4f"}, {"of the solver", 0, "%.2e"}, {"unexplained", 0, "%.1e"}};
enum { SPLIT_COLUMNS = sizeof splitColumn / sizeof *splitColumn };

static void split(Kit *kit, int iterations)
{
    KitWay way = {KS_QUICK_STEP, iterations, 0.005, 100};
    KitRun run = kitBegin(kit, sceneChain(10, SCENE_FALLING), "chain", way);
    while (kitStep(&run))
        ;
    const ksStepReport *report = ksInspectorGetStepReport(run.inspector);
    const KitCell cell[SPLIT_COLUMNS] = {
        {iterations}, {report->gaussConstraint}, {report->solverError}, {report->unexplained}};
    kitRow(kit, splitColumn, SPLIT_COLUMNS, cell);
    kitCsv(kit, "split,%d,%.12g,%.6g,%.6g\n", iterations, report->gaussConstraint, report->solverError,
           report->unexplained);
    kitEnd(&run);
}

/* --- Links of 1 kg in line, struck across at the end with 1 N.s: twice the energy is 4 for one,
 * 7/2 for two, 2 sqrt(3) for many. */

static const KitColumn blowColumn[] = {{"links", 0, "%.0f"},
                                       {"2 T / P^2", 0, "%.12f"},
                                       {"above 2 sqrt(3)", 0, "%.1e"},
                                       {"impulse in the first joint", 0, "%.9f"},
                                       {"by hand", 0, "%.9f"}};
enum { BLOW_COLUMNS = sizeof blowColumn / sizeof *blowColumn };

static void strike(Kit *kit, int links)
{
    const Links kind = {.count = links, .support = LINKS_FREE};
    static const double across[3] = {0, 0, 1};
    KitWay way = {KS_WORLD_STEP, 0, 0.001, 1};
    KitRun run = kitBegin(kit, sceneLinks(&kind), "links", way);
    const Probe end = linksNode(run.scene, 0, across);
    const dReal *centre = dBodyGetPosition(end.body);
    ksBlow blow = {.at = {.body = end.body, .axis = {0, 0, 1}}, .impulse = 1};
    for (int k = 0; k < 3; k++)
        blow.at.point[k] = centre[k] + end.lever[k];
    ksImpact impact;
    kitStep(&run);
    kitCheck(kit, ksInspectorSolveImpulse(run.inspector, &blow, 1, &impact), "ksInspectorSolveImpulse");
    const double energy = 2 * impact.after, above = energy - 2 * sqrt(3);
    double passed = NAN;
    for (size_t i = 0; i < impact.jointCount; i++)
        if (impact.joint[i].joint == run.scene->joint[0])
            passed = impact.joint[i].impulse[0].force[2];
    const double byHand = links > 1 ? linksJointImpulse(links, 1, 0) : NAN;
    const KitCell cell[BLOW_COLUMNS] = {{links}, {energy}, {above}, {passed}, {byHand}};
    kitRow(kit, blowColumn, BLOW_COLUMNS, cell);
    kitCsv(kit, "links,%d,%.12g,%.6g,%.12g,%.12g\n", links, energy, above, passed, byHand);
    kitEnd(&run);
}

int main(int argc, char **argv)
{
    static const int iterations[] = {5, 20, 100, 500}, links[] = {1, 2, 3, 4, 6, 8};
    const KitDemo demo = {.purpose = "Examples of the papers behind the library, live in the engine.",
                          .takes = KIT_SEED};
    Kit kit;
    kitOpen(&kit, argc, argv, &demo);
    kitCsv(&kit, "what,size,a,b,c,d\n");
    printf("A sleigh turns and glides, 1.4 m/s and 0.9 rad/s: its blade takes m u w (an example of ours).\n\n");
    kitHead(&kit, errorColumn, ERROR_COLUMNS);
    for (int i = 0; i < STEP_SIZES; i++) {
        const Errors errors = glide(&kit, stepSize[i]);
        tellErrors(&kit, "sleigh", stepSize[i], &errors);
    }
    printf("\nA pendulum on a pivot that is shaken, x = 0.05 m sin(12 t): a condition with the time (rheonomic).\n\n");
    kitHead(&kit, errorColumn, ERROR_COLUMNS);
    for (int i = 0; i < STEP_SIZES; i++) {
        const Errors errors = shake(&kit, stepSize[i]);
        tellErrors(&kit, "pivot", stepSize[i], &errors);
    }
    printf(
        "\nGauss's constraint of a chain of 10 links under dWorldQuickStep, split (Radakovic 1896); kg.m^2/s^4.\n\n");
    kitHead(&kit, splitColumn, SPLIT_COLUMNS);
    for (size_t i = 0; i < sizeof iterations / sizeof *iterations; i++)
        split(&kit, iterations[i]);
    printf("\nLinks in line, struck across at the end (the chain is Lamb's, 1911; the numbers are ours): the more "
           "there are, the less energy the blow "
           "gives.\n\n");
    kitHead(&kit, blowColumn, BLOW_COLUMNS);
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        strike(&kit, links[i]);
    return kitClose(&kit);
}

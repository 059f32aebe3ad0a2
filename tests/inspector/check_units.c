/* check_units.c  The same machine in other units of length and mass: m and kg, mm and t, km and t.
 * If the ratios are powers of two, all numbers of the engine and the inspector differ only in their
 * exponents, unless a constant has units. */
#include "demos/scenes/drift.h"
#include "demos/scenes/scenes_private.h"
#include "tests/kits/support.h"

enum { STEPS = 60 };
static const double kStepSize = 5e-3;

/* One metre and one kilogram in these units. */
typedef struct Units {
    const char *name;
    double length, mass;
} Units;

static const Units kUnits[] = {{"mm and t", 1024, 1.0 / 1024}, {"km and t", 1.0 / 1024, 1.0 / 1024}};

static void scaled(const dReal *v, double by, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = by * v[k];
}

static void rescaleBody(dBodyID body, const Units *u)
{
    dMass mass;
    double v[3];
    dBodyGetMass(body, &mass);
    mass.mass *= u->mass;
    for (int i = 0; i < 12; i++)
        mass.I[i] *= u->mass * u->length * u->length;
    dBodySetMass(body, &mass);
    scaled(dBodyGetPosition(body), u->length, v);
    dBodySetPosition(body, v[0], v[1], v[2]);
    scaled(dBodyGetLinearVel(body), u->length, v);
    dBodySetLinearVel(body, v[0], v[1], v[2]);
}

/* Lengths that a joint stores before its bodies are moved. */
typedef struct Anchors {
    dVector3 point[2], axis[3];
} Anchors;

static void readJoint(dJointID joint, Anchors *a)
{
    switch (dJointGetType(joint)) {
    case dJointTypeBall:
        dJointGetBallAnchor(joint, a->point[0]);
        break;
    case dJointTypeHinge:
        dJointGetHingeAnchor(joint, a->point[0]);
        dJointGetHingeAxis(joint, a->axis[0]);
        break;
    case dJointTypeSlider:
        dJointGetSliderAxis(joint, a->axis[0]);
        break;
    case dJointTypeUniversal:
        dJointGetUniversalAnchor(joint, a->point[0]);
        dJointGetUniversalAxis1(joint, a->axis[0]);
        dJointGetUniversalAxis2(joint, a->axis[1]);
        break;
    case dJointTypePU:
        dJointGetPUAnchor(joint, a->point[0]);
        dJointGetPUAxis1(joint, a->axis[0]);
        dJointGetPUAxis2(joint, a->axis[1]);
        dJointGetPUAxis3(joint, a->axis[2]);
        break;
    case dJointTypeDBall:
        dJointGetDBallAnchor1(joint, a->point[0]);
        dJointGetDBallAnchor2(joint, a->point[1]);
        break;
    default:
        ck_assert_int_eq(dJointGetType(joint), dJointTypeFixed);
    }
}

#define XYZ(v) (v)[0], (v)[1], (v)[2]

static void writeJoint(dJointID joint, const Anchors *a, const Units *u)
{
    const double L = u->length, force = u->mass * L, torque = force * L;
    double p[2][3];
    for (int i = 0; i < 2; i++)
        scaled(a->point[i], L, p[i]);
    switch (dJointGetType(joint)) {
    case dJointTypeBall:
        dJointSetBallAnchor(joint, XYZ(p[0]));
        dJointSetBallParam(joint, dParamCFM, 0);
        break;
    case dJointTypeHinge:
        dJointSetHingeAnchor(joint, XYZ(p[0]));
        dJointSetHingeAxis(joint, XYZ(a->axis[0]));
        dJointSetHingeParam(joint, dParamCFM, 0);
        dJointSetHingeParam(joint, dParamFMax, torque * dJointGetHingeParam(joint, dParamFMax));
        break;
    case dJointTypeSlider:
        dJointSetSliderAxis(joint, XYZ(a->axis[0]));
        dJointSetSliderParam(joint, dParamCFM, 0);
        dJointSetSliderParam(joint, dParamFMax, force * dJointGetSliderParam(joint, dParamFMax));
        break;
    case dJointTypeUniversal:
        dJointSetUniversalAnchor(joint, XYZ(p[0]));
        dJointSetUniversalAxis1(joint, XYZ(a->axis[0]));
        dJointSetUniversalAxis2(joint, XYZ(a->axis[1]));
        break;
    case dJointTypePU:
        dJointSetPUAnchor(joint, XYZ(p[0]));
        dJointSetPUAxis1(joint, XYZ(a->axis[0]));
        dJointSetPUAxis2(joint, XYZ(a->axis[1]));
        dJointSetPUAxis3(joint, XYZ(a->axis[2]));
        dJointSetPUParam(joint, dParamCFM3, 0);
        dJointSetPUParam(joint, dParamFMax3, force * dJointGetPUParam(joint, dParamFMax3));
        break;
    case dJointTypeDBall:
        dJointSetDBallAnchor1(joint, XYZ(p[0]));
        dJointSetDBallAnchor2(joint, XYZ(p[1]));
        dJointSetDBallParam(joint, dParamCFM, 0);
        break;
    default:
        dJointSetFixed(joint);
        dJointSetFixedParam(joint, dParamCFM, 0);
    }
}

static void rescaleGeoms(Scene *scene, double length)
{
    for (int i = 0; scene->space && i < dSpaceGetNumGeoms(scene->space); i++) {
        dGeomID geom = dSpaceGetGeom(scene->space, i);
        dVector3 sides;
        if (dGeomGetClass(geom) == dBoxClass) {
            dGeomBoxGetLengths(geom, sides);
            dGeomBoxSetLengths(geom, length * sides[0], length * sides[1], length * sides[2]);
        } else {
            ck_assert_int_eq(dGeomGetClass(geom), dPlaneClass);  // the plane z = 0
        }
    }
}

static bool isStraight(const SceneDrive *drive)
{
    return dJointGetType(drive->joint) != dJointTypeHinge;
}

/* Before the first step. The compliance is zero, since it would have units, different for rows of
 * forces and of torques. */
static Scene *make(const DriftScene *kind, const Units *u)
{
    Scene *scene = kind->make(&sceneSurface[SURFACE_APPROX1], kStepSize);
    ck_assert_ptr_nonnull(scene);
    Anchors *anchors = calloc((size_t)scene->jointCount, sizeof *anchors);
    ck_assert_ptr_nonnull(anchors);
    dVector3 gravity;
    dWorldGetGravity(scene->world, gravity);
    dWorldSetGravity(scene->world, u->length * gravity[0], u->length * gravity[1], u->length * gravity[2]);
    dWorldSetCFM(scene->world, 0);
    for (int j = 0; j < scene->jointCount; j++)
        readJoint(scene->joint[j], &anchors[j]);
    for (int b = 0; b < scene->bodyCount; b++)
        rescaleBody(scene->body[b], u);
    for (int j = 0; j < scene->jointCount; j++)
        writeJoint(scene->joint[j], &anchors[j], u);
    rescaleGeoms(scene, u->length);
    for (int i = 0; scene->ground && i < scene->ground->driveCount; i++) {
        SceneDrive *drive = &scene->ground->drive[i];
        drive->mean *= isStraight(drive) ? u->length : 1;
        drive->amplitude *= isStraight(drive) ? u->length : 1;
    }
    free(anchors);
    return scene;
}

/* A joint in a step, with forces and torques converted to the original units. */
typedef struct Seen {
    ksVerdict verdict;
    ksReasons reasons;
    int freeCount;
    double error, bar, wrench[2][6];
} Seen;

static Seen see(const ksReaction *r, const Units *u)
{
    const double force = u->mass * u->length, torque = force * u->length;
    Seen seen = {r->verdict, r->reasons, r->freeCount, r->error, r->physicalErrorBar, {{0}}};
    for (int k = 0; k < 3; k++) {
        seen.wrench[0][k] = r->physical[0].force[k] / force;
        seen.wrench[0][3 + k] = r->physical[0].torque[k] / torque;
        seen.wrench[1][k] = r->converged[0].force[k] / force;
        seen.wrench[1][3 + k] = r->converged[0].torque[k] / torque;
    }
    return seen;
}

/* The machine in its original units and in other units: one step of each. Sweeps go through the
 * joints in the same random order. */
typedef struct Twins {
    Scene *scene[2];
    ksInspector *inspector[2];
    Units units[2];
} Twins;

static void step(Twins *twins, ksStepper stepper)
{
    for (int i = 0; i < 2; i++) {
        dRandSetSeed(twins->scene[i]->step + 1);
        sceneBeforeStep(twins->scene[i]);
        CHECK_OK(inspectedStep(twins->inspector[i], stepper, kStepSize));
        sceneAfterStep(twins->scene[i]);
    }
}

/* Both are unknown, or their difference is at most `most`. */
static bool isSame(double a, double b, double most)
{
    return isnan(a) ? isnan(b) : fabs(a - b) <= most;
}

static void compareJoint(const Twins *twins, const char *name, int j)
{
    // of singular values, which LAPACK scales internally
    const double rounding = 1e-12;
    Seen seen[2];
    for (int i = 0; i < 2; i++) {
        const ksReaction *r = ksInspectorGetReaction(twins->inspector[i], twins->scene[i]->joint[j]);
        ck_assert_ptr_nonnull(r);
        seen[i] = see(r, &twins->units[i]);
    }
    const Seen *a = &seen[0], *b = &seen[1];
    ck_assert_msg(a->verdict == b->verdict && a->reasons == b->reasons && a->freeCount == b->freeCount,
                  "%s, joint %d, step %lu: %s, %#llx, %d free; in %s %s, %#llx, %d free", name, j,
                  twins->scene[0]->step, ksVerdictName(a->verdict), (unsigned long long)a->reasons, a->freeCount,
                  twins->units[1].name, ksVerdictName(b->verdict), (unsigned long long)b->reasons, b->freeCount);
    for (int i = 0; i < 2; i++) {
        double load = 0;
        for (int k = 0; k < 6; k++)
            load = fmax(load, fabs(a->wrench[i][k]));
        for (int k = 0; k < 6; k++)
            ck_assert_msg(isSame(a->wrench[i][k], b->wrench[i][k], rounding * load),
                          "%s, joint %d, step %lu: %.17g and %.17g", name, j, twins->scene[0]->step, a->wrench[i][k],
                          b->wrench[i][k]);
    }
    ck_assert(isSame(a->bar, b->bar, rounding * a->bar));
    ck_assert(isSame(a->error, b->error, rounding));
}

static const struct {
    const char *name;
    bool isRedundant; /* dWorldStep needs compliance here */
} kMachines[] = {
    {"turntable", false}, {"swing", false}, {"suspension-bridge", false}, {"excavator", true}, {"gripper", true},
    {"sarrus", true},     {"hoist", false}, {"stewart", false},           {"engine", true},    {"trebuchet", false}};
enum { MACHINES = sizeof kMachines / sizeof *kMachines, UNITS = sizeof kUnits / sizeof *kUnits, STEPPERS = 3 };

START_TEST(nothing_depends_on_units)
{
    const int machine = _i / STEPPERS % MACHINES;
    const ksStepper stepper = (ksStepper)(_i % STEPPERS);
    const DriftScene *kind = driftScene(kMachines[machine].name);
    if (stepper == KS_WORLD_STEP && kMachines[machine].isRedundant)
        return;
    Twins twins = {.units = {{"m and kg", 1, 1}, kUnits[_i / STEPPERS / MACHINES]}};
    for (int i = 0; i < 2; i++) {
        twins.scene[i] = make(kind, &twins.units[i]);
        twins.inspector[i] = inspect(twins.scene[i]->world);
        dWorldSetQuickStepNumIterations(twins.scene[i]->world, 20);
    }
    for (int s = 0; s < STEPS; s++) {
        step(&twins, stepper);
        ck_assert_uint_eq(ksInspectorGetStepReport(twins.inspector[0])->rank,
                          ksInspectorGetStepReport(twins.inspector[1])->rank);
        for (int j = 0; j < twins.scene[0]->jointCount; j++)
            compareJoint(&twins, kind->name, j);
    }
    for (int i = 0; i < 2; i++) {
        ksInspectorDestroy(twins.inspector[i]);
        sceneDestroy(twins.scene[i]);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("units");
    TCase *tests = tcase_create("units"), *more = tcase_create("other units");
    tcase_add_loop_test(tests, nothing_depends_on_units, 0, MACHINES * STEPPERS);
    tcase_add_loop_test(more, nothing_depends_on_units, MACHINES * STEPPERS, MACHINES * STEPPERS * UNITS);
    tcase_set_tags(more, "long");
    suite_add_tcase(suite, tests);
    suite_add_tcase(suite, more);
    return runSuite(suite);
}

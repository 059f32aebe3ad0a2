/* check_size_points.c  Torques of a slider about its mass centre, its carriage, and a point of the
 * world, against closed forms. */
#define _GNU_SOURCE
#include "plugin/size/size.h"
#include "tests/kits/report/trace_kit.h"

#include <math.h>

enum { STEPS = 400 };
static const double mass = 4, gravity = 9.81, h = 0.005;
static const double overhang = 0.3, thrust = 20;

/* Traces the steps of a world, with a name for its joint, and destroys the world. */
static void traceJoint(dWorldID world, dJointID joint, const char *name, const char *path)
{
    ksInspectorOptions given = defaultOptions();
    ksInspector *inspector = inspectWith(world, &given);
    CHECK_OK(ksInspectorSetName(inspector, joint, name));
    ksTrace *trace = traceInto(path, NULL);
    CHECK_OK(ksTraceWatch(trace, inspector, "guide"));
    for (int i = 0; i < STEPS; i++)
        CHECK_OK(ksInspectorStep(inspector, h));
    CHECK_OK(ksTraceClose(trace));
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}

/* A body on a horizontal slider along x, at rest at first; a motor pushes it with all its force.
 * The carriage is at y = z = 0, the mass centre at y = overhang; the body is rotated. */
static void traceCarriage(const char *path, const double axis[3])
{
    dWorldID world = dWorldCreate();
    dMass m;
    dMatrix3 rotation;
    dWorldSetGravity(world, 0, 0, -gravity);
    dWorldSetCFM(world, 0);
    dBodyID body = dBodyCreate(world);
    dMassSetSphereTotal(&m, mass, 0.1);
    dBodySetMass(body, &m);
    dBodySetPosition(body, 0, overhang, 0);
    dRFromAxisAndAngle(rotation, axis[0], axis[1], axis[2], 0.7);
    dBodySetRotation(body, rotation);
    dJointID slide = dJointCreateSlider(world, NULL);
    dJointAttach(slide, body, NULL);
    dJointSetSliderAxis(slide, 1, 0, 0);
    dJointSetSliderParam(slide, dParamVel, -1000);
    dJointSetSliderParam(slide, dParamFMax, thrust);
    traceJoint(world, slide, "slide", path);
}

/* The carriage in the axes of the body, from its mass centre. */
static ksiPointRule carriageOn(const double axis[3])
{
    dMatrix3 rotation;
    const dVector3 carriage = {0, -overhang, 0};
    dVector3 place;
    ksiPointRule rule = {.joints = "sli*"};
    dRFromAxisAndAngle(rotation, axis[0], axis[1], axis[2], 0.7);
    dMultiply1_331(place, rotation, carriage);
    for (int i = 0; i < 3; i++)
        rule.place[i] = place[i];
    return rule;
}

/* N or N.m: the root of the mean square across the joint's axis x, since its y and z are
 * arbitrary. */
static double rmsAcross(const ksiLoadSize load[3])
{
    return hypot(ksiPowerMean(&load[1].square, 2).value, ksiPowerMean(&load[2].square, 2).value);
}

/* of the truth: rounding of the motion, and the CFM of the motor's row */
static const double closeness = 1e-6;

static void checkClose(double found, double wanted)
{
    ck_assert_double_eq_tol(found, wanted, closeness * mass * gravity);
}

static void checkConstant(const ksiLoadSize *load, double wanted)
{
    checkClose(load->least.value, wanted);
    checkClose(load->most.value, wanted);
}

static void checkTold(const ksiSizing *sizing, void document(const ksiSizing *, ksiText *), const char *words)
{
    ksiText text = {.allocator = &ksiLibraryAllocator};
    document(sizing, &text);
    ck_assert_msg(strstr(text.at, words) != NULL, "no \"%s\"", words);
    ksiTextFree(&text);
}

/* About the mass centre there is no torque. About the carriage, which moves with the body, weight
 * and thrust have the constant torques m g a and F a. About the world's origin, the weight's torque
 * grows with the distance. */
START_TEST(slider_about_a_point)
{
    static const char *const told[] = {"torques about the mass centre of its first body", " m of its first body",
                                       "torques about the point (0, 0, 0) m of the world"};
    static const char *const line[] = {"slide,joint,torques about the mass centre,,,,,,\n",
                                       "slide,joint,point y of body 0,m,", "slide,joint,point x of body 1,m,0,0,0,,\n"};
    static const double axis[] = {1, 2, 3};
    const double weight = mass * gravity, lever = _i == 0 ? 0 : overhang;
    const ksiSizeOptions given = {.value = KS_PHYSICAL, .until = INFINITY};
    ksiSizeOptions options = given;
    options.pointCount = _i > 0;
    options.point[0] = _i == 1 ? carriageOn(axis) : (ksiPointRule){.joints = "slide", .body = 1};
    traceCarriage(in("slide.h5"), axis);
    char words[KSI_READ_WORDS] = "";
    ksiSizing sizing;
    ck_assert_msg(ksiSizeTrace(in("slide.h5"), &options, &sizing, words), "%s", words);
    const ksiLoadSize *load = sizing.world[0].joint[0].size->load;
    ck_assert_uint_eq(sizing.world[0].joint[0].size->unknown, 0);
    // for the positions at the start of each step
    double moved = 0, speed = 0, square = 0;
    for (int i = 0; i < STEPS; i++) {
        square += _i == 2 ? moved * moved / STEPS : 0;
        speed += thrust / mass * h;
        moved += speed * h;
    }
    checkConstant(&load[0], -thrust);
    checkClose(rmsAcross(load), weight);
    checkConstant(&load[3], weight * lever);
    checkClose(rmsAcross(load + 3), sqrt(pow(thrust * lever, 2) + pow(weight, 2) * square));
    for (int i = 4; i < KSI_SIZED_COMPONENTS && _i < 2; i++)
        checkConstant(&load[i], load[i].most.value);
    // by the lever, an error of the force is an error of the torque
    ck_assert_double_ge(load[3].most.bar, lever * load[1].most.bar);
    checkTold(&sizing, ksiSizingToText, told[_i]);
    checkTold(&sizing, ksiSizingToPage, told[_i]);
    checkTold(&sizing, ksiSizingToCsv, line[_i]);
    ksiSizingFree(&sizing);
}
END_TEST

/* A rotor whose mass centre is at `overhang` from a vertical axis: its weight and centrifugal force
 * are constant in the axes of the joint, which turn. */
static void traceRotor(const char *path)
{
    static const double rate = 3;
    dWorldID world = dWorldCreate();
    dMass m;
    dWorldSetGravity(world, 0, 0, -gravity);
    dWorldSetCFM(world, 0);
    dBodyID body = dBodyCreate(world);
    dMassSetSphereTotal(&m, mass, 0.1);
    dBodySetMass(body, &m);
    dBodySetPosition(body, 0, overhang, 0);
    dJointID axle = dJointCreateHinge(world, NULL);
    dJointAttach(axle, body, NULL);
    dJointSetHingeAnchor(axle, 0, 0, 0);
    dJointSetHingeAxis(axle, 0, 0, 1);
    dBodySetAngularVel(body, 0, 0, rate);
    dBodySetLinearVel(body, -rate * overhang, 0, 0);
    traceJoint(world, axle, "axle", path);
}

/* Means about a point that is fixed in the axes of the joint: the slider's carriage; the rotor's
 * mass centre, or a point of its axis in the world. Another point of the world moves in these axes;
 * it is refused, with a message that says how far. */
START_TEST(means_about_a_point)
{
    static const double axis[] = {1, 2, 3};
    const ksiPointRule point[] = {carriageOn(axis),
                                  {.joints = "axle"},
                                  {.joints = "axle", .body = 1, .place = {0, 0, -0.7}},
                                  {.joints = "slide", .body = 1},
                                  {.joints = "axle", .body = 1, .place = {0.1, 0, 0}}};
    // torque that holds the weight level; about the lower point, the force towards the axis adds a
    // torque of the same sense
    const double weight = mass * gravity, lever = overhang, across[] = {weight * lever, 0, weight * lever};
    static const double whirling =
        0.02; /* effect of finite steps, whose velocity is along a chord of the circle; the engine
                 also loses a part of the rate */
    const bool isSlider = _i == 0 || _i == 3, isRefused = _i >= 3;
    ksiSizeOptions options = {.value = KS_MEAN, .until = INFINITY, .pointCount = 1, .point = {point[_i]}};
    if (isSlider)
        traceCarriage(in("run.h5"), axis);
    else
        traceRotor(in("run.h5"));
    char words[KSI_READ_WORDS] = "";
    ksiSizing sizing;
    const bool isSized = ksiSizeTrace(in("run.h5"), &options, &sizing, words);
    ck_assert_int_eq(isSized, !isRefused);
    if (isRefused)
        ck_assert_msg(strstr(words, " m in the axes of ") != NULL, "%s", words);
    const ksiLoadSize *load = isRefused ? NULL : sizing.world[0].joint[0].size->load;
    if (_i == 0) {
        checkConstant(&load[3], weight * lever);
        checkClose(rmsAcross(load + 3), thrust * lever);
    }
    if (_i == 1 || _i == 2) {
        const double pull = rmsAcross(load), moment = _i == 2 ? 0.7 * pull : 0;
        checkConstant(&load[0], weight);
        ck_assert_double_eq_tol(pull, mass * 9 * lever, whirling * mass * 9 * lever);
        // the axle drifts in the world
        ck_assert_int_eq(load[4].most.bar > 1e-9, _i == 2);
        ck_assert_double_eq_tol(rmsAcross(load + 3), across[_i] + moment, whirling * weight * lever);
    }
    ksiSizingFree(&sizing);
}
END_TEST

int main(void)
{
    TCase *files = tcase_create("files");
    tcase_add_checked_fixture(files, makeFolder, removeFolder);
    tcase_add_loop_test(files, slider_about_a_point, 0, 3);
    tcase_add_loop_test(files, means_about_a_point, 0, 5);
    return runCase("size points", files);
}

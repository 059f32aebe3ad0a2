/* drift_loops.c  Machines with loops of parallel hinges, whose self-stresses are out of their
 * plane: an excavator and a gripper; and Sarrus's linkage, which passes a singular pose. */
#include "drift_private.h"

#include <math.h>

static const double yAxis[3] = {0, 1, 0};

/* A point of the xz-plane. */
typedef struct Point {
    double x, z;
} Point;

static dBodyID addPlaneBar(Scene *scene, double mass, double y, Point a, Point b)
{
    return sceneAddBar(scene, mass, (const double[3]){a.x, y, a.z}, (const double[3]){b.x, y, b.z});
}

static dJointID pin(Scene *scene, dBodyID first, dBodyID second, double y, Point at)
{
    return sceneAddHinge(scene, first, second, (const double[3]){at.x, y, at.z}, yAxis);
}

/* A barrel on `from` and a rod in it on `to`: hinge, slider, hinge. A drive moves it. */
static void addCylinder(Scene *scene, double mass, dBodyID first, Point from, dBodyID second, Point to, double force,
                        SceneDrive drive)
{
    const Point middle = {0.5 * (from.x + to.x), 0.5 * (from.z + to.z)};
    dBodyID barrel = addPlaneBar(scene, mass, 0, from, middle), rod = addPlaneBar(scene, mass, 0, middle, to);
    pin(scene, barrel, first, 0, from);
    drive.joint = sceneAddJoint(scene, dJointCreateSlider(scene->world, NULL), rod, barrel);
    dJointSetSliderAxis(drive.joint, to.x - from.x, 0, to.z - from.z);
    sceneAddDrive(scene, force, drive);
    pin(scene, rod, second, 0, to);
}

Scene *driftExcavator(const SceneSurface *surface, double stepSize)
{
    enum { BODIES = 11, JOINTS = 15, CYLINDERS = 3 };
    const Point foot = {0, 1}, elbow = {5, 2}, wrist = {5.5, 0}, tooth = {4.7, -0.6};
    const Point boomPin = {1.6, 2.3}, base = {0.6, 0.7}, armPin = {3, 2.9}, horn = {5.2, 2.9};
    const Point rockerFoot = {5.4, 0.5}, rockerTop = {5.9, 0.5}, bucketPin = {5.7, -0.3}, armTop = {5.35, 1.7};
    Scene *scene = sceneCreateOnGround(BODIES, JOINTS, CYLINDERS, surface);
    if (!scene)
        return NULL;
    scene->ground->frequency = 0.5;
    scene->ground->stepSize = stepSize;
    dBodyID boom = addPlaneBar(scene, 500, 0, foot, elbow), arm = addPlaneBar(scene, 250, 0, elbow, wrist);
    dBodyID bucket = addPlaneBar(scene, 150, 0, wrist, tooth);
    dBodyID rocker = addPlaneBar(scene, 15, 0, rockerFoot, rockerTop);
    dBodyID link = addPlaneBar(scene, 15, 0, rockerTop, bucketPin);
    pin(scene, boom, NULL, 0, foot);
    pin(scene, arm, boom, 0, elbow);
    pin(scene, bucket, arm, 0, wrist);
    pin(scene, rocker, arm, 0, rockerFoot);
    pin(scene, link, rocker, 0, rockerTop);
    pin(scene, link, bucket, 0, bucketPin);
    addCylinder(scene, 30, NULL, base, boom, boomPin, 2e5, (SceneDrive){.amplitude = 0.1});
    addCylinder(scene, 20, boom, armPin, arm, horn, 2e5, (SceneDrive){.amplitude = 0.1, .phase = 1});
    addCylinder(scene, 15, arm, armTop, rocker, rockerTop, 1e5, (SceneDrive){.amplitude = 0.05, .phase = 2});
    return scene;
}

static const double height = 1; /* of the palm */

/* Two parallel bars carry a finger; a motor turns the first bar and closes the hand. side: 1 or -1
 * along x. */
static void addFinger(Scene *scene, dBodyID palm, int side, double grip)
{
    const double length = 0.15, lean = 0.35, gap = 0.06, x = side * 0.05;
    const double dx = side * length * sin(lean), dz = -length * cos(lean);
    const double pad[3] = {0.02, 0.08, 0.1};
    const Point inner = {x, height}, outer = {x + side * gap, height};
    const Point innerTip = {inner.x + dx, height + dz}, outerTip = {outer.x + dx, height + dz};
    dBodyID a = addPlaneBar(scene, 0.2, 0, inner, innerTip), b = addPlaneBar(scene, 0.2, 0, outer, outerTip);
    dBodyID finger = sceneAddSolidBox(scene, 0.3, innerTip.x, 0, innerTip.z - 0.5 * pad[2], pad);
    dJointID motor = pin(scene, a, palm, 0, inner);
    dJointSetHingeParam(motor, dParamVel, side * 2.0);
    dJointSetHingeParam(motor, dParamFMax, grip * length);
    pin(scene, b, palm, 0, outer);
    pin(scene, finger, a, 0, innerTip);
    pin(scene, finger, b, 0, outerTip);
}

Scene *driftGripper(const SceneSurface *surface, double stepSize)
{
    const double box[3] = {0.178, 0.08, 0.08}, lift = 0.1;
    Scene *scene = sceneCreateOnGround(8, 9, 1, surface);
    if (!scene)
        return NULL;
    scene->ground->frequency = 0.5;
    scene->ground->stepSize = stepSize;
    dBodyID palm = sceneAddBox(scene, 2, 0, 0, height + 0.05, (const double[3]){0.3, 0.1, 0.1});
    dJointID wrist = sceneAddJoint(scene, dJointCreateSlider(scene->world, NULL), palm, NULL);
    dJointSetSliderAxis(wrist, 0, 0, 1);
    sceneAddDrive(scene, 1000, (SceneDrive){.joint = wrist, .amplitude = lift});
    for (int side = -1; side <= 1; side += 2)
        addFinger(scene, palm, side, 60);
    sceneAddSolidBox(scene, 1, 0, 0, height - 0.2, box);
    return scene;
}

Scene *driftSarrus(const SceneSurface *surface, double stepSize)
{
    (void)surface, (void)stepSize;
    return sceneSarrus(-0.2);
}

/* A joint of a loop has all undetermined directions out of the plane. The wrist is in no loop. */
int driftGripperFree(const Scene *scene, int joint)
{
    (void)scene;
    return joint == 0 ? 0 : 3;
}

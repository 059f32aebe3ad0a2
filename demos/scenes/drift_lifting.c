/* drift_lifting.c  A trebuchet, a hoist, a shaken base, and a tracked vehicle. */
#include "drift_private.h"

#include <math.h>

static const double yAxis[3] = {0, 1, 0};

Scene *driftTrebuchet(const SceneSurface *surface, double stepSize)
{
    enum { LINKS = 30 };
    const double pivot[3] = {0, 0, 0}, lean = 0.5, arm = 4, tail = 1, radius = 0.1, sling = 3;
    const double c = cos(lean), s = sin(lean);
    const double tip[3] = {-arm * c, 0, -arm * s}, end[3] = {tail * c, 0, tail * s};
    (void)surface, (void)stepSize;
    Scene *scene = sceneCreate(LINKS + 3, LINKS + 3);
    if (!scene)
        return NULL;
    dBodyID beam = sceneAddBar(scene, 50, tip, end);
    sceneAddHinge(scene, beam, NULL, pivot, yAxis);
    dBodyID weight = sceneAddBox(scene, 500, end[0], 0, end[2] - 0.5, (const double[3]){0.5, 0.5, 0.5});
    sceneAddHinge(scene, weight, beam, end, yAxis);
    dBodyID stone = sceneAddSphere(scene, 3, radius, tip[0] + sling + radius, 0, tip[2]);
    // along the ground, so that the arm pulls it forward
    driftAddRope(scene, &(const DriftRope){.from = {tip[0], 0, tip[2]},
                                           .to = {tip[0] + sling, 0, tip[2]},
                                           .links = LINKS,
                                           .linkMass = 0.1,
                                           .first = beam,
                                           .last = stone});
    return scene;
}

Scene *driftHoist(const SceneSurface *surface, double stepSize)
{
    enum { LINKS = 10 };
    const double crank = 0.5, length = 3, rate = 1, torque = 1e5, side[3] = {0.8, 0.8, 1};
    (void)surface, (void)stepSize;
    Scene *scene = sceneCreate(LINKS + 2, LINKS + 3);
    if (!scene)
        return NULL;
    const double axle[3] = {0, 0, 0}, tip[3] = {crank, 0, 0};
    dBodyID lever = sceneAddBar(scene, 20, axle, tip);
    dJointID hinge = sceneAddHinge(scene, lever, NULL, axle, yAxis);
    dJointSetHingeParam(hinge, dParamVel, rate);
    dJointSetHingeParam(hinge, dParamFMax, torque);
    dBodyID cage = sceneAddBox(scene, 100, crank, 0, -length - 0.5 * side[2], side);
    dJointSetSliderAxis(sceneAddJoint(scene, dJointCreateSlider(scene->world, NULL), cage, NULL), 0, 0, 1);
    driftAddRope(scene, &(const DriftRope){.from = {crank, 0, 0},
                                           .to = {crank, 0, -length},
                                           .links = LINKS,
                                           .linkMass = 1,
                                           .first = lever,
                                           .last = cage});
    return scene;
}

/* Moves the base to and fro by its drive. */
static void shake(Scene *scene)
{
    const SceneGround *ground = scene->ground;
    const double amplitude = 0.05, rate = 2 * M_PI * ground->frequency, time = (double)scene->step * ground->stepSize;
    dBodySetLinearVel(scene->body[0], amplitude * rate * cos(rate * time), 0, 0);
}

Scene *driftShakenBase(const SceneSurface *surface, double stepSize)
{
    enum { BARS = 5 };
    const double length = 0.4, half = 0.3;
    Scene *scene = sceneCreateOnGround(2 * BARS + 2, 2 * BARS + 2, 0, surface);
    if (!scene)
        return NULL;
    scene->ground->frequency = 2;
    scene->ground->stepSize = stepSize;
    scene->beforeStep = shake;
    dBodyID base = sceneAddBox(scene, 100, 0, 0, 0, (const double[3]){1, 1, 0.1});
    dBodySetKinematic(base);
    dBodyID plate = sceneAddBox(scene, 10, 0, 0, -BARS * length, (const double[3]){0.3, 2 * half, 0.05});
    for (int i = -1; i <= 1; i += 2)
        driftAddRope(scene, &(const DriftRope){.from = {0, i * half, 0},
                                               .to = {0, i * half, -BARS * length},
                                               .links = BARS,
                                               .linkMass = 2,
                                               .first = base,
                                               .last = plate});
    return scene;
}

/* --- tracks */

enum { TRACK_LINKS = 20, TRACK_WHEELS = 2 };
static const double trackWheel = 0.25, trackThickness = 0.04, trackBase = 1.2; /* m: radius, of a
                                                                                  link, between
                                                                                  axles */

/* The point of the track, a stadium around both wheels, at this share of its length. */
static void trackPoint(double share, double y, double out[3])
{
    const double radius = trackWheel + 0.5 * trackThickness + 2e-3, bend = M_PI * radius;
    const double s = share * 2 * (trackBase + bend), half = 0.5 * trackBase;
    out[1] = y;
    if (s < trackBase) {
        out[0] = half - s;
        out[2] = -radius;
    } else if (s < trackBase + bend) {
        const double angle = (s - trackBase) / radius;
        out[0] = -half - radius * sin(angle);
        out[2] = -radius * cos(angle);
    } else if (s < 2 * trackBase + bend) {
        out[0] = -half + s - trackBase - bend;
        out[2] = radius;
    } else {
        const double angle = (s - 2 * trackBase - bend) / radius;
        out[0] = half + radius * sin(angle);
        out[2] = radius * cos(angle);
    }
    out[2] += radius + 0.5 * trackThickness + 5e-3;
}

static void addTrack(Scene *scene, dBodyID chassis, double y)
{
    const double width = 0.25, speed = 2, torque = 300, height = trackWheel + trackThickness + 7e-3;
    for (int i = 0; i < TRACK_WHEELS; i++) {
        const double x = (i - 0.5) * trackBase;
        dBodyID wheel = sceneAddSolidBall(scene, 15, trackWheel, x, y, height);
        dJointID axle = sceneAddHinge(scene, wheel, chassis, (const double[3]){x, y, height}, yAxis);
        dJointSetHingeParam(axle, dParamVel, speed);
        dJointSetHingeParam(axle, dParamFMax, torque);
    }
    const int first = scene->bodyCount;
    for (int i = 0; i < TRACK_LINKS; i++) {
        double from[3], to[3];
        trackPoint((double)i / TRACK_LINKS, y, from);
        trackPoint((double)((i + 1) % TRACK_LINKS) / TRACK_LINKS, y, to);
        dBodyID link = sceneAddBar(scene, 2, from, to);
        const double length = sqrt((to[0] - from[0]) * (to[0] - from[0]) + (to[2] - from[2]) * (to[2] - from[2]));
        dGeomSetBody(dCreateBox(scene->space, 0.9 * length, width, trackThickness), link);
        if (i)
            sceneAddHinge(scene, link, scene->body[first + i - 1], from, yAxis);
    }
    double join[3];
    trackPoint(0, y, join);
    sceneAddHinge(scene, scene->body[first], scene->body[first + TRACK_LINKS - 1], join, yAxis);
}

Scene *driftTracks(const SceneSurface *surface, double stepSize)
{
    const int bodies = 1 + 2 * (TRACK_WHEELS + TRACK_LINKS);
    (void)stepSize;
    Scene *scene = sceneCreateOnGround(bodies, bodies - 1, 0, surface);
    if (!scene)
        return NULL;
    dBodyID chassis = sceneAddBox(scene, 150, 0, 0, 0.4, (const double[3]){1.4, 0.7, 0.3});
    for (int side = -1; side <= 1; side += 2)
        addTrack(scene, chassis, 0.55 * side);
    return scene;
}

int driftTracksFree(const Scene *scene, int joint)
{
    (void)scene;
    return joint % (TRACK_WHEELS + TRACK_LINKS) < TRACK_WHEELS ? 0 : 3;
}

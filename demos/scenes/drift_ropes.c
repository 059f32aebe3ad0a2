/* drift_ropes.c  Ropes with loads. A rope of N links has motions that move its ends by only 1/N^2:
 * if it is nearly straight, its rows are nearly dependent, and yet they carry its load. */
#include "drift_private.h"

#include <math.h>

static void between(const double a[3], const double b[3], double share, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] + share * (b[k] - a[k]);
}

dBodyID driftAddRope(Scene *scene, const DriftRope *rope)
{
    dBodyID before = rope->first;
    double near[3], far[3];
    for (int i = 0; i < rope->links; i++) {
        between(rope->from, rope->to, (double)i / rope->links, near);
        between(rope->from, rope->to, (double)(i + 1) / rope->links, far);
        dBodyID link = sceneAddBar(scene, rope->linkMass, near, far);
        sceneAddBall(scene, link, before, near);
        before = link;
    }
    if (rope->last)
        sceneAddBall(scene, rope->last, before, rope->to);
    return before;
}

Scene *driftSwing(const SceneSurface *surface, double stepSize)
{
    enum { LINKS = 10 };
    const double angle = 0.5, length = 1.5, half = 0.3, seat[3] = {0.3, 0.6, 0.05};
    const double x = length * sin(angle), z = -length * cos(angle);
    (void)surface, (void)stepSize;
    Scene *scene = sceneCreate(2 * LINKS + 1, 2 * LINKS + 2);
    if (!scene)
        return NULL;
    dBodyID body = sceneAddBox(scene, 20, x, 0, z, seat);
    for (int side = -1; side <= 1; side += 2)
        driftAddRope(
            scene,
            &(const DriftRope){
                .from = {0, half * side, 0}, .to = {x, half * side, z}, .links = LINKS, .linkMass = 0.5, .last = body});
    return scene;
}

Scene *driftCrane(const SceneSurface *surface, double stepSize)
{
    enum { LINKS = 20 };
    const double length = 4, radius = 0.1, axis[3] = {0, 0, 1}, foot[3] = {0, 0, 0}, tip[3] = {5, 0, 0};
    const double slew = 0.3, torque = 1e6;
    (void)surface, (void)stepSize;
    Scene *scene = sceneCreate(LINKS + 2, LINKS + 2);
    if (!scene)
        return NULL;
    dBodyID jib = sceneAddBar(scene, 1000, foot, tip);
    dJointID hinge = sceneAddHinge(scene, jib, NULL, foot, axis);
    dJointSetHingeParam(hinge, dParamVel, slew);
    dJointSetHingeParam(hinge, dParamFMax, torque);
    dBodyID load = sceneAddSphere(scene, 5, radius, tip[0], 0, -length - radius);
    driftAddRope(scene, &(const DriftRope){.from = {tip[0], 0, 0},
                                           .to = {tip[0], 0, -length},
                                           .links = LINKS,
                                           .linkMass = 0.1,
                                           .first = jib,
                                           .last = load});
    return scene;
}

/* A parabola from -span/2 to span/2 whose middle is `sag` below its ends. */
static double parabola(double x, double span, double sag)
{
    return -sag * (1 - 4 * x * x / (span * span));
}

Scene *driftPlankBridge(const SceneSurface *surface, double stepSize)
{
    enum { PLANKS = 20 };
    const double length = 0.5, half = 0.6, sag = 1, thickness = 0.05, span = PLANKS * length;
    (void)surface, (void)stepSize;
    Scene *scene = sceneCreate(PLANKS, 2 * (PLANKS + 1));
    if (!scene)
        return NULL;
    dBodyID before = NULL;
    for (int i = 0; i <= PLANKS; i++) {
        const double x = i * length - 0.5 * span, z = parabola(x, span, sag);
        dBodyID plank = NULL;
        if (i < PLANKS) {
            const double dx = length, dz = parabola(x + length, span, sag) - z;
            const double side[3] = {sqrt(dx * dx + dz * dz), 2 * half, thickness};
            plank = sceneAddBox(scene, 10, x + 0.5 * dx, 0, z + 0.5 * dz, side);
            dMatrix3 rotation;
            dRFromAxisAndAngle(rotation, 0, 1, 0, -atan2(dz, dx));
            dBodySetRotation(plank, rotation);
        }
        for (int side = -1; side <= 1; side += 2)
            sceneAddBall(scene, plank ? plank : before, plank ? before : NULL, (const double[3]){x, half * side, z});
        before = plank;
    }
    return scene;
}

void driftAddRod(Scene *scene, dBodyID first, dBodyID second, const double a[3], const double b[3])
{
    dJointID rod = sceneAddJoint(scene, dJointCreateDBall(scene->world, NULL), first, second);
    dJointSetDBallAnchor1(rod, a[0], a[1], a[2]);
    dJointSetDBallAnchor2(rod, b[0], b[1], b[2]);
}

/* Links between the nodes of a parabola; returns the first one's index. */
static int addCable(Scene *scene, int links, double y, double span, double sag, double linkMass)
{
    const int first = scene->bodyCount;
    dBodyID before = NULL;
    for (int i = 0; i <= links; i++) {
        const double x = span * ((double)i / links - 0.5), next = span * ((double)(i + 1) / links - 0.5);
        const double near[3] = {x, y, parabola(x, span, sag)}, far[3] = {next, y, parabola(next, span, sag)};
        dBodyID link = i < links ? sceneAddBar(scene, linkMass, near, far) : NULL;
        sceneAddBall(scene, link ? link : before, link ? before : NULL, near);
        before = link;
    }
    return first;
}

Scene *driftSuspensionBridge(const SceneSurface *surface, double stepSize)
{
    enum { PLANKS = 12, LINKS = 2 * PLANKS, RODS = 2 * PLANKS };
    const double length = 0.5, half = 0.6, sag = 1, deck = -1.3, span = PLANKS * length;
    (void)surface, (void)stepSize;
    Scene *scene = sceneCreate(PLANKS + 2 * LINKS, PLANKS + 2 * (LINKS + 1) + RODS);
    if (!scene)
        return NULL;
    for (int i = 0; i < PLANKS; i++)
        sceneAddBox(scene, 11, (i + 0.5) * length - 0.5 * span, 0, deck, (const double[3]){length, 2 * half, 0.05});
    // its other end hangs free: a straight deck between two fixed ends could not move
    for (int i = 0; i < PLANKS; i++)
        sceneAddBall(scene, scene->body[i], i ? scene->body[i - 1] : NULL,
                     (const double[3]){i * length - 0.5 * span, 0, deck});
    for (int side = -1; side <= 1; side += 2) {
        const double y = half * side;
        const int first = addCable(scene, LINKS, y, span, sag, 1);
        for (int i = 0; i < PLANKS; i++) {
            // down from the node over the plank's middle
            const double x = (i + 0.5) * length - 0.5 * span;
            driftAddRod(scene, scene->body[first + 2 * i + 1], scene->body[i],
                        (const double[3]){x, y, parabola(x, span, sag)}, (const double[3]){x, y, deck});
        }
    }
    return scene;
}

/* Adds a bar between two nodes, and joins its ends to the first bar of each node. */
static void addMesh(Scene *scene, double mass, dBodyID *atFirst, dBodyID *atSecond, const double a[3],
                    const double b[3])
{
    dBodyID bar = sceneAddBar(scene, mass, a, b);
    if (*atFirst)
        sceneAddBall(scene, bar, *atFirst, a);
    if (*atSecond)
        sceneAddBall(scene, bar, *atSecond, b);
    *atFirst = *atFirst ? *atFirst : bar;
    *atSecond = *atSecond ? *atSecond : bar;
}

Scene *driftNet(const SceneSurface *surface, double stepSize)
{
    enum { SIDE = 6, BARS = 2 * SIDE * (SIDE - 1), CORNERS = 4 };
    const double spacing = 0.3, dish = 0.5, mass = 0.27, half = 0.5 * (SIDE - 1) * spacing;
    double at[SIDE][SIDE][3];
    dBodyID first[SIDE][SIDE] = {{NULL}};
    (void)surface, (void)stepSize;
    Scene *scene = sceneCreate(BARS, 2 * BARS - SIDE * SIDE + CORNERS);
    if (!scene)
        return NULL;
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            // deepest in the middle; slightly askew, so that no bars are in line
            double *p = at[i][j], x = i * spacing - half, y = j * spacing - half;
            p[0] = x + 0.02 * sin(3 * i + 5 * j);
            p[1] = y + 0.02 * cos(2 * i - 4 * j);
            p[2] = -dish * (1 - (x * x + y * y) / (2 * half * half));
        }
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            if (i + 1 < SIDE)
                addMesh(scene, mass, &first[i][j], &first[i + 1][j], at[i][j], at[i + 1][j]);
            if (j + 1 < SIDE)
                addMesh(scene, mass, &first[i][j], &first[i][j + 1], at[i][j], at[i][j + 1]);
        }
    for (int c = 0; c < CORNERS; c++) {
        const int i = c / 2 ? SIDE - 1 : 0, j = c % 2 ? SIDE - 1 : 0;
        sceneAddBall(scene, first[i][j], NULL, at[i][j]);
    }
    return scene;
}

/* scenes.c  The scenes: mechanisms that engines in maximal and in reduced coordinates can both
 * build. All start at rest. */
#define _DEFAULT_SOURCE
#include "engines.h"

#include <math.h>
#include <string.h>

const double engineGravity = 9.81;

static const double Y[3] = {0, 1, 0}, Z[3] = {0, 0, 1};

/* --- Vectors --- */

double engineDot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void engineCross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* v + 2 u x (u x v + w v), q = (w, u) */
void engineTurn(const double q[4], const double v[3], double out[3])
{
    double inner[3], outer[3];
    engineCross(q + 1, v, inner);
    for (int k = 0; k < 3; k++)
        inner[k] += q[0] * v[k];
    engineCross(q + 1, inner, outer);
    for (int k = 0; k < 3; k++)
        out[k] = v[k] + 2 * outer[k];
}

void engineTurnBack(const double q[4], const double v[3], double out[3])
{
    const double back[4] = {q[0], -q[1], -q[2], -q[3]};
    engineTurn(back, v, out);
}

void engineRelative(const double of[4], const double to[4], double out[4])
{
    double turned[3];
    engineCross(to + 1, of + 1, turned);
    out[0] = of[0] * to[0] + engineDot(of + 1, to + 1);
    for (int k = 0; k < 3; k++)
        out[1 + k] = of[0] * to[1 + k] - to[0] * of[1 + k] + turned[k];
}

/* --- Parts --- */

static int addBody(EngineScene *s, double mass, const double inertia[3], const double at[3], EngineShape shape)
{
    EngineBody *body = &s->body[s->bodyCount];
    *body = (EngineBody){.mass = mass, .quaternion = {1, 0, 0, 0}, .shape = shape};
    memcpy(body->inertia, inertia, sizeof body->inertia);
    memcpy(body->position, at, sizeof body->position);
    return s->bodyCount++;
}

/* a, b, c: sides */
static int addBox(EngineScene *s, double mass, double x, double y, double z, double a, double b, double c)
{
    const double inertia[3] = {mass * (b * b + c * c) / 12, mass * (a * a + c * c) / 12, mass * (a * a + b * b) / 12};
    const int made = addBody(s, mass, inertia, (const double[3]){x, y, z}, SHAPE_BOX);
    memcpy(s->body[made].size, (const double[3]){a / 2, b / 2, c / 2}, sizeof s->body[made].size);
    return made;
}

static int addSphere(EngineScene *s, double mass, double x, double y, double z, double radius)
{
    const double about = 0.4 * mass * radius * radius;
    const int made = addBody(s, mass, (const double[3]){about, about, about}, (const double[3]){x, y, z}, SHAPE_BALL);
    s->body[made].size[0] = radius;
    return made;
}

/* A cylinder between two points, with its z axis from the first to the second. */
static int addBar(EngineScene *s, double mass, const double from[3], const double to[3], double radius)
{
    double along[3], centre[3];
    for (int k = 0; k < 3; k++) {
        along[k] = to[k] - from[k];
        centre[k] = (from[k] + to[k]) / 2;
    }
    const double length = sqrt(engineDot(along, along)), across = mass * (radius * radius / 4 + length * length / 12);
    const int made = addBody(s, mass, (const double[3]){across, across, mass * radius * radius / 2}, centre, SHAPE_BAR);
    EngineBody *body = &s->body[made];
    body->size[0] = radius;
    body->size[1] = fmax(length / 2 - radius, radius / 10);
    // the shortest rotation from z to the direction; straight down: about x
    const double c = along[2] / length, w = sqrt((1 + c) / 2);
    if (c < -1 + 1e-12)
        memcpy(body->quaternion, (const double[4]){0, 1, 0, 0}, sizeof body->quaternion);
    else
        memcpy(body->quaternion, (const double[4]){w, -along[1] / length / (2 * w), along[0] / length / (2 * w), 0},
               sizeof body->quaternion);
    return made;
}

static EngineJoint *addJoint(EngineScene *s, ksJointType type, int child, int parent, const double at[3])
{
    EngineJoint *joint = &s->joint[s->jointCount++];
    *joint = (EngineJoint){.type = type, .body = {child, parent}};
    memcpy(joint->anchor, at, sizeof joint->anchor);
    return joint;
}

static EngineJoint *addAxial(EngineScene *s, ksJointType type, int child, int parent, const double at[3],
                             const double axis[3])
{
    EngineJoint *joint = addJoint(s, type, child, parent, at);
    memcpy(joint->axis[0], axis, sizeof joint->axis[0]);
    return joint;
}

static void addUniversal(EngineScene *s, int child, int parent, const double at[3], const double ofChild[3],
                         const double ofParent[3])
{
    EngineJoint *joint = addAxial(s, KS_JOINT_UNIVERSAL, child, parent, at, ofChild);
    memcpy(joint->axis[1], ofParent, sizeof joint->axis[1]);
}

static void closeLoop(EngineScene *s, int child, int parent, const double at[3])
{
    addJoint(s, KS_JOINT_BALL, child, parent, at)->closes = true;
}

/* --- Hanging, without damping --- */

/* Links of 1 kg and 0.2 m on hinges whose axes alternate, released level. */
static void hangLinks(EngineScene *s, int links)
{
    for (int i = 0; i < links; i++) {
        const double from[3] = {0.2 * i, 0, 0}, to[3] = {0.2 * (i + 1), 0, 0};
        addBar(s, 1, from, to, 0.02);
        addAxial(s, KS_JOINT_HINGE, i, i - 1, from, i % 2 ? Z : Y);
    }
}

static void chain(EngineScene *s)
{
    hangLinks(s, 10);
}

/* A binary tree of 31 bars of 1 kg on balls, spread out. */
static void tree(EngineScene *s)
{
    double end[31][3];
    for (int i = 0; i < 31; i++) {
        const int parent = (i + 1) / 2 - 1, isRight = i % 2 == 0;
        const double *from = i ? end[parent] : (const double[3]){0, 0, 0};
        int level = 0;
        while ((i + 1) >> (level + 1))
            level++;
        const double side = i ? (isRight ? 0.3 : -0.3) : 0.1, length = 0.5 - 0.07 * level;
        const double across[3] = {level % 2 ? 0.3 : side, level % 2 ? side : 0.2, -0.8};
        const double size = sqrt(engineDot(across, across));
        for (int k = 0; k < 3; k++)
            end[i][k] = from[k] + length * across[k] / size;
        addBar(s, 1, from, end[i], 0.02);
        addJoint(s, KS_JOINT_BALL, i, i ? parent : WORLD, from);
    }
}

/* Crank, coupler and follower: hinge, universal joint, ball, hinge. It moves in a plane, and no row
 * is redundant. */
static void fourbar(EngineScene *s)
{
    const double o[3] = {0, 0, 0}, a[3] = {0.1, 0, 0.3}, b[3] = {0.7, 0, 0.5}, c[3] = {0.8, 0, 0};
    const int crank = addBar(s, 1, o, a, 0.02), coupler = addBar(s, 2, a, b, 0.02),
              follower = addBar(s, 1.5, c, b, 0.02);
    double across[3] = {-0.2, 0, 0.6};
    const double size = sqrt(engineDot(across, across));
    for (int k = 0; k < 3; k++)
        across[k] /= size;
    addAxial(s, KS_JOINT_HINGE, crank, WORLD, o, Y);
    addUniversal(s, coupler, crank, a, across, Y);
    addAxial(s, KS_JOINT_HINGE, follower, WORLD, c, Y);
    closeLoop(s, coupler, follower, b);
}

/* A platform of 50 kg on six legs; each leg has two parts, a universal joint, a slider with a
 * spring, and a ball. */
static void stewart(EngineScene *s)
{
    const double stiffness = 2e4, high = 1;
    const int platform = addBox(s, 50, 0, 0, high, 0.8, 0.8, 0.1);
    for (int i = 0; i < 6; i++) {
        const double low = (i / 2 * 2 + (i % 2 ? 0.35 : -0.35)) * M_PI / 3,
                     top = (i / 2 * 2 + (i % 2 ? 0.8 : -0.8)) * M_PI / 3;
        const double foot[3] = {0.7 * cos(low), 0.7 * sin(low), 0}, head[3] = {0.4 * cos(top), 0.4 * sin(top), high};
        double along[3], across[3], third[3], middle[3];
        for (int k = 0; k < 3; k++) {
            along[k] = head[k] - foot[k];
            middle[k] = (head[k] + foot[k]) / 2;
        }
        const double length = sqrt(engineDot(along, along));
        for (int k = 0; k < 3; k++)
            along[k] /= length;
        engineCross(along, Z, across);
        const double size = sqrt(engineDot(across, across));
        for (int k = 0; k < 3; k++)
            across[k] /= size;
        engineCross(along, across, third);
        const int lower = addBar(s, 3, foot, middle, 0.03), upper = addBar(s, 2, middle, head, 0.02);
        addUniversal(s, lower, WORLD, foot, third, across);
        addAxial(s, KS_JOINT_SLIDER, upper, lower, middle, along)->stiffness = stiffness;
        closeLoop(s, upper, platform, head);
    }
}

/* A jib of 5 t on a pivot about z, a rope of 20 links of 0.1 kg, 0.3 rad from the vertical, and a
 * load of 1 t. */
static void crane(EngineScene *s)
{
    enum { LINKS = 20 };
    const double length = 0.2, lean = 0.3, foot[3] = {0, 0, 0}, tip[3] = {5, 0, 0};
    const double along[3] = {0, length * sin(lean), -length * cos(lean)};
    double from[3], to[3];
    int last = addBar(s, 5000, foot, tip, 0.3);
    addAxial(s, KS_JOINT_HINGE, last, WORLD, foot, Z);
    memcpy(from, tip, sizeof from);
    for (int i = 0; i < LINKS; i++) {
        for (int k = 0; k < 3; k++)
            to[k] = from[k] + along[k];
        const int link = addBar(s, 0.1, from, to, 0.01);
        addJoint(s, KS_JOINT_BALL, link, last, from);
        memcpy(from, to, sizeof from);
        last = link;
    }
    const double radius = 0.3;
    const int load = addSphere(s, 1000, to[0], to[1] + radius * sin(lean), to[2] - radius * cos(lean), radius);
    addJoint(s, KS_JOINT_BALL, load, last, to);
}

/* Two ropes of 12 links of 1 kg, in an arc that is no catenary, between fixed ends, and 11 planks
 * of 10 kg on balls between them. */
static void bridge(EngineScene *s)
{
    enum { LINKS = 12 };
    const double span = 4.6, sag = 0.8, half = 0.5, below = 0.05;
    double node[LINKS + 1][3];
    int first[2];
    for (int side = 0; side < 2; side++) {
        first[side] = s->bodyCount;
        for (int i = 0; i <= LINKS; i++) {
            const double u = 2.0 * i / LINKS - 1, at[3] = {span * u / 2, 0, sag * (u * u - 1) * (1 + 0.3 * u)};
            memcpy(node[i], at, sizeof at);
            node[i][1] = side ? half : -half;
            if (i == 0)
                continue;
            const int link = addBar(s, 1, node[i - 1], node[i], 0.02);
            addJoint(s, KS_JOINT_BALL, link, i > 1 ? link - 1 : WORLD, node[i - 1]);
        }
        closeLoop(s, s->bodyCount - 1, WORLD, node[LINKS]);
    }
    for (int i = 1; i < LINKS; i++) {
        const double left[3] = {node[i][0], -half, node[i][2]};
        const int plank = addBox(s, 10, left[0], 0, left[2] - below, 0.3, 2 * half, 0.05);
        addJoint(s, KS_JOINT_BALL, plank, first[0] + i, left);
        closeLoop(s, plank, first[1] + i, node[i]);
    }
}

/* --- On the ground --- */

static void turnAll(EngineScene *s, double angle, double lift)
{
    const double q[4] = {cos(angle / 2), sin(angle / 2) * 0.8, sin(angle / 2) * 0.6, 0};
    for (int i = 0; i < s->bodyCount; i++) {
        EngineBody *body = &s->body[i];
        const double back[4] = {q[0], -q[1], -q[2], -q[3]};
        double turned[4];
        engineTurn(q, body->position, body->position);
        engineRelative(back, body->quaternion, turned);
        memcpy(body->quaternion, turned, sizeof turned);
        body->position[2] += lift;
    }
    for (int i = 0; i < s->jointCount; i++) {
        engineTurn(q, s->joint[i].anchor, s->joint[i].anchor);
        s->joint[i].anchor[2] += lift;
        for (int k = 0; k < 2; k++)
            engineTurn(q, s->joint[i].axis[k], s->joint[i].axis[k]);
    }
}

/* Two limbs in a row; the first one on a ball, or on a hinge about y. */
static int addLimb(EngineScene *s, int trunk, const double points[3][3], const double mass[2], double radius,
                   ksJointType first)
{
    const int upper = addBar(s, mass[0], points[0], points[1], radius);
    addAxial(s, first, upper, trunk, points[0], Y);
    const int lower = addBar(s, mass[1], points[1], points[2], radius);
    addAxial(s, KS_JOINT_HINGE, lower, upper, points[1], Y);
    return lower;
}

/* 61 kg in 11 bodies on balls and hinges, without stops. It starts horizontally in the air, and
 * falls. */
static void ragdoll(EngineScene *s)
{
    const int pelvis = addBox(s, 10, 0, 0, 0, 0.2, 0.35, 0.15), chest = addBox(s, 20, 0, 0, 0.4, 0.2, 0.4, 0.4);
    const int head = addSphere(s, 5, 0, 0, 0.75, 0.1);
    addJoint(s, KS_JOINT_BALL, chest, pelvis, (const double[3]){0, 0, 0.14});
    addJoint(s, KS_JOINT_BALL, head, chest, (const double[3]){0, 0, 0.62});
    for (int side = -1; side <= 1; side += 2) {
        const double arm[3][3] = {{0, 0.25 * side, 0.55}, {0, 0.5 * side, 0.5}, {0.15, 0.7 * side, 0.45}};
        const double leg[3][3] = {{0, 0.12 * side, -0.1}, {0.1, 0.15 * side, -0.5}, {0, 0.15 * side, -0.9}};
        addLimb(s, chest, arm, (const double[2]){2, 1.5}, 0.04, KS_JOINT_BALL);
        addLimb(s, pelvis, leg, (const double[2]){6, 3.5}, 0.05, KS_JOINT_BALL);
    }
    turnAll(s, 1.2, 1.1);
}

/* A chassis of 60 kg on two rockers with springs, a bogie on each, and six wheels with a torque of
 * 4 N.m. */
static void rover(EngineScene *s)
{
    const double radius = 0.15, axle = radius + 1e-3, clear = 0.4;
    const int chassis = addBox(s, 60, 0, 0, clear + 0.1, 0.9, 0.5, 0.2);
    for (int side = -1; side <= 1; side += 2) {
        const double y = 0.4 * side, pivot[3] = {0, y, clear}, joint[3] = {-0.3, y, 0.3}, front[3] = {0.5, y, axle};
        const int rocker = addBar(s, 5, joint, front, 0.02), bogie = addBox(s, 4, -0.3, y, 0.3, 0.5, 0.04, 0.04);
        EngineJoint *spring = addAxial(s, KS_JOINT_HINGE, rocker, chassis, pivot, Y);
        spring->stiffness = 400;
        spring->damping = 20;
        addAxial(s, KS_JOINT_HINGE, bogie, rocker, joint, Y);
        for (int i = 0; i < 3; i++) {
            const double at[3] = {i == 0 ? 0.5 : i == 1 ? -0.05 : -0.55, y, axle};
            const int wheel = addSphere(s, 3, at[0], at[1], at[2], radius);
            addAxial(s, KS_JOINT_HINGE, wheel, i ? bogie : rocker, at, Y)->drive = 4;
        }
    }
}

/* A spring that holds a joint's angle. */
static void hold(EngineScene *s, int joint, double stiffness, double damping)
{
    s->joint[joint].stiffness = stiffness;
    s->joint[joint].damping = damping;
}

/* 80 kg in 13 bodies on hinges with springs; it stands on two feet. */
static void figure(EngineScene *s)
{
    const double ground = 5e-4, ankle = 0.06 + ground, knee = ankle + 0.4, hip = knee + 0.4, waist = hip + 0.15;
    const int pelvis = addBox(s, 12, 0, 0, hip + 0.05, 0.2, 0.35, 0.2),
              torso = addBox(s, 30, 0, 0, waist + 0.25, 0.25, 0.4, 0.5);
    const int head = addSphere(s, 5, 0, 0, waist + 0.63, 0.12);
    addAxial(s, KS_JOINT_HINGE, torso, pelvis, (const double[3]){0, 0, waist}, Y);
    addAxial(s, KS_JOINT_HINGE, head, torso, (const double[3]){0, 0, waist + 0.5}, Y);
    hold(s, 0, 1500, 20);
    hold(s, 1, 100, 2);
    for (int side = -1; side <= 1; side += 2) {
        const double y = 0.12 * side, shoulder = 0.27 * side;
        const double leg[3][3] = {{0, y, hip}, {0, y, knee}, {0, y, ankle}};
        const double arm[3][3] = {
            {0, shoulder, waist + 0.45}, {0, shoulder, waist + 0.15}, {0.05, shoulder, waist - 0.1}};
        const int first = s->jointCount, shin = addLimb(s, pelvis, leg, (const double[2]){8, 4}, 0.05, KS_JOINT_HINGE);
        const int foot = addBox(s, 2, 0.04, y, 0.03 + ground, 0.26, 0.12, 0.06);
        addAxial(s, KS_JOINT_HINGE, foot, shin, leg[2], Y);
        addLimb(s, torso, arm, (const double[2]){2, 1.5}, 0.04, KS_JOINT_HINGE);
        hold(s, first, 1200, 12);
        hold(s, first + 1, 1200, 8);
        hold(s, first + 2, 1000, 4);
        hold(s, first + 3, 20, 0.5);
        hold(s, first + 4, 10, 0.2);
    }
}

/* An arm of three bars, welded to each other and to the world, and 15 boxes of 2 kg that fall on it
 * and on the ground. */
static void pile(EngineScene *s)
{
    const double at[4][3] = {{-0.5, 0, 0.15}, {-0.2, 0, 0.3}, {0.1, 0.05, 0.3}, {0.4, 0.05, 0.2}};
    for (int i = 0; i < 3; i++) {
        addBar(s, 3, at[i], at[i + 1], 0.03);
        addJoint(s, KS_JOINT_FIXED, i, i - 1, at[i]);
    }
    for (int i = 0; i < 15; i++) {
        const int box = addBox(s, 2, -0.3 + 0.3 * (i % 3) + 0.02 * (i / 3), 0.03 * (i % 4) - 0.04, 0.5 + 0.25 * (i / 3),
                               0.2, 0.22, 0.18);
        const double angle = 0.1 * i;
        memcpy(s->body[box].quaternion, (const double[4]){cos(angle), 0, 0.6 * sin(angle), 0.8 * sin(angle)},
               sizeof s->body[box].quaternion);
    }
}

/* --- The list --- */

static const struct {
    EngineScene scene;
    void (*fill)(EngineScene *scene);
} list[] = {
    {{.name = "chain", .isConserving = true, .stepSize = 2e-3, .seconds = 0.6}, chain},
    {{.name = "tree", .isConserving = true, .stepSize = 2e-3, .seconds = 0.5}, tree},
    {{.name = "fourbar", .isConserving = true, .stepSize = 2e-3, .seconds = 1}, fourbar},
    {{.name = "stewart", .isConserving = true, .stepSize = 2e-3, .seconds = 0.5}, stewart},
    {{.name = "ragdoll", .hasGround = true, .friction = 0.8, .stepSize = 2e-3, .seconds = 1}, ragdoll},
    {{.name = "rover", .hasGround = true, .friction = 0.8, .stepSize = 2e-3, .seconds = 0.5}, rover},
    {{.name = "crane", .isConserving = true, .stepSize = 2e-3, .seconds = 0.5}, crane},
    {{.name = "bridge", .isConserving = true, .stepSize = 2e-3, .seconds = 0.5}, bridge},
    {{.name = "figure", .hasGround = true, .friction = 0.8, .stepSize = 1e-3, .seconds = 0.5}, figure},
    {{.name = "pile", .hasGround = true, .touches = true, .friction = 0.5, .stepSize = 2e-3, .seconds = 1}, pile},
};

bool engineScene(int index, EngineScene *scene)
{
    if (index < 0 || index >= (int)(sizeof list / sizeof *list))
        return false;
    *scene = list[index].scene;
    list[index].fill(scene);
    return true;
}

void engineChain(int links, EngineScene *scene)
{
    *scene = list[0].scene;
    hangLinks(scene, links);
}

const EngineJoint *engineJointAbove(const EngineScene *scene, int body)
{
    for (int i = 0; i < scene->jointCount; i++)
        if (!scene->joint[i].closes && scene->joint[i].body[0] == body)
            return &scene->joint[i];
    return NULL;
}

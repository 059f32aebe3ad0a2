/* chipmunk.c  Chipmunk's pivot joints: cpConstraintGetImpulse, which is the magnitude of a force
 * only. Its scenes are plane: its x, y are x, z here, and its angles are about -y. Gear joints hold
 * the arms; their impulses are magnitudes of torques. */
#include "say.h"

#include <chipmunk/chipmunk.h>
#include <math.h>
#include <stdbool.h>

static const char *const name = "Chipmunk";

enum { MOST = 4 };
typedef struct Scene {
    cpSpace *space;
    cpConstraint *pivot[MOST], *lock[MOST];
    int joints;
} Scene;

static Scene newScene(void)
{
    Scene s = {.space = cpSpaceNew()};
    cpSpaceSetGravity(s.space, cpv(0, -kGravity));
    return s;
}

static cpBody *addBox(Scene *s, double mass, double x, double z, double width, double height, double angle)
{
    cpBody *body = cpSpaceAddBody(s->space, cpBodyNew(mass, mass / 12 * (width * width + height * height)));
    cpBodySetPosition(body, cpv(x, z));
    cpBodySetAngle(body, -angle);
    return body;
}

static void addHinge(Scene *s, cpBody *child, cpBody *parent, double x, double z, bool isHeld)
{
    parent = parent ? parent : cpSpaceGetStaticBody(s->space);
    s->pivot[s->joints] = cpSpaceAddConstraint(s->space, cpPivotJointNew(parent, child, cpv(x, z)));
    s->lock[s->joints] = isHeld ? cpSpaceAddConstraint(s->space, cpGearJointNew(parent, child, 0, 1)) : NULL;
    s->joints++;
}

static void run(Scene *s, const char *scene, const cpBody *first)
{
    for (int step = 1; step <= STEPS; step++) {
        const double motion[2] = {-cpBodyGetAngle(first), -cpBodyGetAngularVelocity(first)};
        cpSpaceStep(s->space, kStep);
        for (int j = 0; j < s->joints && isSaid(step); j++)
            saySizes(name, scene, j + 1, step, cpConstraintGetImpulse(s->pivot[j]) / kStep,
                     s->lock[j] ? cpConstraintGetImpulse(s->lock[j]) / kStep : 0, motion);
    }
}

static void rods(void)
{
    Scene rest = newScene(), swing = newScene();
    cpBody *body = addBox(&rest, 2, 0, -0.5, kRodSide, 1, 0);
    addHinge(&rest, body, NULL, 0, 0, false);
    run(&rest, "rest", body);
    body = addBox(&swing, 2, -0.5 * sin(0.7), -0.5 * cos(0.7), kRodSide, 1, 0.7);
    addHinge(&swing, body, NULL, 0, 0, false);
    cpBodySetAngularVelocity(body, -3);
    cpBodySetVelocity(body, cpv(-1.5 * cos(0.7), 1.5 * sin(0.7)));
    run(&swing, "swing", body);
}

static void mechanisms(void)
{
    Scene arm = newScene(), loop = newScene();
    cpBody *upper = addBox(&arm, 2, 0.5, 0, 1, kRodSide, 0), *lower = addBox(&arm, 1, 1.25, 0, 0.5, kRodSide, 0);
    addHinge(&arm, upper, NULL, 0, 0, true);
    addHinge(&arm, lower, upper, 1, 0, true);
    run(&arm, "arm", upper);
    cpBody *first = addBox(&loop, 1, 0, -0.5, kRodSide, 1, 0), *bar = addBox(&loop, 4, 0.5, -1, 1, kRodSide, 0),
           *second = addBox(&loop, 1, 1, -0.5, kRodSide, 1, 0);
    addHinge(&loop, first, NULL, 0, 0, false);
    addHinge(&loop, bar, first, 0, -1, false);
    addHinge(&loop, bar, second, 1, -1, false);
    addHinge(&loop, second, NULL, 1, 0, false);
    run(&loop, "loop", first);
}

static void addImpulse(cpBody *body, cpArbiter *arbiter, void *user)
{
    cpBody *a, *b;
    const cpVect impulse = cpArbiterTotalImpulse(arbiter);
    double *sum = user;
    cpArbiterGetBodies(arbiter, &a, &b);
    sum[0] += (body == a ? 1 : -1) * impulse.x / kStep;
    sum[2] += (body == a ? 1 : -1) * impulse.y / kStep;
}

static void wall(void)
{
    Scene s = newScene();
    cpShape *still = cpSpaceAddShape(s.space, cpBoxShapeNew2(cpSpaceGetStaticBody(s.space), cpBBNew(-1, -2, 0, 2), 0));
    cpBody *body = addBox(&s, 1, 0.1, 0, 0.2, 0.2, 0);
    cpShape *box = cpSpaceAddShape(s.space, cpBoxShapeNew(body, 0.2, 0.2, 0));
    cpShapeSetFriction(still, 1);
    cpShapeSetFriction(box, 1);
    for (int step = 1; step <= STEPS; step++) {
        double sum[3] = {0, 0, 0};
        cpBodyApplyForceAtWorldPoint(body, cpv(-50, 0), cpBodyGetPosition(body));
        cpSpaceStep(s.space, kStep);
        cpBodyEachArbiter(body, addImpulse, sum);
        if (isSaid(step))
            say(name, "wall", 1, step, sum, NULL, NULL, NULL, NULL);
    }
}

int main(void)
{
    printf(
        "engine|%s|%s|`cpConstraintGetImpulse`; `cpArbiterTotalImpulse`|the size alone; of contacts body A (+)|-; of "
        "contacts world|N s\n",
        name, cpVersionString);
    rods();
    mechanisms();
    wall();
    return 0;
}

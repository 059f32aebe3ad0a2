/* run.c  One engine, setting, scene and step size: a recorded run, which is judged and examined,
 * and a plain one, which is timed. Both are the same to the bit. Springs and drives are loads at
 * the start of a step, by the same law in each engine. */
#define _DEFAULT_SOURCE
#include "../bench_time.h"
#include "engines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double farAway = 1e3; /* m */

typedef struct Run {
    const EngineCase *what;
    ksRecordedState start[ENGINE_BODIES], state[ENGINE_BODIES];
    ksWrench load[ENGINE_BODIES];
    double gap;                             /* largest so far */
    double firstEnergy, drift, mostKinetic; /* J */
    double springs;                         /* J, in this state */
} Run;

static ksRecordedState startOf(const EngineBody *body)
{
    ksRecordedState state = {.velocity = {0}};
    memcpy(state.position, body->position, sizeof state.position);
    memcpy(state.quaternion, body->quaternion, sizeof state.quaternion);
    return state;
}

static const ksRecordedState world = {.quaternion = {1, 0, 0, 0}};

static const ksRecordedState *stateOf(const ksRecordedState *state, int body)
{
    return body == WORLD ? &world : &state[body];
}

/* The present position of a point that a body had at the start. */
static void carry(const Run *run, int body, const double at[3], double out[3])
{
    const ksRecordedState *start = stateOf(run->start, body), *now = stateOf(run->state, body);
    double arm[3], own[3];
    for (int k = 0; k < 3; k++)
        arm[k] = at[k] - start->position[k];
    engineTurnBack(start->quaternion, arm, own);
    engineTurn(now->quaternion, own, out);
    for (int k = 0; k < 3; k++)
        out[k] += now->position[k];
}

static void carryAxis(const Run *run, int body, const double axis[3], double out[3])
{
    double own[3];
    engineTurnBack(stateOf(run->start, body)->quaternion, axis, own);
    engineTurn(stateOf(run->state, body)->quaternion, own, out);
}

/* --- Springs and drives --- */

/* The angle of a hinge from its start, and its rate, about its axis. */
static void findAngle(const Run *run, const EngineJoint *joint, const double axis[3], double *angle, double *rate)
{
    const ksRecordedState *start[2], *now[2];
    double before[4], after[4], turned[4], own[3];
    for (int side = 0; side < 2; side++) {
        start[side] = stateOf(run->start, joint->body[side]);
        now[side] = stateOf(run->state, joint->body[side]);
    }
    engineRelative(start[0]->quaternion, start[1]->quaternion, before);
    engineRelative(now[0]->quaternion, now[1]->quaternion, after);
    // q1^-1 q0 (q1^-1 q0)^-1, the latter at the start: the child's rotation since then, in the
    // parent's axes
    engineRelative(after, before, turned);
    engineTurnBack(start[1]->quaternion, joint->axis[0], own);
    *angle = 2 * atan2(engineDot(turned + 1, own), turned[0]);
    *angle = remainder(*angle, 2 * M_PI);
    *rate = engineDot(axis, now[0]->angularVelocity) - engineDot(axis, now[1]->angularVelocity);
}

static void findLength(const Run *run, const EngineJoint *joint, const double axis[3], double *length, double *rate)
{
    double first[3], other[3], turning[3], moved[3];
    const ksRecordedState *a = stateOf(run->state, joint->body[0]), *b = stateOf(run->state, joint->body[1]);
    const double *centre = stateOf(run->start, joint->body[0])->position;
    carry(run, joint->body[0], centre, first);
    carry(run, joint->body[1], centre, other);
    for (int k = 0; k < 3; k++)
        moved[k] = first[k] - b->position[k];
    engineCross(b->angularVelocity, moved, turning);
    *length = *rate = 0;
    for (int k = 0; k < 3; k++) {
        *length += axis[k] * (first[k] - other[k]);
        *rate += axis[k] * (a->velocity[k] - b->velocity[k] - turning[k]);
    }
}

/* A force at the first body's mass centre, or a torque; and its opposite on the second body. */
static void addDrive(Run *run, const EngineJoint *joint, const double axis[3], double size)
{
    const int parent = joint->body[1];
    double force[3], arm[3], turning[3];
    ksWrench *on = &run->load[joint->body[0]], *other = parent == WORLD ? NULL : &run->load[parent];
    for (int k = 0; k < 3; k++) {
        force[k] = size * axis[k];
        arm[k] = run->state[joint->body[0]].position[k] - stateOf(run->state, parent)->position[k];
    }
    engineCross(arm, force, turning);
    for (int k = 0; k < 3; k++) {
        (joint->type == KS_JOINT_SLIDER ? on->force : on->torque)[k] += force[k];
        if (other && joint->type == KS_JOINT_SLIDER)
            other->force[k] -= force[k];
        if (other)
            other->torque[k] -= joint->type == KS_JOINT_SLIDER ? turning[k] : force[k];
    }
}

static void findLoads(Run *run)
{
    const EngineScene *scene = run->what->scene;
    memset(run->load, 0, sizeof run->load);
    run->springs = 0;
    for (int i = 0; i < scene->jointCount; i++) {
        const EngineJoint *joint = &scene->joint[i];
        double axis[3], away, rate;
        if (joint->stiffness == 0 && joint->damping == 0 && joint->drive == 0)
            continue;
        carryAxis(run, joint->body[1], joint->axis[0], axis);
        (joint->type == KS_JOINT_SLIDER ? findLength : findAngle)(run, joint, axis, &away, &rate);
        run->springs += joint->stiffness * away * away / 2;
        addDrive(run, joint, axis, joint->drive - joint->stiffness * away - joint->damping * rate);
    }
}

/* --- Figures of the present state --- */

/* The distance of a joint's two anchors; for a slider across its axis. */
static void lookAtGaps(Run *run)
{
    const EngineScene *scene = run->what->scene;
    for (int i = 0; i < scene->jointCount; i++) {
        const EngineJoint *joint = &scene->joint[i];
        double at[2][3], axis[3], apart[3];
        for (int side = 0; side < 2; side++)
            carry(run, joint->body[side], joint->anchor, at[side]);
        for (int k = 0; k < 3; k++)
            apart[k] = at[0][k] - at[1][k];
        carryAxis(run, joint->body[1], joint->axis[0], axis);
        const double along = joint->type == KS_JOINT_SLIDER ? engineDot(axis, apart) : 0;
        for (int k = 0; k < 3; k++)
            apart[k] -= along * axis[k];
        run->gap = fmax(run->gap, sqrt(engineDot(apart, apart)));
    }
}

static void lookAtEnergy(Run *run, bool isFirst)
{
    const EngineScene *scene = run->what->scene;
    double kinetic = 0, potential = run->springs;
    for (int i = 0; i < scene->bodyCount; i++) {
        const ksRecordedState *state = &run->state[i];
        double spin[3];
        engineTurnBack(state->quaternion, state->angularVelocity, spin);
        kinetic += scene->body[i].mass * engineDot(state->velocity, state->velocity) / 2;
        for (int k = 0; k < 3; k++)
            kinetic += scene->body[i].inertia[k] * spin[k] * spin[k] / 2;
        potential += scene->body[i].mass * engineGravity * state->position[2];
    }
    if (isFirst)
        run->firstEnergy = kinetic + potential;
    run->mostKinetic = fmax(run->mostKinetic, kinetic);
    run->drift = fmax(run->drift, fabs(kinetic + potential - run->firstEnergy));
}

static bool isWhole(const Run *run)
{
    for (int i = 0; i < run->what->scene->bodyCount; i++)
        for (int k = 0; k < 3; k++)
            if (!(fabs(run->state[i].position[k]) < farAway) || !isfinite(run->state[i].angularVelocity[k]))
                return false;
    return true;
}

/* --- Runs --- */

/* path NULL: a plain run. seconds [steps] of each step. Returns the number of steps; -1: there is
 * no such world. */
static int makeRun(Run *run, const char *path, int steps, double *seconds)
{
    const Engine *engine = run->what->engine;
    void *made = engine->open(run->what->scene, run->what->setting, run->what->stepSize, path);
    int count = 0;
    if (!made)
        return -1;
    for (int i = 0; i < run->what->scene->bodyCount; i++)
        run->start[i] = startOf(&run->what->scene->body[i]);
    engine->state(made, run->state);
    while (count < steps && isWhole(run)) {
        findLoads(run);
        lookAtGaps(run);
        lookAtEnergy(run, count == 0);
        const double begin = benchNow(CLOCK_MONOTONIC);
        if (!engine->step(made, run->load))
            break;
        seconds[count++] = benchNow(CLOCK_MONOTONIC) - begin;
        engine->state(made, run->state);
    }
    return engine->close(made) ? count : -1;
}

static bool measure(const EngineCase *what, const char *path, int steps, double *seconds, EngineResult *result)
{
    Run run = {.what = what}, plain = {.what = what};
    const int made = makeRun(&run, path, steps, seconds);
    if (made < 0 || !engineJudge(what, path, result->figure))
        return false;
    const int again = makeRun(&plain, NULL, steps, seconds);
    if (again != made || memcmp(run.state, plain.state, sizeof run.state) != 0) {
        fprintf(stderr, "engines: %s, %s, %s: the recorded run is not the plain one\n", what->scene->name,
                what->engine->name, what->engine->setting[what->setting]);
        return false;
    }
    result->broke = made < steps || !isWhole(&run);
    benchSort(seconds, (size_t)made);
    result->figure[MICROSECONDS] = made ? 1e6 * seconds[made / 2] : NAN;
    result->figure[LARGEST_GAP] = run.gap;
    if (what->scene->isConserving && run.mostKinetic > 0)
        result->figure[ENERGY_DRIFT] = run.drift / run.mostKinetic;
    return true;
}

bool engineRun(const EngineCase *what, EngineResult *result)
{
    const int steps = (int)lround(what->scene->seconds / what->stepSize);
    double *seconds = calloc((size_t)steps + 1, sizeof *seconds);
    char path[4096];
    *result = (EngineResult){.broke = false};
    for (int f = 0; f < ENGINE_FIGURES; f++)
        result->figure[f] = NAN;
    snprintf(path, sizeof path, "%s/engines.h5", what->folder);
    const bool done = seconds && measure(what, path, steps, seconds, result);
    unlink(path);
    free(seconds);
    return done;
}

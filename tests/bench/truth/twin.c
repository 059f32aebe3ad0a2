/* twin.c  A twin of the machine in small steps. See twin.h. */
#include "twin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double smallStep = 50e-6; /* s */

/* Of a body. */
typedef struct State {
    dVector3 place, velocity, spin;
    dQuaternion turn;
} State;

/* A joint's impulses on both sides: of the window, and of its first and last step of the host; N s. */
typedef struct Impulse {
    double all[2][3], first[2][3], last[2][3];
} Impulse;

struct TruthTwin {
    const Scene *scene;
    Scene *own;
    State *state; /* [bodies steps] */
    double *rate; /* [joints steps] of motors' axes after the step: sweeps leave them others than they are told */
    int count;
    dJointFeedback *feedback; /* [joints] */
    Impulse *impulse;         /* [joints] */
    double time[3];           /* s, of the window, its first and its last step */
};

static const double cfm = 1e-10; /* over a step: what loops with gaps do not lock by */

/* The gaps stay, and joints give way by no more than rounding. */
static void makeRigid(dJointID joint)
{
    switch (dJointGetType(joint)) {
    case dJointTypeBall:
        dJointSetBallParam(joint, dParamERP, 0);
        dJointSetBallParam(joint, dParamCFM, cfm);
        break;
    case dJointTypeDBall:
        dJointSetDBallParam(joint, dParamERP, 0);
        dJointSetDBallParam(joint, dParamCFM, cfm);
        break;
    case dJointTypeFixed:
        dJointSetFixedParam(joint, dParamERP, 0);
        dJointSetFixedParam(joint, dParamCFM, cfm);
        break;
    default:
        break; /* by the world's */
    }
}

TruthTwin *truthTwinOpen(const TruthCase *what, const Scene *scene, int steps)
{
    TruthTwin *twin = calloc(1, sizeof *twin);
    if (!twin)
        return NULL;
    twin->scene = scene;
    twin->own = what->kind->make(what->surface, what->stepSize);
    twin->state = calloc((size_t)scene->bodyCount * (size_t)steps + 1, sizeof *twin->state);
    twin->rate = calloc((size_t)scene->jointCount * (size_t)steps + 1, sizeof *twin->rate);
    twin->feedback = calloc((size_t)scene->jointCount + 1, sizeof *twin->feedback);
    twin->impulse = calloc((size_t)scene->jointCount + 1, sizeof *twin->impulse);
    if (!twin->own || !twin->state || !twin->rate || !twin->feedback || !twin->impulse) {
        truthTwinClose(twin);
        return NULL;
    }
    dWorldSetERP(twin->own->world, 0);
    dWorldSetCFM(twin->own->world, cfm);
    for (int j = 0; j < scene->jointCount; j++) {
        makeRigid(twin->own->joint[j]);
        dJointSetFeedback(twin->own->joint[j], &twin->feedback[j]);
    }
    return twin;
}

void truthTwinClose(TruthTwin *twin)
{
    if (!twin)
        return;
    if (twin->own)
        sceneDestroy(twin->own);
    free(twin->state);
    free(twin->rate);
    free(twin->feedback);
    free(twin->impulse);
    free(twin);
}

static double rateOf(dJointID joint)
{
    switch (dJointGetType(joint)) {
    case dJointTypeHinge:
        return dJointGetHingeAngleRate(joint);
    case dJointTypeHinge2:
        return dJointGetHinge2Angle1Rate(joint);
    case dJointTypeSlider:
        return dJointGetSliderPositionRate(joint);
    case dJointTypePU:
        return dJointGetPUPositionRate(joint);
    default:
        return 0;
    }
}

static void setRate(dJointID joint, double rate)
{
    switch (dJointGetType(joint)) {
    case dJointTypeHinge:
        dJointSetHingeParam(joint, dParamVel, rate);
        break;
    case dJointTypeHinge2:
        dJointSetHinge2Param(joint, dParamVel, rate);
        break;
    case dJointTypeSlider:
        dJointSetSliderParam(joint, dParamVel, rate);
        break;
    case dJointTypePU:
        dJointSetPUParam(joint, dParamVel3, rate);
        break;
    default:
        break;
    }
}

void truthTwinBefore(TruthTwin *twin)
{
    const size_t bodies = (size_t)twin->scene->bodyCount;
    for (size_t i = 0; i < bodies; i++) {
        const dBodyID body = twin->scene->body[i];
        State *state = &twin->state[(size_t)twin->count * bodies + i];
        memcpy(state->place, dBodyGetPosition(body), sizeof state->place);
        memcpy(state->velocity, dBodyGetLinearVel(body), sizeof state->velocity);
        memcpy(state->spin, dBodyGetAngularVel(body), sizeof state->spin);
        memcpy(state->turn, dBodyGetQuaternion(body), sizeof state->turn);
    }
}

void truthTwinAfter(TruthTwin *twin)
{
    for (int j = 0; j < twin->scene->jointCount; j++)
        twin->rate[twin->count * twin->scene->jointCount + j] = rateOf(twin->scene->joint[j]);
    twin->count++;
}

/* The host's velocities are those that have moved it here: half a step ago its machine had this velocity, and was half its way back. */
static void put(TruthTwin *twin, int step, double back)
{
    const size_t bodies = (size_t)twin->scene->bodyCount;
    for (size_t i = 0; i < bodies; i++) {
        const dBodyID body = twin->own->body[i];
        const State *state = &twin->state[(size_t)step * bodies + i];
        const dReal *x = state->place, *v = state->velocity, *w = state->spin;
        dBodySetPosition(body, x[0] - back * v[0], x[1] - back * v[1], x[2] - back * v[2]);
        dBodySetLinearVel(body, state->velocity[0], state->velocity[1], state->velocity[2]);
        dBodySetAngularVel(body, state->spin[0], state->spin[1], state->spin[2]);
        dQuaternion turned, turning;
        dQFromAxisAndAngle(turning, w[0], w[1], w[2], -back * sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]));
        dQMultiply0(turned, turning, state->turn);
        dBodySetQuaternion(body, turned);
        dBodySetForce(body, 0, 0, 0);
        dBodySetTorque(body, 0, 0, 0);
    }
}

/* As the host's step does. */
static void move(TruthTwin *twin, int step, double h)
{
    twin->own->step = (unsigned long)step;
    sceneBeforeStep(twin->own);
    for (int j = 0; j < twin->scene->jointCount; j++)
        setRate(twin->own->joint[j], twin->rate[step * twin->scene->jointCount + j]);
    dWorldStep(twin->own->world, h);
    sceneAfterStep(twin->own);
}

/* A few steps of next to no length, with the motors of the step before: the first one takes them all but for CFM. */
static void takeForbidden(TruthTwin *twin, int step)
{
    enum { TIMES = 3 };
    const double instant = 1e-6;
    for (int i = 0; i < TIMES; i++)
        move(twin, step, instant);
}

static void add(double sum[3], const dVector3 force, double h)
{
    for (int k = 0; k < 3; k++)
        sum[k] += h * force[k];
}

static void addStep(TruthTwin *twin, double h, bool isFirst, bool isLast)
{
    for (int j = 0; j < twin->scene->jointCount; j++)
        for (int side = 0; side < 2; side++) {
            const dReal *force = side ? twin->feedback[j].f2 : twin->feedback[j].f1;
            add(twin->impulse[j].all[side], force, h);
            if (isFirst)
                add(twin->impulse[j].first[side], force, h);
            if (isLast)
                add(twin->impulse[j].last[side], force, h);
        }
}

void truthTwinRun(TruthTwin *twin, const double *time, int first, int end)
{
    memset(twin->impulse, 0, (size_t)twin->scene->jointCount * sizeof *twin->impulse);
    twin->time[0] = time[end] - time[first];
    twin->time[1] = time[first + 1] - time[first];
    twin->time[2] = time[end] - time[end - 1];
    put(twin, first, first > 0 ? 0.5 * (time[first] - time[first - 1]) : 0);
    takeForbidden(twin, first > 0 ? first - 1 : 0);
    for (int step = first; step < end; step++) {
        const double whole = time[step + 1] - time[step], count = ceil(whole / smallStep - 0.5);
        for (int i = 0; i < (int)count; i++) {
            move(twin, step, whole / count);
            addStep(twin, whole / count, step == first, step == end - 1);
        }
    }
}

/* The engine's feedback of a joint with the world is of its body first. */
TruthTwinMean truthTwinMean(const TruthTwin *twin, int joint, int side)
{
    const dJointID own = twin->own->joint[joint];
    const int at = dJointGetBody(own, 0) && dJointGetBody(own, 1) ? side : 0;
    const Impulse *impulse = &twin->impulse[joint];
    TruthTwinMean out;
    for (int k = 0; k < 3; k++) {
        out.force[k] = impulse->all[at][k] / twin->time[0];
        out.ends[k] = (impulse->last[at][k] / twin->time[2] - impulse->first[at][k] / twin->time[1]) * twin->time[2] /
                      (2 * twin->time[0]);
    }
    return out;
}

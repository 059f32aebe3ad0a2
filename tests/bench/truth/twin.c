/* twin.c  A twin of the machine, stepped in small steps. See twin.h. */
#include "twin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double smallStep = 50e-6; /* s */

/* The state of a body. */
typedef struct State {
    dVector3 place, velocity, spin;
    dQuaternion turn;
} State;

/* The motor and the stops of a joint in a step. */
typedef struct Motor {
    double begin, target, end; /* rates: before the step, asked for, after it */
    unsigned stops;            /* rows that are stops: bits */
    int limited;               /* direction of its push at a bound; 0: it is inside its bounds */
} Motor;

/* A joint's impulses on both sides: over the window, and in the first and last of the host's steps;
 * N s, and N m s about the joint's anchors. */
typedef struct Impulse {
    double all[2][6], first[2][6], last[2][6];
} Impulse;

/* From the mass centre of a body to the joint's anchor on it, in the body's axes, m; 0 without an
 * anchor. */
typedef struct Lever {
    double on[2][3];
} Lever;

struct TruthTwin {
    const Scene *scene;
    Scene *own;
    State *state;   /* [bodies steps] */
    Motor *motor;   /* [joints steps] */
    double *force;  /* [joints] largest forces of the motors */
    double *missed; /* [joints] rate of motors beyond their targets, on average over a window */
    int count;
    dJointFeedback *feedback; /* [joints] */
    Lever *arm;               /* [joints steps] */
    double (*turned)[2][3];   /* [joints] the present arms, world axes */
    Impulse *impulse;         /* [joints] */
    Impulse *coarse;          /* [joints] in steps of the host's size */
    Impulse *soft;            /* [joints] likewise, with softer joints */
    double time[3];           /* s, of the window, and of its first and last step */
    double away;              /* largest distance from the host's bodies in the window, radii of gyration */
};

static const double sameForce = 1e-9; /* of the reported and the largest force of a motor at its bound */
static const double farAway = 1e9;    /* m/s, rad/s: no motor gets there */
static const double cfm = 1e-10;      /* over a step: without it, gaps would lock a loop */
static const double softer = 10;      /* times as soft; divides the forces of a twin that gaps lock */

static void setMotor(dJointID joint, int parameter, double value);

/* The gaps stay, and joints and their stops yield by no more than this CFM. */
static void makeRigid(dJointID joint, double yield)
{
    setMotor(joint, dParamStopERP, 0);
    setMotor(joint, dParamStopCFM, yield);
    switch (dJointGetType(joint)) {
    case dJointTypeBall:
        dJointSetBallParam(joint, dParamERP, 0);
        dJointSetBallParam(joint, dParamCFM, yield);
        break;
    case dJointTypeDBall:
        dJointSetDBallParam(joint, dParamERP, 0);
        dJointSetDBallParam(joint, dParamCFM, yield);
        break;
    case dJointTypeHinge2:
        dJointSetHinge2Param(joint, dParamSuspensionERP, 0);
        dJointSetHinge2Param(joint, dParamSuspensionCFM, yield);
        break;
    case dJointTypeFixed:
        dJointSetFixedParam(joint, dParamERP, 0);
        dJointSetFixedParam(joint, dParamCFM, yield);
        break;
    default:
        break; /* such a joint has the world's parameters */
    }
}

static void setSoftness(const TruthTwin *twin, double yield)
{
    dWorldSetERP(twin->own->world, 0);
    dWorldSetCFM(twin->own->world, yield);
    for (int j = 0; j < twin->scene->jointCount; j++)
        makeRigid(twin->own->joint[j], yield);
}

TruthTwin *truthTwinOpen(const TruthCase *what, const Scene *scene, int steps)
{
    TruthTwin *twin = calloc(1, sizeof *twin);
    if (!twin)
        return NULL;
    twin->scene = scene;
    twin->own = what->kind->make(what->surface, what->stepSize);
    twin->state = calloc((size_t)scene->bodyCount * (size_t)steps + 1, sizeof *twin->state);
    twin->motor = calloc((size_t)scene->jointCount * (size_t)steps + 1, sizeof *twin->motor);
    twin->force = calloc((size_t)scene->jointCount + 1, sizeof *twin->force);
    twin->missed = calloc((size_t)scene->jointCount + 1, sizeof *twin->missed);
    twin->feedback = calloc((size_t)scene->jointCount + 1, sizeof *twin->feedback);
    twin->arm = calloc((size_t)scene->jointCount * (size_t)steps + 1, sizeof *twin->arm);
    twin->turned = calloc((size_t)scene->jointCount + 1, sizeof *twin->turned);
    twin->impulse = calloc((size_t)scene->jointCount + 1, sizeof *twin->impulse);
    twin->coarse = calloc((size_t)scene->jointCount + 1, sizeof *twin->coarse);
    twin->soft = calloc((size_t)scene->jointCount + 1, sizeof *twin->soft);
    if (!twin->own || !twin->state || !twin->motor || !twin->force || !twin->missed || !twin->feedback || !twin->arm ||
        !twin->turned || !twin->impulse || !twin->coarse || !twin->soft) {
        truthTwinClose(twin);
        return NULL;
    }
    setSoftness(twin, cfm);
    for (int j = 0; j < scene->jointCount; j++)
        dJointSetFeedback(twin->own->joint[j], &twin->feedback[j]);
    return twin;
}

void truthTwinClose(TruthTwin *twin)
{
    if (!twin)
        return;
    if (twin->own)
        sceneDestroy(twin->own);
    free(twin->state);
    free(twin->motor);
    free(twin->force);
    free(twin->missed);
    free(twin->feedback);
    free(twin->arm);
    free(twin->turned);
    free(twin->impulse);
    free(twin->coarse);
    free(twin->soft);
    free(twin);
}

/* The axis of the motor of each type of joint in the scenes. */
typedef struct Axis {
    dJointType type;
    int group; /* parameter group */
    dReal (*get)(dJointID, int);
    dReal (*rate)(dJointID);
    void (*set)(dJointID, int, dReal);
} Axis;

static const Axis *axisOf(dJointID joint)
{
    static const Axis axis[] = {
        {dJointTypeHinge, 0, dJointGetHingeParam, dJointGetHingeAngleRate, dJointSetHingeParam},
        {dJointTypeHinge2, 0, dJointGetHinge2Param, dJointGetHinge2Angle1Rate, dJointSetHinge2Param},
        {dJointTypeSlider, 0, dJointGetSliderParam, dJointGetSliderPositionRate, dJointSetSliderParam},
        {dJointTypePU, dParamGroup3, dJointGetPUParam, dJointGetPUPositionRate, dJointSetPUParam}};
    for (size_t i = 0; i < sizeof axis / sizeof *axis; i++)
        if (axis[i].type == dJointGetType(joint))
            return &axis[i];
    return NULL;
}

/* A motor's target, or its largest force. 0: there is no motor. */
static double motorOf(dJointID joint, int parameter)
{
    const Axis *axis = axisOf(joint);
    return axis ? axis->get(joint, axis->group + parameter) : 0;
}

static void setMotor(dJointID joint, int parameter, double value)
{
    const Axis *axis = axisOf(joint);
    if (axis)
        axis->set(joint, axis->group + parameter, value);
}

static double rateOf(dJointID joint)
{
    const Axis *axis = axisOf(joint);
    return axis ? axis->rate(joint) : 0;
}

static Motor *motorsOf(const TruthTwin *twin, int step)
{
    return &twin->motor[(size_t)step * (size_t)twin->scene->jointCount];
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
    for (int j = 0; j < twin->scene->jointCount; j++)
        motorsOf(twin, twin->count)[j] =
            (Motor){.begin = rateOf(twin->scene->joint[j]), .target = motorOf(twin->scene->joint[j], dParamVel)};
    twin->count++;
}

/* The rate of a row of the last step at the present velocities. */
static double rateOfRow(const ksReaction *r, const ksRow *row)
{
    double sum = 0;
    for (int side = 0; side < 2; side++)
        for (int k = 0; r->body[side] && k < 3; k++)
            sum += row->jacobian[side][k] * dBodyGetLinearVel(r->body[side])[k] +
                   row->jacobian[side][3 + k] * dBodyGetAngularVel(r->body[side])[k];
    return sum;
}

/* The engine's feedback has a joint's only body first. */
static int placeOf(dJointID joint, int side)
{
    return dJointGetBody(joint, 0) && dJointGetBody(joint, 1) ? side : 0;
}

/* Notes the anchors in the pose before the last step. */
static void noteArms(TruthTwin *twin, int j, const ksReaction *r)
{
    const size_t bodies = (size_t)twin->scene->bodyCount, step = (size_t)twin->count - 1;
    Lever *arm = &twin->arm[step * (size_t)twin->scene->jointCount + (size_t)j];
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < bodies && !isnan(r->anchor[side][0]); i++) {
            const State *state = &twin->state[step * bodies + i];
            dMatrix3 R;
            if (r->body[side] != twin->scene->body[i])
                continue;
            dRfromQ(R, state->turn);
            for (int k = 0; k < 3; k++)
                for (int m = 0; m < 3; m++)
                    arm->on[placeOf(twin->scene->joint[j], side)][k] +=
                        R[4 * m + k] * (r->anchor[side][m] - state->place[m]);
        }
}

void truthTwinAfter(TruthTwin *twin, ksInspector *inspector)
{
    for (int j = 0; j < twin->scene->jointCount; j++) {
        const dJointID joint = twin->scene->joint[j];
        const ksReaction *r = ksInspectorGetReaction(inspector, joint);
        if (r)
            noteArms(twin, j, r);
        Motor *last = &motorsOf(twin, twin->count - 1)[j];
        last->end = rateOf(joint);
        for (int l = 0; r && l < r->rowCount; l++) {
            const ksRow *row = &r->row[l];
            last->stops |= row->kind == KS_ROW_STOP ? 1u << l : 0;
            if (row->kind != KS_ROW_MOTOR)
                continue;
            // the row's axis is the one before the step; its sign may be either
            last->end = copysign(rateOfRow(r, row), last->end);
            if (fabs(row->engine) >= (1 - sameForce) * fmin(-row->lo, row->hi))
                last->limited = last->target > last->end ? 1 : -1;
        }
    }
}

/* Sets the host's state, moved back by a time along its velocities: these are the velocities of its
 * last step, so half a step ago the host was half a step back. */
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

/* The mean distance of each motor from its target, over the steps in which it is inside its
 * bounds. */
static void findMissed(TruthTwin *twin, const double *time, int first, int end)
{
    for (int j = 0; j < twin->scene->jointCount; j++) {
        double sum = 0, all = 0;
        for (int step = first; step < end; step++) {
            const Motor *motor = &motorsOf(twin, step)[j];
            const double h = motor->limited ? 0 : time[step + 1] - time[step];
            sum += h * (motor->end - motor->target);
            all += h;
        }
        twin->missed[j] = all > 0 ? sum / all : 0;
    }
}

/* A motor's target moves evenly from one target of the host to the next, plus the mean distance of
 * the host's motor, since the noise of the host's rates is not the mechanism's. If the host's motor
 * was at a bound, the target starts from the rate of that motor. */
static void drive(TruthTwin *twin, int step, double share)
{
    for (int j = 0; j < twin->scene->jointCount; j++) {
        const Motor *motor = &motorsOf(twin, step)[j], *last = step > 0 ? &motorsOf(twin, step - 1)[j] : NULL;
        const double begin = !last ? motor->begin : last->limited ? last->end : last->target + twin->missed[j];
        const double target = motor->limited ? motor->limited * farAway : motor->target + twin->missed[j];
        setMotor(twin->own->joint[j], dParamVel, begin + share * (target - begin));
    }
}

/* One step like the host's. motors: the host's step that motors follow; share: the part of it that
 * has passed. */
static void move(TruthTwin *twin, int step, int motors, double share, double h)
{
    twin->own->step = (unsigned long)step;
    sceneBeforeStep(twin->own);
    drive(twin, motors, share);
    dWorldStep(twin->own->world, h);
    sceneAfterStep(twin->own);
}

/* A few very short steps: the first one removes forbidden velocities, except for the effect of CFM,
 * and gives motors their rates at the start of the step, with any force. */
static void takeForbidden(TruthTwin *twin, int step)
{
    enum { TIMES = 3 };
    const double instant = 1e-6;
    for (int j = 0; j < twin->scene->jointCount; j++) {
        twin->force[j] = motorOf(twin->own->joint[j], dParamFMax);
        if (twin->force[j] > 0)
            setMotor(twin->own->joint[j], dParamFMax, dInfinity);
    }
    for (int i = 0; i < TIMES; i++)
        move(twin, step > 0 ? step - 1 : 0, step, 0, instant);
    for (int j = 0; j < twin->scene->jointCount; j++)
        if (twin->force[j] > 0)
            setMotor(twin->own->joint[j], dParamFMax, twin->force[j]);
}

/* Turns the anchors of the host's step with the twin's bodies, before these move. */
static void turnArms(TruthTwin *twin, int step)
{
    for (int j = 0; j < twin->scene->jointCount; j++)
        for (int side = 0; side < 2; side++) {
            const Lever *arm = &twin->arm[(size_t)step * (size_t)twin->scene->jointCount + (size_t)j];
            dBodyID body = dJointGetBody(twin->own->joint[j], side);
            if (!body && side == 0)
                body = dJointGetBody(twin->own->joint[j], 1);
            dVector3 turned = {0};
            if (body)
                dBodyVectorToWorld(body, arm->on[side][0], arm->on[side][1], arm->on[side][2], turned);
            for (int k = 0; k < 3; k++)
                twin->turned[j][side][k] = turned[k];
        }
}

static void add(double sum[6], const double wrench[6], double h)
{
    for (int k = 0; k < 6; k++)
        sum[k] += h * wrench[k];
}

static void addStep(TruthTwin *twin, double h, bool isFirst, bool isLast)
{
    for (int j = 0; j < twin->scene->jointCount; j++)
        for (int side = 0; side < 2; side++) {
            const dReal *force = side ? twin->feedback[j].f2 : twin->feedback[j].f1;
            const dReal *torque = side ? twin->feedback[j].t2 : twin->feedback[j].t1;
            const double *r = twin->turned[j][side];
            double wrench[6];
            for (int k = 0; k < 3; k++) {
                const int a = (k + 1) % 3, b = (k + 2) % 3;
                wrench[k] = force[k];
                wrench[3 + k] = torque[k] - (r[a] * force[b] - r[b] * force[a]);
            }
            add(twin->impulse[j].all[side], wrench, h);
            if (isFirst)
                add(twin->impulse[j].first[side], wrench, h);
            if (isLast)
                add(twin->impulse[j].last[side], wrench, h);
        }
}

/* The largest distance of a body from the host's at the end of a step, half a step back, in radii
 * of gyration. */
static double awayFrom(const TruthTwin *twin, int step, int end, double h)
{
    const size_t bodies = (size_t)twin->scene->bodyCount;
    const double back = 0.5 * h;
    double most = 0;
    for (size_t i = 0; i < bodies; i++) {
        // the state after the window's last step is not stored
        const State *state = step + 1 < end ? &twin->state[(size_t)(step + 1) * bodies + i] : NULL;
        const dBodyID host = twin->scene->body[i];
        const dReal *x = dBodyGetPosition(twin->own->body[i]), *y = state ? state->place : dBodyGetPosition(host),
                    *v = state ? state->velocity : dBodyGetLinearVel(host);
        dMass mass;
        dBodyGetMass(host, &mass);
        const double radius2 = (mass.I[0] + mass.I[5] + mass.I[10]) / (2 * mass.mass);
        double square = 0;
        for (int k = 0; k < 3; k++) {
            const double way = x[k] - (y[k] - back * v[k]);
            square += way * way;
        }
        most = fmax(most, sqrt(square / radius2));
    }
    return most;
}

/* A run over the window, in steps of at most this size. */
static void run(TruthTwin *twin, const double *time, int first, int end, double size)
{
    memset(twin->impulse, 0, (size_t)twin->scene->jointCount * sizeof *twin->impulse);
    twin->away = 0;
    // half of the host's step back, less half of the twin's, whose velocities lag likewise
    const double before = first > 0 ? time[first] - time[first - 1] : twin->time[1];
    put(twin, first, 0.5 * before - 0.5 * fmin(size, before));
    takeForbidden(twin, first);
    for (int step = first; step < end; step++) {
        const double whole = time[step + 1] - time[step], count = fmax(1, ceil(whole / size - 0.5));
        for (int i = 0; i < (int)count; i++) {
            turnArms(twin, step);
            move(twin, step, step, (i + 1) / count, whole / count);
            addStep(twin, whole / count, step == first, step == end - 1);
        }
        twin->away = fmax(twin->away, awayFrom(twin, step, end, whole));
    }
}

/* The machine reaches or leaves a stop within the window, or just before it. The engine does so up
 * to a step late, and an impact is not resolved. */
static bool isStruck(const TruthTwin *twin, int first, int end)
{
    bool is = false;
    for (int step = first > 0 ? first : 1; step < end; step++)
        for (int j = 0; j < twin->scene->jointCount; j++)
            is |= motorsOf(twin, step)[j].stops != motorsOf(twin, step - 1)[j].stops;
    return is;
}

void truthTwinRun(TruthTwin *twin, const double *time, int first, int end)
{
    const size_t bytes = (size_t)twin->scene->jointCount * sizeof *twin->impulse;
    twin->time[0] = time[end] - time[first];
    twin->time[1] = time[first + 1] - time[first];
    twin->time[2] = time[end] - time[end - 1];
    findMissed(twin, time, first, end);
    setSoftness(twin, softer * cfm);
    run(twin, time, first, end, INFINITY);
    memcpy(twin->soft, twin->impulse, bytes);
    setSoftness(twin, cfm);
    run(twin, time, first, end, INFINITY);
    memcpy(twin->coarse, twin->impulse, bytes);
    run(twin, time, first, end, smallStep);
    twin->away = isStruck(twin, first, end) ? INFINITY : twin->away;
}

double truthTwinAway(const TruthTwin *twin)
{
    return twin->away;
}

TruthTwinMean truthTwinMean(const TruthTwin *twin, int joint, int side)
{
    const dJointID own = twin->own->joint[joint];
    const int at = placeOf(own, side);
    const Impulse *impulse = &twin->impulse[joint], *coarse = &twin->coarse[joint], *soft = &twin->soft[joint];
    TruthTwinMean out;
    for (int k = 0; k < 6; k++) {
        *(k < 3 ? &out.force[k] : &out.torque[k - 3]) = impulse->all[at][k] / twin->time[0];
        out.coarse[k] = (coarse->all[at][k] - impulse->all[at][k]) / twin->time[0];
        out.soft[k] = (soft->all[at][k] - coarse->all[at][k]) / ((softer - 1) * twin->time[0]);
        out.ends[k] = (impulse->last[at][k] / twin->time[2] - impulse->first[at][k] / twin->time[1]) * twin->time[2] /
                      (2 * twin->time[0]);
    }
    return out;
}

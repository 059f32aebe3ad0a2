/* ode.c  Converts a step of ODE into a step of a recording:
 *
 *     M (v' - v)/h = f + J^T lambda
 *
 * M: masses; v, v': velocities before and after the step; h: its length; f: loads, and J: rows of
 * the joints, both in the pose before the step. The joints' feedback reports J^T lambda. The file
 * is C, and also C++ of gcc and clang, since an engine's headers may require C++. */
#include "ode_inside.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A joint whose feedback is read. */
typedef struct Report {
    dJointID joint;
    int type;                        /* ksJointType, of a joint of the recording */
    int body[2];                     /* -1: not in the list */
    int index;                       /* of the recording's joints; -1: a known load */
    double anchor[2][3], axis[2][3]; /* before the step, by side */
    Axes axes;
    dJointFeedback *host, own;
} Report;

struct ksOde {
    dWorldID world;
    ksRecording *recording;
    dBodyID *body;
    Report *joint; /* [jointCount] in the order of ksOdeCreate */
    Slides slides; /* of the list's PU joints */
    int bodyCount, jointCount, told;
    Report *report; /* [reportCount] joints of all bodies in this step */
    size_t reportCount, reportCapacity;
    ksRecordedState *before, *after;
    ksWrench *load, (*reported)[2];
    double stepSize;
    int isOpen;
};

static ksStatus fail(ksStatus status, const char *function, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static ksStatus fail(ksStatus status, const char *function, const char *format, ...)
{
    char words[256];
    va_list list;
    va_start(list, format);
    vsnprintf(words, sizeof words, format, list);
    va_end(list);
    return ksErrorSet(status, function, words);
}

/* --- Joints --- */

static int indexOf(const ksOde *a, dBodyID body)
{
    for (int i = 0; body && i < a->bodyCount; i++)
        if (a->body[i] == body)
            return i;
    return -1;
}

static Report reportOf(const ksOde *a, dJointID joint)
{
    const int isOther = isReversed(joint);
    return (Report){.joint = joint,
                    .body = {indexOf(a, dJointGetBody(joint, isOther)), indexOf(a, dJointGetBody(joint, 1 - isOther))},
                    .index = -1};
}

static ksStatus addJoint(ksOde *a, dJointID joint)
{
    Report made = reportOf(a, joint);
    for (int side = 0; side < 2; side++)
        if (dJointGetBody(joint, side) && indexOf(a, dJointGetBody(joint, side)) < 0)
            return fail(KS_ERROR_BAD_ARGUMENT, "ksOdeCreate", "a joint has a body that is not in the list");
    if (dJointGetType(joint) == dJointTypePU && made.body[0] >= 0)
        readSlide(joint, &a->slides.at[a->slides.count++]);
    made.type = typeOf(joint);
    if (made.type == 0 || made.body[0] < 0)
        return KS_OK;
    const int swap = isReversed(joint) && made.type == KS_JOINT_UNIVERSAL;
    ksRecordedJoint told = {.type = (ksJointType)made.type, .body = {made.body[0], made.body[1]}};
    const Kind *kind = kindOf(made.type);
    for (int i = 0; i < 2; i++) {
        get(kind->anchor[i], joint, told.anchor[i]);
        get(kind->axis[i], joint, told.axis[swap ? 1 - i : i]);
    }
    const ksStatus status = ksRecordingAddJoint(a->recording, &told, &made.index);
    if (!status)
        a->joint[a->told++] = made;
    return status;
}

/* --- The constant part of a recording --- */

static ksRecordedState stateOf(dBodyID body)
{
    ksRecordedState state;
    take(state.position, dBodyGetPosition(body), 3);
    take(state.quaternion, dBodyGetQuaternion(body), 4);
    take(state.velocity, dBodyGetLinearVel(body), 3);
    take(state.angularVelocity, dBodyGetAngularVel(body), 3);
    return state;
}

static ksStatus addBody(ksOde *a, dBodyID body)
{
    ksRecordedBody told = {.state = stateOf(body)};
    dMass mass;
    if (indexOf(a, body) >= 0)
        return fail(KS_ERROR_BAD_ARGUMENT, "ksOdeCreate", "body %d is in the list twice", a->bodyCount);
    if (dBodyGetLinearDamping(body) != 0 || dBodyGetAngularDamping(body) != 0)
        return fail(KS_ERROR_BAD_ARGUMENT, "ksOdeCreate", "body %d has damping", a->bodyCount);
    dBodyGetMass(body, &mass);
    told.mass = mass.mass;
    for (int i = 0; i < 9; i++)
        told.inertia[i] = mass.I[4 * (i / 3) + i % 3];
    told.isDriven = dBodyIsKinematic(body);
    told.lacksGyroscopic = !dBodyGetGyroscopicMode(body);
    a->body[a->bodyCount++] = body;
    return ksRecordingAddBody(a->recording, &told, NULL);
}

static ksStatus fill(ksOde *a, const dBodyID *body, int bodyCount, const dJointID *joint, const char *path)
{
    const size_t bodies = (size_t)bodyCount + 1, joints = (size_t)a->jointCount + 1;
    ksRecordingOptions options;
    dVector3 gravity;
    a->body = (dBodyID *)calloc(bodies, sizeof(dBodyID));
    a->joint = (Report *)calloc(joints, sizeof *a->joint);
    a->slides.at = (Slide *)calloc(joints, sizeof *a->slides.at);
    a->before = (ksRecordedState *)calloc(bodies, sizeof *a->before);
    a->after = (ksRecordedState *)calloc(bodies, sizeof *a->after);
    a->load = (ksWrench *)calloc(bodies, sizeof *a->load);
    a->reported = (ksWrench(*)[2])calloc(joints, sizeof *a->reported);
    if (!a->body || !a->joint || !a->slides.at || !a->before || !a->after || !a->load || !a->reported)
        return fail(KS_ERROR_NO_MEMORY, "ksOdeCreate", "out of memory");
    ksRecordingOptionsInit(&options);
    dWorldGetGravity(a->world, gravity);
    take(options.gravity, gravity, 3);
    options.isSingle = sizeof(dReal) == sizeof(float);
    ksStatus status = ksRecordingCreate(path, &options, &a->recording);
    for (int i = 0; i < bodyCount && !status; i++)
        status = addBody(a, body[i]);
    for (int i = 0; i < a->jointCount && !status; i++)
        status = addJoint(a, joint[i]);
    return status;
}

/* Do all belong to this world? */
static int belong(dWorldID world, const dBodyID *body, int bodyCount, const dJointID *joint, int jointCount)
{
    int is = bodyCount > 0 && jointCount >= 0 && (joint || !jointCount);
    for (int i = 0; is && i < bodyCount; i++)
        is = body[i] && dBodyGetWorld(body[i]) == world;
    for (int i = 0; is && i < jointCount; i++)
        is = joint[i] != NULL;
    return is;
}

ksStatus ksOdeCreate(dWorldID world, const dBodyID *body, int bodyCount, const dJointID *joint, int jointCount,
                     const char *path, ksOde **adapter)
{
    if (!world || !body || !adapter)
        return fail(KS_ERROR_BAD_ARGUMENT, __func__, "an argument is NULL");
    if (!belong(world, body, bodyCount, joint, jointCount))
        return fail(KS_ERROR_BAD_ARGUMENT, __func__, "a body or a joint is NULL, or of another world");
    ksOde *a = (ksOde *)calloc(1, sizeof *a);
    if (!a)
        return fail(KS_ERROR_NO_MEMORY, __func__, "out of memory");
    a->world = world;
    a->jointCount = jointCount;
    const ksStatus status = fill(a, body, bodyCount, joint, path);
    if (status) {
        (void)ksOdeClose(a);
        return status;
    }
    *adapter = a;
    return KS_OK;
}

int ksOdeCountOthers(const ksOde *adapter)
{
    return adapter ? adapter->jointCount - adapter->told : 0;
}

/* --- A step --- */

/* Is the joint active, and does it hold the bodies of ksOdeCreate? */
static int isAsTold(const ksOde *a, const Report *told)
{
    const Report now = reportOf(a, told->joint);
    return dJointIsEnabled(told->joint) && now.body[0] == told->body[0] && now.body[1] == told->body[1];
}

static ksStatus reserve(ksOde *a)
{
    size_t count = 0;
    for (int i = 0; i < a->bodyCount; i++)
        count += (size_t)dBodyGetNumJoints(a->body[i]);
    if (count <= a->reportCapacity)
        return KS_OK;
    Report *larger = (Report *)realloc(a->report, 2 * count * sizeof *larger);
    if (!larger)
        return fail(KS_ERROR_NO_MEMORY, "ksOde", "out of memory");
    a->report = larger;
    a->reportCapacity = 2 * count;
    return KS_OK;
}

/* Finds the anchor and axes before the step. A slider's motor acts half-way between the mass
 * centres. */
static void place(const ksOde *a, Report *report)
{
    const Kind *kind = kindOf(report->type);
    const double *first = a->before[report->body[0]].position;
    const double *second = report->body[1] < 0 ? first : a->before[report->body[1]].position;
    for (int i = 0; i < 2; i++) {
        get(kind->anchor[i], report->joint, report->anchor[i]);
        get(kind->axis[i], report->joint, report->axis[i]);
        for (int k = 0; k < 3 && !kind->anchor[i]; k++)
            report->anchor[i][k] = (first[k] + second[k]) / 2;
    }
}

/* Each joint is in the lists of both of its bodies. It counts in the list of the first one, if that
 * body is recorded. */
static void collect(ksOde *a)
{
    a->reportCount = 0;
    for (int i = 0; i < a->bodyCount; i++)
        for (int k = 0; k < dBodyGetNumJoints(a->body[i]); k++) {
            Report made = reportOf(a, dBodyGetJoint(a->body[i], k));
            if (i != (made.body[0] >= 0 ? made.body[0] : made.body[1]))
                continue;
            for (int told = 0; told < a->told && made.index < 0; told++)
                if (a->joint[told].joint == made.joint) {
                    made.index = a->joint[told].index;
                    made.type = a->joint[told].type;
                }
            if (made.index >= 0)
                place(a, &made);
            readAxes(made.joint, &a->slides, &made.axes);
            a->report[a->reportCount++] = made;
        }
}

/* Numbers that the engine does not write stay NaN. */
static void lend(Report *report)
{
    dJointFeedback *own = &report->own;
    for (int k = 0; k < 3; k++)
        own->f1[k] = own->t1[k] = own->f2[k] = own->t2[k] = NAN;
    report->host = dJointGetFeedback(report->joint);
    dJointSetFeedback(report->joint, own);
}

static void giveBack(Report *report)
{
    const dJointFeedback *own = &report->own;
    if (report->host && !isnan(own->f1[0])) {
        memcpy(report->host->f1, own->f1, 3 * sizeof *own->f1);
        memcpy(report->host->t1, own->t1, 3 * sizeof *own->t1);
    }
    if (report->host && !isnan(own->f2[0])) {
        memcpy(report->host->f2, own->f2, 3 * sizeof *own->f2);
        memcpy(report->host->t2, own->t2, 3 * sizeof *own->t2);
    }
    dJointSetFeedback(report->joint, report->host);
}

ksStatus ksOdeBegin(ksOde *a, double stepSize)
{
    if (!a || !(stepSize > 0))
        return fail(KS_ERROR_BAD_ARGUMENT, __func__, "there is no adapter, or the step size is %g", stepSize);
    if (a->isOpen)
        return fail(KS_ERROR_BRACKET, __func__, "a step was begun and not ended");
    for (int i = 0; i < a->told; i++)
        if (!isAsTold(a, &a->joint[i]))
            return fail(KS_ERROR_BAD_ARGUMENT, __func__, "joint %d is disabled or holds other bodies", i);
    const ksStatus status = reserve(a);
    if (status)
        return status;
    for (int i = 0; i < a->bodyCount; i++) {
        a->before[i] = stateOf(a->body[i]);
        take(a->load[i].force, dBodyGetForce(a->body[i]), 3);
        take(a->load[i].torque, dBodyGetTorque(a->body[i]), 3);
    }
    collect(a);
    for (size_t i = 0; i < a->reportCount; i++)
        lend(&a->report[i]);
    a->stepSize = stepSize;
    a->isOpen = 1;
    return KS_OK;
}

ksStatus ksOdeAddContact(ksOde *a, dJointID joint)
{
    if (!a || !joint)
        return fail(KS_ERROR_BAD_ARGUMENT, __func__, "an argument is NULL");
    if (!a->isOpen)
        return fail(KS_ERROR_BRACKET, __func__, "no step was begun");
    const Report made = reportOf(a, joint);
    if (made.body[0] < 0 && made.body[1] < 0)
        return fail(KS_ERROR_BAD_ARGUMENT, __func__, "the joint holds no body of the list");
    const size_t room = a->reportCapacity;
    const ksStatus status = reserve(a);
    // the array has moved: replace the feedback pointers again
    for (size_t i = 0; a->reportCapacity > room && i < a->reportCount; i++)
        dJointSetFeedback(a->report[i].joint, &a->report[i].own);
    if (status)
        return status;
    a->report[a->reportCount] = made;
    lend(&a->report[a->reportCount++]);
    return KS_OK;
}

/* The part of a force and a torque at the anchor in the joint's freedoms, with p its axis: p p^T f,
 * and p p^T t or the part of t in the plane of both axes; at the same point. */
static void keepDrive(const Kind *kind, const double axis[2][3], double force[3], double torque[3])
{
    double normal[3];
    const double *p = axis[0];
    const double along = kind->slides ? dot(force, p) : 0, about = dot(torque, p);
    cross(axis[0], axis[1], normal);
    const double out = dot(torque, normal) / fmax(dot(normal, normal), 1e-300);
    for (int k = 0; k < 3; k++) {
        force[k] = along * p[k];
        torque[k] = kind->turns == TURNS_ABOUT_BOTH   ? torque[k] - out * normal[k]
                    : kind->turns == TURNS_ABOUT_AXIS ? about * p[k]
                                                      : 0;
    }
}

/* Splits the engine's report for one side into report and load, about the mass centre before the
 * step. */
static void takeSide(ksOde *a, const Report *report, int side)
{
    const dReal *force = side ? report->own.f2 : report->own.f1, *torque = side ? report->own.t2 : report->own.t1;
    ksWrench drive = {{0}, {0}}, *own = &a->reported[report->index < 0 ? 0 : report->index][side];
    const int body = report->body[side];
    double arm[3], turning[3];
    if (body < 0 || isnan(force[0]))
        return;
    take(drive.force, force, 3);
    take(drive.torque, torque, 3);
    if (report->index >= 0) {
        for (int k = 0; k < 3; k++)
            arm[k] = report->anchor[side][k] - a->before[body].position[k];
        cross(arm, drive.force, turning);
        addScaled(drive.torque, turning, -1);
        keepDrive(kindOf(report->type), report->axis, drive.force, drive.torque);
        cross(arm, drive.force, turning);
        addScaled(drive.torque, turning, 1);
        for (int k = 0; k < 3; k++) {
            own->force[k] = force[k] - drive.force[k];
            own->torque[k] = torque[k] - drive.torque[k];
        }
    }
    addScaled(a->load[body].force, drive.force, 1);
    addScaled(a->load[body].torque, drive.torque, 1);
}

/* The forces on a sleeping body are unknown: one load keeps it at rest, or has stopped it. A body
 * without gravity has no weight. */
static void findLoad(ksOde *a, int i)
{
    const dBodyID body = a->body[i];
    const int sleeps = !dBodyIsEnabled(body), isWeightless = !dBodyGetGravityMode(body);
    dVector3 gravity, turned, change = {0};
    double part[3];
    dMass mass;
    if (dBodyIsKinematic(body) || (!sleeps && !isWeightless))
        return;
    dWorldGetGravity(a->world, gravity);
    dBodyGetMass(body, &mass);
    if (sleeps)
        memset(&a->load[i], 0, sizeof a->load[i]);
    take(part, gravity, 3);
    addScaled(a->load[i].force, part, -mass.mass);
    if (!sleeps)
        return;
    for (int k = 0; k < 3; k++) {
        a->load[i].force[k] += mass.mass * (a->after[i].velocity[k] - a->before[i].velocity[k]) / a->stepSize;
        change[k] = (a->after[i].angularVelocity[k] - a->before[i].angularVelocity[k]) / a->stepSize;
    }
    dBodyVectorFromWorld(body, change[0], change[1], change[2], turned);
    dMultiply0_331(change, mass.I, turned);
    dBodyVectorToWorld(body, change[0], change[1], change[2], turned);
    take(part, turned, 3);
    addScaled(a->load[i].torque, part, 1);
}

/* Was an angular speed capped? ODE does not report it. */
static int isCut(const ksOde *a)
{
    static const double rounding = sizeof(dReal) == sizeof(float) ? 1e-6 : 1e-12;
    for (int i = 0; i < a->bodyCount; i++) {
        const double *spin = a->after[i].angularVelocity, most = dBodyGetMaxAngularSpeed(a->body[i]);
        if (sqrt(dot(spin, spin)) >= most * (1 - rounding))
            return 1;
    }
    return 0;
}

ksStatus ksOdeEnd(ksOde *a)
{
    if (!a || !a->isOpen)
        return fail(KS_ERROR_BRACKET, __func__, "no step was begun");
    a->isOpen = 0;
    for (int i = 0; i < a->told; i++)
        for (int k = 0; k < 12; k++)
            (&a->reported[i][k / 6].force[0])[k % 6] = NAN;
    for (size_t i = 0; i < a->reportCount; i++) {
        Report *report = &a->report[i];
        ksWrench *load[2];
        giveBack(report);
        for (int side = 0; side < 2; side++) {
            load[side] = report->body[side] < 0 ? NULL : &a->load[report->body[side]];
            takeSide(a, report, side);
        }
        if (!isnan(report->own.f1[0]))  // the step included the joint
            addStoppedMotors(report->joint, &report->axes, load);
    }
    for (int i = 0; i < a->bodyCount; i++) {
        a->after[i] = stateOf(a->body[i]);
        findLoad(a, i);
    }
    if (isCut(a))
        return fail(KS_ERROR_ENGINE, __func__, "a body has reached its greatest angular speed");
    const ksStatus status = ksRecordingBeginStep(a->recording, a->stepSize, a->before, a->load);
    return status ? status : ksRecordingEndStep(a->recording, a->after, (const ksWrench(*)[2])a->reported);
}

ksRecording *ksOdeGetRecording(const ksOde *a)
{
    return a ? a->recording : NULL;
}

ksStatus ksOdeClose(ksOde *a)
{
    if (!a)
        return KS_OK;
    for (size_t i = 0; a->isOpen && i < a->reportCount; i++)
        giveBack(&a->report[i]);
    const ksStatus status = ksRecordingClose(a->recording);
    free(a->body);
    free(a->joint);
    free(a->slides.at);
    free(a->before);
    free(a->after);
    free(a->load);
    free(a->reported);
    free(a->report);
    free(a);
    return status;
}

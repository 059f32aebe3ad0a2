/* mujoco.c  Creates a recording of MuJoCo's steps: its bodies and joints, in the pose of the
 * model. */
#include "mujoco_inside.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* rounding of equal numbers by the model compiler: of an axis relative to 1, of an anchor relative
 * to the model's extent */
static const double sameTolerance = 1e-9;

/* --- Messages --- */

ksStatus ksiMujocoFail(ksStatus status, const char *function, const char *format, ...)
{
    char words[256];
    va_list list;
    va_start(list, format);
    vsnprintf(words, sizeof words, format, list);
    va_end(list);
    return ksErrorSet(status, function, words);
}

/* Adds a line, cut at its limit, or "..." if the notes are full. Names may hold any characters. */
static void note(ksMujoco *a, const char *format, ...)
{
    enum { LINE = 256 };
    const size_t used = strlen(a->notes);
    va_list list;
    if (used + 2 * LINE > sizeof a->notes) {
        if (a->notes[used - 2] != '.' || a->notes[used - 3] != '.')
            strcat(a->notes, "...\n");
        return;
    }
    va_start(list, format);
    vsnprintf(a->notes + used, LINE - 1, format, list);
    va_end(list);
    for (char *c = a->notes + used; *c; c++)
        *c = (unsigned char)*c < ' ' || *c == 127 ? '?' : *c;
    strcat(a->notes, "\n");
}

static const char *nameOf(const mjModel *m, int type, int id, char room[64])
{
    const char *name = mj_id2name(m, type, id);
    snprintf(room, 64, "%s %d", type == mjOBJ_BODY ? "body" : m->eq_type[id] == mjEQ_WELD ? "weld" : "connect", id);
    return name && name[0] ? name : room;
}

/* --- The constant part of a recording --- */

void ksiMujocoPlace(const mjModel *m, const mjData *d, int body, ksRecordedState *state)
{
    mju_copy3(state->position, d->xipos + 3 * body);
    mju_mulQuat(state->quaternion, d->xquat + 4 * body, m->body_iquat + 4 * body);
}

static ksStatus addBodies(ksMujoco *a)
{
    const mjModel *m = a->m;
    ksStatus status = KS_OK;
    char room[64];
    a->owner[0] = -1;
    for (int i = 1; i < m->nbody && !status; i++) {
        const int isDriven = m->body_mocapid[i] >= 0, joints = m->body_jntnum[i];
        const double *inertia = m->body_inertia + 3 * i;
        a->owner[i] = a->owner[m->body_parentid[i]];
        if (!isDriven && m->body_mass[i] < mjMINVAL && joints == 0)
            continue;
        if (!isDriven && (m->body_mass[i] < mjMINVAL || fmin(inertia[0], fmin(inertia[1], inertia[2])) < mjMINVAL))
            return ksiMujocoFail(KS_ERROR_BAD_ARGUMENT, "ksMujocoCreate", "%s has %s", nameOf(m, mjOBJ_BODY, i, room),
                                 m->body_mass[i] < mjMINVAL ? "joints and no mass" : "a mass and no inertia");
        ksRecordedBody body = {.mass = m->body_mass[i], .isDriven = isDriven, .lacksGyroscopic = 1};
        for (int k = 0; k < 3; k++)
            body.inertia[4 * k] = inertia[k];
        ksiMujocoPlace(m, a->own, i, &body.state);
        a->source[a->bodyCount++] = i;
        status = ksRecordingAddBody(a->recording, &body, &a->owner[i]);
    }
    return status;
}

/* Are the anchors of a body's joints the same? */
static int meet(const ksMujoco *a, int first, int count)
{
    const double *anchor = a->own->xanchor + 3 * first;
    for (int k = 1; k < count; k++)
        if (mju_dist3(anchor, anchor + 3 * k) > sameTolerance * a->m->stat.extent)
            return 0;
    return 1;
}

/* The volume that three axes span. */
double ksiMujocoVolume(const double *axis)
{
    double across[3];
    mju_cross(across, axis, axis + 3);
    return mju_dot3(across, axis + 6);
}

/* The type of a body's joint; 0: the recording has no such type. */
static int typeOf(const ksMujoco *a, int body)
{
    const int first = a->m->body_jntadr[body], count = a->m->body_jntnum[body];
    const double *axis = a->own->xaxis + 3 * first;
    int hinges = 0;
    for (int k = 0; k < count; k++)
        hinges += a->m->jnt_type[first + k] == mjJNT_HINGE;
    if (count == 0)
        return KS_JOINT_FIXED;
    if (count == 1)
        return hinges ? KS_JOINT_HINGE : a->m->jnt_type[first] == mjJNT_SLIDE ? KS_JOINT_SLIDER : KS_JOINT_BALL;
    if (hinges < count || !meet(a, first, count))
        return 0;
    if (count == 2)
        return fabs(mju_dot3(axis, axis + 3)) < sameTolerance ? KS_JOINT_UNIVERSAL : 0;
    return count == 3 && fabs(ksiMujocoVolume(axis)) > leastVolume ? KS_JOINT_BALL : 0;
}

static ksStatus addHold(ksMujoco *a, Hold hold, ksRecordedJoint *joint)
{
    ksStatus status = KS_OK;
    memcpy(joint->body, hold.body, sizeof hold.body);
    hold.joint = -1;
    if (joint->type)
        status = ksRecordingAddJoint(a->recording, joint, &hold.joint);
    else
        note(a, "%s is not a joint of the recording: its wrench is a known load.", joint->name);
    a->hold[a->holdCount++] = hold;
    a->jointCount += hold.joint >= 0;
    return status;
}

/* The last joint of a body is in its axes, the first one in its parent's. */
static ksStatus addTree(ksMujoco *a)
{
    const mjModel *m = a->m;
    ksStatus status = KS_OK;
    char room[64];
    for (int i = 0; i < a->bodyCount && !status; i++) {
        const int body = a->source[i], first = m->body_jntadr[body], last = first + m->body_jntnum[body] - 1;
        const int isFree = first >= 0 && m->jnt_type[first] == mjJNT_FREE;
        if (isFree || m->body_mocapid[body] >= 0)
            continue;
        const char *own = first >= 0 && first == last ? mj_id2name(m, mjOBJ_JOINT, first) : NULL;
        ksRecordedJoint joint = {.type = (ksJointType)typeOf(a, body),
                                 .name = own && own[0] ? own : nameOf(m, mjOBJ_BODY, body, room)};
        if (first >= 0) {
            mju_copy3(joint.anchor[0], a->own->xanchor + 3 * first);
            mju_copy3(joint.axis[0], a->own->xaxis + 3 * last);
            mju_copy3(joint.axis[1], a->own->xaxis + 3 * first);
        }
        const Hold hold = {.body = {i, a->owner[m->body_parentid[body]]}, .child = body, .equality = -1};
        status = addHold(a, hold, &joint);
    }
    return status;
}

/* Finds the anchor of a constraint on a body: MuJoCo stores the anchors of a weld in the opposite
 * order. */
void ksiMujocoAnchor(const mjModel *m, const mjData *d, int equality, int side, double anchor[3])
{
    const int body = (side ? m->eq_obj2id : m->eq_obj1id)[equality];
    const int other = m->eq_type[equality] == mjEQ_WELD ? 1 - side : side;
    mju_rotVecMat(anchor, m->eq_data + mjNEQDATA * equality + 3 * other, d->xmat + 9 * body);
    mju_addTo3(anchor, d->xpos + 3 * body);
}

/* Does the model's pose satisfy the constraint, as far as it can? */
static int isKept(const ksMujoco *a, int equality)
{
    const mjModel *m = a->m;
    const double *quat = a->own->xquat, *relative = m->eq_data + mjNEQDATA * equality + 6;
    double anchor[2][3], turned[4], apart = 0;
    for (int side = 0; side < 2; side++)
        ksiMujocoAnchor(m, a->own, equality, side, anchor[side]);
    if (m->eq_type[equality] == mjEQ_WELD) {
        mju_mulQuat(turned, quat + 4 * m->eq_obj1id[equality], relative);
        apart = 1 - fabs(mju_dot(turned, quat + 4 * m->eq_obj2id[equality], 4));
    }
    return mju_dist3(anchor[0], anchor[1]) < sameTolerance * m->stat.extent && apart < sameTolerance;
}

int ksiMujocoIsHeld(const mjModel *m, int equality)
{
    const int type = m->eq_type[equality];
    return m->eq_active[equality] && !(m->opt.disableflags & mjDSBL_EQUALITY) &&
           (type == mjEQ_CONNECT || type == mjEQ_WELD);
}

static ksStatus addEqualities(ksMujoco *a)
{
    const mjModel *m = a->m;
    ksStatus status = KS_OK;
    char room[64];
    for (int i = 0; i < m->neq && !status; i++) {
        a->isHeld[i] = ksiMujocoIsHeld(m, i);
        if (!a->isHeld[i])
            continue;
        Hold hold = {.body = {a->owner[m->eq_obj1id[i]], a->owner[m->eq_obj2id[i]]}, .child = -1, .equality = i};
        ksRecordedJoint joint = {.name = nameOf(m, mjOBJ_EQUALITY, i, room), .isSoft = 1};
        if (hold.body[0] == hold.body[1])
            continue;
        if (isKept(a, i))
            joint.type = m->eq_type[i] == mjEQ_WELD ? KS_JOINT_FIXED : KS_JOINT_BALL;
        ksiMujocoAnchor(m, a->own, i, 0, joint.anchor[0]);
        if (hold.body[0] < 0) {
            hold.body[0] = hold.body[1];
            hold.body[1] = -1;
        }
        status = addHold(a, hold, &joint);
    }
    return status;
}

static void addNotes(ksMujoco *a)
{
    const mjModel *m = a->m;
    int is = m->opt.density > 0 || m->opt.viscosity > 0;
    for (int i = 0; i < m->nu; i++)
        is |= m->actuator_trntype[i] != mjTRN_JOINT && m->actuator_trntype[i] != mjTRN_JOINTINPARENT &&
              m->actuator_trntype[i] != mjTRN_SITE;
    for (int i = 0; i < m->nwrap; i++)
        is |= m->wrap_type[i] != mjWRAP_JOINT;
    if (is)
        note(a, "Forces of tendons in space, of slider-cranks, of adhesion and of the medium are reported as acting in "
                "the joints, as in cfrc_int.");
    if (m->opt.integrator == mjINT_RK4)
        note(a, "RK4: forces are computed at the start of a step, and the motion follows their mean.");
}

static ksStatus reserve(ksMujoco *a)
{
    const size_t nbody = (size_t)a->m->nbody, nv = (size_t)a->m->nv, holds = nbody + (size_t)a->m->neq;
    a->own = mj_makeData(a->m);
    a->owner = calloc(nbody, sizeof *a->owner);
    a->source = calloc(nbody, sizeof *a->source);
    a->hold = calloc(holds, sizeof *a->hold);
    a->qvel = calloc(nv + 1, sizeof *a->qvel);
    a->work = calloc(5 * nv + 36 * nbody + (size_t)a->m->njmax, sizeof *a->work);
    a->isHeld = calloc((size_t)a->m->neq + 1, sizeof *a->isHeld);
    a->before = calloc(nbody, sizeof *a->before);
    a->after = calloc(nbody, sizeof *a->after);
    a->load = calloc(nbody, sizeof *a->load);
    a->reported = calloc(holds, sizeof *a->reported);
    return a->own && a->owner && a->source && a->hold && a->qvel && a->work && a->isHeld && a->before && a->after &&
                   a->load && a->reported
               ? KS_OK
               : ksiMujocoFail(KS_ERROR_NO_MEMORY, "ksMujocoCreate", "out of memory");
}

static ksStatus fill(ksMujoco *a, const char *path)
{
    ksRecordingOptions options;
    ksRecordingOptionsInit(&options);
    options.isSingle = sizeof(mjtNum) == sizeof(float);
    if (!(a->m->opt.disableflags & mjDSBL_GRAVITY))
        mju_copy3(options.gravity, a->m->opt.gravity);
    ksStatus status = reserve(a);
    if (status)
        return status;
    mj_kinematics(a->m, a->own);
    status = ksRecordingCreate(path, &options, &a->recording);
    status = status ? status : addBodies(a);
    status = status ? status : addTree(a);
    status = status ? status : addEqualities(a);
    addNotes(a);
    return status;
}

ksStatus ksMujocoCreate(const mjModel *m, const char *path, ksMujoco **adapter)
{
    if (!m || !adapter)
        return ksiMujocoFail(KS_ERROR_BAD_ARGUMENT, __func__, "an argument is NULL");
    if (mj_version() != mjVERSION_HEADER)
        return ksiMujocoFail(KS_ERROR_UNSUPPORTED_ENGINE, __func__, "MuJoCo is version %d, its header %d", mj_version(),
                             mjVERSION_HEADER);
    ksMujoco *a = calloc(1, sizeof *a);
    if (!a)
        return ksiMujocoFail(KS_ERROR_NO_MEMORY, __func__, "out of memory");
    a->m = m;
    const ksStatus status = fill(a, path);
    if (status) {
        (void)ksMujocoClose(a);
        return status;
    }
    *adapter = a;
    return KS_OK;
}

const char *ksMujocoGetNotes(const ksMujoco *adapter)
{
    return adapter ? adapter->notes : "";
}

ksRecording *ksMujocoGetRecording(const ksMujoco *a)
{
    return a ? a->recording : NULL;
}

ksStatus ksMujocoClose(ksMujoco *a)
{
    if (!a)
        return KS_OK;
    const ksStatus status = ksRecordingClose(a->recording);
    mj_deleteData(a->own);
    free(a->owner);
    free(a->source);
    free(a->hold);
    free(a->qvel);
    free(a->work);
    free(a->isHeld);
    free(a->before);
    free(a->after);
    free(a->load);
    free(a->reported);
    free(a);
    return status;
}

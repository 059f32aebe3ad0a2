/* mujoco.c  Steps of MuJoCo, as a recording.
 *
 * MuJoCo finds the accelerations of its coordinates from M(q) dv/dt + c(q, v) = tau + J^T f at the begin of a step (Todorov 2014, and
 * its documentation, "Computation"), and moves them by h; all that is derived from q and v stays that of the begin. A body's
 * acceleration is that of its coordinates, as in Featherstone (2008), (3.13): a = a_parent + dS/dt v + S dv/dt. */
#include "mujoco.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* of an axis, against 1; of an anchor, against the model's extent: what a compiler of models leaves of numbers that are the same */
static const double sameTolerance = 1e-9;
/* the volume that three unit axes span, below which they are in a plane */
static const double leastVolume = 1e-6;

/* What holds two bodies. */
typedef struct Hold {
    int body[2];  /* of the recording; -1: the world */
    int child;    /* MuJoCo's body, held by its parent; -1: an equality constraint */
    int equality; /* or -1 */
    int joint;    /* of the recording; -1: the reported wrench is a known load */
} Hold;

struct ksMujoco {
    const mjModel *m;
    ksRecording *recording;
    mjData *own;  /* the pose of the model, where joints are described; after a step, where it has led */
    int *owner;   /* [nbody] the body of the recording that it is a part of; -1: the world */
    int *source;  /* [bodies] */
    Hold *hold;   /* [holds] */
    double *qvel; /* [nv] before the step */
    double *work; /* of a step; see take() */
    ksRecordedState *before, *after;
    ksWrench *load, (*reported)[2];
    int bodyCount, jointCount, holdCount;
    int *isHeld; /* [neq] when the adapter was made */
    double time; /* before the step */
    int isOpen;
    char notes[2048];
};

/* --- Messages --- */

static ksStatus fail(ksStatus status, const char *function, const char *format, ...)
{
    char words[256];
    va_list list;
    va_start(list, format);
    vsnprintf(words, sizeof words, format, list);
    va_end(list);
    return ksErrorSet(status, function, words);
}

static void note(ksMujoco *a, const char *format, ...)
{
    const size_t used = strlen(a->notes);
    va_list list;
    va_start(list, format);
    vsnprintf(a->notes + used, sizeof a->notes - used, format, list);
    va_end(list);
}

static const char *nameOf(const mjModel *m, int type, int id, char room[64])
{
    const char *name = mj_id2name(m, type, id);
    snprintf(room, 64, "%s %d", type == mjOBJ_BODY ? "body" : m->eq_type[id] == mjEQ_WELD ? "weld" : "connect", id);
    return name && name[0] ? name : room;
}

/* --- What is told once --- */

static void stateIn(const mjModel *m, const mjData *d, int body, ksRecordedState *state)
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
            return fail(KS_ERROR_BAD_ARGUMENT, "ksMujocoCreate", "%s has %s", nameOf(m, mjOBJ_BODY, i, room),
                        m->body_mass[i] < mjMINVAL ? "joints and no mass" : "a mass and no inertia");
        ksRecordedBody body = {.mass = m->body_mass[i], .isDriven = isDriven, .lacksGyroscopic = 1};
        for (int k = 0; k < 3; k++)
            body.inertia[4 * k] = inertia[k];
        stateIn(m, a->own, i, &body.state);
        a->source[a->bodyCount++] = i;
        status = ksRecordingAddBody(a->recording, &body, &a->owner[i]);
    }
    return status;
}

/* The anchors of a body's joints are the same. */
static int meet(const ksMujoco *a, int first, int count)
{
    const double *anchor = a->own->xanchor + 3 * first;
    for (int k = 1; k < count; k++)
        if (mju_dist3(anchor, anchor + 3 * k) > sameTolerance * a->m->stat.extent)
            return 0;
    return 1;
}

/* Of three axes. */
static double volumeOf(const double *axis)
{
    double across[3];
    mju_cross(across, axis, axis + 3);
    return mju_dot3(across, axis + 6);
}

/* 0: no type of the recording. */
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
    return count == 3 && fabs(volumeOf(axis)) > leastVolume ? KS_JOINT_BALL : 0;
}

static ksStatus addHold(ksMujoco *a, Hold hold, ksRecordedJoint *joint)
{
    ksStatus status = KS_OK;
    memcpy(joint->body, hold.body, sizeof hold.body);
    hold.joint = -1;
    if (joint->type)
        status = ksRecordingAddJoint(a->recording, joint, &hold.joint);
    else
        note(a, "%s is none of the recording's joints: its reported wrench is a known load.\n", joint->name);
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

/* Where the constraint holds a body: MuJoCo has the anchors of a weld the other way about. */
static void anchorIn(const mjModel *m, const mjData *d, int equality, int side, double anchor[3])
{
    const int body = (side ? m->eq_obj2id : m->eq_obj1id)[equality];
    const int other = m->eq_type[equality] == mjEQ_WELD ? 1 - side : side;
    mju_rotVecMat(anchor, m->eq_data + mjNEQDATA * equality + 3 * other, d->xmat + 9 * body);
    mju_addTo3(anchor, d->xpos + 3 * body);
}

/* The pose of the model keeps it, as far as there is a pose to keep. */
static int isKept(const ksMujoco *a, int equality)
{
    const mjModel *m = a->m;
    const double *quat = a->own->xquat, *relative = m->eq_data + mjNEQDATA * equality + 6;
    double anchor[2][3], turned[4], apart = 0;
    for (int side = 0; side < 2; side++)
        anchorIn(m, a->own, equality, side, anchor[side]);
    if (m->eq_type[equality] == mjEQ_WELD) {
        mju_mulQuat(turned, quat + 4 * m->eq_obj1id[equality], relative);
        apart = 1 - fabs(mju_dot(turned, quat + 4 * m->eq_obj2id[equality], 4));
    }
    return mju_dist3(anchor[0], anchor[1]) < sameTolerance * m->stat.extent && apart < sameTolerance;
}

static int isHeld(const mjModel *m, int equality)
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
        a->isHeld[i] = isHeld(m, i);
        if (!a->isHeld[i])
            continue;
        Hold hold = {.body = {a->owner[m->eq_obj1id[i]], a->owner[m->eq_obj2id[i]]}, .child = -1, .equality = i};
        ksRecordedJoint joint = {.name = nameOf(m, mjOBJ_EQUALITY, i, room)};
        if (hold.body[0] == hold.body[1])
            continue;
        if (isKept(a, i))
            joint.type = m->eq_type[i] == mjEQ_WELD ? KS_JOINT_FIXED : KS_JOINT_BALL;
        anchorIn(m, a->own, i, 0, joint.anchor[0]);
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
        is |= m->actuator_trntype[i] != mjTRN_JOINT && m->actuator_trntype[i] != mjTRN_JOINTINPARENT;
    for (int i = 0; i < m->nwrap; i++)
        is |= m->wrap_type[i] != mjWRAP_JOINT;
    if (is)
        note(a, "Forces of tendons in space, of actuators that are not at joints, and of the medium are told as acting "
                "in the "
                "joints, as cfrc_int has them.\n");
    if (m->opt.integrator == mjINT_RK4)
        note(a, "RK4: forces are those of the begin of a step, and the motion is by their mean.\n");
}

static ksStatus reserve(ksMujoco *a)
{
    const size_t nbody = (size_t)a->m->nbody, nv = (size_t)a->m->nv, holds = nbody + (size_t)a->m->neq;
    a->own = mj_makeData(a->m);
    a->owner = calloc(nbody, sizeof *a->owner);
    a->source = calloc(nbody, sizeof *a->source);
    a->hold = calloc(holds, sizeof *a->hold);
    a->qvel = calloc(nv + 1, sizeof *a->qvel);
    a->work = calloc(4 * nv + 30 * nbody + (size_t)a->m->njmax, sizeof *a->work);
    a->isHeld = calloc((size_t)a->m->neq + 1, sizeof *a->isHeld);
    a->before = calloc(nbody, sizeof *a->before);
    a->after = calloc(nbody, sizeof *a->after);
    a->load = calloc(nbody, sizeof *a->load);
    a->reported = calloc(holds, sizeof *a->reported);
    return a->own && a->owner && a->source && a->hold && a->qvel && a->work && a->isHeld && a->before && a->after &&
                   a->load && a->reported
               ? KS_OK
               : fail(KS_ERROR_NO_MEMORY, "ksMujocoCreate", "out of memory");
}

static ksStatus fill(ksMujoco *a, const char *path)
{
    ksRecordingOptions options;
    ksRecordingOptionsInit(&options);
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
    if (!m || !path || !adapter)
        return fail(KS_ERROR_BAD_ARGUMENT, __func__, "an argument is NULL");
    if (mj_version() != mjVERSION_HEADER)
        return fail(KS_ERROR_UNSUPPORTED_ENGINE, __func__, "MuJoCo is version %d, its header %d", mj_version(),
                    mjVERSION_HEADER);
    ksMujoco *a = calloc(1, sizeof *a);
    if (!a)
        return fail(KS_ERROR_NO_MEMORY, __func__, "out of memory");
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

/* --- A step --- */

/* Adds a force and a torque at a point to those on a body of the recording, about its mass centre. */
static void push(const ksMujoco *a, int body, const double point[3], const double *force, const double *torque,
                 double sign, ksWrench *out)
{
    double arm[3], turning[3];
    if (body < 0)
        return;
    mju_sub3(arm, point, a->before[body].position);
    mju_cross(turning, arm, force);
    mju_addToScl3(out->force, force, sign);
    mju_addToScl3(out->torque, torque, sign);
    mju_addToScl3(out->torque, turning, sign);
}

static void pushBoth(const ksMujoco *a, const int body[2], const double point[3], const double wrench[6], double sign,
                     ksWrench *first, ksWrench *second)
{
    push(a, body[0], point, wrench + 3, wrench, sign, first);
    push(a, body[1], point, wrench + 3, wrench, -sign, second);
}

/* What generalised forces are in the freedoms of a body's joint: a torque and a force at its anchor, without a part in the other
 * directions. Of three hinges the torque whose components along the axes are the forces. */
static void driveIn(const mjModel *m, const mjData *d, int body, const double *tau, double wrench[6])
{
    const int first = m->body_jntadr[body], count = m->body_jntnum[body];
    const double *axis = d->xaxis + 3 * first, *own = tau + m->body_dofadr[body];
    mju_zero(wrench, 6);
    if (count == 0)
        return;
    if (m->jnt_type[first] == mjJNT_FREE) {
        mju_copy3(wrench + 3, own);
        mju_rotVecMat(wrench, own + 3, d->xmat + 9 * body);
    } else if (m->jnt_type[first] == mjJNT_BALL) {
        mju_rotVecMat(wrench, own, d->xmat + 9 * body);
    } else if (m->jnt_type[first] == mjJNT_SLIDE) {
        mju_scl3(wrench + 3, axis, own[0]);
    } else if (count < 3) {
        for (int k = 0; k < count; k++)
            mju_addToScl3(wrench, axis + 3 * k, own[k]);
    } else {
        const double volume = volumeOf(axis);
        for (int k = 0; k < 3 && fabs(volume) > leastVolume; k++) {
            double across[3];
            mju_cross(across, axis + 3 * ((k + 1) % 3), axis + 3 * ((k + 2) % 3));
            mju_addToScl3(wrench, across, own[k] / volume);
        }
    }
}

/* Generalised forces in the freedoms of joints, as the engine had them in qacc, and as its integrator had them in the end. */
static void findTau(ksMujoco *a, mjData *d, const double *x, double *engine, double *used, double *force)
{
    const mjModel *m = a->m;
    for (int i = 0; i < d->nefc; i++) {
        const int type = d->efc_type[i], isContact = type >= mjCNSTR_CONTACT_FRICTIONLESS;
        const int eq = type == mjCNSTR_EQUALITY ? m->eq_type[d->efc_id[i]] : -1;
        force[i] = isContact || eq == mjEQ_CONNECT || eq == mjEQ_WELD ? 0 : d->efc_force[i];
    }
    mju_zero(engine, m->nv);
    if (d->nefc > 0)
        mj_mulJacTVec(m, d, engine, force);
    for (int i = 0; i < m->nv; i++) {
        engine[i] += d->qfrc_applied[i] + d->qfrc_actuator[i] + d->qfrc_passive[i];
        used[i] = engine[i] - m->dof_armature[i] * x[i];
        engine[i] -= m->dof_armature[i] * d->qacc[i];
        if (m->opt.integrator == mjINT_EULER)
            used[i] -= m->opt.timestep * m->dof_damping[i] * x[i];
        for (int k = 0; m->opt.integrator == mjINT_IMPLICIT && k < d->D_rownnz[i]; k++)
            used[i] += m->opt.timestep * d->qDeriv[d->D_rowadr[i] + k] * x[d->D_colind[d->D_rowadr[i] + k]];
    }
}

/* v before, v + h a after, with dv/dt = x; and the torque -w x I w, which so is a load. */
static void findMotion(ksMujoco *a, const mjData *d, const double *x, double *acc)
{
    const mjModel *m = a->m;
    mju_zero(acc, 6 * m->nbody);
    for (int i = 1; i < m->nbody; i++) {
        mju_copy(acc + 6 * i, acc + 6 * m->body_parentid[i], 6);
        for (int k = m->body_dofadr[i]; k < m->body_dofadr[i] + m->body_dofnum[i]; k++) {
            mju_addToScl(acc + 6 * i, d->cdof_dot + 6 * k, a->qvel[k], 6);
            mju_addToScl(acc + 6 * i, d->cdof + 6 * k, x[k], 6);
        }
    }
    for (int b = 0; b < a->bodyCount; b++) {
        const int i = a->source[b];
        const double *spin = d->cvel + 6 * i, *at = acc + 6 * i, h = m->opt.timestep;
        double arm[3], other[3], own[3];
        ksRecordedState *before = &a->before[b], *after = &a->after[b];
        stateIn(m, d, i, before);
        mju_sub3(arm, before->position, d->subtree_com + 3 * m->body_rootid[i]);
        mju_copy3(before->angularVelocity, spin);
        mju_cross(other, spin, arm);
        mju_add3(before->velocity, spin + 3, other);
        mju_addScl3(after->angularVelocity, spin, at, h);
        mju_addScl3(after->velocity, before->velocity, at + 3, h);
        mju_cross(other, at, arm);
        mju_addToScl3(after->velocity, other, h);
        mju_cross(other, spin, before->velocity);
        mju_addToScl3(after->velocity, other, h);
        memset(&a->load[b], 0, sizeof a->load[b]);
        mju_rotVecMatT(own, spin, d->ximat + 9 * i);
        for (int k = 0; k < 3; k++)
            own[k] *= m->body_inertia[3 * i + k];
        mju_rotVecMat(other, own, d->ximat + 9 * i);
        mju_cross(a->load[b].torque, other, spin);
    }
}

/* cfrc_int at the begin of the step, and all data as they were. */
static void findInternal(ksMujoco *a, mjData *d, double *kept, double *internal)
{
    const mjModel *m = a->m;
    const int count = 6 * m->nbody, stack = d->maxuse_stack;
    double *const data[] = {d->cacc, d->cfrc_ext, d->cfrc_int};
    for (int i = 0; i < m->nv; i++)
        kept[3 * count + i] = d->qvel[i];
    mju_copy(d->qvel, a->qvel, m->nv);
    for (int i = 0; i < 3; i++)
        mju_copy(kept + i * count, data[i], count);
    mj_rnePostConstraint(m, d);
    mju_copy(internal, d->cfrc_int, count);
    for (int i = 0; i < 3; i++)
        mju_copy(data[i], kept + i * count, count);
    mju_copy(d->qvel, kept + 3 * count, m->nv);
    d->maxuse_stack = stack;
}

/* The torque on the first body of a weld, whose rows turn by the vector of  ts/2 neg(q1) w q0 relpose. */
static void weldTorque(const mjModel *m, const mjData *d, int equality, const double *force, double torque[3])
{
    const double *data = m->eq_data + mjNEQDATA * equality;
    double back[4], target[4], turned[4], row[4];
    mju_negQuat(back, d->xquat + 4 * m->eq_obj2id[equality]);
    mju_mulQuat(target, d->xquat + 4 * m->eq_obj1id[equality], data + 6);
    for (int k = 0; k < 3; k++) {
        const double axis[3] = {k == 0, k == 1, k == 2};
        mju_mulQuatAxis(turned, back, axis);
        mju_mulQuat(row, turned, target);
        torque[k] = data[10] / 2 * mju_dot3(row + 1, force);
    }
}

/* Of an equality constraint, on the two bodies of its hold, each at its own anchor. */
static void pushEquality(const ksMujoco *a, const mjData *d, const Hold *hold, ksWrench *first, ksWrench *second)
{
    const mjModel *m = a->m;
    int row = 0;
    while (row < d->ne && d->efc_id[row] != hold->equality)
        row++;
    if (row == d->ne)
        return;
    double torque[3] = {0}, anchor[3];
    if (m->eq_type[hold->equality] == mjEQ_WELD)
        weldTorque(m, d, hold->equality, d->efc_force + row + 3, torque);
    for (int side = 0; side < 2; side++) {
        const int body = a->owner[(side ? m->eq_obj2id : m->eq_obj1id)[hold->equality]];
        anchorIn(m, d, hold->equality, side, anchor);
        push(a, body, anchor, d->efc_force + row, torque, side ? -1 : 1, body == hold->body[0] ? first : second);
    }
}

static void pushContacts(ksMujoco *a, const mjData *d)
{
    for (int i = 0; i < d->ncon; i++) {
        const mjContact *contact = &d->contact[i];
        double own[6], world[6];
        if (contact->efc_address < 0)
            continue;
        mj_contactForce(a->m, d, i, own);
        mju_rotVecMatT(world, own + 3, contact->frame);
        mju_rotVecMatT(world + 3, own, contact->frame);
        const int body[2] = {a->owner[a->m->geom_bodyid[contact->geom2]], a->owner[a->m->geom_bodyid[contact->geom1]]};
        pushBoth(a, body, contact->pos, world, 1, body[0] < 0 ? NULL : &a->load[body[0]],
                 body[1] < 0 ? NULL : &a->load[body[1]]);
    }
}

/* Of all that is no joint: on bodies, and in the freedoms of those that are free. */
static void pushLoads(ksMujoco *a, const mjData *d, const double *used)
{
    const mjModel *m = a->m;
    for (int i = 1; i < m->nbody; i++) {
        const double *applied = d->xfrc_applied + 6 * i;
        double wrench[6];
        if (a->owner[i] < 0)
            continue;
        push(a, a->owner[i], d->xipos + 3 * i, applied, applied + 3, 1, &a->load[a->owner[i]]);
        if (m->body_jntnum[i] == 0 || m->jnt_type[m->body_jntadr[i]] != mjJNT_FREE)
            continue;
        driveIn(m, d, i, used, wrench);
        push(a, a->owner[i], d->xpos + 3 * i, wrench + 3, wrench, 1, &a->load[a->owner[i]]);
    }
    pushContacts(a, d);
}

/* What joints report, and what acts in them. */
static void pushHolds(ksMujoco *a, const mjData *d, const double *internal, const double *engine, const double *used)
{
    const mjModel *m = a->m;
    for (int i = 0; i < a->holdCount; i++) {
        const Hold *hold = &a->hold[i];
        const int child = hold->child;
        ksWrench sink, *first = &a->load[hold->body[0]], *second = hold->body[1] < 0 ? &sink : &a->load[hold->body[1]];
        ksWrench *report = hold->joint < 0 ? NULL : memset(a->reported[hold->joint], 0, sizeof *a->reported);
        ksWrench *on[2] = {report ? report : first, report ? report + 1 : second};
        double wrench[6];
        if (child < 0) {
            pushEquality(a, d, hold, on[0], on[1]);
            continue;
        }
        pushBoth(a, hold->body, d->subtree_com + 3 * m->body_rootid[child], internal + 6 * child, 1, on[0], on[1]);
        if (!report || m->body_jntnum[child] == 0)
            continue;
        const double *anchor = d->xanchor + 3 * m->body_jntadr[child];
        driveIn(m, d, child, engine, wrench);
        pushBoth(a, hold->body, anchor, wrench, -1, on[0], on[1]);
        driveIn(m, d, child, used, wrench);
        pushBoth(a, hold->body, anchor, wrench, 1, first, second);
    }
}

/* Where the step has led: MuJoCo itself finds that at the begin of the next one. */
static void findPose(ksMujoco *a, const mjData *d)
{
    mju_copy(a->own->qpos, d->qpos, a->m->nq);
    mju_copy(a->own->mocap_pos, d->mocap_pos, 3 * a->m->nmocap);
    mju_copy(a->own->mocap_quat, d->mocap_quat, 4 * a->m->nmocap);
    mj_kinematics(a->m, a->own);
    for (int b = 0; b < a->bodyCount; b++)
        stateIn(a->m, a->own, a->source[b], &a->after[b]);
}

static ksStatus take(ksMujoco *a, mjData *d)
{
    const mjModel *m = a->m;
    const int nv = m->nv, spatial = 6 * m->nbody;
    mjData *begin = m->opt.integrator == mjINT_RK4 ? a->own : d;
    double *x = a->work, *engine = x + nv, *used = engine + nv, *kept = used + nv, *internal = kept + nv + 3 * spatial;
    double *acc = internal + spatial, *force = acc + spatial;
    for (int i = 0; i < nv; i++)
        x[i] = (d->qvel[i] - a->qvel[i]) / m->opt.timestep;
    findInternal(a, begin, kept, internal);
    findTau(a, begin, x, engine, used, force);
    findMotion(a, begin, x, acc);
    pushLoads(a, begin, used);
    pushHolds(a, begin, internal, engine, used);
    findPose(a, d);
    const ksStatus status = ksRecordingBeginStep(a->recording, m->opt.timestep, a->before, a->load);
    return status ? status : ksRecordingEndStep(a->recording, a->after, (const ksWrench(*)[2])a->reported);
}

ksStatus ksMujocoBegin(ksMujoco *a, const mjData *d)
{
    if (!a || !d)
        return fail(KS_ERROR_BAD_ARGUMENT, __func__, "an argument is NULL");
    mju_copy(a->qvel, d->qvel, a->m->nv);
    a->time = d->time;
    a->isOpen = 1;
    if (a->m->opt.integrator == mjINT_RK4) {
        mj_copyData(a->own, a->m, d);
        mj_forward(a->m, a->own);
    }
    return KS_OK;
}

ksStatus ksMujocoEnd(ksMujoco *a, mjData *d)
{
    if (!a || !d)
        return fail(KS_ERROR_BAD_ARGUMENT, __func__, "an argument is NULL");
    if (!a->isOpen)
        return fail(KS_ERROR_BRACKET, __func__, "no step was begun");
    a->isOpen = 0;
    if (d->time != a->time + a->m->opt.timestep)
        return fail(KS_ERROR_ENGINE, __func__, "from %g s to %g s is not one step of %g s", a->time, d->time,
                    a->m->opt.timestep);
    for (int i = 0; i < a->m->neq; i++)
        if (isHeld(a->m, i) != a->isHeld[i])
            return fail(KS_ERROR_BAD_ARGUMENT, __func__, "equality constraint %d was switched", i);
    return take(a, d);
}

ksStatus ksMujocoStep(ksMujoco *a, mjData *d)
{
    if (!a || !d)
        return fail(KS_ERROR_BAD_ARGUMENT, __func__, "an argument is NULL");
    const ksStatus status = ksMujocoBegin(a, d);
    mj_step(a->m, d);
    return status ? status : ksMujocoEnd(a, d);
}

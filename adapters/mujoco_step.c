/* mujoco_step.c  Converts a step of MuJoCo into a step of a recording.
 *
 * MuJoCo computes accelerations at the start of a step, for coordinates q and velocities v (its
 * documentation, "Computation"), and then moves q and v by one step:
 *
 *     M(q) dv/dt + c(q, v) = tau + J^T f
 *
 * Quantities that MuJoCo derives from q and v keep their values from the start. The acceleration of
 * a body follows from that of its parent (Featherstone 2008, table 5.1):
 *
 *     a = a_parent + dS/dt v + S dv/dt
 *
 * The columns of S are those of `cdof`, about one point of the tree. */
#include "mujoco_inside.h"

#include <math.h>
#include <string.h>

/* The scratch of a step. */
typedef struct Numbers {
    double *x;               /* [nv] the simulated accelerations, (qvel' - qvel)/h */
    double *engine, *used;   /* [nv] findTau */
    double *internal, *made; /* [nbody][6] cfrc_int, for the engine's accelerations and for x */
    double *acc;             /* [nbody][6] */
    double *force;           /* [njmax] */
    double *kept;            /* [2 nv + 18 nbody] */
} Numbers;

static Numbers numbersOf(const ksMujoco *a)
{
    const int nv = a->m->nv, spatial = 6 * a->m->nbody;
    Numbers n = {.x = a->work};
    n.engine = n.x + nv;
    n.used = n.engine + nv;
    n.internal = n.used + nv;
    n.made = n.internal + spatial;
    n.acc = n.made + spatial;
    n.kept = n.acc + spatial;
    n.force = n.kept + 2 * nv + 3 * spatial;
    return n;
}

/* Adds a force and a torque at a point to those on a body of the recording, about its mass
 * centre. */
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

/* Generalised forces as a torque and a force at the anchor of a body's joint, in its freedoms
 * alone. For three hinges, the torque whose components along the axes are the generalised
 * forces. */
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
        const double volume = ksiMujocoVolume(axis);
        for (int k = 0; k < 3 && fabs(volume) > leastVolume; k++) {
            double across[3];
            mju_cross(across, axis + 3 * ((k + 1) % 3), axis + 3 * ((k + 2) % 3));
            mju_addToScl3(wrench, across, own[k] / volume);
        }
    }
}

/* Generalised forces in the freedoms of joints: as in qacc, and as the integrator finally used
 * them. */
static void findTau(ksMujoco *a, mjData *d, const Numbers *n)
{
    double *engine = n->engine, *used = n->used, *force = n->force;
    const double *x = n->x;
    const mjModel *m = a->m;
    for (int i = 0; i < d->nefc; i++) {
        const int type = d->efc_type[i], isContact = type >= mjCNSTR_CONTACT_FRICTIONLESS;
        const int eq = type == mjCNSTR_EQUALITY ? m->eq_type[d->efc_id[i]] : -1;
        force[i] = isContact || eq == mjEQ_CONNECT || eq == mjEQ_WELD ? 0 : d->efc_force[i];
    }
    mju_zero(engine, m->nv);
    if (d->nefc > 0)
        mj_mulJacTVec(m, d, engine, force);
    // an actuator at a site acts on bodies
    for (int i = 0; i < m->nu; i++)
        if (m->actuator_trntype[i] == mjTRN_SITE)
            mju_addToScl(engine, d->actuator_moment + i * m->nv, -d->actuator_force[i], m->nv);
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

/* v before, v + h a after, with dv/dt = x; and the torque -w x I w, a load in this form. */
static void findMotion(ksMujoco *a, const mjData *d, const Numbers *n)
{
    double *acc = n->acc;
    const mjModel *m = a->m;
    mju_zero(acc, 6 * m->nbody);
    for (int i = 1; i < m->nbody; i++) {
        mju_copy(acc + 6 * i, acc + 6 * m->body_parentid[i], 6);
        for (int k = m->body_dofadr[i]; k < m->body_dofadr[i] + m->body_dofnum[i]; k++) {
            mju_addToScl(acc + 6 * i, d->cdof_dot + 6 * k, a->qvel[k], 6);
            mju_addToScl(acc + 6 * i, d->cdof + 6 * k, n->x[k], 6);
        }
    }
    for (int b = 0; b < a->bodyCount; b++) {
        const int i = a->source[b];
        const double *spin = d->cvel + 6 * i, *at = acc + 6 * i, h = m->opt.timestep;
        double arm[3], other[3], own[3];
        ksRecordedState *before = &a->before[b], *after = &a->after[b];
        ksiMujocoPlace(m, d, i, before);
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

/* Finds cfrc_int at the start of the step for these accelerations, and restores all data. */
static void findInternal(ksMujoco *a, mjData *d, const double *qacc, double *kept, double *internal)
{
    const mjModel *m = a->m;
    double *const data[] = {d->qvel, d->qacc, d->cacc, d->cfrc_ext, d->cfrc_int};
    const int count[] = {m->nv, m->nv, 6 * m->nbody, 6 * m->nbody, 6 * m->nbody}, stack = d->maxuse_stack;
    double *room = kept;
    for (int i = 0; i < 5; room += count[i++])
        mju_copy(room, data[i], count[i]);
    mju_copy(d->qvel, a->qvel, m->nv);
    if (qacc != d->qacc)
        mju_copy(d->qacc, qacc, m->nv);
    mj_rnePostConstraint(m, d);
    mju_copy(internal, d->cfrc_int, 6 * m->nbody);
    for (int i = 0; i < 5; kept += count[i++])
        mju_copy(data[i], kept, count[i]);
    d->maxuse_stack = stack;
}

/* The torque on the first body of a weld, whose rows turn by the vector of  ts/2 neg(q1) w q0
 * relpose. */
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

/* Adds an equality constraint's wrench on both bodies of its hold, each at its own anchor. */
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
        ksiMujocoAnchor(m, d, hold->equality, side, anchor);
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

/* Adds each actuator's wrench at its site, and the opposite wrench at its reference site, if any,
 * which then has the axes of the wrench. */
static void pushActuators(ksMujoco *a, const mjData *d)
{
    const mjModel *m = a->m;
    for (int i = 0; i < m->nu; i++) {
        const int *site = m->actuator_trnid + 2 * i;
        if (m->actuator_trntype[i] != mjTRN_SITE)
            continue;
        const double *axes = d->site_xmat + 9 * (site[1] < 0 ? site[0] : site[1]);
        double force[3], torque[3];
        mju_rotVecMat(force, m->actuator_gear + 6 * i, axes);
        mju_rotVecMat(torque, m->actuator_gear + 6 * i + 3, axes);
        for (int side = 0; side < 2 && site[side] >= 0; side++) {
            const int body = a->owner[m->site_bodyid[site[side]]];
            push(a, body, d->site_xpos + 3 * site[side], force, torque, (side ? -1 : 1) * d->actuator_force[i],
                 body < 0 ? NULL : &a->load[body]);
        }
    }
}

/* Adds all loads except those of joints: on bodies, and in the freedoms of free bodies. */
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
    pushActuators(a, d);
}

/* Adds the reports of joints, and the loads that act in them. */
static void pushHolds(ksMujoco *a, const mjData *d, const Numbers *n)
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
        const double *transmitted = (report ? n->internal : n->made) + 6 * child;
        pushBoth(a, hold->body, d->subtree_com + 3 * m->body_rootid[child], transmitted, 1, on[0], on[1]);
        if (!report || m->body_jntnum[child] == 0)
            continue;
        const double *anchor = d->xanchor + 3 * m->body_jntadr[child];
        driveIn(m, d, child, n->engine, wrench);
        pushBoth(a, hold->body, anchor, wrench, -1, on[0], on[1]);
        driveIn(m, d, child, n->used, wrench);
        pushBoth(a, hold->body, anchor, wrench, 1, first, second);
    }
}

/* Finds the pose at the end of the step, which MuJoCo computes only when the next one begins. */
static void findPose(ksMujoco *a, const mjData *d)
{
    mju_copy(a->own->qpos, d->qpos, a->m->nq);
    mju_copy(a->own->mocap_pos, d->mocap_pos, 3 * a->m->nmocap);
    mju_copy(a->own->mocap_quat, d->mocap_quat, 4 * a->m->nmocap);
    mj_kinematics(a->m, a->own);
    for (int b = 0; b < a->bodyCount; b++)
        ksiMujocoPlace(a->m, a->own, a->source[b], &a->after[b]);
}

/* Are all results finite? A recorded step that has begun must end. */
static int isFinite(const ksMujoco *a)
{
    double sum = 0;
    for (int b = 0; b < a->bodyCount; b++) {
        const ksRecordedState *state = &a->after[b];
        sum += mju_norm3(state->position) + mju_norm(state->quaternion, 4);
        sum += mju_norm3(state->velocity) + mju_norm3(state->angularVelocity);
    }
    return isfinite(sum);
}

static ksStatus take(ksMujoco *a, mjData *d)
{
    const mjModel *m = a->m;
    mjData *begin = m->opt.integrator == mjINT_RK4 ? a->own : d;
    const Numbers n = numbersOf(a);
    for (int i = 0; i < m->nv; i++)
        n.x[i] = (d->qvel[i] - a->qvel[i]) / m->opt.timestep;
    findInternal(a, begin, begin->qacc, n.kept, n.internal);
    findInternal(a, begin, n.x, n.kept, n.made);
    findTau(a, begin, &n);
    findMotion(a, begin, &n);
    pushLoads(a, begin, n.used);
    pushHolds(a, begin, &n);
    findPose(a, d);
    if (!isFinite(a))
        return ksiMujocoFail(KS_ERROR_NOT_FINITE, "ksMujocoEnd", "the step has led to a NaN or an infinity");
    const ksStatus status = ksRecordingBeginStep(a->recording, m->opt.timestep, a->before, a->load);
    return status ? status : ksRecordingEndStep(a->recording, a->after, (const ksWrench(*)[2])a->reported);
}

ksStatus ksMujocoBegin(ksMujoco *a, const mjData *d)
{
    if (!a || !d)
        return ksiMujocoFail(KS_ERROR_BAD_ARGUMENT, __func__, "an argument is NULL");
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
        return ksiMujocoFail(KS_ERROR_BAD_ARGUMENT, __func__, "an argument is NULL");
    if (!a->isOpen)
        return ksiMujocoFail(KS_ERROR_BRACKET, __func__, "no step was begun");
    a->isOpen = 0;
    if (d->time != a->time + a->m->opt.timestep)
        return ksiMujocoFail(KS_ERROR_ENGINE, __func__, "from %g s to %g s is not one step of %g s", a->time, d->time,
                             a->m->opt.timestep);
    for (int i = 0; i < a->m->neq; i++)
        if (ksiMujocoIsHeld(a->m, i) != a->isHeld[i])
            return ksiMujocoFail(KS_ERROR_BAD_ARGUMENT, __func__, "equality constraint %d was switched", i);
    return take(a, d);
}

ksStatus ksMujocoStep(ksMujoco *a, mjData *d)
{
    if (!a || !d)
        return ksiMujocoFail(KS_ERROR_BAD_ARGUMENT, __func__, "an argument is NULL");
    const ksStatus status = ksMujocoBegin(a, d);
    mj_step(a->m, d);
    return status ? status : ksMujocoEnd(a, d);
}

/* contact.c  What all contacts of a body do together, and how much of its friction a contact uses.
 *
 * A self-stress n of the island leaves their sum undetermined by sum_l n_l J_l over the rows of these contacts; where
 * that vanishes for each n the sum is unique, however the contacts share it. */
#include "inspector_private.h"

#include "../quietly.h"
#include "wrench.h"

#include <math.h>
#include <string.h>

/* of the noise that each part of a self-stress may have */
static const double noiseMargin = 10;

/* The side of a contact joint that is body a, facing b (NULL: anybody); -1 if it is not such a contact. */
static int sideOf(const ksiJointState *joint, dBodyID a, dBodyID b)
{
    for (int side = 0; side < 2; side++) {
        if (joint->type == dJointTypeContact && joint->body[side] == a && (!b || joint->body[!side] == b))
            return side;
    }
    return -1;
}

typedef struct Pair {
    dBodyID a, b;     /* b NULL: anybody */
    double centre[3]; /* of a */
    double lever;     /* length over which torques are compared with forces, from the contacts' own rows */
} Pair;

/* J_l as a wrench on a, about its mass centre; torque over the lever. */
static void rowOnBody(const Pair *pair, const ksiJointState *joint, int side, int l, double wrench[6])
{
    for (int k = 0; k < 6; k++)
        wrench[k] = joint->rows.row[l].jacobian[side][k] / (k < 3 ? 1 : pair->lever);
}

static ksStatus addUp(const ksInspector *inspector, Pair *pair, ksValue value, ksWrench *sum)
{
    double force = 0, torque = 0;
    memset(sum, 0, sizeof *sum);
    for (size_t i = 0; i < inspector->reactionCount; i++) {
        const ksiJointState *joint = &inspector->joint[i];
        const int side = sideOf(joint, pair->a, pair->b);
        if (side < 0)
            continue;
        const ksWrench *both = ksiWrenchesOf(ksiReactionOf(inspector, i), value);
        if (!both)
            return KS_ERROR_UNAVAILABLE;
        for (int k = 0; k < 3; k++) {
            sum->force[k] += both[side].force[k];
            sum->torque[k] += both[side].torque[k];
        }
        for (int l = 0; l < joint->rows.count; l++) {
            force += ksiSize(joint->rows.row[l].jacobian[side], 3);
            torque += ksiSize(joint->rows.row[l].jacobian[side] + 3, 3);
        }
    }
    pair->lever = force > 0 && torque > 0 ? torque / force : 1;
    return KS_OK;
}

/* What a self-stress n changes of the sum. */
static void netOf(const ksInspector *inspector, const Pair *pair, int island, const double *n, double net[6])
{
    const ksiIsland *at = &inspector->island[island];
    memset(net, 0, 6 * sizeof *net);
    for (int i = 0; i < at->jointCount; i++) {
        const ksiJointState *joint = ksiIslandJoint(inspector, at, i);
        const int side = sideOf(joint, pair->a, pair->b);
        for (int l = 0; side >= 0 && l < joint->rows.count; l++) {
            double row[6];
            rowOnBody(pair, joint, side, l, row);
            for (int k = 0; k < 6 && joint->systemRow[l] >= 0; k++)
                net[k] += n[joint->systemRow[l]] * row[k];
        }
    }
}

/* The size that rounding or drift of a self-stress may have in the sum; 0 without contacts of the pair. */
static double noiseOf(const ksInspector *inspector, const Pair *pair, int island)
{
    const ksiIsland *at = &inspector->island[island];
    ksSystem *system = ksiIslandSystem(inspector, island);
    double square = 0;
    for (int i = 0; i < at->jointCount; i++) {
        const ksiJointState *joint = ksiIslandJoint(inspector, at, i);
        const int side = sideOf(joint, pair->a, pair->b);
        for (int l = 0; side >= 0 && l < joint->rows.count; l++) {
            double row[6];
            if (joint->systemRow[l] < 0)
                continue;
            rowOnBody(pair, joint, side, l, row);
            const double size = ksiSize(row, 6) / ksiSystemRowSize(system, joint->systemRow[l]);
            square += size * size;
        }
    }
    return noiseMargin * ksiSystemStressNoise(system) * sqrt(square);
}

static void takeOut(double v[6], const double unit[6])
{
    double part = 0;
    for (int k = 0; k < 6; k++)
        part += v[k] * unit[k];
    for (int k = 0; k < 6; k++)
        v[k] -= part * unit[k];
}

/* Adds what the self-stresses of one island change of the sum to an orthonormal basis, the largest first. */
static ksStatus addFree(ksInspector *inspector, const Pair *pair, int island, double basis[6][6], int *count)
{
    const double *n;
    int stresses;
    ksStatus status = ksiRestoreSystem(inspector, island);
    if (!status)
        status = ksiSystemGetSelfStress(ksiIslandSystem(inspector, island), &n, &stresses);
    if (status)
        return status;
    const size_t rows = (size_t)inspector->island[island].rowCount;
    const double noise = noiseOf(inspector, pair, island);
    while (*count < 6) {
        double best = noise;
        for (int s = 0; s < stresses; s++) {
            double net[6];
            netOf(inspector, pair, island, n + (size_t)s * rows, net);
            for (int f = 0; f < *count; f++)
                takeOut(net, basis[f]);
            const double size = ksiSize(net, 6);
            for (int k = 0; k < 6 && size > best; k++)
                basis[*count][k] = net[k] / size;
            best = fmax(best, size);
        }
        if (!(best > noise))
            return KS_OK;
        ++*count;
    }
    return KS_OK;
}

static bool touches(const ksInspector *inspector, const Pair *pair, int island)
{
    const ksiIsland *at = &inspector->island[island];
    for (int i = 0; i < at->jointCount; i++) {
        if (sideOf(ksiIslandJoint(inspector, at, i), pair->a, pair->b) >= 0)
            return true;
    }
    return false;
}

/* What is not unique of the sum, about the mass centre. */
static ksStatus findFree(ksInspector *inspector, const Pair *pair, ksWrench direction[6], int *count)
{
    double basis[6][6];
    *count = 0;
    for (int i = 0; i < (int)inspector->islandCount; i++) {
        ksStatus status = touches(inspector, pair, i) ? addFree(inspector, pair, i, basis, count) : KS_OK;
        if (status)
            return status;
    }
    for (int f = 0; f < *count; f++) {
        for (int k = 0; k < 3; k++) {
            direction[f].force[k] = basis[f][k];
            direction[f].torque[k] = basis[f][3 + k] * pair->lever;
        }
    }
    return KS_OK;
}

static ksStatus contactWrench(ksInspector *inspector, Pair *pair, ksValue value, const double *about, ksWrench *out,
                              ksWrench *freeDirection, int *freeCount)
{
    ksWrench sum, direction[6];
    const bool asReported = inspector->options.contacts == KS_CONTACTS_REPORTED || value == KS_PHYSICAL;
    int count = asReported ? -1 : 0;
    ksStatus status = addUp(inspector, pair, value, &sum);
    if (status)
        return status;
    if (count == 0)
        status = findFree(inspector, pair, direction, &count);
    if (status == KS_ERROR_UNAVAILABLE && freeCount)
        count = -1;
    else if (status || (count > 0 && !freeCount))
        return status ? status : KS_ERROR_REDUNDANT;

    const double *point = about ? about : pair->centre;
    ksiMoveWrench(&sum, pair->centre, point);
    *out = sum;
    for (int f = 0; f < count && freeDirection; f++) {
        ksiMoveWrench(&direction[f], pair->centre, point);
        ksiNormaliseWrench(&direction[f]);
        freeDirection[f] = direction[f];
    }
    if (freeCount)
        *freeCount = count;
    return KS_OK;
}

ksStatus ksInspectorGetContactWrench(ksInspector *inspector, dBodyID a, dBodyID b, ksValue value, const double about[3],
                                     ksWrench *out, ksWrench freeDirection[6], int *freeCount)
{
    if (!inspector || !a || a == b || value > KS_PHYSICAL || !out || (freeDirection && !freeCount))
        return KS_ERROR_BAD_ARGUMENT;
    if (!inspector->reported || !inspector->known)
        return KS_ERROR_UNAVAILABLE;
    int at = ksiPointersFind(&inspector->bodyIndex, a);
    if (at < 0 || (b && ksiPointersFind(&inspector->bodyIndex, b) < 0))
        return KS_ERROR_BAD_ARGUMENT;

    Pair pair = {.a = a, .b = b};
    memcpy(pair.centre, inspector->body[at].begin.centre, sizeof pair.centre);
    KSI_RETURN_QUIETLY(contactWrench(inspector, &pair, value, about, out, freeDirection, freeCount));
}

static double multiplierOf(const ksRow *row, ksValue value)
{
    return value == KS_ENGINE ? row->engine : value == KS_CONVERGED ? row->paulus : row->physical;
}

static double useOf(double force, double bound)
{
    if (force == 0)
        return 0;
    return bound == 0 ? INFINITY : force / bound;
}

static ksStatus frictionUse(const ksReaction *reaction, ksValue value, double *byBound, double *byNormal)
{
    if (!reaction->row || !ksiWrenchesOf(reaction, value))
        return KS_ERROR_UNAVAILABLE;
    double bound = 0, normal = 0;
    for (int l = 0; l < reaction->rowCount; l++) {
        const ksRow *row = &reaction->row[l];
        if (row->kind != KS_ROW_FRICTION)
            continue;
        double force = multiplierOf(row, value), coefficient = fabs(row->hi);
        if (!isfinite(force))
            return KS_ERROR_UNAVAILABLE;
        if (row->findex >= 0 && !isinf(coefficient))
            coefficient *= fabs(multiplierOf(&reaction->row[row->findex], value));
        bound = hypot(bound, useOf(fabs(force), fabs(row->bound)));
        normal = hypot(normal, useOf(fabs(force), coefficient));
    }
    if (byBound)
        *byBound = bound;
    if (byNormal)
        *byNormal = normal;
    return KS_OK;
}

ksStatus ksReactionGetFrictionUse(const ksReaction *reaction, ksValue value, double *byBound, double *byNormal)
{
    if (!reaction || reaction->type != dJointTypeContact || value > KS_PHYSICAL)
        return KS_ERROR_BAD_ARGUMENT;
    KSI_RETURN_QUIETLY(frictionUse(reaction, value, byBound, byNormal));
}

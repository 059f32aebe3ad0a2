/* gradients_kit.h  e = d phi / d w - J w of a joint's rows, in poses displaced along w.
 *
 * A row's right-hand side at rest is c = -k phi, k = erp / h, so J v = c closes the position error
 * phi. It is measured along each relaxed coordinate w_l (J_m w_l = delta_ml; Paulus 1910, 3 and 4)
 * and along the motions that no row restricts (J w = 0), by central differences in the poses x + t
 * w, rotations by the exponential map. */
#ifndef TESTS_KITS_GRADIENTS_KIT_H
#define TESTS_KITS_GRADIENTS_KIT_H

#include "tests/kits/engine_kit.h"

enum { SEEDS = 12, COORDINATES = 12 };
enum {
    OWN,
    OTHER,
    FREE,
    WAYS
}; /* along the row's own relaxed coordinate; along another row's;
                                    along a motion that no row restricts */

static const double h = 0.01;

/* Central differences at +-t and +-t/2 by Richardson have an error of t^4/480 times a fifth
 * derivative (for the angle of a drifted joint, some 1e3) and rounding, 1e-16 / t times a few
 * levers. Largest found 4e-12. */
static const double kApart = 1e-3, kExact = 1e-10;

/* The targets of rows without a position error, m/s or rad/s. */
static const double kTarget = 0.3;

/* A stop's angle is at least this, since the engine measures the size of the whole relative
 * rotation. */
static const double kSmallAngle = 0.3;

typedef struct Case {
    dWorldID world;
    ksiEngine engine;
    dBodyID body[2];
    dJointID joint;
    int bodies;
    double k;        /* erp / h */
    dGeomID geom[2]; /* of a contact, which is created anew at each pose */
    ksiRows rows;
} Case;

/* Creates the contact of the two shapes in their present pose. */
static inline void collide(Case *c)
{
    dContact contact;
    memset(&contact, 0, sizeof contact);
    contact.surface.mode = dContactMotion1;
    contact.surface.mu = 1;
    contact.surface.motion1 = kTarget;
    ck_assert_int_eq(dCollide(c->geom[0], c->geom[1], 1, &contact.geom, sizeof contact.geom), 1);
    if (c->joint)
        dJointDestroy(c->joint);
    c->joint = dJointCreateContact(c->world, NULL, &contact);
    dJointAttach(c->joint, dGeomGetBody(c->geom[0]), dGeomGetBody(c->geom[1]));
}

static inline void readCase(Case *c)
{
    if (c->geom[0])
        collide(c);
    ck_assert_int_eq(ksiReadRows(&c->engine, c->joint, KS_WORLD_STEP, h, &c->rows), KS_OK);
}

typedef struct Pose {
    double centre[2][3];
    dQuaternion q[2];
} Pose;

static inline Pose poseOf(const Case *c)
{
    Pose pose;
    for (int i = 0; i < 2; i++) {
        ksiCopy(pose.centre[i], dBodyGetPosition(c->body[i]));
        memcpy(pose.q[i], dBodyGetQuaternion(c->body[i]), sizeof pose.q[i]);
    }
    return pose;
}

/* Moves the bodies to pose + t w. */
static inline void displace(const Case *c, const Pose *pose, double w[2][6], double t)
{
    for (int i = 0; i < 2; i++) {
        const double *x = pose->centre[i], *v = w[i], *turn = w[i] + 3;
        dQuaternion rotation, turned;
        dQFromAxisAndAngle(rotation, turn[0], turn[1], turn[2], t * sqrt(ksiDot(turn, turn)));
        dQMultiply0(turned, rotation, pose->q[i]);
        dBodySetPosition(c->body[i], x[0] + t * v[0], x[1] + t * v[1], x[2] + t * v[2]);
        dBodySetQuaternion(c->body[i], turned);
    }
}

static inline double errorOf(const Case *c, int row)
{
    return -c->rows.row[row].c / c->k;
}

/* w with J_m w = value_m, of least size */
static inline void liftRows(const ksiRows *rows, const double *value, double w[2][6])
{
    double A[KSI_MAX_ROWS][KSI_MAX_ROWS + 1], x[KSI_MAX_ROWS];
    for (int i = 0; i < rows->count; i++) {
        for (int j = 0; j < rows->count; j++) {
            A[i][j] = 0;
            for (int k = 0; k < COORDINATES; k++)
                A[i][j] += rows->row[i].jacobian[k / 6][k % 6] * rows->row[j].jacobian[k / 6][k % 6];
        }
        A[i][rows->count] = value[i];
    }
    solveSmall(rows->count, A, x);
    memset(w, 0, COORDINATES * sizeof(double));
    for (int i = 0; i < rows->count; i++)
        for (int k = 0; k < COORDINATES; k++)
            w[k / 6][k % 6] += x[i] * rows->row[i].jacobian[k / 6][k % 6];
}

/* Keeps the part of w that no row restricts. */
static inline void keepFree(const ksiRows *rows, double w[2][6])
{
    double value[KSI_MAX_ROWS], fixed[2][6];
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < rows->count; i++)
            value[i] = rowTimes(rows, i, w);
        liftRows(rows, value, fixed);
        for (int k = 0; k < COORDINATES; k++)
            w[k / 6][k % 6] -= fixed[k / 6][k % 6];
    }
}

/* d phi / d w of all rows at this pose, which is restored. */
static inline void derivative(Case *c, double w[2][6], double out[KSI_MAX_ROWS])
{
    static const double weight[4] = {1.0 / 6, -8.0 / 6, 8.0 / 6, -1.0 / 6}, place[4] = {-1, -0.5, 0.5, 1};
    const Pose pose = poseOf(c);
    const int count = c->rows.count;
    for (int i = 0; i < count; i++)
        out[i] = 0;
    for (int k = 0; k < 4; k++) {
        displace(c, &pose, w, place[k] * kApart);
        readCase(c);
        ck_assert_int_eq(c->rows.count, count);
        for (int i = 0; i < count; i++)
            out[i] += weight[k] * errorOf(c, i) / kApart;
    }
    displace(c, &pose, w, 0);
    readCase(c);
}

typedef double Deviation[KSI_MAX_ROWS][WAYS];

static inline void note(const ksiRows *rows, const double *slope, int own, double w[2][6], Deviation out)
{
    for (int m = 0; m < rows->count; m++) {
        const int way = own < 0 ? FREE : m == own ? OWN : OTHER;
        out[m][way] = fmax(out[m][way], fabs(slope[m] - rowTimes(rows, m, w)));
    }
}

/* The largest e over the relaxed and the free coordinates. */
static inline void measure(Case *c, Deviation out)
{
    double slope[KSI_MAX_ROWS], w[2][6];
    memset(out, 0, sizeof(Deviation));
    for (int l = 0; l < c->rows.count; l++) {
        double value[KSI_MAX_ROWS] = {0};
        value[l] = 1;
        liftRows(&c->rows, value, w);
        derivative(c, w, slope);
        note(&c->rows, slope, l, w, out);
    }
    for (int k = 0; k < 6 * c->bodies; k++) {
        memset(w, 0, sizeof w);
        w[k / 6][k % 6] = 1;
        keepFree(&c->rows, w);
        derivative(c, w, slope);
        note(&c->rows, slope, -1, w, out);
    }
}

/* Moves the bodies until phi = target, by half steps, because J may be as little as a third of the
 * gradient. */
static inline void reach(Case *c, const double *target)
{
    for (int pass = 0; pass < 100; pass++) {
        double rest[KSI_MAX_ROWS], w[2][6], worst = 0;
        for (int i = 0; i < c->rows.count; i++) {
            rest[i] = target[i] - errorOf(c, i);
            worst = fmax(worst, fabs(rest[i]));
        }
        if (worst < 1e-14)
            return;
        liftRows(&c->rows, rest, w);
        const Pose pose = poseOf(c);
        displace(c, &pose, w, 0.5);
        readCase(c);
    }
}

/* Locks all axes at their present angles by equal stops; returns 0 if an angle is too near zero. */
static inline int lockAxes(Case *c)
{
    const int permanent = c->rows.count;
    for (int i = 0; i < ksiAxisCount(c->joint); i++) {
        ksiSetAxis(c->joint, i, dParamLoStop, 0);
        ksiSetAxis(c->joint, i, dParamHiStop, 0);
    }
    readCase(c);
    for (int i = permanent; i < c->rows.count; i++) {
        const double place = errorOf(c, i);
        if (fabs(place) < kSmallAngle)
            return 0;
        ksiSetAxis(c->joint, c->rows.axis[i], dParamLoStop, place);
        ksiSetAxis(c->joint, c->rows.axis[i], dParamHiStop, place);
    }
    readCase(c);
    return 1;
}

static inline void setEuler(dJointID joint, const ksiJointPose *pose)
{
    dJointSetAMotorMode(joint, dAMotorEuler);
    dJointSetAMotorAxis(joint, 0, 1, pose->x[0], pose->x[1], pose->x[2]);
    dJointSetAMotorAxis(joint, 2, 2, pose->y[0], pose->y[1], pose->y[2]);
}

/* Two bodies in random orientations, at rest. */
static inline void createBodies(Case *c, int attachment, Random *random)
{
    memset(c, 0, sizeof *c);
    c->world = newWorld();
    dWorldSetGravity(c->world, 0, 0, 0);
    c->k = dWorldGetERP(c->world) / h;
    c->engine = openEngine(c->world);
    c->bodies = attachment == BOTH ? 2 : 1;
    for (int i = 0; i < 2; i++) {
        c->body[i] = randomBody(c->world, random);
        dBodySetLinearVel(c->body[i], 0, 0, 0);
        dBodySetAngularVel(c->body[i], 0, 0, 0);
    }
}

/* Creates a joint. */
static inline void createCase(Case *c, int type, int attachment, Random *random)
{
    createBodies(c, attachment, random);
    const ksiJointPose pose = randomPose(random);
    c->joint = ksiCreateJoint(c->world, type, attachment == SECOND_ONLY ? NULL : c->body[0],
                              attachment == BOTH          ? c->body[1]
                              : attachment == SECOND_ONLY ? c->body[0]
                                                          : NULL,
                              &pose);
    ck_assert_ptr_nonnull(c->joint);
    if (type == dJointTypeAMotor)
        setEuler(c->joint, &pose);
    readCase(c);
}

/* Moves a joint along its manifold; returns 0 if a stop's angle is small. */
static inline int prepareCase(Case *c, int type, int attachment, Random *random)
{
    static const double none[KSI_MAX_ROWS] = {0};
    createCase(c, type, attachment, random);
    double w[2][6] = {{0}};
    for (int k = 0; k < 6 * c->bodies; k++)
        w[k / 6][k % 6] = uniform(random, -0.7, 0.7);
    keepFree(&c->rows, w);
    const Pose start = poseOf(c);
    displace(c, &start, w, 1);
    readCase(c);
    reach(c, none);
    return lockAxes(c);
}

#endif

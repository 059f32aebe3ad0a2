/* body.c  A body at the start of a step, and what the steppers do to its velocity after the solution.
 *
 *   f = user + m g + gyroscopic,   v* = v + h M^-1 (f + J^T lambda),   cap of |w*|, pose, damping
 *
 * Gyroscopic, implicit (Lacoursiere 2006):  t = (I K^-1 - 1) (I w) / h,   K = I - h [I w]x.
 * Sums are formed in the stepper's order, so that its rounding is reproduced, not only its formula. */
#include "layout.h"
#include "vector.h"

#include "../vectorise.h"

#include <float.h>

/* of a speed that the stepper scaled, relative */
static const double rounding = 1e-14;

KSI_INLINE int isDiagonal(const double A[9])
{
    return A[1] == 0 && A[2] == 0 && A[3] == 0 && A[5] == 0 && A[6] == 0 && A[7] == 0;
}

/* A 3x3 matrix as three rows of four; the fourth numbers mean nothing. */
typedef struct Rows {
    ksiFour row[3];
} Rows;

KSI_INLINE void store(double out[9], const Rows *A)
{
    *(ksiFour *)out = A->row[0];
    *(ksiFour *)(out + 3) = A->row[1];
    *(ksiTwo *)(out + 6) = *(const ksiTwo *)&A->row[2];
    out[8] = A->row[2][2];
}

KSI_INLINE Rows rowsOf(const double A[9])
{
    return (Rows){{{A[0], A[1], A[2]}, {A[3], A[4], A[5]}, {A[6], A[7], A[8]}}};
}

/* A B, summed in the stepper's order; A has rows of the given length. */
KSI_INLINE Rows product(const double *A, int length, const Rows *B)
{
    Rows out;
    for (int i = 0; i < 3; i++, A += length)
        out.row[i] = A[0] * B->row[0] + A[1] * B->row[1] + A[2] * B->row[2];
    return out;
}

/* out = R B R^T, RT = R^T. Where B is diagonal the stepper adds zeros, which changes no number. */
KSI_INLINE void toWorld(double out[9], const dReal *R, const Rows *RT, const double B[9], int diagonal)
{
    Rows T;
    if (diagonal)
        for (int i = 0; i < 3; i++)
            T.row[i] = B[4 * i] * RT->row[i];
    else
        T = product(B, 3, RT);
    T = product(R, 4, &T);
    store(out, &T);
}

/* Inverse by cofactors; 0 if the determinant is zero. */
KSI_INLINE int invertGeneral(double out[9], const double A[9])
{
    const double c0 = A[4] * A[8] - A[5] * A[7];
    const double det = A[0] * c0 - A[1] * (A[3] * A[8] - A[5] * A[6]) + A[2] * (A[3] * A[7] - A[4] * A[6]);
    if (det == 0)
        return 0;
    const double r = 1 / det;
    out[0] = c0 * r;
    out[1] = (A[7] * A[2] - A[1] * A[8]) * r;
    out[2] = (A[1] * A[5] - A[4] * A[2]) * r;
    out[3] = (A[5] * A[6] - A[3] * A[8]) * r;
    out[4] = (A[0] * A[8] - A[6] * A[2]) * r;
    out[5] = (A[3] * A[2] - A[0] * A[5]) * r;
    out[6] = (A[3] * A[7] - A[6] * A[4]) * r;
    out[7] = (A[6] * A[1] - A[0] * A[7]) * r;
    out[8] = (A[0] * A[4] - A[1] * A[3]) * r;
    return 1;
}

/* An inertia in the body's axes, I = L L^T. Of diagonal matrices only the diagonals are there. */
typedef struct Inertia {
    int diagonal;
    double own[9], inverse[9], root[9], rootInverse[9];
    double leastPivot; /* of the factorisation; <= 0: there is none, and nothing but `own` is known */
} Inertia;

KSI_INLINE void invertDiagonal(Inertia *I)
{
    I->leastPivot = I->own[0];
    for (int i = 0; i < 9; i += 4) {
        I->leastPivot = I->own[i] < I->leastPivot ? I->own[i] : I->leastPivot;
        I->root[i] = sqrt(I->own[i]);
        I->rootInverse[i] = 1 / I->root[i];
        I->inverse[i] = I->rootInverse[i] / I->root[i];
    }
}

/* By the Cholesky factor, as the stepper does. */
static void invertPositive(Inertia *I)
{
    double *L = I->root, *X = I->rootInverse;
    memset(L, 0, sizeof I->root);
    memset(X, 0, sizeof I->rootInverse);
    I->leastPivot = INFINITY;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = I->own[3 * i + j];
            for (int k = 0; k < j; k++)
                sum -= L[3 * i + k] * L[3 * j + k];
            if (i == j)
                I->leastPivot = sum < I->leastPivot ? sum : I->leastPivot;
            L[3 * i + j] = i == j ? sqrt(sum) : sum / L[3 * j + j];
        }
    }
    for (int column = 0; column < 3; column++) {
        double x[3] = {0};
        for (int i = 0; i < 3; i++) {
            double sum = i == column ? 1 : 0;
            for (int k = 0; k < i; k++)
                sum -= L[3 * i + k] * x[k];
            X[3 * i + column] = x[i] = sum / L[3 * i + i];
        }
        for (int i = 2; i >= 0; i--) {
            for (int k = i + 1; k < 3; k++)
                x[i] -= L[3 * k + i] * x[k];
            x[i] /= L[3 * i + i];
            I->inverse[3 * i + column] = x[i];
        }
    }
}

KSI_INLINE void addGyroscopic(ksiBody *body, double h)
{
    const double *I = body->inertia;
    double L[3];  // angular momentum
    ksiTransform(L, I, body->velocity + 3);
    const double minusCross[9] = {0, L[2], -L[1], -L[2], 0, L[0], L[1], -L[0], 0};
    double K[9], inverse[9];
    for (int i = 0; i < 9; i++)
        K[i] = minusCross[i] * h + I[i];
    if (!invertGeneral(inverse, K))
        return;
    const Rows X = rowsOf(inverse);
    Rows turn = product(I, 3, &X);
    const double scale = 1 / h;
    for (int i = 0; i < 3; i++) {
        turn.row[i][i] -= 1;
        L[i] *= scale;
    }
    for (int i = 0; i < 3; i++) {
        body->gyroscopic[i] = turn.row[i][0] * L[0] + turn.row[i][1] * L[1] + turn.row[i][2] * L[2];
        body->force[3 + i] += body->gyroscopic[i];
    }
}

KSI_INLINE void readState(dBodyID id, ksiBody *out)
{
    out->id = id;
    out->kinematic = dBodyIsKinematic(id) != 0;
    out->enabled = dBodyIsEnabled(id) != 0;
    out->autoDisable = dBodyGetAutoDisableFlag(id) != 0;
    const dReal *R = dBodyGetRotation(id);
    for (int i = 0; i < 3; i++)
        ksiCopy(out->rotation + 3 * i, R + 4 * i);
    ksiCopy(out->centre, dBodyGetPosition(id));
    ksiCopy(out->velocity, dBodyGetLinearVel(id));
    ksiCopy(out->velocity + 3, dBodyGetAngularVel(id));

    out->linearDamping = dBodyGetLinearDamping(id);
    out->angularDamping = dBodyGetAngularDamping(id);
    if (out->linearDamping != 0 || out->angularDamping != 0) {
        const double linear = dBodyGetLinearDampingThreshold(id), angular = dBodyGetAngularDampingThreshold(id);
        out->linearThreshold2 = linear * linear;
        out->angularThreshold2 = angular * angular;
    }
    out->maxAngularSpeed = dBodyGetMaxAngularSpeed(id);
    out->finiteRotation = dBodyGetFiniteRotationMode(id) != 0;
    if (out->finiteRotation) {
        dVector3 axis;
        dBodyGetFiniteRotationAxis(id, axis);
        ksiCopy(out->finiteAxis, axis);
    }
}

/* Joints of the engine read the quaternion, too. */
KSI_INLINE int stateFinite(const ksiBody *body)
{
    const dReal *q = dBodyGetQuaternion(body->id);
    const double *x = body->centre, *v = body->velocity;
    double sum = q[0] + q[1] + q[2] + q[3] + x[0] + x[1] + x[2] + v[0] + v[1] + v[2] + v[3] + v[4] + v[5];
    for (int i = 0; i < 9; i++)
        sum += body->rotation[i];
    return isfinite(sum);
}

/* R B, B R^T */
KSI_INLINE void setRoot(ksiRigidRoot *root, double mass, const Inertia *I, const dReal *R, const Rows *RT)
{
    Rows L, X;
    root->mass = sqrt(mass);
    root->massInverse = 1 / root->mass;
    if (I->diagonal) {
        const ksiFour l = {I->root[0], I->root[4], I->root[8]};
        for (int i = 0; i < 3; i++) {
            L.row[i] = l * *(const ksiFour *)(R + 4 * i);
            X.row[i] = I->rootInverse[4 * i] * RT->row[i];
        }
    } else {
        const Rows own = rowsOf(I->root);
        L = product(R, 4, &own);
        X = product(I->rootInverse, 3, RT);
    }
    store(root->inertia, &L);
    store(root->inertiaInverse, &X);
}

/* Inertia, its inverse and its root; 0 where they are not positive definite. The stepper then uses 1 for I^-1. */
KSI_INLINE int readMass(dBodyID id, ksiBody *out)
{
    dMass mass;
    dBodyGetMass(id, &mass);
    out->mass = mass.mass;
    Inertia I;
    for (int i = 0; i < 3; i++)
        ksiCopy(I.own + 3 * i, mass.I + 4 * i);
    const dReal *R = dBodyGetRotation(id);
    const Rows RT = {{{R[0], R[4], R[8]}, {R[1], R[5], R[9]}, {R[2], R[6], R[10]}}};
    I.diagonal = isDiagonal(I.own);
    toWorld(out->inertia, R, &RT, I.own, I.diagonal);
    if (out->kinematic)
        return 1;
    if (I.diagonal)
        invertDiagonal(&I);
    else
        invertPositive(&I);
    const int positive = I.leastPivot > 0;
    if (positive)
        toWorld(out->inverse, R, &RT, I.inverse, I.diagonal);
    else
        for (int i = 0; i < 3; i++)
            out->inverse[4 * i] = 1;
    // less is lost where the inertia is added up in world axes
    out->dynamic = mass.mass > 0 && I.leastPivot > 4 * DBL_EPSILON * (I.own[0] + I.own[4] + I.own[8]);
    if (out->dynamic)
        setRoot(&out->root, mass.mass, &I, R, &RT);
    return positive && mass.mass > 0;
}

KSI_CLONES_EXACT
ksStatus ksiReadBody(const ksiEngine *engine, dBodyID body, double h, ksiBody *out)
{
    memset(out->inverse, 0, sizeof out->inverse);
    memset(out->force, 0, sizeof out->force);
    memset(out->gravity, 0, sizeof out->gravity);
    memset(out->gyroscopic, 0, sizeof out->gyroscopic);
    out->gyroscopicMode = out->dynamic = 0;
    readState(body, out);
    if (!stateFinite(out))
        return KS_ERROR_NOT_FINITE;
    const int positive = readMass(body, out);
    if (out->kinematic)
        return KS_OK;  // moves as told: neither its mass nor its force matters

    if (!isfinite(out->mass) || !ksiAllFinite(out->inertia, 9))
        return KS_ERROR_NOT_FINITE;
    ksiCopy(out->force, dBodyGetForce(body));
    ksiCopy(out->force + 3, dBodyGetTorque(body));
    if (dBodyGetGravityMode(body)) {
        dVector3 gravity;
        dWorldGetGravity(engine->world, gravity);
        ksiAddScaled(out->force, out->mass, gravity);
        ksiAddScaled(out->gravity, out->mass, gravity);
    }
    out->condition =
        (out->inertia[0] + out->inertia[4] + out->inertia[8]) * (out->inverse[0] + out->inverse[4] + out->inverse[8]);
    out->gyroscopicMode = dBodyGetGyroscopicMode(body) != 0;
    if (out->gyroscopicMode)
        addGyroscopic(out, h);
    if (!ksiAllFinite(out->force, 6))
        return KS_ERROR_NOT_FINITE;
    return positive ? KS_OK : KS_ERROR_NOT_POSITIVE_DEFINITE;
}

/* Undoes v *= 1 - s where |v|^2 > threshold^2: of the velocities up to max that end as v, which are v itself, if it is
 * below the threshold, and v / (1 - s), if that is above, the one nearest to the guess. */
static void undamp(double v[3], double scale, double threshold2, double max, const double guess[3])
{
    if (scale == 1 && ksiDot(v, v) == 0 && ksiDot(guess, guess) > threshold2)
        ksiCopy(v, guess);  // everything above the threshold ends as zero
    if (scale == 0 || scale == 1)
        return;
    double other[3], step[3], otherStep[3];
    for (int i = 0; i < 3; i++)
        other[i] = v[i] / (1 - scale);
    const double speed2 = ksiDot(other, other);
    const int same = ksiDot(v, v) <= threshold2 * (1 + rounding);
    const int damped = speed2 > threshold2 * (1 - rounding) && sqrt(speed2) <= max * (1 + rounding);
    ksiSubtract(step, v, guess);
    ksiSubtract(otherStep, other, guess);
    if (damped && (!same || ksiDot(otherStep, otherStep) < ksiDot(step, step)))
        ksiCopy(v, other);
}

int ksiUndoDamping(const ksiBody *body, const double finished[6], const double guess[6], double solved[6])
{
    double v[6];
    const double max = body->maxAngularSpeed;
    if (body->linearDamping == 0 && body->angularDamping == 0 && max == dInfinity) {
        memcpy(solved, finished, sizeof v);
        return 0;
    }
    memcpy(v, finished, sizeof v);
    undamp(v, body->linearDamping, body->linearThreshold2, dInfinity, guess);
    undamp(v + 3, body->angularDamping, body->angularThreshold2, max, guess + 3);
    // a speed at the cap may have been any above it
    const double speed = sqrt(ksiDot(v + 3, v + 3));
    const int capped = max < dInfinity && fabs(speed - max) <= rounding * max;
    const double before = speed > 0 ? ksiDot(v + 3, guess + 3) / speed : 0;
    for (int i = 3; capped && i < 6; i++)
        v[i] = speed == 0 ? guess[i] : v[i] * fmax(1, before / speed);
    memcpy(solved, v, sizeof v);
    return capped;
}

/* With g the vector of the turn over the scalar of its quaternion, i.e. tan(angle/2) along the axis of the turn:
 *     w = 2 g / h,  or with a finite rotation about a (of everything: about g itself), t = a.g, p = g - t a:
 *     w = 2 atan(t)/h a + 4/h (p + t a x p)/(1 + t^2)
 * 4, not 2: the engine turns the body about the axes across a at half its angular velocity. */
void ksiPosedVelocity(const ksiBody *body, const double centre[3], const double rotation[9], double h,
                      double velocity[6])
{
    double turn[9], g[3], a[3], across[3];
    ksiSubtract(velocity, centre, body->centre);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            turn[3 * i + j] = ksiDot(rotation + 3 * i, body->rotation + 3 * j);
    const double scale = 1 / (1 + turn[0] + turn[4] + turn[8]);
    for (int i = 0; i < 3; i++) {
        velocity[i] /= h;
        g[i] = (turn[3 * ((i + 2) % 3) + (i + 1) % 3] - turn[3 * ((i + 1) % 3) + (i + 2) % 3]) * scale;
        velocity[3 + i] = 2 * g[i] / h;
    }
    if (!body->finiteRotation)
        return;
    ksiCopy(a, ksiDot(body->finiteAxis, body->finiteAxis) > 0 ? body->finiteAxis : g);
    if (ksiNormalize(a) == 0)
        return;
    const double t = ksiDot(a, g);
    ksiAddScaled(g, -t, a);
    ksiCross(across, a, g);
    for (int i = 0; i < 3; i++)
        velocity[3 + i] = 2 / h * (atan(t) * a[i] + 2 * (g[i] + t * across[i]) / (1 + t * t));
}

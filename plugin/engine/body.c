/* body.c  Reads a body at the start of a step, and finds how the step changes its velocity after
 * the solution.
 *
 * With the force `f` on the body and the force J^T lambda of its joints, the step solves for the
 * velocity `v*`:
 *
 *     f = user + m g + gyroscopic,   v* = v + h M^-1 (f + J^T lambda)
 *
 * Then it limits the angular velocity, moves the body, and damps the velocity.
 *
 * The gyroscopic torque `t` is implicit (Lacoursiere 2006), for the inertia `I` and the angular
 * velocity `w`:
 *
 *     t = (I K^-1 - 1) (I w) / h,   K = I - h [I w]x
 *
 * Sums are in the stepper's order, so they have the stepper's rounding. */
#include "image.h"
#include "vector.h"

#include "../base/vectorise.h"

#include <stdbool.h>

/* Relative rounding of a speed that the stepper has scaled. */
static const double speedRounding = 1e-14;

/* Smallest usable ratio of a pivot of an inertia to its trace, in units of rounding. */
static const double pivotUnits = 4;

/* A 3x3 matrix as three rows of four numbers; the fourth number of each row is unused. */
typedef struct Rows {
    ksiFour row[3];
} Rows;

typedef unsigned long long Bits __attribute__((may_alias));

/* Are all numbers off the diagonal zero? Rows have four numbers, as in the engine; a zero may be
 * negative. */
KSI_INLINE bool isDiagonal(const double *A)
{
    const Bits *a = (const Bits *)A;
    return (a[1] | a[2] | a[4] | a[6] | a[8] | a[9]) << 1 == 0;
}

/* Corrects a rotation of single precision to double precision, R (3 - R^T R) / 2, so that the
 * inertia and its inverse match in world axes. */
static const ksiBodyNumbers *makeRotation(const ksiBodyNumbers *from, ksiBodyNumbers *room)
{
    double *R = room->rotation, old[12], square[9];
    *room = *from;
    memcpy(old, R, sizeof old);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            square[3 * i + k] = old[i] * old[k] + old[4 + i] * old[4 + k] + old[8 + i] * old[8 + k];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const double *row = old + 4 * i;
            const double product = row[0] * square[k] + row[1] * square[3 + k] + row[2] * square[6 + k];
            R[4 * i + k] = (3 * row[k] - product) / 2;
        }
    return room;
}

KSI_INLINE void store(double out[9], const Rows *A)
{
    *(ksiFour *)out = A->row[0];
    *(ksiFour *)(out + 3) = A->row[1];
    ksiStoreThree(out + 6, &A->row[2]);
}

KSI_INLINE Rows rowsOf(const double *A)
{
    const ksiFour *a = (const ksiFour *)A;
    return (Rows){{a[0], a[1], a[2]}};
}

KSI_INLINE Rows transposed(const Rows *A)
{
    ksiFour x[4] = {A->row[0], A->row[1], A->row[2], A->row[2]};
    ksiTranspose(x);
    return (Rows){{x[0], x[1], x[2]}};
}

KSI_INLINE double trace(const Rows *A)
{
    return A->row[0][0] + A->row[1][1] + A->row[2][2];
}

/* A B, summed in the stepper's order; A has rows of four numbers. */
KSI_INLINE Rows product(const double *A, const Rows *B)
{
    Rows out;
    for (int i = 0; i < 3; i++, A += 4)
        out.row[i] = A[0] * B->row[0] + A[1] * B->row[1] + A[2] * B->row[2];
    return out;
}

/* R B R^T. RT is R^T. For a diagonal B the stepper adds zeros, which changes no number. */
KSI_INLINE Rows inWorld(const double *R, const Rows *RT, const double *B, int diagonal)
{
    Rows T;
    if (diagonal)
        for (int i = 0; i < 3; i++)
            T.row[i] = B[5 * i] * RT->row[i];
    else
        T = product(B, RT);
    return product(R, &T);
}

/* Sets L to the Cholesky factor of an inertia in the body's axes, I = L L^T, and X to the inverse
 * of L; all matrices have rows of four numbers. Returns the least pivot; if this pivot is <= 0,
 * there is no factor. */
static double rootOf(const double *I, double L[12], double X[12])
{
    double leastPivot = INFINITY;
    memset(L, 0, 12 * sizeof *L);
    memset(X, 0, 12 * sizeof *X);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = I[4 * i + j];
            for (int k = 0; k < j; k++)
                sum -= L[4 * i + k] * L[4 * j + k];
            if (i == j)
                leastPivot = sum < leastPivot ? sum : leastPivot;
            L[4 * i + j] = i == j ? sqrt(sum) : sum / L[5 * j];
        }
    }
    for (int column = 0; column < 3; column++)
        for (int i = column; i < 3; i++) {
            double sum = i == column ? 1 : 0;
            for (int k = column; k < i; k++)
                sum -= L[4 * i + k] * X[4 * k + column];
            X[4 * i + column] = sum / L[5 * i];
        }
    return leastPivot;
}

/* inertia: in world axes. The columns of K^-1 are cross products of rows of K, divided by the
 * determinant of K. */
KSI_INLINE void addGyroscopic(const ksiBodyNumbers *from, const Rows *inertia, double h, ksiFour *torque, ksiBody *out)
{
    const double *w = from->spin;
    // I: the columns of the inertia; L: the angular momentum
    const Rows I = transposed(inertia);
    const ksiFour L = w[0] * I.row[0] + w[1] * I.row[1] + w[2] * I.row[2], zero = {0};
    const ksiFour hL = h * L, minus = -hL;
    const ksiFour K0 = KSI_SHUFFLE(hL, zero, 4, 2, 4, 4) + KSI_SHUFFLE(minus, zero, 4, 4, 1, 4) + inertia->row[0];
    const ksiFour K1 = KSI_SHUFFLE(hL, zero, 4, 4, 0, 4) + KSI_SHUFFLE(minus, zero, 2, 4, 4, 4) + inertia->row[1];
    const ksiFour K2 = KSI_SHUFFLE(hL, zero, 1, 4, 4, 4) + KSI_SHUFFLE(minus, zero, 4, 0, 4, 4) + inertia->row[2];
    Rows X;
    ksiCrossFour(&X.row[0], &K1, &K2);
    ksiCrossFour(&X.row[1], &K2, &K0);
    ksiCrossFour(&X.row[2], &K0, &K1);
    const double det = K0[0] * X.row[0][0] + K0[1] * X.row[0][1] + K0[2] * X.row[0][2];
    if (det == 0)
        return;
    const double r = 1 / det, scale = 1 / h;
    ksiFour gyroscopic;
    for (int j = 0; j < 3; j++) {
        const ksiFour x = r * X.row[j];
        ksiFour turn = x[0] * I.row[0] + x[1] * I.row[1] + x[2] * I.row[2];
        turn[j] -= 1;
        gyroscopic = j ? gyroscopic + L[j] * scale * turn : L[j] * scale * turn;
    }
    *torque += gyroscopic;
    ksiStoreThree(out->gyroscopic, &gyroscopic);
}

void ksiReadExtras(dBodyID body, ksiBodyExtras *out)
{
    dBodyGetFiniteRotationAxis(body, out->finiteAxis);
    out->finiteAxis[3] = 0;
    out->linearDamping = dBodyGetLinearDamping(body);
    out->angularDamping = dBodyGetAngularDamping(body);
    out->linearThreshold = dBodyGetLinearDampingThreshold(body);
    out->angularThreshold = dBodyGetAngularDampingThreshold(body);
    out->maxAngularSpeed = dBodyGetMaxAngularSpeed(body);
}

static void readExtras(const ksiEngine *engine, dBodyID body, ksiBodyExtras *out)
{
    if (engine->images)
        *out = ksiImageOfBody(body)->extras;
    else
        ksiReadExtras(body, out);
}

KSI_INLINE void readDamping(const ksiBodyExtras *extras, unsigned flags, ksiBody *out)
{
    out->linearDamping = out->angularDamping = 0;
    out->maxAngularSpeed = dInfinity;
    out->damped = (flags & (KSI_BODY_SPEED_CAP | KSI_BODY_LINEAR_DAMPING | KSI_BODY_ANGULAR_DAMPING)) != 0;
    if (flags & KSI_BODY_SPEED_CAP)
        out->maxAngularSpeed = extras->maxAngularSpeed;
    if (!(flags & (KSI_BODY_LINEAR_DAMPING | KSI_BODY_ANGULAR_DAMPING)))
        return;
    const double linear = extras->linearThreshold, angular = extras->angularThreshold;
    out->linearDamping = extras->linearDamping;
    out->angularDamping = extras->angularDamping;
    out->linearThreshold2 = linear * linear;
    out->angularThreshold2 = angular * angular;
}

/* Returns 1 if all numbers are finite. The engine's joints read the quaternion as well. */
KSI_INLINE int readState(const ksiEngine *engine, dBodyID body, const ksiBodyNumbers *from, const Rows *R, ksiBody *out)
{
    const ksiFour x = *(const ksiFour *)from->centre, q = *(const ksiFour *)from->quaternion;
    const ksiFour v = *(const ksiFour *)from->velocity, w = *(const ksiFour *)from->spin;
    const ksiFour sum = x + v + w + R->row[0] + R->row[1] + R->row[2];
    ksiStoreThree(out->centre, &x);
    store(out->rotation, R);
    ksiStoreThree(out->velocity, &v);
    ksiStoreThree(out->velocity + 3, &w);
    const unsigned flags = ksiFieldsOf(body)->flags;
    ksiBodyExtras extras;
    if (flags & KSI_BODY_HAS_EXTRAS)
        readExtras(engine, body, &extras);
    out->id = ksiIdOfBody(engine, body);
    out->kinematic = from->inverseMass == 0;
    out->isSingle = ksiIsSingle(ksiFieldsOf(body));
    out->enabled = !(flags & KSI_BODY_DISABLED);
    out->autoDisable = (flags & KSI_BODY_AUTO_DISABLE) != 0;
    readDamping(&extras, flags, out);
    out->finiteRotation = (flags & KSI_BODY_FINITE_ROTATION) != 0;
    if (out->finiteRotation)
        ksiTakeNumbers(out->finiteAxis, extras.finiteAxis, 3);
    return isfinite(sum[0] + sum[1] + sum[2] + q[0] + q[1] + q[2] + q[3]);
}

/* Computes the root of the mass, R L, and the columns of its inverse, L^-1 R^T. Returns the least
 * pivot of the inertia. */
KSI_INLINE double setRoot(const ksiBodyNumbers *from, int diagonal, const Rows *R, const Rows *RT, ksiRigidRoot *root)
{
    const double *I = from->inertia;
    const double mass = from->mass;
    const ksiFour zero = {0};
    double leastPivot;
    Rows L, X;
    if (diagonal) {
        const ksiFour l = {sqrt(I[0]), sqrt(I[5]), sqrt(I[10]), sqrt(mass)}, x = 1 / l;
        leastPivot = ksiSmaller(I[0], ksiSmaller(I[5], I[10]));
        root->mass = l[3];
        root->massInverse = x[3];
        for (int i = 0; i < 3; i++) {
            L.row[i] = l * R->row[i];
            X.row[i] = x * R->row[i];
        }
    } else {
        double own[12], inverse[12];
        leastPivot = rootOf(I, own, inverse);
        root->mass = sqrt(mass);
        root->massInverse = 1 / root->mass;
        const Rows ownRows = rowsOf(own), columns = product(inverse, RT);
        L = product(from->rotation, &ownRows);
        X = transposed(&columns);
    }
    store(root->inertia, &L);
    for (int i = 0; i < 3; i++)
        *(ksiFour *)root->column[i] = KSI_SHUFFLE(X.row[i], zero, 4, 0, 1, 2);
    return leastPivot;
}

/* Sets the mass, the inertia, the inverse as the stepper uses it, and the root of the mass. Returns
 * 0 if mass or inertia is not positive definite. */
KSI_INLINE int readMass(const ksiBodyNumbers *from, const Rows *R, Rows *inertia, ksiBody *out)
{
    const Rows RT = transposed(R);
    const double *I = from->inertia;
    const double mass = from->mass;
    const int diagonal = isDiagonal(I);
    *inertia = inWorld(from->rotation, &RT, I, diagonal);
    out->mass = mass;
    store(out->inertia, inertia);
    if (out->kinematic)
        return 1;
    const Rows inverse = inWorld(from->rotation, &RT, from->inverse, diagonal);
    store(out->inverse, &inverse);
    out->condition = trace(inertia) * trace(&inverse);
    const double leastPivot = setRoot(from, diagonal, R, &RT, &out->root);
    // uses the inertia in the body's axes: in world axes, its sums lose more digits
    out->dynamic = mass > 0 && leastPivot > pivotUnits * ksiEpsilon(out->isSingle) * (I[0] + I[5] + I[10]);
    return leastPivot > 0 && mass > 0;
}

static void clearForces(ksiBody *out)
{
    memset(out->inverse, 0, sizeof out->inverse);
    memset(out->force, 0, sizeof out->force);
    memset(out->gravity, 0, sizeof out->gravity);
    memset(out->gyroscopic, 0, sizeof out->gyroscopic);
    out->gyroscopicMode = out->dynamic = 0;
}

KSI_CLONES_EXACT
ksStatus ksiReadBody(const ksiEngine *engine, dBodyID body, double h, ksiBody *out)
{
    ksiBodyNumbers room;
    const ksiBodyNumbers *from = ksiNumbersOf(ksiFieldsOf(body), &room);
    const unsigned flags = ksiFieldsOf(body)->flags;
    Rows R = rowsOf(from->rotation);
    const ksiFour zero = {0};
    Rows inertia;
    const int finite = readState(engine, body, from, &R, out);
    if (!finite || out->kinematic)
        clearForces(out);
    if (!finite)
        return KS_ERROR_NOT_FINITE;
    if (out->isSingle) {
        from = makeRotation(from, &room);
        R = rowsOf(from->rotation);
    }
    const int positive = readMass(from, &R, &inertia, out);
    if (out->kinematic)
        return KS_OK;  // a kinematic body: neither its mass nor its force matters

    ksiFour force = *(const ksiFour *)from->force, torque = *(const ksiFour *)from->torque, weight = zero;
    if (!(flags & KSI_BODY_NO_GRAVITY)) {
        double gravity[4] = {0};
        ksiGetGravity(engine->world, gravity);
        weight = from->mass * *(const ksiFour *)gravity;
        force += weight;
    }
    ksiStoreThree(out->gravity, &weight);
    ksiStoreThree(out->gyroscopic, &zero);
    out->gyroscopicMode = (flags & KSI_BODY_GYROSCOPIC) != 0;
    if (out->gyroscopicMode)
        addGyroscopic(from, &inertia, h, &torque, out);
    ksiStoreThree(out->force, &force);
    ksiStoreThree(out->force + 3, &torque);
    const ksiFour sum = inertia.row[0] + inertia.row[1] + inertia.row[2] + force + torque;
    if (!isfinite(sum[0] + sum[1] + sum[2] + out->mass))
        return KS_ERROR_NOT_FINITE;
    return positive ? KS_OK : KS_ERROR_NOT_POSITIVE_DEFINITE;
}

int ksiReadState(dBodyID body, double centre[3], double rotation[9], double velocity[6])
{
    ksiBodyNumbers room;
    const ksiBodyNumbers *from = ksiNumbersOf(ksiFieldsOf(body), &room);
    const Rows R = rowsOf(from->rotation);
    ksiStoreThree(centre, (const ksiFour *)from->centre);
    store(rotation, &R);
    ksiStoreThree(velocity, (const ksiFour *)from->velocity);
    ksiStoreThree(velocity + 3, (const ksiFour *)from->spin);
    return !(ksiFieldsOf(body)->flags & KSI_BODY_DISABLED);
}

/* Undoes v *= 1 - s, which the stepper applies if |v|^2 > threshold^2. There are two candidates,
 * with speeds up to `max`: v itself, if it is below the threshold, and v / (1 - s), if this is
 * above the threshold. Sets v to the candidate nearest to the guess. */
static void undamp(double v[3], double scale, double threshold2, double max, const double guess[3], double rounding)
{
    if (scale == 1 && ksiDot(v, v) == 0 && ksiDot(guess, guess) > threshold2)
        ksiCopy(v, guess);  // the damping set a velocity above the threshold to zero
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

void ksiLostByDamping(const ksiBody *body, const double solved[6], double lost[6])
{
    const bool linear = body->linearDamping != 0 && ksiDot(solved, solved) > body->linearThreshold2,
               angular = body->angularDamping != 0 && ksiDot(solved + 3, solved + 3) > body->angularThreshold2;
    for (int i = 0; i < 3; i++) {
        lost[i] = linear ? body->linearDamping * solved[i] : 0;
        lost[3 + i] = angular ? body->angularDamping * solved[3 + i] : 0;
    }
}

int ksiUndoDamping(const ksiBody *body, const double finished[6], const double guess[6], double solved[6])
{
    double v[6];
    const double max = body->maxAngularSpeed, rounding = ksiRoundings(speedRounding, body->isSingle);
    if (!body->damped) {
        memcpy(solved, finished, sizeof v);
        return 0;
    }
    memcpy(v, finished, sizeof v);
    undamp(v, body->linearDamping, body->linearThreshold2, dInfinity, guess, rounding);
    undamp(v + 3, body->angularDamping, body->angularThreshold2, max, guess + 3, rounding);
    // the speed before the cap may have been any speed above it
    const double speed = sqrt(ksiDot(v + 3, v + 3));
    const int capped = max < dInfinity && fabs(speed - max) <= rounding * max;
    const double before = speed > 0 ? ksiDot(v + 3, guess + 3) / speed : 0;
    for (int i = 3; capped && i < 6; i++)
        v[i] = speed == 0 ? guess[i] : v[i] * fmax(1, before / speed);
    memcpy(solved, v, sizeof v);
    return capped;
}

/* The rotation of the step has a quaternion. Let g be its vector part divided by its scalar part,
 * which is tan(angle/2) along the axis of the rotation:
 *
 *     w = 2 g / h
 *
 * With a finite rotation about a (along g if it is finite about any axis), t = a.g, p = g - t a:
 *
 *     w = 2 atan(t)/h a + 4/h (p + t a x p)/(1 + t^2)
 *
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

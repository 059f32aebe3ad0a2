/* drift_kit.c  See drift_kit.h. Rows: a relative motion of joint parts is zero; e: position errors;
 * beta = -(dJ/dt) v. */
#include "tests/kits/drift_kit.h"

static const double kFits = 1e-13; /* m: largest remaining error, a few roundings of lengths of 1
                                      m */
static const double kZero = 1e-6;  /* largest singular value that counts as zero: its square is
                                      accurate to 1e-15 */
static const double kFree = 0.02;  /* least part of a unit self-stress in a joint that counts */

typedef double Matrix[KIT_ROWS][KIT_ROWS];
typedef struct Rows {
    double J[KIT_ROWS][6 * KIT_BODIES], e[KIT_ROWS], beta[KIT_ROWS];
} Rows;

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void cross(const double a[3], const double b[3], double out[3])
{
    const double c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    memcpy(out, c, sizeof c);
}

static void turn(const double R[9], const double a[3], double out[3])
{
    const double b[3] = {dot(R, a, 3), dot(R + 3, a, 3), dot(R + 6, a, 3)};
    memcpy(out, b, sizeof b);
}

static void turnBack(const double R[9], const double a[3], double out[3])
{
    double b[3];
    for (int i = 0; i < 3; i++)
        b[i] = R[i] * a[0] + R[3 + i] * a[1] + R[6 + i] * a[2];
    memcpy(out, b, sizeof b);
}

/* A B, or A B^T */
static void product(const double A[9], const double B[9], bool transposed, double out[9])
{
    double c[9] = {0};
    for (int i = 0; i < 9; i++)
        for (int k = 0; k < 3; k++)
            c[i] += A[i / 3 * 3 + k] * (transposed ? B[i % 3 * 3 + k] : B[3 * k + i % 3]);
    memcpy(out, c, sizeof c);
}

static const KitState ground = {{0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {0}};

static const KitState *stateOf(const KitState *state, int body)
{
    return body < 0 ? &ground : &state[body];
}

Mechanism kitMechanism(const char *name)
{
    Mechanism m = {.name = name, .world = heavyWorld()};
    return m;
}

int kitAddBody(Mechanism *m, double x, double y, double z)
{
    static const double size[3] = {0.3, 0.2, 0.1};
    const int i = m->bodies++;
    m->body[i] = addBox(m->world, 1, size, z);
    dBodySetPosition(m->body[i], x, y, z);
    for (int k = 0; k < 3; k++)
        m->inertia[i][k] = (dot(size, size, 3) - size[k] * size[k]) / 12;
    return i;
}

/* Computes rotations from quaternions: a matrix of single precision is not orthogonal, and
 * redundant loops fit exactly or not at all. */
void kitReadState(const Mechanism *m, KitState *state)
{
    for (int i = 0; i < m->bodies; i++) {
        const dReal *x = dBodyGetPosition(m->body[i]), *q = dBodyGetQuaternion(m->body[i]);
        const dReal *v = dBodyGetLinearVel(m->body[i]), *w = dBodyGetAngularVel(m->body[i]);
        double square = 0;
        for (int k = 0; k < 4; k++)
            square += (double)q[k] * q[k];
        for (int k = 0; k < 3; k++) {
            state[i].x[k] = x[k];
            state[i].v[k] = v[k];
            state[i].v[3 + k] = w[k];
            for (int l = 0; l < 3; l++) {
                const double across = k == l ? 0 : (l == (k + 1) % 3 ? -1. : 1.) * q[0] * q[4 - k - l];
                state[i].R[3 * k + l] = (k == l) + 2 * ((double)q[1 + k] * q[1 + l] + across) / square;
            }
            state[i].R[4 * k] -= 2 * (square - (double)q[0] * q[0]) / square;
        }
    }
}

static dJointID create(const Mechanism *m, KitType type, dBodyID a, dBodyID b, const double p[3], const double q[3])
{
    dJointID id = type == KIT_BALL    ? dJointCreateBall(m->world, NULL)
                  : type == KIT_HINGE ? dJointCreateHinge(m->world, NULL)
                  : type == KIT_WELD  ? dJointCreateFixed(m->world, NULL)
                  : type == KIT_ROD   ? dJointCreateDBall(m->world, NULL)
                                      : dJointCreateSlider(m->world, NULL);
    dJointAttach(id, a, b);
    if (type == KIT_BALL) {
        dJointSetBallAnchor(id, p[0], p[1], p[2]);
    } else if (type == KIT_HINGE) {
        dJointSetHingeAnchor(id, p[0], p[1], p[2]);
        dJointSetHingeAxis(id, q[0], q[1], q[2]);
    } else if (type == KIT_WELD) {
        dJointSetFixed(id);
    } else if (type == KIT_ROD) {
        dJointSetDBallAnchor1(id, p[0], p[1], p[2]);
        dJointSetDBallAnchor2(id, q[0], q[1], q[2]);
    } else {
        dJointSetSliderAxis(id, q[0], q[1], q[2]);
    }
    return id;
}

/* Adds a joint while all bodies are unrotated. */
void kitAddJoint(Mechanism *m, KitType type, int a, int b, const double p[3], const double q[3])
{
    static const int count[] = {3, 5, 6, 1, 5};
    KitState state[KIT_BODIES];
    KitJoint *j = &m->joint[m->joints++];
    kitReadState(m, state);
    *j = (KitJoint){.type = type, .a = a, .b = b, .row = m->rows};
    m->rows += count[type];
    const double *xa = state[a].x, *xb = stateOf(state, b)->x, *second = type == KIT_ROD ? q : p;
    double apart[3], n[3] = {0, 0, 1};
    for (int k = 0; k < 3; k++) {
        j->p[0][k] = type == KIT_WELD || type == KIT_SLIDER ? xb[k] - xa[k] : p[k] - xa[k];
        j->p[1][k] = type == KIT_WELD || type == KIT_SLIDER ? 0 : second[k] - xb[k];
        apart[k] = p[k] - second[k];
    }
    j->length = sqrt(dot(apart, apart, 3));
    product(state[a].R, ground.R, false, j->turn);
    if (type == KIT_HINGE || type == KIT_SLIDER) {
        const double length = sqrt(dot(q, q, 3));
        const double other[3] = {fabs(q[0]) < 0.6 * length, fabs(q[0]) >= 0.6 * length, 0};
        for (int k = 0; k < 3; k++)
            j->axis[0][k] = j->axis[1][k] = q[k] / length;
        cross(j->axis[0], other, n);
        const double size = sqrt(dot(n, n, 3));
        for (int k = 0; k < 3; k++)
            j->across[0][k] = n[k] / size;
        cross(j->axis[0], j->across[0], j->across[1]);
    }
    j->id = create(m, type, m->body[a], b < 0 ? NULL : m->body[b], p, q);
}

static void put(Rows *rows, int row, int body, double sign, const double linear[3], const double angular[3])
{
    for (int k = 0; body >= 0 && k < 3; k++) {
        rows->J[row][6 * body + k] = sign * linear[k];
        rows->J[row][6 * body + 3 + k] = sign * angular[k];
    }
}

/* n . (point of a - point of b) */
static void putPoint(Rows *rows, int row, const KitJoint *j, const double n[3], const double ra[3], const double rb[3])
{
    double moment[3];
    cross(ra, n, moment);
    put(rows, row, j->a, 1, n, moment);
    cross(rb, n, moment);
    put(rows, row, j->b, -1, n, moment);
}

static const double none[3];

/* Rotation vector of a small rotation. */
static void orientation(const KitJoint *j, const KitState *a, const KitState *b, double out[3])
{
    double E[9];
    product(a->R, j->turn, false, E);
    product(E, b->R, true, E);
    const double cosine = (E[0] + E[4] + E[8] - 1) / 2, times = sqrt(2 / (1 + cosine));
    out[0] = times * (E[7] - E[5]) / 2, out[1] = times * (E[2] - E[6]) / 2, out[2] = times * (E[3] - E[1]) / 2;
}

static void jointRows(const KitJoint *j, const KitState *state, Rows *rows)
{
    const KitState *a = &state[j->a], *b = stateOf(state, j->b);
    double ra[3], rb[3], gap[3], inward[3], second[3], u[3], W[3], along[3], angle[3];
    int r = j->row;
    turn(a->R, j->p[0], ra);
    turn(b->R, j->p[1], rb);
    cross(a->v + 3, ra, u);
    cross(a->v + 3, u, inward);
    cross(b->v + 3, rb, second);
    for (int k = 0; k < 3; k++) {
        gap[k] = a->x[k] + ra[k] - b->x[k] - rb[k];
        u[k] += a->v[k] - b->v[k] - second[k];
        W[k] = a->v[3 + k] - b->v[3 + k];
    }
    cross(b->v + 3, second, second);
    for (int k = 0; k < 3; k++)
        inward[k] -= second[k];
    turn(a->R, j->axis[0], along);
    for (int k = 0; k < 3 && j->type <= KIT_WELD; k++, r++) {
        double n[3] = {k == 0, k == 1, k == 2};
        putPoint(rows, r, j, n, ra, rb);
        rows->e[r] = gap[k];
        rows->beta[r] = -inward[k];
    }
    if (j->type == KIT_HINGE) {
        double other[3], tilt[3], p[3], rate[3];
        turn(b->R, j->axis[1], other);
        cross(along, other, tilt);
        for (int i = 0; i < 2; i++, r++) {
            turn(a->R, j->across[i], p);
            put(rows, r, j->a, 1, none, p);
            put(rows, r, j->b, -1, none, p);
            cross(a->v + 3, p, rate);
            rows->e[r] = -dot(p, tilt, 3);
            rows->beta[r] = -dot(W, along, 3) * dot(rate, along, 3);
        }
    }
    if (j->type == KIT_WELD || j->type == KIT_SLIDER) {
        orientation(j, a, b, angle);
        for (int k = 0; k < 3; k++, r++) {
            const double n[3] = {k == 0, k == 1, k == 2};
            put(rows, r, j->a, 1, none, n);
            put(rows, r, j->b, -1, none, n);
            rows->e[r] = angle[k];
        }
    }
    // for sliders on the world only
    for (int i = 0; j->type == KIT_SLIDER && i < 2; i++, r++) {
        double p[3], rate[3];
        turn(a->R, j->across[i], p);
        put(rows, r, j->a, 1, p, none);
        cross(a->v + 3, p, rate);
        rows->e[r] = dot(p, gap, 3);
        rows->beta[r] = -dot(rate, a->v, 3);
    }
    if (j->type == KIT_ROD) {
        const double length = sqrt(dot(gap, gap, 3));
        double n[3];
        for (int k = 0; k < 3; k++)
            n[k] = gap[k] / length;
        putPoint(rows, r, j, n, ra, rb);
        rows->e[r] = length - j->length;
        rows->beta[r] = -dot(inward, n, 3) - (dot(u, u, 3) - dot(u, n, 3) * dot(u, n, 3)) / length;
    }
}

/* J, then the rows in the mass metric, which is the kinematic one since masses are 1. length: of
 * these rows. */
static void findRows(const Mechanism *m, const KitState *state, Rows *rows, double K[][6 * KIT_BODIES], double *length)
{
    memset(rows, 0, sizeof *rows);
    for (int j = 0; j < m->joints; j++)
        jointRows(&m->joint[j], state, rows);
    for (int r = 0; r < m->rows; r++) {
        for (int b = 0; b < m->bodies; b++) {
            memcpy(K[r] + 6 * b, rows->J[r] + 6 * b, 3 * sizeof(double));
            turnBack(state[b].R, rows->J[r] + 6 * b + 3, K[r] + 6 * b + 3);
            for (int k = 0; k < 3; k++)
                K[r][6 * b + 3 + k] /= sqrt(m->inertia[b][k]);
        }
        length[r] = sqrt(dot(K[r], K[r], 6 * m->bodies));
        for (int k = 0; k < 6 * m->bodies; k++)
            K[r][k] /= length[r];
    }
}

static void gram(const Mechanism *m, double K[][6 * KIT_BODIES], double plus, Matrix A)
{
    for (int i = 0; i < m->rows; i++)
        for (int k = 0; k < m->rows; k++)
            A[i][k] = dot(K[i], K[k], 6 * m->bodies) + (i == k ? plus : 0);
}

/* Eigenvalues and vectors (columns of V), by Jacobi's rotations. */
static void diagonalise(int n, Matrix A, Matrix V)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            V[i][k] = i == k;
    for (int sweep = 0; sweep < 30; sweep++)
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) {
                if (fabs(A[p][q]) < 1e-300)
                    continue;
                const double theta = (A[q][q] - A[p][p]) / (2 * A[p][q]);
                const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
                const double c = 1 / sqrt(t * t + 1), s = t * c;
                for (int k = 0; k < n; k++) {
                    const double x = A[k][p], y = A[k][q];
                    A[k][p] = c * x - s * y, A[k][q] = s * x + c * y;
                }
                for (int k = 0; k < n; k++) {
                    const double x = A[p][k], y = A[q][k], z = V[k][p], w = V[k][q];
                    A[p][k] = c * x - s * y, A[q][k] = s * x + c * y;
                    V[k][p] = c * z - s * w, V[k][q] = s * z + c * w;
                }
            }
}

/* x := A^+ x, without eigenvalues up to `zero` */
static void solveEigen(int n, Matrix A, Matrix V, double zero, double *x)
{
    double y[KIT_ROWS];
    for (int k = 0; k < n; k++) {
        y[k] = 0;
        for (int i = 0; i < n; i++)
            y[k] += V[i][k] * x[i];
        y[k] = A[k][k] > zero ? y[k] / A[k][k] : 0;
    }
    for (int i = 0; i < n; i++)
        x[i] = dot(V[i], y, n);
}

/* The rotation by the rotation vector w, in double precision: I + a [w] + b [w]^2 (Rodrigues). The
 * engine's own function has the precision of the engine. */
static void rotationBy(const double w[3], double Q[9])
{
    const double square = dot(w, w, 3), angle = sqrt(square);
    const double a = angle > 0 ? sin(angle) / angle : 1, half = angle > 0 ? sin(0.5 * angle) / angle : 0.5;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const double crossed = i == k ? 0 : (k == (i + 1) % 3 ? -1 : 1) * w[3 - i - k];
            Q[3 * i + k] = (i == k) + a * crossed + 2 * half * half * (w[i] * w[k] - (i == k) * square);
        }
}

static void move(const Mechanism *m, KitState *state, const double *scaled, bool velocity)
{
    for (int b = 0; b < m->bodies; b++) {
        double motion[6];
        memcpy(motion, scaled + 6 * b, sizeof motion);
        for (int k = 0; k < 3; k++)
            motion[3 + k] /= sqrt(m->inertia[b][k]);
        turn(state[b].R, motion + 3, motion + 3);
        if (velocity) {
            for (int k = 0; k < 6; k++)
                state[b].v[k] += motion[k];
            continue;
        }
        double Q[9];
        rotationBy(motion + 3, Q);
        product(Q, state[b].R, false, state[b].R);
        for (int k = 0; k < 3; k++)
            state[b].x[k] += motion[k];
    }
}

static Matrix A, V;
static double K[KIT_ROWS][6 * KIT_BODIES];

/* Levenberg steps, damped by the square of the remaining error, until it vanishes. */
static bool fit(const Mechanism *m, KitState *state, Rows *rows, double *length, double *drift)
{
    for (int round = 0; round < 60; round++) {
        double y[KIT_ROWS], motion[6 * KIT_BODIES] = {0}, size, largest = 0, radius = 0;
        findRows(m, state, rows, K, length);
        for (int r = 0; r < m->rows; r++) {
            y[r] = -rows->e[r] / length[r];
            largest = fmax(largest, fabs(y[r]));
        }
        for (int b = 0; b < m->bodies; b++)
            radius += sqrt((m->inertia[b][0] + m->inertia[b][1] + m->inertia[b][2]) / 2) / m->bodies;
        size = sqrt(dot(y, y, m->rows));
        if (round == 0)
            *drift = largest / radius;
        if (size < kFits)
            return true;
        gram(m, K, fmax(size * size, 1e-14), A);
        diagonalise(m->rows, A, V);
        solveEigen(m->rows, A, V, 0, y);
        for (int r = 0; r < m->rows; r++)
            for (int k = 0; k < 6 * m->bodies; k++)
                motion[k] += y[r] * K[r][k];
        move(m, state, motion, false);
    }
    return false;
}

/* In the world's axes of the fitting pose, in scaled coordinates. */
static void wrenchOf(const Mechanism *m, const KitState *given, const Rows *rows, int index, const double *multiplier,
                     double out[12])
{
    static const int own[] = {3, 5, 6, 1, 5};
    const KitJoint *j = &m->joint[index];
    for (int side = 0; side < 2; side++) {
        const int body = side ? j->b : j->a;
        ksWrench w = {{0}, {0}};
        for (int r = j->row; body >= 0 && r < j->row + own[j->type]; r++)
            for (int k = 0; k < 3; k++) {
                w.force[k] += multiplier[r] * rows->J[r][6 * body + k];
                w.torque[k] += multiplier[r] * rows->J[r][6 * body + 3 + k];
            }
        kitScale(m, given, index, side, &w, out + 6 * side);
    }
}

/* Orthonormal basis of the wrenches that self-stresses can put on a joint. */
static void freeOf(const Mechanism *m, const KitState *given, const Rows *rows, const double *length, int index,
                   double zero, double (*free)[12], int *count)
{
    const KitJoint *j = &m->joint[index];
    static const int own[] = {3, 5, 6, 1, 5};
    *count = 0;
    for (int k = 0; k < m->rows; k++) {
        double multiplier[KIT_ROWS] = {0}, w[12];
        if (A[k][k] > zero)
            continue;
        for (int r = j->row; r < j->row + own[j->type]; r++)
            multiplier[r] = V[r][k] / length[r];
        wrenchOf(m, given, rows, index, multiplier, w);
        for (int pass = 0; pass < 2; pass++)
            for (int f = 0; f < *count; f++) {
                const double part = dot(w, free[f], 12);
                for (int i = 0; i < 12; i++)
                    w[i] -= part * free[f][i];
            }
        const double size = sqrt(dot(w, w, 12));
        if (size < kFree || *count == 6)
            continue;
        for (int i = 0; i < 12; i++)
            free[*count][i] = w[i] / size;
        ++*count;
    }
}

/* Gravity and -w x I w, scaled. */
static void forces(const Mechanism *m, const KitState *state, double *f)
{
    for (int b = 0; b < m->bodies; b++) {
        double w[3], L[3];
        turnBack(state[b].R, state[b].v + 3, w);
        for (int k = 0; k < 3; k++)
            L[k] = m->inertia[b][k] * w[k];
        cross(L, w, L);
        for (int k = 0; k < 3; k++) {
            f[6 * b + k] = k == 2 ? -SCENE_GRAVITY : 0;
            f[6 * b + 3 + k] = L[k] / sqrt(m->inertia[b][k]);
        }
    }
}

static void putReactions(const Mechanism *m, const KitState *given, const double *multiplier, const Rows *rows,
                         KitTruth *truth)
{
    for (int i = 0; i < m->joints; i++) {
        wrenchOf(m, given, rows, i, multiplier, truth->reaction[i]);
        memcpy(truth->force[i], truth->reaction[i], sizeof truth->force[i]);
        truth->largest = fmax(truth->largest, sqrt(dot(truth->reaction[i], truth->reaction[i], 12)));
    }
}

KitTruth kitFindTruth(const Mechanism *m, const KitState *given)
{
    KitTruth truth = {.leastSigma = 1};
    KitState state[KIT_BODIES];
    static Rows rows;
    double length[KIT_ROWS], y[KIT_ROWS], f[6 * KIT_BODIES], motion[6 * KIT_BODIES] = {0};
    const int coordinates = 6 * m->bodies;
    memcpy(state, given, (size_t)m->bodies * sizeof *state);
    truth.fits = fit(m, state, &rows, length, &truth.drift);
    gram(m, K, 0, A);
    diagonalise(m->rows, A, V);
    const double zero = m->isTree ? -1 : kZero * kZero;
    for (int k = 0; k < m->rows; k++) {
        truth.rank += A[k][k] > zero;
        truth.leastSigma = A[k][k] > zero ? fmin(truth.leastSigma, sqrt(A[k][k])) : truth.leastSigma;
    }
    for (int i = 0; i < m->joints; i++)
        freeOf(m, given, &rows, length, i, zero, truth.free[i], &truth.freeCount[i]);
    // velocities that the rows allow, and their accelerations and forces
    for (int r = 0; r < m->rows; r++) {
        y[r] = 0;
        for (int b = 0; b < m->bodies; b++)
            y[r] -= dot(rows.J[r] + 6 * b, state[b].v, 6) / length[r];
    }
    solveEigen(m->rows, A, V, zero, y);
    for (int r = 0; r < m->rows; r++)
        for (int k = 0; k < coordinates; k++)
            motion[k] += y[r] * K[r][k];
    move(m, state, motion, true);
    findRows(m, state, &rows, K, length);
    forces(m, state, f);
    for (int r = 0; r < m->rows; r++)
        y[r] = rows.beta[r] / length[r] - dot(K[r], f, coordinates);
    solveEigen(m->rows, A, V, zero, y);
    for (int r = 0; r < m->rows; r++)
        y[r] /= length[r];
    putReactions(m, given, y, &rows, &truth);
    return truth;
}

void kitScale(const Mechanism *m, const KitState *state, int j, int side, const ksWrench *w, double out[6])
{
    const int body = side ? m->joint[j].b : m->joint[j].a;
    memset(out, 0, 6 * sizeof *out);
    if (body < 0)
        return;
    memcpy(out, w->force, sizeof w->force);
    turnBack(state[body].R, w->torque, out + 3);
    for (int k = 0; k < 3; k++)
        out[3 + k] /= sqrt(m->inertia[body][k]);
}

/* e^T d - sum (K e)_k (K d)_k / sigma_k^2 over the independent directions, in coordinates scaled by
 * the masses. */
double kitFindMobility(const Mechanism *m, const KitState *given, int at, const double along[6], int from,
                       const double impulse[6])
{
    KitState state[KIT_BODIES];
    static Rows rows;
    double length[KIT_ROWS], drift, scaled[2][6], by[2][KIT_ROWS];
    memcpy(state, given, (size_t)m->bodies * sizeof *state);
    ck_assert(fit(m, state, &rows, length, &drift));
    gram(m, K, 0, A);
    diagonalise(m->rows, A, V);
    for (int i = 0; i < 2; i++) {
        const int body = i ? from : at;
        memcpy(scaled[i], i ? impulse : along, sizeof scaled[i]);
        turnBack(state[body].R, scaled[i] + 3, scaled[i] + 3);
        for (int k = 0; k < 3; k++)
            scaled[i][3 + k] /= sqrt(m->inertia[body][k]);
        for (int r = 0; r < m->rows; r++)
            by[i][r] = dot(K[r] + 6 * body, scaled[i], 6);
    }
    double mobility = at == from ? dot(scaled[0], scaled[1], 6) : 0;
    for (int k = 0; k < m->rows; k++) {
        double part[2] = {0, 0};
        for (int r = 0; r < m->rows; r++)
            for (int i = 0; i < 2; i++)
                part[i] += V[r][k] * by[i][r];
        if (A[k][k] > kZero * kZero)
            mobility -= part[0] * part[1] / A[k][k];
    }
    return mobility;
}

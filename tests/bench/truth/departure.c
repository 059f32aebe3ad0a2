/* departure.c  The departure of the engine's multipliers from the mechanism's, as far as its causes
 * are known, by dense algebra of its own. See departure.h. */
#include "departure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One row, six elements on each body, with the bodies' and the joint's numbers in the scene; -1:
 * none. */
typedef struct Row {
    int body[2], joint, side[2];
    double piece[2][6], forbidden;
} Row;

struct TruthDeparture {
    const Scene *scene;
    ksInspector *inspector;
    double (*velocity)[6]; /* [bodies] before the step */
    dMatrix3 *rotation;    /* [bodies] likewise */
    double (*torque)[3];   /* [bodies] the host's torque; then the engine's torque less the mechanism's */
    double *target;        /* [6 joints] targets of the motors' rows in the last step; NaN: none */
    Row *row;              /* [6 joints] */
    double *matrix, *right;
    ksWrench *impulse; /* [2 joints] impulses of the last step */
    bool wasKnown;
};

enum { MOST = 6 };

TruthDeparture *truthDepartureOpen(const Scene *scene, ksInspector *inspector)
{
    const size_t joints = (size_t)scene->jointCount + 1, rows = MOST * joints;
    TruthDeparture *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    *d = (TruthDeparture){.scene = scene, .inspector = inspector};
    d->velocity = calloc((size_t)scene->bodyCount + 1, sizeof *d->velocity);
    d->rotation = calloc((size_t)scene->bodyCount + 1, sizeof *d->rotation);
    d->torque = calloc((size_t)scene->bodyCount + 1, sizeof *d->torque);
    d->target = calloc(rows, sizeof *d->target);
    d->row = calloc(rows, sizeof *d->row);
    d->matrix = calloc(rows * rows, sizeof *d->matrix);
    d->right = calloc(rows, sizeof *d->right);
    d->impulse = calloc(2 * joints, sizeof *d->impulse);
    for (size_t i = 0; d->target && i < rows; i++)
        d->target[i] = NAN;
    if (d->velocity && d->rotation && d->torque && d->target && d->row && d->matrix && d->right && d->impulse)
        return d;
    truthDepartureClose(d);
    return NULL;
}

void truthDepartureClose(TruthDeparture *d)
{
    if (!d)
        return;
    free(d->velocity);
    free(d->rotation);
    free(d->torque);
    free(d->target);
    free(d->row);
    free(d->matrix);
    free(d->right);
    free(d->impulse);
    free(d);
}

static void velocityOf(dBodyID body, double v[6])
{
    for (int k = 0; k < 3; k++) {
        v[k] = dBodyGetLinearVel(body)[k];
        v[3 + k] = dBodyGetAngularVel(body)[k];
    }
}

void truthDepartureBefore(TruthDeparture *d)
{
    for (int i = 0; i < d->scene->bodyCount; i++) {
        velocityOf(d->scene->body[i], d->velocity[i]);
        memcpy(d->torque[i], dBodyGetTorque(d->scene->body[i]), sizeof d->torque[i]);
        memcpy(d->rotation[i], dBodyGetRotation(d->scene->body[i]), sizeof d->rotation[i]);
    }
}

static int placeOf(const Scene *scene, dBodyID body)
{
    for (int i = 0; body && !dBodyIsKinematic(body) && i < scene->bodyCount; i++)
        if (scene->body[i] == body)
            return i;
    return -1;
}

static double dot(const double a[6], const double b[6])
{
    double sum = 0;
    for (int k = 0; k < 6; k++)
        sum += a[k] * b[k];
    return sum;
}

/* Reads the permanent rows and their velocity errors; returns their number. */
static int readRows(TruthDeparture *d)
{
    const double mostSoft = 1e-6; /* s/kg: a row with a larger cfm is a spring */
    int count = 0;
    for (int j = 0; j < d->scene->jointCount; j++) {
        const ksReaction *r = ksInspectorGetReaction(d->inspector, d->scene->joint[j]);
        for (int l = 0; r && l < r->rowCount; l++) {
            const ksRow *from = &r->row[l];
            const bool isMotor = from->kind == KS_ROW_MOTOR;
            const double before = d->target[MOST * j + l];
            d->target[MOST * j + l] = isMotor ? from->c : (double)NAN;
            // ksRow::place belongs to the converged solution, in which other motors may be at their
            // bounds
            if (!(from->engine > from->lo && from->engine < from->hi) || from->cfm > mostSoft)
                continue;
            Row *row = &d->row[count++];
            *row = (Row){.joint = j, .forbidden = !isMotor ? 0 : isnan(before) ? -from->c : -before};
            for (int side = 0; side < 2; side++) {
                row->body[side] = placeOf(d->scene, r->body[side]);
                memcpy(row->piece[side], from->jacobian[side], sizeof row->piece[side]);
                if (row->body[side] >= 0)
                    row->forbidden += dot(row->piece[side], d->velocity[row->body[side]]);
            }
        }
    }
    return count;
}

/* M^-1 times a row's elements on a body */
static void divide(const TruthDeparture *d, int body, const double piece[6], double out[6])
{
    double mass, inverse[9];
    ksInspectorGetMass(d->inspector, d->scene->body[body], &mass, inverse);
    for (int k = 0; k < 3; k++) {
        out[k] = piece[k] / mass;
        out[3 + k] = inverse[3 * k] * piece[3] + inverse[3 * k + 1] * piece[4] + inverse[3 * k + 2] * piece[5];
    }
}

/* J M^-1 J^T, lower triangle */
static void gather(TruthDeparture *d, int count)
{
    memset(d->matrix, 0, (size_t)count * (size_t)count * sizeof *d->matrix);
    for (int i = 0; i < count; i++)
        for (int side = 0; side < 2; side++) {
            double over[6];
            const int body = d->row[i].body[side];
            if (body < 0)
                continue;
            divide(d, body, d->row[i].piece[side], over);
            for (int m = 0; m <= i; m++)
                for (int other = 0; other < 2; other++)
                    if (d->row[m].body[other] == body)
                        d->matrix[i * count + m] += dot(over, d->row[m].piece[other]);
        }
}

/* Cholesky's factor; false if rows are dependent. */
static bool factor(double *a, int n)
{
    const double least = 1e-10; /* least ratio of a pivot to its diagonal element */
    for (int i = 0; i < n; i++) {
        const double whole = a[i * n + i];
        for (int j = 0; j <= i; j++) {
            double sum = a[i * n + j];
            for (int k = 0; k < j; k++)
                sum -= a[i * n + k] * a[j * n + k];
            if (i == j && !(sum > least * whole))
                return false;
            a[i * n + j] = i == j ? sqrt(sum) : sum / a[j * n + j];
        }
    }
    return true;
}

/* Solves for d->right, and adds the wrenches of the solution times a factor to `sum` [2 joints]. */
static void solve(TruthDeparture *d, int n, double times, ksWrench *sum)
{
    const double *a = d->matrix;
    double *x = d->right;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            x[i] -= a[i * n + k] * x[k];
        x[i] /= a[i * n + i];
    }
    for (int i = n; i-- > 0;) {
        x[i] /= a[i * n + i];
        for (int k = 0; k < i; k++)
            x[k] -= a[i * n + k] * x[i];
    }
    for (int i = 0; i < n; i++)
        for (int side = 0; side < 2; side++)
            for (int k = 0; k < 6; k++)
                ((double *)&sum[2 * d->row[i].joint + side])[k] += times * x[i] * d->row[i].piece[side][k];
}

/* I w in the pose before the step */
static void momentum(const TruthDeparture *d, int body, const double w[3], double out[3])
{
    dMass mass;
    double own[3] = {0}, turned[3] = {0};
    dBodyGetMass(d->scene->body[body], &mass);
    const dReal *R = d->rotation[body];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            own[k] += R[4 * i + k] * w[i];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            turned[i] += mass.I[4 * i + k] * own[k];
    for (int i = 0; i < 3; i++) {
        out[i] = 0;
        for (int k = 0; k < 3; k++)
            out[i] += R[4 * i + k] * turned[k];
    }
}

/* The torque of the engine's motion without reactions, less the host's torque and -w x I w. */
static void findTorques(TruthDeparture *d, double h)
{
    size_t count;
    const ksReaction *r = ksInspectorGetReactions(d->inspector, &count);
    for (int i = 0; i < d->scene->bodyCount; i++) {
        double now[6], before[3], after[3];
        const double *w = d->velocity[i] + 3;
        velocityOf(d->scene->body[i], now);
        momentum(d, i, w, before);
        momentum(d, i, now + 3, after);
        for (int k = 0; k < 3; k++) {
            const int p = (k + 1) % 3, q = (k + 2) % 3;
            d->torque[i][k] = (after[k] - before[k]) / h - d->torque[i][k] + w[p] * before[q] - w[q] * before[p];
        }
    }
    for (size_t i = 0; i < count; i++)
        for (int side = 0; side < 2; side++) {
            const int body = placeOf(d->scene, r[i].body[side]);
            for (int k = 0; body >= 0 && r[i].verdict != KS_NOT_SOLVED && k < 3; k++)
                d->torque[body][k] -= r[i].engine[side].torque[k];
        }
}

/* -J M^-1 of these torques */
static void gatherTorques(TruthDeparture *d, int count)
{
    for (int i = 0; i < count; i++) {
        d->right[i] = 0;
        for (int side = 0; side < 2; side++) {
            double over[6];
            const int body = d->row[i].body[side];
            if (body < 0)
                continue;
            divide(d, body, d->row[i].piece[side], over);
            for (int k = 0; k < 3; k++)
                d->right[i] -= over[3 + k] * d->torque[body][k];
        }
    }
}

bool truthDepartureAfter(TruthDeparture *d, double h, ksWrench *last, ksWrench *now)
{
    const int count = readRows(d);
    const size_t joints = 2 * (size_t)d->scene->jointCount;
    gather(d, count);
    const bool isKnown = factor(d->matrix, count), goesOn = isKnown && d->wasKnown;
    memset(last, 0, joints * sizeof *last);
    memset(now, 0, joints * sizeof *now);
    for (size_t i = 0; goesOn && i < 6 * joints; i++)
        ((double *)last)[i] = -((const double *)d->impulse)[i];
    memset(d->impulse, 0, joints * sizeof *d->impulse);
    d->wasKnown = isKnown;
    if (!isKnown)
        return false;
    for (int i = 0; i < count; i++)
        d->right[i] = d->row[i].forbidden;
    solve(d, count, 1, d->impulse);
    for (size_t i = 0; goesOn && i < 6 * joints; i++)
        ((double *)last)[i] += ((const double *)d->impulse)[i];
    findTorques(d, h);
    gatherTorques(d, count);
    solve(d, count, h, now);
    return goesOn;
}

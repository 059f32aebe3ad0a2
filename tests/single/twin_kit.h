/* twin_kit.h  Compares the values that builds of different precision publish for the same state:
 * wrenches of joints on their first body, component by component, their distance against the sum of
 * both bars. */
#ifndef TESTS_SINGLE_TWIN_KIT_H
#define TESTS_SINGLE_TWIN_KIT_H

#include <kinetostat/kinetostat.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* m: of the machines */
static const double lever = 0.1;

/* of a wrench: multipliers have bars, and the rows that turn them into wrenches are known to single
 * precision */
static const double turned = 4 * (double)FLT_EPSILON;

typedef struct Value {
    double wrench[6], bar[6];
} Value;

typedef struct Told {
    int verdict, isUnique;
    Value of[2]; /* physical, converged */
} Told;

static inline void stop(const char *why)
{
    perror(why);
    exit(99);
}

static inline void fill(const ksReaction *reaction, ksValue value, Value *out)
{
    const ksWrench *wrench = value == KS_PHYSICAL ? &reaction->physical[0] : &reaction->converged[0];
    for (int k = 0; k < 3; k++) {
        out->wrench[k] = wrench->force[k];
        out->wrench[3 + k] = wrench->torque[k];
    }
    for (int k = 0; k < 6; k++) {
        out->bar[k] = 0;
        for (int l = 0; l < reaction->rowCount; l++) {
            const ksRow *row = &reaction->row[l];
            out->bar[k] += fabs(row->jacobian[0][k]) * (value == KS_PHYSICAL ? row->physicalBar : row->errorBar);
        }
    }
}

static inline void ask(ksInspector *inspector, dJointID joint, Told *out)
{
    const ksReaction *reaction = ksInspectorGetReaction(inspector, joint);
    memset(out, 0, sizeof *out);
    if (!reaction)
        return;
    out->verdict = (int)reaction->verdict;
    out->isUnique = reaction->freeCount == 0;
    fill(reaction, KS_PHYSICAL, &out->of[0]);
    fill(reaction, KS_CONVERGED, &out->of[1]);
}

static inline int order(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Errors of one kind of value. */
typedef struct Errors {
    double *relative;
    size_t count, capacity, outside;
    double farthest;    /* largest error, in bars */
    double turn, lever; /* rad, m: rounding of rows that are differences of points in the world */
} Errors;

static inline double sizeOf(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* Relative to force and torque together, since one of them may be rounding alone. */
static inline void compare(const Value *a, const Value *b, Errors *errors)
{
    const double whole = hypot(sizeOf(b->wrench) * lever, sizeOf(b->wrench + 3));
    const double force = sizeOf(b->wrench);
    for (int part = 0; part < 2; part++) {
        const double size = sizeOf(b->wrench + 3 * part);
        double off = 0;
        for (int k = 3 * part; k < 3 * part + 3; k++) {
            const double apart = fabs(a->wrench[k] - b->wrench[k]);
            const double bar = a->bar[k] + b->bar[k] + turned * size + (part ? errors->lever : errors->turn) * force;
            errors->outside += apart > bar;
            if (apart > bar)
                errors->farthest = fmax(errors->farthest, apart / bar);
            off += apart * apart * (part ? 1 : lever * lever);
        }
        if (errors->count == errors->capacity) {
            errors->capacity = 2 * errors->capacity + 1024;
            errors->relative = realloc(errors->relative, errors->capacity * sizeof *errors->relative);
            if (!errors->relative)
                stop("memory");
        }
        errors->relative[errors->count++] = whole > 0 ? sqrt(off) / whole : 0;
    }
}

/* most: of the components of a machine; beyond it bars are too short */
static inline int tell(const char *name, const char *value, double most, Errors *errors)
{
    if (errors->count == 0)
        return 0;
    qsort(errors->relative, errors->count, sizeof *errors->relative, order);
    const double outside = (double)errors->outside / (3. * (double)errors->count);
    printf("%-18s %-9s %8zu  %8.1e  %8.1e  %6.2f %%  %8.1e\n", name, value, errors->count,
           errors->relative[errors->count / 2], errors->relative[errors->count * 95 / 100], 100 * outside,
           errors->farthest);
    free(errors->relative);
    return outside > most;
}

static inline void move(FILE *file, int writes, void *data, size_t bytes)
{
    if ((writes ? fwrite(data, 1, bytes, file) : fread(data, 1, bytes, file)) != bytes)
        stop("twin");
}

/* A body's position, orientation and velocities: written, or read and set. */
static inline void moveBody(FILE *file, int writes, dBodyID body)
{
    const dReal *of[4] = {dBodyGetPosition(body), dBodyGetQuaternion(body), dBodyGetLinearVel(body),
                          dBodyGetAngularVel(body)};
    static const int size[4] = {3, 4, 3, 3};
    double s[13];
    for (int i = 0, at = 0; i < 4; i++)
        for (int k = 0; k < size[i]; k++)
            s[at++] = of[i][k];
    move(file, writes, s, sizeof s);
    if (writes)
        return;
    const dQuaternion turn = {(dReal)s[3], (dReal)s[4], (dReal)s[5], (dReal)s[6]};
    dBodySetPosition(body, (dReal)s[0], (dReal)s[1], (dReal)s[2]);
    dBodySetQuaternion(body, turn);
    dBodySetLinearVel(body, (dReal)s[7], (dReal)s[8], (dReal)s[9]);
    dBodySetAngularVel(body, (dReal)s[10], (dReal)s[11], (dReal)s[12]);
}

/* Converged values of dependent rows adopt the engine's own split, which is one of rounding. */
static inline int isRedundant(ksInspector *inspector)
{
    const ksStepReport *report = ksInspectorGetStepReport(inspector);
    return report->rank < report->rowCount;
}

#endif

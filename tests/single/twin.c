/* twin.c  The same scenes in the same states by a build of either precision.
 *
 *     twin-of-single FILE      steps machines, and writes the state before each step and what is published of it
 *     twin-of-double FILE      puts its machines into these states, one after the other, and compares
 *
 * Compared are wrenches of joints of which nothing is open, on their first body, component by component: their distance against the sum
 * of both bars. Prints a line for each machine; fails if more than a share of the components is outside of its bars, or if the engine's
 * motion counts as unexplained. */
#include "demos/scenes/drift.h"
#include "demos/scenes/scenes_private.h"

#include <kinetostat/kinetostat.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double h = 1. / 256, cfm = 0x1p-30; /* the same in both precisions */
enum { STEPS = 200, ITERATIONS = 20, STATE = 3 + 4 + 3 + 3 };

/* Of the components of a machine: beyond it bars are too short. */
static const double mostOutside = 0.01;

/* Their physical values are others after the host has put bodies where they are, whatever the precision. */
static const char *const dependOnPast[] = {"turntable", "stewart", "stewart-pu", "delta"};

static int dependsOnPast(const char *name)
{
    for (size_t i = 0; i < sizeof dependOnPast / sizeof *dependOnPast; i++)
        if (!strcmp(name, dependOnPast[i]))
            return 1;
    return 0;
}

/* m: of the machines */
static const double lever = 0.1;

/* Of a wrench: multipliers have bars, and the rows by which they become wrenches are known to single precision. */
static const double turned = 4 * (double)FLT_EPSILON;

typedef struct Value {
    double wrench[6], bar[6];
} Value;

typedef struct Told {
    int verdict, isUnique;
    Value of[2]; /* physical, converged */
} Told;

static void stop(const char *why)
{
    perror(why);
    exit(99);
}

static void fill(const ksReaction *reaction, ksValue value, Value *out)
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

static void ask(ksInspector *inspector, dJointID joint, Told *out)
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

static void readState(dBodyID body, double state[STATE])
{
    const dReal *of[4] = {dBodyGetPosition(body), dBodyGetQuaternion(body), dBodyGetLinearVel(body),
                          dBodyGetAngularVel(body)};
    static const int size[4] = {3, 4, 3, 3};
    for (int i = 0, at = 0; i < 4; i++)
        for (int k = 0; k < size[i]; k++)
            state[at++] = of[i][k];
}

static void setState(dBodyID body, const double *s)
{
    const dQuaternion turn = {(dReal)s[3], (dReal)s[4], (dReal)s[5], (dReal)s[6]};
    dBodySetPosition(body, (dReal)s[0], (dReal)s[1], (dReal)s[2]);
    dBodySetQuaternion(body, turn);
    dBodySetLinearVel(body, (dReal)s[7], (dReal)s[8], (dReal)s[9]);
    dBodySetAngularVel(body, (dReal)s[10], (dReal)s[11], (dReal)s[12]);
}

typedef void Setter(dJointID joint, int parameter, dReal value);

/* The engine's default depends on its precision, and joints keep it from when they were made. */
static void setCompliance(const Scene *scene)
{
    static Setter *const of[] = {
        [dJointTypeBall] = dJointSetBallParam,     [dJointTypeHinge] = dJointSetHingeParam,
        [dJointTypeSlider] = dJointSetSliderParam, [dJointTypeUniversal] = dJointSetUniversalParam,
        [dJointTypeHinge2] = dJointSetHinge2Param, [dJointTypeFixed] = dJointSetFixedParam,
        [dJointTypeAMotor] = dJointSetAMotorParam, [dJointTypeLMotor] = dJointSetLMotorParam,
        [dJointTypePR] = dJointSetPRParam,         [dJointTypePU] = dJointSetPUParam,
        [dJointTypePiston] = dJointSetPistonParam, [dJointTypeDBall] = dJointSetDBallParam,
        [dJointTypeDHinge] = dJointSetDHingeParam, [dJointTypeTransmission] = dJointSetTransmissionParam,
    };
    dWorldSetCFM(scene->world, (dReal)cfm);
    for (int i = 0; i < scene->jointCount; i++) {
        const dJointID joint = scene->joint[i];
        const int type = dJointGetType(joint);
        const int axes = type == dJointTypeHinge || type == dJointTypeSlider ? 1 : type == dJointTypePU ? 3 : 2;
        const int hasAxes = type != dJointTypeBall && type != dJointTypeFixed && type != dJointTypeDBall &&
                            type != dJointTypeDHinge && type != dJointTypeTransmission;
        Setter *set = type < (int)(sizeof of / sizeof *of) ? of[type] : NULL;
        for (int k = 0; set && k < (hasAxes ? axes : 1); k++) {
            set(joint, dParamCFM + k * dParamGroup2, (dReal)cfm);
            if (hasAxes)
                set(joint, dParamStopCFM + k * dParamGroup2, (dReal)cfm);
        }
    }
}

static ksInspector *inspect(const Scene *scene)
{
    ksInspector *inspector = NULL;
    setCompliance(scene);
    dWorldSetQuickStepNumIterations(scene->world, ITERATIONS);
    if (ksInspectorCreate(scene->world, NULL, &inspector) != KS_OK)
        stop(ksErrorMessage());
    return inspector;
}

static int order(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* What is off, of a kind of value. */
typedef struct Errors {
    double *relative;
    size_t count, capacity, outside;
    double farthest; /* in bars */
} Errors;

static double sizeOf(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* Relative to the force and the torque together: one of them may be rounding alone. */
static void compare(const Value *a, const Value *b, Errors *errors)
{
    const double whole = hypot(sizeOf(b->wrench) * lever, sizeOf(b->wrench + 3));
    for (int part = 0; part < 2; part++) {
        const double size = sizeOf(b->wrench + 3 * part);
        double off = 0;
        for (int k = 3 * part; k < 3 * part + 3; k++) {
            const double apart = fabs(a->wrench[k] - b->wrench[k]);
            const double bar = a->bar[k] + b->bar[k] + turned * size;
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

static int tell(const char *name, const char *value, Errors *errors)
{
    if (errors->count == 0)
        return 0;
    qsort(errors->relative, errors->count, sizeof *errors->relative, order);
    const double outside = (double)errors->outside / (3. * (double)errors->count);
    printf("%-18s %-9s %8zu  %8.1e  %8.1e  %6.2f %%  %8.1e\n", name, value, errors->count,
           errors->relative[errors->count / 2], errors->relative[errors->count * 95 / 100], 100 * outside,
           errors->farthest);
    free(errors->relative);
    return outside > mostOutside;
}

static void move(FILE *file, int writes, void *data, size_t bytes)
{
    if ((writes ? fwrite(data, 1, bytes, file) : fread(data, 1, bytes, file)) != bytes)
        stop("twin");
}

/* Converged values of rows that depend take over the engine's own split, which is one of rounding. */
static int isRedundant(ksInspector *inspector)
{
    const ksStepReport *report = ksInspectorGetStepReport(inspector);
    return report->rank < report->rowCount;
}

/* from: s, when the scene is worth a look. */
static int run(FILE *file, int writes, const char *name, Scene *scene, double from)
{
    Errors errors[2] = {{0}, {0}};
    const int first = dependsOnPast(name);
    int isBad = 0, unexplained = 0;
    ksInspector *inspector = inspect(scene);
    for (int step = 0; step < STEPS; step++) {
        for (int i = 0; i < scene->bodyCount; i++) {
            double state[STATE];
            readState(scene->body[i], state);
            move(file, writes, state, sizeof state);
            if (!writes)
                setState(scene->body[i], state);
        }
        sceneBeforeStep(scene);
        if (ksInspectorQuickStep(inspector, (dReal)h) != KS_OK)
            stop(ksErrorMessage());
        const int kinds = writes ? 0 : isRedundant(inspector) ? 1 : 2;
        for (int i = 0; i < scene->jointCount; i++) {
            Told own, other;
            ask(inspector, scene->joint[i], &own);
            other = own;
            move(file, writes, &other, sizeof other);
            unexplained += other.verdict == KS_UNEXPLAINED;
            for (int k = first; k < kinds && step * h >= from && own.isUnique && other.isUnique; k++)
                if (!isnan(own.of[k].bar[0] + other.of[k].bar[0]))
                    compare(&other.of[k], &own.of[k], &errors[k]);
        }
        sceneAfterStep(scene);
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
    if (writes)
        return 0;
    isBad |= tell(name, "physical", &errors[0]);
    isBad |= tell(name, "converged", &errors[1]);
    if (unexplained)
        printf("%-18s %d reactions are unexplained\n", name, unexplained);
    return isBad || unexplained;
}

/* A rod of 2 m on a ball, as thick as 2 mm: its inertias differ by a factor of half a million. */
static Scene *makeNeedle(void)
{
    static const double side[3] = {2, 0.002, 0.002}, anchor[3] = {0};
    Scene *scene = sceneCreate(1, 1);
    const dBodyID rod = sceneAddBox(scene, 1, 1, 0, 0, side);
    sceneAddBall(scene, rod, NULL, anchor);
    dBodySetAngularVel(rod, 0, 0, 1);
    return scene;
}

int main(int argc, char **argv)
{
    const int writes = sizeof(dReal) == sizeof(float);
    FILE *file = argc == 2 ? fopen(argv[1], writes ? "wb" : "rb") : NULL;
    int status = 0;
    if (!file)
        stop("twin FILE");
    dInitODE();
    if (!writes)
        puts("machine            value        parts    median      95 %   outside  in bars");
    for (const DriftScene *kind = driftScenes; kind->name; kind++)
        if (!kind->touches)
            status |= run(file, writes, kind->name, kind->make(&sceneSurface[0], h), kind->from);
    for (const SceneKind *kind = sceneKind; kind->name; kind++)
        if (!kind->touches)
            status |= run(file, writes, kind->name, kind->make(&sceneSurface[0], h), 0);
    status |= run(file, writes, "needle", makeNeedle(), 0);
    if (fclose(file))
        stop("twin");
    dCloseODE();
    return status;
}

/* exact_work.c  Work against error on the ground. The error of one step: each way steps once from
 * each state of a fully solved run, and the velocities are compared. The error of a run: each way
 * follows its own path. */
#include "exact.h"

#include <math.h>
#include <string.h>

static const double stepSize = 5e-3;
/* s: whole: length of a run; early: when runs are compared with a run of shorter steps, before
 * contacts make them chaotic */
static const double whole = 2, early = 0.6;
enum { FINER = 16, SOLVED_SWEEPS = 20000, HEAP_SWEEPS = 3000, HEAP_JOINTS = 90, SEED = 1 };

static const struct {
    const char *name;
    ExactWay way;
    int iterations;
} tried[] = {
    {"quick 5", QUICK, 5},
    {"quick 20", QUICK, 20},
    {"quick 100", QUICK, 100},
    {"quick 500", QUICK, 500},
    {"quick 1000", QUICK, 1000},
    {"direct", DIRECT, 0},
    {"exact, 10 sweeps", EXACT_SWEPT, 10},
    {"exact, 40 sweeps", EXACT_SWEPT, 0},
    {"exact, 200 sweeps", EXACT_SWEPT, 200},
    {"exact", EXACT, 0},
};
enum { TRIED = sizeof tried / sizeof *tried };

typedef struct Figures {
    double seconds;    /* a step with contacts of a run, mean: its world is in the cache */
    double error;      /* of one step with contacts, mean; rms of velocities, over g h */
    double gap, depth; /* m: mean over joints with anchors, contacts and steps */
    double energy;     /* J: largest rise above the initial energy; NaN where motors drive */
    double distance;   /* m: rms distance from the run of finer steps at the time `early` */
    bool broke;
} Figures;

static bool isTooLarge(const Scene *scene, ExactWay way)
{
    return scene->jointCount > HEAP_JOINTS && (way == DIRECT || way == EXACT);
}

static double massOf(dBodyID body)
{
    dMass mass;
    dBodyGetMass(body, &mass);
    return mass.mass;
}

/* Mass-weighted rms of the difference of a vector of each body. */
static double apart(const Scene *a, const Scene *b, const dReal *get(dBodyID))
{
    double sum = 0, mass = 0;
    for (int i = 0; i < a->bodyCount; i++) {
        const dReal *x = get(a->body[i]), *y = get(b->body[i]);
        const double m = massOf(a->body[i]);
        mass += m;
        for (int k = 0; k < 3; k++)
            sum += m * (x[k] - y[k]) * (x[k] - y[k]);
    }
    return sqrt(sum / mass);
}

/* Makes one step of each way from each state of the reference. */
static bool measureSteps(const SceneKind *kind, const SceneSurface *surface, Figures out[TRIED])
{
    ExactWorld reference, world[TRIED];
    long used = 0;
    bool done = true;
    Scene *scene = kind->make(surface, stepSize);
    const bool isHeap = scene && scene->jointCount > HEAP_JOINTS;
    done &= exactOpen(scene, isHeap ? EXACT_SWEPT : EXACT, isHeap ? HEAP_SWEEPS : SOLVED_SWEEPS, &reference);
    for (int i = 0; i < TRIED; i++)
        done &= exactOpen(kind->make(surface, stepSize), tried[i].way, tried[i].iterations, &world[i]);
    for (double t = 0; done && t < whole / 2; t += stepSize) {
        for (int i = 0; i < TRIED; i++) {
            sceneCopyState(world[i].scene, reference.scene);
            world[i].scene->step = reference.scene->step;
        }
        done &= exactStep(&reference, stepSize) >= 0;
        if (!reference.scene->contactCount)
            continue;
        used++;
        for (int i = 0; i < TRIED; i++) {
            if (isTooLarge(scene, tried[i].way))
                continue;
            dRandSetSeed(SEED);
            done &= exactStep(&world[i], stepSize) >= 0;
            out[i].error += apart(world[i].scene, reference.scene, dBodyGetLinearVel) / (SCENE_GRAVITY * stepSize);
        }
    }
    for (int i = 0; i < TRIED; i++) {
        out[i].error /= (double)used;
        exactClose(&world[i]);
    }
    exactClose(&reference);
    return done;
}

static double gapOf(dJointID joint)
{
    dVector3 a, b;
    switch ((int)dJointGetType(joint)) {
    case dJointTypeBall:
        dJointGetBallAnchor(joint, a);
        dJointGetBallAnchor2(joint, b);
        break;
    case dJointTypeHinge:
        dJointGetHingeAnchor(joint, a);
        dJointGetHingeAnchor2(joint, b);
        break;
    case dJointTypeUniversal:
        dJointGetUniversalAnchor(joint, a);
        dJointGetUniversalAnchor2(joint, b);
        break;
    default:
        return NAN;
    }
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

typedef struct Mean {
    double sum;
    long count;
} Mean;

static void add(Mean *mean, double value)
{
    if (isnan(value))
        return;
    mean->sum += value;
    mean->count++;
}

static double meanOf(const Mean *mean)
{
    return mean->count ? mean->sum / (double)mean->count : NAN;
}

static void addDepths(void *data, dGeomID a, dGeomID b)
{
    enum { MOST = 8 };
    dContactGeom contact[MOST];
    dBodyID first = dGeomGetBody(a), second = dGeomGetBody(b);
    if (!first && !second)
        return;
    if (first && second && dAreConnectedExcluding(first, second, dJointTypeContact))
        return;
    const int count = dCollide(a, b, MOST, contact, sizeof *contact);
    for (int i = 0; i < count; i++)
        add(data, contact[i].depth);
}

static double energyOf(const Scene *scene)
{
    double energy = 0;
    for (int i = 0; i < scene->bodyCount; i++) {
        dMass mass;
        const dReal *v = dBodyGetLinearVel(scene->body[i]), *w = dBodyGetAngularVel(scene->body[i]);
        dVector3 own, spin;
        dBodyGetMass(scene->body[i], &mass);
        dBodyVectorFromWorld(scene->body[i], w[0], w[1], w[2], own);
        dMultiply0_331(spin, mass.I, own);
        energy += 0.5 * (mass.mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + spin[0] * own[0] + spin[1] * own[1] +
                         spin[2] * own[2]) +
                  mass.mass * SCENE_GRAVITY * dBodyGetPosition(scene->body[i])[2];
    }
    return energy;
}

static bool isPassive(const SceneKind *kind)
{
    static const char *const passive[] = {"ragdoll", "ragdoll-stops", "heap", "plank", "bridge-20", "bridge-60"};
    bool found = false;
    for (size_t i = 0; i < sizeof passive / sizeof *passive; i++)
        found |= !strcmp(kind->name, passive[i]);
    return found;
}

/* The reference: finer steps, by the engine's direct stepper where it is fast enough. */
static Scene *goFiner(const SceneKind *kind, const SceneSurface *surface)
{
    ExactWorld world;
    const double h = stepSize / FINER;
    Scene *scene = kind->make(surface, h);
    if (!exactOpen(scene, EXACT_SWEPT, 200, &world))
        return NULL;
    for (double t = 0; t < early - h / 2; t += h)
        if (exactStep(&world, h) < 0)
            return NULL;
    ksInspectorDestroy(world.inspector);
    return scene;
}

static bool measureRun(const SceneKind *kind, const SceneSurface *surface, int which, const Scene *finer, Figures *out)
{
    ExactWorld world;
    Mean gap = {0}, depth = {0}, seconds = {0};
    if (!exactOpen(kind->make(surface, stepSize), tried[which].way, tried[which].iterations, &world))
        return false;
    Scene *scene = world.scene;
    const double start = energyOf(scene);
    dRandSetSeed(SEED);
    out->energy = isPassive(kind) ? -INFINITY : NAN;
    out->distance = NAN;
    for (double t = stepSize; t <= whole; t += stepSize) {
        const double taken = exactStep(&world, stepSize);
        if (taken < 0 || !exactIsWhole(scene)) {
            out->broke = true;
            break;
        }
        add(&seconds, scene->contactCount ? taken : NAN);
        for (int j = 0; j < scene->jointCount; j++)
            add(&gap, gapOf(scene->joint[j]));
        dSpaceCollide(scene->space, &depth, addDepths);
        if (isPassive(kind))
            out->energy = fmax(out->energy, energyOf(scene) - start);
        if (fabs(t - early) < stepSize / 2)
            out->distance = apart(scene, finer, dBodyGetPosition);
    }
    out->seconds = meanOf(&seconds);
    out->gap = meanOf(&gap);
    out->depth = meanOf(&depth);
    exactClose(&world);
    return true;
}

static bool workOn(const SceneKind *kind)
{
    const SceneSurface *surface = &sceneSurface[SURFACE_APPROX1];
    Figures figure[TRIED] = {{0}};
    Scene *finer = goFiner(kind, surface);
    bool done = finer && measureSteps(kind, surface, figure);
    printf("\n%-24s %10s %10s %10s %10s %10s %10s\n", kind->name, "us a step", "error", "gap mm", "depth mm",
           "energy J", "from finer");
    for (int i = 0; done && i < TRIED; i++) {
        if (isTooLarge(finer, tried[i].way))
            continue;
        done = measureRun(kind, surface, i, finer, &figure[i]);
        const Figures *f = &figure[i];
        const double shown[] = {1e6 * f->seconds, f->error, 1e3 * f->gap, 1e3 * f->depth, f->energy, f->distance};
        printf("  %-22s", tried[i].name);
        for (size_t k = 0; k < sizeof shown / sizeof *shown; k++) {
            if (isnan(shown[k]))
                printf(" %10s", "-");
            else
                printf(k ? " %10.1e" : " %10.1f", shown[k]);
        }
        printf("%s\n", f->broke ? "  flew apart" : "");
        fflush(stdout);
    }
    sceneDestroy(finer);
    return done;
}

bool exactWork(const char *scene)
{
    bool done = true;
    printf("\nMachines on the ground, steps of %g ms. Error: of all velocities in one step, rms over g h, mean of the\n"
           "steps with contacts. In a run of %g s: gap of the joints that have anchors, and depth of the contacts,\n"
           "mean; largest rise of the energy of machines without motors; after %g s, distance in m from the run with\n"
           "steps a %dth as long. -: none, or it takes too long.\n",
           1e3 * stepSize, whole, early, FINER);
    for (const SceneKind *kind = sceneKind; kind->name; kind++)
        if (kind->touches && (!scene || !strcmp(scene, kind->name)))
            done &= workOn(kind);
    return done;
}

/* Makes every other body heavier by this ratio. */
static void makeUneven(const Scene *scene, double ratio)
{
    for (int i = 1; i < scene->bodyCount; i += 2) {
        dMass mass;
        dBodyGetMass(scene->body[i], &mass);
        dMassAdjust(&mass, mass.mass * ratio);
        dBodySetMass(scene->body[i], &mass);
    }
}

static long stepsUntilApart(const SceneKind *kind, ExactWay way, double h, double ratio, long steps)
{
    ExactWorld world;
    long done = 0;
    if (!exactOpen(kind->make(&sceneSurface[SURFACE_APPROX1], h), way, 0, &world))
        return -1;
    makeUneven(world.scene, ratio);
    dRandSetSeed(SEED);
    while (done < steps && exactStep(&world, h) >= 0 && exactIsWhole(world.scene))
        done++;
    exactClose(&world);
    return done;
}

bool exactStability(const char *scene, long steps)
{
    static const double size[] = {1e-3, 5e-3, 20e-3}, ratio[] = {1, 100, 10000};
    printf("\nSteps until a machine flies apart, of %ld: dWorldQuickStep(20), dWorldStep, exact, exact by sweeps\n\n",
           steps);
    for (const SceneKind *kind = sceneKind; kind->name; kind++) {
        if (scene && strcmp(scene, kind->name))
            continue;
        for (int s = 0; s < 3; s++) {
            for (int r = 0; r < 3; r++) {
                printf("%-15s h %4.0f ms, mass ratio %5.0f: ", kind->name, 1e3 * size[s], ratio[r]);
                for (int way = QUICK; way <= EXACT_SWEPT; way++)
                    printf(" %8ld", stepsUntilApart(kind, (ExactWay)way, size[s], ratio[r], steps));
                printf("\n");
                fflush(stdout);
            }
        }
    }
    return true;
}

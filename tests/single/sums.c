/* sums.c  Sums of joints that share a load, by a build of each precision.
 *
 *     sums-of-single FILE      steps tables and a door; writes the state before each step, and the physical value of the sum of their joints
 *     sums-of-double FILE      sets its bodies to these states, and compares
 *
 * Either compares the means of these sums, and of the joints of a swinging rope, with the momentum
 * of the bodies. Fails if values are outside their bars, or if bars are long. */
#include "demos/scenes/scenes_private.h"

#include "tests/single/twin_kit.h"

#include <stdbool.h>

/* the same in both precisions; less compliance makes dWorldStep in single precision unstable */
static const double h = 1. / 256, cfm = 0x1p-17, rigid = 0x1p-16;
static const double mostOutside = 0.01;
/* of the load: the longest bar of a sum at rest, whose joints sag by 2 mm; where a door turns, or
 * QuickStep leaves gaps; and of a mean, in which rounded inertias of slender links count */
static const double longest = 5e-3, longestMoving = 1e-2, longestMean = 2e-3;
static const double window = 0.1;
enum { STEPS = 300, FIRST = 10, ROPE = 8 };

static const double top[3] = {1, 0.7, 0.05}, leg[3] = {0.06, 0.06, 0.95}, leaf[3] = {1, 0.04, 2};
static const double mass = 20, legMass = 2;

/* --- Scenes: the joints of the sum hold body 0 --- */

typedef dJointID Join(Scene *scene, dBodyID first, dBodyID second, const double anchor[3]);

static dJointID joinFixed(Scene *scene, dBodyID first, dBodyID second, const double anchor[3])
{
    (void)anchor;
    return sceneAddFixed(scene, first, second);
}

static dJointID joinAcross(Scene *scene, dBodyID first, dBodyID second, const double anchor[3])
{
    static const double axis[3] = {0, 1, 0};
    return sceneAddHinge(scene, first, second, anchor, axis);
}

static Scene *begin(int bodies, int joints)
{
    Scene *scene = sceneCreate(bodies, joints);
    if (!scene)
        stop("memory");
    dWorldSetCFM(scene->world, (dReal)cfm);
    return scene;
}

/* The joints of the sum come first. */
static Scene *table(Join *join, bool hasLegs)
{
    Scene *scene = begin(5, 8);
    const dBodyID plate = sceneAddBox(scene, mass, 0, 0, 1, top);
    dBodyID under[4] = {NULL};
    for (int i = 0; i < 4; i++) {
        const double x = i & 1 ? 0.4 : -0.4, y = i & 2 ? 0.3 : -0.3, end[3] = {x, y, 0.975};
        under[i] = hasLegs ? sceneAddBox(scene, legMass, x, y, 0.5, leg) : NULL;
        join(scene, plate, under[i], end);
    }
    for (int i = 0; hasLegs && i < 4; i++)
        sceneAddFixed(scene, under[i], NULL);
    return scene;
}

static Scene *makePlate(void)
{
    return table(sceneAddBall, false);
}

static Scene *makeTable(void)
{
    return table(sceneAddBall, true);
}

static Scene *makeWelded(void)
{
    return table(joinFixed, true);
}

static Scene *makePinned(void)
{
    return table(joinAcross, true);
}

static Scene *makeDoor(void)
{
    static const double axis[3] = {0, 0, 1};
    Scene *scene = begin(1, 2);
    const dBodyID door = sceneAddBox(scene, mass, 0.5, 0, 1, leaf);
    for (int i = 0; i < 2; i++) {
        const double anchor[3] = {0, 0, i ? 1.8 : 0.2};
        sceneAddHinge(scene, door, NULL, anchor, axis);
    }
    dBodySetAngularVel(door, 0, 0, 1);
    dBodySetLinearVel(door, 0, (dReal)0.5, 0);
    return scene;
}

static const struct {
    const char *name;
    Scene *(*make)(void);
    int count; /* of the sum */
    bool moves;
} kinds[] = {{"plate", makePlate, 4, false},
             {"table", makeTable, 4, false},
             {"welded", makeWelded, 4, false},
             {"pinned", makePinned, 4, false},
             {"door", makeDoor, 2, true}};

/* --- Sums --- */

static ksInspector *inspect(const Scene *scene)
{
    ksInspector *inspector = NULL;
    ksInspectorOptions options;
    ksInspectorOptionsInit(&options);
    options.rigidCfm = rigid;
    if (ksInspectorCreate(scene->world, &options, &inspector) != KS_OK)
        stop(ksErrorMessage());
    return inspector;
}

static void makeStep(ksInspector *inspector, bool isQuick)
{
    if ((isQuick ? ksInspectorQuickStep : ksInspectorStep)(inspector, (dReal)h) != KS_OK)
        stop(ksErrorMessage());
}

static Value sumOf(ksInspector *inspector, const ksWrenchTerm *term, int count)
{
    ksWrenchSum sum;
    Value value;
    if (ksInspectorSumWrenches(inspector, term, (size_t)count, KS_PHYSICAL, NULL, &sum) != KS_OK)
        stop(ksErrorMessage());
    for (int k = 0; k < 3; k++) {
        value.wrench[k] = sum.wrench.force[k];
        value.wrench[3 + k] = sum.wrench.torque[k];
        value.bar[k] = sum.bar.force[k];
        value.bar[3 + k] = sum.bar.torque[k];
    }
    return value;
}

static void setTerms(const Scene *scene, int count, ksWrenchTerm term[4])
{
    memset(term, 0, 4 * sizeof *term);
    for (int i = 0; i < count; i++)
        term[i] = (ksWrenchTerm){.joint = scene->joint[i], .body = scene->body[0]};
}

static int compareSums(FILE *file, int writes, size_t index, bool isQuick)
{
    char name[32];
    Errors errors = {0};
    ksWrenchTerm term[4];
    double bar = 0;
    Scene *scene = kinds[index].make();
    ksInspector *inspector = inspect(scene);
    setTerms(scene, kinds[index].count, term);
    for (int step = 0; step < STEPS; step++) {
        for (int i = 0; i < scene->bodyCount; i++)
            moveBody(file, writes, scene->body[i]);
        makeStep(inspector, isQuick);
        Value own = sumOf(inspector, term, kinds[index].count), other = own;
        move(file, writes, &other, sizeof other);
        bar = fmax(bar, step < FIRST ? 0 : sizeOf(own.bar));
        if (!writes)
            compare(&other, &own, &errors);
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
    const double share = bar / (mass * SCENE_GRAVITY);
    const bool isLong = share > (isQuick || kinds[index].moves ? longestMoving : longest);
    snprintf(name, sizeof name, "%s-%s", kinds[index].name, isQuick ? "quick" : "step");
    if (isLong)
        printf("%-18s the longest bar is %.1e of the load\n", name, share);
    return (!writes && tell(name, "sum", mostOutside, &errors)) | isLong;
}

/* --- Means --- */

typedef struct Momentum {
    double of[STEPS][3]; /* kg.m/s, gained in each step beside the effect of gravity, over h */
} Momentum;

static void momentumOf(const Scene *scene, int first, double out[3])
{
    dMass m;
    for (int k = 0; k < 3; k++)
        out[k] = 0;
    for (int i = first; i < scene->bodyCount; i++) {
        dBodyGetMass(scene->body[i], &m);
        for (int k = 0; k < 3; k++)
            out[k] += m.mass * dBodyGetLinearVel(scene->body[i])[k];
    }
}

/* Compares a mean over the last steps with the momentum gained. */
static int checkMean(const char *name, ksInspector *inspector, ksSubscription subscription, const Momentum *gained,
                     int step, double load)
{
    ksMean mean;
    if (ksInspectorGetMean(inspector, subscription, &mean) != KS_OK)
        stop(ksErrorMessage());
    for (int k = 0; k < 3; k++) {
        double left = mean.time, sum = 0;
        for (int i = step; i >= 0 && left > 0; i--) {
            sum += fmin(left, h) * gained->of[i][k];
            left -= h;
        }
        const double off = fabs(mean.wrench.force[k] - sum / mean.time), bar = mean.bar.force[k];
        if (off <= bar && bar <= longestMean * fmax(load, sizeOf(mean.wrench.force)))
            continue;
        printf("%s, step %d: a mean is off by %.2e N, with a bar of %.2e N\n", name, step, off, bar);
        return 1;
    }
    return 0;
}

static int checkMeans(const char *name, Scene *scene, int count, bool isRope, bool isQuick)
{
    static Momentum gained[ROPE];
    ksSubscription mean[ROPE];
    ksInspector *inspector = inspect(scene);
    const int sums = isRope ? scene->jointCount : 1;
    int isBad = 0;
    ksWrenchTerm term[4];
    setTerms(scene, count, term);
    for (int i = 0; i < sums; i++) {
        if (isRope)
            term[0] = (ksWrenchTerm){.joint = scene->joint[i], .body = scene->body[i]};
        if (ksInspectorMean(inspector, term, (size_t)count, window, KS_FRAME_WORLD, KS_POINT_MASS_CENTRE, &mean[i]))
            stop(ksErrorMessage());
    }
    for (int step = 0; step < STEPS; step++) {
        double before[ROPE][3], after[3];
        for (int i = 0; i < sums; i++)
            momentumOf(scene, i, before[i]);
        makeStep(inspector, isQuick);
        for (int i = 0; i < sums; i++) {
            momentumOf(scene, i, after);
            const double weight = mass * (isRope ? sums - i : 1) * SCENE_GRAVITY;
            for (int k = 0; k < 3; k++)
                gained[i].of[step][k] = (after[k] - before[i][k]) / h + (k == 2 ? weight : 0);
            if (step >= FIRST && !isBad)
                isBad |= checkMean(name, inspector, mean[i], &gained[i], step, weight);
        }
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
    return isBad;
}

static Scene *makeRope(void)
{
    static const double side[3] = {0.5, 0.05, 0.05};
    Scene *scene = begin(ROPE, ROPE);
    for (int i = 0; i < ROPE; i++) {
        const double anchor[3] = {0.5 * i, 0, 5};
        const dBodyID link = sceneAddBox(scene, mass, 0.25 + 0.5 * i, 0, 5, side);
        sceneAddBall(scene, link, i > 0 ? scene->body[i - 1] : NULL, anchor);
    }
    return scene;
}

int main(int argc, char **argv)
{
    const int writes = sizeof(dReal) == sizeof(float);
    FILE *file = argc == 2 ? fopen(argv[1], writes ? "wb" : "rb") : NULL;
    int status = 0;
    if (!file)
        stop("sums FILE");
    dInitODE();
    for (int quick = 0; quick < 2; quick++)
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            status |= compareSums(file, writes, i, quick);
    for (int quick = 0; quick < 2; quick++) {
        status |= checkMeans("plate", makePlate(), 4, false, quick);
        status |= checkMeans("door", makeDoor(), 2, false, quick);
        status |= checkMeans("rope", makeRope(), 1, true, quick);
    }
    if (fclose(file))
        stop("sums");
    dCloseODE();
    return status;
}

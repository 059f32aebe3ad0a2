/* stops.c  Joints on their stops, recorded by a single-precision build and judged by a
 * double-precision one.
 *
 *     stops-of-single FILE [METRES]     steps machines that far from the origin; writes the record of each step, and its published values
 *     stops-of-double FILE [METRES]     judges these records, and compares
 *
 * The arms are those of stopped_kit.h; at the origin they also have motors that press them onto their
 * stops, and soft stops. In each step the last digit of an axis's angle decides whether it is at its
 * stop. Rows that are differences of points in the world are rounded there. Prints a line for each
 * machine, and fails like twin. */
#include "plugin/replay/recorder.h"
#include "plugin/replay/replica.h"
#include "tests/kits/stopped_kit.h"
#include "tests/single/twin_kit.h"

static const double h = 1. / 256;
static const double mostOutside = 0.001;
enum { STEPS = 400, ITERATIONS = 50 };

/* Now and then a push lifts the arm off its stops. */
static void push(const Scene *scene, int step)
{
    if (step % 128 < 4)
        for (int i = 1; i < scene->bodyCount; i++)
            dBodyAddForce(scene->body[i], 0, 1, 20);
}

/* What is set at each axis of the stopped joints. */
static const struct {
    const char *name;
    int parameter[2];
    double value[2]; /* a negative one depends on gravity */
} extras[] = {{"", {dParamLoStop, dParamLoStop}, {0, 0}},
              {"-motor", {dParamFMax, dParamVel}, {5, -0.5}},
              {"-soft", {dParamStopCFM, dParamStopERP}, {0x1p-13, 1}}};
enum { EXTRAS = sizeof extras / sizeof *extras };

static void setExtra(const Scene *scene, const StoppedKind *kind, int extra, double sign)
{
    const dJointType type = dJointGetType(scene->joint[1]);
    const int *parameter = extras[extra].parameter;
    const double *value = extras[extra].value;
    for (int i = 1; extra > 0 && i < scene->jointCount; i++)
        for (int axis = 0; dJointGetType(scene->joint[i]) == type && axis < kind->axes; axis++) {
            kind->set(scene->joint[i], parameter[0] + axis * dParamGroup2, (dReal)value[0]);
            kind->set(scene->joint[i], parameter[1] + axis * dParamGroup2,
                      (dReal)(value[1] < 0 ? sign * value[1] : value[1]));
        }
}

static ksInspector *inspect(dWorldID world)
{
    ksInspector *inspector = NULL;
    if (ksInspectorCreate(world, NULL, &inspector) != KS_OK)
        stop(ksErrorMessage());
    return inspector;
}

static void expect(ksStatus status)
{
    if (status)
        stop(ksErrorMessage());
}

static void record(FILE *file, Scene *scene)
{
    ksInspector *inspector = inspect(scene->world);
    ksiRecorder *recorder;
    expect(ksiRecorderCreate(scene->world, 1, KSI_FEEDBACK_OURS, &recorder));
    for (int step = 0; step < STEPS; step++) {
        const ksStepper stepper = step / 32 % 2 ? KS_WORLD_STEP : KS_QUICK_STEP;
        push(scene, step);
        expect(ksInspectorBeginStep(inspector, stepper, h));
        expect(ksiRecorderBegin(recorder, stepper, h, false));
        (void)(stepper == KS_WORLD_STEP ? dWorldStep : dWorldQuickStep)(scene->world, (dReal)h);
        const ksiStepRecord *made = ksiRecorderEnd(recorder, true, 0);
        expect(ksInspectorEndStep(inspector));
        move(file, 1, (void *)(uintptr_t)made, made->bytes);
        for (int i = 0; i < scene->jointCount; i++) {
            Told told;
            ask(inspector, scene->joint[i], &told);
            move(file, 1, &told, sizeof told);
        }
    }
    ksInspectorDestroy(inspector);
    ksiRecorderDestroy(recorder);
}

/* Reads the record of the next step. */
static const ksiStepRecord *readRecord(FILE *file)
{
    static uint64_t room[1 << 13];
    move(file, 0, room, sizeof *room);
    if (room[0] > sizeof room)
        stop("a record is too long");
    move(file, 0, room + 1, room[0] - sizeof *room);
    if (!ksiRecordIsSound((const void *)room, room[0]))
        stop("a record is not sound");
    return (const void *)room;
}

/* Joints of the record are in the order of the world's list, the newest first. */
static int judge(FILE *file, const char *name, int count, double rounding)
{
    const Errors none = {.turn = rounding / stoppedSpan, .lever = rounding};
    Errors errors[2] = {none, none};
    int isBad = 0, unexplained[2] = {0};
    ksiReplica *replica;
    expect(ksiReplicaCreate(&replica));
    ksInspector *inspector = inspect(ksiReplicaWorld(replica));
    for (int step = 0; step < STEPS; step++) {
        const ksiStepRecord *record = readRecord(file);
        expect(ksiReplicaBegin(replica, record));
        expect(ksInspectorBeginStep(inspector, (ksStepper)record->stepper, record->h));
        ksiReplicaEnd(replica, record);
        expect(ksInspectorEndStep(inspector));
        const int values = isRedundant(inspector) ? 1 : 2;
        for (int i = 0; i < count; i++) {
            Told own, other;
            move(file, 0, &other, sizeof other);
            if (!ksiReplicaJointId(replica, (size_t)(count - 1 - i)))
                stop("a joint is not in the recording");
            ask(inspector, ksiReplicaJointId(replica, (size_t)(count - 1 - i)), &own);
            unexplained[0] += own.verdict == KS_UNEXPLAINED;
            unexplained[1] += other.verdict == KS_UNEXPLAINED;
            for (int k = 0; k < values && own.isUnique && other.isUnique; k++)
                if (!isnan(own.of[k].bar[0] + other.of[k].bar[0]))
                    compare(&other.of[k], &own.of[k], &errors[k]);
        }
    }
    ksInspectorDestroy(inspector);
    ksiReplicaDestroy(replica);
    isBad |= tell(name, "physical", mostOutside, &errors[0]);
    isBad |= tell(name, "converged", mostOutside, &errors[1]);
    if (unexplained[0] || unexplained[1])
        printf("%-18s unexplained: %d reactions, of single precision %d\n", name, unexplained[0], unexplained[1]);
    return isBad || unexplained[0] || unexplained[1];
}

static int run(FILE *file, int writes, int index, int extra, double away)
{
    const StoppedKind *kind = &stoppedKinds[index / 2];
    const double sign = index % 2 ? -1 : 1, rounding = 2 * (double)FLT_EPSILON * away;
    char name[32];
    int status = 0;
    Scene *scene = makeStopped(kind, sign, away);
    dWorldSetQuickStepNumIterations(scene->world, ITERATIONS);
    setExtra(scene, kind, extra, sign);
    snprintf(name, sizeof name, "%s%s-%s", kind->name, extras[extra].name, index % 2 ? "b" : "a");
    if (writes)
        record(file, scene);
    else
        status = judge(file, name, scene->jointCount, kind->rounds ? rounding : 0);
    sceneDestroy(scene);
    return status;
}

int main(int argc, char **argv)
{
    const int writes = sizeof(dReal) == sizeof(float);
    FILE *file = argc >= 2 ? fopen(argv[1], writes ? "wb" : "rb") : NULL;
    int status = 0;
    if (!file)
        stop("stops FILE");
    dInitODE();
    const double away = argc > 2 ? atof(argv[2]) : 0;
    for (int i = 0; i < 2 * STOPPED_KINDS; i++)
        for (int extra = 0; extra < (away > 0 || !stoppedKinds[i / 2].set ? 1 : EXTRAS); extra++)
            status |= run(file, writes, i, extra, away);
    if (fclose(file))
        stop("stops");
    dCloseODE();
    return status;
}

/* stops.c  Joints on their stops, recorded by a build of single precision and judged by one of double precision.
 *
 *     stops-of-single FILE [METRES]     steps machines that far from the origin; writes the record of each step, and what is published of it
 *     stops-of-double FILE [METRES]     judges these records, and compares
 *
 * An arm of two equal links hangs on two joints of a type, and gravity presses both onto stops, if they have any. Whether an axis is at its
 * stop is decided anew in each step by the last digit of its angle. Rows that are differences of points in the world round there.
 * Prints a line for each machine, and fails as twin does. */
#include "demos/scenes/scenes_private.h"
#include "plugin/replay/recorder.h"
#include "plugin/replay/replica.h"
#include "tests/single/twin_kit.h"

static const double h = 1. / 256, stopAt = 0.05; /* rad, m */
static const double span = 0.2;                  /* m: between the anchors of a joint that has two */
enum { STEPS = 400, ITERATIONS = 50, ARM = 2 };

typedef void Place(Scene *scene, dBodyID first, dBodyID second, const double at[3]);

typedef struct Kind {
    const char *name;
    dJointID (*create)(dWorldID world, dJointGroupID group);
    void (*set)(dJointID joint, int parameter, dReal value);
    int axes, rounds; /* rounds: its rows are differences of points in the world */
} Kind;

static const Kind kinds[] = {
    {"hinge", dJointCreateHinge, dJointSetHingeParam, 1, 0},
    {"slider", dJointCreateSlider, dJointSetSliderParam, 1, 0},
    {"universal", dJointCreateUniversal, dJointSetUniversalParam, 2, 0},
    {"hinge2", dJointCreateHinge2, dJointSetHinge2Param, 1, 0},
    {"pr", dJointCreatePR, dJointSetPRParam, 2, 1},
    {"pu", dJointCreatePU, dJointSetPUParam, 3, 1},
    {"piston", dJointCreatePiston, dJointSetPistonParam, 2, 1},
    {"amotor", dJointCreateAMotor, dJointSetAMotorParam, 3, 0},
    {"dball", dJointCreateDBall, NULL, 0, 1},
    {"dhinge", dJointCreateDHinge, NULL, 0, 1},
    {"transmission", dJointCreateTransmission, NULL, 0, 1},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void place(dJointID joint, const double at[3])
{
    const dReal x = (dReal)at[0], y = (dReal)at[1], z = (dReal)at[2], c = (dReal)0.8, s = (dReal)0.6;
    switch (dJointGetType(joint)) {
    case dJointTypeHinge:
        dJointSetHingeAnchor(joint, x, y, z);
        dJointSetHingeAxis(joint, c, s, 0);
        break;
    case dJointTypeSlider:
        dJointSetSliderAxis(joint, s, 0, c);
        break;
    case dJointTypeUniversal:
        dJointSetUniversalAnchor(joint, x, y, z);
        dJointSetUniversalAxis1(joint, c, s, 0);
        dJointSetUniversalAxis2(joint, -s, c, 0);
        break;
    case dJointTypeHinge2: {
        const dVector3 first = {c, s, 0}, second = {-s, c, 0};
        dJointSetHinge2Anchor(joint, x, y, z);
        dJointSetHinge2Axes(joint, first, second);
        break;
    }
    case dJointTypePR:
        dJointSetPRAnchor(joint, x, y, z);
        dJointSetPRAxis1(joint, 0, 0, 1);
        dJointSetPRAxis2(joint, c, s, 0);
        break;
    case dJointTypePU:
        dJointSetPUAnchor(joint, x, y, z);
        dJointSetPUAxis1(joint, c, s, 0);
        dJointSetPUAxis2(joint, -s, c, 0);
        dJointSetPUAxis3(joint, 0, 0, 1);
        break;
    case dJointTypePiston:
        dJointSetPistonAnchor(joint, x, y, z);
        dJointSetPistonAxis(joint, s, 0, c);
        break;
    case dJointTypeDHinge:
        dJointSetDHingeAxis(joint, 0, 1, 0);
        dJointSetDHingeAnchor1(joint, x + (dReal)0.1, y, z);
        dJointSetDHingeAnchor2(joint, x - (dReal)0.1, y, z);
        break;
    case dJointTypeDBall:
        dJointSetDBallAnchor1(joint, x + (dReal)0.1, y, z);
        dJointSetDBallAnchor2(joint, x - (dReal)0.1, y, z);
        break;
    case dJointTypeTransmission:
        dJointSetTransmissionMode(joint, dTransmissionParallelAxes);
        dJointSetTransmissionRatio(joint, 1);
        dJointSetTransmissionAxis(joint, 0, 1, 0);
        dJointSetTransmissionAnchor1(joint, x, y, z);
        dJointSetTransmissionAnchor2(joint, x - (dReal)0.4, y, z);
        break;
    case dJointTypeAMotor:
        dJointSetAMotorMode(joint, dAMotorEuler);
        dJointSetAMotorAxis(joint, 0, 1, c, s, 0);
        dJointSetAMotorAxis(joint, 2, 2, 0, 0, 1);
        break;
    default:
        break;
    }
}

static void addStopped(Scene *scene, const Kind *kind, dBodyID first, dBodyID second, const double at[3])
{
    if (kind->create == dJointCreateTransmission) {
        static const double shaft[3] = {0, 1, 0};
        sceneAddHinge(scene, first, scene->body[0], at, shaft);
        if (second == scene->body[0])
            return;
    }
    const dJointID joint = sceneAddJoint(scene, kind->create(scene->world, NULL), first, second);
    place(joint, at);
    for (int axis = 0; axis < kind->axes; axis++) {
        kind->set(joint, dParamLoStop + axis * dParamGroup2, (dReal)-stopAt);
        kind->set(joint, dParamHiStop + axis * dParamGroup2, (dReal)stopAt);
    }
    if (kind->create == dJointCreateAMotor)
        sceneAddBall(scene, first, second, at);
}

/* sign: of gravity, by which the stops are the low or the high ones. A fixed block stands for the world. */
static Scene *make(const Kind *kind, double sign, double away)
{
    static const double side[3] = {0.2, 0.14, 0.1};
    Scene *scene = sceneCreate(1 + ARM, 2 + 2 * ARM);
    dWorldSetGravity(scene->world, (dReal)(sign * 3), (dReal)(sign * 2), (dReal)(sign * -9));
    dWorldSetQuickStepNumIterations(scene->world, ITERATIONS);
    dBodyID last = sceneAddBox(scene, 1, away, 0.5 * away, 0, side);
    sceneAddFixed(scene, last, NULL);
    for (int i = 0; i < ARM; i++) {
        const double at[3] = {away + 0.2 + 0.4 * i, 0.5 * away + 0.05 * i, 0.03 * i};
        const dBodyID next = sceneAddBox(scene, 1, at[0] + 0.2, at[1] + 0.1, at[2], side);
        addStopped(scene, kind, next, last, at);
        last = next;
    }
    return scene;
}

/* A push lifts the arm off its stops now and then. */
static void push(const Scene *scene, int step)
{
    if (step % 128 < 4)
        for (int i = 1; i < scene->bodyCount; i++)
            dBodyAddForce(scene->body[i], 0, 1, 20);
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

/* Of the next step in the file. */
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

/* Joints of the record are in the order of the world's list, the last one first. */
static int judge(FILE *file, const char *name, int count, double rounding)
{
    const Errors none = {.turn = rounding / span, .lever = rounding};
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
    isBad |= tell(name, "physical", &errors[0]);
    isBad |= tell(name, "converged", &errors[1]);
    if (unexplained[0] || unexplained[1])
        printf("%-18s unexplained: %d reactions, of single precision %d\n", name, unexplained[0], unexplained[1]);
    return isBad || unexplained[0] || unexplained[1];
}

int main(int argc, char **argv)
{
    const int writes = sizeof(dReal) == sizeof(float);
    FILE *file = argc >= 2 ? fopen(argv[1], writes ? "wb" : "rb") : NULL;
    int status = 0;
    if (!file)
        stop("stops FILE");
    dInitODE();
    const double away = argc > 2 ? atof(argv[2]) : 0, rounding = 2 * (double)FLT_EPSILON * away;
    for (int i = 0; i < 2 * KINDS; i++) {
        char name[32];
        Scene *scene = make(&kinds[i / 2], i % 2 ? -1 : 1, away);
        snprintf(name, sizeof name, "%s-%s", kinds[i / 2].name, i % 2 ? "b" : "a");
        if (writes)
            record(file, scene);
        else
            status |= judge(file, name, scene->jointCount, kinds[i / 2].rounds ? rounding : 0);
        sceneDestroy(scene);
    }
    if (fclose(file))
        stop("stops");
    dCloseODE();
    return status;
}

/* twin.c  The same scenes in the same states, by a build of each precision.
 *
 *     twin-of-single FILE      steps machines, and writes the state before each step and its published values
 *     twin-of-double FILE      sets its machines to these states, one after the other, and compares
 *
 * It compares wrenches of joints without free directions, on their first body, component by
 * component: their distance against the sum of both bars. Prints a line for each machine; fails if
 * more than a share of the components is outside its bars, or if the engine's motion counts as
 * unexplained. */
#include "demos/scenes/drift.h"
#include "demos/scenes/scenes_private.h"

#include "tests/single/twin_kit.h"

static double h = 1. / 256;        /* s; the same in both precisions */
static const double cfm = 0x1p-30; /* likewise */
static ksStatus (*makeStep)(ksInspector *inspector, dReal h) = ksInspectorQuickStep;
static const double mostOutside = 0.01;
enum { STEPS = 200, ITERATIONS = 20 };

/* Their physical values change when the host sets the bodies' state, in either precision. */
static const char *const dependOnPast[] = {"turntable", "stewart", "stewart-pu", "delta"};

static int dependsOnPast(const char *name)
{
    for (size_t i = 0; i < sizeof dependOnPast / sizeof *dependOnPast; i++)
        if (!strcmp(name, dependOnPast[i]))
            return 1;
    return 0;
}

typedef void Setter(dJointID joint, int parameter, dReal value);

/* The engine's default depends on its precision, and joints copy it when they are created. */
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

/* from: s, when the comparison starts. */
static int run(FILE *file, int writes, const char *name, Scene *scene, double from)
{
    Errors errors[2] = {{0}, {0}};
    const int first = dependsOnPast(name);
    int isBad = 0, unexplained = 0;
    ksInspector *inspector = inspect(scene);
    for (int step = 0; step < STEPS; step++) {
        for (int i = 0; i < scene->bodyCount; i++)
            moveBody(file, writes, scene->body[i]);
        sceneBeforeStep(scene);
        if (makeStep(inspector, (dReal)h) != KS_OK)
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
    isBad |= tell(name, "physical", mostOutside, &errors[0]);
    isBad |= tell(name, "converged", mostOutside, &errors[1]);
    if (unexplained)
        printf("%-18s %d reactions are unexplained\n", name, unexplained);
    return isBad || unexplained;
}

/* A rod of 2 m and 2 mm thickness on a ball: its inertias differ by a factor of half a million. */
static Scene *makeNeedle(void)
{
    static const double side[3] = {2, 0.002, 0.002}, anchor[3] = {0};
    Scene *scene = sceneCreate(1, 1);
    const dBodyID rod = sceneAddBox(scene, 1, 1, 0, 0, side);
    sceneAddBall(scene, rod, NULL, anchor);
    dBodySetAngularVel(rod, 0, 0, 1);
    return scene;
}

/* Above options.rigidCfm of either precision: the joints are springs. */
static void soften(Scene *scene)
{
    static const dReal soft = (dReal)0x1p-13;
    dWorldSetCFM(scene->world, soft);
    for (int i = 0; i < scene->jointCount; i++)
        if (dJointGetType(scene->joint[i]) == dJointTypeBall)
            dJointSetBallParam(scene->joint[i], dParamCFM, soft);
}

/* A linkage of 1 g and 1 mm on springs, with balls at both ends of its coupler. A gap that is rounded
 * to 1e-10 m changes their forces where the crank is near the line of the coupler. */
static Scene *makeTinyLinkage(void)
{
    static const double upright[3] = {1e-4, 1e-4, 1e-3}, across[3] = {1e-3, 1e-4, 1e-4}, axis[3] = {0, 1, 0};
    static const double foot[2][3] = {{0, 0, 0}, {1e-3, 0, 0}}, head[2][3] = {{0, 0, 1e-3}, {1e-3, 0, 1e-3}};
    Scene *scene = sceneCreate(3, 4);
    const dBodyID crank = sceneAddBox(scene, 1e-3, 0, 0, 5e-4, upright);
    const dBodyID coupler = sceneAddBox(scene, 2e-3, 5e-4, 0, 1e-3, across);
    const dBodyID rocker = sceneAddBox(scene, 1e-3, 1e-3, 0, 5e-4, upright);
    sceneAddHinge(scene, crank, NULL, foot[0], axis);
    sceneAddBall(scene, coupler, crank, head[0]);
    sceneAddBall(scene, rocker, coupler, head[1]);
    sceneAddHinge(scene, rocker, NULL, foot[1], axis);
    scene->beforeStep = soften;
    for (int i = 0; i < 3; i++) {
        dBodySetLinearVel(scene->body[i], i == 1 ? (dReal)1e-3 : (dReal)5e-4, 0, 0);
        dBodySetAngularVel(scene->body[i], 0, i == 1 ? 0 : 1, 0);
    }
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
    h = 1. / 1024;  // it swings a hundred times faster
    makeStep = ksInspectorStep;
    status |= run(file, writes, "tiny-linkage", makeTinyLinkage(), 0);
    if (fclose(file))
        stop("twin");
    dCloseODE();
    return status;
}

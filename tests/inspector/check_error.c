/* check_error.c  The message of the last error names each argument that a public function refuses,
 * and the function. */
#include "tests/kits/chain_kit.h"

#include <errno.h>
#include <fenv.h>
#include <kinetostat/system.h>
#include <locale.h>
#include <pthread.h>

/* The call failed: checks that the message is "<function>: ...<argument>...". */
static void checkNamed(ksStatus status, const char *call, const char *argument)
{
    const char *message = ksErrorMessage();
    const size_t name = strcspn(call, "(");
    ck_assert_msg(status != KS_OK, "%s succeeds", call);
    ck_assert_msg(strncmp(message, call, name) == 0 && message[name] == ':', "%s: the message is \"%s\"", call,
                  message);
    ck_assert_msg(strstr(message + name, argument), "%s: no %s in \"%s\"", call, argument, message);
}

#define REFUSED(argument, call) checkNamed(call, #call, argument)

/* For each member of a struct in turn: sets a bad value, calls, and restores the value. */
#define REFUSED_WITH(lvalue, bad, argument, call)                                                                      \
    do {                                                                                                               \
        const __typeof__(lvalue) good_ = lvalue;                                                                       \
        lvalue = bad;                                                                                                  \
        REFUSED(argument, call);                                                                                       \
        lvalue = good_;                                                                                                \
    } while (0)

static ksReactionFn *const reactionFn = (ksReactionFn *)abort;

START_TEST(steps)
{
    REFUSED("inspector", ksInspectorStep(NULL, h));
    REFUSED("stepSize is -0.01", ksInspectorStep(inspector, -0.01));
    ck_assert_str_eq(ksErrorMessage(), "ksInspectorStep: stepSize is -0.01, must be finite and > 0");
    REFUSED("inspector", ksInspectorQuickStep(NULL, h));
    REFUSED("stepSize is 0", ksInspectorQuickStep(inspector, 0));
    REFUSED("inspector", ksInspectorBeginStep(NULL, KS_QUICK_STEP, h));
    REFUSED("stepSize is nan", ksInspectorBeginStep(inspector, KS_QUICK_STEP, (dReal)NAN));
    REFUSED("stepper is 7", ksInspectorBeginStep(inspector, (ksStepper)7, h));
    REFUSED("inspector", ksInspectorEndStep(NULL));
    REFUSED("no step was begun", ksInspectorEndStep(inspector));
    CHECK_OK(ksInspectorBeginStep(inspector, KS_QUICK_STEP, h));
    REFUSED("not ended", ksInspectorStep(inspector, h));
}
END_TEST

START_TEST(wrong_options)
{
    ksInspectorOptions options = defaultOptions();
    ksInspector *none = NULL;
    REFUSED("world", ksInspectorCreate(NULL, NULL, &none));
    REFUSED("inspector", ksInspectorCreate(scene->world, NULL, NULL));
    REFUSED_WITH(options.size, 8, "options->size", ksInspectorCreate(scene->world, &options, &none));
    REFUSED_WITH(options.tolerance, 0, "options->tolerance", ksInspectorCreate(scene->world, &options, &none));
    REFUSED_WITH(options.momentumTolerance, NAN, "options->momentumTolerance",
                 ksInspectorCreate(scene->world, &options, &none));
    REFUSED_WITH(options.loadFloor, INFINITY, "options->loadFloor", ksInspectorCreate(scene->world, &options, &none));
    REFUSED_WITH(options.rigidCfm, -1, "options->rigidCfm", ksInspectorCreate(scene->world, &options, &none));
    REFUSED_WITH(options.rankTolerance, 1, "options->rankTolerance", ksInspectorCreate(scene->world, &options, &none));
    REFUSED_WITH(options.contacts, (ksContacts)9, "options->contacts",
                 ksInspectorCreate(scene->world, &options, &none));
    REFUSED_WITH(options.relaxedPerStep, -1, "options->relaxedPerStep",
                 ksInspectorCreate(scene->world, &options, &none));
}
END_TEST

START_TEST(subscriptions)
{
    const dJointID stranger = (dJointID)&h;
    const dBodyID body = scene->body[0], nobody = (dBodyID)&h;
    REFUSED("inspector", ksInspectorOnReaction(NULL, NULL, reactionFn, NULL));
    REFUSED("fn", ksInspectorOnReaction(inspector, NULL, NULL, NULL));
    REFUSED("joint", ksInspectorOnReaction(inspector, stranger, reactionFn, NULL));
    REFUSED("inspector", ksInspectorOnContact(NULL, body, NULL, reactionFn, NULL));
    REFUSED("fn", ksInspectorOnContact(inspector, body, NULL, NULL, NULL));
    REFUSED("a is", ksInspectorOnContact(inspector, NULL, NULL, reactionFn, NULL));
    REFUSED("a is", ksInspectorOnContact(inspector, nobody, NULL, reactionFn, NULL));
    REFUSED("a and b are", ksInspectorOnContact(inspector, body, body, reactionFn, NULL));
    REFUSED("b is", ksInspectorOnContact(inspector, body, nobody, reactionFn, NULL));
    REFUSED("inspector", ksInspectorOnStep(NULL, (ksStepFn *)abort, NULL));
    REFUSED("fn", ksInspectorOnStep(inspector, NULL, NULL));
    REFUSED("inspector", ksInspectorOnAlert(NULL, reactionFn, NULL));
    REFUSED("fn", ksInspectorOnAlert(inspector, NULL, NULL));
    REFUSED("inspector", ksInspectorOff(NULL, NULL));
    REFUSED("inspector", ksInspectorUnsubscribe(NULL, 1));
    REFUSED("subscription", ksInspectorUnsubscribe(inspector, 0));
    REFUSED("subscription", ksInspectorUnsubscribe(inspector, 1));
}
END_TEST

START_TEST(thresholds)
{
    ksThreshold limits;
    ksThresholdFn *const fn = (ksThresholdFn *)abort;
    const dJointID joint = scene->joint[0];
    ksThresholdInit(&limits);
    REFUSED("inspector", ksInspectorOnThreshold(NULL, joint, &limits, fn, NULL));
    REFUSED("joint", ksInspectorOnThreshold(inspector, NULL, &limits, fn, NULL));
    REFUSED("joint", ksInspectorOnThreshold(inspector, (dJointID)&h, &limits, fn, NULL));
    REFUSED("limits", ksInspectorOnThreshold(inspector, joint, NULL, fn, NULL));
    REFUSED("fn", ksInspectorOnThreshold(inspector, joint, &limits, NULL, NULL));
#define LIMITS_REFUSED(member, bad)                                                                                    \
    REFUSED_WITH(limits.member, bad, "limits->" #member, ksInspectorOnThreshold(inspector, joint, &limits, fn, NULL))
    LIMITS_REFUSED(size, 1);
    LIMITS_REFUSED(force[1], 0);
    LIMITS_REFUSED(torque[2], NAN);
    LIMITS_REFUSED(forceMagnitude, -1);
    LIMITS_REFUSED(torqueMagnitude, 0);
    LIMITS_REFUSED(value, (ksValue)9);
    LIMITS_REFUSED(body, 2);
    LIMITS_REFUSED(frame, (ksFrame)9);
    LIMITS_REFUSED(point, (ksPoint)9);
    LIMITS_REFUSED(duration, INFINITY);
    LIMITS_REFUSED(flags, 1u << 9);
    LIMITS_REFUSED(hysteresis, 1.5);
    ck_assert_str_eq(ksErrorMessage(), "ksInspectorOnThreshold: limits->hysteresis is 1.5, must be in [0, 1)");
}
END_TEST

START_TEST(reactions)
{
    CHECK_OK(ksInspectorStep(inspector, h));
    const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[0]);
    ksWrench w;
    REFUSED("reaction", ksReactionGetWrench(NULL, KS_ENGINE, 0, KS_FRAME_WORLD, KS_POINT_ANCHOR, &w));
    REFUSED("value", ksReactionGetWrench(reaction, (ksValue)9, 0, KS_FRAME_WORLD, KS_POINT_ANCHOR, &w));
    REFUSED("body is 2", ksReactionGetWrench(reaction, KS_ENGINE, 2, KS_FRAME_WORLD, KS_POINT_ANCHOR, &w));
    REFUSED("frame", ksReactionGetWrench(reaction, KS_ENGINE, 0, (ksFrame)9, KS_POINT_ANCHOR, &w));
    REFUSED("point", ksReactionGetWrench(reaction, KS_ENGINE, 0, KS_FRAME_WORLD, (ksPoint)9, &w));
    REFUSED("out", ksReactionGetWrench(reaction, KS_ENGINE, 0, KS_FRAME_WORLD, KS_POINT_ANCHOR, NULL));
    ck_assert_ptr_null(reaction->body[1]);
    REFUSED("body 1 is the world, which has no mass centre: request the wrench about the anchor",
            ksReactionGetWrench(reaction, KS_ENGINE, 1, KS_FRAME_WORLD, KS_POINT_MASS_CENTRE, &w));
    ksReaction unknown = *reaction;
    unknown.verdict = KS_UNCHECKED;
    unknown.physical[0].force[0] = NAN;
    REFUSED("(KS_UNCHECKED) has no physical value",
            ksReactionGetWrench(&unknown, KS_PHYSICAL, 0, KS_FRAME_WORLD, KS_POINT_ANCHOR, &w));
    REFUSED("reaction", ksReactionGetFrictionUse(NULL, KS_ENGINE, NULL, NULL));
    REFUSED("contact", ksReactionGetFrictionUse(reaction, KS_ENGINE, NULL, NULL));

    ksSensor sensor;
    ksSensorInit(&sensor);
    REFUSED("sensor", ksSensorRead(NULL, reaction, &w));
    REFUSED("reaction", ksSensorRead(&sensor, NULL, &w));
    REFUSED("out", ksSensorRead(&sensor, reaction, NULL));
    REFUSED("sensor", ksSensorTare(NULL, reaction));
    REFUSED("(KS_UNCHECKED) has no physical value", ksSensorRead(&sensor, &unknown, &w));
    sensor.body = 1;
    sensor.point = KS_POINT_MASS_CENTRE;
    REFUSED("body 1 is the world", ksSensorRead(&sensor, reaction, &w));
    ksSensorInit(&sensor);
#define SENSOR_REFUSED(member, bad)                                                                                    \
    REFUSED_WITH(sensor.member, bad, "sensor->" #member, ksSensorRead(&sensor, reaction, &w))
    SENSOR_REFUSED(size, 1);
    SENSOR_REFUSED(value, (ksValue)9);
    SENSOR_REFUSED(body, -1);
    SENSOR_REFUSED(frame, (ksFrame)9);
    SENSOR_REFUSED(point, (ksPoint)9);
    SENSOR_REFUSED(toolMass, -1);
    sensor.atPosition = 1;
    sensor.position[1] = NAN;
    REFUSED("sensor->position", ksSensorRead(&sensor, reaction, &w));
    sensor.atPosition = 0;
    sensor.toolCentre[0] = NAN;
    REFUSED("sensor->toolCentre", ksSensorTare(&sensor, reaction));
    sensor.toolCentre[0] = 0;
    sensor.gravity[2] = INFINITY;
    REFUSED("sensor->gravity", ksSensorTare(&sensor, reaction));
}
END_TEST

START_TEST(questions)
{
    const dBodyID body = scene->body[0], nobody = (dBodyID)&h;
    const dJointID joint = scene->joint[0], stranger = (dJointID)&h;
    ksWrenchTerm term = {.joint = joint, .body = body};
    ksWrenchSum sum;
    ksBodyProbe at = {.body = body, .axis = {1, 0, 0}}, lost = {.body = nobody};
    ksNetWrench net = {.a = body};
    ksRelaxation relaxation[6];
    double mobility, about[3] = {0, NAN, 0};
    int count;
    REFUSED("inspected", ksInspectorSumWrenches(inspector, &term, 1, KS_ENGINE, NULL, &sum));
    CHECK_OK(ksInspectorStep(inspector, h));
    REFUSED("inspector", ksInspectorSumWrenches(NULL, &term, 1, KS_ENGINE, NULL, &sum));
    REFUSED("term", ksInspectorSumWrenches(inspector, NULL, 1, KS_ENGINE, NULL, &sum));
    REFUSED("value", ksInspectorSumWrenches(inspector, &term, 1, (ksValue)9, NULL, &sum));
    REFUSED("out", ksInspectorSumWrenches(inspector, &term, 1, KS_ENGINE, NULL, NULL));
    REFUSED("about[1] is nan", ksInspectorSumWrenches(inspector, &term, 1, KS_ENGINE, about, &sum));
    REFUSED_WITH(term.joint, stranger, "term[0].joint",
                 ksInspectorSumWrenches(inspector, &term, 1, KS_ENGINE, NULL, &sum));
    REFUSED_WITH(term.body, nobody, "term[0].body", ksInspectorSumWrenches(inspector, &term, 1, KS_ENGINE, NULL, &sum));
    const ksWrenchTerm twice[2] = {term, term}, gone = {.body = nobody}, self = {.body = body, .other = body},
                       apart = {.body = body, .other = nobody};
    REFUSED("term[0].body", ksInspectorSumWrenches(inspector, &gone, 1, KS_ENGINE, NULL, &sum));
    REFUSED("term[0].other", ksInspectorSumWrenches(inspector, &self, 1, KS_ENGINE, NULL, &sum));
    REFUSED("term[0].other", ksInspectorSumWrenches(inspector, &apart, 1, KS_ENGINE, NULL, &sum));
    REFUSED("term[1]", ksInspectorSumWrenches(inspector, twice, 2, KS_ENGINE, NULL, &sum));
    dJointDisable(joint);
    CHECK_OK(ksInspectorStep(inspector, h));
    REFUSED("KS_NOT_SOLVED", ksInspectorSumWrenches(inspector, &term, 1, KS_ENGINE, NULL, &sum));
    dJointEnable(joint);
    CHECK_OK(ksInspectorStep(inspector, h));

    REFUSED("inspector", ksInspectorGetMobility(NULL, &at, &at, &mobility));
    REFUSED("at is", ksInspectorGetMobility(inspector, NULL, &at, &mobility));
    REFUSED("from is", ksInspectorGetMobility(inspector, &at, NULL, &mobility));
    REFUSED("from->body", ksInspectorGetMobility(inspector, &at, &lost, &mobility));
    REFUSED("mobility", ksInspectorGetMobility(inspector, &at, &at, NULL));
    REFUSED_WITH(at.axis[0], NAN, "at has", ksInspectorGetMobility(inspector, &at, &at, &mobility));

    const ksBlow blow = {.at = at, .impulse = 1}, vain = {.at = at, .impulse = INFINITY};
    ksImpact impact;
    REFUSED("inspector", ksInspectorSolveImpulse(NULL, &blow, 1, &impact));
    REFUSED("blow is", ksInspectorSolveImpulse(inspector, NULL, 1, &impact));
    REFUSED("count", ksInspectorSolveImpulse(inspector, &blow, 0, &impact));
    REFUSED("impact", ksInspectorSolveImpulse(inspector, &blow, 1, NULL));
    REFUSED("an impulse is", ksInspectorSolveImpulse(inspector, &vain, 1, &impact));

    REFUSED("inspector", ksInspectorRecompute(NULL, &net, 1, 0.1, 10));
    REFUSED("net", ksInspectorRecompute(inspector, NULL, 1, 0.1, 10));
    REFUSED("tolerance", ksInspectorRecompute(inspector, &net, 1, 0, 10));
    REFUSED("sweeps", ksInspectorRecompute(inspector, &net, 1, 0.1, 0));
    REFUSED_WITH(net.a, nobody, "net[0].a", ksInspectorRecompute(inspector, &net, 1, 0.1, 10));
    REFUSED_WITH(net.b, nobody, "net[0].b", ksInspectorRecompute(inspector, &net, 1, 0.1, 10));
    REFUSED_WITH(net.b, body, "net[0].a and b", ksInspectorRecompute(inspector, &net, 1, 0.1, 10));
    REFUSED_WITH(net.joint, stranger, "net[0].joint", ksInspectorRecompute(inspector, &net, 1, 0.1, 10));

    REFUSED("inspector", ksInspectorRelaxJoint(NULL, joint, 6, relaxation, &count));
    REFUSED("joint", ksInspectorRelaxJoint(inspector, stranger, 6, relaxation, &count));
    REFUSED("capacity is 1", ksInspectorRelaxJoint(inspector, joint, 1, relaxation, &count));
    REFUSED("out", ksInspectorRelaxJoint(inspector, joint, 6, NULL, &count));
    REFUSED("count", ksInspectorRelaxJoint(inspector, joint, 6, relaxation, NULL));
}
END_TEST

/* Two particles on a line. */
static ksSystem *makeSystem(void)
{
    ksSystem *system;
    const double mass = 1;
    int block;
    CHECK_OK(ksSystemCreate(&system));
    for (int i = 0; i < 2; i++)
        CHECK_OK(ksSystemAddBlock(system, 1, &mass, NULL, NULL, &block));
    return system;
}

START_TEST(filling_a_system)
{
    ksSystem *system = makeSystem();
    double mass = 1, bad = -1, one = 1;
    int index, block[2] = {0, 1};
    const double *piece[2] = {&one, &one};
    ksRowSpec spec;
    REFUSED("system", ksSystemCreate(NULL));
    REFUSED("compliance is -1", ksSystemSetRigidCompliance(system, -1));
    REFUSED("system", ksSystemSetRigidCompliance(NULL, 0));
    REFUSED("tolerance is 1", ksSystemSetRankTolerance(system, 1));
    REFUSED("system", ksSystemSetRankTolerance(NULL, 0.5));
    REFUSED("system", ksSystemAddBlock(NULL, 1, &mass, NULL, NULL, &index));
    REFUSED("size is 0", ksSystemAddBlock(system, 0, &mass, NULL, NULL, &index));
    REFUSED("mass", ksSystemAddBlock(system, 1, NULL, NULL, NULL, &index));
    REFUSED("mass", ksSystemAddBlock(system, 1, &bad, NULL, NULL, &index));
    REFUSED("block", ksSystemAddBlock(system, 1, &mass, NULL, NULL, NULL));
    bad = NAN;
    REFUSED("mass", ksSystemAddBlock(system, 1, &bad, NULL, NULL, &index));
    REFUSED("force", ksSystemAddBlock(system, 1, &mass, &bad, NULL, &index));
    REFUSED("velocity", ksSystemAddBlock(system, 1, &mass, NULL, &bad, &index));

    ksRowSpecInit(&spec);
    spec.blockCount = 2;
    spec.block = block;
    spec.jacobian = piece;
    REFUSED("system", ksSystemAddRow(NULL, &spec, &index));
    REFUSED("spec", ksSystemAddRow(system, NULL, &index));
    REFUSED("row", ksSystemAddRow(system, &spec, NULL));
    REFUSED_WITH(spec.blockCount, -1, "spec->blockCount", ksSystemAddRow(system, &spec, &index));
    REFUSED_WITH(spec.block, NULL, "spec->block is", ksSystemAddRow(system, &spec, &index));
    REFUSED_WITH(spec.jacobian, NULL, "spec->jacobian is", ksSystemAddRow(system, &spec, &index));
    REFUSED_WITH(piece[1], NULL, "spec->jacobian[1]", ksSystemAddRow(system, &spec, &index));
    REFUSED_WITH(one, INFINITY, "spec->jacobian[0]", ksSystemAddRow(system, &spec, &index));
    REFUSED_WITH(block[1], 0, "spec->block[1]", ksSystemAddRow(system, &spec, &index));
    REFUSED_WITH(spec.beta, NAN, "spec->beta", ksSystemAddRow(system, &spec, &index));
    REFUSED_WITH(spec.compliance, -1, "spec->compliance", ksSystemAddRow(system, &spec, &index));
    REFUSED_WITH(spec.compliance, NAN, "spec->compliance", ksSystemAddRow(system, &spec, &index));
    REFUSED_WITH(spec.lo, NAN, "spec->lo", ksSystemAddRow(system, &spec, &index));
    REFUSED_WITH(spec.hi, -INFINITY, "spec->hi", ksSystemAddRow(system, &spec, &index));
    REFUSED_WITH(block[1], 7, "block 7 of 2", ksSystemAddRow(system, &spec, &index));
    ck_assert_str_eq(ksErrorMessage(), "ksSystemAddRow: spec->block[1]: block 7 of 2");
    ksSystemDestroy(system);
    ck_assert_str_eq(ksErrorMessage(), "ksSystemAddRow: spec->block[1]: block 7 of 2");
}
END_TEST

/* Two rows over the first particle, whose right-hand sides can contradict each other. */
static ksSystem *makeTwice(double beta)
{
    ksSystem *system = makeSystem();
    const double one = 1, *piece = &one;
    const int block = 0;
    ksRowSpec spec;
    int index;
    ksRowSpecInit(&spec);
    spec.blockCount = 1;
    spec.block = &block;
    spec.jacobian = &piece;
    CHECK_OK(ksSystemAddRow(system, &spec, &index));
    spec.beta = beta;
    CHECK_OK(ksSystemAddRow(system, &spec, &index));
    return system;
}

START_TEST(asking_a_system)
{
    ksSystem *system = makeTwice(0);
    double x[2], bad[2] = {0, NAN};
    int count;
    ksRelaxation relaxation;
    ksGaussMeasure measure;
    REFUSED("system", ksSystemSolveGauss(NULL, x, NULL));
    REFUSED("multiplier", ksSystemSolveGauss(system, NULL, NULL));
    REFUSED("system", ksSystemSolvePaulus(NULL, x, NULL));
    REFUSED("multiplier", ksSystemSolvePaulus(system, NULL, NULL));
    REFUSED("system", ksSystemSolveLeastNorm(NULL, x, NULL));
    REFUSED("multiplier", ksSystemSolveLeastNorm(system, NULL, NULL));
    REFUSED("system", ksSystemSolveMotion(NULL, x));
    REFUSED("acceleration", ksSystemSolveMotion(system, NULL));
    REFUSED("system", ksSystemGetErrorBars(NULL, x));
    REFUSED("bar", ksSystemGetErrorBars(system, NULL));
    REFUSED("system", ksSystemSolveBounded(NULL, NULL));
    REFUSED("solution", ksSystemSolveBounded(system, NULL));
    REFUSED("system", ksSystemRelaxRow(NULL, 0, NULL, NULL, &relaxation));
    REFUSED("row is 2, of 2", ksSystemRelaxRow(system, 2, NULL, NULL, &relaxation));
    REFUSED("out", ksSystemRelaxRow(system, 0, NULL, NULL, NULL));
    REFUSED("direction", ksSystemRelaxRow(system, 0, bad, NULL, &relaxation));
    REFUSED("acceleration", ksSystemRelaxRow(system, 0, NULL, bad, &relaxation));
    REFUSED("row 0", ksSystemRelaxRow(system, 0, NULL, NULL, &relaxation));
    REFUSED("system", ksSystemGetDeterminacy(NULL, NULL, NULL));
    REFUSED("system", ksSystemGetCombination(NULL, x, NULL, NULL));
    REFUSED("coefficient", ksSystemGetCombination(system, NULL, NULL, NULL));
    REFUSED("coefficient[1] is nan", ksSystemGetCombination(system, bad, NULL, NULL));
    REFUSED("system", ksSystemGetSelfStresses(NULL, NULL, 0, &count));
    REFUSED("capacity is 0", ksSystemGetSelfStresses(system, x, 0, &count));
    REFUSED("count", ksSystemGetSelfStresses(system, x, 1, NULL));
    REFUSED("system", ksSystemMeasure(NULL, x, &measure));
    REFUSED("acceleration", ksSystemMeasure(system, NULL, &measure));
    REFUSED("acceleration", ksSystemMeasure(system, bad, &measure));
    REFUSED("out", ksSystemMeasure(system, x, NULL));
    REFUSED("system", ksSystemSolveImpulse(NULL, NULL, NULL, NULL, NULL, NULL));
    REFUSED("impulse", ksSystemSolveImpulse(system, bad, NULL, NULL, NULL, NULL));
    REFUSED("rowVelocity[1]", ksSystemSolveImpulse(system, NULL, bad, NULL, NULL, NULL));
    ksSystemDestroy(system);
    system = makeTwice(1);
    REFUSED(": rows that depend", ksSystemSolvePaulus(system, x, NULL));
    ksSystemDestroy(system);
}
END_TEST

START_TEST(probes)
{
    ksSystem *system = makeSystem();
    double one = 1, mobility;
    int block = 0;
    const double *piece = &one;
    ksProbe good = {1, &block, &piece}, bad = good;
    REFUSED("system", ksSystemGetMobility(NULL, &good, &good, &mobility));
    REFUSED("mobility", ksSystemGetMobility(system, &good, &good, NULL));
    REFUSED("at is", ksSystemGetMobility(system, NULL, &good, &mobility));
    REFUSED("from is", ksSystemGetMobility(system, &good, NULL, &mobility));
    REFUSED_WITH(bad.blockCount, -1, "from->blockCount", ksSystemGetMobility(system, &good, &bad, &mobility));
    REFUSED_WITH(bad.block, NULL, "at->block", ksSystemGetMobility(system, &bad, &good, &mobility));
    REFUSED_WITH(bad.direction, NULL, "at->direction", ksSystemGetMobility(system, &bad, &good, &mobility));
    REFUSED_WITH(block, 5, "block 5 of 2", ksSystemGetMobility(system, &good, &good, &mobility));
    REFUSED_WITH(one, NAN, "at->direction[0]", ksSystemGetMobility(system, &good, &good, &mobility));
    ksSystemDestroy(system);
}
END_TEST

START_TEST(success_leaves_it)
{
    REFUSED("fn", ksInspectorOnStep(inspector, NULL, NULL));
    CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_str_eq(ksErrorMessage(), "ksInspectorOnStep: fn is NULL");
    CHECK_STATUS(ksInspectorQuickStep(inspector, (dReal)NAN), KS_ERROR_BAD_ARGUMENT);
    ck_assert_str_eq(ksErrorMessage(), "ksInspectorQuickStep: stepSize is nan, must be finite and > 0");
}
END_TEST

static void *failElsewhere(void *user)
{
    (void)user;
    ck_assert_str_eq(ksErrorMessage(), "");
    CHECK_STATUS(ksInspectorOff(NULL, NULL), KS_ERROR_BAD_ARGUMENT);
    return NULL;
}

START_TEST(each_thread_has_its_own)
{
    pthread_t thread;
    REFUSED("fn", ksInspectorOnStep(inspector, NULL, NULL));
    ck_assert_int_eq(pthread_create(&thread, NULL, failElsewhere, NULL), 0);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    ck_assert_str_eq(ksErrorMessage(), "ksInspectorOnStep: fn is NULL");
}
END_TEST

START_TEST(the_host_does_not_notice)
{
    static const char *const comma[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", "fr_FR"};
    for (size_t i = 0; i < sizeof comma / sizeof *comma && !setlocale(LC_NUMERIC, comma[i]); i++)
        ;
    feclearexcept(FE_ALL_EXCEPT);
    errno = 0;
    REFUSED("stepSize is -0.1,", ksInspectorStep(inspector, -0.1));
    ck_assert_int_eq(errno, 0);
    ck_assert_int_eq(fetestexcept(FE_ALL_EXCEPT), 0);
    fesetround(FE_UPWARD);
    REFUSED("stepSize is -1e-07,", ksInspectorStep(inspector, -1e-7));
    ck_assert_int_eq(fegetround(), FE_UPWARD);
    fesetround(FE_TONEAREST);
    setlocale(LC_NUMERIC, "C");
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("error");
    tcase_add_checked_fixture(tcase, setUp, tearDown);
    tcase_add_test(tcase, steps);
    tcase_add_test(tcase, wrong_options);
    tcase_add_test(tcase, subscriptions);
    tcase_add_test(tcase, thresholds);
    tcase_add_test(tcase, reactions);
    tcase_add_test(tcase, questions);
    tcase_add_test(tcase, filling_a_system);
    tcase_add_test(tcase, asking_a_system);
    tcase_add_test(tcase, probes);
    tcase_add_test(tcase, success_leaves_it);
    tcase_add_test(tcase, each_thread_has_its_own);
    tcase_add_test(tcase, the_host_does_not_notice);
    return runCase("error", tcase);
}

/* check_guard.c  Opening an engine: proves its layout, refuses another, finds every object, and
 * leaves no trace. */
#define _GNU_SOURCE /* feenableexcept */
#include "tests/kits/engine_kit.h"

#include <dlfcn.h>
#include <fenv.h>
#include <pthread.h>
#include <stdarg.h>

enum { STEPS = 100 };

START_TEST(opensAndKnowsEveryClass)
{
    dWorldID world = newWorld();
    const ksiEngine engine = openEngine(world);
    for (int type = 1; type < KSI_JOINT_TYPES; type++)
        ck_assert_ptr_nonnull(engine.vtable[type]);
    ck_assert_ptr_null(engine.vtable[0]);
    ck_assert_ptr_null(ksiFirstBody(&engine));
    ck_assert_ptr_null(ksiFirstJoint(&engine));
    endWorld(world);
}
END_TEST

/* An engine with another class's function in a slot has another layout. */
START_TEST(refusesWrongSlot)
{
    dWorldID world = newWorld();
    Random random = {1};
    dBodyID first = randomBody(world, &random), second = randomBody(world, &random);
    const ksiJointPose pose = randomPose(&random);
    dJointID joint = ksiCreateJoint(world, _i, first, second, &pose);
    const ksiSymbols own = ksiEngineSymbols(_i), other = ksiEngineSymbols(_i == 1 ? 2 : 1);
    ck_assert_ptr_nonnull(own.getInfo1);
    ck_assert_ptr_nonnull(own.getInfo2);
    // other functions, or functions with other names, as a function of another signature would have
    const ksiSymbols wrong[] = {
        {other.getInfo1, own.getInfo2}, {own.getInfo1, other.getInfo2}, {own.getInfo1, NULL}, {NULL, own.getInfo2}};
    const ksiSymbols hidden = {NULL, NULL};
    ck_assert_int_eq(ksiSlotsAgree(joint, &own), 1);
    ck_assert_int_eq(ksiSlotsAgree(joint, &hidden), 1);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ck_assert_int_eq(ksiSlotsAgree(joint, &wrong[i]), 0);
    endWorld(world);
}
END_TEST

/* A class of the host's own, as in a bundled fork: the same code behind another virtual table. */
START_TEST(refusesForeignClass)
{
    dWorldID world = newWorld();
    Random random = {2};
    dBodyID body = randomBody(world, &random);
    const ksiJointPose pose = randomPose(&random);
    const ksiEngine engine = openEngine(world);
    dJointID joint = ksiCreateJoint(world, dJointTypeHinge, body, NULL, &pose);
    const void *own = ksiVirtualTable(joint), *table[8], *foreign = table;
    memcpy(table, own, sizeof table);
    memcpy(joint, &foreign, sizeof foreign);

    ksiRows rows;
    ksiEngine again;
    ck_assert_int_eq(ksiReadRows(&engine, joint, KS_WORLD_STEP, 0.01, &rows), KS_ERROR_UNSUPPORTED_ENGINE);
    ck_assert_int_eq(ksiEngineOpen(world, &again), KS_ERROR_UNSUPPORTED_ENGINE);
    memcpy(joint, &own, sizeof own);
    ck_assert_int_eq(ksiReadRows(&engine, joint, KS_WORLD_STEP, 0.01, &rows), KS_OK);
    ck_assert_int_eq(ksiEngineOpen(world, &again), KS_OK);
    endWorld(world);
}
END_TEST

/* Getters of an engine whose members are elsewhere. */
static struct {
    bool velocity, feedback;
} moved;

const dReal *dBodyGetLinearVel(dBodyID body)
{
    const dReal *(*own)(dBodyID);
    *(void **)&own = dlsym(RTLD_NEXT, "dBodyGetLinearVel");
    return own(body) + moved.velocity;
}

dJointFeedback *dJointGetFeedback(dJointID joint)
{
    dJointFeedback *(*own)(dJointID);
    *(void **)&own = dlsym(RTLD_NEXT, "dJointGetFeedback");
    return moved.feedback ? NULL : own(joint);
}

static void expectRefusal(dWorldID world, const char *member)
{
    char words[200];
    ksInspector *inspector;
    ck_assert_int_eq(ksInspectorCreate(world, NULL, &inspector), KS_ERROR_UNSUPPORTED_ENGINE);
    snprintf(words, sizeof words, "ksInspectorCreate: the engine's private layout is not a known one: it differs in %s",
             member);
    ck_assert_str_eq(ksErrorMessage(), words);
}

START_TEST(namesTheMemberThatDiffers)
{
    dWorldID world = newWorld();
    Random random = {4};
    dBodyID body = randomBody(world, &random);
    const ksiJointPose pose = randomPose(&random);
    dJointID joint = ksiCreateJoint(world, dJointTypeHinge, body, NULL, &pose);
    moved.velocity = true;
    expectRefusal(world, "dxBody::lvel");
    moved.velocity = false, moved.feedback = true;
    expectRefusal(world, "dxJoint::feedback");
    moved.feedback = false;
    const void *own = ksiVirtualTable(joint), *table[8], *foreign = table;
    memcpy(table, own, sizeof table);
    memcpy(joint, &foreign, sizeof foreign);
    expectRefusal(world, "the virtual table of a joint");
    memcpy(joint, &own, sizeof own);
    endWorld(world);
}
END_TEST

/* All objects, newest first, also in groups and unattached; the same before and after another
 * probe. */
START_TEST(findsEveryObject)
{
    enum { BODIES = 20, JOINTS = 30 };
    dWorldID world = newWorld();
    Random random = {3};
    dJointGroupID group = dJointGroupCreate(0);
    dBodyID body[BODIES];
    dJointID joint[JOINTS];
    ksiEngine engine = openEngine(world);
    for (int i = 0; i < BODIES; i++)
        body[i] = randomBody(world, &random);
    for (int i = 0; i < JOINTS; i++) {
        joint[i] = dJointCreateBall(world, i % 2 ? group : NULL);
        if (i % 3)
            dJointAttach(joint[i], body[i % BODIES], i % 5 ? NULL : body[(i + 1) % BODIES]);
    }
    for (int round = 0; round < 2; round++) {
        dBodyID b = ksiFirstBody(&engine);
        for (int i = BODIES - 1; i >= 0; i--, b = ksiNextBody(b))
            ck_assert_ptr_eq(b, body[i]);
        ck_assert_ptr_null(b);
        dJointID j = ksiFirstJoint(&engine);
        for (int i = JOINTS - 1; i >= 0; i--, j = ksiNextJoint(j))
            ck_assert_ptr_eq(j, joint[i]);
        ck_assert_ptr_null(j);
        engine = openEngine(world);
    }
    dJointGroupEmpty(group);
    int left = 0;
    for (dJointID j = ksiFirstJoint(&engine); j; j = ksiNextJoint(j))
        left++;
    ck_assert_int_eq(left, JOINTS / 2);
    dBodyDestroy(body[BODIES - 1]);
    ck_assert_ptr_eq(ksiFirstBody(&engine), body[BODIES - 2]);
    dJointGroupDestroy(group);
    endWorld(world);
}
END_TEST

static int messages;

static void countMessage(int number, const char *text, va_list arguments)
{
    (void)number, (void)text, (void)arguments;
    messages++;
}

static long blocks;

static void *countAlloc(dsizeint size)
{
    blocks++;
    return malloc(size);
}

static void *countRealloc(void *memory, dsizeint old, dsizeint size)
{
    (void)old;
    if (!memory)
        blocks++;
    return realloc(memory, size);
}

static void countFree(void *memory, dsizeint size)
{
    (void)size;
    if (memory)
        blocks--;
    free(memory);
}

START_TEST(leavesProcessAsItWas)
{
    dSetAllocHandler(countAlloc);
    dSetReallocHandler(countRealloc);
    dSetFreeHandler(countFree);
    dWorldID world = newWorld();
    dSetMessageHandler(countMessage);
    dRandSetSeed(4711);
    feclearexcept(FE_ALL_EXCEPT);
    feraiseexcept(FE_UNDERFLOW);
    fesetround(FE_UPWARD);
    feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
    const int flags = fetestexcept(FE_ALL_EXCEPT), traps = fegetexcept();
    const long before = blocks;

    ksiEngine engine;
    const ksStatus status = ksiEngineOpen(world, &engine);
    const int flagsAfter = fetestexcept(FE_ALL_EXCEPT), trapsAfter = fegetexcept(), round = fegetround();
    fedisableexcept(FE_ALL_EXCEPT);
    fesetround(FE_TONEAREST);
    ck_assert_int_eq(status, KS_OK);
    ck_assert_int_eq(flagsAfter, flags);
    ck_assert_int_eq(trapsAfter, traps);
    ck_assert_int_eq(round, FE_UPWARD);
    ck_assert_uint_eq(dRandGetSeed(), 4711);
    ck_assert_int_eq(messages, 0);
    ck_assert_int_eq(blocks, before);
    dSetMessageHandler(NULL);
    endWorld(world);
}
END_TEST

static void runWorld(int probing, double state[STEPS][13])
{
    dWorldID world = newWorld();
    Random random = {5};
    dBodyID body[4];
    for (int i = 0; i < 4; i++)
        body[i] = randomBody(world, &random);
    for (int i = 0; i < 3; i++)
        randomJoint(world, i == 1 ? dJointTypeUniversal : dJointTypeHinge, BOTH, body[i], body[i + 1], &random);
    for (int i = 0; i < STEPS; i++) {
        if (probing)
            (void)openEngine(world);
        dWorldQuickStep(world, 0.01);
        memcpy(state[i], dBodyGetPosition(body[3]), 3 * sizeof(double));
        memcpy(state[i] + 3, dBodyGetQuaternion(body[3]), 4 * sizeof(double));
        memcpy(state[i] + 7, dBodyGetLinearVel(body[0]), 3 * sizeof(double));
        memcpy(state[i] + 10, dBodyGetAngularVel(body[0]), 3 * sizeof(double));
    }
    endWorld(world);
}

START_TEST(leavesTrajectoryAsItWas)
{
    static double plain[STEPS][13], probed[STEPS][13];
    dRandSetSeed(1);
    runWorld(0, plain);
    dRandSetSeed(1);
    runWorld(1, probed);
    ck_assert_mem_eq(plain, probed, sizeof plain);
}
END_TEST

static void *openOften(void *argument)
{
    ksiEngine engine;
    for (int i = 0; i < 200; i++)
        if (ksiEngineOpen(argument, &engine) != KS_OK)
            return argument;
    return NULL;
}

START_TEST(opensInTwoThreads)
{
    dWorldID world = newWorld(), other = dWorldCreate();
    pthread_t thread;
    void *failed = world;
    ck_assert_int_eq(pthread_create(&thread, NULL, openOften, other), 0);
    ck_assert_ptr_null(openOften(world));
    pthread_join(thread, &failed);
    ck_assert_ptr_null(failed);
    dWorldDestroy(other);
    endWorld(world);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("guard");
    tcase_add_test(tests, opensAndKnowsEveryClass);
    tcase_add_loop_test(tests, refusesWrongSlot, 1, KSI_JOINT_TYPES);
    tcase_add_test(tests, refusesForeignClass);
    tcase_add_test(tests, namesTheMemberThatDiffers);
    tcase_add_test(tests, findsEveryObject);
    tcase_add_test(tests, leavesProcessAsItWas);
    tcase_add_test(tests, leavesTrajectoryAsItWas);
    tcase_add_test(tests, opensInTwoThreads);
    return runCase("guard", tests);
}

/* check_replay.c  Judging a recorded step in another world gives the same results, to the bit; and
 * a copy of the world steps in the same way. */
#include "replay/recorder.h"
#include "replay/replica.h"
#include "tests/kits/same_kit.h"

static const double h = 0.005;
enum { steps = 30 };

typedef struct Twin {
    Scene *scene;
    ksInspector *inspector, *second; /* inspectors of the scene, and of the replica */
    ksiRecorder *recorder;
    ksiReplica *replica;
    size_t judged; /* number of compared reactions with rows */
} Twin;

static void openTwin(Twin *twin, Scene *scene)
{
    ck_assert_ptr_nonnull(scene);
    *twin = (Twin){.scene = scene, .inspector = inspect(scene->world)};
    CHECK_OK(ksiRecorderCreate(scene->world, 1, KSI_FEEDBACK_OURS, &twin->recorder));
    CHECK_OK(ksiReplicaCreate(&twin->replica));
    twin->second = inspect(ksiReplicaWorld(twin->replica));
}

static void closeTwin(Twin *twin)
{
    ksInspectorDestroy(twin->inspector);
    ksInspectorDestroy(twin->second);
    ksiRecorderDestroy(twin->recorder);
    ksiReplicaDestroy(twin->replica);
    sceneDestroy(twin->scene);
}

static int engineStep(dWorldID world, ksStepper stepper)
{
    return stepper == KS_WORLD_STEP ? dWorldStep(world, h) : dWorldQuickStep(world, h);
}

static const ksiStepRecord *recordStep(Twin *twin, ksStepper stepper)
{
    CHECK_OK(ksInspectorBeginStep(twin->inspector, stepper, h));
    CHECK_OK(ksiRecorderBegin(twin->recorder, stepper, h, false));
    ck_assert(engineStep(twin->scene->world, stepper));
    const ksiStepRecord *record = ksiRecorderEnd(twin->recorder, true, 0);
    CHECK_OK(ksInspectorEndStep(twin->inspector));
    ck_assert(ksiRecordIsSound(record, record->bytes));
    return record;
}

static void compare(Twin *twin)
{
    size_t count, second;
    const ksReaction *a = ksInspectorGetReactions(twin->inspector, &count);
    const ksReaction *b = ksInspectorGetReactions(twin->second, &second);
    ck_assert_uint_eq(count, second);
    for (size_t i = 0; i < count; i++) {
        compareReaction(&a[i], &b[i]);
        twin->judged += a[i].rowCount > 0;
    }
    compareReports(ksInspectorGetStepReport(twin->inspector), ksInspectorGetStepReport(twin->second));
}

static void seeAgain(Twin *twin, const ksiStepRecord *record)
{
    CHECK_OK(ksiReplicaBegin(twin->replica, record));
    CHECK_OK(ksInspectorBeginStep(twin->second, (ksStepper)record->stepper, record->h));
    ksiReplicaEnd(twin->replica, record);
    CHECK_OK(ksInspectorEndStep(twin->second));
}

static void judgeAgain(Scene *scene, ksStepper stepper)
{
    Twin twin;
    openTwin(&twin, scene);
    for (int i = 0; i < steps; i++) {
        sceneBeforeStep(scene);
        seeAgain(&twin, recordStep(&twin, stepper));
        compare(&twin);
        sceneAfterStep(scene);
    }
    ck_assert_uint_gt(twin.judged, steps);
    closeTwin(&twin);
}

START_TEST(machines)
{
    judgeAgain(makeKind(_i / 2, h), _i % 2 ? KS_QUICK_STEP : KS_WORLD_STEP);
}
END_TEST

START_TEST(zoo)
{
    judgeAgain(sceneZoo(), _i ? KS_QUICK_STEP : KS_WORLD_STEP);
}
END_TEST

static void compareEnds(const Twin *twin, const ksiStepRecord *record)
{
    const ksiBodyResult *expected = ksiRecordedEnds(record);
    for (size_t i = 0; i < record->bodyCount; i++) {
        ksiBodyState found;
        ksiCopyState(ksiReplicaBody(twin->replica, i), &found);
        SAME(&expected[i].state, &found, centre);
        SAME(&expected[i].state, &found, rotation);
        SAME(&expected[i].state, &found, velocity);
        SAME(&expected[i].state, &found, spin);
    }
}

/* A copy of the world repeats the engine's own step, with its random numbers. */
static void stepAgain(Scene *scene, ksStepper stepper)
{
    Twin twin;
    openTwin(&twin, scene);
    const dWorldID copy = ksiReplicaWorld(twin.replica);
    for (int i = 0; i < steps; i++) {
        sceneBeforeStep(scene);
        const ksiStepRecord *record = recordStep(&twin, stepper);
        CHECK_OK(ksiReplicaBegin(twin.replica, record));
        ksiReplicaPrepareStep(twin.replica);
        dRandSetSeed((unsigned long)record->seed);
        ck_assert(engineStep(copy, stepper));
        sceneAfterStep(scene);
        compareEnds(&twin, record);
    }
    closeTwin(&twin);
}

START_TEST(steps_of_a_copy)
{
    stepAgain(makeKind(_i / 2, h), _i % 2 ? KS_QUICK_STEP : KS_WORLD_STEP);
}
END_TEST

/* Without support: awake, it would fall. */
START_TEST(a_body_that_sleeps_goes_on_in_a_copy)
{
    Scene *scene = makeKind(0, h);
    const dBodyID body = dBodyCreate(scene->world);
    dBodySetAutoDisableFlag(body, 1);
    dBodyDisable(body);
    stepAgain(scene, KS_WORLD_STEP);
}
END_TEST

/* Recording does not change the world; the host's feedback is filled. */
START_TEST(transparency)
{
    Scene *plain = sceneZoo(), *recorded = sceneZoo();
    ksiRecorder *recorder;
    dJointFeedback expected[2], found[2];
    memset(expected, 0x5a, sizeof expected);
    memset(found, 0x5a, sizeof found);
    CHECK_OK(ksiRecorderCreate(recorded->world, 1, KSI_FEEDBACK_OURS, &recorder));
    for (int i = 0; i < 2; i++) {
        dJointSetFeedback(plain->joint[i], &expected[i]);
        dJointSetFeedback(recorded->joint[i], &found[i]);
    }
    for (int i = 0; i < 400; i++) {
        const unsigned long seed = dRandGetSeed();
        sceneBeforeStep(plain);
        ck_assert(dWorldQuickStep(plain->world, h));
        sceneAfterStep(plain);
        dRandSetSeed(seed);
        sceneBeforeStep(recorded);
        CHECK_OK(ksiRecorderBegin(recorder, KS_QUICK_STEP, h, false));
        ck_assert(dWorldQuickStep(recorded->world, h));
        ck_assert_ptr_nonnull(ksiRecorderEnd(recorder, true, 0));
        sceneAfterStep(recorded);
        ck_assert(sceneSameState(plain, recorded));
        ck_assert_mem_eq(expected, found, sizeof found);
        ck_assert_ptr_eq(dJointGetFeedback(recorded->joint[0]), &found[0]);
        ck_assert_ptr_null(dJointGetFeedback(recorded->joint[2]));
    }
    ksiRecorderDestroy(recorder);
    sceneDestroy(plain);
    sceneDestroy(recorded);
}
END_TEST

/* --- Within an inspector's bracket --- */

typedef struct Guest {
    ksiRecorder *recorder;
    const ksiStepRecord *record; /* of the last step */
} Guest;

static void recordAsGuest(const ksEngineStep *step, void *user)
{
    Guest *guest = user;
    if (step->isDone)
        guest->record = ksiRecorderEnd(guest->recorder, true, 0);
    else
        CHECK_OK(ksiRecorderBegin(guest->recorder, step->stepper, step->stepSize, false));
}

/* Notes a joint's feedback at the time of the call. */
static void noteFeedback(const ksEngineStep *step, void *user)
{
    Scene *scene = ((void **)user)[1];
    ((void **)user)[0] = dJointGetFeedback(scene->joint[0]);
    (void)step;
}

static void compareRecorders(Scene *scene, ksStepper stepper)
{
    Twin twin;
    openTwin(&twin, scene);
    Guest guest = {NULL, NULL};
    void *before[2] = {NULL, scene}, *after[2] = {NULL, scene};
    CHECK_OK(ksiRecorderCreate(scene->world, 1, KSI_FEEDBACK_INSPECTORS, &guest.recorder));
    CHECK_OK(ksInspectorOnEngineStep(twin.inspector, noteFeedback, before));
    CHECK_OK(ksInspectorOnEngineStep(twin.inspector, recordAsGuest, &guest));
    CHECK_OK(ksInspectorOnEngineStep(twin.inspector, noteFeedback, after));
    for (int i = 0; i < steps; i++) {
        sceneBeforeStep(scene);
        const ksiStepRecord *own = recordStep(&twin, stepper);
        ck_assert_uint_eq(guest.record->bytes, own->bytes);
        ck_assert_mem_eq(guest.record, own, own->bytes);
        // the world was not written to
        ck_assert_ptr_eq(before[0], after[0]);
        seeAgain(&twin, guest.record);
        compare(&twin);
        sceneAfterStep(scene);
    }
    ksiRecorderDestroy(guest.recorder);
    closeTwin(&twin);
}

START_TEST(an_inspectors_feedback)
{
    compareRecorders(makeKind(_i / 2, h), _i % 2 ? KS_QUICK_STEP : KS_WORLD_STEP);
}
END_TEST

START_TEST(an_inspectors_feedback_of_a_zoo)
{
    compareRecorders(sceneZoo(), _i ? KS_QUICK_STEP : KS_WORLD_STEP);
}
END_TEST

/* Joints come and go, some at the addresses of others; bodies as well. */
START_TEST(comings_and_goings)
{
    Twin twin;
    openTwin(&twin, sceneChain(8, SCENE_FALLING));
    Scene *scene = twin.scene;
    uint64_t newest = 8;
    for (int i = 0; i < steps; i++) {
        newest += comeAndGo(scene, i);
        const ksiStepRecord *record = recordStep(&twin, KS_QUICK_STEP);
        const ksiBodyRecord *body = (const void *)(record + 1);
        uint64_t most = 0;
        for (size_t k = 0; k < record->bodyCount; k++)
            most = body[k].number > most ? body[k].number : most;
        // the allocator may give an old body's address to the new one: then they cannot be
        // distinguished
        ck_assert_uint_ge(most, 8);
        ck_assert_uint_le(most, newest);
        seeAgain(&twin, record);
        compare(&twin);
    }
    closeTwin(&twin);
}
END_TEST

START_TEST(numbers)
{
    Twin twin;
    openTwin(&twin, sceneChain(4, SCENE_HANGING));
    for (int i = 0; i < 3; i++) {
        seeAgain(&twin, recordStep(&twin, KS_WORLD_STEP));
        size_t count;
        const ksReaction *reaction = ksInspectorGetReactions(twin.second, &count);
        ck_assert_uint_eq(count, 4);
        for (size_t k = 0; k < count; k++) {
            ksiReplicaJoint joint;
            ck_assert(ksiReplicaIdentify(twin.replica, reaction[k].joint, &joint));
            ck_assert_uint_eq(joint.number, 4 - k);  // newest first
            ck_assert_uint_eq(joint.body[0], 4 - k);
            ck_assert_uint_eq(joint.body[1], 3 - k);
        }
        ksiReplicaJoint none;
        ck_assert(!ksiReplicaIdentify(twin.replica, twin.scene->joint[0], &none));
    }
    closeTwin(&twin);
}
END_TEST

/* Any byte of a record may be wrong: then it is refused, or can be read. */
START_TEST(broken_records)
{
    Twin twin;
    openTwin(&twin, sceneChain(3, SCENE_FALLING));
    const ksiStepRecord *record = recordStep(&twin, KS_WORLD_STEP);
    const size_t bytes = record->bytes;
    ksiStepRecord *copy = malloc(bytes);
    ck_assert_ptr_nonnull(copy);
    size_t refused = 0;
    for (size_t at = 0; at < bytes; at++) {
        memcpy(copy, record, bytes);
        ((unsigned char *)copy)[at] ^= 0xff;
        refused += !ksiRecordIsSound(copy, bytes);
    }
    ck_assert_uint_gt(refused, 8);  // at least where its length is wrong
    for (size_t cut = 0; cut < bytes; cut += 8) {
        memcpy(copy, record, bytes);
        ck_assert(!ksiRecordIsSound(copy, cut));
        copy->bytes = cut;
        ck_assert(!ksiRecordIsSound(copy, bytes));
    }
    free(copy);
    closeTwin(&twin);
}
END_TEST

int main(void)
{
    TCase *again = tcase_create("again");
    tcase_add_loop_test(again, machines, 0, 2 * kindCount());
    tcase_add_loop_test(again, zoo, 0, 2);
    tcase_add_loop_test(again, steps_of_a_copy, 0, 2 * kindCount());
    tcase_add_test(again, a_body_that_sleeps_goes_on_in_a_copy);
    tcase_add_loop_test(again, an_inspectors_feedback, 0, 2 * kindCount());
    tcase_add_loop_test(again, an_inspectors_feedback_of_a_zoo, 0, 2);
    tcase_add_test(again, transparency);
    tcase_add_test(again, comings_and_goings);
    tcase_add_test(again, numbers);
    tcase_add_test(again, broken_records);
    return runCase("replay", again);
}

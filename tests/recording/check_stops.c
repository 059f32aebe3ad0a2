/* check_stops.c  Stops of a recorded step: if rounding can decide on which side of its stop a joint
 * is, the joint is judged with the engine's decision; a larger difference is refused. */
#include "engine/layout.h"
#include "engine/rows.h"
#include "engine/stops.h"
#include "replay/recorder.h"
#include "replay/replica.h"
#include "tests/kits/support.h"

#include "demos/scenes/scenes_private.h"

#include <float.h>

static const double h = 0.005, beyond = 0.3;
static const double near = 2 * (double)FLT_EPSILON; /* rad: within rounding in single precision, but not in double */
enum { ALL_STOPS = 1 << KSI_STOPS_BITS };

typedef struct Seen {
    ksVerdict verdict;
    ksReasons reasons;
    int rows;
} Seen;

/* A box on a hinge, pressed onto its low stop, which is this far below its angle of 0. */
static Scene *atStop(double below)
{
    static const double side[3] = {0.4, 0.1, 0.1}, anchor[3] = {0, 0, 0}, axis[3] = {0, 1, 0};
    Scene *scene = sceneCreate(1, 1);
    const dBodyID box = sceneAddBox(scene, 1, 0.2, 0, 0, side);
    const dJointID hinge = sceneAddHinge(scene, box, NULL, anchor, axis);
    dBodyAddTorque(box, 0, -4, 0);
    dJointSetHingeParam(hinge, dParamLoStop, -below);
    dJointSetHingeParam(hinge, dParamHiStop, 0.5);
    return scene;
}

/* Copies the record of a step. */
static ksiStepRecord *recordStep(Scene *scene)
{
    ksiRecorder *recorder;
    CHECK_OK(ksiRecorderCreate(scene->world, 1, KSI_FEEDBACK_OURS, &recorder));
    CHECK_OK(ksiRecorderBegin(recorder, KS_WORLD_STEP, h, false));
    ck_assert(dWorldStep(scene->world, h));
    const ksiStepRecord *made = ksiRecorderEnd(recorder, true, 0);
    ck_assert(ksiRecordIsSound(made, made->bytes));
    ksiStepRecord *copy = malloc(made->bytes);
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, made, made->bytes);
    ksiRecorderDestroy(recorder);
    return copy;
}

static ksiJointResult *resultOf(ksiStepRecord *record)
{
    return (ksiJointResult *)(uintptr_t)ksiRecordedReports(record);
}

static void setStops(ksiStepRecord *record, unsigned stops)
{
    ksiJointResult *result = resultOf(record);
    result->written = (result->written & KSI_WROTE_BOTH) | (int64_t)stops << KSI_WROTE_BITS;
}

/* Marks the record as one of a single-precision engine. */
static void makeSingle(ksiStepRecord *record)
{
    ksiBodyRecord *body = (void *)(record + 1);
    for (size_t i = 0; i < record->bodyCount; i++)
        body[i].copy.state.flags |= KSI_BODY_SINGLE;
}

/* The judge's result for the first joint. */
static Seen see(const ksiStepRecord *record)
{
    ksiReplica *replica;
    CHECK_OK(ksiReplicaCreate(&replica));
    ksInspector *inspector = inspect(ksiReplicaWorld(replica));
    ck_assert(ksiRecordIsSound(record, record->bytes));
    CHECK_OK(ksiReplicaBegin(replica, record));
    CHECK_OK(ksInspectorBeginStep(inspector, (ksStepper)record->stepper, record->h));
    ksiReplicaEnd(replica, record);
    CHECK_OK(ksInspectorEndStep(inspector));
    const ksReaction *reaction = ksInspectorGetReaction(inspector, ksiReplicaJointId(replica, 0));
    ck_assert_ptr_nonnull(reaction);
    const Seen seen = {reaction->verdict, reaction->reasons, reaction->rowCount};
    ksInspectorDestroy(inspector);
    ksiReplicaDestroy(replica);
    return seen;
}

static Seen seeWith(double below, unsigned stops, bool isSingle)
{
    Scene *scene = atStop(below);
    ksiStepRecord *record = recordStep(scene);
    setStops(record, stops);
    if (isSingle)
        makeSingle(record);
    const Seen seen = see(record);
    free(record);
    sceneDestroy(scene);
    return seen;
}

enum { FREE = KSI_STOPS_ARE_KNOWN, AT_LOW = KSI_STOPS_ARE_KNOWN | 1 << 1, AT_HIGH = KSI_STOPS_ARE_KNOWN | 2 << 1 };

START_TEST(the_stops_of_a_step_are_recorded)
{
    Scene *scene = atStop(_i ? beyond : -near);
    ksiStepRecord *record = recordStep(scene);
    ck_assert_uint_eq(ksiRecordedStops(resultOf(record)), _i ? FREE : AT_LOW);
    ck_assert_int_eq(resultOf(record)->written & KSI_WROTE_BOTH, KSI_WROTE_FIRST);
    const Seen seen = see(record);
    ck_assert_int_eq(seen.verdict, KS_VALID);
    ck_assert_int_eq(seen.rows, _i ? 5 : 6);
    free(record);
    sceneDestroy(scene);
}
END_TEST

/* The judge's own angle is on the other side of the stop. */
START_TEST(rounding_decides_as_in_the_step)
{
    ck_assert_int_eq(seeWith(near, AT_LOW, true).rows, 6);
    ck_assert_int_eq(seeWith(-near, FREE, true).rows, 5);
    ck_assert_int_eq(seeWith(near, FREE, true).rows, 5);
    ck_assert_int_eq(seeWith(-near, AT_LOW, true).rows, 6);
}
END_TEST

/* A file may have any bits: they cannot move a joint to another place. */
START_TEST(more_than_rounding_is_not_judged)
{
    const Seen of[] = {seeWith(beyond, AT_LOW, true), seeWith(-beyond, FREE, true), seeWith(beyond, AT_HIGH, true),
                       seeWith(near, AT_LOW, false), seeWith(-near, FREE, false)};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        ck_assert_msg(of[i].verdict == KS_UNCHECKED, "%zu: %s", i, ksVerdictName(of[i].verdict));
        ck_assert(of[i].reasons & KS_REASON_UNREADABLE);
    }
}
END_TEST

/* Its class counts as unknown, and its stops are recorded nevertheless. */
START_TEST(numbers_out_of_range)
{
    Scene *scene = atStop(-near);
    dJointSetHingeParam(scene->joint[0], dParamBounce, (dReal)NAN);
    ksiStepRecord *record = recordStep(scene);
    ck_assert_uint_eq(ksiRecordedStops(resultOf(record)), AT_LOW);
    free(record);
    sceneDestroy(scene);
}
END_TEST

/* The first recordings have no stops. */
START_TEST(recordings_without_stops)
{
    const Seen at = seeWith(-near, 0, true), off = seeWith(near, 0, true);
    ck_assert_int_eq(at.rows, 6);
    ck_assert_int_eq(at.verdict, KS_VALID);
    ck_assert_int_eq(off.rows, 5);
    ck_assert_int_eq(off.verdict, KS_VALID);
}
END_TEST

/* A joint that was not solved has the stops of an earlier step, wherever its body is. */
START_TEST(a_body_asleep)
{
    Scene *scene = atStop(beyond);
    dBodyDisable(scene->body[0]);
    ksiStepRecord *record = recordStep(scene);
    ck_assert_int_eq(resultOf(record)->written & KSI_WROTE_BOTH, 0);
    setStops(record, AT_LOW);
    const Seen seen = see(record);
    ck_assert_int_eq(seen.verdict, KS_NOT_SOLVED);
    ck_assert(seen.reasons & KS_REASON_ASLEEP);
    ck_assert(!(seen.reasons & KS_REASON_UNREADABLE));
    free(record);
    sceneDestroy(scene);
}
END_TEST

/* A joint of this type between two bodies, with stops around its angles. */
static Scene *ofType(int type)
{
    static const double side[3] = {0.4, 0.3, 0.2};
    static const ksiJointPose pose = {{0.3, 0, 0.1}, {1.4, -0.5, 0.4}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    Scene *scene = sceneCreate(2, 1);
    const dBodyID first = sceneAddBox(scene, 1, 0, 0, 0, side), second = sceneAddBox(scene, 2, 1, 0.2, 0, side);
    const dJointID joint = ksiCreateJoint(scene->world, type, first, second, &pose);
    ck_assert_ptr_nonnull(joint);
    scene->joint[scene->jointCount++] = joint;
    for (int axis = 0; axis < ksiAxisCount(joint); axis++) {
        ksiSetAxis(joint, axis, dParamLoStop, -near);
        ksiSetAxis(joint, axis, dParamHiStop, near);
    }
    return scene;
}

static double stopsOf(const ksiReplica *replica, int which)
{
    const dJointID joint = ksiReplicaJointId(replica, 0);
    return ksiAxisCount(joint) > which / 2 ? ksiGetAxis(joint, which / 2, which % 2 ? dParamHiStop : dParamLoStop) : 0;
}

/* Any bits are refused, or shift stops only by rounding. */
START_TEST(any_stops_of_any_joint)
{
    if (_i == dJointTypeNull)
        return;                                           // the engine does not step this joint
    static const double most = 100 * (double)FLT_EPSILON; /* m, rad: for bodies within 2 m of the origin */
    Scene *scene = ofType(_i);
    ksiStepRecord *record = recordStep(scene);
    ksiReplica *replica;
    CHECK_OK(ksiReplicaCreate(&replica));
    makeSingle(record);
    int sound = 0;
    for (unsigned stops = 0; stops < ALL_STOPS; stops++) {
        setStops(record, stops);
        if (!ksiRecordIsSound(record, record->bytes))
            continue;
        sound++;
        CHECK_OK(ksiReplicaBegin(replica, record));
        for (int which = 0; which < 6 && _i != dJointTypeLMotor; which++)
            ck_assert_double_le(fabs(fabs(stopsOf(replica, which)) - (stopsOf(replica, which) != 0) * near), most);
        ksiReplicaEnd(replica, record);
    }
    const int axes[KSI_JOINT_TYPES] = {
        [dJointTypeHinge] = 1,  [dJointTypeSlider] = 1, [dJointTypeUniversal] = 2, [dJointTypeHinge2] = 1,
        [dJointTypeAMotor] = 3, [dJointTypePR] = 2,     [dJointTypePU] = 3,        [dJointTypePiston] = 2};
    ck_assert_int_eq(sound, axes[_i] ? 1 + (int)pow(3, axes[_i]) : 1);
    ksiReplicaDestroy(replica);
    free(record);
    sceneDestroy(scene);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("stops");
    tcase_add_loop_test(test, the_stops_of_a_step_are_recorded, 0, 2);
    tcase_add_test(test, rounding_decides_as_in_the_step);
    tcase_add_test(test, more_than_rounding_is_not_judged);
    tcase_add_test(test, numbers_out_of_range);
    tcase_add_test(test, recordings_without_stops);
    tcase_add_test(test, a_body_asleep);
    tcase_add_loop_test(test, any_stops_of_any_joint, dJointTypeBall, KSI_JOINT_TYPES);
    return runCase("stops", test);
}

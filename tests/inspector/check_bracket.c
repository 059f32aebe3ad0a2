/* check_bracket.c  The host's own steps between BeginStep and EndStep, with one inspector and with
 * two. */
#include "tests/kits/chain_kit.h"

START_TEST(brackets)
{
    CHECK_STATUS(ksInspectorEndStep(inspector), KS_ERROR_BRACKET);
    CHECK_OK(ksInspectorBeginStep(inspector, KS_WORLD_STEP, h));
    CHECK_STATUS(ksInspectorBeginStep(inspector, KS_WORLD_STEP, h), KS_ERROR_BRACKET);
    CHECK_STATUS(ksInspectorStep(inspector, h), KS_ERROR_BRACKET);
    ck_assert(dWorldStep(scene->world, h));
    CHECK_OK(ksInspectorEndStep(inspector));
    CHECK_STATUS(ksInspectorEndStep(inspector), KS_ERROR_BRACKET);
    ck_assert_uint_eq(ksInspectorGetStepReport(inspector)->verdictCount[KS_VALID], 3);
    CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_uint_eq(ksInspectorGetStepReport(inspector)->step, 1);
    ck_assert_double_eq_tol(ksInspectorGetStepReport(inspector)->time, h, 1e-15);
}
END_TEST

/* A bracket without a step judges nothing. */
START_TEST(bracket_without_a_step)
{
    CHECK_OK(ksInspectorBeginStep(inspector, KS_WORLD_STEP, h));
    CHECK_OK(ksInspectorEndStep(inspector));
    ck_assert_uint_eq(ksInspectorGetStepReport(inspector)->verdictCount[KS_NOT_SOLVED], 3);
    ck_assert(ksInspectorGetReaction(inspector, scene->joint[0])->reasons & KS_REASON_NOT_REPORTED);
}
END_TEST

/* The outer bracket cannot end while the inner one has the feedback; in the right order both can
 * end, and everything is restored. */
START_TEST(crossed_brackets)
{
    dJointFeedback mine;
    memset(&mine, 0, sizeof mine);
    ksInspector *inner = inspect(scene->world);
    dJointSetFeedback(scene->joint[1], &mine);
    CHECK_OK(ksInspectorBeginStep(inspector, KS_WORLD_STEP, h));
    CHECK_OK(ksInspectorBeginStep(inner, KS_WORLD_STEP, h));
    CHECK_STATUS(ksInspectorEndStep(inspector), KS_ERROR_BRACKET);
    ck_assert(dWorldStep(scene->world, h));
    CHECK_STATUS(ksInspectorEndStep(inspector), KS_ERROR_BRACKET);
    CHECK_OK(ksInspectorEndStep(inner));
    CHECK_OK(ksInspectorEndStep(inspector));
    ck_assert_uint_eq(ksInspectorGetStepReport(inner)->verdictCount[KS_VALID], 3);
    ck_assert_uint_eq(ksInspectorGetStepReport(inspector)->verdictCount[KS_VALID], 3);
    ck_assert_ptr_eq(dJointGetFeedback(scene->joint[1]), &mine);
    ck_assert_ptr_null(dJointGetFeedback(scene->joint[0]));
    ck_assert_double_eq(mine.f1[2], ksInspectorGetReaction(inner, scene->joint[1])->engine[0].force[2]);
    ksInspectorDestroy(inner);
}
END_TEST

/* Feedback that the host sets inside a bracket is not mistaken for another inspector's. */
START_TEST(feedback_set_inside_a_bracket)
{
    dJointFeedback mine;
    memset(&mine, 0, sizeof mine);
    CHECK_OK(ksInspectorBeginStep(inspector, KS_WORLD_STEP, h));
    for (int i = 0; i < 3; i++)
        dJointSetFeedback(scene->joint[i], &mine);
    ck_assert(dWorldStep(scene->world, h));
    CHECK_OK(ksInspectorEndStep(inspector));
    ck_assert_ptr_eq(dJointGetFeedback(scene->joint[2]), &mine);
}
END_TEST

START_TEST(destroyed_inside_a_bracket)
{
    dJointFeedback mine;
    dJointSetFeedback(scene->joint[1], &mine);
    CHECK_OK(ksInspectorBeginStep(inspector, KS_WORLD_STEP, h));
    ck_assert_ptr_ne(dJointGetFeedback(scene->joint[1]), &mine);
    ksInspectorDestroy(inspector);
    inspector = NULL;
    ck_assert_ptr_eq(dJointGetFeedback(scene->joint[1]), &mine);
    ck_assert_ptr_null(dJointGetFeedback(scene->joint[0]));
    ck_assert(dWorldStep(scene->world, h));
}
END_TEST

START_TEST(destroyed_after_the_world)
{
    CHECK_OK(ksInspectorStep(inspector, h));
    sceneDestroy(scene);
    scene = NULL;
}
END_TEST

/* The host destroys joints and bodies between BeginStep and EndStep. */
START_TEST(world_changes_inside_a_bracket)
{
    CHECK_OK(ksInspectorBeginStep(inspector, KS_WORLD_STEP, h));
    ck_assert(dWorldStep(scene->world, h));
    dJointDestroy(scene->joint[2]);
    dBodyDestroy(scene->body[2]);
    dJointID made = dJointCreateBall(scene->world, 0);
    dJointAttach(made, scene->body[0], scene->body[1]);
    CHECK_OK(ksInspectorEndStep(inspector));
    ck_assert_ptr_null(dJointGetFeedback(made));
    CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_uint_eq(ksInspectorGetStepReport(inspector)->reactionCount, 3);
}
END_TEST

/* The calls to listeners in a step, in order. */
typedef struct Heard {
    size_t count;
    ksReaction reaction[200];
    ksRow row[200][6];
} Heard;

static void keep(const ksReaction *reaction, void *user)
{
    Heard *heard = user;
    ck_assert_uint_lt(heard->count, 200);
    for (int l = 0; l < reaction->rowCount; l++)
        heard->row[heard->count][l] = reaction->row[l];
    heard->reaction[heard->count++] = *reaction;
}

static void expectHeard(const Heard *heard, const ksReaction *reaction, size_t i)
{
    ksReaction copy = *reaction;
    for (int l = 0; l < reaction->rowCount; l++)
        ck_assert_mem_eq(&reaction->row[l], &heard->row[i][l], sizeof(ksRow));
    copy.row = heard->reaction[i].row;
    ck_assert_mem_eq(&copy, &heard->reaction[i], sizeof copy);
}

static void relaxAll(ksInspector *of, const Heard *heard)
{
    for (size_t j = 0; j < heard->count; j++) {
        ksRelaxation found[6];
        int count;
        ksStatus status = ksInspectorRelaxJoint(of, heard->reaction[j].joint, 6, found, &count);
        ck_assert(status != KS_ERROR_BAD_ARGUMENT && status != KS_ERROR_NO_MEMORY);
    }
}

/* One inspector publishes every reaction; the other one is asked for them after queries that solve
 * systems again. */
START_TEST(reactions_are_the_same_whenever_they_are_asked_for)
{
    const ksStepper stepper = _i % 2 ? KS_QUICK_STEP : KS_WORLD_STEP;
    Scene *zoo = _i / 2 ? sceneZoo() : scenePile(4);
    ksInspector *early = inspect(zoo->world), *late = inspect(zoo->world);
    static Heard heard;
    CHECK_OK(ksInspectorOnReaction(early, NULL, keep, &heard));
    size_t reactions = 0;
    const int steps = _i / 2 ? 50 : 200;
    for (int i = 0; i < steps; i++) {
        heard.count = 0;
        sceneBeforeStep(zoo);
        CHECK_OK(ksInspectorBeginStep(late, stepper, 5 * h));
        CHECK_OK(ksInspectorBeginStep(early, stepper, 5 * h));
        ck_assert(stepper == KS_QUICK_STEP ? dWorldQuickStep(zoo->world, 5 * h) : dWorldStep(zoo->world, 5 * h));
        CHECK_OK(ksInspectorEndStep(early));
        CHECK_OK(ksInspectorEndStep(late));
        relaxAll(early, &heard);
        relaxAll(late, &heard);
        for (size_t j = heard.count / 2; j-- > 0;)
            expectHeard(&heard, ksInspectorGetReaction(late, heard.reaction[j].joint), j);
        size_t count;
        const ksReaction *all = ksInspectorGetReactions(late, &count);
        ck_assert_uint_eq(count, heard.count);
        for (size_t j = 0; j < count; j++)
            expectHeard(&heard, &all[j], j);
        reactions += count;
        sceneAfterStep(zoo);
    }
    ck_assert_uint_gt(reactions, 1000);
    ksInspectorDestroy(early);
    ksInspectorDestroy(late);
    sceneDestroy(zoo);
}
END_TEST

/* --- Around the engine's step --- */

/* The results of one inspector's calls around the engine's step. */
typedef struct Around {
    ksInspector *inspector;
    size_t before, after;
    ksEngineStep last;
    int wrote;          /* the engine wrote into the feedback of the first joint */
    bool destroysIn[2]; /* the call before or after destroys the inspector */
} Around;

static void lookAround(const ksEngineStep *step, void *user)
{
    Around *around = user;
    const dJointFeedback *feedback = dJointGetFeedback(scene->joint[0]);
    ck_assert_ptr_nonnull(feedback);
    around->wrote = isfinite(feedback->f1[0]);
    around->before += !step->isDone;
    around->after += step->isDone != 0;
    around->last = *step;
    CHECK_STATUS(ksInspectorStep(around->inspector, h), KS_ERROR_REENTRY);
    CHECK_STATUS(ksInspectorEndStep(around->inspector), KS_ERROR_REENTRY);
    if (around->destroysIn[step->isDone])
        ksInspectorDestroy(around->inspector);
}

static void expectCalls(const Around *around, size_t before, size_t after)
{
    ck_assert_uint_eq(around->before, before);
    ck_assert_uint_eq(around->after, after);
}

START_TEST(calls_around_the_engines_step)
{
    Around around = {.inspector = inspector};
    CHECK_STATUS(ksInspectorOnEngineStep(NULL, lookAround, NULL), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorOnEngineStep(inspector, NULL, NULL), KS_ERROR_BAD_ARGUMENT);
    CHECK_OK(ksInspectorStep(inspector, h));
    CHECK_OK(ksInspectorOnEngineStep(inspector, lookAround, &around));
    const ksSubscription mine = ksInspectorGetLastSubscription(inspector);
    CHECK_OK(ksInspectorBeginStep(inspector, KS_WORLD_STEP, h));
    expectCalls(&around, 1, 0);
    ck_assert(!around.wrote);
    ck_assert_int_eq(around.last.stepper, KS_WORLD_STEP);
    ck_assert_uint_eq(around.last.step, 1);
    ck_assert_double_eq(around.last.time, h);
    ck_assert_double_eq(around.last.stepSize, h);
    ck_assert(dWorldStep(scene->world, h));
    expectCalls(&around, 1, 0);
    CHECK_OK(ksInspectorEndStep(inspector));
    expectCalls(&around, 1, 1);
    ck_assert(around.wrote);
    ck_assert_uint_eq(around.last.step, 1);
    CHECK_OK(ksInspectorQuickStep(inspector, h));
    expectCalls(&around, 2, 2);
    ck_assert_int_eq(around.last.stepper, KS_QUICK_STEP);
    CHECK_OK(ksInspectorExactStep(inspector, h));
    expectCalls(&around, 3, 3);
    ck_assert_int_eq(around.last.stepper, KS_EXACT_STEP);
    // no step is made
    const dReal *velocity = dBodyGetLinearVel(scene->body[0]);
    const dReal kept = velocity[0];
    dBodySetLinearVel(scene->body[0], NAN, 0, 0);
    CHECK_STATUS(ksInspectorStep(inspector, h), KS_ERROR_NOT_FINITE);
    expectCalls(&around, 3, 3);
    dBodySetLinearVel(scene->body[0], kept, 0, 0);
    CHECK_OK(ksInspectorUnsubscribe(inspector, mine));
    CHECK_OK(ksInspectorStep(inspector, h));
    expectCalls(&around, 3, 3);
}
END_TEST

static bool isOutOfMemory;

static void *resize(void *user, void *memory, size_t size)
{
    (void)user;
    if (size == 0) {
        free(memory);
        return NULL;
    }
    return isOutOfMemory ? NULL : realloc(memory, size);
}

/* A step that could not be read has no feedback, so the engine's forces are unknown. */
START_TEST(no_calls_where_nothing_is_read)
{
    ksInspectorOptions options = defaultOptions();
    options.allocator.resize = resize;
    ksInspector *poor = inspectWith(scene->world, &options);
    Around around = {.inspector = poor};
    CHECK_OK(ksInspectorOnEngineStep(poor, lookAround, &around));
    isOutOfMemory = true;
    CHECK_STATUS(ksInspectorBeginStep(poor, KS_WORLD_STEP, h), KS_ERROR_NO_MEMORY);
    ck_assert(dWorldStep(scene->world, h));
    CHECK_STATUS(ksInspectorEndStep(poor), KS_ERROR_NO_MEMORY);
    isOutOfMemory = false;
    expectCalls(&around, 0, 0);
    CHECK_OK(ksInspectorStep(poor, h));
    expectCalls(&around, 1, 1);
    ksInspectorDestroy(poor);
}
END_TEST

/* If an outer bracket must not end, no listener is called about an end. */
START_TEST(calls_of_crossed_brackets)
{
    Around outer = {.inspector = inspector};
    ksInspector *inner = inspect(scene->world);
    CHECK_OK(ksInspectorOnEngineStep(inspector, lookAround, &outer));
    CHECK_OK(ksInspectorBeginStep(inspector, KS_WORLD_STEP, h));
    CHECK_OK(ksInspectorBeginStep(inner, KS_WORLD_STEP, h));
    ck_assert(dWorldStep(scene->world, h));
    CHECK_STATUS(ksInspectorEndStep(inspector), KS_ERROR_BRACKET);
    expectCalls(&outer, 1, 0);
    CHECK_OK(ksInspectorEndStep(inner));
    CHECK_OK(ksInspectorEndStep(inspector));
    expectCalls(&outer, 1, 1);
    ck_assert(outer.wrote);
    ksInspectorDestroy(inner);
}
END_TEST

static void countCalls(const ksStepReport *report, void *user)
{
    (void)report;
    ++*(int *)user;
}

/* The inspector is destroyed in either call, in its own step or in the host's: it is gone when the
 * step has ended, and not before. */
START_TEST(destroyed_around_the_engines_step)
{
    int calls = 0;
    Around around = {.inspector = inspector};
    CHECK_OK(ksInspectorOnEngineStep(inspector, lookAround, &around));
    CHECK_OK(ksInspectorOnStep(inspector, countCalls, &calls));
    around.destroysIn[_i / 2] = true;
    if (_i % 2) {
        CHECK_OK(ksInspectorBeginStep(inspector, KS_WORLD_STEP, h));
        ck_assert(dWorldStep(scene->world, h));
        CHECK_OK(ksInspectorEndStep(inspector));
    } else {
        CHECK_OK(ksInspectorStep(inspector, h));
    }
    inspector = NULL;
    expectCalls(&around, 1, 1);
    ck_assert_int_eq(calls, 0);
    ck_assert_ptr_null(dJointGetFeedback(scene->joint[0]));
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("bracket");
    tcase_add_checked_fixture(test, setUp, tearDown);
    tcase_add_test(test, brackets);
    tcase_add_test(test, bracket_without_a_step);
    tcase_add_test(test, crossed_brackets);
    tcase_add_test(test, feedback_set_inside_a_bracket);
    tcase_add_test(test, destroyed_inside_a_bracket);
    tcase_add_test(test, destroyed_after_the_world);
    tcase_add_test(test, world_changes_inside_a_bracket);
    tcase_add_test(test, calls_around_the_engines_step);
    tcase_add_test(test, no_calls_where_nothing_is_read);
    tcase_add_test(test, calls_of_crossed_brackets);
    tcase_add_loop_test(test, destroyed_around_the_engines_step, 0, 4);
    tcase_add_loop_test(test, reactions_are_the_same_whenever_they_are_asked_for, 0, 4);
    return runCase("bracket", test);
}

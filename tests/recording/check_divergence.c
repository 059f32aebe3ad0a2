/* check_divergence.c  Two recordings of a program, the second of which differs in one step: the
 * comparison finds the step, the object, the quantity and the cause, and nothing else. */
#include "tests/kits/divergence_kit.h"
#include "tests/kits/report/trace_kit.h"
#include "tests/preload/chain.h"

#include "plugin/replay/recorder.h"
#include "plugin/report/recording/archive.h"

enum { LINKS = 4, CONTACTS = 2 * LINKS, STEPS = 20, CHANGED = 7 };

/* --- Runs --- */

typedef struct Run Run;

/* The changes of a run in step CHANGED: before the step, while contacts are created, or in the
 * record of it. Any can be NULL. */
typedef struct Change {
    void (*host)(Run *run);
    void (*contacts)(Run *run);
    void (*record)(ksiStepRecord *record);
} Change;

struct Run {
    dWorldID world;
    dBodyID link[LINKS + 1];
    dJointID hinge[LINKS];
    dJointGroupID group;
    int steps, iterations;
    double h;
    ksStepper stepper;
    bool isBackwards, isDeeper, isFewer;
};

/* Each link touches something below it, at two points. */
static void touch(Run *run, int number)
{
    const int i = number / 2;
    const dReal *at = dBodyGetPosition(run->link[i]);
    dContact contact = {.surface = {.mode = dContactApprox1, .mu = 0.5}};
    contact.geom.depth = run->isDeeper && number == 4 ? 0.002 : 0.001;
    // the chain moves in the plane y = 0
    contact.geom.pos[0] = at[0] + (number % 2 ? 0.05 : -0.05);
    contact.geom.pos[2] = at[2] - 0.025;
    contact.geom.normal[2] = 1;
    dJointAttach(dJointCreateContact(run->world, run->group, &contact), run->link[i], NULL);
}

static void touchAll(Run *run)
{
    dJointGroupEmpty(run->group);
    for (int i = run->isFewer; i < CONTACTS; i++)
        touch(run, run->isBackwards ? CONTACTS - 1 - i : i);
    run->isBackwards = run->isDeeper = run->isFewer = false;
}

static Run beginRun(void)
{
    Run run = {.world = dWorldCreate(), .group = dJointGroupCreate(0), .h = stepSize, .stepper = KS_QUICK_STEP};
    run.steps = STEPS;
    dWorldSetGravity(run.world, 0, 0, -9.81);
    dRandSetSeed(1);
    for (int i = 0; i < LINKS; i++)
        run.hinge[i] = addLink(run.world, run.link, i);
    return run;
}

static void endRun(Run *run)
{
    dJointGroupDestroy(run->group);
    dWorldDestroy(run->world);
}

static ksiArchive *beginFile(const char *file, const ksiRun *told, char *words)
{
    ksiArchive *archive;
    CHECK_OK(ksiArchiveCreate(in(file), 1, words, &archive));
    ck_assert(ksiArchiveBegin(archive, told, NULL));
    return archive;
}

/* Worlds that are recorded in turn, all equal, except that changes affect the last one. */
static int worlds = 1;

static void appendStep(ksiArchive *archive, const ksiStepRecord *made, void (*change)(ksiStepRecord *record))
{
    ksiStepRecord *copy = malloc(made->bytes);
    ck_assert_ptr_nonnull(copy);
    for (int i = 1; i <= worlds; i++) {
        memcpy(copy, made, made->bytes);
        copy->world = i;
        if (change && i == worlds)
            change(copy);
        CHECK_OK(ksiArchiveAppend(archive, 0, "chain", copy));
    }
    free(copy);
}

static const char *begun = "2026-11-26T07:00:00Z"; /* start of the recorded run; empty: a host
                                                      recorded itself */

/* After CHANGED, hosts continue as before. */
static void recordRun(const char *file, const Change *change, const char *built)
{
    char words[KSI_ARCHIVE_WORDS] = "";
    ksiRun told = {.program = "chain", .isOver = 1};
    snprintf(told.begun, sizeof told.begun, "%s", begun);
    snprintf(told.built, sizeof told.built, "%s", built);
    ksiArchive *archive = beginFile(file, &told, words);
    Run run = beginRun();
    ksiRecorder *recorder;
    CHECK_OK(ksiRecorderCreate(run.world, 1, KSI_FEEDBACK_OURS, &recorder));
    CHECK_OK(ksiRecorderName(recorder, run.hinge[1], "elbow"));
    for (int i = 0; i < run.steps; i++) {
        const bool isChanged = change && i == CHANGED;
        if (isChanged && change->host)
            change->host(&run);
        if (isChanged && change->contacts)
            change->contacts(&run);
        touchAll(&run);
        CHECK_OK(ksiRecorderBegin(recorder, run.stepper, run.h, false));
        ck_assert((run.stepper == KS_QUICK_STEP ? dWorldQuickStep : dWorldStep)(run.world, run.h));
        appendStep(archive, ksiRecorderEnd(recorder, true, 0), isChanged ? change->record : NULL);
    }
    for (int i = 1; i <= worlds; i++) {
        const ksiStepRecord end = ksiEndRecord((unsigned)i, (uint64_t)run.steps);
        CHECK_OK(ksiArchiveAppend(archive, 0, "chain", &end));
    }
    ck_assert(ksiArchiveEnd(archive, &told));
    ck_assert_msg(ksiArchiveClose(archive), "%s", words);
    ksiRecorderDestroy(recorder);
    endRun(&run);
}

/* --- Changes of the second run --- */

static void push(Run *run)
{
    dBodyAddForce(run->link[2], 0, 0, 1);
}

static void place(Run *run)
{
    const dReal *at = dBodyGetPosition(run->link[1]);
    dBodySetPosition(run->link[1], at[0], at[1] + 1e-9, at[2]);
}

/* Its contacts move with it. */
static void slide(Run *run)
{
    const dReal *at = dBodyGetPosition(run->link[1]);
    dBodySetPosition(run->link[1], at[0] + 1e-9, at[1], at[2]);
}

static void kick(Run *run)
{
    const dReal *v = dBodyGetLinearVel(run->link[3]);
    dBodySetLinearVel(run->link[3], v[0], v[1], v[2] + 1);
}

static void weigh(Run *run)
{
    dMass mass;
    dMassSetBoxTotal(&mass, 2, 0.2, 0.05, 0.05);
    dBodySetMass(run->link[0], &mass);
}

static void hold(Run *run)
{
    dBodySetKinematic(run->link[0]);
}

static void letFloat(Run *run)
{
    dBodySetGravityMode(run->link[2], 0);
}

static void damp(Run *run)
{
    dBodySetLinearDampingThreshold(run->link[2], 3);
}

static void drive(Run *run)
{
    dJointSetHingeParam(run->hinge[1], dParamFMax, 5);
}

static void iterate(Run *run)
{
    dWorldSetQuickStepNumIterations(run->world, 30);
}

static void hasten(Run *run)
{
    run->h *= 2;
}

static void stepAll(Run *run)
{
    run->stepper = KS_WORLD_STEP;
}

static void sow(Run *run)
{
    (void)run;
    dRandSetSeed(12345);
}

static void addBody(Run *run)
{
    run->link[LINKS] = dBodyCreate(run->world);
}

static void release(Run *run)
{
    dJointDestroy(run->hinge[3]);
}

static void turnRound(Run *run)
{
    run->isBackwards = true;
}

static void press(Run *run)
{
    run->isDeeper = true;
}

static void lift(Run *run)
{
    run->isFewer = true;
}

static void endEarly(Run *run)
{
    run->steps = CHANGED + 1;
}

/* Changes the last bit of one result of a step: body 3's velocity. */
static void disturb(ksiStepRecord *record)
{
    ksiBodyResult *end = (ksiBodyResult *)(uintptr_t)ksiRecordedEnds(record);
    // the newest body is the first of the list
    double *v = &end[LINKS - 3].state.velocity[2];
    *v = nextafter(*v, INFINITY);
}

static void race(ksiStepRecord *record)
{
    record->threads = 4;
    disturb(record);
}

static void thread(ksiStepRecord *record)
{
    record->threads = 4;
}

static void doze(ksiStepRecord *record)
{
    ksiBodyResult *end = (ksiBodyResult *)(uintptr_t)ksiRecordedEnds(record);
    end[0].state.flags ^= 4;
}

/* As if more joints had come and gone between the recorded steps. */
static void renumber(ksiStepRecord *record)
{
    for (long i = 0; i < (long)record->jointCount; i++)
        ((ksiJointRecord *)(uintptr_t)ksiRecordedJoint(record, i))->number += 100;
}

/* --- Results of the comparison --- */

static ksiAgain stepAgain(const ksiStepRecord *record, void *user)
{
    (void)user;
    return ksiStepAgain(record);
}

static ksiRecordingPair comparePair(const char *b, double tolerance)
{
    char words[KSI_ARCHIVE_WORDS] = "";
    static char paths[2][PATH_SIZE];
    snprintf(paths[0], PATH_SIZE, "%s", in("a.h5"));
    snprintf(paths[1], PATH_SIZE, "%s", in(b));
    const char *path[2] = {paths[0], paths[1]};
    const ksiCompareOptions options = {.tolerance = tolerance, .again = stepAgain};
    ksiRecordingPair pair;
    ck_assert_msg(ksiCompareRecordings(path, &options, &pair, words) == KS_OK, "%s", words);
    return pair;
}

static char *textOf(const ksiRecordingPair *pair)
{
    ksiText text = {.allocator = &ksiLibraryAllocator};
    ksiWritePair(pair, &text);
    ck_assert(!text.isShort);
    return text.at;
}

/* a, b: of the component that differs; NaN: not compared */
static const struct Expected {
    Change change;
    const char *name;
    unsigned causes;
    const char *object, *field;
    double a, b;
    unsigned changedBy, count;
} expected[] = {
    {{.host = push}, "a force", 1u << KSI_OTHER_FORCES, "body 3", "force", 0, 1, 2, 1},
    {{.host = place}, "a pose", 1u << KSI_OTHER_POSES, "body 2", "position", 0, 1e-9, 2, 1},
    {{.host = kick}, "a velocity", 1u << KSI_OTHER_VELOCITIES, "body 4", "velocity", NAN, NAN, 2, 1},
    {{.host = weigh}, "a mass", 1u << KSI_OTHER_MASSES, "body 1", "mass", 1, 2, 2, 1},
    {{.host = letFloat}, "a flag", 1u << KSI_OTHER_FLAGS, "body 3", "flags", NAN, NAN, 2, 1},
    {{.host = damp}, "a threshold", 1u << KSI_OTHER_DAMPING, "body 3", "linear_damping_threshold", 0.01, 3, 2, 1},
    {{.host = drive}, "a motor", 1u << KSI_OTHER_PARAMETERS, "elbow", "axis_maximum", 0, 5, 2, 1},
    {{.host = iterate}, "iterations", 1u << KSI_OTHER_SETTINGS, "", "quick_step_iterations", 20, 30, 2, 1},
    {{.host = hasten}, "a step size", 1u << KSI_OTHER_SETTINGS, "", "step_size", 0.005, 0.01, 2, 1},
    {{.host = stepAll}, "a stepper", 1u << KSI_OTHER_SETTINGS, "", "stepper", 1, 0, 2, 1},
    {{.host = addBody}, "a body", 1u << KSI_OTHER_BODIES, "body 5", NULL, 0, 1, 0, 1},
    {{.host = release}, "a joint", 1u << KSI_OTHER_JOINTS, "hinge 4: body 4 – body 3", NULL, 1, 0, 0, 1},
    {{.contacts = turnRound}, "an order", 1u << KSI_OTHER_ORDER, "contact: body 4 – world", NULL, 1, 8, 0, CONTACTS},
    {{.contacts = press}, "a depth", 1u << KSI_OTHER_CONTACTS, "contact: body 3 – world", "depth", 0.001, 0.002, 0, 1},
    {{.contacts = lift}, "a contact", 1u << KSI_OTHER_CONTACTS, "contact: body 1 – world", NULL, 1, 0, 0, 1},
    {{.host = sow}, "a seed", 1u << KSI_OTHER_SEED, "", "random_seed", NAN, 12345, 0, 1},
    {{.record = race}, "a race", 1u << KSI_OTHER_THREADS, "", "threads", NAN, 4, 0, 1},
    {{.record = disturb}, "a bit", KSI_CAUSE_NOT_KNOWN, "body 3", "velocity", NAN, NAN, 0, 1},
};
enum { EXPECTED = sizeof expected / sizeof *expected };

static void checkValue(const ksiFinding *found, int which, double wanted)
{
    const uint64_t word = found->value[which][found->component];
    double real;
    memcpy(&real, &word, sizeof real);
    if (!found->field || found->field->kind > KSI_POSITIVE)
        real = (double)(int64_t)word;
    // values are literals, except for a pose that is moved by 1e-9
    if (!isnan(wanted))
        ck_assert_msg(fabs(real - wanted) <= 1e-16, "%.17g, not %.17g", real, wanted);
}

/* Either the step has the same input, or the host has changed it: then all other input is the
 * same. */
static void checkDivergence(const ksiDivergence *first, const struct Expected *e)
{
    size_t input = 0;
    ck_assert_uint_eq(first->step, CHANGED);
    ck_assert(sameReal(first->time, first->time) && fabs(first->time - CHANGED * stepSize) < 1e-15);
    ck_assert_msg(first->causes == e->causes, "%s: causes 0x%x", e->name, first->causes);
    ck_assert(first->isInput == ((e->causes & KSI_INPUT_CAUSES) != 0) && first->isAfterSame);
    for (size_t i = 0; i < first->count; i++)
        input += first->finding[i].found.cause <= KSI_LAST_INPUT;
    ck_assert_msg(e->causes == 1u << KSI_OTHER_MASSES || input == first->isInput, "%s: %zu findings", e->name, input);
    const ksiNamedFinding *named = &first->finding[0];
    const ksiFinding *found = &named->found;
    const char *object = named->of[found->index[0] < 0];
    ck_assert_msg(strcmp(object, e->object) == 0, "%s: %s, not %s", e->name, object, e->object);
    ck_assert_msg((!e->field && !found->field) || (found->field && strcmp(found->field->name, e->field) == 0), "%s: %s",
                  e->name, found->field ? found->field->name : "none");
    checkValue(found, 0, e->a);
    checkValue(found, 1, e->b);
    ck_assert_uint_eq(found->count, e->count);
    // a host's change is the whole cause of its results; a bit that was changed in the record of a
    // result has no cause
    ck_assert_int_eq(first->again[0], KSI_COMES_AGAIN);
    ck_assert_msg(first->again[1] == (e->change.record ? KSI_COMES_OTHERWISE : KSI_COMES_AGAIN), "%s: made again: %d",
                  e->name, first->again[1]);
    ck_assert_msg(named->changedBy == e->changedBy, "%s: changed by %u", e->name, named->changedBy);
}

START_TEST(a_change_is_found_with_its_step_its_object_and_its_cause)
{
    const struct Expected *e = &expected[_i];
    recordRun("a.h5", NULL, "engine");
    recordRun("b.h5", &e->change, "engine");
    ksiRecordingPair pair = comparePair("b.h5", 0);
    ck_assert_int_eq(ksiPairStatus(&pair), 1);
    ck_assert_uint_eq(pair.count, 1);
    ck_assert_uint_eq(pair.world[0].compared, CHANGED + 1);
    ck_assert_uint_eq(pair.world[0].steps[0], CHANGED + 1);
    ck_assert_uint_eq(pair.world[0].steps[1], CHANGED + 1);
    checkDivergence(&pair.world[0].first, e);
    char *text = textOf(&pair);
    ck_assert_msg(strstr(text, "They differ first in step 7, at 0.035 s.") != NULL, "%s", text);
    free(text);
    freePair(&pair);
}
END_TEST

START_TEST(two_runs_of_one_program_are_the_same)
{
    recordRun("a.h5", NULL, "engine");
    recordRun("b.h5", NULL, "engine");
    ksiRecordingPair pair = comparePair("b.h5", 0);
    ck_assert_int_eq(ksiPairStatus(&pair), 0);
    ck_assert_uint_eq(pair.world[0].compared, STEPS);
    char *text = textOf(&pair);
    ck_assert_msg(strstr(text, "The same to the bit in all: 1 world, 20 steps.") != NULL, "%s", text);
    free(text);
    freePair(&pair);
}
END_TEST

START_TEST(recordings_of_a_host_have_no_program_and_no_date)
{
    begun = "";
    recordRun("a.h5", NULL, "engine");
    recordRun("b.h5", NULL, "engine");
    begun = "2026-11-26T07:00:00Z";
    ksiRecordingPair pair = comparePair("b.h5", 0);
    char *text = textOf(&pair);
    ck_assert_msg(strstr(text, "/a.h5\nB: ") != NULL && strstr(text, "/b.h5\n") != NULL, "%s", text);
    free(text);
    freePair(&pair);
}
END_TEST

START_TEST(threads_and_builds_differ_without_harm)
{
    const Change change = {.record = thread};
    recordRun("a.h5", NULL, "engine");
    recordRun("b.h5", &change, "another engine");
    ksiRecordingPair pair = comparePair("b.h5", 0);
    ck_assert_int_eq(ksiPairStatus(&pair), 0);
    ck_assert(ksiIsOtherEngine(&pair) && !pair.world[0].first.isThere);
    freePair(&pair);
}
END_TEST

START_TEST(another_build_may_be_why)
{
    const Change change = {.record = disturb};
    recordRun("a.h5", NULL, "engine");
    recordRun("b.h5", &change, "another engine");
    ksiRecordingPair pair = comparePair("b.h5", 0);
    ck_assert_uint_eq(pair.world[0].first.causes, KSI_OTHER_ENGINE);
    freePair(&pair);
}
END_TEST

START_TEST(a_step_that_depends_on_more_is_not_made_again)
{
    const Change change = {.record = doze};
    recordRun("a.h5", NULL, "engine");
    recordRun("b.h5", &change, "engine");
    ksiRecordingPair pair = comparePair("b.h5", 0);
    const ksiDivergence *first = &pair.world[0].first;
    ck_assert_uint_eq(first->causes, KSI_CAUSE_NOT_KNOWN);
    ck_assert_int_eq(first->again[0], KSI_COMES_AGAIN);
    ck_assert_int_eq(first->again[1], KSI_NOT_MADE_AGAIN);
    char *text = textOf(&pair);
    ck_assert_ptr_null(strstr(text, "Made again"));
    ck_assert_msg(strstr(text, "a body falls asleep in one of them alone") != NULL, "%s", text);
    free(text);
    freePair(&pair);
}
END_TEST

START_TEST(one_that_ends_is_told)
{
    const Change change = {.host = endEarly};
    recordRun("a.h5", NULL, "engine");
    recordRun("b.h5", &change, "engine");
    ksiRecordingPair pair = comparePair("b.h5", 0);
    const ksiWorldPair *world = &pair.world[0];
    ck_assert_int_eq(ksiPairStatus(&pair), 1);
    ck_assert(!world->first.isThere && !world->isShorter[0] && world->isShorter[1]);
    ck_assert_uint_eq(world->compared, CHANGED + 1);
    ck_assert_uint_eq(world->steps[1], CHANGED + 1);
    freePair(&pair);
}
END_TEST

/* The last bit of a velocity grows in the next steps to no more than this. */
START_TEST(a_tolerance_is_for_what_grows)
{
    const double tolerance = 1e-6;
    const Change small = {.host = place}, large = {.host = kick};
    recordRun("a.h5", NULL, "engine");
    recordRun("b.h5", &small, "engine");
    recordRun("c.h5", &large, "engine");
    ksiRecordingPair pair = comparePair("b.h5", 1e-3);
    ck_assert_int_eq(ksiPairStatus(&pair), 0);
    ck_assert(pair.world[0].first.isThere && !pair.world[0].beyond.isThere);
    ck_assert_uint_eq(pair.world[0].compared, STEPS);
    freePair(&pair);
    pair = comparePair("c.h5", tolerance);
    ck_assert_int_eq(ksiPairStatus(&pair), 1);
    ck_assert_uint_eq(pair.world[0].beyond.step, CHANGED);
    ck_assert_uint_eq(pair.world[0].beyond.causes, expected[2].causes);
    freePair(&pair);
}
END_TEST

START_TEST(worlds_that_take_turns)
{
    const Change change = {.record = disturb};
    worlds = 3;
    recordRun("a.h5", NULL, "engine");
    recordRun("b.h5", &change, "engine");
    worlds = 1;
    ksiRecordingPair pair = comparePair("b.h5", 0);
    ck_assert_uint_eq(pair.count, 3);
    ck_assert_str_eq(pair.world[0].name[0], "world 3");
    for (size_t i = 0; i < pair.count; i++) {
        ck_assert(pair.world[i].first.isThere == (i == 0));
        ck_assert_uint_eq(pair.world[i].compared, i == 0 ? CHANGED + 1 : STEPS);
        ck_assert_uint_eq(pair.world[i].steps[1], pair.world[i].compared);
    }
    freePair(&pair);
}
END_TEST

/* 10: far above all numbers here. */
START_TEST(an_order_is_within_any_tolerance)
{
    const Change change = {.contacts = turnRound};
    recordRun("a.h5", NULL, "engine");
    recordRun("b.h5", &change, "engine");
    ksiRecordingPair pair = comparePair("b.h5", 10);
    ck_assert_int_eq(ksiPairStatus(&pair), 0);
    ck_assert(pair.world[0].first.isThere);
    freePair(&pair);
}
END_TEST

/* 1e-3: below the 0.1 m between two contacts of a link, and far above its motion. */
START_TEST(contacts_in_another_order_are_those_at_their_places)
{
    const Change change = {.host = slide, .contacts = turnRound};
    recordRun("a.h5", NULL, "engine");
    recordRun("b.h5", &change, "engine");
    ksiRecordingPair pair = comparePair("b.h5", 1e-3);
    ck_assert(pair.world[0].first.isThere && !(pair.world[0].beyond.causes & 1u << KSI_OTHER_CONTACTS));
    freePair(&pair);
}
END_TEST

START_TEST(joints_of_other_numbers_are_those_between_the_same_bodies)
{
    const Change change = {.host = push, .record = renumber};
    recordRun("a.h5", NULL, "engine");
    recordRun("b.h5", &change, "engine");
    ksiRecordingPair pair = comparePair("b.h5", 0);
    ck_assert_uint_eq(pair.world[0].first.causes, 1u << KSI_OTHER_FORCES);
    freePair(&pair);
}
END_TEST

/* Of a kinematic body the engine stores nothing but an inverse mass of zero. */
START_TEST(what_is_derived_is_told_where_nothing_else_is)
{
    const Change change = {.host = hold};
    recordRun("a.h5", NULL, "engine");
    recordRun("b.h5", &change, "engine");
    ksiRecordingPair pair = comparePair("b.h5", 0);
    ck_assert_uint_eq(pair.world[0].first.causes, 1u << KSI_OTHER_MASSES);
    char *text = textOf(&pair);
    ck_assert_msg(strstr(text, "inverse mass of body 1: A 1, B 0 (1/kg)") != NULL, "%s", text);
    free(text);
    freePair(&pair);
}
END_TEST

START_TEST(values_of_any_field_fit)
{
    for (int type = 0; type < KSI_JOINT_TYPES + KSI_RECORD_PARTS; type++) {
        const ksiFields *fields =
            type < KSI_JOINT_TYPES ? ksiFieldsOfType(type) : ksiRecordFields((ksiRecordPart)(type - KSI_JOINT_TYPES));
        for (size_t i = 0; fields && i < fields->count; i++)
            ck_assert(fields->field[i].count <= KSI_FINDING_WORDS || fields->field[i].kind == KSI_TEXT);
    }
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("divergence");
    tcase_add_checked_fixture(test, makeFolder, removeFolder);
    tcase_add_loop_test(test, a_change_is_found_with_its_step_its_object_and_its_cause, 0, EXPECTED);
    tcase_add_test(test, two_runs_of_one_program_are_the_same);
    tcase_add_test(test, recordings_of_a_host_have_no_program_and_no_date);
    tcase_add_test(test, threads_and_builds_differ_without_harm);
    tcase_add_test(test, another_build_may_be_why);
    tcase_add_test(test, a_step_that_depends_on_more_is_not_made_again);
    tcase_add_test(test, one_that_ends_is_told);
    tcase_add_test(test, a_tolerance_is_for_what_grows);
    tcase_add_test(test, worlds_that_take_turns);
    tcase_add_test(test, an_order_is_within_any_tolerance);
    tcase_add_test(test, contacts_in_another_order_are_those_at_their_places);
    tcase_add_test(test, joints_of_other_numbers_are_those_between_the_same_bodies);
    tcase_add_test(test, what_is_derived_is_told_where_nothing_else_is);
    tcase_add_test(test, values_of_any_field_fit);
    return runCase("divergence", test);
}

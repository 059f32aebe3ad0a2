/* check_load.c  Contacts whose reported forces are known loads: their own verdicts, and the values
 * of the joints beside them. */
#include "tests/kits/contacts/ground_kit.h"

#include <stdarg.h>

static const double mass = 2, size[3] = {0.6, 0.4, 0.3}, depth = 1e-4;

static const double exactTolerance = 1e-9; /* a few bodies, well conditioned */

static ksStepper stepperOf(int i)
{
    return i % 2 ? KS_QUICK_STEP : KS_WORLD_STEP;
}

static double standing(void)
{
    return size[2] / 2 - depth;
}

static int engineStep(ksStepper stepper)
{
    return stepper == KS_WORLD_STEP ? dWorldStep(world, h) : dWorldQuickStep(world, h);
}

static bool isContact(const ksReaction *reaction)
{
    return reaction->type == dJointTypeContact;
}

static int messages;

static void countMessage(int number, const char *format, va_list arguments)
{
    (void)number, (void)format, (void)arguments;
    messages++;
}

/* ----- joints */

enum { LINKS = 12, BRANCH = 5 };

/* A chain of boxes on balls, with a branch, falls into a heap. For any contacts, dWorldStep solves
 * its equations, and the library's values for the same contact forces agree. */
START_TEST(a_heap_is_converged)
{
    static const double link[3] = {0.2, 0.08, 0.08}, apart = 0.3;
    static const double engineTolerance = 1e-11; /* dWorldStep's own error, relative to the largest
                                                    load */
    dJointID joint[LINKS - 1];
    dBodyID body[LINKS];
    dSetMessageHandler(countMessage);
    for (int i = 0; i < LINKS; i++) {
        const bool branches = i > LINKS - BRANCH;
        const int before = branches && i == LINKS - BRANCH + 1 ? BRANCH : i - 1;
        body[i] = makeBox(1 + 0.1 * i, link, 0.5);
        if (branches)
            dBodySetPosition(body[i], apart * BRANCH + 0.05, 0, 0.5 + apart * (i - LINKS + BRANCH));
        else
            dBodySetPosition(body[i], apart * i, 0.01 * (i % 3), 0.5);
        if (i == 0)
            continue;
        joint[i - 1] = dJointCreateBall(world, 0);
        dJointAttach(joint[i - 1], body[i], body[before]);
        const dReal *a = dBodyGetPosition(body[i]), *b = dBodyGetPosition(body[before]);
        dJointSetBallAnchor(joint[i - 1], (a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2);
    }
    int touched = 0;
    double worst = 0;
    for (int i = 0; i < 200; i++) {
        messages = 0;
        step(KS_WORLD_STEP);
        size_t count;
        double load = SCENE_GRAVITY, off = 0; /* the weight of the lightest link, when all fall
                                                 freely */
        const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
        for (size_t r = 0; r < count; r++)
            load = fmax(load, length3(reaction[r].engine[0].force));
        for (int k = 0; k < LINKS - 1; k++) {
            reaction = ksInspectorGetReaction(inspector, joint[k]);
            off = fmax(off, distance3(reaction->engine[0].force, reaction->converged[0].force));
            touched += (reaction->reasons & KS_REASON_REPORTED_LOADS) != 0;
            ck_assert(messages || reaction->verdict == KS_VALID);
        }
        worst = messages ? worst : fmax(worst, off / load);
    }
    dSetMessageHandler(0);
    printf("a heap: engine against converged %.1e of the load\n", worst);
    ck_assert_double_le(worst, engineTolerance);
    ck_assert_int_gt(touched, 100 * (LINKS - 1));
}
END_TEST

/* A pendulum of two links, and far from it a ball that falls to the ground or past it. */
typedef struct Distant {
    dWorldID world;
    dBodyID ball;
    dJointID joint[2];
    ksInspector *inspector;
} Distant;

static Distant makeDistant(void)
{
    Distant made = {.world = heavyWorld()};
    dWorldSetQuickStepNumIterations(made.world, 7); /* the engine shuffles rows in every eighth
                                                       iteration */
    dBodyID above = NULL;
    for (int i = 0; i < 2; i++) {
        dBodyID link = addBox(made.world, mass, size, 3);
        dBodySetPosition(link, 5.3 + 0.6 * i, 0, 3);
        made.joint[i] = dJointCreateHinge(made.world, 0);
        dJointAttach(made.joint[i], link, above);
        dJointSetHingeAnchor(made.joint[i], 5 + 0.6 * i, 0, 3);
        dJointSetHingeAxis(made.joint[i], 0, 1, 0);
        above = link;
    }
    made.ball = addBall(made.world, mass, 0.1, 0, 0.2);
    made.inspector = inspect(made.world);
    return made;
}

static void stepDistant(Distant *distant, bool touches, ksStepper stepper)
{
    dJointGroupID group = dJointGroupCreate(0);
    const dReal *x = dBodyGetPosition(distant->ball);
    dContact contact = {.surface = {.mode = dContactApprox1, .mu = 1},
                        .geom = {.pos = {x[0], x[1], 0}, .normal = {0, 0, 1}, .depth = 0.1 - x[2]}};
    if (touches && x[2] < 0.1)
        addContact(distant->world, group, &contact, distant->ball, NULL);
    CHECK_OK(inspectedStep(distant->inspector, stepper, h));
    dJointGroupDestroy(group);
}

static void endDistant(Distant *distant)
{
    ksInspectorDestroy(distant->inspector);
    dWorldDestroy(distant->world);
}

static double wrenchesApart(const ksWrench *a, const ksWrench *b)
{
    return fmax(distance3(a->force, b->force), distance3(a->torque, b->torque));
}

/* A contact elsewhere is no load of a mechanism. It only changes the history of its factors. */
START_TEST(contacts_elsewhere)
{
    static const double rounding = 1e-12; /* of factors that are updated from step to step, against
                                             new ones */
    Distant falls = makeDistant(), lands = makeDistant();
    size_t landed = 0;
    for (int i = 0; i < 40; i++) {
        stepDistant(&falls, false, stepperOf(_i));
        stepDistant(&lands, true, stepperOf(_i));
        landed += ksInspectorGetStepReport(lands.inspector)->reactionCount == 3;
        for (int k = 0; k < 2; k++) {
            const ksReaction *a = ksInspectorGetReaction(falls.inspector, falls.joint[k]);
            const ksReaction *b = ksInspectorGetReaction(lands.inspector, lands.joint[k]);
            const double load = length3(a->physical[0].force);
            ck_assert_mem_eq(a->engine, b->engine, sizeof a->engine[0]);
            ck_assert_int_eq(a->verdict, b->verdict);
            // this reason depends on the engine's error only
            ck_assert_uint_eq(a->reasons & ~KS_REASON_PHYSICAL, 0);
            ck_assert_uint_eq(b->reasons & ~KS_REASON_PHYSICAL, 0);
            ck_assert_double_le(wrenchesApart(&a->converged[0], &b->converged[0]), rounding * load);
            ck_assert_double_le(wrenchesApart(&a->physical[0], &b->physical[0]), rounding * load);
        }
    }
    ck_assert_uint_gt(landed, 10);
    ck_assert_uint_lt(landed, 40);
    endDistant(&falls);
    endDistant(&lands);
}
END_TEST

static void noteEvent(const ksThresholdEvent *event, void *user)
{
    if (event->phase == KS_THRESHOLD_ENTERED)
        *(double *)user = event->load;
}

/* A plank on a fixed joint stops a ball of 6 kg at 20 m/s in a step of 10 ms: 12 kN, which a
 * threshold must report in this step. m (v / h + g) + m erp depth / h^2, and the plank's weight. */
START_TEST(a_plank_is_hit)
{
    static const double ballMass = 6, radius = 0.1, speed = 20, plankMass = 2, plank[3] = {2, 0.3, 0.05};
    static const double softTolerance = 1e-6; /* CFM 1e-10 over h, times the ball's mass */
    dBodyID board = makeBox(plankMass, plank, 1), ball = makeBall(ballMass, radius, 0.5, 1.025 + radius - depth);
    dJointID joint = weld(board, NULL);
    dBodySetLinearVel(ball, 0, 0, -speed);
    dWorldSetQuickStepNumIterations(world, 2000);
    ksThreshold limits;
    ksThresholdInit(&limits);
    limits.forceMagnitude = 10000;
    double load = 0;
    CHECK_OK(ksInspectorOnThreshold(inspector, joint, &limits, noteEvent, &load));
    step(stepperOf(_i));
    const double blow = ballMass * (speed / h + SCENE_GRAVITY + dWorldGetERP(world) * depth / h / h);
    const double expected = blow + plankMass * SCENE_GRAVITY;
    ck_assert_double_eq_tol(load, expected, softTolerance * expected);
    const ksReaction *reaction = ksInspectorGetReaction(inspector, joint);
    ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_VALID");
    ck_assert_double_eq_tol(length3(reaction->engine[0].force), expected, softTolerance * expected);
}
END_TEST

/* A forearm on a hinge with a motor presses the hand at its end onto the ground. The motor pushes
 * as hard as it can:
 *     N L = T + m_arm g L / 2 + m_hand g L,
 * and the wrist carries m_hand g - N. */
START_TEST(a_wrist_that_presses)
{
    static const double armMass = 3, handMass = 1, radius = 0.1, length = 0.8, torque = 40;
    static const double restTolerance = 1e-6; /* of the force: a remainder of the error correction
                                                 that lifts the hand out of the ground */
    const double box[3] = {0.6, 0.1, 0.1}, z = radius - depth;
    dBodyID arm = makeBox(armMass, box, z), hand = makeBall(handMass, radius, length, z);
    dBodySetPosition(arm, length / 2, 0, z);
    dJointID hinge = dJointCreateHinge(world, 0);
    dJointAttach(hinge, arm, NULL);
    dJointSetHingeAnchor(hinge, 0, 0, z);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    dJointSetHingeParam(hinge, dParamVel, 1);
    dJointSetHingeParam(hinge, dParamFMax, torque);
    dJointID wrist = weld(hand, arm);
    surface.mu = 0;
    dWorldSetQuickStepNumIterations(world, 3000);
    for (int i = 0; i < 100; i++)
        step(stepperOf(_i));
    const double pressing = torque / length + armMass * SCENE_GRAVITY / 2 + handMass * SCENE_GRAVITY;
    const ksReaction *reaction = ksInspectorGetReaction(inspector, wrist);
    ksSensor sensor;
    ksWrench reading;
    ksSensorInit(&sensor);
    sensor.frame = KS_FRAME_WORLD;
    CHECK_OK(ksSensorRead(&sensor, reaction, &reading));
    ck_assert(reaction->reasons & KS_REASON_REPORTED_LOADS);
    for (int k = 0; k < 3; k++)
        ck_assert(isfinite(reading.force[k]) && isfinite(reading.torque[k]));
    const double expected[3] = {0, 0, handMass * SCENE_GRAVITY - pressing};
    ck_assert_double_le(distance3(reading.force, expected), restTolerance * pressing);
    ck_assert_double_le(length3(reading.torque), restTolerance * pressing);
}
END_TEST

/* ----- contacts themselves */

static void makeStack(int boxes)
{
    for (int i = 0; i < boxes; i++)
        makeBox(mass, size, (i + 0.5) * size[2] - (i + 1) * depth);
}

/* Each contact by itself is wrong if the solver stopped early, and right otherwise. */
START_TEST(contacts_are_judged)
{
    static const int iterations[] = {2, 5000, 20};
    // of the load of a corner: error after 5000 iterations; dWorldStep's rounding for a corner with
    // a small load
    const double solved = _i == 1 ? 1e-3 : 1e-6;
    dWorldSetQuickStepNumIterations(world, iterations[_i]);
    makeStack(3);
    lean(0.1);
    for (int i = 0; i < 5; i++) {
        step(_i == 2 ? KS_WORLD_STEP : KS_QUICK_STEP);
        const ksStepReport *report = ksInspectorGetStepReport(inspector);
        ck_assert_uint_ge(report->reactionCount, 8);
        ck_assert_uint_eq(report->verdictCount[KS_UNCHECKED] + report->verdictCount[KS_UNEXPLAINED], 0);
        if (_i == 0)
            ck_assert_uint_gt(report->verdictCount[KS_SOLVER_ERROR], report->reactionCount / 2);
        else
            ck_assert_double_le(report->worstError, solved);
        size_t count;
        const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
        for (size_t r = 0; r < count; r++) {
            // the four corners of a face can flicker
            ck_assert((reaction[r].reasons & ~KS_REASON_FLICKER) == (KS_REASON_REPORTED_LOADS | KS_REASON_REDUNDANT));
            ck_assert_int_eq(reaction[r].freeCount, 0);
        }
    }
}
END_TEST

/* The error of a single row has a closed form: a ball on a plane, whose report is too small by a
 * known share. */
START_TEST(error_of_one_contact)
{
    static const double part = 0.25;
    makeBall(mass, 0.2, 0, 0.2);
    surface = (dSurfaceParameters){.mode = dContactSoftCFM, .soft_cfm = 1e-3};
    dWorldSetQuickStepNumIterations(world, 1);
    dWorldSetQuickStepW(world, 1 - part); /* one sweep from zero reaches this share */
    step(KS_QUICK_STEP);
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    ck_assert_uint_eq(count, 1);
    const double carried = mass * SCENE_GRAVITY / (1 + mass * surface.soft_cfm / h);
    ck_assert_double_eq_tol(reaction->row[0].engine, (1 - part) * carried, exactTolerance * carried);
    ck_assert_double_eq_tol(reaction->row[0].alone, carried, exactTolerance * carried);
    ck_assert_double_eq_tol(reaction->error, part, exactTolerance);
    ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_SOLVER_ERROR");
    ck_assert_int_eq(reaction->row[0].place, KS_INSIDE);
}
END_TEST

/* Five sweeps leave a stack of six boxes far from solved. The verdict of each contact rests only on
 * the solution of its row alone; neither route claims to have confirmed it. */
START_TEST(what_the_verdict_of_a_contact_rests_on)
{
    enum { BOXES = 6 };
    const bool isFrozen = !_i; /* dWorldStep does not report its friction bounds */
    for (int i = 0; i < BOXES; i++)
        makeBox(mass, size, standing() + i * (size[2] - depth));
    dWorldSetQuickStepNumIterations(world, 5);
    for (int i = 0; i < 5; i++) {
        step(stepperOf(_i));
        size_t count;
        double worst = 0;
        const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
        ck_assert_uint_ge(count, 4 * BOXES);
        for (size_t r = 0; r < count; r++) {
            double apart[2][3] = {{0}}, carried = 0;
            for (int l = 0; l < reaction[r].rowCount; l++) {
                const ksRow *row = &reaction[r].row[l];
                ck_assert(isnan(row->gauss) && isnan(row->paulus) && isfinite(row->alone));
                if (!(isFrozen && row->findex >= 0))
                    ck_assert_double_eq_tol(fabs(row->engine - row->alone), row->unsolved,
                                            exactTolerance * SCENE_GRAVITY);
                for (int k = 0; k < 3; k++)
                    apart[0][k] += (row->alone - row->engine) * row->jacobian[0][k];
                carried = fmax(carried, fabs(row->alone));
            }
            worst = fmax(worst, length3(apart[0]) / carried);
            if (carried > SCENE_GRAVITY)
                ck_assert_int_eq(reaction[r].verdict == KS_SOLVER_ERROR, reaction[r].error > 0.01);
        }
        // the iterative stepper's error is a part of the load, the direct one's is rounding
        if (isFrozen)
            ck_assert_double_le(worst, exactTolerance);
        else
            ck_assert_double_ge(worst, 0.05);
    }
}
END_TEST

/* Two separate boxes, each with a box welded to it. */
typedef struct Pair {
    dBodyID base[2];
    dJointID joint[2];
} Pair;

static Pair makePair(void)
{
    Pair pair;
    for (int i = 0; i < 2; i++) {
        pair.base[i] = makeBox(mass, size, standing());
        dBodyID top = makeBox(mass, size, standing() + 1);
        dBodySetPosition(pair.base[i], 3.0 * i, 0, standing());
        dBodySetPosition(top, 3.0 * i, 0, standing() + 1);
        pair.joint[i] = weld(top, pair.base[i]);
    }
    return pair;
}

static dJointID contactOf(dBodyID body)
{
    for (int i = 0; i < dBodyGetNumJoints(body); i++) {
        dJointID joint = dBodyGetJoint(body, i);
        if (dJointGetType(joint) == dJointTypeContact)
            return joint;
    }
    ck_abort_msg("no contact");
    return NULL;
}

/* A contact's report has an extra force: an unknown force seems to move the joint above, so either
 * report may be false. */
START_TEST(false_load)
{
    const Pair pair = makePair();
    step(stepperOf(_i));
    dSpaceCollide(space, NULL, touch);
    CHECK_OK(ksInspectorBeginStep(inspector, stepperOf(_i), h));
    ck_assert(engineStep(stepperOf(_i)));
    dJointGetFeedback(contactOf(pair.base[0]))->f1[0] += 1;
    CHECK_OK(ksInspectorEndStep(inspector));
    const ksReaction *joint = ksInspectorGetReaction(inspector, pair.joint[0]);
    ck_assert_str_eq(ksVerdictName(joint->verdict), "KS_UNEXPLAINED");
    ck_assert(joint->reasons & KS_REASON_REPORT);
    dJointGroupEmpty(contacts);
}
END_TEST

/* A report that is scaled, or contains a NaN: it affects its body and the mechanism of the body. */
START_TEST(spoiled_report)
{
    const bool isNan = _i / 2;
    const Pair pair = makePair();
    step(stepperOf(_i));
    dSpaceCollide(space, NULL, touch);
    CHECK_OK(ksInspectorBeginStep(inspector, stepperOf(_i), h));
    ck_assert(engineStep(stepperOf(_i)));
    const dJointID spoiled = contactOf(pair.base[0]), sound = contactOf(pair.base[1]);
    dJointFeedback *feedback = dJointGetFeedback(spoiled);
    for (int k = 0; k < 3; k++) {
        feedback->f1[k] *= isNan ? NAN : 1 + 1e-5;
        feedback->t1[k] *= isNan ? NAN : 1 + 1e-5;
    }
    CHECK_OK(ksInspectorEndStep(inspector));
    const ksReaction *contact = ksInspectorGetReaction(inspector, spoiled);
    const ksReaction *joint = ksInspectorGetReaction(inspector, pair.joint[0]);
    ck_assert_str_eq(ksVerdictName(contact->verdict), isNan ? "KS_UNCHECKED" : "KS_UNEXPLAINED");
    ck_assert_int_le(joint->verdict, KS_UNEXPLAINED);
    ck_assert(contact->reasons & (isNan ? KS_REASON_NOT_FINITE : KS_REASON_REPORT));
    ck_assert_int_eq((joint->reasons & KS_REASON_NOT_FINITE) != 0, isNan);
    ck_assert_int_eq(isnan(joint->physical[0].force[2]), isNan);
    const ksReaction *other[] = {ksInspectorGetReaction(inspector, pair.joint[1]),
                                 ksInspectorGetReaction(inspector, sound)};
    for (int i = 0; i < 2; i++) {
        ck_assert_int_gt(other[i]->verdict, KS_UNEXPLAINED);
        ck_assert_uint_eq(other[i]->reasons & ~KS_REASON_REDUNDANT, KS_REASON_REPORTED_LOADS);
        ck_assert(isfinite(other[i]->physical[0].force[2]));
    }
    dJointGroupEmpty(contacts);
}
END_TEST

/* Contacts that the host destroys before the bracket ends were read completely. */
START_TEST(contacts_destroyed_in_the_bracket)
{
    const Pair pair = makePair();
    ksWrench physical[2];
    for (int early = 0; early < 2; early++) {
        Pair same = pair;
        if (early) {
            tearDown();
            setUp();
            same = makePair();
        }
        dSpaceCollide(space, NULL, touch);
        CHECK_OK(ksInspectorBeginStep(inspector, stepperOf(_i), h));
        ck_assert(engineStep(stepperOf(_i)));
        if (early)
            dJointGroupEmpty(contacts);
        CHECK_OK(ksInspectorEndStep(inspector));
        dJointGroupEmpty(contacts);
        const ksReaction *reaction = ksInspectorGetReaction(inspector, same.joint[0]);
        ck_assert_uint_eq(reaction->reasons, KS_REASON_REPORTED_LOADS);
        physical[early] = reaction->physical[0];
    }
    ck_assert_mem_eq(&physical[0], &physical[1], sizeof physical[0]);
}
END_TEST

static int calls;

static void destroyAll(const ksReaction *reaction, void *user)
{
    (void)user;
    calls += isContact(reaction);
    if (isContact(reaction))
        dJointGroupEmpty(contacts);
}

START_TEST(contacts_destroyed_in_a_callback)
{
    const Pair pair = makePair();
    calls = 0;
    CHECK_OK(ksInspectorOnReaction(inspector, NULL, destroyAll, NULL));
    for (int i = 0; i < 3; i++)
        step(stepperOf(_i));
    ck_assert_int_eq(calls, 3);
    ck_assert_str_eq(ksVerdictName(ksInspectorGetReaction(inspector, pair.joint[0])->verdict), "KS_VALID");
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("load");
    tcase_add_checked_fixture(test, setUp, tearDown);
    tcase_add_test(test, a_heap_is_converged);
    tcase_add_loop_test(test, contacts_elsewhere, 0, 2);
    tcase_add_loop_test(test, a_plank_is_hit, 0, 2);
    tcase_add_loop_test(test, a_wrist_that_presses, 0, 2);
    tcase_add_loop_test(test, contacts_are_judged, 0, 3);
    tcase_add_test(test, error_of_one_contact);
    tcase_add_loop_test(test, what_the_verdict_of_a_contact_rests_on, 0, 2);
    tcase_add_loop_test(test, false_load, 0, 2);
    tcase_add_loop_test(test, spoiled_report, 0, 4);
    tcase_add_loop_test(test, contacts_destroyed_in_the_bracket, 0, 2);
    tcase_add_loop_test(test, contacts_destroyed_in_a_callback, 0, 2);
    return runCase("known loads", test);
}

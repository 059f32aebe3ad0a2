/* check_observed.c  Multipliers by the motion, and the identification of false reports: an
 * unaltered twin of the world has the true report. */
#include "tests/kits/support.h"

#include "demos/scenes/drift.h"

#include <float.h>

enum { SETTLING = 30, STEPS = 120 };

/* Trees, loops that share loads, a soft suspension, motors at their bounds, contacts with the
 * ground. */
static Scene *make(int machine, double h)
{
    const SceneSurface *surface = &sceneSurface[SURFACE_APPROX1];
    const Walker walker = {.legs = 4, .stride = 0.1, .frequency = 1, .stepSize = h};
    switch (machine) {
    case 0:
        return sceneChain(6, SCENE_FALLING);
    case 1:
        return sceneTree(31);
    case 2:
        return sceneFallingRagdolls(2, BALLS_WITH_STOPS, surface);
    case 3:
        return sceneDrivingCar(&sceneCar, surface);
    case 4:
        return sceneWalker(&walker, surface);
    case 5:
        return driftStewart(surface, h);
    case 6:
        return driftGripper(surface, h);
    default:
        return driftExcavator(surface, h);
    }
}
enum { MACHINES = 8 };

typedef struct Twin {
    Scene *scene;
    ksInspector *inspector;
} Twin;

static Twin begin(int machine, double h)
{
    Twin twin = {.scene = make(machine, h)};
    ck_assert_ptr_nonnull(twin.scene);
    twin.inspector = inspect(twin.scene->world);
    dRandSetSeed(1);
    return twin;
}

static void end(Twin *twin)
{
    ksInspectorDestroy(twin->inspector);
    sceneDestroy(twin->scene);
}

/* Changes the report of a joint in the step. */
typedef void Spoil(dJointFeedback *report, double size);

/* The engine's random numbers start from the same seed in each step of both twins. */
static void stepOf(Twin *twin, ksStepper stepper, double h, unsigned long seed, dJointID joint, Spoil *spoil,
                   double size)
{
    Scene *scene = twin->scene;
    sceneBeforeStep(scene);
    CHECK_OK(ksInspectorBeginStep(twin->inspector, stepper, h));
    dJointFeedback *report = joint ? dJointGetFeedback(joint) : NULL;
    dRandSetSeed(seed);
    ck_assert(stepper == KS_WORLD_STEP ? dWorldStep(scene->world, h) : dWorldQuickStep(scene->world, h));
    if (joint)
        spoil(report, size);
    CHECK_OK(ksInspectorEndStep(twin->inspector));
}

/* Scales all multipliers. */
static void scale(dJointFeedback *report, double share)
{
    for (int k = 0; k < 3; k++) {
        report->f1[k] *= 1 + share;
        report->t1[k] *= 1 + share;
        report->f2[k] *= 1 + share;
        report->t2[k] *= 1 + share;
    }
}

/* Adds a force to one of two bodies, which no row can produce. */
static void push(dJointFeedback *report, double share)
{
    report->f1[0] += share * length3(report->f1);
}

static unsigned accused(const ksReaction *reaction)
{
    return reaction->reasons & (KS_REASON_REPORT | KS_REASON_MOTION);
}

/* Rounding of a multiplier's least-squares fit, N or N.m: of the larger multipliers of its
 * joint. */
static double roundingOf(const ksReaction *reaction)
{
    double load = 0;
    for (int l = 0; l < reaction->rowCount; l++)
        load = fmax(load, fabs(reaction->row[l].engine));
    return 1e3 * DBL_EPSILON * load;
}

/* The observed multipliers of the altered twin are the engine's reports of the other twin. */
static void compareObserved(const ksReaction *spoilt, const ksReaction *other)
{
    for (int l = 0; l < spoilt->rowCount; l++) {
        const ksRow *row = &spoilt->row[l];
        ck_assert_int_eq(isnan(row->observed), isnan(row->observedBar));
        if (!isnan(row->observed))
            ck_assert_msg(fabs(row->observed - other->row[l].engine) <= row->observedBar + roundingOf(other),
                          "row %d: %.17g is not %.17g +- %.2g", l, row->observed, other->row[l].engine,
                          row->observedBar);
    }
}

/* Whether the two joints have the same bodies, so that either could have produced the same
 * force. */
static bool joinsTheSame(const ksReaction *reaction, dJointID joint)
{
    const dBodyID a = joint ? dJointGetBody(joint, 0) : NULL, b = joint ? dJointGetBody(joint, 1) : NULL;
    return joint &&
           ((reaction->body[0] == a && reaction->body[1] == b) || (reaction->body[0] == b && reaction->body[1] == a));
}

static void compareAll(const Twin *spoilt, const Twin *other, dJointID named, int *found, int *rows)
{
    size_t count;
    const ksReaction *a = ksInspectorGetReactions(spoilt->inspector, &count);
    const ksReaction *b = ksInspectorGetReactions(other->inspector, NULL);
    for (size_t i = 0; i < count; i++) {
        ck_assert_uint_eq(accused(&b[i]), 0);
        if (a[i].joint == named) {
            ck_assert_msg(accused(&a[i]) & KS_REASON_REPORT, "the spoilt report is not named: %#llx",
                          (unsigned long long)a[i].reasons);
            *found += a[i].verdict == KS_UNEXPLAINED;
        } else if (!joinsTheSame(&a[i], named)) {
            ck_assert_msg(accused(&a[i]) == 0, "%zu is accused, its report is true", i);
        }
        compareObserved(&a[i], &b[i]);
        for (int l = 0; l < a[i].rowCount; l++)
            *rows += !isnan(a[i].row[l].observed);
    }
}

/* Alters one joint after the other, by a thousandth and by 1e-4 of its load. Without a false report
 * no joint is named. */
START_TEST(false_report_is_named)
{
    const ksStepper stepper = _i % 2 ? KS_QUICK_STEP : KS_WORLD_STEP;
    const double h = 0.005;
    Twin spoilt = begin(_i / 2, h), other = begin(_i / 2, h);
    int named = 0, rows = 0, asked = 0;
    for (int i = 0; i < STEPS; i++) {
        const int joint = i % spoilt.scene->jointCount;
        const ksReaction *last = i ? ksInspectorGetReaction(other.inspector, other.scene->joint[joint]) : NULL;
        const bool isLoaded = last && isfinite(last->engine[0].force[0]) && length3(last->engine[0].force) > 0.1;
        const bool isAsked = i >= SETTLING && isLoaded;
        stepOf(&other, stepper, h, (unsigned long)i, NULL, NULL, 0);
        stepOf(&spoilt, stepper, h, (unsigned long)i, isAsked ? spoilt.scene->joint[joint] : NULL, i % 3 ? scale : push,
               i % 2 ? 1e-3 : 1e-4);
        ck_assert(sceneSameState(spoilt.scene, other.scene));
        sceneAfterStep(spoilt.scene);
        sceneAfterStep(other.scene);
        asked += isAsked;
        compareAll(&spoilt, &other, isAsked ? spoilt.scene->joint[joint] : NULL, &named, &rows);
    }
    ck_assert_int_gt(asked, STEPS / 4);
    ck_assert_int_gt(rows, 0);
    end(&spoilt);
    end(&other);
}
END_TEST

/* Sum of m (a - g) over the links beyond a joint of the chain, by the velocities before and after
 * the step. */
static void branchForce(const Scene *scene, int joint, double h, double (*before)[3], double force[3])
{
    for (int k = 0; k < 3; k++)
        force[k] = 0;
    for (int i = joint; i < scene->bodyCount; i++) {
        dMass mass;
        dBodyGetMass(scene->body[i], &mass);
        const dReal *after = dBodyGetLinearVel(scene->body[i]);
        for (int k = 0; k < 3; k++)
            force[k] += mass.mass * ((after[k] - before[i][k]) / h + (k == 2 ? SCENE_GRAVITY : 0));
    }
}

/* This force comes from no other formula, no row and no report. */
START_TEST(branch_explains_the_joint)
{
    enum { LINKS = 6 };
    const double h = 0.005;
    // of the test's own sums
    const double rounding = 1e4 * DBL_EPSILON / h;
    Scene *scene = sceneChain(LINKS, SCENE_FALLING);
    ksInspector *inspector = inspect(scene->world);
    double largest = 0;
    for (int i = 0; i < 300; i++) {
        double before[LINKS][3], force[3];
        for (int b = 0; b < LINKS; b++)
            memcpy(before[b], dBodyGetLinearVel(scene->body[b]), sizeof before[b]);
        CHECK_OK(inspectedStep(inspector, (ksStepper)_i, h));
        for (int j = 0; j < LINKS; j++) {
            const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[j]);
            ksWrench observed;
            double bar = rounding, load = 0;
            CHECK_OK(ksReactionGetWrench(reaction, KS_OBSERVED, 0, KS_FRAME_WORLD, KS_POINT_ANCHOR, &observed));
            branchForce(scene, j, h, before, force);
            for (int l = 0; l < reaction->rowCount; l++) {
                const ksRow *row = &reaction->row[l];
                bar += row->observedBar * length3(row->jacobian[0]);
                load = fmax(load, fabs(row->engine));
            }
            for (int l = 0; l < reaction->rowCount; l++) {
                const double apart = fabs(reaction->row[l].observed - reaction->row[l].engine);
                largest = fmax(largest, (apart + reaction->row[l].observedBar) / load);
            }
            // body[0] is the link, or for a joint to the world its only body
            ck_assert_ptr_eq(reaction->body[0], scene->body[j]);
            ck_assert_double_le(distance3(force, observed.force), bar);
        }
    }
    ck_assert_double_le(largest, 1e-9);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* There are no observed values if an unknown force moves the bodies and no single joint can explain
 * it. */
START_TEST(hidden_force)
{
    const double h = 0.005;
    enum { PUSHED = 3 };
    Twin chain = begin(0, h);
    for (int i = 0; i < SETTLING; i++)
        stepOf(&chain, (ksStepper)_i, h, 1, NULL, NULL, 0);
    CHECK_OK(ksInspectorBeginStep(chain.inspector, (ksStepper)_i, h));
    ck_assert(_i == KS_WORLD_STEP ? dWorldStep(chain.scene->world, h) : dWorldQuickStep(chain.scene->world, h));
    const dReal *v = dBodyGetLinearVel(chain.scene->body[PUSHED]);
    dBodySetLinearVel(chain.scene->body[PUSHED], v[0] + 1e-3, v[1], v[2]);
    CHECK_OK(ksInspectorEndStep(chain.inspector));
    for (int j = 0; j < chain.scene->jointCount; j++) {
        const ksReaction *reaction = ksInspectorGetReaction(chain.inspector, chain.scene->joint[j]);
        ksWrench wrench;
        ck_assert_int_eq(accused(reaction) != 0, j == PUSHED || j == PUSHED + 1);
        ck_assert(isnan(reaction->row[0].observed) && isnan(reaction->row[0].observedBar));
        CHECK_STATUS(ksReactionGetWrench(reaction, KS_OBSERVED, 0, KS_FRAME_WORLD, KS_POINT_ANCHOR, &wrench),
                     KS_ERROR_UNAVAILABLE);
    }
    end(&chain);
}
END_TEST

/* Scenes that were not used in the development: no report is false, and each row with a relaxed
 * coordinate has an observed value. */
START_TEST(true_reports)
{
    const DriftScene *scene = &driftScenes[_i / 3];
    Scene *made = scene->make(&sceneSurface[SURFACE_APPROX1], 0.005);
    ck_assert_ptr_nonnull(made);
    ksInspector *inspector = inspect(made->world);
    dRandSetSeed(1);
    for (int i = 0; i < 60; i++) {
        sceneBeforeStep(made);
        CHECK_OK(inspectedStep(inspector, (ksStepper)(_i % 3), 0.005));
        sceneAfterStep(made);
        for (int j = 0; j < made->jointCount; j++) {
            const ksReaction *reaction = ksInspectorGetReaction(inspector, made->joint[j]);
            ck_assert_msg(!accused(reaction), "%s: joint %d is accused", scene->name, j);
            for (int l = 0; reaction->verdict != KS_NOT_SOLVED && l < reaction->rowCount; l++) {
                const ksRow *row = &reaction->row[l];
                ck_assert_msg(!isnan(row->observed) || !row->determinate || row->place != KS_INSIDE,
                              "%s: joint %d, row %d has no observed value", scene->name, j, l);
            }
        }
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(made);
}
END_TEST

/* A row that shares its force with others has no relaxed coordinate; the wrench exists, with the
 * engine's undetermined part. */
START_TEST(shared_rows)
{
    Scene *scene = sceneFourbar(&sceneLinkage);
    ksInspector *inspector = inspect(scene->world);
    int shared = 0;
    for (int i = 0; i < SETTLING; i++)
        CHECK_OK(ksInspectorStep(inspector, 0.005));
    for (int j = 0; j < scene->jointCount; j++) {
        const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[j]);
        ksWrench wrench;
        for (int l = 0; l < reaction->rowCount; l++) {
            ck_assert_int_eq(isnan(reaction->row[l].observed), !reaction->row[l].determinate);
            shared += !reaction->row[l].determinate;
        }
        CHECK_OK(ksReactionGetWrench(reaction, KS_OBSERVED, 0, KS_FRAME_WORLD, KS_POINT_ANCHOR, &wrench));
    }
    ck_assert_int_gt(shared, 0);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* A box on the world by a weld or a ball, and a second box on the first by a ball and a motor that
 * holds all angles. */
typedef struct Boxes {
    dWorldID world;
    dBodyID body[2];
    dJointID ground, ball, motor;
    ksInspector *inspector;
} Boxes;

static Boxes makeBoxes(bool isWelded, double mostTorque)
{
    static const double size[3] = {0.2, 0.3, 0.4};
    Boxes b = {.world = heavyWorld()};
    for (int i = 0; i < 2; i++)
        b.body[i] = addBox(b.world, 1 + i, size, -0.5 * i);
    b.ground = isWelded ? dJointCreateFixed(b.world, 0) : dJointCreateBall(b.world, 0);
    dJointAttach(b.ground, b.body[0], NULL);
    if (isWelded)
        dJointSetFixed(b.ground);
    else
        dJointSetBallAnchor(b.ground, 0.1, 0, 0.3);
    b.ball = dJointCreateBall(b.world, 0);
    dJointAttach(b.ball, b.body[0], b.body[1]);
    dJointSetBallAnchor(b.ball, 0.05, 0, -0.25);
    b.motor = dJointCreateAMotor(b.world, 0);
    dJointAttach(b.motor, b.body[0], b.body[1]);
    dJointSetAMotorNumAxes(b.motor, 3);
    for (int k = 0; k < 3; k++)
        dJointSetAMotorAxis(b.motor, k, 1, k == 0, k == 1, k == 2);
    dJointSetAMotorParam(b.motor, dParamFMax1, mostTorque);
    dJointSetAMotorParam(b.motor, dParamFMax2, mostTorque);
    dJointSetAMotorParam(b.motor, dParamFMax3, mostTorque);
    b.inspector = inspect(b.world);
    for (int i = 0; i < 5; i++)
        CHECK_OK(ksInspectorStep(b.inspector, 0.005));
    return b;
}

static void stepSpoilt(const Boxes *b, dJointID joint, const double force[2][3], const double torque[2][3])
{
    CHECK_OK(ksInspectorBeginStep(b->inspector, KS_WORLD_STEP, 0.005));
    dJointFeedback *report = dJointGetFeedback(joint);
    ck_assert(dWorldStep(b->world, 0.005));
    for (int k = 0; k < 3; k++) {
        report->f1[k] += force[0][k];
        report->f2[k] += force[1][k];
        report->t1[k] += torque[0][k];
        report->t2[k] += torque[1][k];
    }
    CHECK_OK(ksInspectorEndStep(b->inspector));
}

static const double none[2][3];

/* A report outside the joint's rows identifies the joint, whatever other joints could explain: a
 * torque of a ball, which the motor beside it could have produced; a force on one body, which a
 * weld to the world could have produced. */
START_TEST(report_by_itself)
{
    static const double pair[2][3] = {{0.5, 0, 0}, {-0.5, 0, 0}}, single[2][3] = {{3, 0, 0}};
    const Boxes b = makeBoxes(_i, INFINITY);
    stepSpoilt(&b, b.ball, _i ? single : none, _i ? none : pair);
    const dJointID joint[3] = {b.ground, b.ball, b.motor};
    for (int j = 0; j < 3; j++) {
        const ksReaction *reaction = ksInspectorGetReaction(b.inspector, joint[j]);
        ck_assert_int_eq(accused(reaction) != 0, joint[j] == b.ball);
        for (int l = 0; l < reaction->rowCount && joint[j] != b.ball; l++)
            ck_assert_double_le(fabs(reaction->row[l].observed - reaction->row[l].paulus),
                                1e-6 + 1e-6 * fabs(reaction->row[l].paulus));
    }
    ksInspectorDestroy(b.inspector);
    dWorldDestroy(b.world);
}
END_TEST

/* If another joint connects the same two bodies, the named joint has no observed value: a motor at
 * its bound. */
START_TEST(rival_of_the_same_bodies)
{
    static const double pair[2][3] = {{0, 0.05, 0}, {0, -0.05, 0}};
    const Boxes b = makeBoxes(true, 0.1);
    stepSpoilt(&b, b.motor, none, pair);
    ck_assert(accused(ksInspectorGetReaction(b.inspector, b.motor)) & KS_REASON_REPORT);
    for (int j = 0; j < 2; j++) {
        const ksReaction *reaction = ksInspectorGetReaction(b.inspector, j ? b.motor : b.ball);
        for (int l = 0; l < reaction->rowCount; l++)
            ck_assert_msg(isnan(reaction->row[l].observed) || !accused(reaction), "a value beside a rival");
    }
    ksInspectorDestroy(b.inspector);
    dWorldDestroy(b.world);
}
END_TEST

/* A door on two hinges with the world's softness: springs share its weight, and the motion does not
 * show how. */
START_TEST(soft_hinges_share)
{
    dMatrix3 rotation;
    dRSetIdentity(rotation);
    Scene *scene = sceneHeldTwice(SCENE_DOOR, rotation);
    dWorldSetCFM(scene->world, 1e-5);
    ksInspector *inspector = inspect(scene->world);
    CHECK_OK(ksInspectorStep(inspector, 0.005));
    for (int j = 0; j < 2; j++) {
        const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[j]);
        for (int l = 0; l < reaction->rowCount; l++)
            ck_assert(isnan(reaction->row[l].observed));
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* Without converged values no row has an observed value. Momentum determines the whole force of a
 * joint that alone connects two sides. */
START_TEST(refused)
{
    Scene *scene = sceneChain(2, SCENE_FALLING);
    ksInspectorOptions options = defaultOptions();
    options.values = 0;
    ksInspector *inspector = inspectWith(scene->world, &options);
    CHECK_OK(ksInspectorStep(inspector, 0.005));
    const ksWrenchTerm term = {.joint = scene->joint[0], .body = scene->body[0]};
    ksWrenchSum sum;
    ksWrench wrench;
    CHECK_STATUS(ksInspectorSumWrenches(inspector, &term, 1, KS_MEAN, NULL, &sum), KS_ERROR_BAD_ARGUMENT);
    CHECK_OK(ksInspectorSumWrenches(inspector, &term, 1, KS_OBSERVED, NULL, &sum));
    ck_assert_double_le(sum.bar.force[2], 1e-12 * fabs(sum.wrench.force[2]));
    const ksReaction *r = ksInspectorGetReaction(inspector, scene->joint[0]);
    const int side = r->body[0] != scene->body[0];
    CHECK_OK(ksReactionGetWrench(r, KS_OBSERVED, side, KS_FRAME_WORLD, KS_POINT_MASS_CENTRE, &wrench));
    ck_assert_double_eq(wrench.force[2], sum.wrench.force[2]);
    ck_assert_double_nan(r->row[0].observed);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("observed");
    TCase *cases = tcase_create("observed"), *more = tcase_create("all scenes");
    tcase_add_loop_test(cases, false_report_is_named, 0, 2 * MACHINES);
    tcase_add_loop_test(cases, branch_explains_the_joint, 0, 3);
    tcase_add_loop_test(cases, hidden_force, 0, 2);
    int scenes = 0;
    while (driftScenes[scenes].name)
        scenes++;
    tcase_add_loop_test(more, true_reports, 0, 3 * scenes);
    tcase_add_test(cases, shared_rows);
    tcase_add_loop_test(cases, report_by_itself, 0, 2);
    tcase_add_test(cases, rival_of_the_same_bodies);
    tcase_add_test(cases, soft_hinges_share);
    tcase_add_test(cases, refused);
    tcase_set_tags(more, "long");
    suite_add_tcase(suite, cases);
    suite_add_tcase(suite, more);
    return runSuite(suite);
}

/* check_contact.c  Net contact wrenches and friction use, against statics. */
#include "tests/kits/box_kit.h"

static const double contactTolerance = 1e-5; /* QuickStep's last digits, and compliance of 1e-10 / h */
static const double zero[3] = {0, 0, 0};

static void checkWrench(const ksWrench *w, const double force[3], const double torque[3])
{
    for (int k = 0; k < 3; k++) {
        ck_assert_double_eq_tol(w->force[k], force[k], contactTolerance);
        ck_assert_double_eq_tol(w->torque[k], torque[k], contactTolerance);
    }
}

static void touch(dJointGroupID group, dBodyID a, dBodyID b, const double at[3], const dSurfaceParameters *surface)
{
    dContact contact = {
        .surface = *surface, .geom = {.pos = {at[0], at[1], at[2]}, .normal = {0, 0, 1}}, .fdir1 = {1, 0, 0}};
    addContact(world, group, &contact, a, b);
}

static void fourCorners(dJointGroupID group, dBodyID a, dBodyID b, double z, const dSurfaceParameters *surface)
{
    for (int i = 0; i < 4; i++) {
        const double at[3] = {(i & 1 ? 0.5 : -0.5) * size[0], (i & 2 ? 0.5 : -0.5) * size[1], z};
        touch(group, a, b, at, surface);
    }
}

/* The sum of a body's contacts. */
static void net(dBodyID a, dBodyID b, ksValue value, const double about[3], ksWrenchSum *sum)
{
    CHECK_OK(sumContacts(inspector, a, b, value, about, sum));
}

/* Two boxes on the ground, the lower one pushed: the sum over each pair is unique, the shares of
 * the corners are not. With contacts as reported, a sum adds up the reports for each value, and its
 * uniqueness is not tested. */
START_TEST(net_contact_wrenches)
{
    const bool isSolved = _i;
    if (isSolved)
        solveContacts();
    const dSurfaceParameters rough = {.mode = dContactApprox1, .mu = 1};
    const double push = 5, weight = mass * SCENE_GRAVITY, half = size[2] / 2;
    dJointGroupID group = dJointGroupCreate(0);
    dBodyID top = makeBox(size[2]);
    ksWrenchSum sum;
    CHECK_STATUS(sumContacts(inspector, box, NULL, KS_ENGINE, NULL, &sum), KS_ERROR_UNAVAILABLE);
    fourCorners(group, box, NULL, -half, &rough);
    fourCorners(group, top, box, half, &rough);
    dBodyAddForce(box, push, 0, 0);
    dWorldSetQuickStepNumIterations(world, 2000);
    CHECK_OK(ksInspectorQuickStep(inspector, h));
    dJointGroupEmpty(group);
    const ksValue values[] = {KS_ENGINE, KS_CONVERGED, KS_PHYSICAL};
    for (int i = 0; i < 3; i++) {
        const double carried[3] = {0, 0, weight}, passed[3] = {0, 0, -weight}, all[3] = {-push, 0, weight};
        net(top, box, values[i], NULL, &sum);
        checkWrench(&sum.wrench, carried, zero);
        net(box, top, values[i], NULL, &sum);
        checkWrench(&sum.wrench, passed, zero);
        net(box, NULL, values[i], NULL, &sum);
        checkWrench(&sum.wrench, all, zero);
        // about a corner: the moment of forces at the mass centre
        const double corner[3] = {0.1, 0, -half}, torque[3] = {0, -push * half + weight * 0.1, 0};
        net(box, NULL, values[i], corner, &sum);
        checkWrench(&sum.wrench, all, torque);
        ck_assert_int_eq(sum.freeCount, isSolved && values[i] != KS_PHYSICAL ? 0 : -1);
    }
    CHECK_OK(ksInspectorStep(inspector, h));  // the contacts are gone
    net(box, NULL, KS_PHYSICAL, NULL, &sum);
    checkWrench(&sum.wrench, zero, zero);
    dJointGroupDestroy(group);
}
END_TEST

static dBodyID makeWall(double x)
{
    dBodyID wall = makeBox(0);
    dBodySetPosition(wall, x, 0, 0);
    dBodySetKinematic(wall);
    return wall;
}

/* Two contacts on one side of the box, one above and one below its mass centre. */
static void lean(dJointGroupID group, dBodyID wall, double side, const dSurfaceParameters *surface)
{
    for (int i = 0; i < 2; i++) {
        // so small a depth that error correction against a compliance of 1e-10 presses with a few
        // newtons
        dContact contact = {.surface = *surface,
                            .geom = {.pos = {side * size[0] / 2, 0, i ? 0.1 : -0.1}, .normal = {-side}, .depth = 1e-12},
                            .fdir1 = {0, 1, 0}};
        addContact(world, group, &contact, box, wall);
    }
}

/* A box between two walls that press it, on a floor. Mechanics determines neither the pressure of
 * the walls nor its height: a couple of the walls moves the pressure on the floor. The force of the
 * floor, and the total, are unique. With friction the walls can carry the box, or a part of it. */
START_TEST(net_between_walls)
{
    const dSurfaceParameters surface = {.mode = dContactApprox1, .mu = _i ? dInfinity : 0};
    const double weight = mass * SCENE_GRAVITY, half = size[2] / 2;
    dJointGroupID group = dJointGroupCreate(0);
    dBodyID left = makeWall(-1), right = makeWall(1), floor = makeWall(0);
    solveContacts();
    lean(group, left, -1, &surface);
    lean(group, right, 1, &surface);
    fourCorners(group, box, floor, -half, &surface);
    CHECK_OK(ksInspectorStep(inspector, h));
    dJointGroupDestroy(group);  // the inspector keeps its own copy of the contacts
    ksWrenchSum sum;
    const ksWrench *direction = sum.freeDirection;
    net(box, left, KS_CONVERGED, NULL, &sum);
    ck_assert_double_gt(sum.wrench.force[0], 1e-3);  // the engine's own value
    ck_assert_int_eq(sum.freeCount, _i ? 5 : 2);     // its two points bear no torque about the line through them
    for (int f = 0; f < sum.freeCount && !_i; f++)
        ck_assert_double_le(length3(direction[f].force) - fabs(direction[f].force[0]) + length3(direction[f].torque) -
                                fabs(direction[f].torque[1]),
                            1e-9);
    net(box, floor, KS_CONVERGED, NULL, &sum);
    ck_assert_int_eq(sum.freeCount, _i ? 6 : 1);
    if (!_i) {
        ck_assert_double_eq_tol(sum.wrench.force[2], weight, contactTolerance);
        ck_assert_double_le(length3(direction[0].force), 1e-9);
        ck_assert_double_eq_tol(fabs(direction[0].torque[1]), 1, 1e-9);
    }
    const double all[3] = {0, 0, weight};
    net(box, NULL, KS_CONVERGED, NULL, &sum);
    ck_assert_int_eq(sum.freeCount, 0);
    checkWrench(&sum.wrench, all, zero);
}
END_TEST

/* A box on the ground that also hangs on a hinge: its contacts, its hinge, and all of them carry its weight. */
START_TEST(contacts_and_joints_in_one_sum)
{
    const dSurfaceParameters smooth = {.mode = dContactApprox1, .mu = 0};
    dJointGroupID group = dJointGroupCreate(0);
    dBodyID top = makeBox(size[2]), far = makeBox(10);
    dJointID hinge = dJointCreateHinge(world, 0);
    dJointAttach(hinge, box, NULL);
    dJointSetHingeAnchor(hinge, 1, 0, 0);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    fourCorners(group, box, NULL, -size[2] / 2, &smooth);
    fourCorners(group, top, box, size[2] / 2, &smooth);
    const dJointID contact = dBodyGetJoint(top, 0);
    dWorldSetQuickStepNumIterations(world, 2000);
    CHECK_OK(ksInspectorQuickStep(inspector, h));
    const ksWrenchTerm all[2] = {{.body = box}, {.joint = hinge, .body = box}}, none = {.body = far};
    ksWrenchSum sum, part[2], before;
    CHECK_OK(ksInspectorSumWrenches(inspector, all, 2, KS_ENGINE, zero, &sum));
    for (int i = 0; i < 2; i++)
        CHECK_OK(ksInspectorSumWrenches(inspector, &all[i], 1, KS_ENGINE, zero, &part[i]));
    for (int k = 0; k < 3; k++)
        ck_assert_double_eq_tol(sum.wrench.torque[k], part[0].wrench.torque[k] + part[1].wrench.torque[k], 1e-12);
    ck_assert_double_eq_tol(sum.wrench.force[2], mass * SCENE_GRAVITY, contactTolerance);
    ck_assert_int_eq(sum.freeCount, -1);
    CHECK_OK(ksInspectorSumWrenches(inspector, &none, 1, KS_ENGINE, NULL, &sum));
    checkWrench(&sum.wrench, zero, zero);

    // contact forces on both boxes together: only the ground's force is left, since the others
    // cancel
    const ksWrenchTerm both[2] = {{.body = box}, {.body = top}}, ground = {.body = box, .other = top};
    CHECK_OK(ksInspectorSumWrenches(inspector, both, 2, KS_ENGINE, zero, &sum));
    CHECK_OK(ksInspectorSumWrenches(inspector, &ground, 1, KS_ENGINE, zero, &part[1]));
    ck_assert_double_eq_tol(sum.wrench.force[2], part[0].wrench.force[2] - part[1].wrench.force[2], 1e-9);

    before = sum;
    const ksWrenchTerm twice[3] = {{.body = top}, {.joint = contact, .body = top}, {.body = top}};
    const ksWrenchTerm bad[] = {
        {.body = NULL}, {.body = (dBodyID)&sum}, {.body = box, .other = box}, {.body = box, .other = (dBodyID)&sum}};
    for (int i = 0; i < 2; i++)
        CHECK_STATUS(ksInspectorSumWrenches(inspector, &twice[i], 2, KS_ENGINE, NULL, &sum), KS_ERROR_BAD_ARGUMENT);
    for (int i = 0; i < 4; i++)
        CHECK_STATUS(ksInspectorSumWrenches(inspector, &bad[i], 1, KS_ENGINE, NULL, &sum), KS_ERROR_BAD_ARGUMENT);
    ck_assert_mem_eq(&before, &sum, sizeof sum);
    dJointGroupDestroy(group);
}
END_TEST

/* The contacts of an unchecked island have a sum of unknown uniqueness. */
START_TEST(net_of_an_unchecked_island)
{
    const dSurfaceParameters smooth = {.mode = dContactApprox1};
    ksInspectorOptions options = defaultOptions();
    options.islandRowBudget = 1;
    options.contacts = KS_CONTACTS_SOLVED;
    ksInspector *hurried = inspectWith(world, &options);
    dJointGroupID group = dJointGroupCreate(0);
    fourCorners(group, box, NULL, -size[2] / 2, &smooth);
    CHECK_OK(ksInspectorStep(hurried, h));
    dJointGroupDestroy(group);
    ksWrenchSum sum;
    CHECK_OK(sumContacts(hurried, box, NULL, KS_ENGINE, NULL, &sum));
    ck_assert_int_eq(sum.freeCount, -1);
    ck_assert_double_eq_tol(sum.wrench.force[2], mass * SCENE_GRAVITY, contactTolerance);
    ksInspectorDestroy(hurried);
}
END_TEST

/* A query sets up equations that did not exist before, and finds the rows at their bounds: the
 * reactions do not change. */
START_TEST(a_query_leaves_reactions_alone)
{
    const dSurfaceParameters rough = {.mode = dContactApprox1, .mu = 0.3};
    ksInspectorOptions options = defaultOptions();
    options.values = 0;
    options.contacts = KS_CONTACTS_SOLVED;
    ksInspector *own = inspectWith(world, &options);
    dWorldSetQuickStepNumIterations(world, 1);
    dJointGroupID group = dJointGroupCreate(0);
    fourCorners(group, box, NULL, -size[2] / 2, &rough);
    dBodyAddForce(box, 0.4 * mass * SCENE_GRAVITY, 0, 0);
    CHECK_OK(ksInspectorQuickStep(own, h));
    dJointGroupDestroy(group);
    size_t joints;
    const ksReaction *reaction = ksInspectorGetReactions(own, &joints);
    ck_assert_uint_eq(joints, 4);
    ksRow before[4][3];
    for (size_t i = 0; i < joints; i++) {
        ck_assert_int_eq(reaction[i].rowCount, 3);
        memcpy(before[i], reaction[i].row, sizeof before[i]);
    }
    ksWrenchSum sum;
    CHECK_OK(sumContacts(own, box, NULL, KS_ENGINE, NULL, &sum));
    ck_assert_int_eq(sum.freeCount, 0);
    for (size_t i = 0; i < joints; i++)
        ck_assert_mem_eq(before[i], reaction[i].row, sizeof before[i]);
    ksInspectorDestroy(own);
}
END_TEST

/* One contact below the mass centre, where the box is pushed: the box rests or slides, and does not
 * roll. */
static const ksReaction *pushed(const dSurfaceParameters *surface, ksStepper stepper, double fx, double fy, double fz)
{
    const double at[3] = {0, 0, -size[2] / 2};
    dJointGroupID group = dJointGroupCreate(0);
    touch(group, box, NULL, at, surface);
    dBodyAddForceAtPos(box, fx, fy, fz, at[0], at[1], at[2]);
    CHECK_OK(inspectedStep(inspector, stepper, h));
    dJointGroupDestroy(group);
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    ck_assert_uint_eq(count, 1);
    return reaction;
}

/* The report does not contain the bounds of dWorldStep's first stage. */
START_TEST(friction_use)
{
    const double weight = mass * SCENE_GRAVITY;
    const ksStepper stepper = _i % 2 ? KS_QUICK_STEP : KS_WORLD_STEP;
    const bool isSolved = _i >= 10;
    dWorldSetQuickStepNumIterations(world, 500);
    const struct {
        dSurfaceParameters surface;
        double push[2], use;
    } cases[] = {
        {{.mode = dContactApprox1, .mu = 0.5}, {3, 4}, 5 / (0.5 * weight)},
        {{.mode = dContactApprox1 | dContactMu2 | dContactFDir1, .mu = 0.5, .mu2 = 0.25},
         {2, 3},
         5 / weight * hypot(2 * 2, 4 * 3) / 5},
        {{.mode = 0, .mu = 10}, {3, 4}, 0.5},
        {{.mode = dContactApprox1, .mu = 0}, {3, 4}, 0},
        {{.mode = dContactApprox1, .mu = dInfinity}, {3, 4}, 0},
    };
    const int at = _i / 2 % 5;
    const dSurfaceParameters *surface = &cases[at].surface;
    const bool isUnknown =
        !isSolved && stepper == KS_WORLD_STEP && surface->mode && surface->mu > 0 && !isinf(surface->mu);
    if (isSolved)
        solveContacts();
    const ksReaction *reaction = pushed(surface, stepper, cases[at].push[0], cases[at].push[1], 0);
    const ksValue values[] = {KS_ENGINE, KS_CONVERGED};
    for (int i = 0; i < 2; i++) {
        double bound, normal;
        CHECK_OK(ksReactionGetFrictionUse(reaction, values[i], &bound, NULL));
        CHECK_OK(ksReactionGetFrictionUse(reaction, values[i], NULL, &normal));
        ck_assert_int_eq(isnan(bound), isUnknown);
        if (!isUnknown)
            ck_assert_double_eq_tol(bound, cases[at].use, 1e-6);
        ck_assert_double_eq_tol(normal, cases[at].use, 1e-6);
        for (int l = 1; l < reaction->rowCount; l++)
            ck_assert_int_eq(reaction->row[l].place, KS_INSIDE);
    }
}
END_TEST

/* ... even if the contact was judged. */
START_TEST(unjudged_friction_has_no_bound)
{
    const dSurfaceParameters rough = {.mode = dContactApprox1, .mu = 0.5};
    ksInspectorOptions options = defaultOptions();
    options.values = (unsigned)_i;
    ksInspectorDestroy(inspector);
    inspector = inspectWith(world, &options);
    const ksReaction *reaction = pushed(&rough, KS_WORLD_STEP, 3, 4, 0);
    ck_assert_int_eq(reaction->rowCount, 3);
    for (int l = 1; l < 3; l++) {
        ck_assert_int_eq(reaction->row[l].place, KS_INSIDE);
        ck_assert_double_nan(reaction->row[l].bound);
    }
}
END_TEST

/* A sliding contact uses all of its friction; in a corner of the pyramid, more than the cone's. */
START_TEST(friction_use_sliding)
{
    const dSurfaceParameters rough = {.mode = dContactApprox1, .mu = 0.5};
    double bound, normal;
    dWorldSetQuickStepNumIterations(world, 500);
    const ksReaction *reaction = pushed(&rough, KS_QUICK_STEP, 30, 0, 0);
    CHECK_OK(ksReactionGetFrictionUse(reaction, KS_ENGINE, &bound, &normal));
    ck_assert_double_eq_tol(bound, 1, 1e-9);
    ck_assert_double_eq_tol(normal, 1, 1e-9);
    ksReaction copy = *reaction;
    CHECK_OK(ksReactionGetFrictionUse(&copy, KS_PHYSICAL, &bound, &normal));  // so does the engine's bound
    ck_assert_double_eq_tol(bound, 1, 1e-9);
    copy.physical[0].force[0] = NAN;
    CHECK_STATUS(ksReactionGetFrictionUse(&copy, KS_PHYSICAL, &bound, &normal), KS_ERROR_UNAVAILABLE);
    CHECK_STATUS(ksReactionGetFrictionUse(NULL, KS_ENGINE, &bound, &normal), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksReactionGetFrictionUse(&copy, (ksValue)3, &bound, &normal), KS_ERROR_BAD_ARGUMENT);
    copy.row = NULL;
    CHECK_STATUS(ksReactionGetFrictionUse(&copy, KS_ENGINE, &bound, &normal), KS_ERROR_UNAVAILABLE);
    copy.type = dJointTypeBall;
    CHECK_STATUS(ksReactionGetFrictionUse(&copy, KS_ENGINE, &bound, &normal), KS_ERROR_BAD_ARGUMENT);
    reaction = pushed(&rough, KS_QUICK_STEP, 30, 30, 0);
    CHECK_OK(ksReactionGetFrictionUse(reaction, KS_ENGINE, &bound, &normal));
    ck_assert_double_eq_tol(bound, sqrt(2), 1e-9);
    reaction = pushed(&rough, KS_WORLD_STEP, 0, 0, 30);  // lifted: no force, no bound
    CHECK_OK(ksReactionGetFrictionUse(reaction, KS_ENGINE, &bound, &normal));
    ck_assert(bound == 0 && normal == 0);
}
END_TEST

/* A box slides on four corners. The engine chooses how they share its weight, and each friction
 * bound follows from that share. This is no error: each friction is mu times the normal force that
 * is published beside it. */
START_TEST(sliding_on_four_corners)
{
    const double mu = 0.2;
    const dSurfaceParameters rough = {.mode = dContactApprox1 | dContactFDir1, .mu = mu};
    dJointGroupID group = dJointGroupCreate(0);
    dWorldSetQuickStepNumIterations(world, 2000);
    dBodySetLinearVel(box, 3, 0, 0);
    for (int i = 0; i < 5; i++) {
        dBodySetPosition(box, 0, 0, 0);
        fourCorners(group, box, NULL, -0.5 * size[2], &rough);
        ck_assert_int_eq(ksInspectorQuickStep(inspector, h), KS_OK);
        size_t count;
        const ksReaction *r = ksInspectorGetReactions(inspector, &count);
        ck_assert_uint_eq(count, 4);
        double sum = 0;
        for (size_t c = 0; c < count; c++) {
            ck_assert_str_eq(ksVerdictName(r[c].verdict), "KS_INDETERMINATE");
            ck_assert_int_ne(r[c].row[1].place, KS_INSIDE);
            ck_assert_double_eq_tol(fabs(r[c].row[1].alone), mu * r[c].row[0].engine, 1e-6);
            sum += r[c].converged[0].force[0];
        }
        ck_assert_double_eq_tol(sum, -mu * mass * SCENE_GRAVITY, contactTolerance);
        dJointGroupEmpty(group);
    }
    dJointGroupDestroy(group);
}
END_TEST

/* Contacts of a small body on a large one, a centimetre apart: however short their levers beside
 * the size of the large body, two are unique, and three in a line are not. */
START_TEST(contacts_on_a_large_deck)
{
    dBodyID body[2]; /* deck and bar */
    dMass weight;
    for (int i = 0; i < 2; i++) {
        const double side = i ? 0.1 : 300;
        dMassSetBoxTotal(&weight, i ? 1 : 1e6, side, side, i ? side : 1);
        body[i] = dBodyCreate(world);
        dBodySetMass(body[i], &weight);
        dBodySetPosition(body[i], i ? 100 : 0, 0, i ? 0.55 : 0);
    }
    const int count = 2 + _i / 2 % 2, reversed = _i % 2, isSolved = _i / 4;
    for (int i = 0; i < count; i++) {
        dContact contact = {.geom = {.pos = {100 + 0.005 * (i - 1) * (count == 2 ? 2 : 1), 0, 0.5},
                                     .normal = {0, 0, reversed ? 1 : -1}}};
        dJointAttach(dJointCreateContact(world, 0, &contact), body[reversed], body[!reversed]);
    }
    dBodyAddForce(body[1], 0, 0, -10);
    ksInspectorOptions options = defaultOptions();
    options.islandRowBudget = 1;
    options.contacts = isSolved ? KS_CONTACTS_SOLVED : KS_CONTACTS_REPORTED;
    ksInspector *own = inspectWith(world, &options);
    size_t reactions;
    CHECK_OK(ksInspectorQuickStep(own, h));
    const ksReaction *reaction = ksInspectorGetReactions(own, &reactions);
    ck_assert_uint_eq(reactions, (size_t)count);
    for (int i = 0; i < count; i++) {
        ck_assert_int_eq(reaction[i].rowCount, 1);
        ck_assert_int_eq((reaction[i].reasons & KS_REASON_REDUNDANT) != 0, count > 2);
        ck_assert_uint_eq(reaction[i].reasons & ~KS_REASON_REDUNDANT,
                          isSolved ? KS_REASON_BUDGET : KS_REASON_REPORTED_LOADS);
    }
    ksInspectorDestroy(own);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("contact");
    tcase_add_checked_fixture(test, setUp, tearDown);
    tcase_add_loop_test(test, net_contact_wrenches, 0, 2);
    tcase_add_loop_test(test, net_between_walls, 0, 2);
    tcase_add_test(test, contacts_and_joints_in_one_sum);
    tcase_add_test(test, net_of_an_unchecked_island);
    tcase_add_test(test, a_query_leaves_reactions_alone);
    tcase_add_loop_test(test, friction_use, 0, 20);
    tcase_add_loop_test(test, unjudged_friction_has_no_bound, 0, 4);
    tcase_add_test(test, friction_use_sliding);
    tcase_add_test(test, sliding_on_four_corners);
    tcase_add_loop_test(test, contacts_on_a_large_deck, 0, 8);
    return runCase("contact", test);
}

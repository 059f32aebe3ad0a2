/* check_view.c  Colours and arrows are where the numbers say, in pictures that are drawn off screen. */
#include "view_kit.h"

static const double h = 0.01;
static const uint32_t valueColour[] = {ENGINE_COLOUR, CONVERGED_COLOUR, PHYSICAL_COLOUR};
static dWorldID world;
static ksInspector *inspector;

static void begin(void)
{
    world = heavyWorld();
    inspector = inspect(world);
    openView();
    CHECK_OK(ksViewWatch(view, inspector, NULL, "test"));
}

static void end(void)
{
    closeView();
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}

/* The camera looks along y, x to the right and z upwards, from 3 m. */
static void lookAt(double x, double z)
{
    CHECK_OK(ksViewSetCamera(view, (const double[3]){x, -3, z}, (const double[3]){x, 0, z}));
}

/* The middle of all pixels of a colour in a row, from x on; NaN: there are none. */
static double middleOfRow(int y, double x, int halfWidth, uint32_t colour)
{
    double sum = 0;
    int found = 0;
    for (int i = (int)x - halfWidth; i <= (int)x + halfWidth; i++) {
        if (isColour(i, y, colour)) {
            sum += i + 0.5;
            found++;
        }
    }
    return found > 0 ? sum / found : (double)NAN;
}

/* The uppermost pixel of a colour near a column. */
static double top(double x, int halfWidth, uint32_t colour)
{
    for (int y = 0; y < HEIGHT; y++)
        if (isfinite(middleOfRow(y, x, halfWidth, colour)))
            return y;
    return (double)NAN;
}

/* Half the width of an arrow's head, and pixels cut by rounding: what an end may be off. */
static const double pixelTolerance = 3;

START_TEST(an_arrow_is_as_long_as_its_force)
{
    const double mass = _i + 1.0, force = mass * SCENE_GRAVITY;
    dBodyID body = addBall(world, mass, 0.1, 0.3, 0.2);
    dJointID joint = dJointCreateBall(world, NULL);
    dVector3 anchor;
    dJointAttach(joint, body, NULL);
    dJointSetBallAnchor(joint, 0.3, 0, 0.2);
    lookAt(0, 0.3);
    CHECK_OK(ksInspectorStep(inspector, h));
    draw();
    double scale, foot[2], tip[2], middle[2];
    CHECK_OK(ksViewGetArrowScale(view, &scale));
    dJointGetBallAnchor(joint, anchor);
    project(anchor, foot);
    project((const double[3]){anchor[0], anchor[1], anchor[2] + force * scale}, tip);
    project((const double[3]){anchor[0], anchor[1], anchor[2] + force * scale / 2}, middle);
    // the longest arrow is to be seen
    ck_assert_double_gt(foot[1] - tip[1], 10);
    ck_assert_int_gt(count(foot, 2, 2, verdictColour(KS_VALID)), 12);
    static const ksValue shown[] = {KS_ENGINE, KS_PHYSICAL};
    double place[2];
    for (int i = 0; i < 2; i++) {
        place[i] = middleOfRow((int)middle[1], foot[0], 12, valueColour[shown[i]]);
        ck_assert_double_eq_tol(place[i], foot[0], 8);
        ck_assert_double_eq_tol(top(foot[0], 12, valueColour[shown[i]]), tip[1], pixelTolerance);
    }
    // side by side
    ck_assert_double_lt(place[0] + 1, place[1]);
    // along the force, and nowhere else
    ck_assert_int_eq(count((const double[2]){foot[0] + 40, foot[1]}, 20, 60, ENGINE_COLOUR), 0);
    ck_assert_int_eq(count((const double[2]){foot[0], foot[1] + 30}, 20, 20, ENGINE_COLOUR), 0);
}
END_TEST

/* Nothing but rounding in free fall, and then a load: its arrow is as long as any. */
START_TEST(the_scale_of_rounding_is_left_at_once)
{
    const double nothing = 1e-9;
    double before, after;
    dJointID joint = dJointCreateBall(world, NULL);
    dJointAttach(joint, addBall(world, 1, 0.1, 0, 0), NULL);
    dJointSetBallAnchor(joint, 0, 0, 0);
    lookAt(0, 0.3);
    dWorldSetGravity(world, 0, 0, -nothing);
    CHECK_OK(ksInspectorStep(inspector, h));
    draw();
    CHECK_OK(ksViewGetArrowScale(view, &before));
    dWorldSetGravity(world, 0, 0, -SCENE_GRAVITY);
    CHECK_OK(ksInspectorStep(inspector, h));
    draw();
    CHECK_OK(ksViewGetArrowScale(view, &after));
    // up to the next one of 1, 2, 5, 10
    ck_assert_double_lt(after * SCENE_GRAVITY, 2.5 * before * nothing);
}
END_TEST

START_TEST(values_are_shown_by_keys)
{
    dBodyID body = addBall(world, 1, 0.1, 0, 0);
    dJointID joint = dJointCreateBall(world, NULL);
    dJointAttach(joint, body, NULL);
    dJointSetBallAnchor(joint, 0, 0, 0);
    lookAt(0, 0.3);
    CHECK_OK(ksInspectorStep(inspector, h));
    static const int key[] = {'e', 'c', 'p'};
    bool isShown[] = {true, false, true};
    for (int n = -1; n < 6; n++) {
        if (n >= 0) {
            press(key[n % 3]);
            isShown[n % 3] = !isShown[n % 3];
        }
        draw();
        for (int value = 0; value <= KS_PHYSICAL; value++)
            ck_assert_int_eq(countAll(valueColour[value]) > 60, isShown[value]);
    }
}
END_TEST

/* A chain under few iterations: each joint in the colour of its verdict, wherever it is by now. */
START_TEST(joints_have_the_colours_of_their_verdicts)
{
    Scene *scene = sceneChain(5, SCENE_FALLING);
    ksInspector *chained = inspect(scene->world);
    CHECK_OK(ksViewWatch(view, chained, NULL, NULL));
    CHECK_OK(ksViewSetCamera(view, (const double[3]){0.4, -2.5, 0}, (const double[3]){0.4, 0, -0.2}));
    dWorldSetQuickStepNumIterations(scene->world, _i ? 3 : 2000);
    for (int i = 0; i < 15; i++)
        CHECK_OK(ksInspectorQuickStep(chained, h));
    // nothing in front of the joints
    press('e');
    press('p');
    press('l');
    draw();
    for (int i = 0; i < scene->jointCount; i++) {
        dVector3 anchor;
        double pixel[2];
        const ksReaction *reaction = ksInspectorGetReaction(chained, scene->joint[i]);
        dJointGetHingeAnchor(scene->joint[i], anchor);
        project(anchor, pixel);
        ck_assert_int_eq(reaction->verdict, _i ? KS_SOLVER_ERROR : KS_VALID);
        ck_assert_int_gt(count(pixel, 3, 3, verdictColour(reaction->verdict)), 12);
    }
    CHECK_OK(ksViewWatch(view, NULL, NULL, NULL));
    ksInspectorDestroy(chained);
    sceneDestroy(scene);
}
END_TEST

/* Two balls that fly: a step takes them 0.2 m further, and the joint's mark goes with them, as do its arrows; they turn about it, so that
 * the joint has a force. */
START_TEST(marks_go_with_the_bodies)
{
    dBodyID body[2] = {addBall(world, 1, 0.05, -0.2, 0.1), addBall(world, 1, 0.05, 0.2, 0.1)};
    dJointID joint = dJointCreateBall(world, NULL);
    dJointAttach(joint, body[0], body[1]);
    dJointSetBallAnchor(joint, 0, 0, 0.1);
    for (int i = 0; i < 2; i++)
        dBodySetLinearVel(body[i], 20, 0, i ? 1 : -1);
    lookAt(0, 0.3);
    CHECK_OK(ksInspectorStep(inspector, h));
    press('l');
    draw();
    dVector3 anchor;
    double pixel[2];
    dJointGetBallAnchor(joint, anchor);
    ck_assert_double_gt(anchor[0], 0.15);
    project(anchor, pixel);
    ck_assert_int_gt(count(pixel, 2, 2, verdictColour(KS_VALID)), 12);
    ck_assert_int_gt(count(pixel, 30, 8, ENGINE_COLOUR), 8);
    ck_assert_int_eq(count((const double[2]){WIDTH / 2 - 40, pixel[1]}, 40, 20, ENGINE_COLOUR), 0);
}
END_TEST

/* A mass on an arm, held by a weld in the origin: the weld's torque turns it against its weight. The arc begins on the right, seen
 * from the camera, and goes round the way the torque turns. */
START_TEST(a_torque_is_an_arc)
{
    const double side = _i ? -1 : 1;
    dBodyID body = addBall(world, 1, 0.05, 0.5 * side, 0);
    dJointID joint = dJointCreateHinge(world, NULL);
    dJointAttach(joint, body, NULL);
    dJointSetHingeAnchor(joint, 0, 0, 0);
    dJointSetHingeAxis(joint, 0, 1, 0);
    dJointSetHingeParam(joint, dParamFMax, 1000);
    lookAt(0, 0);
    CHECK_OK(ksInspectorStep(inspector, h));
    const ksReaction *reaction = ksInspectorGetReaction(inspector, joint);
    ksWrench wrench;
    CHECK_OK(ksReactionGetWrench(reaction, KS_ENGINE, 0, KS_FRAME_WORLD, KS_POINT_ANCHOR, &wrench));
    // about -y where the mass is on the right: upwards there
    ck_assert_double_lt(wrench.torque[1] * side, -4);
    draw();
    double centre[2], rim[2];
    project((const double[3]){0, 0, 0}, centre);
    project((const double[3]){0.09, 0, 0}, rim);
    // eighths of the picture's turn, against the clock from the right; the arrow of the force is in the second and third
    int ring[2] = {0};
    for (int i = -30; i <= 30; i++) {
        double angle = i * 0.02, radius = rim[0] - centre[0];
        for (double r = 0.8 * radius; r < 1.25 * radius; r += 0.5)
            ring[i > 0] +=
                isColour((int)(centre[0] + r * cos(angle)), (int)(centre[1] - r * sin(angle)), ENGINE_COLOUR);
    }
    ck_assert_int_gt(ring[side > 0], 20);
    ck_assert_int_eq(ring[side < 0] > 20, 0);
    press('t');
    draw();
    ring[0] = count((const double[2]){rim[0], rim[1]}, 3, 25, ENGINE_COLOUR);
    ck_assert_int_eq(ring[0], 0);
}
END_TEST

/* A box that rests on four contacts. */
START_TEST(contacts_push)
{
    const double size[3] = {0.4, 0.4, 0.2};
    dBodyID box = addBox(world, 4, size, 0.1);
    dJointGroupID group = dJointGroupCreate(0);
    for (int i = 0; i < 4; i++) {
        dContact contact = {.surface.mu = 0, .geom = {.normal = {0, 0, 1}, .depth = 0}};
        contact.geom.pos[0] = i & 1 ? 0.2 : -0.2;
        contact.geom.pos[1] = i & 2 ? 0.2 : -0.2;
        addContact(world, group, &contact, box, NULL);
    }
    lookAt(0, 0.2);
    CHECK_OK(ksInspectorStep(inspector, h));
    // the joints are gone by then
    dJointGroupDestroy(group);
    draw();
    for (int i = 0; i < 4; i++) {
        double pixel[2], scale;
        CHECK_OK(ksViewGetArrowScale(view, &scale));
        project((const double[3]){i & 1 ? 0.2 : -0.2, i & 2 ? 0.2 : -0.2, SCENE_GRAVITY * scale / 2}, pixel);
        ck_assert_int_gt(count(pixel, 3, 3, CONTACT_COLOUR), 3);
    }
    press('k');
    draw();
    ck_assert_int_eq(countAll(CONTACT_COLOUR), 0);
}
END_TEST

/* A body between two balls is pushed along their line. One iteration gives the first more than all of the push, and the second pulls
 * back: they are in each other's way. */
START_TEST(self_stress_is_a_pair)
{
    static const double size[3] = {0.6, 0.1, 0.1};
    dBodyID body = addBox(world, 1, size, 0);
    dJointID joint[2];
    for (int i = 0; i < 2; i++) {
        joint[i] = dJointCreateBall(world, NULL);
        dJointAttach(joint[i], body, NULL);
        dJointSetBallAnchor(joint[i], i ? 0.3 : -0.3, 0, 0);
    }
    lookAt(0, 0.1);
    dWorldSetQuickStepNumIterations(world, 1);
    dBodyAddForce(body, 30, 0, 0);
    CHECK_OK(ksInspectorQuickStep(inspector, h));
    press('e');
    press('t');
    press('l');
    press('s');
    draw();
    // one of many, in the legend and along the rod
    ck_assert_int_gt(countAll(PALE_PHYSICAL_COLOUR), 100);
    press('s');
    press('p');
    draw();
    ck_assert_int_eq(countAll(PALE_PHYSICAL_COLOUR), 0);
    for (int i = 0; i < 2; i++) {
        dVector3 anchor;
        double pixel[2];
        const ksReaction *reaction = ksInspectorGetReaction(inspector, joint[i]);
        ck_assert_int_gt(reaction->freeCount, 0);
        ck_assert_double_gt(fabs(reaction->converged[0].force[0] - reaction->physical[0].force[0]), 5);
        dJointGetBallAnchor(joint[i], anchor);
        project(anchor, pixel);
        for (int side = -1; side <= 1; side += 2)
            ck_assert_int_gt(count((const double[2]){pixel[0] + side * 15, pixel[1]}, 6, 6, SELF_STRESS_COLOUR), 5);
        ck_assert_int_eq(count((const double[2]){pixel[0], pixel[1] - 20}, 10, 8, SELF_STRESS_COLOUR), 0);
    }
    press('s');
    draw();
    ck_assert_int_eq(countAll(SELF_STRESS_COLOUR), 0);
}
END_TEST

/* How light a pixel is. */
static int light(const double pixel[2])
{
    const unsigned char *rgb = pixels[(int)pixel[1]][(int)pixel[0]];
    return rgb[0] + rgb[1] + rgb[2];
}

/* A ball of 0.2 m above a plane: drawn as the ellipsoid of its inertia, or as its geom, which is larger; and its shadow lies where the
 * light puts it. */
START_TEST(bodies_have_shape_and_shadow)
{
    dSpaceID space = dSimpleSpaceCreate(NULL);
    dBodyID ball = addBall(world, 1, 0.2, 0, 1);
    dCreatePlane(space, 0, 0, 1, 0);
    if (_i)
        dGeomSetBody(dCreateSphere(space, 0.3), ball);
    CHECK_OK(ksViewWatch(view, inspector, space, NULL));
    CHECK_OK(ksViewSetCamera(view, (const double[3]){0, -4, 2}, (const double[3]){0, 0, 0.5}));
    CHECK_OK(ksInspectorStep(inspector, h));
    draw();
    const dReal *place = dBodyGetPosition(ball);
    const double height = place[2];
    double inside[2], outside[2], shadow[2], beside[2], pixel[2];
    const double radius = _i ? 0.3 : 0.2;
    project((const double[3]){-0.85 * radius, 0, height}, inside);
    project((const double[3]){1.25 * radius, 0, height}, outside);
    project(place, pixel);
    // the ball is darker than the ground behind it
    ck_assert_int_lt(light(inside) + 40, light(outside));
    ck_assert_int_lt(light(pixel) + 40, light(outside));
    // the light comes from (-0.35, -0.45, 1)
    project((const double[3]){0.35 * height, 0.45 * height, 0}, shadow);
    project((const double[3]){-0.35 * height, 0.45 * height, 0}, beside);
    ck_assert_int_lt(light(shadow) + 60, light(beside));
    CHECK_OK(ksViewWatch(view, inspector, NULL, NULL));
    dSpaceDestroy(space);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("view");
    TCase *test = tcase_create("pixels");
    tcase_add_checked_fixture(test, begin, end);
    tcase_add_loop_test(test, an_arrow_is_as_long_as_its_force, 0, 3);
    tcase_add_test(test, the_scale_of_rounding_is_left_at_once);
    tcase_add_test(test, values_are_shown_by_keys);
    tcase_add_loop_test(test, joints_have_the_colours_of_their_verdicts, 0, 2);
    tcase_add_test(test, marks_go_with_the_bodies);
    tcase_add_loop_test(test, a_torque_is_an_arc, 0, 2);
    tcase_add_test(test, contacts_push);
    tcase_add_test(test, self_stress_is_a_pair);
    tcase_add_loop_test(test, bodies_have_shape_and_shadow, 0, 2);
    suite_add_tcase(suite, test);
    return canDraw() ? runSuite(suite) : 77;
}

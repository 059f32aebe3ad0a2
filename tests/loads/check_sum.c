/* check_sum.c  Sums of the wrenches of chosen joints, and their unique part. */
#include "tests/kits/inside_kit.h"
#include "tests/kits/support.h"

static const double h = 0.001;
static const double gravity[3] = {0, 0, -SCENE_GRAVITY};
static const unsigned allComponents = (1u << 6) - 1;

/* N, N.m: rounding of M v / h for a few kg that hardly move, less 100 N and 100 N.m */
static const double motionRounding = 1e-11;
/* N.m: effect of gaps of 1e-9 m on that */
static const double gapTolerance = 1e-6;

static void moment(const double r[3], const double f[3], double t[3])
{
    for (int k = 0; k < 3; k++)
        t[k] = r[(k + 1) % 3] * f[(k + 2) % 3] - r[(k + 2) % 3] * f[(k + 1) % 3];
}

/* --- A few joints hold a body in the world, under random loads --- */

enum { DRAWS = 200, MOST_JOINTS = 4, MOST_ROWS = 6 * MOST_JOINTS };

static double draw(unsigned long long *state)
{
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(*state >> 11) / 4503599627370496.0 - 1;
}

typedef struct Held {
    dWorldID world;
    dBodyID body;
    dJointID joint[MOST_JOINTS];
    int joints;
    double force[3], torque[3];
    double mass;
} Held;

static dJointID hold(dWorldID world, dBodyID body, unsigned long long *state)
{
    const double kind = draw(state), at[3] = {draw(state), draw(state), draw(state)};
    dJointID joint = kind < -0.4  ? dJointCreateFixed(world, 0)
                     : kind < 0.2 ? dJointCreateBall(world, 0)
                                  : dJointCreateHinge(world, 0);
    dJointAttach(joint, body, NULL);
    if (kind < -0.4)
        dJointSetFixed(joint);
    else if (kind < 0.2)
        dJointSetBallAnchor(joint, at[0], at[1], at[2]);
    else
        dJointSetHingeAnchor(joint, at[0], at[1], at[2]);
    if (kind >= 0.2)
        dJointSetHingeAxis(joint, draw(state), draw(state), draw(state));
    return joint;
}

static Held drawHeld(unsigned long long *state)
{
    const double size[3] = {1.5 + draw(state), 1.5 + draw(state), 1.5 + draw(state)};
    Held held = {.world = heavyWorld(), .mass = 3 + 2 * draw(state)};
    held.body = addBox(held.world, held.mass, size, draw(state));
    held.joints = 1 + (int)(1.999 * (draw(state) + 1));
    for (int j = 0; j < held.joints; j++)
        held.joint[j] = hold(held.world, held.body, state);
    for (int k = 0; k < 3; k++) {
        held.force[k] = 20 * draw(state);
        held.torque[k] = 20 * draw(state);
    }
    dBodySetAngularVel(held.body, 0, 0, 0);
    dBodyAddForce(held.body, held.force[0], held.force[1], held.force[2]);
    dBodyAddTorque(held.body, held.torque[0], held.torque[1], held.torque[2]);
    return held;
}

/* The sum that all joints of a body at rest must have: M v / h less its other loads, about a
 * point. */
static ksWrench needed(const Held *held, const double centre[3], const double about[3])
{
    const dReal *v = dBodyGetLinearVel(held->body), *w = dBodyGetAngularVel(held->body);
    dMass m;
    dMatrix3 inertia, r;
    ksWrench sum;
    dBodyGetMass(held->body, &m);
    // inertia in the pose of the step, which was the first: unrotated
    dRSetIdentity(r);
    memcpy(inertia, m.I, sizeof inertia);
    for (int k = 0; k < 3; k++) {
        sum.force[k] = held->mass * v[k] / h - held->force[k] - held->mass * gravity[k];
        sum.torque[k] = -held->torque[k];
        for (int i = 0; i < 3; i++)
            sum.torque[k] += inertia[4 * k + i] * w[i] / h;
    }
    double arm[3], t[3];
    for (int k = 0; k < 3; k++)
        arm[k] = centre[k] - about[k];
    moment(arm, sum.force, t);
    for (int k = 0; k < 3; k++)
        sum.torque[k] += t[k];
    return sum;
}

/* Rank of the first rows by Gauss elimination with complete pivoting; entries are of size 1. */
static int rankOf(double a[MOST_ROWS][12], int rows, int columns)
{
    double m[MOST_ROWS][12];
    memcpy(m, a, sizeof m);
    for (int rank = 0;; rank++) {
        int p = rank, q = rank;
        for (int i = rank; i < rows; i++)
            for (int j = rank; j < columns; j++)
                if (fabs(m[i][j]) > fabs(m[p][q])) {
                    p = i;
                    q = j;
                }
        if (rank == rows || rank == columns || fabs(m[p][q]) < 1e-9)
            return rank;
        for (int j = 0; j < columns; j++) {
            const double kept = m[rank][j];
            m[rank][j] = m[p][j];
            m[p][j] = kept;
        }
        for (int i = 0; i < rows; i++) {
            const double kept = m[i][rank];
            m[i][rank] = m[i][q];
            m[i][q] = kept;
        }
        for (int i = rank + 1; i < rows; i++) {
            const double times = m[i][rank] / m[rank][rank];
            for (int j = rank; j < columns; j++)
                m[i][j] -= times * m[rank][j];
        }
    }
}

/* A combination C lambda is unique iff it is one of motions, C^T = J x: rank [J C^T] - rank J of
 * its directions are free. */
static int freeByRank(ksInspector *inspector, const Held *held, int chosen)
{
    double a[MOST_ROWS][12] = {{0}};
    int rows = 0;
    for (int j = 0; j < held->joints; j++) {
        const ksReaction *reaction = ksInspectorGetReaction(inspector, held->joint[j]);
        for (int l = 0; l < reaction->rowCount; l++, rows++)
            for (int k = 0; k < 6; k++) {
                a[rows][k] = reaction->row[l].jacobian[0][k];
                a[rows][6 + k] = j < chosen ? a[rows][k] : 0;
            }
    }
    return rankOf(a, rows, 12) - rankOf(a, rows, 6);
}

static void expectWrench(const ksWrench *w, const ksWrench *expected, const ksWrench *bar, double tolerance)
{
    for (int k = 0; k < 3; k++) {
        ck_assert_double_le(fabs(w->force[k] - expected->force[k]), tolerance + (bar ? bar->force[k] : 0));
        ck_assert_double_le(fabs(w->torque[k] - expected->torque[k]), tolerance + (bar ? bar->torque[k] : 0));
    }
}

/* The sum of all joints follows from the motion, for any shares. Ranks give the number of
 * undetermined directions of a partial sum. */
START_TEST(asTheMotionNeeds)
{
    unsigned long long state = 77;
    int shared = 0;
    for (int n = 0; n < DRAWS; n++) {
        Held held = drawHeld(&state);
        const double about[3] = {draw(&state), draw(&state), draw(&state)};
        ksWrenchTerm term[MOST_JOINTS];
        ksWrenchSum sum;
        for (int j = 0; j < held.joints; j++)
            term[j] = (ksWrenchTerm){.joint = held.joint[j], .body = held.body};
        ksInspector *inspector = inspect(held.world);
        CHECK_OK(ksInspectorStep(inspector, h));
        const ksWrench expected = needed(&held, ksInspectorGetReaction(inspector, held.joint[0])->centre[0], about);
        for (ksValue value = KS_ENGINE; value <= KS_CONVERGED; value++) {
            CHECK_OK(ksInspectorSumWrenches(inspector, term, (size_t)held.joints, value, about, &sum));
            ck_assert_int_eq(sum.freeCount, 0);
            ck_assert_uint_eq(sum.unique, allComponents);
            expectWrench(&sum.wrench, &expected, value == KS_ENGINE ? NULL : &sum.bar, motionRounding);
            ck_assert(isnan(sum.bar.force[0]) == (value == KS_ENGINE));
        }
        for (int chosen = 1; chosen <= held.joints; chosen++)
            for (ksValue value = KS_ENGINE; value <= KS_PHYSICAL; value++) {
                CHECK_OK(ksInspectorSumWrenches(inspector, term, (size_t)chosen, value, about, &sum));
                ck_assert_int_eq(sum.freeCount, freeByRank(inspector, &held, chosen));
                shared += sum.freeCount > 0;
            }
        ksInspectorDestroy(inspector);
        dWorldDestroy(held.world);
    }
    ck_assert_int_gt(shared, DRAWS);
}
END_TEST

/* --- Scenes --- */

/* A door on two hinges: the sum of both is unique, but the share of each along the axis is not. The
 * physical sum is the force that swings the door, even if the hinges have drifted. */
START_TEST(doorOnTwoHinges)
{
    const ksStepper stepper = _i ? KS_QUICK_STEP : KS_WORLD_STEP;
    dMatrix3 r;
    dRSetIdentity(r);
    Scene *scene = sceneHeldTwice(SCENE_DOOR, r);
    ksInspector *inspector = inspect(scene->world);
    for (int i = 0; i < 200; i++) {
        double expected[3];
        ksWrenchSum sum, world, one;
        dBodyID door = dJointGetBody(scene->joint[0], 0);
        const ksWrenchTerm term[2] = {{.joint = scene->joint[0], .body = door},
                                      {.joint = scene->joint[1], .body = door}};
        const ksWrenchTerm wall[2] = {{.joint = scene->joint[0]}, {.joint = scene->joint[1]}};
        sceneHeldTwiceForce(scene, SCENE_DOOR, expected);
        CHECK_OK(inspectedStep(inspector, stepper, h));
        CHECK_OK(ksInspectorSumWrenches(inspector, term, 2, KS_PHYSICAL, NULL, &sum));
        ck_assert_int_eq(sum.freeCount, 0);
        for (int k = 0; k < 3 && i > 0; k++)
            ck_assert_double_le(fabs(sum.wrench.force[k] - expected[k]), motionRounding + sum.bar.force[k]);
        // the force on the world is the opposite, about the world's origin
        const double *centre = ksInspectorGetReaction(inspector, scene->joint[0])->centre[0], origin[3] = {0};
        CHECK_OK(ksInspectorSumWrenches(inspector, wall, 2, KS_PHYSICAL, centre, &world));
        for (int k = 0; k < 3; k++) {
            ck_assert_double_eq(world.wrench.force[k], -sum.wrench.force[k]);
            ck_assert_double_eq(world.wrench.torque[k], -sum.wrench.torque[k]);
        }
        CHECK_OK(ksInspectorSumWrenches(inspector, wall, 2, KS_PHYSICAL, NULL, &world));
        CHECK_OK(ksInspectorSumWrenches(inspector, wall, 2, KS_PHYSICAL, origin, &one));
        ck_assert_mem_eq(&world.wrench, &one.wrench, sizeof one.wrench);
        for (ksValue value = KS_ENGINE; value <= KS_PHYSICAL; value++) {
            CHECK_OK(ksInspectorSumWrenches(inspector, term, 1, value, NULL, &one));
            ck_assert_int_eq(one.freeCount, 5);
            CHECK_OK(ksInspectorSumWrenches(inspector, term, 2, value, NULL, &sum));
            ck_assert_int_eq(sum.freeCount, 0);
        }
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* A Bennett linkage, which drifts under QuickStep: the sum of a single joint has the free
 * directions of its reaction, although the drifted rows have no self-stresses; and the sum of a
 * link's joints is unique. */
START_TEST(driftedLinkage)
{
    Scene *scene = sceneBennett(1);
    ksInspector *inspector = inspect(scene->world);
    for (int i = 0; i < 400; i++)
        CHECK_OK(ksInspectorQuickStep(inspector, 5 * h));
    for (int j = 0; j < scene->jointCount; j++) {
        const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[j]);
        const ksWrenchTerm term = {.joint = reaction->joint, .body = reaction->body[0]};
        ksWrenchSum sum;
        for (ksValue value = KS_ENGINE; value <= KS_PHYSICAL; value++) {
            CHECK_OK(ksInspectorSumWrenches(inspector, &term, 1, value, NULL, &sum));
            ck_assert_int_eq(sum.freeCount, reaction->freeCount);
            ck_assert_int_gt(sum.freeCount, 0);
        }
        ksWrenchTerm both[2] = {term};
        for (int k = 0; k < scene->jointCount; k++) {
            const ksReaction *other = ksInspectorGetReaction(inspector, scene->joint[k]);
            if (k != j && (other->body[0] == term.body || other->body[1] == term.body))
                both[1] = (ksWrenchTerm){.joint = other->joint, .body = term.body};
        }
        ck_assert_ptr_nonnull(both[1].joint);
        CHECK_OK(ksInspectorSumWrenches(inspector, both, 2, KS_PHYSICAL, NULL, &sum));
        ck_assert_int_eq(sum.freeCount, 0);
        ck_assert_uint_eq(sum.unique, allComponents);
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* A sum over one joint of a chain is its reaction, with its bar. */
START_TEST(oneJointAlone)
{
    Scene *scene = sceneChain(5, SCENE_FALLING);
    ksInspector *inspector = inspect(scene->world);
    for (int i = 0; i < 20; i++)
        CHECK_OK(ksInspectorQuickStep(inspector, h));
    const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[2]);
    const ksWrenchTerm term = {.joint = scene->joint[2], .body = reaction->body[1]};
    ksWrenchSum sum;
    CHECK_OK(ksInspectorSumWrenches(inspector, &term, 1, KS_PHYSICAL, reaction->centre[1], &sum));
    expectWrench(&sum.wrench, &reaction->physical[1], NULL, 0);
    ck_assert_int_eq(sum.freeCount, 0);
    double bar = 0;
    for (int l = 0; l < reaction->rowCount; l++)
        bar += reaction->row[l].physicalBar * fabs(reaction->row[l].jacobian[1][0]);
    ck_assert_double_eq_tol(sum.bar.force[0], bar, 1e-12 * bar);
    ck_assert_double_gt(bar, 0);
    // both sides: only the effect of the gap between them is left
    const ksWrenchTerm both[2] = {{.joint = scene->joint[2], .body = reaction->body[0]},
                                  {.joint = scene->joint[2], .body = reaction->body[1]}};
    CHECK_OK(ksInspectorSumWrenches(inspector, both, 2, KS_CONVERGED, NULL, &sum));
    ck_assert_double_le(length3(sum.wrench.force), 1e-12);
    ck_assert_double_le(length3(sum.wrench.torque), gapTolerance);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* A box on the ground that also hangs from a ball: contacts are as reported, so the uniqueness of a
 * sum with them is unknown. A sum over the ball alone is unique. */
START_TEST(withContacts)
{
    const double size[3] = {0.2, 0.3, 0.4};
    dWorldID world = heavyWorld();
    dBodyID box = addBox(world, 2, size, 0);
    dContact contact = {.geom = {.pos = {0, 0, -0.2}, .normal = {0, 0, 1}}};
    dJointID ball = dJointCreateBall(world, 0), touch = addContact(world, 0, &contact, box, NULL);
    dJointAttach(ball, box, NULL);
    dJointSetBallAnchor(ball, 0, 0, 0.2);
    ksInspector *inspector = inspect(world);
    const ksWrenchTerm term[2] = {{.joint = touch, .body = box}, {.joint = ball, .body = box}};
    ksWrenchSum sum;
    CHECK_STATUS(ksInspectorSumWrenches(inspector, term, 2, KS_ENGINE, NULL, &sum), KS_ERROR_UNAVAILABLE);
    CHECK_OK(ksInspectorStep(inspector, h));
    for (ksValue value = KS_ENGINE; value <= KS_PHYSICAL; value++) {
        CHECK_OK(ksInspectorSumWrenches(inspector, term, 2, value, NULL, &sum));
        ck_assert_int_eq(sum.freeCount, -1);
        ck_assert_uint_eq(sum.unique, 0);
        ck_assert_double_eq_tol(sum.wrench.force[2], 2 * SCENE_GRAVITY, 1e-4);
        CHECK_OK(ksInspectorSumWrenches(inspector, term + 1, 1, value, NULL, &sum));
        ck_assert_int_eq(sum.freeCount, 0);
    }
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* A door pressed against the stops of both hinges: the sum of their forces is unique; in the step
 * of the impact they are known loads of the physical value. Answers do not depend on earlier
 * queries. */
START_TEST(inAnyOrder)
{
    const double size[3] = {0.2, 0.3, 0.4};
    dWorldID world = heavyWorld();
    dBodyID box = addBox(world, 2, size, 0);
    ksWrenchTerm term[2];
    for (int i = 0; i < 2; i++) {
        dJointID hinge = dJointCreateHinge(world, 0);
        dJointAttach(hinge, box, NULL);
        dJointSetHingeAnchor(hinge, -0.1, 0, i ? 0.2 : -0.2);
        dJointSetHingeAxis(hinge, 0, 0, 1);
        dJointSetHingeParam(hinge, dParamHiStop, 0);
        dJointSetHingeParam(hinge, dParamLoStop, -1);
        term[i] = (ksWrenchTerm){.joint = hinge, .body = box};
    }
    ksInspector *inspector = inspect(world);
    for (int step = 0; step < 3; step++) {
        const bool hits = step == 2;
        dBodyAddTorque(box, 0, 0, 5);
        dBodySetAngularVel(box, 0, 0, hits);
        dBodySetLinearVel(box, 0, 0.1 * hits, 0);
        CHECK_OK(ksInspectorStep(inspector, h));
        ksWrenchSum first[3][2];
        ksRelaxation relaxation[6];
        int count;
        memset(first, 0, sizeof first);
        for (ksValue value = KS_ENGINE; value <= KS_PHYSICAL; value++)
            for (size_t n = 1; n <= 2; n++)
                CHECK_OK(ksInspectorSumWrenches(inspector, term, n, value, NULL, &first[value][n - 1]));
        for (int k = 0; k < 6; k++) {
            const ksValue value = (ksValue)((5 * k + 2) % 3);
            const size_t n = 1 + (size_t)k % 2;
            ksWrenchSum again;
            CHECK_OK(ksInspectorSumWrenches(inspector, term, n, value, NULL, &again));
            const ksWrenchSum *before = &first[value][n - 1];
            ck_assert_mem_eq(&again.wrench, &before->wrench, sizeof again.wrench);
            ck_assert_int_eq(again.freeCount, before->freeCount);
            ck_assert_uint_eq(again.unique, before->unique);
            ck_assert_int_eq(again.freeCount, n == 2 ? 0 : value == KS_PHYSICAL && hits ? 5 : 6);
            CHECK_STATUS(ksInspectorRelaxJoint(inspector, term[0].joint, 6, relaxation, &count), KS_ERROR_REDUNDANT);
        }
        if (!hits)
            ck_assert_double_eq_tol(first[KS_PHYSICAL][1].wrench.torque[2], -5, 1e-4);
        ck_assert_double_eq_tol(first[KS_PHYSICAL][1].wrench.force[2], 2 * SCENE_GRAVITY, 1e-4);
    }
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* A box on a ball and a slider, in a generic pose: the forces on both sides of the slider cancel,
 * so their sum is unique. */
START_TEST(bothSidesOfASlider)
{
    const double size[3] = {0.2, 0.3, 0.4};
    dWorldID world = heavyWorld();
    dBodyID box = addBox(world, 2, size, 0), slide = addBox(world, 1, size, 0.7);
    dJointID slider = dJointCreateSlider(world, 0), weld = dJointCreateFixed(world, 0);
    dJointID ball[2] = {dJointCreateBall(world, 0), dJointCreateBall(world, 0)};
    dMatrix3 r;
    dRFromAxisAndAngle(r, 1, 2, 3, 0.7);
    dBodySetRotation(slide, r);
    dBodySetPosition(slide, 0.13, -0.37, 0.71);
    dJointAttach(slider, slide, box);
    dJointSetSliderAxis(slider, 0.3, 0.5, -0.2);
    dJointAttach(weld, slide, box);
    dJointSetFixed(weld);
    for (int i = 0; i < 2; i++) {
        dJointAttach(ball[i], box, NULL);
        dJointSetBallAnchor(ball[i], 0.11 * i, 0.2, 0.3 - 0.7 * i);
    }
    ksInspector *inspector = inspect(world);
    CHECK_OK(ksInspectorStep(inspector, h));
    const ksWrenchTerm both[2] = {{.joint = slider, .body = box}, {.joint = slider, .body = slide}};
    const double about[3] = {0.7, -0.3, 0.11};
    for (ksValue value = KS_ENGINE; value <= KS_PHYSICAL; value++) {
        ksWrenchSum sum;
        CHECK_OK(ksInspectorSumWrenches(inspector, both, 1, value, about, &sum));
        ck_assert_int_gt(sum.freeCount, 0);
        CHECK_OK(ksInspectorSumWrenches(inspector, both, 2, value, about, &sum));
        ck_assert_int_eq(sum.freeCount, 0);
        ck_assert_uint_eq(sum.unique, allComponents);
    }
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* Two mechanisms, each a box on two balls, almost on the same line. Each is undetermined along its
 * line, and their sum is undetermined along these two lines only. */
START_TEST(twoMechanisms)
{
    const double size[3] = {0.2, 0.3, 0.4}, tilt = 1e-8;
    dWorldID world = heavyWorld();
    ksWrenchTerm term[4];
    for (int n = 0; n < 4; n++) {
        const int second = n / 2, upper = n % 2;
        dBodyID box = upper ? term[n - 1].body : addBox(world, 2, size, second);
        dJointID ball = dJointCreateBall(world, 0);
        dJointAttach(ball, box, NULL);
        dJointSetBallAnchor(ball, 0.1 + tilt * second * upper, 0, second + (upper ? 0.5 : -0.5));
        term[n] = (ksWrenchTerm){.joint = ball, .body = box};
    }
    ksInspector *inspector = inspect(world);
    CHECK_OK(ksInspectorStep(inspector, h));
    const ksWrenchTerm upper[2] = {term[1], term[3]};
    ksWrenchSum sum;
    CHECK_OK(ksInspectorSumWrenches(inspector, upper, 1, KS_CONVERGED, NULL, &sum));
    ck_assert_int_eq(sum.freeCount, 1);
    ck_assert(sum.unique & 1u << KS_LIMIT_FORCE_X);
    CHECK_OK(ksInspectorSumWrenches(inspector, upper, 2, KS_CONVERGED, NULL, &sum));
    ck_assert(sum.unique & 1u << KS_LIMIT_FORCE_X && sum.unique & 1u << KS_LIMIT_FORCE_Y);
    ck_assert(!(sum.unique & 1u << KS_LIMIT_FORCE_Z));
    ck_assert_int_eq(sum.freeCount, 1);
    CHECK_OK(ksInspectorSumWrenches(inspector, term, 4, KS_CONVERGED, NULL, &sum));
    ck_assert_int_eq(sum.freeCount, 0);
    ck_assert_double_eq_tol(sum.wrench.force[2], 4 * SCENE_GRAVITY, 1e-4);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* The third joint has no value in this step: its bars belong to another value, and must not
 * count. */
START_TEST(barsOfOthersThatAreWithheld)
{
    const dWorldID world = heavyWorld();
    const double size[3] = {1, 1, 1};
    const dBodyID body = addBox(world, 2, size, 0);
    dJointID joint[3];
    for (int j = 0; j < 3; j++) {
        joint[j] = dJointCreateFixed(world, NULL);
        dJointAttach(joint[j], body, NULL);
        dJointSetFixed(joint[j]);
    }
    ksInspector *inspector = inspect(world);
    for (int i = 0; i < 3; i++)
        CHECK_OK(ksInspectorStep(inspector, h));
    const ksWrenchTerm term[2] = {{.joint = joint[0], .body = body}, {.joint = joint[1], .body = body}};
    ksWrenchSum sum;
    insideWithhold(inspector, joint[2], 1e9);
    CHECK_OK(ksInspectorSumWrenches(inspector, term, 2, KS_PHYSICAL, NULL, &sum));
    for (int k = 0; k < 3; k++)
        ck_assert_double_lt(sum.bar.force[k], 1);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

START_TEST(badSums)
{
    Scene *scene = sceneChain(2, SCENE_FALLING);
    ksInspector *inspector = inspect(scene->world);
    CHECK_OK(ksInspectorStep(inspector, h));
    const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[1]);
    const ksWrenchTerm good = {.joint = scene->joint[1], .body = reaction->body[0]}, twice[2] = {good, good};
    const ksWrenchTerm stranger = {.joint = scene->joint[1], .body = (dBodyID)&good},
                       noJoint = {.joint = (dJointID)&good};
    const ksWrenchTerm noWorld = {.joint = scene->joint[1]};
    const double nan[3] = {0, NAN, 0};
    ksWrenchSum sum, before;
    CHECK_OK(ksInspectorSumWrenches(inspector, &good, 1, KS_CONVERGED, NULL, &sum));
    before = sum;
    CHECK_STATUS(ksInspectorSumWrenches(NULL, &good, 1, KS_ENGINE, NULL, &sum), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorSumWrenches(inspector, NULL, 1, KS_ENGINE, NULL, &sum), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorSumWrenches(inspector, &good, 1, (ksValue)7, NULL, &sum), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorSumWrenches(inspector, &good, 1, KS_ENGINE, NULL, NULL), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorSumWrenches(inspector, twice, 2, KS_ENGINE, NULL, &sum), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorSumWrenches(inspector, &stranger, 1, KS_ENGINE, NULL, &sum), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorSumWrenches(inspector, &noJoint, 1, KS_ENGINE, NULL, &sum), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorSumWrenches(inspector, &noWorld, 1, KS_ENGINE, NULL, &sum), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorSumWrenches(inspector, &good, 1, KS_ENGINE, nan, &sum), KS_ERROR_NOT_FINITE);
    ck_assert_mem_eq(&before, &sum, sizeof sum);
    CHECK_OK(ksInspectorSumWrenches(inspector, NULL, 0, KS_ENGINE, NULL, &sum));
    ck_assert_double_eq(length3(sum.wrench.force), 0);
    CHECK_OK(ksInspectorBeginStep(inspector, KS_WORLD_STEP, h));
    CHECK_STATUS(ksInspectorSumWrenches(inspector, &good, 1, KS_ENGINE, NULL, &sum), KS_ERROR_BAD_ARGUMENT);
    dWorldStep(scene->world, h);
    CHECK_OK(ksInspectorEndStep(inspector));
    dJointDestroy(scene->joint[1]);
    CHECK_OK(ksInspectorSumWrenches(inspector, &good, 1, KS_PHYSICAL, NULL, &sum));
    ksInspectorDestroy(inspector);
    scene->joint[1] = NULL;
    sceneDestroy(scene);
}
END_TEST

int main(void)
{
    TCase *sums = tcase_create("sums");
    tcase_add_test(sums, asTheMotionNeeds);
    tcase_add_loop_test(sums, doorOnTwoHinges, 0, 2);
    tcase_add_test(sums, driftedLinkage);
    tcase_add_test(sums, oneJointAlone);
    tcase_add_test(sums, withContacts);
    tcase_add_test(sums, inAnyOrder);
    tcase_add_test(sums, bothSidesOfASlider);
    tcase_add_test(sums, twoMechanisms);
    tcase_add_test(sums, barsOfOthersThatAreWithheld);
    tcase_add_test(sums, badSums);
    return runCase("sum", sums);
}

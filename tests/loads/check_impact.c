/* check_impact.c  Blows on the live world: closed forms, and laws that every result obeys. */
#include "tests/kits/support.h"

#include "demos/scenes/drift.h"

#include <float.h>

static const double h = 0.005;
/* of sums of a few terms */
static const double rounding = 1e-12;

typedef struct ImpactOf {
    ksWrench impulse[4];
} ImpactOf;

static ksBlow blowAt(dBodyID body, double x, double y, double z, double ax, double ay, double az, double impulse)
{
    return (ksBlow){.at = {.body = body, .point = {x, y, z}, .axis = {ax, ay, az}}, .impulse = impulse};
}

static ksInspector *inspectedOnce(Scene *scene, ksStepper stepper)
{
    ksInspector *inspector = inspect(scene->world);
    CHECK_OK(inspectedStep(inspector, stepper, h));
    return inspector;
}

/* A rod of length 2c on a hinge, at rest along x, is hit across at a distance d from the hinge:
 * with I = m c^2 + I_c it turns at P d / I, and the impulse of the hinge is P (m c d / I - 1),
 * which is zero at the centre of percussion, d = I / (m c). */
START_TEST(compound_pendulum)
{
    Scene *scene = sceneChain(1, SCENE_FALLING);
    ksInspector *inspector = inspectedOnce(scene, (ksStepper)_i);
    const double *centre = ksInspectorGetReaction(inspector, scene->joint[0])->centre[0], c = centre[0], P = 3;
    dMass mass;
    dBodyGetMass(scene->body[0], &mass);
    const double own = mass.I[5], I = mass.mass * c * c + own, percussion = I / (mass.mass * c);
    const double distance[] = {c / 2, c, percussion, 2 * c};
    for (size_t i = 0; i < sizeof distance / sizeof *distance; i++) {
        const double d = distance[i];
        const ksBlow blow = blowAt(scene->body[0], d, 0, 0, 0, 0, 1, P);
        ksImpact impact;
        CHECK_OK(ksInspectorSolveImpulse(inspector, &blow, 1, &impact));
        ck_assert_uint_eq(impact.jointCount, 1);
        ck_assert_uint_eq(impact.bodyCount, 1);
        ck_assert_ptr_eq(impact.joint[0].joint, scene->joint[0]);
        ck_assert(impact.joint[0].isUnique);
        // the axis points along +y: an upward blow turns the rod against it
        ck_assert_double_eq_tol(impact.body[0].after[4], -P * d / I, impact.body[0].bar[1]);
        ck_assert_double_le(impact.body[0].bar[1], 2e-11 * P / sqrt(I));
        ck_assert_double_eq_tol(impact.joint[0].impulse[0].force[2], P * (mass.mass * c * d / I - 1),
                                impact.joint[0].bar[0] + rounding * P);
        ck_assert_double_le(impact.joint[0].bar[0], 1e-9 * P);
        ck_assert_double_eq_tol(impact.after, 0.5 * P * d * P * d / I, rounding * impact.after);
        ck_assert_double_eq_tol(impact.lost, 0, rounding * impact.after);
        ck_assert(isnan(impact.joint[0].impulse[1].force[0]));
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* For each body, M (v+ - v-) is the sum of its impulses. Rows without bounds keep their rates, and
 * then do no work. */
static void checkLaws(const ksInspector *inspector, const ksBlow *blow, size_t blows, const ksImpact *impact)
{
    double worst = 0, scale = 0;
    for (size_t b = 0; b < impact->bodyCount; b++) {
        const ksBodyImpact *body = &impact->body[b];
        const double *R = NULL, *centre = NULL;
        double given[6] = {0}, gained[6], u[6], local[3];
        for (int k = 0; k < 6; k++)
            u[k] = body->after[k] - body->before[k];
        for (size_t j = 0; j < impact->jointCount; j++) {
            const ksReaction *reaction = ksInspectorGetReaction(inspector, impact->joint[j].joint);
            for (int side = 0; side < 2; side++) {
                if (reaction->body[side] != body->body)
                    continue;
                R = reaction->rotation[side];
                centre = reaction->centre[side];
                for (int k = 0; k < 3; k++) {
                    given[k] += impact->joint[j].impulse[side].force[k];
                    given[3 + k] += impact->joint[j].impulse[side].torque[k];
                }
            }
        }
        ck_assert_ptr_nonnull(R);
        for (size_t i = 0; i < blows; i++) {
            if (blow[i].at.body != body->body)
                continue;
            double direction[6];
            ksProbeForce(centre, blow[i].at.point, blow[i].at.axis, direction);
            for (int k = 0; k < 6; k++)
                given[k] += blow[i].impulse * direction[k];
        }
        dMass mass;
        dBodyGetMass(body->body, &mass);
        for (int k = 0; k < 3; k++) {
            gained[k] = mass.mass * u[k];
            local[k] = R[k] * u[3] + R[3 + k] * u[4] + R[6 + k] * u[5];
        }
        double turned[3];
        for (int k = 0; k < 3; k++)
            turned[k] = mass.I[4 * k] * local[0] + mass.I[4 * k + 1] * local[1] + mass.I[4 * k + 2] * local[2];
        for (int k = 0; k < 3; k++)
            gained[3 + k] = R[3 * k] * turned[0] + R[3 * k + 1] * turned[1] + R[3 * k + 2] * turned[2];
        for (int k = 0; k < 6; k++) {
            worst = fmax(worst, fabs(gained[k] - given[k]));
            scale = fmax(scale, fabs(given[k]) + fabs(gained[k]));
        }
    }
    for (size_t i = 0; i < blows; i++)
        scale = fmax(scale, fabs(blow[i].impulse));
    ck_assert_double_le(worst, 1e-10 * scale);
}

static double rateOf(const ksRow *row, const ksReaction *reaction, const ksImpact *impact)
{
    double rate = 0;
    for (int side = 0; side < 2; side++)
        for (size_t b = 0; b < impact->bodyCount; b++)
            for (int k = 0; impact->body[b].body == reaction->body[side] && k < 6; k++)
                rate += row->jacobian[side][k] * (impact->body[b].after[k] - impact->body[b].before[k]);
    return rate;
}

static void checkRates(const ksInspector *inspector, const ksImpact *impact, double size)
{
    for (size_t j = 0; j < impact->jointCount; j++) {
        const ksReaction *reaction = ksInspectorGetReaction(inspector, impact->joint[j].joint);
        for (int l = 0; l < reaction->rowCount; l++)
            if (reaction->row[l].kind == KS_ROW_BILATERAL)
                ck_assert_double_le(fabs(rateOf(&reaction->row[l], reaction, impact)), 1e-9 * size);
    }
}

/* Moving machines, which are hit at two places. */
static Scene *make(int machine)
{
    const SceneSurface *surface = &sceneSurface[SURFACE_APPROX1];
    switch (machine) {
    case 0:
        return sceneChain(8, SCENE_FALLING);
    case 1:
        return sceneTree(31);
    case 2:
        return sceneFallingRagdolls(1, BALLS_WITH_STOPS, surface);
    case 3:
        return driftStewart(surface, h);
    default:
        return sceneFourbar(&sceneLinkage);
    }
}
enum { MACHINES = 5 };

START_TEST(laws)
{
    Scene *scene = make(_i);
    ksInspector *inspector = inspect(scene->world);
    for (int i = 0; i < 80; i++) {
        sceneBeforeStep(scene);
        CHECK_OK(ksInspectorStep(inspector, h));
        sceneAfterStep(scene);
        if (i % 8)
            continue;
        dBodyID body[2] = {scene->body[0], scene->body[scene->bodyCount - 1]};
        const dReal *p = dBodyGetPosition(body[0]), *q = dBodyGetPosition(body[1]);
        const ksBlow blow[2] = {blowAt(body[0], p[0] + 0.1, p[1], p[2], 0.6, 0, 0.8, 2),
                                blowAt(body[1], q[0], q[1] + 0.05, q[2], 0, 1, 0, -5)};
        ksImpact impact;
        CHECK_OK(ksInspectorSolveImpulse(inspector, blow, 2, &impact));
        checkLaws(inspector, blow, 2, &impact);
        double size = 0;
        for (size_t b = 0; b < impact.bodyCount; b++)
            for (int k = 0; k < 6; k++)
                size = fmax(size, fabs(impact.body[b].after[k] - impact.body[b].before[k]));
        checkRates(inspector, &impact, size);
        // the same as the mobility of that place, if no stop and no loop is involved; the mobility
        // includes the engine's compliance
        double mobility;
        CHECK_OK(ksInspectorGetMobility(inspector, &blow[0].at, &blow[0].at, &mobility));
        if (_i < 2) {
            CHECK_OK(ksInspectorSolveImpulse(inspector, blow, 1, &impact));
            double before = 0, after = 0, direction[6];
            ksProbeForce(ksInspectorGetReaction(inspector, scene->joint[0])->centre[0], blow[0].at.point,
                         blow[0].at.axis, direction);
            for (size_t b = 0; b < impact.bodyCount; b++)
                for (int k = 0; impact.body[b].body == body[0] && k < 6; k++) {
                    before += direction[k] * impact.body[b].before[k];
                    after += direction[k] * impact.body[b].after[k];
                }
            ck_assert_double_eq_tol(after - before, mobility * blow[0].impulse, 1e-5 * fabs(after - before));
        }
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* Lamb's links in line, struck across at one node: velocities of all nodes and impulses in all
 * joints by hand. */
START_TEST(links_in_line)
{
    static const double across[3] = {0, 0, 1};
    enum { LINKS = 6 };
    Scene *scene = sceneLinks(&(Links){.count = LINKS, .support = LINKS_FREE});
    ksInspector *inspector = inspectedOnce(scene, KS_WORLD_STEP);
    for (int from = 0; from <= LINKS; from++) {
        const Probe struck = linksNode(scene, from, across);
        const dReal *centre = dBodyGetPosition(struck.body);
        const ksBlow blow = blowAt(struck.body, centre[0] + struck.lever[0], centre[1] + struck.lever[1],
                                   centre[2] + struck.lever[2], 0, 0, 1, 1);
        ksImpact impact;
        CHECK_OK(ksInspectorSolveImpulse(inspector, &blow, 1, &impact));
        ck_assert_uint_eq(impact.jointCount, LINKS - 1);
        for (int node = 0; node <= LINKS; node++) {
            const Probe probe = linksNode(scene, node, across);
            for (size_t b = 0; b < impact.bodyCount; b++) {
                const ksBodyImpact *body = &impact.body[b];
                // w x r, z: the links lie along x
                if (body->body == probe.body)
                    ck_assert_double_eq_tol(body->after[2] - body->after[4] * probe.lever[0],
                                            linksMobility(LINKS, node, from), body->bar[0] + body->bar[1]);
            }
        }
        for (size_t j = 0; j < impact.jointCount; j++)
            for (int node = 1; node < LINKS; node++)
                // a blow on a node acts on the link that begins there
                if (impact.joint[j].joint == scene->joint[node - 1] && node != from)
                    ck_assert_double_eq_tol(impact.joint[j].impulse[0].force[2], linksJointImpulse(LINKS, node, from),
                                            impact.joint[j].bar[0]);
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* A pendulum that lies on its stop. If the blow is towards the stop, the pendulum stays, and the
 * stop takes the whole impulse. If the blow is away from it, the pendulum moves as without a
 * stop. */
START_TEST(stop_opens)
{
    Scene *scene = sceneChain(1, SCENE_FALLING);
    dJointSetHingeParam(scene->joint[0], dParamLoStop, 0);
    dJointSetHingeParam(scene->joint[0], dParamHiStop, 0.5);
    ksInspector *inspector = inspect(scene->world);
    // from either side: one of them has the stop
    for (int i = 0; i < 300; i++)
        CHECK_OK(ksInspectorStep(inspector, h));
    const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[0]);
    int stops = 0;
    for (int l = 0; l < reaction->rowCount; l++)
        stops += reaction->row[l].kind == KS_ROW_STOP;
    ck_assert_int_eq(stops, 1);
    const double *centre = reaction->centre[0];
    ksImpact down, up;
    const double across[3] = {-centre[2], 0,
                              centre[0]};  // along the path of the mass centre, against the positive rotation
    const double weight = across[2] > 0 ? -1 : 1;
    const ksBlow onto = blowAt(scene->body[0], centre[0], 0, centre[2], across[0], 0, across[2], weight);
    ksBlow off = onto;
    off.impulse = -onto.impulse;
    CHECK_OK(ksInspectorSolveImpulse(inspector, &onto, 1, &down));
    const double rest = fabs(down.body[0].after[4] - down.body[0].before[4]);
    CHECK_OK(ksInspectorSolveImpulse(inspector, &off, 1, &up));
    const double turn = fabs(up.body[0].after[4] - up.body[0].before[4]);
    dMass mass;
    dBodyGetMass(scene->body[0], &mass);
    const double c2 = centre[0] * centre[0] + centre[2] * centre[2], I = mass.mass * c2 + mass.I[5];
    ck_assert_double_le(rest, 1e-9 * turn);
    ck_assert_double_eq_tol(turn, c2 / I, 1e-6 * turn);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* Without loops, the values that the step computed do not matter. */
START_TEST(without_values)
{
    ImpactOf found[2];
    for (int i = 0; i < 2; i++) {
        Scene *scene = sceneChain(4, SCENE_FALLING);
        ksInspectorOptions options = defaultOptions();
        options.values = i ? options.values : 0;
        ksInspector *inspector = inspectWith(scene->world, &options);
        for (int k = 0; k < 10; k++)
            CHECK_OK(ksInspectorStep(inspector, h));
        const ksBlow blow = blowAt(scene->body[3], 0.1, 0.2, 0.3, 0, 0.6, 0.8, 1);
        ksImpact impact;
        CHECK_OK(ksInspectorSolveImpulse(inspector, &blow, 1, &impact));
        ck_assert_uint_eq(impact.jointCount, 4);
        for (int j = 0; j < 4; j++)
            found[i].impulse[j] = impact.joint[j].impulse[0];
        ksInspectorDestroy(inspector);
        sceneDestroy(scene);
    }
    ck_assert_mem_eq(&found[0], &found[1], sizeof found[0]);
}
END_TEST

/* A body without joints: u = M^-1 P; a couple about its axis. */
START_TEST(loose_body)
{
    dWorldID world = heavyWorld();
    dBodyID ball = addBall(world, 2, 0.1, 0, 0);
    ksInspector *inspector = inspect(world);
    CHECK_OK(ksInspectorStep(inspector, h));
    ksBlow blow = {.at = {.body = ball, .couple = 1, .axis = {0, 0, 1}}, .impulse = 0.5};
    ksImpact impact;
    CHECK_OK(ksInspectorSolveImpulse(inspector, &blow, 1, &impact));
    ck_assert_uint_eq(impact.bodyCount, 1);
    ck_assert_uint_eq(impact.jointCount, 0);
    ck_assert_double_eq_tol(impact.body[0].after[5], 0.5 / (0.4 * 2 * 0.01), rounding * 100);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* The shares of two hinges are not unique; their sum is the impulse that the door needs. */
START_TEST(shared_impulse)
{
    dMatrix3 none;
    dRSetIdentity(none);
    Scene *scene = sceneHeldTwice(SCENE_DOOR, none);
    ksInspector *inspector = inspectedOnce(scene, KS_WORLD_STEP);
    const dReal *p = dBodyGetPosition(scene->body[0]);
    const ksBlow blow = blowAt(scene->body[0], p[0], p[1], p[2], 0, 0, 1, 4);
    ksImpact impact;
    CHECK_OK(ksInspectorSolveImpulse(inspector, &blow, 1, &impact));
    ck_assert_uint_eq(impact.jointCount, 2);
    ck_assert(!impact.joint[0].isUnique && !impact.joint[1].isUnique);
    ck_assert_double_eq_tol(impact.joint[0].impulse[0].force[2] + impact.joint[1].impulse[0].force[2], -4, 1e-10);
    checkLaws(inspector, &blow, 1, &impact);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* A box on the corners of its base, without friction, is hit downwards within the base: it stays,
 * and the ground takes the whole blow. The shares of the corners are not unique, since the rows of
 * four corners are dependent. */
START_TEST(box_on_corners)
{
    const double half = 0.5, size[3] = {2 * half, 2 * half, 2 * half};
    for (int corners = 3; corners <= 8; corners++) {
        dWorldID world = heavyWorld();
        dJointGroupID group = dJointGroupCreate(0);
        dBodyID box = addBox(world, 3, size, half);
        for (int c = 0; c < corners; c++) {
            dContact contact = {
                .geom = {.pos = {half * cos(2 * M_PI * c / corners), half * sin(2 * M_PI * c / corners), 0},
                         .normal = {0, 0, 1}}};
            addContact(world, group, &contact, box, NULL);
        }
        ksInspector *inspector = inspectSolved(world);
        CHECK_OK(ksInspectorStep(inspector, h));
        for (int b = 0; b < 40; b++) {
            const double r = 0.45 * half * (b % 5) / 5, angle = b;
            const ksBlow blow = blowAt(box, r * cos(angle), r * sin(angle), 1, 0, 0, -1, 2);
            ksImpact impact;
            double pushed = 0;
            CHECK_OK(ksInspectorSolveImpulse(inspector, &blow, 1, &impact));
            for (int k = 0; k < 6; k++)
                ck_assert_double_eq_tol(impact.body[0].after[k], impact.body[0].before[k], 1e-9);
            for (size_t j = 0; j < impact.jointCount; j++) {
                ck_assert_double_ge(impact.joint[j].impulse[0].force[2], -1e-9);
                ck_assert_int_eq(impact.joint[j].isUnique, corners == 3);
                pushed += impact.joint[j].impulse[0].force[2];
            }
            ck_assert_double_eq_tol(pushed, 2, 1e-9);
        }
        ksInspectorDestroy(inspector);
        dJointGroupDestroy(group);
        dWorldDestroy(world);
    }
}
END_TEST

/* A sleeping mechanism has no impulses; overflowing numbers are refused; a bar is at least the
 * rounding of its sum. */
START_TEST(asleep_huge_and_fast)
{
    Scene *scene = sceneChain(2, SCENE_FALLING);
    ksInspector *inspector = inspect(scene->world);
    ksBlow blow = blowAt(scene->body[1], 0.1, 0, 0, 0, 0, 1, 1);
    ksImpact impact;
    for (int i = 0; i < 2; i++)
        dBodySetLinearVel(scene->body[i], 1e4, 0, 0);
    CHECK_OK(ksInspectorStep(inspector, h));
    blow.impulse = 1e-12;
    CHECK_OK(ksInspectorSolveImpulse(inspector, &blow, 1, &impact));
    ck_assert_double_ge(impact.body[0].bar[0], DBL_EPSILON * 1e3);
    blow.impulse = 1e150;
    blow.at.axis[2] = 1e150;
    CHECK_STATUS(ksInspectorSolveImpulse(inspector, &blow, 1, &impact), KS_ERROR_NOT_FINITE);
    for (int i = 0; i < 2; i++)
        dBodyDisable(scene->body[i]);
    CHECK_OK(ksInspectorStep(inspector, h));
    blow.impulse = blow.at.axis[2] = 1;
    CHECK_STATUS(ksInspectorSolveImpulse(inspector, &blow, 1, &impact), KS_ERROR_UNAVAILABLE);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

START_TEST(refused)
{
    Scene *scene = sceneRagdolls(2);
    ksInspector *inspector = inspect(scene->world);
    ksBlow blow[2] = {blowAt(scene->body[0], 0, 0, 0, 1, 0, 0, 1),
                      blowAt(scene->body[scene->bodyCount - 1], 0, 0, 0, 1, 0, 0, 1)};
    ksImpact impact = {.jointCount = 77};
    CHECK_STATUS(ksInspectorSolveImpulse(inspector, blow, 1, &impact), KS_ERROR_BAD_ARGUMENT);
    CHECK_OK(ksInspectorStep(inspector, h));
    CHECK_STATUS(ksInspectorSolveImpulse(NULL, blow, 1, &impact), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorSolveImpulse(inspector, NULL, 1, &impact), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorSolveImpulse(inspector, blow, 0, &impact), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorSolveImpulse(inspector, blow, 1, NULL), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorSolveImpulse(inspector, blow, 2, &impact), KS_ERROR_BAD_ARGUMENT);
    blow[1].at.body = NULL;
    CHECK_STATUS(ksInspectorSolveImpulse(inspector, &blow[1], 1, &impact), KS_ERROR_BAD_ARGUMENT);
    blow[0].impulse = NAN;
    CHECK_STATUS(ksInspectorSolveImpulse(inspector, blow, 1, &impact), KS_ERROR_NOT_FINITE);
    blow[0].impulse = 1;
    blow[0].at.axis[1] = INFINITY;
    CHECK_STATUS(ksInspectorSolveImpulse(inspector, blow, 1, &impact), KS_ERROR_NOT_FINITE);
    ck_assert_uint_eq(impact.jointCount, 77);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* The part of an impulse that the drift of a loop leaves undetermined has no bar. */
START_TEST(drifted_loop)
{
    Scene *scene = driftGripper(&sceneSurface[SURFACE_APPROX1], h);
    ksInspector *inspector = inspect(scene->world);
    for (int i = 0; i < 100; i++) {
        sceneBeforeStep(scene);
        CHECK_OK(ksInspectorQuickStep(inspector, h));
        sceneAfterStep(scene);
    }
    const dReal *p = dBodyGetPosition(scene->body[0]);
    const ksBlow blow = blowAt(scene->body[0], p[0], p[1], p[2], 0, 0, 1, 1);
    ksImpact impact;
    CHECK_STATUS(ksInspectorSolveImpulse(inspector, &blow, 1, &impact), KS_ERROR_UNAVAILABLE);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

static dBodyID addRod(dWorldID world, double x)
{
    dBodyID rod = dBodyCreate(world);
    dMass m;
    dMassSetParameters(&m, 1, 0, 0, 0, 0.01, 1.0 / 12, 1.0 / 12, 0, 0, 0);
    dBodySetMass(rod, &m);
    dBodySetPosition(rod, x, 0, 0);
    return rod;
}

/* Two rods of 1 m and 1 kg in line on a hinge, struck across at the end A: by Lamb, A moves at 7/2
 * of the blow. Impulse and mobility give this to rounding, for any CFM up to rigidCfm and any step.
 * Above rigidCfm the hinge yields in both, as in the engine's own step, in which the blow lasts h.
 * The hinge's motor does not take part in the blow. */
START_TEST(compliance_in_a_blow)
{
    static const double cfm[] = {0, 1e-10, 1e-9, 1e-8, 1e-5, 1e-2}, steps[] = {0.01, 1e-4};
    const double step = steps[_i % 2], soft = cfm[_i / 2];
    const bool isRigid = soft <= 1e-9;
    dWorldID world = dWorldCreate();
    dWorldSetCFM(world, soft);
    dBodyID rod[2] = {addRod(world, 0.5), addRod(world, 1.5)};
    dJointID hinge = dJointCreateHinge(world, 0);
    dJointAttach(hinge, rod[0], rod[1]);
    dJointSetHingeAnchor(hinge, 1, 0, 0);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    ksInspector *inspector = inspect(world);
    CHECK_OK(ksInspectorStep(inspector, step));
    const ksBlow blow = blowAt(rod[0], 0, 0, 0, 0, 0, 1, 1);
    ksImpact impact;
    double mobility;
    CHECK_OK(ksInspectorSolveImpulse(inspector, &blow, 1, &impact));
    CHECK_OK(ksInspectorGetMobility(inspector, &blow.at, &blow.at, &mobility));
    const double *after = impact.body[impact.body[0].body == rod[0] ? 0 : 1].after, struck = after[2] + 0.5 * after[4];
    ck_assert_double_eq_tol(struck, mobility, 1e-11);
    ck_assert_int_eq(impact.joint[0].leftOut, 0);
    dBodyAddForceAtPos(rod[0], 0, 0, 1 / step, 0, 0, 0);
    dWorldStep(world, step);
    const double engine = dBodyGetLinearVel(rod[0])[2] + 0.5 * dBodyGetAngularVel(rod[0])[1];
    if (isRigid)
        ck_assert_double_eq_tol(struck, 3.5, 1e-11);
    else
        ck_assert_double_eq_tol(struck, engine, 1e-9);
    ck_assert_int_eq(fabs(engine - 3.5) > 1e-11, soft > 0);

    for (int i = 0; i < 2; i++) {
        dBodySetLinearVel(rod[i], 0, 0, 0);
        dBodySetAngularVel(rod[i], 0, 0, 0);
    }
    dJointSetHingeParam(hinge, dParamFMax, 1);
    CHECK_OK(ksInspectorStep(inspector, step));
    CHECK_OK(ksInspectorSolveImpulse(inspector, &blow, 1, &impact));
    ck_assert_int_eq(impact.joint[0].leftOut, 1);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("impact");
    tcase_add_loop_test(cases, compliance_in_a_blow, 0, 12);
    tcase_add_loop_test(cases, compound_pendulum, 0, 2);
    tcase_add_loop_test(cases, laws, 0, MACHINES);
    tcase_add_test(cases, links_in_line);
    tcase_add_test(cases, stop_opens);
    tcase_add_test(cases, without_values);
    tcase_add_test(cases, loose_body);
    tcase_add_test(cases, shared_impulse);
    tcase_add_test(cases, box_on_corners);
    tcase_add_test(cases, asleep_huge_and_fast);
    tcase_add_test(cases, refused);
    tcase_add_test(cases, drifted_loop);
    return runCase("impact", cases);
}

/* check_gradients_gears.c  The same as check_gradients for gears, whose row sees no motion but the
 * spins of the wheels, and for contacts, whose error is a depth from collision detection; and the
 * rows that have no position error. */
#include "tests/kits/gradients_kit.h"

typedef struct Gears {
    const char *name;
    int mode, turned;       /* turned: axes in any direction; else along the world's */
    double inclined, place; /* angle between the wheels' axes; position of the second wheel, in each
                               coordinate */
    double least, most;     /* e along the spin of a wheel, m per rad; their radii are 0.4 and
                               0.3 */
} Gears;

static const Gears gears[] = {
    {"parallel axes", dTransmissionParallelAxes, 1, 0, 0.2, 0, 1e-10},
    {"axes intersecting at a right angle", dTransmissionIntersectingAxes, 1, 1.57, 0.2, 0, 1e-5},
    {"axes intersecting at 1 rad", dTransmissionIntersectingAxes, 1, 1, 0.2, 0.06, 0.1},
    {"the same, the other way round", dTransmissionIntersectingAxes, 1, -1, 0.2, 0.7, 0.8},
    {"chain along the world's x, about its y", dTransmissionChainDrive, 0, 0, 0, 0, 1e-10},
    {"the same, beside the origin", dTransmissionChainDrive, 0, 0, 0.2, 0.1, 1},
    {"chain elsewhere", dTransmissionChainDrive, 1, 0, 0, 0.1, 1},
};

/* Two meshing wheels, at the centres of their bodies. Along e_x: the common tangent of bevel
 * wheels, or the line of centres of other wheels, which turn about e_y. */
static void createWheels(Case *c, const Gears *g, const double e[3][3], Random *random, double axis[2][3])
{
    static const double radius[2] = {0.4, 0.3};
    double centre[2][3];
    createCase(c, dJointTypeTransmission, BOTH, random);
    for (int k = 0; k < 3; k++) {
        axis[0][k] = e[1][k];
        axis[1][k] = cos(g->inclined) * e[1][k] - sin(g->inclined) * e[2][k];
        centre[0][k] = centre[1][k] = g->place;
    }
    for (int i = 0; i < 2; i++) {
        double arm[3];
        ksiCross(arm, axis[i], e[0]);
        if (g->inclined != 0)
            ksiAddScaled(centre[i], i ? -radius[i] : radius[i], arm);
        else
            ksiAddScaled(centre[i], i ? 0 : radius[0] + radius[1], e[0]);
        dBodySetPosition(c->body[i], centre[i][0], centre[i][1], centre[i][2]);
    }
    dJointSetTransmissionMode(c->joint, g->mode);
    dJointSetTransmissionAnchor1(c->joint, centre[0][0], centre[0][1], centre[0][2]);
    dJointSetTransmissionAnchor2(c->joint, centre[1][0], centre[1][1], centre[1][2]);
    if (g->mode == dTransmissionIntersectingAxes) {
        dJointSetTransmissionAxis1(c->joint, axis[0][0], axis[0][1], axis[0][2]);
        dJointSetTransmissionAxis2(c->joint, axis[1][0], axis[1][1], axis[1][2]);
    } else {
        dJointSetTransmissionAxis(c->joint, axis[0][0], axis[0][1], axis[0][2]);
    }
    if (g->mode == dTransmissionParallelAxes)
        dJointSetTransmissionRatio(c->joint, radius[0] / radius[1]);
    if (g->mode == dTransmissionChainDrive) {
        dJointSetTransmissionRadius1(c->joint, radius[0]);
        dJointSetTransmissionRadius2(c->joint, radius[1]);
    }
    dWorldStep(c->world, 1e-9);  // at rest, so that the step only finds the wheels' reference
    readCase(c);
}

/* e along the spins of the wheels, in the meshing pose and with the first wheel turned by another
 * half radian. */
static double spinError(Case *c, double axis[2][3], double ahead)
{
    double slope[KSI_MAX_ROWS], worst = 0, first[2][6] = {{0}};
    ksiCopy(first[0] + 3, axis[0]);
    const Pose pose = poseOf(c);
    displace(c, &pose, first, ahead);
    readCase(c);
    for (int i = 0; i < 2; i++) {
        double w[2][6] = {{0}};
        ksiCopy(w[i] + 3, axis[i]);
        derivative(c, w, slope);
        worst = fmax(worst, fabs(slope[0] - rowTimes(&c->rows, 0, w)));
    }
    displace(c, &pose, first, 0);
    readCase(c);
    return worst;
}

START_TEST(gearsAlongTheirSpins)
{
    static const double ahead[] = {0, 0.5, -0.5};
    const Gears *g = &gears[_i];
    double worst = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        Random random = {seed};
        double e[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, axis[2][3];
        const ksiJointPose pose = randomPose(&random);
        if (g->turned) {
            ksiCopy(e[0], pose.x);
            ksiCopy(e[1], pose.y);
            ksiCopy(e[2], pose.z);
        }
        Case c;
        createWheels(&c, g, e, &random, axis);
        ck_assert_double_lt(fabs(errorOf(&c, 0)), kExact);
        for (int i = 0; i < 3; i++)
            worst = fmax(worst, spinError(&c, axis, ahead[i]));
        endWorld(c.world);
    }
    printf("transmission, %s: %.1e m\n", g->name, worst);
    ck_assert_double_ge(worst, g->least);
    ck_assert_double_le(worst, g->most);
}
END_TEST

typedef struct Touch {
    const char *name;
    int box, attachment;
} Touch;

static const Touch touches[] = {
    {"sphere on plane", 0, FIRST_ONLY},
    {"plane below sphere", 0, SECOND_ONLY},
    {"sphere on sphere", 0, BOTH},
    {"corner of a box on plane", 1, FIRST_ONLY},
};

/* Gives the bodies shapes, the first of which is `depth` deep in the other. */
static void createTouch(Case *c, const Touch *touch, double depth, Random *random)
{
    static const double side[3] = {0.5, 0.4, 0.3}, radius = 0.4;
    createBodies(c, touch->attachment, random);
    const ksiJointPose pose = randomPose(random);
    const double *n = pose.x, *P = dBodyGetPosition(c->body[0]);
    double reach = radius - depth, Q[3];
    if (touch->box) {
        const dReal *R = dBodyGetRotation(c->body[0]);
        reach = -depth;
        for (int k = 0; k < 3; k++)
            reach += 0.5 * side[k] * fabs(n[0] * R[k] + n[1] * R[4 + k] + n[2] * R[8 + k]);
    }
    for (int k = 0; k < 3; k++)
        Q[k] = P[k] - reach * n[k];
    dGeomID first = touch->box ? dCreateBox(NULL, side[0], side[1], side[2]) : dCreateSphere(NULL, radius);
    dGeomID second =
        touch->attachment == BOTH ? dCreateSphere(NULL, radius) : dCreatePlane(NULL, n[0], n[1], n[2], ksiDot(n, Q));
    dGeomSetBody(first, c->body[0]);
    if (touch->attachment == BOTH) {
        dGeomSetBody(second, c->body[1]);
        dBodySetPosition(c->body[1], Q[0] - radius * n[0], Q[1] - radius * n[1], Q[2] - radius * n[2]);
    }
    c->geom[0] = touch->attachment == SECOND_ONLY ? second : first;
    c->geom[1] = touch->attachment == SECOND_ONLY ? first : second;
    readCase(c);
    ck_assert_double_eq_tol(errorOf(c, 0), -depth, 1e-12);
}

/* At any depth: phi = -depth. */
START_TEST(normalIsTheGradientOfTheDepth)
{
    const Touch *touch = &touches[_i];
    double worst = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        Random random = {seed};
        Deviation found;
        Case c;
        createTouch(&c, touch, uniform(&random, 0.01, 0.05), &random);
        measure(&c, found);
        for (int way = 0; way < WAYS; way++)
            worst = fmax(worst, found[0][way]);
        ck_assert_double_eq(c.rows.row[1].c, kTarget);
        ck_assert_double_eq(c.rows.row[2].c, 0);
        for (int i = 0; i < 2; i++)
            dGeomDestroy(c.geom[i]);
        endWorld(c.world);
    }
    printf("| contact | %s | %.1e |\n", touch->name, worst);
    ck_assert_double_lt(worst, kExact);
}
END_TEST

/* Motors, an amotor's stops in user mode and the rotations of a plane2d hold no position, wherever
 * the bodies are. */
START_TEST(othersFollowTargets)
{
    static void (*const plane[3])(dJointID, int, dReal) = {dJointSetPlane2DXParam, dJointSetPlane2DYParam,
                                                           dJointSetPlane2DAngleParam};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        Random random = {seed};
        Case c;
        if (_i == dJointTypeContact || _i == dJointTypeTransmission)
            return;
        createCase(&c, _i, BOTH, &random);
        for (int axis = 0; axis < 3; axis++) {
            const int group = axis * dParamGroup2;
            if (axis < ksiAxisCount(c.joint))
                ksiSetAxis(c.joint, axis, dParamFMax, 1), ksiSetAxis(c.joint, axis, dParamVel, kTarget);
            if (_i == dJointTypeLMotor)
                dJointSetLMotorParam(c.joint, dParamFMax + group, 1),
                    dJointSetLMotorParam(c.joint, dParamVel + group, kTarget);
            if (_i == dJointTypePlane2D)
                plane[axis](c.joint, dParamFMax, 1), plane[axis](c.joint, dParamVel, kTarget);
        }
        const Pose pose = poseOf(&c);
        double w[2][6];
        for (int k = 0; k < COORDINATES; k++)
            w[k / 6][k % 6] = uniform(&random, -0.1, 0.1);
        displace(&c, &pose, w, 1);
        readCase(&c);
        for (int i = 0; i < c.rows.count; i++) {
            if (c.rows.row[i].kind == KS_ROW_MOTOR)
                ck_assert_double_eq(c.rows.row[i].c, kTarget);
            else if (_i == dJointTypePlane2D && i > 0)
                ck_assert_double_eq(c.rows.row[i].c, 0);
        }
        endWorld(c.world);
    }
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("gradients of gears");
    tcase_add_loop_test(tests, gearsAlongTheirSpins, 0, sizeof gears / sizeof *gears);
    tcase_add_loop_test(tests, normalIsTheGradientOfTheDepth, 0, sizeof touches / sizeof *touches);
    tcase_add_loop_test(tests, othersFollowTargets, 1, KSI_JOINT_TYPES);
    return runCase("gradients of gears", tests);
}

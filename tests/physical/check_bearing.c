/* check_bearing.c  The only joint of a machine to the world: whatever loads the other joints share,
 * no self-stress passes through it. */
#include "tests/kits/structure_kit.h"

static const unsigned allUnique = (1u << 6) - 1;

static dBodyID bar(Structure *s, double mass, double thick, double x, double z, double toX, double toZ)
{
    const double along = toX - x, up = toZ - z;
    const dBodyID body = box(s, mass, (double[3]){hypot(along, up), thick, thick}, (x + toX) / 2, 0, (z + toZ) / 2);
    dMatrix3 rotation;
    dRFromAxisAndAngle(rotation, 0, 1, 0, -atan2(up, along));
    dBodySetRotation(body, rotation);
    dBodySetDamping(body, 0, 0);
    return body;
}

static dJointID hinge(Structure *s, dBodyID first, dBodyID second, double x, double z, double axisY, double axisZ)
{
    const dJointID made = join(s, dJointCreateHinge(s->world, 0), first, second);
    dJointSetHingeAnchor(made, x, 0, z);
    dJointSetHingeAxis(made, 0, axisY, axisZ);
    return made;
}

/* A column on a bearing, with a boom on a cylinder, a load on the boom, and a parallelogram behind:
 * all on hinges with parallel axes, whose rows are dependent. Returns the cylinder's slider. */
static dJointID makeCrane(Structure *s)
{
    const double top = 2, tip = 2.79, foot = 0.5, head = (top + tip) / 2, middle[2] = {0.9, 1.25};
    const dBodyID column = box(s, 74, (double[3]){0.5, 0.5, 2}, 0, 0, 1);
    dBodySetDamping(column, 0, 0);
    const dJointID bearing = hinge(s, column, NULL, 0, 0, 0, 1);
    dJointSetHingeParam(bearing, dParamVel, 0.4);
    dJointSetHingeParam(bearing, dParamFMax, 1e5);
    const dBodyID boom = bar(s, 926, 0.2, 0, top, 3, tip);
    hinge(s, boom, column, 0, top, 1, 0);
    const dBodyID barrel = bar(s, 10, 0.1, 0.2, foot, middle[0], middle[1]),
                  rod = bar(s, 10, 0.1, middle[0], middle[1], 1.5, head);
    hinge(s, barrel, column, 0.2, foot, 1, 0);
    hinge(s, rod, boom, 1.5, head, 1, 0);
    const dJointID cylinder = join(s, dJointCreateSlider(s->world, 0), rod, barrel);
    dJointSetSliderAxis(cylinder, 1.3, 0, head - foot);
    dJointSetSliderParam(cylinder, dParamFMax, 1e6);
    ball(s, addBall(s->world, 635, 0.3, 3, tip - 1), boom, 3, 0, tip);
    const dBodyID upper = bar(s, 2, 0.1, 0, top, -1, top), lower = bar(s, 2, 0.1, 0, top - 0.5, -1, top - 0.5),
                  coupler = bar(s, 5, 0.1, -1, top, -1, top - 0.5);
    hinge(s, upper, column, 0, top, 1, 0);
    hinge(s, lower, column, 0, top - 0.5, 1, 0);
    hinge(s, coupler, upper, -1, top, 1, 0);
    hinge(s, coupler, lower, -1, top - 0.5, 1, 0);
    return cylinder;
}

START_TEST(no_step_without_its_force)
{
    enum { STEPS = 1500 };
    Structure s = {.world = heavyWorld()};
    const dJointID cylinder = makeCrane(&s);
    const ksWrenchTerm bearing = {.joint = s.joint[0], .body = s.body[0]};
    ksInspector *inspector = inspect(s.world);
    int shared = 0;
    for (int i = 0; i < STEPS; i++) {
        ksWrenchSum sum;
        dJointSetSliderParam(cylinder, dParamVel, 0.5 * sin(2 * i * h));
        CHECK_OK(ksInspectorQuickStep(inspector, h));
        const ksReaction *r = ksInspectorGetReaction(inspector, s.joint[0]);
        ck_assert_int_eq(r->freeCount, 0);
        ck_assert(!(r->reasons & KS_REASON_REDUNDANT));
        ck_assert_str_ne(ksVerdictName(r->verdict), "KS_INDETERMINATE");
        for (int l = 0; l < r->rowCount; l++)
            ck_assert(r->row[l].determinate);
        if (!ksInspectorSumWrenches(inspector, &bearing, 1, KS_PHYSICAL, NULL, &sum))
            ck_assert_uint_eq(sum.unique, allUnique);
        shared += ksInspectorGetReaction(inspector, s.joint[1])->freeCount > 0;
    }
    ck_assert_int_gt(shared, STEPS / 2);
    ksInspectorDestroy(inspector);
    dWorldDestroy(s.world);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("bearing");
    tcase_add_test(tcase, no_step_without_its_force);
    return runCase("bearing", tcase);
}

/* check_exact_ground.c  ksInspectorExactStep on the ground: by default contacts are solved with the
 * joints, to rounding. */
#include "tests/kits/contacts/machines_kit.h"

/* of the weight: solved to rounding; and ten times the error that friction of sliding points can
 * have while a stack settles, which also turns a box */
static const double kSolved = 1e-9, kSliding = 1e-5;
/* s, until all is at rest */
static const double settled = 3;

static Machine box(MachineGround ground)
{
    Machine m = machineBegin(ground);
    machineBox(&m, 5, (double[]){0.5, 0.4, 0.3}, 0, 0, 0.15, true);
    return m;
}

/* No box lies straight on the one below. */
static Machine stackOf(int boxes, MachineGround ground)
{
    Machine m = machineBegin(ground);
    for (int i = 0; i < boxes; i++)
        machineBox(&m, 2, (double[]){0.4, 0.4, 0.2}, 0.01 * (i % 3), 0.01 * (i % 2), 0.1 + 0.2 * i, true);
    return m;
}

static Machine stack2(MachineGround ground)
{
    return stackOf(2, ground);
}

static Machine stack5(MachineGround ground)
{
    return stackOf(5, ground);
}

static Machine stack10(MachineGround ground)
{
    return stackOf(10, ground);
}

static Machine plank(MachineGround ground)
{
    Machine m = machineBegin(ground);
    for (int side = -1; side <= 1; side += 2)
        machineBox(&m, 1, (double[]){0.02, 0.2, 0.2}, 0.5 * side, 0, 0.1, true);
    machineBox(&m, 5, (double[]){1.4, 0.2, 0.04}, 0.1, 0, 0.22, true);
    return m;
}

/* Boxes that fall onto each other. */
static Machine pile(MachineGround ground)
{
    Machine m = machineBegin(ground);
    dRandSetSeed(3);
    for (int i = 0; i < 10; i++)
        machineBox(&m, 1, (double[]){0.3 + 0.1 * dRandReal(), 0.3, 0.35}, 0.4 * (i % 3) + 0.1 * dRandReal(),
                   0.4 * (i / 3 % 3), 0.25 + 0.45 * (i / 9), true);
    return m;
}

typedef Machine MakeMachine(MachineGround ground);
static MakeMachine *const make[] = {box, stack2, stack5, stack10, plank, pile, machineLeg, machineQuadruped};
enum { MACHINES = sizeof make / sizeof *make };

/* The force of the ground on all bodies, upwards. */
static double groundForce(ksInspector *inspector)
{
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        if (reaction[i].type == dJointTypeContact && !(reaction[i].body[0] && reaction[i].body[1]))
            sum += reaction[i].engine[reaction[i].body[0] ? 0 : 1].force[2];
    return sum;
}

/* Statics. A soft ground settles for longer, by ever less: here by 1e-3 of the weight. */
START_TEST(the_ground_carries_the_weight)
{
    static const double soft = 1e-3;
    const MachineGround ground = (MachineGround)(_i / 2 % GROUND_COUNT);
    const double h = _i % 2 ? 0.01 : 0.005;
    Machine m = make[_i / 4](ground);
    ksInspector *inspector = inspect(m.world);
    for (int i = 0; i * h < settled + 1; i++) {
        machineStep(&m, inspector, KS_EXACT_STEP, h);
        if (i * h < settled)
            continue;
        const ksStepReport *report = ksInspectorGetStepReport(inspector);
        ck_assert_uint_eq(report->fallbackReasons, 0);
        const double off = fabs(groundForce(inspector) - m.weight) / m.weight;
        ck_assert_msg(off <= (ground == GROUND_HARD ? kSolved : soft), "step %d: %g", i, off);
        ck_assert_double_le(report->worstUnsolved, (ground == GROUND_HARD ? kSolved : kSliding) * m.weight);
    }
    ksInspectorDestroy(inspector);
    machineEnd(&m);
}
END_TEST

/* Soft stacks of five and ten, which dWorldStep lets fall, stand. */
START_TEST(soft_stacks_stand)
{
    static const double sunk = 0.01; /* m, in all: soft contacts yield by the weight, and points
                                        sink to the surface layer */
    const int boxes = _i / 2 ? 10 : 5;
    Machine m = stackOf(boxes, GROUND_LAYER);
    ksInspector *inspector = inspect(m.world);
    const double h = _i % 2 ? 0.01 : 0.005;
    for (int i = 0; i * h < 5; i++)
        machineStep(&m, inspector, KS_EXACT_STEP, h);
    for (int i = 0; i < boxes; i++) {
        const dReal *at = dBodyGetPosition(m.box[i]);
        ck_assert_double_eq_tol(at[0], 0.01 * (i % 3), sunk);
        ck_assert_double_eq_tol(at[1], 0.01 * (i % 2), sunk);
        ck_assert_double_eq_tol(at[2], 0.1 + 0.2 * i, sunk);
    }
    ksInspectorDestroy(inspector);
    machineEnd(&m);
}
END_TEST

/* A box that slides down a slope is left with m g (sin - mu cos) in each step, and needs no
 * sweep. */
START_TEST(a_box_slides_as_it_must)
{
    static const double slope = 0.5, mu = 0.3;
    Machine m = box((MachineGround)(_i / 2));
    m.mu = mu;
    dWorldSetGravity(m.world, SCENE_GRAVITY * sin(slope), 0, -SCENE_GRAVITY * cos(slope));
    ksInspector *inspector = inspect(m.world);
    const double h = _i % 2 ? 0.01 : 0.005, gain = SCENE_GRAVITY * (sin(slope) - mu * cos(slope)) * h;
    double before = NAN;
    for (int i = 0; i * h < 2; i++) {
        machineStep(&m, inspector, KS_EXACT_STEP, h);
        ck_assert_uint_eq(ksInspectorGetStepReport(inspector)->fallbackReasons, 0);
        const double speed = dBodyGetLinearVel(m.box[0])[0];
        if (i * h > 1)
            ck_assert_double_eq_tol(speed - before, gain, (_i / 2 ? 1e-3 : kSliding) * gain);
        before = speed;
    }
    ksInspectorDestroy(inspector);
    machineEnd(&m);
}
END_TEST

/* Thirty boxes fall into a heap. Contacts that slide, jam and share loads are solved with the
 * joints. In nearly all steps no body lacks a thousandth of its weight; the step report has the
 * residual of the others. */
START_TEST(heaps_are_solved)
{
    enum { BOXES = 30, PER_LAYER = 9 };
    static const double few = 0.05, most = 1e-3, mass = 1;
    const double side[] = {0.2, 0.2, 0.2};
    Machine m = machineBegin((MachineGround)_i);
    dRandSetSeed(1);
    for (int i = 0; i < BOXES; i++) {
        dMatrix3 turn;
        dBodyID body = machineBox(&m, mass, side, 0.22 * (i % 3 - 1) + 0.02 * dRandReal(),
                                  0.22 * (i / 3 % 3 - 1) + 0.02 * dRandReal(), 0.2 + 0.26 * (i / PER_LAYER), true);
        dRFromEulerAngles(turn, dRandReal(), dRandReal(), dRandReal());
        dBodySetRotation(body, turn);
    }
    ksInspectorOptions options = defaultOptions();
    options.values = 0;
    ksInspector *inspector = inspectWith(m.world, &options);
    int steps = 0, fell = 0, off = 0;
    for (; steps < 300; steps++) {
        machineStep(&m, inspector, KS_EXACT_STEP, 0.005);
        const ksStepReport *report = ksInspectorGetStepReport(inspector);
        fell += report->fallbackReasons != 0;
        off += report->worstUnsolved > most * mass * SCENE_GRAVITY;
    }
    ck_assert_msg(fell <= few * steps, "%d of %d", fell, steps);
    ck_assert_msg(off <= few * steps, "%d of %d are off", off, steps);
    ksInspectorDestroy(inspector);
    machineEnd(&m);
}
END_TEST

/* Islands with more contact rows are swept, and say why; worstUnsolved is then the largest force
 * that the ground lacks or has too much. */
START_TEST(too_many_contacts_are_swept_and_told)
{
    Machine m = machineLeg(GROUND_HARD);
    ksInspectorOptions options = defaultOptions();
    options.exactContactRows = 11;
    ksInspector *inspector = inspectWith(m.world, &options);
    double off = 0, told = 0;
    for (int i = 0; i < 400; i++) {
        machineStep(&m, inspector, KS_EXACT_STEP, 0.005);
        const ksStepReport *report = ksInspectorGetStepReport(inspector);
        size_t count, rows = 0;
        const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
        for (size_t k = 0; k < count; k++)
            rows += reaction[k].type == dJointTypeContact ? (size_t)reaction[k].rowCount : 0;
        ck_assert_uint_eq(report->fallbackReasons, rows > options.exactContactRows ? KS_REASON_BUDGET : 0);
        ck_assert_uint_eq(report->fallbackRowCount, 0);
        if (i < 200 || !report->fallbackReasons)
            continue;
        off = fmax(off, fabs(groundForce(inspector) - m.weight));
        told = fmax(told, report->worstUnsolved);
        ck_assert(ksInspectorGetReaction(inspector, m.watched)->loadNoise != 0);
    }
    ck_assert_double_gt(off, 1e-3 * m.weight);
    ck_assert_msg(told > 0.3 * off && told < 10 * off, "off by %g N, told %g N", off, told);
    ksInspectorDestroy(inspector);
    machineEnd(&m);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("exact_ground");
    tcase_add_loop_test(test, the_ground_carries_the_weight, 0, 4 * MACHINES);
    tcase_add_loop_test(test, soft_stacks_stand, 0, 4);
    tcase_add_loop_test(test, a_box_slides_as_it_must, 0, 4);
    tcase_add_loop_test(test, heaps_are_solved, 0, GROUND_COUNT);
    tcase_add_test(test, too_many_contacts_are_swept_and_told);
    return runCase("exact_ground", test);
}

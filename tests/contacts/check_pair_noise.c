/* check_pair_noise.c  The distance of a foot's force from its load in single steps of
 * dWorldQuickStep: ksMean::deviation of the window and ksReaction::netError of each step, against
 * the deviations of the steps from a centred mean. */
#include "tests/kits/support.h"

#include "tests/kits/contacts/machines_kit.h"

enum { BEFORE = 200, STEPS = 300, SIDE = 20 }; /* steps; SIDE: on either side of a centred mean, 0.2 s in all */

/* of the mean deviation against the noise: neighbouring windows overlap, so few are independent */
static const double sampling = 0.25;

typedef struct Seen {
    double force[STEPS], deviation[STEPS], netError[STEPS];
} Seen;

static double netErrorOf(ksInspector *inspector, dBodyID foot)
{
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    double error = 0;
    for (size_t i = 0; i < count; i++)
        for (int side = 0; side < 2; side++)
            if (reaction[i].body[side] == foot && isfinite(reaction[i].netError[side]))
                error = reaction[i].netError[side];
    return error;
}

/* ksInspectorRecompute has the mean that netError is the distance from; none of a single joint. */
static void checkMean(ksInspector *inspector, dBodyID foot, const double force[3], double netError)
{
    static const double rounding = 1e-9;
    ksNetWrench net[] = {{.a = foot}, {.a = foot, .joint = dBodyGetJoint(foot, 0)}};
    double apart[3];
    CHECK_OK(ksInspectorRecompute(inspector, net, 2, 1, 1));
    for (int k = 0; k < 3; k++) {
        apart[k] = force[k] - net[0].mean[k];
        ck_assert(isnan(net[1].mean[k]));
    }
    ck_assert_double_eq_tol(length3(apart) / fmax(length3(force), length3(net[0].mean)), netError, rounding);
}

static void look(Machine *machine, dBodyID foot, Seen *seen)
{
    const double h = 0.005;
    const ksWrenchTerm term = {.body = foot};
    ksInspectorOptions options = defaultOptions();
    options.estimateSweeps = 40;
    ksInspector *inspector = inspectWith(machine->world, &options);
    ksSubscription pair;
    CHECK_OK(ksInspectorPair(inspector, foot, NULL, 2 * SIDE * h, &pair));
    for (int n = -BEFORE; n < STEPS; n++) {
        ksMean mean;
        ksWrenchSum sum;
        machineStep(machine, inspector, KS_QUICK_STEP, h);
        if (n < 0)
            continue;
        CHECK_OK(ksInspectorGetMean(inspector, pair, &mean));
        CHECK_OK(ksInspectorSumWrenches(inspector, &term, 1, KS_ENGINE, NULL, &sum));
        seen->force[n] = sum.wrench.force[2];
        seen->deviation[n] = mean.deviation.force[2];
        seen->netError[n] = netErrorOf(inspector, foot);
        checkMean(inspector, foot, sum.wrench.force, seen->netError[n]);
    }
    ksInspectorDestroy(inspector);
}

/* netError is relative to the larger of two forces, and its line has noise of its own */
static const double leastCorrelation = 0.5, least = 0.5, most = 2;

static double rankOf(const double *value, int count, int of)
{
    double rank = 0;
    for (int i = 0; i < count; i++)
        rank += value[i] < value[of] || (value[i] == value[of] && i < of);
    return rank;
}

/* Spearman's rank correlation. */
static double rankCorrelation(const double *a, const double *b, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++) {
        const double difference = rankOf(a, count, i) - rankOf(b, count, i);
        sum += difference * difference;
    }
    return 1 - 6 * sum / (count * ((double)count * count - 1));
}

static double rootOf(const double *value, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += value[i] * value[i] / count;
    return sqrt(sum);
}

START_TEST(tells_the_noise)
{
    Machine machine = _i / 2 ? machineQuadruped((MachineGround)(_i % 2)) : machineLeg((MachineGround)(_i % 2));
    Seen seen;
    double square = 0, told = 0, load = 0, apart[STEPS], error[STEPS];
    int count = 0;
    look(&machine, machine.box[_i / 2 ? 2 : 0], &seen);
    for (int n = SIDE; n < STEPS - SIDE; n++) {
        double mean = 0;
        for (int k = n - SIDE; k <= n + SIDE; k++)
            mean += seen.force[k] / (2 * SIDE + 1);
        apart[count] = fabs(seen.force[n] - mean);
        error[count++] = seen.netError[n];
        square += (seen.force[n] - mean) * (seen.force[n] - mean) / (STEPS - 2 * SIDE);
        told += seen.deviation[n] / (STEPS - 2 * SIDE);
        load += mean / (STEPS - 2 * SIDE);
    }
    ck_assert_double_gt(sqrt(square), 0.01 * load);
    ck_assert_double_eq_tol(told, sqrt(square), sampling * sqrt(square));
    ck_assert_double_ge(rankCorrelation(apart, error, count), leastCorrelation);
    ck_assert_double_gt(rootOf(error, count) * load, least * sqrt(square));
    ck_assert_double_lt(rootOf(error, count) * load, most * sqrt(square));
    machineEnd(&machine);
}
END_TEST

/* steps: of options.meanWindow; ...; until a line exists */
enum { WINDOW = 30, SHOWN = 5 * WINDOW, FEWEST = 8 };
static const double singles = 1e-5; /* of sums of up to sixty steps in single precision */

/* The distance of the last step's force from the end of the line, relative to the larger of the two. */
static double distanceFromLine(double force[][3], int first, int last, double h)
{
    double w[3] = {0}, sum[3] = {0}, rising[3] = {0}, mean[3], apart[3];
    for (int n = first; n <= last; n++) {
        const double t = (n - last) * h, weight = exp(3 * t / (WINDOW * h));
        for (int k = 0; k < 3; k++) {
            w[k] += weight * pow(t, k);
            sum[k] += weight * force[n][k];
            rising[k] += weight * t * force[n][k];
        }
    }
    for (int k = 0; k < 3; k++) {
        mean[k] = (w[2] * sum[k] - w[1] * rising[k]) / (w[0] * w[2] - w[1] * w[1]);
        apart[k] = force[last][k] - mean[k];
    }
    return length3(apart) / fmax(length3(force[last]), length3(mean));
}

/* The line begins at the end of the last window but one, or with the touch. */
START_TEST(is_the_distance_from_the_line)
{
    const double h = 0.005;
    Machine machine = machineLeg(GROUND_LAYER);
    const ksWrenchTerm term = {.body = machine.box[0]};
    ksInspectorOptions options = defaultOptions();
    options.estimateSweeps = 1;
    ksInspector *inspector = inspectWith(machine.world, &options);
    double force[SHOWN][3];
    for (int n = 0; n < SHOWN; n++) {
        ksWrenchSum sum;
        machineStep(&machine, inspector, KS_QUICK_STEP, h);
        CHECK_OK(ksInspectorSumWrenches(inspector, &term, 1, KS_ENGINE, NULL, &sum));
        memcpy(force[n], sum.wrench.force, sizeof force[n]);
        ck_assert_double_gt(force[n][2], 0);  // the touch lasts
        const int first = n < 2 * WINDOW ? 0 : (n / WINDOW - 1) * WINDOW;
        if (n + 1 >= FEWEST)
            ck_assert_double_eq_tol(netErrorOf(inspector, machine.box[0]), distanceFromLine(force, first, n, h),
                                    singles);
    }
    ksInspectorDestroy(inspector);
    machineEnd(&machine);
}
END_TEST

/* netError is NaN for bodies that do not touch the ground, and before the eighth step of a
 * touch. */
START_TEST(needs_a_touch)
{
    Machine machine = machineLeg(GROUND_LAYER);
    ksInspectorOptions options = defaultOptions();
    options.estimateSweeps = 1;
    for (int i = 0; i < machine.boxes; i++) {
        const dReal *at = dBodyGetPosition(machine.box[i]);
        dBodySetPosition(machine.box[i], at[0], at[1], at[2] + 0.05);
    }
    ksInspector *inspector = inspectWith(machine.world, &options);
    int touched = 0;
    for (int n = 0; n < SHOWN; n++) {
        size_t count;
        machineStep(&machine, inspector, KS_QUICK_STEP, 0.005);
        const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
        bool touches = false;
        for (size_t i = 0; i < count; i++)
            touches |= reaction[i].type == dJointTypeContact;
        touched = touches || touched ? touched + 1 : 0;
        for (size_t i = 0; i < count; i++)
            for (int side = 0; side < 2; side++)
                ck_assert_int_eq(isfinite(reaction[i].netError[side]),
                                 reaction[i].body[side] == machine.box[0] && touched >= FEWEST);
    }
    ck_assert_int_ge(touched, WINDOW);
    ck_assert_int_lt(touched, SHOWN - FEWEST);
    ksInspectorDestroy(inspector);
    machineEnd(&machine);
}
END_TEST

/* In one step the report of a contact of the foot is not finite. The line begins with the next step. */
START_TEST(is_unknown_after_a_report_that_is_not_finite)
{
    const int spoilt = 2 * WINDOW + WINDOW / 2;
    const double h = 0.005;
    Machine machine = machineLeg(GROUND_LAYER);
    ksInspectorOptions options = defaultOptions();
    options.estimateSweeps = 1;
    ksInspector *inspector = inspectWith(machine.world, &options);
    for (int n = 0; n < 3 * WINDOW; n++) {
        ksNetWrench net = {.a = machine.box[0]};
        machineBefore(&machine);
        dJointID contact = NULL;
        for (int i = 0; i < dBodyGetNumJoints(machine.box[0]); i++)
            if (dJointGetType(dBodyGetJoint(machine.box[0], i)) == dJointTypeContact)
                contact = dBodyGetJoint(machine.box[0], i);
        ck_assert_ptr_nonnull(contact);
        CHECK_OK(ksInspectorBeginStep(inspector, KS_QUICK_STEP, h));
        ck_assert(dWorldQuickStep(machine.world, h));
        if (n == spoilt)
            dJointGetFeedback(contact)->f1[1] = NAN;
        CHECK_OK(ksInspectorEndStep(inspector));
        const ksStatus status = ksInspectorRecompute(inspector, &net, 1, 1, 1);
        ck_assert_int_eq(status, n == spoilt ? KS_ERROR_UNAVAILABLE : KS_OK);
        const bool isKnown = n < spoilt ? n + 1 >= FEWEST : n >= spoilt + FEWEST;
        ck_assert_msg(n == spoilt || isfinite(net.mean[2]) == isKnown, "step %d", n);
        dJointGroupEmpty(machine.contacts);
    }
    ksInspectorDestroy(inspector);
    machineEnd(&machine);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("pair_noise");
    tcase_add_loop_test(test, tells_the_noise, 0, 4);
    tcase_add_test(test, needs_a_touch);
    tcase_add_test(test, is_the_distance_from_the_line);
    tcase_add_test(test, is_unknown_after_a_report_that_is_not_finite);
    return runCase("pair_noise", test);
}

/* check_drift.c  Physical values of mechanisms whose joints have drifted apart, against those of the nearest pose in which they
 * fit. */
#include "tests/drift_kit.h"

static const double h = 0.01;
static const double zAxis[3] = {0, 0, 1}, yAxis[3] = {0, 1, 0}, xAxis[3] = {1, 0, 0};

/* Two boxes, welded and tied by a rod at once: one row too many. They swing on a ball. */
static Mechanism weldAndRod(void)
{
    Mechanism m = kitMechanism("weld and rod");
    const int a = kitAddBody(&m, 0.4, 0, 0), b = kitAddBody(&m, 0.8, 0.1, 0.1);
    kitAddJoint(&m, KIT_BALL, a, -1, (double[3]){0, 0, 0}, NULL);
    kitAddJoint(&m, KIT_WELD, a, b, (double[3]){0.6, 0, 0}, NULL);
    kitAddJoint(&m, KIT_ROD, a, b, (double[3]){0.4, 0, 0.2}, (double[3]){0.9, 0.2, 0});
    return m;
}

static Mechanism door(void)
{
    Mechanism m = kitMechanism("door");
    const double axis[3] = {0, 0.3, 1};
    kitAddBody(&m, 0.5, 0, 0.2);
    kitAddJoint(&m, KIT_HINGE, 0, -1, (double[3]){0, 0, 0}, axis);
    kitAddJoint(&m, KIT_HINGE, 0, -1, (double[3]){0, 0.24, 0.8}, axis);
    return m;
}

/* A coupler on three parallel cranks. */
static Mechanism threeCranks(void)
{
    Mechanism m = kitMechanism("three cranks");
    const int coupler = kitAddBody(&m, 1.3, 0, 0.5);
    for (int i = 0; i < 3; i++) {
        const int crank = kitAddBody(&m, 0.15 + i, 0, 0.25);
        kitAddJoint(&m, KIT_HINGE, crank, -1, (double[3]){i, 0, 0}, yAxis);
        kitAddJoint(&m, KIT_HINGE, crank, coupler, (double[3]){i + 0.3, 0, 0.5}, yAxis);
    }
    return m;
}

/* A platform that two folding legs, across each other, leave one translation. */
static Mechanism sarrus(void)
{
    Mechanism m = kitMechanism("Sarrus");
    const int top = kitAddBody(&m, 0, 0, 1);
    for (int leg = 0; leg < 2; leg++) {
        const double *axis = leg ? yAxis : xAxis;
        double at[3][3] = {{0}}, middle[2][3];
        for (int i = 0; i < 3; i++) {
            at[i][leg ? 0 : 1] = 0.4 + (i == 1 ? 0.5 : 0);
            at[i][2] = 0.5 * i;
        }
        for (int i = 0; i < 2; i++)
            for (int k = 0; k < 3; k++)
                middle[i][k] = 0.5 * (at[i][k] + at[i + 1][k]);
        const int low = kitAddBody(&m, middle[0][0], middle[0][1], middle[0][2]);
        const int high = kitAddBody(&m, middle[1][0], middle[1][1], middle[1][2]);
        kitAddJoint(&m, KIT_HINGE, low, -1, at[0], axis);
        kitAddJoint(&m, KIT_HINGE, low, high, at[1], axis);
        kitAddJoint(&m, KIT_HINGE, high, top, at[2], axis);
    }
    return m;
}

/* Four hinges in space, links a, b, a, b with twists of sin alpha / a = sin beta / b: it moves, though it should not
 * (Bennett 1903). Denavit's and Hartenberg's angles, with tan(t1/2) tan(t2/2) = sin((beta + alpha)/2) / sin((beta - alpha)/2). */
static Mechanism bennett(void)
{
    Mechanism m = kitMechanism("Bennett");
    const double alpha = 0.5, beta = 1.1, a = 1, b = a * sin(beta) / sin(alpha), first = 1.3;
    const double second = 2 * atan(sin(0.5 * (beta + alpha)) / sin(0.5 * (beta - alpha)) / tan(0.5 * first));
    const double angle[4] = {first, second, -first, -second}, length[4] = {a, b, a, b},
                 twist[4] = {alpha, beta, alpha, beta};
    double R[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, x[5][3] = {{0}}, z[5][3] = {{0, 0, 1}};
    for (int i = 0; i < 4; i++) {
        const double c = cos(angle[i]), s = sin(angle[i]), ct = cos(twist[i]), st = sin(twist[i]);
        const double step[3][3] = {{c, -s * ct, s * st}, {s, c * ct, -c * st}, {0, st, ct}};
        double next[3][3];
        for (int k = 0; k < 3; k++) {
            x[i + 1][k] = x[i][k] + length[i] * (R[k][0] * c + R[k][1] * s);
            for (int l = 0; l < 3; l++)
                next[k][l] = R[k][0] * step[0][l] + R[k][1] * step[1][l] + R[k][2] * step[2][l];
        }
        memcpy(R, next, sizeof R);
        for (int k = 0; k < 3; k++)
            z[i + 1][k] = R[k][2];
    }
    ck_assert_double_lt(distance3(x[4], x[0]) + distance3(z[4], z[0]), 1e-12);
    for (int i = 0; i < 3; i++)
        kitAddBody(&m, 0.5 * (x[i][0] + x[i + 1][0]), 0.5 * (x[i][1] + x[i + 1][1]), 0.5 * (x[i][2] + x[i + 1][2]));
    kitAddJoint(&m, KIT_HINGE, 0, -1, x[0], z[0]);
    kitAddJoint(&m, KIT_HINGE, 0, 1, x[1], z[1]);
    kitAddJoint(&m, KIT_HINGE, 1, 2, x[2], z[2]);
    kitAddJoint(&m, KIT_HINGE, 2, -1, x[3], z[3]);
    return m;
}

/* A box on two rods that are nearly in line: their directions nearly depend on each other, in earnest. */
static Mechanism tautV(void)
{
    Mechanism m = kitMechanism("taut V");
    kitAddBody(&m, 0, 0, -0.05);
    for (int i = 0; i < 2; i++)
        kitAddJoint(&m, KIT_ROD, 0, -1, (double[3]){0, 0, -0.05}, (double[3]){i ? 1 : -1, 0, 0});
    return m;
}

static Mechanism chain(void)
{
    Mechanism m = kitMechanism("chain");
    m.isTree = true;
    for (int i = 0; i < 4; i++) {
        kitAddBody(&m, 0.5 + i, 0, 0);
        kitAddJoint(&m, i % 2 ? KIT_HINGE : KIT_BALL, i, i - 1, (double[3]){i, 0, 0}, yAxis);
    }
    return m;
}

/* It begins near a dead point and goes through both of them. */
static Mechanism sliderCrank(void)
{
    Mechanism m = kitMechanism("slider-crank");
    kitAddBody(&m, 0.25, 0, 0);
    kitAddBody(&m, 1.1, 0, 0);
    kitAddBody(&m, 1.7, 0, 0);
    kitAddJoint(&m, KIT_HINGE, 0, -1, (double[3]){0, 0, 0}, yAxis);
    kitAddJoint(&m, KIT_BALL, 0, 1, (double[3]){0.5, 0, 0}, NULL);
    kitAddJoint(&m, KIT_BALL, 1, 2, (double[3]){1.7, 0, 0}, NULL);
    kitAddJoint(&m, KIT_SLIDER, 2, -1, (double[3]){0, 0, 0}, xAxis);
    dBodySetAngularVel(m.body[0], 0, 0.1, 0);
    return m;
}

typedef Mechanism Make(void);

/* What was seen in a run. Errors are relative to the larger of the weight and the largest true reaction. */
typedef struct Seen {
    int steps, regular, judged, rightFree, values, covered;
    double worstForce, trueForce, drift;
    double error[40000], bar[40000];
} Seen;
static Seen seen;

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *x, int count, double share)
{
    qsort(x, (size_t)count, sizeof *x, ascending);
    return count ? x[(int)(share * (count - 1))] : NAN;
}

static double sizeAcross(const KitTruth *truth, int j, const double w[12])
{
    double rest[12];
    memcpy(rest, w, sizeof rest);
    for (int f = 0; f < truth->freeCount[j]; f++) {
        double part = 0;
        for (int k = 0; k < 12; k++)
            part += truth->free[j][f][k] * rest[k];
        for (int k = 0; k < 12; k++)
            rest[k] -= part * truth->free[j][f][k];
    }
    double square = 0;
    for (int k = 0; k < 12; k++)
        square += rest[k] * rest[k];
    return sqrt(square);
}

static void scaleBoth(const Mechanism *m, const KitState *state, int j, const ksWrench w[2], double out[12])
{
    for (int side = 0; side < 2; side++)
        kitScale(m, state, j, side, &w[side], out + 6 * side);
}

static void compareJoint(const Mechanism *m, const KitState *state, const KitTruth *truth, int j, double load,
                         const ksReaction *reaction)
{
    double physical[12], engine[12], apart[12];
    scaleBoth(m, state, j, reaction->physical, physical);
    scaleBoth(m, state, j, reaction->engine, engine);
    for (int k = 0; k < 12; k++)
        apart[k] = physical[k] - truth->reaction[j][k];
    const double error = sizeAcross(truth, j, apart) / load;
    const double own = fmax(sizeAcross(truth, j, physical), sizeAcross(truth, j, engine)) / load;
    const double bar = reaction->physicalErrorBar * own;
    if (isnan(bar))
        return;  // nothing of the wrench is determined
    seen.error[seen.values] = error;
    seen.bar[seen.values++] = bar;
    seen.covered += error <= bar + 1e-9;
}

static void compareStep(const Mechanism *m, const KitState *state, ksInspector *inspector, bool wanted)
{
    const double weight = m->bodies * SCENE_GRAVITY;
    for (int j = 0; j < m->joints; j++) {
        const ksReaction *reaction = ksInspectorGetReaction(inspector, m->joint[j].id);
        ck_assert_int_ne(reaction->physicalSource, KS_FROM_NOWHERE);
        seen.worstForce = fmax(seen.worstForce, length3(reaction->physical[0].force) / weight);
    }
    if (!wanted)
        return;
    const KitTruth truth = kitFindTruth(m, state);
    if (!truth.fits || !(truth.leastSigma > 5 * truth.drift))
        return;
    bool right = true;
    seen.regular++;
    seen.drift = fmax(seen.drift, truth.drift);
    for (int j = 0; j < m->joints; j++) {
        const ksReaction *reaction = ksInspectorGetReaction(inspector, m->joint[j].id);
        seen.trueForce = fmax(seen.trueForce, length3(truth.force[j]) / weight);
        right &= reaction->freeCount == truth.freeCount[j];
        compareJoint(m, state, &truth, j, fmax(weight, truth.largest), reaction);
    }
    seen.rightFree += right;
}

static void run(Make *make, int iterations, int steps, int every)
{
    memset(&seen, 0, sizeof seen);
    Mechanism m = make();
    KitState state[KIT_BODIES];
    ksInspector *inspector = inspect(m.world);
    dWorldSetQuickStepNumIterations(m.world, iterations);
    for (int i = 0; i < steps; i++) {
        kitReadState(&m, state);
        CHECK_OK(ksInspectorQuickStep(inspector, h));
        compareStep(&m, state, inspector, i % every == 0);
        seen.judged += i % every == 0;
    }
    seen.steps = steps;
    printf("%-13s %3d | %3d %% %.1e | %8.2f %6.2f", m.name, iterations, 100 * seen.regular / seen.judged, seen.drift,
           seen.worstForce, seen.trueForce);
    const double free = (double)seen.rightFree / seen.regular, covered = (double)seen.covered / seen.values;
    const double error = median(seen.error, seen.values, 0.5), most = median(seen.error, seen.values, 0.99);
    const double bar = median(seen.bar, seen.values, 0.5);
    printf(" | %.4f | %.1e %.1e | %.4f %.1e %.0f\n", free, error, most, covered, bar, bar / error);
    ksInspectorDestroy(inspector);
    dWorldDestroy(m.world);
}

START_TEST(table)
{
    static Make *const make[] = {weldAndRod, door, threeCranks, sarrus, bennett, tautV, chain, sliderCrank};
    (void)zAxis;
    run(make[_i], 20, 1000, 5);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("drift");
    TCase *tests = tcase_create("drift");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, table, 0, 8);
    suite_add_tcase(suite, tests);
    return runSuite(suite);
}

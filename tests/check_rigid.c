/* check_rigid.c  A system of rigid bodies filled with scaled rows is the one that blocks and rows make. */
#include "tests/system_kit.h"

enum { BODIES = 5, ROWS = 12 };

typedef struct Pair {
    ksSystem *plain, *rigid;
    ksiRigidRoot root[BODIES];
} Pair;

/* I = G G^T + 1 is positive definite whatever G is. */
static void drawInertia(unsigned long long *state, double inertia[9])
{
    double g[9];
    for (int i = 0; i < 9; i++)
        g[i] = draw(state);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            inertia[3 * i + j] = i == j;
            for (int k = 0; k < 3; k++)
                inertia[3 * i + j] += g[3 * i + k] * g[3 * j + k];
        }
}

static void addBodies(Pair *p, unsigned long long *state)
{
    ck_assert_ok(ksiSystemBeginRigid(p->rigid, BODIES, ROWS));
    for (int b = 0; b < BODIES; b++) {
        double m = 2 + draw(state), inertia[9], mass[36] = {0}, force[6], velocity[6];
        drawInertia(state, inertia);
        for (int i = 0; i < 3; i++) {
            mass[7 * i] = m;
            for (int j = 0; j < 3; j++)
                mass[6 * (3 + i) + 3 + j] = inertia[3 * i + j];
        }
        for (int i = 0; i < 6; i++) {
            force[i] = draw(state);
            velocity[i] = draw(state);
        }
        int block;
        ck_assert_ok(ksSystemAddBlock(p->plain, 6, mass, force, velocity, &block));
        ck_assert(ksiRigidRootOf(m, inertia, &p->root[b]));
        ck_assert_int_eq(ksiSystemAddBody(p->rigid, &p->root[b], force, velocity), block);
    }
}

/* L^-1 x, by substitution: not by the inverse that is under test. */
static void scale(const ksiRigidRoot *root, const double x[6], double y[6])
{
    for (int i = 0; i < 3; i++) {
        y[i] = x[i] / root->mass;
        y[3 + i] = x[3 + i];
        for (int j = 0; j < i; j++)
            y[3 + i] -= root->inertia[3 * i + j] * y[3 + j];
        y[3 + i] /= root->inertia[4 * i];
    }
}

/* A chain from the ground on, with a known row, a soft one and rows of a single body. */
static void addRows(Pair *p, unsigned long long *state)
{
    for (int l = 0; l < ROWS; l++) {
        const int second = l / 2 % BODIES, first = l % 3 ? second - 1 : -1, body[2] = {first, second};
        double jacobian[2][6], scaled[12] = {0};
        const int isKnown = l == 7;
        const ksiJointTerms terms = {.count = 1,
                                     .knownCount = isKnown,
                                     .scaled = {scaled},
                                     .beta = {draw(state)},
                                     .compliance = {l == 4 ? 0.5 : 0},
                                     .isKnown = {isKnown},
                                     .known = {0.25}};
        for (int side = 0; side < 2; side++) {
            for (int i = 0; i < 6; i++)
                jacobian[side][i] = draw(state);
            if (body[side] >= 0)
                scale(&p->root[body[side]], jacobian[side], scaled + 6 * side);
        }
        const int row = addBounded(p->plain, second, jacobian[1], first, jacobian[0], terms.beta[0],
                                   terms.compliance[0], isKnown ? 0.25 : -INFINITY, isKnown ? 0.25 : INFINITY);
        double length[KSI_JOINT_ROWS], square = 0;
        ck_assert_int_eq(ksiSystemAddJoint(p->rigid, body, &terms, length), row);
        for (int i = 0; i < 12; i++)
            square += scaled[i] * scaled[i];
        ck_assert_near(length[0], sqrt(square), ROUNDING);
    }
}

static void expectSame(const double *a, const double *b, int count)
{
    for (int i = 0; i < count; i++)
        ck_assert_near(a[i], b[i], ROUNDING * (1 + fabs(a[i])));
}

START_TEST(sameSystem)
{
    unsigned long long state = 77 + (unsigned long long)_i;
    Pair p = {.plain = newSystem(), .rigid = newSystem()};
    addBodies(&p, &state);
    addRows(&p, &state);
    double plain[ROWS], rigid[ROWS], plainMotion[6 * BODIES], rigidMotion[6 * BODIES];
    ck_assert_ok(ksSystemSolveGauss(p.plain, plain, plainMotion));
    ck_assert_ok(ksSystemSolveGauss(p.rigid, rigid, rigidMotion));
    expectSame(plain, rigid, ROWS);
    expectSame(plainMotion, rigidMotion, 6 * BODIES);
    ck_assert_ok(ksSystemSolvePaulus(p.rigid, rigid, rigidMotion));
    expectSame(plain, rigid, ROWS);
    expectSame(plainMotion, rigidMotion, 6 * BODIES);

    // another motion, so that accelerations are scaled too
    ksGaussMeasure plainMeasure, rigidMeasure;
    plainMotion[3] += 1;
    plainMotion[10] -= 1;
    ck_assert_ok(ksSystemMeasure(p.plain, plainMotion, &plainMeasure));
    ck_assert_ok(ksSystemMeasure(p.rigid, plainMotion, &rigidMeasure));
    expectSame(&plainMeasure.constraint, &rigidMeasure.constraint, 1);
    expectSame(&plainMeasure.unexplained, &rigidMeasure.unexplained, 1);
    expectSame(&plainMeasure.solverError, &rigidMeasure.solverError, 1);
    for (int l = 0; l < ROWS; l++)
        ck_assert_near(ksiSystemRowSize(p.plain, l), ksiSystemRowSize(p.rigid, l), ROUNDING);
    ksSystemDestroy(p.plain);
    ksSystemDestroy(p.rigid);
}
END_TEST

START_TEST(noRoot)
{
    const double sphere[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, flat[9] = {1, 0, 0, 0, 1, 0, 0, 0, 0};
    const double unknown[9] = {1, 0, 0, 0, NAN, 0, 0, 0, 1};
    ksiRigidRoot root;
    ck_assert(ksiRigidRootOf(1, sphere, &root));
    ck_assert(!ksiRigidRootOf(0, sphere, &root));
    ck_assert(!ksiRigidRootOf(NAN, sphere, &root));
    ck_assert(!ksiRigidRootOf(INFINITY, sphere, &root));
    ck_assert(!ksiRigidRootOf(1, flat, &root));
    ck_assert(!ksiRigidRootOf(1, unknown, &root));
    ck_assert_double_eq(root.mass, 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rigid");
    TCase *systems = tcase_create("systems");
    tcase_add_loop_test(systems, sameSystem, 0, 20);
    tcase_add_test(systems, noRoot);
    suite_add_tcase(suite, systems);
    return runSuite(suite);
}

/* check_rigid.c  A system of rigid bodies filled with scaled rows equals the system made by blocks
 * and rows. */
#include "tests/kits/system_kit.h"

enum { BODIES = 5, ROWS = 12 };

typedef struct Pair {
    ksSystem *plain, *rigid;
    ksiRigidRoot root[BODIES];
} Pair;

/* Any root serves, I = L L^T: random numbers with a diagonal that keeps them regular. The inverse
 * is by cofactors. */
static void drawRoot(unsigned long long *state, double mass, ksiRigidRoot *root)
{
    double *l = root->inertia, x[9];
    root->mass = sqrt(mass);
    root->massInverse = 1 / root->mass;
    for (int i = 0; i < 9; i++)
        l[i] = draw(state) + (i % 4 == 0 ? 3 : 0);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
            x[3 * i + j] = l[3 * a + c] * l[3 * b + d] - l[3 * a + d] * l[3 * b + c];
        }
    const double determinant = l[0] * x[0] + l[1] * x[3] + l[2] * x[6];
    for (int j = 0; j < 3; j++) {
        root->column[j][0] = 0;
        for (int i = 0; i < 3; i++)
            root->column[j][1 + i] = x[3 * i + j] / determinant;
    }
}

static void addBodies(Pair *p, unsigned long long *state)
{
    ck_assert_ok(ksiSystemBeginRigid(p->rigid, BODIES, ROWS));
    for (int b = 0; b < BODIES; b++) {
        double m = 2 + draw(state), mass[36] = {0}, force[6], velocity[6];
        const double *l = p->root[b].inertia;
        drawRoot(state, m, &p->root[b]);
        for (int i = 0; i < 3; i++) {
            mass[7 * i] = m;
            for (int j = 0; j < 3; j++)
                for (int k = 0; k < 3; k++)
                    mass[6 * (3 + i) + 3 + j] += l[3 * i + k] * l[3 * j + k];
        }
        for (int i = 0; i < 6; i++) {
            force[i] = draw(state);
            velocity[i] = draw(state);
        }
        int block;
        ck_assert_ok(ksSystemAddBlock(p->plain, 6, mass, force, velocity, &block));
        ck_assert_int_eq(ksiSystemAddBody(p->rigid, &p->root[b], force, velocity), block);
    }
}

/* L^-1 x by elimination, not by the inverse under test. */
static void scale(const ksiRigidRoot *root, const double x[6], double y[6])
{
    double l[3][4];
    for (int i = 0; i < 3; i++) {
        y[i] = x[i] / root->mass;
        for (int j = 0; j < 3; j++)
            l[i][j] = root->inertia[3 * i + j];
        l[i][3] = x[3 + i];
    }
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++)
            for (int j = 3; i != k && j >= k; j--)
                l[i][j] -= l[i][k] / l[k][k] * l[k][j];
    for (int i = 0; i < 3; i++)
        y[3 + i] = l[i][3] / l[i][i];
}

/* A chain from the ground, with a known row, a soft row, and rows of a single body. */
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

    // another motion, so that accelerations are scaled, too
    ksGaussMeasure plainMeasure, rigidMeasure;
    plainMotion[3] += 1;
    plainMotion[10] -= 1;
    ck_assert_ok(ksSystemMeasure(p.plain, plainMotion, &plainMeasure));
    ck_assert_ok(ksSystemMeasure(p.rigid, plainMotion, &rigidMeasure));
    expectSame(&plainMeasure.constraint, &rigidMeasure.constraint, 1);
    expectSame(&plainMeasure.unexplained, &rigidMeasure.unexplained, 1);
    expectSame(&plainMeasure.solverError, &rigidMeasure.solverError, 1);
    for (int l = 0; l < ROWS; l++)
        ck_assert_near(ksiSystemKinematicSize(p.plain, l), ksiSystemKinematicSize(p.rigid, l), ROUNDING);
    ksSystemDestroy(p.plain);
    ksSystemDestroy(p.rigid);
}
END_TEST

int main(void)
{
    TCase *systems = tcase_create("systems");
    tcase_add_loop_test(systems, sameSystem, 0, 20);
    return runCase("rigid", systems);
}

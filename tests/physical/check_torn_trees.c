/* check_torn_trees.c  Trees whose joints have come apart: no physical value is outside its bar. In
 * each step, a chain of heavy and light links is compared with dense equations of its bodies in
 * their own poses, at their own velocities, and at the nearest ones that the joints permit. */
#include "tests/kits/support.h"

#include "demos/scenes/scenes_private.h"

static const double h = 0.005, gravity = 9.81, linkLength = 0.4;
enum { LINKS = 8, ROWS = 4 * LINKS };

/* A horizontal chain of universal joints; the masses of its links are 1/ratio, 1, ratio and 0.1 kg,
 * in turn. */
static Scene *chainOf(double ratio)
{
    const double mass[] = {1 / ratio, 1, ratio, 0.1};
    Scene *scene = sceneCreate(LINKS, LINKS);
    ck_assert_ptr_nonnull(scene);
    for (int i = 0; i < LINKS; i++) {
        const double near[3] = {i * linkLength, 0, 0}, far[3] = {(i + 1) * linkLength, 0.1, 0};
        dBodyID link = sceneAddBar(scene, mass[i % 4], near, far);
        sceneAddUniversal(scene, link, i ? scene->body[i - 1] : NULL, near, (const double[3]){0, 1, 0},
                          (const double[3]){0, 0, 1});
    }
    return scene;
}

/* --- The truth --- */

typedef struct Body {
    double mass, x[3], inertia[3][3], inverse[3][3], v[6];
} Body;

/* The equations in world axes. Joint i connects body i with the one before; it has three rows of
 * the point and one of the axes. */
typedef struct Chain {
    Body body[LINKS];
    double anchor[LINKS][2][3], axis[LINKS][2][3];
    double J[ROWS][LINKS][6], A[ROWS][ROWS];
} Chain;

static double dotOf(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

static void readBody(dBodyID id, Body *body)
{
    const dReal *R = dBodyGetRotation(id), *x = dBodyGetPosition(id), *v = dBodyGetLinearVel(id),
                *w = dBodyGetAngularVel(id);
    dMass mass;
    dBodyGetMass(id, &mass);
    body->mass = mass.mass;
    for (int i = 0; i < 3; i++) {
        body->x[i] = x[i];
        body->v[i] = v[i];
        body->v[3 + i] = w[i];
        for (int k = 0; k < 3; k++) {
            body->inertia[i][k] = body->inverse[i][k] = 0;
            for (int a = 0; a < 3; a++) {
                body->inertia[i][k] += R[4 * i + a] * mass.I[5 * a] * R[4 * k + a];
                body->inverse[i][k] += R[4 * i + a] / mass.I[5 * a] * R[4 * k + a];
            }
        }
    }
}

/* M^-1 of a force and torque */
static void divide(const Body *body, const double force[6], double out[6])
{
    for (int k = 0; k < 3; k++) {
        out[k] = force[k] / body->mass;
        out[3 + k] = dotOf(body->inverse[k], force + 3, 3);
    }
}

static void readJoint(dJointID id, int i, Chain *chain)
{
    dVector3 at[4];
    dJointGetUniversalAnchor(id, at[0]);
    dJointGetUniversalAnchor2(id, at[1]);
    dJointGetUniversalAxis1(id, at[2]);
    dJointGetUniversalAxis2(id, at[3]);
    for (int k = 0; k < 6; k++) {
        chain->anchor[i][k / 3][k % 3] = at[k / 3][k % 3];
        chain->axis[i][k / 3][k % 3] = at[2 + k / 3][k % 3];
    }
    double p[3];
    cross3(chain->axis[i][0], chain->axis[i][1], p);
    for (int side = 0; side < 2 && i - side >= 0; side++) {
        const double sign = side ? -1 : 1;
        double arm[3];
        for (int k = 0; k < 3; k++)
            arm[k] = chain->anchor[i][side][k] - chain->body[i - side].x[k];
        for (int k = 0; k < 3; k++) {
            const double along[3] = {sign * (k == 0), sign * (k == 1), sign * (k == 2)};
            double *row = chain->J[4 * i + k][i - side];
            memcpy(row, along, sizeof along);
            cross3(arm, along, row + 3);
            chain->J[4 * i + 3][i - side][3 + k] = sign * p[k];
        }
    }
}

static double rowDot(const Chain *chain, int row, double motion[LINKS][6])
{
    return dotOf(&chain->J[row][0][0], &motion[0][0], 6 * LINKS);
}

/* A, scaled to a unit diagonal, as Cholesky's triangle */
static void factor(Chain *chain, double scale[ROWS])
{
    for (int i = 0; i < ROWS; i++) {
        double column[LINKS][6];
        for (int b = 0; b < LINKS; b++)
            divide(&chain->body[b], chain->J[i][b], column[b]);
        for (int k = 0; k < ROWS; k++)
            chain->A[k][i] = rowDot(chain, k, column);
    }
    for (int i = 0; i < ROWS; i++)
        scale[i] = 1 / sqrt(chain->A[i][i]);
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k <= i; k++) {
            const double left = scale[i] * chain->A[i][k] * scale[k] - dotOf(chain->A[i], chain->A[k], k);
            chain->A[i][k] = k < i ? left / chain->A[k][k] : sqrt(left);
        }
}

static void solve(const Chain *chain, const double scale[ROWS], double x[ROWS])
{
    for (int i = 0; i < ROWS; i++)
        x[i] = (scale[i] * x[i] - dotOf(chain->A[i], x, i)) / chain->A[i][i];
    for (int i = ROWS; i-- > 0;) {
        for (int k = i + 1; k < ROWS; k++)
            x[i] -= chain->A[k][i] * x[k];
        x[i] /= chain->A[i][i];
    }
    for (int i = 0; i < ROWS; i++)
        x[i] *= scale[i];
}

/* -(dJ/dt) v of joint i */
static void accelerations(const Chain *chain, int i, double v[LINKS][6], double out[4])
{
    const double still[3] = {0}, *w[2] = {v[i] + 3, i ? v[i - 1] + 3 : still};
    double turned[2][3], rate[3], other[3];
    memset(out, 0, 4 * sizeof *out);
    for (int side = 0; side < 2 && i - side >= 0; side++) {
        double arm[3], speed[3], towards[3];
        for (int k = 0; k < 3; k++)
            arm[k] = chain->anchor[i][side][k] - chain->body[i - side].x[k];
        cross3(w[side], arm, speed);
        cross3(w[side], speed, towards);
        for (int k = 0; k < 3; k++)
            out[k] -= (side ? -1 : 1) * towards[k];
    }
    for (int side = 0; side < 2; side++)
        cross3(w[side], chain->axis[i][side], turned[side]);
    cross3(turned[0], chain->axis[i][1], rate);
    cross3(chain->axis[i][0], turned[1], other);
    for (int k = 0; k < 3; k++)
        out[3] -= (rate[k] + other[k]) * (w[0][k] - w[1][k]);
}

/* The multipliers at velocities v */
static void findForces(const Chain *chain, const double scale[ROWS], double v[LINKS][6], double multiplier[ROWS])
{
    double free[LINKS][6];
    for (int b = 0; b < LINKS; b++) {
        const Body *body = &chain->body[b];
        double force[6] = {0, 0, -gravity * body->mass}, spin[3];
        for (int k = 0; k < 3; k++)
            spin[k] = dotOf(body->inertia[k], v[b] + 3, 3);
        cross3(spin, v[b] + 3, force + 3);
        divide(body, force, free[b]);
    }
    for (int i = 0; i < LINKS; i++)
        accelerations(chain, i, v, multiplier + 4 * i);
    for (int row = 0; row < ROWS; row++)
        multiplier[row] -= rowDot(chain, row, free);
    solve(chain, scale, multiplier);
}

/* v - M^-1 J^T A^-1 J v */
static void permit(const Chain *chain, const double scale[ROWS], double v[LINKS][6])
{
    double impulse[ROWS];
    for (int row = 0; row < ROWS; row++)
        impulse[row] = rowDot(chain, row, v);
    solve(chain, scale, impulse);
    for (int b = 0; b < LINKS; b++) {
        double sum[6] = {0}, change[6];
        for (int row = 0; row < ROWS; row++)
            for (int k = 0; k < 6; k++)
                sum[k] += chain->J[row][b][k] * impulse[row];
        divide(&chain->body[b], sum, change);
        for (int k = 0; k < 6; k++)
            v[b][k] -= change[k];
    }
}

typedef struct Truth {
    double own[ROWS], permitted[ROWS];
} Truth;

static void findTruth(const Scene *scene, Truth *truth)
{
    static Chain chain;
    double scale[ROWS], v[LINKS][6];
    memset(&chain, 0, sizeof chain);
    for (int i = 0; i < LINKS; i++) {
        readBody(scene->body[i], &chain.body[i]);
        readJoint(scene->joint[i], i, &chain);
        memcpy(v[i], chain.body[i].v, sizeof v[i]);
    }
    factor(&chain, scale);
    findForces(&chain, scale, v, truth->own);
    permit(&chain, scale, v);
    findForces(&chain, scale, v, truth->permitted);
}

static double distanceOf(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

/* Whether neither of them, nor the engine's force, is within the bar of the value. */
static bool isWrong(const ksReaction *reaction, const ksWrenchSum *sum, const double own[3], const double permitted[3])
{
    const double *force = sum->wrench.force, bar = length3(sum->bar.force);
    return distanceOf(force, own) > bar && distanceOf(force, permitted) > bar &&
           distanceOf(force, reaction->engine[0].force) > bar;
}

static const double ratios[] = {50, 100, 300, 1000, 3000};
enum { RATIOS = sizeof ratios / sizeof *ratios };

/* The joints hold at first, and come apart by up to a link's length. */
START_TEST(no_short_bar_is_wrong)
{
    enum { STEPS = 250, TOGETHER = 20 };
    const ksStepper stepper = _i < RATIOS ? KS_WORLD_STEP : KS_QUICK_STEP;
    Scene *scene = chainOf(ratios[_i % RATIOS]);
    ksInspector *inspector = inspect(scene->world);
    int wrong = 0, shortBars = 0;
    double gap = 0;
    for (int step = 0; step < STEPS; step++) {
        Truth truth;
        findTruth(scene, &truth);
        CHECK_OK(inspectedStep(inspector, stepper, h));
        for (int i = 0; i < LINKS; i++) {
            const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[i]);
            const ksWrenchTerm term = {.joint = scene->joint[i], .body = scene->body[i]};
            const double *own = truth.own + 4 * i;
            ksWrenchSum sum;
            CHECK_OK(ksInspectorSumWrenches(inspector, &term, 1, KS_PHYSICAL, NULL, &sum));
            if (step < TOGETHER && stepper == KS_WORLD_STEP)
                ck_assert_double_le(distanceOf(sum.wrench.force, own), length3(sum.bar.force));
            const bool isShort = reaction->physicalErrorBar < 1;
            shortBars += isShort;
            wrong += isShort && isWrong(reaction, &sum, own, truth.permitted + 4 * i);
            gap = fmax(gap, reaction->gap[0]);
        }
    }
    printf("gaps up to %.2g m, %d bars shorter than the load, %d of these wrong\n", gap, shortBars, wrong);
    ck_assert_double_gt(gap, 0.02);
    ck_assert_int_gt(shortBars, 0);
    ck_assert_int_eq(wrong, 0);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("torn_trees");
    tcase_set_timeout(test, 60);
    tcase_add_loop_test(test, no_short_bar_is_wrong, 0, 2 * RATIOS);
    return runCase("torn_trees", test);
}

/* check_near_fields.c  Values of a tree, and its bars where it takes a part of the engine's force.
 *
 * The velocities of a chain of light links under a heavy box leave its forces undetermined: one
 * permitted velocity field keeps the links' rates, the other is nearest to the bodies' own
 * velocities. In each step, dense equations of the bodies in their own poses give the forces of
 * both. But for the engine's part, the value is the force of the first; each bar reaches the nearer
 * of the two. */
#include "tests/kits/support.h"

#include "demos/scenes/scenes_private.h"

enum { LINKS = 21, ROWS = 3 * LINKS };
static const double h = 0.005, boxMass = 10;

/* Twenty links of 0.1 kg, 0.5 rad from the vertical, and the box, all on balls. Joint i holds body i. */
static Scene *heavyChain(void)
{
    const double step[3] = {0.15 * sin(0.5), 0, -0.15 * cos(0.5)}, side[3] = {0.2, 0.2, 0.2};
    Scene *scene = sceneCreate(LINKS, LINKS);
    ck_assert_ptr_nonnull(scene);
    for (int i = 0; i < LINKS; i++) {
        const double near[3] = {i * step[0], 0, i * step[2]}, far[3] = {near[0] + step[0], 0, near[2] + step[2]};
        dBodyID body = i < LINKS - 1 ? sceneAddBar(scene, 0.1, near, far)
                                     : sceneAddBox(scene, boxMass, near[0], 0, near[2] - 0.1, side);
        sceneAddBall(scene, body, i ? scene->body[i - 1] : NULL, near);
    }
    return scene;
}

/* --- The truth --- */

/* World axes. Levers from the mass centre to the joint of the body, and to the next one. */
typedef struct Link {
    double mass, inertia[3][3], inverse[3][3], v[6], up[3], down[3];
} Link;

static void times(const double matrix[3][3], const double x[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = matrix[k][0] * x[0] + matrix[k][1] * x[1] + matrix[k][2] * x[2];
}

static void readLink(const Scene *scene, int i, Link *link)
{
    const dReal *R = dBodyGetRotation(scene->body[i]), *x = dBodyGetPosition(scene->body[i]),
                *v = dBodyGetLinearVel(scene->body[i]), *w = dBodyGetAngularVel(scene->body[i]);
    dMass mass;
    dVector3 up, down = {0};
    dBodyGetMass(scene->body[i], &mass);
    dJointGetBallAnchor(scene->joint[i], up);
    if (i < LINKS - 1)
        dJointGetBallAnchor2(scene->joint[i + 1], down);
    link->mass = mass.mass;
    for (int k = 0; k < 3; k++) {
        link->v[k] = v[k];
        link->v[3 + k] = w[k];
        link->up[k] = up[k] - x[k];
        link->down[k] = down[k] - x[k];
        for (int j = 0; j < 3; j++) {
            link->inertia[k][j] = link->inverse[k][j] = 0;
            for (int a = 0; a < 3; a++) {
                link->inertia[k][j] += R[4 * k + a] * mass.I[5 * a] * R[4 * j + a];
                link->inverse[k][j] += R[4 * k + a] / mass.I[5 * a] * R[4 * j + a];
            }
        }
    }
}

/* What a force at a lever adds to the motion of its body. */
static void push(const Link *link, const double lever[3], const double force[3], double sign, double motion[6])
{
    double torque[3], turn[3];
    cross3(lever, force, torque);
    times(link->inverse, torque, turn);
    for (int k = 0; k < 3; k++) {
        motion[k] += sign * force[k] / link->mass;
        motion[3 + k] += sign * turn[k];
    }
}

/* M^-1 J^T */
static void pushAll(const Link *link, const double force[ROWS], double motion[LINKS][6])
{
    for (int i = 0; i < LINKS; i++) {
        push(&link[i], link[i].up, force + 3 * i, 1, motion[i]);
        if (i)
            push(&link[i - 1], link[i - 1].down, force + 3 * i, -1, motion[i - 1]);
    }
}

/* J */
static void relative(const Link *link, double motion[LINKS][6], double out[ROWS])
{
    for (int i = 0; i < LINKS; i++) {
        double own[3], other[3] = {0};
        cross3(motion[i] + 3, link[i].up, own);
        if (i)
            cross3(motion[i - 1] + 3, link[i - 1].down, other);
        for (int k = 0; k < 3; k++)
            out[3 * i + k] = motion[i][k] + own[k] - (i ? motion[i - 1][k] + other[k] : 0);
    }
}

/* x := (J M^-1 J^T)^-1 x, by Cholesky's factor */
static void solve(const Link *link, double x[ROWS])
{
    static double A[ROWS][ROWS];
    for (int i = 0; i < ROWS; i++) {
        double unit[ROWS] = {0}, motion[LINKS][6] = {{0}};
        unit[i] = 1;
        pushAll(link, unit, motion);
        relative(link, motion, A[i]);
    }
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k <= i; k++) {
            for (int j = 0; j < k; j++)
                A[i][k] -= A[i][j] * A[k][j];
            A[i][k] = k < i ? A[i][k] / A[k][k] : sqrt(A[i][i]);
        }
    for (int i = 0; i < ROWS; i++) {
        for (int k = 0; k < i; k++)
            x[i] -= A[i][k] * x[k];
        x[i] /= A[i][i];
    }
    for (int i = ROWS; i-- > 0;) {
        for (int k = i + 1; k < ROWS; k++)
            x[i] -= A[k][i] * x[k];
        x[i] /= A[i][i];
    }
}

/* w x (w x lever) */
static void towards(const double w[3], const double lever[3], double out[3])
{
    double speed[3];
    cross3(w, lever, speed);
    cross3(w, speed, out);
}

/* The balls' forces on bodies that rotate like this: their other velocities have no effect. */
static void findForces(const Link *link, double v[LINKS][6], double force[ROWS])
{
    double free[LINKS][6] = {{0}}, left[ROWS];
    for (int i = 0; i < LINKS; i++) {
        double spin[3], torque[3];
        times(link[i].inertia, v[i] + 3, spin);
        cross3(spin, v[i] + 3, torque);
        times(link[i].inverse, torque, free[i] + 3);
        free[i][2] = -SCENE_GRAVITY;
    }
    relative(link, free, left);
    for (int i = 0; i < LINKS; i++) {
        double own[3], other[3] = {0};
        towards(v[i] + 3, link[i].up, own);
        if (i)
            towards(v[i - 1] + 3, link[i - 1].down, other);
        for (int k = 0; k < 3; k++)
            force[3 * i + k] = -own[k] + other[k] - left[3 * i + k];
    }
    solve(link, force);
}

typedef struct Truth {
    double kept[ROWS], nearest[ROWS]; /* forces on body i */
} Truth;

static void findTruth(const Scene *scene, Truth *truth)
{
    static Link link[LINKS];
    double v[LINKS][6], impulse[ROWS];
    for (int i = 0; i < LINKS; i++) {
        readLink(scene, i, &link[i]);
        memcpy(v[i], link[i].v, sizeof v[i]);
    }
    findForces(link, v, truth->kept);
    relative(link, v, impulse);
    for (int row = 0; row < ROWS; row++)
        impulse[row] = -impulse[row];
    solve(link, impulse);
    pushAll(link, impulse, v);
    findForces(link, v, truth->nearest);
}

START_TEST(bars_reach_the_nearer_field)
{
    enum { STEPS = 240 };
    // N: the library turns bodies by 1e-8 of what takes a gap's rate (core/least_motion.c)
    const double turned = 1e-7 * boxMass * SCENE_GRAVITY;
    const ksStepper stepper = _i ? KS_WORLD_STEP : KS_QUICK_STEP;
    Scene *scene = heavyChain();
    ksInspector *inspector = inspect(scene->world);
    int taken = 0, wrong = 0;
    for (int step = 0; step < STEPS; step++) {
        Truth truth;
        findTruth(scene, &truth);
        CHECK_OK(inspectedStep(inspector, stepper, h));
        for (int i = 0; i < LINKS; i++) {
            const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[i]);
            ck_assert_int_eq(reaction->rowCount, 3);
            for (int k = 0; k < 3; k++) {
                const ksRow *row = &reaction->row[k];
                const double force = row->jacobian[0][k] * row->physical, *kept = truth.kept + 3 * i,
                             *nearest = truth.nearest + 3 * i;
                ck_assert_double_eq(fabs(row->jacobian[0][k]), 1);
                taken += row->adopted > 0;
                if (row->adopted == 0)
                    ck_assert_double_le(fabs(force - kept[k]), turned);
                wrong += !(fmin(fabs(force - kept[k]), fabs(force - nearest[k])) <= row->physicalBar + turned);
            }
        }
    }
    ck_assert_int_eq(wrong, 0);
    // dWorldStep leaves no velocities that matter
    ck_assert_int_eq(taken > 0, stepper == KS_QUICK_STEP);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("near_fields");
    tcase_add_loop_test(test, bars_reach_the_nearer_field, 0, 2);
    return runCase("near_fields", test);
}

/* check_body_motion.c  The stepper's effect on the velocity of a body: from the engine's feedback,
 * the snapshot predicts every velocity after a step, and the rows hold as read. */
#include "tests/kits/engine_kit.h"

enum { BODIES = 6, WORLDS = 30, STEPS = 15 };
static const double h = 0.01;

/* A velocity is a sum of some ten terms. Relative to the sum of their sizes its error is a few
 * times their rounding; for QuickStep times the number of iterations, in which it accumulates the
 * forces. Largest found: 3e-16 and 7e-15. */
static const double kMomentum = 5e-14;

/* dWorldStep's factorisation: residual of a row relative to the velocities; condition up to 1e5,
 * largest found 3e-11. */
static const double kRow = 1e-9;

/* A pose of some metres is accurate to 1e-15, divided by h. */
static const double kPose = 1e-12;

typedef struct Scene {
    dWorldID world;
    ksiEngine engine;
    dBodyID body[BODIES + 1];
    int joints;
    dJointID joint[BODIES];
    dJointFeedback feedback[BODIES];
} Scene;

static void randomiseBody(dBodyID body, Random *random)
{
    if (oneIn(random, 2)) {
        dBodySetLinearDamping(body, uniform(random, 0, 0.3));
        dBodySetAngularDamping(body, uniform(random, 0, 0.3));
        dBodySetLinearDampingThreshold(body, uniform(random, 0, 1));
        dBodySetAngularDampingThreshold(body, uniform(random, 0, 1));
    }
    if (oneIn(random, 4))
        dBodySetMaxAngularSpeed(body, uniform(random, 0.5, 3));
    dBodySetGyroscopicMode(body, !oneIn(random, 4));
    dBodySetGravityMode(body, !oneIn(random, 4));
    dBodySetFiniteRotationMode(body, oneIn(random, 3));
    if (oneIn(random, 6))
        dBodySetKinematic(body);
}

/* A chain of joints of any kind, some to the world and to kinematic bodies. */
static Scene *randomScene(uint64_t seed)
{
    Scene *scene = calloc(1, sizeof *scene);
    Random random = {seed};
    scene->world = newWorld();
    for (int i = 0; i <= BODIES; i++) {
        scene->body[i] = randomBody(scene->world, &random);
        randomiseBody(scene->body[i], &random);
    }
    for (int i = 0; i < BODIES; i++) {
        const int type = 1 + (int)(randomBits(&random) % (KSI_JOINT_TYPES - 1));
        int attachment = oneIn(&random, 2) ? BOTH : (int)(randomBits(&random) % ATTACHMENTS);
        if (attachment == SECOND_ONLY && (type == dJointTypePR || type == dJointTypePiston))
            attachment = FIRST_ONLY;  // other attachments would explode by the engine's false error
        dJointID joint = randomJoint(scene->world, type, attachment, scene->body[i], scene->body[i + 1], &random);
        if (!joint)
            continue;
        dJointSetFeedback(joint, &scene->feedback[scene->joints]);
        scene->joint[scene->joints++] = joint;
    }
    scene->engine = openEngine(scene->world);
    return scene;
}

static void endScene(Scene *scene)
{
    endWorld(scene->world);
    free(scene);
}

static int indexOf(const Scene *scene, dBodyID body)
{
    for (int i = 0; i <= BODIES; i++)
        if (scene->body[i] == body)
            return i;
    return -1;
}

/* The total force and torque on each body, and the sums of their terms' sizes. */
typedef struct Load {
    double total[6], size[2];
} Load;

static void addWrench(Load *load, const double force[3], const double torque[3])
{
    ksiAddScaled(load->total, 1, force);
    ksiAddScaled(load->total + 3, 1, torque);
    load->size[0] += sqrt(ksiDot(force, force));
    load->size[1] += sqrt(ksiDot(torque, torque));
}

/* v* = v + h M^-1 f */
static void solvedVelocity(const ksiBody *body, const double f[6], double v[6])
{
    memcpy(v, body->velocity, 6 * sizeof *v);
    if (body->kinematic)
        return;
    double spin[3];
    ksiTransform(spin, body->inverse, f + 3);
    ksiAddScaled(v, h / body->mass, f);
    ksiAddScaled(v + 3, h, spin);
}

typedef struct Step {
    ksiBody before[BODIES + 1];
    ksiRows rows[BODIES];
    double solved[BODIES + 1][6]; /* v* by the prediction */
} Step;

/* Makes one step; returns the largest distance of a velocity from its prediction. */
static double stepOnce(Scene *scene, ksStepper stepper, Step *step)
{
    Load load[BODIES + 1];
    memset(load, 0, sizeof load);
    for (int i = 0; i <= BODIES; i++) {
        ck_assert_int_eq(ksiReadBody(&scene->engine, scene->body[i], h, &step->before[i]), KS_OK);
        addWrench(&load[i], step->before[i].force, step->before[i].force + 3);
    }
    for (int j = 0; j < scene->joints; j++) {
        ck_assert_int_eq(ksiReadRows(&scene->engine, scene->joint[j], stepper, h, &step->rows[j]), KS_OK);
        ksiFillFeedback(&scene->feedback[j]);
    }
    ck_assert_int_eq(stepper == KS_WORLD_STEP ? dWorldStep(scene->world, h) : dWorldQuickStep(scene->world, h), 1);

    for (int j = 0; j < scene->joints; j++) {
        dBodyID body[2];
        int reversed;
        ksiJointBodies(scene->joint[j], body, &reversed);
        const dJointFeedback *feedback = &scene->feedback[j];
        for (int b = 0; b < 2 && body[b]; b++) {
            const int index = indexOf(scene, body[b]);
            ksWrench motors = {{0}, {0}};
            ksiAddStoppedMotors(&step->rows[j], b, 1, motors.force, motors.torque);
            addWrench(&load[index], motors.force, motors.torque);
            if (ksiFeedbackWritten(feedback, b))
                addWrench(&load[index], b ? feedback->f2 : feedback->f1, b ? feedback->t2 : feedback->t1);
        }
    }
    double worst = 0;
    for (int i = 0; i <= BODIES; i++) {
        const ksiBody *before = &step->before[i];
        double finished[6], solved[6];
        solvedVelocity(before, load[i].total, step->solved[i]);
        ksiCopy(finished, dBodyGetLinearVel(scene->body[i]));
        ksiCopy(finished + 3, dBodyGetAngularVel(scene->body[i]));
        ksiUndoDamping(before, finished, step->solved[i], solved);
        const double mobility[2] = {1 / before->mass, before->inverse[0] + before->inverse[4] + before->inverse[8]};
        for (int k = 0; k < 6; k++) {
            const double size = 1 + fabs(before->velocity[k]) + h * mobility[k / 3] * load[i].size[k / 3];
            worst = fmax(worst, fabs(step->solved[i][k] - solved[k]) / size);
        }
    }
    return worst;
}

START_TEST(feedbackAndSnapshotGiveTheVelocities)
{
    static Step step;
    double worst = 0;
    for (uint64_t seed = 1; seed <= WORLDS; seed++) {
        Scene *scene = randomScene(seed);
        dWorldSetQuickStepNumIterations(scene->world, 50);
        for (int i = 0; i < STEPS; i++) {
            dBodyAddForceAtRelPos(scene->body[i % BODIES], 1, -2, 3, 0.1, 0.2, -0.1);
            worst = fmax(worst, stepOnce(scene, (ksStepper)_i, &step));
        }
        endScene(scene);
    }
    printf("%s: worst momentum residual %.1e\n", _i ? "dWorldQuickStep" : "dWorldStep", worst);
    ck_assert_double_lt(worst, kMomentum);
}
END_TEST

/* lambda of a joint from its wrench: J^T lambda = (f1 t1 f2 t2) by normal equations; 0 where its
 * rows are dependent. */
static int multipliers(const ksiRows *rows, const dJointFeedback *feedback, double lambda[KSI_MAX_ROWS])
{
    const int n = rows->count, second = ksiFeedbackWritten(feedback, 1);
    double A[KSI_MAX_ROWS][KSI_MAX_ROWS + 1];
    for (int i = 0; i < n; i++) {
        const double(*J)[6] = rows->row[i].jacobian;
        for (int j = 0; j < n; j++) {
            A[i][j] = 0;
            for (int k = 0; k < 12; k++)
                A[i][j] += J[k / 6][k % 6] * rows->row[j].jacobian[k / 6][k % 6];
        }
        A[i][n] = ksiDot(J[0], feedback->f1) + ksiDot(J[0] + 3, feedback->t1);
        if (second)
            A[i][n] += ksiDot(J[1], feedback->f2) + ksiDot(J[1] + 3, feedback->t2);
    }
    for (int i = 0; i < n; i++) {
        if (A[i][i] < 1e-4)
            return 0;
        for (int r = 0; r < n; r++) {
            const double factor = A[r][i] / A[i][i];
            for (int c = i; r != i && c <= n; c++)
                A[r][c] -= factor * A[i][c];
        }
    }
    for (int i = 0; i < n; i++)
        lambda[i] = A[i][n] / A[i][i];
    return 1;
}

/* J v* + cfm lambda - c, for rows inside their bounds. */
static double rowResidual(const Scene *scene, const Step *step, int joint, int *tried)
{
    const ksiRows *rows = &step->rows[joint];
    double lambda[KSI_MAX_ROWS], worst = 0;
    dBodyID body[2];
    int reversed;
    ksiJointBodies(scene->joint[joint], body, &reversed);
    if (!ksiFeedbackWritten(&scene->feedback[joint], 0) || !multipliers(rows, &scene->feedback[joint], lambda))
        return 0;
    for (int i = 0; i < rows->count; i++) {
        if (rows->row[i].kind != KS_ROW_BILATERAL)
            continue;
        double r = rows->row[i].cfm * lambda[i] - rows->row[i].c, size = 1 + fabs(rows->row[i].c);
        for (int b = 0; b < 2 && body[b]; b++) {
            const double *J = rows->row[i].jacobian[b], *v = step->solved[indexOf(scene, body[b])];
            r += ksiDot(J, v) + ksiDot(J + 3, v + 3);
            size += fabs(ksiDot(J, v)) + fabs(ksiDot(J + 3, v + 3));
        }
        worst = fmax(worst, fabs(r) / size);
        (*tried)++;
    }
    return worst;
}

START_TEST(directStepperSolvesTheRows)
{
    static Step step;
    double worst = 0;
    int tried = 0;
    for (uint64_t seed = 1; seed <= WORLDS; seed++) {
        Scene *scene = randomScene(seed + 1000);
        for (int i = 0; i < STEPS; i++) {
            stepOnce(scene, KS_WORLD_STEP, &step);
            for (int j = 0; j < scene->joints; j++)
                worst = fmax(worst, rowResidual(scene, &step, j, &tried));
        }
        endScene(scene);
    }
    printf("dWorldStep: worst residual of %d bilateral rows %.1e\n", tried, worst);
    ck_assert_int_gt(tried, WORLDS * STEPS);
    ck_assert_double_lt(worst, kRow);
}
END_TEST

/* Undoes damping and speed cap: of all velocities that end as the finished one, finds the nearest
 * to a guess. */
START_TEST(undoesDamping)
{
    const ksiBody body = {.damped = 1,
                          .linearDamping = 0.25,
                          .angularDamping = 0.5,
                          .linearThreshold2 = 0.01,
                          .angularThreshold2 = 1,
                          .maxAngularSpeed = 4};
    const struct {
        double finished[6], guess[6], solved[6];
        int capped;
    } cases[] = {
        // it was damped, although the guess is at rest
        {{0.75, -1.5, 0.375, 0.5, 1, 1.5}, {0}, {1, -2, 0.5, 1, 2, 3}, 0},
        // too slow for damping, whatever the guess
        {{0.01, 0.02, 0, 0.1, 0.2, 0.05}, {9, 9, 9, 9, 9, 9}, {0.01, 0.02, 0, 0.1, 0.2, 0.05}, 0},
        // |w| = 0.9 was either 0.9 or, before damping, 1.8; |v| = 0.09 either 0.09 or 0.12
        {{0.09, 0, 0, 0, 0.9, 0}, {0.1, 0, 0, 0, 1.3, 0}, {0.09, 0, 0, 0, 0.9, 0}, 0},
        {{0.09, 0, 0, 0, 0.9, 0}, {0.11, 0, 0, 0, 1.4, 0}, {0.12, 0, 0, 0, 1.8, 0}, 0},
        // |w| = 2 was 4 before damping, and that can come from any speed above the cap
        {{0, 0, 0, 1.2, 0, 1.6}, {0, 0, 0, 6, 0, 8}, {0, 0, 0, 6, 0, 8}, 1},
        {{0, 0, 0, 1.2, 0, 1.6}, {0, 0, 0, 1, 0, 0}, {0, 0, 0, 2.4, 0, 3.2}, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double solved[6];
        ck_assert_int_eq(ksiUndoDamping(&body, cases[i].finished, cases[i].guess, solved), cases[i].capped);
        for (int k = 0; k < 6; k++)
            ck_assert_double_eq_tol(solved[k], cases[i].solved[k], 1e-14);
    }
    // damping of 1, or a cap of 0, leaves no velocity
    const ksiBody brake = {.damped = 1, .linearDamping = 1, .linearThreshold2 = 0.01, .maxAngularSpeed = 0};
    const double rest[6] = {0}, fast[6] = {1, 2, 3, 4, 5, 6}, slow[6] = {0.01, 0, 0, 0, 0, 0};
    double solved[6];
    ck_assert_int_eq(ksiUndoDamping(&brake, rest, fast, solved), 1);
    ck_assert_mem_eq(solved, fast, sizeof fast);
    ksiUndoDamping(&brake, rest, slow, solved);
    ck_assert_mem_eq(solved, rest, sizeof rest);
}
END_TEST

/* The pose gives v*, for any damping, in each rotation mode. */
START_TEST(poseTellsTheVelocity)
{
    for (uint64_t seed = 0; seed < 50; seed++) {
        dWorldID world = newWorld();
        Random random = {seed};
        dBodyID id = randomBody(world, &random);
        dBodySetDamping(id, 0.5, 0.5);
        dBodySetFiniteRotationMode(id, _i > 0);
        if (_i == 2)
            dBodySetFiniteRotationAxis(id, 0.36, 0.48, 0.8);
        if (oneIn(&random, 3))
            dBodySetAngularVel(id, 0, 0, 0);
        const ksiEngine engine = openEngine(world);
        ksiBody body;
        ck_assert_int_eq(ksiReadBody(&engine, id, h, &body), KS_OK);
        double solved[6], posed[6], rotation[9];
        solvedVelocity(&body, body.force, solved);
        ck_assert(dWorldStep(world, h));
        const dReal *R = dBodyGetRotation(id);
        for (int i = 0; i < 9; i++)
            rotation[i] = R[4 * (i / 3) + i % 3];
        ksiPosedVelocity(&body, dBodyGetPosition(id), rotation, h, posed);
        for (int k = 0; k < 6; k++)
            ck_assert_double_eq_tol(posed[k], solved[k], kPose);
        endWorld(world);
    }
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("body motion");
    tcase_add_loop_test(tests, feedbackAndSnapshotGiveTheVelocities, 0, 2);
    tcase_add_test(tests, directStepperSolvesTheRows);
    tcase_add_test(tests, undoesDamping);
    tcase_add_loop_test(tests, poseTellsTheVelocity, 0, 3);
    return runCase("body motion", tests);
}

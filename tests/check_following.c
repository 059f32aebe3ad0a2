/* check_following.c  Friction bounds that follow their normal forces, as dWorldQuickStep's do: the fixed point, and its bars. */
#include "support.h"

static const double h = 0.001;
/* of the island's load: what bars stay below, but for rows that others nearly hold */
static const double softTolerance = 1e-6;

static double draw(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state / 2147483648.0 - 1;
}

enum { BALLS = 6, BALL_ROWS = 6 * BALLS };

/* Balls in a chain, pressed against walls on many sides, after a few sweeps of the engine. */
static dWorldID pressedChain(unsigned *state, dBodyID all[BALLS])
{
    dWorldID world = dWorldCreate();
    dWorldSetQuickStepNumIterations(world, 10);
    for (int i = 0; i < BALLS; i++) {
        dBodyID ball = all[i] = addBall(world, 1.1 + draw(state), 0.5, i, 0);
        dJointID joint = dJointCreateBall(world, 0);
        dJointAttach(joint, ball, i > 0 ? all[i - 1] : NULL);
        dJointSetBallAnchor(joint, i - 0.5, 0.2 * draw(state), 0.2 * draw(state));
        const double v[3] = {draw(state), draw(state), draw(state)}, size = length3(v);
        dContact at = {.surface = {.mode = dContactApprox1, .mu = 0.2 + fabs(draw(state))},
                       .geom = {.pos = {i + 0.5 * draw(state), 0.5 * draw(state), 0.5 * draw(state)},
                                .normal = {v[0] / size, v[1] / size, v[2] / size},
                                .depth = 0.01}};
        addContact(world, 0, &at, ball, NULL);
        dBodyAddForce(ball, 1000 * draw(state), 1000 * draw(state), 1000 * draw(state));
    }
    return world;
}

/* Whatever way the search takes, friction inside its bounds is within mu times the normal force of the same solution. */
START_TEST(friction_is_within_its_bounds)
{
    enum { SCENES = 100 };
    unsigned state = (unsigned)_i + 1;
    int found = 0;
    for (int k = 0; k < SCENES; k++) {
        dBodyID ball[BALLS];
        dWorldID world = pressedChain(&state, ball);
        ksInspector *inspector = inspect(world);
        CHECK_OK(ksInspectorQuickStep(inspector, h));
        size_t count;
        const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
        for (size_t j = 0; j < count; j++) {
            const ksRow *row = reaction[j].row;
            for (int l = 1; reaction[j].type == dJointTypeContact && l < reaction[j].rowCount; l++) {
                if (row[l].place != KS_INSIDE || !(row[0].gauss > 0))
                    continue;
                ck_assert_double_le(fabs(row[l].gauss), row[l].hi * row[0].gauss * (1 + softTolerance) + softTolerance);
                found++;
            }
        }
        ksInspectorDestroy(inspector);
        dWorldDestroy(world);
    }
    ck_assert_int_gt(found, SCENES);
}
END_TEST

/* What the step's rows are made of, and the balls at rest. */
typedef struct Pressed {
    const ksReaction *reaction;
    const dBodyID *ball;
    long double force[BALLS][6], weight[BALLS][6]; /* 1 / (m m m I I I) */
    int rows, normal[BALL_ROWS];
    const ksRow *row[BALL_ROWS];
    dBodyID body[BALL_ROWS][2];
} Pressed;

/* J_l M^-1 times the rows of another one, or the applied forces */
static long double across(const Pressed *p, int l, int other)
{
    long double sum = 0;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < BALLS; i++)
            for (int k = 0; p->body[l][side] == p->ball[i] && k < 6; k++) {
                long double force = other < 0 ? p->force[i][k] : 0;
                for (int end = 0; other >= 0 && end < 2; end++)
                    force += p->body[other][end] == p->ball[i] ? p->row[other]->jacobian[end][k] : 0;
                sum += p->row[l]->jacobian[side][k] * p->weight[i][k] * force;
            }
    return sum;
}

/* x of k x = right, by elimination; right is column `rows`. */
static void eliminate(int rows, long double k[BALL_ROWS][BALL_ROWS + 1], long double *x)
{
    for (int c = 0; c < rows; c++) {
        int best = c;
        for (int i = c + 1; i < rows; i++)
            best = fabsl(k[i][c]) > fabsl(k[best][c]) ? i : best;
        for (int j = c; j <= rows; j++) {
            const long double kept = k[c][j];
            k[c][j] = k[best][j];
            k[best][j] = kept;
        }
        for (int i = 0; i < rows; i++) {
            const long double times = i == c ? 0 : k[i][c] / k[c][c];
            for (int j = c; times != 0 && j <= rows; j++)
                k[i][j] -= times * k[c][j];
        }
    }
    for (int l = 0; l < rows; l++)
        x[l] = k[l][rows] / k[l][l];
}

/* Of rows where they were found: (h A + cfm) lambda = c - h J M^-1 f, and lambda = +- mu lambda_N at a bound. */
static void solvePressed(const Pressed *p, long double *multiplier)
{
    static long double k[BALL_ROWS][BALL_ROWS + 1];
    memset(k, 0, sizeof k);
    for (int l = 0; l < p->rows; l++) {
        const ksRow *row = p->row[l];
        for (int j = 0; row->place == KS_INSIDE && j < p->rows; j++)
            k[l][j] = h * across(p, l, j) + (l == j ? row->cfm : 0);
        if (row->place == KS_INSIDE) {
            k[l][p->rows] = row->c - h * across(p, l, -1);
            continue;
        }
        k[l][l] = 1;
        if (p->normal[l] >= 0)
            k[l][p->normal[l]] = row->place == KS_AT_LOW ? row->hi : -row->hi;
    }
    eliminate(p->rows, k, multiplier);
}

static void describePressed(Pressed *p, size_t count)
{
    p->rows = 0;
    for (size_t j = 0; j < count; j++) {
        const ksReaction *reaction = &p->reaction[j];
        const int first = p->rows;
        for (int l = 0; l < reaction->rowCount; l++, p->rows++) {
            p->row[p->rows] = &reaction->row[l];
            p->normal[p->rows] = reaction->row[l].findex < 0 ? -1 : first + reaction->row[l].findex;
            memcpy(p->body[p->rows], reaction->body, sizeof p->body[0]);
        }
    }
}

static void loadPressed(Pressed *p)
{
    for (int i = 0; i < BALLS; i++) {
        dMass mass;
        dBodyGetMass(p->ball[i], &mass);
        for (int k = 0; k < 6; k++) {
            p->weight[i][k] = 1 / (long double)(k < 3 ? mass.mass : mass.I[0]);
            p->force[i][k] = k < 3 ? dBodyGetForce(p->ball[i])[k] : dBodyGetTorque(p->ball[i])[k - 3];
        }
    }
}

/* Bounds that follow normal forces are as uncertain as these are. */
START_TEST(bars_of_following_friction)
{
    enum { SCENES = 100 };
    static long double exact[BALL_ROWS];
    unsigned state = (unsigned)_i + 1;
    int found = 0, sharp = 0, sliding = 0;
    for (int k = 0; k < SCENES; k++) {
        dBodyID ball[BALLS];
        dWorldID world = pressedChain(&state, ball);
        ksInspector *inspector = inspect(world);
        Pressed p = {.ball = ball};
        loadPressed(&p);
        CHECK_OK(ksInspectorQuickStep(inspector, h));
        size_t count;
        p.reaction = ksInspectorGetReactions(inspector, &count);
        describePressed(&p, count);
        solvePressed(&p, exact);
        long double load = 0;
        for (int l = 0; l < p.rows; l++)
            load = fmaxl(load, fabsl(exact[l]));
        for (int l = 0; l < p.rows; l++) {
            const ksRow *row = p.row[l];
            if (isnan(row->errorBar) || !row->determinate)
                continue;
            ck_assert(fabsl(exact[l] - row->gauss) <= row->errorBar);
            ck_assert(fabsl(exact[l] - row->paulus) <= row->errorBar);
            sliding += row->findex >= 0 && row->place != KS_INSIDE && row->gauss != 0;
            sharp += row->errorBar <= softTolerance * load;
            found++;
        }
        ksInspectorDestroy(inspector);
        dWorldDestroy(world);
    }
    ck_assert_int_gt(sliding, SCENES);
    ck_assert_int_ge(10 * sharp, 9 * found);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("following");
    TCase *test = tcase_create("following");
    tcase_add_loop_test(test, friction_is_within_its_bounds, 0, 16);
    tcase_add_loop_test(test, bars_of_following_friction, 0, 16);
    suite_add_tcase(suite, test);
    return runSuite(suite);
}

/* check_stacks.c  Stacks of boxes under dWorldStep, whose contacts share their loads by their
 * compliance alone.
 *
 * The truth is the engine's own problem in binary128, from the rows of the report and the bodies
 * before the step,
 *
 *     A = J M^-1 J^T + cfm/h,      b = (c/h - J (v/h + g)),
 *
 * solved first without friction, then with |x| <= mu times those normal forces. */
#include "tests/kits/box_problem.h"
#include "tests/kits/support.h"

#include <stdarg.h>
#include <stdint.h>

enum { BOXES = 3, QUICK_STACKS = 15, LONG_STACKS = 300, QUICK_STEPS = 10, LONG_STEPS = 20 };
static const double h = 0.01;
static const double worldCfm[] = {1e-10, 1e-7, 1e-6, 1e-5}; /* the engine's default, and softer ones */

/* Limits, of the largest load: for the sum of all joints on a body, and for one contact. */
static const double kNet = 1e-10, kContact = 1e-5;
/* The rounding of a row's residual is 1e-16 of a few dozen terms of some 10 m/s^2 (v/h, and A x).
 * Divided by cfm/h, it shifts the shares that compliance decides. */
static const double kRounding = 1e-13;
/* m/s^2, of a row's residual: beyond it the row slides by more than the library attributes to
 * compliance. */
static const double kSlides = 1e-5;
/* The error of a step that the engine gave up is larger than this; the least found is 0.15. */
static const double kGivenUp = 0.05;

/* At most one step in this many, or one of fewer steps, may have contacts whose force is pure
 * rounding and stays unchecked. */
static const int kResolved = 1000;

/* Kinds of stacks, in turn. Where boxes just touch, the engine's solver often gives up. */
enum { TOUCHING = 1, ALIGNED = 2, AT_REST = 4, KINDS = 8 };

typedef struct Stack {
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    dBodyID body[BOXES];
    dSurfaceParameters surface;
} Stack;

/* A step: bodies before it, then rows and their true forces. */
typedef struct Step {
    Wide inverse[BOXES][6][6], velocity[BOXES][6]; /* M^-1, v */
    const ksReaction *reaction;
    size_t reactionCount;
    const ksRow *row[BOX_ROWS];
    int body[BOX_ROWS][2], normal[BOX_ROWS]; /* -1: the world; no friction */
    BoxProblem problem;
    Wide first[BOX_ROWS]; /* normal forces of the first stage */
    double load, shift;   /* shift: effect of rounding on the shares of the load */
} Step;

/* Largest errors and counts; [1]: of steps that the engine gave up. */
typedef struct Figures {
    int steps[2], alarms[2], unresolved, contacts, sliding;
    double net, contact, bound, engineBound, missed, leastMissed;
} Figures;

static unsigned long messages;

static void countMessage(int number, const char *format, va_list arguments)
{
    (void)number;
    (void)format;
    (void)arguments;
    messages++;
}

/* splitmix64 */
static double uniform(uint64_t *state, double low, double high)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return low + (high - low) * (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static void stackBox(Stack *s, int i, uint64_t *random, int kind, double *top)
{
    const double sink = kind & TOUCHING ? 0 : 0.001;
    const double side[3] = {uniform(random, 0.3, 0.8), uniform(random, 0.3, 0.8), uniform(random, 0.2, 0.5)};
    dBodyID body = s->body[i] = addBox(s->world, uniform(random, 0.5, 3), side, 0);
    dBodySetGyroscopicMode(body, 0);
    dBodySetPosition(body, uniform(random, -0.1, 0.1), uniform(random, -0.1, 0.1), *top - sink + side[2] / 2);
    *top += side[2] - sink;
    const double angle = uniform(random, 0, 3);
    dMatrix3 turn;
    dRFromAxisAndAngle(turn, 0, 0, 1, kind & ALIGNED ? 0 : angle);
    dBodySetRotation(body, turn);
    if (!(kind & AT_REST))
        dBodySetLinearVel(body, uniform(random, -0.3, 0.3), uniform(random, -0.3, 0.3), 0);
    dGeomSetBody(dCreateBox(s->space, side[0], side[1], side[2]), body);
}

static Stack newStack(int seed, double cfm)
{
    Stack s = {.world = heavyWorld(), .space = dSimpleSpaceCreate(NULL), .contacts = dJointGroupCreate(0)};
    uint64_t random = (uint64_t)seed;
    double top = 0;
    dWorldSetCFM(s.world, cfm);
    dCreatePlane(s.space, 0, 0, 1, 0);
    s.surface = (dSurfaceParameters){.mode = dContactApprox1, .mu = uniform(&random, 0.2, 1)};
    for (int i = 0; i < BOXES; i++)
        stackBox(&s, i, &random, seed % KINDS, &top);
    return s;
}

static void destroyStack(Stack *s)
{
    dJointGroupDestroy(s->contacts);
    dSpaceDestroy(s->space);
    dWorldDestroy(s->world);
}

static void collide(void *data, dGeomID a, dGeomID b)
{
    Stack *s = data;
    dContact contact[8];
    const int n = dCollide(a, b, 8, &contact[0].geom, sizeof *contact);
    for (int i = 0; i < n; i++) {
        contact[i].surface = s->surface;
        addContact(s->world, s->contacts, &contact[i], dGeomGetBody(a), dGeomGetBody(b));
    }
}

static void readBodies(const Stack *s, Step *step)
{
    memset(step->inverse, 0, sizeof step->inverse);
    for (int i = 0; i < BOXES; i++) {
        const dReal *v = dBodyGetLinearVel(s->body[i]), *omega = dBodyGetAngularVel(s->body[i]);
        const dReal *turn = dBodyGetRotation(s->body[i]);
        dMass mass;
        dBodyGetMass(s->body[i], &mass);
        for (int k = 0; k < 3; k++) {
            step->velocity[i][k] = v[k];
            step->velocity[i][3 + k] = omega[k];
            step->inverse[i][k][k] = 1 / (Wide)mass.mass;
            for (int r = 0; r < 9; r++)
                step->inverse[i][3 + r / 3][3 + r % 3] +=
                    (Wide)turn[4 * (r / 3) + k] * turn[4 * (r % 3) + k] / (Wide)mass.I[5 * k];
        }
    }
}

static int indexOf(const Stack *s, dBodyID body)
{
    int i = BOXES - 1;
    while (i >= 0 && s->body[i] != body)
        i--;
    return i;
}

/* M^-1 x */
static void accelerate(const Step *step, int body, const double *x, Wide *out)
{
    for (int i = 0; i < 6; i++) {
        out[i] = 0;
        for (int k = 0; k < 6; k++)
            out[i] += step->inverse[body][i][k] * x[k];
    }
}

static Wide dot(const double *x, const Wide *y)
{
    Wide sum = 0;
    for (int k = 0; k < 6; k++)
        sum += x[k] * y[k];
    return sum;
}

static double sizeOf(const Step *step, int body, const double wrench[6])
{
    Wide a[6];
    accelerate(step, body, wrench, a);
    return sqrt((double)dot(wrench, a));
}

static void formProblem(Step *step)
{
    BoxProblem *p = &step->problem;
    Wide responding[2][6];
    for (int i = 0; i < p->count; i++) {
        p->b[i] = (Wide)step->row[i]->c / h;
        for (int side = 0; side < 2; side++) {
            const double *jacobian = step->row[i]->jacobian[side];
            if (step->body[i][side] < 0)
                continue;
            accelerate(step, step->body[i][side], jacobian, responding[side]);
            p->b[i] += jacobian[2] * (Wide)SCENE_GRAVITY - dot(jacobian, step->velocity[step->body[i][side]]) / h;
        }
        for (int k = 0; k < p->count; k++) {
            p->a[i][k] = k == i ? (Wide)step->row[i]->cfm / h : 0;
            for (int both = 0; both < 4; both++) {
                if (step->body[i][both / 2] >= 0 && step->body[i][both / 2] == step->body[k][both % 2])
                    p->a[i][k] += dot(step->row[k]->jacobian[both % 2], responding[both / 2]);
            }
        }
    }
}

static void solveTruth(Step *step)
{
    BoxProblem *p = &step->problem;
    for (int i = 0; i < p->count; i++) {
        const bool friction = step->normal[i] >= 0;
        p->low[i] = friction ? 0 : step->row[i]->lo;
        p->high[i] = friction ? 0 : step->row[i]->hi;
        p->x[i] = step->row[i]->engine;
    }
    ck_assert(boxSolve(p));
    memcpy(step->first, p->x, sizeof p->x);
    for (int i = 0; i < p->count; i++) {
        if (step->normal[i] >= 0) {
            p->high[i] = step->row[i]->hi * step->first[step->normal[i]];
            p->low[i] = -p->high[i];
        }
        p->x[i] = step->row[i]->engine;
    }
    ck_assert(boxSolve(p));
}

static void readRows(const Stack *s, const ksInspector *inspector, Step *step)
{
    step->reaction = ksInspectorGetReactions(inspector, &step->reactionCount);
    step->problem.count = 0;
    for (size_t k = 0; k < step->reactionCount; k++) {
        const ksReaction *reaction = &step->reaction[k];
        const int start = step->problem.count;
        for (int l = 0; l < reaction->rowCount; l++) {
            const int at = step->problem.count++;
            ck_assert_int_lt(at, BOX_ROWS);
            step->row[at] = &reaction->row[l];
            step->normal[at] = reaction->row[l].findex < 0 ? -1 : start + reaction->row[l].findex;
            for (int side = 0; side < 2; side++)
                step->body[at][side] = indexOf(s, reaction->body[side]);
        }
    }
}

/* sign times a wrench */
static void add(double sum[6], const ksWrench *wrench, double sign)
{
    for (int k = 0; k < 3; k++) {
        sum[k] += sign * wrench->force[k];
        sum[3 + k] += sign * wrench->torque[k];
    }
}

/* For each body in the mass metric, over all reactions: engine - converged, engine - truth; and for
 * one reaction. */
static void compareWrenches(const Stack *s, Step *step, Figures *figures, double *missed)
{
    double net[BOXES][6] = {{0}}, wrong[BOXES][6] = {{0}}, contact = 0, largest = 0;
    for (size_t k = 0; k < step->reactionCount; k++) {
        double off = 0;
        for (int side = 0; side < 2; side++) {
            const ksReaction *reaction = &step->reaction[k];
            const int body = indexOf(s, reaction->body[side]);
            double one[6] = {0};
            if (body < 0)
                continue;
            add(one, &reaction->engine[side], 1);
            add(wrong[body], &reaction->engine[side], 1);
            add(one, &reaction->converged[side], -1);
            off = hypot(off, sizeOf(step, body, one));
            for (int i = 0; i < 6; i++)
                net[body][i] += one[i];
        }
        contact = fmax(contact, off);
    }
    for (int i = 0; i < step->problem.count; i++) {
        for (int side = 0; side < 2; side++) {
            for (int k = 0; k < 6 && step->body[i][side] >= 0; k++)
                wrong[step->body[i][side]][k] -= (double)(step->problem.x[i] * step->row[i]->jacobian[side][k]);
        }
    }
    *missed = 0;
    for (int i = 0; i < BOXES; i++) {
        largest = fmax(largest, sizeOf(step, i, net[i]));
        *missed = fmax(*missed, sizeOf(step, i, wrong[i]) / step->load);
    }
    if (figures) {
        figures->net = fmax(figures->net, largest / step->load);
        figures->contact = fmax(figures->contact, contact / step->load);
    }
}

/* Largest applied force or reaction of the true solution. */
static double largestLoad(const Stack *s, const Step *step)
{
    double load = 0;
    for (int i = 0; i < BOXES; i++) {
        dMass mass;
        dBodyGetMass(s->body[i], &mass);
        load = fmax(load, sqrt(mass.mass) * SCENE_GRAVITY);
    }
    for (int i = 0; i < step->problem.count; i++) {
        double row = sqrt((double)(step->problem.a[i][i] * step->problem.x[i] * step->problem.x[i]));
        load = fmax(load, row);
    }
    return load;
}

/* Checks bound and place of every friction row against the normal forces of the first stage, and counts. */
static void certifyFriction(const Step *step, Figures *figures)
{
    for (int i = 0; i < step->problem.count; i++) {
        const ksRow *row = step->row[i];
        if (step->normal[i] < 0)
            continue;
        const double slack = step->shift * step->load / sqrt((double)step->problem.a[i][i]);
        const double bound = row->hi * (double)step->first[step->normal[i]], w = (double)step->problem.w[i];
        figures->bound = fmax(figures->bound, fabs(fabs(row->bound) - bound) / slack * step->shift);
        figures->engineBound = fmax(figures->engineBound, (fabs(row->engine) - bound) / slack * step->shift);
        ck_assert_double_le(fabs(fabs(row->bound) - bound), slack);
        ck_assert_double_le(fabs(row->paulus), bound + slack);
        ck_assert_double_le(fabs(row->engine), bound + slack);
        if (row->place != KS_INSIDE && bound > slack)
            ck_assert_double_eq_tol(row->paulus, row->bound, slack);
        if (fabs(w) > kSlides && bound > slack) {
            figures->sliding++;
            ck_assert_int_eq(row->place, w > 0 ? KS_AT_LOW : KS_AT_HIGH);
            ck_assert(w > 0 ? row->bound < 0 : row->bound > 0);
        }
    }
}

/* Relative to the bound of the first stage, and to the published normal force. */
static void checkFrictionUse(const ksReaction *reaction)
{
    double byBound, byNormal, bound = 0, normal = 0;
    ck_assert_int_eq(ksReactionGetFrictionUse(reaction, KS_CONVERGED, &byBound, &byNormal), KS_OK);
    for (int l = 1; l < reaction->rowCount; l++) {
        const ksRow *row = &reaction->row[l];
        if (row->paulus == 0)
            continue;
        bound = hypot(bound, fabs(row->paulus / row->bound));
        normal = hypot(normal, fabs(row->paulus / (row->hi * reaction->row[0].paulus)));
    }
    ck_assert(byBound == bound || fabs(byBound - bound) <= 1e-12 * bound);
    ck_assert(byNormal == normal || fabs(byNormal - normal) <= 1e-12 * normal);
}

/* Unchecked, because it carries no more than the effect of rounding on its share of the load: boxes
 * touch without pressure. */
static bool isUnresolved(const Step *step, const ksReaction *reaction)
{
    const double *force = reaction->engine[0].force;
    dMass mass;
    dBodyGetMass(reaction->body[0], &mass);
    return reaction->verdict == KS_UNCHECKED && reaction->reasons == KS_REASON_PRECISION &&
           hypot(hypot(force[0], force[1]), force[2]) <= step->shift * step->load * sqrt(mass.mass);
}

static void checkStep(const Stack *s, Step *step, bool givenUp, Figures *figures)
{
    int alarms = 0, errors = 0, unresolved = 0;
    double missed;
    formProblem(step);
    solveTruth(step);
    step->load = largestLoad(s, step);
    step->shift = kRounding * h / dWorldGetCFM(s->world);
    for (size_t k = 0; k < step->reactionCount; k++) {
        const bool noise = !givenUp && isUnresolved(step, &step->reaction[k]);
        unresolved += noise;
        alarms += !noise && step->reaction[k].verdict < KS_INDETERMINATE;
        errors += step->reaction[k].verdict == KS_SOLVER_ERROR;
    }
    figures->steps[givenUp]++;
    figures->alarms[givenUp] += alarms > 0;
    figures->unresolved += unresolved > 0;
    compareWrenches(s, step, givenUp ? NULL : figures, &missed);
    if (givenUp) {
        ck_assert_int_gt(errors, 0);
        ck_assert_double_gt(missed, kGivenUp);
        figures->leastMissed = fmin(figures->leastMissed, missed);
        return;
    }
    ck_assert_int_eq(alarms, 0);
    figures->contacts += (int)step->reactionCount;
    figures->missed = fmax(figures->missed, missed);
    certifyFriction(step, figures);
    for (size_t k = 0; k < step->reactionCount; k++)
        checkFrictionUse(&step->reaction[k]);
}

/* Each reported contact is right where the engine has solved its equations; at least one is wrong
 * where it has not. */
static void checkReported(const ksInspector *inspector, bool givenUp)
{
    const ksStepReport *report = ksInspectorGetStepReport(inspector);
    ck_assert_int_eq(report->verdictCount[KS_SOLVER_ERROR] > 0, givenUp);
    ck_assert_uint_eq(report->verdictCount[KS_UNCHECKED] + report->verdictCount[KS_UNEXPLAINED], 0);
}

static void runStacks(double cfm, int stacks, int steps)
{
    static Step step;
    Figures figures = {.leastMissed = INFINITY};
    dSetMessageHandler(countMessage);
    for (int seed = 0; seed < stacks; seed++) {
        Stack s = newStack(seed, cfm);
        ksInspector *inspector = inspectSolved(s.world), *reported = inspect(s.world);
        for (int i = 0; i < steps; i++) {
            dSpaceCollide(s.space, &s, collide);
            readBodies(&s, &step);
            const unsigned long before = messages;
            CHECK_OK(ksInspectorBeginStep(reported, KS_WORLD_STEP, h));
            CHECK_OK(ksInspectorStep(inspector, h));
            CHECK_OK(ksInspectorEndStep(reported));
            checkReported(reported, messages > before);
            readRows(&s, inspector, &step);
            checkStep(&s, &step, messages > before, &figures);
            dJointGroupEmpty(s.contacts);
        }
        ksInspectorDestroy(inspector);
        ksInspectorDestroy(reported);
        destroyStack(&s);
    }
    dSetMessageHandler(0);
    printf(
        "CFM %g: %d steps, %d alarms, %d with contacts of no load unresolved; %d given up by the engine, all alarms; "
        "%d contacts, %d rows slide\n",
        cfm, figures.steps[0], figures.alarms[0], figures.unresolved, figures.steps[1], figures.contacts,
        figures.sliding);
    printf("    of the load: net %.1e, contact %.1e, bound %.1e; engine off the truth by %.1e, beyond bounds %.1e, "
           "given up %.1e\n",
           figures.net, figures.contact, figures.bound, figures.missed, figures.engineBound, figures.leastMissed);
    ck_assert_double_le(figures.net, kNet);
    ck_assert_double_le(figures.contact, kContact);
    ck_assert_double_le(figures.missed, kRounding * h / cfm);
    ck_assert_int_eq(figures.alarms[1], figures.steps[1]);
    ck_assert_int_gt(figures.sliding, 0);
    ck_assert_int_le(figures.unresolved, (figures.steps[0] + kResolved - 1) / kResolved);
}

START_TEST(stacks)
{
    runStacks(worldCfm[_i], QUICK_STACKS, QUICK_STEPS);
}
END_TEST

START_TEST(many_stacks)
{
    runStacks(worldCfm[_i], LONG_STACKS, LONG_STEPS);
}
END_TEST

int main(void)
{
    const int cases = sizeof worldCfm / sizeof *worldCfm;
    Suite *suite = suite_create("stacks");
    TCase *quick = tcase_create("quick"), *slow = tcase_create("long");
    tcase_add_loop_test(quick, stacks, 0, cases);
    tcase_set_tags(slow, "long");
    tcase_add_loop_test(slow, many_stacks, 0, cases);
    suite_add_tcase(suite, quick);
    suite_add_tcase(suite, slow);
    return runSuite(suite);
}

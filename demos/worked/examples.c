/* examples.c  The table of worked examples; construction and solution of their systems. */
#include "examples_private.h"

#include <stdlib.h>
#include <string.h>

const Example exampleTable[] = {
    {"Paulus 1", "weights on two inclines, thread over the ridge", paulusInclines},
    {"Paulus 1", "the same in equilibrium", paulusInclinesBalanced},
    {"Paulus 1", "the same by its kinetic energy L, with rho of (17)", paulusInclinesByL},
    {"Paulus 2", "body on a pivot", paulusPendulum},
    {"Paulus 2", "the same by the first integral", paulusPendulumEnergy},
    {"Paulus 2", "the same in equilibrium, hanging", paulusPendulumHanging},
    {"Paulus 2", "the same by its kinetic energy L, with rho of (17)", paulusPendulumByL},
    {"ours (Radakovic)", "double pendulum", radakovicRods},
    {"ours (Radakovic)", "double pendulum, driven angles", radakovicDriven},
    {"ours (Radakovic)", "double pendulum, observed motion", radakovicMeasure},
    {"ours (Gugino)", "sleigh", guginoSleigh},
    {"ours (Gugino)", "ball rolling down an incline", rollingIncline},
    {"ours (Gugino)", "ball on a turntable", rollingTurntable},
    {"ours (Gugino)", "thin disc, upright, rolling", rollingDisc},
    {"Banach 1", "point on a sphere in uniform motion", banachSphere},
    {"Banach 1", "point on a sphere in any motion", banachSphereAny},
    {"Banach 3 ex. 1", "bead on a rotating parabola", banachParabola},
    {"Banach 4.1", "point on an incline", banachIncline},
    {"Banach 4.2", "points on two lines, joined by a wire", banachWire},
    {"Banach 4.3", "point on a rotating plane", banachRotatingPlane},
    {"Banach 6.1", "point on a surface", banachSurface},
    {"Banach 6.2", "point on a growing sphere", banachGrowingSphere},
    {"Banach 7 (II')", "double pendulum with its end on a line, in angles", banachDependent},
    {"Banach 7 (II')", "the same in rectangular coordinates", banachDependentRods},
    {"Banach 7.1", "double pulley", banachDoublePulley},
    {"Banach 7.2", "three rods on four hinges", banachThreeRods},
    {"Banach 7.3", "point on a rotating line", banachRotatingLine},
    {"Banach 7.4", "Atwood's machine with an insect", banachAtwood},
    {"Banach 7.5", "central force", banachCentral},
    {"Banach 7.5", "the same in polar coordinates", banachCentralPolar},
    {"Banach 7.6", "point on a surface of revolution", banachRevolution},
    {"Banach 7.7", "spherical coordinates, free", banachSpherical},
    {"Banach 7.7", "spherical coordinates, r fixed", banachSphericalRadius},
    {"Banach 7.7", "spherical coordinates, theta fixed", banachSphericalCone},
    {"Banach 7.7", "spherical coordinates, phi fixed", banachSphericalPlane},
    {"Banach 7.7", "r and theta fixed, in these coordinates", banachSphericalOwn},
    {"Banach 8.2", "cylinder, elastic force", banachCylinder},
    {"ours (Banach 3)", "bead in a corner", cornerBead},
    {"ours (Banach 3)", "rod off a table", rodOffTable},
    {"ours (Banach 3)", "ladder that leaves its wall", slidingLadder},
    {"ours (Banach 3)", "string that goes slack", slackString},
    {"ours (Lamb 1)", "two links, blow at the end A", lambBlowEnd},
    {"ours (Lamb 1)", "two links, blow at the joint B", lambBlowJoint},
    {"ours (Lamb 1)", "two links, couple on AB", lambCouple},
    {"ours (Lamb 1)", "blow at A, the end C held", lambBlowHeldEnd},
    {"ours (Lamb 1)", "blow at A, the joint B held", lambBlowHeldJoint},
    {"ours (Lamb 1)", "blow at A, the joint B rigid", lambBlowRigid},
    {"ours (Lamb 1)", "velocity of A prescribed", lambKelvin},
    {"ours (Lamb 1)", "velocity of A prescribed, B rigid", lambKelvinRigid},
    {"Lamb 3", "rotating solid and particle, all driven", lambSolid},
    {"Lamb 3", "smooth tube, body axes", lambTube},
    {"Lamb 3", "smooth tube, axes of the room", lambTubeRoom},
};
const int exampleCount = sizeof exampleTable / sizeof *exampleTable;

double exampleDraw(ExampleCase *c, double round, double lo, double hi)
{
    if (c->draw == 0)
        return round;
    c->random = c->random * 6364136223846793005ULL + 1442695040888963407ULL;
    return lo + (hi - lo) * ((double)(c->random >> 11) / 9007199254740992.0);
}

int exampleBlock(ExampleCase *c, int size, const double *mass, const double *force)
{
    int block = 0;
    const int start = c->coordinates;
    if (!c->status && start + size > EXAMPLE_COORDINATES)
        c->status = KS_ERROR_BAD_ARGUMENT;
    if (!c->status)
        c->status = ksSystemAddBlock(c->system, size, mass, force, NULL, &block);
    if (c->status)
        return 0;
    for (int i = 0; i < size; i++) {
        c->mass[start + i] = mass[i * size + i];
        c->force[start + i] = force ? force[i] : 0;
    }
    c->coordinates += size;
    c->blockStart[++c->blockCount] = c->coordinates;
    return block;
}

int exampleDiagonal(ExampleCase *c, int size, const double *diagonal, const double *force)
{
    double mass[EXAMPLE_COORDINATES * EXAMPLE_COORDINATES] = {0};
    for (int i = 0; i < size; i++)
        mass[i * size + i] = diagonal[i];
    return exampleBlock(c, size, mass, force);
}

int exampleParticle(ExampleCase *c, int size, double mass, const double *force)
{
    double diagonal[EXAMPLE_COORDINATES];
    for (int i = 0; i < size; i++)
        diagonal[i] = mass;
    return exampleDiagonal(c, size, diagonal, force);
}

static int addRow(ExampleCase *c, int count, const int *block, const double *const *jacobian, double beta, double lo)
{
    ksRowSpec spec;
    int row = 0;
    ksRowSpecInit(&spec);
    spec.lo = lo;
    if (c->rows < EXAMPLE_ROWS && c->letsGo[c->rows])
        spec.hi = lo;
    spec.blockCount = count;
    spec.block = block;
    spec.jacobian = jacobian;
    spec.beta = beta;
    if (!c->status && c->rows == EXAMPLE_ROWS)
        c->status = KS_ERROR_BAD_ARGUMENT;
    if (!c->status)
        c->status = ksSystemAddRow(c->system, &spec, &row);
    if (!c->status)
        c->beta[c->rows++] = beta;
    return row;
}

int exampleRow(ExampleCase *c, int block, const double *j, double beta)
{
    return addRow(c, 1, &block, &j, beta, -INFINITY);
}

int exampleUnilateral(ExampleCase *c, int block, const double *j, double beta)
{
    c->isUnilateral = 1;
    return addRow(c, 1, &block, &j, beta, 0);
}

int exampleRow2(ExampleCase *c, int a, const double *ja, int b, const double *jb, double beta)
{
    const int block[2] = {a, b};
    const double *const jacobian[2] = {ja, jb};
    return addRow(c, 2, block, jacobian, beta, -INFINITY);
}

static ExampleQuantity *addQuantity(ExampleCase *c, const char *name, const char *formula, double closed)
{
    if (c->quantityCount == EXAMPLE_QUANTITIES) {
        c->status = KS_ERROR_BAD_ARGUMENT;
        c->quantityCount--;
    }
    ExampleQuantity *q = &c->quantity[c->quantityCount++];
    *q = (ExampleQuantity){.name = name, .formula = formula, .closed = closed, .scale = fabs(closed)};
    return q;
}

ExampleQuantity *exampleScaled(ExampleCase *c, int row, double factor, const char *name, const char *formula,
                               double closed)
{
    ExampleQuantity *q = addQuantity(c, name, formula, closed);
    q->onRow[row] = factor;
    return q;
}

ExampleQuantity *exampleMultiplier(ExampleCase *c, int row, const char *name, const char *formula, double closed)
{
    return exampleScaled(c, row, 1, name, formula, closed);
}

ExampleQuantity *exampleAcceleration(ExampleCase *c, int coordinate, const char *name, const char *formula,
                                     double closed)
{
    ExampleQuantity *q = addQuantity(c, name, formula, closed);
    q->onCoordinate[coordinate] = 1;
    return q;
}

ExampleQuantity *exampleAlong(ExampleCase *c, int block, const double *w, double offset, const char *name,
                              const char *formula, double closed)
{
    ExampleQuantity *q = addQuantity(c, name, formula, closed);
    const int start = c->blockStart[block];
    for (int i = start; i < c->blockStart[block + 1]; i++)
        q->onCoordinate[i] = w[i - start];
    q->offset = offset;
    exampleTerm(q, offset);
    return q;
}

ExampleQuantity *exampleSquare(ExampleCase *c, ExampleKind kind, const char *name, const char *formula, double closed)
{
    ExampleQuantity *q = addQuantity(c, name, formula, closed);
    q->kind = kind;
    return q;
}

void exampleTerm(ExampleQuantity *quantity, double term)
{
    quantity->scale = fmax(quantity->scale, fabs(term));
}

void exampleOwn(ExampleCase *c, int row, const double *direction, double derivative)
{
    ExampleOwn *own = &c->own[row];
    own->given = c->hasOwn = 1;
    own->derivative = derivative;
    memcpy(own->direction, direction, (size_t)c->coordinates * sizeof *direction);
}

static void build(const Example *example, ExampleCase *c)
{
    c->random = 88172645463325252ULL + 1000003ULL * c->draw;
    example->build(c);
}

/* Replaces the rows that let go by applied forces of size 0, so that any route solves the rest. */
static void buildWhatHolds(const Example *example, ExampleCase *c)
{
    ksRowPlace place[EXAMPLE_ROWS];
    ksBoundedSolution solution = {.place = place};
    ExampleCase again = {.system = c->system, .draw = c->draw};
    again.status = ksSystemSolveBounded(c->system, &solution);
    for (int l = 0; l < c->rows && !again.status; l++)
        again.letsGo[l] = place[l] == KS_AT_LOW;
    ksSystemClear(c->system);
    *c = again;
    build(example, c);
}

ExampleCase *exampleBuild(const Example *example, unsigned draw)
{
    ExampleCase *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->draw = draw;
    c->status = ksSystemCreate(&c->system);
    if (!c->status)
        build(example, c);
    if (!c->status && c->isUnilateral)
        buildWhatHolds(example, c);
    return c;
}

void exampleFree(ExampleCase *c)
{
    if (c)
        ksSystemDestroy(c->system);
    free(c);
}

/* Finds each multiplier from its relaxed coordinate, and the motion without multipliers. */
static ksStatus solveSingly(ExampleCase *c, int own, double *lambda, double *a)
{
    ksStatus status = ksSystemSolveMotion(c->system, a);
    for (int l = 0; l < c->rows && !status; l++) {
        ksRelaxation relaxation;
        const double *direction = own && c->own[l].given ? c->own[l].direction : NULL;
        status = ksSystemRelaxRow(c->system, l, direction, NULL, &relaxation);
        if (!status)
            lambda[l] = relaxation.multiplier;
    }
    return status;
}

/* a_o - a|^2, and |a - M^-1 f|^2 as well for the whole constraint. */
static double square(const ExampleCase *c, ExampleKind kind, const double *a)
{
    double sum = 0;
    for (int i = 0; i < c->coordinates; i++) {
        const double off = c->observed[i] - a[i], least = a[i] - c->force[i] / c->mass[i];
        sum += c->mass[i] * (off * off + (kind == EXAMPLE_CONSTRAINT ? least * least : 0));
    }
    return sum;
}

ksStatus exampleSolve(ExampleCase *c, ExampleRoute route, double *value)
{
    double lambda[EXAMPLE_ROWS] = {0}, a[EXAMPLE_COORDINATES];
    ksGaussMeasure measure;
    ksStatus status = c->status;
    if (status)
        return status;
    if (route == EXAMPLE_GAUSS)
        status = ksSystemSolveGauss(c->system, lambda, a);
    else if (route == EXAMPLE_PAULUS)
        status = ksSystemSolvePaulus(c->system, lambda, a);
    else if (route == EXAMPLE_IMPACT)
        status = ksSystemSolveImpulse(c->system, c->force, c->beta, lambda, a, NULL);
    else
        status = solveSingly(c, route == EXAMPLE_OWN, lambda, a);
    if (!status)
        status = ksSystemMeasure(c->system, c->observed, &measure);
    for (int k = 0; k < c->quantityCount && !status; k++) {
        const ExampleQuantity *q = &c->quantity[k];
        value[k] = q->offset;
        for (int l = 0; l < c->rows; l++)
            value[k] += q->onRow[l] * lambda[l];
        for (int i = 0; i < c->coordinates; i++)
            value[k] += q->onCoordinate[i] * a[i];
        if (q->kind != EXAMPLE_LINEAR && route < EXAMPLE_SINGLY)
            value[k] = square(c, q->kind, a);
        else if (q->kind != EXAMPLE_LINEAR)
            // his Z is twice ours
            value[k] = 2 * (q->kind == EXAMPLE_DISTANCE ? measure.unexplained : measure.constraint);
    }
    return status;
}

double exampleDifference(const ExampleQuantity *quantity, double value)
{
    return fabs(value - quantity->closed) / quantity->scale;
}

/** @file examples.h  The worked examples of the sources as systems of <kinetostat/system.h>, each
 *  with the closed forms of its source. Tests compare both routes with them, the demo `sources`
 *  prints them.
 *
 *      ExampleCase *c = exampleBuild(&exampleTable[i], draw);
 *      double value[EXAMPLE_QUANTITIES];
 *      if (!exampleSolve(c, EXAMPLE_GAUSS, value))
 *          for (int q = 0; q < c->quantityCount; q++)
 *              ... exampleDifference(&c->quantity[q], value[q]) ...
 *      exampleFree(c);
 *
 *  Conventions: lambda acts on the system along the gradient of phi, beta = -(v^T phi_xx v + 2
 *  phi_xt v + phi_tt), gravity 9.81 m/s^2, z up unless stated; kg, m, s, rad. An impact is a system
 *  with impulses for forces and jumps of velocity for accelerations. An example's comment names
 *  errors in print.
 */
#ifndef DEMOS_WORKED_EXAMPLES_H
#define DEMOS_WORKED_EXAMPLES_H

#include <kinetostat/system.h>

enum { EXAMPLE_ROWS = 8, EXAMPLE_COORDINATES = 12, EXAMPLE_QUANTITIES = 16 };

/** The definition of a quantity. */
typedef enum ExampleKind {
    EXAMPLE_LINEAR,    /**< offset + onRow . lambda + onCoordinate . a */
    EXAMPLE_DISTANCE,  /**< |a_o - a|^2 in the mass metric, a_o the observed motion */
    EXAMPLE_CONSTRAINT /**< |a_o - M^-1 f|^2 in the mass metric, Radakovic's Z */
} ExampleKind;

typedef struct ExampleQuantity {
    const char *name;    /**< "lambda_1" */
    const char *formula; /**< its closed form */
    ExampleKind kind;
    double closed; /**< the closed form's value */
    double scale;  /**< differences are relative to this: |closed|, or the largest term if terms may
                        cancel */
    double offset, onRow[EXAMPLE_ROWS], onCoordinate[EXAMPLE_COORDINATES];
} ExampleQuantity;

/** The source's own relaxed coordinate of one row. */
typedef struct ExampleOwn {
    int given;
    double direction[EXAMPLE_COORDINATES]; /**< w = dx/dp */
    double derivative;                     /**< closed form of dphi/dp = J w */
} ExampleOwn;

/** One example with one draw of its parameters. */
typedef struct ExampleCase {
    ksSystem *system;
    int rows, coordinates, quantityCount;
    ExampleQuantity quantity[EXAMPLE_QUANTITIES];
    ExampleOwn own[EXAMPLE_ROWS];
    int hasOwn;
    double mass[EXAMPLE_COORDINATES];  /**< diagonal of M, for the squares of particles */
    double force[EXAMPLE_COORDINATES]; /**< f */
    double beta[EXAMPLE_ROWS];
    double observed[EXAMPLE_COORDINATES]; /**< a_o */

    /* during construction */
    unsigned draw;
    unsigned long long random;
    ksStatus status;
    int isUnilateral, letsGo[EXAMPLE_ROWS];
    int blockStart[EXAMPLE_COORDINATES + 1], blockCount;
} ExampleCase;

typedef struct Example {
    const char *source; /**< author and section */
    const char *system;
    void (*build)(ExampleCase *c);
} Example;

/** The route to lambda and a. */
typedef enum ExampleRoute {
    EXAMPLE_GAUSS,  /**< ksSystemSolveGauss */
    EXAMPLE_PAULUS, /**< ksSystemSolvePaulus */
    EXAMPLE_IMPACT, /**< ksSystemSolveImpulse: f as impulses on the system at rest, beta as
                         velocities of the rows */
    EXAMPLE_SINGLY, /**< ksSystemSolveMotion, and ksSystemRelaxRow for each row alone; squares by
                         ksSystemMeasure */
    EXAMPLE_OWN,    /**< the same, in the source's own relaxed coordinates if there are any */
    EXAMPLE_ROUTES
} ExampleRoute;

extern const Example exampleTable[];
extern const int exampleCount;

/** The example with the parameters of that draw; 0: round numbers, others: random, the same on
 *  every computer.
 *  @return NULL: out of memory. c->status is the first error of the system. exampleFree frees the
 *          example. */
ExampleCase *exampleBuild(const Example *example, unsigned draw);

/** NULL is allowed. */
void exampleFree(ExampleCase *c);

/** Computes all quantities by a route. @param[out] value [quantityCount] @return the first status
 *  that is not KS_OK */
ksStatus exampleSolve(ExampleCase *c, ExampleRoute route, double *value);

/** |value - closed| / scale */
double exampleDifference(const ExampleQuantity *quantity, double value);

#endif

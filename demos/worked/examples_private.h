/* examples_private.h  Shared by the builders of examples. c->status is the first error; all later
 * calls do nothing. */
#ifndef DEMOS_WORKED_EXAMPLES_PRIVATE_H
#define DEMOS_WORKED_EXAMPLES_PRIVATE_H

#include "examples.h"

#include <math.h>

static const double g = 9.81;

/* A parameter: the round number in draw 0, otherwise uniform in [lo, hi]. */
double exampleDraw(ExampleCase *c, double round, double lo, double hi);

/* Add a block with equal masses, a diagonal or a full matrix. Return its index. */
int exampleParticle(ExampleCase *c, int size, double mass, const double *force);
int exampleDiagonal(ExampleCase *c, int size, const double *diagonal, const double *force);
int exampleBlock(ExampleCase *c, int size, const double *mass, const double *force);

/* Add a rigid row over one or two blocks. Return its index. */
int exampleRow(ExampleCase *c, int block, const double *j, double beta);
int exampleRow2(ExampleCase *c, int a, const double *ja, int b, const double *jb, double beta);

/* J a >= beta, lambda >= 0: the row holds or lets go. */
int exampleUnilateral(ExampleCase *c, int block, const double *j, double beta);

/* lambda of a row; factor * lambda of a row; acceleration of a coordinate. */
ExampleQuantity *exampleMultiplier(ExampleCase *c, int row, const char *name, const char *formula, double closed);
ExampleQuantity *exampleScaled(ExampleCase *c, int row, double factor, const char *name, const char *formula,
                               double closed);
ExampleQuantity *exampleAcceleration(ExampleCase *c, int coordinate, const char *name, const char *formula,
                                     double closed);

/* offset + w . a over the coordinates of a block. */
ExampleQuantity *exampleAlong(ExampleCase *c, int block, const double *w, double offset, const char *name,
                              const char *formula, double closed);

/* Adds a square of the whole motion. */
ExampleQuantity *exampleSquare(ExampleCase *c, ExampleKind kind, const char *name, const char *formula, double closed);

/* Names a term of the closed form that may cancel with others: if it is larger, differences are
 * relative to it. */
void exampleTerm(ExampleQuantity *quantity, double term);

/* Sets the source's relaxed coordinate of a row, with dphi/dp. */
void exampleOwn(ExampleCase *c, int row, const double *direction, double derivative);

void paulusInclines(ExampleCase *c);
void paulusInclinesBalanced(ExampleCase *c);
void paulusInclinesByL(ExampleCase *c);
void paulusPendulum(ExampleCase *c);
void paulusPendulumEnergy(ExampleCase *c);
void paulusPendulumHanging(ExampleCase *c);
void paulusPendulumByL(ExampleCase *c);

void radakovicRods(ExampleCase *c);
void radakovicDriven(ExampleCase *c);
void radakovicMeasure(ExampleCase *c);

void guginoSleigh(ExampleCase *c);
void rollingIncline(ExampleCase *c);
void rollingTurntable(ExampleCase *c);
void rollingDisc(ExampleCase *c);

void banachSphere(ExampleCase *c);
void banachSphereAny(ExampleCase *c);
void banachParabola(ExampleCase *c);
void banachIncline(ExampleCase *c);
void banachWire(ExampleCase *c);
void banachRotatingPlane(ExampleCase *c);
void banachSurface(ExampleCase *c);
void banachGrowingSphere(ExampleCase *c);

void banachDoublePulley(ExampleCase *c);
void banachThreeRods(ExampleCase *c);
void banachRotatingLine(ExampleCase *c);
void banachAtwood(ExampleCase *c);
void banachDependent(ExampleCase *c);
void banachDependentRods(ExampleCase *c);

void banachCentral(ExampleCase *c);
void banachCentralPolar(ExampleCase *c);
void banachRevolution(ExampleCase *c);
void banachSpherical(ExampleCase *c);
void banachSphericalRadius(ExampleCase *c);
void banachSphericalCone(ExampleCase *c);
void banachSphericalPlane(ExampleCase *c);
void banachSphericalOwn(ExampleCase *c);
void banachCylinder(ExampleCase *c);

void cornerBead(ExampleCase *c);
void rodOffTable(ExampleCase *c);
void slidingLadder(ExampleCase *c);
void slackString(ExampleCase *c);

void lambBlowEnd(ExampleCase *c);
void lambBlowJoint(ExampleCase *c);
void lambCouple(ExampleCase *c);
void lambBlowHeldEnd(ExampleCase *c);
void lambBlowHeldJoint(ExampleCase *c);
void lambBlowRigid(ExampleCase *c);
void lambKelvin(ExampleCase *c);
void lambKelvinRigid(ExampleCase *c);
void lambSolid(ExampleCase *c);
void lambTube(ExampleCase *c);
void lambTubeRoom(ExampleCase *c);

#endif

/* coordinates_private.h  The inside of a ksCoordinates.
 *
 * A position `y` consists of triples of numbers. Each triple has a constant symmetric matrix `W` of
 * weights, 3 x 3. A particle is one triple of weight `m`. A body is its mass centre and the three
 * rows of its rotation matrix `R`. Each of these rows has the weight E = 1/2 tr(I) - I, since
 *
 *     w^T I w = tr(R' E R'^T).
 *
 * The time is the last coordinate, with velocity 1. With u = (q', 1) and y_j = dy/dq_j,
 *
 *     L = 1/2 y'^T W y',   y' = Sum u_j y_j,   y'' = Sum q''_j y_j + Sum u_j y_j'.
 */
#ifndef KSI_MECHANICS_COORDINATES_COORDINATES_PRIVATE_H
#define KSI_MECHANICS_COORDINATES_COORDINATES_PRIVATE_H

#include <kinetostat/coordinates.h>

#include "../../base/error.h"
#include "../model.h"

/* All numbers of one state. N = n + 1 directions, k numbers of a position. */
typedef struct ksiCoordinatesState {
    double *q, *rate;                         /* [N] the time last, with rate 1 */
    double *position, *velocity, *convective; /* [k] y, y', and y'' with q'' = 0 */
    double *tangent, *tangentRate;            /* [N x k] y_j, y_j' */
    double *angularVelocity;                  /* [3 x bodies] */
    double *slope;                            /* [N] dV */
    double *load;                             /* [k] applied forces on y */
    double *generalised;                      /* [n] generalised forces of ksForceFn */
    /* ksLagrangian */
    double *mass, *linear, *momentum, *gradient, *velocityTerms, *force, *applied, *bar;
    /* relative: 1/2 q'^T A q' */
    double gamma, kinetic, potential, relative;
} ksiCoordinatesState;

struct ksCoordinates {
    ksAllocator allocator;
    int coordinates, directions; /* n, N */
    int particles, bodies, triples, numbers;
    ksDualFn *position, *potential;
    ksForceFn *force;
    void *user;
    double *storage;              /* of the weights and both states */
    double *weight;               /* [9 x triples] */
    ksiCoordinatesState state[2]; /* the present and the next one */
    int current, isSet, isCalling;
    ksDual *seed; /* [N] */
    size_t seedCapacity;
    ksDual *result; /* results of a function */
    size_t resultCapacity;
    double *scratch;
};

/* A function of the host, evaluated with its derivatives along two directions: 0 ... n, or N for
 * the motion. */
typedef struct ksiDualCall {
    ksDualFn *fn;
    void *user;
    const char *name; /* in messages */
    size_t count;     /* of its values */
} ksiDualCall;

/* coordinates_state.c */
KS_MUST_USE ksStatus ksiCallDual(ksCoordinates *c, const ksiCoordinatesState *s, const ksiDualCall *call, int first,
                                 int second);
KS_MUST_USE ksStatus ksiFillKinematics(ksCoordinates *c, ksiCoordinatesState *s, const double *q, const double *rate,
                                       double time);
KS_MUST_USE ksStatus ksiRequireIdle(const ksCoordinates *c); /* c is not NULL, and the call does not
                                                                come from a function of its own */
KS_MUST_USE ksStatus ksiRequireState(ksCoordinates *c, const ksiCoordinatesState **s);
void ksiWeigh(const ksCoordinates *c, const double *y, double *weighed);   /* W y; may be y */
void ksiWeighSizes(const ksCoordinates *c, const double *y, double *size); /* |W| |y|; may be y */
double ksiDotSizes(size_t count, const double *x, const double *y);        /* |x|^T |y| */

/* coordinates.c, ksCoordinatesCreate with an allocator (NULL: the C library) */
KS_MUST_USE ksStatus ksiCoordinatesCreate(const ksAllocator *allocator, const ksCoordinatesSpec *spec,
                                          ksCoordinates **coordinates);

#endif

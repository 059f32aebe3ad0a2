/* number.h  The engine's numbers, which are of its precision, as doubles; and its rounding. All that this library computes is
 * double. */
#ifndef KSI_ENGINE_NUMBER_H
#define KSI_ENGINE_NUMBER_H

#include "../base/vectorise.h"

#include <float.h>
#include <ode/ode.h>

/* One of two constants, by the engine's precision. */
#ifdef dDOUBLE
#define KSI_BY_PRECISION(ofDouble, ofSingle) (ofDouble)
#else
#define KSI_BY_PRECISION(ofDouble, ofSingle) (ofSingle)
#endif

/* Twice the relative error of a number that the engine keeps. */
#define KSI_ENGINE_EPSILON KSI_BY_PRECISION(DBL_EPSILON, (double)FLT_EPSILON)

/* Least singular value of a joint's rows that counts, over the largest: they are orthonormal or nearly so, or dependent to rounding. */
#define KSI_ROW_RANK KSI_BY_PRECISION(1e-9, 1e-5)

/* A bound on roundings of an engine of double precision, for this one. */
#define KSI_ROUNDINGS(ofDouble) ((ofDouble) * (KSI_ENGINE_EPSILON / DBL_EPSILON))

KSI_INLINE void ksiTakeNumbers(double *out, const dReal *from, size_t count)
{
    for (size_t i = 0; i < count; i++)
        out[i] = from[i];
}

KSI_INLINE void ksiPutNumbers(const double *from, dReal *out, size_t count)
{
    for (size_t i = 0; i < count; i++)
        out[i] = (dReal)from[i];
}

/* `count` numbers of the engine: where they are if they are doubles, else in `room`. */
KSI_INLINE const double *ksiDoubles(const dReal *from, size_t count, double *room)
{
#ifdef dDOUBLE
    (void)count, (void)room;
    return from;
#else
    ksiTakeNumbers(room, from, count);
    return room;
#endif
}

KSI_INLINE void ksiLoadFour(ksiFour *out, const dReal *from)
{
    double room[4];
    *out = *(const ksiFour *)ksiDoubles(from, 4, room);
}

/* What the engine has written of one side of a joint. */
KSI_INLINE const double *ksiForceIn(const dJointFeedback *feedback, int side, double room[4])
{
    return ksiDoubles(side ? feedback->f2 : feedback->f1, 4, room);
}

KSI_INLINE const double *ksiTorqueIn(const dJointFeedback *feedback, int side, double room[4])
{
    return ksiDoubles(side ? feedback->t2 : feedback->t1, 4, room);
}

KSI_INLINE void ksiTakeFeedback(const dJointFeedback *feedback, int side, double force[3], double torque[3])
{
    ksiTakeNumbers(force, side ? feedback->f2 : feedback->f1, 3);
    ksiTakeNumbers(torque, side ? feedback->t2 : feedback->t1, 3);
}

KSI_INLINE void ksiPutFeedback(const double force[3], const double torque[3], int side, dJointFeedback *feedback)
{
    ksiPutNumbers(force, side ? feedback->f2 : feedback->f1, 3);
    ksiPutNumbers(torque, side ? feedback->t2 : feedback->t1, 3);
}

static inline void ksiGetGravity(dWorldID world, double out[3])
{
    dVector3 gravity;
    dWorldGetGravity(world, gravity);
    ksiTakeNumbers(out, gravity, 3);
}

/* A place or direction of a joint, as its getter tells it. */
typedef void ksiVectorGetter(dJointID joint, dVector3 result);

static inline void ksiGetVector(ksiVectorGetter *get, dJointID joint, double out[3])
{
    dVector3 result;
    get(joint, result);
    ksiTakeNumbers(out, result, 3);
}

#endif

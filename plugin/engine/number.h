/* number.h  Converts the engine's numbers to doubles, and gives their rounding. */
#ifndef KSI_ENGINE_NUMBER_H
#define KSI_ENGINE_NUMBER_H

#include "../base/vectorise.h"

#include <float.h>
#include <ode/ode.h>
#include <stdbool.h>

/* 1 if the linked engine uses single precision. Even with an engine of double precision, the
 * numbers of a recorded world may be single. */
#ifdef dDOUBLE
#define KSI_IS_SINGLE 0
#else
#define KSI_IS_SINGLE 1
#endif

/* Chooses a number by the precision of the linked engine. */
#define KSI_BY_PRECISION(ofDouble, ofSingle) (KSI_IS_SINGLE ? (ofSingle) : (ofDouble))

/* Twice the largest relative rounding error of an engine's number. */
static inline double ksiEpsilon(bool isSingle)
{
    return isSingle ? (double)FLT_EPSILON : DBL_EPSILON;
}

/* A singular value of a joint's rows counts as nonzero if its ratio to the largest one exceeds this
 * number: rows are nearly orthonormal. */
static inline double ksiRowRank(bool isSingle)
{
    return isSingle ? 1e-5 : 1e-9;
}

/* Converts `ofDouble`, a bound on rounding in double precision, to the given precision. */
static inline double ksiRoundings(double ofDouble, bool isSingle)
{
    return ofDouble * (ksiEpsilon(isSingle) / DBL_EPSILON);
}

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

/* The engine's `count` numbers as doubles: `from` itself if these are doubles, else their copy in
 * `room`. */
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

/* Force on the body of one side of a joint, as the engine wrote it. */
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

typedef void ksiVectorGetter(dJointID joint, dVector3 result);

static inline void ksiGetVector(ksiVectorGetter *get, dJointID joint, double out[3])
{
    dVector3 result;
    get(joint, result);
    ksiTakeNumbers(out, result, 3);
}

#endif

/* motion.h  The animation of a world: frames of poses and forces. */
#ifndef KSI_REPORT_COLLECT_MOTION_H
#define KSI_REPORT_COLLECT_MOTION_H

#include "collect.h"
#include "scene.h"

/* Frames take this many bytes in memory for each byte in a page. */
enum { KSI_MOTION_SLACK = 6 };

/* Number of values of a reaction in a frame. */
enum { KSI_SHOWN_VALUES = 3 };

typedef struct ksiShownBody {
    uint64_t number;
    double place[3];
    float turn[4];
} ksiShownBody;

typedef struct ksiShownJoint {
    dJointType type;
    int number, body[2];
    float place[3];                    /* m, from the mass centre of body[0], in its axes */
    float wrench[KSI_SHOWN_VALUES][6]; /* the wrench on body[0], in world axes, about the joint's
                                          anchor or the mass centre; NaN: unknown */
    float bar[2][2];                   /* bars of the converged and of the physical value, each
                                          of force and torque; NaN: unknown */
    float error[2];
    uint64_t reasons;
    unsigned char verdict, undetermined; /* undetermined: ksiMeasureUndetermined */
} ksiShownJoint;

/* All contacts between two bodies. */
typedef struct ksiShownContact {
    int body[2];
    float force[3]; /* the engine's force on body[0], N */
    double place[3];
    double weight; /* sum of the magnitudes of the forces added so far, N */
} ksiShownContact;

typedef struct ksiShownFrame {
    uint64_t step;
    double time; /* s, at the start of the step */
    size_t bodyCount, jointCount, contactCount, bytes;
    ksiShownBody *body; /* these three arrays follow the struct */
    ksiShownJoint *joint;
    ksiShownContact *contact;
} ksiShownFrame;

typedef struct ksiShape {
    uint64_t body; /* number of the body; 0: static */
    int64_t kind;  /* this member and the next ones are as in ksiGeomRecord */
    double size[4], place[3], rotation[9];
} ksiShape;

/* A triangle of the surface of a convex geom or a mesh. */
typedef struct ksiShownTriangle {
    uint64_t mesh;   /* number of the surface, ksiShape::size[3] */
    float corner[9]; /* m, in the geom's axes */
} ksiShownTriangle;

/* Zero-initialised: empty. Frame i is the first step in its bucket of 2^k/rate seconds. */
typedef struct ksiShownMotion {
    unsigned k;
    ksiShownFrame **frame;
    size_t frameCount, frameCapacity, bytes;
    ksiShape *shape;
    size_t shapeCount, shapeCapacity;
    ksiMap shaped;              /* bodies whose shapes are known */
    ksiShownTriangle *triangle; /* the triangles of a surface are consecutive */
    size_t triangleCount, triangleCapacity;
    ksiMap meshed;     /* known surfaces, with the step of their first appearance */
    double gravity[3]; /* m/s^2, from one of the merged parts */
} ksiShownMotion;

uint64_t ksiMotionBucket(double rate, unsigned k, double time);

/* Does the motion need a frame at this time? */
bool ksiMotionWants(const ksiShownMotion *motion, double rate, uint64_t step, double time);

/* Adds the inspector's last step, if its frame is needed. While the frames need more than `room`
 * bytes, keeps only every other frame. Omits the step if memory is short. */
void ksiMotionAdd(const ksAllocator *allocator, ksiShownMotion *motion, double rate, size_t room,
                  const ksInspector *inspector, const ksiNaming *naming, const ksiStepInfo *info,
                  const ksiScene *scene);

/* Adds the triangles of new surfaces, even if the frame of the step is not needed. In a step's list
 * of geoms, triangles follow all shapes. Omits the surfaces of a step if they do not fit into
 * `room` bytes or into memory. */
void ksiMotionAddMeshes(const ksAllocator *allocator, ksiShownMotion *motion, size_t room, const ksiStepInfo *info);

/* Adds the frames, shapes and surfaces of another motion. false: out of memory. */
bool ksiMotionMerge(const ksAllocator *allocator, ksiShownMotion *into, double rate, size_t room,
                    const ksiShownMotion *from);
void ksiMotionFree(const ksAllocator *allocator, ksiShownMotion *motion);

#endif

/* bullet_inside.h  What the files of the Bullet adapter share. The adapter computes in double
 * precision, whatever precision Bullet has. */
#ifndef KINETOSTAT_ADAPTERS_BULLET_INSIDE_H
#define KINETOSTAT_ADAPTERS_BULLET_INSIDE_H

#include "bullet.h"

#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointFeedback.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <string>
#include <unordered_map>
#include <vector>

namespace ksiBullet {
struct Vector {
    double x = 0, y = 0, z = 0;
    Vector() = default;
    Vector(double x1, double y1, double z1) : x(x1), y(y1), z(z1) {}
    Vector(const btVector3 &v) : x(v.x()), y(v.y()), z(v.z()) {}
    Vector operator+(const Vector &b) const { return {x + b.x, y + b.y, z + b.z}; }
    Vector operator-(const Vector &b) const { return {x - b.x, y - b.y, z - b.z}; }
    Vector operator*(double s) const { return {x * s, y * s, z * s}; }
    double dot(const Vector &b) const { return x * b.x + y * b.y + z * b.z; }
    Vector cross(const Vector &b) const { return {y * b.z - z * b.y, z * b.x - x * b.z, x * b.y - y * b.x}; }
    double length() const { return std::sqrt(dot(*this)); }
    void addTo(double out[3], double sign = 1) const { out[0] += sign * x, out[1] += sign * y, out[2] += sign * z; }
    void putInto(double out[3]) const { out[0] = x, out[1] = y, out[2] = z; }
};

/* A body's pose in the world. */
struct Pose {
    Vector origin, axis[3];
    Pose() = default;
    Pose(const btTransform &t);
    Vector turn(const Vector &own) const { return axis[0] * own.x + axis[1] * own.y + axis[2] * own.z; }
    /* Multiplies a vector by a matrix that is diagonal in these axes. */
    Vector scale(const Vector &diagonal, const Vector &v) const;
};

/* The freedoms of a joint, in world axes. */
struct Freedom {
    int slides = 0, turns = 0; /* 3 turns: all */
    Vector anchor, slide, turn[2];
    /* The part of a wrench at the anchor that acts in the freedoms. */
    void project(const Vector &force, const Vector &torque, Vector *freeForce, Vector *freeTorque) const;
};

struct Body {
    btRigidBody *own; /* NULL: a body of a multibody */
    bool isDriven;
    double mass;
    Vector inertia;
    Vector velocity, spin; /* of a driven body: in the last step */
    Vector force, torque;  /* in this step, without contacts and joints */
};

/* A constraint. */
struct Hold {
    btTypedConstraint *own;
    int number; /* in the world */
    const btRigidBody *held[2];
    int body[2]; /* of the recording; -1: the world */
    int joint;   /* of the recording; -1: its wrench is a known load */
    int first;   /* side of the constraint that is body[0] of the joint */
    btTransform frame[2];
    Freedom freedom; /* in this step */
    int turnSide[2], turnAxis[2], slideAxis;
    btJointFeedback feedback, *host;
};

struct Link {
    int body, joint; /* body: the one that the link is a part of; joint: -1: none */
    int parent;      /* index of a link of the tree; 0: the base */
    double mass;
    Vector inertia;
    Pose pose;
    Vector velocity, spin, acceleration, turning; /* velocity, spin: before the step; acceleration,
                                                     turning: during it */
    Vector force, torque;                         /* loads; later the wrench that the joint
                                                     transmits */
    Vector passedForce, passedTorque;             /* the wrench that the children's joints
                                                     transmit */
};

struct Tree {
    btMultiBody *own;
    std::vector<Link> link;
    std::vector<double> rate, change; /* qd before the step, and qdd */
    std::vector<Pose> pose;           /* of links, after the step */
};
}  // namespace ksiBullet

struct ksBullet {
    btDynamicsWorld *world = nullptr;
    btMultiBodyDynamicsWorld *trees = nullptr;
    ksRecording *recording = nullptr;
    btInternalTickCallback host[2] = {}; /* after and before a tick */
    ksBullet *next = nullptr;
    std::vector<ksiBullet::Body> body;
    std::vector<ksiBullet::Hold> hold;
    std::vector<ksiBullet::Tree> tree;
    std::vector<ksRecordedState> before, after;
    std::vector<ksWrench> load;
    std::vector<ksWrench> reported;                              /* two of each joint */
    std::unordered_map<const btCollisionObject *, size_t> index; /* of rigid bodies */
    ksiBullet::Vector gravity;                                   /* of the recording */
    size_t constraints = 0;
    int joints = 0;
    bool isOpen = false;
    long steps = 0;
    ksStatus status = KS_OK;
    std::string words, notes;
};

namespace ksiBullet {
void setState(ksRecordedState *state, const btTransform &t, const Vector &velocity, const Vector &spin);
void push(ksWrench *out, const Vector &arm, const Vector &force, const Vector &torque, double sign);
ksStatus fail(ksBullet *a, ksStatus status, const char *words, long number = 0);
void note(ksBullet *a, const std::string &words);
void findFreedom(Hold *hold);
void begin(ksBullet *a, double h);
void end(ksBullet *a, double h);
ksStatus addTrees(ksBullet *a);
void beginTree(ksBullet *a, Tree *tree);
void endTree(ksBullet *a, Tree *tree, double h);
}  // namespace ksiBullet
#endif

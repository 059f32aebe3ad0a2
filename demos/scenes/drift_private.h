/* drift_private.h  Shared by the constructors of machines that drift. */
#ifndef DEMOS_SCENES_DRIFT_PRIVATE_H
#define DEMOS_SCENES_DRIFT_PRIVATE_H

#include "drift.h"
#include "scenes_private.h"

/* A straight rope of bars, joined by balls. */
typedef struct DriftRope {
    double from[3], to[3];
    int links;
    double linkMass;
    dBodyID first, last; /* the body at its start, NULL: the world; the body at its end, NULL:
                            none */
} DriftRope;

/* Returns the last link. Joints are in order from the start; a ball's first body is the next link,
 * or `last`. */
dBodyID driftAddRope(Scene *scene, const DriftRope *rope);

/* A massless rod between two points. */
void driftAddRod(Scene *scene, dBodyID first, dBodyID second, const double a[3], const double b[3]);

/* DriftScene::freeCount of machines with different joints. */
int driftGripperFree(const Scene *scene, int joint);
int driftTracksFree(const Scene *scene, int joint);

/* Closed forms of the steady scenes. */
int driftTurntableForce(const Scene *scene, int joint, DriftForce *out);
int driftCarouselForce(const Scene *scene, int joint, DriftForce *out);
int driftConicalPendulumForce(const Scene *scene, int joint, DriftForce *out);
int driftGovernorForce(const Scene *scene, int joint, DriftForce *out);
int driftHangingChainForce(const Scene *scene, int joint, DriftForce *out);
int driftSwingingChainForce(const Scene *scene, int joint, DriftForce *out);
int driftPendulumForce(const Scene *scene, int joint, DriftForce *out);
int driftTurningArmForce(const Scene *scene, int joint, DriftForce *out);

#endif

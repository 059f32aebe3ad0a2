/* mujoco_inside.h  What the files of the MuJoCo adapter share. */
#ifndef KINETOSTAT_ADAPTERS_MUJOCO_INSIDE_H
#define KINETOSTAT_ADAPTERS_MUJOCO_INSIDE_H

#include "mujoco.h"

/* A joint or constraint between two bodies. */
typedef struct Hold {
    int body[2];  /* of the recording; -1: the world */
    int child;    /* MuJoCo's body that its parent holds; -1: an equality constraint */
    int equality; /* or -1 */
    int joint;    /* of the recording; -1: the reported wrench is a known load */
} Hold;

struct ksMujoco {
    const mjModel *m;
    ksRecording *recording;
    mjData *own;  /* the model's own pose, which describes the joints; later the pose after
                     a step */
    int *owner;   /* [nbody] the body of the recording that contains it; -1: the world */
    int *source;  /* [bodies] */
    Hold *hold;   /* [holds] */
    double *qvel; /* [nv] before the step */
    double *work; /* scratch of a step; see numbersOf() */
    ksRecordedState *before, *after;
    ksWrench *load, (*reported)[2];
    int bodyCount, jointCount, holdCount;
    int *isHeld; /* [neq] in ksMujocoCreate */
    double time; /* before the step */
    int isOpen;
    char notes[2048];
};

/* three unit axes that span a smaller volume are in a plane */
static const double leastVolume = 1e-6;

/* The volume that three axes span. */
double ksiMujocoVolume(const double *axis);

/* Sets a body's pose, without its velocity. */
void ksiMujocoPlace(const mjModel *m, const mjData *d, int body, ksRecordedState *state);

/* Finds the point in which an equality constraint holds its first (0) or second (1) body. */
void ksiMujocoAnchor(const mjModel *m, const mjData *d, int equality, int side, double anchor[3]);

/* Is the equality constraint a joint, and active? */
int ksiMujocoIsHeld(const mjModel *m, int equality);

/* Sets ksErrorMessage. */
ksStatus ksiMujocoFail(ksStatus status, const char *function, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif

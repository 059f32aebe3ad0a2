/* rigidroot.h  The root of a rigid body's mass: found where the body is read, used where its rows are scaled. */
#ifndef KSI_RIGIDROOT_H
#define KSI_RIGIDROOT_H

/* M = L L^T = diag(m 1, I), L = diag(sqrt(m) 1, L_I), in world axes, about the mass centre. With R the rotation of the body
 * and I = R I_b R^T, I_b = L_b L_b^T, the root is L_I = R L_b: not a triangle, and I_b loses nothing to the turning. */
typedef struct ksiRigidRoot {
    double mass, massInverse;             /* sqrt(m), 1/sqrt(m) */
    double inertia[9], inertiaInverse[9]; /* L_I and L_I^-1, row-major */
} ksiRigidRoot;

#endif

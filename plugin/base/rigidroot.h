/* rigidroot.h  The root of a rigid body's mass matrix, which scales the body's rows. It is computed
 * together with the body's other data. */
#ifndef KSI_BASE_RIGIDROOT_H
#define KSI_BASE_RIGIDROOT_H

#include "vectorise.h"

/* M = L L^T = diag(m 1, I), L = diag(sqrt(m) 1, L_I), in world axes, about the mass centre. With R
 * the rotation of the body and I = R I_b R^T, I_b = L_b L_b^T, the root is L_I = R L_b. It is not
 * triangular, and the rotation loses no digits of I_b. */
typedef struct ksiRigidRoot {
    double mass, massInverse; /* sqrt(m), 1/sqrt(m) */
    double inertia[9];        /* L_I, row-major */
    double column[3][4];      /* columns of L_I^-1, each after an unused number */
} ksiRigidRoot;

/* scaled := L^-1 (force, torque). The fourth number of `force` has no effect. */
KSI_INLINE void ksiScaleByRoot(const ksiRigidRoot *root, const double force[4], const double torque[3],
                               double scaled[6])
{
    const ksiFour *x = (const ksiFour *)root->column[0], *y = x + 1, *z = x + 2;
    const ksiFour linear = root->massInverse * *(const ksiFour *)force;
    const ksiFour angular = torque[0] * *x + torque[1] * *y + torque[2] * *z;
    *(ksiFour *)scaled = linear;
    *(ksiFour *)(scaled + 2) = KSI_SHUFFLE(linear, angular, 2, 5, 6, 7);
}

/* motion += L^-T y */
KSI_INLINE void ksiAddByRoot(const ksiRigidRoot *root, const double y[6], double motion[6])
{
    for (int k = 0; k < 3; k++) {
        const double *column = root->column[k];
        motion[k] += root->massInverse * y[k];
        motion[3 + k] += column[1] * y[3] + column[2] * y[4] + column[3] * y[5];
    }
}

#endif

/* chain.h  Boxes of 1 kg and 0.2 m in a row along x, each on a hinge to the one before, the first
 * on a hinge to the world. */
#ifndef TESTS_PRELOAD_CHAIN_H
#define TESTS_PRELOAD_CHAIN_H

#include <ode/ode.h>

/* link: the links up to number i. */
static inline dJointID holdLink(dWorldID world, const dBodyID *link, int i)
{
    dJointID joint = dJointCreateHinge(world, NULL);
    dJointAttach(joint, link[i], i ? link[i - 1] : NULL);
    dJointSetHingeAnchor(joint, 0.2 * i, 0, 0);
    dJointSetHingeAxis(joint, 0, 1, 0);
    return joint;
}

/* Adds the next link; the caller keeps its joint. */
static inline dJointID addLink(dWorldID world, dBodyID *link, int i)
{
    dMass mass;
    dMassSetBoxTotal(&mass, 1, 0.2, 0.05, 0.05);
    link[i] = dBodyCreate(world);
    dBodySetMass(link[i], &mass);
    dBodySetPosition(link[i], 0.1 + 0.2 * i, 0, 0);
    return holdLink(world, link, i);
}

#endif

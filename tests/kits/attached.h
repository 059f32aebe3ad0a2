/* attached.h  A joint of any type with axes that holds one body to the world, as its first or its
 * second body. */
#ifndef TESTS_KITS_ATTACHED_H
#define TESTS_KITS_ATTACHED_H

#include <ode/ode.h>
#include <stdbool.h>

typedef struct Joint {
    dWorldID world;
    dBodyID body;
    dJointID joint;
} Joint;

static inline dWorldID newWorld(void)
{
    dRandSetSeed(1);
    return dWorldCreate();
}

/* A body of 1 kg that a joint of this type holds to the world, without gravity; axis 1, or the
 * slide, along z. */
static inline Joint attached(int type, bool isReversed)
{
    typedef dJointID Create(dWorldID, dJointGroupID);
    static Create *const create[] = {[dJointTypeHinge] = dJointCreateHinge,
                                     [dJointTypeSlider] = dJointCreateSlider,
                                     [dJointTypeUniversal] = dJointCreateUniversal,
                                     [dJointTypePR] = dJointCreatePR,
                                     [dJointTypePU] = dJointCreatePU,
                                     [dJointTypePiston] = dJointCreatePiston,
                                     [dJointTypeAMotor] = dJointCreateAMotor,
                                     [dJointTypeFixed] = dJointCreateFixed,
                                     [dJointTypeDHinge] = dJointCreateDHinge};
    Joint made = {.world = newWorld()};
    dMass mass;
    dMassSetSphereTotal(&mass, 1, 0.3);
    made.body = dBodyCreate(made.world);
    dBodySetMass(made.body, &mass);
    made.joint = create[type](made.world, NULL);
    dJointAttach(made.joint, isReversed ? NULL : made.body, isReversed ? made.body : NULL);
    switch (type) {
    case dJointTypeHinge:
        dJointSetHingeAnchor(made.joint, 0, 0, 0);
        dJointSetHingeAxis(made.joint, 0, 0, 1);
        break;
    case dJointTypeSlider:
        dJointSetSliderAxis(made.joint, 0, 0, 1);
        break;
    case dJointTypeUniversal:
        dJointSetUniversalAnchor(made.joint, 0, 0, 0);
        dJointSetUniversalAxis1(made.joint, 0, 0, 1);
        dJointSetUniversalAxis2(made.joint, 0, 1, 0);
        break;
    case dJointTypePR:
        dJointSetPRAnchor(made.joint, 0, 0, 0);
        dJointSetPRAxis1(made.joint, 1, 0, 0);
        dJointSetPRAxis2(made.joint, 0, 0, 1);
        break;
    case dJointTypePU:
        dJointSetPUAnchor(made.joint, 0, 0, 0);
        dJointSetPUAxis1(made.joint, 0, 0, 1);
        dJointSetPUAxis2(made.joint, 0, 1, 0);
        dJointSetPUAxis3(made.joint, 1, 0, 0);
        break;
    case dJointTypePiston:
        dJointSetPistonAnchor(made.joint, 0, 0, 0);
        dJointSetPistonAxis(made.joint, 0, 0, 1);
        break;
    case dJointTypeDHinge:
        dJointSetDHingeAxis(made.joint, 0, 0, 1);
        dJointSetDHingeAnchor1(made.joint, 0, 0, 0);
        dJointSetDHingeAnchor2(made.joint, 1, 0, 0);
        break;
    case dJointTypeFixed:
        dJointSetFixed(made.joint);
        break;
    default:
        break;
    }
    return made;
}

static inline void drop(const Joint *joint)
{
    dWorldDestroy(joint->world);
}

#endif

/* traps.c  Uses of the engine that surprise a host, in words: docs/engine.md has the measurements. */
#include "traps.h"

static const struct {
    const char *name, *words;
} trap[KSI_TRAPS] = {
    [KSI_TRAP_PISTON_FORCE] =
        {"piston-force",
         "dJointAddPistonForce has added nothing to a piston attached (0, b), or, between bodies that stand beside the "
         "axis, a couple with the force. Add the force by dBodyAddForceAtPos, to both bodies at a point of the axis."},
    [KSI_TRAP_SLIDE_RATE] = {"slide-rate",
                             "The getter of a slide's rate has told the speed of the mass centres, which differs from "
                             "the speed of the slide "
                             "while the bodies turn. Take ksMotor::speed, or the difference of two positions."},
    [KSI_TRAP_EULER_ANGLE] =
        {"euler-angle",
         "dJointGetAMotorAngle has told, in Euler mode, the angle from before the last step. Compute the "
         "angle from the rotation of the bodies."},
    [KSI_TRAP_MESH_INERTIA] =
        {"mesh-inertia",
         "dMassSetTrimesh has counted the parallel axis term twice: the mesh has its mass centre away from its origin. "
         "Move the vertices so that the mass centre lies at the origin, then set the mass again."},
    [KSI_TRAP_MESH_DEPTH] = {"mesh-depth", "Contacts of two meshes were more than twice as deep as the boxes around "
                                           "the meshes overlap. Use boxes or convex "
                                           "geoms for one of the meshes, or limit the depth in the near callback."},
    [KSI_TRAP_MOTION_ORDER] = {"motion-order", "The motion of a contact's surface has turned round: motion1 is the "
                                               "motion of the first body against the second, "
                                               "and the order of the two has changed. Order the pair in the near "
                                               "callback, or change the sign of motion1 with "
                                               "the order."},
    [KSI_TRAP_NORMAL_MOTION] =
        {"normal-motion",
         "A contact's motionN was larger than the greatest correcting velocity, which limits it. Raise it by "
         "dWorldSetContactMaxCorrectingVel."},
    [KSI_TRAP_SLEEP] = {
        "sleep", "A body fell asleep at a speed above its thresholds: the engine compares the mean vector of its "
                 "samples, and a motion to and fro has a small mean. Keep to one sample, the default of "
                 "dBodySetAutoDisableAverageSamplesCount."}};

const char *ksiTrapName(int index)
{
    return trap[index].name;
}

const char *ksiTrapWords(int index)
{
    return trap[index].words;
}

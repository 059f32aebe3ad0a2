/* traps.c  Describes uses of the engine that surprise a host; docs/engine.md has the
 * measurements. */
#include "traps.h"

static const struct {
    const char *name, *words;
} trap[KSI_TRAPS] = {
    [KSI_TRAP_PISTON_FORCE] = {"piston-force", "dJointAddPistonForce adds nothing to a piston attached by "
                                               "dJointAttach(joint, 0, body). Between two bodies it adds a couple: "
                                               "twice the force times the distance of the second body's mass centre "
                                               "from the axis. Add the force by "
                                               "dBodyAddForceAtPos, to both bodies at a point of the axis."},
    [KSI_TRAP_SLIDE_RATE] = {"slide-rate",
                             "The getter of a slide's rate returned the speed of the mass centres, which differs from "
                             "the speed of the slide "
                             "while the bodies turn. Use ksMotor::speed, or the difference of two positions."},
    [KSI_TRAP_EULER_ANGLE] =
        {"euler-angle", "In Euler mode dJointGetAMotorAngle returned the angle from before the last step. Compute the "
                        "angle from the rotation of the bodies."},
    [KSI_TRAP_MESH_INERTIA] =
        {"mesh-inertia",
         "dMassSetTrimesh counted the parallel axis term twice: the mesh has its mass centre away from its origin. "
         "Move the vertices so that the mass centre lies at the origin, then set the mass again."},
    [KSI_TRAP_MESH_DEPTH] = {"mesh-depth", "Contacts of two meshes were more than twice as deep as the boxes around "
                                           "the meshes overlap. Use boxes or convex "
                                           "geoms for one of the meshes, or limit the depth in the near callback."},
    [KSI_TRAP_MOTION_ORDER] = {"motion-order", "The motion of a contact's surface has reversed: motion1 is the "
                                               "motion of the first body against the second, "
                                               "and the order of the two has changed. Order the pair in the near "
                                               "callback, or change the sign of motion1 with "
                                               "the order."},
    [KSI_TRAP_NORMAL_MOTION] =
        {"normal-motion",
         "A contact's motionN was larger than the greatest correcting velocity, which limits it. Raise it by "
         "dWorldSetContactMaxCorrectingVel."},
    [KSI_TRAP_SLEEP] =
        {"sleep", "A body fell asleep at a speed above its thresholds: the engine compares the mean vector of its "
                  "samples, and a motion to and fro has a small mean. Use one sample, the default of "
                  "dBodySetAutoDisableAverageSamplesCount."},
    [KSI_TRAP_REVERSED_TORQUE] =
        {"reversed-torque",
         "dJointAddUniversalTorques turned angle 1 of a joint against its first torque, since the joint is "
         "attached by dJointAttach(joint, 0, body). Attach it by dJointAttach(joint, body, 0), or change the sign of "
         "the first torque."},
    [KSI_TRAP_ANGLE_RATE] = {"angle-rate",
                             "Angle 2 of a hinge2, or of a universal joint attached by dJointAttach(joint, 0, body), "
                             "falls while the getter of "
                             "its rate is positive. "
                             "Change the sign of that angle of a hinge2, and of that rate of a universal joint."},
    [KSI_TRAP_GEAR_ANGLE] = {"gear-angle", "dJointGetTransmissionAngle1 or 2 returned the angle of a wheel with the "
                                           "opposite sign, from before the last step. Change "
                                           "the sign, or compute the angle from the rotation of the body."},
    [KSI_TRAP_NO_STOP] = {"no-stop",
                          "An lmotor or a plane2d has been given a stop, which the engine keeps and never applies. Use "
                          "the stop of a slider or a hinge, or change dParamVel at the end of the travel."},
    [KSI_TRAP_OFFSET] = {"axis-offset",
                         "A joint's getter does not return the angle or position set by dJointSetHingeAxisOffset, "
                         "dJointSetSliderAxisDelta or dJointSetUniversalAxis1Offset or 2. Set the axis without an "
                         "offset, and add the offset to each angle, position and stop."},
    [KSI_TRAP_MESH_NORMAL] =
        {"mesh-normal",
         "On a flat mesh, away from its edges, a contact's normal was more than 11 degrees off the normal of "
         "the mesh. Use a plane or a box for a flat floor."},
    [KSI_TRAP_PLANE2D_BODIES] =
        {"plane2d-bodies",
         "A plane2d between two bodies holds the first one to the plane z = 0 of the world; only its motors act on the "
         "second one. Attach it to one body."},
    [KSI_TRAP_EXPORT] =
        {"export", "dWorldExportDIF wrote the thresholds of sleep as squares, and left out each force and "
                   "torque with a component of zero. Read the state by the getters, or record it by --trace-raw."},
    [KSI_TRAP_RELAXATION] = {
        "relaxation", "dWorldSetQuickStepW got a number that is not between 0 and 2. Then dWorldQuickStep solves "
                      "nothing, or its forces grow without bound, at any number of iterations. Use 1.3, the default."}};

const char *ksiTrapName(int index)
{
    return trap[index].name;
}

const char *ksiTrapWords(int index)
{
    return trap[index].words;
}

/* inspector.c  The inspector from an installed library: a ball hangs from the world by a joint. */
#include <kinetostat/kinetostat.h>
#include <math.h>
#include <stdio.h>

int main(void)
{
    const double mass = 2, gravity = 9.81;
    dInitODE2(0);
    dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -gravity);

    dBodyID body = dBodyCreate(world);
    dMass sphere;
    dMassSetSphereTotal(&sphere, mass, 0.1);
    dBodySetMass(body, &sphere);
    dBodySetPosition(body, 0, 0, -1);

    dJointID joint = dJointCreateBall(world, 0);
    dJointAttach(joint, body, 0);
    dJointSetBallAnchor(joint, 0, 0, 0);

    ksInspector *inspector = NULL;
    ksWrench wrench = {{0}, {0}};
    ksStatus status = ksInspectorCreate(world, NULL, &inspector);
    for (int step = 0; step < 3 && status == KS_OK; step++)
        status = ksInspectorStep(inspector, 0.01);
    if (status == KS_OK)
        status = ksReactionGetWrench(ksInspectorGetReaction(inspector, joint), KS_PHYSICAL, 0, KS_FRAME_WORLD,
                                     KS_POINT_MASS_CENTRE, &wrench);
    printf("%s: the joint carries %.3f N\n", ksStatusName(status), wrench.force[2]);

    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
    dCloseODE();
    return status == KS_OK && fabs(wrench.force[2] - mass * gravity) < 1e-6 ? 0 : 1;
}

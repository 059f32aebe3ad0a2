/* first.c  The shortest program: a pendulum on a hinge, its force checked in every step.
 *
 *     cc first.c $(pkg-config --cflags --libs kinetostat) -lm */
#include <kinetostat/kinetostat.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static void show(const ksReaction *r, void *user)
{
    ksWrench w;  // on the joint's first body, in the joint's axes (x: the hinge's), about the
                 // anchor
    (void)user;
    if (ksReactionGetWrench(r, KS_PHYSICAL, 0, KS_FRAME_JOINT, KS_POINT_ANCHOR, &w) == KS_OK)
        printf("%.3f s: %.2f N across the axis; %s, engine off by %.1f %%\n", r->time, hypot(w.force[1], w.force[2]),
               ksVerdictName(r->verdict), 100 * r->physicalError);
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        const int isHelp = !strcmp(argv[1], "--help");
        if (!isHelp)
            fprintf(stderr, "first: %s makes no sense here\n", argv[1]);
        fprintf(isHelp ? stdout : stderr, "usage: first\n\nA pendulum on a hinge, its force checked in every step.\n");
        return isHelp ? 0 : 2;
    }
    // a world with a rod of 1 kg on a hinge, without Kinetostat
    dInitODE();
    dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -9.81);
    dBodyID rod = dBodyCreate(world);
    dMass mass;
    dMassSetBoxTotal(&mass, 1, 0.5, 0.02, 0.02);
    dBodySetMass(rod, &mass);
    dBodySetPosition(rod, 0.25, 0, 0);
    dJointID hinge = dJointCreateHinge(world, 0);
    dJointAttach(hinge, rod, NULL);
    dJointSetHingeAnchor(hinge, 0, 0, 0);
    dJointSetHingeAxis(hinge, 0, 1, 0);

    ksInspector *inspector;
    if (ksInspectorCreate(world, NULL, &inspector) || ksInspectorOnReaction(inspector, hinge, show, NULL))
        return 1;
    for (int i = 0; i < 20; i++)
        ksInspectorQuickStep(inspector, 0.01);  // instead of dWorldQuickStep(world, 0.01)
    ksInspectorDestroy(inspector);

    dWorldDestroy(world);
    dCloseODE();
    return 0;
}

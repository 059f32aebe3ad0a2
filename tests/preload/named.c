/* named.c  A host of Kinetostat that steps by itself and names its joints: three hinges, the second
 * of which is recreated halfway, possibly at the address of the last one. "exact N": all but the
 * last N steps are ksInspectorExactStep's; prints the final position. "exact N abort": it aborts in
 * step 61. */
#include "chain.h"

#include <kinetostat/kinetostat.h>
#include <stdio.h>
#include <stdlib.h>

enum { LINKS = 3, STEPS = 100 };

static dWorldID world;
static dBodyID link[LINKS];
static dJointID joint[LINKS];

static void die(dBodyID body)
{
    (void)body;
    abort();
}

int main(int count, char *argument[])
{
    ksInspector *inspector;
    const int exact = count > 2 ? STEPS - atoi(argument[2]) : 0;
    dInitODE2(0);
    world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -9.81);
    for (int i = 0; i < LINKS; i++)
        joint[i] = addLink(world, link, i);
    if (ksInspectorCreate(world, NULL, &inspector) || ksInspectorSetName(inspector, joint[0], "shoulder") ||
        ksInspectorSetName(inspector, joint[1], "elbow <left>") || ksInspectorSetName(inspector, joint[2], "wrist") ||
        ksInspectorSetName(inspector, joint[2], NULL)) {
        fprintf(stderr, "named: %s\n", ksErrorMessage());
        return 1;
    }
    for (int i = 0; i < STEPS; i++) {
        if (i == STEPS / 2) {
            dJointDestroy(joint[1]);
            joint[1] = holdLink(world, link, 1);
        }
        if (i == 60 && count > 3)
            dBodySetMovedCallback(link[0], die);
        if (i == STEPS / 4 && ksInspectorSetName(inspector, joint[2], "hand"))
            return 1;
        if (i < exact ? ksInspectorExactStep(inspector, 0.005) : ksInspectorQuickStep(inspector, 0.005))
            fprintf(stderr, "named: %s\n", ksErrorMessage());
    }
    const dReal *at = dBodyGetPosition(link[LINKS - 1]);
    printf("%.17g %.17g\n", at[0], at[2]);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
    dCloseODE();
    return 0;
}

/* beside.c  A module with an engine of its own and an inspector: it writes the positions of its
 * chain and the joint forces, to the bit. */
#include <kinetostat/kinetostat.h>
#include <stdio.h>

enum { LINKS = 3, STEPS = 400 };

static int step(const char *path, ksInspector *inspector, const dBodyID *body, const dJointID *joint)
{
    FILE *out = fopen(path, "w");
    int status = !out;
    for (int i = 0; i < STEPS && !status; i++) {
        status = ksInspectorStep(inspector, (dReal)0.005) != KS_OK;
        for (int k = 0; k < LINKS && !status; k++) {
            const ksReaction *reaction = ksInspectorGetReaction(inspector, joint[k]);
            fprintf(out, "%d %a %a %s\n", i, (double)dBodyGetPosition(body[k])[0], reaction->physical[0].force[2],
                    ksVerdictName(reaction->verdict));
        }
    }
    return !out || fclose(out) || status;
}

int inspectChain(const char *path);

int inspectChain(const char *path)
{
    dBodyID body[LINKS];
    dJointID joint[LINKS];
    ksInspector *inspector;
    dMass mass;
    dInitODE2(0);
    const dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, (dReal)-9.81);
    dMassSetBoxTotal(&mass, 1, (dReal)0.5, (dReal)0.1, (dReal)0.1);
    for (int i = 0; i < LINKS; i++) {
        body[i] = dBodyCreate(world);
        dBodySetMass(body[i], &mass);
        dBodySetPosition(body[i], (dReal)(0.25 + 0.5 * i), 0, 0);
        joint[i] = dJointCreateBall(world, 0);
        dJointAttach(joint[i], body[i], i > 0 ? body[i - 1] : NULL);
        dJointSetBallAnchor(joint[i], (dReal)(0.5 * i), 0, 0);
    }
    const int status = ksInspectorCreate(world, NULL, &inspector) || step(path, inspector, body, joint);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
    dCloseODE();
    return status;
}

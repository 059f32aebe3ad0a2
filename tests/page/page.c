/* page.c  Writes the HTML report of a run to a file: two worlds, a chain under dWorldQuickStep and
 * a door under dWorldStep beside a box on the ground, and a joint whose name would harm a careless
 * page. */
#include "demos/scenes/scenes.h"

#include <kinetostat/report.h>
#include <stdio.h>
#include <stdlib.h>

enum { LINKS = 6, STEPS = 700 };

static const double h = 0.001;

static void check(ksStatus status)
{
    if (status) {
        fprintf(stderr, "page: %s\n", ksErrorMessage());
        exit(1);
    }
}

static ksInspector *watch(ksReport *report, dWorldID world, const char *name)
{
    ksInspector *inspector;
    ksInspectorOptions options;
    ksInspectorOptionsInit(&options);
    options.contactPhysical = 1;
    check(ksInspectorCreate(world, &options, &inspector));
    check(ksReportWatch(report, inspector, name));
    return inspector;
}

/* Two hinges on one axis: mechanics does not determine how they share the load. */
static void makeDoor(dWorldID world)
{
    dMass mass;
    dMassSetBoxTotal(&mass, 10, 1, 0.05, 2);
    dBodyID door = dBodyCreate(world);
    dBodySetMass(door, &mass);
    dBodySetPosition(door, 0, 0, 2);
    for (int i = 0; i < 2; i++) {
        dJointID hinge = dJointCreateHinge(world, NULL);
        dJointAttach(hinge, door, NULL);
        dJointSetHingeAnchor(hinge, -0.5, 0, i ? 2.8 : 1.2);
        dJointSetHingeAxis(hinge, 0, 0, 1);
    }
}

static dBodyID makeBox(dWorldID world)
{
    dMass mass;
    dMassSetBoxTotal(&mass, 2, 1, 1, 1);
    dBodyID box = dBodyCreate(world);
    dBodySetMass(box, &mass);
    dBodySetPosition(box, 3, 0, 0.5);
    return box;
}

static void touch(dWorldID world, dJointGroupID contacts, dBodyID box)
{
    dJointGroupEmpty(contacts);
    for (int i = 0; i < 4; i++) {
        const dContact contact = {.surface = {.mode = dContactApprox1, .mu = 1},
                                  .geom = {.pos = {i % 2 ? 2.5 : 3.5, i / 2 ? -0.5 : 0.5}, .normal = {0, 0, 1}}};
        dJointAttach(dJointCreateContact(world, contacts, &contact), box, NULL);
    }
}

int main(int count, char *argument[])
{
    ksReport *report;
    if (count != 2) {
        fprintf(stderr, "usage: page FILE\n");
        return 2;
    }
    dInitODE2(0);
    Scene *chain = sceneChain(LINKS, SCENE_FALLING);
    dWorldSetQuickStepNumIterations(chain->world, 10);
    makeDoor(chain->world);
    dJointCreateHinge(chain->world, NULL);  // an unattached joint
    dWorldID other = dWorldCreate();
    dWorldSetGravity(other, 0, 0, -SCENE_GRAVITY);
    makeDoor(other);
    dBodyID box = makeBox(other);
    dJointGroupID contacts = dJointGroupCreate(0);
    ksSubscription pair;

    check(ksReportCreate(NULL, &report));
    ksInspector *first = watch(report, chain->world, "chain & door"), *second = watch(report, other, "</title><b>door");
    check(ksInspectorPair(second, box, NULL, 0.15, &pair));
    check(ksInspectorSetName(first, chain->joint[0],
                             "</script><script>window.harmed = 1</script><img src=x onerror=harm()>"));
    for (int i = 0; i < STEPS; i++) {
        check(ksInspectorQuickStep(first, h));
        touch(other, contacts, box);
        check(ksInspectorStep(second, h));
    }
    check(ksReportWrite(report, KS_REPORT_HTML, argument[1]));
    ksReportDestroy(report);
    ksInspectorDestroy(first);
    ksInspectorDestroy(second);
    dJointGroupDestroy(contacts);
    dWorldDestroy(other);
    sceneDestroy(chain);
    dCloseODE();
    return 0;
}

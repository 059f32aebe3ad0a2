/* box_kit.h  A fixture: a world with a box of 2 kg at the origin, and an inspector. */
#ifndef TESTS_KITS_BOX_KIT_H
#define TESTS_KITS_BOX_KIT_H

#include "support.h"

static const double h = 0.001;
static const double mass = 2;
static const double size[3] = {0.2, 0.3, 0.4};

static dWorldID world;
static dBodyID box;
static ksInspector *inspector;

static dBodyID makeBox(double z)
{
    return addBox(world, mass, size, z);
}

static void setUp(void)
{
    world = heavyWorld();
    box = makeBox(0);
    inspector = inspect(world);
}

/* Creates another inspector, with contacts among the unknowns. */
static inline void solveContacts(void)
{
    ksInspectorDestroy(inspector);
    inspector = inspectSolved(world);
}

static void tearDown(void)
{
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}

#endif

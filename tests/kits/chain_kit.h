/* chain_kit.h  A fixture: three falling links and an inspector. */
#ifndef TESTS_KITS_CHAIN_KIT_H
#define TESTS_KITS_CHAIN_KIT_H

#include "support.h"

static const double h = 0.001;

static Scene *scene;
static ksInspector *inspector;

static void setUp(void)
{
    scene = sceneChain(3, SCENE_FALLING);
    inspector = inspect(scene->world);
}

static void tearDown(void)
{
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}

#endif

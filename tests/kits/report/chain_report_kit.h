/* chain_report_kit.h  The fixture of a report: a falling chain, its inspector, and a report. */
#ifndef TESTS_KITS_REPORT_CHAIN_REPORT_KIT_H
#define TESTS_KITS_REPORT_CHAIN_REPORT_KIT_H

#include "tests/kits/report/report_kit.h"

enum { LINKS = 4 };

static Scene *scene;
static ksInspector *inspector;
static ksReport *report;

static inline void setUp(void)
{
    scene = sceneChain(LINKS, SCENE_FALLING);
    inspector = inspect(scene->world);
    dRandSetSeed(1);
    dWorldSetQuickStepNumIterations(scene->world, 10);
    report = newReport(NULL);
}

static inline void tearDown(void)
{
    ksInspectorDestroy(inspector);
    ksReportDestroy(report);
    sceneDestroy(scene);
}

static inline void run(int steps)
{
    for (int i = 0; i < steps; i++)
        CHECK_OK(ksInspectorQuickStep(inspector, h));
}

#endif

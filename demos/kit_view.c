/* kit_view.c  The world of a demo in a window, or in pictures. */
#define _POSIX_C_SOURCE 200809L
#include "kit.h"

#ifdef KIT_HAS_VIEW

#include "plugin/view/folder.h"
#include "plugin/view/view.h"

#include <string.h>

int kitHasView(void)
{
    return 1;
}

static void check(const Kit *kit, ksStatus status)
{
    if (status)
        kitFail(kit, kit->framesPath ? "--frames" : "--view", ksErrorMessage());
}

void kitOpenView(Kit *kit)
{
    ksViewOptions options;
    if (!kit->isViewed && !kit->framesPath)
        return;
    const int error = kit->framesPath ? ksiMakeFolder(kit->framesPath) : 0;
    if (error)
        kitFail(kit, kit->framesPath, strerror(error));
    ksViewOptionsInit(&options);
    options.offscreen = kit->framesPath != NULL;
    check(kit, ksViewCreate(&options, &kit->view));
}

void kitCloseView(Kit *kit)
{
    ksViewDestroy(kit->view);
    kit->view = NULL;
}

void kitViewBegin(const KitRun *run, const char *name)
{
    Kit *kit = run->kit;
    if (!kit->view || kit->viewed)
        return;
    check(kit, ksViewWatch(kit->view, run->inspector, run->scene->space, name));
    kit->viewed = run->inspector;
    kit->due = 0;
}

static void draw(Kit *kit)
{
    char path[4096];
    check(kit, ksViewDraw(kit->view));
    if (!kit->framesPath)
        return;
    snprintf(path, sizeof path, "%s/%s-%05d.png", kit->framesPath, kit->program, ++kit->frames);
    check(kit, ksViewWritePng(kit->view, path));
}

void kitViewStep(KitRun *run)
{
    Kit *kit = run->kit;
    ksViewWish wish;
    while (kit->view && kit->viewed == run->inspector && kit->due == 0) {
        draw(kit);
        check(kit, ksViewPoll(kit->view, run->way.step, &wish));
        if (wish.iterations) {
            run->way.iterations = wish.iterations;
            dWorldSetQuickStepNumIterations(run->scene->world, wish.iterations);
        }
        kit->due = wish.steps;
        if (wish.closed)
            kitCloseView(kit);
    }
    kit->due -= kit->viewed == run->inspector && kit->due > 0;
}

void kitViewEnd(const KitRun *run)
{
    Kit *kit = run->kit;
    if (kit->viewed != run->inspector)
        return;
    kit->viewed = NULL;
    if (kit->view && run->done > 0)
        draw(kit);
    if (kit->view)
        check(kit, ksViewWatch(kit->view, NULL, NULL, NULL));
}

#else

int kitHasView(void)
{
    return 0;
}

void kitOpenView(Kit *kit)
{
    (void)kit;
}

void kitCloseView(Kit *kit)
{
    (void)kit;
}

void kitViewBegin(const KitRun *run, const char *name)
{
    (void)run, (void)name;
}

void kitViewStep(KitRun *run)
{
    (void)run;
}

void kitViewEnd(const KitRun *run)
{
    (void)run;
}

#endif

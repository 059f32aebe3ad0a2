/* show.c  The worlds of a run in a window, or in pictures.
 *
 * What is shown is the copy of the world in which a step was judged, with shapes that are there while a frame is drawn. The step size
 * and the clock say how many steps go by until the next frame; while there is none to be made, steps wait in the memory that is
 * shared with the program. */
#include "show.h"

#include "viewer.h"

#include "../base/memory.h"
#include "../replay/shapes.h"
#include "../view/folder.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct ksiShow {
    const char *folder; /* of pictures; NULL: a window */
    char name[64];
    void *library;
    const ksiViewer *viewer;
    ksView *view;          /* NULL: closed */
    const ksiJudge *judge; /* whose world is shown; NULL: none yet */
    ksiGeomRecord *geom;   /* of the last step */
    size_t geomCount, geomCapacity;
    double h, end; /* s: of a step; time of the world after the last one */
    uint64_t step; /* of the world */
    uint64_t due;  /* steps until the next frame */
    bool isThere;  /* the last step can be looked at */
    bool isBusy, hasFailed;
    unsigned pictures;
};

static void closeView(ksiShow *show)
{
    if (show->view)
        show->viewer->destroy(show->view);
    show->view = NULL;
    show->isBusy = false;
}

static bool check(ksiShow *show, ksStatus status)
{
    if (!status)
        return true;
    // "<function>: <words>"
    const char *message = ksErrorMessage(), *words = strstr(message, ": ");
    fprintf(stderr, "kinetostat: --%s: %s\n", show->folder ? "frames" : "view", words ? words + 2 : message);
    show->hasFailed = true;
    closeView(show);
    return false;
}

static bool load(ksiShow *show, const char *module)
{
    union {
        void *object;
        const ksiViewer *viewer;
    } found = {NULL};
    // it stays: graphics drivers do not like to go
    show->library = access(module, R_OK) ? NULL : dlopen(module, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (show->library)
        found.object = dlsym(show->library, KSI_VIEWER_SYMBOL);
    show->viewer = found.viewer;
    if (found.viewer)
        return true;
    if (access(module, R_OK))
        fprintf(stderr, "kinetostat: built or installed without the view: %s: %s\n", module, strerror(errno));
    else
        fprintf(stderr, "kinetostat: the view cannot be loaded: %s\n", dlerror());
    return false;
}

static bool openView(ksiShow *show)
{
    ksViewOptions options;
    show->viewer->setDefaults(&options);
    options.offscreen = show->folder != NULL;
    options.isPast = 1;
    const int error = show->folder ? ksiMakeFolder(show->folder) : 0;
    if (error) {
        fprintf(stderr, "kinetostat: %s: %s\n", show->folder, strerror(error));
        return false;
    }
    return check(show, show->viewer->create(&options, &show->view));
}

ksiShow *ksiShowOpen(const ksiOptions *options, const char *module, const char *name)
{
    const char *slash = strrchr(name, '/');
    ksiShow *made = calloc(1, sizeof *made);
    if (!made) {
        fputs("kinetostat: out of memory\n", stderr);
        return NULL;
    }
    made->folder = options->frames;
    snprintf(made->name, sizeof made->name, "%s", slash ? slash + 1 : name);
    if (load(made, module) && openView(made))
        return made;
    ksiShowClose(made);
    return NULL;
}

bool ksiShowClose(ksiShow *show)
{
    if (!show)
        return true;
    const bool isWhole = !show->hasFailed;
    closeView(show);
    if (show->library)
        dlclose(show->library);
    ksiFree(&ksiLibraryAllocator, show->geom);
    free(show);
    return isWhole;
}

/* --- Frames --- */

static bool writePicture(ksiShow *show)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s-%05u.png", show->folder, show->name, ++show->pictures);
    return check(show, show->viewer->writePng(show->view, path));
}

/* The judge begins each window with a fresh inspector, which counts time from there. */
static bool follow(ksiShow *show, dSpaceID space)
{
    ksInspector *inspector = ksiJudgeInspector(show->judge);
    const ksStepReport *report = ksInspectorGetStepReport(inspector);
    const double counted = report ? report->time + ksInspectorGetStepSize(inspector) : 0;
    return check(show, show->viewer->follow(show->view, inspector, space, show->end - counted));
}

/* The geoms go before the world goes on: its bodies may be others by then. */
static bool draw(ksiShow *show)
{
    const dSpaceID space = ksiShapesMake(ksiJudgeReplica(show->judge), show->geom, show->geomCount);
    bool isDrawn = follow(show, space) && check(show, show->viewer->draw(show->view)) && follow(show, NULL);
    if (space)
        dSpaceDestroy(space);
    return isDrawn && (!show->folder || writePicture(show));
}

/* Whether the view is still there. */
static bool poll(ksiShow *show, ksViewWish *wish)
{
    if (!check(show, show->viewer->poll(show->view, show->h, wish)))
        return false;
    if (wish->closed)
        closeView(show);
    return !wish->closed;
}

void ksiShowFrame(ksiShow *show)
{
    ksViewWish wish;
    if (!draw(show) || !poll(show, &wish) || wish.steps == 0)
        return;
    show->due = (uint64_t)wish.steps;
    show->isBusy = false;
}

bool ksiShowIsBusy(const ksiShow *show)
{
    return show && show->isBusy;
}

bool ksiShowWait(ksiShow *show)
{
    ksViewWish wish;
    if (!show || !show->view || show->folder || !show->isThere)
        return false;
    // steps that have not come are not made up for
    return draw(show) && poll(show, &wish);
}

void ksiShowLeave(ksiShow *show)
{
    if (show && !show->folder)
        closeView(show);
}

/* --- Steps --- */

/* A body that did not live through its step cannot be read: the next step is shown. */
static bool areAlive(const ksiStepRecord *record)
{
    const ksiBodyResult *end = ksiRecordedEnds(record);
    for (size_t i = 0; i < record->bodyCount; i++)
        if (!end[i].isAlive)
            return false;
    return true;
}

static bool keepGeoms(ksiShow *show, const ksiStepRecord *record)
{
    const ksiGeomRecord *geom = ksiRecordedGeoms(record);
    show->geomCount = 0;
    if (ksiReserve(&ksiLibraryAllocator, &show->geom, &show->geomCapacity, record->geomCount, sizeof *show->geom))
        return false;
    for (size_t i = 0; i < record->geomCount; i++)
        show->geom[i] = geom[i];
    show->geomCount = record->geomCount;
    return true;
}

/* The first poll begins to count time. */
static bool begin(ksiShow *show, const ksiJudge *judge, const ksiStepRecord *record, const char *world)
{
    char title[160];
    ksViewWish wish;
    snprintf(title, sizeof title, "%s, %s", show->name, world);
    show->judge = judge;
    show->h = record->h;
    show->step = record->step;
    show->due = 0;
    return check(show, show->viewer->watch(show->view, NULL, NULL, title)) && poll(show, &wish);
}

void ksiShowLetGo(ksiShow *show, const ksiJudge *judge)
{
    if (show && show->judge == judge)
        show->isThere = show->isBusy = false;
}

void ksiShowStep(ksiShow *show, ksiJudge *judge, const ksiStepRecord *record, const char *world)
{
    if (!show || !show->view || (show->judge && show->judge != judge))
        return;
    if (!show->judge && !begin(show, judge, record, world))
        return;
    const uint64_t passed = record->step - show->step;
    show->due -= passed < show->due ? passed : show->due;
    show->step = record->step;
    show->h = record->h;
    show->end = record->time + record->h;
    show->isThere = areAlive(record) && keepGeoms(show, record);
    // each step, for the chart
    show->isBusy = follow(show, NULL) && show->due == 0 && show->isThere;
}

void ksiShowFinish(ksiShow *show, const ksiJudge *judge)
{
    if (!show || !judge || show->judge != judge)
        return;
    if (show->view && show->due > 0 && show->isThere)
        draw(show);
    show->judge = NULL;
    show->isThere = show->isBusy = false;
    if (show->view)
        check(show, show->viewer->watch(show->view, NULL, NULL, NULL));
}

/* show.c  Shows a scene in a window, or writes its frames into a folder: for looking at the view.
 *
 *     show SCENE [--quick N] [--step MS] [--size N] [--keys KEYS] [--frames FOLDER COUNT EVERY] */
#include "demos/scenes.h"
#include "plugin/view/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Request {
    const char *scene, *keys, *folder;
    int iterations, count, every, size;
    double step;
} Request;

static Scene *makeScene(const Request *request)
{
    static const dMatrix3 level = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    const SceneSurface *surface = &sceneSurface[SURFACE_APPROX1];
    for (const SceneKind *kind = sceneKind; kind->name; kind++)
        if (strcmp(kind->name, request->scene) == 0)
            return kind->make(surface, request->step);
    struct {
        const char *name;
        Scene *scene;
    } other[] = {{"chain", NULL}, {"door", NULL}, {"pile", NULL}, {"fourbar", NULL}, {"zoo", NULL}, {"tree", NULL}};
    size_t found = 0, count = sizeof other / sizeof *other;
    while (found < count && strcmp(other[found].name, request->scene) != 0)
        found++;
    switch (found) {
    case 0:
        return sceneChain(request->size, SCENE_FALLING);
    case 1:
        return sceneHeldTwice(SCENE_DOOR, level);
    case 2:
        return scenePile(request->size);
    case 3:
        return sceneFourbar(&sceneLinkage);
    case 4:
        return sceneZoo();
    case 5:
        return sceneTree(request->size);
    default:
        return NULL;
    }
}

static void check(ksStatus status)
{
    if (status == KS_OK)
        return;
    fprintf(stderr, "show: %s\n", ksErrorMessage());
    exit(1);
}

static int readRequest(int argc, char **argv, Request *request)
{
    for (int i = 2; i < argc; i++) {
        int left = argc - i - 1;
        if (strcmp(argv[i], "--quick") == 0 && left >= 1)
            request->iterations = atoi(argv[++i]);
        else if (strcmp(argv[i], "--step") == 0 && left >= 1)
            request->step = atof(argv[++i]) / 1000;
        else if (strcmp(argv[i], "--size") == 0 && left >= 1)
            request->size = atoi(argv[++i]);
        else if (strcmp(argv[i], "--keys") == 0 && left >= 1)
            request->keys = argv[++i];
        else if (strcmp(argv[i], "--frames") == 0 && left >= 3) {
            request->folder = argv[++i];
            request->count = atoi(argv[++i]);
            request->every = atoi(argv[++i]);
        } else
            return 0;
    }
    return argc > 1 && request->step > 0;
}

static void show(const Request *request, Scene *scene, ksInspector *inspector, ksView *view)
{
    ksViewWish wish;
    for (int frame = 0; !request->folder || frame < request->count; frame++) {
        check(ksViewPoll(view, request->step, &wish));
        if (wish.closed)
            break;
        if (wish.iterations)
            dWorldSetQuickStepNumIterations(scene->world, wish.iterations);
        for (int i = 0; i < wish.steps; i++) {
            sceneBeforeStep(scene);
            check(request->iterations ? ksInspectorQuickStep(inspector, request->step)
                                      : ksInspectorStep(inspector, request->step));
            sceneAfterStep(scene);
        }
        check(ksViewDraw(view));
        if (request->folder && (frame + 1) % request->every == 0) {
            char path[512];
            snprintf(path, sizeof path, "%s/%s%05d.png", request->folder, request->scene, frame + 1);
            check(ksViewWritePng(view, path));
        }
    }
}

int main(int argc, char **argv)
{
    Request request = {.step = 0.005, .size = 10};
    if (!readRequest(argc, argv, &request) || argc < 2)
        return 2;
    request.scene = argv[1];
    dInitODE2(0);
    Scene *scene = makeScene(&request);
    if (!scene) {
        fprintf(stderr, "show: no scene %s\n", request.scene);
        return 2;
    }
    if (request.iterations)
        dWorldSetQuickStepNumIterations(scene->world, request.iterations);
    ksInspector *inspector;
    ksViewOptions options;
    ksView *view;
    ksViewOptionsInit(&options);
    options.offscreen = request.folder != NULL;
    check(ksInspectorCreate(scene->world, NULL, &inspector));
    check(ksViewCreate(&options, &view));
    check(ksViewWatch(view, inspector, scene->space, request.scene));
    for (const char *key = request.keys; key && *key; key++)
        check(ksViewPress(view, *key));
    show(&request, scene, inspector, view);
    ksViewDestroy(view);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
    dCloseODE();
    return 0;
}

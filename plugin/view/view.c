/* view.c  The calls of view.h: what is watched, the frame, pictures. */
#include "view.h"

#include "canvas.h"
#include "inside.h"
#include "panel.h"

#include <fenv.h>
#include <math.h>
#include <png.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ksStatus ksiViewFail(const char *function, ksStatus status, const char *format, ...)
{
    char words[512];
    va_list value;
    va_start(value, format);
    vsnprintf(words, sizeof words, format, value);
    va_end(value);
    return ksErrorSet(status, function, words);
}

void ksViewOptionsInit(ksViewOptions *options)
{
    if (options)
        *options = (ksViewOptions){.size = sizeof *options, .width = 1280, .height = 720, .frameRate = 60};
}

static const char *wrongOption(const ksViewOptions *options)
{
    enum { LARGEST = 16384 };
    if (options->size != sizeof *options)
        return "options->size is not that of ksViewOptionsInit";
    if (options->width < 1 || options->width > LARGEST || options->height < 1 || options->height > LARGEST)
        return "options->width and height must be in 1 .. 16384";
    if (options->samples < 0)
        return "options->samples must be >= 0";
    if (!(options->frameRate > 0) || !isfinite(options->frameRate))
        return "options->frameRate must be finite and > 0";
    for (size_t i = 0; i < sizeof options->reserved / sizeof *options->reserved; i++)
        if (options->reserved[i] != 0)
            return "options->reserved must be 0";
    return NULL;
}

/* Opens what draws; the view is freed by the caller if this fails. */
static ksStatus openView(ksView *view)
{
    static const char opener[] = "ksViewCreate";
    const char *why = NULL;
    char words[256];
    view->context = ksiContextOpen(view->options.offscreen != 0, view->options.width, view->options.height, &why);
    if (!view->context)
        return why ? ksiViewFail(opener, KS_ERROR_UNAVAILABLE, "%s", why)
                   : ksiViewFail(opener, KS_ERROR_NO_MEMORY, "no memory");
    view->canvas = ksiCanvasOpen(view->options.samples, !view->options.offscreen, words);
    if (!view->canvas)
        return words[0] ? ksiViewFail(opener, KS_ERROR_UNAVAILABLE, "OpenGL: %s", words)
                        : ksiViewFail(opener, KS_ERROR_NO_MEMORY, "no memory");
    return KS_OK;
}

ksStatus ksViewCreate(const ksViewOptions *options, ksView **view)
{
    ksViewOptions usual;
    fenv_t floating;
    ksViewOptionsInit(&usual);
    if (!view)
        return KSI_VIEW_FAIL(KS_ERROR_BAD_ARGUMENT, "view is NULL");
    const char *wrong = options ? wrongOption(options) : NULL;
    if (wrong)
        return KSI_VIEW_FAIL(KS_ERROR_BAD_ARGUMENT, "%s", wrong);
    ksView *made = calloc(1, sizeof *made);
    if (!made)
        return KSI_VIEW_FAIL(KS_ERROR_NO_MEMORY, "no memory");
    made->options = options ? *options : usual;
    made->speed = 1;
    made->shown = (ksiShown){.value = {[KS_ENGINE] = true, [KS_PHYSICAL] = true},
                             .torques = true,
                             .contacts = true,
                             .selfStress = true,
                             .figures = true,
                             .help = !made->options.offscreen};
    ksiCameraReset(&made->camera, (const double[3]){0, 0, 1});
    feholdexcept(&floating);
    ksStatus status = openView(made);
    fesetenv(&floating);
    if (status != KS_OK)
        ksViewDestroy(made);
    else
        *view = made;
    return status;
}

/* An inspector that is there knows all of its subscriptions. */
static void unsubscribe(ksInspector *inspector, ksView *view)
{
    ksStatus status = ksInspectorOff(inspector, view);
    (void)status;
}

void ksViewDestroy(ksView *view)
{
    fenv_t floating;
    if (!view)
        return;
    feholdexcept(&floating);
    if (view->inspector)
        unsubscribe(view->inspector, view);
    if (view->context && ksiContextUse(view->context))
        ksiCanvasClose(view->canvas);
    ksiContextClose(view->context);
    ksiPictureFree(&view->picture);
    ksiSubjectFree(&view->subject);
    ksiHistoryFree(&view->history);
    free(view->numbers.number);
    free(view->title);
    free(view);
    fesetenv(&floating);
}

static void onStep(const ksStepReport *report, void *user)
{
    ksView *view = user;
    (void)report;
    if (view->inspector && !ksiHistoryAdd(&view->history, view->inspector))
        view->picture.isShort = true;
}

static void onDestroy(void *user)
{
    ksView *view = user;
    view->inspector = NULL;
    view->space = NULL;
}

/* Both or neither. */
static ksStatus subscribe(ksInspector *inspector, ksView *view)
{
    ksStatus status = ksInspectorOnStep(inspector, onStep, view);
    if (status == KS_OK && (status = ksInspectorOnDestroy(inspector, onDestroy, view)) != KS_OK)
        unsubscribe(inspector, view);
    return status;
}

static ksStatus changeInspector(ksView *view, ksInspector *inspector)
{
    ksStatus status = inspector && inspector != view->inspector ? subscribe(inspector, view) : KS_OK;
    if (status == KS_OK && view->inspector && inspector != view->inspector)
        unsubscribe(view->inspector, view);
    if (status == KS_OK)
        view->inspector = inspector;
    return status;
}

ksStatus ksViewFollow(ksView *view, ksInspector *inspector, dSpaceID space, double begin)
{
    if (!view || !inspector)
        return KSI_VIEW_FAIL(KS_ERROR_BAD_ARGUMENT, "view or inspector is NULL");
    bool isNew = inspector != view->inspector;
    ksStatus status = changeInspector(view, inspector);
    if (status != KS_OK)
        return status;
    view->space = space;
    view->history.begin = begin;
    if (isNew && ksInspectorGetStepReport(inspector) && !ksiHistoryAdd(&view->history, inspector))
        return KSI_VIEW_FAIL(KS_ERROR_NO_MEMORY, "no memory");
    return KS_OK;
}

ksStatus ksViewWatch(ksView *view, ksInspector *inspector, dSpaceID space, const char *title)
{
    if (!view)
        return KSI_VIEW_FAIL(KS_ERROR_BAD_ARGUMENT, "view is NULL");
    char *copy = title ? strdup(title) : NULL;
    if (title && !copy)
        return KSI_VIEW_FAIL(KS_ERROR_NO_MEMORY, "no memory");
    ksStatus status = changeInspector(view, inspector);
    if (status != KS_OK) {
        free(copy);
        return status;
    }
    free(view->title);
    view->title = copy;
    view->space = space;
    view->scale = (ksiScale){0};
    view->hasBounds = false;
    ksiHistoryFree(&view->history);
    view->history.chosen = NULL;
    view->history.begin = 0;
    if (copy)
        ksiContextTitle(view->context, copy);
    return KS_OK;
}

/* A picture is broader than it is high, and something is written below: what stands upright is seen from farther away. */
static double reachOf(const ksiSubject *subject)
{
    static const double farther = 0.35;
    return subject->radius * (1 + farther * subject->upright * subject->upright);
}

/* All of it is new, or so much larger that the eye might be within: the camera starts afresh. */
static void startCamera(ksView *view)
{
    const ksiSubject *subject = &view->subject;
    if (!view->hasBounds) {
        view->low = subject->low;
        if (!view->isPut)
            ksiCameraReset(&view->camera, subject->up);
    }
    if (!view->isPut)
        memcpy(view->camera.target, subject->centre, sizeof subject->centre);
    view->reach = reachOf(subject);
    view->hasBounds = subject->count > 0;
}

/* The camera turns about the middle of what there is, and keeps all in sight; it follows when things go away. */
static void follow(ksView *view)
{
    const ksiSubject *subject = &view->subject;
    static const double explosion = 2, loose = 0.15, closer = 0.01, farther = 0.2;
    double away[3];
    if (!view->hasBounds || reachOf(subject) > explosion * view->reach)
        startCamera(view);
    view->low = fmin(view->low, subject->low);
    double more = reachOf(subject) - view->reach;
    view->reach += more * (more > 0 ? farther : closer);
    if (view->isPut)
        return;
    for (int i = 0; i < 3; i++)
        away[i] = subject->centre[i] - view->camera.target[i];
    double slack = ksiLength3(away) - loose * view->reach;
    for (int i = 0; i < 3 && slack > 0; i++)
        view->camera.target[i] += away[i] * fmin(0.5, slack / ksiLength3(away));
    view->camera.distance = view->reach * 3 * (view->zoom > 0 ? view->zoom : 1);
}

static ksiStage makeStage(ksView *view)
{
    const ksiSubject *subject = &view->subject;
    double reach = fmax(view->reach, 1e-6);
    double below = view->low - 0.08 * reach;
    bool hasFloor = isfinite(subject->floor) && subject->floor < view->low + reach;
    ksiStage stage = {.camera = &view->camera};
    stage.ground.height = hasFloor ? subject->floor : below;
    stage.ground.cell = ksiRound125(reach / 4);
    stage.ground.radius = 14 * fmax(reach, view->camera.distance / 3);
    // the ball of the light holds the bodies and their shadows
    double above = ksiDot3(subject->centre, subject->up) - stage.ground.height;
    memcpy(stage.centre, subject->centre, sizeof stage.centre);
    stage.radius = 1.05 * fmax(subject->radius, 1e-6) + 1.2 * fmax(above, 0);
    return stage;
}

/* All of the frame but OpenGL. */
static ksStatus fillPicture(ksView *view, ksiStage *stage)
{
    int width, height;
    ksiContextSize(view->context, &width, &height);
    if (!ksiSubjectRead(&view->subject, view->inspector, view->space))
        return ksiViewFail("ksViewDraw", KS_ERROR_NO_MEMORY, "no memory");
    follow(view);
    *stage = makeStage(view);
    ksiCameraAim(&view->camera, (double)width / height, stage->ground.radius);
    ksiPictureBegin(&view->picture, view->camera.target, width, height);
    if (!ksiScaleUpdate(&view->scale, view->inspector, &view->shown, view->subject.typical, &view->numbers))
        return ksiViewFail("ksViewDraw", KS_ERROR_NO_MEMORY, "no memory");
    const ksReaction *worst = ksiWorst(view->inspector, &view->scale);
    if (view->isWorst && worst && ksiHistoryFind(&view->history, worst->joint))
        view->history.chosen = worst->joint;
    const ksiForces forces = {.inspector = view->inspector,
                              .shown = &view->shown,
                              .scale = &view->scale,
                              .camera = &view->camera,
                              .sizes = ksiSizesOf(&view->camera, view->subject.typical, view->history.count),
                              .chosen = view->history.chosen};
    const ksiPanel panel = {.inspector = view->inspector,
                            .history = &view->history,
                            .forces = &forces,
                            .worst = worst,
                            .title = view->title,
                            .speed = view->speed,
                            .isPast = view->options.isPast != 0,
                            .isPaused = view->isPaused};
    ksiSubjectDraw(&view->subject, view->space, &view->picture);
    ksiForcesDraw(&forces, &view->picture);
    ksiPanelDraw(&panel, &view->picture);
    view->arrowScale = view->scale.force > 0 ? forces.sizes.length / view->scale.force : 0;
    if (view->picture.isShort)
        return ksiViewFail("ksViewDraw", KS_ERROR_NO_MEMORY, "no memory");
    return KS_OK;
}

ksStatus ksViewDraw(ksView *view)
{
    fenv_t floating;
    ksiStage stage;
    if (!view)
        return KSI_VIEW_FAIL(KS_ERROR_BAD_ARGUMENT, "view is NULL");
    feholdexcept(&floating);
    ksStatus status = fillPicture(view, &stage);
    if (status == KS_OK) {
        if (!ksiContextUse(view->context) || !ksiCanvasDraw(view->canvas, &view->picture, &stage)) {
            status = KSI_VIEW_FAIL(KS_ERROR_UNAVAILABLE, "OpenGL has failed");
        } else {
            view->hasFrame = true;
            if (!view->options.offscreen) {
                ksiCanvasShow(view->canvas);
                ksiContextShow(view->context);
            }
        }
    }
    fesetenv(&floating);
    return status;
}

ksStatus ksViewSetCamera(ksView *view, const double eye[3], const double target[3])
{
    if (!view || !eye || !target)
        return KSI_VIEW_FAIL(KS_ERROR_BAD_ARGUMENT, "view, eye or target is NULL");
    ksiCamera camera = view->camera;
    double up[3] = {0, 0, 1};
    if (view->inspector) {
        dVector3 gravity;
        dWorldGetGravity(ksInspectorGetWorld(view->inspector), gravity);
        for (int i = 0; i < 3 && ksiLength3(gravity) > 0; i++)
            up[i] = -gravity[i];
    }
    ksiCameraReset(&camera, up);
    if (!ksiCameraPut(&camera, eye, target))
        return KSI_VIEW_FAIL(KS_ERROR_BAD_ARGUMENT, "eye and target are one point, or lie along gravity");
    view->camera = camera;
    view->isPut = true;
    return KS_OK;
}

ksStatus ksViewGetClip(const ksView *view, double clip[16])
{
    if (!view || !clip)
        return KSI_VIEW_FAIL(KS_ERROR_BAD_ARGUMENT, "view or clip is NULL");
    if (!view->hasFrame)
        return KSI_VIEW_FAIL(KS_ERROR_UNAVAILABLE, "there is no frame yet");
    for (int i = 0; i < 4; i++) {
        memcpy(&clip[4 * i], view->camera.clip[i], 4 * sizeof *clip);
        clip[4 * i + 3] -= ksiDot3(view->camera.clip[i], view->picture.origin);
    }
    return KS_OK;
}

ksStatus ksViewGetArrowScale(const ksView *view, double *scale)
{
    if (!view || !scale)
        return KSI_VIEW_FAIL(KS_ERROR_BAD_ARGUMENT, "view or scale is NULL");
    if (!view->hasFrame || !(view->arrowScale > 0))
        return KSI_VIEW_FAIL(KS_ERROR_UNAVAILABLE, "there is no frame with a force yet");
    *scale = view->arrowScale;
    return KS_OK;
}

void ksViewGetSize(const ksView *view, int *width, int *height)
{
    int w = 0, h = 0;
    if (view && view->hasFrame) {
        w = view->picture.width;
        h = view->picture.height;
    } else if (view) {
        ksiContextSize(view->context, &w, &h);
    }
    if (width)
        *width = w;
    if (height)
        *height = h;
}

ksStatus ksViewReadPixels(ksView *view, unsigned char *rgb)
{
    fenv_t floating;
    if (!view || !rgb)
        return KSI_VIEW_FAIL(KS_ERROR_BAD_ARGUMENT, "view or rgb is NULL");
    if (!view->hasFrame)
        return KSI_VIEW_FAIL(KS_ERROR_UNAVAILABLE, "there is no frame yet");
    feholdexcept(&floating);
    bool isRead = ksiContextUse(view->context) && ksiCanvasRead(view->canvas, rgb);
    fesetenv(&floating);
    return isRead ? KS_OK : KSI_VIEW_FAIL(KS_ERROR_UNAVAILABLE, "OpenGL has failed");
}

ksStatus ksViewWritePng(ksView *view, const char *path)
{
    if (!view || !path)
        return KSI_VIEW_FAIL(KS_ERROR_BAD_ARGUMENT, "view or path is NULL");
    png_image image = {.version = PNG_IMAGE_VERSION, .format = PNG_FORMAT_RGB};
    int width, height;
    ksViewGetSize(view, &width, &height);
    image.width = (png_uint_32)width;
    image.height = (png_uint_32)height;
    unsigned char *rgb = malloc(3 * (size_t)width * (size_t)height);
    if (!rgb)
        return KSI_VIEW_FAIL(KS_ERROR_NO_MEMORY, "no memory");
    ksStatus status = ksViewReadPixels(view, rgb);
    if (status == KS_OK && !png_image_write_to_file(&image, path, 0, rgb, 0, NULL))
        status = KSI_VIEW_FAIL(KS_ERROR_FILE, "%s: %s", path, image.message);
    free(rgb);
    return status;
}

const char *ksViewGetRenderer(const ksView *view)
{
    return view ? ksiCanvasRenderer(view->canvas) : "";
}

/* keys.c  What the user wants: keys and mouse, and how many steps are due. */
#include "inside.h"

#include <fenv.h>
#include <math.h>
#include <string.h>
#include <time.h>

static const double slowest = 1.0 / 1024, fastest = 64;

/* The next number of iterations in 1, 2, 5, 10, ... */
static int nextIterations(const ksView *view, int direction)
{
    enum { MOST = 1000000 };
    int now =
        view->iterations ? view->iterations : dWorldGetQuickStepNumIterations(ksInspectorGetWorld(view->inspector));
    double next = direction > 0 ? ksiRound125(now * 1.01) : 1;
    // the largest one below
    for (double smaller = 1; direction < 0 && smaller < now; smaller = ksiRound125(smaller * 1.01))
        next = smaller;
    return (int)fmin(next, MOST);
}

static void toggle(bool *flag)
{
    *flag = !*flag;
}

static void resetCamera(ksView *view)
{
    view->isPut = false;
    view->hasBounds = false;
    view->zoom = 0;
}

static void press(ksView *view, int key)
{
    switch (key) {
    case ' ':
        toggle(&view->isPaused);
        break;
    case '.':
    case KS_VIEW_KEY_RIGHT:
        view->isPaused = true;
        view->singleSteps++;
        break;
    case '[':
        view->speed = fmax(view->speed / 2, slowest);
        break;
    case ']':
        view->speed = fmin(view->speed * 2, fastest);
        break;
    case KS_VIEW_KEY_UP:
    case KS_VIEW_KEY_DOWN:
        if (view->inspector && !view->options.isPast)
            view->iterations = nextIterations(view, key == KS_VIEW_KEY_UP ? 1 : -1);
        break;
    case 'e':
        toggle(&view->shown.value[KS_ENGINE]);
        break;
    case 'c':
        toggle(&view->shown.value[KS_CONVERGED]);
        break;
    case 'p':
        toggle(&view->shown.value[KS_PHYSICAL]);
        break;
    case 't':
        toggle(&view->shown.torques);
        break;
    case 'k':
        toggle(&view->shown.contacts);
        break;
    case 's':
        toggle(&view->shown.selfStress);
        break;
    case 'l':
        toggle(&view->shown.figures);
        break;
    case 'h':
        toggle(&view->shown.help);
        break;
    case 'w':
        toggle(&view->isWorst);
        break;
    case KS_VIEW_KEY_TAB:
        view->isWorst = false;
        ksiHistoryNext(&view->history);
        break;
    case KS_VIEW_KEY_HOME:
        resetCamera(view);
        break;
    case 'q':
    case KS_VIEW_KEY_ESCAPE:
        view->isClosed = true;
        break;
    default:
        break;
    }
}

ksStatus ksViewPress(ksView *view, int key)
{
    if (!view)
        return KSI_VIEW_FAIL(KS_ERROR_BAD_ARGUMENT, "view is NULL");
    press(view, key);
    return KS_OK;
}

/* The mouse moves the camera: a drag across the picture's height turns it by half a turn, or moves it by that height. */
static void moveCamera(ksView *view, const ksiUserInput *input)
{
    static const double steepest = 1.5, half = 3.14159;
    ksiCamera *camera = &view->camera;
    int height;
    ksViewGetSize(view, NULL, &height);
    camera->yaw -= half * input->orbit[0] / height;
    camera->pitch = fmax(-steepest, fmin(camera->pitch + half * input->orbit[1] / height, steepest));
    double metre = KSI_CAMERA_HEIGHT * camera->distance / height, closer = pow(0.9, input->zoom);
    if (input->pan[0] != 0 || input->pan[1] != 0) {
        // it stays where it was put
        view->isPut = true;
        for (int i = 0; i < 3; i++)
            camera->target[i] += metre * (input->pan[1] * camera->above[i] - input->pan[0] * camera->right[i]);
    }
    if (view->isPut)
        camera->distance *= closer;
    else
        view->zoom = (view->zoom > 0 ? view->zoom : 1) * closer;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* s since the last frame; a window waits until the next one is due, and forgets what a slow host has missed. */
static double elapsed(ksView *view)
{
    const double frame = 1 / view->options.frameRate, longest = 0.1;
    bool isFirst = !view->hasLast;
    view->hasLast = true;
    if (view->options.offscreen)
        return isFirst ? 0 : frame;
    double time = now(), passed = isFirst ? 0 : time - view->last;
    // the screen may be what is waited for: half a millisecond is left to it
    double wait = isFirst ? 0 : frame - passed - 0.0005;
    if (wait > 0) {
        struct timespec pause = {0, (long)(fmin(wait, 0.5) * 1e9)};
        nanosleep(&pause, NULL);
        time = now();
        passed = time - view->last;
    }
    view->last = time;
    return fmin(passed, fmax(longest, frame));
}

ksStatus ksViewPoll(ksView *view, double stepSize, ksViewWish *wish)
{
    ksiUserInput input = {.isClosed = false};
    fenv_t floating;
    if (!view || !wish)
        return KSI_VIEW_FAIL(KS_ERROR_BAD_ARGUMENT, "view or wish is NULL");
    if (!(stepSize > 0) || !isfinite(stepSize))
        return KSI_VIEW_FAIL(KS_ERROR_BAD_ARGUMENT, "stepSize is %g, must be finite and > 0", stepSize);
    feholdexcept(&floating);
    double passed = elapsed(view);
    ksiContextPoll(view->context, &input);
    for (int i = 0; i < input.keyCount; i++)
        press(view, input.key[i]);
    moveCamera(view, &input);

    // a step is due where rounding alone is missing
    view->due = view->isPaused ? 0 : view->due + passed * view->speed / stepSize;
    double whole = fmin(floor(view->due + 1e-6), 1e6);
    view->due = fmax(view->due - whole, 0);
    *wish = (ksViewWish){.closed = view->isClosed || input.isClosed,
                         .steps = (int)whole + view->singleSteps,
                         .iterations = view->iterations};
    view->singleSteps = 0;
    view->iterations = 0;
    fesetenv(&floating);
    return KS_OK;
}

/** @file view.h  A world in a window, or in pictures: bodies, joints by verdict, forces as arrows.
 *
 *      ksView *view;
 *      ksViewCreate(NULL, &view);
 *      ksViewWatch(view, inspector, space, "arm");
 *      ksViewWish wish;
 *      while (ksViewPoll(view, 0.001, &wish) == KS_OK && !wish.closed) {
 *          for (int i = 0; i < wish.steps; i++)
 *              ksInspectorQuickStep(inspector, 0.001);
 *          ksViewDraw(view);
 *      }
 *      ksViewDestroy(view);
 *
 *  The view reads the world, and changes nothing of it: what the user wants of the world comes as a wish. One thread at a time uses
 *  a view: the thread that steps its world. Its OpenGL context stays current in that thread. Calls leave floating-point flags and traps
 *  as they are.
 */
#ifndef KSI_VIEW_VIEW_H
#define KSI_VIEW_VIEW_H

#include <kinetostat/kinetostat.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ksView ksView;

/** Options. Call ksViewOptionsInit, then change members. The default of a member stands first. */
typedef struct ksViewOptions {
    size_t size;       /**< sizeof(ksViewOptions); set by ksViewOptionsInit */
    int width, height; /**< 1280 x 720 pixels; at most 16384 */
    int offscreen;     /**< 0: a window; 1: pictures only, which needs no display */
    int samples; /**< samples of a pixel, against jagged edges. 0: 4, or 1 in a window without a graphics processor */
    double frameRate; /**< 60: frames in a second; off screen in a second of the world's time */
    int isPast;       /**< 0; 1: steps are shown that were made elsewhere: nobody can wish for other iterations */
    double reserved[4];
} ksViewOptions;

/** Sets the defaults. NULL is fine. */
void ksViewOptionsInit(ksViewOptions *options);

/** Opens a window, or what pictures need.
 *  @param[in]  options  NULL: the defaults; copied
 *  @param[out] view     owned by the caller, who calls ksViewDestroy
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY, KS_ERROR_UNAVAILABLE (no display, or no OpenGL 3.3 on it) */
KS_MUST_USE ksStatus ksViewCreate(const ksViewOptions *options, ksView **view);

/** Closes the window, and frees all. NULL is fine. Not from a callback of the inspector. */
void ksViewDestroy(ksView *view);

/** From now on, shows the world of this inspector, in place of the one before.
 *  @param     inspector  may be destroyed before the view, and after it. NULL: nothing is shown any longer
 *  @param     space      geoms without a body in it are shown, too; NULL: none
 *  @param[in] title      copied; NULL: none
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY */
KS_MUST_USE ksStatus ksViewWatch(ksView *view, ksInspector *inspector, dSpaceID space, const char *title);

/** From now on, takes the forces of the world that is shown from another inspector of it, in place of one that may be gone. Camera,
 *  scale and chart go on. The inspector's last step counts as the next of the chart.
 *  @param space  as of ksViewWatch
 *  @param begin  s, time of the world when the inspector began to count
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY */
KS_MUST_USE ksStatus ksViewFollow(ksView *view, ksInspector *inspector, dSpaceID space, double begin);

/** Draws the world as it is now, with the forces of the last step. Bodies have to be those of the last step: one that was destroyed
 *  since then must not be read any longer, so draw first, or make another step.
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY (nothing was drawn), KS_ERROR_UNAVAILABLE (OpenGL has failed) */
KS_MUST_USE ksStatus ksViewDraw(ksView *view);

/** What the user wants. */
typedef struct ksViewWish {
    int closed;     /**< 1: the window is to be closed */
    int steps;      /**< steps to be made before the next frame, by pause, single steps and speed; the first call: 0 */
    int iterations; /**< for dWorldSetQuickStepNumIterations; 0: as they are */
} ksViewWish;

/** Takes in keys and mouse. A window follows the clock, pictures the frame rate.
 *  @param      stepSize  s, > 0
 *  @param[out] wish      set on KS_OK
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT */
KS_MUST_USE ksStatus ksViewPoll(ksView *view, double stepSize, ksViewWish *wish);

/** Keys that are no characters. The others are those of the keyboard: the frame itself says what they do. */
enum {
    KS_VIEW_KEY_UP = 256,
    KS_VIEW_KEY_DOWN,
    KS_VIEW_KEY_RIGHT,
    KS_VIEW_KEY_HOME,
    KS_VIEW_KEY_TAB,
    KS_VIEW_KEY_ESCAPE
};

/** Does what the key does. Keys that have no meaning do nothing. @return KS_OK, KS_ERROR_BAD_ARGUMENT */
KS_MUST_USE ksStatus ksViewPress(ksView *view, int key);

/** Puts the camera. Until the next Home key it stays there.
 *  @param[in] eye, target  m, world; not the same, and not in one line with gravity
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT */
KS_MUST_USE ksStatus ksViewSetCamera(ksView *view, const double eye[3], const double target[3]);

/** Where a point of the world is in the last frame: (x, y, z, w) = clip (point, 1); it is in the picture where x / w is -1 on the left
 *  and 1 on the right, y / w is -1 below and 1 above.
 *  @param[out] clip  [16] row-major
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_UNAVAILABLE (no frame yet) */
KS_MUST_USE ksStatus ksViewGetClip(const ksView *view, double clip[16]);

/** How long arrows are in the last frame: that of a force in m/N.
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_UNAVAILABLE (no frame yet) */
KS_MUST_USE ksStatus ksViewGetArrowScale(const ksView *view, double *scale);

/** The size of a frame, pixels: that of the window now. NULL is fine for each. */
void ksViewGetSize(const ksView *view, int *width, int *height);

/** The last frame.
 *  @param[out] rgb  [3 width height] bytes, from the upper left corner, line by line
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_UNAVAILABLE (no frame yet) */
KS_MUST_USE ksStatus ksViewReadPixels(ksView *view, unsigned char *rgb);

/** Writes the last frame as PNG.
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY, KS_ERROR_FILE, KS_ERROR_UNAVAILABLE (no frame yet) */
KS_MUST_USE ksStatus ksViewWritePng(ksView *view, const char *path);

/** Who draws: the name of the OpenGL implementation. Valid as long as the view. */
const char *ksViewGetRenderer(const ksView *view);

#ifdef __cplusplus
}
#endif
#endif

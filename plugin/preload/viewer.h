/* viewer.h  The view as a module: what draws is loaded when something is to be shown, so that the command itself runs where there is no
 * OpenGL. */
#ifndef KSI_PRELOAD_VIEWER_H
#define KSI_PRELOAD_VIEWER_H

#include "../view/view.h"

#define KSI_VIEWER_SYMBOL "ksiTheView"

/* The calls of view.h. */
typedef struct ksiViewer {
    void (*setDefaults)(ksViewOptions *options);
    ksStatus (*create)(const ksViewOptions *options, ksView **view);
    void (*destroy)(ksView *view);
    ksStatus (*watch)(ksView *view, ksInspector *inspector, dSpaceID space, const char *title);
    ksStatus (*follow)(ksView *view, ksInspector *inspector, dSpaceID space, double begin);
    ksStatus (*draw)(ksView *view);
    ksStatus (*poll)(ksView *view, double stepSize, ksViewWish *wish);
    ksStatus (*writePng)(ksView *view, const char *path);
} ksiViewer;

#endif

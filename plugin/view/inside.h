/* inside.h  A view. */
#ifndef KSI_VIEW_INSIDE_H
#define KSI_VIEW_INSIDE_H

#include "camera.h"
#include "canvas.h"
#include "context.h"
#include "forces.h"
#include "history.h"
#include "picture.h"
#include "subject.h"
#include "view.h"

struct ksView {
    ksViewOptions options;
    ksiContext *context;
    ksiCanvas *canvas;
    /* what is watched; NULL: nothing */
    ksInspector *inspector;
    dSpaceID space;
    char *title;
    ksiSubject subject;
    ksiForceHistory history;
    bool isWorst; /* the chart follows the worst joint */
    /* how it is shown */
    ksiShown shown;
    ksiScale scale;
    ksiNumbers numbers;
    ksiCamera camera;
    bool isPut, hasBounds; /* by ksViewSetCamera; the camera has seen its subject */
    double reach, low;     /* m: radius of the subject, lowest point so far */
    double zoom;           /* by the user; 0: 1 */
    ksiPicture picture;
    bool hasFrame;
    double arrowScale; /* m/N of the last frame */
    /* what the user wants */
    bool isPaused, isClosed;
    int singleSteps, iterations; /* to be handed out once */
    double speed;                /* 1: as the clock */
    double last, due;            /* s, of the clock; steps that are owed */
    bool hasLast;
};

/* Sets ksErrorMessage and returns the status; printf's format. */
ksStatus ksiViewFail(const char *function, ksStatus status, const char *format, ...)
    __attribute__((format(printf, 3, 4), cold));
#define KSI_VIEW_FAIL(status, ...) ksiViewFail(__func__, status, __VA_ARGS__)

#endif

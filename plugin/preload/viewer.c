/* viewer.c  The view as a module. It uses the engine and the library that the command has. */
#include "viewer.h"

extern const ksiViewer ksiTheView;

__attribute__((visibility("default"))) const ksiViewer ksiTheView = {
    .setDefaults = ksViewOptionsInit,
    .create = ksViewCreate,
    .destroy = ksViewDestroy,
    .watch = ksViewWatch,
    .follow = ksViewFollow,
    .draw = ksViewDraw,
    .poll = ksViewPoll,
    .writePng = ksViewWritePng,
};

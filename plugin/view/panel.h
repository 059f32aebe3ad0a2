/* panel.h  What is written into the frame. */
#ifndef KSI_VIEW_PANEL_H
#define KSI_VIEW_PANEL_H

#include "forces.h"
#include "history.h"

typedef struct ksiPanel {
    const ksInspector *inspector; /* NULL: nothing is watched */
    const ksiForceHistory *history;
    const ksiForces *forces;
    const ksReaction *worst; /* NULL: none */
    const char *title;       /* NULL: none */
    double speed;            /* 1: as the clock */
    bool isPaused, isPast;   /* isPast: as ksViewOptions */
} ksiPanel;

void ksiPanelDraw(const ksiPanel *panel, ksiPicture *picture);

#endif

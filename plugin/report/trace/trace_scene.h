/* trace_scene.h  A step of a trace as a picture: JSON messages of Foxglove's schemas
 * FrameTransforms and SceneUpdate. The functions return NULL if memory is short. */
#ifndef KSI_REPORT_TRACE_TRACE_SCENE_H
#define KSI_REPORT_TRACE_TRACE_SCENE_H

#include "trace_text.h"

/* Scale of a world; zero-initialised: not yet chosen. */
typedef struct ksiTraceScale {
    double size;            /* m, mean size of the bodies' boxes */
    double metresPerNewton; /* scale of arrows; it never grows */
} ksiTraceScale;

/* The lines of one step. */
typedef struct ksiTraceScene {
    const char *frame; /* the world's frame; less than KSI_TRACED_NAME bytes of ASCII */
    uint64_t time;     /* ns */
    const ksiPoseLine *pose;
    const ksiReactionLine *reaction;
    size_t poseCount, reactionCount;
    const ksiLines *joints;
} ksiTraceScene;

json_t *ksiTransformsSchema(void);
json_t *ksiSceneSchema(void);

/* Transforms: the pose of each body. Bodies: a box for each body. Forces: the anchors of joints,
 * with the forces on body 0. Bodies and Forces replace their previous pictures. */
json_t *ksiSceneTransforms(const ksiTraceScene *scene);
json_t *ksiSceneBodies(const ksiTraceScene *scene);
json_t *ksiSceneForces(const ksiTraceScene *scene, ksiTraceScale *scale);

#endif

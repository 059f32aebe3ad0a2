/* scene.h  Poses and shapes of bodies before a step. */
#ifndef KSI_REPORT_COLLECT_SCENE_H
#define KSI_REPORT_COLLECT_SCENE_H

#include "../files/maps.h"

#include <kinetostat/kinetostat.h>

/* ../replay/record.h */
typedef struct ksiGeomRecord ksiGeomRecord;
typedef struct ksiStepRecord ksiStepRecord;

typedef struct ksiScenePose {
    uint64_t number; /* in order of creation, from 1; 0: unknown so far */
    dBodyID id;      /* NULL if the number is known */
    double place[3]; /* m */
    float turn[4];   /* unit quaternion, real part first */
} ksiScenePose;

/* All zero: empty. */
typedef struct ksiScene {
    uint64_t step;
    ksiScenePose *body;
    size_t bodyCount, capacity;
    const ksiGeomRecord *geom; /* ksiGeomRecord::body is an index in `body` */
    size_t geomCount;
    double gravity[3]; /* m/s^2 */
} ksiScene;

/* Makes the scene of a record; it is valid as long as the record. false: out of memory. */
bool ksiSceneOfRecord(const ksAllocator *allocator, const ksiStepRecord *record, ksiScene *scene);
void ksiSceneFree(const ksAllocator *allocator, ksiScene *scene);

/* Reads a world that the host steps. NULL: out of memory, or an unknown engine. */
typedef struct ksiLooker ksiLooker;
ksiLooker *ksiLookerCreate(dWorldID world);
void ksiLookerDestroy(ksiLooker *looker); /* NULL is fine */

/* Look: call it right before the engine's step; only reads the world. Of: the scene of that step,
 * valid until the second step after it; NULL: it was not read. */
void ksiLookerLook(ksiLooker *looker, uint64_t step);
const ksiScene *ksiLookerOf(const ksiLooker *looker, uint64_t step);

#endif

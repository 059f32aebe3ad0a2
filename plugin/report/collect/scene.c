/* scene.c  Poses of bodies before a step, from a record or a live world. */
#include "scene.h"

#include "../../replay/geoms.h"

#include <stdlib.h>
#include <string.h>

static void setPose(ksiScenePose *pose, const double place[3], const double turn[4])
{
    for (int i = 0; i < 3; i++)
        pose->place[i] = place[i];
    for (int i = 0; i < 4; i++)
        pose->turn[i] = (float)turn[i];
}

static ksiScenePose *addPose(const ksAllocator *allocator, ksiScene *scene)
{
    if (ksiReserve(allocator, &scene->body, &scene->capacity, scene->bodyCount + 1, sizeof *scene->body))
        return NULL;
    ksiScenePose *pose = &scene->body[scene->bodyCount++];
    *pose = (ksiScenePose){.number = 0};
    return pose;
}

bool ksiSceneOfRecord(const ksAllocator *allocator, const ksiStepRecord *record, ksiScene *scene)
{
    const ksiBodyRecord *body = (const void *)(record + 1);
    scene->step = record->step;
    scene->bodyCount = 0;
    scene->geom = ksiRecordedGeoms(record);
    scene->geomCount = record->geomCount;
    memcpy(scene->gravity, record->gravity, sizeof scene->gravity);
    for (size_t i = 0; i < record->bodyCount; i++) {
        ksiScenePose *pose = addPose(allocator, scene);
        if (!pose)
            return false;
        pose->number = body[i].number;
        setPose(pose, body[i].copy.state.centre, body[i].copy.state.quaternion);
    }
    return true;
}

void ksiSceneFree(const ksAllocator *allocator, ksiScene *scene)
{
    ksiFree(allocator, scene->body);
    *scene = (ksiScene){.step = 0};
}

/* --- A live world --- */

/* Number of states to keep: a step may be judged while the engine makes the next one. */
enum { LOOKS = 2 };

struct ksiLooker {
    ksiEngine engine;
    struct {
        ksiScene scene;
        ksiGeoms *geoms;
        bool isThere;
    } look[LOOKS];
    int last;
};

ksiLooker *ksiLookerCreate(dWorldID world)
{
    ksiLooker *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    bool isWhole = !ksiEngineOpen(world, &made->engine);
    for (int i = 0; i < LOOKS; i++)
        isWhole = isWhole && (made->look[i].geoms = ksiGeomsCreate()) != NULL;
    if (isWhole)
        return made;
    ksiLookerDestroy(made);
    return NULL;
}

void ksiLookerDestroy(ksiLooker *looker)
{
    if (!looker)
        return;
    for (int i = 0; i < LOOKS; i++) {
        ksiSceneFree(&ksiLibraryAllocator, &looker->look[i].scene);
        ksiGeomsDestroy(looker->look[i].geoms);
    }
    free(looker);
}

void ksiLookerLook(ksiLooker *looker, uint64_t step)
{
    looker->last = (looker->last + 1) % LOOKS;
    ksiScene *scene = &looker->look[looker->last].scene;
    ksiGeoms *geoms = looker->look[looker->last].geoms;
    scene->step = step;
    scene->bodyCount = 0;
    looker->look[looker->last].isThere = false;
    for (dBodyID body = ksiFirstBody(&looker->engine); body; body = ksiNextBody(body)) {
        ksiScenePose *pose = addPose(&ksiLibraryAllocator, scene);
        if (!pose)
            return;
        pose->id = body;
        double room[2][4];
        setPose(pose, ksiDoubles(dBodyGetPosition(body), 3, room[0]), ksiDoubles(dBodyGetQuaternion(body), 4, room[1]));
    }
    ksiGetGravity(looker->engine.world, scene->gravity);
    ksiGeomsRead(geoms, &looker->engine, SIZE_MAX);
    scene->geom = ksiGeomsOfStep(geoms, &scene->geomCount);
    looker->look[looker->last].isThere = true;
}

const ksiScene *ksiLookerOf(const ksiLooker *looker, uint64_t step)
{
    for (int i = 0; i < LOOKS; i++)
        if (looker->look[i].isThere && looker->look[i].scene.step == step)
            return &looker->look[i].scene;
    return NULL;
}

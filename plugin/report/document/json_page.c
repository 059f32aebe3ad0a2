/* json_page.c  Fits a report into a page: selects its worst worlds and joints, so that the page
 * stays below 2 MB, not counting the script of the animation. */
#include "json.h"

#include <stdlib.h>

/* Bytes for: worlds with sums only; runs, and joints over runs; the worst worlds and joints with
 * all data; joints without series. */
enum { ROOM_OF_SUMS = 300000, ROOM_OF_RUNS = 200000, ROOM_OF_ALL = 700000, ROOM_OF_JOINTS = 700000 };

/* A world's part of a page. */
typedef struct Part {
    json_t *world, **joint;
} Part;

/* Returns the value if there is room, else frees it and returns NULL. */
static json_t *fit(json_t *value, size_t *room)
{
    const size_t size = json_dumpb(value, NULL, 0, KSI_JSON_FLAGS);
    if (size > *room) {
        *room = 0;
        json_decref(value);
        return NULL;
    }
    *room -= size;
    return value;
}

static void fill(const ksiView *view, Part *part)
{
    size_t sums = ROOM_OF_SUMS, whole = ROOM_OF_ALL, lean = ROOM_OF_JOINTS;
    // the table of several runs needs room too
    lean -= view->runCount > 1 ? 2 * ROOM_OF_RUNS : 0;
    for (size_t i = 0; i < view->worldCount && sums > 0; i++) {
        const ksiWorldView *world = view->worstFirst[i];
        part[world - view->world].world = fit(ksiJsonWorld(view, world, false), &sums);
    }
    for (size_t i = 0; i < view->worldCount; i++) {
        const ksiWorldView *world = view->worstFirst[i];
        Part *of = &part[world - view->world];
        json_t *better = whole > 0 ? fit(ksiJsonWorld(view, world, true), &whole) : NULL;
        if (better) {
            json_decref(of->world);
            of->world = better;
        }
        for (size_t k = 0; k < world->jointCount && of->world; k++) {
            const ksiJointView *joint = world->worstFirst[k];
            json_t **place = &of->joint[joint - world->joint];
            *place = whole > 0 ? fit(ksiJsonJoint(view, world, joint, true), &whole) : NULL;
            if (!*place && lean > 0)
                *place = fit(ksiJsonJoint(view, world, joint, false), &lean);
        }
    }
}

static json_t *gather(const ksiView *view, Part *part)
{
    json_t *worlds = json_array();
    for (size_t i = 0; i < view->worldCount; i++) {
        json_t *joints = json_array();
        for (size_t k = 0; k < view->world[i].jointCount; k++) {
            if (part[i].joint && part[i].joint[k])
                ksiJsonAppend(joints, part[i].joint[k]);
        }
        if (part[i].world) {
            ksiJsonPut(part[i].world, "joints", joints);
            ksiJsonAppend(worlds, part[i].world);
        } else {
            json_decref(joints);
        }
        free(part[i].joint);
    }
    return worlds;
}

json_t *ksiReportToPageJson(const ksiView *view)
{
    Part *part = calloc(view->worldCount + 1, sizeof *part);
    bool isWhole = part != NULL;
    for (size_t i = 0; i < view->worldCount && isWhole; i++) {
        part[i].joint = calloc(view->world[i].jointCount + 1, sizeof *part[i].joint);
        isWhole = part[i].joint != NULL;
    }
    ksiJsonBegin();
    if (isWhole)
        fill(view, part);
    json_t *document = part ? ksiJsonDocument(view, gather(view, part), ROOM_OF_RUNS) : NULL;
    free(part);
    if (isWhole && ksiJsonEnd())
        return document;
    json_decref(document);
    return NULL;
}

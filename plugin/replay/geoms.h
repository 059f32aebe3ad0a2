/* geoms.h  The shapes of a world's bodies, and the fixed shapes around them. */
#ifndef KSI_REPLAY_GEOMS_H
#define KSI_REPLAY_GEOMS_H

#include "record.h"

typedef struct ksiGeoms ksiGeoms;

/* NULL: out of memory. Destroy: NULL is fine. */
ksiGeoms *ksiGeomsCreate(void);
void ksiGeomsDestroy(ksiGeoms *geoms);

/* Reads them and returns them with their number, without writing to the world and its spaces.
 * Leaves out shapes without memory, and beyond KSI_MOST_GEOMS. Triangles of new meshes follow,
 * whole meshes only, up to `room` bytes; all meshes are repeated every KSI_MESHES_AGAIN readings
 * with room. NULL: none. */
enum { KSI_MOST_GEOMS = 8192, KSI_MESHES_AGAIN = 1024 };
size_t ksiGeomsRead(ksiGeoms *geoms, const ksiEngine *engine, size_t room);

/* The last reading; bodies are counted as in the world's list. */
const ksiGeomRecord *ksiGeomsOfStep(const ksiGeoms *geoms, size_t *count);

#endif

/* geoms.h  The shapes of a world's bodies, and the fixed shapes around them. */
#ifndef KSI_REPLAY_GEOMS_H
#define KSI_REPLAY_GEOMS_H

#include "record.h"

typedef struct ksiGeoms ksiGeoms;

/* ksiGeomsCreate returns NULL if there is no memory. ksiGeomsDestroy accepts NULL. */
ksiGeoms *ksiGeomsCreate(void);
void ksiGeomsDestroy(ksiGeoms *geoms);

/* Reads the shapes and returns their number, without writing to the world and its spaces. Leaves
 * out shapes for which there is no memory, and shapes beyond KSI_MOST_GEOMS. The triangles of new
 * meshes follow the shapes. A mesh is left out if it would make shapes and triangles larger than
 * `room` bytes. Once in KSI_MESHES_AGAIN readings with `room` > 0, all meshes count as new. Returns
 * 0 if `geoms` is NULL. */
enum { KSI_MOST_GEOMS = 8192, KSI_MESHES_AGAIN = 1024 };
size_t ksiGeomsRead(ksiGeoms *geoms, const ksiEngine *engine, size_t room);

/* The shapes of the last reading, with their bodies as indices in the world's list. */
const ksiGeomRecord *ksiGeomsOfStep(const ksiGeoms *geoms, size_t *count);

#endif

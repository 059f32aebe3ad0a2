/* geoms.h  The shapes of a world's bodies, and the fixed shapes around them. */
#ifndef KSI_REPLAY_GEOMS_H
#define KSI_REPLAY_GEOMS_H

#include "record.h"

typedef struct ksiGeoms ksiGeoms;

/* NULL: out of memory. Destroy: NULL is fine. */
ksiGeoms *ksiGeomsCreate(void);
void ksiGeomsDestroy(ksiGeoms *geoms);

/* Reads the shapes and returns their number, without writing to the world and its spaces. Leaves
 * out shapes for which there is no memory, and shapes beyond KSI_MOST_GEOMS. Triangles of new
 * meshes follow, whole meshes only, up to `room` bytes with the shapes; all meshes are repeated
 * every KSI_MESHES_AGAIN readings with room. geoms NULL: returns 0. */
enum { KSI_MOST_GEOMS = 8192, KSI_MESHES_AGAIN = 1024 };
size_t ksiGeomsRead(ksiGeoms *geoms, const ksiEngine *engine, size_t room);

/* The shapes of the last reading; their bodies are indices in the world's list. */
const ksiGeomRecord *ksiGeomsOfStep(const ksiGeoms *geoms, size_t *count);

#endif

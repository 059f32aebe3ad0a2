/* geoms.h  The shapes of a world's bodies, and of what stands still around them. */
#ifndef KSI_REPLAY_GEOMS_H
#define KSI_REPLAY_GEOMS_H

#include "record.h"

typedef struct ksiGeoms ksiGeoms;

/* NULL: out of memory. Destroy: NULL is fine. */
ksiGeoms *ksiGeomsCreate(void);
void ksiGeomsDestroy(ksiGeoms *geoms);

/* Reads them from the world, and counts them. Nothing is written into the world and its spaces. Those for which there is no
 * memory, and those beyond KSI_MOST_GEOMS, are left out. Behind them are the triangles of meshes that are new, whole meshes as
 * long as all have `room` bytes; and those of all meshes again every KSI_MESHES_AGAIN times that there is room. NULL: there are
 * none. */
enum { KSI_MOST_GEOMS = 8192, KSI_MESHES_AGAIN = 1024 };
size_t ksiGeomsRead(ksiGeoms *geoms, const ksiEngine *engine, size_t room);

/* What was read last; bodies are counted as in the world's list. */
const ksiGeomRecord *ksiGeomsOfStep(const ksiGeoms *geoms, size_t *count);

#endif

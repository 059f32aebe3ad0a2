/* subject.h  What is to be seen: bodies and their geoms, how large it all is, and where the ground lies. */
#ifndef KSI_VIEW_SUBJECT_H
#define KSI_VIEW_SUBJECT_H

#include "picture.h"

#include <kinetostat/kinetostat.h>

typedef struct ksiSubject {
    dBodyID *body;
    size_t count, capacity;
    double up[3];             /* against gravity; z without one */
    double centre[3], radius; /* m: a ball around the bodies that are at a finite place */
    double upright;           /* how much of the radius is height: 0 to 1 */
    double typical;           /* m: mean radius of a body */
    double low;               /* m: height of the lowest point */
    double floor;             /* m: height of the uppermost level plane of the space; -infinity: there is none */
} ksiSubject;

/* Bodies of the last step; before the first one, those that have geoms in the space. space: NULL is fine. false: out of memory. */
bool ksiSubjectRead(ksiSubject *subject, const ksInspector *inspector, dSpaceID space);
void ksiSubjectFree(ksiSubject *subject);

/* All bodies and the space's own geoms, as solids. */
void ksiSubjectDraw(const ksiSubject *subject, dSpaceID space, ksiPicture *picture);

/* Semi-axes of the homogeneous ellipsoid with the mass and the inertia of a body, and its axes as columns, world. false: it has no
 * such ellipsoid. */
bool ksiEllipsoid(dBodyID body, double semi[3], double columns[3][3]);

/* Whether a body is seen by at least one geom. */
bool ksiHasShape(dBodyID body);

#endif

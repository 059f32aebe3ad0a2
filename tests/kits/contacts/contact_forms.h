/* contact_forms.h  What scenes of bodies in contact are made of. */
#ifndef TESTS_KITS_CONTACTS_CONTACT_FORMS_H
#define TESTS_KITS_CONTACTS_CONTACT_FORMS_H

#include "contact_scenes.h"

/* The force on the first body is this one; NaN: not known in this component. */
ContactPair *contactPair(ContactScene *scene, dBodyID on, dBodyID by, double x, double y, double z);
/* Component k is between these. */
void contactBetween(ContactPair *pair, int k, double low, double high, double load);

/* The ground slopes down along x: gravity turns instead. */
void contactLean(ContactScene *scene, double angle);

/* geom NULL: none */
dBodyID contactBody(ContactScene *scene, const dMass *mass, double x, double y, double z, dGeomID geom);
dBodyID contactBall(ContactScene *scene, double mass, double radius, double x, double y, double z);
/* A box that does not move, turned about y. */
dBodyID contactFixed(ContactScene *scene, const double size[3], double x, double y, double z, double turn);
/* A ball of the body's shape, here in its axes. */
void contactFoot(ContactScene *scene, dBodyID body, double radius, double x, double y, double z);

#endif

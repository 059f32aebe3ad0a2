/* contact_forms.h  Building blocks of scenes of bodies in contact. */
#ifndef TESTS_KITS_CONTACTS_CONTACT_FORMS_H
#define TESTS_KITS_CONTACTS_CONTACT_FORMS_H

#include "contact_scenes.h"

/* Sets the force on the first body; NaN: unknown in this component. */
ContactPair *contactPair(ContactScene *scene, dBodyID on, dBodyID by, double x, double y, double z);
/* Sets the range of component k. */
void contactBetween(ContactPair *pair, int k, double low, double high, double load);

/* Tilts the ground so that it slopes down along x, by turning gravity instead. */
void contactLean(ContactScene *scene, double angle);

/* geom NULL: none */
dBodyID contactBody(ContactScene *scene, const dMass *mass, double x, double y, double z, dGeomID geom);
dBodyID contactBall(ContactScene *scene, double mass, double radius, double x, double y, double z);
/* A box that does not move, turned about y. */
dBodyID contactFixed(ContactScene *scene, const double size[3], double x, double y, double z, double turn);
/* Adds a ball to the body's shape, at this place in its axes. */
void contactFoot(ContactScene *scene, dBodyID body, double radius, double x, double y, double z);

enum { CONTACT_SQUARES = 60 }; /* at most, along a side of a mesh */
/* The ground becomes a mesh of this height over x and y. half: half the length of a side. */
void contactMesh(ContactScene *scene, double (*height)(double, double), double half, int squares);

static inline void contactTurn(dBodyID body, double x, double y, double z, double angle)
{
    dMatrix3 turn;
    dRFromAxisAndAngle(turn, x, y, z, angle);
    dBodySetRotation(body, turn);
}

static inline dBodyID contactCylinder(ContactScene *scene, double mass, double radius, double length, double z)
{
    dMass of;
    dMassSetCylinderTotal(&of, mass, 3, radius, length);
    return contactBody(scene, &of, 0, 0, z, dCreateCylinder(scene->machine.space, radius, length));
}

#endif

/* contact_scenes.h  Scenes of bodies in contact with known forces between each pair of bodies, from
 * statics or a closed form of the motion. */
#ifndef TESTS_KITS_CONTACTS_CONTACT_SCENES_H
#define TESTS_KITS_CONTACTS_CONTACT_SCENES_H

#include "machines_kit.h"

/* The force on the first body, N: each component lies between these limits; it is unique where they
 * are equal, and NaN where it is unknown. */
typedef struct ContactPair {
    dBodyID on, by; /* by NULL: the world */
    double low[3], high[3];
    double load; /* the scale of errors */
} ContactPair;

enum { CONTACT_PAIRS = 10 };

typedef struct ContactScene ContactScene;

typedef struct ContactForm {
    const char *name;
    void (*add)(ContactScene *scene);
    void (*drive)(ContactScene *scene); /* called before a step, or NULL */
    void (*tell)(ContactScene *scene);  /* sets the true forces for the pose after a step; NULL: they are constant */
    double from, until;                 /* s: interval of measurement */
    bool hasTwin;                       /* small steps of dWorldStep from one of its states give the same motion; false
                     where the engine's LCP fails */
    double tolerance;                   /* of the load, root mean square of the error of physical forces; 0: as large as
                      the noise of servos */
    double own; /* ... the truth's own error: depths of contacts, springs at the end of a step, slip of soft friction */
} ContactForm;

struct ContactScene {
    const ContactForm *form;
    Machine machine;
    ContactPair pair[CONTACT_PAIRS];
    int count;
    double h, time;
    double gained;       /* speed of the driven body, in this step */
    dTriMeshDataID mesh; /* of the ground, or NULL */
    dHeightfieldDataID field;
};

/* The method was developed with scenes of the first kind; scenes of the second kind test it. In the
 * third kind contacts move over curved surfaces: their tolerance is for the mean force, which
 * momentum determines. The fourth kind has belts, slip, meshes as floors, and heavy loads; in the
 * fifth, platforms move, motors work and forces change. */
extern const ContactForm contactForms[], contactOtherForms[], contactCurvedForms[], contactGroundForms[],
    contactDrivenForms[]; /* the last has no name */

const ContactForm *contactFormOf(const char *name); /* of any kind; NULL: there is no such form */

ContactScene contactSceneBegin(const ContactForm *form, MachineGround ground, double h);
void contactSceneEnd(ContactScene *scene);

/* One step, or its parts before and after the stepper. inspector NULL: the engine alone */
void contactSceneBefore(ContactScene *scene);
void contactSceneAfter(ContactScene *scene);
void contactSceneStep(ContactScene *scene, ksInspector *inspector, ksStepper stepper);

/* N: distance of the force from the pair's true range; NaN: it is unknown. */
double contactError(const ContactPair *pair, const double force[3]);
/* Whether the bar reaches all forces in the true range, up to `rounding` N. */
bool contactIsHeld(const ContactPair *pair, const double force[3], const double bar[3], double rounding);

/* The force of the pair by small steps of dWorldStep in `twin`, another scene of this form, from
 * the scene's state. false: contacts come or go in these steps. */
bool contactTwin(const ContactScene *scene, ContactScene *twin, const ContactPair *pair, double force[3]);

#endif

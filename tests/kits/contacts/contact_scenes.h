/* contact_scenes.h  Scenes of bodies in contact, of which statics or a closed form of the motion tells what each pair of bodies does to the
 * other. */
#ifndef TESTS_KITS_CONTACTS_CONTACT_SCENES_H
#define TESTS_KITS_CONTACTS_CONTACT_SCENES_H

#include "machines_kit.h"

/* The force on the first body, N: each component is between these; unique where they are the same, and NaN where none is known. */
typedef struct ContactPair {
    dBodyID on, by; /* by NULL: the world */
    double low[3], high[3];
    double load; /* what errors are relative to */
} ContactPair;

enum { CONTACT_PAIRS = 10 };

typedef struct ContactScene ContactScene;

typedef struct ContactForm {
    const char *name;
    void (*add)(ContactScene *scene);
    void (*drive)(ContactScene *scene); /* before a step, or NULL */
    void (*tell)(ContactScene *scene);  /* truths of the pose after a step, or NULL: they stay */
    double from, until;                 /* s: when it is looked at */
    bool hasTwin; /* small steps of dWorldStep from a state of it go the same way: not where the engine's LCP fails */
    double
        tolerance; /* of the load, root mean square of the error of physical forces; 0: as large as the noise of servos */
    double
        own; /* ... what the truth is off by itself: depths of contacts, springs at the end of a step, slip of soft friction */
} ContactForm;

struct ContactScene {
    const ContactForm *form;
    Machine machine;
    ContactPair pair[CONTACT_PAIRS];
    int count;
    double h, time;
    double gained;       /* speed of what is driven, in this step */
    dTriMeshDataID mesh; /* of the ground, or NULL */
    dHeightfieldDataID field;
};

/* Scenes of the first kind are those that the method was made with; of the second, others. In the third kind contacts move over curved
 * surfaces: their tolerance is that of the mean force, which momentum tells. */
extern const ContactForm contactForms[], contactOtherForms[], contactCurvedForms[]; /* the last has no name */

const ContactForm *contactFormOf(const char *name); /* of any kind; NULL: there is none */

ContactScene contactSceneBegin(const ContactForm *form, MachineGround ground, double h);
void contactSceneEnd(ContactScene *scene);

/* One step, or what comes before and after it. inspector NULL: the engine alone */
void contactSceneBefore(ContactScene *scene);
void contactSceneAfter(ContactScene *scene);
void contactSceneStep(ContactScene *scene, ksInspector *inspector, ksStepper stepper);

/* N: how far the force is from the pair's truth; NaN: it has none. */
double contactError(const ContactPair *pair, const double force[3]);
/* The bar reaches all forces that the truth allows, but for this much, N. */
bool contactIsHeld(const ContactPair *pair, const double force[3], const double bar[3], double rounding);

/* The force of the pair by small steps of dWorldStep in `twin`, another scene of this form, from the scene's state. false: contacts come or go
 * in these. */
bool contactTwin(const ContactScene *scene, ContactScene *twin, const ContactPair *pair, double force[3]);

#endif

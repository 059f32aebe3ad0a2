/* contact_scenes.c  Scenes of bodies in contact: their steps, their truths, and their twins. */
#include "contact_scenes.h"

static const ContactForm *find(const ContactForm *form, const char *name)
{
    while (form->name && strcmp(form->name, name))
        form++;
    return form->name ? form : NULL;
}

const ContactForm *contactFormOf(const char *name)
{
    static const ContactForm *const kind[] = {contactForms, contactOtherForms, contactCurvedForms, contactGroundForms,
                                              contactDrivenForms};
    const ContactForm *form = NULL;
    for (int i = 0; i < 5 && !form; i++)
        form = find(kind[i], name);
    return form;
}

ContactScene contactSceneBegin(const ContactForm *form, MachineGround ground, double h)
{
    ContactScene scene = {.form = form, .machine = machineBegin(ground), .h = h};
    form->add(&scene);
    return scene;
}

void contactSceneEnd(ContactScene *s)
{
    machineEnd(&s->machine);
    if (s->mesh)
        dGeomTriMeshDataDestroy(s->mesh);
    if (s->field)
        dGeomHeightfieldDataDestroy(s->field);
}

void contactSceneBefore(ContactScene *s)
{
    if (s->form->drive)
        s->form->drive(s);
    machineBefore(&s->machine);
}

void contactSceneAfter(ContactScene *s)
{
    dJointGroupEmpty(s->machine.contacts);
    s->time += s->h;
    if (s->form->tell)
        s->form->tell(s);
}

void contactSceneStep(ContactScene *s, ksInspector *inspector, ksStepper stepper)
{
    contactSceneBefore(s);
    if (inspector)
        CHECK_OK(inspectedStep(inspector, stepper, s->h));
    else
        dWorldQuickStep(s->machine.world, s->h);
    contactSceneAfter(s);
}

double contactError(const ContactPair *pair, const double force[3])
{
    double square = 0;
    bool any = false;
    for (int k = 0; k < 3; k++) {
        if (isnan(pair->low[k]))
            continue;
        const double out = fmax(0, fmax(pair->low[k] - force[k], force[k] - pair->high[k]));
        square += out * out;
        any = true;
    }
    return any ? sqrt(square) : NAN;
}

bool contactIsHeld(const ContactPair *pair, const double force[3], const double bar[3], double rounding)
{
    bool is = true;
    for (int k = 0; k < 3; k++)
        if (!isnan(pair->low[k]))
            is &= force[k] - bar[k] <= pair->low[k] + rounding && force[k] + bar[k] >= pair->high[k] - rounding;
    return is;
}

/* --- Twins --- */

/* s. The first steps bring the velocities to the constraints; the force is the mean over the other
 * steps. */
static const double small = 20e-6;
enum { FIRST_STEPS = 150, STEPS = 170, MOST_POINTS = 16 };

static void copyBody(dBodyID from, dBodyID to)
{
    const dReal *p = dBodyGetPosition(from), *q = dBodyGetQuaternion(from), *v = dBodyGetLinearVel(from),
                *w = dBodyGetAngularVel(from);
    dBodySetPosition(to, p[0], p[1], p[2]);
    dBodySetQuaternion(to, q);
    dBodySetLinearVel(to, v[0], v[1], v[2]);
    dBodySetAngularVel(to, w[0], w[1], w[2]);
}

/* Gives contacts of the pair feedback of their own; returns their number. */
static int listen(dBodyID on, dBodyID by, dJointID joint[MOST_POINTS], dJointFeedback feedback[MOST_POINTS])
{
    int count = 0;
    for (int i = 0; i < dBodyGetNumJoints(on) && count < MOST_POINTS; i++) {
        dJointID at = dBodyGetJoint(on, i);
        const dBodyID first = dJointGetBody(at, 0), other = first == on ? dJointGetBody(at, 1) : first;
        if (dJointGetType(at) != dJointTypeContact || other != by)
            continue;
        dJointSetFeedback(at, &feedback[count]);
        joint[count++] = at;
    }
    return count;
}

bool contactTwin(const ContactScene *s, ContactScene *twin, const ContactPair *pair, double force[3])
{
    const long which = pair - s->pair;
    const dBodyID on = twin->pair[which].on, by = twin->pair[which].by;
    int points = -1;
    for (int i = 0; i < s->machine.boxes; i++)
        copyBody(s->machine.box[i], twin->machine.box[i]);
    twin->time = s->time;
    // without error correction, which would be a blow in such small steps
    dWorldSetERP(twin->machine.world, 0);
    twin->machine.erp = 0;
    twin->machine.cfm = 1e-6;
    force[0] = force[1] = force[2] = 0;
    for (int n = 0; n < STEPS; n++) {
        dJointID joint[MOST_POINTS];
        dJointFeedback feedback[MOST_POINTS];
        contactSceneBefore(twin);
        const int count = listen(on, by, joint, feedback);
        const bool isSame = points < 0 || count == points;
        points = count;
        dWorldStep(twin->machine.world, small);
        for (int i = 0; i < count && n >= FIRST_STEPS; i++) {
            const dReal *f = dJointGetBody(joint[i], 0) == on ? feedback[i].f1 : feedback[i].f2;
            for (int k = 0; k < 3; k++)
                force[k] += f[k] / (STEPS - FIRST_STEPS);
        }
        dJointGroupEmpty(twin->machine.contacts);
        if (!isSame)
            return false;
    }
    return points > 0;
}

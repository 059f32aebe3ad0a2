/* contact.c  What a contact joint keeps of the collision that it was made from; no getter tells.
 *
 * The engine copies the host's dContact into the joint, as its last member. Proven on a contact of our own: where it is
 * not so, contacts are strangers from step to step, and nothing else is lost. */
#include "layout.h"
#include "vector.h"

static dContact contactOf(dJointID joint, size_t at)
{
    dContact contact;
    memcpy(&contact, (const char *)joint + at, sizeof contact);
    return contact;
}

static int sameContact(const dContact *a, const dContact *b)
{
    for (int i = 0; i < 3; i++)
        if (a->geom.pos[i] != b->geom.pos[i] || a->geom.normal[i] != b->geom.normal[i])
            return 0;
    return a->surface.mode == b->surface.mode && a->surface.mu == b->surface.mu &&
           a->surface.motionN == b->surface.motionN && a->geom.depth == b->geom.depth && a->geom.g1 == b->geom.g1 &&
           a->geom.g2 == b->geom.g2 && a->geom.side1 == b->geom.side1 && a->geom.side2 == b->geom.side2;
}

size_t ksiFindContact(void)
{
    static char shape[2]; /* addresses, which nobody follows */
    dContact contact;
    memset(&contact, 0, sizeof contact);
    contact.surface.mode = dContactMotionN;
    contact.surface.mu = 0.625;
    contact.surface.motionN = -0.375;
    contact.geom.depth = 0.125;
    contact.geom.g1 = (dGeomID)(void *)&shape[0];
    contact.geom.g2 = (dGeomID)(void *)&shape[1];
    contact.geom.side1 = 71, contact.geom.side2 = -72;
    for (int i = 0; i < 3; i++)
        contact.geom.pos[i] = 1.5 + i, contact.geom.normal[i] = -2.25 - i;

    dWorldID world = dWorldCreate();
    dJointID joint = world ? dJointCreateContact(world, NULL, &contact) : NULL;
    size_t at = 0;
    if (joint && ksiSlotSize(joint) > sizeof contact) {
        at = ksiSlotSize(joint) - sizeof contact;
        const dContact kept = contactOf(joint, at);
        if (!sameContact(&kept, &contact))
            at = 0;
    }
    if (world)
        dWorldDestroy(world);
    return at;
}

int ksiReadContact(const ksiEngine *engine, dJointID joint, ksiContact *out)
{
    memset(out, 0, sizeof *out);
    if (!engine->contact || dJointGetType(joint) != dJointTypeContact)
        return 0;
    const dContact contact = contactOf(joint, engine->contact);
    out->shape[0] = contact.geom.g1, out->shape[1] = contact.geom.g2;
    out->side[0] = contact.geom.side1, out->side[1] = contact.geom.side2;
    out->motion = contact.surface.mode & dContactMotionN ? contact.surface.motionN : 0;
    ksiCopy(out->point, contact.geom.pos);
    return ksiAllFinite(out->point, 3);
}

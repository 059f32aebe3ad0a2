/* forces.c  A mark for each joint by type and verdict; arrows, side by side where there are several. */
#include "forces.h"

#include "palette.h"
#include "subject.h"

#include <math.h>
#include <string.h>

enum { LONGEST = 2 };                /* a longer arrow is cut there, in full lengths */
static const double faintest = 0.01; /* shorter ones are not drawn, in full lengths */
static const double fullTurn = 4.7;  /* rad: the arc of a torque of full size */

/* From a point along a vector of that many newtons. sideways: in radii of the shaft, to the right of who looks along it. */
static void drawForce(const ksiForces *forces, const double place[3], const double force[3], double sideways,
                      double radius, ksiColour colour, ksiPicture *picture)
{
    double share = ksiLength3(force) / forces->scale->force, unit[3], towards[3], side[3], from[3], along[3];
    if (!(share > faintest) || !ksiNormalise3(force, unit))
        return;
    double length = fmin(share, LONGEST) * forces->sizes.length;
    for (int i = 0; i < 3; i++)
        towards[i] = forces->camera->eye[i] + forces->camera->target[i] - place[i];
    ksiCross3(unit, towards, side);
    if (!ksiNormalise3(side, side))
        memcpy(side, forces->camera->right, sizeof side);
    for (int i = 0; i < 3; i++) {
        from[i] = place[i] + side[i] * sideways * forces->sizes.arrow;
        along[i] = unit[i] * length;
    }
    ksiAddArrow(picture, from, along, radius, colour, share > LONGEST);
}

static void drawTorque(const ksiForces *forces, const double place[3], const double torque[3], double ring, double turn,
                       ksiColour colour, ksiPicture *picture)
{
    double share = ksiLength3(torque) / forces->scale->torque;
    if (share > 5 * faintest)
        ksiAddArc(picture, place, torque, forces->camera->right, ring * forces->sizes.ring, fmin(share, 1.25) * turn,
                  colour);
}

static void drawValues(const ksiForces *forces, const ksReaction *reaction, const double place[3], ksiPicture *picture)
{
    // engine on the left, physical on the right
    static const double sideways[] = {-1.7, 0, 1.7}, ring[] = {1, 1.25, 1.5};
    bool isBetween = forces->shown->value[KS_CONVERGED], isForceUnique, isTorqueUnique;
    ksiJointIsUnique(reaction, &isForceUnique, &isTorqueUnique);
    for (int value = 0; value <= KS_PHYSICAL; value++) {
        ksWrench wrench;
        if (!forces->shown->value[value] || !ksiJointWrench(reaction, (ksValue)value, &wrench))
            continue;
        drawForce(forces, place, wrench.force, sideways[value] * (isBetween ? 1.7 : 1), forces->sizes.arrow,
                  ksiWrenchColour((ksValue)value, isForceUnique), picture);
        if (forces->shown->torques && forces->scale->torque > 0)
            drawTorque(forces, place, wrench.torque, ring[value], fullTurn,
                       ksiWrenchColour((ksValue)value, isTorqueUnique), picture);
    }
}

/* On either body: a pair of opposite arrows. */
static void drawSelfStress(const ksiForces *forces, const ksReaction *reaction, const double place[3],
                           ksiPicture *picture)
{
    ksWrench stress;
    if (!ksiJointSelfStress(forces->inspector, reaction, &stress))
        return;
    for (int side = 0; side < 2; side++) {
        drawForce(forces, place, stress.force, 0, 0.8 * forces->sizes.arrow, KSI_SELF_STRESS, picture);
        if (forces->shown->torques && forces->scale->torque > 0)
            drawTorque(forces, place, stress.torque, 1.75, fullTurn / 2, KSI_SELF_STRESS, picture);
        for (int i = 0; i < 3; i++) {
            stress.force[i] = -stress.force[i];
            stress.torque[i] = -stress.torque[i];
        }
    }
}

/* A rod of that half length about the place, along axis i of the joint as it is now. */
static void markAxis(const ksReaction *reaction, int i, const double place[3], double half, double radius,
                     ksiColour colour, ksiPicture *picture)
{
    const dReal *rotation = dBodyGetRotation(reaction->body[0]);
    double local[3] = {0}, from[3], to[3];
    for (int k = 0; k < 3; k++)
        for (int n = 0; n < 3; n++)
            local[k] += reaction->rotation[0][3 * n + k] * reaction->axes[3 * i + n];
    for (int n = 0; n < 3; n++) {
        double axis = 0;
        for (int k = 0; k < 3; k++)
            axis += rotation[4 * n + k] * local[k];
        from[n] = place[n] - half * axis;
        to[n] = place[n] + half * axis;
    }
    ksiAddRod(picture, KSI_MARK, from, to, radius, colour);
}

static void markBox(const double place[3], double half, ksiColour colour, ksiPicture *picture)
{
    const double columns[3][3] = {{half, 0, 0}, {0, half, 0}, {0, 0, half}};
    ksiAddForm(picture, KSI_MARK, KSI_FORM_BOX, columns, place, colour, 0);
}

static void drawMark(const ksiForces *forces, const ksReaction *reaction, const double place[3], ksiPicture *picture)
{
    const double size = forces->sizes.mark;
    const ksiColour colour = ksiVerdictColour(reaction->verdict);
    switch (reaction->type) {
    case dJointTypeContact:
        // there are many of them: few triangles
        markBox(place, 0.3 * size, colour, picture);
        break;
    case dJointTypeHinge:
    case dJointTypeDHinge:
        markAxis(reaction, 0, place, 1.6 * size, 0.8 * size, colour, picture);
        break;
    case dJointTypeUniversal:
    case dJointTypeHinge2:
    case dJointTypePU:
    case dJointTypePR:
        markAxis(reaction, 0, place, 1.6 * size, 0.55 * size, colour, picture);
        markAxis(reaction, 1, place, 1.6 * size, 0.55 * size, colour, picture);
        break;
    case dJointTypeSlider:
    case dJointTypePiston:
        markAxis(reaction, 0, place, 3 * size, 0.35 * size, colour, picture);
        markBox(place, 0.8 * size, colour, picture);
        break;
    case dJointTypeFixed:
        markBox(place, 0.8 * size, colour, picture);
        break;
    default:
        ksiAddBall(picture, KSI_MARK, place, size, colour);
        break;
    }
    if (reaction->joint == forces->chosen && forces->chosen) {
        double back[3], up[3];
        ksiNormalise3(forces->camera->eye, back);
        ksiCross3(back, forces->camera->right, up);
        const double radius = 2.4 * size;
        const double columns[3][3] = {{radius * up[0], radius * up[1], radius * up[2]},
                                      {-radius * forces->camera->right[0], -radius * forces->camera->right[1],
                                       -radius * forces->camera->right[2]},
                                      {radius * back[0], radius * back[1], radius * back[2]}};
        ksiAddForm(picture, KSI_MARK, KSI_FORM_ARC, columns, place, KSI_CHOSEN, 6.2831853);
    }
}

/* Bodies without a shape hang on their joints by rods; so does a joint without an anchor. */
static void drawLinks(const ksiForces *forces, const ksReaction *reaction, const double place[3], ksiPicture *picture)
{
    bool hasAnchor = isfinite(reaction->anchor[0][0]);
    for (int i = 0; i < 2; i++) {
        dBodyID body = reaction->body[i];
        if (body && (!hasAnchor || !ksiHasShape(body)))
            ksiAddRod(picture, KSI_MARK, place, dBodyGetPosition(body), 0.16 * forces->sizes.mark,
                      ksiVerdictColour(reaction->verdict));
    }
}

void ksiForcesDraw(const ksiForces *forces, ksiPicture *picture)
{
    size_t count = 0;
    const ksReaction *reaction = ksInspectorGetReactions(forces->inspector, &count);
    for (size_t i = 0; i < count; i++) {
        bool isContact = reaction[i].type == dJointTypeContact;
        double place[3];
        if (isContact && !forces->shown->contacts)
            continue;
        if (!reaction[i].body[0] || (isContact && reaction[i].verdict == KS_NOT_SOLVED))
            continue;
        ksiJointPlace(&reaction[i], place);
        drawMark(forces, &reaction[i], place, picture);
        if (!isContact)
            drawLinks(forces, &reaction[i], place, picture);
        if (!(forces->scale->force > 0))
            continue;
        ksWrench wrench;
        if (!isContact)
            drawValues(forces, &reaction[i], place, picture);
        else if (ksiJointWrench(&reaction[i], KS_ENGINE, &wrench))
            drawForce(forces, place, wrench.force, 0, 0.7 * forces->sizes.arrow, KSI_CONTACT, picture);
        if (forces->shown->selfStress)
            drawSelfStress(forces, &reaction[i], place, picture);
    }
}

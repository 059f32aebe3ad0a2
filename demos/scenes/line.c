/* line.c  Banach's rotating line: a bead on a line that turns at a constant rate. Source: Banach X,
 * section 7.3.
 *
 * n = (cos wt, sin wt) is the line's normal in the xz-plane, e = (-sin wt, cos wt) its direction,
 * the bead at p n + q e:
 *
 *     n:  lambda = m (g sin wt - p w^2 - 2 w q'),      e:  q'' = w^2 q - g cos wt (50),
 *     power of lambda: -w q lambda */
#include "scenes_private.h"

#include <math.h>

const DrivenLine sceneDrivenLine = {.mass = 2, .distance = 0.3, .rate = 2, .place = 0.9, .speed = 0.4};

Scene *sceneRotatingLine(const DrivenLine *line)
{
    Scene *scene = sceneCreate(2, 1);
    if (!scene)
        return NULL;
    // an angle from x towards z is a negative rotation about y
    const double side[3] = {0.1, 0.1, 0.1}, spin = -line->rate;
    dBodyID body = sceneAddBox(scene, 1, 0, 0, 0, side);
    dBodySetKinematic(body);
    dBodySetAngularVel(body, 0, spin, 0);
    dBodySetFiniteRotationMode(body, 1);  // it turns by exactly w h in a step

    dBodyID bead = sceneAddBox(scene, line->mass, line->distance, 0, line->place, side);
    dBodySetLinearVel(bead, -line->rate * line->place, 0, line->rate * line->distance + line->speed);
    dBodySetAngularVel(bead, 0, spin, 0);
    dBodySetFiniteRotationMode(bead, 1);
    dJointID slider = sceneAddJoint(scene, dJointCreateSlider(scene->world, NULL), bead, body);
    dJointSetSliderAxis(slider, 0, 0, 1);
    return scene;
}

LineState lineState(const Scene *scene, const DrivenLine *line)
{
    // the body's own x axis is n, its z axis e
    const dReal *rotation = dBodyGetRotation(scene->body[LINE_BODY]);
    const dReal *x = dBodyGetPosition(scene->body[BEAD_BODY]), *v = dBodyGetLinearVel(scene->body[BEAD_BODY]);
    const double n[2] = {rotation[0], rotation[8]}, e[2] = {rotation[2], rotation[10]};
    LineState state = {.angle = atan2(n[1], n[0])};
    state.distance = x[0] * n[0] + x[2] * n[1];
    state.place = x[0] * e[0] + x[2] * e[1];
    state.speed = v[0] * e[0] + v[2] * e[1] - state.distance * line->rate;
    return state;
}

LineState lineMotion(const DrivenLine *line, double time)
{
    // q = a cosh wt + b sinh wt + c cos wt
    double w = line->rate, c = SCENE_GRAVITY / (2 * w * w), a = line->place - c, b = line->speed / w;
    return (LineState){
        .angle = w * time,
        .distance = line->distance,
        .place = a * cosh(w * time) + b * sinh(w * time) + c * cos(w * time),
        .speed = w * (a * sinh(w * time) + b * cosh(w * time) - c * sin(w * time)),
    };
}

double lineForce(const DrivenLine *line, const LineState *state)
{
    double w = line->rate;
    return line->mass * (SCENE_GRAVITY * sin(state->angle) - state->distance * w * w - 2 * w * state->speed);
}

double linePower(const DrivenLine *line, const LineState *state)
{
    return -line->rate * state->place * lineForce(line, state);
}

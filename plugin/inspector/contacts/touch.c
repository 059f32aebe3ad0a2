/* touch.c  Phase 13: finds touching pairs of bodies, with impulse and duration.
 *
 * Values are means over those contacts of a pair that press according to the report. The weight of
 * a contact is h lambda |n| of its normal row:
 *
 *     closing = -n . u,      sliding = |u - (n . u) n|,
 *     u = (v + w x r of the first body) - (v + w x r of the other body), before the step
 *
 * Contact joints live for one step. The addresses of the bodies identify a lasting touch. */
#include "../inspector.h"
#include "../publish/wrench_norm.h"

#include "../../engine/vector.h"

#include <math.h>
#include <string.h>

double ksiPressOf(const ksiStep *step, size_t index)
{
    const ksiJointInput *joint = &step->joint[index];
    if (joint->type != dJointTypeContact || !joint->isRead || !step->report[index].isFinite)
        return 0;
    const double lambda = step->report[index].multiplier[0];
    return lambda > 0 ? step->h * lambda * ksiSize(joint->rows.row[0].jacobian[0], 3) : 0;
}

/* Adds side * (v + w x r) */
static void addVelocity(const ksiBody *body, double side, const double point[3], double sum[3])
{
    const double *v = body->velocity, *w = body->velocity + 3;
    for (int k = 0; k < 3; k++) {
        const int m = (k + 1) % 3, n = (k + 2) % 3;
        sum[k] += side * (v[k] + w[m] * (point[n] - body->centre[n]) - w[n] * (point[m] - body->centre[m]));
    }
}

/* The point of a contact, and the direction in which it pushes the joint's body on this side. */
static void placeOf(const ksiStep *step, size_t index, int side, double point[3], double normal[3])
{
    double axes[9], anchor[2][3];
    ksiJointFrame(NULL, ksiBodyOfJoint(step, (int)index, 0), ksiBodyOfJoint(step, (int)index, 1),
                  &step->joint[index].rows, axes, anchor);
    for (int k = 0; k < 3; k++) {
        point[k] = anchor[0][k];
        normal[k] = side ? -axes[k] : axes[k];
    }
}

/* The largest friction force; NaN: it differs between the two directions, or only one direction has
 * friction. normal: the multiplier of the normal row. */
static double frictionBound(const ksiRows *rows, double normal)
{
    double bound = 0;
    int count = 0;
    for (int l = 0; l < rows->count; l++) {
        const ksiRow *row = &rows->row[l];
        if (row->kind != KS_ROW_FRICTION)
            continue;
        const double own = row->findex < 0 ? row->hi : row->hi * normal;
        bound = count == 0 || own == bound ? own : NAN;
        count++;
    }
    return count == 1 ? NAN : bound;
}

void ksiAddPress(const ksiStep *step, size_t index, int side, const double from[3], ksiPress *sum)
{
    const ksiRows *rows = &step->joint[index].rows;
    const ksiJointObserved *observed = &step->observed[index];
    double point[3], normal[3];
    if (!(ksiPressOf(step, index) > 0))
        return;
    const double lambda = observed->isFalse ? observed->multiplier[0] : step->report[index].multiplier[0];
    const double force = lambda * ksiSize(rows->row[0].jacobian[0], 3);
    placeOf(step, index, side, point, normal);
    ksiAddScaled(point, -1, from);
    ksiAddScaled(sum->normal, force, normal);
    ksiAddScaled(sum->point, force, point);
    sum->force += force;
    sum->bound += frictionBound(rows, lambda);
}

/* first: the side of the joint whose body is event->body[0]. Means are sums until `divide`. */
static void addContact(const ksiStep *step, size_t index, int first, double weight, ksTouch *event)
{
    double point[3], normal[3], u[3] = {0, 0, 0}, across[3];
    placeOf(step, index, first, point, normal);
    for (int side = 0; side < 2; side++) {
        const ksiBody *body = ksiBodyOfJoint(step, (int)index, side);
        if (body)
            addVelocity(body, side == first ? 1 : -1, point, u);
    }
    const double along = ksiDot(normal, u);
    ksiAddScaled(event->point, weight, point);
    ksiAddScaled(event->normal, weight, normal);
    for (int k = 0; k < 3; k++)
        across[k] = u[k] - along * normal[k];
    event->impulse += weight;
    event->closing -= weight * along;
    event->sliding += weight * ksiSize(across, 3);
    event->contactCount++;
}

static void divide(ksTouch *event)
{
    event->closing /= event->impulse;
    event->sliding /= event->impulse;
    for (int k = 0; k < 3; k++) {
        event->point[k] /= event->impulse;
        event->normal[k] /= event->impulse;
    }
}

/* The touch of the present subscription with a partner. partner: index of this body in the step;
 * -1: the world. */
static int *touchWith(ksiTouches *touches, int partner)
{
    return partner < 0 ? &touches->ofWorld : &touches->ofBody[partner];
}

static ksStatus add(ksInspector *inspector, const ksiTouch *touch)
{
    ksiTouches *out = &inspector->touches;
    KSI_TRY(
        ksiReserve(&inspector->step.allocator, &out->next, &out->nextCapacity, out->nextCount + 1, sizeof *out->next));
    out->next[out->nextCount++] = *touch;
    return KS_OK;
}

static int bodyAt(const ksInspector *inspector, dBodyID body)
{
    return body ? ksiPointersFind(&inspector->input.bodyIndex, body) : -1;
}

/* Finds the touching partners; each touch counts as new at first. */
static ksStatus findThose(ksInspector *inspector, const ksiSubscription *s)
{
    const ksiStep *step = &inspector->step;
    ksiTouches *out = &inspector->touches;
    const ksiAdjacency *adjacency = &inspector->adjacency;
    const int pair[2] = {bodyAt(inspector, s->body[0]), bodyAt(inspector, s->body[1])};
    const size_t first = out->nextCount;
    if (pair[0] < 0)
        return KS_OK;
    KSI_EACH_ADJACENT (adjacency, ksiBodyOfFewer(adjacency, pair), i, index) {
        const ksiJointInput *joint = &step->joint[index];
        const double weight = ksiIsAbout(s, joint->body) ? ksiPressOf(step, (size_t)index) : 0;
        if (!(weight > 0))
            continue;
        const int side = joint->body[0] == s->body[0] ? 0 : 1;
        int *at = touchWith(out, joint->bodyIndex[!side]);
        if (*at < 0) {
            const ksTouch event = {.phase = KS_TOUCH_BEGAN,
                                   .body = {s->body[0], joint->body[!side]},
                                   .step = step->number,
                                   .time = step->time};
            KSI_TRY(add(inspector, &(ksiTouch){.of = s->id, .began = step->time, .isTold = true, .event = event}));
            *at = (int)out->nextCount - 1;
        }
        addContact(step, (size_t)index, side, weight, &out->next[*at].event);
    }
    for (size_t i = first; i < out->nextCount; i++)
        divide(&out->next[i].event);
    return KS_OK;
}

bool ksiIsPairAsleep(const ksiStep *step, const int pair[2])
{
    bool any = false;
    for (int side = 0; side < 2; side++) {
        if (pair[side] < 0 || !step->body[pair[side]].dynamic)
            continue;
        const ksiBodyMotion *motion = &step->motion[pair[side]];
        if (motion->moved || !motion->found)
            return false;
        any = true;
    }
    return any;
}

/* Continues or ends a touch of the step before. */
static ksStatus goOn(ksInspector *inspector, const ksiSubscription *s, const ksiTouch *past)
{
    const ksiStep *step = &inspector->step;
    const dBodyID *body = past->event.body;
    int pair[2];
    for (int side = 0; side < 2; side++) {
        pair[side] = bodyAt(inspector, body[side]);
        if (body[side] && pair[side] < 0)
            return KS_OK;
    }
    const int at = *touchWith(&inspector->touches, pair[1]);
    if (at >= 0) {
        ksiTouch *now = &inspector->touches.next[at];
        now->began = past->began;
        now->event.phase = KS_TOUCH_LASTS;
        now->event.lasted = step->time - past->began;
        now->isTold = now->event.impulse > s->leastImpulse;
        return KS_OK;
    }
    const bool lasts = ksiIsPairAsleep(step, pair);
    const ksTouch event = {.phase = lasts ? KS_TOUCH_LASTS : KS_TOUCH_ENDED,
                           .body = {body[0], body[1]},
                           .step = step->number,
                           .time = step->time,
                           .lasted = step->time - past->began,
                           .closing = NAN,
                           .sliding = NAN,
                           .point = {NAN, NAN, NAN},
                           .normal = {NAN, NAN, NAN}};
    return add(inspector, &(ksiTouch){.of = s->id, .began = past->began, .isTold = !lasts, .event = event});
}

static void begin(ksInspector *inspector)
{
    ksiTouches *out = &inspector->touches;
    ksiFindAdjacency(&inspector->step, &inspector->adjacency);
    out->ofWorld = -1;
    for (size_t i = 0; i < inspector->step.bodyCount; i++)
        out->ofBody[i] = -1;
}

/* The touches of the last step and the subscriptions are both in the order of subscription ids. */
static ksStatus findAll(ksInspector *inspector)
{
    ksiTouches *out = &inspector->touches;
    ksStatus status = KS_OK;
    size_t past = 0;
    bool any = false;
    for (size_t n = 0; !status && n < inspector->subscriptions.count; n++) {
        const ksiSubscription *s = &inspector->subscriptions.at[n];
        const size_t first = out->nextCount;
        if (s->kind != KSI_ON_TOUCH || !s->active)
            continue;
        if (!any)
            begin(inspector);
        any = true;
        status = findThose(inspector, s);
        for (; !status && past < out->count && out->at[past].of <= s->id; past++)
            if (out->at[past].of == s->id && out->at[past].event.phase != KS_TOUCH_ENDED)
                status = goOn(inspector, s, &out->at[past]);
        for (size_t i = first; i < out->nextCount; i++)
            *touchWith(out, bodyAt(inspector, out->next[i].event.body[1])) = -1;
    }
    return status;
}

ksStatus ksiFindTouches(ksInspector *inspector)
{
    ksiTouches *out = &inspector->touches;
    out->nextCount = 0;
    KSI_TRY(findAll(inspector));
    const ksiTouches found = *out;
    out->at = found.next;
    out->count = found.nextCount;
    out->capacity = found.nextCapacity;
    out->next = found.at;
    out->nextCapacity = found.capacity;
    out->isFound = true;
    return KS_OK;
}

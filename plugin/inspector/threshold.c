/* threshold.c  Limits of the load in a joint: what is seen of it in a step, for how long, and how well it is known. */
#include "inspector.h"
#include "size.h"
#include "wrench.h"

#include "../base/error.h"

#include <math.h>
#include <string.h>

/* Of the minimum duration: a sum of up to a million steps that should reach it does so to rounding */
static const double clockTolerance = 1e-9;

void ksThresholdInit(ksThreshold *limits)
{
    if (!limits)
        return;
    *limits = (ksThreshold){
        .size = sizeof *limits,
        .force = {INFINITY, INFINITY, INFINITY},
        .torque = {INFINITY, INFINITY, INFINITY},
        .forceMagnitude = INFINITY,
        .torqueMagnitude = INFINITY,
        .value = KS_SHARED,
        .frame = KS_FRAME_JOINT,
        .point = KS_POINT_ANCHOR,
    };
}

static double limitOf(const ksThreshold *limits, ksLimit limit)
{
    if (limit == KS_LIMIT_FORCE)
        return limits->forceMagnitude;
    if (limit == KS_LIMIT_TORQUE)
        return limits->torqueMagnitude;
    return limit < KS_LIMIT_TORQUE_X ? limits->force[limit] : limits->torque[limit - KS_LIMIT_TORQUE_X];
}

static ksStatus check(const ksThreshold *limits)
{
    static const char *const name[] = {"force[0]",  "force[1]",  "force[2]",       "torque[0]",
                                       "torque[1]", "torque[2]", "forceMagnitude", "torqueMagnitude"};
    KSI_REQUIRE(limits->size == sizeof *limits, "limits->size is %zu, must be %zu: call ksThresholdInit", limits->size,
                sizeof *limits);
    for (ksLimit limit = 0; limit < KS_LIMIT_COUNT; limit++)
        KSI_REQUIRE(isgreater(limitOf(limits, limit), 0), "limits->%s is %g, must be > 0", name[limit],
                    limitOf(limits, limit));
    KSI_REQUIRE(limits->value <= KS_PHYSICAL || limits->value == KS_SHARED,
                "limits->value is %d, not KS_ENGINE, KS_CONVERGED, KS_PHYSICAL or KS_SHARED", (int)limits->value);
    KSI_REQUIRE(limits->body == 0 || limits->body == 1, "limits->body is %d, must be 0 or 1", limits->body);
    KSI_REQUIRE(limits->frame <= KS_FRAME_JOINT, "limits->frame is %d, not one of ksFrame", (int)limits->frame);
    KSI_REQUIRE(limits->point <= KS_POINT_ANCHOR, "limits->point is %d, not one of ksPoint", (int)limits->point);
    KSI_REQUIRE(isfinite(limits->duration) && limits->duration >= 0, "limits->duration is %g, must be finite and >= 0",
                limits->duration);
    KSI_REQUIRE(isgreaterequal(limits->hysteresis, 0) && limits->hysteresis < 1,
                "limits->hysteresis is %g, must be in [0, 1)", limits->hysteresis);
    KSI_REQUIRE(!(limits->flags & ~(unsigned)KS_THRESHOLD_UNCHECKED), "limits->flags has bits without a meaning");
    return KS_OK;
}

static ksStatus onThreshold(ksInspector *inspector, dJointID joint, const ksThreshold *limits, ksThresholdFn *fn,
                            void *user)
{
    KSI_REQUIRE_POINTER(inspector);
    KSI_REQUIRE_POINTER(joint);
    KSI_REQUIRE_POINTER(limits);
    KSI_REQUIRE_POINTER(fn);
    const ksStatus status = check(limits);
    if (status)
        return status;
    KSI_REQUIRE(ksiIsInWorld(inspector, joint), "joint is not one of this world");
    int reversed;
    ksiSubscription subscription = {
        .kind = KSI_ON_THRESHOLD,
        .active = true,
        .user = user,
        .joint = joint,
        .type = dJointGetType(joint),
        .watch = {.limits = *limits, .fn = fn},
    };
    ksiJointBodies(joint, subscription.body, &reversed);
    if (!subscription.body[limits->body] && (limits->point == KS_POINT_MASS_CENTRE || !ksiHasAnchor(subscription.type)))
        return KSI_EXPLAIN(KS_ERROR_NO_ANCHOR,
                           "limits->body is the world: this takes KS_POINT_ANCHOR, and a joint that has an anchor");
    return ksiSubscribe(inspector, &subscription);
}

ksStatus ksInspectorOnThreshold(ksInspector *inspector, dJointID joint, const ksThreshold *limits, ksThresholdFn *fn,
                                void *user)
{
    return KSI_ANSWER(onThreshold(inspector, joint, limits, fn, user));
}

/* What is seen of a joint's load in this step. value: KS_PHYSICAL where nothing tells how a load is shared. */
typedef struct Sight {
    ksValue value;
    ksiWrenchFrame view;
    ksPoint point;
    ksWrench wrench;
    ksiUnique unique;
} Sight;

static bool see(const ksReaction *reaction, const ksThreshold *limits, Sight *sight)
{
    bool checked =
        reaction->verdict != KS_NOT_SOLVED && reaction->verdict != KS_UNCHECKED && reaction->verdict != KS_UNEXPLAINED;
    const bool isShared = limits->value == KS_SHARED && ksiWrenchesOf(reaction, KS_SHARED);
    sight->value = limits->value == KS_SHARED && !isShared ? KS_PHYSICAL : limits->value;
    sight->point = limits->point;
    const ksWrench *both = ksiWrenchesOf(reaction, sight->value);
    if (!both || !(checked || limits->flags & KS_THRESHOLD_UNCHECKED) ||
        ksiViewAnyhow(reaction, limits->body, limits->frame, &sight->point, &sight->view))
        return false;
    ksiViewWrench(reaction, &sight->view, both, &sight->wrench);
    ksiFindUnique(reaction, &sight->view, &sight->unique);
    return true;
}

/* the part of a wrench that counts for a limit */
static double partOf(const ksWrench *w, ksLimit limit)
{
    if (limit == KS_LIMIT_FORCE)
        return ksiSize(w->force, 3);
    if (limit == KS_LIMIT_TORQUE)
        return ksiSize(w->torque, 3);
    return fabs(limit < KS_LIMIT_TORQUE_X ? w->force[limit] : w->torque[limit - KS_LIMIT_TORQUE_X]);
}

/* Nobody knows it but elastic joints. */
static bool isShared(const Sight *sight, ksLimit limit)
{
    const unsigned force = 1u << KS_LIMIT_FORCE_X | 1u << KS_LIMIT_FORCE_Y | 1u << KS_LIMIT_FORCE_Z;
    const unsigned needed = limit == KS_LIMIT_FORCE    ? force
                            : limit == KS_LIMIT_TORQUE ? force << KS_LIMIT_TORQUE_X
                                                       : 1u << limit;
    return sight->value == KS_SHARED && (sight->unique.components & needed) != needed;
}

/* false: not determined */
static bool loadOn(const Sight *sight, ksLimit limit, double *load)
{
    const double *force = sight->wrench.force, *torque = sight->wrench.torque;
    if (isShared(sight, limit)) {
        *load = partOf(&sight->wrench, limit);
        return true;
    }
    if (limit == KS_LIMIT_FORCE)
        return ksiUniqueForce(&sight->unique, force, load);
    if (limit == KS_LIMIT_TORQUE)
        return ksiUniqueTorque(&sight->unique, torque, load);
    *load = partOf(&sight->wrench, limit);
    return sight->unique.components >> limit & 1u;
}

/* sum over the rows of the wrench that a row's bar makes */
static double barOfRows(const ksReaction *reaction, const Sight *sight, ksLimit limit)
{
    const bool shared = isShared(sight, limit);
    ksWrench sum = {{0}, {0}};
    for (int l = 0; l < reaction->rowCount; l++) {
        const ksRow *row = &reaction->row[l];
        const double bar = shared ? row->sharedBar : ksiIsPhysical(sight->value) ? row->physicalBar : row->errorBar;
        ksWrench both[2], one;
        for (int side = 0; side < 2; side++) {
            memcpy(both[side].force, row->jacobian[side], sizeof both[side].force);
            memcpy(both[side].torque, row->jacobian[side] + 3, sizeof both[side].torque);
        }
        ksiViewWrench(reaction, &sight->view, both, &one);
        for (int k = 0; k < 3; k++) {
            sum.force[k] += fabs(one.force[k]) * bar;
            sum.torque[k] += fabs(one.torque[k]) * bar;
        }
    }
    return partOf(&sum, limit);
}

/* As documented at ksThresholdEvent. */
static double errorBar(const ksReaction *reaction, const ksThreshold *limits, const Sight *sight, ksLimit limit)
{
    double bar = barOfRows(reaction, sight, limit);
    const ksWrench *converged = ksiWrenchesOf(reaction, KS_CONVERGED);
    if (limits->value != KS_ENGINE)
        return bar;
    if (!converged)
        return NAN;
    ksWrench missed;
    ksiViewWrench(reaction, &sight->view, converged, &missed);
    for (int k = 0; k < 3; k++) {
        missed.force[k] -= sight->wrench.force[k];
        missed.torque[k] -= sight->wrench.torque[k];
    }
    return bar + partOf(&missed, limit);
}

/* One step of one limit: did it enter or leave? */
static bool advance(ksiLimitState *state, const ksThreshold *limits, double limit, double load, double h,
                    ksThresholdPhase *phase)
{
    if (state->over && load < (1 - limits->hysteresis) * limit) {
        *phase = KS_THRESHOLD_LEFT;
        return true;
    }
    if (!state->over && !(load > limit)) {
        state->lasted = 0;
        return false;
    }
    state->lasted += h;
    if (state->over || state->lasted < limits->duration * (1 - clockTolerance))
        return false;
    state->over = true;
    *phase = KS_THRESHOLD_ENTERED;
    return true;
}

int ksiWatchJoint(ksInspector *inspector, size_t index, ksiWatch *watch, ksThresholdEvent event[KS_LIMIT_COUNT])
{
    const ksReaction *reaction = ksiReactionOf(&inspector->step, &inspector->published, index);
    const ksThreshold *limits = &watch->limits;
    Sight sight;
    if (!see(reaction, limits, &sight))
        return 0;
    int count = 0;
    size_t contacts = 0;
    for (ksLimit limit = 0; limit < KS_LIMIT_COUNT; limit++) {
        ksiLimitState *state = &watch->state[limit];
        double load, limitValue = limitOf(limits, limit);
        ksThresholdPhase phase;
        if (!isfinite(limitValue) || !loadOn(&sight, limit, &load))
            continue;
        const bool matters = load > limitValue || state->over;
        const double bar = matters ? errorBar(reaction, limits, &sight, limit) : 0;
        // such a value says nothing about this limit
        if (ksiIsPhysical(limits->value) && !(bar <= limitValue))
            continue;
        if (!advance(state, limits, limitValue, load, inspector->step.h, &phase))
            continue;
        if (count == 0)
            contacts = ksiListContacts(&inspector->step, inspector->step.member[index].island, limits->value,
                                       inspector->contactList);
        event[count++] = (ksThresholdEvent){
            .phase = phase,
            .limit = limit,
            .load = load,
            .limitValue = limitValue,
            .errorBar = bar,
            .lasted = state->lasted,
            .wrench = sight.wrench,
            .determined = sight.unique.components,
            .point = sight.point,
            .reaction = reaction,
            .contact = inspector->contactList,
            .contactCount = contacts,
        };
        if (phase == KS_THRESHOLD_LEFT) {
            state->over = false;
            state->lasted = 0;
        }
    }
    return count;
}

void ksiLastEvent(const ksiWatch *watch, const ksReaction *last, ksThresholdEvent *event)
{
    *event = (ksThresholdEvent){
        .phase = KS_THRESHOLD_ENDED,
        .limit = KS_LIMIT_COUNT,
        .load = NAN,
        .limitValue = NAN,
        .errorBar = NAN,
        .lasted = NAN,
        .wrench = last->engine[0],
        .point = watch->limits.point,
        .reaction = last,
    };
}

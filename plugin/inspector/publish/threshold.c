/* threshold.c  Thresholds on the load of a joint. */
#include "../inspector.h"

#include "../../base/duration.h"
#include "../../base/error.h"

#include <math.h>

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
    KSI_REQUIRE(limits->value <= KS_PHYSICAL || limits->value == KS_SHARED || limits->value == KS_MEAN,
                "limits->value is %d, not KS_ENGINE, KS_CONVERGED, KS_PHYSICAL, KS_SHARED or KS_MEAN",
                (int)limits->value);
    KSI_REQUIRE(limits->body == 0 || limits->body == 1, "limits->body is %d, must be 0 or 1", limits->body);
    KSI_REQUIRE(limits->frame <= KS_FRAME_JOINT, "limits->frame is %d, not one of ksFrame", (int)limits->frame);
    KSI_REQUIRE(limits->point <= KS_POINT_ANCHOR, "limits->point is %d, not one of ksPoint", (int)limits->point);
    KSI_REQUIRE(isfinite(limits->duration) && limits->duration >= 0, "limits->duration is %g, must be finite and >= 0",
                limits->duration);
    KSI_REQUIRE(isgreaterequal(limits->hysteresis, 0) && limits->hysteresis < 1,
                "limits->hysteresis is %g, must be in [0, 1)", limits->hysteresis);
    KSI_REQUIRE(isfinite(limits->window) && limits->window >= 0, "limits->window is %g, must be finite and >= 0",
                limits->window);
    KSI_REQUIRE(!(limits->flags & ~(unsigned)(KS_THRESHOLD_UNCHECKED | KS_THRESHOLD_BREAKS)),
                "limits->flags has unknown bits");
    const bool isMean = limits->value == KS_MEAN && (limits->window > 0 || limits->duration > 0);
    KSI_REQUIRE(!(limits->flags & KS_THRESHOLD_BREAKS) || limits->value == KS_SHARED || isMean,
                "limits->flags has KS_THRESHOLD_BREAKS, so limits->value must be KS_SHARED, or KS_MEAN with a window");
    return KS_OK;
}

ksStatus ksiBeginThreshold(ksInspector *inspector, dJointID joint, const ksThreshold *limits, ksThresholdFn *fn,
                           void *user, ksiSubscription *out)
{
    KSI_REQUIRE_POINTER(inspector);
    KSI_REQUIRE_POINTER(limits);
    KSI_REQUIRE_POINTER(fn);
    KSI_TRY(check(limits));
    *out = (ksiSubscription){.kind = KSI_ON_THRESHOLD, .user = user, .watch = {.limits = *limits, .fn = fn}};
    if (!joint)
        return KS_OK;
    KSI_REQUIRE(ksiIsInWorld(inspector, joint), "joint does not belong to this world");
    int reversed;
    out->joint = joint;
    out->type = dJointGetType(joint);
    ksiJointBodies(joint, out->body, &reversed);
    return KS_OK;
}

ksStatus ksiCheckPoint(const ksThreshold *limits, dBodyID body, dJointType type)
{
    return body || (limits->point == KS_POINT_ANCHOR && ksiHasAnchor(type))
               ? KS_OK
               : KSI_EXPLAIN(KS_ERROR_NO_ANCHOR,
                             "a load on the world needs KS_POINT_ANCHOR and a joint with an anchor");
}

static ksStatus onThreshold(ksInspector *inspector, dJointID joint, const ksThreshold *limits, ksThresholdFn *fn,
                            void *user)
{
    ksiSubscription subscription;
    KSI_REQUIRE_POINTER(inspector);
    KSI_REQUIRE_POINTER(joint);
    KSI_TRY(ksiBeginThreshold(inspector, joint, limits, fn, user, &subscription));
    KSI_TRY(ksiCheckPoint(limits, subscription.body[limits->body], subscription.type));
    return ksiSubscribe(inspector, &subscription);
}

ksStatus ksInspectorOnThreshold(ksInspector *inspector, dJointID joint, const ksThreshold *limits, ksThresholdFn *fn,
                                void *user)
{
    return KSI_ANSWER(onThreshold(inspector, joint, limits, fn, user));
}

/* Advances the state of one limit by one step. Returns true if the load passes the limit or falls
 * below it; *phase says which. If the mean over the duration is above the limit, the load counts as
 * above the limit for the whole duration. After a restart of its window, a load falls below the
 * limit if the mean over the steps so far is below it. */
static bool advance(ksiLimitState *state, const ksThreshold *limits, double limit, double load, double h,
                    const ksiSight *sight, ksThresholdPhase *phase)
{
    if (state->over && load < (1 - limits->hysteresis) * limit * sight->filled) {
        *phase = KS_THRESHOLD_LEFT;
        return true;
    }
    if (!state->over && !(load > limit)) {
        *state = (ksiLimitState){0};
        return false;
    }
    const bool isOfDuration = limits->window == 0 && limits->duration > 0;
    state->lasted = isOfDuration && !state->over ? sight->covered : state->lasted + h;
    state->peak = ksiLarger(state->peak, load);
    if (state->over || !ksiFills(state->lasted, limits->duration))
        return false;
    state->over = true;
    *phase = KS_THRESHOLD_ENTERED;
    return true;
}

/* A joint that may break is judged by its load after the breaks of other joints in this step. */
static bool see(ksInspector *inspector, size_t index, ksiWatch *watch, ksiSight *sight)
{
    if (watch->see)
        return watch->see(inspector, watch, sight);
    const ksReaction *reaction = ksiReactionOf(&inspector->step, &inspector->published, index);
    const ksiJointAfter *after = watch->limits.flags & KS_THRESHOLD_BREAKS ? &inspector->breaking.joint[index] : NULL;
    if (after && after->standing == KSI_UNCHANGED)
        after = NULL;
    return ksiSee(&inspector->step, (int)index, reaction, &watch->limits, after, &watch->window, sight);
}

/* Measures the load of a limit; false: unknown. A physical value or a mean whose bar exceeds the
 * limit decides nothing, unless the load exceeds the limit by more than the bar. A value with an
 * unknown bar decides only if the host has asked for such values. */
static bool measure(const ksiWatch *watch, ksiSight *sight, ksLimit limit, double *load, double *bar)
{
    const double limitValue = limitOf(&watch->limits, limit);
    if (!isfinite(limitValue) || !ksiLoadOn(sight, limit, load))
        return false;
    const bool matters = *load > limitValue || watch->state[limit].over;
    *bar = matters ? ksiLoadBar(sight, limit) : 0;
    const bool isEstimate = ksiIsPhysical(watch->limits.value) || watch->limits.value == KS_MEAN;
    const bool isTaken = *bar <= ksiLarger(limitValue, *load - limitValue) || (isnan(*bar) && sight->takesUntold);
    return !matters || !isEstimate || isTaken;
}

int ksiWatchJoint(ksInspector *inspector, size_t index, ksiWatch *watch, ksThresholdEvent event[KS_LIMIT_COUNT])
{
    const ksThreshold *limits = &watch->limits;
    const bool isOfJoint = index < inspector->step.jointCount;
    ksiSight sight;
    if (!see(inspector, index, watch, &sight))
        return 0;
    int count = 0;
    size_t contacts = 0;
    for (ksLimit limit = 0; limit < KS_LIMIT_COUNT; limit++) {
        ksiLimitState *state = &watch->state[limit];
        double load, bar;
        ksThresholdPhase phase;
        if (!measure(watch, &sight, limit, &load, &bar) ||
            !advance(state, limits, limitOf(limits, limit), load, inspector->step.h, &sight, &phase))
            continue;
        if (count == 0 && isOfJoint)
            contacts = ksiListContacts(&inspector->step, inspector->step.member[index].island, limits->value,
                                       inspector->contactList);
        event[count++] = (ksThresholdEvent){
            .phase = phase,
            .limit = limit,
            .load = load,
            .limitValue = limitOf(limits, limit),
            .errorBar = bar,
            .lasted = state->lasted,
            .peak = state->peak,
            .wrench = sight.wrench,
            .determined = sight.determined,
            .point = sight.point,
            .reaction = isOfJoint ? ksiReactionOf(&inspector->step, &inspector->published, index) : NULL,
            .contact = inspector->contactList,
            .contactCount = contacts,
        };
        if (phase == KS_THRESHOLD_LEFT)
            *state = (ksiLimitState){0};
    }
    return count;
}

double ksiOverload(ksInspector *inspector, size_t index, ksiWatch *watch)
{
    double most = 0;
    ksiSight sight;
    if (!see(inspector, index, watch, &sight))
        return 0;
    for (ksLimit limit = 0; limit < KS_LIMIT_COUNT; limit++) {
        ksiLimitState state = watch->state[limit];
        const double limitValue = limitOf(&watch->limits, limit);
        double load, bar;
        ksThresholdPhase phase;
        if (measure(watch, &sight, limit, &load, &bar) &&
            advance(&state, &watch->limits, limitValue, load, inspector->step.h, &sight, &phase) &&
            phase == KS_THRESHOLD_ENTERED)
            most = ksiLarger(most, load / limitValue);
    }
    return most;
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
        .peak = NAN,
        .wrench = last->engine[0],
        .point = watch->limits.point,
        .reaction = last->joint ? last : NULL,
    };
}

/* load_case.c  All loads on one body in one step. */
#include "load_case.h"

#include "../base/memory.h"
#include "../report/collect/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Relative rounding of sums of a few terms. */
static const double rounding = 1e-12;

ksiLoadCase *ksiLoadCaseCreate(void)
{
    ksiLoadCase *made = calloc(1, sizeof *made);
    if (made)
        made->users = 1;
    return made;
}

void ksiLoadCaseRelease(ksiLoadCase *moment)
{
    if (!moment || --moment->users > 0)
        return;
    ksiFree(&ksiLibraryAllocator, moment->load);
    free(moment);
}

/* --- Records --- */

const ksiBodyRecord *ksiRecordedBody(const ksiStepRecord *record, size_t body)
{
    return (const ksiBodyRecord *)(const void *)(record + 1) + body;
}

size_t ksiFindRecordedBody(const ksiStepRecord *record, uint64_t number)
{
    size_t i = 0;
    while (i < record->bodyCount && ksiRecordedBody(record, i)->number != number)
        i++;
    return i;
}

/* --- Vectors --- */

static void apply(const double matrix[9], const double v[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = matrix[3 * i] * v[0] + matrix[3 * i + 1] * v[1] + matrix[3 * i + 2] * v[2];
}

/* Transforms v from the world's axes into the axes of `rotation`. */
static void turnBack(const double rotation[9], const double v[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = rotation[i] * v[0] + rotation[i + 3] * v[1] + rotation[i + 6] * v[2];
}

static void addTo(double sum[3], const double v[3], double factor)
{
    for (int i = 0; i < 3; i++)
        sum[i] += factor * v[i];
}

/* --- Loads --- */

/* Returns a load that is zero apart from its name and kind. NULL: out of memory. */
static ksiLoad *addLoad(ksiLoadCase *moment, const char *name, ksiLoadKind kind)
{
    if (ksiReserve(&ksiLibraryAllocator, &moment->load, &moment->capacity, moment->count + 1, sizeof *moment->load))
        return NULL;
    ksiLoad *load = &moment->load[moment->count++];
    *load = (ksiLoad){.kind = kind};
    snprintf(load->name, sizeof load->name, "%s", name);
    return load;
}

static ksiLoad *findLoad(const ksiLoadCase *moment, const char *name, ksiLoadKind kind)
{
    for (size_t i = 0; i < moment->count; i++)
        if (moment->load[i].kind == kind && strncmp(moment->load[i].name, name, KSI_LOAD_NAME - 1) == 0)
            return &moment->load[i];
    return NULL;
}

/* The wrench about the mass centre. For a contact whose value is unknown: the engine's wrench. */
static ksStatus readWrench(const ksReaction *r, int side, ksValue value, ksWrench *out)
{
    const bool isContact = r->type == dJointTypeContact;
    const bool isOpen = value == KS_PHYSICAL && !isContact && r->freeCount > 0;
    if (r->reasons & (KS_REASON_NO_ROWS | KS_REASON_DISABLED)) {
        *out = (ksWrench){{0, 0, 0}, {0, 0, 0}};
        return KS_OK;
    }
    if (isOpen && !(r->reasons & KS_REASON_SHARED))
        return KS_ERROR_UNAVAILABLE;
    value = isOpen ? KS_SHARED : value;
    if (!ksReactionGetWrench(r, value, side, KS_FRAME_BODY, KS_POINT_MASS_CENTRE, out) && isfinite(out->force[0]))
        return KS_OK;
    const ksStatus status = isContact
                                ? ksReactionGetWrench(r, KS_ENGINE, side, KS_FRAME_BODY, KS_POINT_MASS_CENTRE, out)
                                : KS_ERROR_UNAVAILABLE;
    return status || !isfinite(out->force[0]) ? KS_ERROR_UNAVAILABLE : KS_OK;
}

static void readBars(const ksReaction *r, ksValue value, double bar[2])
{
    bar[0] = bar[1] = NAN;
    if (r->reasons & (KS_REASON_NO_ROWS | KS_REASON_DISABLED))
        bar[0] = bar[1] = 0;
    else if (value == KS_PHYSICAL)
        ksiMeasureBars(r, r->type != dJointTypeContact && r->freeCount > 0 ? KS_SHARED : KS_PHYSICAL, &bar[0], &bar[1]);
    else if (value == KS_OBSERVED && r->type != dJointTypeContact) {
        bar[0] = ksiLength(r->meanBar.force);
        bar[1] = ksiLength(r->meanBar.torque);
    }
}

/* Torques stay about the mass centre until shiftTorques(), after all loads were added. */
static ksStatus addReaction(ksiLoadCase *moment, const ksReaction *r, int side, const char *name, ksValue value)
{
    const bool isContact = r->type == dJointTypeContact;
    ksWrench wrench;
    double point[3] = {0, 0, 0}, bar[2];
    const ksStatus status = readWrench(r, side, value, &wrench);
    if (status)
        return status;
    ksiLoad *load = isContact ? findLoad(moment, name, KSI_LOAD_CONTACT) : NULL;
    load = load ? load : addLoad(moment, name, isContact ? KSI_LOAD_CONTACT : KSI_LOAD_JOINT);
    if (!load)
        return KS_ERROR_NO_MEMORY;
    if (isfinite(r->anchor[side][0])) {
        const double *a = r->anchor[side], *c = r->centre[side];
        const double lever[3] = {a[0] - c[0], a[1] - c[1], a[2] - c[2]};
        turnBack(r->rotation[side], lever, point);
    }
    readBars(r, value, bar);
    const double weight = isContact ? ksiLength(wrench.force) : 1;
    addTo(load->point, point, weight);
    addTo(load->force, wrench.force, 1);
    addTo(load->torque, wrench.torque, 1);
    load->weight += weight;
    load->bar[0] += bar[0];
    load->bar[1] += bar[1];
    return KS_OK;
}

/* An applied load acts at the mass centre, with a torque. */
static ksStatus addApplied(ksiLoadCase *moment, const ksiBodyCopy *body)
{
    const double *f = body->force, *t = body->torque;
    if (f[0] == 0 && f[1] == 0 && f[2] == 0 && t[0] == 0 && t[1] == 0 && t[2] == 0)
        return KS_OK;
    ksiLoad *load = addLoad(moment, "applied", KSI_LOAD_APPLIED);
    if (!load)
        return KS_ERROR_NO_MEMORY;
    turnBack(body->state.rotation, f, load->force);
    turnBack(body->state.rotation, t, load->torque);
    return KS_OK;
}

static void dropBelow(double v[3], double least)
{
    for (int k = 0; k < 3; k++)
        v[k] = fabs(v[k]) <= least ? 0 : v[k];
}

static void shiftTorques(ksiLoadCase *moment)
{
    for (size_t i = 0; i < moment->count; i++) {
        ksiLoad *load = &moment->load[i];
        double couple[3];
        for (int k = 0; k < 3; k++)
            load->point[k] = load->weight > 0 ? load->point[k] / load->weight : 0;
        ksiVectorProduct(load->point, load->force, couple);
        addTo(load->torque, couple, -1);
        // drops rounding
        dropBelow(load->torque, ksiRoundedLever * ksiLength(load->force));
        dropBelow(load->torque, rounding * ksiLength(load->torque));
        dropBelow(load->force, rounding * ksiLength(load->force));
        dropBelow(load->point, rounding * ksiLength(load->point));
    }
}

/* --- Balance --- */

/* Sums the loads about the mass centre, weight included. */
static void sumLoads(const ksiLoadCase *moment, double mass, double force[3], double torque[3])
{
    for (int k = 0; k < 3; k++) {
        force[k] = mass * moment->gravity[k];
        torque[k] = 0;
    }
    for (size_t i = 0; i < moment->count; i++) {
        const ksiLoad *load = &moment->load[i];
        double couple[3];
        ksiVectorProduct(load->point, load->force, couple);
        addTo(force, load->force, 1);
        addTo(torque, load->torque, 1);
        addTo(torque, couple, 1);
    }
}

static void gyrate(const ksiMatter *matter, const double spin[3], double out[3])
{
    double momentum[3];
    apply(matter->inertia, spin, momentum);
    ksiVectorProduct(spin, momentum, out);
}

static void balance(ksiLoadCase *moment, const ksiMatter *matter)
{
    double force[3], torque[3], gyroscopic[3];
    sumLoads(moment, matter->mass, force, torque);
    gyrate(matter, moment->spin, gyroscopic);
    addTo(torque, gyroscopic, -1);
    for (int k = 0; k < 3; k++)
        moment->acceleration[k] = force[k] / matter->mass;
    apply(matter->inverse, torque, moment->turning);
}

void ksiInertiaLoad(const ksiLoadCase *moment, const ksiMatter *matter, double force[3], double torque[3])
{
    double turning[3];
    gyrate(matter, moment->spin, torque);
    apply(matter->inertia, moment->turning, turning);
    for (int k = 0; k < 3; k++) {
        force[k] = -matter->mass * moment->acceleration[k];
        torque[k] = -torque[k] - turning[k];
    }
}

/* Compares the loads with the change of velocities in the step. */
static void compareMotion(ksiLoadCase *moment, const ksiMatter *matter, const ksiBodyState *before,
                          const ksiBodyState *after)
{
    double change[2][3], own[2][3], turned[3];
    for (int k = 0; k < 3; k++) {
        change[0][k] = (after->velocity[k] - before->velocity[k]) / moment->h;
        change[1][k] = (after->spin[k] - before->spin[k]) / moment->h;
    }
    turnBack(before->rotation, change[0], own[0]);
    turnBack(before->rotation, change[1], own[1]);
    for (int k = 0; k < 3; k++) {
        moment->residual[0][k] = matter->mass * (own[0][k] - moment->acceleration[k]);
        own[1][k] -= moment->turning[k];
    }
    apply(matter->inertia, own[1], turned);
    memcpy(moment->residual[1], turned, sizeof turned);
}

ksStatus ksiLoadCaseRead(ksiLoadCase *moment, const ksInspector *inspector, const ksiNaming *naming,
                         const ksiStepRecord *record, size_t body, ksValue value)
{
    const ksiBodyRecord *own = ksiRecordedBody(record, body);
    const ksiBodyState *state = &own->copy.state;
    ksiMatter matter = {.mass = own->copy.mass};
    bool isWeightless = false;
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    memcpy(matter.inertia, own->copy.inertia, sizeof matter.inertia);
    memcpy(matter.inverse, own->copy.inverse, sizeof matter.inverse);
    moment->step = record->step;
    moment->time = record->time;
    moment->h = record->h;
    memcpy(moment->position, state->centre, sizeof moment->position);
    memcpy(moment->rotation, state->rotation, sizeof moment->rotation);
    turnBack(state->rotation, state->spin, moment->spin);
    moment->count = 0;
    ksStatus status = KS_OK;
    for (size_t i = 0; i < count && !status; i++)
        for (int side = 0; side < 2 && !status; side++) {
            const ksiIdentity *who = ksiIdentify(naming, &reaction[i]);
            if (!who || !reaction[i].body[side] ||
                (uint64_t)ksiBodyNumber(naming, reaction[i].body[side]) != own->number)
                continue;
            isWeightless = reaction[i].weightless[side] != 0;
            status = addReaction(moment, &reaction[i], side, who->name, value);
        }
    if (status)
        return status;
    for (size_t i = 0; i < 3; i++)
        moment->gravity[i] = 0;
    if (!isWeightless)
        turnBack(state->rotation, record->gravity, moment->gravity);
    shiftTorques(moment);
    status = addApplied(moment, &own->copy);
    balance(moment, &matter);
    compareMotion(moment, &matter, state, &ksiRecordedEnds(record)[body].state);
    return status;
}

/* --- Means --- */

static ksStatus addMean(ksiLoadCase *out, const ksiLoadCase *of, double share)
{
    for (size_t i = 0; i < of->count; i++) {
        const ksiLoad *from = &of->load[i];
        ksiLoad *load = findLoad(out, from->name, from->kind);
        load = load ? load : addLoad(out, from->name, from->kind);
        if (!load)
            return KS_ERROR_NO_MEMORY;
        double couple[3];
        const double size = ksiLength(from->force), weight = share * (from->kind == KSI_LOAD_CONTACT ? size : 1);
        ksiVectorProduct(from->point, from->force, couple);
        addTo(load->point, from->point, weight);
        addTo(load->force, from->force, share);
        addTo(load->torque, from->torque, share);
        addTo(load->torque, couple, share);
        load->weight += weight;
        // the bar of the window that ends with the last step
        load->bar[0] = from->bar[0];
        load->bar[1] = from->bar[1];
    }
    addTo(out->gravity, of->gravity, share);
    addTo(out->spin, of->spin, share);
    addTo(out->residual[0], of->residual[0], share);
    addTo(out->residual[1], of->residual[1], share);
    return KS_OK;
}

ksStatus ksiLoadCaseMean(ksiLoadCase *const *moment, size_t count, const ksiMatter *matter, ksiLoadCase *out)
{
    const ksiLoadCase *middle = moment[count / 2];
    double total = 0;
    ksStatus status = KS_OK;
    *out = (ksiLoadCase){.users = out->users, .load = out->load, .capacity = out->capacity};
    for (size_t i = 0; i < count; i++)
        total += moment[i]->h;
    for (size_t i = 0; i < count && !status; i++)
        status = addMean(out, moment[i], moment[i]->h / total);
    if (status)
        return status;
    out->step = middle->step;
    out->time = middle->time;
    out->h = middle->h;
    memcpy(out->position, middle->position, sizeof out->position);
    memcpy(out->rotation, middle->rotation, sizeof out->rotation);
    shiftTorques(out);
    balance(out, matter);
    return KS_OK;
}

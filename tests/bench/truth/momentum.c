/* momentum.c  The momentum of each body, step by step. See momentum.h. */
#include "momentum.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A body before a step: its momentum, and the impulse of everything but joints since the start; N
 * s. */
typedef struct State {
    double momentum[3], impulse[3], size[3]; /* size: largest of both so far */
} State;

/* Number of compared components, of those off by more than their bar, and the largest error over
 * the load. */
typedef struct Tally {
    long all, outside;
    double worst;
} Tally;

struct TruthMomentum {
    const Scene *scene;
    ksInspector *inspector;
    int count;
    double h;         /* s, of the last step */
    State *state;     /* [bodies (steps + 1)] */
    double (*now)[3]; /* [bodies] forces of host and gravity in this step, N */
    Tally mean, observed;
};

TruthMomentum *truthMomentumOpen(const Scene *scene, ksInspector *inspector, int steps)
{
    const size_t bodies = (size_t)scene->bodyCount + 1;
    TruthMomentum *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    *m = (TruthMomentum){.scene = scene, .inspector = inspector};
    m->state = calloc(bodies * ((size_t)steps + 1), sizeof *m->state);
    m->now = calloc(bodies, sizeof *m->now);
    if (m->state && m->now)
        return m;
    truthMomentumClose(m);
    return NULL;
}

void truthMomentumClose(TruthMomentum *m)
{
    if (!m)
        return;
    free(m->state);
    free(m->now);
    free(m);
}

static State *stateOf(const TruthMomentum *m, int step, int body)
{
    return &m->state[(size_t)step * (size_t)m->scene->bodyCount + (size_t)body];
}

static double massOf(dBodyID body)
{
    dMass mass;
    dBodyGetMass(body, &mass);
    return mass.mass;
}

static void readMomenta(TruthMomentum *m)
{
    for (int i = 0; i < m->scene->bodyCount; i++) {
        const dBodyID body = m->scene->body[i];
        State *state = stateOf(m, m->count, i);
        for (int k = 0; k < 3; k++) {
            state->momentum[k] = massOf(body) * dBodyGetLinearVel(body)[k];
            state->size[k] = fmax(state->size[k], fabs(state->momentum[k]) + fabs(state->impulse[k]));
        }
    }
}

void truthMomentumBefore(TruthMomentum *m)
{
    dVector3 gravity;
    dWorldGetGravity(m->scene->world, gravity);
    if (!m->count)
        readMomenta(m);
    for (int i = 0; i < m->scene->bodyCount; i++) {
        const dBodyID body = m->scene->body[i];
        for (int k = 0; k < 3; k++)
            m->now[i][k] = dBodyGetForce(body)[k] + (dBodyGetGravityMode(body) ? massOf(body) * gravity[k] : 0);
    }
}

/* Whether the joint acts on the body, and by which side. */
static bool isOn(const ksReaction *r, dBodyID body, int *side)
{
    *side = r->body[0] != body;
    return r->body[*side] == body;
}

void truthMomentumAfter(TruthMomentum *m, double h)
{
    size_t count;
    const ksReaction *r = ksInspectorGetReactions(m->inspector, &count);
    for (int i = 0; i < m->scene->bodyCount; i++) {
        const State *last = stateOf(m, m->count, i);
        State *state = stateOf(m, m->count + 1, i);
        int side;
        for (size_t j = 0; j < count; j++)
            for (int k = 0; k < 3 && r[j].type == dJointTypeContact && isOn(&r[j], m->scene->body[i], &side); k++)
                m->now[i][k] += r[j].verdict == KS_NOT_SOLVED ? 0 : r[j].engine[side].force[k];
        for (int k = 0; k < 3; k++) {
            state->impulse[k] = last->impulse[k] + h * m->now[i][k];
            state->size[k] = last->size[k];
        }
    }
    m->h = h;
    m->count++;
    readMomenta(m);
}

/* Sums over all joints of a body: their forces, magnitudes and bars. */
typedef struct Sum {
    double force[3], size[3], bar[3];
} Sum;

static void addForce(Sum *sum, const double force[3], const double bar[3])
{
    for (int k = 0; k < 3; k++) {
        sum->force[k] += force[k];
        sum->size[k] += fabs(force[k]);
        sum->bar[k] += bar[k];
    }
}

/* Compares with the momentum from the step `first` on; a NaN component is unknown. */
static void compare(const TruthMomentum *m, int body, const Sum *sum, int first, double time, Tally *tally)
{
    const State *begin = stateOf(m, first, body), *end = stateOf(m, m->count, body);
    const double rounding = 4 * DBL_EPSILON * (m->count - first);  // of velocities, step by step, and of these sums
    double load = 0, others = 0;  // the joints of a freely falling body have almost no load
    for (int k = 0; k < 3; k++) {
        load += isnan(sum->size[k]) ? 0 : sum->size[k];
        others += fabs(end->impulse[k] - begin->impulse[k]) / time;
    }
    for (int k = 0; k < 3; k++) {
        const double change = end->momentum[k] - begin->momentum[k] - (end->impulse[k] - begin->impulse[k]);
        const double off = fabs(sum->force[k] - change / time);
        if (isnan(off) || isnan(sum->bar[k]))
            continue;
        tally->all++;
        tally->outside += off > sum->bar[k] + rounding * (end->size[k] / time + load);
        tally->worst = fmax(tally->worst, off / (load + others));
    }
}

/* Adds observed multipliers' bars to all components. */
static void addObserved(Sum *sum, const ksReaction *r, int side)
{
    double bar[3] = {0};
    for (int l = 0; l < r->rowCount; l++)
        for (int k = 0; k < 3; k++)
            bar[k] += r->row[l].observedBar * fabs(r->row[l].jacobian[side][k]);
    addForce(sum, r->observed[side].force, bar);
}

void truthMomentumCompare(TruthMomentum *m, int first, double time)
{
    const double sameTime = 1e-9 * time;
    for (int i = 0; i < m->scene->bodyCount; i++) {
        Sum mean = {{0}, {0}, {0}}, observed = {{0}, {0}, {0}};
        bool isWhole = first >= 0, isSolved = true;
        for (int j = 0, side; j < m->scene->jointCount; j++) {
            const ksReaction *r = ksInspectorGetReaction(m->inspector, m->scene->joint[j]);
            if (!r || !isOn(r, m->scene->body[i], &side))
                continue;
            isWhole &= fabs(r->meanTime - time) <= sameTime;
            isSolved &= r->verdict != KS_NOT_SOLVED;
            addForce(&mean, r->mean[side].force, r->meanBar.force);
            addObserved(&observed, r, side);
        }
        if (dBodyIsKinematic(m->scene->body[i]))
            continue;
        if (isWhole && mean.size[0] + mean.size[1] + mean.size[2] != 0)
            compare(m, i, &mean, first, time, &m->mean);
        if (isSolved && observed.size[0] + observed.size[1] + observed.size[2] != 0)
            compare(m, i, &observed, m->count - 1, m->h, &m->observed);
    }
}

static double shareOf(const Tally *tally)
{
    return tally->all ? (double)tally->outside / (double)tally->all : NAN;
}

void truthMomentumFigures(const TruthMomentum *m, double figure[MEANS_FIGURES])
{
    figure[MEANS_MOMENTUM] = m->mean.all ? m->mean.worst : NAN;
    figure[MEANS_MOMENTUM_OUTSIDE] = shareOf(&m->mean);
    figure[MEANS_MOMENTUM_COUNT] = (double)m->mean.all;
    figure[MEANS_OBSERVED] = m->observed.all ? m->observed.worst : NAN;
    figure[MEANS_OBSERVED_OUTSIDE] = shareOf(&m->observed);
}

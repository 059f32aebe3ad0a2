/* history.c  Rings of forces, which go with their joints. */
#include "history.h"

#include "forces.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ksiHistoryFree(ksiForceHistory *history)
{
    for (size_t i = 0; i < history->count; i++)
        free(history->track[i].moment);
    free(history->track);
    history->track = NULL;
    history->count = 0;
    history->steps = 0;
}

/* Takes the track of a joint out of the old ones; from where the last one was, since the order is mostly the same. */
static bool takeTrack(ksiTrack *old, size_t count, size_t *from, const ksReaction *reaction, ksiTrack *out)
{
    for (size_t n = 0; n < count; n++) {
        size_t i = (*from + n) % count;
        if (old[i].moment && old[i].joint == reaction->joint && old[i].type == reaction->type) {
            *out = old[i];
            old[i].moment = NULL;
            *from = i + 1;
            return true;
        }
    }
    return false;
}

static bool makeTrack(const ksReaction *reaction, ksiTrack *out)
{
    out->joint = reaction->joint;
    out->type = reaction->type;
    out->moment = malloc(KSI_STEPS * sizeof *out->moment);
    for (size_t i = 0; out->moment && i < KSI_STEPS; i++)
        out->moment[i] = (ksiForceSample){.force = {NAN, NAN, NAN}};
    return out->moment != NULL;
}

static void record(ksiTrack *track, size_t place, const ksReaction *reaction)
{
    const ksWrench *wrench[] = {&reaction->engine[0], &reaction->converged[0], &reaction->physical[0]};
    bool isSolved = reaction->verdict != KS_NOT_SOLVED;
    ksiForceSample *moment = &track->moment[place];
    for (int value = 0; value <= KS_PHYSICAL; value++)
        moment->force[value] = isSolved ? (float)ksiLength3(wrench[value]->force) : NAN;
    bool isTorqueUnique;
    ksiJointIsUnique(reaction, &moment->isUnique, &isTorqueUnique);
}

/* Joints of one type, in the order of creation. */
static void number(ksiTrack *track, size_t count)
{
    enum { TYPES = 32 };
    int seen[TYPES] = {0};
    for (size_t i = 0; i < count; i++)
        track[i].number = ++seen[(unsigned)track[i].type % TYPES];
}

bool ksiHistoryAdd(ksiForceHistory *history, const ksInspector *inspector)
{
    size_t reactionCount = 0, joints = 0, from = 0;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &reactionCount);
    const ksStepReport *report = ksInspectorGetStepReport(inspector);
    size_t place = history->steps % KSI_STEPS;
    for (size_t i = 0; i < reactionCount; i++)
        joints += reaction[i].type != dJointTypeContact;
    joints = joints < KSI_TRACKS ? joints : KSI_TRACKS;

    ksiTrack *track = calloc(joints + 1, sizeof *track), *old = history->track;
    size_t made = 0;
    bool isWhole = track != NULL;
    // the world's list has the newest first
    for (size_t i = reactionCount; isWhole && i-- > 0 && made < joints;) {
        if (reaction[i].type == dJointTypeContact)
            continue;
        if (takeTrack(old, history->count, &from, &reaction[i], &track[made]) || makeTrack(&reaction[i], &track[made]))
            record(&track[made++], place, &reaction[i]);
        else
            isWhole = false;
    }
    for (size_t i = 0; i < history->count; i++)
        free(old[i].moment);
    free(old);
    history->track = track;
    history->count = made;
    if (!isWhole) {
        ksiHistoryFree(history);
        return false;
    }
    number(track, made);
    // as in the panel: when the step is over
    history->time[place] = history->begin + (report ? report->time + ksInspectorGetStepSize(inspector) : 0);
    history->steps++;
    if (!ksiHistoryFind(history, history->chosen))
        history->chosen = made > 0 ? track[0].joint : NULL;
    return true;
}

const ksiTrack *ksiHistoryFind(const ksiForceHistory *history, dJointID joint)
{
    for (size_t i = 0; i < history->count; i++)
        if (history->track[i].joint == joint)
            return &history->track[i];
    return NULL;
}

void ksiHistoryNext(ksiForceHistory *history)
{
    const ksiTrack *track = ksiHistoryFind(history, history->chosen);
    if (track)
        history->chosen = history->track[((size_t)(track - history->track) + 1) % history->count].joint;
}

void ksiHistoryName(const ksiForceHistory *history, const ksInspector *inspector, dJointID joint, char name[64])
{
    static const char *const type[] = {"joint",  "ball",  "hinge",  "slider", "contact", "universal",
                                       "hinge2", "fixed", "null",   "amotor", "lmotor",  "plane2d",
                                       "PR",     "PU",    "piston", "dball",  "dhinge",  "transmission"};
    const ksiTrack *track = ksiHistoryFind(history, joint);
    const char *given = ksInspectorGetName(inspector, joint);
    const ksReaction *reaction = ksInspectorGetReaction(inspector, joint);
    size_t kind = reaction ? (size_t)reaction->type : 0;
    const char *word = type[kind < sizeof type / sizeof *type ? kind : 0];
    if (given)
        snprintf(name, 64, "%.60s", given);
    else if (track)
        snprintf(name, 64, "%s %d", word, track->number);
    else
        snprintf(name, 64, "%s", word);
}

/* trace_step.c  Converts a step into lines of the trace tables. */
#include "../collect/measure.h"
#include "../files/joint_type.h"
#include "../files/text.h"
#include "trace.h"
#include "trace_tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_WAITING = 4096 };

static ksStatus failMemory(ksTrace *trace)
{
    snprintf(trace->words, sizeof trace->words, "out of memory: a step was not traced");
    return trace->failure = KS_ERROR_NO_MEMORY;
}

static bool isChosenStep(const ksTraceOptions *options, const ksiTraceStep *which)
{
    return which->step % options->every == 0 && which->time >= options->begin && which->time < options->end;
}

static bool isChosenJoint(const ksTraceOptions *options, const ksiIdentity *who)
{
    if (options->jointTypes && !((unsigned)who->type < KSI_TYPES && options->jointTypes >> who->type & 1u))
        return false;
    return ksiIsNamed(options->joints, who->name);
}

/* FNV-1a */
static uint64_t hash(const char *text)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 0x100000001b3u;
    return h;
}

/* Copies a name; cuts a long one between UTF-8 characters. */
static void copyName(char *name, const char *from)
{
    size_t length = strlen(from);
    if (length >= KSI_TRACED_NAME) {
        length = KSI_TRACED_NAME - 1;
        while (length > 0 && ((unsigned char)from[length] & 0xc0) == 0x80)
            length--;
    }
    memcpy(name, from, length);
}

/* Finds the joint's line in the table of joints, or adds it at the joint's first appearance. */
static bool findJoint(ksTrace *trace, ksiTraceWorld *world, const ksiIdentity *who, uint64_t *line)
{
    // names are unique; a renamed joint gets a new line
    const uint64_t key[2] = {hash(who->name), (uint64_t)who->type << 32 | (uint32_t)who->number};
    const uint64_t *known = ksiMapFind(&world->joints, key[0], key[1]);
    if (known) {
        *line = *known;
        return true;
    }
    *line = isChosenJoint(&trace->options, who) ? ksiNextLine(&world->lines[0]) : KSI_NOT_TRACED;
    if (!ksiMapPut(&trace->allocator, &world->joints, key[0], key[1], *line))
        return false;
    if (*line == KSI_NOT_TRACED)
        return true;
    ksiJointLine *joint = ksiAddLine(&world->lines[0]);
    if (!joint)
        return false;
    copyName(joint->name, who->name);
    snprintf(joint->type, sizeof joint->type, "%s", ksiTypeName(who->type));
    joint->number = who->number;
    joint->body[0] = who->body[0];
    joint->body[1] = who->body[1];
    return true;
}

static void copyWrench(double force[3], double torque[3], const ksWrench *wrench)
{
    memcpy(force, wrench->force, sizeof wrench->force);
    memcpy(torque, wrench->torque, sizeof wrench->torque);
}

/* If a body is the world, it has the identity rotation and no mass centre. first: index of the body
 * that comes first in the line. */
static void copyPose(ksiReactionLine *line, const ksReaction *r, int first)
{
    static const double turned[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double axes[9];
    for (int side = 0; side < 2; side++) {
        const int of = side ^ first;
        memcpy(line->anchor[side], r->anchor[of], sizeof line->anchor[side]);
        for (int i = 0; i < 3; i++)
            line->centre[side][i] = r->body[of] ? r->centre[of][i] : (double)NAN;
        ksiQuaternion(r->body[of] ? r->rotation[of] : turned, line->orientation[side]);
    }
    // axes are columns of the rotation from the joint to the world
    for (int i = 0; i < 9; i++)
        axes[i] = r->axes[3 * (i % 3) + i / 3];
    ksiQuaternion(axes, line->jointOrientation);
}

/* first: index of the body that comes first in the line. */
static bool addReaction(ksiLines *lines, const ksiTraceStep *which, const ksReaction *r, uint64_t joint, int first)
{
    static const ksWrench unknown = {{NAN, NAN, NAN}, {NAN, NAN, NAN}};
    const bool isShared = (r->reasons & KS_REASON_SHARED) != 0;
    ksiReactionLine *line = ksiAddLine(lines);
    if (!line)
        return false;
    line->step = (int64_t)which->step;
    line->time = which->time;
    line->joint = (int64_t)joint;
    line->verdict = r->verdict;
    line->reasons = (int64_t)r->reasons;
    line->error = r->error;
    line->errorBar = r->errorBar;
    line->physicalError = r->physicalError;
    line->physicalErrorBar = r->physicalErrorBar;
    for (int side = 0; side < 2; side++)
        line->netError[side] = r->netError[side ^ first];
    line->work = r->work;
    memcpy(line->gap, r->gap, sizeof line->gap);
    line->fudgeWork = r->fudgeWork;
    copyWrench(line->engineForce, line->engineTorque, &r->engine[first]);
    copyWrench(line->convergedForce, line->convergedTorque, &r->converged[first]);
    copyWrench(line->physicalForce, line->physicalTorque, &r->physical[first]);
    line->freeCount = r->freeCount;
    copyWrench(line->meanForce, line->meanTorque, &r->mean[first]);
    line->meanBarForce = ksiLength(r->meanBar.force);
    line->meanBarTorque = ksiLength(r->meanBar.torque);
    line->departureForce = ksiLength(r->departure.force);
    line->departureTorque = ksiLength(r->departure.torque);
    line->meanTime = r->meanTime;
    line->loadNoise = r->loadNoise;
    copyWrench(line->jointMeanForce, line->jointMeanTorque, &r->meanInJoint[first]);
    ksiMeasureBars(r, KS_PHYSICAL, &line->physicalBarForce, &line->physicalBarTorque);
    copyWrench(line->sharedForce, line->sharedTorque, isShared ? &r->shared[first] : &unknown);
    line->sharedBarForce = line->sharedBarTorque = NAN;
    if (isShared)
        ksiMeasureBars(r, KS_SHARED, &line->sharedBarForce, &line->sharedBarTorque);
    copyPose(line, r, first);
    return true;
}

/* Sides of the box with a body's mass and moments of inertia about its axes. 0: no mass. */
static void copyBox(const ksInspector *inspector, const ksReaction *r, int side, double box[3])
{
    double mass, inverse[9], inertia[9], moment[3] = {0};
    box[0] = box[1] = box[2] = 0;
    if (!ksInspectorGetMass(inspector, r->body[side], &mass, inverse) || isinf(mass))
        return;
    for (int i = 0; i < 3; i++)
        ksiCross(inertia + 3 * i, inverse + 3 * ((i + 1) % 3), inverse + 3 * ((i + 2) % 3));
    const double determinant = ksiDot(inverse, inertia);
    for (int k = 0; k < 3; k++) {
        const double axis[3] = {r->rotation[side][k], r->rotation[side][3 + k], r->rotation[side][6 + k]};
        for (int i = 0; i < 3; i++)
            moment[k] += axis[i] * ksiDot(inertia + 3 * i, axis) / determinant;
    }
    for (int i = 0; i < 3; i++)
        box[i] = sqrt(fmax(0, 6 * (moment[0] + moment[1] + moment[2] - 2 * moment[i]) / mass));
}

/* Adds the poses of the joint's bodies that have no line in this step yet and are finite. first:
 * the first line of this step. */
static bool addPoses(ksTrace *trace, ksiTraceWorld *world, const ksInspector *inspector, const ksiNaming *naming,
                     const ksiTraceStep *which, const ksReaction *r, uint64_t first)
{
    ksiLines *lines = &world->lines[trace->poses];
    for (int side = 0; side < 2; side++) {
        const uint64_t body = (uint64_t)ksiBodyNumber(naming, r->body[side]);
        const uint64_t *known = ksiMapFind(&world->bodies, body, 0);
        if (!body || (known && *known >= first))
            continue;
        ksiPoseLine pose = {.step = (int64_t)which->step, .body = (int64_t)body};
        memcpy(pose.place, r->centre[side], sizeof pose.place);
        ksiQuaternion(r->rotation[side], pose.orientation);
        copyBox(inspector, r, side, pose.box);
        if (!ksiAllFinite(pose.place, 3) || !ksiAllFinite(pose.orientation, 4) || !ksiAllFinite(pose.box, 3))
            continue;
        const uint64_t line = ksiNextLine(lines);
        ksiPoseLine *added = ksiAddLine(lines);
        if (!added || !ksiMapPut(&trace->allocator, &world->bodies, body, 0, line))
            return false;
        *added = pose;
    }
    return true;
}

static bool addMotors(ksiLines *lines, const ksiTraceStep *which, const ksReaction *r, uint64_t joint,
                      uint64_t reaction)
{
    for (int axis = 0; axis < 3; axis++) {
        const ksMotor *motor = &r->motor[axis];
        if (isnan(motor->target))
            continue;
        ksiMotorLine *line = ksiAddLine(lines);
        if (!line)
            return false;
        *line = (ksiMotorLine){.step = (int64_t)which->step,
                               .time = which->time,
                               .joint = (int64_t)joint,
                               .reaction = (int64_t)reaction,
                               .axis = axis,
                               .force = motor->force,
                               .speed = motor->speed,
                               .target = motor->target,
                               .power = motor->power,
                               .saturated = motor->saturated,
                               .atStop = motor->atStop,
                               .physical = motor->physical,
                               .physicalBar = motor->physicalBar,
                               .mean = motor->mean,
                               .meanBar = motor->meanBar};
    }
    return true;
}

static bool addPair(ksiLines *lines, const ksiTraceStep *which, const ksPair *pair, const ksMean *mean, int body,
                    uint64_t joint)
{
    ksiPairLine *line = ksiAddLine(lines);
    if (!line)
        return false;
    *line = (ksiPairLine){
        .step = (int64_t)which->step,
        .time = which->time,
        .joint = (int64_t)joint,
        .body = body,
        .window = pair->window,
        .meanTime = mean->time,
        .contactShare = mean->contactShare,
        .mean = mean->wrench,
        .meanBar = mean->bar,
        .deviation = mean->deviation,
        .friction = mean->friction,
        .frictionBar = mean->frictionBar,
        .frictionUse = mean->frictionUse,
        .frictionUseBar = mean->frictionUseBar,
        .physical = mean->physical,
        .physicalBar = mean->physicalBar,
        .physicalOpen = mean->physicalOpen,
        .physicalVerdict = mean->physicalVerdict,
        .physicalReasons = (int64_t)mean->physicalReasons,
    };
    memcpy(line->normal, mean->normal, sizeof line->normal);
    memcpy(line->centre, mean->centre, sizeof line->centre);
    memcpy(line->centreBar, mean->centreBar, sizeof line->centreBar);
    return true;
}

static bool addPairs(ksTrace *trace, ksiTraceWorld *world, const ksInspector *inspector, const ksiNaming *naming,
                     const ksiTraceStep *which)
{
    for (ksPair pair = {0}; ksInspectorGetNextPair(inspector, pair.subscription, &pair);) {
        const ksiIdentity *who = ksiIdentifyPair(naming, pair.a, pair.b);
        ksMean mean;
        uint64_t joint;
        if (!who || ksInspectorGetMean(inspector, pair.subscription, &mean))
            continue;
        if (!findJoint(trace, world, who, &joint))
            return false;
        if (joint != KSI_NOT_TRACED &&
            !addPair(&world->lines[trace->pairs], which, &pair, &mean, ksiBodyNumber(naming, pair.a), joint))
            return false;
    }
    return true;
}

static bool addRows(ksiLines *lines, const ksiTraceStep *which, const ksReaction *r, uint64_t joint, uint64_t reaction)
{
    for (int i = 0; i < r->rowCount; i++) {
        const ksRow *row = &r->row[i];
        ksiRowLine *line = ksiAddLine(lines);
        if (!line)
            return false;
        *line = (ksiRowLine){
            .step = (int64_t)which->step,
            .time = which->time,
            .joint = (int64_t)joint,
            .reaction = (int64_t)reaction,
            .row = i,
            .kind = row->kind,
            .place = row->place,
            .determinate = row->determinate,
            .findex = row->findex,
            .c = row->c,
            .cfm = row->cfm,
            .lo = row->lo,
            .hi = row->hi,
            .bound = row->bound,
            .engine = row->engine,
            .gauss = row->gauss,
            .paulus = row->paulus,
            .physical = row->physical,
            .errorBar = row->errorBar,
            .physicalBar = row->physicalBar,
            .residual = row->residual,
            .work = row->work,
            .unsolved = row->unsolved,
            .alone = row->alone,
            .adopted = row->adopted,
            .observed = row->observed,
            .observedBar = row->observedBar,
            .shared = row->shared,
            .sharedBar = row->sharedBar,
        };
    }
    return true;
}

static bool addStep(ksiLines *lines, const ksiTraceStep *which, const ksStepReport *report, double stepSize,
                    const ksiStepLine *found)
{
    ksiStepLine *line = ksiAddLine(lines);
    if (!line)
        return false;
    *line = *found;
    line->step = (int64_t)which->step;
    line->time = which->time;
    line->stepper = report->stepper;
    line->inspected = report->inspected;
    line->reactionCount = (int64_t)report->reactionCount;
    for (int i = 0; i < KSI_TRACED_VERDICTS; i++)
        line->verdictCount[i] = (int64_t)report->verdictCount[i];
    line->worstError = report->worstError;
    line->gaussConstraint = report->gaussConstraint;
    line->unexplained = report->unexplained;
    line->solverError = report->solverError;
    line->gap = report->gap;
    line->momentumResidual = report->momentumResidual;
    line->rowCount = (int64_t)report->rowCount;
    line->rank = (int64_t)report->rank;
    line->islandCount = (int64_t)report->islandCount;
    memcpy(line->kineticEnergy, report->kineticEnergy, sizeof line->kineticEnergy);
    line->potentialChange = report->potentialChange;
    line->rowWork = report->rowWork;
    line->forceWork = report->forceWork;
    line->gravityDiscretisation = report->gravityDiscretisation;
    line->dampingWork = report->dampingWork;
    memcpy(line->worldEnergy, report->worldEnergy, sizeof line->worldEnergy);
    memcpy(line->energyOf, report->energyOf, sizeof line->energyOf);
    line->worstEstimate = report->worstEstimate;
    line->worstUnsolved = report->worstUnsolved;
    line->fallbackRowCount = (int64_t)report->fallbackRowCount;
    line->fallbackReasons = (int64_t)report->fallbackReasons;
    memcpy(line->seconds, report->seconds, sizeof line->seconds);
    line->stepSize = stepSize;
    return true;
}

static bool addLines(ksTrace *trace, ksiTraceWorld *world, const ksInspector *inspector, const ksiNaming *naming,
                     const ksStepReport *report, const ksiTraceStep *which)
{
    ksiLines *rows = trace->rows < 0 ? NULL : &world->lines[trace->rows];
    ksiLines *reactions = &world->lines[trace->reactions], *motors = &world->lines[trace->motors],
             *pairs = &world->lines[trace->pairs];
    ksiStepLine found = {
        .worstJoint = -1,
        .firstMotor = (int64_t)ksiNextLine(motors),
        .firstPair = (int64_t)ksiNextLine(pairs),
        .firstRow = rows ? (int64_t)ksiNextLine(rows) : 0,
        .first = (int64_t)ksiNextLine(reactions),
    };
    const uint64_t firstPose = trace->poses < 0 ? 0 : ksiNextLine(&world->lines[trace->poses]);
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    for (size_t i = 0; i < count; i++) {
        const ksReaction *r = &reaction[i];
        const ksiIdentity *who = ksiIdentify(naming, r);
        uint64_t joint;
        if (!who)
            continue;
        if (!findJoint(trace, world, who, &joint))
            return false;
        if (joint == KSI_NOT_TRACED)
            continue;
        if (report->worstJoint && r->joint == report->worstJoint)
            found.worstJoint = (int64_t)joint;
        if (rows && !addRows(rows, which, r, joint, ksiNextLine(reactions)))
            return false;
        if (trace->poses >= 0 && !addPoses(trace, world, inspector, naming, which, r, firstPose))
            return false;
        if (!addMotors(motors, which, r, joint, ksiNextLine(reactions)))
            return false;
        // all contacts of two bodies are one joint, in either order of the bodies
        const int first = ksiBodyNumber(naming, r->body[0]) != who->body[0];
        if (!addReaction(reactions, which, r, joint, first))
            return false;
    }
    if (!addPairs(trace, world, inspector, naming, which))
        return false;
    found.count = (int64_t)ksiNextLine(reactions) - found.first;
    found.pairLines = (int64_t)ksiNextLine(pairs) - found.firstPair;
    found.motorLines = (int64_t)ksiNextLine(motors) - found.firstMotor;
    found.rowLines = rows ? (int64_t)ksiNextLine(rows) - found.firstRow : 0;
    return addStep(&world->lines[trace->steps], which, report, ksInspectorGetStepSize(inspector), &found);
}

static bool isTimeToWrite(ksTrace *trace, const ksiTraceWorld *world)
{
    for (int t = 0; t < world->tableCount; t++) {
        size_t waiting;
        ksiWaitingLines(&world->lines[t], &waiting);
        if (waiting >= MOST_WAITING)
            return true;
        if (t == trace->steps && trace->options.flushSteps && waiting >= trace->options.flushSteps)
            return true;
    }
    return ksiTraceClock() - trace->lastFlush >= trace->options.flushSeconds;
}

ksStatus ksiTraceCollect(ksTrace *trace, int world, const ksInspector *inspector, const ksiNaming *naming,
                         const ksiTraceStep *which)
{
    const ksStepReport *report = ksInspectorGetStepReport(inspector);
    ksiTraceWorld *into = trace->world[world];
    if (!report || trace->failure != KS_OK)
        return trace->failure;
    const ksiTraceStep own = {report->step, report->time};
    which = which ? which : &own;
    if (!isChosenStep(&trace->options, which))
        return KS_OK;
    if (!addLines(trace, into, inspector, naming, report, which))
        return failMemory(trace);
    if (!isTimeToWrite(trace, into))
        return KS_OK;
    return ksiTraceWrite(trace);
}

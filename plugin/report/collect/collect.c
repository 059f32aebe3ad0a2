/* collect.c  Adds a step to a report. */
#include "collect.h"

#include "../../base/duration.h"
#include "measure.h"
#include "metrics.h"
#include "motor_conflicts.h"
#include "pairs.h"

#include <math.h>

void ksiStepInfoRead(const ksInspector *inspector, ksiStepInfo *info)
{
    const ksStepReport *step = ksInspectorGetStepReport(inspector);
    const dWorldID world = ksInspectorGetWorld(inspector);
    *info = (ksiStepInfo){.step = step ? step->step : 0,
                          .time = step ? step->time : 0,
                          .stepSize = ksInspectorGetStepSize(inspector),
                          .stepper = step ? step->stepper : KS_WORLD_STEP,
                          .iterations = dWorldGetQuickStepNumIterations(world),
                          .erp = dWorldGetERP(world),
                          .cfm = dWorldGetCFM(world)};
}

static void fillMoment(const ksReaction *reaction, const ksiStepInfo *info, double value, double bar, ksiMoment *moment)
{
    *moment =
        (ksiMoment){.isKnown = true, .step = info->step, .time = info->time, .value = value, .bar = bar, .load = 1};
    for (int i = 0; i < KSI_VALUES; i++)
        moment->isAtAnchor = ksiMeasureWrench(reaction, (ksValue)i, moment->wrench[i]);
}

/* Magnitudes of force and torque for each value, and their bars; NaN: unknown. */
typedef struct Sizes {
    double size[KSI_SIZES][KSI_LOADS], bar[KSI_SIZES][KSI_VALUES], meanBar[KSI_SIZES];
} Sizes;

/* A mean is unknown until its window is complete. */
static void measureMean(const ksInspector *inspector, const ksReaction *reaction, Sizes *out)
{
    const bool isWhole = ksiFills(reaction->meanTime, ksInspectorGetOptions(inspector)->meanWindow);
    for (int i = 0; i < KSI_SIZES; i++) {
        double *size = out->size[i];
        size[KSI_OF_MEAN] = isWhole ? ksiLength(i ? reaction->mean[0].torque : reaction->mean[0].force) : NAN;
        size[KSI_OF_DEPARTURE] = isWhole ? ksiLength(i ? reaction->departure.torque : reaction->departure.force) : NAN;
        out->meanBar[i] = ksiLength(i ? reaction->meanBar.torque : reaction->meanBar.force);
    }
}

static void measure(const ksInspector *inspector, const ksReaction *reaction, bool isForeign, Sizes *out)
{
    static const ksValue value[KSI_OF_MEAN] = {KS_ENGINE, KS_CONVERGED, KS_PHYSICAL, KS_OBSERVED, KS_SHARED};
    double wrench[6];
    measureMean(inspector, reaction, out);
    for (int i = 0; i < KSI_OF_MEAN; i++) {
        const bool isMeant = i == KSI_OF_MOTION ? isForeign : i != KSI_OF_ELASTIC || reaction->freeCount > 0;
        if (isMeant)
            ksiMeasureWrench(reaction, value[i], wrench);
        out->size[KSI_FORCE][i] = isMeant ? ksiLength(wrench) : NAN;
        out->size[KSI_TORQUE][i] = isMeant ? ksiLength(wrench + 3) : NAN;
    }
    for (int i = 0; i < KSI_VALUES; i++)
        ksiMeasureBars(reaction, value[i], &out->bar[KSI_FORCE][i], &out->bar[KSI_TORQUE][i]);
}

/* The larger of two forces or, if neither force is above 0, of two torques; ignores NaN. */
static double larger(double force, double otherForce, double torque, double otherTorque)
{
    const double largest = fmax(force, otherForce), load = largest > 0 ? largest : fmax(torque, otherTorque);
    return isfinite(load) ? load : 0;
}

/* A step's KSI_SOLVER or KSI_MODEL error; NaN: unknown. The model error is 0 within its bar, and
 * unknown without a bar. */
static double errorIn(const ksReaction *reaction, int which)
{
    if (which == KSI_SOLVER)
        return reaction->error;
    return isfinite(reaction->physicalErrorBar)
               ? reaction->physicalError - fmin(reaction->physicalError, reaction->physicalErrorBar)
               : NAN;
}

/* Adds an error to the joint's histogram, and keeps the step with the largest product of error and
 * load. */
static bool addError(const ksAllocator *allocator, const ksReaction *reaction, const ksiStepInfo *info,
                     const Sizes *sizes, int which, ksiJointStats *joint)
{
    const double error = errorIn(reaction, which);
    const double bar = which == KSI_SOLVER ? reaction->errorBar : reaction->physicalErrorBar;
    const int reference = which == KSI_SOLVER ? KSI_OF_SOLUTION : KSI_OF_MECHANISM;
    const double *force = sizes->size[KSI_FORCE], *torque = sizes->size[KSI_TORQUE];
    ksiErrorStats *stats = &joint->error[which];
    ksiMoment moment;
    if (!isfinite(error))
        return true;
    const double load = larger(force[KSI_OF_ENGINE], force[reference], torque[KSI_OF_ENGINE], torque[reference]);
    if (!stats->worst.isKnown || error * load >= stats->worst.value * stats->worst.load) {
        fillMoment(reaction, info, error, bar, &moment);
        moment.load = load;
        ksiMomentNote(&stats->worst, &moment);
    }
    return ksiHistogramAdd(allocator, &stats->size, error);
}

static void fillBucket(const ksReaction *reaction, const Sizes *sizes, ksiJointBucket *bucket)
{
    bucket->count++;
    for (int i = 0; i < KSI_SIZES; i++)
        for (int k = 0; k < KSI_VALUES; k++) {
            ksiRangeNote(&bucket->size[i][k], sizes->size[i][k]);
            ksiRangeNote(&bucket->bar[i][k], sizes->bar[i][k]);
        }
    for (int i = 0; i < KSI_ERRORS; i++)
        ksiRangeNote(&bucket->error[i], errorIn(reaction, i));
}

static bool addSize(const ksAllocator *allocator, ksiHistogram *histogram, double size)
{
    return !isfinite(size) || ksiHistogramAdd(allocator, histogram, size);
}

static bool addLoads(const ksAllocator *allocator, const Sizes *sizes, ksiJointStats *joint)
{
    bool isWhole = true;
    for (int i = 0; i < KSI_SIZES; i++)
        for (int k = 0; k < KSI_LOADS && isWhole; k++)
            isWhole = addSize(allocator, &joint->load[i][k], sizes->size[i][k]);
    return isWhole;
}

/* Does the reported force explain the motion? In a step of another engine the observed force may
 * explain it instead. */
static bool isExplained(const ksReaction *reaction, bool isForeign)
{
    return reaction->verdict != KS_UNEXPLAINED ||
           (isForeign && !(reaction->reasons & KS_REASON_MOTION) && isfinite(reaction->error));
}

static void addUnknown(const ksReaction *reaction, bool isForeign, ksiJointStats *joint)
{
    const bool isSolved = reaction->verdict != KS_NOT_SOLVED, isOpen = reaction->verdict == KS_INDETERMINATE;
    const bool isUnjudged = reaction->verdict == KS_UNCHECKED || reaction->reasons & KS_REASON_NOT_REPORTED;
    joint->unexplained += !isExplained(reaction, isForeign);
    for (int i = 0; i < KSI_ERRORS; i++)
        joint->unknown[i] += isUnjudged || (isSolved && !isOpen && isnan(errorIn(reaction, i)));
}

/* Notes the physical force as a peak. Thresholds see only a unique force, in a step that was
 * checked and whose motion is explained. A force that is not unique may have any magnitude.
 * undetermined: ksiMeasureUndetermined */
static void addPeaks(const ksReaction *reaction, const ksiStepInfo *info, const Sizes *sizes, unsigned undetermined,
                     ksiJointStats *joint)
{
    const bool isKnown = reaction->verdict != KS_UNCHECKED && isExplained(reaction, info->stepper == KS_FOREIGN_STEP);
    static const unsigned components[KSI_SIZES] = {7u, 7u << 3};
    for (int i = 0; i < KSI_SIZES; i++) {
        const double size = sizes->size[i][KSI_OF_MECHANISM], bar = sizes->bar[i][KSI_OF_MECHANISM];
        const ksiReach reach = {true, info->step, info->time, size, bar};
        if (isKnown && isfinite(size) && isfinite(bar) && !(undetermined & components[i]))
            ksiBorneNote(&joint->borne[KSI_IN_STEPS][i], &reach);
        else
            joint->borne[KSI_IN_STEPS][i].untold += reaction->verdict != KS_NOT_SOLVED;
        if (!isfinite(size) || (joint->peak[i].isKnown && size < joint->peak[i].value))
            continue;
        ksiMoment moment;
        fillMoment(reaction, info, size, bar, &moment);
        ksiMomentNote(&joint->peak[i], &moment);
    }
}

static void addMeans(const ksiStepInfo *info, const Sizes *sizes, ksiJointStats *joint)
{
    for (int i = 0; i < KSI_SIZES; i++) {
        const ksiReach reach = {true, info->step, info->time, sizes->size[i][KSI_OF_MEAN], sizes->meanBar[i]};
        if (isfinite(reach.value) && isfinite(reach.bar))
            ksiBorneNote(&joint->borne[KSI_IN_WINDOWS][i], &reach);
        else
            joint->borne[KSI_IN_WINDOWS][i].untold += isfinite(reach.value) ? 1 : 0;
    }
}

static void addBits(uint64_t bits, uint64_t *count, int most)
{
    for (int i = 0; i < most; i++)
        count[i] += bits >> i & 1;
}

static bool addJoint(ksReport *report, ksiWorldStats *world, const ksInspector *inspector, const ksiStepInfo *info,
                     const ksReaction *reaction, const ksiIdentity *identity)
{
    const ksAllocator *allocator = &report->allocator;
    if (identity->number > KSI_MOST_NUMBER) {
        world->tooMany++;
        return true;
    }
    const size_t known = world->jointCount;
    ksiJointStats *joint = ksiJointMake(allocator, world, identity->type, identity->number, identity->body);
    if (!joint || !ksiRename(allocator, joint, identity->given, info->step))
        return false;
    if (world->jointCount != known)
        ksiFitTimelines(world, world->firstStep, world->lastStep);
    if (joint->steps == 0 || info->step < joint->firstStep)
        joint->firstStep = info->step;
    joint->steps++;
    joint->verdict[reaction->verdict]++;
    addBits(reaction->reasons, joint->reason, KSI_REASONS);
    addUnknown(reaction, info->stepper == KS_FOREIGN_STEP, joint);
    ksiJointBucket *bucket = ksiTimelineAt(allocator, &joint->timeline, info->step);
    Sizes sizes;
    measure(inspector, reaction, info->stepper == KS_FOREIGN_STEP, &sizes);
    if (!bucket || !addLoads(allocator, &sizes, joint))
        return false;
    fillBucket(reaction, &sizes, bucket);
    const unsigned undetermined = ksiMeasureUndetermined(reaction);
    addPeaks(reaction, info, &sizes, undetermined, joint);
    addMeans(info, &sizes, joint);
    if (reaction->freeCount > joint->undetermined.mostDirections)
        joint->undetermined.mostDirections = reaction->freeCount;
    addBits(undetermined, joint->undetermined.steps, KSI_COMPONENTS);
    ksiCompliance compliance = {0};
    ksiMeasureCompliance(inspector, reaction, info->stepSize, info->cfm, &compliance);
    ksiComplianceNote(&joint->compliance, &compliance);
    ksiGapsAdd(joint, inspector, reaction, info);
    joint->massRatio = fmax(joint->massRatio, ksiMeasureMassRatio(inspector, reaction));
    bool isWhole = ksiMotorsAdd(allocator, joint->motor, inspector, reaction, info->stepSize);
    for (int i = 0; i < KSI_ERRORS; i++)
        isWhole = isWhole && addError(allocator, reaction, info, &sizes, i, joint);
    return isWhole;
}

/* Adds the net error of each body once: all of its joints show the same one. */
static bool addNetErrors(ksReport *report, ksiHistogram *histogram, ksiMoment *worst, const ksReaction *reaction,
                         const ksiStepInfo *info, const ksiNaming *naming)
{
    for (int side = 0; side < 2; side++) {
        const double error = reaction->netError[side];
        const uint64_t key = (uint64_t)(uintptr_t)reaction->body[side];
        if (!reaction->body[side] || !isfinite(error) || ksiMapFind(&report->metBodies, key, 0))
            continue;
        if (!ksiMapPut(&report->allocator, &report->metBodies, key, 0, 0) ||
            !ksiHistogramAdd(&report->allocator, histogram, error))
            return false;
        if (!worst || (worst->isKnown && error < worst->value))
            continue;
        ksiMoment moment = {
            .isKnown = true, .step = info->step, .time = info->time, .value = error, .bar = NAN, .load = 1};
        moment.body[0] = ksiBodyNumber(naming, reaction->body[side]);
        ksiMomentNote(worst, &moment);
    }
    return true;
}

static bool addContact(ksReport *report, ksiContactStats *contacts, const ksReaction *reaction, const ksiStepInfo *info,
                       const ksiIdentity *identity)
{
    contacts->count++;
    contacts->verdict[reaction->verdict]++;
    addBits(reaction->reasons, contacts->reason, KSI_REASONS);
    if (!isfinite(reaction->error))
        return true;
    ksiMoment moment;
    fillMoment(reaction, info, reaction->error, reaction->errorBar, &moment);
    const double *engine = moment.wrench[KS_ENGINE], *converged = moment.wrench[KS_CONVERGED];
    moment.load = larger(ksiLength(engine), ksiLength(converged), ksiLength(engine + 3), ksiLength(converged + 3));
    moment.body[0] = identity->body[0];
    moment.body[1] = identity->body[1];
    ksiMomentNote(&contacts->error.worst, &moment);
    return ksiHistogramAdd(&report->allocator, &contacts->error.size, reaction->error);
}

static bool addReactions(ksReport *report, ksiWorldStats *world, const ksInspector *inspector, const ksiNaming *naming,
                         const ksiStepInfo *info)
{
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    ksiWorldBucket *bucket = ksiTimelineAt(&report->allocator, &world->timeline, info->step);
    bool isWhole = bucket != NULL;
    ksiMapClear(&report->metBodies);
    if (bucket) {
        bucket->begin = bucket->steps == 0 || info->time < bucket->begin ? info->time : bucket->begin;
        bucket->steps++;
    }
    const uint64_t before = world->contacts.count;
    // oldest joint first
    for (size_t i = count; i-- > 0;) {
        const ksiIdentity *identity = ksiIdentify(naming, &reaction[i]);
        isWhole &= identity != NULL;
        if (!identity)
            continue;
        if (!ksiIsSelected(&report->options, identity)) {
            isWhole &= reaction[i].type == dJointTypeContact ||
                       ksiExcludedJointsAdd(&report->allocator, &world->excluded, identity->name);
            continue;
        }
        if (bucket)
            bucket->verdict[reaction[i].verdict]++;
        if (reaction[i].type == dJointTypeContact) {
            isWhole &= addContact(report, &world->contacts, &reaction[i], info, identity);
            for (int side = 0; side < 2; side++)
                isWhole &=
                    ksiContactSharesAdd(&report->allocator, &world->contactShares, identity->body[side], info->step);
            if (reaction[i].reasons & KS_REASON_FLICKER)
                isWhole &= ksiFlickersAdd(&report->allocator, &world->flickers, identity->body, info->step);
        } else {
            world->verdict[reaction[i].verdict]++;
            isWhole &= addJoint(report, world, inspector, info, &reaction[i], identity);
        }
        isWhole &= addNetErrors(report, &world->net.size, &world->net.worst, &reaction[i], info, naming);
    }
    world->contacts.steps += world->contacts.count > before;
    return ksiMotorConflictsAdd(&report->allocator, &report->jointBodies, world, inspector, naming) && isWhole;
}

static bool addUsed(const ksAllocator *allocator, ksiWorldStats *world, int iterations)
{
    ksiUsedIterations *used = ksiEntryMake(allocator, &ksiUsedMetrics, &world->used, iterations);
    if (used)
        used->steps++;
    return used != NULL;
}

static bool addStep(ksReport *report, ksiWorldStats *world, const ksInspector *inspector, const ksiNaming *naming,
                    const ksiStepInfo *info)
{
    const bool isFirst = world->inspected == 0;
    const ksStepReport *made = ksInspectorGetStepReport(inspector);
    if (isFirst || info->step < world->firstStep) {
        world->firstStep = info->step;
        world->firstTime = info->time;
        world->energy.begin = made->worldEnergy[0] - made->energyOf[KS_ENERGY_SET];
    }
    if (isFirst || info->step >= world->lastStep) {
        world->lastStep = info->step;
        world->lastTime = info->time + info->stepSize;
        world->energy.end = made->worldEnergy[1];
        world->erp = info->stepper == KS_FOREIGN_STEP ? NAN : info->erp;
        world->cfm = info->stepper == KS_FOREIGN_STEP ? NAN : info->cfm;
    }
    if (isFirst || info->stepSize < world->leastStepSize)
        world->leastStepSize = info->stepSize;
    world->inspected++;
    world->meanWindow = ksInspectorGetOptions(inspector)->meanWindow;
    world->stepper[info->stepper]++;
    world->estimatedSteps += made->estimatedBodyCount > 0;
    ksiEnergyAdd(&world->energy, made);
    ksiFitTimelines(world, world->firstStep, world->lastStep);
    bool isWhole = ksiHistogramAdd(&report->allocator, &world->stepSize, info->stepSize);
    if (info->stepper == KS_QUICK_STEP || info->stepper == KS_EXACT_STEP)
        isWhole &= addUsed(&report->allocator, world, info->iterations);
    isWhole &= addReactions(report, world, inspector, naming, info);
    isWhole &= ksiPairsAdd(&report->allocator, &world->pairs, inspector, naming, info, &report->options);
    return isWhole;
}

ksStatus ksiReportAddWorld(ksReport *report, const char *name, size_t *world)
{
    if (!ksiWorldMake(report, name))
        return KS_ERROR_NO_MEMORY;
    *world = report->worldCount - 1;
    return KS_OK;
}

void ksiReportPlaceWorld(ksReport *report, size_t world, size_t run, uint64_t place)
{
    report->world[world]->run = run;
    report->world[world]->place = place;
}

/* Adds an animation frame; omits it if memory is short. */
static void addFrame(ksReport *report, size_t index, const ksInspector *inspector, const ksiNaming *naming,
                     const ksiStepInfo *info)
{
    ksiShownMotion *motion = &report->world[index]->motion;
    const double rate = report->options.frameRate;
    const size_t room = ksiMotionRoom(report, index);
    const ksiScene *scene = info->scene;
    if (room == 0 || (!scene && !info->record) || !ksiMotionWants(motion, rate, info->step, info->time))
        return;
    if (!scene && ksiSceneOfRecord(&report->allocator, info->record, &report->scene))
        scene = &report->scene;
    if (scene)
        ksiMotionAdd(&report->allocator, motion, rate, room, inspector, naming, info, scene);
}

ksStatus ksiReportAddStep(ksReport *report, size_t index, const ksInspector *inspector, const ksiNaming *naming,
                          const ksiStepInfo *info)
{
    ksiWorldStats *world = ksiWorldAt(report, index);
    const ksStepReport *step = ksInspectorGetStepReport(inspector);
    ksiStepInfo own;
    if (!info) {
        ksiStepInfoRead(inspector, &own);
        info = &own;
    }
    world->seen++;
    ksiMotionAddMeshes(&report->allocator, &report->world[index]->motion, ksiMotionRoom(report, index), info);
    if (!step || !step->inspected || !(info->time >= report->options.from) || !(info->time < report->options.to)) {
        world->leftOut++;
        return KS_OK;
    }
    addFrame(report, index, inspector, naming, info);
    return addStep(report, world, inspector, naming, info) ? KS_OK : (world->leftOut++, KS_ERROR_NO_MEMORY);
}

void ksiReportSkipSteps(ksReport *report, size_t world, uint64_t count)
{
    ksiWorldAt(report, world)->seen += count;
    ksiWorldAt(report, world)->leftOut += count;
}

/* The error; 0 if no part of the joint's wrench is determined. The engine then agrees on the sums
 * of the wrenches that share a load. */
static double errorOf(const ksReaction *reaction)
{
    return reaction->verdict == KS_INDETERMINATE && isnan(reaction->error) ? 0 : reaction->error;
}

/* Adds a joint's result of a trial with this number of iterations: a single step, or the last of
 * several consecutive steps. */
static bool addTried(ksReport *report, ksiWorldStats *world, int iterations, int how, const ksReaction *reaction,
                     const ksiIdentity *identity)
{
    const double error = errorOf(reaction);
    ksiJointStats *joint = ksiJointFind(world, identity->type, identity->number, identity->body);
    if (!joint || !isfinite(error))
        return true;
    ksiTried *tried = ksiEntryMake(&report->allocator, &ksiTriedMetrics, &joint->tried, iterations);
    if (!tried)
        return false;
    tried->steps[how]++;
    tried->above[how] += error > report->options.limit.above;
    return true;
}

/* Adds a reaction of a trial step in a copy of the world. Single steps get more statistics than
 * consecutive ones. */
static bool addTrial(ksReport *report, ksiWorldStats *world, ksiAdvice *advice, int how, const ksReaction *reaction,
                     const ksiIdentity *identity, double *worst)
{
    const ksAllocator *allocator = &report->allocator;
    bool isWhole = how != KSI_ALONE || addNetErrors(report, &advice->net, NULL, reaction, NULL, NULL);
    if (reaction->type == dJointTypeContact || !isWhole)
        return isWhole;
    const double error = errorOf(reaction);
    if (isfinite(error) && error > *worst)
        *worst = error;
    if (how == KSI_ALONE)
        for (int i = 0; i < KSI_ERRORS && isWhole; i++)
            isWhole = addSize(allocator, &advice->error[i], errorIn(reaction, i));
    return isWhole && addTried(report, world, advice->iterations, how, reaction, identity);
}

ksStatus ksiReportAdvise(ksReport *report, size_t index, int iterations, int how, const ksInspector *inspector,
                         const ksiNaming *naming)
{
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    ksiWorldStats *world = ksiWorldAt(report, index);
    ksiAdvice *advice = ksiEntryMake(&report->allocator, &ksiAdviceMetrics, &world->advice, iterations);
    bool isWhole = advice != NULL;
    double worst = -1;
    ksiMapClear(&report->metBodies);
    if (advice && how == KSI_ALONE)
        advice->steps++;
    for (size_t i = 0; i < count && isWhole; i++) {
        const ksiIdentity *identity = ksiIdentify(naming, &reaction[i]);
        if (identity && ksiIsSelected(&report->options, identity))
            isWhole = addTrial(report, world, advice, how, &reaction[i], identity, &worst);
    }
    if (isWhole && worst >= 0)
        isWhole = ksiHistogramAdd(&report->allocator, how == KSI_ALONE ? &advice->worst : &advice->inARow, worst);
    return isWhole ? KS_OK : KS_ERROR_NO_MEMORY;
}

/* fill_reaction.c  Writes the published reaction of a joint and its rows, on request: most hosts
 * ask for few joints.
 *
 * The work of a row on the bodies that move freely is h lambda J (v + v*) / 2. With the residual
 * `r`, J v* = c - cfm lambda + r. So this work has four causes:
 *
 *     h lambda c  -  h cfm lambda^2  +  h lambda r  -  h lambda J (v* - v) / 2
 *
 * Here `c` is the row's target minus J v of kinematic bodies. In continuous time, an ideal row with
 * target 0 does no work (Banach X, section 5). In a finite step, its work is the last term. */
#include "../lanes.h"
#include "../read/bound_state.h"
#include "published.h"
#include "wrench.h"
#include "wrench_norm.h"

#include "../../base/vectorise.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Velocities of both bodies, in the order of a row's coefficients. `after` has the velocities of
 * bodies that move freely, `driven` the velocities of the others. */
typedef struct Motion {
    ksiFour after[3], driven[3];
    bool anyDriven;
} Motion;

KSI_INLINE double rowDot(const ksiJointInput *joint, int l, const ksiFour both[3])
{
    return ksiDotTwelve(joint->rows.row[l].jacobian[0], (const double *)both);
}

/* Sets `after` to v* of bodies that move freely, and `driven` to v of the others at the start of
 * the step. */
KSI_INLINE void findMotion(const ksiStep *step, const ksiJointInput *joint, Motion *motion)
{
    static const double rest[6];
    const double *after[2] = {rest, rest}, *driven[2] = {rest, rest};
    motion->anyDriven = false;
    KSI_EACH_BODY (joint->bodyIndex, side, body) {
        if (step->motion[body].moved && step->body[body].dynamic) {
            after[side] = step->motion[body].undamped;
        } else {
            driven[side] = step->body[body].begin.velocity;
            motion->anyDriven = true;
        }
    }
    ksiJoinSixes(after, motion->after);
    ksiJoinSixes(driven, motion->driven);
}

/* the impulse times the mean of J v before and after the step; J v contains only bodies that move
 * freely */
KSI_INLINE double workOf(double impulse, double before, double after)
{
    return 0.5 * impulse * (before + after);
}

/* The work of a part of the multiplier of row l. */
KSI_INLINE double workOfPart(const ksiStep *step, const ksiJointInput *joint, const Motion *motion, int l, double part)
{
    const double driven = motion->anyDriven ? rowDot(joint, l, motion->driven) : 0;
    return workOf(step->h * part, joint->rate[l] - driven, rowDot(joint, l, motion->after));
}

KSI_CLONES
double ksiFindWork(const ksiStep *step, int index, double work[KSI_MAX_ROWS])
{
    const ksiJointInput *joint = &step->joint[index];
    Motion motion;
    double sum = 0;
    if (!step->report[index].isWritten)
        return 0;
    findMotion(step, joint, &motion);
    for (int l = 0; l < joint->rows.count; l++)
        sum += work[l] = workOfPart(step, joint, &motion, l, step->report[index].multiplier[l]);
    return sum;
}

double ksiFindMotorWork(const ksiStep *step, int index)
{
    const ksiJointInput *joint = &step->joint[index];
    Motion motion;
    double sum = 0;
    if (!step->report[index].isWritten || !joint->rows.powered)
        return 0;
    findMotion(step, joint, &motion);
    for (int l = 0; l < joint->rows.count; l++)
        if (joint->rows.powered >> l & 1u)
            sum += workOfPart(step, joint, &motion, l, joint->rows.motor[l].force);
    return sum;
}

_Static_assert(offsetof(ksRow, hi) - offsetof(ksRow, c) == offsetof(ksiRow, hi) - offsetof(ksiRow, c) &&
                   offsetof(ksiRow, hi) - offsetof(ksiRow, c) == 3 * sizeof(double),
               "c, cfm, lo, hi: four numbers of both");
_Static_assert(KS_WORK_TARGET == 0 && KS_WORK_COMPLIANCE == 1 && KS_WORK_RESIDUAL == 2 && KS_WORK_DISCRETISATION == 3 &&
                   KS_WORK_COUNT == 4,
               "causes in this order");

/* The common data of a joint's rows. Pointers into the step are read once, since the compiler must
 * assume that writes change them. */
typedef struct Source {
    const ksiRow *row;
    const double *rate, *multiplier;
    const ksiPlaces *places;
    bool isPlain;
    unsigned frozen, determinate; /* bits */
    double h;
    const double *engine, *gauss, *paulus, *physical, *bar, *physicalBar, *alone, *adopted, *observed, *observedBar,
        *shared, *sharedBar; /* NaN where there is no value */
    Motion motion;
} Source;

/* |lambda - clamp(lambda - (r/h) / (J M^-1 J^T + cfm/h))| */
KSI_INLINE double unsolvedOf(const ksiStep *step, const ksiJointInput *joint, const double *multiplier, int l,
                             double residual)
{
    const ksiRow *row = &joint->rows.row[l];
    const double diagonal = step->h * ksiDotTwelve(joint->scaled[l], joint->scaled[l]) + row->cfm;
    const double change = diagonal > 0 ? residual / diagonal : 0;
    if (joint->rows.plain)
        return fabs(change);
    double low = row->lo, high = row->hi;
    if (row->findex >= 0 && step->stepper == KS_WORLD_STEP)
        return NAN;
    if (row->findex >= 0)
        ksiSetFrictionBound(step, row, multiplier[row->findex], &low, &high);
    return fabs(ksiSmaller(ksiLarger(multiplier[l] - change, low), high) - multiplier[l]);
}

/* The mass that a correction of the joint's multipliers must move. For a contact that is a known
 * load: the mass of the mechanism on its lighter side. Else: the mass of the lighter body. */
static double massToMove(const ksiStep *step, int index)
{
    const ksiJointInput *joint = &step->joint[index];
    double mass = INFINITY;
    KSI_EACH_BODY (joint->bodyIndex, side, body) {
        const int island = step->bodyMember[body].island;
        const double own = step->body[body].begin.mass;
        if (step->body[body].dynamic)
            mass = fmin(mass, joint->isLoad && island >= 0 ? step->island[island].mass : own);
    }
    return isinf(mass) ? 0 : mass;
}

double ksiFindUnsolved(const ksiStep *step, int index)
{
    const ksiJointInput *joint = &step->joint[index];
    const double *multiplier = step->report[index].multiplier;
    const double mass = massToMove(step, index);
    Motion motion;
    double most = 0;
    if (!step->report[index].isWritten)
        return 0;
    findMotion(step, joint, &motion);
    for (int l = 0; l < joint->rows.count; l++) {
        const ksiRow *row = &joint->rows.row[l];
        const double driven = motion.anyDriven ? rowDot(joint, l, motion.driven) : 0;
        const double complianceTerm = row->cfm * multiplier[l];
        const double residual = rowDot(joint, l, motion.after) + driven + complianceTerm - row->c;
        const double unsolved = unsolvedOf(step, joint, multiplier, l, residual);
        const double square = ksiDotTwelve(joint->scaled[l], joint->scaled[l]);
        // a contact's row counts by its force; other rows, which may be angular, by their size in
        // the mass metric
        most = ksiLarger(unsolved * (joint->isLoad ? mass * square : sqrt(mass * square)), most);
    }
    return most;
}

/* Fills the row of the engine's equations, its work, and the work's parts by cause. */
KSI_INLINE void fillMotion(const Source *s, int l, ksRow *row)
{
    const ksiRow *from = &s->row[l];
    const double lambda = s->multiplier[l], impulse = s->h * lambda, complianceTerm = from->cfm * lambda;
    const double driven = s->motion.anyDriven ? ksiDotTwelve(from->jacobian[0], (const double *)s->motion.driven) : 0;
    const double after = ksiDotTwelve(from->jacobian[0], (const double *)s->motion.after);
    const double before = s->rate[l] - driven, residual = after + driven + complianceTerm - from->c;
    row->kind = from->kind;
    row->findex = from->findex;
    *(ksiFour *)&row->c = *(const ksiFour *)&from->c;
    row->residual = residual;
    row->work = workOf(impulse, before, after);
    *(ksiFour *)row->workPart =
        impulse * (ksiFour){from->c - driven, -complianceTerm, residual, 0.5 * (before - after)};
    ksiFour *to = (ksiFour *)row->jacobian;
    EACH (k, 0, 3)
        to[k] = ((const ksiFour *)from->jacobian)[k];
}

/* Fills the place and the active bound of a row: from the separate solution of a contact if there
 * is one, else from the converged solution, else from the report. */
KSI_INLINE void fillPlace(const Source *s, int l, ksRow *row)
{
    row->place = s->isPlain ? KS_INSIDE : s->places->place[l];
    row->bound = INFINITY;
    if (s->isPlain)
        return;
    if (s->frozen >> l & 1u)
        row->bound = NAN;
    else if (ksiRowHasBounds(&s->row[l]))
        row->bound = ksiBoundInForce(s->places, l, row->place);
}

/* How far the multiplier of a row that counts as inside is beyond the row's bounds. The row's share
 * of an undetermined load may be beyond these bounds. Another share is within them, so the
 * uncertainty of the share is at least this distance. */
KSI_INLINE double beyondBounds(const Source *s, int l, double multiplier)
{
    if (s->isPlain || s->places->place[l] != KS_INSIDE)
        return 0;
    return fmax(0, fmax(s->places->low[l] - multiplier, multiplier - s->places->high[l]));
}

/* The error that the rounding of poses causes in a multiplier, by way of c in the step's
 * equations. */
static double poseBar(const ksiStep *step, int index, int l)
{
    const int island = step->member[index].island;
    const double relaxed = step->converged[index].relaxed[l];
    return island < 0 || isnan(relaxed) ? 0 : relaxed * step->islandConverged[island].poseRounding;
}

/* The shared multipliers of a joint whose physical multipliers are known; NULL: the shares are
 * unknown. */
KSI_INLINE const double *sharedOf(const ksiStep *step, int index)
{
    const ksiJointPhysical *physical = &step->physical[index];
    if (ksiFreeOf(step, index)->count == 0)
        return physical->multiplier;
    return physical->isShared ? physical->shared : NULL;
}

KSI_INLINE void findValues(const ksiStep *step, int index, Source *s)
{
    static const double none[KSI_MAX_ROWS] = {NAN, NAN, NAN, NAN, NAN, NAN};
    const ksiJointConverged *converged = &step->converged[index];
    const ksiJointPhysical *physical = &step->physical[index];
    const bool isLoad = step->joint[index].isLoad;
    const double *report = step->report[index].rank == step->joint[index].rows.count ? s->multiplier : none;
    s->engine = step->isForeign && !isLoad ? none : report;
    s->gauss = s->paulus = s->bar = s->physical = s->physicalBar = s->alone = s->adopted = none;
    s->observed = s->observedBar = s->shared = s->sharedBar = none;
    if (step->contact[index].isJudged && s->engine != none)
        s->alone = step->contact[index].alone;
    if (isLoad && ksiHasPhysical(step, index))
        s->physical = s->shared = s->engine;
    if (!isLoad && converged->isKnown && !step->isForeign) {
        s->gauss = converged->gauss;
        s->paulus = converged->paulus;
        s->bar = converged->bar;
    }
    if (!isLoad && physical->isKnown) {
        s->physical = physical->multiplier;
        s->physicalBar = physical->bar;
        s->adopted = physical->adopted;
        const double *shared = sharedOf(step, index);
        s->shared = shared ? shared : none;
        s->sharedBar = !shared ? none : shared == physical->multiplier ? physical->bar : physical->sharedBar;
    }
    if (step->observed[index].told == KSI_BY_ROWS && step->report[index].rank == step->joint[index].rows.count) {
        s->observed = step->observed[index].isFalse ? step->observed[index].multiplier : s->multiplier;
        s->observedBar = step->observed[index].bar;
    }
}

KSI_INLINE void findSource(const ksiStep *step, int index, Source *s)
{
    const int island = step->member[index].island;
    const bool isJudged = step->contact[index].isJudged;
    const bool isKnown = island >= 0 && ksiIslandFreeOf(step, (size_t)island)->isKnown;
    s->row = step->joint[index].rows.row;
    s->rate = step->joint[index].rate;
    s->isPlain = step->joint[index].rows.plain;
    s->multiplier = step->report[index].multiplier;
    s->places = isJudged                         ? &step->contactPlaces[index]
                : step->converged[index].isKnown ? &step->convergedPlaces[index]
                                                 : &step->reportPlaces[index];
    s->frozen = step->contact[index].isFrozen;
    s->determinate = isKnown ? ~ksiFreeOf(step, index)->undetermined : 0;
    s->h = step->h;
    findValues(step, index, s);
    findMotion(step, &step->joint[index], &s->motion);
}

/* Fills a joint's rows, and returns their work. */
KSI_INLINE double fillRows(const ksiStep *step, int index, ksRow *row)
{
    const ksiJointInput *joint = &step->joint[index];
    const int count = joint->rows.count;
    Source source;
    double work = 0;
    findSource(step, index, &source);
    for (int l = 0; l < count; l++, row++) {
        fillMotion(&source, l, row);
        fillPlace(&source, l, row);
        row->determinate = source.determinate >> l & 1u;
        row->engine = source.engine[l];
        row->gauss = source.gauss[l];
        row->paulus = source.paulus[l];
        row->physical = source.physical[l];
        row->errorBar = source.bar[l] + beyondBounds(&source, l, source.paulus[l]);
        if (step->isSingle)
            row->errorBar += poseBar(step, index, l);
        row->physicalBar = source.physicalBar[l];
        row->adopted = source.adopted[l];
        row->shared = source.shared[l];
        row->sharedBar = source.sharedBar[l];
        const bool isObserved = row->determinate && !isnan(source.observedBar[l]);
        row->observed = isObserved ? source.observed[l] : NAN;
        row->observedBar = isObserved ? source.observedBar[l] : NAN;
        row->unsolved = unsolvedOf(step, joint, source.multiplier, l, row->residual);
        row->alone = source.alone[l];
        work += row->work;
    }
    return work;
}

KSI_INLINE void fillSide(const ksiStep *step, const ksiJointInput *joint, int side, ksReaction *reaction)
{
    const int body = joint->bodyIndex[side];
    reaction->body[side] = joint->body[side];
    reaction->netError[side] = NAN;
    reaction->weightless[side] = body < 0;
    if (body < 0) {
        memset(reaction->centre[side], 0, sizeof reaction->centre[side]);
        memset(reaction->rotation[side], 0, sizeof reaction->rotation[side]);
        return;
    }
    const ksiBody *begin = &step->body[body].begin;
    if (step->estimate[body].isKnown)
        reaction->netError[side] = step->estimate[body].relative;
    reaction->weightless[side] = begin->gravity[0] == 0 && begin->gravity[1] == 0 && begin->gravity[2] == 0;
    memcpy(reaction->centre[side], begin->centre, sizeof begin->centre);
    memcpy(reaction->rotation[side], begin->rotation, sizeof begin->rotation);
}

KSI_INLINE void fillValue(const ksiJointInput *joint, bool isKnown, const double *multiplier, const ksWrench engine[2],
                          ksWrench wrench[2])
{
    if (!isKnown)
        wrench[0] = wrench[1] = ksiUnknownWrench;
    else if (joint->isLoad)
        memcpy(wrench, engine, 2 * sizeof *wrench);
    else
        ksiReactionWrenches(joint, multiplier, wrench);
}

KSI_INLINE void fillWrenches(const ksiStep *step, int index, ksReaction *reaction)
{
    const ksiJointInput *joint = &step->joint[index];
    const dJointFeedback *from = &step->feedback[index].own;
    ksWrench reported[2] = {ksiUnknownWrench, ksiUnknownWrench};
    for (int side = 0; side < 2; side++) {
        if (step->report[index].isWritten && joint->bodyIndex[side] >= 0)
            ksiTakeFeedback(from, side, reported[side].force, reported[side].torque);
    }
    const bool isExplained = step->isForeign && !joint->isLoad;
    memcpy(reaction->engine, isExplained ? step->given[index].on : reported, sizeof reported);
    fillValue(joint, ksiHasConverged(step, index) && !step->isForeign, step->converged[index].paulus, reported,
              reaction->converged);
    fillValue(joint, ksiHasPhysical(step, index), step->physical[index].multiplier, reported, reaction->physical);
    const double *shared = ksiHasPhysical(step, index) ? sharedOf(step, index) : NULL;
    if (shared == step->physical[index].multiplier)
        memcpy(reaction->shared, reaction->physical, sizeof reaction->shared);
    else
        fillValue(joint, shared != NULL, shared, reported, reaction->shared);
    const ksiJointObserved *observed = &step->observed[index];
    if (!observed->told)
        reaction->observed[0] = reaction->observed[1] = ksiUnknownWrench;
    else if (observed->isFalse)
        ksiReactionWrenches(joint, observed->multiplier, reaction->observed);
    else
        memcpy(reaction->observed, reported, sizeof reaction->observed);
}

/* J^T n on the first body, scaled by ksiPerUnit. */
KSI_INLINE void freeDirection(const ksiJointInput *joint, const double *n, ksWrench *direction)
{
    ksiFour four = {0};
    ksiTwo two = {0};
    for (int l = 0; l < joint->rows.count; l++) {
        const double *row = joint->rows.row[l].jacobian[0];
        four += n[l] * *(const ksiFour *)row;
        two += n[l] * *(const ksiTwo *)(row + 4);
    }
    const ksiFour four2 = four * four;
    const ksiTwo two2 = two * two;
    const double perUnit = ksiPerUnit(four2[0] + four2[1] + four2[2], four2[3] + two2[0] + two2[1]);
    *(ksiFour *)direction->force = perUnit * four;
    *(ksiTwo *)(direction->torque + 1) = perUnit * two;
}

/* Writes the free directions, and clears further ones that an earlier reaction has left in this
 * memory. */
KSI_CLONES
static void fillFree(const ksiStep *step, int index, const ksiJointFree *free, ksReaction *reaction)
{
    const ksiStressShare *share = ksiSharesOf(step, free);
    for (int f = 0; f < free->count; f++)
        freeDirection(&step->joint[index], share[f].multiplier, &reaction->freeDirection[f]);
    for (int f = free->count; f < reaction->freeCount; f++)
        reaction->freeDirection[f] = (ksWrench){{0}, {0}};
    reaction->freeCount = free->count;
}

/* Fills anchor and axes from the step, since the joint may be gone. */
static void fillFrame(const ksiStep *step, int index, ksReaction *reaction)
{
    const ksiJointInput *joint = &step->joint[index];
    if (!joint->isRead) {
        memset(reaction->axes, 0, sizeof reaction->axes);
        memset(reaction->anchor, 0, sizeof reaction->anchor);
    } else if (joint->isFramed) {
        memcpy(reaction->axes, joint->frame.axes, sizeof reaction->axes);
        memcpy(reaction->anchor, joint->frame.anchor, sizeof reaction->anchor);
    } else {
        ksiJointFrame(NULL, ksiBodyOfJoint(step, index, 0), ksiBodyOfJoint(step, index, 1), &joint->rows,
                      reaction->axes, reaction->anchor);
    }
}

/* Writes all fields but those that are always zero, and those that fillFrame and ksiFillMeans
 * write. */
KSI_CLONES
static void fill(const ksiStep *step, int index, ksRow *row, ksReaction *reaction)
{
    const ksiJointInput *joint = &step->joint[index];
    const ksiJointVerdict *verdict = &step->verdict[index];
    const ksiJointFree *free = ksiFreeOf(step, index);
    const double work = joint->isRead ? fillRows(step, index, row) : 0;
    reaction->joint = joint->id;
    reaction->type = joint->type;
    reaction->reversed = joint->reversed;
    reaction->step = step->number;
    reaction->time = step->time;
    reaction->verdict = verdict->verdict;
    reaction->reasons = verdict->reasons;
    ksiFillMotors(step, index, row, reaction);
    reaction->rowCount = joint->rows.count;
    reaction->row = joint->isRead ? row : NULL;
    reaction->work = step->report[index].isWritten ? work : 0;
    reaction->fudgeWork = joint->fudgeWork;
    ksiFindGap(step, index, reaction->gap);
    reaction->error = verdict->error;
    reaction->errorBar = verdict->errorBar;
    reaction->physicalSource = !ksiHasPhysical(step, index) ? KS_FROM_NOWHERE
                               : joint->isLoad              ? KS_FROM_GEOMETRY
                                                            : step->physical[index].source;
    reaction->physicalError = verdict->physicalError;
    reaction->physicalErrorBar = verdict->physicalErrorBar;
    reaction->loadNoise = verdict->loadNoise;
    reaction->axisLength = joint->rows.count ? joint->rows.axisLength : 1;
    memcpy(reaction->gravity, step->input->gravity, sizeof reaction->gravity);
    fillWrenches(step, index, reaction);
    if (free->count || reaction->freeCount)
        fillFree(step, index, free, reaction);
    for (int side = 0; side < 2; side++)
        fillSide(step, joint, side, reaction);
}

void ksiFillGone(const ksiStep *step, ksReaction *reaction)
{
    *reaction = (ksReaction){
        .step = step->number,
        .time = step->time,
        .verdict = KS_NOT_SOLVED,
        .reasons = KS_REASON_JOINT_GONE,
        .error = NAN,
        .errorBar = NAN,
        .physicalError = NAN,
        .physicalErrorBar = NAN,
        .loadNoise = NAN,
        .netError = {NAN, NAN},
        .gap = {NAN, NAN},
        .motor = {ksiNoMotor, ksiNoMotor, ksiNoMotor},
        .axisLength = 1,
    };
    ksiFillNoMeans(reaction);
    for (int side = 0; side < 2; side++) {
        reaction->engine[side] = reaction->converged[side] = reaction->physical[side] = ksiUnknownWrench;
        reaction->observed[side] = reaction->shared[side] = ksiUnknownWrench;
        for (int k = 0; k < 3; k++)
            reaction->anchor[side][k] = NAN;
    }
}

const ksReaction *ksiReactionOf(const ksiStep *step, const ksiPublished *published, size_t index)
{
    ksReaction *reaction = &published->reaction[index];
    if (!published->isFilled[index]) {
        fill(step, (int)index, published->row[index], reaction);
        fillFrame(step, (int)index, reaction);
        ksiFillMeans(step, (int)index, reaction);
        published->isFilled[index] = true;
    }
    return reaction;
}

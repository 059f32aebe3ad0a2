/* physical.c  The reactions of the continuous mechanism: J a = beta with beta = -(dJ/dt) v from the constraint itself,
 * no error correction, no regularising compliance, in the configuration and with the velocities of the start of the
 * step (Gugino 1930). Springs (cfm above options.rigidCfm) keep their compliance and their right-hand side.
 *
 * Known reactions are applied forces (Paulus 1910, concluding remark): contacts enter with what was reported of them, and so
 * does a stop that has just been reached. What is found is then the mean over the step, also of an impact: times h it is
 * the impulse. */
#include "inspector_private.h"

#include <math.h>
#include <string.h>

/* of its reported force: what stops the speed of a row in a stop that has just been reached, and the part of that which a
 * body alone, without all that it is joined to, would ask for */
static const double reachedShare = 0.5, closingShare = 0.05;
/* of the joint's largest multiplier: a stop that pulls by more has let go */
static const double pullTolerance = 1e-9;

bool ksiKnowsAccelerations(ksInspector *inspector, const ksiIsland *island)
{
    for (int i = 0; i < island->jointCount; i++) {
        ksiJointState *joint = ksiIslandJoint(inspector, island, i);
        joint->physicalSource = KS_FROM_GEOMETRY;
        for (int l = 0; l < joint->rows.count; l++) {
            if (!ksiNeedsBeta(inspector, joint, l))
                continue;
            if (joint->betaSource[l] == KS_FROM_NOWHERE)
                return false;
            if (joint->betaSource[l] == KS_FROM_HISTORY)
                joint->physicalSource = KS_FROM_HISTORY;
        }
    }
    return true;
}

/* beta of the island's system rows; false if one is not known */
static bool gatherBeta(ksInspector *inspector, const ksiIsland *island, double *beta)
{
    if (!ksiKnowsAccelerations(inspector, island))
        return false;
    for (int i = 0; i < island->jointCount; i++) {
        const ksiJointState *joint = ksiIslandJoint(inspector, island, i);
        double discrete[KSI_MAX_ROWS];
        bool anyDiscrete = false;
        for (int l = 0; l < joint->rows.count; l++) {
            int at = joint->systemRow[l];
            if (at < 0)
                continue;
            if (!ksiNeedsBeta(inspector, joint, l)) {
                if (!anyDiscrete)
                    ksiRightHandSides(inspector, joint, discrete);
                anyDiscrete = true;
                beta[at] = discrete[l];
                continue;
            }
            beta[at] = joint->beta[l];
        }
    }
    return true;
}

/* The physical system of an island. */
typedef struct Solution {
    double *beta, *multiplier; /* [rows] */
    double *bar, *late;        /* [rows] */
    double *force;             /* [coordinates] */
    bool known;                /* accelerations and places of its rows */
    double grown;              /* bars are so many times those of converged values; 0: they are found */
    bool moved;                /* rows are at other bounds than in the converged solution */
} Solution;

/* the stepper's gyroscopic torque is implicit in h; the mechanism's is -w x I w */
void ksiMechanismForce(const ksiBodyState *body, const double inertia[9], const double w[3], double force[6])
{
    double momentum[3] = {0};
    ksiForceOnBody(body, force);
    if (!body->begin.gyroscopicMode)
        return;
    for (int k = 0; k < 3; k++) {
        for (int m = 0; m < 3; m++)
            momentum[k] += inertia[3 * k + m] * w[m];
    }
    for (int k = 0; k < 3; k++) {
        int p = (k + 1) % 3, q = (k + 2) % 3;
        force[3 + k] -= body->begin.gyroscopic[k] + w[p] * momentum[q] - w[q] * momentum[p];
    }
}

static void gatherForce(const ksInspector *inspector, const ksiIsland *island, double *force)
{
    for (int i = 0; i < island->bodyCount; i++) {
        const ksiBodyState *body = ksiIslandBody(inspector, island, i);
        ksiMechanismForce(body, body->begin.inertia, body->begin.velocity + 3, force + 6 * (size_t)body->block);
    }
}

/* The row's multiplier is what was reported of it, from now on. */
static void takeReported(ksiJointState *joint, int l)
{
    joint->place[l] = KS_AT_LOW;
    joint->low[l] = joint->high[l] = joint->multiplier[l];
}

static bool isStop(const ksRow *row)
{
    return row->kind == KS_ROW_STOP && (row->lo != -INFINITY || row->hi != INFINITY);
}

/* A stop that pushes, while nothing tells the acceleration of its row. */
static bool isUnknownStop(const ksInspector *inspector, const ksiJointState *joint, int l)
{
    return isStop(&joint->rows.row[l]) && ksiNeedsBeta(inspector, joint, l) && joint->betaSource[l] == KS_FROM_NOWHERE;
}

/* A stop is not what holds the row where this multiplier pulls at it, nor a motor where this one is beyond its bounds; nor
 * either where the row runs into the stop, or is off the motor's target, and most of its reported force is beyond what holds:
 * that takes the speed from it, and is |J v| / (h A_ll) and more. */
static bool isHeldOtherwise(const ksInspector *inspector, const ksiJointState *joint, int l, double lambda,
                            double least)
{
    const ksRow *row = &joint->rows.row[l];
    const double reported = joint->multiplier[l], *scaled = joint->scaled[l];
    if (lambda < row->lo - least || lambda > row->hi + least)
        return true;
    const double off = joint->rate[l] - ksiRowTarget(joint, l);
    const double stopping = -off * (reported > 0 ? 1 : -1) / (inspector->h * ksiDotTwelve(scaled, scaled));
    return stopping > closingShare * fabs(reported) && fabs(lambda) < (1 - reachedShare) * fabs(reported);
}

/* Contacts, where they belong to the island, and stops of which nothing is known; true where a row was not known before. */
static bool takeLoads(ksInspector *inspector, ksiIsland *island)
{
    bool any = false;
    for (int i = 0; i < island->jointCount; i++) {
        ksiJointState *joint = ksiIslandJoint(inspector, island, i);
        const bool contact = joint->type == dJointTypeContact;
        for (int l = 0; !joint->rows.plain && l < joint->rows.count; l++) {
            if (contact ? joint->place[l] == KS_INACTIVE : !isUnknownStop(inspector, joint, l))
                continue;
            takeReported(joint, l);
            any = island->loaded = true;
        }
    }
    return any;
}

/* Stops and motors that do not hold in this solution have the force that was reported: true where there are such. */
bool ksiLetStopsGo(ksInspector *inspector, ksiIsland *island, bool dense, const double *multiplier)
{
    bool any = false;
    for (int i = 0; i < island->jointCount; i++) {
        ksiJointState *joint = ksiIslandJoint(inspector, island, i);
        const int *at = dense ? joint->dense : joint->systemRow;
        double largest = 0;
        for (int l = 0; joint->bounded && l < joint->rows.count; l++)
            largest = fmax(largest, at[l] < 0 ? 0 : fabs(multiplier[at[l]]));
        for (int l = 0; joint->bounded && l < joint->rows.count; l++) {
            const double least = pullTolerance * largest;
            const ksRow *row = &joint->rows.row[l];
            if (!(isStop(row) || row->kind == KS_ROW_MOTOR) || joint->place[l] != KS_INSIDE)
                continue;
            if (!isHeldOtherwise(inspector, joint, l, multiplier[at[l]], least))
                continue;
            takeReported(joint, l);
            any = island->loaded = true;
        }
    }
    return any;
}

/* Which rows are at a bound is what the motors did in this step: the converged solution may have others, since it closes
 * gaps that the mechanism has not. */
bool ksiTakeLoads(ksInspector *inspector, int index)
{
    const bool moved = ksiTakeReportedPlaces(inspector, index);
    return takeLoads(inspector, &inspector->island[index]) || moved;
}

static void placeRows(ksInspector *inspector, int index, Solution *s)
{
    ksiIsland *island = &inspector->island[index];
    s->moved = ksiTakeLoads(inspector, index);
    // a search that failed leaves a system with places of its own
    if (s->moved || island->reasons & ~(unsigned)KS_REASON_NOT_ASKED)
        island->built = false;
}

static ksStatus solveRigid(ksInspector *inspector, int index, Solution *s)
{
    ksiIsland *island = &inspector->island[index];
    ksStatus status = ksiStands(inspector, index) ? KS_OK : ksiBuildSystem(inspector, index);
    if (!status && !island->solved)
        status = ksiFindDeterminacy(inspector, index);
    if (status)
        return status;
    s->known = gatherBeta(inspector, island, s->beta);
    if (!s->known)
        return KS_OK;
    ksSystem *system = ksiIslandSystem(inspector, index);
    island->built = false;  // the system no longer holds the step's equations
    gatherForce(inspector, island, s->force);
    ksiSystemSetBeta(system, s->beta);
    ksiSystemSetForce(system, s->force);
    return ksiSystemSolveLeastNorm(system, s->multiplier, NULL);
}

/* A row of the joint shares its force here, and not in the converged solution. unique: by row of the system */
static bool sharesMore(const ksiJointState *joint, const int *unique)
{
    bool any = false;
    for (int l = 0; l < joint->rows.count; l++)
        any |= joint->systemRow[l] >= 0 && !unique[joint->systemRow[l]] && !(joint->undetermined >> l & 1u);
    return any;
}

static bool sharesLess(const ksiJointState *joint, const int *unique)
{
    bool any = false;
    for (int l = 0; l < joint->rows.count; l++)
        any |= joint->undetermined >> l & 1u && joint->systemRow[l] >= 0 && unique[joint->systemRow[l]];
    return any;
}

/* Rows that are inside their bounds here and at one in the converged solution may share forces with others. What is published
 * of a joint as free is what is so in either solution. Where each has something that the other has not, there is no value of
 * the joints that share more: `withheld`. */
static ksStatus findShared(ksInspector *inspector, int index, bool *withheld)
{
    const ksiIsland *island = &inspector->island[index];
    const int *unique = inspector->flag;
    bool more = false, less = false;
    *withheld = false;
    ksStatus status = ksiSystemGetDeterminacy(ksiIslandSystem(inspector, index), inspector->flag, NULL);
    for (int i = 0; !status && i < island->jointCount; i++) {
        const ksiJointState *joint = ksiIslandJoint(inspector, island, i);
        more |= sharesMore(joint, unique);
        less |= sharesLess(joint, unique);
    }
    *withheld = more && less;
    if (status || !more || less)
        return status;
    status = ksiFindFreeDirections(inspector, index, unique);
    for (int i = 0; !status && i < island->jointCount; i++) {
        ksiJointState *joint = ksiIslandJoint(inspector, island, i);
        ksiFindDeviation(inspector, joint, joint->converged, &joint->deviation, &joint->determined);
    }
    return status;
}

static void scatter(ksInspector *inspector, const ksiIsland *island, const double *multiplier)
{
    for (int i = 0; i < island->jointCount; i++) {
        ksiJointState *joint = ksiIslandJoint(inspector, island, i);
        for (int l = 0; l < joint->rows.count; l++)
            joint->physical[l] = joint->systemRow[l] < 0 ? 0 : multiplier[joint->systemRow[l]];
    }
}

static bool isDifferenced(const ksInspector *inspector, const ksiIsland *island)
{
    bool any = false;
    for (int i = 0; i < island->jointCount; i++)
        any |= ksiIslandJoint(inspector, island, i)->physicalSource == KS_FROM_HISTORY;
    return any;
}

/* The bars of converged values grow with the norm of the multipliers, scaled by their rows. */
static double growth(const ksInspector *inspector, const ksiIsland *island)
{
    double converged = 0, physical = 0;
    for (int i = 0; i < island->jointCount; i++) {
        const ksiJointState *joint = ksiIslandJoint(inspector, island, i);
        for (int l = 0; l < joint->rows.count; l++) {
            const double square = joint->rowSize[l] * joint->rowSize[l];
            converged += square * joint->converged[l] * joint->converged[l];
            physical += square * joint->physical[l] * joint->physical[l];
        }
    }
    return physical > converged ? sqrt(physical / converged) : 1;
}

/* Size of all that moves the bodies, an error of the rows by the drift is one in proportion to. */
static double loadOf(const ksInspector *inspector, const ksiIsland *island)
{
    double square = 0;
    for (int i = 0; i < island->bodyCount; i++) {
        const double carried = ksiIslandBody(inspector, island, i)->carried;
        square += carried * carried;
    }
    return sqrt(square);
}

/* What accelerations from two readings leave open: the change of the multipliers that their last change makes. */
static ksStatus addLate(ksInspector *inspector, int index, const Solution *s)
{
    const ksiIsland *island = &inspector->island[index];
    ksSystem *system = ksiIslandSystem(inspector, index);
    bool any = false;
    memset(s->beta, 0, (size_t)island->rowCount * sizeof *s->beta);
    memset(s->force, 0, 6 * (size_t)island->bodyCount * sizeof *s->force);
    for (int i = 0; i < island->jointCount; i++) {
        const ksiJointState *joint = ksiIslandJoint(inspector, island, i);
        for (int l = 0; joint->physicalSource == KS_FROM_HISTORY && l < joint->rows.count; l++)
            if (joint->systemRow[l] >= 0 && ksiNeedsBeta(inspector, joint, l) &&
                joint->betaSource[l] == KS_FROM_HISTORY) {
                s->beta[joint->systemRow[l]] = joint->late[l];
                any = true;
            }
    }
    if (!any)
        return KS_OK;
    ksiSystemSetBeta(system, s->beta);
    ksiSystemSetForce(system, s->force);
    const ksStatus status = ksiSystemSolveLeastNorm(system, s->late, NULL);
    for (int l = 0; !status && l < island->rowCount; l++)
        s->bar[l] += fabs(s->late[l]);
    return status;
}

/* Of rounding, of the drift of a loop that is solved as it is, and of what history leaves open. */
static ksStatus findBars(ksInspector *inspector, int index, Solution *s)
{
    const ksiIsland *island = &inspector->island[index];
    ksSystem *system = ksiIslandSystem(inspector, index);
    ksStatus status = KS_OK;
    s->grown = 0;
    if (island->isTree && island->solved && !s->moved && !isDifferenced(inspector, island))
        s->grown = growth(inspector, island);
    if (s->grown > 0)
        return KS_OK;
    if (island->isTree) {
        status = ksiSystemErrorBars(system, s->multiplier, s->multiplier, s->bar);
    } else {
        status = ksiSystemProjectedErrorBars(system, s->multiplier, s->multiplier, s->bar);
        if (!status)
            status = ksiSystemAddForceError(system, true, island->drift * loadOf(inspector, island), s->bar);
    }
    return status ? status : addLate(inspector, index, s);
}

static void scatterBars(ksiJointState *joint, const Solution *s)
{
    joint->physicalBarSize = 0;
    for (int l = 0; l < joint->rows.count; l++) {
        joint->physicalBar[l] = s->grown > 0              ? s->grown * joint->bar[l]
                                : joint->systemRow[l] < 0 ? 0
                                                          : s->bar[joint->systemRow[l]];
        joint->physicalBarSize += joint->physicalBar[l] * joint->rowSize[l];
    }
}

static ksStatus publish(ksInspector *inspector, int index, Solution *s)
{
    const ksiIsland *island = &inspector->island[index];
    bool withheld = false;
    scatter(inspector, island, s->multiplier);
    ksStatus status = findBars(inspector, index, s);
    if (!status && s->moved && island->solved)
        status = findShared(inspector, index, &withheld);
    for (int i = 0; !status && i < island->jointCount; i++) {
        ksiJointState *joint = ksiIslandJoint(inspector, island, i);
        if (withheld && sharesMore(joint, inspector->flag)) {
            joint->reasons |= KS_REASON_REDUNDANT;
            continue;
        }
        scatterBars(joint, s);
        ksiFindDeviation(inspector, joint, joint->physical, &joint->physicalDeviation, &joint->physicalDetermined);
        joint->insidePhysical = ksiInside(joint);
        joint->hasPhysical = true;
    }
    return status;
}

void ksiSolvePhysical(ksInspector *inspector, int index)
{
    ksiIsland *island = &inspector->island[index];
    if (island->obstacles)
        return;
    ksStatus status = ksiReserveScratch(inspector, index);
    if (status) {
        inspector->status = status;
        return;
    }
    Solution s = {.beta = inspector->scratch, .known = true};
    s.multiplier = s.beta + island->rowCount;
    s.bar = s.multiplier + island->rowCount;
    s.late = s.bar + island->rowCount;
    s.force = s.late + island->rowCount;
    placeRows(inspector, index, &s);
    status = solveRigid(inspector, index, &s);
    while (!status && s.known && ksiLetStopsGo(inspector, island, false, s.multiplier)) {
        s.moved = true;
        status = solveRigid(inspector, index, &s);
    }
    if (!status && s.known)
        status = publish(inspector, index, &s);
    if (status == KS_ERROR_NO_MEMORY)
        inspector->status = status;
    if (!status && !s.known)
        island->reasons |= KS_REASON_NO_HISTORY;
}

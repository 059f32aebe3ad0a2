/* memory.c  State kept between steps: the poses after the last step, and data of its joints.
 * Address, type, bodies and rows show which joint of the last step a joint continues. */
#include "memory.h"
#include "../publish/wrench_norm.h"

#include "../../base/vectorise.h"

#include <math.h>
#include <string.h>

ksStatus ksiRememberBodies(const ksiStep *step, ksiMemory *memory)
{
    const size_t count = step->input->bodyCount;
    KSI_TRY(ksiReserve(&step->allocator, &memory->body, &memory->bodyCapacity, count, sizeof *memory->body));
    for (size_t i = 0; i < count; i++)
        memory->body[i] = step->motion[i].end;
    return KS_OK;
}

/* Is the body farther from its pose after the last step than its change of velocity explains? */
static bool wasPlaced(double h, const double gained[6], const ksiBodyEnd *last, const ksiBody *begin)
{
    double shift[3], turn[9];
    for (int k = 0; k < 3; k++)
        shift[k] = begin->centre[k] - last->centre[k];
    for (int k = 0; k < 9; k++)
        turn[k] = begin->rotation[k] - last->rotation[k];
    // a turn by a small angle changes the matrix by sqrt(2) times this angle
    return !(ksiSize(shift, 3) <= h * ksiSize(gained, 3) && ksiSize(turn, 9) <= sqrt(2) * h * ksiSize(gained + 3, 3));
}

/* In radii of gyration, and in radians. Hosts move bodies by less than this when they correct
 * bodies to a plane, or rotations to orthogonality. */
static const double mostCorrected = 1e-3;

/* Did the host move the body farther than it moves in a step at the sum of its old and new
 * speeds? */
static bool wasPut(double h, const ksiBodyEnd *last, const ksiBody *begin)
{
    double shift[3], turn[9];
    for (int k = 0; k < 3; k++)
        shift[k] = begin->centre[k] - last->centre[k];
    for (int k = 0; k < 9; k++)
        turn[k] = begin->rotation[k] - last->rotation[k];
    const double *inertia = begin->inertia;
    const double radius = sqrt((inertia[0] + inertia[4] + inertia[8]) / (2 * begin->mass));
    const double way = h * (ksiSize(last->velocity, 3) + ksiSize(begin->velocity, 3));
    const double angle = h * (ksiSize(last->velocity + 3, 3) + ksiSize(begin->velocity + 3, 3));
    return !(ksiSize(shift, 3) <= ksiLarger(way, mostCorrected * radius) &&
             ksiSize(turn, 9) <= sqrt(2) * ksiLarger(angle, mostCorrected));
}

/* Finds damping and the speed cap as forces on a body of the mechanism: the engine's joints respond
 * to them in the next step. */
static void findSlowing(const ksiStep *step, const ksiBodyEnd *last, ksiBodyInput *body)
{
    const ksiBody *begin = &body->begin;
    const bool isKnown = last && last->isSlowed && !memcmp(last->velocity, begin->velocity, sizeof begin->velocity);
    double lost[6];
    if (!isKnown && !begin->damped)
        return;
    memcpy(body->moving, isKnown ? last->moved : begin->velocity, sizeof body->moving);
    if (isKnown)
        memcpy(lost, last->lost, sizeof lost);
    else
        ksiLostByDamping(begin, begin->velocity, lost);
    body->isSlowed = ksiSize(lost, 6) > 0;
    for (int k = 0; k < 3; k++) {
        const double *inertia = begin->inertia + 3 * k;
        body->slowing[k] = -begin->mass * lost[k] / step->h;
        body->slowing[3 + k] = -(inertia[0] * lost[3] + inertia[1] * lost[4] + inertia[2] * lost[5]) / step->h;
    }
}

bool ksiIsLeftAt(const ksiBodyEnd *end, const double centre[3], const double rotation[9], const double velocity[6])
{
    return !memcmp(end->velocity, velocity, sizeof end->velocity) && !memcmp(end->centre, centre, sizeof end->centre) &&
           !memcmp(end->rotation, rotation, sizeof end->rotation);
}

void ksiCompareBody(const ksiStep *step, const ksiBodyEnd *last, ksiBodyInput *body)
{
    const ksiBody *begin = &body->begin;
    body->jumped = !last || !ksiIsLeftAt(last, begin->centre, begin->rotation, begin->velocity);
    body->driven = body->isSlowed = false;
    body->isPut = last && body->jumped && begin->dynamic && wasPut(step->h, last, begin);
    if (!begin->kinematic)
        findSlowing(step, last, body);
    // in the next step, damping of a kinematic body cannot be distinguished from a change by the
    // host
    if (!begin->kinematic || !(body->jumped || last->isSlowed))
        return;
    for (int k = 0; k < 6; k++) {
        body->moving[k] = !last ? 0 : last->isSlowed ? last->moved[k] : last->velocity[k];
        body->gained[k] = begin->velocity[k] - body->moving[k];
    }
    body->driven = last && !wasPlaced(step->h, body->gained, last, begin);
    body->jumped = !body->driven;
}

static void rememberRows(const ksiStep *step, size_t index, ksiHistory *history)
{
    const ksiJointInput *joint = &step->joint[index];
    const ksiJointAcceleration *acceleration = &step->acceleration[index];
    const int count = history->count = joint->rows.count;
    for (int l = 0; l < count; l++) {
        history->kind[l] = joint->rows.row[l].kind;
        history->axis[l] = joint->rows.axis[l];
        history->target[l] = joint->target[l];
        history->setting[l] = joint->setting[l];
        history->differenced[l] =
            acceleration->source[l] == KS_FROM_HISTORY ? acceleration->differenced[l] : (double)NAN;
        memcpy(history->jacobian[l], joint->rows.row[l].jacobian, sizeof history->jacobian[l]);
    }
}

ksStatus ksiReserveHistory(const ksiStep *step, ksiMemory *memory)
{
    KSI_TRY(ksiReserve(&step->allocator, &memory->history, &memory->historyCapacity, step->input->wantingHistory,
                       sizeof *memory->history));
    memory->historyCount = 0;
    memory->jointCount = step->input->jointCount;
    return KS_OK;
}

ksiJointPast ksiRememberJoint(const ksiStep *step, size_t index, ksiMemory *memory)
{
    const ksiJointInput *joint = &step->joint[index];
    ksiJointPast past = {.type = joint->type,
                         .body = {joint->body[0], joint->body[1]},
                         .bodyIndex = {joint->bodyIndex[0], joint->bodyIndex[1]},
                         .verdict = step->verdict[index].verdict,
                         .mark = step->report[index].mark,
                         .history = -1,
                         .fudgeWork = step->report[index].fudgeWork};
    if (joint->wantsHistory) {
        past.history = (int)memory->historyCount++;
        rememberRows(step, index, &memory->history[past.history]);
    }
    return past;
}

bool ksiIsAsLeft(const ksiStep *step, const ksiJointInput *joint)
{
    bool is = joint->goesOn;
    KSI_EACH_BODY (joint->bodyIndex, side, at)
        is &= !step->body[at].jumped;
    return is;
}

const ksiHistory *ksiHistoryOf(const ksiStep *step, const ksiJointInput *joint)
{
    const int history = !joint->goesOn || joint->before < 0 ? -1 : step->memory->joint[joint->before].history;
    return history < 0 ? NULL : &step->memory->history[history];
}

const ksiHistory *ksiPredecessor(const ksiStep *step, const ksiJointInput *joint)
{
    return ksiIsAsLeft(step, joint) ? ksiHistoryOf(step, joint) : NULL;
}

int ksiRowBefore(const ksiJointInput *joint, const ksiHistory *last, int l)
{
    const int axis = joint->rows.axis[l];
    if (axis < 0)
        return l < last->count && last->kind[l] == joint->rows.row[l].kind ? l : -1;
    for (int r = 0; r < last->count; r++)
        if (last->axis[r] == axis)
            return r;
    return -1;
}

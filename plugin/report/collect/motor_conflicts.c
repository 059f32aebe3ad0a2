/* motor_conflicts.c  Finds motors that work against each other: the first one is at its limit and
 * misses its target, and the second one takes its power. There are two cases:
 *
 *     one axis             The forces of the motors have opposite signs.
 *     two axes of a loop   The powers of the motors have opposite signs, and the speed of the
 *                          second axis determines the speed of the first one. If the second motor
 *                          keeps its speed, B_ii = 0. If it is at its limit, B_ii B_kk = B_ik^2.
 *
 * `B_ik` is the mobility J M^-1 J^T between the axis i of the first motor and the axis k of the
 * second one (ksInspectorGetMobility): the speed of axis i after a unit impulse along axis k, while
 * other motors keep their speeds. Without a loop, no axis determines the speed of another one. */
#include "motor_conflicts.h"

#include <math.h>

/* Share of B_ii B_kk that counts as rounding. */
static const double rounding = 1e-6;

/* Shares of the target speed. A motor misses its target if its speed differs from it by more than
 * `missed`. It moves if its mean speed exceeds `moving`. */
static const double missed = 1e-2, moving = 1e-3;

typedef struct Drive {
    const ksReaction *reaction;
    const ksMotor *motor;
    const ksRow *row;
    int axis;
} Drive;

typedef struct Search {
    const ksAllocator *allocator;
    ksiMap *groups; /* PARENT of a body: the next body towards the root of its group; a root is
                       its own parent. IS of a root: the kind of its group */
    ksiWorldStats *world;
    const ksInspector *inspector;
    const ksiNaming *naming;
    const ksReaction *reaction;
    size_t count;
    bool isGrouped, isShort;
} Search;

/* --- Mechanisms with loops --- */

enum { PARENT, IS }; /* second keys of the map of groups */
enum { GROUNDED = 1, LOOPED = 2 };

static uint64_t keyOf(dBodyID body)
{
    return (uint64_t)(uintptr_t)body;
}

/* The group of a body, created if it is new. */
static uint64_t groupOf(Search *search, uint64_t body)
{
    const uint64_t *parent;
    if (!ksiMapFind(search->groups, body, PARENT))
        search->isShort |= !ksiMapPut(search->allocator, search->groups, body, PARENT, body) ||
                           !ksiMapPut(search->allocator, search->groups, body, IS, 0);
    while ((parent = ksiMapFind(search->groups, body, PARENT)) != NULL && *parent != body)
        body = *parent;
    return body;
}

static uint64_t kindOf(const Search *search, uint64_t group)
{
    const uint64_t *kind = ksiMapFind(search->groups, group, IS);
    return kind ? *kind : 0;
}

static void setKind(Search *search, uint64_t group, uint64_t kind)
{
    search->isShort |= !ksiMapPut(search->allocator, search->groups, group, IS, kind);
}

static void joinBodies(Search *search, const ksReaction *reaction)
{
    const uint64_t a = groupOf(search, keyOf(reaction->body[0]));
    uint64_t kind = kindOf(search, a);
    if (!reaction->body[1]) {
        setKind(search, a, kind | GROUNDED | (kind & GROUNDED ? LOOPED : 0));
        return;
    }
    const uint64_t b = groupOf(search, keyOf(reaction->body[1])), other = kindOf(search, b);
    kind |= other | (a == b || (kind & other & GROUNDED) ? LOOPED : 0);
    search->isShort |= !ksiMapPut(search->allocator, search->groups, b, PARENT, a);
    setKind(search, a, kind);
}

/* Does the joint hold bodies together? One that only drives, such as an angular motor, does not. */
static bool isHolding(const ksReaction *reaction)
{
    bool is = false;
    for (int i = 0; i < reaction->rowCount; i++)
        is |= reaction->row[i].kind == KS_ROW_BILATERAL;
    return is;
}

static bool areInOneLoop(Search *search, const Drive *a, const Drive *b)
{
    if (!search->isGrouped) {
        ksiMapClear(search->groups);
        for (size_t i = 0; i < search->count; i++)
            if (isHolding(&search->reaction[i]))
                joinBodies(search, &search->reaction[i]);
        search->isGrouped = true;
    }
    const uint64_t group = groupOf(search, keyOf(a->reaction->body[0]));
    return !search->isShort && group == groupOf(search, keyOf(b->reaction->body[0])) &&
           (kindOf(search, group) & LOOPED);
}

/* --- Pairs --- */

/* false: the motor has no force in this step, or its axis is at a stop. */
static bool readDrive(const ksReaction *reaction, int axis, Drive *out)
{
    const ksMotor *motor = &reaction->motor[axis];
    if (!(fabs(motor->force) > 0) || motor->atStop)
        return false;
    *out = (Drive){reaction, motor, ksiMotorRow(reaction, axis), axis};
    return out->row != NULL;
}

/* Is the motor at its limit without reaching its target speed? Friction, whose target is 0, does
 * not count. */
static bool isMissing(const ksMotor *motor)
{
    return motor->saturated && motor->target != 0 &&
           !(fabs(motor->speed - motor->target) <= missed * fabs(motor->target));
}

static bool isSlipping(const ksMotor *motor)
{
    return motor->saturated && motor->target == 0;
}

static double meanSpeed(const ksMotor *motor)
{
    return motor->power / motor->force;
}

/* 1, -1: the second motor moves the same bodies along the same axis, in the same or the opposite
 * sense; 0: otherwise. */
static double senseOf(const Drive *a, const Drive *b)
{
    const ksReaction *x = a->reaction, *y = b->reaction;
    const int first = x->body[0] == y->body[0] ? 0 : 1;
    double both = 0, ofA = 0, ofB = 0;
    if (x->body[0] != y->body[first] || x->body[1] != y->body[1 - first])
        return 0;
    for (int side = 0; side < (x->body[1] ? 2 : 1); side++)
        for (int k = 0; k < 6; k++) {
            const double u = a->row->jacobian[side][k], v = b->row->jacobian[side == 0 ? first : 1 - first][k];
            both += u * v;
            ofA += u * u;
            ofB += v * v;
        }
    return fabs(both) >= (1 - rounding) * sqrt(ofA * ofB) ? copysign(1, both) : 0;
}

/* Does the speed of the second axis determine the speed of the first one? */
static bool areOneFreedom(Search *search, const Drive *a, const Drive *b)
{
    if (!areInOneLoop(search, a, b))
        return false;
    const double own = ksiOwnMobility(search->inspector, a->reaction, a->row);
    if (!b->motor->saturated)
        return own == 0;
    const double others = ksiOwnMobility(search->inspector, b->reaction, b->row),
                 both = ksiRowMobility(search->inspector, a->reaction, a->row, b->reaction, b->row);
    return own * others > 0 && both * both >= (1 - rounding) * own * others;
}

/* The part of the first motor's force that the second one cancels; 0: none. */
static double cancelledBy(Search *search, const Drive *a, const Drive *b)
{
    const ksMotor *m = a->motor, *n = b->motor;
    const double sense = senseOf(a, b);
    if (sense != 0)
        return sense * m->force * n->force < 0 ? fmin(fabs(m->force), fabs(n->force)) : 0;
    const bool isMoving = fabs(meanSpeed(m)) > moving * fabs(m->target);
    if (!isMoving || !(m->power * n->power < 0) || !areOneFreedom(search, a, b))
        return 0;
    return fabs(m->force) * fmin(1, fabs(n->power / m->power));
}

/* NULL: the report has no statistics of this joint. */
static ksiJointStats *statsOf(const Search *search, const Drive *drive, ksiMotorName *name)
{
    const ksiIdentity *who = ksiIdentify(search->naming, drive->reaction);
    if (!who)
        return NULL;
    *name = (ksiMotorName){(int)who->type, who->number, drive->axis};
    return ksiJointFind(search->world, who->type, who->number, who->body);
}

/* Finds the motor that cancels the largest part of this one's force. If both are at their limits,
 * each gets its own finding. */
static void findOther(Search *search, const Drive *drive)
{
    ksiMotorName name, strongest = {0};
    double most = 0;
    ksiJointStats *stats = statsOf(search, drive, &name);
    for (size_t i = 0; i < search->count && stats; i++)
        for (int axis = 0; axis < KSI_MOTORS; axis++) {
            Drive other;
            if (!readDrive(&search->reaction[i], axis, &other) || other.motor == drive->motor ||
                isSlipping(other.motor))
                continue;
            const double cancelled = cancelledBy(search, drive, &other);
            if (cancelled > most && statsOf(search, &other, &name)) {
                most = cancelled;
                strongest = name;
            }
        }
    if (most > 0)
        ksiMotorOppose(&stats->motor[drive->axis], &strongest, most);
}

bool ksiMotorConflictsAdd(const ksAllocator *allocator, ksiMap *groups, ksiWorldStats *world,
                          const ksInspector *inspector, const ksiNaming *naming)
{
    Search search = {allocator, groups, world, inspector, naming, NULL, 0, false, false};
    search.reaction = ksInspectorGetReactions(inspector, &search.count);
    for (size_t i = 0; i < search.count; i++)
        for (int axis = 0; axis < KSI_MOTORS; axis++) {
            Drive drive;
            if (isMissing(&search.reaction[i].motor[axis]) && readDrive(&search.reaction[i], axis, &drive))
                findOther(&search, &drive);
        }
    return !search.isShort;
}

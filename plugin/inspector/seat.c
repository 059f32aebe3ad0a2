/* seat.c  The system that an island is solved in. Islands of the same pattern take turns in one, step after step: its symbolic
 * part is found once, and its numbers are near when the next island needs the room. What one mechanism leaves for its next
 * step is kept apart from the system (ksiKept).
 *
 * A factorisation that has left out rows as dependent, or known ones, is laid out anew for an island where others are. Who does
 * so in its turn, by itself or again and again, has a system of its own for a while. */
#include "inspector_private.h"

#include <math.h>

enum {
    FIRST_SYSTEMS = 32, /* among which one of the same pattern is looked for */
    MOST_REPEATS = 3,   /* layouts anew in successive turns, each after somebody else's */
    ALONE_STEPS = 500
};

/* A tree that is free may be rooted in a body that is much heavier than others. -1: there is none. */
static int heavyRoot(const ksInspector *inspector, const ksiIsland *island)
{
    double least = INFINITY, most = 0; /* 1/sqrt(m) */
    int heaviest = -1;
    if (island->jointCount >= island->bodyCount)
        return -1;
    for (int i = 0; i < island->bodyCount; i++) {
        const double inverse = ksiIslandBody(inspector, island, i)->begin.root.massInverse;
        heaviest = inverse < least ? i : heaviest;
        least = fmin(least, inverse);
        most = fmax(most, inverse);
    }
    return most > KSI_MUCH_HEAVIER * least ? heaviest : -1;
}

/* Of the blocks and rows of the island's system, and of the root; not 0. Equal patterns have equal numbers; others that do
 * have cost time. */
static uint64_t patternOf(const ksInspector *inspector, const ksiIsland *island)
{
    uint64_t hash = (uint64_t)island->bodyCount << 32 | (uint32_t)heavyRoot(inspector, island);
    for (int i = 0; i < island->bodyCount; i++)
        ksiIslandBody(inspector, island, i)->block = i;
    for (int i = 0; i < island->jointCount; i++) {
        const ksiJointState *joint = ksiIslandJoint(inspector, island, i);
        uint64_t word = (uint64_t)joint->rows.count;
        for (int l = 0; !joint->rows.plain && l < joint->rows.count; l++)
            word -= joint->place[l] == KS_INACTIVE;
        for (int side = 0; side < 2; side++)
            word = word << 30 | (uint64_t)(joint->link[side] < 0 ? 0 : inspector->body[joint->link[side]].block + 1);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return hash ? hash : 1;
}

static bool isAlone(const ksInspector *inspector, const ksiSeat *seat)
{
    return inspector->step < seat->aloneUntil;
}

/* What the last turn in the system has come to. */
static void endTurn(ksInspector *inspector, ksiTurns *turns)
{
    if (turns->island < 0)
        return;
    ksiSeat *seat = &inspector->seat[turns->island];
    const unsigned shapes = ksiSystemShapes(turns->system);
    if (shapes == turns->shapes)
        seat->repeats = 0;
    else if (turns->users > 1 && (!seat->foundOthers || ++seat->repeats >= MOST_REPEATS))
        seat->aloneUntil = inspector->step + ALONE_STEPS;
    seat->shapes = shapes;
    turns->island = -1;
}

static void beginTurn(ksInspector *inspector, int index)
{
    ksiSeat *seat = &inspector->seat[index];
    ksiTurns *turns = &inspector->turns[seat->system];
    turns->island = index;
    turns->shapes = ksiSystemShapes(turns->system);
    seat->foundOthers = seat->shapes != turns->shapes;
    ksiSystemFollowAs(turns->system, seat->kept);
}

static int findPattern(const ksInspector *inspector, uint64_t pattern)
{
    for (int k = 0; k < FIRST_SYSTEMS && k < (int)inspector->systemCount; k++)
        if (inspector->turns[k].pattern == pattern)
            return k;
    return -1;
}

/* One that nobody uses, or a new one; -1: out of memory. */
static int findFree(ksInspector *inspector)
{
    int k = 0;
    while (k < (int)inspector->systemCount && inspector->turns[k].users > 0)
        k++;
    if (k < (int)inspector->systemCount)
        return k;
    ksSystem *system;
    if (ksiReserve(&inspector->allocator, &inspector->turns, &inspector->systemCapacity, inspector->systemCount + 1,
                   sizeof *inspector->turns) ||
        ksiSystemCreate(&inspector->allocator, &system))
        return -1;
    inspector->turns[inspector->systemCount++] = (ksiTurns){.system = system, .island = -1};
    return k;
}

/* From which system to which; out of memory nothing happens. */
static ksStatus change(ksInspector *inspector, ksiSeat *seat, int system)
{
    if (system < 0)
        return KS_ERROR_NO_MEMORY;
    if (seat->system >= 0)
        inspector->turns[seat->system].users--;
    inspector->turns[system].users++;
    seat->system = system;
    seat->repeats = 0;
    ksiKeptForget(seat->kept);
    return KS_OK;
}

static ksStatus choose(ksInspector *inspector, ksiSeat *seat, uint64_t pattern)
{
    ksStatus status = KS_OK;
    if (seat->pattern != pattern)
        seat->aloneUntil = 0;
    seat->pattern = pattern;
    const ksiTurns *turns = seat->system < 0 ? NULL : &inspector->turns[seat->system];
    if (turns)
        endTurn(inspector, &inspector->turns[seat->system]);
    const bool alone = isAlone(inspector, seat), shares = !alone && turns && turns->pattern == pattern;
    const int other = alone || shares ? -1 : findPattern(inspector, pattern);
    if (other >= 0)
        status = change(inspector, seat, other);
    else if (!shares && !(turns && turns->users == 1))
        status = change(inspector, seat, findFree(inspector));
    if (!status)
        inspector->turns[seat->system].pattern = alone ? 0 : pattern;
    return status;
}

ksStatus ksiReserveSeats(ksInspector *inspector)
{
    const size_t count = inspector->islandCount;
    ksStatus status =
        ksiReserve(&inspector->allocator, &inspector->seat, &inspector->seatCapacity, count, sizeof *inspector->seat);
    for (; !status && inspector->seatCount < count; inspector->seatCount++)
        inspector->seat[inspector->seatCount] = (ksiSeat){.system = -1};
    return status;
}

ksStatus ksiTakeSeat(ksInspector *inspector, int index)
{
    ksiIsland *island = &inspector->island[index];
    ksiSeat *seat = &inspector->seat[index];
    ksStatus status = seat->kept ? KS_OK : ksiKeptCreate(&inspector->allocator, &seat->kept);
    if (!status && !island->seated)
        status = choose(inspector, seat, patternOf(inspector, island));
    if (status)
        return status;
    island->seated = true;
    ksiTurns *turns = &inspector->turns[seat->system];
    if (turns->island == index)
        return KS_OK;
    endTurn(inspector, turns);
    beginTurn(inspector, index);
    return KS_OK;
}

ksSystem *ksiIslandSystem(const ksInspector *inspector, int index)
{
    return inspector->turns[inspector->seat[index].system].system;
}

bool ksiStands(const ksInspector *inspector, int index)
{
    return inspector->island[index].built && inspector->turns[inspector->seat[index].system].island == index;
}

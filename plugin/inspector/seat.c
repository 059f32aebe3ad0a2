/* seat.c  The system that an island is solved in. Islands of the same pattern take turns in one, step after step: its symbolic
 * part is found once, and its numbers are near when the next island needs the room. What one mechanism leaves for its next
 * step is kept apart from the system (ksiKept).
 *
 * A factorisation that has left out rows as dependent, or known ones, is laid out anew for an island where others are. Who does
 * so in its turn, by itself or again and again, has a system of its own for a while. */
#include "solver.h"

#include <math.h>

enum {
    FIRST_SYSTEMS = 32, /* among which one of the same pattern is looked for */
    MOST_REPEATS = 3,   /* layouts anew in successive turns, each after somebody else's */
    ALONE_STEPS = 500
};

/* A tree that is free may be rooted in a body that is much heavier than others. -1: there is none. */
static int heavyRoot(const ksiStep *step, const ksiIsland *island)
{
    double least = INFINITY, most = 0; /* 1/sqrt(m) */
    int heaviest = -1;
    if (island->jointCount >= island->bodyCount)
        return -1;
    for (int i = 0; i < island->bodyCount; i++) {
        const double inverse = step->body[ksiIslandBody(step, island, i)].begin.root.massInverse;
        heaviest = inverse < least ? i : heaviest;
        least = fmin(least, inverse);
        most = fmax(most, inverse);
    }
    return most > KSI_MUCH_HEAVIER * least ? heaviest : -1;
}

/* Of the blocks and rows of the island's system, and of the root; not 0. Equal patterns have equal numbers; others that do
 * have cost time. */
static uint64_t patternOf(const ksiStep *step, const ksiIsland *island)
{
    uint64_t hash = (uint64_t)island->bodyCount << 32 | (uint32_t)heavyRoot(step, island);
    for (int i = 0; i < island->jointCount; i++) {
        const int joint = ksiIslandJoint(step, island, i), *link = step->member[joint].link;
        const ksiRows *rows = &step->joint[joint].rows;
        uint64_t word = (uint64_t)rows->count;
        for (int l = 0; !rows->plain && l < rows->count; l++)
            word -= step->reportPlaces[joint].place[l] == KS_INACTIVE;
        for (int side = 0; side < 2; side++)
            word = word << 30 | (uint64_t)(link[side] < 0 ? 0 : step->bodyMember[link[side]].block + 1);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return hash ? hash : 1;
}

static bool isAlone(const ksiStep *step, const ksiSeat *seat)
{
    return step->number < seat->aloneUntil;
}

/* What the last turn in the system has come to. */
static void endTurn(const ksiStep *step, ksiSolver *solver, ksiTurns *turns)
{
    if (turns->island < 0)
        return;
    ksiSeat *seat = &solver->seat[turns->island];
    const unsigned shapes = ksiSystemShapes(turns->system);
    if (shapes == turns->shapes)
        seat->repeats = 0;
    else if (turns->users > 1 && (!seat->foundOthers || ++seat->repeats >= MOST_REPEATS))
        seat->aloneUntil = step->number + ALONE_STEPS;
    seat->shapes = shapes;
    turns->island = -1;
}

static void beginTurn(ksiSolver *solver, int index)
{
    ksiSeat *seat = &solver->seat[index];
    ksiTurns *turns = &solver->turns[seat->system];
    turns->island = index;
    turns->shapes = ksiSystemShapes(turns->system);
    seat->foundOthers = seat->shapes != turns->shapes;
    ksiSystemFollowAs(turns->system, seat->kept);
}

static int findPattern(const ksiSolver *solver, uint64_t pattern)
{
    for (int k = 0; k < FIRST_SYSTEMS && k < (int)solver->systemCount; k++)
        if (solver->turns[k].pattern == pattern)
            return k;
    return -1;
}

/* One that nobody uses, or a new one; -1: out of memory. */
static int findFree(const ksiStep *step, ksiSolver *solver)
{
    int k = 0;
    while (k < (int)solver->systemCount && solver->turns[k].users > 0)
        k++;
    if (k < (int)solver->systemCount)
        return k;
    ksSystem *system;
    if (ksiReserve(&step->allocator, &solver->turns, &solver->systemCapacity, solver->systemCount + 1,
                   sizeof *solver->turns) ||
        ksiSystemCreate(&step->allocator, &system))
        return -1;
    solver->turns[solver->systemCount++] = (ksiTurns){.system = system, .island = -1};
    return k;
}

/* From which system to which; out of memory nothing happens. */
static ksStatus change(ksiSolver *solver, ksiSeat *seat, int system)
{
    if (system < 0)
        return KS_ERROR_NO_MEMORY;
    if (seat->system >= 0)
        solver->turns[seat->system].users--;
    solver->turns[system].users++;
    seat->system = system;
    seat->repeats = 0;
    ksiKeptForget(seat->kept);
    return KS_OK;
}

static ksStatus choose(const ksiStep *step, ksiSolver *solver, ksiSeat *seat, uint64_t pattern)
{
    ksStatus status = KS_OK;
    if (seat->pattern != pattern)
        seat->aloneUntil = 0;
    seat->pattern = pattern;
    const ksiTurns *turns = seat->system < 0 ? NULL : &solver->turns[seat->system];
    if (turns)
        endTurn(step, solver, &solver->turns[seat->system]);
    const bool alone = isAlone(step, seat), shares = !alone && turns && turns->pattern == pattern;
    const int other = alone || shares ? -1 : findPattern(solver, pattern);
    if (other >= 0)
        status = change(solver, seat, other);
    else if (!shares && !(turns && turns->users == 1))
        status = change(solver, seat, findFree(step, solver));
    if (!status)
        solver->turns[seat->system].pattern = alone ? 0 : pattern;
    return status;
}

ksStatus ksiReserveSeats(const ksiStep *step, ksiSolver *solver)
{
    const size_t count = step->islands->count;
    ksStatus status = ksiReserve(&step->allocator, &solver->seat, &solver->seatCapacity, count, sizeof *solver->seat);
    for (; !status && solver->seatCount < count; solver->seatCount++)
        solver->seat[solver->seatCount] = (ksiSeat){.system = -1};
    return status;
}

ksStatus ksiTakeSeat(const ksiStep *step, ksiSolver *solver, int index)
{
    ksiSeat *seat = &solver->seat[index];
    ksStatus status = seat->kept ? KS_OK : ksiKeptCreate(&step->allocator, &seat->kept);
    if (!status && seat->chosenIn != step->number + 1)
        status = choose(step, solver, seat, patternOf(step, &step->island[index]));
    if (status)
        return status;
    seat->chosenIn = step->number + 1;
    ksiTurns *turns = &solver->turns[seat->system];
    if (turns->island == index)
        return KS_OK;
    endTurn(step, solver, turns);
    beginTurn(solver, index);
    return KS_OK;
}

ksSystem *ksiIslandSystem(const ksiSolver *solver, int index)
{
    return solver->turns[solver->seat[index].system].system;
}

void ksiSetStanding(ksiSolver *solver, int index, ksiStanding standing)
{
    solver->seat[index].standing = standing;
}

ksiStanding ksiFindStanding(const ksiStep *step, const ksiSolver *solver, int index)
{
    const ksiSeat *seat = &solver->seat[index];
    const bool isOwn = seat->chosenIn == step->number + 1 && solver->turns[seat->system].island == index;
    return isOwn ? seat->standing : KSI_NOTHING;
}
